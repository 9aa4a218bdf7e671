"""Words of the field that are no name here, with what to write: `words.toml`, for errors, examples and docs."""

from __future__ import annotations

import tomllib
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import cache
from pathlib import Path
from typing import Any

LIST = Path(__file__).with_name("words.toml")
ABOUT = {
    "mechanism": "Mechanisms and noise",
    "definition": "Definitions",
    "question": "Questions",
    "key": "Keys of a model file",
}
"""What a word is about, by its name in the list, in words."""
LONGEST = 40
"""Letters of the longest word that is looked up."""


@dataclass(frozen=True)
class FieldWord:
    """Words for one thing, and what to write for it.

    `definition` is the one that is meant, or that a mechanism is asked about; `size` and `keys`, lines of a model file,
    are an example of what the hint says.
    """

    words: Sequence[str]
    about: str
    hint: str
    definition: str = ""
    size: int | Sequence[int] = 2
    keys: Mapping[str, Any] | None = None


@cache
def field_words() -> tuple[FieldWord, ...]:
    """The list, in its order."""
    tables = tomllib.loads(LIST.read_text(encoding="utf-8"))["word"]
    examples = [tomllib.loads(table.pop("try", "")) for table in tables]
    return tuple(FieldWord(**table, keys=keys) for table, keys in zip(tables, examples, strict=True))


@cache
def _by_word() -> Mapping[str, FieldWord]:
    return {word: entry for entry in field_words() for word in entry.words}


def field_word(text: str) -> FieldWord | None:
    """The entry of a word, however it is joined: `Local DP`, `local_dp`; None for a word that is not in the list.

    >>> field_word("Local DP").definition, field_word("np")
    ('dp', None)
    """
    if len(text) > LONGEST:
        return None
    return _by_word().get("-".join(text.lower().replace("_", " ").replace("-", " ").split()))


def hint_of(text: str, *about: str) -> str:
    """What to write for a word of the field that is about one of these; empty for any other word.

    >>> hint_of("rdp", "definition")
    'is renyidp meant? It needs `order` in [policy], the α above 1'
    >>> hint_of("rdp", "mechanism"), hint_of("there is none", "definition")
    ('', '')
    """
    entry = field_word(text)
    return entry.hint if entry is not None and (not about or entry.about in about) else ""
