"""Another name for a value or an output: everything that names it follows, so that no verdict changes."""

from __future__ import annotations

import tomllib

import pytest

from browser.explorer import Explorer, agree

pytestmark = pytest.mark.xdist_group("explorer")
MODEL = """
title = "Named in many places"
size = 2
values = ["no", "yes"]

[[distribution]]
table = [
  { database = ["no", "no"], probability = "2/5" },
  { database = ["no", "yes"], probability = "1/10" },
  { database = ["yes", "no"], probability = "1/10" },
  { database = ["yes", "yes"], probability = "2/5" },
]

[mechanism]
table = [
  { database = ["no", "no"], outputs = { agree = "3/4", differ = "1/4" } },
  { database = ["yes", "yes"], outputs = { agree = "3/4", differ = "1/4" } },
]
otherwise = { agree = "1/4", differ = "3/4" }
then = [{ rows = [
  { input = "agree", outputs = { agree = "1/2", silent = "1/2" } },
  { input = "differ", outputs = { silent = "1" } },
] }]

[policy]
absent = "no"
sensitive = ["yes"]
graph = [["no", "yes"]]
fixed = ["no", "yes"]
attributes = { no = ["person", "no"], yes = ["person", "yes"] }
scale = [[["no", "yes"], "2"]]
image = { agree = "a", silent = "b" }
views = [{ agree = "no", silent = "yes" }]
"""
FIRST_TABLE = 'input[aria-label="Output differ"]'
LAST_TABLE = 'input[aria-label="Output agree"]'


def changed(text: str, *pairs: tuple[str, str]) -> dict[str, object]:
    for old, new in pairs:
        assert old in text
        text = text.replace(old, new)
    return tomllib.loads(text, parse_float=str)


def renamed(page: Explorer, where: str, place: int, name: str) -> None:
    page.page.locator(where).nth(place).fill(name)
    page.page.locator(where).nth(place).press("Enter")
    page.told(f"is {name} now")
    page.settle()


def test_an_output_is_renamed_in_its_table_and_in_the_step_that_follows(page: Explorer) -> None:
    page.load(MODEL)
    before = page.verdicts()
    renamed(page, FIRST_TABLE, 0, "other")
    assert page.document() == changed(MODEL, ("differ", "other"))
    assert page.verdicts() == before
    agree(page, page.model())
    page.click("undo")
    assert page.document() == changed(MODEL)


@pytest.mark.parametrize(("name", "said"), [("agree", "agree is another output of this table"), ("", "needs a name")])
def test_an_output_gets_no_name_of_another_one(page: Explorer, name: str, said: str) -> None:
    page.load(MODEL)
    page.page.locator(FIRST_TABLE).first.fill(name)
    page.page.locator(FIRST_TABLE).first.press("Enter")
    page.told(said)
    assert page.page.locator(FIRST_TABLE).first.input_value() == "differ"
    assert page.document() == changed(MODEL)


def test_an_output_of_the_last_step_is_renamed_in_the_policy(page: Explorer) -> None:
    page.load(MODEL)
    renamed(page, LAST_TABLE, 1, "told")
    expected = changed(
        MODEL,
        ('"agree", outputs = { agree', '"agree", outputs = { told'),
        ("image = { agree", "image = { told"),
        ("views = [{ agree", "views = [{ told"),
    )
    assert page.document() == expected
    assert page.page.locator(".problem:visible").count() == 0


def test_a_value_is_renamed_in_the_policy(page: Explorer) -> None:
    page.load(MODEL)
    before = page.verdicts()
    page.at("values").fill("no, ja")
    page.at("values").press("Enter")
    page.told("yes is ja now")
    page.settle()
    kept = (('["person", "ja"]', '["person", "yes"]'), ('silent = "ja"', 'silent = "yes"'))
    assert page.document() == changed(MODEL, ('"yes"', '"ja"'), ("yes = ", "ja = "), *kept)
    assert page.verdicts() == before
