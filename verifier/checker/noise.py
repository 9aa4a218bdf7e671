"""Geometric noise that is not cut off: a number of which only so much is drawn as is asked.

X with P[X = k] = (1 - r)/(1 + r)·r^|k| is G with probability 1/(1 + r), else -1 - G, where P[G = k] = (1 - r)·r^k. What
is known of G so far, that it is at least k, leaves another G; so a `Noisy` number is a rational plus multiples of such
independent G, each a `Unit`. A comparison that they do not decide is a `Split`: units are replaced by others, and the
comparison is asked again. Every replacement is exact, and leaves independent units:

- G is 0, …, k - 1, or k + G′ (a number that goes one way reaches every bound);
- of two, G = m + …, H = m + … with m = min(G, H), whose ratio is the product: they are equal, or one has 1 + G′ more;
- modulo k, G = j + k·G′, and the ratio of G′ is r^k.
"""

from __future__ import annotations

import math
from collections.abc import Mapping
from fractions import Fraction
from typing import Any

from .numbers import BeyondLimits, NotRead, afford

Number = int | Fraction
MOST_CASES = 4096
"""The most values of one unit that are told apart at once."""


class Unit:
    """G ≥ 0 with P[G = k] = (1 - ratio)·ratio^k, independent of all other units."""

    def __init__(self, ratio: Fraction) -> None:
        self.ratio = ratio


class Split(Exception):
    """What is asked depends on units: cases, each with its probability and what the units are in it."""

    def __init__(self, *cases: tuple[Fraction, Mapping[Unit, Any]]) -> None:
        super().__init__()
        self.cases = cases


class Noisy:
    """A rational plus multiples of units."""

    __slots__ = ("parts", "shift")

    def __init__(self, shift: Number, parts: Mapping[Unit, Number]) -> None:
        self.shift, self.parts = shift, parts

    def __add__(self, other: object) -> Any:
        return plus(self, other)

    __radd__ = __add__

    def __neg__(self) -> Any:
        return times(self, -1)

    def __sub__(self, other: Any) -> Any:
        return plus(self, -other)

    def __rsub__(self, other: Any) -> Any:
        return plus(-self, other)

    def __mul__(self, other: object) -> Any:
        return times(self, other)

    __rmul__ = __mul__

    def __truediv__(self, other: Any) -> Any:
        return times(self, 1 / Fraction(other))

    def __mod__(self, other: Any) -> Any:
        return self - other * (self // other)

    def __floordiv__(self, other: Any) -> Any:
        """⌊self/other⌋: each unit is j + k·G′, where k of them are a multiple of the divisor."""
        share = self / other
        for unit, times_ in share.parts.items():
            k = Fraction(times_).denominator
            if k > 1:
                afford_cases(k)
                b = unit.ratio
                further = Noisy(0, {Unit(b**k): k})
                raise Split(*(((1 - b) * b**j / (1 - b**k), {unit: further + j}) for j in range(k)))
        return Noisy(math.floor(share.shift), share.parts)

    def __abs__(self) -> Any:
        return self if self >= 0 else -self

    def __round__(self, digits: int | None = None) -> Any:
        return self.__trunc__()

    def __trunc__(self) -> Any:
        if any(Fraction(x).denominator > 1 for x in (self.shift, *self.parts.values())):
            raise NotRead("a noisy number that is no integer is rounded")
        return self

    def __bool__(self) -> bool:
        return self != 0

    def __eq__(self, other: object) -> bool:
        if not isinstance(other, int | Fraction | Noisy):
            return False
        return is_nonnegative(self - other) and is_nonnegative(other - self)

    def __ge__(self, other: Any) -> bool:
        return is_nonnegative(self - other)

    def __le__(self, other: Any) -> bool:
        return is_nonnegative(other - self)

    def __gt__(self, other: Any) -> bool:
        return not is_nonnegative(other - self)

    def __lt__(self, other: Any) -> bool:
        return not is_nonnegative(self - other)

    def __hash__(self) -> int:
        raise NotRead("a noisy number stands in a set, or as a key of a dictionary")


def afford_cases(count: int) -> None:
    """Refuse a split into too many cases."""
    if count > MOST_CASES:
        raise BeyondLimits(f"{count} values of one noise are told apart")


def numeric(value: object) -> Number:
    """A number that is no noise; 0 for what is none would be silent, so that is refused."""
    if not isinstance(value, int | Fraction):
        raise TypeError(f"noise is combined with {str(value)[:40]}, which is no number")
    return value


def plus(one: Noisy, other: object) -> Any:
    """The sum; without units it is a plain number."""
    if not isinstance(other, Noisy):
        return Noisy(one.shift + numeric(other), one.parts)
    parts = dict(one.parts)
    for unit, n in other.parts.items():
        parts[unit] = parts.get(unit, 0) + n
    return known(Noisy(one.shift + other.shift, {u: n for u, n in parts.items() if n}))


def times(one: Noisy, other: object) -> Any:
    """A multiple."""
    if isinstance(other, Noisy):
        raise NotRead("one noise is multiplied by another")
    factor = numeric(other)
    return known(Noisy(one.shift * factor, {u: n * factor for u, n in one.parts.items() if factor}))


def known(number: Noisy) -> Any:
    """A plain number where no unit is left."""
    return number if number.parts else number.shift


def is_nonnegative(number: Any) -> bool:
    """Whether a number is at least 0, or the split that tells more."""
    if not isinstance(number, Noisy):
        return bool(number >= 0)
    up = [u for u, n in number.parts.items() if n > 0]
    down = [u for u, n in number.parts.items() if n < 0]
    if not (up and down):
        if (number.shift >= 0) == bool(up):
            return bool(up)
        unit = (up or down)[0]
        steps = Fraction(-number.shift, 1) / number.parts[unit]
        raise beyond(unit, math.ceil(steps) if up else math.floor(steps) + 1)
    for g in up:
        for h in down:
            if number.parts[g] == -number.parts[h]:
                raise smaller_of(g, h)
    raise NotRead("noises are compared of which one counts more than once")


def beyond(unit: Unit, k: int) -> Split:
    """G is 0, …, k - 1, or k + G′."""
    afford(k, "the values of noise that are told apart")
    afford_cases(k)
    b = unit.ratio
    at = [((1 - b) * b**j, {unit: j}) for j in range(k)]
    return Split(*at, (b**k, {unit: Noisy(k, {Unit(b): 1})}))


def smaller_of(g: Unit, h: Unit) -> Split:
    """Two units by the smaller one, m: they are equal, or one is 1 + G′ more."""
    a, b = g.ratio, h.ratio
    m, total = Noisy(0, {Unit(a * b): 1}), 1 - a * b
    return Split(
        ((1 - a) * (1 - b) / total, {g: m, h: m}),
        ((1 - a) * b / total, {g: m, h: m + Noisy(1, {Unit(b): 1})}),
        (a * (1 - b) / total, {g: m + Noisy(1, {Unit(a): 1}), h: m}),
    )


def two_sided(r: Fraction) -> list[tuple[Fraction, Any]]:
    """The two cases of a noise of ratio r: G, or -1 - G."""
    if not 0 <= r < 1:
        raise ValueError(f"the ratio of geometric noise is {r}")
    if not r:
        return [(Fraction(1), 0)]
    return [(1 / (1 + r), Noisy(0, {Unit(r): 1})), (r / (1 + r), Noisy(-1, {Unit(r): -1}))]
