"""What `pkdp report` and `pkdp relations` can be asked: their options and their help."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path
from typing import Annotated

import typer

from verifier.cli.common import DEFAULT_ROWS, Format, MaxRows, Reading, Replied, Sets, With, definitions_that_begin


@dataclass(frozen=True)
class Report:
    """Write the counterexample report: static HTML pages, Markdown, and without MODEL a page for each claim."""

    files: Annotated[list[str] | None, typer.Argument(metavar="[MODEL…]", help="default: DMKB20, Examples 1–8")] = None
    output: Annotated[Path, typer.Option(help="the folder to write to")] = Path("report")
    explorer: Annotated[
        str | None, typer.Option(metavar="ADDRESS", help="where the explorer's page is: each model then opens there")
    ] = None
    own: With = None
    sets: Sets = None
    max_rows: MaxRows = DEFAULT_ROWS


NAMES = "two definitions; of --separate and --axioms any number. Default: all"
OF_A_TEST = "--axioms AXIOM MODEL: "


@dataclass(frozen=True)
class Relations(Replied):
    """Show what implies what, under which condition, and which model shows that something does not follow.

    With two definitions, such as np and cdp: whether each implies the other, in sentences, with the reason. --separate
    looks for the smallest models (all definitions take some 25 seconds).

    --axioms derives from the parts of a definition whether it keeps post-processing, convexity and composition for all
    models. --axioms AXIOM MODEL --with FILE --definition KEY tests one, exactly: post-processing, convexity, sequential
    or parallel. Exit status: 0 kept, 1 broken, 3 where it is open or does not apply.
    """

    definitions: Annotated[
        list[str] | None, typer.Argument(metavar="[A B]", help=NAMES, autocompletion=definitions_that_begin)
    ] = None
    matrix: Annotated[
        bool, typer.Option("--matrix", help="all ordered pairs of DP22's definitions: the counts; as CSV every cell")
    ] = False
    separate: Annotated[
        bool, typer.Option("--separate", help="each ordered pair: implied, separated by the smallest model, or open")
    ] = False
    axioms: Annotated[
        bool, typer.Option("--axioms", help="what each keeps: post-processing, convexity, composition; beside Table 3")
    ] = False
    output: Annotated[
        Path | None, typer.Option(help="a folder: with --matrix for its page, with --separate for the models")
    ] = None
    beside: Annotated[
        str | None, typer.Option("--with", help=f"{OF_A_TEST}a file with `then`, `[mechanism]` or `parts`")
    ] = None
    definition: Annotated[str | None, typer.Option(help=f"{OF_A_TEST}one definition")] = None
    epsilon: Annotated[
        list[str] | None, typer.Option(help=f"{OF_A_TEST}default: every ε; for sequential two, one for each mechanism")
    ] = None
    weight: Annotated[
        str | None, typer.Option(help=f"{OF_A_TEST}convexity: the probability of the model's mechanism")
    ] = None
    reading: Reading = "default"
    kind: Format = "table"
