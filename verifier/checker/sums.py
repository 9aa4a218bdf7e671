"""Many independent people without a table of worlds: the law of what they add up to, in integers over one total.

The comparisons are those of `comparisons`; each law is that of a sum of independent blocks of records, then the
mechanism's finish. What is known counts by the sum of what the known records add. So one law stands for many: its name
is `Named` or `Placed`, and `SumNames` finds it from what a witness writes.
"""

from __future__ import annotations

import math
from collections import Counter, defaultdict
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from fractions import Fraction
from itertools import permutations
from typing import Any, NamedTuple

from .comparisons import ONE, Asked, Comparison, Term, both, pair
from .mechanisms import Database, Mechanism, Spec, Statistic, added, followed
from .models import Home, Model
from .neighbours import differing
from .numbers import (
    BeyondLimits,
    Label,
    Law,
    Rejected,
    Wrong,
    afford,
    as_law,
    entries,
    is_list,
    joined,
    label,
    mixed,
    rational,
)
from .of_databases import changes, neighbours
from .of_worlds import active, counterfactual, passive

MOST_RECORDS = 20_000
MOST_VECTORS = 1 << 21
"""The most sums of several numbers, as of people in several cells, that are mixed in all laws together."""


class Block(NamedTuple):
    """Records that are drawn together, independent of all others: their joint law."""

    records: tuple[int, ...]
    law: tuple[tuple[Database, Fraction], ...]


class Named(NamedTuple):
    """The law of θ given a block's own known values, what all others add, D(i) = value; and with i set to b."""

    theta: str
    record: int
    own: Database
    told: Statistic
    value: Label
    set_to: Label | None = None


class Placed(NamedTuple):
    """The law on a database: what each value of a record adds, which value it has, and what all others add."""

    column: tuple[Statistic, ...]
    value: Label
    others: Statistic


class Weights(NamedTuple):
    """Integer weights of statistics over their total."""

    counts: Mapping[Statistic, int]
    total: int


def blocks_of(home: Home, shape: Spec, size: int, first: int = 0) -> Iterator[Block]:
    """The independent blocks of a distribution."""
    if "iid" in shape or "independent" in shape:
        laws = (
            [home.values_law(shape["iid"])] * size
            if "iid" in shape
            else [home.values_law(x) for x in shape["independent"]]
        )
        for n, law in enumerate(laws):
            yield Block((first + n,), tuple(((v,), p) for v, p in law.chances().items()))
    elif "groups" in shape:
        for group in shape["groups"]:
            for _ in range(group.get("times", 1)):
                yield from blocks_of(home, group, group.get("size", 1), first)
                first += group.get("size", 1)
    else:
        worlds: dict[Database, Fraction] = defaultdict(Fraction)
        for world in home.worlds(shape, size):
            worlds[world.database] += world.probability
        yield Block(tuple(range(first, first + size)), tuple((d, p) for d, p in worlds.items() if p))


