"""The independent re-check of an exchange rate as a function: identities of polynomials, and signs on whole intervals.

The rate is ln(y)/c on each cell of the range, y a quotient of polynomials in t; e^ε = t^L, or t is the parameter of θ.
Each row (p, q, c) of B has pieces with multipliers λ(t) ≥ 0 such that

    p - y·q ≤ Σ λ·(a - e^(c′·ε)·b)   in every database, for every t of the piece;

every cell lies in such a piece of each row, whose bound is at most the cell's. And each cell has a column m(t) ≥ 0 with
a·m ≤ e^(c′·ε)·b·m for all rows of A, and p·m = y·q·m > 0 for a row of B (or q·m = 0 < p·m where no ε′ is enough):
τ·m with a small τ > 0 is one of two outputs of a mechanism that is ε-A and needs y. Nothing is asked at samples alone.
"""

from __future__ import annotations

from collections.abc import Hashable, Iterable, Sequence
from fractions import Fraction
from math import lcm
from typing import Any, NamedTuple

from verifier.checker import Rejected, reading, require
from verifier.checker.exchange.multipliers import (
    DATABASE_ROW,
    EXCHANGE,
    DatabaseLaw,
    LinearRow,
    Term,
    combined,
    factor_of,
    finite_epsilon,
    line_of,
    listed,
    rate_proved,
    row_of,
    rows_of,
    tables_of,
)
from verifier.checker.exchange.quotients import End, Quotient, Stretch, order, quotient, read_quotient, root
from verifier.checker.laws import Tables, expectation, summed
from verifier.checker.measures import power
from verifier.checker.model.labels import NOTHING
from verifier.checker.numbers import ONE, number, signed
from verifier.checker.roots import integral
from verifier.checker.shapes import DATABASE, EPSILON, OR_NONE, RATIONAL, SIGNED, Either, Table, maybe

NUMBER_OR_FUNCTION = Either((RATIONAL, ([SIGNED], [SIGNED])))
FUNCTION = ([SIGNED], [SIGNED])
"""A quotient of polynomials: the coefficients of its top and its bottom, the constant term first."""
END = Either((None, SIGNED, ([SIGNED], SIGNED, SIGNED)))
"""An end of an interval: none, a rational, or the root of a polynomial between two rationals."""
INTERVAL = (END, END, bool, bool)
CURVE_ROW = {**DATABASE_ROW, "p": [(DATABASE, NUMBER_OR_FUNCTION)], "q": [(DATABASE, NUMBER_OR_FUNCTION)]}
EXCHANGE_CURVE = {
    **{key: shape for key, shape in EXCHANGE.items() if key not in {"tight_epsilon", "rates", "extreme"}},
    "worlds": Table([(DATABASE, OR_NONE, OR_NONE, NUMBER_OR_FUNCTION)]),
    "epsilon": Either((EPSILON, None)),
    "root": int,
    "spans": [INTERVAL],
    "assumed": [CURVE_ROW],
    "rows": [{"row": CURVE_ROW, "pieces": [{"where": INTERVAL, "factor": FUNCTION, "multipliers": [(int, FUNCTION)]}]}],
    "cells": [
        {
            "where": INTERVAL,
            "factor": Either((FUNCTION, None)),
            "scale": RATIONAL,
            "verdict": str,
            "attained": maybe((int, [(DATABASE, FUNCTION)])),
            "model": maybe(EXCHANGE),
        }
    ],
}

MAX_DEGREE = 256
"""Highest degree of a polynomial that is read."""
MAX_POWER = 64
"""Highest power of t."""
COMPUTED, VACUOUS, UNDECIDED = "computed", "vacuous", "undecided"
SHARED_KEYS = ("size", "values", "secrets", "policy", "from", "to", "epsilon")
"""Keys that have one value in the certificate of a curve, and in those of single models at its points."""


class Piece(NamedTuple):
    """The bound y of a row on an interval, once its multipliers are added up."""

    where: Stretch
    factor: Quotient


@reading("the certificate is damaged")
def replay_exchange_curve(certificate: dict[str, Any]) -> None:
    """Re-check a certificate of an exchange rate as a function.

    Raises:
        Rejected: where it does not prove its rate.

    """
    _Curve(certificate).replay()


