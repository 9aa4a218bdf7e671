"""What the commands do with a model file that has `[parameters]`."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace
from fractions import Fraction
from typing import TYPE_CHECKING, Any

import typer

from verifier.cli.common import about, as_text, echo, print_sheets
from verifier.errors import InputError
from verifier.model import Model
from verifier.model.parameters import Family
from verifier.model.read_family import named, read_any
from verifier.numbers import rational, shorten
from verifier.version import VERSION

if TYPE_CHECKING:
    from verifier.cli.checking import Question
    from verifier.symbolic.accepted import FamilyAcceptance


def one_model(path: str, sets: Sequence[str]) -> Model:
    """The model of a file, with every parameter fixed by `--set`.

    Raises:
        InputError: where a parameter is left, or one is set that is none.

    """
    found = read_set(path, sets)
    if isinstance(found, Model):
        return found
    name = found.names[0]
    raise InputError(
        f"the parameter {name} has no value", where=path, wanted="one model", tip=f"fix it: --set {name}=1/7"
    )


def read_set(path: str, sets: Sequence[str]) -> Model | Family:
    """What a file holds, with the parameters that `--set` names fixed.

    Raises:
        InputError: for what is no `name=value`, and a value outside the range.

    """
    found = read_any(path)
    values = dict(_value(one) for one in sets)
    if isinstance(found, Model):
        for one in sets:
            raise InputError(f"given --set {one}", where=path, wanted="a model with [parameters]")
        return found
    if len(values) < len(sets):
        raise InputError("given a parameter twice", where="--set", wanted="one value for each")
    if values.keys() == set(found.names):
        shown = ", ".join(f"{name} = {values[name]}" for name in found.names)
        return named(found.at(values), shown)
    if not values:
        return found
    left = found.fixed(values)
    return replace(left, title=f"{left.title} ({', '.join(f'{name} = {value}' for name, value in values.items())})")


def _value(given: str) -> tuple[str, Fraction]:
    name, equals, text = given.partition("=")
    if not equals or not name.strip():
        raise InputError(f"given {shorten(given)}", where="--set", wanted="a name and a value, such as p=1/7")
    return name.strip(), rational(text.strip(), "--set", f"a value for {name.strip()}")


def given_files(paths: Sequence[str], sets: Sequence[str]) -> tuple[list[Family], list[Model]]:
    """What the files hold, each read once: families or models, never both.

    Raises:
        InputError: for models and families in one question.

    """
    found = [read_set(path, sets) for path in paths]
    families = [one for one in found if isinstance(one, Family)]
    if families and len(families) < len(found):
        raise InputError("given models and families", wanted="files with [parameters], or files without")
    return families, [one for one in found if isinstance(one, Model)]


def refuse_options(families: Sequence[Family], given: Mapping[str, bool]) -> None:
    """Refuse options that say nothing about a family.

    Raises:
        InputError: with the option.

    """
    for option, used in given.items():
        if used:
            raise InputError(
                f"given {option}",
                where=str(families[0].place),
                wanted="one model",
                tip=f"fix each parameter: --set {families[0].names[0]}=1/7",
            )


def check_families(
    families: Sequence[Family], question: Question, *, as_json: bool, kind: str, max_rows: int, expect: bool
) -> int:
    """For which values of the parameter each definition holds."""
    from verifier.report.family_sheets import family_sheets
    from verifier.symbolic.passport import family_passport

    if expect:
        return _expectations(families, as_json=as_json)
    status = 0
    for family in families:
        if len(family.names) > 1:
            status = max(status, _check_several(family, question, as_json=as_json, kind=kind, max_rows=max_rows))
            continue
        with about(str(family.place)):
            answers = family_passport(
                family,
                definitions=question.definitions,
                epsilon=question.epsilon,
                delta=question.delta,
                reading=question.reading,
                max_rows=max_rows,
            )
        status = max([status, *(answer.exit_status for answer in answers)])
        if as_json:
            _print_json(family, [answer.to_json() for answer in answers], question)
        else:
            print_sheets(family_sheets(answers), kind)
    return status if question.definitions else 0


def _print_json(family: Family, answers: list[dict[str, Any]], question: Question) -> None:
    """One object: the answer to the one definition, or all of them under `definitions`."""
    head = {"schema": 1, "version": VERSION, "model": family.label, "sha256": family.sha256}
    found = answers[0] if len(question.definitions) == 1 else head | {"definitions": answers}
    typer.echo(as_text(found))


def _check_several(family: Family, question: Question, *, as_json: bool, kind: str, max_rows: int) -> int:
    """Whether each definition holds for all values of several parameters."""
    from verifier.report.family_sheets import several_sheet
    from verifier.symbolic.passport import several_passport

    with about(str(family.place)):
        answers = several_passport(
            family,
            definitions=question.definitions,
            epsilon=question.epsilon,
            delta=question.delta,
            reading=question.reading,
            max_rows=max_rows,
        )
    if as_json:
        _print_json(family, [answer.to_json() for answer in answers], question)
    else:
        print_sheets([several_sheet(family, answers)], kind)
    return max(answer.exit_status for answer in answers)


def acceptable_families(families: Sequence[Family], *, as_json: bool, kind: str) -> int:
    """For which values of the parameters each record has an acceptable normalization."""
    from verifier.report.family_sheets import acceptance_sheet
    from verifier.symbolic.acceptance import acceptable_family

    answers: list[FamilyAcceptance] = []
    for family in families:
        with about(str(family.place)):
            answers += acceptable_family(family)
    if as_json:
        typer.echo(as_text([answer.to_json() for answer in answers]))
    else:
        print_sheets([acceptance_sheet(answers)], kind)
    return int(any(answer.everywhere != "always" for answer in answers))


def _expectations(families: Sequence[Family], *, as_json: bool) -> int:
    """Answer what the files promise; 1 where an answer differs."""
    from verifier.symbolic.expect import compare_family

    status = 0
    for family in families:
        with about(f"{family.place}: [[expect]]"):
            results = compare_family(family)
        status = max(status, int(any(not one.agrees for one in results)))
        if as_json:
            typer.echo(as_text({"model": str(family.place), "expectations": [one.to_json() for one in results]}))
            continue
        for one in results:
            echo(f"{'ok  ' if one.agrees else 'FAIL'} {family.place}: {one}")
        if not results:
            echo(f"none {family.place}: the file promises no answers")
    return status


def loss_family(
    family: Family, record: int | None, values: tuple[str, str] | None, *, as_json: bool, kind: str, max_rows: int
) -> None:
    """The privacy losses as closed forms in the parameter."""
    from verifier.report.family_sheets import family_loss_sheets
    from verifier.symbolic.losses import family_losses

    with about(str(family.place)):
        found = family_losses(family, record, values, max_rows)
    if as_json:
        typer.echo(as_text(found.to_json()))
    else:
        print_sheets(family_loss_sheets(found), kind)
