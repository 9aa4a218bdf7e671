"""Θ-reducibility (DMKB20, Definition 14): all knowledge values see the same game under other names of the outputs.

M is Θ-reducible iff for all θ, i and all possible B₁, B₂ there is a bijection φ of the outputs with

    P[M(D) = O | D(i) = a, B₁] = P[M(D) = φ(O) | D(i) = a, B₂]     for all a and all O.

**How it is decided.** The column of an output O under B̂ is the vector over a of P[M(D) = O | D(i) = a, B̂]. φ maps every
output to one with the same column, so that there is one iff each column is there equally often under B₁ and B₂: iff
the multisets of columns are equal. Sorting decides it. Outputs with the column 0 need not be looked at: if the other
columns agree, equally many outputs are left over on both sides, in the outputs that M can produce as in any larger set.

**Geometric noise** has infinitely many outputs, and its tails decay by the factor p from one output to the next. The
multiset of columns is then decided by the formal sum Σ [v] - [p·v] over its columns v, in which a tail u, p·u, p²·u, …
is [u]. It determines the multiset: v occurs as often as the coefficients of v, v/p, v/p², … add up to.

**Readings.**

* a that B̂ excludes: the conditional probability is undefined. By default a B̂ that excludes a has no bijection to one
  that does not (`undefined` matches only `undefined`): Theorem 2 needs the same pairs (a, b) under both. Under
  `ignore-impossible` only the a that are possible with both B₁ and B₂ are compared; Theorem 2 then fails.
* one φ for each θ by default; under `one-bijection` the same φ for all θ in which B₁ and B₂ are possible (the paper's φ
  has no index θ).

Vacuous where every (θ, i) has one knowledge value only: then φ is the identity.

The paper leaves open what 𝒪 is (it does not matter, see above), and whether B̂ may have probability 0 (here: only
possible B̂). It calls the condition necessary for APKDP = PPKDP; by Theorem 2 it is sufficient.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from fractions import Fraction
from typing import Any, TypeAlias

from verifier.definitions.registry import readings_of
from verifier.engine import Engine, Joint, KnowledgeCase
from verifier.errors import InputError, UnsupportedError
from verifier.model import Model, Secret, Theta, arguments, check_size, need_model, subject_of
from verifier.model.arguments import takes
from verifier.model.model import need_distributions
from verifier.numbers import exact_text, shorten
from verifier.questions.properties.property import Property
from verifier.tables import Label, collected, in_order

NAME, SOURCE = "reducible", "DMKB20, Definition 14"
LISTED = 4096
"""Largest number of outputs, over all knowledge values, for which the bijections are listed."""
Column: TypeAlias = tuple[Fraction | None, ...]
"""P[M(D) = O | D(i) = a, B̂] by a; None where B̂ excludes a."""


@dataclass(frozen=True)
class KnownColumns:
    """The columns of all outputs given one knowledge value B̂; `defined` says which entries B̂ leaves possible."""

    knowledge: Label
    columns: Mapping[Label, Column]
    defined: tuple[bool, ...]
    members: int


@takes(engine=arguments.optional(arguments.one(Engine, "an Engine of the model")), reading=arguments.text)
def reducible(model: Model, engine: Engine | None = None, reading: str = "default") -> Property:
    """Decide Θ-reducibility, with the bijections from the first knowledge value, or the column that is in the way.

    >>> from verifier.model import build
    >>> keys = dict(size=2, values=[0, 1], distribution={"iid": {0: "1/2", 1: "1/2"}})
    >>> known = dict(knowledge={"records": [0]}, sensitive={"records": [1]})
    >>> print(reducible(build(**keys, **known, mechanism={"kind": "sum"})))
    reducible holds
    >>> print(reducible(build(**keys, **known, mechanism={"kind": "maximum"})).reason)
    in "#1", at D(1): the outputs with P[M(D) = O | D(1) = 0, 1] = (1, 0) are 1 given B = [0] but 0 given B = [1]

    Raises:
        InputError: for the name of no reading.
        LimitError: where there are too many outputs to compare.

    """
    need_model(model)
    engine = engine or Engine(model)
    try:
        need_distributions(model, NAME)
        return _decide(model, engine, known_reading(reading))
    except UnsupportedError as error:
        return Property(NAME, SOURCE, "unsupported", str(error), reading)


def known_reading(reading: str) -> str:
    """Return the name of a reading of Θ-reducibility, after a check.

    Raises:
        InputError: for the name of no reading.

    """
    if reading not in readings_of(NAME) and reading != "default":
        wanted = f"one of {', '.join(['default', *readings_of(NAME)])}"
        raise InputError(f"{NAME} has no reading {shorten(reading)}", wanted=wanted)
    return reading


def _decide(model: Model, engine: Engine, reading: str) -> Property:
    noise = noise_of(model)
    checked, empty, listed = 0, 0, []
    for index, knowledge_columns in cases_of(model, engine, reading):
        if sum(known.members for known in knowledge_columns) < 2:
            empty += 1
            continue
        checked += 1
        for first, second in _pairs(knowledge_columns, engine, reading):
            if why := _differ(first, second, index, noise, reading):
                where = f"{index.words}: " if index.words else ""
                evidence = {**index.named, "B1": first.knowledge.shown, "B2": second.knowledge.shown, **why[1]}
                return Property(NAME, SOURCE, "fails", where + why[0], reading, checked, empty, evidence)
        listed.append((index, knowledge_columns))
    if not checked:
        return Property(NAME, SOURCE, "vacuous", "there is one knowledge value only", reading, 0, empty)
    evidence = _bijections(listed, noise, reading)
    return Property(NAME, SOURCE, "holds", None, reading, checked, empty, evidence)


@dataclass(frozen=True)
class ColumnIndex:
    """The index set of the columns at one (θ, i): a name for each entry, and the lumped tails among the outputs."""

    distribution: str | None
    record: int | None
    entries: tuple[str, ...]
    tails: frozenset[str]
    """The outputs that are lumped tails of geometric noise."""
    width: int
    """The number of entries of one θ."""

    @property
    def words(self) -> str:
        """θ and i, in words."""
        who = f'in "{self.distribution}", ' if self.distribution is not None else ""
        return f"{who}at {subject_of(self.record)}"

    @property
    def named(self) -> dict[str, Any]:
        """θ, i and the entries, as fields of the evidence."""
        return {"distribution": self.distribution, "record": self.record, "values": list(self.entries)}


def cases_of(model: Model, engine: Engine, reading: str) -> Iterator[tuple[ColumnIndex, list[KnownColumns]]]:
    """The columns given each B̂, for every (θ, i); for every i where one bijection must serve all θ."""
    if reading != "one-bijection" or len(model.thetas) == 1:
        for theta in model.thetas:
            for secret, _ in engine.targets(theta):
                entries = tuple(v.text for v in secret.domain)
                index = ColumnIndex(theta.name, secret.record, entries, model.mechanism.tails, len(entries))
                yield index, _merged([(theta, engine.factual(theta, secret))], secret, engine)
        return
    engine = Engine(model, engine.max_rows, "table")  # classes of knowledge values differ from θ to θ
    for secret in model.secrets:
        joints = [(theta, engine.factual(theta, secret)) for theta in model.thetas]
        entries = tuple(f"{v} in {theta.name}" for theta in model.thetas for v in secret.domain)
        index = ColumnIndex(None, secret.record, entries, model.mechanism.tails, len(secret.domain))
        alone = all(sum(case.members for case in joint.cases.values()) < 2 for _, joint in joints)
        yield index, [] if alone else _merged(joints, secret, engine)


def _merged(joints: Sequence[tuple[Theta, Joint]], secret: Secret, engine: Engine) -> list[KnownColumns]:
    """The columns under each B̂, over the values of S of one θ, or of all."""
    width = len(secret.domain)
    size = sum(len(case.weights(v)) for _, joint in joints for case in joint.cases.values() for v in case.laws)
    check_size(size, engine.max_rows, f"the columns have {size:,} entries")
    entries: dict[Label, dict[Label, list[Fraction | None]]] = {}
    defined: dict[Label, list[bool]] = {}
    members: dict[Label, int] = {}
    full_width = width * len(joints)
    for number, (_, joint) in enumerate(joints):
        for case in joint.cases.values():
            known = case.label
            members[known] = max(members.get(known, 0), case.members)
            flags = defined.setdefault(known, [False] * full_width)
            columns = entries.setdefault(known, {})
            for k, law in _laws(case, secret):
                flags[number * width + k] = True
                for output, p in law.items():
                    columns.setdefault(output, [None] * full_width)[number * width + k] = p
    return [
        KnownColumns(
            known,
            {o: _filled(column, defined[known]) for o, column in columns_by_output.items()},
            tuple(defined[known]),
            members[known],
        )
        for known, columns_by_output in entries.items()
    ]


def _laws(case: KnowledgeCase, secret: Secret) -> Iterator[tuple[int, dict[Label, Fraction]]]:
    for k, value in enumerate(secret.domain):
        if value in case.laws:
            weights = case.weights(value)
            total = int(sum(weights.values()))
            yield k, {output: Fraction(int(w), total) for output, w in weights.items() if w}


def _filled(column: Sequence[Fraction | None], defined: Sequence[bool]) -> Column:
    return tuple((x or Fraction(0)) if is_defined else None for x, is_defined in zip(column, defined, strict=True))


def _pairs(
    knowledge_columns: Sequence[KnownColumns], engine: Engine, reading: str
) -> Iterator[tuple[KnownColumns, KnownColumns]]:
    """The pairs (B₁, B₂) to compare: the first B̂ with each other, since equality is transitive; else all pairs."""
    first = knowledge_columns if reading != "default" else knowledge_columns[:1]
    check_size(
        len(first) * len(knowledge_columns),
        engine.max_rows,
        f"there are {len(knowledge_columns):,} knowledge values to compare in pairs",
    )
    return (
        all_pairs(knowledge_columns)
        if reading != "default"
        else ((knowledge_columns[0], second) for second in knowledge_columns[1:])
    )


def all_pairs(knowledge_columns: Sequence[KnownColumns]) -> Iterator[tuple[KnownColumns, KnownColumns]]:
    """All pairs of two different knowledge values, each once."""
    return ((first, second) for k, first in enumerate(knowledge_columns) for second in knowledge_columns[k + 1 :])


def _differ(
    first: KnownColumns, second: KnownColumns, index: ColumnIndex, noise: Fraction | None, reading: str
) -> tuple[str, dict[str, Any]] | None:
    """The reason why there is no bijection, with its evidence; None where there is one."""
    subject, keep = subject_of(index.record), compared(first, second, index.width, reading)
    if why := unlike(first, second, index, keep):
        return why
    left, right = (_counted(known, keep, index.tails, noise) for known in (first, second))
    if left == right:
        return None
    column = next(c for c in [*left, *right] if left[c] != right[c])
    entries = ["undefined" if x is None else exact_text(x, 40) for x in column]
    column_text = f"P[M(D) = O | {subject} = {', '.join(index.entries[k] for k in keep)}] = ({', '.join(entries)})"
    if noise is not None:
        column_text += ", less those whose column is p times such a one,"
    times = f"{left[column]} given B = {first.knowledge} but {right[column]} given B = {second.knowledge}"
    exact = ["undefined" if x is None else str(x) for x in column]  # whole, so that it can be decided again
    return f"the outputs with {column_text} are {times}", {"column": exact, "times": [left[column], right[column]]}


def unlike(
    first: KnownColumns, second: KnownColumns, index: ColumnIndex, keep: Sequence[int]
) -> tuple[str, dict[str, Any]] | None:
    """The first value a that only one of two B̂ excludes, as a reason with its evidence; None where there is none."""
    for k in keep:
        if first.defined[k] != second.defined[k]:
            possible, excluded = (first, second) if first.defined[k] else (second, first)
            words = f"{subject_of(index.record)} = {index.entries[k]} is possible given B = {possible.knowledge}"
            evidence = {"value": index.entries[k], "column": None, "times": None}
            return f"{words} but not given B = {excluded.knowledge}", evidence
    return None


def compared(first: KnownColumns, second: KnownColumns, width: int, reading: str) -> list[int]:
    """The indices of the entries in which the columns of two B̂ must agree."""
    every = range(len(first.defined))
    if reading == "ignore-impossible":
        return [k for k in every if first.defined[k] and second.defined[k]]
    starts = range(0, len(every), width)
    possible = [any(known.defined[start : start + width]) for start in starts for known in (first, second)]
    return [k for k in every if possible[2 * (k // width)] and possible[2 * (k // width) + 1]]


def _counted(
    known: KnownColumns, keep: Sequence[int], tails: frozenset[str], noise: Fraction | None
) -> Counter[Column]:
    """The multiset of the columns v that are not 0; with geometric noise the formal sum Σ [v] - [p·v]."""
    counts: Counter[Column] = Counter()
    for output in in_order(known.columns):
        column = tuple(known.columns[output][k] for k in keep)
        if not any(column):
            continue
        if noise is None:
            counts[column] += 1
        elif output.text in tails:
            counts[_times(1 - noise, column)] += 1
        else:
            counts[column] += 1
            counts[_times(noise, column)] -= 1
    return counts if noise is None else Counter({c: n for c, n in counts.items() if n})


def _times(factor: Fraction, column: Column) -> Column:
    return tuple(None if x is None else factor * x for x in column)


def noise_of(model: Model) -> Fraction | None:
    """The parameter p of geometric noise that is the last step; None without noise.

    Raises:
        UnsupportedError: where tails of noise are parts of outputs, or pass through another step.

    """
    if not model.mechanism.tails:
        return None
    statistic = model.mechanism.statistic
    if statistic is None or not statistic.noise:
        raise UnsupportedError(
            "geometric noise has infinitely many outputs, here inside of others",
            tip="noise as the last step of one mechanism is decided",
        )
    return statistic.noise


def _bijections(
    listed: Sequence[tuple[ColumnIndex, Sequence[KnownColumns]]], noise: Fraction | None, reading: str
) -> dict[str, Any]:
    """φ from the first B̂ of each (θ, i) to the others, where they are few; then φ_{B₁,B₂} = φ_{B₀,B₂} ∘ φ_{B₀,B₁}⁻¹."""
    if noise is not None or reading != "default":
        return {"bijections": None}
    size = sum(len(known.columns) for _, knowledge_columns in listed for known in knowledge_columns)
    if size > LISTED:
        return {"bijections": None, "outputs": size}
    return {
        "bijections": [
            {
                "distribution": index.distribution,
                "record": index.record,
                "B1": knowledge_columns[0].knowledge.shown,
                "B2": known.knowledge.shown,
                "map": [[x.shown, y.shown] for x, y in matched(knowledge_columns[0], known)],
            }
            for index, knowledge_columns in listed
            for known in knowledge_columns[1:]
        ]
    }


def matched(first: KnownColumns, second: KnownColumns) -> list[tuple[Label, Label]]:
    """The bijection: pairs of outputs with equal columns, in order; outputs that neither B̂ can produce are left out."""
    waiting = collected((second.columns[output], output) for output in in_order(second.columns))
    return [(output, waiting[first.columns[output]].pop(0)) for output in in_order(first.columns)]
