"""The page of the theorems: one row each, the counterexamples below it, and no claim said twice."""

from __future__ import annotations

from collections.abc import Iterable
from html import escape

import pytest
from documents import site_modules
from html_reader import read_html

from verifier.model.library import models_folder
from verifier.show.pages import page_html
from verifier.show.sections import Aside, Badge, Document, Grid, Link, Listing, plain_text
from verifier.wings.papers.ledger.statements import Statement, is_numbered, statements
from verifier.wings.papers.ledger.table import ReadingRow, rows
from verifier.wings.papers.theorems import quoted
from verifier.wings.report.claim_sections import RECHECKED, claim_document, claims_document, unchecked_text
from verifier.wings.report.site import bar
from verifier.wings.report.statement_sections import failing_lines, statements_document

with site_modules() as site:
    statements_page = site("generated").statements_page
pytestmark = pytest.mark.xdist_group("report-made")


@pytest.fixture(scope="module")
def numbered() -> tuple[Statement, ...]:
    return statements()


@pytest.fixture(scope="module")
def document(numbered: tuple[Statement, ...]) -> Document:
    return statements_document(numbered)


@pytest.fixture(scope="module")
def ledger() -> tuple[ReadingRow, ...]:
    return rows()


def grids_of(document: Document) -> list[Grid]:
    return [block for section in document.sections for block in section.blocks if isinstance(block, Grid)]


def test_the_links_within_the_page_lead_somewhere(document: Document) -> None:
    made = read_html(page_html(document, bar(claims=True), copy=False))
    assert made.badly_nested == []
    assert len(made.ids) == len(set(made.ids))
    inside = {link for link in made.links if link.startswith("#")}
    assert len(inside) > 15
    assert inside <= {f"#{key}" for key in made.ids}


def badges(text: Iterable[object]) -> list[str]:
    """The badges in a text and in what stands inside it."""
    found = []
    for span in text:
        found += [span.text] if isinstance(span, Badge) else badges(span.spans) if isinstance(span, Aside) else []
    return found


def test_a_row_has_one_verdict(numbered: tuple[Statement, ...], document: Document) -> None:
    """That of the statement: a part that holds once corrected has no green sign beside a statement that fails."""
    verdicts = {statement.key: statement.verdict for statement in numbered}
    several = 0
    for grid in grids_of(document):
        for group in grid.groups:
            cells = [group.head, *(cell for row in group.rows for cell in row)]
            found = [badge for cell in cells for badge in badges(() if isinstance(cell, str) else cell)]
            assert found == [verdicts[group.key]], group.key
            several += len(group.rows) > 1
    assert several >= 2


def test_an_article_has_one_verdict(numbered: tuple[Statement, ...], document: Document) -> None:
    """The headings of its parts have their words without a sign; so have those of the letters."""
    verdicts = {f"{statement.key}-model": statement.verdict for statement in numbered}
    articles = [article for section in document.sections for article in section.sections]
    assert len(articles) > 10
    for article in articles:
        headings = [article.heading, *(part.heading for part in article.sections)]
        assert [b for text in headings if not isinstance(text, str) for b in badges(text)] == [verdicts[article.key]]


def test_the_front_page_lists_what_fails(numbered: tuple[Statement, ...], document: Document) -> None:
    lines = failing_lines(numbered)
    assert isinstance(lines, Listing)
    wanted = [f"{statement.entry.paper}, {statement.entry.claim}" for statement in numbered if statement.failures]
    assert [plain_text(line).partition(" holds ")[0].partition(" fails")[0] for line in lines.entries] == wanted
    keys = {group.key for grid in grids_of(document) for group in grid.groups}
    for line in lines.entries:
        assert isinstance(line[0], Link)
        assert line[0].address.partition("#")[2] in keys


def test_a_claim_is_listed_on_one_of_the_two_pages(document: Document, ledger: tuple[ReadingRow, ...]) -> None:
    """The list of the claims leaves out what has a row here, and each part of the others has its verdict as printed."""
    listed = claims_document(ledger)
    heads = [group.head for page in (listed, document) for grid in grids_of(page) for group in grid.groups]
    links = [span.address for head in heads for span in head if isinstance(span, Link)]
    assert sorted(links) == sorted({f"claims/{row.entry.paper}/{row.entry.slug}.html" for row in ledger})
    first = grids_of(listed)[0].groups[1]
    assert [plain_text(cell) for cell in first.rows[0]] == ["holds", "1 refuted"]
    names = [
        span.text for grid in grids_of(listed) for group in grid.groups for span in group.head if isinstance(span, Link)
    ]
    assert not any(map(is_numbered, names))


def test_what_the_checker_leaves_undecided_is_named(ledger: tuple[ReadingRow, ...]) -> None:
    """The list of the claims says how each answer is decided again, the page of a claim which one is not."""
    assert "pkdp verify proofs/*/answers.json" in RECHECKED
    noted = [(row, unchecked_text(row)) for row in ledger]
    assert any(text for _, text in noted)
    for row, text in noted:
        assert bool(text) == bool(row.unchecked)
        assert all(f"`{name}`" in text for name in row.unchecked)


def test_the_page_beside_the_ledger_is_fresh() -> None:
    page = models_folder().parent / "proofs" / "statements.md"
    assert page.read_text(encoding="utf-8") == statements_page()
    assert "[Theorem 5](DMKB20/theorem-5.toml)" in statements_page()


def test_the_theorems_in_coq_are_led_to_and_stand_on_the_pages_of_the_claims(ledger: tuple[ReadingRow, ...]) -> None:
    page = statements_page()
    assert "[LQS12.theorem_1](coq/LQS12.v)" in page
    assert "[DMKB20.proposition_2](coq/DMKB20.v)" in page
    of_claim = [row for row in ledger if (row.entry.paper, row.entry.claim) == ("LQS12", "Theorem 1")]
    shown = page_html(claim_document(of_claim[0].entry, of_claim), bar(claims=True))
    words, code = quoted("LQS12", "theorem_1")
    assert escape(code) in shown
    assert escape(words) in shown
