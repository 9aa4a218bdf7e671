"""The relations as a drawing: proved arrows, arrows under a condition, and claims that a model refutes."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass
from math import hypot

from verifier.show.frame import LETTER, Drawing, Mark, word
from verifier.wings.implications.conditions import CONDITIONS, OF_PAPERS
from verifier.wings.implications.facts import ARROWS, CLAIMS, TABLES, Implication, factor_text
from verifier.wings.implications.table import Relations

Place = tuple[float, float]
INK, GREY, RED = "currentColor", "#7a7a7a", "#c0392b"
WIDE, TOP = 860.0, 6.6
UNIT = WIDE / 13.4
"""A unit of the places of nodes, in units of the drawing."""
HALF, MARGIN = 0.2, 0.04
"""Half of the height of a box, and the room around it."""
STEPS, HEAD = 120, 8.0
PLACES: dict[str, Place] = {name: (x, y) for name, (x, y) in TABLES["places"].items()}
"""The position of each definition's node; two names of one notion share a node."""


def relation_plot(relations: Relations) -> Drawing:
    """The relations as a drawing; np and apkdp share one node."""
    floor = min(y for _, y in PLACES.values()) - 0.5
    marks: list[Mark] = []
    boxes: dict[str, Box] = {}
    for (x, y), names in _at_one_place(relations.definitions).items():
        text = " = ".join(names)
        boxes |= dict.fromkeys(names, Box(x, y, (len(text) * LETTER / 2 + 8.0) / UNIT))
        left, top = _place((x - boxes[names[0]].half, y + HALF))
        width, height = 2 * UNIT * boxes[names[0]].half, 2 * UNIT * HALF
        position = f"x='{left:.1f}' y='{top:.1f}' width='{width:.1f}' height='{height:.1f}' rx='6'"
        marks.append(Mark("rect", "", position, "fill='none' stroke='currentColor'"))
        marks.append(_text((x, y), text, "currentColor"))
    conditions = list(OF_PAPERS)
    drawn: Counter[tuple[Place, Place]] = Counter()

    def draw(source: str, target: str, look: tuple[str, str], label: str) -> None:
        ends = (PLACES[source], PLACES[target])
        bend = 0.1 + 0.21 * drawn[ends]
        drawn[ends] += 1
        marks.extend(_arrow(boxes[source], boxes[target], _side(ends) * bend, look))
        if label:
            marks.append(_text(_beside(ends, bend), label, look[0]))

    known = set(relations.definitions)
    for arrow in (arrow for arrow in ARROWS if {arrow.source, arrow.target} <= known):
        if PLACES[arrow.source] == PLACES[arrow.target]:
            continue
        label = f"{factor}ε" if (factor := factor_text((arrow,))) else ""
        if arrow.condition:
            label = f"{label} ({conditions.index(arrow.condition) + 1})".strip()
        draw(arrow.source, arrow.target, _look(arrow), label)
    for claim in (claim for claim in CLAIMS if claim.refuted and {claim.source, claim.target} <= known):
        draw(claim.source, claim.target, (RED, "2 3"), "✗")
    legend = [
        "thick: (ε, δ) implies (ε, δ)",
        "thin, grey: at δ = 0 (with 2ε or nε where it says so)",
        *(f"dashed ({k}): where {CONDITIONS[key].text}" for k, key in enumerate(conditions, 1)),
        "red, dotted ✗: claimed in a paper, refuted by a model",
    ]
    _, below = _place((0.0, floor))
    marks += [word(UNIT, below + 18.0 * k, line) for k, line in enumerate(legend, 1)]
    refuted = sum(1 for claim in CLAIMS if claim.refuted)
    title = f"Relations between {len(relations.definitions)} definitions; {refuted} claimed arrows are refuted."
    words = "; ".join(legend)
    return Drawing("relations", title, below + 18.0 * (len(legend) + 1), title, words, marks, WIDE)


@dataclass(frozen=True)
class Box:
    """The box of a node: its middle, and half of its width, in the units of the places."""

    x: float
    y: float
    half: float

    def has(self, place: Place) -> bool:
        """Whether a place lies in the box, or touches it."""
        return abs(place[0] - self.x) <= self.half + MARGIN and abs(place[1] - self.y) <= HALF + MARGIN


def _place(place: Place) -> Place:
    """A place in the drawing, whose y goes down."""
    return (place[0] + 1.0) * UNIT, (TOP - place[1]) * UNIT


def _text(place: Place, text: str, colour: str) -> Mark:
    x, y = _place(place)
    position = f"text-anchor='middle' x='{x:.1f}' y='{y + 4.0:.1f}' style='fill:{colour}'"
    return Mark("text", "", position, text=text)


def _arrow(source: Box, target: Box, bend: float, look: tuple[str, str]) -> list[Mark]:
    """A bent arrow between two boxes, outside of both."""
    (x1, y1), (x2, y2) = (source.x, source.y), (target.x, target.y)
    middle = (x1 + x2) / 2 + bend * (y2 - y1), (y1 + y2) / 2 - bend * (x2 - x1)
    curve = []
    for k in range(STEPS + 1):
        t = k / STEPS
        a, b, c = (1 - t) ** 2, 2 * t * (1 - t), t**2
        curve.append((a * x1 + b * middle[0] + c * x2, a * y1 + b * middle[1] + c * y2))
    points = [_place(place) for place in curve if not source.has(place) and not target.has(place)]
    (x, y), (x0, y0) = points[-1], points[-4]
    long = hypot(x - x0, y - y0)
    u, v = HEAD * (x - x0) / long, HEAD * (y - y0) / long
    tip = f"d='M{x:.1f},{y:.1f}l{-u - v / 2:.1f},{-v + u / 2:.1f}l{v:.1f},{-u:.1f}Z'"
    path = "M" + " ".join(f"{x:.1f},{y:.1f}" for x, y in points)
    dash = f" stroke-dasharray='{look[1]}'" if look[1] else ""
    line = f"fill='none' stroke='{look[0]}' stroke-width='{'0.8' if look[0] == GREY else '1.5'}'{dash}"
    return [Mark("path", "", f"d='{path}'", line), Mark("path", "", tip, f"fill='{look[0]}'")]


def _at_one_place(definitions: Sequence[str]) -> dict[Place, list[str]]:
    together: dict[Place, list[str]] = {}
    for name in definitions:
        together.setdefault(PLACES[name], []).append(name)
    return together


def _look(arrow: Implication) -> tuple[str, str]:
    return (INK if arrow.delta else GREY), ("6 3" if arrow.condition else "")


def _side(ends: tuple[Place, Place]) -> int:
    """An arc bends to its right hand, so that two opposite arcs do not meet; a long one goes high over the others."""
    (x1, y1), (x2, y2) = ends
    return -3 if x2 - x1 > 6 and y2 < y1 - 2 else 1


def _beside(ends: tuple[Place, Place], bend: float) -> Place:
    """The position of an arc's label: a little outside of its middle."""
    (x1, y1), (x2, y2) = ends
    wide, high, side = x2 - x1, y2 - y1, _side(ends)
    out = side * bend / 2 + (0.25 if side > 0 else -0.25) / hypot(wide, high)
    return (x1 + x2) / 2 + out * high, (y1 + y2) / 2 - out * wide
