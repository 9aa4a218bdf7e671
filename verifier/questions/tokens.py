"""The marks, names and numbers that questions and statements are made of (verifier.questions.language)."""

from __future__ import annotations

import re

from verifier.errors import InputError
from verifier.numbers import reader, shorten
from verifier.numbers.reader import Token

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


def tokens_of(text: str, where: str) -> list[Token]:
    """The tokens of a text, from left to right.

    >>> [token.text for token in tokens_of("np delta at ln(2) <= 1/10", "question")]
    ['np', 'delta', 'at', 'ln', '(', '2', ')', '<=', '1', '/', '10']

    Raises:
        InputError: for a text that is too long, and for a mark that the language does not have.

    """
    if len(text) > MAX_LENGTH:
        raise InputError(f"given {len(text):,} characters", where=where, wanted=f"at most {MAX_LENGTH:,}")

    def stranger(at: int) -> InputError:
        return InputError(
            f'given "{text[at]}" at character {at + 1} of {shorten(text)}',
            where=where,
            wanted="names, numbers, parentheses, commas and =>",
            tip=_TIPS.get(text[at], EXAMPLE),
        )

    return reader.tokens_of(_TOKEN, text, stranger)
