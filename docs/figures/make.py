"""The figures and tables of DMKB20 and LQS12: `python docs/figures/make.py` makes `docs/figures.md` and the drawings.

It also makes those of rules of publication, for `docs/for-disclosure-control.md`.

What is exact is asked of `pk.check`, what a theorem promises of `pkdp claims --bound`, and `sums.py` adds up what they
do not take. A number is written only where its bounds round alike. Floats place ink. With `--check` nothing is written:
the exit status is 1 where a file differs.
"""

from __future__ import annotations

import sys
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from fractions import Fraction
from functools import cache, partial
from itertools import groupby
from pathlib import Path
from typing import Any

HERE = Path(__file__).parent
sys.path.insert(0, str(HERE))

from sums import (  # noqa: E402
    DIGITS,
    FEW,
    Chances,
    Value,
    e_to,
    ends_of,
    exact,
    falling,
    group_levels,
    half_lines,
    largest,
    law,
    least,
    printed_tail,
    repaired_tail,
    smaller,
    text,
    vertices,
    with_laplace,
    with_noise,
)  # fmt: skip

import pkdp as pk  # noqa: E402
from verifier.numbers import arb_of, ball_ends, decimal_of  # noqa: E402
from verifier.show.frame import Drawing  # noqa: E402
from verifier.show.lines import Axes, Line, LinePiece, lines_drawing  # noqa: E402
from verifier.show.plots import Stroke  # noqa: E402
from verifier.show.rules import rule_drawing  # noqa: E402
from verifier.show.sheet import Sheet  # noqa: E402
from verifier.wings.papers.bounds.assess import CLAIMS  # noqa: E402
from verifier.wings.papers.bounds.counting import normal_error, normal_rest  # noqa: E402

Curve = Callable[[Fraction], Value]

# --- what the papers draw --------------------------------------------------------------------------------------------


@dataclass(frozen=True)
class Series:
    """A curve: `printed` as the paper states it, `repaired` as it holds, or `exact`; `hue` chooses its colour."""

    label: str
    kind: str
    at: Curve
    hue: int = 0


@dataclass(frozen=True)
class Panel:
    """Curves over a grid, of which the tables show a `few` points.

    `below` names pairs (printed, exact): where the first is less than the second, the claim is false.
    """

    title: str
    grid: Sequence[Fraction]
    few: Sequence[Fraction]
    series: Sequence[Series]
    below: Sequence[tuple[str, str]] = ()


@dataclass(frozen=True)
class Figure:
    """A figure of a paper: what it shows, its axes, its panels and notes; below `floor` nothing is drawn."""

    name: str
    title: str
    shows: str
    x: str
    y: str
    panels: Sequence[Panel]
    notes: Sequence[str]
    logarithmic: bool = True
    floor: Fraction = Fraction(0)


def steps(first: str, last: str, by: str) -> tuple[Fraction, ...]:
    """The numbers first, first + by, … up to the last."""
    low, high, width = map(Fraction, (first, last, by))
    return tuple(low + k * width for k in range(int((high - low) / width) + 1))


def numbers(listed: str) -> tuple[Fraction, ...]:
    """The numbers of a text, separated by spaces."""
    return tuple(map(Fraction, listed.split()))


def claimed(key: str, quantity: str, reading: str, **given: object) -> Value:
    """The ε or δ that a reading of a theorem promises; None where it promises none."""
    bound = CLAIMS[key].evaluate({name.replace("_", "-"): value for name, value in given.items()}, reading)
    return (
        None
        if bound is None or (key != "lqs-theorem-1" and quantity == "epsilon" and bound.met is False)
        else ends_of(getattr(bound, quantity))
    )


SHARE = Fraction(1, 20)
LITERAL, PRINTED = "Theorem 3, P[X/Y ≥ ε] as printed", "Theorem 3, P[X/Y ≥ e^ε], success 2λ"
CLOSED, REPAIRED = "Theorem 3, closed form", "Theorem 3 repaired, P[X + 1 ≥ e^ε·Y]"
SHARPER = "sharper, E[max(0, 1 - e^ε·Y/(X + 1))]"
TAILS = (
    (PRINTED, "printed", 0, printed_tail),
    (REPAIRED, "repaired", 3, repaired_tail),
    (SHARPER, "repaired", 4, partial(repaired_tail, sharper=True)),
)


