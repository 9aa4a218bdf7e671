"""Properties of models as tables and sentences."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from verifier.numbers import NO_VALUE
from verifier.questions.properties import Property
from verifier.questions.properties.anonymity import Anonymity
from verifier.show.cells import Word
from verifier.show.sheet import Sheet
from verifier.tables import label

MOST = 12
"""Most bijections, and most outputs of one, that are shown in a cell."""


def properties_sheet(title: str, answers: Sequence[Property]) -> Sheet:
    """Return a table with a row for each property: its reading, verdict, source and evidence."""
    rows = tuple(
        (answer.name, answer.reading, Word(answer.verdict), answer.source, words(answer)) for answer in answers
    )
    return Sheet(title, ("property", "reading", "verdict", "source", "evidence"), rows)


def anonymity_sheet(title: str, answers: Sequence[Anonymity]) -> Sheet:
    """Return a table of k-anonymity and strongly safe recodings, a row each (LQS12, Definitions 3.6 and 3.7)."""
    rows = tuple(
        (
            answer.name if answer.k is None else f"{answer.name}, k = {answer.k}",
            answer.source,
            Word(answer.verdict),
            NO_VALUE if answer.largest is None else str(answer.largest),
            answer.reason or (str(answer.witness) if answer.witness else ""),
        )
        for answer in answers
    )
    return Sheet(title, ("property", "source", "verdict", "largest k", "why"), rows)


def words(answer: Property) -> str:
    """Return the reason of an answer, or the first of the maps that prove the property."""
    if answer.reason:
        return answer.reason
    maps = answer.evidence.get("bijections") or answer.evidence.get("pairs") or ()
    texts = [_map(entry) for entry in maps[:MOST]]
    return "; ".join([*texts, *([f"and {len(maps) - MOST} more"] if len(maps) > MOST else [])])


def _map(entry: dict[str, Any]) -> str:
    moved = ", ".join(f"{label(x)} ↦ {label(y)}" for x, y in entry["map"][:MOST])
    more = ", …" if len(entry["map"]) > MOST else ""
    if "theta_1" in entry:
        return f'B₂ from B₁ in "{entry["theta_1"]}" against "{entry["theta_2"]}": {moved}{more}'
    return f"B = {label(entry['B1'])} to {label(entry['B2'])}: {moved}{more}"
