"""Options and functions that all commands share: print an answer in a format, and name the file of an error."""

from __future__ import annotations

import json
import sys
from collections.abc import Callable, Iterable, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, field
from pathlib import Path
from typing import Annotated, Any, Protocol

import typer

from verifier.checker.answers import Rejected
from verifier.cli.stopping import refusal_of, text_of_error
from verifier.errors import InputError, PkdpError, UnsupportedError, is_printable, printable
from verifier.machine.files import write_whole
from verifier.show.sheet import FORMATS, Sheet, csv_tables

MODEL = "a model file (pkdp guide format), a bundled model by its name (pkdp examples), FILE.py, or - (standard input)"
File = Annotated[str, typer.Argument(metavar="MODEL", help=MODEL)]
AsJson = Annotated[bool, typer.Option("--json", help="one JSON object on standard output")]
Format = Annotated[str, typer.Option("--format", help="table, markdown, latex or csv")]
MaxRows = Annotated[int, typer.Option("--max-rows", min=1, help="most worlds, pairs or sums to list")]
Reading = Annotated[str, typer.Option(help="another reading by name (pkdp conventions)")]
With = Annotated[
    list[str] | None, typer.Option("--with", help="a file with definitions of your own (pkdp guide own-definitions)")
]
Sets = Annotated[list[str] | None, typer.Option("--set", help="fix a parameter: p=1/7")]
DEFAULT_ROWS = 1 << 22


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


def check_format(name: str) -> str:
    """Return the name of a format.

    Raises:
        InputError: for a name that is no format.

    """
    if name not in FORMATS:
        raise InputError(f"given {name}", where="--format", wanted=f"one of {', '.join(FORMATS)}")
    return name


def print_sheets(sheets: Sequence[Sheet], kind: str) -> None:
    """Print tables as Markdown, LaTeX or CSV, or for the terminal."""
    if kind == "table":
        from verifier.cli.console import print_sheet

        for number, sheet in enumerate(sheets):
            if number and not sheet.title:
                echo("")
            print_sheet(sheet)
    elif kind == "csv":
        typer.echo(csv_tables(sheets))
    else:
        typer.echo("\n\n".join(sheet.render(kind) for sheet in sheets))


def print_answer(
    json_of: Callable[[], Any], sheets: Callable[[], Sequence[Sheet]], kind: str, *, as_json: bool
) -> None:
    """Print an answer as one line of JSON, or as tables in the format `kind`."""
    if as_json:
        typer.echo(as_text(json_of()))
    else:
        print_sheets(sheets(), kind)


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


def write_certificate(path: Path, text_of: Callable[[], str]) -> None:
    """Write a certificate; `text_of` returns its text.

    Raises:
        InputError: where the answer has no certificate, with the reason.
        MachineError: where the file cannot be written.

    """
    try:
        text = text_of()
    except UnsupportedError as error:
        raise InputError(error.message, where="--certificate", wanted=error.wanted, tip=error.tip) from None
    write_file(path, text, "the certificate")


def write_file(path: Path, text: str, noun: str) -> None:
    """Write a file that an option asks for, and say on standard error where it is."""
    from verifier.cli.waiting import notice

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
