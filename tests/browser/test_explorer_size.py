"""Another number of records: the tables follow in rows that are seen, and what does not fit is led to."""

from __future__ import annotations

import pytest

import verifier as pk
from browser.explorer import Explorer, agree
from browser.harness import clean, expect, in_both_schemes

pytestmark = pytest.mark.xdist_group("explorer")
WANTED = "Expected an integer from 1 to 10,000,000."
PAIRS = """
title = "a pair"
size = 2
values = [0, 1]
[[distribution]]
table = [ { database = [0, 0], probability = "1/2" }, { database = [1, 1], probability = "1/2" } ]
[knowledge]
rows = [ { database = [0, 0], output = "x" } ]
otherwise = "y"
[mechanism]
table = [ { database = [0, 0], output = "u" } ]
otherwise = "v"
"""


def resize(page: Explorer, text: str) -> None:
    """Type another number of records."""
    page.at("size").fill(text)
    page.press("size", "Tab")


def test_a_third_record_is_filled_in_and_said(page: Explorer) -> None:
    before = page.document()
    resize(page, "3")
    found = page.document()
    old = {tuple(row["database"]): row for row in before["distribution"][0]["table"]}
    new = {tuple(row["database"]): row["probability"] for row in found["distribution"][0]["table"]}
    assert len(new) == 8
    for (first, second, third), probability in new.items():
        assert probability == (old[first, second]["probability"] if third == "no" else "0")
    laws = {tuple(row["database"]): row["outputs"] for row in before["mechanism"]["table"]}
    assert {tuple(row["database"]): row["outputs"] for row in found["mechanism"]["table"]} == {
        (*pair, third): law for pair, law in laws.items() for third in ("no", "yes")
    }
    assert page.page.locator(".problem, .problem-row, #problems:visible").count() == 0
    said = page.at("size-note").inner_text()
    assert "1 record was added: it is no in every world so far" in said
    assert "probability 0" in said
    assert "what is published does not depend on it yet" in said
    agree(page, page.model())
    clean({"size": in_both_schemes(page.page, "#part-values")})
    page.at("first-new").click()
    focused = page.page.evaluate("document.activeElement.closest('tr').dataset.row")
    assert focused == '["distribution",0,"table",1]'
    page.click("undo")
    assert page.document() == before
    assert page.at("size-note").count() == 0


@pytest.mark.sweep(0)
def test_every_table_follows(page: Explorer) -> None:
    page.load(PAIRS)
    resize(page, "3")
    model = page.model()
    assert page.page.locator(".problem, .problem-row").count() == 0
    found = page.document()
    assert [row["database"] for row in found["mechanism"]["table"]] == [[0, 0, 0], [0, 0, 1]]
    assert [row["database"] for row in found["knowledge"]["rows"]] == [[0, 0, 0], [0, 0, 1]]
    assert page.verdicts() == {one.definition: one.verdict for one in pk.overview(model, epsilon="ln(2)", delta="0")}


@pytest.mark.sweep(0)
def test_a_problem_out_of_sight_is_led_to(page: Explorer) -> None:
    page.fill("out-mechanism-table-3-1", "a third")
    assert page.at("first-problem").count() == 0
    page.page.evaluate("scrollTo(0, 0)")
    page.fill("cell-title", "far away")
    expect(page.page.locator("#editors .problem")).not_to_be_in_viewport()
    expect(page.at("problems")).to_contain_text("a third")
    page.at("first-problem").click()
    expect(page.page.locator("#editors .problem")).to_be_in_viewport()
    assert page.at("out-mechanism-table-3-1").evaluate("one => one === document.activeElement")
    page.fill("out-mechanism-table-3-1", "3/4")
    assert page.at("problems").is_hidden()


@pytest.mark.sweep(0)
@pytest.mark.parametrize("given", ["-3", "1000000000000", "0", "three", "2.5", "99999999999999999999"])
def test_what_is_wanted_of_a_size_is_said(page: Explorer, given: str) -> None:
    resize(page, given)
    said = page.page.locator("#part-values .problem")
    expect(said).to_contain_text(WANTED)
    expect(said).to_contain_text(given)
    resize(page, "2")
    expect(said).to_have_count(0)
