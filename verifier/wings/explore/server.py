"""The server of the page: its connections, on this machine only.

A request is read without a thread, and has a deadline: slow connections cost nothing, and whatever waits longest makes
room for a new one. Only a request that has arrived whole, and takes work, gets a thread; so many work at a time, and
the others wait their turn.
"""

from __future__ import annotations

import asyncio
import json
import socket
from asyncio import StreamReader, StreamWriter
from concurrent.futures import ThreadPoolExecutor
from contextlib import suppress
from http import HTTPStatus
from threading import Event
from time import monotonic_ns
from typing import Any

from verifier.wings.explore.requests import LOOPBACK, Request, static_files
from verifier.wings.explore.routes import json_bytes
from verifier.wings.explore.workers import NANOSECONDS, Wanted, Workers

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

    def serve_forever(self) -> None:
        """Answer until `shutdown` is called from another thread, or the person interrupts."""
        self._ended.clear()
        try:
            asyncio.run(self._serve())
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

    async def _serve(self) -> None:
        self._loop = asyncio.get_running_loop()
        self._loop.set_exception_handler(lambda *_: None)  # a browser that went away is no error
        if self._closing:
            return
        _allow_files(2 * MOST_CONNECTIONS + OTHER_FILES)
        server = await asyncio.start_server(self._connected, sock=self._socket, limit=MAX_HEAD, backlog=BACKLOG)
        try:
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
    async with asyncio.timeout(1):
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
