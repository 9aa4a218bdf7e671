"""The definitions over a table of worlds, spelled out in SMT-LIB 2 (DMKB20, Definitions 2, 3, 5, 6, 12, 13 and 17).

The builders of `definitions.rows` list the comparisons, with the masses as terms: the judge computes every sum, every
conditional and every counterfactual law, and decides what is possible. `compared` says that something is compared,
`lawful` that the tables are laws, and `holds` is the definition.
"""

from __future__ import annotations

from collections.abc import Hashable, Iterator
from itertools import product
from typing import Any, NamedTuple

from verifier.definitions import rows
from verifier.definitions.compare import comparing, posteriors
from verifier.definitions.rows import BACKWARD, Given, Name, Point, Replaced, Row, RowGroup
from verifier.errors import UnsupportedError
from verifier.wings.judges import smt_dependency
from verifier.wings.judges.smt_tables import database, lawful, mechanism, names, of_world, worlds
from verifier.wings.judges.smt_text import (
    FINITE,
    INFINITE,
    Mode,
    call,
    define,
    distance,
    every,
    excess,
    heading,
    integers,
    some,
)
from verifier.wings.judges.smt_text import total as add
from verifier.wings.judges.tables import Tables

ALWAYS = every([])
BELIEFS = "; beliefs about the record after M(D) = o, and after M(D with the record set to b) = o; and the reverse"


def statement(tables: Tables) -> list[str]:
    """The lines of tables, laws and definition.

    Raises:
        UnsupportedError: for a definition that compares other laws than conditional, counterfactual and given ones.

    """
    lines = [*names(tables), *mechanism(tables), *worlds(tables), *lawful(tables), *excess(tail=tables.question.tail)]
    everywhere = tables.question.reach == "all"
    combinations = product((None,), tables.secrets or ()) if everywhere else tables.targets()
    of_all = ": all databases of T^n" if everywhere else ""
    targets = [_Target(tables, theta, record) for theta, record in combinations]
    for target in targets:
        lines += target.laws()
    guards: list[str] = []
    for mode in (FINITE, INFINITE):
        inequalities: list[str] = []
        for target in targets:
            lines += target.distances(mode)
            for guard, inequality in target.compared(mode):
                inequalities.append(inequality if guard == ALWAYS else f"(=> {guard} {inequality})")
                guards.append(guard)
        lines += [
            *heading(f"The definition{' at epsilon = inf' if mode is INFINITE else ''}{of_all}"),
            define(f"holds{mode.suffix}", [*mode.parameters, "(d Real)"], "Bool", every(inequalities)),
        ]
    return [*lines, define("compared", [], "Bool", some(dict.fromkeys(guards)))]


class _AnyPossible(rows.Case):
    """A case whose masses the judge works out: anything may be possible, and guards say where a row is compared."""

    def possible(self, known: Hashable, *values: Any) -> bool:  # noqa: ARG002
        """True: the judge decides whether S can take each of the values given B̂."""
        return True


class _Shape(NamedTuple):
    """A row with parameters in the place of its numbers, and the numbers in the order of the parameters."""

    p: tuple[Name, ...]
    q: tuple[Name, ...]
    parameters: tuple[str, ...]
    numbers: tuple[Any, ...]


