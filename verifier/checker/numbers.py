"""The numbers of the independent re-check: exact reading, and the sign of a - b·e^ε."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from fractions import Fraction
from functools import cached_property
from math import lcm
from typing import Any, NamedTuple, TypeAlias

from verifier.checker.logarithms import Bounds, rational_root
from verifier.checker.polynomials import bisected
from verifier.checker.rejected import Beyond, Rejected
from verifier.checker.written import MAX_BITS, ONE, ZERO, bits, epsilon, number, same, signed

PRECISION_LIMIT = 1 << 24
PATIENCE = 1 << 12
"""Bits of precision after which powers are compared exactly."""
MAX_DEGREE = 10_000
LEADING = 256
"""Bits of long integers that are compared first."""
Law: TypeAlias = dict[str, Any]


class Pair(NamedTuple):
    """Two laws that are compared, P against Q, each up to a factor; `q` is None where Q does not exist.

    `weight` is the share of the pair in its comparison; `knowledge` is B̂, for posteriors (B̂, t).
    """

    weight: Fraction
    knowledge: Any
    p: Law
    q: Law | None
    direction: str


class Compared(NamedTuple):
    """One comparison: its θ, its record, the values a and b, two neighbours (or None), and its pairs of laws."""

    theta: str | None
    record: Any
    a: Any
    b: Any
    databases: Any
    pairs: list[Pair]

    def same_terms(self, terms: list[dict[str, Any]]) -> None:
        """Reject terms of evidence that are not the pairs, by what is known and by their weights."""
        same("terms", [term["knowledge"] for term in terms], [pair.knowledge for pair in self.pairs])
        same("weights", [number(term["weight"]) for term in terms], [pair.weight for pair in self.pairs])


def polynomial_of(text: str) -> list[Fraction]:
    """A polynomial with the root E = e^ε, where ε is 0 or the logarithm of an algebraic number."""
    written = epsilon(text)
    if written.polynomial:
        return [Fraction(c) for c in written.polynomial]
    power, argument = written.factor, written.argument
    if written.infinite or (argument is None and power):
        raise Rejected(f"ε = {text} is not the logarithm of an algebraic number")
    base = argument or ONE
    if power.denominator > MAX_DEGREE or power.numerator * bits(base) > MAX_BITS:
        raise Rejected(f"ε = {text[:60]} has a long power")
    return [-(base**power.numerator), *[ZERO] * (power.denominator - 1), ONE]


def summed(weights: Iterable[tuple[Any, Any]]) -> dict[Any, Any]:
    """The sum of the weights of each outcome."""
    total: dict[Any, Any] = {}
    for outcome, weight in weights:
        total[outcome] = total[outcome] + weight if outcome in total else weight
    return total


def mixture(laws: Iterable[tuple[Mapping[Any, Any], Any]]) -> dict[Any, Any]:
    """Σ weight·law, without the laws that have no weight."""
    return summed((outcome, weight * p) for law, weight in laws if weight for outcome, p in law.items())


def expectation(law: Mapping[Any, Any], values: Mapping[Any, Any]) -> Any:
    """Σ P·h, for a function h that is 0 where it has no value."""
    return sum((p * values[outcome] for outcome, p in law.items() if outcome in values), ZERO)


def chance(law: Mapping[Any, Any], event: Iterable[Any]) -> Fraction:
    """P[S], for a law without a total of its own."""
    return sum((law.get(outcome, ZERO) for outcome in event), ZERO)


def law_of(table: Mapping[str, str], reason: str) -> Law:
    """The law that a certificate writes, without outcomes of probability 0; rejected for a reason where it is none."""
    law = {outcome: p for outcome, written in table.items() if (p := number(written))}
    if sum(law.values()) != 1:
        raise Rejected(reason)
    return law


def rational_power(text: str) -> Fraction:
    """e^ε, which is rational."""
    value = Exponential(text).value
    if value is None:
        raise Rejected(f"e^ε is not rational for ε = {text[:60]}")
    return value


class Weighted(dict[str, Any]):
    """Weights with the total that they are over: the sum of a law's weights; 1 for a measure that need not sum to 1."""

    def __init__(self, weights: dict[str, Any], total: Any) -> None:
        super().__init__(weights)
        self.total = total


