"""Tables of counts over named people: `kind = "tables"`, its cells and margins, and what is published of their counts.

A part is all people, with the values that they have, who are counted in the same cells. So a cell is a set of parts,
its count their sum, and two cells hold the same records where the parts that only one of them has are empty. The law of
the output is a function of how many are in each part: many people need no table of databases.
"""

from __future__ import annotations

import math
from collections import defaultdict
from collections.abc import Iterator, Sequence
from itertools import product
from typing import TYPE_CHECKING, NamedTuple

from .numbers import Label, Law, Wrong, afford, certain, label, listed
from .rules import HIDDEN, TAIL, Named, integer, rule_of

if TYPE_CHECKING:  # a mechanism is made with its kind
    from .mechanisms import Mechanism, Spec, Statistic

KEYS = frozenset({"rule", "noise", "tables"})
KEYS_OF_A_TABLE = frozenset({"cells", "without", "by", "total", "secondary", "up-to", "remainder"})
REST = "rest"
Place = tuple[int, ...]


class Cell(NamedTuple):
    """Who is counted, with which values, and whether the rule is applied; `margin`: it is a total of other cells."""

    people: frozenset[int]
    values: frozenset[Label]
    ruled: bool
    margin: bool


class Table(NamedTuple):
    """Its cells in their order, its lines as positions of cells, and what it says of hidden ones."""

    cells: Sequence[Cell]
    lines: Sequence[Sequence[int]]
    spec: Spec


class Tables:
    """All tables of a mechanism, and the parts that their cells are made of."""

    def __init__(self, mechanism: Mechanism) -> None:
        spec, home = mechanism.spec, mechanism.home
        if ("rule" in spec) == ("then" in spec):
            raise Wrong("tables have a rule, or steps", expected="one of rule and then")
        if mechanism.rate != 1 or (home.many and home.people):
            raise Wrong("tables of a sample, or of people of several numbers")
        rule = rule_of(spec) if "rule" in spec else Named()
        self.noise = spec.get("noise", rule.noise)
        if self.noise not in ((None, "fresh", "kept") if rule.noise is None else (rule.noise,)):
            raise Wrong(f"noise is {str(self.noise)[:30]}", expected=rule.noise or "fresh or kept")
        self.tables: list[Table] = []
        cells: object = None
        for given in spec["tables"]:
            own = given if {"secondary", "remainder"} & set(given) else {**dict(rule.of_a_table), **given}
            if unknown := set(own) - KEYS_OF_A_TABLE:
                raise Wrong(f"a table has no key {min(unknown)!r}")
            cells = own.get("cells", cells)
            self.tables.append(_table({**own, "cells": cells}, mechanism))
        self.cells = [cell for table in self.tables for cell in table.cells]
        self.shared = len(self.tables) > 1 or any(cell.margin and cell.ruled for cell in self.cells)
        self.parts: dict[frozenset[int], int] = {}
        at = [[n for n, cell in enumerate(self.cells) if i in cell.people] for i in range(mechanism.size)]
        for counted in {tuple(row): None for row in at}:
            for v in home.values:
                inside = frozenset(n for n in counted if v in self.cells[n].values)
                if inside:
                    self.parts.setdefault(inside, len(self.parts))
        self.of_record = [{v: self._unit(row, v) for v in home.values} for row in at]
        self.of_cell = [[k for inside, k in self.parts.items() if n in inside] for n in range(len(self.cells))]

    def _unit(self, counted: Sequence[int], value: Label) -> Statistic:
        part = self.parts.get(frozenset(n for n in counted if value in self.cells[n].values))
        return tuple(int(k == part) for k in range(len(self.parts)))

    def law(self, mechanism: Mechanism, total: Statistic) -> Law:
        """The law of what is published where so many are in each part."""
        counts = [int(sum(total[k] for k in parts)) for parts in self.of_cell]
        draws: dict[object, list[int]] = defaultdict(list)
        for n, cell in enumerate(self.cells):
            records = frozenset(k for k in self.of_cell[n] if total[k])
            draws[records if cell.ruled and self.noise == "kept" else n].append(n)
        laws = [mechanism.of_count(counts[ns[0]]) if self.cells[ns[0]].ruled else certain(counts[ns[0]])
                for ns in draws.values()]  # fmt: skip
        if self.noise == "kept" and any(TAIL.fullmatch(o) for law in laws for o in law.counts):
            raise Wrong("kept noise has a tail", expected="a clamp behind it: equal draws are equal in a tail, too")
        if self.noise is None and self.shared and any(len(law.counts) > 1 for law in laws):
            raise Wrong("a rule is random, and cells may share records", expected='noise = "fresh" or "kept"')
        afford(math.prod(len(law.counts) for law in laws), "what several cells publish")
        out: dict[Label, int] = defaultdict(int)
        for chosen in product(*(law.counts.items() for law in laws)):
            published: list[Label] = [""] * len(counts)
            for (text, _), ns in zip(chosen, draws.values(), strict=True):
                for n in ns:
                    published[n] = text
            numbers = list(self._shown(counts, published))
            out[listed(numbers) if len(numbers) > 1 else numbers[0]] += math.prod(weight for _, weight in chosen)
        return Law(out, math.prod(law.total for law in laws))

    def _shown(self, counts: Sequence[int], published: Sequence[Label]) -> Iterator[Label]:
        """The numbers of all tables, after each has hidden what would give a hidden cell away."""
        at = 0
        for table in self.tables:
            end = at + len(table.cells)
            yield from _protected(table, counts[at:end], list(published[at:end]))
            at = end


