"""`pkdp explore` and `pkdp course`: pages on this machine, of one server."""

from __future__ import annotations

import errno
from pathlib import Path
from threading import Thread

import typer

from verifier.cli.common import about, echo
from verifier.cli.reading import is_python, model_text
from verifier.errors import InputError
from verifier.model.document import document_of
from verifier.wings.course.files import notebook, notebooks
from verifier.wings.course.options import Course
from verifier.wings.course.pages import address_of
from verifier.wings.explore.options import Explore
from verifier.wings.explore.server import Server


def explore(typed: Explore) -> None:
    """Answer what was typed."""
    text, where = None, ""
    if typed.file is not None:
        if is_python(typed.file):
            raise InputError(
                "this is Python code", where=typed.file, wanted="a model file: the explorer edits its text"
            )
        text, where = model_text(typed.file)
        with about(where):
            document_of(text)
    serve(typed.port, "the explorer", "", text, Path(where).name, open_browser=not typed.no_open)


def course(typed: Course) -> int:
    """Answer what was typed."""
    if typed.edit is not None:
        tip = f"copy {notebook(typed.name or '1')}; it is in marimo's format"
        raise InputError("pkdp no longer opens an editor", where="--edit", wanted="no folder", tip=tip)
    paths = notebooks() if typed.name is None else (notebook(typed.name),)
    if typed.listed:
        for path in paths:
            echo(str(path))
        return 0
    address = "course/" if typed.name is None else f"course/{address_of(paths[0])}"
    serve(typed.port or 0, "the course", address, open_browser=typed.browser)
    return 0


def serve(
    port: int, what: str, address: str, text: str | None = None, name: str = "", *, open_browser: bool = True
) -> None:
    """Serve the explorer and the course until the person interrupts, and open one of their pages.

    Raises:
        InputError: where the port is taken.

    """
    try:
        server = Server(port, text, name)
    except OSError as error:
        taken = error.errno == errno.EADDRINUSE
        raise InputError(
            f"the port {port} is {'in use' if taken else f'not to be had ({error.strerror})'}",
            where="--port",
            wanted="a free port",
            tip="leave --port out for any free one",
        ) from None

    def say_where() -> None:
        typer.echo(f"{what} is at {server.address}{address} (Ctrl-C ends it)")
        if open_browser:
            import webbrowser

            Thread(
                target=webbrowser.open, args=(f"{server.address}{address}",), daemon=True
            ).start()  # some wait for their browser

    try:
        server.serve_forever(say_where)
    finally:
        server.server_close()
