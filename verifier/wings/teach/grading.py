"""The answers of a class: each code put into the grader's own copy of its question, and decided again."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Sequence
from contextlib import AbstractContextManager
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any

from verifier.errors import InputError, PkdpError
from verifier.machine.files import text_of
from verifier.model.document import document_of
from verifier.model.read import file_text
from verifier.show.sheet import Sheet
from verifier.wings.teach.codes import read_code
from verifier.wings.teach.packed import document_in
from verifier.wings.teach.question import RIGHT, Question, open_question, same_answers

REFUSED = "refused"
MOST_BYTES, MOST_CODES = 8 << 20, 2_000
COLUMNS = ("name", "question", "verdict", "points", "tries", "looks", "same answer", "note")
Guard = Callable[[], AbstractContextManager[None]]
"""What stops the work on one answer after some time."""


@dataclass(frozen=True)
class Graded:
    """One code of a class: a refused one has no name and no question."""

    line: int
    verdict: str
    name: str = ""
    question: str = ""
    tries: int = 0
    looks: int = 0
    note: str = ""
    same: tuple[str, ...] = ()

    @property
    def points(self) -> int:
        """One point for an answer that is right."""
        return int(self.verdict == RIGHT)

    def to_json(self) -> dict[str, Any]:
        """Return one object of `pkdp grade --json`."""
        return {
            "line": self.line,
            "name": self.name or None,
            "question": self.question or None,
            "verdict": self.verdict,
            "points": self.points,
            "tries": self.tries,
            "looks": self.looks,
            "same_answer": list(self.same),
            "note": self.note or None,
        }


def is_link(argument: str) -> bool:
    """Whether an argument is a link of the explorer rather than a file."""
    return "#m=" in argument or argument.startswith(("https://", "http://"))


def question_in(argument: str) -> Question:
    """The question that a link or a model file holds.

    Raises:
        InputError: where it holds none, with its place.

    """
    if is_link(argument):
        return open_question(document_in(argument), f"link {argument[:40]}…")
    return open_question(document_of(file_text(argument)), argument)


def text_of_codes(path: str | Path) -> str:
    """The text of a file of codes.

    Raises:
        InputError: where it cannot be read.

    """
    return text_of(path, "answer codes, one a line", most=MOST_BYTES)


def codes_in(text: str, path: str | Path) -> list[tuple[int, str]]:
    """The lines of a file of codes that are not blank, with their numbers.

    Raises:
        InputError: where it has too many.

    """
    lines = [(number, line) for number, line in enumerate(text.splitlines(), 1) if line.strip()]
    if len(lines) > MOST_CODES:
        raise InputError(f"the file has {len(lines):,} lines", where=str(path), wanted=f"at most {MOST_CODES:,} codes")
    return lines


def grade_codes(
    questions: Iterable[Question], lines: Sequence[tuple[int, str]], word: str, guard: Guard, tick: Any = None
) -> list[Graded]:
    """Decide each code of a class again.

    Raises:
        InputError: for two questions that are the same.

    """
    known: dict[str, Question] = {}
    for question in questions:
        if question.identity in known:
            raise InputError(f"the question “{question.title}” is given twice", wanted="each question once")
        known[question.identity] = question
    rows: list[Graded] = []
    answers: dict[int, tuple[str, object]] = {}
    for count, (number, line) in enumerate(lines, 1):
        try:
            code = read_code(line, word, f"line {number}")
            asked = known.get(code.question)
            if asked is None:
                raise InputError("the code answers another question", where=f"line {number}")
        except PkdpError as error:
            rows.append(Graded(number, REFUSED, note=str(error)))
            continue
        with guard():
            attempt = asked.attempt(code.name, code.answer)
        note = "" if attempt.state == RIGHT else "; ".join(attempt.lines)
        if asked.asked.goal:
            answers[len(rows)] = code.question, code.answer
        rows.append(Graded(number, attempt.state, code.name, asked.title, code.tries, code.looks, note))
        if tick is not None:
            tick(count, len(lines))
    same = same_answers(answers)
    return [replace(row, same=tuple(rows[k].name for k in same.get(place, ()))) for place, row in enumerate(rows)]


def table_of(rows: Sequence[Graded]) -> Sheet:
    """The table of a class, one row for each code."""
    return Sheet("Answers, decided again", COLUMNS, tuple(_cells(rows)))


def _cells(rows: Sequence[Graded]) -> Iterator[tuple[str, ...]]:
    for row in rows:
        numbers = ("", "", "") if row.verdict == REFUSED else (str(row.points), str(row.tries), str(row.looks))
        yield row.name, row.question, row.verdict, *numbers, ", ".join(row.same), row.note
