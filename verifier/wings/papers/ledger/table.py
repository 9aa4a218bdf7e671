"""The ledger as rows: each reading with its verdict, and whether it is still bound to what it rests on."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

from verifier.wings.papers.ledger.bind import Bound, bound_of, certificates_in, is_bound
from verifier.wings.papers.ledger.entry import Entry, Reading
from verifier.wings.papers.ledger.read import PAPERS, entries

STALE = "stale"
"""Shown in place of a verdict whose words or evidence changed since it was decided."""


@dataclass(frozen=True)
class Row:
    """One reading of one claim; `bound` is None where it was never decided, and `fresh` says that nothing changed."""

    entry: Entry
    reading: Reading
    bound: Bound | None
    fresh: bool

    @property
    def verdict(self) -> str:
        """The verdict, or `stale`."""
        return self.reading.verdict if self.fresh else STALE

    @property
    def certificates(self) -> tuple[str, ...]:
        """The certificates that it rests on."""
        return () if self.bound is None else certificates_in(self.bound)

    @property
    def evidence(self) -> tuple[str, ...]:
        """Everything that it rests on, by name."""
        return tuple(dict.fromkeys(one.title for one in self.reading.evidence))

    def to_json(self) -> dict[str, Any]:
        """One object of `pkdp ledger --json`."""
        entry, reading = self.entry, self.reading
        return {
            "paper": entry.paper,
            "claim": entry.claim,
            "part": reading.part,
            "reading": reading.reading,
            "verdict": self.verdict,
            "statement": entry.statement,
            "means": reading.means,
            "scope": reading.scope,
            "found": reading.found,
            "tight": reading.tight or None,
            "evidence": [entry.file, *self.evidence, *self.certificates],
            "repaired": reading.repaired or None,
            "place": entry.place,
            "sha256": self.bound.sha256 if self.bound else None,
        }


def rows(paper: str | None = None, claims: Sequence[str] = (), verdict: str | None = None) -> tuple[Row, ...]:
    """The readings of a paper, or of all; with `claims` those whose claim, or file, has one of these names.

    >>> {row.entry.paper for row in rows("DKM19")} <= {"DKM19"}
    True

    Raises:
        InputError: for a paper that is none, and where a file of the ledger is wrong.

    """
    every = entries(paper)
    bound = {one: bound_of(one) for one in PAPERS if paper in {None, one}}
    wanted = {one.lower() for one in claims}
    found = []
    for entry in every:
        if wanted and not wanted & {entry.claim.lower(), entry.slug.lower()}:
            continue
        for reading in entry.readings:
            mine = bound[entry.paper].get(entry.slug, {}).get(entry.key(reading))
            row = Row(entry, reading, mine, is_bound(entry, reading, mine))
            if verdict in {None, row.verdict}:
                found.append(row)
    return tuple(found)


def tally(found: Sequence[Row]) -> dict[str, int]:
    """How many readings have each verdict."""
    counts: dict[str, int] = {}
    for row in found:
        counts[row.verdict] = counts.get(row.verdict, 0) + 1
    return counts
