"""`[policy]` of a model file: the parameters that some definitions of DP22 have beside θ, B, T and M.

Every field is optional. A definition that misses a field says which (`Policy.need`). Each field is declared once, in
`Policy`: its form, its words, and a first value for a model, which a person then changes.
"""

# ruff: noqa: RUF009 - `given` makes a field of a dataclass, as `field` does

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, field, fields, replace
from fractions import Fraction
from functools import cached_property
from itertools import pairwise, product
from typing import TYPE_CHECKING, Any

from verifier.errors import InputError, LimitError, UnsupportedError
from verifier.model.forms import (
    AT_LEAST_ZERO,
    DATABASE,
    LABEL,
    MULTIPLE,
    PROBABILITY,
    RATIONAL,
    RECORD,
    RECORDS,
    VALUE,
    Domain,
    Form,
    Read,
    by_value,
    defined,
    each,
    names,
    row,
    table,
    whole,
    words,
)
from verifier.model.keys import Keys, Location, listed, of_length
from verifier.model.leaks import LEAK, OUTPUTS, LeakLaws
from verifier.model.mechanism import Database
from verifier.model.multisets import Multisets
from verifier.model.neighbours import NEIGHBOURS, OF_VECTORS
from verifier.model.predicates import PREDICATE, databases_with
from verifier.numbers import refuse_other_sum, shorten
from verifier.tables import Label, label

if TYPE_CHECKING:
    from verifier.model.model import Model

Pairs = tuple[tuple[Database, Database], ...]
Table = tuple[tuple[Database, Database, Fraction | None], ...]
"""Two databases and a multiple of ε; None is infinite: that pair is not compared."""
MOST_ROWS = 1 << 8
"""Most rows of a first value: no row of a database or an output may be left out there."""
DIVERGENCES = 'a name such as "total-variation", "chi-squared", "abs-3" (|t - 1|^3), "kl" or "renyi-2"'


# --- functions of a database ---------------------------------------------------------------------------------------


@dataclass(frozen=True)
class Aggregate:
    """A function of a database, which may be random: its values at `positions`, or a `table` of laws.

    In the first form its value is the list of the pairs [position, value]. Of a database without a record a table is a
    function of the multiset of the other records: their order is how the file numbers them.
    """

    positions: tuple[int, ...] = ()
    table: tuple[tuple[Database, tuple[tuple[Label, Fraction], ...]], ...] | None = None

    def law(self, database: Database, values: Sequence[Label]) -> dict[Label, Fraction]:
        """The law of the function's value on a database; `values` is T.

        Raises:
            UnsupportedError: for a database that has no row in the table.

        """
        if self.table is None:
            return self._told(database, values, self.positions)
        return self._row(database, values)

    def law_without(self, database: Database, record: int, values: Sequence[Label]) -> dict[Label, Fraction]:
        """The law of the function's value where nothing stands in the place of a record; a table sees the others alone.

        Raises:
            UnsupportedError: for other records that have no row in the table.

        """
        if self.table is None:
            return self._told(database, values, (k for k in self.positions if k != record))
        return self._row(others_of(database, record), values)

    def law_of_others(self, others: Database, values: Sequence[Label], size: int) -> dict[Label, Fraction]:
        """The law of the function's value on the multiset of the other records, which stand in the order of T.

        `size` is the largest number of records of a database: a function of so many places tells all of them.

        Raises:
            UnsupportedError: for others that have no row in the table, and for a function of some places.

        """
        if self.table is not None:
            return self._row(others, values)
        if 0 < len(self.positions) < size:
            places = ", ".join(map(str, self.positions))
            raise UnsupportedError(
                f"a function in [policy] agg tells the records {places} by their places, and a multiset has no places",
                tip="ask in the reading in-place, or write the function as rows [other records, value]",
            )
        return {label([values[v].shown for v in others] if self.positions else []): Fraction(1)}

    @staticmethod
    def _told(database: Database, values: Sequence[Label], positions: Iterable[int]) -> dict[Label, Fraction]:
        return {label([[k, values[database[k]].shown] for k in positions]): Fraction(1)}

    def _row(self, database: Database, values: Sequence[Label]) -> dict[Label, Fraction]:
        for known, law in self.table or ():
            if known == database:
                return dict(law)
        texts = ", ".join(values[v].text for v in database)
        raise UnsupportedError(f"a function of the database in [policy] has no row for [{texts}]")


