"""Exercises, checked by computing: a hint, one more after each wrong answer, and after two a solution.

Of a question that comes before its answer, the answer is folded until a choice was made, or the reader opens it.
"""

from __future__ import annotations

import html
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from hashlib import sha256
from typing import Any

from verifier.errors import InputError
from verifier.model import build
from verifier.recheck import text_of
from verifier.show.sheet import table
from verifier.wings.course.controls import Button, Choice, Control, live, pick
from verifier.wings.course.fragment import Fragment, html_of, show
from verifier.wings.course.prose import inline, prose
from verifier.wings.course.tries import OPEN, TRIES_BEFORE_THE_ANSWER, Outcome, Tries, outcome_of, tries_at


@dataclass(frozen=True, repr=False)
class Question(Fragment):
    """A question whose answer is folded until a choice was made, or until it is opened; `right` is the right choice."""

    right: str = ""


def question(ask: str, choices: Mapping[str, str], *, right: object, answer: object) -> Question:
    """Ask before answering: `choices` maps each choice to the reply that its reader gets.

    `right` is the choice that is right; compute it in the notebook, so that it cannot be stale. `answer` is anything
    that `show` takes; it is folded until the reader has chosen, or opens it.

    >>> question("Does it hold?", {"holds": "", "fails": ""}, right="fails", answer="It does not.").right
    'fails'

    Raises:
        InputError: where the right choice is none of the choices.

    """
    text = str(right)
    if text not in choices:
        raise InputError(f"the right choice is {text}", where=ask, wanted=f"one of the choices {', '.join(choices)}")
    name = "q" + sha256(ask.encode()).hexdigest()[:10]
    options = "".join(
        _option(f"{name}-{number}", name, choice, reply, right=choice == text)
        for number, (choice, reply) in enumerate(choices.items())
    )
    page = (
        f"<section class='pk-q'><fieldset><legend>Before you read on</legend>"
        f"{prose(ask)}{options}</fieldset>"
        f"<details><summary>Open the answer without choosing</summary></details>"
        f"<div class='pk-answer'>{html_of(answer)}</div></section>"
    )
    return Question(page, text)


def _option(identifier: str, name: str, choice: str, reply: str, *, right: bool) -> str:
    mark = "<b class='holds'>✓ Right.</b>" if right else "<b class='fails'>✗ Not so.</b>"
    return (
        f"<div class='pk-choice'><input type='radio' name='{name}' id='{identifier}'>"
        f"<label for='{identifier}'>{inline(choice)}</label>"
        f"<div class='pk-reply'>{mark} {inline(reply)}</div></div>"
    )


NO_GUESS = "no guess yet"


def guess(ask: str, *options: str) -> Choice:
    """Make a choice for `guessed`: nothing is guessed at first.

    >>> guess("Who is larger?", "Anna", "Berta").value
    'no guess yet'
    """
    return pick(ask, [NO_GUESS, *options], NO_GUESS)


def guessed(choice: Choice, *contents: object) -> Fragment:
    """Show what gives an answer away once a reader has guessed, with the guess above it.

    >>> guessed(guess("Who is larger?", "Anna", "Berta"), "It is Berta.")
    Who is larger?: no guess yet
    """
    if choice.value == NO_GUESS:
        return show(choice)
    return show(choice, f"You guessed: **{choice.value}**. And this is so:", *contents)


Check = Callable[[Any], object]
ModelKeys = Callable[[Any], Mapping[str, Any]]


def keys_text(keys: Mapping[str, Any]) -> str:
    """Return the text of a model file with these keys; a function is written as a table."""
    return text_of(build(**keys))[0]


TITLES = {"open": "Your turn", "wrong": "✗ Not yet", "unreadable": "This cannot be read", "right": "✓ Right"}
TURN = {
    True: "Give an answer, then press “Check my answer”.",
    False: "Change the answer in the code, then run the cells below it.",
}
EMPTY = "There is no answer to check yet. This does not count as a try."
ONCE_MORE = "Use this to try once more. After a second wrong answer you may open the solution."
MAY_OPEN = "You may open the solution now, or go on trying."


@dataclass(frozen=True, repr=False)
class Exercise(Fragment):
    """A task with a check; `tried` checks any answer as the notebook does.

    `outcome` is the outcome of the answer that stands there now; `answer` is the one that is handed in, as JSON,
    `result` its state, and `tries` the number of answers that were checked and could be read. `model` makes the keys of
    a model file from an answer, where the answer describes a model.
    """

    title: str = ""
    check: Check = field(default=lambda _: "")
    solution: Any = None
    tempting: tuple[Any, ...] = ()
    hints: tuple[str, ...] = ()
    outcome: Outcome = OPEN
    control: Control = field(default_factory=lambda: Control("", ""))
    model: ModelKeys | None = None
    answer: Any = None
    result: str = "open"
    tries: int = 0

    def tried(self, answer: Any) -> Outcome:
        """Return the outcome of an answer."""
        return outcome_of(self.check, answer)

    def model_text(self, answer: Any) -> str | None:
        """Return the text of the model that an answer, as JSON, makes; None where it makes none.

        Raises:
            InputError: where the answer cannot be read, or makes no model.

        """
        if self.model is None or answer is None:
            return None
        return keys_text(self.model(self.control.read(answer)))


