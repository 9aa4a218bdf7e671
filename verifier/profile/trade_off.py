"""The best tests between two laws P and Q, as exact numbers: the vertices of their trade-off curve.

A test says "P" on a set S of outputs, and may flip a coin at one of them. Its true positive rate is P[S], its false
positive rate Q[S]. The best tests take outputs by decreasing P/Q (Neyman and Pearson, 1933), so that the sets which
begin that order are the vertices, and the curve between them is linear (Dong, Roth and Su, DRS21).

Laws are weights up to a factor each, for instance integers with thousands of digits from sums over many people: they
are added up as integers, and only what is asked for becomes a fraction.
"""

from __future__ import annotations

from collections.abc import Iterable
from fractions import Fraction
from itertools import pairwise
from math import gcd
from typing import NamedTuple, TypeAlias

from verifier.profile.profile import Point, points_of

Vertex: TypeAlias = tuple[Fraction, Fraction]
"""(α, β): the false positive rate Q[S], and 1 - P[S], how often P is missed."""


class TradeOff(NamedTuple):
    """The best tests of P against Q.

    >>> coin = TradeOff.of([(3, 1), (1, 3)])
    >>> [f"{alpha}, {beta}" for alpha, beta in coin.vertices], coin.advantage
    (['0, 1', '1/4, 1/4', '1, 0'], Fraction(1, 2))
    """

    points: tuple[Point, ...]
    """(Q(S), P(S)) of each vertex as weights, from the outputs that Q never makes to all: the last has the totals."""

    @classmethod
    def of(cls, weights: Iterable[Point]) -> TradeOff:
        """The best tests, from the weights (P, Q) of the outputs, in any order; neither law is without mass."""
        return cls(tuple(points_of([(p, q) for p, q in weights if p or q])))

    @property
    def totals(self) -> tuple[int, int]:
        """The sums of the weights of P and of Q."""
        of_q, of_p = self.points[-1]
        return int(of_p), int(of_q)

    @property
    def vertices(self) -> tuple[Vertex, ...]:
        """The vertices (α, β), by rising α; no three are on a line."""
        of_p, of_q = self.totals
        return tuple((Fraction(int(q), of_q), 1 - Fraction(int(p), of_p)) for q, p in self.points)

    @property
    def advantage(self) -> Fraction:
        """The largest P[S] - Q[S]: the total variation distance."""
        of_p, of_q = self.totals
        shared = gcd(of_p, of_q)  # of sums nearly all of it
        by_p, by_q = of_q // shared, of_p // shared
        return Fraction(max(int(p) * by_p - int(q) * by_q for q, p in self.points), of_p * by_p)

    def true_positive_rate(self, rate: Fraction) -> Fraction:
        """The largest P[test] where Q[test] is at most `rate`, in [0, 1], over tests that may flip a coin.

        >>> TradeOff.of([(3, 1), (1, 3)]).true_positive_rate(Fraction(1, 100))
        Fraction(3, 100)
        """
        of_p, of_q = self.totals
        most = rate * of_q
        for (q, p), (larger_q, larger_p) in pairwise(self.points):
            if larger_q > most:
                return (int(p) + (most - int(q)) * Fraction(int(larger_p - p), int(larger_q - q))) / of_p
        return Fraction(1)
