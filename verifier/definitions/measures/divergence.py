"""Divergences: measures that are one number for two laws, which a definition bounds by ε; few depend on a δ.

Each is declared once, with its name, title, formula and source. A number with an algebraic value has a term over a
ring (`numbers.ring`), from which it is computed for one model here, and elsewhere for columns of many models, for
functions of parameters and for solvers. Others are a `Scalar`: a sum of logarithms, a supremum over orders, or what is
enclosed at any precision. No value is rounded.
"""

from __future__ import annotations

import re
from abc import ABC
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from fractions import Fraction
from functools import lru_cache
from math import gcd
from typing import TYPE_CHECKING, Any, NamedTuple, TypeAlias, TypeGuard

from verifier.definitions.comparison import CURVES, DECLARED_CURVES, AnyPair, Comparison, CurveMeasure, MeasurePair
from verifier.definitions.measures.declared import DeclaredMeasure
from verifier.definitions.measures.losses import losses_of, renyi_of
from verifier.errors import InputError, LimitError, UnsupportedError
from verifier.numbers import INFINITY, ZERO, Epsilon, epsilon, log_epsilon, shorten
from verifier.numbers.reals import Enclosed, Real, divided, log_sum, root
from verifier.numbers.ring import INTEGERS, Ring
from verifier.numbers.ring import Weights as RingWeights
from verifier.tables import Label

if TYPE_CHECKING:
    from verifier.definitions.builders.rows import Setting

MOST_NUMBER = 256
"""Highest number behind a name, of an order or a power: the powers of probabilities are written out."""
MOST_BITS = 1 << 18
"""Longest sum of such powers."""
Weights: TypeAlias = Iterable[tuple[int, int]]
"""The outputs of two laws, each with its weight under the first and under the second."""
Term: TypeAlias = Callable[[Ring, RingWeights, Any], Any]
"""The number of two laws over a ring: from the ring, the weights of each output under both, and their total T.

Where the measure is infinite (`is_infinite`), a ring may make anything of it.
"""
ANY, WITHIN, SAME = "any", "within", "same"
"""Where a measure is finite: for all laws; where Q can produce all that P can; where both can produce the same."""


def is_infinite(ring: Ring, weights: RingWeights, finite: str) -> Any:
    """Whether a measure that is `finite` for ANY laws, WITHIN or SAME ones, is infinite for these."""
    if finite == ANY:
        return ring.some(())
    possible = [(ring.possible(p), ring.possible(q)) for p, q in weights]
    return ring.some(p > q for p, q in possible) if finite == WITHIN else ring.some(p != q for p, q in possible)


# --- what a divergence is ---------------------------------------------------------------------------------------------


class Shown(NamedTuple):
    """What shows a number of two laws to anyone who adds up: a set of outputs, or single outputs with P and Q."""

    event: tuple[Label, ...] | None = None
    outputs: tuple[Label, ...] | None = None


Show: TypeAlias = "Callable[[MeasurePair], Shown]"


def possible(pair: MeasurePair) -> list[tuple[Label, int, int]]:
    """The outputs that one of the laws can produce, with their weights, in order."""
    return [row for row in zip(pair.outputs, pair.p, pair.q or (), strict=True) if row[1] or row[2]]


def show_all(pair: MeasurePair) -> Shown:
    """All outputs, of which the number is a sum."""
    return Shown(outputs=tuple(output for output, _, _ in possible(pair)))


def largest_of(rows: Sequence[tuple[Label, int, int]]) -> Label:
    """The first output with the largest P/Q; one that only P can produce has the largest."""
    best = rows[0]
    for row in rows[1:]:
        if row[1] * best[2] > best[1] * row[2] or (not row[2] and best[2]):
            best = row
    return best[0]


def show_largest(pair: MeasurePair) -> Shown:
    """The first output with the largest P/Q."""
    rows = possible(pair)
    return Shown(event=(largest_of(rows),) if rows else ())


