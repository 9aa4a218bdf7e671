"""The privacy profile: δ as an exact function of ε (nats).

For two laws P and Q, δ(ε) = Σₒ max(0, P(o) - e^ε·Q(o)) = maxₛ P(S) - e^ε·Q(S): the upper envelope of the lines of
the events S. Only the events "all outputs with P(o)/Q(o) above a level" (Neyman–Pearson) matter, so the
profile is the list of their points (Q(S), P(S)): it starts at Q(S) = 0 with the outputs that Q cannot
produce, and its slopes are the likelihood ratios above 1, decreasing. In E = e^ε ≥ 1 the curve is convex and
piecewise linear, and the slopes are its breakpoints.
"""

from __future__ import annotations

from bisect import bisect_left
from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from fractions import Fraction
from functools import cmp_to_key
from itertools import pairwise
from math import gcd, lcm
from typing import TYPE_CHECKING, Any

from verifier.errors import InputError
from verifier.numbers import (
    INFINITY,
    ZERO,
    Delta,
    Epsilon,
    Order,
    compare_integers,
    compare_products,
    delta_bound,
    exact_text,
    log_epsilon,
)
from verifier.numbers import epsilon as read_epsilon
from verifier.profile.read_laws import Number, Weights, read_laws
from verifier.tables import Integer

LONG = 1 << 12
"""Bits from which on numbers are reduced by python-flint."""
Point = tuple[Integer, Integer]
"""(Q(S), P(S)) as numerators over the profile's denominator."""


