"""The wrong changes: each replaces one node of a syntax tree by another that a slip of the pen could have made.

Texts that people read, annotations, docstrings, representations and decorators are left as they are: no answer depends
on them.
"""

from __future__ import annotations

import ast
from collections.abc import Iterator
from dataclasses import dataclass

COMPARISONS: dict[type[ast.cmpop], tuple[type[ast.cmpop], ...]] = {
    ast.Lt: (ast.LtE, ast.Gt),
    ast.LtE: (ast.Lt, ast.GtE),
    ast.Gt: (ast.GtE, ast.Lt),
    ast.GtE: (ast.Gt, ast.LtE),
    ast.Eq: (ast.NotEq,),
    ast.NotEq: (ast.Eq,),
    ast.In: (ast.NotIn,),
    ast.NotIn: (ast.In,),
    ast.Is: (ast.IsNot,),
    ast.IsNot: (ast.Is,),
}
ARITHMETIC: dict[type[ast.operator], type[ast.operator]] = {
    ast.Add: ast.Sub,
    ast.Sub: ast.Add,
    ast.Mult: ast.Add,
    ast.FloorDiv: ast.Mult,
    ast.Mod: ast.FloorDiv,
    ast.Pow: ast.Mult,
    ast.LShift: ast.RShift,
    ast.RShift: ast.LShift,
    ast.BitOr: ast.BitAnd,
    ast.BitAnd: ast.BitOr,
}
FUNCTIONS = {"max": "min", "min": "max", "any": "all", "all": "any", "ceil": "floor", "floor": "ceil"}
QUIET_CALLS = frozenset(
    {"InputError", "LimitError", "UnsupportedError", "UndecidedError", "MachineError", "Rejected", "ArithmeticError"}
)
"""Calls whose arguments are words for people."""
QUIET_FUNCTIONS = frozenset({"__repr__", "__str__", "to_json"})


@dataclass(frozen=True)
class Site:
    """One possible wrong change of a module: the number of the node, and which of its changes."""

    module: str
    number: int
    choice: int
    operator: str


@dataclass(frozen=True)
class Mutant:
    """One wrong change: what the statement said, what it says now, and the whole tree."""

    site: Site
    line: int
    before: str
    after: str
    tree: ast.Module

    @property
    def key(self) -> str:
        """Its name, which does not depend on the number of the line."""
        return f"{self.site.module}: {self.before} -> {self.after}"


def sites_of(module: str, source: str) -> list[Site]:
    """Every wrong change of a module, in the order of the places."""
    return [
        Site(module, number, choice, operator)
        for number, node in enumerate(_places(ast.parse(source)))
        for choice, (operator, _) in enumerate(_changes(node))
    ]


def mutant_at(site: Site, source: str) -> Mutant:
    """The module with one wrong change."""
    tree = ast.parse(source)
    node = list(_places(tree))[site.number]
    statement, line = _statement(tree, node), node.lineno  # type: ignore[attr-defined]
    before = ast.unparse(statement)
    _, change = list(_changes(node))[site.choice]
    change(node)
    after = ast.unparse(statement)
    return Mutant(site, line, *_difference(before, after), tree)


def _difference(before: str, after: str) -> tuple[str, str]:
    """The first lines that differ, without their indents."""
    pairs = zip(before.splitlines(), after.splitlines(), strict=False)
    return next(((old.strip(), new.strip()) for old, new in pairs if old != new), (before, after))


def _statement(tree: ast.Module, node: ast.AST) -> ast.AST:
    """The innermost statement that holds a node."""
    best: ast.AST = tree
    for each in ast.walk(tree):
        if isinstance(each, ast.stmt) and any(inside is node for inside in ast.walk(each)):
            best = each
    return best


def _places(node: ast.AST) -> Iterator[ast.AST]:
    """The nodes that may be changed, outside of what people read."""
    for name, value in ast.iter_fields(node):
        if name in {"annotation", "returns", "decorator_list", "type_params"}:
            continue
        for child in value if isinstance(value, list) else [value]:
            if isinstance(child, ast.AST) and not _is_quiet(child):
                if hasattr(child, "lineno"):
                    yield child
                yield from _places(child)


