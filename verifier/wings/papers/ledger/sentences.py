"""The check of a reading's sentences: each number has a source, each universal statement evidence that carries it.

What is proved is proved of all: where its evidence is cases alone, the reading says why they settle it.

The rules are written in proofs/README.md. A refusal names the file, the reading, the sentence and the number.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from itertools import chain

from verifier.wings.papers.ledger.bind import BoundReading
from verifier.wings.papers.ledger.carries import UNIVERSAL, can_carry
from verifier.wings.papers.ledger.entry import CASES, ClaimReading, Entry, OfProof, OfTheorem, Unbound
from verifier.wings.papers.ledger.sources import Sources

STATED = ("means", "found", "repaired", "tight", "scope")
"""The sentences whose numbers need a source."""
ASSERTED = ("found", "repaired", "tight")
"""The sentences that assert something; `means` is left out, since it is the question."""
SYMBOLIC = re.compile(r"the negation has no real solution|is identically 0")
"""The words in which a step about all numbers concludes; every other step is about the cases that it lists."""


def unbound(entry: Entry, reading: ClaimReading, record: BoundReading) -> Iterator[str]:
    """The errors of a reading's sentences, in words: numbers without a source, universal statements without evidence.

    An exception that excepts nothing is an error too.
    """
    where = f"{entry.file}: {entry.key(reading)}"
    used: set[str] = set()
    checks = (_numbers(entry, reading, record, used), _universals(reading, record, used), _cases(reading, record))
    for line in chain.from_iterable(checks):
        yield f"{where}: {line}"
    for exception in reading.unbound:
        if exception.says not in used:
            yield f"{where}: the exception “{exception.says}” excepts nothing; wanted: leave it out"


def exceptions(all_entries: Sequence[Entry]) -> tuple[tuple[Entry, ClaimReading, Unbound], ...]:
    """The exceptions of all entries, each with its entry and reading: words without evidence, and the reason."""
    return tuple(
        (entry, reading, exception)
        for entry in all_entries
        for reading in entry.readings
        for exception in reading.unbound
    )


def _numbers(entry: Entry, reading: ClaimReading, record: BoundReading, used: set[str]) -> Iterator[str]:
    sources = Sources(entry, reading, record)
    for name in STATED:
        text = getattr(reading, name)
        for number in sources.stated(text):
            if sources.has(number):
                continue
            exception = _covering(text, number.start, number.end, [exception.says for exception in reading.unbound])
            if exception is None:
                yield f"`{name}` says {number.text} (“{_around(text, number.start, number.end)}”), {NOWHERE}"
            else:
                used.add(exception)
        sources.add(text)


def _universals(reading: ClaimReading, record: BoundReading, used: set[str]) -> Iterator[str]:
    for name in ASSERTED:
        text = getattr(reading, name)
        for words in UNIVERSAL.finditer(text):
            sentence = f"`{name}` says “{words[0]}” (“{_around(text, *words.span())}”)"
            exception = _covering(text, *words.span(), [exception.says for exception in reading.unbound])
            if exception is not None:
                used.add(exception)
                continue
            named = [
                (evidence, lines)
                for evidence, lines in zip(reading.evidence, record.said, strict=True)
                if _covering(text, *words.span(), evidence.carries) is not None
            ]
            if not named:
                yield f"{sentence}, and no evidence says that it `carries` it"
            for evidence, lines in named:
                wrong = can_carry(evidence, lines, name, text, words.span())
                if wrong:
                    yield f"{sentence}, which {evidence.title} cannot carry: {wrong}"
    for evidence in reading.evidence:
        for quoted in evidence.carries:
            if not any(_quotes(quoted, getattr(reading, name)) for name in ASSERTED):
                yield f"{evidence.title} carries “{quoted}”, which none of {', '.join(ASSERTED)} says of all"


def _cases(reading: ClaimReading, record: BoundReading) -> Iterator[str]:
    """The error of a claim that is proved by cases without a reason, or with one that it does not need."""
    claims = [
        (evidence, lines)
        for evidence, lines in zip(reading.evidence, record.said, strict=True)
        if evidence.shows == "claim"
    ]
    is_general = any(
        isinstance(evidence, OfProof | OfTheorem) or any(map(SYMBOLIC.search, lines)) for evidence, lines in claims
    )
    if reading.verdict != "proved" or is_general:
        if reading.cases:
            yield "`cases` has a reason, and its evidence is no list of cases, or proves nothing; wanted: leave it out"
    elif not reading.cases.startswith(CASES):
        yield (
            "it is proved, and its evidence is cases alone; wanted: a theorem, derivation or written proof of all, "
            f"the verdict checked with its scope, or `cases`: {' or '.join(CASES)}"
        )


NOWHERE = "which is neither in its evidence nor in an input nor in the text"


def _quotes(quoted: str, text: str) -> bool:
    return quoted in text and UNIVERSAL.search(quoted) is not None


def _covering(text: str, start: int, end: int, quotations: Sequence[str]) -> str | None:
    """The quotation that covers the characters from start to end of a text; None where none does."""
    for quoted in quotations:
        at = text.find(quoted)
        while at >= 0:
            if at <= start and end <= at + len(quoted):
                return quoted
            at = text.find(quoted, at + 1)
    return None


def _around(text: str, start: int, end: int) -> str:
    """The words around the characters from start to end of a text."""
    before = re.split(r"(?<=[.;:]) ", text[:start])[-1][-50:]
    return f"{before}{text[start:end]}{re.split(r'[.;:] ', text[end:])[0][:40]}"
