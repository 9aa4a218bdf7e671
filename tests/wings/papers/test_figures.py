"""The figures: sums of many records against exact ones of few, where claims are false, the tables, the page."""

import re
import sys
from fractions import Fraction
from itertools import pairwise
from math import comb

import hypothesis.strategies as st
import pytest
from documents import ROOT
from examined import at_least_one
from flint import ctx
from hypothesis import given
from scripts import script

from verifier.numbers import arb_of, ball_ends, decimal_of
from verifier.wings.papers.bounds.bernoulli import BernoulliSum, blanket, count_delta, count_profile, ratio_tail
from verifier.wings.papers.bounds.sampling import bad_outcome, upper_tail
from verifier.wings.papers.ledger.read import entries
from verifier.wings.report.figures_page import KeptDrawing, drawings_of, figures_document

make = script("docs/figures/make.py")
sums = sys.modules["sums"]  # which the script finds in its own folder
F = Fraction
inner = st.sampled_from([F(1, 20), F(1, 4), F(1, 3), F(1, 2), F(9, 10)])
shares = st.sampled_from([F(1, 20), F(1, 4), F(2, 5)])
factors = st.sampled_from([F(1), F(10, 9), F(3, 2), F(2), F(7), F(1000)])
levels = st.sampled_from([F(0), F(1, 10), F(1), F(5, 2)])


def holds(ends: tuple[Fraction, Fraction], exact: Fraction) -> None:
    low, high = ends
    assert low <= exact <= high
    assert high - low <= F(1, 10**30) * (1 + abs(exact))


# --- sums over many records, against those over few ------------------------------------------------------------------


@given(st.lists(inner, min_size=1, max_size=8))
def test_a_law_is_the_exact_one(found: list[Fraction]) -> None:
    law, wanted = sums.law(tuple((p, 1) for p in found)), BernoulliSum.of(found)
    assert (law.start, len(law.weights)) == (0, len(found) + 1)
    for ball, weight in zip(law.weights, wanted.weights, strict=True):
        holds(ball_ends(ball), F(int(weight), wanted.denominator))


@pytest.mark.parametrize("share", [F(1, 20), F(1, 4), F(9, 20)], ids=str)
def test_what_is_left_out_is_bounded(share: Fraction, monkeypatch: pytest.MonkeyPatch) -> None:
    """Where most of a law counts as tiny it still adds up to 1, and what is summed still holds the exact sum."""
    monkeypatch.setattr(sums, "TINY", arb_of(F(1, 1000)))
    sums.law.cache_clear()
    law = sums.binomial(share, 300)
    kept = sum(law.weights)
    assert len(law.weights) < 100
    assert kept < 1
    assert not kept + law.lost < 1
    for found, exact in (
        (sums.printed_tail(301, share, F(2)), ratio_tail(301, 2 * share, F(2))),
        (sums.repaired_tail(301, share, F(2)), blanket(301, share, F(2), tail=True)),
        (sums.repaired_tail(301, share, F(2), sharper=True), blanket(301, share, F(2))),
    ):
        low, high = ball_ends(found)
        assert low <= exact <= high
    sums.law.cache_clear()


@given(st.lists(inner, min_size=1, max_size=8), levels)
def test_divergences_by_half_lines(found: list[Fraction], level: Fraction) -> None:
    """The target is a record beside these; δ lies between the exact ones at the two ends of e^ε."""
    low, high = sums.half_lines(sums.law(tuple((p, 1) for p in found)), level)
    with ctx.workprec(300):
        least, most = ball_ends(arb_of(level).exp())
    both = [max(_excess(found, factor, order) for order in (1, -1)) for factor in (most, least)]
    assert low <= both[1]
    assert high >= both[0]
    assert high - low <= F(1, 10**30)


def _excess(found: list[Fraction], factor: Fraction, order: int) -> Fraction:
    law = BernoulliSum.of(found)
    shown = [F(int(w), law.denominator) for w in law.weights]
    first, second = ([*shown, F(0)], [F(0), *shown])[::order]
    return sum((max(F(0), a - factor * b) for a, b in zip(first, second, strict=True)), F(0))


