"""Databases of several sizes: all pairs of multisets that differ in one tuple, with their output laws."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, replace

from verifier.engine.enumerated import Output, scaled
from verifier.model import Database, Mechanism, Model, check_size, counted
from verifier.model.multisets import Multisets
from verifier.tables import Law

STEPS = 1
"""Additions of a sample's laws for each row of the limit."""


@dataclass(frozen=True)
class Resized:
    """The two output laws on a multiset with one more tuple and without it, in one order; equal pairs are lumped."""

    value: int
    """The tuple that is added or removed, as a position in T."""
    larger: Database
    smaller: Database
    removed: bool
    """Whether the law on the larger database comes first."""
    first: Output
    second: Output
    multiplicity: int


def databases_of(model: Model, mechanism: Mechanism) -> Multisets:
    """All multisets that a mechanism is applied to: those of the model's sizes, or their samples of any smaller size.

    `mechanism` is the model's, or the mechanism that the model's applies to a sample.
    """
    first, last = model.sizes or (model.size, model.size)
    with_sample = mechanism is model.mechanism or model.mechanism.sample is None
    return Multisets(len(model.values), first if with_sample else 0, last)


def resized(model: Model, mechanism: Mechanism, max_rows: int) -> Iterator[Resized]:
    """The pairs of output laws on D′ and D = D′ ∪ {t}, in both orders, equal pairs lumped.

    They come by size and order of D′, then by t, the pair with the larger database first before the other.

    Raises:
        UnsupportedError: where a table has no row for a database.
        LimitError: where there are too many pairs.

    """
    databases = databases_of(model, mechanism)
    pairs = 2 * len(databases) * len(model.values)
    check_size(pairs, max_rows, f"there are about {counted(pairs)} ordered pairs of neighbours")
    if mechanism.sample is not None:
        steps = len(databases) * min(len(model.values), databases.last) * (databases.last + 1)
        check_size(steps, STEPS * max_rows, f"sampling takes about {counted(steps)} additions of laws")
    same: dict[Law, Law] = {}
    lumped: dict[tuple[int, int], Resized] = {}
    for smaller in databases:
        law = mechanism.law(smaller)
        without = same.setdefault(law, law)
        if len(smaller) == databases.last:
            continue
        for value in range(len(model.values)):
            larger = tuple(sorted((*smaller, value)))
            law = mechanism.law(larger)
            with_it = same.setdefault(law, law)
            for removed, (p, q) in ((True, (with_it, without)), (False, (without, with_it))):
                key = id(p), id(q)
                if key in lumped:
                    lumped[key] = replace(lumped[key], multiplicity=lumped[key].multiplicity + 1)
                else:
                    lumped[key] = Resized(value, larger, smaller, removed, *scaled(p, q), 1)
    yield from lumped.values()
