"""Processes that decide questions: one that nobody waits for any more, or that takes too long, is ended at once.

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

from verifier.errors import LimitError, PkdpError, UndecidedError
from verifier.machine.cores import killed_with_parent
from verifier.wings.explore.problems import problem
from verifier.wings.explore.routes import Clerk, sent

MOST_SECONDS = 30
"""How long one question may take; what is admitted takes about a second."""
MOST_BYTES = 4 << 30
"""Memory of one process."""
GRACE = 150_000_000
"""Nanoseconds after which a question that nobody waits for is ended; a shorter one ends by itself."""
TICK = 1 / 50
"""Seconds between two looks at whether somebody still waits."""
NANOSECONDS = 1_000_000_000
FIRST = frozenset({"answer", "read", "write", "expand"})
"""What is asked on the way to the verdict in large words; all else goes to another process."""
Wanted = Callable[[], bool]


def work(pipe: Connection) -> None:
    """Answer one question after the other, until the server has gone."""
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    killed_with_parent(None)
    _bounded()
    clerk = Clerk()
    while True:
        try:
            name, _, body = pipe.recv_bytes().partition(b"\n")
            pipe.send_bytes(clerk.said(name.decode(), body))
        except (EOFError, OSError):
            return


def _bounded() -> None:
    """A document that explodes ends this process, and not the machine; where the system can say so."""
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
        """Nothing runs yet."""
        self.lock = Lock()
        self._context = context
        self._process: BaseProcess | None = None
        self._pipe: Connection | None = None

    def ask(self, name: str, body: bytes, wanted: Wanted) -> bytes | None:
        """The answer to a question, by whoever holds the lock; None where it was not waited for.

        Raises:
            LimitError: where it takes too long.
            UndecidedError: where the process ended.

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
                    raise LimitError(
                        "the answer takes too long for a page",
                        wanted=f"at most {MOST_SECONDS} seconds",
                        tip="use fewer records, values or digits; save the file and run pkdp check for larger models",
                    )
            return pipe.recv_bytes()
        except (EOFError, OSError):
            self.end()
            raise UndecidedError(
                "the work ended without an answer", tip="it may have needed too much memory: use a smaller model"
            ) from None

    def _started(self) -> Connection:
        if self._pipe is None or self._process is None or not self._process.is_alive():
            self.end()
            self._pipe, theirs = self._context.Pipe()
            self._process = self._context.Process(target=work, args=(theirs,), daemon=True)
            self._process.start()
            theirs.close()
        return self._pipe

    def end(self) -> None:
        """End the process; the next question starts another."""
        if self._process is not None:
            self._process.kill()
            self._process.join()
        if self._pipe is not None:
            self._pipe.close()
        self._process = self._pipe = None


def _context() -> ForkServerContext | SpawnContext:
    """Where it can be, a process is a copy of one that has all loaded; that one loads while the browser opens."""
    if "forkserver" not in multiprocessing.get_all_start_methods():
        return multiprocessing.get_context("spawn")
    found = multiprocessing.get_context("forkserver")
    found.set_forkserver_preload(["verifier.wings.explore.ready", "verifier.cli.main"])
    ensure_running()
    return found


class Workers:
    """One process for the chosen definition, one for all else, and one for when the others are busy."""

    def __init__(self) -> None:
        """Nothing runs yet."""
        context = _context()
        self._first, self._rest, self._relief = Worker(context), Worker(context), Worker(context)

    def ask(self, name: str, body: bytes, wanted: Wanted) -> bytes | None:
        """The answer as it is sent; None where the page has gone on."""
        worker = self._free(self._first if name in FIRST else self._rest, wanted)
        if worker is None:
            return None
        try:
            return worker.ask(name, body, wanted) if wanted() else None
        except PkdpError as error:
            return sent({"problems": [problem(error)]})
        finally:
            worker.lock.release()

    def _free(self, home: Worker, wanted: Wanted) -> Worker | None:
        """A process that has nothing to do, with its lock held; None where nobody waits for one any more."""
        while True:
            for worker, patience in ((home, 0), (self._relief, 0), (home, TICK)):
                if worker.lock.acquire(timeout=patience):
                    return worker
            if not wanted():
                return None

    def end(self) -> None:
        """End all processes."""
        for one in (self._first, self._rest, self._relief):
            one.end()
