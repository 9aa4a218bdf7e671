"""Claims, readings and numbered statements as sections, which the terminal, pages and letters render."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Mapping, Sequence
from itertools import groupby

from verifier.definitions import Definition, find
from verifier.errors import InputError
from verifier.model.bundled import short_name
from verifier.numbers import plural
from verifier.show.sections import (
    Badge,
    Block,
    Code,
    FileName,
    Link,
    Listing,
    Paragraph,
    Section,
    Span,
    Strong,
    Terms,
    Text,
)
from verifier.wings.papers.ledger.criterion import BUT_FOR_AN_EDGE, FAILS, HOLDS, UNFIT
from verifier.wings.papers.ledger.entry import FAILING, LABELS, PRINTED, ClaimReading, Entry, OfTheorem
from verifier.wings.papers.ledger.read import PAPERS
from verifier.wings.papers.ledger.statement_sheets import (
    AT_SIZE,
    counterexample_sheets,
    known_text,
    model_of,
    others_lines,
    part_of,
)
from verifier.wings.papers.ledger.statements import HOW_BADLY, RESTORED, WORDS, Failure, Statement
from verifier.wings.papers.ledger.table import ReadingRow
from verifier.wings.papers.theorems import quoted

TONES = {HOLDS: "holds", RESTORED: "holds", BUT_FOR_AN_EDGE: "holds", **dict.fromkeys((FAILS, *UNFIT), "fails")}
"""The tone of each word on a claim, which gives its colour; every other word is `open`."""
READING_TONES = {"proved": "holds", "checked": "holds", **dict.fromkeys(FAILING, "fails")}
"""The tone of each verdict on a reading; every other verdict is `open`."""
NAME = re.compile(r"\b(?=\w*[A-Z]\w*[A-Z]|[A-Z]+-)[A-Za-z]+(?:-[A-Z]+)?\b")
"""The pattern of what may be the name of a definition in a paper."""
PHRASES = {"bounded dependent": "dependency"}
"""The keys of definitions that papers call by other words, by these words."""


def claim_path(entry: Entry) -> str:
    """The path of the page of a claim, which has all its readings, below the report's folder."""
    return f"claims/{entry.paper}/{entry.slug}.html"


def claim_badge(word: str) -> Badge:
    """The badge of a word on a claim or on a numbered statement."""
    return Badge(word, TONES.get(word, "open"))


def reading_badge(verdict: str) -> Badge:
    """The badge of a verdict on a reading."""
    return Badge(verdict, READING_TONES.get(verdict, "open"))


def dotted(links: Iterable[Link]) -> list[Span]:
    """Links with dots between them."""
    spans: list[Span] = []
    for link in links:
        spans += [" · ", link] if spans else [link]
    return spans


def theorems_of(rows: Sequence[ReadingRow]) -> list[OfTheorem]:
    """The theorems in Coq that readings rest on, each once."""
    evidence = (piece for row in rows for piece in row.reading.evidence)
    return list({piece.title: piece for piece in evidence if isinstance(piece, OfTheorem)}.values())


def repair_theorems(rows: Sequence[ReadingRow]) -> list[OfTheorem]:
    """The theorems in Coq that say what holds instead of these readings, each once.

    They stand in the file of a paper; a theorem of another file is a step towards one.
    """
    pieces = (piece for row in rows for piece in row.reading.showing("repair"))
    stated = (piece for piece in pieces if isinstance(piece, OfTheorem) and piece.file in PAPERS)
    return list({piece.title: piece for piece in stated}.values())


def theorem_links(theorems: Sequence[OfTheorem]) -> list[Span]:
    """The names of theorems in Coq, which lead to their files."""
    return dotted(Link(f"{theorem.file}.{theorem.name}", f"coq/{theorem.file}.v") for theorem in theorems)


