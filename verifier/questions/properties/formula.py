"""A small language for bijections of outputs, such as `O + sum(w*(y - x))` (DMKB20, Proposition 6).

    sum     = product { ("+" | "-") product }
    product = factor { ("*" | "/") factor }
    factor  = "-" factor | atom [ "^" factor ]
    atom    = number | name | "(" sum ")" | "sqrt" "(" sum ")" | ("sum" | "prod") "(" sum ")"

`O` is the output, `n` the number of records, `k` that of the known ones. `M1` and `M2` are what the mechanism puts out
on the known records alone, with their values in B₁ and in B₂. Inside `sum(…)` and `prod(…)`, which go over the known
records, `x` and `y` are a record's values in B₁ and B₂, and `w` is its weight in the mechanism. Numbers are exact:
rationals and roots of rationals. A power binds more than a sign: `-2^2` is -4. Nothing is evaluated by Python.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from fractions import Fraction

from verifier.errors import InputError
from verifier.numbers import cut, rational
from verifier.numbers.reader import Reader, tokens_of
from verifier.questions.properties.roots import NoValueError, Root

NAMES = ("O", "n", "k", "M1", "M2")
OF_A_RECORD = ("x", "y", "w")
FUNCTIONS = ("sum", "prod", "sqrt")
MAX_LENGTH, MAX_DEPTH = 1000, 60
_TOKEN = re.compile(r"\s*(?:([0-9]+(?:\.[0-9]+)?)|([A-Za-z_][A-Za-z_0-9]*)|([-+*/^()]))")


@dataclass(frozen=True)
class Setting:
    """What the names stand for: `value` of a name, and for each known record the values of x, y and w."""

    value: Callable[[str], Root]
    records: Sequence[Callable[[str], Root]]


@dataclass(frozen=True)
class Formula:
    """A formula that was read: an operation and its parts, or a number or a name."""

    operation: str
    parts: tuple[Formula, ...] = ()
    number: Root | None = None

    def names(self) -> frozenset[str]:
        """The names in it."""
        own = frozenset({self.operation[1:]}) if self.operation.startswith("$") else frozenset()
        return own.union(*(part.names() for part in self.parts))

    def at(self, setting: Setting, record: Callable[[str], Root] | None = None) -> Root:
        """Its value.

        Raises:
            NoValueError: where it has none.

        """
        if self.number is not None:
            return self.number
        if self.operation.startswith("$"):
            name = self.operation[1:]
            return record(name) if record and name in OF_A_RECORD else setting.value(name)
        if self.operation in {"sum", "prod"}:
            total = Root.of(Fraction(self.operation == "prod"))
            for one in setting.records:
                part = self.parts[0].at(setting, one)
                total = total.times(part) if self.operation == "prod" else total.plus(part)
            return total
        return _OPERATIONS[self.operation](*(part.at(setting, record) for part in self.parts))


def _power(base: Root, exponent: Root) -> Root:
    if exponent.rational is None:
        raise NoValueError("an exponent that is no rational number")
    return base.power(exponent.rational)


_MINUS = Root.of(Fraction(-1))
_OPERATIONS: Mapping[str, Callable[..., Root]] = {
    "+": lambda x, y: x.plus(y),
    "-": lambda x, y: x.plus(y.times(_MINUS)),
    "*": lambda x, y: x.times(y),
    "/": lambda x, y: x.times(y.power(Fraction(-1))),
    "^": _power,
    "negative": lambda x: x.times(_MINUS),
    "sqrt": lambda x: x.power(Fraction(1, 2)),
}


def read_formula(text: str, where: str = "bijection=") -> Formula:
    """Read a formula.

    >>> read_formula("O + sum(y - x)").names() == {"O", "x", "y"}
    True

    Raises:
        InputError: with the position, for what is none.

    """
    if len(text) > MAX_LENGTH:
        raise InputError(f"given {len(text):,} characters", where=where, wanted=f"at most {MAX_LENGTH:,}")
    reader = _Reader(text, where)
    found = reader.sum(inside=False)
    if reader.next():
        raise reader.refuse("an operation, or the end")
    return found


class _Reader(Reader):
    """One pass from left to right."""

    def __init__(self, text: str, where: str) -> None:
        self.text, self.where, self.depth = text, where, 0
        super().__init__(tokens_of(_TOKEN, text, self._stranger))

    def _stranger(self, place: int) -> InputError:
        wanted = "numbers, names, + - * / ^ and parentheses"
        tip = "O + sum(w*(y - x))" if self.text[place] != "=" else "the right side alone: O + sum(w*(y - x))"
        return InputError(
            f'given "{self.text[place]}" at position {place + 1}', where=self.where, wanted=wanted, tip=tip
        )

    def refuse(self, wanted: str, tip: str = "") -> InputError:
        """What is wrong at the next token."""
        if self.next():
            given = f'given "{cut(self.next())}" at position {self.token.at + 1}'
        else:
            given = "given a formula that ends too early" if self.text.strip() else "given nothing"
        return InputError(given, where=self.where, wanted=wanted, tip=tip)

    def sum(self, *, inside: bool) -> Formula:
        """Products added up; `inside` where x, y and w have a meaning."""
        self.depth += 1
        if self.depth > MAX_DEPTH:
            raise InputError(
                "given a formula that is nested too deeply", where=self.where, wanted=f"at most {MAX_DEPTH}"
            )
        found = self.chain(lambda: self.product(inside=inside), _joined, "+", "-")
        self.depth -= 1
        return found

    def product(self, *, inside: bool) -> Formula:
        """Factors multiplied and divided."""
        return self.chain(lambda: self.factor(inside=inside), _joined, "*", "/")

    def factor(self, *, inside: bool) -> Formula:
        """A sign before a power."""
        if self.take("-"):
            self.depth += 1
            if self.depth > MAX_DEPTH:
                raise self.refuse(f"at most {MAX_DEPTH} signs and parentheses inside of each other")
            found = Formula("negative", (self.factor(inside=inside),))
            self.depth -= 1
            return found
        found = self.atom(inside=inside)
        if self.take("^"):
            return Formula("^", (found, self.factor(inside=inside)))
        return found

    def atom(self, *, inside: bool) -> Formula:
        """A number, a name, or something in parentheses."""
        word = self.next()
        if word in "+*/^)-":
            raise self.refuse("a number, a name or a parenthesis")
        if word[0].isdigit():
            self.place += 1
            return Formula("number", (), Root.of(rational(word, self.where)))
        if word == "(":
            self.place += 1
            return self.closed(inside=inside)
        if word in FUNCTIONS:
            if inside and word != "sqrt":
                raise self.refuse("no sum or prod inside of another")
            self.place += 1
            if not self.take("("):
                raise self.refuse(f"a parenthesis after {word}")
            return Formula(word, (self.closed(inside=inside or word != "sqrt"),))
        if word in OF_A_RECORD and not inside:
            raise self.refuse("x, y and w inside of sum(…) or prod(…)", "they are of one known record")
        if word not in (*NAMES, *OF_A_RECORD):
            raise self.refuse(f"one of {', '.join((*NAMES, *OF_A_RECORD, *FUNCTIONS))}")
        self.place += 1
        return Formula("$" + word)

    def closed(self, *, inside: bool) -> Formula:
        """What stands before the closing parenthesis."""
        found = self.sum(inside=inside)
        if not self.take(")"):
            raise self.refuse("a closing parenthesis")
        return found


def _joined(mark: str, left: Formula, right: Formula) -> Formula:
    return Formula(mark, (left, right))
