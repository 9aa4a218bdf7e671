"""What answers rest on that have no table of all databases: laws of one's own, sums, databases of several sizes.

The checker reads these certificates in `checker/engines`.
"""

from __future__ import annotations

from collections.abc import Iterator
from fractions import Fraction
from math import comb
from typing import Any

from verifier.definitions.builders.sizes import chooser_of, unsampled
from verifier.definitions.comparison import Comparison
from verifier.definitions.definition import Definition
from verifier.definitions.pairs import AnyPair, Pair
from verifier.definitions.registry import find
from verifier.engine import Engine
from verifier.engine.algebra import Addition, flattened
from verifier.engine.decomposition import components
from verifier.engine.sizes import databases_of
from verifier.evidence.texts import absent_text, law_text, mechanism_rows, number_text
from verifier.model import Element, Mechanism, Mixture, Model, Shape, Theta
from verifier.tables import Label

# --- definitions of one's own -----------------------------------------------------------------------------------------

MAX_OUTPUTS = 1 << 15
"""Largest number of outputs, over all pairs of laws, that is written out."""


def size_of_laws(definition: Definition, engine: Engine, reading: str) -> int:
    """The number of outputs, over all pairs of laws that a definition compares."""
    sets = definition.sets(engine, reading)
    pairs = (term.pair for each in sets for comparison in each.comparisons for term in comparison.terms)
    return sum(len(pair.outputs) if isinstance(pair, Pair) else len(list(pair.rows())) for pair in pairs)


def laws(definition: Definition, engine: Engine, reading: str) -> dict[str, Any]:
    """The pairs of laws that a definition compares, as tables.

    The checker derives the answer from these pairs; that they are the right pairs it does not check.
    """
    sets = definition.sets(engine, reading)
    return {
        "engine": "laws",
        "measure": definition.measure.key,
        "compared": [_comparison(engine, comparison) for each in sets for comparison in each.comparisons],
        "empty": sum(each.members for each in sets if not each.comparisons),
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
                **_laws_of(term.pair),
            }
            for term in comparison.terms
        ],
    }


def _laws_of(pair: AnyPair) -> dict[str, Any]:
    if isinstance(pair, Pair) and pair.q is None:
        total = sum(pair.p)
        p = {o.text: number_text(Fraction(x, total)) for o, x in zip(pair.outputs, pair.p, strict=True)}
        return {"p": p, "q": None}
    rows = list(pair.rows())
    return {which: {o.text: number_text(row[k]) for o, *row in rows if row[k]} for k, which in enumerate("pq")}


def _text(label: Label | None) -> str | None:
    return None if label is None else label.text


# --- sums -------------------------------------------------------------------------------------------------------------

KINDS_BY_SUMS = frozenset({"conditional", "counterfactual"})
"""Kinds of comparisons that the checker derives from sums."""
MAX_FINISH = 1 << 14
"""Most outputs that a certificate lists, over all totals of the sum."""


def work_of_sums(engine: Engine) -> int:
    """The approximate number of additions of long integers that the checker needs for one pass over an answer."""
    cost = engine.cost
    known = min(len(zeta.records) for zeta in engine.model.zetas)
    unknown_records = (engine.model.size - known) * cost.totals * cost.components
    compared = 4 * cost.classes * cost.totals * cost.components
    additions = (unknown_records + compared) * cost.targets * max(1, len(engine.model.thetas))
    return additions + engine.model.size**2 // 50


def structure(engine: Engine) -> dict[str, Any] | None:
    """The tables of a certificate about sums; None where the monoid has no name, or outputs are too many."""
    model, statistic = engine.model, engine.model.mechanism.statistic
    if statistic is None or statistic.operations is None or _nested(engine):
        return None
    finish = _finish(engine)
    if finish is None:
        return None
    elements: dict[int, list[Any]] = {}
    for table in model.mechanism.draws:
        if id(table) not in elements:
            elements[id(table)] = [
                [[_state(element), number_text(Fraction(weight, statistic.denominator))] for element, weight in draw]
                for draw in table
            ]
    return {
        "engine": "sums",
        "size": model.size,
        "values": [v.text for v in model.values],
        **absent_text(model),
        "shown": [v.shown for v in model.values],
        "secrets": [secret.record for secret in model.secrets],
        "thetas": {theta.name: list(_components(model, theta)) for theta in model.thetas},
        "knowledge": _told(model),
        "mechanism": {
            "operations": list(statistic.operations),
            "zero": _state(statistic.zero),
            "elements": [elements[id(table)] for table in model.mechanism.draws],
            "finish": finish,
        },
    }


