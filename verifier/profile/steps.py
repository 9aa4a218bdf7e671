"""The tail of the privacy loss as one exact object: P[loss > ε], a step function of e^ε.

A profile's points are (Q(S), P(S)) of the events S = "all outputs whose loss is above a level", so that the tail is
their second coordinate; the steps are at the profile's breakpoints, and the function is continuous from the right.
"""

from __future__ import annotations

from bisect import bisect_left, bisect_right
from collections.abc import Iterable
from dataclasses import dataclass
from fractions import Fraction
from typing import TYPE_CHECKING, Any

from verifier.numbers import INFINITY, ZERO, Delta, Epsilon, Order, compare, delta_bound, exact_text, log_epsilon
from verifier.numbers import epsilon as read_epsilon
from verifier.profile.profile import Profile


@dataclass(frozen=True, slots=True)
class Steps:
    """The tail P[loss > ε] of the privacy loss for ε ≥ 0 in nats, exactly; equal functions are equal objects.

    `values[0]` holds from ε = 0 on, `values[k + 1]` from e^ε = `breakpoints[k]` on; they decrease strictly.

    >>> from verifier.profile import profile_of
    >>> tail = Steps.of(profile_of([3, 1], [1, 3]))  # randomized response with 3/4
    >>> tail.delta("ln(2)"), tail.delta("ln(3)"), tail.epsilon("1/2")
    (<Delta 3/4>, <Delta 0>, <Epsilon ln(3)>)
    """

    breakpoints: tuple[Fraction, ...]
    values: tuple[Fraction, ...]

    @classmethod
    def of(cls, profile: Profile) -> Steps:
        """The tail of the privacy loss of one pair of laws, or of an average of pairs, from its profile."""
        values = tuple(Fraction(p, profile.denominator) for _, p in reversed(profile.points))
        return cls(profile.breakpoints, values)

    @property
    def segments(self) -> tuple[tuple[Epsilon, Fraction, Fraction], ...]:
        """The pieces (ε, A, 0) of the function: δ = A from this ε on, up to the ε of the next piece."""
        starts = [ZERO, *(log_epsilon(e) for e in self.breakpoints)]
        return tuple((start, value, Fraction(0)) for start, value in zip(starts, self.values, strict=True))

    def __repr__(self) -> str:
        pieces = [f"{exact_text(value, 20)} from ε = {start.text(20)}" for start, value, _ in self.segments[:3]]
        return f"<Steps δ = {', '.join(pieces)}{', …' if len(self.values) > 3 else ''}>"

    def delta(self, epsilon: object) -> Delta:
        """P[loss > ε]; at ε = ∞ the mass of the outputs that only P can produce."""
        return Delta.of(self._at(read_epsilon(epsilon, "epsilon")), Fraction(0), read_epsilon(epsilon, "epsilon"))

    def __call__(self, epsilon: object) -> Delta:
        """P[loss > ε], as `delta` says."""
        return self.delta(epsilon)

    def _at(self, epsilon: Epsilon) -> Fraction:
        if epsilon.is_infinite:
            return self.values[-1]
        return self.values[bisect_left(self.breakpoints, True, key=lambda e: _above(e, epsilon))]

    def epsilon(self, delta: object) -> Epsilon:
        """The smallest ε ≥ 0 at which P[loss > ε] ≤ `delta`: a breakpoint, 0, or inf where none is enough."""
        level = delta_bound(delta)
        if self.values[-1] > level:
            return INFINITY
        enough = next(k for k, value in enumerate(self.values) if value <= level)
        return ZERO if enough == 0 else log_epsilon(self.breakpoints[enough - 1])

    if TYPE_CHECKING:  # `verifier.show.on_demand` gives it, since this room comes before that one

        def plot(self, *, epsilon: object = None, delta: object = None, name: str = ...) -> Any:
            """Draw the curve, with `.save(path)`; ε and δ mark a point."""

    @property
    def is_zero(self) -> bool:
        """Whether no loss is above 0: the two laws are equal."""
        return self.values[0] == 0


def _above(value: Fraction, epsilon: Epsilon) -> bool:
    return compare(value, Fraction(1), epsilon).settled() is Order.GREATER


def highest(curves: Iterable[Steps]) -> Steps:
    """The pointwise maximum of several tails: that of the worst comparison at each ε.

    >>> from verifier.profile import profile_of
    >>> highest([Steps.of(profile_of([3, 1], [1, 3])), Steps.of(profile_of([1, 1], [0, 2]))]).values
    (Fraction(3, 4), Fraction(1, 2))
    """
    curves = list(curves)
    bends = sorted({e for curve in curves for e in curve.breakpoints})
    values = [max(curve.values[bisect_right(curve.breakpoints, e)] for curve in curves) for e in [Fraction(1), *bends]]
    kept = [k for k in range(len(values)) if k == 0 or values[k] < values[k - 1]]
    return Steps(tuple(bends[k - 1] for k in kept if k), tuple(values[k] for k in kept))
