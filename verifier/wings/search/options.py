"""What `pkdp search` and `pkdp worst` can be asked: their options and their help."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path
from typing import Annotated

import typer

from verifier.cli.common import AsJson, Certificate, Digits, Format, Replied, With, file_to_write, models_that_begin
from verifier.numbers import DIGITS


@dataclass(frozen=True)
class Search(Replied):
    """Find the smallest model that satisfies some statements and violates another, or that breaks a claim.

    A statement is made of definitions such as `np(ln(2), 1/10)` or `cdp(2*e)`, where other names are variables that
    stand for every value, properties such as `acceptable`, and `not and or iff =>` (pkdp examples --guide search).
    Exit status: 0 yes, 1 no, 3 open. Without --claim: is there such a model? With --claim: does it hold in the whole
    scope?
    """

    satisfies: Annotated[
        list[str] | None, typer.Option("--satisfies", metavar="S", help="a statement that holds in the model (again)")
    ] = None
    violates: Annotated[str | None, typer.Option("--violates", metavar="S", help="a statement that does not")] = None
    claim: Annotated[str | None, typer.Option("--claim", metavar="S", help="a statement that no model is to break")] = (
        None
    )
    records: Annotated[int, typer.Option("--records", help="at most so many records")] = 2
    values: Annotated[int, typer.Option("--values", help="at most so many values of a record")] = 2
    outputs: Annotated[int, typer.Option("--outputs", help="at most so many outputs")] = 2
    knowledge: Annotated[int, typer.Option("--knowledge", help="at most so many values of B; 1: nothing is known")] = 1
    weights: Annotated[int, typer.Option("--weights", help="probabilities of θ are multiples of 1 over this")] = 4
    mechanism_weights: Annotated[int, typer.Option("--mechanism-weights", help="those of the mechanism")] = 2
    first_only: Annotated[bool, typer.Option("--first-only", help="record 0 alone is protected")] = False
    exhaust: Annotated[
        bool, typer.Option("--exhaust", help="look through the whole scope, and print its size first")
    ] = False
    vacuous: Annotated[bool, typer.Option("--vacuous", help="show also what is separated only vacuously")] = False
    find: Annotated[
        str, typer.Option("--find", help="enumerate, or finer: finer grids where this one has no model")
    ] = "enumerate"
    policy: Annotated[
        list[str] | None, typer.Option("--policy", metavar="LINE", help="a line of [policy] of every model (again)")
    ] = None
    own: With = None
    jobs: Annotated[
        int | None, typer.Option("--jobs", min=1, help="processes; default: one a core for large scopes")
    ] = None
    workers: Annotated[str | None, typer.Option("--workers", metavar="dask://HOST:PORT", help="a Dask cluster")] = None
    checkpoint: Annotated[
        Path | None,
        file_to_write("--checkpoint", "a file to resume from after an interruption; --workers always has one"),
    ] = None
    output: Annotated[Path | None, file_to_write("--output", "write the model file here", replaces="nothing")] = None
    certificate: Certificate = None
    max_models: Annotated[int, typer.Option("--max-models", min=1, help="refuse larger scopes")] = 10**10
    as_json: AsJson = False
    kind: Format = "table"


DEFAULT_ROWS = 1 << 14
MODEL = "a model file (pkdp examples --guide format); its mechanism plays no part, and may be left out"


@dataclass(frozen=True)
class Worst(Replied):
    """Find the mechanism that violates one definition most, among all that satisfy others, for the model's θ and B.

    MODEL says who may have which values (θ) and what the attacker knows (B). The definitions are dp, np, apkdp, ppkdp
    and cdp, or linear ones of DP22 such as osdp, at an ε of the form ln(p/q). The optimum is exact, and the multipliers
    of a linear program prove it.

    pkdp worst MODEL --assuming "np(ln(2))" --maximise "cdp delta at ln(2)"
    """

    file: Annotated[str, typer.Argument(metavar="MODEL", help=MODEL, autocompletion=models_that_begin)]
    maximise: Annotated[str, typer.Option(help='the number that is made as large as possible: "cdp delta at ln(2)"')]
    assuming: Annotated[
        list[str] | None,
        typer.Option(help='what the mechanism has to satisfy: "np(ln(2), 1/10)"; again for more'),
    ] = None
    outputs: Annotated[int | None, typer.Option(min=2, help="allow at most so many outputs; default: any number")] = (
        None
    )
    output: Annotated[
        Path | None,
        file_to_write("--output", "write the model with the worst mechanism to this file", replaces="nothing"),
    ] = None
    certificate: Certificate = None
    max_rows: Annotated[int, typer.Option(min=1, help="most worlds, pairs or sums to list")] = DEFAULT_ROWS
    digits: Digits = DIGITS
