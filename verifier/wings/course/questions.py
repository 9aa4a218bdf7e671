"""A question before its answer: the answer is folded until a choice was made, or until the reader opens it."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from hashlib import sha256

from verifier.errors import InputError
from verifier.wings.course.fragment import Fragment, html_of, text_of
from verifier.wings.course.prose import inline, prose


@dataclass(frozen=True, repr=False)
class Question(Fragment):
    """A question whose answer is folded until a choice was made, or until it is opened."""

    right: str = ""
    choices: Mapping[str, str] = field(default_factory=dict)
    answer: str = ""


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
    lines = [ask, *(f"( ) {choice}" for choice in choices)]
    return Question(page, "\n".join(lines), text, dict(choices), text_of(answer))


def _option(identifier: str, name: str, choice: str, reply: str, *, right: bool) -> str:
    mark = "<b class='holds'>✓ Right.</b>" if right else "<b class='fails'>✗ Not so.</b>"
    return (
        f"<div class='pk-choice'><input type='radio' name='{name}' id='{identifier}'>"
        f"<label for='{identifier}'>{inline(choice)}</label>"
        f"<div class='pk-reply'>{mark} {inline(reply)}</div></div>"
    )
