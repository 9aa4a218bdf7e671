"""Measures over all orders, and the Gaussian one: each is a supremum that is enclosed between rationals, with proofs.

Let L = ln(P/Q) under P, and K(s) = ln E[e^(s·L)], so that D_α(P‖Q) = K(s)/s with s = α - 1. A bound asks that

    h(s) = a·s + ρ·(b·s + s²) - K(s) ≥ 0 for all s of a range:

a = ξ, b = 1 for D_α ≤ ξ + ρ·α (BS16; DP22, Definition 12), and a = E[L], b = 0, ρ = τ²/2, on both sides of 0, for a
loss that is τ-sub-Gaussian (DR16). The smallest ρ is bounded from below by its value at one s, and from above by a
proof of h ≥ 0 at a slightly larger ρ: h is expanded in the middle of an interval; K'' is the variance of L under the
weights P·e^(s·L), with its fourth cumulant at most R²·K'' in size for losses in an interval of length R; where the
expansion does not show h ≥ 0 the interval is halved. Behind the last interval K(s) ≤ s·max L is enough.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from fractions import Fraction
from functools import cached_property, lru_cache
from math import isqrt
from typing import Any, NamedTuple

from .numbers import (
    INFINITY,
    ZERO,
    BeyondLimits,
    Bounds,
    Log,
    Number,
    Unsupported,
    decimal,
    exp_bounds,
    ln,
    log_bounds,
    rational,
)

ONE = Fraction(1)
Masses = Sequence[tuple[Fraction | None, Fraction, Fraction]]
"""Outputs by their ratio P/Q (None: Q is 0), with P and Q."""
ROUGH_BITS, FINE_BITS = 24, 64
MOST_BITS = 128
"""Suprema are not enclosed more finely."""
MOST_INTERVALS = 1 << 11
"""The most intervals of one proof."""
MOST_EXPONENTIALS = 1 << 16
"""The most powers of ratios for one answer."""
MOST_ORDER = 256
"""Whole orders up to this have an exact value."""
MOST_LOG = 1 << 10
"""Ratios up to 2 to this power are enclosed."""


def down(x: Fraction, bits: int) -> Fraction:
    """The largest multiple of 2^-bits that is at most x."""
    return Fraction((x.numerator << bits) // x.denominator, 1 << bits)


def up(x: Fraction, bits: int) -> Fraction:
    """The smallest multiple of 2^-bits that is at least x."""
    return -down(-x, bits)


class Expansion(NamedTuple):
    """Bounds of K and its first three derivatives at a point, and of two sums with X = L - max L.

    `mass` is Σ P·e^(s·X) from below, and `square` is Σ P·e^(s·X)·X² from above.
    """

    value: Bounds
    first: Bounds
    second: Bounds
    third: Bounds
    mass: Fraction
    square: Fraction


class Curve:
    """K with the bound a·s + ρ·(b·s + s²), and the range 0 < s ≤ top (None: without an end).

    `a` is None for E[L], where b is 0.
    """

    def __init__(self, masses: Iterable[tuple[Fraction, Fraction]], a: Fraction | None, top: Fraction | None) -> None:
        self.masses = sorted(masses)
        self.a, self.top, self.b = a, top, int(a is not None)
        self.known: dict[tuple[Fraction, int], Expansion] = {}
        self.made = 0
        size = max(self.masses[-1][0], 1 / self.masses[0][0])
        if size.numerator.bit_length() - size.denominator.bit_length() > MOST_LOG:
            raise BeyondLimits("a loss is very large")
        small = self.masses[-1][0] / self.masses[0][0] - 1
        near = max(0, small.denominator.bit_length() - small.numerator.bit_length()) if small else 0
        last = self.masses[-1][1]
        self.more = 40 + 4 * near + last.denominator.bit_length() - last.numerator.bit_length()

    @cached_property
    def losses(self) -> dict[int, list[Bounds]]:
        """The losses, less the largest one, by their number of bits."""
        return {}

    def most(self, bits: int) -> Bounds:
        """Bounds of the largest loss."""
        return log_bounds(self.masses[-1][0], bits)

    @cached_property
    def range(self) -> Fraction:
        """R: at least the largest loss less the smallest one."""
        return up(log_bounds(self.masses[-1][0] / self.masses[0][0], self.more)[1], self.more)

    def at(self, s: Fraction, bits: int) -> Expansion:
        """K and its derivatives: moments of L under the weights P·e^(s·(L - max L))."""
        known = self.known.get((s, bits))
        if known is not None:
            return known
        self.made += len(self.masses)
        if self.made > MOST_EXPONENTIALS:
            raise BeyondLimits("a supremum over all orders takes too many powers")
        fine = bits + self.more
        sums = self._moments(s, fine)
        one, two, three = (self._over(x, sums[0], fine) for x in sums[1:])
        square = one[1] * one[1] >> fine, (one[0] * one[0] >> fine) + 1
        mixed = one[1] * two[0] >> fine, one[0] * two[1] >> fine  # the first is the larger one: the mean is below 0
        cube = one[0] * square[1] >> fine, (one[1] * square[0] >> fine) + 1
        second = max(two[0] - square[1], 0), two[1] - square[0]
        third = three[0] - 3 * (mixed[0] + 1) + 2 * cube[0], three[1] - 3 * mixed[1] + 2 * cube[1]
        most = self.most(fine)
        total = (log_bounds(Fraction(x, 1 << fine), fine)[n] + s * most[n] for n, x in enumerate(sums[0]))
        found = Expansion(
            self._rounded(tuple(total), fine),  # type: ignore[arg-type]
            self._rounded((Fraction(one[0], 1 << fine) + most[0], Fraction(one[1], 1 << fine) + most[1]), fine),
            (Fraction(second[0], 1 << fine), Fraction(second[1], 1 << fine)),
            (Fraction(third[0], 1 << fine), Fraction(third[1], 1 << fine)),
            Fraction(sums[0][0], 1 << fine),
            Fraction(sums[2][1], 1 << fine),
        )
        self.known[s, bits] = found
        return found

    def _moments(self, s: Fraction, fine: int) -> list[tuple[int, int]]:
        """Bounds of Σ P·e^(s·X)·Xⁿ of X = L - max L for n up to 3, in units of 2^-fine."""
        if fine not in self.losses:
            top = self.masses[-1][0]
            ends = [log_bounds(r / top, fine) for r, _ in self.masses]
            self.losses[fine] = [(min(down(x, fine), Fraction(0)), min(up(y, fine), Fraction(0))) for x, y in ends]
        least, most = [0] * 4, [0] * 4
        for (_, p), (low, high) in zip(self.masses, self.losses[fine], strict=True):
            x, y = exp_bounds(s * low, s * high, fine) if s else (ONE, ONE)
            near, far = (-(z.numerator << fine) // z.denominator for z in (high, low))
            a = (p.numerator * x.numerator << fine) // (p.denominator * x.denominator)
            b = (p.numerator * y.numerator << fine) // (p.denominator * y.denominator) + 1
            for n in range(4):  # X is -near to -far, so that odd powers turn the order
                if n % 2:
                    least[n] -= b + 1
                    most[n] -= a
                else:
                    least[n] += a
                    most[n] += b + 1
                a, b = a * near >> fine, (b + 1) * far >> fine
        return list(zip(least, most, strict=True))

    @staticmethod
    def _over(x: tuple[int, int], y: tuple[int, int], fine: int) -> tuple[int, int]:
        """Bounds of x/y of y > 0, in units of 2^-fine."""
        low = (x[0] << fine) // (y[0] if x[0] < 0 else y[1])
        return low, (x[1] << fine) // (y[1] if x[1] < 0 else y[0]) + 1

    @staticmethod
    def _rounded(x: Bounds, bits: int) -> Bounds:
        return down(x[0], bits), up(x[1], bits)

    def slope(self, bits: int) -> Bounds:
        """Bounds of a."""
        return self.at(Fraction(0), bits).first if self.a is None else (self.a, self.a)

    def needs(self, s: Fraction, bits: int) -> Bounds:
        """Bounds of the ρ with h(s) = 0; at s = 0 of its limit."""
        k, a = self.at(s, bits), self.slope(bits)
        if s:
            over = self.b * s + s * s
            return (k.value[0] - a[1] * s) / over, (k.value[1] - a[0] * s) / over
        if self.b:
            return k.first[0] - a[1], k.first[1] - a[0]
        return k.second[0] / 2, k.second[1] / 2

    @cached_property
    def exact(self) -> Log | None:
        """The smallest ρ where an end of the orders is the worst: E[L] - ξ at 1, or (D_ω - ξ)/ω of a whole ω.

        There h is 0, and its slope into the range is not: that h ≥ 0 is shown.
        """
        if self.a is None:
            return None
        ends = [Fraction(0)]
        if self.top is not None and self.top.denominator == 1 and self.top <= MOST_ORDER:
            ends.append(self.top)
        for s in ends:
            if self.rough <= self.needs(s, ROUGH_BITS)[1]:
                found = self._exactly(s)
                low, high = found.bounds(FINE_BITS)
                if self.proves(low, FINE_BITS, exact=(s, high)):
                    return found
        return None

    def _exactly(self, s: Fraction) -> Log:
        """The ρ with h(s) = 0."""
        if s:
            moment = sum((p * r ** int(s) for r, p in self.masses), Fraction(0))
            return Log(-(self.a or 0) / (1 + s)) + ln(moment, 1 / (s * (1 + s)))
        found = Log(-(self.a or 0))
        for r, p in self.masses:
            found = found + ln(r, p)
        return found

    # the worst order

    @cached_property
    def grid(self) -> list[Fraction]:
        """0, and orders that double, up to one behind which none is the worst."""
        s = self._dyadic(1 / self.range) if self.range else ONE
        if self.top is not None:
            s = min(s, self.top)
        points, best = [s], self.needs(s, ROUGH_BITS)[0]
        while True:
            end = self._end(best)
            if self.top is not None and (end is None or end > self.top):
                end = self.top
            if end is not None and s >= end:
                break
            s = 2 * s if self.top is None else min(2 * s, self.top)
            if len(points) > 64:
                raise BeyondLimits("the worst order is very large")
            points.append(s)
            best = max(best, self.needs(s, ROUGH_BITS)[0])
        s = points[0] / 2
        while s * self.range * 16 > 1:
            points.insert(0, s)
            s /= 2
        return [Fraction(0), *points]

    @staticmethod
    def _dyadic(x: Fraction) -> Fraction:
        """A short number near x."""
        return down(x, 4 + max(0, x.denominator.bit_length() - x.numerator.bit_length()))

    def _end(self, rho: Fraction) -> Fraction | None:
        """An s behind which h ≥ 0, as a + ρ·(b + s) ≥ max L."""
        if rho <= 0:
            return None
        return max(Fraction(0), (self.most(ROUGH_BITS)[1] - self.slope(ROUGH_BITS)[0]) / rho - self.b)

    @cached_property
    def rough(self) -> Fraction:
        """About the smallest ρ, from below."""
        return max(self.needs(s, ROUGH_BITS)[0] for s in self.grid)

    def _worst(self, bits: int) -> Fraction:
        """About the order with the largest ρ: the sign of its derivative halves an interval, or Newton's step."""
        grid = self.grid
        place = max(range(len(grid)), key=lambda n: self.needs(grid[n], ROUGH_BITS)[0])
        low = grid[max(place - 1, 0)]
        high = grid[min(place + 1, len(grid) - 1)]
        fine, s = bits // 2 + 8, grid[place]
        if place == 0:
            s = high / 2
        for n in range(64):
            k, a = self.at(s, bits if n > 8 else max(ROUGH_BITS, fine)), self.slope(bits)
            excess, over = k.value[0] - a[0] * s, self.b * s + s * s
            rise = (k.first[0] - a[0]) * over - excess * (self.b + 2 * s)
            bend = k.second[0] * over - 2 * excess
            if rise > 0:
                low = s
            else:
                high = s
            step = s - rise / bend if bend else low
            following = down(step if low < step < high else (low + high) / 2, fine)
            if abs(following - s) * (1 << (fine - 4)) <= max(s, ONE):
                return following if low <= following <= high else s
            if not low and high * self.range * (1 << 16) < 1:
                return Fraction(0)
            s = following
        return s

    def bounds(self, bits: int) -> Bounds:
        """Bounds of the smallest ρ."""
        if self.exact is not None:
            return self.exact.bounds(bits)
        s = self._worst(bits)
        candidates = [s, self.grid[-1], Fraction(0)]
        worst = max(candidates, key=lambda x: self.needs(x, bits)[0])
        low, high = self.needs(worst, bits)
        for slack in (bits - 16, bits // 2 + 8):  # an order that is not quite the worst leaves a little more
            least = up(high + high / (1 << slack), bits + self.more)
            if self.proves(least, bits, worst):
                return low, least
        raise BeyondLimits("a supremum over all orders is not enclosed")

    def proves(self, rho: Fraction, bits: int, worst: Fraction | None = None, exact: Bounds | None = None) -> bool:
        """Whether intervals show h ≥ 0 on the whole range; False where some do not.

        `exact` is an end of the range where h is exactly 0, and an upper bound of this ρ; `rho` is a lower one.
        """
        end = self._end(rho)
        if end is None or (self.top is not None and self.top < end):
            end = self.top
        if end is None:
            return False
        stack, used, least = [(Fraction(0), end)], 0, end / (1 << 40)
        while stack:
            low, high = stack.pop()
            used += 1
            if used > MOST_INTERVALS:
                return False
            at = worst if worst and low < worst < high else (low + high) / 2
            if not self._shown(low, high, at, rho, bits, exact):
                if high - low < least or self.needs(at, bits)[0] > rho:
                    return False
                stack += [((low + high) / 2, high), (low, (low + high) / 2)]
        return True

    def _shown(
        self, low: Fraction, high: Fraction, at: Fraction, rho: Fraction, bits: int, exact: Bounds | None
    ) -> bool:
        """Whether the expansion at one point shows h ≥ 0 between two orders."""
        at_end = exact is not None and exact[0] == high
        s = high if at_end else at if low else low
        reach = max(high - s, s - low)
        k, a = self.at(s, bits), self.slope(bits)
        spread, square = reach * self.range, self.range**2
        variance = square / 4
        if spread <= 1:  # e^x ≤ 1 + x + x²
            variance = min(variance, k.second[1] * (1 + spread + spread**2))
        else:  # the variance is at most the mean of X², of which both sums fall
            variance = min(variance, self.at(low, bits).square / self.at(high, bits).mass)
        fourth = square * variance / 24
        second = rho - k.second[1] / 2
        if at_end or not low:  # h is 0 there: what is left is a slope into the interval, times a length
            if at_end:
                first = k.first[0] - a[1] - exact[1] * (self.b + 2 * s)  # type: ignore[index]
            else:  # h'(0) is 0 where b is 0
                first = a[0] + rho - k.first[1] if self.b and not (exact and exact[0] == low) else Fraction(0)
            third = k.third[0] if at_end else -k.third[1]
            rest = second + min((third / 6 - fourth * reach) * reach, Fraction(0))
            return first + min(rest * reach, Fraction(0)) >= 0
        value = a[0] * s + rho * (self.b * s + s * s) - k.value[1]
        rises = rho * (self.b + 2 * s) + a[0] - k.first[1], rho * (self.b + 2 * s) + a[1] - k.first[0]
        size = max(map(abs, rises))
        second -= max(map(abs, k.third)) / 6 * reach + fourth * reach**2
        if second > 0 and size < 2 * second * reach:
            return 4 * second * value >= size**2
        return value - size * reach + second * reach**2 >= 0


class Gap:
    """Φ⁻¹(Q[S]) - Φ⁻¹(P[S]) of one event S."""

    def __init__(self, p: Fraction, q: Fraction) -> None:
        self.p, self.q = p, q

    def bounds(self, bits: int) -> Bounds:
        """Bounds of it."""
        (a, b), (c, d) = quantile(self.q, bits), quantile(self.p, bits)
        return a - d, b - c

    @cached_property
    def rough(self) -> Fraction:
        """About it, from below."""
        return self.bounds(ROUGH_BITS)[0]

    exact = None

    def proves(self, most: Fraction, bits: int) -> bool:
        """Whether it is at most a number."""
        return self.bounds(bits)[1] <= most


class Supremum(Number):
    """The largest of several suprema, or (`root`) √(2·ρ) of the largest ρ."""

    def __init__(self, parts: Sequence[Curve | Gap], root: bool = False) -> None:
        self.parts, self.root = parts, root
        self.known: dict[int, Bounds] = {}

    def bounds(self, bits: int) -> Bounds:
        """Rational bounds; those that are surely not the largest are not enclosed."""
        bits = min(bits, MOST_BITS)
        if bits not in self.known:
            first, *others = sorted(self.parts, key=lambda x: x.rough, reverse=True)
            low, high = first.bounds(bits)
            for other in others:
                if not other.proves(low, ROUGH_BITS):
                    a, b = other.bounds(bits)
                    low, high = max(low, a), max(high, b)
            self.known[bits] = (_root(2 * low, bits)[0], _root(2 * high, bits)[1]) if self.root else (low, high)
        return self.known[bits]

    def compared(self, other: Number) -> int:
        """The sign of self - other; where bounds do not tell, all that may be the largest have to be exact."""
        if isinstance(other, Log) and not self.root:
            (low, high), (least, most) = self.bounds(FINE_BITS), other.bounds(FINE_BITS)
            if low <= most and high >= least:
                near = [x.exact for x in self.parts if not x.proves(least, FINE_BITS)]
                if near and None not in near:
                    return max(x.compared(other) for x in near if x is not None)
        if other.infinite:
            return -1
        for bits in (FINE_BITS, MOST_BITS):
            (low, high), (least, most) = self.bounds(bits), other.bounds(bits)
            if low > most or high < least:
                return 1 if low > most else -1
        raise BeyondLimits("a supremum is not told from another number")

    def __str__(self) -> str:
        low, high = self.bounds(FINE_BITS)
        return f"[{decimal(low)}, {decimal(high)}]"


def largest_of(numbers: Iterable[Number]) -> Number:
    """The largest one of a measure of this file: 0 of none."""
    every = list(numbers)
    if any(x.infinite for x in every):
        return INFINITY
    parts = [x for x in every if isinstance(x, Supremum)]
    return Supremum([part for x in parts for part in x.parts], parts[0].root) if parts else ZERO


def _root(x: Fraction, bits: int) -> Bounds:
    """Bounds of √x."""
    more = bits + max(0, x.denominator.bit_length() - x.numerator.bit_length())
    n = isqrt((max(x, Fraction(0)).numerator << (2 * more)) // x.denominator)
    return Fraction(n, 1 << more), Fraction(n + 1, 1 << more)


# --- the Gaussian law -------------------------------------------------------------------------------------------------


@lru_cache(1 << 6)
def _circle(bits: int) -> Bounds:
    """Bounds of √(2π), by Machin: π = 16·arctan(1/5) - 4·arctan(1/239)."""

    def arctan(n: int) -> Bounds:
        total, k, term = Fraction(0), 0, Fraction(1, n)
        while term.numerator << (bits + 8) > term.denominator:
            total, k = total + (-1) ** k * term / (2 * k + 1), k + 1
            term = Fraction(1, n ** (2 * k + 1))
        return total - term, total + term  # the terms alternate and fall

    (a, b), (c, d) = arctan(5), arctan(239)
    return _root(2 * (16 * a - 4 * d), bits + 4)[0], _root(2 * (16 * b - 4 * c), bits + 4)[1]


def gaussian(z: Fraction, bits: int) -> tuple[Bounds, Fraction]:
    """Bounds of Φ(z) for z ≥ 0, Φ = 1/2 + φ·Σ z^(2k+1)/(1·3·…·(2k+1)), and about φ(z)."""
    x, y = exp_bounds(-z * z / 2, -z * z / 2, bits + 8)
    c, d = _circle(bits)
    x, y = down(x / d, bits), up(y / c, bits)
    one = 1 << (bits + 8)
    term_low = z.numerator * one // z.denominator
    term_high = term_low + 1
    square_low = (z * z).numerator * one // (z * z).denominator
    square_high = square_low + 1
    low = high = k = 0
    while True:
        low, high, k = low + term_low, high + term_high, k + 1
        odd = 2 * k + 1
        term_low = term_low * square_low // one // odd
        term_high = term_high * square_high // one // odd + 1
        if term_high <= 2 and 2 * square_high <= odd * one:  # later terms at most halve
            break
    high += 2 * term_high + 4
    return (Fraction(1, 2) + x * Fraction(low, one), Fraction(1, 2) + y * Fraction(high, one)), y


@lru_cache(1 << 12)
def quantile(x: Fraction, bits: int) -> Bounds:
    """Bounds of Φ⁻¹(x) for 0 < x < 1: Newton's steps, then Φ on both sides."""
    if x == Fraction(1, 2):
        return Fraction(0), Fraction(0)
    if x < Fraction(1, 2):
        low, high = quantile(1 - x, bits)
        return -high, -low
    tail = (1 - x).denominator.bit_length() - (1 - x).numerator.bit_length()
    if tail > MOST_BITS:
        raise BeyondLimits("a very small probability in a Gaussian curve")
    fine, z = bits + tail + 24, Fraction(0)
    for _ in range(1 << 10):
        (low, high), density = gaussian(z, fine)
        step = (x - low) / density
        z = max(Fraction(0), down(z + step, bits + 8))
        if abs(step) * (1 << (bits + 4)) < 1:
            break
    unit = Fraction(1, 1 << bits)
    below, above = max(z - unit, Fraction(0)), z + unit
    if gaussian(below, fine)[0][1] > x or gaussian(above, fine)[0][0] < x:
        raise BeyondLimits("a quantile of the Gaussian law is not enclosed")
    return below, above


# --- measures ---------------------------------------------------------------------------------------------------------


def gauss(groups: Masses) -> Number:
    """The smallest μ whose curve is below that of P and Q: G_μ is convex, so that the corners of their curve decide."""
    p = q = Fraction(0)
    gaps = []
    for _, x, y in sorted(groups, key=lambda g: (g[0] is None, g[0] or 0)):
        p, q = p + x, q + y
        if p == q:
            continue
        if not p or q >= 1:
            return INFINITY
        gaps.append(Gap(p, q))
    return Supremum(gaps) if gaps else ZERO


def gap(p: Fraction, q: Fraction) -> Number:
    """What an event of the probabilities P[S] and Q[S] needs: Φ⁻¹(Q[S]) - Φ⁻¹(P[S]), and at least 0."""
    if q <= p:
        return ZERO
    return Supremum([Gap(p, q)]) if p and q < 1 else INFINITY


def likely(groups: Masses, delta: Fraction) -> list[tuple[Fraction | None, Fraction]]:
    """The closest pair given events of probability 1 - δ: P/Q cut from above and below, with P.

    P given an event, with coins, is any law that is at most P/(1 - δ). min(P, b·Q) and min(Q, P/a) of mass 1 - δ are
    the closest ones for every convex measure (Huber, Strassen); they are equal where Σ min(P, Q) ≥ 1 - δ. The
    events are the same in both orders, so that both laws have to put all their mass where the other one has some.
    """
    kept = 1 - delta
    if not kept:
        raise BeyondLimits("events of probability 0")
    if sum(min(p, q) for _, p, q in groups) >= kept:
        return [(ONE, ONE)]
    most = _cut(groups, kept)
    least = _cut([(q / p if p else None, q, p) for _, p, q in groups], kept)
    if most is None or least is None:
        return [(None, ONE)]
    return [(max(min(r, most), 1 / least), min(p, most * q) / kept) for r, p, q in groups if r and q]


def _cut(groups: Masses, kept: Fraction) -> Fraction | None:
    """The b with Σ min(P, b·Q) = kept; None where every b leaves less."""
    finite = sorted(((r, p, q) for r, p, q in groups if r is not None), key=lambda g: g[0])
    whole, rest = Fraction(0), sum((q for _, _, q in finite), Fraction(0))
    for r, p, q in finite:
        if whole + r * rest >= kept:
            return (kept - whole) / rest
        whole, rest = whole + p, rest - q
    return None


def loss(groups: Masses, delta: Fraction = Fraction(0)) -> list[tuple[Fraction, Fraction]] | None:
    """Ratios P/Q with P, where P is not 0; None where P has an output that Q cannot give."""
    pairs = likely(groups, delta) if delta else [(r, p) for r, p, _ in groups if p]
    return None if any(r is None for r, _ in pairs) else [(r, p) for r, p in pairs if r is not None]


def concentrated(groups: Masses, xi: Fraction, omega: Fraction | None, delta: Fraction = Fraction(0)) -> Number:
    """The smallest ρ with D_α ≤ ξ + ρ·α for all α > 1, up to ω, given likely events."""
    pairs = loss(groups, delta)
    if pairs is None:
        return INFINITY
    if not ln(max(r for r, _ in pairs)) > Log(xi):
        return ZERO
    curve = Curve(pairs, xi, None if omega is None else omega - 1)
    return ZERO if curve.top is not None and not _above_xi(curve, curve.top) else Supremum([curve])


def _above_xi(curve: Curve, last: Fraction) -> bool:
    """Whether D_ω > ξ: D_α rises in α, so that else no ρ is needed up to ω."""
    for bits in (FINE_BITS, MOST_BITS):
        low, high = curve.needs(last, bits)
        if low > 0 or high <= 0:
            return low > 0
    raise BeyondLimits("a divergence is not told from ξ")


def below_xi(groups: Masses, xi: Fraction) -> Number:
    """The smallest τ with D_α ≤ min(ξ, α·τ) for all α."""
    pairs = loss(groups)
    if pairs is None or ln(max(r for r, _ in pairs)) > Log(xi):
        return INFINITY
    return concentrated(groups, Fraction(0), None)


def sub_gaussian(groups: Masses, mu: Fraction) -> Number:
    """The smallest τ with E[e^(λ·(L - E[L]))] ≤ e^(λ²·τ²/2) for all λ; ∞ where E[L] > μ."""
    pairs = loss(groups)
    if pairs is None or _mean_exceeds(pairs, mu):
        return INFINITY
    if len({r for r, _ in pairs}) == 1:
        return ZERO
    turned = [(1 / r, p) for r, p in pairs]
    return Supremum([Curve(pairs, None, None), Curve(turned, None, None)], root=True)


def _mean_exceeds(pairs: Iterable[tuple[Fraction, Fraction]], mu: Fraction) -> bool:
    mean: Log = ZERO
    for r, p in pairs:
        mean = mean + ln(r, p)
    return mean > Log(mu)


def order_of(policy: Mapping[str, Any], name: str) -> Fraction:
    """A number of [policy]: ω is above 1, ξ and μ at least 0."""
    value = rational(policy[name], name)
    if value < 0 or (name == "omega" and value <= 1):
        raise Unsupported(f"[policy] {name} is {value}")
    return value
