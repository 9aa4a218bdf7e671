"""The smallest δ and ε of a family against its parameter. Floats place ink here, and decide nothing."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from fractions import Fraction
from math import exp, log

from verifier.definitions.registry import is_tail
from verifier.numbers import exact_text
from verifier.show.plots import INK, as_svg, blank, look_of
from verifier.wings.families.curves import Piece
from verifier.wings.families.decide import FamilyVerdict
from verifier.wings.families.intervals import Interval
from verifier.wings.families.points import Line, Point, bracket

STEPS = 60
FAR = Fraction(10)
"""The length that is drawn of a range without an end."""


def family_plots(answers: Sequence[FamilyVerdict]) -> dict[str, str]:
    """SVG drawings by name, `delta` and `epsilon`: a curve for each definition, with the points between pieces marked.

    Tail forms are drawn only if no other definition is asked; definitions that are vacuous are left out.
    """
    answers = [answer for answer in answers if answer.verdict != "vacuous"]
    if not answers:
        return {}
    answers = [answer for answer in answers if not is_tail(answer.definition)] or answers
    first = answers[0]
    at_epsilon = f" at ε = {first.factor}" if first.factor else ""
    drawings = {
        "delta": (
            f"smallest δ{at_epsilon}",
            [(answer, _tested(answer, answer.tight_delta)) for answer in answers],
            _delta,
        ),
        "epsilon": (
            f"smallest ε at δ = {exact_text(first.delta)}",
            [(answer, _tested(answer, answer.tight_epsilon)) for answer in answers],
            _epsilon,
        ),
    }
    return {
        name: _drawn(title, [(answer, pieces) for answer, pieces in curves if pieces], first.name, height)
        for name, (title, curves, height) in drawings.items()
        if any(piece.value is not None and piece.where.point is None for _, pieces in curves for piece in pieces or ())
    }


def _tested(answer: FamilyVerdict, pieces: Sequence[Piece] | None) -> list[Piece]:
    """The pieces of a curve on which the definition is not vacuous."""
    return [piece for piece in pieces or () if piece.where not in answer.where["vacuous"]]


Height = Callable[[FamilyVerdict, Line, Fraction], float]


def _drawn(title: str, curves: Sequence[tuple[FamilyVerdict, Sequence[Piece]]], name: str, height: Height) -> str:
    figure, axes = blank(title, name, title.split(" at ", maxsplit=1)[0])
    curves_drawn: dict[tuple[tuple[Piece, ...], bool], list[FamilyVerdict]] = {}
    for answer, pieces in curves:
        curves_drawn.setdefault((tuple(pieces), answer.linear), []).append(answer)
    infinite = []
    for (pieces, _), answers in curves_drawn.items():
        names = [answer.definition for answer in answers]
        curve = look_of(names[0])
        look = {"color": curve.colour, "linewidth": 1.7, "linestyle": curve.line}
        label: str | None = " = ".join(names)
        for piece in pieces:
            if piece.value is None:
                infinite += names
                continue
            xs = _grid(piece.where)
            ys = [height(answers[0], piece.value, x) for x in xs]
            if len(xs) == 1:
                axes.plot([_place(xs[0])], ys, ".", color=look["color"])
                continue
            axes.plot([_place(x) for x in xs], ys, label=label, **look)
            axes.plot([_place(xs[-1])], ys[-1:], ".", color=look["color"], markersize=3.5)
            label = None
    axes.set_ylim(bottom=0)
    if axes.get_legend_handles_labels()[0]:
        axes.legend(frameon=False, labelcolor=INK, fontsize=8)
    listed = "; ".join(" = ".join(answer.definition for answer in answers) for answers in curves_drawn.values())
    words = f"{title} against {name}, for {listed}"
    if infinite:
        words += f"; infinite somewhere for {', '.join(dict.fromkeys(infinite))}"
    return as_svg(figure, words)


def _grid(where: Interval) -> list[Fraction]:
    """Values inside an interval, up to close to its ends; the value itself where the interval is one point."""
    if where.point is not None:
        return [_near(where.point)]
    low = _near(where.low) if where.low is not None else None
    high = _near(where.high) if where.high is not None else None
    start = low if low is not None else (high or Fraction(0)) - FAR
    end = high if high is not None else start + FAR
    return [start + (end - start) * Fraction(2 * k + 1, 2 * STEPS) for k in range(STEPS)]


def _near(point: Point) -> Fraction:
    return bracket(point, 40)[0]


def _place(x: Fraction) -> float:
    return x.numerator / x.denominator


def _delta(_answer: FamilyVerdict, line: Line, x: Fraction) -> float:
    value = _place(line.a.at(x))
    if line.epsilon is not None:
        value -= _place(line.b.at(x)) * exp(_place(line.epsilon.bracket(60)[0]))
    return value


def _epsilon(answer: FamilyVerdict, line: Line, x: Fraction) -> float:
    value = _place(line.a.at(x))
    return value if answer.linear else log(value)
