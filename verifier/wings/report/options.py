"""What `pkdp report` and `pkdp relations` can be asked: their options and their help."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path
from typing import Annotated

import typer

from verifier.cli.common import DEFAULT_ROWS, Format, MaxRows, Reading, Replied, Sets, With, definitions_that_begin


@dataclass(frozen=True)
class Report:
    """Write the counterexample report as HTML and Markdown pages.

    Without MODEL it has a page for each claim, too.
    """

    files: Annotated[
        list[str] | None, typer.Argument(metavar="[MODEL…]", help="models; default: DMKB20, Examples 1–8")
    ] = None
    output: Annotated[Path, typer.Option(help="folder to write to")] = Path("report")
    explorer: Annotated[
        str | None,
        typer.Option(
            metavar="ADDRESS", help="address of the explorer's page, where each model then opens; default: no link"
        ),
    ] = None
    own: With = None
    sets: Sets = None
    max_rows: MaxRows = DEFAULT_ROWS


NAMES = "two definitions; with --separate and --axioms any number; default: all"
OF_A_TEST = " for --axioms AXIOM MODEL"


@dataclass(frozen=True)
class Relations(Replied):
    """Show which definitions imply which, and which models separate them.

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
        bool, typer.Option("--matrix", help="counts of all ordered pairs of DP22's definitions; as CSV every cell")
    ] = False
    separate: Annotated[
        bool, typer.Option("--separate", help="each ordered pair: implied, separated by the smallest model, or open")
    ] = False
    axioms: Annotated[
        bool,
        typer.Option(
            "--axioms", help="axioms that each keeps (post-processing, convexity, composition), next to Table 3"
        ),
    ] = False
    output: Annotated[
        Path | None, typer.Option(help="folder for the page of --matrix, or the models of --separate")
    ] = None
    beside: Annotated[
        str | None, typer.Option("--with", help=f"file with `then`, `[mechanism]` or `parts`,{OF_A_TEST}")
    ] = None
    definition: Annotated[str | None, typer.Option(help=f"definition{OF_A_TEST}")] = None
    epsilon: Annotated[
        list[str] | None,
        typer.Option(help=f"ε{OF_A_TEST}; repeatable, for sequential one for each mechanism; default: every ε"),
    ] = None
    weight: Annotated[str | None, typer.Option(help=f"probability of the model's mechanism{OF_A_TEST}, convexity")] = (
        None
    )
    reading: Reading = "default"
    kind: Format = "table"
