"""What a built site must be: every link inside leads somewhere, and no page loads anything from elsewhere."""

from __future__ import annotations

import re
from collections.abc import Iterator
from html.parser import HTMLParser
from pathlib import Path
from urllib.parse import unquote, urldefrag, urlsplit

LOADING = {
    "script": ("src",), "img": ("src", "srcset"), "iframe": ("src",), "source": ("src", "srcset"),
    "video": ("src", "poster"), "audio": ("src",), "embed": ("src",), "object": ("data",), "track": ("src",),
    "image": ("href", "xlink:href"), "use": ("href", "xlink:href"), "link": ("href",), "form": ("action",),
}  # fmt: skip
"""The attributes of a page by which a browser fetches something without being asked."""


class Page(HTMLParser):
    """The names, the links and what is loaded."""

    def __init__(self) -> None:
        super().__init__()
        self.names: set[str] = set()
        self.twice: list[str] = []
        self.links: list[str] = []
        self.loaded: list[str] = []
        self.styles: list[str] = []
        self.inside = ""

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        """Note what a tag names, links to, and loads."""
        given = {name: value or "" for name, value in attrs}
        self.inside = tag
        for name in {given.get("id", ""), given.get("name", "") if tag == "a" else ""} - {""}:
            if name in self.names:
                self.twice.append(name)
            self.names.add(name)
        if tag == "a" and "href" in given:
            self.links.append(given["href"])
        if given.get("rel") != "canonical":  # the address of the page itself, which no browser fetches
            self.loaded += [given[one] for one in LOADING.get(tag, ()) if given.get(one)]
        if "style" in given:
            self.styles.append(given["style"])

    def handle_endtag(self, tag: str) -> None:
        """A block has ended."""
        self.inside = "" if tag == self.inside else self.inside

    def handle_data(self, data: str) -> None:
        """Style sheets and modules inside the page load things too."""
        if self.inside in {"style", "script"}:
            self.styles.append(data)


def problems(folder: Path) -> list[str]:
    """Everything that is wrong, each in a line."""
    pages: dict[Path, Page] = {}
    found: list[str] = []
    for path in sorted(folder.rglob("*.html")):
        text = path.read_text(encoding="utf-8")
        pages[path] = Page()
        pages[path].feed(text)
        if f"{folder.name}-work/" in text:
            found.append(f"{path.relative_to(folder).as_posix()}: names the folder in which it was made")
    for path, page in pages.items():
        name = path.relative_to(folder).as_posix()
        found += [f"{name}: the id {twice} is there twice" for twice in page.twice]
        for address in (*page.links, *page.loaded):
            found += [f"{name}: {why}" for why in broken(path, address, pages, folder)]
        found += [f"{name}: loads {address}" for address in page.loaded if foreign(address)]
        found += [f"{name}: a style or script loads {address}" for text in page.styles for address in loads(text)]
    for path in sorted([*folder.rglob("*.css"), *folder.rglob("*.js"), *folder.rglob("*.svg")]):
        text = path.read_text(encoding="utf-8")
        found += [f"{path.relative_to(folder).as_posix()}: loads {address}" for address in loads(text)]
    return found


def foreign(address: str) -> bool:
    """Whether another machine would be asked."""
    parts = urlsplit(address)
    return bool(parts.netloc) or parts.scheme not in {"", "data"}


_LOADS = re.compile(r"""url\(\s*['"]?([^'")]+)|@import\s+['"]([^'"]+)|\b(?:import|fetch|from)\s*\(?\s*['"]([^'"]+)""")


def loads(text: str) -> Iterator[str]:
    """What a style sheet or a script takes from elsewhere."""
    for found in _LOADS.finditer(text):
        one = next(filter(None, found.groups()))
        if foreign(one):
            yield one


def broken(path: Path, address: str, pages: dict[Path, Page], folder: Path) -> Iterator[str]:
    """Why a link inside leads nowhere."""
    if foreign(address) or address.startswith("data:"):
        return
    file, place = urldefrag(address)
    target = (path.parent / unquote(urlsplit(file).path)).resolve() if file else path
    if not target.is_relative_to(folder.resolve()):
        yield f"{address} leads out of the site"
    elif not target.is_file():
        yield f"{address} is not there"
    elif place and target in pages and unquote(place) not in pages[target].names and not _opens_model(target, place):
        yield f"{address} has no such place"


def _opens_model(target: Path, place: str) -> bool:
    """Whether an address tells the explorer which model to open."""
    return target.parent.name == "explore" and place.startswith(("example=", "m="))
