"""Expressions in parameters and other names, such as `p*(1 - q)/2`: read by a small reader, never evaluated as code.

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
from verifier.numbers.reader import Reader, tokens_of

MAX_LENGTH, MAX_DEPTH, MAX_POWER = 1000, 40, 64
MAX_BITS, NAME_BITS = 1 << 20, 1 << 8
"""Longest value that powers of powers may have, where the value of a name counts as so many bits."""
_TOKEN = re.compile(r"\s*(?:([0-9]+(?:\.[0-9]+)?)|([^\W\d]\w*)|([-+*/^()]))")
NUMBER, NAME = 1, 2
"""The kinds of tokens: the groups of the pattern."""
MARKS = "numbers, names, + - * / ^ and parentheses"
EXPONENTIAL = "for e^ε take a parameter x of its own, and ask with epsilon= ln(x)"


@dataclass(frozen=True)
class Expression:
    """An operation with its operands, a number, or a name; `power` is the exponent of `^`.

    >>> expression = read_expression("p*(1 - p)^2/4")
    >>> expression.at({"p": Fraction(1, 3)}), sorted(expression.names)
    (Fraction(1, 27), ['p'])
    """

    operation: str
    operands: tuple[Expression, ...] = ()
    number: Fraction = Fraction(0)
    name: str = ""
    power: int = 1
    text: str = ""

    def __str__(self) -> str:
        return self.text

    @property
    def names(self) -> frozenset[str]:
        """The parameters that the expression mentions."""
        own = frozenset({self.name} if self.name else ())
        return own.union(*(part.names for part in self.operands))

    @property
    def bits(self) -> int:
        """About how many bits a value of the expression has, where the value of a name has `NAME_BITS`."""
        if self.operands:
            return max(abs(self.power), 1) * sum(part.bits for part in self.operands)
        return NAME_BITS if self.name else self.number.numerator.bit_length() + self.number.denominator.bit_length()

    def at(self, values: Mapping[str, Fraction]) -> Fraction:
        """The value of the expression at values of the parameters.

        Raises:
            InputError: where it divides by 0, or a parameter has no value.

        """
        missing = self.names - values.keys()
        if missing:
            raise InputError(f"{min(missing)} has no value", where=self.text, wanted=f"one for {min(missing)}")
        try:
            value: Fraction = self.within(values, Fraction)
        except ZeroDivisionError:
            point = ", ".join(f"{name} = {values[name]}" for name in sorted(self.names))
            raise InputError(f"the expression {self.text} divides by 0 at {point}") from None
        return value

    def within(self, values: Mapping[str, Any], constant: Callable[[Fraction], Any]) -> Any:
        """The value of the expression in any ring, where `/` and negative powers divide as the ring does.

        `values` has the element for each parameter, `constant` makes an element of a number.
        """
        if self.operation == "number":
            return constant(self.number)
        if self.operation == "name":
            return values[self.name]
        x, *following = (part.within(values, constant) for part in self.operands)
        if self.operation == "^":
            power = constant(Fraction(1))
            for _ in range(abs(self.power)):
                power = power * x
            return power if self.power >= 0 else constant(Fraction(1)) / power
        return _OPERATIONS[self.operation](x, *following)


_OPERATIONS: Mapping[str, Callable[..., Any]] = {
    "+": lambda x, y: x + y,
    "-": lambda x, y: x - y,
    "*": lambda x, y: x * y,
    "/": lambda x, y: x / y,
    "negative": lambda x: -x,
}


def read_expression(
    text: str, where: str = "", names: Iterable[str] | None = None, tip: str = EXPONENTIAL
) -> Expression:
    """Read an expression; with `names`, these are the only parameters that may stand in it.

    `tip` says what to write where a function such as exp(…) was tried.

    >>> str(read_expression(" 1 - p ").at({"p": Fraction(1, 4)}))
    '3/4'

    Raises:
        InputError: for a text that is no expression, with the position, and for an unknown parameter.
        LimitError: for one that is too long, nested too deeply, or whose values are too long.

    """
    if len(text) > MAX_LENGTH:
        raise LimitError(
            f"the expression is too long: {len(text):,} characters", where=where, wanted=f"at most {MAX_LENGTH:,}"
        )
    reader = _Reader(text, where, tip)
    expression = reader.sum(0)
    if reader.next():
        raise reader.refuse("an operation, or the end")
    if expression.bits > MAX_BITS:
        fact = f"{shorten(text)} has powers of powers, so that values have about {expression.bits:,} bits"
        raise LimitError(fact, where=where, wanted=f"at most {MAX_BITS:,}")
    known = None if names is None else frozenset(names)
    for name in sorted(expression.names):
        if known is not None and name not in known:
            listed = ", ".join(sorted(known)) or "none"
            raise InputError(
                f"the name {shorten(name)} is unknown",
                where=where,
                wanted=f"a number, or a parameter of [parameters]: {listed}",
            )
    return Expression(
        expression.operation, expression.operands, expression.number, expression.name, expression.power, text.strip()
    )


class _Reader(Reader):
    def __init__(self, text: str, where: str, tip: str) -> None:
        self.text, self.where, self.tip = text, where, tip
        super().__init__(tokens_of(_TOKEN, text, self._stranger))

    def _stranger(self, position: int) -> InputError:
        fact = f'"{self.text[position]}" at position {position + 1} of {shorten(self.text)} is unknown'
        return InputError(fact, where=self.where, wanted=MARKS)

    def refuse(self, wanted: str) -> InputError:
        token = self.token
        found = f'"{token.text}" at position {token.at + 1} of {shorten(self.text)} is out of place'
        return InputError(
            found if token.kind else f"{shorten(self.text)} ends too early", where=self.where, wanted=wanted
        )

    def _refuse_deep(self, depth: int) -> None:
        if depth > MAX_DEPTH:
            deep = "the expression is nested too deeply"
            raise LimitError(deep, where=self.where, wanted=f"at most {MAX_DEPTH} levels")

    def sum(self, depth: int) -> Expression:
        self._refuse_deep(depth)
        return self.chain(lambda: self.product(depth), _joined, "+", "-")

    def product(self, depth: int) -> Expression:
        return self.chain(lambda: self.factor(depth), _joined, "*", "/")

    def factor(self, depth: int) -> Expression:
        self._refuse_deep(depth)
        if self.take("-"):
            return Expression("negative", (self.factor(depth + 1),))
        expression = self.atom(depth)
        if self.take("^"):
            sign = -1 if self.take("-") else 1
            token = self.token
            if token.kind != NUMBER or not token.text.isdigit() or len(token.text) > 3 or int(token.text) > MAX_POWER:
                raise self.refuse(f"an integer exponent up to {MAX_POWER}")
            self.place += 1
            return Expression("^", (expression,), power=sign * int(token.text))
        return expression

    def atom(self, depth: int) -> Expression:
        token = self.token
        if token.kind == NUMBER:
            self.place += 1
            return Expression("number", number=rational(token.text, self.where))
        if token.kind == NAME:
            self.place += 1
            if self.take("("):
                raise InputError(
                    f"the function {shorten(token.text)} is unknown",
                    where=self.where,
                    wanted=MARKS,
                    tip=self.tip,
                )
            return Expression("name", name=token.text)
        if self.take("("):
            expression = self.sum(depth + 1)
            if not self.take(")"):
                raise self.refuse('")"')
            return expression
        raise self.refuse("a number, a name or a parenthesis")


def _joined(mark: str, left: Expression, right: Expression) -> Expression:
    return Expression(mark, (left, right))
