"""Odd names are shown as they are, and a family is stepped through its parameters."""

from __future__ import annotations

import tomllib

import pytest

import verifier as pk
from browser.explorer import Explorer
from verifier.model.library import models_folder

pytestmark = pytest.mark.xdist_group("explorer")
MARKUP = "<img src=x onerror=alert(1)>"
ODD = f"""
title = "{MARKUP}"
notes = "{MARKUP}"
size = 1
values = ["{MARKUP}", "__proto__", "constructor", "a, b"]
[[distribution]]
name = "{MARKUP}"
iid = {{ "{MARKUP}" = "1/2", "__proto__" = "1/4", "constructor" = "1/8", "a, b" = "1/8" }}
[mechanism]
table = [
  {{ database = ["{MARKUP}"], outputs = {{ "__proto__" = "1/3", "{MARKUP}" = "2/3" }} }},
  {{ database = ["__proto__"], output = "constructor" }},
]
otherwise = "toString"
"""


def test_names_are_never_markup_and_never_lost(page: Explorer) -> None:
    page.load(ODD, "odd.toml")
    given = tomllib.loads(ODD)
    assert page.document() == given
    assert page.page.locator("main img").count() == 0
    law = page.page.locator("#law-distribution-0-iid input[data-kind=exact]")
    assert law.evaluate_all("all => all.map(one => one.value)") == ["1/2", "1/4", "1/8", "1/8"]
    for name, part in (("__proto__", "1/8"), ("constructor", "1/4")):
        law.nth(list(given["distribution"][0]["iid"]).index(name)).fill(part)
        page.settle()
    assert page.document()["distribution"][0]["iid"] == {
        **given["distribution"][0]["iid"],
        "__proto__": "1/8",
        "constructor": "1/4",
    }
    assert page.at("problems").is_hidden()
    page.at("values").press("End")
    page.at("values").press("Tab")
    assert page.document()["values"] == given["values"]
    assert page.verdicts()["np"] == pk.check(page.model(), "np", epsilon="ln(2)").verdict


@pytest.mark.sweep(0)
def test_a_family_is_stepped_through(page: Explorer) -> None:
    name = "family/thresholded-referendum"
    page.example(name)
    page.page.locator("#slide-parameter-p:enabled").wait_for()
    page.press("slide-parameter-p", "Home")
    page.press("slide-parameter-p", "ArrowRight")
    assert page.at("parameter-p").input_value() == "1/20"
    assert page.at("slide-parameter-p").get_attribute("aria-valuetext") == "1/20"
    member = tomllib.loads((models_folder() / f"{name}.toml").read_text(encoding="utf-8"))
    kept = {key: one for key, one in member.items() if key != "expect"}
    assert page.document() == kept
    text = page.saved().replace('"1 - p"', '"19/20"').replace('"p"', '"1/20"').split("[parameters]")
    one = pk.loads(text[0] + text[1].split("\n\n", 1)[1])
    wanted = {row.definition: row.verdict for row in pk.overview(one, epsilon="ln(2)", delta="0")}
    assert page.verdicts() == wanted
    page.fill("parameter-p", "2")
    assert page.at("parameter-p").get_attribute("aria-invalid") == "true"
    page.fill("parameter-p", "1/3")
    assert page.at("parameter-p").get_attribute("aria-invalid") is None
