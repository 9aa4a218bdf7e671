"""The page about exchange rates: every function is that of single questions, and every word about them is true."""

from __future__ import annotations

import csv
import xml.etree.ElementTree as ET
from fractions import Fraction
from itertools import pairwise

import pytest
from html_reader import read_html
from rates import rate_at

import verifier as pk
from verifier.cli.main import run
from verifier.numbers import INFINITY
from verifier.show.pages import page_html
from verifier.show.sections import Diagram, Section
from verifier.show.sheet import Sheet
from verifier.wings.report.exchange_sections import PATH, QUESTIONS, exchange_document, rates
from verifier.wings.report.site import bar
from verifier.wings.report.site import markdown as markdown_of

HALF = Fraction(1, 2)
PLACES = [Fraction(k, 23) for k in range(1, 23)]
"""Values of a parameter in the range, at none of which a piece ends."""
NUMBERS = range(len(QUESTIONS))


def page() -> str:
    return page_html(exchange_document(), bar(claims=True))


def blocks(sections: tuple[Section, ...]) -> list[object]:
    return [block for section in sections for block in (*section.blocks, *blocks(section.sections))]


def test_what_is_said_of_np_in_cdp_is_true() -> None:
    """As much where the bits are independent, less the more they depend on each other, beyond every bound."""
    question, curve, _ = rates()[0]
    assert rate_at(curve, HALF) == pk.epsilon(question.epsilon)
    upwards = [rate_at(curve, HALF + step / 2) for step in PLACES]
    assert upwards == [rate_at(curve, HALF - step / 2) for step in PLACES]
    assert all(less < more for less, more in pairwise(upwards))  # type: ignore[operator]
    far = rate_at(curve, 1 - Fraction(1, 10**30))
    assert far is not None
    assert far > pk.epsilon(f"ln({10**30})")


def test_what_is_said_of_cdp_is_true() -> None:
    _, in_dp, _ = rates()[1]
    assert rate_at(in_dp, Fraction(3) - Fraction(1, 10**9)) != INFINITY
    assert rate_at(in_dp, Fraction(3)) == rate_at(in_dp, Fraction(10**9)) == INFINITY
    _, in_np, _ = rates()[2]
    assert rate_at(in_np, Fraction(0)) == rate_at(in_np, Fraction(1)) == INFINITY
    assert all(rate_at(in_np, HALF) < rate_at(in_np, place) for place in PLACES)  # type: ignore[operator]
    _, nothing, _ = rates()[3]
    assert {rate_at(nothing, place) for place in (Fraction(0), *PLACES, Fraction(1))} == {INFINITY}


@pytest.mark.parametrize("number", NUMBERS)
def test_the_command_prints_the_tables_of_the_page(number: int, capsys: pytest.CaptureFixture[str]) -> None:
    question = QUESTIONS[number]
    section = exchange_document().sections[number]
    words = next(csv.reader([question.command], delimiter=" "))
    with pytest.raises(SystemExit) as stop:
        run([*words[1:], "--format", "markdown"])
    assert not stop.value.code
    assert capsys.readouterr().out.strip() in markdown_of(exchange_document(), level=2)
    assert f"`{question.command}`" in "".join(str(block) for block in section.blocks)


def test_both_media_say_the_same() -> None:
    """Every cell of every table stands in the page and in the Markdown; the page has the drawings too."""
    html, markdown = read_html(page()), markdown_of(exchange_document(), level=2)
    shown = "".join(html.text)
    sheets = [block for block in blocks(exchange_document().sections) if isinstance(block, Sheet)]
    assert len(sheets) >= 4 * len(QUESTIONS)
    for sheet in sheets:
        assert sheet.markdown() in markdown
        assert all(str(cell) in shown for row in sheet.rows for cell in row)
    assert all(question.heading in shown and question.heading in markdown for question in QUESTIONS)
    assert html.badly_nested == html.open == []
    assert len(html.ids) == len(set(html.ids))
    assert "`" not in shown


def test_each_drawing_says_its_pieces_and_has_an_axis_for_them() -> None:
    """A rate that is finite somewhere is drawn; the label of the drawing has the pieces of the table."""
    drawn = [block for block in blocks(exchange_document().sections) if isinstance(block, Diagram)]
    finite = [(question, curve) for question, curve, _ in rates() if any(cell.factor for cell in curve.pieces)]
    assert len(drawn) == len(finite) == len(QUESTIONS) - 1
    for picture, (question, curve) in zip(drawn, finite, strict=True):
        drawing = ET.fromstring(picture.svg)  # noqa: S314 - our own text
        label = drawing.attrib["aria-label"]
        assert label.startswith(f"the smallest ε′ of {question.target} against ")
        assert all(f"{cell.text(curve.name)} for {cell.where.text(curve.name)}" in label for cell in curve.pieces)
    assert len({picture.name for picture in drawn}) == len(drawn)


def test_the_report_leads_to_the_page() -> None:
    assert ("Conversions", PATH) in bar(claims=True)
    assert PATH not in dict(bar(claims=False)).values()
