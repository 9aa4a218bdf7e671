"""Profiles of many pairs of laws that share their outcomes: one pass over the outcomes serves all of them.

Knowledge values shift the same two laws and differ only in which outcomes a mechanism lumps together. So the P- and
Q-weights stand once, in `Edges`; a `Window` says which stretches of them are told apart and which are lumped into one
outcome. Sums over stretches are kept at the ends of the windows, so that δ(ε) of each window costs a few additions.
"""

from __future__ import annotations

from bisect import bisect_left, bisect_right
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from functools import cached_property
from itertools import accumulate, pairwise
from math import gcd, lcm
from typing import TypeAlias

from verifier.numbers import SHIFT, Epsilon, Order, compare_integers, exp_bounds_integers
from verifier.profile.profile import Profile, envelope, points_of
from verifier.tables import Integer, SumLaw

Stretch: TypeAlias = tuple[int, int]
"""Positions from the first up to, not including, the second."""
Line: TypeAlias = tuple[Integer, Integer]
"""(P(S), Q(S)) of an event S, as integers over the common denominator."""


class Edges:
    """The outcomes of two laws P and Q, in one order, over one denominator.

    >>> from verifier.tables import sum_law
    >>> two_votes = sum_law([{0: 3, 1: 1}] * 2)
    >>> edges = Edges.between(two_votes, two_votes.shifted(1))  # a third vote is no, or yes
    >>> [(int(p), int(q)) for p, q in zip(edges.p, edges.q)], int(edges.denominator)
    ([(9, 0), (6, 9), (1, 6), (0, 1)], 16)
    """

    def __init__(self, keys: Sequence[int], p: Sequence[Integer], q: Sequence[Integer], denominator: Integer) -> None:
        self.keys, self.p, self.q, self.denominator = keys, p, q, denominator
        self._cuts: set[int] = set()
        # an ε is kept beside its sums, so that its id stays its own
        self._sums: dict[tuple[int, bool], tuple[Epsilon | None, dict[int, Line]]] = {}

    @classmethod
    def between(cls, first: SumLaw, second: SumLaw) -> Edges:
        """The outcomes of two laws: all keys of either, over a common denominator."""
        keys, p, q = aligned(first, second)
        denominator = first.total
        if first.total != second.total:
            shared = gcd(int(first.total), int(second.total))
            scale_p, scale_q = second.total // shared, first.total // shared
            p, q, denominator = [x * scale_p for x in p], [y * scale_q for y in q], first.total * scale_p
        return cls(keys, p, q, denominator)

    def stretch(self, low: int, high: int) -> Stretch:
        """The positions of the keys from `low` to `high`, both included; its ends become cuts of `sums`."""
        start, stop = bisect_left(self.keys, low), bisect_right(self.keys, high)
        new = {start, stop} - self._cuts
        if new:
            self._cuts |= new
            self._sums.clear()
        return start, stop

    def mask(self, epsilon: Epsilon, *, closed: bool = False) -> list[bool]:
        """Which outcomes have a privacy loss above ε (with `closed`: at least ε)."""
        pairs = zip(self.p, self.q, strict=True)
        if epsilon.is_infinite:
            return [x > 0 and y == 0 for x, y in pairs]
        if epsilon.exp is not None:
            top, bottom = epsilon.exp.numerator, epsilon.exp.denominator
            if closed:
                return [x > 0 and x * bottom >= y * top for x, y in pairs]
            return [x * bottom > y * top for x, y in pairs]
        below, above = exp_bounds_integers(epsilon)
        gap = above - below
        masses = []
        for x, y in pairs:
            scaled, least = x << SHIFT, y * below
            if scaled > least + y * gap:
                masses.append(True)
            elif scaled < least or not x:
                masses.append(False)
            else:
                masses.append(compare_integers(x, y, epsilon).settled() is Order.GREATER)
        return masses

    def sums(self, epsilon: Epsilon | None, *, closed: bool = False) -> dict[int, Line]:
        """(P, Q) of all outcomes before each cut; with ε, only of those whose privacy loss is above ε, as in `mask`."""
        key = (id(epsilon), closed)
        if key not in self._sums:
            p, q = self.p, self.q
            if epsilon is not None:
                mask = self.mask(epsilon, closed=closed)
                p = [x if gains else 0 for x, gains in zip(p, mask, strict=True)]
                q = [y if gains else 0 for y, gains in zip(q, mask, strict=True)]
            cuts = sorted({0, *self._cuts})
            pieces = [(sum(p[i:j]), sum(q[i:j])) for i, j in pairwise(cuts)]
            lines = accumulate(pieces, lambda x, y: (x[0] + y[0], x[1] + y[1]), initial=(0, 0))
            self._sums[key] = epsilon, dict(zip(cuts, lines, strict=True))
        return self._sums[key][1]


