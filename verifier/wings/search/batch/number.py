"""Numbers D(P‖Q) and conditions of two laws of columns, exactly, for all models of a block at once.

Both laws are brought to one total T = |P|·|Q|·t. A number is a fraction of columns num/den, with n/0 for ∞: the
divergence itself, or e to a multiple of it. A condition is a list of bounds Σₒ max(0, a·P(o) + b·Q(o)) ≤ c.
"""

from __future__ import annotations

from collections.abc import Collection, Iterable, Sequence
from dataclasses import dataclass
from fractions import Fraction
from functools import reduce
from math import lcm, prod
from operator import mul, or_
from typing import Any, ClassVar, NamedTuple, TypeAlias

import numpy as np

from verifier.definitions.builders.rows import Setting
from verifier.definitions.measures.conditions import CONDITIONS, inequalities
from verifier.definitions.measures.divergence import ANY, KL, Algebraic, conjugate_of, is_infinite, measure_in
from verifier.definitions.scheme import SPECIAL, Scheme
from verifier.wings.search.batch.block import NO, Column, ColumnPair, Mask, sum_of_columns
from verifier.wings.search.batch.curve import HOCKEY_STICK, RATIO, TAIL, ColumnMeasure, Trimmed, power_of
from verifier.wings.search.candidate import output_names

Weights: TypeAlias = Sequence[tuple[Column, Column]]
"""The weights (P(o), Q(o)) of each output, over one total."""
Fractions: TypeAlias = tuple[Column, Column]
"""Numerators and denominators; n/0 is ∞."""


def over_common_total(pair: ColumnPair, t: int) -> tuple[Weights, Column]:
    """The weights (P(o), Q(o)) of each output over one total T, and T = |P|·|Q|·t."""
    p_total, q_total = pair.p.total, pair.q.total
    weights = [(p * q_total, q * p_total) for p, q in zip(pair.p.weights, pair.q.weights, strict=True)]
    return weights, p_total * q_total * t


@dataclass(frozen=True)
class ColumnNumber(ColumnMeasure):
    """A number D(P‖Q) that is bounded by c·ε: num/den ≤ e^(m·c·ε) if it is logarithmic, else num/den ≤ (c·ε)^m."""

    @property
    def logarithmic(self) -> bool:
        """Whether e^ε is compared, and not ε."""
        return False

    def value(self, weights: Weights, total: Column) -> Fractions:
        """The fraction num/den for each model."""
        raise NotImplementedError

    def power(self, t: int) -> int:  # noqa: ARG002
        """The power m in the bound, for rows of total t."""
        return 1

    def largest(self, weight: int, t: int, outputs: int) -> int:
        """A bound on numerators and denominators, where `weight` bounds T·t."""
        raise NotImplementedError

    def breaks(self, pair: ColumnPair, factor: Fraction | None, delta: Fraction, t: int) -> Mask:  # noqa: ARG002
        """The models in which the number is above c·ε; without a factor, those in which it is ∞."""
        num, den = self.value(*over_common_total(pair, t))
        if factor is None:
            infinite: Mask = den == 0
            return infinite
        root, level = self._level(factor, pair.scale, t)
        broken: Mask = num**root * level.denominator > den**root * level.numerator
        return broken

    def _level(self, factor: Fraction, scale: Fraction, t: int) -> tuple[int, Fraction]:
        """The pair (b, E) such that the bound is (num/den)^b ≤ E."""
        if self.logarithmic:
            x, y = power_of(factor, scale)
            return scale.denominator, Fraction(x, y) ** self.power(t)
        return 1, (scale * factor) ** self.power(t)

    def size(self, weight: int, t: int, outputs: int, factor: Fraction | None, scale: Fraction) -> int:
        """A bound on the products of numerators and denominators with those of the level."""
        root, level = (1, Fraction(1)) if factor is None else self._level(factor, scale, t)
        return int(self.largest(weight, t, outputs) ** root * max(level.numerator, level.denominator))


class Quotient(NamedTuple):
    """Numerators and denominators of ratios, model by model."""

    above: Any
    below: Any

    def __mul__(self, other: Any) -> Quotient:
        """The product of two ratios."""
        return Quotient(self.above * other.above, self.below * other.below)

    def __truediv__(self, weight: Any) -> Quotient:
        """The ratio over a weight."""
        return Quotient(self.above, self.below * weight)