def others_of(database: Database, record: int) -> Database:
    """The multiset of the other records of a database, in the order of T."""
    return tuple(sorted(database[:record] + database[record + 1 :]))


def _aggregate(domain: Domain, raw: Any, location: Location) -> Aggregate:
    """A function of a database: a name, the records that it tells, or a table."""
    if raw == "constant":
        return Aggregate()
    if raw == "identity":
        return Aggregate(tuple(range(domain.size)))
    if isinstance(raw, Mapping):
        keys = Keys(raw, location, "{ records = [0] }", ["records"])
        records = tuple(sorted(domain.records(keys.take("records"), location)))  # what is told has no order
        keys.done()
        return Aggregate(records)
    return Aggregate((), tuple(_rows(domain, raw, location).items()))


Rows = dict[Database, tuple[tuple[Label, Fraction], ...]]
"""The law of a function's value, by the database."""


def _rows(domain: Domain, raw: Any, location: Location) -> Rows:
    """The rows of a function that is a table."""
    laws: Rows = {}
    wanted = '"identity", "constant", { records = [0] }, or rows [database, value]'
    for n, entry in enumerate(listed(raw, location, wanted)):
        at = location.at(f"{n}", n)
        given, value = of_length(entry, 2, at, "a row [database, value], or [database, { value = probability }]")
        database = domain.database(given, at)
        if database in laws:
            raise InputError(f"{shorten(given)} is given twice", where=str(at), wanted="one row a database")
        if isinstance(value, Mapping):
            law = domain.label_law(value, at)
            laws[database] = tuple((outcome, law.probability(outcome)) for outcome in law.outcomes)
        else:
            laws[database] = ((domain.label(value, at), Fraction(1)),)
    return laws


# --- the forms of fields -------------------------------------------------------------------------------------------

AGGREGATE = Form(
    _aggregate,
    {
        "anyOf": [
            {"enum": ["constant", "identity"]},
            {
                "type": "object",
                "properties": {"records": defined("records")},
                "required": ["records"],
                "additionalProperties": False,
            },
            {"type": "array", "items": {"type": "array", "minItems": 2, "maxItems": 2}},
        ]
    },
)
EDGE = (
    row("two values [a, b]", VALUE, VALUE).where(lambda ends: ends[0] != ends[1], "two different values").to(frozenset)
)
DATABASES = each(DATABASE, "databases")
ABOVE_ONE = RATIONAL.where(lambda value: value > 1, "an order above 1")


def _theta(domain: Domain, raw: Any, location: Location) -> str:
    if raw not in domain.thetas:
        wanted = f"the name of a distribution: {', '.join(domain.thetas) or 'there is none'}"
        raise InputError(f"{shorten(raw)} does not fit", where=str(location), wanted=wanted)
    return str(raw)


THETA = Form(_theta, {"type": "string"})


MOST_PAIRS = 1 << 16
"""Most pairs of databases that two predicates may name."""


def _pairs_of(domain: Domain, raw: Any, location: Location) -> Pairs:
    """Two databases, or all pairs of which one satisfies each of two predicates."""
    ends = of_length(raw, 2, location, "two databases, or two predicates")
    if not any(isinstance(end, str) for end in ends):
        return ((domain.database(ends[0], location), domain.database(ends[1], location)),)
    first, second = (
        databases_with(domain, end, location) if isinstance(end, str) else (domain.database(end, location),)
        for end in ends
    )
    if len(first) * len(second) > MOST_PAIRS:
        number = f"{len(first):,} × {len(second):,}"
        raise LimitError(f"the predicates name {number} pairs", where=str(location), wanted=f"at most {MOST_PAIRS:,}")
    return tuple((x, y) for x in first for y in second if x != y)


