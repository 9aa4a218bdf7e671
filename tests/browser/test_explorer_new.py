"""New: a model of one's own in a minute, from a program, a rule of publication or a form, with its own values."""

from __future__ import annotations

import json

import pytest

from browser.conftest import Open
from browser.explorer import Explorer, agree
from browser.harness import clean, expect, in_both_schemes, too_wide
from verifier.wings.explore.mechanism_forms import from_template, rules_json

pytestmark = pytest.mark.xdist_group("explorer")


def test_a_program_is_begun_with_the_values_and_is_shown(page: Explorer) -> None:
    page.new("noisy-max", size="3", values="a, b")
    assert page.document()["mechanism"] == {"program": from_template("noisy-max", ["a", "b"])}
    assert page.document()["size"] == 3
    assert page.at("program-text").is_visible()
    agree(page, page.model())


def test_a_rule_of_publication_is_a_model(page: Explorer) -> None:
    rules = list(json.loads(rules_json()))
    assert "hide 0 to 9, then round to base 5" in rules
    for number in (0, len(rules) - 1):
        page.new(f"rule-{number}", size="3")
        assert page.document()["mechanism"] == {"kind": "tables", "rule": rules[number], "tables": [{"cells": ["yes"]}]}
        assert "`" not in page.page.locator("body").inner_text(), "code is marked in words that a person reads"
        assert page.page.locator(".problem:visible").count() == 0
    agree(page, page.model())


def test_a_form_is_begun_by_keys_alone_and_undo_takes_it_back(page: Explorer) -> None:
    first = page.saved()
    page.at("new-model").press("Enter")
    expect(page.at("new-blank")).to_be_focused()
    page.at("new-form-histogram").press("Enter")
    page.page.wait_for_selector("#new:not([open])", state="attached")
    page.settle()
    expect(page.at("cell-title")).to_be_focused()
    assert page.document()["mechanism"] == {"kind": "histogram"}
    page.click("undo")
    assert page.saved() == first


def test_what_is_no_model_is_said_and_nothing_opens(page: Explorer) -> None:
    first = page.saved()
    page.at("new-model").click()
    page.at("new-values").fill("a, a")
    page.at("new-blank").click()
    expect(page.at("new-said")).to_contain_text("a")
    assert page.at("new").is_visible()
    page.page.keyboard.press("Escape")
    assert page.saved() == first


@pytest.mark.sweep(0)
@pytest.mark.parametrize("width", [320, 768, 1280])
def test_it_is_accessible_and_fits(explorer: str, open_page: Open, width: int) -> None:
    page = Explorer(open_page(explorer, width=width).page)
    page.settle()
    page.at("new-model").click()
    clean({"new": in_both_schemes(page.page, "#new") + too_wide(page.page)})
