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
from verifier.questions.properties.roots import NoValueError, Radical

NAMES = ("O", "n", "k", "M1", "M2")
OF_A_RECORD = ("x", "y", "w")
FUNCTIONS = ("sum", "prod", "sqrt")
MAX_LENGTH, MAX_DEPTH = 1000, 60
_TOKEN = re.compile(r"\s*(?:([0-9]+(?:\.[0-9]+)?)|([A-Za-z_][A-Za-z_0-9]*)|([-+*/^()]))")


@dataclass(frozen=True)
class Assignment:
    """The values of a formula's names: `value(name)`, and for each known record the values of x, y and w."""

    value: Callable[[str], Radical]
    records: Sequence[Callable[[str], Radical]]


@dataclass(frozen=True)
class FormulaTree:
    """A parsed formula: an operation with its operands, a number, or a name."""

    operation: str
    operands: tuple[FormulaTree, ...] = ()
    number: Radical | None = None

    def names(self) -> frozenset[str]:
        """The names that occur in the formula."""
        own = frozenset({self.operation[1:]}) if self.operation.startswith("$") else frozenset()
        return own.union(*(part.names() for part in self.operands))

    def at(self, assignment: Assignment, record: Callable[[str], Radical] | None = None) -> Radical:
        """The value of the formula where its names have these values.

        Raises:
            NoValueError: where the formula has no value there.

        """
        if self.number is not None:
            return self.number
        if self.operation.startswith("$"):
            name = self.operation[1:]
            return record(name) if record and name in OF_A_RECORD else assignment.value(name)
        if self.operation in {"sum", "prod"}:
            total = Radical.of(Fraction(self.operation == "prod"))
            for record_values in assignment.records:
                part = self.operands[0].at(assignment, record_values)
                total = total.times(part) if self.operation == "prod" else total.plus(part)
            return total
        return _OPERATIONS[self.operation](*(part.at(assignment, record) for part in self.operands))


def _power(base: Radical, exponent: Radical) -> Radical:
    if exponent.rational is None:
        raise NoValueError("an exponent that is no rational number")
    return base.power(exponent.rational)


_MINUS = Radical.of(Fraction(-1))
_OPERATIONS: Mapping[str, Callable[..., Radical]] = {
    "+": lambda x, y: x.plus(y),
    "-": lambda x, y: x.plus(y.times(_MINUS)),
    "*": lambda x, y: x.times(y),
    "/": lambda x, y: x.times(y.power(Fraction(-1))),
    "^": _power,
    "negative": lambda x: x.times(_MINUS),
    "sqrt": lambda x: x.power(Fraction(1, 2)),
}


def read_formula(text: str, where: str = "bijection=") -> FormulaTree:
    """Parse a formula for a bijection of outputs.

    >>> read_formula("O + sum(y - x)").names() == {"O", "x", "y"}
    True

    Raises:
        InputError: for a text that is no formula, with the position.

    """
    if len(text) > MAX_LENGTH:
        raise InputError(f"given {len(text):,} characters", where=where, wanted=f"at most {MAX_LENGTH:,}")
    reader = _Reader(text, where)
    formula = reader.sum(inside=False)
    if reader.next():
        raise reader.refuse("an operation, or the end")
    return formula


class _Reader(Reader):
    """The parser of formulas: one pass over the tokens from left to right."""

    def __init__(self, text: str, where: str) -> None:
        self.text, self.where, self.depth = text, where, 0
        super().__init__(tokens_of(_TOKEN, text, self._stranger))

    def _stranger(self, position: int) -> InputError:
        wanted = "numbers, names, + - * / ^ and parentheses"
        tip = "O + sum(w*(y - x))" if self.text[position] != "=" else "the right side alone: O + sum(w*(y - x))"
        return InputError(
            f'given "{self.text[position]}" at position {position + 1}', where=self.where, wanted=wanted, tip=tip
        )

    def refuse(self, wanted: str, tip: str = "") -> InputError:
        """The error at the next token."""
        if self.next():
            problem = f'given "{cut(self.next())}" at position {self.token.at + 1}'
        else:
            problem = "given a formula that ends too early" if self.text.strip() else "given nothing"
        return InputError(problem, where=self.where, wanted=wanted, tip=tip)

    def sum(self, *, inside: bool) -> FormulaTree:
        """Parse a sum of products; `inside` a `sum(…)` or `prod(…)`, x, y and w have a meaning."""
        self.depth += 1
        if self.depth > MAX_DEPTH:
            raise InputError(
                "given a formula that is nested too deeply", where=self.where, wanted=f"at most {MAX_DEPTH}"
            )
        formula = self.chain(lambda: self.product(inside=inside), _joined, "+", "-")
        self.depth -= 1
        return formula

    def product(self, *, inside: bool) -> FormulaTree:
        """Parse a product of factors, with `*` and `/`."""
        return self.chain(lambda: self.factor(inside=inside), _joined, "*", "/")

    def factor(self, *, inside: bool) -> FormulaTree:
        """Parse a factor: a sign before a power."""
        if self.take("-"):
            self.depth += 1
            if self.depth > MAX_DEPTH:
                raise self.refuse(f"at most {MAX_DEPTH} signs and parentheses inside of each other")
            formula = FormulaTree("negative", (self.factor(inside=inside),))
            self.depth -= 1
            return formula
        formula = self.atom(inside=inside)
        if self.take("^"):
            return FormulaTree("^", (formula, self.factor(inside=inside)))
        return formula

    def atom(self, *, inside: bool) -> FormulaTree:
        """Parse a number, a name, a function, or a sum in parentheses."""
        word = self.next()
        if word in "+*/^)-":
            raise self.refuse("a number, a name or a parenthesis")
        if word[0].isdigit():
            self.place += 1
            return FormulaTree("number", (), Radical.of(rational(word, self.where)))
        if word == "(":
            self.place += 1
            return self.closed(inside=inside)
        if word in FUNCTIONS:
            if inside and word != "sqrt":
                raise self.refuse("no sum or prod inside of another")
            self.place += 1
            if not self.take("("):
                raise self.refuse(f"a parenthesis after {word}")
            return FormulaTree(word, (self.closed(inside=inside or word != "sqrt"),))
        if word in OF_A_RECORD and not inside:
            raise self.refuse("x, y and w inside of sum(…) or prod(…)", "they are of one known record")
        if word not in (*NAMES, *OF_A_RECORD):
            raise self.refuse(f"one of {', '.join((*NAMES, *OF_A_RECORD, *FUNCTIONS))}")
        self.place += 1
        return FormulaTree("$" + word)

    def closed(self, *, inside: bool) -> FormulaTree:
        """Parse a sum and the closing parenthesis after it."""
        formula = self.sum(inside=inside)
        if not self.take(")"):
            raise self.refuse("a closing parenthesis")
        return formula


def _joined(mark: str, left: FormulaTree, right: FormulaTree) -> FormulaTree:
    return FormulaTree(mark, (left, right))
