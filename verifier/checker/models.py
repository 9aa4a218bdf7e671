"""A model file as FORMAT.md describes it: the kinds of mechanisms and steps, distributions, who knows what.

`KINDS`, `STEPS` and `SHAPES` are the three tables of kinds: a new kind is a function and its line there.
"""

from __future__ import annotations

import json
import math
import operator
import tomllib
from collections import Counter, defaultdict
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from copy import copy
from fractions import Fraction
from functools import partial
from itertools import combinations_with_replacement, product
from typing import Any, NamedTuple

from .numbers import (
    BeyondLimits,
    Label,
    Law,
    Power,
    Wrong,
    afford,
    afford_product,
    certain,
    entries,
    epsilon_of,
    evaluate,
    found,
    integers_in,
    is_integer,
    is_list,
    joined,
    label,
    law_of,
    listed,
    mixed,
    number,
    rational,
    root,
)
from .predicates import condition, parts

Database = tuple[Label, ...]
Spec = Mapping[str, Any]
NO_ANSWER = "⊥"
MOST_BYTES = 4 << 20


class Unsupported(Exception):
    """The definition does not apply to this model; the answer's word is `unsupported`."""


# --- mechanisms -------------------------------------------------------------------------------------------------------


class Mechanism:
    """A channel from databases to labels, as the file gives it."""

    def __init__(self, spec: Spec, home: Home, size: int | None = None) -> None:
        self.spec, self.home = spec, home
        self.size: int = home.most if size is None else size
        self.name = str(spec.get("kind", "table"))
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
        self.steps = [Step(step, self) for step in spec.get("then", [])]
        self.cache: dict[Database, Law] = {}
        self.prepared: dict[str, Any] = {}

    def law(self, database: Database) -> Law:
        """The law of the output on a database."""
        if database not in self.cache:
            self.cache[database] = self._law(database)
        return self.cache[database]

    def _law(self, database: Database) -> Law:
        law = self.bare(database)
        for step in self.steps:
            law = mixed((Fraction(c, law.total), step.law(o)) for o, c in law.counts.items())
        return law

    def bare(self, database: Database) -> Law:
        """Without its steps: of a sample of the database first, where there is one."""
        if self.rate == 1:
            return self.kind.law(self, database)
        return mixed((w, self.kind.law(self, kept)) for w, kept in samples(database, self.rate))

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
        return min(ends), max(ends)

    def once(self, name: str, make: Callable[[], Any]) -> Any:
        """Something that is read off the spec once."""
        if name not in self.prepared:
            self.prepared[name] = make()
        return self.prepared[name]


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
        return certain(finish(mechanism, total, len(database)))

    return Kind(law, keys, ends=ends, term=term, finish=finish)


def _deterministic(function: Callable[[Mechanism, Database], object]) -> Callable[[Mechanism, Database], Law]:
    return lambda mechanism, database: certain(function(mechanism, database))


def _rows(mechanism: Mechanism, database: Database) -> Law:
    home = mechanism.home

    def read() -> dict[Database, Law]:
        rows = mechanism.spec.get("rows", mechanism.spec.get("table", []))
        return _distinct((home.database(row["database"]), home.answer(row)) for row in rows)

    rows: dict[Database, Law] = mechanism.once("rows", read)
    law = rows.get(home.ordered(database))
    if law is None:
        if "otherwise" not in mechanism.spec:
            raise Unsupported(f"the mechanism has no row for the database {listed(database)}")
        law = home.outcome(mechanism.spec["otherwise"])
    return law


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
        raise Wrong(f"k of a k-anonymous histogram is {str(k)[:30]}. Expected an integer, at least 1.")
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
    "table": Kind(_rows, frozenset({"table", "rows", "otherwise"}), ends=_named("table", "rows", "otherwise")),
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
        name = str(spec.get("kind", "rows"))
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
        return _distinct((label(row["input"]), step.home.answer(row)) for row in rows)

    rows = step.mechanism.once(f"rows of {id(step)}", read)
    law: Law | None = found(rows, output)
    if law is None:
        if "otherwise" not in step.spec:
            raise Wrong(f"a step has no row for the output {output}")
        law = step.home.outcome(step.spec["otherwise"])
    return law


def _noise(step: Step, output: Label) -> Law:
    """DMKB20, Definition 19: P[X = k] = (1 - p)/(1 + p)·p^|k|; a window of integers, and one tail on each side.

    All integers that can come lie in the window, so that the laws of all databases are proportional on a tail.
    """
    if is_list(output):
        return joined([step.law(entry) for entry in entries(output)])
    if output == NO_ANSWER:
        return certain(output)
    if not is_integer(output):
        raise Wrong(f"geometric noise is given {output}, which is no integer")
    low, high = step.mechanism.span()
    low, high = min([low, *step.home.apart]), max([high, *step.home.apart])
    afford(high - low, "the window of noise")
    count = int(output)
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


