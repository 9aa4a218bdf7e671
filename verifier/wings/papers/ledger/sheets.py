"""The ledger as tables."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from itertools import groupby

from verifier.numbers import NO_VALUE, plural, verdict_count
from verifier.show.sheet import Sheet, Word
from verifier.wings.papers.ledger.criterion import CLAIM_WORDS
from verifier.wings.papers.ledger.entry import NOTE, VERDICTS, Entry
from verifier.wings.papers.ledger.table import STALE, ReadingRow, tally, word_of

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


def claims_text(listed_rows: Sequence[ReadingRow]) -> str:
    """The number of claims with each word of `CLAIM_WORDS`, in words; each claim counts once.

    >>> claims_text([])
    '0 claims'
    """
    by_word = {word: len(rows_of_word) for word, rows_of_word in by_claim_word(listed_rows).items()}
    listed = [verdict_count(number, word) for word, number in by_word.items()]
    return plural(sum(by_word.values()), "claim") + (f": {', '.join(listed)}" if listed else "")


def by_claim_word(listed_rows: Sequence[ReadingRow]) -> dict[str, list[Entry]]:
    """The claims with each word of `CLAIM_WORDS`, the worst word first; a claim with a stale reading is stale."""
    by_word: dict[str, list[Entry]] = {word: [] for word in (STALE, *CLAIM_WORDS)}
    for entry, of_entry in groupby(listed_rows, lambda row: row.entry):
        by_word[word_of(list(of_entry))].append(entry)
    return {word: entries for word, entries in by_word.items() if entries}
