"""The report: everything is there, nothing comes from outside, and no badge says more than was computed."""

import os
import re
import subprocess
import sys
from dataclasses import replace
from html.parser import HTMLParser
from pathlib import Path

import pytest

import verifier as pk
from verifier.cli.main import run
from verifier.errors import PkdpError
from verifier.library import models_folder
from verifier.model import read
from verifier.report.claims import CLAIMS, FAILS, Claim
from verifier.report.claims import shown as shown_files
from verifier.report.findings import badge, confirm
from verifier.report.generated import findings_page
from verifier.report.pages import Page
from verifier.report.write import TITLE, claims_of, make_pages, page_html, page_markdown, write_report

MODELS = [read(path) for path in shown_files()]


@pytest.fixture(scope="module")
def pages() -> list[Page]:
    return make_pages(MODELS)


@pytest.fixture(scope="module")
def shown(pages: list[Page]) -> str:
    return page_html(TITLE, pages)


@pytest.fixture(scope="module")
def markdown(pages: list[Page]) -> str:
    return page_markdown(TITLE, pages)


class Reader(HTMLParser):
    """The text outside of `pre` and `style`, the ids, links and headings, and whether the elements nest."""

    VOID = ("meta", "br", "use", "path")

    def __init__(self) -> None:
        super().__init__()
        self.open: list[str] = []
        self.text: list[str] = []
        self.ids: list[str] = []
        self.links: list[str] = []
        self.headings: list[int] = []
        self.heads_without_scope = 0
        self.badly_nested: list[str] = []

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        at = dict(attrs)
        if at.get("id"):
            self.ids.append(at["id"] or "")
        if tag == "a":
            self.links.append(at.get("href") or "")
        if re.fullmatch(r"h[1-6]", tag):
            self.headings.append(int(tag[1]))
        self.heads_without_scope += tag == "th" and "scope" not in at
        if tag not in self.VOID:
            self.open.append(tag)

    def handle_startendtag(self, _tag: str, attrs: list[tuple[str, str | None]]) -> None:
        if "id" in dict(attrs):
            self.ids.append(dict(attrs)["id"] or "")

    def handle_endtag(self, tag: str) -> None:
        if tag not in self.VOID and (not self.open or self.open.pop() != tag):
            self.badly_nested.append(tag)

    def handle_data(self, data: str) -> None:
        if not {"pre", "style"} & set(self.open):
            self.text.append(data)


@pytest.fixture(scope="module")
def reader(shown: str) -> Reader:
    made = Reader()
    made.feed(shown)
    return made


def test_two_runs_write_the_same_bytes(tmp_path: Path) -> None:
    chosen = [str(path) for path in shown_files() if re.search(r"example-[157]-", path.name)][:7]
    folders = [tmp_path / name for name in ("one", "two")]
    for seed, folder in enumerate(folders):
        command = [sys.executable, "-c", "from verifier.cli.main import run; run()", "report", *chosen]
        environment = {**os.environ, "PYTHONHASHSEED": str(seed)}
        subprocess.run([*command, "--output", str(folder)], check=True, capture_output=True, env=environment)
    first, second = ({p.relative_to(f): p.read_bytes() for p in f.rglob("*") if p.is_file()} for f in folders)
    assert first == second
    assert {Path("index.html"), Path("report.md")} < set(first)
    assert sum(path.suffix == ".svg" for path in first) >= len(chosen)


def test_self_contained_and_small(shown: str, tmp_path: Path) -> None:
    assert len(shown.encode()) < 2_000_000
    outside = re.sub(r'xmlns(:\w+)?="[^"]*"', "", shown)
    assert "http" not in outside
    assert str(models_folder().parent) not in shown
    assert not re.search(r"<(script|link|img|iframe)\b|@import|url\((?!#)", outside)
    drawings = [svg for page in make_pages(MODELS[:1]) for _, svg in page.plots]
    assert all(svg.startswith("<svg ") and 'xmlns="' in svg and "<title>" in svg for svg in drawings)
    assert not list(tmp_path.iterdir())


def test_well_formed_and_accessible(reader: Reader) -> None:
    assert reader.badly_nested == []
    assert reader.open == []
    assert len(reader.ids) == len(set(reader.ids))
    assert {link[1:] for link in reader.links} <= set(reader.ids)
    assert reader.heads_without_scope == 0
    assert reader.headings[0] == 1
    steps = zip(reader.headings, reader.headings[1:], strict=False)
    assert all(after <= before + 1 for before, after in steps)
    assert reader.links[0] == "#content"


