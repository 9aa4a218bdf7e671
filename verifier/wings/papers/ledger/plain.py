"""The definitions of DMKB20's sections 2 and 3 in plain fractions, for derivations: a second code for each.

Nothing here is shared with the checkers of `verifier.definitions`: a model is a list of worlds and a rule, and each
definition is its formula, summed world by world. It is slow, and meant for models of a few rows.
"""

from __future__ import annotations

from collections.abc import Callable, Hashable, Iterable, Iterator, Mapping
from dataclasses import dataclass
from fractions import Fraction
from itertools import product
from typing import Any

from verifier.wings.papers.ledger.laws import (
    BITS,
    ONE,
    ZERO,
    Law,
    conditional,
    either_excess,
    excess,
    gathered,
    replaced,
    total,
)

Database = tuple[int, ...]
Rule = Callable[[Database], Mapping[Any, Fraction]]
"""A mechanism: the function from a database to the law of the output."""
Pair = tuple[Law, Law]
World = tuple[Fraction, Database, Hashable]
"""A possible world: its probability, its database, and what the attacker knows in it."""


@dataclass(frozen=True)
class Plain:
    """A model: the worlds of one θ, a mechanism `rule`, the values T of a record, and the records that are protected.

    >>> half = Fraction(1, 2)
    >>> copies = Plain(((half, (0, 0), ""), (half, (1, 1), "")), lambda d: {d[1]: Fraction(1)}, (0, 1), (0,))
    >>> smallest(copies.np()), smallest(copies.cdp())
    (None, Fraction(1, 1))

    """

    worlds: tuple[World, ...]
    rule: Rule
    values: tuple[int, ...] = BITS
    protected: tuple[int, ...] | None = None

    @property
    def records(self) -> tuple[int, ...]:
        """The indices of the protected records; all records, where `protected` is None."""
        return tuple(range(len(self.worlds[0][1]))) if self.protected is None else self.protected

    def knowledge(self) -> tuple[Hashable, ...]:
        """All values B̂ of the background knowledge with a positive probability."""
        return tuple(dict.fromkeys(known for p, _, known in self.worlds if p))

    def possible(self, known: Hashable, record: int) -> tuple[int, ...]:
        """The possible values of a record given B̂ = `known`: those a with P[B̂, D(i) = a] > 0."""
        return tuple(dict.fromkeys(d[record] for p, d, world_known in self.worlds if p and world_known == known))

    def joint(self, known: Hashable, record: int, to: int | None = None) -> dict[tuple[int, Hashable], Fraction]:
        """The probabilities P[B̂, D(i) = a, M(D) = t] by (a, t); with `to`, of M(D with i set to `to`) = t instead."""
        joint = gathered(
            ((database[record], output), p * weight)
            for p, database, world_known in self.worlds
            if p and world_known == known
            for output, weight in self.rule(database if to is None else replaced(database, record, to)).items()
        )
        return {key: p for key, p in joint.items() if p}

    def given_value(self, known: Hashable, record: int, a: int, to: int | None = None) -> Law:
        """The law of M(D), or of M(D with i set to `to`), given B̂ and D(i) = a."""
        return conditional({t: p for (value, t), p in self.joint(known, record, to).items() if value == a})

    def given_output(self, known: Hashable, record: int, output: Hashable, to: int | None = None) -> Law:
        """The posterior of D(i) given B̂ and M(D) = t, or M(D with i set to `to`) = t; empty where t is impossible."""
        return conditional({a: p for (a, t), p in self.joint(known, record, to).items() if t == output})

    def np(self) -> Iterator[Pair]:
        """The pairs of Definition 3: for all B̂, i and possible a ≠ b, the laws of M(D) given a and given b."""
        for known in self.knowledge():
            for i in self.records:
                possible = self.possible(known, i)
                for a in possible:
                    for b in possible:
                        if a != b:
                            yield self.given_value(known, i, a), self.given_value(known, i, b)

    def active(self, ratio: Fraction) -> Fraction:
        """The smallest δ of APKDP (Definition 12) at e^ε = `ratio`: the largest one of all pairs of `np`."""
        return smallest_delta(self.np(), ratio)

    def passive(self, record: int, ratio: Fraction) -> Fraction:
        """The smallest δ of PPKDP (Definition 13) at a record, for e^ε = `ratio`: the largest mean excess of (a, b).

        The mean is over B̂ given D(i) = a, of Σ max(0, P(t) - e^ε·Q(t)) for the laws P, Q of M(D) given a and given b. A
        B̂ that is possible with a and impossible with b counts as 0.
        """
        values = dict.fromkeys(d[record] for p, d, _ in self.worlds if p)
        means = [ZERO]
        for a, b in product(values, repeat=2):
            mean = mass = ZERO
            for known in self.knowledge():
                weight = total(p for p, d, world_known in self.worlds if world_known == known and d[record] == a)
                law, other_law = (self.given_value(known, record, value) for value in (a, b))
                mass += weight
                mean += weight * excess(law, other_law, ratio) if law and other_law else ZERO
            means.append(mean / mass)
        return max(means)

    def cdp(self, *, every: bool = False) -> Iterator[Pair]:
        """The pairs of Definition 5: for all B̂, i and possible a, b, M(D) and M(D with i set to b), both given a.

        With `every`, b runs over all of T.
        """
        for known in self.knowledge():
            for i in self.records:
                possible = self.possible(known, i)
                for a in possible:
                    for b in self.values if every else possible:
                        yield self.given_value(known, i, a), self.given_value(known, i, a, b)

    def ibcdp(self, *, possible: bool = False) -> Iterator[Pair]:
        """The pairs of Definition 6: the posteriors of D(i) after M(D) = t and after M(D with i set to b) = t.

        They are compared for all B̂, i, b of T and outputs t of both; with `possible`, for possible b alone.
        """
        for known in self.knowledge():
            for i in self.records:
                for b in self.possible(known, i) if possible else self.values:
                    outputs = dict.fromkeys(t for _, t in self.joint(known, i))
                    for t in outputs:
                        left, right = self.given_output(known, i, t), self.given_output(known, i, t, b)
                        if left and right:
                            yield left, right


def smallest(pairs: Iterable[Pair]) -> Fraction | None:
    """The smallest e^ε ≥ 1 for which all pairs are ε-indistinguishable (δ = 0); None where no finite one is enough.

    >>> half = Fraction(1, 2)
    >>> smallest([({0: half, 1: half}, {0: Fraction(1, 3), 1: Fraction(2, 3)})])
    Fraction(3, 2)

    """
    largest = ONE
    for left, right in pairs:
        if set(left) != set(right):
            return None
        largest = max([largest, *(max(left[o] / right[o], right[o] / left[o]) for o in left)])
    return largest


def smallest_delta(pairs: Iterable[Pair], ratio: Fraction) -> Fraction:
    """The smallest δ for which all pairs are (ε, δ)-indistinguishable at e^ε = `ratio`."""
    return max((either_excess(p, q, ratio) for p, q in pairs), default=ZERO)


def surely(output: Callable[[Database], Hashable]) -> Rule:
    """The rule of a deterministic mechanism, which has the output with probability 1."""
    return lambda database: {output(database): ONE}


def uniform(databases: Iterable[Database], known: Callable[[Database], Hashable] = lambda _: "") -> tuple[World, ...]:
    """The worlds of equally likely databases, with the background knowledge B = known(D); by default it is nothing."""
    all_databases = tuple(databases)
    return tuple((Fraction(1, len(all_databases)), database, known(database)) for database in all_databases)
