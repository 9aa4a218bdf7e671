"""Small things of the explorer, each seen: what was cut, what stayed, what was marked once, and where Back leads."""

from __future__ import annotations

import re

import pytest

import verifier as pk
from browser.conftest import Open
from browser.explorer import Explorer, agree
from browser.harness import NARROW, clean, expect, in_both_schemes, too_wide
from verifier.model.library import models_folder

pytestmark = pytest.mark.xdist_group("explorer")
PROBABILITY = "cell-distribution-0-table-0-probability"
TINY = """
title = "hardly ever"
size = 1
values = [0, 1]
[[distribution]]
iid = { 0 = "1/2", 1 = "1/2" }
[mechanism]
table = [
  { database = [0], output = "u" },
  { database = [1], outputs = { u = "4253700000000/4253700000001", v = "1/4253700000001" } },
]
"""
LONG = f"""
title = "long labels"
size = 2
values = ["{"a long answer " * 4}a", "{"a long answer " * 4}b"]
[[distribution]]
iid = {{ "{"a long answer " * 4}a" = "123456789/1000000007", "{"a long answer " * 4}b" = "876543218/1000000007" }}
[mechanism]
kind = "identity"
"""
NOTED = """
title = "an exercise"
notes = "What would you say before you look?"
size = 1
values = [0, 1]
[[distribution]]
iid = { 0 = "1/2", 1 = "1/2" }
[mechanism]
kind = "identity"
"""


def values(page: Explorer, text: str) -> None:
    """Other values of a record."""
    page.at("values").fill(text)
    page.at("values").press("Enter")
    page.settle()


@pytest.mark.parametrize("width", [NARROW, 900, 1280])
def test_no_number_of_a_table_is_cut(explorer: str, open_page: Open, width: int) -> None:
    """A δ of 2.35·10⁻¹³ without its exponent is another number."""
    page = Explorer(open_page(explorer, width=width).page)
    page.settle()
    page.load(TINY, "tiny.toml")
    page.fill("epsilon", "0")
    page.click("row-dp")
    assert page.at("row-dp").locator("td").last.inner_text() == "≈\u00a02.35089e-13"
    cut = """all => all.filter(one => one.scrollWidth > one.clientWidth + 1 ||
               one.querySelector(".exact")?.getBoundingClientRect().right > one.getBoundingClientRect().right + 1)
               .map(one => one.textContent)"""
    assert page.page.locator("#passport-table td.n, .losses-table td.n").evaluate_all(cut) == []
    assert "2.35089e-13" in page.at("loss").inner_text()
    agree(page, page.model())
    assert too_wide(page.page) == []


@pytest.mark.parametrize("width", [NARROW, 1280])
def test_a_loss_table_of_long_labels_shows_its_last_column(explorer: str, open_page: Open, width: int) -> None:
    page = Explorer(open_page(explorer, width=width).page)
    page.settle()
    page.load(LONG, "long.toml")
    boxes = page.page.locator("#loss .scroll")
    assert boxes.count() == 1
    assert boxes.evaluate_all("all => all.filter(one => one.scrollWidth > one.clientWidth + 1).length") == 0


def test_the_losses_are_of_a_record_that_is_compared(page: Explorer) -> None:
    """When a definition holds, too: never of a record that the attacker knows."""
    page.fill("epsilon", "ln(9)")
    page.load(page.saved(), "again.toml")  # opened where nothing fails, so that no counterexample names a record
    for name in ("np", "cdp", "ddp"):
        page.click(f"row-{name}")
        assert page.verdict() == "holds"
        assert page.at("loss-record").evaluate("one => one.selectedOptions[0].textContent") == "1"
        assert "Nothing to compare" not in page.at("loss").inner_text()
    page.at("known-knowledge-0").uncheck()
    page.settle()
    page.at("known-knowledge-1").check()
    page.settle()
    assert page.at("loss-record").evaluate("one => one.selectedOptions[0].textContent") == "0"


def test_what_was_filled_in_is_said_of_no_other_model(page: Explorer) -> None:
    page.at("size").fill("3")
    page.at("size").press("Enter")
    page.settle()
    assert "1 record was added" in page.at("size-note").inner_text()
    page.fill(PROBABILITY, "1/5")
    assert page.at("size-note").count() == 0
    page.click("undo")
    page.at("size").fill("4")
    page.at("size").press("Enter")
    page.settle()
    assert page.at("size-note").count() == 1
    page.at("undo").click()
    page.settle()
    assert page.at("size-note").count() == 0
    page.example("DMKB20/proposition-4-cdp-not-np")
    assert page.at("size-note").count() == 0


