"""The command `pkdp`: one process works, and this one sees to it that it ends when it is interrupted.

A signal reaches Python's own handlers only between two of its operations, and some take minutes. So the work is done
in a process of its own; this one does nothing but wait. On Ctrl-C, or when it is asked to end, it passes that on, and
after a second it ends whatever is left. Where the system cannot fork, the work is done here.
"""

from __future__ import annotations

# `signal` itself loads slowly, and so does `typing`; until `run` begins, Ctrl-C is a traceback.
import _signal as signal  # type: ignore[import-not-found]
import gc
import os
import sys
import time

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import NoReturn

INTERRUPTED = 130
FAILED = 4
ENDING = tuple(getattr(signal, name) for name in ("SIGINT", "SIGTERM", "SIGHUP") if hasattr(signal, name))
GRACE = 1_000_000_000
"""Nanoseconds in which the work may end by itself, and keep its checkpoint."""
LAST = 200_000_000
"""Nanoseconds in which processes of an ended work may end by themselves."""
TICK = 1 / 100
"""Seconds between two looks at whether these processes have ended."""
NEW_OBJECTS = 100_000
"""After so many new objects Python looks for cycles that nothing refers to: after 700 it takes a third of long work."""


class _Interrupted(BaseException):
    """An interruption of the process that waits."""


def run() -> NoReturn:
    """Run the command line with the arguments of this process."""
    if not hasattr(os, "fork"):
        _work(supervised=False)
    signal.pthread_sigmask(signal.SIG_BLOCK, ENDING)  # until both processes have their handlers
    supervisor = os.getpid()
    worker = os.fork()
    if worker == 0:
        _prepare(supervisor)
        _work(supervised=True)
    sys.exit(_wait(worker))


def _prepare(supervisor: int) -> None:
    """Prepare the process that works: the supervisor takes Ctrl-C, and passes it on as a request to end."""
    from verifier.machine.cores import killed_with_parent

    signal.signal(signal.SIGINT, signal.SIG_IGN)  # also in all that is started from here
    signal.signal(signal.SIGHUP, signal.SIG_IGN)
    signal.signal(signal.SIGTERM, _interrupt)
    killed_with_parent(supervisor)


def _interrupt(*_: object) -> None:
    signal.signal(signal.SIGTERM, signal.SIG_IGN)
    # Where it arrives while an object is deleted, or when the work has just ended, Python would tell of it.
    sys.unraisablehook = lambda _: None
    sys.excepthook = lambda *_: None
    raise KeyboardInterrupt


def _work(*, supervised: bool) -> NoReturn:
    """Import the commands and run one; an interruption is expected from here on."""
    try:
        if hasattr(signal, "pthread_sigmask"):
            signal.pthread_sigmask(signal.SIG_UNBLOCK, ENDING)
        gc.set_threshold(NEW_OBJECTS)
        from verifier.cli.main import run as run_command

        run_command(supervised=supervised)
    except KeyboardInterrupt:
        if not supervised:
            _say("interrupted")
    finally:
        gc.freeze()  # nothing is looked for in what ends with the process
        signal.signal(signal.SIGTERM, signal.SIG_DFL)
    sys.exit(INTERRUPTED)


def _wait(worker: int) -> int:
    """Wait for the work, and return its exit status."""
    ended: int | None = None
    try:
        for number in ENDING:
            signal.signal(number, _stop_waiting)
        signal.pthread_sigmask(signal.SIG_UNBLOCK, ENDING)
        ended = os.waitpid(worker, 0)[1]
        _ignore()
    except _Interrupted:
        if ended is None:
            _end(worker)
        _say("interrupted")
        return INTERRUPTED
    status = os.waitstatus_to_exitcode(ended)
    if status < 0:
        reason = "perhaps for want of memory" if status == -signal.SIGKILL else "which is an error of the program"
        _say(f"the work was ended by signal {-status}, {reason}")
        return FAILED
    return status


def _stop_waiting(*_: object) -> None:
    _ignore()
    raise _Interrupted


def _ignore() -> None:
    for number in ENDING:
        signal.signal(number, signal.SIG_IGN)


def _end(worker: int) -> None:
    """End the work and every process that it has started."""
    from verifier.machine.cores import adopt_orphans

    adopt_orphans()
    _send(worker, signal.SIGTERM)
    if not _has_ended(worker):
        _send(worker, signal.SIGKILL)
    start = time.monotonic_ns()
    while left := _descendants():
        if time.monotonic_ns() - start > LAST:
            for process in left:
                _send(process, signal.SIGKILL)
        time.sleep(TICK)
        _reap()


def _has_ended(worker: int) -> bool:
    """Whether the work ends by itself within the grace period."""
    start = time.monotonic_ns()
    while time.monotonic_ns() - start < GRACE:
        try:
            if os.waitpid(worker, os.WNOHANG)[0]:
                return True
        except ChildProcessError:
            return True
        time.sleep(TICK)
    return False


def _descendants() -> list[int]:
    """Return the descendants of this process that still run, as Linux lists them."""
    parents: dict[int, int] = {}
    try:
        listed = [int(name) for name in os.listdir("/proc") if name.isdigit()]  # noqa: PTH208  # pathlib loads slowly
    except OSError:
        return []
    for process in listed:
        try:
            with open(f"/proc/{process}/stat", encoding="ascii", errors="replace") as stream:  # noqa: PTH123
                state, parent = stream.read().rpartition(")")[2].split()[:2]
        except OSError:
            continue  # it has ended meanwhile
        if state != "Z":
            parents[process] = int(parent)
    below = {os.getpid()}
    while more := {process for process, parent in parents.items() if parent in below} - below:
        below |= more
    return sorted(below - {os.getpid()})


def _send(process: int, number: int) -> None:
    try:
        os.kill(process, number)
    except ProcessLookupError:
        return


def _reap() -> None:
    """Take note of children that have ended."""
    try:
        while os.waitpid(-1, os.WNOHANG)[0]:
            pass
    except ChildProcessError:
        return


def _say(message: str) -> None:
    try:
        os.write(2, f"pkdp: {message}\n".encode())
    except OSError:
        return  # nobody listens any more


if __name__ == "__main__":
    run()
