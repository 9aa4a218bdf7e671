"""What a text that is not read as a number most likely means: a hint for an error, never read in its place."""

from __future__ import annotations

import re
import unicodedata
from decimal import Context, Decimal

LONGEST = 40
"""Largest number of characters of a text that gets a hint."""
_SIGNS = str.maketrans({"\N{MINUS SIGN}": "-", "\N{FRACTION SLASH}": "/", "\N{DIVISION SLASH}": "/"})
_DECIMAL = re.compile(r"([+-]?)([0-9]*)([.,]?)([0-9]*)(%?)")
_RATIO = re.compile(r"[+-]?[0-9]+/[0-9]+")


def likely_number(text: str) -> str | None:
    """The number that a text most likely means, as it is to be written; None where there is none, or more than one.

    A comma is the point of a decimal, but for one before three digits: it may separate thousands.

    >>> [likely_number(text) for text in ("40%", "12,5 %", ".4", "0,4", "1,5", "-.5", "3.", "½", "1 / 3")]
    ['0.4', '0.125', '0.4', '0.4', '1.5', '-0.5', '3', '1/2', '1/3']
    >>> [likely_number(text) for text in ("1,500", "0,500", "1,000.5", "a third", "1/2%", ",", "1½", "0.1e", "4/1 0")]
    [None, '0.500', None, None, None, None, None, None, None]
    """
    if len(text) > LONGEST:
        return None
    plain = re.sub("\\s*([/%\N{FRACTION SLASH}\N{DIVISION SLASH}])\\s*", r"\1", text.strip())
    if len(plain) == 1 or not any(unicodedata.decomposition(sign).startswith("<fraction>") for sign in plain):
        plain = unicodedata.normalize("NFKC", plain)
    plain = plain.translate(_SIGNS)
    if _RATIO.fullmatch(plain):
        return plain
    found = _DECIMAL.fullmatch(plain)
    if found is None or not (found[2] or found[4]):
        return None
    sign, whole, mark, part, percent = found.groups()
    if mark == "," and (not part or (len(part) == 3 and whole.lstrip("0"))):
        return None
    number = f"{sign}{whole or '0'}{'.' if part else ''}{part}"
    if not percent:
        return number
    return format(Decimal(number).scaleb(-2, Context(prec=2 * LONGEST)).normalize(Context(prec=2 * LONGEST)), "f")
