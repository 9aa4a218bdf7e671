"""What is compared: each function lists the pairs of laws of one kind, for every θ and sensitive attribute.

A comparison lists all its knowledge values with their weights P[B̂ | θ, D(i) = a]; the aggregation decides whether the
worst of them counts or the average.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from math import lcm
from typing import TypeAlias

from verifier.definitions.comparison import Comparison, Family, Term
from verifier.definitions.pairs import Pair, pair_of
from verifier.engine import Engine, Heard, Joint, Neighbours
from verifier.engine.image import Image
from verifier.errors import LimitError
from verifier.model import Database, Secret, Theta, replaced
from verifier.numbers import lowest
from verifier.tables import Label, in_order

Compare: TypeAlias = Callable[[Engine, str], Iterator[Family]]
"""What a definition compares on an engine's model, under a reading."""
MAX_POSTERIORS = 1 << 17
"""Largest number of posterior probabilities that are compared."""


def _cases(engine: Engine) -> Iterator[tuple[Theta, Secret, int, Joint]]:
    for theta in engine.model.thetas:
        for secret, members in engine.targets(theta):
            yield theta, secret, members, engine.factual(theta, secret)


def _ordered(values: list[Label], reading: str) -> Iterator[tuple[Label, Label]]:
    """The pairs a ≠ b, in both orders unless the reading is `one-order`."""
    for x, a in enumerate(values):
        for y, b in enumerate(values):
            if x != y and (reading != "one-order" or x < y):
                yield a, b


def _possible(secret: Secret, joint: Joint) -> list[Label]:
    return [value for value in secret.domain if joint.value_mass(value)]


def conditional(engine: Engine, reading: str) -> Iterator[Family]:
    """M(D) given B̂ and S = a against M(D) given B̂ and S = b, for every B̂ that is possible with both.

    Under `infinite-loss` a B̂ that excludes b counts as if the second law could produce no output.
    """
    for theta, secret, members, joint in _cases(engine):
        found = []
        for a, b in _ordered(_possible(secret, joint), reading):
            terms = tuple(
                Term(heard.masses[a], pair_of(heard, heard.laws[a], heard.laws.get(b)))
                for heard in joint.heard.values()
                if a in heard.laws and (b in heard.laws or reading == "infinite-loss")
            )
            if terms:
                whole = joint.value_mass(a)
                found.append(Comparison(theta.name, secret.record, a, b, terms, members, whole=whole))
        yield Family(theta.name, secret.record, tuple(found), members)


FORWARD, BACKWARD = "factual against counterfactual", "counterfactual against factual"


def counterfactual(engine: Engine, reading: str) -> Iterator[Family]:
    """M(D) against M(D with i set to b), both given B̂ and D(i) = a, in both directions."""
    values = engine.model.values
    for theta, secret, members, joint in _cases(engine):
        found = []
        possible = _possible(secret, joint)
        for a in possible:
            whole = joint.value_mass(a)
            for position, b in enumerate(values):
                if a == b or (reading != "all-values" and b not in possible):
                    continue
                compared = [one for one in joint.heard.values() if b in one.laws or reading == "all-values"]
                changed = engine.counterfactual(theta, secret, position, compared)
                mine = [(one, one.laws[a], changed.heard[one.key].laws[a]) for one in compared if a in one.laws]
                ways = [
                    tuple(Term(one.masses[a], pair_of(one, p, q, FORWARD)) for one, p, q in mine),
                    tuple(Term(one.masses[a], pair_of(one, q, p, BACKWARD)) for one, p, q in mine),
                ]
                found += [
                    Comparison(theta.name, secret.record, a, b, terms, members, whole=whole)
                    for terms in ways[: 1 if reading == "one-order" else 2]
                    if terms
                ]
        yield Family(theta.name, secret.record, tuple(found), members)


