"""Divergences: measures that are one number for two laws, so that a definition bounds them by ε and has no δ.

Each is computed from the outputs of a pair, as (P(o), Q(o)), without a rounding. `measure_named` reads a measure from
its name in a recipe; a name that ends in a number has it as a parameter.
"""

from __future__ import annotations

import re
from abc import ABC, abstractmethod
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass
from fractions import Fraction
from math import gcd
from typing import Any, TypeAlias

from verifier.definitions.comparison import Comparison
from verifier.definitions.measure import CURVES, CurveMeasure
from verifier.definitions.pairs import AnyPair, MeasurePair
from verifier.definitions.scheme.reals import Real, divided
from verifier.errors import InputError, LimitError, UnsupportedError
from verifier.numbers import INFINITY, Epsilon, epsilon, log_epsilon, shorten

MOST_ORDER = 256
"""Highest order of a Rényi divergence: the powers of probabilities are written out."""
MOST_BITS = 1 << 18
"""Longest sum of such powers."""
Weights: TypeAlias = Iterable[tuple[int, int]]
"""The outputs of two laws, each with its weight under the first and under the second."""


class NumberMeasure:
    """A measure that is one number for two laws, which ε bounds; a curve is a `CurveMeasure`."""

    key: str
    title: Any
    """The name of the measure in a sentence, without an article."""
    formula: str
    source: str

    def value(self, pair: AnyPair, delta: Fraction) -> Real:
        """The number of one pair of laws; few measures have one that depends on δ."""
        raise NotImplementedError

    def average(self, shares: Sequence[tuple[Fraction, Any]]) -> Any:  # noqa: ARG002
        """Σ weight·value over pairs of laws.

        Raises:
            UnsupportedError: where an average of this measure is not defined here.

        """
        raise UnsupportedError(f"an average of the {self.title} is not defined here", wanted='aggregation = "worst"')

    def shares(self, comparison: Comparison, delta: Fraction) -> list[tuple[Fraction, Real]]:
        """The weight and the value of each pair of laws of a comparison."""
        return [
            (Fraction(int(term.mass), int(comparison.total)), self.value(term.pair, delta)) for term in comparison.terms
        ]

    def number(self, comparison: Comparison, delta: Fraction = Fraction(0)) -> Real:
        """The smallest ε of a comparison: the value of the one pair, or the average over the pairs, over its scale."""
        if len(comparison.terms) == 1 and comparison.terms[0].mass == comparison.total:
            value = self.value(comparison.terms[0].pair, delta)
        else:
            value = self.average(self.shares(comparison, delta))
        return divided(value, comparison.scale)


@dataclass(frozen=True)
class Condition:
    """A measure that holds or not of an ordered pair of laws; `title` names it in a sentence."""

    key: str
    title: str
    holds: Callable[[MeasurePair], bool]


class Divergence(NumberMeasure, ABC):
    """A divergence of a law P from a law Q: one number in [0, ∞], which ε bounds; 0 for equal laws."""

    @property
    @abstractmethod
    def title(self) -> str:
        """The name of the divergence in a sentence, without an article."""

    @property
    @abstractmethod
    def against_nothing(self) -> Epsilon:
        """The divergence where the second law does not exist, as if it had no output in common with the first."""

    @abstractmethod
    def between(self, outputs: Weights, totals: tuple[int, int]) -> Epsilon:
        """The divergence of two laws, from the weights of their outputs over the totals.

        Raises:
            LimitError: where the numbers would be too long; refused before they are made.

        """

    def value(self, pair: AnyPair, delta: Fraction) -> Real:  # noqa: ARG002
        """The divergence of the two laws of a pair, whatever δ is."""
        return self.against_nothing if pair.unmatched else self.between(*pair.weights())