@given(st.integers(2, 9), shares, factors)
def test_ratios_and_blankets(n: int, share: Fraction, factor: Fraction) -> None:
    holds(ball_ends(sums.printed_tail(n, share, factor)), ratio_tail(n, 2 * share, factor))
    for sharper in (False, True):
        found = ball_ends(sums.repaired_tail(n, share, factor, sharper=sharper))
        holds(found, blanket(n, share, factor, tail=not sharper))


@pytest.mark.parametrize("n", [60, 400])
def test_blankets_of_many_records(n: int) -> None:
    for factor in at_least_one((F(11, 10), F(2), F(9))):
        holds(ball_ends(sums.repaired_tail(n, F(1, 20), factor)), blanket(n, F(1, 20), factor, tail=True))


@given(st.integers(2, 7), shares, st.sampled_from([F(1, 50), F(1, 5), F(3, 5)]))
def test_the_smallest_level_is_a_jump(n: int, share: Fraction, delta: Fraction) -> None:
    """The tail falls only at ratios of whole numbers: the smallest level is such a ratio, or 1, or there is none."""

    def exactly(level: Fraction) -> Fraction:
        return blanket(n, share, level, tail=True)

    jumps = sorted({F(x, y) for x in range(1, n + 1) for y in range(1, n + 1) if x >= y})
    if delta in {exactly(jump + e) for jump in jumps for e in (F(0), F(1, 1000))}:
        return
    wanted = next((jump for jump in jumps if exactly(jump + F(1, 1000)) <= delta), None)
    found = sums.least(lambda factor: sums.repaired_tail(n, share, factor), F(n), delta)
    if wanted is None:
        assert found == "inf"
        return
    low, high = ball_ends(arb_of(wanted).log())
    assert found[0] <= high
    assert found[1] >= low
    assert found[1] - found[0] <= F(1, 10**11) * (1 + found[1])


@pytest.mark.parametrize("p", [F(1, 3), F(3, 4)], ids=str)
@pytest.mark.parametrize("n", [1, 4])
def test_noise_by_its_sum(n: int, p: Fraction) -> None:
    law, plain = sums.noisy(n, F(1, 3), p), BernoulliSum.of([F(1, 3)] * (n - 1))
    for k in (-30, -1, 0, 2, n + 7):
        terms = ((F(int(w), plain.denominator), abs(k - j)) for j, w in enumerate(plain.weights))
        holds(ball_ends(law.weights[k - law.start]), sum((w * (1 - p) / (1 + p) * p**d for w, d in terms), F(0)))


@pytest.mark.parametrize("delta", [F(1, 100), F(1, 10)], ids=str)
def test_laplace_noise_on_a_grid(delta: Fraction) -> None:
    """At the smallest ε no half-line exceeds δ, and one of a fine grid nearly does."""
    n, p = 6, F(3, 10)
    exp = arb_of(sums.with_laplace(n + 1, p, F(2), delta)[1]).exp()
    law = [F(comb(n, k)) * p**k * (1 - p) ** (n - k) for k in range(n + 1)]

    def below(t: Fraction) -> object:
        parts = (
            arb_of(w) * (1 - (arb_of((k - t) / 2)).exp() / 2 if t >= k else (arb_of((t - k) / 2)).exp() / 2)
            for k, w in enumerate(law)
        )
        return sum(parts, arb_of(F(0)))

    grid = [F(k, 40) for k in range(-400, 640)]
    found = [below(t) - exp * below(t - 1) for t in grid]
    found += [(1 - below(t - 1)) - exp * (1 - below(t)) for t in grid]  # type: ignore[operator]
    assert all(one < arb_of(delta + F(1, 10**9)) for one in found)
    assert any(one > arb_of(delta * F(999, 1000)) for one in found)


