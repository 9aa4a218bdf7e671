"""Processes that decide questions; a process is ended where nobody waits for its answer or it takes too long.

Each has a precision of balls and documents of its own, so that one slow question holds up no other. Ending a process is
the only way to stop a decision in the middle that leaves nothing half done.
"""

from __future__ import annotations

import multiprocessing
import signal
from collections.abc import Callable
from multiprocessing.connection import Connection
from multiprocessing.context import ForkServerContext, SpawnContext
from multiprocessing.forkserver import ensure_running
from multiprocessing.process import BaseProcess
from threading import Lock
from time import monotonic_ns

from verifier.errors import PkdpError
from verifier.machine.cores import killed_with_parent
from verifier.wings.explore.problems import MOST_SECONDS, ended, problem, too_long
from verifier.wings.explore.routes import Session, json_bytes

MOST_BYTES = 4 << 30
"""Largest number of bytes of memory of one process."""
GRACE = 150_000_000
"""Nanoseconds after which a question that nobody waits for is ended; a shorter one ends by itself."""
TICK = 1 / 50
"""Seconds between two looks at whether somebody still waits."""
NANOSECONDS = 1_000_000_000
FIRST = frozenset({"answer", "read", "write", "expand"})
"""The questions behind the large verdict of the page."""
AFTER = frozenset({"recheck"})
"""What is asked after a verdict: it has a process of its own, so that no verdict waits for the checker."""
Wanted = Callable[[], bool]


def work(pipe: Connection) -> None:
    """Answer one question after the other, until the server has gone."""
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    killed_with_parent(None)
    _bounded()
    session = Session()
    while True:
        try:
            name, _, body = pipe.recv_bytes().partition(b"\n")
            pipe.send_bytes(session.answer(name.decode(), body))
        except (EOFError, OSError):
            return


def _bounded() -> None:
    """Limit the memory of this process, so that a huge document ends it and not the machine."""
    try:
        import resource
    except ImportError:
        return
    _, most = resource.getrlimit(resource.RLIMIT_AS)
    if most == resource.RLIM_INFINITY or most > MOST_BYTES:
        resource.setrlimit(resource.RLIMIT_AS, (MOST_BYTES, most))


class Worker:
    """A process that is started when it is needed, and answers one question at a time."""

    def __init__(self, context: ForkServerContext | SpawnContext) -> None:
        """Prepare the process without starting it."""
        self.lock = Lock()
        self._starting = Lock()
        self._closed = False
        self._context = context
        self._process: BaseProcess | None = None
        self._pipe: Connection | None = None

    def ask(self, name: str, body: bytes, wanted: Wanted) -> bytes | None:
        """The answer to a question; the caller holds the lock. None where nobody waits any more.

        Raises:
            LimitError: where it takes too long.
            UndecidedError: where the process ended, or this worker is closed.

        """
        pipe = self._started()
        start = monotonic_ns()
        try:
            pipe.send_bytes(name.encode() + b"\n" + body)
            while not pipe.poll(TICK):
                spent = monotonic_ns() - start
                if spent > GRACE and not wanted():
                    self.end()
                    return None
                if spent > MOST_SECONDS * NANOSECONDS:
                    self.end()
                    raise too_long()
            return pipe.recv_bytes()
        except (EOFError, OSError):
            self.end()
            raise ended() from None

    def _started(self) -> Connection:
        if self._pipe is None or self._process is None or not self._process.is_alive():
            self.end()
            with self._starting:
                if self._closed:
                    raise ended()
                pipe, pipe_of_process = self._context.Pipe()
                process = self._context.Process(target=work, args=(pipe_of_process,), daemon=True)
                try:
                    process.start()
                except (EOFError, OSError):  # the machine has no room for it now: the next question starts another
                    pipe.close()
                    raise ended() from None
                finally:
                    pipe_of_process.close()
                self._pipe, self._process = pipe, process
        return self._pipe

    def close(self) -> None:
        """End the process for good, from any thread; who asks it is told that it ended.

        Only the thread that holds the lock closes the pipe: two would close the same descriptor, and the second one
        perhaps another file's.
        """
        with self._starting:
            self._closed = True
            process = self._process
            if process is not None:
                process.kill()
        with self.lock:
            self.end()

    def end(self) -> None:
        """End the process; the next question starts another. The caller holds the lock."""
        if self._process is not None:
            self._process.kill()
            self._process.join()
        if self._pipe is not None:
            self._pipe.close()
        self._process = self._pipe = None


def _context() -> ForkServerContext | SpawnContext:
    """The way to start processes: forked from one that has loaded the program, where the system can; else spawned."""
    if "forkserver" not in multiprocessing.get_all_start_methods():
        return multiprocessing.get_context("spawn")
    context = multiprocessing.get_context("forkserver")
    context.set_forkserver_preload(["verifier.wings.explore.ready", "verifier.cli.main"])
    ensure_running()
    return context


class Workers:
    """One process for the chosen definition, one for the checker, one for all else, and one for when these are busy."""

    def __init__(self) -> None:
        """Prepare the processes without starting them."""
        context = _context()
        self._first, self._after, self._rest = Worker(context), Worker(context), Worker(context)
        self._relief = Worker(context)

    def ask(self, name: str, body: bytes, wanted: Wanted) -> bytes | None:
        """The bytes of the answer to a question; None where the page has withdrawn it."""
        home = self._first if name in FIRST else self._after if name in AFTER else self._rest
        worker = self._free(home, wanted)
        if worker is None:
            return None
        try:
            return worker.ask(name, body, wanted) if wanted() else None
        except PkdpError as error:
            return json_bytes({"problems": [problem(error)]})
        finally:
            worker.lock.release()

    def _free(self, home: Worker, wanted: Wanted) -> Worker | None:
        """An idle process with its lock held; None where nobody waits any more."""
        while True:
            for worker, patience in ((home, 0), (self._relief, 0), (home, TICK)):
                if worker.lock.acquire(timeout=patience):
                    return worker
            if not wanted():
                return None

    def end(self) -> None:
        """End all processes for good, whoever asks them."""
        for worker in (self._first, self._after, self._rest, self._relief):
            worker.close()
