"""Definitions that ask for a simulator: what it must imitate, and the exact game that decides whether one can."""

from verifier.simulators.game import Game, Limit, Play, Test
from verifier.simulators.problem import Component, Context, SimulatorRow, components, rows_of
from verifier.simulators.simulator_problem import ComponentShape, ContextAnswer, SimulatorProblem
from verifier.simulators.smallest import Smallest, smallest

__all__ = [
    "Component",
    "ComponentShape",
    "Context",
    "ContextAnswer",
    "Game",
    "Limit",
    "Play",
    "SimulatorProblem",
    "SimulatorRow",
    "Smallest",
    "Test",
    "components",
    "rows_of",
    "smallest",
]