STEPS: dict[str, tuple[Callable[[Step, Label], Law], frozenset[str]]] = {
    "rows": (_renamed, frozenset({"rows", "table", "otherwise"})),
    "geometric-noise": (_noise, frozenset({"p", "epsilon"})),
    "randomized-response": (_response_step, _RESPONSE),
}


def _distinct(pairs: Iterable[tuple[Any, Any]]) -> dict[Any, Any]:
    out: dict[Any, Any] = {}
    for name, value in pairs:
        if name in out:
            raise Wrong(f"two rows for {name}")
        out[name] = value
    return out


# --- distributions ----------------------------------------------------------------------------------------------------


class World(NamedTuple):
    """A database, what its row says of knowledge and of S, the component of a mixture, and the probability."""

    database: Database
    knowledge: Label | None
    sensitive: Label | None
    component: Label | None
    probability: Fraction


def _plain(database: Sequence[Label], probability: Fraction) -> World:
    return World(tuple(database), None, None, None, probability)


def _table(home: Home, rows: Any, size: int) -> Iterator[World]:
    for row in rows:
        columns = [label(row[name]) if name in row else None for name in ("knowledge", "sensitive")]
        yield World(home.database(row["database"], size), columns[0], columns[1], None, home.chance(row["probability"]))


def _independent(home: Home, laws: Sequence[Law]) -> Iterator[World]:
    afford_product((len(x.counts) for x in laws), "the worlds of independent records")
    for choice in product(*(x.counts.items() for x in laws)):
        weight = Fraction(math.prod(c for _, c in choice), math.prod(x.total for x in laws))
        yield _plain([v for v, _ in choice], weight)


def _iid(home: Home, chances: Any, size: int) -> Iterator[World]:
    law = home.values_law(chances)
    afford(len(law.counts) ** min(size, 64), "the worlds of independent records")
    return _independent(home, [law] * size)


def _mixture(home: Home, parts: Any, size: int) -> Iterator[World]:
    for n, part in enumerate(parts, 1):
        weight, name = home.chance(part["weight"]), label(part.get("name", f"#{n}"))
        for world in home.worlds(part, size):
            yield world._replace(component=name, probability=world.probability * weight)


def _network(home: Home, nodes: Any, size: int) -> Iterator[World]:
    drawn: list[tuple[dict[int, Label], Fraction]] = [({}, Fraction(1))]
    for node in nodes:
        rows = {
            tuple(label(v) for v in row["when"]): home.values_law(row["table"]) for row in node.get("rows", [])
        } or {(): home.values_law(node["table"])}
        drawn = [
            ({**d, node["record"]: v}, p * q)
            for d, p in drawn
            for v, q in rows[tuple(d[i] for i in node.get("given", []))].chances().items()
        ]
        afford(len(drawn), "the worlds of a network")
    return (_plain([d[i] for i in range(size)], p) for d, p in drawn)


def _groups(home: Home, groups: Any, size: int) -> Iterator[World]:
    parts = [list(home.worlds(g, g.get("size", 1))) for g in groups for _ in range(g.get("times", 1))]
    afford_product(map(len, parts), "the worlds of groups")
    for chosen in product(*parts):
        database = [v for world in chosen for v in world.database]
        if len(database) != size:
            raise Wrong(f"groups of {len(database)} records in all, where there are {size}")
        yield _plain(database, math.prod((world.probability for world in chosen), start=Fraction(1)))


SHAPES: dict[str, Callable[[Home, Any, int], Iterator[World]]] = {
    "table": _table,
    "rows": _table,
    "iid": _iid,
    "independent": lambda home, tables, size: _independent(home, [home.values_law(table) for table in tables]),
    "mixture": _mixture,
    "network": _network,
    "groups": _groups,
}


