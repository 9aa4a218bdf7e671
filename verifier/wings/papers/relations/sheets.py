"""How the definitions relate, as tables: each ordered pair, the proved arrows, and the claims of the papers."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from verifier.show.sheet import Sheet
from verifier.wings.papers.relations.arrows import ARROWS, CLAIMS, CONDITIONS
from verifier.wings.papers.relations.table import Cell, Relations

LEGEND = (
    "A row implies a column (⟹; with 2ε or nε where it says so, n being the number of records), or a model shows that "
    "it does not: its number in the list below; ? is open. The definitions and the models speak of every record."
)


def relation_sheets(found: Relations) -> list[Sheet]:
    """The two tables of ordered pairs, the models that separate, the proved arrows, and the claims."""
    used = [cell.fact for table in (found.pure, found.approximate) for cell in table.values() if cell.fact]
    numbers = {one.path: k for k, one in enumerate((one for one in found.facts if one in used), 1)}
    models = tuple((str(numbers[one.path]), one.path, one.model.title) for one in found.facts if one.path in numbers)
    return [
        _matrix("Does ε of one imply some ε of the other, at δ = 0?", found, found.pure, numbers),
        _matrix("Does (ε, δ) of one imply (ε, δ) of the other?", found, found.approximate, numbers),
        Sheet("The models that separate", ("number", "file under models/", "title"), models),
        arrows_sheet(),
        claims_sheet(),
    ]


def _matrix(title: str, found: Relations, table: Mapping[tuple[str, str], Cell], numbers: Mapping[str, int]) -> Sheet:
    rows = []
    for source in found.definitions:
        cells = ["" if source == target else _mark(table[source, target], numbers) for target in found.definitions]
        rows.append((source, *cells))
    return Sheet(title, ("", *found.definitions), tuple(rows), notes=(LEGEND,), keys=(("question", title),))


def _mark(cell: Cell, numbers: Mapping[str, int]) -> str:
    if cell.fact is not None:
        return str(numbers[cell.fact.path])
    return "?" if not cell.arrows else "⟹" if cell.factor == 1 else f"⟹ {cell.factor}ε"


def arrows_sheet() -> Sheet:
    """What is proved."""
    rows = tuple((arrow.text, f"proofs/relations.md, {arrow.proof}", arrow.source_text or "–") for arrow in ARROWS)
    return Sheet("What implies what", ("arrow", "proof", "in the texts"), rows)


def claims_sheet() -> Sheet:
    """What papers claim about the relations, and whether it is so."""
    rows = tuple(
        (
            claim.where,
            claim.statement,
            claim.verdict,
            f"models/{claim.model}" if claim.refuted else "proofs/relations.md",
            claim.repaired or "–",
        )
        for claim in CLAIMS
    )
    return Sheet("What the papers claim", ("where", "claim", "verdict", "evidence", "what holds"), rows)


def relations_json(found: Relations) -> dict[str, Any]:
    """The same for programs."""
    return {
        "definitions": list(found.definitions),
        "pairs": [
            {
                "from": source,
                "to": target,
                "delta_zero": _cell(found.pure[source, target]),
                "with_delta": _cell(found.approximate[source, target]),
                "under_conditions": [arrow.text for arrow in found.conditional(source, target)],
            }
            for source, target in found.pure
        ],
        "conditions": {one.key: one.text for one in CONDITIONS.values()},
        "claims": [
            {
                "where": claim.where,
                "statement": claim.statement,
                "verdict": claim.verdict,
                "model": f"models/{claim.model}" if claim.refuted else None,
                "repaired": claim.repaired or None,
            }
            for claim in CLAIMS
        ],
    }


def _cell(cell: Cell) -> dict[str, Any]:
    return {
        "status": cell.status,
        "factor": cell.factor if cell.arrows else None,
        "arrows": [arrow.text for arrow in cell.arrows],
        "model": f"models/{cell.fact.path}" if cell.fact else None,
        "numbers": cell.how or None,
    }
