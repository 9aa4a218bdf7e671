"""The linear program of an exchange rate, whose δ is a right-hand side, and of which a curve is the value at each t.

The unknowns are a column m(D) = P[M(D) ∈ S] of a mechanism M that satisfies A. A row (a, b, c) of A, at (ε, δ), says
with x = e^ε of a set S of outputs and of its complement

    (a - x^c·b)·m ≤ δ   and   (a - x^c·b)·(1 - m) ≤ δ, which is (x^c·b - a)·m ≤ δ + x^c - 1,

and the objective is what a row (p, q) of B asks, with y = e^(c·ε′): the largest (p - y·q)·m. All that is proved of B is
a bound on it: multipliers λ ≥ 0 of the lines of A, which are added up again database by database. From this follow

- the smallest δ′ at a y: the value over the `Polytope`. Each m in it is P[M(D) = 1] of a mechanism with two outputs;
- the smallest ε′ at δ = 0: the y at which the value becomes 0. There m may be scaled down, so that the complement asks
  nothing, and the polytope is a `Cone`, with half as many lines. The largest p·m / q·m over it is found from below
  (Dinkelbach): y is raised to the ratio at the best m, a corner of the cone cut off at Σ m ≤ 1, until nothing is left;
  there are finitely many corners, so that it ends. Where the best m has q·m = 0 no finite y is enough;
- curves in y: `delta.program`; and in ε or a parameter t of θ, where the lines have functions of t as coefficients:
  `curve.program`.

proofs/exchange.md has the proofs.
"""

from __future__ import annotations

from collections.abc import Callable, Hashable, Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from fractions import Fraction
from functools import cached_property
from typing import Any, Self

from verifier.errors import LimitError, UnsupportedError
from verifier.model import Database
from verifier.numbers import Epsilon, exact_text, reals
from verifier.numbers.linear import LinearProgram
from verifier.wings.exchange.rows import LinearRow

Column = Mapping[Database, Any]
"""The column m(D) = P[M(D) = o] of an output o, by database, up to a factor: fractions, or functions of a parameter."""
Line = Mapping[Database, Any]
"""The coefficients of a linear form in a column, by database; fractions, or functions."""
Multipliers = tuple[tuple[int, Any], ...]
"""Multipliers λ > 0 of lines by their numbers; fractions, or functions."""
ZERO, ONE = Fraction(0), Fraction(1)


@dataclass(frozen=True)
class Bounded:
    """A proved bound on a row of B: `multipliers` λ > 0 of lines of A, by their numbers; `column` attains it."""

    row: LinearRow
    multipliers: Multipliers
    column: Column | None

    def renamed(self, row: LinearRow, lines: Callable[[int], int], databases: Mapping[Database, Database]) -> Self:
        """The bound on a row that is a renaming of this one (`symmetry`), with the lines and databases renamed."""
        multipliers = tuple((lines(number), times) for number, times in self.multipliers)
        column = self.column and {databases[database]: chance for database, chance in self.column.items()}
        return replace(self, row=row, multipliers=multipliers, column=column)


@dataclass(frozen=True)
class Rate(Bounded):
    """The largest p·m / q·m of a row over a cone: `factor` is its bound y, None where there is none.

    The multipliers prove p - y·q ≤ Σ λ·(a - x^c·b); the column attains y (or shows that no y is enough), and is None
    where y was not raised.
    """

    factor: Any


@dataclass(frozen=True)
class Gain(Bounded):
    """The largest p·m - y·q·m of a row at one y: its `value`, multipliers that prove it, a column that attains it."""

    value: Fraction

    @property
    def above(self) -> Fraction:
        """The part of the gain without y: p·m, or p·m - q·m for a row with c = 0, which does not depend on ε′."""
        line = self.row.p if self.row.scale else self.row.line(ONE).items()
        value: Fraction = mass(line, self.column or {})
        return value

    @property
    def below(self) -> Fraction:
        """The slope at which the gain falls in y: q·m, or 0 for a row with c = 0."""
        value: Fraction = mass(self.row.q if self.row.scale else (), self.column or {})
        return value

    def at(self, y: Fraction) -> Fraction:
        """The gain of the column at another y."""
        return self.above - y * self.below


