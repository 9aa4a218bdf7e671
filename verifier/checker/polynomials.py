"""Polynomials with integer coefficients, and the real numbers that are their roots: Euclid, Yun and Sturm."""

from __future__ import annotations

from collections.abc import Sequence
from fractions import Fraction
from functools import lru_cache
from itertools import pairwise
from math import gcd, lcm, prod
from typing import NamedTuple

from .numbers import FIRST_BITS, BeyondLimits, Bounds, Log, Number, afford, decimal, log_bounds, sign

Polynomial = tuple[int, ...]
"""Coefficients, the constant term first, without a 0 at the end."""
MOST_COEFFICIENTS = 256
MOST_HALVINGS = 1024
MOST_STEPS = 3 << 26
"""The most steps of all chains of remainders of one document, each (coefficients)³·(bits)."""
NEAR = 64
"""How often bounds are halved before it is asked whether two numbers are equal."""
MOST_BITS_OF_A_POWER = 1 << 13
"""The most bits of a power with which a root is compared."""


def trimmed(coefficients: Sequence[int]) -> Polynomial:
    """Without zeros at the end."""
    end = len(coefficients)
    while end and not coefficients[end - 1]:
        end -= 1
    return tuple(coefficients[:end])


def in_integers(f: Sequence[Fraction]) -> Polynomial:
    """f times the common denominator of its coefficients."""
    scale = lcm(*(c.denominator for c in f))
    return trimmed([int(c * scale) for c in f])


