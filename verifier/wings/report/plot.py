"""The relations as a drawing: proved arrows, arrows under a condition, and claims that a model refutes."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from math import hypot
from typing import TYPE_CHECKING

from verifier.show.plots import INK, as_svg
from verifier.wings.implications.conditions import CONDITIONS, OF_PAPERS
from verifier.wings.implications.facts import ARROWS, CLAIMS, TABLES, Implication, factor_text
from verifier.wings.implications.table import Relations

if TYPE_CHECKING:
    from matplotlib.text import Text

Place = tuple[float, float]
GREY, RED = "#7a7a7a", "#c0392b"
PLACES: dict[str, Place] = {name: (x, y) for name, (x, y) in TABLES["places"].items()}
"""The position of each definition's node; two names of one notion share a node."""


def relation_plot(relations: Relations) -> str:
    """The relations as an SVG drawing; np and apkdp share one node."""
    import matplotlib as mpl

    mpl.use("svg")
    mpl.rcParams.update({"svg.hashsalt": "pkdp", "svg.fonttype": "none", "font.family": "sans-serif", "font.size": 9})
    from matplotlib.figure import Figure

    figure = Figure(figsize=(8.6, 4.9))
    axes = figure.add_subplot()
    axes.set_axis_off()
    axes.set_aspect("equal")
    axes.set_xlim(-1.0, 12.4)
    axes.set_ylim(min(y for _, y in PLACES.values()) - 0.5, 6.6)
    nodes: dict[str, Text] = {}
    for point, names in _at_one_place(relations.definitions).items():
        box = {"boxstyle": "round,pad=0.35", "facecolor": "none", "edgecolor": INK, "linewidth": 0.9}
        text = " = ".join(names)
        node = axes.text(*point, text, ha="center", va="center", color=INK, bbox=box, zorder=1)
        nodes |= dict.fromkeys(names, node)
    conditions = list(OF_PAPERS)
    drawn: Counter[tuple[Place, Place]] = Counter()

    def draw(source: str, target: str, look: tuple[str, str], label: str) -> None:
        ends = (PLACES[source], PLACES[target])
        bend = 0.1 + 0.21 * drawn[ends]
        drawn[ends] += 1
        style = {
            "arrowstyle": "-|>",
            "color": look[0],
            "linestyle": look[1],
            "linewidth": 0.7 if look[0] == GREY else 1.3,
            "shrinkA": 2,
            "shrinkB": 2,
        }
        boxes = {"patchA": nodes[source].get_bbox_patch(), "patchB": nodes[target].get_bbox_patch()}
        bent = {"connectionstyle": f"arc3,rad={_side(ends) * bend}"}
        axes.annotate("", ends[1], ends[0], arrowprops={**style, **boxes, **bent}, zorder=2)
        if label:
            axes.text(*_beside(ends, bend), label, ha="center", va="center", color=look[0], fontsize=8, zorder=3)

    known = set(relations.definitions)
    for arrow in (arrow for arrow in ARROWS if {arrow.source, arrow.target} <= known):
        if PLACES[arrow.source] == PLACES[arrow.target]:
            continue
        label = f"{factor}ε" if (factor := factor_text((arrow,))) else ""
        if arrow.condition:
            label = f"{label} ({conditions.index(arrow.condition) + 1})".strip()
        draw(arrow.source, arrow.target, _look(arrow), label)
    for claim in (claim for claim in CLAIMS if claim.refuted and {claim.source, claim.target} <= known):
        draw(claim.source, claim.target, (RED, ":"), "✗")
    legend = [
        "thick: (ε, δ) implies (ε, δ)", "thin, grey: at δ = 0 (with 2ε or nε where it says so)",
        *(f"dashed ({k}): where {CONDITIONS[key].text}" for k, key in enumerate(conditions, 1)),
        "red, dotted ✗: claimed in a paper, refuted by a model",
    ]  # fmt: skip
    for k, line in enumerate(legend):
        axes.text(0.0, -0.02 - 0.045 * k, line, transform=axes.transAxes, color=INK, fontsize=8)
    refuted = sum(1 for claim in CLAIMS if claim.refuted)
    return as_svg(
        figure, f"Relations between {len(relations.definitions)} definitions; {refuted} claimed arrows are refuted."
    )


def _at_one_place(definitions: Sequence[str]) -> dict[Place, list[str]]:
    together: dict[Place, list[str]] = {}
    for name in definitions:
        together.setdefault(PLACES[name], []).append(name)
    return together


def _look(arrow: Implication) -> tuple[str, str]:
    return (INK if arrow.delta else GREY), ("--" if arrow.condition else "-")


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
