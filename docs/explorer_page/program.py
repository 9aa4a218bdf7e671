"""The program of the page: the package and the wheels, compiled, and the memory of an interpreter with them."""

from __future__ import annotations

import ast
import json
import re
import subprocess
import sys
import zipfile
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from verifier.model.library import models_folder
from verifier.wings.course.files import notebooks, source_of

HERE = Path(__file__).resolve().parent
PACKAGE = HERE.parents[1] / "verifier"
SITE = "/lib/python3.14/site-packages"
"""Where the worker unpacks the program."""
LEFT_OUT = re.compile(r"flint/test/|\.pyi$|(^|/)(tests?|licenses)/|\.dist-info/RECORD$")
"""Files of wheels that the page does not need; the licences stand beside the page instead."""
WINGS = re.compile(
    r"wings/(?!course/(?!grad|submission_file)|explore/|families/|__init__|teach/(?!command|grading)|"
    r"exchange/(?!command|models)|papers/(?:__init__|bounds/(?!command|options))|"
    r"search/(?!batch/|worst/|command|options|enumeration|in_columns|program|symmetry|tally|workers))"
)
"""The parts of the package that the explorer does not ask."""
FLINT = '''\
"""python-flint, of which each type is loaded when it is first used."""

from importlib import import_module

from .pyflint import ctx

MODULES = {modules}


def __getattr__(name):
    """A type of python-flint."""
    if name not in MODULES:
        raise AttributeError(f"module 'flint' has no attribute {{name!r}}")
    globals()[name] = value = getattr(import_module(MODULES[name], __name__), name)
    return value
'''
"""What stands in place of python-flint's `__init__`, which loads all of its 48 libraries."""


@dataclass(frozen=True)
class Program:
    """The files that the page loads: the program, its libraries and the memory; `libraries` are paths with sizes.

    `checksum` is that of the memory; `varying` are the places where each interpreter has its own random numbers.
    """

    files: dict[str, bytes]
    libraries: list[tuple[str, int]]
    checksum: int
    varying: list[tuple[int, int]]


def compiled(runtime: Path, work: Path, wheels: list[Path], questions: list[tuple[str, Any]]) -> Program:
    """The program, compiled by the interpreter in `runtime`; its memory has answered `questions`.

    Raises:
        SystemExit: where the interpreter cannot do it.

    """
    source, folder = work / "source.zip", work / "libraries"
    with zipfile.ZipFile(source, "w") as archive:
        for name, content in _files(wheels):
            archive.writestr(zipfile.ZipInfo(name), content)
    (work / "questions.json").write_text(json.dumps(questions), encoding="utf-8")
    _node("compile.mjs", runtime, source, work, work / "questions.json")
    order = json.loads((work / "order.json").read_text(encoding="utf-8"))
    with zipfile.ZipFile(source) as archive:
        archive.extractall(folder, order)
    (folder / "order.json").write_text(json.dumps(order), encoding="utf-8")
    _node("memory.mjs", runtime, work / "program.zip", folder, work, SITE, work / "questions.json")
    memory = json.loads((work / "memory.json").read_text(encoding="utf-8"))
    packed = ("interpreter.zst", "script.zst", "program.zst", "libraries.zst", "memory.zst")
    files = {name: (work / name).read_bytes() for name in packed}
    return Program(files, [(path, (folder / path).stat().st_size) for path in order], memory["sum"], memory["varying"])


def _node(script: str, *arguments: object) -> None:
    """Run a script of this folder in node."""
    done = subprocess.run(
        ["node", str(HERE / script), *map(str, arguments)], capture_output=True, text=True, check=False
    )
    if done.returncode:
        sys.exit(f"{script} failed:\n{done.stderr[-2000:]}")


def _files(wheels: list[Path]) -> Iterator[tuple[str, bytes]]:
    """The files of the program by their paths in `site-packages`."""
    for wheel in wheels:
        with zipfile.ZipFile(wheel) as archive:
            for name in archive.namelist():
                if not name.endswith("/") and not LEFT_OUT.search(name):
                    content = archive.read(name)
                    yield name, _lazy(content) if name == "flint/__init__.py" else content
    for path in sorted(PACKAGE.rglob("*")):
        name = path.relative_to(PACKAGE).as_posix()
        data = path.suffix in {".py", ".toml"} or "templates/" in name
        if path.is_file() and data and "__pycache__" not in name and not WINGS.search(name):
            yield f"verifier/{name}", path.read_bytes()
    models = models_folder()
    for path in sorted(models.rglob("*.toml")):
        yield f"verifier/data/models/{path.relative_to(models).as_posix()}", path.read_bytes()
    for path in notebooks():
        yield f"verifier/data/course/{path.name}", source_of(path)


def _lazy(content: bytes) -> bytes:
    """The `__init__` of python-flint that loads a type when it is used, made from the one that loads all."""
    modules = {
        alias.asname or alias.name: f".{statement.module}"
        for statement in ast.parse(content).body
        if isinstance(statement, ast.ImportFrom)
        for alias in statement.names
        if statement.module != "pyflint" and alias.asname is None
    }
    return FLINT.format(modules=json.dumps(modules, indent=4)).encode()
