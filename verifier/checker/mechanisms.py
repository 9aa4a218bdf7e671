"""The kinds of mechanisms, as FORMAT.md describes them: the law of an output on a database.

`KINDS` is the table of kinds, and `steps.STEPS` that of the steps behind them: a new one is a function and its line.
"""

from __future__ import annotations

import math
import operator
from collections import defaultdict
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from fractions import Fraction
from functools import partial
from itertools import combinations_with_replacement, product
from typing import TYPE_CHECKING, Any, NamedTuple

from . import cells, rules
from .numbers import (
    Label,
    Law,
    NoRow,
    Wrong,
    afford,
    afford_product,
    as_law,
    certain,
    distinct,
    found,
    integers_in,
    joined,
    label,
    listed,
    mixed,
    number,
    rational,
    root,
)
from .program_laws import ProgramLaws
from .programs import Program
from .recodings import anonymized, applied
from .responses import RESPONSE_KEYS, each_value, randomized_response, shuffled
from .steps import Step

if TYPE_CHECKING:  # a model makes its mechanism, and hands it the home of the file
    from .models import Home

Database = tuple[Label, ...]
Spec = Mapping[str, Any]
NO_ANSWER = "⊥"


class Mechanism:
    """A channel from databases to labels, as the file gives it."""

    def __init__(self, spec: Spec, home: Home, size: int | None = None) -> None:
        self.spec, self.home = spec, home
        self.size: int = home.most if size is None else size
        self.name = "program" if "program" in spec else str(spec.get("kind", "table"))
        if self.name not in KINDS:
            raise Wrong(f"the kind of mechanism {self.name!r} is unknown")
        self.kind = KINDS[self.name]
        unknown = set(spec) - self.kind.keys - {"kind", "sample", "then", "name"}
        if unknown:
            raise Wrong(f"a mechanism of kind {self.name!r} has no key {min(unknown)!r}")
        self.parts: dict[str, Mechanism] = {
            name: Mechanism(inner, home, at) for name, inner, at in self.kind.parts(self)
        }
        self.rate = home.chance(spec["sample"]) if "sample" in spec else Fraction(1)
        given = spec["then"] if "then" in spec else rules.rule_of(spec).steps if "rule" in spec else []
        self.steps = [Step(step, self) for step in given]
        self.behind = [] if self.name == "tables" else self.steps
        """The steps on the output as a whole; those of tables are on each count."""
        self.cache: dict[Database, Law] = {}
        self.prepared: dict[str, Any] = {}

    def law(self, database: Database) -> Law:
        """The law of the output on a database."""
        if database not in self.cache:
            self.cache[database] = self._law(database)
        return self.cache[database]

    def _law(self, database: Database) -> Law:
        return followed(self.bare(database), self.behind)

    def of_count(self, count: int) -> Law:
        """The law of what is published of a count, in a mechanism that is tables."""
        law: Law = self.once(f"count {count}", lambda: followed(certain(count), self.steps))
        return law

    def bare(self, database: Database) -> Law:
        """Without its steps: of a sample of the database first, where there is one."""
        if self.rate == 1:
            return self.kind.law(self, database)
        return mixed((w, self.kind.law(self, kept)) for w, kept in samples(database, self.rate))

    def database(self, values: Sequence[object]) -> Database:
        """A database of a row: of all records that the mechanism sees, or of some of them where it gets a sample."""
        if self.rate != 1 and len(values) < self.size:
            return self.home.database(values, len(values))
        return self.home.database(values, self.size)

    def counted(self) -> list[Label]:
        """The values that are counted."""
        spec = self.spec
        return [label(spec["value"])] if "value" in spec else [label(v) for v in spec.get("values", self.home.values)]

    def span(self) -> tuple[int, int]:
        """Bounds of the integers that come before and after the steps; noise keeps these apart."""
        ends = [0, *self.kind.ends(self)]
        for inner in self.parts.values():
            ends += inner.span()
        ends += [n for step in self.steps for n in integers_in(step.spec.get("rows", []))]
        ends += [n for step in self.steps if step.spec.get("kind") == "hide" for n in rules.hidden_ends(step.spec)]
        clamps = [step.spec for step in self.steps if step.spec.get("kind") == "clamp"]
        ends += [whole(rational(spec[end])) for spec in clamps for end in ("low", "high") for whole in _WHOLE]
        return min(ends), max(ends)

    def once(self, name: str, make: Callable[[], Any]) -> Any:
        """Something that is read off the spec once."""
        if name not in self.prepared:
            self.prepared[name] = make()
        return self.prepared[name]


