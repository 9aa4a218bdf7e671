"""Measures of two laws as terms over a ring: each is written once, and means what the ring makes of it.

A term takes the weights (P(o), Q(o)) of the outputs over one total T, and gives a number of the ring: for the integers
of one model a fraction, for columns of many models a numerator and a denominator each, for functions of parameters a
function. Weights are added, multiplied and raised to powers as the ring does; what else a term
asks of its ring is in `Ring`.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from fractions import Fraction
from typing import Any, Protocol, TypeAlias

Weights: TypeAlias = Sequence[tuple[Any, Any]]
"""The outputs of two laws, each with its weight under the first and under the second, over one total."""


class Ring(Protocol):
    """What a term asks of the weights beside sums, products and powers.

    A `ratio` can be multiplied by a ratio, and divided by a weight.

    Where the measure is infinite (`is_infinite`), a ring may make anything of the term.
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


Term: TypeAlias = Callable[[Ring, Weights, Any], Any]
"""The number of two laws, from the ring, the weights and their total T."""


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
ANY, WITHIN, SAME = "any", "within", "same"
"""Where a measure is finite: for all laws; where Q can produce all that P can; where both can produce the same."""


def is_infinite(ring: Ring, weights: Weights, finite: str) -> Any:
    """Whether a measure that is `finite` for ANY laws, WITHIN or SAME ones, is infinite for these."""
    if finite == ANY:
        return ring.some(())
    possible = [(ring.possible(p), ring.possible(q)) for p, q in weights]
    return ring.some(p > q for p, q in possible) if finite == WITHIN else ring.some(p != q for p, q in possible)


def distance(parts: int) -> Term:
    """Σ |P - Q|/`parts`.

    >>> str(distance(2)(INTEGERS, [(3, 1), (1, 3)], 4))
    '1/2'
    """
    return lambda ring, weights, total: ring.ratio(ring.total(ring.apart(p, q) for p, q in weights), total * parts)


def power_sum(k: int) -> Term:
    """Σ Q·|P/Q - 1|^k, for k ≥ 2.

    >>> str(power_sum(2)(INTEGERS, [(3, 1), (1, 3)], 4))
    '4/3'
    """

    def term(ring: Ring, weights: Weights, total: Any) -> Any:
        return ring.summed(ring.ratio(ring.apart(p, q) ** k, q ** (k - 1)) for p, q in weights) / total

    return term


def moment(order: int) -> Term:
    """Σ P^α/Q^(α - 1), for an integer α ≥ 2.

    >>> str(moment(2)(INTEGERS, [(3, 1), (1, 3)], 4))
    '7/3'
    """

    def term(ring: Ring, weights: Weights, total: Any) -> Any:
        return ring.summed(ring.ratio(p**order, q ** (order - 1)) for p, q in weights) / total

    return term


def largest_ratio(ring: Ring, weights: Weights, total: Any) -> Any:
    """The largest P/Q, at least 1.

    >>> str(largest_ratio(INTEGERS, [(3, 1), (1, 3)], 4))
    '3'
    """
    return ring.largest([ring.ratio(total, total), *(ring.ratio(p, q) for p, q in weights)])


def range_of_ratios(ring: Ring, weights: Weights, total: Any) -> Any:  # noqa: ARG001
    """The largest P/Q over the smallest, of the outputs that the laws can produce.

    >>> str(range_of_ratios(INTEGERS, [(3, 1), (1, 3)], 4))
    '9'
    """
    up, down = (ring.largest([ring.ratio(x, y) for x, y in way]) for way in (weights, _turned(weights)))
    return up * down


def _turned(weights: Weights) -> Weights:
    return [(q, p) for p, q in weights]
