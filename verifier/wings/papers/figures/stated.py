"""What the papers state, beside what it is: LQS12, Tables 1 and 2, cell by cell, and sentences about figures."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from fractions import Fraction
from itertools import pairwise
from math import factorial

from verifier.numbers import DIGITS, arb_of, epsilon
from verifier.wings.papers.bounds.levels import (
    binomial_law,
    blanket_tail,
    delta_at,
    enclosed,
    epsilon_at,
    printed_tail,
    repaired_tail,
    tail_at,
)
from verifier.wings.papers.bounds.real import Real, logarithm
from verifier.wings.papers.bounds.sampling import amplification
from verifier.wings.papers.figures import counting, noise, sampling, thresholding
from verifier.wings.papers.figures.figure import Value, smaller

SAYS = 4
"""Significant digits of a number in a sentence."""


@dataclass(frozen=True)
class Stated:
    """A number or a comparison of a paper: where, what, as stated, as it is, and whether they agree."""

    paper: str
    place: str
    what: str
    stated: str
    found: str
    agrees: str


def shown(value: Value, digits: int = SAYS) -> str:
    """A number as a text; a dash where there is none."""
    return "–" if value is None else value if isinstance(value, str) else value.decimal(digits)


def same(stated: str, value: Value) -> bool:
    """Whether a value, correctly rounded to the digits of a printed decimal, is that decimal.

    >>> same("2.50e-14", Real.of(Fraction(24988, 10**18))), same("0.159", Real.of(Fraction(1594, 10000)))
    (True, True)
    """
    if not isinstance(value, Real):
        return False
    digits = len(stated.partition("e")[0].replace(".", "").lstrip("0"))
    found = value.decimal(digits)
    return not found.endswith("?") and Fraction(found) == Fraction(stated)


def answer(*, agrees: bool) -> str:
    """In a table's word."""
    return "yes" if agrees else "no"


TABLE_1 = (
    ("ln(11)", "1", "11", "2.40", "1/100000", "0.00001"),
    ("ln(11)", "1/10", "2", "0.69", "1/100000", "0.000001"),
    ("ln(11)", "1/100", "1.1", "0.095", "1/100000", "0.0000001"),
    ("1", "1", "", "1", "0", ""),
    ("1", "1/10", "", "0.159", "0", ""),
    ("1", "1/100", "", "0.017", "0", ""),
)
"""ε and δ before sampling are those of the first row; then β, and e^ε, ε, δ as printed."""


def table_1() -> Iterator[Stated]:
    """LQS12, Table 1: what sampling makes of (ln 11, 10⁻⁵) and of (1, 0), by Theorem 1, which is exact."""
    for before, rate, factor, level, delta, shrunk in TABLE_1:
        start = {"beta-1": Fraction(1), "beta-2": Fraction(rate), "epsilon-1": epsilon(before)}
        claimed = amplification({**start, "delta-1": Fraction(delta)}, "printed")
        asked = f"({before}, {delta}), β = {shown(Real.of(Fraction(rate)))}"
        for name, printed, value in (
            ("e^ε", factor, claimed.exp),
            ("ε", level, claimed.epsilon),
            ("δ", shrunk, claimed.delta),
        ):
            if printed:
                found = shown(value, DIGITS)
                yield Stated(
                    "LQS12", "Table 1", f"{name} of {asked}", printed, found, answer(agrees=same(printed, value))
                )


LEVELS = ("1/4", "1/2", "3/4", "1", "3/2", "2")
TABLE_2 = {
    "1/20": "6.83e-10 2.50e-14 3.19e-17 1.76e-19 3.97e-22 2.00e-24",
    "1/10": "4.19e-06 1.61e-09 3.44e-12 4.07e-14 3.22e-16 1.89e-18",
    "1/5": "2.16e-03 8.02e-06 1.89e-07 6.03e-09 4.79e-11 1.59e-12",
}
"""δ for k = 20 as printed, by β and ε."""


@dataclass(frozen=True)
class Cell:
    """A cell of LQS12, Table 2: δ as printed, d(20, β, ε), and the exact δ."""

    rate: Fraction
    level: Fraction
    printed: str
    claimed: Value
    exact: Value

    @property
    def agrees(self) -> bool:
        """Whether the printed digits are those of d."""
        return same(self.printed, self.claimed)


