"""Mechanisms: channels from databases to labels, and the set of outputs that one can have. Knowledge is a channel too.

Most mechanisms are a *statistic*, the sum of one element a record in a commutative monoid, followed by a
finish. That one form serves every engine: the sum is evaluated on a database, folded over columns, or its law
multiplied out as a polynomial.

Where the outputs can be listed their range is exact: all outputs on all of T^n, and on all sizes. Where they are too
many, each kind states a set that holds them all. What comes only with probability 0 counts as an output.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Collection, Iterable, Iterator, Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass, field, replace
from fractions import Fraction
from functools import cached_property, reduce
from itertools import product as cartesian
from math import gcd, lcm
from typing import Any, Generic, NamedTuple, TypeAlias, TypeVar, overload

from verifier.errors import InputError, LimitError, PkdpError, UnsupportedError
from verifier.model.keys import Location, meant
from verifier.numbers import cut, rational
from verifier.tables import NO_ANSWER, Label, Law, convolved, gathered, label, values_text
from verifier.tables.law import HALF_LINE, INTEGER, splits

Item = TypeVar("Item")


@dataclass(frozen=True)
class Repeated(Sequence[Item], Generic[Item]):
    """The sequence of one item, repeated `times` times: ten million identical records need one law.

    >>> votes = Repeated("yes", 10**7)
    >>> len(votes), votes[-1], list(votes[:2])
    (10000000, 'yes', ['yes', 'yes'])
    """

    item: Item
    times: int

    def __len__(self) -> int:
        return self.times

    def __iter__(self) -> Iterator[Item]:
        return (self.item for _ in range(self.times))

    @overload
    def __getitem__(self, at: int) -> Item: ...

    @overload
    def __getitem__(self, at: slice) -> Repeated[Item]: ...

    def __getitem__(self, at: int | slice) -> Item | Repeated[Item]:
        if isinstance(at, slice):
            return Repeated(self.item, len(range(self.times)[at]))
        range(self.times)[at]  # an index outside is an IndexError
        return self.item


def groups_of(items: Sequence[Item]) -> Iterator[tuple[Item, int]]:
    """The different items of a sequence, each with the number of its places; items are told apart by identity.

    >>> list(groups_of(Repeated("a", 3)))
    [('a', 3)]
    """
    if isinstance(items, Repeated):
        yield items.item, items.times
        return
    groups: dict[int, list[Item]] = {}
    for item in items:
        groups.setdefault(id(item), []).append(item)
    for alike in groups.values():
        yield alike[0], len(alike)


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


class World(NamedTuple):
    """One world of a distribution: the database, its integer weight, and the columns of its row.

    `knowledge` and `sensitive` are None unless they are columns of the table; `component` is None unless
    the row comes from a mixture.
    """

    database: Database
    weight: int
    knowledge: Label | None = None
    sensitive: Label | None = None
    component: Label | None = None


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
        if self.uniform and self.additive and size > 1:
            steps = list(dict.fromkeys(element for v in range(values) for element, _ in self.draw(0, v)))
            if len(steps) == 2 and all(isinstance(step, int) for step in steps):
                return self._multiples(size, steps[0], steps[1], limit)
        states: dict[Element, None] = {self.zero: None}
        work = 0
        for i in range(size):
            if len(states) * values * self.width > 64 * limit:
                raise LimitError(
                    f"the mechanism has {values:,} values with {self.width:,} entries each before its next step",
                    wanted=f"at most {64 * limit:,} entries together, for each of its results so far",
                    tip="use fewer values or a coarser mechanism",
                )
            steps = list(dict.fromkeys(element for v in range(values) for element, _ in self.draw(i, v)))
            work += len(states) * len(steps)
            if work <= 64 * limit:
                states = {self.add(state, step): None for state in states for step in steps}
            if len(states) > limit or work > 64 * limit:
                raise _too_many_results(limit)
        return list(states)

    def _multiples(self, size: int, first: int, second: int, limit: int) -> list[int]:
        """What `reachable` gives where each record adds one of two integers, without the sums of fewer records."""
        if size + 1 > limit or size * (size + 1) > 64 * limit:
            raise _too_many_results(limit)
        return [self.zero + size * first + k * (second - first) for k in range(size + 1)]


def _too_many_results(limit: int) -> LimitError:
    return LimitError(
        f"the mechanism has more than {limit:,} different results before its next step",
        tip="use fewer records or a coarser mechanism",
    )


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


def counted(number: int, one: str = "", several: str = "") -> str:
    """The text of a count in a message, perhaps with its noun: all digits, or the size of 16 digits and more.

    >>> counted(1234567), counted(2**1000), counted(1, "row"), counted(2, "class", "classes")
    ('1,234,567', 'about 10^301', '1 row', '2 classes')
    """
    digits = f"{number:,}" if number < 10**15 else f"about 10^{number.bit_length() * 30103 // 100000}"
    return f"{digits} {one if number == 1 else several or f'{one}s'}" if one else digits


def check_size(rows: int, limit: int, fact: str, *, enough: bool = False, fixed: str = "") -> None:
    """Refuse work on more rows than a limit, before it starts; `fact` begins the message.

    With `enough`, the count is all that is compared with the option, whose value that suffices is named. A limit that
    is `fixed` is no option: it names the unit.

    Raises:
        LimitError: where `rows` is above `limit`.

    """
    if rows > limit:
        adding = "a kind that adds up, such as count, sum or shuffle"
        never = f"no machine lists so many: use fewer records or values, or {adding}"
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


MOST_NAMED = 12
"""Most outputs that a message names."""
_PLAIN_NUMBER = re.compile(r"[+-]?[0-9][0-9.]{0,4000}(/[0-9]{1,4000})?")


@dataclass(frozen=True)
class Range:
    """A set that holds every output of a mechanism; `words` describes it, `listed` has its labels where it is a list.

    `of_sample` is the range on all samples of the databases, where that is another.
    """

    words: str
    holds: Callable[[Label], bool]
    listed: tuple[Label, ...] = ()
    of_sample: Range | None = None

    @property
    def sampled(self) -> Range:
        """The range on all samples of the databases."""
        return self.of_sample or self


ANYTHING = Range("any label", lambda _: True)


def among(labels: Iterable[Label]) -> Range:
    """The range of some labels, and no others.

    >>> among([label(0), label("yes")]).words
    '0, yes'
    """
    listed = tuple(dict.fromkeys(labels))
    more = f", … ({len(listed):,} outputs)" if len(listed) > MOST_NAMED else ""
    return Range(
        ", ".join(cut(output.text) for output in listed[:MOST_NAMED]) + more, frozenset(listed).__contains__, listed
    )


def numbers(low: Fraction, high: Fraction, step: Fraction) -> Range:
    """The numbers low, low + step, … that are at most high.

    >>> even = numbers(Fraction(0), Fraction(10), Fraction(2))
    >>> [even.holds(label(output)) for output in (4, "4", 5, 12, "04", "x")]
    [True, True, False, False, False, False]
    """

    def holds(output: Label) -> bool:
        try:
            number = rational(output.text)
        except PkdpError:
            return False
        spelled = label(number) == output and low <= number <= high
        return spelled and (number == low if not step else (number - low) % step == 0)

    apart = f", {cut(str(step))} apart" if step not in (0, 1) else ""
    return Range(f"{cut(str(low))} to {cut(str(high))}{apart}", holds)


def sums(terms: Iterable[tuple[int, Sequence[Fraction]]]) -> Range:
    """The sums that take one number of each term; a term is (how many times it is added, its numbers).

    >>> sums([(3, [Fraction(1), Fraction(3)])]).words, sums([(3, [Fraction(1), Fraction(3)])]).sampled.words
    ('3 to 9, 2 apart', '0 to 9')
    """
    every = [(times, frozenset(values)) for times, values in terms]

    def of(chosen: list[tuple[int, frozenset[Fraction]]]) -> Range:
        low = sum((times * min(values) for times, values in chosen), Fraction(0))
        high = sum((times * max(values) for times, values in chosen), Fraction(0))
        apart = {value - min(values) for _, values in chosen for value in values}
        shared = lcm(*(difference.denominator for difference in apart))
        return numbers(low, high, Fraction(reduce(gcd, (int(difference * shared) for difference in apart), 0), shared))

    full = of(every)
    return Range(full.words, full.holds, (), of([(times, values | {Fraction(0)}) for times, values in every]))


def lists(entries: Sequence[Range]) -> Range:
    """The lists whose k-th entry lies in the k-th of these ranges."""

    def holds(output: Label) -> bool:
        items = output.entries
        return (
            items is not None
            and len(items) == len(entries)
            and all(entry.holds(part) for entry, part in zip(entries, items, strict=True))
        )

    return Range("lists of " + "; ".join(entry.words for entry in entries), holds)


def alike(entry: Range, length: int) -> Range:
    """The lists of one length whose entries all lie in one range."""

    def holds(output: Label) -> bool:
        items = output.entries
        return items is not None and len(items) == length and all(map(entry.holds, items))

    return Range(f"lists of {length:,}, each of {entry.words}", holds)


def lists_of_counts(length: int, total: int, smallest: int, *, every: bool) -> Range:
    """The lists of the counts of `length` values among `total` records; counts below `smallest` are ⊥.

    `every` says that each record has one of the values.
    """

    def holds_of(exact: bool) -> Callable[[Label], bool]:  # noqa: FBT001
        def holds(output: Label) -> bool:
            texts = [part.text for part in output.entries or ()]
            counts = [int(text) for text in texts if INTEGER.fullmatch(text)]
            hidden = texts.count(NO_ANSWER) if smallest else 0
            if output.entries is None or len(texts) != length or len(counts) + hidden != length:
                return False
            most = sum(counts) + hidden * (smallest - 1)
            return min(counts, default=smallest) >= smallest and sum(counts) <= total and (not exact or most >= total)

        return holds

    words = f"lists of {length:,} counts of {total:,} records" + f", those below {smallest} as ⊥" * bool(smallest)
    return Range(words, holds_of(every), (), Range(words, holds_of(False)))


def union(ranges: Sequence[Range]) -> Range:
    """The union of several ranges."""
    if all(listing.listed for listing in ranges):
        return among(output for listing in ranges for output in listing.listed)
    return Range(
        "; or ".join(member.words for member in ranges), lambda output: any(member.holds(output) for member in ranges)
    )


NOISY = Range(
    f"integers; {NO_ANSWER}",
    lambda output: output.text == NO_ANSWER or bool(INTEGER.fullmatch(output.text) or HALF_LINE.fullmatch(output.text)),
)
"""After geometric noise every integer can come; a half-line is looked at where the tails are known."""


def range_of(mechanism: Mechanism) -> Range:
    """The range of a mechanism: exactly its outputs, where they can be listed."""
    listed = mechanism.listed_outputs
    if listed is None:
        return mechanism.codomain or ANYTHING
    exact, tails = among(listed), mechanism.tails
    if not tails:
        return exact

    def holds(named: Label) -> bool:
        """Whether an output is in the range, or a part of a lumped tail, for which the step has its own message."""
        return exact.holds(named) or any(splits(output, named, tails) for output in listed)

    return Range(exact.words, holds, exact.listed)


def refuse_outputs(
    tables: Iterable[tuple[str, Sequence[Label]]],
    mechanism: Mechanism,
    positive: Callable[[], Mechanism] | None,
    location: Location,
) -> None:
    """Refuse a part of a lumped tail in a table of `[policy]`, and an output that the mechanism never puts out.

    `tables` has the field of each table with the outputs that it names. A table that names every output may name others
    too: it is a function on a larger set. In any other table such a name is a slip. `positive` makes the mechanism with
    every probability positive; None refuses no such name.

    Raises:
        InputError: with the tail, or with the outputs that there are.

    """
    for name, outputs in tables:
        places = dict.fromkeys(outputs, location.at("[policy]", "policy").at(name))
        _refuse_parts(places, mechanism)
        if positive and not set(mechanism.listed_outputs or ("",)) <= places.keys():
            refuse_others(places, mechanism, positive, "the mechanism", "output")


def _refuse_parts(named: Mapping[Label, Location], mechanism: Mechanism) -> None:
    """Refuse an output that is a part of a lumped tail.

    Raises:
        InputError: with the tail.

    """
    tails = [label(text) for text in sorted(mechanism.tails)]
    for output in [*(mechanism.listed_outputs or ()), *tails] if tails else ():
        part = next((part for part in named if splits(output, part, mechanism.tails)), None)
        if part is not None:
            raise InputError(
                f"the output {cut(part.text)} is a part of the lumped tail {output} of the noise",
                where=str(named[part]),
                wanted="outputs of the mechanism, and a tail as a whole",
                tip="an integer that [policy] names is kept apart, and the tails begin behind it",
            )


def refuse_others(
    inputs: Mapping[Label, Location],
    before: Mechanism,
    positive: Callable[[], Mechanism],
    noun: str,
    what: str = "input",
) -> None:
    """Refuse an input that the mechanism before it never puts out.

    `positive` makes the mechanism with every probability positive, whose outputs include those of probability 0; `noun`
    names the mechanism in the message, and `what` the label that is refused.

    Raises:
        InputError: with the outputs that there are.

    """
    outputs = range_of(before)
    if all(map(outputs.holds, inputs)):
        return
    try:
        outputs = range_of(positive())
    except PkdpError:
        return  # a part of probability 0 is not defined everywhere, so that its outputs are not known
    never = next((outcome for outcome in inputs if not outputs.holds(outcome)), None)
    if never is not None:
        raise InputError(
            f"{noun} never puts out the {what} {cut(never.text)}",
            where=str(inputs[never]),
            wanted=f"an output of it: {outputs.words}",
            tip=_near(never, outputs),
        )


def _near(outcome: Label, outputs: Range) -> str:
    """The output that a label looks like, as a question."""
    text = outcome.text.strip()
    tries = [text, text.lower(), text.capitalize()]
    if _PLAIN_NUMBER.fullmatch(text):
        with suppress(PkdpError):
            tries.append(label(rational(text.removeprefix("+"))).text)
    near = next((spelling for spelling in tries if outputs.holds(label(spelling))), "")
    return f"is `{cut(near)}` meant?" if near else meant(outcome.text, [output.text for output in outputs.listed])


__all__ = ["ANYTHING", "NOISY", "Range", "alike", "among", "lists", "lists_of_counts", "numbers", "range_of",
           "refuse_others", "refuse_outputs", "sums", "union"]  # fmt: skip
