"""A sheet checked again: every answer by the exercise's own check, every model by the program.

Nothing that the sheet says about itself is used: it is compared with what comes out, and what differs is named.
"""

from __future__ import annotations

import signal
import threading
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass
from typing import Any

from verifier.errors import InputError, LimitError, PkdpError
from verifier.machine.alarms import ringing
from verifier.model import loads
from verifier.version import VERSION
from verifier.wings.course.cells import run_notebook
from verifier.wings.course.exercises import Exercise
from verifier.wings.course.files import notebook
from verifier.wings.course.submission import WORDS, answers_about, notebook_hash
from verifier.wings.course.submission_file import AnswerEntry, ModelEntry, SheetFile

SECONDS = 60
"""Most seconds for one answer, or one model."""
CONFIRMED, DIFFERS, REFUSED = "confirmed", "differs", "refused"


@dataclass(frozen=True)
class GradedAnswer:
    """One exercise of the course: the verdict on the answer, its points, and where the sheet says otherwise."""

    exercise: str
    verdict: str
    points: int
    tries: int
    note: str = ""
    differs: bool = False


@dataclass(frozen=True)
class GradedModel:
    """One model of a sheet: whether the program decides it as the sheet says."""

    name: str
    verdict: str
    note: str = ""


@dataclass(frozen=True)
class Graded:
    """A sheet that was checked again."""

    sheet: SheetFile
    answers: tuple[GradedAnswer, ...]
    models: tuple[GradedModel, ...]
    notes: tuple[str, ...]

    @property
    def points(self) -> int:
        """Count one point for each answer that is right."""
        return sum(answer.points for answer in self.answers)

    @property
    def score_differs(self) -> bool:
        """Whether the score that the sheet claims is wrong."""
        return (self.sheet.right, self.sheet.exercises) != (self.points, len(self.answers))

    @property
    def as_handed_in(self) -> bool:
        """Whether everything is as the sheet says it."""
        settled = not any(answer.differs for answer in self.answers)
        return settled and not self.score_differs and all(model.verdict == CONFIRMED for model in self.models)

    def to_json(self) -> dict[str, Any]:
        """Return one object of `pkdp grade --json`."""
        return {
            "file": self.sheet.path,
            "student": self.sheet.student,
            "notebook": self.sheet.notebook,
            "version": self.sheet.version,
            "points": self.points,
            "exercises": len(self.answers),
            "as_handed_in": self.as_handed_in,
            "score_in_the_sheet": {"right": self.sheet.right, "exercises": self.sheet.exercises},
            "answers": [
                {
                    "exercise": answer.exercise,
                    "verdict": answer.verdict,
                    "points": answer.points,
                    "tries": answer.tries,
                    "note": answer.note or None,
                }
                for answer in self.answers
            ],
            "models": [
                {"name": model.name, "verdict": model.verdict, "note": model.note or None} for model in self.models
            ],
            "notes": list(self.notes),
        }


def grade(sheet: SheetFile, seconds: int = SECONDS) -> Graded:
    """Check a sheet again, with the course that is installed here.

    Raises:
        InputError: where the sheet is of no notebook of the course.

    """
    path = notebook(sheet.notebook)
    if path.stem != sheet.notebook:
        raise InputError(f"the sheet is of {sheet.notebook}", where="notebook: name", wanted=path.stem)
    _, definitions = run_notebook(path)
    exercises = {value.title: value for value in definitions.values() if isinstance(value, Exercise)}
    handed_in = {entry.exercise: entry for entry in sheet.answers}
    notes = [f"the exercise “{title}” is none of this notebook" for title in handed_in if title not in exercises]
    if sheet.version != VERSION:
        notes.append(f"the sheet was made with version {sheet.version}, and is checked with {VERSION}")
    if sheet.notebook_hash != notebook_hash(path):
        notes.append("the notebook has changed since the sheet was made, or was another one")
    answers = [_answer(exercise, handed_in.get(title), seconds) for title, exercise in exercises.items()]
    written = DIFFERS if sheet.version == VERSION else CONFIRMED
    models = [_model(entry, exercises.get(entry.name), handed_in, seconds, written) for entry in sheet.models]
    return Graded(sheet, tuple(answers), tuple(models), tuple(notes))


