"""What drawings share: colours, curves that are the same, empty axes. Floats place ink and decide nothing."""

from __future__ import annotations

import html
import io
import re
from collections.abc import Sequence
from dataclasses import dataclass
from fractions import Fraction
from typing import Any

from verifier.machine.extras import need
from verifier.profile import Profile

COLOURS = {"np": "#d1495b", "apkdp": "#d1495b", "ppkdp": "#2e86ab", "cdp": "#8f6bb3", "dp": "#8a8a8a"}
STYLES = {"np": "-", "apkdp": "-", "ppkdp": (0, (6, 2)), "cdp": "--", "dp": ":"}
INK = "#808080"
TINY = Fraction(1, 100)
"""A curve below this would look like 0 on a linear axis."""


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
    mpl = need("matplotlib")
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
