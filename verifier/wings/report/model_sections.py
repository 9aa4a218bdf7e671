"""The page of a model as a document: what it is evidence of, the counterexample, the verdicts, and the model itself."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterable, Sequence

from verifier.numbers import exact_text, plural, verdict_count
from verifier.show.sections import (
    Block,
    Callout,
    Code,
    Counterexample,
    Document,
    FileName,
    Folded,
    Link,
    Listing,
    Paragraph,
    Picture,
    Pictures,
    Section,
    Span,
    Terms,
)
from verifier.wings.report.findings import ROLES, ConfirmedReading, leading
from verifier.wings.report.pages import ModelPage
from verifier.wings.report.statement_sections import TEXTS
from verifier.wings.report.try_it import try_it

MOST_LINES = 60
"""The most lines of a model file that is shown in a medium that cannot fold it away."""
BEHIND = {"profile": "The table behind the profile", "attackers": "The table behind the comparison"}
"""The captions of the tables behind a drawing, by its kind."""
FILE = "The model file, without its notes and promised answers"


def model_document(
    page: ModelPage,
    readings: Sequence[ConfirmedReading],
    names: Iterable[str] = (),
    beside: tuple[ModelPage | None, ModelPage | None] = (None, None),
    checked: str = "",
    explorer: str = "",
) -> Document:
    """The page of a model as a document.

    `readings` are the ledger's readings in the report, `names` the names of its pages of models, which become links in
    the notes, and `beside` has the pages before and after. `checked` says how many verdicts the checker derived again,
    `explorer` where the explorer's page is.
    """
    model = page.model
    paper = TEXTS.get(model.source.partition(",")[0], "")
    source = tuple(Paragraph(text, "source") for text in (paper, model.source) if text)
    file = (Paragraph((FileName(page.file),), "source"),) if page.file else ()
    notes = with_links(model.notes.strip(), [name for name in names if name != page.name])
    first: list[Block] = [_counterexample(page), *([Paragraph(notes, "notes")] if model.notes else [])]
    sections = [
        Section("", tuple(first), "counterexample"),
        _evidence_of(page, readings),
        Section("What holds", (page.overview, *([page.deltas] if page.deltas.rows else []))),
        Section("The definitions of DP22", page.atlas) if page.atlas else None,
        _failures(page),
        _drawings(page),
        _losses(page),
        Section("The model", (_facts(page), *page.worlds)),
        Section("Acceptability" if page.acceptable else "The model file", (*page.acceptable, *_file(page))),
    ]
    return Document(
        path=page.address,
        title=model.title,
        above=source,
        below=(*file, *try_it(model, explorer), *_opening(page, readings)),
        sections=tuple(section for section in sections if section is not None),
        foot=f"Every number is exact; a decimal before ≈ is correctly rounded. {checked[:1].upper()}{checked[1:]}.",
        previous=_link(beside[0]),
        following=_link(beside[1]),
    )


def _link(page: ModelPage | None) -> Link | None:
    return Link(page.model.title, page.address) if page else None


def _opening(page: ModelPage, readings: Sequence[ConfirmedReading]) -> list[Paragraph]:
    """Which claims this model is evidence of: a mark belongs to the claim that its line names, and to no other."""
    return [Paragraph(_statement(reading, page), "evidence") for reading in leading(readings, page.name)]


def _statement(reading: ConfirmedReading, page: ModelPage) -> list[Span]:
    """One claim, what became of it, what the model is to it, and the answers that show it."""
    answers = "; ".join(reading.answers_of(page.name))
    shows = ROLES[reading.role(page.name)]
    claim = Link(f"{reading.row.entry.paper}, {reading.name}", reading.address)
    return [reading.badge_of(page.name), " ", claim, f": {shows}" + (f" ({answers})." if answers else ".")]


def _counterexample(page: ModelPage) -> Callout:
    """The first counterexample as a sentence; else that nothing fails."""
    if not page.refuted:
        return Callout("No counterexample", "No definition that applies fails here.", _decided(page), "good")
    first = page.refuted[0]
    return Callout(f"A counterexample to {' and '.join(first.names)}", first.sentence, _decided(page), "bad")


def _decided(page: ModelPage) -> str:
    """How many definitions hold and fail, and at which ε and δ they were asked."""
    if not page.answers:
        return ""
    first, counts = page.answers[0], Counter(answer.verdict for answer in page.answers)
    level = "some finite ε" if first.epsilon is None else f"ε = {first.epsilon}"
    verdicts = ("holds", "fails", "vacuous", "undecided", "unsupported")
    numbers = ", ".join(verdict_count(counts[verdict], verdict) for verdict in verdicts if counts[verdict])
    return f"Of {plural(len(page.answers), 'definition')}, for {level} and δ = {exact_text(first.delta)}: {numbers}."


def _evidence_of(page: ModelPage, readings: Sequence[ConfirmedReading]) -> Section | None:
    """The other claims that the model is evidence of."""
    first = leading(readings, page.name)
    others = [reading for reading in readings if page.name in reading.pages and reading not in first]
    if not others:
        return None
    lines = tuple(_statement(reading, page) for reading in others)
    return Section("What it shows besides" if first else "What it shows", (Listing(lines),))


def _failures(page: ModelPage) -> Section | None:
    """Each counterexample as a sentence, and with its numbers."""
    if not page.refuted:
        return Section("", (page.causal,)) if page.causal else None
    articles = (Counterexample(refuted.headline, refuted.sentence, refuted.words) for refuted in page.refuted)
    return Section("Why it fails", (*articles, *([page.causal] if page.causal else [])))


def _drawings(page: ModelPage) -> Section | None:
    if not page.drawings:
        return None
    pictures = (
        Picture(
            drawing,
            f"plots/{page.name}-{drawing.kind}.svg",
            tables,
            BEHIND.get(drawing.kind, ""),
            everywhere=drawing.kind == "attackers",
        )
        for drawing, tables in page.drawings
    )
    return Section("Drawings", (Pictures(tuple(pictures), "The numbers are in the tables below."),))


def _losses(page: ModelPage) -> Section | None:
    if not page.losses:
        return None
    note = (Paragraph(page.losses_note, "note"),) if page.losses_note else ()
    return Section("Privacy losses", (*page.losses, *note))


def _facts(page: ModelPage) -> Terms:
    return Terms(tuple((name, value) for name, value in page.facts if name != "source"))


def _file(page: ModelPage) -> list[Folded]:
    """The model file, which a medium that cannot fold shows where it is short."""
    if not page.text:
        return []
    short = len(page.text.splitlines()) <= MOST_LINES
    return [Folded(FILE, (Code(page.text, "toml"),), everywhere=short)]


def with_links(text: str, names: Iterable[str]) -> list[Span]:
    """The pieces of a text in which each name of a model's page is a link to the page.

    >>> with_links("see two, and two-more", ["two", "two-more"])[1::2]
    [Link(text='two', address='models/two.html'), Link(text='two-more', address='models/two-more.html')]
    """
    known = sorted(names, key=len, reverse=True)
    if not known:
        return [text]
    pieces = re.split(rf"(?<![\w#-])({'|'.join(map(re.escape, known))})(?![\w-])", text)
    return [Link(piece, f"models/{piece}.html") if k % 2 else piece for k, piece in enumerate(pieces)]
