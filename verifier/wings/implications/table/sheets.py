"""How the definitions relate, as tables: each ordered pair, the proved arrows, and the claims of the papers."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from verifier.numbers import NO_VALUE
from verifier.show.cells import Word
from verifier.show.sheet import Sheet
from verifier.wings.implications.table.arrows import ARROWS, CLAIMS, CONDITIONS
from verifier.wings.implications.table.table import PairCell, Relations

LEGEND = (
    "A row implies a column (⟹; with 2ε or nε where it says so, n being the number of records), or a model shows that "
    "it does not: its number in the list below; ? is open. The definitions and the models speak of every record, and "
    "no record may be missing. A vacuous definition is satisfied, and implies nothing that compares something."
)


def relation_sheets(relations: Relations) -> list[Sheet]:
    """The two tables of ordered pairs, the models that separate, the proved arrows, and the claims."""
    numbers = {fact.path: str(k) for k, fact in enumerate(relations.separating, 1)}
    models = tuple((numbers[fact.path], fact.path, fact.model.title) for fact in relations.separating)
    return [
        *(_matrix(title, relations, table, numbers) for title, table in relations.questions.items()),
        Sheet("The models that separate", ("number", "file under models/", "title"), models),
        arrows_sheet(),
        claims_sheet(),
    ]


def _matrix(
    title: str, relations: Relations, table: Mapping[tuple[str, str], PairCell], numbers: Mapping[str, str]
) -> Sheet:
    rows = []
    for source in relations.definitions:
        cells = ["" if source == target else _mark(table[source, target], numbers) for target in relations.definitions]
        rows.append((source, *cells))
    return Sheet(title, ("", *relations.definitions), tuple(rows), notes=(LEGEND,), keys=(("question", title),))


def _mark(cell: PairCell, numbers: Mapping[str, str]) -> str:
    return cell.mark if cell.fact is None else numbers[cell.fact.path]


def arrows_sheet() -> Sheet:
    """The table of the proved arrows: the arrow, its proof, and its number in the papers."""
    rows = tuple((arrow.text, f"proofs/relations.md, {arrow.proof}", arrow.source_text or NO_VALUE) for arrow in ARROWS)
    return Sheet("What implies what", ("arrow", "proof", "in the texts"), rows)


def claims_sheet() -> Sheet:
    """The table of the papers' claims about the relations, with verdict, evidence and repair."""
    rows = tuple(
        (
            claim.where,
            claim.statement,
            Word(claim.verdict),
            f"models/{claim.model}" if claim.refuted else "proofs/relations.md",
            claim.repaired or NO_VALUE,
        )
        for claim in CLAIMS
    )
    return Sheet("What the papers claim", ("where", "claim", "verdict", "evidence", "what holds"), rows)


def relations_json(relations: Relations) -> dict[str, Any]:
    """The relations as the object of `pkdp relations --json`."""
    return {
        "definitions": list(relations.definitions),
        "pairs": [
            {
                "from": source,
                "to": target,
                "delta_zero": _cell(relations.pure[source, target]),
                "with_delta": _cell(relations.approximate[source, target]),
                "under_conditions": [arrow.text for arrow in relations.conditional(source, target)],
            }
            for source, target in relations.pure
        ],
        "conditions": {condition.key: condition.text for condition in CONDITIONS.values()},
        "claims": [
            {
                "where": claim.where,
                "statement": claim.statement,
                "verdict": claim.verdict,
                "model": f"models/{claim.model}" if claim.refuted else None,
                "repaired": claim.repaired or None,
            }
            for claim in CLAIMS
            if {claim.source, claim.target} <= set(relations.definitions)
        ],
    }


def _cell(cell: PairCell) -> dict[str, Any]:
    return {
        "status": cell.status,
        "factor": cell.factor if cell.arrows else None,
        "arrows": [arrow.text for arrow in cell.arrows],
        "model": f"models/{cell.fact.path}" if cell.fact else None,
        "numbers": cell.how or None,
    }
