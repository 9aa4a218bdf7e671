"""`pkdp explore`: a page on this machine that edits a model and shows its answers."""

from __future__ import annotations

import errno
from threading import Thread
from typing import Annotated

import typer

from verifier.cli.common import about
from verifier.errors import InputError

PORTS = 65535


def explore(
    file: Annotated[str | None, typer.Argument(metavar="[MODEL]", help="a model file to start with")] = None,
    port: Annotated[int, typer.Option(min=0, max=PORTS, help="the port; 0 is any free one")] = 0,
    no_open: Annotated[bool, typer.Option("--no-open", help="do not open a browser")] = False,  # noqa: FBT002
) -> None:
    """Open the explorer: edit a model in the browser and see its answers. Nothing leaves this machine."""
    from pathlib import Path

    from verifier.cli.reading import is_python, model_text
    from verifier.wings.explore.document import document_of
    from verifier.wings.explore.server import Server

    text, where = None, ""
    if file is not None:
        if is_python(file):
            raise InputError("this is Python code", where=file, wanted="a model file: the explorer edits its text")
        text, where = model_text(file)
        with about(where):
            document_of(text)
    try:
        server = Server(port, text, Path(where).name)
    except OSError as error:
        taken = error.errno == errno.EADDRINUSE
        raise InputError(
            f"the port {port} is {'in use' if taken else f'not to be had ({error.strerror})'}",
            where="--port",
            wanted="a free port",
            tip="leave --port out for any free one",
        ) from None

    def say_where() -> None:
        typer.echo(f"the explorer is at {server.address} (Ctrl-C ends it)")
        if not no_open:
            import webbrowser

            Thread(target=webbrowser.open, args=(server.address,), daemon=True).start()  # some wait for their browser

    try:
        server.serve_forever(say_where)
    finally:
        server.server_close()
