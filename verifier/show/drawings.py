"""Drawings of privacy profiles as small SVG: δ against ε. Floats place ink and decide nothing.

Every number that is written, also in a tooltip, is an exact text with a correctly rounded decimal beside it. The
report and notebooks draw with these. Each drawing has a title and a description, and a table stands beside it.

A `Plot` is a drawing that shows itself in a notebook and is saved as a file.
"""

from __future__ import annotations

from bisect import bisect_right
from collections.abc import Sequence
from dataclasses import dataclass
from fractions import Fraction
from io import BytesIO
from itertools import pairwise
from math import exp
from pathlib import Path
from typing import Any

from verifier.errors import InputError
from verifier.machine.files import write_whole
from verifier.numbers import DIGITS, Delta, Epsilon, delta_bound, exact_text, log_epsilon
from verifier.numbers import epsilon as read_epsilon
from verifier.profile import Profile, Steps
from verifier.show.answers import pieces_sheet
from verifier.show.display import box, figure, fold, table
from verifier.show.frame import (
    DASHED,
    LEFT,
    LETTER,
    TEN,
    TOP,
    WIDTH,
    Drawing,
    Frame,
    Mark,
    axes,
    axis_value,
    curve_path,
    exactly,
    hover,
    key,
    ln,
    near,
    rule,
    top_of,
    word,
)
from verifier.show.plots import ACTIVE, PASSIVE, TINY, Curve, blank, merged, stroke_of, strokes

WIDEST = 12.0
STEPS, LEAST, MOST_PLACES = 48, 8, 400
MOST_LABELS, MOST_MARKS, LONGEST = 8, 60, 14
BELOW = 16.0
"""Units from a line to the foot of a label below it; a label above a line takes as many."""
STILL = (".png", ".pdf")
"""Endings of pictures that matplotlib draws."""
MOST_BENDS = 200
"""Most breakpoints of a curve whose pieces are listed in a table."""


@dataclass(frozen=True)
class Bound:
    """The ε and δ of a question (None where it does not name them), and its answer in words."""

    epsilon: Epsilon | None
    delta: Fraction | None
    words: str = ""
    smallest: Delta | None = None
    """The smallest δ at this ε, or None where it is not known."""


@dataclass(frozen=True)
class PiecewiseCurve:
    """A privacy profile, or the tail of a loss: from the k-th bend on, δ = A - B·e^ε with the (k+1)-th pair (A, B)."""

    bends: tuple[Fraction, ...]
    lines: tuple[tuple[Fraction, Fraction], ...]

    @classmethod
    def of(cls, curve: Profile | Steps) -> PiecewiseCurve:
        """Return the exact pieces of a curve.

        >>> from verifier.profile import profile_of
        >>> curve = PiecewiseCurve.of(profile_of([3, 1], [1, 3]))
        >>> curve.bends, curve.lines
        ((Fraction(3, 1),), ((Fraction(3, 4), Fraction(1, 4)), (Fraction(0, 1), Fraction(0, 1))))
        """
        if isinstance(curve, Steps):
            return cls(curve.breakpoints, tuple((value, Fraction(0)) for value in curve.values))
        below = curve.denominator
        return cls(curve.breakpoints, tuple((Fraction(p, below), Fraction(q, below)) for q, p in curve.points[::-1]))

    def at(self, e: Fraction) -> Fraction:
        """Return δ at ε = ln(e), exactly: A - B·e on the piece of e."""
        a, b = self.lines[bisect_right(self.bends, e)]
        return a - b * e

    @property
    def first(self) -> Fraction:
        """δ at ε = 0."""
        return self.at(Fraction(1))

    @property
    def last(self) -> Fraction:
        """δ at ε = ∞."""
        return self.lines[-1][0]

    def epsilons(self, high: float) -> list[float]:
        """Return the ε (nats, up to `high`) at which the curve is drawn: the bends and values between them."""
        ends = sorted({0.0, high, *(epsilon for bend in self.bends if (epsilon := ln(bend)) < high)})
        if len(ends) > MOST_PLACES:
            return [high * k / MOST_PLACES for k in range(MOST_PLACES + 1)]
        epsilons = []
        for start, end in pairwise(ends):
            share = max(LEAST if len(ends) <= STEPS else 1, int(STEPS * (end - start) / high))
            epsilons += [start + k * (end - start) / share for k in range(share)]
        return [*epsilons, high]


