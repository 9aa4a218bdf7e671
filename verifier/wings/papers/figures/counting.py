"""DMKB20, Figures 2 and 3: Theorem 3 and Proposition 7, beside the exact δ and ε of a count."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from fractions import Fraction
from functools import cache, partial
from typing import Any

from verifier.numbers import Order, arb_of, epsilon
from verifier.wings.papers.bounds.counting import normal_error, normal_rest
from verifier.wings.papers.bounds.levels import (
    TAILS,
    Law,
    Tail,
    binomial_law,
    delta_at,
    epsilon_at,
    least_level,
    literal_at,
    sum_law,
    tail_at,
)
from verifier.wings.papers.bounds.real import ball, exponential
from verifier.wings.papers.figures.figure import Axis, Figure, Kind, Panel, Series, Value, numbers, steps

SHARE = Fraction(1, 20)
FEW_RECORDS = 100
"""Largest number of records for which the worst of all vertices, and of all targets, is computed."""
LITERAL, PRINTED = "Theorem 3, P[X/Y ≥ ε] as printed", "Theorem 3, P[X/Y ≥ e^ε], success 2λ"
CLOSED, REPAIRED = "Theorem 3, closed form", "Theorem 3 repaired, P[X + 1 ≥ e^ε·Y]"
SHARPER = "sharper, E[max(0, 1 - e^ε·Y/(X + 1))]"
WORST, LOWEST = "exact, worst pᵢ", "exact, all pᵢ = λ"


def largest(several: Sequence[Value]) -> Value:
    """The largest of several values, where `inf` is above every number; None only where all are missing."""
    best = several[0]
    for value in several[1:]:
        if best == "inf" or value is None:
            continue
        if best is None or value == "inf" or value.order(best) is Order.GREATER:
            best = value
    return best


@cache
def vertices(n: int, share: Fraction) -> tuple[Law, ...]:
    """The laws of the other records' count where each p_i is λ or 1 - λ, one of each two that mirror each other.

    λ is `share`. For more than `FEW_RECORDS` records it is only the law with all p_i = λ.
    """
    if n > FEW_RECORDS:
        return (binomial_law(n - 1, share),)

    return tuple(sum_law([share] * (n - 1 - up) + [1 - share] * up) for up in range((n - 1) // 2 + 1))


def closed_form(n: int, share: Fraction, level: Fraction) -> Value:
    """The smallest δ of Theorem 3's closed form at ε: exp(-ε²·λ(n - 1)/14), for 27/(λ(n - 1)) ≤ ε ≤ 1, else None."""
    size = share * (n - 1)
    if not 27 / size <= level <= 1:
        return None

    def formula() -> Any:
        return (-arb_of(level**2 * size / 14)).exp()

    return ball(formula)


def bounds(curves: Sequence[Callable[[Fraction], Value]]) -> list[Series]:
    """The series of the bounds of Theorem 3, one for each of `TAILS`."""
    looks: tuple[tuple[str, Kind, int], ...] = (
        (PRINTED, "printed", 0),
        (REPAIRED, "repaired", 3),
        (SHARPER, "repaired", 4),
    )
    return [Series(label, kind, curve, hue) for (label, kind, hue), curve in zip(looks, curves, strict=True)]


def theorem_3(n: int, share: Fraction, grid: tuple[Fraction, ...], few: tuple[Fraction, ...]) -> Panel:
    """The panel of Theorem 3 for n records, δ against ε: printed, closed, repaired and exact."""
    tails, exact = [make(n, share) for make in TAILS], WORST if n <= FEW_RECORDS else LOWEST
    return Panel(
        f"Theorem 3, n = {n:,}",
        grid,
        few,
        (
            Series(LITERAL, "printed", partial(literal_at, tails[0]), 6),
            Series(CLOSED, "printed", partial(closed_form, n, share), 1),
            *bounds([partial(tail_at, tail) for tail in tails]),
            Series(exact, "exact", _largest_of(partial(vertices, n, share)), 5),
        ),
        ((PRINTED, exact), (LITERAL, exact), (CLOSED, exact)),
    )


