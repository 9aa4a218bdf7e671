"""DMKB20, Figure 4: the ε and δ of Theorem 4 without known records, beside the exact δ."""

from __future__ import annotations

from collections.abc import Callable
from fractions import Fraction
from math import comb
from typing import Any

from verifier.numbers import arb_of
from verifier.wings.papers.bounds.levels import binomial_law, delta_at
from verifier.wings.papers.bounds.real import Real, ball
from verifier.wings.papers.figures.figure import Axis, Figure, Panel, Series, Value, numbers, steps

RARE = Fraction(1, 200)
EPSILON, DELTA = "Theorem 4, ε", "Theorem 4, δ"
AT_ZERO = "exact δ at ε = 0, worst pᵢ"


def mass(n: int, p: Fraction, s: int) -> Any:
    """The binomial probability f(s, n, p) as an Arb ball."""
    return arb_of(Fraction(comb(n, s))) * arb_of(p) ** s * arb_of(1 - p) ** (n - s)


def ratio(n: int, p: Fraction, threshold: int) -> Fraction | None:
    """The number r = p(n - 1)/((1 - p)·T) of Theorem 4; None where it is not below 1."""
    r = p * (n - 1) / ((1 - p) * threshold)
    return r if r < 1 else None


def claimed_delta(n: int, p: Fraction, threshold: int) -> Value:
    """The claimed δ = f(T, n - 1, p)/(1 - r) (DMKB20, Theorem 4); None where r is not below 1."""
    r = ratio(n, p, threshold)
    return None if r is None else ball(lambda: mass(n - 1, p, threshold) / arb_of(1 - r))


def claimed_epsilon(n: int, p: Fraction, threshold: int) -> Value:
    """The claimed ε = ln(1/(1 - δ)), in nats (DMKB20, Theorem 4); None where δ is not below 1."""
    delta = claimed_delta(n, p, threshold)
    if not isinstance(delta, Real) or Real.of(1).at_least(delta) is not True:
        return None
    return delta.through(lambda bound: 1 / (1 - bound), falling=False).log()


def panel(n: int, grid: tuple[Fraction, ...], few: tuple[Fraction, ...]) -> Panel:
    """The panel of Theorem 4 for n records: ε and δ against the threshold T."""
    law = binomial_law(n - 1, RARE)

    def at_threshold(value: Callable[[int, Fraction, int], Value]) -> Callable[[Fraction], Value]:
        return lambda threshold: value(n, RARE, int(threshold))

    return Panel(
        f"n = {n:,}, so that pn = {int(RARE * n)}",
        grid,
        few,
        (
            Series(EPSILON, "printed", at_threshold(claimed_epsilon), 1),
            Series(DELTA, "printed", at_threshold(claimed_delta)),
            Series(AT_ZERO, "exact", lambda threshold: delta_at(law, Fraction(0), int(threshold)), 5),
        ),
        ((DELTA, AT_ZERO),),
    )


WHERE = (
    "Theorem 4 has a value for T > p(n - 1)/(1 - p), and an ε where its δ is below 1; near pn the claimed δ is above 1."
)
SHARPER = (
    "Exact: the supremum over all p_i below p at ε = 0, which for T ≥ pn is f(T, n - 1, p). It is less than the "
    "claimed δ: neither the ε nor the factor 1/(1 - r) is needed (proofs/bounds.md)."
)
FIGURE_4 = Figure(
    "DMKB20",
    "4",
    "Thresholding: the ε and δ of Theorem 4, and the exact δ",
    "ε and δ of Theorem 4 against the threshold T, without known records.",
    "p = 1/200, |B| = 0; n = 1,000, 10,000 and 100,000",
    Axis("threshold T"),
    Axis("ε (nats), δ", "log"),
    (
        panel(1000, steps("6", "26", "1"), numbers("6 8 10 15 20")),
        panel(10_000, steps("51", "121", "5"), numbers("51 61 76 101")),
        panel(100_000, steps("510", "740", "10"), numbers("510 550 600 700")),
    ),
    (WHERE, SHARPER),
)
