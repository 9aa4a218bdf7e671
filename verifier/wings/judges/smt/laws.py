"""The definitions over tables, spelled out in SMT-LIB 2 (DMKB20, Definitions 2, 3, 5, 6, 12, 13 and 17; LQS12).

The builders of `definitions.rows` list the comparisons, with the masses as terms: the judge computes every sum, every
conditional and every counterfactual law, and decides what is possible. `compared` says that something is compared,
`lawful` that the tables are laws, and `holds` is the definition. Tables of worlds and the mechanism are constants and
functions. The bounded dependency of two mechanisms (Definitions 17 and 18) is here, too.

An output is a pair (o₁, o₂). Its probability P is compared with R = P·e^(-Dep), where Dep is the loss of o₂ given o₁
and B̂ without the loss of o₂ given B̂ alone; R is written as a quotient of probabilities.

Databases of several sizes have a table of multisets: sampling, and neighbours by one tuple (LQS12, Definitions 1, 3 and
3.10).
"""

from __future__ import annotations

import json
from collections.abc import Hashable, Iterator
from fractions import Fraction
from itertools import product
from math import comb
from typing import Any, NamedTuple

from verifier.definitions.builders import law_names
from verifier.definitions.builders.law_names import BACKWARD, Given, Name, NamedRow, Point, Replaced, RowGroup
from verifier.definitions.builders.resolve import comparing, posteriors
from verifier.errors import InputError, UnsupportedError
from verifier.wings.judges.smt.text import (
    FINITE,
    INFINITE,
    Mode,
    call,
    condition,
    define,
    distance,
    every,
    excess,
    heading,
    integers,
    looked_up,
    real,
    some,
)
from verifier.wings.judges.smt.text import total as add
from verifier.wings.judges.tables import Counts, Sized, Tables, plain


def names(tables: Tables) -> list[str]:
    """Comments that say which label each number stands for."""
    return [*heading("Labels are numbers"), *(f"; {line}" for line in tables.names())]


def database(tables: Tables) -> list[str]:
    """The parameters d0, d1, … that stand for a database."""
    return [f"d{i}" for i in range(tables.size)]


def mechanism(tables: Tables) -> list[str]:
    """The lines that define P[M(d0, d1, …) = o] as a function, which is 0 outside its table."""

    def chosen(rows: list[tuple[tuple[int, ...], dict[int, str]]], depth: int) -> str:
        if depth == tables.size:
            return looked_up("o", rows[0][1])
        by_value: dict[int, list[tuple[tuple[int, ...], dict[int, str]]]] = {}
        for entry in sorted(rows, key=lambda entry: entry[0][depth]):
            by_value.setdefault(entry[0][depth], []).append(entry)
        return looked_up(f"d{depth}", {v: chosen(alike, depth + 1) for v, alike in by_value.items()})

    rows = [(row, {o: real(p) for o, p in law.items()}) for row, law in tables.mechanism.items()]
    return [
        *heading("The mechanism: the probability of output o on the database (d0, d1, ...)"),
        define("M", integers(*database(tables), "o"), "Real", chosen(rows, 0) if rows else "0.0"),
    ]


def worlds(tables: Tables) -> list[str]:
    """The lines of the worlds of each θ: p is the probability, d the database, k the knowledge, s the value of S."""
    lines: list[str] = []
    for t, listed in enumerate(tables.thetas):
        lines += heading(
            f"Distribution {t}: in world w, p{t}_w is the probability, d{t}_w_i record i, k{t}_w the knowledge"
        )
        for w, world in enumerate(listed):
            lines += [
                define(f"p{t}_{w}", [], "Real", real(world.probability)),
                define(f"k{t}_{w}", [], "Int", str(world.knowledge)),
                *(define(f"d{t}_{w}_{i}", [], "Int", str(v)) for i, v in enumerate(world.database)),
            ]
            if tables.secrets is None:
                lines.append(define(f"s{t}_{w}", [], "Int", str(world.secret)))
    return lines


def of_world(tables: Tables, theta: int, world: int, replaced: int | None = None) -> list[str]:
    """The records of a world's database as terms; a replaced record is b."""
    return ["b" if i == replaced else f"d{theta}_{world}_{i}" for i in range(tables.size)]


