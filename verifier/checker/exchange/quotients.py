"""Quotients of polynomials in one variable, and their signs on whole intervals, decided exactly.

An end of an interval is a rational, or the only root of a polynomial between two rationals, which are moved towards
each other only as far as is needed to tell the root from others.
"""

from __future__ import annotations

from collections.abc import Sequence
from fractions import Fraction
from math import ceil, gcd
from typing import Any, NamedTuple, TypeAlias

from verifier.checker import Beyond, Rejected
from verifier.checker.roots import (
    ONE,
    Polynomial,
    added,
    chain,
    common,
    divided,
    has_no_variation,
    integral,
    multiplied,
    odd_part,
    roots_in,
    sign,
    trimmed,
    value,
    without_squares,
)

PATIENCE = 1024
"""Most steps by which the bounds of a root are halved."""
NEAR = 24
"""Steps by which every root is made narrow at once."""


class Root(NamedTuple):
    """The only root of a polynomial between two rationals, at which it has opposite signs."""

    polynomial: Polynomial
    low: Fraction
    high: Fraction

    def narrowed(self, steps: int = 1) -> Root:
        """The same root between rationals that are nearer to each other."""
        low, high = self.low, self.high
        first = sign(self.polynomial, low)
        for _ in range(steps):
            middle = (low + high) / 2
            at = sign(self.polynomial, middle)
            if not at:
                raise Rejected("an end is called irrational, and is not")
            low, high = (middle, high) if at == first else (low, middle)
        return Root(self.polynomial, low, high)


def root(polynomial: Polynomial, low: Fraction, high: Fraction) -> Root:
    """The irrational root of a polynomial between two rationals.

    A rational root is a multiple of 1/c for the leading coefficient c: once the bounds are nearer to each other than
    that, one multiple at most lies between them.

    Raises:
        Rejected: where the signs there are not opposite, there are several roots, or the root is rational.
        Beyond: where the leading coefficient is long.

    """
    if len(polynomial) < 2 or not low < high or sign(polynomial, low) * sign(polynomial, high) >= 0:
        raise Rejected("an end of an interval is no root")
    simple = without_squares(polynomial)
    if roots_in(chain(simple), low, high) != 1:
        raise Rejected("an end of an interval is one of several roots")
    steps = max(NEAR, ceil((high - low) * abs(simple[-1])).bit_length())
    if steps > PATIENCE:
        raise Beyond("the polynomial of an end has a long leading coefficient")
    near = Root(simple, low, high).narrowed(steps)
    if not sign(simple, Fraction(ceil(near.low * abs(simple[-1])), abs(simple[-1]))):
        raise Rejected("an end is called irrational, and is not")
    return near


End: TypeAlias = Fraction | Root | None


def order(x: Fraction | Root, y: Fraction | Root) -> int:
    """-1, 0 or 1 for x < y, x = y, x > y.

    Raises:
        Rejected: where two ends are not told apart, such as one root that is written in two ways.

    """
    if x == y:
        return 0
    for _ in range(PATIENCE):
        (a, b), (c, d) = _bounds(x), _bounds(y)
        if b <= c or d <= a:
            return -1 if b <= c else 1
        x, y = (end if isinstance(end, Fraction) else end.narrowed() for end in (x, y))
    raise Rejected("two ends of intervals are too near each other")


def _bounds(x: Fraction | Root) -> tuple[Fraction, Fraction]:
    return (x, x) if isinstance(x, Fraction) else (x.low, x.high)


class Stretch(NamedTuple):
    """An interval; None stands for an infinite end."""

    low: End
    high: End
    low_closed: bool
    high_closed: bool

    @property
    def point(self) -> Fraction | Root | None:
        """The only point of an interval that has one; else None."""
        return self.low if self.low is not None and self.low == self.high else None

    def holds(self, other: Stretch) -> bool:
        """Whether another interval lies in this one."""
        if self.low is not None:
            side = -1 if other.low is None else order(other.low, self.low)
            if side < 0 or (not side and other.low_closed and not self.low_closed):
                return False
        if self.high is not None:
            side = 1 if other.high is None else order(other.high, self.high)
            if side > 0 or (not side and other.high_closed and not self.high_closed):
                return False
        return True


