"""The course in a browser: the same pages from `pkdp course` and from a static host, where the program is in them."""

from __future__ import annotations

import re
from collections.abc import Iterator
from pathlib import Path
from typing import TYPE_CHECKING

import pytest

from browser.conftest import Open, need_browser
from browser.harness import NARROW, clean, expect, in_both_schemes, pkdp, served, too_wide, until
from browser.notebook import Notebook
from verifier.wings.course.files import notebooks
from verifier.wings.course.grading import grade
from verifier.wings.course.pages import address_of
from verifier.wings.course.submission_file import read_sheet

if TYPE_CHECKING:
    from playwright.sync_api import Route

pytestmark = [pytest.mark.sweep(0), pytest.mark.xdist_group("course")]
FIRST = address_of(notebooks()[0])


@pytest.fixture(scope="module")
def course() -> Iterator[str]:
    """The address of the course, as `pkdp course` serves it."""
    need_browser()
    with served(*pkdp("course", "--no-browser")) as address:
        yield address


@pytest.fixture
def opened(course: str, open_page: Open) -> Notebook:
    """The first notebook."""
    notebook = Notebook(open_page().page)
    notebook.open(f"{course}{FIRST}")
    return notebook


@pytest.mark.parametrize("path", notebooks(), ids=lambda path: path.stem)
def test_a_notebook_follows_its_sliders_and_everybody_can_use_it(course: str, open_page: Open, path: Path) -> None:
    notebook = Notebook(open_page().page)
    notebook.open(f"{course}{address_of(path)}")
    said = notebook.said()
    if notebook.sliders.count():
        assert any(notebook.said() != said for _ in moves(notebook)), "no slider changes what the page says"
    found = {"wide": in_both_schemes(notebook.page)}
    notebook.page.set_viewport_size({"width": NARROW, "height": 900})
    found["narrow"] = too_wide(notebook.page)
    clean(found)


def test_a_slider_changes_a_verdict_and_keeps_its_focus(opened: Notebook) -> None:
    before = opened.words()
    assert any(opened.words() != before for _ in moves(opened))
    opened.sliders.first.focus()
    for _ in range(5):
        opened.page.keyboard.press("ArrowRight")
    opened.settle()
    assert opened.sliders.first.evaluate("one => one === document.activeElement")
    value = opened.sliders.first.get_attribute("aria-valuetext")
    expect(opened.page.locator(".pk-control b").first).to_have_text(str(value))


def test_the_start_page_is_the_course_and_leads_to_every_notebook(course: str, open_page: Open) -> None:
    page = open_page(course).page
    links = page.locator("ol a")
    assert [links.nth(k).get_attribute("href") for k in range(links.count())] == [
        address_of(path) for path in notebooks()
    ]
    assert page.get_by_text("After this notebook you can").count() == len(notebooks())
    found = {"start": in_both_schemes(page)}
    page.set_viewport_size({"width": NARROW, "height": 900})
    found["start, narrow"] = too_wide(page)
    clean(found)
    links.first.press("Enter")
    expect(page.locator(".pk-head h1")).to_contain_text("Privacy loss")
    page.get_by_role("link", name="Explorer").click()
    page.get_by_role("link", name="Course").click()
    expect(page.locator("h1")).to_contain_text("Who learns what about you?")


def test_a_question_needs_no_program(opened: Notebook) -> None:
    """Its answer is folded until a choice was made; the choice stays through a reload."""
    question = opened.page.locator(".pk-q").first
    assert not question.locator(".pk-answer").is_visible()
    question.get_by_role("radio").nth(1).check()
    expect(question.locator(".pk-answer")).to_be_visible()
    opened.page.reload()
    expect(question.locator(".pk-answer")).to_be_visible()


