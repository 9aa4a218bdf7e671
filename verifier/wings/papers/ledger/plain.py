"""The definitions of DMKB20's section 2 once more, from `fractions` alone: a second code for derivations.

Nothing here is shared with the checkers of `verifier.definitions`: a model is a list of worlds and a rule, and each
definition is its formula, summed world by world. It is slow, and meant for models of a few rows.
"""

from __future__ import annotations

from collections.abc import Callable, Hashable, Iterable, Iterator, Mapping
from dataclasses import dataclass
from fractions import Fraction
from typing import Any

Database = tuple[int, ...]
Law = dict[Any, Fraction]
Pair = tuple[Law, Law]
World = tuple[Fraction, Database, Hashable]
"""A probability, a database, and what the attacker knows."""


@dataclass(frozen=True)
class Plain:
    """Worlds of one θ, a rule from databases to laws of outputs, the values T, and the records that are protected.

    >>> half = Fraction(1, 2)
    >>> copies = Plain(((half, (0, 0), ""), (half, (1, 1), "")), lambda d: {d[1]: Fraction(1)}, (0, 1), (0,))
    >>> smallest(copies.np()), smallest(copies.cdp())
    (None, Fraction(1, 1))

    """

    worlds: tuple[World, ...]
    rule: Callable[[Database], Mapping[Any, Fraction]]
    values: tuple[int, ...]
    records: tuple[int, ...]

    def knowledge(self) -> tuple[Hashable, ...]:
        """All B̂ of positive probability."""
        return tuple(dict.fromkeys(known for p, _, known in self.worlds if p))

    def possible(self, known: Hashable, record: int) -> tuple[int, ...]:
        """The values a with P[B̂, D(i) = a] > 0."""
        return tuple(dict.fromkeys(d[record] for p, d, other in self.worlds if p and other == known))

    def joint(self, known: Hashable, record: int, to: int | None = None) -> dict[tuple[int, Hashable], Fraction]:
        """P[B̂, D(i) = a, M(D) = t] for all (a, t); with `to`, of M(D with i set to it)."""
        found: dict[tuple[int, Hashable], Fraction] = {}
        for p, database, other in self.worlds:
            if not p or other != known:
                continue
            asked = database if to is None else (*database[:record], to, *database[record + 1 :])
            for output, weight in self.rule(asked).items():
                key = database[record], output
                found[key] = found.get(key, Fraction(0)) + p * weight
        return {key: p for key, p in found.items() if p}

    def given_value(self, known: Hashable, record: int, a: int, to: int | None = None) -> Law:
        """M(D), or M(D with i set to `to`), given B̂ and D(i) = a."""
        return conditional({t: p for (value, t), p in self.joint(known, record, to).items() if value == a})

    def given_output(self, known: Hashable, record: int, output: Hashable, to: int | None = None) -> Law:
        """D(i) given B̂ and M(D) = t, or M(D with i set to `to`) = t; empty where t is impossible."""
        return conditional({a: p for (a, t), p in self.joint(known, record, to).items() if t == output})

    def np(self) -> Iterator[Pair]:
        """Definition 3: for all B̂, i and possible a ≠ b, M(D) given a and given b."""
        for known in self.knowledge():
            for i in self.records:
                possible = self.possible(known, i)
                for a in possible:
                    for b in possible:
                        if a != b:
                            yield self.given_value(known, i, a), self.given_value(known, i, b)

    def cdp(self, *, every: bool = False) -> Iterator[Pair]:
        """Definition 5: for all B̂, i and possible a, b, M(D) and M(D with i set to b) given a; `every`: b of all T."""
        for known in self.knowledge():
            for i in self.records:
                possible = self.possible(known, i)
                for a in possible:
                    for b in self.values if every else possible:
                        yield self.given_value(known, i, a), self.given_value(known, i, a, b)

    def ibcdp(self, *, possible: bool = False) -> Iterator[Pair]:
        """Definition 6: for all B̂, i, b of T (or possible ones) and t of both, the posteriors of D(i)."""
        for known in self.knowledge():
            for i in self.records:
                for b in self.possible(known, i) if possible else self.values:
                    outputs = dict.fromkeys(t for _, t in self.joint(known, i))
                    for t in outputs:
                        left, right = self.given_output(known, i, t), self.given_output(known, i, t, b)
                        if left and right:
                            yield left, right


def conditional(part: Mapping[Any, Fraction]) -> Law:
    """A part of a law divided by its mass; empty where the mass is 0."""
    mass = sum(part.values(), Fraction(0))
    return {key: p / mass for key, p in part.items()} if mass else {}


def smallest(pairs: Iterable[Pair]) -> Fraction | None:
    """The smallest e^ε ≥ 1 for which all pairs are ε-indistinguishable (δ = 0); None where no finite one is enough.

    >>> half = Fraction(1, 2)
    >>> smallest([({0: half, 1: half}, {0: Fraction(1, 3), 1: Fraction(2, 3)})])
    Fraction(3, 2)

    """
    found = Fraction(1)
    for left, right in pairs:
        if set(left) != set(right):
            return None
        found = max([found, *(max(left[o] / right[o], right[o] / left[o]) for o in left)])
    return found


def excess(left: Law, right: Law, ratio: Fraction) -> Fraction:
    """The largest P(X) - E·Q(X) over sets X of outputs: the smallest δ of one direction at e^ε = E."""
    return sum((max(Fraction(0), p - ratio * right.get(o, Fraction(0))) for o, p in left.items()), Fraction(0))


def smallest_delta(pairs: Iterable[Pair], ratio: Fraction) -> Fraction:
    """The smallest δ for which all pairs are (ε, δ)-indistinguishable at e^ε = `ratio`."""
    return max((max(excess(p, q, ratio), excess(q, p, ratio)) for p, q in pairs), default=Fraction(0))


def surely(output: Callable[[Database], Hashable]) -> Callable[[Database], Mapping[Any, Fraction]]:
    """The rule of a deterministic mechanism."""
    return lambda database: {output(database): Fraction(1)}


def uniform(databases: Iterable[Database], known: Callable[[Database], Hashable] = lambda _: "") -> tuple[World, ...]:
    """Equally likely databases, with knowledge that is a function of them."""
    every = tuple(databases)
    return tuple((Fraction(1, len(every)), one, known(one)) for one in every)
