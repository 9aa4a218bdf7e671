"""Two laws as tables and drawings: the numbers of a pair, its privacy profile, and the curve of the best tests."""

from __future__ import annotations

from collections.abc import Sequence
from fractions import Fraction
from typing import TYPE_CHECKING

from verifier.numbers import MAX_DIGITS
from verifier.show.answers import pieces_sheet
from verifier.show.drawings import Bound, Plot, profile_drawing
from verifier.show.frame import Drawing, exactly
from verifier.show.lines import Axes, Line, LinePiece, lines_drawing, straight
from verifier.show.plots import ANYBODY, TURNS, stroke_of
from verifier.show.sheet import ITEMS, Sheet, exact, number_cell

if TYPE_CHECKING:
    from verifier.questions.pair import PairAnswer, RawPair, Vertex

MOST_VERTICES = 12
"""Vertices and pieces of a curve that are printed; JSON has all."""
RECHECKED = (
    "Re-checked: yes, by the independent checker, as dp, renyidp and zcodp of the model with the values P and Q."
)
READ_OFF = "Advantage, Bayes risk and true positives are read off the vertices of T(P, Q)."


def pair_sheets(answer: PairAnswer, max_digits: int = MAX_DIGITS, digits: int = 12) -> list[Sheet]:
    """Return the numbers of a pair, the pieces of δ(ε), and the vertices of the trade-off curve."""
    rows = tuple((name, number_cell(value, digits)) for name, value in answer.numbers())
    word = RECHECKED if answer.replayed else f"Not re-checked by the independent checker: {answer.unchecked}."
    pair = answer.pair
    return [
        Sheet(pair.model.title, ITEMS, rows, (word, READ_OFF)),
        _short(pieces_sheet(pair.profile, "the pair, both directions", min(max_digits, 60), digits)),
        _short(
            Sheet(
                "trade-off curve T(P, Q): the least misses β at false alarms α, linear between the vertices",
                ("α = P[S]", "β = 1 - Q[S]"),
                tuple((exact(alpha), exact(beta)) for alpha, beta in pair.trade_off),
            )
        ),
    ]


def _short(sheet: Sheet) -> Sheet:
    """Return a table with its first rows, and a note on those left out."""
    left = len(sheet.rows) - MOST_VERTICES
    if left <= 0:
        return sheet
    return Sheet(sheet.title, sheet.columns, sheet.rows[:MOST_VERTICES], (*sheet.notes, f"… and {left} more (--json)"))


def profile_plot(pair: RawPair, answer: PairAnswer | None = None) -> Plot:
    """Return the drawing of the smallest δ against ε, one curve for each direction; equal ones are drawn once."""
    curves = tuple((way.name, way.profile) for way in (pair.p_against_q, pair.q_against_p))
    bound = None
    if answer is not None and answer.deltas:
        first = answer.deltas[0]
        bound = Bound(first.at, None, f"At ε = {exactly(first.at)} the smallest δ is {first.value}", first.value)
    return Plot(profile_drawing(curves, bound), curves, bound)


def trade_off_drawing(pair: RawPair) -> Drawing:
    """Return the drawing of the least misses β against the false alarms α, with guessing as a dashed line."""
    vertices = pair.trade_off
    pieces = [_piece(vertices[k : k + 2]) for k in range(len(vertices) - 1)]
    corners = (Fraction(0), Fraction(1)), (Fraction(1), Fraction(0))
    lines = [Line("T(P, Q)", stroke_of(TURNS[0]), pieces), Line("guessing", stroke_of(ANYBODY), [_piece(corners)])]
    title = "Trade-off curve: the least misses β at false alarms α"
    caption = "The best tests between two laws: how often P is taken for Q, and Q for P. Marks are the vertices."
    return lines_drawing("trade-off", caption, title, Axes("false alarms α = P[S]", "misses β = 1 - Q[S]"), lines)


def _piece(ends: Sequence[Vertex]) -> LinePiece:
    (a, b), (c, d) = ends
    return straight(ends, f"from ({exactly(a)}, {exactly(b)}) to ({exactly(c)}, {exactly(d)})")
