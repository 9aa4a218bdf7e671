"""Rational bounds of logarithms, exponentials and roots, by series with rational remainders.

Each function returns a lower and an upper bound; `bits` more digits bring them closer. Nothing here rounds to nearest.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from fractions import Fraction
from functools import lru_cache
from typing import TypeAlias

from verifier.checker.rejected import Beyond

Bounds: TypeAlias = tuple[Fraction, Fraction]
PRECISIONS = (64, 256, 1024, 4096)
"""Bits of the bounds by which two numbers are told apart; whether they are equal is asked after the second."""


def order(
    x: Callable[[int], Bounds],
    y: Callable[[int], Bounds],
    precisions: Sequence[int] = PRECISIONS,
    equal: Callable[[], bool] = lambda: False,
) -> int:
    """The sign of x - y, of two numbers by their bounds, which get closer until they part.

    Raises:
        Beyond: where they do not part.

    """
    for k, bits in enumerate(precisions):
        (low, high), (below, above) = x(bits), y(bits)
        if low > above or high < below:
            return 1 if low > above else -1
        if k == 1 and equal():
            return 0
    raise Beyond("two numbers are too near each other")


def down(value: Fraction, bits: int) -> Fraction:
    """The largest multiple of 2^-bits that is not above the value."""
    return Fraction((value.numerator << bits) // value.denominator, 1 << bits)


def up(value: Fraction, bits: int) -> Fraction:
    """The smallest multiple of 2^-bits that is not below the value."""
    return -down(-value, bits)


def _artanh(z: Fraction, bits: int) -> tuple[int, int]:
    """Bounds of 2^bits·(z + z³/3 + z⁵/5 + …), for 0 ≤ z ≤ 1/3, in integers.

    All divisions round down for the lower bound and up for the upper one. What is left out after z^k/k is at most
    z^(k+2)·9/8.
    """
    below, above = (z.numerator << bits) // z.denominator, -((-z.numerator << bits) // z.denominator)
    square_below, square_above = (below * below) >> bits, -((-above * above) >> bits)
    low = high = 0
    k = 1
    while above > 1:
        low, high = low + below // k, high - (-above // k)
        below, above, k = (below * square_below) >> bits, -((-above * square_above) >> bits), k + 2
    return low, high + 2 * above


@lru_cache(1 << 12)
def ln(value: Fraction, bits: int) -> Bounds:
    """Bounds of the logarithm of x = 2^k·m > 0, k times the one of 2 plus 2·artanh((m - 1)/(m + 1)), with 1 ≤ m ≤ 2.

    Raises:
        Beyond: for x ≤ 0, which comes from bounds of a positive number that are too coarse.

    """
    if value <= 0:
        raise Beyond("a number is too near 0 for its logarithm")
    if value < 1:
        low, high = ln(1 / value, bits)
        return -high, -low
    k = value.numerator.bit_length() - value.denominator.bit_length()
    if value.numerator < value.denominator << k:
        k -= 1
    top, bottom = value.numerator, value.denominator << k
    below, above = _artanh(Fraction(top - bottom, top + bottom), bits)
    two_below, two_above = _artanh(Fraction(1, 3), bits)
    return Fraction(below + k * two_below, 1 << (bits - 1)), Fraction(above + k * two_above, 1 << (bits - 1))


@lru_cache(1 << 12)
def exp(value: Fraction, bits: int) -> Bounds:
    """Bounds of e^v for a rational v: 2^k·e^r, with r = v - k·ln(2), 0 ≤ r < 3/4, by the series at r/16.

    What is left out after z^k/k! is less than that term, since z ≤ 1/16.
    """
    working = bits + 16 + max(0, int(abs(value)).bit_length())
    low_two, high_two = ln(Fraction(2), working)
    k = int(value / low_two) - (value < 0)
    ends = [value - k * two for two in ((high_two, low_two) if k >= 0 else (low_two, high_two))]
    below = max(0, (ends[0].numerator << working) // ends[0].denominator) >> 4
    above = (-((-ends[1].numerator << working) // ends[1].denominator) >> 4) + 1
    low = high = term_below = term_above = 1 << working
    j = 0
    while term_above > 1:
        j += 1
        term_below, term_above = (term_below * below >> working) // j, -(-term_above * above >> working) // j + 1
        low, high = low + term_below, high + term_above
    high += term_above
    for _ in range(4):
        low, high = low * low >> working, -(-high * high >> working)
    scale = Fraction(2) ** (k - working)
    return low * scale, high * scale


def root(value: Fraction, degree: int, bits: int) -> Bounds:
    """Bounds of the degree-th root of a rational ≥ 0."""
    if degree == 1:
        return value, value
    scaled = (value.numerator << (bits * degree)) // value.denominator
    floor = floor_root(scaled, degree)
    low = Fraction(floor, 1 << bits)
    return low, low if low**degree == value else Fraction(floor + 1, 1 << bits)


def floor_root(value: int, degree: int) -> int:
    """The largest integer whose degree-th power is at most the value, by Newton's steps from above."""
    if degree >= value.bit_length():
        return min(value, 1)
    above = 1 << (value.bit_length() // degree + 1)
    while True:
        lower = ((degree - 1) * above + value // above ** (degree - 1)) // degree
        if lower >= above:
            return above
        above = lower


def rational_root(value: Fraction, degree: int) -> Fraction | None:
    """The degree-th root of a rational ≥ 0, where it is rational."""
    top, bottom = (floor_root(part, degree) for part in value.as_integer_ratio())
    return Fraction(top, bottom) if (top**degree, bottom**degree) == value.as_integer_ratio() else None
