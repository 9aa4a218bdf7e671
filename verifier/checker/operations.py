"""What a program does with its values: numbers, texts, tuples, lists, dictionaries, sets, and what is walked through.

The values are Python's own, with exact numbers (`Fraction`, `Noisy`), so that an operation means what it means there.
What grows without bound, or has no order, is `BeyondLimits`; what Python refuses is its `TypeError` or `ValueError`.
"""

from __future__ import annotations

import ast
import bisect
import operator
from collections.abc import Callable
from fractions import Fraction
from functools import partial
from typing import Any, NamedTuple

from .noise import Noisy
from .numbers import BeyondLimits, NotRead, rational

MOST_BITS = 1 << 16
MOST_ENTRIES = 1 << 16


# --- values -----------------------------------------------------------------------------------------------------------


class Generator:
    """The parameter `rng`."""


RNG = Generator()


class Pairs(NamedTuple):
    """`enumerate`, `zip` or `reversed` of what is still to be walked through."""

    kind: str
    sources: tuple[Any, ...]
    start: int = 0


class Walk:
    """How far a loop has come in what it walks through."""

    def __init__(self, source: Any, at: int = 0) -> None:
        self.source, self.at = source, at

    def rest(self) -> tuple[Any, int]:
        """The source and how far; of what cannot change what is left, from its start."""
        source, at = self.source, self.at
        inside = source.sources if isinstance(source, Pairs) and source.kind != "reversed" else (source,)
        if not all(isinstance(one, tuple) and not isinstance(one, Pairs) for one in inside):
            return source, at
        left = tuple(one[at:] for one in inside)
        return (Pairs(source.kind, left, source.start + at) if isinstance(source, Pairs) else left[0]), 0


def entry(source: Any, at: int) -> Any:
    """The entry of what is walked through; IndexError where it ends."""
    if not isinstance(source, Pairs):
        return source[at]
    if source.kind == "reversed":
        if at >= source.start:
            raise IndexError
        return source.sources[0][source.start - 1 - at]
    entries = tuple(entry(one, at) for one in source.sources)
    return (source.start + at, *entries) if source.kind == "enumerate" else entries


def walked(value: Any) -> Any:
    """What a loop walks through: a dictionary by its keys; a set of several entries has no order."""
    if isinstance(value, dict):
        return tuple(value)
    if isinstance(value, set):
        if len(value) > 1:
            raise NotRead("a loop walks through a set, which has no order")
        return tuple(value)
    if not isinstance(value, list | tuple | str | range | Pairs):
        raise TypeError(f"{str(value)[:40]} is walked through")
    return value


def entries_of(value: Any) -> list[Any]:
    """All entries, in an order that matters."""
    source, out = walked(value), []
    for at in range(MOST_ENTRIES):
        try:
            out.append(entry(source, at))
        except IndexError:
            return out
    raise BeyondLimits("a list of too many entries")


def unordered(value: Any) -> list[Any]:
    """All entries, in an order that does not matter."""
    return list(value) if isinstance(value, set) else entries_of(value)


# --- operations -------------------------------------------------------------------------------------------------------


def plain(value: Any) -> Any:
    """A number with or without noise."""
    if not isinstance(value, int | Fraction | Noisy):
        raise TypeError(f"{str(value)[:40]} is no number")
    return value


def over(a: Any, b: Any) -> Any:
    """a / b, exactly."""
    return plain(a) / plain(b) if isinstance(a, Noisy) else Fraction(plain(a)) / plain(b)


def multiplied(a: Any, b: Any) -> Any:
    """a * b; a list as often as a number says."""
    for one, other in ((a, b), (b, a)):
        many = isinstance(one, str | list | tuple)
        if many and (not isinstance(other, int) or len(one) * max(other, 1) > MOST_ENTRIES):
            raise BeyondLimits("a text or a list is repeated too often")
    if isinstance(a, int) and isinstance(b, int) and a.bit_length() + b.bit_length() > MOST_BITS:
        raise BeyondLimits("a number of a program is too long")
    return a * b


