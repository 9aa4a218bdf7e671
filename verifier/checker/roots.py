"""Polynomials in one variable with integer coefficients: their divisors, and where they have roots.

The checker needs them where e^ε is a root, and for exchange rates as functions.

A polynomial is the tuple of its coefficients, the constant term first, without a 0 at the end. Roots are counted by
Sturm's chains; Descartes' rule often says sooner that there are none. Nothing is approximated.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Sequence
from fractions import Fraction
from functools import lru_cache
from itertools import pairwise
from math import gcd, lcm
from typing import TypeAlias

from verifier.checker import Beyond, Rejected
from verifier.checker.numbers import bits, long_integer

Polynomial: TypeAlias = tuple[int, ...]
Bounds: TypeAlias = Callable[[int], tuple[Fraction, Fraction]]
"""Rational bounds of a number for a number of bits."""
ONE: Polynomial = (1,)
LONGEST = 1 << 10
"""Most coefficients of a product of two polynomials."""
MOST_WORK = 1 << 24
"""Most of (coefficients)³·(bits) of a polynomial whose divisors are looked for: about what that takes."""


def refuse_long(*polynomials: Polynomial, ends: Sequence[Fraction | None] = ()) -> None:
    """Refuse polynomials whose chain of remainders takes long, or with ends of an interval that make them long.

    Raises:
        Beyond: before the work.

    """
    size = max(map(len, polynomials), default=0)
    length = max((c.bit_length() for f in polynomials for c in f), default=0)
    length += size * max((bits(end) for end in ends if end is not None), default=0)
    if size**3 * length > MOST_WORK and size > 2:
        raise Beyond("a polynomial is too long")


def trimmed(coefficients: Sequence[int]) -> Polynomial:
    """A polynomial without zeros at the end."""
    end = len(coefficients)
    while end and not coefficients[end - 1]:
        end -= 1
    return tuple(coefficients[:end])


def integral(coefficients: Sequence[Fraction]) -> tuple[Polynomial, int]:
    """An integer polynomial f and an integer d, of which f/d is the polynomial with these coefficients."""
    scale = lcm(*(c.denominator for c in coefficients))
    return trimmed([int(c * scale) for c in coefficients]), scale


def added(f: Polynomial, g: Polynomial, a: int = 1, b: int = 1) -> Polynomial:
    """Return a·f + b·g."""
    longer = max(len(f), len(g))
    parts = ((*f, *[0] * (longer - len(f))), (*g, *[0] * (longer - len(g))))
    return trimmed([a * x + b * y for x, y in zip(*parts, strict=True)])


def multiplied(f: Polynomial, g: Polynomial) -> Polynomial:
    """Return f·g."""
    if len(f) + len(g) > LONGEST:
        raise Beyond("a polynomial is too long")
    product = [0] * max(len(f) + len(g) - 1, 0)
    for i, a in enumerate(f):
        if a:
            for j, b in enumerate(g):
                product[i + j] += a * b
    return trimmed(product)


def primitive(f: Polynomial) -> Polynomial:
    """The polynomial over the greatest common divisor of its coefficients."""
    shared = gcd(*f)
    return f if shared <= 1 else tuple(c // shared for c in f)


def remainder(f: Polynomial, g: Polynomial) -> Polynomial:
    """The remainder of f by g, times a positive number that leaves integers without a common factor."""
    coefficients, size, side = list(f), abs(g[-1]), 1 if g[-1] > 0 else -1
    for k in reversed(range(len(f) - len(g) + 1)):
        head = coefficients[k + len(g) - 1]
        if head:
            coefficients = [c * size for c in coefficients]
            for j, b in enumerate(g):
                coefficients[k + j] -= head * side * b
    return primitive(trimmed(coefficients[: len(g) - 1]))


def divided(f: Polynomial, g: Polynomial) -> Polynomial:
    """The quotient f/g, for a primitive g.

    Raises:
        Rejected: where g does not divide f.

    """
    dividend, parts = list(f), [0] * max(len(f) - len(g) + 1, 0)
    for k in reversed(range(len(parts))):
        parts[k] = times = dividend[k + len(g) - 1] // g[-1]
        if times:
            for j, b in enumerate(g):
                dividend[k + j] -= times * b
    if any(dividend):
        raise Rejected("a polynomial is divided by what does not divide it")
    return trimmed(parts)


def common(f: Polynomial, g: Polynomial) -> Polynomial:
    """The greatest common divisor, primitive, with a positive leading coefficient (Euclid)."""
    f, g = primitive(f), primitive(g)
    refuse_long(f, g)
    while g:
        f, g = (g, remainder(f, g)) if len(f) >= len(g) else (g, f)
    return f if not f or f[-1] > 0 else tuple(-c for c in f)


def derivative(f: Polynomial) -> Polynomial:
    """The derivative of a polynomial."""
    return tuple(k * c for k, c in enumerate(f))[1:]


def value(f: Polynomial, x: Fraction) -> Fraction:
    """f(x)."""
    total = Fraction(0)
    for c in reversed(f):
        total = total * x + c
    return total


def sign(f: Polynomial, x: Fraction) -> int:
    """The sign of f(x), computed in integers."""
    total, power = 0, 1
    for c in reversed(f):
        total, power = total * x.numerator + c * power, power * x.denominator
    return (total > 0) - (total < 0)


def odd_part(f: Polynomial) -> Polynomial:
    """The product of the different factors of odd multiplicity; it has the sign of f wherever f is not 0 (Yun)."""
    part: Polynomial = (1 if f[-1] > 0 else -1,)
    repeated = common(f, derivative(f))
    simple = _positive(divided(primitive(f), repeated))
    odd = True
    while len(simple) > 1:
        higher = common(simple, repeated)
        if odd:
            part = multiplied(part, _positive(divided(simple, higher)))
        simple, repeated, odd = higher, divided(repeated, higher), not odd
    return part


def _positive(f: Polynomial) -> Polynomial:
    return f if f[-1] > 0 else tuple(-c for c in f)


def without_squares(f: Polynomial) -> Polynomial:
    """The product of the different factors of f, each once."""
    return divided(primitive(f), common(f, derivative(f)))


def chain(f: Polynomial) -> list[Polynomial]:
    """Sturm's chain of f, by which `roots_in` counts different roots between ends that are no repeated roots."""
    refuse_long(f)
    polynomials = [f, primitive(derivative(f))]
    while len(polynomials[-1]) > 1:
        polynomials.append(tuple(-c for c in remainder(polynomials[-2], polynomials[-1])))
    return [g for g in polynomials if g]


