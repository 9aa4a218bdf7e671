"""The course in a browser: every notebook runs to its end, its sliders change verdicts, and everybody can use it."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest

from browser.conftest import Open, need_browser
from browser.harness import NARROW, clean, in_both_schemes, pkdp, served, too_wide
from browser.notebook import OURS, Notebook
from verifier.course.files import notebooks

pytestmark = pytest.mark.xdist_group("course")


@pytest.fixture(scope="module")
def course() -> Iterator[str]:
    """The address of the course, as `pkdp course` serves it."""
    need_browser()
    with served(*pkdp("course", "--no-browser")) as address:
        yield address


@pytest.mark.parametrize("path", notebooks(), ids=lambda path: path.stem)
def test_a_notebook_runs_and_its_sliders_change_verdicts(course: str, open_page: Open, path: Path) -> None:
    notebook = Notebook(open_page().page)
    notebook.open(f"{course}/?file={path.name}")
    assert notebook.errors == []
    before, sliders = notebook.words(), notebook.page.locator("marimo-slider [role=slider]").count()
    assert before
    for slider in range(sliders):
        for key in ("Home", "End"):
            notebook.move(slider, key)
            if notebook.words() != before:
                break
        if notebook.words() != before:
            break
    assert notebook.words() != before
    assert notebook.errors == []
    found = {"wide": in_both_schemes(notebook.page, within=OURS)}
    notebook.page.set_viewport_size({"width": NARROW, "height": 900})
    found["narrow"] = too_wide(notebook.page)
    clean(found)
