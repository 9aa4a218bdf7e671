"""`pkdp conventions | definitions | guide`: list the conventions and definitions, and print pages of the guide."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Annotated

import typer

from verifier.cli.commands import extension
from verifier.cli.common import Reply, With, definitions_that_begin, echo, one_of_those, read_own
from verifier.errors import InputError


def conventions() -> Reply:
    """List every convention that can change a verdict, with its choice and source."""
    from verifier.definitions import CONVENTIONS
    from verifier.show.answers import conventions_sheet

    return Reply(lambda: [convention.to_json() for convention in CONVENTIONS], lambda: [conventions_sheet(CONVENTIONS)])


def definitions(
    keys: Annotated[
        list[str] | None,
        typer.Argument(metavar="KEY…", help="print the card of each", autocompletion=definitions_that_begin),
    ] = None,
    dimension: Annotated[
        str | None, typer.Option(help="DP22's definitions that change it: letters of QNVBFRC, or a name")
    ] = None,
    own: With = None,
) -> Reply:
    """List the definitions with their sources, formulas and readings; or print the cards of some.

    A card has the formula, the choice on each of DP22's axes, the lines of [policy] to copy, and the small model that
    tells the definition apart from its neighbours.
    """
    from verifier.definitions import DEFINITIONS, ON_REQUEST, find
    from verifier.definitions.atlas import dimension_named
    from verifier.show.cards import card_json, card_sheet, dimension_sheet, in_dimension, key_of
    from verifier.show.sheet import Sheet

    read_own(own)
    if keys and dimension is not None:
        raise InputError("keys are given with --dimension", where="pkdp definitions", wanted="one of the two")
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


def topics() -> Iterable[str]:
    """Return the names of the pages of the guide."""
    from verifier.model.library import GUIDES

    return GUIDES


def guide(
    topic: Annotated[
        str | None,
        typer.Argument(
            metavar="[TOPIC]", help="without it, the topics are listed", autocompletion=one_of_those(topics)
        ),
    ] = None,
) -> None:
    """Print a page of the guide: the formats of model files and certificates, the language of questions, …."""
    from verifier.model.library import GUIDES
    from verifier.model.library import guide as page

    if topic is not None:
        echo(page(topic))
        return
    for name in GUIDES:
        title = next(line for line in page(name).splitlines() if line.startswith("# ")).removeprefix("# ")
        typer.echo(f"pkdp guide {name:<16} {title}")
