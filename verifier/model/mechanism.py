"""Mechanisms: channels from databases to labels. Background knowledge is one too.

Most mechanisms are a *statistic*, the sum of one element a record in a commutative monoid, followed by a
finish. That one form serves every engine: it is evaluated on a database, folded over columns, and (later)
multiplied out as a polynomial.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from fractions import Fraction
from itertools import chain, repeat
from itertools import product as cartesian
from math import prod
from typing import Any, TypeAlias

from verifier.errors import InputError, LimitError, PkdpError, UnsupportedError
from verifier.numbers import cut
from verifier.tables import NO_ANSWER, Label, Law
from verifier.tables import product as product_law

Database: TypeAlias = tuple[int, ...]
"""A database as positions in the list of values."""
Element: TypeAlias = Any
"""A hashable value; each statistic has its own."""
Draw: TypeAlias = tuple[tuple[Element, int], ...]
"""What one record adds: elements with integer weights; a single one where nothing is random."""
MAX_STATES = 1 << 22
MAX_OUTPUTS = 1 << 15
"""Most results of a statistic that are listed before a step."""
OTHERWISE = f'add the row, or `otherwise = "{NO_ANSWER}"` for all databases without one'
MAX_LAW = 1 << 18
"""Most random results on one database."""


def replaced(database: Database, record: int, v: int) -> Database:
    """The database with one record set to the value at position v.

    >>> replaced((0, 1, 2), 1, 7)
    (0, 7, 2)
    """
    return (*database[:record], v, *database[record + 1 :])


def database_text(database: Iterable[int], values: tuple[Label, ...]) -> str:
    """A database, or some of its records, as a list of values."""
    return "[" + ", ".join(values[v].text for v in database) + "]"


@dataclass(frozen=True)
class Statistic:
    """Σᵢ element(i, D(i)) in a commutative monoid, each record's element possibly random.

    `draw(i, v)` lists the elements that record i with value v may add, with integer weights that sum to
    `denominator`. `finish` turns the sum into an output law. `any_size` says that the statistic is defined
    when records are missing, which sampling needs.
    """

    zero: Element
    add: Callable[[Element, Element], Element]
    draw: Callable[[int, int], Draw]
    finish: Callable[[Element], Law]
    denominator: int = 1
    any_size: bool = True

    def state(self, database: Database) -> Element:
        """The sum on a database, for a statistic that is not random."""
        total = self.zero
        for i, v in enumerate(database):
            total = self.add(total, self.draw(i, v)[0][0])
        return total

    def law(self, database: Database) -> Law:
        """The output law on a database, exactly."""
        if self.denominator == 1:
            return self.finish(self.state(database))
        states: dict[Element, int] = {self.zero: 1}
        for i, v in enumerate(database):
            after: dict[Element, int] = {}
            for state, weight in states.items():
                for element, part in self.draw(i, v):
                    key = self.add(state, element)
                    after[key] = after.get(key, 0) + weight * part
            states = after
            _check_law(len(states), "the mechanism has too many random results on one database")
        images = [(weight, self.finish(state)) for state, weight in states.items()]
        return Law.mixed(images)

    def reachable(self, size: int, values: int, limit: int = MAX_OUTPUTS) -> list[Element]:
        """All sums over all databases, in order of first appearance.

        Raises:
            LimitError: where there are more than `limit`, or finding them takes too long.

        """
        states: dict[Element, None] = {self.zero: None}
        work = 0
        for i in range(size):
            steps = [element for v in range(values) for element, _ in self.draw(i, v)]
            work += len(states) * len(steps)
            if work <= 64 * limit:
                states = {self.add(state, step): None for state in states for step in steps}
            if len(states) > limit or work > 64 * limit:
                raise LimitError(
                    f"the mechanism has more than {limit:,} different results before its next step",
                    tip="use fewer records or a coarser mechanism",
                )
        return list(states)


@dataclass(frozen=True)
class Mechanism:
    """A channel from databases in T^size to labels.

    `statistic` is None for a mechanism given as a table or a Python function; then `table` gives the law of
    each database. `title` says in words what it computes.
    """

    title: str
    size: int
    values: tuple[Label, ...]
    statistic: Statistic | None = None
    table: Callable[[Database], Law] | None = None
    domain: tuple[Database, ...] | None = None
    records: tuple[int, ...] | None = None
    """The records whose values are the output, for a mechanism that only tells these."""
    tails: frozenset[str] = frozenset()
    """The lumped tails of noise among the outputs, or among their parts."""
    _cache: dict[Database, Law] = field(default_factory=dict, compare=False, repr=False)

    def __repr__(self) -> str:
        return f"<Mechanism {self.title}>"

    def law(self, database: Database) -> Law:
        """The law of M(D), remembered.

        Raises:
            UnsupportedError: where a table has no row for this database.

        """
        known = self._cache.get(database)
        if known is None:
            source = self.statistic.law if self.statistic else self.table
            if source is None:
                raise UnsupportedError(f"the mechanism {self.title} has no law")
            known = self._cache[database] = source(database)
        return known

    @property
    def deterministic_statistic(self) -> Statistic | None:
        """The statistic, where no record's element is random."""
        return self.statistic if self.statistic and self.statistic.denominator == 1 else None

    def outputs(self, limit: int = MAX_OUTPUTS) -> list[Label]:
        """Every output on every database for which the mechanism is defined, by first appearance."""
        seen: dict[Label, None] = {}
        if self.statistic:
            for state in self.statistic.reachable(self.size, len(self.values), limit):
                seen.update(dict.fromkeys(self.statistic.finish(state).outcomes))
        else:
            for database in self.domain or self.all_databases(8 * limit):
                seen.update(dict.fromkeys(self.law(database).outcomes))
        return list(seen)

    def all_databases(self, limit: int = MAX_STATES) -> Iterator[Database]:
        """All of Tⁿ in lexicographic order; refused before it starts where it is too large."""
        check_size(len(self.values) ** self.size, limit, f"T^n has {len(self.values)}^{self.size} databases")
        return iter(cartesian(range(len(self.values)), repeat=self.size))

    def then(self, channel: Callable[[Label], Law], title: str) -> Mechanism:
        """The mechanism followed by a channel on its outputs."""
        remembered: dict[Label, Law] = {}

        def apply(outcome: Label) -> Law:
            if outcome not in remembered:
                remembered[outcome] = channel(outcome)
            return remembered[outcome]

        if self.statistic:
            old = self.statistic
            statistic = Statistic(
                old.zero,
                old.add,
                old.draw,
                lambda state: old.finish(state).then(apply),
                old.denominator,
                old.any_size,
            )
            return Mechanism(f"{self.title}, then {title}", self.size, self.values, statistic)
        return Mechanism(
            f"{self.title}, then {title}",
            self.size,
            self.values,
            table=lambda database: self.law(database).then(apply),
            domain=self.domain,
        )

    def sampled(self, rate: Fraction, where: str = "") -> Mechanism:
        """The mechanism on a sample: each record is kept with probability `rate`, independently."""
        old = self.statistic
        if old is None or not old.any_size:
            raise InputError(
                f"given `sample` with {self.title}",
                where=where,
                wanted="a kind that is defined on any number of records",
                tip="count, threshold-count, sum, parity, histogram and k-anonymous-histogram can be sampled",
            )
        keep, out_of = rate.numerator, rate.denominator

        def draw(i: int, v: int) -> Draw:
            kept = [(element, weight * keep) for element, weight in old.draw(i, v)]
            dropped = (out_of - keep) * old.denominator
            return tuple((e, w) for e, w in [*kept, (old.zero, dropped)] if w)

        statistic = Statistic(old.zero, old.add, draw, old.finish, old.denominator * out_of, old.any_size)
        return Mechanism(f"{self.title} of a sample at rate {rate}", self.size, self.values, statistic)


