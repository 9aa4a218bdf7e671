"""Polynomials in one variable with integer coefficients, and where they have roots: e^ε may be one.

A polynomial is the tuple of its coefficients, the constant term first, without a 0 at the end. Roots are counted by
Sturm's chains. Nothing is approximated.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Sequence
from fractions import Fraction
from functools import lru_cache
from itertools import pairwise
from math import gcd
from typing import TypeAlias

from verifier.checker import Beyond, Rejected
from verifier.checker.numbers import long_integer

Polynomial: TypeAlias = tuple[int, ...]
Bounds: TypeAlias = Callable[[int], tuple[Fraction, Fraction]]
"""Rational bounds of a number for a number of bits."""
MOST_WORK = 1 << 24
"""Most of (coefficients)³·(bits) of a polynomial whose divisors are looked for: about what that takes."""


def refuse_long(polynomial: Polynomial) -> None:
    """Refuse a polynomial whose chain of remainders takes long.

    Raises:
        Beyond: before the work.

    """
    size, length = len(polynomial), max((c.bit_length() for c in polynomial), default=0)
    if size**3 * length > MOST_WORK and size > 2:
        raise Beyond("a polynomial is too long")


def trimmed(coefficients: Sequence[int]) -> Polynomial:
    """A polynomial without zeros at the end."""
    end = len(coefficients)
    while end and not coefficients[end - 1]:
        end -= 1
    return tuple(coefficients[:end])


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


def derivative(f: Polynomial) -> Polynomial:
    """The derivative of a polynomial."""
    return tuple(k * c for k, c in enumerate(f))[1:]


def sign(f: Polynomial, x: Fraction) -> int:
    """The sign of f(x), computed in integers."""
    total, power = 0, 1
    for c in reversed(f):
        total, power = total * x.numerator + c * power, power * x.denominator
    return (total > 0) - (total < 0)


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