def mass(law: Iterable[tuple[Database, Any]], column: Column) -> Any:
    """The sum p·m = Σ_D p(D)·m(D), where m is 0 on the databases that the column leaves out."""
    return sum((weight * column[database] for database, weight in law if database in column), ZERO)


def factor_of(epsilon: Epsilon, scale: Fraction, key: str) -> Fraction:
    """The rational number x^c = e^(c·ε), for c = `scale`; `key` names the definition in the error.

    Raises:
        UnsupportedError: for an irrational e^(c·ε).

    """
    factor = reals.times(epsilon, scale).rational_exp
    if factor is None:
        raise UnsupportedError(
            f"a row of {key} may be e^({exact_text(scale)}·ε) times as likely, which is not rational at ε = {epsilon}",
            tip=f"ask at a multiple of {epsilon} with which {exact_text(scale)}·ε is ln(p/q)",
        )
    return factor


def binds(line: Mapping[Database, Fraction], bound: Fraction = ZERO) -> bool:
    """Whether a line is above its bound on some column of probabilities."""
    return sum((coefficient for coefficient in line.values() if coefficient > 0), ZERO) > bound


class Program:
    """The columns m ≥ 0 of the mechanisms that satisfy A: those on which each line is at most its bound.

    Coefficients are fractions, or functions of a parameter. A line that equals an earlier one, or is above its bound on
    no column of probabilities, is not `kept`.
    """

    what, bounded, tip, most_cells = "the linear program", "rows", "use fewer records or values", 60_000
    """The words of a refusal, and the largest number of cells in the table of the linear program."""
    parametric = False
    """Whether coefficients are functions, of which a line may be below its bound at some values of the parameter."""

    def __init__(
        self, lines: Iterable[Line], bounds: Iterable[Fraction], databases: Sequence[Database], caps: Sequence[Line]
    ) -> None:
        """Keep the lines, and make their table, where each of the `caps` is at most 1; the databases are all of them.

        Raises:
            LimitError: for too large a table, before it is made.

        """
        self.lines, self.bounds, self.databases = list(lines), list(bounds), list(databases)
        distinct: dict[Hashable, int] = {}
        for number, (line, bound) in enumerate(zip(self.lines, self.bounds, strict=True)):
            if self.parametric or binds(line, bound):
                distinct.setdefault(frozenset(line.items()), number)
        self.kept = list(distinct.values())
        cells = (len(self.kept) + len(caps) + 1) * (len(self.databases) + 1)
        if cells > self.most_cells:
            raise LimitError(
                f"{self.what} has {len(self.databases):,} databases and {len(self.kept):,} {self.bounded}, "
                f"a table of {cells:,} numbers",
                wanted=f"at most {self.most_cells:,}",
                tip=self.tip,
            )
        self.caps = {("cap", k): (cap, ONE) for k, cap in enumerate(caps)}

    @cached_property
    def program(self) -> LinearProgram:
        """The table of the lines and the caps, in which objectives are maximised one after the other."""
        lines: dict[Hashable, Any] = {number: (self.lines[number], self.bounds[number]) for number in self.kept}
        return LinearProgram(self.databases, lines | self.caps)

    def maximised(self, line: Line) -> tuple[Fraction, Column, Multipliers]:
        """The largest value of a line, a column that attains it, and the multipliers of the lines that prove it.

        The multipliers of the caps follow from these.
        """
        value, column, prices = self.program.maximise(line)
        return value, column, tuple((number, prices[number]) for number in self.kept if prices[number])

    def left(self, line: Line, multipliers: Multipliers) -> dict[Database, Any]:
        """The coefficients of a line, less those of the lines times their multipliers."""
        left = dict(line)
        for number, price in multipliers:
            for database, coefficient in self.lines[number].items():
                left[database] = left.get(database, ZERO) - price * coefficient
        return left

    def slacks(self, line: Line, multipliers: Multipliers) -> list[Any]:
        """Values that are all ≥ 0 iff λ ≥ 0 and the line is at most Σ λ·lines in every database."""
        left = self.left(line, multipliers).values()
        return [*(price for _, price in multipliers), *(-coefficient for coefficient in left if coefficient)]


