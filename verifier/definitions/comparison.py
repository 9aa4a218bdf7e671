"""Comparisons: the pairs of laws that a definition forbids to tell apart, each with the multiple of ε that is allowed.

A pair is of exact laws, P against Q. A `CurveMeasure` measures it by a function δ(ε), of which the definition asks that
δ(ε) ≤ δ. A `Divergence` (`divergence.py`) gives one number, of which it asks that it is at most ε; only a
`ScalarWithDelta` depends on a δ. A `Condition` is no number: it holds or not (docs/own-definitions.md).

A comparison with the scale c is allowed c·ε: it asks δ(c·ε) ≤ δ, and needs 1/c of the ε that its laws need. An
aggregation says how the knowledge values of one comparison count together.
"""

from __future__ import annotations

from bisect import bisect_right
from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass, replace
from fractions import Fraction
from functools import cached_property, lru_cache, reduce
from itertools import groupby
from math import gcd
from typing import TYPE_CHECKING, Any, NamedTuple, Protocol, TypeAlias

from verifier.definitions.measures.declared import DeclaredMeasure
from verifier.engine import KnowledgeCase, Output
from verifier.engine.enumerated import InOrder
from verifier.engine.pushforward import Pushforward
from verifier.model import Database, Model
from verifier.numbers import INFINITY, ZERO, Delta, Epsilon, Order, compare_integers, log_epsilon
from verifier.numbers.reals import divided, times
from verifier.profile import (
    Line,
    Profile,
    Steps,
    Window,
    averaged,
    envelope,
    highest,
    lines_of,
    maximum,
    profile_of,
    weighted_sum,
)
from verifier.profile.profile import cumulated
from verifier.tables import Integer, Label, in_order

if TYPE_CHECKING:
    from verifier.definitions.scheme import SeenRow

ALL_LOST = Profile(1, ((0, 1),))
"""The profile of a law P against a law that can produce none of its outputs: δ(ε) = 1 for every ε."""
OutputWeights: TypeAlias = tuple[Label, Integer, Integer]
"""An output with its P- and Q-weights."""


@lru_cache(maxsize=4096)
def profile_of_weights(p: tuple[int, ...], q: tuple[int, ...]) -> Profile:
    """The profile of P against Q, kept: many pairs have the same weights under other names."""
    return _profile_of_counts(frozenset(Counter(zip(p, q, strict=True)).items()))


@lru_cache(maxsize=4096)
def _profile_of_counts(counts: frozenset[tuple[tuple[int, int], int]]) -> Profile:
    """The profile of P against Q, from how often each pair of weights comes."""
    p, q = zip(*((x * times, y * times) for (x, y), times in counts), strict=True)
    return profile_of(p, q)


