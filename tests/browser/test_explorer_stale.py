"""What the explorer shows of the model before is grey from the first moment on, and its work can be given up."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

import pytest

import verifier as pk
from browser.conftest import Open
from browser.explorer import Explorer, agree
from browser.harness import NARROW, clean, expect, in_both_schemes, too_wide, until, violations
from verifier.show.sheet import NOT_TESTED, SIGNS

if TYPE_CHECKING:
    from playwright.sync_api import Route

pytestmark = pytest.mark.xdist_group("explorer")
DERIVED = ("verdict", "words", "profile", "why", "step-inferred", "passport", "about-model", "loss", "peek", "editors")
"""All that is worked out of a model; of the editors the marks of the worst case."""
PROBABILITY = "cell-distribution-0-table-0-probability"


class Gate:
    """Holds back the answers of the server, by subject, until they are let through."""

    def __init__(self, page: Explorer) -> None:
        self.page, self.shut = page, True
        self.held: list[Route] = []
        page.page.route(re.compile(r"/api/(answer|passport|loss)$"), self.came)

    def came(self, route: Route) -> None:
        """Keep a question waiting, or let it through."""
        if self.shut:
            self.held.append(route)
        else:
            route.continue_()

    def let(self, name: str) -> None:
        """Let the last question of one subject through."""
        until(self.page.page, lambda: any(one.request.url.endswith(name) for one in self.held), f"{name} is asked")
        [*_, last] = [one for one in self.held if one.request.url.endswith(name)]
        self.held.remove(last)
        last.continue_()

    def open(self) -> None:
        """Let all through, from now on."""
        self.shut = False
        while self.held:
            self.held.pop().continue_()


def grey(page: Explorer) -> set[str]:
    """What is marked as of the model before."""
    return {name for name in DERIVED if page.page.locator(f"[id='{name}'].late").count()}


def colour(page: Explorer, name: str) -> str:
    """The colour in which a verdict is written."""
    return str(page.at(name).locator(".verdict").first.evaluate("one => getComputedStyle(one).color"))


def test_an_answer_is_grey_as_soon_as_the_model_differs(page: Explorer) -> None:
    assert grey(page) == set()
    coloured = colour(page, "verdict"), colour(page, "step-inferred")
    gate = Gate(page)
    page.at("known-knowledge-0").uncheck()
    assert grey(page) == set(DERIVED)
    assert colour(page, "verdict") != coloured[0]
    assert colour(page, "step-inferred") != coloured[1]
    expect(page.at("working")).to_contain_text("Computing")
    expect(page.at("working")).to_contain_text("every definition")
    expect(page.at("step-inferred")).to_contain_text("working")
    expect(page.at("elapsed")).to_have_text(re.compile("[1-9] s"))
    assert violations(page.page, "#results", ("color-contrast", "aria-allowed-role")) == []
    gate.let("answer")
    expect(page.page.locator("#verdict:not(.late)")).to_have_count(1)
    assert grey(page) == {"passport", "about-model", "loss"}
    gate.open()
    page.settle()
    assert grey(page) == set()
    assert page.at("working").is_hidden()
    agree(page, page.model())


@pytest.mark.sweep(0)
def test_an_answer_to_an_older_model_is_never_shown(page: Explorer) -> None:
    gate = Gate(page)
    page.at("known-knowledge-0").uncheck()
    until(page.page, lambda: bool(gate.held), "something is asked")
    older = list(gate.held)
    gate.held.clear()
    page.at(PROBABILITY).fill("1/5")
    page.at("cell-distribution-0-table-1-probability").fill("3/10")
    for one in older:
        one.continue_()
    page.page.wait_for_timeout(400)
    assert grey(page) == set(DERIVED)
    gate.open()
    page.settle()
    assert grey(page) == set()
    agree(page, page.model())


@pytest.mark.sweep(0)
def test_another_question_leaves_what_does_not_depend_on_it(page: Explorer) -> None:
    gate = Gate(page)
    page.at("delta").fill("1/4")
    assert grey(page) == set(DERIVED) - {"profile", "loss"}
    page.at("row-dp").click()
    assert grey(page) == set(DERIVED) - {"loss"}
    gate.open()
    page.settle()
    assert grey(page) == set()


@pytest.mark.sweep(0)
def test_what_is_computed_can_be_given_up_and_asked_again(page: Explorer) -> None:
    before = page.verdicts()
    gate = Gate(page)
    page.at("known-knowledge-0").uncheck()
    page.at("cancel").click()
    expect(page.at("working")).to_contain_text("Cancelled")
    assert page.page.locator("html[data-asking]").count() == 0
    assert grey(page) == set(DERIVED)
    assert page.verdicts() == before
    expect(page.at("step-inferred")).to_contain_text("no answer")
    gate.open()
    page.at("compute").click()
    page.settle()
    assert grey(page) == set()
    model = page.model()
    assert page.verdicts() == {one.definition: one.verdict for one in pk.overview(model, epsilon="ln(2)", delta="0")}
    assert page.at("working").is_hidden()


@pytest.mark.sweep(0)
def test_a_model_that_gets_no_answer_stays_grey(page: Explorer) -> None:
    page.fill(PROBABILITY, "a third")
    assert grey(page) == set(DERIVED)
    expect(page.at("step-inferred")).to_contain_text("no answer")
    page.fill(PROBABILITY, "2/5")
    assert grey(page) == set()
    expect(page.at("step-inferred")).not_to_contain_text("no answer")


@pytest.mark.sweep(0)
def test_the_line_fits_a_phone(explorer: str, open_page: Open) -> None:
    page = Explorer(open_page(explorer, width=NARROW).page)
    page.settle()
    gate = Gate(page)
    page.at("known-knowledge-0").uncheck()
    expect(page.at("working")).to_contain_text("Computing")
    assert too_wide(page.page) == []
    expect(page.at("peek")).to_contain_text("working")
    gate.open()
    page.settle()
    expect(page.at("peek")).not_to_contain_text("working")


@pytest.mark.sweep(0)
def test_a_vacuous_answer_looks_like_no_pass(page: Explorer) -> None:
    page.click("known-knowledge-1")  # with record 0 all is known
    for name in ("np", "cdp"):
        page.click(f"row-{name}")
        assert agree(page, page.model()).verdict == "vacuous"
        row = page.at(f"row-{name}")
        assert row.locator("td").all_inner_texts() == ["○ vacuous", "–", "–"]
        assert page.at("sentence").inner_text() == NOT_TESTED
        shown = page.at("results").inner_text() + page.at("step-inferred").inner_text()
        assert "is enough" not in shown
        assert "are enough" not in shown
        assert "holds on" not in shown
        assert row.locator(".verdict").get_attribute("title") == SIGNS["vacuous"].sentence
    assert colour(page, "step-inferred") == colour(page, "verdict")
    clean({"vacuous": in_both_schemes(page.page, "#results")})
    page.at("open-help").click()
    assert page.page.locator("#signs dt").all_inner_texts() == [f"{sign.mark} {word}" for word, sign in SIGNS.items()]


@pytest.mark.sweep(0)
def test_a_definition_that_the_next_model_lacks_leaves_no_answer_behind(page: Explorer) -> None:
    """The passport of a model of one size does not list dps; what it chooses instead is asked for."""
    for name in ("LQS12/definition-3.6-copies", "relations/randomized-response"):
        page.example(name)
        page.settle()
        agree(page, page.model())