def _joined(lists: tuple[Pairs, ...]) -> Pairs:
    return tuple(pair for pairs in lists for pair in pairs)


_END = {"anyOf": [{"type": "string"}, DATABASE.schema]}
PAIR_SCHEMA = {"type": "array", "items": [_END, _END], "additionalItems": False, "minItems": 2, "maxItems": 2}


def _one_length(noun: str) -> Callable[[Domain, Any, Location], Any]:
    """Refuse entries of which one is longer than another."""

    def same(_domain: Domain, entries: Any, location: Location) -> Any:
        if len({len(entry) for entry in entries}) > 1:
            raise InputError(f"the {noun} have different lengths", where=str(location), wanted="as many for each value")
        return entries

    return same


def _once(_domain: Domain, rows: Any, location: Location) -> Any:
    """Rows of which no two are about the same thing; what a row gives stands last in it."""
    if len({entry[:-1] for entry in rows}) < len(rows):
        raise InputError("there are two rows for one thing", where=str(location), wanted="one row for each")
    return rows


def _symmetric(_domain: Domain, rows: Any, location: Location) -> Any:
    """Rows [x, y, distance], of which no two give one pair two distances, in either order."""
    distances: dict[frozenset[Any], Any] = {}
    for *pair, distance in rows:
        if distances.setdefault(frozenset(pair), distance) != distance:
            raise InputError("a pair has two distances", where=str(location), wanted="one distance for each")
    return rows


def _one_a_record(domain: Domain, levels: Any, location: Location) -> Any:
    if len(levels) != domain.size:
        wanted = f"{domain.size}, one a record"
        raise InputError(f"the number of levels is {len(levels)}", where=str(location), wanted=wanted)
    return levels


def _others(_domain: Domain, adversary: Any, location: Location) -> tuple[int, tuple[int, ...]]:
    """A record that is attacked, and the records that are known."""
    target, known = adversary
    if target in known:
        raise InputError(f"record {target} is attacked and known", where=str(location), wanted="other records")
    return target, tuple(known)


def _law_on_values(domain: Domain, weights: Any, location: Location) -> tuple[Fraction, ...]:
    """A law on T, in the order of T; values that are left out have probability 0."""
    given = dict(weights)
    refuse_other_sum(sum(given.values(), Fraction(0)), "the probabilities", str(location))
    return tuple(given.get(v, Fraction(0)) for v in range(len(domain.values)))


def _rising(vertices: Any) -> bool:
    return (
        len(vertices) >= 2
        and all(a[0] < b[0] for a, b in pairwise(vertices))
        and (vertices[0][0], vertices[-1][0]) == (0, 1)
    )


def _distance(domain: Domain, raw: Any, location: Location) -> str | Table:
    return (DISTANCE_NAME if isinstance(raw, str) else DISTANCE_ROWS).read(domain, raw, location)


DISTANCE_NAME = names("hamming", "largest")
DISTANCE_ROWS = each(row("a row [D, D′, d]", DATABASE, DATABASE, MULTIPLE), "a name, or a list of rows").then(
    _symmetric
)
DISTANCE: Form[str | Table] = Form(_distance, {"anyOf": [DISTANCE_NAME.schema, DISTANCE_ROWS.schema]})


