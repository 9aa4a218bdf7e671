"""The ledger as rows: each reading with its verdict, and whether it is still bound to what it rests on."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any

from verifier.definitions.answer import Valued
from verifier.wings.papers.ledger.criterion import of_claim
from verifier.wings.papers.ledger.entry import NOTE, ClaimReading, Entry
from verifier.wings.papers.ledger.evidence_hashes import BoundReading, Files, answers_file, bound_of, is_bound
from verifier.wings.papers.ledger.evidence_values import SENTENCES, filled, reading_values
from verifier.wings.papers.ledger.read import PAPERS, entries

STALE = "stale"
"""The word in place of a verdict whose reading or evidence changed since it was decided."""


@dataclass(frozen=True)
class ReadingRow(Valued):
    """A reading of a claim with its record `bound`, None where it was never decided; `fresh`: nothing changed since.

    `answers` has the lines of `answers.json` that it rests on, none of a stale reading.
    """

    entry: Entry
    reading: ClaimReading
    bound: BoundReading | None
    fresh: bool
    answers: tuple[str, ...] = ()

    @property
    def claim(self) -> str:
        """The claim, with the part that is meant."""
        return ", ".join(name for name in (self.entry.claim, self.reading.part) if name)

    @property
    def verdict(self) -> str:
        """The verdict of the reading, `note` for a note; `stale` where words or evidence changed since."""
        return (self.reading.verdict or NOTE) if self.fresh else STALE

    @property
    def answers_file(self) -> str:
        """The file with the answers that the reading rests on, from the root of the repository."""
        return f"proofs/{self.entry.paper}/{answers_file(self.entry.paper).name}"

    @property
    def unchecked(self) -> tuple[str, ...]:
        """The answers of the reading that are beyond the limits of the independent checker."""
        return self.bound.answers.unchecked if self.bound else ()

    @property
    def evidence(self) -> tuple[str, ...]:
        """The titles of the pieces of evidence of the reading, each once."""
        return tuple(dict.fromkeys(evidence.title for evidence in self.reading.evidence))

    def fields(self) -> dict[str, Any]:
        """The fields of the reading's object in `pkdp claims --json`."""
        entry, reading = self.entry, self.reading
        return {
            "paper": entry.paper,
            "claim": entry.claim,
            "part": reading.part,
            "reading": reading.reading,
            "label": reading.label,
            "because": reading.because or None,
            "edge": reading.edge or None,
            "verdict": None if self.verdict == NOTE else self.verdict,
            "statement": entry.statement,
            "means": reading.means,
            "scope": reading.scope,
            "found": reading.found,
            "tight": reading.tight or None,
            "evidence": [entry.file, *self.evidence, *([self.answers_file] if self.answers else [])],
            "repaired": reading.repaired or None,
            "place": entry.place,
            "sha256": self.bound.sha256 if self.bound else None,
        }


def rows(paper: str | None = None, claims: Sequence[str] = (), verdict: str | None = None) -> tuple[ReadingRow, ...]:
    """The readings of a paper, or of all papers; with `claims` only those of a claim or file with such a name.

    >>> {row.entry.paper for row in rows("DKM19")} <= {"DKM19"}
    True

    Raises:
        InputError: for an unknown paper, and where a file of the ledger is invalid.

    """
    all_entries = entries(paper)
    bound = {paper_key: bound_of(paper_key) for paper_key in PAPERS if paper in {None, paper_key}}
    files = Files()
    return tuple(
        row
        for entry in all_entries
        if entry.is_named(claims)
        for row in rows_of(entry, bound[entry.paper], files)
        if verdict in {None, row.verdict}
    )


def rows_of(entry: Entry, bound: Mapping[str, Mapping[str, BoundReading]], files: Files) -> list[ReadingRow]:
    """The readings of one entry; `bound` has the records of its paper, by entry and by reading.

    The sentences are filled with the values of the evidence; those of a stale reading keep their placeholders.
    """
    records = bound.get(entry.slug, {})
    recorded = [records.get(entry.key(reading)) for reading in entry.readings]
    fresh = [is_bound(entry, reading, record, files) for reading, record in zip(entry.readings, recorded, strict=True)]
    readings = tuple(
        filled(reading, SENTENCES, reading_values(reading, record.said)) if record and is_fresh else reading
        for reading, record, is_fresh in zip(entry.readings, recorded, fresh, strict=True)
    )
    shown = replace(entry, readings=readings)
    lines = (
        tuple(map(files.answers(entry.paper).__getitem__, record.answers.confirmed)) if record and is_fresh else ()
        for record, is_fresh in zip(recorded, fresh, strict=True)
    )
    return [ReadingRow(shown, *row) for row in zip(readings, recorded, fresh, lines, strict=True)]


def word_of(rows_of_claim: Sequence[ReadingRow]) -> str:
    """The word of a claim, as `criterion.of_claim` finds it; `stale` where one of its readings is."""
    stale = any(row.verdict == STALE for row in rows_of_claim)
    return STALE if stale else of_claim([row.reading for row in rows_of_claim])


def tally(listed_rows: Sequence[ReadingRow]) -> Counter[str]:
    """The number of readings with each verdict."""
    return Counter(row.verdict for row in listed_rows)
