"""What the commands do with a model file that has `[parameters]`."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import replace
from fractions import Fraction
from typing import TYPE_CHECKING, Any

import typer

from verifier.cli.common import Several, about, as_text, print_sheets
from verifier.cli.waiting import counting
from verifier.errors import InputError
from verifier.model import Model
from verifier.model.parameters import Family
from verifier.model.read_family import named, read_any
from verifier.numbers import rational, shorten
from verifier.version import VERSION

if TYPE_CHECKING:
    from verifier.cli.checking import Question
    from verifier.report.sheet import Sheet
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


def given_files(
    paths: Sequence[str], sets: Sequence[str], several: Several | None = None
) -> tuple[list[Family], list[Model]]:
    """What the files hold, each read once: families or models, never both.

    Raises:
        InputError: for models and families in one question, and for a wrong file, where `several` does not say it.

    """
    if len({_value(one)[0] for one in sets}) < len(sets):
        raise InputError("given a parameter twice", where="--set", wanted="one value for each")
    found = []
    for path in paths:
        with several.file(path) if several else about(path):
            found.append(read_set(path, sets))
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
    families: Sequence[Family], question: Question, several: Several, *, as_json: bool, kind: str, max_rows: int
) -> int:
    """For which values of the parameters each definition holds."""
    sheets: list[Sheet] = []
    for family in families:
        with several.file(str(family.place)):
            sheets += _check_family(family, question, several, as_json=as_json, kind=kind, max_rows=max_rows)
    if sheets:
        print_sheets(sheets, kind)
    return several.status


def _check_family(
    family: Family, question: Question, several: Several, *, as_json: bool, kind: str, max_rows: int
) -> list[Sheet]:
    """Print what is known of one family, but for CSV, which is printed together."""
    from verifier.report.family_sheets import family_sheets, several_sheet

    answers: list[Any] = []
    with counting("definitions", len(question.asked) or None) as tick:
        for parameters, names in question.groups():
            answers += _asked_of(family, names, parameters, max_rows)
            tick(len(answers))
    if question.asked:
        several.statuses += [answer.exit_status for answer in answers]
    if as_json:
        _print_json(family, [answer.to_json() for answer in answers], question)
        return []
    sheets = family_sheets(answers) if len(family.names) == 1 else [several_sheet(family, answers)]
    if kind == "csv":
        keys = () if several.alone else (("model", str(family.place)),)
        return [replace(sheet, keys=(*keys, *sheet.keys)) for sheet in sheets]
    print_sheets(sheets, kind)
    return []


def _asked_of(
    family: Family, names: tuple[str, ...], parameters: Mapping[str, str | None], max_rows: int
) -> Sequence[Any]:
    from verifier.symbolic.passport import family_passport, several_passport

    decide: Callable[..., Sequence[Any]] = family_passport if len(family.names) == 1 else several_passport
    return decide(family, definitions=names, max_rows=max_rows, **parameters)


def _print_json(family: Family, answers: list[dict[str, Any]], question: Question) -> None:
    """One object: the answer to the one definition, or all of them under `definitions`."""
    head = {"schema": 1, "version": VERSION, "model": family.label, "sha256": family.sha256}
    found = answers[0] if question.alone else head | {"definitions": answers}
    typer.echo(as_text(found))


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
