"""The explorer, used: every answer on the page is the one of the package, and a slip costs nothing."""

from __future__ import annotations

import re
from collections.abc import Callable
from fractions import Fraction

import pytest
from examined import at_least_one

import verifier as pk
from browser.conftest import Open
from browser.explorer import Explorer, agree, path_of
from browser.harness import NARROW, Scheme, clean, expect, in_both_schemes, too_wide

pytestmark = pytest.mark.xdist_group("explorer")
PROBABILITY = "cell-distribution-0-table-0-probability"
SMALL = """
title = "three voters"
size = 3
values = [0, 1]
[[distribution]]
iid = { 0 = "1/2", 1 = "1/2" }
[mechanism]
kind = "count"
value = 1
"""
LARGE = (
    SMALL.replace("3", "40").split("[mechanism]")[0]
    + f"""
[mechanism]
table = [ {{ database = {[1] * 40}, output = "all" }} ]
otherwise = "not all"
"""
)


def test_the_first_page_answers(page: Explorer) -> None:
    model = page.model()
    epsilon, delta = page.at("epsilon").input_value(), page.at("delta").input_value()
    assert page.verdicts() == {one.definition: one.verdict for one in pk.overview(model, epsilon=epsilon, delta=delta)}
    agree(page, model)


def test_a_slip_is_shown_in_its_cell_and_taken_back(page: Explorer) -> None:
    before, cell, stale = page.verdicts(), page.at(PROBABILITY), page.at("stale")
    good = cell.input_value()
    for slip, says in (("a third", "a third"), ("1/0", "1/0"), ("-1/5", "-1/5"), ("0.1e", "0.1e")):
        page.fill(PROBABILITY, slip)
        assert cell.get_attribute("aria-invalid") == "true"
        said = page.at(str(cell.get_attribute("aria-describedby"))).inner_text()
        assert says in said
        assert "Expected " in said
        assert stale.is_visible()
        assert page.page.locator("#results-body.old").count() == 1
        assert page.verdicts() == before
        assert page.at(PROBABILITY).evaluate("one => one === document.activeElement")
    page.fill(PROBABILITY, good)
    assert cell.get_attribute("aria-invalid") is None
    assert not stale.is_visible()
    assert page.page.locator(".problem, .problem-row").count() == 0
    assert page.verdicts() == before
    page.fill(PROBABILITY, "1/5")
    missing = page.page.locator(f"[data-sum='{path_of('distribution', 0, 'table')}']").inner_text()
    assert str(Fraction(1, 5) - Fraction(good) + 1) in missing
    assert stale.is_visible()
    page.click("undo")
    page.settle()
    assert not stale.is_visible()
    assert page.verdicts() == before


@pytest.mark.sweep(0)
def test_a_slip_in_the_question(page: Explorer) -> None:
    word = page.verdict()
    for name, slip in (("epsilon", "log(2)"), ("delta", "2")):
        good = page.at(name).input_value()
        page.fill(name, slip)
        assert page.at(name).get_attribute("aria-invalid") == "true"
        assert slip in page.at(str(page.at(name).get_attribute("aria-describedby"))).inner_text()
        assert page.at("stale").is_visible()
        page.fill(name, good)
        assert page.at(name).get_attribute("aria-invalid") is None
    assert page.verdict() == word


def test_another_definition(page: Explorer) -> None:
    model = page.model()
    for name in at_least_one(list(page.verdicts())[:7]):
        page.click(f"row-{name}")
        assert page.definition() == name
        assert agree(page, model).definition == name


@pytest.mark.sweep(0)
def test_epsilon_is_dragged_with_the_mouse(page: Explorer) -> None:
    page.click("row-dp")
    model, plot = page.model(), page.at("profile-plot")
    plot.scroll_into_view_if_needed()
    seen = set()
    for part in (0.25, 0.6, 0.9):
        point, box = page.at("profile-point").locator(".dot").bounding_box(), plot.bounding_box()
        assert point is not None
        assert box is not None
        mouse = page.page.mouse
        mouse.move(point["x"] + point["width"] / 2, point["y"] + point["height"] / 2)
        mouse.down()
        mouse.move(box["x"] + box["width"] * part, box["y"] + box["height"] / 2, steps=5)
        mouse.up()
        page.settle()
        answer = agree(page, model)
        seen.add((page.at("epsilon").input_value(), answer.verdict))
        assert answer.delta > 0
    assert len(seen) == 3


