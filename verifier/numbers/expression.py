"""Expressions in parameters, such as `p*(1 - q)/2`: read by a small reader of our own, never evaluated as code.

A sum has products, with `+` and `-` between them; a product has factors, with `*` and `/`; a factor is `-` and a
factor, or an atom with an integer exponent after `^`; an atom is a number, a name, or a sum in parentheses.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass
from fractions import Fraction
from typing import Any

from verifier.errors import InputError, LimitError
from verifier.numbers.rational import rational, shorten

MAX_LENGTH, MAX_DEPTH, MAX_POWER = 1000, 40, 64
_TOKEN = re.compile(r"\s*(?:([0-9]+(?:\.[0-9]+)?)|([^\W\d]\w*)|([-+*/^()]))")


@dataclass(frozen=True)
class Expression:
    """An operation with its parts, a number, or a name; `power` is the exponent of `^`.

    >>> one = read_expression("p*(1 - p)^2/4")
    >>> one.at({"p": Fraction(1, 3)}), sorted(one.names)
    (Fraction(1, 27), ['p'])
    """

    operation: str
    parts: tuple[Expression, ...] = ()
    number: Fraction = Fraction(0)
    name: str = ""
    power: int = 1
    text: str = ""

    def __str__(self) -> str:
        return self.text

    @property
    def names(self) -> frozenset[str]:
        """The parameters in it."""
        own = frozenset({self.name} if self.name else ())
        return own.union(*(part.names for part in self.parts))

    def at(self, values: Mapping[str, Fraction]) -> Fraction:
        """Its value.

        Raises:
            InputError: where it divides by 0, or names what has no value.

        """
        missing = self.names - values.keys()
        if missing:
            raise InputError(f"{min(missing)} has no value", where=self.text, wanted=f"one for {min(missing)}")
        try:
            found: Fraction = self.within(values, Fraction)
        except ZeroDivisionError:
            shown = ", ".join(f"{name} = {values[name]}" for name in sorted(self.names))
            raise InputError(f"the expression {self.text} divides by 0 at {shown}") from None
        return found

    def within(self, values: Mapping[str, Any], constant: Callable[[Fraction], Any]) -> Any:
        """Its value in any ring with division where needed: `values` are elements, `constant` makes one of a number."""
        if self.operation == "number":
            return constant(self.number)
        if self.operation == "name":
            return values[self.name]
        x, *rest = (part.within(values, constant) for part in self.parts)
        if self.operation == "^":
            found = constant(Fraction(1))
            for _ in range(abs(self.power)):
                found = found * x
            return found if self.power >= 0 else constant(Fraction(1)) / found
        return _OPERATIONS[self.operation](x, *rest)


_OPERATIONS: Mapping[str, Callable[..., Any]] = {
    "+": lambda x, y: x + y,
    "-": lambda x, y: x - y,
    "*": lambda x, y: x * y,
    "/": lambda x, y: x / y,
    "negative": lambda x: -x,
}


def read_expression(text: str, where: str = "", names: Iterable[str] | None = None) -> Expression:
    """Read an expression; with `names` only those may stand in it.

    >>> str(read_expression(" 1 - p ").at({"p": Fraction(1, 4)}))
    '3/4'

    Raises:
        InputError: with the position, for what is none.
        LimitError: for one that is too long, or nested too deeply.

    """
    if len(text) > MAX_LENGTH:
        raise LimitError(f"given {len(text):,} characters", where=where, wanted=f"at most {MAX_LENGTH:,}")
    reader = _Reader(text, where)
    found = reader.sum(0)
    if reader.at < len(reader.tokens):
        raise reader.refuse("an operation, or the end")
    known = None if names is None else frozenset(names)
    for name in sorted(found.names):
        if known is not None and name not in known:
            listed = ", ".join(sorted(known)) or "none"
            raise InputError(
                f"given the name {shorten(name)}",
                where=where,
                wanted=f"a number, or a parameter of [parameters]: {listed}",
            )
    return Expression(found.operation, found.parts, found.number, found.name, found.power, text.strip())


class _Reader:
    def __init__(self, text: str, where: str) -> None:
        self.text, self.where, self.at = text, where, 0
        self.tokens: list[tuple[int, str, int]] = []
        place = 0
        while text[place:].strip():
            match = _TOKEN.match(text, place)
            if match is None:
                place += len(text[place:]) - len(text[place:].lstrip())
                raise InputError(
                    f'given "{text[place]}" at position {place + 1} of {shorten(text)}',
                    where=where,
                    wanted="numbers, parameters, + - * / ^ and parentheses",
                )
            kind = match.lastindex or 0
            self.tokens.append((kind, match[kind], match.start(kind)))
            place = match.end()

    def refuse(self, wanted: str) -> InputError:
        found = self.tokens[self.at] if self.at < len(self.tokens) else None
        given = f'"{found[1]}" at position {found[2] + 1} of {shorten(self.text)}' if found else shorten(self.text)
        return InputError(f"given {given}", where=self.where, wanted=wanted)

    def _next(self, *symbols: str) -> str:
        """The symbol that comes next and is taken, or nothing."""
        if self.at < len(self.tokens):
            kind, text, _ = self.tokens[self.at]
            if kind == 3 and text in symbols:
                self.at += 1
                return text
        return ""

    def sum(self, depth: int) -> Expression:
        if depth > MAX_DEPTH:
            raise LimitError(
                "the expression is nested too deeply", where=self.where, wanted=f"at most {MAX_DEPTH} levels"
            )
        found = self.product(depth)
        while symbol := self._next("+", "-"):
            found = Expression(symbol, (found, self.product(depth)))
        return found

    def product(self, depth: int) -> Expression:
        found = self.factor(depth)
        while symbol := self._next("*", "/"):
            found = Expression(symbol, (found, self.factor(depth)))
        return found

    def factor(self, depth: int) -> Expression:
        if depth > MAX_DEPTH:
            raise LimitError(
                "the expression is nested too deeply", where=self.where, wanted=f"at most {MAX_DEPTH} levels"
            )
        if self._next("-"):
            return Expression("negative", (self.factor(depth + 1),))
        found = self.atom(depth)
        if self._next("^"):
            sign = -1 if self._next("-") else 1
            kind, text, _ = self.tokens[self.at] if self.at < len(self.tokens) else (0, "", 0)
            if kind != 1 or not text.isdigit() or len(text) > 3 or int(text) > MAX_POWER:
                raise self.refuse(f"an integer exponent up to {MAX_POWER}")
            self.at += 1
            return Expression("^", (found,), power=sign * int(text))
        return found

    def atom(self, depth: int) -> Expression:
        kind, text, _ = self.tokens[self.at] if self.at < len(self.tokens) else (0, "", 0)
        if kind == 1:
            self.at += 1
            return Expression("number", number=rational(text, self.where))
        if kind == 2:
            self.at += 1
            if self._next("("):
                raise InputError(
                    f"given the function {shorten(text)}",
                    where=self.where,
                    wanted="numbers, parameters, + - * / ^ and parentheses",
                    tip="for e^ε take a parameter x of its own, and ask with epsilon= ln(x)",
                )
            return Expression("name", name=text)
        if self._next("("):
            found = self.sum(depth + 1)
            if not self._next(")"):
                raise self.refuse('")"')
            return found
        raise self.refuse("a number, a parameter or a parenthesis")
