"""Renamings, which make models alike, and how many models and orbits a scope has (Burnside's lemma).

A renaming permutes the records (a protected record becomes a protected one), the values of T for all records alike, the
outputs and the knowledge values. Every definition in a reading that does not ask which value stands first, and every
property of a model, says the same about a model and its renamings.
"""

from __future__ import annotations

from collections import Counter
from dataclasses import dataclass
from functools import lru_cache
from itertools import permutations, product
from math import gcd

from verifier.wings.search.scope import Scope, Shape, used

Permutation = tuple[int, ...]


@dataclass(frozen=True)
class Symmetry:
    """The labels that may be renamed without changing the answer; values may not if a reading asks for their order."""

    records: bool = True
    values: bool = True
    outputs: bool = True
    knowledge: bool = True

    def of_outputs(self, outputs: int) -> tuple[Permutation, ...]:
        """The renamings of outputs, the identity first."""
        return renamings(outputs)[: None if self.outputs else 1]

    def of_knowledge(self, knowledge: int) -> tuple[Permutation, ...]:
        """The renamings of knowledge values, the identity first."""
        return renamings(knowledge)[: None if self.knowledge else 1]


FULL = Symmetry()
NONE = Symmetry(records=False, values=False, outputs=False, knowledge=False)


@dataclass(frozen=True)
class Count:
    """The number of models, and their number up to renaming."""

    models: int
    orbits: int

    def plus(self, further: Count) -> Count:
        """The sum of two counts."""
        return Count(self.models + further.models, self.orbits + further.orbits)


@lru_cache(maxsize=256)
def database_renamings(
    records: int, values: int, *, first_only: bool = False, symmetry: Symmetry = FULL
) -> tuple[Permutation, ...]:
    """The permutations of Tⁿ by renamings of records and values, the identity first.

    Each is a tuple of positions: the renamed table has in place d what the old one has in place p[d].

    >>> database_renamings(2, 2)
    ((0, 1, 2, 3), (3, 2, 1, 0), (0, 2, 1, 3), (3, 1, 2, 0))
    >>> len(database_renamings(3, 3, first_only=True))
    12
    """
    databases = list(product(range(values), repeat=records))
    position = {database: k for k, database in enumerate(databases)}
    of_records = [p for p in permutations(range(records)) if not (first_only and p[0])]
    of_values = list(permutations(range(values)))
    group = (
        tuple(position[tuple(names[database[i]] for i in order)] for database in databases)
        for order in of_records[: None if symmetry.records else 1]
        for names in of_values[: None if symmetry.values else 1]
    )
    return tuple(dict.fromkeys(group))


def world_renamings(
    shape: Shape, *, first_only: bool, symmetry: Symmetry
) -> tuple[tuple[Permutation, ...], list[list[list[int]]]]:
    """The permutations of Tⁿ, and for each the permutations of the worlds (d, b) with all renamings of B."""
    group = database_renamings(shape.records, shape.values, first_only=first_only, symmetry=symmetry)
    of_knowledge = symmetry.of_knowledge(shape.knowledge)
    return group, [[[d * shape.knowledge + b for d in p for b in q] for q in of_knowledge] for p in group]


@lru_cache(maxsize=64)
def renamings(labels: int) -> tuple[Permutation, ...]:
    """All permutations of outputs or knowledge values, the identity first."""
    return tuple(permutations(range(labels)))


def cycles(p: Permutation) -> list[list[int]]:
    """The cycles of a permutation.

    >>> cycles((1, 0, 2))
    [[0, 1], [2]]
    """
    visited: set[int] = set()
    listed = []
    for start in range(len(p)):
        cycle, at = [], start
        while at not in visited:
            visited.add(at)
            cycle.append(at)
            at = p[at]
        if cycle:
            listed.append(cycle)
    return listed


def _ways(lengths: tuple[int, ...], total: int) -> int:
    """The number of ways to write a total as Σ length·weight with integers ≥ 0: a coefficient of Π 1/(1 - x^length)."""
    ways = [1] + [0] * total
    for length in lengths:
        for k in range(length, total + 1):
            ways[k] += ways[k - length]
    return ways[total]


def _lengths(p: Permutation) -> tuple[int, ...]:
    return tuple(sorted(len(cycle) for cycle in cycles(p)))