def _told(model: Model) -> dict[str, Any]:
    """The knowledge function of all pairs (θ, ζ) where Z has one function; else one for each pair, by its name."""
    knowledge = {
        theta.name: {
            "kind": "records" if theta.zeta.channel else theta.zeta.kind,
            "records": list(theta.zeta.records),
        }
        for theta in model.thetas
    }
    return next(iter(knowledge.values())) if len(model.zetas) == 1 else {"of": knowledge}


def _nested(engine: Engine) -> bool:
    """Whether the attacker knows a component that is itself a mixture, which certificates cannot express."""
    told_thetas = [theta for theta in engine.model.thetas if theta.zeta.kind == "component"]
    component_names = [[part.name for part in components(theta.shape)] for theta in told_thetas]
    return any(len(set(names)) < len(names) for names in component_names)


def _finish(engine: Engine) -> list[Any] | None:
    """The output law of every total of the sum; None where there are too many outputs."""
    model, statistic, algebra = engine.model, engine.model.mechanism.statistic, engine.algebra
    if statistic is None:
        return None
    if isinstance(algebra, Addition):
        totals = [algebra.total(key) for key in algebra.reachable]
    else:
        totals = statistic.reachable(model.size, len(model.values))
    if len(totals) > MAX_FINISH or len(totals) * len(statistic.finish(totals[0]).outcomes) > MAX_FINISH:
        return None
    rows = [[_state(total), law_text(statistic.finish(total))] for total in totals]
    return rows if sum(len(law) for _, law in rows) <= MAX_FINISH else None


def _components(model: Model, theta: Theta) -> Iterator[dict[str, Any]]:
    for part, weight in zip(components(theta.shape), _weights(theta.shape), strict=True):
        yield {
            "name": part.name.text if part.name is not None else None,
            "weight": number_text(weight),
            "groups": [
                {
                    "records": list(group.records),
                    "rows": [
                        [[model.values[v].text for v in row], number_text(Fraction(w, group.denominator))]
                        for row, w in group.rows
                    ],
                }
                for group in part.groups
            ],
        }


def _weights(shape: Shape, weight_above: Fraction = Fraction(1)) -> list[Fraction]:
    """The probability of each component, in the order of `components`."""
    if not isinstance(shape, Mixture):
        return [weight_above]
    pairs = zip(shape.weights, shape.components, strict=True)
    return [x for weight, part in pairs if weight for x in _weights(part, weight_above * Fraction(weight, shape.total))]


def _state(element: Element) -> list[str]:
    return [number_text(Fraction(number)) for number in flattened(element)]


# --- databases of several sizes ---------------------------------------------------------------------------------------


def asked_of(engine: Engine, definition: str) -> Mechanism:
    """The mechanism whose outputs a definition compares: the whole one, or the one that chooses the recoding."""
    mechanism = engine.model.mechanism
    return chooser_of(mechanism) if find(definition).recodes else mechanism


def work_of_sizes(engine: Engine, definition: str) -> int:
    """The work of the re-check: the number of pairs (database, sample of it), and of pairs of neighbours."""
    model, mechanism = engine.model, asked_of(engine, definition)
    number, last = len(model.values), databases_of(model, mechanism).last
    samples = comb(last + 2 * number, last) if mechanism.sample else 0
    # the probability of a sample has about so many words
    words = 1 + last // 32 if mechanism.sample else 1
    return samples * words + 2 * number * comb(last + number, last)


def tables_of_sizes(engine: Engine, definition: str) -> dict[str, Any]:
    """The tables of a certificate about databases of several sizes: the rate, the unsampled law on each multiset."""
    model, mechanism = engine.model, asked_of(engine, definition)
    databases, without_sample = databases_of(model, mechanism), unsampled(mechanism)
    rate = mechanism.sample.rate if mechanism.sample else Fraction(1)
    listed_databases = databases_of(model, without_sample) if rate < 1 else databases
    return {
        "engine": "sizes",
        "values": [v.text for v in model.values],
        "sizes": [databases.first, databases.last],
        "rate": number_text(rate),
        "mechanism": mechanism_rows(model, without_sample, listed_databases),
    }
