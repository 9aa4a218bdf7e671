"""A Python function compiled once more, so that `1/3` is one third and `0.1` one tenth.

Python computes both in floating point, and `0.1 + 0.2 == 0.3` would take another branch in silence. So the source of
the function is read and compiled again with `/`, `**` and decimals exact; nothing of it is run for that. Its globals,
its closure and its defaults are kept: decimals among them become exact, and functions of your own files that it calls
by name are compiled again too. A float from elsewhere, such as `math.exp`, is refused where it is divided, raised to a
power or compared, unless it is a short decimal.
"""

from __future__ import annotations

import ast
import dis
import inspect
import sys
import sysconfig
import warnings
from collections.abc import Callable, Iterator
from fractions import Fraction
from functools import lru_cache, partial
from numbers import Rational
from pathlib import Path, PurePath
from types import CellType, CodeType, FunctionType, MethodType
from typing import Any, TypeAlias

from verifier.errors import InexactError
from verifier.numbers import shorten
from verifier.numbers.rational import is_inexact

SHORT = 12
"""Longest text of a float that is read as the decimal which it shows; a float that was computed is longer."""
_FUTURE = 0xFF0000 << 1
"""The bits of a code object's flags that tell which features of `__future__` it was compiled with."""
_OPERAND, _COMPARED = "exact operand", "exact comparison"
"""Names in the globals of the new function. No program can have a name with a blank."""
Space: TypeAlias = dict[str, Any]
Place: TypeAlias = tuple[int, ...]
"""Where a code object is: its position among the code objects of the one around it, and so on from the module."""


def exact_number(raw: object, what: str = "number") -> Any:
    """A float that shows a short decimal as this decimal; anything else that is not a float as it is.

    >>> exact_number(0.75), exact_number(3), exact_number("a")
    (Fraction(3, 4), 3, 'a')
    >>> exact_number(1 - 0.9)
    Traceback (most recent call last):
    verifier.errors.InexactError: the number 0.09999999999999998 is a float that was computed, and is not exact. \
Expected an exact number. Hint: write Fraction(1, 3) or the text "1/3".

    Raises:
        InexactError: for any other float.

    """
    if not is_inexact(raw):
        return raw
    text = float.__repr__(raw) if isinstance(raw, float) else str(raw)
    if len(text) <= SHORT and text.strip("-") not in {"inf", "nan"}:
        return whole(Fraction(text))
    raise InexactError(
        f"the {what} {text} is a float that was computed, and is not exact",
        wanted="an exact number",
        tip='write Fraction(1, 3) or the text "1/3"',
    )


def whole(number: Fraction) -> int | Fraction:
    """An integer where the number is one: the result of `/` can then be an index, or be printed."""
    return number.numerator if number.denominator == 1 else number


def line_of(code: CodeType, line: int) -> str:
    """A line of the user's code, as a place in a message."""
    return f"{PurePath(code.co_filename).name}, line {line}"


def _used(number: Any) -> Any:
    """A number that a program divides, raises to a power, or compares.

    Raises:
        InexactError: for a float that is no short decimal, with the line of the program.

    """
    try:
        return exact_number(number) if isinstance(number, float) else number
    except InexactError as error:
        user = sys._getframe(2)  # noqa: SLF001 - the user's code
        raise error.within(line_of(user.f_code, user.f_lineno)) from None


def compared(side: Any) -> Any:
    """One side of a comparison: no float that was computed decides a branch."""
    return _used(side)


class Operand:
    """The right operand of `/` or `**`: the operation is done here, exactly where both sides are rational numbers."""

    __slots__ = ("right",)

    def __init__(self, right: Any) -> None:
        self.right = right

    def __rtruediv__(self, left: Any) -> Any:
        left, right = _used(left), _used(self.right)
        if isinstance(left, Rational) and isinstance(right, Rational):
            return whole(Fraction(left) / Fraction(right))
        return left / right

    def __rpow__(self, left: Any) -> Any:
        left, right = _used(left), _used(self.right)
        if isinstance(left, Rational) and isinstance(right, Rational):
            if right.denominator != 1:
                user = sys._getframe(1)
                raise InexactError(
                    f"{shorten(left)} ** {shorten(right)} is a root, and is not rational",
                    where=line_of(user.f_code, user.f_lineno),
                    wanted="an integer exponent",
                )
            return whole(Fraction(left) ** int(right.numerator))
        return left**right


class _Exactly(ast.NodeTransformer):
    """`a / b` becomes `a / Operand(b)`, `a < b` compares no floats, and a decimal is a name whose value is exact."""

    def __init__(self) -> None:
        self.decimals: set[str] = set()

    def visit_BinOp(self, node: ast.BinOp) -> ast.AST:
        self.generic_visit(node)
        if isinstance(node.op, ast.Div | ast.Pow):
            node.right = _call(_OPERAND, node.right)
        return node

    def visit_AugAssign(self, node: ast.AugAssign) -> ast.AST:
        self.generic_visit(node)
        if isinstance(node.op, ast.Div | ast.Pow):
            node.value = _call(_OPERAND, node.value)
        return node

    def visit_Compare(self, node: ast.Compare) -> ast.AST:
        self.generic_visit(node)
        node.left = _call(_COMPARED, node.left)
        node.comparators = [_call(_COMPARED, each) for each in node.comparators]
        return node

    def visit_Constant(self, node: ast.Constant) -> ast.AST:
        if not isinstance(node.value, float):
            return node
        text = repr(node.value)
        self.decimals.add(text)
        return ast.copy_location(ast.Name(f"pkdp {text}", ast.Load()), node)


def _call(name: str, argument: ast.expr) -> ast.expr:
    called = ast.Call(ast.Name(name, ast.Load()), [argument], [])
    return ast.fix_missing_locations(ast.copy_location(called, argument))


