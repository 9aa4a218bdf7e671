"""The forms of all kinds of mechanisms and of steps: each is chosen, and its keys are typed, ticked or chosen."""

from __future__ import annotations

import pytest
from examined import at_least_one

from browser.explorer import Explorer, agree
from verifier.model.read_mechanism import KINDS
from verifier.model.steps import STEPS

pytestmark = pytest.mark.xdist_group("explorer")


def begin(page: Explorer, kind: str, step: bool = False) -> None:  # noqa: FBT001, FBT002
    """Choose a kind, or add a step, and wait until the passport of the new model is there."""
    if step:
        page.at(f"then-{kind}-mechanism").click()
    else:
        page.at("kind-mechanism").select_option(kind)
    page.settle()


@pytest.mark.sweep(0)
def test_every_kind_begins_and_has_a_form(page: Explorer) -> None:
    page.fill("values", "1, 2")
    size = page.document()["size"]
    for kind, declared in at_least_one(KINDS.items()):
        begin(page, kind)
        assert page.document()["mechanism"] == {"kind": kind, **declared.example([1, 2], size)}
        form = page.page.locator("#part-mechanism .keys").first
        assert "TOML tab" not in form.inner_text()
        assert page.at("step-published").inner_text().strip(".")


def test_the_keys_of_a_form_are_those_of_the_file(page: Explorer) -> None:
    begin(page, "threshold-count")
    value = page.document()["values"][-1]
    page.fill("cell-mechanism-above", "0")
    page.fill("cell-mechanism-otherwise", "few")
    found = page.document()["mechanism"]
    assert found == {"kind": "threshold-count", "value": value, "above": 0, "otherwise": "few"}
    assert page.at("step-published").inner_text() == f"how many records are {value}, if more than 0, else few."
    agree(page, page.model())
    page.page.locator(f"[id='mechanism-value-{page.document()['values'][0]}']").check()
    page.settle()
    found = page.document()["mechanism"]
    assert (found["values"], "value" in found) == (page.document()["values"], False)
    begin(page, "k-anonymous-histogram")
    page.at("cell-mechanism-keep").select_option(">")
    page.settle()
    assert page.document()["mechanism"] == {"kind": "k-anonymous-histogram", "k": 2, "keep": ">"}


def test_a_key_that_can_be_given_in_several_ways(page: Explorer) -> None:
    """The way is chosen, with a first value; the other key is then gone."""
    begin(page, "randomized-response")
    assert "(keep = 1/2)" in page.at("step-published").inner_text()
    page.at("way-mechanism").select_option("epsilon")
    page.settle()
    assert page.document()["mechanism"] == {"kind": "randomized-response", "epsilon": "ln(3)"}
    page.fill("cell-mechanism-epsilon", "ln(2)")
    assert page.document()["mechanism"]["epsilon"] == "ln(2)"
    assert "(epsilon = ln(2))" in page.at("step-published").inner_text()
    agree(page, page.model())


@pytest.mark.sweep(0)
def test_every_step_begins_and_has_a_form(page: Explorer) -> None:
    begin(page, "identity")
    for number, (kind, declared) in enumerate(STEPS.items()):
        begin(page, kind, step=True)
        assert page.document()["mechanism"]["then"][number] == {"kind": kind, **declared.example([0, 1], 2)}
    page.fill("cell-mechanism-then-0-keep", "2/3")
    assert page.document()["mechanism"]["then"][0] == {"kind": "randomized-response", "keep": "2/3"}
