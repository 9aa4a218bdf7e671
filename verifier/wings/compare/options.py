"""What `pkdp compare` can be asked: its options and its help."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path
from typing import Annotated

import typer

from verifier.cli.common import (
    MODEL,
    Digits,
    MaxDigits,
    Replay,
    Replied,
    Sets,
    definitions_that_begin,
    file_to_write,
    models_that_begin,
)
from verifier.numbers import DIGITS, MAX_DIGITS

AGAIN = "definition to order them by; repeatable; default: those of an overview"
PLOT = "drawing of both curves, of the first definition that has them, to write (.svg, .png or .pdf)"


@dataclass(frozen=True)
class Compare(Replied):
    """Compare two mechanisms: same output distributions, post-processing, which is more private.

    Both models need the same values and size; for definitions with a distribution also the same distributions,
    knowledge and protected values. Whether one is a post-processing of the other is decided for all databases at once:
    by a channel, or by a decision that the other one serves better. An order is of all ε ≥ 0.
    """

    first: Annotated[str, typer.Argument(metavar="A", help=MODEL, autocompletion=models_that_begin)]
    second: Annotated[
        str, typer.Argument(metavar="B", help="model to compare it with, named alike", autocompletion=models_that_begin)
    ]
    definition: Annotated[list[str] | None, typer.Option(help=AGAIN, autocompletion=definitions_that_begin)] = None
    sets: Sets = None
    plot: Annotated[Path | None, file_to_write("--plot", PLOT)] = None
    replay: Replay = True
    digits: Digits = DIGITS
    max_digits: MaxDigits = MAX_DIGITS
