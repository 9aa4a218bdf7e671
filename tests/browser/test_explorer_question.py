"""A question in a link, in a browser: opened, answered and handed in; locked, hidden, and set by a lecturer."""

from __future__ import annotations

import re
from contextlib import nullcontext
from copy import deepcopy
from pathlib import Path
from typing import Any

import pytest

from browser.conftest import Open
from browser.explorer import Explorer
from browser.harness import NARROW, ROOT, WIDE, clean, expect, in_both_schemes, too_wide
from verifier.model.document import Document, document_of
from verifier.wings.explore.links import model_fragment
from verifier.wings.teach.grading import grade_codes
from verifier.wings.teach.packed import document_in
from verifier.wings.teach.question import open_question

pytestmark = pytest.mark.xdist_group("explorer")
LECTURE = ROOT / "docs" / "course" / "lecture"
VERDICTS = re.compile(r"\b(holds|fails|vacuous|smallest ε)\b")

LOOKS = """() => {
  const style = (one, of) => getComputedStyle(one, of);
  const border = (one) => ({ "border-left-width": style(one)["border-left-width"] });
  const badge = (part) => style(part.querySelector("h3"), "::after").content;
  const part = document.getElementById("part-mechanism");
  const parts = [...document.querySelectorAll("#editors .part")].filter((one) => one !== part).map(badge);
  return { "part-mechanism": badge(part), parts, locked: border(document.getElementById("values")),
    free: border(part.querySelector("td input[data-path]")) };
}"""
"""The badges of the parts of a model, and the frames of a field that is locked and of one that is not."""


def document(name: str) -> Document:
    return document_of(Path(LECTURE / f"{name}.toml").read_text(encoding="utf-8"))


@pytest.fixture
def ask(explorer: str, open_page: Open) -> Any:
    """Open the link of a question, and wait until it is shown."""

    def opened(asked: Document, **question: str) -> Explorer:
        page = Explorer(open_page(f"{explorer}#{model_fragment(asked, **question)}").page)
        page.at("asked-check").wait_for()
        page.page.wait_for_selector("html:not([data-asking])", state="attached")
        return page

    return opened


def check(page: Explorer) -> str:
    """Press Check; what it says: not what it said before, and what else the page asks is no answer to it."""
    page.page.evaluate(
        "() => document.querySelectorAll('#asked-result > *').forEach((one) => { one.dataset.before = ''; })"
    )
    page.at("asked-check").click()
    page.page.locator("#asked-result > p:not([data-before])").first.wait_for()
    return page.at("asked-result").inner_text()


def seen(page: Explorer) -> str:
    """All that a person or a screen reader is told, but for the question and the editors."""
    hidden = page.page.evaluate(
        """() => ["steps", "results", "why", "loss", "exchange", "told", "peek"].map((id) =>
        document.getElementById(id)).filter((one) => one.checkVisibility()).map((one) => one.innerText).join("\\n")"""
    )
    return f"{page.page.title()}\n{hidden}"


def graded(page: Explorer, asked: Document, word: str = "lemon") -> tuple[str, str, int, int]:
    """The code that the page shows, as `pkdp grade` decides it."""
    code = page.at("asked-code").input_value()
    (row,) = grade_codes([open_question(asked)], [(1, code)], word, nullcontext)
    return row.name, row.verdict, row.tries, row.looks


def sign(page: Explorer) -> None:
    page.at("asked-name").fill("Ada")
    page.at("asked-word").fill("Lemon")


def row(page: Explorer, count: int, output: str) -> None:
    page.page.locator(f"""[data-path='["mechanism","then",0,"rows",{count},"output"]']""").fill(output)


