"""Mechanisms of several parts are forms: each part with its kind, its keys and its steps."""

from __future__ import annotations

import pytest

from browser.conftest import Open
from browser.explorer import Explorer, agree
from browser.harness import clean, in_both_schemes, too_wide

pytestmark = pytest.mark.xdist_group("explorer")
OF_PARTS = ("all", "adaptive", "part", "choice", "apply", "k-anonymization", "tables")


def chosen(page: Explorer, name: str, kind: str) -> None:
    """Choose the kind of a mechanism, and wait for its answers."""
    page.at(name).select_option(kind)
    page.settle()


def test_every_kind_has_a_form_and_no_two_elements_one_id(page: Explorer) -> None:
    found: dict[str, list[str]] = {}
    for kind in OF_PARTS:
        chosen(page, "kind-mechanism", kind)
        form = page.page.locator("#part-mechanism")
        said = [] if "edited in the TOML tab" not in form.inner_text() else [form.inner_text()]
        ids = page.page.locator("#editors [id]").evaluate_all("all => all.map(one => one.id)")
        found[kind] = [*said, *{name for name in ids if ids.count(name) > 1}]
        found[kind] += page.page.locator("#part-mechanism .problem").all_inner_texts()
    clean(found)


def test_a_part_is_added_changed_and_removed(page: Explorer) -> None:
    chosen(page, "kind-mechanism", "all")
    page.click("add-mechanism-of")
    chosen(page, "kind-mechanism-of-2", "randomized-response")
    page.fill("cell-mechanism-of-2-keep", "1/3")
    page.page.get_by_role("button", name="Remove Part 2 of 3").click()
    page.settle()
    assert page.document()["mechanism"] == {
        "kind": "all",
        "of": [{"kind": "count", "value": "yes"}, {"kind": "randomized-response", "keep": "1/3"}],
    }
    agree(page, page.model())
    page.click("undo")
    assert len(page.document()["mechanism"]["of"]) == 3


def test_what_follows_depends_on_the_first_output(page: Explorer) -> None:
    chosen(page, "kind-mechanism", "adaptive")
    page.click("add-mechanism-next")
    chosen(page, "kind-mechanism-next-0", "parity")
    name = page.at("cell-mechanism-next-0-name")
    name.fill("2")
    name.press("Enter")
    page.settle()
    mechanism = page.document()["mechanism"]
    assert mechanism["next"] == {"2": {"kind": "parity", "value": "yes"}}
    assert mechanism["otherwise"] == {"kind": "identity"}
    agree(page, page.model())


def test_a_choice_has_weights_and_a_rule_is_in_words(page: Explorer) -> None:
    chosen(page, "kind-mechanism", "choice")
    page.fill("cell-mechanism-of-0-weight", "1/3")
    page.fill("cell-mechanism-of-1-weight", "2/3")
    agree(page, page.model())
    chosen(page, "kind-mechanism", "tables")
    page.click("add-mechanism-rule")
    page.fill("cell-mechanism-rule", "round to base 2 halves up")
    assert page.document()["mechanism"] == {
        "kind": "tables",
        "rule": "round to base 2 halves up",
        "tables": [{"cells": ["yes"]}],
    }
    agree(page, page.model())


@pytest.mark.sweep(0)
@pytest.mark.parametrize("width", [320, 768, 1280])
def test_they_are_accessible_and_fit(explorer: str, open_page: Open, width: int) -> None:
    page = Explorer(open_page(explorer, width=width).page)
    page.settle()
    found: dict[str, list[str]] = {}
    for kind in OF_PARTS:
        chosen(page, "kind-mechanism", kind)
        found[kind] = in_both_schemes(page.page, "#part-mechanism") + too_wide(page.page)
    clean(found)
