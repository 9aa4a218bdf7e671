"""Distributions in which records depend on each other: networks, Markov chains, laws of counts and of histograms.

A network draws the records one after the other, each given some earlier ones; a chain is a network in which each is
given the one before. A law of how many people have which value leaves open who has it: every arrangement is alike.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from fractions import Fraction
from math import lcm, prod
from typing import Any

from verifier.errors import InputError, LimitError
from verifier.model.forms import (
    LAW_OF_RECORD,
    PROBABILITY,
    RECORD,
    RECORDS,
    VALUE,
    Domain,
    Form,
    Key,
    by_value,
    defined,
    flat,
    keys_schema,
    list_schema,
    record_law,
    values_of,
    whole,
)
from verifier.model.keys import Keys, Location, listed, rows
from verifier.model.mechanism import Database, World, database_text
from verifier.model.multisets import arranged, arrangements_of
from verifier.numbers import common_denominator, plural, refuse_other_sum, shorten

MOST_TOGETHER = 1 << 10
"""Most records of a chain, and of people of whom a count has a law."""
MAX_CARRIED = 1 << 16
"""Most combinations of carried parents' values that are walked when a network is read."""


@dataclass(frozen=True)
class Node:
    """One record of a network: its law for each combination of its parents' values."""

    record: int
    parents: tuple[int, ...]
    laws: dict[Database, tuple[tuple[int, ...], int]]