def counted(number: int) -> str:
    """A count for a message.

    >>> counted(1234567), counted(2**1000)
    ('1,234,567', 'about 10^301')
    """
    return f"{number:,}" if number < 10**15 else f"about 10^{number.bit_length() * 30103 // 100000}"


def check_size(rows: int, limit: int, what: str) -> None:
    """Refuse work before it starts."""
    if rows > limit:
        raise LimitError(
            f"{what}, more than the limit of {limit:,} rows",
            tip="use fewer records or values, or raise --max-rows if you have the memory and the time",
        )


def _check_law(outcomes: int, what: str) -> None:
    if outcomes > MAX_LAW:
        tip = "use fewer records, values or parts"
        raise LimitError(f"{what}, {outcomes:,}", wanted=f"at most {MAX_LAW:,}", tip=tip)


def jointly(parts: Sequence[Mechanism], combine: Callable[[tuple[Label, ...]], Label]) -> Mechanism:
    """Several mechanisms released together, independent given the database (`kind = "all"`)."""
    title = "all of (" + "; ".join(part.title for part in parts) + ")"
    first, tails = parts[0], frozenset[str]().union(*(part.tails for part in parts))
    statistics = [part.statistic for part in parts if part.statistic]
    if len(statistics) < len(parts):

        def table(database: Database) -> Law:
            return _together([part.law(database) for part in parts], combine)

        domains = [set(part.domain) for part in parts if part.domain is not None]
        domain = tuple(sorted(set.intersection(*domains))) if domains else None
        return Mechanism(title, first.size, first.values, table=table, domain=domain, tails=tails)

    def add(left: Element, right: Element) -> Element:
        pairs = zip(statistics, left, right, strict=True)
        return tuple(s.add(x, y) for s, x, y in pairs)

    def draw(i: int, v: int) -> Draw:
        choices = [s.draw(i, v) for s in statistics]
        _check_law(prod(len(one) for one in choices), "the parts have too many random results for one record")
        return tuple((tuple(e for e, _ in choice), prod(w for _, w in choice)) for choice in cartesian(*choices))

    def finish(state: Element) -> Law:
        return _together([s.finish(x) for s, x in zip(statistics, state, strict=True)], combine)

    statistic = Statistic(
        tuple(s.zero for s in statistics),
        add,
        draw,
        finish,
        prod(s.denominator for s in statistics),
        all(s.any_size for s in statistics),
    )
    return Mechanism(title, first.size, first.values, statistic, tails=tails)


