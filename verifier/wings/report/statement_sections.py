"""The numbered statements of the papers as a document: one row each, and below them how those that fail do so."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import replace

from verifier.show.sections import (
    Aside,
    Document,
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
from verifier.wings.papers.ledger.criterion import BUT_FOR_AN_EDGE, FAILS
from verifier.wings.papers.ledger.sections import (
    about_blocks,
    claim_badge,
    claim_path,
    dotted,
    failure_section,
    known_paragraph,
    theorem_links,
    theorems_of,
)
from verifier.wings.papers.ledger.statement_sheets import (
    by_paper,
    count_text,
    known_text,
    model_of,
    others_lines,
    part_of,
)
from verifier.wings.papers.ledger.statements import HOW_BADLY, WORDS, Failure, Statement
from verifier.wings.report.try_it import try_it

PATH = "statements.html"
TITLE = "The theorems of the papers, one by one"
COLUMNS = ("statement, in our words", "verdict", "smallest counterexample known", "what holds instead")
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
        "What the words mean", (meanings(WORDS, claim_badge), meanings(HOW_BADLY, Strong), Paragraph(STRENGTH)), "words"
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
                claim_badge(statement.verdict),
                f" {statement.badly}: {_short(statement)}",
            )
            for statement in listed
            if statement.failures
        )
    )


def _short(statement: Statement) -> str:
    """Why a statement fails, in the words about its first failure."""
    return statement.failures[0].because


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
    """The row of a statement, with one badge, its verdict: one line for each of its failures."""
    entry = statement.entry
    whole = (" ", claim_badge(statement.verdict)) if len(statement.failures) > 1 else ()
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
    theorems = theorem_links(theorems_of(statement.rows))
    in_coq = [Aside(("in Coq: ", *theorems))] if theorems else []
    return ((claim_badge(statement.verdict), Aside(known_text(statement)), *in_coq), "–", others)


def _failure_row(statement: Statement, failure: Failure) -> tuple[Text, ...]:
    parts = len(statement.parts) > 1
    word = statement.word_of(failure)
    badly = failure.badly if word in {FAILS, BUT_FOR_AN_EDGE} else f"as printed it fails: {failure.badly}"
    several = len(statement.failures) > 1
    verdict: list[Span] = [f"this part {word}"] if several else [claim_badge(statement.verdict)]
    verdict += [Aside(badly), *([Aside(f"part: {part_of(statement, failure)}")] if parts else [])]
    model = model_of(failure)
    shown: list[Span] = [failure.shown]
    shown += [" ", Link(model.title, f"#{statement.key}-model")] if model is not None else []
    return (verdict, shown, failure.instead)


def _article(statement: Statement, addresses: Mapping[str, str], explorer: str) -> Section:
    """How a statement fails: why it is called so bad, its smallest counterexamples as tables, how all is known."""
    count = len(statement.rows)
    readings = Link(f"All {count} readings" if count > 1 else "Its reading", claim_path(statement.entry))
    known = Section("", (known_paragraph(statement, readings, ", with the evidence."),))
    failures = (_failure(statement, failure, addresses, explorer) for failure in statement.failures)
    heading = (f"{statement.entry.claim} ", claim_badge(statement.verdict))
    about = tuple(about_blocks(statement))
    return Section(heading, about, f"{statement.key}-model", "article", (*failures, known))


def _failure(statement: Statement, failure: Failure, addresses: Mapping[str, str], explorer: str) -> Section:
    section, model = failure_section(statement, failure, addresses, tabled=True), model_of(failure)
    return section if model is None else replace(section, blocks=(*section.blocks, *try_it(model, explorer)))
