"""`pkdp definitions`: list the definitions, those that change a dimension, or the conventions; or print cards."""

from __future__ import annotations

from verifier.cli.commands import extension
from verifier.cli.common import Reply, read_own
from verifier.cli.options import Definitions
from verifier.definitions import CONVENTIONS, DEFINITIONS, ON_REQUEST, find
from verifier.definitions.atlas import dimension_named
from verifier.errors import InCommand, InputError
from verifier.show.answers import conventions_sheet
from verifier.show.cards import card_json, card_sheet, dimension_sheet, in_dimension, key_of
from verifier.show.sheet import Sheet


def definitions(typed: Definitions) -> Reply:
    """Answer what was typed."""
    keys = typed.keys

    read_own(typed.own)
    asked = {"keys": bool(keys), "--dimension": typed.dimension is not None, "--conventions": typed.conventions}
    if len(given := [name for name, is_given in asked.items() if is_given]) > 1:
        together = f"{given[0]} {'are' if keys else 'is'} given with {given[1]}"
        raise InputError(together, where=InCommand("pkdp definitions"), wanted="one of the two")
    if typed.conventions:
        return Reply(lambda: [each.to_json() for each in CONVENTIONS], lambda: [conventions_sheet(CONVENTIONS)])
    if keys:
        cards = [(card, extension().axioms_of(key_of(card))) for card in map(find, keys)]
        objects = [{**card_json(card), "axioms": dict(axioms)} for card, axioms in cards]
        return Reply(
            lambda: objects[0] if len(objects) == 1 else objects,
            lambda: [card_sheet(card, axioms) for card, axioms in cards],
        )
    if typed.dimension is not None:
        letters = dimension_named(typed.dimension)
        return Reply(
            lambda: [card_json(definition) for definition in in_dimension(letters)], lambda: [dimension_sheet(letters)]
        )
    rows = tuple(
        (
            d.key,
            d.title,
            d.source,
            d.formula or "not decided by this version",
            ", ".join(d.readings),
            ", ".join(d.aliases),
        )
        for d in (*DEFINITIONS.values(), *ON_REQUEST.values())
    )
    columns = ("key", "definition", "source", "formula", "readings", "aliases")
    return Reply(
        lambda: [dict(zip(columns, row, strict=True)) for row in rows], lambda: [Sheet("Definitions", columns, rows)]
    )
