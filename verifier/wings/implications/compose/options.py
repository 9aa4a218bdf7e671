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
    """Run mechanisms several times on one database: ε and δ of all runs together, or beside k·ε, k·δ and Theorem 6.

    With --delta the smallest ε of all runs together, with --epsilon their smallest δ, exactly; several models are
    different mechanisms on the same databases. Without the two, of one model a comparison with the rules that promise
    a curve. The naive rule is a theorem for DP; NP, APKDP, PPKDP and CDP may need more, and any amount of it.
    """

    files: Files
    times: Annotated[
        list[int], typer.Option(min=1, help="how many independent runs on the same database; again for each MODEL")
    ]
    definition: Annotated[
        list[str] | None,
        typer.Option(
            help="several: again, or with commas; left out: dp, np, apkdp, ppkdp and cdp",
            autocompletion=definitions_that_begin,
        ),
    ] = None
    delta: Annotated[list[str] | None, typer.Option(help="the smallest ε of all runs at this δ; again for more")] = None
    epsilon: Annotated[list[str] | None, typer.Option(help="the smallest δ of all runs at this ε; again for more")] = (
        None
    )
    one_run: Annotated[
        list[str] | None, typer.Option("--one-run", help="the ε of one run at which δ is compared; again for more")
    ] = None
    plot: Annotated[
        Path | None, file_to_write("--plot", "draw δ against ε of all runs into this .svg, .png or .pdf file")
    ] = None
    replay: Annotated[
        bool, typer.Option("--replay/--no-replay", help="do the independent re-check of all runs, or leave it out")
    ] = True
    sets: Sets = None
    digits: Digits = DIGITS
