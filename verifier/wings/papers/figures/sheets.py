"""The papers' figures as tables, and the numbers that the papers state beside the exact ones.

A table of a figure has a row for each grid point, and a column for each series. Stated are LQS12's Tables 1 and 2, and
sentences about figures.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from fractions import Fraction
from itertools import pairwise
from math import factorial

from verifier.numbers import DIGITS as DECIMALS
from verifier.numbers import NO_VALUE, arb_of, epsilon
from verifier.show.sheet import Sheet
from verifier.wings.papers.bounds.levels import (
    TAILS,
    binomial_law,
    delta_at,
    epsilon_at,
    printed_tail,
    tail_at,
)
from verifier.wings.papers.bounds.real import Real, ball, logarithm
from verifier.wings.papers.bounds.sampling import amplification
from verifier.wings.papers.figures import counting, noise, sampling, thresholding
from verifier.wings.papers.figures.catalogue import Figure, PanelValues
from verifier.wings.papers.figures.figure import DIGITS, Value, smaller

SAYS = 4
"""Significant digits of a computed number in a sentence."""


@dataclass(frozen=True)
class StatedValue:
    """A number or comparison that a paper states: its source, the quantity, the stated and the exact value."""

    paper: str
    source: str
    quantity: str
    stated: str
    exact: str
    agrees: bool


def value_text(value: Value, digits: int = SAYS) -> str:
    """The text of a value with some significant digits; a dash where it is missing."""
    return NO_VALUE if value is None else value if isinstance(value, str) else value.decimal(digits)


def rounds_to(stated: str, value: Value) -> bool:
    """Whether a value, correctly rounded to the digits of a printed decimal, is that decimal.

    >>> rounds_to("2.50e-14", Real.of(Fraction(24988, 10**18))), rounds_to("0.159", Real.of(Fraction(1594, 10000)))
    (True, True)
    """
    if not isinstance(value, Real):
        return False
    digits = len(stated.partition("e")[0].replace(".", "").lstrip("0"))
    decimal = value.decimal(digits)
    return not decimal.endswith("?") and Fraction(decimal) == Fraction(stated)


TABLE_1 = (
    ("ln(11)", "1", "11", "2.40", "1/100000", "0.00001"),
    ("ln(11)", "1/10", "2", "0.69", "1/100000", "0.000001"),
    ("ln(11)", "1/100", "1.1", "0.095", "1/100000", "0.0000001"),
    ("1", "1", "", "1", "0", ""),
    ("1", "1/10", "", "0.159", "0", ""),
    ("1", "1/100", "", "0.017", "0", ""),
)
"""The rows: ε before sampling, β, then e^ε and ε after it as printed, δ before it, and δ after it as printed.