def table_2() -> Iterator[Cell]:
    """LQS12, Table 2, cell by cell."""
    for rate, row in TABLE_2.items():
        for level, printed in zip(LEVELS, row.split(), strict=True):
            claimed, exact = sampling.both(20, Fraction(rate), Fraction(level))
            yield Cell(Fraction(rate), Fraction(level), printed, claimed, exact)


def stated() -> Iterator[Stated]:
    """Sentences and captions about the figures, and numbers in the text."""
    yield from _figure_2()
    yield from _figure_4()
    yield from _figure_5()
    yield from _sampled()


def _figure_2() -> Iterator[Stated]:
    share, paper = counting.SHARE, "DMKB20"
    yield Stated(
        paper, "Figure 2", "the numbers of records", "100 and 10,000 (caption)", "10³ and 10⁵ (section 4.1)", "no"
    )
    least = Real.of(27 / (share * 99))
    yield Stated(
        paper,
        "Figure 2, left",
        "the closed form, n = 100, λ = 1/20",
        "compared with Proposition 7",
        f"no value: ε would be at least 27/(λ(n - 1)) = {shown(least)}, above 1",
        "no",
    )
    size, level = 10_000, Fraction(1, 5)
    closed = counting.closed_form(size, share, level)
    tails = [tail_at(make(size, share), level) for make in (printed_tail, repaired_tail, blanket_tail)]
    exact = delta_at(binomial_law(size - 1, share), level)
    yield Stated(
        paper,
        "section 4.1",
        "closed form against numerical form, n = 10,000, ε = 0.2",
        "better by several orders of magnitude",
        f"δ = {shown(closed)} against {shown(tails[0])} (2λ), {shown(tails[1])} (repaired), {shown(tails[2])} (sharper)"
        f", {shown(exact)} (exact, all p_i = λ)",
        "yes",
    )
    for size, level in ((100, Fraction(1, 10)), (10_000, Fraction(1, 100))):
        tail, exact = tail_at(printed_tail(size, share), level), delta_at(binomial_law(size - 1, share), level)
        yield Stated(
            paper,
            "section 4.1",
            f"Theorem 3 at ε = 1/√n, n = {size:,}",
            "δ = Θ(1)",
            f"{shown(tail)} claimed (e^ε, 2λ); {shown(exact)} exact, all p_i = λ",
            "yes",
        )


def _figure_4() -> Iterator[Stated]:
    p, paper = thresholding.RARE, "DMKB20"
    for size, threshold in ((1000, 6), (1000, 10), (10_000, 100), (100_000, 1000)):
        level, delta = (
            value(size, p, threshold) for value in (thresholding.claimed_epsilon, thresholding.claimed_delta)
        )
        ratio = level.over(delta) if isinstance(level, Real) and isinstance(delta, Real) else None
        yield Stated(
            paper,
            "Figure 4",
            f"ε and δ of Theorem 4, n = {size:,}, T = {threshold}",
            "very close for T above pn",
            f"ε = {shown(level)}, δ = {shown(delta)}",
            answer(agrees=smaller(ratio, Real.of(Fraction(11, 10)))),
        )
    size, threshold = 1000, 10
    delta = thresholding.claimed_delta(size, p, threshold)
    rest = 1 - (thresholding.ratio(size, p, threshold) or Fraction(0))
    mass = enclosed(lambda _: (-arb_of(p * size)).exp() * arb_of((p * size) ** threshold / factorial(threshold)))
    for what, divisor in (("(1 - r)·T!", rest), ("(1 - r)^T·T!", rest**threshold)):
        value = mass.over(Real.of(divisor))
        agrees = not smaller(value, delta) and smaller(value, Real.of(Fraction(1, 20)))
        yield Stated(
            paper,
            "Theorem 4",
            f"Poisson form with {what}, n = 1,000, T = 10",
            f"≈ δ = {shown(delta)}",
            shown(value),
            answer(agrees=agrees),
        )


