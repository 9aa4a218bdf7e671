"""A sheet that was handed in, read from a file that a stranger may have written. Nothing in it is ever run.

The file is JSON of a fixed shape with limits on its size and depth; what does not fit is refused with its place.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from verifier.checker.numbers import Wrong
from verifier.checker.reading import read_json
from verifier.errors import InputError, printable
from verifier.machine.files import bytes_of, refuse_large
from verifier.wings.course.reading import short_text
from verifier.wings.course.submission import KIND, SCHEMA, WORDS

MOST_BYTES = 1 << 20
MOST_ENTRIES = 40
"""Most exercises, or models, of one sheet."""
MOST_NAME = 200
"""Most characters of a name: of the student, an exercise, a model."""
MOST_MODEL = 20_000
"""Most characters of the text of a model."""
MOST_TRIES = 1_000_000
FORMULAS = ("=", "+", "-", "@")
"""The first characters of formulas in spreadsheets."""
WANTED = "a sheet that a notebook of the course wrote"
LARGE = "a sheet has some kilobytes"
CODES_TIP = "if these are answer codes, give their question too: pkdp grade QUESTION.toml CODES.txt"
TIP = "the last cell of a notebook writes one (pkdp examples --guide course)"
KEYS = ("schema", "kind", "version", "student", "notebook", "exercises", "models", "score")


@dataclass(frozen=True)
class AnswerEntry:
    """One exercise as the sheet says it; `answer` is JSON, and None where there is no answer."""

    exercise: str
    answer: Any
    tries: int
    result: str


@dataclass(frozen=True)
class ModelEntry:
    """One model as the sheet says it: its text, and the answers that the sheet claims."""

    name: str
    text: str
    answers: Sequence[Mapping[str, Any]]


@dataclass(frozen=True)
class SheetFile:
    """A sheet as it was handed in; nothing of it is believed yet."""

    path: str
    version: str
    student: str
    notebook: str
    notebook_hash: str
    answers: Sequence[AnswerEntry]
    models: Sequence[ModelEntry]
    right: int
    exercises: int


def read_sheet(path: str | Path) -> SheetFile:
    """Read a sheet.

    Raises:
        InputError: for a file that is no sheet, is too large, too deep, or has a part of another shape.

    """
    file_bytes = bytes_of(path, WANTED, most=MOST_BYTES, tip=TIP, large=LARGE)
    try:
        text = file_bytes.decode("utf-8")
    except UnicodeDecodeError:
        raise InputError("the file is not text in UTF-8", where=str(path), wanted=WANTED, tip=TIP) from None
    return sheet_in(text, path)


def sheet_in(text: str, path: str | Path) -> SheetFile:
    """Read a sheet from the text of its file.

    Raises:
        InputError: as `read_sheet`.

    """
    refuse_large(text.encode(), str(path), most=MOST_BYTES, large=LARGE)
    try:
        content = read_json(text)
    except Wrong as error:
        tip = TIP if text.lstrip().startswith(("{", "[")) else CODES_TIP
        raise InputError(error.problem, where=str(path), wanted=WANTED, tip=tip) from None
    try:
        return _sheet(str(path), content)
    except InputError as error:
        raise error.within(str(path)) from None


def _sheet(path: str, content: object) -> SheetFile:
    sheet = _table(content, KEYS, "the sheet")
    if sheet["schema"] != SCHEMA or sheet["kind"] != KIND:
        raise InputError(
            f"the sheet has schema {str(sheet['schema'])[:40]}, kind {str(sheet['kind'])[:40]}",
            where="schema, kind",
            wanted=f"{SCHEMA}, {KIND}",
            tip="grade it with the version that wrote it",
        )
    notebook = _table(sheet["notebook"], ("name", "sha256"), "notebook")
    score = _table(sheet["score"], ("right", "exercises"), "score")
    answers = [_answer(number, entry) for number, entry in _listed(sheet["exercises"], "exercises")]
    titles = [entry.exercise for entry in answers]
    if len(set(titles)) < len(titles):
        twice = next(title for title in titles if titles.count(title) > 1)
        raise InputError(f"the exercise {twice} is there twice", where="exercises", wanted="each once")
    return SheetFile(
        path=path,
        version=_name(sheet["version"], "version"),
        student=_student(sheet["student"]),
        notebook=_name(notebook["name"], "notebook: name"),
        notebook_hash=_name(notebook["sha256"], "notebook: sha256"),
        answers=answers,
        models=[_model(number, entry) for number, entry in _listed(sheet["models"], "models")],
        right=_count(score["right"], "score: right"),
        exercises=_count(score["exercises"], "score: exercises"),
    )


def _answer(number: int, entry: object) -> AnswerEntry:
    where = f"exercises: entry {number}"
    fields = _table(entry, ("exercise", "answer", "tries", "result"), where)
    result = _name(fields["result"], f"{where}, result")
    if result not in WORDS.values():
        raise InputError(f"{result} is unknown", where=f"{where}, result", wanted=f"one of {', '.join(WORDS.values())}")
    return AnswerEntry(
        _name(fields["exercise"], f"{where}, exercise"),
        fields["answer"],
        _count(fields["tries"], f"{where}, tries"),
        result,
    )


def _model(number: int, entry: object) -> ModelEntry:
    where = f"models: entry {number}"
    fields = _table(entry, ("name", "model", "answers"), where)
    answers = [
        _table(answer, ("definition", "verdict", "tight_epsilon"), f"{where}, answers")
        for _, answer in _listed(fields["answers"], f"{where}, answers")
    ]
    text = short_text(fields["model"], f"{where}, model", MOST_MODEL)
    return ModelEntry(_name(fields["name"], f"{where}, name"), text, answers)


def _table(content: object, keys: Sequence[str], where: str) -> Mapping[str, Any]:
    if not isinstance(content, dict):
        raise InputError(f"{type(content).__name__} is not a table", where=where, wanted="a table of keys", tip=TIP)
    if set(content) != set(keys):
        missing = [key for key in keys if key not in content]
        unknown = [str(key)[:40] for key in content if key not in keys]
        said = [f"without {', '.join(missing)}"] * bool(missing) + [f"with {', '.join(unknown)}"] * bool(unknown)
        raise InputError(
            f"the table is {' and '.join(said)}", where=where, wanted=f"the keys {', '.join(keys)}", tip=TIP
        )
    return content


def _listed(content: object, where: str) -> list[tuple[int, object]]:
    if not isinstance(content, list) or len(content) > MOST_ENTRIES:
        raise InputError(
            "this is another thing, or too long", where=where, wanted=f"a list of at most {MOST_ENTRIES} entries"
        )
    return list(enumerate(content, 1))


def _name(content: object, where: str) -> str:
    return printable(short_text(content, where, MOST_NAME))


def _student(content: object) -> str:
    """Read the name of the student, which goes into a table that a spreadsheet may open."""
    name = _name(content, "student")
    if name.startswith(FORMULAS):
        raise InputError(
            f"{name} is not a name", where="student", wanted="a name", tip="a spreadsheet would take this for a formula"
        )
    return name


def _count(content: object, where: str) -> int:
    if type(content) is not int or not 0 <= content <= MOST_TRIES:
        raise InputError(
            f"{str(content)[:40]} is not a number of tries",
            where=where,
            wanted=f"a whole number from 0 to {MOST_TRIES:,}",
        )
    return content
