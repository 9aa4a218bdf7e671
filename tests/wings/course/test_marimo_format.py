"""A notebook's file as marimo takes it, without marimo: a stand-in for its `App` runs the cells in the order they need.

The format, as marimo's own reader has it (`marimo/_ast/parse.py`): the header, `import marimo`, `app = marimo.App(…)`
with constants, functions under `@app.cell`, and the guard that calls `app.run()`. `__generated_with` may be missing.
"""

from __future__ import annotations

import ast
import runpy
import sys
from collections.abc import Callable
from pathlib import Path
from types import ModuleType
from typing import Any

import pytest

from verifier.wings.course.files import notebooks

Cell = Callable[..., Any]
COMPREHENSIONS = ast.ListComp | ast.SetComp | ast.DictComp | ast.GeneratorExp
"""What has names of its own."""


class App:
    """What a notebook asks of marimo: it keeps the cells, and runs each after those whose names it uses."""

    def __init__(self, **options: str) -> None:
        """Take options; marimo takes constants alone."""
        self.options, self.cells = options, list[Cell]()
        self.values: dict[str, Any] = {}

    def cell(self, function: Cell | None = None, *, hide_code: bool = False) -> Any:
        """Keep a cell; as a decorator with and without options."""
        if function is None:
            return lambda later: self.cell(later, hide_code=hide_code)
        self.cells.append(function)
        return function

    def run(self) -> None:
        """Run the cells: what a cell returns are the names that it gives, in their order."""
        waiting = list(self.cells)
        while waiting:
            cell = next(one for one in waiting if all(name in self.values for name in parameters(one)))
            waiting.remove(cell)
            given = cell(*(self.values[name] for name in parameters(cell)))
            names = returned(cell)
            assert len(given or ()) == len(names)
            assert not self.values.keys() & set(names), "a name is given by one cell"
            self.values |= zip(names, given or (), strict=True)


def parameters(cell: Cell) -> tuple[str, ...]:
    """The names that a cell uses."""
    return cell.__code__.co_varnames[: cell.__code__.co_argcount]


TREES: dict[str, dict[int, ast.FunctionDef]] = {}
"""Of each file its functions by their first lines."""


def returned(cell: Cell) -> tuple[str, ...]:
    """The names in the `return` that ends a cell."""
    code = cell.__code__
    if code.co_filename not in TREES:
        body = ast.parse(Path(code.co_filename).read_text(encoding="utf-8")).body
        functions = [node for node in body if isinstance(node, ast.FunctionDef)]
        TREES[code.co_filename] = {node.decorator_list[0].lineno: node for node in functions}
    last = TREES[code.co_filename][code.co_firstlineno].body[-1]
    assert isinstance(last, ast.Return)
    if last.value is None:
        return ()
    assert isinstance(last.value, ast.Tuple), "a name alone stands in a tuple"
    return tuple(ast.unparse(name) for name in last.value.elts)


def defined(node: ast.FunctionDef) -> set[str]:
    """The names that the body of a cell defines, but for those that belong to the cell alone."""
    names, todo = set[str](), list[ast.AST](node.body)
    while todo:
        one = todo.pop()
        if isinstance(one, ast.FunctionDef | ast.ClassDef):
            names.add(one.name)
        elif isinstance(one, ast.alias):
            names.add(one.asname or one.name)
        elif isinstance(one, ast.Name) and isinstance(one.ctx, ast.Store):
            names.add(one.id)
        if not isinstance(one, ast.FunctionDef | ast.ClassDef | ast.Lambda | COMPREHENSIONS):
            todo += ast.iter_child_nodes(one)
    return {name for name in names if not name.startswith("_")}


@pytest.mark.parametrize("path", notebooks(), ids=lambda path: path.stem)
def test_the_file_has_the_form_that_marimo_reads(path: Path) -> None:
    body = ast.parse(path.read_text(encoding="utf-8")).body
    head, start, app, *cells, guard = body
    assert isinstance(head, ast.Expr)
    assert ast.unparse(start) == "import marimo"
    assert isinstance(app, ast.Assign)
    assert isinstance(app.value, ast.Call)
    assert (ast.unparse(app.targets[0]), ast.unparse(app.value.func), app.value.args) == ("app", "marimo.App", [])
    assert all(isinstance(one.value, ast.Constant) for one in app.value.keywords)
    assert ast.unparse(guard) == "if __name__ == '__main__':\n    app.run()"
    given = set[str]()
    for node in cells:
        assert isinstance(node, ast.FunctionDef)
        (decorator,) = (ast.unparse(one) for one in node.decorator_list)
        assert decorator in {"app.cell", "app.cell(hide_code=True)"}
        assert node.name == "_", "a cell without a name"
        last = node.body[-1]
        assert isinstance(last, ast.Return)
        names = set() if last.value is None else {ast.unparse(one) for one in last.value.elts}  # type: ignore[attr-defined]
        assert names <= defined(node), (path.stem, node.lineno, names - defined(node))
        assert not defined(node) & given, "marimo lets a name stand in one cell alone"
        given |= defined(node)
    used = {one.arg for node in cells if isinstance(node, ast.FunctionDef) for one in node.args.args}
    assert used <= given


@pytest.mark.sweep(4)
@pytest.mark.parametrize("path", notebooks(), ids=lambda path: path.stem)
def test_the_file_runs_as_a_script_with_a_stand_in_for_marimo(path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    marimo = ModuleType("marimo")
    made: list[App] = []

    def app(**options: str) -> App:
        made.append(App(**options))
        return made[-1]

    vars(marimo)["App"] = app
    monkeypatch.setitem(sys.modules, "marimo", marimo)
    runpy.run_path(str(path), run_name="__main__")
    (found,) = made
    assert found.options["css_file"] == "course.css"
    assert (path.parent / found.options["css_file"]).is_file()
    assert found.values.keys() == {name for cell in found.cells for name in returned(cell)}
    assert found.values["handed_in"].file_name == f"student-notebook-{int(path.stem[:2])}.json"
