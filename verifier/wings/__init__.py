"""The wings: what is built on the core, which knows none of them.

A wing brings its questions, its commands and its pages; this list is all that the command line hears of it
(`verifier.cli.commands`). To add a command of a wing, name it here.

    families < search < exchange < implications < papers < explore, course < report

Each wing imports only those before it.
"""

from __future__ import annotations

from importlib import import_module
from typing import Any

from verifier.cli.commands import Command

COMMANDS = {
    "explore": Command(
        "Explore",
        "verifier.wings.explore.options:Explore",
        "verifier.wings.explore.command:explore",
        "Open the explorer: edit a model in the browser and see its answers. Nothing leaves this machine.",
        serves=True,
    ),
    "course": Command(
        "Explore",
        "verifier.wings.course.options:Course",
        "verifier.wings.course.command:course",
        "Open the course: notebooks to read and play with, or with --edit one to change. Needs the extra `course`.",
        serves=True,
    ),
    "grade": Command(
        "Explore",
        "verifier.wings.course.options:Grade",
        "verifier.wings.course.grade_command:grade",
        "Check sheets of the course again: each answer by its exercise, each model by the program. Needs `course`.",
    ),
    "search": Command(
        "Search",
        "verifier.wings.search.options:Search",
        "verifier.wings.search.command:search",
        "Find the smallest model that satisfies some statements and violates another, or that breaks a claim.",
    ),
    "worst": Command(
        "Search",
        "verifier.wings.search.options:Worst",
        "verifier.wings.search.worst.command:worst",
        "Find the mechanism that violates one definition most, among all that satisfy others, for the model's θ and B.",
    ),
    "convert": Command(
        "Search",
        "verifier.wings.exchange.options:Convert",
        "verifier.wings.exchange.command:convert",
        "Turn one definition's guarantee into another's: the smallest ε′ for which every ε-A mechanism is ε′-B.",
        example='pkdp convert np cdp two-bits-that-agree --epsilon "ln(2)" --set agree=3/4',
    ),
    "compose": Command(
        "Search",
        "verifier.wings.implications.compose.options:Compose",
        "verifier.wings.implications.compose.command:compose",
        "Run mechanisms several times on one database: ε and δ of all runs together, or beside k·ε, k·δ and Theorem 6.",
        example="pkdp compose one-coin --times 3",
    ),
    "relations": Command(
        "Papers",
        "verifier.wings.report.options:Relations",
        "verifier.wings.report.relations_command:relations",
        "Show what implies what, under which condition, and which model shows that something does not follow.",
    ),
    "claims": Command(
        "Papers",
        "verifier.wings.papers.ledger.options:Claims",
        "verifier.wings.papers.ledger.command:ledger",
        "Say which theorems of the papers hold, how badly the others fail, and what holds instead.",
    ),
    "report": Command(
        "Papers",
        "verifier.wings.report.options:Report",
        "verifier.wings.report.command:report",
        "Write the counterexample report: static HTML pages, Markdown, and without MODEL a page for each claim.",
    ),
}
"""The commands of the wings."""


def axioms_of(key: str) -> list[tuple[str, str]]:
    """What a card says of the axioms of a definition: each axiom, and whether it is proved, refuted or open."""
    items: list[tuple[str, str]] = import_module("verifier.wings.implications.axioms.sheets").card_items(key)
    return items


def subject_of_family(family: Any, max_rows: int) -> Any:
    """What answers `check`, `loss` and `acceptable` about a file with `[parameters]`."""
    return import_module("verifier.wings.families.subject").FamilySubject(family, max_rows)