@dataclass(frozen=True)
class Pair:
    """Two exact laws on the same outputs, P against Q, with the knowledge they are conditioned on.

    `q` is None where the second law does not exist: B̂ excludes b.
    """

    case: KnowledgeCase | None
    outputs: tuple[Label, ...]
    p: tuple[int, ...]
    q: tuple[int, ...] | None
    direction: str = ""

    @property
    def knowledge(self) -> Label | None:
        """The knowledge value B̂ on which both laws are conditioned; None without one."""
        return self.case.label if self.case else None

    @property
    def window(self) -> Window | None:
        """The window of outcomes that the pair shares with other pairs; None where it shares none."""
        return None

    @property
    def unmatched(self) -> bool:
        """Whether the second law does not exist."""
        return self.q is None

    @property
    def totals(self) -> tuple[int, int]:
        """The totals by which the weights of P and of Q are divided."""
        return sum(self.p), sum(self.q or ())

    @cached_property
    def profile(self) -> Profile:
        """The privacy profile of P against Q."""
        return ALL_LOST if self.q is None else profile_of_weights(self.p, self.q)

    @property
    def denominator(self) -> int:
        """The denominator of all lines."""
        return self.profile.denominator

    def line(self, epsilon: Epsilon, *, closed: bool = False) -> Line:
        """(A, B) with δ(ε) = (A - B·e^ε)/denominator: P and Q of the outputs whose loss is above ε (or at least ε)."""
        return self.profile.line(epsilon, closed=closed)

    def event(self, epsilon: Epsilon, *, closed: bool = False) -> tuple[Label, ...]:
        """The outputs whose privacy loss is above ε (with `closed`: at least ε)."""
        if self.q is None:
            return self.outputs
        p_total, q_total = self.totals
        shared = gcd(p_total, q_total)
        p_scale, q_scale = q_total // shared, p_total // shared
        accept = {Order.GREATER, Order.EQUAL} if closed else {Order.GREATER}

        def belongs(x: int, y: int) -> bool:
            if epsilon.is_infinite:
                return x > 0 and y == 0
            return compare_integers(x * p_scale, y * q_scale, epsilon).settled() in accept

        rows = zip(self.outputs, self.p, self.q, strict=True)
        return tuple(output for output, x, y in rows if (x or y) and belongs(x, y))

    def masses(self, event: tuple[Label, ...]) -> tuple[Fraction, Fraction | None]:
        """P(S) and Q(S)."""
        chosen = set(event)
        p_total, q_total = self.totals
        first = sum(x for output, x in zip(self.outputs, self.p, strict=True) if output in chosen)
        if self.q is None:
            return Fraction(first, p_total), None
        second = sum(y for output, y in zip(self.outputs, self.q, strict=True) if output in chosen)
        return Fraction(first, p_total), Fraction(second, q_total)

    def weights(self) -> tuple[Iterator[tuple[int, int]], tuple[int, int]]:
        """The weights of every output under both laws, and the totals that divide them."""
        return zip(self.p, self.q or (), strict=True), self.totals

    def rows(self) -> Iterator[tuple[Label, Fraction, Fraction]]:
        """Every output with its probability under both laws."""
        p_total, q_total = self.totals
        for output, x, y in zip(self.outputs, self.p, self.q or (), strict=True):
            yield output, Fraction(x, p_total), Fraction(y, q_total)


