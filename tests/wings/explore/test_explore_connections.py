"""The explorer's connections: many at once are all answered, and slow ones neither stay nor keep the page out."""

from __future__ import annotations

import json
import socket
import threading
from collections import Counter
from collections.abc import Iterator
from contextlib import ExitStack, suppress
from time import monotonic, sleep

import pytest
from exploring import Page, served, small

from verifier.wings.explore import server as connections
from verifier.wings.explore.server import MAX_BODY

MANY = 200
"""Requests at once."""
SLOW = 150
"""Slow connections: more than the threads that answer."""
LONGEST = 60
"""Seconds after which a test gives up."""
QUESTION = json.dumps({"document": small(), "definition": "np"}).encode()
QUIET = 10**15
"""Seconds, or nanoseconds, that do not pass in a test."""


@pytest.fixture
def page() -> Iterator[Page]:
    with served() as found:
        yield found


def opened(page: Page, said: bytes = b"") -> socket.socket:
    """A connection that has said something."""
    line = socket.create_connection(("127.0.0.1", page.port), timeout=LONGEST)
    line.sendall(said)
    return line


def heard(line: socket.socket) -> bytes:
    """All that comes until the server ends the connection."""
    found = b""
    while part := line.recv(1 << 16):
        found += part
    return found


def head(page: Page, line: str, *more: str) -> bytes:
    """A request without its body."""
    return "\r\n".join([f"{line} HTTP/1.1", f"Host: 127.0.0.1:{page.port}", *more, "", ""]).encode()


def question(page: Page, length: int = len(QUESTION)) -> bytes:
    """The head of a question."""
    return head(page, "POST /api/answer", "Content-Type: application/json", f"Content-Length: {length}")


def status_of(page: Page, request: bytes) -> str:
    """The first line of the answer, or what became of the connection."""
    try:
        with opened(page, request) as line:
            return line.recv(1 << 16).partition(b"\r\n")[0].decode() or "closed"
    except OSError as error:
        return type(error).__name__


@pytest.mark.parametrize("what", ["page", "question"])
def test_two_hundred_at_once_are_all_answered(page: Page, what: str) -> None:
    request = head(page, "GET /static/main.js") if what == "page" else question(page) + QUESTION
    statuses: list[str] = []
    gate = threading.Barrier(MANY)

    def ask() -> None:
        gate.wait()
        statuses.append(status_of(page, request))

    threads = [threading.Thread(target=ask) for _ in range(MANY)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert Counter(statuses) == {"HTTP/1.1 200 OK": MANY}


def test_questions_without_a_thread_wait_for_one(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(connections, "MOST_THREADS", 1)
    with served() as page, ExitStack() as stack:
        lines = [stack.enter_context(opened(page, question(page) + QUESTION)) for _ in range(20)]
        assert {line.recv(15) for line in lines} == {b"HTTP/1.1 200 OK"}


@pytest.mark.parametrize("kind", ["nothing", "head", "body"])
def test_slow_connections_do_not_lock_the_page_out(page: Page, kind: str, monkeypatch: pytest.MonkeyPatch) -> None:
    """No slow one comes to its end in this test: whoever waited for that would wait for ever."""
    for limit in ("IDLE_SECONDS", "REQUEST_SECONDS"):
        monkeypatch.setattr(connections, limit, QUIET)
    said = {"nothing": b"", "head": b"GET / HTTP/1.1\r\n", "body": question(page, MAX_BODY) + b"{"}[kind]
    with ExitStack() as stack:
        for _ in range(SLOW):
            stack.enter_context(opened(page, said))
        assert page.ask("GET", "/")[0] == 200
        assert page.post("answer", document=small(), definition="np")["verdict"] == "fails"


@pytest.mark.parametrize("kind", ["head", "body"])
def test_a_request_that_trickles_is_ended(page: Page, kind: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(connections, "REQUEST_SECONDS", 1)
    started = monotonic()
    with opened(page, b"GET / HTTP/1.1\r\n" if kind == "head" else question(page, MAX_BODY)) as line:
        line.setblocking(False)
        found = b""
        while not found and monotonic() - started < LONGEST:
            sleep(0.05)
            with suppress(OSError):  # the server ends the connection between two bytes: what it said can still be read
                line.sendall(b"X: y\r\n" if kind == "head" else b" ")
            with suppress(BlockingIOError):
                found = line.recv(1 << 16)
    assert found.startswith(b"HTTP/1.1 408 Request Timeout\r\n")


def test_an_idle_connection_is_ended(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(connections, "IDLE_SECONDS", 1)
    monkeypatch.setattr(connections, "REQUEST_SECONDS", QUIET)
    with served() as page, opened(page, head(page, "GET /static/page.css")) as line:
        assert heard(line).startswith(b"HTTP/1.1 200 OK")


def test_one_connection_carries_many_requests(page: Page) -> None:
    with opened(page) as line:
        for _ in range(3):
            line.sendall(head(page, "HEAD /"))
            assert line.recv(1 << 16).startswith(b"HTTP/1.1 200 OK")
        line.sendall(question(page))
        sleep(0.1)
        line.sendall(QUESTION)
        assert line.recv(15) == b"HTTP/1.1 200 OK"


def test_a_browser_that_asks_first_is_told_to_go_on(page: Page) -> None:
    asked = question(page).replace(b"\r\n\r\n", b"\r\nExpect: 100-continue\r\n\r\n")
    with opened(page, asked) as line:
        assert line.recv(1 << 16) == b"HTTP/1.1 100 Continue\r\n\r\n"
        line.sendall(QUESTION)
        assert line.recv(15) == b"HTTP/1.1 200 OK"


def test_a_head_that_is_too_long_is_refused(page: Page) -> None:
    with opened(page, b"GET /" + b"x" * connections.MAX_HEAD * 2) as line:
        assert line.recv(12) == b"HTTP/1.1 431"


def test_what_waits_longest_makes_room(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(connections, "MOST_CONNECTIONS", 2)
    monkeypatch.setattr(connections, "SPARED", 0)
    with served() as page, opened(page) as oldest, opened(page):
        assert page.ask("GET", "/")[0] == 200
        with suppress(ConnectionResetError):
            assert oldest.recv(1) == b""


def test_beyond_the_limit_one_is_told_to_come_again(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(connections, "MOST_CONNECTIONS", 2)
    for limit in ("SPARED", "IDLE_SECONDS", "TURNED_AWAY_SECONDS"):
        monkeypatch.setattr(connections, limit, QUIET)
    with served() as page, opened(page), opened(page):  # the server takes connections on in their order
        status, headers, said = page.ask("GET", "/")
        assert (status, headers["Retry-After"], said) == (503, "1", b"too many connections\n")
        with opened(page), opened(page):  # told so only when they have asked
            assert status_of(page, head(page, "GET /")) in {"closed", "ConnectionResetError", "BrokenPipeError"}
