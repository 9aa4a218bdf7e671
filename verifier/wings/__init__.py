"""The wings: what is built on the core, which knows none of them.

A wing brings its questions, its commands and its pages; this list is all that the command line knows of it. To add a
command of a wing, name it here.
"""

from __future__ import annotations

from importlib import import_module
from typing import Any

COMMANDS = {
    "report": "verifier.wings.report.command:report",
    "relations": "verifier.wings.papers.relations.command:relations",
    "bound": "verifier.wings.papers.bounds.command:bound",
    "search": "verifier.wings.search.command:search",
    "worst": "verifier.wings.search.worst_command:worst",
    "separate": "verifier.wings.search.separate_command:separate",
    "export": "verifier.wings.judges.command:export",
    "judge": "verifier.wings.judges.command:judge",
    "explore": "verifier.wings.explore.command:explore",
    "figures": "verifier.wings.papers.figures.command:figures",
    "course": "verifier.wings.course.command:course",
    "ledger": "verifier.wings.papers.ledger.command:ledger",
}
"""Each command of a wing: the module, and the function in it."""


def family_commands() -> Any:
    """What answers `check`, `loss` and `acceptable` of a file with `[parameters]`: verifier.wings.families.command."""
    return import_module("verifier.wings.families.command")
