"""The naive twin for databases of several sizes: ordered lists, subsets of positions, LQS12's definitions.

Nothing here is imported from the package.
"""

from __future__ import annotations

import json
from collections import Counter
from collections.abc import Callable, Iterator, Mapping, Sequence
from fractions import Fraction
from itertools import product

from naive import Compared, Law, Pair

List = tuple[str, ...]
Mechanism = Callable[[List], Law]
"""A law for each database; it is asked on databases in the order of T only."""


def lists(values: Sequence[str], first: int, last: int) -> Iterator[List]:
    """Every ordered list of so many values."""
    for size in range(first, last + 1):
        yield from product(values, repeat=size)


def in_order(one: Sequence[str], values: Sequence[str]) -> List:
    return tuple(sorted(one, key=list(values).index))


def on_sample(mechanism: Mechanism, rate: Fraction) -> Mechanism:
    """A^β: every subset of the positions is kept with its probability (LQS12, Definition 3)."""

    def law(database: List) -> Law:
        result: Law = {}
        for kept in product((False, True), repeat=len(database)):
            weight = Fraction(1)
            for one in kept:
                weight *= rate if one else 1 - rate
            if weight:
                part = tuple(t for t, one in zip(database, kept, strict=True) if one)
                for output, p in mechanism(part).items():
                    result[output] = result.get(output, Fraction(0)) + weight * p
        return {output: p for output, p in result.items() if p}

    return law


def neighbours(mechanism: Mechanism, values: Sequence[str], first: int, last: int) -> list[Compared]:
    """All pairs of multisets that differ in one tuple, both orders, each pair of laws once with its multiplicity."""
    laws = {one: mechanism(one) for one in dict.fromkeys(in_order(d, values) for d in lists(values, first, last))}
    found: dict[object, Compared] = {}
    for smaller, law in laws.items():
        for value in values:
            larger = in_order((*smaller, value), values)
            if larger not in laws:
                continue
            for databases, p, q in (
                ((larger, smaller), laws[larger], law),
                ((smaller, larger), law, laws[larger]),
            ):
                key = frozenset(p.items()), frozenset(q.items())
                if key in found:
                    found[key].multiplicity += 1
                else:
                    pair = Pair(Fraction(1), None, p, q)
                    found[key] = Compared(None, None, databases[0], databases[1], [pair], databases)  # type: ignore[arg-type]
    return list(found.values())


def text(given: object) -> str:
    """A label's text; a list as compact JSON."""
    return json.dumps(given, ensure_ascii=False, separators=(",", ":")) if isinstance(given, list) else str(given)


def apply(g: Mapping[str, str], database: List, k: int) -> list[str]:
    """LQS12, section 3.2, line by line: S gets g(t) for all t, then all that appear fewer than k times are removed."""
    s = [g[t] for t in database]
    return sorted(one for one in s if not Counter(s)[one] < k)


def anonymized(chooser: Mechanism, maps: Mapping[str, Mapping[str, str]], k: int, *, shows: bool) -> Mechanism:
    """A(D, k) = Apply(A_m(D), D, k)."""

    def law(database: List) -> Law:
        result: Law = {}
        for name, p in chooser(database).items():
            table = apply(maps[name], database, k)
            output = text([name, table] if shows else table)
            result[output] = result.get(output, Fraction(0)) + p
        return result

    return law


def smallest_crowd(mechanism: Mechanism, databases: Sequence[List]) -> int | None:
    """How often the rarest published tuple appears, over all databases and possible outputs (LQS12, Definition 3.6)."""
    found = [
        table.count(one)
        for database in databases
        for output, p in mechanism(database).items()
        if p
        for table in [json.loads(output)]
        for one in table
    ]
    return min(found, default=None)
