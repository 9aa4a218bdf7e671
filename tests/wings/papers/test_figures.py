"""The papers' figures: what they are, where claims are false, the tables, the page, the command."""

import re
from fractions import Fraction
from itertools import pairwise
from math import comb
from pathlib import Path

import pytest
from examined import at_least_one

from verifier.cli.main import run
from verifier.wings.papers.bounds.bernoulli import blanket, count_delta, ratio_tail
from verifier.wings.papers.bounds.real import Real
from verifier.wings.papers.figures.catalogue import FIGURES, Figure, smaller, values
from verifier.wings.papers.figures.sheets import rounds_to, stated, table_1, table_2
from verifier.wings.papers.figures.thresholding import FIGURE_4

F = Fraction


def _few(name: str) -> Figure:
    (found,) = (figure for figure in FIGURES if figure.name == name)
    return found


@pytest.mark.parametrize("figure", FIGURES, ids=lambda figure: figure.name)
def test_a_figure_says_what_it_is(figure: Figure) -> None:
    assert figure.shows.endswith(".")
    for panel in figure.panels:
        labels = [series.label for series in panel.series]
        assert len(set(labels)) == len(labels)
        assert {name for pair in panel.below for name in pair} <= set(labels)
        assert list(panel.grid) == sorted(set(panel.grid))
        assert {"printed", "exact"} <= {series.kind for series in panel.series}


QUICK = ("DMKB20-figure-4", "DMKB20-figure-5", "DMKB20-figure-6", "LQS12-figure-2", "LQS12-figure-5")


@pytest.mark.parametrize("name", QUICK)
def test_curves_fall_and_claims_cover_but_where_they_are_marked(name: str) -> None:
    figure = _few(name)
    rising = "1/δ" in figure.y.label or "known" in figure.x.label
    for panel in at_least_one(figure.panels):
        drawn = values(panel, few=True)
        assert panel.series
        for series in panel.series:
            found = [value for value in drawn.column(series.label) if value is not None]
            for before, after in pairwise(found):
                assert not (smaller(after, before) if rising else smaller(before, after)), series.label
        for printed, exact in panel.below:
            false = drawn.false(printed, exact)
            assert bool(false) == (name == "DMKB20-figure-6")


def test_theorem_3_is_false_where_the_figure_says_so() -> None:
    """λ = 1/20, n = 100: from ε = 1 on, by exact fractions on both sides of e^ε."""
    panel = _few("DMKB20-figure-2").panels[0]
    drawn = values(panel)
    false = drawn.false(*panel.below[0])
    assert false == tuple(x for x in panel.grid if x >= 1)
    e = F(2718281828459045, 10**15)
    assert ratio_tail(100, F(1, 10), e) < count_delta([F(1, 20)] * 100, e + F(1, 10**12))
    assert drawn.false(*panel.below[1]) == ()


def test_tables_of_lqs() -> None:
    assert {one.agrees for one in table_1()} == {True}
    cells = list(table_2())
    assert len(cells) == 18
    assert all(cell.agrees for cell in cells)
    assert all(smaller(cell.exact, cell.claimed) for cell in cells)
    assert not rounds_to("2.51e-14", cells[1].claimed)


def test_what_is_stated() -> None:
    found = list(stated())
    assert {one.agrees for one in found if one.quantity.startswith("k = 1,")} == {False}
    assert {one.agrees for one in found if one.stated == "δ < 0.001"} == {True}
    assert {one.agrees for one in found if one.stated == "similar"} == {False}
    assert all("elsewhere" not in one.exact for one in found)
    assert {one.agrees for one in found} == {True, False}


# --- the page, the command, the files ------------------------------------------------------------------------------

PAGE = (Path(__file__).resolve().parents[3] / "docs" / "figures.md").read_text(encoding="utf-8")


def _table(title: str) -> tuple[list[str], list[list[str]]]:
    part = PAGE.split(f"**{title}**\n\n", 1)[1].split("\n\n", 1)[0]
    lines = [re.split(r"(?<!\\)\|", line)[1:-1] for line in part.splitlines()]
    rows = [[cell.strip() for cell in line] for line in lines]
    return rows[0], rows[2:]


def _decimal(value: Fraction) -> str:
    return Real.of(value).decimal(6)


