"""How far two laws are apart: curves δ(ε), and numbers that ε bounds.

- At E = e^(c·ε) a curve of a comparison is A - B·E, with A and B the chances of the outputs whose loss is above c·ε;
  the tail form leaves B out. (DMKB20, section 3.4; DP22, Definitions 8 and 9, and section 3.1.)
- A number is rational, a sum of logarithms of rationals with rational factors, a root, or (√R - 1)/(√R + 1); so it
  equals an ε = r·ln(x) only where integer powers are equal, and a rational only where it is one (Lindemann).
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator, Sequence
from fractions import Fraction
from functools import lru_cache
from itertools import combinations
from math import lcm
from typing import Any, NamedTuple

from verifier.checker import Beyond, Rejected, require
from verifier.checker.laws import Compared, Law, Weighted, chance, total_of
from verifier.checker.numbers import MAX_BITS, ONE, ZERO, Bounds, Exponential, Written, bits, epsilon, ln, order, root

MOST_ORDER = 256
"""The largest order of a Rényi divergence."""
MOST_OUTPUTS = 12
"""Most outputs of which all events are looked at."""
MOST_EVENTS = 1 << 17
"""Most events that are looked at for one answer."""

# --- curves -----------------------------------------------------------------------------------------------------------


@lru_cache(1 << 10)
def power(text: str, scale: Fraction = ONE) -> Exponential:
    """E = e^(c·ε)."""
    if scale != ONE and epsilon(text).polynomial:
        raise Beyond("a multiple of an ε that is the logarithm of an algebraic number is not compared here")
    return Exponential(text, scale)


class Line(NamedTuple):
    """The value (a - b·E)/bottom at one E; a and b are integers where the weights of the laws are."""

    a: Any
    b: Any
    bottom: Any
    power: Exponential

    def over(self, bound: Fraction) -> int:
        """The sign of the value less a rational."""
        x = bound.numerator * self.bottom
        return self.power.sign(self.a * bound.denominator - x, self.b * bound.denominator)

    def against(self, other: Line) -> int:
        """The sign of the value less that of another line, perhaps at another E."""
        if self.b and other.b and not self.power.same(other.power):
            return order(self.bounds, other.bounds)
        e = other.power if self.b == 0 else self.power
        x, y = (1, 1) if self.bottom == other.bottom else (other.bottom, self.bottom)
        return e.sign(self.a * x - other.a * y, self.b * x - other.b * y)

    def bounds(self, precision: int) -> Bounds:
        """Rational bounds of the value."""
        low, high = self.power.bounds(precision)
        a, b = self.ends
        return a - b * high, a - b * low

    @property
    def ends(self) -> tuple[Fraction, Fraction]:
        """A and B of A - B·E."""
        return Fraction(self.a, self.bottom), Fraction(self.b, self.bottom)


def above(p: Law, q: Law | None, e: Exponential, *, closed: bool = False) -> Line:
    """The hockey stick P[S] - E·Q[S], S the outputs with P > E·Q (`closed`: ≥); 1 where Q does not exist."""
    if q is None:
        return Line(1, 0, 1, e)
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
    return Line(sum([p[o] for o in reached]), sum([q.get(o, 0) for o in reached]), total, e)


def average(lines: Sequence[tuple[Fraction, Line]], *, tail: bool) -> Line:
    """Σ weight·line at one E, over one bottom; the tail form without B."""
    weights, e = lcm(*(weight.denominator for weight, _ in lines)), lines[0][1].power
    sums: dict[Any, list[Any]] = {}
    for weight, (a, b, bottom, _) in lines:
        w, ends = weight.numerator * (weights // weight.denominator), sums.setdefault(bottom, [0, 0])
        ends[0] += w * a
        ends[1] += 0 if tail else w * b
    if len(sums) == 1:
        ((bottom, (a, b)),) = sums.items()
        return Line(a, b, bottom * weights, e)
    a, b = (sum((Fraction(ends[k], bottom) for bottom, ends in sums.items()), ZERO) for k in (0, 1))
    return Line(a, b, weights, e)


class Curve(NamedTuple):
    """How the curve δ(ε) of a comparison is made.

    `tail` leaves B out of A - B·E; of one pair's outputs, some of probability at most `left_out` under P may go.
    """

    tail: bool = False
    left_out: Fraction | None = None

    def lines(self, compared: Compared, at: str, *, closed: bool = False) -> list[Line]:
        """The mean of the pairs at an ε: one line, or one for each set of outputs that may be left out.

        `closed` takes the outputs whose loss is c·ε as well: the line to the left of ε.
        """
        e = power(at, compared.scale)
        if self.left_out is None:
            return [line_of(compared, e, tail=self.tail, closed=closed)]
        ((_, _, p, q, _),) = compared.pairs
        sets = [(), *events_of(list(p))]
        return [
            above(Weighted({o: x for o, x in p.items() if o not in outputs}, ONE), q, e, closed=closed)
            for outputs in sets
            if chance(p, outputs) <= self.left_out
        ]

    def needed(self, line: Line, bound: Fraction) -> bool:
        """Whether a line, of an event of losses of at least ε, is above the bound at every smaller ε."""
        sign = line.over(bound)
        return sign > 0 or (not self.tail and line.b > 0 and sign == 0)


def line_of(compared: Compared, e: Exponential, *, tail: bool, closed: bool = False) -> Line:
    """δ = A - B·E of a comparison, the mean over its pairs; the tail form without B."""
    return average([(pair.weight, above(pair.p, pair.q, e, closed=closed)) for pair in compared.pairs], tail=tail)


def refuse_events(times: int, outputs: int) -> None:
    """Refuse to look so many times at all events of some outputs.

    Raises:
        Beyond: before the work.

    """
    if times << min(outputs, MOST_OUTPUTS) > MOST_EVENTS:
        raise Beyond("there are too many events to look at")


def events_of(outputs: Sequence[str]) -> Iterator[tuple[str, ...]]:
    """All sets of outputs but the empty one."""
    if len(outputs) > MOST_OUTPUTS:
        raise Beyond(f"there are more than {MOST_OUTPUTS} outputs, and all events are looked at")
    for k in range(1, len(outputs) + 1):
        yield from combinations(outputs, k)


# --- numbers ----------------------------------------------------------------------------------------------------------

Logarithms = tuple[tuple[Fraction, Fraction], ...]
"""The pairs (r, s) of a sum Σ r·ln(s)."""


class Scalar(NamedTuple):
    """A number in [0, ∞], one of: `plain`, Σ of `logarithms`, `power`^(1/`degree`), (√`spread` - 1)/(√`spread` + 1)."""

    plain: Fraction | None = None
    logarithms: Logarithms | None = None
    power: Fraction | None = None
    degree: int = 1
    spread: Fraction | None = None
    scale: Fraction = ONE
    """What the number is divided by."""

    @property
    def infinite(self) -> bool:
        """Whether it is ∞."""
        return self.plain is None and self.logarithms is None and self.power is None and self.spread is None

    def over(self, scale: Fraction) -> Scalar:
        """The number divided by a multiple of ε; at the multiple 0 it is 0 where the number is 0, else ∞."""
        if scale:
            return self._replace(scale=self.scale * scale)
        return Scalar(plain=ZERO) if not self.infinite and self.sign(Written(ZERO)) == 0 else INFINITE

    def bounds(self, precision: int) -> Bounds:
        """Rational bounds of the number."""
        low = high = self.plain or ZERO
        if self.logarithms is not None:
            for factor, argument in self.logarithms:
                ends = [factor * end for end in ln(argument, precision)]
                low, high = low + min(ends), high + max(ends)
        elif self.power is not None:
            low, high = root(self.power, self.degree, precision)
        elif self.spread is not None:
            ends = [(end - 1) / (end + 1) for end in root(self.spread, 2, precision)]
            low, high = min(ends), max(ends)
        return low / self.scale, high / self.scale

    def sign(self, epsilon: Written) -> int:
        """The sign of the number less ε."""
        if self.infinite or epsilon.infinite:
            return int(self.infinite) - int(epsilon.infinite)
        if epsilon.argument is None and self.logarithms is None and not epsilon.polynomial:
            return self._algebraic(epsilon.factor * self.scale)
        shortcut = self.logarithms is not None and len(self.logarithms) == 1 and epsilon.argument is not None
        if shortcut and self.logarithms[0][0] == epsilon.factor * self.scale:  # type: ignore[index]
            own = self.logarithms[0][1]  # type: ignore[index]
            return (own > epsilon.argument) - (own < epsilon.argument)  # type: ignore[operator]
        return order(self.bounds, epsilon.bounds, equal=lambda: self._equals(epsilon))

    def _algebraic(self, value: Fraction) -> int:
        """The sign of a number without logarithms less a rational."""
        if self.power is not None:
            own, value = self.power, value**self.degree
        elif self.spread is not None:
            if value >= 1:
                return -1
            own, value = self.spread, ((1 + value) / (1 - value)) ** 2
        else:
            own = self.plain or ZERO
        return (own > value) - (own < value)

    def _equals(self, epsilon: Written) -> bool:
        """Whether a sum of logarithms is 0, or r·ln(x), by integer powers."""
        if self.logarithms is None or (epsilon.argument is None and epsilon.factor):
            return False
        against = () if epsilon.argument is None else ((-epsilon.factor * self.scale, epsilon.argument),)
        return product_of_powers((*self.logarithms, *against)) == 1


INFINITE = Scalar()
Measure = Callable[[Law, Law], Scalar]


def product_of_powers(terms: Logarithms) -> Fraction:
    """Π s^(N·r), N the common denominator of all r: 1 exactly where Σ r·ln(s) is 0."""
    common = lcm(*(factor.denominator for factor, _ in terms))
    powers = [(argument, int(factor * common)) for factor, argument in terms]
    if sum(bits(argument) * abs(power) for argument, power in powers) > MAX_BITS:
        raise Beyond("the powers that are to be compared are too long")
    above = below = 1
    for argument, power in powers:
        top, bottom = (argument.numerator, argument.denominator) if power > 0 else argument.as_integer_ratio()[::-1]
        above, below = above * top ** abs(power), below * bottom ** abs(power)
    return Fraction(above, below)


def logarithm(value: Fraction) -> Scalar:
    """The number max(0, ln(x))."""
    return Scalar(logarithms=((ONE, max(value, ONE)),))


def ratio(p: Law, q: Law) -> Scalar:
    """The largest privacy loss ln(P/Q) in nats, at least 0; ∞ where Q = 0 < P."""
    if any(o not in q for o in p):
        return INFINITE
    return logarithm(max((x / q[o] for o, x in p.items()), default=ONE))


def spread(p: Law, q: Law) -> Scalar:
    """The logarithm of the largest P/Q over the smallest, in nats; ∞ where only one of P and Q is 0."""
    if set(p) != set(q):
        return INFINITE
    ratios = [x / q[o] for o, x in p.items()]
    return logarithm(max(ratios) / min(ratios))


def kullback_leibler(p: Law, q: Law) -> Scalar:
    """The Kullback–Leibler divergence Σ P·ln(P/Q) in nats; ∞ where Q = 0 < P."""
    if any(o not in q for o in p):
        return INFINITE
    return Scalar(logarithms=tuple((x, x / q[o]) for o, x in p.items()))


def renyi(order: int) -> Measure:
    """The Rényi divergence ln(Σ P^α·Q^(1 - α))/(α - 1) in nats, for an integer order α above 1; ∞ where Q = 0 < P."""

    def measure(p: Law, q: Law) -> Scalar:
        if any(o not in q for o in p):
            return INFINITE
        total = sum((x**order / q[o] ** (order - 1) for o, x in p.items()), ZERO)
        return Scalar(logarithms=((Fraction(1, order - 1), total),))

    return measure


def total_variation(p: Law, q: Law) -> Scalar:
    """The total variation ½·Σ |P - Q|."""
    return Scalar(plain=sum((abs(p.get(o, ZERO) - q.get(o, ZERO)) for o in {**p, **q}), ZERO) / 2)


def measure_named(name: str) -> Measure:
    """The measure of a definition of one's own: `total-variation`, or `renyi-α` with an order α from 2 to 256."""
    if match := re.fullmatch("renyi-([1-9][0-9]{0,2})", name):
        require(2 <= int(match[1]) <= MOST_ORDER, f"the measure {name} has no order from 2 to {MOST_ORDER}")
        return renyi(int(match[1]))
    if name != "total-variation":
        raise Rejected(f"the checker does not know the measure {name[:60]}")
    return total_variation
