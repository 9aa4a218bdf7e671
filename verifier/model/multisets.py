"""Databases of several sizes: multisets of tuples, mechanisms on them, and a sample of them (LQS12, section 2)."""

from __future__ import annotations

from collections.abc import Collection, Iterator, Sequence
from dataclasses import dataclass, replace
from fractions import Fraction
from itertools import combinations_with_replacement, islice
from math import comb, factorial, prod

from verifier.errors import InputError, LimitError
from verifier.model.mechanism import Database, Mechanism, Sample, among_kinds, counted, database_text
from verifier.tables import Law

MAX_MULTISETS = 1 << 17
"""Most databases of one model."""
MOST_ORDERS = 1_000
"""Most different orders of a database for a function to be tried on every one of them."""


@dataclass(frozen=True)
class Multisets(Collection[Database]):
    """All multisets of `first` to `last` of the values 0 to `values` - 1, as sorted tuples: by size, then in order.

    >>> list(Multisets(2, 0, 2))
    [(), (0,), (1,), (0, 0), (0, 1), (1, 1)]
    >>> len(Multisets(3, 2, 4))
    31
    """

    values: int
    first: int
    last: int

    def __len__(self) -> int:
        return number_of(self.values, self.first, self.last)

    def __iter__(self) -> Iterator[Database]:
        for size in range(self.first, self.last + 1):
            yield from combinations_with_replacement(range(self.values), size)

    def __contains__(self, database: object) -> bool:
        return (
            isinstance(database, tuple)
            and self.first <= len(database) <= self.last
            and all(isinstance(value, int) and 0 <= value < self.values for value in database)
            and tuple(sorted(database)) == database
        )

    def __str__(self) -> str:
        sizes = f"{self.first} to {self.last}" if self.first < self.last else str(self.first)
        return f"all {counted(len(self))} multisets of {sizes} tuples"


def number_of(values: int, first: int, last: int) -> int:
    """How many multisets of `first` to `last` tuples there are: C(last + |T|, |T|) - C(first - 1 + |T|, |T|).

    `values` is |T|, the number of values of a tuple.

    >>> number_of(2, 0, 4), number_of(2, 4, 4)
    (15, 5)
    """
    return comb(last + values, values) - (comb(first - 1 + values, values) if first else 0)


def check_number(values: int, first: int, last: int, where: str) -> None:
    """Refuse more databases than `MAX_MULTISETS`, before any is listed.

    Raises:
        LimitError: with the number of multisets.

    """
    number = number_of(values, first, last)
    if number > MAX_MULTISETS:
        raise LimitError(
            f"there are {counted(number)} multisets of {first:,} to {last:,} of {values:,} values",
            where=where,
            wanted=f"at most {MAX_MULTISETS:,}",
            tip="fewer tuples or values",
        )


def on_multisets(
    mechanism: Mechanism, sizes: tuple[int, int], where: str, any_size: Sequence[str], *, function: bool = False
) -> Mechanism:
    """The mechanism as one on multisets of `sizes[0]` to `sizes[1]` tuples.

    A kind must be defined on any number of records and treat them alike; a Python function (`function`) must give one
    answer on every order. It is tried on all orders of a database that has at most `MOST_ORDERS` of them, else on the
    reverse and the rotations alone, when the law of the database is asked for. `any_size` names the kinds that are so,
    for the refusal.

    Raises:
        InputError: for a mechanism that is not defined on any number of records, or depends on their order.

    """
    statistic, table = mechanism.statistic, mechanism.table
    if statistic is not None and not (statistic.any_size and statistic.uniform):
        tip = f"{among_kinds((*any_size, 'k-anonymization'))} are; a table always is"
        publishes_all = mechanism.title == "the whole database"
        raise InputError(
            f"{mechanism.title} does not go with databases of {sizes[0]} to {sizes[1]} tuples",
            where=where,
            wanted="a mechanism that is defined on any number of tuples, whatever their order",
            tip='kind = "apply" with k = 1 publishes the whole table' if publishes_all else tip,
        )

    def law(database: Database) -> Law:
        if statistic is not None:
            return statistic.law(database)
        if table is None:
            raise InputError("the mechanism has no law", where=where)
        first_law = table(database)
        if function:
            for reordered in _orders(database):
                if table(reordered) != first_law:
                    texts = [database_text(order, mechanism.values) for order in (database, reordered)]
                    raise InputError(
                        f"the function depends on the order of the tuples: it tells {texts[0]} from {texts[1]}",
                        where=where,
                        wanted="a function of the multiset: with `size = [from, to]` a database has no order",
                    )
        return first_law

    domain = mechanism.domain if mechanism.domain is not None else Multisets(len(mechanism.values), *sizes)
    return replace(
        mechanism,
        statistic=None,
        table=law,
        domain=domain,
        records=None,
        codomain=mechanism.codomain and mechanism.codomain.sampled,
        _cache={},
    )


