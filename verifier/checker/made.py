"""What a mechanism is for the independent re-check: a law on each database, and a sum where it is one.

A sum adds up what the records draw, coordinate by coordinate, and has an output law for every total.
"""

from __future__ import annotations

import operator
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import suppress
from fractions import Fraction
from itertools import combinations_with_replacement, pairwise, product
from math import prod
from typing import Any, NamedTuple, TypeAlias

from verifier.checker.labels import MOST, ONE, Raw, Uncovered, gathered, text
from verifier.checker.numbers import Rejected, summed

Database: TypeAlias = tuple[int, ...]
"""A database as places in the list of values."""
State: TypeAlias = tuple[Any, ...]


class Sum(NamedTuple):
    """A mechanism that adds up: the law of what record i adds with the value v, and the output law of a sum."""

    operations: tuple[str, ...]
    zero: State
    draw: Callable[[int, int], list[tuple[State, Fraction]]]
    finish: Callable[[State], Raw]

    def add(self, x: State, y: State) -> State:
        """The sum of two states, coordinate by coordinate."""
        return tuple(STEPS[step](p, q) for step, p, q in zip(self.operations, x, y, strict=True))

    def reached(self, sizes: range, values: int, most: int) -> Iterator[State]:
        """All sums on databases of these sizes.

        Raises:
            Uncovered: where there are more than `most`, or 64 times as many steps on the way.

        """
        states, work = {self.zero}, sizes.stop
        for i in range(sizes.stop):
            if work > 64 * most or len(states) > most:
                raise Uncovered("what follows very many sums")
            if i in sizes:
                yield from states
            if i + 1 < sizes.stop:
                elements = {e for v in range(values) for e, _ in self.draw(i, v)}
                work += len(states) * len(elements)
                states = {self.add(state, e) for state in states for e in elements} if work <= 64 * most else states

    def law(self, database: Database) -> Raw:
        """The output law on a database."""
        states = {self.zero: ONE}
        for i, v in enumerate(database):
            drawn = self.draw(i, v)
            states = summed((self.add(state, element), p * q) for state, p in states.items() for element, q in drawn)
        return gathered((o, p * q) for state, p in states.items() for o, q in self.finish(state))


STEPS: dict[str, Callable[[Any, Any], Any]] = {
    "+": operator.add,
    "*": operator.mul,
    "max": max,
    "min": min,
    "mod 2": lambda x, y: (x + y) % 2,
}


class Made(NamedTuple):
    """A mechanism: its law on each database, and its sum where it is one.

    `any_size` says that it is defined whatever the number of records, as a sample asks; `partial` that it has no law on
    some databases; `tails` has the lumped tails of noise among its outputs.
    """

    law: Callable[[Database], Raw]
    sum: Sum | None = None
    any_size: bool = False
    partial: bool = False
    tails: frozenset[str] = frozenset()

    def outputs(self, sizes: range, values: int, most: int, *, ordered: bool = True) -> set[str]:
        """The texts of all outputs, on all databases of these sizes that have a law; not `ordered`: on multisets.

        Raises:
            Uncovered: where more than `most` sums or databases, or 64 times as many steps, would be looked at.

        """
        if self.sum is not None:
            laws: Iterator[Raw] = map(self.sum.finish, self.sum.reached(sizes, values, most))
        else:
            laws = self._laws(sizes, values, most, ordered=ordered)
        texts: set[str] = set()
        seen = 0
        for law in laws:
            seen += len(law)
            if seen > 64 * most:
                raise Uncovered("what follows very many outputs")
            texts |= {text(o) for o, _ in law}
        return texts

    def _laws(self, sizes: range, values: int, most: int, *, ordered: bool) -> Iterator[Raw]:
        if sum(values**size for size in sizes[: most.bit_length()]) > most or len(sizes) > most:
            raise Uncovered("what follows the outputs of very many databases")
        for size in sizes:
            every = product(range(values), repeat=size)
            for database in every if ordered else combinations_with_replacement(range(values), size):
                with suppress(Rejected):  # a table without this row
                    yield self.law(database)


def plain(
    operations: tuple[str, ...],
    zero: State,
    element: Callable[[int, int], State],
    finish: Callable[[State], Any],
) -> Sum:
    """A sum of which nothing is random."""
    return Sum(operations, zero, lambda i, v: [(element(i, v), ONE)], lambda state: [(finish(state), ONE)])


def of_sum(total: Sum, *, any_size: bool = False) -> Made:
    """The mechanism that puts out a sum."""
    return Made(total.law, total, any_size)


def thinned(total: Sum, rate: Fraction) -> Sum:
    """Each record kept with a probability, else it adds nothing."""

    def draw(i: int, v: int) -> list[tuple[State, Fraction]]:
        draws = summed([(total.zero, 1 - rate), *((element, p * rate) for element, p in total.draw(i, v))])
        return [(element, p) for element, p in draws.items() if p]

    return total._replace(draw=draw)


def on_records(inner: Made, position: Mapping[int, int], records: Sequence[int]) -> Made:
    """A mechanism that sees some records alone; the others add nothing."""
    total = inner.sum
    return inner._replace(
        law=lambda database: inner.law(tuple(database[i] for i in records)),
        sum=None if total is None else total._replace(
            draw=lambda i, v: total.draw(position[i], v) if i in position else [(total.zero, ONE)]
        ),
    )  # fmt: skip


def side_by_side(laws: list[Callable[[], Raw]]) -> Raw:
    """Independent outputs, as a list."""
    outcomes = [law() for law in laws]
    if prod(map(len, outcomes)) > MOST:
        raise Uncovered("a law has too many outcomes")
    return [(tuple(o for o, _ in c), prod((p for _, p in c), start=ONE)) for c in product(*outcomes)]


def joined(mechanisms: list[Made], how: Callable[[list[Callable[[], Raw]]], Raw]) -> Made:
    """One mechanism from several: on the database, and on their sums side by side where all have one."""

    def law(database: Database) -> Raw:
        return gathered(how([lambda made=made: made.law(database) for made in mechanisms]))  # type: ignore[misc]

    whole = Made(
        law,
        None,
        all(made.any_size for made in mechanisms),
        any(made.partial for made in mechanisms),
        frozenset[str]().union(*(made.tails for made in mechanisms)),
    )
    sums = [made.sum for made in mechanisms if made.sum is not None]
    if len(sums) < len(mechanisms):
        return whole
    ends = [sum(len(total.zero) for total in sums[:k]) for k in range(len(sums) + 1)]

    def draw(i: int, v: int) -> list[tuple[State, Fraction]]:
        combinations = product(*(total.draw(i, v) for total in sums))
        return [(tuple(x for e, _ in c for x in e), prod((p for _, p in c), start=ONE)) for c in combinations]

    def finish(state: State) -> Raw:
        slices = [state[a:b] for a, b in pairwise(ends)]
        return gathered(how([lambda s=s, x=x: s.finish(x) for s, x in zip(sums, slices, strict=True)]))  # type: ignore[misc]

    zero = tuple(x for total in sums for x in total.zero)
    return whole._replace(sum=Sum(tuple(op for total in sums for op in total.operations), zero, draw, finish))
