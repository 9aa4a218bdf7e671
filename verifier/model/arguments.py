"""What the arguments of a public function may be, declared beside it: any other is refused at the call.

A model, a definition, ε and δ have readers of their own, which refuse what they do not read. The others are declared
here: a text, a number of something, a list. So no call ends in an error of Python from deep inside, and none answers a
question that was not asked, such as that of the letters of a text in place of a list.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from functools import wraps
from inspect import signature
from numbers import Integral
from os import PathLike
from typing import Any, ParamSpec, TypeVar

from verifier.errors import InputError
from verifier.numbers import shorten

Parameters = ParamSpec("Parameters")
Answer = TypeVar("Answer")
Argument = Callable[[object, str], Any]
"""Reads (argument, its name), or refuses it."""


def takes(**declared: Argument) -> Callable[[Callable[Parameters, Answer]], Callable[Parameters, Answer]]:
    """Read some arguments of a function by these readers, before it is called; those left out keep their defaults."""

    def decorate(function: Callable[Parameters, Answer]) -> Callable[Parameters, Answer]:
        bind = signature(function).bind

        @wraps(function)
        def called(*args: Parameters.args, **kwargs: Parameters.kwargs) -> Answer:
            try:
                bound = bind(*args, **kwargs)
            except TypeError as error:
                builds = "; Hint: pk.build(size=1, values=[0, 1], mechanism=f) makes the model of a function f"
                hint = builds if args and callable(args[0]) else ""
                raise TypeError(f"{function.__name__}: {error}{hint}") from None
            for name, read in declared.items():
                if name in bound.arguments:
                    bound.arguments[name] = read(bound.arguments[name], name)
            return function(*bound.args, **bound.kwargs)

        return called

    return decorate


def optional(read: Argument) -> Argument:
    """None, or what is read."""
    return lambda given, name: None if given is None else read(given, name)


def text(given: object, name: str) -> str:
    """A text."""
    if not isinstance(given, str):
        raise InputError(f"{shorten(given)} is not a text", where=name, wanted=f'{name}="…"')
    return given


def path(given: object, name: str) -> str | PathLike[str]:
    """The path of a file, as a text or a `Path`."""
    if not isinstance(given, str | PathLike):
        tip = "pk.loads reads the text of a file, pk.build takes its keys" if isinstance(given, bytes | Mapping) else ""
        raise InputError(f"{shorten(given)} is not the path of a file", where=name, wanted="a text or a Path", tip=tip)
    return given


def number(least: int | None = None) -> Argument:
    """A number of something: an integer, at least `least`."""
    wanted = "an integer" if least is None else f"an integer from {least}"

    def read(given: object, name: str) -> int:
        if isinstance(given, bool) or not isinstance(given, Integral):
            tip = f"{name}={given}" if isinstance(given, str) and given.strip().isdecimal() else ""
            raise InputError(f"{shorten(given)} is not an integer", where=name, wanted=wanted, tip=tip)
        if least is not None and int(given) < least:
            raise InputError(f"{shorten(int(given))} is too small", where=name, wanted=wanted)
        return int(given)

    return read


def flag(given: object, name: str) -> bool:
    """True or False, also as 1 or 0."""
    if not isinstance(given, Integral) or given not in (0, 1):
        raise InputError(f"{shorten(given)} is neither True nor False", where=name, wanted="True or False")
    return bool(given)


def one(kind: type | tuple[type, ...], wanted: str) -> Argument:
    """An object of a class, or of one of several."""

    def read(given: object, name: str) -> object:
        if not isinstance(given, kind):
            raise InputError(f"{shorten(given)} is not {wanted}", where=name, wanted=wanted)
        return given

    return read


def function(given: object, name: str) -> object:
    """A function, or another object that can be called."""
    if not callable(given):
        raise InputError(f"{shorten(given)} cannot be called", where=name, wanted="a function")
    return given


def several(of: str) -> Argument:
    """A list of something, also as a tuple, a range, a set or what yields its entries; no text, and no table."""

    def read(given: object, name: str) -> tuple[Any, ...]:
        if isinstance(given, str | bytes | Mapping) or not isinstance(given, Iterable):
            tip = f"{name}=[{shorten(given)}]" if isinstance(given, str | Integral) else ""
            raise InputError(f"{shorten(given)} is not a list", where=name, wanted=f"a list of {of}", tip=tip)
        return tuple(given)

    return read


def pair(of: str) -> Argument:
    """Two of something."""

    def read(given: object, name: str) -> tuple[Any, ...]:
        entries: tuple[Any, ...] = several(of)(given, name)
        if len(entries) != 2:
            raise InputError(f"there are {len(entries)} entries", where=name, wanted=f"two {of}")
        return entries

    return read


def table(of: str) -> Argument:
    """A table."""

    def read(given: object, name: str) -> dict[Any, Any]:
        if not isinstance(given, Mapping):
            raise InputError(f"{shorten(given)} is not a table", where=name, wanted=f"a table {of}")
        return dict(given)

    return read
