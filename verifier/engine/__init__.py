"""Exact output laws of the comparisons asked for. The engine never knows a definition's name.

Three engines give one answer: `rows` is plain and takes every model; `columns` is fast and takes those whose mechanism
and knowledge are sums over the records; `sums` needs no table at all, for independent records (given a component) of
which some, the component, or nothing is known. The tests compare them with `==`. A fourth, `balls`, encloses δ where
the exact sums of a count would take too long.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass, field, replace
from functools import cached_property
from itertools import groupby
from typing import TYPE_CHECKING, Any, TypeVar

from verifier.engine import balls, enumerated, sums
from verifier.engine.balls import Balls
from verifier.engine.cost import SLOW, cost_of, drawn, one_by_one, table_cost_of, written_milliseconds
from verifier.engine.enumerated import MAX_ROWS, LawPair
from verifier.engine.joint import Joint, KnowledgeCase, Neighbours, Output
from verifier.engine.merged import merged_model
from verifier.engine.sums import ModelSums, ThetaSums
from verifier.errors import UnsupportedError
from verifier.machine.extras import has_numpy
from verifier.model import Model, Secret, Theta, check_size, counted
from verifier.tables import Label

if TYPE_CHECKING:
    from verifier.engine.adjacent import Adjacent
    from verifier.engine.algebra import Algebra
    from verifier.engine.cost import Cost, TableCost
    from verifier.engine.merged import Merged

Kept = TypeVar("Kept")
AT_ONCE = 100
"""Milliseconds up to which a table is taken, even where sums cost less: it lists every knowledge value, and its answers
can be checked again from the plain worlds."""
EXACT_MILLISECONDS = 120_000
"""Where exact sums would take longer than about this, a count is enclosed instead."""
FEW_ROWS = 512
"""Below this many worlds the plain engine is as fast, and numpy need not be imported."""


@dataclass(frozen=True)
class Engine:
    """The exact laws of one model, within a limit on its worlds; every joint law is computed once.

    `force` names an engine: `sum` needs no table of worlds; `table` lists them, by `rows` or by `columns`, whichever
    is faster, and these two names ask for one; `ball` encloses. Without it the costs choose: a table that takes no
    time, else the cheaper one of `sum` and `table`, and `ball` where the exact answer would take longer than `patience`
    milliseconds and the model is a count.
    """

    model: Model
    max_rows: int = MAX_ROWS
    force: str = ""
    patience: int = EXACT_MILLISECONDS
    tick: Callable[[], object] | None = field(default=None, compare=False, repr=False)
    """Called whenever the law of one sensitive attribute is asked for, for a progress bar."""
    _kept: dict[object, Any] = field(default_factory=dict, compare=False, repr=False)

    def memo(self, key: object, make: Callable[[], Kept]) -> Kept:
        """The value of `make()`, computed once for each `key` and kept with this engine."""
        if key not in self._kept:
            self._kept[key] = make()
        value: Kept = self._kept[key]
        return value

    @cached_property
    def merging(self) -> tuple[Engine, Merged] | None:
        """The engine of the model with proportional outputs merged, and what these stand for; None where none are.

        `rows` names the plain way, which merges nothing; sums have no list of outputs.
        """
        if self.force == "rows" or self.model.sizes is not None or not self.model.mechanism.components:
            return None
        if self.balls or self.sums:
            return None

        merged = merged_model(self.model)
        if merged is None:
            return None
        return replace(self, model=merged[0], force=self.force or "table", _kept={}), merged[1]

    def admit(self) -> None:
        """Refuse a model that is too large for the chosen engine, before any work.

        Raises:
            LimitError: with the size that is too large.

        """
        if not self.balls:
            self._admit_laws()

    def _admit_laws(self) -> None:
        """Refuse where whole laws are asked for, and neither sums nor a table are within the limits."""
        if self.sums:
            self.cost.refuse(self.max_rows)
        else:
            self.admit_table()

    @cached_property
    def cost(self) -> Cost:
        """The size of the work of the engine for sums."""
        return cost_of(self.model)

    def admit_table(self) -> None:
        """Refuse a model with too many worlds for a table, before any work.

        Raises:
            LimitError: with the number of worlds of the first such distribution.

        """
        for theta in self.model.thetas:
            count = theta.count()
            check_size(
                count, self.max_rows, f'the distribution "{theta.name}" has {counted(count)} worlds', enough=True
            )
        enumerated.refuse_outputs(self.model, self.max_rows)

    @cached_property
    def table_cost(self) -> TableCost:
        """The size of the work of the engines with a table."""
        return table_cost_of(self.model)

    @cached_property
    def sums(self) -> bool:
        """Whether the engine for sums is taken: where it is asked for, or where it applies and costs less.

        Raises:
            UnsupportedError: where it is asked for, and the model is no sum over independent records.

        """
        if self.force != "sum" and (self.force or self._at_once):
            return False

        able = sums.supports(self.model)
        if not able and self.force:
            raise UnsupportedError(
                "the engine for sums takes sums over independent groups of records, of which some records, the "
                "component, or nothing is known"
            )
        return able and (bool(self.force) or self._cheaper)

    @property
    def _at_once(self) -> bool:
        """Whether a table takes no time."""
        return self._fits and self.table_cost.milliseconds <= AT_ONCE

    @cached_property
    def _fits(self) -> bool:
        """Whether the table of each distribution is within the limit."""
        return all(theta.count() <= self.max_rows for theta in self.model.thetas)

    @property
    def _cheaper(self) -> bool:
        """Whether the sums are within the limits, and cost less than a table that is too."""
        if one_by_one(self.model) > SLOW or drawn(self.model) > self.max_rows or not self.cost.fits(self.max_rows):
            return False
        return not self._fits or self.cost.milliseconds < self.table_cost.milliseconds

    @cached_property
    def balls(self) -> bool:
        """Whether enclosures are taken: where they are asked for, or where the exact weights would be too long.

        Raises:
            UnsupportedError: where they are asked for, and the model is no count of independent records.

        """
        if self.force and self.force != "ball":
            return False
        if not self.force and (self.cost.milliseconds <= self.patience if self.sums else self._fits):
            return False

        able = balls.supports(self.model)
        if not able and self.force:
            raise UnsupportedError("enclosures are made of counts, above a threshold or not, of independent records")
        return able

    @property
    def milliseconds(self) -> int:
        """About how many milliseconds one question takes with the chosen engine; 0 for enclosures."""
        if self.balls:
            return 0

        if self.sums:
            return self.cost.milliseconds + written_milliseconds(self.model, self.cost.totals)
        return self.table_cost.milliseconds + written_milliseconds(self.model, 1)

    @property
    def method(self) -> str:
        """How the joint laws are computed, as answers name it: `table`, `sum` or `enclosure`."""
        return "enclosure" if self.balls else "sum" if self.sums else "table"

    def enclosed(self, theta: Theta) -> Balls:
        """The enclosures of one distribution."""
        return self.memo(("balls", theta.name), lambda: Balls(self.model, theta))

    def targets(self, theta: Theta) -> list[tuple[Secret, int]]:
        """The sensitive attributes, one of each class of interchangeable records, with the number of its members."""
        self.admit()
        if not self.sums:
            return [(secret, 1) for secret in self.model.secrets]
        return self._sums(theta).targets

    def factual(self, theta: Theta, secret: Secret) -> Joint:
        """The joint weights of (B, S, M(D)), where S is the value of `secret`."""
        if self.tick:
            self.tick()
        return self._joint(theta, secret, None, None)

    def counterfactual(
        self, theta: Theta, secret: Secret, b: int, cases: Iterable[KnowledgeCase] | None = None
    ) -> Joint:
        """The joint weights of (B, S, M(D with the secret's record set to b)), for S ≠ b; b is a position in T.

        `cases` are the knowledge values B̂ that are asked for; other ones may be left out.
        """
        some = None if self.sums or cases is None else frozenset(case.label for case in cases)
        return self._joint(theta, secret, b, some)

    def neighbours(self) -> Iterator[tuple[Neighbours, int]]:
        """All pairs of databases that differ in one record; pairs with equal laws are lumped.

        Each comes with the number of interchangeable records for which its record stands.
        """
        if self.sums:
            self.admit()
            enumerated.refuse_values(self.model, self.max_rows, records=1)
            enumerated.refuse_laws(self.model, self.max_rows)
            yield from self._base.neighbours()
        else:
            for pair in enumerated.neighbours(self.model, self.max_rows):
                yield pair.neighbours, 1

    def pairs_of_laws(self, *, one_order: bool = False) -> Iterator[tuple[int, list[LawPair]]] | None:
        """The pairs of `neighbours` of each record as laws, with `one_order` only those with a < b.

        None where there are none: sums have no table of laws, and `rows` names the plain way.
        """
        if self.sums or self.force == "rows":
            return None
        pairs = enumerated.neighbours(self.model, self.max_rows)
        listed = groupby(pairs, key=lambda pair: pair.record)
        return ((record, [pair for pair in of if not one_order or pair.a < pair.b]) for record, of in listed)

    def adjacent(self, *, one_order: bool = False) -> Iterable[Adjacent] | None:
        """The pairs of `neighbours` as columns, with `one_order` only those with a < b; None where columns do not pay.

        They pay where the mechanism is no sum over the records, and there are many databases.
        """
        model = self.model
        short = len(model.values) ** model.size < FEW_ROWS
        if self.sums or short or self.force == "rows" or model.mechanism.deterministic_statistic or not has_numpy():
            return None

        from verifier.engine.adjacent import adjacent  # it begins with numpy

        return adjacent(model, self.max_rows, one_order=one_order)

    @cached_property
    def _base(self) -> ModelSums:
        return ModelSums(self.model)

    @property
    def algebra(self) -> Algebra:
        """The monoid in which the mechanism adds, for the engine for sums."""
        return self._base.algebra

    def _sums(self, theta: Theta) -> ThetaSums:
        return self.memo(("sums", theta.name), lambda: ThetaSums(self._base, theta))

    def _joint(self, theta: Theta, secret: Secret, b: int | None, knowledge_values: frozenset[Label] | None) -> Joint:
        def make() -> Joint:
            self._admit_laws()
            if self.sums:
                return self._sums(theta).joint(secret, b)
            if self._columns(theta):
                from verifier.engine import columns

                halves = self.memo(("halves", theta.name), lambda: list(columns.halves(theta.shape, self.model.size)))
                return columns.joint(self.model, theta, secret, halves, b)
            return enumerated.joint(self.model, theta, secret, b, knowledge_values, self.max_rows)

        return self.memo(("joint", theta.name, secret.record, b, knowledge_values), make)

    def _columns(self, theta: Theta) -> bool:
        """Whether the table is long enough for columns, and can be one; without numpy it goes row by row."""
        if self.force == "rows" or (self.force in {"", "table"} and theta.count() < FEW_ROWS):
            return False
        able = False
        if has_numpy():
            from verifier.engine import columns  # it begins with numpy

            able = columns.supports(self.model)
        if self.force == "columns" and not able:
            raise UnsupportedError("the columns engine does not take this model")
        return able


__all__ = ["MAX_ROWS", "Engine", "Joint", "KnowledgeCase", "Neighbours", "Output"]
