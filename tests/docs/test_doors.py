"""The doors of the site: what leads where, what a reader sees first, and what the first pages say of the program."""

from __future__ import annotations

import json
import re
import subprocess
import zlib
from base64 import b64encode, urlsafe_b64decode
from collections.abc import Iterator
from pathlib import Path
from shutil import which
from typing import Any

import pytest
from documents import site_modules
from examined import at_least_one

import verifier as pk
from verifier.definitions import DEFINITIONS, ON_REQUEST
from verifier.definitions.atlas import atlas
from verifier.model.library import models_folder
from verifier.show.pages import smaller
from verifier.wings.course.pages import page as course_page
from verifier.wings.explore.server import static_files
from verifier.wings.papers.ledger.table import rows
from verifier.wings.report.site import claim_pages, shared
from verifier.wings.report.statement_sections import TEXTS

ROOT = Path(__file__).resolve().parents[2]
EXTENSIONS = ROOT / "docs" / "_ext"
EVERY = {one.key: one for one in (*DEFINITIONS.values(), *ON_REQUEST.values(), *atlas.values()) if not one.own}


@pytest.fixture(scope="module")
def site() -> Iterator[Any]:
    with site_modules() as found:
        yield found


@pytest.mark.parametrize("key", EVERY)
def test_a_definition_is_said_in_one_plain_sentence_at_the_head_of_its_page(site: Any, key: str) -> None:
    said = EVERY[key].plainly
    assert re.fullmatch(r"[A-Z][^.!?]+\.", said), "one sentence"
    assert len(said.split()) <= 26
    pages = []
    if key in {**DEFINITIONS, **ON_REQUEST}:
        definition_pages = site("definition_pages")
        pages.append(definition_pages.page(EVERY[key], definition_pages.relations()))
    if key in atlas:
        pages.append(site("atlas_pages").card(key))
    for page in pages:
        assert page.split("\n\n")[1] == f"{{.lead}}\n{said}"


def test_an_output_checker_has_the_rule_typed_in_after_one_click(site: Any) -> None:
    path = ROOT / "docs" / "for-disclosure-control.md"
    page = site("try_it").with_links(path.name, path.read_text(encoding="utf-8"))
    (link,) = re.findall(r'<a class="try" href="explore/index\.html#m=([^"]+)"', page)
    opened = json.loads(zlib.decompress(urlsafe_b64decode(link + "=" * (-len(link) % 4)), wbits=-15))
    assert opened["mechanism"]["rule"] in page.partition("--people")[0], "the rule of the page's first example"


def test_np_or_cdp_is_one_click_away_and_its_example_is_as_it_says(site: Any) -> None:
    definition_pages = site("definition_pages")
    definitions = dict(definition_pages.pages())
    assert f"## NP or CDP?\n\n{definition_pages.NP_OR_CDP}" in definitions["definitions/index.md"]
    for key in ("np", "cdp"):
        assert "(index.md#np-or-cdp)" in definitions[f"definitions/{key}.md"]
    assert "(definitions.md#np-or-cdp)" in (ROOT / "docs" / "index.md").read_text(encoding="utf-8")
    model = pk.read(models_folder() / "DMKB20" / "example-4-repaired.toml")
    assert [str(pk.check(model, key).tight_epsilon) for key in ("np", "cdp")] == ["0", "inf"]


