"""Rings: what a term in weights asks of them, whether integers of one model, columns of many, functions or unknowns.

A term is written once, over any ring, and means what the ring makes of it: for the integers of one model a fraction,
for columns of many models a numerator and a denominator each, for functions of parameters a function. Weights are
added, multiplied and raised to powers as the ring does; what else a term asks of its ring is in `Ring`.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from fractions import Fraction
from typing import Any, Protocol, TypeAlias

Weights: TypeAlias = Sequence[tuple[Any, Any]]
"""Pairs of weights over one total, such as those of each output under two laws."""


class Ring(Protocol):
    """What a term asks of the weights beside sums, products and powers.

    A `ratio` can be multiplied by a ratio, and divided by a weight.
    """

    def possible(self, weight: Any) -> Any:
        """Whether the weight is positive: a condition, of which two can be compared as false < true."""

    def some(self, conditions: Iterable[Any]) -> Any:
        """Whether one of the conditions is met; none is met of no conditions."""

    def apart(self, p: Any, q: Any) -> Any:
        """|P - Q|."""

    def total(self, weights: Iterable[Any]) -> Any:
        """The sum of at least one weight."""

    def ratio(self, above: Any, below: Any) -> Any:
        """The quotient of two weights; 0/0 counts as 0."""

    def summed(self, ratios: Iterable[Any]) -> Any:
        """The sum of at least one ratio."""

    def largest(self, ratios: Iterable[Any]) -> Any:
        """The largest of at least one ratio."""


class Integers:
    """The weights of one model: integers, whose ratios are fractions."""

    def possible(self, weight: int) -> bool:
        """Whether the weight is positive."""
        return weight > 0

    def some(self, conditions: Iterable[bool]) -> bool:
        """Whether one of the conditions is met."""
        return any(conditions)

    def apart(self, p: int, q: int) -> int:
        """|P - Q|."""
        return abs(p - q)

    def total(self, weights: Iterable[int]) -> int:
        """The sum of weights."""
        return sum(weights)

    def ratio(self, above: int, below: int) -> Fraction:
        """The quotient of two weights; 0/0 counts as 0."""
        return Fraction(above, below or 1)

    def summed(self, ratios: Iterable[Fraction]) -> Fraction:
        """The sum of fractions."""
        return sum(ratios, Fraction(0))

    def largest(self, ratios: Iterable[Fraction]) -> Fraction:
        """The largest of some fractions."""
        return max(ratios)


INTEGERS = Integers()
