"""The report: everything is there, nothing comes from outside, and no badge says more than was computed."""

import os
import re
import subprocess
import sys
import xml.etree.ElementTree as ET
from dataclasses import replace
from html import unescape
from pathlib import Path
from posixpath import dirname, join, normpath

import pytest
from examined import at_least_one
from html_reader import Reader, read_html
from report_made import report_pages, small_pages

import verifier as pk
from verifier.cli.main import run
from verifier.definitions import DEFINITIONS
from verifier.errors import PkdpError
from verifier.model.library import models_folder
from verifier.show.pages import page_html
from verifier.wings.explore.links import bundled_by_hash
from verifier.wings.implications.table import relations
from verifier.wings.papers.ledger.entry import OfModel
from verifier.wings.papers.ledger.table import rows
from verifier.wings.report.claim_sections import claims_document
from verifier.wings.report.claims import ALSO, CHOSEN, chosen, model_files
from verifier.wings.report.findings import ConfirmedReading, confirm, leading
from verifier.wings.report.index_sections import first_of
from verifier.wings.report.matrix_page import PAIRS
from verifier.wings.report.pages import ModelPage
from verifier.wings.report.site import bar, claim_pages, report_markdown, site
from verifier.wings.report.write import TITLE, checked, claims_of, model_pages, write_report

pytestmark = pytest.mark.xdist_group("report-made")  # its pages are made once, not by every worker


@pytest.fixture(scope="module")
def pages() -> list[ModelPage]:
    return list(small_pages())


@pytest.fixture(scope="module")
def claims(pages: list[ModelPage]) -> list[ConfirmedReading]:
    return claims_of(pages)


@pytest.fixture(scope="module")
def whole(pages: list[ModelPage], claims: list[ConfirmedReading]) -> dict[str, str]:
    """Every file of the site but the claim pages, of which two stand for all."""
    made = site(TITLE, pages, claims, checked(pages), relations())
    some = [row for row in rows("DMKB20") if row.entry.slug in {"example-4", "proposition-4"}]
    written = claim_pages(some)
    return made | written | {"claims/index.html": page_html(claims_document(rows()), bar(claims=True))}


@pytest.fixture(scope="module")
def markdown(pages: list[ModelPage], claims: list[ConfirmedReading]) -> str:
    return report_markdown(TITLE, pages, claims, checked(pages), of_papers=True)


@pytest.fixture(scope="module")
def readers(whole: dict[str, str]) -> dict[str, Reader]:
    return {name: read_html(text) for name, text in whole.items() if name.endswith(".html")}


@pytest.mark.sweep(0)
def test_two_runs_write_the_same_bytes(tmp_path: Path) -> None:
    files = model_files()
    models = [str(next(path for path in files if f"example-{k}-" in path.name)) for k in (1, 5, 7)]
    folders = [tmp_path / name for name in ("one", "two")]
    for seed, folder in enumerate(folders):
        command = [sys.executable, "-c", "from verifier.cli.main import run; run()", "report", *models]
        environment = {**os.environ, "PYTHONHASHSEED": str(seed)}
        subprocess.run([*command, "--output", str(folder)], check=True, capture_output=True, env=environment)
    first, second = ({p.relative_to(f): p.read_bytes() for p in f.rglob("*") if p.is_file()} for f in folders)
    assert first == second
    assert {Path("index.html"), Path("report.md")} < set(first)
    assert sum(path.suffix == ".svg" for path in first) >= len(models)


def test_self_contained_and_small(whole: dict[str, str]) -> None:
    for name, text in whole.items():
        assert len(text.encode()) < (800_000 if name == PAIRS else 300_000), name
        outside = re.sub(r"xmlns(:\w+)?=[\"'][^\"']*[\"']", "", text)
        assert "http" not in outside, name
        assert str(models_folder().parent) not in text, name
        assert not re.search(r"<(img|iframe)\b|@import|url\((?!#)|eval\(|fetch\(", outside), name
    assert {"report.css", "copy.js", "index.html", "definitions.html", "relations.html"} < set(whole)
    assert sum(len(text.encode()) for name, text in whole.items() if name != PAIRS) < 1_700_000


def test_every_link_leads_somewhere(readers: dict[str, Reader], whole: dict[str, str]) -> None:
    there = set(whole) | {f"claims/{row.entry.paper}/{row.entry.slug}.html" for row in rows()} | {"report.md"}
    for name, reader in at_least_one(readers.items()):
        for link in at_least_one(reader.links):
            path, _, anchor = link.partition("#")
            target = normpath(join(dirname(name), path)) if path else name
            assert target in there, (name, link)
            if anchor and target in readers:
                assert anchor in readers[target].ids, (name, link)


