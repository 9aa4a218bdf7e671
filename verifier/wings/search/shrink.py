"""Shrinking a model step by step while it still tells the statements apart, and choosing one of its renamings.

Each step removes or merges labels, or rounds weights to a smaller denominator; of all steps the one to the smallest
model is tried first. So the same model is shrunk to the same one everywhere.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import replace
from itertools import product
from math import gcd

from verifier.wings.search.candidate import Candidate
from verifier.wings.search.orbits import FULL, Symmetry, database_renamings

Weights = tuple[int, ...]
MAX_STEPS = 200
"""Largest number of steps; each makes the model smaller, so that there is an end anyway."""


def shrunk(candidate: Candidate, breaks: Callable[[Candidate], bool]) -> Candidate:
    """The model that greedy steps reach, each to the smallest model that `breaks` accepts.

    >>> large = Candidate(1, 3, 2, 1, 6, 4, (2, 2, 2), ((4, 0), (0, 4), (2, 2)))
    >>> shrunk(large, lambda model: len(set(model.mechanism)) > 1).mechanism
    ((1, 0), (0, 1))
    """
    best = tidy(candidate)
    for _ in range(MAX_STEPS):
        smaller = {tidy(model) for model in steps(best)}
        ordered = sorted((model for model in smaller if model.size < best.size), key=lambda model: model.size)
        better = next((model for model in ordered if breaks(model)), None)
        if better is None:
            return best
        best = better
    return best


def tidy(candidate: Candidate) -> Candidate:
    """The same model without unused outputs and impossible knowledge values, over the smallest denominators."""
    rows = candidate.mechanism
    used = [o for o in range(candidate.outputs) if any(row[o] for row in rows)]
    known = [b for b in range(candidate.knowledge) if any(candidate.law[b :: candidate.knowledge])]
    rows = tuple(tuple(row[o] for o in used) for row in rows)
    law = tuple(candidate.law[d * candidate.knowledge + b] for d in range(len(rows)) for b in known)
    shared, common = gcd(*law), gcd(*(weight for row in rows for weight in row))
    return replace(
        candidate,
        outputs=len(used),
        knowledge=len(known),
        law_total=candidate.law_total // shared,
        row_total=candidate.row_total // common,
        law=tuple(weight // shared for weight in law),
        mechanism=tuple(tuple(weight // common for weight in row) for row in rows),
    )


def renamed(candidate: Candidate, symmetry: Symmetry = FULL) -> Candidate:
    """The first, in the order of the search, of all models that differ from a candidate in names alone.

    >>> renamed(Candidate(1, 2, 2, 1, 3, 1, (1, 2), ((0, 1), (1, 0)))).law
    (2, 1)
    """
    group = database_renamings(candidate.records, candidate.values, first_only=candidate.first_only, symmetry=symmetry)
    best = candidate
    for p, q in product(group, symmetry.of_knowledge(candidate.knowledge)):
        law = tuple(candidate.law[d * candidate.knowledge + b] for d in p for b in q)
        if tuple(-weight for weight in law) > tuple(-weight for weight in best.law):
            continue
        for r in symmetry.of_outputs(candidate.outputs):
            rows = tuple(tuple(candidate.mechanism[d][o] for o in r) for d in p)
            best = min(best, replace(candidate, law=law, mechanism=rows), key=lambda model: model.size)
    return best


def steps(candidate: Candidate) -> Iterator[Candidate]:
    """Models with fewer records, values, outputs, knowledge values, worlds or a coarser grid; some are not smaller."""
    databases, law, rows = candidate.databases, candidate.law, candidate.mechanism
    cell = {
        database: law[k * candidate.knowledge : (k + 1) * candidate.knowledge] for k, database in enumerate(databases)
    }
    row = dict(zip(databases, rows, strict=True))
    for i in range(candidate.first_only and 1, candidate.records if candidate.records > 1 else 0):
        for v in range(candidate.values):
            fewer = list(product(range(candidate.values), repeat=candidate.records - 1))
            summed = {d: _added(cell[*d[:i], x, *d[i:]] for x in range(candidate.values)) for d in fewer}
            conditioned = {d: cell[*d[:i], v, *d[i:]] for d in fewer}
            kept = tuple(row[*d[:i], v, *d[i:]] for d in fewer)
            for cells in (summed, conditioned):
                yield from _with_law(replace(candidate, records=candidate.records - 1, mechanism=kept), cells.values())
    for v in range(candidate.values) if candidate.values > 2 else ():
        left = [d for d in databases if v not in d]
        made_of = replace(candidate, values=candidate.values - 1, mechanism=tuple(row[d] for d in left))
        yield from _with_law(made_of, [cell[d] for d in left])
    for o, into in product(range(candidate.outputs), repeat=2):
        if o != into:
            yield replace(candidate, mechanism=tuple(_moved(weights, o, into) for weights in rows))
    for b, into in product(range(candidate.knowledge), repeat=2):
        if b != into:
            yield from _with_law(candidate, [_moved(weights, b, into) for weights in cell.values()])
    for b in range(candidate.knowledge if candidate.knowledge > 1 else 0):
        yield from _with_law(candidate, [(*weights[:b], 0, *weights[b + 1 :]) for weights in cell.values()])
    possible = [k for k, weight in enumerate(law) if weight]
    for k in possible:
        yield from _with_weights(candidate, (*law[:k], 0, *law[k + 1 :]))
        for into in possible:
            if into != k:
                yield replace(candidate, law=_moved(law, k, into))
    for total in range(len(possible), candidate.law_total):
        yield replace(candidate, law=rounded(law, total), law_total=total)
    yield replace(candidate, law=tuple(min(weight, 1) for weight in law), law_total=len(possible))
    for total in range(1, candidate.row_total):
        yield replace(candidate, mechanism=tuple(rounded(weights, total) for weights in rows), row_total=total)
    points = [tuple(candidate.row_total * (o == x) for x in range(candidate.outputs)) for o in range(candidate.outputs)]
    for k, replacement in product(range(len(rows)), dict.fromkeys([*points, *rows])):
        yield replace(candidate, mechanism=(*rows[:k], replacement, *rows[k + 1 :]))


def _added(summands: Iterable[Weights]) -> Weights:
    return tuple(map(sum, zip(*summands, strict=True)))


def _moved(weights: Weights, k: int, into: int) -> Weights:
    """The weight at k added to that at `into`."""
    return tuple(0 if x == k else w + (weights[k] if x == into else 0) for x, w in enumerate(weights))


def _with_law(candidate: Candidate, cells: Iterable[Sequence[int]]) -> Iterator[Candidate]:
    yield from _with_weights(candidate, tuple(weight for weights in cells for weight in weights))


def _with_weights(candidate: Candidate, law: Weights) -> Iterator[Candidate]:
    """The candidate with θ conditioned on the worlds that are left, if any is."""
    if sum(law):
        yield replace(candidate, law=law, law_total=sum(law))


def rounded(weights: Weights, total: int) -> Weights:
    """Weights with the sum `total`, in about the same proportion: the largest remainders are rounded up.

    >>> rounded((5, 3, 2), 3), rounded((1, 1, 1), 4)
    ((1, 1, 1), (2, 1, 1))
    """
    weight_sum = sum(weights)
    rounded_down = [weight * total // weight_sum for weight in weights]
    by_remainder = sorted(range(len(weights)), key=lambda k: (-(weights[k] * total % weight_sum), k))
    for k in by_remainder[: total - sum(rounded_down)]:
        rounded_down[k] += 1
    return tuple(rounded_down)