class _Target:
    """One θ (None for databases alone) and one secret: their laws, and the rows that the definition compares."""

    def __init__(self, tables: Tables, theta: int | None, record: int | None) -> None:
        self.tables, self.theta, self.record = tables, theta, record
        numbers = [] if theta is None else [theta]
        self.at = "".join(f"_{part}" for part in [*numbers, "S" if record is None else record])
        question, comparison = tables.question, comparing(tables.question.definition)
        self.beliefs = comparison is not None and comparison.view is posteriors
        self.averages = question.definition.aggregation.averages
        knowledge_values = [] if theta is None else tables.knowledge_values(theta)
        case = _AnyPossible(tables.values, tables.domain, knowledge_values, (tables.size, record or 0), None)
        if comparison is None:  # bounded dependency: rows of conditional laws, P against a Q of its own
            reading = "one-order" if question.reading == "one-order" else "default"
            self.groups, self.ways = list(rows.conditional(case, reading)), smt_dependency.ways(tables)
        else:
            self.groups, self.ways = list(comparison.builder(case, question.reading)), []

    def laws(self) -> list[str]:
        """The lines that define masses and conditional laws as functions of B̂ = k, the secret's value a, and o."""
        tables, theta, record, at = self.tables, self.theta, self.record, self.at
        if theta is None:
            return []
        count = len(tables.thetas[theta])
        secret = [f"s{theta}_{w}" if record is None else f"d{theta}_{w}_{record}" for w in range(count)]

        def summed(term: list[str]) -> str:
            return add(f"(ite (and (= k{theta}_{w} k) (= {secret[w]} a)) {term[w]} 0.0)" for w in range(count))

        plain_ = [f"(* p{theta}_{w} {call('M', *of_world(tables, theta, w), 'o')})" for w in range(count)]
        lines = [
            *heading(f"Distribution {theta}, {'the sensitive value' if record is None else f'record {record}'} = a"),
            "; P[B = k and it is a]; P[... and M(D) = o]; P[M(D) = o given both]",
            define(f"mass{at}", integers("k", "a"), "Real", summed([f"p{theta}_{w}" for w in range(count)])),
            define(f"joint{at}", integers("k", "a", "o"), "Real", summed(plain_)),
            define(f"law{at}", integers("k", "a", "o"), "Real", f"(/ (joint{at} k a o) (mass{at} k a))"),
        ]
        if self.ways:
            lines += smt_dependency.against(tables, at)
        if tables.question.reach != "change":
            return lines
        moved = [f"(* p{theta}_{w} {call('M', *of_world(tables, theta, w, record), 'o')})" for w in range(count)]
        return [
            *lines,
            f"; the same for M(D with record {record} set to b)",
            define(f"joint-set{at}", integers("k", "a", "b", "o"), "Real", summed(moved)),
            define(f"law-set{at}", integers("k", "a", "b", "o"), "Real", f"(/ (joint-set{at} k a b o) (mass{at} k a))"),
        ]

    def distances(self, mode: Mode) -> list[str]:
        """The lines that define the distance of the two laws of a row as a function, in each compared direction."""
        shape = next((self._shape(group, row) for group in self.groups for row in group.rows), None)
        if shape is None:
            return []
        p, q = self._law(shape.p), self._law(shape.q)
        compared = {"apart": (p, q), "reverse": (q, p)}
        for way in self.ways:
            compared[f"apart-{way}"] = p, [f"(R-{way}{self.at} k a b {o})" for o in self.tables.outputs]
        lines = heading(f"Record {self.record} of (d0, d1, ...) set to b") if self.theta is None else []
        if self.beliefs:
            lines = [BELIEFS]
        parameters = [*mode.parameters, *integers(*shape.parameters, *("o" if self.beliefs else ""))]
        for name in self._directions():
            apart = distance(mode, *compared[name])
            lines.append(define(f"{name}{mode.suffix}{self.at}", parameters, "Real", apart))
        return lines

    def compared(self, mode: Mode) -> Iterator[tuple[str, str]]:
        """The inequalities of the definition, each after the condition under which it is compared."""
        for group in self.groups:
            if self.averages:
                yield self._averaged(group, mode)
                continue
            for row in group.rows:
                for observed in [(o,) for o in self.tables.outputs] if self.beliefs else [()]:
                    met = [f"(> {self._output_mass(side, o)} 0.0)" for o in observed for side in (row.p, row.q)]
                    met += map(self._possible, row.where)
                    distances = [self._distance(name, group, row, mode, observed) for name in self._directions()]
                    yield every(met), every(f"(<= {distance} d)" for distance in distances)

    def _averaged(self, group: RowGroup, mode: Mode) -> tuple[str, str]:
        """The condition on the average over B̂ given a, after its guard; rows that are not compared add nothing."""
        total = self._mass(Given(None, group.a))
        terms, guards = [], []
        for row in group.rows:
            guards.append(every(map(self._possible, row.where)))
            distance = self._distance("apart", group, row, mode)
            terms.append(f"(ite {guards[-1]} (* (/ {self._mass(row.event)} {total}) {distance}) 0.0)")
        return every([some(guards), *map(self._possible, group.where)]), f"(<= {add(terms)} d)"

    def _distance(self, name: str, group: RowGroup, row: Row, mode: Mode, observed: tuple[int, ...] = ()) -> str:
        """The distance of the laws of a row; it is 1, all of P, where Q is given an event that is impossible."""
        numbers = self._shape(group, row).numbers
        distance = call(f"{name}{mode.suffix}{self.at}", *mode.arguments, *numbers, *observed)
        event = row.q[0].event
        if self.beliefs or event is None or event in row.where:
            return distance
        return f"(ite {self._possible(event)} {distance} 1.0)"

    def _directions(self) -> list[str]:
        """The names of the functions that are distances of laws."""
        reverse = self.groups and BACKWARD in self.groups[0].orders
        return [f"apart-{way}" for way in self.ways] or ["apart", *(["reverse"] if reverse else [])]

    def _shape(self, group: RowGroup, row: Row) -> _Shape:
        """The shape of a row: its laws as functions of a few numbers.

        Raises:
            UnsupportedError: for laws that are not exported.

        """
        p, q = row.p[0], row.q[0]
        match p, q:
            case (Given(), _) if self.beliefs:
                before = tuple(Given("k", name.value) for name in row.p if isinstance(name, Given))
                after = tuple(Replaced("k", name.value, "b") for name in before)
                return _Shape(before, after, ("k", "b"), (p.known, group.b))
            case Given(), Given() if p.known == q.known:
                numbers = p.known, p.value, q.value
                return _Shape((Given("k", "a"),), (Given("k", "b"),), ("k", "a", "b"), numbers)
            case Given(), Replaced() if p == q.event:
                return _Shape((Given("k", "a"),), (Replaced("k", "a", "b"),), ("k", "a", "b"), (*p, q.by))
            case Point(), Point():
                i, d = self.record or 0, database(self.tables)
                first, second = (tuple[Any, ...](texts) for texts in (d, [*d[:i], "b", *d[i + 1 :]]))
                return _Shape((Point(first),), (Point(second),), (*d, "b"), (*p.database, q.database[i]))
        raise UnsupportedError(f"{self.tables.question.definition.key} compares laws that are not exported")

    def _law(self, law: tuple[Name, ...]) -> list[str]:
        """The terms of a law: P[o] for each output o; for beliefs, the probability of each value of S given o."""
        if self.beliefs:
            return [f"(/ {self._joint(name, 'o')} {self._output_mass(law, 'o')})" for name in law]
        (name,) = law
        if isinstance(name, Point):
            return [call("M", *name.database, o) for o in self.tables.outputs]
        return [call(f"law{_set(name)}{self.at}", *name, o) for o in self.tables.outputs]

    def _joint(self, name: Name, o: object) -> str:
        """P[B = k and S = a and M(D) = o]."""
        return call(f"joint{_set(name)}{self.at}", *name, o)

    def _output_mass(self, law: tuple[Name, ...], o: object) -> str:
        """P[B = k and M(D) = o]."""
        return add(self._joint(name, o) for name in law)

    def _mass(self, event: Given | None) -> str:
        """P[B = k and S = a], or P[S = a]; a database alone has mass 1."""
        if event is None:
            return "1.0"
        known = self.tables.knowledge_values(self.theta or 0) if event.known is None else [event.known]
        return add(call(f"mass{self.at}", k, event.value) for k in known)

    def _possible(self, event: Given) -> str:
        return f"(> {self._mass(event)} 0.0)"


def _set(name: Name) -> str:
    return "-set" if isinstance(name, Replaced) else ""