An empty text stands where nothing is printed."""


def table_1() -> Iterator[StatedValue]:
    """The printed cells of LQS12, Table 1: what sampling makes of (ln 11, 10⁻⁵) and of (1, 0), by Theorem 1."""
    for before, rate, factor, level, delta, shrunk in TABLE_1:
        start = {"beta-1": Fraction(1), "beta-2": Fraction(rate), "epsilon-1": epsilon(before)}
        claimed = amplification({**start, "delta-1": Fraction(delta)}, "printed")
        question = f"({before}, {delta}), β = {value_text(Real.of(Fraction(rate)))}"
        for name, printed, value in (
            ("e^ε", factor, claimed.exp),
            ("ε", level, claimed.epsilon),
            ("δ", shrunk, claimed.delta),
        ):
            if printed:
                exact = value_text(value, DECIMALS)
                yield StatedValue(
                    "LQS12",
                    "Table 1",
                    f"{name} of {question}",
                    printed,
                    exact,
                    rounds_to(printed, value),
                )


LEVELS = ("1/4", "1/2", "3/4", "1", "3/2", "2")
TABLE_2 = {
    "1/20": "6.83e-10 2.50e-14 3.19e-17 1.76e-19 3.97e-22 2.00e-24",
    "1/10": "4.19e-06 1.61e-09 3.44e-12 4.07e-14 3.22e-16 1.89e-18",
    "1/5": "2.16e-03 8.02e-06 1.89e-07 6.03e-09 4.79e-11 1.59e-12",
}
"""The δ for k = 20 as printed: a row for each β, a number for each ε of `LEVELS`."""


@dataclass(frozen=True)
class TableCell:
    """A cell of LQS12, Table 2, at β = `rate` and ε = `level`: δ as printed, `claimed` = d(20, β, ε), the exact δ."""

    rate: Fraction
    level: Fraction
    printed: str
    claimed: Value
    exact: Value

    @property
    def agrees(self) -> bool:
        """Whether d(20, β, ε), rounded to the printed digits, is what is printed."""
        return rounds_to(self.printed, self.claimed)


def table_2() -> Iterator[TableCell]:
    """The cells of LQS12, Table 2, row by row."""
    for rate, row in TABLE_2.items():
        for level, printed in zip(LEVELS, row.split(), strict=True):
            claimed, exact = sampling.printed_and_exact(20, Fraction(rate), Fraction(level))
            yield TableCell(Fraction(rate), Fraction(level), printed, claimed, exact)


def stated() -> Iterator[StatedValue]:
    """What sentences and captions state about the figures, and numbers of the text, each beside the exact value."""
    yield from _figure_2()
    yield from _figure_4()
    yield from _figure_5()
    yield from _sampled()


def _figure_2() -> Iterator[StatedValue]:
    share, paper = counting.SHARE, "DMKB20"
    yield StatedValue(
        paper, "Figure 2", "the numbers of records", "100 and 10,000 (caption)", "10³ and 10⁵ (section 4.1)", False
    )
    least = Real.of(27 / (share * 99))
    yield StatedValue(
        paper,
        "Figure 2, left",
        "the closed form, n = 100, λ = 1/20",
        "compared with Proposition 7",
        f"no value: ε would be at least 27/(λ(n - 1)) = {value_text(least)}, above 1",
        False,
    )
    size, level = 10_000, Fraction(1, 5)
    closed = counting.closed_form(size, share, level)
    tails = [tail_at(make(size, share), level) for make in TAILS]
    exact = delta_at(binomial_law(size - 1, share), level)
    yield StatedValue(
        paper,
        "section 4.1",
        "closed form against numerical form, n = 10,000, ε = 0.2",
        "better by several orders of magnitude",
        f"δ = {value_text(closed)} against {value_text(tails[0])} (2λ), {value_text(tails[1])} (repaired), "
        f"{value_text(tails[2])} (sharper)"
        f", {value_text(exact)} (exact, all p_i = λ)",
        True,
    )
    for size, level in ((100, Fraction(1, 10)), (10_000, Fraction(1, 100))):
        tail, exact = tail_at(printed_tail(size, share), level), delta_at(binomial_law(size - 1, share), level)
        yield StatedValue(
            paper,
            "section 4.1",
            f"Theorem 3 at ε = 1/√n, n = {size:,}",
            "δ = Θ(1)",
            f"{value_text(tail)} claimed (e^ε, 2λ); {value_text(exact)} exact, all p_i = λ",
            True,
        )


def _figure_4() -> Iterator[StatedValue]:
    p, paper = thresholding.RARE, "DMKB20"
    for size, threshold in ((1000, 6), (1000, 10), (10_000, 100), (100_000, 1000)):
        level, delta = (
            value(size, p, threshold) for value in (thresholding.claimed_epsilon, thresholding.claimed_delta)
        )
        ratio = level.over(delta) if isinstance(level, Real) and isinstance(delta, Real) else None
        yield StatedValue(
            paper,
            "Figure 4",
            f"ε and δ of Theorem 4, n = {size:,}, T = {threshold}",
            "very close for T above pn",
            f"ε = {value_text(level)}, δ = {value_text(delta)}",
            smaller(ratio, Real.of(Fraction(11, 10))),
        )
    size, threshold = 1000, 10
    delta = thresholding.claimed_delta(size, p, threshold)
    divisor_of_r = 1 - (thresholding.ratio(size, p, threshold) or Fraction(0))
    mass = ball(lambda: (-arb_of(p * size)).exp() * arb_of((p * size) ** threshold / factorial(threshold)))
    for form, divisor in (("(1 - r)·T!", divisor_of_r), ("(1 - r)^T·T!", divisor_of_r**threshold)):
        value = mass.over(Real.of(divisor))
        agrees = not smaller(value, delta) and smaller(value, Real.of(Fraction(1, 20)))
        yield StatedValue(
            paper,
            "Theorem 4",
            f"Poisson form with {form}, n = 1,000, T = 10",
            f"≈ δ = {value_text(delta)}",
            value_text(value),
            agrees,
        )


def _figure_5() -> Iterator[StatedValue]:
    half = Real.of(Fraction(1, 2))
    known = next(
        k
        for k in range(74_000, 75_000)
        if not smaller(noise.closed_epsilon(noise.RECORDS - k, counting.SHARE, noise.SMALL), half)
    )
    exact = [epsilon_at(noise.unknown_law(noise.RECORDS - k), noise.SMALL) for k in (EXACT_HALF - 1, EXACT_HALF)]
    is_first = smaller(exact[0], half) and not smaller(exact[1], half)
    yield StatedValue(
        "DMKB20",
        "Figure 5",
        "where the noise's ε = 1/2 takes over",
        "when |B| gets close to n",
        f"closed form: |B| = {known:,}; exact without noise: {f'|B| = {EXACT_HALF:,}' if is_first else 'elsewhere'}",
        True,
    )


EXACT_HALF = 96_286
"""The first |B| at which the exact ε without noise is above 1/2."""


def _sampled() -> Iterator[StatedValue]:
    paper = "LQS12"
    claimed = amplification(
        {"beta-1": Fraction(1), "beta-2": Fraction(1, 10), "epsilon-1": epsilon("ln(2)")}, "printed"
    )
    yield StatedValue(
        paper,
        "section 1",
        "ε = ln 2 ≈ 0.69 sampled at β = 0.1",
        "0.095",
        value_text(claimed.epsilon, DECIMALS),
        rounds_to("0.095", claimed.epsilon) and rounds_to("0.69", logarithm(Fraction(2))),
    )
    at_two = {k: sampling.printed_and_exact(k, Fraction(1, 5), Fraction(2))[0] for k in (10, 20, 30, 40, 50)}
    for k in (10, 20, 30, 40):
        first, second = at_two[k], at_two[k + 10]
        ratio = second.over(first) if isinstance(first, Real) and isinstance(second, Real) else None
        yield StatedValue(
            paper,
            "Figure 2",
            f"δ from k = {k} to {k + 10}, ε = 2, β = 0.2",
            "roughly 10⁻⁵ times",
            f"{value_text(first)} to {value_text(second)}: {value_text(ratio, 2)} times",
            smaller(Real.of(Fraction(1, 10**6)), ratio) and smaller(ratio, Real.of(Fraction(1, 10**4))),
        )
    for level in ("11/20", "1", "2"):
        deltas = [
            sampling.printed_and_exact(k, rate, Fraction(level))[0]
            for k, rate in zip((15, 22, 35, 60), map(Fraction, ("1/20", "1/10", "1/5", "2/5")), strict=True)
        ]
        spread = _spread(deltas)
        yield StatedValue(
            paper,
            "Figure 4",
            f"δ of (15, 0.05), (22, 0.1), (35, 0.2), (60, 0.4) at ε = {value_text(Real.of(Fraction(level)))}",
            "similar",
            f"{', '.join(value_text(delta, 3) for delta in deltas)}: up to {value_text(spread, 2)} times",
            smaller(spread, Real.of(10)),
        )
    for level in ("1/4", "1", "2"):
        delta = sampling.printed_and_exact(1, Fraction(1, 40), Fraction(level))[0]
        yield StatedValue(
            paper,
            "Figure 5",
            f"k = 1, β = 0.025, ε = {value_text(Real.of(Fraction(level)))}",
            "δ < β",
            f"δ = {value_text(delta)}",
            smaller(delta, Real.of(Fraction(1, 40))),
        )
    for k in (2, 3, 4, 5):
        delta = sampling.printed_and_exact(k, Fraction(1, 40), Fraction(2))[0]
        agrees = smaller(delta, Real.of(Fraction(1, 1000)))
        yield StatedValue(
            paper,
            "Figure 5",
            f"k = {k}, β = 0.025, ε = 2",
            "δ < 0.001",
            f"δ = {value_text(delta, DECIMALS)}",
            agrees,
        )
    for rate in map(Fraction, ("1/20", "1/10", "1/5")):
        epsilons: list[Value] = [sampling.group_epsilons(rate).printed(k) for k in (10, 20, 40, 60)]
        yield StatedValue(
            paper,
            "Figure 6",
            f"ε at δ ≤ 10⁻⁶, β = {sampling.rate_text(rate)}, k = 10, 20, 40, 60",
            "smaller for larger k",
            ", ".join(map(value_text, epsilons)),
            all(smaller(b, a) for a, b in pairwise(epsilons)),
        )


def _spread(several: list[Value]) -> Value:
    """The quotient of the largest and the smallest value."""
    known = [value for value in several if isinstance(value, Real)]
    best = worst = known[0]
    for value in known:
        best, worst = (value if smaller(value, best) else best), (value if smaller(worst, value) else worst)
    return worst.over(best)


def number(value: Value) -> str:
    """The text of a value, correctly rounded; a dash where it is missing."""
    return value_text(value, DIGITS)


def _yes(agrees: object) -> str:
    """The word of a table for whether two numbers agree."""
    return "yes" if agrees else "no"


def figure_sheets(figure: Figure, drawn: Sequence[PanelValues]) -> list[Sheet]:
    """The tables of a figure, one for each panel, each with a note on where a claim is less than the exact value."""
    return [_sheet(figure, panel_values) for panel_values in drawn]


def _sheet(figure: Figure, panel_values: PanelValues) -> Sheet:
    heads = tuple(f"{series.label} ({series.kind})" for series in panel_values.panel.series)
    rows = tuple(
        (Real.of(x).decimal(DIGITS), *map(number, row))
        for x, row in zip(panel_values.xs, panel_values.values, strict=True)
    )
    notes = tuple(
        f"{printed}: less than the exact value, so false, at {figure.x.label.split(' (')[0]} = "
        f"{', '.join(Real.of(x).decimal(DIGITS) for x in false)}."
        for printed, exact in panel_values.panel.below
        if (false := panel_values.false(printed, exact))
    )
    title = f"{figure.paper}, Figure {figure.number}" + (
        f": {panel_values.panel.title}" if panel_values.panel.title else ""
    )
    return Sheet(f"{title}; {figure.y.label}", (figure.x.label, *heads), rows, notes=notes)


def table_sheets(paper: str | None = None, number_: str | None = None) -> dict[str, Sheet]:
    """The sheets of LQS12's Tables 1 and 2, and of what the papers state about their figures, by the file of each.

    They are those of one paper, or of the figure `number_` of one, where that is named.
    """
    sheets: dict[str, Sheet] = {}
    if paper in {None, "LQS12"} and number_ is None:
        sheets |= {"table-1": first_table(), "table-2": second_table()}
    sentences = [
        sentence for sentence in stated() if paper in {None, sentence.paper} and number_ in {None, *_numbers(sentence)}
    ]
    if sentences:
        sheets["stated"] = stated_sheet(sentences)
    return sheets


def _numbers(sentence: StatedValue) -> tuple[str, ...]:
    """The numbers of the figures that a sentence is about."""
    return (sentence.source.removeprefix("Figure ").partition(",")[0],) if sentence.source.startswith("Figure") else ()


def first_table() -> Sheet:
    """The sheet of LQS12, Table 1: a row for each printed cell, the exact value, and whether they agree."""
    rows = tuple((cell.quantity, cell.stated, cell.exact, _yes(cell.agrees)) for cell in table_1())
    return Sheet(
        "LQS12, Table 1: what sampling at rate β makes of (ε, δ), by Theorem 1",
        ("cell", "printed", "exact", "agrees"),
        rows,
    )


def second_table() -> Sheet:
    """The sheet of LQS12, Table 2: a row for each cell, with d(20, β, ε), and the exact δ."""
    rows = tuple(
        (
            Real.of(cell.rate).decimal(DIGITS),
            Real.of(cell.level).decimal(DIGITS),
            cell.printed,
            number(cell.claimed),
            _yes(cell.agrees),
            number(cell.exact),
        )
        for cell in table_2()
    )
    heads = ("β", "ε (nats)", "printed δ", "d(20, β, ε)", "agrees", "exact δ")
    return Sheet("LQS12, Table 2: δ of Theorem 3.9 for k = 20", heads, rows)


def stated_sheet(sentences: list[StatedValue]) -> Sheet:
    """The sheet of the numbers that sentences and captions state, beside the exact ones."""
    rows = tuple(
        (sentence.paper, sentence.source, sentence.quantity, sentence.stated, sentence.exact, _yes(sentence.agrees))
        for sentence in sentences
    )
    return Sheet("Stated in the papers", ("paper", "place", "what", "stated", "exact", "agrees"), rows)
