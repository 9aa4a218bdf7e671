"""The fast engine: tables as integer columns.

What a mechanism or the knowledge makes of a row is folded record by record into small codes; then equal codes
are added up exactly (`WideColumn`). A table of worlds is one such column. A product of independent records is
cut into a head and a tail, each a column of its own: sums over the product are products of their sums, so
that nothing is ever as long as the table.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from functools import cached_property
from math import lcm
from typing import TypeAlias

import numpy as np

from verifier.engine.enumerated import Joint
from verifier.model import NOTHING, Element, Independent, Mixture, Model, Secret, Statistic, Theta, Zeta
from verifier.model.shapes import Shape
from verifier.tables import Label, Law
from verifier.tables.columns import Codes, WideColumn

Table: TypeAlias = list[list[int]]
"""`table[x][y]`: the code of the sum of the head's state with code x and the tail's with code y."""


@dataclass(frozen=True)
class Half:
    """A table of some records: a column of values for each record, and the integer weight of each row."""

    columns: dict[int, Codes]
    weights: list[int]
    knowledge: list[Label | None] | None = None
    _folds: dict[object, tuple[list[Element], Codes]] = field(default_factory=dict, compare=False, repr=False)

    @classmethod
    def product(cls, shape: Independent, records: range) -> Half:
        """All rows of independent records, in lexicographic order."""
        weights, choices = [1], []
        for i in records:
            chances = [(v, w) for v, w in enumerate(shape.laws[i][0]) if w]
            choices.append(np.array([v for v, _ in chances], dtype=np.int64))
            weights = [weight * w for weight in weights for _, w in chances]
        columns, before, after = {}, 1, len(weights)
        for i, choice in zip(records, choices, strict=True):
            after //= len(choice)
            columns[i] = np.tile(np.repeat(choice, after), before)
            before *= len(choice)
        return cls(columns, weights)

    @classmethod
    def listed(cls, shape: Shape, size: int) -> Half:
        """The rows of an explicit table, in its order."""
        worlds = list(shape.worlds())
        flat = np.array([world.database for world in worlds], dtype=np.int64).reshape(len(worlds), size)
        columns = {i: np.ascontiguousarray(flat[:, i]) for i in range(size)}
        return cls(columns, [world.weight for world in worlds], [world.knowledge for world in worlds])

    @cached_property
    def column(self) -> WideColumn:
        """The weights of the rows as one column of limbs."""
        return WideColumn.of(self.weights)

    def fold(self, statistic: Statistic, values: int, fixed: tuple[int, int] | None) -> tuple[list[Element], Codes]:
        """The statistic's sum in every row: the distinct sums that occur, and a code a row.

        `fixed` = (record, b) replaces the value of one record by b: the counterfactual.
        """
        key = (statistic, fixed if fixed and fixed[0] in self.columns else None)
        if key not in self._folds:
            self._folds[key] = self._folded(statistic, values, fixed)
        return self._folds[key]

    def _folded(self, statistic: Statistic, values: int, fixed: tuple[int, int] | None) -> tuple[list[Element], Codes]:
        states: list[Element] = [statistic.zero]
        codes = np.zeros(len(self.weights), dtype=np.int64)
        for record, column in self.columns.items():
            pairs = codes * values + column
            index: dict[Element, int] = {}
            step = np.zeros(len(states) * values, dtype=np.int64)
            for pair in np.flatnonzero(np.bincount(pairs, minlength=len(step))).tolist():
                state, v = divmod(pair, values)
                value = fixed[1] if fixed and fixed[0] == record else v
                new = statistic.add(states[state], statistic.draw(record, value)[0][0])
                step[pair] = index.setdefault(new, len(index))
            states, codes = list(index), step[pairs]
        return states, codes


@dataclass
class Coding:
    """Codes for the sums of a statistic over head and tail, numbered by the first row in which they appear."""

    states: dict[Element, int] = field(default_factory=dict)

    def join(
        self, statistic: Statistic, left: tuple[list[Element], Codes], right: tuple[list[Element], Codes]
    ) -> tuple[Codes, Codes, Table]:
        """The codes of the head's rows, of the tail's rows, and the table of codes of their sums."""
        table = [[0] * len(right[0]) for _ in left[0]]
        rows = _first(*left)[:, None] * len(right[1]) + _first(*right)[None, :]
        for flat in np.argsort(rows, axis=None, kind="stable").tolist():
            x, y = divmod(flat, len(right[0]))
            table[x][y] = self.code(statistic.add(left[0][x], right[0][y]))
        return left[1], right[1], table

    def code(self, state: Element) -> int:
        """The code of a sum; a new sum gets the next number."""
        return self.states.setdefault(state, len(self.states))


def _first(states: list[Element], codes: Codes) -> Codes:
    """The first row of each code."""
    first = np.full(len(states), len(codes), dtype=np.int64)
    np.minimum.at(first, codes, np.arange(len(codes), dtype=np.int64))
    return first


def supports(model: Model) -> bool:
    """Whether this engine takes the model: mechanism and knowledge are sums that are not random."""
    return (
        model.mechanism.deterministic_statistic is not None
        and model.protects_records
        and all(zeta.channel is None or zeta.deterministic_statistic is not None for zeta in model.zetas)
    )


Part: TypeAlias = tuple[Label | None, int, Half, Half]
"""The name of the component of a mixture, the factor of its weights, the head and the tail."""


def halves(shape: Shape, size: int, scale: int = 1, name: Label | None = None) -> Iterator[Part]:
    """The distribution as a sum of products factor·head·tail, one for each component of a mixture.

    The tail of an explicit table is the whole table, and its head has no record.
    """
    if isinstance(shape, Mixture):
        for part_name, factor, part in zip(shape.names, shape.scales(), shape.components, strict=True):
            if factor:
                yield from halves(part, size, scale * factor, name or part_name)
    elif isinstance(shape, Independent):
        rows, worlds, cut = 1, shape.count(), size
        while cut > 0 and rows * rows < worlds:
            cut -= 1
            rows *= sum(1 for w in shape.laws[cut][0] if w)
        yield name, scale, Half.product(shape, range(cut)), Half.product(shape, range(cut, size))
    else:
        yield name, scale, Half({}, [1]), Half.listed(shape, size)


def joint(model: Model, theta: Theta, secret: Secret, halves: Sequence[Part], b: int | None) -> Joint:
    """The joint weights of (B, S, M(D)), or with b of (B, S, M(D with the record set to b)), as the plain engine's."""
    record, statistic = secret.record, model.mechanism.deterministic_statistic
    if record is None or statistic is None:
        raise TypeError("this model needs the plain engine")
    fixed, number = None if b is None else (record, b), len(model.values)
    outputs, known = Coding(), Coding()
    totals: dict[tuple[int, int, int], int] = {}
    for name, scale, head, tail in halves:
        m_head, m_tail, m_table = outputs.join(
            statistic, head.fold(statistic, number, fixed), tail.fold(statistic, number, fixed)
        )
        k_head, k_tail, k_table = _knowledge(theta.zeta, len(model.values), known, name, head, tail)
        left = _grouped(head, record, k_head, m_head)
        right = list(_grouped(tail, record, k_tail, m_tail).items())
        for (v, k, m), weight in left.items():
            scaled, k_row, m_row = weight * scale, k_table[k], m_table[m]
            for (w, k2, m2), part in right:
                if v + w == b:
                    continue
                key = (k_row[k2], v + w, m_row[m2])
                totals[key] = totals.get(key, 0) + scaled * part
    return _finish(model, theta, totals, list(known.states), list(outputs.states))


