"""The checkpoint file of a long search, from which it goes on after an interruption."""

from __future__ import annotations

import json
from dataclasses import asdict, dataclass
from pathlib import Path
from time import monotonic_ns
from typing import Any

from verifier.errors import InputError
from verifier.machine.files import text_of, write_whole
from verifier.wings.search.candidate import Candidate
from verifier.wings.search.question import SearchQuestion
from verifier.wings.search.shards import ShardResult

FORMAT = 1
EVERY = 2_000_000_000
"""Nanoseconds from one writing of the file to the next."""
NOTHING = ShardResult()


def texts(question: SearchQuestion) -> dict[str, Any]:
    """The fields by which a checkpoint recognises its question, as JSON values."""
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
    result: ShardResult = NOTHING
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
                f"this file is no checkpoint of a search ({type(error).__name__})",
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
