"""What all commands share: their options, how an answer is printed in a format, and the file that an error names.

A command returns a `Reply`, and says neither how it is printed nor in which format; `with_shared_options` reads
`--json` and `--format` for it. Where a command does print by itself, the same functions are used.
"""

from __future__ import annotations

import json
import os
import sys
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, field
from inspect import Parameter, signature
from pathlib import Path
from pkgutil import resolve_name
from shutil import get_terminal_size
from textwrap import fill
from typing import TYPE_CHECKING, Annotated, Any, NoReturn, Protocol

import typer
from typer.models import OptionInfo

from verifier.checker.numbers import Rejected
from verifier.cli.exits import refusal_of, text_of_error
from verifier.cli.waiting import be_silent, is_silent, notice
from verifier.errors import InputError, PkdpError, UnsupportedError, is_printable, printable
from verifier.machine.files import holds_certificate, refuse_file, refuse_taken, write_whole
from verifier.numbers import DIGITS
from verifier.show.sheet import FORMATS, ITEMS, Sheet, Word, csv_tables, sign_of, text_of

if TYPE_CHECKING:
    from rich.console import Console

    from verifier.definitions.answer import Answer
    from verifier.show.sections import Section

MODEL = (
    "model file (pkdp examples --guide format), bundled model by name (pkdp examples), FILE.py, FILE.py:NAME, or - for "
    "standard input"
)
DEFAULT_ROWS = 1 << 22
UNBROKEN = 1 << 20
"""The width, in characters, where output goes to a file or a program: no line is broken."""
WAYS = ("auto", "table", "sum", "ball")
"""The engines that `--engine` names."""
JSON_TIP = "--json alone prints JSON"


def check_format(name: str) -> str:
    """Return the name of a format of tables.

    Raises:
        InputError: for a name that is no format.

    """
    if name not in FORMATS:
        tip = JSON_TIP if name.lower() == "json" else ""
        wanted = f"one of {', '.join(FORMATS)}"
        raise InputError(f"the format {name} is unknown", where="--format", wanted=wanted, tip=tip)
    return name


def refuse_two_formats(context: Any, *, as_json: bool) -> None:
    """Refuse `--json` beside a `--format` that was typed.

    Raises:
        InputError: where both were.

    """
    if as_json and context.get_parameter_source("kind").name == "COMMANDLINE":
        kind = context.params["kind"]
        raise InputError(f"--json and --format {kind} are given together", wanted="one of the two", tip=JSON_TIP)


class Written(OptionInfo):
    """An option that names a file to write."""


def file_to_write(name: str, does: str, *, replaces: str = "", ending: str = "") -> Any:
    """Return an option that names a file to write; a place where none can be written is refused before any work.

    `replaces` says what the file may take the place of, where not of any file: `nothing`, or `a certificate`.
    With an `ending` no other name is taken.
    """

    def refuse(path: Path | None) -> Path | None:
        if path is not None and ending and path.suffix != ending:
            problem, wanted = f"{path.name} does not end in {ending}", f"a file that ends in {ending}"
            raise InputError(problem, where=name, wanted=wanted)
        refuse_file(path, name)
        if path is not None and replaces == "nothing":
            refuse_taken(path, name, tip="take another name, or remove the file")
        elif path is not None and replaces == "a certificate" and path.exists() and not holds_certificate(path):
            raise InputError(f"{path} is there already, and is not a certificate", where=name, wanted="a free name")
        return path

    return Written(default=name, help=does, callback=refuse)


def refuse_own_inputs(written: Mapping[str, Path], given: Iterable[object]) -> None:
    """Refuse a file to write that is one of those that the command reads, or that another option writes.

    `written` has the files by their options; what is `given` besides are the values of all other arguments.

    Raises:
        InputError: for the first such file.

    """
    from verifier.cli.reading import file_of

    texts = [str(text) for value in given for text in (value if isinstance(value, list | tuple) else [value])]
    places = {option: Path(os.path.realpath(path)) for option, path in written.items()}
    for option, place in places.items():
        other = next((name for name, taken in places.items() if name != option and taken == place), "")
        if other:
            raise InputError(f"{written[option]} is given to {other}, too", where=option, wanted="another file")
        if place.exists() and any(_is_same(place, file_of(text)) for text in texts):
            problem = f"{written[option]} is a file that this command reads"
            raise InputError(problem, where=option, wanted="another file")


