"""Where a notebook runs: inside marimo, where controls are live, or elsewhere, where they are as the code says.

Elsewhere it runs without a browser: what its cells show, and the names that they define (`run_notebook`).
"""

from __future__ import annotations

import importlib.util
import logging
import sys
from functools import cache
from pathlib import Path
from types import ModuleType
from typing import Any, NoReturn

from verifier.errors import InputError
from verifier.machine.extras import need


def live() -> ModuleType | None:
    """Return the module marimo where its kernel runs this notebook, else None; this does not import it."""
    module = sys.modules.get("marimo")
    return module if module is not None and module.running_in_notebook() else None


def need_marimo() -> ModuleType:
    """Import marimo, which opens the notebooks.

    Raises:
        NotInstalledError: where it is not installed.

    """
    return need("marimo")


def stop(page: object) -> NoReturn:
    """End this cell and all that depend on it, showing `page` in its place (inside marimo only)."""
    marimo = need_marimo()
    marimo.stop(True, page)
    raise RuntimeError("marimo went on after stop")


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
