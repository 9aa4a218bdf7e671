"""What the definitions compare: pairs of laws on databases, by name, before any mechanism is looked at.

A law on databases is named, not computed: *θ given B̂ and S = a* (`Given`), *that, with the record set to b*
(`Replaced`), *this database* (`Point`). S is the value of the protected record, or another sensitive attribute. The
law of outputs that belongs to a name is Σ_D p(D)·M(D), up to its total; the caller says what p(D) and M(D) are:
integers, columns of many models, unknowns of a solver. Nothing is divided here and nothing is decided.

A builder lists the groups of rows of one θ and one sensitive attribute. A row is compared where every name in its
`where` has positive mass. Each group is one comparison, of which the aggregation takes the worst row or the average.

Where a record is changed (`counterfactual`, `posterior`, `neighbouring`) it is there before and after: the value that
says that a record is absent is none of its values. Where θ is conditioned on a value (`conditional`), it is one.
"""

from __future__ import annotations

from collections.abc import Callable, Hashable, Iterator, Sequence
from dataclasses import dataclass
from functools import cached_property
from itertools import product
from typing import Any, NamedTuple, TypeAlias

from verifier.errors import InputError
from verifier.tables import collected

FORWARD, BACKWARD = "factual against counterfactual", "counterfactual against factual"
"""The two orders of a row whose laws are of different kinds, as witnesses name them."""


class Given(NamedTuple):
    """θ given B̂ and S = value; where `known` is None, given S = value alone."""

    known: Any
    value: Any

    @property
    def event(self) -> Given:
        """The event whose mass is the total of the law."""
        return self


class Replaced(NamedTuple):
    """The law of D with the record set to `by`, where D is from θ given B̂ and S = value."""

    known: Any
    value: Any
    by: Any

    @property
    def event(self) -> Given:
        """The event whose mass is the total of the law."""
        return Given(self.known, self.value)


class Point(NamedTuple):
    """One database, possible or not."""

    database: tuple[int, ...]

    @property
    def event(self) -> None:
        """A point has mass 1."""


Name: TypeAlias = Given | Replaced | Point
"""A law on databases."""


class NamedRow(NamedTuple):
    """P against Q: one law each, or for beliefs one law for each value of S, in the same order."""

    p: tuple[Name, ...]
    q: tuple[Name, ...]
    where: tuple[Given, ...] = ()

    @property
    def event(self) -> Given | None:
        """The event that P is conditioned on; its mass is the weight of the row in an average."""
        return self.p[0].event


class RowGroup(NamedTuple):
    """The rows of one comparison, and the `orders` in which P and Q are compared.

    It is compared only where every event in `where` has positive mass.
    """

    a: Any
    b: Any
    rows: tuple[NamedRow, ...]
    orders: tuple[str, ...] = ("",)
    where: tuple[Given, ...] = ()


@dataclass(frozen=True)
class BuilderCase:
    """What a builder sees of one θ and one sensitive attribute S."""

    values: Sequence[Any]
    """T, the values that a record can have."""
    domain: Sequence[Any]
    """The values of S."""
    knowledge: Sequence[Hashable]
    """The knowledge values B̂ that are possible."""
    positions: tuple[int, int]
    """The number of records, and the position of the protected one."""
    absent: Any
    """The value of a record that is not there, spelled as in `values`; None where there is no such value."""

    def present(self, values: Sequence[Any]) -> list[Any]:
        """The values that a record can have which is there: only between these is a record changed."""
        return [value for value in values if value != self.absent]

    def possible(self, known: Hashable, *values: Any) -> bool:
        """Whether S can take each of the values given B̂; without B̂ (None), for some B̂."""
        raise NotImplementedError


Builder: TypeAlias = Callable[[BuilderCase, str], Iterator[RowGroup]]
"""Lists what is compared for one θ and one sensitive attribute, under a reading."""


def ordered(values: Sequence[Any], reading: str) -> Iterator[tuple[Any, Any]]:
    """Yield the pairs (a, b) of different values: in both orders, or under `one-order` with a listed before b."""
    for x, a in enumerate(values):
        for y, b in enumerate(values):
            if x != y and (reading != "one-order" or x < y):
                yield a, b


def conditional(case: BuilderCase, reading: str) -> Iterator[RowGroup]:
    """M(D) given B̂ and S = a against M(D) given B̂ and S = b (DMKB20, Definitions 3, 12 and 13).

    Under `infinite-loss` a B̂ that excludes b is compared too: Q then has mass 0.
    """
    lossy = reading == "infinite-loss"
    for a, b in ordered([value for value in case.domain if case.possible(None, value)], reading):
        rows = tuple(
            NamedRow((Given(known, a),), (Given(known, b),), (Given(known, a),) if lossy else _both(known, a, b))
            for known in case.knowledge
            if (case.possible(known, a) if lossy else case.possible(known, a, b))
        )
        yield RowGroup(a, b, rows, where=(Given(None, b),) if lossy else ())