def _codes(code: CodeType, place: Place = ()) -> Iterator[tuple[Place, CodeType]]:
    """The code objects inside one, each with its place."""
    yield place, code
    inner = (constant for constant in code.co_consts if isinstance(constant, CodeType))
    for number, constant in enumerate(inner):
        yield from _codes(constant, (*place, number))


@lru_cache(maxsize=16)
def _both(text: str, file: str, flags: int) -> tuple[list[tuple[Place, CodeType]], dict[Place, CodeType], Space]:
    """The code objects of a file as Python compiles it, the same with exact numbers, and the values of their names.

    Raises:
        SyntaxError, ValueError: where the text cannot be compiled.

    """
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        usual = compile(text, file, "exec", flags, dont_inherit=True)
        rewriter = _Exactly()
        tree = rewriter.visit(ast.parse(text, file))
        exactly = compile(tree, file, "exec", flags, dont_inherit=True)
    names: Space = {f"pkdp {decimal}": whole(Fraction(decimal)) for decimal in rewriter.decimals}
    names |= {_OPERAND: Operand, _COMPARED: compared}
    return list(_codes(usual)), dict(_codes(exactly)), names


def _recompiled(function: FunctionType) -> tuple[CodeType, Space] | None:
    """The code of a function with exact numbers, and its new names; None where its source is not there, or is another.

    The code as Python compiles it must be that of the function: a file that was changed since is not its source.
    """
    code = function.__code__
    try:
        lines, _ = inspect.findsource(code)
        usual, exactly, names = _both("".join(lines), code.co_filename, code.co_flags & _FUTURE)
    except (OSError, TypeError, SyntaxError, ValueError, RecursionError):
        return None
    place = next((place for place, known in usual if known == code), None)
    if place is None:
        return None
    found = exactly.get(place)
    return (found, names) if found and found.co_freevars == code.co_freevars else None


@lru_cache(maxsize=1)
def _foreign() -> tuple[str, ...]:
    """Where the files of Python, of installed packages and of this one are."""
    paths = {sysconfig.get_path(name) for name in ("stdlib", "platstdlib", "purelib", "platlib")}
    return (*paths, str(Path(__file__).resolve().parents[1]), "<frozen")


def is_foreign(function: FunctionType) -> bool:
    """Whether a function is one of Python, of an installed package, or of this one."""
    return function.__code__.co_filename.startswith(_foreign())


class _Copies:
    """The copies of a function, of the functions that it calls by name, and of their globals."""

    def __init__(self) -> None:
        self.made: dict[int, Any] = {}
        self.spaces: dict[int, Space] = {}
        self.kept: list[object] = []
        """What has a copy; it lives as long as the ids above."""

    def function(self, original: FunctionType) -> FunctionType | None:
        """The exact copy of a function; None where its source cannot be read."""
        if id(original) in self.made:
            known: FunctionType = self.made[id(original)]
            return known
        found = _recompiled(original)
        if found is None:
            return None
        code, names = found
        space = self.spaces.setdefault(id(original.__globals__), dict(original.__globals__))
        space |= names
        cells = tuple(CellType() for _ in code.co_freevars)
        copy = FunctionType(code, space, original.__name__, None, cells)
        copy.__qualname__, copy.__module__ = original.__qualname__, original.__module__
        copy.__dict__.update(original.__dict__)
        self.made[id(original)] = copy
        self.kept += [original, original.__globals__]
        for name in _globals_of(original.__code__) & original.__globals__.keys():
            space[name] = self.value(original.__globals__[name], name)
        for name, cell, new in zip(code.co_freevars, original.__closure__ or (), cells, strict=True):
            try:
                new.cell_contents = self.value(cell.cell_contents, name)
            except ValueError:  # a variable that has no value yet
                continue
        copy.__defaults__ = original.__defaults__ and tuple(self.value(v, "default") for v in original.__defaults__)
        copy.__kwdefaults__ = original.__kwdefaults__ and {
            name: self.value(v, name) for name, v in original.__kwdefaults__.items()
        }
        return copy

    def value(self, value: Any, name: str) -> Any:
        """A variable of a function: a function of the user's files and a float become exact; all else is as it is.

        Raises:
            InexactError: for a float that is no short decimal.

        """
        if isinstance(value, FunctionType) and not is_foreign(value):
            return self.function(value) or value
        if isinstance(value, float):
            return exact_number(value, f"variable {name}")
        if type(value) in (list, tuple) and any(isinstance(entry, float) for entry in value):
            return type(value)(self.value(entry, name) for entry in value)
        if type(value) is dict and any(isinstance(entry, float) for entry in value.values()):
            return {key: self.value(entry, name) for key, entry in value.items()}
        return value


def _globals_of(code: CodeType) -> set[str]:
    """The names of the globals that a function reads, and the functions inside it."""
    loads = {"LOAD_GLOBAL", "LOAD_NAME"}
    return {
        str(step.argval) for _, inner in _codes(code) for step in dis.get_instructions(inner) if step.opname in loads
    }


def exact(function: Callable[..., object]) -> Callable[..., object] | None:
    """The function with exact numbers; None where its source cannot be read, as in a shell.

    A method, a `partial` and an object that can be called are read too.
    """
    if isinstance(function, partial):
        inner = exact(function.func)
        return inner and partial(inner, *function.args, **function.keywords)
    if isinstance(function, MethodType):
        method = exact(function.__func__)
        return method and MethodType(method, function.__self__)
    if isinstance(function, FunctionType):
        return _Copies().function(function)
    called = vars(type(function)).get("__call__")
    if isinstance(called, FunctionType):
        copy = _Copies().function(called)
        return copy and MethodType(copy, function)
    return None
