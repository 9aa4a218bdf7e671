"""A page as HTML, Markdown and plain text: the same sections of a document (`verifier.show.sections`), rendered thrice.

The templates of HTML escape every text, unless it is marked up here.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from functools import cache, singledispatchmethod
from html import escape
from posixpath import dirname, relpath
from typing import TYPE_CHECKING, Any
from urllib.parse import urlsplit

from verifier.errors import is_printable, printable
from verifier.show.plots import INK
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
from verifier.show.sheet import Sheet, in_text, inline, markdown_text
from verifier.version import VERSION

if TYPE_CHECKING:
    from jinja2 import Environment


@cache
def environment() -> Environment:
    """Return the templates of the report; the filter `inline` marks up code and numbers, `plain` only escapes."""
    from jinja2 import Environment, PackageLoader, StrictUndefined
    from markupsafe import Markup

    templates = Environment(
        loader=PackageLoader("verifier.show", "templates"),
        autoescape=True,
        undefined=StrictUndefined,
        trim_blocks=True,
        lstrip_blocks=True,
        finalize=_printable,
    )
    templates.filters["plain"] = lambda text: Markup(escape(text, quote=False))
    templates.filters["inline"] = lambda text: Markup(inline(text))
    return templates


def _printable(value: Any) -> Any:
    """Return a value for a page; characters that hide or reorder others are escaped."""
    if not isinstance(value, str) or is_printable(value, lines=True):
        return value
    return type(value)(printable(value, lines=True))


def unique(svg: str, name: str) -> str:
    """Give the ids of a drawing a name of their own, since several stand in one page, and its ink the page's colour."""
    svg = svg.replace(INK, "currentColor")
    svg = re.sub(r'id="([^"]+)"', rf'id="{name}-\1"', svg)
    svg = re.sub(r'"#([^"]+)"', rf'"#{name}-\1"', svg)
    return re.sub(r"url\(#([^)]+)\)", rf"url(#{name}-\1)", svg)


_SUBSCRIPT = re.compile(
    r"<code>.*?</code>"
    r"|(?<!\w)(?P<letter>\w\u0302?)_(?:(?P<word>[^\W_]+)(?!\w)|\{(?P<braces>[^{}]*)\}|\((?P<brackets>[^()]*)\))",
    re.DOTALL,
)


def subscripts(html: str) -> str:
    """Set what follows a single letter and `_` lower, as in a formula; not in code, and not in longer names.

    >>> subscripts("p_i ≤ ε_c, M_(T - b_max), <code>p_i</code>, tight_delta, a_b_c")
    'p<sub>i</sub> ≤ ε<sub>c</sub>, M<sub>T - b<sub>max</sub></sub>, <code>p_i</code>, tight_delta, a_b_c'
    """

    def lower(found: re.Match[str]) -> str:
        below = found["word"] or found["braces"] or found["brackets"]
        return f"{found['letter']}<sub>{subscripts(below)}</sub>" if below else found[0]

    return _SUBSCRIPT.sub(lower, html)


def smaller(page: str) -> str:
    """Return a shorter page that a browser reads alike: without the quotes and end tags that HTML does not need.

    >>> smaller("<ul class='a'><li>b</li></ul><p title='a b'>c</p>")
    "<ul class=a><li>b</ul><p title='a b'>c</p>"
    """
    pieces = re.split(r"(<(pre|svg|math|script)\b.*?</\2>)", page, flags=re.DOTALL)
    kept = {1: lambda part: _inked(part) if part.startswith("<svg") else part, 0: _bare}
    return "".join(kept[k % 3](part) for k, part in enumerate(pieces) if k % 3 in kept)


_BLOCK = (
    "p|dl|ul|h[1-6]|div|blockquote|details|section|article|figure|pre|nav|footer|"
    "/article|/section|/main|/header|/div|/footer|/details|/blockquote|/figure"
)
"""What ends a paragraph without a tag of its own: the elements that begin after it, or end around it."""
_TAG = re.compile(r"<[a-z][^<>]*>")
_QUOTED = re.compile(r"=([\"'])([\w.#/:%,;+-]*[\w.#:%,;+-])\1(?!/)")
_END = re.compile(
    rf"</(?:li|td|th|tr|dd|dt|thead|tbody)>\s*|</p>\s*(?=<(?:{_BLOCK})\b)"
    rf"|(?<=>)\n(?=<(?:meta|title|link|a class=skip|header|main|/main|{_BLOCK})\b)"
    r"|<head>\n?|</head>\s*<body>\n?|\n</body>\s*</html>\n?$"
)
_PLACE = re.compile(r"(?<=\d\.\d)\d+|(?<=\d)\.0+(?=[^\d])")


