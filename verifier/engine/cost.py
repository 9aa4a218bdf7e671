"""What each way to an answer will cost, known before any work: its sizes, and about how long; no way is tried.

A table costs by its worlds, a sum by its totals and the length of their weights; `Engine` takes the cheaper one that
can answer. Milliseconds were measured on one machine: they choose a way and warn, and decide nothing else.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import astuple, dataclass
from functools import reduce
from math import comb, prod

from verifier.model import Groups, Independent, Mixture, Model, Repeated, Shape, check_size, counted, groups_of

WORDS = 64
"""Words of 64 bits that the laws of sums may have for each row of the limit."""
HUGE = 1 << 256
"""A number of totals beyond all limits, at which counting stops."""
SLOW = 20_000
"""Most records that are added one by one, in a monoid that is not addition."""
MANY = 100_000
"""Above this many records, the targets are not counted but guessed: the estimate is of no law anyway."""
CHECKED, UNCHECKED = 200_000, 100
"""Visits that are checked again, and the nanoseconds of one that is not."""
VISIT, TOTAL, CLASS, ADDED = 10_000, 20_000, 40_000, 1_000
"""Nanoseconds for a world that is looked at, an output of a sum, a class of knowledge, and a record that is added to a
total where that is no polynomial."""
ENTRY = 2_500
"""Nanoseconds for a value of an output that is told, and for an output of a total."""
PAIR = 16
"""Rows of the limit that a pair of laws counts as; so many of its probabilities count as another row."""
FEW = 1 << 12
"""Rows that are always compared, however low the limit is."""
FEW_RECORDS = 64
"""Records that are asked for how many random elements they draw."""
CLASSES = 1
"""Classes of knowledge that there may be for each row of the limit."""


def refuse_pairs(pairs: int, probabilities: int, max_rows: int, fact: str) -> None:
    """Refuse to compare too many pairs of laws, which have so many probabilities together, before any pair is made.

    A pair counts as `PAIR` rows, and `PAIR` of its probabilities as another one. `fact` begins the message.

    Raises:
        LimitError: with the number of rows.

    """
    rows = pairs * PAIR + probabilities // PAIR
    check_size(rows, max(max_rows, FEW), f"{fact}, which count as {counted(rows)} rows", enough=True)


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
    """The size of the work for a model with a table."""
    return TableCost(sum(theta.count() for theta in model.thetas), len(model.secrets), len(model.values))


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
        one_sum = f"a sum of {counted(self.totals)} totals with weights of about {counted(self.bits)} bits"
        return f"{one_sum}, {counted(self.classes)} classes of knowledge, {counted(self.targets)} different targets"

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
        check_size(self.classes, CLASSES * max_rows, f"the knowledge has about {counted(self.classes)} classes")


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
