"""Processes that decide questions: given up, too long, or broken, and the next question is answered."""

from __future__ import annotations

import http.client
import json
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from multiprocessing.context import ForkServerProcess
from threading import Event
from time import sleep
from typing import Any

import pytest
from exploring import served, small

from verifier.errors import LimitError, UndecidedError
from verifier.wings.explore import workers
from verifier.wings.explore.server import Server
from verifier.wings.explore.workers import Worker, Workers

LONG: dict[str, Any] = {
    "size": 400,
    "values": [0, 1],
    "mechanism": {"kind": "count", "value": 1},
    "distribution": [{"iid": {"0": "123/1009", "1": "886/1009"}}],
    "knowledge": {"records": {"from": 0, "to": 200}},
}
"""A second or so; a page refuses what would take much longer."""
BODY = json.dumps({"document": LONG, "definition": "ppkdp"}).encode()
SHORT = json.dumps({"document": small(), "definition": "np"}).encode()


@pytest.fixture
def group() -> Iterator[Workers]:
    found = Workers()
    yield found
    found.end()


@pytest.fixture
def worker(group: Workers) -> Worker:
    return group._first


def answered(worker: Worker) -> bool:
    return bool(json.loads(worker.ask("answer", SHORT, lambda: True) or b"{}").get("verdict") == "fails")


def test_a_question_that_nobody_waits_for_is_ended(worker: Worker, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(workers, "GRACE", 0)
    assert worker.ask("answer", BODY, lambda: False) is None
    assert worker._process is None
    assert answered(worker)


def test_a_short_question_ends_by_itself_and_is_remembered(worker: Worker, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(workers, "GRACE", 10**12)
    assert worker.ask("answer", SHORT, lambda: False)
    kept = worker._process
    assert answered(worker)
    assert worker._process is kept is not None


def test_a_question_that_takes_too_long_is_refused(worker: Worker, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(workers, "MOST_SECONDS", 0)
    with pytest.raises(LimitError, match="too long for a page"):
        worker.ask("answer", BODY, lambda: True)
    monkeypatch.undo()
    assert answered(worker)


def test_a_process_that_ends_is_told_and_replaced(worker: Worker, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(workers, "GRACE", 0)

    def broken() -> bool:
        assert worker._process is not None
        worker._process.kill()
        return True

    with pytest.raises(UndecidedError, match="ended without an answer"):
        worker.ask("answer", BODY, broken)
    assert answered(worker)


def test_a_process_that_cannot_be_started_is_told_and_the_next_one_starts(
    worker: Worker, monkeypatch: pytest.MonkeyPatch
) -> None:
    """No room for another process, or the one that forks them has just been ended."""
    genuine, failing = ForkServerProcess.start, [OSError("no room"), EOFError()]

    def start(process: ForkServerProcess) -> None:
        if failing:
            raise failing.pop()
        genuine(process)

    monkeypatch.setattr(ForkServerProcess, "start", start)
    for _ in range(2):
        with pytest.raises(UndecidedError, match="ended without an answer"):
            worker.ask("answer", SHORT, lambda: True)
        assert (worker._process, worker._pipe) == (None, None)
    assert answered(worker)


def test_a_long_question_holds_up_no_other_and_goes_with_its_page() -> None:
    with served() as page:
        line = http.client.HTTPConnection("127.0.0.1", page.port)
        line.request("POST", "/api/answer", BODY, {"Content-Type": "application/json"})
        for name in ("answer", "passport", "loss"):
            assert "problems" not in page.post(name, document=small(), definition="np")
        assert len(page.get("/api/examples")) > 130
        line.close()
        assert page.post("answer", document=small(), definition="cdp")["verdict"] == "fails"


def test_a_recheck_holds_up_no_verdict() -> None:
    """However long the checker takes: its question has a process of its own, and goes when it is withdrawn."""
    with served() as page:
        lines = [http.client.HTTPConnection("127.0.0.1", page.port) for _ in "ab"]
        for line in lines:
            line.request("POST", "/api/recheck", BODY, {"Content-Type": "application/json"})
        for name in ("answer", "passport", "loss"):
            assert "problems" not in page.post(name, document=small(), definition="np")
        for line in lines:
            line.close()
        assert page.post("recheck", document=small(), definition="np")["replayed"] is True


@pytest.mark.parametrize("moment", range(0, 20_000_000, 2_000_000))
def test_who_asks_and_who_closes_end_a_process_together(moment: int, monkeypatch: pytest.MonkeyPatch) -> None:
    """The page withdraws its question while the server closes: the pipe is closed once, and nothing starts anew."""
    monkeypatch.setattr(workers, "GRACE", moment)
    group, closing = Workers(), Event()
    with ThreadPoolExecutor() as threads:
        asked = [threads.submit(group.ask, "answer", BODY, lambda: not closing.is_set()) for _ in range(4)]
        while group._first._process is None or group._relief._process is None:
            sleep(workers.TICK)
        threads.submit(closing.set)
        group.end()
        for answer in asked:
            found = answer.result(timeout=60)
            assert found is None or b"ended without an answer" in found
    assert [worker._process for worker in (group._first, group._relief)] == [None, None]
    refused = group.ask("answer", SHORT, lambda: True)
    assert refused is not None
    assert b"ended without an answer" in refused


def test_the_end_of_the_server_ends_what_it_decides() -> None:
    server = Server(0, "size = 1\n", "mine.toml")
    assert server.start()["problems"]
    process = server.workers._first._process
    assert process is not None
    assert process.is_alive()
    server.server_close()
    assert server.workers._first._process is None
