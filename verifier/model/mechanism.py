"""Mechanisms: channels from databases to labels. Background knowledge is one too.

Most mechanisms are a *statistic*, the sum of one element a record in a commutative monoid, followed by a
finish. That one form serves every engine: the sum is evaluated on a database, folded over columns, or its law
multiplied out as a polynomial.
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterable, Iterator, Sequence
from dataclasses import dataclass, field, replace
from fractions import Fraction
from functools import cached_property
from itertools import product as cartesian
from typing import TYPE_CHECKING, Any, TypeAlias

from verifier.errors import InputError, LimitError, UnsupportedError
from verifier.model.repeated import Repeated
from verifier.tables import NO_ANSWER, Label, Law, convolved, gathered, values_text

if TYPE_CHECKING:
    from verifier.model.ranges import Range

Database: TypeAlias = tuple[int, ...]
"""A database as positions in the list of values."""
Element: TypeAlias = Any
"""An element of the monoid of a statistic: a hashable value."""
Draw: TypeAlias = tuple[tuple[Element, int], ...]
"""What one record adds: different elements with integer weights; a single one where nothing is random."""
MAX_STATES = 1 << 22
MAX_OUTPUTS = 1 << 15
"""Most results of a statistic that are listed before a step."""
CHECKED_OUTPUTS = 1 << 13
"""Most outputs that are checked against what follows when a file is read."""
ADD_THE_ROW = f'add the row, or `otherwise = "{NO_ANSWER}"` for all databases without one'
MOST_EVER = 1 << 32
"""Most rows that a machine of today can list, at some hundred bytes a row."""
MAX_LAW = 1 << 18
"""Most random results on one database."""


def replaced(database: Database, record: int, v: int) -> Database:
    """The database with one record set to the value at position v.

    >>> replaced((0, 1, 2), 1, 7)
    (0, 7, 2)
    """
    return (*database[:record], v, *database[record + 1 :])


def database_text(database: Iterable[int], values: tuple[Label, ...]) -> str:
    """The text of a database, or of some of its records, as a list of values; they are positions in `values`."""
    return values_text(values[v] for v in database)


@dataclass(frozen=True)
class Threshold:
    """The output rule of a count k: k where k > `above`, else `otherwise`."""

    above: int
    otherwise: Label


def among_kinds(kinds: Sequence[str]) -> str:
    """Return some kinds as a list in words.

    >>> among_kinds(["count", "sum", "parity"])
    'count, sum and parity'
    """
    return f"{', '.join(kinds[:-1])} and {kinds[-1]}"


@dataclass(frozen=True)
class Statistic:
    """A statistic Σᵢ element(i, D(i)) in a commutative monoid; the element of a record may be random.

    `draw(i, v)` lists the elements that record i with value v may add, with integer weights that sum to
    `denominator`. `finish` turns the sum into an output law. `any_size` says that the statistic is defined
    when records are missing, which sampling needs. `operations` names the monoid, coordinate by coordinate (`+`, `max`,
    `min`, `*`, `mod m`), where it has a name. `uniform` says that all records add the same, and `threshold` how a
    count is put out. Where the last step adds two-sided geometric noise, `noise` is its p and `before_noise` the finish
    without it.
    """

    zero: Element
    add: Callable[[Element, Element], Element]
    draw: Callable[[int, int], Draw]
    finish: Callable[[Element], Law]
    denominator: int = 1
    any_size: bool = True
    operations: tuple[str, ...] | None = None
    uniform: bool = False
    threshold: Threshold | None = None
    noise: Fraction | None = None
    before_noise: Callable[[Element], Law] | None = None

    @property
    def width(self) -> int:
        """How many entries an element has, where it is a list of one length; else 1."""
        return max(1, len(self.zero)) if isinstance(self.zero, tuple) else 1

    @property
    def additive(self) -> bool:
        """Whether elements are numbers, or lists of numbers, that are added."""
        return self.operations is not None and set(self.operations) <= {"+"}

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
            states = convolved(states, self.draw(i, v), self.add)
            check_law(len(states), "the mechanism has too many random results on one database")
        images = [(weight, self.finish(state)) for state, weight in states.items()]
        return Law.mixed(images)

    def reachable(self, size: int, values: int, limit: int = MAX_OUTPUTS) -> list[Element]:
        """All sums over all databases of `size` records, in order of first appearance.

        Raises:
            LimitError: where there are more than `limit`, or finding them takes too long.

        """
        states: dict[Element, None] = {self.zero: None}
        work = 0
        for i in range(size):
            if len(states) * values * self.width > 64 * limit:
                raise LimitError(
                    f"the mechanism has {values:,} values with {self.width:,} entries each before its next step",
                    wanted=f"at most {64 * limit:,} entries together, for each of its results so far",
                    tip="use fewer values or a coarser mechanism",
                )
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
class Recoding:
    """The recoding of a k-anonymization: the mechanism A_m (`chooser`) chooses it; it is fixed where that is None."""

    k: int
    chooser: Mechanism | None = None


@dataclass(frozen=True)
class Sample:
    """A^β, for databases of several sizes: the rate β, and the mechanism A that is applied to the sample."""

    rate: Fraction
    of: Mechanism


@dataclass(frozen=True)
class Mechanism:
    """A channel from databases in T^size to labels.

    `statistic` is None for a mechanism given as a table or a Python function; then `table` gives the law of
    each database. A mechanism made of others may have both, which agree. `title` says in words what it computes.
    """

    title: str
    size: int
    values: tuple[Label, ...]
    statistic: Statistic | None = None
    table: Callable[[Database], Law] | None = None
    domain: Collection[Database] | None = None
    records: Sequence[int] | None = None
    """The records whose values are the output, for a mechanism that only tells these."""
    tails: frozenset[str] = frozenset()
    """The lumped tails of noise among the outputs, or among their parts."""
    publishes: str = ""
    """`table` where outputs that are lists are tables of tuples; `mapping and table` where a name precedes them."""
    recoding: Recoding | None = None
    sample: Sample | None = None
    components: tuple[Mechanism, ...] = ()
    """The mechanisms that are released together, independent given the database, where `kind = "all"` stands alone."""
    codomain: Range | None = None
    """A set that holds every output; None for a Python function, which may return any label."""
    _cache: dict[Database, Law] = field(default_factory=dict, compare=False, repr=False)

    def __repr__(self) -> str:
        return f"<Mechanism {self.title}>"

    def law(self, database: Database) -> Law:
        """The law of M(D), computed once for each database.

        Raises:
            UnsupportedError: where a table has no row for this database.

        """
        known = self._cache.get(database)
        if known is None:
            source = self.table or (self.statistic.law if self.statistic else None)
            if source is None:
                raise UnsupportedError(f"the mechanism {self.title} has no law")
            known = self._cache[database] = source(database)
        return known

    def takes(self, database: Database) -> bool:
        """Whether the mechanism is defined on a database; a Python function is asked only when it is needed."""
        return self.domain is None or database in self._taken

    @cached_property
    def _taken(self) -> Collection[Database]:
        return frozenset(self.domain) if isinstance(self.domain, tuple) else self.domain or ()

    @cached_property
    def draws(self) -> Sequence[tuple[Draw, ...]]:
        """What each record adds, value by value; records that add the same have one object."""
        if self.statistic is None:
            return ()
        if self.statistic.uniform:
            return Repeated(tuple(self.statistic.draw(0, v) for v in range(len(self.values))), self.size)
        known: dict[tuple[Draw, ...], tuple[Draw, ...]] = {}
        draw, values = self.statistic.draw, range(len(self.values))
        tables = (tuple(draw(i, v) for v in values) for i in range(self.size))
        return tuple(known.setdefault(table, table) for table in tables)

    @property
    def deterministic_statistic(self) -> Statistic | None:
        """The statistic, where no record's element is random."""
        return self.statistic if self.statistic and self.statistic.denominator == 1 else None

    def outputs(self, limit: int = MAX_OUTPUTS) -> list[Label]:
        """Every output on every database for which the mechanism is defined, by first appearance.

        Raises:
            LimitError: where more than `limit` sums, or 8·`limit` databases, would have to be looked at.

        """
        labels: dict[Label, None] = {}
        if self.statistic:
            for state in self.statistic.reachable(self.size, len(self.values), limit):
                labels.update(dict.fromkeys(self.statistic.finish(state).outcomes))
        else:
            if self.domain is not None and not isinstance(self.domain, tuple):
                check_size(len(self.domain), 8 * limit, f"the mechanism is defined on {len(self.domain):,} databases")
            for database in self.domain or self.all_databases(8 * limit):
                labels.update(dict.fromkeys(self.law(database).outcomes))
        return list(labels)

    @cached_property
    def listed_outputs(self) -> list[Label] | None:
        """Every output, where they can be listed when a file is read; else None."""
        if self.statistic is None and self.domain is None:
            few = len(self.values) ** self.size <= CHECKED_OUTPUTS
            if self.codomain is None or not few:
                return None
        try:
            return self.outputs(CHECKED_OUTPUTS)
        except LimitError:
            return None

    def all_databases(self, limit: int = MAX_STATES) -> Iterator[Database]:
        """All databases of Tⁿ in lexicographic order.

        Raises:
            LimitError: where there are more than `limit`, before any is listed.

        """
        check_size(len(self.values) ** self.size, limit, f"T^n has {len(self.values)}^{self.size} databases")
        return iter(cartesian(range(len(self.values)), repeat=self.size))

    def then(
        self,
        channel: Callable[[Label], Law],
        title: str,
        noise: Fraction | None = None,
        codomain: Range | None = None,
    ) -> Mechanism:
        """The mechanism followed by a channel on its outputs; `noise` is p where it adds geometric noise."""
        title = f"{self.title}, then {title}"
        remembered: dict[Label, Law] = {}

        def apply(outcome: Label) -> Law:
            if outcome not in remembered:
                remembered[outcome] = channel(outcome)
            return remembered[outcome]

        def table(database: Database) -> Law:
            return self.law(database).then(apply)

        if self.statistic:
            old = self.statistic
            statistic = replace(
                old,
                finish=lambda state: old.finish(state).then(apply),
                threshold=None,
                noise=noise,
                before_noise=old.finish if noise is not None else None,
            )
            by_table = table if self.table else None
            return Mechanism(title, self.size, self.values, statistic, by_table, codomain=codomain)
        return Mechanism(title, self.size, self.values, table=table, domain=self.domain, codomain=codomain)

    def sampled(self, rate: Fraction, where: str, any_size: Sequence[str]) -> Mechanism:
        """The mechanism on a sample: each record is kept with probability `rate`, independently.

        `any_size` names the kinds that can be sampled, for the refusal.

        Raises:
            InputError: for a mechanism that is not defined on any number of records.

        """
        old = self.statistic
        if old is None or not old.any_size:
            raise InputError(
                f"`sample` does not go with {self.title}",
                where=where,
                wanted="a kind that is defined on any number of records",
                tip=f"{among_kinds(any_size)} can be sampled",
            )
        keep, out_of = rate.numerator, rate.denominator

        def draw(i: int, v: int) -> Draw:
            kept = ((element, weight * keep) for element, weight in old.draw(i, v))
            law = gathered([(old.zero, (out_of - keep) * old.denominator), *kept])
            return tuple((element, weight) for element, weight in law.items() if weight)

        statistic = replace(old, draw=draw, denominator=old.denominator * out_of)
        title = f"{self.title} of a sample at rate {rate}"
        codomain = self.codomain and self.codomain.sampled
        return Mechanism(title, self.size, self.values, statistic, tails=self.tails, codomain=codomain)