def test_well_formed_and_accessible(readers: dict[str, Reader], whole: dict[str, str]) -> None:
    for name, reader in at_least_one(readers.items()):
        assert reader.badly_nested == [], name
        assert reader.open == [], name
        assert len(reader.ids) == len(set(reader.ids)), name
        assert reader.heads_without_scope == 0, name
        assert reader.headings.count(1) == 1, name
        steps = zip(reader.headings, reader.headings[1:], strict=False)
        assert all(after <= before + 1 for before, after in steps), name
        assert "#content" in reader.links
        assert '<html lang="en">' in whole[name]


def test_drawings_say_what_they_show(pages: list[ModelPage]) -> None:
    """Each has a title, a description with its breakpoints, and a table behind it; a file of its own has colours."""
    by_name = {page.name: {drawing.kind: (drawing, sheets) for drawing, sheets in page.drawings} for page in pages}
    for page in pages:
        for drawing, sheets in page.drawings:
            found = ET.fromstring(drawing.svg)  # noqa: S314 - our own text
            title, said = (found.find(f"{{*}}{tag}") for tag in ("title", "desc"))
            assert title is not None
            assert said is not None
            assert title.text
            assert said.text
            assert "<style>" not in drawing.svg
            if drawing.painted:  # it has its colours and its words, and the tables of the worlds stand below
                assert drawing.kind == "worlds"
                assert page.worlds
                assert drawing.styled == drawing.svg
                continue
            assert sheets or page.losses
            assert "<style>" in drawing.alone
            ET.fromstring(drawing.alone)  # noqa: S314 - our own text
            styled = ET.fromstring(drawing.styled)  # noqa: S314 - our own text
            assert len(styled.findall(".//{*}title")) == 1
            seen = [mark.position for mark in drawing.marks if mark.kind != "hover"]
            assert drawing.styled.count("\n") == len(seen) + 3
            assert all(position in drawing.styled for position in seen)
    profile, sheets = by_name["example-1-side"]["profile"]
    assert "breakpoints at ε = ln(3197/544)" in profile.svg
    assert [row[0] for row in sheets[1].rows] == ["0", "ln(3197/544)"]
    attackers = {name for name, kinds in by_name.items() if "attackers" in kinds}
    assert "example-7-five-voters" in attackers
    assert "example-1-side" not in attackers
    lanes = by_name["example-7-five-voters"]["loss"][0].svg
    assert lanes.count("of probability") == 2 * 4


def test_every_example_is_there(pages: list[ModelPage], whole: dict[str, str], markdown: str) -> None:
    assert [page.name for page in pages] == [path.stem for path in model_files() if "twelve" not in path.stem]
    for page in pages:
        assert f'<code class="file">{page.file}</code>' in whole[f"models/{page.name}.html"]
        assert f"models/{page.name}.html" in whole["index.html"]
        assert f'<a id="{page.name}"></a>\n\n### {page.model.title}\n' in markdown
        assert f"\n`{page.file}`\n" in markdown


def test_the_evidence_is_in_the_page(pages: list[ModelPage], readers: dict[str, Reader], markdown: str) -> None:
    """The counterexample stands first, as a sentence; each can be added up again."""
    refuted = [(page, one) for page in pages for one in page.refuted]
    assert len(refuted) > 40
    for page, one in refuted:
        text = "".join(readers[f"models/{page.name}.html"].text)
        assert one.sentence in text
        assert one.words in text
        assert one.words in markdown
        assert one.sentence.startswith(("If ", "Databases with ", "The mechanism M is compared "))
    for page in pages:
        text = "".join(readers[f"models/{page.name}.html"].text)
        before = text[: text.index("What holds")]
        first = page.refuted[0].sentence if page.refuted else "No counterexample"
        assert first in before
        assert first.replace("<", "&lt;") in markdown


def test_what_can_be_copied_is_what_is_shown(pages: list[ModelPage], whole: dict[str, str]) -> None:
    """LaTeX of numbers is in the page; tests/browser compares what its script makes of the tables."""
    for page in pages[:4]:
        text = unescape(whole[f"models/{page.name}.html"])
        lists = [found.split("\n") for found in re.findall(r"<template>(.*?)</template>", text, re.DOTALL)]
        passport = [getattr(cell, "latex", "") for row in page.overview.rows for cell in row]
        assert passport in lists
        for sheet in (page.overview, *page.losses, *page.acceptable):
            assert sheet.html() in whole[f"models/{page.name}.html"]
    for given in ("LATEX = {", 'JOINED = "', "PROSE = 60;", "\nconst saves = "):
        assert given in whole["copy.js"]
    assert r"\ln\left(\frac{3197}{544}\right)" in whole["models/example-1-side.html"]


