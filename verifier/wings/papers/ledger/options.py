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
    """Say which theorems of the papers hold, how badly the others fail, and what holds instead.

    Without an argument there is one row for each theorem, proposition, lemma and corollary; a paper adds what holds
    instead, and a claim is printed in full. With --all there is a row for each reading of each claim, with what it
    rests on; --json, --replay and --again are about these. A verdict is shown only while its words and its evidence are
    those that were decided, by their hashes. Exit status 1 where something that is shown is stale.

    With --bound the argument is the key of a theorem about ε and δ. What it claims, as printed and by each reading, is
    set beside the exact truth. Exit status: 1 where a claim does not cover the truth; else 3 where one is undecided, or
    the conditions of none are met; else 0.
    """

    names: Annotated[
        list[str] | None,
        typer.Argument(
            metavar="[PAPER] [CLAIM]...",
            help='a paper, such as DMKB20; claims in full, such as "Theorem 3"; default: all',
            autocompletion=one_of_those(papers),
        ),
    ] = None
    paper: Annotated[
        str | None, typer.Option(help="DMKB20, DKM19, D20, LQS12 or DP22; short: its name as an argument")
    ] = None
    verdict: Annotated[
        str | None, typer.Option(help="only statements, or readings, with this verdict: fails, refuted, …")
    ] = None
    every: Annotated[bool, typer.Option("--all", help="every reading of every claim, with its evidence")] = False
    replay: Annotated[bool, typer.Option("--replay", help="re-check the answers (minutes)")] = False
    again: Annotated[bool, typer.Option("--again", help="decide everything again (minutes)")] = False
    latex: Annotated[bool, typer.Option("--latex", help="short for --format latex")] = False
    as_json: Annotated[bool, typer.Option("--json", help="one JSON list on standard output: every reading")] = False
    of_bound: Annotated[
        bool,
        typer.Option("--bound", help="the (ε, δ) of a theorem, by its key, beside the truth; default: a list"),
    ] = False
