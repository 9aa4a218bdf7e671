"""Whether θ has an acceptable normalization at a record (DMKB20, Definitions 7 and 8).

The short procedure, proved in `proofs/acceptability.md`: there is one iff all knowledge values B̂ look alike,
in that the multiset of pairs (S(ω), P[ω | B̂]) over the worlds ω of B̂ is the same for each. Then φ₀ says which
entry of that multiset the world is, φ₁ is B, and they are independent. Sorting decides it.

Where groups of records are independent, no worlds are listed (`Separate`). M(B̂) is the product of such multisets, one a
group. A multiset of positive numbers is an element of the group ring ℤ[ℝ], Σ x^(ln p), and the ring has no zero
divisors, so that a factor may be cancelled: M(B̂) is the same for every B̂ iff each group's multiset is the same for all
values of its known records.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Mapping
from dataclasses import dataclass, replace
from fractions import Fraction
from typing import Any

from verifier.definitions.answer import MOST_ROWS, REPR, WIDTH, Answer, cut_to, left_out, lines
from verifier.engine import MAX_ROWS
from verifier.engine.decomposition import RecordGroup, components, separable
from verifier.model import (
    NOTHING,
    Database,
    Mixture,
    Model,
    Secret,
    Theta,
    arguments,
    check_size,
    counted,
    need_distributions,
    need_model,
    subject_of,
)
from verifier.model.arguments import takes
from verifier.numbers import cut, exact_text, plural
from verifier.questions.normalization.generating_table import check_given, worlds_of
from verifier.tables import Label, Law, collected, label

LISTED_WORLDS = 1 << 14
"""Above this many worlds, acceptability is decided group by group where the groups are independent."""
MAX_ANSWERS = 1 << 16
"""Most records at which acceptability is asked for at once."""
Entry = tuple[Label, int, Database]
"""One world: S, its integer weight, and its database."""
Compare = Callable[[Mapping[Label, list[Entry]], Secret], str]
"""A function that returns the reason why the fibres of knowledge values differ; empty where they are alike."""


class Separate:
    """Acceptability of one distribution whose groups of records are independent, decided group by group."""

    def __init__(self, model: Model, theta: Theta, compare: Compare) -> None:
        self.model, self.compare = model, compare
        self.known = frozenset(theta.zeta.records)
        self.groups = components(theta.shape)[0].groups
        self.group_of = {i: group for group in self.groups for i in group.records}
        self._reasons: dict[object, str] = {}
        self.broken: tuple[RecordGroup, str] | None = None
        for group in self.groups:
            why = self._why(group, None)
            if why:
                self.broken = group, why
                break

    def reason(self, record: int) -> str:
        """The reason why there is no acceptable normalization at a record; empty where there is one."""
        own = self.group_of[record]
        why = self._why(own, record)
        if not why and self.broken:
            own, why = self.broken
        if why and len(own.records) > 1:
            return f"among the records {', '.join(map(str, own.records))}: {why}"
        return why

    def _why(self, group: RecordGroup, record: int | None) -> str:
        """The reason why a group's fibres differ between values of its known records; S is the protected record."""
        inside = tuple(i in self.known for i in group.records)
        position = None if record is None else group.records.index(record)
        key = group.rows, inside, position
        if not any(inside):
            return ""
        if key not in self._reasons or position is not None:
            fibres: dict[Label, list[Entry]] = {}
            for row, weight in group.rows:
                knowledge = label([self.model.values[v] for v, is_known in zip(row, inside, strict=True) if is_known])
                value = NO_SECRET if position is None else self.model.values[row[position]]
                fibres.setdefault(knowledge, []).append((value, weight, row))
            domain = (NO_SECRET,) if position is None else self.model.values
            self._reasons[key] = self.compare(fibres, Secret(record, domain))
        return self._reasons[key]


NO_SECRET = Label("", "")


def separates(model: Model, theta: Theta) -> bool:
    """Whether acceptability of a distribution may be decided group by group."""
    tells_records = theta.zeta.plain and theta.zeta.kind != "component"
    return (
        tells_records
        and model.protects_records
        and not isinstance(theta.shape, Mixture)
        and separable(model, theta.shape)
    )


