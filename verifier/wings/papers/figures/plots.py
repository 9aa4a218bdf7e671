"""The papers' figures as drawings: what is printed dashed, what is repaired dash-dotted, what is exact solid.

As in `verifier.show.plots`, numbers become floats to place ink, and decide nothing.
"""

from __future__ import annotations

import textwrap
from math import log10
from typing import Any

from verifier.numbers import plural
from verifier.show.plots import INK, as_svg
from verifier.wings.papers.bounds.real import Real
from verifier.wings.papers.figures.catalogue import Figure, PanelValues, Value

COLOURS = ("#d55e00", "#e69f00", "#cc79a7", "#0072b2", "#56b4e9", "#009e73", "#8a6fb0")
"""The colour of each `hue`: those of Okabe and Ito, which the colour-blind tell apart, and last a violet."""
MARKS = ("o", "s", "D", "^", "v", "P", "X")
LINES = {"printed": (0, (5, 2)), "repaired": (0, (6, 2, 1, 2)), "exact": "-"}
BELOW = "claimed less than the exact value"
SIZES = {1: (6.8, 3.9), 2: (9.4, 3.6), 3: (11.0, 3.5), 4: (9.4, 3.5)}
MOST_MARKS = 14


def figure_plot(figure: Figure, drawn: tuple[PanelValues, ...]) -> str:
    """The figure, with the values of its panels, as SVG."""
    return as_svg(draw(figure, drawn), _words(figure, drawn))