def _is_quiet(node: ast.AST) -> bool:
    """Whether a node is text for people: a docstring, a message, an import, a representation."""
    if isinstance(node, ast.Expr) and isinstance(node.value, ast.Constant):
        return True
    if isinstance(node, ast.Import | ast.ImportFrom | ast.JoinedStr):
        return True
    if isinstance(node, ast.FunctionDef) and node.name in QUIET_FUNCTIONS:
        return True
    if isinstance(node, ast.If) and isinstance(node.test, ast.Name) and node.test.id == "TYPE_CHECKING":
        return True
    return isinstance(node, ast.Call) and _name(node.func) in QUIET_CALLS


def _name(node: ast.AST) -> str:
    return node.id if isinstance(node, ast.Name) else node.attr if isinstance(node, ast.Attribute) else ""


def _changes(node: ast.AST) -> Iterator[tuple[str, Change]]:
    """The wrong changes of one node, each as a function that changes a twin of it in place."""
    if isinstance(node, ast.Compare):
        for position, operator in enumerate(node.ops):
            for other in COMPARISONS[type(operator)]:
                yield "comparison", _Comparison(position, other)
    elif isinstance(node, ast.BinOp) and type(node.op) in ARITHMETIC:
        if not (isinstance(node.op, ast.BitOr) and _is_type(node)):
            yield "arithmetic", _Operator(ARITHMETIC[type(node.op)])
    elif isinstance(node, ast.BoolOp):
        yield "boolean", _Operator(ast.Or if isinstance(node.op, ast.And) else ast.And)
    elif isinstance(node, ast.UnaryOp) and isinstance(node.op, ast.Not | ast.USub):
        yield "negation", _Dropped()
    elif isinstance(node, ast.Constant) and type(node.value) in {int, bool}:
        yield "constant", _Constant()
    elif isinstance(node, ast.Call) and _name(node.func) in FUNCTIONS:
        yield "function", _Function()
    elif isinstance(node, ast.IfExp):
        yield "branches", _Swapped()
    elif isinstance(node, ast.Continue):
        yield "loop", _Loop()


def _is_type(node: ast.BinOp) -> bool:
    """Whether `a | b` is a union of types."""
    return all(
        isinstance(side, ast.Name) and (side.id[:1].isupper() or side.id in {"int", "str", "list", "tuple"})
        for side in (node.left, node.right)
    )


class Change:
    """A change of a node in place."""

    def __call__(self, node: ast.AST) -> None:
        raise NotImplementedError


@dataclass(frozen=True)
class _Comparison(Change):
    position: int
    other: type[ast.cmpop]

    def __call__(self, node: ast.AST) -> None:
        node.ops[self.position] = self.other()  # type: ignore[attr-defined]


@dataclass(frozen=True)
class _Operator(Change):
    other: type[ast.AST]

    def __call__(self, node: ast.AST) -> None:
        node.op = self.other()  # type: ignore[attr-defined]


class _Dropped(Change):
    """`not x` becomes `not not x`, and -x becomes +x."""

    def __call__(self, node: ast.AST) -> None:
        if isinstance(node.op, ast.USub):  # type: ignore[attr-defined]
            node.op = ast.UAdd()  # type: ignore[attr-defined]
        else:
            node.operand = ast.UnaryOp(ast.Not(), node.operand)  # type: ignore[attr-defined]
            ast.fix_missing_locations(node)


class _Constant(Change):
    """Another number, or the other truth value."""

    def __call__(self, node: ast.AST) -> None:
        value = node.value  # type: ignore[attr-defined]
        node.value = not value if isinstance(value, bool) else value + 1  # type: ignore[attr-defined]


class _Function(Change):
    """The other end, or the other quantifier."""

    def __call__(self, node: ast.AST) -> None:
        function = node.func  # type: ignore[attr-defined]
        other = FUNCTIONS[_name(function)]
        if isinstance(function, ast.Name):
            function.id = other
        else:
            function.attr = other


class _Swapped(Change):
    def __call__(self, node: ast.AST) -> None:
        node.body, node.orelse = node.orelse, node.body  # type: ignore[attr-defined]


class _Loop(Change):
    """`continue` becomes `break`, inside the statement that holds it."""

    def __call__(self, node: ast.AST) -> None:
        node.__class__ = ast.Break
