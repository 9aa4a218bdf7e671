"""What readers type as answers, refused with a tip; and a fraction as it is shown to them."""

from __future__ import annotations

from fractions import Fraction

from verifier.errors import InputError
from verifier.numbers import decimal_of, exact_text, rational


def whole(text: object, least: int, most: int, where: str = "your answer") -> int:
    """A whole number between two ends.

    >>> whole(" 12 ", 0, 20)
    12
    """
    value = rational(str(text).strip(), where)
    if value.denominator != 1 or not least <= value <= most:
        raise InputError(f"given {value}", where=where, wanted=f"a whole number from {least} to {most}")
    return int(value)


def words(text: str) -> list[str]:
    """The words of a list, parted by commas or blanks.

    >>> words("well, well"), words(" ")
    (['well', 'well'], [])
    """
    return text.replace(",", " ").split()


def amount(value: Fraction) -> str:
    """A fraction with its decimal: in brackets where it is the same number, else rounded to four digits.

    >>> from fractions import Fraction
    >>> amount(Fraction(3)), amount(Fraction(1, 4)), amount(Fraction(1, 3))
    ('3', '1/4 (0.25)', '1/3 ≈ 0.3333')
    """
    exact, decimal = exact_text(value), decimal_of(value, 4)
    if exact == decimal:
        return exact
    return f"{exact} ({decimal})" if decimal_of(value) == decimal else f"{exact} ≈ {decimal}"
