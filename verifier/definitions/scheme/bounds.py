"""The bound of a pair of laws, or of an average of pairs: a curve δ(c·ε), or a number that must be at most c·ε."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from fractions import Fraction
from functools import lru_cache, partial
from typing import Protocol, TypeVar

from verifier.definitions.comparison import Comparison, Term
from verifier.definitions.measure import HOCKEY_STICK, CurveMeasure
from verifier.definitions.pairs import AnyPair, MeasurePair
from verifier.definitions.scheme.conditions import Trimmed
from verifier.definitions.scheme.measures import Measure, Scalar, ScalarWithDelta
from verifier.definitions.scheme.reals import Real, divided, order, times
from verifier.errors import UndecidedError
from verifier.numbers import Delta, Epsilon, Order

Value = TypeVar("Value")


class Bound(Protocol):
    """The ε and δ that a pair of laws, or an average of pairs, needs."""

    def epsilon(self, delta: Fraction) -> Real:
        """The smallest ε that is enough at δ."""

    def delta(self, epsilon: Epsilon) -> Delta:
        """The smallest δ at ε."""


@dataclass(frozen=True)
class Curve:
    """A bound with a curve: δ(c·ε) ≤ δ, where `scale` is c."""

    comparison: Comparison
    scale: Fraction

    def epsilon(self, delta: Fraction) -> Real:
        """The smallest ε with δ(c·ε) ≤ δ."""
        if len(self.comparison.terms) == 1:
            return divided(_smallest(self.comparison.measure, self.comparison.terms[0].pair, delta), self.scale)  # type: ignore[arg-type]
        return divided(self.comparison.epsilon(delta), self.scale)

    def delta(self, epsilon: Epsilon) -> Delta:
        """δ(c·ε)."""
        return self.comparison.delta(times(epsilon, self.scale))


@lru_cache(maxsize=1 << 12)
def _smallest(measure: CurveMeasure, pair: AnyPair, delta: Fraction) -> Epsilon:
    """The smallest ε of one pair of laws."""
    return comparison_of([(1, pair)], 1, measure).epsilon(delta)


@dataclass(frozen=True)
class Number:
    """A bound without a δ: `value` ≤ c·ε, where `scale` is c."""

    value: Real
    scale: Fraction

    def epsilon(self, delta: Fraction) -> Real:  # noqa: ARG002
        """The smallest ε: `value`/c, whatever δ is."""
        return divided(self.value, self.scale)

    def delta(self, epsilon: Epsilon) -> Delta:
        """Refuse, since the measure has no δ.

        Raises:
            NotImplementedError: always.

        """
        raise NotImplementedError


@dataclass(frozen=True)
class AtDelta:
    """A bound whose number falls with δ: `value`(δ) ≤ c·ε, where `scale` is c."""

    value: Callable[[Fraction], Real]
    scale: Fraction

    def epsilon(self, delta: Fraction) -> Real:
        """The smallest ε at δ: `value`(δ)/c."""
        return divided(self.value(delta), self.scale)

    def delta(self, epsilon: Epsilon) -> Delta:
        """Refuse, since the smallest δ at ε is not decided.

        Raises:
            NotImplementedError: always.

        """
        raise NotImplementedError


@dataclass(frozen=True)
class Least:
    """A bound by the least of several curves, at each ε or δ."""

    curves: tuple[Curve, ...]

    def epsilon(self, delta: Fraction) -> Real:
        """The smallest ε of the best curve."""
        return extreme([curve.epsilon(delta) for curve in self.curves], order, Order.LESS)

    def delta(self, epsilon: Epsilon) -> Delta:
        """The smallest δ of the best curve."""
        return extreme([curve.delta(epsilon) for curve in self.curves], Delta.order, Order.LESS)


def settled(compared: Order) -> Order:
    """Return the outcome of a comparison, if it is decided.

    Raises:
        UndecidedError: for `Order.UNDECIDED`.

    """
    if compared is Order.UNDECIDED:
        raise UndecidedError("two numbers that are only enclosed cannot be told apart")
    return compared


def extreme(values: Sequence[Value], compare: Callable[[Value, Value], Order], better: Order) -> Value:
    """The first value that no other is better than: the least, or the largest."""
    best = values[0]
    for value in values:
        if settled(compare(value, best)) is better:
            best = value
    return best


def bound_of(measure: Measure, pair: MeasurePair, scale: Fraction) -> Bound:
    """The bound that a measure sets to one pair of laws, where c·ε is allowed for c = `scale`."""
    if isinstance(measure, ScalarWithDelta):
        return AtDelta(partial(measure.at, pair), scale)
    if isinstance(measure, Scalar):
        return Number(measure.of(pair), scale)
    if isinstance(measure, Trimmed):
        curves = [Curve(comparison_of([(1, part)], 1, HOCKEY_STICK), scale) for part in measure.trimmings(pair)]
        return Least(tuple(curves))
    return Curve(comparison_of([(1, pair)], 1, measure), scale)


def comparison_of(terms: Sequence[tuple[int, AnyPair]], total: int, measure: CurveMeasure) -> Comparison:
    """The comparison that averages the curves of pairs (mass, pair), each with the weight mass/`total`."""
    listed = tuple(Term(mass, pair) for mass, pair in terms)
    return Comparison(None, None, None, None, listed, total=total, measure=measure)
