"""Packages that not every installation has: what they are for, and what to install where one is missing."""

from __future__ import annotations

from functools import cache
from importlib import import_module
from types import ModuleType

from verifier.errors import InputError

EXTRAS = {
    "jinja2": "report",
    "markupsafe": "report",
    "matplotlib": "report",
    "networkx": "report",
    "sympy": "derivations",
    "z3": "z3",
}
"""The extra of the package that brings a module."""


@cache
def has_numpy() -> bool:
    """Whether long columns of integers can be added by numpy; without it tables go row by row."""
    try:
        import_module("numpy")
    except ImportError:
        return False
    return True


def need(module: str) -> ModuleType:
    """Import a module of an extra.

    >>> need("html").escape("<")
    '&lt;'

    Raises:
        InputError: where it is not installed, with what to install.

    """
    try:
        return import_module(module)
    except ModuleNotFoundError as error:
        raise missing(error) or error from None


def missing(error: ModuleNotFoundError) -> InputError | None:
    """What to say of a module that was not found; None where no extra brings it.

    >>> print(missing(ModuleNotFoundError(name="sympy.core")))
    the package `sympy` is not installed. Tip: pip install 'pkdp-verifier[derivations]'.
    """
    name = (error.name or "").partition(".")[0]
    if name not in EXTRAS:
        return None
    return InputError(f"the package `{name}` is not installed", tip=f"pip install 'pkdp-verifier[{EXTRAS[name]}]'")