@dataclass(frozen=True)
class MeasurePair(Pair):
    """A law P against a measure R, both as integer weights over `total`, which need not be the sum of either."""

    total: int = 1

    @classmethod
    def of(cls, pair: AnyPair) -> MeasurePair:
        """Any pair of laws that both exist, over one denominator."""
        if isinstance(pair, MeasurePair):
            return pair
        if isinstance(pair, Pair):
            outputs, weights, (p_total, q_total) = pair.outputs, zip(pair.p, pair.q or (), strict=True), pair.totals
        else:
            outputs, p_weights, q_weights = zip(*pair.weighted(), strict=True)
            weights = zip(p_weights, q_weights, strict=True)
            p_total = q_total = int(pair.denominator)
        shared = gcd(p_total, q_total)
        scaled = [(int(p) * (q_total // shared), int(q) * (p_total // shared)) for p, q in weights]
        p, q = zip(*scaled, strict=True)
        return cls(None, outputs, p, q, total=p_total * (q_total // shared))

    @cached_property
    def profile(self) -> Profile:
        """Σ max(0, P - e^μ·R) as a function of μ, which takes the place of ε for the dependency."""
        rows = zip(self.p, self.q or (), strict=True)
        return cumulated([(x, y) for x, y in rows if x > y], self.total)

    @property
    def totals(self) -> tuple[int, int]:
        """The common denominator of P and R, once for each."""
        return self.total, self.total


@dataclass(frozen=True)
class SharedPair:
    """P against Q of one knowledge value, where many share the two laws of a sum, and each shifts the sum."""

    case: KnowledgeCase | None
    pushforward: Pushforward
    window: Window
    lumps: tuple[int, ...]
    direction: str = ""

    @property
    def knowledge(self) -> Label | None:
        """The knowledge value B̂ on which both laws are conditioned; None without one."""
        return self.case.label if self.case else None

    @property
    def unmatched(self) -> bool:
        """False: both laws exist."""
        return False

    @property
    def profile(self) -> Profile:
        """The privacy profile of P against Q."""
        return self.window.profile

    @property
    def denominator(self) -> Integer:
        """The denominator of all lines."""
        return self.window.denominator

    def line(self, epsilon: Epsilon, *, closed: bool = False) -> Line:
        """(A, B) with δ(ε) = (A - B·e^ε)/denominator: P and Q of the outputs whose loss is above ε (or at least ε)."""
        return self.window.line(epsilon, closed=closed)

    def event(self, epsilon: Epsilon, *, closed: bool = False) -> tuple[Label, ...]:
        """The outputs whose privacy loss is above ε (with `closed`: at least ε)."""
        positions, lumps = self.window.event(epsilon, closed=closed)
        plan, shift = self.pushforward.plan, self.pushforward.shift
        names = [name for k in positions for name in plan.outcomes(self.window.edges, k, shift)]
        names += [plan.names[self.lumps[k]] for k in lumps]
        return tuple(in_order(names))

    def masses(self, event: tuple[Label, ...]) -> tuple[Fraction, Fraction | None]:
        """P(S) and Q(S)."""
        chosen, scale = set(event), int(self.denominator)
        edges, plan, shift = self.window.edges, self.pushforward.plan, self.pushforward.shift
        lines = [
            (edges.p[k], edges.q[k])
            for i, j in self.window.apart
            for k in range(i, j)
            if (edges.p[k] or edges.q[k]) and plan.outcomes(edges, k, shift)[0] in chosen
        ]
        lumps = zip(self.lumps, self.window.lumped, strict=True)
        lines += [line for number, line in lumps if plan.names[number] in chosen]
        return tuple(Fraction(int(sum(part)), scale) for part in zip((0, 0), *lines, strict=True))  # type: ignore[return-value]

    def weights(self) -> tuple[Iterator[tuple[int, int]], tuple[int, int]]:
        """The weights of every output under both laws, and the totals that divide them."""
        scale = int(self.denominator)
        return ((int(p), int(q)) for _, p, q in self.weighted()), (scale, scale)

    def rows(self) -> Iterator[tuple[Label, Fraction, Fraction]]:
        """Every output with its probability under both laws, in order."""
        scale, weights = int(self.denominator), {output: (x, y) for output, x, y in self.weighted()}
        for output in in_order(weights):
            x, y = weights[output]
            yield output, _ratio(int(x), scale), _ratio(int(y), scale)

    def weighted(self) -> Iterator[OutputWeights]:
        """Every output with its weight under both laws, over the denominator."""
        edges, plan = self.window.edges, self.pushforward.plan
        for i, j in self.window.apart:
            for k in range(i, j):
                if edges.p[k] or edges.q[k]:
                    yield plan.name(edges, k, self.pushforward.shift), edges.p[k], edges.q[k]
        for number, (p, q) in zip(self.lumps, self.window.lumped, strict=True):
            if p or q:
                yield plan.names[number], p, q


@lru_cache(maxsize=1 << 14)
def _ratio(top: int, bottom: int) -> Fraction:
    """Pairs that share their outcomes have the same probabilities."""
    return Fraction(top, bottom)


AnyPair: TypeAlias = Pair | SharedPair


def pair_of(case: KnowledgeCase | None, first: Output, second: Output | None, direction: str = "") -> AnyPair:
    """The pair P against Q of two laws of outputs; `second` is None where B̂ excludes b, so that Q does not exist."""
    if isinstance(first, Pushforward) and isinstance(second, Pushforward):
        if first.shift != second.shift:
            raise ValueError("the laws of one knowledge value are shifted alike")
        return SharedPair(case, first, *first.plan.window(first.law, second.law, first.shift), direction)
    p = first.weights if isinstance(first, Pushforward) else first
    q = second.weights if isinstance(second, Pushforward) else second
    names = tuple(p)
    if isinstance(p, InOrder) and isinstance(q, InOrder) and names == tuple(q):
        return Pair(case, names, tuple(p.values()), tuple(q.values()), direction)
    outputs = tuple(in_order({**p, **(q or {})}))
    weights = tuple(q.get(o, 0) for o in outputs) if q is not None else None
    return Pair(case, outputs, tuple(p.get(o, 0) for o in outputs), weights, direction)


class Sum(NamedTuple):
    """(P - Q·e^ε)/denominator, in integers."""

    p: Integer
    q: Integer
    denominator: Integer

    def times(self, mass: Integer, total: Integer) -> Sum:
        """The share mass/total of this number."""
        return self if mass == total else Sum(self.p * mass, self.q * mass, self.denominator * total)

    def plus(self, other: Sum) -> Sum:
        """The sum of two such numbers."""
        x, y = other.denominator, self.denominator
        return Sum(self.p * x + other.p * y, self.q * x + other.q * y, x * y)

    def exceeds(self, other: Sum, epsilon: Epsilon) -> bool:
        """Whether this number is larger than the other at ε."""
        p, q = self.p - other.p, self.q - other.q
        if self.denominator != other.denominator:
            p = self.p * other.denominator - other.p * self.denominator
            q = self.q * other.denominator - other.q * self.denominator
        if epsilon.is_infinite:
            return bool(p > 0)
        if p <= 0 <= q or p >= 0 >= q:
            return bool(p > 0 or q < 0)
        order = compare_integers(abs(p), abs(q), epsilon).settled()
        return order is (Order.GREATER if p > 0 else Order.LESS)

    def delta(self, epsilon: Epsilon) -> Delta:
        """The number as a δ, in lowest terms."""
        p, q, denominator = map(int, self)
        return Delta.of(Fraction(p, denominator), Fraction(q, denominator), epsilon)


Curve: TypeAlias = Profile | Steps
"""δ as a function of ε."""


class Measure(Protocol):
    """The name, formula and source of a measure."""

    @property
    def key(self) -> str:
        """The name of the measure in answers and recipes."""

    @property
    def formula(self) -> str:
        """The formula that a definition bounds."""

    @property
    def source(self) -> str:
        """The paper that defines the measure, with the number of the definition."""


class CurveMeasure(Measure, Protocol):
    """A measure with a curve δ(ε), from the probabilities P and Q of the event S that the loss is above ε."""

    def of(self, line: Sum) -> Sum:
        """δ(ε) as A - B·e^ε, from the line P(S) - Q(S)·e^ε of the event."""

    def curve(self, profile: Profile) -> Curve:
        """δ as a function of ε, from the privacy profile."""

    def epsilon(self, profile: Profile, delta: Fraction) -> Epsilon:
        """The smallest ε ≥ 0 at which the curve of the profile is at most δ."""

    def worst(self, curves: Iterable[Curve]) -> Curve:
        """The pointwise maximum of curves of this measure."""

    def attained(self, closed: Sum, exp: Fraction, delta: Fraction) -> Any:
        """Whether every smaller ε gives more than δ, given that e^ε = `exp` > 1 gives at most δ.

        `closed` is of the outputs whose loss is at least ε: integers, or columns of them for many pairs at once.
        """


@dataclass(frozen=True)
class HockeyStick:
    """The hockey-stick divergence Σₒ max(0, P(o) - e^ε·Q(o)) (DMKB20, Definition 1 and Lemma 1).

    It is E[max(0, 1 - e^(ε - loss))] under P, and the least δ such that P(S) ≤ e^ε·Q(S) + δ for all sets of outputs S.
    """

    key: str = "hockey-stick"
    formula: str = "E[max(0, 1 - e^(ε - loss))]"
    source: str = "DMKB20, Definition 1 and Lemma 1"

    def of(self, line: Sum) -> Sum:
        """δ(ε) = P(S) - e^ε·Q(S)."""
        return line

    def curve(self, profile: Profile) -> Profile:
        """The privacy profile δ(ε)."""
        return profile

    def epsilon(self, profile: Profile, delta: Fraction) -> Epsilon:
        """The smallest ε ≥ 0 at which the privacy profile is at most δ."""
        return profile.epsilon(delta)

    def worst(self, curves: Iterable[Curve]) -> Profile:
        """The pointwise maximum of profiles, convex and piecewise linear in e^ε again."""
        return maximum(curve for curve in curves if isinstance(curve, Profile))

    def attained(self, closed: Sum, exp: Fraction, delta: Fraction) -> Any:
        """Whether the closed event has P - e^ε·Q = δ and Q > 0: then it exceeds δ at every smaller ε."""
        exceeds = closed.p * delta.denominator - closed.denominator * delta.numerator
        return (closed.q > 0) & (exceeds * exp.denominator == closed.q * exp.numerator * delta.denominator)


@dataclass(frozen=True)
class Tail:
    """P[loss > ε], the probability under P of the outputs with P(o) > e^ε·Q(o) (DMKB20, section 3.4).

    At least the hockey-stick divergence, since that counts each such output with a factor 1 - e^(ε - loss) below 1.
    """

    key: str = "tail"
    formula: str = "P[loss > ε]"
    source: str = "DMKB20, section 3.4: the mass of the privacy loss above ε; section 3.3 contrasts it with the mean"

    def of(self, line: Sum) -> Sum:
        """δ(ε) = P(S), without Q."""
        return Sum(line.p, 0, line.denominator)

    def curve(self, profile: Profile) -> Steps:
        """P[loss > ε], a step function of e^ε."""
        return Steps.of(profile)

    def epsilon(self, profile: Profile, delta: Fraction) -> Epsilon:
        """The smallest ε ≥ 0 with P[loss > ε] ≤ δ: 0, ∞, or the loss of some output; the other steps are not made."""
        level, points = delta * profile.denominator, profile.points
        if points[0][1] > level:
            return INFINITY
        kept = bisect_right(points, level, key=lambda point: Fraction(int(point[1]))) - 1
        if kept == len(points) - 1:
            return ZERO
        (q1, p1), (q2, p2) = points[kept], points[kept + 1]
        return log_epsilon(Fraction(int(p2 - p1), int(q2 - q1)))

    def worst(self, curves: Iterable[Curve]) -> Steps:
        """The pointwise maximum of step functions, a step function again."""
        return highest(curve for curve in curves if isinstance(curve, Steps))

    def attained(self, closed: Sum, exp: Fraction, delta: Fraction) -> Any:  # noqa: ARG002
        """Whether P[loss ≥ ε] > δ: the outputs whose loss is exactly ε are too many."""
        return closed.p * delta.denominator > closed.denominator * delta.numerator


HOCKEY_STICK, TAIL = HockeyStick(), Tail()
CURVES: dict[str, CurveMeasure] = {measure.key: measure for measure in (HOCKEY_STICK, TAIL)}
"""The measures with a δ, by their names in recipes."""
WORST_SET = "Of all sets S of outputs, the worst has the outputs with P(o) > e^ε·Q(o)"
DECLARED_CURVES: tuple[DeclaredMeasure[CurveMeasure], ...] = (
    DeclaredMeasure(
        HOCKEY_STICK.key,
        HOCKEY_STICK.key,
        HOCKEY_STICK.formula,
        HOCKEY_STICK.source,
        lambda _setting: HOCKEY_STICK,
        words="δ(ε), the largest P[S] - e^ε·Q[S] over all sets S of outputs",
        made_finite=WORST_SET,
        has_delta=True,
    ),
    DeclaredMeasure(
        TAIL.key,
        TAIL.key,
        TAIL.formula,
        TAIL.source,
        lambda _setting: TAIL,
        words="δ(ε), the probability under P that the loss is above ε",
        made_finite="The loss of each output counts, and no set of outputs",
        has_delta=True,
    ),
)
"""The curves as entries name them."""


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
        unscaled = self.unscaled_epsilon(delta)
        smallest = unscaled if self.scale == 1 else divided(unscaled, self.scale)
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
