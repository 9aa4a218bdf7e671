"""The source of the site: pages of the repository, as they are, with the pages that the program makes.

Nothing is written twice: the pages of `docs/`, `proofs/` and `models/FORMAT.md` are taken as they stand, and their
links, which work on a code host, are turned into links of the site.
"""

from __future__ import annotations

import posixpath
import re
import shutil
from collections.abc import Callable, Collection, Iterable
from dataclasses import dataclass, field
from itertools import chain
from pathlib import Path

import api_pages
import atlas_pages
import cli_page
import course_page
import definition_pages
import front_page
import gallery
import json_page
import jupyter_copies
import lecture_page
import model_pages
import small_pages
import try_it
from generated import OF_SITE

from verifier.wings.papers.ledger.read import entries

ROOT = Path(__file__).resolve().parents[2]
FIXED = {
    "docs/commands.md": "commands.md",
    "docs/definitions.md": "definitions/index.md",
    "docs/search.md": "smallest-model.md",
    "docs/course/README.md": "teaching.md",
    "README.md": "index.md",
    "CHANGELOG.md": "changelog.md",
    "CONTRIBUTING.md": "contributing.md",
    "CITATION.cff": "cite.md",
    "proofs": "proofs/README.md",
    "benchmarks": "benchmarks.md",
    "benchmarks/README.md": "benchmarks.md",
    "models": "models/index.md",
    "docs": "index.md",
    "docs/course": "course.md",
    "docs/course/lecture": "lecture-plan.md",
    "docs/course/lecture/README.md": "lecture-plan.md",
    "docs/own-definitions": "own-definitions.md",
    "verifier/__init__.py": "api/index.md",
}
"""Where a place of the repository stands in the site, if not by its name; search.html is the search of the site."""
SINGLE = ("CHANGELOG.md", "CONTRIBUTING.md", "benchmarks/README.md")
MADE = {"docs/definitions.md", "README.md", "CITATION.cff"}
"""Pages of the repository that the site says otherwise."""

BESIDE = {"docs/relations.md": '\n<p><a href="matrix/matrix.html">Every ordered pair, with its reason</a></p>\n'}
"""What the site has beside its pages, at the end of the page that speaks of it."""

CHILDREN = {
    "course.md": ("teaching", "lecture-plan"),
    "first-model.md": ("attackers", "gallery"),
    "trust.md": ("why",),
    "programs.md": ("classics", "families", "compose"),
    "claims-in-tests.md": ("claims-of-libraries",),
    "definitions/index.md": ("atlas", "own-definitions", "relations", "exchange", "axioms"),
    "smallest-model.md": ("worst",),
    "models/FORMAT.md": ("models/index",),
    "proofs/statements.md": (
        *(f"errata/{paper}" for paper in ("DMKB20", "DKM19", "D20", "LQS12", "DP22")),
        "examples",
        "figures",
    ),
    "python.md": ("api/index", "json"),
    "glossary.md": ("words",),
    "contributing.md": ("architecture", "benchmarks", "changelog"),
}
"""The pages below a page of the sidebar, which lists them at its end."""
PROOFS = "proofs/README.md"
"""The page of all proofs, which has tables of them."""


@dataclass
class Stage:
    """The folder that Sphinx reads, and what was put there."""

    folder: Path
    pages: dict[str, str] = field(default_factory=dict)
    """A path of the repository to its page of the site."""
    anchors: dict[str, set[str]] = field(default_factory=dict)
    """A page of the site to the places in it that are named by hand."""
    cells: dict[str, set[str]] = field(default_factory=dict)
    """A page of the site to the named places in its tables, which Sphinx knows within the page alone."""

    def write(self, page: str, text: str) -> None:
        """Write a page, with the list of those below it."""
        path = self.folder / page
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(text + below(page), encoding="utf-8")


