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
from typing import TYPE_CHECKING, Annotated

import typer

from verifier.cli.common import (
    AsJson,
    Certificate,
    Format,
    Reply,
    With,
    echo,
    file_to_write,
    write_certificate,
    write_file,
)
from verifier.cli.waiting import counting, notice
from verifier.errors import InputError, PkdpError
from verifier.machine.files import refuse_file
from verifier.version import VERSION

if TYPE_CHECKING:
    from verifier.model import Model
    from verifier.wings.search.api import Result
    from verifier.wings.search.enumerate_scope import Progress

Satisfies = Annotated[
    list[str] | None, typer.Option("--satisfies", metavar="S", help="a statement that holds in the model (again)")
]
Violates = Annotated[str | None, typer.Option("--violates", metavar="S", help="a statement that does not")]
Claim = Annotated[str | None, typer.Option("--claim", metavar="S", help="a statement that no model is to break")]
Records = Annotated[int, typer.Option("--records", help="at most so many records")]
Values = Annotated[int, typer.Option("--values", help="at most so many values of a record")]
Outputs = Annotated[int, typer.Option("--outputs", help="at most so many outputs")]
Knowledge = Annotated[int, typer.Option("--knowledge", help="at most so many values of B; 1: nothing is known")]
Weights = Annotated[int, typer.Option("--weights", help="probabilities of θ are multiples of 1 over this")]
MechanismWeights = Annotated[int, typer.Option("--mechanism-weights", help="those of the mechanism")]
FirstOnly = Annotated[bool, typer.Option("--first-only", help="record 0 alone is protected")]
Exhaust = Annotated[bool, typer.Option("--exhaust", help="look through the whole scope, and print its size first")]
Vacuous = Annotated[bool, typer.Option("--vacuous", help="show also what is separated only vacuously")]
Finder = Annotated[str, typer.Option("--find", help="enumerate, or finer: finer grids where this one has no model")]
Policy = Annotated[
    list[str] | None, typer.Option("--policy", metavar="LINE", help="a line of [policy] of every model (again)")
]
Jobs = Annotated[int | None, typer.Option("--jobs", min=1, help="processes; default: one a core for large scopes")]
Workers = Annotated[str | None, typer.Option("--workers", metavar="dask://HOST:PORT", help="a Dask cluster")]
Checkpoint = Annotated[
    Path | None,
    file_to_write("--checkpoint", "a file to resume from after an interruption; --workers always has one"),
]
Output = Annotated[Path | None, file_to_write("--output", "write the model file here", replaces="nothing")]
MaxModels = Annotated[int, typer.Option("--max-models", min=1, help="refuse larger scopes")]


def load_own(files: list[str], *, alone: bool) -> None:
    """Read definitions of one's own; other processes would not know them, nor a checkpoint which file they are from."""
    from verifier.definitions import load

    if not alone:
        wanted = "no --workers, no --checkpoint, and one job"
        raise InputError("definitions of one's own are for one process", where="--with", wanted=wanted)
    for file in files:
        load(file)


def search(
    satisfies: Satisfies = None,
    violates: Violates = None,
    claim: Claim = None,
    records: Records = 2,
    values: Values = 2,
    outputs: Outputs = 2,
    knowledge: Knowledge = 1,
    weights: Weights = 4,
    mechanism_weights: MechanismWeights = 2,
    first_only: FirstOnly = False,  # noqa: FBT002
    exhaust: Exhaust = False,  # noqa: FBT002
    vacuous: Vacuous = False,  # noqa: FBT002
    find: Finder = "enumerate",
    policy: Policy = None,
    own: With = None,
    jobs: Jobs = None,
    workers: Workers = None,
    checkpoint: Checkpoint = None,
    output: Output = None,
    certificate: Certificate = None,
    max_models: MaxModels = 10**10,
    as_json: AsJson = False,  # noqa: FBT002
    kind: Format = "table",
) -> Reply:
    """Find the smallest model that satisfies some statements and violates another, or that breaks a claim.

    A statement is made of definitions such as `np(ln(2), 1/10)` or `cdp(2*e)`, where other names are variables that
    stand for every value, properties such as `acceptable`, and `not and or iff =>` (pkdp examples --guide search).
    Exit status: 0 yes, 1 no, 3 open. Without --claim: is there such a model? With --claim: does it hold in the whole
    scope?
    """
    from verifier.wings.search.api import read_question
    from verifier.wings.search.api import search as run
    from verifier.wings.search.orbits import count
    from verifier.wings.search.scope import Scope

    if own:
        load_own(own, alone=workers is None and checkpoint is None and (jobs or 1) == 1)
        jobs = 1
    scope = Scope(records, values, outputs, knowledge, weights, mechanism_weights, first_only)
    question = read_question(satisfies or (), violates, claim, scope, "\n".join(policy or ()))
    scope.admit(max_models)
    forgotten = None
    if workers is not None:
        silence()
    if workers is not None and checkpoint is None:
        checkpoint = forgotten = kept(
            (satisfies, violates, claim, str(scope), vacuous, exhaust, VERSION, *(policy or ()))
        )
    if exhaust and not as_json and kind == "table":
        total = count(scope, question.symmetry)
        echo(f"scope: {scope}; {total.models:,} models, {total.orbits:,} up to renaming")
    with watched() as progress:
        result = run(
            satisfies=satisfies or (),
            violates=violates,
            claim=claim,
            scope=scope,
            vacuous=vacuous,
            exhaust=exhaust,
            find=find,
            jobs=jobs or cpu_count() or 1,
            workers=workers,
            checkpoint=checkpoint,
            progress=progress,
            max_models=max_models,
            policy=question.policy,
        )
    if forgotten is not None:
        forgotten.unlink(missing_ok=True)
    if output is not None and result.text is not None:
        write_file(output, result.text, "the model")
    if certificate is not None:
        from verifier.recheck.documents import document_text

        if result.separation is None and (result.hit.undecided or not result.hit.complete):
            raise InputError("there is none: not every model of the scope was decided", where="--certificate")
        write_certificate(certificate, lambda: document_text(result.to_json()))
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
    from verifier.definitions.atlas import atlas
    from verifier.definitions.registry import DEFINITIONS, ON_REQUEST

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
    from verifier.wings.search.sheets import search_sheet, seconds, stated_tex

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
