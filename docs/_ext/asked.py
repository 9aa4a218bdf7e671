"""What people ask, for the search of the site: the questions of docs/asked.md, and the words of the field.

A term in **bold** in a question brings all words that mean the same in verifier/model/words.toml. Each word of the
field that no question has leads to its definition, or to what to write for it. docs/_static/search.js puts what matches
first.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from verifier.definitions.registry import find
from verifier.model.field_words import FieldWord, field_word, field_words

PAGE = "asked.md"
"""The page of the questions, in the folder that Sphinx reads."""
_ITEM = re.compile(r"^- (.*(?:\n  .*)*)$", re.MULTILINE)
_LINK = re.compile(r"\[(?P<words>.*?)\]\((?P<to>[^()\s]+)\)|<a href=\"(?P<page>[^\"]+)\">(?P<said>.*?)</a>", re.DOTALL)


@dataclass(frozen=True)
class Asked:
    """A question or a word, the address of its answer in the site, the answer in short, and other words for it."""

    question: str
    address: str
    answer: str
    words: Sequence[str] = ()


def questions(page: str) -> Iterator[Asked]:
    """The items of the page, whose links are those of the site."""
    for item in _ITEM.findall(page):
        link = _LINK.search(item)
        if link is None:
            raise SystemExit(f"{PAGE}: no link in: {item}")
        question = link["words"] or link["said"]
        terms = re.findall(r"\*\*(.+?)\*\*", question)
        same = [word for term in terms for word in [term, *_same(field_word(term))]]
        address = (link["to"] or link["page"]).replace(".md", ".html")
        yield Asked(_plain(question), address, _plain(item[link.end() :]), tuple(map(_spoken, same)))


def other_words(taken: Sequence[Asked], folder: Path) -> Iterator[Asked]:
    """The words of the field that no question has: those for a definition lead to its page, if the site has one."""
    known = {word for one in taken for word in one.words}
    for entry in field_words():
        same = tuple(map(_spoken, entry.words))
        if known.isdisjoint(same):
            page = _definition(entry, folder) if entry.about == "definition" else ""
            title = find(entry.definition).title if page else same[0]
            yield Asked(title, page or "words.html", "" if page else _plain(entry.hint), same)


def entries(folder: Path) -> dict[str, Sequence[Asked]]:
    """The questions and the other words, of the source of the site in a folder."""
    asked = list(questions((folder / PAGE).read_text(encoding="utf-8")))
    return {"asked": asked, "words": list(other_words(asked, folder))}


def _definition(entry: FieldWord, folder: Path) -> str:
    there = (f"{part}/{entry.definition}" for part in ("definitions", "atlas"))
    return next((f"{page}.html" for page in there if (folder / f"{page}.md").is_file()), "")


def _same(entry: FieldWord | None) -> Sequence[str]:
    return entry.words if entry else ()


def _spoken(word: str) -> str:
    return word.lower().replace("-", " ")


def _plain(text: str) -> str:
    """Without marks of emphasis and code."""
    return " ".join(re.sub(r"\*+|`", "", text).split())


def _on_the_page_of_the_search(app: Any, page: str, _template: str, context: dict[str, Any], _tree: Any) -> None:
    if page == "search":
        context |= entries(Path(app.srcdir))


def setup(app: Any) -> dict[str, bool]:
    """Connect to Sphinx."""
    app.connect("html-page-context", _on_the_page_of_the_search)
    return {"parallel_read_safe": True, "parallel_write_safe": True}
