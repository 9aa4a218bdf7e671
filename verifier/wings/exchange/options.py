"""What `pkdp convert` can be asked: its options and its help."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path
from typing import Annotated

import typer

from verifier.cli.common import (
    Certificate,
    Digits,
    Format,
    Replied,
    Sets,
    definitions_that_begin,
    file_to_write,
    models_that_begin,
)
from verifier.numbers import DIGITS
from verifier.wings.exchange import MAX_WORLDS

MODEL = "a model file (pkdp examples --guide format); its mechanism plays no part, and may be left out"
AGAIN = 'the ε of A, above 0, or with --delta from 0 on: "ln(p/q)"; again for one row each'
CURVE = 'the rate as a function of ε: "all", or a range "ln(3/2)..ln(4)"'
DELTA = "the δ of A, a rational: the smallest δ′ of B as a function of ε′"
EPSILON_B = "with --delta: the smallest δ′ of B at this ε′ too; again for one row each"
OVER = "the rate as a function of this parameter of the file, at one ε"


@dataclass(frozen=True)
class Convert(Replied):
    """Turn one definition's guarantee into another's: the smallest ε′ for which every ε-A mechanism is ε′-B.

    For the model's θ and B, over all mechanisms; exact, with multipliers as proof and a mechanism that attains it.
    A and B ask P[o] ≤ e^(c·ε)·Q[o] of each output o, as np and cdp do, and many of DP22. With a parameter,
    --set p=1/7 again for one row each; --curve all and --over p give the rate as a function, piece by piece, as closed
    forms. With --delta D, over all mechanisms that are (E, D)-A, the smallest δ′ of B as a function of ε′, for
    hockey-stick definitions.
    """

    source: Annotated[
        str,
        typer.Argument(
            metavar="A", help="the definition that every mechanism satisfies", autocompletion=definitions_that_begin
        ),
    ]
    target: Annotated[
        str,
        typer.Argument(metavar="B", help="the definition that is asked about", autocompletion=definitions_that_begin),
    ]
    file: Annotated[str, typer.Argument(metavar="MODEL", help=MODEL, autocompletion=models_that_begin)]
    epsilon: Annotated[list[str] | None, typer.Option(help=AGAIN)] = None
    delta: Annotated[str | None, typer.Option(help=DELTA)] = None
    epsilon_b: Annotated[list[str] | None, typer.Option(help=EPSILON_B)] = None
    curve: Annotated[str | None, typer.Option(metavar="RANGE", help=CURVE)] = None
    over: Annotated[str | None, typer.Option(metavar="PARAMETER", help=OVER)] = None
    sets: Sets = None
    kind: Format = "table"
    certificate: Certificate = None
    plot: Annotated[Path | None, file_to_write("--plot", "draw the rates into this .svg file")] = None
    max_rows: Annotated[int, typer.Option(min=1, help="most worlds, pairs or sums to list")] = MAX_WORLDS
    digits: Digits = DIGITS
