"""The search of the site: the first hit of what people ask, by the functions of its page, and the rest by relevance."""

import json
import re
import shutil
import subprocess
import tomllib
from collections.abc import Sequence
from dataclasses import asdict
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import pytest
from documents import site_modules
from examined import at_least_one

ROOT = Path(__file__).resolve().parents[2]
FIRST = tomllib.loads(Path(__file__).with_name("searched.toml").read_text(encoding="utf-8"))["first"]
DECOY = "decoy"
"""A page whose title is each of the queries."""


@pytest.fixture(scope="module")
def items(tmp_path_factory: pytest.TempPathFactory) -> list[dict[str, Any]]:
    """What the page of the search has, of a source with the page of the questions alone."""
    folder = tmp_path_factory.mktemp("source")
    with site_modules() as site:
        stage, asked = site("stage"), site("asked")
        done = stage.Stage(folder, {**stage.repository_pages(), **stage.FIXED})
        done.cells["proofs/statements.md"] = {"DMKB20-theorem-5"}
        text = (ROOT / "docs" / asked.PAGE).read_text(encoding="utf-8")
        done.write(asked.PAGE, stage.relink(text, f"docs/{asked.PAGE}", done))
        found = asked.entries(folder)
        assert len(found["asked"]) == text.count("\n- ") > 30
        return [asdict(one) for part in found.values() for one in part]


def searched(items: Sequence[Any], queries: Sequence[str], index: dict[str, Any], folder: Path) -> list[list[str]]:
    """The addresses that each query finds, in the order of the page."""
    sphinx = pytest.importorskip("sphinx.search")
    empty = SimpleNamespace(domains=(), version=0, **{f"_search_index_{name}": {} for name in NAMES})
    context = sphinx.IndexBuilder(empty, "en", {}, "").context_for_searchtool()
    language = f"const stopwords = new Set({context['search_language_stop_words']});"
    (folder / "language_data.js").write_text(f"{language}\n{context['search_language_stemming_code']}", "utf-8")
    theme = Path(sphinx.__file__).parents[1] / "themes" / "basic" / "static"
    for path in (theme / "searchtools.js", ROOT / "docs" / "_static" / "search.js"):
        shutil.copyfile(path, folder / path.name)
    script = Path(__file__).parents[1] / "helpers" / "site_search.mjs"
    given = json.dumps({"index": index, "items": items, "queries": queries})
    said = subprocess.run(["node", str(script), str(folder)], input=given, capture_output=True, text=True, check=True)
    return [[one["address"] for one in found] for found in json.loads(said.stdout)]


NAMES = ("titles", "filenames", "mapping", "title_mapping", "all_titles", "index_entries", "objtypes", "objnames")


def index_of(pages: dict[str, tuple[str, str]]) -> dict[str, Any]:
    """An index as Sphinx writes it, of pages with a title and a text, in words that are stems."""
    terms: list[dict[str, list[int]]] = [{}, {}]
    for number, texts in enumerate(pages.values()):
        for kind, text in enumerate(texts):
            for word in text.lower().split():
                terms[kind].setdefault(word, []).append(number)
    return {
        "docnames": list(pages), "filenames": list(pages), "titles": [title for title, _ in pages.values()],
        "alltitles": {title: [[number, None]] for number, (title, _) in enumerate(pages.values())},
        "titleterms": terms[0], "terms": terms[1], "indexentries": {}, "objects": {}, "objnames": {},
    }  # fmt: skip


def test_what_people_ask_is_answered_first(items: list[dict[str, Any]], tmp_path: Path) -> None:
    """Also if another page has the query as its title."""
    decoys = index_of({f"{DECOY}{number}": (query, query) for number, query in enumerate(FIRST)})
    found = searched(items, list(FIRST), decoys, tmp_path)
    assert {query: hits[0] for query, hits in zip(FIRST, found, strict=True)} == FIRST
    assert all(any(hit.startswith(DECOY) for hit in hits) for hits in found)


def test_each_answer_has_its_place_on_its_page() -> None:
    docs = ROOT / "docs"
    found = re.findall(r"\]\(([\w./-]+\.md)#([\w-]+)\)", (docs / "asked.md").read_text(encoding="utf-8"))
    for page, place in at_least_one(found):
        text = (docs / page).read_text(encoding="utf-8")
        heads = re.findall(r"^#+ (.*)", text, re.MULTILINE)
        places = {re.sub(r"[^\w\s-]", "", head.lower()).replace(" ", "-") for head in heads}
        assert place in places or f'<a id="{place}"></a>' in text, (page, place)


def test_the_rest_is_by_relevance(tmp_path: Path) -> None:
    pages = {
        "proofs/first": ("Alder", "walrus"),
        "guide": ("Birch", "walrus zebra coin"),
        "common": ("Ash", "coin"),
        "other": ("Aspen", "coin"),
        "zebra": ("Zebra", "zebra"),
    }
    found = searched([], ["walrus", "coin walrus", "zebra nowhere", "unheard"], index_of(pages), tmp_path)
    assert found[0] == ["guide.html", "proofs/first.html"]  # a page of the guide before a proof
    assert found[1] == ["guide.html", "common.html", "other.html", "proofs/first.html"]  # both words first
    assert found[2] == ["zebra.html", "guide.html"]  # a word that is nowhere does not empty the list
    assert found[3] == []
    pages = {"b": ("B", "coin rare"), "a": ("A", "coin"), "c": ("C", "coin"), "d": ("D", "rare")}
    assert searched([], ["coin rare"], index_of(pages), tmp_path) == [["b.html", "d.html", "a.html", "c.html"]]