@dataclass(frozen=True)
class Normalization:
    """A normalization: φ₀ (which determines S), φ₁ = B, and the world that each pair of values generates."""

    phi_0: Law
    phi_1: Law | None
    worlds: tuple[tuple[Label, Label, Database, Label], ...]
    """(value of φ₀, B̂, database, S)."""

    def fields(self, model: Model) -> dict[str, Any]:
        """The normalization as it stands in an answer about a model."""
        parameters = [{"name": "φ0", "table": _table(self.phi_0)}]
        if self.phi_1 is not None:
            parameters.append({"name": "φ1", "table": _table(self.phi_1)})
        return {
            "parameters": parameters,
            "knowledge": ["φ1"] if self.phi_1 else [],
            "table": [
                {
                    "when": [value, known] if self.phi_1 else [value],
                    "database": model.shown(database),
                    "knowledge": known,
                    "sensitive": sensitive,
                }
                for value, known, database, sensitive in self.worlds
            ],
        }

    def __repr__(self) -> str:
        law = ", ".join(f"{name}: {text}" for name, text in list(_table(self.phi_0).items())[:8])
        more = ", …" if len(self.phi_0.outcomes) > 8 else ""
        return cut(f"<Normalization φ₀ ~ {{{law}{more}}}{', φ₁ = B' if self.phi_1 else ''}>", REPR)


@dataclass(frozen=True)
class Acceptability(Answer):
    """Whether θ has an acceptable normalization at a record (None: at the protected function)."""

    model: Model
    distribution: str
    record: int | None
    acceptable: bool
    normalization: Normalization | None = None
    reason: str | None = None
    objections: tuple[str | None, ...] = ()
    """For each normalization that the file gives: None where it is accepted, else why not."""
    described: str = ""
    """The normalization in words, where its worlds are too many to list."""

    @property
    def verdict(self) -> str:
        """`acceptable` or `not acceptable`."""
        return "acceptable" if self.acceptable else "not acceptable"

    @property
    def exit_status(self) -> int:
        """The exit status of the command line: 1 if there is none, or the file's own is not accepted; else 0."""
        return int(not self.acceptable or any(self.objections))

    def __repr__(self) -> str:
        finding = "acceptable" if self.acceptable else f"not acceptable: {self.reason}"
        return cut(f'<Acceptability "{self.distribution}", {subject_of(self.record)}: {finding}>', REPR)

    def __str__(self) -> str:
        """Plain text: the verdict, and below it why, or the normalization."""
        verdict = cut_to(f'"{self.distribution}", {subject_of(self.record)}: {self.verdict}', WIDTH)
        why = (
            self.described or self.reason or repr(self.normalization).removeprefix("<Normalization ").removesuffix(">")
        )
        return "\n".join([verdict, *lines(why, "  ")])

    def fields(self) -> dict[str, Any]:
        """One entry of `pkdp acceptable --json`."""
        entry: dict[str, Any] = {
            "distribution": self.distribution,
            "record": self.record,
            "acceptable": self.acceptable,
        }
        if self.described:
            entry["normalization"] = {"described": self.described}
        elif self.normalization is None:
            entry["reason"] = self.reason
        else:
            entry["normalization"] = self.normalization.fields(self.model)
        if self.objections:
            entry["given"] = [{"accepted": why is None, "reason": why} for why in self.objections]
        return entry


class Acceptabilities(tuple[Acceptability, ...]):
    """The answers about acceptability, one for each distribution and each sensitive record, in their order."""

    __slots__ = ()

    def __repr__(self) -> str:
        return "\n".join(repr(answer) for answer in self) or "<Acceptabilities: none>"

    def __str__(self) -> str:
        return "\n".join([*map(str, self[:MOST_ROWS]), *left_out(len(self) - MOST_ROWS, "answer")]) or repr(self)