def followed(law: Law, steps: Iterable[Step]) -> Law:
    """The law of an output after these steps."""
    for step in steps:
        law = mixed((Fraction(c, law.total), step.law(o)) for o, c in law.counts.items())
    return law


def samples(database: Database, rate: Fraction) -> Iterator[tuple[Fraction, Database]]:
    """What is kept of a database, each record with probability `rate`; equal parts once."""
    kept: dict[Database, Fraction] = {(): Fraction(1)}
    for value in database:
        step: dict[Database, Fraction] = defaultdict(Fraction)
        for d, w in kept.items():
            step[d] += w * (1 - rate)
            step[*d, value] += w * rate
        kept = step
        afford(len(kept), "the samples of a database")
    return ((w, d) for d, w in kept.items() if w)


class Kind(NamedTuple):
    """A kind of mechanism: its law on a database, its keys, the mechanisms inside, the integers that it may put out.

    `term` is what one record adds to a statistic of which the output is a function, so that many records need no table.
    """

    law: Callable[[Mechanism, Database], Law]
    keys: frozenset[str] = frozenset()
    parts: Callable[[Mechanism], Iterable[tuple[str, Spec, int]]] = lambda mechanism: ()
    ends: Callable[[Mechanism], Iterable[int]] = lambda mechanism: ()
    term: Callable[[Mechanism, int, Label], Statistic] | None = None
    finish: Callable[[Mechanism, Statistic, int], object] | None = None


_WHOLE: tuple[Callable[[Fraction], int], ...] = (math.floor, math.ceil)
Statistic = tuple[Fraction | int, ...]


def added(one: Statistic, other: Statistic) -> Statistic:
    """The sum of two statistics."""
    return tuple(map(operator.add, one, other))


def _additive(
    term: Callable[[Mechanism, int, Label], Statistic],
    finish: Callable[[Mechanism, Statistic, int], object],
    keys: frozenset[str],
    ends: Callable[[Mechanism], Iterable[int]],
) -> Kind:
    """A kind whose output is a function of the sum of what the records add."""

    def law(mechanism: Mechanism, database: Database) -> Law:
        terms = [term(mechanism, i, v) for i, v in enumerate(database)]
        total: Statistic = tuple(0 for _ in term(mechanism, 0, mechanism.home.values[0]))
        for each in terms:
            total = added(total, each)
        return as_law(finish(mechanism, total, len(database)))

    return Kind(law, keys, ends=ends, term=term, finish=finish)


def _deterministic(function: Callable[[Mechanism, Database], object]) -> Callable[[Mechanism, Database], Law]:
    return lambda mechanism, database: certain(function(mechanism, database))


def _rows(mechanism: Mechanism, database: Database) -> Law:
    home = mechanism.home

    def read() -> dict[Database, Law]:
        rows = mechanism.spec.get("rows", mechanism.spec.get("table", []))
        return distinct((mechanism.database(row["database"]), home.answer(row)) for row in rows)

    rows: dict[Database, Law] = mechanism.once("rows", read)
    law = rows.get(home.ordered(database))
    if law is None:
        if "otherwise" not in mechanism.spec:
            raise NoRow(f"the mechanism has no row for the database {listed(database)}")
        law = home.outcome(mechanism.spec["otherwise"])
    return law


def _program_laws(mechanism: Mechanism) -> ProgramLaws:
    home = mechanism.home

    def every() -> Iterator[tuple[Any, ...]]:
        least = 0 if mechanism.rate != 1 else home.least if home.many else mechanism.size
        for size in range(least, mechanism.size + 1):
            afford_product([len(home.values)] * size, "the databases of a program")
            orders = (
                combinations_with_replacement(home.values, size) if home.many else product(home.values, repeat=size)
            )
            yield from map(home.as_spelled, orders)

    def read() -> ProgramLaws:
        program = Program(str(mechanism.spec["program"]), home.chance, home.parameters, home.observer)
        return ProgramLaws(program, every, home.apart)

    laws: ProgramLaws = mechanism.once("program", read)
    return laws


def _program(mechanism: Mechanism, database: Database) -> Law:
    return _program_laws(mechanism).law(mechanism.home.as_spelled(database))


