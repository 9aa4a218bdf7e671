"""What `pkdp course` and `pkdp grade` can be asked: their options and their help."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path
from typing import Annotated

import typer

from verifier.cli.common import AsJson, Replied


@dataclass(frozen=True)
class Course:
    """Open the course: notebooks to read and play with, or with --edit one to change. Needs the extra `course`.

    The start page says what one can do after each notebook. Everything is served on this machine alone. Stop with
    Ctrl-C. `pkdp grade FILE…` checks the sheets that students hand in.
    """

    name: Annotated[
        str | None, typer.Argument(metavar="[NOTEBOOK]", help="its number or name; default: the start page")
    ] = None
    edit: Annotated[
        Path | None,
        typer.Option(metavar="DIR", help="copy NOTEBOOK to this folder (never overwriting) and open the editor"),
    ] = None
    port: Annotated[int | None, typer.Option(min=1, max=65535, help="default: a free one")] = None
    browser: Annotated[bool, typer.Option(help="open a browser; else only print the address")] = True
    listed: Annotated[bool, typer.Option("--list", help="print the notebooks and where they are")] = False


@dataclass(frozen=True)
class Grade(Replied):
    """Check sheets of the course again: each answer by its exercise, each model by the program. Needs `course`.

    The score in a sheet is not believed; where it differs, the table says so. Tries are what the sheet says. Exit
    status: 0 all sheets are as they say, 1 some say what is not so, 2 a file is refused.
    """

    files: Annotated[
        list[str], typer.Argument(metavar="FILE…", help="sheets that students handed in (JSON of the course)")
    ]
    as_json: AsJson = False
    seconds: Annotated[int, typer.Option(min=1, max=3600, help="that one answer, or one model, may take")] = 60
