"""`pkdp new`: five questions, and a model file with comments that answers them."""

from __future__ import annotations

import os
import sys
from collections.abc import Sequence
from pathlib import Path
from typing import Annotated

import typer

from verifier.cli.common import echo
from verifier.cli.draft import QUESTIONS, Draft, answered, file_of, finished
from verifier.cli.stopping import text_of_error
from verifier.errors import InputError
from verifier.machine.files import refuse_file, write_whole

DASH = Path("-")
MOST_BYTES = 1 << 16
HINT = "an empty answer is the default; Ctrl-C ends this, and nothing is written"


def new(
    file: Annotated[Path, typer.Argument(metavar="FILE", help="the file to write; - is standard output")] = Path(
        "mine.toml"
    ),
    answers: Annotated[
        list[str] | None, typer.Option("--answer", help="an answer in place of asking: five times; empty: the default")
    ] = None,
    overwrite: Annotated[bool, typer.Option("--overwrite", help="replace the file where there is one")] = False,  # noqa: FBT002
) -> None:
    """Ask five questions, and write a model file with comments.

    The values of a record, how many records, how probable each value is, what the attacker knows, what is published.
    Without a terminal the answers are the five lines of standard input.
    """
    _refuse_target(file, overwrite=overwrite)
    if answers is not None:
        draft = finished(_five(answers, "--answer"))
    elif sys.stdin is not None and sys.stdin.isatty():
        draft = _interview()
    else:
        draft = finished(_five(_lines(), "standard input"))
    text = file_of(draft)
    if file == DASH:
        typer.echo(text, nl=False)
        return
    _refuse_target(file, overwrite=overwrite)  # a file may have come into being while the answers were given
    write_whole(file, text)
    echo(f"wrote {file}\nDecide it: pkdp check {file}")


def _refuse_target(file: Path, *, overwrite: bool) -> None:
    """Refuse a path at which no model file can be written."""
    if file == DASH:
        return
    if file.suffix != ".toml":
        raise InputError(f"given {file}", where="FILE", wanted="a name that ends in .toml, or - for standard output")
    refuse_file(file, "FILE")
    if os.path.lexists(file) and not overwrite:
        raise InputError(f"{file} is there already", where="FILE", wanted="a free name", tip="--overwrite replaces it")


def _five(answers: Sequence[str], source: str) -> Sequence[str]:
    """Return the answers, where their number is that of the questions.

    Raises:
        InputError: for another number of answers.

    """
    if len(answers) != len(QUESTIONS):
        tip = " ".join(f"{number}. {question.asks}" for number, question in enumerate(QUESTIONS, start=1))
        wanted = f"{len(QUESTIONS)} answers; an empty one is the default"
        raise InputError(f"given {len(answers)}", where=source, wanted=wanted, tip=tip)
    return answers


def _lines() -> list[str]:
    """Return the lines of standard input."""
    content = b"" if sys.stdin is None else sys.stdin.buffer.read(MOST_BYTES + 1)
    if len(content) > MOST_BYTES:
        raise InputError(f"given more than {MOST_BYTES:,} bytes", where="standard input", wanted="five lines")
    return _text(content).splitlines()


def _text(content: bytes) -> str:
    try:
        return content.decode("utf-8")
    except UnicodeDecodeError as error:
        wanted = "answers in UTF-8"
        raise InputError(f"byte {error.start} is not UTF-8", where="standard input", wanted=wanted) from None


def _interview() -> Draft:
    """Ask the questions at a terminal, again after each answer that cannot be used, and return the draft."""
    draft = Draft()
    _say(f"{len(QUESTIONS)} questions; {HINT}.\n")
    for number, question in enumerate(QUESTIONS):
        _say(f"\n{number + 1}. {question.asks}\n   {question.wanted}\n")
        while True:
            _say(f"   [{question.default(draft)}] ")
            line = sys.stdin.buffer.readline(MOST_BYTES)
            if not line:
                raise InputError(f"it ended before answer {number + 1}", where="standard input", wanted="five answers")
            try:
                draft = answered(draft, number, _text(line))
                break
            except InputError as error:
                _say(f"   {text_of_error(error, as_json=False)}\n")
    return draft


def _say(text: str) -> None:
    """Write to standard error, where the person at the terminal reads it; standard output is for the answer."""
    sys.stderr.write(text)
    sys.stderr.flush()