def test_a_goal_is_reached_by_a_change_and_handed_in(ask: Any) -> None:
    asked = document("08-np-content-cdp-not")
    page = ask(asked)
    assert asked["question"]["text"] in page.at("asked").inner_text()
    assert not VERDICTS.search(seen(page)), seen(page)
    sign(page)
    for count, output in enumerate("abb"):
        row(page, count, output)
    said = check(page)
    assert "Not yet" in said
    assert "✗ np(0) · np: smallest ε inf" in said
    assert "✓ not cdp" in said
    assert "She sees that with probability 1 if D(0) = 0, and never if D(0) = 1." in said
    assert page.page.locator("#asked-hints details").count() == 2
    assert not VERDICTS.search(seen(page)), "a wrong answer shows no verdict"
    assert graded(page, asked) == ("Ada", "wrong", 1, 0)
    row(page, 1, "c")
    expect(page.page.get_by_text("You have changed something since. Press Check again.")).to_be_visible()
    expect(page.at("asked-code")).to_be_hidden()
    row(page, 1, "b")
    expect(page.at("asked-code")).to_be_visible()
    page.at("asked-word").fill("Lime")
    expect(page.at("asked-code")).to_be_hidden()
    page.at("asked-word").fill("Lemon")
    for count, output in enumerate("xyx"):
        row(page, count, output)
    assert "Right" in check(page)
    page.settle()
    assert VERDICTS.search(seen(page))
    assert graded(page, asked) == ("Ada", "right", 2, 0)
    row(page, 2, "z")
    page.page.reload()  # at once: the address is written half a second later
    page.at("asked-check").wait_for()
    expect(page.page.locator("""[data-path='["mechanism","then",0,"rows",2,"output"]']""")).to_have_value("z")
    row(page, 2, "x")
    sign(page)
    assert "Right" in check(page)
    assert graded(page, asked) == ("Ada", "right", 3, 0), "the tries are kept through a reload"


def test_a_number_is_typed_after_a_look(ask: Any) -> None:
    asked = document("02-an-answer-that-may-be-a-lie")
    page = ask(asked)
    sign(page)
    page.at("asked-answer").fill("ln(2)")
    assert "✗ ln(2) is too small" in check(page)
    page.at("asked-look").click()
    page.settle()
    assert VERDICTS.search(seen(page))
    page.at("asked-answer").fill("ln(3)")
    assert "Right" in check(page)
    assert graded(page, asked) == ("Ada", "right", 2, 1)


def test_a_choice_is_made(ask: Any) -> None:
    asked = document("07-twins-even-or-odd")
    page = ask(asked)
    sign(page)
    page.page.get_by_label("NP", exact=True).check()
    assert "Not yet" in check(page)
    page.page.get_by_label("CDP", exact=True).check()
    assert "Right" in check(page)
    assert graded(page, asked) == ("Ada", "right", 2, 0)


def test_what_is_locked_cannot_be_changed(ask: Any) -> None:
    asked = document("08-np-content-cdp-not")
    page = ask(asked)
    probability = page.page.locator("""input.exact[data-path='["distribution",0,"table",0,"probability"]']""")
    expect(probability).to_have_attribute("readonly", "")
    assert page.at("size").get_attribute("readonly") == ""
    assert page.at("cell-title").get_attribute("readonly") == ""
    assert page.at("add-distribution").is_disabled()
    page.page.keyboard.press("Control+z")
    assert page.at("asked").is_visible(), "there is nothing before the question"
    part = "What is published › Then, step 1: by a table › From an output to what becomes of it"
    expect(page.at("asked")).to_contain_text(f"You may change: {part}. All else is locked.")
    looks = page.page.evaluate(LOOKS)
    assert looks.pop("part-mechanism") == '"change what has a frame"'
    assert set(looks.pop("parts")) == {'"locked"'}
    assert looks["locked"]["border-left-width"] == "0px" != looks["free"]["border-left-width"]
    page.at("tab-toml").click()
    expect(page.at("toml-text")).to_have_value(re.compile("NP content"))
    before = page.at("toml-text").input_value()
    assert "question" not in before, "the hints and the goal are not read before they are asked for"
    expect(page.at("toml-asked")).to_be_visible()
    page.at("toml-text").fill(before.replace('probability = "1/2"', 'probability = "1"', 1).replace('"1/2"', '"0"', 1))
    page.told("This part of the model is locked")
    expect(page.at("toml-text")).to_have_value(before)
    assert page.document()["distribution"] == asked["distribution"]
    page.at("toml-text").fill(before.replace('"one"', '"uno"'))
    output = page.page.locator("""[data-path='["mechanism","then",0,"rows",1,"output"]']""")
    expect(output).to_have_value("uno")  # in the tables, which are hidden here: the text is read
    changed = deepcopy(asked["mechanism"])
    changed["then"][0]["rows"][1]["output"] = "uno"
    assert page.document() == {**{key: asked[key] for key in asked if key != "question"}, "mechanism": changed}
    page.at("toml-text").fill(
        page.at("toml-text").input_value() + '[question]\ntext = "x"\ngoal = "np"\nchange = ["size"]'
    )
    page.told("This part of the model is locked")