@dataclass(frozen=True, slots=True)
class Profile:
    """The privacy profile δ(ε) of P and Q for ε ≥ 0 in nats, exactly; equal functions are equal objects.

    `points` are the pairs (Q(S), P(S)) as numerators over `denominator`. They start at Q(S) = 0, both coordinates
    increase strictly, the slopes decrease strictly and are above 1.

    >>> curve = profile_of([3, 1], [1, 3])  # randomized response with 3/4
    >>> curve.delta("ln(2)"), curve.epsilon(0), curve.breakpoints
    (<Delta 1/4>, <Epsilon ln(3)>, (Fraction(3, 1),))
    """

    denominator: int
    points: tuple[Point, ...]

    @property
    def breakpoints(self) -> tuple[Fraction, ...]:
        """The values of e^ε > 1 at which the curve bends, in increasing order."""
        pairs = zip(self.points, self.points[1:], strict=False)
        return tuple(sorted(Fraction(p2 - p1, q2 - q1) for (q1, p1), (q2, p2) in pairs))

    @property
    def segments(self) -> tuple[tuple[Epsilon, Fraction, Fraction], ...]:
        """The pieces (ε, A, B) of the curve: δ = A - B·e^ε from this ε on, up to the ε of the next piece.

        >>> [(str(e), str(a), str(b)) for e, a, b in profile_of([3, 1], [1, 3]).segments]
        [('0', '3/4', '1/4'), ('ln(3)', '0', '0')]
        """
        starts = [ZERO, *(log_epsilon(e) for e in self.breakpoints)]
        return tuple(
            (start, Fraction(p, self.denominator), Fraction(q, self.denominator))
            for start, (q, p) in zip(starts, reversed(self.points), strict=True)
        )

    def __repr__(self) -> str:
        first, *later = self.segments
        pieces = [f"δ = {_line(first)}", *(f"{_line(piece)} from ε = {piece[0].text(20)}" for piece in later[:2])]
        return f"<Profile {', '.join(pieces)}{', …' if len(later) > 2 else ''}>"

    def delta(self, epsilon: object) -> Delta:
        """The smallest δ at this ε; at ε = ∞ the mass of the outputs that only P can produce.

        ε is what `verifier.check` takes: `"ln(2)"`, a rational, `"inf"`.
        """
        epsilon = read_epsilon(epsilon, "epsilon")
        p, q = self.line(epsilon)
        return Delta.of(Fraction(p, self.denominator), Fraction(q, self.denominator), epsilon)

    def line(self, epsilon: Epsilon, *, closed: bool = False) -> Point:
        """(P(S), Q(S)) as numerators, for the event S of the outputs whose privacy loss is above ε.

        With `closed`, for ε > 0, of those whose privacy loss is at least ε.
        """
        edges = range(len(self.points) - 1)
        accept = {Order.LESS} if closed else {Order.LESS, Order.EQUAL}

        def flat(k: int) -> bool:
            """Whether the k-th slope is at most e^ε (with `closed`: below it); the slopes decrease."""
            (q1, p1), (q2, p2) = self.points[k], self.points[k + 1]
            return compare_integers(p2 - p1, q2 - q1, epsilon).settled() in accept

        q, p = self.points[0 if epsilon.is_infinite else bisect_left(edges, True, key=flat)]
        return p, q

    def epsilon(self, delta: object) -> Epsilon:
        """The smallest ε ≥ 0 at which δ(ε) ≤ `delta`: ln of a rational, 0, or inf where none is enough.

        All lines P(S) - E·Q(S) must be at most δ, so E* = max over S of (P(S) - δ)/Q(S), and at least 1.
        """
        level = delta_bound(delta) * self.denominator
        if self.points[0][1] > level:
            return INFINITY
        if len(self.points) == 1:
            return ZERO
        n, d = level.numerator, level.denominator

        def falls(k: int) -> bool:
            """Whether (P(S) - δ)/Q(S) stops rising at the k-th point; it rises first and falls then."""
            (q1, p1), (q2, p2) = self.points[k], self.points[k + 1]
            return bool((p2 * d - n) * q1 <= (p1 * d - n) * q2)

        q, p = self.points[bisect_left(range(1, len(self.points) - 1), True, key=falls) + 1]
        best = Fraction(p * d - n, q * d)
        return log_epsilon(best) if best > 1 else ZERO

    if TYPE_CHECKING:  # `verifier.show.on_demand` gives it, since this room comes before that one

        def plot(self, *, epsilon: object = None, delta: object = None, name: str = ...) -> Any:
            """Draw the curve, with `.save(path)`; ε and δ mark a point."""

    def __call__(self, epsilon: object) -> Delta:
        """The smallest δ at this ε, as `delta` says."""
        return self.delta(epsilon)

    def __le__(self, other: object) -> bool:
        """Whether δ(ε) is at most that of another curve at every ε: all of its events' lines are below the other's."""
        if not isinstance(other, Profile):
            return NotImplemented
        return all(a <= b for a, b in _together(self, other))

    def __ge__(self, other: object) -> bool:
        """Whether δ(ε) is at least that of another curve at every ε."""
        return other <= self if isinstance(other, Profile) else NotImplemented

    def crossings(self, other: Profile) -> tuple[Epsilon, ...]:
        """The ε > 0 at which two curves meet, having been apart, or part, in increasing order.

        >>> profile_of([2, 1], [1, 2]).crossings(profile_of(["1/6", 0, "5/6"], [0, "1/6", "5/6"]))
        (<Epsilon ln(3/2)>,)
        """
        places = sorted({Fraction(1), *self.breakpoints, *other.breakpoints})
        # One step past the last bend both curves are constant.
        places.append(places[-1] + 1)
        gaps = [a - b for a, b in (_values(self, other, e) for e in places)]
        found: list[Fraction] = []
        for (low, high), (first, second) in zip(pairwise(places), pairwise(gaps), strict=True):
            if first * second < 0:
                found.append(low + (high - low) * first / (first - second))
            elif bool(first) != bool(second) and (first or low > 1):
                found.append(high if first else low)
        return tuple(log_epsilon(e) for e in dict.fromkeys(found))

    @property
    def is_zero(self) -> bool:
        """Whether the two laws are equal: δ(ε) = 0 for every ε."""
        return bool(len(self.points) == 1 and self.points[0][1] == 0)


def _values(one: Profile, other: Profile, e: Fraction) -> tuple[Fraction, Fraction]:
    """Both δ where e^ε is a rational."""
    first, second = (curve.delta(log_epsilon(e) if e > 1 else ZERO).a for curve in (one, other))
    return first, second


def _together(one: Profile, other: Profile) -> Iterator[tuple[Fraction, Fraction]]:
    """Both δ where either curve bends, at ε = 0, and behind the last bend: between these both are straight in e^ε."""
    places = {Fraction(1), *one.breakpoints, *other.breakpoints}
    for e in (*places, max(places) + 1):
        yield _values(one, other, e)


def _line(segment: tuple[Epsilon, Fraction, Fraction]) -> str:
    _, a, b = segment
    return exact_text(a, 20) + (f" - {exact_text(b, 20)}*e^ε" if b else "")


NO_LOSS = Profile(1, ((0, 0),))
"""The profile of two equal laws."""


