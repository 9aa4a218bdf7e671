"""Certificates of user-defined definitions: every pair of laws that they compare, written out."""

from __future__ import annotations

from fractions import Fraction
from typing import Any

from verifier.definitions.comparison import Comparison
from verifier.definitions.definition import Definition
from verifier.definitions.pairs import AnyPair, Pair
from verifier.engine import Engine
from verifier.evidence.texts import number_text
from verifier.tables import Label

MAX_OUTPUTS = 1 << 15
"""Largest number of outputs, over all pairs of laws, that is written out."""


def size(definition: Definition, engine: Engine, reading: str) -> int:
    """The number of outputs, over all pairs of laws that a definition compares."""
    families = definition.families(engine, reading)
    pairs = (term.pair for family in families for comparison in family.comparisons for term in comparison.terms)
    return sum(len(pair.outputs) if isinstance(pair, Pair) else len(list(pair.rows())) for pair in pairs)


def laws(definition: Definition, engine: Engine, reading: str) -> dict[str, Any]:
    """The pairs of laws that a definition compares, as tables.

    The replay derives the answer from these pairs; that they are the right pairs it does not check.
    """
    families = definition.families(engine, reading)
    return {
        "engine": "laws",
        "measure": definition.measure.key,
        "compared": [_comparison(engine, comparison) for family in families for comparison in family.comparisons],
        "empty": sum(family.members for family in families if not family.comparisons),
    }


def _comparison(engine: Engine, comparison: Comparison) -> dict[str, Any]:
    values = engine.model.values
    return {
        "distribution": comparison.distribution,
        "record": "S" if comparison.record is None else comparison.record,
        "a": _text(comparison.a),
        "b": _text(comparison.b),
        "output": _text(comparison.output),
        "databases": None
        if comparison.databases is None
        else [[values[v].text for v in d] for d in comparison.databases()],
        "multiplicity": comparison.multiplicity,
        "terms": [
            {
                "weight": number_text(Fraction(int(term.mass), int(comparison.total))),
                "knowledge": _text(term.pair.knowledge),
                "direction": term.pair.direction,
                **_pair(term.pair),
            }
            for term in comparison.terms
        ],
    }


def _pair(pair: AnyPair) -> dict[str, Any]:
    if isinstance(pair, Pair) and pair.q is None:
        total = sum(pair.p)
        p = {o.text: number_text(Fraction(x, total)) for o, x in zip(pair.outputs, pair.p, strict=True)}
        return {"p": p, "q": None}
    rows = list(pair.rows())
    return {which: {o.text: number_text(row[k]) for o, *row in rows if row[k]} for k, which in enumerate("pq")}


def _text(label: Label | None) -> str | None:
    return None if label is None else label.text
