"""`pkdp grade`: what students hand in, checked again: sheets of the course here, answer codes in `wings/teach`."""

from __future__ import annotations

from collections.abc import Sequence
from functools import partial
from typing import TYPE_CHECKING

from verifier.cli.common import Reply, Several
from verifier.cli.waiting import counting
from verifier.errors import InputError
from verifier.show.sheet import Sheet
from verifier.wings.course.grading import at_most
from verifier.wings.course.grading import grade as grade_sheet
from verifier.wings.course.options import Grade
from verifier.wings.course.submission_file import read_sheet, sheet_in
from verifier.wings.teach.command import grade_class, handed_in

if TYPE_CHECKING:
    from verifier.wings.course.grading import Graded

COLUMNS = ("student", "notebook", "exercise or model", "verdict", "points", "tries", "note")


def grade(typed: Grade) -> Reply:
    """Answer what was typed."""
    given = handed_in(typed.files)
    if given.questions or given.codes:
        return grade_class(given.questions, given.codes, typed.word or "", partial(at_most, typed.seconds))
    if typed.word is not None:
        raise InputError("--word is given with sheets", where="--word", wanted="answer codes")
    several = Several(alone=len(typed.files) == 1, as_json=typed.as_json)
    graded: list[Graded] = []
    with counting("sheets", len(typed.files)) as tick:
        for number, file in enumerate(typed.files, 1):
            with several.file(file[:200]):
                text = given.sheets[file]
                sheet = read_sheet(file) if text is None else sheet_in(text, file)
                graded.append(grade_sheet(sheet, typed.seconds))
            tick(number, len(typed.files))
    several.statuses += [0 if sheet.as_handed_in else 1 for sheet in graded]
    return Reply(
        lambda: [sheet.to_json() for sheet in graded], lambda: [table_of(graded)] if graded else [], several.status
    )


def table_of(graded: Sequence[Graded]) -> Sheet:
    """Return the table of a class: for each sheet a row for every exercise and model, and one for its score."""
    rows: list[tuple[str, ...]] = []
    for sheet in graded:
        who = (sheet.sheet.student or "(no name)", sheet.sheet.notebook)
        for answer in sheet.answers:
            cells = (answer.exercise, answer.verdict, str(answer.points), str(answer.tries), answer.note)
            rows.append((*who, *cells))
        rows += [(*who, f"model: {model.name}", model.verdict, "", "", model.note) for model in sheet.models]
        claimed = f"the sheet says {sheet.sheet.right} of {sheet.sheet.exercises}" if sheet.score_differs else ""
        notes = "; ".join([*([claimed] if claimed else []), *sheet.notes])
        verdict = "as handed in" if sheet.as_handed_in else "not as handed in"
        rows.append((*who, "score", verdict, f"{sheet.points} of {len(sheet.answers)}", "", notes))
    return Sheet("Sheets of the course, checked again", COLUMNS, tuple(rows))
