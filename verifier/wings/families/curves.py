"""The smallest δ and ε of a family as piecewise functions of the parameter, where the support does not change."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass
from fractions import Fraction
from functools import cmp_to_key, partial
from itertools import combinations, pairwise

from verifier.errors import LimitError, UnsupportedError
from verifier.numbers import Epsilon, Function
from verifier.wings.families.comparisons import Compared
from verifier.wings.families.intervals import Interval
from verifier.wings.families.points import NOTHING, ONE, Line, Point, ascending, between, order

MAX_OUTCOMES = 64
"""Most outputs of one comparison whose losses are put in order for every value of the parameter."""
Span = tuple[Point | None, Point | None]
Row = tuple[Function, Function | None]


@dataclass(frozen=True)
class Piece:
    """An interval, and what is attained there; None stands for ∞."""

    where: Interval
    value: Line | None


@dataclass(frozen=True)
class Outcome:
    """P - Q·e^ε of an output, and what it adds to δ where that is positive: the same, or for a tail P."""

    line: Line
    gain: Line


def cells(span: Span, lines: Iterable[Line]) -> list[Span]:
    """The open intervals between neighbouring roots of some lines."""
    return list(pairwise([span[0], *ascending(root for line in set(lines) for root in line.roots(*span)), span[1]]))


def outcomes(compared: Compared, factor: Epsilon | Function, *, tail: bool) -> tuple[Outcome, ...]:
    """What the outputs of a comparison add to δ at ε; at ε = ∞ only outputs that Q never gives count."""
    found = []
    for p, q in compared.outcomes:
        alone = Line(p)
        if not p:
            continue
        if q is None or not q:
            found.append(Outcome(alone, alone))
        elif isinstance(factor, Function) or not factor.is_infinite:
            line = Line.of(p, q, factor)
            found.append(Outcome(line, alone if tail else line))
    return tuple(found)


def added(lines: Iterable[Line]) -> Line:
    """Their sum."""
    total = Line(NOTHING)
    for line in lines:
        total = total.plus(line)
    return total


def piecewise(
    span: Span,
    lines: Iterable[Line],
    inside: Callable[[Span], list[Piece]],
    there: Callable[[Point, Line | None, Line | None], list[Piece]],
) -> list[Piece]:
    """The pieces `inside` each cell of some lines, and `there` at each point between, told the values on both sides."""
    found: list[Piece] = []
    for cell in cells(span, lines):
        after = inside(cell)
        if found and cell[0] is not None:
            found += there(cell[0], found[-1].value, after[0].value)
        found += after
    return merged(found, span)


def deltas(compared: Sequence[Compared], factor: Epsilon | Function, span: Span, *, tail: bool) -> list[Piece]:
    """The smallest δ at ε on an open interval on which nothing becomes possible or impossible.

    On a cell where no P - Q·e^ε changes its sign each comparison is one line, and the largest is found piece by piece.
    A hockey-stick divergence is continuous, so that the points between cells belong to either side; for a tail the
    outputs that count at such a point are those whose loss is above ε there.
    """
    every = [outcomes(one, factor, tail=tail) for one in compared]

    def sums(at: Point) -> dict[Line, None]:
        return dict.fromkeys(added(one.gain for one in rows if one.line.sign(at) > 0) for rows in every)

    def there(at: Point, *_beside: Line | None) -> list[Piece]:
        return [Piece(only(at), largest_at(sums(at), at))] if tail else []

    lines = (one.line for rows in every for one in rows)
    return piecewise(span, lines, lambda cell: largest(sums(between(*cell)), cell), there)


def only(at: Point) -> Interval:
    """The interval of one point."""
    return Interval(at, at, low_closed=True, high_closed=True)


def largest_at(lines: Iterable[Line], at: Point) -> Line:
    """The first of the largest lines at a point."""
    best, *others = lines
    for one in others:
        best = one if one.minus(best).sign(at) > 0 else best
    return best


def largest(lines: Iterable[Line], span: Span) -> list[Piece]:
    """The pointwise maximum of finitely many continuous lines on an open interval, piece by piece.

    >>> (p,) = Function.parameters(("p",))
    >>> rising, falling = Line(p), Line(1 - p)
    >>> ends = Fraction(0), Fraction(1)
    >>> [(one.where.text("p"), one.value.text("p", Fraction(1, 2))) for one in largest([rising, falling], ends)]
    [('0 < p < 1/2', '1 - p'), ('1/2 < p < 1', 'p')]
    """
    every = list(lines)
    low, high = span
    here = between(low, high)
    while True:
        best = largest_at(every, here)
        others = [best.minus(one) for one in every if one != best]
        if all(one.sign(here) for one in others):
            break
        here = between(here, high)  # two lines meet there
    left, right = low, high
    for root in ascending(root for one in others for root in one.roots(low, high)):
        if order(root, here) < 0:
            left = root
        else:
            right = root
            break
    before = largest(every, (low, left)) if left is not low else []
    after = largest(every, (right, high)) if right is not high else []
    return [*before, Piece(Interval(left, right), best), *after]


def finite(compared: Sequence[Compared], delta: Fraction, span: Span) -> list[Piece]:
    """Where some finite ε is enough at δ: outputs that only P gives have probability at most δ. None where none is."""
    lost = [added(Line(p) for p, q in one.outcomes if p and (q is None or not q)).less(delta) for one in compared]

    def said(where: Interval) -> list[Piece]:
        return [Piece(where, Line(NOTHING) if all(one.sign(where.sample) <= 0 for one in lost) else None)]

    return piecewise(span, lost, lambda cell: said(Interval(*cell)), lambda at, *_beside: said(only(at)))


def epsilons(compared: Sequence[Compared], delta: Fraction, span: Span, *, tail: bool) -> list[Piece]:
    """The smallest e^ε ≥ 1 at δ on an open interval on which nothing becomes possible or impossible.

    δ(ε) ≤ δ says P(S) - e^ε·Q(S) ≤ δ for every set S of outputs, so that the smallest e^ε is the largest
    (P(S) - δ)/Q(S); it is attained by outputs with the largest losses. At δ = 0 one output is enough.
    """
    if tail and delta:
        raise UnsupportedError("the smallest ε of a tail at δ > 0 is not made a function of the parameter")
    lists = [[(p, q) for p, q in one.outcomes if p] for one in compared]
    lost = [added(Line(p) for p, q in rows if q is None or not q).less(delta) for rows in lists]
    ratios = [[p / q for p, q in rows if q is not None and q] for rows in lists]
    crossing: list[Line] = list(lost)
    if delta:
        widest = max(map(len, ratios), default=0)
        if widest > MAX_OUTCOMES:
            raise LimitError(f"a comparison has {widest} outputs to put in order", wanted=f"at most {MAX_OUTCOMES}")
        crossing += [Line(x - y) for row in ratios for x, y in combinations(set(row), 2)]

    def inside(cell: Span) -> list[Piece]:
        here = between(*cell)
        if any(one.sign(here) > 0 for one in lost):
            return [Piece(Interval(*cell), None)]
        factors = {ONE, *(one for rows in lists for one in _candidates(rows, delta, here))}
        return largest(map(Line, factors), cell)

    def there(at: Point, before: Line | None, after: Line | None) -> list[Piece]:
        """Where it is finite it continues that of a side where it is."""
        best = None
        if all(one.sign(at) <= 0 for one in lost):
            in_order = (sorted(rows, key=cmp_to_key(partial(_by_loss, at))) for rows in lists)
            sets = (one for rows in in_order for one in _taken(rows, delta))
            best = before or after or largest_at(map(Line, (ONE, *sets)), at)
        return [Piece(only(at), best)]

    return piecewise(span, crossing, inside, there)


def _by_loss(at: Point, x: Row, y: Row) -> int:
    """Infinite losses first, then the larger ones."""
    if not x[1] or not y[1]:
        return bool(x[1]) - bool(y[1])
    return Line(y[0] / y[1] - x[0] / x[1]).sign(at)


def _candidates(rows: Sequence[Row], delta: Fraction, here: Fraction) -> Iterable[Function]:
    """(P(S) - δ)/Q(S) for the sets S of outputs with the largest losses; at δ = 0 each output alone."""
    if not delta:
        yield from (p / q for p, q in rows if q)
        return
    yield from _taken(sorted(rows, key=lambda row: _rank(row, here)), delta)


def _taken(rows: Sequence[Row], delta: Fraction) -> Iterable[Function]:
    """(P(S) - δ)/Q(S) for the first outputs, and more and more of them."""
    top, bottom = NOTHING, NOTHING
    for p, q in rows:
        top, bottom = top + p, bottom + (q or NOTHING)
        if bottom:
            yield (top - delta) / bottom


def _rank(row: Row, here: Fraction) -> tuple[int, Fraction]:
    """Infinite losses first, then the larger ones."""
    p, q = row
    return (1, -p.at(here) / q.at(here)) if q else (0, Fraction(0))


def merged(pieces: Sequence[Piece], span: Span) -> list[Piece]:
    """Neighbouring pieces of one line as one; points that no piece has go to the piece before them."""
    found: list[Piece] = []
    for one in pieces:
        if found:
            last, where = found[-1], found[-1].where
            if last.value == one.value:
                high, closed = one.where.high, one.where.high_closed
                found[-1] = Piece(Interval(where.low, high, where.low_closed, closed), one.value)
                continue
            if not where.high_closed and not one.where.low_closed:
                found[-1] = Piece(Interval(where.low, where.high, where.low_closed, high_closed=True), last.value)
        found.append(one)
    if found and (found[0].where.low is not span[0] or found[-1].where.high is not span[1]):
        raise ArithmeticError("the pieces do not cover the interval")
    return found
