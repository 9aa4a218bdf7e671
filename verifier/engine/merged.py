"""Outputs of the parts of `all` whose columns are proportional, as one output each: the same privacy, fewer outputs.

Let g(o) > 0 with P[M(D) = o] = g(o)·P[M(D) ∈ c] for every database D and every output o of a class c. Which output of
the class came says nothing about D: given c it is drawn without looking. So a mechanism that puts out the class alone
has every likelihood ratio, divergence, trade-off curve and belief of M (`proofs/tails.md`, where the outputs of a tail
are such a class). A boundary value of a noisy count and the tail behind it are one. Parts are merged before their
outputs are listed together, since the number of lists is a product.

The plain way is the mechanism itself; `Engine(model, force="rows")` takes it.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from functools import cached_property
from itertools import chain
from itertools import product as cartesian
from math import gcd

from verifier.errors import PkdpError
from verifier.model import Database, Element, Mechanism, Model
from verifier.model.composition import jointly, listed
from verifier.tables import Label, Law, gathered, in_order

MAX_CELLS = 1 << 16
"""Most entries of the columns of one part, states times outputs, that are compared to merge its outputs."""
MAX_LISTED = 1 << 10
"""Most states of one part, which are sums or databases, that are looked at."""


@dataclass(frozen=True)
class Merged:
    """A mechanism whose outputs are classes of another's, each named after its first output.

    `classes` has the outputs of each class by the label of the class, in order; an output that is alone is not in it.
    Of a mechanism that is `all` of others, `parts` are these, merged, and an output is a list of classes.
    """

    mechanism: Mechanism
    classes: Mapping[Label, tuple[Label, ...]] = field(default_factory=dict)
    parts: tuple[Merged, ...] = ()

    @cached_property
    def merges(self) -> bool:
        """Whether some class has more than one output."""
        return bool(self.classes) or any(part.merges for part in self.parts)

    def members(self, name: Label) -> tuple[Label, ...]:
        """The outputs of a class."""
        if not self.parts:
            return self.classes.get(name, (name,))
        names = zip(self.parts, name.entries or (), strict=True)
        return tuple(listed(outputs) for outputs in cartesian(*(part.members(entry) for part, entry in names)))

    def outputs(self, event: Iterable[Label]) -> tuple[Label, ...]:
        """The outputs of all classes of an event, in order."""
        return tuple(in_order(chain.from_iterable(map(self.members, event))))


def merged(mechanism: Mechanism) -> Merged:
    """The mechanism with the proportional outputs of each part of its `all` merged; itself where it is no `all`.

    Outputs are merged at the end of a part: a step behind it, or the `next` of an adaptive mechanism, sees each.
    """
    if not mechanism.components:
        return Merged(mechanism)
    parts = tuple(merged(part) if part.components else merged_part(part) for part in mechanism.components)
    if not any(part.merges for part in parts):
        return Merged(mechanism)
    return Merged(replace(jointly([part.mechanism for part in parts]), domain=mechanism.domain), parts=parts)


def merged_part(mechanism: Mechanism) -> Merged:
    """One mechanism with proportional outputs merged; itself where its columns are too many, or not known at once."""
    laws = _laws(mechanism)
    if laws is None:
        return Merged(mechanism)
    classes = {outputs[0]: outputs for outputs in proportional(laws) if len(outputs) > 1}
    if not classes:
        return Merged(mechanism)
    name = {output: first for first, outputs in classes.items() for output in outputs}
    kept: dict[Law, Law] = {}

    def of(law: Law) -> Law:
        if law not in kept:
            weights = gathered((name.get(output, output), weight) for output, weight in law.items())
            kept[law] = Law.from_integers(weights, law.denominator)
        return kept[law]

    statistic, table = mechanism.statistic, mechanism.table
    if statistic is not None:
        finish = statistic.finish
        finished: dict[Element, Law] = {}

        def finish_merged(state: Element) -> Law:
            if state not in finished:
                finished[state] = of(finish(state))
            return finished[state]

        statistic = replace(statistic, finish=finish_merged, threshold=None, noise=None, before_noise=None)
    of_database: Callable[[Database], Law] | None = None if table is None else lambda database: of(table(database))
    return Merged(replace(mechanism, statistic=statistic, table=of_database, _cache={}), classes)


def proportional(laws: Sequence[Law]) -> list[tuple[Label, ...]]:
    """The outputs of some laws in classes, each in order, with the classes by their first outputs.

    Two outputs are in one class where the weights of one, law by law, are a multiple of those of the other. Weights of
    a law need no common denominator with those of another: it is the same factor for both outputs.
    """
    columns: dict[Label, list[tuple[int, int]]] = {}
    for number, law in enumerate(laws):
        for output, weight in law.items():
            columns.setdefault(output, []).append((number, weight))
    classes: dict[tuple[tuple[int, int], ...], list[Label]] = {}
    for output in in_order(columns):
        column = columns[output]
        shared = gcd(*(weight for _, weight in column))
        classes.setdefault(tuple((number, weight // shared) for number, weight in column), []).append(output)
    return [tuple(outputs) for outputs in classes.values()]


def _laws(mechanism: Mechanism) -> list[Law] | None:
    """Laws of which every law of the mechanism is a mixture; None where they are too many, or not known at once.

    They are of the sums of a statistic, else of the databases. A Python function is asked only where it is needed.
    """
    statistic, number = mechanism.statistic, len(mechanism.values) ** mechanism.size
    try:
        if statistic is not None:
            states = statistic.reachable(mechanism.size, len(mechanism.values), MAX_LISTED)
            few = len(states) * len(statistic.finish(states[0]).outcomes) <= MAX_CELLS
            laws = [statistic.finish(state) for state in states] if few else []
        elif mechanism.codomain is None or min(number, len(mechanism.domain or range(number))) > MAX_LISTED:
            return None
        else:
            laws = [mechanism.law(database) for database in mechanism.domain or mechanism.all_databases()]
    except PkdpError:  # what is wrong is said where it is asked for
        return None
    whole = all(type(weight) is int for law in laws for weight in law.weights)
    return laws if laws and whole and sum(len(law.outcomes) for law in laws) <= MAX_CELLS else None


def merged_model(model: Model) -> tuple[Model, Merged] | None:
    """The model with its mechanism merged, and what its outputs stand for; None where nothing merges."""
    whole = merged(model.mechanism)
    return (replace(model, mechanism=whole.mechanism), whole) if whole.merges else None


__all__ = ["Merged", "merged", "merged_model", "merged_part", "proportional"]
