"""`pkdp verify`: re-check answers and proofs, one by one, without the code that made them."""

from __future__ import annotations

from collections import Counter
from collections.abc import Collection, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import partial
from itertools import chain
from pathlib import Path
from time import monotonic_ns
from types import MappingProxyType
from typing import TYPE_CHECKING, Any

import typer

from verifier.checker.files import answers_of, words_on
from verifier.checker.numbers import Wrong, long_numbers
from verifier.checker.reading import Models
from verifier.cli.common import Several, as_text, echo
from verifier.cli.options import Verify
from verifier.cli.waiting import Tick, counting
from verifier.definitions.answer import Valued
from verifier.errors import InputError, printable
from verifier.machine.cores import on_all_cores
from verifier.model.library import models_folder
from verifier.numbers import plural, rational

if TYPE_CHECKING:
    from fractions import Fraction

WANTED = "what pkdp check MODEL --json printed, or a file that --certificate wrote"
TIP = "pkdp check MODEL --definition np --certificate FILE writes one"
MOST_SHOWN = 400
"""Most characters of a reason."""
NO_CERTIFICATE = "evidence.json"
"""The name of files of the ledger that stand beside certificates and are none."""


@dataclass(frozen=True)
class ReplayOutcome(Valued):
    """The outcome of one answer or proof: what was accepted, or the reason why it is not accepted.

    `unreadable` says that there is no such file, that it is neither, or that its model file is not there; then
    `wanted` and `tip` say what is right. `beyond` says that the re-check would take more than the limits allow, and
    `undecided` that none decides such a question, so that nothing is said of it.
    """

    path: Path
    accepted: str | None
    """What was accepted, in words."""
    kind: str = "answer"
    model: str | None = None
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
            "kind": None if accepted is None else self.kind,
            "about": accepted,
            "model": None if accepted is None else self.model,
            "milliseconds": self.milliseconds,
        }


def verify(typed: Verify) -> int:
    """Decide the answers of each file again, and print a line for each that is not accepted, and how many are."""
    several = Several(alone=len(typed.paths) == 1, as_json=typed.as_json)
    files, beside = _files(typed.paths, several)
    folders = [path for path in map(Path, typed.paths) if path.is_dir()]
    with counting("certificates", len(files)) as tick:
        outcomes = list(_outcomes(files, folders, typed.model, _values(typed.sets or ()), tick))
    _refuse_others(outcomes, several)
    outcomes = [outcome for outcome in outcomes if not outcome.unreadable]
    if typed.as_json:
        typer.echo(as_text([outcome.to_json() for outcome in outcomes]))
    else:
        named = {path for path in map(Path, typed.paths) if path not in folders}
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
    files: Sequence[Path], folders: Sequence[Path], model: Path | None, parameters: Mapping[str, Fraction], tick: Tick
) -> Iterator[ReplayOutcome]:
    """Yield the outcomes of each file; all cores work, the largest file first. `tick` counts the files done."""
    ended: list[None] = []

    def end() -> None:
        ended.append(None)
        tick(len(ended), len(files))

    work = partial(outcomes_of, folders=folders, model=model, parameters=parameters)
    return chain.from_iterable(on_all_cores(work, files, _bytes, end))


def _bytes(path: Path) -> int:
    try:
        return path.stat().st_size
    except OSError:
        return 0


def _values(sets: Sequence[str]) -> dict[str, Fraction]:
    """Return the values of parameters that `--set` gives."""
    pairs = [text.partition("=") for text in sets]
    for name, sign, _ in pairs:
        if not name.strip() or not sign:
            raise InputError(f"{name} is no NAME=VALUE", where="--set", wanted="NAME=VALUE", tip="--set p=1/7")
    return {name.strip(): rational(value.strip(), "--set") for name, _, value in pairs}


def outcomes_of(
    path: Path,
    folders: Sequence[Path] = (),
    model: Path | None = None,
    parameters: Mapping[str, Fraction] = MappingProxyType({}),
) -> list[ReplayOutcome]:
    """The outcome of each answer or proof of a file; models are also looked for in the named folders."""
    models = Models([] if model is None else [model], parameters, [models_folder().parent, *folders])
    with long_numbers():
        try:
            outcomes = list(_decided_again(path, answers_of(path), models))
        except Wrong as why:
            return [_unreadable(path, why, WANTED)]
    return outcomes or [_unreadable(path, Wrong("the file has no answers"), WANTED)]


def _decided_again(path: Path, answers: list[dict[str, Any]], models: Models) -> Iterator[ReplayOutcome]:
    """Yield the word of the checker on each answer or proof of a file."""
    for answer in answers:
        started = monotonic_ns()
        try:
            (word,) = words_on([answer], models, path.parent)
        except Wrong as why:
            yield _unreadable(path, why, "answers, and the model file that they are about")
            return
        named = answer.get("model") if "model_text" not in answer and answer.get("kind") != "search" else None
        outcome = ReplayOutcome(path, word.text, str(answer.get("kind", "answer")), named, milliseconds=_since(started))
        if word.word != "confirmed":
            undecided = word.word == "not checked" and not word.beyond
            outcome = replace(
                outcome, accepted=None, reason=word.why[:MOST_SHOWN], beyond=word.beyond, undecided=undecided
            )
        yield outcome


def _unreadable(path: Path, why: Wrong, wanted: str) -> ReplayOutcome:
    """The outcome of a file that cannot be read, from what the checker raised; else `wanted` is expected."""
    problem, tip = why.problem[:MOST_SHOWN], why.hint or (TIP if wanted == WANTED else "")
    return ReplayOutcome(path, None, reason=problem, unreadable=True, wanted=why.expected or wanted, tip=tip)


def _since(started: int) -> int:
    return (monotonic_ns() - started) // 10**6


def _lines(outcomes: Sequence[ReplayOutcome], named: Collection[Path], beside: int) -> Iterator[str]:
    """Yield a line for each answer that is not accepted, and for each of a file that is named; the summary."""
    kinds: Counter[str] = Counter()
    beyond, undecided = (sum(getattr(one, name) for one in outcomes) for name in ("beyond", "undecided"))
    for outcome in outcomes:
        if outcome.accepted is None:
            word = "beyond limits" if outcome.beyond else "not checked" if outcome.undecided else "rejected"
            yield f"{word} {outcome.path}: {outcome.reason}"
            continue
        kinds[outcome.kind] += 1
        if outcome.path in named:
            yield f"accepted {outcome.path}: {outcome.accepted}"
    listed = ", ".join(f"{number:,} {kind}" for kind, number in sorted(kinds.items()))
    spent = sum(outcome.milliseconds for outcome in outcomes)
    accepted = kinds.total()
    yield (
        f"{plural(len(outcomes), 'certificate')}: {accepted:,} accepted"
        + (f" ({listed})" if listed else "")
        + f", {len(outcomes) - accepted - beyond - undecided:,} rejected"
        + (f", {beyond:,} beyond limits" if beyond else "")
        + (f", {undecided:,} not checked" if undecided else "")
        + f"; {spent:,} ms"
    )
    if beside:
        yield f"left out, since it is not a certificate: {NO_CERTIFICATE} of the claims, {beside:,} times"
