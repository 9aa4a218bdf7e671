"""Conversions between `Fraction` and the numbers of python-flint, which is imported only when it is needed."""

from __future__ import annotations

from collections.abc import Sequence
from fractions import Fraction
from math import gcd
from typing import Any

from verifier.numbers.rational import Symbolic

LONG = 4096
"""Bits from which python-flint divides faster than Python, its import aside."""


def fmpq_of(value: Fraction) -> Any:
    """A fraction as a rational of python-flint."""
    from flint import fmpq

    return fmpq(value.numerator, value.denominator)


def fraction_of(value: Any) -> Fraction:
    """A rational of python-flint as a fraction."""
    return Fraction(int(value.p), int(value.q))


def polynomial_of(coefficients: Sequence[Any]) -> Any:
    """The polynomial of python-flint over the rationals with these coefficients, the constant term first."""
    from flint import fmpq_poly

    return fmpq_poly([c if isinstance(c, int) else fmpq_of(c) for c in coefficients])


def coefficients(polynomial: Any) -> tuple[Fraction, ...]:
    """The coefficients of a polynomial in one unknown, the constant term first."""
    return tuple(map(fraction_of, polynomial.coeffs()))


def lowest(weights: Sequence[int]) -> tuple[int, ...]:
    """Integer weights divided by their common factor; fractions, and functions of parameters, are left as they are.

    >>> lowest((6, 0, 4)), lowest((3 * 10**2000, 10**2001))
    ((3, 0, 2), (3, 10))
    """
    try:
        short = max(weights).bit_length() < LONG
    except (TypeError, AttributeError):
        if any(isinstance(w, Fraction | Symbolic) for w in weights):
            return tuple(weights)
        raise
    if short:
        shared = gcd(*weights) or 1
        return tuple(w // shared for w in weights)
    from flint import fmpz

    long = [fmpz(w) for w in weights]
    common = fmpz(0)
    for w in long:
        common = common.gcd(w)
    return tuple(int(w // common) for w in long)


def arb_of(value: Fraction) -> Any:
    """An Arb ball around a rational, at the precision in force."""
    from flint import arb

    return arb(fmpq_of(value))


def ball_ends(ball: Any) -> tuple[Fraction, Fraction]:
    """The exact rational ends of a finite Arb ball.

    >>> from flint import arb
    >>> [str(end) for end in ball_ends(arb(3) / 4)]
    ['3/4', '3/4']
    """
    middle, radius = _dyadic(ball.mid()), _dyadic(ball.rad())
    return middle - radius, middle + radius


def _dyadic(exact_ball: Any) -> Fraction:
    mantissa, exponent = (int(part) for part in exact_ball.man_exp())
    return Fraction(mantissa << exponent) if exponent >= 0 else Fraction(mantissa, 1 << -exponent)
