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
from verifier.definitions.builders.resolve import conditional, counterfactual, neighbouring
from verifier.engine import MAX_ROWS, Engine
from verifier.errors import InputError, LimitError, PkdpError, UnsupportedError
from verifier.model import Model
from verifier.model.parameters import Family, expression_of
from verifier.numbers import Delta, Epsilon, Function, delta_bound
from verifier.numbers import epsilon as read_epsilon
from verifier.questions.check import check
from verifier.wings.families.answer import FamilyAnswer, family_header, values_text
from verifier.wings.families.factor import ParametricEpsilon

MAX_PARAMETERS, MAX_CORNERS = 12, 1 << 12
Values = Mapping[str, Fraction]
MIXTURES = (neighbouring, conditional, counterfactual)
"""Comparisons of laws that are mixtures over the records outside K and i."""


@dataclass(frozen=True)
class BoxVerdict(FamilyAnswer):
    """The answer for all points of a box: the answer at its worst corner, which the checker re-checks.

    `corners` is how many models were decided; `tight_delta` and `tight_epsilon` are the largest ones.
    """

    corners: int = 0
    worst: Values = field(default_factory=dict)
    answer: Verdict | None = None
    tight_delta: Delta | None = None
    tight_epsilon: Epsilon | None = None

    def __str__(self) -> str:
        words = {"fails": "fails", "holds": "holds in the whole box", "vacuous": "is vacuous in the whole box"}
        worst = f"the worst of {self.corners} corners is {values_text(self.worst)}"
        return f"{self.question_text}: {words[self.verdict]}; {worst}"

    def fields(self) -> dict[str, Any]:
        """One object of `pkdp check --json` for a box."""
        return {
            **family_header(self.family),
            "definition": self.definition,
            "method": "corners",
            "delta": self.delta,
            "verdict": self.verdict,
            "corners": self.corners,
            "tight_delta": self.tight_delta,
            "tight_epsilon": self.tight_epsilon,
            "worst": self.worst,
            "answer": self.answer,
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
        InputError: for an invalid ε or δ, an unknown definition, and where the model is invalid at a corner.
        UnsupportedError: for a family, a definition or an ε to which the argument does not apply, with the reason.
        LimitError: for too many corners; refused before anything is computed.

    """
    question = find(definition)
    epsilon_bound = None if epsilon is None else read_epsilon(epsilon, "epsilon")
    bound = delta_bound(delta)
    if not by_corners(question):
        wanted = ", ".join(sorted(key for key, known in DEFINITIONS.items() if by_corners(known)))
        raise UnsupportedError(f"{question.key} is not decided by corners", wanted=wanted)
    if epsilon_bound is None or epsilon_bound.is_infinite:
        raise UnsupportedError("the corners decide at a finite ε", wanted="an ε")
    refuse_others(family)
    worst: tuple[Values, Verdict] | None = None
    smallest: list[Verdict] = []
    count = 0
    for values in corners(family):
        model = family.at(values)
        engine = Engine(model, max_rows)
        answer = check(model, question, epsilon=epsilon_bound, delta=bound, engine=engine, replay=False)
        count += 1
        if worst is None or _worse(answer, worst[1]):
            worst = values, answer
        smallest.append(answer)
    if worst is None:
        raise InputError("the family has no parameter", where=str(family.location), wanted="a box")
    values, _ = worst
    answer = check(family.at(values), question, epsilon=epsilon_bound, delta=bound)
    factors = [
        corner_answer.tight_epsilon for corner_answer in smallest if isinstance(corner_answer.tight_epsilon, Epsilon)
    ]
    return BoxVerdict(
        family,
        question.key,
        "default",
        ParametricEpsilon(family.names, epsilon_bound),
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


def _worse(answer: Verdict, worst: Verdict) -> bool:
    """Whether the smallest δ of an answer exceeds that of the worst answer so far; a vacuous answer exceeds none."""
    if answer.verdict not in {"holds", "fails"}:
        if answer.verdict == "vacuous":
            return False
        raise UnsupportedError(f"the answer at a corner is {answer.verdict}: {answer.reason}")
    if worst.verdict == "vacuous":
        return True
    if not (isinstance(answer.tight_delta, Delta) and isinstance(worst.tight_delta, Delta)):
        raise UnsupportedError("the smallest δ at a corner is known between bounds only")
    return worst.tight_delta < answer.tight_delta


def refuse_others(family: Family) -> None:
    """Refuse families to which the argument by corners does not apply.

    Raises:
        UnsupportedError: with the reason.

    """
    where = str(family.location)
    if family.side:
        raise UnsupportedError(f"the condition {family.side[0]} makes the range no box", where=where)
    homes: dict[tuple[str, tuple[str, ...]], tuple[str, ...]] = {}
    for where_in_file, expression in family.expressions:
        trail = where_in_file.trail
        depth = next((k for k, step in enumerate(trail[:3]) if step == "independent"), None)
        if trail[0] != "distribution" or depth is None:
            wanted = "parameters in the laws of `independent` records only"
            raise UnsupportedError(f"{expression} stands at {where_in_file}", where=where, wanted=wanted)
        entry = Function.read(expression, family.names, sparse=True)
        if not entry.bottom.is_constant() or max(entry.degrees) > 1:
            raise UnsupportedError(f"{expression} is not affine in each parameter", where=str(where_in_file))
        for name in expression.names:
            home = homes.setdefault((name, trail[:depth]), trail[: depth + 2])
            if home != trail[: depth + 2]:
                raise UnsupportedError(
                    f"{name} stands in the laws of two records", where=str(where_in_file), wanted="one"
                )
    model = family.at(_middle(family))
    for zeta in model.zetas:
        if not zeta.plain or zeta.kind == "component":
            raise UnsupportedError("what is known is no list of records", where=where, wanted="[knowledge] records")
    if not model.protects_records:
        raise UnsupportedError("what is protected is no record", where=where, wanted="[sensitive] records, or none")


def _ends(family: Family) -> dict[str, tuple[Fraction, Fraction]]:
    ends = {}
    for parameter in family.parameters:
        if (
            not parameter.low
            or not parameter.high
            or parameter.low.names | parameter.high.names
            or parameter.low_open
            or parameter.high_open
        ):
            raise UnsupportedError(
                f"the range {parameter} is not closed",
                where=str(family.location),
                wanted='numbers: { from = "1/10", to = "9/10" }',
            )
        ends[parameter.name] = parameter.low.at({}), parameter.high.at({})
    return ends


def _middle(family: Family) -> Values:
    return {name: (low + high) / 2 for name, (low, high) in _ends(family).items()}


def corners(family: Family) -> Iterator[Values]:
    """The points that decide a box: its corners, with a third value, the middle, where an entry is 0 at an end.

    Of points that differ only in the order of interchangeable records, one is listed.

    Raises:
        UnsupportedError: for a range without two closed numeric ends.
        LimitError: for more than `MAX_CORNERS` points.

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
        values_by_name = dict(pairs)
        yield {name: values_by_name[name] for name in family.names}


def _zero(family: Family, name: str, ends: Mapping[str, tuple[Fraction, Fraction]]) -> Any:
    """A test whether some entry is 0 at a value of one parameter, with the other parameters at some corner."""
    expressions = [expression for _, expression in family.expressions if name in expression.names]

    def zero(value: Fraction) -> bool:
        for expression in expressions:
            remaining = sorted(expression.names - {name})
            for chosen in product(*(ends[parameter] for parameter in remaining)):
                if not expression.at({name: value, **dict(zip(remaining, chosen, strict=True))}):
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
    """The record in whose law alone a parameter stands, as its only parameter, in the only distribution; else None."""
    trails = {where_in_file.trail[:-1] for where_in_file, expression in family.expressions if name in expression.names}
    shared = any(name in expression.names and len(expression.names) > 1 for _, expression in family.expressions)
    distributions = family.raw.get("distribution", [])
    distribution = (
        distributions if isinstance(distributions, Mapping) else distributions[0] if len(distributions) == 1 else None
    )
    if distribution is None or shared or len(trails) != 1:
        return None
    (trail,) = trails
    return int(trail[-1].removeprefix("record "))


def _alike(family: Family, model: Model, first: int | None, second: int | None) -> bool:
    """Whether two records have the same law but for the name of the parameter, the same role, and the mechanism too."""
    if first is None or second is None:
        return False
    distributions = family.raw["distribution"]
    laws = (distributions if isinstance(distributions, Mapping) else distributions[0])["independent"]
    texts = [_renamed(laws[record], family) for record in (first, second)]
    known = [frozenset(zeta.records) for zeta in model.zetas]
    secret = {secret.record for secret in model.secrets}
    if texts[0] != texts[1] or any((first in records) != (second in records) for records in (*known, secret)):
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
    """A record's law with each entry replaced by its values at two values of the parameter, whatever its name."""
    renamed: dict[str, object] = {}
    for key, value in law.items():
        expression = expression_of(value, family.location, family.names) if isinstance(value, str) else None
        ends = (Fraction(1, 3), Fraction(1, 2))
        renamed[str(key)] = (
            str(value) if expression is None else tuple(expression.at(dict.fromkeys(expression.names, x)) for x in ends)
        )
    return renamed
