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
from verifier.model.many import Repeated
from verifier.model.mechanism import Database, database_text
from verifier.model.place import Keys, Place, integer, listed, many, string
from verifier.model.scope import Scope
from verifier.numbers import common_denominator, cut, probability, refuse_other_sum
from verifier.tables import Law

MAX_CARRIED = 1 << 16
"""Most combinations of carried parents' values that are walked when a network is read."""
COUNTS = (("times", "groups"), ("size", "records"))
SHAPES = ("table", "iid", "independent", "mixture", "network", "groups")


def read_thetas(given: object, scope: Scope, place: Place) -> tuple[Theta, ...]:
    """Read `[[distribution]]`, one θ each."""
    tables = [given] if isinstance(given, dict) else listed(given, place, "one or more [[distribution]] tables")
    if not tables:
        raise InputError("given no distribution", where=str(place), wanted="at least one [[distribution]]")
    thetas: list[Theta] = []
    for number, table in enumerate(tables, start=1):
        at = place.at(f"[[distribution]] {number}", "distribution", number - 1)
        keys = Keys(table, at)
        name = string(keys.take("name", f"#{number}"), at.at("name"), "a name")
        at = place.at(f'[[distribution]] "{cut(name)}"', "distribution", number - 1)
        keys.place = at
        if any(theta.name == name for theta in thetas):
            raise InputError(f'given the name "{cut(name)}" twice', where=str(place), wanted="distinct names")
        shape = read_shape(keys, scope, at, columns=True)
        keys.done()
        thetas.append(Theta(name, shape))
    return tuple(thetas)


def read_shape(keys: Keys, scope: Scope, place: Place, *, columns: bool) -> Shape:
    """Read exactly one shape; `columns` allows rows to carry knowledge and sensitive values."""
    kind = keys.one_of(SHAPES, "a distribution has exactly one shape")
    given = keys.take(kind)
    at = place.at(kind)
    if kind == "iid":
        law = record_law(scope.value_law(given, at), scope.values)
        return Independent(Repeated(law, scope.size))
    if kind == "independent":
        tables = listed(given, at, f"a list of {scope.size} tables")
        if len(tables) != scope.size:
            raise InputError(f"given {many(len(tables), 'table')}", where=str(at), wanted=f"{scope.size}, one a record")
        return Independent(
            tuple(
                record_law(scope.value_law(one, at.at(f"record {i}", i)), scope.values) for i, one in enumerate(tables)
            )
        )
    if kind == "mixture":
        return _mixture(given, scope, at)
    if kind == "groups":
        return _groups(given, scope, at)
    return _network(given, scope, at) if kind == "network" else _table(given, scope, at, columns=columns)


