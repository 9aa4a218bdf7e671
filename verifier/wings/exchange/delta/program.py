"""The linear programs of an exchange rate with δ: the largest p·m - y·q·m over the columns of (ε, δ)-A mechanisms.

Let M be (ε, δ)-A, S any set of its outputs, and m(D) = P[M(D) ∈ S]. A row (a, b, c) of A, as a hockey-stick divergence
of at most δ, says of S and of its complement, with x = e^ε,

    (a - x^c·b)·m ≤ δ   and   (a - x^c·b)·(1 - m) ≤ δ, which is (x^c·b - a)·m ≤ δ + x^c - 1.

Each m with 0 ≤ m ≤ 1 and these inequalities is P[M(D) = 1] of such a mechanism with two outputs: they are a polytope.
For a row (p, q) of B and y = e^(c·ε′) the largest p·m - y·q·m over it is the smallest δ′ of that row. Multipliers λ ≥ 0
prove that it is at most Σ λ·bound + Σ_D max(0, p(D) - y·q(D) - Σ λ·line(D)), since 0 ≤ m ≤ 1 (proofs/exchange.md).

The smallest δ′ as a function of y = e^(c·ε′): the largest of finitely many lines, found by crossing them.

Each column m of the polytope of A (`delta_program`) and each row (p, q) of B make a line p·m - y·q·m, which falls in y
or is constant. Their largest value is convex and piecewise linear on y ≥ 1, with a piece for a corner of the polytope.
Where two lines cross, the programs are solved: they prove that both are largest there, or give a third line above them.
So the programs are solved at every end of a piece, with a proof for each row of B. Between two such ends no row needs
more than the line, since the need of a row is convex in y; after the last end none does, since it falls in y, and the
last line is constant.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from fractions import Fraction

from verifier.errors import LimitError
from verifier.model import Database
from verifier.wings.exchange.program import ONE, ZERO, Bounded, LinearProgram, Multipliers, mass
from verifier.wings.exchange.rows import LinearRow
from verifier.wings.exchange.symmetry import Renamings
from verifier.wings.families.intervals import Interval


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


MAX_POINTS = 128
"""Largest number of ε′ at which the programs are solved."""
Tick = Callable[[int, int], object] | None


@dataclass(frozen=True)
class Piece:
    """The piece δ′ = above - below·y from y = `start` to `end`; the column of `best` attains it throughout.

    `gains` prove it at its start, for each row of B. The last piece has no end.
    """

    start: Fraction
    end: Fraction | None
    best: Gain
    gains: tuple[Gain, ...]

    @property
    def where(self) -> Interval:
        """The interval of y; the point where two pieces meet belongs to the first."""
        return Interval(self.start, self.end, low_closed=self.start == ONE, high_closed=self.end is not None)

    def at(self, y: Fraction) -> Fraction:
        """The value δ′ of the line at y."""
        return value_at(self.best, y)


def value_at(gain: Gain, y: Fraction) -> Fraction:
    """The value of the line of a column at another y."""
    return gain.above - y * gain.below


class Crossings:
    """The search for the pieces: the programs of all rows of B, at one y after the other."""

    def __init__(self, polytope: Polytope, rows: Sequence[LinearRow], tick: Tick = None) -> None:
        """Prepare the renamings, by which rows that differ by one share a program."""
        self.polytope, self.rows, self.tick = polytope, rows, tick
        self.renamings: Renamings[Gain] = Renamings(polytope)
        self.solved: dict[Fraction, tuple[Gain, ...]] = {}

    def pieces(self) -> tuple[Piece, ...]:
        """The pieces from y = 1 on; the last is constant.

        Raises:
            LimitError: for more than `MAX_POINTS` ends and crossings.

        """
        first = self._largest(ONE)
        nothing = Gain(self.rows[0], (), dict.fromkeys(self.polytope.places, ZERO), ZERO)
        lines = [(ONE, first), *(self._between(first, nothing) if first.below else ())]
        ends = [*(start for start, _ in lines[1:]), None]
        return tuple(
            Piece(start, end, gain, self.solved[start])
            for (start, gain), end in zip(lines, ends, strict=True)
            if start != end  # a line that is largest at a single point is no piece
        )

    def _between(self, left: Gain, right: Gain) -> Iterator[tuple[Fraction, Gain]]:
        """The lines that are largest after the left one, up to the right one, each with the y at which it begins."""
        y = (left.above - right.above) / (left.below - right.below)
        best = self._largest(y)
        if best.value == value_at(left, y):
            yield y, right
            return
        yield from self._between(left, best)
        if best.below > right.below:
            yield from self._between(best, right)

    def _largest(self, y: Fraction) -> Gain:
        """The largest gain of all rows at one y, after their programs are solved."""
        if len(self.solved) >= MAX_POINTS:
            raise LimitError(
                f"the smallest δ′ bends at so many ε′ that the linear programs are solved at more than {MAX_POINTS}",
                wanted=f"at most {MAX_POINTS}",
                tip="use fewer records or values; pkdp worst answers at one ε′",
            )
        self.renamings.forget()
        gains: list[Gain] = []
        for row in self.rows:
            gain = self.renamings.rate(row)
            if gain is None:
                gain = self.polytope.largest(row, y)
                self.renamings.learn(gain)
            gains.append(gain)
            if self.tick:
                done = len(self.solved) * len(self.rows)
                self.tick(done + len(gains), done + len(self.rows))
        self.solved[y] = tuple(gains)
        return max((gain for gain in gains if gain.column is not None), key=lambda gain: gain.value)
