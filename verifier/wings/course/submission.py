"""The sheet that a student hands in: a JSON file with the answers, how often each was tried, and the models.

The file says what the notebook saw. Nobody has to believe it: `pkdp grade` decides everything in it again.
"""

from __future__ import annotations

import html
import json
import re
from base64 import b64encode
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from functools import partial
from hashlib import sha256
from pathlib import Path
from typing import Any
from unicodedata import category, normalize

from verifier.engine import Engine
from verifier.errors import InputError, PkdpError
from verifier.machine.files import write_whole
from verifier.model import Model, loads
from verifier.numbers import plural
from verifier.questions.check import check
from verifier.show.sheet import table
from verifier.version import VERSION
from verifier.wings.course.controls import Control, Line, live
from verifier.wings.course.exercises import Exercise, keys_text
from verifier.wings.course.files import notebook, source_of
from verifier.wings.course.fragment import Fragment, html_of
from verifier.wings.course.prose import prose

SCHEMA = 1
KIND = "sheet of the course"
ASKED_OF_MODELS = ("dp", "np", "cdp")
"""The definitions that are decided on each model of a sheet, for some finite ε at δ = 0."""
MOST_ROWS = 4096
"""Most worlds of a model in a sheet."""
HAND_IN = """
## Hand in

The sheet has the answers that you checked, how many you checked, and the models that you made. Your lecturer's program
decides each of them again.
"""
"""The text above the sheet."""
NAME_FIRST = 'student = kit.student("Ada Lovelace")'
"""How a name is given where the code is what one changes."""
WORDS = {"open": "not answered", "unreadable": "not readable", "wrong": "wrong", "right": "right"}


@dataclass(frozen=True, repr=False)
class Submission(Fragment):
    """A sheet, with a way to take it out of the notebook."""

    sheet: Mapping[str, Any] = field(default_factory=dict)
    file_name: str = ""

    @property
    def file_text(self) -> str:
        """Return the content of the file."""
        return json.dumps(self.sheet, ensure_ascii=False, indent=1) + "\n"

    def save(self, folder: str | Path = ".") -> Path:
        """Write the sheet into a folder, and return its path.

        Raises:
            InputError: where the sheet has no name.
            MachineError: where it cannot be written.

        """
        if not self.sheet.get("student"):
            raise InputError(
                "the sheet has no name",
                where="handed_in.save()",
                wanted="the name of a student",
                tip=f"write {NAME_FIRST}, with your name, and run the cells below it again",
            )
        path = Path(folder) / self.file_name
        write_whole(path, self.file_text)
        return path


def answers_about(model: Model) -> list[dict[str, str | None]]:
    """Decide DP, NP and CDP on a model: the verdicts for some finite ε at δ = 0, and the smallest ε."""
    engine = Engine(model, max_rows=MOST_ROWS)
    answers = []
    for definition in ASKED_OF_MODELS:
        answer = check(model, definition, engine=engine)
        epsilon = answer.tight_epsilon
        smallest = None if epsilon is None or answer.verdict == "vacuous" else str(epsilon)
        answers.append({"definition": definition, "verdict": answer.verdict, "tight_epsilon": smallest})
    return answers


def exercise_entry(exercise: Exercise) -> dict[str, Any]:
    """Return one exercise as the sheet writes it."""
    result = WORDS[exercise.result]
    return {"exercise": exercise.title, "answer": exercise.answer, "tries": exercise.tries, "result": result}


def model_entry(name: str, text: str) -> dict[str, Any]:
    """Return one model as the sheet writes it: its text, and what the program decides on it."""
    return {"name": name, "model": text, "answers": answers_about(loads(text))}


def notebook_hash(path: Path) -> str:
    """Return the SHA-256 of a notebook's file."""
    return sha256(source_of(path)).hexdigest()


