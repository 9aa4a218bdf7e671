"""The first page of a report as a document: what fails as printed, what holds, every model against every definition."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from itertools import groupby

from verifier.definitions import DEFINITIONS, Verdict
from verifier.numbers import NO_VALUE, plural
from verifier.show.mathml import formula
from verifier.show.sections import (
    Aside,
    Block,
    Cards,
    Decision,
    Document,
    Formula,
    Grid,
    Link,
    Paragraph,
    RowGroup,
    Section,
    Span,
    Terms,
    Text,
)
from verifier.show.sheet import SIGNS
from verifier.version import VERSION
from verifier.wings.papers.ledger.entry import OfModel
from verifier.wings.papers.ledger.sections import claim_path, dotted
from verifier.wings.papers.ledger.statement_sheets import count_text
from verifier.wings.papers.ledger.statements import statements
from verifier.wings.report import example_sections, statement_sections
from verifier.wings.report.claims import CHOSEN, PAPER
from verifier.wings.report.findings import ConfirmedReading, count, leading
from verifier.wings.report.pages import ModelPage, groups
from verifier.wings.report.statement_sections import TEXTS

PATH = "index.html"
SHORT = 10
"""The most characters of an exact ε in the table of all models; a longer one stands as a decimal."""
PROFILE = r"\delta(\varepsilon) = \max_{S} \left( P(S) - e^{\varepsilon} Q(S) \right)"
PROFILE_TEXT, LOSS_TEXT = "δ(ε) = max over S of P(S) - e^ε·Q(S)", "ln(P(o)/Q(o))"
LOSS = r"\ln\frac{P(o)}{Q(o)}"
LEAD = (
    "What an attacker with partial knowledge learns: every verdict is exact, and every failure has the outputs that "
    "show it."
)
EXACT = "Every number is exact, and the decimal beside it is correctly rounded (of an enclosure both ends stand there)"
FOOT = (
    "How numbers stay exact, and the limits: `docs/trust.md`; why the procedures are right: `proofs/`; how to "
    "write a model: `models/FORMAT.md`, all in the program's source."
)
MARKDOWN = "report.md"
FOUND = ("what was found", "models")
"""The columns beside a reading that does not fail."""


def index_document(
    title: str,
    pages: Sequence[ModelPage],
    readings: Sequence[ConfirmedReading],
    checked: str,
    bar: Sequence[tuple[str, str]],
    *,
    of_papers: bool,
) -> Document:
    """The first page: the chosen readings, those that fail first, all models at a glance, and how to read a page.

    `bar` has the names and addresses of the pages beside the models; `checked` says how many verdicts the checker
    derived again. The readings stand here only where the report is `of_papers`.
    """
    first = first_of(readings) if of_papers else []
    exact = f"Computed by pkdp {VERSION}. {EXACT}; {checked}."
    paper = (Paragraph(TEXTS[PAPER], "source"),) if of_papers else ()
    sections = [
        *(findings_sections(first, pages) if first else []),
        Section("At a glance", (Paragraph(exact, "source"), *_glance(pages)), "glance"),
        Section("Contents", (_contents(pages, readings, bar),), "contents"),
        Section("How to read a page", _reading(), "reading"),
    ]
    return Document(
        path=PATH,
        title=title,
        above=paper,
        below=(Paragraph(LEAD, "lead"),),
        sections=tuple(sections),
        foot=FOOT,
        filter="the claims and the models",
        role="front",
    )


def first_of(claims: Sequence[ConfirmedReading]) -> list[ConfirmedReading]:
    """The readings that `CHOSEN` names, in its order."""
    named = {(claim.row.entry.slug, claim.row.entry.key(claim.row.reading)): claim for claim in claims}
    return [named[key] for key in CHOSEN if key in named]


def findings_sections(first: Sequence[ConfirmedReading], pages: Sequence[ModelPage]) -> list[Section]:
    """The sections of the readings that fail, with smallest counterexample and repair, that hold, and of the others.

    There is none of the others where each reading is decided.
    """
    by_name = {page.name: page for page in pages}
    failing = [reading for reading in first if reading.tone == "fails"]
    holding = [reading for reading in first if reading.tone == "holds"]
    others = [reading for reading in first if reading.tone not in {"fails", "holds"}]
    again = (
        ", each bound by a hash to its evidence. What it says of these models was computed again when this page was "
        "made; the page is not written where one of them answers otherwise. The "
    )
    ledger: tuple[Span, ...] = (
        "Words and verdicts are those of the ",
        Link("list of all claims", "claims/index.html"),
        again,
        Link("expected answers of Examples 1 to 8", example_sections.PATH),
        " stand on a page of their own.",
    )
    failed = _findings(
        "Claims that fail as printed",
        failing,
        ("smallest counterexample", "what holds instead"),
        lambda reading: _refutation(reading, by_name),
    )
    held = _findings("Claims that hold as printed", holding, FOUND, _confirmation)
    left = _findings("Claims that are not decided", others, FOUND, _confirmation)
    numbered = statements()
    theorems: tuple[Span, ...] = (
        "The ",
        Link("theorems of the papers, one by one", statement_sections.PATH),
        f": {count_text(numbered)}.",
    )
    examples = f"DMKB20's Examples 1 to 8 and Proposition 4. {count(first)}"
    fails = (Paragraph(examples), failed, Paragraph(theorems), statement_sections.failing_lines(numbered))
    return [
        Section("What fails as printed", fails, "findings"),
        Section("What holds as printed", (held, Paragraph(ledger)), "holding"),
        *([Section("What is not decided", (left,), "undecided")] if others else []),
    ]


def _findings(
    label: str,
    readings: Sequence[ConfirmedReading],
    columns: tuple[str, str],
    cells: Callable[[ConfirmedReading], tuple[Text, Text]],
) -> Grid:
    """One group a claim, one row a part of it: the part with its verdict, and two more cells."""
    grouped = tuple(
        RowGroup(
            (Link(entry.claim, claim_path(entry)), Aside(entry.statement, "statement")),
            tuple((_part(reading), *cells(reading)) for reading in same),
        )
        for entry, same in groupby(readings, key=lambda reading: reading.row.entry)
    )
    return Grid(label, ("claim, in our words", "part", *columns), grouped)


def _part(reading: ConfirmedReading) -> Text:
    return (Link(reading.row.reading.part or "the claim", reading.address), Aside((reading.badge,)))


def _refutation(reading: ConfirmedReading, pages: dict[str, ModelPage]) -> tuple[Text, Text]:
    """The smallest model in which the claim fails with who learns what; else how it was derived that it fails."""
    return _smallest(reading, pages) or reading.row.reading.found, reading.row.reading.repaired or NO_VALUE


def _smallest(reading: ConfirmedReading, pages: dict[str, ModelPage]) -> list[Span]:
    """The counterexample with the fewest worlds, as a link and a sentence; nothing where no model is one."""
    names = [role.page for role in reading.roles if role.shows == "failure"]
    if not names:
        return []
    page = min((pages[name] for name in names), key=lambda page: page.worlds_count)
    model = next(role.model for role in reading.roles if role.page == page.name)
    return [
        Link(page.model.title, page.address),
        f" ({plural(page.worlds_count, 'world')}): {_told(reading, page, model)}",
    ]


def _told(reading: ConfirmedReading, page: ModelPage, model: str) -> str:
    """The sentence of the definition that fails in the model; for acceptability the reason."""
    asks = [
        promised
        for piece in reading.row.reading.evidence
        if isinstance(piece, OfModel) and piece.model == model
        for promised in piece.asks
    ]
    failing = {promised.definition for promised in asks if promised.answer.get("verdict") == "fails"}
    for counterexample in page.refuted:
        if failing & set(counterexample.names):
            return counterexample.sentence
    reasons = (answer.described or answer.reason for answer in page.normalizations if not answer.acceptable)
    return next((f"{reason}." for reason in reasons if reason), reading.row.reading.found)


def _confirmation(reading: ConfirmedReading) -> tuple[Text, Text]:
    """What was found, and the models that show it."""
    return reading.row.reading.found, dotted(Link(name, f"models/{name}.html") for name in reading.pages)


def _glance(pages: Sequence[ModelPage]) -> list[Block]:
    """A row a model, a column a definition of the overview: its verdict, and the smallest ε where it holds."""
    named = {answer.definition for page in pages for answer in page.answers}
    columns = [name for name in DEFINITIONS if name in named] + sorted(named - DEFINITIONS.keys())
    rows = tuple(
        RowGroup((Link(page.model.title, page.address),), (tuple(_verdict(page, name) for name in columns),))
        for _, members in groups(pages)
        for page in members
    )
    heads = tuple((Link(name, f"definitions.html#{name}"),) for name in columns)
    words = (
        "The smallest ε at which each definition holds with δ = 0; ✗ where no finite ε is enough. Each row is a page."
    )
    return [Paragraph(words), Grid("At a glance", ("model", *heads), rows, "glance")]


def _verdict(page: ModelPage, name: str) -> Text:
    answer = next((answer for answer in page.answers if answer.definition == name), None)
    return NO_VALUE if answer is None else (Decision(answer.verdict), *_least(answer))


def _least(answer: Verdict) -> list[Aside]:
    """The smallest ε where the definition holds."""
    if answer.verdict != "holds" or answer.tight_epsilon is None:
        return []
    exact = answer.tight_epsilon.text()
    return [Aside(exact if len(exact) <= SHORT else f"≈ {answer.tight_epsilon.decimal(4)}")]


def _contents(
    pages: Sequence[ModelPage], readings: Sequence[ConfirmedReading], bar: Sequence[tuple[str, str]]
) -> Cards:
    """Every page by its example, with the claims that its model is evidence of; then the pages of reference."""
    cards = [(name, tuple(_entry(page, readings) for page in members)) for name, members in groups(pages)]
    reference = [*bar[1:], ("The report as one Markdown file", MARKDOWN)] if bar else []
    if reference:
        cards.append(("Reference", tuple((Link(text, address),) for text, address in reference)))
    return Cards("Models", tuple(cards))


def _entry(page: ModelPage, readings: Sequence[ConfirmedReading]) -> Text:
    named = (Aside((reading.badge_of(page.name), f" {reading.row.claim}")) for reading in leading(readings, page.name))
    return [Link(page.model.title, page.address), *named]


def _reading() -> tuple[Block, ...]:
    """What a page says, for who reads one for the first time."""
    model = (
        "A model has a few databases with their probabilities, a mechanism M that answers, and what the attacker "
        "knows, B. A definition compares two laws of the output, P and Q, between which she should not be able to "
        "tell. The smallest δ at ε is the largest advantage that any set S of outputs gives:"
    )
    profile = (
        "As a function of ε it is the privacy profile; it bends where ε is the privacy loss of some output o, which is"
    )
    verdicts = tuple(((Decision(word),), sign.sentence) for word, sign in SIGNS.items())
    return (
        Paragraph(model),
        Formula(
            formula(PROFILE, PROFILE_TEXT, display=True),
            PROFILE_TEXT,
            display=True,
        ),
        Paragraph(profile),
        Formula(formula(LOSS, LOSS_TEXT), LOSS_TEXT, display=True),
        Terms(verdicts, long=True),
    )