def _of_others(domain: Domain, raw: Any, location: Location) -> Aggregate:
    """A function of a database without a record: of its places, or of the multiset of the other records."""
    if isinstance(raw, str | Mapping):
        return _aggregate(domain, raw, location)
    least = None if domain.sizes is None else (max(0, domain.sizes[0] - 1), domain.size - 1)
    laws: Rows = {}
    for others, law in _rows(replace(domain, size=domain.size - 1, sizes=least), raw, location).items():
        multiset = tuple(sorted(others))
        if dict(laws.setdefault(multiset, law)) != dict(law):
            texts = ", ".join(domain.values[v].text for v in multiset)
            raise InputError(
                f"the other records {texts} have two values in two orders",
                where=str(location),
                wanted="one value for each multiset: which of them comes first is how records are numbered",
                tip="{ records = [0] } tells a place, in the reading in-place",
            )
    return Aggregate((), tuple(laws.items()))


def _coupled(domain: Domain, raw: Any, location: Location) -> tuple[Aggregate, Aggregate]:
    keys = Keys(raw, location, "a table { agg, priv }", ["agg", "priv"])
    agg, priv = (_aggregate(domain, keys.take(name), location.at(name)) for name in ("agg", "priv"))
    keys.done()
    if priv.table is not None and any(len(law) > 1 for _, law in priv.table):
        raise InputError("`priv` is random", where=str(location), wanted="one value for each database")
    return agg, priv


COUPLED = Form(
    _coupled,
    {
        "type": "object",
        "properties": {"agg": AGGREGATE.schema, "priv": AGGREGATE.schema},
        "required": ["agg", "priv"],
        "additionalProperties": False,
    },
)


# --- first values --------------------------------------------------------------------------------------------------


@dataclass(frozen=True)
class Parts:
    """The parts of a model that a first value is written with, in the form of TOML and JSON."""

    model: Model

    @cached_property
    def values(self) -> list[Any]:
        """The values of a record."""
        return [value.shown for value in self.model.values]

    @cached_property
    def databases(self) -> list[list[Any]] | None:
        """All databases; None for more than `MOST_ROWS`."""
        model, number = self.model, len(self.model.values)
        if model.sizes is not None:
            multisets = Multisets(number, *model.sizes)
            if len(multisets) > MOST_ROWS:
                return None
            return [[self.values[v] for v in database] for database in multisets]
        if number**model.size > MOST_ROWS:
            return None
        return [list(database) for database in product(self.values, repeat=model.size)]

    @cached_property
    def outputs(self) -> list[str] | None:
        """The texts of all outputs; None where they are not listed, or too many."""
        listed_outputs = self.model.mechanism.listed_outputs
        few = listed_outputs and len(listed_outputs) <= MOST_ROWS
        return [output.text for output in listed_outputs] if listed_outputs and few else None

    @property
    def records(self) -> list[int] | None:
        """All records; None where databases are multisets, or too large to be listed."""
        return list(range(self.model.size)) if self.model.sizes is None and self.model.size <= MOST_ROWS else None

    @property
    def protected(self) -> int:
        """The first protected record."""
        return next(iter(self.model.protected_records), 0)

    @property
    def thetas(self) -> list[str]:
        """The names of the first two distributions; none where there is one."""
        found = [theta.name for theta in self.model.distributions]
        return found[:2] if len(found) > 1 else []

    def bits(self) -> dict[str, str]:
        """The position of each value, in binary."""
        width = max(1, (len(self.values) - 1).bit_length())
        return {value.text: format(k, f"0{width}b") for k, value in enumerate(self.model.values)}

    def secrets(self) -> Any:
        """The pair of secrets: the protected record has the first value, or it has the second."""
        if not self.records or self.databases is None or len(self.values) < 2:
            return None
        at = self.protected
        return [[[database for database in self.databases if database[at] == value] for value in self.values[:2]]]

    def dependence(self) -> Any:
        """The pair of the first two records; no pair where there is one record."""
        return [self.records[:2]] if self.records and len(self.records) > 1 else [] if self.records else None

    def tailored(self) -> Any:
        """Twice ε for the last value, in the first database that holds it."""
        holding = next((database for database in self.databases or () if self.values[-1] in database), None)
        return None if holding is None else [[self.values[-1], holding, "2"]]

    def blocks(self) -> Any:
        """The first record, and all others."""
        if not self.records:
            return None
        return [[0], self.records[1:]] if len(self.records) > 1 else [[0]]

    def statistic(self) -> Any:
        """The statistic that counts the records with the last value."""
        if self.databases is None:
            return None
        return [[database, str(database.count(self.values[-1]))] for database in self.databases]

    def adversaries(self) -> Any:
        """An adversary of the protected record, who knows one other record."""
        if not self.records:
            return None
        return [[self.protected, [record for record in self.records if record != self.protected][:1]]]

    def leak(self) -> Any:
        """The leak of whether the output is the first."""
        if self.outputs is None:
            return None
        return {output: output if k == 0 else f"not {self.outputs[0]}" for k, output in enumerate(self.outputs)}

    def coupled(self) -> Any:
        """The pair in which the first record is private, and all others are told."""
        if not self.records:
            return None
        others = {"records": self.records[1:]} if len(self.records) > 1 else "constant"
        return [{"agg": others, "priv": {"records": [0]}}]

    def views(self) -> Any:
        """The views by which each client sees the whole output."""
        blocks = self.model.policy.blocks or self.blocks()
        if self.outputs is None or not blocks:
            return None
        return [{output: output for output in self.outputs} for _ in blocks]