def below(page: str) -> str:
    """The list of the pages below a page; empty if there is none."""
    if page == PROOFS:
        folders = ("proofs", "proofs/axioms", "proofs/implications")
        paths = sorted(path for folder in folders for path in (ROOT / folder).glob("*.md"))
        apart = {PROOFS, "proofs/ledger.md", "proofs/statements.md"}
        names = [path.relative_to(ROOT).as_posix() for path in paths if not path.name.endswith(".new.md")]
        listed = "\n".join(f"/{name.removesuffix('.md')}" for name in names if name not in apart)
        return f"\n```{{toctree}}\n:hidden:\n\n{listed}\n```\n"
    if page not in CHILDREN:
        return ""
    listed = "\n".join(f"/{name}" for name in CHILDREN[page])
    return f"\n## More pages\n\n```{{toctree}}\n:maxdepth: 1\n\n{listed}\n```\n"


def repository_pages() -> dict[str, str]:
    """Every Markdown page that the site shows, by its path in the repository, or the path that it would have there."""
    found = sorted(
        path.relative_to(ROOT).as_posix()
        for pattern in (
            "docs/*.md",
            "docs/course/*.md",
            "docs/course/lecture/*.md",
            "docs/errata/*.md",
            "proofs/*.md",
            "proofs/axioms/*.md",
            "proofs/implications/*.md",
            "models/FORMAT.md",
            *SINGLE,
        )
        for path in ROOT.glob(pattern)
        if not path.name.endswith(".new.md")
    )
    return {name: FIXED.get(name, name.removeprefix("docs/")) for name in (*found, *OF_SITE) if name not in MADE}


def claim_places() -> dict[str, str]:
    """The place of each claim of the ledger by its file, among all claims."""
    return {entry.file: f"proofs/ledger.md#{entry.paper}-{entry.slug}".lower() for entry in entries()}


def stage(folder: Path, built: Collection[str] = ()) -> Stage:
    """Make the whole source anew; `built` names the other parts of the site. With `explore` models have links to it."""
    explorer = "explore" in built
    shutil.rmtree(folder, ignore_errors=True)
    done = Stage(folder)
    done.pages = {**repository_pages(), **FIXED, **model_pages.places(), **claim_places()}
    texts = {name: (ROOT / name).read_text(encoding="utf-8") for name in repository_pages() if name not in OF_SITE}
    texts |= {name: make() for name, make in OF_SITE.items()}
    for name, text in texts.items():
        done.anchors[done.pages[name]] = set(re.findall(r'<a id="([^"]+)"></a>', text))
        done.cells[done.pages[name]] = set(re.findall(r'^\| <a id="([^"]+)"></a>', text, re.MULTILINE))
    for name, raw in texts.items():
        text = lecture_page.filled(front_page.filled(raw, built), explorer=explorer)
        linked = relink(text, name, done)
        page = tidy(atlas_pages.filled(name, linked)) + BESIDE.get(name, "")
        shown = try_it.with_links(done.pages[name], page) if explorer else page
        done.write(done.pages[name], shown)
    made: Iterable[tuple[str, str]] = (
        page
        for maker in (definition_pages, atlas_pages, cli_page, api_pages, small_pages, json_page)
        for page in maker.pages()
    )
    made = chain(
        made,
        model_pages.pages(explorer=explorer),
        gallery.pages(explorer=explorer),
        course_page.pages(explorer=explorer),
    )
    for page, text in chain(made, ((f"course/{name}", copy) for name, copy in jupyter_copies.copies())):
        done.write(page, text)
    for path in course_page.notebooks():
        shutil.copyfile(path, done.folder / "course" / path.name)
    return done


_FENCE = re.compile(r"^(```.*?^```[ ]*$|~~~.*?^~~~[ ]*$)", re.DOTALL | re.MULTILINE)
_LINK = re.compile(r"(!?)\[((?:[^\[\]]|\[[^\]]*\])*)\]\(([^()\s]+)\)")
_SPANS = re.compile(r"(`[^`]*`|\[(?:[^\[\]]|\[[^\]]*\])*\]\([^()\s]+\))")
_NAMED = re.compile(r"`((?:models|docs|proofs)/[\w./-]+)`")
_PLAIN = re.compile(r"(?<![\w/\[])((?:models|docs|proofs)/[\w./-]+\.(?:md|toml))(?!\w)")
_LISTED = re.compile(r"(?<=\| )([A-Za-z0-9]+/[\w./-]+\.toml)(?= \|)")


