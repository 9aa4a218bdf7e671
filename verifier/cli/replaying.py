"""`pkdp replay`: certificates re-checked by the independent replay, one by one."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from functools import partial
from pathlib import Path
from time import monotonic_ns
from typing import TYPE_CHECKING, Annotated, Any

import typer

from verifier.cli.common import AsJson, Several, as_text, echo
from verifier.cli.waiting import Tick, counting
from verifier.errors import InputError
from verifier.machine.cores import on_all_cores

if TYPE_CHECKING:
    from verifier.replay.files import Replayed

TIP = "pkdp check MODEL --definition np --certificate FILE writes one"
NO_CERTIFICATE = "evidence.json"
"""The ledger's own files beside certificates."""


@dataclass(frozen=True)
class Outcome:
    """One file: what was accepted, or why it was rejected; `unreadable` where there is no file, or no JSON."""

    path: Path
    accepted: Replayed | None
    reason: str = ""
    unreadable: bool = False
    milliseconds: int = 0

    def to_json(self) -> dict[str, Any]:
        """One entry of `pkdp replay --json`."""
        found = self.accepted
        return {
            "file": self.path.as_posix(),
            "accepted": found is not None,
            "reason": self.reason or None,
            "kind": found.kind if found else None,
            "about": found.title if found else None,
            "model": found.model if found else None,
            "tables": (found.uncompared or "compared with the model file")
            if found and found.kind != "search"
            else None,
            "left_out": (found.counted or None) if found else None,
            "milliseconds": self.milliseconds,
        }


def replay(
    paths: Annotated[
        list[str],
        typer.Argument(metavar="PATH…", help="certificate files (pkdp guide certificates), or folders with *.json"),
    ],
    as_json: AsJson = False,  # noqa: FBT002
) -> int:
    """Re-check certificates by the independent replay, which shares no code with the engine.

    Exit status: 0 all are accepted, 1 some are rejected, 2 for a path that is none, or no JSON.
    """
    several = Several(alone=len(paths) == 1, as_json=as_json)
    files, beside = _files(paths, several)
    folders = [path for path in map(Path, paths) if path.is_dir()]
    with counting("certificates", len(files)) as tick:
        outcomes = list(_outcomes(files, folders, tick))
    if as_json:
        typer.echo(as_text([one.to_json() for one in outcomes]))
    else:
        echo("\n".join(_lines(outcomes, beside)))
    several.statuses += [2 if one.unreadable else int(one.accepted is None) for one in outcomes]
    return several.status


def _files(paths: Sequence[str], several: Several) -> tuple[list[Path], int]:
    """Every certificate that is named, and how many of the ledger's own files stand beside them."""
    found: list[Path] = []
    beside = 0
    for given in paths:
        with several.file(given[:200]):
            every = list(_named(Path(given)))
            mine = [one for one in every if one.name != NO_CERTIFICATE or len(every) == 1]
            beside += len(every) - len(mine)
            if not mine:
                raise InputError("the folder has no certificates", where=given[:200], wanted="*.json in it")
            found += mine
    return list(dict.fromkeys(found)), beside


def _named(path: Path) -> Iterator[Path]:
    """The file itself, or the files of a folder."""
    if not path.exists():
        raise InputError("there is no such file or folder", where=str(path)[:200], wanted="a certificate", tip=TIP)
    yield from sorted(path.rglob("*.json")) if path.is_dir() else [path]


def _outcomes(files: Sequence[Path], folders: Sequence[Path], tick: Tick) -> Iterator[Outcome]:
    """What the replay says of each file, the largest first on all cores; `tick` counts in the order of their ends."""
    ended: list[None] = []

    def end() -> None:
        ended.append(None)
        tick(len(ended), len(files))

    return on_all_cores(partial(outcome_of, folders=folders), files, _bytes, end)


def _bytes(path: Path) -> int:
    try:
        return path.stat().st_size
    except OSError:
        return 0


def outcome_of(path: Path, folders: Sequence[Path] = ()) -> Outcome:
    """What the replay says of one file; its model may stand in the folders that the command names."""
    from verifier.model.library import models_folder
    from verifier.replay.files import Unreadable, replay_file
    from verifier.replay.numbers import Rejected

    started = monotonic_ns()
    try:
        accepted, reason, unreadable = replay_file(path, [models_folder().parent, *folders]), "", False
    except Rejected as error:
        accepted, reason, unreadable = None, str(error)[:400], isinstance(error, Unreadable)
    return Outcome(path, accepted, reason, unreadable, (monotonic_ns() - started) // 10**6)


def _lines(outcomes: Sequence[Outcome], beside: int) -> Iterator[str]:
    """One line a rejected file, then the summary."""
    from verifier.model.place import many

    accepted = [one.accepted for one in outcomes if one.accepted]
    for one in outcomes:
        if one.accepted is None:
            yield f"rejected {one.path}: {one.reason}"
    kinds = Counter(one.kind for one in accepted)
    listed = ", ".join(f"{number:,} {kind}" for kind, number in sorted(kinds.items()))
    spent = sum(one.milliseconds for one in outcomes)
    yield (
        f"{many(len(outcomes), 'certificate')}: {len(accepted):,} accepted"
        + (f" ({listed})" if listed else "")
        + (f", {len(outcomes) - len(accepted):,} rejected; {spent:,} ms")
    )
    for why, number in sorted(Counter(one.uncompared for one in accepted if one.uncompared).items()):
        yield f"tables not compared with the file, in {number:,}: {why}"
    for why, number in sorted(Counter(one.counted for one in accepted if one.counted).items()):
        yield f"{why}, in {number:,}"
    if beside:
        yield f"left alone, since it is no certificate: {NO_CERTIFICATE} of the ledger, {beside:,} times"
