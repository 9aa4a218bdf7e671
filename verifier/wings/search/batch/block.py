"""Many small models at once, as integer columns: the laws that definitions compare.

A block holds L distributions and M mechanisms, and stands for all L·M models. What depends on θ alone is a column of
shape (L, 1), what depends on the mechanism alone one of shape (1, M), a law of outputs one of shape (L, M). All numbers
are integers of a type that cannot overflow: the bound is computed before.
"""

from __future__ import annotations

from collections.abc import Callable, Hashable, Iterable, Iterator, Sequence
from dataclasses import dataclass, field
from fractions import Fraction
from functools import cached_property, reduce
from itertools import product
from math import lcm
from operator import and_, eq, invert, mul, or_
from typing import Any, TypeVar

import numpy as np
from numpy.typing import NDArray

from verifier.definitions.builders.resolve import BuilderCase, Given, Name, Replaced
from verifier.wings.search.atom_verdicts import partitions
from verifier.wings.search.policies import absent_value
from verifier.wings.search.scope import Shape

Column = NDArray[Any]
Mask = NDArray[np.bool_]
Kept = TypeVar("Kept")
NO: Mask = np.zeros((1, 1), dtype=np.bool_)
YES: Mask = np.ones((1, 1), dtype=np.bool_)


def integers_up_to(bound: int) -> type[Any]:
    """The fastest integers in which nothing up to the bound overflows: 32 bits, 64 bits, or Python's own.

    >>> [integers_up_to(bound).__name__ for bound in (10**9, 10**10, 10**19)]
    ['int32', 'int64', 'object']
    """
    if bound < 1 << 31:
        return np.int32
    return np.int64 if bound < 1 << 63 else object


def sum_of_columns(columns: Sequence[Column]) -> Column:
    """The sum of columns, model by model."""
    total = columns[0]
    for column in columns[1:]:
        total = total + column
    return total


@dataclass(frozen=True)
class LawColumns:
    """A law of outputs (or of D(i)) up to a factor: its weights sum to `total` times the row total."""

    weights: tuple[Column, ...]
    total: Column


@dataclass(frozen=True)
class ColumnPair:
    """Two laws that are compared, P against Q, in the models where `where` is true (None: in all).

    The definition allows them `scale`·ε.
    """

    p: LawColumns
    q: LawColumns
    where: Mask | None = None
    scale: Fraction = Fraction(1)

    @classmethod
    def of_posteriors(
        cls, first: tuple[Column, ...], second: tuple[Column, ...], where: Mask | None, scale: Fraction = Fraction(1)
    ) -> ColumnPair:
        """The laws with these weights, in the models where both are possible."""
        p, q = (LawColumns(weights, sum_of_columns(weights)) for weights in (first, second))
        possible = (p.total > 0) & (q.total > 0)
        return cls(p, q, possible if where is None else possible & where, scale)


