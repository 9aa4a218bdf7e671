"""The tries of a student at one exercise: the answers that were checked, and the outcome of each.

In a page of the course a press on the button “Check my answer” is a try, and the button keeps them. Elsewhere, where
the answer stands in the code, it is checked when the cell runs.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, field
from typing import Any

from verifier.errors import PkdpError
from verifier.wings.course.controls import Button, Control, live
from verifier.wings.course.reading import problem

TRIES_BEFORE_THE_ANSWER = 2
"""Wrong answers after which the solution may be opened."""


@dataclass(frozen=True)
class Outcome:
    """The outcome of one answer: `state` is open, wrong, unreadable or right.

    `explanation` says why, in Markdown or HTML; `reason` is the plain text of an error.
    """

    state: str
    explanation: str = ""
    reason: str = field(default="", repr=False)


OPEN = Outcome("open")


def outcome_of(check: Callable[[Any], object], answer: Any) -> Outcome:
    """Check an answer: `check` returns what is wrong with it, or nothing, or raises an error of the package.

    >>> outcome_of(lambda answer: "" if answer == "1/4" else "It is less.", "1/2")
    Outcome(state='wrong', explanation='It is less.')
    """
    if answer is None or (isinstance(answer, str) and not answer.strip()):
        return OPEN
    try:
        objection = check(answer)
    except PkdpError as error:
        return Outcome("unreadable", problem(error).html, str(error))
    return Outcome("wrong", str(objection)) if objection else Outcome("right")


@dataclass
class Tries:
    """The answers that were checked, each once, with their outcomes; `pressed` counts the presses that were seen.

    `empty` says that the last press came without an answer.
    """

    pressed: int = 0
    empty: bool = False
    checked: list[tuple[Any, Outcome]] = field(default_factory=list)

    @property
    def wrong(self) -> int:
        """Count the wrong answers; one that cannot be read is no try."""
        return sum(outcome.state == "wrong" for _, outcome in self.checked)

    @property
    def counted(self) -> int:
        """Count the answers that could be read."""
        return sum(outcome.state in {"wrong", "right"} for _, outcome in self.checked)

    @property
    def handed_in(self) -> Any:
        """Return the first right answer, else the last one that was checked, else None."""
        right = [answer for answer, outcome in self.checked if outcome.state == "right"]
        return right[0] if right else self.checked[-1][0] if self.checked else None

    def outcome(self, answer: Any) -> Outcome:
        """Return the outcome of an answer; it is open if it was not checked yet."""
        return next((outcome for checked, outcome in self.checked if checked == answer), OPEN)

    def take(self, answer: Any, check: Callable[[Any], object]) -> None:
        """Check an answer, and keep it if it is neither empty nor known."""
        outcome = outcome_of(check, answer)
        self.empty = outcome.state == "open"
        if outcome.state != "open" and self.outcome(answer).state == "open":
            self.checked.append((answer, outcome))


def tries_at(control: Control, button: Button, check: Callable[[Any], object]) -> Tries:
    """Return the tries at an exercise, with the try that the control and the button show now."""
    tries: Tries = vars(button).setdefault("tries", Tries())
    asked, tries.pressed, tries.empty = button.value > tries.pressed or not live(), button.value, False
    if asked:
        tries.take(control.value, check)
    return tries
