"""What every command shares: printing in the asked format, and naming the place of an error."""

from __future__ import annotations

import json
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path
from typing import Annotated, Any

import typer

from verifier.errors import InputError, PkdpError, UnsupportedError, is_printable, printable
from verifier.files import write_whole
from verifier.report.sheet import FORMATS, Sheet

File = Annotated[str, typer.Argument(metavar="MODEL", help="a model file (models/FORMAT.md)")]
AsJson = Annotated[bool, typer.Option("--json", help="one JSON object on standard output")]
Format = Annotated[str, typer.Option("--format", help="table, markdown, latex or csv")]
MaxRows = Annotated[int, typer.Option("--max-rows", min=1, help="refuse models with more worlds than this")]
Reading = Annotated[str, typer.Option(help="another reading by name (pkdp conventions)")]
With = Annotated[
    list[str] | None, typer.Option("--with", help="a file with definitions of your own (docs/own-definitions.md)")
]
DEFAULT_ROWS = 1 << 22


@contextmanager
def about(place: str) -> Iterator[None]:
    """Add the file, or the option, to the place that an error names."""
    try:
        yield
    except PkdpError as error:
        raise error.within(place) from None


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
