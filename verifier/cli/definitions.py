"""`pkdp definitions`: list the definitions, those that change a dimension, or the conventions; or print cards."""

from __future__ import annotations

from typing import Annotated

import typer

from verifier.cli.commands import extension
from verifier.cli.common import Reply, With, definitions_that_begin, read_own
from verifier.errors import InputError


def definitions(
    keys: Annotated[
        list[str] | None,
        typer.Argument(metavar="KEY…", help="print the card of each", autocompletion=definitions_that_begin),
    ] = None,
    dimension: Annotated[
        str | None, typer.Option(help="DP22's definitions that change it: letters of QNVBFRC, or a name")
    ] = None,
    conventions: Annotated[  # noqa: FBT002
        bool, typer.Option("--conventions", help="every convention that can change a verdict, its choice and source")
    ] = False,
    own: With = None,
) -> Reply:
    """List the definitions with their sources, formulas and readings; or print the cards of some.

    A card has the formula, the choice on each of DP22's axes, the lines of [policy] to copy, and the small model that
    tells the definition apart from its neighbours.
    """
    from verifier.definitions import CONVENTIONS, DEFINITIONS, ON_REQUEST, find
    from verifier.definitions.atlas import dimension_named
    from verifier.show.answers import conventions_sheet
    from verifier.show.cards import card_json, card_sheet, dimension_sheet, in_dimension, key_of
    from verifier.show.sheet import Sheet

    read_own(own)
    asked = {"keys": bool(keys), "--dimension": dimension is not None, "--conventions": conventions}
    if len(given := [name for name, is_given in asked.items() if is_given]) > 1:
        together = f"{given[0]} {'are' if keys else 'is'} given with {given[1]}"
        raise InputError(together, where="pkdp definitions", wanted="one of the two")
    if conventions:
        return Reply(lambda: [each.to_json() for each in CONVENTIONS], lambda: [conventions_sheet(CONVENTIONS)])
    if keys:
        cards = [(card, extension().axioms_of(key_of(card))) for card in map(find, keys)]
        objects = [{**card_json(card), "axioms": dict(axioms)} for card, axioms in cards]
        return Reply(
            lambda: objects[0] if len(objects) == 1 else objects,
            lambda: [card_sheet(card, axioms) for card, axioms in cards],
        )
    if dimension is not None:
        letters = dimension_named(dimension)
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
