"""Run a notebook of the course as its page shows it first, once."""

from typing import Any

from verifier.model.library import course_folder
from verifier.wings.course.cells import run_notebook

NOTEBOOKS = sorted(path.stem for path in course_folder().glob("[0-9]*.py"))


def run(name: str) -> tuple[list[object], dict[str, Any]]:
    """The outputs of all cells of `docs/course/NAME.py`, in their order, and its globals."""
    return run_notebook(course_folder() / f"{name}.py")
