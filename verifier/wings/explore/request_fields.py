"""The fields of a request's question, read and checked; an error names the field of the page."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from fractions import Fraction
from typing import Any, TypeAlias

from verifier.definitions import Definition, find
from verifier.errors import InputError, PkdpError, Where
from verifier.numbers import Epsilon, delta_bound, shorten
from verifier.numbers import epsilon as read_epsilon
from verifier.wings.explore.open_documents import PageQuestion

RequestFields: TypeAlias = Mapping[str, Any]
"""The fields of a request's body, a JSON object."""


def field_of(name: str, words: str = "") -> Where:
    """The path of a field of the question, for an error."""
    return Where(words or name, (name,))


def text_or_none(fields: RequestFields, name: str) -> str | None:
    """The text of a field; None where it is missing or empty.

    Raises:
        InputError: for anything else.

    """
    text = fields.get(name)
    if isinstance(text, int) and not isinstance(text, bool):
        text = str(text)
    if text is not None and not isinstance(text, str):
        raise InputError(f"{shorten(text)} is not a text", where=field_of(name), wanted="a text")
    return (text or "").strip() or None


def epsilon_of(fields: RequestFields) -> Epsilon | None:
    """The asked ε in nats; None for "some finite ε"."""
    text = text_or_none(fields, "epsilon")
    return None if text is None else read_epsilon(text, field_of("epsilon", "ε"))


def delta_of(fields: RequestFields) -> Fraction:
    """The asked δ; 0 where none is given."""
    return delta_bound(text_or_none(fields, "delta") or "0", field_of("delta", "δ"))


def question_of(fields: RequestFields) -> PageQuestion:
    """The question of a request: definition, reading, ε and δ.

    Raises:
        InputError: with the field that is wrong.

    """
    with about_field("definition"):
        definition = find(text_or_none(fields, "definition") or "apkdp")
    with about_field("reading"):
        reading = definition.reading(text_or_none(fields, "reading") or "default")
    return page_question(definition, reading, epsilon_of(fields), delta_of(fields))


def page_question(definition: Definition, reading: str, epsilon: Epsilon | None, delta: Fraction) -> PageQuestion:
    """The question about a definition: without ε, or at δ = 0, where a definition of DP22 has none."""
    if not definition.reads_policy:
        return PageQuestion(definition, reading, epsilon, delta)
    epsilon_bound = epsilon if definition.has_epsilon else None
    return PageQuestion(definition, reading, epsilon_bound, delta if definition.has_delta else Fraction(0))


@contextmanager
def about_field(name: str) -> Iterator[None]:
    """Give the errors that are raised inside a field of the page as their path."""
    try:
        yield
    except PkdpError as error:
        raise error.but(where=field_of(name)) from None
