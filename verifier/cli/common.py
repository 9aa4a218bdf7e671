"""What every command shares: printing in the asked format, and naming the place of an error."""

from __future__ import annotations

import json
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, field
from pathlib import Path
from typing import Annotated, Any

import typer

from verifier.cli.stopping import refusal_of, text_of_error
from verifier.errors import InputError, PkdpError, UnsupportedError, is_printable, printable
from verifier.machine.files import write_whole
from verifier.replay.answers import Rejected
from verifier.show.sheet import FORMATS, Sheet, csv_tables

File = Annotated[str, typer.Argument(metavar="MODEL", help="a model file (pkdp guide format)")]
AsJson = Annotated[bool, typer.Option("--json", help="one JSON object on standard output")]
Format = Annotated[str, typer.Option("--format", help="table, markdown, latex or csv")]
MaxRows = Annotated[int, typer.Option("--max-rows", min=1, help="refuse models with more worlds than this")]
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
    """The files of one command, answered one by one: what is wrong with one of several does not silence the others.

    The only file of a command raises its error, so that standard output stays empty.
    """

    alone: bool
    as_json: bool = False
    statuses: list[int] = field(default_factory=list)

    @contextmanager
    def file(self, place: str) -> Iterator[None]:
        """Name the file in an error; where there are others, say the error and go on."""
        try:
            with about(place):
                yield
        except (PkdpError, Rejected) as error:
            if self.alone:
                raise
            refusal = refusal_of(error).within(place)
            self.statuses.append(refusal.exit_status)
            typer.echo(text_of_error(refusal, as_json=self.as_json), err=True)

    @property
    def status(self) -> int:
        """The exit status of all: a wrong file first, else the largest."""
        return WRONG if WRONG in self.statuses else max(self.statuses, default=0)


@contextmanager
def about(place: str) -> Iterator[None]:
    """Add the file, or the option, to the place that an error names."""
    try:
        yield
    except PkdpError as error:
        raise error.within(place) from None


def read_own(files: Sequence[str] | None) -> None:
    """Read definitions of one's own; they are then asked like the others."""
    if files:
        from verifier.definitions import load

        for file in files:
            load(file)


def check_format(name: str) -> str:
    """Refuse a format that is none."""
    if name not in FORMATS:
        raise InputError(f"given {name}", where="--format", wanted=f"one of {', '.join(FORMATS)}")
    return name


def print_sheets(sheets: Sequence[Sheet], kind: str) -> None:
    """Print tables, in the terminal or as text."""
    if kind == "table":
        from verifier.cli.console import print_sheet

        for sheet in sheets:
            print_sheet(sheet)
    elif kind == "csv":
        typer.echo(csv_tables(sheets))
    else:
        typer.echo("\n\n".join(sheet.render(kind) for sheet in sheets))


def write_certificate(path: Path, made: Callable[[], str]) -> None:
    """Write a certificate.

    Raises:
        InputError: where there is none, with the reason.
        MachineError: where the file cannot be written.

    """
    try:
        text = made()
    except UnsupportedError as error:
        raise InputError(error.message, where="--certificate", wanted=error.wanted, tip=error.tip) from None
    write_whole(path, text)


def as_text(value: Any) -> str:
    r"""One line of JSON, with the escapes of JSON for what no terminal should be sent.

    >>> as_text(["ε", "\u202e", "\x7f"])
    '["ε", "\\u202e", "\\u007f"]'
    """
    text = json.dumps(value, ensure_ascii=False)
    return text if is_printable(text) else "".join(c if is_printable(c) else json.dumps(c)[1:-1] for c in text)


def echo(text: str) -> None:
    """Print lines of text, with an escape for what no terminal should be sent."""
    typer.echo(printable(text, lines=True))
