"""Laws of counts of independent records as Arb balls: terms and tails, at the precision in force.

Every ball encloses its number. `Binomial` is for identical records, in closed form; `Spectrum` multiplies the factors
of different ones. Both laws are log-concave (Newton), so that the ratio of two neighbouring terms falls.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field
from fractions import Fraction
from itertools import accumulate
from typing import Any, Protocol, TypeAlias

from verifier.numbers import CoarseError, Epsilon, Order, arb_of, compare_integers

Ball: TypeAlias = Any
"""A python-flint arb."""
GUARD = 8
"""Bits below the precision at which the rest of a series is bounded instead of added."""


def ball(value: Fraction | int) -> Ball:
    """The ball of a rational, at the precision in force."""
    return arb_of(Fraction(value))


def between(low: Ball, high: Ball) -> Ball:
    """The least ball that holds two balls."""
    return low.union(high)


def positive(value: Ball) -> Ball:
    """The ball of max(0, x)."""
    return value.max(ball(0))


class CountLaw(Protocol):
    """The law of X, the number of records that are counted, among `size` independent ones.

    Each record is counted with its own probability in (0, 1), so that the law is log-concave on 0 … size.
    """

    @property
    def size(self) -> int:
        """How many records there are."""

    def term(self, k: int) -> Ball:
        """P[X = k]."""

    def below(self, k: int) -> Ball:
        """P[X ≤ k]."""

    def above(self, k: int) -> Ball:
        """P[X ≥ k]."""

    def rises(self, k: int, epsilon: Epsilon) -> bool | None:
        """Whether P[X = k] > e^ε·P[X = k - 1]; it holds at k = 0, and where it fails, it fails from there on.

        None where the precision in force does not tell.
        """
        return larger(self.term(k), self.term(k - 1), epsilon)

    def falls(self, k: int, epsilon: Epsilon) -> bool | None:
        """Whether P[X = k - 1] > e^ε·P[X = k]; it holds at k = size + 1, and where it fails, it fails up to there."""
        return larger(self.term(k - 1), self.term(k), epsilon)


def last_rise(law: CountLaw, epsilon: Epsilon) -> tuple[int, Ball]:
    """The largest k with P[X = k] > e^ε·P[X = k - 1], and what k + 1 may gain beyond it, where it is a tie or nearly.

    What it may gain is a ball of max(0, P[X = k + 1] - e^ε·P[X = k]); it is 0 where k is certainly the largest.

    Raises:
        CoarseError: where the precision in force does not tell two neighbours.

    """
    if epsilon.is_infinite:
        return 0, ball(0)
    low, high = _bracket(law, epsilon, rising=True)
    while high - low > 1:
        middle = (low + high) // 2
        low, high = (middle, high) if law.rises(middle, epsilon) else (low, middle)
    if high > law.size or law.rises(high, epsilon) is False:
        return low, ball(0)
    if high < law.size and law.rises(high + 1, epsilon) is not False:
        raise CoarseError
    return low, positive(law.term(high) - power(epsilon) * law.term(high - 1))


def first_fall(law: CountLaw, epsilon: Epsilon) -> tuple[int, Ball]:
    """The smallest k with P[X = k - 1] > e^ε·P[X = k], and what k - 1 may gain before it, where it is a tie or nearly.

    What it may gain is a ball of max(0, P[X = k - 2] - e^ε·P[X = k - 1]); it is 0 where k is certainly the smallest.

    Raises:
        CoarseError: where the precision in force does not tell two neighbours.

    """
    if epsilon.is_infinite:
        return law.size + 1, ball(0)
    low, high = _bracket(law, epsilon, rising=False)
    while high - low > 1:
        middle = (low + high) // 2
        low, high = (low, middle) if law.falls(middle, epsilon) else (middle, high)
    if low == 0 or law.falls(low, epsilon) is False:
        return high, ball(0)
    if low > 1 and law.falls(low - 1, epsilon) is not False:
        raise CoarseError
    return high, positive(law.term(low - 1) - power(epsilon) * law.term(low))


def _bracket(law: CountLaw, epsilon: Epsilon, *, rising: bool) -> tuple[int, int]:
    """Where the edge lies for certain: around where the law expects it, if that is so, else anywhere."""
    near = getattr(law, "near", None)
    if near is not None:
        low, high = near(epsilon, rising=rising)
        if rising and (low == 0 or law.rises(low, epsilon)) and (high > law.size or law.rises(high, epsilon) is False):
            return low, high
        if (
            not rising
            and (low == 0 or law.falls(low, epsilon) is False)
            and (high > law.size or law.falls(high, epsilon))
        ):
            return low, high
    return 0, law.size + 1


@dataclass(frozen=True)
class Binomial:
    """The law of X, the number of records that are counted, among `size` with one probability p in (0, 1).

    >>> Binomial(10**7, Fraction(1, 100)).below(0) > 0
    True
    """

    size: int
    p: Fraction

    @property
    def odds(self) -> tuple[int, int]:
        """The odds p : 1 - p, as two integers."""
        return self.p.numerator, self.p.denominator - self.p.numerator

    def term(self, k: int) -> Ball:
        """P[X = k] = C(n, k)·p^k·(1-p)^(n-k), by logarithms of Γ."""
        if not 0 <= k <= self.size:
            return ball(0)
        n = self.size
        ways = ball(n + 1).lgamma() - ball(k + 1).lgamma() - ball(n - k + 1).lgamma()
        return (ways + k * ball(self.p).log() + (n - k) * ball(1 - self.p).log()).exp()

    def below(self, k: int) -> Ball:
        """P[X ≤ k]."""
        if k < 0 or k >= self.size:
            return ball(int(k >= 0))
        if k > self.size * self.p:
            return 1 - self._up(k + 1)
        return self._down(k)

    def above(self, k: int) -> Ball:
        """P[X ≥ k]."""
        if k <= 0 or k > self.size:
            return ball(int(k <= 0))
        if k <= self.size * self.p:
            return 1 - self._down(k - 1)
        return self._up(k)

    def rises(self, k: int, epsilon: Epsilon) -> bool:
        """Whether P[X = k] > e^ε·P[X = k - 1], decided exactly: (n - k + 1)·p > e^ε·k·(1 - p)."""
        p, q = self.odds
        return compare_integers((self.size - k + 1) * p, k * q, epsilon).settled() is Order.GREATER

    def falls(self, k: int, epsilon: Epsilon) -> bool:
        """Whether P[X = k - 1] > e^ε·P[X = k], decided exactly: k·(1 - p) > e^ε·(n - k + 1)·p."""
        p, q = self.odds
        return compare_integers(k * q, (self.size - k + 1) * p, epsilon).settled() is Order.GREATER

    def _down(self, k: int) -> Ball:
        """P[X ≤ k] for k up to the mean: the terms from k down fall at least geometrically."""
        p, q = self.odds
        return _series(self.term(k), ((j * q, (self.size - j + 1) * p) for j in range(k, 0, -1)))

    def _up(self, k: int) -> Ball:
        """P[X ≥ k] for k above the mean."""
        p, q = self.odds
        return _series(self.term(k), (((self.size - j) * p, (j + 1) * q) for j in range(k, self.size)))


def _series(first: Ball, ratios: Any) -> Ball:
    """first·(1 + ρ₁ + ρ₁ρ₂ + …) for falling ratios ρ: added until the rest is too small to matter, then bounded.

    The rest after a term t with the next ratio ρ < 1 is at most t·ρ/(1 - ρ).
    """
    from flint import ctx

    total, term, small = first, first, ball(Fraction(1, 1 << (ctx.prec + GUARD)))
    for number, (top, bottom) in enumerate(ratios):
        if number % 8 == 0 and top < bottom and term * top < total * small * (bottom - top):
            remaining = term * top / (bottom - top)
            return total + between(ball(0), remaining)
        term = term * top / bottom
        total += term
    return total


@dataclass(frozen=True, eq=False)
class Spectrum(CountLaw):
    """The law of a count of different records: the product of the factors (1 - p) + p·x, as a polynomial of balls.

    `chances` has each probability p with its number of records.
    """

    chances: Sequence[tuple[Fraction, int]]
    _tables: dict[int, tuple[list[Ball], list[Ball], list[Ball]]] = field(default_factory=dict)

    @property
    def size(self) -> int:
        """How many records there are."""
        return sum(times for _, times in self.chances)

    def _all(self) -> tuple[list[Ball], list[Ball], list[Ball]]:
        """All terms, lower and upper tails at the precision in force."""
        from flint import arb_poly, ctx

        if ctx.prec not in self._tables:
            self._tables.clear()
            level = [arb_poly([ball(1 - p), ball(p)]) ** times for p, times in self.chances]
            while len(level) > 1:
                pairs = range(0, len(level), 2)
                level = [level[k] * level[k + 1] if k + 1 < len(level) else level[k] for k in pairs]
            terms = [level[0][k] for k in range(self.size + 1)]
            upper = list(accumulate(reversed(terms)))
            self._tables[ctx.prec] = terms, list(accumulate(terms)), upper[::-1]
        return self._tables[ctx.prec]

    def term(self, k: int) -> Ball:
        """P[X = k]."""
        return self._all()[0][k] if 0 <= k <= self.size else ball(0)

    def below(self, k: int) -> Ball:
        """P[X ≤ k]."""
        return self._all()[1][k] if 0 <= k < self.size else ball(int(k >= 0))

    def above(self, k: int) -> Ball:
        """P[X ≥ k]."""
        return self._all()[2][k] if 0 < k <= self.size else ball(int(k <= 0))


def larger(x: Ball, y: Ball, epsilon: Epsilon) -> bool | None:
    """Whether x > e^ε·y; None where the precision in force does not tell."""
    bound = y * power(epsilon)
    return True if x > bound else False if x < bound else None


def power(epsilon: Epsilon) -> Ball:
    """The ball of e^ε, at the precision in force.

    Raises:
        ArithmeticError: for ε = ∞.

    """
    from flint import ctx

    if epsilon.exp is not None:
        return ball(epsilon.exp)
    if epsilon.root is not None or epsilon.long_power:
        low, high = epsilon.exp_bracket(ctx.prec)
        return between(ball(low), ball(high))
    exponent = ball(epsilon.coefficient)
    if epsilon.kind == "log":
        exponent *= ball(epsilon.argument).log()
    return exponent.exp()
