"""DP22's definitions in a family: rows of laws on databases, with every probability as a function of the parameters.

A builder of rows needs sums of weights alone, and a view sums of products of weights: both take functions for numbers.
What a measure bounds must be a quotient P/Q, or Σ max(0, P - e^ε·Q): the ratio, the hockey-stick divergence, the tail,
the Rényi divergence of an integer order, whose e^((α - 1)·ε) is Σ P^α/Q^(α - 1), and the spread of the losses, whose
e^ε is the largest P(o)·Q(o′)/(Q(o)·P(o′)). Or it is a sum of positive parts: total variation, χ² and Σ Q·|P/Q - 1|^k,
which are compared with ε itself, and the inequalities a·P[S] + b·Q[S] ≤ c of a predicate or of a trade-off curve.

The terms of measures take a ring (`Functions`) whose weights are functions of the parameters. These have no order.
What depends on it stays apart until the parameters are known: |P - Q| is two functions whose positive parts add up to
it, and the largest of some ratios is a list of them.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from fractions import Fraction
from functools import reduce
from itertools import chain
from operator import add
from typing import Any, TypeAlias

from verifier.definitions import Definition
from verifier.definitions.builders.rows import Case, Group, Setting
from verifier.definitions.builders.views import VIEWS, View
from verifier.definitions.comparison import CURVES, HOCKEY_STICK, TAIL, CurveMeasure
from verifier.definitions.measures.conditions import CONDITIONS, inequalities
from verifier.definitions.measures.divergence import RATIO, Algebraic, Number, is_infinite, measure_in
from verifier.definitions.scheme import SPECIAL, Scheme
from verifier.engine import Engine
from verifier.errors import LimitError, UnsupportedError
from verifier.numbers import Function, quotient
from verifier.wings.families.pairs import FamilyComparison, WeightedPair


@dataclass(frozen=True)
class Parts:
    """Functions whose positive parts add up to a number; of two that come of one |P - Q|, one is positive at most."""

    parts: tuple[Function, ...]

    def __pow__(self, k: int) -> Parts:
        """The same of |P - Q|^k, which is (P - Q)^k for an even k."""
        return Parts(tuple(part**k for part in self.parts[: 1 + k % 2]))

    def __truediv__(self, weight: Function | int) -> Parts:
        """The parts over a positive weight."""
        return Parts(tuple(part / weight for part in self.parts))


@dataclass(frozen=True)
class Ratios:
    """Numerators and denominators of ratios, of which the largest counts."""

    listed: tuple[tuple[Function, Function], ...]

    def __mul__(self, other: Ratios) -> Ratios:
        """The products of each ratio with each."""
        return Ratios(tuple((p * y, q * x) for p, q in self.listed for y, x in other.listed))

    def __truediv__(self, weight: Function) -> Ratios:
        """The ratios over a weight."""
        return Ratios(tuple((p, q * weight) for p, q in self.listed))


@dataclass(frozen=True)
class Functions:
    """The ring of functions, with the constant 1."""

    one: Function

    def possible(self, weight: Function) -> bool:
        """Whether the weight is another function than 0."""
        return bool(weight)

    def some(self, conditions: Iterable[bool]) -> bool:
        """Whether one of the conditions is met."""
        return any(conditions)

    def apart(self, p: Function, q: Function) -> Parts:
        """|P - Q|."""
        return Parts((p - q, q - p))

    def total(self, weights: Iterable[Parts]) -> Parts:
        """The sum of |P - Q| over outputs."""
        return Parts(tuple(chain.from_iterable(weight.parts for weight in weights)))

    def ratio(self, above: Any, below: Function) -> Any:
        """The quotient of two weights; 0/0 is left out."""
        if isinstance(above, Parts):
            return above / (below or self.one)
        return Ratios(((above, below),) if above or below else ())

    def summed(self, ratios: Iterable[Any]) -> Any:
        """The sum of ratios."""
        listed = list(ratios)
        if any(isinstance(ratio, Parts) for ratio in listed):
            return self.total(listed)
        fractions = [p / q for ratio in listed for p, q in ratio.listed]
        return Ratios(((reduce(add, fractions, self.one * 0), self.one),))

    def largest(self, ratios: Iterable[Ratios]) -> Ratios:
        """All of the ratios."""
        return Ratios(tuple(chain.from_iterable(ratio.listed for ratio in ratios)))


MAX_FUNCTIONS = 20_000
"""Largest number of probabilities that are computed as functions of the parameters."""
FIX = "--set fixes each parameter; one model is decided for every definition of DP22"
Outcomes: TypeAlias = tuple[tuple[str, Function, Function], ...]
"""Each output with its probabilities under both laws of a pair."""


def scheme_of(definition: Definition, *, sums: bool = False) -> Scheme:
    """The scheme of a definition of DP22 that is decided for families; with `sums` also if it has inequalities of sums.

    Raises:
        UnsupportedError: for a definition of DP22 that is not decided for families, with the reason.

    """
    scheme = definition.compare
    if definition.undecided:
        raise UnsupportedError(definition.undecided)
    if not isinstance(scheme, Scheme):
        raise UnsupportedError(f"{definition.key} has a simulator, which is not decided for families", tip=FIX)
    if scheme.aggregation == "all-but":
        raise UnsupportedError(f"{definition.key} leaves out a share of its pairs, not decided for families", tip=FIX)
    if (scheme.measure in CONDITIONS and not sums) or scheme.measure in SPECIAL or _in_logarithms(scheme.measure):
        raise UnsupportedError(_other_measure(definition.key, scheme.measure), tip=FIX)
    if scheme.aggregation == "average" and scheme.measure not in {HOCKEY_STICK.key, TAIL.key}:
        raise UnsupportedError(f"{definition.key} averages the measure {scheme.measure}, not decided for families")
    return scheme


def _in_logarithms(measure: str) -> bool:
    """Whether a measure is in no file a curve δ(ε), the logarithm of a quotient, or a condition."""
    known = {HOCKEY_STICK.key, TAIL.key, "ratio", "spread", "renyi", "divergence", *CONDITIONS}
    return measure not in known and measure.rpartition("-")[0] != "renyi"


def _other_measure(key: str, measure: str) -> str:
    return f"{key} has the measure {measure}, which is not decided for families"


def is_condition(definition: Definition) -> bool:
    """Whether a definition of DP22 is a condition, by inequalities a·P[S] + b·Q[S] ≤ c, without ε and δ."""
    return definition.reads_policy and scheme_of(definition, sums=True).measure in CONDITIONS


def is_sum(definition: Definition, engine: Engine) -> bool:
    """Whether a definition compares a sum of positive parts with ε itself, or with a number, in this file."""
    if not definition.reads_policy:
        return False
    scheme = scheme_of(definition, sums=True)
    if scheme.measure in CONDITIONS:
        return True
    measure = measure_in(scheme.measure, Setting(definition.key, engine.model, engine, "default"))
    return isinstance(measure, Algebraic) and not measure.logarithmic and measure.power == 1


def sum_comparisons(
    definition: Definition, reading: str, engine: Engine, constant_one: Function
) -> Iterator[FamilyComparison]:
    """The comparisons of sums of positive parts with ε, or of a condition with the constant c, which is `least`.

    Raises:
        UnsupportedError: for laws that are allowed 0·ε, and for a missing field of `[policy]`.
        LimitError: for more than `MAX_FUNCTIONS` probabilities.

    """
    scheme = scheme_of(definition, sums=True)
    setting = Setting(definition.key, engine.model, engine, reading)
    condition = scheme.measure in CONDITIONS
    rows = inequalities(scheme.measure, setting) if condition else ()
    measure = None if condition else measure_in(scheme.measure, setting)
    functions = 0
    for group in scheme.builder(setting):
        for _, view, scale, names in _seen(setting, scheme.view, group):
            outcomes = _outcomes(view, constant_one)
            functions += 2 * len(outcomes) * max(1, len(rows))
            _refuse_number(functions)
            if not scale:
                raise UnsupportedError(f"{definition.key} allows 0·ε, which is not decided for families", tip=FIX)
            listed = (
                [(tuple(("", p * a + q * b, constant_one * 0) for _, p, q in outcomes), c) for a, b, c in rows]
                if not isinstance(measure, Algebraic)
                else [(_positive_parts(outcomes, measure, scale, constant_one), Fraction(0))]
            )
            for terms, least in listed:
                lost = any(q == constant_one for _, _, q in terms)
                pair = WeightedPair(None, constant_one, terms, lost=lost)
                yield FamilyComparison(group.distribution, group.record, *names, (pair,), least=least)


def _positive_parts(outcomes: Outcomes, measure: Algebraic, scale: Fraction, constant_one: Function) -> Outcomes:
    """Terms whose positive parts add up to the divergence, divided by the multiple of ε; Q is 1 if it is infinite."""
    none, ring, weights = constant_one * 0, Functions(constant_one), [(p, q) for _, p, q in outcomes]
    infinite = is_infinite(ring, weights, measure.finite)
    found: Parts = measure.term(ring, weights, constant_one)
    return tuple(("", part / scale, constant_one if infinite else none) for part in found.parts)


def _refuse_number(functions: int) -> None:
    if functions > MAX_FUNCTIONS:
        raise LimitError(
            f"more than {MAX_FUNCTIONS:,} probabilities would be made functions of the parameter",
            wanted="fewer",
            tip="fewer records, values or outputs; or fix the parameter: p=1/7",
        )


def scheme_comparisons(
    definition: Definition, reading: str, engine: Engine, constant_one: Function
) -> Iterator[FamilyComparison]:
    """The comparisons of a definition of DP22, at the general member of a family.

    Raises:
        UnsupportedError: for a measure that is not decided for families, for laws that differ and are allowed 0·ε,
            and for a missing field of `[policy]`.
        LimitError: for more than `MAX_FUNCTIONS` probabilities.

    """
    scheme = scheme_of(definition)
    setting = Setting(definition.key, engine.model, engine, reading)
    measure = measure_in(scheme.measure, setting)
    if measure.key not in CURVES and not (isinstance(measure, Algebraic) and measure.logarithmic):
        raise UnsupportedError(_other_measure(definition.key, measure.key), tip=FIX)
    functions = 0
    for group in scheme.builder(setting):
        terms: list[WeightedPair] = []
        for case, view, scale, names in _seen(setting, scheme.view, group):
            outcomes = _measured(_outcomes(view, constant_one), measure, constant_one)
            functions += 2 * len(outcomes)
            _refuse_number(functions)
            if scheme.aggregation == "average":
                terms.append(WeightedPair(None, constant_one * case.share, outcomes))
                continue
            alone = (WeightedPair(None, constant_one, outcomes),)
            allowed = scale * (measure.power if isinstance(measure, Algebraic) else 1)
            yield _allowed(FamilyComparison(group.distribution, group.record, *names, alone, allowed), definition.key)
        if terms:
            yield FamilyComparison(group.distribution, group.record, "", "", tuple(terms))


def _seen(setting: Setting, view: str, group: Group) -> Iterator[tuple[Case, View, Fraction, tuple[str, str]]]:
    """The pairs of laws of a group as the view shows them, with their cases, multiples of ε and names."""
    look = VIEWS[view](setting)
    for case in group.cases:
        for row in case.rows:
            for seen in look(row) if row.seen is None else row.seen:
                yield case, seen, row.scale, row.names


def _outcomes(view: View, constant_one: Function) -> Outcomes:
    """The probabilities of each output of a view, under both laws."""
    pair = view.pair
    listed = zip(pair.outputs, pair.p, pair.q or (), strict=True)
    return tuple((o.text, *(constant_one * quotient(x, pair.total) for x in (p, q))) for o, p, q in listed)


def _measured(outcomes: Outcomes, measure: Number | CurveMeasure, constant_one: Function) -> Outcomes:
    """Outcomes whose largest P/Q is what the measure bounds; for a curve, and the ratio, they are those of the laws."""
    if not isinstance(measure, Algebraic) or measure is RATIO:
        return outcomes
    ring, weights = Functions(constant_one), [(p, q) for _, p, q in outcomes]
    if is_infinite(ring, weights, measure.finite):
        return (("", constant_one, constant_one * 0),)
    largest: Ratios = measure.term(ring, weights, constant_one)
    return tuple(("", p, q) for p, q in largest.listed)


def _allowed(comparison: FamilyComparison, key: str) -> FamilyComparison:
    """Refuse a multiple of ε that is 0 where the laws are not the same: then each parameter value is a case of its own.

    Raises:
        UnsupportedError: with the pair of laws.

    """
    if comparison.scale:
        return comparison
    if all(p == q for p, q in comparison.outcomes):
        return FamilyComparison(
            comparison.distribution, comparison.record, comparison.a, comparison.b, comparison.terms
        )
    raise UnsupportedError(
        f"{key} allows 0·ε for {comparison.a} against {comparison.b}, which differ: not decided for families", tip=FIX
    )