def _table(law: Law) -> dict[str, str]:
    return {o.text: exact_text(p) for o, p in law.chances()}


@takes(max_rows=arguments.number(0))
def acceptable(model: Model, max_rows: int = MAX_ROWS) -> Acceptabilities:
    """Decide acceptability for each distribution and each sensitive record.

    >>> from verifier.model import build
    >>> pair = build(
    ...     size=2,
    ...     values=[0, 1],
    ...     mechanism={"kind": "parity", "value": 1},
    ...     knowledge={"records": [0]},
    ...     distribution={"table": [{"database": [v, v], "probability": "1/2"} for v in (0, 1)]},
    ... )
    >>> print(acceptable(pair)[1].reason)
    B = [0] makes D(1) = 0 certain, B = [1] makes it 1: the knowledge determines the sensitive value

    Raises:
        UnsupportedError: for a model without a distribution.
        LimitError: for too many worlds or records.

    """
    need_model(model)
    need_distributions(model, "acceptability")
    answers = []
    fact = f"acceptability is asked for at {len(model.secrets):,} records"
    check_size(len(model.secrets), MAX_ANSWERS, fact, fixed="records")
    for theta in model.thetas:
        many_worlds = theta.count() > LISTED_WORLDS and not model.normalizations
        apart = Separate(model, theta, _differ) if many_worlds and separates(model, theta) else None
        for secret in model.secrets:
            answer = decide_apart(model, theta, secret, apart) if apart else decide(model, theta, secret, max_rows)
            objections = tuple(
                check_given(model, theta, secret, normalization)
                for normalization in model.normalizations
                if normalization.distribution == theta.name and normalization.record == secret.record
            )
            answers.append(replace(answer, objections=objections))
    return Acceptabilities(answers)


def decide_apart(model: Model, theta: Theta, secret: Secret, apart: Separate) -> Acceptability:
    """Decide acceptability at a record group by group, where the worlds are too many to list."""
    why = apart.reason(secret.record or 0)
    if why:
        return Acceptability(model, theta.name, secret.record, acceptable=False, reason=why)
    known = len(apart.known)
    words = "φ0 = D, nothing is known" if not known else "φ0 = what B leaves open, in the order of its worlds; φ1 = B"
    return Acceptability(model, theta.name, secret.record, acceptable=True, described=words)


def _differ(fibres: Mapping[Label, list[Entry]], secret: Secret) -> str:
    """The reason why the fibres of two knowledge values differ; empty where all are alike."""
    position = {value: k for k, value in enumerate(secret.domain)}
    for entries in fibres.values():
        entries.sort(key=lambda entry: (position[entry[0]], entry[1], entry[2]))
    (first, first_fibre), *remaining = fibres.items()
    mass = sum(weight for _, weight, _ in first_fibre)
    if why := _determined(fibres, secret):
        return why
    for knowledge, entries in remaining:
        other_mass = sum(weight for _, weight, _ in entries)
        alike = len(entries) == len(first_fibre) and all(
            x[0] == y[0] and x[1] * other_mass == y[1] * mass for x, y in zip(first_fibre, entries, strict=True)
        )
        if not alike:
            return _why((first, first_fibre, mass), (knowledge, entries, other_mass), secret)
    return ""


def decide(model: Model, theta: Theta, secret: Secret, max_rows: int = MAX_ROWS) -> Acceptability:
    """Decide whether θ has an acceptable normalization at a protected value (DMKB20, Definition 8).

    The fibres {(S(ω), P[ω | B̂])} of all knowledge values are compared with the fibre of the first one.

    Raises:
        LimitError: where θ has more than `max_rows` worlds.

    """
    check_size(theta.count(), max_rows, f'the distribution "{theta.name}" has {counted(theta.count())} worlds')
    worlds, _ = worlds_of(theta, secret)
    fibres = collected(
        (knowledge, (value, weight, database)) for (knowledge, value, database), weight in worlds.items()
    )
    if why := _differ(fibres, secret):
        return Acceptability(model, theta.name, secret.record, acceptable=False, reason=why)
    return Acceptability(model, theta.name, secret.record, acceptable=True, normalization=_build(model, fibres))