def test_definitions_are_typeset(whole: dict[str, str]) -> None:
    text = whole["definitions.html"]
    for name, definition in at_least_one(DEFINITIONS.items()):
        assert f'id="{name}"' in text
        article = text[text.index(f'id="{name}"') :].partition("</article>")[0]
        assert "<math alttext=" in article
        assert definition.title in unescape(article)


def test_refutations_can_be_added_up_again(pages: list[ModelPage]) -> None:
    by_name = {page.name: page for page in pages}
    causal = by_name["proposition-4-np-not-cdp"].causal
    assert causal is not None
    assert causal.columns == ("D", "probability", "B", "given D(0) = 0, B = 0", "M(D)", "D(0→1)", "M(D(0→1))")
    assert causal.rows == (("[0, 0]", "1/4", "0", "1", "0", "[1, 0]", "1"),)
    mixture, *steps = by_name["example-1-side"].worlds
    assert mixture.rows == (("up", "1/2", "0–2", "1/20", "3/20", "4/5"), ("down", "1/2", "0–2", "4/5", "3/20", "1/20"))
    assert steps[0].rows[0] == ("-3, -2, -1", "down")
    assert steps[1].rows[0] == ("down", "down: 8/10, level: 1/10, up: 1/10")
    known = by_name["example-6-partner-known"].worlds[0]
    assert known.columns == ("D", "B (known)", "probability", "M(D)")
    given = [row[2] for row in by_name["example-6-second-normalization"].acceptable[0].rows]
    assert given == ["yes", "yes (the file's own normalization)"]
    assert by_name["example-5-two-triples"].acceptable[0].rows[0][1] == "0–5"
    assert "`0#1` is the first" in by_name["example-6-first-normalization"].acceptable[0].notes[0]


@pytest.mark.sweep(0)
def test_losses_that_are_left_out_have_their_command() -> None:
    (page,) = (page for page in report_pages() if page.name == "example-7-twelve-voters")
    assert page.losses_note.endswith("`pkdp loss models/DMKB20/example-7-twelve-voters.toml --record 11`")


def test_short_model_files_are_in_the_markdown(markdown: str) -> None:
    assert markdown.count("```toml") >= 20
    assert "[[expect]]" not in markdown


def test_every_page_has_a_badge_and_the_refuted_ones_are_marked(
    pages: list[ModelPage], claims: list[ConfirmedReading], whole: dict[str, str]
) -> None:
    assert [one.row for one in first_of(claims)] == list(chosen())
    for page in pages:
        if page.name in ALSO:
            continue
        first = leading(claims, page.name)
        assert first, page.name
        opening = whole[f"models/{page.name}.html"].partition("<main")[0]
        lines = re.findall(r'<p class="evidence">(.*?)</p>', opening)
        for reading, line in zip(first, map(unescape, lines), strict=True):
            assert reading.row.claim in line
            sign = "repaired" if reading.role(page.name) == "repair" else f"{reading.tone} as printed"
            assert f'<b class="{"holds" if sign == "repaired" else reading.tone}">{sign}</b>' in line
            assert all(answer in line for answer in reading.answers_of(page.name))
    assert "holds as printed</b>" in whole["models/example-2-identity.html"]
    repaired = whole["models/example-4-repaired.html"].partition("<main")[0]
    assert repaired.index("fails as printed</b>") < repaired.index("repaired</b>")
    assert "example-4.html#reading-2" in repaired


def test_findings_rest_on_what_was_computed(pages: list[ModelPage], claims: list[ConfirmedReading]) -> None:
    """Derived here once more from the verdicts, without the comparison of the ledger's own code."""
    computed = {page.name: {one.definition: one for one in page.answers} for page in pages}
    compared = 0
    for one in claims:
        for piece in one.row.reading.evidence:
            if not isinstance(piece, OfModel):
                continue
            for promised in piece.asks:
                found = computed.get(piece.model.partition("/")[2], {}).get(promised.definition)
                if found is None or promised.question:
                    continue
                compared += 1
                assert promised.answer.get("verdict", found.verdict) == found.verdict
                least = promised.answer.get("tight_epsilon")
                assert least is None or str(pk.epsilon(least)) == str(found.tight_epsilon)
    assert compared > 60


