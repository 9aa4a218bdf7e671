"""Box families: every parameter anywhere in a closed interval, decided by the corners of the box.

Let the records be independent, let each parameter stand in the law of one record, with entries that are affine in it,
let B be the values of some records K, and let the mechanism have no parameter. Then for np, apkdp, cdp and ppkdp at a
finite ε

- P and Q of one (i, a, b, B̂) are mixtures over the records outside K and i: affine in each of their parameters, and
  without those of K and i. So δ = Σ max(0, P - e^ε·Q) is convex in each parameter alone;
- the average of ppkdp has the weights P[B̂ | D(i) = a], products of one entry for each record of K: affine in each
  parameter of K, of which the δ of B̂ is free. So it is convex in each parameter alone, too.

A function that is convex in each parameter alone is largest at a corner: move one parameter after the other to an end
without making it smaller. At a corner an entry may be 0, and what conditions on it is not compared there; but then the
parameters of K and i are put in the middle of their intervals instead, where an entry is 0 only if it is 0 everywhere
(ppkdp: those of i; a B̂ with weight 0 counts for nothing). So with a third value for each interval at whose end an entry
is 0 the largest δ is attained, for every ε at once: the family satisfies (ε, δ) iff the model at each of these points
does. dp does not see the distribution. ibcdp compares posteriors, which are no affine functions, and a tail is no
convex one: they are refused.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from fractions import Fraction
from itertools import combinations_with_replacement, product
from math import comb, prod
from typing import Any

from verifier.definitions import DEFINITIONS, HOCKEY_STICK, Definition, Verdict, find
from verifier.definitions.compare import conditional, counterfactual, neighbouring
from verifier.engine import MAX_ROWS, Engine
from verifier.errors import InputError, LimitError, PkdpError, UnsupportedError
from verifier.model import Model
from verifier.model.parameters import Family, expression_of
from verifier.numbers import Delta, Epsilon, Function, delta_bound, exact_text
from verifier.numbers import epsilon as read_epsilon
from verifier.questions.ask import check
from verifier.wings.families.answer import FamilyAnswer, head, values_text
from verifier.wings.families.factor import Factor

MAX_PARAMETERS, MAX_CORNERS = 12, 1 << 12
Values = Mapping[str, Fraction]
MIXTURES = (neighbouring, conditional, counterfactual)
"""Comparisons of laws that are mixtures over the records outside K and i."""


@dataclass(frozen=True)
class BoxVerdict(FamilyAnswer):
    """The answer for all points of a box: that of its worst corner, an ordinary model, which is re-checked.

    `corners` is how many models were decided; `tight_delta` and `tight_epsilon` are the largest ones.
    """

    corners: int = 0
    worst: Values = field(default_factory=dict)
    answer: Verdict | None = None
    tight_delta: Delta | None = None
    tight_epsilon: Epsilon | None = None

    def __str__(self) -> str:
        said = {"fails": "fails", "holds": "holds in the whole box", "vacuous": "is vacuous in the whole box"}
        return f"{self.asked}: {said[self.verdict]}; the worst of {self.corners} corners is {values_text(self.worst)}"

    def to_json(self, max_digits: int = 200) -> dict[str, Any]:
        """One object of `pkdp check --json` for a box."""
        return {
            **head(self.family),
            "definition": self.definition,
            "method": "corners",
            "delta": exact_text(self.delta),
            "verdict": self.verdict,
            "corners": self.corners,
            "tight_delta": None if self.tight_delta is None else self.tight_delta.text(max_digits),
            "tight_epsilon": None if self.tight_epsilon is None else self.tight_epsilon.text(max_digits),
            "worst": {name: exact_text(value) for name, value in self.worst.items()},
            "answer": None if self.answer is None else self.answer.to_json(max_digits),
        }


def decide_box(
    family: Family,
    definition: Definition | str,
    *,
    epsilon: object = None,
    delta: object = 0,
    max_rows: int = MAX_ROWS,
) -> BoxVerdict:
    """Whether a definition holds at every point of a box, by its corners.

    Raises:
        InputError: for an ε, a δ or a definition that is none, and where the model is none at a corner.
        UnsupportedError: for a family, or a definition, to which the argument does not apply, with the reason.
        LimitError: for too many corners; refused before anything is computed.

    """
    question = find(definition)
    asked = None if epsilon is None else read_epsilon(epsilon, "epsilon")
    bound = delta_bound(delta)
    if not by_corners(question):
        wanted = ", ".join(sorted(key for key, known in DEFINITIONS.items() if by_corners(known)))
        raise UnsupportedError(f"{question.key} is not decided by corners", wanted=wanted)
    if asked is None or asked.is_infinite:
        raise UnsupportedError("the corners decide at a finite ε", wanted="an ε")
    refuse_others(family)
    worst: tuple[Values, Verdict] | None = None
    smallest: list[Verdict] = []
    count = 0
    for values in corners(family):
        model = family.at(values)
        engine = Engine(model, max_rows)
        answer = check(model, question, epsilon=asked, delta=bound, engine=engine, replay=False)
        count += 1
        if worst is None or _worse(answer, worst[1]):
            worst = values, answer
        smallest.append(answer)
    if worst is None:
        raise InputError("the family has no parameter", where=str(family.place), wanted="a box")
    values, _ = worst
    answer = check(family.at(values), question, epsilon=asked, delta=bound)
    factors = [one.tight_epsilon for one in smallest if isinstance(one.tight_epsilon, Epsilon)]
    return BoxVerdict(
        family,
        question.key,
        "default",
        Factor(family.names, asked),
        bound,
        answer.verdict,
        corners=count,
        worst=values,
        answer=answer,
        tight_delta=answer.tight_delta if isinstance(answer.tight_delta, Delta) else None,
        tight_epsilon=max(factors, default=None),
    )


def by_corners(definition: Definition) -> bool:
    """Whether δ of a definition is convex in each parameter: mixtures are compared, and no tail is counted."""
    return definition.compare in MIXTURES and definition.measure is HOCKEY_STICK


def _worse(one: Verdict, other: Verdict) -> bool:
    """Whether an answer says more than another one; a vacuous one says nothing."""
    if one.verdict not in {"holds", "fails"}:
        if one.verdict == "vacuous":
            return False
        raise UnsupportedError(f"the answer at a corner is {one.verdict}: {one.reason}")
    if other.verdict == "vacuous":
        return True
    if not (isinstance(one.tight_delta, Delta) and isinstance(other.tight_delta, Delta)):
        raise UnsupportedError("the smallest δ at a corner is known between bounds only")
    return other.tight_delta < one.tight_delta


def refuse_others(family: Family) -> None:
    """Refuse families to which the argument does not apply.

    Raises:
        UnsupportedError: with the reason.

    """
    where = str(family.place)
    if family.side:
        raise UnsupportedError(f"the condition {family.side[0]} makes the range no box", where=where)
    homes: dict[tuple[str, tuple[str, ...]], tuple[str, ...]] = {}
    for place, given in family.expressions:
        trail = place.trail
        at = next((k for k, step in enumerate(trail[:3]) if step == "independent"), None)
        if trail[0] != "distribution" or at is None:
            wanted = "parameters in the laws of `independent` records only"
            raise UnsupportedError(f"{given} stands at {place}", where=where, wanted=wanted)
        read = Function.read(given, family.names, sparse=True)
        if not read.bottom.is_constant() or max(read.degrees) > 1:
            raise UnsupportedError(f"{given} is not affine in each parameter", where=str(place))
        for name in given.names:
            home = homes.setdefault((name, trail[:at]), trail[: at + 2])
            if home != trail[: at + 2]:
                raise UnsupportedError(f"{name} stands in the laws of two records", where=str(place), wanted="one")
    model = family.at(_middle(family))
    for zeta in model.zetas:
        if not zeta.plain or zeta.kind == "component":
            raise UnsupportedError("what is known is no list of records", where=where, wanted="[knowledge] records")
    if not model.protects_records:
        raise UnsupportedError("what is protected is no record", where=where, wanted="[sensitive] records, or none")


def _ends(family: Family) -> dict[str, tuple[Fraction, Fraction]]:
    found = {}
    for one in family.parameters:
        if not one.low or not one.high or one.low.names | one.high.names or one.low_open or one.high_open:
            raise UnsupportedError(
                f"the range {one} is not closed",
                where=str(family.place),
                wanted='numbers: { from = "1/10", to = "9/10" }',
            )
        found[one.name] = one.low.at({}), one.high.at({})
    return found


def _middle(family: Family) -> Values:
    return {name: (low + high) / 2 for name, (low, high) in _ends(family).items()}


def corners(family: Family) -> Iterator[Values]:
    """The corners of the box, and where an entry is 0 at an end also the middle; of interchangeable records one order.

    Raises:
        LimitError: where they are too many.

    """
    ends = _ends(family)
    points: dict[str, tuple[Fraction, ...]] = {}
    for name, (low, high) in ends.items():
        third = {(low + high) / 2} if any(map(_zero(family, name, ends), (low, high))) else set()
        points[name] = tuple(sorted({low, high} | third))
    groups = _interchangeable(family, points)
    number = prod(comb(len(points[group[0]]) + len(group) - 1, len(group)) for group in groups)
    if number > MAX_CORNERS:
        raise LimitError(
            f"the box has {number:,} corners", wanted=f"at most {MAX_CORNERS:,}", tip="fix a parameter: p=1/7"
        )
    for chosen in product(*(combinations_with_replacement(points[group[0]], len(group)) for group in groups)):
        pairs = (pair for group, values in zip(groups, chosen, strict=True) for pair in zip(group, values, strict=True))
        found = dict(pairs)
        yield {name: found[name] for name in family.names}


def _zero(family: Family, name: str, ends: Mapping[str, tuple[Fraction, Fraction]]) -> Any:
    """Whether an entry can be 0 where the parameter has a value: at some corner of the others, so at one of theirs."""
    mine = [one for _, one in family.expressions if name in one.names]

    def zero(value: Fraction) -> bool:
        for one in mine:
            others = sorted(one.names - {name})
            for chosen in product(*(ends[other] for other in others)):
                if not one.at({name: value, **dict(zip(others, chosen, strict=True))}):
                    return True
        return False

    return zero


def _interchangeable(family: Family, points: Mapping[str, tuple[Fraction, ...]]) -> list[tuple[str, ...]]:
    """Parameters whose records may change places: the answers at a corner and at the changed one are the same."""
    homes = {name: _home(family, name) for name in family.names}
    model = family.at(_middle(family))
    groups: list[list[str]] = []
    for name in family.names:
        for group in groups:
            if points[group[0]] == points[name] and _alike(family, model, homes[group[0]], homes[name]):
                group.append(name)
                break
        else:
            groups.append([name])
    return [tuple(group) for group in groups]


def _home(family: Family, name: str) -> int | None:
    """The record in whose law a parameter stands, where it is one, its only parameter, in the only distribution."""
    trails = {place.trail[:-1] for place, one in family.expressions if name in one.names}
    shared = any(name in one.names and len(one.names) > 1 for _, one in family.expressions)
    given = family.raw.get("distribution", [])
    one = given if isinstance(given, Mapping) else given[0] if len(given) == 1 else None
    if one is None or shared or len(trails) != 1:
        return None
    (trail,) = trails
    return int(trail[-1].removeprefix("record "))


def _alike(family: Family, model: Model, first: int | None, second: int | None) -> bool:
    """Whether two records have the same law but for the name of the parameter, the same role, and the mechanism too."""
    if first is None or second is None:
        return False
    given = family.raw["distribution"]
    laws = (given if isinstance(given, Mapping) else given[0])["independent"]
    texts = [_renamed(laws[record], family) for record in (first, second)]
    known = [frozenset(zeta.records) for zeta in model.zetas]
    secret = {one.record for one in model.secrets}
    if texts[0] != texts[1] or any((first in one) != (second in one) for one in (*known, secret)):
        return False
    return _symmetric(model, first, second)


def _symmetric(model: Model, first: int, second: int) -> bool:
    """Whether the mechanism does not tell two records apart."""
    mechanism = model.mechanism
    if len(model.values) ** model.size > MAX_CORNERS:
        return False
    for database in mechanism.all_databases():
        changed = list(database)
        changed[first], changed[second] = changed[second], changed[first]
        try:
            if database[first] < database[second] and mechanism.law(database) != mechanism.law(tuple(changed)):
                return False
        except PkdpError:  # a table without this database
            return False
    return True


def _renamed(law: Mapping[str, object], family: Family) -> dict[str, object]:
    """A record's law with the value of each entry at two values of its parameter."""
    found: dict[str, object] = {}
    for key, value in law.items():
        one = expression_of(value, family.place, family.names) if isinstance(value, str) else None
        ends = (Fraction(1, 3), Fraction(1, 2))
        found[str(key)] = str(value) if one is None else tuple(one.at(dict.fromkeys(one.names, x)) for x in ends)
    return found
