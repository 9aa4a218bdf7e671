"""The smallest δ and ε of a family against its parameter. Floats place ink here, and decide nothing."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from fractions import Fraction
from math import exp, log

from verifier.definitions.registry import is_tail
from verifier.numbers import exact_text
from verifier.show.frame import Drawing
from verifier.show.lines import Axes, Line, LinePiece, lines_drawing
from verifier.show.plots import strokes
from verifier.tables import collected
from verifier.wings.families.answer import FamilyVerdict, delta_text, epsilon_text
from verifier.wings.families.curves import Piece
from verifier.wings.families.intervals import Interval
from verifier.wings.families.points import Line as Height
from verifier.wings.families.points import Point, bracket
from verifier.wings.families.sheets import short

STEPS = 60
FAR = Fraction(10)
"""The length that is drawn of a range without an end."""


def family_plots(answers: Sequence[FamilyVerdict]) -> dict[str, Drawing]:
    """Drawings by name, `delta` and `epsilon`: a line for each definition, with a dot where each piece begins.

    Tail forms are drawn only if no other definition is asked; definitions that are vacuous are left out.
    """
    answers = [answer for answer in answers if answer.verdict != "vacuous"]
    answers = [answer for answer in answers if not is_tail(answer.definition)] or answers
    if not answers:
        return {}
    first = answers[0]
    drawings = {
        "delta": _drawing(
            "smallest δ",
            f" at ε = {first.factor}" if first.factor else "",
            [(answer, _tested(answer, answer.tight_delta)) for answer in answers],
            lambda answer, piece: delta_text(answer.name, piece),
            _delta,
        ),
        "epsilon": _drawing(
            "smallest ε",
            f" at δ = {exact_text(first.delta)}",
            [(answer, _tested(answer, answer.tight_epsilon)) for answer in answers],
            epsilon_text,
            _epsilon,
        ),
    }
    return {name: drawing for name, drawing in drawings.items() if drawing is not None}


def _tested(answer: FamilyVerdict, pieces: Sequence[Piece] | None) -> tuple[Piece, ...]:
    """The pieces of a curve on which the definition is not vacuous."""
    return tuple(piece for piece in pieces or () if piece.where not in answer.where["vacuous"])


def _drawing(
    quantity: str,
    asked: str,
    curves: Sequence[tuple[FamilyVerdict, tuple[Piece, ...]]],
    words: Callable[[FamilyVerdict, Piece], str],
    height: Callable[[FamilyVerdict, Height, Fraction], float],
) -> Drawing | None:
    """A quantity against the parameter, a line for each different curve; None where no curve has a length."""
    if not any(piece.value is not None and piece.where.point is None for _, pieces in curves for piece in pieces):
        return None
    alike = collected(((pieces, answer.linear), answer) for answer, pieces in curves if pieces)
    lines = []
    for ((pieces, _), same), stroke in zip(
        alike.items(), strokes([same[0].definition for same in alike.values()]), strict=True
    ):
        drawn, beyond = [], []
        for piece in pieces:
            xs = _grid(piece.where)
            if piece.value is None:
                beyond.append([float(x) for x in dict.fromkeys((xs[0], xs[-1]))])
            else:
                points = [(float(x), height(same[0], piece.value, x)) for x in xs]
                drawn.append(LinePiece(points, f"{words(same[0], piece)} for {piece.where.text(same[0].name, short)}"))
        lines.append(Line(" = ".join(answer.definition for answer in same), stroke, drawn, beyond))
    name = curves[0][0].name
    title = f"{quantity}{asked} against {name}, for {'; '.join(line.name for line in lines)}"
    if infinite := [line.name for line in lines if line.beyond]:
        title += f"; infinite somewhere for {', '.join(infinite)}"
    caption = f"The {quantity}{asked} against {name}" + (
        "; a triangle stands where it is infinite." if infinite else "."
    )
    return lines_drawing("family", caption, title, Axes(name, quantity), lines)


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


def _delta(_answer: FamilyVerdict, line: Height, x: Fraction) -> float:
    value = float(line.a.at(x))
    if line.epsilon is not None:
        value -= float(line.b.at(x)) * exp(float(line.epsilon.bracket(60)[0]))
    return value


def _epsilon(answer: FamilyVerdict, line: Height, x: Fraction) -> float:
    value = float(line.a.at(x))
    return value if answer.linear else log(value)