class Columns:
    """The ring in which a weight is a column of integers, with an entry for each model."""

    def possible(self, weight: Column) -> Mask:
        """The models in which the weight is positive."""
        possible: Mask = weight > 0
        return possible

    def some(self, conditions: Iterable[Mask]) -> Mask:
        """The models in which one of the conditions is met."""
        return reduce(or_, conditions, NO)

    def apart(self, p: Column, q: Column) -> Column:
        """|P - Q|."""
        return abs(p - q)

    def total(self, weights: Iterable[Column]) -> Column:
        """The sum of weights."""
        return sum_of_columns(list(weights))

    def ratio(self, above: Column, below: Column) -> Quotient:
        """The quotient of two weights; 0/0 stays, until ratios are added or compared."""
        return Quotient(above, below)

    def positive(self, weight: Column) -> Column:
        """The weight where it is positive, else 1."""
        return np.maximum(weight, 1)

    def summed(self, ratios: Iterable[Quotient]) -> Quotient:
        """The sum of ratios, over the product of their denominators."""
        listed = list(ratios)
        below = [self.positive(ratio.below) for ratio in listed]
        above = [ratio.above * prod(below[:o] + below[o + 1 :]) for o, ratio in enumerate(listed)]
        return Quotient(self.total(above), prod(below))

    def largest(self, ratios: Iterable[Quotient]) -> Quotient:
        """The largest ratio in each model."""
        (num, den), *others = ratios
        den = self.positive(den)
        for above, below in others:
            larger = above * den > num * below
            num, den = np.where(larger, above, num), np.where(larger, below, den)
        return Quotient(num, den)


class Sizes(Columns):
    """The ring in which a weight is a bound on a column, and a result a bound on what is computed of columns."""

    def apart(self, p: Any, q: Any) -> Any:
        """A bound on |P - Q|."""
        return max(p, q)

    def positive(self, weight: Any) -> Any:
        """A bound on a weight that is at least 1."""
        return max(weight, 1)

    def largest(self, ratios: Iterable[Quotient]) -> Quotient:
        """A bound on both parts, and on the products by which they are compared."""
        listed = list(ratios)
        bound = max(ratio.above for ratio in listed) * max(ratio.below for ratio in listed)
        return Quotient(bound, bound)


COLUMNS, SIZES = Columns(), Sizes()


@dataclass(frozen=True)
class ColumnDivergence(ColumnNumber):
    """A divergence that is declared by its term over a ring."""

    declared: Algebraic

    @property
    def logarithmic(self) -> bool:
        """Whether it is the logarithm of the term."""
        return self.declared.logarithmic

    def power(self, t: int) -> int:  # noqa: ARG002
        """The order of a root, or the divisor of a logarithm."""
        return self.declared.power

    def value(self, weights: Weights, total: Column) -> Quotient:
        """The term, as a fraction for each model."""
        num, den = self.declared.term(COLUMNS, weights, total)
        if self.declared.finite == ANY:
            return Quotient(num, den)
        infinite = is_infinite(COLUMNS, weights, self.declared.finite)
        return Quotient(np.maximum(num, infinite), den * ~infinite)

    def largest(self, weight: int, t: int, outputs: int) -> int:  # noqa: ARG002
        """The same term of bounds."""
        return int(max(self.declared.term(SIZES, [(weight, weight)] * outputs, weight)))


@dataclass(frozen=True)
class KullbackLeibler(ColumnNumber):
    """The Kullback-Leibler divergence Σ P·ln(P/Q) of the laws of two databases: e^(t·divergence) is Π (p/q)^p."""

    logarithmic: ClassVar[bool] = True

    def power(self, t: int) -> int:
        """The power t, the rows' total."""
        return t

    def decides(self, outputs: int, scales: Collection[Fraction], *, of_databases: bool) -> bool:  # noqa: ARG002
        """Whether all laws are of single databases, whose weights sum to t."""
        return of_databases

    def value(self, weights: Weights, total: Column) -> Fractions:  # noqa: ARG002
        """The fraction Π p^p / Π q^p, where 0⁰ is 1; it is ∞ if q = 0 < p somewhere."""
        return reduce(mul, [p**p for p, _ in weights]), reduce(mul, [q**p for p, q in weights])

    def largest(self, weight: int, t: int, outputs: int) -> int:  # noqa: ARG002
        """A bound on both products, since the exponents sum to t."""
        return int(t**t)