def posterior(engine: Engine, reading: str) -> Iterator[Family]:
    """The law of D(i) given B̂ and M(D) = t against that given B̂ and M(D with i set to b) = t, in both directions.

    b is any value of T (under `possible-values` one that B̂ leaves possible); t is any output that both can produce.
    """
    values = engine.model.values
    for theta, secret, members, joint in _cases(engine):
        _refuse_posteriors(joint, len(values))
        found = []
        factual = {heard.key: _jointly(heard, heard, b=None) for heard in joint.heard.values()}
        for position, b in enumerate(values):
            compared = [one for one in joint.heard.values() if b in one.laws or reading != "possible-values"]
            changed = engine.counterfactual(theta, secret, position, compared)
            for heard in compared:
                other = changed.heard.get(heard.key)
                first = factual[heard.key]
                second = _jointly(heard, other, b=b)
                for t in in_order(first):
                    if t not in second:
                        continue
                    pair = _posteriors(heard, first[t], second[t], secret.domain)
                    found += [
                        Comparison(
                            theta.name, secret.record, None, b, (Term(1, one),), heard.members * members, output=t
                        )
                        for one in pair[: 1 if reading == "one-order" else 2]
                    ]
        yield Family(theta.name, secret.record, tuple(found), members)


def _refuse_posteriors(joint: Joint, values: int) -> None:
    """Refuse too many posteriors before they are made: each output of each B̂, for each b and each value of D(i)."""
    laws = [law for heard in joint.heard.values() for law in heard.laws.values()]
    number = values * sum(len(law.law.keys) if isinstance(law, Image) else len(law) for law in laws)
    if number > MAX_POSTERIORS:
        raise LimitError(
            f"the posteriors have {number:,} probabilities",
            wanted=f"at most {MAX_POSTERIORS:,}",
            tip="use fewer records, values, outputs or knowledge values",
        )


def _jointly(heard: Heard, changed: Heard | None, *, b: Label | None) -> dict[Label, dict[Label, int]]:
    """P[D(i) = v, output = t | B̂] by t and v, up to a factor; where D(i) = b nothing is changed."""
    laws = {v: (heard if b is None or v == b or changed is None else changed).weights(v) for v in heard.masses}
    totals = {v: sum(law.values()) for v, law in laws.items()}
    shared = lcm(*totals.values())
    found: dict[Label, dict[Label, int]] = {}
    for v, law in laws.items():
        mass = int(heard.masses[v]) * (shared // totals[v])
        for t, weight in law.items():
            if weight:
                found.setdefault(t, {})[v] = mass * weight
    return {t: dict(zip(law, lowest(tuple(law.values())), strict=True)) for t, law in found.items()}


def _posteriors(
    heard: Heard, first: Mapping[Label, int], second: Mapping[Label, int], domain: tuple[Label, ...]
) -> list[Pair]:
    """Both posteriors, each against the other."""
    outputs = tuple(v for v in domain if v in first or v in second)
    laws = [tuple(law.get(v, 0) for v in outputs) for law in (first, second)]
    return [Pair(heard, outputs, laws[0], laws[1], FORWARD), Pair(heard, outputs, laws[1], laws[0], BACKWARD)]


def neighbouring(engine: Engine, reading: str) -> Iterator[Family]:
    """M(D) against M(D′) for all databases of Tⁿ that differ in one record."""
    values = engine.model.values
    found: dict[int, list[Comparison]] = {}
    alike: dict[int, int] = {}
    for pair, members in engine.neighbours():
        alike[pair.record] = members
        mine = found.setdefault(pair.record, [])
        if reading == "one-order" and pair.a > pair.b:
            continue

        def databases(pair: Neighbours = pair) -> tuple[Database, Database]:
            first = pair.database()
            return first, replaced(first, pair.record, pair.b)

        term = Term(1, pair_of(None, pair.first, pair.second))
        count = pair.multiplicity * members
        mine.append(Comparison(None, pair.record, values[pair.a], values[pair.b], (term,), count, databases))
    for record, comparisons in found.items():
        yield Family(None, record, tuple(comparisons), alike[record])
    if not found:
        yield from (Family(None, secret.record, ()) for secret in engine.model.secrets)


COMPARISONS: dict[str, Compare] = {
    "conditional": conditional,
    "counterfactual": counterfactual,
    "posterior": posterior,
    "neighbours": neighbouring,
}
"""The kinds of comparisons by name, for recipes; the name is also the `kind` of a witness."""