def test_a_lecturer_sets_a_question(page: Explorer, open_page: Open) -> None:
    page.example("DMKB20/example-7-five-voters")
    page.at("set-question").click()
    live = page.at("setting-live")
    part = page.page.get_by_label("What is published › above")
    asked, statement = page.at("setting-text"), page.at("setting-statement")
    for words, field in (("Write what you ask.", asked), ("Write the statement", statement), ("Tick what", part)):
        expect(live).to_contain_text(words)
        page.at("setting-copy").click()
        page.told(words)
        field.check() if field == part else field.fill("np(0)")
    asked.fill("Let NP hold.")
    page.at("setting-statement").fill("np(0) und")
    expect(page.at("setting-live")).to_contain_text("“Statement”: `und` at character 7")
    page.at("setting-statement").fill("np(0)")
    expect(page.at("setting-live")).to_contain_text("✗ np(0)")
    expect(page.at("setting-live")).to_contain_text("No try has reached the goal yet")
    page.at("setting-statement").fill("not np(0)")
    expect(page.at("setting-live")).to_contain_text("The goal is true already")
    page.at("setting-statement").fill("np(0) and not np(0)")  # what reached another goal shows nothing about this one
    expect(page.at("setting-live")).to_contain_text("No try has reached the goal yet")
    page.at("setting-statement").fill("not np(0)")
    expect(page.at("setting-live")).to_contain_text("The goal is true already")
    page.at("setting-copy").click()
    page.told("Link of the question copied")
    student = Explorer(open_page(page.copied()).page)
    student.at("asked-check").wait_for()
    assert "Let NP hold." in student.at("asked").inner_text()
    assert not VERDICTS.search(seen(student))


def test_the_form_shows_what_can_be_written(page: Explorer) -> None:
    """Each example is taken over by its button, and can be read."""
    page.example("DMKB20/example-7-five-voters")
    page.at("set-question").click()
    page.at("setting-text").fill("Why?")
    page.page.get_by_label("What is published › above").check()
    for kind, most in (("goal", 4), ("number", 2), ("choices", 2)):
        page.at("setting-kind").select_option(kind)
        examples = page.page.locator("#setting-examples button")
        assert examples.count() == most
        for one in examples.all():
            one.click()
            page.page.wait_for_selector("html:not([data-asking])", state="attached")
            if kind != "choices" or one == examples.last:
                expect(page.page.locator("#setting-live .problem, #setting-live > .note:only-child")).to_have_count(0)
    expect(page.at("setting-choices")).to_have_value(re.compile("NP = not np.*\nnobody = np"))
    expect(page.at("setting-help")).to_contain_text("dp np apkdp ppkdp cdp")


def test_notes_of_an_example_stay_at_home_until_they_are_sent_along(page: Explorer, open_page: Open) -> None:
    page.example("DMKB20/example-7-five-voters")
    page.at("set-question").click()
    page.at("setting-text").fill("Let NP fail.")
    page.page.get_by_label("What is published › above").check()
    page.at("setting-statement").fill("not np(0)")
    notes = page.page.get_by_label("Send the notes of the model along")
    expect(notes).not_to_be_checked()
    for sent in (False, True):
        notes.set_checked(sent)
        page.at("setting-copy").click()
        page.told("Link of the question copied")
        link = page.copied()
        page.page.evaluate("document.getElementById('told').textContent = ''")
        document = document_in(link)
        assert ("notes" in document) == sent
        assert "expect" not in document, "the verdicts that the example promises"
        student = Explorer(open_page(link).page)
        student.at("asked-check").wait_for()
        assert student.page.locator("#notes[open]").count() == sent, "notes of a link are open"


def test_a_question_that_is_set_anew_keeps_what_the_form_has_no_field_for(ask: Any) -> None:
    asked = document("08-np-content-cdp-not")
    asked["question"] |= {"limit": {"outputs": 3}, "hide": ["verdict"]}
    page = ask(asked)
    page.at("set-question").click()
    expect(page.at("setting-live")).to_contain_text("np(0)")
    for kept in (True, False):
        page.page.get_by_label("Keep what the form has no field for: limit").set_checked(kept)
        page.page.wait_for_selector("html:not([data-asking])", state="attached")
        page.page.evaluate("navigator.clipboard.writeText('')")
        page.at("setting-copy").click()
        page.page.wait_for_function("async () => await navigator.clipboard.readText() !== ''")
        page.told("Link of the question copied")
        found = document_in(page.copied())["question"]
        assert (found.get("limit"), found["hide"]) == ({"outputs": 3} if kept else None, ["verdict"])


