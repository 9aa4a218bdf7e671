"""A sample of the frozen answers, of each definition and of the short commands: `make frozen` asks all of them."""

from __future__ import annotations

from functools import cache
from hashlib import sha256
from typing import Any

import pytest
from frozen.answers import ask, hash_of, read
from frozen.questions import DEFINITIONS, FAST_ON_ANY_MODEL, ROOT, Question, every_question

SAMPLES = {
    **dict.fromkeys((*DEFINITIONS, *FAST_ON_ANY_MODEL), 12),
    "ddp": 24,
    "acceptable": 24,
    "--atlas": 8,
    "loss": 16,
}
"""How many questions of each kind are asked."""


@cache
def frozen() -> dict[str, Any]:
    """The fields of each group, and the hash of each answer."""
    return read()


@cache
def questions() -> tuple[Question, ...]:
    """All frozen questions, in an order that has nothing to do with what they ask."""
    known = [question for question in every_question() if question.name in frozen()["answers"]]
    return tuple(sorted(known, key=lambda question: sha256(question.name.encode()).digest()))


def sample(kind: str) -> list[Question]:
    """Some of the questions that a definition or a command is asked."""
    return [question for question in questions() if kind in question.arguments][: SAMPLES[kind]]


@pytest.mark.parametrize("kind", SAMPLES)
def test_some_answers_are_as_they_were_frozen(kind: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(ROOT)
    asked = sample(kind)
    assert len(asked) == SAMPLES[kind]
    for question in asked:
        answer = hash_of(ask(question), frozen()["fields"][question.group])
        assert answer == frozen()["answers"][question.name], question.name
