"""What is built on the core declares here what it adds to the command line, which knows none of it.

The module that is named is loaded at the start, so it is a list of names and imports nothing: `COMMANDS` has each
command as in `verifier.cli.main`, `subject_of_family` answers about files with `[parameters]`, `axioms_of` adds to the
cards of definitions.
"""

from __future__ import annotations

from importlib import import_module
from typing import Any

DECLARED_IN = "verifier.wings"


def extension() -> Any:
    """The module that declares the additions."""
    return import_module(DECLARED_IN)
