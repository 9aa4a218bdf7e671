"""The smallest δ′ as a function of y = e^(c·ε′): the largest of finitely many lines, found by crossing them.

Each column m of the polytope of A (`delta_program`) and each row (p, q) of B make a line p·m - y·q·m, which falls in y
or is constant. Their largest value is convex and piecewise linear on y ≥ 1, with a piece for a corner of the polytope.
Where two lines cross, the programs are solved: they prove that both are right there, or give a third line above them.
So every end of a piece is solved, and proved for each row of B; between two such ends nothing is larger than the line,
since what a row needs is convex; after the last end nothing is, since it falls and the last line is constant.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from fractions import Fraction

from verifier.errors import LimitError
from verifier.wings.relations.delta_program import ONE, ZERO, Gain, Polytope
from verifier.wings.relations.exchange_rows import LinearRow
from verifier.wings.relations.exchange_symmetry import Renamings

MAX_POINTS = 128
"""Most ε′ at which the programs are solved."""
Tick = Callable[[int, int], object] | None


@dataclass(frozen=True)
class Piece:
    """δ′ = above - below·y from y = `start` on, up to the next piece; `best` attains it on all of the piece.

    `gains` prove it at its start, for each row of B.
    """

    start: Fraction
    best: Gain
    gains: tuple[Gain, ...]

    def at(self, y: Fraction) -> Fraction:
        """The value of the line."""
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
        """All pieces, from y = 1 on; the last is constant.

        Raises:
            LimitError: for more than `MAX_POINTS` ends and crossings.

        """
        first = self._largest(ONE)
        nothing = Gain(self.rows[0], (), dict.fromkeys(self.polytope.places, ZERO), ZERO)
        lines = [(ONE, first), *(self._between(first, nothing) if first.below else ())]
        ends = [*(start for start, _ in lines[1:]), None]
        return tuple(
            Piece(start, gain, self.solved[start])
            for (start, gain), end in zip(lines, ends, strict=True)
            if start != end  # a line that is largest at a single point is none of the pieces
        )

    def _between(self, left: Gain, right: Gain) -> Iterator[tuple[Fraction, Gain]]:
        """The lines that are largest after the left one, up to the right one, each with where it begins."""
        y = (left.above - right.above) / (left.below - right.below)
        best = self._largest(y)
        if best.value == value_at(left, y):
            yield y, right
            return
        yield from self._between(left, best)
        if best.below > right.below:
            yield from self._between(best, right)

    def _largest(self, y: Fraction) -> Gain:
        """Solve the programs of all rows at one y; the largest."""
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
