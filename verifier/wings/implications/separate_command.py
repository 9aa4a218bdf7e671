"""`pkdp separate`: all ordered pairs of definitions, implied, separated, or open."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

from verifier.cli.common import Reply
from verifier.cli.waiting import counting
from verifier.machine.files import refuse_folder, write_whole


def separate(
    definitions: Annotated[list[str] | None, typer.Argument(help="some definitions; default: all")] = None,
    output: Annotated[Path | None, typer.Option(help="a folder for the model files that are found")] = None,
) -> Reply:
    """Say of each ordered pair of definitions: implied (with the proof), separated (by which model), or open.

    All of them take some 25 seconds of processor time. Exit status 0 when the table was computed.
    """
    from verifier.wings.implications.separate import PURE
    from verifier.wings.implications.separate import separate as decide
    from verifier.wings.implications.separations import separation_sheets, separations_json

    refuse_folder(output, "--output")
    with counting("pairs of definitions") as tick:
        pairs = decide(definitions or (), tick)
    if output is not None:
        for pair in pairs:
            if pair.text is not None:
                level = "epsilon" if pair.level == PURE else "delta"
                write_whole(output / f"{pair.source}-not-{pair.target}-{level}.toml", pair.text)
    return Reply(lambda: separations_json(pairs), lambda: separation_sheets(pairs))