class _Curve:
    """A certificate with its rows, once they are listed by the checker's own definitions."""

    def __init__(self, certificate: dict[str, Any]) -> None:
        require(
            certificate["schema"] == "pkdp exchange curve 1",
            "this is not a certificate of a conversion as a function",
        )
        self.certificate = certificate
        fixed = certificate["epsilon"]
        self.fixed_epsilon: str | None = None if fixed is None else finite_epsilon(fixed)
        self.root: int = certificate["root"]
        require(type(self.root) is int and 1 <= self.root <= MAX_POWER, "root is a small positive integer")
        require(self.fixed_epsilon is None or self.root == 1, "root is of a curve over ε")
        read = number if fixed is None else self._read
        self.tables: Tables = tables_of(certificate, read)
        self.assumed, self.target = (rows_of(certificate[side], self.tables) for side in ("from", "to"))
        self.lines = [line_of(row, self._factor(row.scale)) for row in self.assumed.values()]
        scales = [row.scale.numerator for row in self.target.values() if row.scale]
        self.power = lcm(*scales)
        far = any(
            self.power * row.scale.denominator > MAX_POWER * row.scale.numerator
            for row in self.target.values()
            if row.scale
        )
        require(not far, "the multiples of ε are too far from each other")

    def _read(self, written: Any) -> Quotient:
        top, bottom = written
        require(len(top) <= MAX_DEGREE and len(bottom) <= MAX_DEGREE, "a polynomial has a high degree")
        function = read_quotient([signed(c) for c in top], [signed(c) for c in bottom])
        sizes = [len(part) for part in function.lowest]
        require(sizes == [len(top), len(bottom)], "a function is not in lowest terms")
        require(bottom[-1] == "1", "the bottom of a function leads with 1")
        return function

    def _factor(self, scale: Fraction) -> Quotient:
        """e^(c·ε), a power of t or a number."""
        if self.fixed_epsilon is not None:
            return quotient(factor_of(self.fixed_epsilon, scale))
        exponent = scale * self.root
        require(
            exponent.denominator == 1 and exponent <= MAX_POWER,
            "a row of what is assumed has no e^(c·ε) that is a power",
        )
        return Quotient((0, 1)) ** int(exponent)

    def replay(self) -> None:
        """Check that the cells cover the spans, and the proof of each."""
        spans = [self._stretch(span) for span in self.certificate["spans"]]
        cells = [(self._stretch(cell["where"]), cell) for cell in self.certificate["cells"]]
        _partition(spans, [where for where, _ in cells])
        if self.fixed_epsilon is None:
            first = spans[0].low
            require(len(spans) == 1 and isinstance(first, Fraction), "a curve over ε has one range")
            above = isinstance(first, Fraction) and (first > 1 or (first == 1 and not spans[0].low_closed))
            require(above, "the range of ε does not lie above 0")
        read = number if self.fixed_epsilon is None else self._read
        assumed_rows = [row_of(entry, read) for entry in self.certificate["assumed"]]
        require(
            all(row.key in self.assumed for row in assumed_rows), "a row is assumed that the definition does not have"
        )
        pieces: dict[Hashable, list[Piece]] = {}
        lines = [line_of(row, self._factor(row.scale)) for row in assumed_rows]
        rows = [row_of(entry["row"], read) for entry in self.certificate["rows"]]
        for row, entry in zip(rows, self.certificate["rows"], strict=True):
            pieces[row.key] = [self._piece(row, piece, lines) for piece in entry["pieces"]]
        for where, cell in cells:
            self._cell(where, cell, pieces, rows)

    def _stretch(self, entry: Any) -> Stretch:
        low, high, low_closed, high_closed = entry
        require(type(low_closed) is bool and type(high_closed) is bool, "an end belongs to an interval or does not")
        where = Stretch(self._end(low), self._end(high), low_closed, high_closed)
        require((where.low is not None or not low_closed) and (where.high is not None or not high_closed), "no end")
        if where.low is not None and where.high is not None:
            side = order(where.low, where.high)
            require(side < 0 or (not side and low_closed and high_closed), "an interval is empty")
        return where

    def _end(self, entry: Any) -> End:
        if entry is None:
            return None
        if isinstance(entry, str):
            return signed(entry)
        polynomial, low, high = entry
        require(len(polynomial) <= MAX_DEGREE, "a polynomial has a high degree")
        return root(integral([signed(c) for c in polynomial])[0], signed(low), signed(high))

    # --- bounds from above --------------------------------------------------------------------------------------------

    def _piece(self, row: LinearRow, entry: Any, lines: Sequence[DatabaseLaw]) -> Piece:
        """A piece of a row's bound, after its multipliers are added up on all of it."""
        where, factor = self._stretch(entry["where"]), self._read(entry["factor"])
        self._possible(where)
        require(factor.is_positive(where), "a bound is not above 0, or has a pole")
        require(row.scale or factor == 1, "a row that allows no difference has another bound")
        terms = [
            Term(listed(lines, which, "a multiplier of a row that is none"), 0, self._read(written))
            for which, written in entry["multipliers"]
        ]
        require(all(term.times.is_never_negative(where) for term in terms), "a multiplier is below 0")
        excess, _ = combined([(line_of(row, factor), (ONE,))], terms)
        valid = all(quotient(-value).is_never_negative(where) for (value,) in excess.values())
        require(valid, "the multipliers do not prove their bound")
        return Piece(where, factor)

    def _possible(self, where: Stretch) -> None:
        """Every world is possible on all of an interval, so that the rows are those of each of its models."""
        if self.fixed_epsilon is not None:
            chances: set[Any] = {world[3] for worlds in self.tables.worlds.values() for world in worlds}
            require(
                all(chance.is_positive(where) for chance in chances), "a world is impossible somewhere in an interval"
            )

    # --- cells --------------------------------------------------------------------------------------------------------

    def _cell(self, where: Stretch, cell: Any, pieces: dict[Hashable, list[Piece]], rows: Sequence[LinearRow]) -> None:
        factor = None if cell["factor"] is None else self._read(cell["factor"])
        scale = number(cell["scale"])
        require(scale > 0 and (factor is not None or scale == 1), "ε′ is a multiple of a logarithm")
        if cell["model"] is not None:
            self._alone(where, cell, factor, scale)
        elif cell["verdict"] == UNDECIDED:
            require(where.point is not None and not isinstance(where.point, Fraction), "a rational point is undecided")
            require(factor is None and cell["attained"] is None, "what is undecided has a rate")
        elif cell["verdict"] == VACUOUS:
            self._possible(where)
            require(not self.target and factor == 1, "something is compared")
            require(cell["attained"] is None, "a rate is attained where nothing is compared")
        else:
            require(cell["verdict"] == COMPUTED, "a cell is computed, vacuous or undecided")
            require(self.target, "a rate is computed where nothing is compared")
            self._possible(where)
            self._attained(where, cell, factor, scale, rows)
            if factor is not None:
                self._bounded(where, factor, scale, pieces)

    def _bounded(self, where: Stretch, factor: Quotient, scale: Fraction, pieces: dict[Hashable, list[Piece]]) -> None:
        """Every row of B has a piece that holds the cell, with a bound that is at most the cell's."""
        top = factor ** int(_whole(self.power / scale))
        for key, row in self.target.items():
            own = next((piece for piece in pieces.get(key, ()) if piece.where.holds(where)), None)
            if own is None:
                raise Rejected("a row of the definition has no bound on a cell")
            if row.scale:
                bound = own.factor ** int(_whole(self.power / row.scale))
                require((top - bound).is_never_negative(where), "the bound of a row is above the claimed ε")
            else:
                require((top - 1).is_never_negative(where), "the claimed ε is below 0")

    def _attained(
        self, where: Stretch, cell: Any, factor: Quotient | None, scale: Fraction, rows: Sequence[LinearRow]
    ) -> None:
        """Some row of B needs the claimed ε′ of a column that A allows."""
        if cell["attained"] is None:
            require(factor == 1, "nothing attains the rate")
            return
        which, written = cell["attained"]
        row, column = listed(rows, which, "a row is none of B"), {tuple(d): self._read(f) for d, f in written}
        require(row.key in self.target, "a row is none of B")
        require(len(column) == len(written), "the column has two entries for one database")
        require(set(column) <= set(self.tables.databases), "the column has an entry for what is no database")
        require(all(chance.is_never_negative(where) for chance in column.values()), "the column is below 0")
        for line in self.lines:
            require((-_value(line, column)).is_never_negative(where), "the column does not satisfy what is assumed")
        p, q = (_value(law, column) for law in (row.p, row.q))
        if factor is not None:
            require(row.scale == scale and p == factor * q, "the column does not attain the claimed ε")
            require(q.is_positive(where), "the column is 0 where it must not be")
        elif row.scale:
            require(not q and p.is_positive(where), "the column does not show that no ε is enough")
        else:
            require((p - q).is_positive(where), "the column does not show that no ε is enough")

    def _alone(self, where: Stretch, cell: Any, factor: Quotient | None, scale: Fraction) -> None:
        """A point that was asked about by itself: the certificate of that model, which is the family's there."""
        at, model = where.point, cell["model"]
        if not isinstance(at, Fraction) or self.fixed_epsilon is None:
            raise Rejected("a model stands for a cell that is no rational point")
        require(all(model[key] == self.certificate[key] for key in SHARED_KEYS), "the model of a point is another one")
        require(set(model["worlds"]) == set(self.tables.worlds), "the model of a point has other distributions")
        for theta, worlds in self.tables.worlds.items():
            functions: list[Any] = list(worlds)
            chances = [(world[:3], world[3].at(at)) for world in functions]
            require(all(p >= 0 for _, p in chances), "a world has a negative probability at a point")
            listed_worlds = [
                ((tuple(d), NOTHING if b is None else b, s), number(p)) for d, b, s, p in model["worlds"][theta]
            ]
            require(_added_up(chances) == _added_up(listed_worlds), "the model of a point has other worlds")
        same_names = model.get("distributions") == self.certificate.get("distributions")
        require(same_names, "the model of a point has other names of θ")
        verdict = COMPUTED if rate_proved(model) else VACUOUS
        require(cell["verdict"] == verdict, f"the model of a point is {verdict}")
        claimed = model["tight_epsilon"]
        if factor is None:
            require(claimed == "inf", "the rate at a point is not that of its model")
        else:
            value = factor.at(at)
            same = value == 1 if claimed == "0" else power(claimed, scale).sign(value, Fraction(1)) == 0
            require(same, "the rate at a point is not that of its model")
        require(cell["attained"] is None, "a point has two proofs")