class Cone(Program):
    """The cone of all columns m ≥ 0 with a·m ≤ x^c·b·m for each row (a, b, c); it gives rates to rows of B.

    The other outputs of a mechanism satisfy the rows, too, if m is scaled down (`scaled`).
    """

    def __init__(self, rows: Sequence[LinearRow], factors: Sequence[Fraction], databases: Sequence[Database]) -> None:
        """Make the table; `factors` are the x^c of the rows, `databases` all that any row names."""
        self.rows, self.factors = list(rows), list(factors)
        lines = [row.line(factor) for row, factor in zip(rows, factors, strict=True)]
        super().__init__(lines, [ZERO] * len(lines), databases, [dict.fromkeys(databases, ONE)])

    def rate(self, row: LinearRow, least: Fraction = ONE) -> Rate:
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
        if any(slack < 0 for slack in self.slacks(row.line(factor), multipliers)):
            raise ArithmeticError("a rate was found that its multipliers do not prove")
        return Rate(row, multipliers, column, factor)

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


class Polytope(Program):
    """The polytope of all columns 0 ≤ m ≤ 1 of mechanisms that satisfy the rows of A at (ε, δ).

    Line k < n of n rows is a - x^c·b of row k; line n + k is its negative, for the complement. The bound of a line is
    δ plus the sum of its coefficients, if that sum is above 0.
    """

    bounded = "bounds of events"

    def __init__(
        self, rows: Sequence[LinearRow], factors: Sequence[Fraction], delta: Fraction, databases: Sequence[Database]
    ) -> None:
        """Make the table; `factors` are the x^c of the rows, `databases` all that any row names."""
        lines = [row.line(factor) for row, factor in zip(rows, factors, strict=True)]
        lines += [{database: -value for database, value in line.items()} for line in lines]
        bounds = [delta + max(ZERO, sum(line.values(), ZERO)) for line in lines]
        super().__init__(lines, bounds, databases, [{database: ONE} for database in databases])

    def largest(self, row: LinearRow, y: Fraction) -> Gain:
        """The largest p·m - y·q·m over the polytope; for c = 0 the largest p·m - q·m, at every ε′.

        Raises:
            ArithmeticError: for an optimum that the multipliers do not prove.

        """
        value, column, multipliers = self.maximised(line_at(row, y))
        gain = Gain(row, multipliers, column, value)
        if self.bound(row, y, multipliers) != value or gain.at(y) != value:
            raise ArithmeticError("a δ was found that its multipliers do not prove")
        return gain

    def bound(self, row: LinearRow, y: Fraction, multipliers: Multipliers) -> Fraction:
        """The bound Σ λ·bound + Σ_D max(0, p(D) - y·q(D) - Σ λ·line(D)), which no column exceeds.

        Raises:
            ArithmeticError: for a multiplier below 0.

        """
        if any(price < 0 for _, price in multipliers):
            raise ArithmeticError("a multiplier is below 0")
        left = self.left(line_at(row, y), multipliers)
        paid = sum((price * self.bounds[number] for number, price in multipliers), ZERO)
        return paid + sum((coefficient for coefficient in left.values() if coefficient > 0), ZERO)


def line_at(row: LinearRow, y: Fraction) -> dict[Database, Fraction]:
    """The line p - y·q by database; for c = 0, where e^(c·ε′) = 1 at every ε′, the line p - q."""
    return row.line(y if row.scale else ONE)