def _is_same(place: Path, other: str | int) -> bool:
    """Whether two paths, or a path and a descriptor, are one file."""
    try:
        return os.path.samestat(place.stat(), os.stat(other))  # noqa: PTH116  # a descriptor has no Path
    except (OSError, ValueError):
        return False


def models_that_begin(incomplete: str) -> list[str]:
    """Return what may be a model and begins so, for a shell that completes an argument.

    These are the folders and the files (.toml, .py) where the typed path is, and the names of bundled models.
    """
    from verifier.model.bundled import bundled, short_name

    typed, _, _ = incomplete.rpartition("/")
    folder = f"{typed}/" if "/" in incomplete else ""
    try:
        names = sorted(name for name in os.listdir(folder or ".") if not name.startswith("."))  # noqa: PTH208
    except OSError:
        names = []
    places = [f"{folder}{name}{'/' * Path(folder, name).is_dir()}" for name in names if is_printable(name)]
    mine = [place for place in places if place.endswith(("/", ".toml", ".py"))]
    return [name for name in (*mine, *map(short_name, bundled())) if name.startswith(incomplete)]


def one_of_those(names: Callable[[], Iterable[str]]) -> Callable[[str], list[str]]:
    """Return what names of a list begin so, for a shell; the list is made once it asks."""

    def that_begin(incomplete: str) -> list[str]:
        return [name for name in names() if name.startswith(incomplete)]

    return that_begin


def definitions_that_begin(incomplete: str) -> list[str]:
    """Return the keys of definitions that begin so, after the last comma, for a shell that completes an option."""
    from verifier.definitions import DEFINITIONS

    before, comma, last = incomplete.rpartition(",")
    return [f"{before}{comma}{key}" for key in DEFINITIONS if key.startswith(last)]


def reading_names() -> dict[str, None]:
    """Return the readings of any definition, each once."""
    from verifier.definitions import DEFINITIONS

    return dict.fromkeys(reading for definition in DEFINITIONS.values() for reading in definition.readings)


File = Annotated[str, typer.Argument(metavar="MODEL", help=MODEL, autocompletion=models_that_begin)]
AsJson = Annotated[bool, typer.Option("--json", help="JSON on standard output")]
Format = Annotated[
    str,
    typer.Option(
        "--format",
        metavar="|".join(FORMATS),
        help="format of the tables",
        callback=check_format,
        autocompletion=one_of_those(lambda: FORMATS),
    ),
]
QUIET = "no progress and no notes"
"""What `--quiet` does, where the options of a command do not say more (`QUIET` in their class)."""
Ways = Annotated[
    str,
    typer.Option(
        "--engine",
        metavar="|".join(WAYS),
        autocompletion=one_of_those(lambda: WAYS),
        help="computation by a table of all worlds, by sums of independent parts, or by balls that enclose numbers",
    ),
]
MaxRows = Annotated[int, typer.Option("--max-rows", min=1, help="most worlds, pairs or sums to list")]
Digits = Annotated[int, typer.Option("--digits", min=1, max=1000, help="significant digits of decimals")]
MaxDigits = Annotated[
    int, typer.Option("--max-digits", min=8, help="longest exact form that is not cut, in characters")
]
Reading = Annotated[
    str,
    typer.Option(
        help="name of another reading (pkdp definitions --conventions)", autocompletion=one_of_those(reading_names)
    ),
]
Certificate = Annotated[
    Path | None,
    file_to_write("--certificate", "certificate file to write, for pkdp verify", replaces="a certificate"),
]
With = Annotated[
    list[str] | None,
    typer.Option(
        "--with", help="file with definitions of your own (pkdp examples --guide own-definitions); repeatable"
    ),
]
Sets = Annotated[list[str] | None, typer.Option("--set", help="value of a parameter, such as p=1/7; repeatable")]
Replay = Annotated[bool, typer.Option("--replay/--no-replay", help="independent re-check of the answer")]


