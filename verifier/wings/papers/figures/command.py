"""`pkdp figures`: the papers' figures and tables, computed anew."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

from verifier.cli.common import echo
from verifier.cli.waiting import counting
from verifier.errors import InputError
from verifier.machine.files import refuse_folder

KINDS = ("csv", "markdown", "latex")


def figures(
    paper: Annotated[str | None, typer.Option(help="one paper, DMKB20 or LQS12; default: all")] = None,
    figure: Annotated[str | None, typer.Option(help="one figure by its number; default: all")] = None,
    output: Annotated[Path, typer.Option(help="the folder to write to")] = Path("figures"),
    kind: Annotated[str, typer.Option("--format", help="of the tables: csv, markdown or latex")] = "csv",
) -> None:
    """Draw the papers' figures with the printed bound, the repaired one and the exact truth; write their tables."""
    from verifier.wings.papers.figures.pages import write_figures

    if kind not in KINDS:
        raise InputError(f"the format {kind} is unknown", where="--format", wanted=f"one of {', '.join(KINDS)}")
    refuse_folder(output, "--output")
    with counting("values of figures") as tick:
        written = write_figures(output, paper, figure, kind, tick)
    for path in written:
        echo(f"wrote {path}")
