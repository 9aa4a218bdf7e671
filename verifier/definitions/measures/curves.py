"""Measures of the privacy loss that are bounded by δ, as functions of ε.

A `CurveMeasure` gives a function δ(ε), and the definition asks that δ(ε) ≤ δ. A `Divergence` (`divergence.py`) gives
one number for two laws, of which the definition asks that it is at most ε; only a `ScalarWithDelta` depends on a δ. A
`Condition` is no number: it holds or not (docs/own-definitions.md).
"""

from __future__ import annotations

from bisect import bisect_right
from collections.abc import Iterable
from dataclasses import dataclass
from fractions import Fraction
from typing import Any, Protocol, TypeAlias

from verifier.definitions.measures.declared import DeclaredMeasure
from verifier.definitions.pairs import Sum
from verifier.numbers import INFINITY, ZERO, Epsilon, log_epsilon
from verifier.profile import Profile, Steps, highest, maximum

Curve: TypeAlias = Profile | Steps
"""δ as a function of ε."""


class Measure(Protocol):
    """The name, formula and source of a measure."""

    @property
    def key(self) -> str:
        """The name of the measure in answers and recipes."""

    @property
    def formula(self) -> str:
        """The formula that a definition bounds."""

    @property
    def source(self) -> str:
        """The paper that defines the measure, with the number of the definition."""


class CurveMeasure(Measure, Protocol):
    """A measure with a curve δ(ε), from the probabilities P and Q of the event S that the loss is above ε."""

    def of(self, line: Sum) -> Sum:
        """δ(ε) as A - B·e^ε, from the line P(S) - Q(S)·e^ε of the event."""

    def curve(self, profile: Profile) -> Curve:
        """δ as a function of ε, from the privacy profile."""

    def epsilon(self, profile: Profile, delta: Fraction) -> Epsilon:
        """The smallest ε ≥ 0 at which the curve of the profile is at most δ."""

    def worst(self, curves: Iterable[Curve]) -> Curve:
        """The pointwise maximum of curves of this measure."""

    def attained(self, closed: Sum, exp: Fraction, delta: Fraction) -> Any:
        """Whether every smaller ε gives more than δ, given that e^ε = `exp` > 1 gives at most δ.

        `closed` is of the outputs whose loss is at least ε: integers, or columns of them for many pairs at once.
        """


@dataclass(frozen=True)
class HockeyStick:
    """The hockey-stick divergence Σₒ max(0, P(o) - e^ε·Q(o)) (DMKB20, Definition 1 and Lemma 1).

    It is E[max(0, 1 - e^(ε - loss))] under P, and the least δ such that P(S) ≤ e^ε·Q(S) + δ for all sets of outputs S.
    """

    key: str = "hockey-stick"
    formula: str = "E[max(0, 1 - e^(ε - loss))]"
    source: str = "DMKB20, Definition 1 and Lemma 1"

    def of(self, line: Sum) -> Sum:
        """δ(ε) = P(S) - e^ε·Q(S)."""
        return line

    def curve(self, profile: Profile) -> Profile:
        """The privacy profile δ(ε)."""
        return profile

    def epsilon(self, profile: Profile, delta: Fraction) -> Epsilon:
        """The smallest ε ≥ 0 at which the privacy profile is at most δ."""
        return profile.epsilon(delta)

    def worst(self, curves: Iterable[Curve]) -> Profile:
        """The pointwise maximum of profiles, convex and piecewise linear in e^ε again."""
        return maximum(curve for curve in curves if isinstance(curve, Profile))

    def attained(self, closed: Sum, exp: Fraction, delta: Fraction) -> Any:
        """Whether the closed event has P - e^ε·Q = δ and Q > 0: then it exceeds δ at every smaller ε."""
        exceeds = closed.p * delta.denominator - closed.denominator * delta.numerator
        return (closed.q > 0) & (exceeds * exp.denominator == closed.q * exp.numerator * delta.denominator)


@dataclass(frozen=True)
class Tail:
    """P[loss > ε], the probability under P of the outputs with P(o) > e^ε·Q(o) (DMKB20, section 3.4).

    At least the hockey-stick divergence, since that counts each such output with a factor 1 - e^(ε - loss) below 1.
    """

    key: str = "tail"
    formula: str = "P[loss > ε]"
    source: str = "DMKB20, section 3.4: the mass of the privacy loss above ε; section 3.3 contrasts it with the mean"

    def of(self, line: Sum) -> Sum:
        """δ(ε) = P(S), without Q."""
        return Sum(line.p, 0, line.denominator)

    def curve(self, profile: Profile) -> Steps:
        """P[loss > ε], a step function of e^ε."""
        return Steps.of(profile)

    def epsilon(self, profile: Profile, delta: Fraction) -> Epsilon:
        """The smallest ε ≥ 0 with P[loss > ε] ≤ δ: 0, ∞, or the loss of some output; the other steps are not made."""
        level, points = delta * profile.denominator, profile.points
        if points[0][1] > level:
            return INFINITY
        kept = bisect_right(points, level, key=lambda point: Fraction(int(point[1]))) - 1
        if kept == len(points) - 1:
            return ZERO
        (q1, p1), (q2, p2) = points[kept], points[kept + 1]
        return log_epsilon(Fraction(int(p2 - p1), int(q2 - q1)))

    def worst(self, curves: Iterable[Curve]) -> Steps:
        """The pointwise maximum of step functions, a step function again."""
        return highest(curve for curve in curves if isinstance(curve, Steps))

    def attained(self, closed: Sum, exp: Fraction, delta: Fraction) -> Any:  # noqa: ARG002
        """Whether P[loss ≥ ε] > δ: the outputs whose loss is exactly ε are too many."""
        return closed.p * delta.denominator > closed.denominator * delta.numerator


HOCKEY_STICK, TAIL = HockeyStick(), Tail()
CURVES: dict[str, CurveMeasure] = {measure.key: measure for measure in (HOCKEY_STICK, TAIL)}
"""The measures with a δ, by their names in recipes."""
WORST_SET = "Of all sets S of outputs, the worst has the outputs with P(o) > e^ε·Q(o)"
DECLARED_CURVES: tuple[DeclaredMeasure[CurveMeasure], ...] = (
    DeclaredMeasure(
        HOCKEY_STICK.key,
        HOCKEY_STICK.key,
        HOCKEY_STICK.formula,
        HOCKEY_STICK.source,
        lambda _setting: HOCKEY_STICK,
        words="δ(ε), the largest P[S] - e^ε·Q[S] over all sets S of outputs",
        made_finite=WORST_SET,
        has_delta=True,
    ),
    DeclaredMeasure(
        TAIL.key,
        TAIL.key,
        TAIL.formula,
        TAIL.source,
        lambda _setting: TAIL,
        words="δ(ε), the probability under P that the loss is above ε",
        made_finite="The loss of each output counts, and no set of outputs",
        has_delta=True,
    ),
)
"""The curves as entries name them."""
