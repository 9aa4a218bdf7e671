"""How the definitions relate, as a document: each cell of the two tables names the model that separates."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from pathlib import PurePosixPath

from verifier.show.sections import Diagram, Document, FileName, Grid, Link, Paragraph, RowGroup, Section, Text
from verifier.wings.implications.table import Fact, PairCell, Relations, arrows_sheet, claims_sheet
from verifier.wings.report.pages import ModelPage
from verifier.wings.report.plot import relation_plot

PATH = "relations.html"
TITLE = "How the definitions relate"
LEGEND = (
    "A row implies a column where the cell has ⟹ (with 2ε or nε where it says so; n is the number of records). A name "
    "is a model that shows that the row does not imply the column. ? is open. The definitions and the models speak of "
    "every record."
)


def relations_document(related: Relations, pages: Sequence[ModelPage] = ()) -> Document:
    """The page of relations: a drawing, two tables of ordered pairs, the models that separate, arrows and claims.

    A cell links to the page of the model that it names if the report has one, else to the list of the models.
    """
    files = {page.model.sha256: page.address for page in pages}
    addresses = {fact.path: files.get(fact.model.sha256, f"#{_key(fact)}") for fact in related.separating}
    listed = Grid(
        "The models that separate",
        ("model", "file", "title"),
        tuple(RowGroup(_name(fact), (_listed(fact, files),), _key(fact)) for fact in related.separating),
        "separating",
    )
    return Document(
        path=PATH,
        title=TITLE,
        below=(
            Paragraph(
                "That one does not imply another is computed from the models when this page is made, and each answer "
                "is re-checked; what follows is proved in `proofs/relations.md`. `pkdp relations` prints the tables.",
                "source",
            ),
        ),
        sections=(
            Section("", (Diagram(relation_plot(related).svg, "The tables below say the same."),)),
            *(
                Section(title, (_matrix(title, related, table, addresses),))
                for title, table in related.questions.items()
            ),
            Section("", (Paragraph(LEGEND, "note"),)),
            Section("The models that separate", (listed,)),
            Section("", (arrows_sheet(), claims_sheet())),
        ),
        filter="the rows of the tables",
    )


def _name(fact: Fact) -> str:
    return PurePosixPath(fact.path).stem


def _key(fact: Fact) -> str:
    return f"model-{_name(fact)}"


def _listed(fact: Fact, files: Mapping[str, str]) -> tuple[Text, ...]:
    address = files.get(fact.model.sha256, "")
    return (FileName(f"models/{fact.path}"),), (Link(fact.model.title, address),)


def _matrix(
    title: str, related: Relations, table: Mapping[tuple[str, str], PairCell], addresses: Mapping[str, str]
) -> Grid:
    """One row a definition, one column a definition."""
    names = related.definitions
    groups = tuple(
        RowGroup(
            source, (tuple("" if source == target else _cell(table[source, target], addresses) for target in names),)
        )
        for source in names
    )
    return Grid(title, ("row ⟹ column", *names), groups, "matrix")


def _cell(cell: PairCell, addresses: Mapping[str, str]) -> Text:
    if cell.fact is not None:
        return (Link(_name(cell.fact), addresses[cell.fact.path]),)
    return cell.mark
