"""The numbered statements as tables, and the smallest counterexamples of those that fail."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from textwrap import shorten

from verifier.model import Model, read
from verifier.model.library import LISTED, models_folder
from verifier.numbers import NO_VALUE, plural, verdict_count
from verifier.show.facts import model_facts
from verifier.show.model_tables import step_sheets, world_sheets
from verifier.show.sheet import Sheet, Word
from verifier.wings.papers.ledger.criterion import BUT_FOR_AN_EDGE, FAILS, HOLDS
from verifier.wings.papers.ledger.statements import RESTORED, WORDS, Failure, Statement

MOST_LISTED = 120
"""The most characters of a sentence in a list of statements."""
FACTS = ("what", "in the model")
AT_SIZE = "At a size of practice"
"""What begins a line on what a bound gives at a size that somebody may have."""
FULL = ("statement", "verdict", "smallest counterexample", "what holds instead", "known by")


def short_sheets(listed: Sequence[Statement], *, instead: bool) -> list[Sheet]:
    """The tables of statements for a terminal, one for each paper: the verdict and what each statement says.

    With `instead` they show what holds instead of those that fail. A long sentence is cut, and marked with `…`.
    """

    def cells(statement: Statement) -> tuple[str, ...]:
        repairs = " ".join(part_text(statement, failure, failure.instead) for failure in statement.failures)
        text = (repairs or NO_VALUE) if instead else statement.entry.statement
        return statement.entry.claim, _verdict(statement), shorten(text, MOST_LISTED, placeholder=" …")

    return _sheets(listed, (*FULL[:2], FULL[3] if instead else "in our words"), cells)


def full_sheets(listed: Sequence[Statement]) -> list[Sheet]:
    """The tables of statements, one for each paper: the verdict of each, how it fails, and what holds instead."""
    return _sheets(listed, FULL, _row)


def _sheets(
    listed: Sequence[Statement], columns: tuple[str, ...], cells: Callable[[Statement], tuple[str, ...]]
) -> list[Sheet]:
    """A table for each paper, with a row for each of its statements."""
    return [
        Sheet(paper, columns, tuple(map(cells, of_paper)), notes=(count_text(of_paper),), keys=(("paper", paper),))
        for paper, of_paper in by_paper(listed)
    ]


def by_paper(listed: Sequence[Statement]) -> list[tuple[str, list[Statement]]]:
    """The statements by their papers, in the order of the papers."""
    papers = dict.fromkeys(statement.entry.paper for statement in listed)
    return [(paper, [statement for statement in listed if statement.entry.paper == paper]) for paper in papers]


def count_text(listed: Sequence[Statement]) -> str:
    """The number of statements with each verdict, in words.

    >>> count_text([])
    '0 numbered statements'
    """
    counts = {word: sum(statement.verdict == word for statement in listed) for word in WORDS}
    said = ", ".join(verdict_count(count, word) for word, count in counts.items() if count)
    return plural(len(listed), "numbered statement") + (f": {said}" if said else "")


def meaning_lines(listed: Sequence[Statement]) -> list[str]:
    """The meanings of the verdicts of these statements, a line each; `holds` and `fails` need none."""
    words = dict.fromkeys(statement.verdict for statement in listed)
    return [f"{word}: {WORDS[word]}." for word in WORDS if word in words and word not in {HOLDS, FAILS}]


def _verdict(statement: Statement) -> str:
    """The verdict with how badly the statement fails."""
    how_badly = {BUT_FOR_AN_EDGE: "", RESTORED: statement.badly, FAILS: statement.badly}
    failing = how_badly.get(statement.verdict, "")
    return f"{statement.verdict}{_joint(statement.verdict)}{failing}" if failing else Word(statement.verdict)


def _joint(verdict: str) -> str:
    """What stands between a word and how badly what is printed fails: a restored statement does not fail itself."""
    return ": " if verdict == FAILS else "; as printed it fails: "


def _row(statement: Statement) -> tuple[str, ...]:
    shown = [part_text(statement, failure, failure.shown) for failure in statement.failures]
    instead = [part_text(statement, failure, failure.instead) for failure in statement.failures]
    return (
        statement.entry.claim,
        _verdict(statement),
        "\n".join(shown) or NO_VALUE,
        "\n".join(instead) or NO_VALUE,
        known_text(statement),
    )


def part_text(statement: Statement, failure: Failure, text: str) -> str:
    """The sentence `text` about a failure, after the name of the part where the statement has several failures."""
    if len(statement.failures) < 2:
        return text
    return f"{part_of(statement, failure)}: {text}"


def part_of(statement: Statement, failure: Failure) -> str:
    """The name of the part that a failure is about; the name of the statement where it has no parts."""
    named = [row.reading.part for row in statement.rows_of(failure) if row.reading.part]
    return named[0] if named else statement.entry.claim


def known_text(statement: Statement) -> str:
    """The kinds of evidence for the verdict and, where the statement fails, for what holds instead."""
    text = ", ".join(statement.known_by) or NO_VALUE
    repairs = dict.fromkeys(kind for failure in statement.failures for kind in statement.repair_known_by(failure))
    return f"{text}; what holds instead: {', '.join(repairs)}" if repairs else text


def others_lines(statement: Statement) -> list[str]:
    """The lines that name the other readings that fail, such as the printed proof, and the parts not decidable here."""
    lines = [f"Other readings that fail: {'; '.join(statement.also_fails)}."] if statement.also_fails else []
    return [*lines, f"Not decidable here: {'; '.join(statement.not_here)}."] if statement.not_here else lines


def model_of(failure: Failure) -> Model | None:
    """The model of the smallest counterexample; None where numbers alone show the failure."""
    return read(models_folder() / f"{failure.model}.toml") if failure.model else None


def counterexample_sheets(failure: Failure) -> list[Sheet]:
    """The tables of the smallest counterexample: its worlds or the laws of its records; of a large model its facts."""
    model = model_of(failure)
    if model is None:
        return []
    sheets = [*world_sheets(model), *step_sheets(model)] if model.size <= LISTED else []
    return sheets or [Sheet(model.title, FACTS, tuple(model_facts(model)))]
