"""Finer grids: the question of a search asked again with smaller steps of θ, of the mechanism, and of both.

Where the grid of the scope has no model, one with other denominators may have one: no grid of quarters has a law in
thirteenths. Each grid is looked through in blocks, as the scope is; a grid that is too large is passed, and counted.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass, replace

from verifier.machine.extras import has_numpy
from verifier.numbers import plural
from verifier.wings.search.candidate import Candidate
from verifier.wings.search.enumerate_scope import Hit
from verifier.wings.search.question import SearchQuestion
from verifier.wings.search.scope import Scope

FINEST = 40
"""Largest denominator of a finer grid."""
MAX_MODELS = 10**6
"""Largest number of models of a grid that is looked through, before symmetry: of the order of a second."""
MAX_ALONE = 20_000
"""The same number without numpy, where models are decided one by one."""


@dataclass(frozen=True)
class Finer:
    """The result: a candidate or None, its grid, how many were looked through, and passed: over `most` models."""

    candidate: Candidate | None
    grid: Scope | None
    grids: int
    passed: int
    most: int = MAX_MODELS

    def __str__(self) -> str:
        if self.grid is not None:
            return f"found with {self.grid.steps}, on finer grid {self.grids:,}"
        too_large = f"; {plural(self.passed, 'grid')} had more than {self.most:,} models" if self.passed else ""
        return f"none found on {plural(self.grids, 'finer grid')}{too_large}"


def finer_grids(scope: Scope) -> Iterator[Scope]:
    """Grids with the sizes of a scope: for each larger denominator the mechanism's alone, θ's alone, and both.

    >>> [(grid.weights, grid.mechanism_weights) for grid in finer_grids(Scope(2, 2, 2, 1, 39, 38))]
    [(39, 39), (39, 40), (40, 38), (40, 40)]
    """
    weights, mechanism_weights = scope.weights, scope.mechanism_weights
    for denominator in range(2, FINEST + 1):
        if denominator > mechanism_weights:
            yield replace(scope, mechanism_weights=denominator)
        if denominator > weights:
            yield replace(scope, weights=denominator)
            if denominator > mechanism_weights:
                yield replace(scope, weights=denominator, mechanism_weights=denominator)


def look_finer(question: SearchQuestion, look: Callable[[SearchQuestion], Hit]) -> Finer:
    """The first model on a finer grid that answers a question; `look` looks through one grid."""
    grids = passed = 0
    most = MAX_MODELS if has_numpy() else MAX_ALONE
    for grid in finer_grids(question.scope):
        if grid.models > most:
            passed += 1
            continue
        grids += 1
        hit = look(replace(question, scope=grid, exhaust=False))
        if hit.candidate is not None:
            return Finer(hit.candidate, grid, grids, passed, most)
    return Finer(None, None, grids, passed, most)
