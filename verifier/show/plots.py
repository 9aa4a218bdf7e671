"""What drawings share: colours, curves that are the same, empty axes. Floats place ink and decide nothing."""

from __future__ import annotations

import html
import io
import re
from collections.abc import Sequence
from dataclasses import dataclass
from fractions import Fraction
from typing import Any

from verifier.definitions import find
from verifier.definitions.measure import HOCKEY_STICK
from verifier.machine.extras import need
from verifier.profile import Profile

INK = "#808080"
TINY = Fraction(1, 100)
"""A curve below this would look like 0 on a linear axis."""


@dataclass(frozen=True)
class Look:
    """How the curve of a definition looks: its class in drawings of pages, its colour and line in still pictures."""

    tone: str
    colour: str
    line: str | tuple[int, tuple[int, ...]]

    @property
    def classes(self) -> str:
        """The classes of a curve in a page: dashed for the passive attacker, dotted where no attacker is modelled."""
        return self.tone + {PASSIVE: " dash", ANYBODY: " dot"}.get(self, "")


ACTIVE, PASSIVE = Look("active", "#d1495b", "-"), Look("passive", "#2e86ab", (0, (6, 2)))
CAUSAL, ANYBODY, OTHER = Look("causal", "#8f6bb3", "--"), Look("anybody", "#8a8a8a", ":"), Look("other", INK, "-")
LOOKS = {"counterfactual": CAUSAL, "neighbours": ANYBODY}


def look_of(name: str) -> Look:
    """The look of a definition, by what it compares."""
    definition = find(name)
    if definition.measure is not HOCKEY_STICK:
        return OTHER
    if definition.kind == "conditional":
        return PASSIVE if definition.aggregation.averages else ACTIVE
    return LOOKS.get(definition.kind, OTHER)


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
