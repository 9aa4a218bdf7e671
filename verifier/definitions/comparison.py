"""Comparisons: the pairs of laws that a definition forbids to tell apart."""

from __future__ import annotations

from dataclasses import dataclass
from fractions import Fraction
from functools import cached_property, lru_cache
from math import gcd

from verifier.engine.joint import Weights
from verifier.model import Database
from verifier.numbers import INFINITY, ZERO, Delta, Epsilon, Order, compare_integers, log_epsilon
from verifier.profile import Profile, profile_of, weighted_sum
from verifier.tables import Label, in_order

ALL_LOST = Profile(1, ((0, 1),))
"""The profile of a law against one that can produce none of its outputs."""


@lru_cache(maxsize=4096)
def _profile(p: tuple[int, ...], q: tuple[int, ...]) -> Profile:
    """Many pairs have the same weights under other names."""
    return profile_of(p, q)


@dataclass(frozen=True)
class Pair:
    """Two exact laws on the same outputs, P against Q, with the knowledge they are conditioned on.

    `q` is None where the second law does not exist: B̂ excludes b.
    """

    knowledge: Label | None
    outputs: tuple[Label, ...]
    p: tuple[int, ...]
    q: tuple[int, ...] | None
    direction: str = ""

    @classmethod
    def of(cls, knowledge: Label | None, p: Weights, q: Weights | None, direction: str = "") -> Pair:
        """Two conditional laws from their joint weights."""
        outputs = tuple(in_order({**p, **(q or {})}))
        second = tuple(q.get(o, 0) for o in outputs) if q is not None else None
        return cls(knowledge, outputs, tuple(p.get(o, 0) for o in outputs), second, direction)

    @cached_property
    def profile(self) -> Profile:
        """The privacy profile of P against Q."""
        return ALL_LOST if self.q is None else _profile(self.p, self.q)

    def event(self, epsilon: Epsilon, *, closed: bool = False) -> tuple[int, ...]:
        """Positions of the outputs whose privacy loss is above ε (with `closed`: at least ε)."""
        if self.q is None:
            return tuple(range(len(self.outputs)))
        p_total, q_total = sum(self.p), sum(self.q)
        shared = gcd(p_total, q_total)
        p_scale, q_scale = q_total // shared, p_total // shared
        accept = {Order.GREATER, Order.EQUAL} if closed else {Order.GREATER}

        def belongs(x: int, y: int) -> bool:
            if epsilon.is_infinite:
                return x > 0 and y == 0
            return compare_integers(x * p_scale, y * q_scale, epsilon).settled() in accept

        pairs = enumerate(zip(self.p, self.q, strict=True))
        return tuple(k for k, (x, y) in pairs if (x or y) and belongs(x, y))

    def masses(self, event: tuple[int, ...]) -> tuple[Fraction, Fraction | None]:
        """P(S) and Q(S)."""
        first = Fraction(sum(self.p[k] for k in event), sum(self.p))
        if self.q is None:
            return first, None
        return first, Fraction(sum(self.q[k] for k in event), sum(self.q))


@dataclass(frozen=True)
class Term:
    """One pair of laws and the weight with which it counts."""

    weight: Fraction
    pair: Pair


@dataclass(frozen=True)
class Comparison:
    """What a definition bounds by δ: one pair of laws, or an average over knowledge values of pairs.

    `distribution`, `record`, `a` and `b` say which; `databases` are the neighbours for `dp`.
    """

    distribution: str | None
    record: int | None
    a: Label
    b: Label
    terms: tuple[Term, ...]
    multiplicity: int = 1
    databases: tuple[Database, Database] | None = None

    def delta(self, epsilon: Epsilon) -> Delta:
        """The smallest δ at ε: Σ weight·δ(ε) of the terms."""
        parts = [(term.weight, term.pair.profile.delta(epsilon)) for term in self.terms]
        a = sum((weight * part.a for weight, part in parts), Fraction(0))
        return Delta.of(a, sum((weight * part.b for weight, part in parts), Fraction(0)), epsilon)

    def epsilon(self, delta: Fraction) -> Epsilon:
        """The smallest ε ≥ 0 at which δ(ε) ≤ `delta`.

        For several terms the whole curve need not be made: a binary search over their breakpoints finds the piece
        A - B·e^ε that crosses `delta`.
        """
        if len(self.terms) == 1:
            return self.profile.epsilon(delta)
        if self.delta(INFINITY).order(delta).settled() is Order.GREATER:
            return INFINITY
        bends = sorted({Fraction(1), *(e for term in self.terms for e in term.pair.profile.breakpoints)})
        low, high = -1, len(bends) - 1
        while high - low > 1:
            middle = (low + high) // 2
            enough = self.delta(log_epsilon(bends[middle])).order(delta).settled() is not Order.GREATER
            low, high = (low, middle) if enough else (middle, high)
        if low < 0:
            return ZERO
        (e1, d1), (e2, d2) = ((e, self.delta(log_epsilon(e)).a) for e in (bends[low], bends[high]))
        return log_epsilon(e1 + (d1 - delta) * (e2 - e1) / (d1 - d2))

    @cached_property
    def profile(self) -> Profile:
        """δ(ε) of this comparison, exactly."""
        if len(self.terms) == 1 and self.terms[0].weight == 1:
            return self.terms[0].pair.profile
        return weighted_sum((term.weight, term.pair.profile) for term in self.terms)


@dataclass(frozen=True)
class Family:
    """The comparisons of one θ and one sensitive attribute; without any, there is nothing to compare."""

    distribution: str | None
    record: int | None
    comparisons: tuple[Comparison, ...]
