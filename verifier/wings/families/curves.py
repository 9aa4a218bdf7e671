"""The smallest δ and ε of a family as piecewise functions of the parameter, where the support does not change."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass
from fractions import Fraction
from functools import cmp_to_key, partial
from itertools import combinations, pairwise

from verifier.errors import LimitError, UnsupportedError
from verifier.numbers import Epsilon, Function
from verifier.wings.families.intervals import Interval, only
from verifier.wings.families.pairs import FamilyComparison, by_scale, pairs_in, unit_of
from verifier.wings.families.points import NOTHING, ONE, Line, Point, ascending, between, order

MAX_OUTCOMES = 64
"""Largest number of outputs of one comparison whose losses are sorted for every value of the parameter."""
Span = tuple[Point | None, Point | None]
SlopeLine = tuple[Function, Function | None]


@dataclass(frozen=True)
class Piece:
    """A piece of a piecewise function: an interval and the function there; None stands for ∞."""

    where: Interval
    value: Line | None


@dataclass(frozen=True)
class OutputLine:
    """The line P - Q·e^ε of an output, and its gain: what it adds to δ where the line is positive (P for a tail)."""

    line: Line
    gain: Line


def cells(span: Span, lines: Iterable[Line]) -> list[Span]:
    """The open intervals into which the roots of some lines cut an open interval, from left to right."""
    return list(pairwise([span[0], *ascending(root for line in set(lines) for root in line.roots(*span)), span[1]]))


def _output_line(p: Function, q: Function | None, factor: Epsilon | Function, *, tail: bool) -> OutputLine | None:
    """The line of an output; None where it adds nothing whatever the parameter is."""
    if not p:
        return None
    if q is None or not q:
        return OutputLine(Line(p), Line(p))
    if not isinstance(factor, Function) and factor.is_infinite:
        return None
    line = Line.of(p, q, factor)
    return OutputLine(line, Line(p) if tail else line)


def sum_of_lines(lines: Iterable[Line]) -> Line:
    """The sum of the lines."""
    total = Line(NOTHING)
    for line in lines:
        total = total.plus(line)
    return total


def piecewise(
    span: Span,
    lines: Iterable[Line],
    inside: Callable[[Span], list[Piece]],
    at_point: Callable[[Point, Line | None, Line | None], list[Piece]],
) -> list[Piece]:
    """A piecewise function on a span: `inside(cell)` on each cell between roots of the lines, `at_point` between cells.

    `at_point(point, value before, value after)` returns the pieces at a point between two cells.
    """
    pieces: list[Piece] = []
    for cell in cells(span, lines):
        after = inside(cell)
        if pieces and cell[0] is not None:
            pieces += at_point(cell[0], pieces[-1].value, after[0].value)
        pieces += after
    return merged(pieces, span)


def deltas(compared: Sequence[FamilyComparison], factor: Epsilon | Function, span: Span, *, tail: bool) -> list[Piece]:
    """The smallest δ at ε on an open interval on which nothing becomes possible or impossible.

    On a cell where no P - Q·e^ε changes its sign each comparison is one line, and the largest is found piece by piece.
    A hockey-stick divergence is continuous, so that the points between cells belong to either side; for a tail the
    outputs that count at such a point are those whose loss is above ε there.
    """
    lines = {pair: line for pair in pairs_in(compared) if (line := _output_line(*pair, factor, tail=tail)) is not None}
    different = {outcome.line for outcome in lines.values()}

    def sums(at: Point) -> dict[Line, None]:
        signs = {line: line.sign(at) for line in different}
        gains = {pair: outcome.gain for pair, outcome in lines.items() if signs[outcome.line] > 0}
        if not gains:
            return {Line(NOTHING): None}
        return dict.fromkeys(
            sum_of_lines(gains[pair] for pair in comparison.outcomes if pair in gains) for comparison in compared
        )

    def at_point(at: Point, *_beside: Line | None) -> list[Piece]:
        return [Piece(only(at), largest_at(sums(at), at))] if tail else []

    return piecewise(span, different, lambda cell: largest(sums(between(*cell)), cell), at_point)


def sums(compared: Sequence[FamilyComparison], span: Span) -> list[Piece]:
    """The largest Σ max(0, P) - least of the comparisons, piece by piece; infinite if some term has no Q."""
    if any(q is None for comparison in compared for _, q in comparison.outcomes):
        return [Piece(Interval(*span), None)]
    every = [([Line(p) for p, _ in comparison.outcomes if p], comparison.least) for comparison in compared]

    def lines_at(at: Point) -> dict[Line, None]:
        return dict.fromkeys(
            sum_of_lines(line for line in terms if line.sign(at) > 0).less(least) for terms, least in every
        )

    crossing = (line for terms, _ in every for line in terms)
    return piecewise(span, crossing, lambda cell: largest(lines_at(between(*cell)), cell), lambda *_beside: [])


def largest_at(lines: Iterable[Line], at: Point) -> Line:
    """The first of the largest lines at a point."""
    best, *following = lines
    for line in following:
        best = line if line.minus(best).sign(at) > 0 else best
    return best


def largest(lines: Iterable[Line], span: Span) -> list[Piece]:
    """The pointwise maximum of finitely many continuous lines on an open interval, piece by piece.

    >>> p = Function.parameter("p")
    >>> rising, falling = Line(p), Line(1 - p)
    >>> ends = Fraction(0), Fraction(1)
    >>> [(piece.where.text("p"), piece.value.text("p", Fraction(1, 2))) for piece in largest([rising, falling], ends)]
    [('0 < p < 1/2', '1 - p'), ('1/2 < p < 1', 'p')]
    """
    every = list(lines)
    low, high = span
    sample = between(low, high)
    while True:
        best = largest_at(every, sample)
        differences = [best.minus(line) for line in every if line != best]
        if all(difference.sign(sample) for difference in differences):
            break
        sample = between(sample, high)  # two lines meet there
    left, right = low, high
    for root in ascending(root for difference in differences for root in difference.roots(low, high)):
        if order(root, sample) < 0:
            left = root
        else:
            right = root
            break
    before = largest(every, (low, left)) if left is not low else []
    after = largest(every, (right, high)) if right is not high else []
    return [*before, Piece(Interval(left, right), best), *after]


def finite(compared: Sequence[FamilyComparison], delta: Fraction, span: Span) -> list[Piece]:
    """The pieces on which some finite ε is enough at δ, with the line 0; on the others, with None, none is.

    Some finite ε is enough iff the outputs with Q = 0 have probability at most δ under P.
    """
    lost = _lost(compared, delta)

    def feasible(where: Interval) -> list[Piece]:
        return [Piece(where, Line(NOTHING) if all(line.sign(where.sample) <= 0 for line in lost) else None)]

    return piecewise(span, lost, lambda cell: feasible(Interval(*cell)), lambda at, *_beside: feasible(only(at)))


def _lost(compared: Sequence[FamilyComparison], delta: Fraction) -> list[Line]:
    """How likely P makes the outputs with Q = 0, less δ; comparisons with the same such outputs have one line."""
    losing = {(p, q): p for p, q in pairs_in(compared) if p and (q is None or not q)}
    sets = dict.fromkeys(
        tuple([losing[pair] for pair in comparison.outcomes if pair in losing]) if losing else ()
        for comparison in compared
    )
    return [sum_of_lines(map(Line, probabilities)).less(delta) for probabilities in sets]


def epsilons(compared: Sequence[FamilyComparison], delta: Fraction, span: Span, *, tail: bool) -> list[Piece]:
    """The smallest e^(u·ε) ≥ 1 at δ on an open interval on which nothing becomes possible or impossible; u = `unit_of`.

    δ(ε) ≤ δ says P(S) - e^ε·Q(S) ≤ δ for every set S of outputs, so that the smallest e^ε is the largest
    (P(S) - δ)/Q(S); it is attained by outputs with the largest losses. At δ = 0 one output is enough.

    Raises:
        UnsupportedError: at δ > 0 for a tail, and for several multiples of ε.
        LimitError: at δ > 0 for a comparison with more than `MAX_OUTCOMES` outputs.

    """
    if tail and delta:
        raise UnsupportedError("the smallest ε of a tail at δ > 0 is not made a function of the parameter")
    unit, scales = unit_of(compared), by_scale(compared)
    by_power = {int(unit / scale): pairs_in(same if len(scales) > 1 else compared) for scale, same in scales.items()}
    if delta and set(by_power) - {1}:
        raise UnsupportedError("the smallest ε at δ > 0 of several multiples of ε is not made a function")
    lost = _lost(compared, delta)
    quotients = {(p, q): p / q for p, q in pairs_in(compared) if p and q}
    crossing: list[Line] = list(lost)
    if delta:
        ratios = [[quotients[pair] for pair in comparison.outcomes if pair in quotients] for comparison in compared]
        widest = max(map(len, ratios), default=0)
        if widest > MAX_OUTCOMES:
            raise LimitError(f"a comparison has {widest} outputs to put in order", wanted=f"at most {MAX_OUTCOMES}")
        crossing += [Line(x - y) for row in ratios for x, y in combinations(set(row), 2)]

    def lists() -> Iterable[tuple[list[SlopeLine], int]]:
        for comparison in compared:
            yield [(p, q) for p, q in comparison.outcomes if p], int(unit / comparison.scale)

    def inside(cell: Span) -> list[Piece]:
        sample = between(*cell)
        if any(line.sign(sample) > 0 for line in lost):
            return [Piece(Interval(*cell), None)]
        if delta:
            ordered = ((sorted(rows, key=lambda row: _rank(row, sample)), k) for rows, k in lists())
            factors = {(factor, k) for rows, k in ordered for factor in _taken(rows, delta)}
        else:  # one output is enough
            factors = {(quotients[pair], k) for k, pairs in by_power.items() for pair in pairs if pair in quotients}
        return largest(map(Line, {ONE, *(factor**k for factor, k in factors)}), cell)

    def at_point(at: Point, before: Line | None, after: Line | None) -> list[Piece]:
        """The smallest e^ε at a point: where it is finite it continues the value of a side on which it is finite."""
        best = None
        if all(line.sign(at) <= 0 for line in lost):
            in_order = ((sorted(rows, key=cmp_to_key(partial(_by_loss, at))), k) for rows, k in lists())
            sets = (factor**k for rows, k in in_order for factor in _taken(rows, delta))
            best = before or after or largest_at(map(Line, (ONE, *sets)), at)
        return [Piece(only(at), best)]

    return piecewise(span, crossing, inside, at_point)


def _by_loss(at: Point, x: SlopeLine, y: SlopeLine) -> int:
    """Compare two outputs by their losses at a point: infinite losses come first, then the larger ones."""
    if not x[1] or not y[1]:
        return bool(x[1]) - bool(y[1])
    return Line(y[0] / y[1] - x[0] / x[1]).sign(at)


def _taken(rows: Sequence[SlopeLine], delta: Fraction) -> Iterable[Function]:
    """(P(S) - δ)/Q(S) for the sets S of the first k outputs, k = 1, 2, … in turn."""
    top, bottom = NOTHING, NOTHING
    for p, q in rows:
        top, bottom = top + p, bottom + (q or NOTHING)
        if bottom:
            yield (top - delta) / bottom


def _rank(row: SlopeLine, sample: Fraction) -> tuple[int, Fraction]:
    """The sort key of an output by its loss at a value: infinite losses come first, then the larger ones."""
    p, q = row
    return (1, -p.at(sample) / q.at(sample)) if q else (0, Fraction(0))


def merged(pieces: Sequence[Piece], span: Span) -> list[Piece]:
    """The pieces with neighbours of the same line merged; points between pieces go to the piece before them.

    Raises:
        ArithmeticError: where the pieces do not cover the span.

    """
    joined: list[Piece] = []
    for piece in pieces:
        if joined:
            last, where = joined[-1], joined[-1].where
            if last.value == piece.value:
                joined[-1] = Piece(where.to(piece.where), piece.value)
                continue
            if not where.high_closed and not piece.where.low_closed:
                joined[-1] = Piece(Interval(where.low, where.high, where.low_closed, high_closed=True), last.value)
        joined.append(piece)
    if joined and (joined[0].where.low is not span[0] or joined[-1].where.high is not span[1]):
        raise ArithmeticError("the pieces do not cover the interval")
    return joined
