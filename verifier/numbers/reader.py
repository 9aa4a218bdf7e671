"""The base of the readers of all small languages: tokens with their positions, read once from left to right.

Such languages are expressions in names, statements and questions, and the exact texts to be typeset.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import TypeVar

Part = TypeVar("Part")


@dataclass(frozen=True)
class Token:
    """A name, a number, a text in quotes or a mark, where it stands, and the group of the pattern that matched it."""

    text: str
    at: int
    end: int
    kind: int

    @property
    def is_name(self) -> bool:
        """Whether the token is a name: of a definition, a property or a variable, or a word of the language."""
        return self.text[:1].isalpha() or self.text[:1] == "_"


def tokens_of(pattern: re.Pattern[str], text: str, refusal: Callable[[int], Exception]) -> list[Token]:
    """The tokens of a text: each is the group of the pattern that matches after spaces.

    `refusal` makes the error to raise for a character at which no token starts, from its position.

    >>> [token.text for token in tokens_of(re.compile(r"[ ]*([0-9]+|[+])"), "1 + 20 ", ValueError)]
    ['1', '+', '20']
    """
    tokens, at = [], 0
    while text[at:].strip():
        match = pattern.match(text, at)
        if match is None:
            raise refusal(at + len(text[at:]) - len(text[at:].lstrip()))
        kind = match.lastindex or 0
        tokens.append(Token(match[kind], match.start(kind), match.end(kind), kind))
        at = match.end()
    return tokens


class Reader:
    """A reader that takes tokens one by one, from left to right."""

    def __init__(self, tokens: Sequence[Token]) -> None:
        """Begin at the first token."""
        self.tokens = tokens
        self.place = 0

    @property
    def token(self) -> Token:
        """The next token, without taking it; an empty one of no kind at the end."""
        return self.tokens[self.place] if self.place < len(self.tokens) else Token("", 0, 0, 0)

    def next(self) -> str:
        """The text of the next token, without taking it; empty at the end."""
        return self.token.text

    def take(self, *wanted: str) -> str:
        """Take the next token where it is one of these marks, and return its text; else return the empty text."""
        text = self.next()
        if not text or text not in wanted:
            return ""
        self.place += 1
        return text

    def chain(self, part: Callable[[], Part], joined: Callable[[str, Part, Part], Part], *marks: str) -> Part:
        """Read parts with one of the marks between neighbours, and join them from the left."""
        left = part()
        while mark := self.take(*marks):
            left = joined(mark, left, part())
        return left