def counted(number: int) -> str:
    """The text of a count in a message: all its digits, or its size where it has 16 digits or more.

    >>> counted(1234567), counted(2**1000)
    ('1,234,567', 'about 10^301')
    """
    return f"{number:,}" if number < 10**15 else f"about 10^{number.bit_length() * 30103 // 100000}"


def check_size(rows: int, limit: int, fact: str, *, enough: bool = False, fixed: str = "") -> None:
    """Refuse work on more rows than a limit, before it starts; `fact` begins the message.

    With `enough`, the count is all that is compared with the option, whose value that suffices is named. A limit that
    is `fixed` is no option: it names the unit.

    Raises:
        LimitError: where `rows` is above `limit`.

    """
    if rows > limit:
        never = "no machine lists so many: use fewer records or values, or a kind that adds up, such as count or sum"
        raised = f"raise max_rows= to at least {rows}" if enough and rows <= MOST_EVER else "raise max_rows="
        more = f"use fewer records or values, or {raised} if you have the memory and the time"
        if fixed:
            raise LimitError(f"{fact}, more than the limit of {limit:,} {fixed}", tip="use fewer records or values")
        raise LimitError(f"{fact}, more than the limit of {limit:,} rows", tip=never if rows > MOST_EVER else more)


def check_law(outcomes: int, fact: str) -> None:
    """Refuse a law of more than `MAX_LAW` outcomes, before it is made; `fact` begins the message.

    Raises:
        LimitError: with the number of outcomes.

    """
    if outcomes > MAX_LAW:
        tip = "use fewer records, values or parts"
        raise LimitError(f"{fact}, {outcomes:,}", wanted=f"at most {MAX_LAW:,}", tip=tip)
