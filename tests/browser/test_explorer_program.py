"""The Program tab: templates, a text that is decided while it is written, and a refusal that marks its line."""

from __future__ import annotations

import pytest

from browser.conftest import Open
from browser.explorer import Explorer, agree
from browser.harness import NARROW, clean, expect, in_both_schemes, too_wide
from verifier.wings.explore.mechanism_forms import from_template, templates

pytestmark = pytest.mark.xdist_group("explorer")
VALUES = ["no", "yes"]
LAPLACE = 'def f(db, rng):\n    count = db.count("yes")\n    return count + rng.laplace(1)\n'


def choose(page: Explorer, name: str) -> None:
    """Begin with a template, and wait for its answers."""
    page.at("program-template").select_option(name)
    page.settle()


def test_every_template_is_a_model(page: Explorer) -> None:
    page.at("tab-program").click()
    assert page.at("program-note").is_visible()
    for name in templates():
        choose(page, name)
        assert page.at("program-text").input_value() == from_template(name, VALUES)
        assert page.document()["mechanism"] == {"program": from_template(name, VALUES)}
        assert not page.at("program-note").is_visible()
        assert page.at("step-published").inner_text() == "the output of the program."
    agree(page, page.model())


def test_the_verdict_follows_the_text(page: Explorer) -> None:
    page.at("tab-program").click()
    choose(page, "noisy-count")
    page.click("row-dp")
    assert page.amount("ε") == "ln(2)"
    page.fill("program-text", page.at("program-text").input_value().replace("1/2", "1/3"))
    assert page.amount("ε") == "ln(3)"
    agree(page, page.model())
    page.press("program-text", "Control+z")
    assert page.amount("ε") == "ln(2)"
    assert "1/2" in page.at("program-text").input_value()


def test_a_refusal_marks_its_line_and_leads_there(page: Explorer) -> None:
    page.at("tab-program").click()
    page.fill("program-text", LAPLACE)
    box = page.at("program-text")
    expect(box).to_have_attribute("aria-invalid", "true")
    assert page.page.locator("#program-lines .wrong").all_inner_texts() == ["3"]
    said = page.page.locator("#program .problem")
    assert "geometric_noise" in said.inner_text()
    page.page.keyboard.press("Control+Home")
    said.get_by_role("button", name="line 3, column 20").click()
    start = page.page.evaluate("document.getElementById('program-text').selectionStart")
    assert box.evaluate("one => one === document.activeElement")
    assert LAPLACE[start:].startswith("rng.laplace")
    page.at("tab-tables").click()
    page.page.locator("#editors .problem").get_by_role("button", name="line 3").click()
    assert box.is_visible()
    page.fill("program-text", LAPLACE.replace("laplace(1)", 'geometric_noise("1/2")'))
    assert page.page.locator(".wrong, .problem, [aria-invalid]").count() == 0
    assert not page.at("stale").is_visible()


def test_a_new_line_is_indented(page: Explorer) -> None:
    page.at("tab-program").click()
    page.at("program-text").fill("def f(db, rng):")
    for text in ("if rng.flip(0.5):", "return 1"):
        page.page.keyboard.press("Enter")
        page.page.keyboard.type(text)
    expected = "def f(db, rng):\n    if rng.flip(0.5):\n        return 1"
    assert page.at("program-text").input_value() == expected


def test_the_tables_show_it_and_a_link_holds_it(page: Explorer, open_page: Open) -> None:
    page.at("kind-mechanism").select_option("program")
    expect(page.at("program-shown")).to_contain_text("randomized_response")
    page.settle()
    page.at("edit-program").click()
    assert page.at("program-text").input_value() == from_template("randomized-response", VALUES)
    page.press("tab-program", "ArrowRight")
    expect(page.at("toml-text")).to_have_value(page.saved())
    page.press("tab-toml", "ArrowRight")
    assert page.at("editors").is_visible()
    page.at("copy-link").click()
    page.told("Link copied")
    other = Explorer(open_page(page.copied()).page)
    other.settle()
    assert other.document()["mechanism"] == page.document()["mechanism"]


def test_a_renamed_value_is_renamed_in_the_program(page: Explorer) -> None:
    page.at("tab-program").click()
    choose(page, "noisy-count")
    page.at("tab-tables").click()
    page.at("values").fill("nein, ja")
    page.at("values").press("Enter")
    page.told("yes is ja now, in 9 places")
    page.settle()
    assert page.document()["mechanism"] == {"program": from_template("noisy-count", ["nein", "ja"])}


def test_values_that_are_numbers_stay_in_the_program_and_the_page_says_so(page: Explorer) -> None:
    page.at("values").fill("0, 1")
    page.at("values").press("Enter")
    page.at("tab-program").click()
    choose(page, "noisy-count")
    page.at("tab-tables").click()
    page.at("values").fill("0, 2")
    page.at("values").press("Enter")
    page.told("The program is as it was")
    page.settle()
    assert page.document()["mechanism"] == {"program": from_template("noisy-count", [0, 1])}


@pytest.mark.sweep(0)
def test_it_is_accessible_with_and_without_a_refusal(page: Explorer) -> None:
    page.at("tab-program").click()
    found = {"no program": in_both_schemes(page.page)}
    page.fill("program-text", LAPLACE)
    found["refused"] = in_both_schemes(page.page)
    page.page.set_viewport_size({"width": NARROW, "height": 800})
    found["narrow"] = in_both_schemes(page.page) + too_wide(page.page)
    clean(found)