def _determined(fibres: Mapping[Label, list[Entry]], secret: Secret) -> str:
    """The reason where every B̂ makes S certain and two make it different; else empty."""
    certain = {knowledge: {value for value, _, _ in entries} for knowledge, entries in fibres.items()}
    if any(len(values) > 1 for values in certain.values()):
        return ""
    certain_values = [(knowledge, value) for knowledge, (value,) in certain.items()]
    first, value = certain_values[0]
    for knowledge, second_value in certain_values:
        if second_value != value:
            return (
                f"B = {first} makes {subject_of(secret.record)} = {value} certain, "
                f"B = {knowledge} makes it {second_value}: the knowledge determines the sensitive value"
            )
    return ""


def _why(left: tuple[Label, list[Entry], int], right: tuple[Label, list[Entry], int], secret: Secret) -> str:
    """The first difference of two fibres, as a sentence that a reader can check by eye."""
    name = subject_of(secret.record)
    for value in secret.domain:
        chances = [Fraction(sum(w for s, w, _ in entries if s == value), mass) for _, entries, mass in (left, right)]
        if chances[0] != chances[1]:
            return (
                f"P[{name} = {value} | B = {left[0]}] = {exact_text(chances[0])} but "
                f"P[{name} = {value} | B = {right[0]}] = {exact_text(chances[1])}: "
                "the knowledge depends on the sensitive value"
            )
    for value in secret.domain:
        lists = [[Fraction(w, mass) for s, w, _ in entries if s == value] for _, entries, mass in (left, right)]
        if len(lists[0]) != len(lists[1]):
            return (
                f"with {name} = {value}, B = {left[0]} leaves {plural(len(lists[0]), 'possible world')} but "
                f"B = {right[0]} leaves {plural(len(lists[1]), 'possible world')}: "
                "an injective parameter apart from B cannot count both"
            )
        if lists[0] != lists[1]:
            return (
                f"with {name} = {value}, the worlds have the probabilities {_listed(lists[0])} given B = {left[0]} but "
                f"{_listed(lists[1])} given B = {right[0]}: no parameter that is independent of B has both laws"
            )
    raise AssertionError("equal fibres were called different")


def _listed(chances: list[Fraction], most: int = 8) -> str:
    texts = [exact_text(chance, 40) for chance in chances[:most]]
    return "{" + ", ".join(texts) + (", …" if len(chances) > most else "") + "}"


def _build(model: Model, fibres: dict[Label, list[Entry]]) -> Normalization:
    """Name the entries of the common multiset; each is a value of φ₀."""
    fibre = next(iter(fibres.values()))
    names = _names(model, fibre, alone=len(fibres) == 1)
    phi_0 = Law.from_weights({name: weight for name, (_, weight, _) in zip(names, fibre, strict=True)})
    total = {knowledge: sum(weight for _, weight, _ in entries) for knowledge, entries in fibres.items()}
    knows = NOTHING not in fibres
    rows = tuple(
        (name, knowledge, database, value)
        for knowledge, entries in fibres.items()
        for name, (value, _, database) in zip(names, entries, strict=True)
    )
    return Normalization(phi_0, Law.from_weights(total) if knows else None, rows)


def _names(model: Model, entries: list[Entry], *, alone: bool) -> list[Label]:
    """Distinct names: the database where there is one B̂, the sensitive value where it is enough, else numbers."""
    databases = [label([model.values[v] for v in database]) for _, _, database in entries]
    if alone and len(set(databases)) == len(databases):
        return databases
    values = [value for value, _, _ in entries]
    often = Counter(values)
    used = {value for value, times in often.items() if times == 1}
    next_number = dict.fromkeys(values, 1)
    names = []
    for value in values:
        name = value
        while often[value] > 1 and (name == value or name in used):
            name = label(f"{value.text}#{next_number[value]}")
            next_number[value] += 1
        used.add(name)
        names.append(name)
    return names