def _is_counted(mechanism: Mechanism, record: int, value: Label) -> Statistic:
    return (int(value in mechanism.once("counted", lambda: set(mechanism.counted()))),)


def _each_counted(mechanism: Mechanism, record: int, value: Label) -> Statistic:
    return tuple(int(value == v) for v in mechanism.once("list", mechanism.counted))


def _threshold(mechanism: Mechanism, total: Statistic, size: int) -> object:
    return total[0] if total[0] > rational(mechanism.spec["above"]) else mechanism.spec.get("otherwise", NO_ANSWER)


def _shown_counts(mechanism: Mechanism, total: Statistic, size: int) -> list[object]:
    anonymous = mechanism.spec["kind"] == "k-anonymous-histogram"
    k = mechanism.spec.get("k") if anonymous else 0
    if not isinstance(k, int) or isinstance(k, bool) or (anonymous and k < 1):
        raise Wrong(f"k of a k-anonymous histogram is {str(k)[:30]}", expected="an integer, at least 1")
    least = k + (anonymous and mechanism.spec.get("keep", ">=") == ">")
    return [count if count >= least else NO_ANSWER for count in total]


def _weighted(mechanism: Mechanism, record: int, value: Label) -> Statistic:
    weights = mechanism.once("weights", lambda: [mechanism.home.chance(w) for w in mechanism.spec["weights"]])
    if len(weights) != mechanism.size:
        raise Wrong(f"{len(weights)} weights for {mechanism.size} records")
    return (weights[record] * number(value),)


def _number(mechanism: Mechanism, record: int, value: Label) -> Statistic:
    return (number(value),)


def _all(mechanism: Mechanism, database: Database) -> Law:
    return joined([inner.law(database) for inner in mechanism.parts.values()])


def _after(first: Label, second: Label) -> Label:
    return listed([first, second])


def _choice(mechanism: Mechanism, database: Database) -> Law:
    out, home = [], mechanism.home
    for (name, inner), part in zip(mechanism.parts.items(), mechanism.spec["of"], strict=True):
        law = inner.law(database)
        if mechanism.spec.get("shown"):
            law = law.image(partial(_after, label(part.get("name", name))))
        out.append((home.chance(part["weight"]), law))
    return mixed(out)


def _adaptive(mechanism: Mechanism, database: Database) -> Law:
    first = mechanism.parts["first"].law(database)
    nexts = {name.removeprefix("next "): inner for name, inner in mechanism.parts.items() if name.startswith("next ")}

    def second(o: Label) -> Law:
        inner = found(nexts, o) or mechanism.parts.get("otherwise")
        if inner is None:
            raise Wrong(f"no mechanism comes next after the output {o}")
        return inner.law(database).image(partial(_after, o))

    return mixed((Fraction(c, first.total), second(o)) for o, c in first.counts.items())


def _adaptive_parts(mechanism: Mechanism) -> Iterator[tuple[str, Spec, int]]:
    spec = mechanism.spec
    yield "first", spec["first"], mechanism.size
    for name, inner in spec.get("next", {}).items():
        yield f"next {label(name)}", inner, mechanism.size
    if "otherwise" in spec:
        yield "otherwise", spec["otherwise"], mechanism.size


def _part_records(mechanism: Mechanism) -> Sequence[int]:
    return mechanism.home.indices(mechanism.spec.get("records"), mechanism.size)


def _value_ends(mechanism: Mechanism) -> list[int]:
    return list(integers_in(mechanism.home.values))


def _sum_ends(mechanism: Mechanism) -> list[int]:
    values = [number(v) for v in mechanism.home.values]
    low, high = (int(end(values)) for end in (min, max))
    weights = [abs(mechanism.home.chance(w)) for w in mechanism.spec.get("weights", [])]
    times = math.ceil(sum(weights)) if weights else mechanism.size
    return [
        times * low,
        times * high,
        times * -max(abs(low), abs(high)) if weights else 0,
        times * max(abs(low), abs(high)) if weights else 0,
    ]


def _named(*names: str) -> Callable[[Mechanism], list[int]]:
    return lambda mechanism: list(integers_in([mechanism.spec.get(name, []) for name in names]))