def theorem_blocks(theorems: Sequence[OfTheorem]) -> Iterator[Block]:
    """Yield each theorem in Coq: its name, what its file says of it in words, and its statement."""
    for theorem in theorems:
        words, code = quoted(theorem.file, theorem.name)
        yield Paragraph((*theorem_links([theorem]), f". {words}"))
        yield Code(code, "coq")


def definitions_of(statement: Statement) -> list[Definition]:
    """Return the definitions that a statement, or what holds instead, names, in the order of the words."""
    text = " ".join([statement.entry.statement, *(failure.instead for failure in statement.failures)])
    named = [(match.start(), match.group()) for match in NAME.finditer(text)]
    named += [(text.index(phrase), key) for phrase, key in PHRASES.items() if phrase in text]
    definitions = {}
    for _, name in sorted(named):
        try:
            definition = find(name)
        except InputError:  # the name of something else, such as GK17
            continue
        definitions[definition.key] = definition
    return list(definitions.values())


def uses_text(statement: Statement) -> str:
    """Return a line with the definitions of a statement, their numbers in the papers, and where to read them.

    Empty where it speaks of none.
    """
    definitions = definitions_of(statement)
    if not definitions:
        return ""
    listed = "; ".join(f"{definition.key}, {definition.title} ({definition.source})" for definition in definitions)
    cards = " ".join(definition.key for definition in definitions)
    return f"Definitions in it: {listed}. In full: `pkdp definitions {cards}`"


def about_blocks(statement: Statement) -> list[Block]:
    """The definitions that a statement speaks of, and its parts, each with its verdict."""
    uses = uses_text(statement)
    blocks: list[Block] = [Paragraph(f"{uses}.", "note")] if uses else []
    if statement.parts:
        named = (f"{part} {verdict}" for part, verdict in statement.parts)
        blocks.append(Paragraph(f"Its parts, as printed: {'; '.join(named)}.", "note"))
    return blocks


def failure_section(
    statement: Statement, failure: Failure, addresses: Mapping[str, str] | None = None, *, tabled: bool = False
) -> Section:
    """One failure of a statement: why, the smallest counterexample, what holds instead, and how to check it.

    Where the statement has several failures it is headed by the part that fails, with its word in plain text: the badge
    is that of the statement. `addresses` has the pages of models,
    by the hashes of the models. What is `tabled` stands in a row above: what is shown, and what holds instead.
    """
    model = model_of(failure)
    check = f'pkdp claims {statement.entry.paper} "{statement.entry.claim}" --again'
    file: list[Span] = []
    if model is not None:
        check = f"pkdp check {short_name(failure.model)} --expect"
        address = (addresses or {}).get(model.sha256, "")
        title = Link(model.title, address) if address else model.title
        file = [" (", title, ", ", FileName(f"models/{failure.model}.toml"), ")"]
    theorems = repair_theorems(statement.rows_of(failure))
    named: list[tuple[str, Text]] = [
        ("Smallest counterexample known:", "" if tabled else failure.shown),
        ("Is it the smallest?", failure.smallest),
        (f"{AT_SIZE}:", " ".join(f"{line}." for line in statement.sizes(failure))),
        ("What holds instead:", "" if tabled else failure.instead),
        ("It is what was meant:", failure.restored),
        ("In Coq:", theorem_links(theorems)),
        ("To check it:", [f"`{check}`", *file]),
    ]
    lines: list[Text] = [(Strong("What fails"), f" ({failure.badly}). {failure.because}")]
    lines += [(Strong(name), " ", *([text] if isinstance(text, str) else text)) for name, text in named if text]
    notation = [Paragraph(f"Notation: {failure.symbols}", "note")] if failure.symbols else []
    several = len(statement.failures) > 1
    heading = f"{part_of(statement, failure)}: {statement.word_of(failure)}" if several else ""
    return Section(heading, (*notation, Listing(tuple(lines)), *counterexample_sheets(failure)))