def sign_at(f: Polynomial, at: Fraction | Root) -> int:
    """The sign of a polynomial at a point."""
    if not f:
        return 0
    if isinstance(at, Root):
        if _vanishes(f, at):
            return 0
        sturm = chain(without_squares(f))
        for _ in range(PATIENCE):
            if not roots_in(sturm, at.low, at.high) and sign(f, at.low):
                return sign_at(f, at.low)
            at = at.narrowed()
        raise Rejected("the sign of a polynomial at a root is not found")
    return sign(f, at)


def _vanishes(f: Polynomial, at: Root) -> bool:
    shared = common(f, at.polynomial)
    return len(shared) > 1 and roots_in(chain(without_squares(shared)), at.low, at.high) > 0


def _inner(g: Polynomial, sturm: Sequence[Polynomial], end: End, *, left: bool) -> Fraction | None:
    """A rational end from which inwards g has the roots that it has inside the interval, and no other."""
    if end is None or isinstance(end, Fraction):
        return end
    own = int(_vanishes(g, end))
    for _ in range(PATIENCE):
        if roots_in(sturm, end.low, end.high) == own and sign(g, end.low) and sign(g, end.high):
            return end.high if left else end.low
        end = end.narrowed()
    raise Rejected("a root is too near an end of an interval")


def roots_inside(g: Polynomial, where: Stretch) -> int:
    """How many roots a polynomial without repeated factors has strictly inside an interval."""
    if len(g) < 2:
        return 0
    sturm = chain(g)
    low, high = _inner(g, sturm, where.low, left=True), _inner(g, sturm, where.high, left=False)
    if low is not None and high is not None and low >= high:
        return 0
    return roots_in(sturm, low, high) - (high is not None and not sign(g, high))


def inside(where: Stretch) -> Fraction:
    """A rational strictly inside an interval that is no point."""
    low, high = where.low, where.high
    for _ in range(PATIENCE):
        left = None if low is None else _bounds(low)[1]
        right = None if high is None else _bounds(high)[0]
        if left is None or right is None:
            return (right or Fraction(0)) - 1 if left is None else left + 1
        if left < right:
            return (left + right) / 2
        low, high = (end.narrowed() if isinstance(end, Root) else end for end in (low, high))
    raise Rejected("an interval is empty")


def is_never_negative(f: Polynomial, where: Stretch) -> bool:
    """Whether a polynomial is at least 0 on an interval, its ends among it."""
    if where.point is not None:
        return sign_at(f, where.point) >= 0
    if not f or sign(f, inside(where)) < 0:
        return not f
    if _is_plain(f, where):
        return True
    odd = odd_part(f)
    return not roots_inside(odd, where) and sign(odd, inside(where)) > 0


def _is_plain(f: Polynomial, where: Stretch) -> bool:
    """Whether Descartes' rule shows that there is no root inside; irrational ends are moved outwards."""
    low = where.low.low if isinstance(where.low, Root) else where.low
    high = where.high.high if isinstance(where.high, Root) else where.high
    return has_no_variation(f, low, high)


def is_never_zero(f: Polynomial, where: Stretch) -> bool:
    """Whether a polynomial is 0 nowhere on an interval, nor at an end that belongs to it."""
    if not f:
        return False
    if where.point is not None:
        return sign_at(f, where.point) != 0
    ends = ((where.low, where.low_closed), (where.high, where.high_closed))
    if any(closed and end is not None and not sign_at(f, end) for end, closed in ends):
        return False
    return _is_plain(f, where) or not roots_inside(without_squares(f), where)


