"""The command line: `pkdp check | loss | acceptable | report | conventions | definitions`."""

from __future__ import annotations

import json
import sys
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from itertools import pairwise
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

from verifier.errors import InputError, PkdpError
from verifier.version import VERSION

if TYPE_CHECKING:
    from verifier.engine import Engine
    from verifier.model import Model
    from verifier.report.sheet import Sheet

app = typer.Typer(
    add_completion=False,
    no_args_is_help=True,
    pretty_exceptions_enable=False,
    rich_markup_mode=None,
    help="Decide privacy definitions with partial knowledge on small finite models, exactly.\n\n"
    "CDP here is causal, DDP distributional differential privacy (DMKB20); elsewhere CDP is concentrated "
    "differential privacy. Exit status: 0 holds or vacuous, 1 fails, 2 the question or file is wrong, "
    "3 undecided, unsupported or beyond the limits.",
)

Files = Annotated[list[str], typer.Argument(metavar="MODEL…", help="model files (models/FORMAT.md)")]
File = Annotated[str, typer.Argument(metavar="MODEL", help="a model file (models/FORMAT.md)")]
AsJson = Annotated[bool, typer.Option("--json", help="one JSON object a model on standard output")]
Format = Annotated[str, typer.Option("--format", help="table, markdown, latex or csv")]
MaxRows = Annotated[int, typer.Option("--max-rows", min=1, help="refuse models with more worlds than this")]
Digits = Annotated[int, typer.Option("--digits", min=1, max=1000, help="significant digits of decimals")]
MaxDigits = Annotated[int, typer.Option("--max-digits", min=8, help="cut exact forms that are longer")]
Sets = Annotated[list[str] | None, typer.Option("--set", help="fix a parameter, p=1/7")]
DEFAULT_ROWS = 1 << 22


def run(arguments: Sequence[str] | None = None) -> None:
    """Run the command line; errors become one message and an exit status, never a traceback."""
    given = list(sys.argv[1:] if arguments is None else arguments)
    # Numbers are measured before they are read (verifier.numbers), so that results may be of any length.
    sys.set_int_max_str_digits(0)
    try:
        status = app(args=given, standalone_mode=False)
    except PkdpError as error:
        _stop(f"pkdp: {error}", error.exit_status)
    except typer.Exit as stop:
        sys.exit(stop.exit_code)
    except typer.Abort:
        _stop("pkdp: interrupted", 130)
    except KeyboardInterrupt:
        _stop("pkdp: interrupted", 130)
    except RecursionError:
        _stop("pkdp: the input is nested too deeply; wanted at most 100 levels.", 2)
    except MemoryError:
        _stop("pkdp: out of memory. Tip: use a smaller model.", 3)
    except Exception as error:
        if not hasattr(error, "format_message"):
            raise
        _stop(f"pkdp: {_usage(error, given)}", 2)
    sys.exit(status if isinstance(status, int) else 0)


def _stop(message: str, status: int) -> None:
    sys.stderr.write(message + "\n")
    sys.exit(status)


def _usage(error: Any, arguments: Sequence[str]) -> PkdpError:
    """What the parser of the command line refuses, in the form of all our messages."""
    options = getattr(getattr(error, "param", None), "opts", ())
    value = next((f" (given {after})" for one, after in pairwise(arguments) if one in options), "")
    commands = {one.callback.__name__ for one in app.registered_commands if one.callback}
    command = next((f" {one}" for one in arguments[:1] if one in commands), "")
    return InputError(str(error.format_message()).rstrip(".") + value, tip=f"pkdp{command} --help")


@contextmanager
def _about(place: str) -> Iterator[None]:
    """Add the file, or the option, to the place that an error names."""
    try:
        yield
    except PkdpError as error:
        raise error.within(place) from None


def _model(path: str, sets: Sequence[str] | None = None) -> Model:
    from verifier.model import read

    model = read(path)
    for one in sets or ():
        raise InputError(f"given --set {one}", where=path, wanted="a model with [parameters]")
    return model


def _engine(model: Model, max_rows: int) -> Engine:
    from verifier.engine import Engine

    return Engine(model, max_rows)


def _format(name: str) -> str:
    from verifier.report.sheet import FORMATS

    if name not in FORMATS:
        raise InputError(f"given {name}", where="--format", wanted=f"one of {', '.join(FORMATS)}")
    return name


