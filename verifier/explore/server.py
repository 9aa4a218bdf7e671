"""The server of the page: this machine only, one page, no files but those of the package."""

from __future__ import annotations

import json
import select
import socket
from http import HTTPStatus
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from importlib.resources import files
from threading import Lock
from typing import Any, ClassVar
from urllib.parse import parse_qsl, urlsplit

from verifier.errors import InputError, PkdpError
from verifier.explore.document import read_json
from verifier.explore.problems import problem
from verifier.explore.routes import FILES, LISTS, QUESTIONS, Clerk

LOOPBACK = "127.0.0.1"
MAX_BODY = 4 << 20
"""Bytes of a request's body."""
SECONDS = 30
"""How long a connection may stay silent."""
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
        if parts.path.startswith("/api/") and name in LISTS:
            with self.server.lock:
                self._json(self.server.clerk.get(name, dict(parse_qsl(parts.query))))
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
        try:
            try:
                asked = read_json(body.decode())
            except UnicodeDecodeError:
                raise InputError("the body is not UTF-8", where="request", wanted="JSON in UTF-8") from None
        except PkdpError as error:
            self._json({"problems": [problem(error)]})
            return
        with self.server.lock:
            if self._gone():
                return
            found = self.server.clerk.post(name, asked)
        self._json(found)

    def _gone(self) -> bool:
        """Whether the page has taken its question back while it waited: then no work is done for it."""
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

    def _json(self, found: Any) -> None:
        self._send(HTTPStatus.OK, "application/json", json.dumps(found, ensure_ascii=False).encode(errors="replace"))

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
        super().__init__((LOOPBACK, port), Handler)
        self.static, self.clerk = static_files(), Clerk(text, name)
        self.lock = Lock()
        """One question at a time: the precision of balls is one setting for the whole program."""

    @property
    def address(self) -> str:
        """What the browser opens."""
        return f"http://{LOOPBACK}:{self.server_port}/"

    def handle_error(self, *_: object) -> None:
        """A browser that went away is no error."""


__all__ = ["Server"]
