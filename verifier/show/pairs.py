"""Two laws as tables and drawings: the numbers of a pair, its privacy profile, and the curve of the best tests."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from fractions import Fraction
from typing import TYPE_CHECKING

from verifier.errors import UnsupportedError
from verifier.numbers import epsilon as read_epsilon
from verifier.show.answers import pieces_sheet
from verifier.show.bars import mirrored_drawing
from verifier.show.display import box, figure
from verifier.show.drawings import Bound, Plot, profile_drawing
from verifier.show.frame import Drawing, exactly
from verifier.show.lines import Axes, Line, LinePiece, lines_drawing, straight
from verifier.show.plots import ANYBODY, CAUSAL, DASHES, OTHER, TURNS, stroke_of
from verifier.show.sheet import ITEMS, Sheet, exact, number_cell

if TYPE_CHECKING:
    from verifier.profile import Vertex
    from verifier.questions.pair import PairAnswer, RawPair

MOST_BARS = 24
"""Most outputs that are drawn as bars."""
MOST_VERTICES = 12
"""Vertices and pieces of a curve that are printed; JSON has all."""
RECHECKED = (
    "Re-checked: yes, by the independent checker, as dp, renyidp and zcodp of the model with the values P and Q."
)
READ_OFF = "Advantage, Bayes risk and true positives are read off the vertices of T(P, Q)."


def pair_sheets(answer: PairAnswer, max_digits: int, digits: int) -> list[Sheet]:
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


def mirrored(pair: RawPair, *, epsilon: object = 0) -> Drawing:
    """Draw P and Q as bars up and down; what sticks out above e^ε times the lower law is hatched: it is δ.

    >>> from verifier.questions.pair import pair
    >>> coin = pair({"yes": "3/4", "no": "1/4"}, {"yes": "1/4", "no": "3/4"})
    >>> mirrored(coin, epsilon="ln(2)").caption
    'Two laws, bar by bar; what is hatched is δ. The event: yes.'

    Raises:
        UnsupportedError: for more than 24 outputs.

    """
    p, q = pair.p_against_q.laws, pair.q_against_p.laws
    if len(p.outputs) > MOST_BARS:
        problem = f"{len(p.outputs)} outputs are too many for bars"
        raise UnsupportedError(
            problem, wanted=f"at most {MOST_BARS}", tip="pair.tests() and pair.profile.plot() draw any pair"
        )
    rows = [
        (output.text, Fraction(first, p.total), Fraction(second, p.total))
        for output, first, second in zip(p.outputs, p.p, q.p, strict=True)
    ]
    return mirrored_drawing(rows, ("P", "Q"), read_epsilon(epsilon, "epsilon"))


def trade_off_drawing(pair: RawPair, *, epsilon: object = None) -> Drawing:
    """Draw the least misses β against the false alarms α, guessing, and the advantage; with ε, the line of (ε, δ)."""
    vertices = pair.trade_off
    pieces = [_piece(vertices[k : k + 2]) for k in range(len(vertices) - 1)]
    corners = (Fraction(0), Fraction(1)), (Fraction(1), Fraction(0))
    lines = [Line("T(P, Q)", stroke_of(TURNS[0]), pieces), Line("guessing", stroke_of(ANYBODY), [_piece(corners)])]
    alpha, beta = min(vertices, key=sum)
    if pair.advantage:
        name = f"advantage {exactly(pair.advantage)}"
        lines.append(Line(name, stroke_of(OTHER), [straight([(alpha, beta), (alpha, 1 - alpha)], name)]))
    at = None if epsilon is None else read_epsilon(epsilon, "epsilon")
    if at is not None and at.exp is not None:
        delta = pair.q_against_p.profile.delta(at)
        name = f"ε = {at.text(20)}, δ = {delta}: β at least 1 - δ - e^ε·α"
        top = 1 - Fraction(delta.decimal())
        end = min(Fraction(1), top / at.exp)
        lines.append(
            Line(
                name,
                replace(stroke_of(CAUSAL), dash=DASHES[1]),
                [straight([(Fraction(0), top), (end, top - at.exp * end)], name)],
            )
        )
    title = "Trade-off curve: the least misses β at false alarms α"
    caption = "The best tests between two laws: how often P is taken for Q, and Q for P. Marks are the vertices."
    return lines_drawing("trade-off", caption, title, Axes("false alarms α = P[S]", "misses β = 1 - Q[S]"), lines)


def pair_html(pair: RawPair) -> str:
    """Return a pair as HTML: its bars, its trade-off curve and its profile."""
    bars = [figure(mirrored(pair))] if len(pair.p_against_q.laws.outputs) <= MOST_BARS else []
    return box(*bars, figure(trade_off_drawing(pair)), figure(profile_plot(pair).drawing))


def _piece(ends: Sequence[Vertex]) -> LinePiece:
    (a, b), (c, d) = ends
    return straight(ends, f"from ({exactly(a)}, {exactly(b)}) to ({exactly(c)}, {exactly(d)})")
