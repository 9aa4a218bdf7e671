"""Exchange rates once more, for small models: rows from the naive twin, and every corner of the cone, one by one."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from fractions import Fraction
from itertools import combinations, product

import naive
from naive import Db, Plain

ZERO, ONE = Fraction(0), Fraction(1)
Vector = dict[Db, Fraction]
Row = tuple[Vector, Vector]
"""P and Q, laws on databases."""


def rows(plain: Plain, definition: str) -> list[Row]:
    """What the definition compares of the mechanism that tells the database: pairs of laws on databases."""
    names = {"\x01".join(database): database for database in product(plain.values, repeat=plain.size)}
    telling = replace(plain, mechanism=lambda database: {"\x01".join(database): ONE})
    return [
        ({names[o]: w for o, w in pair.p.items() if w}, {names[o]: w for o, w in (pair.q or {}).items() if w})
        for family in naive.families(telling, definition)
        for compared in family
        for pair in compared.pairs
        if pair.q is not None
    ]


def mass(law: Vector, column: Vector) -> Fraction:
    return sum((w * column.get(d, ZERO) for d, w in law.items()), ZERO)


def corners(assumed: Sequence[Row], x: Fraction, databases: Sequence[Db]) -> list[Vector]:
    """Every corner of all m ≥ 0 with Σ m = 1 and a·m ≤ x·b·m: the solutions of enough of the equations."""
    lines = [[a.get(d, ZERO) - x * b.get(d, ZERO) for d in databases] for a, b in assumed]
    lines += [[-ONE if d == e else ZERO for d in databases] for e in databases]
    lines = [list(line) for line in dict.fromkeys(map(tuple, lines))]
    found = {}
    for tight in combinations(lines, len(databases) - 1):
        point = meeting([*([*line, ZERO] for line in tight), [ONE] * (len(databases) + 1)])
        if point is not None and all(sum(a * b for a, b in zip(line, point, strict=True)) <= 0 for line in lines):
            found[tuple(point)] = dict(zip(databases, point, strict=True))
    return list(found.values())


def meeting(table: list[list[Fraction]]) -> list[Fraction] | None:
    """The one point of as many planes as there are databases, each with its bound; None where it is not one."""
    for k in range(len(table)):
        at = next((i for i in range(k, len(table)) if table[i][k]), None)
        if at is None:
            return None
        table[k], table[at] = table[at], table[k]
        table[k] = [entry / table[k][k] for entry in table[k]]
        for i, row in enumerate(table):
            if i != k and row[k]:
                table[i] = [u - row[k] * v for u, v in zip(row, table[k], strict=True)]
    return [row[-1] for row in table]


def rate(assumed: Sequence[Row], target: Sequence[Row], x: Fraction, databases: Sequence[Db]) -> Fraction | None:
    """The largest p·m / q·m of all corners and rows; None where a corner has q·m = 0 < p·m; 1 without rows."""
    worst = ONE
    for column in corners(assumed, x, databases):
        for p, q in target:
            above, below = mass(p, column), mass(q, column)
            if above and not below:
                return None
            worst = max(worst, above / below) if above else worst
    return worst