def _orders(database: Database) -> Iterator[Database]:
    """The different orders of a sorted database, without its own; of one that has too many the reverse and rotations.

    >>> list(_orders((0, 1, 1)))
    [(1, 0, 1), (1, 1, 0)]
    """
    histogram = [database.count(value) for value in range(max(database, default=-1) + 1)]
    if arrangements_of(histogram) > MOST_ORDERS:
        yield database[::-1]
        yield from (database[i:] + database[:i] for i in range(1, len(database)))
    else:
        yield from islice(arranged(histogram), 1, None)


def arrangements_of(histogram: Sequence[int]) -> int:
    """The number of databases with a histogram: n!/Π h_v!.

    >>> arrangements_of((2, 1, 0))
    3
    """
    return factorial(sum(histogram)) // prod(map(factorial, histogram))


def arranged(histogram: Sequence[int]) -> Iterator[Database]:
    """The databases with a histogram, in lexicographic order.

    >>> list(arranged((2, 1)))
    [(0, 0, 1), (0, 1, 0), (1, 0, 0)]
    """
    row = [v for v, times in enumerate(histogram) for _ in range(times)]
    while True:
        yield tuple(row)
        rising = next((i for i in range(len(row) - 2, -1, -1) if row[i] < row[i + 1]), None)
        if rising is None:
            return
        larger = next(i for i in range(len(row) - 1, rising, -1) if row[i] > row[rising])
        row[rising], row[larger] = row[larger], row[rising]
        row[rising + 1 :] = reversed(row[rising + 1 :])


def sampled(mechanism: Mechanism, rate: Fraction, sizes: tuple[int, int]) -> Mechanism:
    """A^β: the mechanism on a sample of the multiset, each tuple kept with probability β (LQS12, Definition 3).

    Of m equal tuples j are kept with probability C(m, j)·β^j·(1 - β)^(m - j), so that sampling one value after the
    other needs no subsets: from the law with the first values sampled follows the law with one more.
    """
    keep, out_of = rate.numerator, rate.denominator
    partly: dict[tuple[Database, int], Law] = {}

    def law(database: Database, below: int) -> Law:
        """The law where the tuples whose value is less than `below` are sampled, the others kept."""
        value = max((v for v in database if v < below), default=None)
        if value is None:
            return mechanism.law(database)
        if (database, value) not in partly:
            times, start = database.count(value), database.index(value)
            before, after = database[:start], database[start + times :]
            laws = [
                (weight, law(before + (value,) * kept + after, value))
                for kept in range(times + 1)
                if (weight := comb(times, kept) * keep**kept * (out_of - keep) ** (times - kept))
            ]
            partly[database, value] = Law.mixed(laws)
        return partly[database, value]

    values = len(mechanism.values)
    return replace(
        mechanism,
        title=f"{mechanism.title} of a sample at rate {rate}",
        table=lambda database: law(database, values),
        domain=Multisets(values, *sizes),
        sample=Sample(rate, mechanism),
        _cache={},
    )