class Adding:
    """A mechanism whose output depends on the sum of what the records add: `term` of a record, `law` of a total."""

    def __init__(self, mechanism: Mechanism) -> None:
        self.mechanism = mechanism
        kind = mechanism.kind
        self.parts = [Adding(inner) for inner in mechanism.parts.values()] if mechanism.name == "all" else []
        if mechanism.rate != 1 or not (self.parts or (kind.term and kind.finish)):
            raise BeyondLimits(f"many records, and a mechanism of kind {mechanism.name} that is no function of a sum")
        self.cache: dict[Statistic, Law] = {}
        self.work = 0
        self.width = len(self.term(0, mechanism.home.values[0]))

    def term(self, record: int, value: Label) -> Statistic:
        """What a record adds."""
        if self.parts:
            return tuple(x for part in self.parts for x in part.term(record, value))
        return self.mechanism.kind.term(self.mechanism, record, value)  # type: ignore[misc]

    def law(self, total: Statistic) -> Law:
        """The law of the output where the records add up to a total."""
        if total not in self.cache:
            if self.parts:
                at, laws = 0, []
                for part in self.parts:
                    laws.append(part.law(total[at : at + part.width]))
                    at += part.width
                law = joined(laws)
            else:
                law = as_law(self.mechanism.kind.finish(self.mechanism, total, self.mechanism.size))  # type: ignore[misc]
            self.cache[total] = followed(law, self.mechanism.behind)
        return self.cache[total]

    def afford(self, *factors: int) -> None:
        """Refuse so many sums of several numbers before they are mixed; of one number `mixture` counts the work."""
        if self.width > 1 and math.prod(factors) > MOST_VECTORS:
            raise BeyondLimits(
                f"{math.prod(factors):,} sums of several numbers, and at most {MOST_VECTORS:,} are mixed"
            )

    def mixture(self, weights: Weights, shift: Statistic) -> Law:
        """The law of the output where something is added to a random total."""
        laws = [(self.law(added(s, shift)), c) for s, c in weights.counts.items()]
        outputs, common = sum(len(law.counts) for law, _ in laws), math.lcm(*(law.total for law, _ in laws))
        words = 1 + weights.total.bit_length() // 512  # long numbers take longer, where they are multiplied
        self.work += outputs * (words if outputs > len(laws) else 1)
        afford(self.work, "the outputs of all sums")
        counts: dict[Label, int] = {}
        for law, c in laws:
            for output, w in law.counts.items():
                share = w * common // law.total
                weight = c if share == 1 else c * share  # the same object: see `judge.Laws`
                counts[output] = counts[output] + weight if output in counts else weight
        return Law(counts, weights.total * common)


def weights_of(block: Block, adding: Adding, records: set[int]) -> Weights:
    """What some records of a block add."""
    at = [n for n, i in enumerate(block.records) if i in records]
    sums: dict[Statistic, Fraction] = defaultdict(Fraction)
    for values, p in block.law:
        total: Statistic = (0,) * adding.width
        for n in at:
            total = added(total, adding.term(block.records[n], values[n]))
        sums[total] += p
    common = math.lcm(*(p.denominator for p in sums.values()))
    return Weights({s: int(p * common) for s, p in sums.items()}, common)


def convolved(parts: Counter[tuple[tuple[tuple[Statistic, int], ...], int]], width: int) -> Weights:
    """The weights of a sum of independent parts, each as often as it is counted: one small factor after the other."""
    out: dict[Statistic, int] = {(0,) * width: 1}
    total = 1
    for (items, part_total), times in parts.items():
        if len(items) == 2:
            factor = binomial(items[0], items[1], times)
            repeated = 1
        else:
            factor, repeated = dict(items), times
        for _ in range(repeated):
            afford(len(out) * len(factor), "adding up")
            step: dict[Statistic, int] = defaultdict(int)
            for s, c in out.items():
                for t, w in factor.items():
                    step[added(s, t)] += c * w
            out = step
        total *= part_total**times
    return Weights(out, total)


def binomial(one: tuple[Statistic, int], other: tuple[Statistic, int], n: int) -> dict[Statistic, int]:
    """n times one of two: C(n, k)·a^k·b^(n - k)."""
    (s, a), (t, b) = one, other
    out: dict[Statistic, int] = defaultdict(int)
    weight = b**n
    for k in range(n + 1):
        out[tuple(x * k + y * (n - k) for x, y in zip(s, t, strict=True))] += weight
        weight = weight * (n - k) * a // ((k + 1) * b)
    return out


