"""Packages that not every installation has: which extra brings each, and what to say where one is missing."""

from __future__ import annotations

from functools import cache
from importlib import import_module
from types import ModuleType

from verifier.errors import NotInstalledError
from verifier.version import VERSION

EXTRAS = {
    "matplotlib": "figures",
    "highspy": "linear",
    "distributed": "dask",
    "z3": "test",
}
"""The extra of the distribution `pkdp` that brings each module; `all` brings those of users.

z3 is asked by derivations in `proofs/` alone, which `pkdp claims --again` runs: no answer needs it."""


@cache
def has_numpy() -> bool:
    """Whether long columns of integers can be added by numpy; without it tables go row by row."""
    try:
        import_module("numpy")
    except ImportError:
        return False
    return True


def need(module: str, *others: str) -> ModuleType:
    """Import a module of an extra and return it; the others are needed beside it.

    >>> need("html").escape("<")
    '&lt;'

    Raises:
        NotInstalledError: where one of them is not installed; it says which extra brings it.

    """
    try:
        imported = [import_module(name) for name in (module, *others)]
    except ModuleNotFoundError as error:
        raise missing(error) or error from None
    return imported[0]


def missing(error: ModuleNotFoundError) -> NotInstalledError | None:
    """The refusal for a module that was not found: it names the extra that brings it; None where none does.

    >>> print(missing(ModuleNotFoundError(name="matplotlib.ext")).message)
    the package `matplotlib` is not installed
    """
    name = (error.name or "").partition(".")[0]
    if name not in EXTRAS:
        return None
    extra = EXTRAS[name]
    return NotInstalledError(
        f"the package `{name}` is not installed", wanted=f"the extra `{extra}`", tip=how_to_install(extra)
    )


def how_to_install(extra: str) -> str:
    """The commands that install an extra; the distribution is in no index, so they name a clone or a wheel.

    >>> how_to_install("figures").partition(";")[0]
    "in a clone: pip install '.[figures]'"
    """
    wheel = f"pkdp-{VERSION}-py3-none-any.whl"
    return f"in a clone: pip install '.[{extra}]'; with a wheel: pip install '{wheel}[{extra}]'"
