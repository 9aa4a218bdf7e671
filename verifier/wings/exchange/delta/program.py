"""The smallest δ′ as a function of y = e^(c·ε′): the largest of finitely many lines, found by crossing them.

Each column m of the polytope of A (`program`) and each row (p, q) of B make a line p·m - y·q·m, which falls in y or is
constant. Their largest value is convex and piecewise linear on y ≥ 1, with a piece for a corner of the polytope.
Where two lines cross, the programs are solved: they prove that both are largest there, or give a third line above them.
So the programs are solved at every end of a piece, with a proof for each row of B. Between two such ends no row needs
more than the line, since the need of a row is convex in y; after the last end none does, since it falls in y, and the
last line is constant.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from fractions import Fraction

from verifier.errors import LimitError
from verifier.wings.exchange.program import ONE, ZERO, Gain, Polytope
from verifier.wings.exchange.rows import LinearRow
from verifier.wings.exchange.symmetry import Renamings, Tick
from verifier.wings.families.intervals import Interval

MAX_POINTS = 128
"""Largest number of ε′ at which the programs are solved."""


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
        return self.best.at(y)


class Crossings:
    """The search for the pieces: the programs of all rows of B, at one y after the other."""

    def __init__(self, polytope: Polytope, rows: Sequence[LinearRow], tick: Tick = None) -> None:
        """Prepare the renamings, by which rows that differ by one share a program."""
        self.polytope, self.rows, self.tick = polytope, rows, tick
        self.renamings = Renamings(polytope)
        self.solved: dict[Fraction, tuple[Gain, ...]] = {}

    def pieces(self) -> tuple[Piece, ...]:
        """The pieces from y = 1 on; the last is constant.

        Raises:
            LimitError: for more than `MAX_POINTS` ends and crossings.

        """
        first = self._largest(ONE)
        nothing = Gain(self.rows[0], (), dict.fromkeys(self.polytope.databases, ZERO), ZERO)
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
        if best.value == left.at(y):
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
        done, every = len(self.solved) * len(self.rows), (len(self.solved) + 1) * len(self.rows)

        def tick(now: int, _: int) -> None:
            if self.tick:
                self.tick(done + now, every)

        gains = list(self.renamings.proofs(self.rows, lambda row: self.polytope.largest(row, y), tick))
        self.solved[y] = tuple(gains)
        return max(gains, key=lambda gain: gain.value)