def _unquoted(html: str) -> str:
    return _TAG.sub(lambda tag: _QUOTED.sub(r"=\2", tag[0]), html)


def _bare(html: str) -> str:
    return _END.sub("", _unquoted(html))


def _inked(svg: str) -> str:
    """Return a drawing for a page: without a namespace, its coordinates cut to a tenth of a dot."""
    svg = re.sub(r" xmlns(?::\w+)?=(['\"])[^'\"]*\1", "", svg)
    placed = re.sub(r"<(?!title|desc)[a-z][^<>]*>", lambda tag: _PLACE.sub("", tag[0]), svg)
    return re.sub(r">\n\s*<", "><", _unquoted(placed))


FOOT = (
    "Every number is exact. Each verdict is bound by a hash to the words and the evidence that were decided; "
    "`pkdp verify proofs/` has the independent checker decide each answer again, `pkdp claims --again` everything."
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

    `bar` has the names and addresses of the pages at its head, of which `current` is marked; a page without a bar
    stands alone, and refers to no other file. With `copy` each table of
    numbers also has the LaTeX that a reader may copy. `leads` says whether an address has a page; a link to an address
    without one is only its text.
    """
    from markupsafe import Markup

    renderer = HtmlRenderer(document.path, copy=copy, leads=leads)
    content = "\n".join(renderer.section(section, TOP) for section in document.sections)
    has_script = copy or bool(document.filter) or any(section.has_drawings for section in document.sections)
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
            script=bool(bar) and has_script,
            heading=Markup(renderer.text(document.title)),
            above=Markup(renderer.blocks(document.above)),
            below=Markup(renderer.blocks(document.below)),
            foot=Markup(renderer.text(FOOT if document.foot is None else document.foot)),
            content=Markup(content),  # made of escaped pieces
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
            return subscripts(inline(printable(span, lines=True)))
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
        note = f'<p class="source">{self.text(block.note)}</p>' if block.note else ""
        return (
            f'<div class="counter {block.tone}"><p class="kicker">{self.text(block.kicker)}</p>'
            f'<p class="big">{self.text(block.sentence)}</p>{note}</div>'
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
        below = tables if picture.tables else f'<p class="note">{self.text(note)}</p>' if note else ""
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


MARKS = {"holds": "✓", "fails": "✗", "open": "?"}
"""The sign before a badge, by its tone: Markdown has no colours."""
DEEPEST = 6


def no_address(_address: str) -> str:
    """Return no address for any page, so that links become their texts."""
    return ""


@dataclass(frozen=True)
class MarkdownRenderer:
    """Renders documents, sections and blocks as Markdown.

    `address` maps the address of a page of the report to its address from the Markdown, or to an empty text, where the
    link is only its text. With `pictures` the drawings are linked, as files beside the Markdown.
    """

    address: Callable[[str], str] = no_address
    pictures: bool = False

    def document(self, document: Document, level: int = 1, anchor: str = "") -> list[str]:
        """Return the paragraphs of a document, whose title is a heading of this level; `anchor` is an id before it."""
        top = [f'<a id="{anchor}"></a>'] if anchor else []
        title = f"{'#' * level} {self.text(document.title)}"
        around = self.blocks((*document.above, *document.below))
        sections = [text for section in document.sections for text in self.section(section, level + 1)]
        return [*top, title, *around, *sections]

    def section(self, section: Section, level: int) -> list[str]:
        """Return the paragraphs of a section, perhaps none; headings of the sections below it are one level lower."""
        lower = level + 1 if section.heading else level
        heading = [f"{'#' * min(level, DEEPEST)} {self.text(section.heading)}"] if section.heading else []
        inside = self.blocks(section.blocks)
        inside += [text for part in section.sections for text in self.section(part, lower)]
        return [*heading, *inside] if inside else []

    def blocks(self, blocks: Sequence[Block]) -> list[str]:
        """Return the paragraphs of blocks, without empty ones."""
        return [text for block in blocks if (text := self.block(block))]

    def text(self, text: Text) -> str:
        """Return the Markdown of a text with its links and verdicts; no label is read as a tag."""
        return self._span(text) if isinstance(text, str) else "".join(map(self._span, text))

    def _span(self, span: Span) -> str:
        if isinstance(span, str):
            return markdown_text(span)
        if isinstance(span, Link):
            target = self.address(span.address)
            return f"[{self._span(span.text)}]({target})" if target else self._span(span.text)
        if isinstance(span, Badge):
            return f"{MARKS[span.tone]} **{self._span(span.text)}**"
        if isinstance(span, Decision):
            return in_text(span.word)
        if isinstance(span, Aside):
            return f"<br>{self.text(span.spans)}"
        if isinstance(span, FileName):
            return f"`{span.text}`"
        return f"**{self._span(span.text)}**"

    @singledispatchmethod
    def block(self, block: Block) -> str:
        """Return the Markdown of one block."""
        raise TypeError(type(block))

    @block.register
    def _paragraph(self, block: Paragraph) -> str:
        return self.text(block.text).strip()

    @block.register
    def _listing(self, block: Listing) -> str:
        return "\n".join(f"- {self.text(entry)}" for entry in block.entries)

    @block.register
    def _terms(self, block: Terms) -> str:
        return "\n".join(f"- {self.text(word)}: {self.text(meaning)}" for word, meaning in block.entries)

    @block.register
    def _quotation(self, block: Quotation) -> str:
        return "\n>\n> ".join([f"> {self.text(block.text)}", *([self.text(block.small)] if block.small else [])])

    @block.register
    def _counterexample(self, block: Counterexample) -> str:
        """Return what fails with the sentence that has the numbers; the other sentence says the same without them."""
        return f"> {self.text(block.fails)} {self.text(block.numbers)}"

    @block.register
    def _callout(self, block: Callout) -> str:
        return f"**{self.text(block.kicker)}.** {self.text(block.sentence)} {self.text(block.note)}".strip()

    @block.register
    def _grid(self, block: Grid) -> str:
        lines = [_row(list(map(self.text, block.columns))), "|" + "---|" * len(block.columns)]
        return "\n".join([*lines, *(line for group in block.groups for line in self._group(group))])

    def _group(self, group: RowGroup) -> list[str]:
        """Return the rows of a group as lines of a pipe table; the first row names the group."""
        anchor = f'<a id="{group.key}"></a>' if group.key else ""
        heads = [anchor + self.text(group.head)] + [""] * (len(group.rows) - 1)
        return [_row([head, *map(self.text, row)]) for head, row in zip(heads, group.rows, strict=True)]

    @block.register
    def _sheet(self, block: Sheet) -> str:
        return block.markdown()

    @block.register
    def _pictures(self, block: Pictures) -> str:
        return "\n\n".join(text for picture in block.pictures for text in self._picture(picture))

    def _picture(self, picture: Picture) -> list[str]:
        drawn = [f"![{picture.drawing.caption}]({picture.file})"] if self.pictures else []
        return drawn + (self.blocks(picture.tables) if picture.everywhere else [])

    @block.register
    def _diagram(self, _block: Diagram) -> str:
        return ""

    @block.register
    def _formula(self, block: Formula) -> str:
        return f"    {block.plain}"

    @block.register
    def _code(self, block: Code) -> str:
        return f"```{block.language}\n{block.text.rstrip()}\n```"

    @block.register
    def _folded(self, block: Folded) -> str:
        return "\n\n".join([f"{block.summary}:", *self.blocks(block.blocks)]) if block.everywhere else ""

    @block.register
    def _cards(self, block: Cards) -> str:
        return "\n".join(f"- {name}: " + " · ".join(map(self.text, entries)) for name, entries in block.cards)


class PlainRenderer(MarkdownRenderer):
    """Renders sections and blocks as text for a terminal: without links, marks of code and marks of strong words."""

    def _span(self, span: Span) -> str:
        return f"{MARKS[span.tone]} {span.text}" if isinstance(span, Badge) else plain_text([span])

    def block(self, block: Block) -> str:
        """Return the text of one block."""
        return block.text.rstrip() if isinstance(block, Code) else super().block(block)


def _row(cells: Sequence[str]) -> str:
    """Return a row of a pipe table."""
    return "| " + " | ".join(cell.replace("|", "\\|").replace("\n", " ") for cell in cells) + " |"
