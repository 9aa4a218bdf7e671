"""Reading the question that comes with a document; what is wrong with it is at a field of the page."""

from __future__ import annotations

from collections.abc import Mapping
from fractions import Fraction
from typing import Any, TypeAlias

from verifier.definitions import find
from verifier.errors import InputError, PkdpError, Where
from verifier.numbers import Epsilon, delta_bound, shorten
from verifier.numbers import epsilon as read_epsilon
from verifier.wings.explore.desk import Question

Asked: TypeAlias = Mapping[str, Any]
"""The body of a request."""


def field_of(name: str, words: str = "") -> Where:
    """The place of a field of the question."""
    return Where(words or name, (name,))


def text_or_none(asked: Asked, name: str) -> str | None:
    """A text; nothing and the empty text are none.

    Raises:
        InputError: for anything else.

    """
    given = asked.get(name)
    if isinstance(given, int) and not isinstance(given, bool):
        given = str(given)
    if given is not None and not isinstance(given, str):
        raise InputError(f"given {shorten(given)}", where=field_of(name), wanted="a text")
    return (given or "").strip() or None


def epsilon_of(asked: Asked) -> Epsilon | None:
    """ε, or none: for some finite ε."""
    given = text_or_none(asked, "epsilon")
    return None if given is None else read_epsilon(given, field_of("epsilon", "ε"))


def delta_of(asked: Asked) -> Fraction:
    """δ; 0 where none is given."""
    return delta_bound(text_or_none(asked, "delta") or "0", field_of("delta", "δ"))


def question_of(asked: Asked) -> Question:
    """The whole question.

    Raises:
        InputError: with the field that is wrong.

    """
    try:
        definition = find(text_or_none(asked, "definition") or "apkdp")
    except PkdpError as error:
        raise placed(error, "definition") from None
    try:
        reading = definition.reading(text_or_none(asked, "reading") or "default")
    except PkdpError as error:
        raise placed(error, "reading") from None
    return Question(definition, reading, epsilon_of(asked), delta_of(asked))


def placed(error: PkdpError, name: str) -> PkdpError:
    """The same error, at a field."""
    return type(error)(error.message, where=field_of(name), wanted=error.wanted, tip=error.tip)
