"""Drawings of one model as small SVG: profiles, active against passive, losses. Floats place ink and decide nothing.

Every number that is written is an exact text. Colours are classes, so that a page chooses them for light and dark; a
drawing in a file of its own brings them along (`alone`). Each has a title and a description, and a table behind it.
"""

from __future__ import annotations

import html
from collections.abc import Sequence
from dataclasses import dataclass
from fractions import Fraction
from itertools import pairwise
from math import exp, log

from verifier.numbers import DIGITS, decimal_of, exact_text
from verifier.profile import Profile
from verifier.questions.losses import KnowledgeLoss
from verifier.show.plots import ACTIVE, PASSIVE, TINY, Curve, Look, look_of, merged
from verifier.tables import gathered

WIDTH, LEFT, RIGHT, TOP = 520.0, 56.0, 14.0, 12.0
TALL, LANE = 230.0, 74.0
WIDEST = 12.0
STEPS = 48
MOST_LABELS, MOST_MARKS, LONGEST = 8, 60, 14
TEN = log(10.0)
LETTER = 6.3
STYLE = """<style>
svg { --ink: #1c1c1e; --soft: #5b5b61; --line: #dcdcd8; --c-active: #b3243d; --c-passive: #1b5e8c; --c-causal: #6d4a94; --c-other: #7a5600; }
@media (prefers-color-scheme: dark) { svg { --ink: #e8e8e6; --soft: #a9a9a6; --line: #37383b; --c-active: #f393a2; --c-passive: #7db8e0;
 --c-causal: #c3a5e6; --c-other: #e5c06a; } }
text { font: 12px system-ui, sans-serif; fill: var(--soft); } .v { fill: var(--ink); } .ax, .gr { stroke: var(--line); fill: none; }
.c { fill: none; stroke: var(--k); stroke-width: 2; } .m { fill: var(--k); } .bar { stroke: var(--k); stroke-width: 6; }
.gap { fill: var(--c-active); opacity: .1; } .dash { stroke-dasharray: 7 3; } .dot { stroke-dasharray: 2 3; }
.active { --k: var(--c-active); } .passive { --k: var(--c-passive); } .causal { --k: var(--c-causal); } .other { --k: var(--c-other); } .anybody { --k: var(--soft); }
</style>"""  # noqa: E501


@dataclass(frozen=True)
class Drawing:
    """One drawing: a name for its file, a caption, and the SVG as it stands in a page."""

    kind: str
    caption: str
    svg: str

    @property
    def alone(self) -> str:
        """The drawing as a file of its own, with its colours."""
        head, mark, rest = self.svg.partition("</desc>")
        return f"{head}{mark}\n{STYLE}{rest}\n"


@dataclass(frozen=True)
class Frame:
    """Where numbers stand: x from `low` to `high`, y from 0 (or the power `floor` of ten) up to 1."""

    low: float
    high: float
    floor: float = 0.0
    height: float = TALL

    @property
    def bottom(self) -> float:
        """Where δ is 0."""
        return TOP + self.height

    def x(self, value: float) -> float:
        """The place of an ε or a loss."""
        return LEFT + (value - self.low) / (self.high - self.low) * (WIDTH - LEFT - RIGHT)

    def y(self, value: Fraction) -> float:
        """The height of a δ; on a logarithmic axis 0 lies on the ground."""
        if not self.floor:
            return self.bottom - float(value) * self.height
        power = ln(value) / TEN if value > 0 else self.floor
        return self.bottom - (1.0 - max(power, self.floor) / self.floor) * self.height


def ln(value: Fraction) -> float:
    """The logarithm of a number of any size."""
    return log(value.numerator) - log(value.denominator)


def near(value: Fraction) -> str:
    """Three digits of a number, correctly rounded."""
    return decimal_of(value, 3)


