"""The explorer's server: bad documents get problems with their places, and only its own page is answered."""

from __future__ import annotations

import copy
import json
import socket
from collections.abc import Iterator
from typing import Any

import pytest
from exploring import Page, served, small
from hypothesis import given, settings
from hypothesis import strategies as st

from verifier.model.document import document_of
from verifier.model.library import models_folder
from verifier.wings.explore.routes import QUESTIONS, Session
from verifier.wings.explore.server import MAX_BODY, Server


@pytest.fixture(scope="module")
def page() -> Iterator[Page]:
    with served() as found:
        yield found


# --- what is wrong is said where it is ------------------------------------------------------------------------


SESSION = Session()
LEAVES = st.one_of(
    st.none(), st.booleans(), st.integers(-3, 5), st.sampled_from(["", "1/2", "0.25", "⊥", "sum", "\ud800"]),
    st.floats(allow_nan=False), st.just([]), st.just({}), st.just([[0, 1]]), st.just({"kind": "all", "of": []}),
)  # fmt: skip


def places(given: Any, path: tuple[Any, ...] = ()) -> Iterator[tuple[Any, ...]]:
    """Every place in a document."""
    yield path
    if isinstance(given, dict | list):
        for key, one in given.items() if isinstance(given, dict) else enumerate(given):
            yield from places(one, (*path, key))


START = [small(), document_of((models_folder() / "DMKB20" / "example-7-five-voters.toml").read_text(encoding="utf-8")),
         document_of((models_folder() / "DMKB20" / "example-6-partner-known.toml").read_text(encoding="utf-8")),
         document_of((models_folder() / "LQS12" / "algorithm-1.toml").read_text(encoding="utf-8"))]  # fmt: skip


@settings(max_examples=150)
@given(st.data())
def test_no_mutation_makes_a_traceback(data: st.DataObject) -> None:
    """Any change of a document gives an answer or problems whose paths are in it; a failure would close the line."""
    document = copy.deepcopy(data.draw(st.sampled_from(START)))
    for _ in range(data.draw(st.integers(1, 3))):
        path = data.draw(st.sampled_from([one for one in places(document) if one]))
        here = document
        for key in path[:-1]:
            here = here[key]
        if data.draw(st.booleans()) and isinstance(here, dict):
            del here[path[-1]]
        else:
            here[path[-1]] = copy.deepcopy(data.draw(LEAVES))  # a later change may be inside of it
    name = data.draw(st.sampled_from([*QUESTIONS, "write"]))
    asked = {"document": json.loads(json.dumps(document)), "to": "table", "definition": "apkdp"}
    found = SESSION.post(name, asked)
    json.dumps(found)
    for problem in found.get("problems", []):
        assert problem["message"]
        if problem["path"] is not None and problem["path"][0] not in {"to", "record", "values", "text"}:
            here = document
            for key in problem["path"][:-1]:
                here = here[key]


@settings(max_examples=60)
@given(st.binary(max_size=60) | st.text(max_size=60).map(lambda text: json.dumps(text).encode("utf-8", "replace")))
def test_no_text_makes_a_traceback(body: bytes) -> None:
    assert SESSION.post("read", {"text": body.decode(errors="replace")}).keys() & {"problems", "document"}


# --- who may ask ----------------------------------------------------------------------------------------------


@pytest.mark.parametrize("headers", [{"Host": "evil.example"}, {"Host": "evil.example:80"}, {"Origin": "null"},
    {"Origin": "http" "://evil.example"}, {"Sec-Fetch-Site": "cross-site"}, {"Host": ""}])  # fmt: skip
def test_another_site_is_refused(page: Page, headers: dict[str, str]) -> None:
    body = json.dumps({"document": small()}).encode()
    status, _, found = page.ask("POST", "/api/passport", body, {"Content-Type": "application/json", **headers})
    assert (status, b"rows" in found) == (403, False)
    assert page.ask("GET", "/api/examples", headers=headers)[0] == 403


def test_the_page_itself_may_ask(page: Page) -> None:
    origin = f"http://127.0.0.1:{page.port}"
    headers = {"Content-Type": "application/json", "Origin": origin, "Sec-Fetch-Site": "same-origin"}
    status, _, _ = page.ask("POST", "/api/write", json.dumps({"document": small()}).encode(), headers)
    assert status == 200


@pytest.mark.parametrize("path", ["/static/../server.py", "/static/%2e%2e/server.py", "/../../etc/passwd", "/static/",
    "//etc/passwd", "/api/passport", "/api/../static/index.html", "/models/FORMAT.md", "/static/x/y"])  # fmt: skip
def test_no_other_file_is_served(page: Page, path: str) -> None:
    assert page.ask("GET", path)[0] == 404


