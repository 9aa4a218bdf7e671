"""The shards of a search, numbered pieces of its work with the smallest models first; each can be asked anywhere.

There are two ways to count below one search: `in_columns` where numpy is there, `one_by_one` without it. Both answer
a shard with the same numbers and the same first model.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from importlib import import_module
from typing import TYPE_CHECKING, Any

from verifier.machine.extras import has_numpy
from verifier.wings.search.candidate import Candidate
from verifier.wings.search.layers import Layer, codes, layers
from verifier.wings.search.orbits import Count

if TYPE_CHECKING:
    from verifier.wings.search.question import SearchQuestion


@dataclass(frozen=True)
class Shard:
    """The models of a layer with a range of θ (numbers among the representatives) and a range of mechanisms (codes)."""

    number: int
    layer: Layer
    laws: tuple[int, int]
    codes: tuple[int, int]


@dataclass(frozen=True)
class ShardResult:
    """The result of a shard: the numbers of its orbits and models, the first wanted model, and the numbers up to it.

    `found` counts the wanted orbits, up to the first one unless all are asked; `undecided` those without an answer.
    """

    orbits: int = 0
    models: int = 0
    found: int = 0
    undecided: int = 0
    first: Candidate | None = None
    orbits_until: int = 0
    models_until: int = 0

    def plus(self, later: ShardResult) -> ShardResult:
        """The result of this shard and a later one together."""
        first = self.first or later.first
        until = (self.orbits_until, self.models_until)
        if self.first is None and later.first is not None:
            until = (self.orbits + later.orbits_until, self.models + later.models_until)
        return ShardResult(
            self.orbits + later.orbits,
            self.models + later.models,
            self.found + later.found,
            self.undecided + later.undecided,
            first,
            *until,
        )


def way() -> Any:
    """The module that counts: `in_columns` if there is numpy, else `one_by_one`."""
    return import_module(f"verifier.wings.search.{'in_columns' if has_numpy() else 'one_by_one'}")


def admit(size: Count) -> None:
    """Refuse a scope of this size where the way to count would take too long.

    Raises:
        LimitError: with the number of models.

    """
    way().admit(size)


def shards(question: SearchQuestion) -> Iterator[Shard]:
    """All shards in order; the same question has the same shards on every machine that counts in the same way."""
    number = 0
    for shape in question.scope.shapes():
        for layer in layers(shape, question.scope):
            total = way().number_of_laws(layer, question)
            piece = question.piece
            wide = max(1, piece // codes(layer))
            for begin in range(0, total, wide):
                for low in range(0, codes(layer), piece):
                    chosen = (begin, min(begin + wide, total)), (low, min(low + piece, codes(layer)))
                    yield Shard(number, layer, *chosen)
                    number += 1


def ask(question: SearchQuestion, shard: Shard) -> ShardResult:
    """Look for the wanted models of one shard."""
    result: ShardResult = way().ask(question, shard)
    return result
