"""Evidence for answers without a table: the structure of the model, from which the replay derives the sums again."""

from __future__ import annotations

from collections.abc import Iterator
from fractions import Fraction
from typing import Any

from verifier.engine import Engine
from verifier.engine.algebra import Addition, flattened
from verifier.engine.decomposition import components
from verifier.evidence.texts import absent_text, law_text, number_text
from verifier.model import Element, Mixture, Model, Shape, Theta

KINDS = frozenset({"conditional", "counterfactual"})
"""Kinds of comparisons that the replay derives from sums."""
MAX_FINISH = 1 << 14
"""Most outputs that a certificate lists, over all totals of the sum."""


def work(engine: Engine) -> int:
    """The approximate number of additions of long integers that the replay needs for one pass over an answer."""
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
