"""The smallest ε at a δ for groups of equal tuples under sampling: LQS12, Theorem 3.9, the other way round.

T(n, j) is P[X ≥ j] for a binomial X with n trials and success β. For e^ε ≥ 1/(1 - β), the least that the theorem
admits, γ = (e^ε - 1 + β)/e^ε is at least β(2 - β), and groups of n tuples matter only while
exp(-2n(γ - β)²) > δ (Hoeffding). So finitely many n, j say it all.
"""

from __future__ import annotations

from dataclasses import dataclass
from fractions import Fraction
from itertools import accumulate
from typing import Any

from verifier.numbers import arb_of
from verifier.wings.papers.bounds.large import SPARE, tiny
from verifier.wings.papers.bounds.levels import Infinite
from verifier.wings.papers.bounds.real import Real, ball, logarithm
from verifier.wings.papers.bounds.sampling import upper_tail

BITS = 192


@dataclass(frozen=True)
class GroupBounds:
    """The smallest ε at one δ and sampling rate β, for each k = 1, 2, …: as γ of the printed bound, and as exact e^ε.

    γ and e^ε are None where no finite ε is enough; γ = 1 - (1 - β)/e^ε.
    """

    rate: Fraction
    gammas: tuple[Fraction | None, ...]
    factors: tuple[Any, ...]

    def printed(self, k: int) -> Real | Infinite:
        """The smallest ε, in nats, with d(k, β, ε) ≤ δ and ε ≥ -ln(1 - β): an exact logarithm."""
        gamma = self.gammas[k - 1]
        return "inf" if gamma is None else logarithm((1 - self.rate) / (1 - gamma))

    def exact(self, k: int) -> Real | Infinite:
        """The smallest ε ≥ -ln(1 - β), in nats, at which the exact δ of every group of equal tuples is at most δ."""
        factor = self.factors[k - 1]
        if factor is None or isinstance(factor, Fraction):
            return "inf" if factor is None else logarithm(factor)
        return ball(factor.log)


def groups(rate: Fraction, delta: Fraction, most: int) -> GroupBounds:
    """The smallest ε, printed and exact, for k = 1, …, `most` at sampling rate β = `rate` and at δ = `delta` > 0.

    >>> bound = groups(Fraction(1, 5), Fraction(1, 1000), 6)
    >>> bound.gammas[3], bound.gammas[4], bound.printed(5).decimal(6), bound.exact(5).decimal(6)
    (None, Fraction(5, 6), '1.56862', '0.830733')
    """
    from flint import ctx

    floor = rate * (2 - rate)
    with ctx.workprec(BITS + SPARE):
        width = -arb_of(delta).log() / arb_of(2 * (floor - rate) ** 2)
        stop = int(width.ceil().unique_fmpz()) + 1
        heights, factors = _walk(rate, delta, stop)
    gammas: list[Fraction | None] = []
    gamma: Fraction | None = floor
    best: Any = 1 / (1 - rate)
    exact_factors: list[Any] = []
    for first in range(max(most, *heights, 1), 0, -1):
        if first in heights:
            level = Fraction(first, heights[first] + 1)
            gamma = None if gamma is None or level == 1 else max(gamma, level)
            best = _larger(best, factors[first])
        if first <= most:
            gammas.append(gamma)
            exact_factors.append(best)
    return GroupBounds(rate, tuple(gammas[::-1]), tuple(exact_factors[::-1]))


def _larger(first: Any, second: Any) -> Any:
    """The larger e^ε; None is infinite."""
    if first is None or second is None:
        return None
    balls = [arb_of(value) if isinstance(value, Fraction) else value for value in (first, second)]
    if balls[0] >= balls[1]:
        return first
    return second if balls[1] >= balls[0] else balls[0].max(balls[1])


def _walk(rate: Fraction, delta: Fraction, stop: int) -> tuple[dict[int, int], dict[int, Any]]:
    """For each j whose T(n, j) exceeds δ before `stop`: the largest n where it does not, and the e^ε that it needs."""
    beta, delta_ball, least, zero = arb_of(rate), arb_of(delta), tiny(BITS), arb_of(Fraction(0))
    law, lost = [arb_of(Fraction(1))], zero  # of n = 0; what is lost lies above what is kept
    before = [arb_of(Fraction(1))]  # T(n - 1, ·)
    heights: dict[int, int] = {}
    factors: dict[int, Any] = {}
    for n in range(1, stop + 1):
        law = [a * (1 - beta) + b * beta for a, b in zip([*law, zero], [zero, *law], strict=True)]
        while len(law) > n // 2 + 2 and law[-1] < least:
            lost += law.pop()
        tails = list(accumulate(reversed(law), initial=zero.union(lost)))[:0:-1]
        for first in range(1, len(tails)):
            above = tails[first] > delta_ball
            if not above and (tails[first] <= delta_ball or upper_tail(n, rate, first) <= delta):
                break
            heights.setdefault(first, n - 1)
            value = (tails[first] - delta_ball) / before[first] if first < len(before) else None
            factors[first] = _larger(factors.get(first, Fraction(1)), value)
        before = tails
    return heights, factors
