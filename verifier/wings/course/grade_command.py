"""`pkdp grade`: sheets of students checked again, as a table."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, Annotated

import typer

from verifier.cli.common import AsJson, Reply, Several
from verifier.cli.waiting import counting
from verifier.show.sheet import Sheet

if TYPE_CHECKING:
    from verifier.wings.course.grading import Graded

COLUMNS = ("student", "notebook", "exercise or model", "verdict", "points", "tries", "note")


def grade(
    files: Annotated[
        list[str], typer.Argument(metavar="FILE…", help="sheets that students handed in (JSON of the course)")
    ],
    as_json: AsJson = False,  # noqa: FBT002
    seconds: Annotated[int, typer.Option(min=1, max=3600, help="that one answer, or one model, may take")] = 60,
) -> Reply:
    """Check sheets of the course again: each answer by its exercise, each model by the program. Needs `course`.

    The score in a sheet is not believed; where it differs, the table says so. Tries are what the sheet says. Exit
    status: 0 all sheets are as they say, 1 some say what is not so, 2 a file is refused.
    """
    from verifier.wings.course.grading import grade as grade_sheet
    from verifier.wings.course.submission_file import read_sheet

    several = Several(alone=len(files) == 1, as_json=as_json)
    graded: list[Graded] = []
    with counting("sheets", len(files)) as tick:
        for number, file in enumerate(files, 1):
            with several.file(file[:200]):
                graded.append(grade_sheet(read_sheet(file), seconds))
            tick(number, len(files))
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
