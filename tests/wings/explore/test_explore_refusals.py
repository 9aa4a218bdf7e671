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

from verifier.model.library import models_folder
from verifier.wings.explore.document import document_of
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


def test_only_this_machine_is_listened_to() -> None:
    server = Server()
    try:
        assert server.server_address[0] == "127.0.0.1"
        assert socket.inet_aton(str(server.server_address[0]))[0] == 127
    finally:
        server.server_close()
