"""What a simulator must imitate (DMKB20, Definition 4), as rows, which are reduced to components.

A row is (θ, B̂, i, a) of positive probability, with the law P of M(D) and the law of the context given the row. A
context is what the simulator is told: the n - 1 other records, so that it knows n and record i is there; with i they
stand in their places, without i they are a multiset, so that no reading depends on how records are numbered. Its law
s(o | c) is the unknown; in a row its answers have the law Q(o) = Σ_c P[c | row]·s(o | c).

The reductions are exact; `proofs/simulators.md` has the proofs.
"""

from __future__ import annotations

from collections.abc import Hashable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from fractions import Fraction
from typing import Any, NamedTuple, TypeAlias, TypeVar

from verifier.errors import UnsupportedError
from verifier.model import Database, Model, Secret, check_size, counted
from verifier.model.policy import others_of
from verifier.tables import Integer, Label, collected, in_order

INDEX_FREE = "index-free"
"""The reading in which a simulator is told neither i nor an order: the multiset of the other records."""
MAX_VISITS = 1 << 17
"""Most pairs of a world and a record of which a problem is made."""


class Context(NamedTuple):
    """What the simulator is told: the other records, and by the reading i, θ or B̂ (else None).

    Without i the others are a multiset, in the order of T.
    """

    others: Database
    record: int | None
    distribution: str | None
    knowledge: Label | None


@dataclass(frozen=True)
class SimulatorRow:
    """One law to be imitated: M(D) given θ, B̂ and D(record) = a; `contexts` is the law of the context there."""

    distribution: str
    knowledge: Label
    record: int
    a: Label
    law: Mapping[Label, Fraction]
    contexts: Mapping[Context, Fraction]
    mass: Fraction
    """P[B̂, D(record) = a] under θ."""


Vector: TypeAlias = tuple[Fraction, ...]
Merged: TypeAlias = tuple[tuple[Label, Fraction], ...]
"""Outputs whose probabilities are proportional in all rows, each with its share of their sum."""


@dataclass(frozen=True)
class Component:
    """Rows that are connected by shared contexts; proportional outputs and contexts are merged.

    `laws[r][o]` is P of the merged output, times `total`; `beliefs[r][c]` the probability of the class of contexts. A
    class lists its contexts, or the first of them where it stands for `contexts` of them.
    """

    rows: tuple[SimulatorRow, ...]
    multiplicity: int
    classes: tuple[tuple[Context, ...], ...]
    outputs: tuple[Merged, ...]
    laws: tuple[Vector, ...]
    beliefs: tuple[Vector, ...]
    total: Integer = 1
    contexts: int | None = None

    @property
    def shape(self) -> tuple[object, ...]:
        """The laws, the beliefs and the total; components of equal shape have one smallest ε and δ."""
        return self.laws, self.beliefs, self.total

    def answers(self, pairs: Sequence[tuple[int, int]], strategy: Sequence[Any], E: Any) -> list[dict[int, Any]]:  # noqa: ARG002
        """The law that a strategy for the (class, output) `pairs` answers by at E, for each class of contexts."""
        laws: list[dict[int, Any]] = [{} for _ in self.classes]
        for (c, o), s in zip(pairs, strategy, strict=True):
            if s:
                laws[c][o] = s
        return laws

    def allowed(self, *, pure: bool) -> list[list[int]]:
        """The outputs worth answering in each class: those of some row that it belongs to; `pure`: of all (δ = 0)."""
        outputs = []
        for c in range(len(self.classes)):
            imitated = [law for law, belief in zip(self.laws, self.beliefs, strict=True) if belief[c]]
            quantifier = all if pure else any
            outputs.append([o for o in range(len(self.outputs)) if quantifier(law[o] for law in imitated)])
        return outputs


def rows_of(model: Model, reading: str) -> Iterator[list[SimulatorRow]]:
    """Yield lists of rows that may share contexts: one for each record, or one for all records (`index-free`).

    Raises:
        UnsupportedError: where [sensitive] protects a function of the database.
        LimitError: for more than `MAX_VISITS` pairs of a world and a record.

    """
    visits = sum(theta.count() for theta in model.thetas) * len(model.secrets)
    check_size(visits, MAX_VISITS, f"a simulator is asked in {counted(visits)} (world, record) pairs", fixed="pairs")
    if not model.protects_records:
        raise UnsupportedError(
            "a simulator is told the other records, but [sensitive] protects a function of the database",
            tip="np, apkdp, ppkdp and acceptability apply",
        )
    by_secret = [list(_rows(model, secret, reading)) for secret in model.secrets]
    yield from [[row for rows in by_secret for row in rows]] if reading == INDEX_FREE else by_secret


