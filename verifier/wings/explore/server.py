"""The server of the page: its connections, on this machine only, and which of its requests are admitted.

A request is read without a thread, and has a deadline: slow connections cost nothing, and whatever waits longest makes
room for a new one. Only a request that has arrived whole, and takes work, gets a thread; so many work at a time, and
the others wait their turn.
"""

from __future__ import annotations

import asyncio
import json
import socket
from asyncio import StreamReader, StreamWriter
from collections.abc import Callable, Mapping
from concurrent.futures import ThreadPoolExecutor
from contextlib import suppress
from http import HTTPStatus
from http.server import BaseHTTPRequestHandler
from importlib.resources import files
from io import BytesIO
from threading import Event
from time import monotonic_ns
from typing import Any, TypeAlias
from urllib.parse import urlsplit

from verifier.model.library import course_folder
from verifier.model.read_mechanism import KINDS
from verifier.model.steps import STEPS
from verifier.show.sheet import signs_json
from verifier.wings.course.pages import START, addresses
from verifier.wings.explore.mechanism_forms import kinds_json, rules_json, templates_json
from verifier.wings.explore.routes import LISTS, QUESTIONS, UNREAD, json_bytes, listed
from verifier.wings.explore.workers import NANOSECONDS, Wanted, Workers

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
ONCE = ("Host", "Content-Length", "Content-Type", "Origin", "Sec-Fetch-Site")
"""The headers that a request is judged by: with two of one kind it would be unclear which counts."""
Work: TypeAlias = Callable[[bytes, Callable[[], bool]], bytes | None]
"""A function of the body and of a test whether somebody still waits: the answer, or None where nobody does."""


def static_files() -> dict[str, tuple[str, bytes]]:
    """The files of the page by their path, each with its type and content: the only files that are served."""
    declared = {"SIGNS": signs_json(), "KINDS": kinds_json(KINDS), "STEPS": kinds_json(STEPS)}
    declared |= {"TEMPLATES": templates_json(), "RULES": rules_json()}
    parts_of_page = {}
    for part in files("verifier.wings.explore").joinpath("static").iterdir():
        suffix = "." + part.name.rpartition(".")[2]
        if part.is_file() and suffix in TYPES:
            text = part.read_text(encoding="utf-8")
            parts_of_page[f"/static/{part.name}"] = (
                TYPES[suffix],
                _filled(text, declared).encode(),
            )
    style = (course_folder() / "course.css").read_text(encoding="utf-8")
    parts_of_page["/static/course.css"] = (TYPES[".css"], style.encode())
    for name in ("icon.svg", "save.js"):
        content = (files("verifier.show") / "templates" / name).read_bytes()
        parts_of_page[f"/static/{name}"] = (TYPES[name[name.index(".") :]], content)
    parts_of_page["/"] = parts_of_page["/static/index.html"]
    return parts_of_page


def _filled(text: str, declared: Mapping[str, str]) -> str:
    """A part of the page with what is declared: signs, kinds of mechanisms and of steps, templates, rules."""
    for name, content in declared.items():
        text = text.replace(f"const {name} = {{}};", f"const {name} = {content};")
    return text


