"""The engine without a table: sums over independent groups of records (given a component), at any number of records.

The mechanism sees the database through Σᵢ element(i, D(i)) only, so the law of the sum is a product of small
polynomials, with one record or group left out by exact division. Known records enter as classes (`known`); the
law of outputs is a `pushforward` of the law of the sum, so that classes share the laws and differ by a shift.
"""

from __future__ import annotations

from collections.abc import Hashable, Iterator, Mapping, Sequence
from functools import cached_property, partial
from math import gcd
from typing import Any, TypeAlias

from verifier.engine.algebra import Addition, algebra_of
from verifier.engine.decomposition import RecordGroup, components, separable
from verifier.engine.enumerated import Joint, KnowledgeCase, Neighbours, Output
from verifier.engine.factored import MOST_SPREAD, Factored
from verifier.engine.knowledge_classes import Knowledge, KnowledgeClass, Open, Part, added_law
from verifier.errors import LimitError
from verifier.model import NOTHING, Database, Independent, Mixture, Model, Secret, Theta
from verifier.tables import Integer, Label, collected, label

Heads: TypeAlias = dict[tuple[tuple[int, int], ...], dict[int, list[dict[Any, int]]]]
"""`heads[known][v][k]`: the law of what the other records of the target's group add in the k-th component, where the
known ones have the values `known` and the target has the value v."""


def supports(model: Model) -> bool:
    """Whether the model is a sum over independent groups, with nothing, the component, or records known."""
    if model.mechanism.statistic is None or not model.protects_records:
        return False
    if not all(theta.zeta.plain for theta in model.thetas):
        return False
    return all(separable(model, theta.shape) and _joins(theta) for theta in model.thetas)


def _joins(theta: Theta) -> bool:
    """Whether the groups of several components are small when they are joined; independent records stay alone."""
    if isinstance(theta.shape, Mixture) and not all(isinstance(part, Independent) for part in theta.shape.components):
        try:
            components(theta.shape)
        except LimitError:
            return False
    return True


class ModelSums:
    """The monoid and the classes of known records, computed once for all distributions of a model."""

    def __init__(self, model: Model) -> None:
        self.model = model
        self.algebra = algebra_of(model)
        self.knowledge = Knowledge(self.algebra)
        self._laws: dict[Hashable, tuple[Any, Any]] = {}

    def with_draw(self, law: Any, record: int, v: int, shift: Any) -> Any:
        """The law of a sum plus what a record with value v adds, plus a constant; made once, for all classes."""
        draws = self.algebra.draws(record, v)
        key = id(law), tuple(draws.items()), v, shift
        if key not in self._laws:
            self._laws[key] = (
                law,
                law.plus({self.algebra.add(shift, element): weight for element, weight in draws.items()}),
            )
        return self._laws[key][1]

    def neighbours(self) -> Iterator[tuple[Neighbours, int]]:
        """All pairs of databases that differ in one record, by what the other records add up to.

        Each comes with the number of records that have the same pairs, of which its record is the first.
        """
        for record, members, classes in self._contexts():
            for a, b in self._replaced():
                for known_class in classes:
                    yield self.pair(record, a, b, known_class), members

    def factored(self, totals: int, *, one_order: bool) -> list[Factored] | None:
        """The pairs of `neighbours` as factors, record by record; with `one_order` only those with a < b.

        None where no record draws, where totals share an output or outputs are random, and where a polynomial would be
        much longer than the law of the total, which has so many `totals`.
        """
        algebra = self.algebra
        if not isinstance(algebra, Addition) or algebra.statistic.denominator == 1:
            return None
        if algebra.plan is None or algebra.plan.noise is not None or algebra.plan.lumps:
            return None
        pairs = [(a, b) for a, b in self._replaced() if not one_order or a < b]
        listed = [Factored(self, record, members, pairs, classes) for record, members, classes in self._contexts()]
        return listed if all(of_record.degree <= MOST_SPREAD * totals for of_record in listed) else None

    def pair(self, record: int, a: int, b: int, others: KnowledgeClass) -> Neighbours:
        """The laws of the output where a record has the value a, and where it has b, and the others are of a class."""
        law = self.open_law(self._nothing, others.open, 0)
        first, second = (
            self.algebra.output(self.with_draw(law, record, v, self.algebra.zero), others.shift) for v in (a, b)
        )
        return Neighbours(record, a, b, first, second, others.members, partial(_whole, others, record, a))

    @cached_property
    def _nothing(self) -> Any:
        return self.algebra.sum([])

    def _replaced(self) -> list[tuple[int, int]]:
        """The pairs of different values that a record may have, where it is there."""
        return [(a, b) for a in self.model.present for b in self.model.present if a != b]

    def _contexts(self) -> Iterator[tuple[int, int, list[KnowledgeClass]]]:
        """One record of each kind, the number of its kind, and the classes of the others' values."""
        alike = collected((self.algebra.alike(record), record) for record in self.model.protected_records)
        uniform = tuple(((v,), 1) for v in range(len(self.model.values)))
        for records in alike.values():
            record = records[0]
            other_groups = [[RecordGroup((i,), uniform)] for i in range(self.model.size) if i != record]
            yield record, len(records), self.knowledge.classes(other_groups, frozenset(range(self.model.size)), (1,))

    def open_law(self, law: Any, left: Open, component: int) -> Any:
        """The law of the sum of the wholly unknown groups (`law`) plus what is left open in partly known groups."""
        if not left:
            return self._laws.setdefault(("rest", id(law)), (law, law))[1]
        key = ("open", id(law), left, component)
        if key not in self._laws:
            open_laws = [self.knowledge.open_laws[number][component] for number, times in left for _ in range(times)]
            self._laws[key] = law, self.algebra.sum([dict(law.items()), *open_laws])
        return self._laws[key][1]


