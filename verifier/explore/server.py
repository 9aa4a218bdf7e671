"""The server of the page: this machine only, one page, no files but those of the package."""

from __future__ import annotations

import json
import select
import socket
from http import HTTPStatus
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from importlib.resources import files
from threading import BoundedSemaphore
from typing import Any, ClassVar
from urllib.parse import parse_qsl, urlsplit

from verifier.explore.routes import FILES, LISTS, QUESTIONS, sent
from verifier.explore.workers import Workers

LOOPBACK = "127.0.0.1"
MAX_BODY = 4 << 20
"""Bytes of a request's body."""
SECONDS = 30
"""How long a connection may stay silent."""
MOST_LINES = 64
"""Connections at a time; a browser opens six."""
TYPES = {
    ".html": "text/html; charset=utf-8",
    ".js": "text/javascript; charset=utf-8",
    ".css": "text/css; charset=utf-8",
    ".svg": "image/svg+xml",
}
HEADERS = {
    "Content-Security-Policy": "default-src 'none'; script-src 'self'; style-src 'self' 'unsafe-inline'; "
    "img-src 'self' data:; connect-src 'self'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'",
    "Cache-Control": "no-store",
    "X-Content-Type-Options": "nosniff",
    "Referrer-Policy": "no-referrer",
    "Cross-Origin-Resource-Policy": "same-origin",
    "Cross-Origin-Opener-Policy": "same-origin",
}


def static_files() -> dict[str, tuple[str, bytes]]:
    """The parts of the page by their path, with their types: all that is ever served as a file."""
    found = {}
    for one in files("verifier.explore").joinpath("static").iterdir():
        suffix = "." + one.name.rpartition(".")[2]
        if one.is_file() and suffix in TYPES:
            found[f"/static/{one.name}"] = TYPES[suffix], one.read_bytes()
    found["/"] = found["/static/index.html"]
    return found


class Handler(BaseHTTPRequestHandler):
    """One connection of a browser on this machine."""

    server: Server
    protocol_version = "HTTP/1.1"
    server_version, sys_version = "pkdp", ""
    timeout: ClassVar[int] = SECONDS

    def do_GET(self) -> None:
        """Answer with the page, a part of it, or a list."""
        if not self._admitted():
            return
        parts = urlsplit(self.path)
        if parts.path in self.server.static:
            kind, body = self.server.static[parts.path]
            self._send(HTTPStatus.OK, kind, body)
            return
        name = parts.path.removeprefix("/api/")
        if parts.path == "/api/start":
            self._json(sent(self.server.start()))
            return
        if parts.path.startswith("/api/") and name in LISTS:
            self._json(sent(LISTS[name](dict(parse_qsl(parts.query)))))
            return
        self._refuse(HTTPStatus.NOT_FOUND, "there is no such page")

    do_HEAD = do_GET  # noqa: N815

    def do_POST(self) -> None:
        """Answer a question about a document."""
        if not self._admitted():
            return
        name = urlsplit(self.path).path.removeprefix("/api/")
        if not self.path.startswith("/api/") or name not in {*QUESTIONS, *FILES}:
            self._refuse(HTTPStatus.NOT_FOUND, "there is no such question")
            return
        if self.headers.get_content_type() != "application/json":
            self._refuse(HTTPStatus.UNSUPPORTED_MEDIA_TYPE, "the body must be application/json")
            return
        length = self.headers.get("Content-Length", "")
        if not (length.isascii() and length.isdigit()):
            self._refuse(HTTPStatus.LENGTH_REQUIRED, "the length of the body is missing")
            return
        if len(length) > 9 or int(length) > MAX_BODY:
            self._refuse(HTTPStatus.REQUEST_ENTITY_TOO_LARGE, f"the body is longer than {MAX_BODY:,} bytes")
            return
        body = self.rfile.read(int(length))
        found = self.server.workers.ask(name, body, lambda: not self._gone())
        if found is not None:
            self._json(found)

    def _gone(self) -> bool:
        """Whether the page has taken its question back: then no work is done for it."""
        ready, _, _ = select.select([self.connection], [], [], 0)
        self.close_connection = bool(ready) and self.connection.recv(1, socket.MSG_PEEK) == b""
        return self.close_connection

    def _admitted(self) -> bool:
        """Whether a request comes from the page itself: any other site that a browser shows is refused."""
        hosts = {f"{LOOPBACK}:{self.server.server_port}", f"localhost:{self.server.server_port}"}
        host, origin = self.headers.get("Host", ""), self.headers.get("Origin")
        site = self.headers.get("Sec-Fetch-Site", "none")
        if host not in hosts or (origin is not None and origin != f"http://{host}"):
            self._refuse(HTTPStatus.FORBIDDEN, "this server answers only its own page")
            return False
        if site not in {"none", "same-origin"} and urlsplit(self.path).path != "/":
            self._refuse(HTTPStatus.FORBIDDEN, "this server answers only its own page")
            return False
        return True

    def _json(self, found: bytes) -> None:
        self._send(HTTPStatus.OK, "application/json", found)

    def _refuse(self, status: HTTPStatus, why: str) -> None:
        self.close_connection = True
        self._send(status, "text/plain; charset=utf-8", f"{why}\n".encode())

    def _send(self, status: HTTPStatus, kind: str, body: bytes) -> None:
        self.send_response(status)
        for name, value in {**HEADERS, "Content-Type": kind, "Content-Length": str(len(body))}.items():
            self.send_header(name, value)
        if self.close_connection:
            self.send_header("Connection", "close")
        self.end_headers()
        if self.command != "HEAD":
            self.wfile.write(body)

    def log_message(self, *_: object) -> None:
        """Say nothing: what is asked stays on this machine."""


class Server(ThreadingHTTPServer):
    """The server of one explorer, on this machine only."""

    daemon_threads = True

    def __init__(self, port: int = 0, text: str | None = None, name: str = "") -> None:
        """Listen on a port; 0 is any free one. `text` is the model file that the page shows first."""
        self._text, self._name = text, name
        self._lines = BoundedSemaphore(MOST_LINES)
        self.static, self.workers = static_files(), Workers()
        super().__init__((LOOPBACK, port), Handler)

    def start(self) -> dict[str, Any]:
        """The model file that the page shows first, and what is wrong with it."""
        if self._text is None:
            return {"document": None}
        found = self.workers.ask("read", sent({"text": self._text}), lambda: True)
        return {**json.loads(found or b"{}"), "text": self._text, "name": self._name}

    def process_request(self, request: Any, client_address: Any) -> None:
        """Take a connection on, unless there are very many."""
        if self._lines.acquire(blocking=False):
            super().process_request(request, client_address)
        else:
            self.shutdown_request(request)

    def process_request_thread(self, request: Any, client_address: Any) -> None:
        """Answer a connection until it ends."""
        try:
            super().process_request_thread(request, client_address)
        finally:
            self._lines.release()

    def server_close(self) -> None:
        """Stop listening, and end what is still being decided."""
        super().server_close()
        self.workers.end()

    @property
    def address(self) -> str:
        """What the browser opens."""
        return f"http://{LOOPBACK}:{self.server_port}/"

    def handle_error(self, *_: object) -> None:
        """A browser that went away is no error."""


__all__ = ["Server"]