def spread(case: int, n: int) -> tuple[Fraction, ...]:
    """The p_i of a case of Proposition 7: in case 1 one at λ and the others 1/2, in case 2 evenly from λ to 1 - λ.

    >>> [str(p) for p in spread(2, 3)]
    ['1/5', '1/2', '4/5']
    """
    if case == 1:
        return (SHARE, *[Fraction(1, 2)] * (n - 1))
    return tuple(SHARE + (1 - 2 * SHARE) * Fraction(2 * i - 1, 2 * n) for i in range(1, n + 1))


@cache
def moments(case: int, n: int) -> tuple[Fraction, Fraction, Fraction]:
    """The averages over a case's p_i of p(1 - p), p(1 - p)|1 - 2p| and p(1 - p)(p² + (1 - p)²): μ₂, and μ₃ twice.

    The second is μ₃ as printed, the third the absolute third moment.
    """
    scale = 20 if case == 1 else 20 * n
    tops = [int(p * scale) for p in spread(case, n)]
    second = [a * (scale - a) for a in tops]
    printed = sum(m * abs(scale - 2 * a) for a, m in zip(tops, second, strict=True))
    absolute = sum(m * (scale**2 - 2 * m) for m in second)
    return Fraction(sum(second), n * scale**2), Fraction(printed, n * scale**3), Fraction(absolute, n * scale**4)


def normal(case: int, n: int, *, absolute: bool) -> Callable[[Fraction], Value]:
    """The δ of Proposition 7 as a function of ε, for 0 < ε ≤ 1, else None.

    It is as printed (μ₂^3, |1 - 2p|), or where `absolute` with μ₂^(3/2) and the absolute third moment.
    """

    def delta_at_level(level: Fraction) -> Value:
        if not 0 < level <= 1:
            return None
        mu2, mu3, third = moments(case, n)
        exp = exponential(epsilon(level))

        def formula() -> Any:
            power = Fraction(3, 2) if absolute else Fraction(3)
            error = normal_error(n, mu2, third if absolute else mu3, power, exp.arb())
            return error + normal_rest(n, mu2, arb_of(level))

        return ball(formula)

    return delta_at_level


