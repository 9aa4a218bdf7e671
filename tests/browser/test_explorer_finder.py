"""Find a model: the next counterexample, step by step, and the examples that answer, with keys and at three widths."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

import pytest

import verifier as pk
from browser.conftest import Open
from browser.explorer import Explorer, agree
from browser.harness import PATIENCE, clean, expect, in_both_schemes, too_wide, until
from verifier.model.library import models_folder

if TYPE_CHECKING:
    from playwright.sync_api import Route

pytestmark = pytest.mark.xdist_group("explorer")


def opened(page: Explorer) -> None:
    page.page.locator("#finder > summary").click()
    page.at("find-go").wait_for()


def found(page: Explorer, number: int) -> None:
    """Wait for a model of that number, and for its answers."""
    expect(page.at("find-said")).to_contain_text(f"Number {number}: ", timeout=4 * PATIENCE)
    page.settle()


def test_the_next_counterexample_is_another_model_in_which_the_statement_holds(page: Explorer) -> None:
    first = page.document()["title"]
    opened(page)
    page.at("find-statement").press("Enter")
    found(page, 1)
    smallest = page.model()
    page.at("find-next").click()
    found(page, 2)
    second = page.model()
    assert smallest.text != second.text
    for model in (smallest, second):
        assert pk.check(model, "np", epsilon=0).verdict == "holds"
        assert pk.check(model, "cdp").verdict == "fails"
    agree(page, second)
    page.click("undo")
    page.click("undo")
    assert page.document()["title"] == first


def test_a_claim_without_a_counterexample_says_what_was_looked_at(page: Explorer) -> None:
    opened(page)
    page.at("find-statement").fill("dp(0) => cdp(0)")
    page.at("find-truth").select_option("false")
    for name in ("records", "outputs"):
        page.at(f"find-{name}").fill("1" if name == "records" else "2")
    page.at("find-go").click()
    expect(page.at("find-said")).to_contain_text("No such model among all 14 (40 with other names).", timeout=PATIENCE)
    expect(page.at("find-said")).to_contain_text("raise one number above: 2 records (")
    assert not page.at("find-next").is_visible()
    expect(page.at("find-go")).to_be_focused()


@pytest.mark.parametrize(
    ("statement", "truth", "question", "said"),
    [
        ("np(0, 1/3) and not np(0, 1/4)", "true", ("np", "0", "1/4"), "np(0, 1/3): holds, np(0, 1/4): fails."),
        ("np(e, d) => cdp(2*e, d/2)", "false", ("cdp", "0", "1/2"), "np(0, 1): holds, cdp(0, 1/2): fails."),
        ("np(0) and not cdp", "true", ("cdp", "", "0"), "np(0): holds, cdp: fails."),
    ],
)
def test_a_found_model_is_asked_what_the_statement_says(
    page: Explorer, statement: str, truth: str, question: tuple[str, str, str], said: str
) -> None:
    opened(page)
    page.at("find-statement").fill(statement)
    page.at("find-truth").select_option(truth)
    page.at("find-go").click()
    found(page, 1)
    expect(page.at("find-said")).to_contain_text(said)
    asked = page.page.evaluate("import('./static/store.js').then(({ store }) => store.question)")
    assert (asked["definition"], asked["epsilon"], asked["delta"]) == question
    assert (page.at("epsilon").input_value(), page.at("delta").input_value()) == question[1:]
    expect(page.at("verdict-word")).to_contain_text("fails")


def test_what_could_not_be_decided_is_named_with_its_reason(page: Explorer) -> None:
    opened(page)
    page.at("find-statement").fill("np(0) and not cdp")
    page.at("find-among").select_option("examples")
    page.at("find-go").click()
    fold = page.page.locator("#find-open details")
    expect(fold.locator("summary")).to_contain_text("could not be decided", timeout=16 * PATIENCE)
    fold.locator("summary").click()
    assert any(
        "atlas/one-coin" in line and "the model has none" in line for line in fold.locator("li").all_inner_texts()
    )


def test_it_stops_goes_on_and_refuses(page: Explorer) -> None:
    """The second step of the search never comes: a fast machine has not looked at all models before Stop is pressed."""
    opened(page)
    steps: list[Route] = []

    def came(route: Route) -> None:
        steps.append(route)
        if len(steps) != 2:
            route.continue_()

    page.page.route(re.compile(r"/api/find$"), came)
    page.at("find-statement").fill("independent => np(e) iff cdp(e)")
    page.at("find-truth").select_option("false")
    page.at("find-go").click()
    expect(page.at("find-said")).to_contain_text("looked at")
    until(page.page, lambda: len(steps) == 2, "the second step is asked")
    page.at("find-stop").click()
    expect(page.at("find-said")).to_contain_text("Stopped after")
    expect(page.at("find-next")).to_be_focused()
    page.at("find-statement").fill("np(0) and")
    assert not page.at("find-next").is_visible()
    page.at("find-go").click()
    expect(page.at("find-said")).to_contain_text("ends too early")
    expect(page.at("find-statement")).to_have_attribute("aria-invalid", "")
    page.at("find-statement").fill("np(0)")
    page.at("find-values").fill("5")
    page.at("find-go").click()
    expect(page.at("find-said")).to_contain_text("at most 100,000 here")


def test_examples_that_answer_are_listed_and_open(page: Explorer) -> None:
    opened(page)
    page.at("find-among").select_option("examples")
    assert not page.at("find-outputs").is_visible()
    page.at("find-go").click()
    first = page.page.locator("#find-list button").first
    first.wait_for(timeout=8 * PATIENCE)
    name = first.get_attribute("data-id")
    # In the page, at once: a fast machine may have looked through all examples, and then nothing is left to stop.
    page.page.evaluate("document.getElementById('find-stop').click()")
    first.click()
    page.told("Opened")
    page.settle()
    assert page.document()["title"] == pk.read(models_folder() / f"{name}.toml").title
    assert pk.check(page.model(), "np", epsilon=0).verdict == "holds"
    assert pk.check(page.model(), "cdp").verdict == "fails"
    assert page.model().size <= 2


@pytest.mark.sweep(0)
@pytest.mark.parametrize("width", [320, 768, 1280])
def test_it_is_accessible_and_fits(explorer: str, open_page: Open, width: int) -> None:
    page = Explorer(open_page(explorer, width=width).page)
    page.settle()
    opened(page)
    page.at("find-go").click()
    found(page, 1)
    clean({"finder": in_both_schemes(page.page, "#finder") + too_wide(page.page)})
