"""Reading a page as a test does: its text, ids, links and headings, and whether its elements nest."""

from __future__ import annotations

import re
from html.parser import HTMLParser


class Reader(HTMLParser):
    """The text outside of `pre` and `style`, the ids, links and headings, and whether the elements nest."""

    VOID = ("meta", "br", "use", "path", "link")

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
        if tag in {"a", "link", "script"}:
            self.links.append(at.get("href") or at.get("src") or "")
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


def read_html(text: str) -> Reader:
    made = Reader()
    made.feed(text)
    return made