class Sum:
    """One θ: the blocks, what is known of them, and the laws of sums."""

    def __init__(self, asked: Asked, name: str, shape: Spec, adding: Adding) -> None:
        model = asked.model
        self.name, self.adding, self.size = name, adding, model.size
        self.known = set(order_of_known(model) or ())
        self.blocks = list(blocks_of(model.home, shape, model.size))
        if sum(len(b.records) for b in self.blocks) != model.size:
            raise Wrong("a distribution has another number of records than the model")
        self.at = {i: n for n, b in enumerate(self.blocks) for i in b.records}
        self.free = [weights_of(b, adding, set(b.records) - self.known) for b in self.blocks]
        self.told = [weights_of(b, adding, self.known) for b in self.blocks]

    def rest(self, but: int, known: bool) -> Weights:
        """What all other blocks add, of known or of other records."""
        counted = Counter(
            (tuple(w.counts.items()), w.total) for n, w in enumerate(self.told if known else self.free) if n != but
        )
        return convolved(counted, self.adding.width)

    def targets(self, records: Iterable[int]) -> Iterator[tuple[int, int]]:
        """One protected record of each sort: those whose blocks, terms and places are alike have the same laws."""
        seen = set()
        for i in records:
            key = self.sort(i)
            if i not in self.known and key not in seen:
                seen.add(key)
                yield i, self.at[i]

    def sort(self, record: int) -> object:
        """What two records have in common whose laws are the same."""
        block = self.blocks[self.at[record]]
        terms = tuple(self.adding.term(j, v[n]) for n, j in enumerate(block.records) for v, _ in block.law)
        return block.law, block.records.index(record), terms, tuple(j in self.known for j in block.records)

    def heard(self, values: Mapping[int, Label], record: int) -> tuple[Database, Statistic]:
        """What is known of the block of a record, and the sum of what all other known records add."""
        total: Statistic = (0,) * self.adding.width
        for block in self.blocks:
            told = [(n, values[i]) for n, i in enumerate(block.records) if i in self.known]
            if not any(all(row[n] == v for n, v in told) for row, p in block.law):
                raise Rejected("the witness names what cannot be known")
            if block is not self.blocks[self.at[record]]:
                for n, v in told:
                    total = added(total, self.adding.term(block.records[n], v))
        own = self.blocks[self.at[record]].records
        return tuple(values[i] for i in own if i in self.known), total

    def inside(
        self, block: Block, record: int
    ) -> dict[tuple[Database, Label], tuple[Fraction, dict[Statistic, Fraction]]]:
        """By known values of a block and the value of a record: the probability, and what the others there add."""
        out: dict[tuple[Database, Label], dict[Statistic, Fraction]] = defaultdict(lambda: defaultdict(Fraction))
        for values, p in block.law:
            total: Statistic = (0,) * self.adding.width
            for i, v in zip(block.records, values, strict=True):
                total = added(total, self.adding.term(i, v)) if i != record else total
            told = tuple(v for i, v in zip(block.records, values, strict=True) if i in self.known)
            out[told, values[block.records.index(record)]][total] += p
        return {key: (sum(x.values(), Fraction(0)), x) for key, x in out.items()}


def order_of_known(model: Model) -> Sequence[int] | None:
    """The records whose values B lists, in its order; None where nothing is told. Other knowledge needs a table."""
    spec = model.raw.get("knowledge", {})
    if not spec:
        return None
    if (
        not isinstance(spec, Mapping)
        or "records" not in spec
        or spec.get("kind", "records") != "records"
        or "then" in spec
    ):
        raise BeyondLimits("many records, and knowledge that is no list of records")
    return model.home.indices(spec["records"], model.size)


def _sums(asked: Asked) -> Iterator[Sum]:
    """Each θ, by its name."""
    adding = Adding(asked.model.mechanism)
    for n, shape in enumerate(asked.model.raw.get("distribution", []), 1):
        yield Sum(asked, str(shape.get("name", f"#{n}")), shape, adding)


def _refuse_policies(model: Model) -> None:
    """Refuse what sums are not defined for."""
    if model.size > MOST_RECORDS or model.many or model.function or model.policy:
        raise BeyondLimits(f"{model.size:,} records")


