"""Knowledge without enumeration: known records count only through what they add and what they say about the rest.

A class of knowledge values has one sum of what the known records add, one likelihood of each component (up to a
factor), and one multiset of laws of what is left open in partly known groups; with its weight, its number of members,
and its first member.
"""

from __future__ import annotations

from bisect import bisect_left
from collections.abc import Callable, Hashable, Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property, partial
from math import gcd
from typing import Any, TypeAlias

from verifier.engine.algebra import Addition, Algebra
from verifier.engine.decomposition import RecordGroup
from verifier.model import check_size
from verifier.tables import Integer, convolved, sum_law

MAX_CLASSES = 1 << 20
"""Most classes of knowledge values."""
Part: TypeAlias = Mapping[Any, int]
"""The law of what a group adds, unnormalized: weights by element."""
Open: TypeAlias = tuple[tuple[int, int], ...]
"""How often each law of what is left open occurs: (number of the law, times)."""
State: TypeAlias = tuple[Any, tuple[int, ...], Open]
"""The sum of what is known, the likelihoods of the components, and what is left open."""
ClassWeight: TypeAlias = tuple[int, int, tuple[Any, ...]]
"""A weight, a number of members, and the first of them: its values, or what came before and the last group's."""


@dataclass(frozen=True, eq=False)
class KnowledgeClass:
    """A class of knowledge values B̂ under which all laws are the same.

    P[B̂ and component c] is `weight·direction[c]`, summed over the members, in units of the model.
    """

    shift: Any
    direction: tuple[int, ...]
    open: Open
    weight: Integer
    members: int
    make_first: Callable[[], dict[int, int]]

    @cached_property
    def first(self) -> dict[int, int]:
        """The first member: the value of each known record."""
        return self.make_first()


@dataclass(frozen=True)
class KnownValues:
    """Some values of the known records of a group, with the likelihood of each component and what stays open.

    `shift` is the constant that is certainly added; `open` is the number of the laws of what is added besides.
    """

    known: tuple[tuple[int, int], ...]
    shift: Any
    likelihood: tuple[int, ...]
    open: int | None


