"""A model file as FORMAT.md describes it: values, distributions, who knows what, and its mechanism.

`SHAPES` is the table of the shapes of distributions: a new shape is a function and its line there.
"""

from __future__ import annotations

import json
import math
import tomllib
from collections import defaultdict
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from copy import copy
from fractions import Fraction
from itertools import combinations_with_replacement, product
from typing import Any, NamedTuple

from .mechanisms import Database, Mechanism, Spec
from .numbers import (
    BeyondLimits,
    Label,
    Law,
    Unsupported,
    Wrong,
    afford,
    afford_product,
    certain,
    distinct,
    evaluate,
    integers_in,
    joined,
    label,
    law_of,
    listed,
    mixed,
)
from .predicates import condition, parts

MOST_BYTES = 4 << 20


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
    one = Fraction(1, math.prod(x.total for x in laws))
    for choice in product(*(x.counts.items() for x in laws)):
        yield _plain([v for v, _ in choice], math.prod(c for _, c in choice) * one)


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


def _chain(home: Home, chain: Spec, size: int) -> Iterator[World]:
    """A Markov chain over the records in their order."""
    steps = {label(v): home.values_law(law) for v, law in chain["step"].items()}
    if set(steps) != set(home.values):
        raise Wrong(f"the step of a chain has the rows {listed(steps)}", expected="one for each value")
    drawn: list[tuple[Database, Fraction]] = [((v,), p) for v, p in home.values_law(chain["start"]).chances().items()]
    for _ in range(size - 1):
        drawn = [((*d, v), p * q) for d, p in drawn for v, q in steps[d[-1]].chances().items()]
        afford(len(drawn) * size, "the worlds of a chain")
    return (_plain(d, p) for d, p in drawn)


def _counts(home: Home, given: Any, size: int) -> Iterator[World]:
    """Exchangeable records: given how often each value comes, all arrangements are equally likely."""
    if isinstance(given, Mapping):
        one = label(given["value"])
        if len(home.values) != 2 or one not in home.rank:
            raise Wrong("counts of one value", expected="one of the two values of the file, or a list of histograms")
        chances = home.law(given["table"]).chances()
        rows = [([int(k) if v == one else size - int(k) for v in home.values], p) for k, p in chances.items()]
    else:
        rows = [([*map(_index, row["histogram"])], home.chance(row["probability"])) for row in given]
    for histogram, p in rows:
        if len(histogram) != len(home.values) or sum(histogram) != size or min(histogram) < 0:
            raise Wrong(f"counts: the histogram {histogram}", expected=f"how often each value comes, {size} in all")
        ways = math.factorial(size) // math.prod(map(math.factorial, histogram))
        afford(ways * size, "the arrangements of records")
        for database in _arrangements(histogram):
            yield _plain([home.values[v] for v in database], p / ways)


def _arrangements(left: Sequence[int]) -> Iterator[tuple[int, ...]]:
    """All orders of so many of each value, in lexicographic order."""
    if not any(left):
        yield ()
    for v, times in enumerate(left):
        if times:
            yield from ((v, *rest) for rest in _arrangements([n - (w == v) for w, n in enumerate(left)]))


SHAPES: dict[str, Callable[[Home, Any, int], Iterator[World]]] = {
    "table": _table,
    "rows": _table,
    "iid": _iid,
    "independent": lambda home, tables, size: _independent(home, [home.values_law(table) for table in tables]),
    "mixture": _mixture,
    "network": _network,
    "groups": _groups,
    "chain": _chain,
    "counts": _counts,
}