def primitive(f: Polynomial) -> Polynomial:
    """Over the greatest common divisor of the coefficients."""
    shared = gcd(*f)
    return f if shared <= 1 else tuple(c // shared for c in f)


def added(f: Polynomial, g: Polynomial, times: int = 1) -> Polynomial:
    """The sum f + times·g."""
    longer = max(len(f), len(g))
    return trimmed(
        [x + times * y for x, y in zip((*f, *[0] * (longer - len(f))), (*g, *[0] * (longer - len(g))), strict=True)]
    )


def multiplied(f: Polynomial, g: Polynomial) -> Polynomial:
    """The product f·g."""
    if len(f) + len(g) > 4 * MOST_COEFFICIENTS:
        raise BeyondLimits("a polynomial is too long")
    out = [0] * max(len(f) + len(g) - 1, 0)
    for i, a in enumerate(f):
        if a:
            for j, b in enumerate(g):
                out[i + j] += a * b
    return trimmed(out)


def remainder(f: Polynomial, g: Polynomial) -> Polynomial:
    """The remainder of f by g, times a positive number."""
    rest, size, side = list(f), abs(g[-1]), sign(g[-1])
    for k in reversed(range(len(f) - len(g) + 1)):
        head = rest[k + len(g) - 1]
        if head:
            rest = [c * size for c in rest]
            for j, b in enumerate(g):
                rest[k + j] -= head * side * b
    return primitive(trimmed(rest[: len(g) - 1]))


def divided(f: Polynomial, g: Polynomial) -> Polynomial:
    """f/g, for a primitive g that divides f."""
    rest, out = list(f), [0] * max(len(f) - len(g) + 1, 0)
    for k in reversed(range(len(out))):
        out[k] = head = rest[k + len(g) - 1] // g[-1]
        for j, b in enumerate(g):
            rest[k + j] -= head * b
    return trimmed(out)


def derivative(f: Polynomial) -> Polynomial:
    """f′."""
    return tuple(k * c for k, c in enumerate(f))[1:]


spent = [0]
"""The steps so far."""


def _refuse_long(*several: Polynomial) -> None:
    """Count about what a chain of remainders takes, before it is made."""
    size, bits = max(map(len, several)), max((c.bit_length() for f in several for c in f), default=0)
    if size > 2:
        afford(size**3 * bits, "the signs of a polynomial")
        spent[0] += size**3 * bits
        if spent[0] > MOST_STEPS:
            raise BeyondLimits("the signs of long polynomials")


@lru_cache(1 << 10)
def common(f: Polynomial, g: Polynomial) -> Polynomial:
    """The greatest common divisor, primitive, with a positive leading coefficient (Euclid)."""
    f, g = primitive(f), primitive(g)
    _refuse_long(f, g)
    while g:
        f, g = (g, remainder(f, g)) if len(f) >= len(g) else (g, f)
    return f if not f or f[-1] > 0 else tuple(-c for c in f)


@lru_cache(1 << 10)
def factors(f: Polynomial) -> tuple[Polynomial, Polynomial]:
    """The product of the different factors of f, and of those of odd multiplicity with the sign of f (Yun)."""
    odd_part: Polynomial = (sign(f[-1]),)
    repeated = common(f, derivative(f))
    every = simple = divided(primitive(f), repeated)
    odd = True
    while len(simple) > 1:
        higher = common(simple, repeated)
        if odd:
            once = divided(simple, higher)
            odd_part = multiplied(odd_part, once if once[-1] > 0 else tuple(-c for c in once))
        simple, repeated, odd = higher, divided(repeated, higher), not odd
    return every, odd_part


@lru_cache(1 << 10)
def chain(f: Polynomial) -> tuple[Polynomial, ...]:
    """Sturm's chain of a polynomial without repeated factors."""
    _refuse_long(f)
    out = [f, primitive(derivative(f))]
    while len(out[-1]) > 1:
        out.append(tuple(-c for c in remainder(out[-2], out[-1])))
    return tuple(g for g in out if g)


def sign_at(f: Polynomial, x: Fraction) -> int:
    """The sign of f(x), in integers."""
    total, power = 0, 1
    for c in reversed(f):
        total, power = total * x.numerator + c * power, power * x.denominator
    return sign(total)


def roots(f: Polynomial, low: Fraction | None, high: Fraction | None) -> int:
    """How many roots lie in (low, high]; None is an infinite end; f has no repeated factors."""

    def changes(signs: list[int]) -> int:
        return sum(a != b for a, b in pairwise([s for s in signs if s]))

    first = [sign(g[-1]) * (-1) ** (len(g) - 1) if low is None else sign_at(g, low) for g in chain(f)]
    last = [sign(g[-1]) if high is None else sign_at(g, high) for g in chain(f)]
    return changes(first) - changes(last)


def begin() -> None:
    """Count the steps of a document anew; what earlier ones left would make them fewer."""
    spent[0] = 0
    for remembered in (common, factors, chain):
        remembered.cache_clear()


# --- roots -----------------------------------------------------------------------------------------------------------


class End(NamedTuple):
    """A rational, which is low and high; or the only root between these of a polynomial without repeated factors."""

    low: Fraction
    high: Fraction
    polynomial: Polynomial = ()

    def narrowed(self) -> End:
        """The same number between nearer bounds."""
        if self.low == self.high:
            return self
        middle = (self.low + self.high) / 2
        at = sign_at(self.polynomial, middle)
        if not at:
            return End(middle, middle)
        return self._replace(low=middle) if at == sign_at(self.polynomial, self.low) else self._replace(high=middle)

    def is_root_of(self, f: Polynomial) -> bool:
        """Whether f is 0 there: a common factor has at most this one root, once, between the bounds."""
        if self.low == self.high:
            return not sign_at(f, self.low)
        shared = common(f, self.polynomial)
        return sign_at(shared, self.low) != sign_at(shared, self.high)

    def sign_of(self, f: Polynomial) -> int:
        """The sign of f there."""
        if self.polynomial:
            f = remainder(f, self.polynomial)
        if not f:
            return 0
        at = self
        for n in range(MOST_HALVINGS):
            if at.low == at.high:
                return sign_at(f, at.low)
            low = high = Fraction(0)
            for c in reversed(f):
                products = [x * y for x in (low, high) for y in (at.low, at.high)]
                low, high = min(products) + c, max(products) + c
            if low > 0 or high < 0:
                return sign(low + high)
            if n == NEAR and self.is_root_of(f):
                return 0
            at = at.narrowed()
        raise BeyondLimits("a number is not told from 0")

    def apart(self, f: Polynomial) -> End:
        """With bounds between which f, without repeated factors, has no other root, nor at the bounds."""
        at, own = self, int(self.is_root_of(f))
        every = factors(f)[0]
        for _ in range(MOST_HALVINGS):
            if at.low == at.high or (
                roots(every, at.low, at.high) == own and sign_at(f, at.low) and sign_at(f, at.high)
            ):
                return at
            at = at.narrowed()
        raise BeyondLimits("a root is too near an end of an interval")


def order(x: End, y: End) -> int:
    """-1, 0 or 1 for x < y, x = y, x > y."""
    for n in range(MOST_HALVINGS):
        if x == y or (n == NEAR and _same(x, y)):
            return 0
        if x.high <= y.low or y.high <= x.low:
            return -1 if x.high <= y.low else 1
        x, y = x.narrowed(), y.narrowed()
    raise BeyondLimits("two ends of intervals are too near each other")


def _same(x: End, y: End) -> bool:
    """Whether two numbers whose bounds overlap are one: a common root lies between the bounds of both, or none does."""
    low, high = max(x.low, y.low), min(x.high, y.high)
    if low == high:
        return all(at.low == at.high or not sign_at(at.polynomial, low) for at in (x, y))
    shared = common(x.polynomial, y.polynomial)
    return sign_at(shared, low) != sign_at(shared, high)


class LogOfRoot(Number):
    """c·ln E for a c > 0 and a root E > 1 of a polynomial.

    A sum of logarithms, Σ r·ln x, is equal if and only if E^(c·m) = Π x^(r·m), for an m for which these are powers.
    With a rational part it never is (Lindemann), so that bounds end.
    """

    algebraic = True

    def __init__(self, end: End, factor: Fraction | int = 1) -> None:
        self.end, self.factor = end, Fraction(factor)

    def times(self, c: Fraction | int) -> LogOfRoot:
        """c times this number, for c > 0."""
        return LogOfRoot(self.end, self.factor * c)

    def bounds(self, bits: int) -> Bounds:
        """Rational bounds."""
        while self.end.high - self.end.low > Fraction(1, 1 << bits):
            self.end = self.end.narrowed()
        return log_bounds(self.end.low, bits)[0] * self.factor, log_bounds(self.end.high, bits)[1] * self.factor

    def compared(self, other: Number) -> int:
        """The sign of self - other."""
        if isinstance(other, LogOfRoot) and other.factor == self.factor:
            return order(self.end, other.end)
        if isinstance(other, Log) and not other.rational:
            m = lcm(self.factor.denominator, *(c.denominator for c in other.logs.values()))
            degree, exponents = int(self.factor * m), [(x, int(c * m)) for x, c in other.logs.items()]
            bits = sum((x.numerator.bit_length() + x.denominator.bit_length()) * abs(c) for x, c in exponents)
            if degree < MOST_COEFFICIENTS and bits <= MOST_BITS_OF_A_POWER:
                power = prod((x**c for x, c in exponents), start=Fraction(1))
                return self.end.sign_of((-power.numerator, *(0,) * (degree - 1), power.denominator))
        return super().compared(other)

    def __str__(self) -> str:
        low, high = self.bounds(FIRST_BITS)
        return f"[{decimal(low)}, {decimal(high)}]"