# --- the fields ----------------------------------------------------------------------------------------------------


@dataclass(frozen=True)
class PolicyField:
    """A field of `[policy]`: its name in files, its form, its meaning, and a first value for a model.

    `first` is the value itself where it is the same for all models. `parameter` marks what a definition has beside ε
    and δ.
    """

    name: str
    form: Form[Any]
    meaning: str
    first: Any
    parameter: bool = False

    @property
    def constant(self) -> bool:
        """Whether the first value is the same for all models."""
        return not callable(self.first)

    def example(self, model: Model) -> Any:
        """The first value for a model, in the form of TOML and JSON; None where the model has none.

        A model with a single value, for example, has no edge between two values.
        """
        return self.first(Parts(model)) if callable(self.first) else self.first


def given(form: Form[Read], meaning: str, first: Any, *, parameter: bool = False) -> Read | None:
    """A field of `Policy`, None where the file does not give it; `first` is a value, or a function of `Parts`."""
    declared: Read | None = field(default=None, metadata={"of": (form, meaning, first, parameter)})
    return declared


@dataclass(frozen=True)
class Policy:
    """The fields of `[policy]`, None where the file does not give one; values are positions in T.

    Multiples of ε are rationals; None in a table stands for `"inf"`, which demands nothing.
    """

    neighbours: str | None = given(
        names(*NEIGHBOURS),
        "How neighbours differ: one record is changed, one is added or removed, or any of these; or of vectors of "
        "answers, which are numbers, every entry moves by at most 1, one entry does, or all do in one direction; "
        "left out: as in the file.",
        lambda parts: "change" if parts.model.sizes is None else "any",
    )
    absent: int | None = given(
        VALUE,
        "The value of a record that is not there: D without i is D with i set to it.",
        lambda parts: parts.values[0] if parts.model.sizes is None and len(parts.values) > 1 else None,
    )
    sensitive: frozenset[int] | None = given(
        each(VALUE, "a list of values").to(frozenset),
        "The sensitive values.",
        lambda parts: parts.values[:1],
    )
    graph: frozenset[frozenset[int]] | None = given(
        each(EDGE, "a list of edges [a, b]").to(frozenset),
        "Edges between values, without a direction.",
        lambda parts: [list(edge) for edge in pairwise(parts.values)] or None,
    )
    attributes: tuple[tuple[Label, ...], ...] | None = given(
        by_value(each(LABEL, "a list of attributes")).then(_one_length("attributes")),
        "The attributes of each value, as lists of one length.",
        lambda parts: {value.text: ["person", value.text] for value in parts.model.values},
    )
    bits: tuple[str, ...] | None = given(
        by_value(words("bits").where(lambda text: bool(text) and not set(text) - {"0", "1"}, 'bits such as "01"')).then(
            _one_length("bits")
        ),
        "The bits of each value, as strings of one length.",
        Parts.bits,
    )
    databases: tuple[Database, ...] | None = given(
        DATABASES.to(lambda rows: tuple(dict.fromkeys(rows))),
        "I_Q or S_D: the databases of which pairs are compared.",
        lambda parts: parts.databases[:3] if parts.databases else None,
    )
    fixed: Database | None = given(
        DATABASE, "The database at hand.", lambda parts: parts.databases[0] if parts.databases else None
    )
    record: int | None = given(RECORD, "The record at hand.", lambda parts: parts.protected if parts.records else None)
    pairs: Pairs | None = given(
        each(Form(_pairs_of, PAIR_SCHEMA), "a list of pairs of databases").to(_joined),
        "Pairs of databases, compared in both orders; of two predicates, written as in `secrets`, all pairs of a "
        "database that satisfies the first and one that satisfies the second.",
        lambda parts: [parts.databases[:2]] if parts.databases and len(parts.databases) > 1 else None,
    )
    secrets: tuple[tuple[frozenset[Database], frozenset[Database]], ...] | None = given(
        each(
            row("two predicates", PREDICATE.to(frozenset), PREDICATE.to(frozenset)),
            "a list of pairs of predicates",
        ),
        'Pairs of predicates, each a text such as "record 0 = yes", "record 0 in [a, b]" or "count of yes >= 2", with '
        "and, or, not and brackets, or the list of the databases that satisfy it.",
        Parts.secrets,
    )
    dependence: frozenset[tuple[int, int]] | None = given(
        each(row("a pair [i, j] of records", RECORD, RECORD), "a list of pairs").to(frozenset),
        "Pairs [i, j]: where record i changes, record j may change too.",
        Parts.dependence,
    )
    levels: tuple[Fraction | None, ...] | None = given(
        each(MULTIPLE, "a list of multiples of ε").then(_one_a_record),
        "A multiple of ε for each record.",
        lambda parts: ["2", *("1" for _ in parts.records[1:])] if parts.records else None,
    )
    scale: tuple[tuple[frozenset[int], Fraction | None], ...] | None = given(
        each(row('[["a", "b"], "2"]', EDGE, MULTIPLE), "a list of rows").then(_once),
        "A multiple of ε for unordered pairs of values, 1 where left out.",
        lambda parts: [[parts.values[:2], "2"]] if len(parts.values) > 1 else None,
    )
    tailored: tuple[tuple[int, Database, Fraction | None], ...] | None = given(
        each(row("a row [value, database, level]", VALUE, DATABASE, MULTIPLE), "a list").then(_once),
        "Rows [t, D, level]: a multiple of ε for a value t in a database D, 1 where left out.",
        Parts.tailored,
    )
    blocks: tuple[tuple[int, ...], ...] | None = given(
        each(RECORDS.to(tuple), "a list of lists").where(
            lambda blocks: len({i for block in blocks for i in block}) == sum(map(len, blocks)),
            "each record in one block at most",
        ),
        "Lists of records that belong together, such as those of one client, each record in one of them at most.",
        Parts.blocks,
    )
    group: int | None = given(whole("a number of records", 1), "The most records that differ.", 2)
    distance: str | Table | None = given(
        DISTANCE,
        "`hamming`, `largest` (of numbers), or rows [D, D′, d]; other pairs are infinitely far apart.",
        "hamming",
    )
    at_most: Fraction | None = given(
        AT_LEAST_ZERO,
        "Δ, the largest distance of neighbours; for `sidp` the largest difference of `statistic`.",
        "1",
        parameter=True,
    )
    statistic: tuple[tuple[Database, Fraction], ...] | None = given(
        each(row("a row [database, number]", DATABASE, RATIONAL), "a list of rows").then(_once),
        "Rows [D, f(D)].",
        Parts.statistic,
    )
    adversaries: tuple[tuple[int, tuple[int, ...]], ...] | None = given(
        each(
            row("a row [record, [known records]]", RECORD, RECORDS).then(_others),
            "a list of rows [record, [known records]]",
        ),
        "Rows [i, K]: who attacks record i and knows the records of K; left out: all.",
        Parts.adversaries,
    )
    theta_pairs: tuple[tuple[str, str], ...] | None = given(
        each(row("two names", THETA, THETA), "a list of pairs of names"),
        "Pairs of distributions that are compared, by name; left out: all ordered pairs.",
        lambda parts: [parts.thetas] if parts.thetas else None,
    )
    theta_distances: tuple[tuple[str, str, Fraction | None], ...] | None = given(
        each(row("a row [name, name, distance]", THETA, THETA, MULTIPLE), "a list of rows").then(_symmetric),
        "Rows [θ, θ′, d]; other pairs are infinitely far apart.",
        lambda parts: [[*parts.thetas, "1"]] if parts.thetas else None,
    )
    prior: tuple[Fraction, ...] | None = given(
        table(VALUE, PROBABILITY, "a table from values to probabilities").then(_law_on_values),
        "π, the distribution of one record.",
        lambda parts: {value.text: f"1/{len(parts.values)}" for value in parts.model.values},
    )
    gamma: Fraction | None = given(PROBABILITY, "The share that may be left out.", "1/10", parameter=True)
    rate: Fraction | None = given(
        PROBABILITY,
        "β, the probability with which a record is sampled; sizes begin at 0, or a record that is not kept "
        "becomes `absent`.",
        "1/2",
        parameter=True,
    )
    order: Fraction | None = given(ABOVE_ONE, "α > 1, of the Rényi divergence.", 2, parameter=True)
    divergence: str | None = given(
        words(DIVERGENCES),
        'The divergence: "total-variation", "chi-squared", "kl", "renyi-2", "abs-3" (mean of abs(t - 1)^3) and others.',
        "chi-squared",
        parameter=True,
    )
    tests: tuple[tuple[tuple[Label, Fraction], ...], ...] | None = given(
        each(table(LABEL, RATIONAL, "a table from outputs to numbers"), "a list"),
        "H: functions from outputs to numbers, 0 for an output that is left out.",
        lambda parts: [{parts.outputs[0]: "1"}] if parts.outputs else None,
    )
    tradeoff: tuple[tuple[Fraction, Fraction], ...] | None = given(
        each(row("a vertex [x, f(x)]", PROBABILITY, PROBABILITY), "a list of vertices").where(
            _rising, "vertices with x rising from 0 to 1"
        ),
        "The vertices [x, f(x)] of a piecewise linear f on [0, 1]; for `gcdp-kl` of 1 - M.",
        [["0", "1"], ["1/2", "1/4"], ["1", "0"]],
    )
    error: Fraction | None = given(
        PROBABILITY, "δ_p: the mass of outputs that may be left out first.", "1/10", parameter=True
    )
    predicate: tuple[tuple[Fraction, Fraction, Fraction], ...] | None = given(
        each(row("a row [a, b, c]", RATIONAL, RATIONAL, RATIONAL), "a list of rows"),
        "Rows [a, b, c]: a·P[S] + b·Q[S] ≤ c for all sets S of outputs.",
        [["1", "-2", "0"]],
    )
    leak: tuple[tuple[Label, Label], ...] | LeakLaws | None = given(
        LEAK,
        "What leaks: a table from outputs to what is read off them; or, where the leak has coins in common with the "
        'output, rows of their joint law on each database, `{ database = [0], outputs = { "[yes, 1]" = "1/2", … } }`.',
        Parts.leak,
    )
    image: tuple[tuple[Label, Label], ...] | None = given(
        OUTPUTS, "A table from outputs to their images, which are all that is looked at.", Parts.leak
    )
    agg: tuple[Aggregate, ...] | None = given(
        each(Form(_of_others, AGGREGATE.schema), "a list of functions"),
        "Agg: functions of a database without a record, of which one is told to the simulator. A function "
        "is `identity`, `constant`, `{ records = [0] }` (places, in the reading in-place alone), or rows [the other "
        "records in any order, value or distribution].",
        lambda parts: ["constant", "identity"] if parts.records else None,
    )
    coupled: tuple[tuple[Aggregate, Aggregate], ...] | None = given(
        each(COUPLED, "a list of tables { agg, priv }"),
        "Γ: pairs of functions of the database, written as in `agg`; `priv` is not random.",
        Parts.coupled,
    )
    views: tuple[tuple[tuple[Label, Label], ...], ...] | None = given(
        each(OUTPUTS, "a list of tables"), "What each client sees of an output, in the order of `blocks`.", Parts.views
    )
    xi: Fraction | None = given(AT_LEAST_ZERO, "ξ of the concentrated definitions.", "0", parameter=True)
    omega: Fraction | None = given(
        ABOVE_ONE, "ω > 1, the largest order α of the concentrated definitions.", "3", parameter=True
    )
    mu: Fraction | None = given(AT_LEAST_ZERO, "μ, the most that the loss is on average.", "1", parameter=True)

    @property
    def outputs(self) -> list[tuple[str, tuple[Label, ...]]]:
        """The outputs of the mechanism that each table names, with the field that the table is, or is a part of."""
        named: dict[str, Sequence[Sequence[tuple[Label, object]]]] = {
            "tests": self.tests or (),
            "leak": () if isinstance(self.leak, LeakLaws) else (self.leak or (),),
            "image": (self.image or (),),
            "views": self.views or (),
        }
        listed_outputs = [
            (name, tuple(output for output, _ in entries))
            for name, tables in named.items()
            for entries in tables
            if entries
        ]
        return [*listed_outputs, ("leak", self.leak.outputs)] if isinstance(self.leak, LeakLaws) else listed_outputs

    @property
    def moves_answers(self) -> bool:
        """Whether the neighbours that the file names are vectors of answers, of which several entries may differ."""
        return self.neighbours in OF_VECTORS

    def has(self, name: str) -> bool:
        """Whether the file gives a field, by its name in files, such as `at-most`."""
        return getattr(self, name.replace("-", "_")) is not None

    def need(self, attribute: str) -> Any:
        """The value of a field, by its name in Python, such as `at_most`.

        Raises:
            UnsupportedError: where the file does not give it.

        """
        value = getattr(self, attribute)
        if value is None:
            name = attribute.replace("_", "-")
            raise UnsupportedError(
                f"this definition needs `{name}` in [policy], which the file does not give",
                tip="pkdp examples --guide format has every field, under Policy",
            )
        return value


NO_POLICY = Policy()
"""The policy of a file without `[policy]`."""
FIELDS = {
    name: PolicyField(name, *declared.metadata["of"])
    for declared in fields(Policy)
    for name in [declared.name.replace("_", "-")]
}
"""The fields of `[policy]`, by their names in files."""
CONSTANT = frozenset(name for name, one in FIELDS.items() if one.constant)
"""Fields whose first value is the same for all models."""


def read_policy(raw: object, domain: Domain, location: Location) -> Policy:
    """Read `[policy]`.

    Raises:
        InputError: for an unknown field, or a value that its field cannot have; with its location.

    """
    keys = Keys(raw, location, "a table of parameters", FIELDS)
    values: dict[str, Any] = {}
    for name, one in FIELDS.items():
        if keys.has(name):
            values[name.replace("-", "_")] = one.form.read(domain, keys.take(name), location.at(name))
    keys.done()
    return Policy(**values)
