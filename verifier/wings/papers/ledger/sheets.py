"""The ledger as tables."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from itertools import groupby

from verifier.numbers import NO_VALUE, plural
from verifier.show.sheet import Sheet, Word
from verifier.wings.papers.ledger.entry import NOTE, VERDICTS
from verifier.wings.papers.ledger.table import STALE, ReadingRow, tally

COLUMNS = ("claim", "reading", "label", "means", "verdict", "evidence")
NARROW = ("claim", "reading", "verdict", "evidence")
"""The columns of a terminal, which has no room for what a reading means: it stands where a claim is printed in full."""


def ledger_sheets(
    listed_rows: Sequence[ReadingRow], times: Mapping[int, str] | None, *, narrow: bool = False
) -> list[Sheet]:
    """The tables of readings, one for each paper, a row for each reading.

    `times` has the time of the re-check of each row, by its number; `narrow` tables have the columns of a terminal.
    """
    sheets = []
    for paper, of_paper in groupby(enumerate(listed_rows), lambda numbered: numbered[1].entry.paper):
        numbered_rows = list(of_paper)
        lines = []
        for number, row in numbered_rows:
            named = (row.reading.title,) if narrow else (row.reading.reading, row.reading.label, row.reading.means)
            line = (row.claim, *named, Word(row.verdict), evidence_text(row))
            lines.append((*line, times[number]) if times is not None else line)
        shown = NARROW if narrow else COLUMNS
        columns = (*shown, "time") if times is not None else shown
        notes = (tally_text([row for _, row in numbered_rows]),)
        sheets.append(Sheet(paper, columns, tuple(lines), notes=notes, keys=(("paper", paper),)))
    return sheets


def evidence_text(row: ReadingRow) -> str:
    """The evidence of a reading as a short list, with the number of its answers if there are several."""
    files = f" ({len(row.answers)} answers)" if len(row.answers) > 1 else ""
    return "; ".join(name.removeprefix("models/").removeprefix("proofs/") for name in row.evidence) + files or NO_VALUE


def tally_text(listed_rows: Sequence[ReadingRow]) -> str:
    """The number of readings with each verdict, in words; notes are counted apart.

    >>> tally_text([])
    '0 readings of 0 claims'
    """
    counts = tally(listed_rows)
    listed = [f"{counts[verdict]} {verdict}" for verdict in (*VERDICTS, STALE) if verdict in counts]
    claims = len({(row.entry.paper, row.entry.slug) for row in listed_rows})
    notes = counts[NOTE]
    text = f"{plural(len(listed_rows) - notes, 'reading')} of {plural(claims, 'claim')}" + (
        f": {', '.join(listed)}" if listed else ""
    )
    return f"{text}; and {plural(notes, 'note')}" if notes else text