def aligned(first: SumLaw, second: SumLaw) -> tuple[Sequence[int], list[Integer], list[Integer]]:
    """The union of the keys of two laws, in increasing order, and the weights of each law on it."""
    own_keys, other_keys = first.keys, second.keys
    if (
        isinstance(own_keys, range)
        and isinstance(other_keys, range)
        and own_keys.step == other_keys.step
        and (own_keys.start - other_keys.start) % own_keys.step == 0
    ):
        keys = range(min(own_keys.start, other_keys.start), max(own_keys.stop, other_keys.stop), own_keys.step)
    else:
        keys = range(0)
    if 0 < len(keys) <= 2 * (len(own_keys) + len(other_keys)) + 64:
        return keys, *(
            [
                *[0] * ((law.keys[0] - keys.start) // keys.step),
                *law.weights,
                *[0] * ((keys[-1] - law.keys[-1]) // keys.step),
            ]
            for law in (first, second)
        )  # type: ignore[return-value]
    p, q = dict(first.items()), dict(second.items())
    union = sorted(p.keys() | q.keys())
    return union, [p.get(key, 0) for key in union], [q.get(key, 0) for key in union]


@dataclass(frozen=True, eq=False)
class Window:
    """One pair of output laws: the stretches of outcomes that are outputs of their own, and the lumps.

    Each lump is one output, with the stretches of the outcomes that have it.
    """

    edges: Edges
    apart: tuple[Stretch, ...]
    lumps: tuple[tuple[Stretch, ...], ...] = ()

    @property
    def denominator(self) -> Integer:
        """The denominator of all lines."""
        return self.edges.denominator

    @cached_property
    def lumped(self) -> tuple[Line, ...]:
        """(P, Q) of each lump."""
        sums = self.edges.sums(None)
        return tuple(_over(sums, stretches) for stretches in self.lumps)

    def event(self, epsilon: Epsilon, *, closed: bool = False) -> tuple[list[int], list[int]]:
        """The positions, and the lumps, whose privacy loss is above ε (with `closed`: at least ε)."""
        mask = self.edges.mask(epsilon, closed=closed)
        return (
            [k for i, j in self.apart for k in range(i, j) if mask[k]],
            [k for k, line in enumerate(self.lumped) if _gains(line, epsilon, closed=closed)],
        )

    def line(self, epsilon: Epsilon, *, closed: bool = False) -> Line:
        """(A, B) with δ(ε) = (A - B·e^ε)/denominator: P and Q of the event."""
        a, b = _over(self.edges.sums(epsilon, closed=closed), self.apart)
        for line in self.lumped:
            if _gains(line, epsilon, closed=closed):
                a, b = a + line[0], b + line[1]
        return a, b

    def refines(self, other: Window) -> bool:
        """Whether `other` is this with more outcomes lumped; its profile is then nowhere higher (post-processing)."""
        return (
            self.edges is other.edges
            and all(any(_within(stretch, window) for window in self.apart) for stretch in other.apart)
            and all(
                any(
                    all(any(_within(stretch, container) for container in big) for stretch in small)
                    for big in other.lumps
                )
                for small in self.lumps
            )
        )

    @cached_property
    def profile(self) -> Profile:
        """The whole profile of this pair."""
        return envelope([averaged([(1, self)], 1)])


def _over(sums: dict[int, Line], stretches: Iterable[Stretch]) -> Line:
    p: Integer = 0
    q: Integer = 0
    for i, j in stretches:
        p, q = p + sums[j][0] - sums[i][0], q + sums[j][1] - sums[i][1]
    return p, q


def _within(small: Stretch, big: Stretch) -> bool:
    return small[0] >= small[1] or (big[0] <= small[0] and small[1] <= big[1])


def _gains(line: Line, epsilon: Epsilon, *, closed: bool) -> bool:
    p, q = line
    if epsilon.is_infinite or p == 0 or q == 0:
        return bool(p > 0 and q == 0)
    order = compare_integers(p, q, epsilon).settled()
    return order is Order.GREATER or (closed and order is Order.EQUAL)


def averaged(terms: Sequence[tuple[Integer, Window]], total: Integer) -> tuple[Integer, list[Line]]:
    """The curve Σ (weight/total)·δ(ε) over windows, as a denominator and points (Q, P), not yet in lowest terms.

    An outcome counts once, with the weights of all windows that tell it apart; a lump counts with that of its window.
    """
    from flint import fmpz

    by_edges: dict[Edges, list[tuple[Integer, Window]]] = {}
    for weight, window in terms:
        by_edges.setdefault(window.edges, []).append((weight, window))
    shared = lcm(*(int(edges.denominator) for edges in by_edges))
    gains: list[Line] = []
    for edges, windows in by_edges.items():
        scale = shared // edges.denominator
        change: dict[int, Integer] = {}
        for weight, window in windows:
            for i, j in window.apart:
                change[i] = change.get(i, 0) + weight * scale
                change[j] = change.get(j, 0) - weight * scale
            gains += [(p * weight * scale, q * weight * scale) for p, q in window.lumped if p > q]
        counted = accumulate(change.get(k, 0) for k in range(len(edges.keys)))
        gains += [(p * w, q * w) for p, q, w in zip(edges.p, edges.q, counted, strict=True) if w and p > q]
    return fmpz(shared) * total, [(fmpz(q), fmpz(p)) for q, p in points_of(gains)]


def lines_of(terms: Sequence[tuple[Integer, Window]], epsilon: Epsilon, *, closed: bool) -> dict[Edges, Line]:
    """Σ weight·(A, B) over the windows that share each `Edges`, where δ(ε) of a window is (A - B·e^ε)/denominator."""
    lines: dict[Edges, Line] = {}
    for weight, window in terms:
        edges = window.edges
        sums = edges.sums(epsilon, closed=closed)
        p, q = 0, 0
        for i, j in window.apart:
            (p0, q0), (p1, q1) = sums[i], sums[j]
            p, q = p + p1 - p0, q + q1 - q0
        for line in window.lumped:
            if _gains(line, epsilon, closed=closed):
                p, q = p + line[0], q + line[1]
        a, b = lines.get(edges, (0, 0))
        lines[edges] = a + weight * p, b + weight * q
    return lines


def largest(windows: Sequence[Window]) -> list[tuple[Integer, list[Line]]]:
    """The curves of some windows with the same maximum as all: a window that another one refines is left out."""
    kept: list[Window] = []
    for window in sorted(windows, key=_outcomes, reverse=True):
        if not any(larger.refines(window) for larger in kept):
            kept.append(window)
    return [averaged([(1, window)], 1) for window in kept]


def _outcomes(window: Window) -> int:
    return sum(j - i for i, j in window.apart)
