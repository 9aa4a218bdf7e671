"""Reading the shapes of a data-generating distribution."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

from verifier.errors import InputError
from verifier.model.distribution import (
    Groups,
    Independent,
    Mixture,
    Network,
    Node,
    Shape,
    Table,
    Theta,
    World,
    record_law,
)
from verifier.model.domain import Domain
from verifier.model.keys import Keys, Location, integer, listed, rows, string
from verifier.model.mechanism import Database, database_text
from verifier.model.repeated import Repeated
from verifier.numbers import common_denominator, cut, plural, probability, refuse_other_sum
from verifier.tables import Law

MAX_CARRIED = 1 << 16
"""Most combinations of carried parents' values that are walked when a network is read."""
COUNTS = (("times", "groups"), ("size", "records"))
SHAPES = ("table", "iid", "independent", "mixture", "network", "groups")


def read_thetas(raw: object, domain: Domain, location: Location) -> tuple[Theta, ...]:
    """Read `[[distribution]]`: one θ from each table.

    Raises:
        InputError: for a table that is no distribution, and for two of one name.

    """
    tables = [raw] if isinstance(raw, dict) else listed(raw, location, "one or more [[distribution]] tables")
    if not tables:
        raise InputError("given no distribution", where=str(location), wanted="at least one [[distribution]]")
    thetas: list[Theta] = []
    for number, table in enumerate(tables, start=1):
        at = location.at(f"[[distribution]] {number}", "distribution", number - 1)
        keys = Keys(table, at)
        name = keys.read("name", string, "a name", default=f"#{number}")
        at = location.at(f'[[distribution]] "{cut(name)}"', "distribution", number - 1)
        keys.location = at
        if any(theta.name == name for theta in thetas):
            raise InputError(f'given the name "{cut(name)}" twice', where=str(location), wanted="distinct names")
        shape = read_shape(keys, domain, columns=True)
        keys.done()
        thetas.append(Theta(name, shape))
    return tuple(thetas)


def read_shape(keys: Keys, domain: Domain, *, columns: bool) -> Shape:
    """Read the shape of a distribution, of which its table must have exactly one.

    `columns` allows the rows of an explicit table to carry knowledge and sensitive values.
    """
    kind = keys.one_of(SHAPES, "a distribution has exactly one shape")
    raw, at = keys.take(kind), keys.location.at(kind)
    if kind == "iid":
        law = record_law(domain.value_law(raw, at), domain.values)
        return Independent(Repeated(law, domain.size))
    if kind == "independent":
        tables = listed(raw, at, f"a list of {domain.size} tables")
        if len(tables) != domain.size:
            raise InputError(
                f"given {plural(len(tables), 'table')}", where=str(at), wanted=f"{domain.size}, one a record"
            )
        return Independent(
            tuple(
                record_law(domain.value_law(table, at.at(f"record {i}", i)), domain.values)
                for i, table in enumerate(tables)
            )
        )
    if kind == "mixture":
        return _mixture(raw, domain, at)
    if kind == "groups":
        return _groups(raw, domain, at)
    return _network(raw, domain, at) if kind == "network" else _table(raw, domain, at, columns=columns)


