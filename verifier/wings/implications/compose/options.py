"""What `pkdp compose` can be asked: its options and its help."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path
from typing import Annotated

import typer

from verifier.cli.common import Digits, Replied, Sets, definitions_that_begin, file_to_write
from verifier.cli.options import Files
from verifier.numbers import DIGITS


@dataclass(frozen=True)
class Compose(Replied):
    """Compute ε and δ of several runs together on one database.

    --delta gives the smallest ε of all runs together, --epsilon their smallest δ, both exactly. Several models are
    different mechanisms on the same databases. Without the two options, pkdp compares the runs of one model with the
    rules k·ε, k·δ and Theorem 6. The rule k·ε is a theorem for DP; NP, APKDP, PPKDP and CDP may need any ε beyond it.
    """

    files: Files
    times: Annotated[
        list[int],
        typer.Option(min=1, help="number of independent runs on the same database; repeatable, one for each MODEL"),
    ]
    definition: Annotated[
        list[str] | None,
        typer.Option(
            help="definition, or several with commas; repeatable; default: dp, np, apkdp, ppkdp and cdp",
            autocompletion=definitions_that_begin,
        ),
    ] = None
    delta: Annotated[
        list[str] | None, typer.Option(help="δ at which the smallest ε of all runs is shown; repeatable; default: none")
    ] = None
    epsilon: Annotated[
        list[str] | None, typer.Option(help="ε at which the smallest δ of all runs is shown; repeatable; default: none")
    ] = None
    one_run: Annotated[
        list[str] | None,
        typer.Option(
            "--one-run", help="ε of one run at which δ is compared; repeatable; default: 0 and the bends of its curve"
        ),
    ] = None
    plot: Annotated[
        Path | None, file_to_write("--plot", "drawing of δ against ε of all runs to write (.svg, .png or .pdf)")
    ] = None
    replay: Annotated[bool, typer.Option("--replay/--no-replay", help="independent re-check of all runs")] = True
    sets: Sets = None
    digits: Digits = DIGITS