def raised(a: Any, b: Any) -> Any:
    """a ** b with an integer exponent."""
    base, exponent = Fraction(plain(a)), Fraction(plain(b))
    bits = max(base.numerator.bit_length(), base.denominator.bit_length())
    if exponent.denominator > 1 or abs(exponent) * bits > MOST_BITS:
        raise BeyondLimits("a power with a root, or too long")
    power = base ** int(exponent)
    return int(power) if isinstance(a, int) and exponent >= 0 else power


def over_whole(operate: Callable[[Any, Any], Any], a: Any, b: Any) -> Any:
    """`//` and `%` of numbers."""
    return operate(plain(a), plain(b))


def placed(value: Any, table: Any, key: Any) -> None:
    """table[key] = value."""
    table[key] = value


def put(table: Any, key: Any, value: Any) -> None:
    """The same, in the order of `table[key] += …`."""
    table[key] = value


def extended(a: Any, b: Any) -> Any:
    """a += b, which changes a list itself."""
    if isinstance(a, list):
        a.extend(entries_of(b))
        return a
    return a + b


def repeated(a: Any, b: Any) -> Any:
    """a *= b, which changes a list itself."""
    if isinstance(a, list):
        a[:] = multiplied(a, b)
        return a
    return multiplied(a, b)


OPERATORS: dict[type, Callable[[Any, Any], Any]] = {
    ast.Add: operator.add,
    ast.Sub: operator.sub,
    ast.Mult: multiplied,
    ast.Div: over,
    ast.FloorDiv: partial(over_whole, operator.floordiv),
    ast.Mod: partial(over_whole, operator.mod),
    ast.Pow: raised,
    ast.BitAnd: operator.and_,
    ast.BitOr: operator.or_,
    ast.BitXor: operator.xor,
}
IN_PLACE: dict[type, Callable[[Any, Any], Any]] = {
    **OPERATORS,
    ast.Add: extended,
    ast.Mult: repeated,
    ast.Sub: operator.isub,
    ast.BitAnd: operator.iand,
    ast.BitOr: operator.ior,
    ast.BitXor: operator.ixor,
}
SIGNS: dict[type, Callable[[Any], Any]] = {
    ast.USub: lambda a: -plain(a),
    ast.UAdd: plain,
    ast.Not: operator.not_,
}
COMPARISONS: dict[type, Callable[[Any, Any], Any]] = {
    ast.Eq: operator.eq,
    ast.NotEq: operator.ne,
    ast.Lt: operator.lt,
    ast.LtE: operator.le,
    ast.Gt: operator.gt,
    ast.GtE: operator.ge,
    ast.In: lambda a, b: a in unless_walked(b),
    ast.NotIn: lambda a, b: a not in unless_walked(b),
    ast.Is: operator.is_,
    ast.IsNot: operator.is_not,
}


def unless_walked(value: Any) -> Any:
    """What may contain something."""
    return entries_of(value) if isinstance(value, Pairs) else value


def whole(value: Any, *base: int) -> Any:
    """int(…)."""
    if isinstance(value, Noisy):
        return value.__trunc__()
    if isinstance(value, str) and len(value) > MOST_ENTRIES >> 4:
        raise BeyondLimits("a number of a program is too long")
    return int(value, *base)


def texted(value: Any) -> str:
    """str(…) of what Python and exact numbers write alike."""
    if not isinstance(value, int | str | Fraction | None):
        raise NotRead(f"str of {type(value).__name__}")
    return str(value)


def extreme(choose: Callable[..., Any], *values: Any, **options: Any) -> Any:
    """max and min."""
    return choose(unordered(values[0]) if len(values) == 1 else values, **options)


def reversed_(value: Any) -> Pairs:
    """reversed(…)."""
    source = walked(value)
    if isinstance(source, Pairs):
        raise TypeError("what is walked through is turned round")
    return Pairs("reversed", (source,), len(source))