@cache
def targets(case: int, n: int) -> tuple[Law, ...]:
    """The laws of the other records' count for each kind of target, up to symmetry.

    In case 2 with more than `FEW_RECORDS` records it is only the law for the middle target.
    """
    chances = spread(case, n)
    chosen = [0, 1] if case == 1 else list(range((n + 1) // 2)) if n <= FEW_RECORDS else [n // 2]

    return tuple(sum_law(chances[:i] + chances[i + 1 :]) for i in chosen)


TWO_CHANGES = "with the absolute third moment, and μ₂^(3/2)"
"""The two changes to Proposition 7: `absolute-moment` in `pkdp bound`."""


def proposition_7(n: int, grid: tuple[Fraction, ...], few: tuple[Fraction, ...]) -> Panel:
    """The panel of Proposition 7 for n records, δ against ε, for both cases of p_i."""
    series = []
    for case, hue in ((1, 3), (2, 0)):
        exact: Callable[[Fraction], Value] = _largest_of(partial(targets, case, n))
        series += [
            Series(f"case {case}: Proposition 7 as printed", "printed", normal(case, n, absolute=False), hue),
            Series(f"case {case}: {TWO_CHANGES}", "repaired", normal(case, n, absolute=True), hue),
            Series(f"case {case}: exact", "exact", exact, hue),
        ]
    below = tuple((f"case {case}: Proposition 7 as printed", f"case {case}: exact") for case in (1, 2))
    return Panel(f"Proposition 7, n = {n:,}", grid, few, tuple(series), below)


def _largest_of(laws: Callable[[], tuple[Law, ...]]) -> Callable[[Fraction], Value]:
    return lambda level: largest([delta_at(law, level) for law in laws()])


EPSILON, DELTA = Axis("ε (nats)"), Axis("δ", "log", Fraction(1, 10**20))
SPACED = (
    "Case 2: the paper does not say which p_i; here they are evenly spaced, p_i = λ + (1 - 2λ)(2i - 1)/(2n). "
    f"The exact δ is the largest over all targets for n = {FEW_RECORDS}; for more records that of the middle target."
)
VERTEX = (
    f"Exact: for n = {FEW_RECORDS} the supremum over all p_i between λ and 1 - λ (a vertex, proofs/bounds.md); for "
    "more records the model with all p_i at λ, so that the supremum is at least as large."
)
READ = (
    "The numerical form is drawn with X/Y ≥ ε, as it is printed, and with e^ε, which the closed form needs. Where it "
    "is less than the exact δ, the claim is false there (proofs/bounds.md)."
)
NEAR_HALF = (
    "X/Y ≥ e^ε; with X/Y ≥ ε as printed, the smallest ε is e to the power of the one drawn. Near λ = 1/2 both X and Y "
    "are n - 1 for certain, so that the claimed ε falls to 0; the exact one does not."
)


def figure_2(number: str, sizes: tuple[int, int], words: str, grids: tuple[str, str], fews: tuple[str, str]) -> Figure:
    """The figure with four panels, Theorem 3 and Proposition 7 for the two numbers of records `sizes`.

    Each size has its grid of ε, and the few of its points that the documents show; `words` says where the sizes stand.
    """
    sized_grids = [(n, numbers(grid), numbers(few)) for n, grid, few in zip(sizes, grids, fews, strict=True)]
    return Figure(
        "DMKB20",
        number,
        "Counting queries: Theorem 3 and Proposition 7, and the exact δ",
        "The (ε, δ) graphs of Theorem 3 and of Proposition 7 in two cases: 1, one p_i = λ, the others 1/2; 2, the p_i "
        "spread over [λ, 1 - λ].",
        f"λ = 1/20; n = {sizes[0]:,} and {sizes[1]:,}, {words}",
        EPSILON,
        DELTA,
        tuple(theorem_3(n, SHARE, grid, few) for n, grid, few in sized_grids)
        + tuple(proposition_7(n, grid, few) for n, grid, few in sized_grids),
        (VERTEX, READ, SPACED),
    )


def _grid(first: str, last: str, by: str) -> str:
    return " ".join(map(str, steps(first, last, by)))


FIGURE_2 = figure_2(
    "2",
    (100, 10_000),
    "as in the caption (the text of section 4.1 says 10³ and 10⁵: figure 2-text)",
    (_grid("0.1", "1.5", "0.1"), _grid("0.02", "0.36", "0.02")),
    ("0.1 0.5 0.8 1 1.5", "0.02 0.1 0.2 0.26 0.36"),
)
FIGURE_2_TEXT = figure_2(
    "2-text",
    (1000, 100_000),
    "as in the text of section 4.1 (the caption says 100 and 10,000: figure 2)",
    (_grid("0.05", "1", "0.05"), _grid("0.01", "0.12", "0.01")),
    ("0.1 0.5 0.7 1", "0.01 0.05 0.08 0.12"),
)


def ratios(n: int, grid: tuple[Fraction, ...], few: tuple[Fraction, ...]) -> Panel:
    """The panel of Theorem 3 for n records, the smallest ε (nats) at δ = 1/(100n) against λ."""
    delta = Fraction(1, 100 * n)
    exact = WORST if n <= FEW_RECORDS else LOWEST
    return Panel(
        f"n = {n:,}",
        grid,
        few,
        (
            *bounds([partial(_least, make, n, delta) for make in TAILS]),
            Series(exact, "exact", lambda share: largest([epsilon_at(law, delta) for law in vertices(n, share)]), 5),
        ),
        ((PRINTED, exact),),
    )


def _least(make: Callable[[int, Fraction], Tail], n: int, delta: Fraction, share: Fraction) -> Value:
    return least_level(make(n, share), delta)


SHARES = numbers("0.01 0.02 0.03 0.05 0.07 0.1 0.15 0.2 0.25 0.3 0.35 0.4 0.45 0.49")
FIGURE_3 = Figure(
    "DMKB20",
    "3",
    "Counting queries: the smallest ε at δ = 0.01/n, against λ",
    "The ε of the numerical form of Theorem 3 for a fixed δ, as λ grows.",
    "δ = 0.01/n; the paper does not say which n: here 100, 1,000 and 10,000",
    Axis("λ"),
    Axis("smallest ε (nats)", "log"),
    tuple(ratios(n, SHARES, numbers("0.01 0.05 0.2 0.4 0.49")) for n in (100, 1000, 10_000)),
    (
        VERTEX,
        NEAR_HALF,
    ),
)
