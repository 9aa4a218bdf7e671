"""What is seen first: what fails as printed, every verdict of every model, and the expected answers of the examples."""

from __future__ import annotations

import re
from dataclasses import replace
from html import unescape

import pytest
from html_reader import read_html
from report_made import small_pages

from verifier.definitions import DEFINITIONS
from verifier.show.pages import page_html
from verifier.show.sections import Decision, Folded, Grid, Link, Section, plain_text
from verifier.wings.implications.table import relations
from verifier.wings.report.claims import TOO_LARGE, chosen
from verifier.wings.report.example_sections import examples_document
from verifier.wings.report.findings import ConfirmedReading
from verifier.wings.report.index_sections import index_document
from verifier.wings.report.pages import ModelPage, groups
from verifier.wings.report.relation_sections import relations_document
from verifier.wings.report.site import bar
from verifier.wings.report.write import claims_of

pytestmark = pytest.mark.xdist_group("report-made")


@pytest.fixture(scope="module")
def pages() -> list[ModelPage]:
    return list(small_pages())


@pytest.fixture(scope="module")
def readings(pages: list[ModelPage]) -> list[ConfirmedReading]:
    return claims_of(pages)


def grid_of(section: Section) -> Grid:
    return next(block for block in section.blocks if isinstance(block, Grid))


def test_what_fails_stands_first(pages: list[ModelPage], readings: list[ConfirmedReading]) -> None:
    """Each chosen claim that fails has its smallest counterexample, or how it was derived, and what holds instead."""
    document = index_document("title", pages, readings, "", bar(claims=True), of_papers=True)
    failing, holding, glance, *_ = document.sections
    assert [section.heading for section in (failing, holding)] == ["What fails as printed", "What holds as printed"]
    rows = {row.reading.part or row.entry.claim: row for row in chosen() if row.verdict in {"refuted", "misprint"}}
    listed = [row for group in grid_of(failing).groups for row in group.rows]
    assert len(listed) == len(rows) == 12
    worlds = {page.address: page.worlds_count for page in pages}
    linked = 0
    for part, counterexample, instead in listed:
        assert "fails as printed" in plain_text(part)
        assert plain_text(instead) in {plain_text(row.reading.repaired) for row in rows.values()}
        if isinstance(counterexample, str):
            assert counterexample in {row.reading.found for row in rows.values()}
            continue
        linked += 1
        model = counterexample[0]
        assert isinstance(model, Link)
        assert f"({worlds[model.address]} worlds): " in plain_text(counterexample)
        assert re.search(r"If |knowledge determines|The mechanism M is compared with", plain_text(counterexample))
    assert linked == 9
    assert not any("fails as printed" in plain_text(row[0]) for group in grid_of(holding).groups for row in group.rows)
    assert glance.key == "glance"


def test_what_is_not_decided_does_not_hold(pages: list[ModelPage], readings: list[ConfirmedReading]) -> None:
    """A chosen reading that is neither proved nor refuted, here a stale one, stands in a section of its own."""
    named = next(one for one in readings if one.row in chosen() and one.tone == "holds")
    stale = replace(named, row=replace(named.row, fresh=False))
    changed = [stale if one is named else one for one in readings]
    document = index_document("title", pages, changed, "", bar(claims=True), of_papers=True)
    sections = {section.heading: section for section in document.sections}
    assert list(sections)[:3] == ["What fails as printed", "What holds as printed", "What is not decided"]
    (row,) = [row for group in grid_of(sections["What is not decided"]).groups for row in group.rows]
    assert "stale" in plain_text(row[0])
    holding = [row for group in grid_of(sections["What holds as printed"]).groups for row in group.rows]
    assert all("holds as printed" in plain_text(row[0]) for row in holding)


def test_the_first_table_has_every_definition_of_the_passports(pages: list[ModelPage]) -> None:
    document = index_document("title", pages, [], "", bar(claims=False), of_papers=False)
    grid = grid_of(next(section for section in document.sections if section.key == "glance"))
    columns = [plain_text(column) for column in grid.columns[1:]]
    named = {answer.definition for page in pages for answer in page.answers}
    assert columns == [name for name in DEFINITIONS if name in named]
    assert {"tail-dp", "tail-cdp"} < set(columns)
    shown = {plain_text(group.head): group.rows[0] for group in grid.groups}
    for page in pages:
        verdicts = {answer.definition: answer.verdict for answer in page.answers}
        for name, cell in zip(columns, shown[page.model.title], strict=True):
            assert cell[0] == Decision(verdicts[name]), (page.name, name)


def test_the_expected_answers_stand_beside_the_computed_ones(pages: list[ModelPage]) -> None:
    document = examples_document(pages)
    text = unescape("".join(read_html(page_html(document, bar(claims=True))).text))
    assert [section.heading for section in document.sections[:-1]] == [f"Example {k}" for k in range(1, 9)]
    assert all(name in text for name in TOO_LARGE)
    of_examples = [page for page in pages if page.name.startswith("example-")]
    promised = sum(len(page.model.expectations) for page in of_examples)
    assert f"{promised} of {promised} computed answers are as expected." in text
    assert [
        block.summary for section in document.sections[:-1] for block in section.blocks if isinstance(block, Folded)
    ] == [
        f"{count} of {count} computed answers are as expected"
        for _, members in groups(of_examples)
        if (count := sum(len(page.model.expectations) for page in members))
    ]
    assert text.count("✓ the same") == promised
    assert "smallest δ = 81/100" in text
    page = of_examples[0]
    first, *others = page.model.expectations
    wrong = replace(first, answer={**first.answer, "tight_epsilon": "ln(12345)"})
    told = replace(page, model=replace(page.model, expectations=(wrong, *others)))
    text = "".join(read_html(page_html(examples_document([told]), bar(claims=True))).text)
    assert f"{len(others)} of {len(others) + 1} computed answers are as expected." in text
    assert not any(isinstance(block, Folded) for block in examples_document([told]).sections[0].blocks)
    assert text.count("✓ the same") == len(others)
    assert "smallest ε = ln(12345)" in text
    computed = str(page.answers[0].tight_epsilon).replace("inf", "∞")
    assert f"smallest ε = {computed}" in text


def test_the_cells_of_the_relations_name_their_model(pages: list[ModelPage]) -> None:
    """No cell needs a legend of numbers; a name leads to the model's page, or to the list below."""
    related = relations()
    document = relations_document(related, pages)
    matrices = [grid_of(section) for section in document.sections[1:3]]
    for matrix, table in zip(matrices, (related.pure, related.approximate), strict=True):
        for group in matrix.groups:
            for target, cell in zip(related.definitions, group.rows[0], strict=True):
                fact = table[str(group.head), target].fact if group.head != target else None
                if fact is not None:
                    link = cell[0]
                    assert isinstance(link, Link)
                    assert fact.path.endswith(f"/{link.text}.toml")
                    assert link.address in {f"models/{link.text}.html", f"#model-{link.text}"}
    made = read_html(page_html(document, bar(claims=True)))
    assert {link for link in made.links if link.startswith("#model-")} <= {f"#{key}" for key in made.ids}
