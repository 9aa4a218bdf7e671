"""What `pkdp compose` can be asked: its options and its help."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Annotated

import typer

from verifier.cli.common import Digits, File, Replied, Sets
from verifier.numbers import DIGITS


@dataclass(frozen=True)
class Compose(Replied):
    """Run a mechanism several times on one database: the exact privacy curve beside k·ε and k·δ, and Theorem 6.

    The naive rule is a theorem for DP; NP, APKDP, PPKDP and CDP may need more, and any amount of it.
    """

    file: File
    times: Annotated[int, typer.Option(min=2, help="how many independent runs on the same database")]
    definition: Annotated[
        list[str] | None, typer.Option(help="again for more; left out: dp, np, apkdp, ppkdp and cdp")
    ] = None
    epsilon: Annotated[
        list[str] | None, typer.Option(help="the ε of one run at which δ is compared; again for more")
    ] = None
    sets: Sets = None
    digits: Digits = DIGITS
