"""`pkdp verify`: re-check certificates, proofs and answers, one by one, without the code that made them."""

from __future__ import annotations

import sys
from collections import Counter
from collections.abc import Collection, Iterator, Sequence
from dataclasses import dataclass, replace
from functools import partial
from itertools import chain
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

WANTED = "a certificate, or what pkdp check MODEL --json printed"
TIP = "pkdp check MODEL --definition np --certificate FILE writes one"
MODEL_TIP = "replay a folder that the model file stands in, as in pkdp verify FOLDER"
OLDER = {"worst": "pkdp worst"}
"""The command of a kind of certificates of an older version; of the others it is `pkdp convert`."""
BEYOND = "beyond limits: "
NO_CERTIFICATE = "evidence.json"
"""The name of files of the ledger that stand beside certificates and are none."""


@dataclass(frozen=True)
class ReplayOutcome(Valued):
    """The outcome of one certificate, proof or answer: what was accepted, or the reason why it is not accepted.

    `unreadable` says that there is no such file, that it is none of these, or that its model file is not there; then
    `wanted` and `tip` say what is right. `beyond` says that the re-check would take more than the limits allow, and
    `undecided` that none decides such a question, so that nothing is said of it.
    """

    path: Path
    accepted: Replayed | None
    reason: str = ""
    unreadable: bool = False
    wanted: str = WANTED
    tip: str = TIP
    beyond: bool = False
    undecided: bool = False
    milliseconds: int = 0

    def fields(self) -> dict[str, Any]:
        """Return one entry of `pkdp verify --json`."""
        accepted = self.accepted
        return {
            "file": self.path.as_posix(),
            "accepted": accepted is not None,
            "reason": self.reason or None,
            "beyond_limits": self.beyond,
            "not_checked": self.beyond or self.undecided,
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
            metavar="PATH…",
            help="certificates (pkdp examples --guide certificates), what check --json printed, or folders of them",
        ),
    ],
    model: Annotated[
        Path | None, typer.Option(metavar="FILE", help="the model of answers, in place of the file that they name")
    ] = None,
    as_json: AsJson = False,  # noqa: FBT002
) -> int:
    """Re-check certificates, and answers of check --json, by code that shares nothing with the engine.

    Exit status: 0 all are accepted, 1 some are rejected, 2 a path is missing, a file is neither, or its model file is
    not found, 3 one is beyond the limits.
    """
    several = Several(alone=len(paths) == 1, as_json=as_json)
    files, beside = _files(paths, several)
    folders = [path for path in map(Path, paths) if path.is_dir()]
    with counting("certificates", len(files)) as tick:
        outcomes = list(_outcomes(files, folders, model, tick))
    _refuse_others(outcomes, several)
    outcomes = [outcome for outcome in outcomes if not outcome.unreadable]
    if as_json:
        typer.echo(as_text([outcome.to_json() for outcome in outcomes]))
    else:
        named = {path for path in map(Path, paths) if path not in folders}
        echo("\n".join(map(printable, _lines(outcomes, named, beside))))
    several.statuses += [
        3 if outcome.beyond or outcome.undecided else int(outcome.accepted is None) for outcome in outcomes
    ]
    return several.status


def _refuse_others(outcomes: Sequence[ReplayOutcome], several: Several) -> None:
    """Say of each file that cannot be read that it is the wrong one; the only file of a command raises its error."""
    several.alone = several.alone and len(outcomes) == 1
    for outcome in (outcome for outcome in outcomes if outcome.unreadable):
        with several.file(str(outcome.path)):
            raise InputError(outcome.reason, wanted=outcome.wanted, tip=outcome.tip)


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


def _outcomes(
    files: Sequence[Path], folders: Sequence[Path], model: Path | None, tick: Tick
) -> Iterator[ReplayOutcome]:
    """Yield the outcomes of each file; all cores work, the largest file first. `tick` counts the files done."""
    ended: list[None] = []

    def end() -> None:
        ended.append(None)
        tick(len(ended), len(files))

    return chain.from_iterable(on_all_cores(partial(outcomes_of, folders=folders, model=model), files, _bytes, end))


def _bytes(path: Path) -> int:
    try:
        return path.stat().st_size
    except OSError:
        return 0


def outcomes_of(path: Path, folders: Sequence[Path] = (), model: Path | None = None) -> list[ReplayOutcome]:
    """The outcome of a certificate, or of each answer of a file; models are also looked for in the named folders."""
    from verifier.kernel.files import answers_of
    from verifier.kernel.numbers import Wrong
    from verifier.model.library import models_folder

    places = [models_folder().parent, *folders]
    outcome = _replayed(path, places)
    if model is not None and not outcome.unreadable:
        reason = "this is a certificate, which names its model itself"
        return [replace(outcome, accepted=None, unreadable=True, reason=reason, wanted="no --model", tip="")]
    if not outcome.unreadable or outcome.wanted != WANTED:
        return [outcome]
    try:
        answers = answers_of(path)
    except Wrong:
        return [outcome]
    return list(_decided_again(path, answers, places, model)) or [outcome]


