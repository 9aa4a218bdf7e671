"""The explorer's server in a thread, and a page that asks it over real HTTP."""

from __future__ import annotations

import http.client
import json
import threading
from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any

from verifier.wings.explore.server import Server

Answer = Any


class Page:
    """A browser's page, as far as the server sees it."""

    def __init__(self, port: int) -> None:
        self.port = port

    def ask(
        self, method: str, path: str, body: bytes | None = None, headers: dict[str, str] | None = None
    ) -> tuple[int, dict[str, str], bytes]:
        line = http.client.HTTPConnection("127.0.0.1", self.port, timeout=60)
        try:
            line.request(method, path, body, headers or {})
            found = line.getresponse()
            return found.status, dict(found.getheaders()), found.read()
        finally:
            line.close()

    def get(self, path: str) -> Answer:
        status, _, body = self.ask("GET", path)
        assert status == 200, body
        return json.loads(body)

    def post(self, name: str, **asked: Any) -> Answer:
        return self.send(name, json.dumps(asked).encode())

    def send(self, name: str, body: bytes) -> Answer:
        status, _, found = self.ask("POST", f"/api/{name}", body, {"Content-Type": "application/json"})
        assert status == 200, found
        return json.loads(found)

    def document(self, name: str) -> Answer:
        return self.get(f"/api/example?id={name}")["document"]


@contextmanager
def served() -> Iterator[Page]:
    """A server for the tests of one module."""
    server = Server()
    thread = threading.Thread(target=server.serve_forever, daemon=True)
    thread.start()
    try:
        yield Page(server.server_port)
    finally:
        server.shutdown()
        server.server_close()
        thread.join()


def small() -> Answer:
    """Two records with a table, a column of knowledge, and a mechanism as rows."""
    rows = [([0, 0], "1/2", "x"), ([0, 1], "1/4", "x"), ([1, 0], "0", "y"), ([1, 1], "1/4", "x")]
    return {
        "title": "small",
        "size": 2,
        "values": [0, 1],
        "distribution": [{"table": [{"database": d, "probability": p, "knowledge": k} for d, p, k in rows]}],
        "mechanism": {
            "table": [
                {"database": [0, 0], "output": "u"},
                {"database": [0, 1], "outputs": {"u": "1/2", "v": "1/2"}},
                {"database": [1, 0], "output": "v"},
                {"database": [1, 1], "output": "v"},
            ]
        },
    }
