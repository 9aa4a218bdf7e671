"""`pkdp check | loss | acceptable`: the questions about a model, or about a family where it has parameters."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from verifier.cli.common import (
    DEFAULT_ROWS,
    MODEL,
    File,
    Format,
    MaxRows,
    Sets,
    Several,
    With,
    about,
    check_format,
    print_answer,
    read_own,
    write_certificate,
)
from verifier.errors import InputError
from verifier.machine.files import refuse_file
from verifier.numbers import MAX_DIGITS

if TYPE_CHECKING:
    pass

Files = Annotated[list[str], typer.Argument(metavar="MODEL…", help=f"one or more of: {MODEL}")]
AsJson = Annotated[bool, typer.Option("--json", help="one JSON object a model on standard output")]
Digits = Annotated[int, typer.Option("--digits", min=1, max=1000, help="significant digits of decimals")]
MaxDigits = Annotated[int, typer.Option("--max-digits", min=8, help="cut exact forms that are longer")]
Ways = Annotated[
    str,
    typer.Option("--engine", help="auto, table, sum (no table, for sums of independent parts), ball (enclosures)"),
]


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
        bool, typer.Option("--replay/--no-replay", help="do the independent re-check, or leave it out")
    ] = True,
    in_full: Annotated[  # noqa: FBT002
        bool, typer.Option("--all", help="a row for each definition, and every number of the witnesses")
    ] = False,
    conventions: Annotated[  # noqa: FBT002
        bool, typer.Option("--conventions", help="say each convention that the verdict rests on")
    ] = False,
    atlas: Annotated[  # noqa: FBT002
        bool, typer.Option("--atlas", help="all definitions of DP22, by the dimensions that they change")
    ] = False,
    own: With = None,
    sets: Sets = None,
    as_json: AsJson = False,  # noqa: FBT002
    kind: Format = "table",
    way: Ways = "auto",
    max_rows: MaxRows = DEFAULT_ROWS,
    digits: Digits = 12,
    max_digits: MaxDigits = MAX_DIGITS,
) -> int:
    """Decide definitions: verdict, smallest ε and δ, and a witness. Without --definition: an overview of all.

    A verdict is shown as soon as it is decided; the word of the independent replay follows. With --json, or another
    format than the table, both come together.
    """
    from verifier.cli.checking import Command, expectations
    from verifier.cli.display import Display
    from verifier.cli.question import question_of
    from verifier.cli.subjects import subjects

    check_format(kind)
    read_own(own)
    refuse_file(certificate, "--certificate")
    question = question_of(definition or (), epsilon, delta, reading, digits)
    several = Several(alone=len(files) == 1, as_json=as_json)
    options = {"--certificate": certificate is not None, "--profile": profile}
    named = subjects(files, sets or (), several, way=way, max_rows=max_rows, options=options)
    if all(subject.is_replayed for subject in named):  # an ε and a δ of a family may have parameters
        question.refuse_nonsense()
    if certificate is not None and (len(files) > 1 or len(question.requests) != 1 or expect):
        raise InputError("given --certificate", where="pkdp check", wanted="one model and one --definition")
    if atlas and (question.requests or expect or certificate is not None or profile):
        raise InputError(
            "given --atlas with another question", where="pkdp check", wanted="--epsilon and --delta alone"
        )
    if expect:
        return expectations(named, several, as_json=as_json)
    if profile:
        question.refuse_no_curve()
    names_models = not several.alone
    display = Display(as_json, kind, max_digits, digits, profile, replay, names_models, in_full, conventions)
    command = Command(question, display, certificate)
    return command.atlas(named, several) if atlas else command.answer(named, several)


def loss(
    file: File,
    record: Annotated[int | None, typer.Option(help="the record that is attacked, counted from 0")] = None,
    values: Annotated[tuple[str, str] | None, typer.Option(help="the two values a and b that are compared")] = None,
    definition: Annotated[
        str | None, typer.Option("--definition", help="between the two laws of which this definition asks most")
    ] = None,
    delta: Annotated[str | None, typer.Option(help="the δ at which it does, with --definition")] = None,
    sets: Sets = None,
    as_json: AsJson = False,  # noqa: FBT002
    kind: Format = "table",
    way: Ways = "auto",
    max_rows: MaxRows = DEFAULT_ROWS,
    digits: Digits = 12,
    max_digits: MaxDigits = MAX_DIGITS,
) -> None:
    """Print the exact laws and privacy losses of every output, for each knowledge value."""
    from verifier.cli.display import Display
    from verifier.cli.subjects import subjects

    check_format(kind)
    if definition is None and delta is not None:
        raise InputError("given --delta", where="pkdp loss", wanted="--definition beside it")
    if definition is not None and (record is not None or values is not None):
        raise InputError(
            "given --definition with --record or --values",
            where="pkdp loss",
            wanted="one of the two",
            tip="a definition names the two laws itself",
        )
    (subject,) = subjects([file], sets or (), way=way, max_rows=max_rows)
    with about(subject.path):
        if definition is None:
            table = subject.losses(record, values)
        else:
            table = subject.losses_of(definition, "0" if delta is None else delta)
    display = Display(as_json, kind, max_digits, digits)
    print_answer(
        lambda: table.to_json(max_digits, digits), lambda: subject.loss_sheets(table, display), kind, as_json=as_json
    )


def acceptable(
    file: File,
    certificate: Annotated[Path | None, typer.Option(help="write the certificate to this file (pkdp replay)")] = None,
    sets: Sets = None,
    as_json: AsJson = False,  # noqa: FBT002
    kind: Format = "table",
    max_rows: MaxRows = DEFAULT_ROWS,
) -> int:
    """Decide whether each record has an acceptable normalization (DMKB20, Definition 8)."""
    from verifier.cli.subjects import subjects

    check_format(kind)
    refuse_file(certificate, "--certificate")
    (subject,) = subjects([file], sets or (), max_rows=max_rows, options={"--certificate": certificate is not None})
    with about(subject.path):
        answers = subject.acceptable()
        if certificate is not None:
            from verifier.questions.normalization.certificate import acceptability_file

            model = subject.model  # type: ignore[attr-defined]
            write_certificate(certificate, lambda: acceptability_file(model, beside=certificate.parent))
    print_answer(
        lambda: [answer.to_json() for answer in answers],
        lambda: [subject.acceptable_sheet(answers)],
        kind,
        as_json=as_json,
    )
    return max((answer.exit_status for answer in answers), default=0)