class Knowledge:
    """The builder of the classes of knowledge values, from groups with known records."""

    def __init__(self, algebra: Algebra) -> None:
        self.algebra = algebra
        self.open_laws: list[tuple[Part, ...]] = []
        self._numbers: dict[Hashable, int] = {}
        self._outcomes: dict[Hashable, list[KnownValues]] = {}

    def classes(
        self, groups: Sequence[Sequence[RecordGroup]], known: frozenset[int], start: tuple[int, ...]
    ) -> list[KnowledgeClass]:
        """The classes of knowledge values, in the order of their first members.

        `groups[k][c]` is group k in component c, `known` are the known records, and `start` has the weight of each
        component.

        Raises:
            LimitError: where there are more than `MAX_CLASSES`.

        """
        if len(start) == 1 and (binary := self._binary([group[0] for group in groups], known, start[0])) is not None:
            return binary
        shared = gcd(*start)
        states: dict[State, ClassWeight] = {(self.algebra.zero, tuple(x // shared for x in start), ()): (shared, 1, ())}
        plain = all(len(group[0].records) == 1 for group in groups)
        for group in groups:
            outcomes = self.outcomes(group, known)
            after: dict[State, ClassWeight] = {}
            for (shift, direction, left), (factor, members, first) in states.items():
                for outcome in outcomes:
                    likelihood = [d * x for d, x in zip(direction, outcome.likelihood, strict=True)]
                    if not any(likelihood):
                        continue
                    shared = gcd(*likelihood)
                    key = (
                        self.algebra.add(shift, outcome.shift),
                        tuple(x // shared for x in likelihood),
                        left if outcome.open is None else _with(left, outcome.open),
                    )
                    old = after.get(key)
                    if plain:  # states are in the order of their firsts, so that the first way to one is its first
                        known_values = (first, outcome.known) if old is None else old[2]
                    else:
                        known_values = tuple(sorted((*first, *outcome.known)))
                        known_values = known_values if old is None else min(old[2], known_values)
                    weight_so_far, members_so_far = old[:2] if old else (0, 0)
                    after[key] = weight_so_far + factor * shared, members_so_far + members, known_values
            states = after
            check_size(len(states), MAX_CLASSES, f"the knowledge has at least {len(states):,} classes", fixed="classes")
        rows = list(states.items()) if plain else sorted(states.items(), key=lambda row: row[1][2])
        of_first: Callable[[tuple[Any, ...]], dict[int, int]] = _linked if plain else dict
        return [
            KnowledgeClass(*state, weight, members, partial(of_first, first))
            for state, (weight, members, first) in rows
        ]

    def outcomes(self, group: Sequence[RecordGroup], known: frozenset[int]) -> list[KnownValues]:
        """The values that the known records of one group can have together, in lexicographic order."""
        records = group[0].records
        inside = tuple(i in known for i in records)
        key = tuple(self.algebra.alike(i) for i in records), inside, tuple(component.rows for component in group)
        if key not in self._outcomes:
            self._outcomes[key] = self._make_outcomes(group, inside)
        outcomes = self._outcomes[key]
        return [
            KnownValues(
                tuple((records[k], v) for k, v in outcome.known), outcome.shift, outcome.likelihood, outcome.open
            )
            for outcome in outcomes
        ]

    def _make_outcomes(self, group: Sequence[RecordGroup], inside: tuple[bool, ...]) -> list[KnownValues]:
        laws: dict[tuple[int, ...], list[dict[Any, int]]] = {}
        for c, component in enumerate(group):
            for row, weight in component.rows:
                known_values = tuple(v for v, is_known in zip(row, inside, strict=True) if is_known)
                cell = laws.setdefault(known_values, [{} for _ in group])[c]
                for element, part in added_law(self.algebra, component.records, row).items():
                    cell[element] = cell.get(element, 0) + weight * part
        places = [k for k, is_known in enumerate(inside) if is_known]
        outcomes = []
        for known_values in sorted(laws):
            shift, likelihood, open_laws = self.normal(laws[known_values])
            number = None if open_laws is None else self._number(open_laws)
            outcomes.append(KnownValues(tuple(zip(places, known_values, strict=True)), shift, likelihood, number))
        return outcomes

    def normal(self, laws: Sequence[Part]) -> tuple[Any, tuple[int, ...], tuple[Part, ...] | None]:
        """The normal form of the laws of what a group adds, one for each component: constant, factors, laws.

        They are a constant, a factor for each component, and the laws of what is random besides, or None where nothing
        is. The weights of each law have no common factor, and it starts at the neutral element where that is possible.
        """
        split = [self.algebra.split(law) if law else None for law in laws]
        shifts = {part[0] for part in split if part}
        if len(shifts) == 1:
            shift, centred = shifts.pop(), [part[1] if part else {} for part in split]
        else:
            shift, centred = self.algebra.zero, list(laws)
        factors = tuple(gcd(*part.values()) if part else 0 for part in centred)
        if all(len(part) <= 1 and set(part) <= {self.algebra.zero} for part in centred):
            return shift, factors, None
        return (
            shift,
            factors,
            tuple({key: w // f for key, w in part.items()} for part, f in zip(centred, factors, strict=True)),
        )

    def _number(self, laws: tuple[Part, ...]) -> int:
        key = ("parts", tuple(frozenset(part.items()) for part in laws))
        if key not in self._numbers:
            self._numbers[key] = len(self.open_laws)
            self.open_laws.append(laws)
        return self._numbers[key]

    def _binary(self, groups: Sequence[RecordGroup], known: frozenset[int], start: int) -> list[KnowledgeClass] | None:
        """The classes where each known record stands alone and adds one of the same two constants, in closed form.

        With the larger constant on the larger value, the first member of a class has it on the last records.
        """
        free: list[int] = []
        forced: dict[int, int] = {}
        factors: list[dict[int, int]] = []
        steps: set[tuple[tuple[int, int], ...]] = set()
        shift = self.algebra.zero
        for group in groups:
            if len(group.records) != 1 or group.records[0] not in known or len(group.rows) > 2:
                return None
            (i,) = group.records
            draws = [self.algebra.draws(i, v) for (v,), _ in group.rows]
            if any(list(draw.values()) != [1] for draw in draws):
                return None
            elements = [next(iter(draw)) for draw in draws]
            if len(elements) == 1:
                forced[i] = group.rows[0][0][0]
                shift = self.algebra.add(shift, elements[0])
                start *= group.rows[0][1]
                continue
            steps.add(tuple((v, e) for ((v,), _), e in zip(group.rows, elements, strict=True)))
            factors.append({e: weight for (_, weight), e in zip(group.rows, elements, strict=True)})
            free.append(i)
        if not isinstance(self.algebra, Addition) or len(steps) > 1:
            return None
        if not free:
            return [KnowledgeClass(shift, (1,), (), start, 1, lambda: dict(forced))]
        ((low, e0), (high, e1)) = next(iter(steps))
        if e0 >= e1:
            return None
        weights = sum_law(factors)
        counts = sum_law([{e0: 1, e1: 1}] * len(free))
        classes = []
        for k, (key, weight) in enumerate(zip(weights.keys, weights.weights, strict=True)):

            def first(k: int = k) -> dict[int, int]:
                at = {i: high if j >= len(free) - k else low for j, i in enumerate(free)}
                return forced | at

            classes.append(KnowledgeClass(shift + key, (1,), (), weight * start, int(counts.weights[k]), first))
        return classes


def _linked(values: tuple[Any, ...]) -> dict[int, int]:
    """The values of a list that is kept as what came before and the last group, in their order."""
    groups = []
    while values:
        values, last = values
        groups.append(last)
    return dict(pair for group in reversed(groups) for pair in group)


def _with(left: Open, number: int) -> Open:
    """The multiset with one more law of this number."""
    at = bisect_left(left, (number,))
    if at < len(left) and left[at][0] == number:
        return (*left[:at], (number, left[at][1] + 1), *left[at + 1 :])
    return (*left[:at], (number, 1), *left[at:])


def added_law(algebra: Algebra, records: Sequence[int], row: Sequence[int], without: int | None = None) -> Part:
    """The law of what some records with these values add together, as weights by element; `without` is left out."""
    law: Part | None = None
    for i, v in zip(records, row, strict=True):
        if i != without:
            draws = algebra.draws(i, v)
            law = draws if law is None else convolved(law, draws.items(), algebra.add)
    return {algebra.zero: 1} if law is None else law
