"""Measures with parameters in `[policy]`: trade-off curves, predicates, trimmed laws, restricted divergences; and μ.

A condition holds or not at the parameters of the file: it is asked without ε, and has no smallest one.

Gaussian differential privacy asks for the smallest μ whose trade-off curve G_μ lies below that of two laws (DRS21).
G_μ(α) = Φ(Φ⁻¹(1 - α) - μ) is convex and the curve of two laws is piecewise linear, so that its vertices suffice.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from fractions import Fraction
from functools import cmp_to_key, lru_cache
from itertools import combinations, pairwise, zip_longest
from typing import Any, TypeAlias, TypeVar

from verifier.definitions.builders.rows import Setting
from verifier.definitions.comparison import HOCKEY_STICK, WORST_SET, HockeyStick, MeasurePair
from verifier.definitions.measures.declared import DeclaredMeasure
from verifier.definitions.measures.divergence import (
    CHI_SQUARED,
    TOTAL_VARIATION,
    Condition,
    Scalar,
    Shown,
    conjugate_of,
    power,
)
from verifier.errors import LimitError, UnsupportedError
from verifier.numbers import INFINITY, ZERO, Order, arb_of, ball_ends, epsilon
from verifier.numbers.reals import Enclosed, Real, larger, less_powers, order
from verifier.tables import Label

Item = TypeVar("Item")
MOST_TRIMMED = 12
"""Most outputs of which all sets are left out in turn."""
Vertices: TypeAlias = Sequence[tuple[Fraction, Fraction]]
HalfPlane: TypeAlias = tuple[Fraction, Fraction, Fraction]
"""The numbers (a, b, c) of a condition a·P[S] + b·Q[S] ≤ c."""


def events_of(pair: MeasurePair) -> list[tuple[Fraction, Fraction, tuple[Label, ...]]]:
    """The vertices (α, β) of the trade-off curve, each with its S: α = P[S], β = 1 - Q[S], for S by decreasing Q/P."""
    weights = [(o, p, q) for o, p, q in zip_longest(pair.outputs, pair.p, pair.q or ()) if p or q]

    def downwards(x: tuple[Label, int, int], y: tuple[Label, int, int]) -> int:
        return y[2] * x[1] - x[2] * y[1]

    weights.sort(key=cmp_to_key(downwards))
    event: tuple[Label, ...] = ()
    corners, p_sum, q_sum = [(Fraction(0), Fraction(1), event)], 0, 0
    for output, p, q in weights:
        p_sum, q_sum, event = p_sum + p, q_sum + q, (*event, output)
        corners.append((Fraction(p_sum, pair.total), 1 - Fraction(q_sum, pair.total), event))
    return corners


def value_at(vertices: Vertices, x: Fraction) -> Fraction:
    """The value at x, in [0, 1], of the piecewise linear function through the vertices."""
    for (x1, y1), (x2, y2) in pairwise(vertices):
        if x1 <= x <= x2:
            return y1 + (y2 - y1) * (x - x1) / (x2 - x1)
    raise ArithmeticError("a trade-off is asked for outside [0, 1]")


def _convex(vertices: Vertices) -> bool:
    slopes = [(y2 - y1) / (x2 - x1) for (x1, y1), (x2, y2) in pairwise(vertices)]
    return all(left <= right for left, right in pairwise(slopes))


Broken: TypeAlias = tuple[tuple[Label, ...], Fraction]
"""A set of outputs that breaks a condition, and by how much."""


def above(vertices: Vertices) -> Callable[[MeasurePair], Broken | None]:
    """The test whether the trade-off curve of a pair of laws is nowhere below f, the function through the vertices.

    f is convex, so that the vertices of the curve suffice; the set S that breaks it most has the largest f(α) - β.
    """

    def broken(pair: MeasurePair) -> Broken | None:
        depths = [(event, value_at(vertices, alpha) - beta) for alpha, beta, event in events_of(pair)]
        return _worst(depths)

    return broken


def _worst(depths: Sequence[Broken]) -> Broken | None:
    """The first set that breaks a condition most; None where none does."""
    worst = max(depths, key=lambda entry: entry[1])
    return worst if worst[1] > 0 else None


def tradeoff(setting: Setting) -> Condition:
    """The condition that the trade-off curve is nowhere below f (fDP, DP22, Definition 33).

    A convex f ≥ 0 that is at most 1 - x is 0 at 1, and so it is non-increasing.

    Raises:
        UnsupportedError: where f is not convex, or above 1 - x.

    """
    vertices: Vertices = setting.need("tradeoff")
    if not (_convex(vertices) and all(y <= 1 - x for x, y in vertices)):
        raise UnsupportedError(
            "`tradeoff` is not a trade-off function: it is convex, non-increasing, and at most 1 - x"
        )
    return _condition("tradeoff", above(vertices))


def privacy_predicate(setting: Setting) -> Condition:
    """The condition M(P[S]) ≥ Q[S] for all S (GcDP[KL10], DP22, Definition 26); `tradeoff` is 1 - M, for a concave M.

    Raises:
        UnsupportedError: where 1 - M is not convex, or not 0 at 1.

    """
    vertices: Vertices = setting.need("tradeoff")
    if not (_convex(vertices) and vertices[-1][1] == 0):
        raise UnsupportedError("`tradeoff` is 1 - M: it is convex, and 0 at 1")
    return _condition("privacy-predicate", above(vertices))


def inequalities(measure: str, setting: Setting) -> tuple[HalfPlane, ...]:
    """The rows (a, b, c) of a condition, by its name: it asks a·P[S] + b·Q[S] ≤ c for all S and each row."""
    CONDITIONS[measure].made(setting)  # refuses a function that is no trade-off function
    if measure == "predicate":
        rows: tuple[HalfPlane, ...] = tuple(setting.need("predicate"))
        return rows
    return half_planes(setting.need("tradeoff"))


def half_planes(vertices: Vertices) -> tuple[HalfPlane, ...]:
    """The rows (a, b, c) of 1 - Q[S] ≥ f(P[S]), by the vertices of a convex f: a·P[S] + b·Q[S] ≤ c for all S.

    f is the largest of the lines y + s·(α - x) of its segments, so that a curve with α = P[S] and β = 1 - Q[S] is above
    it where s·P[S] + Q[S] ≤ 1 - y + s·x for each.
    """
    slopes = (((y2 - y1) / (x2 - x1), x1, y1) for (x1, y1), (x2, y2) in pairwise(vertices))
    return tuple((slope, Fraction(1), 1 - y + slope * x) for slope, x, y in slopes)


def predicate(setting: Setting) -> Condition:
    """The condition a·P[S] + b·Q[S] ≤ c for all S and rows of the file (AbsDP); the worst S is where a·P + b·Q > 0."""
    rows: Sequence[tuple[Fraction, Fraction, Fraction]] = setting.need("predicate")

    def broken(pair: MeasurePair) -> Broken | None:
        depths = []
        for a, b, c in rows:
            gains = [(o, a * p + b * q) for o, p, q in zip_longest(pair.outputs, pair.p, pair.q or ())]
            gained = [(o, gain) for o, gain in gains if gain > 0]
            total = sum((gain for _, gain in gained), Fraction(0))
            depths.append((tuple(o for o, _ in gained), total / pair.total - c))
        return _worst(depths) if depths else None

    return _condition("predicate", broken)


def _condition(name: str, broken: Callable[[MeasurePair], Broken | None]) -> Condition:
    return Condition(name, CONDITIONS[name].title, broken)


CONDITIONS: Mapping[str, DeclaredMeasure[Condition]] = {
    each.key: each
    for each in (
        DeclaredMeasure(
            "tradeoff",
            "trade-off curve",
            "1 - Q[S] ≥ f(P[S])",
            "DP22, Definition 33",
            tradeoff,
            words="whether the trade-off curve is above f",
            made_finite="Of all tests, the corners of the trade-off curve suffice, since f is convex",
            fields=("tradeoff",),
        ),
        DeclaredMeasure(
            "privacy-predicate",
            "privacy predicate",
            "M(P[S]) ≥ Q[S]",
            "DP22, Definition 26",
            privacy_predicate,
            words="whether M(P[S]) ≥ Q[S] for all S, where 1 - M is listed",
            made_finite="Of all sets S of outputs, the corners of the trade-off curve suffice, since 1 - M is convex",
            fields=("tradeoff",),
        ),
        DeclaredMeasure(
            "predicate",
            "predicate",
            "a·P[S] + b·Q[S] ≤ c",
            "DP22, after Definition 26",
            predicate,
            words="whether listed inequalities a·P[S] + b·Q[S] ≤ c hold for all S",
            made_finite="Of all sets S of outputs, the worst for a row has the outputs with a·P(o) + b·Q(o) > 0",
            fields=("predicate",),
        ),
    )
}
"""Measures that hold or not, by their names in entries."""


@dataclass(frozen=True)
class Trimmed(HockeyStick):
    """The least hockey-stick divergence without outputs of mass at most δ_p under P (RelDP); `error` is δ_p."""

    error: Fraction = Fraction(0)
    key: str = "trimmed-hockey-stick"

    def trimmings(self, pair: MeasurePair) -> list[MeasurePair]:
        """The pairs that are left without a set of outputs of mass at most δ_p under P, for each largest such set.

        Raises:
            LimitError: for more than `MOST_TRIMMED` outputs.

        """
        outputs = [k for k, p in enumerate(pair.p) if p]
        if len(outputs) > MOST_TRIMMED:
            raise LimitError(
                f"all sets of {len(outputs)} outputs are left out in turn", wanted=f"at most {MOST_TRIMMED}"
            )
        largest = largest_light_sets({k: pair.p[k] for k in outputs}, self.error * pair.total)
        return [_without(pair, chosen) for chosen in largest]


def largest_light_sets(masses: Mapping[Item, int], most: Fraction) -> list[frozenset[Item]]:
    """The sets of databases, or of outputs, whose mass is at most `most`, without those that a larger one contains."""
    light = [
        frozenset(chosen)
        for number in range(len(masses) + 1 if most else 1)
        for chosen in combinations(masses, number)
        if sum(masses[item] for item in chosen) <= most
    ]
    return [chosen for chosen in light if not any(chosen < other for other in light)]


def _without(pair: MeasurePair, chosen: frozenset[int]) -> MeasurePair:
    kept = [k for k in range(len(pair.p)) if k not in chosen]
    second = pair.q or ()
    p, q = tuple(pair.p[k] for k in kept), tuple(second[k] for k in kept)
    return MeasurePair(None, tuple(pair.outputs[k] for k in kept), p, q, total=pair.total)


def trimmed(setting: Setting) -> Trimmed:
    """The measure of (ε, δ_a)-DP with probability at least 1 - δ_p: δ is δ_a, and `error` in `[policy]` is δ_p."""
    return Trimmed(HOCKEY_STICK.key, HOCKEY_STICK.formula, HOCKEY_STICK.source, setting.need("error"))


def restricted(setting: Setting) -> Scalar:
    """The divergence max(0, E_P[h] - E_Q[f*(h)] over the listed h), with f of a named divergence (CBDP, section 3.4).

    For f = t·ln t (the divergence `kl`) the conjugate is e^(s - 1), so that the number is enclosed; it is rational only
    where h is 1 wherever Q is positive.
    """
    tests: Sequence[Sequence[tuple[Label, Fraction]]] = setting.need("tests")
    name: str = setting.need("divergence")
    conjugate = conjugate_of(name)
    if conjugate is None and name != "kl":
        known = (TOTAL_VARIATION.key, power(1).key, CHI_SQUARED.key, "kl")
        raise UnsupportedError(f"the conjugate of {name} is not decided: one of {', '.join(known)} is")
    value_of = _exponential if conjugate is None else _conjugate(conjugate)

    def of(pair: MeasurePair) -> Real:
        worst: Real = ZERO
        for test in tests:
            value = value_of(pair, dict(test))
            compared = Order.LESS if value is None else order(value, worst)
            if value is not None and compared is Order.GREATER:
                worst = value
            elif value is not None and compared is Order.UNDECIDED:
                worst = larger(value, worst)
        return worst

    return Scalar("restricted", f"restricted {name}", RESTRICTED.formula, RESTRICTED.source, of, one_by_one=True)


Value: TypeAlias = Callable[[MeasurePair, dict[Label, Fraction]], "Real | None"]
"""E_P[h] - E_Q[f*(h)] for a pair of laws and an h; None where it is negative, or -∞."""


def _conjugate(conjugate: Callable[[Fraction], Fraction | None]) -> Value:
    """The number for an f whose conjugate is rational."""

    def of(pair: MeasurePair, test: dict[Label, Fraction]) -> Real | None:
        total = Fraction(0)
        for output, p, q in zip(pair.outputs, pair.p, pair.q or (), strict=True):
            value = test.get(output, Fraction(0))
            star = conjugate(value)
            if q and star is None:
                return None
            total += value * p - (star * q if q and star is not None else 0)
        return epsilon(total / pair.total) if total >= 0 else None

    return of


def _exponential(pair: MeasurePair, test: dict[Label, Fraction]) -> Real | None:
    """The number for f = t·ln t: E_P[h] - E_Q[e^(h - 1)]."""
    rational, powers = Fraction(0), dict[Fraction, Fraction]()
    for output, p, q in zip(pair.outputs, pair.p, pair.q or (), strict=True):
        value = test.get(output, Fraction(0))
        rational += value * Fraction(p, pair.total)
        if q and value == 1:
            rational -= Fraction(q, pair.total)
        elif q:
            powers[value - 1] = powers.get(value - 1, Fraction(0)) + Fraction(q, pair.total)
    return less_powers(rational, tuple(sorted(powers.items())))


# --- Gaussian ---------------------------------------------------------------------------------------------------------

CORNERS = {(Fraction(0), Fraction(1)), (Fraction(1), Fraction(0))}


def gaussian(pair: MeasurePair) -> Real:
    """The largest Φ⁻¹(1 - α) - Φ⁻¹(β) = -(Φ⁻¹(α) + Φ⁻¹(β)) of the vertices (α, β), at least 0.

    It is ∞ where an output is possible under one law alone.
    """
    corners = [event[:2] for event in events_of(pair) if event[:2] not in CORNERS]
    if any(not alpha or not beta for alpha, beta in corners):
        return INFINITY
    unordered = {(min(corner), max(corner)) for corner in corners if sum(corner) != 1}
    lowest = [corner for corner in unordered if not any(_below(other, corner) for other in unordered)]
    return _largest(tuple(sorted(lowest))) if lowest else ZERO


def _below(corner: tuple[Fraction, Fraction], other: tuple[Fraction, Fraction]) -> bool:
    return corner != other and corner[0] <= other[0] and corner[1] <= other[1]


@lru_cache(maxsize=1 << 12)
def _largest(corners: Vertices) -> Real:
    """The sum is symmetric in α and β: a pair of laws and its reverse have the same number."""

    def bracket(precision: int) -> tuple[Fraction, Fraction]:
        from flint import ctx

        with ctx.workprec(precision + 64):
            ends = [ball_ends(-(_quantile(alpha) + _quantile(beta))) for alpha, beta in corners]
        return max(low for low, _ in ends), max(high for _, high in ends)

    return Enclosed(bracket)


def _quantile(x: Fraction) -> Any:
    """Φ⁻¹(x) = √2·erf⁻¹(2·x - 1); near 0 by the complement."""
    from flint import arb

    if x > Fraction(1, 2):
        return -_quantile(1 - x)
    return -(arb(2).sqrt() * arb_of(2 * x).erfcinv())


def show_corner(pair: MeasurePair) -> Shown:
    """The first set S, by decreasing Q/P, whose Φ⁻¹(Q(S)) - Φ⁻¹(P(S)) is the largest."""
    corners = [corner for corner in events_of(pair) if corner[:2] not in CORNERS]
    for alpha, beta, event in corners:
        if not alpha or not beta:
            return Shown(event=event)
    best: tuple[Real, tuple[Label, ...]] = ZERO, corners[0][2] if corners else ()
    for alpha, beta, event in corners:
        if alpha + beta < 1:
            value = _largest(((min(alpha, beta), max(alpha, beta)),))
            if value is not best[0] and order(value, best[0]) is Order.GREATER:
                best = value, event
    return Shown(event=best[1])


GAUSSIAN = Scalar(
    "gaussian",
    "smallest Gaussian μ",
    "max Φ⁻¹(1 - α) - Φ⁻¹(β)",
    "DP22, section 7.1",
    gaussian,
    show=show_corner,
    words="the smallest μ whose Gaussian trade-off curve is below that of P and Q",
    made_finite="Of all tests, the corners of the trade-off curve suffice, since G_μ is convex",
)
TRIMMED: DeclaredMeasure[Trimmed] = DeclaredMeasure(
    "trimmed",
    "hockey-stick",
    HOCKEY_STICK.formula,
    HOCKEY_STICK.source,
    trimmed,
    words="δ(ε) without outputs of mass at most δ_p under P",
    made_finite=f"Of at most {MOST_TRIMMED} outputs, the largest sets that may be left out are listed. {WORST_SET}",
    fields=("error",),
    by_sets="a part of a tail may be left out",
    has_delta=True,
)
RESTRICTED: DeclaredMeasure[Scalar] = DeclaredMeasure(
    "restricted",
    "restricted divergence",
    "sup over h of E_P[h] - E_Q[f*(h)]",
    "DP22, section 3.4",
    restricted,
    words="the largest E_P[h] - E_Q[f*(h)] of the listed functions h",
    made_finite="H has the listed functions only, which are 0 on an output that they do not name",
    fields=("tests", "divergence"),
)
