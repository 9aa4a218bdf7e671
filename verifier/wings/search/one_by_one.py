"""A shard without numpy: its θ and mechanisms are listed in Python, and each model is decided alone, in order.

The twin of `in_columns`: the same models up to renaming, in the same order, with the same numbers.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from functools import lru_cache, reduce
from itertools import combinations, islice, product
from math import gcd
from operator import or_
from typing import NamedTuple, TypeAlias

from verifier.errors import LimitError
from verifier.numbers import plural
from verifier.wings.search.candidate import Candidate
from verifier.wings.search.layers import Layer, candidate, positive_compositions, row_options
from verifier.wings.search.orbits import Count, Permutation, Symmetry, world_renamings
from verifier.wings.search.question import SearchQuestion
from verifier.wings.search.scope import Shape
from verifier.wings.search.shards import Shard, ShardResult

MOST = 100_000
"""Largest number of models, up to renaming, of a search that decides them one by one: minutes."""

Permutations: TypeAlias = tuple[Permutation, ...]
Weights: TypeAlias = tuple[int, ...]


class Theta(NamedTuple):
    """A θ that is the first of its orbit: its weights, the size of the orbit, the renamings of Tⁿ that keep it."""

    weights: Weights
    size: int
    still: Permutations


class Rows(NamedTuple):
    """A mechanism that is the first of its orbit: the number of each database's row, and the size of the orbit."""

    numbers: Weights
    size: int


def admit(size: Count) -> None:
    """Refuse a scope that has too many models to decide one by one, before any work.

    Raises:
        LimitError: with the number of models.

    """
    if size.orbits > MOST:
        raise LimitError(
            f"the scope has {plural(size.orbits, 'model')} up to renaming, and numpy is not there",
            where="scope",
            wanted=f"at most {MOST:,} without numpy",
            tip="ask for fewer records, values or outputs, or for a coarser grid of weights; or install numpy",
        )


def number_of_laws(layer: Layer, question: SearchQuestion) -> int:
    """The number of the θ of a layer up to renaming."""
    return len(_laws_of(layer, question))


def _laws_of(layer: Layer, question: SearchQuestion) -> tuple[Theta, ...]:
    return laws(layer.shape, layer.support, layer.law_total, question.scope.first_only, question.symmetry)


@lru_cache(maxsize=64)
def laws(shape: Shape, support: int, law_total: int, first_only: bool, symmetry: Symmetry) -> tuple[Theta, ...]:  # noqa: FBT001
    """The θ of a layer, one of each orbit, in order.

    >>> from verifier.wings.search.orbits import FULL
    >>> [theta.weights for theta in laws(Shape(2, 2, 1, 1), 2, 2, False, FULL)]
    [(1, 1, 0, 0), (1, 0, 0, 1), (0, 1, 1, 0)]
    """
    known = range(shape.knowledge)
    group, columns = world_renamings(shape, first_only=first_only, symmetry=symmetry)
    listed = []
    for weights in _weights(shape.databases * shape.knowledge, support, law_total):
        if all(any(weights[b :: shape.knowledge]) for b in known):
            renamed = [[tuple(weights[k] for k in places) for places in wide] for wide in columns]
            if all(weights >= other for wide in renamed for other in wide):
                alike = [sum(weights == other for other in wide) for wide in renamed]
                still = tuple(p for p, same in zip(group, alike, strict=True) if same)
                listed.append(Theta(weights, sum(map(len, columns)) // sum(alike), still))
    return tuple(sorted(listed, key=lambda theta: theta.weights, reverse=True))


def _weights(worlds: int, support: int, total: int) -> Iterator[Weights]:
    """All weights of `worlds` worlds, of which `support` are possible, with this sum and without a common factor."""
    for places in combinations(range(worlds), support):
        for parts in positive_compositions(total, support):
            at = dict(zip(places, parts, strict=True))
            yield tuple(at.get(k, 0) for k in range(worlds))


@lru_cache(maxsize=64)
def mechanisms(
    outputs: int, row_total: int, group: Permutations, begin: int, end: int, symmetry: Symmetry
) -> tuple[Rows, ...]:
    """The mechanisms with numbers from `begin` to `end` that are the first of their orbit, as `enumeration` has them.

    >>> from verifier.wings.search.orbits import FULL
    >>> mechanisms(2, 1, ((0, 1), (1, 0)), 0, 4, FULL)
    (Rows(numbers=(0, 1), size=2),)
    """
    options = row_options(outputs, row_total)
    used = [sum(1 << o for o, weight in enumerate(row) if weight) for row in options]
    common = [gcd(*row) for row in options]
    of_outputs = symmetry.of_outputs(outputs)
    renamed = [[options.index(tuple(row[o] for o in r)) for row in options] for r in of_outputs]
    listed = []
    for rows in islice(product(range(len(options)), repeat=len(group[0])), begin, end):
        if reduce(or_, (used[k] for k in rows)) == (1 << outputs) - 1 and gcd(*(common[k] for k in rows)) == 1:
            alike = _alike(rows, renamed, group)
            if alike:
                listed.append(Rows(rows, len(group) * len(of_outputs) // alike))
    return tuple(listed)


def _alike(rows: Weights, renamed: Sequence[Sequence[int]], group: Permutations) -> int:
    """How many renamings leave a mechanism unchanged; 0 where one of them makes an earlier mechanism of it."""
    alike = 0
    for names in renamed:
        for p in group:
            other = tuple(names[rows[d]] for d in p)
            if other < rows:
                return 0
            alike += other == rows
    return alike


def orbits(question: SearchQuestion, shard: Shard) -> Iterator[tuple[Theta, Rows]]:
    """The models of a shard up to renaming, in order."""
    layer = shard.layer
    for theta in _laws_of(layer, question)[slice(*shard.laws)]:
        table = mechanisms(layer.shape.outputs, layer.row_total, theta.still, *shard.codes, question.symmetry)
        yield from ((theta, rows) for rows in table)


def model_of(question: SearchQuestion, layer: Layer, theta: Theta, rows: Rows) -> Candidate:
    """The model of a layer with this θ and these rows."""
    return candidate(layer, theta.weights, rows.numbers, first_only=question.scope.first_only)


def ask(question: SearchQuestion, shard: Shard) -> ShardResult:
    """Look for the wanted models of one shard; after the first, the others are only counted, unless all are asked."""
    result = ShardResult()
    for theta, rows in orbits(question, shard):
        one = ShardResult(1, theta.size * rows.size)
        if result.first is None or question.exhaust:
            model = model_of(question, shard.layer, theta, rows)
            answer = question.is_wanted(model)
            if answer:
                one = ShardResult(1, one.models, 1, 0, model, 1, one.models)
            elif answer is None:
                one = ShardResult(1, one.models, undecided=1)
        result = result.plus(one)
    return result