def _variations(signs: Sequence[int]) -> int:
    listed = [s for s in signs if s]
    return sum((a > 0) != (b > 0) for a, b in pairwise(listed))


def roots_in(sturm: Sequence[Polynomial], low: Fraction | None, high: Fraction | None) -> int:
    """How many different roots lie in (low, high], by Sturm's chain; None stands for an infinite end."""
    first = [g[-1] * (-1) ** (len(g) - 1) for g in sturm] if low is None else [sign(g, low) for g in sturm]
    last = [g[-1] for g in sturm] if high is None else [sign(g, high) for g in sturm]
    return _variations(first) - _variations(last)


def has_no_variation(f: Polynomial, low: Fraction | None, high: Fraction | None) -> bool:
    """Whether Descartes' rule says that a polynomial, not 0, has no root strictly between `low` and `high`.

    x = (low + high·s)/(1 + s) maps s > 0 to the interval; where all coefficients in s have one sign there is no root.
    `high` may be None, which is ∞; where `low` is None, the answer is yes for constants alone.
    """
    if low is None or len(f) < 2:
        return len(f) == 1
    refuse_long(f, ends=(low, high))
    moved = _shifted(f, low)
    if high is not None:  # x = low + u, u = w·v/(1 + v): reverse, shift by 1 the polynomial with scaled coefficients
        width, size = high - low, len(moved)
        scaled = [c * width.numerator**k * width.denominator ** (size - 1 - k) for k, c in enumerate(moved)]
        moved = _shifted(trimmed(scaled[::-1]), Fraction(1))
    return _variations(moved) == 0