@pytest.mark.parametrize(("rate", "delta"), [(F(1, 5), F(1, 1000)), (F(1, 10), F(1, 1000)), (F(2, 5), F(1, 50))])
def test_groups_the_other_way_round(rate: Fraction, delta: Fraction) -> None:
    found = sums.group_levels(rate, delta, 12)
    for k, (printed, exact) in enumerate(at_least_one(found), 1):
        least = 1 / (1 - rate)
        if printed == "inf":
            assert rate**k > delta
            continue
        low, high = (ball_ends(arb_of(end).exp())[0] for end in printed)
        assert bad_outcome(k, rate, high + F(1, 10**30)) <= delta
        if low > least + F(1, 10**9):
            assert bad_outcome(k, rate, low - F(1, 10**9)) > delta
        wanted = least
        for n in range(1, 60):
            for j in range(k, n + 1):
                above = upper_tail(n, rate, j)
                if above > delta:
                    wanted = max(wanted, (above - delta) / upper_tail(n - 1, rate, j))
        assert max(abs(end - ball_ends(arb_of(wanted).log())[0]) for end in exact) < F(1, 10**30)
    assert found[11][0] != "inf"


@given(st.integers(1, 8), st.sampled_from([F(1, 20), F(1, 2), F(2, 3)]), st.sampled_from([F(1, 100), F(1, 7), F(2, 5)]))
def test_the_program_is_asked_for_what_is_exact(n: int, p: Fraction, delta: Fraction) -> None:
    low, high = make.exact(((p, n),), epsilon=F(1))
    assert low <= count_delta([p] * n, F(27182818284, 10**10)) + F(1, 10**9)
    assert high >= count_delta([p] * n, F(27182818285, 10**10)) - F(1, 10**9)
    wanted = [profile.epsilon(delta).exp for profile in count_profile([p] * n)]
    found = make.exact(((p, n),), delta=delta)
    if None in wanted:
        assert found == "inf"
    else:
        exact = ball_ends(arb_of(max(e for e in wanted if e is not None)).log())
        assert found[0] <= exact[1]
        assert found[1] >= exact[0]


# --- figures, tables, the page ---------------------------------------------------------------------------------------


FIGURES = [made() for made in make.FIGURES]
QUICK = ("DMKB20, Figure 4", "DMKB20, Figure 6", "LQS12, Figure 2", "LQS12, Figure 5")


@pytest.mark.parametrize("figure", FIGURES, ids=lambda figure: figure.name)
def test_a_figure_says_what_it_is(figure: object) -> None:
    assert figure.shows.endswith(".")  # type: ignore[attr-defined]
    for panel in at_least_one(figure.panels):  # type: ignore[attr-defined]
        labels = [series.label for series in panel.series]
        assert len(set(labels)) == len(labels)
        assert {name for pair in panel.below for name in pair} <= set(labels)
        assert list(panel.grid) == sorted(set(panel.grid))
        assert set(panel.few) <= set(panel.grid)
        assert {"printed", "exact"} <= {series.kind for series in panel.series}


@pytest.mark.parametrize("figure", [each for each in FIGURES if each.name in QUICK], ids=lambda figure: figure.name)
def test_curves_fall_and_claims_cover_but_where_they_are_marked(figure: object) -> None:
    rising = figure.y == "1/δ"  # type: ignore[attr-defined]
    for panel in at_least_one(figure.panels[:2]):  # type: ignore[attr-defined]
        rows = {x: {series.label: series.at(x) for series in panel.series} for x in panel.few}
        for series in panel.series:
            found = [row[series.label] for row in rows.values() if row[series.label] is not None]
            for before, after in pairwise(found):
                assert not (make.smaller(after, before) if rising else make.smaller(before, after)), series.label
        false = [make.smaller(row[claim], row[truth]) for claim, truth in panel.below for row in rows.values()]
        assert any(false) == (figure.name == "DMKB20, Figure 6")  # type: ignore[attr-defined]


