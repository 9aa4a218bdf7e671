"""The pairs of definitions as a table, and for programs."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from verifier.show.sheet import Sheet
from verifier.wings.search.separate import QUESTIONS, Pair


def separation_sheets(pairs: Sequence[Pair]) -> list[Sheet]:
    """One table a level, one row an ordered pair; no row is blank."""
    sheets = []
    for level, question in QUESTIONS.items():
        mine = [pair for pair in pairs if pair.level == level]
        tally = ", ".join(
            f"{sum(1 for pair in mine if pair.status == status)} {status}"
            for status in ("implied", "separated", "open")
        )
        rows = tuple((pair.source, pair.target, pair.status, pair.evidence) for pair in mine)
        title = f"{question[:1].upper()}{question[1:]}"
        sheets.append(
            Sheet(title, ("first", "second", "answer", "evidence"), rows, notes=(tally,), keys=(("question", level),))
        )
    return sheets


def separations_json(pairs: Sequence[Pair]) -> list[dict[str, Any]]:
    """The same for programs, with the model files."""
    return [
        {
            "from": pair.source,
            "to": pair.target,
            "question": QUESTIONS[pair.level],
            "status": pair.status,
            "arrows": list(pair.arrows),
            "model": pair.text,
            "path": f"models/{pair.path}" if pair.path else None,
            "scope": None if pair.scope is None else str(pair.scope),
            "models_checked": pair.looked,
        }
        for pair in pairs
    ]
