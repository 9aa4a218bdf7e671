"""Pairs of exact laws, P against Q, and the sums that their events make."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator
from dataclasses import dataclass
from fractions import Fraction
from functools import cached_property, lru_cache
from math import gcd
from typing import NamedTuple, TypeAlias

from verifier.engine import KnowledgeCase, Output
from verifier.engine.enumerated import InOrder
from verifier.engine.pushforward import Pushforward
from verifier.numbers import Delta, Epsilon, Order, compare_integers
from verifier.profile import Line, Profile, Window, profile_of
from verifier.profile.profile import cumulated
from verifier.tables import Integer, Label, in_order

ALL_LOST = Profile(1, ((0, 1),))
"""The profile of a law P against a law that can produce none of its outputs: δ(ε) = 1 for every ε."""
OutputWeights: TypeAlias = tuple[Label, Integer, Integer]
"""An output with its P- and Q-weights."""


@lru_cache(maxsize=4096)
def profile_of_weights(p: tuple[int, ...], q: tuple[int, ...]) -> Profile:
    """The profile of P against Q, kept: many pairs have the same weights under other names."""
    return _profile_of_counts(frozenset(Counter(zip(p, q, strict=True)).items()))


@lru_cache(maxsize=4096)
def _profile_of_counts(counts: frozenset[tuple[tuple[int, int], int]]) -> Profile:
    """The profile of P against Q, from how often each pair of weights comes."""
    p, q = zip(*((x * times, y * times) for (x, y), times in counts), strict=True)
    return profile_of(p, q)


@dataclass(frozen=True)
class Pair:
    """Two exact laws on the same outputs, P against Q, with the knowledge they are conditioned on.

    `q` is None where the second law does not exist: B̂ excludes b.
    """

    case: KnowledgeCase | None
    outputs: tuple[Label, ...]
    p: tuple[int, ...]
    q: tuple[int, ...] | None
    direction: str = ""

    @property
    def knowledge(self) -> Label | None:
        """The knowledge value B̂ on which both laws are conditioned; None without one."""
        return self.case.label if self.case else None

    @property
    def window(self) -> Window | None:
        """The window of outcomes that the pair shares with other pairs; None where it shares none."""
        return None

    @property
    def unmatched(self) -> bool:
        """Whether the second law does not exist."""
        return self.q is None

    @property
    def totals(self) -> tuple[int, int]:
        """The totals by which the weights of P and of Q are divided."""
        return sum(self.p), sum(self.q or ())

    @cached_property
    def profile(self) -> Profile:
        """The privacy profile of P against Q."""
        return ALL_LOST if self.q is None else profile_of_weights(self.p, self.q)

    @property
    def denominator(self) -> int:
        """The denominator of all lines."""
        return self.profile.denominator

    def line(self, epsilon: Epsilon, *, closed: bool = False) -> Line:
        """(A, B) with δ(ε) = (A - B·e^ε)/denominator: P and Q of the outputs whose loss is above ε (or at least ε)."""
        return self.profile.line(epsilon, closed=closed)

    def event(self, epsilon: Epsilon, *, closed: bool = False) -> tuple[Label, ...]:
        """The outputs whose privacy loss is above ε (with `closed`: at least ε)."""
        if self.q is None:
            return self.outputs
        p_total, q_total = self.totals
        shared = gcd(p_total, q_total)
        p_scale, q_scale = q_total // shared, p_total // shared
        accept = {Order.GREATER, Order.EQUAL} if closed else {Order.GREATER}

        def belongs(x: int, y: int) -> bool:
            if epsilon.is_infinite:
                return x > 0 and y == 0
            return compare_integers(x * p_scale, y * q_scale, epsilon).settled() in accept

        rows = zip(self.outputs, self.p, self.q, strict=True)
        return tuple(output for output, x, y in rows if (x or y) and belongs(x, y))

    def masses(self, event: tuple[Label, ...]) -> tuple[Fraction, Fraction | None]:
        """P(S) and Q(S)."""
        chosen = set(event)
        p_total, q_total = self.totals
        first = sum(x for output, x in zip(self.outputs, self.p, strict=True) if output in chosen)
        if self.q is None:
            return Fraction(first, p_total), None
        second = sum(y for output, y in zip(self.outputs, self.q, strict=True) if output in chosen)
        return Fraction(first, p_total), Fraction(second, q_total)

    def weights(self) -> tuple[Iterator[tuple[int, int]], tuple[int, int]]:
        """The weights of every output under both laws, and the totals that divide them."""
        return zip(self.p, self.q or (), strict=True), self.totals

    def rows(self) -> Iterator[tuple[Label, Fraction, Fraction]]:
        """Every output with its probability under both laws."""
        p_total, q_total = self.totals
        for output, x, y in zip(self.outputs, self.p, self.q or (), strict=True):
            yield output, Fraction(x, p_total), Fraction(y, q_total)


@dataclass(frozen=True)
class MeasurePair(Pair):
    """A law P against a measure R, both as integer weights over `total`, which need not be the sum of either."""

    total: int = 1

    @classmethod
    def of(cls, pair: AnyPair) -> MeasurePair:
        """Any pair of laws that both exist, over one denominator."""
        if isinstance(pair, MeasurePair):
            return pair
        if isinstance(pair, Pair):
            outputs, weights, (p_total, q_total) = pair.outputs, zip(pair.p, pair.q or (), strict=True), pair.totals
        else:
            outputs, p_weights, q_weights = zip(*pair.weighted(), strict=True)
            weights = zip(p_weights, q_weights, strict=True)
            p_total = q_total = int(pair.denominator)
        shared = gcd(p_total, q_total)
        scaled = [(int(p) * (q_total // shared), int(q) * (p_total // shared)) for p, q in weights]
        p, q = zip(*scaled, strict=True)
        return cls(None, outputs, p, q, total=p_total * (q_total // shared))

    @cached_property
    def profile(self) -> Profile:
        """Σ max(0, P - e^μ·R) as a function of μ, which takes the place of ε for the dependency."""
        rows = zip(self.p, self.q or (), strict=True)
        return cumulated([(x, y) for x, y in rows if x > y], self.total)

    @property
    def totals(self) -> tuple[int, int]:
        """The common denominator of P and R, once for each."""
        return self.total, self.total


@dataclass(frozen=True)
class SharedPair:
    """P against Q of one knowledge value, where many share the two laws of a sum, and each shifts the sum."""

    case: KnowledgeCase | None
    pushforward: Pushforward
    window: Window
    lumps: tuple[int, ...]
    direction: str = ""

    @property
    def knowledge(self) -> Label | None:
        """The knowledge value B̂ on which both laws are conditioned; None without one."""
        return self.case.label if self.case else None

    @property
    def unmatched(self) -> bool:
        """False: both laws exist."""
        return False

    @property
    def profile(self) -> Profile:
        """The privacy profile of P against Q."""
        return self.window.profile

    @property
    def denominator(self) -> Integer:
        """The denominator of all lines."""
        return self.window.denominator

    def line(self, epsilon: Epsilon, *, closed: bool = False) -> Line:
        """(A, B) with δ(ε) = (A - B·e^ε)/denominator: P and Q of the outputs whose loss is above ε (or at least ε)."""
        return self.window.line(epsilon, closed=closed)

    def event(self, epsilon: Epsilon, *, closed: bool = False) -> tuple[Label, ...]:
        """The outputs whose privacy loss is above ε (with `closed`: at least ε)."""
        positions, lumps = self.window.event(epsilon, closed=closed)
        plan, shift = self.pushforward.plan, self.pushforward.shift
        names = [name for k in positions for name in plan.outcomes(self.window.edges, k, shift)]
        names += [plan.names[self.lumps[k]] for k in lumps]
        return tuple(in_order(names))

    def masses(self, event: tuple[Label, ...]) -> tuple[Fraction, Fraction | None]:
        """P(S) and Q(S)."""
        chosen, scale = set(event), int(self.denominator)
        edges, plan, shift = self.window.edges, self.pushforward.plan, self.pushforward.shift
        lines = [
            (edges.p[k], edges.q[k])
            for i, j in self.window.apart
            for k in range(i, j)
            if (edges.p[k] or edges.q[k]) and plan.outcomes(edges, k, shift)[0] in chosen
        ]
        lumps = zip(self.lumps, self.window.lumped, strict=True)
        lines += [line for number, line in lumps if plan.names[number] in chosen]
        return tuple(Fraction(int(sum(part)), scale) for part in zip((0, 0), *lines, strict=True))  # type: ignore[return-value]

    def weights(self) -> tuple[Iterator[tuple[int, int]], tuple[int, int]]:
        """The weights of every output under both laws, and the totals that divide them."""
        scale = int(self.denominator)
        return ((int(p), int(q)) for _, p, q in self.weighted()), (scale, scale)

    def rows(self) -> Iterator[tuple[Label, Fraction, Fraction]]:
        """Every output with its probability under both laws, in order."""
        scale, weights = int(self.denominator), {output: (x, y) for output, x, y in self.weighted()}
        for output in in_order(weights):
            x, y = weights[output]
            yield output, _ratio(int(x), scale), _ratio(int(y), scale)

    def weighted(self) -> Iterator[OutputWeights]:
        """Every output with its weight under both laws, over the denominator."""
        edges, plan = self.window.edges, self.pushforward.plan
        for i, j in self.window.apart:
            for k in range(i, j):
                if edges.p[k] or edges.q[k]:
                    yield plan.name(edges, k, self.pushforward.shift), edges.p[k], edges.q[k]
        for number, (p, q) in zip(self.lumps, self.window.lumped, strict=True):
            if p or q:
                yield plan.names[number], p, q


@lru_cache(maxsize=1 << 14)
def _ratio(top: int, bottom: int) -> Fraction:
    """Pairs that share their outcomes have the same probabilities."""
    return Fraction(top, bottom)


AnyPair: TypeAlias = Pair | SharedPair


def pair_of(case: KnowledgeCase | None, first: Output, second: Output | None, direction: str = "") -> AnyPair:
    """The pair P against Q of two laws of outputs; `second` is None where B̂ excludes b, so that Q does not exist."""
    if isinstance(first, Pushforward) and isinstance(second, Pushforward):
        if first.shift != second.shift:
            raise ValueError("the laws of one knowledge value are shifted alike")
        return SharedPair(case, first, *first.plan.window(first.law, second.law, first.shift), direction)
    p = first.weights if isinstance(first, Pushforward) else first
    q = second.weights if isinstance(second, Pushforward) else second
    names = tuple(p)
    if isinstance(p, InOrder) and isinstance(q, InOrder) and names == tuple(q):
        return Pair(case, names, tuple(p.values()), tuple(q.values()), direction)
    outputs = tuple(in_order({**p, **(q or {})}))
    weights = tuple(q.get(o, 0) for o in outputs) if q is not None else None
    return Pair(case, outputs, tuple(p.get(o, 0) for o in outputs), weights, direction)


class Sum(NamedTuple):
    """(P - Q·e^ε)/denominator, in integers."""

    p: Integer
    q: Integer
    denominator: Integer

    def times(self, mass: Integer, total: Integer) -> Sum:
        """The share mass/total of this number."""
        return self if mass == total else Sum(self.p * mass, self.q * mass, self.denominator * total)

    def plus(self, other: Sum) -> Sum:
        """The sum of two such numbers."""
        x, y = other.denominator, self.denominator
        return Sum(self.p * x + other.p * y, self.q * x + other.q * y, x * y)

    def exceeds(self, other: Sum, epsilon: Epsilon) -> bool:
        """Whether this number is larger than the other at ε."""
        p, q = self.p - other.p, self.q - other.q
        if self.denominator != other.denominator:
            p = self.p * other.denominator - other.p * self.denominator
            q = self.q * other.denominator - other.q * self.denominator
        if epsilon.is_infinite:
            return bool(p > 0)
        if p <= 0 <= q or p >= 0 >= q:
            return bool(p > 0 or q < 0)
        order = compare_integers(abs(p), abs(q), epsilon).settled()
        return order is (Order.GREATER if p > 0 else Order.LESS)

    def delta(self, epsilon: Epsilon) -> Delta:
        """The number as a δ, in lowest terms."""
        p, q, denominator = map(int, self)
        return Delta.of(Fraction(p, denominator), Fraction(q, denominator), epsilon)
