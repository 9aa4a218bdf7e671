"""A notebook of the course run without a browser: what its cells show, and the names that they define."""

from __future__ import annotations

import importlib.util
import logging
from functools import cache
from pathlib import Path
from typing import Any

from verifier.errors import InputError
from verifier.wings.course.kernel import need_marimo


@cache
def run_notebook(path: Path) -> tuple[list[object], dict[str, Any]]:
    """Run a notebook once, and return what each cell shows, and the names that the cells define.

    Raises:
        NotInstalledError: where marimo is missing.
        InputError: where the file is no notebook.

    """
    need_marimo()
    logging.getLogger("marimo").setLevel(logging.ERROR)  # it warns of the titles that its own gallery reads
    spec = importlib.util.spec_from_file_location(f"course_{path.stem}", path)
    if spec is None or spec.loader is None:
        raise InputError("it cannot be run", where=str(path), wanted="a notebook of the course")
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    outputs, definitions = module.app.run()
    return list(outputs), dict(definitions)
