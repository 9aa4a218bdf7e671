"""What readers type as answers: whole numbers and lists, refused with a tip."""

from __future__ import annotations

from verifier.errors import InputError
from verifier.numbers import rational


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
