"""`pkdp relations`: what implies what, which model shows that something does not follow, and what each keeps."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path

from verifier.cli.common import Reply, echo
from verifier.cli.waiting import counting
from verifier.errors import InputError
from verifier.machine.files import refuse_folder
from verifier.show.answers import law_sheet
from verifier.wings.implications.axioms.axioms import OPEN, verdicts
from verifier.wings.implications.axioms.on_a_model import WANTED, tested
from verifier.wings.implications.axioms.sheets import axiom_sheets, axioms_json
from verifier.wings.implications.matrix.sheets import matrix_json, matrix_sheets
from verifier.wings.implications.pair import pair_of
from verifier.wings.implications.pair import relations as relations_of
from verifier.wings.implications.parts import keys, named
from verifier.wings.implications.table import relation_sheets, relations_json
from verifier.wings.implications.table import relations as table_of
from verifier.wings.report.options import Relations


def relations(typed: Relations) -> Reply | None:
    """Answer what was typed."""
    names = tuple(typed.definitions or ())
    tables = {"--matrix": typed.matrix, "--separate": typed.separate, "--axioms": typed.axioms}
    chosen = [option for option, is_given in tables.items() if is_given]
    if len(chosen) > 1:
        raise InputError(f"{' and '.join(chosen)} are given together", wanted=f"one of {', '.join(tables)}")
    of_a_test = {
        "--with": typed.beside,
        "--definition": typed.definition,
        "--epsilon": typed.epsilon,
        "--weight": typed.weight,
    }
    test = [option for option, value in of_a_test.items() if value] + ["--reading"] * (typed.reading != "default")
    if test and not typed.axioms:
        raise InputError(f"{test[0]} needs --axioms", wanted="--axioms AXIOM MODEL --with FILE")
    if typed.output is not None and not (typed.matrix or typed.separate):
        raise InputError("--output needs --matrix or --separate", wanted="pkdp relations --matrix --output DIR")
    refuse_folder(typed.output, "--output")
    if typed.matrix:
        return _matrix(names, typed.output, typed.kind)
    if typed.separate:
        return _separated(names, typed.output)
    if typed.axioms:
        if test or set(names) & set(WANTED):
            answer = tested(names, typed.beside, typed.definition, typed.epsilon or (), typed.weight, typed.reading)
            return Reply.of(answer, lambda: [law_sheet(answer)])
        return _axioms(names)
    return _pairs(names)


def _pairs(names: tuple[str, ...]) -> Reply:
    """Return how two definitions relate; without names the papers' table."""
    if len(names) == 2:
        answer = relations_of(*names)
        return Reply(answer.to_json, lambda: [answer.sheet()])
    pair_of(names)  # another number of definitions is refused
    return Reply(lambda: relations_json(table_of()), lambda: relation_sheets(table_of()))


def _matrix(names: tuple[str, ...], folder: Path | None, kind: str) -> Reply | None:
    """Return the counts over all ordered pairs, or write the page of every pair."""
    from verifier.wings.report.site import write_matrix  # the whole report comes with it

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
    from verifier.wings.implications.separate import separate, separation_sheets, separations_json, write_separations

    with counting("pairs of definitions") as tick:
        pairs = separate(names, tick)
    if folder is not None:
        write_separations(folder, pairs)
    return Reply(lambda: separations_json(pairs), lambda: separation_sheets(pairs))


def _axioms(names: Sequence[str]) -> Reply:
    """Return what the definitions keep, or all of them, for all models; the status is 3 where one of them is open."""
    asked = list(dict.fromkeys(map(named, names)))
    is_open = any(verdict.verdict == OPEN for key in asked for verdict in verdicts(key))
    return Reply(lambda: axioms_json(asked, keys()), lambda: axiom_sheets(asked, keys()), 3 if is_open else 0)