def cumulated(gains: list[Point], denominator: Integer) -> Profile:
    """The profile from the outputs with P > Q: their weights (P, Q), as numerators over a denominator."""
    return _canonical(denominator, points_of(gains))


def _canonical(denominator: Integer, points: Sequence[Point]) -> Profile:
    shared: Integer = denominator
    if denominator.bit_length() > LONG:
        from flint import fmpz

        shared = denominator = fmpz(denominator)
        points = [(fmpz(q), fmpz(p)) for q, p in points]
    for q, p in points:
        if shared == 1:
            break
        shared = gcd(shared, q, p) if type(shared) is int else shared.gcd(q).gcd(p)
    if shared == 1:
        return Profile(int(denominator), tuple((int(q), int(p)) for q, p in points))
    return Profile(int(denominator // shared), tuple((int(q // shared), int(p // shared)) for q, p in points))


def _envelope(denominator: int, points: Iterable[Point]) -> Profile:
    """The least profile above all points: their upper left hull with slopes above 1."""
    hull: list[Point] = [(0, 0)]
    for q, p in sorted(points):
        if p - hull[-1][1] <= q - hull[-1][0]:  # a slope of at most 1 never pays at E >= 1
            continue
        if q == hull[-1][0]:
            hull.pop()
        while len(hull) > 1:
            (q0, p0), (q1, p1) = hull[-2], hull[-1]
            if compare_products(p1 - p0, q - q1, p - p1, q1 - q0) > 0:
                break
            hull.pop()
        hull.append((q, p))
    return _canonical(denominator, hull)


def profile_of(p: Weights, q: Weights, p_total: Number | None = None, q_total: Number | None = None) -> Profile:
    """The profile δ(ε) = Σₒ max(0, P(o) - e^ε·Q(o)) of two laws, given as weights or probabilities of the same outputs.

    It is of one direction: P against Q. A law is a list, or a table from outputs to numbers. Integers are weights,
    whose totals default to their sums; fractions, also as texts, are probabilities, which sum to 1. Where `p` or `q` is
    only a part of a law, its total is larger than its sum.

    >>> profile_of([3, 1], [1, 3]) == profile_of({"yes": "3/4", "no": "1/4"}, {"no": "3/4", "yes": "1/4"})
    True

    Raises:
        InputError: for lists of different lengths, a list beside a table, negative weights, probabilities that do not
            sum to 1, and a total of 0 or below the sum.
        InexactError: for a floating-point number.

    """
    if not _are_weights(p, q, p_total, q_total):
        return profile_of(*read_laws(p, q, p_total, q_total))
    return _profile_of_weights(p, q, p_total, q_total)  # type: ignore[arg-type]


def _are_weights(p: object, q: object, *totals: object) -> bool:
    """Whether both laws are lists of integers, of Python or of flint, which need no reading."""
    if not (isinstance(p, list | tuple) and isinstance(q, list | tuple)):
        return False
    kinds = {*map(type, p), *map(type, q), *(type(total) for total in totals if total is not None)}
    return all(kind is int or kind.__name__ == "fmpz" for kind in kinds)


def _profile_of_weights(p: Sequence[int], q: Sequence[int], p_total: int | None, q_total: int | None) -> Profile:
    """The profile of two lists of integer weights."""
    p_total, q_total = sum(p) if p_total is None else p_total, sum(q) if q_total is None else q_total
    if len(p) != len(q) or p_total <= 0 or q_total <= 0:
        raise InputError(
            "the distributions have different lengths, or no mass", wanted="two distributions on the same outputs"
        )
    if min(p) < 0 or min(q) < 0 or sum(p) > p_total or sum(q) > q_total:
        raise InputError("weights are negative, or sum to more than the total", wanted="weights of two distributions")
    shared = gcd(p_total, q_total)
    scale_p, scale_q = q_total // shared, p_total // shared
    gains = [(x * scale_p, y * scale_q) for x, y in _by_ratio(p, q) if x * scale_p > y * scale_q]
    return cumulated(gains, p_total * scale_p)


def _by_ratio(p: Sequence[int], q: Sequence[int]) -> Iterator[Point]:
    """The weights of the outputs, those of one ratio added up, so that each ratio is compared once."""
    sums: dict[Point, int] = {}
    for (x, y), times in Counter(zip(p, q, strict=True)).items():
        shared = gcd(x, y) or 1
        ratio = x // shared, y // shared
        sums[ratio] = sums.get(ratio, 0) + shared * times
    return ((x * total, y * total) for (x, y), total in sums.items())


def points_of(gains: list[Point]) -> list[Point]:
    """The points (Q(S), P(S)) of a profile (Neyman–Pearson): (P, Q) weights added up by decreasing ratio P/Q.

    Weights with one ratio make one step.
    """
    certain = sum(x for x, y in gains if y == 0)
    points: list[Point] = [(0, certain)]
    total_p, total_q = certain, 0
    for x, y in _edges([gain for gain in gains if gain[1]]):
        total_p, total_q = total_p + x, total_q + y
        points.append((total_q, total_p))
    return points


def _edges(gains: list[Point]) -> Iterator[Point]:
    """The (x, y) by decreasing x/y, those of one ratio added up."""
    edge = None
    for x, y in _steepest_first(gains):
        if edge is None:
            edge = x, y
        elif compare_products(edge[0], y, x, edge[1]) == 0:
            edge = edge[0] + x, edge[1] + y
        else:
            yield edge
            edge = x, y
    if edge is not None:
        yield edge


def _steepest_first(gains: list[Point]) -> list[Point]:
    """Sorted by an approximation of x/y, which is checked by cross products; where it misleads, by these alone."""
    vertices = sorted(gains, key=_about, reverse=True)
    pairs = pairwise(vertices)
    if all(compare_products(x1, y2, x2, y1) >= 0 for (x1, y1), (x2, y2) in pairs):
        return vertices
    return sorted(gains, key=cmp_to_key(_steeper))


def _steeper(first: Point, second: Point) -> int:
    return compare_products(second[0], first[1], first[0], second[1])


def _about(gain: Point) -> int:
    """About 2^128·x/y, from the leading bits."""
    x, y = gain
    x_shift, y_shift = max(0, x.bit_length() - 192), max(0, y.bit_length() - 192)
    power = 128 + x_shift - y_shift
    top, bottom = int(x >> x_shift), int(y >> y_shift)
    return int((top << power) // bottom if power >= 0 else (top // bottom) >> -power)


def maximum(curves: Iterable[Profile]) -> Profile:
    """The pointwise maximum of several profiles: that of the worst comparison at each ε.

    >>> maximum([profile_of([1, 1], [1, 1]), profile_of([1, 0], [1, 3])]) == profile_of([1, 0], [1, 3])
    True
    """
    return envelope((curve.denominator, curve.points) for curve in curves)


def envelope(curves: Iterable[tuple[Integer, Sequence[Point]]]) -> Profile:
    """The pointwise maximum of curves given by their points over a denominator, which need not be in lowest terms."""
    curves = list(curves)
    shared = lcm(*(int(denominator) for denominator, _ in curves))
    points: list[Point] = []
    for denominator, points_of_curve in curves:
        scale = shared // int(denominator)
        points += [(q * scale, p * scale) for q, p in points_of_curve] if scale > 1 else points_of_curve
    return _envelope(shared, points)


def weighted_sum(terms: Iterable[tuple[Fraction, Profile]]) -> Profile:
    """The profile Σ wᵢ·δᵢ(ε), for weights wᵢ ≥ 0 that sum to at most 1: the average of several comparisons.

    >>> half = weighted_sum([(Fraction(1, 2), profile_of([1, 0], [0, 1])), (Fraction(1, 2), NO_LOSS)])
    >>> half.points, half.denominator
    (((0, 1),), 2)

    Raises:
        InputError: for weights that are negative, or sum to more than 1.

    """
    terms = [(weight, curve) for weight, curve in terms if weight]
    if any(weight < 0 for weight, _ in terms) or sum(weight for weight, _ in terms) > 1:
        raise InputError("weights are negative, or sum to more than 1", wanted="weights of a law")
    shared = lcm(*(weight.denominator * curve.denominator for weight, curve in terms))
    gains: list[Point] = []
    for weight, curve in terms:
        scale = weight.numerator * (shared // (weight.denominator * curve.denominator))
        gains.append((curve.points[0][1] * scale, 0))
        gains.extend(
            ((p2 - p1) * scale, (q2 - q1) * scale)
            for (q1, p1), (q2, p2) in zip(curve.points, curve.points[1:], strict=False)
        )
    return cumulated([gain for gain in gains if gain[0]], shared)
