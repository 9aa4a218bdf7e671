"""Mechanisms written as programs with random draws: the draws, and the exact law of a program on a database."""

from verifier.programs.draws import DRAWS, Draw
from verifier.programs.interpreter import Interpreter, on_database
from verifier.programs.noisy_outputs import Outcomes, may_return_noise
from verifier.programs.parameters import ProgramText, parameters_in, with_parameters
from verifier.programs.syntax import Drawn, Source
from verifier.programs.values import thawed

__all__ = [
    "DRAWS",
    "Draw",
    "Drawn",
    "Interpreter",
    "Outcomes",
    "ProgramText",
    "Source",
    "may_return_noise",
    "on_database",
    "parameters_in",
    "thawed",
    "with_parameters",
]