@pytest.mark.parametrize("place", range(len(CHOSEN)), ids=lambda place: " ".join(CHOSEN[place]))
def test_a_finding_that_disagrees_is_refused(place: int, pages: list[ModelPage]) -> None:
    row = chosen()[place]
    known = bundled_by_hash()
    models = {known[page.model.sha256]: (page.name, page.model, page.engine) for page in pages}
    assert len(confirm([row], models)) == 1
    with pytest.raises(PkdpError, match="bound to its evidence") as stale:
        confirm([replace(row, fresh=False)], models)
    assert stale.value.exit_status == 3
    piece = next(one for one in row.reading.evidence if isinstance(one, OfModel) and one.model in models)
    for number, promised in enumerate(piece.asks):
        key, value = next(iter(promised.answer.items()))
        wrong = {"verdict": "vacuous", "tight_epsilon": "ln(12345)", "tight_delta": "12344/12345"}.get(key, "otherwise")
        other = replace(promised, answer={**promised.answer, key: (not value) if isinstance(value, bool) else wrong})
        asks = (*piece.asks[:number], other, *piece.asks[number + 1 :])
        changed = replace(row.reading, evidence=(replace(piece, asks=asks),))
        with pytest.raises(PkdpError, match="a statement that agrees with its evidence") as refused:
            confirm([replace(row, reading=changed)], models)
        assert refused.value.exit_status == 3


def test_a_changed_model_carries_no_finding(tmp_path: Path) -> None:
    copy = tmp_path / "example-4-as-printed.toml"
    copy.write_text((models_folder() / "DMKB20" / copy.name).read_text(encoding="utf-8") + "\n", encoding="utf-8")
    assert claims_of(model_pages([pk.read(copy)])) == []


def test_the_documents_show_the_same_findings(markdown: str, whole: dict[str, str]) -> None:
    index = unescape(whole["index.html"])
    for row in at_least_one(chosen()):
        fails = row.verdict in {"refuted", "misprint"}
        models = any(isinstance(piece, OfModel) and piece.shows == "failure" for piece in row.reading.evidence)
        told = row.reading.repaired if fails and models else row.reading.found
        assert told.replace("<", "&lt;").replace("|", "\\|") in markdown
        assert row.entry.slug in index


SMALL = """
title = "a `model` of <mine>"
size = 2
values = [0, 1]
notes = "uses `then`"
[[distribution]]
name = "first"
iid = { 0 = "3/4", 1 = "1/4" }
[[distribution]]
name = "second"
mixture = [ { weight = "1/2", iid = { 0 = 1 } }, { weight = "1/2", network = [ { record = 0, table = { 1 = 1 } },
  { record = 1, given = [0], rows = [ { when = [1], table = { 0 = "1/3", 1 = "2/3" } } ] } ] } ]
[knowledge]
kind = "randomized-response"
keep = "1/2"
records = [0]
[mechanism]
kind = "count"
value = 1
then = [ { kind = "geometric-noise", p = "1/2" } ]
"""


def test_any_models(tmp_path: Path) -> None:
    for folder in ("a", "b"):
        (tmp_path / folder).mkdir()
        (tmp_path / folder / "mine.toml").write_text(SMALL, encoding="utf-8")
    built = pk.build(size=1, values=["x/y", "z"], distribution={"iid": {"x/y": 1}}, mechanism={"kind": "identity"})
    models = [pk.read(tmp_path / folder / "mine.toml") for folder in ("a", "b")]
    written = write_report([*models, built], tmp_path / "out")
    index, text = (path.read_text(encoding="utf-8") for path in written)
    files = {path.relative_to(tmp_path / "out").as_posix() for path in (tmp_path / "out").rglob("*.html")}
    assert {"index.html", "definitions.html", "models/mine.html", "models/mine-2.html"} < files
    assert not any(name.startswith(("claims", "relations")) for name in files)
    for name in files:
        page = (tmp_path / "out" / name).read_text(encoding="utf-8")
        made = read_html(page)
        assert made.badly_nested == made.open == []
        assert len(made.ids) == len(set(made.ids))
        assert "`" not in "".join(made.text)
        for link in made.links:
            path = link.partition("#")[0]
            assert not path or (tmp_path / "out" / normpath(join(dirname(name), path))).is_file(), (name, link)
    assert "&lt;mine&gt;" in index
    assert "Which claims hold" not in index + text


@pytest.mark.parametrize(("text", "status"), [("size = ", 2), ("size = 1\nvalues = [0]\n", 2), (None, 2)])
def test_a_bad_file_writes_nothing(
    text: str | None, status: int, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    path = tmp_path / "bad.toml"
    if text is not None:
        path.write_text(text, encoding="utf-8")
    with pytest.raises(SystemExit) as stop:
        run(["report", str(path), "--output", str(tmp_path / "out")])
    assert stop.value.code == status
    assert capsys.readouterr().err.startswith("pkdp: ")
    assert not (tmp_path / "out").exists()