def counterfactual(case: BuilderCase, reading: str) -> Iterator[RowGroup]:
    """M(D) against M(D with i set to b), both given B̂ and D(i) = a, in both directions (DMKB20, Definition 5).

    b is possible given B̂; under `all-values` any value of T.
    """
    every = reading == "all-values"
    for a, b in product(case.present(case.domain), case.present(case.values)):
        if a == b or not case.possible(None, a):
            continue
        rows = tuple(
            NamedRow((Given(known, a),), (Replaced(known, a, b),), (Given(known, a),) if every else _both(known, a, b))
            for known in case.knowledge
            if (case.possible(known, a) if every else case.possible(known, a, b))
        )
        yield RowGroup(a, b, rows, _orders(reading))


def posterior(case: BuilderCase, reading: str) -> Iterator[RowGroup]:
    """D(i) given B̂ and M(D) = t against D(i) given B̂ and M(D with i set to b) = t (DMKB20, Definition 6).

    b is any value of T (under `possible-values` one that B̂ leaves possible); t is any output that both can produce.
    """
    only_possible = reading == "possible-values"
    for b, known in product(case.present(case.values), case.knowledge):
        if only_possible and not case.possible(known, b):
            continue
        values = [value for value in case.present(case.domain) if case.possible(known, value)]
        if not values:  # of many models at once, no one may have this B̂
            continue
        factual = tuple(Given(known, value) for value in values)
        changed = tuple(Given(known, value) if value == b else Replaced(known, value, b) for value in values)
        row = NamedRow(factual, changed, (Given(known, b),) if only_possible else ())
        yield RowGroup(None, b, (row,), _orders(reading))


def neighbouring(case: BuilderCase, reading: str) -> Iterator[RowGroup]:
    """M(D) against M(D′) for all databases of Tⁿ that differ in one record (DMKB20, Definition 2)."""
    size, record = case.positions
    for a, b in ordered(case.present(case.values), reading):
        for others in product(range(len(case.values)), repeat=size - 1):
            first, second = ((*others[:record], case.values.index(v), *others[record:]) for v in (a, b))
            yield RowGroup(a, b, (NamedRow((Point(first),), (Point(second),)),))


def _both(known: Hashable, a: Any, b: Any) -> tuple[Given, ...]:
    return Given(known, a), Given(known, b)


def _orders(reading: str) -> tuple[str, ...]:
    return (FORWARD,) if reading == "one-order" else (FORWARD, BACKWARD)


def weights(name: Name, worlds: Sequence[tuple[Any, Hashable, Hashable, Any]], record: int) -> dict[Any, Any]:
    """Expand a name: p(D) for each database D, up to its total; the weights may be of any commutative ring.

    `worlds` lists (D, B̂, S, weight). Every engine that is faster is compared with this one.

    >>> worlds = [((0, 0), "k", 0, 2), ((1, 0), "k", 1, 3), ((1, 1), "k", 1, 5)]
    >>> weights(Given("k", 1), worlds, 0)
    {(1, 0): 3, (1, 1): 5}
    >>> weights(Replaced("k", 1, 0), worlds, 0)
    {(0, 0): 3, (0, 1): 5}

    Raises:
        InputError: for a name that is no `Given`, `Replaced` or `Point`.

    """
    if isinstance(name, Point):
        return {name.database: 1}
    if not isinstance(name, Given | Replaced):
        raise InputError(f"{name!r} is not the name of a law", wanted="Given, Replaced or Point")
    total: dict[Any, Any] = {}
    for database, known, value, weight in worlds:
        if value == name.value and name.known in {None, known}:
            at = database
            if isinstance(name, Replaced):
                at = (*database[:record], name.by, *database[record + 1 :])
            total[at] = total[at] + weight if at in total else weight
    return total


@dataclass(frozen=True)
class Worlds(BuilderCase):
    """A case that is listed: the possible worlds of θ as rows (D, B̂, S, weight)."""

    worlds: Sequence[tuple[Any, Hashable, Hashable, Any]]

    @cached_property
    def _events(self) -> dict[tuple[Hashable, Hashable], list[tuple[Any, Hashable, Hashable, Any]]]:
        """The worlds of each (B̂, S), and of each S alone."""
        return collected(((known, world[2]), world) for world in self.worlds for known in (world[1], None))

    def mass(self, event: Given) -> Any:
        """The total weight of the worlds in an event."""
        return sum(weight for *_, weight in self._events.get(event, ()))

    def possible(self, known: Hashable, *values: Any) -> bool:
        """Whether S can take each of the values given B̂; without B̂ (None), for some B̂."""
        return all((known, value) in self._events for value in values)

    def law(self, name: Name) -> dict[Any, Any]:
        """The weights of a law on databases, up to their total."""
        worlds = () if name.event is None else self._events.get(name.event, ())
        return weights(name, worlds, self.positions[1])
