"""The course in a browser: every notebook runs to its end, its sliders change verdicts, and everybody can use it."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest

from browser.conftest import Open, need_browser
from browser.harness import NARROW, clean, expect, free_port, in_both_schemes, pkdp, served, too_wide
from browser.notebook import OURS, Notebook
from verifier.wings.course.files import notebooks
from verifier.wings.course.grading import grade
from verifier.wings.course.submission_file import read_sheet

pytestmark = [pytest.mark.sweep(0), pytest.mark.xdist_group("course")]


@pytest.fixture(scope="module")
def course() -> Iterator[str]:
    """The address of the course, as `pkdp course` serves it."""
    need_browser()
    with served(*pkdp("course", "--no-browser", "--port", str(free_port()))) as address:
        yield address


@pytest.mark.parametrize("path", notebooks(), ids=lambda path: path.stem)
def test_a_notebook_runs_and_follows_its_sliders(course: str, open_page: Open, path: Path) -> None:
    notebook = Notebook(open_page().page)
    notebook.open(f"{course}{path.stem}/")
    assert notebook.errors == []
    said = notebook.said()
    if notebook.sliders.count():
        assert any(notebook.said() != said for _ in moves(notebook)), "no slider changes what the page says"
    assert notebook.errors == []
    found = {"wide": in_both_schemes(notebook.page, within=OURS)}
    notebook.page.set_viewport_size({"width": NARROW, "height": 900})
    found["narrow"] = too_wide(notebook.page)
    clean(found)


def test_a_slider_changes_a_verdict(course: str, open_page: Open) -> None:
    notebook = Notebook(open_page().page)
    notebook.open(f"{course}{notebooks()[0].stem}/")
    before = notebook.words()
    assert any(notebook.words() != before for _ in moves(notebook))


def test_the_start_page_is_the_course_and_leads_to_every_notebook(course: str, open_page: Open) -> None:
    page = open_page(course).page
    links = page.locator("ol a")
    assert [links.nth(k).get_attribute("href") for k in range(links.count())] == [
        f"{path.stem}/" for path in notebooks()
    ]
    assert page.get_by_text("After this notebook you can").count() == len(notebooks())
    found = {"start": in_both_schemes(page)}
    page.get_by_role("link", name="how to teach").click()
    expect(page.get_by_role("heading", name="Teaching with the course")).to_be_visible()
    found["lecturers"] = in_both_schemes(page)
    page.set_viewport_size({"width": NARROW, "height": 900})
    found["lecturers, narrow"] = too_wide(page)
    page.goto(course)
    found["start, narrow"] = too_wide(page)
    clean(found)
    page.keyboard.press("Tab")
    page.keyboard.press("Enter")
    expect(page.locator(".pk-head h1")).to_contain_text("Privacy loss")


def test_a_second_try_comes_before_the_answer_and_the_sheet_is_graded(
    course: str, open_page: Open, tmp_path: Path
) -> None:
    """By keyboard alone: a wrong answer, another, then the right one; the sheet is downloaded and checked again."""
    notebook = Notebook(open_page().page)
    notebook.open(f"{course}{notebooks()[0].stem}/")
    page = notebook.page
    task = page.locator(".pk-task").filter(has_text="a δ by hand")

    def answer(text: str, state: str) -> None:
        field = task.get_by_label("smallest δ")
        field.focus()
        field.fill(text)
        field.press("Tab")
        task.get_by_role("button", name="Check my answer").press("Enter")
        expect(task.locator(".pk-state")).to_have_text(state)

    solution = task.locator("summary", has_text="Open a solution")
    assert task.get_by_label("smallest δ").get_attribute("placeholder") == "a fraction"
    answer("0", "✗ Not yet")
    expect(task).to_contain_text("is too small")
    assert solution.count() == 0
    answer("1/3", "✗ Not yet")
    expect(solution).to_be_visible()
    assert "3/4 − 2 · 1/4" not in task.inner_text(), "it opens when the student opens it"
    answer("1/4", "✓ Right")
    expect(task).to_contain_text("3/4 − 2 · 1/4")
    assert notebook.errors == []
    clean({"exercise": in_both_schemes(page, within=OURS)})
    name = page.get_by_label("your name")
    name.fill("Ada Lovelace")
    name.press("Tab")
    with page.expect_download() as waiting:
        page.get_by_text("Download the sheet").click()
    path = tmp_path / waiting.value.suggested_filename
    waiting.value.save_as(path)
    assert path.name == "ada-lovelace-notebook-1.json"
    graded = grade(read_sheet(path))
    assert (graded.points, graded.as_handed_in) == (1, True)
    assert [answered.tries for answered in graded.answers] == [0, 3, 0]


def moves(notebook: Notebook) -> Iterator[None]:
    """Each slider to both ends."""
    for slider in range(notebook.sliders.count()):
        for key in ("Home", "End"):
            notebook.move(slider, key)
            yield
