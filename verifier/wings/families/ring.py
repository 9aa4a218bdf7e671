"""The ring in which a weight is a function of the parameters, for the terms of divergences.

Functions have no order. What depends on it stays apart until the parameters are known: |P - Q| is two functions whose
positive parts add up to it, and the largest of some ratios is a list of them.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from functools import reduce
from itertools import chain
from operator import add
from typing import Any

from verifier.numbers import Function


@dataclass(frozen=True)
class Parts:
    """Functions whose positive parts add up to a number; of two that come of one |P - Q|, one is positive at most."""

    parts: tuple[Function, ...]

    def __pow__(self, k: int) -> Parts:
        """The same of |P - Q|^k, which is (P - Q)^k for an even k."""
        return Parts(tuple(part**k for part in self.parts[: 1 + k % 2]))

    def __truediv__(self, weight: Function | int) -> Parts:
        """The parts over a positive weight."""
        return Parts(tuple(part / weight for part in self.parts))


@dataclass(frozen=True)
class Ratios:
    """Numerators and denominators of ratios, of which the largest counts."""

    listed: tuple[tuple[Function, Function], ...]

    def __mul__(self, other: Ratios) -> Ratios:
        """The products of each ratio with each."""
        return Ratios(tuple((p * y, q * x) for p, q in self.listed for y, x in other.listed))

    def __truediv__(self, weight: Function) -> Ratios:
        """The ratios over a weight."""
        return Ratios(tuple((p, q * weight) for p, q in self.listed))


@dataclass(frozen=True)
class Functions:
    """The ring of functions, with the constant 1."""

    one: Function

    def possible(self, weight: Function) -> bool:
        """Whether the weight is another function than 0."""
        return bool(weight)

    def some(self, conditions: Iterable[bool]) -> bool:
        """Whether one of the conditions is met."""
        return any(conditions)

    def apart(self, p: Function, q: Function) -> Parts:
        """|P - Q|."""
        return Parts((p - q, q - p))

    def total(self, weights: Iterable[Parts]) -> Parts:
        """The sum of |P - Q| over outputs."""
        return Parts(tuple(chain.from_iterable(weight.parts for weight in weights)))

    def ratio(self, above: Any, below: Function) -> Any:
        """The quotient of two weights; 0/0 is left out."""
        if isinstance(above, Parts):
            return above / (below or self.one)
        return Ratios(((above, below),) if above or below else ())

    def summed(self, ratios: Iterable[Any]) -> Any:
        """The sum of ratios."""
        listed = list(ratios)
        if any(isinstance(ratio, Parts) for ratio in listed):
            return self.total(listed)
        fractions = [p / q for ratio in listed for p, q in ratio.listed]
        return Ratios(((reduce(add, fractions, self.one * 0), self.one),))

    def largest(self, ratios: Iterable[Ratios]) -> Ratios:
        """All of the ratios."""
        return Ratios(tuple(chain.from_iterable(ratio.listed for ratio in ratios)))
