"""What a simulator must imitate (DMKB20, Definition 4), in plain rows, and what of it is really different.

A row is (θ, B̂, i, a) of positive probability, with the law P of M(D) and the law of the context given the row. A
context is what the simulator is told. Its law s(o | c) is the unknown; in a row its answers have the law
Q(o) = Σ_c P[c | row]·s(o | c).

The reductions are exact; `proofs/simulators.md` has the proofs.
"""

from __future__ import annotations

from collections.abc import Hashable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from fractions import Fraction
from typing import Any, NamedTuple, TypeAlias, TypeVar

from verifier.errors import UnsupportedError
from verifier.model import Database, Model, Secret, check_size, counted
from verifier.tables import Integer, Label, in_order

MAX_VISITS = 1 << 17
"""Most (world, record) visits of which a problem is made."""


class Context(NamedTuple):
    """What the simulator is told: the other records, and by the reading i, θ or B̂ (else None)."""

    others: Database
    record: int | None
    distribution: str | None
    knowledge: Label | None


@dataclass(frozen=True)
class Row:
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
    """Rows that share contexts, directly or through others, with everything alike merged.

    `laws[r][o]` is P of the merged output, times `total`; `beliefs[r][c]` the probability of the class of contexts. A
    class lists its contexts, or the first of them where it stands for `contexts` of them.
    """

    rows: tuple[Row, ...]
    multiplicity: int
    classes: tuple[tuple[Context, ...], ...]
    outputs: tuple[Merged, ...]
    laws: tuple[Vector, ...]
    beliefs: tuple[Vector, ...]
    total: Integer = 1
    contexts: int | None = None

    @property
    def shape(self) -> tuple[object, ...]:
        """Components of one shape have one answer."""
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
        found = []
        for c in range(len(self.classes)):
            mine = [law for law, belief in zip(self.laws, self.beliefs, strict=True) if belief[c]]
            quantifier = all if pure else any
            found.append([o for o in range(len(self.outputs)) if quantifier(law[o] for law in mine)])
        return found


def rows_of(model: Model, reading: str) -> Iterator[list[Row]]:
    """The rows that share contexts at all: one list for each record, or one for all records (`index-free`)."""
    visits = sum(theta.count() for theta in model.thetas) * len(model.secrets)
    check_size(visits, MAX_VISITS, f"a simulator is asked in {counted(visits)} (world, record) pairs")
    if not model.protects_records:
        raise UnsupportedError(
            "a simulator is told the other records, but [sensitive] protects a function of the database",
            tip="np, apkdp, ppkdp and acceptability apply",
        )
    each = [list(_rows(model, secret, reading)) for secret in model.secrets]
    yield from [[row for rows in each for row in rows]] if reading == "index-free" else each


def _rows(model: Model, secret: Secret, reading: str) -> Iterator[Row]:
    record = secret.record
    if record is None:
        raise UnsupportedError("a simulator is told the other records, but the secret is no record")
    for theta in model.thetas:
        laws: dict[tuple[int, Label], dict[Label, Fraction]] = {}
        contexts: dict[tuple[int, Label], dict[Context, Fraction]] = {}
        for world in theta.worlds():
            known, output = theta.known(world), model.mechanism.law(world.database)
            value = world.database[record]
            others = world.database[:record] + world.database[record + 1 :]
            for heard, part in known.items():
                weight = Fraction(world.weight * part, known.denominator)
                if not weight:
                    continue
                context = Context(
                    others,
                    None if reading == "index-free" else record,
                    theta.name if reading == "per-distribution" else None,
                    heard if reading == "per-knowledge" else None,
                )
                mine = contexts.setdefault((value, heard), {})
                mine[context] = mine.get(context, 0) + weight
                law = laws.setdefault((value, heard), {})
                for outcome, w in output.items():
                    law[outcome] = law.get(outcome, 0) + weight * w / output.denominator
        for value in range(len(secret.domain)):
            for (v, heard), mine in contexts.items():
                if v == value:
                    total = sum(mine.values(), Fraction(0))
                    law = {o: p / total for o, p in laws[v, heard].items()}
                    given = {c: p / total for c, p in mine.items()}
                    yield Row(theta.name, heard, record, secret.domain[v], law, given, total / theta.denominator)


def components(rows: Sequence[Row]) -> list[Component]:
    """The rows in parts that share no context, each reduced."""
    parent: dict[Context, Context] = {}

    def root(one: Context) -> Context:
        while parent[one] != one:
            parent[one] = parent[parent[one]]
            one = parent[one]
        return one

    for row in rows:
        first, *others = row.contexts
        parent.setdefault(first, first)
        for other in others:
            parent.setdefault(other, other)
            parent[root(other)] = root(first)
    parts: dict[Context, list[Row]] = {}
    for row in rows:
        parts.setdefault(root(next(iter(row.contexts))), []).append(row)
    return [_reduced(part) for part in parts.values()]


def _reduced(rows: Sequence[Row]) -> Component:
    contexts = list(dict.fromkeys(c for row in rows for c in row.contexts))
    columns: dict[Context, dict[int, Fraction]] = {c: {} for c in contexts}
    for r, row in enumerate(rows):
        for c, p in row.contexts.items():
            columns[c][r] = p
    classes = _alike((c, columns[c]) for c in contexts)
    beliefs = [tuple(sum((columns[c].get(r, Fraction(0)) for c, _ in one), Fraction(0)) for one in classes)
               for r in range(len(rows))]  # fmt: skip
    labels = in_order({o: None for row in rows for o in row.law})
    outputs = _alike((o, {r: row.law[o] for r, row in enumerate(rows) if row.law.get(o)}) for o in labels)
    laws = [tuple(sum((row.law.get(o, Fraction(0)) for o, _ in one), Fraction(0)) for one in outputs) for row in rows]
    first: dict[tuple[Vector, Vector], int] = {}
    for r, key in enumerate(zip(laws, beliefs, strict=True)):
        first.setdefault(key, r)
    return Component(
        tuple(rows[r] for r in first.values()),
        len(rows),
        tuple(tuple(c for c, _ in one) for one in classes),
        tuple(tuple((o, share / sum(s for _, s in one)) for o, share in one) for one in outputs),
        tuple(law for law, _ in first),
        tuple(belief for _, belief in first),
    )


Name = TypeVar("Name", bound=Hashable)


def _alike(columns: Iterable[tuple[Name, dict[int, Fraction]]]) -> list[list[tuple[Name, Fraction]]]:
    """Columns that are proportional, together; each with its size."""
    groups: dict[tuple[tuple[int, Fraction], ...], list[tuple[Name, Fraction]]] = {}
    for name, column in columns:
        size = sum(column.values(), Fraction(0))
        key = tuple((r, p / size) for r, p in sorted(column.items()))
        groups.setdefault(key, []).append((name, size))
    return list(groups.values())