def lawful(tables: Tables) -> list[str]:
    """The lines that define `lawful`: each θ, and the mechanism on each reached database, sums to 1; nothing is < 0."""
    conditions = []
    for t, listed in enumerate(tables.thetas):
        conditions += [f"(= 1.0 {add(f'p{t}_{w}' for w in range(len(listed)))})"]
        conditions += [f"(>= p{t}_{w} 0.0)" for w in range(len(listed))]
        reached = [of_world(tables, t, w) for w in range(len(listed))]
        if tables.question.reach == "change":
            reached += [
                [str(b) if label == "b" else label for label in of_world(tables, t, w, i)]
                for w in range(len(listed))
                for i in tables.secrets or ()
                for b in tables.values
            ]
        conditions += [call("lawful-at", *arguments) for arguments in reached]
    if tables.question.reach == "all":
        conditions += [call("lawful-at", *arguments) for arguments in product(tables.values, repeat=tables.size)]
    probabilities = [call("M", *database(tables), o) for o in tables.outputs]
    law = every([f"(= 1.0 {add(probabilities)})", *(f"(>= {p} 0.0)" for p in probabilities)])
    return [
        *heading("The tables are laws"),
        define("lawful-at", integers(*database(tables)), "Bool", law),
        condition("lawful", dict.fromkeys(conditions)),
    ]


ALWAYS = every([])
BELIEFS = "; beliefs about the record after M(D) = o, and after M(D with the record set to b) = o; and the reverse"


def laws_statement(tables: Tables) -> list[str]:
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


class _AnyPossible(law_names.BuilderCase):
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
            self.groups, self.ways = list(law_names.conditional(case, reading)), ways_together(tables)
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
            lines += dependency_lines(tables, at)
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

    def _distance(self, name: str, group: RowGroup, row: NamedRow, mode: Mode, observed: tuple[int, ...] = ()) -> str:
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

    def _shape(self, group: RowGroup, row: NamedRow) -> _Shape:
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


WAYS = {"M2-on-M1": (0, 1), "M1-on-M2": (1, 0)}


def ways_together(tables: Tables) -> list[str]:
    """The names of the directions in which the dependency of one mechanism on the other is bounded."""
    return list(WAYS)[: 2 if tables.question.reading == "both-ways" else 1]


def pairs(tables: Tables) -> list[tuple[str, str]]:
    """The two outputs of which each output is a pair, as texts.

    Raises:
        InputError: for outputs that are no different JSON pairs.

    """
    texts = []
    for label in tables.labels.outputs:
        try:
            first, second = json.loads(label)
        except ValueError:
            raise InputError(
                f"the output {label!r} is not a pair", where="the certificate", wanted="a JSON pair"
            ) from None
        texts.append((_text(first), _text(second)))
    if len(set(texts)) != len(texts):
        raise InputError("two outputs are the same pair", where="the certificate")
    return texts


def _text(label: object) -> str:
    return label if isinstance(label, str) else json.dumps(label, ensure_ascii=False, separators=(",", ":"))


def dependency_lines(tables: Tables, at: str) -> list[str]:
    """The lines that define R of every output, given B̂ = k, for a against b, in each direction."""
    texts, lines = pairs(tables), []
    for way in ways_together(tables):
        first, second = WAYS[way]
        weights = {}
        for o in tables.outputs:
            alike_first = [u for u in tables.outputs if texts[u][first] == texts[o][first]]
            alike_second = [u for u in tables.outputs if texts[u][second] == texts[o][second]]
            weights[o] = _weight(tables, at, o, alike_first, alike_second)
        lines += [
            f"; P(o) times e^(-Dep), {way}: Dep is the loss given the other's output, minus the loss without it",
            define(f"R-{way}{at}", integers("k", "a", "b", "o"), "Real", looked_up("o", weights)),
        ]
    return lines


def _weight(tables: Tables, at: str, o: int, alike_first: list[int], alike_second: list[int]) -> str:
    """The term of R for one output, by the reading; where the dependency counts nothing, R is P."""
    reading = tables.question.reading

    def sums(outputs: list[int], value: str) -> str:
        return add(f"(law{at} k {value} {u})" for u in outputs)

    p, q = f"(law{at} k a {o})", f"(law{at} k b {o})"
    p_heard, q_heard, p_said, q_said = (
        sums(alike_first, "a"),
        sums(alike_first, "b"),
        sums(alike_second, "a"),
        sums(alike_second, "b"),
    )
    alone = f"(/ {p_said} {q_said})"
    unheard = {
        "infinite-loss": "0.0",
        "no-loss": f"(ite (= {q_said} 0.0) {p} (* {p} {alone}))",
    }.get(reading, p)
    unsaid = p if reading == "equal-infinities" else "0.0"
    weight = f"(* {p} (/ (/ {q} {q_heard}) (/ {p} {p_heard})) {alone})"
    return f"(ite (= {p} 0.0) 0.0 (ite (= {q_heard} 0.0) {unheard} (ite (= {q_said} 0.0) {unsaid} {weight})))"


