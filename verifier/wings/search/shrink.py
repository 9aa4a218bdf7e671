"""Making a found model smaller, step by step, as long as it still tells the statements apart; and one of its names.

Each step removes or merges something, or rounds weights to a smaller denominator; of all steps the one to the smallest
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
"""Most steps; each makes the model smaller, so that there is an end anyway."""


def shrunk(one: Candidate, breaks: Callable[[Candidate], bool]) -> Candidate:
    """The smallest model that greedy steps reach, all of which `breaks` accepts.

    >>> large = Candidate(1, 3, 2, 1, 6, 4, (2, 2, 2), ((4, 0), (0, 4), (2, 2)))
    >>> shrunk(large, lambda other: len(set(other.mechanism)) > 1).mechanism
    ((1, 0), (0, 1))
    """
    found = tidy(one)
    for _ in range(MAX_STEPS):
        smaller = {tidy(other) for other in steps(found)}
        ordered = sorted((other for other in smaller if other.size < found.size), key=lambda other: other.size)
        better = next((other for other in ordered if breaks(other)), None)
        if better is None:
            return found
        found = better
    return found


def tidy(one: Candidate) -> Candidate:
    """The same model without unused outputs and impossible knowledge values, over the smallest denominators."""
    rows = one.mechanism
    used = [o for o in range(one.outputs) if any(row[o] for row in rows)]
    known = [b for b in range(one.knowledge) if any(one.law[b :: one.knowledge])]
    rows = tuple(tuple(row[o] for o in used) for row in rows)
    law = tuple(one.law[d * one.knowledge + b] for d in range(len(rows)) for b in known)
    shared, common = gcd(*law), gcd(*(weight for row in rows for weight in row))
    return replace(
        one,
        outputs=len(used),
        knowledge=len(known),
        law_total=one.law_total // shared,
        row_total=one.row_total // common,
        law=tuple(weight // shared for weight in law),
        mechanism=tuple(tuple(weight // common for weight in row) for row in rows),
    )


def renamed(one: Candidate, symmetry: Symmetry = FULL) -> Candidate:
    """The first of all models that differ in names alone.

    >>> renamed(Candidate(1, 2, 2, 1, 3, 1, (1, 2), ((0, 1), (1, 0)))).law
    (2, 1)
    """
    group = database_renamings(one.records, one.values, first_only=one.first_only, symmetry=symmetry)
    best = one
    for p, q in product(group, symmetry.of_knowledge(one.knowledge)):
        law = tuple(one.law[d * one.knowledge + b] for d in p for b in q)
        if tuple(-weight for weight in law) > tuple(-weight for weight in best.law):
            continue
        for r in symmetry.of_outputs(one.outputs):
            rows = tuple(tuple(one.mechanism[d][o] for o in r) for d in p)
            best = min(best, replace(one, law=law, mechanism=rows), key=lambda other: other.size)
    return best


def steps(one: Candidate) -> Iterator[Candidate]:
    """Models that have less of something; some are not smaller."""
    databases, law, rows = one.databases, one.law, one.mechanism
    cell = {database: law[k * one.knowledge : (k + 1) * one.knowledge] for k, database in enumerate(databases)}
    row = dict(zip(databases, rows, strict=True))
    for i in range(one.first_only and 1, one.records if one.records > 1 else 0):
        for v in range(one.values):
            fewer = list(product(range(one.values), repeat=one.records - 1))
            whole = {d: _added(cell[*d[:i], x, *d[i:]] for x in range(one.values)) for d in fewer}
            part = {d: cell[*d[:i], v, *d[i:]] for d in fewer}
            kept = tuple(row[*d[:i], v, *d[i:]] for d in fewer)
            for made in (whole, part):
                yield from _with_law(replace(one, records=one.records - 1, mechanism=kept), made.values())
    for v in range(one.values) if one.values > 2 else ():
        left = [d for d in databases if v not in d]
        made_of = replace(one, values=one.values - 1, mechanism=tuple(row[d] for d in left))
        yield from _with_law(made_of, [cell[d] for d in left])
    for o, into in product(range(one.outputs), repeat=2):
        if o != into:
            yield replace(one, mechanism=tuple(_moved(weights, o, into) for weights in rows))
    for b, into in product(range(one.knowledge), repeat=2):
        if b != into:
            yield from _with_law(one, [_moved(weights, b, into) for weights in cell.values()])
    for b in range(one.knowledge if one.knowledge > 1 else 0):
        yield from _with_law(one, [(*weights[:b], 0, *weights[b + 1 :]) for weights in cell.values()])
    possible = [k for k, weight in enumerate(law) if weight]
    for k in possible:
        yield from _with_weights(one, (*law[:k], 0, *law[k + 1 :]))
        for into in possible:
            if into != k:
                yield replace(one, law=_moved(law, k, into))
    for total in range(len(possible), one.law_total):
        yield replace(one, law=rounded(law, total), law_total=total)
    yield replace(one, law=tuple(min(weight, 1) for weight in law), law_total=len(possible))
    for total in range(1, one.row_total):
        yield replace(one, mechanism=tuple(rounded(weights, total) for weights in rows), row_total=total)
    points = [tuple(one.row_total * (o == x) for x in range(one.outputs)) for o in range(one.outputs)]
    for k, other in product(range(len(rows)), dict.fromkeys([*points, *rows])):
        yield replace(one, mechanism=(*rows[:k], other, *rows[k + 1 :]))


def _added(parts: Iterable[Weights]) -> Weights:
    return tuple(map(sum, zip(*parts, strict=True)))


def _moved(weights: Weights, k: int, into: int) -> Weights:
    """The weight at k added to that at `into`."""
    return tuple(0 if x == k else w + (weights[k] if x == into else 0) for x, w in enumerate(weights))


def _with_law(one: Candidate, cells: Iterable[Sequence[int]]) -> Iterator[Candidate]:
    yield from _with_weights(one, tuple(weight for weights in cells for weight in weights))


def _with_weights(one: Candidate, law: Weights) -> Iterator[Candidate]:
    """Conditioned on what is left, where something is."""
    if sum(law):
        yield replace(one, law=law, law_total=sum(law))


def rounded(weights: Weights, total: int) -> Weights:
    """Weights with another sum, in about the same proportion: the largest remainders are rounded up.

    >>> rounded((5, 3, 2), 3), rounded((1, 1, 1), 4)
    ((1, 1, 1), (2, 1, 1))
    """
    whole = sum(weights)
    found = [weight * total // whole for weight in weights]
    rest = sorted(range(len(weights)), key=lambda k: (-(weights[k] * total % whole), k))
    for k in rest[: total - sum(found)]:
        found[k] += 1
    return tuple(found)
