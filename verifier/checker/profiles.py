"""The curve δ(ε) of a definition on a model as a whole: its pieces A - B·e^ε, where they meet, and its height."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from fractions import Fraction
from functools import cached_property
from itertools import pairwise

from .laws import Resolved, from_above, least_growth, line
from .number_text import epsilon_of
from .numbers import Power


def upper(lines: Iterable[Piece]) -> list[Piece]:
    """The lines of the upper envelope at e^ε ≥ 1, from the steepest on."""
    kept: list[Piece] = []
    for a, b in sorted(lines, key=lambda line: (-line[1], line[0])):
        while kept and (kept[-1][1] == b or a - b >= kept[-1][0] - kept[-1][1]):
            kept.pop()  # never larger at e^ε ≥ 1, where the flatter line wins from 1 on
        while len(kept) > 1 and meeting(kept[-1], (a, b)) <= meeting(kept[-2], kept[-1]):
            kept.pop()
        kept.append((a, b))
    return kept


def meeting(steeper: Piece, flatter: Piece) -> Fraction:
    """The e^ε at which the flatter line becomes the larger one."""
    return (steeper[0] - flatter[0]) / (steeper[1] - flatter[1])


Piece = tuple[Fraction, Fraction]
"""A and B of δ = A - B·e^ε."""


class Profile:
    """δ(ε) of a definition on a model: of each comparison its terms, and the sums of P and Q above each ratio."""

    def __init__(self, compared: Sequence[Sequence[Resolved]], tail: bool) -> None:
        self.compared, self.tail = compared, tail

    def smallest(self, delta: Fraction) -> Fraction | None:
        """The smallest e^ε that is enough at δ."""
        needs = [least_growth(terms, delta, self.tail) for terms in self.compared]
        return None if None in needs else max((g for g in needs if g is not None), default=Fraction(1))

    def holds(self, epsilon: str, delta: Fraction) -> bool:
        """Whether it holds at an ε and δ."""
        power = Power(epsilon_of(epsilon))
        return not any(line(terms, power, self.tail).exceeds(delta) for terms in self.compared)

    @cached_property
    def sums(self) -> list[list[tuple[Fraction | None, Fraction, Fraction]]]:
        """Of each comparison ratios P/Q above 1 (None: infinite), from above, with the sums of P and Q down to each."""
        every = map(from_above, self.compared)
        return [[(r, Fraction(a, total), Fraction(b, total)) for r, a, b in sums] for total, sums in every]

    @cached_property
    def lines(self) -> list[Piece]:
        """A and B of the pieces that are the largest somewhere, from the steepest on; of a tail all, and B is 0."""
        zero = Fraction(0)
        every = {(zero, zero), *((a, zero if self.tail else b) for sums in self.sums for _, a, b in sums)}
        return list(every) if self.tail else upper(every)

    def bends(self) -> set[Fraction]:
        """Where a tail jumps, or where another piece begins."""
        if self.tail:
            return {r for sums in self.sums for r, _, _ in sums if r is not None}
        return {meeting(*two) for two in pairwise(self.lines)}

    def level(self, growth: Fraction) -> Fraction:
        """δ at E."""
        if not self.tail:
            return max(a - b * growth for a, b in self.lines)
        return max((a for sums in self.sums for r, a, _ in sums if r is None or r > growth), default=Fraction(0))
