"""Two pictures of the course: which databases NP and CDP compare, and what active and passive attackers count.

As in the other drawings, every text is exact; numbers become floats only to place marks.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace
from fractions import Fraction

from verifier.numbers import exact_text
from verifier.show.display import figure
from verifier.show.frame import Drawing, Mark, curve_path, key, rule, word
from verifier.show.plots import ACTIVE, PASSIVE, stroke_of
from verifier.wings.course.fragment import Fragment

BOX, TALL = 132.0, 44.0
ACROSS, DOWN = (120.0, 330.0), (56.0, 126.0)
NP, CDP = stroke_of(ACTIVE), replace(stroke_of(PASSIVE), dash="")
"""NP's frames have the colour of the active attacker, CDP's arrows that of the passive one."""
MIDDLE = "middle"


def compared(drawn: Mapping[tuple[int, int], Fraction]) -> Fragment:
    """Draw two records, yours and your twin's: NP compares two columns, CDP each box with the one beside it.

    >>> from fractions import Fraction
    >>> compared({(0, 0): Fraction(1, 2), (1, 1): Fraction(1, 2)})
    NP compares what is drawn if you are 0 (00) with what is drawn if you are 1 (11).
    CDP compares 00 with 10, 11 with 01.
    """
    marks: list[Mark] = []
    for you, x in enumerate(ACROSS):
        marks.append(word(x + BOX / 2, 28, f"you are {you}", anchor=MIDDLE, kind="v"))
        marks.append(curve_path(NP, _outline(x - 10, 38, BOX + 20, 146)))
        marks.append(word(x + BOX / 2, 204, "NP: this column", anchor=MIDDLE))
        for twin, y in enumerate(DOWN):
            p = drawn.get((you, twin), Fraction(0))
            marks.append(rule(_outline(x, y, BOX, TALL), kind="ax" if p else "gr dot"))
            marks.append(word(x + BOX / 2, y + 18, f"{you}{twin}", anchor=MIDDLE, kind="v"))
            marks.append(word(x + BOX / 2, y + 35, exact_text(p) if p else "never drawn", anchor=MIDDLE))
    for twin, y in enumerate(DOWN):
        marks.append(word(ACROSS[0] - 22, y + TALL / 2 + 4, f"twin {twin}", anchor="end"))
        marks += [
            curve_path(CDP, _arrow(y + TALL / 2 + (8 if you else -8), right=not you))
            for you in (0, 1)
            if drawn.get((you, twin))
        ]
    columns = [", ".join(f"{you}{twin}" for twin in (0, 1) if drawn.get((you, twin))) or "nothing" for you in (0, 1)]
    pairs = ", ".join(
        f"{you}{twin} with {1 - you}{twin}" for you in (0, 1) for twin in (0, 1) if drawn.get((you, twin))
    )
    np = f"NP compares what is drawn if you are 0 ({columns[0]}) with what is drawn if you are 1 ({columns[1]})."
    cdp = f"CDP compares {pairs}."
    names, end = key(230.0, [(NP, "NP: the two frames"), (CDP, "CDP: along the arrows")])
    caption = "NP compares the left frame with the right one; CDP compares each database with the one at its arrow."
    drawing = Drawing("compared", caption, end + 10.0, "What NP and CDP compare", f"{np} {cdp}", [*marks, *names])
    return Fragment(figure(drawing), f"{np}\n{cdp}")


def _outline(x: float, y: float, width: float, height: float) -> str:
    """Return the path of a rectangle."""
    return f"M{x:.0f},{y:.0f}h{width:.0f}v{height:.0f}h-{width:.0f}Z"


def _arrow(y: float, *, right: bool) -> str:
    """Return the path of an arrow between the two columns."""
    start, end = ACROSS[0] + BOX + 4, ACROSS[1] - 4
    if right:
        return f"M{start:.0f},{y:.0f}H{end:.0f}m-8,-4l8,4l-8,4"
    return f"M{end:.0f},{y:.0f}H{start:.0f}m8,-4l-8,4l8,4"


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
    >>> chances({"luck": (half, Fraction(1), half), "none": (half, Fraction(0), Fraction(0))}, ["no", "yes"])
    no: the highest bar 1, the area 1/2
    yes: the highest bar 1/2, the area 1/4
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
    return Fragment(figure(drawing), "\n".join(lines))
