"""A drawing of privacy profiles that shows itself in a notebook and is saved as a file. Floats place ink."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from fractions import Fraction
from math import exp
from pathlib import Path
from typing import Any

from verifier.errors import InputError
from verifier.machine.files import write_whole
from verifier.numbers import delta_bound, exact_text
from verifier.numbers import epsilon as read_epsilon
from verifier.profile import Profile, Steps
from verifier.show.answers import pieces_sheet
from verifier.show.display import box, figure, fold, table
from verifier.show.drawings import LONGEST, MOST_MARKS, Bound, PiecewiseCurve, frame_of, profile_drawing
from verifier.show.frame import DASHED, Drawing, axis_value, exactly, ln
from verifier.show.plots import blank, merged, strokes

STILL = (".png", ".pdf")
"""Endings of pictures that matplotlib draws."""
MOST_BENDS = 200
"""Most breakpoints of a curve whose pieces are listed in a table."""


@dataclass(frozen=True)
class Plot:
    """A drawing of named privacy profiles, with exact values in its tooltips."""

    drawing: Drawing
    curves: tuple[tuple[str, Profile | Steps], ...]
    bound: Bound | None = None
    """The ε and δ that are marked."""

    def _repr_svg_(self) -> str:
        return self.drawing.svg

    def _repr_html_(self) -> str:
        short = [(name, curve) for name, curve in self.curves if len(curve.breakpoints) <= MOST_BENDS]
        return box(
            figure(self.drawing),
            *(fold(f"{name}, piece by piece", table(pieces_sheet(curve, name))) for name, curve in short),
        )

    def __repr__(self) -> str:
        return f"<Plot of {', '.join(name for name, _ in self.curves)}: .save(path) writes it>"

    def save(self, path: str | Path) -> Path:
        """Write the drawing as `.svg`, or as `.png` or `.pdf` where matplotlib is installed; return the path.

        Raises:
            InputError: for another ending, and where matplotlib is missing: the tip says what installs it.

        """
        file = Path(path)
        if file.suffix == ".svg":
            write_whole(file, self.drawing.alone)
        elif file.suffix in STILL:
            _still(self.curves, self.bound).savefig(file, bbox_inches="tight", dpi=200)
        else:
            wanted = f"a file that ends in .svg, {' or '.join(STILL)}"
            raise InputError(f"given {file.name}", where="path", wanted=wanted, tip='save("profile.svg")')
        return file


def plot(curve: Profile | Steps, *, epsilon: object = None, delta: object = None, name: str = "the smallest δ") -> Plot:
    """Draw a curve: δ against ε (nats), with exact values as tooltips; `epsilon` and `delta` are marked where given.

    >>> from verifier.profile import profile_of
    >>> drawn = plot(profile_of([3, 1], [1, 3]), epsilon="ln(2)")
    >>> drawn, "3/4 (0.75) - 1/4 (0.25)·e^ε" in drawn._repr_svg_()
    (<Plot of the smallest δ: .save(path) writes it>, True)
    """
    bound = None
    if epsilon is not None or delta is not None:
        at = None if epsilon is None else read_epsilon(epsilon, "epsilon")
        smallest = None if at is None else curve.delta(at)
        words = "" if at is None else f"At ε = {exactly(at)} the smallest δ is {smallest}"
        level = delta_bound(delta) if delta is not None else None
        bound = Bound(at, level, words, smallest)
    return Plot(profile_drawing([(name, curve)], bound), ((name, curve),), bound)


def _still(curves: Sequence[tuple[str, Profile | Steps]], bound: Bound | None = None) -> Any:
    """Return the curves as a figure of matplotlib, with the same marks as the SVG."""
    picture, axes = blank("Privacy profile", "ε (nats)", "smallest δ")
    distinct = merged(curves)
    pieces = [PiecewiseCurve.of(curve.profile) for curve in distinct]
    frame = frame_of(pieces, bound)
    for curve, stroke, curve_pieces in zip(distinct, strokes(distinct), pieces, strict=True):
        epsilons = curve_pieces.epsilons(frame.high)
        heights = [float(curve_pieces.at(Fraction(exp(epsilon)))) for epsilon in epsilons]
        dash = (0, tuple(map(int, stroke.dash.split()))) if stroke.dash else "-"
        style = "steps-post" if isinstance(curve.profile, Steps) else "default"
        axes.plot(epsilons, heights, color=stroke.colour, linestyle=dash, drawstyle=style, label=curve.label)
        bends = [bend for bend in curve_pieces.bends if ln(bend) < frame.high][:MOST_MARKS]
        axes.plot([*map(ln, bends)], [float(curve_pieces.at(bend)) for bend in bends], "o", color=stroke.colour, ms=4)
    if frame.floor:
        axes.set_yscale("log")
    else:
        axes.set_ylim(0, float(frame.top))
    axes.set_xlim(0, frame.high)
    if bound is not None:
        _mark(axes, bound, frame.high)
    axes.legend(frameon=False)
    return picture


def _mark(axes: Any, bound: Bound, high: float) -> None:
    """Mark the ε and δ of a question: dashed lines, a cross where they meet, a ring at the smallest δ at this ε."""
    line = {"color": "grey", "linestyle": (0, tuple(map(int, DASHED.split()))), "linewidth": 1}
    level = None if bound.delta is None else float(bound.delta)
    if bound.delta is not None:
        axes.axhline(level, label=f"δ = {exact_text(bound.delta, LONGEST)}", **line)
    if bound.epsilon is None or bound.epsilon.is_infinite or axis_value(bound.epsilon) > high:
        return
    place = axis_value(bound.epsilon)
    axes.axvline(place, label=f"ε = {bound.epsilon.text(LONGEST)}", **line)
    if bound.smallest is not None:
        axes.plot(
            [place],
            [float(bound.smallest.decimal())],
            "o",
            color="black",
            fillstyle="none",
            markersize=8,
            clip_on=False,
        )
    if level is not None:
        axes.plot([place], [level], "x", color="black", markersize=7, clip_on=False)
