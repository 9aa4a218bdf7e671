"""Numbers of DP22 of which only bounds are known, and their order against an ε.

`Concentrated` and `MeanConcentrated` speak of all real orders. With L = ln(P/Q) under P, K(t) = ln E[e^(t·L)] is
convex, K(0) = 0, and t·D = K(t) for the Rényi divergence D of order 1 + t. A claim is K(t) ≤ b·t + c·t² for all t in
(0, T]. It is proved by the two ends of intervals that get smaller, between which K″ says how far K can be above its
chord; near 0 by the first moments, with |K‴| ≤ R³/4 and |K⁗′| ≤ R⁵ for the range R of L, or, since K″ ≤ R²/4, at once;
far out by K(t) ≤ t·L_max. A point at which K is more refutes it. (DP22, Definition 12 and section 3.3; BS16.)

`Enclosed` are Gaussian μ, Rényi of a rational order, and capacity bounds with KL: each gives rational bounds at any
precision, and is compared with an ε as soon as the bounds leave it.
"""

from __future__ import annotations

from collections.abc import Sequence
from fractions import Fraction
from functools import lru_cache
from itertools import combinations
from math import isqrt
from typing import Any, NamedTuple

from verifier.checker import Beyond
from verifier.checker.laws import Law, expectation
from verifier.checker.measures import INFINITE, Scalar, kullback_leibler, ratio, renyi
from verifier.checker.numbers import ONE, ZERO, Bounds, Written, down, exp, ln, order, rational_root, up
from verifier.checker.survey.divergences import tradeoff

BITS = 192
FINE = BITS + 32
UNIT = 1 << FINE
"""Weights are integers in units of 2^-224; so many units make 1."""
SMALLEST = 100
"""Most lengths 1, 1/2, 1/4, … that are tried for the interval near 0."""
MOST_POINTS = 4000
HIGHEST = 1 << 10
"""The largest order ω of a claim."""
MOST_LOSSES = 128
"""Most pairs of laws whose losses are kept."""
LONGEST = 64
"""Bits of a probability's denominator; with longer ones the bounds of 192 bits are too coarse, or too slow."""


