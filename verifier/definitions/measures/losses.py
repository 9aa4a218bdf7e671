"""The law of the privacy loss L = ln P/Q under P, its cumulant function K(t) = ln E[e^(tL)], and its curvature ψ.

(α - 1)·D_α(P‖Q) = K(α - 1) for the Rényi divergence, so that K says everything about all orders. K is convex,
K(0) = 0, and K'(0) is the Kullback–Leibler divergence. Everything is evaluated in Arb balls.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field
from fractions import Fraction
from typing import Any, NamedTuple

from verifier.definitions.comparison import MeasurePair
from verifier.numbers import arb_of, ball_ends, log_epsilon
from verifier.numbers.reals import Enclosed, Real, exact_root, log_sum


@dataclass(frozen=True)
class Losses:
    """The values P/Q that have a positive probability under P, each with this probability, by increasing value."""

    atoms: tuple[tuple[Fraction, Fraction], ...]
    _balls: dict[int, Sequence[tuple[Any, Any]]] = field(default_factory=dict, compare=False, repr=False)
    _zero: dict[int, Cumulants] = field(default_factory=dict, compare=False, repr=False)

    @property
    def largest(self) -> Fraction:
        """The largest P/Q."""
        return self.atoms[-1][0]

    @property
    def range(self) -> Any:
        """The largest loss less the smallest, as a ball."""
        return arb_of(self.largest / self.atoms[0][0]).log()

    @property
    def balls(self) -> Sequence[tuple[Any, Any]]:
        """The losses ln P/Q with their probabilities, at the precision in force."""
        from flint import ctx

        if ctx.prec not in self._balls:
            self._balls[ctx.prec] = [(arb_of(ratio).log(), arb_of(mass)) for ratio, mass in self.atoms]
        return self._balls[ctx.prec]

    @property
    def at_zero(self) -> Cumulants:
        """K at t = 0 with its derivatives: the mean, the variance, the third and the fourth cumulant of the loss."""
        from flint import arb, ctx

        if ctx.prec not in self._zero:
            self._zero[ctx.prec] = cumulants(self, arb(0))
        return self._zero[ctx.prec]

    @property
    def mirrored(self) -> Losses:
        """The law of -L in place of L."""
        return Losses(tuple((1 / ratio, mass) for ratio, mass in reversed(self.atoms)))


def losses_of(pair: MeasurePair) -> Losses | None:
    """The law of P/Q under P; None where P can produce what Q cannot, so that the loss is infinite.

    >>> coin = MeasurePair(None, (), (3, 1), (1, 3), total=4)
    >>> [f"{ratio}: {mass}" for ratio, mass in losses_of(coin).atoms]
    ['1/3: 1/4', '3: 3/4']
    """
    masses: dict[Fraction, int] = {}
    for p, q in zip(pair.p, pair.q or (), strict=True):
        if p and not q:
            return None
        if p:
            masses[Fraction(p, q)] = masses.get(Fraction(p, q), 0) + p
    return Losses(tuple((ratio, Fraction(mass, pair.total)) for ratio, mass in sorted(masses.items())))


class Cumulants(NamedTuple):
    """K and its derivatives K' = `mean`, K″ = `variance`, K‴ and K⁗, as balls; None where they are not asked for."""

    k: Any
    mean: Any
    variance: Any = None
    third: Any = None
    fourth: Any = None


def cumulant(losses: Losses, t: Any) -> Any:
    """K(t) = ln E[e^(tL)] at a point."""
    return sum((mass * (t * loss).exp() for loss, mass in losses.balls), t * 0).log()


def cumulants(losses: Losses, t: Any, most: int = 4) -> Cumulants:
    """K and its first `most` derivatives for all points of a ball, by the moments about the mean at its middle."""
    from flint import arb

    atoms, middle, total, first = losses.balls, t.mid(), arb(0), arb(0)
    for loss, mass in atoms:
        weight = mass * (middle * loss).exp()
        total, first = total + weight, first + weight * loss
    centre = (first / total).mid()
    moments = [arb(0)] * (most + 1)
    for loss, mass in atoms:
        away = loss - centre
        power = mass * (t * away).exp()
        for order in range(most):
            moments[order] += power
            power *= away
        moments[most] += power
    k = moments[0].log() + t * centre
    m1, *higher = (moment / moments[0] for moment in moments[1:])
    if not higher:
        return Cumulants(k, m1 + centre)
    m2, square = higher[0], m1 * m1
    if most == 2:
        return Cumulants(k, m1 + centre, m2 - square)
    m3, m4 = higher[1:]
    return Cumulants(
        k,
        m1 + centre,
        m2 - square,
        m3 - 3 * m2 * m1 + 2 * m1 * square,
        m4 - 4 * m3 * m1 - 3 * m2 * m2 + 12 * m2 * square - 6 * square * square,
    )


