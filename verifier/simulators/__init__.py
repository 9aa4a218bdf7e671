"""Definitions with an existential: what a simulator must imitate, and the exact game that decides whether one can."""

from verifier.simulators.game import Game, Limit, Play, Test
from verifier.simulators.problem import Component, Context, Row, components, rows_of
from verifier.simulators.smallest import Smallest, smallest
from verifier.simulators.whole import Part, Told, Whole

__all__ = [
    "Component",
    "Context",
    "Game",
    "Limit",
    "Part",
    "Play",
    "Row",
    "Smallest",
    "Test",
    "Told",
    "Whole",
    "components",
    "rows_of",
    "smallest",
]
