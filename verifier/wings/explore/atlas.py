"""The definitions of DP22 on the page: by their dimensions, with their cards and the fields of `[policy]` they read."""

from __future__ import annotations

from fractions import Fraction
from typing import Any

from verifier.definitions import Definition, Verdict, find
from verifier.definitions.atlas import DIMENSIONS, atlas, dimension_named
from verifier.engine import Engine
from verifier.model import Model
from verifier.model.policy import FIELDS
from verifier.numbers import Epsilon
from verifier.questions.atlas import entry_of
from verifier.show.atlas import atlas_sheets
from verifier.show.axis_words import fields_read, meaning_of
from verifier.show.cards import card_items, in_dimension, key_of
from verifier.show.sheet import Sheet
from verifier.wings.explore.open_documents import PageQuestion
from verifier.wings.explore.request_fields import RequestFields, about_field, page_question, text_or_none
from verifier.wings.explore.texts import AFTERWARDS

ELSEWHERE = frozenset({"definition", "source", "formula", "may be given", "to copy"})
"""Items of a card that stand above it on the page, or in the form of `[policy]`."""


def dimensions() -> list[dict[str, Any]]:
    """The dimensions of DP22, each with its letter, its name, and how many definitions change it."""
    return [
        {"letter": letter, "name": name, "definitions": len(in_dimension(letter))}
        for letter, name in DIMENSIONS.items()
        if letter
    ]


def dimension_of(fields: RequestFields) -> str | None:
    """The letters of the dimensions that a request names; None where it asks for the passport of the texts.

    Raises:
        InputError: where the request names no dimension of DP22.

    """
    text = text_or_none(fields, "dimension")
    with about_field("dimension"):
        return None if text is None else dimension_named(text)


def questions_in(letters: str, epsilon: Epsilon | None, delta: Fraction) -> list[PageQuestion]:
    """The question about each definition that changes these dimensions, in the order of the atlas."""
    return [page_question(definition, "default", epsilon, delta) for definition in in_dimension(letters)]


def sheets_of(engine: Engine, answers: list[Verdict]) -> list[Sheet]:
    """The tables of `pkdp check --atlas --all` for some of its answers; no table where there are none."""
    if not answers:
        return []
    entries = [entry_of(key_of(find(answer.definition)), answer, engine) for answer in answers]
    return atlas_sheets(engine.model, entries, in_full=True, recheck=AFTERWARDS)


def about_json(definition: Definition, model: Model) -> dict[str, Any]:
    """The card of a definition, and the fields of `[policy]` that it reads, which the page shows beside the formula."""
    key = key_of(definition)
    if key not in atlas:
        return {"dimensions": None, "card": [], "policy": [], "has_epsilon": True, "has_delta": True}
    return {
        "dimensions": atlas.dimensions(key),
        "card": [list(row) for row in _card(definition)],
        "policy": policy_json(definition, model),
        "has_epsilon": definition.has_epsilon,
        "has_delta": definition.has_delta,
    }


def _card(definition: Definition) -> list[tuple[str, str]]:
    """The items of a card, but for what stands elsewhere; an item that goes on is one text of several lines."""
    items: list[tuple[str, str]] = []
    for name, text in card_items(definition):
        items = [*items, (name, text)] if name else [*items[:-1], (items[-1][0], f"{items[-1][1]}\n{text}")]
    return [(name, text) for name, text in items if name not in ELSEWHERE]


def policy_json(definition: Definition, model: Model) -> list[dict[str, Any]]:
    """The fields that a definition reads, each in words, with an example for this model or None."""
    return [
        {"field": field, "needed": needed, "words": meaning_of(field), "example": FIELDS[field].example(model)}
        for field, needed in fields_read(definition).items()
    ]