def test_theorem_3_is_false_where_the_figure_says_so() -> None:
    """λ = 1/20, n = 100: from ε = 1 on, by exact fractions on both sides of e^ε."""
    panel = FIGURES[0].panels[0]
    claim, truth = panel.below[0]
    curves = {series.label: series.at for series in panel.series}
    points = [x for x in panel.grid if F(4, 5) <= x <= F(6, 5)]
    assert [x for x in points if make.smaller(curves[claim](x), curves[truth](x))] == [x for x in points if x >= 1]
    e = F(2718281828459045, 10**15)
    assert ratio_tail(100, F(1, 10), e) < count_delta([F(1, 20)] * 100, e + F(1, 10**12))


def test_tables_of_lqs() -> None:
    for table, rows in ((make.table_1(), 12), (make.table_2(), 18)):
        assert len(table.rows) == rows
        assert {row[table.columns.index("agrees")] for row in table.rows} == {"yes"}
    assert make.agrees("2.51e-14", make.sampled(20, F(1, 20), F(1, 2))[0]) == "no"
    assert all(make.smaller(*make.sampled(20, F(1, 5), level)[::-1]) for level in at_least_one(make.LEVELS))


PAGE = (ROOT / "docs" / "figures.md").read_text(encoding="utf-8")


def _table(title: str) -> list[list[str]]:
    part = PAGE.split(f"**{title}**\n\n", 1)[1].split("\n\n", 1)[0]
    lines = [re.split(r"(?<!\\)\|", line)[1:-1] for line in part.splitlines()]
    return [[cell.strip() for cell in line] for line in lines][2:]


def test_numbers_of_the_page_again() -> None:
    """Theorem 3 and 4 by exact fractions, on rational brackets of e^ε that round alike."""
    exps = {"0.5": F(16487212707001282, 10**16), "1": F(27182818284590452, 10**16), "1.5": F(44816890703380648, 10**16)}
    for row in at_least_one(_table("DMKB20, Figure 2: Theorem 3, n = 100; δ")):
        if row[0] in exps:
            e = exps[row[0]]
            assert row[1] == decimal_of(ratio_tail(100, F(1, 10), F(row[0])), 6)
            assert row[3] == decimal_of(ratio_tail(100, F(1, 10), e), 6)
            assert row[4] == decimal_of(blanket(100, F(1, 20), e, tail=True), 6)
            assert row[5] == decimal_of(blanket(100, F(1, 20), e), 6)
    for row in at_least_one(_table("DMKB20, Figure 4: n = 1,000, so that pn = 5; ε (nats), δ")):
        t, p = int(row[0]), F(1, 200)
        sharp = comb(999, t) * p**t * (1 - p) ** (999 - t)
        assert row[3] == decimal_of(sharp, 6)
        assert row[2] == decimal_of(sharp / (1 - p * 999 / ((1 - p) * t)), 6)


def test_the_page_and_the_report_show_every_drawing() -> None:
    kept = {path.name for path in (ROOT / "docs" / "figures" / "drawings").iterdir()}
    assert len(kept) == sum(len(figure.panels) for figure in FIGURES)
    assert set(re.findall(r"!\[[^]]+\]\(figures/drawings/([^)]+)\)", PAGE)) == kept
    figures = [entry for entry in entries() if entry.claim.startswith("Figure")]
    shown = [drawing for entry in figures for drawing in drawings_of(entry)]
    assert sorted(shown, key=str) == sorted(
        map(KeptDrawing.of, (ROOT / "docs" / "figures" / "drawings").glob("*.svg")), key=str
    )
    lines = [line for section in figures_document().sections for line in section.blocks[1].entries]  # type: ignore[union-attr]
    assert lines == [drawing.caption for drawing in shown]
    assert all(drawing.styled.startswith("<svg ") and "<style>" not in drawing.styled for drawing in shown)


def test_a_drawing_is_what_is_computed() -> None:
    """The figures whose values take a moment are drawn again, byte for byte, and their tables made again."""
    figure = next(each for each in FIGURES if each.name == "LQS12, Figure 5")
    (panel,) = figure.panels
    rows = make.rows_of(panel)
    kept = (ROOT / "docs" / "figures" / "drawings" / "LQS12-figure-5.svg").read_text(encoding="utf-8")
    assert make.drawing(figure, panel, rows).alone == kept
    assert make.sheet(figure, panel, rows).markdown() in PAGE
