"""The law of a count over several large groups of identical records, a sum of binomials: windows of terms, convolved.

A window has the terms around one place; what lies outside is bounded, since every law here is log-concave and its terms
fall at least geometrically beyond two neighbours that fall. Where the window lies decides how sharp the balls are,
never what they enclose.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from fractions import Fraction
from functools import cached_property
from itertools import accumulate
from math import isqrt

from verifier.engine.tails import Ball, Binomial, CountLaw, Spectrum, ball, between
from verifier.numbers import CoarseError, Epsilon

WIDE = 64
"""How far from where it is expected an edge is looked for first."""
MOST_GROUPS, SMALL = 16, 2_000
"""Up to so many different laws, and above so many records, windows are taken instead of whole products."""
TILTS = 1 << 32
"""The finest tilt that is tried is one in this many."""


@dataclass(frozen=True, eq=False)
class TermWindow:
    """A stretch of a log-concave law of X on 0 … size: `terms[i]` encloses P[X = low + i]."""

    low: int
    terms: Sequence[Ball]
    size: int

    @property
    def high(self) -> int:
        """The last k of the window."""
        return self.low + len(self.terms) - 1

    def at(self, k: int) -> Ball:
        """P[X = k], for k in the window."""
        return self.terms[k - self.low]

    def down(self, k: int) -> Ball:
        """An upper bound of P[X = k - 1]/P[X = k], for k in the window; 0 for k = 0."""
        if k == 0:
            return ball(0)
        return self.at(k - 1) / self.at(k) if k > self.low else self.at(k) / self.at(k + 1)

    def up(self, k: int) -> Ball:
        """An upper bound of P[X = k + 1]/P[X = k], for k in the window; 0 for k = size."""
        if k == self.size:
            return ball(0)
        return self.at(k + 1) / self.at(k) if k < self.high else self.at(k) / self.at(k - 1)

    @cached_property
    def below(self) -> list[Ball]:
        """P[X ≤ k] for each k of the window, in increasing order of k."""
        first = _bound_beyond(self.terms[0], self.down(self.low)) if self.low else ball(0)
        return list(accumulate(self.terms, initial=first))[1:]

    @cached_property
    def above(self) -> list[Ball]:
        """P[X ≥ k] for each k of the window, in increasing order of k."""
        last = _bound_beyond(self.terms[-1], self.up(self.high)) if self.high < self.size else ball(0)
        return list(accumulate(reversed(self.terms), initial=last))[:0:-1]


def _bound_beyond(term: Ball, ratio: Ball) -> Ball:
    """The ball [0, t·r/(1 - r)], for the sum of the terms beyond t, each at most r times the one before."""
    if ratio == 0:
        return ball(0)
    if not ratio < 1:
        raise CoarseError
    return between(ball(0), term * ratio / (1 - ratio))


@dataclass(frozen=True, eq=False)
class SumOfBinomials(CountLaw):
    """The law of X₁ + … + X_k for independent binomials, one for each group of identical records.

    >>> count = SumOfBinomials((Binomial(10**4, Fraction(1, 4)), Binomial(10**4, Fraction(1, 2))))
    >>> bool(count.below(7000) * 10**10 < count.above(7400))
    True
    """

    binomials: tuple[Binomial, ...]
    _windows: dict[int, list[TermWindow]] = field(default_factory=dict)

    @property
    def size(self) -> int:
        """How many records there are."""
        return sum(part.size for part in self.binomials)

    def term(self, k: int) -> Ball:
        """P[X = k]."""
        return self._window(k).at(k) if 0 <= k <= self.size else ball(0)

    def below(self, k: int) -> Ball:
        """P[X ≤ k]."""
        if k < 0 or k >= self.size:
            return ball(int(k >= 0))
        if k > self._mean:
            return 1 - self.above(k + 1)
        window = self._window(k)
        return window.below[k - window.low]

    def above(self, k: int) -> Ball:
        """P[X ≥ k]."""
        if k <= 0 or k > self.size:
            return ball(int(k <= 0))
        if k <= self._mean:
            return 1 - self.below(k - 1)
        window = self._window(k)
        return window.above[k - window.low]

    def near(self, epsilon: Epsilon, *, rising: bool) -> tuple[int, int]:
        """A stretch (low, high) in which the last rise, or the first fall, is expected for a finite ε.

        Where every p : 1 - p multiplied by t gives the mean k, P[X = k]/P[X = k - 1] is about 1/t.
        """
        low, high = epsilon.exp_bracket(96)
        tilt = 1 / low if rising else high
        guess = self._tilted(tilt)
        return max(0, guess - WIDE), min(self.size + 1, guess + WIDE)

    @cached_property
    def _mean(self) -> Fraction:
        return sum((part.size * part.p for part in self.binomials), Fraction(0))

    def _tilted(self, tilt: Fraction) -> int:
        """The mean, rounded, where every p : 1 - p is multiplied by the tilt."""
        return int(sum((_centre(part, tilt) for part in self.binomials), Fraction(0)))

    def _window(self, k: int) -> TermWindow:
        """A window with k well inside, from those that were made at this precision."""
        from flint import ctx

        windows = self._windows.get(ctx.prec)
        if windows is None:
            self._windows.clear()
            windows = self._windows[ctx.prec] = []
        for window in windows:
            margin = len(window.terms) // 2 if len(window.terms) > 2 else 0
            if (window.low + margin // 2 <= k or window.low == 0) and (
                k <= window.high - margin // 2 or window.high == self.size
            ):
                return window
        windows.append(self._make(k, ctx.prec))
        return windows[-1]

    def _make(self, k: int, precision: int) -> TermWindow:
        """The window around k, 1.25·√precision standard deviations to each side, at the tilt whose mean is there."""
        tilt = _search(lambda t: self._tilted(t) >= k)
        variance = sum(_spread(part, tilt) for part in self.binomials) + 1
        reach = _width(precision, variance)
        window, mean, spread = None, 0, 0
        for number, part in enumerate(self.binomials, start=1):
            centre = min(part.size, max(0, round(_centre(part, tilt))))
            half = (_width(precision, _spread(part, tilt)) * 3 + reach * 3 * (_spread(part, tilt) + 1) // variance) // 2
            half = part.size if part.size <= 8 * half else half
            terms = _terms(part, max(0, centre - half), min(part.size, centre + half), centre)
            mean, spread = mean + centre, spread + _spread(part, tilt)
            around = _width(precision, spread) + reach * 3 * (spread + 1) // (2 * variance)
            low, high = (k - reach, k + reach) if number == len(self.binomials) else (mean - around, mean + around)
            window = terms if window is None else _convolved(window, terms, low, high, tilt)
        if window is None:
            raise TypeError("a sum of binomials has at least one group")
        return _cut(window, k - reach, k + reach)


def _width(precision: int, spread: int) -> int:
    """1.25·√precision standard deviations: beyond them, a normal tail is below 2^-precision."""
    return isqrt(25 * precision * (spread + 1) // 16) + 16


def count_law(chances: Sequence[tuple[Fraction, int]]) -> CountLaw:
    """The law of a count of independent records, from the pairs (probability, number of records with it)."""
    if len(chances) <= 1:
        p, number = chances[0] if chances else (Fraction(1, 2), 0)
        return Binomial(number, p)
    if len(chances) <= MOST_GROUPS and sum(number for _, number in chances) > SMALL:
        return SumOfBinomials(tuple(Binomial(number, p) for p, number in chances))
    return Spectrum(chances)


def _cut(window: TermWindow, low: int, high: int) -> TermWindow:
    """The part of a window between two places, both inside."""
    low, high = max(low, window.low), min(high, window.high)
    return TermWindow(low, window.terms[low - window.low : high - window.low + 1], window.size)


def _centre(part: Binomial, tilt: Fraction) -> Fraction:
    p, q = part.odds
    return part.size * p * tilt / (q + p * tilt)


def _spread(part: Binomial, tilt: Fraction) -> int:
    """The variance at a tilt, rounded."""
    p, q = part.odds
    return int(part.size * p * tilt * q / (q + p * tilt) ** 2)


def _search(enough: Callable[[Fraction], bool]) -> Fraction:
    """About the least tilt that is enough."""
    low, high = 1, TILTS * TILTS
    while high - low > max(1, low // TILTS):
        middle = (low + high) // 2 if high < 4 * low else isqrt(low * high)
        low, high = (low, middle) if enough(Fraction(middle, TILTS)) else (middle, high)
    return Fraction(high, TILTS)


def _terms(part: Binomial, low: int, high: int, start: int) -> TermWindow:
    """Terms of one group's law, each from its neighbour."""
    p, q = part.odds
    n, first = part.size, part.term(start)
    left, right = [first], [first]
    for k in range(start, low, -1):
        left.append(left[-1] * (k * q) / ((n - k + 1) * p))
    for k in range(start, high):
        right.append(right[-1] * ((n - k) * p) / ((k + 1) * q))
    return TermWindow(low, [*left[:0:-1], *right], n)


