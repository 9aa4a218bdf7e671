"""The linear programs of an exchange rate with δ: the largest p·m - y·q·m over the columns of (ε, δ)-A mechanisms.

Let M be (ε, δ)-A, S any set of its outputs, and m(D) = P[M(D) ∈ S]. A row (a, b, c) of A, as a hockey-stick divergence
of at most δ, says of S and of its complement, with x = e^ε,

    (a - x^c·b)·m ≤ δ   and   (a - x^c·b)·(1 - m) ≤ δ, which is (x^c·b - a)·m ≤ δ + x^c - 1.

Each m with 0 ≤ m ≤ 1 and these inequalities is P[M(D) = 1] of such a mechanism with two outputs: they are a polytope.
For a row (p, q) of B and y = e^(c·ε′) the largest p·m - y·q·m over it is the smallest δ′ of that row. Multipliers λ ≥ 0
prove that it is at most Σ λ·bound + Σ_D max(0, p(D) - y·q(D) - Σ λ·line(D)), since 0 ≤ m ≤ 1 (proofs/exchange.md).
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from fractions import Fraction

from verifier.model import Database
from verifier.wings.exchange.program import ONE, ZERO, Bounded, LinearProgram, Multipliers, mass
from verifier.wings.exchange.rows import LinearRow


@dataclass(frozen=True)
class Gain(Bounded):
    """The largest p·m - y·q·m of a row at one y: its `value`, multipliers that prove it, a column that attains it."""

    value: Fraction

    @property
    def above(self) -> Fraction:
        """The part of the gain without y: p·m, or p·m - q·m for a row with c = 0, which does not depend on ε′."""
        column = self.column or {}
        return mass(self.row.p, column) - (ZERO if self.row.scale else mass(self.row.q, column))

    @property
    def below(self) -> Fraction:
        """The slope at which the gain falls in y: q·m, or 0 for a row with c = 0."""
        return mass(self.row.q, self.column or {}) if self.row.scale else ZERO


class Polytope(LinearProgram):
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
        super().__init__(lines, bounds, [{database: ONE} for database in databases])

    def largest(self, row: LinearRow, y: Fraction) -> Gain:
        """The largest p·m - y·q·m over the polytope; for c = 0 the largest p·m - q·m, at every ε′.

        Raises:
            ArithmeticError: for an optimum that the multipliers do not prove.

        """
        value, column, multipliers = self.maximised(line_at(row, y))
        gain = Gain(row, multipliers, column, value)
        if self.bound(row, y, multipliers) != value or gain.above - y * gain.below != value:
            raise ArithmeticError("the simplex method found a δ that its multipliers do not prove")
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
