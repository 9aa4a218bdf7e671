"""The papers' figures, each drawn on the page of its claim: the drawings that `docs/figures/make.py` makes."""

from __future__ import annotations

import re
from dataclasses import dataclass
from html import unescape
from pathlib import Path

from verifier.model.library import drawings_folder, proofs_folder
from verifier.show.sections import Document, Link, Listing, Paragraph, Section
from verifier.wings.papers.ledger.entry import Entry
from verifier.wings.papers.ledger.read import read_entry
from verifier.wings.papers.ledger.sections import claim_path

PATH = "figures.html"
LEGEND = (
    "Dashed: printed, as the paper claims; dash-dotted: repaired, another bound, which is proved; solid: exact. "
    "Where a claim is shaded it is less than the exact value, so it is false there. A triangle stands where no finite "
    "value is enough."
)


@dataclass(frozen=True)
class KeptDrawing:
    """A drawing that is kept as a file: its caption is its title, and its SVG is for any page."""

    caption: str
    styled: str
    kind: str = "panel"

    @classmethod
    def of(cls, path: Path) -> KeptDrawing:
        """The drawing of an SVG file, without the style sheet that it has as a file of its own."""
        text = path.read_text(encoding="utf-8")
        title = re.search("<title>(.*?)</title>", text)
        return cls(
            unescape(title[1]) if title else path.stem,
            re.sub(r"\n<style>.*?</style>", "", text, count=1, flags=re.DOTALL).rstrip("\n"),
        )


def drawings_of(entry: Entry) -> list[KeptDrawing]:
    """The drawings of a claim that is a figure of a paper; none of any other claim."""
    number = re.fullmatch(r"Figure (\d+)", entry.claim)
    if number is None:
        return []
    named = f"{entry.paper}-figure-{number[1]}"
    paths = sorted(drawings_folder().glob(f"{named}*.svg"))
    return [KeptDrawing.of(path) for path in paths if re.fullmatch(rf"{named}(-.*)?", path.stem)]


def figures_document() -> Document:
    """The page that leads to the drawings: of each figure of the papers, the page on which it is drawn."""
    figures = (read_entry(path) for path in sorted(proofs_folder().glob("*/figure-*.toml")))
    drawn = [(entry, drawings_of(entry)) for entry in figures]
    sections = tuple(
        Section(
            (Link(f"{entry.paper}, {entry.claim}", claim_path(entry)),),
            (Paragraph(entry.statement), Listing(tuple(drawing.caption for drawing in drawings))),
        )
        for entry, drawings in drawn
        if drawings
    )
    return Document(PATH, "The papers' figures, drawn anew", sections, below=(Paragraph(LEGEND),))
