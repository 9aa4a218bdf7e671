"""The wrong changes: each replaces one node of a syntax tree by another that a slip of the pen could have made.

Texts that people read, annotations, docstrings, representations, decorators and `strict` of `zip` are left as they are:
no answer depends on them.
"""

from __future__ import annotations

import ast
import builtins
from collections import Counter
from collections.abc import Iterator
from copy import copy
from dataclasses import dataclass, replace
from hashlib import sha256

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
    """One possible wrong change of a module: the number of the node, which of its changes, and its name."""

    module: str
    number: int
    choice: int
    function: str
    """The class and the functions around it, with dots between; nothing for what stands in the module."""
    runs_at_import: bool
    """Whether it is run where the module is imported: a constant, a default, a field of a class."""
    identity: str
    """Hexadecimal digits that an edit of another statement, and other names of variables, leave as they are."""

    @property
    def outermost(self) -> str:
        """The function or the method that holds it, without the functions that are made in there."""
        return self.function.split(".<locals>")[0]


@dataclass(frozen=True)
class Mutant:
    """One wrong change: what the statement said, what it says now, and the whole tree."""

    site: Site
    line: int
    before: str
    after: str
    tree: ast.Module

    @property
    def change(self) -> str:
        """What was said and what is said now, on one line."""
        return f"{self.before} -> {self.after}"

    @property
    def name(self) -> str:
        """What is printed of it, without the number of a line."""
        return f"{self.site.identity} {self.site.module} {self.site.function}: {self.change}"


@dataclass(frozen=True)
class Place:
    """A node that may be changed, and what stands around it."""

    node: ast.AST
    statement: ast.stmt
    """The innermost statement that holds it; of `continue`, the one around that."""
    function: str
    runs_at_import: bool


def sites_of(module: str, source: str) -> list[Site]:
    """Every wrong change of a module, in the order of the places."""
    seen: Counter[str] = Counter()
    sites = []
    shapes: dict[int, str] = {}
    for number, place in enumerate(_places_of(ast.parse(source))):
        for choice, (operator, _) in enumerate(_changes(place.node)):
            shape = shapes.setdefault(id(place.statement), _shape(place.statement))
            described = f"{module}|{place.function}|{shape}|{operator}"
            identity = sha256(f"{described}|{seen[described]}".encode()).hexdigest()[:12]
            seen[described] += 1
            sites.append(Site(module, number, choice, place.function, place.runs_at_import, identity))
    return sites


def mutant_at(site: Site, source: str) -> Mutant:
    """The module with one wrong change."""
    tree = ast.parse(source)
    place = list(_places_of(tree))[site.number]
    line = place.node.lineno  # type: ignore[attr-defined]
    before = _header(place.statement)
    _, change = list(_changes(place.node))[site.choice]
    change(place.node)
    if isinstance(place.node, ast.Break):
        return Mutant(site, line, f"{before} continue", f"{before} break", tree)
    return Mutant(site, line, *_difference(before, _header(place.statement)), tree)


def _difference(before: str, after: str) -> tuple[str, str]:
    """The first lines that differ, without their indents."""
    pairs = zip(before.splitlines(), after.splitlines(), strict=False)
    return next(((old.strip(), new.strip()) for old, new in pairs if old != new), (before, after))


def _header(statement: ast.stmt) -> str:
    """A statement without the statements inside of it: what `if`, `for` or `def` say before the colon."""
    return ast.unparse(_without_body(statement)).removesuffix("...").rstrip()


def _without_body(statement: ast.stmt) -> ast.stmt:
    if isinstance(statement, ast.Match) or not hasattr(statement, "body"):
        return statement
    bare = copy(statement)
    for name in ("body", "orelse", "finalbody", "handlers", "decorator_list"):
        if hasattr(bare, name):
            setattr(bare, name, [ast.Expr(ast.Constant(...))] if name == "body" else [])
    return bare


def _shape(statement: ast.stmt) -> str:
    """A statement's header with its names by their order: another name of a variable leaves it as it is."""
    names: dict[str, str] = {}

    def numbered(name: str) -> str:
        if name != "_" and hasattr(builtins, name):  # a prompt, and a doctest, keep their last value as `builtins._`
            return name
        return names.setdefault(name, f"n{len(names)}")

    def spelled(value: object) -> str:
        if isinstance(value, ast.AST):
            fields = ",".join(
                numbered(inside) if isinstance(inside, str) and field in {"id", "attr", "arg"} else spelled(inside)
                for field, inside in ast.iter_fields(value)
                if field not in {"annotation", "returns", "type_params", "ctx"}
            )
            return f"{type(value).__name__}({fields})"
        if isinstance(value, list):
            return f"[{','.join(map(spelled, value))}]"
        return repr(value)

    return spelled(_without_body(statement))


def _places_of(tree: ast.Module) -> Iterator[Place]:
    """The nodes that may be changed, outside of what people read."""
    for statement in tree.body:
        if not _is_quiet(statement):
            yield from _places(statement, Place(statement, statement, "", runs_at_import=True))


def _places(node: ast.AST, place: Place) -> Iterator[Place]:
    """A node and those inside of it; `place` says what stands around it."""
    around = place.statement
    if isinstance(node, ast.stmt):
        place = replace(place, statement=node)
    yield replace(place, node=node, statement=around if isinstance(node, ast.Continue) else place.statement)
    inside = place
    if isinstance(node, ast.FunctionDef | ast.ClassDef):
        is_class = isinstance(node, ast.ClassDef)
        scope = f"{place.function}{'' if is_class or place.runs_at_import else '.<locals>'}.{node.name}".lstrip(".")
        inside = replace(place, function=scope, runs_at_import=place.runs_at_import and is_class)
    for name, value in ast.iter_fields(node):
        if name in {"annotation", "returns", "decorator_list", "type_params"}:
            continue
        within = inside if name == "body" else place
        for child in value if isinstance(value, list) else [value]:
            if isinstance(child, ast.AST) and not _is_quiet(child):
                yield from _places(child, within)


def _is_quiet(node: ast.AST) -> bool:
    """Whether a node is text for people (a docstring, a message, a representation), or changes no answer of right code.

    An import, and `strict` of `zip`, which raises an error where the lists that are walked differ in length.
    """
    if isinstance(node, ast.Expr) and isinstance(node.value, ast.Constant):
        return True
    if isinstance(node, ast.Import | ast.ImportFrom | ast.JoinedStr):
        return True
    if isinstance(node, ast.FunctionDef) and node.name in QUIET_FUNCTIONS:
        return True
    if isinstance(node, ast.If) and isinstance(node.test, ast.Name) and node.test.id == "TYPE_CHECKING":
        return True
    if isinstance(node, ast.keyword) and node.arg == "strict":
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
