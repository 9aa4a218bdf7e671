"""`pkdp course`: the notebooks, opened in the browser."""

from __future__ import annotations

import os
import subprocess
from pathlib import Path
from typing import Annotated

import typer

from verifier.cli.common import echo
from verifier.machine.files import refuse_folder


def course(
    name: Annotated[
        str | None, typer.Argument(metavar="[NOTEBOOK]", help="its number or name; default: all, to choose from")
    ] = None,
    edit: Annotated[
        Path | None, typer.Option(metavar="DIR", help="copy to this folder (never overwriting) and open the editor")
    ] = None,
    port: Annotated[int | None, typer.Option(min=1, max=65535, help="default: a free one")] = None,
    browser: Annotated[bool, typer.Option(help="open a browser; else only print the address")] = True,  # noqa: FBT002
    listed: Annotated[bool, typer.Option("--list", help="print the notebooks and where they are")] = False,  # noqa: FBT002
) -> int:
    """Open the course: notebooks to read and play with, or with --edit to change and run. Needs the extra `course`.

    They are served on this machine alone, by marimo, without looking for updates. Stop with Ctrl-C.
    """
    from verifier.wings.course.files import command, copies, notebook, notebooks
    from verifier.wings.course.runtime import need_marimo

    wanted = [notebook(name)] if name is not None else notebooks()
    if listed:
        for path in wanted:
            echo(str(path))
        return 0
    need_marimo()
    if edit is not None:
        refuse_folder(edit, "--edit")
        made = copies(edit, wanted)
        target = made[0] if name is not None else edit
    else:
        target = wanted[0] if name is not None else wanted[0].parent
    asked = command(target, edit=edit is not None, port=port, browser=browser)
    # The second one runs the cells when the editor opens; a marimo that does not know it waits for its ▷ button.
    quiet = {**os.environ, "MARIMO_SKIP_UPDATE_CHECK": "1", "_MARIMO_CONFIG_OVERLOAD_RUNTIME_AUTO_INSTANTIATE": "true"}
    if os.name == "posix":
        os.execve(asked[0], asked, quiet)  # noqa: S606 - our own interpreter; signals then reach marimo alone
    return subprocess.run(asked, check=False, env=quiet).returncode  # noqa: S603
