"""The kinds of mechanisms and of steps behind them, as FORMAT.md describes them: the law of an output on a database.

`KINDS` and `STEPS` are the two tables of kinds: a new kind is a function and its line there.
"""

from __future__ import annotations

import math
import operator
import re
from collections import Counter, defaultdict
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from fractions import Fraction
from functools import lru_cache, partial
from itertools import combinations_with_replacement, product
from typing import TYPE_CHECKING, Any, NamedTuple

from . import cells, rules
from .number_text import epsilon_of
from .numbers import (
    BeyondLimits,
    Label,
    Law,
    NoRow,
    Power,
    Wrong,
    afford,
    afford_product,
    as_law,
    certain,
    entries,
    found,
    integers_in,
    is_integer,
    is_list,
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


def _randomized_response(mechanism: Mechanism, database: Database) -> Law:
    keep, home = mechanism.once("keep", lambda: _keep(mechanism.spec, mechanism.home)), mechanism.home
    return joined(
        [_reported(home, keep, database[i]) for i in home.indices(mechanism.spec.get("records"), len(database))]
    )


def _keep(spec: Spec, home: Home) -> Fraction:
    """The probability with which a value is kept: `keep`, or by `truth` or `epsilon` (FORMAT.md)."""
    k = len(home.values)
    if "keep" in spec:
        return home.chance(spec["keep"])
    if "truth" in spec:
        truth = home.chance(spec["truth"])
        return (k * truth - 1) / (k - 1) if k > 1 else Fraction(1)
    growth = _growth(spec["epsilon"])
    return (growth - 1) / (growth + k - 1)


def _growth(text: object) -> Fraction:
    """e^ε of an ε that a mechanism has, where it is rational: ln(9)/2 is ln(3)."""
    value = Power(epsilon_of(text)).value
    if value is None:
        raise Wrong(f"e to the power of {text} is not rational")
    return value


def _reported(home: Home, keep: Fraction, value: Label) -> Law:
    if value not in home.values:
        raise Wrong(f"randomized response is given {value}, which is no value")
    kept, total, k = keep.numerator, keep.denominator, len(home.values)
    return Law({**dict.fromkeys(home.values, total - kept), value: total - kept + kept * k}, total * k)


def _each_value(mechanism: Mechanism, record: int, value: Label) -> Statistic:
    return tuple(int(value == v) for v in mechanism.home.values)


def _report(mechanism: Mechanism, value: Label) -> Law:
    """The law of what one record reports."""
    spec, home = mechanism.spec, mechanism.home
    if "of" in spec:
        return mechanism.parts["of"].law((value,))
    if "reports" in spec:
        tables = distinct((label(v), law) for v, law in spec["reports"].items())
        if set(tables) != set(home.values):
            raise Wrong(f"reports: a table for {listed(tables)}", expected="one for each value")
        return home.law(tables[value])
    return _reported(home, _keep(spec, home), value)


def _shuffled(mechanism: Mechanism, total: Statistic, size: int) -> Law:
    """The law of the sorted list of reports, given how many records have each value.

    A report is a polynomial, the sum of its weights times a power of x, and all reports are the product. The powers of
    report j are (size + 1)^j, but 1 for the last, so that a power of the product says how often each report comes; and
    x is a power of 2 that no coefficient reaches, so that the product is one of integers.
    """

    def read() -> tuple[list[Label], list[list[int]], int]:
        laws = [_report(mechanism, v) for v in mechanism.home.values]
        reports = sorted({o for law in laws for o in law.counts}, key=_place)
        common = math.lcm(*(law.total for law in laws))
        return reports, [[law.counts.get(o, 0) * (common // law.total) for o in reports] for law in laws], common

    reports, weights, common = mechanism.once("reports", read)
    places = (size + 1) ** (len(reports) - 1) if len(reports) < 64 else 1 << 64
    width = (common**size).bit_length() // 8 + 1
    afford_product([places, width], "the ways in which reports are shuffled")
    powers = [8 * width * (size + 1) ** j for j in range(len(reports) - 1)] + [0]
    whole = 1
    for times, row in zip(total, weights, strict=True):
        whole *= sum(w << at for w, at in zip(row, powers, strict=True)) ** int(times)
    data = whole.to_bytes(places * width, "little")
    counts: dict[Label, int] = {}
    for place in range(places):
        weight = int.from_bytes(data[place * width : (place + 1) * width], "little")
        if weight:
            counts[mechanism.once(f"{place} of {size}", partial(_list_of, reports, place, size))] = weight
    return Law(counts, common**size)


def _list_of(reports: Sequence[Label], place: int, size: int) -> Label:
    """The sorted list of reports at a power of the product of all reports."""
    times = []
    for _ in reports[1:]:
        place, count = divmod(place, size + 1)
        times.append(count)
    return listed(o for o, n in zip(reports, [*times, size - sum(times)], strict=True) for _ in range(n))


@lru_cache(1 << 16)
def _place(text: Label) -> tuple[object, ...]:
    """The place of a label in a sorted list: numbers, then lists, then texts."""
    if re.fullmatch(r"-?[0-9]+(/0*[1-9][0-9]*)?", text):
        return 0, Fraction(text), text
    return (1, [*map(_place, entries(text))], text) if is_list(text) else (2, text)


def _apply(mechanism: Mechanism, database: Database, table: Spec | None = None) -> list[Label]:
    """Apply(g, D, k) of LQS12, section 3.2: classes that appear at least k times, numbers before texts."""
    classes = {label(v): label(c) for v, c in (table or mechanism.spec["generalization"]).items()}
    counts = Counter(classes[v] for v in database)
    kept = [c for c, times in counts.items() if times >= mechanism.spec["k"] for _ in range(times)]
    return sorted(kept, key=lambda c: (0, int(c), "") if is_integer(c) else (1, 0, c))


def _anonymized(mechanism: Mechanism, database: Database) -> Law:
    spec, chosen = mechanism.spec, mechanism.parts["choose"].law(database)

    def table(name: Label) -> Law:
        recoding = next(g for key, g in spec["generalizations"].items() if label(key) == name)
        published = listed(_apply(mechanism, database, recoding))
        return certain(listed([name, published]) if spec.get("shows-mapping") else published)

    return mixed((Fraction(c, chosen.total), table(name)) for name, c in chosen.counts.items())


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
_RESPONSE = frozenset({"keep", "truth", "epsilon"})

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
    "randomized-response": Kind(_randomized_response, _RESPONSE | {"records"}, ends=_value_ends),
    "shuffle": _additive(
        _each_value, _shuffled, _RESPONSE | {"of", "reports"},
        lambda m: [*_value_ends(m), *_named("of", "reports")(m)],
    )._replace(parts=lambda m: [("of", m.spec["of"], 1)] if "of" in m.spec else []),
    "apply": Kind(_deterministic(_apply), frozenset({"k", "generalization"}), ends=_named("generalization")),
    "k-anonymization": Kind(
        _anonymized, frozenset({"k", "generalizations", "choose", "shows-mapping"}),
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


class Step:
    """A channel on outputs, behind a mechanism."""

    def __init__(self, spec: Spec, mechanism: Mechanism) -> None:
        self.spec, self.mechanism, self.home = spec, mechanism, mechanism.home
        name = "program" if "program" in spec else str(spec.get("kind", "rows"))
        if name not in STEPS:
            raise Wrong(f"the kind of step {name!r} is unknown")
        self.channel, keys = STEPS[name]
        if unknown := set(spec) - keys - {"kind"}:
            raise Wrong(f"a step of kind {name!r} has no key {min(unknown)!r}")
        self.cache: dict[Label, Law] = {}

    def law(self, output: Label) -> Law:
        """The law of what becomes of an output."""
        if output not in self.cache:
            self.cache[output] = self.channel(self, output)
        return self.cache[output]


def _renamed(step: Step, output: Label) -> Law:
    def read() -> dict[Label, Law]:
        rows = step.spec.get("rows", step.spec.get("table", []))
        return distinct((label(row["input"]), step.home.answer(row)) for row in rows)

    rows = step.mechanism.once(f"rows of {id(step)}", read)
    law: Law | None = found(rows, output)
    if law is None:
        if "otherwise" not in step.spec:
            raise Wrong(f"a step has no row for the output {output}")
        law = step.home.outcome(step.spec["otherwise"])
    return law


def _noise(step: Step, count: int) -> Law:
    """DMKB20, Definition 19: P[X = k] = (1 - p)/(1 + p)·p^|k|; a window of integers, and one tail on each side.

    All integers that can come lie in the window, so that the laws of all databases are proportional on a tail.
    """
    low, high = step.mechanism.span()
    low, high = min([low, *step.home.apart]), max([high, *step.home.apart])
    afford(high - low, "the window of noise")
    if not low <= count <= high:
        raise BeyondLimits(f"noise on {count}, outside of {low} to {high}")
    p = 1 / _growth(step.spec["epsilon"]) if "epsilon" in step.spec else step.home.chance(step.spec["p"])
    if not 0 <= p < 1:
        raise Wrong(f"the p of geometric noise is {p}")
    # Over the denominator (a + b)·b^most of p = a/b; a tail that begins t away has p^t/(1 + p).
    a, b, most = p.numerator, p.denominator, high - low + 1
    powers = [a**k * b ** (most - k) for k in range(most + 1)]
    counts = {str(k): (b - a) * powers[abs(k - count)] for k in range(low, high + 1)}
    counts[f"< {low}"], counts[f"> {high}"] = b * powers[count - low + 1], b * powers[high + 1 - count]
    return Law(counts, (a + b) * b**most)


def _response_step(step: Step, output: Label) -> Law:
    keep = _keep(step.spec, step.home)
    laws = [_reported(step.home, keep, entry) for entry in entries(output)]
    return joined(laws) if is_list(output) and output not in step.home.values else laws[0]


def _program_step(step: Step, output: Label) -> Law:
    """A function of the output, which it is given as a number, a truth, a tuple of these, or a text."""

    def never() -> Iterator[Any]:
        raise BeyondLimits("noise without end behind another mechanism")

    def read() -> ProgramLaws:
        return ProgramLaws(Program(str(step.spec["program"]), step.home.chance, step.home.parameters), never)

    laws: ProgramLaws = step.mechanism.once(f"program of {id(step)}", read)
    return laws.law(_meant(output))


def _meant(text: Label) -> Any:
    if is_list(text):
        return tuple(_meant(entry) for entry in entries(text))
    if text in ("true", "false"):
        return text == "true"
    number = rules.exact(text)
    return text if number is None else number.numerator if number.denominator == 1 else number


STEPS: dict[str, tuple[Callable[[Step, Label], Law], frozenset[str]]] = {
    "rows": (_renamed, frozenset({"rows", "table", "otherwise"})),
    "geometric-noise": (rules.of_numbers(_noise), frozenset({"p", "epsilon"})),
    "randomized-response": (_response_step, _RESPONSE),
    "program": (_program_step, frozenset({"program"})),
    **rules.STEPS_OF_RULES,
}


def distinct(pairs: Iterable[tuple[Any, Any]]) -> dict[Any, Any]:
    """The rows of a table by what they are about; two about one thing are refused."""
    out: dict[Any, Any] = {}
    for name, value in pairs:
        if name in out:
            raise Wrong(f"two rows for {name}")
        out[name] = value
    return out
