"""Between `Fraction` and python-flint, which is imported only when it is needed."""

from __future__ import annotations

from fractions import Fraction
from typing import Any


def fmpq_of(value: Fraction) -> Any:
    """A rational of python-flint."""
    from flint import fmpq

    return fmpq(value.numerator, value.denominator)


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
    return Fraction(mantissa) * Fraction(2) ** exponent
