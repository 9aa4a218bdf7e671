"""The papers' figures as drawings: what is printed dashed, what is repaired dash-dotted, what is exact solid.

As in `verifier.show.lines`, numbers become floats to place ink, and decide nothing.
"""

from __future__ import annotations

from collections.abc import Iterator
from itertools import groupby

from verifier.numbers import plural
from verifier.show.frame import Drawing
from verifier.show.lines import Axes, Line, LinePiece, Place, lines_drawing
from verifier.show.plots import Stroke
from verifier.wings.papers.bounds.real import Real
from verifier.wings.papers.figures.catalogue import Figure, PanelValues, Series, Value

COLOURS = ("#d55e00", "#e69f00", "#cc79a7", "#0072b2", "#56b4e9", "#009e73", "#8a6fb0")
"""The colour of each `hue`: those of Okabe and Ito, which the colour-blind tell apart, and last a violet."""
DASHES = {"printed": "5 2", "repaired": "6 2 1 2", "exact": ""}
LOOKS = "Dashed: printed; dash-dotted: repaired; solid: exact."
SHADED = " Shaded: the claim is less than the exact value, so it is false there."
INFINITE = " A triangle stands where no finite value is enough."


def panel_drawing(figure: Figure, drawn: PanelValues) -> Drawing:
    """The drawing of one panel of a figure."""
    panel = drawn.panel
    lines = [_line(drawn, series) for series in sorted(panel.series, key=lambda series: [*DASHES].index(series.kind))]
    shaded = [area for pair in panel.below for area in _false(drawn, *pair)]
    name = f"{figure.paper}, Figure {figure.number}. {figure.title}" + (f": {panel.title}" if panel.title else "")
    caption = f"{panel.title or figure.title}. {LOOKS}{SHADED if shaded else ''}"
    caption += INFINITE if any(line.beyond for line in lines) else ""
    floor = 0.0 if figure.y.floor is None else float(figure.y.floor)
    named = Axes(figure.x.label, figure.y.label, figure.y.scale == "log", floor)
    return lines_drawing("panel", caption, f"{name}. {' '.join(_words(figure, drawn))}", named, lines, shaded)


def _line(drawn: PanelValues, series: Series) -> Line:
    """A series as a line: a piece for each run of finite values."""
    values = list(zip(map(float, drawn.xs), drawn.column(series.label), strict=True))
    pieces, beyond = [], []
    for kind, run in groupby(values, key=lambda place: "inf" if place[1] == "inf" else isinstance(place[1], Real)):
        places = list(run)
        if kind == "inf":
            beyond.append([x for x, _ in places])
        elif kind:
            pieces.append(LinePiece([(x, _height(value)) for x, value in places]))
    return Line(series.label, Stroke(f"hue{series.hue}", COLOURS[series.hue], DASHES[series.kind]), pieces, beyond)


def _false(drawn: PanelValues, claimed: str, exact: str) -> Iterator[list[Place]]:
    """The areas between a claimed curve and the exact curve above it, where both are finite."""
    false = set(drawn.false(claimed, exact))
    rows = zip(drawn.xs, drawn.column(claimed), drawn.column(exact), strict=True)
    places = [(x in false, float(x), claim, truth) for x, claim, truth in rows]
    for is_false, run in groupby(places, key=lambda row: row[0] and isinstance(row[2], Real) and row[3] is not None):
        if is_false:
            area = [(x, _height(claim), _height(truth)) for _, x, claim, truth in run if isinstance(truth, Real)]
            if area:
                yield [*((x, low) for x, low, _ in area), *((x, high) for x, _, high in reversed(area))]


def _height(value: Value) -> float:
    """The height at which a finite value is drawn."""
    if not isinstance(value, Real):
        raise TypeError(value)
    low, high = value.bracket(96)
    return float((low + high) / 2)


def _words(figure: Figure, drawn: PanelValues) -> Iterator[str]:
    """The description of a panel in words, for readers who cannot see it."""
    yield f"{figure.parameters}."
    for series in drawn.panel.series:
        values = zip(drawn.xs, drawn.column(series.label), strict=True)
        ends = [f"{value.decimal(3)} at {float(x):g}" for x, value in values if isinstance(value, Real)]
        if ends:
            yield f"{series.label}: {ends[0]} to {ends[-1]}."
    for pair in drawn.panel.below:
        if false := drawn.false(*pair):
            yield f"{pair[0]} is below {pair[1]} at {len(false)} of {plural(len(drawn.xs), 'point')}."
