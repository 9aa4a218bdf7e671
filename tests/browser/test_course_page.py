"""The course in a browser: every notebook runs to its end, its sliders change verdicts, and everybody can use it."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest

from browser.conftest import Open, need_browser
from browser.harness import NARROW, clean, free_port, in_both_schemes, pkdp, served, too_wide
from browser.notebook import OURS, Notebook
from verifier.wings.course.files import notebooks

pytestmark = pytest.mark.xdist_group("course")


@pytest.fixture(scope="module")
def course() -> Iterator[str]:
    """The address of the course, as `pkdp course` serves it."""
    need_browser()
    with served(*pkdp("course", "--no-browser", "--port", str(free_port()))) as address:
        yield address


@pytest.mark.parametrize("path", notebooks(), ids=lambda path: path.stem)
def test_a_notebook_runs_and_follows_its_sliders(course: str, open_page: Open, path: Path) -> None:
    notebook = Notebook(open_page().page)
    notebook.open(f"{course}/?file={path.name}")
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
    notebook.open(f"{course}/?file={notebooks()[0].name}")
    before = notebook.words()
    assert any(notebook.words() != before for _ in moves(notebook))


def moves(notebook: Notebook) -> Iterator[None]:
    """Each slider to both ends."""
    for slider in range(notebook.sliders.count()):
        for key in ("Home", "End"):
            notebook.move(slider, key)
            yield
