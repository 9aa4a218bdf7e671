"""The definitions of DP22 on the page: a dimension is chosen, then a definition, and what it misses is put in."""

from __future__ import annotations

import pytest

import verifier as pk
from browser.explorer import Explorer
from browser.harness import clean, expect, in_both_schemes
from verifier.show.cards import in_dimension

pytestmark = pytest.mark.xdist_group("explorer")
ALONE = 'size = 2\nvalues = ["no", "yes"]\n[mechanism]\nkind = "randomized-response"\nkeep = "1/2"\n'


def choose(page: Explorer, letter: str) -> None:
    """List the definitions that change a dimension."""
    page.at("dimension").select_option(letter)
    page.settle()
    page.page.locator("#passport-table .verdict.null").first.wait_for(state="detached")


def test_a_definition_is_chosen_by_its_dimension_and_gets_what_it_misses(page: Explorer) -> None:
    page.load(ALONE)
    choose(page, "Q")
    listed = page.verdicts()
    assert set(listed) == {definition.key for definition in in_dimension("Q")}
    words = list(listed.values())
    assert set(words[words.index("unsupported") :]) == {"unsupported"}
    page.click("row-renyidp")
    assert page.verdict() == "unsupported"
    assert "needs `order` in [policy]" in page.at("verdict").inner_text()
    assert "Rényi" in page.at("definition-name").inner_text()
    assert page.page.locator("#beside math").count() > 0
    assert "It compares two neighbours" in page.at("card").inner_text()
    page.click("put-policy-order")
    assert page.page.evaluate("document.activeElement.id") == "cell-policy-order"
    assert page.document()["policy"] == {"order": 2}
    answer = pk.check(page.model(), "renyidp", epsilon="ln(2)")
    assert (page.verdict(), page.amount("ε")) == (answer.verdict, str(answer.tight_epsilon))
    page.fill("cell-policy-order", "3")
    page.press("cell-policy-order", "Tab")
    answer = pk.check(page.model(), "renyidp", epsilon="ln(2)")
    assert (page.document()["policy"], page.amount("ε")) == ({"order": 3}, str(answer.tight_epsilon))
    clean({"policy": in_both_schemes(page.page, "#part-policy")})
    page.click("add-policy-neighbours")
    assert page.document()["policy"] == {"order": 3, "neighbours": "change"}
    page.click("undo")
    page.page.get_by_label("Remove order from [policy]").click()
    page.settle()
    assert "policy" not in page.document()


@pytest.mark.sweep(0)
def test_a_list_is_edited_as_json_and_a_slip_is_shown_in_its_field(page: Explorer) -> None:
    page.load(ALONE + '[policy]\nsensitive = ["no"]\n')
    choose(page, "N")
    page.click("row-osdp")
    page.page.wait_for_selector("[id='cell-policy-sensitive']")
    page.fill("cell-policy-sensitive", '["no", "yes"]')
    page.press("cell-policy-sensitive", "Tab")
    assert page.document()["policy"] == {"sensitive": ["no", "yes"]}
    page.fill("cell-policy-sensitive", '["perhaps"]')
    page.press("cell-policy-sensitive", "Tab")
    assert page.at("cell-policy-sensitive").get_attribute("aria-invalid") == "true"
    assert "perhaps" in page.page.locator("#part-policy .problem").first.inner_text()
    page.click("undo")
    assert page.verdict() == pk.check(page.model(), "osdp", epsilon="ln(2)").verdict
    assert page.at("ask-points").count() == 0  # it has no δ, so that there is no curve


@pytest.mark.sweep(0)
def test_the_list_stays_where_it_was_scrolled_to(page: Explorer) -> None:
    page.load(ALONE)
    choose(page, "N")
    page.click("row-pfpr")
    before = page.page.evaluate("document.querySelector('#passport .many').scrollTop")
    page.fill("epsilon", "ln(3)")
    assert before > 0
    assert page.page.evaluate("document.querySelector('#passport .many').scrollTop") == before


@pytest.mark.sweep(0)
def test_a_link_brings_the_dimension_back(page: Explorer) -> None:
    page.load(ALONE)
    choose(page, "F")
    page.click("row-indpr")
    page.at("copy-link").click()
    page.told("copied")
    link = page.copied()
    page.page.goto("about:blank")
    page.page.goto(link)
    page.settle()
    expect(page.at("dimension")).to_have_value("F")  # the list of the dimensions comes by itself
    assert page.definition() == "indpr"
    choose(page, "")
    assert "np" in page.verdicts()
