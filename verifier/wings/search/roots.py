"""Exact real roots of polynomials in e^ε, at which the truth of a statement can change."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from fractions import Fraction
from itertools import pairwise
from math import lcm
from typing import Any

from verifier.errors import LimitError
from verifier.numbers import ball_ends

Coefficients = tuple[Fraction, ...]
"""The coefficients of a polynomial, the constant first."""
MAX_DEGREE, MAX_PRECISION = 128, 1 << 14


@dataclass(frozen=True)
class Root:
    """A real root between two rational bounds, which are both the root itself if it is rational."""

    low: Fraction
    high: Fraction

    @property
    def exact(self) -> Fraction | None:
        """The root if it is rational, else None."""
        return self.low if self.low == self.high else None


def roots_above(polynomials: Iterable[Coefficients], start: Fraction) -> list[Root]:
    """All real roots above `start` of some polynomials, each once, in increasing order and in disjoint bounds.

    >>> [str(root.exact) for root in roots_above([(Fraction(2), Fraction(-3), Fraction(1))], Fraction(1))]
    ['2']

    Raises:
        LimitError: for a degree above 128, or roots that are too close to be told apart.

    """
    factors = _irreducible(polynomials)
    rational = sorted({r for factor in factors if factor.degree() == 1 for r in [_linear(factor)] if r > start})
    curved = [factor for factor in factors if factor.degree() > 1]
    precision = 64
    while precision <= MAX_PRECISION:
        intervals = sorted([*_enclosed(curved, precision), *((r, r) for r in rational), (start, start)])
        if all(first[1] < second[0] for first, second in pairwise(intervals)):
            return [Root(low, high) for low, high in intervals if low > start]
        precision *= 2
    raise LimitError("two values of e^ε at which a verdict changes are too close to be told apart")


def _irreducible(polynomials: Iterable[Coefficients]) -> list[Any]:
    """The different irreducible factors over the integers; distinct ones have distinct roots."""
    from flint import fmpz_poly

    factors: dict[str, Any] = {}
    for coefficients in set(polynomials):
        if len(coefficients) > MAX_DEGREE + 1:
            raise LimitError("the factors of ε are too far apart", wanted=f"powers of e^ε up to {MAX_DEGREE}")
        scale = lcm(*(c.denominator for c in coefficients))
        polynomial = fmpz_poly([int(c * scale) for c in coefficients])
        if polynomial.degree() > 0:
            for factor, _ in polynomial.factor()[1]:
                factors[str(factor)] = factor
    return list(factors.values())


def _linear(factor: Any) -> Fraction:
    constant, slope = (int(c) for c in factor.coeffs())
    return Fraction(-constant, slope)


def _enclosed(factors: list[Any], precision: int) -> Iterator[tuple[Fraction, Fraction]]:
    """Rational bounds of the real roots, from Arb balls."""
    from flint import ctx

    with ctx.workprec(precision):
        for factor in factors:
            for root, _ in factor.complex_roots():
                if root.imag == 0:
                    yield ball_ends(root.real)
