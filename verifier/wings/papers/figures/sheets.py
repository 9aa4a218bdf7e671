"""The papers' figures and tables as tables: one row a grid point, one column a series; the page docs/figures.md."""

from __future__ import annotations

from collections.abc import Sequence

from verifier.show.sheet import Sheet
from verifier.wings.papers.bounds.real import Real
from verifier.wings.papers.figures.catalogue import FIGURES, Figure, PanelValues, Value, values
from verifier.wings.papers.figures.figure import DIGITS
from verifier.wings.papers.figures.stated import StatedValue, stated, table_1, table_2, value_text

TITLE = "Figures and tables of the papers, computed anew"


def number(value: Value) -> str:
    """The text of a value, correctly rounded; a dash where it is missing."""
    return value_text(value, DIGITS)


def _yes(agrees: object) -> str:
    """The word of a table for whether two numbers agree."""
    return "yes" if agrees else "no"


def figure_sheets(figure: Figure, drawn: tuple[PanelValues, ...]) -> list[Sheet]:
    """The tables of a figure, one for each panel, each with a note on where a claim is less than the exact value."""
    return [_sheet(figure, panel_values) for panel_values in drawn]


def _sheet(figure: Figure, panel_values: PanelValues) -> Sheet:
    heads = tuple(f"{series.label} ({series.kind})" for series in panel_values.panel.series)
    rows = tuple(
        (Real.of(x).decimal(DIGITS), *map(number, row))
        for x, row in zip(panel_values.xs, panel_values.values, strict=True)
    )
    notes = tuple(
        f"{printed}: less than the exact value, so false, at {figure.x.label.split(' (')[0]} = "
        f"{', '.join(Real.of(x).decimal(DIGITS) for x in false)}."
        for printed, exact in panel_values.panel.below
        if (false := panel_values.false(printed, exact))
    )
    title = f"{figure.paper}, Figure {figure.number}" + (
        f": {panel_values.panel.title}" if panel_values.panel.title else ""
    )
    return Sheet(f"{title}; {figure.y.label}", (figure.x.label, *heads), rows, notes=notes)


def table_sheets(paper: str | None = None, number_: str | None = None) -> dict[str, Sheet]:
    """The sheets of LQS12's Tables 1 and 2, and of what the papers state about their figures, by the file of each.

    They are those of one paper, or of the figure `number_` of one, where that is named.
    """
    sheets: dict[str, Sheet] = {}
    if paper in {None, "LQS12"} and number_ is None:
        sheets |= {"table-1": first_table(), "table-2": second_table()}
    sentences = [
        sentence for sentence in stated() if paper in {None, sentence.paper} and number_ in {None, *_numbers(sentence)}
    ]
    if sentences:
        sheets["stated"] = stated_sheet(sentences)
    return sheets


def _numbers(sentence: StatedValue) -> tuple[str, ...]:
    """The numbers of the figures that a sentence is about."""
    return (sentence.source.removeprefix("Figure ").partition(",")[0],) if sentence.source.startswith("Figure") else ()


def first_table() -> Sheet:
    """The sheet of LQS12, Table 1: a row for each printed cell, the exact value, and whether they agree."""
    rows = tuple((cell.quantity, cell.stated, cell.exact, _yes(cell.agrees)) for cell in table_1())
    return Sheet(
        "LQS12, Table 1: what sampling at rate β makes of (ε, δ), by Theorem 1",
        ("cell", "printed", "exact", "agrees"),
        rows,
    )


def second_table() -> Sheet:
    """The sheet of LQS12, Table 2: a row for each cell, with d(20, β, ε), and the exact δ."""
    rows = tuple(
        (
            Real.of(cell.rate).decimal(DIGITS),
            Real.of(cell.level).decimal(DIGITS),
            cell.printed,
            number(cell.claimed),
            _yes(cell.agrees),
            number(cell.exact),
        )
        for cell in table_2()
    )
    heads = ("β", "ε (nats)", "printed δ", "d(20, β, ε)", "agrees", "exact δ")
    return Sheet("LQS12, Table 2: δ of Theorem 3.9 for k = 20", heads, rows)


def stated_sheet(sentences: list[StatedValue]) -> Sheet:
    """The sheet of the numbers that sentences and captions state, beside the exact ones."""
    rows = tuple(
        (sentence.paper, sentence.source, sentence.quantity, sentence.stated, sentence.exact, _yes(sentence.agrees))
        for sentence in sentences
    )
    return Sheet("Stated in the papers", ("paper", "place", "what", "stated", "exact", "agrees"), rows)


def figure_markdown(figure: Figure, drawn: tuple[PanelValues, ...], *, plot: str = "") -> str:
    """A figure as Markdown: its title, tables and notes; `plot` is the file of its drawing, empty without one."""
    paragraphs = [
        f"## {figure.paper}, Figure {figure.number}: {figure.title}",
        f"{figure.shows} Parameters: {figure.parameters}.",
        f"![{figure.paper}, Figure {figure.number}]({plot})" if plot else "",
        *(sheet.markdown() for sheet in figure_sheets(figure, drawn)),
        *figure.notes,
    ]
    return "\n\n".join(paragraph for paragraph in paragraphs if paragraph)


def page_markdown(tables: Sequence[Sheet], pages: Sequence[str]) -> str:
    """The Markdown page with the tables and the figures of the papers."""
    return "\n\n".join([f"# {TITLE}", INTRODUCTION, *(sheet.markdown() for sheet in tables), *pages]) + "\n"


def figures_markdown() -> str:
    """The page docs/figures.md: all figures at a few points, the tables, and the stated numbers."""
    pages = [figure_markdown(figure, tuple(values(panel, few=True) for panel in figure.panels)) for figure in FIGURES]
    return page_markdown(list(table_sheets().values()), pages)


INTRODUCTION = """`pkdp figures --output DIR` draws the figures as SVG and writes the tables with all points; `--paper`
and `--figure` choose.

Each number is exact or enclosed in a ball whose two ends round to the digits shown. `printed` is what the paper claims;
`repaired` is another bound, which is proved in proofs/bounds.md; `exact` is the truth about the model or family that is
named. `inf`: no finite ε is enough; a dash: the formula has no value there, or its conditions are not met.

Not drawn anew: DMKB20, Figure 1, a diagram of relations (docs/relations.md); LQS12, Figure 1, a sketch of a binomial
curve without numbers. The papers' own curves are not at hand as data, only their captions and what the text says about
them: a parameter that neither names is chosen here, and named as chosen."""
