"""Data-generating distributions θ, read: shapes that list worlds with exact weights; what an attacker knows of a world.

Θ is a list of pairs (θ, ζ): `Theta` has the background knowledge ζ, one function of the family Z, beside its shape.
`[knowledge]` is one function ζ, `[[knowledge]]` the family Z.
"""

from __future__ import annotations

from collections.abc import Container, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from fractions import Fraction
from functools import partial
from itertools import product as cartesian
from math import lcm, prod
from typing import TypeAlias

from verifier.errors import InputError
from verifier.model.dependent import CHAIN, COUNTS, NETWORK, Exchangeable, Network
from verifier.model.forms import (
    DATABASE,
    LABEL,
    LAW_OF_RECORD,
    PROBABILITY,
    Domain,
    Form,
    Key,
    defined,
    keys_schema,
    list_schema,
    record_law,
    values_of,
    whole,
    words,
)
from verifier.model.keys import Keys, Location, listed, rows, string
from verifier.model.mechanism import (
    ADD_THE_ROW,
    Database,
    Mechanism,
    Repeated,
    Statistic,
    World,
    database_text,
    groups_of,
)
from verifier.model.read_mechanism import COMPONENT, read_mechanism
from verifier.numbers import common_denominator, cut, plural, quotient, refuse_other_sum, shorten
from verifier.tables import Label, Law

NOTHING = Label("\x00", "")
"""The knowledge value of an attacker who knows nothing; shown as null."""
UNNAMED = {
    "nothing": "nothing",
    "column": "the column `knowledge` of the table",
    "component": "the component of the mixture",
}


@dataclass(frozen=True)
class Zeta:
    """One knowledge function ζ: B = ζ(D), independent of the mechanism's own randomness given D.

    `kind` says where B comes from: nothing, a column of the table, the component of a mixture, or a channel of the
    database. A channel may be random: then B ~ ζ(D) of the original database, whatever a definition sets afterwards
    (DKM19, Definition 7).
    """

    kind: str = "nothing"
    channel: Mechanism | None = None
    name: str = ""

    @property
    def title(self) -> str:
        """The knowledge in words: the title of its channel, or the name of where it comes from."""
        return self.channel.title if self.channel else UNNAMED[self.kind]

    @property
    def records(self) -> Sequence[int]:
        """The known records, in the order in which B lists them; none where B is something else."""
        return (self.channel.records or ()) if self.channel else ()

    @property
    def plain(self) -> bool:
        """Whether B is nothing, the component, or a list of records, for which no table of worlds is needed."""
        return self.kind != "column" and (self.channel is None or self.channel.records is not None)

    @property
    def deterministic_statistic(self) -> Statistic | None:
        """The statistic of which B is a function, where B comes from a sum over the records without randomness."""
        return self.channel.deterministic_statistic if self.channel else None

    def law(self, world: World) -> Law:
        """The law of B in a world."""
        if self.kind == "column" and world.knowledge is not None:
            return Law.point(world.knowledge)
        if self.kind == "component" and world.component is not None:
            return Law.point(world.component)
        if self.channel is not None:
            return self.channel.law(world.database)
        return Law.point(NOTHING)


UNAWARE = Zeta()
"""The attacker who knows nothing."""


@dataclass(frozen=True)
class Table:
    """A distribution given as a table of worlds, whose positive weights are over `denominator`."""

    rows: tuple[World, ...]
    denominator: int

    def count(self) -> int:
        """How many worlds are listed."""
        return len(self.rows)

    def worlds(self) -> Iterator[World]:
        """The worlds in the order of the file."""
        return iter(self.rows)


@dataclass(frozen=True)
class Independent:
    """Independent records: `laws[i]` has the integer weights of the values of record i, and their sum.

    >>> coin = Independent((((1, 1), 2), ((3, 1), 4)))
    >>> [world.weight for world in coin.worlds()], coin.denominator
    ([3, 1, 3, 1], 8)
    """

    laws: Sequence[tuple[tuple[int, ...], int]]

    @property
    def denominator(self) -> int:
        """The product of the records' denominators."""
        return prod(denominator**times for (_, denominator), times in groups_of(self.laws))

    def count(self) -> int:
        """How many worlds have positive probability."""
        return prod(sum(1 for weight in weights if weight) ** times for (weights, _), times in groups_of(self.laws))

    def worlds(self) -> Iterator[World]:
        """The worlds of positive probability, in lexicographic order of the values."""
        choices = [[(v, weight) for v, weight in enumerate(weights) if weight] for weights, _ in self.laws]
        for row in cartesian(*choices):
            yield World(tuple(v for v, _ in row), prod(weight for _, weight in row))


