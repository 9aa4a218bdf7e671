"""The toolkit of the notebooks, which `verifier.course` stands for.

A notebook says `from verifier import course as kit`. It then makes controls (`fraction`, `pick`, `entry`, `table`,
`check_button`), shows answers (`show`, `beside`, `verdict`, `overview`, `losses`, `profile`), asks (`question`,
`exercise`) and lets a student hand in (`student`, `hand_in`). Inside marimo the controls are live; in Jupyter, in a
script or in a test they are the values that stand in the code, and nothing here needs marimo.
"""

from verifier.wings.course.controls import choices, entry, fraction, pick, table
from verifier.wings.course.displays import (
    formula,
    grid,
    least,
    listing,
    loss_picture,
    losses,
    model_table,
    overview,
    profile,
    source,
    verdict,
)
from verifier.wings.course.drawings import chances, compared
from verifier.wings.course.exercises import Exercise, Question, exercise, question
from verifier.wings.course.fragment import Fragment, beside, fold, note, said, show
from verifier.wings.course.openings import opening
from verifier.wings.course.reading import attempt, build, mechanism, number, whole_number, words, worlds
from verifier.wings.course.submission import Submission, hand_in, student
from verifier.wings.course.tries import check_button

__all__ = [
    "Exercise",
    "Fragment",
    "Question",
    "Submission",
    "attempt",
    "beside",
    "build",
    "chances",
    "check_button",
    "choices",
    "compared",
    "entry",
    "exercise",
    "fold",
    "formula",
    "fraction",
    "grid",
    "hand_in",
    "least",
    "listing",
    "loss_picture",
    "losses",
    "mechanism",
    "model_table",
    "note",
    "number",
    "opening",
    "overview",
    "pick",
    "profile",
    "question",
    "said",
    "show",
    "source",
    "student",
    "table",
    "verdict",
    "whole_number",
    "words",
    "worlds",
]

passport = overview
"""The name that `overview` had before."""
