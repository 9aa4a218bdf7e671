"""`pkdp conventions | definitions | guide`: what there is, as lists and pages."""

from __future__ import annotations

from typing import Annotated

import typer

from verifier.cli.common import AsJson, Format, With, as_text, check_format, echo, print_sheets, read_own


def conventions(as_json: AsJson = False, kind: Format = "table") -> None:  # noqa: FBT002
    """List every convention that can change a verdict, with its choice and source."""
    from verifier.definitions import CONVENTIONS
    from verifier.show.words import conventions_sheet

    check_format(kind)
    if as_json:
        typer.echo(as_text([convention.to_json() for convention in CONVENTIONS]))
        return
    print_sheets([conventions_sheet(CONVENTIONS)], kind)


def definitions(own: With = None, as_json: AsJson = False, kind: Format = "table") -> None:  # noqa: FBT002
    """List the definitions with their sources, formulas and readings."""
    from verifier.definitions import ANNOUNCED, DEFINITIONS, ON_REQUEST
    from verifier.show.sheet import Sheet

    check_format(kind)
    read_own(own)
    every = [*DEFINITIONS.values(), *ON_REQUEST.values(), *ANNOUNCED.values()]
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
    if as_json:
        typer.echo(as_text([dict(zip(columns, row, strict=True)) for row in rows]))
        return
    print_sheets([Sheet("Definitions", columns, rows)], kind)


def guide(
    topic: Annotated[str | None, typer.Argument(metavar="[TOPIC]", help="without it, the topics are listed")] = None,
) -> None:
    """Print a page of the guide: the format of model files, that of certificates, the language of questions, …."""
    from verifier.model.library import GUIDES
    from verifier.model.library import guide as page

    if topic is not None:
        echo(page(topic))
        return
    for name in GUIDES:
        title = next(line for line in page(name).splitlines() if line.startswith("# ")).removeprefix("# ")
        typer.echo(f"pkdp guide {name:<16} {title}")
