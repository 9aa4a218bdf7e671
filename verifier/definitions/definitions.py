"""The definitions: comparisons × measure × aggregation, each a frozen object, and the registry.

The measure of all of them is the hockey-stick divergence Σ max(0, P(o) - e^ε·Q(o)) (DMKB20, Definition 1
and Lemma 1); what differs is which laws are compared, and whether the worst knowledge value or the average
counts.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass

from verifier.definitions.comparison import Comparison, Family, Term, pair_of
from verifier.definitions.conventions import READINGS
from verifier.definitions.dependency import dependent
from verifier.engine import Engine, Joint, Neighbours
from verifier.errors import InputError, UnsupportedError
from verifier.model import Database, Secret, Theta, replaced
from verifier.numbers import shorten
from verifier.tables import Label

Families = Callable[[Engine, str], Iterator[Family]]


@dataclass(frozen=True)
class Definition:
    """A privacy definition: `families` lists what it compares, under a reading.

    `key` is DMKB20's name in lower case; `aliases` are the names of other texts. `formula` is the definition
    as it is decided. `kind` says what a witness compares, `average` that a comparison averages over B̂. A definition
    that is only announced has no `families`.
    """

    key: str
    title: str
    source: str
    formula: str
    kind: str
    aliases: tuple[str, ...] = ()
    families: Families | None = None
    note: str = ""
    average: bool = False
    replaces_a_record: bool = False

    def __repr__(self) -> str:
        return f"<Definition {self.key}: {self.title} ({self.source})>"

    @property
    def readings(self) -> dict[str, str]:
        """The readings by name, `default` first."""
        return {"default": "as listed by `pkdp conventions`", **READINGS.get(self.key, {})}

    def reading(self, name: str) -> str:
        """Check the name of a reading."""
        if name not in self.readings:
            raise InputError(
                f"given the reading {shorten(name)} of {self.key}",
                wanted=f"one of {', '.join(self.readings)}",
            )
        return name


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


def each_knowledge(engine: Engine, reading: str) -> Iterator[Family]:
    """M(D) given B̂ and S = a against M(D) given B̂ and S = b, for every B̂ that is possible with both."""
    for theta, secret, members, joint in _cases(engine):
        found = [
            Comparison(
                theta.name,
                secret.record,
                a,
                b,
                (Term(1, pair_of(heard, heard.laws[a], heard.laws[b])),),
                heard.members * members,
            )
            for a, b in _ordered(_possible(secret, joint), reading)
            for heard in joint.heard.values()
            if a in heard.laws and b in heard.laws
        ]
        yield Family(theta.name, secret.record, tuple(found), members)


def average_knowledge(engine: Engine, reading: str) -> Iterator[Family]:
    """The same pairs, averaged over B̂ with the weights P[B̂ | S = a]."""
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


def set_afterwards(engine: Engine, reading: str) -> Iterator[Family]:
    """M(D) against M(D with i set to b), both given B̂ and D(i) = a, in both directions."""
    values = engine.model.values
    for theta, secret, members, joint in _cases(engine):
        found = []
        possible = _possible(secret, joint)
        for a in possible:
            for position, b in enumerate(values):
                if a == b or (reading != "all-values" and b not in possible):
                    continue
                compared = [one for one in joint.heard.values() if b in one.laws or reading == "all-values"]
                changed = engine.counterfactual(theta, secret, position, compared)
                for heard in compared:
                    if a not in heard.laws:
                        continue
                    p, q = heard.laws[a], changed.heard[heard.key].laws[a]
                    pairs = [pair_of(heard, p, q, FORWARD), pair_of(heard, q, p, BACKWARD)]
                    found += [
                        Comparison(theta.name, secret.record, a, b, (Term(1, pair),), heard.members * members)
                        for pair in pairs[: 1 if reading == "one-order" else 2]
                    ]
        yield Family(theta.name, secret.record, tuple(found), members)


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


dp = Definition(
    "dp",
    "differential privacy",
    "DMKB20, Definition 2",
    "M(D₁) ≈(ε,δ) M(D₂) for all D₁, D₂ ∈ Tⁿ that differ in one record",
    "neighbours",
    families=neighbouring,
    replaces_a_record=True,
)
np = Definition(
    "np",
    "noiseless privacy",
    "DMKB20, Definition 3",
    "M(D) | θ, B̂, D(i)=a ≈(ε,δ) M(D) | θ, B̂, D(i)=b for all θ, B̂, i and a, b possible given B̂",
    "conditional",
    ("npr", "noiseless"),
    each_knowledge,
    "np with δ and apkdp are one notion (DMKB20, Definition 12)",
)
apkdp = Definition(
    "apkdp",
    "active partial knowledge differential privacy",
    "DMKB20, Definition 12",
    "E[max(0, 1 - e^(ε - L(O, B̂)))] ≤ δ over O ~ M(D) | θ, B̂, D(i)=a, for all θ, B̂, i, a, b",
    "conditional",
    ("apk", "apk-dp"),
    each_knowledge,
    "np with δ and apkdp are one notion (DMKB20, Definition 12)",
)
ppkdp = Definition(
    "ppkdp",
    "passive partial knowledge differential privacy",
    "DMKB20, Definition 13",
    "E[max(0, 1 - e^(ε - L(O, B)))] ≤ δ over (B, O) | θ, D(i)=a, for all θ, i, a, b",
    "conditional",
    ("ppk", "ppk-dp"),
    average_knowledge,
    average=True,
)
cdp = Definition(
    "cdp",
    "causal differential privacy",
    "DMKB20, Definition 5",
    "M(D) | θ, B̂, D(i)=a ≈(ε,δ) M(D with i set to b) | θ, B̂, D(i)=a for all θ, B̂, i and a, b possible given B̂",
    "counterfactual",
    ("causdp", "causal"),
    set_afterwards,
    "CDP means concentrated differential privacy elsewhere",
    replaces_a_record=True,
)
dependency = Definition(
    "dependency",
    "bounded dependency of two mechanisms",
    "DMKB20, Definitions 17 and 18",
    "E[max(0, 1 - e^(μ - Dep(O₁, O₂ | B̂)))] ≤ ν over (O₁, O₂) | θ, B̂, D(i)=a, for all θ, i, a, b, B̂; ε is μ, δ is ν",
    "dependency",
    ("bounded-dependency",),
    dependent,
    "ε stands for μ and δ for ν; probability_b is the measure R with P·e^(-Dep) = R",
)
_LATER = (
    Definition(
        "ddp",
        "distributional differential privacy",
        "DMKB20, Definition 4",
        "",
        "simulator",
        ("distdp",),
        note="DDP means other things elsewhere",
    ),
    Definition("ibcdp", "inference-based causal differential privacy", "DMKB20, Definition 6", "", "posterior"),
)

DEFINITIONS: dict[str, Definition] = {d.key: d for d in (dp, np, apkdp, ppkdp, cdp)}
ON_REQUEST: dict[str, Definition] = {dependency.key: dependency}
"""Decided where they are asked for, but no part of a passport: they ask for models of a special form."""
ANNOUNCED: dict[str, Definition] = {d.key: d for d in _LATER}


def find(name: object) -> Definition:
    """A definition by its key or an alias.

    Raises:
        InputError: for an unknown name.

    """
    if isinstance(name, Definition):
        return name
    every = {**DEFINITIONS, **ON_REQUEST, **ANNOUNCED}
    text = str(name).strip().lower()
    for definition in every.values():
        if text == definition.key or text in definition.aliases:
            return definition
    raise InputError(
        f"given the definition {shorten(name)}", wanted=f"one of {', '.join(every)}", tip="pkdp definitions"
    )


def applies(definition: Definition, engine: Engine) -> Families:
    """The comparisons of a definition, or why it does not apply to the model.

    Raises:
        UnsupportedError: with what is missing.

    """
    if definition.families is None:
        raise UnsupportedError(
            f"{definition.key} is not decided by this version", tip=f"decided are {', '.join(DEFINITIONS)}"
        )
    if definition.replaces_a_record and not engine.model.protects_records:
        raise UnsupportedError(
            f"{definition.key} replaces the value of a record, but [sensitive] protects a function of the database",
            tip="np, apkdp, ppkdp and acceptability apply",
        )
    return definition.families
