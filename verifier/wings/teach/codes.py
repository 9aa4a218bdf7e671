"""The answer code: one line that a student hands in. It holds what was changed or typed, and never a verdict.

    pk1 . identity of the question . deflated JSON {n: name, a: answer, t: tries, l: looks} . six letters

The six letters are of all before them and of a word that the lecturer says in the room: they notice a slip, and a code
of another lesson. They are no secret; whoever reads this can write any name and any number of tries.
"""

from __future__ import annotations

from base64 import b32encode
from dataclasses import dataclass
from hashlib import sha256
from typing import Any

from verifier.errors import InputError, is_printable
from verifier.numbers import shorten
from verifier.wings.teach.packed import canonical, packed, unpacked

KIND = "pk1"
MOST_CODE, MOST_JSON, MOST_NAME, MOST_TRIES = 4_000, 64_000, 60, 1_000_000
FORMULAS = ("=", "+", "-", "@")
"""The first characters of formulas in spreadsheets, where tables of names end."""
WANTED = f"{KIND}.…, one line, as the page shows it"


@dataclass(frozen=True)
class AnswerCode:
    """What a code says: the question by its identity, who answers and what, after how many tries and looks."""

    question: str
    name: str
    answer: Any
    tries: int = 1
    looks: int = 0

    def text(self, word: str = "") -> str:
        """The line to hand in."""
        held = {"n": self.name, "a": self.answer, "t": self.tries, "l": self.looks}
        body = f"{KIND}.{self.question}.{packed(canonical(held))}"
        return f"{body}.{check_letters(body, word)}"


def check_letters(body: str, word: str) -> str:
    """Six letters of a code's body and the word of the lesson, whatever its capitals."""
    return b32encode(sha256(f"{body} {word.casefold().strip()}".encode()).digest())[:6].decode().lower()


def read_code(line: str, word: str = "", where: str = "answer code") -> AnswerCode:
    """Read a code.

    Raises:
        InputError: for a line that is no code, is too long, damaged, or of another word.

    """
    parts = line.strip().split(".")
    if len(line) > MOST_CODE:
        raise InputError(f"the line has {len(line):,} characters", where=where, wanted=f"at most {MOST_CODE:,}")
    if len(parts) != 4 or parts[0] != KIND:
        raise InputError(f"{shorten(line.strip())} is not an answer code", where=where, wanted=WANTED)
    if check_letters(".".join(parts[:3]), word) != parts[3]:
        tip = "--word WORD is the word that was on the board"
        raise InputError("a letter is wrong, or the word is another one", where=where, wanted=WANTED, tip=tip)
    held = unpacked(parts[2], MOST_JSON, where)
    if not isinstance(held, dict) or held.keys() != {"n", "a", "t", "l"}:
        raise InputError("the code has other parts", where=where, wanted="a name, an answer, tries and looks")
    for key, what in (("t", "tries"), ("l", "looks")):
        if type(held[key]) is not int or not 0 <= held[key] <= MOST_TRIES:
            raise InputError(f"{shorten(held[key])} is not a number of {what}", where=where, wanted="a whole number")
    return AnswerCode(parts[1], checked_name(held["n"], where), held["a"], held["t"], held["l"])


def checked_name(name: object, where: str) -> str:
    """A student's name, which goes into a table that a spreadsheet may open.

    Raises:
        InputError: for an empty one, one that is too long, or one that is a formula.

    """
    if not isinstance(name, str) or not name.strip() or len(name) > MOST_NAME or not is_printable(name):
        raise InputError(f"{shorten(name)} is not a name", where=where, wanted=f"at most {MOST_NAME} characters")
    if name.startswith(FORMULAS):
        raise InputError(f"{shorten(name)} is not a name", where=where, tip="a spreadsheet takes this for a formula")
    return name.strip()
