"""A page as Markdown: the same sections as in HTML, for files that are read as text."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from functools import singledispatchmethod

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
)
from verifier.show.sheet import Sheet, markdown_text
from verifier.show.signs import in_text

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


def _row(cells: Sequence[str]) -> str:
    """Return a row of a pipe table."""
    return "| " + " | ".join(cell.replace("|", "\\|").replace("\n", " ") for cell in cells) + " |"
