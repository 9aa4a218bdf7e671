"""Ctrl-C on every command that may take long: one word, status 130, at once, and no process is left."""

import os
import signal
import subprocess
import sys
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager, suppress
from dataclasses import dataclass
from pathlib import Path

import pytest

from verifier.errors import MachineError
from verifier.machine.cores import on_all_cores
from verifier.model.library import proofs_folder

if sys.platform != "linux":
    pytest.skip("the processes of a session are read from /proc", allow_module_level=True)

MOST_WORK = 500
"""The most hundredths of a second of the processor that an interrupted command still takes, whatever the load is."""
PATIENCE = 300
"""Seconds after which a test gives up."""
LONG = """
size = 18
values = [0, 1]
[[distribution]]
iid = { 0 = "1/3", 1 = "2/3" }
[knowledge]
records = [0]
[mechanism]
kind = "identity"
"""
SEARCH = ("search", "--satisfies", "np(0)", "--violates", "np(0) or cdp(0)", "--records", "3", "--weights", "8",
          "--knowledge", "2")  # fmt: skip


@dataclass(frozen=True)
class Long:
    """A command, the processor time after which it is at work, and how many processes it then has."""

    arguments: tuple[str, ...]
    hundredths: int = 150
    processes: int = 2

    def __str__(self) -> str:
        return " ".join(self.arguments[:1])


COMMANDS = (
    Long(("check", "{long}")),
    Long(("loss", "{long}", "--record", "1")),
    Long(("worst", "{short}", "--maximise", "cdp delta at ln(2)", "--assuming", "np(epsilon=ln(2))")),
    Long((*SEARCH, "--jobs", "2"), 250, 5),
    Long(("relations", "--separate")),
    Long(("claims", "--again")),
    Long(("verify", str(proofs_folder()))),
    Long(("report", "--output", "{folder}/report")),
    Long(("explore", "--no-open"), 15, 3),  # servers wait for questions: what they work is how they start
    Long(("course", "--no-browser"), 15, 3),
)


def in_session(session: int) -> dict[int, int]:
    """The processes of a session that still run, with the hundredths of a second that each has worked."""
    spent = {}
    for path in Path("/proc").glob("[0-9]*/stat"):
        with suppress(OSError):
            state, *fields = path.read_text(errors="replace").rpartition(")")[2].split()
            if int(fields[2]) == session and state != "Z":
                spent[int(path.parent.name)] = int(fields[10]) + int(fields[11])
    return spent


def wait_until(met: Callable[[], bool]) -> None:
    start = time.monotonic_ns()
    while not met():
        assert time.monotonic_ns() - start < PATIENCE * 10**9
        time.sleep(0.02)


def work_until(met: Callable[[], bool], session: int) -> int:
    """Wait, and count the hundredths of a second that the processes of a session work until then."""
    before = in_session(session)
    last = dict(before)

    def met_now() -> bool:
        last.update(in_session(session))
        return met()

    wait_until(met_now)
    return sum(last.values()) - sum(before.values())


@contextmanager
def started(command: Long, folder: Path, stdin: int = subprocess.DEVNULL) -> Iterator[subprocess.Popen[bytes]]:
    """A command in a session of its own; nothing of it is left afterwards."""
    for name, size in (("long", 18), ("short", 10)):
        (folder / f"{name}.toml").write_text(LONG.replace("18", str(size)))
    places = {"long": folder / "long.toml", "short": folder / "short.toml", "folder": folder}
    arguments = [one.format(**places) for one in command.arguments]
    running = subprocess.Popen(
        [sys.executable, "-m", "verifier.cli.supervisor", *arguments],
        stdin=stdin,
        stdout=subprocess.DEVNULL,
        stderr=subprocess.PIPE,
        start_new_session=True,
    )
    try:
        yield running
    finally:
        for process in in_session(running.pid):
            with suppress(ProcessLookupError):
                os.kill(process, signal.SIGKILL)
        running.communicate()


def at_work(command: Long, running: subprocess.Popen[bytes]) -> bool:
    spent = in_session(running.pid)
    assert running.poll() is None, running.stderr and running.stderr.read()
    return len(spent) >= command.processes and sum(spent.values()) >= command.hundredths


