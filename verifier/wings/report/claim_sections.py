"""A claim of the ledger as a document: its readings, and what each rests on; and the list of all claims."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from itertools import groupby
from typing import TypeAlias

from verifier.definitions import Verdict
from verifier.engine import Engine
from verifier.model import Model
from verifier.model.library import LISTED
from verifier.numbers import plural, verdict_count
from verifier.questions.expect import answered
from verifier.questions.normalization import acceptable
from verifier.questions.properties import PROPERTIES
from verifier.show.answers import acceptance_sheets
from verifier.show.facts import model_facts
from verifier.show.model_tables import step_sheets, world_sheets
from verifier.show.sections import (
    Aside,
    Block,
    Code,
    Document,
    FileName,
    Folded,
    Grid,
    Link,
    Listing,
    Paragraph,
    Quotation,
    RowGroup,
    Section,
    Span,
    Strong,
    Text,
)
from verifier.show.sheet import Sheet
from verifier.show.witnesses import Refuted, refutations
from verifier.wings.papers.ledger.criterion import CLAIM_WORDS
from verifier.wings.papers.ledger.decide import engine_of
from verifier.wings.papers.ledger.entry import (
    LABELS,
    PRINTED,
    VERDICTS,
    Entry,
    Evidence,
    OfModel,
    OfTheorem,
)
from verifier.wings.papers.ledger.sections import (
    claim_badge,
    claim_path,
    dotted,
    reading_badge,
    reading_section,
    shows_text,
)
from verifier.wings.papers.ledger.sheets import tally_text
from verifier.wings.papers.ledger.statements import Statement, failures_of, is_numbered, statement_of
from verifier.wings.papers.ledger.table import STALE, ReadingRow, tally, word_of
from verifier.wings.papers.theorems import quoted
from verifier.wings.report.claim_opening import opening_sections, opens_with
from verifier.wings.report.findings import answers_in, in_words
from verifier.wings.report.statement_sections import PATH as STATEMENTS
from verifier.wings.report.statement_sections import TEXTS, meanings
from verifier.wings.report.try_it import try_it

INDEX = "claims/index.html"
STALE_MEANS = "the words or the evidence changed since it was decided"
MEANINGS = {**CLAIM_WORDS, STALE: STALE_MEANS}
RECHECKED = (
    "The independent checker decides each answer about a model again, from the file of the model, and each search: "
    "`pkdp verify proofs/*/answers.json`. A page names those that are beyond its limits. `pkdp examples --copy NAME` "
    "writes the file of a model."
)
BOUND = "Each verdict is bound by a hash to its words and its evidence, in `proofs/*/evidence.json`."
FEW = 3
"""The most lines of a log that is not folded."""
Addresses: TypeAlias = dict[object, str]
"""The addresses, below the report's folder, where pieces of evidence stand in full: by a model's name in the ledger, or
by the title and the answers of another piece."""


@dataclass(frozen=True)
class Exhibit:
    """A piece of evidence as a page shows it: for a model its tables, its answers, and the counterexamples.

    `shows` is its purpose, `name` the title of a model. `address` says where the piece stands in full, if elsewhere;
    `key` is its id, if here.
    """

    shows: str
    title: str
    answers: tuple[str, ...]
    name: str = ""
    setting: str = ""
    """The mechanism and what is known, in a line."""
    notes: str = ""
    code: str = ""
    """The statement of a theorem, as its file has it."""
    sheets: tuple[Sheet, ...] = ()
    normalizations: tuple[Sheet, ...] = ()
    """Tables that stand only where the model is shown in full."""
    refuted: tuple[Refuted, ...] = ()
    failing: tuple[Verdict, ...] = ()
    """The answers that fail, of a model that has tables; where only a number refutes the claim, the first answer."""
    key: str = ""
    address: str = ""
    tries: tuple[Paragraph, ...] = ()
    """The line that opens the model in the explorer."""

    @property
    def short(self) -> bool:
        """Whether a line is enough: the piece stands in full elsewhere, or has neither tables nor counterexamples."""
        return not (self.key or self.sheets or self.refuted)


def claims_document(rows: Sequence[ReadingRow]) -> Document:
    """The page of all claims that are no numbered statements: each with its verdicts and a link to its own page."""
    unnumbered = [row for row in rows if not is_numbered(row.entry.claim)]
    papers = [(paper, list(of_paper)) for paper, of_paper in groupby(unnumbered, lambda row: row.entry.paper)]
    words = "What the words mean"
    meant = (
        Paragraph("What is said of a claim as a whole: the first of these words that one of its parts has."),
        meanings(CLAIM_WORDS, claim_badge),
        Paragraph("What is said of a reading:"),
        meanings({**VERDICTS, STALE: STALE_MEANS}, reading_badge),
        Paragraph("What a reading is of the page:"),
        meanings(LABELS, Strong),
    )
    return Document(
        path=INDEX,
        title="The claims of the papers, decided",
        below=(
            Paragraph(
                (Link("The theorems, propositions, lemmas and corollaries", STATEMENTS), " have their own page."),
            ),
            Paragraph(dotted([*(Link(paper, f"#{paper}") for paper, _ in papers), Link(words, "#words")]), "note"),
        ),
        sections=(
            *(
                Section(paper, (Paragraph(TEXTS[paper], "note"), _claims(paper, paper_rows)), paper)
                for paper, paper_rows in papers
            ),
            Section(words, (*meant, Paragraph(f"{tally_text(rows)}. {BOUND} {RECHECKED}", "source")), "words"),
        ),
        filter="the claims",
    )


def _claims(paper: str, rows: Sequence[ReadingRow]) -> Grid:
    groups = tuple(
        RowGroup(
            (
                Aside(entry.place, "place"),
                Link(entry.claim, claim_path(entry)),
                Aside(entry.statement, "statement"),
            ),
            (_verdicts(list(same)),),
        )
        for entry, same in groupby(rows, lambda row: row.entry)
    )
    columns = ("claim, in our words", "verdict, and its parts as printed", "other readings")
    return Grid(paper, columns, groups, "findings ledger")


def _verdicts(rows: Sequence[ReadingRow]) -> tuple[Text, Text]:
    """The word of the claim, the verdict on each part as printed, and how many other readings have each."""
    printed: list[Span] = [claim_badge(word_of(rows))]
    named = [row for row in rows if row.reading.label == PRINTED and row.reading.part]
    printed += [Aside((reading_badge(row.verdict), f" {row.reading.part}")) for row in named]
    others = tally([row for row in rows if row.reading.label != PRINTED])
    return printed, ", ".join(verdict_count(number, verdict) for verdict, number in others.items())


def claim_document(
    entry: Entry, rows: Sequence[ReadingRow], addresses: Addresses | None = None, explorer: str = ""
) -> Document:
    """The page of a claim: all its readings with their evidence; each piece stands in full once, on its first page.

    `addresses` knows the pieces that other pages show, and learns those of this one; `explorer` says where the
    explorer's page is.
    """
    path = claim_path(entry)
    known, shown = {} if addresses is None else addresses, set[object]()
    answers: dict[str, Sequence[Verdict]] = {}
    exhibits = (_exhibits(row, path, known, shown, answers, explorer) for row in rows)
    statement = statement_of(entry, rows, failures_of(entry.paper))
    word = statement.verdict
    sections = [
        _reading(row, number, next(exhibits), told=opens_with(row, statement)) for number, row in enumerate(rows, 1)
    ]
    return Document(
        path=path,
        title=f"{entry.paper}, {entry.claim}",
        above=(Paragraph(TEXTS[entry.paper], "source"),),
        below=(
            Paragraph(f"{entry.place}, in our words:", "source"),
            Paragraph(entry.statement, "lead"),
            *notation(statement),
            Paragraph((claim_badge(word), f" {MEANINGS[word]}."), "evidence"),
        ),
        sections=(*opening_sections(statement, answers), *sections),
        foot="",
    )


def notation(statement: Statement) -> Iterator[Paragraph]:
    """What letters of a claim mean, as its failures say it, each once."""
    for symbols in dict.fromkeys(failure.symbols for failure in statement.failures if failure.symbols):
        yield Paragraph(f"Here {symbols}", "note")


def _exhibits(
    row: ReadingRow,
    path: str,
    known: Addresses,
    shown: set[object],
    answers: dict[str, Sequence[Verdict]],
    explorer: str,
) -> list[Exhibit]:
    """The evidence of a reading; what another page or a section above shows is led to. `answers` learns what fails."""
    exhibits = []
    for piece in row.reading.evidence:
        exhibit = exhibit_of(piece, row, explorer)
        if isinstance(piece, OfModel) and exhibit.failing:
            answers.setdefault(piece.model, exhibit.failing)
        content = piece.model if isinstance(piece, OfModel) else (exhibit.title, exhibit.answers)
        if content in known:
            exhibits.append(_elsewhere(exhibit, known[content].removeprefix(path), shown))
        elif exhibit.name or exhibit.answers:
            key = f"e{1 + sum(address.startswith(f'{path}#') for address in known.values())}"
            known[content] = f"{path}#{key}"
            exhibit = replace(exhibit, key=key)
            exhibits.append(exhibit)
        else:
            exhibits.append(exhibit)
        shown |= {exhibit.title, *exhibit.refuted}
    return exhibits


def _elsewhere(exhibit: Exhibit, address: str, shown: set[object]) -> Exhibit:
    """A piece that stands in full elsewhere: of a model that shows a failure the sentence is said again, no table."""
    fails = exhibit.shows == "failure"
    return replace(
        exhibit,
        address=address,
        title=exhibit.title if exhibit.name else exhibit.title.removeprefix("proofs/"),
        answers=exhibit.answers if exhibit.name else (),
        notes="",
        code="",
        sheets=(),
        normalizations=(),
        tries=(),
        refuted=tuple(_without_numbers(refuted) for refuted in exhibit.refuted if refuted not in shown)
        if fails
        else (),
    )


def _without_numbers(refuted: Refuted) -> Refuted:
    return replace(refuted, words=refuted.sentence)


def exhibit_of(evidence: Evidence, row: ReadingRow, explorer: str = "") -> Exhibit:
    """The exhibit of a piece of evidence, with what it answered when the reading of `row` was decided.

    A model of more than `LISTED` records has no tables; `explorer` says where the explorer's page is.
    """
    answers = answers_in(row, evidence)
    if isinstance(evidence, OfTheorem):
        words, code = quoted(evidence.file, evidence.name)
        return Exhibit(evidence.shows, evidence.title, answers, notes=words, code=code)
    if not isinstance(evidence, OfModel):
        return Exhibit(evidence.shows, evidence.title, answers)
    model, engine = engine_of(evidence.model)
    small = model.size <= LISTED
    failing = _failing(evidence, model, engine) if small else []
    return Exhibit(
        evidence.shows,
        evidence.title,
        tuple(map(in_words, answers)),
        name=model.title,
        setting=_setting(model),
        notes=model.notes.strip(),
        sheets=(*world_sheets(model), *step_sheets(model)) if small else (),
        normalizations=tuple(_normalizations(evidence, model)) if small else (),
        refuted=tuple(refutations([answer for answer in failing if answer.verdict == "fails"])),
        failing=tuple(failing),
        tries=try_it(model, explorer),
    )


def _setting(model: Model) -> str:
    facts = dict(model_facts(model))
    return f"M: {facts['mechanism']}; the attacker knows: {facts['the attacker knows']}."


def _normalizations(evidence: OfModel, model: Model) -> list[Sheet]:
    """The acceptable normalizations, where the evidence is about acceptability."""
    wanted = any(promised.definition == "acceptable" for promised in evidence.asks)
    return acceptance_sheets(acceptable(model)) if wanted else []


def _failing(evidence: OfModel, model: Model, engine: Engine) -> list[Verdict]:
    """The answers that fail, for the definitions that the evidence is about; or the first of a failure."""
    asked = [promised for promised in evidence.asks if promised.definition not in {"acceptable", *PROPERTIES}]
    failing = [promised for promised in asked if promised.answer.get("verdict") == "fails"]
    shown = failing or (asked[:1] if evidence.shows == "failure" else [])
    return [answered(model, promised, engine)[0] for promised in shown]


def _reading(row: ReadingRow, number: int, exhibits: Sequence[Exhibit], *, told: bool) -> Section:
    """One reading: what it means, what was found, what holds instead, and the evidence by what it shows.

    Of one that is `told` the page opens with what was found and what holds instead.
    """
    sections = [_shows(shows, list(same)) for shows, same in groupby(exhibits, lambda exhibit: exhibit.shows)]
    noted = unchecked_text(row)
    unchecked = [Section("", (Paragraph(noted, "note"),))] if noted else []
    return reading_section(row, [*sections, *unchecked], f"reading-{number}", told=told)


def _shows(shows: str, exhibits: Sequence[Exhibit]) -> Section:
    """The pieces that show the same: those in full, then those that stand elsewhere, each as a line."""
    lines = tuple(_line(exhibit) for exhibit in exhibits if exhibit.short)
    full = tuple(_full(exhibit) for exhibit in exhibits if not exhibit.short)
    also = (Section("", (Listing(lines, "also"),)),) if lines else ()
    return Section(shows_text(shows), sections=(*full, *also))


def _line(exhibit: Exhibit) -> Text:
    answers = f": {'; '.join(exhibit.answers)}" if exhibit.answers else ""
    return [*_named(exhibit), answers] if answers else _named(exhibit)


def _named(exhibit: Exhibit) -> list[Span]:
    """The name of a piece, which leads to where it stands in full, and the name of a bundled model."""
    name = exhibit.name or exhibit.title
    bundled = exhibit.title.removeprefix("models/").removesuffix(".toml")
    file: list[Span] = [" ", FileName(bundled)] if exhibit.name else []
    return [Link(name, exhibit.address), *file] if exhibit.address else [name, *file]


def _full(exhibit: Exhibit) -> Section:
    blocks: list[Block] = []
    blocks += [Paragraph(exhibit.setting, "note")] if exhibit.setting else []
    blocks += [Paragraph(exhibit.notes)] if exhibit.notes else []
    blocks += [*exhibit.sheets, *exhibit.normalizations]
    if exhibit.code:
        blocks.append(Folded("The statement in Coq", (Code(exhibit.code),)))
    elif exhibit.answers and (exhibit.name or len(exhibit.answers) <= FEW):
        blocks.append(Listing(exhibit.answers))
    elif exhibit.answers:
        blocks.append(Folded(f"What was found: {plural(len(exhibit.answers), 'line')}", (Listing(exhibit.answers),)))
    blocks += [_quoted(counterexample) for counterexample in exhibit.refuted]
    blocks += exhibit.tries
    return Section(_named(exhibit), tuple(blocks), key=exhibit.key)


def _quoted(counterexample: Refuted) -> Quotation:
    small = counterexample.words if counterexample.words != counterexample.sentence else ""
    return Quotation(f"{counterexample.headline} {counterexample.sentence}", small)


def unchecked_text(row: ReadingRow) -> str:
    """The sentence on the models and searches with an answer that the independent checker does not decide."""
    names = ", ".join(f"`{name}`" for name in row.unchecked)
    return f"Beyond the limits of the independent checker: {names}." if names else ""
