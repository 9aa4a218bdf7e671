"""The finders behind one door; what they bring is not trusted."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

from verifier.errors import UnsupportedError
from verifier.search.candidate import Candidate
from verifier.search.enumeration import enumerate_models
from verifier.search.found import Question
from verifier.search.meaning import decide
from verifier.search.scope import Scope


@dataclass(frozen=True)
class Hit:
    """What a finder brings: a model or none, how many were looked at, and whether none was left out."""

    candidate: Candidate | None
    checked: int
    orbits: int
    complete: bool
    undecided: int = 0


def one_by_one(question: Question, scope: Scope, *, vacuous: bool = False) -> Hit:
    """Every model of the scope up to renaming, in order, asked by the checkers: slow and plain."""
    checked = orbits = undecided = 0
    for one, alike in enumerate_models(scope, ordered=question.ordered):
        checked, orbits = checked + alike, orbits + 1
        truth = decide(question.claim, one.model())
        if truth.value is False and (vacuous or not truth.vacuous):
            return Hit(one, checked, orbits, complete=not undecided, undecided=undecided)
        undecided += truth.value is None
    return Hit(None, checked, orbits, complete=True, undecided=undecided)


def enumerated(
    question: Question,
    scope: Scope,
    vacuous: bool,  # noqa: FBT001
    jobs: int,
    workers: str | None,
    checkpoint: str | None,
    progress: Callable[..., None] | None,
) -> Hit:
    """The first model of the scope."""
    return one_by_one(question, scope, vacuous=vacuous)


def synthesised(question: Question, scope: Scope, vacuous: bool) -> Candidate | None:  # noqa: FBT001
    """A model by z3, over real weights."""
    raise UnsupportedError("z3 is not there", tip="--find enumerate")