def test_every_example_is_there(pages: list[Page], shown: str, markdown: str) -> None:
    assert [page.name for page in pages] == [path.stem for path in shown_files()]
    for page in pages:
        assert f'<article id="{page.name}">' in shown
        assert shown.count(f'<code class="file">{page.file}</code>') == 2
        assert f"### {page.model.title} (`{page.file}`)" in markdown


def test_no_backticks_and_no_split_numbers(reader: Reader) -> None:
    assert "`" not in "".join(reader.text)


def test_the_evidence_is_in_the_page(pages: list[Page], reader: Reader, markdown: str) -> None:
    text = "".join(reader.text)
    witnesses = [words for page in pages for words in page.witnesses]
    assert witnesses
    for words in witnesses:
        assert words in text
        assert words in markdown


def test_refutations_can_be_added_up_again(pages: list[Page]) -> None:
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
    assert by_name["example-5-two-triples"].acceptable[0].rows[0][1] == "records 0–5"
    assert "`0#1` is the first" in by_name["example-6-first-normalization"].acceptable[0].notes[0]
    assert by_name["example-7-twelve-voters"].losses_note.endswith(
        "`pkdp loss models/DMKB20/example-7-twelve-voters.toml --record 11`"
    )


def test_short_model_files_are_in_the_markdown(markdown: str) -> None:
    assert markdown.count("```toml") >= 20
    assert "[[expect]]" not in markdown


def test_every_section_has_a_badge_and_the_refuted_ones_are_marked(pages: list[Page], shown: str) -> None:
    claims = claims_of(pages)
    assert len(claims) == len(CLAIMS)
    contents = shown[shown.index('<nav aria-label="Contents">') : shown.index("</nav>")]
    for page in pages:
        said = badge(claims, page.name)
        assert said is not None, page.name
        entry = next(line for line in contents.splitlines() if f'href="#{page.name}"' in line)
        assert ("fails as printed" in entry) == (said.text == "as printed: fails")
    assert "as printed: holds" in shown[shown.index('<article id="example-2-identity">') :][:600]


def test_badges_rest_on_what_was_computed(pages: list[Page]) -> None:
    """Derived here once more from the verdicts, without the words of the claims."""
    computed = {page.name: {one.definition: one for one in page.answers} for page in pages}
    for claim in CLAIMS:
        for piece in claim.evidence:
            found = computed.get(piece.model, {}).get(piece.definition)
            if found is not None and not piece.at:
                assert piece.answer == f"{found.verdict}, smallest ε {found.tight_epsilon}"
    refuted = [
        name for claim in CLAIMS if claim.verdict == FAILS and "Example 5" in claim.place for name in claim.sections
    ]
    assert refuted
    assert all(computed[name]["cdp"].verdict == "fails" for name in refuted)


@pytest.mark.parametrize("claim", CLAIMS, ids=lambda claim: claim.place)
def test_a_claim_that_disagrees_is_refused(claim: Claim, pages: list[Page]) -> None:
    found = {page.name: (page.answers, page.normalizations) for page in pages}
    for position, piece in enumerate(claim.evidence):
        wrong = replace(piece, answer=piece.answer + "0")
        evidence = (*claim.evidence[:position], wrong, *claim.evidence[position + 1 :])
        with pytest.raises(PkdpError, match="a statement that agrees with its evidence") as refused:
            confirm([replace(claim, evidence=evidence)], found)
        assert refused.value.exit_status == 3


def test_a_changed_model_carries_no_finding(tmp_path: Path) -> None:
    copy = tmp_path / "example-4-as-printed.toml"
    copy.write_text((models_folder() / "DMKB20" / copy.name).read_text(encoding="utf-8") + "\n", encoding="utf-8")
    assert claims_of(make_pages([pk.read(copy)])) == []


def test_the_documents_show_the_same_findings(markdown: str) -> None:
    root = models_folder().parent
    assert (root / "proofs" / "findings.md").read_text(encoding="utf-8") == findings_page()
    for claim in CLAIMS:
        assert claim.claim in markdown


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
    page, text = (path.read_text(encoding="utf-8") for path in written)
    made = Reader()
    made.feed(page)
    assert made.badly_nested == made.open == []
    assert len(made.ids) == len(set(made.ids))
    assert {"mine", "mine-2"} < set(made.ids)
    assert "&lt;mine&gt;" in page
    assert "Which claims hold" not in page + text
    assert "`" not in "".join(made.text)


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