def _shifted(f: Polynomial, by: Fraction) -> Polynomial:
    """f(x + by), times a positive number."""
    size, top, bottom = len(f), by.numerator, by.denominator
    coefficients = [c * bottom ** (size - 1 - k) for k, c in enumerate(f)]  # in units of 1/bottom
    for i in range(size):
        for k in reversed(range(i, size - 1)):
            coefficients[k] += top * coefficients[k + 1]
    return trimmed([c * bottom**k for k, c in enumerate(coefficients)])


@lru_cache(1 << 8)
def bisected(polynomial: Polynomial, low: Fraction, high: Fraction) -> Bounds:
    """Bounds of the root in [low, high], at most 2^-bits apart for a number of bits; the polynomial changes sign there.

    What was found is kept: the next question goes on from there.
    """
    ends = [low, high]

    def bounds(bits: int) -> tuple[Fraction, Fraction]:
        while ends[1] - ends[0] > Fraction(1, 1 << bits):
            middle = (ends[0] + ends[1]) / 2
            ends[0 if sign(polynomial, middle) * sign(polynomial, ends[1]) <= 0 else 1] = middle
        return ends[0], ends[1]

    return bounds


# --- an ε that is the logarithm of a root -----------------------------------------------------------------------------

_TERM = re.compile(r"(?:([1-9][0-9]*)(?:\*(?=x)|(?!x)))?(x(?:\^([1-9][0-9]{0,3}))?)?")
MAX_DEGREE = 64
"""Highest degree of a polynomial of which e^ε is a root."""


def root_of(text: str, low: Fraction, high: Fraction) -> tuple[tuple[int, ...], tuple[Fraction, Fraction]]:
    """An irreducible polynomial with its one root in an interval."""
    terms = _terms(text)
    degree = max(power for _, power in terms)
    coefficients = [0] * (degree + 1)
    for coefficient, power in terms:
        coefficients[power] = coefficient
    written = [power for _, power in terms]
    if written != sorted(set(written), reverse=True) or coefficients[degree] < 0 or gcd(*coefficients) != 1:
        raise Rejected(f"{text[:60]} is no polynomial in its canonical form: powers that fall, no common factor")
    if len(terms) == 2 and coefficients[0] < 0:  # c*x^k - d
        raise Rejected(f"the root of {text[:60]} is written as ln(p/q) or r*ln(x)")
    from flint import fmpz_poly

    _, factors = fmpz_poly(coefficients).factor()
    if degree < 2 or len(factors) != 1 or factors[0][1] != 1:
        raise Rejected(f"{text[:60]} is no irreducible polynomial of degree 2 or more")
    sturm = chain(tuple(coefficients))  # irreducible: no rational is a root, and none is repeated
    if (
        not low < high
        or high <= 1
        or not roots_in(sturm, low, high) == roots_in(sturm, max(low, Fraction(1)), high) == 1
    ):
        raise Rejected(f"{text[:60]} has no certain root in the interval: it must hold exactly one, above 1")
    return tuple(coefficients), (low, high)


def _terms(text: str) -> list[tuple[int, int]]:
    """The coefficient and the power of each term of `2*x^3 - x + 1`."""
    terms = []
    for position, term in enumerate(re.split(r" (?=[+-] )", text)):
        sign = -1 if term.startswith("-") else 1
        plain = term[2:] if position else term.removeprefix("-")
        written = _TERM.fullmatch(plain)
        if not plain or not written or (written[1] == "1" and written[2]) or written[3] == "1":
            raise Rejected(f"{text[:60]} is no polynomial in its canonical form")
        power = int(written[3] or "1") if written[2] else 0
        if power > MAX_DEGREE:
            raise Rejected(f"{text[:60]} is no polynomial of degree {MAX_DEGREE} or less")
        terms.append((sign * long_integer(written[1] or "1"), power))
    return terms
