"""A user's function that never ends is refused with its line; what waits, or ends in time, is left alone."""

from __future__ import annotations

import gc
import signal
import subprocess
import sys
import threading
from collections.abc import Iterator
from contextlib import suppress
from pathlib import Path
from time import sleep
from typing import Any

import pytest

import verifier as pk
from verifier.cli.main import run
from verifier.programs import deadline

pytestmark = pytest.mark.skipif(not hasattr(signal, "ITIMER_VIRTUAL"), reason="no timer of processor time")
PROBLEM = "the function has computed for 1 second in one run, and has not ended"


@pytest.fixture(autouse=True)
def _one_second(monkeypatch: pytest.MonkeyPatch) -> Iterator[None]:
    monkeypatch.setattr(deadline, "MOST_SECONDS", 1)
    yield
    assert signal.getitimer(signal.ITIMER_VIRTUAL) == (0, 0)
    assert deadline._CLOCK.caller is None


def in_a_branch(db: Any, rng: Any) -> Any:
    if rng.flip("1/2"):
        while True:
            pass
    return db[0]


def of_the_database(db: Any) -> Any:
    while db[0] == 1:
        pass
    return 0


def keeps_exceptions(_: Any, rng: Any) -> Any:
    while True:
        with suppress(Exception):
            rng.flip("1/2", "no such argument")


def in_a_call(db: Any, rng: Any) -> Any:  # noqa: ARG001
    return sorted(iter(lambda: 0, 1))


def while_garbage_is_collected(db: Any) -> Any:  # noqa: ARG001
    def never_ends(*_: object) -> None:
        gc.callbacks.remove(never_ends)
        while True:
            pass

    gc.callbacks.append(never_ends)
    gc.collect()
    while True:
        pass


def model(mechanism: Any) -> pk.Model:
    return pk.build(size=1, values=[0, 1], mechanism=mechanism)


@pytest.mark.parametrize(
    ("function", "first"),
    [
        (in_a_branch, "while True:"),
        (of_the_database, "while db[0] == 1:"),
        (in_a_call, "return sorted"),
        (while_garbage_is_collected, "while True:"),
    ],
)
def test_what_never_ends_is_refused_with_its_line(function: Any, first: str) -> None:
    before = sys.unraisablehook
    with pytest.raises(pk.InputError) as error:
        pk.check(model(function), "dp")
    assert sys.unraisablehook is before
    place, line = error.value.where.rsplit(": ", 1)
    assert place.startswith("model: [mechanism], the function on [")
    assert error.value.message == PROBLEM
    number = int(line.removeprefix("test_deadline.py, line "))
    lines = Path(__file__).read_text(encoding="utf-8").splitlines()
    assert any(first in text for text in lines[number - 2 : number]), lines[number - 1]
    with pytest.raises(pk.InputError, match=PROBLEM):
        pk.claim(function, "dp", values=[0, 1], size=1)


def test_no_exception_of_the_function_keeps_it() -> None:
    with pytest.raises(pk.PkdpError):
        pk.program(keeps_exceptions).law([0])


def test_a_step_and_what_is_known_end_too() -> None:
    step = {"kind": "sum", "then": [lambda o: of_the_database([int(o)])]}
    with pytest.raises(pk.InputError, match=r"then, step 1, program, the function on 1: .*" + PROBLEM):
        pk.build(size=1, values=[0, 1], mechanism=step)
    with pytest.raises(pk.InputError, match=PROBLEM):
        pk.build(
            size=1, values=[0, 1], mechanism={"kind": "sum"}, distribution={"iid": "uniform"}, knowledge=of_the_database
        )


def test_a_function_inside_a_function_has_the_time_of_the_outer_one() -> None:
    def outer(db: Any) -> Any:
        inner = pk.check(model({"kind": "sum"}), "dp", replay=False)
        assert not deadline.begin(sys._getframe())
        while inner.verdict:
            model(lambda votes: votes[0])
        return db[0]

    with pytest.raises(pk.InputError, match=PROBLEM):
        pk.check(model(outer), "dp")


def test_what_waits_is_not_stopped() -> None:
    waited: list[int] = []

    def waits(db: Any) -> Any:
        if not waited:
            waited.append(2)
            sleep(2)
        return db[0]

    assert pk.check(model(waits), "dp").verdict == "fails"
    assert waited


def test_many_runs_may_take_longer_together() -> None:
    def slow(db: Any, rng: Any) -> Any:
        total = sum(range(2_000_000))
        return total % 2 + db[0] * rng.flip("1/2")

    assert len(pk.program(slow).law([1])) == 2


def test_the_timer_of_somebody_else_is_left_alone() -> None:
    before = signal.getsignal(signal.SIGVTALRM)
    try:
        signal.signal(signal.SIGVTALRM, signal.SIG_IGN)
        assert not deadline.begin(sys._getframe())
        assert signal.getsignal(signal.SIGVTALRM) == signal.SIG_IGN
    finally:
        signal.signal(signal.SIGVTALRM, before)


def test_another_thread_has_no_limit() -> None:
    found: list[Any] = []

    def work() -> None:
        found.append(deadline.begin(sys._getframe()))
        found.append(pk.check(model(lambda db: db[0]), "dp").verdict)

    thread = threading.Thread(target=work)
    thread.start()
    thread.join()
    assert found == [False, "fails"]


def test_the_command_says_where(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    file = tmp_path / "loop.py"
    file.write_text(
        "import verifier as pk\n\n"
        "def f(db, rng):\n    while True:\n        pass\n\n"
        "model = pk.build(size=1, values=[0, 1], mechanism=f)\n",
        encoding="utf-8",
    )
    with pytest.raises(SystemExit, match="2"):
        run(["check", str(file), "--definition", "dp"])
    said = capsys.readouterr().err
    assert f"loop.py, line 4: {PROBLEM}. Expected a function that ends soon on every path. Hint: " in said or (
        f"loop.py, line 5: {PROBLEM}. Expected a function that ends soon on every path. Hint: " in said
    )


def test_where_there_is_no_timer_a_function_has_no_limit() -> None:
    """The interpreter of the explorer's page has the names of the timers, and no way to set one."""
    script = """
import signal
del signal.setitimer
import verifier as pk
model = pk.build(size=1, values=[0, 1], mechanism=lambda db, rng: db[0] if rng.flip("1/2") else 0)
print(pk.check(model, "dp", epsilon="ln(2)").tight_delta)
"""
    done = subprocess.run([sys.executable, "-c", script], capture_output=True, text=True, check=False)
    assert done.stdout == "1/2\n", done.stderr
