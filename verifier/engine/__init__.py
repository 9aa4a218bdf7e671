"""Exact output laws of the comparisons asked for. The engine never knows a definition's name.

Three engines give one answer: `rows` is plain and takes every model; `columns` is fast and takes those whose mechanism
and knowledge are sums over the records; `sums` needs no table at all, for independent records (given a component) of
which some, the component, or nothing is known. The tests compare them with `==`. A fourth, `balls`, encloses δ where
the exact sums of a count would take too long.

What each way will cost is known before any work: its sizes, and about how long; no way is tried. A table costs by its
worlds, a sum by its totals and the length of their weights; `Engine` takes the cheaper one that can answer.
Milliseconds were measured on one machine: they choose a way and warn, and decide nothing else.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import astuple, dataclass, field, replace
from functools import cached_property, reduce
from itertools import groupby
from math import comb, prod
from typing import TYPE_CHECKING, Any, TypeVar

from verifier.engine import balls, enumerated, sums
from verifier.engine.balls import Balls
from verifier.engine.enumerated import MANY, MAX_ROWS, PAIR, Joint, KnowledgeCase, LawPair, Neighbours, Output
from verifier.engine.merged import merged_model
from verifier.engine.sums import ModelSums, ThetaSums
from verifier.errors import UnsupportedError
from verifier.machine.extras import has_numpy
from verifier.model import (
    Groups,
    Independent,
    Mixture,
    Model,
    Repeated,
    Secret,
    Shape,
    Theta,
    check_size,
    counted,
    groups_of,
)
from verifier.tables import Label

if TYPE_CHECKING:
    from verifier.engine.adjacent import Adjacent
    from verifier.engine.algebra import Algebra
    from verifier.engine.factored import Factored
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
            self._admit_neighbours()
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

    def factored(self, *, one_order: bool = False) -> list[Factored] | None:
        """The pairs of `neighbours` of random sums, as factors; None where there are none, or these do not pay."""
        if not self.sums:
            return None
        self._admit_neighbours()
        return self._base.factored(self.cost.totals, one_order=one_order)

    def _admit_neighbours(self) -> None:
        """Refuse too many pairs of laws of sums, before any work."""
        self.admit()
        enumerated.refuse_values(self.model, self.max_rows, records=1)
        enumerated.refuse_laws(self.model, self.max_rows)

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


WORDS = 64
"""Words of 64 bits that the laws of sums may have for each row of the limit."""
HUGE = 1 << 256
"""A number of totals beyond all limits, at which counting stops."""
SLOW = 20_000
"""Most records that are added one by one, in a monoid that is not addition."""
CHECKED, UNCHECKED = 200_000, 100
"""Visits that are checked again, and the nanoseconds of one that is not."""
VISIT, TOTAL, CLASS, ADDED = 10_000, 20_000, 40_000, 1_000
"""Nanoseconds for a world that is looked at, an output of a sum, a class of knowledge, and a record that is added to a
total where that is no polynomial."""
ENTRY = 2_500
"""Nanoseconds for a value of an output that is told, and for an output of a total."""
FEW_RECORDS = 64
"""Records that are asked for how many random elements they draw."""
CLASSES = 1
"""Classes of knowledge that there may be for each row of the limit."""


def drawn(model: Model) -> int:
    """The rows that count for what a record adds, value by value, where that is listed.

    A random element counts as `PAIR`. An element that is a list counts with its entries.
    Only a few records are asked, and one value of each.
    """
    statistic = model.mechanism.statistic
    if statistic is None or not model.values:
        return 0
    each = 0
    if statistic.denominator > 1:
        each = max((len(statistic.draw(i, 0)) for i in range(min(model.size, FEW_RECORDS))), default=0)
    return len(model.values) * max(each * PAIR, statistic.width)


@dataclass(frozen=True)
class TableCost:
    """The size of the work with a table: numbers of worlds of all distributions, protected attributes, and values."""

    worlds: int
    protected: int
    values: int

    def __str__(self) -> str:
        return f"{counted(self.worlds)} worlds, {counted(self.protected)} protected, {counted(self.values)} values"

    @property
    def visits(self) -> int:
        """How often a world is looked at for one question."""
        return self.worlds * self.protected * self.values

    @property
    def milliseconds(self) -> int:
        """About how long one question takes, with its re-check from the worlds, which large tables do not have."""
        small = min(self.visits, CHECKED)
        return (small * VISIT + (self.visits - small) * UNCHECKED) // 1_000_000

    def fits(self, max_rows: int) -> bool:
        """Whether the worlds are within the limit."""
        return self.worlds <= max_rows


def table_cost_of(model: Model) -> TableCost:
    """The size of the work for a model with a table; without a distribution its worlds are the databases of a draw.

    Neighbours of a sum that is not random are listed by partial sums, and any other mechanism has only its table.
    """
    statistic, worlds = model.mechanism.statistic, sum(theta.count() for theta in model.thetas)
    if not model.thetas and statistic is not None and statistic.additive and statistic.denominator > 1:
        worlds = len(model.values) ** model.size
    return TableCost(worlds, len(model.secrets), len(model.values))


@dataclass(frozen=True)
class Cost:
    """The size of the work with sums: totals of a law, bits of a weight, classes of knowledge, targets, components."""

    totals: int
    bits: int
    classes: int
    targets: int
    components: int
    one_by_one: int = 0
    """How many records are added one by one."""

    def __str__(self) -> str:
        weights = f"weights of about {counted(self.bits, 'bit')}"
        known = counted(self.classes, "class of knowledge", "classes of knowledge")
        targets = counted(self.targets, "different target")
        return f"a sum of {counted(self.totals, 'total')} with {weights}, {known}, {targets}"

    @property
    def words(self) -> int:
        """64-bit words of the laws that are kept, for all components."""
        return self.totals * (self.bits // 64 + 1) * self.components

    @property
    def milliseconds(self) -> int:
        """About how long one question takes; measured on one machine, to choose an engine and for progress bars."""
        levels = self.totals.bit_length()
        product = self.words * levels * levels * 3 // 2
        lookups = self.words * self.targets * 60
        sums = self.targets * (self.totals * TOTAL + self.classes * CLASS)
        added = self.targets * self.one_by_one * self.totals * ADDED
        return (product + lookups + sums + added) // 1_000_000

    def fits(self, max_rows: int) -> bool:
        """Whether the work is within the limits."""
        sizes = (
            (self.one_by_one, SLOW),
            (self.totals, max_rows),
            (self.words, WORDS * max_rows),
            (self.classes, CLASSES * max_rows),
        )
        return all(size <= limit for size, limit in sizes)

    def refuse(self, max_rows: int) -> None:
        """Refuse the work before it starts.

        Raises:
            LimitError: with the size, where it exceeds the limit.

        """
        check_size(self.one_by_one, SLOW, f"{self.one_by_one:,} records are added one by one", fixed="records")
        check_size(self.totals, max_rows, f"the sum has about {counted(self.totals)} different totals")
        check_size(self.words, WORDS * max_rows, f"the law of the sum has about {counted(self.words)} words of 64 bits")
        classes = counted(self.classes, "class", "classes")
        check_size(self.classes, CLASSES * max_rows, f"the knowledge has about {classes}")


def cost_of(model: Model) -> Cost:
    """The size of the work for a model with sums: in each number the largest over its knowledge functions."""
    known = [zeta.records for zeta in model.zetas] or [()]  # without a distribution nothing is known of any record
    return reduce(_larger, (_cost_of(model, records) for records in known))


def written_milliseconds(model: Model, totals: int) -> int:
    """About how long the outputs of one law take to write: of each total its own, or the values that are told."""
    statistic, told = model.mechanism.statistic, model.mechanism.records
    if statistic is None or model.size > MANY:
        return 0
    if told is not None:
        worlds = max((theta.count() for theta in model.thetas), default=0)
        return int(min(len(model.values) ** len(told), worlds)) * len(told) * ENTRY // 1_000_000
    if statistic.width == 1 or statistic.denominator > 1:
        return 0
    return totals * len(model.values) * len(model.mechanism.law((0,) * model.size).outcomes) * ENTRY // 1_000_000


def one_by_one(model: Model) -> int:
    """How many records are added one by one, in a monoid that is not addition; known without looking at any of them."""
    statistic = model.mechanism.statistic
    return model.size if statistic is not None and not statistic.additive else 0


def _larger(first: Cost, second: Cost) -> Cost:
    """The cost that is, in each size, the larger of two."""
    return Cost(*map(max, astuple(first), astuple(second)))


def _cost_of(model: Model, known: Sequence[int]) -> Cost:
    """The size of the work for one knowledge function."""
    statistic = model.mechanism.statistic
    components = max((sum(1 for _ in _parts(theta.shape)) for theta in model.thetas), default=1)
    if statistic is None:
        raise TypeError("this model needs a table")
    draws = model.mechanism.draws
    totals = _totals(model, draws)
    known_draws = Repeated(draws[0], len(known)) if isinstance(draws, Repeated) else [draws[i] for i in known]
    known_totals = _totals(model, known_draws) if known else 1
    bits = (
        max((_bits(theta.shape) for theta in model.thetas), default=0) + statistic.denominator.bit_length() * model.size
    )
    return Cost(
        totals,
        bits,
        known_totals if components == 1 else known_totals**2,
        _targets(model, known),
        components,
        one_by_one(model),
    )


def _targets(model: Model, known: Sequence[int]) -> int:
    """About how many sensitive records are different."""
    if model.size > MANY:
        return 2
    draws, known_records = model.mechanism.draws, frozenset(known)
    records = (secret.record for secret in model.secrets)
    return max(1, len({(id(draws[i]), i in known_records, *_laws(model, i)) for i in records if i is not None}))


def _totals(model: Model, draws: Sequence[tuple[object, ...]]) -> int:
    """An upper bound of the number of different sums of these records."""
    operations = model.mechanism.statistic.operations if model.mechanism.statistic else None
    multisets = 1
    for draws_by_value, times in groups_of(draws):
        different = len({element for draw in draws_by_value for element, _ in draw})  # type: ignore[attr-defined]
        multisets *= comb(times + different - 1, different - 1)
        if multisets > HUGE:
            break
    if operations is None or set(operations) <= {"+", "*"}:
        return min(multisets, _grid(model, draws)) if operations and set(operations) == {"+"} else multisets
    bounds: list[int] = [
        int(operation.split()[1])
        if operation.startswith("mod")
        else len(model.values)
        if operation in {"max", "min"}
        else multisets
        for operation in operations
    ]
    return min(multisets, prod(bounds))


def _grid(model: Model, draws: Sequence[tuple[object, ...]]) -> int:
    """The sums on one line, where the elements are integers."""
    span = 1
    for draws_by_value, times in groups_of(draws):
        elements = [element for draw in draws_by_value for element, _ in draw]  # type: ignore[attr-defined]
        if not all(isinstance(element, int) for element in elements):
            return int(len(model.values) ** len(draws))
        span += (max(elements) - min(elements)) * times
    return int(span)


def _parts(shape: Shape) -> Iterator[Shape]:
    if isinstance(shape, Mixture):
        for part in shape.components:
            yield from _parts(part)
    else:
        yield shape


def _bits(shape: Shape) -> int:
    """About the bits of a common denominator."""
    if isinstance(shape, Mixture):
        return shape.total.bit_length() + sum(_bits(part) for part in shape.components)
    if isinstance(shape, Independent):
        return sum(total.bit_length() * times for (_, total), times in groups_of(shape.laws))
    if isinstance(shape, Groups):
        return sum(_bits(part) * times for times, _, part in shape.blocks)
    return shape.denominator.bit_length()


def _laws(model: Model, record: int) -> Iterator[object]:
    """The record's law in each independent part; other parts tell nothing apart here."""
    for theta in model.thetas:
        for part in _parts(theta.shape):
            yield part.laws[record] if isinstance(part, Independent) else None


__all__ = ["MAX_ROWS", "Engine", "Joint", "KnowledgeCase", "Neighbours", "Output"]
