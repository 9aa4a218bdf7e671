"""Comparisons: the pairs of laws that a definition forbids to tell apart, each with the multiple of ε that is allowed.

A comparison with the scale c is allowed c·ε: it asks δ(c·ε) ≤ δ, and needs 1/c of the ε that its laws need. An
aggregation says how the knowledge values of one comparison count together.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, replace
from fractions import Fraction
from functools import cached_property, reduce
from itertools import groupby
from typing import TYPE_CHECKING

from verifier.definitions.measures.curves import HOCKEY_STICK, Curve, CurveMeasure
from verifier.definitions.pairs import AnyPair, Sum
from verifier.model import Database, Model
from verifier.numbers import INFINITY, ZERO, Delta, Epsilon, Order, log_epsilon
from verifier.numbers.reals import divided, times
from verifier.profile import Line, Profile, averaged, envelope, lines_of, weighted_sum
from verifier.tables import Integer, Label

if TYPE_CHECKING:
    from verifier.definitions.scheme import SeenRow

ONE = Fraction(1)


@dataclass(frozen=True)
class Term:
    """One pair of laws; in the average of its comparison it has the weight `mass`/`total`."""

    mass: Integer
    pair: AnyPair
    row: SeenRow | None = None
    """The row of a scheme that it is, where its comparison is an average over rows."""

    @property
    def members(self) -> int:
        """How many knowledge values it stands for."""
        return self.pair.case.members if self.pair.case else 1


@dataclass(frozen=True)
class Comparison:
    """What a definition bounds by δ: one pair of laws, or an average over knowledge values of pairs.

    `distribution`, `record`, `a` and `b` say which (`a` is None where no value is replaced or given); `databases` gives
    the neighbours that are compared, `output` the t whose posteriors are. A comparison that is no value, neighbour or
    output has a `row` that names it. `scale` is the multiple of ε that is allowed. Where some comparisons of a set may
    be left out, those with one `case` count together, with the weight `share`.
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
    scale: Fraction = ONE
    row: SeenRow | None = None
    case: int = 0
    share: Fraction = ONE

    def words(self, model: Model) -> str:
        """Both laws in words, of two databases: `M([0]) against M([1])`."""
        two = self.databases() if self.databases else ()
        return " against ".join(f"M([{', '.join(model.values[v].text for v in database)}])" for database in two)

    def at(self, epsilon: Epsilon) -> Epsilon:
        """c·ε: what is allowed where the definition allows ε."""
        return epsilon if self.scale == 1 else times(epsilon, self.scale)

    def line(self, epsilon: Epsilon, *, closed: bool = False) -> Sum:
        """(A - B·e^ε)/denominator, the weighted sum of the lines of the terms at ε; without `closed` it is δ(ε).

        Here ε is what the laws are allowed, c·ε of the definition's.
        """
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
        """The smallest δ at ε: Σ weight·δ(c·ε) of the terms."""
        at = self.at(epsilon)
        return self.line(at).delta(at)

    def needs(self, epsilon: Epsilon, delta: Fraction) -> bool:
        """Whether this comparison needs ε: no smaller one gives δ(ε) ≤ `delta`, and for ε = ∞ no finite one.

        `epsilon` is the smallest ε of a set of comparisons, so that it is enough unless it is ∞.
        """
        if epsilon.is_infinite:
            return self.delta(INFINITY).order(delta).settled() is Order.GREATER
        if epsilon == ZERO:
            return True
        at = self.at(epsilon)
        if at.exp is None or not self.scale:
            return False  # at what this comparison needs, e^(c·ε) is rational
        return bool(self.measure.attained(self._line(at, closed=True), at.exp, delta))

    def epsilon(self, delta: Fraction) -> Epsilon:
        """The smallest ε ≥ 0 at which δ(c·ε) ≤ `delta`."""
        smallest = divided(self.unscaled_epsilon(delta), self.scale)
        if not isinstance(smallest, Epsilon):
            raise TypeError("the smallest ε of a curve is a multiple of the logarithm of a rational")
        return smallest

    def unscaled_epsilon(self, delta: Fraction) -> Epsilon:
        """The smallest ε ≥ 0 that the laws need.

        For several terms without shared outcomes the whole curve need not be made: a binary search over their
        breakpoints finds the piece A - B·e^ε that crosses `delta`.
        """
        if self.line(INFINITY).delta(INFINITY).order(delta).settled() is Order.GREATER:
            return INFINITY
        if len(self.terms) == 1 or self.measure is not HOCKEY_STICK or all(term.pair.window for term in self.terms):
            return self.measure.epsilon(self._profile, delta)
        bends = sorted({Fraction(1), *(e for term in self.terms for e in term.pair.profile.breakpoints)})
        low, high = -1, len(bends) - 1
        while high - low > 1:
            middle = (low + high) // 2
            enough = self._delta_at(bends[middle]).order(delta).settled() is not Order.GREATER
            low, high = (low, middle) if enough else (middle, high)
        if low < 0:
            return ZERO
        (e1, d1), (e2, d2) = ((e, self._delta_at(e).a) for e in (bends[low], bends[high]))
        return log_epsilon(e1 + (d1 - delta) * (e2 - e1) / (d1 - d2))

    def _delta_at(self, exp: Fraction) -> Delta:
        at = log_epsilon(exp)
        return self.line(at).delta(at)

    @property
    def points(self) -> tuple[Integer, list[Line]] | None:
        """The profile as a denominator and points, not in lowest terms; None unless all terms share outcomes."""
        windows = [(term.mass, term.pair.window) for term in self.terms]
        if not all(window for _, window in windows):
            return None
        return averaged([(mass, window) for mass, window in windows if window], self.total)

    @cached_property
    def profile(self) -> Curve:
        """δ as a function of what the laws are allowed, exactly: the average of the terms' curves."""
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
class Least(Comparison):
    """A comparison of which the best of several alternatives counts, at each ε: laws without some of their outputs."""

    alternatives: tuple[Comparison, ...] = ()

    def line(self, epsilon: Epsilon, *, closed: bool = False) -> Sum:
        """The line of the alternative with the smallest δ(ε)."""
        return self._least(epsilon, closed=closed)[1]

    def least(self, epsilon: Epsilon) -> Comparison:
        """The first alternative with the smallest δ(ε)."""
        return self._least(epsilon, closed=False)[0]

    def _least(self, epsilon: Epsilon, *, closed: bool) -> tuple[Comparison, Sum]:
        lines = [(alternative, alternative.line(epsilon, closed=closed)) for alternative in self.alternatives]
        return reduce(lambda best, entry: entry if best[1].exceeds(entry[1], epsilon) else best, lines)

    def needs(self, epsilon: Epsilon, delta: Fraction) -> bool:
        """Whether every alternative needs ε, of which one is enough."""
        return epsilon == ZERO or self.epsilon(delta) == epsilon

    def unscaled_epsilon(self, delta: Fraction) -> Epsilon:
        """The smallest of the ε that the alternatives need."""
        return min(alternative.unscaled_epsilon(delta) for alternative in self.alternatives)