def _table(spec: Spec, mechanism: Mechanism) -> Table:
    """The cells, row by row over the sides, each with its margin where there are totals; and the lines."""
    home, total = mechanism.home, spec.get("total", False)
    if total not in (True, False, "rule"):
        raise Wrong(f"total is {str(total)[:30]}", expected='true, false or "rule"')
    everyone = frozenset(range(mechanism.size))
    there = everyone.difference(*(named_people(mechanism, name) for name in spec.get("without", [])))
    values = [label(v) for v in spec["cells"] or []]
    if not values or len(set(values)) < len(values) or not set(values) <= set(home.values):
        raise Wrong(f"cells are {listed(values)}", expected="values of the file, each once")
    by = spec.get("by", [])
    sides = [[(group, frozenset(values)) for group in _groups(mechanism, names, there)]
             for names in (by if by and isinstance(by[0], list) else [by] if by else [])]  # fmt: skip
    if len(values) > 1 or not sides:
        sides.append([(there, frozenset([v])) for v in values])
    if total:
        sides = [[*side, (there, frozenset(values))] for side in sides]
    cells, places = [], list(product(*(range(len(side)) for side in sides)))
    last = [len(side) - 1 if total else len(side) for side in sides]
    for place in places:
        chosen = [side[k] for side, k in zip(sides, place, strict=True)]
        margin = any(k == end for k, end in zip(place, last, strict=True))
        people, counted = (frozenset.intersection(*sets) for sets in zip(*chosen, strict=True))
        cells.append(Cell(people, counted, total == "rule" or not margin, margin))
    return Table(cells, list(_lines(places, last)), spec)


def named_people(mechanism: Mechanism, name: str) -> frozenset[int]:
    """The records that [people] names."""
    given = mechanism.home.people.get(name)
    if given is None:
        raise Wrong(f"[people] has no name {name[:60]!r}")
    stretches = [mechanism.home.indices(one, mechanism.size) for one in (given if isinstance(given, list) else [given])]
    people = frozenset(i for stretch in stretches for i in stretch)
    if len(people) < sum(map(len, stretches)) or not people <= frozenset(range(mechanism.size)):
        raise Wrong(f"[people] {name[:60]}", expected=f"records below {mechanism.size}, each once")
    return people


def _groups(mechanism: Mechanism, names: Sequence[str], there: frozenset[int]) -> list[frozenset[int]]:
    """The groups of a side, in which everyone of the table is once."""
    own = {name: named_people(mechanism, name) & there for name in names if name != REST}
    groups = [own[name] if name != REST else there.difference(*own.values()) for name in names]
    if len(set(names)) < len(names) or sum(map(len, groups)) != len(there) or frozenset().union(*groups) != there:
        raise Wrong(f"by = {listed(names)}", expected="groups in which each person of the table is once")
    return groups


def _lines(places: Sequence[Place], last: Sequence[int]) -> Iterator[list[int]]:
    """The lines of each side in turn: cells that agree in all other sides, without the margin of this one."""
    for s, end in enumerate(last):
        lines: dict[Place, list[int]] = defaultdict(list)
        for n, place in enumerate(places):
            if place[s] < end:
                lines[place[:s] + place[s + 1 :]].append(n)
        yield from lines.values()


def _protected(table: Table, counts: Sequence[int], shown: list[Label]) -> list[Label]:
    """What a table publishes after its own means against working out a hidden cell."""
    spec, way = table.spec, table.spec.get("secondary")
    inner = [n for n, cell in enumerate(table.cells) if not cell.margin]
    if "remainder" in spec:
        least = integer(spec, "remainder", 1)
        small = [n for n in inner if counts[n] < least]
        for n in small:
            shown[n] = HIDDEN
        together = sum(counts[n] for n in small)
        shown.append(HIDDEN if 0 < together < least else str(together))
    if way == "smallest":
        return _smallest_too(table.lines, counts, shown)
    if way == "next-smallest":
        hidden, most = [counts[n] for n in inner if shown[n] == HIDDEN], integer(spec, "up-to", 0)
        if hidden and sum(hidden) <= most:
            larger = [n for n in inner if shown[n] != HIDDEN and counts[n] > most]
            for n in larger:
                if counts[n] == min(counts[m] for m in larger):
                    shown[n] = HIDDEN
    elif way is not None or "up-to" in spec:
        raise Wrong(f"secondary is {str(way)[:30]}", expected="smallest, or next-smallest with up-to")
    return shown


def _smallest_too(lines: Sequence[Sequence[int]], counts: Sequence[int], shown: list[Label]) -> list[Label]:
    """Where one cell of a line is hidden alone, the smallest other one is hidden too, until nothing changes."""
    while True:
        before = list(shown)
        for line in lines:
            others = [n for n in line if shown[n] != HIDDEN]
            if others and len(others) == len(line) - 1:
                shown[min(others, key=lambda n: (counts[n], n))] = HIDDEN
        if shown == before:
            return shown


def of_tables(mechanism: Mechanism) -> Tables:
    """The tables of a mechanism, which are read once."""
    tables: Tables = mechanism.once("tables", lambda: Tables(mechanism))
    return tables


def term(mechanism: Mechanism, record: int, value: Label) -> Statistic:
    """The part in which a record is with a value."""
    return of_tables(mechanism).of_record[record][value]


def published(mechanism: Mechanism, total: Statistic, size: int) -> Law:
    """The law of the published tables."""
    return of_tables(mechanism).law(mechanism, total)