def test_the_first_model_of_the_explorer_is_as_its_notes_say() -> None:
    """“Try this”: without record 0, NP holds at ε = 0 and CDP does not."""
    if which("node") is None:
        pytest.skip("node is not installed: it reads the page's script (Debian: apt install nodejs)")
    script = b64encode(static_files()["/static/first.js"][1]).decode()
    code = f"import('data:text/javascript;base64,{script}').then(file => console.log(JSON.stringify(file.FIRST)))"
    said = subprocess.run(["node", "--no-warnings", "-e", code], capture_output=True, text=True, check=True).stdout
    document = json.loads(said)
    assert document["knowledge"] == {"records": [0]}
    assert "untick record 0" in document["notes"]
    fields = {name: document[name] for name in ("size", "values", "mechanism")}
    unticked = pk.build(distribution=document["distribution"][0], **fields)
    least = {key: pk.check(unticked, key).tight_epsilon for key in ("np", "cdp")}
    assert "NP holds even at ε = 0" in document["notes"]
    assert str(least["np"]) == "0"
    assert "CDP does not become 0" in document["notes"]
    assert str(least["cdp"]) == "ln(13/7)"


def test_the_chart_of_the_front_page_keeps_its_axes(site: Any) -> None:
    drawings = re.findall(r"<svg.*?</svg>", site("front_page").example(), re.DOTALL)
    assert len(drawings) == 4
    axes = [re.findall(r"<text[^>]*>([\d.]+|10⁻.*?)</text>", drawing) for drawing in drawings]
    assert len(axes[0]) > 6
    assert all(one == axes[0] for one in axes)


@pytest.mark.parametrize("built", [(), ("explore",), ("report",), ("explore", "report")])
def test_the_doors_lead_to_the_parts_that_the_site_has(site: Any, built: tuple[str, ...]) -> None:
    opened = re.findall(r'href="(.*?)"', site("doors").opened(built))
    assert opened == [
        "explore/index.html" if "explore" in built else "explorer.html",
        "explore/course/index.html" if "explore" in built else "course.html",
        "install.html",
    ]


def test_the_explorer_and_the_report_lead_back(site: Any, tmp_path: Path) -> None:
    doors = site("doors")
    explorer = static_files()["/"][1].decode()
    claims = claim_pages(rows("LQS12"))
    course = {"explore/course/3.html": course_page("3.html", "../static", "../index.html")}
    pages = (
        course | {"explore/index.html": explorer} | {f"report/{name}": smaller(text) for name, text in claims.items()}
    )
    for name, text in at_least_one(pages.items()):
        assert text.count(doors.MARK) == 1, name
        (tmp_path / name).parent.mkdir(parents=True, exist_ok=True)
        (tmp_path / name).write_text(text, encoding="utf-8")
    for folder in ("explore", "report"):
        doors.lead_back(tmp_path / folder, {"explore", "report"})
    for name in pages:
        text, up = (tmp_path / name).read_text(encoding="utf-8"), "../" * name.count("/")
        found = re.findall(r'<a class="door" href="(.*?)">(\w+)</a>', text)
        wanted = [("index.html", "Guide"), ("explore/index.html", "Explorer"), ("explore/course/index.html", "Course")]
        wanted.append(("report/index.html", "Report"))
        assert found == [(up + to, word) for to, word in wanted if not to.startswith(name.partition("/")[0])], name
        assert "data-guide" not in text, name
        assert (f'href="{up}proofs/ledger.html#dmkb20-example-4"' in text) == (name in course), name


@pytest.mark.sweep(4)
@pytest.mark.parametrize("paper", TEXTS)
def test_every_page_of_a_claim_has_its_paper_and_no_name_twice(paper: str) -> None:
    for name, text in at_least_one(claim_pages(rows(paper)).items()):
        assert TEXTS[paper] in text, name
        names = re.findall(r"""<[^>]+ id=["']?([\w.-]+)""", text)
        assert len(names) == len(set(names)), name


def test_every_part_has_the_icon() -> None:
    icon = (ROOT / "verifier" / "show" / "templates" / "icon.svg").read_text(encoding="utf-8")
    assert shared()["icon.svg"] == icon
    assert static_files()["/static/icon.svg"][1].decode() == icon
    assert '<link rel="icon" href="static/icon.svg">' in static_files()["/"][1].decode()
    assert 'html_favicon = "../verifier/show/templates/icon.svg"' in (ROOT / "docs" / "conf.py").read_text("utf-8")
