"""What is shown of the model before is grey at once, its work can be given up, and what was asked for last opens."""

from __future__ import annotations

import re
from collections.abc import Callable
from typing import TYPE_CHECKING

import pytest

import verifier as pk
from browser.conftest import Open
from browser.explorer import Explorer, agree
from browser.harness import NARROW, PATIENCE, clean, expect, in_both_schemes, too_wide, until, violations
from verifier.model.library import models_folder
from verifier.show.sheet import NOT_TESTED, SIGNS

if TYPE_CHECKING:
    from playwright.sync_api import Route

pytestmark = pytest.mark.xdist_group("explorer")
DERIVED = ("verdict", "words", "profile", "why", "step-inferred", "passport", "about-model", "loss", "peek", "editors")
"""All that is worked out of a model; of the editors the marks of the worst case."""
PROBABILITY = "cell-distribution-0-table-0-probability"
SLOW, QUICK, BEFORE = "DMKB20/example-4-repaired", "relations/randomized-response", "DMKB20/example-1-side"
"""Examples: one whose model comes late, one that is opened meanwhile, and one that was open before."""
SLOWLY = "/api/example.*example-4-repaired"
FILE = 'title = "A file"\n' + (models_folder() / f"{QUICK}.toml").read_text(encoding="utf-8").partition("\n")[2]


class Gate:
    """Holds back the answers of the server, by subject, until they are let through."""

    def __init__(self, page: Explorer, asked: str = "/api/(answer|passport|loss)$") -> None:
        self.page, self.shut = page, True
        self.held: list[Route] = []
        page.page.route(re.compile(asked), self.came)

    def came(self, route: Route) -> None:
        """Keep a question waiting, or let it through."""
        if self.shut:
            self.held.append(route)
        else:
            route.continue_()

    def holds(self, name: str) -> Route:
        """Wait for a question whose address ends so; the last one that is held."""
        until(self.page.page, lambda: any(one.request.url.endswith(name) for one in self.held), f"{name} is asked")
        return [one for one in self.held if one.request.url.endswith(name)][-1]

    def let(self, name: str) -> None:
        """Let the last question of one subject through."""
        last = self.holds(name)
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


# --- what was asked for last is opened --------------------------------------------------------------------------------


def title(name: str) -> str:
    """The title of an example."""
    return str(pk.read(models_folder() / f"{name}.toml").title)


def choose(page: Explorer, name: str) -> None:
    """Click an example in the menu, and wait for nothing."""
    if not page.at("examples").is_visible():
        page.at("open-examples").click()
    page.page.locator(f"#examples-list button[data-id='{name}']").click()


def stays(page: Explorer, gate: Gate, wanted: str) -> None:
    """Let what was held back come: the model that was asked for last is still open then."""
    page.shows(wanted)
    gate.open()
    page.settle()
    assert page.document().get("title", "Untitled model") == wanted
    agree(page, page.model())


def held(page: Explorer) -> Gate:
    """Click an example whose model comes late."""
    gate = Gate(page, SLOWLY)
    choose(page, SLOW)
    gate.holds("repaired")
    return gate


def upload(page: Explorer) -> None:
    """Choose a file instead of an example, and wait for nothing."""
    page.page.keyboard.press("Escape")
    page.at("file").set_input_files({"name": "mine.toml", "mimeType": "text/plain", "buffer": FILE.encode()})


def go_back(page: Explorer) -> None:
    """Go back instead of choosing an example."""
    page.page.keyboard.press("Escape")
    page.page.evaluate("history.back()")


def begin_new(page: Explorer) -> None:
    """Begin a new model instead of choosing an example."""
    page.page.keyboard.press("Escape")
    page.at("new-model").click()
    page.at("new-blank").click()


def test_of_two_examples_the_one_chosen_last_opens(page: Explorer) -> None:
    gate = held(page)
    choose(page, QUICK)
    stays(page, gate, title(QUICK))
    page.click("undo")
    assert page.document()["title"] == "Two friends who often agree"


LATER: dict[str, tuple[Callable[[Explorer], object], str]] = {
    "file": (upload, "A file"),
    "new": (begin_new, "Untitled model"),
    "back": (go_back, "Two friends who often agree"),
    "link": (lambda page: page.page.evaluate(f"location.hash = 'example={QUICK}'"), title(QUICK)),
    "first": (lambda page: page.page.locator("[data-pinned='two-friends']").click(), "Two friends who often agree"),
}


@pytest.mark.sweep(0)
@pytest.mark.parametrize("kind", LATER)
def test_an_example_that_comes_late_replaces_nothing_asked_for_since(page: Explorer, kind: str) -> None:
    ask, wanted = LATER[kind]
    page.example(BEFORE)
    gate = held(page)
    ask(page)
    stays(page, gate, wanted)


@pytest.mark.sweep(0)
def test_a_file_that_is_read_late_replaces_nothing_asked_for_since(page: Explorer) -> None:
    gate = Gate(page, "/api/read$")
    upload(page)
    gate.holds("read")
    choose(page, QUICK)
    stays(page, gate, title(QUICK))


@pytest.mark.sweep(0)
def test_a_typed_model_that_is_read_late_replaces_nothing_asked_for_since(page: Explorer) -> None:
    """The tab is left before the text is read, so that the text is not written anew."""
    gate = Gate(page, "/api/read$")
    page.at("tab-toml").click()
    page.settle()
    page.at("toml-text").fill(FILE)
    page.at("tab-tables").click()
    gate.holds("read")
    choose(page, QUICK)
    stays(page, gate, title(QUICK))


@pytest.mark.sweep(0)
def test_a_model_that_is_found_late_is_listed(page: Explorer) -> None:
    gate = Gate(page, "/api/find$")
    page.page.locator("#finder > summary").click()
    page.at("find-go").click()
    gate.holds("find")
    choose(page, QUICK)
    stays(page, gate, title(QUICK))
    expect(page.at("find-said")).to_contain_text("You opened another model meanwhile", timeout=4 * PATIENCE)
    page.settle()
    assert page.document()["title"] == title(QUICK)
    page.page.locator("#find-list button").click()
    page.settle()
    assert page.document()["title"] != title(QUICK)
    assert page.definition() == "cdp"
    agree(page, page.model())


@pytest.mark.sweep(0)
def test_an_example_replaces_a_link_that_the_page_begins_with(explorer: str, open_page: Open) -> None:
    """Back leads to the link, which is loaded then."""
    page = Explorer(open_page().page)
    gate = Gate(page, SLOWLY)
    page.page.goto(f"{explorer}#example={SLOW}")
    gate.holds("repaired")
    choose(page, QUICK)
    stays(page, gate, title(QUICK))
    page.page.go_back()
    page.settle_titled(title(SLOW))


@pytest.mark.sweep(0)
def test_where_nothing_could_be_opened_the_first_model_is(explorer: str, open_page: Open) -> None:
    """An example is chosen before the first model is there, and there is no such example any more."""
    page = Explorer(open_page().page)
    first, example = Gate(page, "/api/start$"), Gate(page, SLOWLY)
    page.page.goto(explorer)
    first.holds("start")
    choose(page, SLOW)
    route = example.holds("repaired")
    first.open()
    page.page.wait_for_timeout(200)
    assert page.page.locator("#passport-table").count() == 0
    route.fulfill(json={"problems": [{"path": None, "where": None, "message": "there is no such example"}]})
    page.told("Not opened")
    page.page.keyboard.press("Escape")
    page.settle_titled("Two friends who often agree")
