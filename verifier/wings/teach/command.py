"""Answer codes at the command line: `pkdp check FILE --answer CODE`, and `pkdp grade` for a class."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from typing import NamedTuple

import typer

from verifier.cli.common import Reply, as_text, print_lines
from verifier.cli.reading import model_text
from verifier.cli.waiting import counting, is_silent
from verifier.errors import InCommand, InputError
from verifier.model import Model
from verifier.model.document import document_of
from verifier.model.keys import Location
from verifier.wings.teach.codes import read_code
from verifier.wings.teach.grading import (
    REFUSED,
    Guard,
    codes_in,
    grade_codes,
    is_link,
    question_in,
    table_of,
    text_of_codes,
)
from verifier.wings.teach.question import RIGHT, UNDECIDED, UNREADABLE, WRONG, open_question, read_statements

CODE = re.compile(r"\bpk[0-9]+\.[0-9a-f]{12}\.")
MOST_LINKS = 200
"""Most links of a file that has one a line."""
STATUS = {RIGHT: 0, WRONG: 1, UNREADABLE: 2, UNDECIDED: 3}
"""The exit status of `pkdp check --answer`."""


def read_question_of(model: Model) -> None:
    """Read the statements of the question that a model asks.

    Raises:
        InputError: for a text that is no statement, with its place.

    """
    if model.asked is not None:
        read_statements(model.asked, Location(model.path))


def check_answer(file: str, line: str, word: str, *, as_json: bool) -> int:
    """Check one answer code, print what holds, and return the exit status."""
    if is_link(file):
        question = question_in(file)
    else:
        text, path = model_text(file)
        question = open_question(document_of(text), path)
    code = read_code(line, word, "--answer")
    if code.question != question.identity:
        problem = "the code answers another question"
        raise InputError(problem, where="--answer", wanted=f"a code of question {question.identity}")
    attempt = question.attempt(code.name, code.answer)
    if as_json:
        fields = {"name": code.name, "verdict": attempt.state, "tries": code.tries, "looks": code.looks}
        typer.echo(as_text({**fields, "lines": list(attempt.lines), "why": list(attempt.why)}))
    elif is_silent():
        typer.echo(attempt.state)
    else:
        print_lines([f"Question: {question.asked.text}", f"{code.name}: {attempt.state}", *attempt.lines, *attempt.why])
    return STATUS[attempt.state]


class HandedIn(NamedTuple):
    """What was handed in: questions, files of codes and sheets, each file with its text, which was read once.

    A file that cannot be read has None: whoever needs it says what is wrong.
    """

    questions: list[str]
    codes: dict[str, str | None]
    sheets: dict[str, str | None]


def handed_in(files: Sequence[str]) -> HandedIn:
    """The questions, the files of codes and the sheets among the arguments of `pkdp grade`.

    A question is a link, a line of a file of links, or a .toml file. Beside a question or a code every text that is no
    JSON is a file of codes.

    Raises:
        InputError: for sheets beside questions or codes, and for a file of too many links.

    """
    questions: list[str] = []
    others: dict[str, str | None] = {}
    for file in files:
        is_question = is_link(file) or file.endswith(".toml")
        content = "" if is_question else _content(file)
        links = [file] if is_question else _links_in(content or "", file)
        questions += links
        if not links:
            others[file] = content
    texts = {file: content for file, content in others.items() if not (content or "").lstrip().startswith("{")}
    codes = texts if questions or any(CODE.search(content or "") for content in texts.values()) else {}
    sheets = {file: content for file, content in others.items() if file not in codes}
    if (questions or codes) and sheets:
        raise InputError(
            "sheets are given beside answer codes", where=next(iter(sheets))[:200], wanted="one of the two"
        )
    return HandedIn(questions, codes, sheets)


def _content(file: str) -> str | None:
    """The text of a file; None where it cannot be read."""
    try:
        return text_of_codes(file)
    except InputError:
        return None


def _links_in(content: str, file: str) -> list[str]:
    """The lines of a text that has nothing but links.

    Raises:
        InputError: for more than `MOST_LINKS`.

    """
    lines = [line.strip() for line in content.splitlines() if line.strip()]
    if not all(map(is_link, lines)):
        return []
    if len(lines) > MOST_LINKS:
        raise InputError(f"the file has {len(lines):,} links", where=file, wanted=f"at most {MOST_LINKS}")
    return lines


def grade_class(questions: Sequence[str], files: Mapping[str, str | None], word: str, guard: Guard) -> Reply:
    """Grade the codes of a class, which stand in files with these texts.

    Raises:
        InputError: for codes without a question, questions without codes, and for what is no question.

    """
    if not questions or not files:
        problem = "there are no answer codes" if questions else "the question of these answer codes is missing"
        where = InCommand("pkdp grade") if questions else next(iter(files))
        tip = "pkdp grade QUESTION CODES.txt, where QUESTION is a .toml file, a link in quotes, or a file with the link"
        raise InputError(problem, where=where, wanted="questions and files of codes", tip=tip)
    opened = [question_in(question) for question in questions]
    texts = {file: text_of_codes(file) if text is None else text for file, text in files.items()}
    lines = [line for file, text in texts.items() for line in codes_in(text, file)]
    with counting("codes", len(lines)) as tick:
        rows = grade_codes(opened, lines, word, guard, tick)
    status = int(any(row.verdict in {REFUSED, UNREADABLE} for row in rows))
    return Reply(lambda: [row.to_json() for row in rows], lambda: [table_of(rows)], status)