@pytest.mark.sweep(0)
def test_epsilon_and_delta_by_keyboard(page: Explorer) -> None:
    page.click("row-dp")
    model = page.model()
    asked = [page.at("epsilon").input_value()]
    for key in ("Home", "ArrowRight", "PageUp", "End"):
        page.press("slider-epsilon", key)
        asked.append(page.at("epsilon").input_value())
        answer = agree(page, model)
        assert page.at("slider-epsilon").get_attribute("aria-valuetext") == f"ε = {asked[-1]}"
    assert asked[1] == "0"
    assert len(set(asked)) == 5
    assert answer.verdict == "holds"
    page.press("slider-epsilon", "Home")
    before = page.at("delta").input_value()
    page.press("slider-delta", "ArrowUp")
    assert Fraction(page.at("delta").input_value()) > Fraction(before)
    agree(page, model)
    page.fill("epsilon", "")
    assert pk.check(model, "dp", delta=page.at("delta").input_value()).verdict == page.verdict()


@pytest.mark.sweep(0)
def test_the_tightest_values_are_taken_over(page: Explorer) -> None:
    page.click("row-dp")
    model = page.model()
    tight = page.amount("ε")
    page.click("set-epsilon")
    assert page.at("epsilon").input_value() == tight
    assert agree(page, model).verdict == "holds"


def test_the_witness_is_marked_in_the_tables(page: Explorer) -> None:
    page.fill("epsilon", "0")
    page.click("row-dp")
    for name in ("np", "apkdp"):
        page.click(f"row-{name}")
        witness = agree(page, page.model()).witness
        assert witness is not None
        assert witness.event is not None
        event, document = {one.text for one in witness.event}, page.document()
        known = document.get("knowledge", {}).get("records", [])
        given = witness.to_json()
        sides: dict[str, set[str]] = {"a": set(), "b": set()}
        for k, row in enumerate(document["distribution"][0]["table"]):
            if [row["database"][i] for i in known] == (given["knowledge"] or []) and Fraction(row["probability"]):
                for side, of in sides.items():
                    if row["database"][given["record"]] == given[side]:
                        of.add(path_of("distribution", 0, "table", k))
        for side, of in sides.items():
            assert {one for one in page.marked(f"side-{side}") if "distribution" in one} == of != set()
        assert page.outputs_marked() == event
        assert str(given["probability_a"]) in page.at("witness").inner_text()
        assert str(given["probability_b"]) in page.at("witness").inner_text()
        assert page.at("sentence").inner_text()


def test_saved_and_loaded(page: Explorer) -> None:
    page.fill(PROBABILITY, "1/3")
    page.fill("cell-distribution-0-table-1-probability", "1/6")
    text, answers = page.saved(), page.verdicts()
    model = pk.loads(text)
    assert answers == {one.definition: one.verdict for one in pk.overview(model, epsilon="ln(2)")}
    page.load(SMALL, "other.toml")
    assert page.document()["size"] == 3
    page.load(text, "mine.toml")
    assert page.saved() == text
    assert page.verdicts() == answers
    page.load("size = \n", "broken.toml")
    assert "broken.toml" in page.at("told").inner_text()
    assert page.saved() == text


@pytest.mark.sweep(0)
def test_undo_and_redo(page: Explorer) -> None:
    first = page.saved()
    page.example("DMKB20/example-4-repaired")
    second = page.saved()
    assert first != second
    page.page.keyboard.press("Control+z")
    page.settle()
    assert page.saved() == first
    page.page.keyboard.press("Control+Shift+z")
    page.settle()
    assert page.saved() == second


