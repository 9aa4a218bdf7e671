"""Writing the figures: an SVG and a table for each, and a page that shows them all."""

from __future__ import annotations

from pathlib import Path

from verifier.figures import find_figures, values
from verifier.report.figure_plots import figure_plot
from verifier.report.figure_sheets import INTRODUCTION, figure_markdown, figure_sheets, table_sheets

ENDINGS = {"markdown": "md", "latex": "tex", "csv": "csv"}
"""The ending of a table's file, by its format."""


def write_figures(
    output: Path, paper: str | None = None, number: str | None = None, kind: str = "csv"
) -> list[Path]:
    """Write the drawings, their tables in a format, and `figures.md`; gives the files."""
    chosen = find_figures(paper, number)
    output.mkdir(parents=True, exist_ok=True)
    written: dict[Path, str] = {}
    parts = ["# Figures and tables of the papers, computed anew", INTRODUCTION]
    tables = table_sheets(paper, number)
    parts += [sheet.markdown() for sheet in tables]
    if tables:
        written[output / f"stated.{ENDINGS[kind]}"] = "\n\n".join(sheet.render(kind) for sheet in tables) + "\n"
    for figure in chosen:
        drawn = tuple(values(panel) for panel in figure.panels)
        sheets = figure_sheets(figure, drawn)
        written[output / f"{figure.name}.svg"] = figure_plot(figure, drawn) + "\n"
        for place, sheet in enumerate(sheets, start=1):
            name = figure.name if len(sheets) == 1 else f"{figure.name}-{place}"
            written[output / f"{name}.{ENDINGS[kind]}"] = sheet.render(kind) + "\n"
        parts.append(figure_markdown(figure, drawn, plot=f"{figure.name}.svg"))
    written[output / "figures.md"] = "\n\n".join(parts) + "\n"
    for path, text in written.items():
        path.write_text(text, encoding="utf-8")
    return list(written)
