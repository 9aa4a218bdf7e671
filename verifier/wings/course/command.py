"""`pkdp course`: the start page and the notebooks in the browser, or copies of them in an editor."""

from __future__ import annotations

import os
import subprocess
from pathlib import Path
from typing import Annotated

import typer

from verifier.cli.common import echo
from verifier.errors import InputError
from verifier.machine.files import refuse_folder


def course(
    name: Annotated[
        str | None, typer.Argument(metavar="[NOTEBOOK]", help="its number or name; default: the start page")
    ] = None,
    edit: Annotated[
        Path | None,
        typer.Option(metavar="DIR", help="copy NOTEBOOK to this folder (never overwriting) and open the editor"),
    ] = None,
    port: Annotated[int | None, typer.Option(min=1, max=65535, help="default: a free one")] = None,
    browser: Annotated[bool, typer.Option(help="open a browser; else only print the address")] = True,  # noqa: FBT002
    listed: Annotated[bool, typer.Option("--list", help="print the notebooks and where they are")] = False,  # noqa: FBT002
) -> int:
    """Open the course: notebooks to read and play with, or with --edit one to change. Needs the extra `course`.

    The start page says what one can do after each notebook. Everything is served on this machine alone. Stop with
    Ctrl-C. `pkdp grade FILE…` checks the sheets that students hand in.
    """
    from verifier.wings.course.files import copies, editor_command, notebook, notebooks
    from verifier.wings.course.kernel import need_marimo

    paths = [notebook(name)] if name is not None else notebooks()
    if listed:
        for path in paths:
            echo(str(path))
        return 0
    need_marimo()
    if edit is not None:
        refuse_folder(edit, "--edit")
        if name is None:
            tip = f"pkdp course 1 --edit {edit}"
            raise InputError("given no notebook", where="--edit", wanted="the notebook to change", tip=tip)
        return _edit(editor_command(copies(edit, paths)[0], port=port, browser=browser))
    from verifier.wings.course.serving import HOST, listening, serve
    from verifier.wings.course.start_page import address_of

    with listening(port) as listener:
        address = f"http://{HOST}:{listener.getsockname()[1]}/{address_of(paths[0]) if name is not None else ''}"
        typer.echo(f"the course is at {address} (Ctrl-C ends it)")
        if browser:
            import webbrowser
            from threading import Thread

            Thread(target=webbrowser.open, args=[address], daemon=True).start()
        serve(listener)
    return 0


def _edit(command: list[str]) -> int:
    """Open marimo's editor, in place of this process where the system can."""
    # The second one runs the cells when the editor opens; a marimo that does not know it waits for its ▷ button.
    quiet = {**os.environ, "MARIMO_SKIP_UPDATE_CHECK": "1", "_MARIMO_CONFIG_OVERLOAD_RUNTIME_AUTO_INSTANTIATE": "true"}
    if os.name == "posix":
        os.execve(command[0], command, quiet)  # noqa: S606 - our own interpreter; signals then reach marimo alone
    return subprocess.run(command, check=False, env=quiet).returncode  # noqa: S603
