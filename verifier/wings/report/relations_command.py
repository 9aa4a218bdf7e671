"""`pkdp relations`: what implies what, which model shows that something does not follow, and what each keeps."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from typing import Annotated

import typer

from verifier.cli.common import Format, Reading, Reply, definitions_that_begin, echo
from verifier.errors import InputError
from verifier.machine.files import refuse_folder

NAMES = "two definitions; of --separate and --axioms any number. Default: all"
OF_A_TEST = "--axioms AXIOM MODEL: "


def relations(
    definitions: Annotated[
        list[str] | None, typer.Argument(metavar="[A B]", help=NAMES, autocompletion=definitions_that_begin)
    ] = None,
    matrix: Annotated[  # noqa: FBT002
        bool, typer.Option("--matrix", help="all ordered pairs of DP22's definitions: the counts; as CSV every cell")
    ] = False,
    separate: Annotated[  # noqa: FBT002
        bool, typer.Option("--separate", help="each ordered pair: implied, separated by the smallest model, or open")
    ] = False,
    axioms: Annotated[  # noqa: FBT002
        bool, typer.Option("--axioms", help="what each keeps: post-processing, convexity, composition; beside Table 3")
    ] = False,
    output: Annotated[
        Path | None, typer.Option(help="a folder: with --matrix for its page, with --separate for the models")
    ] = None,
    beside: Annotated[
        str | None, typer.Option("--with", help=f"{OF_A_TEST}a file with `then`, `[mechanism]` or `parts`")
    ] = None,
    definition: Annotated[str | None, typer.Option(help=f"{OF_A_TEST}one definition")] = None,
    epsilon: Annotated[
        list[str] | None, typer.Option(help=f"{OF_A_TEST}default: every ε; for sequential two, one for each mechanism")
    ] = None,
    weight: Annotated[
        str | None, typer.Option(help=f"{OF_A_TEST}convexity: the probability of the model's mechanism")
    ] = None,
    reading: Reading = "default",
    kind: Format = "table",
) -> Reply | None:
    """Show what implies what, under which condition, and which model shows that something does not follow.

    With two definitions, such as np and cdp: whether each implies the other, in sentences, with the reason. --separate
    looks for the smallest models (all definitions take some 25 seconds).

    --axioms derives from the parts of a definition whether it keeps post-processing, convexity and composition for all
    models. --axioms AXIOM MODEL --with FILE --definition KEY tests one, exactly: post-processing, convexity, sequential
    or parallel. Exit status: 0 kept, 1 broken, 3 where it is open or does not apply.
    """
    names = tuple(definitions or ())
    tables = {"--matrix": matrix, "--separate": separate, "--axioms": axioms}
    chosen = [option for option, is_given in tables.items() if is_given]
    if len(chosen) > 1:
        raise InputError(f"{' and '.join(chosen)} are given together", wanted=f"one of {', '.join(tables)}")
    of_a_test = {"--with": beside, "--definition": definition, "--epsilon": epsilon, "--weight": weight}
    test = [option for option, value in of_a_test.items() if value] + ["--reading"] * (reading != "default")
    if test and not axioms:
        raise InputError(f"{test[0]} needs --axioms", wanted="--axioms AXIOM MODEL --with FILE")
    if output is not None and not (matrix or separate):
        raise InputError("--output needs --matrix or --separate", wanted="pkdp relations --matrix --output DIR")
    refuse_folder(output, "--output")
    if matrix:
        return _matrix(names, output, kind)
    if separate:
        return _separated(names, output)
    if axioms:
        from verifier.show.answers import law_sheet
        from verifier.wings.implications.axioms.on_a_model import WANTED, tested

        if test or set(names) & set(WANTED):
            answer = tested(names, beside, definition, epsilon or (), weight, reading)
            return Reply.of(answer, lambda: [law_sheet(answer)])
        return _axioms(names)
    return _pairs(names)


def _pairs(names: tuple[str, ...]) -> Reply:
    """Return how two definitions relate; without names the papers' table."""
    from verifier.wings.implications.pair import pair_of
    from verifier.wings.implications.pair import relations as relations_of
    from verifier.wings.implications.table import relation_sheets, relations_json
    from verifier.wings.implications.table import relations as table_of

    if len(names) == 2:
        answer = relations_of(*names)
        return Reply(answer.to_json, lambda: [answer.sheet()])
    pair_of(names)  # another number of definitions is refused
    return Reply(lambda: relations_json(table_of()), lambda: relation_sheets(table_of()))


def _matrix(names: tuple[str, ...], folder: Path | None, kind: str) -> Reply | None:
    """Return the counts over all ordered pairs, or write the page of every pair."""
    from verifier.wings.implications.matrix.sheets import matrix_json, matrix_sheets
    from verifier.wings.report.site import write_matrix

    if names:
        given = ", ".join(names)
        raise InputError(
            f"{given} and --matrix are given together", wanted="one of the two", tip="pkdp relations np cdp"
        )
    if folder is None:
        return Reply(matrix_json, lambda: matrix_sheets(kind))
    for path in write_matrix(folder):
        echo(f"wrote {path}")
    return None


def _separated(names: tuple[str, ...], folder: Path | None) -> Reply:
    """Return how each ordered pair relates, with the smallest model of those that do not imply each other."""
    from verifier.cli.waiting import counting
    from verifier.wings.implications.separate import (
        separate,
        separation_sheets,
        separations_json,
        write_separations,
    )

    with counting("pairs of definitions") as tick:
        pairs = separate(names, tick)
    if folder is not None:
        write_separations(folder, pairs)
    return Reply(lambda: separations_json(pairs), lambda: separation_sheets(pairs))


def _axioms(names: Sequence[str]) -> Reply:
    """Return what the definitions keep, or all of them, for all models; the status is 3 where one of them is open."""
    from verifier.wings.implications.axioms.axioms import OPEN, verdicts
    from verifier.wings.implications.axioms.sheets import axiom_sheets, axioms_json
    from verifier.wings.implications.parts import keys, named

    asked = list(dict.fromkeys(map(named, names)))
    is_open = any(verdict.verdict == OPEN for key in asked for verdict in verdicts(key))
    return Reply(lambda: axioms_json(asked, keys()), lambda: axiom_sheets(asked, keys()), 3 if is_open else 0)
