"""The laws of comparisons, their outputs by the ratio P/Q, and the curve δ(ε): A - B·e^ε between two ratios."""

from __future__ import annotations

import math
from bisect import bisect_left
from collections import Counter, defaultdict
from collections.abc import Iterable, Mapping, Sequence
from fractions import Fraction
from itertools import repeat
from operator import itemgetter
from typing import NamedTuple

from .comparisons import ONE, Asked, Comparison, Side
from .mechanisms import Database
from .numbers import Label, Line, Measure, Power, afford, mixed


class Group(NamedTuple):
    """All outputs with one ratio P/Q (None: Q is 0), and the probabilities that they have together."""

    ratio: Fraction | None
    p: Fraction
    q: Fraction


class Grouped(NamedTuple):
    """The outputs of two laws by their ratio, the largest first: (ratio, P, Q) in integers over two totals."""

    counts: tuple[tuple[Fraction | None, int, int], ...]
    p_total: int
    q_total: int

    def groups(self) -> list[Group]:
        """With probabilities."""
        return [Group(ratio, Fraction(x, self.p_total), Fraction(y, self.q_total)) for ratio, x, y in self.counts]


def in_order(weighed: Iterable[tuple[Fraction | None, int, int]]) -> tuple[tuple[Fraction | None, int, int], ...]:
    """Ratios with what P and Q have there: each once, the infinite one (None) first, then from above."""
    every, out = list(weighed), list[tuple[Fraction | None, int, int]]()
    infinite, finite = ([mass for mass in every if (mass[0] is None) == first] for first in (True, False))
    for ratio, x, y in (*infinite, *sorted(finite, key=itemgetter(0), reverse=True)):
        if out and (ratio is out[-1][0] or ratio == out[-1][0]):
            _, p, q = out[-1]
            out[-1] = ratio, p + x, q + y
        else:
            out.append((ratio, x, y))
    return tuple(out)


class Resolved(NamedTuple):
    """A term with its laws."""

    share: Fraction
    p: Measure
    q: Measure
    by_ratio: Grouped

    @property
    def groups(self) -> list[Group]:
        """Its outputs by their ratios."""
        return self.by_ratio.groups()


class Laws:
    """The laws behind the sides of comparisons; equal laws are one object, and each pair of laws is grouped once."""

    def __init__(self, asked: Asked, comparisons: Sequence[Comparison], plain: bool) -> None:
        self.asked = asked
        sides = [
            side
            for side in dict.fromkeys(s for c in comparisons for t in c.terms for s in (t.p, t.q))
            if isinstance(side, tuple)
        ]
        reached: dict[Database, None] = {d: None for side in sides for d, _ in side}
        self.outputs = (asked.model.plain if plain else asked.model.outputs)(reached) if reached else {}
        size = max((len(law.counts) for law in self.outputs.values()), default=1)
        afford(size * sum(len(side) for side in sides), "the outputs of all laws")
        self.interned: dict[object, Measure] = {}
        self.by_side: dict[Side, Measure] = {}
        self.grouped: dict[object, Grouped] = {}
        self.coded: dict[int, int] = {}
        self.weights: list[int] = []
        self.codes: dict[int, dict[Label, int]] = {}
        self.ratios: dict[tuple[int, int], Fraction | None] = {}
        self.pairs: dict[tuple[int, int, Label | None], Grouped] = {}
        self.total, self.usual = self._usual()
        self.unusual: dict[int, dict[Label, int]] = {}

    def of(self, side: Side) -> Measure:
        """The law of a side."""
        known = self.by_side.get(side)
        if known is None:
            if not isinstance(side, tuple):
                law = side
            elif len(side) == 1:
                law = self.outputs[side[0][0]]
            else:
                law = mixed((Fraction(w), self.outputs[d]) for d, w in side)
            known = self.interned.setdefault((law.total, tuple(law.counts.items())), law)
            self.by_side[side] = known
        return known

    def _usual(self) -> tuple[int, dict[Label, int]]:
        """The total of all databases' laws, if they have one, and the most usual weight of each output over these.

        Two rows of randomized response with 165 values differ from the usual in two outputs; only these are compared,
        and all others have the ratio 1.
        """
        laws = {id(law): law for law in self.outputs.values()}
        totals = {law.total for law in laws.values()}
        weights: dict[Label, Counter[int]] = defaultdict(Counter)
        for law in laws.values() if len(totals) == 1 else ():
            for o, c in law.counts.items():
                weights[o][c] += 1
        for counter in weights.values():
            counter[0] += len(laws) - counter.total()
        return (max(totals, default=0) if weights else 0), {o: x.most_common(1)[0][0] for o, x in weights.items()}

    def _unusual(self, law: Measure) -> dict[Label, int]:
        """The outputs of which a law has another weight than the usual one."""
        known = self.unusual.get(id(law))
        if known is None:
            known = {o: c for o, c in law.counts.items() if c != self.usual.get(o)}
            known.update((o, 0) for o, c in self.usual.items() if c and o not in law.counts)
            self.unusual[id(law)] = known
        return known

    def distinct(self, comparisons: Iterable[Comparison], by_ratios: bool = True) -> list[Comparison]:
        """One comparison for each table of ratios with its shares; else for each pair of laws and event."""
        out: dict[object, Comparison] = {}
        for c in comparisons:
            terms = [(_plain(t.share), self.of(t.p), self.of(t.q)) for t in c.terms]
            if by_ratios:
                key: list[object] = [(share, id(self.groups(p, q, c.only))) for share, p, q in terms]
            else:
                key = [c.only, *((share, id(p), id(q)) for share, p, q in terms)]
            out.setdefault((_plain(c.scale), *key), c)
        return list(out.values())

    def resolve(self, c: Comparison) -> list[Resolved]:
        """The terms of a comparison with their laws."""
        out = []
        for t in c.terms:
            p, q = self.of(t.p), self.of(t.q)
            out.append(Resolved(t.share, p, q, self.groups(p, q, c.only)))
        return out

    def groups(self, p: Measure, q: Measure, only: Label | None = None) -> Grouped:
        """The outputs of two laws by their ratio; each pair of laws, and each table of weights, once."""
        at = id(p), id(q), only
        known = self.pairs.get(at)
        if known is None:
            sparse = only is None and p.total == q.total == self.total
            pairs = self._weights(p, q, only, sparse)
            key = p.total, q.total, sparse, frozenset(pairs.items())
            if key not in self.grouped:
                if sparse:  # where both have the usual weight, their ratio is 1
                    rest = self._code(p.total - sum(self.weights[n] * times for (n, _), times in pairs.items()))
                    pairs[rest, rest] += 1
                self.grouped[key] = self._grouped(pairs, p.total, q.total)
            known = self.pairs[at] = self.grouped[key]
        return known

    def _grouped(self, pairs: Mapping[tuple[int, int], int], p_total: int, q_total: int) -> Grouped:
        weighed = []
        for (n, m), times in pairs.items():
            x, y = self.weights[n], self.weights[m]
            if x or y:
                ratio = self._ratio(n, m) if p_total == q_total else Fraction(x * q_total, y * p_total) if y else None
                weighed.append((ratio, x, y) if times == 1 else (ratio, x * times, y * times))
        return Grouped(in_order(weighed), p_total, q_total)

    def _weights(self, p: Measure, q: Measure, only: Label | None, sparse: bool) -> Counter[tuple[int, int]]:
        """How often each pair of weights comes; `sparse` leaves out outputs with the usual weight on both sides."""
        one, other, none = self._codes(p), self._codes(q), self._code(0)
        looked_at = {**self._unusual(p), **self._unusual(q)} if sparse else {**one, **other} if only is None else [only]
        return Counter(zip(map(one.get, looked_at, repeat(none)), map(other.get, looked_at, repeat(none)), strict=True))

    def _code(self, weight: int) -> int:
        """The number of a weight, in the order in which they come: weights of a thousand people are long to hash."""
        code = self.coded.setdefault(weight, len(self.weights))
        if code == len(self.weights):
            self.weights.append(weight)
        return code

    def _codes(self, law: Measure) -> dict[Label, int]:
        """The numbers of the weights of a law."""
        if id(law) not in self.codes:
            numbers = {c: self._code(c) for c in set(law.counts.values())}
            self.codes[id(law)] = {o: numbers[c] for o, c in law.counts.items()}
        return self.codes[id(law)]

    def _ratio(self, n: int, m: int) -> Fraction | None:
        """The ratio of two weights by their numbers."""
        if (n, m) not in self.ratios:
            self.ratios[n, m] = Fraction(self.weights[n], self.weights[m]) if self.weights[m] else None
        return self.ratios[n, m]