def _convolved(first: TermWindow, second: TermWindow, low: int, high: int, tilt: Fraction) -> TermWindow:
    """The law of the sum between two places; what the windows leave out of a term is bounded.

    The summands P[X = j]·P[Y = k - j] of one term are log-concave in j, so those left out fall geometrically. The
    factors are tilted before they are multiplied, so that their terms are of one size, and the product is tilted back.
    """
    from flint import arb_poly

    size = first.size + second.size
    tilted = arb_poly(_scaled(first.terms, tilt)) * arb_poly(_scaled(second.terms, tilt))
    product = _scaled([tilted[i] for i in range(len(first.terms) + len(second.terms) - 1)], 1 / tilt)
    low, high = max(low, first.low + second.low), min(high, first.high + second.high)
    terms = []
    for k in range(low, high + 1):
        term = product[k - first.low - second.low]
        j = max(first.low, k - second.high)
        term += _bound_beyond(first.at(j) * second.at(k - j), first.down(j) * second.up(k - j))
        j = min(first.high, k - second.low)
        term += _bound_beyond(first.at(j) * second.at(k - j), first.up(j) * second.down(k - j))
        terms.append(term)
    return TermWindow(low, terms, size)


def _scaled(terms: Sequence[Ball], tilt: Fraction) -> list[Ball]:
    """The i-th term times tiltⁱ."""
    factor, power, scaled = ball(tilt), ball(1), []
    for term in terms:
        scaled.append(term * power)
        power *= factor
    return scaled