@dataclass(frozen=True)
class Mixture:
    """A mixture: a latent choice of one of several shapes, by integer weights over `total`."""

    names: tuple[Label, ...]
    weights: tuple[int, ...]
    total: int
    components: tuple[Shape, ...]

    @property
    def denominator(self) -> int:
        """A common denominator of all worlds."""
        return self.total * lcm(*(part.denominator for part in self.components))

    def count(self) -> int:
        """How many worlds are listed, the same database in two components counted twice."""
        return sum(part.count() for part, weight in zip(self.components, self.weights, strict=True) if weight)

    def scales(self) -> list[int]:
        """The factor that brings each part's weights over the common denominator."""
        shared = self.denominator // self.total
        pairs = zip(self.weights, self.components, strict=True)
        return [weight * (shared // part.denominator) for weight, part in pairs]

    def worlds(self) -> Iterator[World]:
        """The worlds, component by component."""
        for name, scale, part in zip(self.names, self.scales(), self.components, strict=True):
            if scale:
                for world in part.worlds():
                    yield world._replace(weight=world.weight * scale, component=name)


@dataclass(frozen=True)
class Groups:
    """Independent groups of consecutive records: each of `blocks` is a shape of `size` records, repeated `times`.

    >>> coin = Independent((((1, 1), 2),))
    >>> pair = Table((World((0, 0), 1), World((1, 1), 1)), 2)
    >>> [world.database for world in Groups(((1, 1, coin), (1, 2, pair))).worlds()]
    [(0, 0, 0), (0, 1, 1), (1, 0, 0), (1, 1, 1)]
    """

    blocks: tuple[tuple[int, int, Shape], ...]
    """The triples (times, size, shape)."""

    @property
    def denominator(self) -> int:
        """The product of the groups' denominators."""
        return prod(shape.denominator**times for times, _, shape in self.blocks)

    @property
    def independent(self) -> bool:
        """Whether all records are independent of each other."""
        return all(isinstance(shape, Independent) for _, _, shape in self.blocks)

    def count(self) -> int:
        """How many worlds are listed."""
        return prod(shape.count() ** times for times, _, shape in self.blocks)

    def worlds(self) -> Iterator[World]:
        """The worlds, the last group changing fastest."""
        worlds_of_groups = [list(shape.worlds()) for times, _, shape in self.blocks for _ in range(times)]
        for worlds in cartesian(*worlds_of_groups):
            database = tuple(v for world in worlds for v in world.database)
            yield World(database, prod(world.weight for world in worlds))


Shape: TypeAlias = Table | Independent | Mixture | Network | Groups | Exchangeable


@dataclass(frozen=True)
class Theta:
    """One named distribution θ of the family Θ, with one knowledge function ζ of the family Z.

    Every definition quantifies over all pairs (θ, ζ) (DKM19, Definitions 5 to 7). A pair is named `θ / ζ`, or by θ
    alone where Z has one function; `own` is then empty, else the name of θ.
    """

    name: str
    shape: Shape
    zeta: Zeta = UNAWARE
    own: str = ""

    @property
    def alone(self) -> Theta:
        """θ by its own name, with an attacker who knows nothing."""
        return Theta(self.own or self.name, self.shape)

    def known(self, world: World) -> Law:
        """The law of B = ζ(D) in a world."""
        return self.zeta.law(world)

    def known_worlds(self) -> Iterator[tuple[World, Label, Fraction]]:
        """The triples (world, B̂, P[world and B = B̂]), for each world and each knowledge value that it may lead to."""
        for world in self.worlds():
            known = self.known(world)
            for knowledge, weight in known.items():
                yield world, knowledge, quotient(world.weight * weight, self.denominator * known.denominator)

    def __repr__(self) -> str:
        return f'<Theta "{self.name}": {type(self.shape).__name__.lower()}, at most {self.count():,} worlds>'

    @property
    def denominator(self) -> int:
        """The sum of the weights of `worlds()`, over which each is a probability."""
        return self.shape.denominator

    def worlds(self) -> Iterator[World]:
        """The worlds with their integer weights."""
        return self.shape.worlds()

    def count(self) -> int:
        """How many worlds there are at most; known before any is listed."""
        return self.shape.count()


def read_thetas(raw: object, domain: Domain, location: Location) -> tuple[Theta, ...]:
    """Read `[[distribution]]`: one θ from each table.

    Raises:
        InputError: for a table that is no distribution, and for two of one name.

    """
    tables = [raw] if isinstance(raw, dict) else listed(raw, location, "one or more [[distribution]] tables")
    if not tables:
        raise InputError("there is no distribution", where=str(location), wanted="at least one [[distribution]]")
    thetas: list[Theta] = []
    for number, table in enumerate(tables, start=1):
        at = location.at(f"[[distribution]] {number}", "distribution", number - 1)
        keys = Keys(table, at)
        given = NAME.read(keys, domain)
        name = f"#{number}" if given is None else given
        at = location.at(f"[[distribution]] {shorten(name)}", "distribution", number - 1)
        keys.location = at
        if any(theta.name == name for theta in thetas):
            raise InputError(f"the name {shorten(name)} is given twice", where=str(location), wanted="distinct names")
        shape = read_shape(keys, domain, SHAPES)
        keys.done()
        thetas.append(Theta(name, shape))
    return tuple(thetas)


def read_shape(keys: Keys, domain: Domain, shapes: Mapping[str, Form[Shape]]) -> Shape:
    """Read the shape of a distribution, of which its table must have exactly one."""
    kind = keys.one_of(shapes, "a distribution has exactly one shape")
    return shapes[kind].read(domain, keys.take(kind), keys.location.at(kind))


def _iid(domain: Domain, raw: object, location: Location) -> Shape:
    """Independent records with one law."""
    law = LAW_OF_RECORD.read(domain, raw, location)
    return Independent(Repeated(record_law(law, domain.values), domain.size))


def _independent(domain: Domain, raw: object, location: Location) -> Shape:
    tables = listed(raw, location, f"a list of {domain.size} tables")
    if len(tables) != domain.size:
        listing = f"the list has {plural(len(tables), 'table')}"
        raise InputError(listing, where=str(location), wanted=f"{domain.size}, one a record")
    laws = (LAW_OF_RECORD.read(domain, table, location.at(f"record {i}", i)) for i, table in enumerate(tables))
    return Independent(tuple(record_law(law, domain.values) for law in laws))


def _table(domain: Domain, raw: object, location: Location, *, columns: bool) -> Shape:
    """The rows of an explicit table; `columns` allows them to carry knowledge and sensitive values."""
    entries: list[tuple[Database, Fraction, Label | None, Label | None]] = []
    row_numbers: dict[tuple[object, ...], int] = {}
    carried: dict[str, bool] = {}
    listed_rows = rows(
        raw, location, "a list of rows", "row", 'a row such as { database = [0, 1], probability = "1/2" }'
    )
    for number, keys in enumerate(listed_rows, start=1):
        at = keys.location
        for column in COLUMNS:
            present = column.name in keys.left
            if present and not columns:
                raise InputError(
                    f"a part of a mixture carries `{column.name}`",
                    where=str(at),
                    wanted="parts without row columns",
                )
            if carried.setdefault(column.name, present) != present:
                raise InputError(
                    f"this row {'has' if present else 'lacks'} `{column.name}`, unlike row 1",
                    where=str(at),
                    wanted=f"`{column.name}` in all rows or in none",
                )
        database, weight, knowledge, sensitive = values_of(keys, (*WORLD, *COLUMNS), domain).values()
        keys.done()
        key = (database, knowledge, sensitive)
        if key in row_numbers:
            raise InputError(
                f"this row repeats row {row_numbers[key]}",
                where=str(at),
                wanted="distinct rows",
                tip="rows are compared as (database, knowledge, sensitive)",
            )
        row_numbers[key] = number
        entries.append((database, weight, knowledge, sensitive))
    if not entries:
        raise InputError("the table is empty", where=str(location), wanted="rows whose probabilities sum to 1")
    shared = common_denominator((weight.denominator for _, weight, _, _ in entries), str(location))
    total = sum((weight for _, weight, _, _ in entries), Fraction(0))
    refuse_other_sum(total, f"the probabilities of {plural(len(entries), 'row')}", str(location))
    return Table(
        tuple(
            World(database, weight.numerator * (shared // weight.denominator), knowledge, sensitive)
            for database, weight, knowledge, sensitive in entries
            if weight
        ),
        shared,
    )


def _groups(domain: Domain, raw: object, location: Location) -> Shape:
    """Groups of consecutive records; `size` records a group (default 1), `times` such groups (default 1)."""
    groups, total = [], 0
    example = "a group such as { times = 5, size = 2, table = [ … ] }"
    for keys in rows(raw, location, "a list of groups", "group", example):
        times, size = values_of(keys, GROUP, domain).values()
        total += times * size
        if total > domain.size:
            raise InputError(
                f"the groups have {total:,} records or more",
                where=str(keys.location),
                wanted=f"{domain.size:,} together, the `size`",
            )
        groups.append((times, size, read_shape(keys, replace(domain, size=size), PARTS)))
        keys.done()
    if total != domain.size:
        raise InputError(
            f"the groups have {plural(total, 'record')} together",
            where=str(location),
            wanted=f"{domain.size:,}, the `size`",
            tip="`times` groups of `size` records each; both are 1 where they are left out",
        )
    return Groups(tuple(groups))


def _mixture(domain: Domain, raw: object, location: Location) -> Shape:
    names, weights, shapes = [], {}, []
    for number, keys in enumerate(rows(raw, location, "a list of weighted parts", "part"), start=1):
        at = keys.location
        given, weight = values_of(keys, PART, domain).values()
        name = domain.label(f"#{number}" if given is None else given, at)
        if name in weights:
            raise InputError(f"the name {name} is given twice", where=str(at), wanted="distinct names")
        names.append(name)
        weights[name] = weight
        shapes.append(read_shape(keys, domain, PARTS))
        keys.done()
    if not names:
        raise InputError("there is no part", where=str(location), wanted="parts whose weights sum to 1")
    common_denominator((weight.denominator for weight in weights.values()), str(location.at("weights")))
    law = Law.of(dict(weights), str(location.at("weights")))
    integers, total = record_law(law, tuple(names))
    return Mixture(tuple(names), integers, total, tuple(shapes))


# --- the keys of each table, and the shapes ------------------------------------------------------------------------

NAME = Key("name", words("a name"), "its name in answers; without one, its number", None)
WORLD = (
    Key("database", DATABASE, "the values of all records"),
    Key("probability", PROBABILITY, "the probability of this row"),
)
COLUMNS = (
    Key("knowledge", LABEL, "what the attacker knows then: in all rows, or in none", None),
    Key("sensitive", LABEL, "what is protected then: in all rows, or in none", None),
)
"""The columns that a row of an explicit table may carry, where it is no part of a mixture."""
PART = (NAME, Key("weight", PROBABILITY, "the probability of this part"))
GROUP = (
    Key("times", whole("a number of groups", 1), "so many groups of this kind", 1),
    Key("size", whole("a number of records", 1), "so many records in each", 1),
)


def _shapes(world: tuple[Key, ...], *, columns: bool) -> dict[str, Form[Shape]]:
    """The shapes of a distribution, by the key under which each stands."""
    return {
        "table": Form(partial(_table, columns=columns), list_schema(keys_schema(world), 1)),
        "iid": Form(_iid, LAW_OF_RECORD.schema),
        "independent": Form(_independent, list_schema(LAW_OF_RECORD.schema, 1)),
        "mixture": Form(_mixture, list_schema(defined("part"), 1)),
        "network": NETWORK,
        "groups": Form(_groups, list_schema(defined("group"), 1)),
        "chain": CHAIN,
        "counts": COUNTS,
    }


PARTS = _shapes(WORLD, columns=False)
"""The shapes of a part of a mixture, or of a group."""
SHAPES = _shapes((*WORLD, *COLUMNS), columns=True)
"""The shapes of a distribution."""


# --- knowledge --------------------------------------------------------------------------------------------------------

CHECKED_WORLDS = 1 << 16
"""Most worlds whose databases are looked up in a table when a file is read."""


def read_zetas(
    keys: Keys, domain: Domain, location: Location, thetas: tuple[Theta, ...], *, column: bool
) -> tuple[Zeta, ...]:
    """Read the family Z: one [knowledge] without a name, or a [[knowledge]] for each function.

    `column` says that the rows of the tables carry `knowledge`; then that is the only function, and no key is allowed.
    """
    at = location.at("[knowledge]", "knowledge")
    if not keys.has("knowledge"):
        return (Zeta("column"),) if column else (UNAWARE,)
    raw = keys.take("knowledge")
    if column:
        raise InputError(
            "[knowledge] is given although the rows of the table carry `knowledge`",
            where=str(at),
            wanted="one of the two",
        )
    if not isinstance(raw, list | tuple):
        return (_zeta(raw, domain, at, thetas, ""),)
    if not raw:
        raise InputError("the list is empty", where=str(at), wanted="at least one, or no key `knowledge`")
    zetas: list[Zeta] = []
    for number, table in enumerate(listed(raw, at, "tables"), start=1):
        table_at, name = location.at(f"[[knowledge]] {number}", "knowledge", number - 1), f"#{number}"
        if isinstance(table, Mapping) and "name" in table:
            name = string(table["name"], table_at.at("name"), "a name")
            table_at = location.at(f"[[knowledge]] {shorten(name)}", "knowledge", number - 1)
        if any(zeta.name == name for zeta in zetas):
            raise InputError(f"the name {shorten(name)} is given twice", where=str(table_at), wanted="distinct names")
        unnamed = {key: value for key, value in table.items() if key != "name"} if isinstance(table, Mapping) else table
        zetas.append(_zeta(unnamed, domain, table_at, thetas, name))
    return tuple(zetas)


def paired(thetas: tuple[Theta, ...], zetas: tuple[Zeta, ...], location: Location) -> tuple[Theta, ...]:
    """All pairs (θ, ζ), θ by θ; the name of ζ is left out where it is the only one."""
    alone = len(zetas) == 1
    pairs = tuple(
        replace(theta, zeta=zeta)
        if alone
        else replace(theta, name=f"{theta.name} / {zeta.name}", zeta=zeta, own=theta.name)
        for theta in thetas
        for zeta in zetas
    )
    names = [pair.name for pair in pairs]
    twice = next((name for name in names if names.count(name) > 1), None) if not alone else None
    if twice is not None:
        raise InputError(
            f"two pairs of a distribution and a knowledge have the name {shorten(twice)}",
            where=str(location),
            wanted="names that tell the pairs apart",
            tip='leave " / " out of the names',
        )
    return pairs


def _zeta(raw: object, domain: Domain, at: Location, thetas: tuple[Theta, ...], name: str) -> Zeta:
    """One function ζ."""
    if not callable(raw):
        inner = Keys(raw, at)
        if inner.left.get("kind") == COMPONENT:
            inner.take("kind")
            if inner.left:
                raise InputError(
                    f'kind = "{COMPONENT}" does not go with {", ".join(f"`{cut(key)}`" for key in inner.left)}',
                    where=str(at),
                    wanted=f'only kind = "{COMPONENT}": it cannot be combined in this version',
                    tip="a `table` distribution with a `knowledge` column can say anything that is known",
                )
            if not all(isinstance(theta.shape, Mixture) for theta in thetas):
                raise InputError(
                    'kind = "component" needs mixtures', where=str(at), wanted="a `mixture` in every distribution"
                )
            return Zeta(COMPONENT, name=name)
    channel = read_mechanism(raw, domain, at, "knowledge")
    if channel.domain is not None:
        every_database(set(channel.domain), domain, at, thetas, ADD_THE_ROW)
    return Zeta("channel", channel, name)


def every_database(
    rows: Container[Database], domain: Domain, location: Location, thetas: tuple[Theta, ...], tip: str
) -> None:
    """Refuse a table in which a possible database has no row; in a model of very many worlds, only when it is reached.

    Raises:
        InputError: with the first database that has no row.

    """
    for theta in thetas:
        worlds = theta.worlds() if theta.count() <= CHECKED_WORLDS else ()
        missing = next((world.database for world in worlds if world.database not in rows), None)
        if missing is not None:
            raise InputError(
                f"the possible database {database_text(missing, domain.values)} has no row",
                where=str(location),
                wanted="a row for every possible database",
                tip=tip,
            )