class Curvature(NamedTuple):
    """ψ(t) = (K(t) - K'(0)·t)/t² and its first two derivatives on a ball; and ψ, ψ' at a point of it."""

    value: Any
    slope: Any
    bend: Any
    at: Any
    value_at: Any
    slope_at: Any
    here: Cumulants | None
    """K, K' and K″ on the ball; None where it touches 0."""


MOST_NEAR = 4
"""Largest end of a cell on which ψ is expanded about 0 as well, since its quotients cancel there."""


def curvature(losses: Losses, low: Any, high: Any) -> Curvature:
    """ψ on [low, high], low ≥ 0; ψ(t) = ∫ (1 - s)·K''(s·t) ds over [0, 1], which gives its values at and near 0."""
    from flint import arb

    ball, start, here = low.union(high), losses.at_zero, None
    if not low.is_zero():
        at, here = ball.mid(), cumulants(losses, ball, 2)
        point, square, ball_square = cumulants(losses, at, 1), at * at, ball * ball
        value_at = (point.k - start.mean * at) / square
        slope_at = (point.mean - start.mean) / square - 2 * value_at / at
        value = (here.k - start.mean * ball) / ball_square
        slope = (here.mean - start.mean) / ball_square - 2 * value / ball
        bend = (here.variance - 4 * ball * slope - 2 * value) / ball_square
    else:
        at, value_at, slope_at = arb(0), start.variance / 2, start.third / 6
    near = high <= MOST_NEAR
    if near:
        hull = cumulants(losses, arb(0).union(high))
        bend = hull.fourth / 12 if here is None else common_part(hull.fourth / 12, bend)
    slope = slope_at + bend * (ball - at)
    value = value_at + slope * (ball - at)
    if near and here is not None:
        slope = common_part(slope, start.third / 6 + hull.fourth / 12 * ball)
        value = common_part(value, start.variance / 2 + hull.third / 6 * ball)
    return Curvature(value, slope, bend, at, value_at, slope_at, here)


def common_part(first: Any, second: Any) -> Any:
    """What two balls around one number have in common, where both are finite; else the one that is."""
    if not first.is_finite() or not second.is_finite():
        return first if first.is_finite() else second
    return first.intersection(second)


MOST_POWER = 256
"""Most factors of a power of probabilities that is written out, for an order a/b the a - b and the b."""


def kullback_leibler_of(losses: Losses) -> Real:
    """The Kullback–Leibler divergence Σ P·ln(P/Q), in nats."""
    return log_sum((mass, ratio) for ratio, mass in losses.atoms)


def renyi_of(losses: Losses, order: Fraction) -> Real:
    """The Rényi divergence of a rational order α > 1: (1/(α - 1))·ln S for S = Σ P·(P/Q)^(α - 1).

    It is the loss itself where that is constant, at every order: 0 for equal laws.

    For α - 1 = a/b all terms of S have a rational b-th power. Where the quotients of terms are rational, so is S^b, and
    the divergence is exact. Else no power of S is rational, and it is enclosed: it equals no (r·ln of a rational).

    >>> str(renyi_of(Losses(((Fraction(1, 4), Fraction(1, 5)), (Fraction(4), Fraction(4, 5)))), Fraction(3, 2)))
    'ln(289/100)'
    """
    if len(losses.atoms) == 1:
        return log_epsilon(losses.largest)
    power = order - 1
    if max(power.numerator, power.denominator) <= MOST_POWER:
        first = losses.largest
        quotients = [exact_root((ratio / first) ** power.numerator, power.denominator) for ratio, _ in losses.atoms]
        if None not in quotients:
            total = sum((mass * (q or 0) for (_, mass), q in zip(losses.atoms, quotients, strict=True)), Fraction(0))
            return log_epsilon(total**power.denominator * first**power.numerator, 1 / Fraction(power.numerator))

    def bracket(precision: int) -> tuple[Fraction, Fraction]:
        from flint import ctx

        with ctx.workprec(precision + 64):
            low, high = ball_ends(cumulant(losses, arb_of(power)) / arb_of(power))
        return max(low, Fraction(0)), high

    return Enclosed(bracket)
