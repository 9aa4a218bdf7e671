"""What `pkdp explore` can be asked: its options and its help."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Annotated

import typer

PORTS = 65535


@dataclass(frozen=True)
class Explore:
    """Open the explorer: edit a model in your browser, watch its verdicts.

    Nothing leaves this machine. Stop with Ctrl-C.
    """

    file: Annotated[
        str | None, typer.Argument(metavar="[MODEL]", help="model to start with; default: a first model")
    ] = None
    port: Annotated[int, typer.Option(min=0, max=PORTS, help="port of the page; 0: any free one")] = 0
    no_open: Annotated[bool, typer.Option("--no-open", help="no browser; only the address is printed")] = False
