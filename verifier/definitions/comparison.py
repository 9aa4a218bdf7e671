"""Comparisons: the pairs of laws that a definition forbids to tell apart."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from fractions import Fraction
from functools import cached_property, reduce

from verifier.definitions.measure import HOCKEY_STICK, Curve, CurveMeasure
from verifier.definitions.pairs import AnyPair, Sum
from verifier.model import Database
from verifier.numbers import INFINITY, ZERO, Delta, Epsilon, Order, log_epsilon
from verifier.profile import Line, Profile, averaged, envelope, lines_of, weighted_sum
from verifier.tables import Integer, Label


@dataclass(frozen=True)
class Term:
    """One pair of laws; in the average of its comparison it has the weight `mass`/`total`."""

    mass: Integer
    pair: AnyPair

    @property
    def members(self) -> int:
        """How many knowledge values it stands for."""
        return self.pair.case.members if self.pair.case else 1


@dataclass(frozen=True)
class Comparison:
    """What a definition bounds by δ: one pair of laws, or an average over knowledge values of pairs.

    `distribution`, `record`, `a` and `b` say which (`a` is None where no value is replaced or given); `databases` gives
    the neighbours that are compared, `output` the t whose posteriors are.
    """

    distribution: str | None
    record: int | None
    a: Label | None
    b: Label | None
    terms: tuple[Term, ...]
    multiplicity: int = 1
    databases: Callable[[], tuple[Database, Database]] | None = None
    total: Integer = 1
    output: Label | None = None
    measure: CurveMeasure = HOCKEY_STICK

    def line(self, epsilon: Epsilon, *, closed: bool = False) -> Sum:
        """(A - B·e^ε)/denominator, the weighted sum of the lines of the terms at ε; without `closed` it is δ(ε)."""
        return self.measure.of(self._line(epsilon, closed=closed))

    def _line(self, epsilon: Epsilon, *, closed: bool = False) -> Sum:
        """P(S) - Q(S)·e^ε of the outputs whose loss is above ε (or at least ε), summed over the terms."""
        if len(self.terms) == 1:
            ((term),) = self.terms
            return Sum(*term.pair.line(epsilon, closed=closed), term.pair.denominator).times(term.mass, self.total)
        windows = [(term.mass, term.pair.window) for term in self.terms]
        if all(window for _, window in windows):
            lines = lines_of(windows, epsilon, closed=closed)  # type: ignore[arg-type]
            return reduce(Sum.plus, (Sum(*line, edges.denominator * self.total) for edges, line in lines.items()))
        sums: dict[int, Sum] = {}
        for term in self.terms:
            (p, q), denominator = term.pair.line(epsilon, closed=closed), term.pair.denominator
            old = sums.get(id(denominator)) or Sum(0, 0, denominator * self.total)
            sums[id(denominator)] = Sum(old.p + term.mass * p, old.q + term.mass * q, old.denominator)
        return reduce(Sum.plus, sums.values())

    def delta(self, epsilon: Epsilon) -> Delta:
        """The smallest δ at ε: Σ weight·δ(ε) of the terms."""
        return self.line(epsilon).delta(epsilon)

    def needs(self, epsilon: Epsilon, delta: Fraction) -> bool:
        """Whether this comparison needs ε: no smaller one gives δ(ε) ≤ `delta`, and for ε = ∞ no finite one.

        `epsilon` is the smallest ε of a set of comparisons, so that it is enough unless it is ∞.

        Raises:
            ArithmeticError: where e^ε is not rational, as it is at every smallest ε.

        """
        if epsilon.is_infinite:
            return self.delta(INFINITY).order(delta).settled() is Order.GREATER
        if epsilon.exp is None:
            raise ArithmeticError("a tightest ε is 0, the logarithm of a rational, or inf")
        return epsilon.exp == 1 or bool(self.measure.attained(self._line(epsilon, closed=True), epsilon.exp, delta))

    def epsilon(self, delta: Fraction) -> Epsilon:
        """The smallest ε ≥ 0 at which δ(ε) ≤ `delta`.

        For several terms without shared outcomes the whole curve need not be made: a binary search over their
        breakpoints finds the piece A - B·e^ε that crosses `delta`.
        """
        if self.delta(INFINITY).order(delta).settled() is Order.GREATER:
            return INFINITY
        if len(self.terms) == 1 or self.measure is not HOCKEY_STICK or all(term.pair.window for term in self.terms):
            return self.measure.epsilon(self._profile, delta)
        bends = sorted({Fraction(1), *(e for term in self.terms for e in term.pair.profile.breakpoints)})
        low, high = -1, len(bends) - 1
        while high - low > 1:
            middle = (low + high) // 2
            enough = self.delta(log_epsilon(bends[middle])).order(delta).settled() is not Order.GREATER
            low, high = (low, middle) if enough else (middle, high)
        if low < 0:
            return ZERO
        (e1, d1), (e2, d2) = ((e, self.delta(log_epsilon(e)).a) for e in (bends[low], bends[high]))
        return log_epsilon(e1 + (d1 - delta) * (e2 - e1) / (d1 - d2))

    @property
    def points(self) -> tuple[Integer, list[Line]] | None:
        """The profile as a denominator and points, not in lowest terms; None unless all terms share outcomes."""
        windows = [(term.mass, term.pair.window) for term in self.terms]
        if not all(window for _, window in windows):
            return None
        return averaged([(mass, window) for mass, window in windows if window], self.total)

    @cached_property
    def profile(self) -> Curve:
        """δ as a function of ε, exactly: the average of the terms' curves."""
        return self.measure.curve(self._profile)

    @property
    def _profile(self) -> Profile:
        if len(self.terms) == 1 and self.terms[0].mass == self.total:
            return self.terms[0].pair.profile
        points = self.points
        if points is not None:
            return envelope([points])
        return weighted_sum((Fraction(int(t.mass), int(self.total)), t.pair.profile) for t in self.terms)


@dataclass(frozen=True)
class ComparisonSet:
    """The comparisons of one θ and one sensitive attribute; an empty set is vacuous and is counted as empty.

    `members` is the number of interchangeable records, which all have these comparisons.
    """

    distribution: str | None
    record: int | None
    comparisons: Sequence[Comparison]
    members: int = 1
