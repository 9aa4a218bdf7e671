"""The course: a small kit that its notebooks use, and the command that opens them.

A notebook says `from verifier import course as kit`. The kit makes things to play with (`fraction`, `pick`, `entry`,
`table`), shows answers (`show`, `beside`, `verdict`, `passport`, `losses`, `profile`) and asks (`question`,
`exercise`). Inside marimo the things to play with are live; in Jupyter, in a script or in a test they are the values
that stand in the code, and nothing here needs marimo.
"""

from verifier.wings.course.asking import Exercise, Question, exercise, question
from verifier.wings.course.controls import choices, entry, fraction, pick, table
from verifier.wings.course.displays import formula, grid, loss_picture, losses, passport, profile, verdict
from verifier.wings.course.drawings import chances, compared
from verifier.wings.course.reading import attempt, build, mechanism, number, worlds
from verifier.wings.course.shown import Shown, beside, fold, note, opening, show
from verifier.wings.course.words import least, model_table

__all__ = [
    "Exercise",
    "Question",
    "Shown",
    "attempt",
    "beside",
    "build",
    "chances",
    "choices",
    "compared",
    "entry",
    "exercise",
    "fold",
    "formula",
    "fraction",
    "grid",
    "least",
    "loss_picture",
    "losses",
    "mechanism",
    "model_table",
    "note",
    "number",
    "opening",
    "passport",
    "pick",
    "profile",
    "question",
    "show",
    "table",
    "verdict",
    "worlds",
]