class Home:
    """What all parts of a file share: the values, the sizes, the parameters, integers that noise keeps apart."""

    def __init__(self, raw: Spec, parameters: Mapping[str, Fraction], apart: Iterable[int] = ()) -> None:
        size = raw["size"]
        self.many = isinstance(size, list)
        self.least, self.most = map(_index, size if self.many else [size, size])
        if self.least > self.most or not self.most:
            raise Wrong(f"size: {str(size)[:60]} is no number of records. Expected one from 1, or two, from ≤ to.")
        afford(self.most, "the records")
        self.values: list[Label] = [label(v) for v in raw["values"]]
        self.rank = {v: n for n, v in enumerate(self.values)}
        if len(self.rank) != len(self.values) or not self.values:
            raise Wrong("values: two have one text, or there are none")
        self.parameters = parameters
        self.apart = list(apart)

    def chance(self, text: object) -> Fraction:
        """A number of the file; it may be an expression of parameters."""
        return evaluate(text, self.parameters)

    def ordered(self, database: Iterable[Label]) -> Database:
        """A database of several sizes is a multiset: its values in the order of the file."""
        return tuple(sorted(database, key=self.rank.__getitem__)) if self.many else tuple(database)

    def database(self, values: Iterable[object], size: int | None = None) -> Database:
        """A database of the file."""
        database = [label(v) for v in values]
        if set(database) - set(self.values) or (not self.many and len(database) != (size or self.most)):
            raise Wrong(f"{listed(database)} is no database of this model")
        return self.ordered(database)

    def law(self, chances: Mapping[str, object]) -> Law:
        """The law that a table from labels to probabilities gives."""
        return law_of(_distinct((label(o), self.chance(p)) for o, p in chances.items()))

    def values_law(self, chances: Mapping[str, object] | str) -> Law:
        """The law of one record: a table from values to probabilities, or "uniform"."""
        if chances == "uniform":
            return Law(dict.fromkeys(self.values, 1), len(self.values))
        law = self.law(chances)  # type: ignore[arg-type]
        if set(law.counts) - set(self.values):
            raise Wrong("a law of a record names no value of the file")
        return law

    def outcome(self, spec: Any) -> Law:
        """`otherwise`: a label, or a table from labels to probabilities."""
        return self.law(spec) if isinstance(spec, Mapping) else certain(spec)

    def answer(self, row: Spec) -> Law:
        """The `output` or the `outputs` of a row."""
        return certain(row["output"]) if "output" in row else self.law(row["outputs"])

    def indices(self, spec: Any, size: int) -> Sequence[int]:
        """Indices of records: all where they are left out, a list, or a stretch with both ends."""
        if spec is None:
            return range(size)
        if isinstance(spec, Mapping):
            afford(_index(spec["to"]), "the records")
            return range(_index(spec["from"]), spec["to"] + 1)
        if len(set(map(_index, spec))) != len(spec):
            raise Wrong("records: one of them is named twice")
        return list(spec)

    def worlds(self, shape: Spec, size: int) -> Iterator[World]:
        """The worlds of a distribution."""
        name = next((name for name in SHAPES if name in shape), None)
        if name is None:
            raise Wrong("a distribution has none of the shapes " + ", ".join(SHAPES))
        return SHAPES[name](self, shape[name], size)


def _index(number: Any) -> int:
    """The index of a record, counted from 0."""
    if type(number) is not int or number < 0:
        raise Wrong(f"the record {str(number)[:60]!r} is no index. Expected an integer from 0.")
    return number


class Row(NamedTuple):
    """A world with what is known: D, B, S and the probability."""

    database: Database
    known: Label | None
    secret: Label | None
    probability: Fraction


class Theta(NamedTuple):
    """A pair (θ, ζ) with its rows."""

    name: str
    rows: list[Row]


ALLOWED = frozenset(
    [
        "title",
        "source",
        "notes",
        "size",
        "values",
        "distribution",
        "knowledge",
        "sensitive",
        "mechanism",
        "normalization",
        "policy",
        "expect",
        "parameters",
        "conditions",
    ]
)