def _rows(model: Model, secret: Secret, reading: str) -> Iterator[SimulatorRow]:
    record = secret.record
    if record is None:
        raise UnsupportedError("a simulator is told the other records, but the secret is not a record")
    for theta in model.thetas:
        laws: dict[tuple[int, Label], dict[Label, Fraction]] = {}
        contexts: dict[tuple[int, Label], dict[Context, Fraction]] = {}
        for world in theta.worlds():
            value = world.database[record]
            if value == model.policy.absent:
                continue
            known, output = theta.known(world), model.mechanism.law(world.database)
            other_values = told_others(world.database, record, reading)
            for knowledge, share in known.items():
                weight = Fraction(world.weight * share, known.denominator)
                if not weight:
                    continue
                context = Context(
                    other_values,
                    None if reading == INDEX_FREE else record,
                    theta.name if reading == "per-distribution" else None,
                    knowledge if reading == "per-knowledge" else None,
                )
                context_weights = contexts.setdefault((value, knowledge), {})
                context_weights[context] = context_weights.get(context, 0) + weight
                law = laws.setdefault((value, knowledge), {})
                for outcome, w in output.items():
                    law[outcome] = law.get(outcome, 0) + weight * w / output.denominator
        for value in model.present:
            for (v, knowledge), context_weights in contexts.items():
                if v == value:
                    total = sum(context_weights.values(), Fraction(0))
                    law = {o: p / total for o, p in laws[v, knowledge].items()}
                    context_law = {c: p / total for c, p in context_weights.items()}
                    yield SimulatorRow(
                        theta.name, knowledge, record, secret.domain[v], law, context_law, total / theta.denominator
                    )


def told_others(database: Database, record: int, reading: str) -> Database:
    """The other records as the simulator is told them: in their places, or `index-free` their multiset."""
    if reading == INDEX_FREE:
        return others_of(database, record)
    return database[:record] + database[record + 1 :]


def components(rows: Sequence[SimulatorRow]) -> list[Component]:
    """The components into which shared contexts connect the rows, each reduced."""
    parent: dict[Context, Context] = {}

    def root(context: Context) -> Context:
        while parent[context] != context:
            parent[context] = parent[parent[context]]
            context = parent[context]
        return context

    for row in rows:
        first, *further = row.contexts
        parent.setdefault(first, first)
        for context in further:
            parent.setdefault(context, context)
            parent[root(context)] = root(first)
    groups = collected((root(next(iter(row.contexts))), row) for row in rows)
    return [_reduced(group) for group in groups.values()]


def _reduced(rows: Sequence[SimulatorRow]) -> Component:
    contexts = list(dict.fromkeys(c for row in rows for c in row.contexts))
    columns: dict[Context, dict[int, Fraction]] = {c: {} for c in contexts}
    for r, row in enumerate(rows):
        for c, p in row.contexts.items():
            columns[c][r] = p
    classes = _alike((c, columns[c]) for c in contexts)
    beliefs = [tuple(sum((columns[c].get(r, Fraction(0)) for c, _ in group), Fraction(0)) for group in classes)
               for r in range(len(rows))]  # fmt: skip
    labels = in_order({o: None for row in rows for o in row.law})
    outputs = _alike((o, {r: row.law[o] for r, row in enumerate(rows) if row.law.get(o)}) for o in labels)
    laws = [
        tuple(sum((row.law.get(o, Fraction(0)) for o, _ in group), Fraction(0)) for group in outputs) for row in rows
    ]
    first: dict[tuple[Vector, Vector], int] = {}
    for r, key in enumerate(zip(laws, beliefs, strict=True)):
        first.setdefault(key, r)
    return Component(
        tuple(rows[r] for r in first.values()),
        len(rows),
        tuple(tuple(c for c, _ in group) for group in classes),
        tuple(tuple((o, share / sum(s for _, s in group)) for o, share in group) for group in outputs),
        tuple(law for law, _ in first),
        tuple(belief for _, belief in first),
    )


Name = TypeVar("Name", bound=Hashable)


def _alike(columns: Iterable[tuple[Name, dict[int, Fraction]]]) -> list[list[tuple[Name, Fraction]]]:
    """Columns that are proportional, together; each with its size."""
    sized = ((name, column, sum(column.values(), Fraction(0))) for name, column in columns)
    groups = collected(
        (tuple((r, p / size) for r, p in sorted(column.items())), (name, size)) for name, column, size in sized
    )
    return list(groups.values())
