"""LQS12, Figures 2 to 6: the δ of Theorem 3.9, and the exact δ of sampling before a fixed recoding.

The smallest ε at a δ for groups of equal tuples under sampling: LQS12, Theorem 3.9, the other way round.

T(n, j) is P[X ≥ j] for a binomial X with n trials and success β. For e^ε ≥ 1/(1 - β), the least that the theorem
admits, γ = (e^ε - 1 + β)/e^ε is at least β(2 - β), and groups of n tuples matter only while
exp(-2n(γ - β)²) > δ (Hoeffding). So finitely many n, j say it all.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from fractions import Fraction
from functools import cache, partial
from itertools import accumulate
from typing import Any

from verifier.numbers import arb_of, epsilon
from verifier.wings.papers.bounds.levels import Infinite
from verifier.wings.papers.bounds.real import Real, ball, logarithm
from verifier.wings.papers.bounds.sampling import STRONGLY_SAFE, upper_tail
from verifier.wings.papers.figures.figure import Axis, Figure, Panel, Series, Value, numbers, steps

BITS, SPARE = 192, 64


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
    beta, delta_ball, least, zero = arb_of(rate), arb_of(delta), arb_of(Fraction(1, 1 << BITS)), arb_of(Fraction(0))
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


LARGER = (
    "A larger 1/δ is more private, so that the exact curve lies above the claimed one. Each curve begins at the first "
    "point of the grid with ε ≥ -ln(1 - β). The range of the paper's axes is not known."
)
GROUPS = "Exact: the largest δ over all groups of n equal tuples against n - 1 (proofs/bounds.md)."
FLOOR = (
    "No ε is below -ln(1 - β), which the theorem asks for: 0.0513, 0.1054 and 0.2231. Where β^k > 10⁻⁶ none is enough "
    "(inf): a group of k tuples is sampled whole with probability β^k."
)
HUES = (0, 3, 5, 2, 1)
"""The hues of the curves, one for each (k, β)."""


@cache
def printed_and_exact(k: int, rate: Fraction, level: Fraction) -> tuple[Value, Value]:
    """The δ = d(k, β, ε) of Theorem 3.9 and the exact δ at ε = `level` nats; both None for ε below -ln(1 - β)."""
    parameters = {"k": k, "beta": rate, "epsilon": epsilon(level)}
    claimed = STRONGLY_SAFE.evaluate(parameters, "printed")
    if claimed is None or claimed.delta is None or claimed.exp is None or STRONGLY_SAFE.worst is None:
        return None, None
    worst = STRONGLY_SAFE.worst
    return claimed.delta, claimed.exp.through(lambda factor: worst(parameters, factor)[0], falling=True)


def inverse(k: int, rate: Fraction, side: int, level: Fraction) -> Value:
    """The value 1/δ that the figures show, printed (side 0) or exact (side 1); None for ε below -ln(1 - β)."""
    delta = printed_and_exact(k, rate, level)[side]
    return Real.of(1).over(delta) if isinstance(delta, Real) else None


def rate_text(rate: Fraction) -> str:
    """The sampling rate β as the paper writes it, a decimal.

    >>> rate_text(Fraction(1, 40))
    '0.025'
    """
    return Real.of(rate).decimal(6)


def curves(
    figure: str, title: str, shows: str, pairs: tuple[tuple[int, Fraction], ...], last: str, few: str, *more: str
) -> Figure:
    """The figure of 1/δ against ε for several (k, β), printed and exact; each from the first grid ε ≥ -ln(1 - β) on.

    The grid ends at ε = `last`; `few` are the points that the documents show, and `more` are further notes.
    """
    series = []
    for hue, (k, rate) in zip(HUES, pairs, strict=False):
        name = f"k = {k}, β = {rate_text(rate)}"
        series += [
            Series(f"{name}: Theorem 3.9", "printed", partial(inverse, k, rate, 0), hue),
            Series(f"{name}: exact", "exact", partial(inverse, k, rate, 1), hue),
        ]
    return Figure(
        "LQS12",
        figure,
        title,
        shows,
        f"(k, β) = {', '.join(f'({k}, {rate_text(rate)})' for k, rate in pairs)}",
        Axis("ε (nats)"),
        Axis("1/δ", "log"),
        (Panel("", (*steps("0.25", "1", "0.05"), *steps("1.1", last, "0.1")), numbers(few), tuple(series)),),
        (LARGER, GROUPS, *more),
    )


def _with(rate: str, sizes: str) -> tuple[tuple[int, Fraction], ...]:
    return tuple((int(k), Fraction(rate)) for k in sizes.split())


FIGURE_2 = curves(
    "2",
    "Sampling and k-anonymity: 1/δ against ε for several k",
    "1/δ of Theorem 3.9 against ε, for k = 5 to 50 at a fixed sampling rate.",
    _with("0.2", "5 10 20 30 50"),
    "3",
    "0.25 0.5 1 2 3",
)
FIGURE_3 = curves(
    "3",
    "Sampling and k-anonymity: 1/δ against ε for several sampling rates",
    "1/δ of Theorem 3.9 against ε, for β = 0.05 to 0.4 at k = 20.",
    tuple((20, rate) for rate in numbers("0.05 0.1 0.2 0.3 0.4")),
    "3",
    "0.25 0.5 1 2 3",
)
FIGURE_4 = curves(
    "4",
    "Sampling and k-anonymity: larger k for larger sampling rates",
    "1/δ of Theorem 3.9 for four pairs (k, β) that the paper calls similar.",
    tuple(zip((15, 22, 35, 60), numbers("0.05 0.1 0.2 0.4"), strict=True)),
    "3",
    "0.25 0.55 1 2 3",
)
FIGURE_5 = curves(
    "5",
    "Sampling and k-anonymity: 1/δ against ε for very small k",
    "1/δ of Theorem 3.9 against ε, for k = 1 to 5 at β = 0.025.",
    _with("0.025", "1 2 3 4 5"),
    "3",
    "0.25 0.5 1 2 3",
    "For k = 1 the claimed δ is never below β = 1/40 (1/δ = 40), so that Definition 3, which asks δ < β, is never met.",
)

MOST, SMALL = 60, Fraction(1, 10**6)


@cache
def group_epsilons(rate: Fraction) -> GroupBounds:
    """The smallest ε (nats) at δ = 10⁻⁶, printed and exact, for k up to 60 and sampling rate β = `rate`."""
    return groups(rate, SMALL, MOST)


def _of_size(rate: Fraction, value: Callable[[GroupBounds, int], Value]) -> Callable[[Fraction], Value]:
    """A value of the bounds at a sampling rate, against k; they are computed when the first point is asked for."""
    return lambda k: value(group_epsilons(rate), int(k))


def _sixth() -> Figure:
    series = []
    for hue, rate in zip(HUES, numbers("0.05 0.1 0.2"), strict=False):
        series += [
            Series(f"β = {rate_text(rate)}: Theorem 3.9", "printed", _of_size(rate, GroupBounds.printed), hue),
            Series(f"β = {rate_text(rate)}: exact", "exact", _of_size(rate, GroupBounds.exact), hue),
        ]
    grid = (*steps("5", "30", "1"), *steps("32", str(MOST), "2"))
    return Figure(
        "LQS12",
        "6",
        "Sampling and k-anonymity: smallest ε at δ ≤ 10⁻⁶ against k",
        "The ε that Theorem 3.9 gives for a fixed δ, against k, for three sampling rates.",
        "δ ≤ 10⁻⁶; β = 0.05, 0.1, 0.2; k = 5 to 60 (the paper's range of k is not said)",
        Axis("k"),
        Axis("smallest ε (nats)", "log"),
        (Panel("", grid, numbers("5 6 9 10 20 30 50 60"), tuple(series)),),
        (FLOOR,),
    )


FIGURE_6 = _sixth()