def _added_up(worlds: Iterable[tuple[Any, Fraction]]) -> dict[Any, Fraction]:
    """The worlds that are possible; a world may be listed in parts, as a mixture's is, and these are added up."""
    return {world: p for world, p in summed(worlds).items() if p}


def _value(law: DatabaseLaw, column: DatabaseLaw) -> Quotient:
    return quotient(expectation(law, column))


def _whole(power: Fraction) -> int:
    require(power.denominator == 1 and power <= MAX_POWER, "a rate has a multiple of ε that no row has")
    return int(power)


def _partition(spans: Sequence[Stretch], cells: Sequence[Stretch]) -> None:
    """Each span is the union of neighbouring cells, in order, and no cell is left over."""
    unused_cells = list(cells)
    require(spans, "the range is empty")
    last: Stretch | None = None
    for span in spans:
        if last is not None:
            require(last.high is not None and span.low is not None and order(last.high, span.low) <= 0, "spans overlap")
        last = span
        require(
            unused_cells and (unused_cells[0].low, unused_cells[0].low_closed) == (span.low, span.low_closed),
            "a cell is missing",
        )
        cell = unused_cells.pop(0)
        while (cell.high, cell.high_closed) != (span.high, span.high_closed):
            require(unused_cells and cell.high is not None and unused_cells[0].low == cell.high, "a cell is missing")
            require(unused_cells[0].low_closed != cell.high_closed, "two cells have one point, or a point has none")
            cell = unused_cells.pop(0)
    require(not unused_cells, "a cell lies outside the range")
