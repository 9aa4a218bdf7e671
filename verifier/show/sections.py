"""The contents of a page as values: sections of blocks, which `verifier.show.pages` renders for each medium.

A text is a plain string, in which backticks mark code, or a sequence of spans. The address of a link is the path of a
page below the report's folder (`models/NAME.html`, `definitions.html#np`); each medium leads there by its own way.

>>> Section("What holds", (Paragraph(("See ", Link("two", "models/two.html"), ".")),)).heading
'What holds'
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Protocol, TypeAlias

from verifier.show.sheet import Sheet


@dataclass(frozen=True)
class Link:
    """A text that leads to a page of the report; where a medium has no such page it is only the text."""

    text: str
    address: str


@dataclass(frozen=True)
class Badge:
    """A verdict on a claim, as a label; `tone` is `holds`, `fails` or `open`."""

    text: str
    tone: str


@dataclass(frozen=True)
class Decision:
    """A verdict on a definition: `holds`, `fails`, `vacuous`, `undecided` or `unsupported`."""

    word: str


@dataclass(frozen=True)
class Strong:
    """Words that stand out."""

    text: str


@dataclass(frozen=True)
class Aside:
    """Smaller words on a line of their own, below what they explain."""

    spans: Text
    role: str = ""


@dataclass(frozen=True)
class FileName:
    """The name of a file."""

    text: str


Span: TypeAlias = str | Link | Badge | Decision | Strong | Aside | FileName
Text: TypeAlias = str | Sequence[Span]


@dataclass(frozen=True)
class Paragraph:
    """Sentences; `role` says how they are set: `lead`, `source`, `note`, `notes` or plainly."""

    text: Text
    role: str = ""


@dataclass(frozen=True)
class Listing:
    """An unordered list; with `role` `also` it names what stands elsewhere."""

    entries: tuple[Text, ...]
    role: str = "claims"


@dataclass(frozen=True)
class Terms:
    """Words with their meanings; `long` says that the meanings are sentences. `keys` are the ids of the words."""

    entries: tuple[tuple[Text, Text], ...]
    long: bool = False
    keys: tuple[str, ...] = ()


@dataclass(frozen=True)
class Quotation:
    """Evidence that is quoted; `small` is the same sentence with its numbers, for readers who recompute them."""

    text: Text
    small: str = ""


@dataclass(frozen=True)
class Callout:
    """The box that a reader should see first: a kicker, a sentence, and a note on what the sentence is about."""

    kicker: str
    sentence: str
    note: str
    tone: str


@dataclass(frozen=True)
class Counterexample:
    """What fails, a sentence that says why, and the same with its numbers, for readers who recompute them."""

    fails: str
    sentence: str
    numbers: str


@dataclass(frozen=True)
class RowGroup:
    """Rows of a grid that share their first cell."""

    head: Text
    rows: tuple[tuple[Text, ...], ...]
    key: str = ""


@dataclass(frozen=True)
class Grid:
    """A table whose cells are texts with links and verdicts; numbers to be copied stand in a `Sheet` instead."""

    label: str
    columns: tuple[Text, ...]
    groups: tuple[RowGroup, ...]
    role: str = "findings"


class Drawn(Protocol):
    """A drawing: its class on a page, its caption, and its SVG for a page with the report's style sheet."""

    @property
    def kind(self) -> str:
        """The class of its figure."""

    @property
    def caption(self) -> str:
        """What stands below it."""

    @property
    def styled(self) -> str:
        """Its SVG."""


@dataclass(frozen=True)
class Picture:
    """A drawing and the tables behind it; `summary` names them where they are folded away.

    `everywhere` says that a medium that cannot fold shows the tables too.
    """

    drawing: Drawn
    file: str = ""
    tables: tuple[Sheet, ...] = ()
    summary: str = ""
    everywhere: bool = False


@dataclass(frozen=True)
class Pictures:
    """Drawings side by side; `note` stands below one without a table."""

    pictures: tuple[Picture, ...]
    note: str = ""


@dataclass(frozen=True)
class Diagram:
    """A picture, which the tables below say in words; only HTML has it.

    `name` is unique on the page, and `wide` says that the picture is as wide as the page.
    """

    svg: str
    caption: str
    name: str = "diagram"
    wide: bool = True


@dataclass(frozen=True)
class Formula:
    """A formula in MathML, and as plain text; `display` gives it a line of its own among sentences."""

    mathml: str
    plain: str
    display: bool = False


@dataclass(frozen=True)
class Code:
    """Text as it stands in a file."""

    text: str
    language: str = ""


@dataclass(frozen=True)
class Folded:
    """Blocks behind a line that opens them; `everywhere` says that a medium that cannot fold shows them."""

    summary: str
    blocks: tuple[Block, ...]
    everywhere: bool = True


@dataclass(frozen=True)
class Cards:
    """A table of contents: lists of links under names."""

    label: str
    cards: tuple[tuple[str, tuple[Text, ...]], ...]


Block: TypeAlias = (
    Paragraph
    | Listing
    | Terms
    | Quotation
    | Callout
    | Counterexample
    | Grid
    | Sheet
    | Pictures
    | Diagram
    | Formula
    | Code
    | Folded
    | Cards
)


@dataclass(frozen=True)
class Section:
    """A heading, blocks, and the sections below it; `key` is its id. A section without a heading joins the one before.

    `role` is the class of an article that stands for itself, such as one definition or one counterexample.
    """

    heading: Text
    blocks: tuple[Block, ...] = ()
    key: str = ""
    role: str = ""
    sections: tuple[Section, ...] = ()

    @property
    def has_drawings(self) -> bool:
        """Whether there are drawings here or below."""
        here = any(isinstance(block, Pictures | Diagram) for block in self.blocks)
        return here or any(section.has_drawings for section in self.sections)


@dataclass(frozen=True)
class Document:
    """A page: its path below the report's folder, its title, what stands under the title, and its sections.

    `foot` stands below it (None: the usual foot), `filter` names what the filter of a long page hides; `previous` and
    `following` are links to the pages beside it.
    """

    path: str
    title: str
    sections: tuple[Section, ...]
    above: tuple[Block, ...] = ()
    below: tuple[Block, ...] = ()
    foot: Text | None = None
    filter: str = ""
    role: str = ""
    previous: Link | None = None
    following: Link | None = None


def plain_text(text: Text) -> str:
    """Return a text without links, badges and marks of code, such as for the title of a window.

    >>> plain_text(("the `key` of ", Link("two", "two.html")))
    'the key of two'
    """
    if isinstance(text, str):
        return text.replace("`", "")
    pieces = (plain_text(span) if isinstance(span, str) else _words(span) for span in text)
    return "".join(pieces)


def _words(span: Span) -> str:
    if isinstance(span, Aside):
        return " " + plain_text(span.spans)
    return span.word if isinstance(span, Decision) else plain_text(span if isinstance(span, str) else span.text)
