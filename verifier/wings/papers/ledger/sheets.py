"""The ledger as tables, and one claim in words."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from verifier.show.sheet import Sheet
from verifier.wings.papers.ledger.entry import VERDICTS
from verifier.wings.papers.ledger.table import STALE, Row, tally

COLUMNS = ("claim", "reading", "verdict", "evidence")


def ledger_sheets(found: Sequence[Row], times: Mapping[int, str] | None = None) -> list[Sheet]:
    """One table a paper, one row a reading; `times` are those of the re-check, by the number of the row."""
    sheets = []
    for paper in dict.fromkeys(row.entry.paper for row in found):
        lines = []
        for number, row in enumerate(found):
            if row.entry.paper != paper:
                continue
            claim = row.entry.claim + (f", {row.reading.part}" if row.reading.part else "")
            line = (claim, row.reading.reading, row.verdict, evidence_text(row))
            lines.append((*line, times[number]) if times is not None else line)
        columns = (*COLUMNS, "time") if times is not None else COLUMNS
        mine = [row for row in found if row.entry.paper == paper]
        sheets.append(Sheet(paper, columns, tuple(lines), notes=(tally_text(mine),), keys=(("paper", paper),)))
    return sheets


def found_sheet(found: Sequence[Row]) -> Sheet:
    """One row a reading: what was found, and where the claim fails, what holds instead."""
    lines = []
    for row in found:
        reading = row.reading
        claim = row.entry.claim + (f", {reading.part}" if reading.part else "")
        repaired = f" Repaired: {reading.repaired}" if reading.repaired else ""
        lines.append((claim, reading.reading, row.verdict, f"{reading.found}{repaired}"))
    return Sheet("", ("claim", "reading", "verdict", "what was found"), tuple(lines))


def evidence_text(row: Row) -> str:
    """What a reading rests on, in short."""
    files = f" ({len(row.certificates)} certificates)" if len(row.certificates) > 1 else ""
    return "; ".join(one.removeprefix("models/").removeprefix("proofs/") for one in row.evidence) + files or "–"


def tally_text(found: Sequence[Row]) -> str:
    """How many readings have which verdict.

    >>> tally_text([])
    '0 readings of 0 claims'
    """
    counts = tally(found)
    listed = [f"{counts[verdict]} {verdict}" for verdict in (*VERDICTS, STALE) if verdict in counts]
    claims = len({(row.entry.paper, row.entry.slug) for row in found})
    return f"{len(found)} readings of {claims} claims" + (f": {', '.join(listed)}" if listed else "")


def claim_lines(found: Sequence[Row]) -> list[str]:
    """Claims in full, as paragraphs of Markdown: claim, reading, what was found, and what it rests on."""
    lines: list[str] = []
    shown = None
    for row in found:
        entry, reading = row.entry, row.reading
        if entry is not shown:
            lines += [f"## {entry.paper}, {entry.claim}", f"{entry.statement} ({entry.place})"]
            shown = entry
        lines.append(f"### {entry.key(reading)}: {row.verdict}")
        lines += [reading.means, reading.found]
        for name, text in (("Repaired", reading.repaired), ("Constants", reading.tight), ("Scope", reading.scope)):
            lines += [f"{name}: {text}"] if text else []
        said = row.bound.said if row.bound else ((),) * len(reading.evidence)
        for one, steps in zip(reading.evidence, said, strict=False):
            body = "".join(f"\n  - {step}" for step in steps)
            lines.append(f"- shows the {one.shows}: {one.title}{body}")
        lines += ["- certificates:" + "".join(f"\n  - {name}" for name in row.certificates)] if row.certificates else []
    return lines