@dataclass(frozen=True)
class Block:
    """L distributions and M mechanisms of one shape.

    `law[d][k]` is the weight of database d with knowledge value k, of shape (L, 1); `rows[d][o]` that of output o on
    database d, of shape (1, M).
    """

    shape: Shape
    law_total: int
    row_total: int
    law: tuple[tuple[Column, ...], ...]
    rows: tuple[tuple[Column, ...], ...]
    first_only: bool = False
    policy: str = ""
    """The lines of `[policy]` of all models."""
    _kept: dict[Hashable, Any] = field(default_factory=dict, compare=False, repr=False)

    @staticmethod
    def of(
        shape: Shape,
        totals: tuple[int, int],
        laws: Column,
        mechanisms: Column,
        bound: int,
        *,
        first_only: bool,
        policy: str = "",
    ) -> Block:
        """The block of `laws[l, d * knowledge + k]` and `mechanisms[m, d, o]`, in integers that hold the bound.

        `totals` are the sums of the weights of a θ and of a row; no number in an answer may exceed the bound.
        """
        kind = integers_up_to(bound)
        return Block(
            shape,
            *totals,
            tuple(
                tuple(laws[:, d * shape.knowledge + k, None].astype(kind) for k in range(shape.knowledge))
                for d in range(shape.databases)
            ),
            tuple(
                tuple(np.ascontiguousarray(mechanisms[None, :, d, o].astype(kind)) for o in range(shape.outputs))
                for d in range(shape.databases)
            ),
            first_only,
            policy,
        )

    @cached_property
    def records(self) -> range:
        """The protected records."""
        return range(1 if self.first_only else self.shape.records)

    @cached_property
    def shares(self) -> Column:
        """The column of Λ/m for m = 1, …, total, where Λ is their least common multiple; at m = 0 it has 0."""
        every = self.common
        kind = self.law[0][0].dtype
        return np.array([0, *(every // m for m in range(1, self.law_total + 1))], dtype=kind)

    @cached_property
    def common(self) -> int:
        """Λ, the least common multiple of 1, …, total."""
        return lcm(*range(1, self.law_total + 1))

    def cases(self) -> Iterator[BlockCase]:
        """One case for each protected record."""
        shape = self.shape
        for record in self.records:
            values, positions = range(shape.values), (shape.records, record)
            yield BlockCase(values, values, range(shape.knowledge), positions, absent_value(self.policy), self)

    def mass(self, record: int, known: int, a: int) -> Column:
        """P[B = k, D(i) = a], times the total."""
        return self.memo(
            (0, record, known, a), lambda: sum_of_columns([self.law[d][known] for d in self.shape.having(record, a)])
        )

    def record_mass(self, record: int, a: int) -> Column:
        """P[D(i) = a], times the total."""
        return sum_of_columns([self.mass(record, k, a) for k in range(self.shape.knowledge)])

    def memo(self, key: Hashable, make: Callable[[], Kept]) -> Kept:
        """The value of `make()`, kept under its key for later questions to this block."""
        if key not in self._kept:
            self._kept[key] = make()
        kept: Kept = self._kept[key]
        return kept

    def at(self, database: tuple[int, ...]) -> LawColumns:
        """The law of M(D) for one database D."""
        return LawColumns(self.rows[self.shape.number(database)], np.ones((1, 1), dtype=self.rows[0][0].dtype))

    def output(self, record: int, known: int, a: int) -> LawColumns:
        """The law of M(D) given B = k and D(i) = a."""
        return self.counterfactual(record, known, a, a)

    def counterfactual(self, record: int, known: int, a: int, b: int) -> LawColumns:
        """The law of M(D with i set to b) given B = k and D(i) = a."""

        def made() -> LawColumns:
            pushed = self.pushed((d, known, self.shape.replaced(d, record, b)) for d in self.shape.having(record, a))
            return LawColumns(pushed, self.mass(record, known, a))

        return self.memo((1, record, known, a, b), made)

    def pushed(self, worlds: Iterable[tuple[int, int, int]]) -> tuple[Column, ...]:
        """The weights of the outputs where the mechanism is run on D′ in the world (D, B̂), for a list of (D, B̂, D′)."""
        sources = [(self.law[d][known], self.rows[at]) for d, known, at in worlds if self.law[d][known].any()]
        zero = np.zeros((1, 1), dtype=self.law[0][0].dtype)
        weights = []
        for o in range(self.shape.outputs):
            summands = [weight * row[o] for weight, row in sources]
            total = summands[0] if summands else zero
            for summand in summands[1:]:
                total += summand
            weights.append(total)
        return tuple(weights)

    def weight(self, database: int, known: int) -> Column:
        """P[D = d, B = k] for a database number d, times the total."""
        return self.law[database][known]

    plus = staticmethod(sum_of_columns)
    times, equal = staticmethod(mul), staticmethod(eq)

    @staticmethod
    def positive(weight: Column) -> Mask:
        """The models in which a weight is not 0."""
        mask: Mask = weight > 0
        return mask

    @staticmethod
    def every(truths: Sequence[Mask]) -> Mask:
        """The models in which all conditions hold."""
        return reduce(and_, truths, YES)

    @staticmethod
    def some(truths: Sequence[Mask]) -> Mask:
        """The models in which some condition holds."""
        return reduce(or_, truths, NO)

    opposite = staticmethod(invert)

    def on(self, transform: str) -> list[Block]:
        """The blocks of the derived mechanisms; `transform` lists `twice` and `post` in the order of application."""
        blocks = [self]
        for name in transform.split():
            blocks = [derived for block in blocks for derived in (block.twice() if name == "twice" else block.merged())]
        return blocks

    def twice(self) -> list[Block]:
        """The block of the mechanisms run twice on the database, independently, with both outputs shown."""
        rows = tuple(tuple(first * second for first, second in product(row, repeat=2)) for row in self.rows)
        return [self._with(rows, self.row_total**2)]

    def merged(self) -> list[Block]:
        """A block for every deterministic post-processing of the outputs, up to the names of the results."""
        ways = partitions(self.shape.outputs)
        return [self._with(tuple(_grouped(row, blocks) for row in self.rows), self.row_total) for blocks in ways]

    def _with(self, rows: tuple[tuple[Column, ...], ...], row_total: int) -> Block:
        shape = Shape(self.shape.records, self.shape.values, len(rows[0]), self.shape.knowledge)
        return Block(shape, self.law_total, row_total, self.law, rows, self.first_only, self.policy)


@dataclass(frozen=True)
class BlockCase(BuilderCase):
    """One protected record of the models of a block, as the builders of definitions look at it.

    The name of a law stands for a law of columns here. "Possible" means: possible for some θ of the block; a mask says
    in which models a row is compared.
    """

    block: Block

    @property
    def record(self) -> int:
        """The protected record."""
        return self.positions[1]

    def possible(self, known: Hashable, *values: int) -> bool:
        """Whether, for some θ, the record can take each of the values given B̂, or without B̂ (None)."""
        return self.block.memo(
            ("possible", self.record, known, values),
            lambda: bool(self._positive([Given(known, value) for value in values]).any()),
        )

    def mass(self, event: Given) -> Column:
        """The weight of an event, times the total."""
        known, value = event
        return self.record_mass(value) if known is None else self.block.mass(self.record, known, value)

    def record_mass(self, value: Hashable) -> Column:
        """The weight of D(i) = value, times the total."""
        return self.block.record_mass(self.record, value)  # type: ignore[arg-type]

    def where(self, events: tuple[Given, ...]) -> Mask | None:
        """The models in which all events are possible; None stands for all models."""
        if not events:
            return None
        return self.block.memo(("where", self.record, events), lambda: self._positive(events))

    def _positive(self, events: Sequence[Given]) -> Mask:
        return reduce(and_, [self.mass(event) > 0 for event in events])

    def law(self, name: Name) -> LawColumns:
        """The law of outputs that belongs to a name."""
        if isinstance(name, Given):
            return self.block.output(self.record, name.known, name.value)
        if isinstance(name, Replaced):
            return self.block.counterfactual(self.record, name.known, name.value, name.by)
        return self.block.at(name.database)


def _grouped(row: tuple[Column, ...], blocks: tuple[int, ...]) -> tuple[Column, ...]:
    """The weights of the results of a post-processing that turns output o into result `blocks[o]`."""
    results = range(max(blocks) + 1)
    return tuple(
        sum_of_columns([weight for weight, k in zip(row, blocks, strict=True) if k == result]) for result in results
    )
