"""What `pkdp course` and `pkdp grade` can be asked: their options and their help."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path
from typing import Annotated

import typer

from verifier.cli.common import AsJson, Replied


@dataclass(frozen=True)
class Course:
    """Open the course in your browser.

    It has eight notebooks to read and play with, and exercises that pkdp checks. Everything is served on this machine,
    and answers stay in the browser. Stop with Ctrl-C. `pkdp grade FILE…` checks the sheets that students hand in.
    """

    name: Annotated[
        str | None, typer.Argument(metavar="[NOTEBOOK]", help="number or name of a notebook; default: the start page")
    ] = None
    edit: Annotated[
        Path | None,
        typer.Option(metavar="DIR", hidden=True, help="gone: it says so"),
    ] = None
    port: Annotated[int | None, typer.Option(min=1, max=65535, help="port of the pages; default: a free one")] = None
    browser: Annotated[bool, typer.Option(help="browser, or only the address")] = True
    listed: Annotated[bool, typer.Option("--list", help="list of the notebooks and their places")] = False


@dataclass(frozen=True)
class Grade(Replied):
    """Grade what students hand in: sheets of the course, or answer codes.

    Answer codes: give the question that you set (its file, or its link) and text files with one code a line. pkdp puts
    each student's answer into your question and decides it again. Give the same --word that you wrote on the board.

    Sheets: give the JSON files that students saved in the course, with no question. pkdp checks every exercise again.

    You get one row for each answer, with its verdict and points. pkdp cannot check the name, the number of tries, and
    whether the student looked at the verdict. Exit status: 0 all is as handed in, 1 some answer is not, 2 a file is
    refused.
    """

    files: Annotated[
        list[str],
        typer.Argument(
            metavar="FILE…", help="questions (TOML files, links) and files of codes (text); or sheets (JSON)"
        ),
    ]
    word: Annotated[
        str | None, typer.Option(metavar="WORD", help="word on the board with which codes were made; default: none")
    ] = None
    as_json: AsJson = False
    seconds: Annotated[int, typer.Option(min=1, max=3600, help="longest time for one answer or model, in seconds")] = 60
