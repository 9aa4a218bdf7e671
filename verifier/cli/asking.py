"""`pkdp check | loss | acceptable`: the questions about a model, or about a family where it has parameters."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from verifier.cli.common import (
    DEFAULT_ROWS,
    File,
    Format,
    MaxRows,
    Sets,
    Several,
    With,
    about,
    as_text,
    check_format,
    print_sheets,
    read_own,
    write_certificate,
)
from verifier.cli.reading import given_files, refuse_options
from verifier.errors import InputError
from verifier.machine.files import refuse_file
from verifier.wings import family_commands

if TYPE_CHECKING:
    from verifier.engine import Engine
    from verifier.model import Model

Files = Annotated[list[str], typer.Argument(metavar="MODEL…", help="model files (pkdp guide format)")]
AsJson = Annotated[bool, typer.Option("--json", help="one JSON object a model on standard output")]
Digits = Annotated[int, typer.Option("--digits", min=1, max=1000, help="significant digits of decimals")]
MaxDigits = Annotated[int, typer.Option("--max-digits", min=8, help="cut exact forms that are longer")]
Ways = Annotated[
    str,
    typer.Option("--engine", help="auto, table, sum (no table, for sums of independent parts), ball (enclosures)"),
]
WAYS = ("auto", "table", "sum", "ball")


def _engine(model: Model, max_rows: int, way: str = "auto") -> Engine:
    from verifier.engine import Engine

    if way not in WAYS:
        raise InputError(f"given {way}", where="--engine", wanted=f"one of {', '.join(WAYS)}")
    return Engine(model, max_rows, "" if way == "auto" else way)


def check(
    files: Files,
    definition: Annotated[
        list[str] | None,
        typer.Option(help='a definition, or "np(ln(2), 1/10)"; several: again, or with commas; default: all'),
    ] = None,
    epsilon: Annotated[str | None, typer.Option(help='"ln(p/q)", "r*ln(p/q)", a rational, or inf')] = None,
    delta: Annotated[str | None, typer.Option(help="a rational in [0, 1]; default: 0")] = None,
    reading: Annotated[str, typer.Option(help="another reading by name (pkdp conventions)")] = "default",
    expect: Annotated[bool, typer.Option("--expect", help="test the answers that the files promise")] = False,  # noqa: FBT002
    profile: Annotated[bool, typer.Option("--profile", help="show the whole privacy profile")] = False,  # noqa: FBT002
    certificate: Annotated[
        Path | None, typer.Option(help="write the certificate of the answer to this file (pkdp replay)")
    ] = None,
    replay: Annotated[  # noqa: FBT002
        bool, typer.Option(" /--no-replay", help="leave out the independent re-check", show_default=False)
    ] = True,
    own: With = None,
    sets: Sets = None,
    as_json: AsJson = False,  # noqa: FBT002
    kind: Format = "table",
    way: Ways = "auto",
    max_rows: MaxRows = DEFAULT_ROWS,
    digits: Digits = 12,
    max_digits: MaxDigits = 200,
) -> int:
    """Decide definitions: verdict, tightest ε and δ, and a witness. Without --definition: the passport.

    A verdict is shown as soon as it is decided; the word of the independent replay follows. With --json, or another
    format than the table, both come together.
    """
    from functools import partial

    from verifier.cli.checking import Command, Display, expectations, question_of
    from verifier.engine import Engine
    from verifier.questions.expect import compare

    check_format(kind)
    read_own(own)
    refuse_file(certificate, "--certificate")
    question = question_of(definition or (), epsilon, delta, reading, digits)
    several = Several(alone=len(files) == 1, as_json=as_json)
    families, models = given_files(files, sets or (), several)
    if families:
        ignored = {"--certificate": certificate is not None, "--profile": profile, "--engine": way != "auto"}
        refuse_options(families, ignored)
    else:
        question.refuse_nonsense()
    if certificate is not None and (len(files) > 1 or len(question.asked) != 1 or expect):
        raise InputError("given --certificate", where="pkdp check", wanted="one model and one --definition")
    if expect:
        asked = [(str(one.place), partial(family_commands().compare_family, one)) for one in families]
        asked += [(one.path, partial(compare, one, Engine(one, max_rows))) for one in models]
        return expectations(asked, several, as_json=as_json)
    if families:
        shown = {"as_json": as_json, "kind": kind}
        status: int = family_commands().check_families(families, question, several, **shown, max_rows=max_rows)
        return status
    if profile:
        question.refuse_no_curve()
    display = Display(as_json, kind, max_digits, digits, profile, replay, not several.alone)
    command = Command(question, display, lambda model: _engine(model, max_rows, way), certificate)
    return command.answer(models, several)


def loss(
    file: File,
    record: Annotated[int | None, typer.Option(help="the record that is attacked, counted from 0")] = None,
    values: Annotated[tuple[str, str] | None, typer.Option(help="the two values a and b that are compared")] = None,
    sets: Sets = None,
    as_json: AsJson = False,  # noqa: FBT002
    kind: Format = "table",
    way: Ways = "auto",
    max_rows: MaxRows = DEFAULT_ROWS,
    digits: Digits = 12,
    max_digits: MaxDigits = 200,
) -> None:
    """Print the exact laws and privacy losses of every output, for each knowledge value."""
    from verifier.questions.losses import loss as losses

    check_format(kind)
    families, models = given_files([file], sets or ())
    if families:
        refuse_options(families, {"--engine": way != "auto"})
        family_commands().loss_family(families[0], record, values, as_json=as_json, kind=kind, max_rows=max_rows)
        return
    (model,) = models
    with about(file):
        table = losses(model, record=record, values=values, engine=_engine(model, max_rows, way))
    if as_json:
        typer.echo(as_text(table.to_json(max_digits, digits)))
        return
    from verifier.show.words import loss_sheets

    print_sheets(loss_sheets(table, max_digits, digits), kind)


def acceptable(
    file: File,
    certificate: Annotated[Path | None, typer.Option(help="write the certificate to this file (pkdp replay)")] = None,
    sets: Sets = None,
    as_json: AsJson = False,  # noqa: FBT002
    kind: Format = "table",
    max_rows: MaxRows = DEFAULT_ROWS,
) -> int:
    """Decide whether each record has an acceptable normalization (DMKB20, Definition 8)."""
    from verifier.questions.normalization import acceptable as decide

    check_format(kind)
    refuse_file(certificate, "--certificate")
    families, models = given_files([file], sets or ())
    if families:
        refuse_options(families, {"--certificate": certificate is not None})
        status: int = family_commands().acceptable_families(families, as_json=as_json, kind=kind)
        return status
    (model,) = models
    with about(file):
        answers = decide(model, max_rows)
        if certificate is not None:
            from verifier.questions.normalization.certificate import acceptability_file

            write_certificate(certificate, lambda: acceptability_file(model, beside=certificate.parent))
    if as_json:
        typer.echo(as_text([answer.to_json() for answer in answers]))
    else:
        from verifier.show.words import acceptable_sheet

        print_sheets([acceptable_sheet(answers)], kind)
    return int(any(not answer.acceptable or any(answer.given) for answer in answers))