def exact_label(n: int) -> str:
    """What the exact curve of n records says."""
    return "exact, worst pᵢ" if n <= FEW else "exact, all pᵢ = λ"


def tails_of(n: int) -> list[Series]:
    """The bounds of Theorem 3 for n records."""
    return [Series(label, kind, partial(falling, partial(tail, n, SHARE)), hue) for label, kind, hue, tail in TAILS]


def closed_form(n: int, level: Fraction) -> Value:
    """The δ of Theorem 3's closed form at ε: exp(-ε²·λ(n - 1)/14), for 27/(λ(n - 1)) ≤ ε ≤ 1, else None."""
    size = SHARE * (n - 1)
    return ball_ends((-arb_of(level**2 * size / 14)).exp()) if 27 / size <= level <= 1 else None


def theorem_3(n: int, grid: Sequence[Fraction], few: str) -> Panel:
    """The panel of Theorem 3 for n records, δ against ε."""
    worst = exact_label(n)
    series = (
        Series(LITERAL, "printed", lambda level: ball_ends(printed_tail(n, SHARE, level)), 6),
        Series(CLOSED, "printed", partial(closed_form, n), 1),
        *tails_of(n),
        Series(worst, "exact", lambda level: vertices(n, SHARE, epsilon=level), 5),
    )
    below = [(label, worst) for label in (PRINTED, LITERAL, CLOSED)]
    return Panel(f"Theorem 3, n = {n:,}", grid, numbers(few), series, below)


@cache
def spread(case: int, n: int) -> tuple[Fraction, ...]:
    """The p_i of a case of Proposition 7: in case 1 one at λ and the others 1/2, in case 2 evenly from λ to 1 - λ."""
    if case == 1:
        return (SHARE, *[Fraction(1, 2)] * (n - 1))
    return tuple(SHARE + (1 - 2 * SHARE) * Fraction(2 * i - 1, 2 * n) for i in range(1, n + 1))


@cache
def moments(case: int, n: int) -> tuple[Fraction, Fraction, Fraction]:
    """The averages over a case's p_i of m = p(1 - p), of m·|1 - 2p|, μ₃ as printed, and of m(1 - 2m), absolute μ₃."""
    scale = 20 * n  # of which every p_i is a multiple
    tops = [int(p * scale) for p in spread(case, n)]
    products = [a * (scale - a) for a in tops]
    printed = sum(m * abs(scale - 2 * a) for a, m in zip(tops, products, strict=True))
    absolute = sum(m * (scale**2 - 2 * m) for m in products)
    return Fraction(sum(products), n * scale**2), Fraction(printed, n * scale**3), Fraction(absolute, n * scale**4)