def refuse_remains(running: subprocess.Popen[bytes]) -> None:
    """The command ends as an interrupted one."""
    work = work_until(lambda: running.poll() is not None, running.pid)
    left = in_session(running.pid)
    errors = running.stderr.read().decode() if running.stderr else ""
    assert (left, running.returncode) == ({}, 130), errors
    assert errors.splitlines()[-1:] == ["pkdp: interrupted"]
    assert errors.count("interrupted") == 1
    assert "Traceback" not in errors
    assert work < MOST_WORK


@pytest.mark.sweep(4)
@pytest.mark.parametrize("command", COMMANDS, ids=str)
def test_an_interrupted_command_ends(command: Long, tmp_path: Path) -> None:
    with started(command, tmp_path) as running:
        wait_until(lambda: at_work(command, running))
        os.killpg(running.pid, signal.SIGINT)  # as a terminal sends it: to all processes at once
        refuse_remains(running)


@pytest.mark.sweep(3)
@pytest.mark.parametrize("number", [signal.SIGINT, signal.SIGTERM, signal.SIGHUP])
def test_a_signal_to_the_command_alone_ends_all(number: int, tmp_path: Path) -> None:
    command = Long(("check", "{long}"))
    with started(command, tmp_path) as running:
        wait_until(lambda: at_work(command, running))
        running.send_signal(number)
        refuse_remains(running)


def test_waiting_for_standard_input_is_interrupted(tmp_path: Path) -> None:
    command = Long(("check", "-"), 15)  # it waits before it works
    with started(command, tmp_path, stdin=subprocess.PIPE) as running:
        wait_until(lambda: at_work(command, running))
        os.killpg(running.pid, signal.SIGINT)
        refuse_remains(running)


@pytest.mark.parametrize(
    "body", ["while True: pass", "while True:\n    try:\n        while True: pass\n    except BaseException: pass"]
)
def test_endless_code_is_interrupted(body: str, tmp_path: Path) -> None:
    """Also code that catches the interruption: its process is ended."""
    (tmp_path / "own.py").write_text(f"open({str(tmp_path / 'ran')!r}, 'w').close()\n{body}\n")
    with started(Long(("check", str(tmp_path / "own.py"))), tmp_path) as running:
        wait_until((tmp_path / "ran").exists)
        os.killpg(running.pid, signal.SIGINT)
        refuse_remains(running)


def test_an_interruption_while_the_commands_are_imported(tmp_path: Path) -> None:
    command = Long(("check", "{long}"), 0, 2)
    with started(command, tmp_path) as running:
        wait_until(lambda: at_work(command, running))
        os.killpg(running.pid, signal.SIGINT)
        refuse_remains(running)


def test_an_interruption_when_the_work_has_just_ended_is_no_traceback() -> None:
    code = (
        "import gc, signal\nfrom verifier.cli.supervisor import run\n"
        "gc.freeze = lambda: signal.raise_signal(signal.SIGTERM)\nrun()\n"
    )
    command = [sys.executable, "-c", code, "--version"]
    done = subprocess.run(command, capture_output=True, text=True, check=False)
    assert done.stdout.startswith("pkdp ")
    assert "Traceback" not in done.stderr


def test_no_process_outlives_a_killed_command(tmp_path: Path) -> None:
    command = Long((*SEARCH, "--jobs", "2"), 250, 5)
    with started(command, tmp_path) as running:
        wait_until(lambda: at_work(command, running))
        running.kill()
        running.wait(PATIENCE)
        assert work_until(lambda: not in_session(running.pid), running.pid) < MOST_WORK


def test_work_that_is_killed_is_no_answer(tmp_path: Path) -> None:
    command = Long(("check", "{long}"))
    with started(command, tmp_path) as running:
        wait_until(lambda: at_work(command, running))
        (worker,) = set(in_session(running.pid)) - {running.pid}
        os.kill(worker, signal.SIGKILL)
        assert running.wait(PATIENCE) == 4
        assert running.stderr is not None
        assert b"ended by signal 9, perhaps for want of memory" in running.stderr.read()


def test_a_lost_process_is_no_answer(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(os, "cpu_count", lambda: 2)  # one core: this process works itself
    with pytest.raises(MachineError, match="was ended from outside") as caught:
        list(on_all_cores(os._exit, range(1, 20)))
    assert caught.value.exit_status == 4
