"""The notebooks for Jupyter: docs/course/*.ipynb, written by `python -m verifier.wings.course.exports [--check]`.

Each cell becomes a cell: constant prose becomes Markdown, code stays as it is, without marimo and with empty quotes
where a reader types, and what it showed when the notebook ran headless stands below it. Nothing in the file depends on
the day or the machine.
"""

from __future__ import annotations

import ast
import json
import re
import sys
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from textwrap import dedent
from typing import Any

from verifier.errors import InputError
from verifier.wings.course.files import notebooks
from verifier.wings.course.kernel import run_notebook

IMPORT = "import marimo as mo"
EMPTY_ENTRY = re.compile(r'(kit\.entry\("[^"]*")(?=[,)](?! "))')
"""A line to type into, without a text: in Jupyter the text is typed into the code, between empty quotes."""


@dataclass(frozen=True)
class Cell:
    """One cell of a notebook: its source without what marimo adds, and whether its code is folded."""

    source: str
    markdown: bool
    hidden: bool


def cells(text: str, name: str = "") -> list[Cell]:
    r"""Return the cells of a marimo notebook, in the order of the file.

    >>> [cell.source for cell in cells("@app.cell\ndef _(mo):\n    mo.md('Hello')\n    return")]
    ['Hello']
    """
    lines = text.splitlines()
    notebook_cells = []
    for node in ast.parse(text).body:
        if not isinstance(node, ast.FunctionDef) or not any(map(_is_cell, node.decorator_list)):
            continue
        said = _prose(node)
        hidden = any("hide_code=True" in ast.unparse(decorator) for decorator in node.decorator_list)
        source = _code(node, lines, name) if said is None else dedent(said).strip()
        notebook_cells.append(Cell(source, markdown=said is not None, hidden=hidden))
    return notebook_cells


def _is_cell(decorator: ast.expr) -> bool:
    return ast.unparse(decorator).split("(")[0] == "app.cell"


def _prose(node: ast.FunctionDef) -> str | None:
    """Return the text of a cell that is nothing but `mo.md` of a constant, else None."""
    body = [statement for statement in node.body if not isinstance(statement, ast.Return)]
    if len(body) != 1 or not isinstance(body[0], ast.Expr) or not isinstance(body[0].value, ast.Call):
        return None
    call = body[0].value
    first = call.args[0] if call.args else None
    if ast.unparse(call.func) != "mo.md" or not isinstance(first, ast.Constant):
        return None
    return str(first.value)


def _code(node: ast.FunctionDef, lines: Sequence[str], name: str) -> str:
    """Return the body of a cell with its comments, without the last `return` and without marimo."""
    start = node.lineno - 1
    while not lines[start].rstrip().endswith(":"):
        start += 1
    last = node.body[-1]
    end = last.lineno - 1 if isinstance(last, ast.Return) else last.end_lineno
    source = dedent("\n".join(lines[start + 1 : end])).strip("\n")
    kept = "\n".join(line for line in source.split("\n") if line != IMPORT)
    source = EMPTY_ENTRY.sub(r'\1, ""', kept.strip("\n").replace("\n\n\n", "\n\n"))
    source = source.replace("kit.student()", 'kit.student("")')
    names = {name.id for name in ast.walk(ast.parse(source)) if isinstance(name, ast.Name)}
    if "mo" in names:
        where = f"{name}, line {node.lineno}"
        raise InputError("a cell of code uses marimo", where=where, wanted="`mo.md` of a constant, or kit.show")
    return source


def jupyter(path: Path) -> str:
    """Return a notebook of the course as the text of a Jupyter notebook, with outputs."""
    number = int(path.stem.split("_")[0])
    note = (
        f"*The Jupyter copy of `{path.name}`. Sliders and tables are here what the code says: change the code, then "
        "run the cells below it. An answer is typed between the empty quotes of its cell, as in "
        '`kit.entry("δ", "1/4")`, and your name in `kit.student("Ada Lovelace")`. '
        f"`pkdp course {number}` opens the notebook in which they move.*"
    )
    sources = cells(path.read_text(encoding="utf-8"), path.name)
    outputs, _ = run_notebook(path)
    if len(outputs) != len(sources):
        raise InputError(f"{len(sources)} cells, {len(outputs)} outputs", where=path.name, wanted="as many")
    exported = [_cell(0, Cell(note, markdown=True, hidden=False), None)]
    pairs = enumerate(zip(sources, outputs, strict=True), 1)
    exported += [_cell(number, cell, output) for number, (cell, output) in pairs if cell.source]
    page = {
        "cells": exported,
        "metadata": {
            "kernelspec": {"display_name": "Python 3", "language": "python", "name": "python3"},
            "language_info": {"name": "python"},
        },
        "nbformat": 4,
        "nbformat_minor": 5,
    }
    return json.dumps(page, ensure_ascii=False, indent=1) + "\n"


def _cell(number: int, cell: Cell, output: object) -> dict[str, Any]:
    source = cell.source.splitlines(keepends=True)
    if cell.markdown:
        return {"cell_type": "markdown", "id": f"cell-{number}", "metadata": {}, "source": source}
    folded = {"jupyter": {"source_hidden": True}, "tags": ["hide-input"]} if cell.hidden else {}
    return {
        "cell_type": "code",
        "execution_count": None,
        "id": f"cell-{number}",
        "metadata": folded,
        "outputs": _output(output),
        "source": source,
    }


def _output(output: object) -> list[dict[str, Any]]:
    """Return the outputs of a cell as Jupyter would show them."""
    if output is None:
        return []
    mime_bundle = {"text/plain": repr(output).splitlines(keepends=True)}
    own = getattr(output, "_repr_html_", None)
    mime_bundle |= {"text/html": [own()]} if own is not None else {}
    return [{"data": dict(sorted(mime_bundle.items())), "metadata": {}, "output_type": "display_data"}]


def main(arguments: Sequence[str]) -> int:
    """Write the Jupyter notebooks, or with `--check` return 1 where one of them is stale."""
    stale = 0
    for path in notebooks():
        target, text = path.with_suffix(".ipynb"), jupyter(path)
        if "--check" not in arguments:
            target.write_text(text, encoding="utf-8")
            print(f"wrote {target.name}")  # noqa: T201
        elif not target.exists() or target.read_text(encoding="utf-8") != text:
            print(f"{target.name} is stale: run `make generated`")  # noqa: T201
            stale = 1
    return stale


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