class Replied:
    """What is typed for a command that may answer with a `Reply`, so that it has `--json` and `--format`, too."""


@dataclass(frozen=True)
class Reply:
    """What a command answers: what `--json` prints, the tables of the other formats, and the exit status."""

    json: Callable[[], Any]
    """One value; or an iterator, whose values are printed a line each."""
    sheets: Callable[[], Sequence[Sheet]]
    status: int = 0
    instead: Mapping[str, Callable[[], Iterable[Sheet | Section | str]]] = field(default_factory=dict)
    """What a format shows instead of the tables, by the name of the format: tables, sections, texts."""
    after: Callable[[], str] | None = None
    """What is said below the tables once they are printed, such as the word of the checker; not with JSON."""

    @classmethod
    def of(cls, answer: Answer, sheets: Callable[[], Sequence[Sheet]], digits: int = DIGITS) -> Reply:
        """Return the reply that is one answer; decimals have so many digits in JSON."""
        return cls(lambda: answer.to_json(digits=digits), sheets, answer.exit_status)

    @classmethod
    def of_all(cls, answers: Sequence[Answer], sheets: Callable[[], Sequence[Sheet]]) -> Reply:
        """Return the reply that is a list of answers; its status is the largest of theirs."""
        status = max((answer.exit_status for answer in answers), default=0)
        return cls(lambda: [answer.to_json() for answer in answers], sheets, status)

    def print(self, kind: str, *, as_json: bool) -> int:
        """Print JSON, or tables in the format `kind`, and return the exit status."""
        if as_json:
            value = self.json()
            for line in value if isinstance(value, Iterator) else (value,):
                typer.echo(as_text(line))
        elif kind in self.instead:
            for block in self.instead[kind]():
                if isinstance(block, str):
                    echo(block)
                elif isinstance(block, Sheet):
                    print_sheets([block], kind)
                else:
                    print_section(block)
        elif sheets := self.sheets():
            print_sheets(sheets, kind)
        if self.after is not None and not as_json:
            sys.stdout.flush()
            said = self.after()
            if kind == "table" and not is_silent():
                print_lines([said])
            else:
                notice(said)
        return self.status


def with_shared_options(typed: type, answer: str) -> Callable[..., Any]:
    """Return a command with `--quiet`, and with `--json` and `--format` where it may return a `Reply`.

    `typed` has the arguments and options as its fields, and the help as its docstring; `answer` is the
    name of what gets them, and is loaded then. A command
    that has one of these options itself gets its value, too.
    """
    own = signature(typed, eval_str=True)
    replies = issubclass(typed, Replied)
    shared: dict[str, tuple[Any, Any]] = {"as_json": (AsJson, False), "kind": (Format, "table")} if replies else {}
    quiet = typer.Option("--quiet", "-q", help=getattr(typed, "QUIET", QUIET))
    shared["quiet"] = (Annotated[bool, quiet], False)
    files = {
        name: str(said.default)
        for name, parameter in own.parameters.items()
        for said in getattr(parameter.annotation, "__metadata__", ())
        if isinstance(said, Written)
    }

    def command(context: typer.Context, **options: Any) -> Any:
        be_silent(silent=options["quiet"])
        if {"as_json", "kind"} <= options.keys():
            refuse_two_formats(context, as_json=options["as_json"])
        if written := {option: options[name] for name, option in files.items() if options[name] is not None}:
            refuse_own_inputs(written, [value for name, value in options.items() if name not in files])
        question = typed(**{name: value for name, value in options.items() if name in own.parameters})
        reply = resolve_name(answer)(question)
        return reply.print(options["kind"], as_json=options["as_json"]) if isinstance(reply, Reply) else reply

    added = [
        Parameter(name, Parameter.KEYWORD_ONLY, default=default, annotation=annotation)
        for name, (annotation, default) in shared.items()
        if name not in own.parameters
    ]
    context = Parameter("context", Parameter.KEYWORD_ONLY, annotation=typer.Context)
    parameters = [*own.parameters.values(), *added, context]
    command.__doc__ = typed.__doc__
    command.__signature__ = own.replace(parameters=parameters)  # type: ignore[attr-defined]
    command.__annotations__ = {parameter.name: parameter.annotation for parameter in parameters}
    return command


