"""Numbers and laws as they stand in a certificate."""

from __future__ import annotations

from fractions import Fraction

from verifier.errors import UnsupportedError
from verifier.numbers import Enclosure
from verifier.numbers.rational import integer_text
from verifier.tables import Law


def number_text(value: Fraction | Enclosure) -> str:
    """A rational with all its digits.

    >>> number_text(Fraction(3, 64))
    '3/64'
    """
    if isinstance(value, Enclosure):
        raise UnsupportedError("an enclosure has no certificate")
    top = integer_text(value.numerator)
    return top if value.denominator == 1 else f"{top}/{integer_text(value.denominator)}"


def law_text(law: Law) -> dict[str, str]:
    """A law, output by output."""
    return {o.text: number_text(Fraction(w, law.denominator)) for o, w in law.items()}
