"""The workers that look through the shards: this process, processes of this machine, or a Dask cluster."""

from __future__ import annotations

from collections import deque
from collections.abc import Callable, Iterable, Iterator
from concurrent.futures import CancelledError, Executor, Future
from contextlib import contextmanager
from functools import partial
from time import monotonic_ns
from typing import Any, TypeAlias, TypeVar

from verifier.errors import InputError, MachineError, NotInstalledError, PkdpError
from verifier.machine.cores import processes
from verifier.machine.extras import need
from verifier.version import VERSION
from verifier.wings.search.question import PIECE, SearchQuestion
from verifier.wings.search.shards import Shard

ALONE = 2_000_000_000
"""Nanoseconds of work in this process before other processes are started."""
PATIENCE = 10
"""Seconds within which a scheduler must answer, and a lost cluster must come back."""
TICK = 1
"""Seconds from one test of whether the cluster still answers to the next."""
GO_ON = "what is done is kept with checkpoint=, and always with workers=; ask again to go on"
Reply = TypeVar("Reply")
Ask: TypeAlias = Callable[[SearchQuestion, Shard], Reply]
"""The function that answers a question for one shard."""
Waited: TypeAlias = Callable[[Future[Any]], Any]
AHEAD = 4
"""Number of shards that are handed to each process in advance."""


def answers(
    question: SearchQuestion, listed: Iterable[Shard], jobs: int, workers: str | None, ask: Ask[Reply]
) -> Iterator[Reply]:
    """The result of each shard, in the order of the shards, whichever worker answers it.

    Raises:
        InputError: for workers that are no address, or at which no cluster of this version answers.
        MachineError: for a cluster that is lost.

    """
    waiting = iter(listed)
    start = monotonic_ns()
    if workers is None:
        for shard in waiting:
            yield ask(question, shard)
            if jobs > 1 and monotonic_ns() - start > ALONE:
                break
        else:
            return
    with _executor(jobs, workers) as (executor, places, result):
        yield from _in_order(executor, partial(ask, question), waiting, AHEAD * places, result)


def _in_order(
    executor: Executor, work: Callable[[Shard], Reply], waiting: Iterator[Shard], ahead: int, result: Waited
) -> Iterator[Reply]:
    running: deque[Future[Reply]] = deque()
    try:
        for shard in waiting:
            running.append(executor.submit(work, shard))
            if len(running) >= ahead:
                yield result(running.popleft())
        while running:
            yield result(running.popleft())
    finally:
        for future in running:
            future.cancel()


@contextmanager
def _executor(jobs: int, workers: str | None) -> Iterator[tuple[Executor, int, Waited]]:
    """An executor on this machine or a cluster, its number of processes, and the function that waits for a result."""
    if workers is None:
        with processes(jobs, GO_ON) as executor:
            yield executor, jobs, Future.result
        return
    with _cluster(workers) as client:
        places = sum(client.nthreads().values())
        yield client.get_executor(pure=False), max(1, places), partial(_of_cluster, client, workers)


@contextmanager
def _cluster(workers: str) -> Iterator[Any]:
    """A client of a running Dask cluster whose workers have the same version of this program."""
    where = "workers="
    kind, _, address = workers.partition("://")
    host, _, port = address.rpartition(":")
    if kind != "dask" or not host or not port.isdigit():
        raise InputError(
            f"{workers} is not an address",
            where=where,
            wanted="dask://host:port of a scheduler",
            tip="dask://127.0.0.1:8786",
        )
    try:
        distributed = need("distributed")
    except NotInstalledError as error:
        raise error.within(where) from None
    try:
        client = distributed.Client(f"tcp://{address}", timeout=PATIENCE, set_as_default=False)
    except (OSError, TimeoutError) as error:
        raise InputError(
            f"there is no Dask scheduler at {address}", where=where, wanted="a running cluster", tip="dask scheduler"
        ) from error
    try:
        if not client.nthreads():
            raise InputError(f"the cluster at {address} has no workers", where=where, tip=f"dask worker {address}")
        _same_version(client.run(_version), address, where)
        yield client
    finally:
        client.close(timeout=TICK)


def _of_cluster(client: Any, workers: str, future: Future[Reply]) -> Reply:
    """The result of a shard; a cluster that is gone, or has no worker left, is waited for only a while.

    Raises:
        MachineError: for a cluster that does not come back.

    """
    lost = 0
    while True:
        try:
            return future.result(timeout=TICK)
        except TimeoutError:
            lost = 0 if _works(client) else lost + 1
            if lost * TICK >= PATIENCE:
                raise _gone(workers, "no worker is left, or the scheduler does not answer") from None
        except PkdpError:
            raise
        except (Exception, CancelledError) as error:
            raise _gone(workers, f"{type(error).__name__}: {error}") from error


def _works(client: Any) -> bool:
    """Whether the scheduler answers and has workers, as the client has last heard."""
    return client.status == "running" and bool(client.scheduler_info()["workers"])


def _gone(workers: str, reason: str) -> MachineError:
    return MachineError(f"the cluster {workers} was lost ({reason})", where="workers=", tip=GO_ON)


def _version() -> tuple[str, int]:
    """The version and the size of shards, which must be the same on all workers."""
    return VERSION, PIECE


def _same_version(versions: dict[str, Any], address: str, where: str) -> None:
    differing = {name: version for name, version in versions.items() if tuple(version) != _version()}
    if differing:
        name, version = next(iter(differing.items()))
        raise InputError(
            f"the worker {name} of {address} has version {version[0]}, this is {VERSION}",
            where=where,
            wanted="the same version everywhere",
        )