def _replayed(path: Path, places: Sequence[Path]) -> ReplayOutcome:
    """Replay a certificate by the independent checker."""
    from verifier.checker import Beyond, Rejected
    from verifier.checker.files import NoModel, Older, Unreadable, replay_file

    started = monotonic_ns()
    accepted, reason, error = None, "", None
    try:
        accepted = replay_file(path, places)
    except Older as why:
        tip = f"{OLDER.get(why.kind, 'pkdp convert')} … --certificate FILE writes it again"
        reason = "this is a certificate of an older version"
        return ReplayOutcome(path, None, reason, unreadable=True, wanted="one of this version", tip=tip)
    except NoModel as why:
        wanted = "a certificate whose model file is found"
        return ReplayOutcome(path, None, str(why)[:400], unreadable=True, wanted=wanted, tip=MODEL_TIP)
    except Rejected as why:
        reason, error = str(why)[:400], why
    unreadable, beyond = isinstance(error, Unreadable), isinstance(error, Beyond)
    return ReplayOutcome(path, accepted, reason, unreadable, beyond=beyond, milliseconds=_since(started))


def _decided_again(
    path: Path, answers: list[dict[str, Any]], places: Sequence[Path], model: Path | None
) -> Iterator[ReplayOutcome]:
    """Yield the word of the kernel on each answer or proof of a file."""
    from verifier.checker.files import Replayed
    from verifier.kernel.answers import Models
    from verifier.kernel.files import words_on
    from verifier.kernel.numbers import Wrong

    sys.set_int_max_str_digits(0)  # the kernel has its own limit; each process of several has Python's again
    models = Models([] if model is None else [model], {}, places)
    for answer in answers:
        started = monotonic_ns()
        try:
            (word,) = words_on([answer], models, path.parent)
        except Wrong as why:
            problem, _, rest = str(why)[:400].partition(" Expected ")
            wanted, _, tip = (rest or problem).partition(" Hint: ")
            problem = problem.partition(" Hint: ")[0].removesuffix(".")
            wanted = wanted.removesuffix(".") if rest else "answers, and the model file that they are about"
            yield ReplayOutcome(path, None, problem, unreadable=True, wanted=wanted, tip=tip.removesuffix("."))
            return
        accepted = None
        if word.word == "confirmed":
            named = answer.get("model") if "model_text" not in answer else None
            alone = named is None and model is None and answer.get("kind") != "search"
            uncompared = "the certificate names no model file" if alone else ""
            accepted = Replayed(str(answer.get("kind", "answer")), word.why, named, uncompared, "")
        reason, left = "" if accepted else word.why[:400], word.word == "not checked"
        beyond = left and reason.startswith(BEYOND)
        yield ReplayOutcome(
            path,
            accepted,
            reason.removeprefix(BEYOND),
            beyond=beyond,
            undecided=left and not beyond,
            milliseconds=_since(started),
        )


def _since(started: int) -> int:
    return (monotonic_ns() - started) // 10**6


def _lines(outcomes: Sequence[ReplayOutcome], named: Collection[Path], beside: int) -> Iterator[str]:
    """Yield a line for each file that is not accepted, and for each that is named or has its own laws; the summary."""
    from verifier.checker.model.file_agreement import OWN_LAWS
    from verifier.numbers import plural

    accepted = [outcome.accepted for outcome in outcomes if outcome.accepted]
    beyond, undecided = (sum(getattr(one, name) for one in outcomes) for name in ("beyond", "undecided"))
    for outcome in outcomes:
        if outcome.accepted is None:
            word = "beyond limits" if outcome.beyond else "not checked" if outcome.undecided else "rejected"
            yield f"{word} {outcome.path}: {outcome.reason}"
        elif outcome.path in named or outcome.accepted.uncompared == OWN_LAWS:
            yield f"accepted {outcome.path}: {outcome.accepted.title}"
    kinds = Counter(replayed.kind for replayed in accepted)
    listed = ", ".join(f"{number:,} {kind}" for kind, number in sorted(kinds.items()))
    spent = sum(outcome.milliseconds for outcome in outcomes)
    yield (
        f"{plural(len(outcomes), 'certificate')}: {len(accepted):,} accepted"
        + (f" ({listed})" if listed else "")
        + f", {len(outcomes) - len(accepted) - beyond - undecided:,} rejected"
        + (f", {beyond:,} beyond limits" if beyond else "")
        + (f", {undecided:,} not checked" if undecided else "")
        + f"; {spent:,} ms"
    )
    for why, number in sorted(Counter(replayed.uncompared for replayed in accepted if replayed.uncompared).items()):
        yield f"tables not compared with the file, in {number:,}: {why}"
    for why, number in sorted(Counter(replayed.counted for replayed in accepted if replayed.counted).items()):
        yield f"{why}, in {number:,}"
    if beside:
        yield f"left out, since it is not a certificate: {NO_CERTIFICATE} of the claims, {beside:,} times"
