"""The values of evidence, and the sentences that are filled with them.

A sentence has `{cdp tight_epsilon}` where a number comes from the evidence. The words name the value, in any order, and
as many of them as tell it from other values: of an answer about a model the model, the definition, what is asked
(`epsilon=2`) and the key of the answer; of a derivation its function and the number of the step; of a bound its name,
the number of the line, and `claimed` or `exact`. What else stands in braces, such as a set, is text.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import replace
from typing import TypeAlias, TypeVar

from verifier.errors import InputError
from verifier.wings.papers.ledger.entry import ClaimReading, Evidence, OfBound, OfDerivation, OfModel

PLACEHOLDER = re.compile(r"\{([\w/.=()*^+-]+(?: [\w/.=()*^+-]+)+)\}")
"""Two words or more in braces, without a comma or a colon."""
SENTENCES = ("found", "repaired", "tight", "scope")
"""The sentences of a reading that may have placeholders; `means` is the question."""
Value: TypeAlias = tuple[frozenset[str], str]
"""The words that name a value, and its text."""
Owner = TypeVar("Owner")


def values_of(evidence: Evidence, lines: Sequence[str]) -> Iterator[Value]:
    """The values of a piece of evidence, which gave these lines when it was decided.

    >>> derivation = OfDerivation("claim", "DMKB20", "counting", "blanket")
    >>> [(sorted(words), text) for words, text in values_of(derivation, ["the sum: 3/4"])]
    [(['1', 'blanket'], '3/4')]
    """
    match evidence:
        case OfModel():
            for ask in evidence.asks:
                asked = " ".join(f"{key}={value}" for key, value in ask.question.items())
                for key, value in ask.answer.items():
                    yield frozenset(f"{evidence.model} {ask.definition} {asked} {key}".split()), str(value)
        case OfDerivation():
            for number, line in enumerate(lines, start=1):
                yield frozenset({evidence.function, str(number)}), line.rpartition(": ")[2]
        case OfBound() if evidence.shows != "size":
            for number, line in enumerate(lines[1:], start=2):  # the first line counts the rows
                for compared in line.rpartition(": ")[2].split(", "):
                    name, *_, text = compared.split()
                    yield frozenset({evidence.bound, str(number), name}), text


def reading_values(reading: ClaimReading, said: Sequence[Sequence[str]]) -> list[Value]:
    """The values of all evidence of a reading, of which each piece gave the lines in `said`."""
    return [value for piece, lines in zip(reading.evidence, said, strict=True) for value in values_of(piece, lines)]


def filled(owner: Owner, names: Iterable[str], known: Sequence[Value], where: str = "") -> Owner:
    """The same dataclass object with a value in place of each placeholder in its texts `names`.

    Raises:
        InputError: for a placeholder that stands for no value, or for several that differ; `where` is its place.

    """
    texts: dict[str, str] = {}
    for name in names:
        for placeholder in PLACEHOLDER.finditer(text := getattr(owner, name)):
            words = set(placeholder[1].split())
            values = {value for value_words, value in known if words <= value_words}
            if len(values) != 1:
                stands = f"`{name}` has {placeholder[0]}, which stands for {', '.join(sorted(values)) or 'no value'}"
                raise InputError(stands, where=where, wanted="the words of one value of the evidence")
            text = text.replace(placeholder[0], values.pop())
        texts[name] = text
    return replace(owner, **texts)  # type: ignore[type-var]
