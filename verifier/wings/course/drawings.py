"""A picture of the course: what active and passive attackers count.

As in the other drawings, every text is exact; numbers become floats only to place marks.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from fractions import Fraction

from verifier.numbers import exact_text
from verifier.show.display import figure
from verifier.show.frame import Drawing, Mark, curve_path, key, rule, word
from verifier.show.plots import ACTIVE, PASSIVE, stroke_of
from verifier.wings.course.fragment import Fragment

MIDDLE = "middle"
PANELS = (40.0, 290.0)
SIDE, FLOOR, HIGH = 210.0, 186.0, 140.0


def chances(
    cases: Mapping[str, tuple[Fraction, Fraction, Fraction]], titles: Sequence[str] = ("first order", "second order")
) -> Fragment:
    """Draw a bar for each value that the attacker may know, as wide as its probability and as high as δ given it.

    There is a panel for each of the two orders; `cases` maps what she knows to its probability and to δ in both. The
    active attacker counts the highest bar, the passive one the area of all bars, which a dashed line spreads evenly.

    >>> from fractions import Fraction
    >>> half = Fraction(1, 2)
    >>> drawn = chances({"luck": (half, Fraction(1), half), "none": (half, Fraction(0), Fraction(0))}, ["no", "yes"])
    >>> "no: the highest bar 1, the area 1/2. yes: the highest bar 1/2, the area 1/4." in str(drawn)
    True
    """
    marks: list[Mark] = []
    lines = []
    active, passive = stroke_of(ACTIVE), stroke_of(PASSIVE)
    for order, (left, title) in enumerate(zip(PANELS, titles, strict=True)):
        bars = sorted(((p, deltas[order], known) for known, (p, *deltas) in cases.items()), key=lambda bar: bar[1])
        highest = max((delta for _, delta, _ in bars), default=Fraction(0))
        area = sum((p * delta for p, delta, _ in bars), Fraction(0))
        lines.append(f"{title}: the highest bar {exact_text(highest)}, the area {exact_text(area)}")
        for k in (0, 1):
            y = FLOOR - HIGH * k
            marks.append(rule(f"M{left:.0f},{y:.0f}h{SIDE:.0f}", kind="gr" if k else "ax"))
            marks.append(word(left - 6, y + 4, str(k), anchor="end"))
        x = left
        for p, delta, _ in bars:
            width, height = SIDE * float(p), HIGH * float(delta)
            position = f"x='{x:.1f}' y='{FLOOR - height:.1f}' width='{max(width - 0.6, 0.8):.1f}' height='{height:.1f}'"
            marks.append(Mark("rect", "m anybody", position, "fill='currentColor' fill-opacity='.35'"))
            x += width
        for value, stroke in ((highest, active), (area, passive)):
            marks.append(curve_path(stroke, f"M{left:.0f},{FLOOR - HIGH * float(value):.1f}h{SIDE:.0f}"))
        marks.append(word(left + SIDE / 2, 20, title, anchor=MIDDLE, kind="v"))
        marks.append(word(left + SIDE / 2, FLOOR + 18, "width: how likely", anchor=MIDDLE))
    marks.append(word(14, FLOOR - HIGH / 2, "δ"))
    names, end = key(FLOOR + 46, [(active, "active: the highest bar"), (passive, "passive: the area")])
    title, description = "What active and passive attackers count", ". ".join(lines) + "."
    caption = (
        "Each bar is something that she may know: as wide as it is likely, as high as δ is then. The dashed line "
        "spreads the area of the bars evenly."
    )
    drawing = Drawing("chances", caption, end + 10.0, title, description, [*marks, *names])
    return Fragment(figure(drawing))
