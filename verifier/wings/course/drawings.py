"""Two pictures of the course: which databases NP and CDP compare, and what active and passive attackers count.

As in the other drawings, every text is exact; numbers become floats only to place marks.
"""

from __future__ import annotations

import html
from collections.abc import Mapping, Sequence
from fractions import Fraction

from verifier.numbers import exact_text
from verifier.wings.course.plots import line, svg, text
from verifier.wings.course.shown import Shown

BOX, TALL = 112.0, 44.0
ACROSS, DOWN = (118.0, 300.0), (56.0, 126.0)


def compared(drawn: Mapping[tuple[int, int], Fraction]) -> Shown:
    """Two records of 0 or 1, yours and your twin's: NP compares two columns, CDP each box with the one beside it.

    >>> from fractions import Fraction
    >>> compared({(0, 0): Fraction(1, 2), (1, 1): Fraction(1, 2)})
    NP compares what is drawn if you are 0 (00) with what is drawn if you are 1 (11).
    CDP compares 00 with 10, 11 with 01.
    """
    body: list[str] = []
    for you, x in enumerate(ACROSS):
        body.append(text(x + BOX / 2, 28, f"you are {you}", kind="at"))
        body.append(
            f"<rect x='{x - 10:.0f}' y='38' width='{BOX + 20:.0f}' height='146' rx='8' class='frame'/>"
            f"{text(x + BOX / 2, 206, 'NP: this column')}"
        )
        for twin, y in enumerate(DOWN):
            p = drawn.get((you, twin), Fraction(0))
            body.append(
                f"<rect x='{x:.0f}' y='{y:.0f}' width='{BOX:.0f}' height='{TALL:.0f}' rx='4' "
                f"class='{'box' if p else 'never'}'/>"
            )
            body.append(text(x + BOX / 2, y + 18, f"{you}{twin}", kind="at"))
            body.append(text(x + BOX / 2, y + 35, exact_text(p) if p else "never drawn"))
    for twin, y in enumerate(DOWN):
        body.append(text(ACROSS[0] - 22, y + TALL / 2 + 4, f"twin {twin}", "end"))
        for you in (0, 1):
            if drawn.get((you, twin)):
                body += _arrow(y + TALL / 2 + (8 if you else -8), right=not you)
    columns = [", ".join(f"{you}{twin}" for twin in (0, 1) if drawn.get((you, twin))) or "nothing" for you in (0, 1)]
    pairs = ", ".join(
        f"{you}{twin} with {1 - you}{twin}" for you in (0, 1) for twin in (0, 1) if drawn.get((you, twin))
    )
    np = f"NP compares what is drawn if you are 0 ({columns[0]}) with what is drawn if you are 1 ({columns[1]})."
    cdp = f"CDP compares {pairs}."
    legend = _legend(("frame", "", "NP: the left frame against the right one"), ("c0", "", "CDP: along the arrows"))
    return Shown(f"<figure class='pk-plot'>{svg(body, f'{np} {cdp}', 214)}{legend}</figure>", f"{np}\n{cdp}")


def _arrow(y: float, *, right: bool) -> list[str]:
    start, end = ACROSS[0] + BOX + 4, ACROSS[1] - 4
    tip, back = (end, end - 8) if right else (start, start + 8)
    head = f"{back:.0f},{y - 4:.0f} {tip:.0f},{y:.0f} {back:.0f},{y + 4:.0f}"
    return [line(start, y, end, y, "c0"), f"<polyline points='{head}' class='c0'/>"]


def _legend(*entries: tuple[str, str, str]) -> str:
    items = "".join(
        f"<span><svg viewBox='0 0 34 8' aria-hidden='true' class='pk-svg key'><line x1='1' y1='4' x2='33' y2='4' "
        f"class='{kind}' stroke-dasharray='{dashes}'/></svg>{html.escape(said)}</span>"
        for kind, dashes, said in entries
    )
    return f"<figcaption class='pk-legend'>{items}</figcaption>"


PANELS = (30.0, 245.0)
SIDE, FLOOR, HIGH = 180.0, 186.0, 140.0


def chances(
    cases: Mapping[str, tuple[Fraction, Fraction, Fraction]], titles: Sequence[str] = ("first order", "second order")
) -> Shown:
    """What she may know as bars: as wide as it is likely, as high as δ is then; one panel for each order.

    `cases` maps what she knows to its probability and to δ in the two orders. The active attacker counts the highest
    bar, the passive one the area, which is the same as that under the dashed line.

    >>> from fractions import Fraction
    >>> half = Fraction(1, 2)
    >>> chances({"luck": (half, Fraction(1), half), "none": (half, Fraction(0), Fraction(0))}, ["no", "yes"])
    no: the highest bar 1, the area 1/2
    yes: the highest bar 1/2, the area 1/4
    """
    body, said = [], []
    for order, (left, title) in enumerate(zip(PANELS, titles, strict=True)):
        bars = sorted(((p, deltas[order], known) for known, (p, *deltas) in cases.items()), key=lambda bar: bar[1])
        highest = max((delta for _, delta, _ in bars), default=Fraction(0))
        area = sum((p * delta for p, delta, _ in bars), Fraction(0))
        said.append(f"{title}: the highest bar {exact_text(highest)}, the area {exact_text(area)}")
        for k in (0, 1):
            body += [
                line(left, FLOOR - HIGH * k, left + SIDE, FLOOR - HIGH * k, "grid" if k else "axis"),
                text(left - 6, FLOOR - HIGH * k + 4, str(k), "end"),
            ]
        x = left
        for p, delta, _ in bars:
            wide, tall = SIDE * float(p), HIGH * float(delta)
            place = f"x='{x:.1f}' y='{FLOOR - tall:.1f}' width='{max(wide - 0.6, 0.8):.1f}' height='{tall:.1f}'"
            body.append(f"<rect {place} class='c0'/>")
            x += wide
        for value, kind, above in ((highest, "at", True), (area, "c1", False)):
            y = FLOOR - HIGH * float(value)
            dashes = "" if above else " stroke-dasharray='7 4'"
            body.append(line(left, y, left + SIDE, y, kind).replace("/>", f"{dashes}/>"))
        body.append(text(left + SIDE / 2, 20, title, kind="at"))
        body.append(text(left + SIDE / 2, FLOOR + 18, "width: how likely"))
    body.append(text(10, FLOOR - HIGH / 2, "δ"))
    legend = _legend(
        ("at", "", "active: the highest bar"), ("c1", "7 4", "passive: the area of the bars, spread evenly")
    )
    drawing = svg(body, ". ".join(said) + ".", FLOOR + 28)
    return Shown(f"<figure class='pk-plot'>{drawing}{legend}</figure>", "\n".join(said))
