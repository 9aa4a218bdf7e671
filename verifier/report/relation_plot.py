"""The relations as a drawing: proved arrows, arrows under a condition, and claims that a model refutes."""

from __future__ import annotations

from typing import TYPE_CHECKING

from verifier.relations import ARROWS, CLAIMS, CONDITIONS, Arrow, Relations
from verifier.report.plots import INK, as_svg

if TYPE_CHECKING:
    from matplotlib.axes import Axes

GREY, RED = "#7a7a7a", "#c0392b"
PLACES = {
    "tail-dp": (0.0, 3.0), "tail-cdp": (0.0, 2.0), "tail-apkdp": (0.0, 1.0), "tail-ppkdp": (0.0, 0.0),
    "dp": (1.0, 3.0), "cdp": (1.75, 2.0), "np": (1.0, 1.0), "apkdp": (1.0, 1.0), "ppkdp": (1.0, 0.0),
    "ddp": (2.6, 2.9), "ibcdp": (2.6, 1.6),
}  # fmt: skip
"""Where each definition stands; one that is not named here stands in the last column."""


def _places(found: Relations) -> dict[str, tuple[float, float]]:
    others = [name for name in found.definitions if name not in PLACES]
    return {**PLACES, **{name: (2.6, 0.6 - 0.6 * k) for k, name in enumerate(others)}}


def relation_plot(found: Relations) -> str:
    """The drawing as SVG; np and apkdp are one node."""
    import matplotlib as mpl

    mpl.use("svg")
    mpl.rcParams.update({"svg.hashsalt": "pkdp", "svg.fonttype": "none", "font.family": "sans-serif", "font.size": 9})
    from matplotlib.figure import Figure

    figure = Figure(figsize=(8.2, 5.4))
    axes = figure.add_subplot()
    axes.set_axis_off()
    places = _places(found)
    conditions = list(CONDITIONS)
    for arrow in (one for one in ARROWS if {one.source, one.target} <= set(found.definitions)):
        if places[arrow.source] == places[arrow.target]:
            continue
        label = "" if arrow.factor == 1 else f"{arrow.factor}ε"
        if arrow.condition:
            label = f"{label} ({conditions.index(arrow.condition) + 1})".strip()
        _draw(
            axes,
            places,
            (arrow.source, arrow.target),
            _look(arrow),
            label,
            bend=0.3 if arrow.condition == "informed" else 0.12,
        )
    for claim in (one for one in CLAIMS if one.refuted and {one.source, one.target} <= set(found.definitions)):
        _draw(axes, places, (claim.source, claim.target), (RED, ":"), "✗", bend=0.32)
    for name in found.definitions:
        if name != "apkdp":
            x, y = places[name]
            text = "np = apkdp" if name == "np" else name
            box = {"boxstyle": "round,pad=0.35", "facecolor": "none", "edgecolor": INK, "linewidth": 0.9}
            axes.text(x, y, text, ha="center", va="center", color=INK, bbox=box, zorder=3)
    axes.set_xlim(-0.25, 2.85)
    axes.set_ylim(min(y for _, y in places.values()) - 0.2, 3.3)
    said = [
        "solid: (ε, δ) implies (ε, δ)", "grey: at δ = 0 (with 2ε where it says so)",
        *(f"dashed ({k}): where {CONDITIONS[key].text}" for k, key in enumerate(conditions, 1)),
        "red, dotted ✗: claimed in a paper, refuted by a model",
    ]  # fmt: skip
    for k, line in enumerate(said):
        axes.text(0.0, -0.02 - 0.045 * k, line, transform=axes.transAxes, color=INK, fontsize=8)
    refuted = sum(1 for claim in CLAIMS if claim.refuted)
    return as_svg(
        figure, f"Relations between {len(found.definitions)} definitions; {refuted} claimed arrows are refuted."
    )


def _look(arrow: Arrow) -> tuple[str, str]:
    return (INK if arrow.delta else GREY), ("--" if arrow.condition else "-")


def _draw(
    axes: Axes,
    places: dict[str, tuple[float, float]],
    ends: tuple[str, str],
    look: tuple[str, str],
    label: str,
    bend: float,
) -> None:
    """An arc from one node to another, with its label near the middle."""
    (x1, y1), (x2, y2) = places[ends[0]], places[ends[1]]
    colour, line = look
    style = {"arrowstyle": "-|>", "color": colour, "linestyle": line, "linewidth": 1.1, "shrinkA": 22, "shrinkB": 22}
    axes.annotate("", (x2, y2), (x1, y1), arrowprops={**style, "connectionstyle": f"arc3,rad={bend}"}, zorder=1)
    if label:
        middle_x, middle_y = (x1 + x2) / 2 + bend * (y2 - y1) / 2, (y1 + y2) / 2 - bend * (x2 - x1) / 2
        axes.text(middle_x, middle_y, label, ha="center", va="center", color=colour, fontsize=9, zorder=2)
