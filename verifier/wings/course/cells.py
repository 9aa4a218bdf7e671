"""A notebook of the course: its cells, and which of them run again when a reader changes a control.

A notebook is a file in marimo's format, and no more than Python is needed to run it. Each cell is a function: its
parameters are the names that it uses, the names that it returns are those that others may use, and its last expression
is what it shows. So the graph of the cells is in the file.
"""

from __future__ import annotations

import ast
import linecache
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from functools import cache
from importlib.abc import SourceLoader
from importlib.util import module_from_spec, spec_from_loader
from pathlib import Path
from types import CodeType
from typing import Any

from verifier.errors import InputError, PkdpError
from verifier.wings.course.controls import Button, Control, unknown
from verifier.wings.course.files import notebook, source_of
from verifier.wings.course.fragment import Fragment, html_of
from verifier.wings.course.reading import problem

MOST_CHANGES = 10_000
"""Most changes of one page: some hours of dragging."""
FAILURES = (PkdpError, ArithmeticError, LookupError, TypeError, ValueError, RecursionError, ImportError, OSError)
"""The errors of a cell that are shown in its place, so that the others work."""
WAITS = Fragment("<p class='pk-soft'>This part waits for one above, which did not work.</p>")


@dataclass
class Cell:
    """A cell: the names that it uses and gives, whether it shows something, and what came of running it."""

    number: int
    uses: tuple[str, ...]
    gives: tuple[str, ...]
    shows: bool
    work: Callable[..., tuple[object, tuple[Any, ...]]]
    ran: bool = False
    controls: list[Control] = field(default_factory=list)
    output: object = None
    failed: Exception | None = None

    @property
    def page(self) -> str:
        """What it shows, as HTML."""
        return "" if self.output is None else f"<div class='pk'>{html_of(self.output)}</div>"


def cells_of(source: str | bytes) -> list[ast.FunctionDef]:
    """Return the cells of a notebook's source."""
    functions = [node for node in ast.parse(source).body if isinstance(node, ast.FunctionDef)]
    return [node for node in functions if any("app.cell" in ast.unparse(one) for one in node.decorator_list)]


class Loader(SourceLoader):
    """Loads a notebook as a module of functions: each does the work of a cell, and returns what it shows and gives."""

    def __init__(self, path: Path) -> None:
        """Remember the file."""
        self.path = path
        self.cells: list[tuple[tuple[str, ...], tuple[str, ...], bool]] = []
        """What each cell uses and gives, and whether it shows something."""

    def get_filename(self, fullname: str) -> str:  # noqa: ARG002 - one loader loads one file
        """The file's path."""
        return str(self.path)

    def get_data(self, path: str | bytes) -> bytes:  # noqa: ARG002
        """The file's content."""
        return source_of(self.path)

    def source_to_code(self, data: Any, path: Any = "<string>") -> CodeType:  # type: ignore[override]
        """The cells as functions `cell_0`, `cell_1`, …; all else of the file is left out."""
        cells = cells_of(data)
        self.cells = [self._function(node, number) for number, node in enumerate(cells)]
        return compile(
            ast.fix_missing_locations(ast.Module(list[ast.stmt](cells), [])), path, "exec", dont_inherit=True
        )

    @staticmethod
    def _function(node: ast.FunctionDef, number: int) -> tuple[tuple[str, ...], tuple[str, ...], bool]:
        """Make the function of a cell return what the cell shows, and what it gives."""
        uses = tuple(argument.arg for argument in node.args.args)
        body, gives = list(node.body), ast.Tuple([], ast.Load())
        if isinstance(body[-1], ast.Return):
            last = body.pop()
            if isinstance(last, ast.Return) and last.value is not None:
                gives = last.value if isinstance(last.value, ast.Tuple) else ast.Tuple([last.value], ast.Load())
        shown: ast.expr = ast.Constant(None)
        if body and isinstance(body[-1], ast.Expr):
            shown = body[-1].value
            body.pop()
        shows = not isinstance(shown, ast.Constant)
        node.name, node.decorator_list = f"cell_{number}", []
        node.body = [*body, ast.Return(ast.Tuple([shown, gives], ast.Load()))]
        return uses, tuple(name.id for name in gives.elts if isinstance(name, ast.Name)), shows