def _grouped(half: Half, record: int, known: Codes, outputs: Codes) -> dict[tuple[int, int, int], int]:
    """The exact weight of each (value, knowledge code, output code); the value is 0 in the other half."""
    groups = (int(known.max()) + 1, int(outputs.max()) + 1)
    column = half.columns.get(record)
    codes = known * groups[1] + outputs
    if column is not None:
        codes += column * (groups[0] * groups[1])
    most = (1 if column is None else int(column.max()) + 1) * groups[0] * groups[1]
    if most > 2 * len(codes) + 1024:
        present, codes = np.unique(codes, return_inverse=True)
        names: list[int] = present.tolist()
    else:
        names = list(range(most))
    sums = half.column.grouped(codes, len(names))
    weights = {}
    for name, total in zip(names, sums, strict=True):
        if total:
            v, remainder = divmod(name, groups[0] * groups[1])
            weights[v, *divmod(remainder, groups[1])] = total
    return weights


def _knowledge(
    zeta: Zeta, number: int, known: Coding, name: Label | None, head: Half, tail: Half
) -> tuple[Codes, Codes, Table]:
    statistic = zeta.deterministic_statistic
    if statistic is not None:
        return known.join(statistic, head.fold(statistic, number, None), tail.fold(statistic, number, None))
    at_head = np.zeros(len(head.weights), dtype=np.int64)
    if zeta.kind == "column" and tail.knowledge:
        codes = np.array([known.code(known_value) for known_value in tail.knowledge], dtype=np.int64)
        return at_head, codes, [list(range(len(known.states)))]
    code = known.code(name if zeta.kind == "component" else None)
    return at_head, np.zeros(len(tail.weights), dtype=np.int64), [[code]]


def _finish(
    model: Model,
    theta: Theta,
    totals: dict[tuple[int, int, int], int],
    known: list[Element],
    outputs: list[Element],
) -> Joint:
    """From sums over states to weights of labels; the finishes may be random."""
    statistic = model.mechanism.deterministic_statistic
    finished = [statistic.finish(state) for state in outputs] if statistic else []
    known_laws = [_known_law(theta.zeta, state) for state in known]
    out_shared = lcm(*(law.denominator for law in finished))
    known_shared = lcm(*(law.denominator for law in known_laws))
    weighted_laws = (
        (
            known_laws[k],
            model.values[v],
            finished[m],
            total * (out_shared // finished[m].denominator) * (known_shared // known_laws[k].denominator),
        )
        for (k, v, m), total in sorted(totals.items())
    )
    return Joint.gathered(theta.denominator * out_shared * known_shared, weighted_laws)


def _known_law(zeta: Zeta, state: Element) -> Law:
    statistic = zeta.deterministic_statistic
    if statistic is not None:
        return statistic.finish(state)
    return Law.point(state if isinstance(state, Label) else NOTHING)
