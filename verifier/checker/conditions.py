"""Measures of DP22 that hold or do not, without an ε: a trade-off curve above f, and a predicate on all events.

P and Q are the chances of an event under the two laws; the error of the first kind is P[S], of the second 1 - Q[S].
(DP22, Definitions 26 and 33, and section 5.3.)
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from fractions import Fraction
from itertools import pairwise

from verifier.checker.numbers import Rejected, chance
from verifier.checker.random_pairs import events_of
from verifier.checker.setting import Law, Setting
from verifier.checker.written import ONE, ZERO

Condition = Callable[[Law, Law], bool]
Vertices = Sequence[tuple[Fraction, Fraction]]


def _vertices(setting: Setting) -> Vertices:
    """The vertices of a convex f from 0 to 1 with f(1) = 0."""
    vertices: Vertices = setting.need("tradeoff")
    xs = [x for x, _ in vertices]
    if len(xs) < 2 or xs[0] != 0 or xs[-1] != 1 or any(x >= y for x, y in pairwise(xs)):
        raise Rejected("[policy] tradeoff: the vertices of f go from x = 0 to x = 1")
    slopes = [(v - u) / (y - x) for (x, u), (y, v) in pairwise(vertices)]
    if any(first > second for first, second in pairwise(slopes)) or vertices[-1][1] != 0:
        raise Rejected("[policy] tradeoff: f is convex, and f(1) = 0")
    if any(not 0 <= y <= 1 for _, y in vertices):
        raise Rejected("[policy] tradeoff: f is from 0 to 1")
    return vertices


def tradeoff_above(setting: Setting) -> Condition:
    """The condition 1 - Q[S] ≥ f(P[S]) for all events S, with the convex f of [policy] tradeoff, f(x) ≤ 1 - x."""
    condition = generic_above(setting)
    if any(y > 1 - x for x, y in setting.need("tradeoff")):
        raise Rejected("[policy] tradeoff: f(x) is at most 1 - x")
    return condition


def generic_above(setting: Setting) -> Condition:
    """The condition 1 - f(P[S]) ≥ Q[S] for all events S: f is 1 - M of a concave M with M(1) = 1."""
    vertices = _vertices(setting)
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


def predicate(setting: Setting) -> Condition:
    """The condition a·P[S] + b·Q[S] ≤ c for all rows (a, b, c) of [policy] predicate and all events S."""
    rows: list[tuple[Fraction, Fraction, Fraction]] = setting.need("predicate")

    def condition(p: Law, q: Law) -> bool:
        sets = [(), *events_of(list({**p, **q}))]
        chances = [tuple(chance(law, event) for law in (p, q)) for event in sets]
        return all(a * x + b * y <= c for a, b, c in rows for x, y in chances)

    return condition