@pytest.mark.parametrize(
    ("text", "fix"),
    [
        ("40%", "0.4"),
        (".4", "0.4"),
        ("0,4", "0.4"),
        ("1,5", "1.5"),
        ("½", "1/2"),
        ("1,500", None),
        ("two", None),
    ],
)
def test_a_text_with_one_likely_meaning_has_a_fix(page: Page, text: str, fix: str | None) -> None:
    """It is refused, and nothing is read in its place; the page offers to write what it most likely means."""
    document = small()
    document["distribution"][0]["table"][0]["probability"] = text
    cell = page.post("answer", document=document, definition="np")
    asked = page.post("answer", document=small(), definition="np", epsilon=text)
    for found, path in ((cell, ["distribution", 0, "table", 0, "probability"]), (asked, ["epsilon"])):
        (problem,) = found["problems"]
        assert (problem["path"], problem["fix"]) == (path, fix)
        assert fix is None or problem["tip"] == f"write {fix}"
    inside = page.post("answer", document=small(), definition="np", epsilon=f"ln({text})")["problems"][0]
    assert inside["fix"] == (None if fix is None else f"ln({fix})")


def test_what_is_no_question_is_refused(page: Page) -> None:
    json_type = {"Content-Type": "application/json"}
    assert page.ask("POST", "/api/nothing", b"{}", json_type)[0] == 404
    assert page.ask("POST", "/api/write", b"{}", {"Content-Type": "text/plain"})[0] == 415
    assert page.ask("POST", "/api/write", None, {**json_type, "Content-Length": str(MAX_BODY + 1)})[0] == 413
    assert page.ask("POST", "/api/write", None, {**json_type, "Content-Length": "-1"})[0] == 411
    assert page.ask("PUT", "/api/write", b"{}", json_type)[0] == 501
    for body in (
        b"",
        b"{",
        b"[1]",
        b"\xff",
        b'{"document": NaN}',
        b"[" * 5000,
        b'{"document": {"size": ' + b"9" * 5000,
    ):
        assert page.send("passport", body)["problems"]


@pytest.mark.parametrize("where", ["the question", "the document", "a law"])
def test_a_key_that_stands_twice_is_refused(page: Page, where: str) -> None:
    """Nobody can say which of the two is meant; a model file is refused for it, too."""
    once = json.dumps({"document": small(), "definition": "np"})
    twice = {
        "the question": once.replace('"definition": "np"', '"definition": "cdp", "definition": "np"'),
        "the document": once.replace('"size": 2', '"size": 3, "size": 2'),
        "a law": once.replace('"u": "1/2"', '"u": "1/4", "u": "1/2"'),
    }[where]
    assert "problems" not in page.send("answer", once.encode())
    (problem,) = page.send("answer", twice.encode())["problems"]
    assert "is given twice" in problem["message"]


def test_a_field_of_a_list_that_stands_twice_is_refused(page: Page) -> None:
    assert "given twice" in page.get("/api/example?id=DMKB20/example-1-side&id=x")["problems"][0]["message"]


def said(page: Page, request: bytes) -> bytes:
    """The first line of what the server answers to the bytes of a request."""
    with socket.create_connection(("127.0.0.1", page.port), timeout=20) as line:
        line.sendall(request)
        return line.recv(1 << 16).partition(b"\r\n")[0]


@pytest.mark.parametrize("method", ["GET", "HEAD", "POST"])
@pytest.mark.parametrize(
    "address", ["http://[", "http://]", "//[", "http://[::1", "http://[v]/", "/[", "*", "http://a:b/x"]
)
def test_every_address_is_answered(page: Page, method: str, address: str) -> None:
    """What is no address is refused; the connection does not end without a word."""
    head = f"{method} {address} HTTP/1.1\r\nHost: 127.0.0.1:{page.port}\r\nContent-Length: 0\r\n\r\n"
    status = int(said(page, head.encode()).split()[1])
    assert status == 400 if address.startswith("http://[") else status in {400, 404}


def test_a_header_that_stands_twice_is_refused(page: Page) -> None:
    """Two lengths of one body, or two hosts, are two requests to two readers."""
    start = f"POST /api/write HTTP/1.1\r\nHost: 127.0.0.1:{page.port}\r\nContent-Type: application/json\r\n"
    for more in ("Content-Length: 2\r\nContent-Length: 3\r\n", "Host: localhost\r\nContent-Length: 2\r\n"):
        assert said(page, f"{start}{more}\r\n{{}}".encode()).startswith(b"HTTP/1.1 400")


@settings(max_examples=60, deadline=None)
@given(st.binary(min_size=1, max_size=40))
def test_no_first_line_ends_a_connection_without_an_answer(page: Page, line: bytes) -> None:
    assert said(page, line + b"\r\n\r\n").startswith((b"HTTP/1.", b"<!DOCTYPE"))


def test_only_this_machine_is_listened_to() -> None:
    server = Server()
    try:
        assert server.server_address[0] == "127.0.0.1"
        assert socket.inet_aton(str(server.server_address[0]))[0] == 127
    finally:
        server.server_close()
