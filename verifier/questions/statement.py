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
"""What is done to the mechanism before a definition is asked, by name."""


class _Combined:
    """Statements combine with `&`, `|` and `~`, and by `implies` and `iff`."""

    @property
    def _me(self) -> Statement:
        if not isinstance(self, Statement):
            raise TypeError("only statements combine")
        return self

    def __and__(self, other: Statement) -> And:
        return And((self._me, other))

    def __or__(self, other: Statement) -> Or:
        return Or((self._me, other))

    def __invert__(self) -> Not:
        return Not(self._me)

    def implies(self, other: Statement) -> Or:
        """`self => other`."""
        return implies(self._me, other)

    def iff(self, other: Statement) -> And:
        """`self iff other`."""
        return iff(self._me, other)

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
        """The names of its variables."""
        return tuple(one.name for one in (self.epsilon, self.delta) if isinstance(one, Scaled))


@dataclass(frozen=True)
class Has(_Combined):
    """A property of the model, such as `acceptable`, `independent` or `deterministic`."""

    name: str


@dataclass(frozen=True)
class Not(_Combined):
    """The opposite."""

    of: Statement


@dataclass(frozen=True)
class And(_Combined):
    """All of them."""

    parts: tuple[Statement, ...]


@dataclass(frozen=True)
class Or(_Combined):
    """One of them."""

    parts: tuple[Statement, ...]


Statement: TypeAlias = Holds | Has | Not | And | Or
"""`a => b` is `Or((Not(a), b))`, `a iff b` both ways."""


def implies(first: Statement, second: Statement) -> Or:
    """`first => second`."""
    return Or((Not(first), second))


def iff(first: Statement, second: Statement) -> And:
    """`first iff second`: each implies the other."""
    return And((implies(first, second), implies(second, first)))


def atoms(statement: Statement) -> Iterator[Holds | Has]:
    """The definitions and properties in it, from left to right, each once."""
    seen: dict[Holds | Has, None] = {}
    waiting: list[Statement] = [statement]
    while waiting:
        one = waiting.pop()
        if isinstance(one, Holds | Has):
            if one not in seen:
                seen[one] = None
                yield one
        else:
            waiting += [one.of] if isinstance(one, Not) else list(reversed(one.parts))


def _text(one: Statement, level: int) -> str:
    """The text as `verifier.questions.language.statement` reads it, in parentheses where it binds less than `level`."""
    if isinstance(one, Has):
        return one.name
    if isinstance(one, Holds):
        return _asked(one)
    if isinstance(one, Not):
        return f"not {_text(one.of, 4)}"
    if isinstance(one, And) and (both := _both_ways(one)):
        found, own = " iff ".join(_text(part, 2) for part in both), 1
    elif isinstance(one, Or) and len(one.parts) == 2 and isinstance(one.parts[0], Not):
        found, own = f"{_text(one.parts[0].of, 1)} => {_text(one.parts[1], 0)}", 0
    elif not one.parts:
        return "true" if isinstance(one, And) else "false"
    else:
        word, own = (" and ", 3) if isinstance(one, And) else (" or ", 2)
        found = word.join(_text(part, own + 1) for part in one.parts)
    return f"({found})" if own < level else found


def _both_ways(one: And) -> tuple[Statement, Statement] | None:
    """The two sides, where it says that each implies the other."""
    if len(one.parts) == 2 and isinstance(one.parts[0], Or) and len(one.parts[0].parts) == 2:
        first, second = one.parts[0].parts
        if isinstance(first, Not) and one == iff(first.of, second):
            return first.of, second
    return None


def _asked(one: Holds) -> str:
    parts = []
    if one.epsilon is not None:
        parts.append(one.epsilon.text(MAX_DIGITS) if isinstance(one.epsilon, Epsilon) else str(one.epsilon))
    if one.delta != 0:
        shown = str(one.delta) if isinstance(one.delta, Scaled) else exact_text(one.delta, MAX_DIGITS)
        parts.append(shown if parts else f"delta={shown}")
    if one.reading != "default":
        parts.append(f'reading="{one.reading}"')
    found = one.definition + (f"({', '.join(parts)})" if parts else "")
    for name in reversed(one.on.split()):
        found = f"{name}({found})"
    return found