def outside_code(text: str, change: Callable[[str], str]) -> str:
    """Change what is no block of code."""
    return "".join(part if _FENCE.fullmatch(part) else change(part) for part in _FENCE.split(text))


def relink(text: str, name: str, done: Stage) -> str:
    """The links of a page of the repository as links of the site; files that are no page are copied beside it."""
    here = posixpath.dirname(done.pages[name])

    def target(address: str) -> str | None:
        path, _, place = address.partition("#")
        if not path:
            return address
        file = posixpath.normpath(posixpath.join(posixpath.dirname(name), path))
        if file == "docs/definitions.md" and place in definition_pages.every():
            return posixpath.relpath(f"definitions/{place}.md", here or ".")
        if file in done.pages:
            page, _, own = done.pages[file].partition("#")
            place = place or own
            if in_table(page, place):
                return posixpath.relpath(page, here or ".").removesuffix(".md") + f".html#{place}"
            if place in done.anchors.get(page, set()) or own:
                return f"#{place}"
            return posixpath.relpath(page, here or ".") + (f"#{place}" if place else "")
        if (ROOT / file).is_file():
            (done.folder / file).parent.mkdir(parents=True, exist_ok=True)
            shutil.copyfile(ROOT / file, done.folder / file)
            return posixpath.relpath(file, here or ".")
        return None

    def in_table(page: str, place: str) -> bool:
        return page != done.pages[name] and place in done.cells.get(page, set())

    def link(found: re.Match[str]) -> str:
        mark, words, address = found.groups()
        if re.match(r"[a-z]+:", address):
            return found[0]
        to = target(address)
        if to is None:
            raise SystemExit(f"{name}: a link to {address}, which is not there")
        return f'<a href="{to}">{words}</a>' if ".html#" in to else f"{mark}[{words}]({to})"

    def named(file: str, shown: str) -> str:
        if file not in done.pages or done.pages[file] == done.pages[name]:
            return shown
        page, _, place = done.pages[file].partition("#")
        if in_table(page, place):
            return shown
        return f"[{shown}](#{place})" if place else f"[{shown}]({posixpath.relpath(page, here or '.')})"

    def words(part: str) -> str:
        if part.startswith("["):  # a link already
            return part
        if part.startswith("`"):
            return _NAMED.sub(lambda found: named(found[1].rstrip("/"), found[0]), part)
        part = _PLAIN.sub(lambda found: named(found[1], found[0]), part)
        return _LISTED.sub(lambda found: named(f"models/{found[1]}", found[1]), part)

    def paragraph(part: str) -> str:
        """Files that are named without a link, in code or in words; commands stay as they are."""
        return part if part.startswith(("#", "    ")) else "".join(map(words, _SPANS.split(part)))

    def change(part: str) -> str:
        return "\n\n".join(map(paragraph, _LINK.sub(link, part).split("\n\n")))

    return outside_code(text, change)


def tidy(text: str) -> str:
    """Named places as Sphinx names them, a head for each column, and no comments for those who edit the file."""
    text = re.sub(r'^<a id="([^"]+)"></a>$', r"(\1)=", text, flags=re.MULTILINE)
    text = re.sub(r'^\| <a id="(model-[^"]+)"></a>([^|]+?) \|', r"| [\2]{#\1} |", text, flags=re.MULTILINE)
    text = re.sub(r"^\|  \|(?=.*\n\|---)", "| ↓ implies → |", text, flags=re.MULTILINE)
    text = re.sub(r"^(\| .+ \|) +\|(?=\n\|---)", r"\1 meaning |", text, flags=re.MULTILINE)
    return re.sub(r"^<!--.*?-->\n*", "", text, flags=re.DOTALL | re.MULTILINE)
