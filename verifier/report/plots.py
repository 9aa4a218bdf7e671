"""Plots of exact curves. Here, and only here, numbers become floats: a plot decides nothing."""

from __future__ import annotations

import html
import io
import re
from collections.abc import Sequence
from dataclasses import dataclass
from fractions import Fraction
from math import exp, log
from typing import Any

from verifier.profile import Profile

COLOURS = {"np": "#d1495b", "apkdp": "#d1495b", "ppkdp": "#2e86ab", "cdp": "#8f6bb3", "dp": "#8a8a8a"}
STYLES = {"np": "-", "apkdp": "-", "ppkdp": (0, (6, 2)), "cdp": "--", "dp": ":"}
MARKS = {"np": "o", "apkdp": "o", "ppkdp": "s", "cdp": "^", "dp": "D"}
INK = "#808080"
TINY = Fraction(1, 100)
"""A curve below this would look like 0 on a linear axis."""
WIDEST = 12.0
TEN = log(10.0)


@dataclass(frozen=True)
class Curve:
    """One curve and the definitions that share it."""

    names: tuple[str, ...]
    profile: Profile

    @property
    def label(self) -> str:
        """`np = apkdp`, and that it is 0 throughout where it is."""
        return " = ".join(self.names) + (" = 0" if self.profile.is_zero else "")


def merged(curves: Sequence[tuple[str, Profile]]) -> list[Curve]:
    """Equal curves as one, since they would hide each other."""
    found: dict[Profile, list[str]] = {}
    for name, profile in curves:
        found.setdefault(profile, []).append(name)
    return [Curve(tuple(names), profile) for profile, names in found.items()]


def blank(title: str, x: str, y: str) -> tuple[Any, Any]:
    """A figure with empty axes."""
    import matplotlib as mpl

    mpl.use("svg")
    mpl.rcParams.update({"svg.hashsalt": "pkdp", "svg.fonttype": "none", "font.family": "sans-serif", "font.size": 9})
    from matplotlib.figure import Figure

    figure = Figure(figsize=(4.8, 3.1))
    axes = figure.add_subplot()
    axes.set_title(title, color=INK, fontsize=10, loc="left")
    axes.set_xlabel(x, color=INK)
    axes.set_ylabel(y, color=INK)
    axes.tick_params(colors=INK)
    for spine in axes.spines.values():
        spine.set_color(INK)
    for side in ("top", "right"):
        axes.spines[side].set_visible(False)
    return figure, axes


def as_svg(figure: Any, label: str) -> str:
    """The drawing with a title, without anything that changes from run to run."""
    text = io.StringIO()
    figure.savefig(text, format="svg", transparent=True, bbox_inches="tight", metadata={"Date": None, "Creator": None})
    body = text.getvalue()
    body = body[body.index("<svg") :]
    body = re.sub(r"<metadata>.*?</metadata>", "", body, flags=re.DOTALL)
    body = re.sub(r"\n\s*", "\n", body)
    said = html.escape(label, quote=True)
    body = body.replace("<svg ", f'<svg role="img" aria-label="{said}" ', 1)
    head, mark, rest = body.partition(">")
    return f"{head}{mark}\n<title>{said}</title>{rest}".strip()


def _log(value: Fraction) -> float:
    return log(value.numerator) - log(value.denominator)


def _height(curve: Profile, epsilon: float) -> Fraction:
    e = Fraction(exp(epsilon))
    return max(Fraction(p, curve.denominator) - e * Fraction(q, curve.denominator) for q, p in curve.points)


def _start(curve: Profile) -> Fraction:
    """δ at ε = 0, the largest value of the curve."""
    q, p = curve.points[-1]
    return Fraction(p - q, curve.denominator)


def _end(curve: Profile) -> Fraction:
    """δ at ε = ∞, the least value of the curve."""
    return Fraction(curve.points[0][1], curve.denominator)


def profile_plot(curves: Sequence[tuple[str, Profile]]) -> str:
    """δ against ε for several definitions, with the breakpoints marked; equal curves are one.

    Where a curve is positive but tiny, the axis of δ is logarithmic.
    """
    drawn = merged(curves)
    steep = any(0 < _start(one.profile) < TINY for one in drawn)
    title = "privacy profile" + (" (δ on a logarithmic axis)" if steep else "")
    figure, axes = blank(title, "ε (nats)", "smallest δ")
    ends = [_log(b) for one in drawn for b in one.profile.breakpoints]
    widest = min(max([1.0, *(1.15 * end for end in ends)]), WIDEST)
    lowest = _lowest(drawn) if steep else 0.0
    for one in drawn:
        bends = [e for e in map(_log, one.profile.breakpoints) if e < widest]
        grid = sorted({k * widest / 160 for k in range(161)} | set(bends))
        look = {"color": COLOURS.get(one.names[0], INK), "linewidth": 1.7}
        heights = [_place(_height(one.profile, e), lowest, steep=steep) for e in grid]
        axes.plot(grid, heights, linestyle=STYLES.get(one.names[0], "-"), label=one.label, **look)
        marks = [_place(_height(one.profile, e), lowest, steep=steep) for e in bends[:60]]
        axes.plot(bends[:60], marks, MARKS.get(one.names[0], "."), color=look["color"], markersize=3.5)
    if steep:
        axes.set_ylim(lowest - 0.5, 0.5)
        ticks = [k for k in axes.get_yticks() if lowest <= k <= 0 and k == int(k)]
        axes.set_yticks(ticks, ["1" if k == 0 else f"1e{int(k)}" for k in ticks])
    else:
        axes.set_ylim(-0.02, 1.04)
    _legend(axes, len(drawn))
    return as_svg(figure, _profile_words(drawn, steep=steep))