class Notebook:
    """A notebook that runs: a cell runs when it is first needed, and again when what it uses has changed.

    Raises:
        InputError: where the file is no notebook.

    """

    def __init__(self, path: Path) -> None:
        """Read the cells; none runs yet."""
        loader = Loader(path)
        spec = spec_from_loader(f"course_{path.stem}", loader)
        if spec is None:
            raise InputError("it cannot be run", where=str(path), wanted="a notebook of the course")
        module = module_from_spec(spec)
        lines = source_of(path).decode().splitlines(keepends=True)
        linecache.cache[str(path)] = (len(lines), None, lines, str(path))  # for functions that show their text
        loader.exec_module(module)
        self.path = path
        self.cells = [Cell(k, *parts, getattr(module, f"cell_{k}")) for k, parts in enumerate(loader.cells)]
        self.maker = {name: cell for cell in self.cells for name in cell.gives}
        self.values: dict[str, Any] = {}
        self.log: list[Any] = []
        """The changes that were made, as the page wrote them."""
        self.touched: list[set[int]] = []
        """The cells that ran again at each change."""

    def run(self, cell: Cell) -> None:
        """Run a cell, after those that it needs."""
        for name in cell.uses:
            if not self.maker[name].ran:
                self.run(self.maker[name])
        cell.ran, cell.failed, cell.controls, cell.output = True, None, [], None
        for name in cell.gives:
            self.values.pop(name, None)
        if not all(name in self.values for name in cell.uses):
            cell.output = WAITS if cell.shows else None
            return
        before, Control.making = Control.making, (cell.number, cell.controls)
        try:
            cell.output, given = cell.work(*(self.values[name] for name in cell.uses))
            self.values |= zip(cell.gives, given, strict=True)
        except FAILURES as error:
            known = error if isinstance(error, PkdpError) else InputError(f"this part does not work here: {error}")
            cell.failed, cell.output = error, problem(known)
        finally:
            Control.making = before

    def whole(self) -> list[Cell]:
        """Run every cell that has not run yet, and return all."""
        for cell in self.cells:
            if not cell.ran:
                self.run(cell)
        return self.cells

    def change(self, control: object, raw: object) -> None:
        """Set a control to what a page has; the cells that depend on it run again when they are shown, or needed.

        Whoever presses a button has an answer checked, which is done at once.

        Raises:
            InputError: for what is no control, and what it cannot be set to.

        """
        parts = control.split(".") if isinstance(control, str) else []
        if len(parts) not in {2, 4} or not all(part.isdecimal() and len(part) < 4 for part in parts):
            raise unknown(control)
        number, position, *place = map(int, parts)
        try:
            cell = self.cells[number]
            if not cell.ran:
                self.run(cell)
            changed = cell.controls[position]
            changed.set(raw, *place)
        except (LookupError, TypeError):
            raise unknown(control) from None
        names = {name for name in cell.gives if self.values.get(name) is changed}
        nearest = [one for one in self.cells if names.intersection(one.uses)]
        self.touched.append(set())
        for below in self.cells:
            if names.intersection(below.uses):
                names.update(below.gives)
                below.ran = False
                self.touched[-1].add(below.number)
        for checked in nearest if isinstance(changed, Button) else ():
            self.run(checked)
        self.log.append([control, raw])

    def since(self, seen: int) -> list[Cell]:
        """Return the cells that so many changes and all later ones touched, as they are now."""
        shown = [self.cells[number] for number in sorted(set[int]().union(*self.touched[seen:]))]
        for cell in shown:
            if not cell.ran:
                self.run(cell)
        return shown


@cache
def run_notebook(path: Path) -> tuple[list[object], dict[str, Any]]:
    """Run a notebook once, as it is shown first, and return what each cell shows, and the names that the cells define.

    Raises:
        InputError: where the file is no notebook.

    """
    book = Notebook(path)
    for cell in book.whole():
        if cell.failed is not None:
            raise cell.failed
    return [cell.output for cell in book.cells], book.values


OPEN: dict[Path, Notebook] = {}
"""The notebooks that pages have changed."""


def reply(fields: Mapping[str, Any]) -> dict[str, Any]:
    """Answer a page: `log` has all changes that it made, `seen` how many of them it knows the results of.

    Only what is new here is done. So a page that is loaded again, or whose process was ended, gets back to where it
    was.

    Raises:
        InputError: for a notebook that is not there, and for a log that is none.

    """
    path, log, seen = notebook(str(fields.get("notebook"))[:40]), fields.get("log"), fields.get("seen")
    if not isinstance(log, list) or len(log) > MOST_CHANGES or type(seen) is not int or not 0 <= seen <= len(log):
        raise InputError("this is not a list of changes", where="log", wanted=f"at most {MOST_CHANGES:,} changes")
    book = OPEN.get(path)
    if book is None or book.log != log[: len(book.log)]:
        book = OPEN[path] = Notebook(path)
    for change in log[len(book.log) :]:
        if not isinstance(change, list) or len(change) != 2:
            raise unknown(change)
        book.change(*change)
    shown = book.since(seen)
    absent = next((cell.failed for cell in shown if isinstance(cell.failed, ImportError | OSError)), None)
    if absent is not None and not path.exists():  # the rest of the program is still to come: it is asked again then
        del OPEN[path]
        raise absent
    return {"cells": {str(cell.number): cell.page for cell in shown}}
