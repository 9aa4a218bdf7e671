"""Colours and dashes of curves, curves that are equal, and empty axes. Floats place ink and decide nothing."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from fractions import Fraction
from typing import Any

from verifier.definitions import find
from verifier.definitions.comparison import HOCKEY_STICK
from verifier.definitions.registry import is_known
from verifier.machine.extras import need
from verifier.profile import Profile, Steps
from verifier.tables import collected

INK = "#808080"
TINY = Fraction(1, 100)
"""A curve below this would look like 0 on a linear axis."""


@dataclass(frozen=True)
class Look:
    """How the curve of a definition looks: its class in drawings of pages, and its colour."""

    tone: str
    colour: str


@dataclass(frozen=True)
class Stroke:
    """How one curve of a drawing is drawn: the class of its colour, the colour, and its dashes."""

    tone: str
    colour: str
    dash: str


ACTIVE, PASSIVE = Look("active", "#d1495b"), Look("passive", "#2e86ab")
CAUSAL, ANYBODY, OTHER = Look("causal", "#8f6bb3"), Look("anybody", "#8a8a8a"), Look("other", INK)
TURNS = (ACTIVE, PASSIVE, CAUSAL, OTHER)
DASHES = ("", "7 3", "2 3", "9 3 2 3", "14 4", "1 5")
LOOKS = {"counterfactual": CAUSAL, "neighbours": ANYBODY}


def look_of(name: str) -> Look:
    """Return the look of a definition, which shows the kind of laws that the definition compares."""
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
    profile: Profile | Steps

    @property
    def label(self) -> str:
        """The names of the definitions, such as `np = apkdp`, with `= 0` where the curve is 0 everywhere."""
        return " = ".join(self.names) + (" = 0" if self.profile.is_zero else "")


def stroke_of(look: Look) -> Stroke:
    """Return the stroke of the first curve with a look: dashed for the passive attacker, dotted without an attacker."""
    return Stroke(look.tone, look.colour, {PASSIVE: DASHES[1], ANYBODY: DASHES[2]}.get(look, ""))


def strokes(names: Sequence[str]) -> list[Stroke]:
    """Return a stroke for each curve: the colour shows its kind, and curves of one colour differ in their dashes.

    Curves that are not named by definitions have colours in turn.
    """
    chosen: list[Stroke] = []
    for number, name in enumerate(names):
        first = stroke_of(look_of(name) if is_known(name) else TURNS[number % len(TURNS)])
        choices = [replace(first, dash=dash) for dash in (first.dash, *DASHES)]
        chosen.append(next((choice for choice in choices if choice not in chosen), first))
    return chosen


def merged(curves: Sequence[tuple[str, Profile | Steps]]) -> list[Curve]:
    """Return the different curves, each with the names of all that equal it, since equal curves hide each other."""
    names = collected((profile, name) for name, profile in curves)
    return [Curve(tuple(group), profile) for profile, group in names.items()]


def blank(title: str, x: str, y: str) -> tuple[Any, Any]:
    """Return a figure of matplotlib with empty axes, and these axes."""
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
