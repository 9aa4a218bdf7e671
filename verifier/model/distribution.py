"""Data-generating distributions θ: shapes that list worlds with exact weights; and what an attacker knows of a world.

Θ is a list of pairs (θ, ζ): `Theta` has the background knowledge ζ, one function of the family Z, beside its shape.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from fractions import Fraction
from itertools import product as cartesian
from math import lcm, prod
from typing import NamedTuple, TypeAlias

from verifier.model.mechanism import Database, Mechanism, Statistic
from verifier.model.repeated import groups_of
from verifier.numbers import quotient
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
            for partial, weight in drawn.items():
                weights, total = node.laws[tuple(partial[k] for k in parents)]
                for v, part in enumerate(weights):
                    if part:
                        after[(*partial, v)] = weight * part * (shared // total)
            drawn = after
        order = [node.record for node in self.nodes]
        places = [order.index(i) for i in sorted(order)]
        rows = sorted((tuple(partial[k] for k in places), weight) for partial, weight in drawn.items())
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
        for chosen in cartesian(*worlds_of_groups):
            database = tuple(v for world in chosen for v in world.database)
            yield World(database, prod(world.weight for world in chosen))


Shape: TypeAlias = Table | Independent | Mixture | Network | Groups


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


def record_law(law: Law, values: tuple[Label, ...]) -> tuple[tuple[int, ...], int]:
    """A record's law as one integer weight a value, over one denominator."""
    at = dict(law.items())
    return tuple(at.get(v, 0) for v in values), law.denominator