class Request(BaseHTTPRequestHandler):
    """A request whose head has arrived. It reads no socket: what it writes is kept until it can be sent.

    Where it takes work, `work` is set, `kind` is what comes of it, and `length` says how many bytes of a body come
    before it.
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
        self.kind = "application/json"
        self.raw_requestline = self.rfile.readline()
        if not self.parse_request():
            return
        answer = {"GET": self.get, "HEAD": self.get, "POST": self.post}.get(self.command)
        if answer is None:
            self.send_error(HTTPStatus.NOT_IMPLEMENTED, "Unsupported method")
            return
        try:
            self.address = urlsplit(self.path)
        except ValueError:  # such as an address with half of a pair of brackets
            self.refuse(HTTPStatus.BAD_REQUEST, "this is not an address")
            return
        if any(len(self.headers.get_all(name, ())) > 1 for name in ONCE):
            self.refuse(HTTPStatus.BAD_REQUEST, f"one of {', '.join(ONCE)} is given twice")
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
        address = self.address
        name = address.path.removeprefix("/api/")
        if address.path in self.explorer.static:
            kind, body = self.explorer.static[address.path]
            self._send(HTTPStatus.OK, kind, body)
        elif address.path in self.explorer.course:
            self.kind = TYPES[".html"]
            self.work = lambda _, wanted: self.explorer.notebook(self.explorer.course[address.path], wanted)
        elif address.path == "/api/start":
            self.work = lambda _, wanted: json_bytes(self.explorer.start(wanted))
        elif address.path.startswith("/api/") and name in LISTS:
            self.work = lambda *_: listed(name, address.query)
        else:
            self.refuse(HTTPStatus.NOT_FOUND, "there is no such page")

    def post(self) -> None:
        """Answer a question about a document."""
        name = self.address.path.removeprefix("/api/")
        length = self.headers.get("Content-Length", "")
        if not self.path.startswith("/api/") or name not in {*QUESTIONS, *UNREAD}:
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
        if own and (site in {"none", "same-origin"} or self.address.path == "/"):
            return True
        self.refuse(HTTPStatus.FORBIDDEN, "this server answers only its own page")
        return False

    def answer(self, work_result: bytes) -> None:
        """Send the result of the work."""
        self._send(HTTPStatus.OK, self.kind, work_result)

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


MOST_CONNECTIONS = 1000
"""Connections at a time; a browser opens six. Above it one is told to come again, and above twice as many closed."""
MOST_THREADS = 64
"""Largest number of questions that have a thread at a time; the others wait in a queue."""
BACKLOG = 1024
"""Connections that the system keeps until they are taken on."""
IDLE_SECONDS = 30
"""How long a connection may stay open between two requests."""
REQUEST_SECONDS = 10
"""How long one request may take to arrive, and one answer to leave; loopback takes milliseconds."""
TURNED_AWAY_SECONDS = 1
"""How long the request of a connection that has no room may take to arrive."""
SPARED = NANOSECONDS
"""Nanoseconds for which a connection without a request is not closed for a newer one."""
MAX_HEAD = 1 << 16
"""Largest number of bytes of a request's head."""
OTHER_FILES = 128
"""Largest number of files that the process has open beside its connections."""


