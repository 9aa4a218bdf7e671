"""What the checker says of answers: it reads the text of the model, and decides each again."""

from __future__ import annotations

import json
from typing import Any

import verifier as pk
from verifier.checker.answers import Word, checked
from verifier.checker.models import Model
from verifier.checker.numbers import BeyondLimits, Wrong
from verifier.checker.reading import MALFORMED

Document = dict[str, Any]


def checker_word(document: Document, text: str | None) -> Word:
    """The checker's word on an answer, as it stands in a file; what is no answer, or no model, is rejected."""
    try:
        model = None if text is None else Model(text)
    except (Wrong, BeyondLimits, *MALFORMED) as error:
        return Word("rejected", str(error))
    try:
        return checked(json.loads(json.dumps(document)), model)
    except (Wrong, BeyondLimits) as error:
        return Word("rejected", str(error))


def document_of(answer: pk.Answer) -> Document:
    """An answer as `check --json` prints it."""
    found: Document = json.loads(json.dumps(answer.to_json()))
    return found


def refused(answer: pk.Answer | Document, text: str) -> str | None:
    """Why the checker does not confirm an answer about a model; None where it does."""
    found = checker_word(answer if isinstance(answer, dict) else document_of(answer), text)
    return None if found.word == "confirmed" else found.why
