"""What can be done with the values of a program: operators, comparisons, functions and methods, exactly.

Every operation on values goes through this file, and every comparison through `compared` or an operator of Python: a
value of another class that has Python's operators, such as a number that is not known yet, takes part in all of them.
"""

from __future__ import annotations

import ast
import operator
from collections.abc import Callable, Mapping
from fractions import Fraction
from typing import Any

from verifier.errors import InputError, LimitError
from verifier.numbers import Function, rational
from verifier.programs.noisy_number import NoisyNumber, whole
from verifier.programs.paths import MOST_BITS
from verifier.programs.values import CONTAINERS, MOST_PARTS, Fixed, Value, entries_of, parts

NUMBERS = (int, Fraction)
OPERATORS: Mapping[type[ast.operator], Callable[[Any, Any], Any]] = {
    ast.Add: operator.add,
    ast.Sub: operator.sub,
    ast.Mult: operator.mul,
    ast.FloorDiv: operator.floordiv,
    ast.Mod: operator.mod,
    ast.BitXor: operator.xor,
    ast.BitAnd: operator.and_,
    ast.BitOr: operator.or_,
}
COMPARISONS: Mapping[type[ast.cmpop], Callable[[Any, Any], Any]] = {
    ast.Eq: operator.eq,
    ast.NotEq: operator.ne,
    ast.Lt: operator.lt,
    ast.LtE: operator.le,
    ast.Gt: operator.gt,
    ast.GtE: operator.ge,
    ast.In: lambda left, right: left in right,
    ast.NotIn: lambda left, right: left not in right,
    ast.Is: lambda left, right: type(left) is type(right) and left == right,
    ast.IsNot: lambda left, right: not (type(left) is type(right) and left == right),
}


def bits(number: Value) -> int:
    """The bits of the longer part of a number, or of a function of a parameter; 0 for what is no number."""
    if isinstance(number, Function):
        return 8 * int(max(number.top.degree(), number.bottom.degree()))
    if not isinstance(number, NUMBERS):
        return 0
    return max(number.numerator.bit_length(), number.denominator.bit_length())


def measured(value: Value) -> Value:
    """A result, whole where it can be, after it was found short enough.

    Raises:
        LimitError: for a number of too many bits, and a value of too many parts.

    """
    if bits(value) > MOST_BITS:
        raise LimitError(f"a number has more than {MOST_BITS:,} bits", tip="use smaller numbers")
    parts(value)
    return whole(value)


def binary(op: ast.operator, left: Value, right: Value) -> Value:
    """The result of an operator between two values.

    Raises:
        LimitError: before a number or a value is made that is too long.

    """
    numbers = isinstance(left, NUMBERS) and isinstance(right, NUMBERS)
    if isinstance(op, ast.Pow):
        return _power(left, right)
    if isinstance(op, ast.Div):
        return measured(Fraction(left) / Fraction(right) if numbers else left / right)
    if isinstance(op, ast.Mod) and isinstance(left, str):
        raise InputError("`%` does not go with a text", tip="return a tuple")
    if isinstance(op, ast.Mult) and not numbers:
        for many, times in ((left, right), (right, left)):
            if isinstance(many, str | list | tuple) and isinstance(times, int) and len(many) * times > MOST_PARTS:
                raise LimitError(f"the result has more than {MOST_PARTS:,} entries", tip="keep counts instead of lists")
    return measured(OPERATORS[type(op)](left, right))


def _power(base: Value, exponent: Value) -> Value:
    """A power of a number; the exponent is an integer."""
    if not isinstance(base, (*NUMBERS, Function)) or not isinstance(exponent, NUMBERS):
        raise TypeError(f"** between {kind_of(base)} and {kind_of(exponent)}")
    if not isinstance(exponent, int):
        raise InputError(f"the exponent {exponent} is not an integer", wanted="an integer, so that the power is exact")
    if base not in (0, 1, -1) and not isinstance(base, Function) and abs(exponent) * max(1, bits(base) - 1) > MOST_BITS:
        raise LimitError(f"a number has more than {MOST_BITS:,} bits", tip="use smaller exponents")
    if isinstance(base, Function):
        if abs(exponent) * bits(base) > MOST_BITS:
            raise LimitError("a power of a parameter is too long", tip="use smaller exponents")
        return base**exponent
    return measured(Fraction(base) ** exponent)


def has_parameter(value: Value) -> bool:
    """Whether a value is, or holds, a function of a parameter."""
    if isinstance(value, CONTAINERS):
        return any(map(has_parameter, entries_of(value)))
    return isinstance(value, Function)


def compared(op: ast.cmpop, left: Value, right: Value) -> Value:
    """The answer of a comparison.

    Raises:
        InputError: for a list and a tuple, which are never equal: a comparison of the two is a slip.

    """
    if has_parameter(left) or has_parameter(right):
        raise InputError(
            "a comparison with a parameter has not one answer for all of its values",
            wanted="comparisons of the database and of what was drawn",
            tip="fix the parameter (--set), or write the program without this case",
        )
    lists = isinstance(left, list), isinstance(right, list)
    tuples = isinstance(left, tuple), isinstance(right, tuple)
    if isinstance(op, ast.Eq | ast.NotEq) and lists == tuples[::-1] and any(lists) and any(tuples):
        raise InputError(
            "a list is compared with a tuple: they are never equal", tip="the database is a tuple; list(…) makes a list"
        )
    return COMPARISONS[type(op)](left, right)


