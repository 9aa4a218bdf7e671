"""The toolkit of the notebooks, which `verifier.course` stands for.

A notebook says `from verifier import course as kit`. It then makes controls (`fraction`, `pick`, `entry`, `table`,
`check_button`), shows answers (`show`, `beside`, `verdict`, `losses`, `profile`), asks (`question`,
`exercise`) and lets a student hand in (`student`, `hand_in`). In a page of the course the controls are live;
in Jupyter, in marimo, in a script or in a test they are the values that stand in the code.
"""

from verifier.model import build
from verifier.wings.course.controls import check_button, entry, fraction, pick, table
from verifier.wings.course.displays import (
    formula,
    grid,
    least,
    listing,
    loss_picture,
    losses,
    model_table,
    profile,
    source,
    verdict,
)
from verifier.wings.course.drawings import chances
from verifier.wings.course.exercises import Exercise, Question, exercise, guess, guessed, question
from verifier.wings.course.fragment import Fragment, beside, fold, note, said, show
from verifier.wings.course.openings import opening
from verifier.wings.course.reading import mechanism, number, typed, whole_number, words, worlds
from verifier.wings.course.submission import Submission, hand_in, student

__all__ = [
    "Exercise",
    "Fragment",
    "Question",
    "Submission",
    "beside",
    "build",
    "chances",
    "check_button",
    "entry",
    "exercise",
    "fold",
    "formula",
    "fraction",
    "grid",
    "guess",
    "guessed",
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
    "pick",
    "profile",
    "question",
    "said",
    "show",
    "source",
    "student",
    "table",
    "typed",
    "verdict",
    "whole_number",
    "words",
    "worlds",
]