class Loss:
    """Bounds of the privacy loss L = ln(P/Q) in nats under P: its largest value, its moments, and K at an order.

    `negative` takes -L in place of L; `centred` subtracts the mean.
    """

    def __init__(self, p: Law, q: Law, *, negative: bool = False, centred: bool = False) -> None:
        if any(x.denominator.bit_length() > LONGEST for law in (p, q) for x in law.values()):
            raise Beyond(f"a probability has a denominator of more than {LONGEST} bits")
        self.chances = list(p.values())
        signs = -1 if negative else 1
        ends = [ln(x / q[o], FINE) for o, x in p.items()]
        self.losses: list[Bounds] = [(low, high) if signs > 0 else (-high, -low) for low, high in ends]
        self.mean = self._sum([low for low, _ in self.losses]), self._sum([high for _, high in self.losses])
        if centred:
            self.losses = [(low - self.mean[1], high - self.mean[0]) for low, high in self.losses]
            self.mean = ZERO, ZERO
        self.largest = max(low for low, _ in self.losses), max(high for _, high in self.losses)
        self.range = self.largest[1] - min(low for low, _ in self.losses)
        away = [max(abs(low - self.mean[1]), abs(high - self.mean[0])) for low, high in self.losses]
        self.third = self.range**3 / 4
        """The most that |K‴| can be: the range times the variance."""
        self.variance = self._sum([distance * distance for distance in away])
        least = [max(ZERO, low - self.mean[1], self.mean[0] - high) for low, high in self.losses]
        self.skew = self._sum([(high - self.mean[0]) ** 3 for _, high in self.losses])
        """No less than the third cumulant."""
        self.kurtosis = self._sum([d**4 for d in away]) - 3 * self._sum([d * d for d in least]) ** 2
        """No less than the fourth cumulant."""
        self._weights_at: dict[Fraction, list[tuple[int, int]]] = {}
        self._values: dict[Fraction, Bounds] = {}
        self._curvatures: dict[Fraction, Fraction] = {}
        self.signs: dict[Claim, int] = {}
        """The signs of the claims that are decided."""
        gaps = [(i, j, max(ZERO, a - d, c - b))
                for (i, (a, b)), (j, (c, d)) in combinations(enumerate(self.losses), 2)]  # fmt: skip
        self._apart = [(i, j, int(down(gap, FINE) * UNIT) ** 2) for i, j, gap in gaps]
        """How far two losses are apart at least, squared, in units squared."""

    def _sum(self, values: list[Fraction]) -> Fraction:
        return sum((p * value for p, value in zip(self.chances, values, strict=True)), ZERO)

    def known(self, last: Fraction) -> list[tuple[Fraction, Bounds]]:
        """The points t ≤ `last` at which K has been computed, with its bounds."""
        return [(t, bounds) for t, bounds in self._values.items() if t <= last]

    def at(self, t: Fraction) -> Bounds:
        """Bounds of K(t) = t·L_max + ln Σ p·e^(t·(L - L_max))."""
        if t not in self._values:
            below, above = (Fraction(sum(ends), UNIT) for ends in zip(*self._weights(t), strict=True))
            base = t * self.largest[0]
            self._values[t] = base + ln(down(below, BITS), BITS)[0], base + ln(up(above, BITS), BITS)[1]
        return self._values[t]

    def _weights(self, t: Fraction) -> list[tuple[int, int]]:
        """Bounds of p·e^(t·(L - L_max)), in units."""
        if t not in self._weights_at:
            base = self.largest[0]
            self._weights_at[t] = [
                (
                    int(down(p * exp(down(t * (low - base), BITS), BITS)[0], FINE) * UNIT),
                    int(up(p * exp(up(t * (high - base), BITS), BITS)[1], FINE) * UNIT),
                )
                for p, (low, high) in zip(self.chances, self.losses, strict=True)
            ]
        return self._weights_at[t]

    def curvature(self, t: Fraction) -> Fraction:
        """A lower bound of K″(t), the variance of L under the weights: Σ wᵢ·wⱼ·(Lᵢ - Lⱼ)²/(Σ w)² over all i < j."""
        if t not in self._curvatures:
            weights = self._weights(t)
            total = sum(high for _, high in weights)
            spread = sum(weights[i][0] * weights[j][0] * square for i, j, square in self._apart)
            self._curvatures[t] = Fraction((spread << BITS) // (total * total * UNIT * UNIT), 1 << BITS)
        return self._curvatures[t]


def loss_of(p: Law, q: Law, *, negative: bool = False, centred: bool = False) -> Loss:
    """The loss of two laws, kept with all that was computed of it, since several claims and definitions ask for it."""
    return _loss_of(tuple(p.items()), tuple(q.items()), negative, centred)


@lru_cache(MOST_LOSSES)
def _loss_of(p: tuple[tuple[str, Fraction], ...], q: tuple[tuple[str, Fraction], ...], *flags: bool) -> Loss:
    negative, centred = flags
    return Loss(dict(p), dict(q), negative=negative, centred=centred)


class Claim(NamedTuple):
    """K(t) ≤ b·t + c·t² for 0 < t ≤ T (None is ∞), with b and c between bounds.

    `touches` says that b is K'(0): the claim is then of second order at 0. `ends` says that equality holds at T.
    """

    b: Bounds
    c: Bounds
    last: Fraction | None = None
    touches: bool = False
    ends: bool = False

    def sign(self, loss: Loss) -> int:
        """Minus 1 where the claim is proved, 1 where a point refutes it; what was decided once is kept."""
        if self not in loss.signs:
            loss.signs[self] = self._sign(loss)
        return loss.signs[self]

    def _sign(self, loss: Loss) -> int:
        if loss.largest[1] <= self.b[0]:
            return -1
        far = self.last
        if self.c[0] > 0:
            enough = up((loss.largest[1] - self.b[0]) / self.c[0], 16)
            far = enough if far is None else min(far, enough)
        elif far is None:
            raise Beyond("two numbers are too near each other")
        if self._by_range(loss, far):
            return -1
        if not self.ends and any(self.refuted(t, k) for t, k in loss.known(far)):
            return 1
        start = self._near(loss, far)
        return 1 if start is None else self._between(loss, start, far)

    def _by_range(self, loss: Loss, far: Fraction) -> bool:
        """Whether K(t) ≤ K'(0)·t + R²/8·t² is enough (Hoeffding, since K″ ≤ R²/4): at 0, and at the far end."""
        left = self.b[0] - loss.mean[1]
        return left >= 0 and left + far * (self.c[0] - loss.range**2 / 8) >= 0

    def refuted(self, t: Fraction, k: Bounds) -> bool:
        """Whether the bounds k of K(t) show that K(t) > b·t + c·t²."""
        return k[0] > self.b[1] * t + self.c[1] * t * t

    def _near(self, loss: Loss, far: Fraction) -> Fraction | None:
        """A point up to which the claim holds; None where a point refutes it."""
        for k in range(SMALLEST):
            t = min(Fraction(1, 1 << k), far)
            second = (loss.variance + t * loss.third) / 2
            below = loss.mean[1] <= self.b[0] and loss.mean[1] + t * second <= self.b[0] + t * self.c[0]
            if below or (self.touches and second <= self.c[0]) or self._fourth(loss, t):
                return t
            if not (self.ends and t == far) and self.refuted(t, loss.at(t)):
                return None
        raise Beyond("two numbers are too near each other")

    def _fourth(self, loss: Loss, t: Fraction) -> bool:
        """Whether Var/2 + s·κ₃/6 + s²·κ₄/24 + s³·R⁵/120 ≤ c for 0 < s ≤ t, where the mean is at most b."""
        room, third = self.c[0] - loss.variance / 2, max(ZERO, loss.skew) / 6
        fourth = loss.kurtosis / 24 + t * loss.range**5 / 120
        if room < 0 or not (self.touches or loss.mean[1] <= self.b[0]):
            return False
        return third * third <= 4 * room * -fourth if fourth < 0 else t * third + t * t * fourth <= room

    def _between(self, loss: Loss, start: Fraction, far: Fraction) -> int:
        points = {t: loss.at(t) for t in (start, far)}
        if not self.ends and self.refuted(far, points[far]):
            return 1
        intervals = [(start, far)] if start < far else []
        while intervals:
            low, high = intervals.pop()
            if self._bends(loss, low, high, points[low][1], points[high][1]):
                continue
            if self.ends and high == far and self._rises(low, high, points[low], points[high]):
                continue
            middle = down((low + high) / 2, 128)
            if len(points) > MOST_POINTS or not low < middle < high:
                raise Beyond("two numbers are too near each other")
            points[middle] = loss.at(middle)
            if self.refuted(middle, points[middle]):
                return 1
            intervals += [(middle, high), (low, middle)]
        return -1

    def _bends(self, loss: Loss, low: Fraction, high: Fraction, k_low: Fraction, k_high: Fraction) -> bool:
        """Whether what is left, b·t + c·t² - K, is at least 0: at both ends it is more than it bends down between."""
        slack = min(self.b[0] * t + self.c[0] * t * t - k for t, k in ((low, k_low), (high, k_high)))
        if slack < 0:
            return False
        width = high - low
        bend = 2 * self.c[1] - max(ZERO, loss.curvature((low + high) / 2) - width * loss.third / 2)
        return slack >= max(ZERO, bend) * width * width / 8

    def _rises(self, low: Fraction, high: Fraction, k_low: Bounds, k_high: Bounds) -> bool:
        """Whether K equals the parabola at the end, and rises to it at least as steeply as the parabola there."""
        return (k_high[0] - k_low[1]) / (high - low) >= self.b[1] + 2 * self.c[1] * high


class Concentrated(NamedTuple):
    """The smallest ρ with K(t) ≤ t·(ξ + ρ·(1 + t)) for 0 < t ≤ ω - 1 (ω of None: for all t)."""

    p: Law
    q: Law
    xi: Fraction
    omega: Fraction | None = None
    most: Fraction | None = None
    """The largest loss that is allowed at all."""

    @property
    def infinite(self) -> bool:
        """Whether no ρ is enough."""
        unbounded = any(o not in self.q for o in self.p)
        return unbounded or (self.most is not None and ratio(self.p, self.q).sign(Written(self.most)) > 0)

    def over(self, _scale: Fraction) -> Concentrated:
        """The same number: only the multiple 1 of ε is asked for."""
        return self

    def _end(self) -> Scalar | None:
        """D of the order ω, where that is an integer; of no order, or of a constant loss, it is the largest loss."""
        if self.omega is None or len({x / self.q[o] for o, x in self.p.items()}) == 1:
            return ratio(self.p, self.q)
        if self.omega > HIGHEST:
            raise Beyond(f"orders above {HIGHEST} are too large")
        return renyi(int(self.omega))(self.p, self.q) if self.omega.denominator == 1 else None

    def sign(self, at: Written) -> int:
        """The sign of the smallest ρ less a number."""
        if self.infinite or at.infinite:
            return int(self.infinite) - int(at.infinite)
        last, end, mean = None if self.omega is None else self.omega - 1, self._end(), kullback_leibler(self.p, self.q)
        value, loss = at.bounds(FINE), loss_of(self.p, self.q)
        if at.factor == 0 and end is not None:
            return int(end.sign(Written(self.xi)) > 0)
        claim = Claim((self.xi + value[0], self.xi + value[1]), value, last)
        if at.argument is not None and self.xi == 0:
            touches = mean.sign(at) == 0
            at_end = None if self.omega is None else at._replace(factor=at.factor * self.omega)
            ends = at_end is not None and end is not None and end.sign(at_end) == 0
            if touches or ends:
                return 1 if claim._replace(touches=touches, ends=ends).sign(loss) > 0 else 0
        return claim.sign(loss)


class MeanConcentrated(NamedTuple):
    """The smallest τ with ln E[e^(λ·(L - E[L]))] ≤ τ²·λ²/2 for all real λ, where E[L] is at most μ."""

    p: Law
    q: Law
    mu: Fraction

    @property
    def infinite(self) -> bool:
        """Whether no τ is enough."""
        return any(o not in self.q for o in self.p) or kullback_leibler(self.p, self.q).sign(Written(self.mu)) > 0

    def over(self, _scale: Fraction) -> MeanConcentrated:
        """The same number: only the multiple 1 of ε is asked for."""
        return self

    def sign(self, at: Written) -> int:
        """The sign of the smallest τ less a number."""
        if self.infinite or at.infinite:
            return int(self.infinite) - int(at.infinite)
        constant = len({x / self.q[o] for o, x in self.p.items()}) == 1
        if constant or at.factor == 0:
            return int(not constant) if at.factor == 0 else -1
        low, high = at.bounds(FINE)
        claim = Claim((ZERO, ZERO), (low * low / 2, high * high / 2))
        return max(claim.sign(loss_of(self.p, self.q, negative=sign, centred=True)) for sign in (False, True))


def approximate(p: Law, q: Law, *, xi: Fraction, delta: Fraction) -> Concentrated | Scalar:
    """The smallest ρ of approximate zero-concentration: each law given an event of probability 1 - δ.

    P is cut to min(P, x·Q)/(1 - δ), with the smallest x that cuts off at most δ, and Q in the same way. Where the total
    variation is at most δ, both can be made equal. (BS16, Definition 8.1)
    """
    if delta == 1 or sum((max(ZERO, x - q.get(o, ZERO)) for o, x in p.items()), ZERO) <= delta:
        return Scalar(plain=ZERO)
    cut = _capped(p, q, delta), _capped(q, p, delta)
    if cut[0] is None or cut[1] is None:
        return Scalar()
    return Concentrated(cut[0], cut[1], xi)


def _capped(p: Law, q: Law, delta: Fraction) -> Law | None:
    """min(P, x·Q)/(1 - δ), with the smallest x for which Σ max(0, P - x·Q) ≤ δ; None where no x is enough."""
    if sum((y for o, y in p.items() if o not in q), ZERO) > delta:
        return None
    ratios = sorted(((p.get(o, ZERO) / y, o) for o, y in q.items()), reverse=True)
    above = sum((x for o, x in p.items() if o not in q), ZERO)
    below = ZERO
    multiple = ZERO
    for k, (ratio_of, o) in enumerate(ratios):
        above, below = above + p.get(o, ZERO), below + q[o]
        following = ratios[k + 1][0] if k + 1 < len(ratios) else ZERO
        if above - following * below >= delta:  # between this ratio and the next one: above - x·below = δ
            multiple = min(ratio_of, (above - delta) / below)
            break
    return {o: x / (1 - delta) for o in p if (x := min(p[o], multiple * q.get(o, ZERO)))}


# --- enclosures -------------------------------------------------------------------------------------------------------


HALF = Fraction(1, 2)
PRECISIONS = (24, 56, 120)


class Enclosed:
    """A finite number above 0 of which bounds are known."""

    infinite = False

    def bounds(self, bits: int) -> Bounds:
        """Rational bounds; more bits bring them closer."""
        raise NotImplementedError

    def over(self, scale: Fraction) -> Any:
        """The number divided by a multiple of ε; ∞ at the multiple 0."""
        return self if scale == 1 else INFINITE if scale == 0 else _Divided(self, scale)

    def sign(self, at: Written) -> int:
        """The sign of the number less ε."""
        if at.infinite:
            return -1
        return order(self.bounds, lambda bits: at.bounds(bits + 16), PRECISIONS)


class _Divided(Enclosed):
    def __init__(self, number: Enclosed, scale: Fraction) -> None:
        self.number, self.scale = number, scale

    def bounds(self, bits: int) -> Bounds:
        low, high = self.number.bounds(bits)
        return low / self.scale, high / self.scale


# --- Rényi of a rational order ----------------------------------------------------------------------------------------


class _RationalOrder(Enclosed):
    def __init__(self, p: Law, q: Law, order: Fraction) -> None:
        self.loss, self.order = Loss(p, q), order

    def bounds(self, bits: int) -> Bounds:  # noqa: ARG002 - K has one precision
        low, high = self.loss.at(self.order - 1)
        return low / (self.order - 1), high / (self.order - 1)


def renyi_of(order: Fraction, p: Law, q: Law) -> Any:
    """The Rényi divergence ln(Σ P·(P/Q)^(α - 1))/(α - 1) in nats: exact as a sum of logarithms, else bounds."""
    if any(o not in q for o in p):
        return INFINITE
    ratios = [(x, x / q[o]) for o, x in p.items()]
    first, power = ratios[0][1], order - 1
    quotients = [(x, _rational_power(r / first, power)) for x, r in ratios]
    if any(quotient is None for _, quotient in quotients):
        return _RationalOrder(p, q, order)
    total = sum((x * quotient for x, quotient in quotients if quotient is not None), ZERO)
    return Scalar(logarithms=((ONE, first), (1 / power, total)))


def _rational_power(value: Fraction, power: Fraction) -> Fraction | None:
    """The power of a rational, where it is rational."""
    base = rational_root(value, power.denominator)
    return None if base is None else base**power.numerator


# --- capacity bounds -------------------------------------------------------------------------------------------------


class _Capacity(Enclosed):
    """The largest E_P[h] - E_Q[e^(h - 1)]."""

    def __init__(self, p: Law, q: Law, tests: Sequence[dict[str, Fraction]]) -> None:
        self.p, self.q, self.tests = p, q, tests

    def bounds(self, bits: int) -> Bounds:
        ends = []
        for h in self.tests:
            gain = expectation(self.p, h)
            costs = [(y, exp(h.get(o, ZERO) - 1, bits)) for o, y in self.q.items()]
            ends.append((gain - sum(y * cost[1] for y, cost in costs), gain - sum(y * cost[0] for y, cost in costs)))
        return max(low for low, _ in ends), max(high for _, high in ends)


def capacity(tests: Sequence[dict[str, Fraction]], p: Law, q: Law) -> Any:
    """The largest E_P[h] - E_Q[e^(h - 1)] of the functions h that are listed, at least 0: KL restricted to them."""
    others = [h for h in tests if any(h.get(o, ZERO) != 1 for o in q)]
    floor = max([ZERO, *(expectation(p, h) - 1 for h in tests if h not in others)])
    if others and _Capacity(p, q, others).sign(Written(floor)) > 0:
        return _Capacity(p, q, others)
    return Scalar(plain=floor)


# --- the normal law --------------------------------------------------------------------------------------------------


@lru_cache(1 << 6)
def _density(bits: int) -> tuple[int, int]:
    """Bounds of 2^bits/√(2π), with Machin's π = 16·arctan(1/5) - 4·arctan(1/239)."""

    def arctan(x: int) -> tuple[int, int]:
        low = high = 0
        term, k = (1 << (bits + 16)) // x, 0
        while term:
            low, high = low + (1 - 2 * (k % 2)) * (term // (2 * k + 1)), high + 1
            term, k = term // (x * x), k + 1
        return low - 2 * high - 2, low + 2 * high + 2

    fifth, other = arctan(5), arctan(239)
    pi = 16 * fifth[0] - 4 * other[1], 16 * fifth[1] - 4 * other[0]
    scale = bits + 16
    return tuple(  # type: ignore[return-value]
        isqrt((1 << (3 * scale - 1)) // end) - sign >> (scale - bits) if sign else
        (isqrt((1 << (3 * scale - 1)) // end) + 2 >> (scale - bits)) + 1
        for end, sign in ((pi[1], 1), (pi[0], 0))
    )  # fmt: skip


def normal(x: Fraction, bits: int) -> Bounds:
    """Bounds of the normal Φ(x) = 1/2 + φ(0)·Σ (-1)^k·x^(2k + 1)/(2^k·k!·(2k + 1)), in integers, for |x| ≤ 40."""
    if x < 0:
        low, high = normal(-x, bits)
        return 1 - high, 1 - low
    working = bits + 2 * int(x * x) + 32
    z = (x.numerator << working) // x.denominator  # below x by less than one unit
    square, term, total, k = z * z >> working, z, 0, 0
    while term:
        total += (1 - 2 * (k % 2)) * (term // (2 * k + 1))
        k += 1
        term = (term * square >> working) // (2 * k)
    # every term is too small by less than (k + 2)·e^(x²)·(1 + x) units
    slack = (k + 4) * (k + 4) * (2 + int(x)) << (2 * int(x * x) + 2)
    below, above = _density(working)
    low = Fraction((total - slack) * (below if total > slack else above), 1 << (2 * working))
    high = Fraction((total + slack) * above, 1 << (2 * working))
    return max(ZERO, HALF + low), min(ONE, HALF + high)


@lru_cache(1 << 10)
def quantile(chance: Fraction, bits: int) -> Bounds:
    """Bounds of Φ⁻¹(p) for 0 < p < 1, by halving."""
    if chance == HALF:
        return ZERO, ZERO
    if chance < HALF:
        low, high = quantile(1 - chance, bits)
        return -high, -low
    low, high = ZERO, ONE
    while normal(high, bits)[0] <= chance:
        low, high = high, high * 2
        if high > 32:
            raise Beyond("a chance is too near 0 or 1")
    while high - low > Fraction(1, 1 << bits):
        middle = (low + high) / 2
        below, above = normal(middle, bits + 16)
        if below > chance:
            high = middle
        elif above < chance:
            low = middle
        else:
            break
    return low, high


class _Gaussian(Enclosed):
    """The largest Φ⁻¹(1 - α) - Φ⁻¹(β) of the vertices (α, β) of a trade-off curve."""

    def __init__(self, vertices: Sequence[tuple[Fraction, Fraction]]) -> None:
        self.vertices = vertices

    def bounds(self, bits: int) -> Bounds:
        ends = [(quantile(1 - a, bits), quantile(b, bits)) for a, b in self.vertices]
        return max(x[0] - y[1] for x, y in ends), max(x[1] - y[0] for x, y in ends)


def gaussian(p: Law, q: Law) -> Any:
    """The smallest μ whose Gaussian trade-off curve lies below the curve of P and Q; 0 for equal laws."""
    inside = [(x, y) for x, y in tradeoff(p, q) if x + y < 1]
    if any(not x or not y for x, y in inside):
        return INFINITE
    return _Gaussian(inside) if inside else Scalar(plain=ZERO)
