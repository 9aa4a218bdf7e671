"""The wings: what is built on the core, which knows none of them.

A wing brings its questions, its commands and its pages; this list is all that the command line hears of it
(`verifier.cli.commands`). To add a command of a wing, name it here.

    families, judges < search < exchange < implications < papers < explore, course < report

Each wing imports only those before it.
"""

from __future__ import annotations

from importlib import import_module
from typing import Any

from verifier.cli.commands import Command

COMMANDS = {
    "report": Command(
        "Papers",
        "verifier.wings.report.command:report",
        "Write the counterexample report: static HTML pages, Markdown, and without MODEL a page for each claim.",
    ),
    "relations": Command(
        "Papers",
        "verifier.wings.report.relations_command:relations",
        "Show what implies what, under which condition, and which model shows that something does not follow.",
    ),
    "convert": Command(
        "Search",
        "verifier.wings.exchange.command:exchange",
        "Turn one definition's guarantee into another's: the smallest ε′ for which every ε-A mechanism is ε′-B.",
        example='pkdp convert np cdp two-bits-that-agree --epsilon "ln(2)" --set agree=3/4',
        older="exchange",
    ),
    "compose": Command(
        "Search",
        "verifier.wings.implications.compose.command:compose",
        "Run a mechanism several times on one database: the exact privacy curve beside k·ε and k·δ, and Theorem 6.",
        example="pkdp compose one-coin --times 3",
    ),
    "search": Command(
        "Search",
        "verifier.wings.search.command:search",
        "Find the smallest model that satisfies some statements and violates another, or that breaks a claim.",
    ),
    "worst": Command(
        "Search",
        "verifier.wings.search.worst.command:worst",
        "Find the mechanism that violates one definition most, among all that satisfy others, for the model's θ and B.",
    ),
    "separate": Command(
        "Search",
        "verifier.wings.implications.separate:separate_command",
        "Say of each ordered pair of definitions: implied (with the proof), separated (by which model), or open.",
    ),
    "export": Command(
        "Trust",
        "verifier.wings.judges.command:export",
        "Write a certificate as a file for an external prover: SMT-LIB 2 for z3 and cvc5, or Coq (pkdp guide judges).",
    ),
    "crosscheck": Command(
        "Trust",
        "verifier.wings.judges.command:judge",
        "Check answers with external provers: z3, cvc5 and Coq.",
        older="judge",
    ),
    "explore": Command(
        "Explore",
        "verifier.wings.explore.command:explore",
        "Open the explorer: edit a model in the browser and see its answers. Nothing leaves this machine.",
        serves=True,
    ),
    "course": Command(
        "Explore",
        "verifier.wings.course.command:course",
        "Open the course: notebooks to read and play with, or with --edit one to change. Needs the extra `course`.",
        serves=True,
    ),
    "grade": Command(
        "Explore",
        "verifier.wings.course.grade_command:grade",
        "Check sheets of the course again: each answer by its exercise, each model by the program. Needs `course`.",
    ),
    "axioms": Command(
        "Papers",
        "verifier.wings.implications.axioms.command:axioms",
        "Derive from its parts whether a definition keeps post-processing, convexity and composition, beside Table 3.",
    ),
    "claims": Command(
        "Papers",
        "verifier.wings.papers.ledger.command:ledger",
        "Say which theorems of the papers hold, how badly the others fail, and what holds instead.",
        older="ledger",
    ),
}
"""The commands of the wings."""


def axioms_of(key: str) -> list[tuple[str, str]]:
    """What a card says of the axioms of a definition: each axiom, and whether it is proved, refuted or open."""
    items: list[tuple[str, str]] = import_module("verifier.wings.implications.axioms.command").card_items(key)
    return items


def subject_of_family(family: Any, max_rows: int) -> Any:
    """What answers `check`, `loss` and `acceptable` about a file with `[parameters]`."""
    return import_module("verifier.wings.families.subject").FamilySubject(family, max_rows)
