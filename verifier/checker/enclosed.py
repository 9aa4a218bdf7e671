"""Measures of DP22 of which only bounds are known: Gaussian μ, Rényi of a rational order, capacity bounds with KL.

Each gives rational bounds at any precision; a number is compared with an ε as soon as the bounds leave it.
"""

from __future__ import annotations

from collections.abc import Sequence
from fractions import Fraction
from functools import lru_cache
from math import isqrt
from typing import Any

from verifier.checker.conditions import tradeoff
from verifier.checker.logarithms import Bounds, exp, order, rational_root
from verifier.checker.numbers import expectation
from verifier.checker.orders import Loss
from verifier.checker.rejected import Beyond
from verifier.checker.scalars import INFINITE, Scalar
from verifier.checker.setting import Law
from verifier.checker.written import ONE, ZERO, Written

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


# --- capacity bounds --------------------------------------------------------------------------------------------------


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


# --- the normal law ---------------------------------------------------------------------------------------------------


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
