"""Numbers D(P‖Q) and conditions of two laws of columns, exactly, for all models of a block at once.

Both laws are brought to one total T = |P|·|Q|·t. A number is a fraction of columns num/den, with n/0 for ∞: the
divergence itself, or e to a multiple of it. A condition is a list of bounds Σₒ max(0, a·P(o) + b·Q(o)) ≤ c.
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Sequence
from dataclasses import dataclass
from fractions import Fraction
from functools import partial, reduce
from itertools import pairwise, permutations
from math import lcm, prod
from operator import mul, or_
from typing import ClassVar, TypeAlias

import numpy as np

from verifier.definitions.scheme import conditions
from verifier.definitions.scheme.conditions import CONDITIONS
from verifier.definitions.scheme.decide import SPECIAL, Scheme
from verifier.definitions.scheme.measures import measure_in
from verifier.definitions.scheme.rows import Setting
from verifier.wings.search.batch.block import NO, Column, ColumnPair, Mask, added
from verifier.wings.search.batch.curve import HOCKEY_STICK, RATIO, TAIL, ColumnMeasure, Trimmed, power_of
from verifier.wings.search.candidate import output_names

Weights: TypeAlias = Sequence[tuple[Column, Column]]
"""The weights (P(o), Q(o)) of each output, over one total."""
Fractions: TypeAlias = tuple[Column, Column]
"""Numerators and denominators; n/0 is ∞."""


def together(pair: ColumnPair, t: int) -> tuple[Weights, Column]:
    """The weights (P(o), Q(o)) of each output over one total T, and T = |P|·|Q|·t."""
    p_total, q_total = pair.p.total, pair.q.total
    weights = [(p * q_total, q * p_total) for p, q in zip(pair.p.weights, pair.q.weights, strict=True)]
    return weights, p_total * q_total * t


@dataclass(frozen=True)
class ColumnNumber:
    """A number D(P‖Q) that is bounded by c·ε: num/den ≤ e^(m·c·ε) if it is logarithmic, else num/den ≤ (c·ε)^m."""

    logarithmic: ClassVar[bool] = False
    names_outputs: ClassVar[bool] = False

    def value(self, weights: Weights, total: Column) -> Fractions:
        """The fraction num/den for each model."""
        raise NotImplementedError

    def power(self, t: int) -> int:  # noqa: ARG002
        """The power m in the bound, for rows of total t."""
        return 1

    def largest(self, weight: int, t: int, outputs: int) -> int:
        """A bound on numerators and denominators, where `weight` bounds T·t."""
        raise NotImplementedError

    def decides(self, outputs: int, scales: Collection[Fraction], *, of_databases: bool) -> bool:  # noqa: ARG002
        """True: the number is decided for all laws."""
        return True

    def breaks(self, pair: ColumnPair, factor: Fraction | None, delta: Fraction, t: int) -> Mask:  # noqa: ARG002
        """The models in which the number is above c·ε; without a factor, those in which it is ∞."""
        num, den = self.value(*together(pair, t))
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


@dataclass(frozen=True)
class Variation(ColumnNumber):
    """The total variation distance ½·Σ |P - Q|."""

    def value(self, weights: Weights, total: Column) -> Fractions:
        """The fraction Σ |P - Q| / 2·T."""
        return added([abs(p - q) for p, q in weights]), total * 2

    def largest(self, weight: int, t: int, outputs: int) -> int:  # noqa: ARG002
        """A bound on both parts of the fraction, since each law has the mass T."""
        return 2 * weight


@dataclass(frozen=True)
class PowerSum(ColumnNumber):
    """The divergence Σ Q·|P/Q - 1|^k, or its k-th root if it is `rooted`; χ² is k = 2."""

    k: int = 2
    rooted: bool = False

    def power(self, t: int) -> int:  # noqa: ARG002
        """The power k for a root, else 1."""
        return self.k if self.rooted else 1

    def summand(self, p: Column, q: Column) -> Column:
        """The summand |P - Q|^k, which is divided by Q^(k - 1)."""
        return abs(p - q) ** self.k

    def value(self, weights: Weights, total: Column) -> Fractions:
        """The sum, with the denominator T·Π Q^(k - 1), where Q = 0 counts as 1; ∞ if P > 0 = Q somewhere and k > 1."""
        summands = [self.summand(p, q) for p, q in weights]
        if self.k == 1:
            return added(summands), total
        factors = [np.maximum(q, 1) ** (self.k - 1) for _, q in weights]
        num = added([s * prod(factors[:o] + factors[o + 1 :]) for o, s in enumerate(summands)])
        infinite = reduce(or_, [(p > 0) & (q == 0) for p, q in weights])
        den = total * prod(factors)
        return np.where(infinite, num * 0 + 1, num), den * ~infinite

    def largest(self, weight: int, t: int, outputs: int) -> int:  # noqa: ARG002
        """A bound: each summand is the k-th power of a mass, times a factor for each output."""
        return int(outputs * weight ** (self.k + (self.k - 1) * outputs))


@dataclass(frozen=True)
class RenyiDivergence(PowerSum):
    """The Rényi divergence of an integer order α = k: ln(Σ P^α/Q^(α - 1))/(α - 1)."""

    logarithmic: ClassVar[bool] = True

    def power(self, t: int) -> int:  # noqa: ARG002
        """The power α - 1: the divergence is at most ε iff the sum is at most e^((α - 1)·ε)."""
        return self.k - 1

    def summand(self, p: Column, q: Column) -> Column:  # noqa: ARG002
        """The summand P^α, which is divided by Q^(α - 1)."""
        return p**self.k


@dataclass(frozen=True)
class Spread(ColumnNumber):
    """The spread ln(max P/Q ÷ min P/Q) over the possible outputs; ∞ if some output is possible under one law alone."""

    logarithmic: ClassVar[bool] = True

    def value(self, weights: Weights, total: Column) -> Fractions:
        """The largest p·q′/(q·p′) over two outputs, at least 1."""
        unit = total * 0 + 1
        num, den = unit, unit
        for (p, q), (other_p, other_q) in permutations(weights, 2):
            above, below = p * other_q, q * other_p
            larger = (above * den > num * below) & (below > 0)
            num, den = np.where(larger, above, num), np.where(larger, below, den)
        infinite = reduce(or_, [(p > 0) != (q > 0) for p, q in weights])
        return np.where(infinite, unit, num), np.where(infinite, unit * 0, den)

    def largest(self, weight: int, t: int, outputs: int) -> int:  # noqa: ARG002
        """A bound, since fractions of two products are compared."""
        return weight**4


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
    def unit(self) -> int:
        """The common denominator of all h and f*(h)."""
        numbers = [n for test in self.tests for _, values in test for n in values if n is not None]
        return lcm(1, self.at_zero.denominator, *(number.denominator for number in numbers))

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
        numbers = [n for test in self.tests for _, values in test for n in values if n is not None]
        return int(2 * weight * self.unit * (1 + max(map(abs, [*numbers, self.at_zero]))))


@dataclass(frozen=True)
class Linear:
    """A condition: Σₒ max(0, a·P(o) + b·Q(o)) ≤ c for all (a, b, c); there is no ε in it."""

    bounds: tuple[tuple[Fraction, Fraction, Fraction], ...]
    logarithmic: ClassVar[bool] = True
    names_outputs: ClassVar[bool] = False

    def decides(self, outputs: int, scales: Collection[Fraction], *, of_databases: bool) -> bool:  # noqa: ARG002
        """True: a condition is decided for all laws."""
        return True

    def breaks(self, pair: ColumnPair, factor: Fraction | None, delta: Fraction, t: int) -> Mask:  # noqa: ARG002
        """The models in which some bound does not hold."""
        weights, total = together(pair, t)
        broken = NO
        for a, b, c in map(_integers, self.bounds):
            broken = broken | (added([np.maximum(p * a + q * b, 0) for p, q in weights]) > total * c)
        return broken

    def size(self, weight: int, t: int, outputs: int, factor: Fraction | None, scale: Fraction) -> int:  # noqa: ARG002
        """A bound on the sums and on what they are compared with."""
        return weight * max(sum(map(abs, _integers(bound))) for bound in self.bounds)


def _integers(numbers: Sequence[Fraction]) -> tuple[int, ...]:
    """Fractions times their common denominator."""
    common = lcm(*(number.denominator for number in numbers))
    return tuple(int(number * common) for number in numbers)


def _above(vertices: conditions.Vertices) -> Linear:
    """A trade-off curve above a convex f: 1 - Q(S) ≥ α + β·P(S) for all S and each line α + β·x of f."""
    slopes = [(x1, y1, (y2 - y1) / (x2 - x1)) for (x1, y1), (x2, y2) in pairwise(vertices)]
    return Linear(tuple((slope, Fraction(1), 1 - (y - slope * x)) for x, y, slope in slopes))


def _condition(name: str, setting: Setting) -> Linear:
    """A condition of the file; a curve that is none is refused as the definition does."""
    CONDITIONS[name](setting)
    return Linear(tuple(setting.need("predicate"))) if name == "predicate" else _above(setting.need("tradeoff"))


def _restricted(setting: Setting) -> Restricted | None:
    """The tests of the file, where the conjugate of the divergence is rational."""
    name: str = setting.need("divergence")
    if name not in conditions.CONJUGATES:
        return None
    conjugate = conditions.CONJUGATES[name]
    tests = tuple(
        tuple((output.text, (h, conjugate(h))) for output, h in dict(test).items()) for test in setting.need("tests")
    )
    at_zero = conjugate(Fraction(0))
    return None if at_zero is None else Restricted(tests, at_zero)


FIXED: dict[str, ColumnMeasure] = {
    "ratio": RATIO,
    "kl": KullbackLeibler(),
    "spread": Spread(),
    "chi-squared": PowerSum(),
    "total-variation": Variation(),
    "hockey-stick": HOCKEY_STICK,
    "tail": TAIL,
}
"""The measures without a parameter, by the names that they have in entries."""


def measure_of(scheme: Scheme, setting: Setting) -> ColumnMeasure | None:
    """The measure of a definition, with its parameters in `[policy]`; None where it is not decided in integers.

    Raises:
        UnsupportedError: for a parameter that is missing, or invalid.

    """
    name = scheme.measure
    if name in CONDITIONS:
        return _condition(name, setting)
    if name == "trimmed":
        return Trimmed(setting.need("error"))
    if name == "restricted":
        return _restricted(setting)
    if name in SPECIAL:
        return None
    key = measure_in(name, setting).key
    stem, _, number = key.rpartition("-")
    if key in FIXED or not number.isdecimal():
        return FIXED.get(key)
    numbered: dict[str, Callable[[int], ColumnMeasure]] = {
        "renyi": RenyiDivergence,
        "abs": PowerSum,
        "root-abs": partial(PowerSum, rooted=True),
    }
    return numbered[stem](int(number))
