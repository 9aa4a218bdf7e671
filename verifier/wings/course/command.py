"""`pkdp course`: the start page and the notebooks in the browser, or copies of them in an editor.

The course is served on this machine alone: its own start page, and the notebooks, which marimo runs. The start page
says what one can do after each notebook, how long it takes and what it needs, and links to it.
"""

from __future__ import annotations

import errno
import html
import os
import socket
import subprocess
from collections.abc import Awaitable, Callable, MutableMapping
from pathlib import Path
from typing import Any

import typer

from verifier.cli.common import echo
from verifier.errors import InputError
from verifier.machine.files import refuse_folder
from verifier.wings.course.files import copies, editor_command, notebook, notebooks
from verifier.wings.course.fragment import style
from verifier.wings.course.kernel import need_marimo
from verifier.wings.course.openings import opening_of
from verifier.wings.course.options import Course
from verifier.wings.course.prose import inline

TITLE = "Privacy definitions with partial knowledge: the course"
DARK = """
const dark = matchMedia("(prefers-color-scheme: dark)");
const follow = () => document.documentElement.classList.toggle("dark", dark.matches);
dark.addEventListener("change", follow);
follow();
"""
LOOK = """
body { margin: 0; background: var(--pk-paper); color: var(--pk-ink); }
main { max-width: 46rem; margin: 0 auto; padding: 1.5rem 1.2rem 4rem; overflow-wrap: anywhere; }
.pk ol.pk-notebooks { list-style: none; padding: 0; }
.pk ol.pk-notebooks > li { border-top: 1px solid var(--pk-line); padding: .9rem 0; margin: 0; }
.pk ol.pk-notebooks h2 { margin: 0 0 .2rem; }
.pk a:focus-visible { outline: 2px solid var(--pk-link); outline-offset: 2px; }
"""
LECTURERS = "teaching"
"""The address of the page for lecturers, below the start page."""


def address_of(path: Path) -> str:
    """Return the address of a notebook, below the start page.

    >>> address_of(Path("docs/course/01_privacy_loss.py"))
    '01_privacy_loss/'
    """
    return f"{path.stem}/"


def start_page() -> str:
    """Return the start page as HTML."""
    openings = [(path, opening_of(path)) for path in notebooks()]
    minutes = sum(opening.minutes for _, opening in openings)
    items = "".join(
        f"<li><h2><a href='{address_of(path)}'>{number}. {inline(opening.title)}</a></h2>"
        f"<p>After this notebook you can {inline(opening.able)}</p>"
        f"<p class='pk-soft'>About {opening.minutes} minutes · {inline(opening.needs)}<br>"
        f"The one-hour path: {inline(opening.hour)}</p></li>"
        for number, (path, opening) in enumerate(openings, 1)
    )
    body = (
        "<header><h1>Who learns what about you?</h1>"
        f"<p>{len(openings)} notebooks about privacy when the attacker does not know everything. You need fractions, "
        "conditional probability and the logarithm; you need no Python and no knowledge of differential privacy. "
        "Take them in this order. Each has tables to change, questions, and exercises that are checked by computing, "
        "exactly. At the end of each you can download a sheet with your answers to hand in.</p>"
        f"<p class='pk-soft'>About {minutes} minutes in all. Each notebook says which part belongs to a path of one "
        f"hour. Everything runs on this machine.</p></header><ol class='pk-notebooks'>{items}</ol>"
        f"<footer><p>For lecturers: <a href='{LECTURERS}'>how to teach with the course, hand out, collect and "
        "grade</a>.</p></footer>"
    )
    return page(TITLE, body)


def lecturers_page() -> str:
    """Return the lecturer's page, which is `README.md` beside the notebooks, as HTML."""
    from markdown import markdown  # type: ignore[import-untyped]

    text = (notebooks()[0].parent / "README.md").read_text(encoding="utf-8")
    body = markdown(text, extensions=["tables", "fenced_code"], output_format="html")
    body = body.replace("<pre>", "<pre class='pk-file' tabindex='0'>")
    body = body.replace("<table>", "<div class='scroll' tabindex='0'><table>").replace("</table>", "</table></div>")
    return page("Teaching with the course", f"<p><a href='./'>All notebooks</a></p>{body}")


def page(title: str, body: str) -> str:
    """Return a page in the style of the course; it loads nothing."""
    return (
        "<!doctype html><html lang='en'><head><meta charset='utf-8'>"
        "<meta name='viewport' content='width=device-width, initial-scale=1'>"
        f"<title>{html.escape(title)}</title><link rel='icon' href='data:,'>{style()}<style>{LOOK}</style>"
        f"<script>{DARK}</script></head><body><main class='pk'>{body}</main></body></html>"
    )


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
    import uvicorn

    uvicorn.Server(uvicorn.Config(served, log_level="error", timeout_graceful_shutdown=1)).run(sockets=[listener])


def course(typed: Course) -> int:
    """Answer what was typed."""
    name = typed.name
    edit = typed.edit

    paths = [notebook(name)] if name is not None else notebooks()
    if typed.listed:
        for path in paths:
            echo(str(path))
        return 0
    need_marimo()
    if edit is not None:
        refuse_folder(edit, "--edit")
        if name is None:
            tip = f"pkdp course 1 --edit {edit}"
            raise InputError("the notebook is missing", where="--edit", wanted="the notebook to change", tip=tip)
        return _edit(editor_command(copies(edit, paths)[0], port=typed.port, browser=typed.browser))
    with listening(typed.port) as listener:
        address = f"http://{HOST}:{listener.getsockname()[1]}/{address_of(paths[0]) if name is not None else ''}"
        typer.echo(f"the course is at {address} (Ctrl-C ends it)")
        if typed.browser:
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
