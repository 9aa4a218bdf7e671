"""`pkdp course`: the start page and the notebooks in the browser, or copies of them in an editor.

The course is served on this machine alone: its own start page, and the notebooks, which marimo runs.
"""

from __future__ import annotations

import errno
import os
import socket
import subprocess
from collections.abc import Awaitable, Callable, MutableMapping
from pathlib import Path
from typing import Annotated, Any

import typer

from verifier.cli.common import echo
from verifier.errors import InputError
from verifier.machine.files import refuse_folder
from verifier.wings.course.files import notebooks
from verifier.wings.course.kernel import need_marimo
from verifier.wings.course.start_page import LECTURERS, lecturers_page, start_page

HOST = "127.0.0.1"
Scope = MutableMapping[str, Any]
Receive = Callable[[], Awaitable[MutableMapping[str, Any]]]
Send = Callable[[MutableMapping[str, Any]], Awaitable[None]]
Application = Callable[[Scope, Receive, Send], Awaitable[None]]


class OwnPagesOnly:
    """Refuse what another site's page asks of this server, and what asks by another name of this machine."""

    def __init__(self, application: Application, port: int) -> None:
        """Keep the application, and the names by which a browser on this machine asks."""
        self.application = application
        self.hosts = {f"{name}:{port}" for name in (HOST, "localhost")}
        self.origins = {f"http://{host}" for host in self.hosts}

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Answer a request, or refuse it with 403."""
        if scope["type"] in {"http", "websocket"} and not self.is_own(scope):
            if scope["type"] == "websocket":
                await send({"type": "websocket.close", "code": 1008})
                return
            await send({"type": "http.response.start", "status": 403, "headers": [(b"content-type", b"text/plain")]})
            await send({"type": "http.response.body", "body": b"The course answers only its own pages."})
            return
        await self.application(scope, receive, send)

    def is_own(self, scope: Scope) -> bool:
        """Return whether a request names this server, and comes from one of its pages or from the address bar."""
        headers = {key.lower(): value.decode("latin-1") for key, value in scope["headers"]}
        return headers.get(b"host") in self.hosts and headers.get(b"origin") in {None, *self.origins}


def application() -> Application:
    """Return the start page, the lecturer's page and the notebooks as one application."""
    marimo = need_marimo()
    from starlette.applications import Starlette
    from starlette.requests import Request
    from starlette.responses import HTMLResponse
    from starlette.routing import Mount, Route

    def start(_: Request) -> HTMLResponse:
        return HTMLResponse(start_page())

    def teaching(_: Request) -> HTMLResponse:
        return HTMLResponse(lecturers_page())

    builder = marimo.create_asgi_app(quiet=True)
    for path in notebooks():
        builder = builder.with_app(path=f"/{path.stem}", root=str(path))
    pages = [Route("/", start), Route(f"/{LECTURERS}", teaching), Mount("/", builder.build())]
    served: Application = Starlette(routes=pages)
    return served


def listening(port: int | None) -> socket.socket:
    """Return a socket that listens on a port of this machine; on any free one where none is named.

    Raises:
        InputError: where the port is taken.

    """
    listener = socket.socket()
    listener.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
    try:
        listener.bind((HOST, port or 0))
        listener.listen()  # a browser that asks before the pages are ready waits for them
    except OSError as error:
        listener.close()
        reason = "in use" if error.errno == errno.EADDRINUSE else f"not to be had ({error.strerror})"
        tip = "leave --port out for any free one"
        raise InputError(f"the port {port} is {reason}", where="--port", wanted="a free port", tip=tip) from None
    return listener


def serve(listener: socket.socket) -> None:
    """Serve the course until it is interrupted; marimo looks for no updates."""
    os.environ["MARIMO_SKIP_UPDATE_CHECK"] = "1"
    served = OwnPagesOnly(application(), listener.getsockname()[1])
    import uvicorn  # it comes with marimo

    uvicorn.Server(uvicorn.Config(served, log_level="error", timeout_graceful_shutdown=1)).run(sockets=[listener])


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