def exercise(
    title: str,
    task: object,
    control: Control,
    button: Button,
    *,
    check: Check,
    hints: Sequence[str],
    solution: Any,
    why: object = "",
    tempting: Sequence[Any] = (),
    model: ModelKeys | None = None,
) -> Exercise:
    """Set a task: `control` takes the answer, `button` (see `check_button`) hands it to `check`.

    `check` decides by computing with the verifier: it returns what is wrong with an answer (which quantity, in which
    direction, and not the answer), or nothing if it is right. `hints` are nudges, from a small one to a bigger one: the
    first can be opened at once, each further one after a wrong answer. `solution` is a value that passes the check; it
    can be opened after two wrong answers, or a right one. `why` says why it is right. `tempting` are wrong values that
    a reader may well give. `model` makes the keys of a model file from an answer.

    >>> from verifier.wings.course.toolkit import check_button, entry, number
    >>> half = lambda text: "" if 2 * number(text) == 1 else f"twice {text} is {2 * number(text)}"
    >>> task = exercise(
    ...     "A half",
    ...     "Write one half.",
    ...     entry("x"),
    ...     check_button("A half"),
    ...     check=half,
    ...     hints=["Halve 1."],
    ...     solution="1/2",
    ... )
    >>> task.outcome.state, task.tried("1/3"), task.tried("0.5").state
    ('open', Outcome(state='wrong', explanation='twice 1/3 is 2/3'), 'right')
    """
    tries = tries_at(control, button, check)
    outcome = tries.outcome(control.value)
    result = _result(outcome, tries, why)
    folded = _nudges(hints, tries, outcome)
    if outcome.state == "right" or tries.wrong >= TRIES_BEFORE_THE_ANSWER:
        explained = html_of(why) if why and outcome.state != "right" else ""
        folded += (
            f"<details><summary>Open a solution</summary>{_solution(control.written(solution))}{explained}</details>"
        )
    page = (
        f"<section class='pk-task {outcome.state}'><p class='pk-title'>Exercise: {inline(title)}</p>{html_of(task)}"
        f"{html_of([control, button])}<div class='pk-result' aria-live='polite'>{result}</div>{folded}</section>"
    )
    return Exercise(
        html=page,
        title=title,
        check=check,
        solution=solution,
        tempting=tuple(tempting),
        hints=tuple(hints),
        outcome=outcome,
        control=control,
        model=model,
        answer=None if tries.handed_in is None else control.written(tries.handed_in),
        result=tries.outcome(tries.handed_in).state,
        tries=tries.counted,
    )


def _result(outcome: Outcome, tries: Tries, why: object) -> str:
    """Say what came of the answer that stands there, and what the student can do next."""
    body = outcome.explanation if outcome.state == "unreadable" else prose(outcome.explanation)
    if outcome.state == "right":
        body += html_of(why) if why else ""
    elif outcome.state == "wrong":
        body += prose(MAY_OPEN if tries.wrong >= TRIES_BEFORE_THE_ANSWER else ONCE_MORE)
    elif outcome.state == "open":
        body += f"<p>{EMPTY}</p>" * tries.empty + f"<p class='pk-soft'>{TURN[live()]}</p>"
    return f"<p class='pk-state'>{TITLES[outcome.state]}</p>{body}"


def _nudges(hints: Sequence[str], tries: Tries, outcome: Outcome) -> str:
    """Fold the hints that a student may open by now: one more with each wrong answer, and all beside a right one."""
    names = ["A nudge", "A bigger nudge", *(f"Nudge {number}" for number in range(3, len(hints) + 1))]
    allowed = len(hints) if outcome.state == "right" else 1 + tries.wrong
    return "".join(
        f"<details><summary>{name}</summary>{prose(hint)}</details>"
        for name, hint in list(zip(names, hints, strict=False))[:allowed]
    )


def _solution(solution: Any) -> str:
    if isinstance(solution, list) and solution and isinstance(solution[0], dict):
        columns = tuple(solution[0])
        return table("", columns, [[str(row.get(column, "")) for column in columns] for row in solution])
    return f"<p><code>{html.escape(str(solution))}</code></p>"