def show_range(pair: MeasurePair) -> Shown:
    """The first output with the largest P/Q, and the first one with the smallest; none where there is none."""
    rows = possible(pair)
    return Shown(outputs=(largest_of(rows), largest_of([(o, q, p) for o, p, q in rows])) if rows else ())


def show_more_likely(pair: MeasurePair) -> Shown:
    """The outputs that are more likely under P: P(S) - Q(S) of these is the total variation distance."""
    return Shown(event=tuple(output for output, p, q in possible(pair) if p > q))


@dataclass(frozen=True)
class Condition:
    """A measure that holds or not of an ordered pair of laws; `title` names it in a sentence.

    `broken` gives the set of outputs that breaks it most, and by how much; None where it holds.
    """

    key: str
    title: str
    broken: Callable[[MeasurePair], tuple[tuple[Label, ...], Fraction] | None]
    formula: str = ""

    def holds(self, pair: MeasurePair) -> bool:
        """Whether no set of outputs breaks it."""
        return self.broken(pair) is None


class Divergence(ABC):
    """A divergence of a law P from a law Q: one number in [0, ∞], which ε bounds; 0 for equal laws.

    `title` is its name in a sentence, without an article. `against_nothing` is its value where the second law does not
    exist, as if it had no output in common with the first; None where that is not asked.
    """

    key: str
    title: str
    formula: str
    source: str
    against_nothing: Epsilon | None = None
    one_by_one: bool = False
    """Whether it names outputs, or counts sets of them, so that those of one ratio on all databases are not one."""

    def between(self, outputs: Weights, totals: tuple[int, int]) -> Real:
        """The divergence of two laws, from the weights of their outputs over the totals; where `value` asks for it.

        Raises:
            LimitError: where the numbers would be too long; refused before they are made.

        """
        raise NotImplementedError

    def value(self, pair: AnyPair, delta: Fraction) -> Real:  # noqa: ARG002
        """The number of one pair of laws; few measures have one that depends on δ."""
        if pair.unmatched and self.against_nothing is not None:
            return self.against_nothing
        return self.between(*pair.weights())

    def shown(self, pair: MeasurePair) -> Shown:
        """What shows the number of one pair of laws: by default all its outputs."""
        return show_all(pair)

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
            value = self.average_of(comparison, delta)
        return divided(value, comparison.scale)

    def average_of(self, comparison: Comparison, delta: Fraction) -> Real:
        """The average over the pairs of a comparison."""
        average: Real = self.average(self.shares(comparison, delta))
        return average


@dataclass(frozen=True, eq=False)
class Named(Divergence):
    """A divergence by its name, title, formula and source, with averages where the values can be added exactly.

    `words`, `made_finite` and `by_sets` are those of a `DeclaredMeasure`, where an entry may name it.
    """

    key: str
    title: str
    formula: str
    source: str
    show: Show = field(default=show_all, kw_only=True)
    words: str = field(default="", kw_only=True)
    made_finite: str = field(default="", kw_only=True)
    by_sets: str = field(default="", kw_only=True)
    one_by_one: bool = field(default=False, kw_only=True)

    def shown(self, pair: MeasurePair) -> Shown:
        """What shows the number of one pair of laws."""
        return self.show(pair)

    def average(self, shares: Sequence[tuple[Fraction, Real]]) -> Real:
        """Σ share·value; exact for rational values, and for logarithms as `log_sum` says.

        Raises:
            UnsupportedError: where values are neither all rational nor all logarithms.

        """
        listed = [(share, value) for share, value in shares if share]
        if any(isinstance(value, Epsilon) and value.is_infinite for _, value in listed):
            return INFINITY
        rational = [(share, value.coefficient) for share, value in listed if _is_rational(value)]
        if len(rational) == len(listed):
            return epsilon(sum((share * number for share, number in rational), Fraction(0)))
        terms: list[tuple[Fraction, Fraction]] = []
        for share, value in listed:
            if isinstance(value, Enclosed) and value.terms:
                terms += [(share * r, s) for r, s in value.terms]
            elif isinstance(value, Epsilon) and value.kind == "log":
                terms.append((share * value.coefficient, value.argument))
            elif value != ZERO:
                raise UnsupportedError(f"an average of the {self.title} is not decided")
        return log_sum(terms)


