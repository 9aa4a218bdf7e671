"""`pkdp verify`: re-check certificates by the independent checker, one by one."""

from __future__ import annotations

from collections import Counter
from collections.abc import Collection, Iterator, Sequence
from dataclasses import dataclass
from functools import partial
from pathlib import Path
from time import monotonic_ns
from typing import TYPE_CHECKING, Annotated, Any

import typer

from verifier.cli.common import AsJson, Several, as_text, echo
from verifier.cli.waiting import Tick, counting
from verifier.definitions.answer import Valued
from verifier.errors import InputError, printable
from verifier.machine.cores import on_all_cores

if TYPE_CHECKING:
    from verifier.checker.files import Replayed

TIP = "pkdp check MODEL --definition np --certificate FILE writes one"
MODEL_TIP = "replay a folder that the model file stands in, as in pkdp verify FOLDER"
NO_CERTIFICATE = "evidence.json"
"""The name of files of the ledger that stand beside certificates and are none."""


@dataclass(frozen=True)
class ReplayOutcome(Valued):
    """The outcome of one file: the accepted certificate, or the reason why it is not accepted.

    `unreadable` says that there is no such file, or that it is no certificate, or, with `no_model`, that the model file
    that it names is not there; `beyond`, that the re-check of this certificate would take more than the checker's
    limits allow, so that nothing is said of it.
    """

    path: Path
    accepted: Replayed | None
    reason: str = ""
    unreadable: bool = False
    no_model: bool = False
    beyond: bool = False
    milliseconds: int = 0

    def fields(self) -> dict[str, Any]:
        """Return one entry of `pkdp verify --json`."""
        accepted = self.accepted
        return {
            "file": self.path.as_posix(),
            "accepted": accepted is not None,
            "reason": self.reason or None,
            "beyond_limits": self.beyond,
            "kind": accepted.kind if accepted else None,
            "about": accepted.title if accepted else None,
            "model": accepted.model if accepted else None,
            "tables": (accepted.uncompared or "compared with the model file")
            if accepted and accepted.kind != "search"
            else None,
            "left_out": (accepted.counted or None) if accepted else None,
            "milliseconds": self.milliseconds,
        }


def verify(
    paths: Annotated[
        list[str],
        typer.Argument(
            metavar="PATH…", help="certificate files (pkdp examples --guide certificates), or folders with *.json"
        ),
    ],
    as_json: AsJson = False,  # noqa: FBT002
) -> int:
    """Re-check certificates by the independent checker, which shares no code with the engine.

    Exit status: 0 all are accepted, 1 some are rejected, 2 a path is missing, a file is no certificate, or its
    model file is not found, 3 one is beyond the limits.
    """
    several = Several(alone=len(paths) == 1, as_json=as_json)
    files, beside = _files(paths, several)
    folders = [path for path in map(Path, paths) if path.is_dir()]
    with counting("certificates", len(files)) as tick:
        outcomes = list(_outcomes(files, folders, tick))
    _refuse_others(outcomes, several)
    outcomes = [outcome for outcome in outcomes if not outcome.unreadable]
    if as_json:
        typer.echo(as_text([outcome.to_json() for outcome in outcomes]))
    else:
        named = {path for path in map(Path, paths) if path not in folders}
        echo("\n".join(map(printable, _lines(outcomes, named, beside))))
    several.statuses += [3 if outcome.beyond else int(outcome.accepted is None) for outcome in outcomes]
    return several.status


def _refuse_others(outcomes: Sequence[ReplayOutcome], several: Several) -> None:
    """Say of each file that is no certificate that it is the wrong one; the only file of a command raises its error."""
    several.alone = several.alone and len(outcomes) == 1
    for outcome in (outcome for outcome in outcomes if outcome.unreadable):
        with several.file(str(outcome.path)):
            if outcome.no_model:
                raise InputError(outcome.reason, wanted="a certificate whose model file is found", tip=MODEL_TIP)
            raise InputError(outcome.reason, wanted="a certificate", tip=TIP)