class Model:
    """A model file that has been read. Nothing is listed before it is asked for."""

    def __init__(self, text: str, parameters: Mapping[str, Fraction] | None = None) -> None:
        raw = tomllib.loads(text, parse_float=str)
        if unknown := set(raw) - ALLOWED:
            raise Wrong(f"the key {min(unknown)!r} is unknown")
        if set(raw.get("parameters", {})) - set(parameters or {}):
            raise BeyondLimits("a family with parameters is decided by proofs; fix them with --set")
        self.raw = raw
        self.policy: Spec = raw.get("policy", {})
        self.home = Home(raw, parameters or {}, self._apart(raw))
        self.many, self.values, self.size = self.home.many, self.home.values, self.home.most
        self.absent = label(self.policy["absent"]) if "absent" in self.policy and not self.many else None
        self.there = [v for v in self.values if v != self.absent]
        self.mechanism = Mechanism(raw["mechanism"], self.home)
        secret = raw.get("sensitive", {})
        self.function = not {"rows", "table", "where"}.isdisjoint(secret) or self._has_column("sensitive")
        self.secret_values = [label(v) for v in secret.get("values", [])]
        self.records: Sequence[int] = (
            [] if self.function or self.many else self.home.indices(secret.get("records"), self.size)
        )
        last = self.records[-1:] if isinstance(self.records, range) else self.records
        if any(i >= self.size for i in last):
            raise Wrong(f"[sensitive] records: {listed(map(str, last))} are not all below {self.size}")
        self._thetas: list[Theta] | None = None

    @staticmethod
    def _apart(raw: Spec) -> list[int]:
        """Integers that a step, a `next` or the policy names: they are kept apart from tails of noise."""
        out = [
            n for name in ("tests", "leak", "image", "views") for n in integers_in(raw.get("policy", {}).get(name, []))
        ]

        def walk(value: object) -> None:
            for name, entry in (
                value.items() if isinstance(value, Mapping) else enumerate(value) if isinstance(value, list) else ()
            ):
                if name == "next" and isinstance(entry, Mapping):
                    out.extend(integers_in(list(entry)))
                if name == "input":
                    out.extend(integers_in(entry))
                walk(entry)

        walk(raw["mechanism"])
        return out

    def _has_column(self, name: str) -> bool:
        shapes = self.raw.get("distribution", [])
        return any(name in row for shape in shapes for row in shape.get("table", shape.get("rows", [])))

    def field(self, name: str) -> Any:
        """A field of [policy], which a definition needs."""
        if name not in self.policy:
            raise Unsupported(f"[policy] {name} is missing")
        return self.policy[name]

    def rational(self, name: str) -> Fraction:
        """A number of [policy]."""
        return self.home.chance(self.field(name))

    def database(self, values: Iterable[object]) -> Database:
        """A database that the file names."""
        return self.home.database(values)

    def satisfying(self, predicate: Any) -> set[Database]:
        """The databases that satisfy a predicate, or those that a list names."""
        if not isinstance(predicate, str):
            return {self.database(d) for d in predicate}
        holds = condition(predicate, self.values, self.many)
        return {d for d in self.databases() if holds(d)}

    def databases(self) -> list[Database]:
        """Tⁿ, or all multisets of the sizes of the file."""
        k = len(self.values)
        afford(k**self.size if self.size < 64 or k == 1 else 1 << 64, "the databases") if not self.many else afford(
            math.comb(self.size + k, k), "the databases")  # fmt: skip
        if not self.many:
            return list(product(self.values, repeat=self.size))
        sizes = range(self.home.least, self.size + 1)
        return [d for n in sizes for d in combinations_with_replacement(self.values, n)]

    def priors(self) -> dict[str, dict[Database, Fraction]]:
        """Each θ as a law of databases."""
        out = {}
        for n, shape in enumerate(self.raw.get("distribution", []), 1):
            prior: dict[Database, Fraction] = defaultdict(Fraction)
            for world in self.home.worlds(shape, self.size):
                prior[world.database] += world.probability
            out[str(shape.get("name", f"#{n}"))] = {d: p for d, p in prior.items() if p}
        if not out:
            raise Unsupported("the model has no distribution")
        return out

    def thetas(self) -> list[Theta]:
        """All pairs (θ, ζ), each with its worlds of positive probability."""
        if self._thetas is None:
            self._thetas = list(self._pairs())
            worlds = sum(len(theta.rows) for theta in self._thetas)
            afford(worlds * (len(self.records) or 1) * (1 + self.size // 64), "the worlds, record by record")
        if not self._thetas:
            raise Unsupported("the model has no distribution")
        return self._thetas

    def _pairs(self) -> Iterator[Theta]:
        known = self.raw.get("knowledge", {})
        family = known if isinstance(known, list) else [known]
        secret = self.raw.get("sensitive", {})
        protected = {
            self.database(r["database"]): label(r["value"]) for r in secret.get("rows", secret.get("table", []))
        }
        where = parts(secret["where"], self.values, self.many) if "where" in secret else None
        for n, shape in enumerate(self.raw.get("distribution", []), 1):
            worlds = [w for w in self.home.worlds(shape, self.size) if w.probability]
            if sum(w.probability for w in worlds) != 1 or any(w.probability < 0 for w in worlds):
                raise Wrong(f"the distribution {shape.get('name', f'#{n}')} does not sum to 1")
            for z, spec in enumerate(family, 1):
                channel = self._knowledge(spec)
                rows: dict[tuple[Database, Label | None, Label | None], Fraction] = defaultdict(Fraction)
                for world in worlds:
                    s = where(world.database) if where else protected.get(world.database, world.sensitive)
                    for k, p in channel(world).items():
                        rows[world.database, k, s] += world.probability * p
                name = str(shape.get("name", f"#{n}"))
                yield Theta(
                    name if len(family) == 1 else f"{name} / {spec.get('name', f'#{z}')}",
                    [Row(d, k, s, p) for (d, k, s), p in rows.items() if p],
                )

    def _knowledge(self, spec: Spec) -> Callable[[World], Mapping[Label | None, Fraction]]:
        """What is known of a world: the law of B."""
        if not spec or set(spec) == {"name"}:
            return lambda world: {world.knowledge: Fraction(1)}
        if spec.get("kind") == "component":
            return lambda world: {world.component: Fraction(1)}
        if not {"kind", "table", "rows"} & set(spec):
            spec = {**spec, "kind": "records"}
        channel = Mechanism(spec, self.home)
        return lambda world: channel.law(world.database).chances()

    def outputs(self, databases: Iterable[Database]) -> dict[Database, Law]:
        """The law of M on each database; outputs whose probabilities are proportional on all of these are one output.

        Any two laws that are mixtures of these have one ratio on such outputs, so that no measure of ratios tells them
        apart. In a list of independent outputs this is done entry by entry before the list is made.
        """
        wanted = list(databases)
        m = self.mechanism
        if m.name != "all" or m.steps or m.rate != 1:
            return merged({d: m.law(d) for d in wanted})
        parts = [merged({d: inner.law(d) for d in wanted}) for inner in m.parts.values()]
        rows: dict[tuple[int, ...], list[Law]] = {}
        at = {}
        for d in wanted:
            laws = [part[d] for part in parts]
            at[d] = tuple(map(id, laws))
            rows.setdefault(at[d], laws)
        afford(
            len(rows) * math.prod(len({o for x in part.values() for o in x.counts}) for part in parts), "the outputs"
        )
        lists = {key: joined(laws) for key, laws in rows.items()}
        return {d: lists[at[d]] for d in wanted}

    def kept_apart(self, integers: Iterable[int]) -> Model:
        """The same model, with these integers kept apart from the tails of noise."""
        new = set(integers) - set(self.home.apart)
        if not new or "geometric-noise" not in json.dumps(self.raw["mechanism"]):
            return self
        other = copy(self)
        other.home = Home(self.raw, self.home.parameters, {*self.home.apart, *new})
        other.mechanism = Mechanism(self.raw["mechanism"], other.home)
        return other

    def law(self, weights: Mapping[Database, Fraction | int]) -> Law:
        """The law of M on a database that is drawn so, with every output by its own name."""
        return mixed((Fraction(w), self.mechanism.law(d)) for d, w in weights.items())

    def plain(self, databases: Iterable[Database]) -> dict[Database, Law]:
        """The laws with every output by its own name, for definitions that name outputs or look at sets of them."""
        return {d: self.mechanism.law(d) for d in databases}


def merged(laws: Mapping[Database, Law]) -> dict[Database, Law]:
    """Join outputs with proportional columns; each keeps the first name, all laws have one total and one order.

    Equal laws, such as those of a count on databases with one count, become one object first.
    """
    distinct: dict[object, Law] = {}
    keys = {d: (law.total, tuple(law.counts.items())) for d, law in laws.items()}
    for d, law in laws.items():
        distinct.setdefault(keys[d], law)
    total = math.lcm(*(x.total for x in distinct.values()))
    columns: dict[Label, list[tuple[int, int]]] = defaultdict(list)
    for n, law in enumerate(distinct.values()):
        factor = total // law.total
        for o, c in law.counts.items():
            columns[o].append((n, c * factor))
    classes: dict[tuple[tuple[int, int], ...], tuple[Label, int]] = {}
    for o, column in columns.items():
        common = math.gcd(*(c for _, c in column))
        direction = tuple((n, c // common) for n, c in column)
        name, so_far = classes.get(direction, (o, 0))
        classes[direction] = name, so_far + common
    counts: list[dict[Label, int]] = [{} for _ in distinct]
    for direction, (name, common) in classes.items():
        for n, c in direction:
            counts[n][name] = c * common
    joint = {key: Law(counts[n], total) for n, key in enumerate(distinct)}
    return {d: joint[keys[d]] for d in laws}


def conditioned(rows: Iterable[Row]) -> dict[Database, Fraction]:
    """The law of D given that the world is one of these."""
    weights: dict[Database, Fraction] = defaultdict(Fraction)
    for row in rows:
        weights[row.database] += row.probability
    total = sum(weights.values())
    return {d: w / total for d, w in weights.items()}
