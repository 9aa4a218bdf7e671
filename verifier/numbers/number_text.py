"""A number as text: its exact form with its decimal beside it. Sentences and tables write numbers with these functions.

Two others differ on purpose: `columns.number` (cells of 22 characters) and `cells.amount` (the pages of the report).
"""

from __future__ import annotations

from fractions import Fraction
from typing import Protocol

from verifier.numbers.decimals import DIGITS, decimal_of
from verifier.numbers.enclosure import Enclosure
from verifier.numbers.rational import MAX_DIGITS, exact_text

NO_VALUE = "–"
"""The text of a number that does not exist, and of a cell that has nothing to say."""


class Value(Protocol):
    """A number with an exact form and a decimal: a δ, an ε, a privacy loss or an enclosure."""

    def text(self, max_digits: int = MAX_DIGITS) -> str:
        """The exact form."""
        ...

    def decimal(self, digits: int = DIGITS) -> str:
        """The decimal, correctly rounded."""
        ...


def exact_form(value: Fraction | Value, max_digits: int = MAX_DIGITS) -> str:
    """Return the exact form of a number; of an enclosure both ends."""
    return exact_text(value, max_digits) if isinstance(value, Fraction) else value.text(max_digits)


def decimal_form(value: Fraction | Value, digits: int = DIGITS) -> str:
    """Return the decimal of a number, correctly rounded; of an enclosure both ends, rounded outward."""
    return decimal_of(value, digits) if isinstance(value, Fraction) else value.decimal(digits)


def with_decimal(
    value: Fraction | Value | None,
    max_digits: int = MAX_DIGITS,
    digits: int = DIGITS,
    *,
    most: int | None = None,
    longer: str = "{decimal}",
) -> str:
    """Return the exact form with its decimal in brackets; once where both are the same text, `–` for None.

    An exact form of more than `most` characters gives way to `longer`, where `{decimal}` stands for the decimal and
    `{length}` for the number of these characters. An enclosure has no exact form: its two ends stand alone.

    >>> with_decimal(Fraction(3, 64)), with_decimal(Fraction(2)), with_decimal(None)
    ('3/64 (0.046875)', '2', '–')
    >>> with_decimal(Fraction(1, 3**20), digits=3, most=9, longer="about {decimal}")
    'about 2.87e-10'
    """
    if value is None:
        return NO_VALUE
    exact, decimal = exact_form(value, max_digits), decimal_form(value, digits)
    if exact == decimal or isinstance(value, Enclosure):
        return exact
    if most is not None and len(exact) > most:
        return longer.format(decimal=decimal, length=len(exact))
    return f"{exact} ({decimal})"


def plural(number: int, one: str, several: str = "") -> str:
    """A count with its noun, or with its verb; `several` is the form that goes with other counts than 1.

    >>> plural(1, "record"), plural(3, "record"), plural(1, "holds", "hold"), plural(0, "entry", "entries")
    ('1 record', '3 records', '1 holds', '0 entries')
    """
    return f"{number:,} {one if number == 1 else several or one + 's'}"


FOR_SEVERAL = {"holds": "hold", "fails": "fail", "agrees": "agree", "disagrees": "disagree", "note": "notes"}
"""The first words of verdicts that have another form where there are several."""


def verdict_count(number: int, verdict: str) -> str:
    """A count of verdicts, each an adjective (vacuous), a note, or words that begin with a verb.

    >>> verdict_count(1, "holds once corrected"), verdict_count(2, "holds once corrected"), verdict_count(2, "vacuous")
    ('1 holds once corrected', '2 hold once corrected', '2 vacuous')
    """
    verb, _, rest = verdict.partition(" ")
    several = FOR_SEVERAL.get(verb, verb)
    return f"{plural(number, verb, several)} {rest}".rstrip()
