"""Mechanisms written as programs with random draws: the draws, and the exact law of a program on a database."""

from verifier.programs.draws import DRAWS, Draw
from verifier.programs.interpreter import Interpreter, on_database
from verifier.programs.noisy_outputs import Outcomes, may_return_noise
from verifier.programs.syntax import Source
from verifier.programs.values import thawed

__all__ = ["DRAWS", "Draw", "Interpreter", "Outcomes", "Source", "may_return_noise", "on_database", "thawed"]