WRONG = 2
"""The exit status where the question or a file is wrong, whatever the answers about other files are."""


@dataclass
class Several:
    """The files of one command, answered one by one: an error in one of several files does not stop the others.

    The only file of a command raises its error, so that standard output stays empty.
    """

    alone: bool
    as_json: bool = False
    statuses: list[int] = field(default_factory=list)

    @contextmanager
    def file(self, path: str) -> Iterator[None]:
        """Name the file in an error; where the command has several files, print the error and go on."""
        try:
            with about(path):
                yield
        except (PkdpError, Rejected) as error:
            if self.alone:
                raise
            refusal = refusal_of(error).within(path)
            self.statuses.append(refusal.exit_status)
            typer.echo(text_of_error(refusal, as_json=self.as_json), err=True)

    @property
    def status(self) -> int:
        """The exit status of the command: 2 where a file is wrong, else the largest of the statuses."""
        return WRONG if WRONG in self.statuses else max(self.statuses, default=0)


@contextmanager
def about(location: str) -> Iterator[None]:
    """Put the name of a file, or of an option, before the location that an error names."""
    try:
        yield
    except PkdpError as error:
        raise error.within(location) from None


def read_own(files: Sequence[str] | None) -> None:
    """Load the user's own definitions from files; after that every command knows their names."""
    if files:
        from contextlib import redirect_stdout

        from verifier.definitions import load

        with redirect_stdout(sys.stderr):  # what the files print is no answer
            for file in files:
                load(file)


def print_sheets(sheets: Sequence[Sheet], kind: str) -> None:
    """Print tables as Markdown, LaTeX or CSV, or for the terminal."""
    if kind == "table":
        for number, sheet in enumerate(sheets):
            if number and not sheet.title:
                echo("")
            _print_sheet(sheet)
    else:
        typer.echo(rendered(sheets, kind))


def rendered(sheets: Sequence[Sheet], kind: str) -> str:
    """Return tables as Markdown, LaTeX or CSV."""
    return csv_tables(sheets) if kind == "csv" else "\n\n".join(sheet.render(kind) for sheet in sheets)


def _print_sheet(sheet: Sheet) -> None:
    """Print a table with its notes; an answer that is listed item by item is printed without rules."""
    from rich.markup import escape
    from rich.table import Table
    from rich.text import Text

    if sheet.columns == ITEMS:
        table = Table.grid(padding=(0, 2))
        table.add_column(style="dim", no_wrap=True)
        table.add_column(overflow="fold")
    else:
        table = Table(show_lines=False)
        for column in sheet.columns:
            table.add_column(escape(column), overflow="fold")
    for row in sheet.rows:
        signs = [sign_of(cell) if isinstance(cell, Word) else None for cell in row]
        table.add_row(
            *(Text(text_of(cell), style=sign.style if sign else "") for cell, sign in zip(row, signs, strict=True))
        )
    # The title is above the table, and not its own, which would be broken where a narrow table ends.
    title = [Text(sheet.title, style="bold")] if sheet.title else []
    _print([*title, table, *map(Text, sheet.notes)])


def _print(parts: Iterable[Any]) -> None:
    """Print what rich lays out; what no terminal shows has no spaces at the ends of its lines."""
    console = _console()
    if console.is_terminal:
        for part in parts:
            console.print(part)
        return
    with console.capture() as captured:
        for part in parts:
            console.print(part)
    typer.echo("\n".join(line.rstrip() for line in captured.get().split("\n")), nl=False)


