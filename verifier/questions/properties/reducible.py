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

from verifier.definitions.conventions import readings_of
from verifier.engine import Engine, Heard, Joint
from verifier.errors import InputError, UnsupportedError
from verifier.model import Model, Secret, Theta, check_size, need_model, subject_of
from verifier.model.model import need_distributions
from verifier.numbers import exact_text, shorten
from verifier.questions.properties.property import Property
from verifier.tables import Label, in_order

NAME, SOURCE = "reducible", "DMKB20, Definition 14"
LISTED = 4096
"""Most outputs of all knowledge values together that are listed as bijections."""
Column: TypeAlias = tuple[Fraction | None, ...]
"""P[M(D) = O | D(i) = a, B̂] by a; None where B̂ excludes a."""


@dataclass(frozen=True)
class Seen:
    """What one knowledge value sees: the column of every output that has one."""

    knowledge: Label
    columns: Mapping[Label, Column]
    defined: tuple[bool, ...]
    members: int


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
        InputError: for a reading that is none.
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
    """Check the name of a reading."""
    if reading not in readings_of(NAME) and reading != "default":
        wanted = f"one of {', '.join(['default', *readings_of(NAME)])}"
        raise InputError(f"given the reading {shorten(reading)} of {NAME}", wanted=wanted)
    return reading


def _decide(model: Model, engine: Engine, reading: str) -> Property:
    noise = noise_of(model)
    checked, empty, listed = 0, 0, []
    for place, seen in cases_of(model, engine, reading):
        if sum(one.members for one in seen) < 2:
            empty += 1
            continue
        checked += 1
        for first, second in _pairs(seen, engine, reading):
            if why := _differ(first, second, place, noise, reading):
                where = f"{place.words}: " if place.words else ""
                evidence = {**place.named, "B1": first.knowledge.shown, "B2": second.knowledge.shown, **why[1]}
                return Property(NAME, SOURCE, "fails", where + why[0], reading, checked, empty, evidence)
        listed.append((place, seen))
    if not checked:
        return Property(NAME, SOURCE, "vacuous", "there is one knowledge value only", reading, 0, empty)
    evidence = _bijections(listed, noise, reading)
    return Property(NAME, SOURCE, "holds", None, reading, checked, empty, evidence)


@dataclass(frozen=True)
class Place:
    """θ and i, and the names of the entries of a column."""

    distribution: str | None
    record: int | None
    entries: tuple[str, ...]
    tails: frozenset[str]
    """The lumped tails among the outputs."""
    width: int
    """Entries of one θ."""

    @property
    def words(self) -> str:
        """θ and i for a reason."""
        who = f'in "{self.distribution}", ' if self.distribution is not None else ""
        return f"{who}at {subject_of(self.record)}"

    @property
    def named(self) -> dict[str, Any]:
        """θ and i for an answer."""
        return {"distribution": self.distribution, "record": self.record, "values": list(self.entries)}


def cases_of(model: Model, engine: Engine, reading: str) -> Iterator[tuple[Place, list[Seen]]]:
    """What each B̂ sees, for every (θ, i); for every i where one bijection must serve all θ."""
    if reading != "one-bijection" or len(model.thetas) == 1:
        for theta in model.thetas:
            for secret, _ in engine.targets(theta):
                entries = tuple(v.text for v in secret.domain)
                place = Place(theta.name, secret.record, entries, model.mechanism.tails, len(entries))
                yield place, _merged([(theta, engine.factual(theta, secret))], secret, engine)
        return
    engine = Engine(model, engine.max_rows, "table")  # classes of knowledge values differ from θ to θ
    for secret in model.secrets:
        joints = [(theta, engine.factual(theta, secret)) for theta in model.thetas]
        entries = tuple(f"{v} in {theta.name}" for theta in model.thetas for v in secret.domain)
        place = Place(None, secret.record, entries, model.mechanism.tails, len(secret.domain))
        alone = all(sum(one.members for one in joint.heard.values()) < 2 for _, joint in joints)
        yield place, [] if alone else _merged(joints, secret, engine)


def _merged(joints: Sequence[tuple[Theta, Joint]], secret: Secret, engine: Engine) -> list[Seen]:
    """The columns under each B̂, over the values of S of one θ, or of all."""
    width = len(secret.domain)
    size = sum(len(heard.weights(v)) for _, joint in joints for heard in joint.heard.values() for v in heard.laws)
    check_size(size, engine.max_rows, f"the columns have {size:,} entries")
    entries: dict[Label, dict[Label, list[Fraction | None]]] = {}
    defined: dict[Label, list[bool]] = {}
    members: dict[Label, int] = {}
    whole = width * len(joints)
    for number, (_, joint) in enumerate(joints):
        for heard in joint.heard.values():
            known = heard.label
            members[known] = max(members.get(known, 0), heard.members)
            flags = defined.setdefault(known, [False] * whole)
            mine = entries.setdefault(known, {})
            for k, law in _laws(heard, secret):
                flags[number * width + k] = True
                for output, p in law.items():
                    mine.setdefault(output, [None] * whole)[number * width + k] = p
    return [
        Seen(
            known,
            {o: _filled(column, defined[known]) for o, column in mine.items()},
            tuple(defined[known]),
            members[known],
        )
        for known, mine in entries.items()
    ]


