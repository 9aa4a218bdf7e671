"""The drawing of how cost grows: two panels, both axes logarithmic. It decides nothing."""

from __future__ import annotations

import io
import re
from collections.abc import Mapping
from typing import TypeAlias

Series: TypeAlias = Mapping[str, list[tuple[int, float]]]
"""The seconds of each contestant by size."""
INK = "#808080"
LOOKS = {"limit": ("#8a8a8a", ":", "o"), "flint": ("#2e86ab", "--", "s"), "ours": ("#d1495b", "-", "D")}


def drawing(panels: Mapping[str, Series], titles: Mapping[str, str], labels: Mapping[str, str]) -> str:
    """An SVG that is the same for the same numbers. Panels are by the name of their x; |B| = 0 has a place on it."""
    import matplotlib as mpl

    mpl.use("svg")
    mpl.rcParams.update(
        {"svg.hashsalt": "referendum", "svg.fonttype": "none", "font.family": "sans-serif", "font.size": 9}
    )
    from matplotlib.figure import Figure

    figure = Figure(figsize=(8.4, 3.4))
    for axes, (x, series) in zip(figure.subplots(1, len(panels), squeeze=False)[0], panels.items(), strict=True):
        places = sorted({at for points in series.values() for at, _ in points})
        for name, points in series.items():
            colour, line, mark = LOOKS[name]
            axes.plot(
                [at for at, _ in points],
                [seconds for _, seconds in points],
                color=colour,
                linestyle=line,
                marker=mark,
                markersize=3.5,
                label=labels[name],
            )
        least = next((at for at in places if at), 1)
        if 0 in places:
            axes.set_xscale("symlog", linthresh=least, linscale=0.5)
        else:
            axes.set_xscale("log")
        axes.set_yscale("log")
        axes.set_xticks(places, [f"{at:,}" for at in places])
        axes.minorticks_off()
        axes.set_title(titles[x], color=INK, fontsize=10, loc="left")
        axes.set_xlabel(x, color=INK)
        axes.set_ylabel("seconds", color=INK)
        axes.tick_params(colors=INK)
        for side, spine in axes.spines.items():
            spine.set_color(INK)
            spine.set_visible(side in {"left", "bottom"})
    legend = figure.axes[0].legend(frameon=False, fontsize=8, loc="upper left")
    for text in legend.get_texts():
        text.set_color(INK)
    figure.tight_layout()
    output = io.StringIO()
    figure.savefig(output, format="svg", transparent=True, metadata={"Date": None, "Creator": None})
    body = output.getvalue()
    body = re.sub(r"<metadata>.*?</metadata>", "", body[body.index("<svg") :], flags=re.DOTALL)
    said = "Seconds against size, both logarithmic: " + "; ".join(
        f"{labels[name]}, by {x}: " + ", ".join(f"{at:,} in {seconds:.2g} s" for at, seconds in points)
        for x, series in panels.items()
        for name, points in series.items()
    )
    head, mark, rest = body.partition(">")
    return f"{head}{mark}\n<title>{said}</title>{rest}"
