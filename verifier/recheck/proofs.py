"""What an answer brings for its check beside the model file, where deciding again does not reach.

`proof` is of an answer about a simulator: lists of entries `enough` and `needed`, about the smallest ε, and
`delta_enough` and `delta_needed`, about the smallest δ at the asked ε. An entry names its `group` and `choice`, the ε
that it is `at`, and has a `simulator`, or weighted `tests`. `laws` is of a definition of one's own: what it compares.
"""

from __future__ import annotations

from fractions import Fraction
from typing import Any

from verifier.definitions import Comparison, Definition, Verdict, find
from verifier.definitions.pairs import AnyPair, Pair
from verifier.engine import Engine
from verifier.errors import LimitError, UnsupportedError
from verifier.recheck import beliefs, simulators
from verifier.recheck.texts import number_text

WRITERS = {"outputs": simulators, "beliefs": beliefs}
"""What writes the proofs, by what a definition asks a simulator for."""
MAX_OUTPUTS = 1 << 15
"""Most outputs, over all pairs of laws of a definition of one's own, that are written out."""
Entry = dict[str, Any]


def fields_of(answer: Verdict, engine: Engine) -> Entry:
    """The fields of an answer's JSON that a check of it needs: `proof`, or `laws`; most answers need none."""
    if answer.verdict in {"undecided", "unsupported"}:
        return {}
    definition = find(answer.definition)
    found = {"proof": proof_of(answer, definition, engine), "laws": laws_of(answer, definition, engine)}
    return {name: value for name, value in found.items() if value is not None}


def proof_of(answer: Verdict, definition: Definition, engine: Engine) -> Entry | None:
    """The proof of an answer; None for definitions that are decided again, and where there is none, or a long one."""
    imitated = definition.comparisons.imitated
    if not imitated or answer.method == "sum":
        return None
    writer = WRITERS[imitated]
    try:
        return writer.proof(answer, engine) if writer.work(answer, engine) <= writer.MAX_STEPS else None
    except (UnsupportedError, LimitError):
        return None


def laws_of(answer: Verdict, definition: Definition, engine: Engine) -> Entry | None:
    """The field `laws`: what a definition of one's own compares; None for other definitions, and for long ones."""
    if not definition.own or definition.reads_policy:
        return None
    sets = definition.sets(engine, answer.reading)
    pairs = (term.pair for each in sets for comparison in each.comparisons for term in comparison.terms)
    if sum(len(pair.outputs) if isinstance(pair, Pair) else len(list(pair.rows())) for pair in pairs) > MAX_OUTPUTS:
        return None
    return {
        "measure": definition.measure.key,
        "compared": [_compared(comparison) for each in sets for comparison in each.comparisons],
        "empty": sum(each.members for each in sets if not each.comparisons),
    }


def _compared(comparison: Comparison) -> Entry:
    return {
        "multiplicity": comparison.multiplicity,
        "terms": [
            {"weight": number_text(Fraction(int(term.mass), int(comparison.total))), **_laws(term.pair)}
            for term in comparison.terms
        ],
    }


def _laws(pair: AnyPair) -> Entry:
    if isinstance(pair, Pair) and pair.q is None:
        total = sum(pair.p)
        p = {o.text: number_text(Fraction(x, total)) for o, x in zip(pair.outputs, pair.p, strict=True)}
        return {"p": p, "q": None}
    rows = list(pair.rows())
    return {which: {o.text: number_text(row[k]) for o, *row in rows if row[k]} for k, which in enumerate("pq")}
