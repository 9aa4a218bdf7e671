"""Where a notebook runs: inside marimo, where things are live, or elsewhere, where they are what the code says."""

from __future__ import annotations

import sys
from types import ModuleType
from typing import NoReturn

from verifier.errors import InputError

INSTALL = "pip install 'pkdp-verifier[course]'"


def live() -> ModuleType | None:
    """The module marimo where its kernel runs this notebook, else None; marimo is not imported for this."""
    module = sys.modules.get("marimo")
    return module if module is not None and module.running_in_notebook() else None


def need_marimo() -> ModuleType:
    """Import marimo, or say how to install it.

    Raises:
        InputError: where marimo is not installed.

    """
    try:
        import marimo
    except ImportError as error:
        raise InputError("marimo is not installed", wanted="marimo, which opens the notebooks", tip=INSTALL) from error
    return marimo


def stop(page: object) -> NoReturn:
    """End this cell and all that depend on it, showing `page` in its place (inside marimo only)."""
    marimo = need_marimo()
    marimo.stop(True, page)
    raise RuntimeError("marimo went on after stop")
