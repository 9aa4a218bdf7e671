"""Measures of DP22 that are one number for two laws, and their exact order against an ε that is written.

A number is rational, a sum of logarithms of rationals with rational factors, a root, or (√R - 1)/(√R + 1); so it equals
an ε = r·ln(x) only where integer powers are equal, and a rational only where it is one (Lindemann). Where numbers
differ, rational bounds that get closer say how.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from fractions import Fraction
from math import lcm
from typing import NamedTuple

from verifier.checker.logarithms import Bounds, ln, order, root
from verifier.checker.numbers import expectation
from verifier.checker.rejected import Beyond, Rejected
from verifier.checker.setting import Law
from verifier.checker.written import MAX_BITS, ONE, ZERO, Written, bits

MOST_ORDER = 256
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


# --- measures ---------------------------------------------------------------------------------------------------------

Measure = Callable[[Law, Law], Scalar]


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


def absolute_power(order: int) -> Measure:
    """The measure Σ Q·|P/Q - 1|^k; where Q = 0 < P the slope at ∞ counts: 1 for k = 1, else ∞."""

    def measure(p: Law, q: Law) -> Scalar:
        alone = sum((x for o, x in p.items() if o not in q), ZERO)
        if alone and order > 1:
            return INFINITE
        return Scalar(plain=alone + sum((y * abs(p.get(o, ZERO) / y - 1) ** order for o, y in q.items()), ZERO))

    return measure


def rooted_power(order: int) -> Measure:
    """The measure (Σ Q·|P/Q - 1|^k)^(1/k)."""

    def measure(p: Law, q: Law) -> Scalar:
        value = absolute_power(order)(p, q)
        return value if value.infinite else Scalar(power=value.plain, degree=order)

    return measure


def total_variation(p: Law, q: Law) -> Scalar:
    """The total variation ½·Σ |P - Q|."""
    return Scalar(plain=sum((abs(p.get(o, ZERO) - q.get(o, ZERO)) for o in {**p, **q}), ZERO) / 2)


def semantic(p: Law, q: Law) -> Scalar:
    """The largest distance of two posteriors, (√R - 1)/(√R + 1), by the probabilities of an event on each database.

    They are P where the record is there, Q where it is not; R is the largest ratio P/Q over the smallest one, and 0/0
    is no ratio. The distance is 1 where R is ∞.
    """
    ratios = [(x, q[database]) for database, x in p.items() if x or q[database]]
    finite = [x / y for x, y in ratios if y]
    if len(finite) == len(ratios) and all(finite):
        return Scalar(spread=max(finite, default=ONE) / min(finite, default=ONE))
    alike = not finite or (len(finite) == len(ratios) and not any(finite))  # all ∞, or all 0: a posterior is none
    return Scalar(plain=ZERO if alike else ONE)


def restricted(divergence: str, tests: Sequence[dict[str, Fraction]]) -> Measure:
    """The measure that is the largest E_P[h] - E_Q[f*(h)] of the functions h that are listed, at least 0."""

    def measure(p: Law, q: Law) -> Scalar:
        best = ZERO
        for h in tests:
            gain = expectation(p, h)
            costs = [(y, conjugate(divergence, h.get(o, ZERO))) for o, y in q.items()]
            if all(cost is not None for _, cost in costs):
                best = max(best, gain - sum((y * cost for y, cost in costs if cost is not None), ZERO))
        return Scalar(plain=best)

    return measure


def conjugate(divergence: str, y: Fraction) -> Fraction | None:
    """The conjugate f*(y) = sup over t ≥ 0 of t·y - f(t) of a divergence; None is ∞."""
    slopes = {"total-variation": Fraction(1, 2), "abs-1": ONE}
    if divergence in slopes:  # f(t) = s·|t - 1|
        return None if y > slopes[divergence] else max(y, -slopes[divergence])
    if divergence in {"chi-squared", "abs-2"}:  # f(t) = (t - 1)²
        return y + y * y / 4 if y >= -2 else -ONE
    raise Rejected(f"the conjugate of {divergence[:40]} is not known here")


def semantic_of_outputs(p: Law, q: Law) -> Scalar:
    """The number of `semantic` for two laws of outputs in place of two lists by databases."""
    return semantic(*({o: law.get(o, ZERO) for o in {**p, **q}} for law in (p, q)))


DIVERGENCES: dict[str, Measure] = {
    "ratio": ratio,
    "kl": kullback_leibler,
    "spread": spread,
    "chi-squared": absolute_power(2),
    "total-variation": total_variation,
    "semantic": semantic_of_outputs,
}
"""The divergences whose names have no order at the end."""


def divergence_of(name: str) -> Measure:
    """The divergence of a name: one of `DIVERGENCES`, `abs-k`, or `renyi-α`."""
    if name in DIVERGENCES:
        return DIVERGENCES[name]
    kind, _, order = name.rpartition("-")
    if kind in {"abs", "renyi"} and order.isdecimal() and len(order) < 4 and int(order) > (kind == "renyi"):
        return absolute_power(int(order)) if kind == "abs" else renyi(int(order))
    raise Rejected(f"[policy] divergence: {name[:40]} is none")