def profile_drawing(curves: Sequence[tuple[str, Profile | Steps]], bound: Bound | None = None) -> Drawing:
    """Draw δ against ε (nats) for named curves; equal curves are drawn once, with all names; `bound` is marked.

    Each breakpoint is a mark, and the first few are labelled; breakpoints and pieces say their exact values.
    """
    distinct = merged(curves)
    pieces = [PiecewiseCurve.of(curve.profile) for curve in distinct]
    frame = frame_of(pieces, bound)
    marks, labels = axes(frame, 52.0), dict[Fraction, float]()
    looks = strokes([curve.names[0] for curve in distinct])
    for curve, stroke, curve_pieces in zip(distinct, looks, pieces, strict=True):
        marks.append(curve_path(stroke, _path(frame, curve_pieces), curve.label))
        marks += _pieces(frame, curve_pieces, curve.label)
        for bend in [bend for bend in curve_pieces.bends if ln(bend) < frame.high][:MOST_MARKS]:
            delta, centre = (
                curve_pieces.at(bend),
                f"cx='{frame.x(ln(bend)):.1f}' cy='{frame.y(curve_pieces.at(bend)):.1f}'",
            )
            tooltip = f"{curve.label}: at ε = {exactly(log_epsilon(bend))} the smallest δ is {exactly(delta)}"
            marks.append(Mark("circle", f"m {stroke.tone}", f"r='3' {centre}", f"fill='{stroke.colour}'", tooltip))
            labels.setdefault(bend, frame.y(delta))
    marks += _bend_labels(frame, labels)
    if bound is not None:
        marks += _bound(frame, bound)
    names, end = key(frame.bottom + 76.0, [(look, curve.label) for look, curve in zip(looks, distinct, strict=True)])
    description = "; ".join(
        _description(curve, curve_pieces) for curve, curve_pieces in zip(distinct, pieces, strict=True)
    )
    description += f". {bound.words}" if bound is not None and bound.words else "."
    axis = " on a logarithmic axis" if frame.floor else ""
    return Drawing(
        "profile",
        f"The privacy profile: the smallest δ{axis} at each ε. Marks are the breakpoints of the curves.",
        end + 16.0,
        "Privacy profile: the smallest δ against ε",
        description,
        marks + names,
    )


def attackers_drawing(active: Profile, passive: Profile, frame: Frame | None = None) -> Drawing:
    """Draw the active attacker's privacy profile above the passive attacker's, and shade the gap between them.

    Without a `frame` the axes fit the two profiles; drawings that a reader compares share one.
    """
    active_pieces, passive_pieces = PiecewiseCurve.of(active), PiecewiseCurve.of(passive)
    frame = frame or frame_of([active_pieces, passive_pieces])
    marks = axes(frame, 34.0)
    return_path = "L" + " ".join(f"{x:.1f},{y:.1f}" for x, y in reversed(_points(frame, passive_pieces)))
    area = f"d='{_path(frame, active_pieces)}{return_path}Z'"
    marks.append(Mark("path", "gap", area, f"fill='{ACTIVE.colour}20'"))
    names = [(stroke_of(ACTIVE), "active attacker (apkdp)"), (stroke_of(PASSIVE), "passive attacker (ppkdp)")]
    for (stroke, name), curve_pieces in zip(names, (active_pieces, passive_pieces), strict=True):
        marks.append(curve_path(stroke, _path(frame, curve_pieces), name))
        marks += _pieces(frame, curve_pieces, name)
    legend, end = key(frame.bottom + 58.0, names)
    curves = zip(names, (active, passive), (active_pieces, passive_pieces), strict=True)
    description = "; ".join(
        _description(Curve((name,), curve), curve_pieces) for (_, name), curve, curve_pieces in curves
    )
    axis = " on a logarithmic axis" if frame.floor else ""
    return Drawing(
        "attackers",
        f"An active attacker, who chooses what she knows, and a passive one, who is given it: the smallest δ{axis}.",
        end + 16.0,
        "Active against passive attacker: the smallest δ against ε",
        f"{description}.",
        marks + legend,
    )


