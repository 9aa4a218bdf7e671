"""`pkdp explore`: a page on this machine that edits a model and shows its answers."""

from __future__ import annotations

import errno
from threading import Thread

import typer

from verifier.cli.common import about
from verifier.cli.reading import is_python, model_text
from verifier.errors import InputError
from verifier.wings.explore.document import document_of
from verifier.wings.explore.options import Explore
from verifier.wings.explore.server import Server


def explore(typed: Explore) -> None:
    """Answer what was typed."""
    port = typed.port
    from pathlib import Path

    text, where = None, ""
    if typed.file is not None:
        if is_python(typed.file):
            raise InputError(
                "this is Python code", where=typed.file, wanted="a model file: the explorer edits its text"
            )
        text, where = model_text(typed.file)
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
        if not typed.no_open:
            import webbrowser

            Thread(target=webbrowser.open, args=(server.address,), daemon=True).start()  # some wait for their browser

    try:
        server.serve_forever(say_where)
    finally:
        server.server_close()