def test_numbers_of_the_page_again() -> None:
    """Theorem 3 and 4 by exact fractions, on rational brackets of e^ε that round alike."""
    _, rows = _table("DMKB20, Figure 2: Theorem 3, n = 100; δ")
    exps = {"0.5": F(16487212707001282, 10**16), "1": F(27182818284590452, 10**16), "1.5": F(44816890703380648, 10**16)}
    for row in at_least_one(rows):
        if row[0] in exps:
            e = exps[row[0]]
            assert row[1] == _decimal(ratio_tail(100, F(1, 10), F(row[0])))
            assert row[3] == _decimal(ratio_tail(100, F(1, 10), e))
            assert row[4] == _decimal(blanket(100, F(1, 20), e, tail=True))
            assert row[5] == _decimal(blanket(100, F(1, 20), e))
    _, rows = _table("DMKB20, Figure 4: n = 1,000, so that pn = 5; ε (nats), δ")
    for row in rows:
        t, p = int(row[0]), F(1, 200)
        sharp = comb(999, t) * p**t * (1 - p) ** (999 - t)
        assert row[3] == _decimal(sharp)
        assert row[2] == _decimal(sharp / (1 - p * 999 / ((1 - p) * t)))


@pytest.mark.parametrize(("name", "few"), [("DMKB20-figure-4", 3), ("LQS12-figure-4", 1)])
def test_the_page_is_what_is_computed(name: str, few: int) -> None:
    from verifier.show.pages import MarkdownRenderer
    from verifier.wings.papers.figures.pages import figure_section

    figure = _few(name)
    drawn = tuple(values(panel, few=True) for panel in figure.panels)
    assert len(drawn) == few
    assert "\n\n".join(MarkdownRenderer().section(figure_section(figure, drawn), 2)) in PAGE


@pytest.mark.sweep(0)
def test_the_command_writes_the_same_bytes_twice(tmp_path: Path) -> None:
    files = []
    for folder in (tmp_path / "one", tmp_path / "two"):
        asked = ["figures", "--paper", "DMKB20", "--figure", "4", "--output", str(folder), "--format", "csv"]
        with pytest.raises(SystemExit) as stop:
            run(asked)
        assert not stop.value.code
        files.append({path.name: path.read_bytes() for path in sorted(folder.iterdir())})
    assert files[0] == files[1]
    assert {"DMKB20-figure-4-1.svg", "DMKB20-figure-4-1.csv", "stated.csv", "figures.html"} <= set(files[0])
    drawing = files[0]["DMKB20-figure-4-1.svg"].decode()
    assert drawing.startswith("<svg xmlns=")
    assert "<title>DMKB20, Figure 4. Thresholding" in drawing
    assert not re.search(r"\d{4}-\d\d-\d\d", drawing)
    assert len(files[0]["DMKB20-figure-4-1.csv"].decode().splitlines()) == 1 + len(FIGURE_4.panels[0].grid)


@pytest.mark.parametrize("paper", [None, "LQS12"])
def test_a_table_is_in_the_file_of_its_number(
    paper: str | None, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    from verifier.wings.papers.figures import pages

    monkeypatch.setattr(pages, "find_figures", lambda *_: [])
    pages.write_figures(tmp_path, paper, kind="markdown")
    titles = {path.stem: path.read_text(encoding="utf-8").partition("\n")[0] for path in tmp_path.glob("*.md")}
    assert "LQS12, Table 1: what sampling" in titles["table-1"]
    assert "LQS12, Table 2: δ of Theorem 3.9" in titles["table-2"]
    assert "Stated in the papers" in titles["stated"]


@pytest.mark.sweep(0)
def test_latex_has_no_letter_that_it_cannot_set() -> None:
    from verifier.wings.papers.figures.figure import PanelValues
    from verifier.wings.papers.figures.sheets import figure_sheets, table_sheets

    sheets = [
        *table_sheets().values(),
        *(figure_sheets(one, (PanelValues(one.panels[0], (), ()),))[0] for one in FIGURES),
    ]
    set_ = [line for sheet in sheets for line in sheet.tex().splitlines() if not line.startswith("%")]
    assert {mark for line in set_ for mark in line if ord(mark) > 127} == set()