def test_an_answer_says_at_once_that_it_is_checked(opened: Notebook) -> None:
    """In the box that screen readers follow; where the program fails, the box is as it was, and nothing was counted."""
    task = opened.task("a δ by hand")
    result = task.locator(".pk-result[aria-live=polite]")
    held: list[Route] = []
    refusal = {"problems": [{"message": "it is too busy", "tip": ""}]}
    is_busy = True

    def came(route: Route) -> None:
        """Keep the first question waiting, and refuse it and all others later."""
        if is_busy:
            held.append(route)
        else:
            route.fulfill(json=refusal)

    opened.page.route("**/api/course", came)
    task.get_by_label("smallest δ").fill("1/3")
    task.get_by_role("button", name="Check my answer").click()
    expect(result).to_have_text("Checking …", use_inner_text=True)
    clean({"checked": in_both_schemes(opened.page)})
    until(opened.page, lambda: bool(held), "the program is asked")
    is_busy = False
    for route in held:
        route.fulfill(json=refusal)
    opened.settle()
    expect(result).to_contain_text("Your turn", use_inner_text=True)
    opened.page.unroute("**/api/course")
    opened.answer("a δ by hand", "smallest δ", "0", "✗ Not yet")


def test_every_drawing_of_a_notebook_can_be_saved(opened: Notebook) -> None:
    """Also after a slider has changed it; the file is an SVG with the drawing's own text."""
    page = opened.page
    drawings = page.locator("main svg:is(.plot, .painted)").count()
    assert drawings == 2
    for _ in range(2):
        assert page.get_by_role("button", name=re.compile("Save .* as SVG")).count() == drawings
        assert page.get_by_role("button", name=re.compile("Save .* as PNG")).count() == drawings
        opened.move(0, "End")
    for kind in ("SVG", "PNG"):
        with page.expect_download() as waiting:
            page.get_by_role("button", name=re.compile(f"Save .* as {kind}")).first.click()
        assert re.fullmatch(rf"notebook-1-[\w-]+\.{kind.lower()}", waiting.value.suggested_filename)


def second_try(notebook: Notebook, tmp_path: Path) -> None:
    """A wrong answer, what cannot be read, another, then the right one; a reload; the sheet is checked again."""
    page, title, label = notebook.page, "a δ by hand", "smallest δ"
    solution = notebook.task(title).locator("summary", has_text="Open a solution")
    assert notebook.task(title).get_by_label(label).get_attribute("placeholder") == "a fraction"
    task = notebook.answer(title, label, "0", "✗ Not yet")
    expect(task).to_contain_text("is too small")
    assert solution.count() == 0
    notebook.answer(title, label, "a half", "This cannot be read")
    notebook.answer(title, label, "1/3", "✗ Not yet")
    expect(solution).to_be_visible()
    assert "3/4 − 2 · 1/4" not in task.inner_text(), "it opens when the student opens it"
    page.reload()
    expect(task.locator(".pk-state")).to_have_text("✗ Not yet")
    assert task.get_by_label(label).input_value() == "1/3"
    notebook.answer(title, label, "1/4", "✓ Right")
    expect(task).to_contain_text("3/4 − 2 · 1/4")
    clean({"exercise": in_both_schemes(page)})
    name = page.get_by_label("your name")
    name.fill("Ada Lovelace")
    name.press("Tab")
    notebook.settle()
    with page.expect_download() as waiting:
        page.get_by_text("Download the sheet").click()
    path = tmp_path / waiting.value.suggested_filename
    waiting.value.save_as(path)
    assert path.name == "ada-lovelace-notebook-1.json"
    graded = grade(read_sheet(path))
    assert (graded.points, graded.as_handed_in) == (1, True)
    assert [answered.tries for answered in graded.answers] == [0, 3, 0]
    page.get_by_role("button", name="anew").click()
    expect(task.locator(".pk-state")).to_have_text("Your turn")


def test_a_second_try_comes_before_the_answer_and_the_sheet_is_graded(opened: Notebook, tmp_path: Path) -> None:
    second_try(opened, tmp_path)


def test_the_same_from_a_static_host(page_address: str, open_page: Open, tmp_path: Path) -> None:
    """Python is in the page: it is loaded when somebody begins, and not before."""
    notebook, asked = Notebook(open_page().page), list[str]()
    notebook.page.on("request", lambda request: asked.append(request.url))
    notebook.open(f"{page_address}course/{FIRST}")
    assert not any(re.search(r"\.(wasm|zst|zip)$", url) for url in asked), "nothing of Python before a sign of interest"
    second_try(notebook, tmp_path)


def moves(notebook: Notebook) -> Iterator[None]:
    """Each slider to both ends."""
    for slider in range(notebook.sliders.count()):
        for key in ("Home", "End"):
            notebook.move(slider, key)
            yield
