"""From enclosures to a verdict, where the exact weights would be too long: certain, or `undecided`."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass
from fractions import Fraction
from functools import partial
from typing import Any

from verifier.definitions.builders.resolve import BACKWARD, FORWARD, comparing, conditional, counterfactual
from verifier.definitions.compared_kinds import NOTHING_COMPARED
from verifier.definitions.comparison import HOCKEY_STICK
from verifier.definitions.definition import Definition
from verifier.definitions.verdict import NO_DELTA, Question, Verdict, Witness
from verifier.engine import Engine
from verifier.engine.balls import Counted, pairs_of
from verifier.errors import UnsupportedError
from verifier.model import Model, Secret
from verifier.numbers import (
    INFINITY,
    ZERO,
    CoarseError,
    Dyadic,
    Enclosure,
    Epsilon,
    Order,
    arb_of,
    log_epsilon,
    refined,
)
from verifier.numbers.order import MAX_BALL_PRECISION
from verifier.tables import Label, label

HALVINGS = 400
"""Most steps in the search for the smallest ε."""


@dataclass(frozen=True, eq=False)
class EnclosedComparison:
    """The comparison of two values (a, b) of a target.

    `counted` says whether P is the law where the target is counted, and Q the law where it is not, or the reverse;
    None where the two laws are equal.
    """

    distribution: str
    secret: Secret
    a: Label
    b: Label
    counted: bool | None
    counts: Counted
    average: bool
    direction: str | None
    classes: int

    @property
    def record(self) -> int | None:
        """The record; None where a function is protected."""
        return self.secret.record

    @property
    def output(self) -> Label | None:
        """None: no posteriors are compared."""
        return None

    def ball(self, epsilon: Epsilon) -> Any:
        """δ(ε) as an Arb ball, at the precision in force."""
        from flint import arb

        if self.counted is None:
            return arb(0)
        find = self.counts.average if self.average else self.counts.worst
        return find(epsilon, counted=self.counted)

    @property
    def lost(self) -> bool:
        """Whether no finite ε is enough at δ = 0."""
        return self.counted is not None and self.counts.lost(counted=self.counted)


def decide_enclosed(question: Question) -> Verdict:
    """Decide a definition by enclosures at rising precision.

    Raises:
        UnsupportedError: for a definition or a reading that enclosures do not decide.
        UndecidedError: where no precision within the limit gives a number.

    """
    definition, epsilon, bound, digits = question.definition, question.epsilon, question.delta, question.digits
    cases, empty = _cases(question.engine, definition, question.reading)
    verdict = partial(question.answer, method="enclosure", _at=lambda at: _largest(cases, at, digits)[1])
    if not cases:
        return verdict("vacuous", NOTHING_COMPARED, NO_DELTA, ZERO, empty=empty, _at=lambda _: NO_DELTA)
    numbers = {
        "comparisons": sum(case.classes for case in cases),
        "multiplicity": None,
        "empty": empty,
    }
    tight_epsilon = _tight_epsilon(cases, bound, digits)
    if epsilon is None:
        if tight_epsilon is None:
            return verdict("undecided", NO_EPSILON, **numbers)
        holds = not tight_epsilon.is_infinite
        evidence_of = partial(_worst, question.engine.model, definition, cases, _ends(tight_epsilon), digits)
        return verdict(_word(holds), None, None, tight_epsilon, **numbers, **_evidence(evidence_of, holds=holds))
    certain = refined(
        lambda: _maximum(cases, epsilon), lambda x: x.sharp(digits) and x.order(bound) is not Order.UNDECIDED, digits
    )
    order = certain.order(bound)
    if order is Order.UNDECIDED:
        return verdict("undecided", LIMIT, certain, tight_epsilon, **numbers)
    holds = order is not Order.GREATER
    evidence_of = partial(_worst, question.engine.model, definition, cases, epsilon, digits)
    return verdict(_word(holds), None, certain, tight_epsilon, **numbers, **_evidence(evidence_of, holds=holds))


NO_EPSILON = "the smallest ε is finite, but enclosures do not find it at δ = 0"
LIMIT = "the enclosure straddles the bound at the limit of precision"


def _word(holds: bool) -> str:  # noqa: FBT001
    return "holds" if holds else "fails"


def _evidence(evidence_of: Callable[[], Witness], *, holds: bool) -> dict[str, Any]:
    return {"_tightest" if holds else "_witness": evidence_of}


def _ends(epsilon: Epsilon | Enclosure) -> Epsilon:
    """An ε at which the worst comparison is looked for."""
    return log_epsilon(max(Fraction(1), epsilon.high.value)) if isinstance(epsilon, Enclosure) else epsilon


def _cases(engine: Engine, definition: Definition, reading: str) -> tuple[list[EnclosedComparison], int]:
    if definition.compare not in {conditional, counterfactual} or definition.measure is not HOCKEY_STICK:
        raise UnsupportedError(
            f"enclosures are not made for {definition.key}: they take the hockey-stick divergence of a target's values",
            tip="use fewer records, with engine= sum",
        )
    if reading not in {"default", "one-order"}:
        raise UnsupportedError(f"enclosures have no reading {reading}", tip="use fewer records, or engine= sum")
    cases, empty = [], 0
    changed = definition.compare is counterfactual
    for theta in engine.model.thetas:
        balls = engine.enclosed(theta)
        for target in balls.targets:
            possible = [v for v in target.values if not changed or v in engine.model.present]
            if target.known or len(possible) < 2:
                empty += target.members
                continue
            counts = balls.counted_of(target)
            classes = 1 if definition.aggregation.averages else counts.known_count.size + 1
            for a, b, counted in pairs_of(balls, possible, one_order=reading == "one-order" and not changed):
                values = engine.model.values[a], engine.model.values[b]
                case = partial(EnclosedComparison, theta.name, target.secret, *values)
                ways = [(counted, FORWARD if changed else None)]
                if changed and reading != "one-order":
                    ways.append((None if counted is None else not counted, BACKWARD))
                cases += [case(way, counts, definition.aggregation.averages, name, classes) for way, name in ways]
    return cases, empty


def _maximum(cases: list[EnclosedComparison], epsilon: Epsilon) -> Any:
    """The largest δ(ε) of all, as a ball."""
    balls = [case.ball(epsilon) for case in _different(cases)]
    best = balls[0]
    for ball in balls[1:]:
        best = best.max(ball)
    return best


def _different(cases: list[EnclosedComparison]) -> Iterator[EnclosedComparison]:
    """One comparison of each set of comparisons with the same δ(ε)."""
    different = set()
    for case in cases:
        key = id(case.counts), case.counted, case.average
        if key not in different:
            different.add(key)
            yield case


def _largest(cases: list[EnclosedComparison], epsilon: Epsilon, digits: int) -> tuple[EnclosedComparison, Enclosure]:
    """The first comparison that no other exceeds for certain, and its enclosure."""
    enclosures = [(case, _enclosed(case, epsilon, digits)) for case in _different(cases)]
    best = enclosures[0]
    for pair in enclosures[1:]:
        if pair[1].low.order(best[1].high.value) is Order.GREATER:
            best = pair
    return best


def _enclosed(case: EnclosedComparison, epsilon: Epsilon, digits: int) -> Enclosure:
    return refined(lambda: case.ball(epsilon), lambda x: x.sharp(digits), digits)


def _tight_epsilon(cases: list[EnclosedComparison], bound: Fraction, digits: int) -> Epsilon | Enclosure | None:
    """The smallest ε at which δ(ε) ≤ bound, between two rationals at which it is certain; None where it is not."""
    if bound == 1:
        return ZERO
    if bound == 0:
        if any(case.lost for case in cases):
            return INFINITY
    else:
        at_infinity = _order(cases, INFINITY, bound, digits)
        if at_infinity is not Order.LESS:
            return INFINITY if at_infinity is Order.GREATER else None
    if _order(cases, ZERO, bound, digits) in {Order.LESS, Order.EQUAL}:
        return ZERO
    if bound == 0:
        return None
    return _root(lambda at: _excess(cases, at, bound, digits), digits)


def _root(excess: Callable[[Fraction], Enclosure], digits: int) -> Enclosure | None:
    """Where a falling function changes its sign, between two dyadic rationals where the sign is certain.

    Secants through the last two points propose where to look; only certain signs move the ends.
    """
    low, high = Fraction(0), Fraction(1)
    points = [(low, excess(low)), (high, excess(high))]
    while points[1][1].order(Fraction(0)) is Order.GREATER:
        low, high = high, 2 * high
        points = [points[1], (high, excess(high))]
    for step in range(HALVINGS):
        between = Enclosure.between(low, high, digits)
        if between.sharp(digits):
            return between
        unit = Fraction(1, 1 << (Dyadic.of(low or high).bits + 4 * digits))
        for at in _proposals(points, low, high, unit, halve=step % 4 == 3):
            value = excess(at)
            order = value.order(Fraction(0))
            if order is Order.UNDECIDED:
                return None
            points = [points[-1], (at, value)]
            low, high = (at, high) if order is Order.GREATER else (low, at)
    return None


def _proposals(
    points: list[tuple[Fraction, Enclosure]], low: Fraction, high: Fraction, unit: Fraction, *, halve: bool
) -> Iterator[Fraction]:
    """Where the line through two points is 0, a little before and after it, or the middle."""
    (x0, y0), (x1, y1) = ((x, y.low.rounded(64)) for x, y in points)
    if halve or y0 == y1:
        yield (low + high) / 2
        return
    at = x1 - y1 * (x1 - x0) / (y1 - y0)
    near = [at - unit, at + unit] if abs(at - x1) < 1024 * unit else [at]
    inside = [round(point / unit) * unit for point in near if low < point < high]
    yield from inside or [(low + high) / 2]


def _excess(cases: list[EnclosedComparison], at: Fraction, bound: Fraction, digits: int) -> Enclosure:
    """ln(δ(ε)/bound), or a number below 0 where δ(ε) is 0."""
    epsilon = Epsilon("rational", at)

    def ball() -> Any:
        from flint import arb

        value, level = _maximum(cases, epsilon), arb_of(bound)
        if value > 0:
            return (value / level).log()
        if value < level:
            return arb(-1)
        raise CoarseError

    return refined(ball, lambda x: x.order(Fraction(0)) is not Order.UNDECIDED, digits, positive=False)


def _order(cases: list[EnclosedComparison], epsilon: Epsilon, bound: Fraction, digits: int) -> Order:
    certain = refined(lambda: _maximum(cases, epsilon), lambda x: x.order(bound) is not Order.UNDECIDED, digits)
    return certain.order(bound)


def _worst(
    model: Model, definition: Definition, cases: list[EnclosedComparison], epsilon: Epsilon, digits: int
) -> Witness:
    return _witness(model, definition, _largest(cases, epsilon, digits)[0], epsilon, digits)


def _witness(model: Model, definition: Definition, case: EnclosedComparison, epsilon: Epsilon, digits: int) -> Witness:
    """The comparison where all known records are counted, which is the worst; for an average, its enclosure alone."""
    from flint import ctx

    value = _enclosed(case, epsilon, digits)
    compares = comparing(definition)
    naming = compares and compares.naming
    common = (definition.kind, case.distribution, case.secret.record, case.a, case.b)
    if case.average or case.counted is None:
        laws = naming(model, case, None, case.direction or "") if naming else None
        return Witness(*common, None, None, None, None, epsilon, value, laws=laws, scale=Fraction(1))
    counted = case.counted
    size = case.counts.known_count.size + case.counts.certain
    with ctx.workprec(MAX_BALL_PRECISION):
        event = case.counts.event(epsilon, counted=counted)
    mass_a, mass_b = (
        refined(partial(case.counts.mass, epsilon, counted=counted, first=first), lambda x: x.sharp(digits), digits)
        for first in (True, False)
    )
    knowledge = label(f"all {size:,} known records are counted") if size else None
    return Witness(
        *common,
        knowledge,
        event,
        mass_a,
        mass_b,
        epsilon,
        value,
        direction=case.direction,
        laws=naming(model, case, knowledge, case.direction or "") if naming else None,
        scale=Fraction(1),
    )
