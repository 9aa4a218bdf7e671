"""`pkdp relations`: what implies what, and which model shows that something does not follow."""

from __future__ import annotations

import typer

from verifier.cli.common import AsJson, Format, as_text, check_format, print_sheets


def relations(as_json: AsJson = False, kind: Format = "table") -> None:  # noqa: FBT002
    """Show what implies what, under which condition, and which model shows that something does not follow."""
    from verifier.wings.papers.relations.sheets import relation_sheets, relations_json
    from verifier.wings.papers.relations.table import relations as every

    check_format(kind)
    if as_json:
        typer.echo(as_text(relations_json(every())))
        return
    print_sheets(relation_sheets(every()), kind)