def test_a_form_that_is_tried_as_a_student_is_there_again_after_back(page: Explorer) -> None:
    page.example("DMKB20/example-7-five-voters")
    page.at("set-question").click()
    page.at("setting-text").fill("Let NP hold.")
    page.page.get_by_label("What is published › above").check()
    page.at("setting-statement").fill("np(0)")
    page.at("setting-hints").fill("One.\nTwo.")
    page.at("setting-try").click()
    page.at("asked-check").wait_for()
    page.page.get_by_label("the count is shown if it is more than this", exact=True).fill("5")
    assert "Right" in check(page)
    page.page.go_back()
    expect(page.at("setting-text")).to_have_value("Let NP hold.")
    expect(page.at("setting-live")).to_contain_text("You reached the goal before")
    page.page.reload()
    expect(page.at("setting-text")).to_have_value("Let NP hold.")
    expect(page.at("setting-statement")).to_have_value("np(0)")
    expect(page.at("setting-hints")).to_have_value("One.\nTwo.")
    expect(page.page.get_by_label("What is published › above")).to_be_checked()
    assert page.at("asked").count() == 0


def test_the_question_is_accessible_and_fits(ask: Any) -> None:
    page = ask(document("08-np-content-cdp-not"))
    sign(page)
    check(page)
    clean({"question": in_both_schemes(page.page)})
    page.at("asked-word").fill("Lime")
    clean({"an answer that was changed": in_both_schemes(page.page, "#asked")})
    page.page.set_viewport_size({"width": NARROW, "height": 800})
    assert too_wide(page.page) == []
    page.page.set_viewport_size({"width": WIDE, "height": 800})
    page.at("set-question").click()
    page.at("setting").wait_for()
    clean({"form": in_both_schemes(page.page)})
    for width in (320, NARROW, 800, 1000, 1280):
        page.page.set_viewport_size({"width": width, "height": 800})
        assert too_wide(page.page) == []


def test_no_link_is_made_before_the_program_has_read_the_question(page: Explorer) -> None:
    """Whoever types and copies at once gets the link, or the sentence that says what is wrong."""
    page.example("DMKB20/example-7-five-voters")
    page.at("set-question").click()
    page.at("setting-text").fill("Let NP hold.")
    page.page.get_by_label("What is published › above").check()
    page.at("setting-statement").fill("np(0)")
    expect(page.at("setting-live")).to_contain_text("No try has reached the goal yet")
    page.page.evaluate("navigator.clipboard.writeText('nothing')")
    at_once = """([statement, button]) => {
      const field = document.getElementById("setting-statement");
      field.value = statement;
      field.dispatchEvent(new Event("input", { bubbles: true }));
      document.getElementById(button).click();
    }"""
    page.page.evaluate(at_once, ["np(0) und", "setting-copy"])
    page.told("`und` at character 7")
    assert page.copied() == "nothing"
    page.page.evaluate(at_once, ["np(0) and np(0)", "setting-copy"])
    page.told("Link of the question copied")
    assert document_in(page.copied())["question"]["goal"] == "np(0) and np(0)"


@pytest.mark.parametrize("kind", ["number", "choices"])
def test_an_unfinished_form_keeps_its_kind_after_a_reload(page: Explorer, kind: str) -> None:
    page.at("set-question").click()
    page.at("setting-kind").select_option(kind)
    page.at("setting-hide").uncheck()
    page.page.reload()
    expect(page.at("setting-kind")).to_have_value(kind)
    expect(page.at("setting-hide")).not_to_be_checked()
    expect(page.at("setting-statement")).to_be_visible(visible=kind == "number")


def test_two_forms_at_one_address_are_two(page: Explorer) -> None:
    """A draft is no part of the address: each entry of the tab's history keeps its own, whatever was left last.

    The page is left for one of the same host. Another one may be opened before the browser tells this page that it was
    left, and then the next visit may come before the draft is kept: no person is as fast.
    """
    address = page.page.url.partition("#")[0]
    empty = '<!doctype html><title>elsewhere</title><link rel="icon" href="data:,">'
    page.page.route("**/elsewhere", lambda route: route.fulfill(content_type="text/html", body=empty))
    for text in ("What does Anna learn?", "What does Berta learn?"):
        page.page.goto(address)
        page.settle()
        page.at("set-question").click()
        expect(page.at("setting-text")).to_have_value("")  # a page that is opened anew begins anew
        page.at("setting-text").fill(text)
        page.page.goto(f"{address}elsewhere")
    page.page.go_back()
    expect(page.at("setting-text")).to_have_value("What does Berta learn?")
    page.page.reload()
    expect(page.at("setting-text")).to_have_value("What does Berta learn?")
    page.page.go_back()
    page.page.go_back()
    expect(page.at("setting-text")).to_have_value("What does Anna learn?")