_of: Callable[[Mechanism], Any] = lambda m: [(f"#{n}", inner, m.size) for n, inner in enumerate(m.spec["of"], 1)]  # noqa: E731
_counts: Callable[[Mechanism], list[int]] = lambda m: [m.size, *_named("otherwise")(m)]  # noqa: E731
_NONE: frozenset[str] = frozenset()
_WHICH = frozenset({"value", "values"})

KINDS: dict[str, Kind] = {
    "table": Kind(
        _rows, frozenset({"table", "rows", "otherwise", "symmetric"}), ends=_named("table", "rows", "otherwise")),
    "program": Kind(_program, frozenset({"program", "symmetric"}), ends=lambda m: _program_laws(m).window()),
    "constant": Kind(_deterministic(lambda m, d: m.spec["output"]), frozenset({"output"}), ends=_named("output")),
    "identity": Kind(_deterministic(lambda m, d: d), ends=_value_ends),
    "records": Kind(
        _deterministic(lambda m, d: [d[i] for i in m.home.indices(m.spec["records"], len(d))]),
        frozenset({"records"}), ends=_value_ends),
    "count": _additive(_is_counted, lambda m, total, n: total[0], _WHICH, _counts),
    "threshold-count": _additive(_is_counted, _threshold, _WHICH | {"above", "otherwise"}, _counts),
    "parity": _additive(_is_counted, lambda m, total, n: total[0] % 2, _WHICH, lambda m: [1]),
    "histogram": _additive(_each_counted, _shown_counts, frozenset({"values"}), _counts),
    "k-anonymous-histogram": _additive(_each_counted, _shown_counts, frozenset({"k", "values", "keep"}), _counts),
    "sum": _additive(_number, lambda m, total, n: Fraction(total[0]), _NONE, _sum_ends),
    "mean": _additive(_number, lambda m, total, n: Fraction(total[0]) / n, _NONE, _sum_ends),
    "tables": _additive(cells.term, cells.published, cells.KEYS, _counts),
    "linear": _additive(_weighted, lambda m, total, n: Fraction(total[0]), frozenset({"weights"}), _sum_ends),
    "harmonic-mean": _additive(
        lambda m, i, v: (1 / number(v),), lambda m, total, n: Fraction(n / total[0]), _NONE, _sum_ends),
    "quadratic-mean": _additive(
        lambda m, i, v: (number(v) ** 2,), lambda m, total, n: root(Fraction(total[0]) / n, 2), _NONE, _sum_ends),
    "geometric-mean": Kind(
        _deterministic(lambda m, d: root(math.prod(map(number, d), start=Fraction(1)), len(d))), ends=_sum_ends),
    "maximum": Kind(_deterministic(lambda m, d: max(d, key=m.home.values.index)), ends=_value_ends),
    "minimum": Kind(_deterministic(lambda m, d: min(d, key=m.home.values.index)), ends=_value_ends),
    "mode": Kind(
        _deterministic(lambda m, d: max(m.home.values, key=lambda v: (d.count(v), -m.home.values.index(v)))),
        frozenset({"ties"}), ends=_value_ends),
    "randomized-response": Kind(randomized_response, RESPONSE_KEYS | {"records"}, ends=_value_ends),
    "shuffle": _additive(
        each_value, shuffled, RESPONSE_KEYS | {"of", "reports"},
        lambda m: [*_value_ends(m), *_named("of", "reports")(m)],
    )._replace(parts=lambda m: [("of", m.spec["of"], 1)] if "of" in m.spec else []),
    "apply": Kind(_deterministic(applied), frozenset({"k", "generalization"}), ends=_named("generalization")),
    "k-anonymization": Kind(
        anonymized, frozenset({"k", "generalizations", "choose", "shows-mapping"}),
        lambda m: [("choose", m.spec["choose"], m.size)], _named("generalizations")),
    "all": Kind(_all, frozenset({"of"}), _of),
    "choice": Kind(
        _choice, frozenset({"of", "shown"}),
        lambda m: [(f"#{n}", part["mechanism"], m.size) for n, part in enumerate(m.spec["of"], 1)]),
    "part": Kind(
        lambda m, d: m.parts["of"].law(tuple(d[i] for i in _part_records(m))), frozenset({"records", "of"}),
        lambda m: [("of", m.spec["of"], len(_part_records(m)))]),
    "adaptive": Kind(_adaptive, frozenset({"first", "next", "otherwise"}), _adaptive_parts),
}  # fmt: skip
