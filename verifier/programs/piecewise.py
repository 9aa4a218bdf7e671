"""Weights of an integer that is not known: on each piece a finite sum of c·nᵏ·bⁿ, exactly.

Two-sided geometric noise has the weight (1 - r)/(1 + r)·r^|n|, on two pieces. Such functions are closed under products,
shifts, and sums over half-lines, so that what follows from comparisons of noises is one again. A power nᵏ with k > 0
comes from a base 1, such as of two noises of one ratio. Coefficients and bases are elements of one field: fractions,
or rational functions of a parameter, of which the ratio is a power.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from fractions import Fraction
from functools import cached_property, lru_cache
from math import comb
from typing import Any, NamedTuple, TypeAlias

from verifier.errors import LimitError
from verifier.numbers import Function

Element: TypeAlias = Any
"""An element of the field: a `Fraction`, or a `Function` of the parameter."""
Terms: TypeAlias = Mapping[tuple[Element, int], Element]
"""A sum of c·nᵏ·bⁿ: the coefficient c by base b and exponent k."""
UNIT = (Fraction(1), 0)
"""The base and the exponent of a constant."""
MAX_POWER = 1 << 20
"""Longest power of a base, in bits."""
KEPT = 1 << 14
"""How many results of each operation are kept: the patterns of noise of one database come again with others."""


class Piece(NamedTuple):
    """The terms of a function from `low` to `high`, both included; None for an end at infinity."""

    low: int | None
    high: int | None
    terms: Terms


def plain(element: Element) -> Element:
    """A constant function of a parameter as its number: equal bases are then equal keys."""
    if isinstance(element, Function):
        constant = element.constant
        return element if constant is None else constant
    return element


@lru_cache(KEPT)
def power(base: Element, exponent: int) -> Element:
    """b^n, also for a negative n.

    Raises:
        LimitError: where the power is too long.

    """
    if base == 1:
        return Fraction(1)
    if isinstance(base, Function):
        bits = 64 * int(max(base.top.degree(), base.bottom.degree()))
    else:
        bits = max(base.numerator, base.denominator).bit_length()
    if bits * abs(exponent) > MAX_POWER:
        raise LimitError(
            f"a noise is compared {abs(exponent):,} steps away from where it is likely",
            wanted=f"powers of its ratio of at most {MAX_POWER:,} bits",
            tip="use smaller numbers, or a shorter ratio",
        )
    raised: Element = base**exponent if exponent >= 0 else 1 / base**-exponent
    return raised


@lru_cache(KEPT)
def _base(x: Element, y: Element) -> Element:
    return plain(x * y)


def _cleaned(terms: Terms) -> Terms:
    return {key: c for key, c in terms.items() if c}


class Piecewise:
    """A function of an integer with such terms on finitely many pieces, from left to right, and 0 elsewhere.

    >>> noise = Piecewise.noise(Fraction(1, 2))
    >>> noise.at(0), noise.at(-2), noise.total(), noise.upper().at(1)
    (Fraction(1, 3), Fraction(1, 12), Fraction(1, 1), Fraction(1, 3))
    """

    def __init__(self, pieces: Iterable[Piece]) -> None:
        kept: list[Piece] = []
        for piece in pieces:
            if not piece.terms:
                continue
            last = kept[-1] if kept else None
            if last is not None and last.high is not None and piece.low == last.high + 1 and last.terms == piece.terms:
                kept[-1] = Piece(last.low, piece.high, last.terms)
            else:
                kept.append(piece)
        self.pieces = tuple(kept)

    @classmethod
    def noise(cls, ratio: Element) -> Piecewise:
        """The weight of two-sided geometric noise: (1 - r)/(1 + r)·r^|n|."""
        return _noise(plain(ratio))

    @classmethod
    def constant(cls, value: Element) -> Piecewise:
        """The same value at every integer."""
        return cls([Piece(None, None, {UNIT: value} if value else {})])

    @cached_property
    def _hash(self) -> int:
        shape = tuple((low, high, len(terms)) for low, high, terms in self.pieces)
        first = [next(iter(piece.terms.values())) for piece in (*self.pieces[:1], *self.pieces[-1:])]
        return hash((shape, *first))  # of all coefficients it would cost more than a product of two functions

    def __hash__(self) -> int:
        return self._hash

    def __eq__(self, other: object) -> bool:
        """Whether two functions have the same pieces with the same terms."""
        return self is other or (isinstance(other, Piecewise) and self.pieces == other.pieces)

    def __bool__(self) -> bool:
        return bool(self.pieces)

    @property
    def low(self) -> int | None:
        """The smallest integer at which the function is not 0; None where there is none."""
        return self.pieces[0].low

    @property
    def high(self) -> int | None:
        """The largest integer at which the function is not 0; None where there is none."""
        return self.pieces[-1].high

    @property
    def ends(self) -> list[int]:
        """The ends of all pieces."""
        return [end for piece in self.pieces for end in (piece.low, piece.high) if end is not None]

    def at(self, n: int) -> Element:
        """The value at n."""
        for low, high, terms in self.pieces:
            if (low is None or low <= n) and (high is None or n <= high):
                return _value(terms, n)
        return Fraction(0)

    def times(self, other: Piecewise) -> Piecewise:
        """The product of two functions."""
        return _product(self, other)

    def scaled(self, factor: Element) -> Piecewise:
        """The function times an element of the field."""
        if factor == 1:
            return self
        return Piecewise(
            Piece(low, high, _cleaned({key: c * factor for key, c in terms.items()}))
            for low, high, terms in self.pieces
        )

    def plus(self, other: Piecewise, sign: int = 1) -> Piecewise:
        """The sum of two functions; with the sign -1 the difference."""
        return _sum(self, other, sign)

    def between(self, low: int | None, high: int | None) -> Piecewise:
        """The function from low to high, and 0 elsewhere."""
        pieces = []
        for a, b, terms in self.pieces:
            start, end = _larger(a, low), _smaller(b, high)
            if start is None or end is None or start <= end:
                pieces.append(Piece(start, end, terms))
        return Piecewise(pieces)

    def shifted(self, c: int) -> Piecewise:
        """The function n → f(n + c)."""
        return _shifted(self, c) if c else self

    def mirrored(self) -> Piecewise:
        """The function n → f(-n)."""
        return Piecewise(
            Piece(
                None if high is None else -high,
                None if low is None else -low,
                {(plain(1 / b), k): c * (-1) ** k for (b, k), c in terms.items()},
            )
            for low, high, terms in reversed(self.pieces)
        )

    def every(self, step: int, start: int) -> Piecewise:
        """The function n → f(step·n + start), for a positive step."""
        pieces = []
        for low, high, terms in self.shifted(start).pieces:
            first = None if low is None else -(-low // step)
            last = None if high is None else high // step
            if first is None or last is None or first <= last:
                spread = {(power(b, step), k): c * step**k for (b, k), c in terms.items()}
                pieces.append(Piece(first, last, spread))
        return Piecewise(pieces)

    def upper(self) -> Piecewise:
        """The function n → Σ f(x) over all x ≥ n."""
        return _upper(self)[0]

    def lower(self) -> Piecewise:
        """The function n → Σ f(x) over all x ≤ n."""
        return _lower(self)

    def total(self) -> Element:
        """Σ f(n) over all integers n."""
        return _upper(self)[1]


def _larger(a: int | None, b: int | None) -> int | None:
    return a if b is None else b if a is None else max(a, b)


def _smaller(a: int | None, b: int | None) -> int | None:
    return a if b is None else b if a is None else min(a, b)


def _value(terms: Terms, n: int) -> Element:
    total: Element = Fraction(0)
    for (b, k), c in terms.items():
        total += c * power(b, n) * n**k
    return total


@lru_cache(KEPT)
def _noise(ratio: Element) -> Piecewise:
    share = (1 - ratio) / (1 + ratio)
    return Piecewise([Piece(None, -1, {(1 / ratio, 0): share}), Piece(0, None, {(ratio, 0): share})])


@lru_cache(KEPT)
def _product(f: Piecewise, g: Piecewise) -> Piecewise:
    pieces = []
    for a, b, first in f.pieces:
        for c, d, second in g.pieces:
            low, high = _larger(a, c), _smaller(b, d)
            if low is not None and high is not None and low > high:
                continue
            terms: dict[tuple[Element, int], Element] = {}
            for (x, k), p in first.items():
                for (y, m), q in second.items():
                    key = _base(x, y), k + m
                    terms[key] = terms[key] + p * q if key in terms else p * q
            pieces.append(Piece(low, high, _cleaned(terms)))
    return Piecewise(pieces)


@lru_cache(KEPT)
def _sum(f: Piecewise, g: Piecewise, sign: int) -> Piecewise:
    cuts = sorted(
        {
            cut
            for function in (f, g)
            for low, high, _ in function.pieces
            for cut in (low, None if high is None else high + 1)
            if cut is not None
        }
    )
    pieces = []
    for low, high in zip([None, *cuts], [*(cut - 1 for cut in cuts), None], strict=True):
        terms: dict[tuple[Element, int], Element] = {}
        for function, factor in ((f, 1), (g, sign)):
            for a, b, part in function.pieces:
                if (a is None or (low is not None and a <= low)) and (b is None or (high is not None and high <= b)):
                    for key, c in part.items():
                        terms[key] = terms[key] + c * factor if key in terms else c * factor
        pieces.append(Piece(low, high, _cleaned(terms)))
    return Piecewise(pieces)


@lru_cache(KEPT)
def _shifted(f: Piecewise, by: int) -> Piecewise:
    pieces = []
    for low, high, part in f.pieces:
        terms: dict[tuple[Element, int], Element] = {}
        for (b, k), c in part.items():
            lead = c * power(b, by)
            for j in range(k + 1):  # (n + by)^k, multiplied out
                key, more = (b, j), lead * (comb(k, j) * by ** (k - j))
                terms[key] = terms[key] + more if key in terms else more
        ends = None if low is None else low - by, None if high is None else high - by
        pieces.append(Piece(*ends, _cleaned(terms)))
    return Piecewise(pieces)


def _summed(terms: Terms) -> Terms:
    """Terms P with P(n) - P(n + 1) = terms(n), so that the sum from m to h is P(m) - P(h + 1)."""
    total: dict[tuple[Element, int], Element] = {}
    for (b, k), c in terms.items():
        left = {k: c}
        for j in range(k, -1, -1):  # the highest power first; what it leaves has lower powers
            lead = left.pop(j, None)
            if not lead:
                continue
            # a·n^(j+1) - a·(n+1)^(j+1) begins with -a·(j+1)·n^j, and a·n^j - a·b·(n+1)^j with a·(1 - b)·n^j
            constant = b == 1
            a = lead * Fraction(-1, j + 1) if constant else lead / (1 - b)
            key = (b, j + 1) if constant else (b, j)
            total[key] = total[key] + a if key in total else a
            for i in range(j):
                left[i] = left.get(i, Fraction(0)) + a * b * comb(j + constant, i)
    return _cleaned(total)


@lru_cache(KEPT)
def _upper(f: Piecewise) -> tuple[Piecewise, Element]:
    """The sums over x ≥ n as a function of n, and the sum over all x."""
    pieces: list[Piece] = []
    after: Element = Fraction(0)
    bound: int | None = None
    for low, high, terms in reversed(f.pieces):
        if high is not None and (bound is None or high + 1 < bound):
            gap = None if bound is None else bound - 1
            pieces.append(Piece(high + 1, gap, {UNIT: after} if after else {}))
        primitive = dict(_summed(terms))
        end = Fraction(0) if high is None else _value(primitive, high + 1)
        first = Fraction(0) if low is None else _value(primitive, low)
        primitive[UNIT] = primitive.get(UNIT, Fraction(0)) + after - end
        pieces.append(Piece(low, high, _cleaned(primitive)))
        after = first - end + after
        bound = low
    if bound is not None:
        pieces.append(Piece(None, bound - 1, {UNIT: after} if after else {}))
    return Piecewise(reversed(pieces)), after


@lru_cache(KEPT)
def _lower(f: Piecewise) -> Piecewise:
    return Piecewise.constant(f.total()).plus(f.upper().shifted(1), -1)
