"""Drawings of lines against two named axes, such as a smallest ε against a parameter.

As in the other drawings, floats place ink and decide nothing; the words that are written are exact texts.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from fractions import Fraction
from math import floor, log10

from verifier.show.frame import DASHED, TOP, Drawing, Frame, Mark, axes, curve_path, hover, key
from verifier.show.plots import Stroke

Place = tuple[float, float]


@dataclass(frozen=True)
class Axes:
    """The names of the two axes, and whether the vertical one is logarithmic; below `floor` nothing is drawn."""

    x: str
    y: str
    logarithmic: bool = False
    floor: float = 0.0

    def frame(self, across: Sequence[float], heights: Sequence[float]) -> Frame:
        """Return the frame that fits: from 0, or on a logarithmic axis from a little below the lowest point."""
        low, high = min(across), max(across)
        low = 0.0 if 0.0 < low < high / 20 else low
        high = high if high > low else low + 1.0
        if not self.logarithmic:
            return Frame(low, high, top=_top(max(heights, default=1.0)))
        ends = [log10(height) for height in heights if height > self.floor] or [0.0]
        room = (max(ends) - min(ends)) / 20 or 1.0
        least = log10(self.floor) if self.floor else min(ends) - room
        return Frame(low, high, floor=max(min(ends) - room, least), ceiling=max(ends) + room)


@dataclass(frozen=True)
class LinePiece:
    """A piece of a line: its points from left to right (a single point is a dot), and what its tooltip says."""

    points: Sequence[Place]
    words: str = ""


def straight(ends: Sequence[tuple[Fraction, Fraction]], words: str) -> LinePiece:
    """Return the straight piece between exact points."""
    return LinePiece([(float(x), float(y)) for x, y in ends], words)


def area_under(points: Sequence[tuple[Fraction, Fraction]]) -> list[Place]:
    """Return the area between the horizontal axis and exact points from left to right, to shade it."""
    inside = [(float(x), float(y)) for x, y in points]
    return [(inside[0][0], 0.0), *inside, (inside[-1][0], 0.0)]


@dataclass(frozen=True)
class Line:
    """A line of a drawing: its name in the legend, its look, its pieces, and where it is infinite.

    `beyond` are stretches of the horizontal axis: a triangle at the top stands at both ends of each.
    """

    name: str
    stroke: Stroke
    pieces: Sequence[LinePiece]
    beyond: Sequence[Sequence[float]] = ()


def lines_drawing(
    kind: str, caption: str, title: str, named: Axes, lines: Sequence[Line], shaded: Sequence[Sequence[Place]] = ()
) -> Drawing:
    """Draw lines, with a dot where each piece begins; areas that are `shaded` lie behind them."""
    points = [point for line in lines for piece in line.pieces for point in piece.points]
    beyond = [place for line in lines for stretch in line.beyond for place in stretch]
    frame = named.frame([*(x for x, _ in points), *beyond], [y for _, y in points])
    marks = axes(frame, 34.0, named.x, named.y)
    marks += [Mark("path", "gap", f"d='{_path(frame, area)}Z'", "fill='#d1495b20'") for area in shaded]
    raised = 0
    for line in lines:
        for piece in line.pieces:
            marks += _piece(frame, line.stroke, piece)
        for stretch in line.beyond:
            marks += _beyond(frame, line.stroke, stretch, 8.0 * raised)
        raised += bool(line.beyond)
    legend, end = key(frame.bottom + 58.0, [(line.stroke, line.name) for line in lines])
    words = "; ".join(f"{line.name}: {piece.words}" for line in lines for piece in line.pieces if piece.words)
    return Drawing(kind, caption, end + 16.0, title, words or title, [*marks, *legend])


def _top(highest: float) -> Fraction:
    """Return the end of an axis: the least 1, 2 or 5 times a power of ten that is not below the highest point."""
    power = Fraction(10) ** (floor(log10(highest)) if highest > 0 else 0)
    return next(power * times for times in (1, 2, 5, 10) if power * times >= highest)


def _path(frame: Frame, points: Sequence[Place]) -> str:
    return "M" + " ".join(f"{frame.x(x):.1f},{frame.y(Fraction(y)):.1f}" for x, y in points)


def _piece(frame: Frame, stroke: Stroke, piece: LinePiece) -> list[Mark]:
    path = _path(frame, piece.points)
    x, y = path.partition(" ")[0].removeprefix("M").split(",")
    dot = Mark("circle", f"m {stroke.tone}", f"r='2.5' cx='{x}' cy='{y}'", f"fill='{stroke.colour}'", piece.words)
    if len(piece.points) < 2:
        return [dot]
    return [curve_path(stroke, path), *([hover(path, piece.words)] if piece.words else []), dot]


def _beyond(frame: Frame, stroke: Stroke, stretch: Sequence[float], lower: float) -> list[Mark]:
    """Return triangles at the ends of a stretch on which a line is infinite, and a dashed line between them."""
    y, ends = TOP + lower, [frame.x(x) for x in dict.fromkeys((stretch[0], stretch[-1]))]
    look = f"fill='{stroke.colour}'"
    marks = [Mark("path", f"m {stroke.tone}", f"d='M{x:.1f},{y:.1f}l-4,8h8Z'", look) for x in ends]
    if len(ends) > 1:
        path = f"M{ends[0]:.1f},{y + 5.0:.1f}H{ends[1]:.1f}"
        marks.append(curve_path(Stroke(stroke.tone, stroke.colour, DASHED), path))
    return marks
