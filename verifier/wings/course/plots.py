"""Drawings of the course as SVG, in the colours of the page. Only here numbers become floats: they place marks.

Every text in a drawing is exact; what is drawn is said in words for those who do not see it.
"""

from __future__ import annotations

import html
from collections.abc import Sequence
from fractions import Fraction
from math import exp, log

from verifier.numbers import Epsilon, exact_text
from verifier.profile import Profile
from verifier.questions.losses import Row

WIDTH, HEIGHT = 440.0, 250.0
LEFT, RIGHT, TOP, BOTTOM = 52.0, 14.0, 14.0, 40.0
DASHES = ("", "7 4", "2 3", "9 3 2 3")
STEPS = (0.1, 0.2, 0.25, 0.5, 1.0, 2.0, 2.5, 5.0, 10.0)


def _log(value: Fraction) -> float:
    return log(value.numerator) - log(value.denominator)


def _tick(value: float) -> str:
    return f"{value:g}".replace("-", "−")


def text(x: float, y: float, said: str, anchor: str = "middle", kind: str = "") -> str:
    """A text at a place of a drawing."""
    name = f" class='{kind}'" if kind else ""
    return f"<text x='{x:.1f}' y='{y:.1f}' text-anchor='{anchor}'{name}>{html.escape(said)}</text>"


def line(x: float, y: float, u: float, v: float, kind: str) -> str:
    """A straight line of a drawing."""
    return f"<line x1='{x:.1f}' y1='{y:.1f}' x2='{u:.1f}' y2='{v:.1f}' class='{kind}'/>"


def svg(body: Sequence[str], said: str, height: float = HEIGHT) -> str:
    """A drawing, with what it shows in words."""
    words = html.escape(said, quote=True)
    return (
        f"<svg class='pk-svg' viewBox='0 0 {WIDTH:g} {height:g}' role='img' aria-label='{words}'>"
        f"<title>{words}</title>{''.join(body)}</svg>"
    )


def _axis(top: float) -> list[str]:
    """The axis of probabilities from 0 to `top` with its lines."""
    step = next(one for one in STEPS if top / one <= 5)
    body, k = [], 0
    while k * step <= top * 1.0001:
        y = HEIGHT - BOTTOM - (HEIGHT - TOP - BOTTOM) * k * step / top
        body += [
            line(LEFT, y, WIDTH - RIGHT, y, "grid" if k else "axis"),
            text(LEFT - 6, y + 4, _tick(k * step), "end"),
        ]
        k += 1
    return body


def profile_drawing(curves: Sequence[tuple[str, Profile]], at: Epsilon | None = None) -> str:
    """δ against ε for some curves, each with its own stroke; `at` marks one ε."""
    ends = [_log(bend) for _, curve in curves for bend in curve.breakpoints]
    marked = None if at is None or at.is_infinite else log(max(1.0, _exp(at)))
    widest = max([1.0, *(1.15 * end for end in ends), 0.0 if marked is None else 1.1 * marked])
    widest = min(widest, 12.0)
    across, down = WIDTH - LEFT - RIGHT, HEIGHT - TOP - BOTTOM
    highest = max([0.02, *(_height(curve, 0.0) for _, curve in curves)])
    top = next(one for one in (0.05, 0.1, 0.2, 0.25, 0.5, 1.0) if one >= highest * 0.999)
    body = _axis(top)

    def place(epsilon: float, curve: Profile) -> tuple[float, float]:
        return LEFT + across * epsilon / widest, TOP + down * (1.0 - _height(curve, epsilon) / top)

    step = next(one for one in STEPS if widest / one <= 6.5)
    for k in range(int(widest / step + 0.0001) + 1):
        body.append(text(LEFT + across * k * step / widest, HEIGHT - BOTTOM + 16, _tick(k * step)))
    body += [text(LEFT + across / 2, HEIGHT - 6, "ε"), text(14, TOP + down / 2, "δ")]
    for number, (_, curve) in enumerate(curves):
        bends = [end for end in map(_log, curve.breakpoints) if 0.0 <= end < widest]
        grid = sorted({k * widest / 120 for k in range(121)} | set(bends))
        points = " ".join(f"{x:.1f},{y:.1f}" for x, y in (place(e, curve) for e in grid))
        body.append(f"<polyline points='{points}' class='c{number % 4}' stroke-dasharray='{DASHES[number % 4]}'/>")
        for x, y in (place(e, curve) for e in bends[:40]):
            body.append(f"<circle cx='{x:.1f}' cy='{y:.1f}' r='3' class='c{number % 4}'/>")
    if marked is not None:
        x = LEFT + across * marked / widest
        body.append(line(x, TOP, x, HEIGHT - BOTTOM, "at"))
        body.append(
            text(x + (5 if marked < widest / 2 else -5), TOP + 10, f"ε = {at}", _side(marked < widest / 2), "at")
        )
    return svg(body, _profile_words(curves))


