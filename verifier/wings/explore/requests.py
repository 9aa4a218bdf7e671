"""One HTTP request of the page: whether it is admitted, and whether it is answered at once or takes work."""

from __future__ import annotations

from collections.abc import Callable
from http import HTTPStatus
from http.server import BaseHTTPRequestHandler
from importlib.resources import files
from io import BytesIO
from typing import TYPE_CHECKING, TypeAlias
from urllib.parse import urlsplit

from verifier.show.signs import signs_json
from verifier.wings.explore.routes import FILES, LISTS, QUESTIONS, json_bytes, listed

if TYPE_CHECKING:
    from verifier.wings.explore.server import Server

LOOPBACK = "127.0.0.1"
MAX_BODY = 4 << 20
"""Largest number of bytes of a request's body."""
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
Work: TypeAlias = Callable[[bytes, Callable[[], bool]], bytes | None]
"""A function of the body and of a test whether somebody still waits: the answer, or None where nobody does."""


def static_files() -> dict[str, tuple[str, bytes]]:
    """The files of the page by their path, each with its type and content: the only files that are served."""
    parts_of_page = {}
    for part in files("verifier.wings.explore").joinpath("static").iterdir():
        suffix = "." + part.name.rpartition(".")[2]
        if part.is_file() and suffix in TYPES:
            text = part.read_text(encoding="utf-8")
            parts_of_page[f"/static/{part.name}"] = (
                TYPES[suffix],
                text.replace("SIGNS = {}", f"SIGNS = {signs_json()}").encode(),
            )
    icon = (files("verifier.show") / "templates" / "icon.svg").read_bytes()
    parts_of_page["/static/icon.svg"] = (TYPES[".svg"], icon)
    parts_of_page["/"] = parts_of_page["/static/index.html"]
    return parts_of_page


class Request(BaseHTTPRequestHandler):
    """A request whose head has arrived. It reads no socket: what it writes is kept until it can be sent.

    Where it takes work, `work` is set, and `length` says how many bytes of a body come before it.
    """

    protocol_version = "HTTP/1.1"
    server_version, sys_version = "pkdp", ""

    def __init__(self, explorer: Server, head: bytes) -> None:
        """Read the head, and answer what can be answered at once."""
        self.explorer = explorer
        self.rfile, self._written = BytesIO(head), BytesIO()
        self.wfile = self._written
        self.close_connection = True
        self.length = 0
        self.work: Work | None = None
        self.raw_requestline = self.rfile.readline()
        if not self.parse_request():
            return
        answer = {"GET": self.get, "HEAD": self.get, "POST": self.post}.get(self.command)
        if answer is None:
            self.send_error(HTTPStatus.NOT_IMPLEMENTED, "Unsupported method")
        elif self._admitted():
            answer()

    def written(self) -> bytes:
        """The bytes that are to be sent now; they are handed out once."""
        unsent = self._written.getvalue()
        self._written.seek(0)
        self._written.truncate()
        return unsent

    def get(self) -> None:
        """Answer with the page, a part of it, or a list."""
        address = urlsplit(self.path)
        name = address.path.removeprefix("/api/")
        if address.path in self.explorer.static:
            kind, body = self.explorer.static[address.path]
            self._send(HTTPStatus.OK, kind, body)
        elif address.path == "/api/start":
            self.work = lambda _, wanted: json_bytes(self.explorer.start(wanted))
        elif address.path.startswith("/api/") and name in LISTS:
            self.work = lambda *_: listed(name, address.query)
        else:
            self.refuse(HTTPStatus.NOT_FOUND, "there is no such page")

    def post(self) -> None:
        """Answer a question about a document."""
        name = urlsplit(self.path).path.removeprefix("/api/")
        length = self.headers.get("Content-Length", "")
        if not self.path.startswith("/api/") or name not in {*QUESTIONS, *FILES}:
            self.refuse(HTTPStatus.NOT_FOUND, "there is no such question")
        elif self.headers.get_content_type() != "application/json":
            self.refuse(HTTPStatus.UNSUPPORTED_MEDIA_TYPE, "the body must be application/json")
        elif not (length.isascii() and length.isdigit()):
            self.refuse(HTTPStatus.LENGTH_REQUIRED, "the length of the body is missing")
        elif len(length) > 9 or int(length) > MAX_BODY:
            self.refuse(HTTPStatus.REQUEST_ENTITY_TOO_LARGE, f"the body is longer than {MAX_BODY:,} bytes")
        else:
            self.length = int(length)
            self.work = lambda body, wanted: self.explorer.workers.ask(name, body, wanted)

    def _admitted(self) -> bool:
        """Whether a request comes from the page itself: any other site that a browser shows is refused."""
        hosts = {f"{LOOPBACK}:{self.explorer.server_port}", f"localhost:{self.explorer.server_port}"}
        host, origin = self.headers.get("Host", ""), self.headers.get("Origin")
        site = self.headers.get("Sec-Fetch-Site", "none")
        own = host in hosts and (origin is None or origin == f"http://{host}")
        if own and (site in {"none", "same-origin"} or urlsplit(self.path).path == "/"):
            return True
        self.refuse(HTTPStatus.FORBIDDEN, "this server answers only its own page")
        return False

    def answer(self, work_result: bytes) -> None:
        """Send the result of the work."""
        self._send(HTTPStatus.OK, "application/json", work_result)

    def refuse(self, status: HTTPStatus, why: str) -> None:
        """Send the reason why there is no answer, and end the connection."""
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
        """Log nothing: the questions stay on this machine."""