def _together(laws: Sequence[Law], combine: Callable[[tuple[Label, ...]], Label]) -> Law:
    """The law of independent outputs, refused where it is too long."""
    _check_law(prod(len(law.outcomes) for law in laws), "the parts have too many outputs together")
    return product_law(laws, combine)


def from_rows(
    title: str,
    size: int,
    values: tuple[Label, ...],
    rows: Mapping[Database, Law],
    otherwise: Law | None,
) -> Mechanism:
    """A mechanism given as a table of databases."""

    def table(database: Database) -> Law:
        found = rows.get(database, otherwise)
        if found is None:
            shown = database_text(database, values)
            raise UnsupportedError(f"the {title} has no row for the database {shown}", tip=OTHERWISE)
        return found

    return Mechanism(title, size, values, table=table, domain=None if otherwise else tuple(rows))


def _shown(law: Law) -> str:
    """A law in a message."""
    if len(law.outcomes) == 1:
        return cut(law.outcomes[0].text)
    return cut("{" + ", ".join(f"{o}: {Fraction(w, law.denominator)}" for o, w in law.items()) + "}")


def from_function(
    function: Callable[..., object],
    size: int,
    values: tuple[Label, ...],
    read: Callable[[object, str], Law],
    where: str,
) -> Mechanism:
    """A mechanism given as a Python function from a database (a tuple of values as they were given).

    It is called twice on each database that is reached (eight times on each of the first eight), so that one that draws
    its answer is refused. `read` is given an answer and the text of the database.
    """
    given = tuple(v.shown for v in values)
    name = getattr(getattr(function, "func", function), "__name__", type(function).__name__)
    title = "Python function" if name == "<lambda>" else f"Python function {name}"
    again = chain([7] * 8, repeat(1))

    def call(database: Database, shown: str) -> Law:
        try:
            answer = function(tuple(given[v] for v in database))
        except PkdpError:
            raise
        except Exception as error:
            raise InputError(
                f"the function raised {type(error).__name__} on the database {shown}: {error}",
                where=where,
                wanted="an answer on every database that is reached",
            ) from error
        if answer is None:
            raise InputError(
                f"the function returned None on the database {shown}",
                where=where,
                wanted="a label, or a table from labels to probabilities",
                tip=f'"{NO_ANSWER}" means no answer',
            )
        return read(answer, shown)

    def table(database: Database) -> Law:
        shown = database_text(database, values)
        first = call(database, shown)
        for _ in range(next(again)):
            second = call(database, shown)
            if first != second:
                raise InputError(
                    f"the function, called again on the database {shown}, gave {_shown(first)}, then {_shown(second)}",
                    where=where,
                    wanted="a function of the database alone",
                    tip='a random mechanism returns its exact law, such as {0: "1/4", 1: "3/4"}',
                )
        return first

    return Mechanism(title, size, values, table=table)
