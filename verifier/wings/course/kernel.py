"""Where a notebook runs: inside marimo, where controls are live, or elsewhere, where they are as the code says."""

from __future__ import annotations

import sys
from types import ModuleType
from typing import NoReturn

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