def profile_drawing(curves: Sequence[tuple[str, Profile]]) -> Drawing:
    """δ against ε for several definitions, each breakpoint marked, the first few labelled; equal curves are one."""
    drawn = merged(curves)
    frame = _frame([one.profile for one in drawn])
    parts = _axes(frame, 52.0)
    labels: dict[Fraction, float] = {}
    for one in drawn:
        look = look_of(one.names[0])
        parts.append(f"<path class='c {look.classes}' d='{_path(frame, one.profile)}'/>")
        bends = [bend for bend in one.profile.breakpoints if ln(bend) < frame.high][:MOST_MARKS]
        for bend in bends:
            at = _height(one.profile, bend)
            parts.append(f"<circle class='m {look.tone}' r='3' cx='{frame.x(ln(bend)):.1f}' cy='{frame.y(at):.1f}'/>")
            labels.setdefault(bend, frame.y(at))
    parts += _bend_labels(frame, labels)
    parts += _key(frame, [(look_of(one.names[0]), one.label) for one in drawn], 76.0)
    height = frame.bottom + 92.0 + 18.0 * ((len(drawn) - 1) // 2)
    said = "; ".join(_said(one) for one in drawn)
    axis = " on a logarithmic axis" if frame.floor else ""
    return Drawing(
        "profile",
        f"The privacy profile: the smallest δ{axis} at each ε. Marks are the breakpoints of the curves.",
        _svg(height, "Privacy profile: the smallest δ against ε", f"{said}.", parts),
    )


def attackers_drawing(active: Profile, passive: Profile) -> Drawing:
    """The active attacker's profile above the passive one's, with the gap between them shaded."""
    frame = _frame([active, passive])
    parts = _axes(frame, 34.0)
    over, under = _path(frame, active), _points(frame, passive)
    back = "L" + " ".join(f"{x:.1f},{y:.1f}" for x, y in reversed(under))
    parts.append(f"<path class='gap' d='{over}{back}Z'/>")
    parts.append(f"<path class='c active' d='{over}'/>")
    parts.append(f"<path class='c passive dash' d='{_path(frame, passive)}'/>")
    names = [(ACTIVE, "active attacker (apkdp)"), (PASSIVE, "passive attacker (ppkdp)")]
    parts += _key(frame, names, 58.0)
    said = "; ".join(_said(Curve((name,), curve)) for (_, name), curve in zip(names, (active, passive), strict=True))
    axis = " on a logarithmic axis" if frame.floor else ""
    return Drawing(
        "attackers",
        f"An active attacker, who chooses what she knows, and a passive one, who is given it: the smallest δ{axis}.",
        _svg(frame.bottom + 74.0, "Active against passive attacker: the smallest δ against ε", f"{said}.", parts),
    )


def loss_drawing(found: Sequence[KnowledgeLoss], titles: Sequence[str], subject: str) -> Drawing:
    """The law of the privacy loss under P, one lane a knowledge value: bars at ln(P/Q) as high as P; ∞ apart."""
    ratios = [row.loss.ratio for one in found for row in one.rows if row.probability_a]
    places = [ln(ratio) for ratio in ratios if ratio]
    reach = max([1.0, *(abs(place) for place in places)]) * 1.08
    certain = None in ratios
    frame = Frame(-reach if min([0.0, *places]) < 0 else -0.12 * reach, reach * (1.5 if certain else 1.0), height=LANE)
    beyond = reach * 1.34
    parts, said = [], []
    for lane, (one, title) in enumerate(zip(found, titles, strict=True)):
        lift = lane * (LANE + 36.0) + 14.0
        ground, masses = frame.bottom + lift, _masses(one)
        parts.append(
            f"<text class='v' x='{LEFT:.0f}' y='{TOP + lift - 8.0:.1f}'>{html.escape(title, quote=False)}</text>"
        )
        parts.append(f"<path class='ax' d='M{LEFT:.0f},{ground:.1f}H{WIDTH - RIGHT:.0f}'/>")
        parts.append(f"<path class='gr' d='M{frame.x(0.0):.1f},{ground:.1f}v-{LANE:.0f}'/>")
        for ratio, mass in masses.items():
            x, kind = frame.x(beyond if ratio is None else ln(ratio)), (ACTIVE if ratio is None else PASSIVE).tone
            tall = float(mass) * (LANE - 18.0)
            parts.append(f"<path class='bar {kind}' d='M{x:.1f},{ground:.1f}v-{max(tall, 0.8):.1f}'/>")
            if len(masses) <= MOST_LABELS:
                text = exact_text(mass) if len(exact_text(mass)) <= LONGEST else near(mass)
                end = min(x + len(text) * LETTER / 2, WIDTH - 2.0)
                parts.append(f"<text text-anchor='end' x='{end:.1f}' y='{ground - tall - 4.0:.1f}'>{text}</text>")
        listed = ", ".join(f"{_loss(ratio)} with probability {near(mass)}" for ratio, mass in list(masses.items())[:8])
        said.append(f"{title}: loss {listed or 'of nothing'}")
    floor = frame.bottom + (len(found) - 1) * (LANE + 36.0) + 14.0
    for tick, text in _ticks(frame.low, reach):
        x = frame.x(tick)
        parts.append(f"<path class='ax' d='M{x:.1f},{floor:.1f}v4'/>")
        parts.append(f"<text text-anchor='middle' x='{x:.1f}' y='{floor + 17.0:.1f}'>{text}</text>")
    if certain:
        parts.append(f"<text text-anchor='middle' x='{frame.x(beyond):.1f}' y='{floor + 17.0:.1f}'>∞</text>")
    middle = (LEFT + WIDTH - RIGHT) / 2
    parts.append(
        f"<text text-anchor='middle' x='{middle:.0f}' y='{floor + 34.0:.1f}'>privacy loss ln(P/Q) (nats)</text>"
    )
    return Drawing(
        "loss",
        f"The privacy loss of {subject}, one lane for each knowledge value: a bar at each loss, as high as its "
        "probability; ∞ stands apart.",
        _svg(floor + 42.0, f"Privacy loss of {subject}", "; ".join(said) + ".", parts),
    )


def _masses(one: KnowledgeLoss) -> dict[Fraction | None, Fraction]:
    """The probability under P of each loss, as its ratio; outputs that P cannot produce have none."""
    found = gathered((row.loss.ratio, row.probability_a) for row in one.rows if row.probability_a)
    return dict(sorted(found.items(), key=lambda pair: (pair[0] is None, pair[0] or Fraction(0))))


def _loss(ratio: Fraction | None) -> str:
    if ratio is None:
        return "∞"
    return "0" if ratio == 1 else f"ln({exact_text(ratio, DIGITS)})"


def _frame(curves: Sequence[Profile]) -> Frame:
    """A logarithmic axis of δ where a curve is positive but tiny; ε up to a little more than the last breakpoint."""
    starts = [Fraction(p - q, curve.denominator) for curve in curves for q, p in curve.points[-1:]]
    ends = [Fraction(curve.points[0][1], curve.denominator) for curve in curves]
    bends = [ln(bend) for curve in curves for bend in curve.breakpoints]
    widest = min(max([1.0, *(1.15 * bend for bend in bends)]), WIDEST)
    if not any(0 < start < TINY for start in starts):
        return Frame(0.0, widest)
    least = min(end or start for start, end in zip(starts, ends, strict=True) if start > 0)
    return Frame(0.0, widest, floor=float(int(ln(least) / TEN) - 2))


def _height(curve: Profile, e: Fraction) -> Fraction:
    """δ at e^ε = e, the highest of its lines."""
    return max(Fraction(p, curve.denominator) - e * Fraction(q, curve.denominator) for q, p in curve.points)


def _points(frame: Frame, curve: Profile) -> list[tuple[float, float]]:
    """Where the curve passes: the ends of each piece, and more between them where it bends."""
    ends = sorted({0.0, frame.high, *(ln(bend) for bend in curve.breakpoints if ln(bend) < frame.high)})
    places = []
    for one, two in pairwise(ends):
        share = max(1, int(STEPS * (two - one) / frame.high))
        places += [one + k * (two - one) / share for k in range(share)]
    heights = [(place, _height(curve, Fraction(exp(place)))) for place in [*places, frame.high]]
    kept = [
        point
        for k, point in enumerate(heights)
        if not 0 < k < len(heights) - 1 or not heights[k - 1][1] == point[1] == heights[k + 1][1]
    ]
    return [(frame.x(place), frame.y(at)) for place, at in kept]


def _path(frame: Frame, curve: Profile) -> str:
    return "M" + " ".join(f"{x:.1f},{y:.1f}" for x, y in _points(frame, curve))


def _ticks(low: float, high: float) -> list[tuple[float, str]]:
    """Round numbers between two ends, with their texts."""
    step = Fraction(1, 10)
    for wider in (Fraction(1, 5), Fraction(1, 2), Fraction(1), Fraction(2), Fraction(5), Fraction(10), Fraction(50)):
        if (high - low) / float(step) > 7:
            step = wider
    first, last = -int(-low / float(step)) if low < 0 else 0, int(high / float(step))
    return [(float(k * step), decimal_of(k * step).replace("-", "−")) for k in range(first, last + 1)]


def _axes(frame: Frame, below: float) -> list[str]:
    """The axes of δ against ε with their ticks and names; that of ε stands `below` the axis."""
    parts = [f"<path class='ax' d='M{LEFT:.0f},{TOP:.0f}V{frame.bottom:.0f}H{WIDTH - RIGHT:.0f}'/>"]
    for tick, text in _ticks(frame.low, frame.high):
        at = frame.x(tick)
        parts.append(f"<text text-anchor='middle' x='{at:.1f}' y='{frame.bottom + 16.0:.0f}'>{text}</text>")
    heights = [Fraction(k, 5) for k in range(6)]
    texts = [decimal_of(one) for one in heights]
    if frame.floor:
        every = max(1, int(-frame.floor / 6.0))
        powers = range(0, int(-frame.floor) + 1, every)
        heights, texts = [Fraction(1, 10**k) for k in powers], [f"1e-{k}" if k else "1" for k in powers]
    for height, text in zip(heights, texts, strict=True):
        at = frame.y(height)
        parts.append(f"<path class='gr' d='M{LEFT:.0f},{at:.1f}H{WIDTH - RIGHT:.0f}'/>")
        parts.append(f"<text text-anchor='end' x='{LEFT - 7.0:.0f}' y='{at + 4.0:.1f}'>{text}</text>")
    across = (LEFT + WIDTH - RIGHT) / 2
    parts.append(f"<text text-anchor='middle' x='{across:.0f}' y='{frame.bottom + below:.0f}'>ε (nats)</text>")
    middle = TOP + frame.height / 2
    parts.append(f"<text text-anchor='middle' transform='translate(12 {middle:.0f}) rotate(-90)'>smallest δ</text>")
    return parts


def _bend_labels(frame: Frame, bends: dict[Fraction, float]) -> list[str]:
    """Where the first breakpoints lie, exactly: below the axis, each with a thin line; what has no room is left out."""
    parts, free = [], -1.0
    for bend in sorted(bends)[: 4 * MOST_LABELS]:
        text = f"ln({exact_text(bend)})"
        x, half = frame.x(ln(bend)), len(text) * LETTER / 2
        if len(text) > LONGEST or x - half < free or x + half > WIDTH - 2.0:
            continue
        free = x + half + 8.0
        parts.append(f"<path class='gr dot' d='M{x:.1f},{bends[bend]:.1f}V{frame.bottom + 22.0:.0f}'/>")
        parts.append(f"<text class='v' text-anchor='middle' x='{x:.1f}' y='{frame.bottom + 33.0:.0f}'>{text}</text>")
    return parts


def _key(frame: Frame, names: Sequence[tuple[Look, str]], below: float) -> list[str]:
    """Which line is whose."""
    parts = []
    for k, (look, name) in enumerate(names):
        x, y = LEFT + 230.0 * (k % 2), frame.bottom + below + 18.0 * (k // 2)
        parts.append(f"<path class='c {look.classes}' d='M{x:.0f},{y - 4.0:.0f}h26'/>")
        parts.append(f"<text class='v' x='{x + 33.0:.0f}' y='{y:.0f}'>{html.escape(name, quote=False)}</text>")
    return parts


def _said(one: Curve) -> str:
    """What is seen, for those who do not see it."""
    (q, p), names = one.profile.points[-1], " = ".join(one.names)
    start, end = Fraction(p - q, one.profile.denominator), Fraction(one.profile.points[0][1], one.profile.denominator)
    if start == end:
        return f"{names}: δ = {near(start)} at every ε"
    bends = one.profile.breakpoints
    where = ", ".join(f"ln({exact_text(bend, DIGITS)})" for bend in bends[:6]) + (", …" if len(bends) > 6 else "")
    return f"{names}: δ falls from {near(start)} at ε = 0 to {near(end)}, with breakpoints at ε = {where}"


def _svg(height: float, title: str, said: str, parts: Sequence[str]) -> str:
    body = "\n".join(parts)
    return (
        f"<svg xmlns='http://www.w3.org/2000/svg' class='plot' role='img' viewBox='0 0 {WIDTH:.0f} {height:.0f}' "
        f"width='{WIDTH:.0f}' height='{height:.0f}'>\n<title>{html.escape(title, quote=False)}</title>\n"
        f"<desc>{html.escape(said, quote=False)}</desc>\n{body}\n</svg>"
    )
