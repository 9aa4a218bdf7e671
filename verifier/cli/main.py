"""The command line: `pkdp check | loss | acceptable | bound | law | property | reducible | search | worst | …`."""

from __future__ import annotations

import io
import sys
from collections.abc import Sequence
from itertools import pairwise
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

from verifier.cli.anonymity import anonymity
from verifier.cli.bounding import bound
from verifier.cli.common import (
    DEFAULT_ROWS,
    File,
    Format,
    MaxRows,
    Several,
    With,
    about,
    as_text,
    check_format,
    echo,
    print_sheets,
    write_certificate,
)
from verifier.cli.course import course
from verifier.cli.exploring import explore
from verifier.cli.exporting import export, judge
from verifier.cli.figures import figures
from verifier.cli.lawful import law
from verifier.cli.ledger import ledger
from verifier.cli.properties import property_, reducible, stronger
from verifier.cli.replaying import replay
from verifier.cli.search import search
from verifier.cli.separating import separate
from verifier.cli.stopping import INTERRUPTED, name_options, refuse_closed_output, stop
from verifier.cli.waiting import counting, watching
from verifier.cli.worst import worst
from verifier.errors import InputError, PkdpError
from verifier.files import refuse_file, refuse_folder
from verifier.replay import Rejected
from verifier.version import VERSION

if TYPE_CHECKING:
    from verifier.engine import Engine
    from verifier.model import Model

app = typer.Typer(
    add_completion=False,
    pretty_exceptions_enable=False,
    rich_markup_mode=None,
    help="Decide privacy definitions with partial knowledge on small finite models, exactly.\n\n"
    "CDP here is causal, DDP distributional differential privacy (DMKB20); elsewhere CDP is concentrated "
    "differential privacy. Exit status: 0 holds or vacuous (and a passport that was computed), 1 fails, 2 the "
    "question or file is wrong, 3 undecided, unsupported or beyond the limits, 4 the machine failed, 130 interrupted.",
)

Files = Annotated[list[str], typer.Argument(metavar="MODEL…", help="model files (pkdp guide format)")]
AsJson = Annotated[bool, typer.Option("--json", help="one JSON object a model on standard output")]
Digits = Annotated[int, typer.Option("--digits", min=1, max=1000, help="significant digits of decimals")]
MaxDigits = Annotated[int, typer.Option("--max-digits", min=8, help="cut exact forms that are longer")]
Ways = Annotated[
    str,
    typer.Option("--engine", help="auto, table, sum (no table, for sums of independent parts), ball (enclosures)"),
]
WAYS = ("auto", "table", "sum", "ball")
Sets = Annotated[list[str] | None, typer.Option("--set", help="fix a parameter: p=1/7")]


def run(arguments: Sequence[str] | None = None, *, supervised: bool = False) -> None:
    """Run the command line; errors become one message and an exit status, never a traceback.

    Where it is `supervised`, the supervisor is the one that says that it was interrupted.
    """
    given = list(sys.argv[1:] if arguments is None else arguments)
    # Numbers are measured before they are read (verifier.numbers), so that results may be of any length.
    sys.set_int_max_str_digits(0)
    for stream in (sys.stdout, sys.stderr):
        if isinstance(stream, io.TextIOWrapper):
            stream.reconfigure(errors="backslashreplace")  # a terminal without θ gets \\u03b8, not a traceback
    try:
        refuse_closed_output()
        status = app(args=given or ["--help"], standalone_mode=False)
        sys.stdout.flush()
    except (PkdpError, Rejected, OSError, RecursionError, MemoryError, typer.Exit) as error:
        stop(error, as_json="--json" in given)
    except KeyboardInterrupt:
        status = INTERRUPTED
    except SystemExit:  # what the parser of the command line makes of a closed pipe
        stop(BrokenPipeError())
    except Exception as error:  # noqa: BLE001  # whatever it is, it is told in one message
        stop(_usage(error, given) if hasattr(error, "format_message") else error, as_json="--json" in given)
    if status == INTERRUPTED:  # what the parser of the command line makes of a KeyboardInterrupt
        sys.exit(status) if supervised else stop(KeyboardInterrupt())
    sys.exit(status if isinstance(status, int) else 0)


