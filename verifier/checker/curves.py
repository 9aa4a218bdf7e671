"""Conversions as functions: identities of quotients of polynomials, and their signs on whole intervals.

The rate is ln(y)/c on each cell of a range, y a quotient of polynomials in t: e^ε = t^L, or t is a parameter of the
model file. Each row (p, q, c) of B has pieces with multipliers λ(t) ≥ 0 such that

    p - y·q ≤ Σ λ·(a - e^(c′·ε)·b)   in every database, for every t of the piece,

every cell lies in such a piece of each row, whose bound is at most the cell's, and has a column m(t) ≥ 0 with
a·m ≤ e^(c′·ε)·b·m for all rows of A and p·m = y·q·m > 0 for a row of B: τ·m with a small τ > 0 is one of two outputs of
a mechanism that is ε-A and needs y, since e^ε > 1. Signs are decided by Sturm's chains, not at samples.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from fractions import Fraction
from itertools import pairwise
from math import ceil, gcd, lcm, prod
from pathlib import Path
from typing import Any, NamedTuple

from .comparisons import ONE, Comparison
from .mechanisms import Database
from .models import Home, Model
from .multipliers import (
    HEAD,
    Assumed,
    Coefficients,
    Document,
    comparison_of,
    definition_of,
    exact,
    exponent,
    file_of,
    growth,
    guarded,
    has_keys,
    left_over,
    line_of,
    model_named,
    multipliers_of,
    place,
    positive,
    rate_proved,
    rows_of,
    with_some_mechanism,
)
from .numbers import BeyondLimits, Power, Wrong, rational, require, sign
from .polynomials import (
    MOST_COEFFICIENTS,
    MOST_HALVINGS,
    End,
    Polynomial,
    added,
    begin,
    common,
    divided,
    factors,
    multiplied,
    order,
    roots,
    sign_at,
    trimmed,
)

MOST_POWER_OF_T = 64
MOST_DATABASES = 1 << 8
AT_ONCE = 24
"""How often the bounds of a root are halved at once."""

# --- intervals --------------------------------------------------------------------------------------------------------


def end_of(written: Any) -> End | None:
    """The end that a document writes: none, a rational, or [polynomial, low, high]."""
    if written is None:
        return None
    if isinstance(written, str):
        return End(exact(written), exact(written))
    coefficients, low, high = written
    every, _ = factors(_integers(coefficients)[0])
    end = End(exact(low), exact(high), every)
    alone = (
        end.low < end.high
        and sign_at(every, end.low) * sign_at(every, end.high) < 0
        and roots(every, end.low, end.high) == 1
    )
    require(alone, "an end of an interval is no root, or one of several")
    for _ in range(AT_ONCE):
        end = end.narrowed()
    require(end.low < end.high, "an end is called irrational, and is not")
    return end


def is_rational(end: End) -> bool:
    """Whether a root is rational: a multiple of 1/c, c the leading coefficient; at most one is between near bounds."""
    c = abs(end.polynomial[-1]) if end.polynomial else 1
    for _ in range(MOST_HALVINGS):
        if (end.high - end.low) * c < 1:
            return end.low == end.high or not sign_at(end.polynomial, Fraction(ceil(end.low * c), c))
        end = end.narrowed()
    raise BeyondLimits("the polynomial of an end has a long leading coefficient")


class Interval(NamedTuple):
    """An interval; None is an infinite end."""

    low: End | None
    high: End | None
    low_closed: bool
    high_closed: bool

    @property
    def point(self) -> End | None:
        """Its only point."""
        return self.low if self.low is not None and self.low == self.high else None

    def holds(self, other: Interval) -> bool:
        """Whether another interval lies in this one."""
        lows = self.low, other.low, self.low_closed, other.low_closed, 1
        highs = self.high, other.high, self.high_closed, other.high_closed, -1
        for own, its, own_closed, its_closed, side in (lows, highs):
            if own is not None:
                beyond = -1 if its is None else side * order(its, own)
                if beyond < 0 or (not beyond and its_closed and not own_closed):
                    return False
        return True

    def inside(self) -> Fraction:
        """A rational strictly inside."""
        low, high = self.low, self.high
        for _ in range(MOST_HALVINGS):
            if low is None or high is None:
                return high.low - 1 if high else low.high + 1 if low else Fraction(0)
            if low.high < high.low:
                return (low.high + high.low) / 2
            low, high = low.narrowed(), high.narrowed()
        raise BeyondLimits("an interval is too short")

    def has_root(self, f: Polynomial) -> bool:
        """Whether f, without repeated factors, is 0 strictly inside."""
        if len(f) < 2:
            return False
        low = None if self.low is None else self.low.apart(f).high
        high = None if self.high is None else self.high.apart(f).low
        if low is not None and high is not None and low >= high:
            return False
        return roots(f, low, high) > int(high is not None and not sign_at(f, high))

    def signs(self, f: Polynomial) -> set[int]:
        """The signs that f has on it, -1, 0 or 1; that it changes its sign counts as both."""
        if self.point is not None or not f:
            return {self.point.sign_of(f) if self.point else 0}
        every, odd = factors(f)
        out = {-1, 1} if self.has_root(odd) else {sign_at(odd, self.inside())}
        ends = [end for end, closed in ((self.low, self.low_closed), (self.high, self.high_closed)) if closed and end]
        zero = any(end.is_root_of(f) for end in ends) or self.has_root(every)
        return out | {0} if zero else out


def interval_of(written: Any) -> Interval:
    """The interval that a document writes: [low, high, whether low belongs to it, whether high does]."""
    low, high, low_closed, high_closed = written
    require(type(low_closed) is type(high_closed) is bool, "an end belongs to an interval or does not")
    where = Interval(end_of(low), end_of(high), low_closed, high_closed)
    require((where.low or not low_closed) and (where.high or not high_closed), "an interval has no end")
    if where.low is not None and where.high is not None:
        side = order(where.low, where.high)
        require(side < 0 or (not side and low_closed and high_closed), "an interval is empty")
    return where


def partition(spans: Sequence[Interval], cells: Sequence[Interval]) -> None:
    """Refuse cells that are not those of each span, one beside the other, in order."""
    require(spans, "the range is empty")
    for span, after in pairwise(spans):
        require(span.high and after.low and order(span.high, after.low) <= 0, "spans overlap")
    left = list(cells)[::-1]
    for span in spans:
        low: Any = (span.low, span.low_closed)
        while low is not None:
            require(left and (left[-1].low, left[-1].low_closed) == low, "a cell is missing")
            cell = left.pop()
            ended = (cell.high, cell.high_closed) == (span.high, span.high_closed)
            require(ended or cell.high is not None, "a cell is missing")
            low = None if ended else (cell.high, not cell.high_closed)
    require(not left, "a cell lies outside the range")


# --- quotients of polynomials -----------------------------------------------------------------------------------------


class Function:
    """A quotient of polynomials that adds and multiplies like a number, in place of one in the laws of a model.

    It has no order; where the readers of laws ask for one, nothing is below anything: signs are asked on intervals.
    """

    __slots__ = ("_lowest", "bottom", "top")
    denominator = 1

    def __init__(self, top: Polynomial, bottom: Polynomial = (1,)) -> None:
        if not bottom:
            raise ZeroDivisionError
        self.top, self.bottom = top, bottom
        self._lowest: tuple[Polynomial, Polynomial] | None = None

    @property
    def numerator(self) -> Function:
        """Itself, over the denominator 1."""
        return self

    @property
    def lowest(self) -> tuple[Polynomial, Polynomial]:
        """Top and bottom without a common factor; the bottom leads with a positive number."""
        if self._lowest is None:
            top, bottom = self.top, self.bottom
            if len(bottom) > 1:
                shared = common(top, bottom)
                top, bottom = divided(top, shared), divided(bottom, shared)
            number = gcd(*top, *bottom) * sign(bottom[-1])
            self._lowest = tuple(c // number for c in top), tuple(c // number for c in bottom)
        return self._lowest

    def __add__(self, other: Any) -> Function:
        right = function(other)
        if self.bottom == right.bottom:
            return Function(added(self.top, right.top), self.bottom)
        shared = (
            common(self.bottom, right.bottom)
            if len(self.bottom) > 1 < len(right.bottom)
            else (gcd(*self.bottom, *right.bottom),)
        )
        first, second = divided(self.bottom, shared), divided(right.bottom, shared)
        return Function(
            added(multiplied(self.top, second), multiplied(right.top, first)), multiplied(self.bottom, second)
        )

    __radd__ = __add__

    def __neg__(self) -> Function:
        return Function(tuple(-c for c in self.top), self.bottom)

    def __sub__(self, other: Any) -> Function:
        return self + -function(other)

    def __rsub__(self, other: Any) -> Function:
        return function(other) - self

    def __mul__(self, other: Any) -> Function:
        right = function(other)
        return Function(multiplied(self.top, right.top), multiplied(self.bottom, right.bottom))

    __rmul__ = __mul__

    def __truediv__(self, other: Any) -> Function:
        right = function(other)
        return self * Function(right.bottom, right.top)

    def __rtruediv__(self, other: Any) -> Function:
        return function(other) / self

    def __pow__(self, power: int) -> Function:
        return prod([self] * power, start=Function((1,))) if power >= 0 else 1 / self**-power

    def __bool__(self) -> bool:
        return bool(self.top)

    def __eq__(self, other: object) -> bool:
        if not isinstance(other, Function | Fraction | int):
            return NotImplemented
        right = function(other)
        return multiplied(self.top, right.bottom) == multiplied(right.top, self.bottom)

    def __hash__(self) -> int:
        top, bottom = self.lowest
        return hash(Fraction(sum(top), bottom[0]) if len(top) < 2 and len(bottom) == 1 else self.lowest)

    def __lt__(self, other: object) -> bool:
        return False

    __gt__ = __lt__

    def at(self, x: Fraction) -> Fraction:
        """The value at x."""
        top, bottom = (sum((c * x**k for k, c in enumerate(f)), Fraction(0)) for f in self.lowest)
        return top / bottom

    def signs(self, where: Interval) -> set[int]:
        """The signs that it has on an interval; all where it has a pole."""
        top, bottom = self.lowest
        return {-1, 0, 1} if 0 in where.signs(bottom) else where.signs(multiplied(top, bottom))

    def never_negative(self, where: Interval) -> bool:
        """Whether it has no pole on an interval, and is at least 0."""
        return -1 not in self.signs(where)

    def is_positive(self, where: Interval) -> bool:
        """Whether it has no pole on an interval, and is above 0."""
        return self.signs(where) == {1}


def function(number: Any) -> Function:
    """A number as a function; a function stays."""
    if isinstance(number, Function):
        return number
    constant = Fraction(number)
    return Function(trimmed([constant.numerator]), (constant.denominator,))


def _integers(written: Any) -> tuple[Polynomial, int]:
    require(len(written) <= MOST_COEFFICIENTS, "a polynomial has a high degree")
    coefficients = [exact(c) for c in written]
    scale = lcm(*(c.denominator for c in coefficients))
    return trimmed([int(c * scale) for c in coefficients]), scale


def function_of(written: Any) -> Function:
    """The function that a document writes: the coefficients of its top and bottom."""
    (top, over), (bottom, under) = map(_integers, written)
    return Function(tuple(c * under for c in top), tuple(c * over for c in bottom))


class Family(Model):
    """A model file in which one parameter is the variable; it is read at some value first."""

    def __init__(self, text: str, parameters: Mapping[str, Fraction], name: str, at: Fraction) -> None:
        super().__init__(text, {**parameters, name: at})
        variables: dict[str, Any] = {**parameters, name: Function((0, 1))}
        self.home = Home(self.raw, variables)

    def rational(self, name: str) -> Fraction:
        """A number of [policy], which the variable has no part in."""
        return rational(self.field(name))


# --- a rate as a function ---------------------------------------------------------------------------------------------


@guarded("exchange-curve")
def verify_curve(document: Document, folder: Path) -> str:
    """A conversion as a function of ε, or of a parameter."""
    has_keys(document, "from", "to", "epsilon", "over", "root", "spans", "cells", "proof", head=HEAD)
    begin()
    return _Curve(document, folder).proved()


class _Curve:
    """A document with its rows."""

    def __init__(self, document: Document, folder: Path) -> None:
        self.document, self.name = document, document["over"]
        self.source, self.target = definition_of(document["from"]), definition_of(document["to"])
        self.epsilon = None if self.name is None else exponent(document["epsilon"])
        require(
            (document["epsilon"] is None) == (self.name is None),
            "a rate is a function of ε, or of a parameter at one ε",
        )
        self.root = place(document["root"], MOST_POWER_OF_T + 1, "a root")
        require(self.root and (self.root == 1 or self.name is None), "root is of a curve over ε, and positive")
        self.spans = [interval_of(span) for span in document["spans"]]
        require(self.spans, "the range is empty")
        self.read: Callable[[object], Any] = positive if self.name is None else function_of
        if self.name is None:
            self.model = model_named(document, folder)
        else:
            self.text, self.parameters = file_of(document, folder)
            self.text = with_some_mechanism(self.text)
            require(self.name not in self.parameters, f"the parameter {self.name!r:.40} has a value, and none")
            first = self.spans[0].point
            self.model = Family(self.text, self.parameters, self.name, first.low if first else self.spans[0].inside())
            named = set(self.model.raw.get("parameters", {}))
            require({*self.parameters, self.name} == named, "over: this is not the only parameter without a value")
            require(growth(self.epsilon, ONE) > 1, "e^ε is above 1")  # type: ignore[arg-type]
        if len(self.model.databases()) > MOST_DATABASES:
            raise BeyondLimits(f"a rate as a function on more than {MOST_DATABASES} databases")
        try:
            self.assumed, self.targets = rows_of(self.source, self.model), rows_of(self.target, self.model)
        except TypeError:
            raise BeyondLimits("a probability depends on the parameter where the checker reads no function") from None
        self.lines = [line_of(row.terms[0], self._growth(row)) for row in self.assumed]
        self.power = lcm(*(row.scale.numerator for row in self.targets if row.scale))
        self.certain: set[Interval] = set()

    def _at(self, value: Fraction) -> Model:
        """The model at a value of the parameter."""
        return Model(self.text, {**self.parameters, self.name: value})

    def _growth(self, row: Comparison) -> Any:
        """e^(c·ε): a power of t, or a number."""
        if self.epsilon is not None:
            return growth(self.epsilon, row.scale)
        return Function((0, 1)) ** _whole(Fraction(row.scale or 0) * self.root)

    def proved(self) -> str:
        """Check that the cells cover the spans, and the proof of each."""
        cells = [(interval_of(cell["where"]), cell) for cell in self.document["cells"]]
        partition(self.spans, [where for where, _ in cells])
        if self.name is None:
            low = self.spans[0].low
            above = (
                low is not None
                and low.low == low.high
                and (low.low > 1 or (low.low == 1 and not self.spans[0].low_closed))
            )
            require(len(self.spans) == 1 and above, "the range of ε is one that lies above 0")
        proof = self.document["proof"]
        require(self.targets or proof is None, "nothing is compared, and something is proved")
        pieces = self._pieces(proof) if self.targets else {}
        for where, cell in cells:
            has_keys(cell, "where", "verdict", "factor", "scale", "attained", "point")
            self._cell(where, cell, pieces)
        over = f"over {self.name}, at {self.document['epsilon']}," if self.name is not None else "over ε"
        question = f"every mechanism that is {self.document['from']} is {self.document['to']}"
        return f"{question}: ε′ {over} in {len(cells)} cells"

    def _possible(self, where: Interval) -> None:
        """Every world is possible on all of an interval, so that the rows are those of each of its models."""
        if self.name is None or where in self.certain:
            return
        shapes = self.model.raw.get("distribution", [])
        parts = {world.probability for shape in shapes for world in self.model.home.worlds(shape, self.model.size)}
        require(
            all(function(x).never_negative(where) for x in parts), "a world has a negative probability in an interval"
        )
        rows = {row.probability for theta in self.model.thetas() for row in theta.rows} if shapes else set()
        require(all(function(x).is_positive(where) for x in rows), "a world is impossible somewhere in an interval")
        self.certain.add(where)

    # --- bounds from above ---

    def _pieces(self, proof: Any) -> dict[Comparison, list[tuple[Interval, Function]]]:
        """The bounds of each row on intervals, once their multipliers are added up."""
        has_keys(proof, "assumed", "rows")
        assumed = []
        for entry in proof["assumed"]:
            row = comparison_of(entry, self.model, self.read)
            require(row in self.assumed, "a row is assumed that the definition does not have")
            assumed.append(Assumed([line_of(row.terms[0], self._growth(row))], [ONE]))
        out: dict[Comparison, list[tuple[Interval, Function]]] = {}
        self.rows = []
        for entry in proof["rows"]:
            has_keys(entry, "terms", "scale", "pieces")
            row = comparison_of(entry, self.model, self.read)
            require(row in self.targets, "a row is bounded that the definition does not have")
            self.rows.append(row)
            out[row] = [self._piece(row, piece, assumed) for piece in entry["pieces"]]
        return out

    def _piece(self, row: Comparison, piece: Any, assumed: Sequence[Assumed]) -> tuple[Interval, Function]:
        has_keys(piece, "where", "factor", "multipliers")
        where, factor = interval_of(piece["where"]), function_of(piece["factor"])
        self._possible(where)
        require(factor.is_positive(where), "a bound is not above 0, or has a pole")
        require(row.scale or factor == 1, "a row that allows no difference has another bound")
        found = multipliers_of(piece["multipliers"], assumed, 1, function_of)
        require(all(y.never_negative(where) for y in found.values()), "a multiplier is below 0")
        taken = ((assumed[n].lines[k], o, y) for (n, k, o), y in found.items())
        left = left_over([(line_of(row.terms[0], factor), (1,))], taken, 1)
        require(
            all(function(-x).never_negative(where) for (x,) in left.values()),
            "the multipliers do not prove their bound",
        )
        return where, factor

    # --- cells ---

    def _cell(self, where: Interval, cell: Any, pieces: Mapping[Comparison, list[tuple[Interval, Function]]]) -> None:
        factor = None if cell["factor"] is None else function_of(cell["factor"])
        scale, verdict = positive(cell["scale"]), cell["verdict"]
        require(scale and (factor is not None or scale == 1), "ε′ is a multiple of a logarithm")
        if cell["point"] is not None:
            require(cell["attained"] is None, "a point has two proofs")
            self._alone(where, cell, factor, scale)
        elif verdict == "undecided":
            require(where.point is not None and not is_rational(where.point), "a rational point is undecided")
            require(factor is None and cell["attained"] is None, "what is undecided has a rate")
        elif verdict == "vacuous":
            self._possible(where)
            require(not self.targets and factor == 1 and cell["attained"] is None, "something is compared")
        else:
            require(verdict == "computed", "a cell is computed, vacuous or undecided")
            require(self.targets, "a rate is computed where nothing is compared")
            self._possible(where)
            self._attained(where, cell["attained"], factor, scale)
            if factor is not None:
                self._bounded(where, factor, scale, pieces)

    def _bounded(
        self,
        where: Interval,
        factor: Function,
        scale: Fraction,
        pieces: Mapping[Comparison, list[tuple[Interval, Function]]],
    ) -> None:
        """Every row of B has a piece that holds the cell, with a bound that is at most the cell's."""
        top = factor ** _whole(self.power / scale)
        for row in self.targets:
            own = next((bound for piece, bound in pieces.get(row, ()) if piece.holds(where)), None)
            if own is None:
                raise Wrong("a row of the definition has no bound on a cell")
            below = own ** _whole(self.power / row.scale) if row.scale else 1
            require((top - below).never_negative(where), "the bound of a row is above the claimed ε")

    def _attained(self, where: Interval, attained: Any, factor: Function | None, scale: Fraction) -> None:
        """Some row of B needs the claimed ε′ of a column that A allows."""
        if attained is None:
            require(factor == 1, "nothing attains the rate")
            return
        which, written = attained
        row = self.rows[place(which, len(self.rows), "a row")]
        column = {self.model.database(d): function_of(x) for d, x in written}
        require(len(column) == len(written), "the column has two entries for one database")
        require(all(x.never_negative(where) for x in column.values()), "the column is below 0")
        for line in self.lines:
            require((-_value(line, column)).never_negative(where), "the column does not satisfy what is assumed")
        p, q = (_value(dict(side), column) for side in (row.terms[0].p, row.terms[0].q))  # type: ignore[arg-type]
        if factor is not None:
            require(row.scale == scale and p == factor * q, "the column does not attain the claimed ε")
            require(q.is_positive(where), "the column is 0 where it must not be")
        elif row.scale:
            require(not q and p.is_positive(where), "the column does not show that no ε is enough")
        else:
            require((p - q).is_positive(where), "the column does not show that no ε is enough")

    def _alone(self, where: Interval, cell: Any, factor: Function | None, scale: Fraction) -> None:
        """A point that is asked about by itself, of the model that the file is there."""
        at, answer = where.point, cell["point"]
        if self.epsilon is None or at is None or at.low != at.high:
            raise Wrong("a cell that is no rational point of a parameter is asked about by itself")
        has_keys(answer, "verdict", "tight_epsilon", "mechanism", "proof")
        require(answer["verdict"] == cell["verdict"], "a point has two verdicts")
        found = exponent(rate_proved(self._at(at.low), self.source, self.target, self.epsilon, answer))
        if factor is None or found.infinite:
            same = factor is None and found.infinite
        else:
            same = Power(found.times(scale)).sign(factor.at(at.low), 1) == 0
        require(same, "the rate at a point is not that of its model")


def _value(law: Coefficients, column: Mapping[Database, Function]) -> Function:
    return sum((law[d] * x for d, x in column.items() if d in law), Function(()))


def _whole(power: Fraction) -> int:
    require(power.denominator == 1 and power <= MOST_POWER_OF_T, "a row has no e^(c·ε) that is a power of the variable")
    return int(power)