@dataclass(frozen=True)
class Network:
    """Records drawn one after the other, each given some earlier ones; all records, or a connected part of them."""

    nodes: tuple[Node, ...]

    @property
    def denominator(self) -> int:
        """The product over the records of a common denominator of their rows."""
        return prod(lcm(*(total for _, total in node.laws.values())) for node in self.nodes)

    def count(self) -> int:
        """An upper bound: the product of the largest supports."""
        return prod(
            max(sum(1 for weight in weights if weight) for weights, _ in node.laws.values()) for node in self.nodes
        )

    def worlds(self) -> Iterator[World]:
        """The worlds of positive probability, in lexicographic order of the values."""
        drawn: dict[Database, int] = {(): 1}
        for node in self.nodes:
            shared = lcm(*(total for _, total in node.laws.values()))
            order = [n.record for n in self.nodes[: self.nodes.index(node)]]
            parents = [order.index(parent) for parent in node.parents]
            after: dict[Database, int] = {}
            for known, weight in drawn.items():
                weights, total = node.laws[tuple(known[k] for k in parents)]
                for v, part in enumerate(weights):
                    if part:
                        after[(*known, v)] = weight * part * (shared // total)
            drawn = after
        order = [node.record for node in self.nodes]
        places = [order.index(i) for i in sorted(order)]
        rows = sorted((tuple(known[k] for k in places), weight) for known, weight in drawn.items())
        return iter([World(database, weight) for database, weight in rows])


@dataclass(frozen=True)
class Exchangeable:
    """Records of which the histogram h alone has a law: given it, every arrangement is equally likely.

    P[D = d] = P[h(d)]·Π h_v!/n!, so that the records are exchangeable. `histograms` are the pairs (h, weight of h), h
    as one count a value, of positive weights over `total`.

    >>> Exchangeable((((1, 1), 1), ((0, 2), 3)), 4).count()
    3
    """

    histograms: tuple[tuple[tuple[int, ...], int], ...]
    total: int

    @property
    def denominator(self) -> int:
        """The total, times a common multiple of the numbers of arrangements."""
        return self.total * self._arrangements

    @property
    def _arrangements(self) -> int:
        """A common multiple of the numbers of arrangements."""
        return lcm(*(arrangements_of(histogram) for histogram, _ in self.histograms))

    def count(self) -> int:
        """How many worlds have positive probability."""
        return sum(arrangements_of(histogram) for histogram, _ in self.histograms)

    def worlds(self) -> Iterator[World]:
        """The worlds of positive probability, in lexicographic order of the values."""
        shared = self._arrangements
        rows = [
            (database, weight * (shared // arrangements_of(histogram)))
            for histogram, weight in self.histograms
            for database in arranged(histogram)
        ]
        return iter([World(database, weight) for database, weight in sorted(rows)])


def _network(domain: Domain, raw: object, location: Location) -> Network:
    nodes: list[Node] = []
    for keys in rows(raw, location, "a list of nodes", "node"):
        at = keys.location
        record, given = values_of(keys, NODE, domain).values()
        earlier = [node.record for node in nodes]
        if record in earlier:
            raise InputError(f"the record {record} is given twice", where=str(at), wanted="each record once")
        parents = tuple(given)
        for parent in parents:
            if parent not in earlier:
                raise InputError(
                    f"record {record} is given record {parent}, which comes later or never",
                    where=str(at.at("given")),
                    wanted="parents that stand before their children",
                )
        laws: dict[Database, tuple[tuple[int, ...], int]] = {}
        if not parents:
            laws[()] = record_law(VALUE_LAW.read(keys, domain), domain.values)
        else:
            for k, row in enumerate(keys.read("rows", listed, "a list of rows"), start=1):
                inner = Keys(row, at.at(f"row {k}", "rows", k - 1))
                key, law = values_of(inner, CASE, domain).values()
                if len(key) != len(parents):
                    raise InputError(
                        f"`when` has {plural(len(key), 'value')}",
                        where=str(inner.location.at("when")),
                        wanted=f"{len(parents)}, one a parent",
                    )
                if key in laws:
                    raise InputError(
                        "the same `when` is given twice", where=str(inner.location), wanted="distinct rows"
                    )
                laws[key] = record_law(law, domain.values)
                inner.done()
        keys.done()
        common_denominator((total for _, total in laws.values()), str(at))
        nodes.append(Node(record, parents, laws))
    if len(nodes) != domain.size:
        raise InputError(
            f"the list has {plural(len(nodes), 'node')}", where=str(location), wanted=f"{domain.size}, one a record"
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


def _chain(domain: Domain, raw: object, location: Location) -> Network:
    """A Markov chain over the records in their order, as a network in which each record is given the one before."""
    keys = Keys(raw, location, "a table { start, step }")
    start, step = values_of(keys, CHAIN_KEYS, domain).values()
    keys.done()
    _refuse_many(domain, location, "a chain")
    laws: dict[Database, tuple[tuple[int, ...], int]] = {
        (v,): record_law(law, domain.values) for v, law in enumerate(step)
    }
    common_denominator((total for _, total in laws.values()), str(location.at("step")))
    first = Node(0, (), {(): record_law(start, domain.values)})
    return Network((first, *(Node(record, (record - 1,), laws) for record in range(1, domain.size))))


def _counts(domain: Domain, raw: object, location: Location) -> Exchangeable:
    """Exchangeable people: a law of how many have a value, or of the histogram; all arrangements are alike."""
    _refuse_many(domain, location, "a law of counts")
    chances = _of_count(domain, raw, location) if isinstance(raw, Mapping) else _of_histogram(domain, raw, location)
    shared = common_denominator((chance.denominator for chance in chances.values()), str(location))
    total = sum(chances.values(), Fraction(0))
    refuse_other_sum(total, f"the probabilities of {plural(len(chances), 'histogram')}", str(location))
    weights = ((h, chance.numerator * (shared // chance.denominator)) for h, chance in chances.items() if chance)
    return Exchangeable(tuple(weights), shared)


def _refuse_many(domain: Domain, location: Location, what: str) -> None:
    if domain.size > MOST_TOGETHER:
        raise LimitError(
            f"{what} is of {domain.size:,} records",
            where=str(location),
            wanted=f"at most {MOST_TOGETHER:,}",
            tip="`groups` repeats a small shape: { times = 500, size = 2, … }",
        )


def _of_count(domain: Domain, raw: object, location: Location) -> dict[tuple[int, ...], Fraction]:
    """The probability of each histogram of two values, from the law of how many records have one of them."""
    keys = Keys(raw, location)
    value, law = values_of(keys, COUNTED, domain).values()
    keys.done()
    if len(domain.values) != 2:
        raise InputError(
            f"`value` is counted, and the model has {plural(len(domain.values), 'value')}",
            where=str(location),
            wanted="two values, or a list of histograms",
            tip='counts = [ { histogram = [2, 1, 0], probability = "1/2" }, … ]',
        )
    return {tuple(number if v == value else domain.size - number for v in range(2)): chance for number, chance in law}


def _of_histogram(domain: Domain, raw: object, location: Location) -> dict[tuple[int, ...], Fraction]:
    """The probability of each histogram that is listed."""
    chances: dict[tuple[int, ...], Fraction] = {}
    for keys in rows(raw, location, "a table { value, table }, or a list of histograms", "row"):
        histogram, chance = values_of(keys, HISTOGRAM, domain).values()
        at = str(keys.location.at("histogram"))
        keys.done()
        if len(histogram) != len(domain.values):
            wanted = f"{len(domain.values)}, one a value"
            raise InputError(f"the histogram has {plural(len(histogram), 'count')}", where=at, wanted=wanted)
        if sum(histogram) != domain.size:
            number = plural(sum(histogram), "record")
            raise InputError(f"the histogram has {number}", where=at, wanted=f"{domain.size}, the `size`")
        if histogram in chances:
            raise InputError("this histogram is given twice", where=at, wanted="one row for each")
        chances[histogram] = chance
    if not chances:
        raise InputError("the list is empty", where=str(location), wanted="rows whose probabilities sum to 1")
    return chances


def _count_table(domain: Domain, raw: object, location: Location) -> tuple[tuple[int, Fraction], ...]:
    """The law of a number of records, as pairs in the order of the file."""
    table = Keys(raw, location, "a table from numbers of records to probabilities").left
    numbers = {str(number): number for number in range(domain.size + 1)}
    for key in table:
        if key not in numbers:
            raise InputError(
                f"{shorten(key)} is not a number of records", where=str(location), wanted=f"0 to {domain.size}"
            )
    return tuple((numbers[key], PROBABILITY.read(domain, chance, location.at(key))) for key, chance in table.items())


# --- the keys of each table, and the shapes ------------------------------------------------------------------------

NODE = (
    Key("record", RECORD, "the record"),
    Key("given", RECORDS, "the records, earlier in the list, on which its law depends", ()),
)
VALUE_LAW = Key("table", LAW_OF_RECORD, "the law of the value")
CASE = (Key("when", flat(VALUE, "a list of values"), "the values of the records in `given`"), VALUE_LAW)

CHAIN_KEYS = (
    Key("start", LAW_OF_RECORD, "the law of the first record"),
    Key("step", by_value(LAW_OF_RECORD), "for each value of a record, the law of the next one"),
)
COUNTED = (
    Key("value", VALUE, "the value that is counted, of two"),
    Key(
        "table",
        Form(_count_table, {"type": "object", "additionalProperties": defined("probability")}),
        "the probability that so many records have it; numbers that are left out have probability 0",
    ),
)
HISTOGRAM = (
    Key(
        "histogram",
        flat(whole("a number of records", 0), "a list of counts"),
        "how many records have each value, in the order of `values`",
    ),
    Key("probability", PROBABILITY, "the probability of this histogram"),
)
_ROWS = {"rows": list_schema(keys_schema(CASE)), "table": LAW_OF_RECORD.schema}
NETWORK: Form[Any] = Form(_network, list_schema(keys_schema(NODE, _ROWS), 1))
CHAIN: Form[Any] = Form(_chain, keys_schema(CHAIN_KEYS))
COUNTS: Form[Any] = Form(_counts, {"anyOf": [keys_schema(COUNTED), list_schema(keys_schema(HISTOGRAM), 1)]})