@dataclass(frozen=True)
class Restricted(ColumnNumber):
    """The largest Σ h·P - f*(h)·Q over listed h, at least 0, where f* is rational (CBDP).

    Each of `tests` has (h, f*(h)) for each name of an output; f* is None where it is infinite. Other names have h = 0.
    """

    tests: tuple[tuple[tuple[str, tuple[Fraction, Fraction | None]], ...], ...] = ()
    at_zero: Fraction = Fraction(0)
    names_outputs: ClassVar[bool] = True

    @property
    def numbers(self) -> list[Fraction]:
        """All h and f*(h)."""
        return [self.at_zero, *(n for test in self.tests for _, values in test for n in values if n is not None)]

    @property
    def unit(self) -> int:
        """The common denominator of all h and f*(h)."""
        return lcm(*(number.denominator for number in self.numbers))

    def value(self, weights: Weights, total: Column) -> Fractions:
        """The largest sum, with the denominator T times the common denominator of h and f*(h)."""
        best, names = total * 0, output_names(len(weights))
        for test in map(dict, self.tests):
            value, possible = total * 0, total > 0
            for name, (p, q) in zip(names, weights, strict=True):
                h, star = test.get(name, (Fraction(0), self.at_zero))
                value = value + p * int(h * self.unit)
                if star is None:
                    possible = possible & (q == 0)
                else:
                    value = value - q * int(star * self.unit)
            best = np.where(possible & (value > best), value, best)
        return best, total * self.unit

    def largest(self, weight: int, t: int, outputs: int) -> int:  # noqa: ARG002
        """A bound on the sums, since each law has the mass T."""
        return int(2 * weight * self.unit * (1 + max(map(abs, self.numbers))))


@dataclass(frozen=True)
class Linear(ColumnMeasure):
    """A condition: Σₒ max(0, a·P(o) + b·Q(o)) ≤ c for all (a, b, c); there is no ε in it."""

    bounds: tuple[tuple[Fraction, Fraction, Fraction], ...]

    def breaks(self, pair: ColumnPair, factor: Fraction | None, delta: Fraction, t: int) -> Mask:  # noqa: ARG002
        """The models in which some bound does not hold."""
        weights, total = over_common_total(pair, t)
        broken = NO
        for a, b, c in map(_integers, self.bounds):
            broken = broken | (sum_of_columns([np.maximum(p * a + q * b, 0) for p, q in weights]) > total * c)
        return broken

    def size(self, weight: int, t: int, outputs: int, factor: Fraction | None, scale: Fraction) -> int:  # noqa: ARG002
        """A bound on the sums and on what they are compared with."""
        return weight * max(sum(map(abs, _integers(bound))) for bound in self.bounds)


def _integers(numbers: Sequence[Fraction]) -> tuple[int, ...]:
    """Fractions times their common denominator."""
    common = lcm(*(number.denominator for number in numbers))
    return tuple(int(number * common) for number in numbers)


def _restricted(setting: Setting) -> Restricted | None:
    """The tests of the file, where the conjugate of the divergence is rational."""
    conjugate = conjugate_of(setting.need("divergence"))
    if conjugate is None:
        return None
    tests = tuple(
        tuple((output.text, (h, conjugate(h))) for output, h in dict(test).items()) for test in setting.need("tests")
    )
    at_zero = conjugate(Fraction(0))
    return None if at_zero is None else Restricted(tests, at_zero)


CURVES: dict[str, ColumnMeasure] = {"hockey-stick": HOCKEY_STICK, "tail": TAIL, "ratio": RATIO}
"""The measures that compare each output, or add what is above it, without a common denominator."""


def decided_in_integers(name: str) -> bool:
    """Whether a measure of an entry is decided in integers, for some parameters of `[policy]` at least."""
    return name in {"trimmed", "restricted"} or name not in SPECIAL


def measure_of(scheme: Scheme, setting: Setting) -> ColumnMeasure | None:
    """The measure of a definition, with its parameters in `[policy]`; None where it is not decided in integers.

    Raises:
        UnsupportedError: for a parameter that is missing, or invalid.

    """
    name = scheme.measure
    if name in CONDITIONS:
        return Linear(inequalities(name, setting))
    if name == "trimmed":
        return Trimmed(setting.need("error"))
    if name == "restricted":
        return _restricted(setting)
    if name in SPECIAL:
        return None
    measure = measure_in(name, setting)
    if measure.key in CURVES:
        return CURVES[measure.key]
    if isinstance(measure, Algebraic):
        return ColumnDivergence(measure)
    return KullbackLeibler() if measure is KL else None