def _print(sheets: Sequence[Sheet], kind: str) -> None:
    if kind == "table":
        from verifier.cli.console import print_sheet

        for sheet in sheets:
            print_sheet(sheet)
    else:
        typer.echo("\n\n".join(sheet.render(kind) for sheet in sheets))


def _json(value: Any) -> str:
    return json.dumps(value, ensure_ascii=False)


@app.callback(invoke_without_command=True)
def main(version: Annotated[bool, typer.Option("--version", help="print the version")] = False) -> None:  # noqa: FBT002
    """Print the version where asked."""
    if version:
        typer.echo(f"pkdp {VERSION}")
        raise typer.Exit(0)


@app.command()
def check(
    files: Files,
    definition: Annotated[str | None, typer.Option(help="one definition; all where it is left out")] = None,
    epsilon: Annotated[str | None, typer.Option(help='"ln(p/q)", "r*ln(p/q)", a rational, or inf')] = None,
    delta: Annotated[str, typer.Option(help="a rational in [0, 1]")] = "0",
    reading: Annotated[str, typer.Option(help="another reading by name (pkdp conventions)")] = "default",
    expect: Annotated[bool, typer.Option("--expect", help="test the answers that the files promise")] = False,  # noqa: FBT002
    sets: Sets = None,
    as_json: AsJson = False,  # noqa: FBT002
    kind: Format = "table",
    max_rows: MaxRows = DEFAULT_ROWS,
    digits: Digits = 12,
    max_digits: MaxDigits = 200,
) -> int:
    """Decide definitions: verdict, tightest ε and δ, and a witness. Without --definition: the passport."""
    _format(kind)
    _question(definition, epsilon, delta, reading)
    models = [_model(path, sets) for path in files]
    if expect:
        return _expect(models, max_rows, as_json=as_json)
    ask = _one if definition is not None else _passport
    answers = []
    for model in models:
        with _about(model.path):
            answers.append(ask(model, definition or "", epsilon, delta, reading, max_rows))
    show: Callable[..., None] = _show_one if definition is not None else _show_passport
    status = 0
    for model, found in zip(models, answers, strict=True):
        if definition is not None:
            status = max(status, found[0].exit_status)
        if as_json:
            objects = [answer.to_json(max_digits, digits) for answer in found]
            typer.echo(_json(objects[0] if definition is not None else _passport_json(model, objects)))
        else:
            show(model, found, kind, max_digits, digits)
    return status


def _question(definition: str | None, epsilon: str | None, delta: str, reading: str) -> None:
    """Refuse a question that is none, before any work."""
    from verifier.definitions import find
    from verifier.numbers import epsilon as read_epsilon
    from verifier.numbers import probability

    if definition is not None:
        with _about("--definition"):
            asked = find(definition)
        with _about("--reading"):
            asked.reading(reading)
    elif reading != "default":
        raise InputError("given without --definition", where="--reading", wanted="the definition that is read so")
    if epsilon is not None:
        read_epsilon(epsilon, "--epsilon")
    probability(delta, "--delta", "δ")


def _one(model: Model, definition: str, epsilon: str | None, delta: str, reading: str, max_rows: int) -> list[Any]:
    from verifier.questions import check as decide

    engine = _engine(model, max_rows)
    return [decide(model, definition, epsilon=epsilon, delta=delta, reading=reading, engine=engine)]


def _passport(
    model: Model, _definition: str, epsilon: str | None, delta: str, _reading: str, max_rows: int
) -> list[Any]:
    from verifier.questions import passport

    engine = _engine(model, max_rows)
    engine.admit()
    return passport(model, epsilon=epsilon, delta=delta, engine=engine)


def _passport_json(model: Model, objects: list[dict[str, Any]]) -> dict[str, Any]:
    return {
        "schema": 1,
        "version": VERSION,
        "model": model.path or model.title,
        "sha256": model.sha256 or None,
        "definitions": objects,
    }


def _show_one(model: Model, found: list[Any], kind: str, max_digits: int, digits: int) -> None:
    from verifier.report.sheet import Sheet
    from verifier.report.words import convention_lines, verdict_lines

    answer = found[0]
    lines = verdict_lines(answer, max_digits, digits)
    if kind != "table":
        _print([Sheet(model.title, ("item", "answer"), tuple(lines))], kind)
        return
    from verifier.cli.console import print_items

    print_items(model.title, lines, convention_lines(answer.definition))