def _thetas(asked: Asked) -> Iterator[tuple[Sum, int, int]]:
    """Each θ with each sort of protected record."""
    _refuse_policies(asked.model)
    for theta in _sums(asked):
        for n, block in enumerate(theta.blocks):
            inside = sum(i in theta.known for i in block.records)
            if 0 < inside < len(block.records) and n not in {theta.at[i] for i in asked.records}:
                raise BeyondLimits("a block of which some records are known")
        yield from ((theta, i, n) for i, n in theta.targets(asked.records))


def given_by_sums(average: bool, asked: Asked) -> Iterator[Comparison]:
    """`comparisons.given` by sums."""
    for theta, i, n in _thetas(asked):
        told, rest, block = theta.rest(n, True), theta.rest(n, False), theta.blocks[n]
        inside = theta.inside(block, i)
        theta.adding.afford(len(inside), len(told.counts), len(rest.counts))
        laws: dict[tuple[Database, Label, Statistic], Law] = {}
        for (known, a), (_, sums) in inside.items():
            for s in told.counts:
                laws[known, a, s] = _law(theta, rest, sums, added(s, theta.adding.term(i, a)))
        total: dict[Label, Fraction] = defaultdict(Fraction)
        for (_, a), (mass, _) in inside.items():
            total[a] += mass
        for a, b in permutations(total, 2):
            if not asked.in_order(a, b, i):
                continue
            if asked.reading == "infinite-loss":
                raise BeyondLimits("the reading infinite-loss of a sum")
            terms = [
                Term(
                    mass / total[a] * Fraction(c, told.total), laws[known, a, s], laws[known, b, s],
                    (Named(theta.name, i, known, s, a), Named(theta.name, i, known, s, b)),
                )
                for (known, value), (mass, _) in inside.items() if value == a and (known, b) in inside
                for s, c in told.counts.items()
            ]  # fmt: skip
            if average and terms:
                yield Comparison(tuple(terms))
            elif not average:
                yield from (pair(t.p, t.q, ONE, t.names) for t in terms)


def _law(theta: Sum, rest: Weights, sums: Mapping[Statistic, Fraction], shift: Statistic) -> Law:
    if len(sums) == 1:
        ((own, _),) = sums.items()
        return theta.adding.mixture(rest, added(own, shift))
    total = sum(sums.values(), Fraction(0))
    return mixed((p / total, theta.adding.mixture(rest, added(own, shift))) for own, p in sums.items())


def counterfactual_by_sums(asked: Asked) -> Iterator[Comparison]:
    """`comparisons.counterfactual` by sums: the other records stay as they are given a."""
    if asked.reading == "all-values" and set(order_of_known(asked.model) or ()).intersection(asked.records):
        raise BeyondLimits("the reading all-values of a sum, where a protected record is known")
    for theta, i, n in _thetas(asked):
        told, rest, inside = theta.rest(n, True), theta.rest(n, False), theta.inside(theta.blocks[n], i)
        theta.adding.afford(len(inside) * len(asked.model.values), len(told.counts), len(rest.counts))
        for (known, a), (_, sums) in inside.items():
            for b in asked.model.values:
                if a == b or not ((known, b) in inside or asked.reading == "all-values"):
                    continue
                for s in told.counts:
                    p, q = (_law(theta, rest, sums, added(s, theta.adding.term(i, v))) for v in (a, b))
                    names = Named(theta.name, i, known, s, a), Named(theta.name, i, known, s, a, b)
                    yield from [pair(p, q, ONE, names)] if asked.reading == "one-order" else both(p, q, ONE, names)


