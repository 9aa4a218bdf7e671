"""The marks, names and numbers that questions and statements are made of (verifier.questions.language)."""

from __future__ import annotations

import re
from dataclasses import dataclass

from verifier.errors import InputError
from verifier.numbers import shorten

MAX_LENGTH = 10_000
EXAMPLE = "np(e) => cdp(2*e)"
_TOKEN = re.compile(
    r'\s*(?:("[^"]*")|([^\W\d]\w*(?:-\w+)*)|([0-9]+(?:\.[0-9]+)?(?:e[+-]?[0-9]+)?)|(=>|<=|[-+*/(),=∞≤]))'
)
_TIPS = {
    "&": "write `and`", "|": "write `or`", "!": "write `not`", "<": "a bound is written <=, and both ways are `iff`",
    "⇒": "write =>", "→": "write =>", "⟹": "write =>", "⇔": "write `iff`", "∧": "write `and`", "∨": "write `or`",
    "¬": "write `not`", "'": 'write a reading in double quotes: reading="all-values"',
    ">": "an implication is written =>",
}  # fmt: skip


@dataclass(frozen=True)
class Token:
    """A name, a number, a text in quotes or a mark, and where it stands."""

    text: str
    at: int
    end: int

    @property
    def is_name(self) -> bool:
        """Whether it is a name, of a definition, a property, a variable or a word of the language."""
        return self.text[:1].isalpha() or self.text[:1] == "_"


def tokens_of(text: str, where: str) -> list[Token]:
    """The tokens of a text, from left to right.

    >>> [token.text for token in tokens_of("np delta at ln(2) <= 1/10", "question")]
    ['np', 'delta', 'at', 'ln', '(', '2', ')', '<=', '1', '/', '10']

    Raises:
        InputError: for a text that is too long, and a mark that is none of the language.

    """
    if len(text) > MAX_LENGTH:
        raise InputError(f"given {len(text):,} characters", where=where, wanted=f"at most {MAX_LENGTH:,}")
    found, at = [], 0
    while text[at:].strip():
        match = _TOKEN.match(text, at)
        if match is None:
            at += len(text[at:]) - len(text[at:].lstrip())
            raise InputError(
                f'given "{text[at]}" at character {at + 1} of {shorten(text)}',
                where=where,
                wanted="names, numbers, parentheses, commas and =>",
                tip=_TIPS.get(text[at], EXAMPLE),
            )
        group = match.lastindex or 0
        found.append(Token(match[group], match.start(group), match.end(group)))
        at = match.end()
    return found
