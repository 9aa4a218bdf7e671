"""A shard in columns of numpy: blocks of models are answered at once, and what they cannot decide is asked alone."""

from __future__ import annotations

from collections.abc import Iterator
from functools import cache

import numpy as np

from verifier.wings.search.batch.block import Block
from verifier.wings.search.batch.statement import Blocks, Wanted
from verifier.wings.search.enumeration import Integers, Laws, Mechanisms, laws, mechanisms, stabilizer
from verifier.wings.search.layers import Layer, candidate, row_options
from verifier.wings.search.orbits import Count, Symmetry
from verifier.wings.search.question import SearchQuestion
from verifier.wings.search.scope import Scope
from verifier.wings.search.shards import Shard, ShardResult

BLOCK = 1 << 15
"""Largest number of models of a block, so that its columns stay in the processor's cache."""


def admit(_: Count) -> None:
    """Columns bound the models of a search before symmetry alone (`Scope.admit`)."""


def number_of_laws(layer: Layer, question: SearchQuestion) -> int:
    """The number of the θ of a layer up to renaming."""
    return len(laws_of(layer, question.scope, question.symmetry).size)


def laws_of(layer: Layer, scope: Scope, symmetry: Symmetry) -> Laws:
    """The representatives of the θ of a layer up to renaming."""
    return laws(layer.shape, layer.support, layer.law_total, first_only=scope.first_only, symmetry=symmetry)


def ask(question: SearchQuestion, shard: Shard) -> ShardResult:
    """Look for the wanted models of one shard."""
    representatives, groups, tables = models_of(question, shard)
    of_law = {int(law): table for numbers, table in zip(groups, tables, strict=True) for law in numbers}
    orbits = sum(len(table.size) for table in of_law.values())
    models = sum(int(representatives.size[law]) * int(table.size.sum()) for law, table in of_law.items())
    pairs = zip(groups, tables, strict=True)
    hits = [
        hit
        for numbers, table in pairs
        for hit in _hits(question, shard.layer, representatives.weights[numbers], numbers, table)
    ]
    if not hits:
        return ShardResult(orbits, models)
    listed = np.concatenate(hits)
    listed = listed[np.lexsort((listed[:, 1], listed[:, 0]))]
    first, undecided, wanted = None, 0, 0
    for law, at, sure in _to_ask(listed, every=question.exhaust):
        model = candidate(
            shard.layer, representatives.weights[law], of_law[law].rows[at], first_only=question.scope.first_only
        )
        answer = True if sure else question.is_wanted(model)
        undecided += answer is None
        wanted += answer is True
        if answer and (first is None or (law, at) < first[:2]):
            first = law, at, model
            if not question.exhaust:
                break
    if first is None:
        return ShardResult(orbits, models, wanted, undecided)
    law, at, model = first
    if question.exhaust:
        wanted += max(0, int(listed[:, 2].sum()) - 1)
    before = [k for k in of_law if k < law]
    orbits_until = sum(len(of_law[k].size) for k in before) + at + 1
    models_until = sum(int(representatives.size[k]) * int(of_law[k].size.sum()) for k in before)
    models_until += int(representatives.size[law]) * int(of_law[law].size[: at + 1].sum())
    return ShardResult(orbits, models, wanted, undecided, model, orbits_until, models_until)


def models_of(question: SearchQuestion, shard: Shard) -> tuple[Laws, list[Integers], list[Mechanisms]]:
    """The θ of a layer; the numbers of the θ of a shard, in groups; and the mechanisms of each group."""
    representatives = laws_of(shard.layer, question.scope, question.symmetry)
    groups = _groups(representatives, shard)
    return representatives, groups, [_mechanisms(question, shard, representatives, numbers) for numbers in groups]


def _to_ask(listed: Integers, *, every: bool) -> Iterator[tuple[int, int, int]]:
    """The models to ask one by one; with `every` those that may be wanted, and the first that is wanted for sure."""
    if every:
        sure = listed[:, 2] > 0
        listed = np.concatenate((listed[sure][:1], listed[~sure]))
    for law, at, yes in listed:
        yield int(law), int(at), int(yes)


def _groups(representatives: Laws, shard: Shard) -> list[Integers]:
    """The numbers of the θ of a shard; those that the same renamings of Tⁿ leave unchanged are one group."""
    chosen = np.arange(*shard.laws)
    if not len(chosen):
        return []
    _, which = np.unique(np.packbits(representatives.still[chosen], axis=1), axis=0, return_inverse=True)
    return [chosen[which.reshape(-1) == k] for k in range(int(which.max()) + 1)]


def _mechanisms(question: SearchQuestion, shard: Shard, representatives: Laws, numbers: Integers) -> Mechanisms:
    shape, symmetry = shard.layer.shape, question.symmetry
    group = stabilizer(representatives, int(numbers[0]), shape, first_only=question.scope.first_only, symmetry=symmetry)
    return mechanisms(shape.outputs, shard.layer.row_total, group, *shard.codes, symmetry)


def _hits(
    question: SearchQuestion, layer: Layer, weights: Integers, numbers: Integers, table: Mechanisms
) -> Iterator[Integers]:
    """The models that may be wanted: the numbers of θ and of the mechanism, and whether one is wanted for sure."""
    wanted = Wanted(question.claim, true=question.violated is None, vacuous=question.vacuous)
    for chosen, low, deep, blocks in pieces(question, layer, weights, numbers, table):
        answer = wanted.find(blocks, layer)
        if answer.possible.any():
            size = (len(chosen), deep)
            sure, possible = np.broadcast_to(answer.sure, size), np.broadcast_to(answer.possible, size)
            at, which = possible.nonzero()
            yield np.stack((chosen[at], low + which, sure[at, which]), axis=1).astype(np.int64)


def pieces(
    question: SearchQuestion, layer: Layer, weights: Integers, numbers: Integers, table: Mechanisms
) -> Iterator[tuple[Integers, int, int, Blocks]]:
    """The models of some θ and mechanisms, block by block.

    Each piece has the numbers of its θ, the number of its first mechanism, its number of mechanisms, and the block.
    """
    options = np.array(row_options(layer.shape.outputs, layer.row_total))
    deep = max(1, min(len(table.size), BLOCK))
    wide = max(1, BLOCK // deep)
    for low in range(0, len(table.size), deep):
        rows = options[table.rows[low : low + deep]]
        for begin in range(0, len(numbers), wide):
            chosen = slice(begin, begin + wide)
            yield numbers[chosen], low, len(rows), _blocks(question, layer, weights[chosen], rows)


def _blocks(question: SearchQuestion, layer: Layer, weights: Integers, rows: Integers) -> Blocks:
    """Blocks of the same models in integers of 32 bits, 64 bits, or any size; each is made once, when it is needed."""

    @cache
    def made(bits: int) -> Block:
        totals, bound = (layer.law_total, layer.row_total), (1 << bits) - 1
        first_only, policy = question.scope.first_only, question.policy
        return Block.of(layer.shape, totals, weights, rows, bound, first_only=first_only, policy=policy)

    return lambda bound: made(next((bits for bits in (31, 63) if bound < 1 << bits), 64))