@cache
def targets(case: int, n: int) -> tuple[Chances, ...]:
    """The other records of each kind of target, up to symmetry; of many different ones only those of the middle one."""
    if case == 1:
        return ((Fraction(1, 2), n - 1),), ((SHARE, 1), (Fraction(1, 2), n - 2))
    chances = [(p, 1) for p in spread(case, n)]
    return tuple(tuple(chances[:i] + chances[i + 1 :]) for i in (range(n // 2) if n <= FEW else [n // 2]))


def proposition_7(n: int, grid: Sequence[Fraction], few: str) -> Panel:
    """The panel of Proposition 7 for n records, δ against ε, for both cases of p_i."""

    def promised(case: int, level: Fraction, *, absolute: bool) -> Value:
        if level > 1:
            return None
        second, printed, third = moments(case, n)
        power, chosen = (Fraction(3, 2), third) if absolute else (Fraction(3), printed)
        error = normal_error(n, second, chosen, power, arb_of(level).exp())
        return ball_ends(error + normal_rest(n, second, arb_of(level)))

    def exactly(case: int, level: Fraction) -> Value:
        return largest(half_lines(law(others), level) for others in targets(case, n))

    series = [
        Series(f"case {case}: {label}", kind, at, hue)
        for case, hue in ((1, 3), (2, 0))
        for label, kind, at in (
            (
                "Proposition 7 as printed",
                "printed",
                partial(promised, case, absolute=False),
            ),
            (
                "with the absolute third moment, and μ₂^(3/2)",
                "repaired",
                partial(promised, case, absolute=True),
            ),
            ("exact", "exact", partial(exactly, case)),
        )
    ]
    below = [(f"case {case}: Proposition 7 as printed", f"case {case}: exact") for case in (1, 2)]
    return Panel(f"Proposition 7, n = {n:,}", grid, numbers(few), series, below)


VERTEX = (
    "Exact: for n = 100 the supremum over all p_i between λ and 1 - λ (a vertex, proofs/bounds.md); for more records "
    "the model with all p_i at λ, so that the supremum is at least as large."
)


def figure_2(number: str, words: str, *sizes: tuple[int, tuple[str, str, str], str]) -> Figure:
    """The figure with Theorem 3 and Proposition 7 for the numbers of records `sizes`, each with its grid of ε."""
    asked = [(n, steps(*grid), few) for n, grid, few in sizes]
    return Figure(
        f"DMKB20, Figure {number}",
        "Counting queries: Theorem 3 and Proposition 7, and the exact δ",
        f"The (ε, δ) graphs of Theorem 3 and of Proposition 7 in two cases: 1, one p_i = λ, the others 1/2; 2, the "
        f"p_i spread over [λ, 1 - λ]. Parameters: λ = 1/20; n = {' and '.join(f'{n:,}' for n, *_ in sizes)}, {words}.",
        "ε (nats)",
        "δ",
        [*(theorem_3(*each) for each in asked), *(proposition_7(*each) for each in asked)],
        (
            VERTEX,
            (
                "The numerical form is drawn with X/Y ≥ ε, as it is printed, and with e^ε, which the closed form "
                "needs. Where it is less than the exact δ, the claim is false there (proofs/bounds.md)."
            ),
            (
                "Case 2: the paper does not say which p_i; here they are evenly spaced, p_i = λ + (1 - 2λ)(2i - "
                "1)/(2n). The exact δ is the largest over all targets for n = 100; for more records that of the "
                "middle target."
            ),
        ),
        floor=Fraction(1, 10**20),
    )


def figure_3(n: int) -> Panel:
    """The panel of Figure 3 for n records, the smallest ε (nats) at δ = 1/(100n) against λ."""
    delta, worst = Fraction(1, 100 * n), exact_label(n)

    def at(tail: Callable[..., Any], share: Fraction) -> Value:
        return least(partial(tail, n, share), Fraction(n), delta)

    series = [Series(label, kind, partial(at, tail), hue) for label, kind, hue, tail in TAILS]
    series.append(Series(worst, "exact", lambda share: vertices(n, share, delta=delta), 5))
    shares = numbers("0.01 0.02 0.03 0.05 0.07 0.1 0.15 0.2 0.25 0.3 0.35 0.4 0.45 0.49")
    return Panel(f"n = {n:,}", shares, numbers("0.01 0.05 0.2 0.4 0.49"), series, ((PRINTED, worst),))


def figure_4(n: int, grid: Sequence[Fraction], few: str) -> Panel:
    """The panel of Theorem 4 for n records: ε and δ against the threshold T."""
    p = Fraction(1, 200)

    def promised(quantity: str, threshold: Fraction) -> Value:
        return claimed("theorem-4", quantity, "product", n=n, p=(p,), threshold=int(threshold))

    def at_zero(threshold: Fraction) -> Value:
        return exact(((p, n),), above=int(threshold), epsilon=Fraction(0))

    delta, truth = "Theorem 4, δ", "exact δ at ε = 0, worst pᵢ"
    series = (
        Series("Theorem 4, ε", "printed", partial(promised, "epsilon"), 1),
        Series(delta, "printed", partial(promised, "delta")),
        Series(truth, "exact", at_zero, 5),
    )
    return Panel(f"n = {n:,}, so that pn = {int(p * n)}", grid, numbers(few), series, ((delta, truth),))


def figure_5() -> Panel:
    """The panel of Figure 5: the smallest ε (nats) at δ = 10⁻¹⁰ against the number of known records."""
    small, scale = Fraction(1, 10**10), Fraction(2)

    def closed(known: Fraction) -> Value:
        return claimed(
            "theorem-3-closed", "epsilon", "printed", **{"n": 100_000 - int(known), "lambda": SHARE, "delta": small}
        )

    def capped(known: Fraction) -> Value:
        cap = (1 / scale, 1 / scale)
        return found if smaller(found := closed(known), cap) else cap

    names = "closed form, no noise", "closed form, or 1/2 from the noise", "exact, no noise", "exact, with the noise"
    series = (
        Series(names[0], "printed", closed),
        Series(names[1], "printed", capped, 3),
        Series(names[2], "exact", lambda known: exact(((SHARE, 100_000 - int(known)),), delta=small)),
        Series(names[3], "exact", lambda known: with_laplace(100_000 - int(known), SHARE, scale, small), 3),
    )
    grid = "92000 94000 95000 96000 97000 98000 98500 99000 99300 99500 99700 99900"
    few = numbers("0 50000 74000 75000 90000 95000 99000 99900")
    below = ((names[0], names[2]), (names[1], names[3]))
    return Panel("", sorted({*steps("0", "90000", "5000"), *few, *numbers(grid)}), few, series, below)


def figure_6() -> Panel:
    """The panel of Figure 6: δ against ε, without noise and with geometric noise."""
    n = 10_000
    series = [*tails_of(n), Series(exact_label(n), "exact", lambda level: vertices(n, SHARE, epsilon=level), 5)]
    series += [
        Series(f"exact, with noise p = {p}", "exact", partial(with_noise, n, SHARE, p), hue)
        for p, hue in ((Fraction(1, 2), 2), (Fraction(3, 4), 6))
    ]
    grid = [*steps("0.02", "0.28", "0.02"), *numbers("0.285 0.2875 0.3 0.32 0.34 0.36")]
    return Panel("", grid, numbers("0.02 0.1 0.2 0.28 0.3 0.36"), series, ((PRINTED, exact_label(n)),))


@cache
def sampled(k: int, rate: Fraction, level: Fraction) -> tuple[Value, Value]:
    """The δ = d(k, β, ε) of LQS12, Theorem 3.9, and the exact one; both None for ε below -ln(1 - β)."""
    theorem, given = CLAIMS["lqs-theorem-3.9"], {"k": k, "beta": rate, "epsilon": pk.epsilon(level)}
    bound = theorem.evaluate(given, "printed")
    if bound is None or bound.delta is None or theorem.worst is None:
        return None, None
    low, high = e_to(level)
    return ends_of(bound.delta), (theorem.worst(given, high)[0], theorem.worst(given, low)[0])


def inverse(k: int, rate: Fraction, side: int, level: Fraction) -> Value:
    """The value 1/δ that LQS12's figures show, printed (side 0) or exact (side 1)."""
    delta = sampled(k, rate, level)[side]
    return (1 / delta[1], 1 / delta[0]) if isinstance(delta, tuple) else None


HUES = (0, 3, 5, 2, 1)


def of_samples(number: str, title: str, shows: str, pairs: Sequence[tuple[int, str]], few: str, *more: str) -> Figure:
    """The figure of 1/δ against ε for several (k, β), printed and exact."""
    series = [
        Series(
            f"k = {k}, β = {rate}: {name}",
            kind,
            partial(inverse, k, Fraction(rate), side),
            hue,
        )
        for hue, (k, rate) in zip(HUES, pairs, strict=False)
        for side, (name, kind) in enumerate((("Theorem 3.9", "printed"), ("exact", "exact")))
    ]
    named = ", ".join(f"({k}, {rate})" for k, rate in pairs)
    grid = [*steps("0.25", "1", "0.05"), *steps("1.1", "3", "0.1")]
    return Figure(
        f"LQS12, Figure {number}",
        f"Sampling and k-anonymity: {title}",
        f"{shows} Parameters: (k, β) = {named}.",
        "ε (nats)",
        "1/δ",
        [Panel("", grid, numbers(few), series)],
        (
            (
                "A larger 1/δ is more private, so that the exact curve lies above the claimed one. Each curve begins "
                "at the first point of the grid with ε ≥ -ln(1 - β). The range of the paper's axes is not known."
            ),
            "Exact: the largest δ over all groups of n equal tuples against n - 1 (proofs/bounds.md).",
            *more,
        ),
    )


def groups() -> Panel:
    """The panel of LQS12, Figure 6: the smallest ε (nats) at δ ≤ 10⁻⁶ against k, for three sampling rates."""

    @cache
    def levels(rate: str) -> list[tuple[Value, Value]]:
        return group_levels(Fraction(rate), Fraction(1, 10**6), 60)

    def at(rate: str, side: int, k: Fraction) -> Value:
        return levels(rate)[int(k) - 1][side]

    series = [
        Series(f"β = {rate}: {name}", kind, partial(at, rate, side), hue)
        for hue, rate in zip(HUES, ("0.05", "0.1", "0.2"), strict=False)
        for side, (name, kind) in enumerate((("Theorem 3.9", "printed"), ("exact", "exact")))
    ]
    return Panel("", [*steps("5", "30", "1"), *steps("32", "60", "2")], numbers("5 6 9 10 20 30 50 60"), series)


FIGURES: tuple[Callable[[], Figure], ...] = (
    lambda: figure_2(
        "2",
        "as in the caption (the text of section 4.1 says 10³ and 10⁵: figure 2-text)",
        (100, ("0.1", "1.5", "0.1"), "0.1 0.5 0.8 1 1.5"),
        (10_000, ("0.02", "0.36", "0.02"), "0.02 0.1 0.2 0.26 0.36"),
    ),
    lambda: figure_2(
        "2-text",
        "as in the text of section 4.1 (the caption says 100 and 10,000: figure 2)",
        (1000, ("0.05", "1", "0.05"), "0.1 0.5 0.7 1"),
        (100_000, ("0.01", "0.12", "0.01"), "0.01 0.05 0.08 0.12"),
    ),
    lambda: Figure(
        "DMKB20, Figure 3",
        "Counting queries: the smallest ε at δ = 0.01/n, against λ",
        "The ε of the numerical form of Theorem 3 for a fixed δ, as λ grows. Parameters: δ = 0.01/n; the paper does "
        "not say which n: here 100, 1,000 and 10,000.",
        "λ",
        "smallest ε (nats)",
        [figure_3(n) for n in (100, 1000, 10_000)],
        (
            VERTEX,
            (
                "X/Y ≥ e^ε; with X/Y ≥ ε as printed, the smallest ε is e to the power of the one drawn. Near λ = 1/2 "
                "both X and Y are n - 1 for certain, so that the claimed ε falls to 0; the exact one does not."
            ),
        ),
    ),
    lambda: Figure(
        "DMKB20, Figure 4",
        "Thresholding: the ε and δ of Theorem 4, and the exact δ",
        "ε and δ of Theorem 4 against the threshold T, without known records. Parameters: p = 1/200, |B| = 0; n = "
        "1,000, 10,000 and 100,000.",
        "threshold T",
        "ε (nats), δ",
        [
            figure_4(1000, steps("6", "26", "1"), "6 8 10 15 20"),
            figure_4(10_000, steps("51", "121", "5"), "51 61 76 101"),
            figure_4(100_000, steps("510", "740", "10"), "510 550 600 700"),
        ],
        (
            (
                "Theorem 4 has a value for T > p(n - 1)/(1 - p), and an ε where its δ is below 1; near pn the "
                "claimed δ is above 1."
            ),
            (
                "Exact: the supremum over all p_i below p at ε = 0, which for T ≥ pn is f(T, n - 1, p). It is less "
                "than the claimed δ: neither the ε nor the factor 1/(1 - r) is needed (proofs/bounds.md)."
            ),
        ),
    ),
    lambda: Figure(
        "DMKB20, Figure 5",
        "Known records: ε at δ = 10⁻¹⁰, with and without Laplace noise",
        "The ε of the closed form of Theorem 3 against the number of records that the attacker knows; with the "
        "noise, ε never exceeds 1/2. Parameters: n = 100,000, λ = 1/20, δ = 10⁻¹⁰, Laplace noise of scale 2.",
        "known records |B|",
        "smallest ε (nats)",
        [figure_5()],
        (
            "Exact: all unknown p_i at λ, as a limit; known records only shift the count.",
            "The closed form has a value for ε ≤ 1.",
            "With the noise the claim is the smaller of the two guarantees; the exact ε is that of both together.",
        ),
    ),
    lambda: Figure(
        "DMKB20, Figure 6",
        "A count with geometric noise: Theorem 3 and the exact δ",
        "The (ε, δ) graph of the numerical form of Theorem 3, and what geometric noise (Definition 19) adds to it. "
        "Parameters: n = 10,000, λ = 1/20, noise p = 1/2 and p = 3/4.",
        "ε (nats)",
        "δ",
        [figure_6()],
        (
            (
                "Exact: all p_i at λ, as a limit. The paper does not say how it combined its bound with the noise; "
                "here the law of the count is convolved with that of the noise, exactly."
            ),
            "From ε = ln(1/p) on, the noise alone gives δ = 0: 0.2877 for p = 3/4, 0.6931 for p = 1/2.",
        ),
        floor=Fraction(1, 10**20),
    ),
    lambda: of_samples(
        "2",
        "1/δ against ε for several k",
        "1/δ of Theorem 3.9 against ε, for k = 5 to 50 at a fixed sampling rate.",
        [(k, "0.2") for k in (5, 10, 20, 30, 50)],
        "0.25 0.5 1 2 3",
    ),
    lambda: of_samples(
        "3",
        "1/δ against ε for several sampling rates",
        "1/δ of Theorem 3.9 against ε, for β = 0.05 to 0.4 at k = 20.",
        [(20, rate) for rate in ("0.05", "0.1", "0.2", "0.3", "0.4")],
        "0.25 0.5 1 2 3",
    ),
    lambda: of_samples(
        "4",
        "larger k for larger sampling rates",
        "1/δ of Theorem 3.9 for four pairs (k, β) that the paper calls similar.",
        [(15, "0.05"), (22, "0.1"), (35, "0.2"), (60, "0.4")],
        "0.25 0.55 1 2 3",
    ),
    lambda: of_samples(
        "5",
        "1/δ against ε for very small k",
        "1/δ of Theorem 3.9 against ε, for k = 1 to 5 at β = 0.025.",
        [(k, "0.025") for k in (1, 2, 3, 4, 5)],
        "0.25 0.5 1 2 3",
        "For k = 1 the claimed δ is never below β = 1/40 (1/δ = 40), so that Definition 3, which asks δ < β, is "
        "never met.",
    ),
    lambda: Figure(
        "LQS12, Figure 6",
        "Sampling and k-anonymity: smallest ε at δ ≤ 10⁻⁶ against k",
        "The ε that Theorem 3.9 gives for a fixed δ, against k, for three sampling rates. Parameters: δ ≤ 10⁻⁶; β = "
        "0.05, 0.1, 0.2; k = 5 to 60 (the paper's range of k is not said).",
        "k",
        "smallest ε (nats)",
        [groups()],
        (
            (
                "No ε is below -ln(1 - β), which the theorem asks for: 0.0513, 0.1054 and 0.2231. Where β^k > 10⁻⁶ "
                "none is enough (inf): a group of k tuples is sampled whole with probability β^k."
            ),
        ),
    ),
)
"""The figures in their order, each made where it is asked for."""

# --- LQS12's tables --------------------------------------------------------------------------------------------------

TABLE_1 = (
    ("ln(11)", "1", "11", "2.40", "1/100000", "0.00001"),
    ("ln(11)", "1/10", "2", "0.69", "1/100000", "0.000001"),
    ("ln(11)", "1/100", "1.1", "0.095", "1/100000", "0.0000001"),
    ("1", "1", "", "1", "0", ""),
    ("1", "1/10", "", "0.159", "0", ""),
    ("1", "1/100", "", "0.017", "0", ""),
)
"""The rows: ε before sampling, β, then e^ε and ε after it as printed, δ before it, and δ after it as printed."""
TABLE_2 = {
    "1/20": "6.83e-10 2.50e-14 3.19e-17 1.76e-19 3.97e-22 2.00e-24",
    "1/10": "4.19e-06 1.61e-09 3.44e-12 4.07e-14 3.22e-16 1.89e-18",
    "1/5": "2.16e-03 8.02e-06 1.89e-07 6.03e-09 4.79e-11 1.59e-12",
}
"""The δ for k = 20 as printed: a row for each β, a number for each ε below."""
LEVELS = numbers("1/4 1/2 3/4 1 3/2 2")


def agrees(printed: str, value: Value) -> str:
    """Whether a value, rounded to the digits of a printed decimal, is that decimal."""
    rounded = text(value, len(printed.partition("e")[0].replace(".", "").lstrip("0")))
    return "yes" if Fraction(rounded) == Fraction(printed) else "no"


def table_1() -> Sheet:
    """LQS12, Table 1: a row for each printed cell, the exact value, and whether they agree."""
    rows = []
    for before, rate, factor, level, delta, shrunk in TABLE_1:
        given = {
            "beta_1": Fraction(1),
            "beta_2": Fraction(rate),
            "epsilon_1": pk.epsilon(before),
            "delta_1": Fraction(delta),
        }
        asked = f"({before}, {delta}), β = {decimal_of(Fraction(rate), DIGITS)}"
        for name, printed, quantity in (("e^ε", factor, "exp"), ("ε", level, "epsilon"), ("δ", shrunk, "delta")):
            if printed:
                value = claimed("lqs-theorem-1", quantity, "printed", **given)
                rows.append((f"{name} of {asked}", printed, text(value, 12), agrees(printed, value)))
    title = "LQS12, Table 1: what sampling at rate β makes of (ε, δ), by Theorem 1"
    return Sheet(title, ("cell", "printed", "exact", "agrees"), tuple(rows))


def table_2() -> Sheet:
    """LQS12, Table 2: a row for each cell, with d(20, β, ε), and the exact δ."""
    rows = []
    for rate, row in TABLE_2.items():
        for level, printed in zip(LEVELS, row.split(), strict=True):
            promised, truth = sampled(20, Fraction(rate), level)
            at = (decimal_of(Fraction(rate), DIGITS), decimal_of(level, DIGITS))
            rows.append((*at, printed, text(promised), agrees(printed, promised), text(truth)))
    heads = ("β", "ε (nats)", "printed δ", "d(20, β, ε)", "agrees", "exact δ")
    return Sheet("LQS12, Table 2: δ of Theorem 3.9 for k = 20", heads, tuple(rows))


# --- drawings and the page -------------------------------------------------------------------------------------------

COLOURS = ("#d55e00", "#e69f00", "#cc79a7", "#0072b2", "#56b4e9", "#009e73", "#8a6fb0")
"""Those of Okabe and Ito, which the colour-blind tell apart, and last a violet."""
DASHES = {"printed": "5 2", "repaired": "6 2 1 2", "exact": ""}
Rows = dict[Fraction, dict[str, Value]]
"""The values of a panel: for each point of the grid, those of each series by its label."""


def rows_of(panel: Panel) -> Rows:
    """The values of a panel at all points of its grid."""
    return {x: {series.label: series.at(x) for series in panel.series} for x in panel.grid}


def drawing(figure: Figure, panel: Panel, rows: Rows) -> Drawing:
    """The drawing of a panel: printed dashed, repaired dash-dotted, exact solid; shaded where a claim is false."""

    def height(value: Value) -> float:
        return float(sum(value) / 2) if isinstance(value, tuple) else 0.0

    lines = []
    for series in sorted(panel.series, key=lambda series: [*DASHES].index(series.kind)):
        pieces, beyond = [], []
        for kind, run in groupby(
            rows, key=lambda x: rows[x][series.label] if not isinstance(rows[x][series.label], tuple) else ""
        ):
            places = list(run)
            if kind == "inf":
                beyond.append([float(x) for x in places])
            elif kind is not None:
                pieces.append(LinePiece([(float(x), height(rows[x][series.label])) for x in places]))
        stroke = Stroke(f"hue{series.hue}", COLOURS[series.hue], DASHES[series.kind])
        lines.append(Line(series.label, stroke, pieces, beyond))
    shaded = []
    for claim, truth in panel.below:
        for false, run in groupby(
            rows, key=lambda x: smaller(rows[x][claim], rows[x][truth]) and rows[x][truth] != "inf"
        ):
            area = [(float(x), height(rows[x][claim]), height(rows[x][truth])) for x in run if false]
            if area:
                shaded.append([*((x, low) for x, low, _ in area), *((x, high) for x, _, high in reversed(area))])
    name = ": ".join(filter(None, (f"{figure.name}. {figure.title}", panel.title)))
    ends = {
        series.label: [row[series.label] for row in rows.values() if isinstance(row[series.label], tuple)]
        for series in panel.series
    }
    words = "".join(f" {label}: {text(found[0], 3)} to {text(found[-1], 3)}." for label, found in ends.items() if found)
    named = Axes(figure.x, figure.y, figure.logarithmic, float(figure.floor))
    return lines_drawing("panel", panel.title or figure.title, f"{name}.{words}", named, lines, shaded)


def sheet(figure: Figure, panel: Panel, rows: Rows) -> Sheet:
    """The table of a panel at its few points, with a note on where a claim is less than the exact value."""
    heads = tuple(f"{series.label} ({series.kind})" for series in panel.series)
    cells = tuple((decimal_of(x, DIGITS), *map(text, rows[x].values())) for x in panel.few)
    false = (
        (claim, [decimal_of(x, DIGITS) for x in rows if smaller(rows[x][claim], rows[x][truth])])
        for claim, truth in panel.below
    )
    at = figure.x.split(" (")[0]
    notes = tuple(
        f"{claim}: less than the exact value, so false, at {at} = {', '.join(xs)}." for claim, xs in false if xs
    )
    title = ": ".join(filter(None, (figure.name, panel.title)))
    return Sheet(f"{title}; {figure.y}", (figure.x, *heads), cells, notes=notes)


HEAD = """<!-- Made by `make generated`; CI rebuilds it and fails on any difference. -->

# Figures and tables of the papers, computed anew

`python docs/figures/make.py` makes the drawings and the tables of this page, in a minute. What is exact is asked of
`pk.check`, what a theorem promises of `pkdp claims --bound`.

In a drawing, dashed is `printed`, what the paper claims; dash-dotted is `repaired`, another bound, which is proved in
[bounds](../proofs/bounds.md); solid is `exact`, the truth about the model or family that is named. Where a claim is
shaded it is less than the exact value, so it is false there. A triangle stands where no finite value is enough. Each
number is exact, or enclosed between two bounds that round to the digits shown. `inf`: no finite ε is enough; a dash:
the formula has no value there, or its conditions are not met.

Not drawn anew: DMKB20, Figure 1, a diagram of [relations](relations.md); LQS12, Figure 1, a sketch of a binomial
curve without numbers. The papers' own curves are not at hand as data, only their captions and what the text says about
them: a parameter that neither names is chosen here, and named as chosen. What the papers say about their figures, and
whether it holds, is among the [claims](../proofs/statements.md).
"""


# --- rules of publication --------------------------------------------------------------------------------------------


def rule_drawings() -> dict[str, str]:
    """The drawings of the page for disclosure control, by the names of their files."""
    known = [{"people": 100, "known": m, "overlap": 0} for m in (*range(0, 99, 3), 99)]
    people = [{"people": n, "known": 10} for n in (*range(12, 60, 4), *range(60, 401, 20))]
    series: dict[str, tuple[str, str, list[dict[str, Any]]]] = {
        "known": ("hide 0 to 9", "known", known),
        "people": ("round to base 5", "people", people),
        "kept": ("random rounding to base 3", "people", [{**one, "noise": "kept"} for one in people]),
        "ons": ("ons-10-5", "people", people),
    }
    return {
        f"figures/rules/{name}.svg": rule_drawing([pk.rule(rule, **one, probability="1/20") for one in asked], by).alone
        for name, (rule, by, asked) in series.items()
    }


def files() -> dict[str, str]:
    """The texts of the files, by their names below `docs/`."""
    page, made = [HEAD], dict[str, str]()
    for make in FIGURES:
        figure = make()
        page += [f"## {figure.name}: {figure.title}\n", f"{figure.shows}\n"]
        for number, panel in enumerate(figure.panels, 1):
            rows = rows_of(panel)
            name = figure.name.replace(", Figure ", "-figure-") + (f"-{number}" if len(figure.panels) > 1 else "")
            made[f"figures/drawings/{name}.svg"] = drawing(figure, panel, rows).alone
            shown = sheet(figure, panel, rows)
            page += [f"![{shown.title}](figures/drawings/{name}.svg)\n", f"{shown.markdown()}\n"]
        page += [f"{note}\n" for note in figure.notes]
    page += ["## LQS12, Tables 1 and 2\n", f"{table_1().markdown()}\n", table_2().markdown()]
    return {"figures.md": "\n".join(page) + "\n", **made, **rule_drawings()}


def main() -> int:
    """Write the files, or compare them."""
    made, stale = files(), 0
    for name, content in made.items():
        if "--check" not in sys.argv:
            (HERE.parent / name).write_text(content, encoding="utf-8")
        elif not (HERE.parent / name).exists() or (HERE.parent / name).read_text(encoding="utf-8") != content:
            sys.stderr.write(f"docs/{name} is stale: run python docs/figures/make.py\n")
            stale = 1
    return stale


if __name__ == "__main__":
    sys.exit(main())
