"""Properties of models that statements may name, each decided on the tables."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from fractions import Fraction
from itertools import permutations
from math import prod

from verifier.engine import Engine
from verifier.model import Database, Model, Theta
from verifier.questions import conditions
from verifier.questions.normalization import acceptable
from verifier.questions.properties.reducible import reducible
from verifier.tables import Label, gathered, grouped


@dataclass(frozen=True)
class Feature:
    """One property of models: name, sentence, source (empty for a usual word of the field), and what decides it."""

    key: str
    text: str
    source: str
    verdict: Callable[[Model], str]


def is_acceptable(model: Model) -> bool:
    """Every θ has an acceptable normalization at every protected record (DMKB20, Definition 8)."""
    return all(answer.acceptable for answer in acceptable(model))


def law_of(theta: Theta) -> dict[Database, Fraction]:
    """P[D = d] under θ."""
    law = gathered((world.database, Fraction(world.weight, theta.denominator)) for world in theta.worlds())
    return {database: p for database, p in law.items() if p}


def independent_records(model: Model) -> bool:
    """All records are independent of each other under each θ, whatever is known: P[D = d] = Πᵢ P[D(i) = dᵢ]."""
    every = list(model.mechanism.all_databases())
    for theta in model.thetas:
        law = law_of(theta)
        single = [
            [sum(p for d, p in law.items() if d[i] == v) for v in range(len(model.values))] for i in range(model.size)
        ]
        if any(law.get(d, Fraction(0)) != prod(single[i][v] for i, v in enumerate(d)) for d in every):
            return False
    return True


def full_support(model: Model) -> bool:
    """Every database of Tⁿ is possible under each θ."""
    return all(len(law_of(theta)) == len(model.values) ** model.size for theta in model.thetas)


def exchangeable(model: Model) -> bool:
    """P[D = d] is the same for all orders of the records of d, under each θ."""
    for theta in model.thetas:
        law = law_of(theta)
        if any(
            law.get(tuple(d[i] for i in order)) != p for d, p in law.items() for order in permutations(range(len(d)))
        ):
            return False
    return True


def known_laws(theta: Theta) -> dict[Database, dict[Label, Fraction]]:
    """P[D = d, B = B̂] under θ."""
    return grouped((world.database, known, p) for world, known, p in theta.known_worlds() if p)


def no_knowledge(model: Model) -> bool:
    """B̂ tells nothing: B and D are independent under each θ."""
    return all(
        conditions.is_product(
            {(d, value): p for d, knowledge_law in known_laws(theta).items() for value, p in knowledge_law.items()}
        )
        for theta in model.thetas
    )


def knowledge_is_a_function(model: Model) -> bool:
    """B = ζ(D): each possible database has one B̂ (background knowledge as in DKM19)."""
    return all(len(knowledge_law) <= 1 for theta in model.thetas for knowledge_law in known_laws(theta).values())


def knowledge_of_others(model: Model) -> bool:
    """Given the other records, B and D(i) are independent, for each protected record: B̂ tells about others alone."""
    for theta in model.thetas:
        joint = known_laws(theta)
        for record in model.protected_records:
            cells = grouped(
                ((*database[:record], *database[record + 1 :]), (database[record], value), p)
                for database, knowledge_law in joint.items()
                for value, p in knowledge_law.items()
            )
            if not all(map(conditions.is_product, cells.values())):
                return False
    return True


def deterministic(model: Model) -> bool:
    """M puts out one output on each database of Tⁿ."""
    return all(len(model.mechanism.law(d).outcomes) == 1 for d in model.mechanism.all_databases())


def symmetric(model: Model) -> bool:
    """M does not depend on the order of the records."""
    return all(model.mechanism.law(d) == model.mechanism.law(tuple(sorted(d))) for d in model.mechanism.all_databases())


def constant(model: Model) -> bool:
    """M has the same output distribution on all databases of Tⁿ."""
    return len({model.mechanism.law(d) for d in model.mechanism.all_databases()}) == 1


def full_outputs(model: Model) -> bool:
    """Every output that is possible on some database of Tⁿ is possible on all of them."""
    return len({model.mechanism.law(d).outcomes for d in model.mechanism.all_databases()}) == 1


def _plain(key: str, source: str, holds: Callable[[Model], bool]) -> Feature:
    text = (holds.__doc__ or "").strip().splitlines()[0]
    return Feature(key, text, source, lambda model: "holds" if holds(model) else "fails")


PROPERTIES: dict[str, Feature] = {
    feature.key: feature
    for feature in (
        _plain("acceptable", "DMKB20, Definition 8", is_acceptable),
        _plain("independent", "DMKB20, Proposition 2", conditions.independent),
        _plain("independent-records", "", independent_records),
        _plain("full-support", "", full_support),
        _plain("exchangeable", "", exchangeable),
        _plain("no-knowledge", "", no_knowledge),
        _plain("functional-knowledge", "DKM19: knowledge is a function of the database", knowledge_is_a_function),
        _plain("knowledge-of-others", "", knowledge_of_others),
        _plain("informed", "DMKB20, section 3.2", conditions.full_knowledge),
        _plain("every-value-possible", "DMKB20, Definitions 3 and 5", conditions.every_value_possible),
        _plain("every-output-possible", "DMKB20, Proposition 1", conditions.every_output_possible),
        Feature(
            "reducible",
            "Θ-reducible: outputs under one B̂ map onto those under another, with the same probabilities.",
            "DMKB20, Definition 14",
            lambda model: reducible(model, Engine(model)).verdict,
        ),
        _plain("deterministic", "", deterministic),
        _plain("symmetric", "", symmetric),
        _plain("constant", "", constant),
        _plain("full-outputs", "", full_outputs),
    )
}
"""Every property that a statement may name."""
