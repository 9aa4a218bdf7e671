"""Who looks through the shards: this process, processes of this machine, or a Dask cluster; always in order."""

from __future__ import annotations

import os
import signal
from collections import deque
from collections.abc import Iterable, Iterator
from concurrent.futures import BrokenExecutor, Executor, Future, ProcessPoolExecutor
from contextlib import contextmanager
from importlib import import_module
from multiprocessing import get_context, parent_process
from threading import Thread
from time import monotonic_ns
from typing import Any

from verifier.errors import InputError, PkdpError
from verifier.search.shards import PIECE, Question, Result, Shard, ask
from verifier.version import VERSION

ALONE = 2_000_000_000
"""Nanoseconds of work before other processes are started; whoever answers, the answer is the same."""
PATIENCE = 10
"""Seconds in which a scheduler must answer."""
AHEAD = 4
"""Shards that wait for each process."""


def answers(question: Question, listed: Iterable[Shard], jobs: int, workers: str | None) -> Iterator[Result]:
    """The result of each shard, in the order of the shards, whoever answers them."""
    waiting = iter(listed)
    start = monotonic_ns()
    if workers is None:
        for shard in waiting:
            yield ask(question, shard)
            if jobs > 1 and monotonic_ns() - start > ALONE:
                break
        else:
            return
    with _executor(jobs, workers) as (executor, places):
        yield from _in_order(executor, question, waiting, AHEAD * places)


def _in_order(executor: Executor, question: Question, waiting: Iterator[Shard], ahead: int) -> Iterator[Result]:
    running: deque[Future[Result]] = deque()
    try:
        for shard in waiting:
            running.append(executor.submit(ask, question, shard))
            if len(running) >= ahead:
                yield running.popleft().result()
        while running:
            yield running.popleft().result()
    except BrokenExecutor as error:
        raise PkdpError(
            "a process of the search was ended from outside, perhaps for want of memory",
            where="--jobs",
            tip="go on from the checkpoint, with fewer processes",
        ) from error
    finally:
        for one in running:
            one.cancel()


@contextmanager
def _executor(jobs: int, workers: str | None) -> Iterator[tuple[Executor, int]]:
    """Processes of this machine, or a cluster, with the number of places at which work is done."""
    if workers is None:
        # spawned, not forked: the same on every system, and safe where threads run
        with ProcessPoolExecutor(jobs, mp_context=get_context("spawn"), initializer=_follow) as executor:
            yield executor, jobs
        return
    with _cluster(workers) as client:
        places = sum(client.nthreads().values())
        yield client.get_executor(pure=False), max(1, places)


@contextmanager
def _cluster(workers: str) -> Iterator[Any]:
    """A client of a running Dask cluster whose workers have the same version of this program."""
    where = "--workers"
    kind, _, address = workers.partition("://")
    host, _, port = address.rpartition(":")
    if kind != "dask" or not host or not port.isdigit():
        raise InputError(
            f"given {workers}", where=where, wanted="dask://host:port of a scheduler", tip="dask://127.0.0.1:8786"
        )
    try:
        distributed = import_module("distributed")
    except ImportError as error:
        raise InputError(
            "the package `distributed` is not installed", where=where, tip='pip install "pkdp-verifier[dask]"'
        ) from error
    try:
        client = distributed.Client(f"tcp://{address}", timeout=PATIENCE, set_as_default=False)
    except (OSError, TimeoutError) as error:
        raise InputError(
            f"no Dask scheduler answers at {address}", where=where, wanted="a running cluster", tip="dask scheduler"
        ) from error
    with client:
        if not client.nthreads():
            raise InputError(f"the cluster at {address} has no workers", where=where, tip=f"dask worker {address}")
        _same_version(client.run(_version), address, where)
        yield client


def _follow() -> None:
    """An interruption is for the process that asks, which ends the others; they end too where it is killed."""
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    parent = parent_process()

    def leave() -> None:
        if parent is not None:
            parent.join()
            os._exit(1)

    Thread(target=leave, daemon=True).start()


def _version() -> tuple[str, int]:
    """What must be the same on all workers, so that shards are."""
    return VERSION, PIECE


def _same_version(found: dict[str, Any], address: str, where: str) -> None:
    other = {name: version for name, version in found.items() if tuple(version) != _version()}
    if other:
        name, version = next(iter(other.items()))
        raise InputError(
            f"the worker {name} of {address} has version {version[0]}, this is {VERSION}",
            where=where,
            wanted="the same version everywhere",
        )
