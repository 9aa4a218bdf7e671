"""Certificates of definitions of one's own: every pair of laws that they compare, written out."""

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
    """How many probabilities the laws have."""
    families = definition.families(engine, reading)
    pairs = (term.pair for family in families for one in family.comparisons for term in one.terms)
    return sum(len(pair.outputs) if isinstance(pair, Pair) else len(list(pair.rows())) for pair in pairs)


def laws(definition: Definition, engine: Engine, reading: str) -> dict[str, Any]:
    """What is compared, as tables; the replay derives the answer from them again, not the comparisons themselves."""
    families = definition.families(engine, reading)
    return {
        "engine": "laws",
        "measure": definition.measure.key,
        "compared": [_comparison(engine, one) for family in families for one in family.comparisons],
        "empty": sum(family.members for family in families if not family.comparisons),
    }


def _comparison(engine: Engine, one: Comparison) -> dict[str, Any]:
    values = engine.model.values
    return {
        "distribution": one.distribution,
        "record": "S" if one.record is None else one.record,
        "a": _text(one.a),
        "b": _text(one.b),
        "output": _text(one.output),
        "databases": None if one.databases is None else [[values[v].text for v in d] for d in one.databases()],
        "multiplicity": one.multiplicity,
        "terms": [
            {
                "weight": number_text(Fraction(int(term.mass), int(one.whole))),
                "knowledge": _text(term.pair.knowledge),
                "direction": term.pair.direction,
                **_pair(term.pair),
            }
            for term in one.terms
        ],
    }


def _pair(pair: AnyPair) -> dict[str, Any]:
    if isinstance(pair, Pair) and pair.q is None:
        total = sum(pair.p)
        p = {o.text: number_text(Fraction(x, total)) for o, x in zip(pair.outputs, pair.p, strict=True)}
        return {"p": p, "q": None}
    rows = list(pair.rows())
    return {which: {o.text: number_text(row[k]) for o, *row in rows if row[k]} for k, which in enumerate("pq")}


def _text(one: Label | None) -> str | None:
    return None if one is None else one.text
