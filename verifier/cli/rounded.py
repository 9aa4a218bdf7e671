"""A decimal given for ε that looks like a rounded logarithm: it is taken as it stands, and a note says so.

0.69 is 69/100 here, which is less than ln(2) = 0.693…: what holds at ln(2) may fail at it.
"""

from __future__ import annotations

import re
from collections.abc import Iterable
from fractions import Fraction

from verifier.numbers import Epsilon
from verifier.numbers import epsilon as read_epsilon

DECIMAL = re.compile(r"\s*[0-9]*\.([0-9]{2,30})\s*")
"""A decimal of at least two places; with fewer, nearly every number is near some logarithm."""
ARGUMENTS = range(2, 11)
"""The numbers whose logarithms are meant most often."""
BITS = 128


def rounded_logarithm(text: str | None, more: Iterable[object] = ()) -> Epsilon | None:
    """Return the logarithm of which a text gives the first digits, rounded or cut off, or None.

    `more` are further candidates, such as the smallest ε of an answer, before ln(2), …, ln(10).

    >>> print(
    ...     rounded_logarithm("0.69"), rounded_logarithm("0.693"), rounded_logarithm("0.7"), rounded_logarithm("0.68")
    ... )
    ln(2) ln(2) None None
    """
    decimal = DECIMAL.fullmatch(text or "")
    if decimal is None or text is None:
        return None
    literal, unit = Fraction(text.strip()), Fraction(1, 10 ** len(decimal[1]))
    candidates = [candidate for candidate in more if isinstance(candidate, Epsilon) and not candidate.is_infinite]
    for candidate in [*candidates, *(read_epsilon(f"ln({argument})") for argument in ARGUMENTS)]:
        low, high = candidate.bracket(BITS)
        if low != high and abs(low - literal) < unit:
            return candidate
    return None


def note_on(text: str | None, more: Iterable[object] = ()) -> str:
    """Return a note where a decimal is near a logarithm, such as 0.69; else an empty text."""
    logarithm = rounded_logarithm(text, more)
    if logarithm is None or text is None:
        return ""
    decimal = text.strip()
    return f'ε = {decimal} is {Fraction(decimal)} and not {logarithm}, which is written --epsilon "{logarithm}"'