def _side(left: bool) -> str:  # noqa: FBT001
    return "start" if left else "end"


def _exp(at: Epsilon) -> float:
    low, high = at.exp_bracket(40)
    return float((low + high) / 2)


def _height(curve: Profile, epsilon: float) -> float:
    e = exp(epsilon)
    return float(max(p / curve.denominator - e * (q / curve.denominator) for q, p in curve.points))


def _profile_words(curves: Sequence[tuple[str, Profile]]) -> str:
    parts = []
    for name, curve in curves:
        (first_q, first_p), (_, last_p) = curve.points[-1], curve.points[0]
        start, end = Fraction(first_p - first_q, curve.denominator), Fraction(last_p, curve.denominator)
        parts.append(f"{name}: δ from {exact_text(start, 40)} at ε = 0 to {exact_text(end, 40)}")
    return "Privacy profile, the smallest δ at each ε. " + "; ".join(parts) + "."


def legend(names: Sequence[str]) -> str:
    """The names of the curves with their strokes."""
    items = "".join(
        f"<span><svg viewBox='0 0 34 8' aria-hidden='true' class='pk-svg key'><line x1='1' y1='4' x2='33' y2='4' "
        f"class='c{k % 4}' stroke-dasharray='{DASHES[k % 4]}'/></svg>{html.escape(name)}</span>"
        for k, name in enumerate(names)
    )
    return f"<figcaption class='pk-legend'>{items}</figcaption>"


def loss_drawing(rows: Sequence[Row], subject: str) -> str:
    """The probability of each output under a, at its privacy loss; a loss of ∞ has a place of its own at the right."""
    bars: dict[Fraction | None, list[Row]] = {}
    for row in rows:
        if row.probability_a:
            bars.setdefault(row.loss.ratio, []).append(row)
    places = {ratio: _log(ratio) for ratio in bars if ratio is not None}
    reach = max([0.5, *map(abs, places.values())]) * 1.25
    across, down = WIDTH - LEFT - RIGHT, HEIGHT - TOP - BOTTOM
    finite = across * (0.8 if None in bars else 1.0)
    body = _axis(1.0)
    middle = LEFT + finite / 2
    body += [line(middle, TOP, middle, HEIGHT - BOTTOM, "grid"), text(middle, HEIGHT - BOTTOM + 16, "0")]
    for ratio in sorted(bars, key=lambda one: (one is None, one or 0)):
        mass = sum((row.probability_a for row in bars[ratio]), Fraction(0))
        x = LEFT + across * 0.9 if ratio is None else middle + finite / 2 * places[ratio] / reach
        y = HEIGHT - BOTTOM - down * float(mass)
        kind = "bad" if ratio is None else "c0"
        body.append(f"<rect x='{x - 8:.1f}' y='{y:.1f}' width='16' height='{HEIGHT - BOTTOM - y:.1f}' class='{kind}'/>")
        if len(bars) <= 8:
            body.append(text(x, max(y - 5, TOP - 2), exact_text(mass, 12)))
        if ratio != 1 and len(bars) <= 6:
            body.append(text(x, HEIGHT - BOTTOM + 16, "∞" if ratio is None else bars[ratio][0].loss.text(16)))
    body.append(text(LEFT + across / 2, HEIGHT - 6, f"loss of {subject}"))
    said = "; ".join(
        f"loss {found[0].loss.text(24).replace('inf', '∞')} with probability "
        f"{exact_text(sum((row.probability_a for row in found), Fraction(0)), 24)}"
        for found in list(bars.values())[:12]
    )
    return svg(body, f"Privacy loss of {subject}: {said}.")