@dataclass(frozen=True)
class ComparisonSet:
    """The comparisons of one θ and one sensitive attribute; an empty set is vacuous and is counted as empty.

    `members` is the number of interchangeable records, which all have these comparisons. Where `left_out` is given,
    cases of that total share may be left out.
    """

    distribution: str | None
    record: int | None
    comparisons: Sequence[Comparison]
    members: int = 1
    left_out: Fraction | None = None


def _each(comparisons: Sequence[Comparison]) -> Iterator[Comparison]:
    """Every pair of laws on its own: for each (a, b) by B̂, both directions of each B̂ together.

    Comparisons with the same a, b and output are the directions of one; their k-th terms have the same B̂, so that
    zipping the terms yields the directions of the first B̂, then those of the second: the order of witnesses.
    """
    for _, block in groupby(comparisons, key=lambda comparison: (comparison.a, comparison.b, comparison.output)):
        alike = list(block)
        for terms in zip(*(comparison.terms for comparison in alike), strict=True):
            for comparison, term in zip(alike, terms, strict=True):
                members = term.members
                if members == comparison.total == term.mass == len(comparison.terms) == 1:
                    yield comparison  # it has one pair of laws already
                    continue
                yield replace(
                    comparison, terms=(Term(1, term.pair),), multiplicity=comparison.multiplicity * members, total=1
                )


def _on_average(comparisons: Sequence[Comparison]) -> Iterator[Comparison]:
    yield from (comparison for comparison in comparisons if comparison.terms)


@dataclass(frozen=True)
class Aggregation:
    """How the knowledge values of a comparison count: the worst alone, or all by their weights."""

    key: str
    formula: str
    source: str
    averages: bool
    """Whether a comparison stays an average over knowledge values."""

    def of(self, comparisons: Sequence[Comparison]) -> Iterator[Comparison]:
        """The comparisons that a definition bounds one by one, by δ or, for a divergence, by ε."""
        return (_on_average if self.averages else _each)(comparisons)


WORST = Aggregation(
    "worst", "for all B̂", "DMKB20, Definition 12: an active attacker chooses what she knows", averages=False
)
AVERAGE = Aggregation(
    "average",
    "on average over B̂, with the weights P[B̂ | θ, D(i) = a]",
    "DMKB20, Definition 13: a passive attacker is given what she knows",
    averages=True,
)
AGGREGATIONS: dict[str, Aggregation] = {aggregation.key: aggregation for aggregation in (WORST, AVERAGE)}


def worst_line(lines: Iterator[tuple[Comparison, Sum]], epsilon: Epsilon) -> tuple[Comparison, Sum]:
    """The first of the pairs (comparison, line) whose line A - B·e^ε is the largest at ε."""
    first = next(lines)
    for line in lines:
        if line[1].exceeds(first[1], epsilon):
            first = line
    return first
