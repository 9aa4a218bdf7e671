"""Exchange rates against ε, or against a parameter of θ. Floats place ink here, and decide nothing."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from fractions import Fraction
from math import log

from verifier.errors import InputError
from verifier.numbers import Epsilon, plural, rational
from verifier.show.frame import Drawing
from verifier.show.lines import Axes, Line, LinePiece, lines_drawing
from verifier.show.plots import TURNS, stroke_of
from verifier.wings.exchange.answer import Exchange
from verifier.wings.exchange.curve.answer import Cell, Curve
from verifier.wings.exchange.delta.answer import NAME, DeltaCurve, line_text
from verifier.wings.families.intervals import Interval
from verifier.wings.families.points import bracket

Question = tuple[Mapping[str, str], Exchange]
CAPTION = "The tables are exact; a triangle stands where no finite ε′ is enough."
WANTED = "several ε, or several values of one parameter, such as --set p=1/4 --set p=1/2"


def refuse_plot(names: Sequence[str], count: int) -> None:
    """Refuse a drawing of too few questions, or against several parameters, before any work.

    Raises:
        InputError: for fewer than two questions, and for several parameters.

    """
    if len(names) > 1 or count < 2:
        raise InputError(
            f"{plural(count, 'question')} {'is' if count == 1 else 'are'} given", where="--plot", wanted=WANTED
        )


def exchange_plot(questions: Sequence[Question]) -> Drawing:
    """A drawing: the smallest ε′ at the asked values, joined by lines; a triangle where no finite ε′ is enough.

    It is against the parameter that varies, with a line for each ε; without a parameter against ε.

    Raises:
        InputError: for fewer than two questions, and for several parameters.

    """
    first, names = questions[0][1], list(questions[0][0])
    refuse_plot(names, len(questions))
    left_out = sum(answer.tight_epsilon is None for _, answer in questions)
    axis = names[0] if names else f"ε of {first.source}"
    curves: dict[str, list[tuple[Fraction, Epsilon]]] = {}
    for values, answer in questions:
        if answer.tight_epsilon is not None:
            line = f"ε = {answer.epsilon.text(24)}" if names else ""
            at = rational(values[names[0]]) if names else answer.epsilon.bracket(60)[0]
            curves.setdefault(line, []).append((at, answer.tight_epsilon))
    words = f"the smallest ε′ of {first.target} against {axis}, for every mechanism that is {first.source}"
    words += f"; {left_out} of {len(questions)} unsupported and left out" if left_out else ""
    lines = []
    for number, (name, points) in enumerate(curves.items()):
        finite = sorted((float(at), float(rate.bracket(60)[0])) for at, rate in points if not rate.is_infinite)
        joined = [LinePiece(finite[k : k + 2]) for k in range(len(finite))]
        beyond = sorted(at for at, rate in points if rate.is_infinite)
        if beyond and names:
            words += f"; no finite ε′ is enough at {axis} = {', '.join(map(str, beyond))} for {name}"
        elif beyond:
            words += "; no finite ε′ is enough where a triangle stands"
        named = f"{first.source} → {first.target}" + (f" at {name}" if name else "")
        lines.append(Line(named, stroke_of(TURNS[number % len(TURNS)]), joined, [[float(at)] for at in beyond]))
    return lines_drawing("exchange", CAPTION, words, Axes(axis, f"smallest ε′ of {first.target}"), lines)


def curve_plot(answer: Curve) -> Drawing:
    """A drawing: the rate as a function, with a dot where a piece begins; triangles at the top where it is infinite.

    A curve over ε is drawn against ε itself, and not against x = e^ε.
    """
    finite, infinite = [], []
    for cell in answer.pieces:
        placed = places(answer, cell)
        points = [(x, y) for x, y in placed if y is not None]
        if points:
            finite.append(LinePiece(points, f"{cell.text(answer.name)} for {cell.where.text(answer.name)}"))
        elif placed:
            infinite.append([x for x, _ in (placed[0], placed[-1])])
    at = "" if answer.epsilon is None else f" at ε = {answer.epsilon.text(24)}"
    line = Line(f"{answer.source} → {answer.target}{at}", stroke_of(TURNS[0]), finite, infinite)
    axis, quantity = axis_of(answer), f"smallest ε′ of {answer.target}"
    words = f"the {quantity} against {axis}, for every mechanism that is {answer.source}{at}: {answer.formula}"
    return lines_drawing("exchange", CAPTION, words, Axes(axis, quantity), [line])


def delta_plot(answer: DeltaCurve) -> Drawing:
    """A drawing: the smallest δ′ against ε′, with a dot where each piece begins."""
    at = f"({answer.epsilon.text(24)}, {answer.delta_from})"
    axis, quantity = f"ε′ of {answer.target}", f"smallest δ′ of {answer.target}"
    pieces = []
    for piece in answer.pieces:
        last = piece.end if piece.end is not None else max(piece.start * 2, Fraction(2))
        grid = [piece.start + (last - piece.start) * step / STEPS for step in range(STEPS + 1)]
        points = [(log(float(x)) / float(answer.scale), float(piece.at(x))) for x in grid]
        pieces.append(LinePiece(points, f"{line_text(piece)} for {piece.where.text(NAME)}"))
    line = Line(f"{answer.source} → {answer.target} at {at}", stroke_of(TURNS[0]), pieces)
    words = f"the {quantity} against {axis}, for every mechanism that is {answer.source} at {at}: "
    words += f"{answer.formula}, where {answer.variable}"
    return lines_drawing("exchange", CAPTION, words, Axes(axis, quantity), [line])


STEPS = 80
FAR = Fraction(20)
"""Where the drawing of a curve over all ε ends: at this multiple of the start of its last piece, plus 1."""


def _grid(where: Interval, answer: Curve) -> list[Fraction]:
    """Values inside an interval, evenly spread; for a curve over ε closer together at the lower end."""
    if where.point is not None:
        return [bracket(where.point, 40)[0]]
    low = bracket(where.low, 40)[1] if where.low is not None else Fraction(0)
    high = bracket(where.high, 40)[0] if where.high is not None else low * (FAR if answer.over_epsilon else 1) + 1
    steps = [Fraction(2 * k + 1, 2 * STEPS) for k in range(STEPS)]
    return [low + (high - low) * (step**2 if answer.over_epsilon else step) for step in steps]


def axis_of(answer: Curve) -> str:
    """The name of the horizontal axis in a drawing of a curve."""
    return f"ε of {answer.source}" if answer.over_epsilon else answer.name


def places(answer: Curve, cell: Cell) -> list[tuple[float, float | None]]:
    """The points of a piece in a drawing: ε or the parameter, and the rate, which is None where no ε′ is enough.

    The list is empty where the rate is not known.
    """
    if cell.verdict in {"undecided", "unsupported"}:
        return []
    return [
        (_across(t, answer), None if cell.factor is None else log(float(cell.factor.at(t))) / float(cell.scale))
        for t in [*_ends(cell, 0), *_grid(cell.where, answer), *_ends(cell, 1)]
    ]


def _ends(cell: Cell, side: int) -> list[Fraction]:
    """The lower or upper end of a piece, where the drawing can have it; an open end belongs to the line too."""
    end = (cell.where.low, cell.where.high)[side]
    if end is None or cell.where.point is not None:
        return []
    at = bracket(end, 40)[1 - side]
    try:
        return [at] if cell.factor is None or cell.factor.at(at) > 0 else []
    except ZeroDivisionError:
        return []


def _across(t: Fraction, answer: Curve) -> float:
    """The place of a value of the variable on the horizontal axis: ε = L·ln(t), or the parameter itself."""
    return answer.root * log(float(t)) if answer.over_epsilon else float(t)
