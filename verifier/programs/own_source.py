"""The source of a Python function as the text of a program, where running the function on every path has no end.

Noise without ends has infinitely many results, so that a function with it cannot be run once for each. Its source is
then interpreted, with that of the functions of your own files that it calls by name. Numbers and texts among its
globals, its closure and theirs are written into the text. What Python would run and what is interpreted are one
program: what is not in the language of programs is refused with its place, as in a file.
"""

from __future__ import annotations

import ast
import inspect
from collections.abc import Callable, Mapping
from fractions import Fraction
from textwrap import dedent
from types import FunctionType
from typing import Any

from verifier.programs.draws import OLDER, is_infinite
from verifier.programs.exact import exact_number, is_foreign

NOISES = {name for name in ("geometric_noise", *OLDER) if OLDER.get(name, name) == "geometric_noise"}
"""The names of draws that may have no ends."""


def text_without_ends(function: Callable[..., object]) -> str | None:
    """The text of a function that draws noise without ends; None where it has none, or its source cannot be read.

    Raises:
        InexactError: for a float among its globals that is no short decimal.

    """
    if not isinstance(function, FunctionType):
        return None
    reader = _Reader()
    if not reader.read(function, "f" if function.__name__ == "<lambda>" else function.__name__):
        return None
    nodes = reader.found.values()
    return "\n\n".join(map(ast.unparse, nodes)) if any(map(_is_without_ends, nodes)) else None


def _is_without_ends(function: ast.FunctionDef) -> bool:
    return any(
        isinstance(call, ast.Call)
        and isinstance(call.func, ast.Attribute)
        and isinstance(call.func.value, ast.Name)
        and call.func.attr in NOISES
        and is_infinite(call.func.attr, call.args, {str(one.arg): one.value for one in call.keywords})
        for call in ast.walk(function)
    )


def _node_of(function: FunctionType) -> ast.FunctionDef | None:
    """The source of a function as a plain `def` without types; None where there is none, or it is not the only one."""
    try:
        tree = ast.parse(dedent(inspect.getsource(function.__code__)))  # its own, also where it wraps another one
    except (OSError, TypeError, SyntaxError, ValueError, RecursionError):
        return None
    if function.__name__ == "<lambda>":
        lambdas = [node for node in ast.walk(tree) if isinstance(node, ast.Lambda)]
        fitting = [node for node in lambdas if _names(node.args) == list(inspect.signature(function).parameters)]
        if len(fitting) != 1:
            return None
        tree = ast.parse(f"def f({ast.unparse(fitting[0].args)}):\n    return {ast.unparse(fitting[0].body)}")
    node = tree.body[0]
    if not isinstance(node, ast.FunctionDef) or node.decorator_list:
        return None
    node.returns = None
    for argument in ast.walk(node):
        if isinstance(argument, ast.arg):
            argument.annotation = None
    return node


def _names(arguments: ast.arguments) -> list[str]:
    return [one.arg for one in (*arguments.posonlyargs, *arguments.args)]


class _Reader:
    """The functions that were read, by their names; each comes after those that it calls."""

    def __init__(self) -> None:
        self.found: dict[str, ast.FunctionDef] = {}
        self.known: dict[str, FunctionType] = {}

    def read(self, function: FunctionType, name: str) -> bool:
        """Read a function and those that it calls; whether all have a source, and a name of their own."""
        if name in self.known:
            return self.known[name] is function
        self.known[name] = function
        node = _node_of(function)
        if node is None:
            return False
        node.name = name
        outside = inspect.getclosurevars(function)
        own_names = {one.arg for one in ast.walk(node) if isinstance(one, ast.arg)}
        own_names |= {one.id for one in ast.walk(node) if isinstance(one, ast.Name) and isinstance(one.ctx, ast.Store)}
        values = {**outside.globals, **outside.nonlocals}
        values = {called: value for called, value in values.items() if called not in own_names}
        for called, value in values.items():
            own = isinstance(value, FunctionType) and not is_foreign(value)
            if own and not self.read(value, called):
                return False
        self.found[name] = ast.fix_missing_locations(_Written(values).visit(node))
        return True


class _Written(ast.NodeTransformer):
    """Writes numbers and texts into a function in place of their names."""

    def __init__(self, values: Mapping[str, Any]) -> None:
        self.values = values

    def visit_Name(self, node: ast.Name) -> ast.expr:
        """The value of a name, where it is written out."""
        if node.id not in self.values or not isinstance(node.ctx, ast.Load):
            return node
        value = exact_number(self.values[node.id], f"variable {node.id}")
        if value is Fraction:
            return ast.Name("F", ast.Load())
        if isinstance(value, Fraction):
            return ast.parse(f"({value.numerator} / {value.denominator})", mode="eval").body
        written = value is None or type(value) in (bool, int, str)
        return ast.parse(repr(value), mode="eval").body if written else node
