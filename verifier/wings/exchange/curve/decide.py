"""The exact exchange rate of two definitions as a function: of ε, or of the one parameter of θ at a given ε.

Each row of B has a curve of its own (`curve.program`); the rate is the largest ln(y)/c of a row, so that its pieces end
where a row's piece ends, and where two rows cross. Nothing is interpolated: every piece carries y(t) and, row by row,
the multipliers λ(t) that prove it on the whole piece, and a column m(t) that attains it.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import replace
from fractions import Fraction
from functools import reduce
from itertools import pairwise
from math import lcm

from verifier.definitions import Definition
from verifier.definitions.registry import find_for_all
from verifier.errors import InputError, LimitError, UnsupportedError
from verifier.model import Model, arguments
from verifier.model.arguments import takes
from verifier.model.parameters import Family
from verifier.numbers import Epsilon, Function
from verifier.numbers import epsilon as read_epsilon
from verifier.wings.exchange import MAX_WORLDS
from verifier.wings.exchange.answer import COMPUTED, UNSUPPORTED, VACUOUS
from verifier.wings.exchange.certificates import CURVES
from verifier.wings.exchange.curve.answer import UNDECIDED, Cell, Curve, RowCurve
from verifier.wings.exchange.curve.program import ParametricCone, RowPiece, parts_beside
from verifier.wings.exchange.program import factor_of
from verifier.wings.exchange.rate import convert, irrational, refuse_epsilon
from verifier.wings.exchange.rows import LinearRow, databases_of, linear_rows
from verifier.wings.exchange.symmetry import Renamings, Tick
from verifier.wings.families.comparisons import general_member
from verifier.wings.families.curves import largest
from verifier.wings.families.domain import domain, inner_value
from verifier.wings.families.intervals import Interval, only
from verifier.wings.families.points import Line, Point, ascending, between, order
from verifier.wings.families.valid import refuse_invalid

MAX_ROWS_TO = 512
"""Largest number of rows of B, the target."""
MAX_SCALE = 12
"""Largest numerator and denominator of the multiples of ε in rows, which are powers and roots of e^ε."""
ONE = Fraction(1)


@takes(
    source_of_data=arguments.one((Model, Family), "a Model or a Family"),
    range_of_epsilon=arguments.optional(arguments.pair("ε")),
    max_rows=arguments.number(0),
    tick=arguments.optional(arguments.function),
)
def convert_curve(
    source_of_data: Model | Family,
    source: object,
    target: object,
    *,
    epsilon: object = None,
    range_of_epsilon: tuple[object, object] | None = None,
    max_rows: int = MAX_WORLDS,
    tick: Tick = None,
) -> Curve:
    """The exact exchange rate as a function of ε for a model, or of the parameter of a family at a given ε.

    For a model, over all ε > 0, or over a closed range whose two ends have a rational e^ε; for a family, over all
    values of its one parameter. ε is in nats. Every piece is proved, and the independent checker checks the proofs of
    models that are small enough for it.

    >>> from verifier.model import build
    >>> pair = {"table": [{"database": [v, v], "probability": "1/2"} for v in (0, 1)]}
    >>> twins = build(size=2, values=[0, 1], distribution=pair, mechanism={"kind": "sum"})
    >>> print(convert_curve(twins, "dp", "np"))
    dp at ε is np at ε′: ln(x^2) for 1 < x, with x = e^ε

    Raises:
        InputError: for a missing or needless ε, an invalid range, and a name that is no definition.
        LimitError: for linear programs or polynomials that are too large, or too many pieces.

    """
    first, second = find_for_all(source), find_for_all(target)
    if isinstance(source_of_data, Family):
        if epsilon is None or range_of_epsilon is not None:
            raise InputError("this is a family of models", wanted="one ε", tip="the curve is over its parameter")
        return CURVES.replayed(
            _over_parameter(source_of_data, first, second, read_epsilon(epsilon, "epsilon"), max_rows, tick)
        )
    if epsilon is not None:
        raise InputError("ε is given with one model", wanted="no ε", tip="the curve is over all ε")
    return CURVES.replayed(_over_epsilon(source_of_data, first, second, range_of_epsilon, max_rows, tick))


def _over_epsilon(
    model: Model, first: Definition, second: Definition, ends: tuple[object, object] | None, max_rows: int, tick: Tick
) -> Curve:
    """The curve over ε: x = e^ε, or t = e^(ε/L) where rows of A allow multiples of ε/L."""
    answer = Curve(model, first.key, second.key)
    asked = None if ends is None else _range(ends)
    try:
        assumed, compared = (linear_rows(model, definition, max_rows) for definition in (first, second))
    except UnsupportedError as refusal:
        return replace(answer, reason=str(refusal))
    root = lcm(*(row.scale.denominator for row in assumed))
    name = "x" if root == 1 else "t"
    variable = Function.parameter(name)
    powers = [row.scale * root for row in assumed]
    _refuse_steep([*powers, *(1 / row.scale for row in compared if row.scale), Fraction(root)])
    answer = replace(answer, name=name, root=root, assumed=assumed)
    span = Interval(ONE, None)
    if asked is not None:
        try:
            low, high = (factor_of(end, Fraction(1, root), first.key) for end in asked)
        except UnsupportedError as refusal:
            return replace(answer, reason=str(refusal))
        span = Interval(low, high, low_closed=True, high_closed=True)
    factors = [variable ** int(power) for power in powers]
    if not compared:
        cell = Cell(span, variable.constantly(1), ONE, VACUOUS)
        return replace(answer, verdict=COMPUTED, cells=(cell,), reason=f"{second.key} compares nothing")
    curves = _curves(assumed, compared, factors, variable.constantly(1), [span], tick)
    return replace(answer, verdict=COMPUTED, curves=curves, cells=tuple(_largest(curves, span)), span=span)


def _range(ends: tuple[object, object]) -> tuple[Epsilon, Epsilon]:
    low, high = (refuse_epsilon(read_epsilon(end, "--curve"), "--curve") for end in ends)
    for end in (low, high):
        if end.exp is None:
            raise InputError(f"e^ε is irrational at ε = {end}", where="--curve", wanted='two ends "ln(p/q)"')
    if not low < high:
        raise InputError(
            f"the range from {low} to {high} is empty", where="--curve", wanted="a range with the smaller ε first"
        )
    return low, high


def _over_parameter(
    family: Family, first: Definition, second: Definition, epsilon: Epsilon, max_rows: int, tick: Tick
) -> Curve:
    """The curve over the parameter: on intervals where the support does not change, and at the points between."""
    asked = refuse_epsilon(epsilon, "epsilon")
    spans = domain(family)
    refuse_invalid(family, spans)
    (name,) = family.names
    answer = Curve(family, first.key, second.key, name=name, epsilon=asked)
    if why := irrational(asked):
        return replace(answer, reason=why)
    variable = Function.parameter(name)
    unit = variable.constantly(1)
    inner = [span for span in spans if span.point is None]
    curves: tuple[RowCurve, ...] = ()
    assumed: tuple[LinearRow, ...] = ()
    cells: list[Cell] = []
    try:
        if inner:
            member = general_member(family, [{name: inner_value(family)}])
            assumed, compared = (linear_rows(member, definition, max_rows) for definition in (first, second))
            factors = [unit * factor_of(asked, row.scale, first.key) for row in assumed]
            _refuse_steep([1 / row.scale for row in compared if row.scale])
            curves = _curves(assumed, compared, factors, unit, inner, tick)
        for span in spans:
            if span.point is not None:
                cells.append(_cell_at(family, first, second, asked, span, unit, max_rows))
            elif curves:
                cells += _largest(curves, span)
            else:
                cells.append(Cell(span, unit, ONE, VACUOUS))
    except UnsupportedError as refusal:
        return replace(answer, reason=str(refusal))
    return replace(answer, verdict=COMPUTED, assumed=assumed, curves=curves, cells=tuple(cells))


def _cell_at(
    family: Family, first: Definition, second: Definition, epsilon: Epsilon, at: Interval, unit: Function, max_rows: int
) -> Cell:
    """The rate at a value of the parameter where the support changes, as that of one model."""
    if not isinstance(at.point, Fraction):
        return Cell(at, None, ONE, UNDECIDED)
    model = family.at({family.names[0]: at.point})
    answer = convert(model, first, second, epsilon=epsilon, max_rows=max_rows)
    if answer.verdict == VACUOUS:
        return Cell(at, unit, ONE, VACUOUS, answer=answer)
    if answer.worst is None:
        return Cell(at, None, ONE, UNSUPPORTED, answer=answer)
    factor = None if answer.worst.factor is None else unit * answer.worst.factor
    return Cell(at, factor, answer.worst.row.scale or ONE, COMPUTED, answer=answer)


def _refuse_steep(numbers: Sequence[Fraction]) -> None:
    """Refuse powers and roots of e^ε that make polynomials of a high degree, before any work.

    Raises:
        LimitError: for more than `MAX_SCALE`.

    """
    highest = max((max(number.numerator, number.denominator) for number in numbers), default=1)
    if highest > MAX_SCALE:
        raise LimitError(
            f"rows allow multiples of ε that need powers of degree {highest}",
            wanted=f"at most {MAX_SCALE} for a curve",
            tip="ask at several ε",
        )


def _curves(
    assumed: Sequence[LinearRow],
    compared: Sequence[LinearRow],
    factors: Sequence[Function],
    unit: Function,
    spans: Sequence[Interval],
    tick: Tick,
) -> tuple[RowCurve, ...]:
    """The curve of each row of B; rows that differ by a renaming of the cone have one curve, with renamed proofs.

    Where no finite y is enough for a row, later rows are not asked about.

    Raises:
        LimitError: for too many rows, or too large programs.

    """
    if len(compared) > MAX_ROWS_TO:
        raise LimitError(
            f"the definition that is asked about has {len(compared):,} rows", wanted=f"at most {MAX_ROWS_TO:,}"
        )
    databases = databases_of((*assumed, *compared))
    cone = ParametricCone(assumed, factors, databases, unit)
    finite = list(spans)

    def curve(row: LinearRow) -> RowCurve:
        nonlocal finite
        pieces = [piece for span in finite for piece in cone.pieces(row, span)]
        for piece in pieces:
            if piece.factor is None:
                finite = [left for span in finite for left in _without(span, piece.where)]
        return RowCurve(row, tuple(pieces))

    return tuple(Renamings(cone).proofs(compared, curve, tick))


def _without(span: Interval, piece: Interval) -> list[Interval]:
    """The parts of an interval that lie outside a piece of a row."""
    return parts_beside(span, piece) if span.has(piece.sample) else [span]


# --- the largest of the rows' curves ----------------------------------------------------------------------------------


def _largest(curves: Sequence[RowCurve], span: Interval) -> Iterator[Cell]:
    """The largest rate of all rows on an interval: open intervals, and the points between them, in order."""
    ends = [end for curve in curves for piece in curve.pieces for end in (piece.where.low, piece.where.high)]
    points = [span.low, *_within(ascending(filter(None, ends)), span), span.high]
    power = reduce(lcm, (curve.row.scale.numerator for curve in curves if curve.row.scale), 1)
    for low, high in pairwise(points):
        if low is not None and (low is not span.low or span.low_closed):
            yield _at_point(curves, low, power)
        yield from _on_cell(curves, low, high, power)
    if span.high is not None and span.high_closed:
        yield _at_point(curves, span.high, power)


def _within(points: Sequence[Point], span: Interval) -> list[Point]:
    return [
        point
        for point in points
        if (span.low is None or order(span.low, point) < 0) and (span.high is None or order(point, span.high) < 0)
    ]


def _height(piece: RowPiece, power: int) -> Function:
    """y^(power/c), by which rates of rows with different multiples of ε are compared."""
    if piece.factor is None:
        raise ArithmeticError("no finite y is enough")
    factor: Function = piece.factor
    return factor ** int(power / piece.row.scale) if piece.row.scale else factor


def _on_cell(curves: Sequence[RowCurve], low: Point | None, high: Point | None, power: int) -> Iterator[Cell]:
    """The largest rate on an open interval in which no row's piece ends."""
    sample = between(low, high)
    listed = []
    for curve in curves:
        piece = next((piece for piece in curve.pieces if piece.where.has(sample)), None)
        if piece is None:
            raise ArithmeticError("the pieces of a row do not cover the interval")
        if piece.factor is None:
            yield Cell(Interval(low, high), None, ONE, COMPUTED, (piece,))
            return
        listed.append(piece)
    heights: dict[Line, RowPiece] = {}
    for piece in listed:
        heights.setdefault(Line(_height(piece, power)), piece)
    for highest in largest(heights, (low, high)):
        left = highest.where.low
        if left is not low and left is not None:
            yield _at_point(curves, left, power)
        if highest.value is not None:
            yield _cell(highest.where, heights[highest.value])


def _cell(where: Interval, worst: RowPiece) -> Cell:
    return Cell(where, worst.factor, worst.row.scale or ONE, COMPUTED, (worst,))


def _at_point(curves: Sequence[RowCurve], at: Point, power: int) -> Cell:
    """The largest rate at one point, where rows may have two pieces."""
    where = only(at)
    best: RowPiece | None = None
    complete = True
    for curve in curves:
        pieces = [piece for piece in curve.pieces if piece.where.has(at)]
        complete &= bool(pieces)
        for piece in pieces[:1]:
            if piece.factor is None:
                return Cell(where, None, ONE, COMPUTED, (piece,))
            if best is None or Line(_height(piece, power) - _height(best, power)).sign(at) > 0:
                best = piece
    if best is None or not complete:
        return Cell(where, None, ONE, UNDECIDED)
    return _cell(where, best)