def _usage(error: Any, arguments: Sequence[str]) -> PkdpError:
    """What the parser of the command line refuses, in the form of all our messages."""
    options = getattr(getattr(error, "param", None), "opts", ())
    value = next((f" (given {after})" for one, after in pairwise(arguments) if one in options), "")
    commands = {one.name or one.callback.__name__ for one in app.registered_commands if one.callback}
    command = next((f" {one}" for one in arguments[:1] if one in commands), "")
    said = str(error.format_message()).removesuffix(".").removesuffix("?").replace(". Did you mean ", "; did you mean ")
    return InputError(said + value, tip=f"pkdp{command} --help")


def _model(path: str, sets: Sequence[str] | None = None) -> Model:
    from verifier.cli.families import one_model

    return one_model(path, sets or ())


def _own(files: Sequence[str] | None) -> None:
    """Read definitions of one's own; they are then asked like the others."""
    if files:
        from verifier.definitions import load

        for file in files:
            load(file)


def _engine(model: Model, max_rows: int, way: str = "auto") -> Engine:
    from verifier.engine import Engine

    if way not in WAYS:
        raise InputError(f"given {way}", where="--engine", wanted=f"one of {', '.join(WAYS)}")
    return Engine(model, max_rows, "" if way == "auto" else way)


@app.callback(invoke_without_command=True)
def main(
    context: typer.Context,
    version: Annotated[bool, typer.Option("--version", help="print the version")] = False,  # noqa: FBT002
) -> None:
    """Print the version where asked; see to it that no command is silent for long."""
    command = context.invoked_subcommand or ""
    commands: dict[str, Any] = getattr(context.command, "commands", {})
    if command in commands:
        name_options(name for parameter in commands[command].params for name in parameter.opts)
    context.with_resource(watching(command))
    if version:
        typer.echo(f"pkdp {VERSION}")
        raise typer.Exit(0)


@app.command()
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
    from verifier.cli.families import check_families, given_files, refuse_options
    from verifier.engine import Engine
    from verifier.expect import compare
    from verifier.symbolic.expect import compare_family

    check_format(kind)
    _own(own)
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
        asked = [(str(one.place), partial(compare_family, one)) for one in families]
        asked += [(one.path, partial(compare, one, Engine(one, max_rows))) for one in models]
        return expectations(asked, several, as_json=as_json)
    if families:
        return check_families(families, question, several, as_json=as_json, kind=kind, max_rows=max_rows)
    display = Display(as_json, kind, max_digits, digits, profile, replay, not several.alone)
    command = Command(question, display, lambda model: _engine(model, max_rows, way), certificate)
    return command.answer(models, several)


@app.command()
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
    """Exact conditional laws and privacy losses of every output, for every knowledge value."""
    from verifier.cli.families import given_files, loss_family, refuse_options
    from verifier.losses import loss as losses

    check_format(kind)
    families, models = given_files([file], sets or ())
    if families:
        refuse_options(families, {"--engine": way != "auto"})
        loss_family(families[0], record, values, as_json=as_json, kind=kind, max_rows=max_rows)
        return
    (model,) = models
    with about(file):
        table = losses(model, record=record, values=values, engine=_engine(model, max_rows, way))
    if as_json:
        typer.echo(as_text(table.to_json(max_digits, digits)))
        return
    from verifier.report.words import loss_sheets

    print_sheets(loss_sheets(table, max_digits, digits), kind)


@app.command()
def acceptable(
    file: File,
    certificate: Annotated[Path | None, typer.Option(help="write the certificate to this file (pkdp replay)")] = None,
    sets: Sets = None,
    as_json: AsJson = False,  # noqa: FBT002
    kind: Format = "table",
    max_rows: MaxRows = DEFAULT_ROWS,
) -> int:
    """Is there an acceptable normalization at each record? (DMKB20, Definition 8)."""
    from verifier.cli.families import acceptable_families, given_files, refuse_options
    from verifier.normalization import acceptable as decide

    check_format(kind)
    refuse_file(certificate, "--certificate")
    families, models = given_files([file], sets or ())
    if families:
        refuse_options(families, {"--certificate": certificate is not None})
        return acceptable_families(families, as_json=as_json, kind=kind)
    (model,) = models
    with about(file):
        answers = decide(model, max_rows)
        if certificate is not None:
            from verifier.certified import acceptability_file

            write_certificate(certificate, lambda: acceptability_file(model, beside=certificate.parent))
    if as_json:
        typer.echo(as_text([answer.to_json() for answer in answers]))
    else:
        from verifier.report.words import acceptable_sheet

        print_sheets([acceptable_sheet(answers)], kind)
    return int(any(not answer.acceptable or any(answer.given) for answer in answers))


