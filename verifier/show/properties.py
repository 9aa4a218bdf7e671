"""Properties as tables and sentences."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from verifier.questions.properties import Property
from verifier.show.sheet import Sheet
from verifier.tables import label

MOST = 12
"""Most bijections, and most outputs of one, that are shown in a cell."""


def properties_sheet(title: str, answers: Sequence[Property]) -> Sheet:
    """One row a property: the verdict, and what shows it."""
    rows = tuple((one.name, one.reading, one.verdict, one.source, words(one)) for one in answers)
    return Sheet(title, ("property", "reading", "verdict", "source", "evidence"), rows)


def words(one: Property) -> str:
    """The reason, or a part of the maps that show that it holds."""
    if one.reason:
        return one.reason
    maps = one.evidence.get("bijections") or one.evidence.get("pairs") or ()
    parts = [_map(entry) for entry in maps[:MOST]]
    return "; ".join([*parts, *([f"and {len(maps) - MOST} more"] if len(maps) > MOST else [])])


def _map(entry: dict[str, Any]) -> str:
    moved = ", ".join(f"{label(x)} ↦ {label(y)}" for x, y in entry["map"][:MOST])
    more = ", …" if len(entry["map"]) > MOST else ""
    if "theta_1" in entry:
        return f'B₂ from B₁ in "{entry["theta_1"]}" against "{entry["theta_2"]}": {moved}{more}'
    return f"B = {label(entry['B1'])} to {label(entry['B2'])}: {moved}{more}"
