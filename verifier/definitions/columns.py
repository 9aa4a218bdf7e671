"""Answers in aligned columns of plain text, for `print`."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from fractions import Fraction
from textwrap import wrap

from verifier.errors import printable
from verifier.numbers import NO_VALUE, Enclosure, Value, exact_form, plural, with_decimal

WIDTH = 100
"""Most characters of a line."""
CELL, BESIDE, FIGURES = 22, 14, 6
"""Most characters of a cell, and of an exact number that stands beside its decimal; digits of that decimal."""
LONGEST = 1000
"""Most characters of a sentence."""
MOST_ROWS = 24
"""Most rows that are printed; the answer itself has all."""


def columns(heads: Sequence[str], rows: Sequence[Sequence[str]]) -> str:
    """The rows in aligned columns under their heads; long cells are cut, so that no line exceeds 100 characters.

    >>> print(columns(["output", "loss"], [["⊥", "ln(10/9)"], ["2", "-inf"]]))
    output  loss
    ⊥       ln(10/9)
    2       -inf
    """
    table = [list(map(printable, row)) for row in (heads, *rows)]
    widths = [max(len(row[k]) for row in table) for k in range(len(heads))]
    while sum(widths) + 2 * (len(widths) - 1) > WIDTH:
        widths[widths.index(max(widths))] -= 1
    return "\n".join(
        "  ".join(cut_to(cell, width).ljust(width) for cell, width in zip(row, widths, strict=True)).rstrip()
        for row in table
    )


def cut_to(text: str, most: int) -> str:
    """The text on one line with control characters escaped; more than `most` characters are cut, and end with `…`."""
    shown = printable(text)
    return shown if len(shown) <= most else f"{shown[: most - 1]}…"


def lines(text: str, before: str = "") -> Iterator[str]:
    """Yield a sentence in lines of at most 100 characters, each after `before`; it is cut after 1,000 characters."""
    yield from wrap(cut_to(text, LONGEST), WIDTH, initial_indent=before, subsequent_indent=before)


def left_out(number_of: int, what: str) -> list[str]:
    """A line that counts the rows that are not printed, such as `… and 3 more outputs`; no line where all are."""
    return [f"… and {plural(number_of, f'more {what}')}"] if number_of > 0 else []


def number(value: Fraction | Value | None) -> str:
    """A number in a cell of 22 characters: exact with its decimal of six digits if both fit, else the one that fits.

    >>> number(Fraction(1, 4)), number(Fraction(1, 10000019)), number(Fraction(3**20, 2**40))
    ('1/4 (0.25)', '1/10000019', '≈ 0.00317121')
    """
    if value is None:
        return NO_VALUE
    if isinstance(value, Enclosure):
        return value.decimal(FIGURES)
    exact, text = exact_form(value), with_decimal(value, digits=FIGURES, most=BESIDE, longer="≈ {decimal}")
    return exact if len(exact) <= BESIDE and len(text) > CELL else cut_to(text, CELL)