# --- databases of several sizes ---------------------------------------------------------------------------------------


def sizes_statement(sized: Sized) -> list[str]:
    """The lines of the file: the mechanism on every multiset, its samples, and the definition."""
    met, rate, outputs = sized.databases(), sized.rate, range(len(sized.outputs))
    number = {multiset: n for n, multiset in enumerate(sized.databases(0))}
    drawn = met if rate == 1 else list(number)
    lines = heading("Labels are numbers; a database is a multiset of values")
    lines += [f"; value {v} is {plain(name)}" for v, name in enumerate(sized.values)]
    lines += [f"; output {o} is {plain(name)}" for o, name in enumerate(sized.outputs)]
    lines += heading("P[A(D) = o] without the sample, for each multiset D (written as how often each value appears)")
    for multiset in drawn:
        law = looked_up("o", {o: real(p) for o, p in sized.laws[multiset].items()})
        lines += [f"; {multiset}", define(f"A_{number[multiset]}", ["(o Int)"], "Real", law)]
    lines += _samples(rate, met, number)
    conditions = [f"(= 1.0 {add(call(f'A_{number[multiset]}', o) for o in outputs)})" for multiset in drawn]
    conditions += [f"(>= {call(f'A_{number[multiset]}', o)} 0.0)" for multiset in drawn for o in outputs]
    conditions += ["(<= 0.0 rate)", "(<= rate 1.0)"]
    lines += [*heading("The tables are laws"), condition("lawful", conditions), *excess(tail=False)]
    present = set(met)
    pairs = [
        (multiset, more)
        for multiset in met
        for v in range(len(sized.values))
        if (more := (*multiset[:v], multiset[v] + 1, *multiset[v + 1 :])) in present
    ]
    for mode in (FINITE, INFINITE):
        inequalities = []
        for first, second in (pair for small, large in pairs for pair in ((large, small), (small, large))):
            laws = ([call(f"S_{number[at]}", o) for o in outputs] for at in (first, second))
            inequalities.append(f"(<= {distance(mode, *laws)} d)")
        lines += [
            *heading(f"The definition{' at epsilon = inf' if mode is INFINITE else ''}: one tuple more, both orders"),
            define(f"holds{mode.suffix}", [*mode.parameters, "(d Real)"], "Bool", every(inequalities)),
        ]
    return [*lines, define("compared", [], "Bool", "true" if pairs else "false")]


def _samples(rate: Fraction, met: list[Counts], number: dict[Counts, int]) -> list[str]:
    """The lines that define P[A^β(D) = o] = Σ over the parts S of D of P[S is drawn]·P[A(S) = o].

    Each tuple is kept with probability β.
    """
    lines = [
        *heading("The sample: each tuple is kept with the probability `rate`; kept_n and left_n are powers"),
        define("rate", [], "Real", real(rate)),
        define("kept_0", [], "Real", "1.0"),
        define("left_0", [], "Real", "1.0"),
    ]
    for n in range(1, max(map(sum, met), default=0) + 1):
        lines += [
            define(f"kept_{n}", [], "Real", f"(* kept_{n - 1} rate)"),
            define(f"left_{n}", [], "Real", f"(* left_{n - 1} (- 1.0 rate))"),
        ]
    for multiset in met:
        terms = []
        for sample in product(*(range(times + 1) for times in multiset)) if rate != 1 else [multiset]:
            kept = sum(sample)
            ways = 1
            for times, taken in zip(multiset, sample, strict=True):
                ways *= comb(times, taken)
            chance = f"(* {ways}.0 kept_{kept} left_{sum(multiset) - kept})"
            terms.append(f"(* {chance} {call(f'A_{number[sample]}', 'o')})")
        lines.append(define(f"S_{number[multiset]}", ["(o Int)"], "Real", add(terms)))
    return lines
