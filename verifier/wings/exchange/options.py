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
    MaxRows,
    Replied,
    Sets,
    definitions_that_begin,
    file_to_write,
    models_that_begin,
)
from verifier.numbers import DIGITS
from verifier.wings.exchange import MAX_WORLDS

MODEL = "model file (pkdp examples --guide format); its mechanism plays no part, and may be left out"
AGAIN = 'ε of A, such as "ln(p/q)": above 0, or with --delta from 0 on; repeatable'
CURVE = 'range of ε, "all" or "ln(3/2)..ln(4)", in which the rate is a function of ε'
DELTA = "δ of A, a rational; the answer is the smallest δ′ of B as a function of ε′; default: none"
EPSILON_B = "ε′ at which the smallest δ′ of B is shown, with --delta; repeatable"
OVER = "parameter of the file of which the rate is a function, at one ε"


@dataclass(frozen=True)
class Convert(Replied):
    """Convert one definition's guarantee into another's, exactly, over all mechanisms.

    The answer is the smallest ε′ for which every ε-A mechanism is ε′-B, for the model's θ and B. pkdp proves it by
    multipliers, and shows a mechanism that attains it. A and B require P[o] ≤ e^(c·ε)·Q[o] for each output o, as np,
    cdp and many definitions of DP22 do.

    If the file has a parameter, give --set p=1/7 for each row. --curve all and --over p give the rate as a function,
    piece by piece, as closed forms. With --delta D you get the smallest δ′ of B as a function of ε′, over all
    mechanisms that are (E, D)-A, for hockey-stick definitions.
    """

    source: Annotated[
        str,
        typer.Argument(
            metavar="A", help="definition that every mechanism satisfies", autocompletion=definitions_that_begin
        ),
    ]
    target: Annotated[
        str,
        typer.Argument(metavar="B", help="definition that follows", autocompletion=definitions_that_begin),
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
    plot: Annotated[Path | None, file_to_write("--plot", "drawing of the rates to write (.svg)")] = None
    max_rows: MaxRows = MAX_WORLDS
    digits: Digits = DIGITS
