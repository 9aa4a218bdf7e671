"""The relations of pairs of definitions as tables and as JSON."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from verifier.show.sheet import Sheet
from verifier.wings.implications.separate import QUESTIONS, DefinitionPair

MODELS = (
    "`pkdp separate --output FOLDER` writes each model that separates; `pkdp check` says why a definition fails on it."
)
"""The note below a table with separations."""


def separation_sheets(pairs: Sequence[DefinitionPair]) -> list[Sheet]:
    """A table for each level, with a row for each ordered pair."""
    sheets = []
    for level, question in QUESTIONS.items():
        of_level = [pair for pair in pairs if pair.level == level]
        models = (MODELS,) if any(pair.text is not None for pair in of_level) else ()
        tally = ", ".join(
            f"{sum(1 for pair in of_level if pair.status == status)} {status}"
            for status in ("implied", "separated", "open")
        )
        rows = tuple((pair.source, pair.target, pair.status, pair.evidence) for pair in of_level)
        title = f"{question[:1].upper()}{question[1:]}"
        sheets.append(
            Sheet(
                title,
                ("first", "second", "answer", "evidence"),
                rows,
                notes=(tally, *models),
                keys=(("question", level),),
            )
        )
    return sheets


def separations_json(pairs: Sequence[DefinitionPair]) -> list[dict[str, Any]]:
    """The list of `pkdp separate --json`: an object for each ordered pair and level, with its model file."""
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
