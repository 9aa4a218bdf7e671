"""The decomposition of a distribution into independent groups of records, for each component of a mixture."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from functools import cached_property
from itertools import product as cartesian
from math import prod

from verifier.model import (
    Database,
    Exchangeable,
    Groups,
    Independent,
    Mixture,
    Model,
    Network,
    Shape,
    Table,
    check_size,
)
from verifier.tables import Label, collected, gathered

MAX_GROUP = 1 << 12
"""Most combinations of values that one group of dependent records may have."""


@dataclass(frozen=True)
class RecordGroup:
    """Records that are drawn together, independently of all others: rows of values with integer weights."""

    records: tuple[int, ...]
    rows: tuple[tuple[Database, int], ...]

    @cached_property
    def denominator(self) -> int:
        """The sum of the weights of the rows, over which each weight is a probability."""
        return sum(weight for _, weight in self.rows)


@dataclass(frozen=True)
class Component:
    """One component of a mixture: its groups, and the factor that brings their weights over a common denominator."""

    name: Label | None
    scale: int
    groups: tuple[RecordGroup, ...]


def separable(model: Model, shape: Shape) -> bool:
    """Whether a distribution falls into small independent groups, given the component."""
    if isinstance(shape, Mixture):
        return all(separable(model, component) for component in shape.components)
    if isinstance(shape, Table):
        plain = shape.rows[0].knowledge is None and shape.rows[0].sensitive is None
        return plain and shape.count() <= MAX_GROUP
    if isinstance(shape, Exchangeable):
        return shape.count() <= MAX_GROUP
    if isinstance(shape, Groups):
        return all(isinstance(part, Independent) or part.count() <= MAX_GROUP for _, _, part in shape.blocks)
    if isinstance(shape, Network):
        return all(len(model.values) ** len(records) <= MAX_GROUP for records in _connected(shape))
    return True


def components(shape: Shape) -> list[Component]:
    """The components of a distribution, all with the same groups of records.

    Raises:
        LimitError: where groups must be joined, since another component has them together, and become too large.

    """
    listed = list(_components(shape, 1, None))
    partition = _join([[group.records for group in component.groups] for component in listed])
    return [Component(component.name, component.scale, _joined(component.groups, partition)) for component in listed]


def _components(shape: Shape, scale: int, name: Label | None) -> Iterator[Component]:
    if isinstance(shape, Mixture):
        for part_name, factor, part in zip(shape.names, shape.scales(), shape.components, strict=True):
            if factor:
                yield from _components(part, scale * factor, name or part_name)
    elif isinstance(shape, Independent):
        shared: dict[tuple[int, ...], list[tuple[Database, int]]] = {}
        groups = []
        for i, (weights, _) in enumerate(shape.laws):
            if weights not in shared:
                shared[weights] = [((v,), weight) for v, weight in enumerate(weights) if weight]
            groups.append(RecordGroup((i,), tuple(shared[weights])))
        yield Component(name, scale, tuple(groups))
    elif isinstance(shape, Groups):
        yield Component(name, scale, tuple(_repeated(shape)))
    elif isinstance(shape, Network):
        yield Component(name, scale, tuple(_drawn(shape, records) for records in _connected(shape)))
    else:
        rows = tuple((world.database, world.weight) for world in shape.worlds())
        yield Component(name, scale, (RecordGroup(tuple(range(len(rows[0][0]))), rows),))


def _repeated(shape: Groups) -> Iterator[RecordGroup]:
    """The groups of each repetition; a latent choice inside a group is summed out."""
    start = 0
    for times, size, part in shape.blocks:
        split = isinstance(part, Independent | Network | Groups)
        inner = next(_components(part, 1, None)).groups if split else (_summed(part, size),)
        for _ in range(times):
            yield from (RecordGroup(tuple(start + i for i in group.records), group.rows) for group in inner)
            start += size


def _summed(part: Shape, size: int) -> RecordGroup:
    rows = gathered((world.database, world.weight) for world in part.worlds())
    return RecordGroup(tuple(range(size)), tuple(sorted(rows.items())))


def _connected(network: Network) -> list[tuple[int, ...]]:
    """The records of each connected part of a network."""
    return _join([[(node.record, *node.parents) for node in network.nodes]])


def _join(partitions: list[list[tuple[int, ...]]]) -> list[tuple[int, ...]]:
    """The finest partition in which records that any set has together stay together."""
    if all(len(records) == 1 for sets in partitions for records in sets):
        return sorted(set(partitions[0]))
    leader: dict[int, int] = {}

    def find(i: int) -> int:
        while leader.setdefault(i, i) != i:
            leader[i] = leader[leader[i]]
            i = leader[i]
        return i

    for sets in partitions:
        for first, *following in sets:
            find(first)
            for record in following:
                leader[find(record)] = find(first)
    joined = collected((find(i), i) for i in sorted(leader))
    return sorted(tuple(records) for records in joined.values())


def _drawn(network: Network, records: tuple[int, ...]) -> RecordGroup:
    """The joint law of one connected part."""
    part = Network(tuple(node for node in network.nodes if node.record in records))
    return RecordGroup(records, tuple((world.database, world.weight) for world in part.worlds()))


def _joined(groups: tuple[RecordGroup, ...], partition: list[tuple[int, ...]]) -> tuple[RecordGroup, ...]:
    """The groups put together where the partition has them together."""
    if [group.records for group in groups] == partition:
        return groups
    of_record = {i: group for group in groups for i in group.records}
    joined = []
    for records in partition:
        joined_groups = list(dict.fromkeys(of_record[i] for i in records))
        rows = prod(len(group.rows) for group in joined_groups)
        fact = f"{len(records)} dependent records have {rows:,} combinations of values"
        check_size(rows, MAX_GROUP, fact, fixed="combinations")
        joint = []
        for choice in cartesian(*(group.rows for group in joined_groups)):
            at = {
                i: v
                for group, (row, _) in zip(joined_groups, choice, strict=True)
                for i, v in zip(group.records, row, strict=True)
            }
            joint.append((tuple(at[i] for i in records), prod(weight for _, weight in choice)))
        joined.append(RecordGroup(records, tuple(sorted(joint))))
    return tuple(joined)
