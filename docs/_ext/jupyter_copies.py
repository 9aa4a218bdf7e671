"""The notebooks of the course for Jupyter, without outputs: made for download when the site is built.

Each cell becomes a cell: constant prose becomes Markdown, code stays as it is, with empty quotes where a reader types.
"""

from __future__ import annotations

import ast
import json
import re
from collections.abc import Iterator
from pathlib import Path
from textwrap import dedent
from typing import Any

from verifier.wings.course.cells import cells_of
from verifier.wings.course.files import notebooks

EMPTY_ENTRY = re.compile(r'(kit\.entry\("[^"]*")(?=[,)](?! "))')
"""A line to type into, without a text: in Jupyter the text is typed into the code, between empty quotes."""
LINK = re.compile(r"\[([^\]]+)\]\((?:explorer:|guide:|\d\.html)[^)]*\)")
"""A link that leads somewhere from a page of the course alone."""
NOTE = (
    "*The Jupyter copy of `{name}`: run all cells. Sliders and tables are here what the code says: change the code, "
    "then run the cells below it. An answer is typed between the empty quotes of its cell, as in "
    '`kit.entry("δ", "1/4")`, and your name in `kit.student("Ada Lovelace")`. '
    "`pkdp course {number}` opens the page in which they move.*"
)


def copies() -> Iterator[tuple[str, str]]:
    """The name and the text of each copy."""
    for path in notebooks():
        yield f"{path.stem}.ipynb", jupyter(path)


def jupyter(path: Path) -> str:
    """A notebook of the course as the text of a Jupyter notebook."""
    text = path.read_text(encoding="utf-8")
    cells = [("markdown", NOTE.format(name=path.name, number=int(path.stem[:2])), False), *parts(text)]
    page = {
        "cells": [_cell(number, *cell) for number, cell in enumerate(cells)],
        "metadata": {
            "kernelspec": {"display_name": "Python 3", "language": "python", "name": "python3"},
            "language_info": {"name": "python"},
        },
        "nbformat": 4,
        "nbformat_minor": 5,
    }
    return json.dumps(page, ensure_ascii=False, indent=1) + "\n"


def parts(text: str) -> Iterator[tuple[str, str, bool]]:
    r"""The cells of a notebook in the order of the file: the type, the source, and whether the code is folded.

    >>> list(parts("@app.cell\ndef _(kit):\n    kit.show('Hello')\n    return"))
    [('markdown', 'Hello', False)]
    """
    lines = text.splitlines()
    for node in cells_of(text):
        said = _prose(node)
        hidden = any("hide_code=True" in ast.unparse(decorator) for decorator in node.decorator_list)
        source = _code(node, lines) if said is None else LINK.sub(r"\1", dedent(said).strip())
        if source:
            yield "code" if said is None else "markdown", source, hidden and said is None


def _prose(node: ast.FunctionDef) -> str | None:
    """The text of a cell that shows nothing but a constant, else None."""
    body = [statement for statement in node.body if not isinstance(statement, ast.Return)]
    if len(body) != 1 or not isinstance(body[0], ast.Expr) or not isinstance(body[0].value, ast.Call):
        return None
    call = body[0].value
    constant = len(call.args) == 1 and isinstance(call.args[0], ast.Constant)
    return str(call.args[0].value) if constant and ast.unparse(call.func) == "kit.show" else None


def _code(node: ast.FunctionDef, lines: list[str]) -> str:
    """The body of a cell with its comments, without the last `return`."""
    start = node.lineno - 1
    while not lines[start].rstrip().endswith(":"):
        start += 1
    last = node.body[-1]
    end = last.lineno - 1 if isinstance(last, ast.Return) else last.end_lineno
    source = dedent("\n".join(lines[start + 1 : end])).strip("\n")
    source = EMPTY_ENTRY.sub(r'\1, ""', source.replace("\n\n\n", "\n\n"))
    return source.replace("kit.student()", 'kit.student("")')


def _cell(number: int, kind: str, source: str, folded: object) -> dict[str, Any]:
    cell = {"cell_type": kind, "id": f"cell-{number}", "metadata": {}, "source": source.splitlines(keepends=True)}
    if kind == "markdown":
        return cell
    metadata = {"jupyter": {"source_hidden": True}, "tags": ["hide-input"]} if folded else {}
    return {**cell, "execution_count": None, "metadata": metadata, "outputs": []}
