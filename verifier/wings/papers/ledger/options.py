"""What `pkdp claims` can be asked: its options and its help."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from typing import Annotated

import typer

from verifier.cli.common import Replied, one_of_those
from verifier.wings.papers.bounds.options import with_bound_options


def papers() -> Iterable[str]:
    """Return the names of the papers."""
    from verifier.wings.papers.ledger.read import PAPERS

    return PAPERS


@with_bound_options
@dataclass(frozen=True)
class Claims(Replied):
    """Show which theorems of the papers hold, and what holds instead.

    pkdp claims lists all theorems, pkdp claims DMKB20 those of one paper with what holds instead. A claim gets at most
    25 lines, and … marks a cut. With --all you see its full text, every reading of it, and the evidence. If the text or
    the evidence of a claim changed since pkdp decided it, the claim is marked stale, and the exit status is 1.

    With --bound you compute one theorem's ε and δ for your own numbers, next to the smallest true ones: pkdp claims
    --bound theorem-4 --n 100 --p 1/50 --threshold 10. Exit status: 0 each bound is true, 1 one is too small, 3 one
    is undecided or no condition is met.
    """

    names: Annotated[
        list[str] | None,
        typer.Argument(
            metavar="[PAPER] [CLAIM]...",
            help='paper, such as DMKB20; claims in full, such as "Theorem 3"; default: all',
            autocompletion=one_of_those(papers),
        ),
    ] = None
    paper: Annotated[
        str | None,
        typer.Option(
            metavar="DMKB20|DKM19|D20|LQS12|DP22", help="paper, which you may also type as an argument; default: all"
        ),
    ] = None
    verdict: Annotated[
        str | None,
        typer.Option(help="only verdict to show, such as fails, or refuted with --all; default: all"),
    ] = None
    every: Annotated[bool, typer.Option("--all", help="every reading of every claim, with its evidence")] = False
    replay: Annotated[bool, typer.Option("--replay", help="re-check of the recorded answers (minutes)")] = False
    again: Annotated[bool, typer.Option("--again", help="new decision of everything (minutes)")] = False
    latex: Annotated[bool, typer.Option("--latex", help="short for --format latex")] = False
    as_json: Annotated[bool, typer.Option("--json", help="one JSON list on standard output, with every reading")] = (
        False
    )
    of_bound: Annotated[
        bool,
        typer.Option("--bound", help="(ε, δ) of a theorem, by its key, for your numbers; without a key a list"),
    ] = False
