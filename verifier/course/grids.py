"""A table of results: what was computed, row by row."""

from __future__ import annotations

from collections.abc import Sequence
from fractions import Fraction

from verifier.course.shown import Shown
from verifier.definitions.verdict import both
from verifier.report.markup import table


def grid(
    columns: Sequence[str], rows: Sequence[Sequence[object]], *, title: str = "", notes: Sequence[str] = ()
) -> Shown:
    """A table of results; cells are texts, exact numbers or anything with a text. A column `verdict` is set as such.

    >>> grid(["output", "probability"], [["u", Fraction(1, 4)], ["v", Fraction(3, 4)]])
    output | probability
    u | 1/4 (0.25)
    v | 3/4 (0.75)
    """
    cells = [[_text(cell) for cell in row] for row in rows]
    lines = [
        *([title] if title else []),
        *(" | ".join(row).replace("\n", " ") for row in [list(columns), *cells]),
        *notes,
    ]
    return Shown(table(title, columns, cells, notes), "\n".join(lines))


def _text(cell: object) -> str:
    """One cell: a fraction with its decimal, infinity as a sign."""
    if isinstance(cell, Fraction):
        return both(cell)
    return str(cell).replace("inf", "∞") if not isinstance(cell, str) else cell
