"""What follows from what, as a document: counts, the reduced diagram, DP22's printed relations, and the models kept."""

from __future__ import annotations

from verifier.show.sections import Diagram, Document, Paragraph, Section
from verifier.wings.implications.facts import SAME
from verifier.wings.implications.matrix.matrix import matrix
from verifier.wings.implications.matrix.plot import diagram
from verifier.wings.implications.matrix.sheets import count_sheet, model_sheet
from verifier.wings.papers.ledger.printed_relations import printed_sheets

PATH = "matrix.html"
TITLE = "What follows from what: all pairs of definitions"
BOXES = (
    "Each box implies those that an arrow leads to; definitions in one box imply each other. What follows from "
    "everything, or from nothing else and implies nothing, has no arrows."
)
WHOLE = (
    "`pkdp relations --matrix --output DIR` writes every ordered pair as a page, with the reason of each; "
    "`pkdp relations A B` says of two definitions whether one implies the other, and why."
)


def matrix_document(*, drawn: bool = True) -> Document:
    """The page of the matrix as a document: counts, the diagram where `drawn`, DP22's Table 3, and the models."""
    known = matrix()
    title = "What follows from what, with the same ε, at δ = 0: the reduced diagram"
    pictures = (
        Diagram(diagram(known, SAME, title), "The same ε at δ = 0, without the arrows that follow from others."),
    )
    return Document(
        path=PATH,
        title=TITLE,
        below=(Paragraph(WHOLE, "source"),),
        sections=(
            Section("", (count_sheet(known),)),
            *((Section("The reduced diagram", (Paragraph(BOXES, "note"), *pictures)),) if drawn else ()),
            Section("DP22's printed relations beside ours", tuple(printed_sheets())),
            Section("The models that separate", (model_sheet(),)),
        ),
    )
