"""The papers' figures as a page of the report: the drawings that `docs/figures/make.py` makes, which come with it."""

from __future__ import annotations

import re
from dataclasses import dataclass
from html import unescape
from itertools import groupby
from pathlib import Path

from verifier.model.library import drawings_folder
from verifier.show.frame import STYLE
from verifier.show.sections import Document, Paragraph, Picture, Pictures, Section

PATH = "figures.html"
LEGEND = (
    "Dashed: printed, as the paper claims; dash-dotted: repaired, another bound, which is proved; solid: exact. "
    "Where a claim is shaded it is less than the exact value, so it is false there. A triangle stands where no finite "
    "value is enough. The numbers of some points are tables of docs/figures.md."
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
        return cls(unescape(title[1]) if title else path.stem, text.replace(f"\n{STYLE}", "", 1).rstrip("\n"))


def figures_document() -> Document:
    """The page with the drawings of the papers' figures, a section for each figure."""
    kept = [KeptDrawing.of(path) for path in sorted(drawings_folder().glob("*.svg"))]
    sections = tuple(
        Section(figure, (Pictures(tuple(Picture(drawing) for drawing in drawings)),))
        for figure, drawings in groupby(kept, lambda drawing: drawing.caption.partition(". ")[0])
    )
    return Document(PATH, "The papers' figures, drawn anew", sections, below=(Paragraph(LEGEND),))