def _is_rational(value: Real) -> TypeGuard[Epsilon]:
    return isinstance(value, Epsilon) and value.kind == "rational"


@dataclass(frozen=True, eq=False)
class Algebraic(Named):
    """A divergence with an algebraic value: x = `term`, its root of order `power`, or ln(x)/`power` if `logarithmic`.

    `finite` says for which laws it is finite. `average_over_knowledge` says whether a definition of one's own can ask
    for its average over B̂; `longest` is the order α where powers α of all weights are written out. `conjugate` is
    the Fenchel conjugate f*(s) = sup over t ≥ 0 of s·t - f(t) of a divergence Σ Q·f(P/Q), exactly, where it is rational
    (None is infinite), and `most` the s above which it is infinite.
    """

    term: Term
    finite: str = ANY
    logarithmic: bool = False
    power: int = 1
    against_nothing: Epsilon | None = None
    average_over_knowledge: bool = False
    longest: int | None = None
    conjugate: Callable[[Fraction], Fraction | None] | None = None
    most: Fraction | None = None

    def of(self, pair: MeasurePair) -> Real:
        """The number of one pair of laws."""
        return _kept(self, pair)

    def value(self, pair: AnyPair, delta: Fraction) -> Real:
        """The number of one pair of laws, whatever δ is."""
        return _kept(self, pair) if isinstance(pair, MeasurePair) else super().value(pair, delta)

    def average_of(self, comparison: Comparison, delta: Fraction) -> Real:
        """The average over the pairs of a comparison; that over B̂, which names no rows, only where it is defined."""
        if comparison.row is None and not self.average_over_knowledge:
            return Divergence.average(self, ())  # type: ignore[no-any-return]
        return super().average_of(comparison, delta)

    def between(self, outputs: Weights, totals: tuple[int, int]) -> Real:
        """The number of two laws, from the weights of their outputs over the totals.

        Raises:
            LimitError: where the numbers would be too long; refused before they are made.

        """
        weights = [(p, q) for p, q in outputs if p or q]
        if is_infinite(INTEGERS, weights, self.finite):
            return INFINITY
        if self.longest is not None:
            self._refuse_long({q for p, q in weights if p}, totals[0], self.longest)
        shared = gcd(*totals)
        first, second = (total // shared for total in totals)
        if first != second:
            weights = [(p * second, q * first) for p, q in weights]
        value: Fraction = self.term(INTEGERS, weights, first * second * shared)
        if self.logarithmic:
            return log_epsilon(value, Fraction(1, self.power))
        return epsilon(value) if self.power == 1 else root(value, self.power)

    def _refuse_long(self, below: set[int], total: int, order: int) -> None:
        bits = (order - 1) * sum(q.bit_length() for q in below) + order * total.bit_length()
        if bits > MOST_BITS:
            raise LimitError(
                f"the {self.title} of two laws has up to {bits:,} bits",
                wanted=f"at most {MOST_BITS:,}",
                tip="use a lower order, or fewer outputs",
            )


@lru_cache(maxsize=1 << 12)
def _kept(measure: Algebraic, pair: MeasurePair) -> Real:
    """The number of a pair of laws: many definitions ask for it."""
    return measure.between(*pair.weights())


@dataclass(frozen=True, eq=False)
class Scalar(Named):
    """A divergence that is no term over a ring: one number `of`(P, Q), exact or enclosed; `finite` says where."""

    of: Callable[[MeasurePair], Real]
    finite: str = field(default=ANY, kw_only=True)

    def value(self, pair: AnyPair, delta: Fraction) -> Real:  # noqa: ARG002
        """The number of one pair of laws, whatever δ is."""
        return self.of(MeasurePair.of(pair))


@dataclass(frozen=True, eq=False)
class ScalarWithDelta(Scalar):
    """A measure whose number falls with δ: `at` gives it for the laws given events of probability at least 1 - δ."""

    at: Callable[[MeasurePair, Fraction], Real]

    def value(self, pair: AnyPair, delta: Fraction) -> Real:
        """The number of one pair of laws at δ."""
        return self.at(MeasurePair.of(pair), delta)


Number: TypeAlias = Algebraic | Scalar


# --- terms over a ring ------------------------------------------------------------------------------------------------


def distance(parts: int) -> Term:
    """Σ |P - Q|/`parts`.

    >>> str(distance(2)(INTEGERS, [(3, 1), (1, 3)], 4))
    '1/2'
    """
    return lambda ring, weights, total: ring.ratio(ring.total(ring.apart(p, q) for p, q in weights), total * parts)


def power_sum(k: int) -> Term:
    """Σ Q·|P/Q - 1|^k, for k ≥ 2.

    >>> str(power_sum(2)(INTEGERS, [(3, 1), (1, 3)], 4))
    '4/3'
    """

    def term(ring: Ring, weights: RingWeights, total: Any) -> Any:
        return ring.summed(ring.ratio(ring.apart(p, q) ** k, q ** (k - 1)) for p, q in weights) / total

    return term


def moment(order: int) -> Term:
    """Σ P^α/Q^(α - 1), for an integer α ≥ 2.

    >>> str(moment(2)(INTEGERS, [(3, 1), (1, 3)], 4))
    '7/3'
    """

    def term(ring: Ring, weights: RingWeights, total: Any) -> Any:
        return ring.summed(ring.ratio(p**order, q ** (order - 1)) for p, q in weights) / total

    return term


def largest_ratio(ring: Ring, weights: RingWeights, total: Any) -> Any:
    """The largest P/Q, at least 1.

    >>> str(largest_ratio(INTEGERS, [(3, 1), (1, 3)], 4))
    '3'
    """
    return ring.largest([ring.ratio(total, total), *(ring.ratio(p, q) for p, q in weights)])


def conjugate_of_distance(slope: Fraction) -> Callable[[Fraction], Fraction | None]:
    """The conjugate of f(t) = slope·|t - 1|, which is infinite above the slope."""
    return lambda s: None if s > slope else max(s, -slope)


def range_of_ratios(ring: Ring, weights: RingWeights, total: Any) -> Any:  # noqa: ARG001
    """The largest P/Q over the smallest, of the outputs that the laws can produce.

    >>> str(range_of_ratios(INTEGERS, [(3, 1), (1, 3)], 4))
    '9'
    """
    up, down = (ring.largest([ring.ratio(x, y) for x, y in way]) for way in (weights, _turned(weights)))
    return up * down


def _turned(weights: RingWeights) -> RingWeights:
    return [(q, p) for p, q in weights]


RATIO = Algebraic(
    "ratio",
    "largest privacy loss",
    "ln max P/Q",
    "DP22, Definition 1",
    largest_ratio,
    WITHIN,
    logarithmic=True,
    show=show_largest,
    words="the largest ln(P[S]/Q[S]) over all sets S of outputs",
    made_finite="For all sets S of outputs, single outputs suffice: P[S]/Q[S] is at most the largest P(o)/Q(o)",
)
SPREAD = Algebraic(
    "spread",
    "range of the privacy loss",
    "ln(max P/Q ÷ min P/Q)",
    "DP22, section 7.3",
    range_of_ratios,
    SAME,
    logarithmic=True,
    show=show_range,
    words="the largest loss minus the smallest",
)
CHI_SQUARED = Algebraic(
    "chi-squared",
    "χ² divergence",
    "Σ (P - Q)²/Q",
    "DP22, Definition 13",
    power_sum(2),
    WITHIN,
    conjugate=lambda s: s + s * s / 4 if s >= -2 else Fraction(-1),
)
TOTAL_VARIATION = Algebraic(
    "total-variation",
    "total variation distance",
    "½·Σ |P - Q|",
    "DP22, section 3, after Definition 11: ε-total variation privacy",
    distance(2),
    against_nothing=epsilon(1),
    average_over_knowledge=True,
    conjugate=conjugate_of_distance(Fraction(1, 2)),
    most=Fraction(1, 2),
    show=show_more_likely,
)
"""The hockey-stick divergence at ε = 0."""


@lru_cache
def power(k: int) -> Algebraic:
    """The divergence Σ Q·|P/Q - 1|^k (DP22, after Definition 13, with the expectation under Q); χ² is k = 2."""
    title, formula, source = f"divergence E[|P/Q - 1|^{k}]", f"Σ Q·|P/Q - 1|^{k}", "DP22, Definition 13"
    if k > 1:
        return Algebraic(f"abs-{k}", title, formula, source, power_sum(k), WITHIN)
    slope = Fraction(1)
    conjugate = conjugate_of_distance(slope)
    return Algebraic("abs-1", title, formula, source, distance(1), conjugate=conjugate, most=slope)


@lru_cache
def rooted_power(k: int) -> Algebraic:
    """The root (Σ Q·|P/Q - 1|^k)^(1/k): (f_k, ε)-divergence DP bounds the sum by ε^k (DP22, after Definition 13)."""
    plain, title = power(k), f"root of order {k} of E[|P/Q - 1|^{k}]"
    source = "DP22, after Definition 13"
    return Algebraic(f"root-abs-{k}", title, f"(Σ Q·|P/Q - 1|^{k})^(1/{k})", source, plain.term, plain.finite, power=k)


@lru_cache
def renyi(order: int) -> Algebraic:
    """The Rényi divergence of an integer order α ≥ 2, ln(Σₒ P(o)^α·Q(o)^(1-α))/(α - 1) (DP22, Definition 11).

    In nats; infinite where P can produce what Q cannot. An output that neither can produce counts 0.

    >>> str(renyi(2).between([(3, 1), (1, 3)], (4, 4)))
    'ln(7/3)'
    """
    return Algebraic(
        f"renyi-{order}",
        f"Rényi divergence of order {order}",
        "ln(Σ P^2/Q)" if order == 2 else f"ln(Σ P^{order}/Q^{order - 1})/{order - 1}",
        "DP22, Definition 11: (α, ε)-Rényi differential privacy",
        moment(order),
        WITHIN,
        logarithmic=True,
        power=order - 1,
        against_nothing=INFINITY,
        longest=order,
    )


def _of_order(setting: Setting) -> Fraction:
    """The order in `[policy]`, refused where powers of probabilities would be too long."""
    order: Fraction = setting.need("order")
    if order > MOST_NUMBER:
        raise UnsupportedError(f"the order {order} is not decided: one up to {MOST_NUMBER} is")
    return order


# --- other numbers ----------------------------------------------------------------------------------------------------


def kullback_leibler(pair: MeasurePair) -> Real:
    """Σ P·ln(P/Q), in nats, where 0·ln 0 = 0; ∞ where P can produce what Q cannot."""
    weights = [(p, q) for p, q in zip(pair.p, pair.q or (), strict=True) if p]
    if is_infinite(INTEGERS, weights, WITHIN):
        return INFINITY
    return log_sum((Fraction(p, pair.total), Fraction(p, q)) for p, q in weights)


def semantic(pair: MeasurePair) -> Real:
    """(√R - 1)/(√R + 1), where ln R is the range of the privacy loss: the least ε with R ≤ ((1 + ε)/(1 - ε))².

    It is 0 where P or Q is 0 everywhere, since one of the two posteriors does not exist then.
    """
    if not any(pair.p) or not any(pair.q or ()):
        return ZERO
    wide = SPREAD.of(pair)
    if isinstance(wide, Enclosed) or wide.is_infinite:
        return epsilon(1)
    square = root(wide.exp or Fraction(1), 2)
    if isinstance(square, Epsilon):
        return epsilon((square.coefficient - 1) / (square.coefficient + 1))

    def bracket(precision: int) -> tuple[Fraction, Fraction]:
        low, high = square.bracket(precision)
        return (low - 1) / (low + 1), (high - 1) / (high + 1)

    return Enclosed(bracket)


def renyi_of_order(order: Fraction) -> Number:
    """The Rényi divergence of a rational order; exact where it is r·ln of a rational."""
    if order.denominator == 1:
        return renyi(int(order))

    def of(pair: MeasurePair) -> Real:
        losses = losses_of(pair)
        return INFINITY if losses is None else renyi_of(losses, order)

    return Scalar("renyi", RENYI.title, RENYI.formula, RENYI.source, of)


KL = Scalar(
    "kl",
    "Kullback–Leibler divergence",
    "Σ P·ln(P/Q)",
    "DP22, Definition 10",
    kullback_leibler,
    finite=WITHIN,
    words="the mean loss Σ P·ln(P/Q)",
)
SEMANTIC = Scalar(
    "semantic",
    "largest distance of posteriors",
    "(√R - 1)/(√R + 1), R = max r/min r",
    "DP22, Definition 37",
    semantic,
    show=show_range,
    words="(√R - 1)/(√R + 1), where R is the largest ratio of r_D = P[M(D) ∈ S]/P[M(D without i) ∈ S]",
    made_finite="All sets S of at most 12 outputs are listed. Of all priors and X, the worst prior has the two "
    "databases with the largest and the smallest ratio, and gives (√R - 1)/(√R + 1)",
    by_sets="every set of outputs is an event of its own, and a tail has infinitely many parts",
    one_by_one=True,
)


# --- by name ----------------------------------------------------------------------------------------------------------

DIVERGENCES: dict[str, Number] = {
    each.key: each for each in (RATIO, KL, SPREAD, CHI_SQUARED, TOTAL_VARIATION, SEMANTIC)
}
"""The divergences without a parameter, by their names."""
OF_A_NUMBER: dict[str, tuple[Callable[[int], Algebraic], int]] = {"renyi": (renyi, 2), "abs": (power, 1)}
"""The divergences with a number behind their name, such as `renyi-2`, each with the least number."""


def conjugate_of(name: str) -> Callable[[Fraction], Fraction | None] | None:
    """The Fenchel conjugate of the f of a divergence, by its name; None where it is not rational."""
    found = known_divergence(name)
    return found.conjugate if isinstance(found, Algebraic) else None


def known_divergence(name: str) -> Number | None:
    """The divergence with this name, without or with a number behind it; None where none has the name."""
    stem, _, number = name.rpartition("-")
    if name in DIVERGENCES:
        return DIVERGENCES[name]
    if stem in OF_A_NUMBER and number.isdecimal() and OF_A_NUMBER[stem][1] <= int(number) <= MOST_NUMBER:
        return OF_A_NUMBER[stem][0](int(number))
    return None


def divergence_named(name: str) -> Number:
    """A divergence by its name in `[policy] divergence` or in an entry.

    >>> divergence_named("abs-3").formula, divergence_named("renyi-2").key
    ('Σ Q·|P/Q - 1|^3', 'renyi-2')

    Raises:
        UnsupportedError: for a name that no divergence has.

    """
    if (found := known_divergence(name)) is not None:
        return found
    raise UnsupportedError(f"the divergence {shorten(name)} is not decided: one of {', '.join(policy_names())} is")


def policy_names() -> list[str]:
    """The names that `[policy] divergence` can have, those with a number with their least one."""
    return [*DIVERGENCES, *(f"{each}-{least}" for each, (_, least) in OF_A_NUMBER.items())]


def measure_named(name: object, where: str = "") -> CurveMeasure | Divergence:
    """The measure that a recipe, or a certificate, names: a curve, or a number of laws of which one may not exist.

    >>> measure_named("tail").key, measure_named("total-variation").key, measure_named("renyi-3").power
    ('tail', 'total-variation', 2)

    Raises:
        InputError: for a name that no measure has, or a number that it cannot have.

    """
    numbers = {key: each for key, each in DIVERGENCES.items() if each.against_nothing is not None}
    known: dict[str, CurveMeasure | Divergence] = {**CURVES, **numbers}
    if isinstance(name, str):
        stem, _, order = name.rpartition("-")
        if name in known:
            return known[name]
        if stem == "renyi":
            if not re.fullmatch("[1-9][0-9]{0,2}", order) or not 2 <= int(order) <= MOST_NUMBER:
                wanted = f"an integer from 2 to {MOST_NUMBER}"
                raise InputError(f"the order {shorten(order)} is not decided", where=where, wanted=wanted)
            return renyi(int(order))
    raise InputError(
        f"the divergence {shorten(name)} is unknown", where=where, wanted=f"one of {', '.join((*known, 'renyi-2'))}"
    )


# --- as entries name them ---------------------------------------------------------------------------------------------


def constant(number: Number) -> DeclaredMeasure[Number | CurveMeasure]:
    """The declaration of a number without parameters."""
    texts = number.key, number.title, number.formula, number.source
    return DeclaredMeasure(
        *texts, lambda _setting: number, words=number.words, made_finite=number.made_finite, by_sets=number.by_sets
    )


def _root(setting: Setting) -> Algebraic:
    order: Fraction = setting.need("order")
    if order > MOST_NUMBER or order.denominator != 1:
        raise UnsupportedError(f"the order {order} is not decided: an integer from 2 to {MOST_NUMBER} is")
    return rooted_power(int(order))


RENYI: DeclaredMeasure[Number | CurveMeasure] = DeclaredMeasure(
    "renyi",
    "Rényi divergence",
    "ln(Σ P·(P/Q)^(α - 1))/(α - 1)",
    "DP22, Definition 11",
    lambda setting: renyi_of_order(_of_order(setting)),
    words="Rényi's divergence of order α, ln(Σ P^α·Q^(1 - α))/(α - 1)",
    fields=("order",),
)
WITH_PARAMETER: tuple[DeclaredMeasure[Number | CurveMeasure], ...] = (
    RENYI,
    DeclaredMeasure(
        "divergence",
        "divergence of the file",
        "Σ Q·f(P/Q)",
        "DP22, Definition 13",
        lambda setting: divergence_named(setting.need("divergence")),
        words="the divergence that the file gives, under the second distribution Q",
        fields=("divergence",),
    ),
    DeclaredMeasure(
        "root-abs",
        "root of order k of E[|P/Q - 1|^k]",
        "(Σ Q·|P/Q - 1|^k)^(1/k)",
        "DP22, after Definition 13",
        _root,
        words="(Σ Q·|P/Q - 1|^k)^(1/k)",
        fields=("order",),
    ),
)
NUMBERS: Mapping[str, DeclaredMeasure[Number | CurveMeasure]] = {
    each.key: each for each in (*DECLARED_CURVES, *map(constant, DIVERGENCES.values()), *WITH_PARAMETER)
}
"""The curves, and the measures that are one number whatever `[policy]` has, or read one parameter of it."""


def measure_in(name: str, setting: Setting) -> Number | CurveMeasure:
    """The measure of an entry, with the parameter that it reads in `[policy]`.

    Raises:
        UnsupportedError: where the file does not give the parameter, or gives one that is not decided.

    """
    return NUMBERS[name].made(setting) if name in NUMBERS else divergence_named(name)
