"""Mechanisms written as programs with random draws: the draws, and the exact law of a program on a database."""

from verifier.programs.draws import DRAWS, Draw
from verifier.programs.interpreter import Interpreter, on_database
from verifier.programs.syntax import Source

__all__ = ["DRAWS", "Draw", "Interpreter", "Source", "on_database"]
