"""`pkdp report`: the counterexample report of the papers, or of one's own models and families."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

from verifier.cli.common import DEFAULT_ROWS, MaxRows, Sets, Several, With, echo, read_own
from verifier.cli.reading import read_files
from verifier.cli.waiting import counting
from verifier.errors import InputError
from verifier.machine.files import refuse_folder


def report(
    files: Annotated[list[str] | None, typer.Argument(metavar="[MODEL…]", help="default: DMKB20, Examples 1–8")] = None,
    output: Annotated[Path, typer.Option(help="the folder to write to")] = Path("report"),
    explorer: Annotated[
        str | None, typer.Option(metavar="ADDRESS", help="where the explorer's page is: each model then opens there")
    ] = None,
    own: With = None,
    sets: Sets = None,
    max_rows: MaxRows = DEFAULT_ROWS,
) -> int:
    """Write the counterexample report: static HTML pages, Markdown, and without MODEL a page for each claim."""
    from verifier.wings.families.page import write_families
    from verifier.wings.report.try_it import explorer_page
    from verifier.wings.report.write import write_report

    read_own(own)
    refuse_folder(output, "--output")
    page = "" if explorer is None else explorer_page(explorer)
    several = Several(alone=len(files or ()) == 1)
    families, models = read_files(files or [], sets or (), several)
    if files and not families and not models:
        return several.status
    if families and page:
        raise InputError(
            "this is a family", where="--explorer", wanted="models without parameters", tip="fix them with --set"
        )
    with counting("pages of models") as tick:
        written = (
            write_families(families, output, max_rows)
            if families
            else write_report(models or None, output, max_rows, tick, page)
        )
    for path in written:
        echo(f"wrote {path}")
    return several.status
