"""What `pkdp search`, `pkdp worst` and `pkdp best` can be asked: their options and their help."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path
from typing import Annotated, ClassVar

import typer

from verifier.cli.common import (
    AsJson,
    Certificate,
    Digits,
    Format,
    MaxRows,
    Replied,
    With,
    file_to_write,
    models_that_begin,
)
from verifier.numbers import DIGITS


@dataclass(frozen=True)
class Search(Replied):
    """Find the smallest model that satisfies some statements and violates another.

    pkdp tries all small models, the smallest first, and prints the first that fits as a model file. You set how large
    they get with --records, --values, --outputs and --knowledge.

    A statement is a definition with its ε and δ, such as np(ln(2), 1/10), or a property, such as acceptable; join
    several with not, and, or, iff and =>. In np(e) pkdp finds e too. pkdp examples --guide search has all words.

    With --claim "np(e) => cdp(2*e)" pkdp looks for a model and an e that break the claim. Exit status: 0 a model was
    found (--claim: no model breaks it), 1 none was found (--claim: one breaks it), 3 some models are undecided.
    """

    GROUPS: ClassVar = {
        "Question": "satisfies violates claim policy own first_only vacuous",
        "Sizes of the models": "records values outputs knowledge weights mechanism_weights max_models",
        "How to search": "find exhaust jobs workers checkpoint",
        "Files to write": "output picture certificate",
    }
    satisfies: Annotated[
        list[str] | None,
        typer.Option(
            "--satisfies", metavar="STATEMENT", help='statement that the model satisfies, such as "np(e)"; repeatable'
        ),
    ] = None
    violates: Annotated[
        str | None,
        typer.Option("--violates", metavar="STATEMENT", help='statement that the model violates, such as "cdp(e)"'),
    ] = None
    claim: Annotated[
        str | None, typer.Option("--claim", metavar="STATEMENT", help="statement to break, without the two above")
    ] = None
    records: Annotated[int, typer.Option("--records", help="most records")] = 2
    values: Annotated[int, typer.Option("--values", help="most values of a record")] = 2
    outputs: Annotated[int, typer.Option("--outputs", help="most outputs")] = 2
    knowledge: Annotated[
        int, typer.Option("--knowledge", help="most things the attacker may know (values of B); 1: nothing")
    ] = 1
    weights: Annotated[int, typer.Option("--weights", help="denominator of the probabilities of databases (θ)")] = 4
    mechanism_weights: Annotated[
        int, typer.Option("--mechanism-weights", help="denominator of the probabilities of the mechanism")
    ] = 2
    first_only: Annotated[bool, typer.Option("--first-only", help="protection of record 0 only; default: of each")] = (
        False
    )
    exhaust: Annotated[
        bool,
        typer.Option("--exhaust", help="all models, even after a first one that fits; their number is printed first"),
    ] = False
    vacuous: Annotated[
        bool, typer.Option("--vacuous", help="models too that satisfy a statement only because nothing is compared")
    ] = False
    find: Annotated[
        str,
        typer.Option(
            "--find",
            metavar="enumerate|finer",
            help="enumerate: only these probabilities; finer: then smaller steps too",
        ),
    ] = "enumerate"
    policy: Annotated[
        list[str] | None, typer.Option("--policy", metavar="LINE", help="line of [policy] in every model; repeatable")
    ] = None
    own: With = None
    jobs: Annotated[
        int | None,
        typer.Option("--jobs", min=1, help="number of processes; default: one for each core, in large scopes"),
    ] = None
    workers: Annotated[
        str | None, typer.Option("--workers", metavar="dask://HOST:PORT", help="Dask cluster; default: this machine")
    ] = None
    checkpoint: Annotated[
        Path | None,
        file_to_write("--checkpoint", "file to resume from after an interruption; --workers always has one"),
    ] = None
    output: Annotated[Path | None, file_to_write("--output", "model file to write", replaces="nothing")] = None
    picture: Annotated[
        Path | None, file_to_write("--picture", "drawing of the worlds of the model to write (.svg)", ending=".svg")
    ] = None
    certificate: Certificate = None
    max_models: Annotated[
        int, typer.Option("--max-models", min=1, help="most models to try; a larger search is refused")
    ] = 10**10
    as_json: AsJson = False
    kind: Format = "table"


DEFAULT_ROWS = 1 << 14
MODEL = "model (pkdp examples --guide format); its mechanism plays no part, and may be left out"
WithoutMechanism = Annotated[str, typer.Argument(metavar="MODEL", help=MODEL, autocompletion=models_that_begin)]
Assuming = Annotated[
    list[str] | None,
    typer.Option(help='condition on the mechanism, such as "np(ln(2), 1/10)"; repeatable; default: none'),
]
PLOT = "drawing of the mechanism as bars, or with --over of the loss against ε, to write (.svg)"


@dataclass(frozen=True)
class Best(Replied):
    """Find the most accurate mechanism for a count or sum under definitions.

    MODEL says who may have which values (θ) and what the attacker knows (B). The definitions are dp, np, apkdp, ppkdp
    and cdp, or linear ones of DP22, at an ε of the form ln(p/q). The optimum is exact, and the multipliers of a linear
    program prove it.
    """

    file: WithoutMechanism
    loss: Annotated[
        str,
        typer.Option(
            metavar="zero-one|absolute|squared|FILE.csv",
            help="loss to minimize; the file has the columns value,output,loss",
        ),
    ]
    assuming: Assuming = None
    of: Annotated[str, typer.Option(metavar="count|sum", help="statistic that is published; count is of --value")] = (
        "count"
    )
    value: Annotated[str | None, typer.Option(help="value that is counted, with --of count")] = None
    worst: Annotated[
        bool, typer.Option("--worst", help="largest loss over the databases, in place of the expected one under θ")
    ] = False
    over: Annotated[
        str | None,
        typer.Option(metavar="ε,ε,…", help='list of ε, such as "0,ln(2),ln(3)", with the least loss at each'),
    ] = None
    output: Annotated[
        Path | None,
        file_to_write("--output", "file to write, with the model and the best mechanism", replaces="nothing"),
    ] = None
    plot: Annotated[Path | None, file_to_write("--plot", PLOT, ending=".svg")] = None
    certificate: Certificate = None
    max_rows: MaxRows = DEFAULT_ROWS
    digits: Digits = DIGITS


@dataclass(frozen=True)
class Worst(Replied):
    """Find the mechanism that violates one definition most while satisfying others.

    MODEL says who may have which values (θ) and what the attacker knows (B). The definitions are dp, np, apkdp, ppkdp
    and cdp, or linear ones of DP22 such as osdp, at an ε of the form ln(p/q). The optimum is exact, and the multipliers
    of a linear program prove it.
    """

    file: WithoutMechanism
    maximise: Annotated[
        str, typer.Option(help='number that is made as large as possible, such as "cdp delta at ln(2)"')
    ]
    assuming: Assuming = None
    outputs: Annotated[int | None, typer.Option(min=2, help="most outputs; default: any number")] = None
    output: Annotated[
        Path | None,
        file_to_write("--output", "file to write, with the model and the worst mechanism", replaces="nothing"),
    ] = None
    certificate: Certificate = None
    max_rows: MaxRows = DEFAULT_ROWS
    digits: Digits = DIGITS