def frame_of(curves: Sequence[PiecewiseCurve], bound: Bound | None = None) -> Frame:
    """Return the axes: δ logarithmic where a curve is positive but below 1/100; ε up to beyond the last breakpoint."""
    starts, ends = [curve.first for curve in curves], [curve.last for curve in curves]
    bends = [ln(curve.bends[-1]) for curve in curves if curve.bends]
    if bound is not None and bound.epsilon is not None and not bound.epsilon.is_infinite:
        bends.append(epsilon if (epsilon := axis_value(bound.epsilon)) < WIDEST else 0.0)
    widest = min(max([1.0, *(1.15 * bend for bend in bends)]), WIDEST)
    if not any(0 < start < TINY for start in starts):
        return Frame(
            0.0,
            widest,
            top=top_of([*starts, *([bound.delta] if bound is not None and bound.delta is not None else [])]),
        )
    least = min(end or start for start, end in zip(starts, ends, strict=True) if start > 0)
    return Frame(0.0, widest, floor=float(int(ln(least) / TEN) - 2))


def _points(frame: Frame, curve: PiecewiseCurve) -> list[tuple[float, float]]:
    """Return the points of the drawn curve, without the inner points of level parts."""
    heights = [(epsilon, curve.at(Fraction(exp(epsilon)))) for epsilon in curve.epsilons(frame.high)]
    points = [
        point
        for k, point in enumerate(heights)
        if not 0 < k < len(heights) - 1 or not heights[k - 1][1] == point[1] == heights[k + 1][1]
    ]
    return [(frame.x(epsilon), frame.y(delta)) for epsilon, delta in points]


def _path(frame: Frame, curve: PiecewiseCurve) -> str:
    if any(b for _, b in curve.lines):
        return "M" + " ".join(f"{x:.1f},{y:.1f}" for x, y in _points(frame, curve))
    path = f"M{frame.x(0.0):.1f},{frame.y(curve.first):.1f}"
    for bend, (a, _) in zip(curve.bends, curve.lines[1:], strict=True):
        if ln(bend) < frame.high:
            path += f"H{frame.x(ln(bend)):.1f}V{frame.y(a):.1f}"
    return f"{path}H{frame.x(frame.high):.1f}"


def _pieces(frame: Frame, curve: PiecewiseCurve, name: str) -> list[Mark]:
    """Return an invisible line over each piece of a curve; its tooltip is the formula of the piece."""
    ends = [Fraction(1), *curve.bends]
    marks = []
    for number, (start, (a, b)) in enumerate(list(zip(ends, curve.lines, strict=True))[:MOST_MARKS]):
        low, high = ln(start), frame.high if number + 1 == len(ends) else min(ln(ends[number + 1]), frame.high)
        if low >= frame.high:
            break
        share = 1 if not b else 8
        epsilons = [low + k * (high - low) / share for k in range(share + 1)]
        points = ((frame.x(epsilon), frame.y(max(Fraction(0), a - b * Fraction(exp(epsilon))))) for epsilon in epsilons)
        formula = exactly(a) + (f" - {exactly(b)}·e^ε" if b else "")
        after = "" if number + 1 == len(ends) else f" to {exactly(log_epsilon(ends[number + 1]))}"
        tooltip = f"{name}: δ = {formula}, from ε = {exactly(log_epsilon(start))}{after}"
        marks.append(hover("M" + " ".join(f"{x:.1f},{y:.1f}" for x, y in points), tooltip))
    return marks


def _bend_labels(frame: Frame, bends: dict[Fraction, float]) -> list[Mark]:
    """Return exact labels ln(p/q) of the first breakpoints, each with a thin line, as far as there is room."""
    marks, free = [], -1.0
    for bend in sorted(bends)[: 4 * MOST_LABELS]:
        text = f"ln({exact_text(bend)})"
        x, half = frame.x(ln(bend)), len(text) * LETTER / 2
        if len(text) > LONGEST or x - half < free or x + half > WIDTH - 2.0:
            continue
        free = x + half + 8.0
        marks.append(rule(f"M{x:.1f},{bends[bend]:.1f}V{frame.bottom + 22.0:.0f}", kind="gr dot"))
        marks.append(word(x, frame.bottom + 33.0, text, anchor="middle", kind="v"))
    return marks