@dataclass(frozen=True)
class TotalVariation(Divergence):
    """The total variation distance ½·Σₒ |P(o) - Q(o)|: the hockey-stick divergence at ε = 0 (ε-TVPr, DP22, section 3).

    >>> str(TotalVariation().between([(3, 1), (1, 3)], (4, 4)))
    '1/2'
    """

    key: str = "total-variation"
    formula: str = "½·Σ |P - Q|"
    source: str = "DP22, section 3, after Definition 11: ε-total variation privacy"

    @property
    def title(self) -> str:
        """The name of the divergence in a sentence."""
        return "total variation distance"

    @property
    def against_nothing(self) -> Epsilon:
        """1: the laws have no output in common."""
        return epsilon(1)

    def between(self, outputs: Weights, totals: tuple[int, int]) -> Epsilon:
        """½·Σₒ |P(o) - Q(o)|, a rational number."""
        shared = gcd(*totals)
        first, second = (total // shared for total in totals)
        apart = sum(abs(p - q if first == second else p * second - q * first) for p, q in outputs)
        return epsilon(Fraction(apart, 2 * first * second * shared))

    def average(self, shares: Sequence[tuple[Fraction, Epsilon]]) -> Epsilon:
        """Σ weight·value, a rational number."""
        return epsilon(sum((weight * value.coefficient for weight, value in shares), Fraction(0)))


@dataclass(frozen=True)
class Renyi(Divergence):
    """The Rényi divergence of an integer order α ≥ 2, ln(Σₒ P(o)^α·Q(o)^(1-α))/(α - 1) (DP22, Definition 11).

    In nats; infinite where P can produce what Q cannot. An output that neither can produce counts 0.

    >>> str(Renyi(2).between([(3, 1), (1, 3)], (4, 4)))
    'ln(7/3)'
    """

    order: int
    source: str = "DP22, Definition 11: (α, ε)-Rényi differential privacy"

    @classmethod
    def named(cls, parameter: str, where: str) -> Renyi:
        """The divergence of the order that a recipe writes after its name: `renyi-2`.

        Raises:
            InputError: for an order that is no integer from 2 to 256.

        """
        if not re.fullmatch("[1-9][0-9]{0,2}", parameter) or not 2 <= int(parameter) <= MOST_ORDER:
            raise InputError(
                f"given the order {shorten(parameter)}", where=where, wanted=f"an integer from 2 to {MOST_ORDER}"
            )
        return cls(int(parameter))

    @property
    def key(self) -> str:  # type: ignore[override]
        """The name of the divergence in answers and recipes."""
        return f"renyi-{self.order}"

    @property
    def formula(self) -> str:  # type: ignore[override]
        """The formula that ε bounds."""
        power = self.order - 1
        return "ln(Σ P^2/Q)" if power == 1 else f"ln(Σ P^{self.order}/Q^{power})/{power}"

    @property
    def title(self) -> str:
        """The name of the divergence in a sentence."""
        return f"Rényi divergence of order {self.order}"

    @property
    def against_nothing(self) -> Epsilon:
        """∞: the second law can produce no output."""
        return INFINITY

    def between(self, outputs: Weights, totals: tuple[int, int]) -> Epsilon:
        """(1/(α - 1))·ln of a rational number, or ∞."""
        compared = [(p, q) for p, q in outputs if p]
        if any(not q for _, q in compared):
            return INFINITY
        power, (first, second) = self.order - 1, totals
        bits = power * sum(q.bit_length() for q in {q for _, q in compared}) + self.order * first.bit_length()
        if bits > MOST_BITS:
            raise LimitError(
                f"the {self.title} of two laws has up to {bits:,} bits",
                wanted=f"at most {MOST_BITS:,}",
                tip="use a lower order, or fewer outputs",
            )
        moment = sum((Fraction(p**self.order, q**power) for p, q in compared), Fraction(0))
        return log_epsilon(moment * second**power / first**self.order, Fraction(1, power))


DIVERGENCES: dict[str, Divergence] = {"total-variation": TotalVariation()}
"""The measures without a δ, by their names in recipes."""
OF_A_NUMBER: dict[str, Callable[[str, str], Divergence]] = {"renyi": Renyi.named}
"""The divergences with a number behind their name, such as `renyi-2`: each makes one from the number."""


def measure_title(name: str) -> str:
    """The name of a measure in a sentence, such as `Rényi divergence of order 2`; a curve keeps its name.

    Raises:
        InputError: for a name that no measure has.

    """
    from verifier.definitions.scheme.measures import title_of

    if (title := title_of(name)) is not None:
        return title
    measure = measure_named(name)
    return measure.title if isinstance(measure, Divergence) else name


def measure_named(name: object, where: str = "") -> CurveMeasure | Divergence:
    """The measure that a recipe, or a certificate, names.

    >>> measure_named("tail").key, measure_named("total-variation").key, measure_named("renyi-3").order
    ('tail', 'total-variation', 3)

    Raises:
        InputError: for a name that no measure has, or a number that it cannot have.

    """
    known: dict[str, CurveMeasure | Divergence] = {**CURVES, **DIVERGENCES}
    if isinstance(name, str):
        stem, _, number = name.rpartition("-")
        if name in known:
            return known[name]
        if stem in OF_A_NUMBER:
            return OF_A_NUMBER[stem](number, where)
    names = [*known, *(f"{stem}-2" for stem in OF_A_NUMBER)]
    raise InputError(f"given {shorten(name)}", where=where, wanted=f"one of {', '.join(names)}")