def _figure_5() -> Iterator[Stated]:
    half = Real.of(Fraction(1, 2))
    known = next(
        k
        for k in range(74_000, 75_000)
        if not smaller(noise.closed_epsilon(noise.RECORDS - k, counting.SHARE, noise.SMALL), half)
    )
    exact = [epsilon_at(noise.unknown_law(noise.RECORDS - k), noise.SMALL) for k in (EXACT_HALF - 1, EXACT_HALF)]
    there = smaller(exact[0], half) and not smaller(exact[1], half)
    yield Stated(
        "DMKB20",
        "Figure 5",
        "where the noise's ε = 1/2 takes over",
        "when |B| gets close to n",
        f"closed form: |B| = {known:,}; exact without noise: {f'|B| = {EXACT_HALF:,}' if there else 'elsewhere'}",
        "yes",
    )


EXACT_HALF = 96_286
"""The first |B| at which the exact ε without noise is above 1/2."""


def _sampled() -> Iterator[Stated]:
    paper = "LQS12"
    claimed = amplification(
        {"beta-1": Fraction(1), "beta-2": Fraction(1, 10), "epsilon-1": epsilon("ln(2)")}, "printed"
    )
    yield Stated(
        paper,
        "section 1",
        "ε = ln 2 ≈ 0.69 sampled at β = 0.1",
        "0.095",
        shown(claimed.epsilon, DIGITS),
        answer(agrees=same("0.095", claimed.epsilon) and same("0.69", logarithm(Fraction(2)))),
    )
    at_two = {k: sampling.both(k, Fraction(1, 5), Fraction(2))[0] for k in (10, 20, 30, 40, 50)}
    for k in (10, 20, 30, 40):
        first, second = at_two[k], at_two[k + 10]
        ratio = second.over(first) if isinstance(first, Real) and isinstance(second, Real) else None
        yield Stated(
            paper,
            "Figure 2",
            f"δ from k = {k} to {k + 10}, ε = 2, β = 0.2",
            "roughly 10⁻⁵ times",
            f"{shown(first)} to {shown(second)}: {shown(ratio, 2)} times",
            answer(agrees=smaller(Real.of(Fraction(1, 10**6)), ratio) and smaller(ratio, Real.of(Fraction(1, 10**4)))),
        )
    for level in ("11/20", "1", "2"):
        deltas = [
            sampling.both(k, rate, Fraction(level))[0]
            for k, rate in zip((15, 22, 35, 60), map(Fraction, ("1/20", "1/10", "1/5", "2/5")), strict=True)
        ]
        spread = _spread(deltas)
        yield Stated(
            paper,
            "Figure 4",
            f"δ of (15, 0.05), (22, 0.1), (35, 0.2), (60, 0.4) at ε = {shown(Real.of(Fraction(level)))}",
            "similar",
            f"{', '.join(shown(one, 3) for one in deltas)}: up to {shown(spread, 2)} times",
            answer(agrees=smaller(spread, Real.of(10))),
        )
    for level in ("1/4", "1", "2"):
        delta = sampling.both(1, Fraction(1, 40), Fraction(level))[0]
        yield Stated(
            paper,
            "Figure 5",
            f"k = 1, β = 0.025, ε = {shown(Real.of(Fraction(level)))}",
            "δ < β",
            f"δ = {shown(delta)}",
            answer(agrees=smaller(delta, Real.of(Fraction(1, 40)))),
        )
    for k in (2, 3, 4, 5):
        delta = sampling.both(k, Fraction(1, 40), Fraction(2))[0]
        agrees = smaller(delta, Real.of(Fraction(1, 1000)))
        yield Stated(
            paper,
            "Figure 5",
            f"k = {k}, β = 0.025, ε = 2",
            "δ < 0.001",
            f"δ = {shown(delta, DIGITS)}",
            answer(agrees=agrees),
        )
    for rate in map(Fraction, ("1/20", "1/10", "1/5")):
        found = [sampling.claimed_epsilon(rate, Fraction(k)) for k in (10, 20, 40, 60)]
        yield Stated(
            paper,
            "Figure 6",
            f"ε at δ ≤ 10⁻⁶, β = {sampling.rate_text(rate)}, k = 10, 20, 40, 60",
            "smaller for larger k",
            ", ".join(map(shown, found)),
            answer(agrees=all(smaller(b, a) for a, b in pairwise(found))),
        )


def _spread(found: list[Value]) -> Value:
    """The largest over the smallest."""
    known = [one for one in found if isinstance(one, Real)]
    best = worst = known[0]
    for one in known:
        best, worst = (one if smaller(one, best) else best), (one if smaller(worst, one) else worst)
    return worst.over(best)
