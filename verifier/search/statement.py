"""Statements about one model: definitions with parameters, properties, and `not and or => iff`, as a tree.

A statement may have variables (ε, δ) that its definitions share; it holds in a model if it does for all their values.
"""

from __future__ import annotations

from dataclasses import dataclass
from fractions import Fraction
from typing import TypeAlias

from verifier.numbers import Epsilon


@dataclass(frozen=True)
class Scaled:
    """A variable times a positive rational plus a rational that is not negative: `2*e + 1/10`."""

    name: str
    factor: Fraction = Fraction(1)
    plus: Fraction = Fraction(0)


@dataclass(frozen=True)
class Holds:
    """A definition at ε and δ, each a constant or a scaled variable; ε is None for "some finite ε"."""

    definition: str
    epsilon: Epsilon | Scaled | None = None
    delta: Fraction | Scaled = Fraction(0)
    reading: str = "default"
    on: str = ""
    """The mechanism that is asked: the model's own, or one that is made of it, such as `post` or `twice`."""


@dataclass(frozen=True)
class Has:
    """A property of the model, such as `acceptable`, `independent` or `deterministic`."""

    name: str


@dataclass(frozen=True)
class Not:
    """The opposite."""

    of: Statement


@dataclass(frozen=True)
class And:
    """All of them."""

    parts: tuple[Statement, ...]


@dataclass(frozen=True)
class Or:
    """One of them."""

    parts: tuple[Statement, ...]


Statement: TypeAlias = Holds | Has | Not | And | Or
"""`a => b` is `Or((Not(a), b))`, `a iff b` both ways."""