class Quotient:
    """A quotient of polynomials that adds and multiplies like a number; brought to lowest terms only on demand."""

    __slots__ = ("_lowest", "bottom", "top")

    def __init__(self, top: Polynomial, bottom: Polynomial = ONE) -> None:
        if not bottom:
            raise Rejected("a division by the polynomial 0")
        self.top, self.bottom = top, bottom
        self._lowest: tuple[Polynomial, Polynomial] | None = None

    @property
    def lowest(self) -> tuple[Polynomial, Polynomial]:
        """Top and bottom without a common factor or number; the bottom leads with a positive number."""
        if self._lowest is None:
            top, bottom = self.top, self.bottom
            if len(bottom) > 1:
                shared = common(top, bottom)
                top, bottom = divided(top, shared), divided(bottom, shared)
            number = gcd(*top, *bottom) * (1 if bottom[-1] > 0 else -1)
            self._lowest = tuple(c // number for c in top), tuple(c // number for c in bottom)
        return self._lowest

    def __add__(self, other: Any) -> Quotient:
        right = quotient(other)
        if self.bottom == right.bottom:
            return Quotient(added(self.top, right.top), self.bottom)
        if len(self.bottom) == len(right.bottom) == 1:
            (a,), (b,) = self.bottom, right.bottom
            return Quotient(added(self.top, right.top, b, a), (a * b,))
        shared = common(self.bottom, right.bottom)
        first, second = divided(self.bottom, shared), divided(right.bottom, shared)
        top = added(multiplied(self.top, second), multiplied(right.top, first))
        return Quotient(top, multiplied(self.bottom, second))

    __radd__ = __add__

    def __neg__(self) -> Quotient:
        return Quotient(tuple(-c for c in self.top), self.bottom)

    def __sub__(self, other: Any) -> Quotient:
        return self + -quotient(other)

    def __rsub__(self, other: Any) -> Quotient:
        return quotient(other) - self

    def __mul__(self, other: Any) -> Quotient:
        right = quotient(other)
        return Quotient(multiplied(self.top, right.top), multiplied(self.bottom, right.bottom))

    __rmul__ = __mul__

    def __truediv__(self, other: Any) -> Quotient:
        right = quotient(other)
        return Quotient(multiplied(self.top, right.bottom), multiplied(self.bottom, right.top))

    def __rtruediv__(self, other: Any) -> Quotient:
        left = quotient(other)
        return left / self

    def __pow__(self, power: int) -> Quotient:
        product = Quotient(ONE)
        for _ in range(power):
            product = product * self
        return product

    def __bool__(self) -> bool:
        return bool(self.top)

    def __eq__(self, other: object) -> bool:
        if not isinstance(other, Quotient | Fraction | int):
            return NotImplemented
        right = quotient(other)
        return multiplied(self.top, right.bottom) == multiplied(right.top, self.bottom)

    def __hash__(self) -> int:
        top, bottom = self.lowest
        constant = len(top) <= 1 and len(bottom) == 1  # as good as its number
        return hash(Fraction(sum(top), bottom[0]) if constant else self.lowest)

    @property
    def numerator(self) -> Quotient:
        """The function itself: where numbers are brought to a common denominator, it stays as it is."""
        return self

    @property
    def denominator(self) -> int:
        """1, whatever the bottom is: see `numerator`."""
        return 1

    def at(self, x: Fraction) -> Fraction:
        """The value at x."""
        top, bottom = self.lowest
        below = value(bottom, x)
        if not below:
            raise Rejected("a function has a pole where it is asked")
        return value(top, x) / below

    def is_never_negative(self, where: Stretch) -> bool:
        """Whether the function has no pole on an interval, and is at least 0."""
        top, bottom = self.lowest
        return is_never_zero(bottom, where) and is_never_negative(multiplied(top, bottom), where)

    def is_positive(self, where: Stretch) -> bool:
        """Whether the function has no pole on an interval, and is above 0."""
        return self.is_never_negative(where) and is_never_zero(self.lowest[0], where)


def quotient(number: Any) -> Quotient:
    """A number as a quotient; a quotient stays."""
    if isinstance(number, Quotient):
        return number
    constant = Fraction(number)
    return Quotient(trimmed([constant.numerator]), (constant.denominator,))


def read_quotient(top: Sequence[Fraction], bottom: Sequence[Fraction]) -> Quotient:
    """A quotient of polynomials with rational coefficients."""
    (above, above_scale), (below, below_scale) = integral(top), integral(bottom)
    return Quotient(tuple(c * below_scale for c in above), tuple(c * above_scale for c in below))
