"""The linear programs of an exchange rate: the largest ratio of two laws over a cone, with multipliers that prove it.

Every mechanism that is ε-A has columns m(D) = P[M(D) = o] in the cone of all m ≥ 0 with a·m ≤ x^c·b·m for each row
(a, b, c) of A, x = e^ε. For a row (p, q) of B the largest p·m / q·m over the cone is the y at which the largest
(p - y·q)·m becomes 0: then multipliers λ ≥ 0 prove that p - y·q ≤ Σ λ·(a - x^c·b) in every database, and the last m
before attains y. It is found from below (Dinkelbach): y is raised to the ratio at the best m, a corner of the cone cut
off at Σ m ≤ 1, until nothing is left; there are finitely many corners, so that it ends. Where the best m has q·m = 0
no finite y is enough.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from fractions import Fraction
from itertools import chain

from verifier.errors import LimitError, UnsupportedError
from verifier.model import Database
from verifier.numbers import Epsilon, exact_text
from verifier.numbers.simplex import Simplex
from verifier.wings.exchange.rows import LinearRow
from verifier.wings.search.forms import DatabaseLaw

MAX_CELLS = 60_000
"""Largest number of cells in the table of the simplex method."""
MAX_PROGRAMS = 4_096
"""Largest number of rows of B, the target."""
Column = Mapping[Database, Fraction]
"""The column m(D) = P[M(D) = o] of an output o, by database, up to a factor."""
Line = Mapping[Database, Fraction]
"""The coefficients of a linear form in a column, by database."""
Multipliers = tuple[tuple[int, Fraction], ...]
"""Multipliers λ > 0 of lines by their numbers."""
ZERO, ONE = Fraction(0), Fraction(1)


@dataclass(frozen=True)
class Bounded:
    """A proved bound on a row of B: `multipliers` λ > 0 of lines of A, by their numbers; `column` attains it."""

    row: LinearRow
    multipliers: Multipliers
    column: Column | None


@dataclass(frozen=True)
class Rate(Bounded):
    """The largest p·m / q·m of a row over a cone: `factor` is its bound y, None where there is none.

    The multipliers prove p - y·q ≤ Σ λ·(a - x^c·b); the column attains y (or shows that no y is enough), and is None
    where y was not raised.
    """

    factor: Fraction | None


def factor_of(epsilon: Epsilon, scale: Fraction, key: str) -> Fraction:
    """The rational number x^c = e^(c·ε), for c = `scale`; `key` names the definition in the error.

    Raises:
        UnsupportedError: for an irrational e^(c·ε).

    """
    from verifier.definitions.scheme.reals import times

    factor = times(epsilon, scale).exp
    if factor is None:
        raise UnsupportedError(
            f"a row of {key} may be e^({exact_text(scale)}·ε) times as likely, which is not rational at ε = {epsilon}",
            tip=f"ask at a multiple of {epsilon} with which {exact_text(scale)}·ε is ln(p/q)",
        )
    return factor


class LinearProgram:
    """The columns m ≥ 0 on which lines are at most their bounds, and each of the `caps` is at most 1.

    Where a line is at most its bound for every mechanism, or equals another line, it is not `kept` in the table.
    """

    bounded = "rows"
    """The name of the lines in a refusal."""

    def __init__(self, lines: Sequence[Line], bounds: Sequence[Fraction], caps: Sequence[Line]) -> None:
        """Make the table; the caps name all databases.

        Raises:
            LimitError: for too large a table, before it is made.

        """
        self.lines, self.bounds = list(lines), list(bounds)
        self.places = {database: number for number, database in enumerate(chain.from_iterable(caps))}
        numbers: dict[frozenset[tuple[Database, Fraction]], int] = {}
        for number, (line, bound) in enumerate(zip(self.lines, self.bounds, strict=True)):
            if sum((value for value in line.values() if value > 0), ZERO) > bound:
                numbers.setdefault(frozenset(line.items()), number)
        self.kept = list(numbers.values())
        cells = (len(self.kept) + len(caps) + 1) * (len(self.places) + 1)
        if cells > MAX_CELLS:
            raise LimitError(
                f"the linear program has {len(self.places):,} databases and {len(self.kept):,} {self.bounded}, "
                f"a table of {cells:,} numbers",
                wanted=f"at most {MAX_CELLS:,}",
                tip="use fewer records or values",
            )
        constraints = [(self._placed(self.lines[number]), self.bounds[number]) for number in self.kept]
        self.simplex = Simplex(len(self.places), [*constraints, *((self._placed(cap), ONE) for cap in caps)])

    def _placed(self, line: Line) -> dict[int, Fraction]:
        return {self.places[database]: coefficient for database, coefficient in line.items()}

    def maximised(self, line: Line) -> tuple[Fraction, Column, Multipliers]:
        """The largest value of a line, a column that attains it, and the multipliers of the lines that prove it.

        The multipliers of the caps follow from these.
        """
        value, point, prices = self.simplex.maximise(self._placed(line))
        column = {database: point[place] for database, place in self.places.items()}
        multipliers = ((number, price) for number, price in zip(self.kept, prices, strict=False) if price)
        return value, column, tuple(multipliers)

    def left(self, line: Line, multipliers: Multipliers) -> dict[Database, Fraction]:
        """The coefficients of a line, less those of the lines times their multipliers."""
        left = dict(line)
        for number, price in multipliers:
            for database, coefficient in self.lines[number].items():
                left[database] = left.get(database, ZERO) - price * coefficient
        return left


class Cone(LinearProgram):
    """The cone of all columns m ≥ 0 with a·m ≤ x^c·b·m for each row (a, b, c); it gives rates to rows of B."""

    def __init__(self, rows: Sequence[LinearRow], factors: Sequence[Fraction], databases: Sequence[Database]) -> None:
        """Make the table; `factors` are the x^c of the rows, `databases` all that any row names."""
        self.rows, self.factors = list(rows), list(factors)
        lines = [row.line(factor) for row, factor in zip(rows, factors, strict=True)]
        super().__init__(lines, [ZERO] * len(lines), [dict.fromkeys(databases, ONE)])

    def rate(self, row: LinearRow, least: Fraction = Fraction(1)) -> Rate:
        """The largest p·m / q·m over the cone, or `least` if that is larger.

        For a row with c = 0 there is no bound (None) if the ratio exceeds 1 anywhere.

        Raises:
            ArithmeticError: for a rate that the multipliers do not prove.

        """
        factor, column = least, None
        while True:
            gain, best, multipliers = self.maximised(row.line(factor))
            if not gain:
                break
            column = best
            above, below = mass(row.p, column), mass(row.q, column)
            if not below or not row.scale:
                return Rate(row, (), column, None)
            factor = above / below
        if not self.proves(row, factor, multipliers):
            raise ArithmeticError("the simplex method found a rate that its multipliers do not prove")
        return Rate(row, multipliers, column, factor)

    def proves(self, row: LinearRow, factor: Fraction, multipliers: Multipliers) -> bool:
        """Whether λ ≥ 0 and p - y·q ≤ Σ λ·(a - x^c·b) in every database."""
        left = self.left(row.line(factor), multipliers)
        return all(price >= 0 for _, price in multipliers) and all(coefficient <= 0 for coefficient in left.values())

    def scaled(self, column: Column) -> dict[Database, Fraction]:
        """The column τ·m with the largest τ for which a mechanism with the columns τ·m and 1 - τ·m satisfies all rows.

        m is in the cone, so that τ·m satisfies them; 1 - τ·m does so iff τ·(x^c·b·m - a·m) ≤ x^c - 1.
        """
        most = 1 / max(column.values())
        for row, factor in zip(self.rows, self.factors, strict=True):
            slack = factor * mass(row.q, column) - mass(row.p, column)
            if slack > 0:
                most = min(most, (factor - 1) / slack)
        return {database: most * chance for database, chance in column.items()}


def mass(law: DatabaseLaw, column: Column) -> Fraction:
    """The sum p·m = Σ_D p(D)·m(D)."""
    return sum((weight * column[database] for database, weight in law), Fraction(0))
