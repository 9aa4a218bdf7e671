"""The check of a reading's sentences: each number has a source, each universal statement evidence that carries it.

What is proved is proved of all: where its evidence is cases alone, the reading says why they settle it.

The rules are written in proofs/README.md. A refusal names the file, the reading, the sentence and the number.

A sentence speaks of all where it has `for no ε`, `at every ε`, `always`, `for all n`.

A single question carries none. Over ε, in what was found of one model, its exact answers can: no finite ε at all, or
one δ at ε = 0 and at ε = ∞, between which δ cannot rise. Whatever else is said of all, and every repaired statement,
wants a derivation with a step that is itself about all of something, a written proof, or a scope that was exhausted.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence
from itertools import chain
from typing import Any

from verifier.definitions import find
from verifier.wings.papers.ledger.entry import (
    CASES,
    ClaimReading,
    Entry,
    Evidence,
    OfBound,
    OfDerivation,
    OfModel,
    OfProof,
    OfTheorem,
    Unbound,
)
from verifier.wings.papers.ledger.evidence_hashes import BoundReading
from verifier.wings.papers.ledger.numerals import Numeral, numerals
from verifier.wings.papers.ledger.sources import Sources, inputs

UNIVERSAL = re.compile(
    r"\b(?:(?:for|at|in|under) (?:no|every|all|any|each) (?=\w|\()"
    r"|(?:no|any|every) (?:finite )?ε\b|never\b|always\b|whatever\b)",
    re.IGNORECASE,
)
"""The words that say something of all. `each`, `every` and `all` by themselves are left out: they seldom assert it."""
OVER_EPSILON = re.compile(r"(?:(?:for|at) )?(?:no|every|all|any|each) (?:finite )?\(?[εμ]\b", re.IGNORECASE)
NEGATIVE = re.compile(r"\b(?:no|not|never|fails?|none|neither|nor)\b", re.IGNORECASE)
GENERAL = re.compile(
    r"the negation has no real solution|is identically 0|: all of [\d,]+ cases?"
    r"|\b(?:every|all|any|each|never|always|whatever)\b|\bno (?!finite|other|e\^|ε)",
    re.IGNORECASE,
)
"""The words of a step about all of something: those in which sympy, z3 and lists of cases conclude, or `every`."""
NO_EPSILON = re.compile(r"\b(?:no|every) (?:finite |other )?(?:e\^)?ε|e\^ε: none", re.IGNORECASE)
DEFINITION = re.compile(r"\b(?:APK-DP|PPK-DP|NPr|CausDP|IBCDP|APKDP|PPKDP|APK|PPK|CDP|DDP|DPS|NP|DP)\b")


def can_carry(evidence: Evidence, lines: Sequence[str], name: str, text: str, span: tuple[int, int]) -> str:
    """The reason why a piece of evidence cannot carry the words at `span` of a sentence; empty where it can.

    `text` is the reading's `name`: its `found`, `repaired` or `tight`. `lines` are what the evidence gave when it was
    decided.
    """
    if name == "repaired" and evidence.shows != "repair":
        return "it does not show the repair"
    clause, at = _clause(text, *span)
    over_epsilon = OVER_EPSILON.match(text, span[0]) is not None
    match evidence:
        case OfBound():
            return "a bound is asked in single cases"
        case OfModel() if not over_epsilon:
            return "a model is a single case"
        case OfModel() if name == "repaired" and evidence.model not in clause:
            return "a repaired statement is about one model only where it names the model"
        case OfModel():
            return _by_answers(evidence, clause, at)
        case OfDerivation():
            wanted = GENERAL if name == "repaired" or not over_epsilon else _EITHER
            if not any(wanted.search(line) for line in lines):
                return "no step of it is about all of something"
    return _by_value(evidence, lines, clause, at)


_EITHER = re.compile(f"{GENERAL.pattern}|{NO_EPSILON.pattern}", re.IGNORECASE)


def _clause(text: str, start: int, end: int) -> tuple[str, int]:
    """The clause around a position, between full stops, semicolons and colons; and the position within the clause."""
    before = [match.end() for match in re.finditer(r"[.;:] ", text[:start])]
    first = before[-1] if before else 0
    after = re.search(r"[.;:](?: |$)", text[end:])
    return text[first : end + after.start() if after else len(text)], start - first


def _value(clause: str, at: int) -> Numeral | None:
    """The number that a clause gives for all ε: the last one before the words, as in `has δ = 1/4 at every ε`."""
    stated = list(numerals(clause[:at])) if OVER_EPSILON.match(clause, at) and not _is_negative(clause, at) else []
    return max(stated, key=lambda number: number.start, default=None)


def _is_negative(clause: str, at: int) -> bool:
    """Whether a clause says that something fails, for all ε."""
    return NEGATIVE.search(clause[: at + len("for no")]) is not None


def _by_value(evidence: Evidence, lines: Sequence[str], clause: str, at: int) -> str:
    """The reason why no step about all ε has the value that the clause states for all ε; empty where one has."""
    value = _value(clause, at)
    if value is None:
        return ""
    own = [number for line in lines if _EITHER.search(line) for number in numerals(line)]
    if isinstance(evidence, OfProof):
        own += inputs(evidence)
    return "" if any(value.is_met_by(number) for number in own) else f"it does not record {value.text} for all of them"


def _by_answers(evidence: OfModel, clause: str, at: int) -> str:
    """The reason why the exact answers about one model do not settle the clause for all ε; empty where they do."""
    named = [match[0] for match in DEFINITION.finditer(clause[:at])]
    key = find(named[-1]).key if named else None
    questions = [
        (expectation.definition, dict(expectation.question), dict(expectation.answer))
        for expectation in evidence.asks
        if key is None or expectation.definition == key
    ]
    if not questions:
        return f"it does not ask for {key}"
    value = _value(clause, at)
    if value is not None:
        return _constant_profile(questions, value)
    if _is_negative(clause, at):
        fine = any(answer.get("tight_epsilon") == "inf" for _, _, answer in questions)
        return "" if fine else "it asks for no `tight_epsilon` that is inf"
    fine = any(
        answer.get("verdict") == "holds" and "0" in {answer.get("tight_epsilon"), question.get("epsilon")}
        for _, question, answer in questions
    )
    return "" if fine else "no answer of it holds at ε = 0, and so at every ε"


def _constant_profile(questions: Sequence[tuple[str, Mapping[str, Any], Mapping[str, Any]]], value: Numeral) -> str:
    """One δ at ε = 0 and at ε = ∞: it falls as ε grows, so it is that δ at every ε between them."""
    profiles: dict[tuple[object, ...], dict[str, str]] = {}
    for definition, question, answer in questions:
        rest_of_question = sorted((key, text) for key, text in question.items() if key != "epsilon")
        if "epsilon" in question and "tight_delta" in answer:
            ends = profiles.setdefault((definition, *rest_of_question), {})
            ends[str(question["epsilon"])] = str(answer["tight_delta"])
    for ends in profiles.values():
        recorded = [number for end in ("0", "inf") if end in ends for number in numerals(ends[end])]
        if len(recorded) == 2 and all(value.is_met_by(number) for number in recorded):
            return ""
    return f"its answers do not record tight_delta = {value.text} at epsilon = 0 and at epsilon = inf"


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
            yield f"{where}: the exception “{exception.says}” excepts nothing; leave it out"


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
            yield "`cases` has a reason, and its evidence is no list of cases, or proves nothing; leave it out"
    elif not reading.cases.startswith(CASES):
        yield (
            "it is proved, and its evidence is cases alone. Expected a theorem, derivation or written proof of all, "
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