def _files(paths: Sequence[str], several: Several) -> tuple[list[Path], int]:
    """Return the certificates that the paths name, and the number of the ledger's own files among them, left out."""
    certificates: list[Path] = []
    beside = 0
    for argument in paths:
        with several.file(argument[:200]):
            files = list(_files_of(Path(argument)))
            own = [file for file in files if file.name != NO_CERTIFICATE or len(files) == 1]
            beside += len(files) - len(own)
            if not own:
                raise InputError("the folder has no certificates", where=argument[:200], wanted="*.json in it")
            certificates += own
    return list(dict.fromkeys(certificates)), beside


def _files_of(path: Path) -> Iterator[Path]:
    """Yield the file itself, or the JSON files of a folder."""
    if not path.exists():
        raise InputError("there is no such file or folder", where=str(path)[:200], wanted="a certificate", tip=TIP)
    yield from sorted(path.rglob("*.json")) if path.is_dir() else [path]


def _outcomes(files: Sequence[Path], folders: Sequence[Path], tick: Tick) -> Iterator[ReplayOutcome]:
    """Yield the outcome of each file; all cores work, the largest file first. `tick` counts the files that are done."""
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


def outcome_of(path: Path, folders: Sequence[Path] = ()) -> ReplayOutcome:
    """Replay one file, and return the outcome; its model is also looked for in the folders that the command names."""
    from verifier.checker import Beyond, Rejected
    from verifier.checker.files import NoModel, Unreadable, replay_file
    from verifier.model.library import models_folder

    started = monotonic_ns()
    accepted, reason, error = None, "", None
    try:
        accepted = replay_file(path, [models_folder().parent, *folders])
    except Rejected as why:
        reason, error = str(why)[:400], why
    spent = (monotonic_ns() - started) // 10**6
    unreadable, no_model, beyond = (isinstance(error, kind) for kind in (Unreadable, NoModel, Beyond))
    return ReplayOutcome(path, accepted, reason, unreadable, no_model, beyond, spent)


def _lines(outcomes: Sequence[ReplayOutcome], named: Collection[Path], beside: int) -> Iterator[str]:
    """Yield a line for each file that is not accepted, and for each that is named or has its own laws; the summary."""
    from verifier.checker.model.file_agreement import OWN_LAWS
    from verifier.numbers import plural

    accepted = [outcome.accepted for outcome in outcomes if outcome.accepted]
    beyond = sum(outcome.beyond for outcome in outcomes)
    for outcome in outcomes:
        if outcome.accepted is None:
            yield f"{'beyond limits' if outcome.beyond else 'rejected'} {outcome.path}: {outcome.reason}"
        elif outcome.path in named or outcome.accepted.uncompared == OWN_LAWS:
            yield f"accepted {outcome.path}: {outcome.accepted.title}"
    kinds = Counter(replayed.kind for replayed in accepted)
    listed = ", ".join(f"{number:,} {kind}" for kind, number in sorted(kinds.items()))
    spent = sum(outcome.milliseconds for outcome in outcomes)
    yield (
        f"{plural(len(outcomes), 'certificate')}: {len(accepted):,} accepted"
        + (f" ({listed})" if listed else "")
        + f", {len(outcomes) - len(accepted) - beyond:,} rejected"
        + (f", {beyond:,} beyond limits" if beyond else "")
        + f"; {spent:,} ms"
    )
    for why, number in sorted(Counter(replayed.uncompared for replayed in accepted if replayed.uncompared).items()):
        yield f"tables not compared with the file, in {number:,}: {why}"
    for why, number in sorted(Counter(replayed.counted for replayed in accepted if replayed.counted).items()):
        yield f"{why}, in {number:,}"
    if beside:
        yield f"left out, since it is not a certificate: {NO_CERTIFICATE} of the claims, {beside:,} times"