def _lowest(drawn: Sequence[Curve]) -> float:
    """The least power of ten that a logarithmic axis shows: two below the least positive end of a curve."""
    ends = [_end(one.profile) or _start(one.profile) for one in drawn if not one.profile.is_zero]
    return float(int(min(_log(end) for end in ends if end) / TEN) - 2)


def _place(height: Fraction, lowest: float, *, steep: bool) -> float:
    """The height on the axis; on a logarithmic one 0 falls below the frame."""
    if not steep:
        return float(height)
    return _log(height) / TEN if height > 0 else lowest - 9.0


def _legend(axes: Any, number: int) -> None:
    below = -0.36 - 0.09 * ((number - 1) // 3)
    legend = axes.legend(
        frameon=False,
        fontsize=8,
        loc="lower left",
        bbox_to_anchor=(0, below),
        ncols=3,
        borderaxespad=0,
        handlelength=2.4,
    )
    for text in legend.get_texts():
        text.set_color(INK)


def _profile_words(drawn: Sequence[Curve], *, steep: bool) -> str:
    """What is seen, for those who do not see it."""
    parts = []
    for one in drawn:
        start, end = (f"{_near(value)}" for value in (_start(one.profile), _end(one.profile)))
        names = " = ".join(one.names)
        parts.append(
            f"{names}: δ = {start} at every ε" if start == end else f"{names}: δ from {start} at ε = 0 to {end}"
        )
    return f"Privacy profile, smallest δ against ε{', logarithmic' if steep else ''}. " + "; ".join(parts) + "."


def _near(value: Fraction) -> str:
    return f"{float(value):.3g}"


def loss_plot(rows: Sequence[tuple[Fraction | None, Fraction]], subject: str, which: str) -> str:
    """The distribution of the privacy loss under P: bars at ln(P/Q) as high as P.

    A loss of +∞ (a ratio of None) has a tick of its own behind a break of the axis. `subject` names the comparison,
    `which` the law of B that is averaged over.
    """
    finite: dict[Fraction, Fraction] = {}
    certain = Fraction(0)
    for ratio, mass in rows:
        if ratio is None:
            certain += mass
        elif ratio:
            finite[ratio] = finite.get(ratio, Fraction(0)) + mass
    figure, axes = blank(f"privacy loss of {subject},\n{which}", "loss ln(P/Q) (nats)", "probability under P")
    places = [_log(ratio) for ratio in finite]
    low, high = min([0.0, *places]), max([0.0, *places])
    width = max(high - low, 1.0)
    axes.vlines(places, 0, [float(mass) for mass in finite.values()], color=COLOURS["ppkdp"], linewidth=5)
    axes.axvline(0, color=INK, linewidth=0.6)
    left, right = low - 0.15 * width, high + 0.15 * width
    if certain:
        right = _infinity(axes, certain, (left, high, width), numbered=any(places))
    axes.set_xlim(left, right)
    axes.set_ylim(0, 1.1)
    return as_svg(figure, _loss_words(finite, certain, subject, which))


def _infinity(axes: Any, certain: Fraction, span: tuple[float, float, float], *, numbered: bool) -> float:
    """A tick ∞ behind two strokes that break the axis; gives the right end of the axis."""
    left, high, width = span
    at, cut = high + 0.45 * width, high + 0.24 * width
    axes.vlines([at], 0, [float(certain)], color=COLOURS["np"], linewidth=5)
    axes.annotate(_near(certain), (at, float(certain)), ha="center", va="bottom", color=INK, fontsize=8)
    axes.set_xlim(left, high + 0.15 * width)
    ticks = [tick for tick in axes.get_xticks() if left <= tick <= high + 0.12 * width] if numbered else [0.0]
    axes.set_xticks([*ticks, at], [*(f"{tick:g}".replace("-", "−") for tick in ticks), "∞"])
    for shift in (-0.012, 0.012):
        x = cut + shift * width
        tilt = 0.02 * width
        axes.plot([x - tilt, x + tilt], [-0.03, 0.03], color=INK, linewidth=1, clip_on=False, zorder=5)
    return at + 0.15 * width


def _loss_words(finite: dict[Fraction, Fraction], certain: Fraction, subject: str, which: str) -> str:
    bars = [f"loss {_log(ratio):.3g} with probability {_near(mass)}" for ratio, mass in sorted(finite.items())[:12]]
    if certain:
        bars.append(f"loss ∞ with probability {_near(certain)}")
    return f"Privacy loss of {subject}, {which}: " + "; ".join(bars) + "."
