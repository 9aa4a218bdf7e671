"""`pkdp search`: the smallest model that separates two statements, or the scope in which there is none."""

from __future__ import annotations

import logging
import os
import re
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from hashlib import sha256
from os import cpu_count
from pathlib import Path
from typing import TYPE_CHECKING

from verifier.cli.common import (
    Reply,
    echo,
    write_certificate,
    write_file,
)
from verifier.cli.waiting import counting, notice
from verifier.definitions import load
from verifier.definitions.atlas import atlas
from verifier.definitions.registry import DEFINITIONS, ON_REQUEST
from verifier.errors import InputError, PkdpError
from verifier.machine.files import refuse_file
from verifier.recheck.documents import document_text
from verifier.show.worlds import worlds
from verifier.version import VERSION
from verifier.wings.search.api import read_question
from verifier.wings.search.api import search as run
from verifier.wings.search.options import Search
from verifier.wings.search.orbits import count
from verifier.wings.search.scope import Scope
from verifier.wings.search.sheets import search_sheet, seconds, stated_tex

if TYPE_CHECKING:
    from verifier.model import Model
    from verifier.wings.search.api import Result
    from verifier.wings.search.enumerate_scope import Progress


def load_own(files: list[str], *, alone: bool) -> None:
    """Read definitions of one's own; other processes would not know them, nor a checkpoint which file they are from."""
    if not alone:
        wanted = "no --workers, no --checkpoint, and one job"
        raise InputError("definitions of one's own are for one process", where="--with", wanted=wanted)
    for file in files:
        load(file)


def search(typed: Search) -> Reply:
    """Answer what was typed."""
    jobs = typed.jobs
    checkpoint = typed.checkpoint

    if typed.own:
        load_own(typed.own, alone=typed.workers is None and checkpoint is None and (jobs or 1) == 1)
        jobs = 1
    scope = Scope(
        typed.records,
        typed.values,
        typed.outputs,
        typed.knowledge,
        typed.weights,
        typed.mechanism_weights,
        typed.first_only,
    )
    question = read_question(typed.satisfies or (), typed.violates, typed.claim, scope, "\n".join(typed.policy or ()))
    scope.admit(typed.max_models)
    forgotten = None
    if typed.workers is not None:
        silence()
    if typed.workers is not None and checkpoint is None:
        checkpoint = forgotten = kept(
            (
                typed.satisfies,
                typed.violates,
                typed.claim,
                str(scope),
                typed.vacuous,
                typed.exhaust,
                VERSION,
                *(typed.policy or ()),
            )
        )
    if typed.exhaust and not typed.as_json and typed.kind == "table":
        total = count(scope, question.symmetry)
        echo(f"scope: {scope}; {total.models:,} models, {total.orbits:,} up to renaming")
    with watched() as progress:
        result = run(
            satisfies=typed.satisfies or (),
            violates=typed.violates,
            claim=typed.claim,
            scope=scope,
            vacuous=typed.vacuous,
            exhaust=typed.exhaust,
            find=typed.find,
            jobs=jobs or cpu_count() or 1,
            workers=typed.workers,
            checkpoint=checkpoint,
            progress=progress,
            max_models=typed.max_models,
            policy=question.policy,
        )
    if forgotten is not None:
        forgotten.unlink(missing_ok=True)
    if typed.output is not None and result.text is not None:
        write_file(typed.output, result.text, "the model")
    if typed.picture is not None and result.model is not None:
        worlds(result.model).save(typed.picture)
        notice(f"the picture is in {typed.picture}")
    if typed.certificate is not None:
        if result.separation is None and (result.hit.undecided or not result.hit.complete):
            raise InputError("there is none: not every model of the scope was decided", where="--certificate")
        write_certificate(typed.certificate, lambda: document_text(result.to_json()))
    return reply(result)


def kept(asked: tuple[object, ...]) -> Path | None:
    """The checkpoint file of a search on a cluster, in the user's cache folder; None where it cannot be written.

    `asked` identifies the question, so that the same search goes on from the same file.
    """
    home = os.environ.get("XDG_CACHE_HOME")
    folder = (Path(home) if home else Path.home() / ".cache") / "pkdp"
    path = folder / f"search-{sha256(repr(asked).encode()).hexdigest()[:16]}.json"
    try:
        folder.mkdir(parents=True, exist_ok=True)
        refuse_file(path, "--checkpoint")
    except (OSError, PkdpError) as error:
        notice(f"what is done is not kept ({error}); --checkpoint names another file")
        return None
    if path.exists():
        notice(f"going on from {path}, which an earlier search has kept")
    return path


def silence() -> None:
    """Keep the logs of Dask's client from the terminal; a lost cluster is reported once, by our own error."""
    for name in ("distributed", "distributed.client", "tornado.application", "asyncio", "concurrent.futures"):
        logging.getLogger(name).disabled = True


@contextmanager
def watched() -> Iterator[Callable[[Progress], None]]:
    """A context with a function that shows progress: the share of models, how many a second, and the best so far."""
    with counting("models up to renaming") as tick:

        def tell(now: Progress) -> None:
            best = f"best so far: {now.best.size[:5]}" if now.best else "none so far"
            tick(now.orbits, now.size.orbits, f"{now.percent} %, {now.per_second:,} a second, {best}")

        yield tell


def asked_again(model: Model) -> str:
    """Return the options of `pkdp check` for what fails in a found model, else for what its file promises."""
    for promised in model.expectations:
        if promised.answer.get("verdict") == "fails" and promised.definition in {**DEFINITIONS, **ON_REQUEST, **atlas}:
            options = {"definition": promised.definition, **promised.question}
            return " ".join(f"--{name} {_quoted(str(value))}" for name, value in options.items())
    return "--expect"


def _quoted(value: str) -> str:
    """Return an option's value as every shell reads it."""
    return value if re.fullmatch(r"[\w./-]+", value) else f'"{value}"'


def what_next(result: Result) -> str:
    """Return the next step: where there is a model, how to see why; where there is none, how to look further."""
    if result.model is not None:
        return f"to see why, add --output mine.toml, then pkdp check mine.toml {asked_again(result.model)}"
    scope = result.scope
    known = f"--knowledge {scope.knowledge + 1}{' (here the attacker knows nothing)' if scope.knowledge == 1 else ''}"
    wider = f"{known}, --records {scope.records + 1} or --values {scope.values + 1}"
    return f"this says nothing about larger models: look further with {wider}"


def reply(result: Result) -> Reply:
    """Return the reply: the model file as it is, an example in LaTeX, or a table of what was asked and found."""

    def lines() -> Iterator[str]:
        yield f"{result} ({seconds(result)} s)"
        if result.text is not None:
            yield "\n" + result.text.rstrip("\n")
        notice(what_next(result))

    return Reply(
        lambda: {**result.to_json(), "seconds": result.milliseconds / 1000},
        lambda: [search_sheet(result)],
        result.exit_status,
        {"table": lines, "latex": lambda: [stated_tex(result)]},
    )
