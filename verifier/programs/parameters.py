"""Programs with the parameters of a model: names that stand for one number, or for a function of a parameter."""

from __future__ import annotations

import ast
from collections.abc import Iterable, Mapping
from typing import Any

from verifier.errors import InputError


class ProgramText(str):
    """The text of a program, what the names of parameters in it stand for, and which draws depend on them.

    `drawn` is filled while the program is interpreted.
    """

    __slots__ = ("constants", "drawn")
    constants: Mapping[str, Any]
    drawn: dict[Any, str]

    @classmethod
    def of(cls, text: str, constants: Mapping[str, Any]) -> ProgramText:
        """The text with what its names stand for."""
        made = cls(text)
        made.constants, made.drawn = constants, {}
        return made


def _tree(text: str) -> ast.Module | None:
    """The syntax of a text; None where it has none, which its reader says better."""
    try:
        return ast.parse(text)
    except (SyntaxError, ValueError, RecursionError, MemoryError):
        return None


def parameters_in(text: str, names: Iterable[str]) -> list[str]:
    """The names among some that stand for values in a program, in their order.

    >>> parameters_in("def f(db, rng): return rng.flip(1 - z)", ["p", "z"])
    ['z']
    """
    tree = _tree(text)
    used = {node.id for node in ast.walk(tree) if isinstance(node, ast.Name)} if tree else set()
    return [name for name in names if name in used]


def with_parameters(text: str, values: Mapping[str, object], where: str) -> str:
    """A program with values for names: numbers are written into the text, functions of a parameter go beside it.

    A value is the text of a number, the name itself where it has no value, or any other value.

    >>> with_parameters("def f(db, rng): return rng.flip(1 - z)", {"z": "1/3"}, "")
    'def f(db, rng): return rng.flip(1 - (1/3))'

    Raises:
        InputError: for a variable with the name of a parameter.

    """
    tree = _tree(text)
    if tree is None:
        return text
    lines = text.encode().split(b"\n")
    nodes = [node for node in ast.walk(tree) if isinstance(node, ast.Name) and node.id in values]
    assigned = [node.id for node in nodes if not isinstance(node.ctx, ast.Load)]
    assigned += [node.arg for node in ast.walk(tree) if isinstance(node, ast.arg) and node.arg in values]
    if assigned:
        wanted = "another name for the variable"
        raise InputError(f"{assigned[0]} is the name of a parameter of the model", where=where, wanted=wanted)
    for node in sorted(nodes, key=lambda node: (node.lineno, node.col_offset), reverse=True):
        value = values[node.id]
        if isinstance(value, str) and value != node.id:
            line = lines[node.lineno - 1]
            end = node.col_offset + len(node.id.encode())
            lines[node.lineno - 1] = line[: node.col_offset] + f"({value})".encode() + line[end:]
    written = b"\n".join(lines).decode()
    constants = {name: value for name, value in values.items() if not isinstance(value, str)}
    return ProgramText.of(written, constants) if constants else written