def known_paragraph(statement: Statement, *more: Span) -> Paragraph:
    """How a statement is known, which of its other readings fail, what is not decidable here, and what follows that."""
    theorems = theorem_links(theorems_of(statement.rows))
    known: list[Span] = [f"Known by {known_text(statement)}. "]
    known += ["In Coq: ", *theorems, ". "] if theorems else []
    known += [f"{line} " for line in others_lines(statement)]
    return Paragraph([*known, *more], "note")


def statement_section(statement: Statement) -> Section:
    """A statement in full but for its readings: what it says, how it fails, and how all is known."""
    entry = statement.entry
    words = {statement.verdict: WORDS, **{failure.badly: HOW_BADLY for failure in statement.failures}}
    blocks: list[Block] = [Terms(tuple((word, meanings[word]) for word, meanings in words.items()))]
    blocks += [Paragraph(f"In our words: {entry.statement}"), *about_blocks(statement)]
    known = (known_paragraph(statement), *theorem_blocks(theorems_of(statement.rows)))
    failures = (failure_section(statement, failure) for failure in statement.failures)
    heading = (f"{entry.paper}, {entry.claim} ({entry.place}) ", claim_badge(statement.verdict))
    return Section(heading, tuple(blocks), sections=(*failures, Section("", known)))


def reading_section(row: ReadingRow, sections: Sequence[Section], key: str = "", *, told: bool = False) -> Section:
    """A reading: what it means, what was found and what holds instead, unless `told`; `sections` have the evidence."""
    reading = row.reading
    named = (
        ("What it is", label_text(reading)),
        ("Repaired", "" if told else reading.repaired),
        ("Constants", reading.tight),
        ("Scope", reading.scope),
    )
    stated = tuple((name, text) for name, text in named if text)
    terms = [Terms(stated, long=True)] if stated else []
    heading = (row.entry.key(reading), " ", reading_badge(row.verdict))
    found = [] if told else [Paragraph(reading.found)]
    return Section(heading, (Paragraph(reading.means), *found, *terms), key, "article", tuple(sections))


def label_text(reading: ClaimReading) -> str:
    """The label of a reading with its meaning, its reason, and the end of the range at which alone it fails."""
    known = "" if reading.label == PRINTED else f"{reading.label}: {LABELS[reading.label]}"
    texts = (known, reading.because, f"it fails only at an end of its range: {reading.edge}" if reading.edge else "")
    return ". ".join(text[0].upper() + text[1:] for text in texts if text)


def shows_text(shows: str) -> str:
    """What a piece of evidence shows, as the heading of such pieces."""
    return AT_SIZE if shows == "size" else f"Shows the {shows}"


def claim_sections(rows: Sequence[ReadingRow], numbered: Mapping[str, Statement] | None = None) -> Iterator[Section]:
    """Yield the claims of these rows, each with its readings and the names of what they rest on.

    What a statement of `numbered` says, by its key, stands before its readings.
    """
    for entry, same in groupby(rows, lambda row: row.entry):
        readings = tuple(reading_section(row, [Section("", (Listing(tuple(_rests_on(row))),))]) for row in same)
        statement = (numbered or {}).get(entry.anchor)
        if statement is None:
            said = Paragraph(f"{entry.statement} ({entry.place})")
            yield Section(f"{entry.paper}, {entry.claim}", (said,), sections=readings)
        else:
            yield statement_section(statement)
            yield Section(f"{entry.paper}, {entry.claim}: {plural(len(readings), 'reading')}", sections=readings)


def _rests_on(row: ReadingRow) -> Iterator[str]:
    """Yield the pieces of evidence of a reading, each with what it said, and where its answers stand."""
    said = row.bound.said if row.bound else ((),) * len(row.reading.evidence)
    for evidence, steps in zip(row.reading.evidence, said, strict=False):
        yield f"{shows_text(evidence.shows)}: {evidence.title}" + "".join(f"\n  - {step}" for step in steps)
    if row.answers:
        number = plural(len(row.answers), "answer")
        yield f"The independent checker confirms {number} in {row.answers_file}: pkdp verify {row.answers_file}"
