"""Writing the figures: an SVG and tables for each, and a page that shows them all, as HTML and as Markdown."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from itertools import count
from pathlib import Path

from verifier.machine.files import write_whole
from verifier.show.pages import environment, unique
from verifier.show.sheet import Sheet
from verifier.version import VERSION
from verifier.wings.papers.figures.catalogue import Figure, PanelValues, find_figures, values
from verifier.wings.papers.figures.plots import figure_plot
from verifier.wings.papers.figures.sheets import TITLE, figure_markdown, figure_sheets, page_markdown, table_sheets

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
    plots = {figure.name: figure_plot(figure, panels) for figure, panels in drawn.items()}
    tables = table_sheets(paper, number)
    written = {f"{name}.svg": svg + "\n" for name, svg in plots.items()}
    for figure, panels in drawn.items():
        sheets = figure_sheets(figure, panels)
        names = (
            [figure.name] if len(sheets) == 1 else [f"{figure.name}-{number}" for number in range(1, len(sheets) + 1)]
        )
        written |= {
            f"{name}.{ENDINGS[kind]}": sheet.render(kind) + "\n" for name, sheet in zip(names, sheets, strict=True)
        }
    written |= {f"{name}.{ENDINGS[kind]}": sheet.render(kind) + "\n" for name, sheet in tables.items()}
    pages = [figure_markdown(figure, panels, plot=f"{figure.name}.svg") for figure, panels in drawn.items()]
    written["figures.md"] = page_markdown(list(tables.values()), pages)
    written["figures.html"] = page_html(drawn, plots, list(tables.values()))
    for name, text in written.items():
        write_whole(output / name, text)
    return [output / name for name in written]


def page_html(
    drawn: Mapping[Figure, tuple[PanelValues, ...]], plots: Mapping[str, str], tables: Sequence[Sheet]
) -> str:
    """The HTML page of all figures, which refers to no other file; `plots` has the drawings as SVG by figure name."""
    from markupsafe import Markup

    return (
        environment()
        .get_template("figures.html")
        .render(
            title=TITLE,
            version=VERSION,
            figures=list(drawn),
            drawings={name: Markup(unique(svg, name)) for name, svg in plots.items()},
            sheets={
                figure.name: [Markup(sheet.html()) for sheet in figure_sheets(figure, panels)]
                for figure, panels in drawn.items()
            },
            tables=[Markup(sheet.html()) for sheet in tables],
        )
    )
