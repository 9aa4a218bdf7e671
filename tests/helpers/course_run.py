"""Run a notebook of the course headless, once."""

import importlib.util
from functools import cache
from typing import Any

from verifier.model.library import course_folder

NOTEBOOKS = sorted(path.stem for path in course_folder().glob("[0-9]*.py"))


@cache
def run(name: str) -> tuple[tuple[Any, ...], dict[str, Any]]:
    """The outputs of all cells of `docs/course/NAME.py`, in their order, and its globals."""
    spec = importlib.util.spec_from_file_location(f"course_{name}", course_folder() / f"{name}.py")
    assert spec is not None
    assert spec.loader is not None
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    outputs, defs = module.app.run()
    return tuple(outputs), dict(defs)
