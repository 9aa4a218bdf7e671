"""Transcripts: what commands print, as a user sees it, kept in `*.txt` beside this file and compared as a whole.

A transcript is read from top to bottom. `## ` begins a remark, `--- NAME` a file with the lines that follow, and
`$ pkdp …` a command; then come what it wrote to standard output, `! ` and what it wrote to standard error, and `= `
with its exit status where that is not 0. A command reads a file as its standard input where it ends in `< NAME`.
`>>> ` begins a statement of Python, `... ` goes on with it; then comes what it printed, or `! ` and its exception.
JSON is shown with one value a line; a heading of Markdown, which looks like a remark, has a space before it. What
changes from run to run is `…`.

`python -m transcripts` writes all of them anew; what changed is read in the diff.
"""

from __future__ import annotations

import contextlib
import io
import json
import os
import re
import shlex
import sys
from collections.abc import Iterator
from dataclasses import dataclass, field
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any

from verifier.cli.main import run
from verifier.definitions import DEFINITIONS
from verifier.model.library import models_folder
from verifier.version import VERSION

HERE = Path(__file__).parent
WIDTH = "110"
"""Columns of the terminal."""
VARYING = {"sha256", "version", "seconds", "milliseconds"}
"""Fields of JSON that are not compared."""


@dataclass
class Step:
    """Remarks, files, and the command, or the lines of Python, that are given then."""

    before: list[str] = field(default_factory=list)
    given: list[str] = field(default_factory=list)

    def files(self) -> Iterator[tuple[str, str]]:
        """The names of the files, and what stands in them."""
        name, lines = "", list[str]()
        for line in [*self.before, "--- "]:
            if line.startswith("--- "):
                if name:
                    yield name, "\n".join(lines) + "\n"
                name, lines = line[4:], []
            elif not line.startswith("## "):
                lines.append(line)


def steps(text: str) -> list[Step]:
    """The steps of a transcript, without what the commands printed."""
    found, inside = [Step()], True
    for line in text.splitlines():
        if line.startswith(("$ pkdp ", ">>> ")):
            found[-1].given = [line]
            found.append(Step())
            inside = False
        elif line.startswith("... ") and not inside and found[-2].given[-1].startswith((">>> ", "... ")):
            found[-2].given.append(line)
        elif line.startswith(("## ", "--- ")) or inside:
            inside = True
            found[-1].before.append(line)
    return found[:-1]


def shown(code: str, names: dict[str, Any]) -> list[str]:
    """What a statement of Python prints at a prompt, or its exception."""
    out = io.StringIO()
    with contextlib.redirect_stdout(out):
        try:
            exec(compile(code + "\n", "<transcript>", "single"), names)  # noqa: S102 - our own text
        except Exception as error:  # noqa: BLE001 - it is shown, whatever it is
            print(f"! {type(error).__name__}: {error}")
    return [steady(line) for line in out.getvalue().splitlines()]


def answered(command: str) -> list[str]:
    """What a command prints, and its exit status, in lines."""
    out, err, status = io.StringIO(), io.StringIO(), 0
    command, _, given = command.partition(" < ")
    stdin = io.TextIOWrapper(io.BytesIO(Path(given).read_bytes() if given else b""), encoding="utf-8")
    with contextlib.redirect_stdout(out), contextlib.redirect_stderr(err), contextlib.ExitStack() as stack:
        stack.callback(setattr, sys, "stdin", sys.stdin)
        sys.stdin = stdin
        try:
            run(shlex.split(command)[1:])
        except SystemExit as stop:
            status = int(stop.code or 0)
    printed = out.getvalue()
    if "--json" in command and printed:
        told = [same(json.loads(line)) for line in printed.splitlines()]
        printed = "\n".join(json.dumps(one, ensure_ascii=False, indent=1) for one in told)
    lines = [f" {steady(line)}" if line.startswith("## ") else steady(line) for line in printed.splitlines()]
    lines += [f"! {steady(line)}".rstrip() for line in err.getvalue().splitlines()]
    return [*lines, *([f"= {status}"] if status else []), ""]


def same(value: object) -> object:
    """JSON without what changes from run to run."""
    if isinstance(value, dict):
        return {key: "…" if key in VARYING else same(one) for key, one in value.items()}
    return [same(one) for one in value] if isinstance(value, list) else value


def steady(line: str) -> str:
    """A line without its times, the version, and the place of the bundled models."""
    line = line.replace(VERSION, "…").replace(f"{models_folder()}/", "models/")
    return re.sub(r"\b[0-9][0-9,]*(\.[0-9]+)? (m?s)\b", r"… \2", line).rstrip()


def remade(text: str) -> str:
    """The transcript of the same commands, given now, in a folder of their own."""
    lines, names, definitions = list[str](), dict[str, Any](), dict(DEFINITIONS)
    with TemporaryDirectory() as folder, contextlib.chdir(folder):
        Path("models").symlink_to(models_folder())  # a path as long on every machine, so that titles break alike
        for step in steps(text):
            for name, content in step.files():
                Path(name).write_text(content, encoding="utf-8")
            lines += [*step.before, *step.given]
            first = step.given[0]
            if first.startswith("$ "):
                lines += answered(first[2:])
            else:
                lines += shown("\n".join(line[4:] for line in step.given), names)
    DEFINITIONS.clear()  # what a command registered is forgotten
    DEFINITIONS.update(definitions)
    return "\n".join(lines)


def all_files() -> list[Path]:
    return sorted(HERE.glob("*.txt"))


@contextlib.contextmanager
def terminal() -> Iterator[None]:
    """A terminal of so many columns."""
    before = os.environ.get("COLUMNS")
    os.environ["COLUMNS"] = WIDTH
    try:
        yield
    finally:
        os.environ.pop("COLUMNS")
        if before is not None:
            os.environ["COLUMNS"] = before