def _entries(exercises: Sequence[Exercise], models: Mapping[str, Mapping[str, Any]]) -> list[dict[str, Any]]:
    """Return the models of a sheet: of each exercise, then the others; what makes no model is left out."""
    texts: dict[str, Callable[[], str | None]] = {
        exercise.title: partial(exercise.model_text, exercise.answer) for exercise in exercises
    }
    texts |= {name: partial(keys_text, keys) for name, keys in models.items()}
    entries = []
    for name, made in texts.items():
        try:
            text = made()
            entries += [] if text is None else [model_entry(name, text)]
        except PkdpError:  # a table that is no model yet: the exercise, or the cell above, says what is wrong with it
            continue
    return entries


def student(name: str = "") -> Line:
    """Make the line for the student's name, which `hand_in` takes from another cell.

    In Jupyter the name is typed into the code.

    >>> student("Ada Lovelace")
    your name = Ada Lovelace
    """
    return Line("your name", name, "first name and last name")


def hand_in(
    number: int,
    student: Control,
    exercises: Sequence[Exercise],
    models: Mapping[str, Mapping[str, Any]] | None = None,
) -> Submission:
    """Show how to hand in, and make the sheet of a notebook: its heading, the line for the name, the results.

    `student` is the line for the name, `models` have the keys of model files. In a page the sheet can be downloaded
    as soon as there is a name; elsewhere `.save()` writes it.

    >>> from verifier.wings.course.toolkit import entry
    >>> handed = hand_in(1, entry("your name", "Ada Lovelace"), [])
    >>> handed.file_name, handed.sheet["score"]
    ('ada-lovelace-notebook-1.json', {'right': 0, 'exercises': 0})
    """
    path = notebook(str(number))
    name = str(student.value).strip()
    entries = [exercise_entry(exercise) for exercise in exercises]
    right = sum(entry["result"] == WORDS["right"] for entry in entries)
    sheet = {
        "schema": SCHEMA,
        "kind": KIND,
        "version": VERSION,
        "student": name,
        "notebook": {"name": path.stem, "sha256": notebook_hash(path)},
        "exercises": entries,
        "models": _entries(exercises, models or {}),
        "score": {"right": right, "exercises": len(entries)},
    }
    file_name = f"{_letters(name)}-notebook-{number}.json"
    summary = f"{right} of {plural(len(entries), 'exercise')} {'is' if right == 1 else 'are'} right."
    handed = Submission("", sheet, file_name)
    page = (
        f"{prose(HAND_IN)}<section class='pk-note'><p class='pk-title'>Your sheet</p>{html_of(student)}"
        f"{_table(entries)}<p>{summary}</p>{_way_out(handed, name)}</section>"
    )
    return replace(handed, html=page)


def _letters(name: str) -> str:
    """Return a name as part of a file's name: its letters and digits, without accents, in lower case.

    >>> _letters("Zoë Müller"), _letters("Łukasz O'Neil"), _letters("王 芳"), _letters("/../")
    ('zoe-muller', 'łukasz-o-neil', '王-芳', 'student')
    """
    plain = "".join(one for one in normalize("NFKD", name.lower()) if not category(one).startswith("M"))
    return re.sub(r"[\W_]+", "-", plain)[:50].strip("-") or "student"


def _table(entries: Sequence[Mapping[str, Any]]) -> str:
    rows = [[entry["exercise"], entry["result"], str(entry["tries"])] for entry in entries]
    return table("", ["exercise", "result", "answers checked"], rows).replace("role='region'", "role='group'")


def _way_out(handed: Submission, name: str) -> str:
    """Say how the sheet leaves the notebook: a button for a download, or the line of code that writes it."""
    if not live():
        first = (
            ""
            if name
            else f"First write <code>{html.escape(NAME_FIRST)}</code>, with your name, and run the cells below it. "
        )
        return f"<p class='pk-soft'>{first}<code>handed_in.save()</code> writes the sheet beside this notebook.</p>"
    if not name:
        return "<p class='pk-soft'>Type your name; then the sheet can be downloaded.</p>"
    file = f"data:application/json;base64,{b64encode(handed.file_text.encode()).decode()}"
    return (
        f"<p><a class='pk-button' href='{file}' download='{handed.file_name}'>Download the sheet</a></p>"
        f"<p class='pk-soft'>The file is {handed.file_name}. Hand it in as it is.</p>"
    )
