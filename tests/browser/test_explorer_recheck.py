"""The explorer shows a verdict when it is decided, and the independent checker's word after: nothing waits for it."""

from __future__ import annotations

import json
import re
from typing import TYPE_CHECKING

import pytest

from browser.conftest import Open
from browser.explorer import Explorer, agree
from browser.harness import NARROW, clean, expect, in_both_schemes, too_wide, until

if TYPE_CHECKING:
    from playwright.sync_api import Route

pytestmark = pytest.mark.xdist_group("explorer")
WORD = "✓ re-checked by the independent checker"
OPEN = "… being re-checked by the independent checker"


class Checker:
    """Holds back what the independent checker says, until it is let through."""

    def __init__(self, page: Explorer) -> None:
        self.page, self.is_open = page, False
        self.held: list[Route] = []
        self.word: dict[str, object] = {}
        page.page.route(re.compile(r"/api/recheck$"), self.came)

    def came(self, route: Route) -> None:
        """Keep a question waiting, or answer it."""
        if self.is_open:
            self.answer(route)
        else:
            self.held.append(route)

    def answer(self, route: Route) -> None:
        """Let a question through, or answer it with the word that was given."""
        if self.word:
            route.fulfill(status=200, content_type="application/json", body=json.dumps(self.word))
        else:
            route.continue_()

    def let(self, **word: object) -> None:
        """Let the last question go on, and all that follow; with `word`, each is answered with it."""
        until(self.page.page, lambda: bool(self.held), "the checker is asked")
        self.is_open, self.word = True, word
        self.answer(self.held[-1])


def checked(page: Explorer) -> None:
    """Wait until the checker has said all that it is asked."""
    page.page.wait_for_selector("html:not([data-rechecking], [data-asking])", state="attached")


def test_the_verdict_is_there_before_the_checkers_word(page: Explorer) -> None:
    checked(page)
    checker = Checker(page)
    page.at("known-knowledge-0").uncheck()
    page.settle()
    agree(page, page.model())
    assert page.page.locator("#verdict.late, #witness.late, #passport.late").count() == 0
    expect(page.at("checked")).to_have_text(OPEN)
    expect(page.at("rechecked")).to_contain_text("being re-checked: 0 of 11")
    place = page.at("words").evaluate("one => one.offsetTop")
    page.page.locator("#lines summary").click()
    assert "not yet" in page.at("lines").inner_text()
    checker.let()
    checked(page)
    assert page.at("checked").inner_text() == WORD
    assert page.at("rechecked").inner_text() == f"{WORD}: 11 of 11 answers"
    assert "yes, by the independent checker" in page.at("lines").inner_text()
    assert page.page.evaluate("document.activeElement.closest('details')?.id") == "lines"
    assert page.at("words").evaluate("one => one.offsetTop") == place  # nothing jumps when the word comes


def test_a_word_that_is_there_at_once_does_not_flicker(page: Explorer) -> None:
    """Small models: the line keeps its text, grey for a moment, and never says that something is being re-checked."""
    checked(page)
    page.page.evaluate(
        """() => { window.said = [];
             const watch = () => window.said.push(document.getElementById("checked").textContent);
             const all = { childList: true, subtree: true };
             new MutationObserver(watch).observe(document.getElementById("checked"), all); }"""
    )
    page.fill("delta", "1/10")
    page.click("row-cdp")
    checked(page)
    assert page.at("checked").inner_text() == WORD
    assert page.page.locator("#checked.late").count() == 0
    assert set(page.page.evaluate("window.said")) <= {WORD, OPEN, ""}


def test_another_model_ends_the_work_of_the_checker(page: Explorer) -> None:
    """The question is withdrawn, its late word is not shown, and the next answer does not wait."""
    checked(page)
    ended: list[str] = []
    page.page.on("requestfailed", lambda request: ended.append(request.url))
    checker = Checker(page)
    page.at("known-knowledge-0").uncheck()
    page.settle()
    until(page.page, lambda: bool(checker.held), "the checker is asked")
    page.at("known-knowledge-0").check()
    until(page.page, lambda: any(url.endswith("/recheck") for url in ended), "the question is withdrawn")
    page.settle()
    agree(page, page.model())
    until(page.page, lambda: len(checker.held) > 1, "the checker is asked again")
    checker.let()
    checked(page)
    assert page.at("checked").inner_text() == WORD


def test_a_rejected_answer_is_marked(page: Explorer) -> None:
    checked(page)
    checker = Checker(page)
    page.fill("delta", "1/10")
    checker.let(definition="np", replayed=False, why="np: δ is another one")
    expect(page.at("checked")).to_contain_text("✗ rejected by the independent checker")
    expect(page.at("checked")).to_contain_text("np: δ is another one")
    assert page.page.locator("#verdict.rejected").count() == 1
    checked(page)
    assert "rejected" in page.at("rechecked").inner_text()
    clean({"rejected": in_both_schemes(page.page, "#results")})
    checker.word = {}
    page.fill("delta", "1/5")
    checked(page)
    assert page.at("checked").inner_text() == WORD
    assert page.page.locator("#verdict.rejected").count() == 0


def test_a_large_model_is_re_checked_when_a_person_asks(page: Explorer) -> None:
    page.example("DMKB20/example-7-twelve-voters")
    assert page.at("rechecked").inner_text() == ""
    assert "not re-checked yet" in page.at("checked").inner_text()
    page.at("recheck").click()
    expect(page.at("checked")).to_have_text(re.compile("re-checked by the independent checker|^not re-checked: "))


def test_who_listens_hears_of_which_definition_it_is(page: Explorer) -> None:
    """The live region of the verdict names the definition, and the checker's word has a region of its own."""
    for name, title in (("np", "noiseless privacy"), ("cdp", "causal differential privacy")):
        page.click(f"row-{name}")
        heard = page.at("verdict").evaluate("one => one.textContent")
        assert heard.startswith(f"{title}: ")
        assert page.verdict() in heard
    for name in ("verdict", "checked"):
        assert page.at(name).get_attribute("role") == "status"
    assert page.page.locator("#verdict #checked, #checked #verdict").count() == 0


@pytest.mark.sweep(0)
def test_the_words_fit_a_phone(explorer: str, open_page: Open) -> None:
    page = Explorer(open_page(explorer, width=NARROW).page)
    checked(page)
    clean({"narrow": [*in_both_schemes(page.page, "#results"), *too_wide(page.page)]})
