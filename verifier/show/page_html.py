"""A page as HTML: the sections of a document, rendered inside the frame `page.html`."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from functools import singledispatchmethod
from html import escape
from posixpath import dirname, relpath
from urllib.parse import urlsplit

from verifier.errors import printable
from verifier.show.layout import environment, unique
from verifier.show.markup import inline
from verifier.show.sections import (
    Aside,
    Badge,
    Block,
    Callout,
    Cards,
    Code,
    Counterexample,
    Decision,
    Diagram,
    Document,
    FileName,
    Folded,
    Formula,
    Grid,
    Link,
    Listing,
    Paragraph,
    Picture,
    Pictures,
    Quotation,
    RowGroup,
    Section,
    Span,
    Terms,
    Text,
    plain_text,
)
from verifier.show.sheet import Sheet
from verifier.version import VERSION

FOOT = (
    "Every number is exact. Each verdict is bound by a hash to the words and the evidence that were decided; "
    "`pkdp replay proofs/` re-checks the certificates, `pkdp ledger --again` decides everything again."
)
"""The foot of a page whose document has none of its own."""
TOP = 2
"""The level of the headings below the title of a page."""


def page_html(
    document: Document,
    bar: Sequence[tuple[str, str]],
    current: str = "",
    *,
    copy: bool = True,
    leads: Callable[[str], bool] = bool,
) -> str:
    """Return a document as the HTML of a page.

    `bar` has the names and addresses of the pages at its head, of which `current` is marked; with `copy` each table of
    numbers also has the LaTeX that a reader may copy. `leads` says whether an address has a page; a link to an address
    without one is only its text.
    """
    from markupsafe import Markup

    renderer = HtmlRenderer(document.path, copy=copy, leads=leads)
    return (
        environment()
        .get_template("page.html")
        .render(
            document=document,
            title=plain_text(document.title),
            address=renderer.address,
            bar=bar,
            here=current or document.path,
            version=VERSION,
            script=copy or bool(document.filter),
            heading=Markup(renderer.text(document.title)),
            above=Markup(renderer.blocks(document.above)),
            below=Markup(renderer.blocks(document.below)),
            foot=Markup(renderer.text(FOOT if document.foot is None else document.foot)),
            content=Markup("\n".join(renderer.section(section, TOP) for section in document.sections)),
        )
    )


@dataclass(frozen=True)
class HtmlRenderer:
    """Renders texts and blocks of the page with this path as HTML; `copy` and `leads` are as in `page_html`."""

    path: str = ""
    copy: bool = True
    leads: Callable[[str], bool] = bool

    def text(self, text: Text) -> str:
        """Return the HTML of a text with its links and verdicts; every other character is escaped."""
        return self._span(text) if isinstance(text, str) else "".join(map(self._span, text))

    def address(self, address: str) -> str:
        """Return an address relative to this page; an address within the page begins with `#`."""
        path, mark, key = address.partition("#")
        if urlsplit(path).scheme:  # on another host
            return address
        within = not path or (path == self.path and key)
        return f"{'' if within else relpath(path, dirname(self.path) or '.')}{mark}{key}"

    def _span(self, span: Span) -> str:
        if isinstance(span, str):
            return inline(printable(span, lines=True))
        if isinstance(span, Link):
            words, known = self._span(span.text), span.address.startswith("#") or self.leads(span.address)
            address = escape(self.address(span.address), quote=True)
            return f'<a href="{address}">{words}</a>' if known else words
        if isinstance(span, Badge):
            return f'<b class="{span.tone}">{self._span(span.text)}</b>'
        if isinstance(span, Decision):
            return f'<span class="verdict {span.word}">{span.word}</span>'
        if isinstance(span, Aside):
            role = span.role or "aside"
            return f'<span class="{role}">{self.text(span.spans)}</span>'
        if isinstance(span, FileName):
            return f'<code class="file">{escape(printable(span.text), quote=False)}</code>'
        return f"<strong>{self._span(span.text)}</strong>"

    def section(self, section: Section, level: int) -> str:
        """Return the HTML of a section with the sections below it, whose headings are one level lower.

        It is an element of its own at the top level of a page, and where it has a role.
        """
        lower = level + 1 if section.heading else level
        inside = self.blocks(section.blocks) + "".join(self.section(part, lower) for part in section.sections)
        key = f' id="{escape(section.key, quote=True)}"' if section.key else ""
        framed = bool(section.role) or (level == TOP and bool(section.heading or section.key))
        heading = self.text(section.heading)
        named = f"<h{level}{'' if framed else key}>{heading}</h{level}>\n" if heading else ""
        if not framed:
            return named + inside
        element = "article" if section.role else "section"
        role = f' class="{section.role}"' if section.role not in {"", "article"} else ""
        return f"<{element}{key}{role}>{named}{inside}</{element}>"

    def blocks(self, blocks: Sequence[Block]) -> str:
        """Return the HTML of blocks, one after the other."""
        return "".join(map(self.block, blocks))

    @singledispatchmethod
    def block(self, block: Block) -> str:
        """Return the HTML of one block."""
        raise TypeError(type(block))

    @block.register
    def _paragraph(self, block: Paragraph) -> str:
        role = f' class="{block.role}"' if block.role else ""
        return f"<p{role}>{self.text(block.text)}</p>"

    @block.register
    def _listing(self, block: Listing) -> str:
        entries = "".join(f"<li>{self.text(entry)}</li>" for entry in block.entries)
        return f'<ul class="{block.role}">{entries}</ul>' if entries else ""

    @block.register
    def _terms(self, block: Terms) -> str:
        keys = [f' id="{key}"' for key in block.keys] or [""] * len(block.entries)
        pairs = zip(keys, block.entries, strict=True)
        inside = "".join(f"<dt{key}>{self.text(a)}</dt><dd>{self.text(b)}</dd>" for key, (a, b) in pairs)
        role = ' class="long"' if block.long else ""
        return f"<dl{role}>{inside}</dl>" if inside else ""

    @block.register
    def _quotation(self, block: Quotation) -> str:
        small = f"<br><small>{self.text(block.small)}</small>" if block.small else ""
        return f"<blockquote>{self.text(block.text)}{small}</blockquote>"

    @block.register
    def _counterexample(self, block: Counterexample) -> str:
        numbers = f"<blockquote>{self.text(block.numbers)}</blockquote>"
        folded = f"<details><summary>To add up again</summary>{numbers}</details>"
        below = folded if block.numbers != block.sentence else ""
        sentence = self.text(block.sentence)
        return f'<article class="why"><h3>{self.text(block.fails)}</h3><p>{sentence}</p>{below}</article>'

    @block.register
    def _callout(self, block: Callout) -> str:
        return (
            f'<div class="counter {block.tone}"><p class="kicker">{self.text(block.kicker)}</p>'
            f'<p class="big">{self.text(block.sentence)}</p><p class="source">{self.text(block.note)}</p></div>'
        )

    @block.register
    def _grid(self, block: Grid) -> str:
        columns = "".join(f'<th scope="col">{self.text(column)}</th>' for column in block.columns)
        body = "".join(map(self._group, block.groups))
        return (
            f'<div class="scroll wide" tabindex="0" role="region" aria-label="{escape(block.label, quote=True)}">'
            f'<table class="{block.role}"><thead><tr>{columns}</tr></thead>{body}</table></div>'
        )

    def _group(self, group: RowGroup) -> str:
        """The rows of a group in a body of their own, so that they are hidden together."""
        span = f' rowspan="{len(group.rows)}"' if len(group.rows) > 1 else ""
        scope = "rowgroup" if span else "row"
        head = f'<th scope="{scope}"{span}>{self.text(group.head)}</th>'
        rows = ["".join(map(self._cell, row)) for row in group.rows]
        lines = "".join(f"<tr>{'' if k else head}{row}</tr>" for k, row in enumerate(rows))
        key = f' id="{escape(group.key, quote=True)}"' if group.key else ""
        return f"<tbody{key}>{lines}</tbody>"

    def _cell(self, cell: Text) -> str:
        """A cell that begins with a verdict on a definition has its colour."""
        if not isinstance(cell, str) and cell and isinstance(cell[0], Decision):
            word = cell[0].word
            return f'<td class="{word}">{word}{self.text(cell[1:])}</td>'
        return f"<td>{self.text(cell)}</td>"

    @block.register
    def _sheet(self, block: Sheet) -> str:
        return block.html_to_copy() if self.copy else block.html()

    @block.register
    def _pictures(self, block: Pictures) -> str:
        figures = "".join(self._picture(picture, block.note) for picture in block.pictures)
        return f'<div class="plots">{figures}</div>'

    def _picture(self, picture: Picture, note: str) -> str:
        tables = f"<details><summary>{self.text(picture.summary)}</summary>{self.blocks(picture.tables)}</details>"
        below = tables if picture.tables else f'<p class="note">{self.text(note)}</p>'
        drawing = picture.drawing
        caption = f"<figcaption>{self.text(drawing.caption)}</figcaption>"
        return f'<figure class="{drawing.kind}">{drawing.styled}{caption}{below}</figure>'

    @block.register
    def _diagram(self, block: Diagram) -> str:
        svg = unique(block.svg, block.name)
        role = "diagram" if block.wide else "diagram part"
        return f'<figure class="{role}">{svg}<figcaption>{self.text(block.caption)}</figcaption></figure>'

    @block.register
    def _formula(self, block: Formula) -> str:
        return f'<p class="{"display" if block.display else "formula"}">{block.mathml}</p>'

    @block.register
    def _code(self, block: Code) -> str:
        return f'<pre tabindex="0">{escape(printable(block.text, lines=True), quote=False)}</pre>'

    @block.register
    def _folded(self, block: Folded) -> str:
        return f"<details><summary>{self.text(block.summary)}</summary>{self.blocks(block.blocks)}</details>"

    @block.register
    def _cards(self, block: Cards) -> str:
        lists = [(name, "".join(f"<li>{self.text(entry)}</li>" for entry in entries)) for name, entries in block.cards]
        cards = "".join(f"<div><h3>{self.text(name)}</h3><ul>{entries}</ul></div>" for name, entries in lists)
        return f'<nav aria-label="{escape(block.label, quote=True)}" class="cards">{cards}</nav>'
