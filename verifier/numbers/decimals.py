"""Correctly rounded decimals beside the exact forms: half to even, 12 significant digits by default.

A decimal is for reading only. It is made from the exact number, never the other way round.
"""

from __future__ import annotations

from collections.abc import Callable
from fractions import Fraction

DIGITS = 12
"""Significant digits of a decimal where no number of digits is asked for."""
Bracket = Callable[[int], tuple[Fraction, Fraction]]
"""A precision in bits in, rational lower and upper bounds out; the width goes to 0."""


def decimal_of(value: Fraction, digits: int = DIGITS) -> str:
    """Round a rational correctly (half to even) to `digits` significant digits.

    >>> decimal_of(Fraction(3, 64)), decimal_of(Fraction(2, 3)), decimal_of(Fraction(1, 10**6))
    ('0.046875', '0.666666666667', '1e-6')
    """
    if value == 0:
        return "0"
    mantissa, exponent = _round(abs(value), digits)
    return ("-" if value < 0 else "") + layout(mantissa, exponent, digits)


def decimal_between(bracket: Bracket, digits: int = DIGITS, precision: int = 64) -> str:
    """Round an irrational number correctly to `digits` significant digits, from brackets at growing precision.

    The loop ends because an irrational number is no tie: some bracket lies between two ties.
    """
    while True:
        low, high = bracket(precision)
        if low * high > 0:
            below, above = decimal_of(low, digits), decimal_of(high, digits)
            if below == above:
                return below
        precision *= 2


def _round(value: Fraction, digits: int) -> tuple[int, int]:
    """Mantissa of exactly `digits` digits and exponent with value ~ mantissa * 10**exponent."""
    bits = value.numerator.bit_length() - value.denominator.bit_length()
    exponent = bits * 30103 // 100000 - digits
    while True:
        scaled = value / Fraction(10) ** exponent
        mantissa, remainder = divmod(scaled.numerator, scaled.denominator)
        if mantissa >= 10**digits:
            exponent += 1
        elif mantissa < 10 ** (digits - 1):
            exponent -= 1
        else:
            break
    twice = 2 * remainder
    if twice > scaled.denominator or (twice == scaled.denominator and mantissa % 2 == 1):
        mantissa += 1
    if mantissa == 10**digits:
        mantissa, exponent = mantissa // 10, exponent + 1
    return mantissa, exponent


def layout(mantissa: int, exponent: int, digits: int) -> str:
    """The text of mantissa·10^exponent, a mantissa of `digits` digits: plain from 10^-5 to 10^15, else as `2.5e-9`."""
    figures = str(mantissa).rstrip("0")
    leading = exponent + digits - 1
    if -5 <= leading < 15:
        if leading < 0:
            return "0." + "0" * (-leading - 1) + figures
        digits_before = figures[: leading + 1].ljust(leading + 1, "0")
        part = figures[leading + 1 :]
        return f"{digits_before}.{part}" if part else digits_before
    return f"{figures[0]}.{figures[1:]}e{leading}" if len(figures) > 1 else f"{figures}e{leading}"