def _show_passport(model: Model, found: list[Any], kind: str, max_digits: int, digits: int) -> None:
    from verifier.report.words import grouped_witnesses, passport_sheet

    _print([passport_sheet(model, found, min(max_digits, 60), digits)], kind)
    if kind != "table":
        return
    from verifier.cli.console import print_line

    for words in grouped_witnesses(found):
        print_line(words)
    print_line("Conventions: pkdp conventions. One definition in full: pkdp check MODEL --definition NAME.")


def _expect(models: Sequence[Model], max_rows: int, *, as_json: bool) -> int:
    from verifier.expect import compare

    lines, status = [], 0
    for model in models:
        with _about(f"{model.path}: [[expect]]"):
            results = compare(model, _engine(model, max_rows))
        status = max(status, int(any(not one.agrees for one in results)))
        if as_json:
            lines.append(_json({"model": model.path, "expectations": [one.to_json() for one in results]}))
            continue
        lines += [f"{'ok  ' if one.agrees else 'FAIL'} {model.path}: {one}" for one in results]
        if not results:
            lines.append(f"none {model.path}: the file promises no answers")
    typer.echo("\n".join(lines))
    return status


@app.command()
def loss(
    file: File,
    record: Annotated[int | None, typer.Option(help="the record that is attacked, counted from 0")] = None,
    values: Annotated[tuple[str, str] | None, typer.Option(help="the two values a and b that are compared")] = None,
    sets: Sets = None,
    as_json: AsJson = False,  # noqa: FBT002
    kind: Format = "table",
    max_rows: MaxRows = DEFAULT_ROWS,
    digits: Digits = 12,
    max_digits: MaxDigits = 60,
) -> None:
    """Exact conditional laws and privacy losses of every output, for every knowledge value."""
    from verifier.losses import loss as losses

    _format(kind)
    model = _model(file, sets)
    with _about(file):
        table = losses(model, record=record, values=values, engine=_engine(model, max_rows))
    if as_json:
        typer.echo(_json(table.to_json(max_digits, digits)))
        return
    from verifier.report.words import loss_sheets

    _print(loss_sheets(table, max_digits, digits), kind)


@app.command()
def acceptable(
    file: File,
    sets: Sets = None,
    as_json: AsJson = False,  # noqa: FBT002
    kind: Format = "table",
    max_rows: MaxRows = DEFAULT_ROWS,
) -> int:
    """Is there an acceptable normalization at each record? (DMKB20, Definition 8)."""
    from verifier.normalization import acceptable as decide

    _format(kind)
    model = _model(file, sets)
    with _about(file):
        _engine(model, max_rows).admit()
        answers = decide(model)
    if as_json:
        typer.echo(_json([answer.to_json() for answer in answers]))
    else:
        from verifier.report.words import acceptable_sheet

        _print([acceptable_sheet(answers)], kind)
    return int(any(not answer.acceptable or any(answer.given) for answer in answers))


@app.command()
def report(
    files: Annotated[list[str] | None, typer.Argument(metavar="[MODEL…]", help="default: DMKB20, Examples 1–8")] = None,
    output: Annotated[Path, typer.Option(help="the folder to write to")] = Path("report"),
    max_rows: MaxRows = DEFAULT_ROWS,
) -> None:
    """Write the counterexample report: one self-contained HTML page and Markdown."""
    from verifier.report.write import write_report

    written = write_report([_model(path) for path in files] if files else None, output, max_rows)
    for path in written:
        typer.echo(f"wrote {path}")


@app.command()
def conventions(as_json: AsJson = False, kind: Format = "table") -> None:  # noqa: FBT002
    """List every convention that can change a verdict, with its choice and source."""
    from verifier.definitions import CONVENTIONS
    from verifier.report.words import conventions_sheet

    _format(kind)
    if as_json:
        typer.echo(_json([{**one.__dict__, "readings": dict(one.readings)} for one in CONVENTIONS]))
        return
    _print([conventions_sheet(CONVENTIONS)], kind)


@app.command()
def definitions(as_json: AsJson = False, kind: Format = "table") -> None:  # noqa: FBT002
    """List the definitions with their sources, formulas and readings."""
    from verifier.definitions import ANNOUNCED, DEFINITIONS
    from verifier.report.sheet import Sheet

    _format(kind)
    every = [*DEFINITIONS.values(), *ANNOUNCED.values()]
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
        typer.echo(_json([dict(zip(columns, row, strict=True)) for row in rows]))
        return
    _print([Sheet("Definitions", columns, rows)], kind)


if __name__ == "__main__":
    run()
