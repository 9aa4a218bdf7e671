"""Shapes of a distribution θ: each lists worlds with exact integer weights over one denominator."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from itertools import product as cartesian
from math import factorial, lcm, prod
from typing import NamedTuple, TypeAlias

from verifier.model.mechanism import Database, groups_of
from verifier.tables import Label, Law


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


Shape: TypeAlias = Table | Independent | Mixture | Network | Groups | Exchangeable


def record_law(law: Law, values: tuple[Label, ...]) -> tuple[tuple[int, ...], int]:
    """A record's law as one integer weight a value, over one denominator."""
    at = dict(law.items())
    return tuple(at.get(v, 0) for v in values), law.denominator