def test_a_renamed_value_is_renamed_everywhere(page: Explorer) -> None:
    before = page.verdicts()
    values(page, "nein, ja")
    assert page.page.locator("[aria-invalid=true], .problem").count() == 0
    assert "16 places" in page.at("told").inner_text()
    assert page.verdicts() == before
    rows = page.document()["distribution"][0]["table"]
    assert [row["database"] for row in rows] == [["nein", "nein"], ["nein", "ja"], ["ja", "nein"], ["ja", "ja"]]
    agree(page, page.model())
    page.click("undo")
    assert page.document()["values"] == ["no", "yes"]


def test_every_cell_without_a_value_is_marked(page: Explorer) -> None:
    """A value that went is named in eight cells; a person sees all of them."""
    values(page, "no, yes, maybe")
    values(page, "no, maybe")
    assert page.page.locator("#editors input.value[aria-invalid=true]").count() == 8
    assert "7 more cells" in page.page.locator(".problem").inner_text()
    clean({"marked": in_both_schemes(page.page, "#editors")})
    page.click("undo")
    assert page.page.locator("[aria-invalid=true]").count() == 0


def test_one_click_writes_what_a_slip_most_likely_means(page: Explorer) -> None:
    """Nothing is read in its place: the cell is refused, and shows what it becomes."""
    for slip, fixed in (("40%", "0.4"), (".4", "0.4"), ("0,4", "0.4")):
        page.fill(PROBABILITY, slip)
        assert page.at(PROBABILITY).get_attribute("aria-invalid") == "true"
        button = page.page.locator(".problem button.fix")
        assert button.inner_text() == f"write {fixed}"
        button.click()
        page.settle()
        assert page.at(PROBABILITY).input_value() == fixed
        assert page.page.locator(".problem").count() == 0
        agree(page, page.model())
    page.fill("epsilon", "1,5")
    page.page.locator("button.fix").click()
    page.settle()
    assert page.at("epsilon").input_value() == "1.5"
    agree(page, page.model())
    page.fill(PROBABILITY, "1,500")
    assert page.page.locator("button.fix").count() == 0


def test_a_new_model_is_begun_and_taken_back(page: Explorer) -> None:
    first = page.saved()
    page.click("new-model")
    assert page.page.evaluate("document.activeElement.id") == "new-blank"
    page.page.keyboard.press("Enter")
    page.page.wait_for_selector("#new:not([open])", state="attached")
    page.settle()
    assert page.page.evaluate("document.activeElement.id") == "cell-title"
    assert "title" not in page.document()
    assert page.page.locator(".problem, #problems:visible").count() == 0
    agree(page, page.model())
    page.click("undo")
    assert page.saved() == first


def test_back_leads_to_the_model_before(page: Explorer) -> None:
    titles = ("Two friends who often agree", pk.read(models_folder() / "DMKB20/example-4-repaired.toml").title)
    first = page.saved()
    page.fill("epsilon", "ln(7)")
    page.example("DMKB20/example-4-repaired")
    second = page.saved()
    page.new("blank")
    for title, text in zip(reversed(titles), (second, first), strict=True):
        page.page.go_back()
        page.settle_titled(title)
        assert page.saved() == text
    assert page.at("epsilon").input_value() == "ln(7)"
    page.page.go_forward()
    page.settle_titled(titles[1])
    assert page.saved() == second
    agree(page, page.model())
    page.page.wait_for_url(re.compile("#.*m="))  # the address is written, a moment after
    page.page.reload()
    page.settle_titled(titles[1])
    assert page.saved() == second
    page.page.go_back()
    page.settle_titled(titles[0])
    assert page.saved() == first


@pytest.mark.sweep(0)
def test_a_place_in_the_page_is_no_other_model(page: Explorer) -> None:
    page.example("DMKB20/example-4-repaired")
    second = page.saved()
    title = page.page.title()
    page.page.wait_for_url(re.compile("#.*m="))  # the address is written, a moment after
    page.page.locator("#steps a").first.click()
    page.page.wait_for_url(re.compile("#part-distribution$"))
    page.page.go_back()
    page.page.wait_for_url(re.compile("#.*m="))
    page.settle()
    assert page.page.title() == title
    assert page.saved() == second


def test_the_notes_of_a_shared_link_are_open(page: Explorer, open_page: Open) -> None:
    page.load(NOTED, "exercise.toml")
    page.at("copy-link").click()
    page.told("copied")
    other = Explorer(open_page(page.copied()).page)
    other.settle()
    expect(other.at("notes")).to_have_attribute("open", "")
    assert "before you look" in other.at("notes").inner_text()
    other.page.locator("#notes summary").click()
    other.at("add-distribution").click()  # the forms are built anew; what a person folded stays folded
    other.settle()
    assert other.page.locator("#notes[open]").count() == 0


def test_each_step_has_its_number_once(page: Explorer) -> None:
    heads = page.page.locator("main :is(h2, h3)").all_inner_texts()
    numbers = [head.partition(" · ")[0] for head in heads if " · " in head]
    assert numbers == ["1", "2", "3"]