BUILTINS: dict[str, Callable[..., Any]] = {
    "len": len,
    "sum": lambda value, start=0: sum(unordered(value), start),
    "min": partial(extreme, min),
    "max": partial(extreme, max),
    "abs": lambda value: abs(plain(value)),
    "sorted": lambda value, reverse=False: sorted(unordered(value), reverse=reverse),
    "range": range,
    "enumerate": lambda value, start=0: Pairs("enumerate", (walked(value),), start),
    "zip": lambda *values: Pairs("zip", tuple(map(walked, values))),
    "reversed": reversed_,
    "any": lambda value: any(unordered(value)),
    "all": lambda value: all(unordered(value)),
    "round": lambda value, *digits: round(plain(value), *digits),
    "set": lambda value=(): set(unordered(value)),
    "list": lambda value=(): entries_of(value),
    "tuple": lambda value=(): tuple(entries_of(value)),
    "str": lambda value="": texted(value),
    "int": lambda value=0, *base: whole(value, *base),
    "bool": bool,
    "F": lambda value, below=1: over(rational(value) if isinstance(value, str) else value, below),
}
BUILTINS["Fraction"] = BUILTINS["F"]
METHODS: dict[str, Callable[..., Any]] = {
    "count": lambda value, *given: value.count(*given),
    "index": lambda value, *given: value.index(*given),
    "append": lambda value, one: value.append(one),
    "add": lambda value, one: value.add(one),
    "get": lambda value, *given: value.get(*given),
    "keys": lambda value: tuple(value.keys()),
    "values": lambda value: tuple(value.values()),
    "items": lambda value: tuple(value.items()),
}
OWNERS: dict[str, tuple[type, ...]] = {
    "count": (list, tuple, str, range),
    "index": (list, tuple, str, range),
    "append": (list,),
    "add": (set,),
    **dict.fromkeys(("get", "keys", "values", "items"), (dict,)),
}


def by_key(name: str, values: Any, keys: list[Any], *reverse: Any) -> Any:
    """max, min and sorted by a key, whose values come beside."""
    entries = unordered(values)
    if isinstance(values, set) and len(values) > 1:
        raise NotRead("a set is ordered by a key, and two entries may have one")
    if name == "sorted":
        return [entries[n] for n in sorted(range(len(entries)), key=keys.__getitem__, reverse=any(reverse))]
    return entries[(max if name == "max" else min)(range(len(entries)), key=keys.__getitem__)]


def better(choose: Callable[..., Any], best: tuple[Any, ...], one: Any) -> tuple[Any, ...]:
    """The larger or smaller of what has come; none at first."""
    return (choose(best[0], one),) if best else (one,)


def inserted(sorted_so_far: list[Any], one: Any) -> list[Any]:
    """A sorted list with one entry more."""
    bisect.insort(sorted_so_far, one)
    return sorted_so_far


def appended(entries: list[Any], one: Any) -> list[Any]:
    """A list with one entry more."""
    entries.append(one)
    return entries


def joined(entries: set[Any], one: Any) -> set[Any]:
    """A set with one entry more."""
    entries.add(one)
    return entries


def entered(table: dict[Any, Any], pair: tuple[Any, Any]) -> dict[Any, Any]:
    """A dictionary with one entry more."""
    table[pair[0]] = pair[1]
    return table


class Fold(NamedTuple):
    """How a comprehension becomes a value: what it is at first, with one entry more, and at the end."""

    first: Callable[[], Any]
    step: Callable[[Any, Any], Any]
    last: Callable[[Any], Any] | None = None


def _only(best: tuple[Any, ...]) -> Any:
    if not best:
        raise ValueError("the largest or smallest of nothing")
    return best[0]


LIST = Fold(list, appended)
FOLDS: dict[str, Fold] = {
    "list": LIST,
    "tuple": Fold(tuple, lambda so_far, one: (*so_far, one)),
    "set": Fold(set, joined),
    "sum": Fold(lambda: 0, operator.add),
    "any": Fold(lambda: False, lambda so_far, one: bool(one) or so_far),
    "all": Fold(lambda: True, lambda so_far, one: bool(one) and so_far),
    "max": Fold(tuple, partial(better, max), _only),
    "min": Fold(tuple, partial(better, min), _only),
    "sorted": Fold(list, inserted),
}