def neighbours_by_sums(asked: Asked) -> Iterator[Comparison]:
    """Databases that differ in one record, by what all others may add."""
    model = asked.model
    _refuse_policies(model)
    adding = Adding(model.mechanism)
    columns = [tuple(adding.term(i, v) for v in model.values) for i in range(model.size)]
    for own in dict.fromkeys(columns[i] for i in asked.records):
        i = next(i for i in asked.records if columns[i] == own)
        others: set[Statistic] = {(0,) * adding.width}
        for n, column in enumerate(columns):
            if n != i:
                afford(len(others) * len(model.values) * model.size, "the sums of all databases")
                others = {added(s, t) for s in others for t in set(column)}
        at = dict(zip(model.values, own, strict=True))
        for a, b in permutations(model.values, 2):
            if asked.in_order(a, b, i):
                for s in others:
                    p, q = adding.law(added(s, at[a])), adding.law(added(s, at[b]))
                    yield pair(p, q, ONE, (Placed(own, a, s), Placed(own, b, s)))


ABOUT = {"distribution", "record", "knowledge"}
"""What two laws of one comparison have in common."""


class SumNames:
    """The names of laws that stand for those that a witness writes."""

    def __init__(self, asked: Asked) -> None:
        self.asked, self.model = asked, asked.model
        self.adding = Adding(asked.model.mechanism)
        self.sums: dict[str, Sum] = {}

    def of(self, laws: Sequence[Mapping[str, Any]]) -> tuple[object, object]:
        """The names of two laws: of two databases that differ in one record, or of a θ given what is known."""
        one, other = ({name for name, x in spec.items() if x is not None} for spec in laws)
        if one == other == {"databases"}:
            return self._placed(*(spec["databases"] for spec in laws))
        if any(label(laws[0][name]) != label(laws[1][name]) for name in one & other & ABOUT):
            raise Rejected("the definition does not compare laws of two distributions, records or knowledge values")
        return self._named(laws[0]), self._named(laws[1])

    def _placed(self, *rows: Sequence[Mapping[str, Any]]) -> tuple[object, object]:
        if any(len(each) != 1 or rational(each[0]["probability"]) != 1 for each in rows):
            raise Rejected("the witness names a database that is drawn, and the definition compares two databases")
        first, second = (self.model.database(each[0]["database"]) for each in rows)
        apart = differing(first, second)
        if len(apart) != 1 or apart[0] not in self.asked.records:
            raise Rejected(f"the definition does not compare two databases that differ in the records {apart[:20]}")
        (i,) = apart
        others: Statistic = (0,) * self.adding.width
        for j, v in enumerate(first):
            others = added(others, self.adding.term(j, v)) if j != i else others
        column = tuple(self.adding.term(i, v) for v in self.model.values)
        return Placed(column, first[i], others), Placed(column, second[i], others)

    def _named(self, spec: Mapping[str, Any]) -> Named:
        fields = {name: x for name, x in spec.items() if x is not None}
        order = order_of_known(self.model)
        expected = {"distribution", "record", "value"} | (set() if order is None else {"knowledge"})
        if fields.keys() - {"set_to"} != expected:
            raise Rejected(f"the definition compares no law of {', '.join(sorted(fields))[:200]}")
        self.sums = self.sums or {theta.name: theta for theta in _sums(self.asked)}
        theta, i, told = self.sums.get(fields["distribution"]), fields["record"], label(fields.get("knowledge", []))
        if theta is None or i not in self.asked.records or not is_list(told) or len(entries(told)) != len(order or ()):
            raise Rejected(f"there is no law with the distribution, record and knowledge {str(fields)[:300]}")
        own, total = theta.heard(dict(zip(order or (), entries(told), strict=True)), i)
        first = next(j for j in self.asked.records if theta.sort(j) == theta.sort(i))
        set_to = label(fields["set_to"]) if "set_to" in fields else None
        return Named(theta.name, first, own, total, label(fields["value"]), set_to)


SUMS: dict[Callable[[Asked], Iterator[Comparison]], Callable[[Asked], Iterator[Comparison]]] = {
    changes: neighbours_by_sums,
    neighbours: neighbours_by_sums,
    counterfactual: counterfactual_by_sums,
    active: lambda asked: given_by_sums(False, asked),
    passive: lambda asked: given_by_sums(True, asked),
}
"""The definitions that need no table where the people are independent and the output is a function of a sum."""
