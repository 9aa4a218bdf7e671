"""The smallest model of a scope that tells statements apart, by looking at all models up to renaming.

A long search has a checkpoint file, from which it goes on after an interruption.
"""

from __future__ import annotations

import json
from collections.abc import Callable, Iterator
from dataclasses import asdict, dataclass
from itertools import islice
from os import PathLike
from pathlib import Path
from time import monotonic_ns
from typing import Any

from verifier.errors import InputError, MachineError
from verifier.machine.files import refuse_file, text_of, write_whole
from verifier.wings.search.candidate import Candidate
from verifier.wings.search.layers import admit
from verifier.wings.search.orbits import Count, count
from verifier.wings.search.question import SearchQuestion
from verifier.wings.search.scope import MAX_MODELS
from verifier.wings.search.shards import ShardResult, ask, shards
from verifier.wings.search.shards import admit as admit_size

FORMAT = 1
EVERY = 2_000_000_000
"""Nanoseconds from one writing of the file to the next."""
NO_RESULT = ShardResult()


def texts(question: SearchQuestion) -> dict[str, Any]:
    """The fields by which a checkpoint recognizes its question, as JSON values."""
    return {
        "scope": asdict(question.scope),
        "satisfied": [str(statement) for statement in question.satisfied],
        "violated": None if question.violated is None else str(question.violated),
        "vacuous": question.vacuous,
        "exhaust": question.exhaust,
        "piece": question.piece,
        **({"policy": question.policy} if question.policy else {}),
    }


@dataclass(frozen=True)
class Done:
    """The number of shards that are done, and the sum of their results; `complete` if the search has ended."""

    shards: int = 0
    result: ShardResult = NO_RESULT
    complete: bool = False

    def plus(self, result: ShardResult) -> Done:
        """The state after the next shard, from its result."""
        return Done(self.shards + 1, self.result.plus(result), self.complete)


@dataclass
class Checkpoint:
    """The checkpoint file of a search; without a path nothing is kept."""

    path: Path | None
    question: SearchQuestion
    written: int = 0

    def load(self) -> Done:
        """The state that the file keeps; without a file that of a new search.

        Raises:
            InputError: for a file that is no checkpoint, or is the checkpoint of another question.

        """
        if self.path is None or not self.path.exists():
            return Done()
        where = str(self.path)
        try:
            content = json.loads(text_of(where, "a checkpoint"))
            kept, format_, done = content["question"], content["format"], content["done"]
            result = dict(done["result"])
            first = result.pop("first")
            restored = ShardResult(**result, first=None if first is None else _candidate(first))
            loaded = Done(done["shards"], restored, done["complete"])
        except InputError:
            raise
        except (ValueError, KeyError, TypeError, AttributeError, RecursionError) as error:
            raise InputError(
                f"this file is not a checkpoint of a search ({type(error).__name__})",
                where=where,
                wanted="a file that checkpoint= wrote, or a name that is free",
            ) from error
        now = texts(self.question)
        if format_ != FORMAT or kept != now:
            differ = [key for key in now if not isinstance(kept, dict) or kept.get(key) != now[key]]
            raise InputError(
                f"this checkpoint is of another question: {', '.join(differ) or 'format'} differ",
                where=where,
                wanted="the same scope and statements as before",
                tip="name another file, or delete this one to start again",
            )
        return loaded

    def save(self, done: Done, *, now: bool = False) -> None:
        """Write the state, at most every two seconds, or `now`; the old file stays until the new one is whole."""
        if self.path is None or not (now or monotonic_ns() - self.written > EVERY):
            return
        self.written = monotonic_ns()
        text = json.dumps(
            {"format": FORMAT, "question": texts(self.question), "done": asdict(done)}, ensure_ascii=False
        )
        write_whole(self.path, text)


def _candidate(fields: dict[str, Any]) -> Candidate:
    law, rows = tuple(fields.pop("law")), tuple(map(tuple, fields.pop("mechanism")))
    return Candidate(**fields, law=law, mechanism=rows)


NOTHING = Count(0, 0)


@dataclass(frozen=True)
class Hit:
    """The result of looking through a scope.

    `candidate` is the smallest wanted model, or None. `checked` counts the models that were covered, with all
    renamings: up to the candidate, or all where the whole scope was looked through (`complete`). `orbits` counts them
    up to renaming. `found` counts the wanted orbits: of the whole scope with `exhaust`, else the one that was found.
    `undecided` counts the orbits in which a statement could not be decided; if there are any, "none" is not known.
    `size` counts the models of the whole scope.
    """

    candidate: Candidate | None
    checked: int
    orbits: int
    complete: bool
    found: int = 0
    undecided: int = 0
    size: Count = NOTHING


