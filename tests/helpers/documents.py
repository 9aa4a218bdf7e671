"""Documents as tests read them: the fenced blocks of a page, and the commands that are shown in one."""

from __future__ import annotations

import importlib
import re
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from itertools import groupby
from pathlib import Path
from typing import Any

import pytest

ROOT = Path(__file__).resolve().parents[2]


def blocks(name: str, language: str) -> list[str]:
    """The blocks of a page in one language."""
    text = (ROOT / name).read_text(encoding="utf-8")
    fenced = re.findall(r"^```(\w*)\n(.*?)^```$", text, re.DOTALL | re.MULTILINE)
    return [body for kind, body in fenced if kind == language]


def commands_of(block: str) -> Iterator[tuple[list[str], list[str], int]]:
    """Each `$ pkdp …` line with what is shown below it and the exit status that its comment promises."""
    for part in re.split(r"^\$ pkdp ", block, flags=re.MULTILINE)[1:]:
        first, *output = part.rstrip().splitlines()
        command, _, comment = first.partition("#")
        status = int(found[1]) if (found := re.search(r"exit status (\d)", comment)) else 0
        yield [one.strip('"') for one in re.findall(r'"[^"]*"|\S+', command)], output, status


def shown_of(output: list[str], said: list[str]) -> bool:
    """Whether the lines of a page are lines of an output, one after the other; `…` stands for those left out."""
    start = 0
    parts = [list(group) for left_out, group in groupby(output, "…".__eq__) if not left_out]
    for lines in parts:
        places = [k for k in range(start, len(said) - len(lines) + 1) if said[k : k + len(lines)] == lines]
        if not places:
            return False
        start = places[0] + len(lines)
    return True


@contextmanager
def site_modules() -> Iterator[Any]:
    """What imports the modules of docs/_ext, which make the site, by their names; they are gone afterwards."""
    folder, known = str(ROOT / "docs" / "_ext"), set(sys.modules)
    with pytest.MonkeyPatch.context() as patch:
        patch.syspath_prepend(folder)
        yield importlib.import_module
    for name in set(sys.modules) - known:
        if str(getattr(sys.modules[name], "__file__", "")).startswith(folder):
            del sys.modules[name]