def total_of(law: dict[str, Any]) -> Any:
    """The total of a law's weights: a probability is a weight over this total."""
    return law.total if isinstance(law, Weighted) else sum(law.values())


def _needless(a: Any, b: Any) -> int:
    """How many last bits of two integers play no part unless a/b is very near E."""
    return max(a.bit_length(), b.bit_length()) - LEADING if type(a) is type(b) is int else 0


class Exponential:
    """E = e^(c·ε) for a multiple c of ε: a Fraction where it is rational, else ever narrower bounds."""

    def __init__(self, text: str, scale: Fraction = ONE) -> None:
        written = epsilon(text)
        self.text, self.infinite = text, written.infinite and scale > 0
        self.r = written.factor * scale
        self.x = written.argument if self.r else None
        self.root = bisected(written.polynomial, *written.interval) if written.interval else None
        self.known: dict[int, tuple[tuple[int, int], int]] = {}

    @cached_property
    def value(self) -> Fraction | None:
        """E, where it is rational: 1 for ε = 0, x^r where the root of x is; a rational ε ≠ 0 has no rational power."""
        if self.infinite or self.root or (self.x is None and self.r):
            return None
        base = rational_root(self.x or ONE, self.r.denominator)
        if base is not None and bits(base) * self.r.numerator > MAX_BITS:
            raise Beyond("a power of e^ε is too long")
        return None if base is None else base**self.r.numerator

    def sign(self, a: Any, b: Any) -> int:
        """The sign of a - b·E; where E is infinite, of -b, then of a."""
        if self.infinite:
            return int(b < 0) - int(b > 0) or int(a > 0) - int(a < 0)
        if self.value is not None:
            x, y = a * self.value.denominator, b * self.value.numerator
            return int(x > y) - int(x < y)
        if a == 0 or b == 0 or (a < 0) != (b < 0):
            return int(a > 0) - int(a < 0) or int(b < 0) - int(b > 0)
        precision, flip = 128, 1 if a > 0 else -1
        while precision < PRECISION_LIMIT:
            if precision == PATIENCE and self.x is not None and self._short(a, b):
                # by integer powers: |a|^k against |b|^k·x^m, where E = x^(m/k)
                x, y = abs(a) ** self.r.denominator, abs(b) ** self.r.denominator * self.x**self.r.numerator
                return flip * (int(x > y) - int(x < y))
            (low, high), scale = self.scaled(precision)
            if precision == 128 and (cut := _needless(a, b)) > 0:  # x ≤ |a|/2^cut < x + 1, and so for y and |b|
                x, y = abs(a) >> cut, abs(b) >> cut
                if x * scale > (y + 1) * high:
                    return flip
                if (x + 1) * scale < y * low:
                    return -flip
            x, y = abs(a) * scale, abs(b)
            if x > y * high or x < y * low:
                return flip if x > y * high else -flip
            precision *= 2
        raise Rejected(f"the sign of {a} - {b}*exp({self.text}) was not found")

    def _short(self, a: Any, b: Any) -> bool:
        """Whether the powers of both numbers are short enough to be compared."""
        return max(bits(Fraction(a)), bits(Fraction(b))) * self.r.denominator < MAX_BITS

    def same(self, other: Exponential) -> bool:
        """Whether this E and another are one number; e^v of a rational v ≠ 0 is no power of a rational."""
        if self.infinite or other.infinite:
            return self.infinite == other.infinite
        if self.value is not None or other.value is not None:
            return self.value == other.value
        if self.x is None or other.x is None:
            return self.x == other.x and self.r == other.r
        up, down = self.r.numerator * other.r.denominator, other.r.numerator * self.r.denominator
        if bits(self.x) * up + bits(other.x) * down > MAX_BITS:
            raise Beyond("a power of e^ε is too long")
        return bool(self.x**up == other.x**down)

    def bounds(self, precision: int) -> Bounds:
        """Rational bounds of a finite E."""
        if self.infinite:
            raise Beyond("an infinite e^ε has no bounds")
        (low, high), scale = self.scaled(precision)
        return Fraction(low, scale), Fraction(high, scale)

    def scaled(self, precision: int) -> tuple[tuple[int, int], int]:
        """Two integers around scale·E, and the scale 2^precision."""
        if precision not in self.known and self.root is not None:
            scale = 1 << precision
            below, above = self.root(precision)
            ends = below.numerator * scale // below.denominator, -(-above.numerator * scale // above.denominator)
            self.known[precision] = ends, scale
        if precision not in self.known:
            from flint import arb, ctx, fmpq

            with ctx.workprec(precision + 64):
                exponent = arb(fmpq(self.r.numerator, self.r.denominator))
                if self.x is not None:
                    exponent *= arb(fmpq(self.x.numerator, self.x.denominator)).log()
                scaled = exponent.exp() * (1 << precision)
                low, high = map(_integer, (scaled.lower().floor(), scaled.upper().ceil()))
            self.known[precision] = (low, high), 1 << precision
        return self.known[precision]


