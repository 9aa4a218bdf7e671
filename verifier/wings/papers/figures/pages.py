"""The figures as a document, and their files: an SVG and tables for each, and a page that shows them all."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from itertools import count
from pathlib import Path
from typing import TypeAlias

from verifier.machine.files import write_whole
from verifier.show.pages import MarkdownRenderer, page_html
from verifier.show.sections import Cards, Document, Link, Paragraph, Picture, Pictures, Section
from verifier.show.sheet import Sheet
from verifier.wings.papers.figures.catalogue import FIGURES, Figure, PanelValues, find_figures, values
from verifier.wings.papers.figures.plots import panel_drawing
from verifier.wings.papers.figures.sheets import figure_sheets, table_sheets

ENDINGS = {"markdown": "md", "latex": "tex", "csv": "csv"}
"""The ending of a table's file, by its format."""


def write_figures(
    output: Path,
    paper: str | None = None,
    number: str | None = None,
    kind: str = "csv",
    tick: Callable[[int, int], object] | None = None,
) -> list[Path]:
    """Write the drawings, their tables in a format, `figures.html` and `figures.md`; return the paths.

    `kind` is the format of the tables, a key of `ENDINGS`; `tick(done, total)` is called after each value.

    Raises:
        InputError: for an unknown paper or figure.

    """
    chosen = find_figures(paper, number)
    total = sum(len(panel.grid) * len(panel.series) for figure in chosen for panel in figure.panels)
    computed = count(1)

    def one_more() -> None:
        if tick:
            tick(next(computed), total)

    drawn = {figure: tuple(values(panel, tick=one_more) for panel in figure.panels) for figure in chosen}
    tables = table_sheets(paper, number)
    written: dict[str, str] = {}
    for figure, panels in drawn.items():
        for name, panel, sheet in zip(panel_names(figure), panels, figure_sheets(figure, panels), strict=True):
            written[f"{name}.svg"] = panel_drawing(figure, panel).alone
            written[f"{name}.{ENDINGS[kind]}"] = sheet.render(kind) + "\n"
    written |= {f"{name}.{ENDINGS[kind]}": sheet.render(kind) + "\n" for name, sheet in tables.items()}
    document = figures_document(drawn, list(tables.values()))
    written["figures.md"] = markdown(document, pictures=True)
    written["figures.html"] = page_html(document, (), copy=False)
    for name, text in written.items():
        write_whole(output / name, text)
    return [output / name for name in written]


TITLE = "Figures and tables of the papers, computed anew"
TABLES = "Tables, and what the papers state"
INTRODUCTION = """`pkdp figures --output DIR` draws the figures as SVG and writes the tables with all points; `--paper`
and `--figure` choose.

Each number is exact or enclosed in a ball whose two ends round to the digits shown. `printed` is what the paper claims;
`repaired` is another bound, which is proved in proofs/bounds.md; `exact` is the truth about the model or family that is
named. `inf`: no finite ε is enough; a dash: the formula has no value there, or its conditions are not met.

Not drawn anew: DMKB20, Figure 1, a diagram of relations (docs/relations.md); LQS12, Figure 1, a sketch of a binomial
curve without numbers. The papers' own curves are not at hand as data, only their captions and what the text says about
them: a parameter that neither names is chosen here, and named as chosen."""


Drawn: TypeAlias = Mapping[Figure, tuple[PanelValues, ...]]
"""Figures with the values of their panels."""


def figures_document(drawn: Drawn, tables: Sequence[Sheet]) -> Document:
    """The page with the tables and the figures of the papers."""
    links = [(Link(_name(figure), f"#{figure.name}"), f": {figure.title}") for figure in drawn]
    contents = (*links, (Link(TABLES, "#tables"),)) if tables else tuple(links)
    return Document(
        path="figures.html",
        title=TITLE,
        below=(*map(Paragraph, INTRODUCTION.split("\n\n")), Cards("Contents", (("Figures", contents),))),
        sections=(
            *(figure_section(figure, panels) for figure, panels in drawn.items()),
            Section(TABLES, tuple(tables), "tables"),
        ),
        foot="Every number is exact or enclosed in a ball whose ends round to the digits shown.",
    )


def figure_section(figure: Figure, panels: Sequence[PanelValues]) -> Section:
    """A figure: what it shows, the drawing of each panel with the table behind it, and its notes."""
    pictures = tuple(
        Picture(panel_drawing(figure, panel), f"{name}.svg", (sheet,), "All points", everywhere=True)
        for name, panel, sheet in zip(panel_names(figure), panels, figure_sheets(figure, panels), strict=True)
    )
    return Section(
        f"{_name(figure)}: {figure.title}",
        (
            Paragraph(f"{figure.shows} Parameters: {figure.parameters}."),
            Pictures(pictures),
            *(Paragraph(note, "note") for note in figure.notes),
        ),
        figure.name,
    )


def _name(figure: Figure) -> str:
    return f"{figure.paper}, Figure {figure.number}"


def panel_names(figure: Figure) -> list[str]:
    """The names of the files of the panels: that of the figure, and a number where it has several."""
    number = len(figure.panels)
    return [figure.name] if number == 1 else [f"{figure.name}-{k}" for k in range(1, number + 1)]


def markdown(document: Document, *, pictures: bool = False) -> str:
    """The page as Markdown, with links to the drawings or without."""
    return "\n\n".join(MarkdownRenderer(pictures=pictures).document(document)) + "\n"


def figures_markdown() -> str:
    """The page docs/figures.md: all figures at a few points, the tables, and the stated numbers."""
    drawn = {figure: tuple(values(panel, few=True) for panel in figure.panels) for figure in FIGURES}
    return markdown(figures_document(drawn, list(table_sheets().values())))