class Home:
    """What all parts of a file share: the values, the sizes, the parameters, integers that noise keeps apart.

    `observer` is who asks, and sees the draws of a program that name them; None sees the output alone.
    """

    def __init__(
        self, raw: Spec, parameters: Mapping[str, Fraction], apart: Iterable[int] = (), observer: str | None = None
    ) -> None:
        size = raw["size"]
        self.many = isinstance(size, list)
        self.least, self.most = map(_index, size if self.many else [size, size])
        if self.least > self.most or not self.most:
            raise Wrong(f"size: {str(size)[:60]} is no number of records", expected="one from 1, or two, from ≤ to")
        afford(self.most, "the records")
        self.spelled: dict[Label, Any] = {label(v): v for v in raw["values"]}
        self.values: list[Label] = [label(v) for v in raw["values"]]
        self.rank = {v: n for n, v in enumerate(self.values)}
        if len(self.rank) != len(self.values) or not self.values:
            raise Wrong("values: two have one text, or there are none")
        self.parameters = parameters
        self.people: Spec = raw.get("people", {})
        self.apart = list(apart)
        self.observer = observer

    def chance(self, text: object) -> Fraction:
        """A number of the file; it may be an expression of parameters."""
        return evaluate(text, self.parameters)

    def ordered(self, database: Iterable[Label]) -> Database:
        """A database of several sizes is a multiset: its values in the order of the file."""
        return tuple(sorted(database, key=self.rank.__getitem__)) if self.many else tuple(database)

    def as_spelled(self, database: Iterable[Label]) -> tuple[Any, ...]:
        """The values of a database as the file writes them, which a program is given."""
        return tuple(self.spelled[v] for v in database)

    def database(self, values: Iterable[object], size: int | None = None) -> Database:
        """A database of the file; `size` is its number of records, where it is not that of the file."""
        database = [label(v) for v in values]
        wanted = self.most if size is None else size
        if set(database) - set(self.values) or (not self.many and len(database) != wanted):
            raise Wrong(f"{listed(database)} is no database of this model")
        return self.ordered(database)

    def law(self, chances: Mapping[str, object]) -> Law:
        """The law that a table from labels to probabilities gives."""
        return law_of(distinct((label(o), self.chance(p)) for o, p in chances.items()))

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
        raise Wrong(f"the record {str(number)[:60]!r} is no index", expected="an integer from 0")
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
        "people",
        "conditions",
        "question",
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
        out: dict[str, dict[Database, Fraction]] = {}
        for name, worlds in self._worlds():
            prior = out.setdefault(name, defaultdict(Fraction))
            for world in worlds:
                prior[world.database] += world.probability
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

    def _worlds(self) -> Iterator[tuple[str, list[World]]]:
        """Each θ with its worlds of positive probability."""
        for n, shape in enumerate(self.raw.get("distribution", []), 1):
            name, worlds = str(shape.get("name", f"#{n}")), self.home.worlds(shape, self.size)
            there = [w for w in worlds if w.probability]
            if sum(w.probability for w in there) != 1 or any(w.probability < 0 for w in there):
                raise Wrong(f"the distribution {name} does not sum to 1")
            yield name, there

    def _pairs(self) -> Iterator[Theta]:
        known = self.raw.get("knowledge", {})
        family = known if isinstance(known, list) else [known]
        secret = self.raw.get("sensitive", {})
        protected = {
            self.database(r["database"]): label(r["value"]) for r in secret.get("rows", secret.get("table", []))
        }
        where = parts(secret["where"], self.values, self.many) if "where" in secret else None
        for name, worlds in self._worlds():
            for z, spec in enumerate(family, 1):
                channel = self._knowledge(spec)
                rows: dict[tuple[Database, Label | None, Label | None], Fraction] = defaultdict(Fraction)
                for world in worlds:
                    s = where(world.database) if where else protected.get(world.database, world.sensitive)
                    for k, p in channel(world).items():
                        rows[world.database, k, s] += world.probability * p
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
        if not new or not any(noise in json.dumps(self.raw["mechanism"]) for noise in ("geometric-noise", "program")):
            return self
        other = copy(self)
        other.home = Home(self.raw, self.home.parameters, {*self.home.apart, *new}, self.home.observer)
        other.mechanism = Mechanism(self.raw["mechanism"], other.home)
        return other

    def observed_by(self, observer: Any) -> Model:
        """The same model as one who asks sees it: each output of the program with the draws that name the observer."""
        spec = self.raw["mechanism"]
        if not isinstance(observer, str) or not observer:
            raise Wrong(f"the observer {str(observer)[:60]!r} is no name")
        if "program" not in spec or spec.get("then"):
            raise Wrong("an observer, and the mechanism is no program alone", expected="a program without steps")
        other = copy(self)
        other.home = Home(self.raw, self.home.parameters, self.home.apart, observer)
        other.mechanism = Mechanism(spec, other.home)
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