def _answer(exercise: Exercise, entry: AnswerEntry | None, seconds: int) -> GradedAnswer:
    """Check one answer; what cannot be read, or takes too long, has no points."""
    if entry is None:
        return GradedAnswer(exercise.title, WORDS["open"], 0, 0, "the sheet does not have it")
    verdict, note = WORDS["open"], ""
    if entry.answer is not None:
        try:
            value = exercise.control.read(entry.answer)
            with at_most(seconds):
                outcome = exercise.tried(value)
            verdict = WORDS[outcome.state]
            note = outcome.reason or (outcome.explanation if outcome.state == "wrong" else "")
        except (PkdpError, ArithmeticError, LookupError, TypeError, ValueError, RecursionError, MemoryError) as error:
            verdict, note = WORDS["unreadable"], str(error)
    differs = verdict != entry.result
    if differs:
        note = f"the sheet says “{entry.result}”" + (f"; {note}" if note else "")
    return GradedAnswer(exercise.title, verdict, int(verdict == WORDS["right"]), entry.tries, note, differs)


def _model(
    entry: ModelEntry, exercise: Exercise | None, handed_in: Mapping[str, AnswerEntry], seconds: int, written: str
) -> GradedModel:
    """Decide one model again, and make the model of an exercise again from its answer.

    `written` is the verdict where that is written otherwise than in the sheet.
    """
    try:
        with at_most(seconds):
            answers = answers_about(loads(entry.text))
            answer = handed_in.get(entry.name)
            text_made = exercise.model_text(answer.answer) if exercise and answer else None
    except (PkdpError, RecursionError, MemoryError) as error:
        return GradedModel(entry.name, REFUSED, str(error))
    claimed = [dict(answer) for answer in entry.answers]
    if claimed != answers:
        said = next((pair for pair in zip(claimed, answers, strict=False) if pair[0] != pair[1]), None)
        note = (
            "other definitions are wanted" if said is None else f"{_words(said[1])}; the sheet says {_words(said[0])}"
        )
        return GradedModel(entry.name, DIFFERS, note)
    if text_made is None or text_made == entry.text:
        return GradedModel(entry.name, CONFIRMED)
    note = "the model is not the one that the answer makes"
    return GradedModel(entry.name, written, note if written == DIFFERS else f"{note}, or another version wrote it")


def _words(answer: Mapping[str, Any]) -> str:
    epsilon = answer["tight_epsilon"]
    smallest = "" if epsilon is None else f", smallest ε {str(epsilon)[:60]}"
    return f"{str(answer['definition'])[:40]} {str(answer['verdict'])[:40]}{smallest}"


class _OverdueError(LimitError):
    """The work has taken too long."""


@contextmanager
def at_most(seconds: int) -> Iterator[None]:
    """Stop the work inside after some seconds, where the system has the timer (in the main thread of a POSIX system).

    Work that goes on with something else, as after a definition that is too large, is stopped each second again; so is
    work that an alarm could not stop, because Python had to drop what it raised.

    Raises:
        LimitError: when the time is over.

    """
    if not hasattr(signal, "setitimer") or threading.current_thread() is not threading.main_thread():
        yield
        return

    over = False

    def stop(_number: int, _frame: object) -> None:
        if not over:  # an alarm between the end of the work and that of the alarms would leave them on
            raise _OverdueError(f"it takes more than {seconds} seconds", tip="pkdp grade --seconds allows more")

    ended = ringing(_OverdueError)
    before = signal.signal(signal.SIGALRM, stop)
    signal.setitimer(signal.ITIMER_REAL, seconds, 1)
    try:
        try:
            yield
        finally:
            over = True
    finally:
        signal.setitimer(signal.ITIMER_REAL, 0)
        signal.signal(signal.SIGALRM, before)
        ended()