def line(terms: Iterable[Resolved], power: Power, tail: bool) -> Line:
    """δ at one ε: Σ share·Σ max(0, P - e^ε·Q); of a tail Σ share·P[P > e^ε·Q]."""
    a = b = Fraction(0)
    for share, _, _, (counts, p_total, q_total) in terms:
        above = counts[: bisect_left(counts, True, key=lambda mass: not _is_above(mass[0], power))]
        a += share * Fraction(sum([x for _, x, _ in above]), p_total)
        b += share * Fraction(sum([y for _, _, y in above]), q_total)
    return Line(a, Fraction(0) if tail else b, power)


def _is_above(ratio: Fraction | None, power: Power) -> bool:
    return ratio is None or (ratio > 1 and power.sign(ratio, 1) > 0)


def from_above(terms: Iterable[Resolved]) -> tuple[int, list[tuple[Fraction | None, int, int]]]:
    """Ratios P/Q above 1 (None: infinite) from above, with the shares of P and Q down to each, over one total."""
    several = list(terms)
    total = math.lcm(*(t.share.denominator * x for t in several for x in t.by_ratio[1:]))
    masses: list[tuple[Fraction | None, int, int]] = []
    for share, _, _, (counts, p_total, q_total) in several:
        p_times, q_times = (total // (share.denominator * x) * share.numerator for x in (p_total, q_total))
        above = counts[: bisect_left(counts, True, key=lambda mass: mass[0] is not None and mass[0] <= 1)]
        masses += [(ratio, x * p_times, y * q_times) for ratio, x, y in above]
    a = b = 0
    out = []
    for ratio, x, y in in_order(masses) if len(several) > 1 else masses:
        a, b = a + x, b + y
        out.append((ratio, a, b))
    return total, out


def least_growth(terms: Iterable[Resolved], delta: Fraction, tail: bool) -> Fraction | None:
    """The smallest e^ε ≥ 1 with δ(ε) ≤ δ, or None: between two ratios the curve is A - B·e^ε, with their sums."""
    total, sums = from_above(terms)
    most, a, b = delta * total, 0, 0
    for ratio, next_a, next_b in sums:
        if ratio is None and next_a > most:
            return None
        if ratio is not None and tail and next_a > most:
            return ratio
        if ratio is not None and not tail and a - most > b * ratio:
            break  # the curve meets δ above this ratio
        a, b = next_a, next_b
    return max(ONE, (a - most) / b) if not tail and b else ONE


def _plain(x: Fraction | None) -> object:
    """1 for the 1 that most comparisons share: the hash of a fraction is slow."""
    return 1 if x is ONE else x