def _whole(context: KnowledgeClass, record: int, v: int) -> Database:
    at = {**context.first, record: v}
    return tuple(at[i] for i in sorted(at))


class ThetaSums:
    """The joint laws of one pair (θ, ζ), from sums over its independent groups."""

    def __init__(self, base: ModelSums, theta: Theta) -> None:
        self.base, self.model, self.algebra = base, base.model, base.algebra
        self.theta, self.known = theta, frozenset(theta.zeta.records)
        self.components = components(theta.shape)
        self.groups: list[tuple[RecordGroup, ...]] = list(zip(*(part.groups for part in self.components), strict=True))
        self.group_of = {i: k for k, group in enumerate(self.groups) for i in group[0].records}
        self._unknown_laws: dict[object, Any] = {}
        self._mixed_laws: dict[Hashable, Any] = {}

    @cached_property
    def targets(self) -> list[tuple[Secret, int]]:
        """The sensitive records up to exchange: the first of each class, with the number of its records."""
        alike_secrets: dict[Hashable, list[Secret]] = {}
        signatures = [self._signature(group) for group in self.groups]
        for secret in self.model.secrets:
            position = self.group_of[secret.record]  # type: ignore[index]
            where = self.groups[position][0].records.index(secret.record)
            alike_secrets.setdefault((where, signatures[position]), []).append(secret)
        return [(alike[0], len(alike)) for alike in alike_secrets.values()]

    def _signature(self, group: tuple[RecordGroup, ...]) -> Hashable:
        records = group[0].records
        return (
            tuple(component.rows for component in group),
            tuple((self.algebra.alike(i), i in self.known) for i in records),
        )

    def joint(self, secret: Secret, b: int | None) -> Joint:
        """The joint weights of (B, S, M(D)), or with b of (B, S, M(D with the record set to b)), by classes of B̂."""
        target = secret.record
        if target is None:
            raise TypeError("this model needs a table")
        told = self.theta.zeta.kind == "component"
        apart = collected((part.name if told else None, c) for c, part in enumerate(self.components))
        cases = [value for chosen in apart.values() for value in self._cases(target, b, chosen)]
        if self.known & set(self.groups[self.group_of[target]][0].records):
            order = sorted(self.known)
            cases.sort(key=lambda value: [dict(value.key[-1])[i] for i in order])  # type: ignore[index]
        return Joint(cases)

    def _cases(self, target: int, b: int | None, chosen: Sequence[int]) -> Iterator[KnowledgeCase]:
        """The classes of one group of components that the attacker does not tell apart."""
        own = self.groups[self.group_of[target]]
        partly = [
            [group[c] for c in chosen]
            for group in self.groups
            if group is not own and not self.known.isdisjoint(group[0].records)
        ]
        start = tuple(self.components[c].scale for c in chosen)
        classes = self.base.knowledge.classes(partly, self.known, start)
        heads = {
            known: {v: self.base.knowledge.normal(laws) for v, laws in cell.items()}
            for known, cell in self._heads(target, own, chosen).items()
        }
        # with one component and nothing left open, all laws have one total, which the masses need not carry
        alike = len(chosen) == 1 == len(self.components) and not any(known_class.open for known_class in classes)
        alike = alike and all(left is None for head in heads.values() for _, _, left in head.values())
        for number, known_class in enumerate(classes):
            for known, head in heads.items():
                laws: dict[Label, Output] = {}
                masses: dict[Label, Integer] = {}
                for v, (shift, factors, left) in head.items():
                    likelihood = [d * f for d, f in zip(known_class.direction, factors, strict=True)]
                    if v == b or not any(likelihood):
                        continue
                    shared = gcd(*likelihood)
                    unknown_law = self._mixed_unknown(
                        target, chosen, tuple(x // shared for x in likelihood), known_class.open, left
                    )
                    law = self.base.with_draw(unknown_law, target, v if b is None else b, shift)
                    value = self.model.values[v]
                    laws[value] = self.algebra.output(law, known_class.shift)
                    masses[value] = known_class.weight * shared * (1 if alike else law.total)
                if laws:
                    key = (tuple(chosen), number, known)
                    yield self._case(key, known_class, dict(known), chosen, laws, masses)

    def _case(
        self,
        key: tuple[Hashable, ...],
        known_class: KnowledgeClass,
        own: dict[int, int],
        chosen: Sequence[int],
        laws: Mapping[Label, Output],
        masses: Mapping[Label, Integer],
    ) -> KnowledgeCase:
        def name() -> Label:
            if self.theta.zeta.channel is None:
                named = self.components[chosen[0]].name if self.theta.zeta.kind == "component" else None
                return named or NOTHING
            at = {**known_class.first, **own}
            return label([self.model.values[at[i]] for i in self.theta.zeta.records])

        if own:
            key = (*key, tuple(sorted({**known_class.first, **own}.items())))
        return KnowledgeCase(key, name, laws, masses, known_class.members)

    def _heads(self, target: int, own: tuple[RecordGroup, ...], chosen: Sequence[int]) -> Heads:
        """What the other records of the target's group add, by what is known of the group and by the target's value."""
        heads: Heads = {}
        for k, c in enumerate(chosen):
            group = own[c]
            position = group.records.index(target)
            for row, weight in group.rows:
                known = tuple((i, v) for i, v in zip(group.records, row, strict=True) if i in self.known)
                cell = heads.setdefault(known, {}).setdefault(row[position], [{} for _ in chosen])[k]
                for element, part in added_law(self.algebra, group.records, row, without=target).items():
                    cell[element] = cell.get(element, 0) + weight * part
        return {known: dict(sorted(cell.items())) for known, cell in sorted(heads.items())}

    def _mixed_unknown(
        self, target: int, chosen: Sequence[int], direction: tuple[int, ...], left: Open, own: tuple[Part, ...] | None
    ) -> Any:
        """The law of all that is unknown but the target itself, mixed over the components."""
        key = (self._left_out(target), tuple(chosen), direction, left, None if own is None else _frozen(own))
        if key not in self._mixed_laws:
            weighted_laws = []
            for k, c in enumerate(chosen):
                if direction[k]:
                    law = self.base.open_law(self._unknown(target, c), left, k)
                    weighted_laws.append((direction[k], law if own is None else law.plus(own[k])))
            self._mixed_laws[key] = self.algebra.mixed(weighted_laws)
        return self._mixed_laws[key]

    def _left_out(self, target: int) -> int | None:
        """The number of the target's group where all its records are unknown; no other group is left out."""
        group = self.group_of[target]
        return group if self.known.isdisjoint(self.groups[group][0].records) else None

    def _unknown(self, target: int, component: int) -> Any:
        """The law of the sum of all groups of which nothing is known, without the target's."""
        group = self._left_out(target)
        key = group, component
        if key in self._unknown_laws:
            return self._unknown_laws[key]
        every = self.unknown_groups
        if group is None or self._targets_in_unknown_groups < 2:
            law = self.algebra.sum([self._part(k, component) for k in every if k != group])
        else:
            law = self.algebra.without(self._whole(component), self._part(group, component))
            if law is None:
                law = self.algebra.sum([self._part(k, component) for k in every if k != group])
        self._unknown_laws[key] = law
        return law

    def _whole(self, component: int) -> Any:
        key = "whole", component
        if key not in self._unknown_laws:
            self._unknown_laws[key] = self.algebra.sum([self._part(k, component) for k in self.unknown_groups])
        return self._unknown_laws[key]

    @cached_property
    def unknown_groups(self) -> list[int]:
        """The numbers of the groups of which nothing is known."""
        return [k for k, group in enumerate(self.groups) if self.known.isdisjoint(group[0].records)]

    @cached_property
    def _targets_in_unknown_groups(self) -> int:
        return len({self._left_out(secret.record) for secret, _ in self.targets if secret.record is not None} - {None})

    def _part(self, number: int, component: int) -> dict[Any, int]:
        """What a group adds, in one component."""
        group = self.groups[number][component]
        totals: dict[Any, int] = {}  # a plain loop: it runs for each of thousands of groups
        for row, weight in group.rows:
            for element, part in added_law(self.algebra, group.records, row).items():
                totals[element] = totals.get(element, 0) + weight * part
        return totals


def _frozen(laws: Sequence[Part]) -> Hashable:
    return tuple(frozenset(part.items()) for part in laws)
