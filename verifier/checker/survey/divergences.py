"""Measures of DP22 beside the curves and numbers of `measures`: powers, restricted divergences, posteriors, conditions.

A condition holds or does not, without an ε. It speaks of the chances of an event under both laws; the error of the
first kind is P[S], of the second 1 - Q[S]. (DP22, Definitions 26, 33 and 37, and section 5.3.)
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from fractions import Fraction
from itertools import count, pairwise

from verifier.checker import Rejected
from verifier.checker.laws import Law, Tables, chance, expectation
from verifier.checker.measures import (
    INFINITE,
    Measure,
    Scalar,
    events_of,
    kullback_leibler,
    ratio,
    refuse_events,
    renyi,
    spread,
    total_variation,
)
from verifier.checker.numbers import ONE, ZERO


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


# --- conditions -------------------------------------------------------------------------------------------------------

Condition = Callable[[Law, Law], bool]
Vertices = Sequence[tuple[Fraction, Fraction]]


def _vertices(tables: Tables) -> Vertices:
    """The vertices of a convex f from 0 to 1 with f(1) = 0."""
    vertices: Vertices = tables.need("tradeoff")
    xs = [x for x, _ in vertices]
    if len(xs) < 2 or xs[0] != 0 or xs[-1] != 1 or any(x >= y for x, y in pairwise(xs)):
        raise Rejected("[policy] tradeoff: the vertices of f go from x = 0 to x = 1")
    slopes = [(v - u) / (y - x) for (x, u), (y, v) in pairwise(vertices)]
    if any(first > second for first, second in pairwise(slopes)) or vertices[-1][1] != 0:
        raise Rejected("[policy] tradeoff: f is convex, and f(1) = 0")
    if any(not 0 <= y <= 1 for _, y in vertices):
        raise Rejected("[policy] tradeoff: f is from 0 to 1")
    return vertices


def tradeoff_above(tables: Tables) -> Condition:
    """The condition 1 - Q[S] ≥ f(P[S]) for all events S, with the convex f of [policy] tradeoff, f(x) ≤ 1 - x."""
    condition = generic_above(tables)
    if any(y > 1 - x for x, y in tables.need("tradeoff")):
        raise Rejected("[policy] tradeoff: f(x) is at most 1 - x")
    return condition


def generic_above(tables: Tables) -> Condition:
    """The condition 1 - f(P[S]) ≥ Q[S] for all events S: f is 1 - M of a concave M with M(1) = 1."""
    vertices = _vertices(tables)
    return lambda p, q: all(value_at(vertices, x) <= y for x, y in tradeoff(p, q))


def tradeoff(p: Law, q: Law) -> Vertices:
    """The vertices (P[S], 1 - Q[S]) of the trade-off curve: S takes outputs by their ratios, the largest Q/P first.

    They suffice against a convex f, since all other events lie above the curve.
    """
    vertices = [(ZERO, ONE)]
    for o in sorted({**p, **q}, key=lambda o: (o in p, -q.get(o, ZERO) / p.get(o, ONE))):
        x, y = vertices[-1]
        vertices.append((x + p.get(o, ZERO), y - q.get(o, ZERO)))
    return vertices


def value_at(vertices: Vertices, x: Fraction) -> Fraction:
    """f(x), which is linear between neighbouring vertices."""
    for (left, u), (right, v) in pairwise(vertices):
        if left <= x <= right:
            return u + (v - u) * (x - left) / (right - left)
    raise Rejected("a chance is not between 0 and 1")


def predicate(tables: Tables) -> Condition:
    """The condition a·P[S] + b·Q[S] ≤ c for all rows (a, b, c) of [policy] predicate and all events S."""
    rows: list[tuple[Fraction, Fraction, Fraction]] = tables.need("predicate")

    times = count(1)

    def condition(p: Law, q: Law) -> bool:
        refuse_events(next(times) * max(1, len(rows)), len({**p, **q}))
        sets = [(), *events_of(list({**p, **q}))]
        chances = [tuple(chance(law, event) for law in (p, q)) for event in sets]
        return all(a * x + b * y <= c for a, b, c in rows for x, y in chances)

    return condition