@app.command()
def report(
    files: Annotated[list[str] | None, typer.Argument(metavar="[MODEL…]", help="default: DMKB20, Examples 1–8")] = None,
    output: Annotated[Path, typer.Option(help="the folder to write to")] = Path("report"),
    drawn: Annotated[bool, typer.Option("--figures", help="the papers' figures too (a minute more)")] = False,  # noqa: FBT002
    own: With = None,
    sets: Sets = None,
    max_rows: MaxRows = DEFAULT_ROWS,
) -> int:
    """Write the counterexample report: static HTML pages, Markdown, and without MODEL a page for each claim."""
    from verifier.cli.families import given_files
    from verifier.report.family_page import write_families
    from verifier.report.write import write_report

    _own(own)
    refuse_folder(output, "--output")
    several = Several(alone=len(files or ()) == 1)
    families, models = given_files(files or [], sets or (), several)
    if files and not families and not models:
        return several.status
    with counting("pages of models") as tick:
        written = (
            write_families(families, output, max_rows)
            if families
            else write_report(models or None, output, max_rows, tick)
        )
    if drawn:
        from verifier.report.figure_pages import write_figures

        with counting("values of figures") as tick:
            written += write_figures(output / "figures", tick=tick)
    for path in written:
        echo(f"wrote {path}")
    return several.status


@app.command()
def conventions(as_json: AsJson = False, kind: Format = "table") -> None:  # noqa: FBT002
    """List every convention that can change a verdict, with its choice and source."""
    from verifier.definitions import CONVENTIONS
    from verifier.report.words import conventions_sheet

    check_format(kind)
    if as_json:
        typer.echo(as_text([{**one.__dict__, "readings": dict(one.readings)} for one in CONVENTIONS]))
        return
    print_sheets([conventions_sheet(CONVENTIONS)], kind)


@app.command()
def definitions(own: With = None, as_json: AsJson = False, kind: Format = "table") -> None:  # noqa: FBT002
    """List the definitions with their sources, formulas and readings."""
    from verifier.definitions import ANNOUNCED, DEFINITIONS, ON_REQUEST
    from verifier.report.sheet import Sheet

    check_format(kind)
    _own(own)
    every = [*DEFINITIONS.values(), *ON_REQUEST.values(), *ANNOUNCED.values()]
    rows = tuple(
        (
            d.key,
            d.title,
            d.source,
            d.formula or "not decided by this version",
            ", ".join(d.readings),
            ", ".join(d.aliases),
        )
        for d in every
    )
    columns = ("key", "definition", "source", "formula", "readings", "aliases")
    if as_json:
        typer.echo(as_text([dict(zip(columns, row, strict=True)) for row in rows]))
        return
    print_sheets([Sheet("Definitions", columns, rows)], kind)


@app.command()
def guide(
    topic: Annotated[str | None, typer.Argument(metavar="[TOPIC]", help="without it, the topics are listed")] = None,
) -> None:
    """Print a page of the guide: the format of model files, that of certificates, the language of questions, …."""
    from verifier.library import GUIDES
    from verifier.library import guide as page

    if topic is not None:
        echo(page(topic))
        return
    for name in GUIDES:
        title = next(line for line in page(name).splitlines() if line.startswith("# ")).removeprefix("# ")
        typer.echo(f"pkdp guide {name:<16} {title}")


@app.command()
def relations(as_json: AsJson = False, kind: Format = "table") -> None:  # noqa: FBT002
    """What implies what, under which condition, and which model shows that something does not follow."""
    from verifier.relations import relations as every
    from verifier.report.relation_sheets import relation_sheets, relations_json

    check_format(kind)
    if as_json:
        typer.echo(as_text(relations_json(every())))
        return
    print_sheets(relation_sheets(every()), kind)


app.command()(bound)
app.command()(law)
app.command()(anonymity)
app.command("property")(property_)
app.command()(reducible)
app.command()(stronger)
app.command()(search)
app.command()(worst)
app.command()(separate)
app.command()(export)
app.command()(judge)
app.command()(explore)
app.command()(figures)
app.command()(course)
app.command()(ledger)
app.command()(replay)

if __name__ == "__main__":
    from verifier.cli.supervisor import run as supervised

    supervised()
