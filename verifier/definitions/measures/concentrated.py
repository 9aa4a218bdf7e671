"""Measures of concentrated DP: the smallest ρ with D_α(P‖Q) ≤ ξ + ρ·α for *all* real orders α > 1, or up to ω.

With t = α - 1 it is the supremum of h(t) = (D_{1+t} - ξ)/(1 + t) over t > 0. Its limit at 0 is KL - ξ; far out it is
at most (L_max - ξ)/(1 + t). Mean-concentrated: the centred loss is τ-sub-Gaussian, for λ of both signs.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, replace
from fractions import Fraction
from functools import lru_cache
from typing import Any

from verifier.definitions.builders.rows import Setting
from verifier.definitions.comparison import MeasurePair
from verifier.definitions.measures.declared import DeclaredMeasure
from verifier.definitions.measures.divergence import Scalar, ScalarWithDelta
from verifier.definitions.measures.losses import (
    Losses,
    common_part,
    cumulant,
    curvature,
    kullback_leibler_of,
    losses_of,
    renyi_of,
)
from verifier.definitions.measures.supremum import Jet, Supremum
from verifier.numbers import INFINITY, ZERO, arb_of, ball_ends, epsilon, log_epsilon
from verifier.numbers.reals import Enclosed, Real, difference, divided, is_at_most
from verifier.simulators.smallest import crossed


@dataclass(frozen=True)
class RenyiLine:
    """h(t) = (D_{1+t} - ξ)/(1 + t), with D_{1+t} = K(t)/t = KL + t·ψ(t)."""

    losses: Losses
    xi: Fraction

    def _excess(self) -> Any:
        return self.losses.at_zero.mean - arb_of(self.xi)

    def at(self, t: Any) -> Any:
        """The value at a point; at 0 the limit KL - ξ."""
        if t.is_zero():
            return self._excess()
        return (cumulant(self.losses, t) / t - arb_of(self.xi)) / (1 + t)

    def jet(self, low: Any, high: Any) -> Jet:
        """The sign of h' is that of F = ψ + t·(1 + t)·ψ' - (KL - ξ), and F' = (1 + t)·(2·ψ' + t·ψ'').

        Away from 0 the one of t²·F = (K' - ξ)·(t + t²) - (K - ξ·t)·(1 + 2·t) is sharper.
        """
        c, t, excess = curvature(self.losses, low, high), low.union(high), self._excess()
        bend = (1 + t) * (2 * c.slope + t * c.bend)
        turn = c.value_at + c.at * (1 + c.at) * c.slope_at - excess
        direction = turn + bend * (t - c.at)
        middle = (excess + c.at * c.value_at) / (1 + c.at)
        value = middle + direction / ((1 + t) * (1 + t)) * (t - c.at)
        if c.here and not bend < 0:
            bend = c.here.variance * (t + t * t) - 2 * (c.here.k - arb_of(self.xi) * t)
            turn = turn * c.at * c.at
            direction = common_part(direction * t * t, turn + bend * (t - c.at))
        return Jet(value, direction, bend, c.at, middle, turn)

    def ceiling(self, low: Any, high: Any) -> Any:
        """An upper bound of h on [low, high], from D_{1+t} ≤ D_{1+high}."""
        most = cumulant(self.losses, high) / high - arb_of(self.xi)
        return most / (1 + (low if most > 0 else high))

    def cap(self) -> Any:
        """An upper bound of h: max(KL - ξ, r²/8) for the range r of the loss, since K″ ≤ r²/4 (Hoeffding)."""
        excess, most = self._excess(), self.losses.range * self.losses.range / 8
        return (excess + most + abs(excess - most)) / 2  # the larger one

    def tail(self, low: Any) -> Any:
        """An upper bound of h from `low` on: |L_max - ξ|/(1 + low)."""
        return abs(self.losses.balls[-1][0] - arb_of(self.xi)) / (1 + low)


@dataclass(frozen=True)
class CentredMoment:
    """g(t) = 2·(K(t) - KL·t)/t² = 2·ψ(t): the centred loss is τ-sub-Gaussian for λ ≥ 0 where g ≤ τ²."""

    losses: Losses

    def at(self, t: Any) -> Any:
        """The value at a point; at 0 the variance of the loss."""
        start = self.losses.at_zero
        if t.is_zero():
            return start.variance
        return 2 * (cumulant(self.losses, t) - start.mean * t) / (t * t)

    def jet(self, low: Any, high: Any) -> Jet:
        """ψ and its derivatives, twice; away from 0 the direction t³·ψ' = (K' - KL)·t - 2·(K - KL·t) is sharper."""
        c, t = curvature(self.losses, low, high), low.union(high)
        direction, bend, turn = c.slope, c.bend, c.slope_at
        if c.here and not bend < 0:
            bend = c.here.variance * t - c.here.mean + self.losses.at_zero.mean
            turn = turn * c.at * c.at * c.at
            direction = common_part(direction * t * t * t, turn + bend * (t - c.at))
        return Jet(2 * c.value, direction, bend, c.at, 2 * c.value_at, turn)

    def ceiling(self, low: Any, high: Any) -> Any:
        """An upper bound of g on [low, high]: g(high)·(high/low)², since K(t) - KL·t rises."""
        ratio = high / low
        return self.at(high) * ratio * ratio

    def cap(self) -> Any:
        """An upper bound of g: r²/4 for the range r of the loss, since K″ ≤ r²/4 (Hoeffding)."""
        return self.losses.range * self.losses.range / 4

    def tail(self, low: Any) -> Any:
        """An upper bound of g from `low` on: 2·(L_max - KL)/low."""
        return 2 * abs(self.losses.balls[-1][0] - self.losses.at_zero.mean) / low


@lru_cache(maxsize=1 << 12)
def smallest_rho(losses: Losses | None, xi: Fraction, omega: Fraction | None) -> Real:
    """The smallest ρ ≥ 0 with D_α ≤ ξ + ρ·α for all 1 < α, and α ≤ ω where it is given.

    Exact where it is 0, and at ξ = 0 where it is attained in the limit α → 1 (then it is KL), or at ω.

    Raises:
        UndecidedError: where D_ω and ξ cannot be told apart.

    """
    if losses is None:
        return INFINITY
    most = log_epsilon(losses.largest) if omega is None else renyi_of(losses, omega)
    if is_at_most(most, epsilon(xi)):
        return ZERO
    supremum = Supremum((RenyiLine(losses, xi),), None if omega is None else omega - 1)

    def exact() -> Real | None:
        at = supremum.attained_at
        if at is None:
            return None
        return divided(difference(renyi_of(losses, at + 1) if at else kullback_leibler_of(losses), xi), at + 1)

    return Enclosed(supremum.bracket, exact=exact, is_below=supremum.is_below)


@lru_cache(maxsize=1 << 12)
def smallest_tau(losses: Losses) -> Real:
    """The smallest τ for which the centred loss is τ-sub-Gaussian; its square is the supremum of both signs of λ."""
    if len(losses.atoms) == 1:
        return ZERO
    square = Supremum((CentredMoment(losses), CentredMoment(losses.mirrored)))

    def bracket(precision: int) -> tuple[Fraction, Fraction]:
        from flint import ctx

        ends = square.bracket(precision)
        with ctx.workprec(2 * precision + 64):
            low, high = (ball_ends(arb_of(end).sqrt()) for end in ends)
        return low[0], high[1]

    return Enclosed(bracket, is_below=lambda bound: square.is_below(bound * bound))


def concentrated(setting: Setting) -> Scalar:
    """The smallest ρ of (ξ, ρ)-zero-concentrated DP; ξ is 0 where the file does not give it."""
    return _up_to(setting.policy.xi or Fraction(0), None, "concentrated")


def concentrated_to_omega(setting: Setting) -> Scalar:
    """The smallest ρ of (ξ, ρ, ω)-bounded concentrated DP; ξ is 0 where the file does not give it."""
    return _up_to(setting.policy.xi or Fraction(0), setting.need("omega"), "concentrated-to-omega")


def truncated(setting: Setting) -> Scalar:
    """The smallest ρ of (ρ, ω)-truncated concentrated DP (BDRS18), which has ξ = 0."""
    return _up_to(Fraction(0), setting.need("omega"), "concentrated-to-omega")


def truncated_by_xi(setting: Setting) -> Scalar:
    """The smallest τ of (ξ, τ)-truncated concentrated DP (Col16): D_α ≤ τ·α and D_α ≤ ξ for all α, so L_max ≤ ξ."""
    xi: Fraction = setting.need("xi")

    def of(pair: MeasurePair) -> Real:
        losses = losses_of(pair)
        if losses is None or not is_at_most(log_epsilon(losses.largest), epsilon(xi)):
            return INFINITY
        return smallest_rho(losses, Fraction(0), None)

    return _scalar("concentrated-below-xi", of)


def _up_to(xi: Fraction, omega: Fraction | None, key: str) -> Scalar:
    return _scalar(key, lambda pair: smallest_rho(losses_of(pair), xi, omega))


def mean_concentrated(setting: Setting) -> Scalar:
    """The smallest τ of (μ, τ)-mean-concentrated DP: the loss has a mean ≤ μ, and is τ-sub-Gaussian around it."""
    mu: Fraction = setting.need("mu")

    def of(pair: MeasurePair) -> Real:
        losses = losses_of(pair)
        if losses is None or not is_at_most(kullback_leibler_of(losses), epsilon(mu)):
            return INFINITY
        return smallest_tau(losses)

    return _scalar("sub-gaussian", of)


def approximately_concentrated(setting: Setting) -> ScalarWithDelta:
    """The smallest ρ of (ξ, ρ, δ)-approximate zero-concentrated DP, for the closest laws given events of mass 1 - δ."""
    xi = setting.policy.xi or Fraction(0)

    def at(pair: MeasurePair, delta: Fraction) -> Real:
        closest = closest_given(pair, delta)
        return INFINITY if closest is None else smallest_rho(losses_of(closest), xi, None)

    title, formula, source = TITLES["concentrated"]
    return ScalarWithDelta("concentrated", title, formula, source, lambda pair: at(pair, Fraction(0)), at)


def closest_given(pair: MeasurePair, delta: Fraction) -> MeasurePair | None:
    """The closest pair P given E and Q given E′, where E and E′ may use coins and have probability at least 1 - δ.

    None where no such pair has finite losses.

    P is capped at x·Q and Q at y·P where that cuts off δ. P given E lies below P/(1 - δ), and Q given E′ likewise; of
    all such pairs this one has the least hockey-stick divergence at every e^ε, hence the least Rényi divergence of
    every order, in both directions: for S = {P > e^ε·Q}, P̃(S) - e^ε·Q̃(S) ≥ P(S) - δ - e^ε·Q(S), which it attains
    between 1/y and x, and above and below it attains 0 and (1 - δ)·(1 - e^ε).
    """
    if not delta:
        return pair
    rows = [(Fraction(p), Fraction(q)) for p, q in zip(pair.p, pair.q or (), strict=True)]
    budget = delta * pair.total
    if sum(max(Fraction(0), p - q) for p, q in rows) <= budget:
        return MeasurePair(None, pair.outputs[:1], (1,), (1,), total=1)
    x, y = (crossed(sides, budget) for sides in (rows, [(q, p) for p, q in rows]))
    if x is None or y is None:
        return None
    capped = [(min(p, x * q), min(q, y * p)) for p, q in rows]
    shared = x.denominator * y.denominator
    p, q = (tuple(int(weight * shared) for weight in side) for side in zip(*capped, strict=True))
    return replace(pair, p=p, q=q, total=sum(p))


def _scalar(key: str, of: Callable[[MeasurePair], Real]) -> Scalar:
    title, formula, source = TITLES[key]
    return Scalar(key, title, formula, source, of)


TITLES: Mapping[str, tuple[str, str, str]] = {
    "concentrated": ("smallest ρ for all orders α > 1", "sup over α > 1 of (D_α - ξ)/α", "DP22, Definition 12"),
    "concentrated-to-omega": (
        "smallest ρ for all orders 1 < α ≤ ω",
        "sup over 1 < α ≤ ω of (D_α - ξ)/α",
        "DP22, section 3.3 (BS16, BDRS18)",
    ),
    "concentrated-below-xi": (
        "smallest τ for all orders α ≥ 1",
        "sup over α ≥ 1 of D_α/α, where max ln P/Q ≤ ξ",
        "DP22, section 3.3 (Col16)",
    ),
    "sub-gaussian": (
        "sub-Gaussian parameter τ",
        "sup over λ ≠ 0 of √(2·ln E[e^(λ·(L - E[L]))])/|λ|, where E[L] ≤ μ",
        "DP22, section 3.3 (DR16)",
    ),
}
"""Title, formula and source, by the names in witnesses; two measures of entries may have one."""
CELL_BY_CELL = "pkdp bounds the function of the order on whole intervals, and not at points of a grid"
LAST_ORDER = f"Of all orders α, the worst is enclosed: {CELL_BY_CELL}, and the largest loss bounds all that follow"
UP_TO_OMEGA = f"Of all orders α up to ω, the worst is enclosed: {CELL_BY_CELL}"
CONCENTRATED: tuple[DeclaredMeasure[Scalar], ...] = (
    DeclaredMeasure(
        "concentrated",
        *TITLES["concentrated"],
        concentrated,
        words="the smallest ρ with D_α ≤ ξ + ρ·α for all α > 1",
        made_finite=LAST_ORDER,
        optional=("xi",),
    ),
    DeclaredMeasure(
        "concentrated-approximately",
        *TITLES["concentrated"],
        approximately_concentrated,
        words="the smallest ρ with D_α ≤ ξ + ρ·α for all α > 1, given likely events",
        made_finite="Of all likely events, one pair of distributions is closest at every order: P cut at a multiple of "
        f"Q, and Q at a multiple of P. {LAST_ORDER}",
        optional=("xi",),
        has_delta=True,
    ),
    DeclaredMeasure(
        "concentrated-to-omega",
        *TITLES["concentrated-to-omega"],
        concentrated_to_omega,
        words="the smallest ρ with D_α ≤ ξ + ρ·α for all α up to ω",
        made_finite=UP_TO_OMEGA,
        fields=("omega",),
        optional=("xi",),
    ),
    DeclaredMeasure(
        "concentrated-truncated",
        *TITLES["concentrated-to-omega"],
        truncated,
        words="the smallest ρ with D_α ≤ ρ·α for all α up to ω",
        made_finite=UP_TO_OMEGA,
        fields=("omega",),
    ),
    DeclaredMeasure(
        "concentrated-below-xi",
        *TITLES["concentrated-below-xi"],
        truncated_by_xi,
        words="the smallest τ with D_α ≤ min(ξ, α·τ) for all α",
        made_finite=f"D_α ≤ ξ for all α asks only that the largest loss is at most ξ. {LAST_ORDER}",
        fields=("xi",),
    ),
    DeclaredMeasure(
        "sub-gaussian",
        *TITLES["sub-gaussian"],
        mean_concentrated,
        words="the smallest τ for which the loss, of mean at most μ, is τ-sub-Gaussian",
        made_finite=f"Of all λ of both signs, the worst is enclosed: {CELL_BY_CELL}, the last by the largest loss",
        fields=("mu",),
    ),
)
"""The measures over all orders, as entries name them."""
