"""The sentences of a reading, bound: each number to a source, and what they say of all to evidence that can carry it.

The rules are written in proofs/README.md. What is refused names the file, the reading, the sentence and the number.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence

from verifier.wings.papers.ledger.bind import Bound
from verifier.wings.papers.ledger.carries import UNIVERSAL, can_carry
from verifier.wings.papers.ledger.entry import Entry, Reading, Unbound
from verifier.wings.papers.ledger.sources import Sources

STATED = ("means", "found", "repaired", "tight", "scope")
"""The sentences whose numbers are bound."""
ASSERTED = ("found", "repaired", "tight")
"""Those that assert: `means` is the question, and the verdict names what carries its answer."""


def unbound(entry: Entry, reading: Reading, record: Bound) -> Iterator[str]:
    """What of a reading is bound to nothing, a line each; and exceptions that except nothing."""
    where = f"{entry.file}: {entry.key(reading)}"
    used: set[str] = set()
    for line in (*_numbers(entry, reading, record, used), *_universals(reading, record, used)):
        yield f"{where}: {line}"
    for exception in reading.unbound:
        if exception.says not in used:
            yield f"{where}: the exception “{exception.says}” excepts nothing; wanted: leave it out"


def exceptions(every: Sequence[Entry]) -> tuple[tuple[Entry, Reading, Unbound], ...]:
    """What is stated without evidence, with the reason: counted by the build, and listed in proofs/ledger.md."""
    return tuple((entry, reading, one) for entry in every for reading in entry.readings for one in reading.unbound)


def _numbers(entry: Entry, reading: Reading, record: Bound, used: set[str]) -> Iterator[str]:
    sources = Sources(entry, reading, record)
    for name in STATED:
        text = getattr(reading, name)
        for number in sources.stated(text):
            if sources.has(number):
                continue
            exception = _covering(text, number.start, number.end, [one.says for one in reading.unbound])
            if exception is None:
                yield f"`{name}` says {number.text} (“{_around(text, number.start, number.end)}”), {NOWHERE}"
            else:
                used.add(exception)
        sources.add(text)


def _universals(reading: Reading, record: Bound, used: set[str]) -> Iterator[str]:
    for name in ASSERTED:
        text = getattr(reading, name)
        for words in UNIVERSAL.finditer(text):
            said = f"`{name}` says “{words[0]}” (“{_around(text, *words.span())}”)"
            exception = _covering(text, *words.span(), [one.says for one in reading.unbound])
            if exception is not None:
                used.add(exception)
                continue
            named = [
                (evidence, lines)
                for evidence, lines in zip(reading.evidence, record.said, strict=True)
                if _covering(text, *words.span(), evidence.carries) is not None
            ]
            if not named:
                yield f"{said}, and no evidence says that it `carries` it"
            for evidence, lines in named:
                wrong = can_carry(evidence, lines, name, text, words.span())
                if wrong:
                    yield f"{said}, which {evidence.title} cannot carry: {wrong}"
    for evidence in reading.evidence:
        for quoted in evidence.carries:
            if not any(_quotes(quoted, getattr(reading, name)) for name in ASSERTED):
                yield f"{evidence.title} carries “{quoted}”, which none of {', '.join(ASSERTED)} says of all"


NOWHERE = "which is neither in its evidence nor in an input nor in the text"


def _quotes(quoted: str, text: str) -> bool:
    return quoted in text and UNIVERSAL.search(quoted) is not None


def _covering(text: str, start: int, end: int, quotations: Sequence[str]) -> str | None:
    """The quotation that covers a place of a text; None where none does."""
    for quoted in quotations:
        at = text.find(quoted)
        while at >= 0:
            if at <= start and end <= at + len(quoted):
                return quoted
            at = text.find(quoted, at + 1)
    return None


def _around(text: str, start: int, end: int) -> str:
    """A few words on both sides of a place."""
    before = re.split(r"(?<=[.;:]) ", text[:start])[-1][-50:]
    return f"{before}{text[start:end]}{re.split(r'[.;:] ', text[end:])[0][:40]}"