def _table(raw: object, domain: Domain, location: Location, *, columns: bool) -> Table:
    entries: list[tuple[Database, Any, Any, Any]] = []
    row_numbers: dict[tuple[object, ...], int] = {}
    carried: dict[str, bool] = {}
    listed_rows = rows(
        raw, location, "a list of rows", "row", 'a row such as { database = [0, 1], probability = "1/2" }'
    )
    for number, keys in enumerate(listed_rows, start=1):
        at = keys.location
        database = keys.read("database", domain.database)
        weight = probability(keys.take("probability"), str(at.at("probability")))
        extra = []
        for column in ("knowledge", "sensitive"):
            present = keys.has(column)
            if present and not columns:
                raise InputError(
                    f"a part of a mixture carries `{column}`",
                    where=str(at),
                    wanted="parts without row columns",
                )
            if carried.setdefault(column, present) != present:
                raise InputError(
                    f"this row {'has' if present else 'lacks'} `{column}`, unlike row 1",
                    where=str(at),
                    wanted=f"`{column}` in all rows or in none",
                )
            extra.append(keys.read(column, domain.label) if present else None)
        keys.done()
        key = (database, *extra)
        if key in row_numbers:
            raise InputError(
                f"this row repeats row {row_numbers[key]}",
                where=str(at),
                wanted="distinct rows",
                tip="rows are compared as (database, knowledge, sensitive)",
            )
        row_numbers[key] = number
        entries.append((database, weight, extra[0], extra[1]))
    if not entries:
        raise InputError("given an empty table", where=str(location), wanted="rows whose probabilities sum to 1")
    shared = common_denominator((weight.denominator for _, weight, _, _ in entries), str(location))
    total = sum(weight for _, weight, _, _ in entries)
    refuse_other_sum(total, f"{len(entries)} rows whose probabilities", str(location))
    return Table(
        tuple(
            World(database, weight.numerator * (shared // weight.denominator), knowledge, sensitive)
            for database, weight, knowledge, sensitive in entries
            if weight
        ),
        shared,
    )


def _groups(raw: object, domain: Domain, location: Location) -> Groups:
    """Groups of consecutive records; `size` records a group (default 1), `times` such groups (default 1)."""
    groups, total = [], 0
    example = "a group such as { times = 5, size = 2, table = [ … ] }"
    for keys in rows(raw, location, "a list of groups", "group", example):
        times, size = (keys.read(key, integer, "a number of " + noun, 1, default=1) for key, noun in COUNTS)
        total += times * size
        if total > domain.size:
            raise InputError(
                f"given groups of {total:,} records or more",
                where=str(keys.location),
                wanted=f"{domain.size:,} together, the `size`",
            )
        groups.append((times, size, read_shape(keys, replace(domain, size=size), columns=False)))
        keys.done()
    if total != domain.size:
        raise InputError(
            f"given groups of {plural(total, 'record')} together",
            where=str(location),
            wanted=f"{domain.size:,}, the `size`",
            tip="`times` groups of `size` records each; both are 1 where they are left out",
        )
    return Groups(tuple(groups))


def _mixture(raw: object, domain: Domain, location: Location) -> Mixture:
    names, weights, shapes = [], {}, []
    for number, keys in enumerate(rows(raw, location, "a list of weighted parts", "part"), start=1):
        at = keys.location
        name = domain.label(keys.read("name", string, "a name", default=f"#{number}"), at)
        if name in weights:
            raise InputError(f"given the name {name} twice", where=str(at), wanted="distinct names")
        names.append(name)
        weights[name] = probability(keys.take("weight"), str(at.at("weight")))
        shapes.append(read_shape(keys, domain, columns=False))
        keys.done()
    if not names:
        raise InputError("given no part", where=str(location), wanted="parts whose weights sum to 1")
    common_denominator((weight.denominator for weight in weights.values()), str(location.at("weights")))
    law = Law.of(dict(weights), str(location.at("weights")))
    integers, total = record_law(law, tuple(names))
    return Mixture(tuple(names), integers, total, tuple(shapes))


def _network(raw: object, domain: Domain, location: Location) -> Network:
    nodes: list[Node] = []
    for keys in rows(raw, location, "a list of nodes", "node"):
        at = keys.location
        record = keys.read("record", domain.record)
        earlier = [node.record for node in nodes]
        if record in earlier:
            raise InputError(f"given the record {record} twice", where=str(at), wanted="each record once")
        parents = tuple(keys.read("given", domain.records, default=[]))
        for parent in parents:
            if parent not in earlier:
                raise InputError(
                    f"record {record} is given record {parent}, which comes later or never",
                    where=str(at.at("given")),
                    wanted="parents that stand before their children",
                )
        laws: dict[Database, tuple[tuple[int, ...], int]] = {}
        if not parents:
            laws[()] = record_law(keys.read("table", domain.value_law), domain.values)
        else:
            for k, row in enumerate(keys.read("rows", listed, "a list of rows"), start=1):
                row_at = at.at(f"row {k}", "rows", k - 1)
                inner = Keys(row, row_at)
                when = inner.read("when", listed, "a list of values")
                if len(when) != len(parents):
                    raise InputError(
                        f"given {plural(len(when), 'value')}",
                        where=str(row_at.at("when")),
                        wanted=f"{len(parents)}, one a parent",
                    )
                key = tuple(domain.value(v, row_at.at("when")) for v in when)
                if key in laws:
                    raise InputError("given the same `when` twice", where=str(row_at), wanted="distinct rows")
                laws[key] = record_law(inner.read("table", domain.value_law), domain.values)
                inner.done()
        keys.done()
        common_denominator((total for _, total in laws.values()), str(at))
        nodes.append(Node(record, parents, laws))
    if len(nodes) != domain.size:
        raise InputError(
            f"given {plural(len(nodes), 'node')}", where=str(location), wanted=f"{domain.size}, one a record"
        )
    _every_case(nodes, domain, location)
    return Network(tuple(nodes))


def _every_case(nodes: list[Node], domain: Domain, location: Location) -> None:
    """Refuse a network that lacks a row for parents' values that can occur together.

    The values of the records that a later node is given are carried along; where there are very many, a missing row
    is found when it is reached.
    """
    states: set[tuple[tuple[int, int], ...]] = {()}
    for number, node in enumerate(nodes, start=1):
        needed = {parent for later in nodes[number:] for parent in later.parents}
        after = set()
        for state in states:
            at = dict(state)
            case = tuple(at[parent] for parent in node.parents)
            if case not in node.laws:
                text = database_text(case, domain.values)
                raise InputError(
                    f"record {node.record} has no row for its parents' values {text}",
                    where=str(location.at(f"node {number}", number - 1)),
                    wanted="a row for every combination of parents' values that can occur",
                )
            for v, weight in enumerate(node.laws[case][0]):
                if weight:
                    carried = {**at, node.record: v}
                    after.add(tuple(sorted((i, x) for i, x in carried.items() if i in needed)))
        if len(after) > MAX_CARRIED:
            return
        states = after