def draw(figure: Figure, drawn: tuple[PanelValues, ...]) -> Any:
    """The figure as a matplotlib figure: panels in rows, the legend of each row below it."""
    import matplotlib as mpl

    mpl.use("svg")
    mpl.rcParams.update({
        "svg.hashsalt": "pkdp", "svg.fonttype": "none", "font.family": "sans-serif", "font.size": 9,
        "hatch.linewidth": 0.6,
    })  # fmt: skip
    from matplotlib.figure import Figure as Canvas

    across = len(drawn) if len(drawn) < 4 else 2
    rows = [drawn[k : k + across] for k in range(0, len(drawn), across)]
    lines = [-(-len(_labels(row)) // _across(across)) for row in rows]
    width, height = SIZES[len(drawn)]
    gap = 0.3 if len(rows) > 1 else 0.0
    heights = [height_of_row for count in lines for height_of_row in (height, 0.72 + 0.2 * count + gap)]
    canvas = Canvas(figsize=(width, sum(heights)))
    grid = canvas.add_gridspec(2 * len(rows), across, height_ratios=heights, hspace=0.12, wspace=0.22)
    for row_number, row in enumerate(rows):
        handles: dict[str, Any] = {}
        for column, panel_values in enumerate(row):
            axes = canvas.add_subplot(grid[2 * row_number, column])
            _style(axes, figure, panel_values, first=column == 0)
            handles |= _curves(axes, figure, panel_values)
            _ticks(axes, figure)
        below = canvas.add_subplot(grid[2 * row_number + 1, :])
        below.set_axis_off()
        order = sorted(handles, key=lambda label: _rank(row, label))
        legend = below.legend(
            [handles[label] for label in order], order, loc="lower left", ncols=_across(across),
            bbox_to_anchor=(0, gap / heights[2 * row_number + 1]), frameon=False, fontsize=8, handlelength=3.6,
            borderaxespad=0,
        )  # fmt: skip
        for text in legend.get_texts():
            text.set_color(INK)
    title = textwrap.fill(f"{figure.paper}, Figure {figure.number}. {figure.title}", 100 if across > 1 else 78)
    canvas.text(0.125, 0.885 + 0.25 / sum(heights), title, color=INK, fontsize=10, ha="left", va="bottom")
    return canvas


def _across(panels: int) -> int:
    """The number of columns of the legend."""
    return 2 if panels == 1 else 3


def _labels(row: tuple[PanelValues, ...]) -> list[str]:
    return list(dict.fromkeys(series.label for panel_values in row for series in panel_values.panel.series))


def _rank(row: tuple[PanelValues, ...], label: str) -> int:
    """Printed, repaired, exact; then the hatching."""
    kinds = {series.label: series.kind for panel_values in row for series in panel_values.panel.series}
    return list(LINES).index(kinds[label]) if label in kinds else len(LINES)


def _ticks(axes: Any, figure: Figure) -> None:
    """Plain numbers where an axis spans few decades; commas in large ones."""
    from matplotlib.ticker import FixedLocator, FuncFormatter, NullLocator

    low, high = axes.get_ylim()
    if figure.y.scale == "log" and high / low < 1000:
        ticks = [m * 10.0**k for k in range(-9, 9) for m in (1, 2, 5) if low <= m * 10.0**k <= high]
        axes.yaxis.set_major_locator(FixedLocator(ticks))
        axes.yaxis.set_minor_locator(NullLocator())
        axes.yaxis.set_major_formatter(FuncFormatter(lambda y, _: f"{y:g}"))
    if axes.get_xlim()[1] > 9999:
        axes.xaxis.set_major_formatter(FuncFormatter(lambda x, _: f"{x:,.0f}"))


def _style(axes: Any, figure: Figure, panel_values: PanelValues, *, first: bool) -> None:
    axes.set_title(panel_values.panel.title, color=INK, fontsize=9, loc="left", pad=10)
    axes.set_xlabel(figure.x.label, color=INK)
    if first:
        axes.set_ylabel(figure.y.label, color=INK)
    axes.set_yscale(figure.y.scale)
    axes.tick_params(which="both", colors=INK)
    axes.grid(visible=True, which="major", color=INK, alpha=0.22, linewidth=0.5)
    for name, spine in axes.spines.items():
        spine.set_color(INK)
        spine.set_visible(name not in {"top", "right"})


def _curves(axes: Any, figure: Figure, panel_values: PanelValues) -> dict[str, Any]:
    """Draw the curves of a panel and hatch where a claim is false; return the handles of the legend."""
    xs = [float(x) for x in panel_values.xs]
    floor = None if figure.y.floor is None else float(figure.y.floor)
    handles: dict[str, Any] = {}
    heights: list[float] = []
    for series in panel_values.panel.series:
        points = [
            (x, y)
            for x, value in zip(xs, panel_values.column(series.label), strict=True)
            if (y := _height(value)) is not None
        ]
        heights += [y for _, y in points if y > (floor or 0.0)]
        colour = COLOURS[series.hue]
        (line,) = axes.plot(
            [x for x, _ in points],
            [max(y, (floor or 1e-300) * 1e-6) for _, y in points],
            color=colour,
            linestyle=LINES[series.kind],
            linewidth=1.9 if series.kind == "exact" else 1.4,
            marker=MARKS[series.hue],
            markersize=4,
            markerfacecolor=colour if series.kind == "exact" else "none",
            markeredgecolor=colour,
            markevery=max(1, len(points) // MOST_MARKS),
            label=series.label,
        )
        handles[series.label] = line
        infinite = [x for x, value in zip(xs, panel_values.column(series.label), strict=True) if value == "inf"]
        if infinite:
            axes.plot(
                infinite, [1.02] * len(infinite), linestyle="none", marker="$∞$", markersize=7, color=colour,
                clip_on=False, transform=axes.get_xaxis_transform(),
            )  # fmt: skip
    low, high = min(heights), max(heights)
    if figure.y.scale == "log":
        room = (high / low) ** 0.05
        axes.set_ylim(max(low / room, floor or 0.0), high * room)
    for pair in panel_values.panel.below:
        handles |= _false(axes, panel_values, pair)
    return handles


def _false(axes: Any, panel_values: PanelValues, pair: tuple[str, str]) -> dict[str, Any]:
    """Hatch the area between a claimed curve and the exact curve above it."""
    false = set(panel_values.false(*pair))
    if not false:
        return {}
    claims, truths = (panel_values.column(name) for name in pair)
    top, bottom = axes.get_ylim()[1], axes.get_ylim()[0]
    rows = [
        (float(x), max(_height(claim) or bottom, bottom), min(_height(truth) or top, top), x in false)
        for x, claim, truth in zip(panel_values.xs, claims, truths, strict=True)
        if claim is not None and truth is not None and claim != "inf"
    ]
    colour = COLOURS[next(series.hue for series in panel_values.panel.series if series.label == pair[0])]
    area = axes.fill_between(
        [row[0] for row in rows], [row[1] for row in rows], [row[2] for row in rows], where=[row[3] for row in rows],
        facecolor="none", edgecolor=colour, hatch="////", linewidth=0.0, alpha=0.55,
    )  # fmt: skip
    return {BELOW: area}


def _height(value: Value) -> float | None:
    """The height at which a value is drawn; None where it is missing or infinite."""
    if not isinstance(value, Real):
        return None
    low, high = value.bracket(96)
    return float((low + high) / 2)


def _words(figure: Figure, drawn: tuple[PanelValues, ...]) -> str:
    """The description of the drawing in words, for readers who cannot see it."""
    sentences = [f"{figure.paper}, Figure {figure.number}. {figure.title}. {figure.parameters}."]
    for panel_values in drawn:
        curves = []
        for series in panel_values.panel.series:
            ends = [
                (x, value)
                for x, value in zip(panel_values.xs, panel_values.column(series.label), strict=True)
                if _height(value)
            ]
            if ends:
                (x, first), (y, last) = ends[0], ends[-1]
                curves.append(f"{series.label}: {_near(first)} at {float(x):g} to {_near(last)} at {float(y):g}")
        sentences.append(f"{panel_values.panel.title or figure.y.label}: " + "; ".join(curves) + ".")
        sentences += [
            f"{pair[0]} is below {pair[1]} at {len(false)} of {plural(len(panel_values.xs), 'point')}."
            for pair in panel_values.panel.below
            if (false := panel_values.false(*pair))
        ]
    return " ".join(sentences)


def _near(value: Value) -> str:
    height = _height(value)
    return "none" if not height else f"{height:.3g}" if log10(height) > -300 else "0"