def print_section(section: Section, level: int = 2) -> None:
    """Print a section with those below it in the terminal: texts broken between words, and its tables.

    Where no terminal shows it, headings have their marks, and no text is broken.
    """
    from verifier.show.pages import PlainRenderer

    renderer, in_terminal = PlainRenderer(), sys.stdout.isatty()
    if heading := renderer.text(section.heading):
        marked = f"{'#' * level} {heading}"
        echo(f"{wrapped(heading) if in_terminal else marked}\n")
    for block in section.blocks:
        if isinstance(block, Sheet):
            _print_sheet(block)
            echo("")
        elif text := renderer.block(block):
            echo(f"{wrapped(text) if in_terminal else text}\n")
    for part in section.sections:
        print_section(part, level + bool(section.heading))


def print_lines(lines: Iterable[str]) -> None:
    """Print paragraphs in the terminal."""
    from rich.text import Text

    _print([Text(printable(line, lines=True)) for line in lines])


def wrapped(text: str, indent: str = "", below: str = "") -> str:
    """Return lines that are broken between words to the width of the terminal; `below` stands before what goes on."""
    width = max(len(below) + 40, _width())
    return "\n".join(fill(line, width, initial_indent=indent, subsequent_indent=below) for line in text.split("\n"))


def _width() -> int:
    """Return the width, in characters, of the terminal or of `COLUMNS`; where there is neither, no line is broken."""
    if "COLUMNS" not in os.environ and not sys.stdout.isatty():
        return UNBROKEN
    return max(60, get_terminal_size((120, 24)).columns)


def _console() -> Console:
    """Return a console that raises the error of a closed pipe, which the command line handles."""
    from rich.console import Console

    class Piped(Console):
        def on_broken_pipe(self) -> NoReturn:
            raise BrokenPipeError

    return Piped(highlight=False, soft_wrap=False, width=_width())


class Answered(Protocol):
    """An answer to a question about one definition, for a model or a family."""

    @property
    def definition(self) -> str:
        """The key of the definition."""

    @property
    def verdict(self) -> str:
        """`holds`, `fails`, `vacuous`, `undecided` or `unsupported`."""


def print_verdicts(answers: Iterable[Answered], path: str, *, alone: bool) -> None:
    """Print one verdict a line (`--quiet`), after the path, where there is one, and the definition, unless `alone`."""
    for answer in answers:
        verdict = answer.verdict
        if for_some_epsilon(answer):
            verdict += {"holds": " for some finite ε", "fails": " at every finite ε"}.get(verdict, "")
        words = (path, "" if alone else answer.definition, verdict)
        echo(": ".join(word for word in words if word))


def for_some_epsilon(answer: object) -> bool:
    """Whether an answer about a model is for some finite ε, since the question has none."""
    from verifier.definitions import Verdict, find

    return isinstance(answer, Verdict) and answer.epsilon is None and find(answer.definition).has_epsilon


def write_certificate(path: Path, make: Callable[[], str]) -> None:
    """Write a certificate, whose text `make` returns.

    Raises:
        InputError: where the answer has no certificate, with the reason.
        MachineError: where the file cannot be written.

    """
    try:
        text = make()
    except UnsupportedError as error:
        raise InputError(error.message, where="--certificate", wanted=error.wanted, tip=error.tip) from None
    write_file(path, text, "the certificate")


def write_file(path: Path, text: str, noun: str) -> None:
    """Write a file that an option asks for, and say on standard error where it is."""
    write_whole(path, text)
    notice(f"{noun} is in {path}")


def as_text(value: Any) -> str:
    r"""Return a value as one line of JSON; characters that no terminal should be sent are escaped.

    >>> as_text(["ε", "\u202e", "\x7f"])
    '["ε", "\\u202e", "\\u007f"]'
    """
    text = json.dumps(value, ensure_ascii=False)
    return text if is_printable(text) else "".join(c if is_printable(c) else json.dumps(c)[1:-1] for c in text)


def echo(text: str) -> None:
    """Print lines of text; characters that no terminal should be sent are escaped."""
    typer.echo(printable(text, lines=True))