def _table(given: object, scope: Scope, place: Place, *, columns: bool) -> Table:
    rows = listed(given, place, "a list of rows")
    if not rows:
        raise InputError("given an empty table", where=str(place), wanted="rows whose probabilities sum to 1")
    read: list[tuple[Database, Any, Any, Any]] = []
    seen: dict[tuple[object, ...], int] = {}
    carried: dict[str, bool] = {}
    for number, row in enumerate(rows, start=1):
        at = place.at(f"row {number}", number - 1)
        keys = Keys(row, at, 'a row such as { database = [0, 1], probability = "1/2" }')
        database = scope.database(keys.take("database"), at.at("database"))
        weight = probability(keys.take("probability"), str(at.at("probability")))
        extra = []
        for column in ("knowledge", "sensitive"):
            there = keys.has(column)
            if there and not columns:
                raise InputError(
                    f"a part of a mixture carries `{column}`",
                    where=str(at),
                    wanted="parts without row columns",
                )
            if carried.setdefault(column, there) != there:
                raise InputError(
                    f"this row {'has' if there else 'lacks'} `{column}`, unlike row 1",
                    where=str(at),
                    wanted=f"`{column}` in all rows or in none",
                )
            extra.append(scope.label(keys.take(column), at.at(column)) if there else None)
        keys.done()
        key = (database, *extra)
        if key in seen:
            raise InputError(
                f"this row repeats row {seen[key]}",
                where=str(at),
                wanted="distinct rows",
                tip="rows are compared as (database, knowledge, sensitive)",
            )
        seen[key] = number
        read.append((database, weight, extra[0], extra[1]))
    shared = common_denominator((weight.denominator for _, weight, _, _ in read), str(place))
    total = sum(weight for _, weight, _, _ in read)
    refuse_other_sum(total, f"{len(read)} rows whose probabilities", str(place))
    return Table(
        tuple(
            World(database, weight.numerator * (shared // weight.denominator), knowledge, sensitive)
            for database, weight, knowledge, sensitive in read
            if weight
        ),
        shared,
    )


def _groups(given: object, scope: Scope, place: Place) -> Groups:
    """Groups of consecutive records; `size` records a group (default 1), `times` such groups (default 1)."""
    found, total = [], 0
    for number, part in enumerate(listed(given, place, "a list of groups"), start=1):
        at = place.at(f"group {number}", number - 1)
        keys = Keys(part, at, "a group such as { times = 5, size = 2, table = [ … ] }")
        times, size = (integer(keys.take(key, 1), at.at(key), "a number of " + what, 1) for key, what in COUNTS)
        total += times * size
        if total > scope.size:
            raise InputError(
                f"given groups of {total:,} records or more",
                where=str(at),
                wanted=f"{scope.size:,} together, the `size`",
            )
        found.append((times, size, read_shape(keys, replace(scope, size=size), at, columns=False)))
        keys.done()
    if total != scope.size:
        raise InputError(
            f"given groups of {many(total, 'record')} together",
            where=str(place),
            wanted=f"{scope.size:,}, the `size`",
            tip="`times` groups of `size` records each; both are 1 where they are left out",
        )
    return Groups(tuple(found))


def _mixture(given: object, scope: Scope, place: Place) -> Mixture:
    parts = listed(given, place, "a list of weighted parts")
    names, weights, shapes = [], {}, []
    for number, part in enumerate(parts, start=1):
        at = place.at(f"part {number}", number - 1)
        keys = Keys(part, at)
        name = scope.label(string(keys.take("name", f"#{number}"), at.at("name"), "a name"), at)
        if name in weights:
            raise InputError(f"given the name {name} twice", where=str(at), wanted="distinct names")
        names.append(name)
        weights[name] = probability(keys.take("weight"), str(at.at("weight")))
        shapes.append(read_shape(keys, scope, at, columns=False))
        keys.done()
    if not parts:
        raise InputError("given no part", where=str(place), wanted="parts whose weights sum to 1")
    common_denominator((weight.denominator for weight in weights.values()), str(place.at("weights")))
    law = Law.of(dict(weights), str(place.at("weights")))
    integers, total = record_law(law, tuple(names))
    return Mixture(tuple(names), integers, total, tuple(shapes))


def _network(given: object, scope: Scope, place: Place) -> Network:
    nodes: list[Node] = []
    for number, one in enumerate(listed(given, place, "a list of nodes"), start=1):
        at = place.at(f"node {number}", number - 1)
        keys = Keys(one, at)
        record = scope.record(keys.take("record"), at.at("record"))
        earlier = [node.record for node in nodes]
        if record in earlier:
            raise InputError(f"given the record {record} twice", where=str(at), wanted="each record once")
        parents = tuple(scope.records(keys.take("given", []), at.at("given")))
        for parent in parents:
            if parent not in earlier:
                raise InputError(
                    f"record {record} is given record {parent}, which comes later or never",
                    where=str(at.at("given")),
                    wanted="parents that stand before their children",
                )
        laws: dict[Database, tuple[tuple[int, ...], int]] = {}
        if not parents:
            laws[()] = record_law(scope.value_law(keys.take("table"), at.at("table")), scope.values)
        else:
            for k, row in enumerate(listed(keys.take("rows"), at.at("rows"), "a list of rows"), start=1):
                here = at.at(f"row {k}", "rows", k - 1)
                inner = Keys(row, here)
                when = listed(inner.take("when"), here.at("when"), "a list of values")
                if len(when) != len(parents):
                    raise InputError(
                        f"given {many(len(when), 'value')}",
                        where=str(here.at("when")),
                        wanted=f"{len(parents)}, one a parent",
                    )
                key = tuple(scope.value(v, here.at("when")) for v in when)
                if key in laws:
                    raise InputError("given the same `when` twice", where=str(here), wanted="distinct rows")
                laws[key] = record_law(scope.value_law(inner.take("table"), here.at("table")), scope.values)
                inner.done()
        keys.done()
        common_denominator((total for _, total in laws.values()), str(at))
        nodes.append(Node(record, parents, laws))
    if len(nodes) != scope.size:
        raise InputError(f"given {many(len(nodes), 'node')}", where=str(place), wanted=f"{scope.size}, one a record")
    _every_case(nodes, scope, place)
    return Network(tuple(nodes))


def _every_case(nodes: list[Node], scope: Scope, place: Place) -> None:
    """Refuse a network that lacks a row for parents' values that can occur together.

    The values of the records that a later node is given are carried along; where there are very many, a missing row
    is found when it is reached.
    """
    states: set[tuple[tuple[int, int], ...]] = {()}
    for number, node in enumerate(nodes, start=1):
        needed = {parent for later in nodes[number:] for parent in later.given}
        after = set()
        for state in states:
            at = dict(state)
            case = tuple(at[parent] for parent in node.given)
            if case not in node.laws:
                shown = database_text(case, scope.values)
                raise InputError(
                    f"record {node.record} has no row for its parents' values {shown}",
                    where=str(place.at(f"node {number}", number - 1)),
                    wanted="a row for every combination of parents' values that can occur",
                )
            for v, weight in enumerate(node.laws[case][0]):
                if weight:
                    carried = {**at, node.record: v}
                    after.add(tuple(sorted((i, x) for i, x in carried.items() if i in needed)))
        if len(after) > MAX_CARRIED:
            return
        states = after
