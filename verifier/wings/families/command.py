"""What `check`, `loss` and `acceptable` do with a model file that has `[parameters]`."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from typing import TYPE_CHECKING, Any

import typer

from verifier.cli.common import Several, about, as_text, print_sheets
from verifier.cli.waiting import counting
from verifier.model.parameters import Family
from verifier.version import VERSION
from verifier.wings.families.expect import compare_family

if TYPE_CHECKING:
    from verifier.cli.checking import Question
    from verifier.show.sheet import Sheet
    from verifier.wings.families.accepted import FamilyAcceptance

__all__ = ["acceptable_families", "check_families", "compare_family", "loss_family"]


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
    from verifier.wings.families.passport import family_passport
    from verifier.wings.families.sheets import family_sheets, several_sheet

    answers: list[Any] = []
    with counting("definitions", len(question.asked) or None) as tick:
        for parameters, names in question.groups():
            answers += family_passport(family, definitions=names, max_rows=max_rows, **parameters)  # type: ignore[arg-type]
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


def _print_json(family: Family, answers: list[dict[str, Any]], question: Question) -> None:
    """One object: the answer to the one definition, or all of them under `definitions`."""
    head = {"schema": 1, "version": VERSION, "model": family.label, "sha256": family.sha256}
    found = answers[0] if question.alone else head | {"definitions": answers}
    typer.echo(as_text(found))


def acceptable_families(families: Sequence[Family], *, as_json: bool, kind: str) -> int:
    """For which values of the parameters each record has an acceptable normalization."""
    from verifier.wings.families.acceptance import acceptable_family
    from verifier.wings.families.sheets import acceptance_sheet

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
    from verifier.wings.families.losses import family_losses
    from verifier.wings.families.sheets import family_loss_sheets

    with about(str(family.place)):
        found = family_losses(family, record, values, max_rows)
    if as_json:
        typer.echo(as_text(found.to_json()))
    else:
        print_sheets(family_loss_sheets(found), kind)
