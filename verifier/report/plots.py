"""Plots of exact curves. Here, and only here, numbers become floats: a plot decides nothing."""

from __future__ import annotations

import io
import re
from collections.abc import Sequence
from fractions import Fraction
from math import exp, log
from typing import Any

from verifier.profile import Profile

COLOURS = {"np, apkdp": "#d1495b", "ppkdp": "#2e86ab", "cdp": "#8f6bb3", "dp": "#8a8a8a"}
STYLES = {"np, apkdp": "-", "ppkdp": "-", "cdp": "--", "dp": ":"}
INK = "#808080"


def _figure(title: str, x: str, y: str) -> tuple[Any, Any]:
    import matplotlib as mpl

    mpl.use("svg")
    mpl.rcParams.update({"svg.hashsalt": "pkdp", "svg.fonttype": "none", "font.family": "sans-serif", "font.size": 9})
    from matplotlib.figure import Figure

    figure = Figure(figsize=(4.6, 2.9))
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


def _svg(figure: Any, label: str) -> str:
    text = io.StringIO()
    figure.savefig(text, format="svg", transparent=True, bbox_inches="tight", metadata={"Date": None, "Creator": None})
    body = text.getvalue()
    body = body[body.index("<svg") :]
    body = re.sub(r"<metadata>.*?</metadata>", "", body, flags=re.DOTALL)
    body = re.sub(r"\n\s*", "\n", body)
    return body.replace("<svg ", f'<svg role="img" aria-label="{label}" ', 1).strip()


def profile_plot(curves: Sequence[tuple[str, Profile]]) -> str:
    """δ against ε for several definitions, with the breakpoints marked."""
    figure, axes = _figure("privacy profile", "ε (nats)", "δ")
    ends = [log(float(b)) for _, curve in curves for b in curve.breakpoints]
    widest = min(max([1.0, *(1.15 * end for end in ends)]), 12.0)
    for name, curve in curves:
        grid = sorted({k * widest / 160 for k in range(161)} | {e for e in map(_log, curve.breakpoints) if e < widest})
        heights = [_height(curve, e) for e in grid]
        axes.plot(grid, heights, STYLES.get(name, "-"), color=COLOURS.get(name, INK), label=name, linewidth=1.6)
        marks = [e for e in map(_log, curve.breakpoints) if e < widest][:60]
        axes.plot(marks, [_height(curve, e) for e in marks], ".", color=COLOURS.get(name, INK), markersize=4)
    axes.set_ylim(-0.02, 1.02)
    legend = axes.legend(frameon=False, fontsize=8)
    for text in legend.get_texts():
        text.set_color(INK)
    return _svg(figure, "privacy profile, delta against epsilon")


def _log(value: Fraction) -> float:
    return log(value.numerator) - log(value.denominator)


def _height(curve: Profile, epsilon: float) -> float:
    e = Fraction(exp(epsilon))
    return float(max(Fraction(p, curve.denominator) - e * Fraction(q, curve.denominator) for q, p in curve.points))


def loss_plot(rows: Sequence[tuple[Fraction | None, Fraction]], title: str) -> str:
    """The distribution of the privacy loss: bars at ln(P/Q) as high as P; +∞ stands at the right."""
    figure, axes = _figure(title, "privacy loss (nats)", "probability under P")
    finite: dict[Fraction, Fraction] = {}
    certain = Fraction(0)
    for ratio, mass in rows:
        if ratio is None:
            certain += mass
        elif ratio:
            finite[ratio] = finite.get(ratio, Fraction(0)) + mass
    places = [_log(ratio) for ratio in finite]
    low, high = min([0.0, *places]), max([0.0, *places])
    width = max(high - low, 1.0)
    axes.vlines(places, 0, [float(mass) for mass in finite.values()], color=COLOURS["ppkdp"], linewidth=4)
    if certain:
        at = high + 0.2 * width
        axes.vlines([at], 0, [float(certain)], color=COLOURS["np, apkdp"], linewidth=4)
        axes.annotate("∞", (at, float(certain)), ha="center", va="bottom", color=INK)
    axes.axvline(0, color=INK, linewidth=0.6)
    axes.set_xlim(low - 0.12 * width, high + 0.32 * width)
    axes.set_ylim(0, 1.1)
    return _svg(figure, "distribution of the privacy loss")