def _integer(ball: Any) -> int:
    """The integer that a ball holds and no other number."""
    only = ball.unique_fmpz()
    if only is None:
        raise ArithmeticError("a bound of e^ε is no integer")
    return int(only)


class Line(NamedTuple):
    """δ = (a - b·E)/bottom of a comparison at E = e^ε; a and b are integers where the weights of its laws are."""

    a: Any
    b: Any
    bottom: Any

    def sign(self, e: Exponential, x: Fraction, y: Fraction = Fraction(0)) -> int:
        """The sign of the line's value at E, less x - y·E."""
        common = lcm(x.denominator, y.denominator)
        above, below = (value.numerator * (common // value.denominator) * self.bottom for value in (x, y))
        return e.sign(self.a * common - above, self.b * common - below)

    @property
    def ends(self) -> tuple[Fraction, Fraction]:
        """A and B of A - B·E."""
        return Fraction(self.a, self.bottom), Fraction(self.b, self.bottom)


def above(p: Law, q: Law | None, e: Exponential, *, closed: bool = False) -> Line:
    """The hockey stick P[S] - E·Q[S], S the outputs with P > E·Q (`closed`: ≥); 1 where Q does not exist."""
    if q is None:
        return Line(1, 0, 1)
    total, q_total = total_of(p), total_of(q)
    if total != q_total:
        p, q, total = {o: w * q_total for o, w in p.items()}, {o: w * total for o, w in q.items()}, total * q_total
    if e.infinite:
        reached = [o for o, w in p.items() if w and not q.get(o)]
    elif e.value is None:
        reached = [o for o, w in p.items() if e.sign(w, q.get(o, 0)) >= (not closed)]
    else:  # the same signs, without a call for each
        top, bottom = e.value.numerator, e.value.denominator
        over = [(o, w if bottom == 1 else bottom * w, top * q.get(o, 0)) for o, w in p.items()]
        reached = [o for o, w, least in over if w > least or (closed and w == least)]
    return Line(sum([p[o] for o in reached]), sum([q.get(o, 0) for o in reached]), total)


def line_of(compared: Compared, e: Exponential, *, tail: bool, closed: bool = False) -> Line:
    """δ = A - B·E of a comparison, the mean over its pairs; the tail form without B."""
    return average([(pair.weight, above(pair.p, pair.q, e, closed=closed)) for pair in compared.pairs], tail=tail)


def average(lines: list[tuple[Fraction, Line]], *, tail: bool) -> Line:
    """Σ weight·line, over one bottom; the tail form without B."""
    weights = lcm(*(weight.denominator for weight, _ in lines))
    sums: dict[Any, list[Any]] = {}
    for weight, (a, b, bottom) in lines:
        w, ends = weight.numerator * (weights // weight.denominator), sums.setdefault(bottom, [0, 0])
        ends[0] += w * a
        ends[1] += 0 if tail else w * b
    if len(sums) == 1:
        bottom, (a, b) = sums.popitem()
        return Line(a, b, bottom * weights)
    a, b = (sum((Fraction(ends[k], bottom) for bottom, ends in sums.items()), Fraction(0)) for k in (0, 1))
    return Line(a, b, weights)


__all__ = [
    "Compared", "Exponential", "Law", "Line", "Pair", "Rejected", "Weighted", "above", "average", "chance",
    "expectation", "law_of", "line_of", "mixture", "number", "polynomial_of", "rational_power", "signed", "summed",
    "total_of",
]  # fmt: skip
