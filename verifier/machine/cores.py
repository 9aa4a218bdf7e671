"""Processes of this machine: independent pieces of work on all cores, and processes that end with their parent."""

from __future__ import annotations

import os
import signal
import sys
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from typing import TYPE_CHECKING, TypeVar

from verifier.errors import MachineError

if TYPE_CHECKING:
    from concurrent.futures import Executor

Asked = TypeVar("Asked")
Answer = TypeVar("Answer")
FEW = 8
"""Largest number of questions that are answered in this process, without others."""
PR_SET_PDEATHSIG, PR_SET_CHILD_SUBREAPER = 1, 36
"""Options of prctl on Linux: a signal when the parent ends; becoming the parent of orphans below this process."""


def on_all_cores(
    work: Callable[[Asked], Answer],
    questions: Sequence[Asked],
    size: Callable[[Asked], int] = lambda _: 0,
    tick: Callable[[], object] = lambda: None,
) -> Iterator[Answer]:
    """The answers `work(question)` in the order of the questions, computed on all cores.

    Questions of the largest `size` start first, so that no core waits for a late one.

    `tick` is called after each answer, in the order in which answers arrive.

    >>> list(on_all_cores(abs, [-2, 3]))
    [2, 3]

    Raises:
        MachineError: where a process is ended from outside.

    """
    cores = os.cpu_count() or 1
    if cores == 1 or len(questions) <= FEW:
        for question in questions:
            answer = work(question)
            tick()
            yield answer
        return
    first = sorted(range(len(questions)), key=lambda number: -size(questions[number]))
    with processes(cores) as executor:
        running = {number: executor.submit(work, questions[number]) for number in first}
        for future in running.values():
            future.add_done_callback(lambda _: tick())
        for number in range(len(questions)):
            yield running[number].result()


@contextmanager
def processes(number: int, tip: str = "use fewer processes, or smaller models") -> Iterator[Executor]:
    """An executor with this number of processes, which end at once where the work is broken off.

    They are spawned, not forked: the same on every system, and safe where threads run.

    Raises:
        MachineError: where a process is ended from outside.

    """
    from concurrent.futures import BrokenExecutor, ProcessPoolExecutor
    from multiprocessing import get_context

    executor = ProcessPoolExecutor(number, mp_context=get_context("spawn"), initializer=end_with_parent)
    try:
        yield executor
    except BaseException as error:
        for process in list((executor._processes or {}).values()):  # noqa: SLF001  # kill_workers() is of Python 3.14
            process.kill()
        if isinstance(error, BrokenExecutor):
            lost = "a process of the work was ended from outside, perhaps for want of memory"
            raise MachineError(lost, tip=tip) from error
        raise
    finally:
        executor.shutdown(wait=True, cancel_futures=True)


def end_with_parent() -> None:
    """End this process when its parent ends, however that ends; an interruption is for the parent alone."""
    from multiprocessing import parent_process
    from threading import Thread

    signal.signal(signal.SIGINT, signal.SIG_IGN)
    parent = parent_process()
    killed_with_parent(None if parent is None else parent.pid)

    def leave() -> None:
        if parent is not None:
            parent.join()
            os._exit(1)

    Thread(target=leave, daemon=True).start()


def killed_with_parent(parent: int | None) -> None:
    """Let Linux end this process with its parent, even in the middle of a long operation; end it now, if that ended."""
    _prctl(PR_SET_PDEATHSIG, signal.SIGKILL)
    if parent is not None and os.getppid() != parent:
        os._exit(1)  # it had ended before


def adopt_orphans() -> None:
    """Become the parent of all processes below this one whose parent ends; Linux only."""
    _prctl(PR_SET_CHILD_SUBREAPER, 1)


def _prctl(option: int, value: int) -> None:
    if sys.platform == "linux":
        import ctypes

        ctypes.CDLL(None).prctl(option, ctypes.c_ulong(value), 0, 0, 0)
