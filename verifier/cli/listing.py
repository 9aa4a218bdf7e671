"""`pkdp conventions | definitions | guide`: list the conventions and definitions, and print pages of the guide."""

from __future__ import annotations

from typing import Annotated

import typer

from verifier.cli.common import AsJson, Format, With, check_format, echo, print_answer, read_own
from verifier.cli.extension import extension
from verifier.errors import InputError


def conventions(as_json: AsJson = False, kind: Format = "table") -> None:  # noqa: FBT002
    """List every convention that can change a verdict, with its choice and source."""
    from verifier.definitions import CONVENTIONS
    from verifier.show.words import conventions_sheet

    check_format(kind)
    listed = [convention.to_json() for convention in CONVENTIONS]
    print_answer(lambda: listed, lambda: [conventions_sheet(CONVENTIONS)], kind, as_json=as_json)


def definitions(
    keys: Annotated[list[str] | None, typer.Argument(metavar="KEY…", help="print the card of each")] = None,
    dimension: Annotated[
        str | None, typer.Option(help="DP22's definitions that change it: letters of QNVBFRC, or a name")
    ] = None,
    own: With = None,
    as_json: AsJson = False,  # noqa: FBT002
    kind: Format = "table",
) -> None:
    """List the definitions with their sources, formulas and readings; or print the cards of some.

    A card has the formula, the choice on each of DP22's axes, the lines of [policy] to copy, and the small model that
    tells the definition apart from its neighbours.
    """
    from verifier.definitions import DEFINITIONS, ON_REQUEST, find
    from verifier.definitions.atlas import dimension_named
    from verifier.show.cards import card_json, card_sheet, dimension_sheet, in_dimension, key_of
    from verifier.show.sheet import Sheet

    check_format(kind)
    read_own(own)
    if keys and dimension is not None:
        raise InputError("given keys with --dimension", where="pkdp definitions", wanted="one of the two")
    if keys:
        cards = [find(key) for key in keys]
        axioms = [extension().axioms_of(key_of(card)) for card in cards]
        listed_cards = [
            {**card_json(card), "axioms": dict(verdicts)} for card, verdicts in zip(cards, axioms, strict=True)
        ]
        if as_json and len(cards) == 1:
            print_answer(lambda: listed_cards[0], list, kind, as_json=True)
            return
        print_answer(
            lambda: listed_cards,
            lambda: [card_sheet(card, verdicts) for card, verdicts in zip(cards, axioms, strict=True)],
            kind,
            as_json=as_json,
        )
        return
    if dimension is not None:
        letters = dimension_named(dimension)
        print_answer(
            lambda: [card_json(definition) for definition in in_dimension(letters)],
            lambda: [dimension_sheet(letters)],
            kind,
            as_json=as_json,
        )
        return
    every = [*DEFINITIONS.values(), *ON_REQUEST.values()]
    rows = tuple(
        (
            d.key,
            d.title,
            d.source,
            d.formula or "not decided by this version",
            ", ".join(d.readings),
            ", ".join(d.aliases),
        )
        for d in every
    )
    columns = ("key", "definition", "source", "formula", "readings", "aliases")
    listed = [dict(zip(columns, row, strict=True)) for row in rows]
    print_answer(lambda: listed, lambda: [Sheet("Definitions", columns, rows)], kind, as_json=as_json)


def guide(
    topic: Annotated[str | None, typer.Argument(metavar="[TOPIC]", help="without it, the topics are listed")] = None,
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
