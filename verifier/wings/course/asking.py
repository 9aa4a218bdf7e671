"""A question before its answer, and exercises checked by computing."""

from __future__ import annotations

import html
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from hashlib import sha256
from typing import Any

from verifier.errors import InputError, PkdpError
from verifier.wings.course.prose import inline, prose
from verifier.wings.course.reading import problem
from verifier.wings.course.shown import Shown, piece, plain, value_of


@dataclass(frozen=True, repr=False)
class Question(Shown):
    """A question whose answer is folded until a choice was made, or until it is opened."""

    right: str = ""
    choices: Mapping[str, str] = field(default_factory=dict)
    answer: str = ""


def question(ask: str, choices: Mapping[str, str], *, right: object, answer: object) -> Question:
    """Ask before answering: `choices` maps each choice to what is said to the one who takes it.

    `right` is the choice that is right; compute it in the notebook, so that it cannot be stale. `answer` is anything
    that `show` takes; it is folded until the reader has chosen, or opens it.

    >>> from verifier.definitions import find
    >>> question("Does it hold?", {"holds": "", "fails": ""}, right="fails", answer="It does not.").right
    'fails'
    """
    text = str(right)
    if text not in choices:
        raise InputError(f"the right choice is {text}", where=ask, wanted=f"one of the choices {', '.join(choices)}")
    name = "q" + sha256(ask.encode()).hexdigest()[:10]
    options = "".join(_option(name, k, one, said, right=one == text) for k, (one, said) in enumerate(choices.items()))
    page = (
        f"<section class='pk-q'><fieldset><legend>Before you read on</legend>"
        f"{prose(ask)}{options}</fieldset>"
        f"<details><summary>Open the answer without choosing</summary></details>"
        f"<div class='pk-answer'>{piece(answer)}</div></section>"
    )
    return Question(page, f"{ask}\n" + "\n".join(f"( ) {one}" for one in choices), text, dict(choices), plain(answer))


def _option(name: str, number: int, choice: str, said: str, *, right: bool) -> str:
    mark = "<b class='holds'>✓ Right.</b>" if right else "<b class='fails'>✗ Not so.</b>"
    return (
        f"<div class='pk-choice'><input type='radio' name='{name}' id='{name}-{number}'>"
        f"<label for='{name}-{number}'>{inline(choice)}</label>"
        f"<div class='pk-reply'>{mark} {inline(said)}</div></div>"
    )


@dataclass(frozen=True)
class Tried:
    """What came of one answer: `state` is open, wrong, unreadable or right; `said` says why."""

    state: str
    said: str


@dataclass(frozen=True, repr=False)
class Exercise(Shown):
    """A task with a check; `tried` checks any answer as the notebook does."""

    title: str = ""
    check: Callable[[Any], object] = field(default=lambda _: "")
    solution: Any = None
    tempting: tuple[Any, ...] = ()
    found: Tried = Tried("open", "")

    def tried(self, given: Any) -> Tried:
        """Check an answer."""
        return _try(self.check, given)


def _try(check: Callable[[Any], object], given: Any) -> Tried:
    if given is None or (isinstance(given, str) and not given.strip()):
        return Tried("open", "")
    try:
        said = check(given)
    except PkdpError as error:
        return Tried("unreadable", problem(error).html)
    wrong = "" if said is None else str(said)
    return Tried("wrong", wrong) if wrong else Tried("right", "")


HEADS = {"open": "Your turn", "wrong": "✗ Not yet", "unreadable": "✗ Not yet", "right": "✓ Right"}


def exercise(
    title: str,
    task: object,
    given: Any,
    *,
    check: Callable[[Any], object],
    hints: Sequence[str],
    solution: Any,
    why: object = "",
    tempting: Sequence[Any] = (),
) -> Exercise:
    """A task: `given` is a control (or its value), `check` says what is wrong with a value, or nothing if it is right.

    `check` decides by computing with the verifier. `hints` are nudges, from a small one to a bigger one; `solution` is
    a value that passes the check, `why` explains it, `tempting` are wrong values that a reader may well give.

    >>> from verifier.wings.course.kit import entry, number
    >>> half = lambda text: "" if 2 * number(text) == 1 else f"twice {text} is {2 * number(text)}"
    >>> task = exercise("A half", "Write one half.", entry("x"), check=half, hints=["Halve 1."], solution="1/2")
    >>> task.found.state, task.tried("1/3"), task.tried("0.5").state
    ('open', Tried(state='wrong', said='twice 1/3 is 2/3'), 'right')
    """
    value = value_of(given)
    found = _try(check, value)
    if found.state != "right" and value == getattr(given, "pk_start", None):  # a live control that was not touched yet
        found = Tried("open", "")
    said = found.said if found.state == "unreadable" else prose(found.said)
    names = ["A nudge", "A bigger nudge", *[f"Nudge {k}" for k in range(3, len(hints) + 1)]]
    folded = "".join(
        f"<details><summary>{name}</summary>{prose(one)}</details>" for name, one in zip(names, hints, strict=False)
    )
    called = {repr(thing): name for name, thing in getattr(given, "pk_options", {}).items()}
    shown = _solution(called.get(repr(solution), solution))
    folded += f"<details><summary>A solution</summary>{shown}{piece(why) if why else ''}</details>"
    after = piece(why) if found.state == "right" and why else ""
    page = (
        f"<section class='pk-task {found.state}'><p class='pk-title'>Exercise: {inline(title)}</p>{piece(task)}"
        f"{piece(given) if hasattr(given, 'value') else ''}"
        f"<div class='pk-result' aria-live='polite'><p class='pk-state'>{HEADS[found.state]}</p>{said}{after}</div>"
        f"{folded}</section>"
    )
    text = f"Exercise: {title}\n{plain(task)}\n{HEADS[found.state]} {found.said}".strip()
    return Exercise(page, text, title, check, solution, tuple(tempting), found)


def _solution(solution: Any) -> str:
    if isinstance(solution, list) and solution and isinstance(solution[0], dict):
        from verifier.show.markup import table

        columns = tuple(solution[0])
        return table("", columns, [[str(row.get(column, "")) for column in columns] for row in solution])
    return f"<p><code>{html.escape(str(solution))}</code></p>"