def _laws(heard: Heard, secret: Secret) -> Iterator[tuple[int, dict[Label, Fraction]]]:
    for k, value in enumerate(secret.domain):
        if value in heard.laws:
            weights = heard.weights(value)
            total = int(sum(weights.values()))
            yield k, {output: Fraction(int(w), total) for output, w in weights.items() if w}


def _filled(column: Sequence[Fraction | None], defined: Sequence[bool]) -> Column:
    return tuple((x or Fraction(0)) if told else None for x, told in zip(column, defined, strict=True))


def _pairs(seen: Sequence[Seen], engine: Engine, reading: str) -> Iterator[tuple[Seen, Seen]]:
    """Equality of multisets is transitive, so that the first is compared with all; of parts of columns it is not."""
    first = seen if reading != "default" else seen[:1]
    check_size(len(first) * len(seen), engine.max_rows, f"there are {len(seen):,} knowledge values to compare in pairs")
    return all_pairs(seen) if reading != "default" else ((seen[0], other) for other in seen[1:])


def all_pairs(seen: Sequence[Seen]) -> Iterator[tuple[Seen, Seen]]:
    """Every two knowledge values."""
    return ((one, other) for k, one in enumerate(seen) for other in seen[k + 1 :])


def _differ(
    first: Seen, second: Seen, place: Place, noise: Fraction | None, reading: str
) -> tuple[str, dict[str, Any]] | None:
    """Why there is no bijection, in words and for the evidence; None where there is one."""
    subject, keep = subject_of(place.record), compared(first, second, place.width, reading)
    if why := unlike(first, second, place, keep):
        return why
    left, right = (_counted(one, keep, place.tails, noise) for one in (first, second))
    if left == right:
        return None
    column = next(c for c in [*left, *right] if left[c] != right[c])
    shown = ["undefined" if x is None else exact_text(x, 40) for x in column]
    what = f"P[M(D) = O | {subject} = {', '.join(place.entries[k] for k in keep)}] = ({', '.join(shown)})"
    if noise is not None:
        what += ", less those whose column is p times such a one,"
    times = f"{left[column]} given B = {first.knowledge} but {right[column]} given B = {second.knowledge}"
    return f"the outputs with {what} are {times}", {"column": shown, "times": [left[column], right[column]]}


def unlike(first: Seen, second: Seen, place: Place, keep: Sequence[int]) -> tuple[str, dict[str, Any]] | None:
    """The first a that only one of two B̂ excludes."""
    for k in keep:
        if first.defined[k] != second.defined[k]:
            one, other = (first, second) if first.defined[k] else (second, first)
            words = f"{subject_of(place.record)} = {place.entries[k]} is possible given B = {one.knowledge}"
            evidence = {"value": place.entries[k], "column": None, "times": None}
            return f"{words} but not given B = {other.knowledge}", evidence
    return None


def compared(first: Seen, second: Seen, width: int, reading: str) -> list[int]:
    """The entries of columns that must agree."""
    every = range(len(first.defined))
    if reading == "ignore-impossible":
        return [k for k in every if first.defined[k] and second.defined[k]]
    starts = range(0, len(every), width)
    possible = [any(one.defined[start : start + width]) for start in starts for one in (first, second)]
    return [k for k in every if possible[2 * (k // width)] and possible[2 * (k // width) + 1]]


def _counted(seen: Seen, keep: Sequence[int], tails: frozenset[str], noise: Fraction | None) -> Counter[Column]:
    """How often each column occurs that is not 0; with noise, Σ [v] - [p·v]."""
    found: Counter[Column] = Counter()
    for output in in_order(seen.columns):
        column = tuple(seen.columns[output][k] for k in keep)
        if not any(column):
            continue
        if noise is None:
            found[column] += 1
        elif output.text in tails:
            found[_times(1 - noise, column)] += 1
        else:
            found[column] += 1
            found[_times(noise, column)] -= 1
    return found if noise is None else Counter({c: n for c, n in found.items() if n})


def _times(factor: Fraction, column: Column) -> Column:
    return tuple(None if x is None else factor * x for x in column)


def noise_of(model: Model) -> Fraction | None:
    """The p of geometric noise as the last step.

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


def _bijections(listed: Sequence[tuple[Place, Sequence[Seen]]], noise: Fraction | None, reading: str) -> dict[str, Any]:
    """φ from the first B̂ of each (θ, i) to the others, where they are few; then φ_{B₁,B₂} = φ_{B₀,B₂} ∘ φ_{B₀,B₁}⁻¹."""
    if noise is not None or reading != "default":
        return {"bijections": None}
    size = sum(len(one.columns) for _, seen in listed for one in seen)
    if size > LISTED:
        return {"bijections": None, "outputs": size}
    return {
        "bijections": [
            {
                "distribution": place.distribution,
                "record": place.record,
                "B1": seen[0].knowledge.shown,
                "B2": one.knowledge.shown,
                "map": [[x.shown, y.shown] for x, y in matched(seen[0], one)],
            }
            for place, seen in listed
            for one in seen[1:]
        ]
    }


def matched(first: Seen, second: Seen) -> list[tuple[Label, Label]]:
    """Outputs with equal columns, in their order; the outputs that neither B̂ can produce are left out."""
    waiting: dict[Column, list[Label]] = {}
    for output in in_order(second.columns):
        waiting.setdefault(second.columns[output], []).append(output)
    return [(output, waiting[first.columns[output]].pop(0)) for output in in_order(first.columns)]