def test_a_link_carries_model_and_question(page: Explorer, open_page: Open) -> None:
    page.example("DMKB20/example-7-five-voters")
    page.click("row-ppkdp")
    page.fill("epsilon", "ln(3/2)")
    page.fill("delta", "1/7")
    page.at("copy-link").click()
    page.told("copied")
    other = Explorer(open_page(page.copied()).page)
    other.settle()
    assert other.saved() == page.saved()
    assert other.verdicts() == page.verdicts()
    assert (other.definition(), other.verdict(), other.amount("δ")) == ("ppkdp", page.verdict(), page.amount("δ"))
    damaged = Explorer(open_page(page.copied()[:-40]).page)
    damaged.told("damaged")


@pytest.mark.sweep(0)
@pytest.mark.parametrize("part", ["passport", "answer", "loss"])
def test_latex_and_markdown_are_copied(page: Explorer, part: str) -> None:
    for kind, mark in (("latex", "\\begin{"), ("markdown", "|")):
        page.at(f"copy-{part}-{kind}").click()
        page.told({"latex": "LaTeX", "markdown": "Markdown"}[kind])
        text = page.copied()
        assert mark in text
        assert text.count("{") == text.count("}")
    if part == "passport":
        assert all(word in text for word in page.verdicts().values())


@pytest.mark.sweep(0)
def test_a_model_that_is_too_large_is_refused_with_its_size(page: Explorer) -> None:
    page.load(LARGE, "large.toml")
    said = page.page.locator("#problems li, .problem", has_text=f"{2**40:,} worlds")
    assert said.is_visible()
    assert page.at("stale").is_visible()
    page.click("undo")
    assert not page.at("stale").is_visible()


def test_the_text_of_the_model_is_the_same_model(page: Explorer) -> None:
    page.at("tab-toml").click()
    box = page.at("toml-text")
    expect(box).to_have_value(re.compile("mechanism"))
    text = box.input_value()
    assert pk.loads(text).title == page.model().title
    with page.page.expect_response("**/api/read"):
        box.fill(text.replace("2/5", "1/5").replace("1/10", "3/10"))
    page.at("tab-tables").click()
    expect(page.at(PROBABILITY)).to_have_value("1/5")
    page.settle()
    agree(page, page.model())


def a_slip(page: Explorer) -> None:
    page.fill(PROBABILITY, "a third")


def the_examples(page: Explorer) -> None:
    page.at("open-examples").click()
    page.page.locator("#examples-list button[data-id]").first.wait_for()


def unfolded(page: Explorer) -> None:
    page.page.locator("main details").evaluate_all("all => all.forEach(one => { one.open = true; })")


STATES: dict[str, Callable[[Explorer], object]] = {
    "first": lambda _page: None,
    "a slip": a_slip,
    "examples": the_examples,
    "help": lambda page: page.at("open-help").click(),
    "text": lambda page: page.at("tab-toml").click(),
    "unfolded": unfolded,
}


@pytest.mark.sweep(6)
@pytest.mark.parametrize("state", STATES)
def test_accessible_in_every_state(page: Explorer, state: str) -> None:
    STATES[state](page)
    found = {state: in_both_schemes(page.page)}
    page.page.set_viewport_size({"width": NARROW, "height": 800})
    found["narrow"] = in_both_schemes(page.page)
    if state == "unfolded":
        found["narrow"] += too_wide(page.page)
    clean(found)


@pytest.mark.sweep(0)
@pytest.mark.parametrize(("scheme", "dark"), [("light", False), ("dark", True)])
def test_the_scheme_of_the_system(explorer: str, open_page: Open, scheme: Scheme, *, dark: bool) -> None:
    page = Explorer(open_page(explorer, scheme=scheme).page)
    page.settle()
    paper = page.page.evaluate("getComputedStyle(document.body).backgroundColor")
    red, green, blue = (int(part) for part in paper.split("(")[1].rstrip(")").split(",")[:3])
    assert (red + green + blue < 3 * 128) is dark
