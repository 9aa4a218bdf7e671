"""Do the links of a folder of pages lead anywhere?"""

from __future__ import annotations

from dataclasses import dataclass, field
from html.parser import HTMLParser
from pathlib import Path
from urllib.parse import unquote, urlsplit


@dataclass
class Anchors(HTMLParser):
    """The ids of a page and what it refers to."""

    ids: set[str] = field(default_factory=set)
    links: list[str] = field(default_factory=list)

    def __post_init__(self) -> None:
        super().__init__()

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        for key, value in attrs:
            if value and (key == "id" or (tag == "a" and key == "name")):
                self.ids.add(value)
            elif value and key in ("href", "src") and tag != "base":
                self.links.append(value)


def anchors(page: Path) -> Anchors:
    """The ids and links of a page."""
    found = Anchors()
    found.feed(page.read_text(encoding="utf-8"))
    return found


def broken(folder: Path) -> list[str]:
    """The links between the pages of a folder that lead nowhere: no such file, or no such place in it."""
    folder = folder.resolve()
    pages = {path: anchors(path) for path in sorted(folder.rglob("*.html"))}
    wrong = []
    for path, page in pages.items():
        for link in page.links:
            parts = urlsplit(link)
            if parts.scheme or parts.netloc:
                continue
            target = (path.parent / unquote(parts.path)).resolve() if parts.path else path
            if target.is_dir():
                target /= "index.html"
            inside = target.is_relative_to(folder) and target.is_file()
            if not inside or (parts.fragment and target in pages and unquote(parts.fragment) not in pages[target].ids):
                wrong.append(f"{path.relative_to(folder)}: {link}")
    return wrong