class Server:
    """The server of one explorer, on this machine only."""

    def __init__(self, port: int = 0, text: str | None = None, name: str = "") -> None:
        """Listen on a port; 0 is any free one. `text` is the model file that the page shows first."""
        self._text, self._name = text, name
        self._socket = socket.create_server((LOOPBACK, port), backlog=BACKLOG)
        self.server_address: tuple[str, int] = self._socket.getsockname()
        self.server_port = self.server_address[1]
        self.static, self.workers = static_files(), Workers()
        self.course = {f"/course/{address}": address for address in addresses()} | {"/course/": START}
        self._threads = ThreadPoolExecutor(MOST_THREADS, "question")
        self._open: set[StreamWriter] = set()
        self._waiting: dict[StreamWriter, int] = {}
        """Connections that have sent no whole request, the longest first, with the time since when."""
        self._closing = False
        self._loop: asyncio.AbstractEventLoop | None = None
        self._stop = asyncio.Event()
        self._ended = Event()
        self._ended.set()

    @property
    def address(self) -> str:
        """The address of the page on this machine."""
        return f"http://{LOOPBACK}:{self.server_port}/"

    def start(self, wanted: Wanted = lambda: True) -> dict[str, Any]:
        """The model file that the page shows first, with its problems."""
        if self._text is None:
            return {"document": None}
        answer = self.workers.ask("read", json_bytes({"text": self._text}), wanted)
        return {**json.loads(answer or b"{}"), "text": self._text, "name": self._name}

    def notebook(self, address: str, wanted: Wanted) -> bytes:
        """A page of the course; it is made when it is first asked for."""
        answer = json.loads(self.workers.ask("notebook", json_bytes({"address": address}), wanted) or b"{}")
        return str(answer.get("page", "This page could not be made.")).encode()

    def serve_forever(self, ready: Callable[[], None] = lambda: None) -> None:
        """Answer until `shutdown` is called from another thread, or the person interrupts; `ready` is called first.

        It is called where the loop runs: an interruption from then on ends the loop as any other does.
        """
        self._ended.clear()
        try:
            asyncio.run(self._serve(ready))
        finally:
            self._closing = True
            self._ended.set()

    def shutdown(self) -> None:
        """Stop answering, and wait until that is done."""
        self._closing = True
        if self._loop is not None:
            with suppress(RuntimeError):  # it has ended
                self._loop.call_soon_threadsafe(self._stop.set)
        self._ended.wait()

    def server_close(self) -> None:
        """Stop listening, and end what is still being decided."""
        self._closing = True
        self._socket.close()
        self._threads.shutdown(wait=False, cancel_futures=True)
        self.workers.end()

    async def _serve(self, ready: Callable[[], None]) -> None:
        self._loop = asyncio.get_running_loop()
        self._loop.set_exception_handler(lambda *_: None)  # a browser that went away is no error
        if self._closing:
            return
        _allow_files(2 * MOST_CONNECTIONS + OTHER_FILES)
        server = await asyncio.start_server(self._connected, sock=self._socket, limit=MAX_HEAD, backlog=BACKLOG)
        try:
            ready()
            await self._stop.wait()
        finally:
            server.close()
            for writer in list(self._open):
                writer.transport.abort()

    async def _connected(self, reader: StreamReader, writer: StreamWriter) -> None:
        """Answer one connection until it ends, where there is room for it."""
        writer.transport.set_write_buffer_limits(0)  # `drain` waits until all has left
        room = len(self._open) < MOST_CONNECTIONS or self._made_room()
        if not room and len(self._open) >= 2 * MOST_CONNECTIONS:
            writer.transport.abort()
            return
        self._open.add(writer)
        try:
            if room:
                await self._converse(reader, writer)
            else:
                await _turned_away(reader, writer)
        except (OSError, asyncio.IncompleteReadError):
            writer.transport.abort()
        finally:
            self._open.discard(writer)
            self._waiting.pop(writer, None)
            writer.close()

    def _made_room(self) -> bool:
        """Close the connection that has waited longest without a request; not one that has only just come."""
        writer, since = next(iter(self._waiting.items()), (None, 0))
        if writer is None or monotonic_ns() - since < SPARED:
            return False
        self._waiting.pop(writer)
        self._open.discard(writer)
        writer.transport.abort()
        return True

    async def _converse(self, reader: StreamReader, writer: StreamWriter) -> None:
        """Answer one request after the other."""
        while True:
            self._waiting[writer] = monotonic_ns()
            async with asyncio.timeout(IDLE_SECONDS):
                first = await reader.readexactly(1)
            try:
                async with asyncio.timeout(REQUEST_SECONDS):
                    request = await self._arrived(first, reader, writer)
                    body = await reader.readexactly(request.length)
            except TimeoutError:
                await _send(writer, _plain(HTTPStatus.REQUEST_TIMEOUT, "the request took too long to arrive"))
                return
            except asyncio.LimitOverrunError:
                await _send(writer, _plain(HTTPStatus.REQUEST_HEADER_FIELDS_TOO_LARGE, "the head is too long"))
                return
            self._waiting.pop(writer, None)
            if request.work is not None:
                answer = await self._worked(request, body, reader, writer)
                if answer is None:
                    return
                request.answer(answer)
                await _send(writer, request.written())
            if request.close_connection:
                return

    async def _arrived(self, first: bytes, reader: StreamReader, writer: StreamWriter) -> Request:
        """The request from its head; the reply that is due before its body arrives is sent."""
        request = Request(self, first + await reader.readuntil(b"\r\n\r\n"))
        await _send(writer, request.written())
        return request

    async def _worked(self, request: Request, body: bytes, reader: StreamReader, writer: StreamWriter) -> bytes | None:
        """The result of a request's work, in a thread of its own; None where the page has withdrawn its question."""
        loop, work = asyncio.get_running_loop(), request.work
        if work is None:
            return None

        def wanted() -> bool:
            return not (self._closing or reader.at_eof() or writer.is_closing())

        return await loop.run_in_executor(self._threads, work, body, wanted)


async def _send(writer: StreamWriter, answer: bytes) -> None:
    """Send an answer, to a browser that takes it."""
    if answer:
        async with asyncio.timeout(REQUEST_SECONDS):
            writer.write(answer)
            await writer.drain()


def _plain(status: HTTPStatus, why: str, *more_headers: str) -> bytes:
    """The bytes of a refusal that does not depend on the request."""
    head = [f"HTTP/1.1 {status.value} {status.phrase}", "Content-Type: text/plain; charset=utf-8", "Connection: close"]
    return "\r\n".join([*head, f"Content-Length: {len(why) + 1}", *more_headers, "", f"{why}\n"]).encode()


async def _turned_away(reader: StreamReader, writer: StreamWriter) -> None:
    """Ask a browser to come again; its request is read first, since closing on it would take the answer back."""
    async with asyncio.timeout(TURNED_AWAY_SECONDS):
        await reader.readuntil(b"\r\n\r\n")
    await _send(writer, _plain(HTTPStatus.SERVICE_UNAVAILABLE, "too many connections", "Retry-After: 1"))


def _allow_files(number: int) -> None:
    """Raise the limit on open files of this process, where the system allows it."""
    try:
        import resource
    except ImportError:
        return
    soft, hard = resource.getrlimit(resource.RLIMIT_NOFILE)
    if soft != resource.RLIM_INFINITY and soft < number:
        with suppress(OSError, ValueError):
            most = number if hard == resource.RLIM_INFINITY else min(number, hard)
            resource.setrlimit(resource.RLIMIT_NOFILE, (most, hard))