def _bound(frame: Frame, bound: Bound) -> list[Mark]:
    """Return the ε and δ of the question as dashed lines that cross, and a ring at the smallest δ at this ε."""
    line = f"fill='none' stroke='currentColor' stroke-dasharray='{DASHED}'"
    end, marks = frame.x(frame.high), list[Mark]()
    is_finite = bound.epsilon is not None and not bound.epsilon.is_infinite
    height = None if bound.delta is None else frame.y(bound.delta)
    is_high = height is not None and height < BELOW
    # Such a label has no room above its line.
    if height is not None and bound.delta is not None:
        marks.append(Mark("path", "asked", f"d='M{LEFT:.0f},{height:.1f}H{end:.1f}'", line, bound.words))
        label = f"δ = {exact_text(bound.delta, LONGEST)}"
        marks.append(word(end, height + (BELOW if is_high else -4.0), label, anchor="end", kind="v"))
    if bound.epsilon is None or not is_finite:
        return marks
    epsilon = axis_value(bound.epsilon)
    x, is_far = frame.x(min(epsilon, frame.high)), epsilon > frame.high
    marks.append(Mark("path", "asked", f"d='M{x:.1f},{TOP:.0f}V{frame.bottom:.0f}'", line, bound.words))
    side, shift = ("start", 5.0) if x < WIDTH / 2 else ("end", -5.0)
    label = f"ε = {bound.epsilon.text(LONGEST)}{' →' if is_far else ''}"
    marks.append(word(x + shift, TOP + (10.0 + BELOW if is_high else 10.0), label, anchor=side, kind="v"))
    if is_far:
        return marks
    bold = "fill='none' stroke='currentColor' stroke-width='2'"
    if bound.smallest is not None:
        y = frame.y(Fraction(bound.smallest.decimal()))
        ring = f"the smallest δ at ε = {exactly(bound.epsilon)} is {exactly(bound.smallest)}"
        marks.append(Mark("circle", "asked", f"r='6' cx='{x:.1f}' cy='{y:.1f}'", bold, ring))
    if height is not None:
        cross = f"M{x - 4.0:.1f},{height - 4.0:.1f}l8,8m0,-8l-8,8"
        marks.append(Mark("path", "asked", f"d='{cross}'", bold, bound.words))
    return marks


def _description(curve: Curve, pieces: PiecewiseCurve) -> str:
    """Return a description of a curve in words, for readers who do not see the drawing."""
    names = " = ".join(curve.names)
    if pieces.first == pieces.last:
        return f"{names}: δ = {near(pieces.first)} at every ε"
    where = ", ".join(f"ln({exact_text(bend, DIGITS)})" for bend in pieces.bends[:6]) + (
        ", …" if len(pieces.bends) > 6 else ""
    )
    return (
        f"{names}: δ falls from {near(pieces.first)} at ε = 0 to {near(pieces.last)}, with breakpoints at ε = {where}"
    )


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
            image = BytesIO()
            _still(self.curves, self.bound).savefig(image, format=file.suffix[1:], bbox_inches="tight", dpi=200)
            write_whole(file, image.getvalue())
        else:
            wanted = f"a file that ends in .svg, {' or '.join(STILL)}"
            raise InputError(
                f"the ending of {file.name} is unknown", where="path", wanted=wanted, tip='save("profile.svg")'
            )
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


def _still(curves: Sequence[tuple[str, Profile | Steps]], bound: Bound | None) -> Any:
    """Return the curves as a figure of matplotlib, with the same marks as the SVG."""
    picture, axes = blank("Privacy profile", "ε (nats)", "smallest δ")
    distinct = merged(curves)
    pieces = [PiecewiseCurve.of(curve.profile) for curve in distinct]
    frame = frame_of(pieces, bound)
    looks = strokes([curve.names[0] for curve in distinct])
    for curve, stroke, curve_pieces in zip(distinct, looks, pieces, strict=True):
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
