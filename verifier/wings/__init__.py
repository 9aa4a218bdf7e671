"""The wings: what is built on the core, which knows none of them.

A wing brings its questions, its commands and its pages; this list is all that the command line hears of it
(`verifier.cli.commands`). To add a command of a wing, name it here.

    families < search < exchange < implications < claim < compare < papers < teach < course < explore < report

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
        "Open the explorer: edit a model in your browser, watch its verdicts.",
        example="pkdp explore example-7-five-voters",
        serves=True,
    ),
    "course": Command(
        "Explore",
        "verifier.wings.course.options:Course",
        "verifier.wings.explore.command:course",
        "Open the course in your browser.",
        example="pkdp course",
        serves=True,
    ),
    "grade": Command(
        "Explore",
        "verifier.wings.course.options:Grade",
        "verifier.wings.course.grade_command:grade",
        "Grade what students hand in: sheets of the course, or answer codes.",
        example="pkdp grade QUESTION.toml CODES.txt --word lemon",
    ),
    "search": Command(
        "Search",
        "verifier.wings.search.options:Search",
        "verifier.wings.search.command:search",
        "Find the smallest model that satisfies some statements and violates another.",
        example='pkdp search --satisfies "np(e)" --violates "cdp(e)"',
    ),
    "worst": Command(
        "Search",
        "verifier.wings.search.options:Worst",
        "verifier.wings.search.worst.command:worst",
        "Find the mechanism that violates one definition most while satisfying others.",
        example='pkdp worst example-4-repaired --assuming "np(ln(2))" --maximise "cdp delta at ln(2)"',
    ),
    "best": Command(
        "Search",
        "verifier.wings.search.options:Best",
        "verifier.wings.search.worst.command:best",
        "Find the most accurate mechanism for a count or sum under definitions.",
        example='pkdp best example-7-five-voters --assuming "apkdp(ln(2), 1/10)" --loss absolute --value 1',
    ),
    "convert": Command(
        "Search",
        "verifier.wings.exchange.options:Convert",
        "verifier.wings.exchange.command:convert",
        "Convert one definition's guarantee into another's, exactly, over all mechanisms.",
        example='pkdp convert np cdp two-bits-that-agree --epsilon "ln(2)" --set agree=3/4',
    ),
    "compose": Command(
        "Search",
        "verifier.wings.implications.compose.options:Compose",
        "verifier.wings.implications.compose.command:compose",
        "Compute ε and δ of several runs together on one database.",
        example="pkdp compose one-coin --times 3",
    ),
    "compare": Command(
        "Check",
        "verifier.wings.compare.options:Compare",
        "verifier.wings.compare.command:compare",
        "Compare two mechanisms: same output distributions, post-processing, which is more private.",
        example="pkdp compare noisy-once noisy-twice",
    ),
    "relations": Command(
        "Papers",
        "verifier.wings.report.options:Relations",
        "verifier.wings.report.relations_command:relations",
        "Show which definitions imply which, and which models separate them.",
        example="pkdp relations np cdp",
    ),
    "claims": Command(
        "Papers",
        "verifier.wings.papers.ledger.options:Claims",
        "verifier.wings.papers.ledger.command:ledger",
        "Show which theorems of the papers hold, and what holds instead.",
        example='pkdp claims DMKB20 "Theorem 5"',
    ),
    "report": Command(
        "Papers",
        "verifier.wings.report.options:Report",
        "verifier.wings.report.command:report",
        "Write the counterexample report as HTML and Markdown pages.",
        example="pkdp report example-7-five-voters --output report",
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


def check_claims(files: Any, *, as_json: bool) -> int:
    """What answers `check --claims`."""
    status: int = import_module("verifier.wings.claim.command").check_claims(files, as_json=as_json)
    return status


def read_student_question(model: Any) -> None:
    """Read the statements of the question that a model file asks; one that is none is refused with its place."""
    import_module("verifier.wings.teach.command").read_question_of(model)


def check_answer(file: str, code: str, word: str, *, as_json: bool) -> int:
    """What answers `check --answer`."""
    status: int = import_module("verifier.wings.teach.command").check_answer(file, code, word, as_json=as_json)
    return status