@dataclass(frozen=True)
class Progress:
    """The progress of a search: models and orbits done, out of `size`; nanoseconds since the start; best model so far.

    `resumed` is the number of orbits that an earlier run had done.
    """

    models: int
    orbits: int
    size: Count
    nanoseconds: int
    resumed: int = 0
    best: Candidate | None = None

    @property
    def per_second(self) -> int:
        """Orbits that were decided per second, since the start or the resumption."""
        return (self.orbits - self.resumed) * 10**9 // max(1, self.nanoseconds)

    @property
    def percent(self) -> int:
        """The percentage of all orbits that are decided."""
        return 100 * self.orbits // max(1, self.size.orbits)


def find(
    question: SearchQuestion,
    *,
    jobs: int = 1,
    workers: str | None = None,
    checkpoint: str | PathLike[str] | None = None,
    progress: Callable[[Progress], None] | None = None,
    max_models: int = MAX_MODELS,
) -> Hit:
    """Look for the smallest model of the scope of a question that answers it.

    The answer is the same for every number of jobs and on every machine. With `jobs` above 1 further processes are
    spawned, so that a script needs the usual `if __name__ == "__main__":`; `workers="dask://host:port"` asks a Dask
    cluster instead. What is done is kept in the file `checkpoint`, and a later call goes on from it.

    >>> from verifier.questions.language import statement
    >>> from verifier.wings.search.scope import Scope
    >>> small = Scope(2, 2, 2, 1, weights=2, mechanism_weights=1)
    >>> hit = find(SearchQuestion((statement("np(0)"),), statement("cdp(0)"), small))
    >>> hit.checked, hit.orbits, hit.candidate.law, hit.candidate.mechanism
    (139, 28, (1, 0, 0, 1), ((1, 0), (1, 0), (0, 1), (1, 0)))
    >>> find(SearchQuestion((statement("dp(0)"),), statement("np(0)"), small))
    Hit(candidate=None, checked=159, orbits=34, complete=True, found=0, undecided=0, size=Count(models=159, orbits=34))

    Raises:
        InputError: for invalid jobs, workers or checkpoints, and without a statement.
        LimitError: for a scope that is too large; it is refused before any work.

    """
    if type(jobs) is not int or jobs < 1:
        raise InputError(f"{jobs!r} is not a number of processes", where="jobs", wanted="a positive integer")
    if not question.satisfied and question.violated is None:
        raise InputError("there is no statement", wanted="something to satisfy, or to violate")
    question.scope.admit(max_models)
    admit(question.scope)
    path = Path(checkpoint) if checkpoint is not None else None
    refuse_file(path, "checkpoint")
    kept = Checkpoint(path, question)
    done = kept.load()
    size = count(question.scope, question.symmetry)
    admit_size(size)
    if not done.complete:
        done = _look(question, kept, done, size, progress, jobs, workers)
    return _hit(question, done, size)


def _look(
    question: SearchQuestion,
    kept: Checkpoint,
    done: Done,
    size: Count,
    progress: Callable[[Progress], None] | None,
    jobs: int,
    workers: str | None,
) -> Done:
    """Ask shard after shard until the first hit or the end; the state is kept, however it ends."""
    start, resumed = monotonic_ns(), done.result.orbits
    results = _results(question, done.shards, jobs, workers)
    try:
        for result in results:
            done = done.plus(result)
            if progress is not None:
                so_far = done.result
                now = monotonic_ns() - start
                progress(Progress(so_far.models, so_far.orbits, size, now, resumed, so_far.first))
            if done.result.first is not None and not question.exhaust:
                break
            kept.save(done)
        done = Done(done.shards, done.result, complete=True)
    finally:
        if done.shards:
            kept.save(done, now=True)
        results.close()  # type: ignore[attr-defined]
    return done


def _results(question: SearchQuestion, done: int, jobs: int, workers: str | None) -> Iterator[ShardResult]:
    """The results of the shards that are not done; other processes are loaded only where they are asked for."""
    waiting = islice(shards(question), done, None)
    if jobs == 1 and workers is None:
        for shard in waiting:
            yield ask(question, shard)
        return
    from verifier.wings.search.workers import answers

    yield from answers(question, waiting, jobs, workers, ask)


def refuse_miscount(looked: Count, size: Count) -> None:
    """Refuse a count of the models and orbits of a whole scope that is not that of Burnside's lemma.

    Raises:
        MachineError: with both counts.

    """
    if looked != size:
        raise MachineError(
            f"{looked.orbits:,} orbits of {looked.models:,} models were looked at, Burnside's lemma has {size}",
            tip="this is an error of the program; please report the question",
        )


def _hit(question: SearchQuestion, done: Done, size: Count) -> Hit:
    """The answer, after the checkers have confirmed the model, and Burnside's lemma the counts."""
    result = done.result
    complete = question.exhaust or result.first is None
    if complete:
        refuse_miscount(Count(result.models, result.orbits), size)
    if result.first is not None and question.is_wanted(result.first) is not True:
        raise MachineError(
            f"the batch found {result.first}, the checkers deny it",
            tip="this is an error of the program; please report the question",
        )
    checked = (result.models, result.orbits) if complete else (result.models_until, result.orbits_until)
    return Hit(result.first, *checked, complete, result.found, result.undecided, size)
