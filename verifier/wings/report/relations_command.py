"""`pkdp relations`: what implies what, and which model shows that something does not follow."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

from verifier.cli.common import Format, Reply, definitions_that_begin, echo
from verifier.errors import InputError
from verifier.machine.files import refuse_folder

TWO = "two definitions; default: the tables of all the papers' definitions"


def relations(
    definitions: Annotated[
        list[str] | None, typer.Argument(metavar="[A B]", help=TWO, autocompletion=definitions_that_begin)
    ] = None,
    matrix: Annotated[  # noqa: FBT002
        bool, typer.Option("--matrix", help="all ordered pairs of DP22's definitions: the counts; as CSV every cell")
    ] = False,
    output: Annotated[Path | None, typer.Option(help="with --matrix: a folder for the page of every pair")] = None,
    kind: Format = "table",
) -> Reply | None:
    """Show what implies what, under which condition, and which model shows that something does not follow.

    With two definitions, such as np and cdp: whether each implies the other, in sentences, with the reason.
    """
    from verifier.wings.implications.matrix import sheets as matrix_sheets
    from verifier.wings.implications.pair import pair_of
    from verifier.wings.implications.pair import relations as relations_of
    from verifier.wings.implications.table import relation_sheets, relations_json
    from verifier.wings.implications.table import relations as table_of

    names = tuple(definitions or ())
    if matrix:
        if names:
            given = ", ".join(names)
            raise InputError(
                f"{given} and --matrix are given together", wanted="one of the two", tip="pkdp relations np cdp"
            )
        if output is not None:
            _write(output)
            return None
        return Reply(matrix_sheets.matrix_json, lambda: matrix_sheets.matrix_sheets(kind))
    if output is not None:
        raise InputError("--output needs --matrix", wanted="pkdp relations --matrix --output DIR")
    if len(names) == 2:
        answer = relations_of(*names)
        return Reply(answer.to_json, lambda: [answer.sheet()])
    pair_of(names)  # another number of definitions is refused
    return Reply(lambda: relations_json(table_of()), lambda: relation_sheets(table_of()))


def _write(folder: Path) -> None:
    """Write the page of every pair."""
    from verifier.wings.report.matrix_page import write_matrix

    refuse_folder(folder, "--output")
    for path in write_matrix(folder):
        echo(f"wrote {path}")