def kind_of(value: Value) -> str:
    """What a value is, in words.

    >>> kind_of([1]), kind_of(Fraction(1, 2)), kind_of(None)
    ('a list', 'a rational', 'None')
    """
    names = {
        Function: "a function of a parameter", NoisyNumber: "a noisy number",
        bool: "a boolean", int: "an integer", Fraction: "a rational", str: "a text", tuple: "a tuple", list: "a list",
        dict: "a dict", set: "a set", Fixed: "a tuple",
    }  # fmt: skip
    return names.get(type(value), "None" if value is None else f"a {type(value).__name__}")


# --- functions and methods -------------------------------------------------------------------------------------------


def ordered(value: Value) -> list[Value]:
    """The entries of a value in their order.

    Raises:
        InputError: for a set, which has none.

    """
    if isinstance(value, set):
        raise InputError("a set has no order", tip="write sorted(…)")
    return list(value)


def _total(values: Value, start: Value = 0) -> Value:
    total = start
    if isinstance(start, str):
        raise InputError("texts are not summed", tip="return a tuple")
    for value in values:
        if isinstance(value, (*CONTAINERS, str)):
            raise InputError(f"{kind_of(value)} is not a number", wanted="numbers in sum(…)")
        total = measured(total + value)
    return total


def _range(*ends: Value) -> list[int]:
    numbers = range(*ends)
    if len(numbers) > MOST_PARTS:
        raise LimitError(f"the range has {len(numbers):,} numbers", wanted=f"at most {MOST_PARTS:,}")
    return list(numbers)


def _keyed(function: Callable[..., Value]) -> Callable[..., Value]:
    def found(*values: Value, **named: Value) -> Value:
        if named.get("key") is not None and len(values) == 1 and isinstance(values[0], set):
            raise InputError("a set has no order, so that `key` cannot decide a tie", tip="write sorted(…) first")
        return function(*values, **named)

    return found


def _fraction(numerator: Value = 0, denominator: Value = 1) -> Value:
    """F(a, b), as Python's `Fraction`; also of a text such as "1/3"."""
    number, divisor = (rational(one) if isinstance(one, str) else one for one in (numerator, denominator))
    if not isinstance(number, NUMBERS) or not isinstance(divisor, NUMBERS):
        raise TypeError(f"F of {kind_of(numerator)} and {kind_of(denominator)}")
    return Fraction(number) / Fraction(divisor)


def _integer(value: Value = 0) -> Value:
    if isinstance(value, str):
        value = value.strip()
        if not value.removeprefix("-").removeprefix("+").isdecimal() or not value.isascii():
            raise ValueError(f'"{value[:40]}" is not an integer')
    return int(value)


BUILTINS: Mapping[str, Callable[..., Value]] = {
    "len": len,
    "sum": _total,
    "min": _keyed(min),
    "max": _keyed(max),
    "abs": abs,
    "sorted": _keyed(sorted),
    "range": _range,
    "enumerate": lambda values, start=0: list(enumerate(ordered(values), start)),
    "zip": lambda *values: list(zip(*map(ordered, values), strict=False)),
    "any": any,
    "all": all,
    "round": round,
    "reversed": lambda values: ordered(values)[::-1],
    "set": set,
    "tuple": lambda values=(): tuple(ordered(values)),
    "list": lambda values=(): ordered(values),
    "dict": lambda values=(): dict(values),
    "int": _integer,
    "bool": bool,
    "F": _fraction,
    "Fraction": _fraction,
}
"""The functions that a program may call, beside its own."""
METHODS: Mapping[str, tuple[type, ...]] = {
    "count": (list, tuple, str),
    "index": (list, tuple, str),
    "append": (list,),
    "get": (dict,),
    "keys": (dict,),
    "values": (dict,),
    "items": (dict,),
    "add": (set,),
}
"""The methods that a program may call, each with the kinds of values that have it."""
MUTATORS = frozenset({"append", "add"})
"""The methods that change a value."""


def called(name: str, owner: Value, arguments: list[Value]) -> Value:
    """The result of a method of a value.

    Raises:
        TypeError: where the value has no such method.

    """
    if not isinstance(owner, METHODS[name]):
        raise TypeError(f"{kind_of(owner)} has no .{name}")
    result = getattr(owner, name)(*arguments)
    return list(result) if name in ("keys", "values", "items") else result


# --- folds -----------------------------------------------------------------------------------------------------------

NOTHING = object()
"""The partial result of `min` and `max` before the first value."""


def _first_or(better: Callable[[Value, Value], Value]) -> Callable[[Value, Value], Value]:
    return lambda so_far, value: value if so_far is NOTHING or better(value, so_far) else so_far


FOLDS: Mapping[str, tuple[Callable[[], Value], Callable[[Value, Value], Value]]] = {
    "sum": (lambda: 0, lambda total, value: _total((value,), total)),
    "any": (lambda: False, lambda so_far, value: so_far or bool(value)),
    "all": (lambda: True, lambda so_far, value: so_far and bool(value)),
    "len": (lambda: 0, lambda number, _: number + 1),
    "min": (lambda: NOTHING, _first_or(lambda value, least: value < least)),
    "max": (lambda: NOTHING, _first_or(lambda value, most: value > most)),
    "sorted": (list, lambda so_far, value: sorted([*so_far, value])),
    "set": (set, lambda so_far, value: so_far | {value}),
    "list": (list, lambda so_far, value: [*so_far, value]),
}
"""Functions of all values of a comprehension, from a first result and what one more value makes of a partial one."""
ENDED: Mapping[str, bool] = {"any": True, "all": False}
"""The partial result after which no further value is looked at."""