@lru_cache(maxsize=4096)
def _fixed_laws(p: tuple[int, ...], q: tuple[int, ...], weights: int) -> int:
    """The number of θ with weights of this sum that a renaming leaves unchanged, from its cycle lengths on Tⁿ and on B.

    A cycle of length x on Tⁿ and one of length y on B make gcd(x, y) cycles of length lcm(x, y) on Tⁿ × B.
    """
    lengths = [x * y // gcd(x, y) for x in p for y in q for _ in range(gcd(x, y))]
    return _ways(tuple(lengths), weights)


@lru_cache(maxsize=4096)
def _fixed_mechanisms(p: tuple[int, ...], r: tuple[int, ...], weights: int) -> int:
    """The number of mechanisms that a renaming leaves unchanged: a row on each cycle of Tⁿ, fixed by its full turn."""
    result = 1
    for length in p:
        # the power of a cycle of length x to the `length` has gcd(x, length) cycles of length x / gcd(x, length)
        turned = [x // gcd(x, length) for x in r for _ in range(gcd(x, length))]
        result *= _ways(tuple(turned), weights)
    return result


@lru_cache(maxsize=64)
def _classes(labels: int, *, renamed: bool = True) -> tuple[tuple[Permutation, int], ...]:
    """A permutation of labels for each list of cycle lengths, with the number of those that have them.

    >>> _classes(3)
    (((0, 1, 2), 1), ((0, 2, 1), 3), ((1, 2, 0), 2))
    """
    if not renamed:
        return ((tuple(range(labels)), 1),)
    alike: dict[tuple[int, ...], list[Permutation]] = {}
    for p in renamings(labels):
        alike.setdefault(_lengths(p), []).append(p)
    return tuple((group[0], len(group)) for group in alike.values())


@lru_cache(maxsize=256)
def _cycle_types(
    records: int, values: int, symmetry: Symmetry, *, first_only: bool
) -> tuple[tuple[tuple[int, ...], int], ...]:
    """The cycle lengths of renamings of Tⁿ, each with the number of pairs of renamings that have them.

    They depend on the cycle lengths of the two alone: of 4 records and 5 values that is 35 pairs in place of 2,880.
    """
    databases = list(product(range(values), repeat=records))
    position = {database: k for k, database in enumerate(databases)}
    found: Counter[tuple[int, ...]] = Counter()
    for order, of_records in _classes(records - first_only, renamed=symmetry.records):
        whole = (0, *(i + 1 for i in order)) if first_only else order
        for names, of_values in _classes(values, renamed=symmetry.values):
            table = tuple(position[tuple(names[database[i]] for i in whole)] for database in databases)
            found[_lengths(table)] += of_records * of_values
    return tuple(found.items())


@lru_cache(maxsize=1024)
def _count_at_most(shape: Shape, scope: Scope, symmetry: Symmetry) -> int:
    """The number of orbits of models of a shape whose outputs and knowledge values may be unused (Burnside's lemma)."""
    of_databases = _cycle_types(shape.records, shape.values, symmetry, first_only=scope.first_only)
    of_knowledge = [(_lengths(p), n) for p, n in _classes(shape.knowledge, renamed=symmetry.knowledge)]
    of_outputs = [(_lengths(p), n) for p, n in _classes(shape.outputs, renamed=symmetry.outputs)]
    fixed = renamed = 0
    for p, alike in of_databases:
        laws = sum(n * _fixed_laws(p, q, scope.weights) for q, n in of_knowledge)
        mechanisms = sum(n * _fixed_mechanisms(p, r, scope.mechanism_weights) for r, n in of_outputs)
        fixed += alike * laws * mechanisms
        renamed += alike
    others = sum(n for _, n in of_knowledge) * sum(n for _, n in of_outputs)
    orbits, remainder = divmod(fixed, renamed * others)
    if remainder:
        raise ArithmeticError("Burnside's lemma gives an integer")
    return orbits


def count_shape(shape: Shape, scope: Scope, symmetry: Symmetry) -> Count:
    """The numbers of models of a shape, and of their orbits.

    The orbits of models that use all o outputs are those with at most o outputs less those with at most o - 1, and so
    for B. Where outputs keep their names, sets of outputs are included and excluded instead.
    """
    orbits = 0
    for o, of_o in _signs(shape.outputs, renamed=symmetry.outputs):
        for c, of_c in _signs(shape.knowledge, renamed=symmetry.knowledge):
            orbits += of_o * of_c * _count_at_most(Shape(shape.records, shape.values, o, c), scope, symmetry)
    return Count(scope.models_of(shape), orbits)


def _signs(labels: int, *, renamed: bool) -> list[tuple[int, int]]:
    """Pairs (k, coefficient): the models that use all labels are a sum of the models that use at most k labels."""
    return [(k, (-1) ** (labels - k)) for k, _ in used(labels)[-2:]] if renamed else used(labels)


def count(scope: Scope, symmetry: Symmetry = FULL) -> Count:
    """The number of models of a scope, and their number up to renaming, from Burnside's lemma: nothing is enumerated.

    >>> count(Scope(2, 2, 2, 1, weights=2, mechanism_weights=1))
    Count(models=159, orbits=34)
    """
    total = Count(0, 0)
    for shape in scope.shapes():
        total = total.plus(count_shape(shape, scope, symmetry))
    return total
