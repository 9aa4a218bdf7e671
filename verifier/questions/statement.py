"""Statements about one model: definitions with parameters, properties, and `not and or => iff`, as a tree.

A statement may have variables (ε, δ) that its definitions share; it holds in a model if it does for all their values.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from fractions import Fraction
from typing import TypeAlias

from verifier.numbers import Epsilon, exact_text

MAX_DIGITS = 10**6
"""Numbers are printed in full, so that what is printed can be read again."""
TRANSFORMS = {
    "post": "asked for every deterministic post-processing of the outputs",
    "twice": "asked of the mechanism that is run twice with independent randomness, both outputs shown",
}
"""The transformations of the mechanism that a statement may name, with their meaning."""


class _Combined:
    """Statements combine with `&`, `|` and `~`, and by `implies` and `iff`."""

    @property
    def _me(self) -> Statement:
        if not isinstance(self, Statement):
            raise TypeError("only statements combine")
        return self

    def __and__(self, second: Statement) -> And:
        return And((self._me, second))

    def __or__(self, second: Statement) -> Or:
        return Or((self._me, second))

    def __invert__(self) -> Not:
        return Not(self._me)

    def implies(self, second: Statement) -> Or:
        """The statement `self => second`."""
        return implies(self._me, second)

    def iff(self, second: Statement) -> And:
        """The statement `self iff second`."""
        return iff(self._me, second)

    def __str__(self) -> str:
        return _text(self._me, 0)


@dataclass(frozen=True)
class Scaled:
    """A variable times a positive rational plus a rational that is not negative: `2*e + 1/10`."""

    name: str
    factor: Fraction = Fraction(1)
    plus: Fraction = Fraction(0)

    def __str__(self) -> str:
        factor = "" if self.factor == 1 else f"{exact_text(self.factor, MAX_DIGITS)}*"
        return f"{factor}{self.name}" + (f" + {exact_text(self.plus, MAX_DIGITS)}" if self.plus else "")


@dataclass(frozen=True)
class Holds(_Combined):
    """A definition at ε and δ, each a constant or a scaled variable; ε is None for "some finite ε"."""

    definition: str
    epsilon: Epsilon | Scaled | None = None
    delta: Fraction | Scaled = Fraction(0)
    reading: str = "default"
    on: str = ""
    """The mechanism that is asked: the model's own, or one that is made of it, such as `post` or `twice`.

    Of several, with a space between, the first is done first: `twice post` asks for every post-processing of two runs.
    """

    @property
    def variables(self) -> tuple[str, ...]:
        """The names of the variables in ε and δ."""
        return tuple(bound.name for bound in (self.epsilon, self.delta) if isinstance(bound, Scaled))


@dataclass(frozen=True)
class Has(_Combined):
    """A property of the model, such as `acceptable`, `independent` or `deterministic`."""

    name: str


@dataclass(frozen=True)
class Not(_Combined):
    """The negation of a statement."""

    of: Statement


@dataclass(frozen=True)
class And(_Combined):
    """A conjunction: all operands hold; the empty one is true."""

    operands: tuple[Statement, ...]


@dataclass(frozen=True)
class Or(_Combined):
    """A disjunction: at least one operand holds; the empty one is false."""

    operands: tuple[Statement, ...]


Statement: TypeAlias = Holds | Has | Not | And | Or
"""`a => b` is `Or((Not(a), b))`, `a iff b` both ways."""


def implies(first: Statement, second: Statement) -> Or:
    """The statement `first => second`, which is `(not first) or second`."""
    return Or((Not(first), second))


def iff(first: Statement, second: Statement) -> And:
    """`first iff second`: each implies the other."""
    return And((implies(first, second), implies(second, first)))


def atoms(statement: Statement) -> Iterator[Holds | Has]:
    """The definitions and properties that a statement names, from left to right, each once."""
    named: dict[Holds | Has, None] = {}
    waiting: list[Statement] = [statement]
    while waiting:
        subtree = waiting.pop()
        if isinstance(subtree, Holds | Has):
            if subtree not in named:
                named[subtree] = None
                yield subtree
        else:
            waiting += [subtree.of] if isinstance(subtree, Not) else list(reversed(subtree.operands))


def _text(statement: Statement, level: int) -> str:
    """The text as `verifier.questions.language.statement` reads it, in parentheses where it binds less than `level`."""
    if isinstance(statement, Has):
        return statement.name
    if isinstance(statement, Holds):
        return _asked(statement)
    if isinstance(statement, Not):
        return f"not {_text(statement.of, 4)}"
    if isinstance(statement, And) and (sides := both_ways(statement)):
        text, own = " iff ".join(_text(part, 2) for part in sides), 1
    elif isinstance(statement, Or) and len(statement.operands) == 2 and isinstance(statement.operands[0], Not):
        text, own = f"{_text(statement.operands[0].of, 1)} => {_text(statement.operands[1], 0)}", 0
    elif not statement.operands:
        return "true" if isinstance(statement, And) else "false"
    else:
        word, own = (" and ", 3) if isinstance(statement, And) else (" or ", 2)
        text = word.join(_text(part, own + 1) for part in statement.operands)
    return f"({text})" if own < level else text


def both_ways(conjunction: And) -> tuple[Statement, Statement] | None:
    """The two sides of a conjunction that is `a iff b`; None for every other one."""
    if (
        len(conjunction.operands) == 2
        and isinstance(conjunction.operands[0], Or)
        and len(conjunction.operands[0].operands) == 2
    ):
        first, second = conjunction.operands[0].operands
        if isinstance(first, Not) and conjunction == iff(first.of, second):
            return first.of, second
    return None


def _asked(question: Holds) -> str:
    arguments = []
    if question.epsilon is not None:
        arguments.append(
            question.epsilon.text(MAX_DIGITS) if isinstance(question.epsilon, Epsilon) else str(question.epsilon)
        )
    if question.delta != 0:
        delta_text = (
            str(question.delta) if isinstance(question.delta, Scaled) else exact_text(question.delta, MAX_DIGITS)
        )
        arguments.append(delta_text if arguments else f"delta={delta_text}")
    if question.reading != "default":
        arguments.append(f'reading="{question.reading}"')
    text = question.definition + (f"({', '.join(arguments)})" if arguments else "")
    for name in reversed(question.on.split()):
        text = f"{name}({text})"
    return text
