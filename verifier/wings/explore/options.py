"""What `pkdp explore` can be asked: its options and its help."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Annotated

import typer

PORTS = 65535


@dataclass(frozen=True)
class Explore:
    """Open the explorer: edit a model in the browser and see its answers. Nothing leaves this machine."""

    file: Annotated[str | None, typer.Argument(metavar="[MODEL]", help="a model file to start with")] = None
    port: Annotated[int, typer.Option(min=0, max=PORTS, help="the port; 0 is any free one")] = 0
    no_open: Annotated[bool, typer.Option("--no-open", help="do not open a browser")] = False
