"""The numbered statements of the papers as a document: one row each, and below them how those that fail do so."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence

from verifier.show.sections import (
    Aside,
    Badge,
    Block,
    Document,
    FileName,
    Grid,
    Link,
    Listing,
    Paragraph,
    RowGroup,
    Section,
    Span,
    Strong,
    Terms,
    Text,
)
from verifier.wings.papers.ledger.criterion import BUT_FOR_AN_EDGE, FAILS, HOLDS
from verifier.wings.papers.ledger.definition_mentions import uses_text
from verifier.wings.papers.ledger.statement_sheets import (
    AT_SIZE,
    by_paper,
    count_text,
    counterexample_sheets,
    known_text,
    model_of,
    others_lines,
    part_of,
    theorems_of,
)
from verifier.wings.papers.ledger.statements import HOW_BADLY, RESTORED, WORDS, Failure, Statement
from verifier.wings.report.findings import claim_path
from verifier.wings.report.try_it import try_it

PATH = "statements.html"
TITLE = "The theorems of the papers, one by one"
COLUMNS = ("statement, in our words", "verdict", "smallest counterexample known", "what holds instead")
TONES = {HOLDS: "holds", RESTORED: "holds", BUT_FOR_AN_EDGE: "holds", FAILS: "fails"}
"""The tone of each verdict, which gives its colour; every other verdict is `open`."""
TEXTS = {
    "DMKB20": "“Differential privacy with partial knowledge” (Desfontaines, Mohammadi, Krahmer, Basin, 2020)",
    "DKM19": "“Passive and active attackers in noiseless privacy” (Desfontaines, Krahmer, Mohammadi, 2019)",
    "D20": "“Lowering the cost of anonymization” (Desfontaines, PhD thesis), section 3.1.3",
    "LQS12": "“On sampling, anonymization, and differential privacy” (Li, Qardaji, Su, 2012)",
    "DP22": "“SoK: Differential privacies” (Desfontaines, Pejó, 2022)",
}
"""The title and the authors of each text, by its key."""
RULE = (
    "Every theorem, proposition, lemma and corollary has one row. Its verdict is that of its readings as printed, one "
    "for each part: it fails where one of them fails, except at the end of a range and in what was corrected. "
    "Definitions, examples, figures and the sentences between them are among the "
)
STRENGTH = (
    "Its row, or the text below, has the strongest evidence: a theorem that a proof assistant, Coq, checks for finite "
    "distributions of any size, a model that the independent checker re-checks, a derivation that runs, a search of a "
    "whole scope, a comparison with exact values, or prose."
)


def statements_document(
    listed: Sequence[Statement], addresses: Mapping[str, str] | None = None, explorer: str = ""
) -> Document:
    """The page of the numbered statements; `addresses` has the pages of models, by the hashes of the models.

    `explorer` says where the explorer's page is.
    """
    claims = Link("claims of the papers", "claims/index.html")
    explained = Section(
        "What the words mean", (meanings(WORDS, _badge), meanings(HOW_BADLY, Strong), Paragraph(STRENGTH)), "words"
    )
    papers = tuple(_paper(paper, of_paper, addresses or {}, explorer) for paper, of_paper in by_paper(listed))
    return Document(
        path=PATH,
        title=TITLE,
        below=(
            Paragraph((f"{count_text(listed)}. {RULE}", claims, "."), "source"),
            Paragraph(dotted(Link(paper, f"#{paper}") for paper, _ in by_paper(listed)), "note"),
        ),
        sections=(*papers, explained),
        filter="the statements",
    )


def failing_lines(listed: Sequence[Statement]) -> Listing:
    """The statements that have a failure, one line each with a link to its row.

    They fail, hold only once corrected, or fail only at the end of a range.
    """
    return Listing(
        tuple(
            (
                Link(f"{statement.entry.paper}, {statement.entry.claim}", f"{PATH}#{statement.key}"),
                " ",
                _badge(statement.verdict),
                f" {statement.badly}: {_short(statement)}",
            )
            for statement in listed
            if statement.failures
        )
    )


def _short(statement: Statement) -> str:
    """Why a statement fails, in the words about its first failure."""
    return statement.failures[0].because


def _badge(word: str) -> Badge:
    return Badge(word, TONES.get(word, "open"))


def dotted(links: Iterable[Link]) -> list[Span]:
    """Links with dots between them."""
    spans: list[Span] = []
    for link in links:
        spans += [" · ", link] if spans else [link]
    return spans


def meanings(words: Mapping[str, str], look: Callable[[str], Span]) -> Terms:
    """The list of words, as they look, with their meanings."""
    return Terms(tuple(((look(word),), meaning) for word, meaning in words.items()), long=True)


def _paper(paper: str, listed: Sequence[Statement], addresses: Mapping[str, str], explorer: str) -> Section:
    """The table of one paper, and below it the counterexamples as tables."""
    grid = Grid(f"The statements of {paper}", COLUMNS, tuple(map(_group, listed)))
    articles = tuple(_article(statement, addresses, explorer) for statement in listed if statement.failures)
    about = Paragraph(f"{TEXTS[paper]}. {count_text(listed)}.", "note")
    return Section(paper, (about, grid), paper, sections=articles)


def _group(statement: Statement) -> RowGroup:
    """The row of a statement: one line for each of its failures."""
    entry = statement.entry
    whole = (" ", _badge(statement.verdict)) if len(statement.failures) > 1 else ()
    head = (
        Link(entry.claim, claim_path(statement.entry)),
        *whole,
        Aside(entry.place, "place"),
        Aside(entry.statement, "statement"),
    )
    rows = tuple(_failure_row(statement, failure) for failure in statement.failures) or (_holding_row(statement),)
    return RowGroup(head, rows, statement.key)


def _holding_row(statement: Statement) -> tuple[Text, ...]:
    others = " ".join(others_lines(statement)) or "–"
    return ((_badge(statement.verdict), Aside(known_text(statement)), *_in_coq(statement)), "–", others)


def _in_coq(statement: Statement) -> list[Span]:
    """The names of the theorems in Coq that a statement rests on, which lead to their files."""
    names = [Link(f"{theorem.file}.{theorem.name}", f"coq/{theorem.file}.v") for theorem in theorems_of(statement)]
    return [Aside(("in Coq: ", *dotted(names)))] if names else []


def _failure_row(statement: Statement, failure: Failure) -> tuple[Text, ...]:
    parts = len(statement.parts) > 1
    word = statement.word_of(failure)
    badly = failure.badly if word in {FAILS, BUT_FOR_AN_EDGE} else f"as printed it fails: {failure.badly}"
    verdict: list[Span] = [_badge(word), Aside(badly)]
    verdict += [Aside(f"part: {part_of(statement, failure)}")] if parts else []
    model = model_of(failure)
    shown: list[Span] = [failure.shown]
    shown += [" ", Link(model.title, f"#{statement.key}-model")] if model is not None else []
    return (verdict, shown, failure.instead)


def _article(statement: Statement, addresses: Mapping[str, str], explorer: str) -> Section:
    """How a statement fails: why it is called so bad, its smallest counterexamples as tables, how all is known."""
    uses = uses_text(statement)
    blocks: list[Block] = [Paragraph(f"{uses}.", "note")] if uses else []
    if statement.parts:
        named = (f"{part} {verdict}" for part, verdict in statement.parts)
        blocks.append(Paragraph(f"Its parts, as printed: {'; '.join(named)}.", "note"))
    for failure in statement.failures:
        blocks += _failure_blocks(failure, addresses, explorer)
        blocks += [Paragraph(f"{AT_SIZE}: {line}.", "note") for line in statement.sizes(failure)]
    known: list[Span] = [f"Known by {known_text(statement)}. "]
    known += [*_in_coq(statement), " "] if theorems_of(statement) else []
    known += [f"{line} " for line in others_lines(statement)]
    count = len(statement.rows)
    known.append(Link(f"All {count} readings" if count > 1 else "Its reading", claim_path(statement.entry)))
    blocks.append(Paragraph([*known, ", with the evidence."], "note"))
    heading = (f"{statement.entry.claim} ", _badge(statement.verdict))
    return Section(heading, tuple(blocks), f"{statement.key}-model", "article")


def _failure_blocks(failure: Failure, addresses: Mapping[str, str], explorer: str) -> list[Block]:
    restored = f" It is what was meant: {failure.restored}" if failure.restored else ""
    letters = [Paragraph(f"Notation: {failure.symbols}", "note")] if failure.symbols else []
    blocks: list[Block] = [*letters, Paragraph((Strong(failure.badly), f": {failure.because}{restored}"))]
    model = model_of(failure)
    if model is not None:
        address = addresses.get(model.sha256, "")
        title: Span = Link(model.title, address) if address else model.title
        smallest = f". Is it the smallest? {failure.smallest}" if failure.smallest else ""
        blocks.append(Paragraph((title, " ", FileName(f"models/{failure.model}.toml"), smallest), "note"))
    return [*blocks, *counterexample_sheets(failure), *(try_it(model, explorer) if model is not None else ())]
