"""What definitions compare: functions that list comparisons. `definitions.DEFINITIONS` says which definition has which.

A comparison has terms (share, P, Q) and a multiple of ε. P and Q are mixtures of databases, on which M is run, or laws
of something else, such as beliefs. Formulas: `pkdp definitions KEY`.
"""

from __future__ import annotations

import math
from collections import Counter, defaultdict
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from fractions import Fraction
from functools import lru_cache, partial
from itertools import combinations, combinations_with_replacement, permutations, product
from typing import Any, NamedTuple

from .mechanisms import Database, Mechanism, samples
from .models import Model, Row, Theta, conditioned
from .neighbours import OF_VECTORS, RELATIONS, Move, moves
from .numbers import (
    BeyondLimits,
    Label,
    Law,
    Measure,
    Unsupported,
    Wrong,
    afford,
    entries,
    found,
    label,
    law_of,
    listed,
    number,
    rational,
)

ONE = Fraction(1)
Mixture = tuple[tuple[Database, Fraction | int], ...]
Side = Mixture | Measure
"""M run on a database that is drawn so, or a law that has been worked out."""


Name = frozenset[tuple[str, object]]
"""What says which law is meant: the fields that `check --json` writes of it, such as its θ, record and value."""


def named(**fields: object) -> Name:
    """A name of these fields, but for those that are None; databases stay a mixture, all else is a label."""
    return frozenset((field, x if field == "databases" else label(x)) for field, x in fields.items() if x is not None)


Names = tuple[object, object]
"""Of each law a `Name` or `Mixture`; of a sum see `sums`."""


class Term(NamedTuple):
    """P against Q, with the share that they have in an average, and their names, if these are more than databases."""

    share: Fraction
    p: Side
    q: Side
    names: Names | None = None


class Comparison(NamedTuple):
    """Terms that are averaged; ε is multiplied by `scale` (None: nothing is demanded); `only` is an event."""

    terms: tuple[Term, ...]
    scale: Fraction | None = ONE
    only: Label | None = None


NOTHING = Measure({}, 1)
"""In place of a law that does not exist: every output of P counts as one that Q cannot give."""


class Asked:
    """A model with the reading and the records that an answer names."""

    def __init__(self, model: Model, reading: str = "default", records: Sequence[int] | None = None) -> None:
        self.model, self.reading = model, reading
        self.policy = model.policy
        self.protected = model.records if records is None else records

    @property
    def records(self) -> Sequence[int]:
        """The records that are protected, where a definition singles out records."""
        if self.model.function:
            raise Unsupported("a function of the database is protected, and this compares records")
        return self.protected

    @property
    def secrets(self) -> Sequence[int | None]:
        """What θ is conditioned on: each protected record, or (None) the protected function."""
        return [None] if self.model.function else self.protected

    def in_order(self, a: Label, b: Label, record: int | None) -> bool:
        """Whether (a, b) is compared; `one-order` compares a before b alone."""
        if self.reading != "one-order":
            return True
        order = self.model.values if record is not None else self.model.secret_values
        if not order:
            raise Unsupported("the reading one-order needs the order of the protected values")
        return order.index(a) < order.index(b)

    def relation(self, which: str | None = None) -> str:
        """What neighbours are: as named, or as [policy] says; any step where it says nothing."""
        named_ = which or self.policy.get("neighbours", "")
        if named_ not in ("", *RELATIONS):
            raise Wrong(f"[policy] neighbours: {str(named_)[:60]!r}. Expected one of {', '.join(RELATIONS)}.")
        missing = named_ == "add-remove" or (named_ == "any" and which is None)
        if missing and not self.model.many and self.model.absent is None:
            raise Unsupported("no record can be missing: the file has one size and no `absent`")
        return named_ or "any"

    def one_size(self) -> None:
        """Refuse databases of several sizes, where a record has no place."""
        if self.model.many:
            raise Unsupported("the databases have several sizes")


@lru_cache(1 << 16)
def point(database: Database) -> Mixture:
    """The database itself; one object for all comparisons with it."""
    return ((database, 1),)


def mixture(weights: Mapping[Database, Fraction]) -> Mixture:
    """A database that is drawn; always in one order, so that equal mixtures are equal."""
    return tuple(sorted(weights.items()))


def pair(
    p: Side, q: Side, scale: Fraction | None = ONE, names: Names | None = None, only: Label | None = None
) -> Comparison:
    """P against Q."""
    return Comparison((Term(ONE, p, q, names),), scale, only)


def both(p: Side, q: Side, scale: Fraction | None = ONE, names: Names | None = None) -> list[Comparison]:
    """In both orders."""
    return [pair(p, q, scale, names), pair(q, p, scale, names and (names[1], names[0]))]


def multiple(text: object) -> Fraction | None:
    """A multiple of ε; `inf` demands nothing."""
    return None if str(text) == "inf" else rational(text)


# --- databases that differ in one record ------------------------------------------------------------------------------


def moved(
    which: str | None,
    test: Callable[[Asked], Callable[[Move], bool]] = lambda asked: lambda move: True,
    scale: Callable[[Asked], Callable[[Move], Fraction | None]] = lambda asked: lambda move: ONE,
) -> Callable[[Asked], Iterator[Comparison]]:
    """M(D₁) against M(D₂) for the moves that pass a test, with a multiple of ε."""

    def listing(asked: Asked) -> Iterator[Comparison]:
        passes, multiple_of = test(asked), scale(asked)
        return (pair(point(x.first), point(x.second), multiple_of(x)) for x in moves(asked, which) if passes(x))

    return listing


def in_values_order(asked: Asked) -> Callable[[Move], bool]:
    """Whether the reading compares a before b, of one record that is there before and after."""
    if asked.reading == "one-order" and asked.policy.get("neighbours", "change") not in ("change", "one-entry"):
        raise Unsupported("the reading one-order needs neighbours that differ in the value of one record")
    return lambda move: asked.in_order(str(move.a), str(move.b), move.record or 0)


def one_apart(name: str) -> Callable[[Asked], Callable[[Move], bool]]:
    """One attribute, or one bit, of the value differs."""

    def test(asked: Asked) -> Callable[[Move], bool]:
        table = {label(v): list(x) for v, x in asked.model.field(name).items()}
        if set(table) != set(asked.model.values):
            raise Wrong(f"[policy] {name} has not one entry for each value")
        return lambda x: sum(a != b for a, b in zip(table[str(x.a)], table[str(x.b)], strict=True)) == 1

    return test


def sensitive_first(asked: Asked) -> Callable[[Move], bool]:
    """The record that differs is sensitive in the first database."""
    marked = {label(v) for v in asked.model.field("sensitive")}
    return lambda move: move.a in marked


def removed(asked: Asked) -> Callable[[Move], bool]:
    """The record is missing in the first database."""
    asked.one_size()
    if asked.model.absent is None:
        raise Unsupported("[policy] absent is missing")
    return lambda move: move.a is None


def by_values(asked: Asked) -> Callable[[Move], Fraction | None]:
    """A multiple of ε for unordered pairs of values."""
    table = {frozenset(map(label, pair_of)): multiple(x) for pair_of, x in asked.model.field("scale")}
    return lambda x: table.get(frozenset((str(x.a), str(x.b))), ONE)


def by_record(asked: Asked) -> Callable[[Move], Fraction | None]:
    """A multiple of ε for each record."""
    table = [multiple(x) for x in asked.model.field("levels")]
    return lambda move: table[move.record or 0]


def tailored(asked: Asked) -> Callable[[Move], Fraction | None]:
    """A multiple of ε for a value in a database."""
    m = asked.model
    table = {(label(t), m.database(d)): multiple(x) for t, d, x in m.field("tailored")}
    return lambda x: table.get((str(x.b), x.second) if x.a is None else (x.a, x.first), ONE)


def at_hand(asked: Asked) -> Callable[[Move], bool]:
    """One of the two is the database at hand."""
    fixed = asked.model.database(asked.model.field("fixed"))
    return lambda move: fixed in (move.first, move.second)


def record_at_hand(asked: Asked) -> Callable[[Move], bool]:
    """And only the record at hand differs."""
    test, record = at_hand(asked), asked.model.field("record")
    asked.one_size()
    return lambda move: test(move) and move.record == record


def on_an_edge(asked: Asked) -> Callable[[Move], bool]:
    """An edge of the graph joins the two values; both databases are listed, where some are."""
    m = asked.model
    edges = {frozenset(map(label, edge)) for edge in m.field("graph")}
    inside = {m.database(d) for d in asked.policy["databases"]} if "databases" in asked.policy else None
    name: Callable[[Label | None], Label | None] = lambda v: m.absent if v is None else v  # noqa: E731
    return lambda x: frozenset((name(x.a), name(x.b))) in edges and (inside is None or {x.first, x.second} <= inside)


# --- any two databases ------------------------------------------------------------------------------------------------


def any_two(
    scale: Callable[[Asked], Callable[[Database, Database], Fraction | bool | None]],
) -> Callable[[Asked], Iterator[Comparison]]:
    """Ordered pairs of databases that agree outside the protected records; `scale` says False to leave one out."""

    def listing(asked: Asked) -> Iterator[Comparison]:
        m, multiple_of = asked.model, scale(asked)
        every = m.databases()
        afford(len(every) ** 2, "the pairs of databases")
        free = set(asked.records)
        for d, e in permutations(every, 2):
            if m.many or free.issuperset(differing(d, e)):
                c = multiple_of(d, e)
                if c is not False:
                    yield pair(point(d), point(e), ONE if c is True else c)

    return listing


def differing(d: Database, e: Database) -> list[int]:
    """The records that differ."""
    return [i for i, (a, b) in enumerate(zip(d, e, strict=True)) if a != b]


def _only(d: Database, e: Database) -> tuple[int, int]:
    """How many tuples of a multiset are not in another, and of that one not in this."""
    x, y = Counter(d), Counter(e)
    return (x - y).total(), (y - x).total()


def in_a_group(asked: Asked) -> Callable[[Database, Database], bool]:
    """At most c steps between neighbours; where these add and remove alone, a change is two steps."""
    m, c, which = asked.model, int(asked.model.field("group")), asked.relation()
    if which in OF_VECTORS:
        raise Unsupported("a group is of records that differ, not of answers that move")

    def near(d: Database, e: Database) -> bool:
        if m.many:
            gone, new = _only(d, e)
            return {"change": gone == new <= c, "add-remove": gone + new <= c, "any": max(gone, new) <= c}[which]
        at = differing(d, e)
        changes = sum(m.absent not in (d[i], e[i]) for i in at)
        if which == "change":
            return changes == len(at) <= c
        return len(at) + (changes if which == "add-remove" else 0) <= c

    return near


def dependent(asked: Asked) -> Callable[[Database, Database], bool]:
    """One record is changed, and at most c - 1 others that depend on it."""
    m, c = asked.model, asked.model.field("group")
    after = {tuple(x) for x in m.field("dependence")}
    asked.one_size()

    def near(d: Database, e: Database) -> bool:
        at = differing(d, e)
        there = all(m.absent not in (d[i], e[i]) for i in at)
        return there and len(at) <= c and any(all(j == i or (i, j) in after for j in at) for i in at)

    return near


def in_a_block(asked: Asked) -> Callable[[Database, Database], bool]:
    """All records that differ are in one block."""
    blocks = [set(asked.model.home.indices(b, 0)) for b in asked.model.field("blocks")]
    asked.one_size()
    return lambda d, e: any(block.issuperset(differing(d, e)) for block in blocks)


def distance(asked: Asked) -> Callable[[Database, Database], Fraction | None]:
    """d(D₁, D₂); None is infinitely far."""
    m, named = asked.model, asked.model.field("distance")
    if named == "hamming":
        return lambda d, e: Fraction(max(_only(d, e)) if m.many else len(differing(d, e)))
    if named == "largest":
        asked.one_size()
        return lambda d, e: max(abs(number(a) - number(b)) for a, b in zip(d, e, strict=True))
    table: dict[frozenset[Database], Fraction | None] = {}
    for d, e, x in named:
        both_of = frozenset((m.database(d), m.database(e)))
        if table.setdefault(both_of, multiple(x)) != multiple(x):
            raise Wrong("[policy] distance has two distances for one pair")
    return lambda d, e: table.get(frozenset((d, e)))


def near(asked: Asked) -> Callable[[Database, Database], bool]:
    """The distance is at most Δ."""
    far, most = distance(asked), asked.model.rational("at-most")
    return lambda d, e: (x := far(d, e)) is not None and x <= most


def in_common(asked: Asked) -> Callable[[Database, Database], bool]:
    """Both are listed, have a value in common, and are near."""
    m, close = asked.model, near(asked)
    inside = {m.database(d) for d in m.field("databases")}
    return lambda d, e: {d, e} <= inside and bool((set(d) & set(e)) - {m.absent}) and close(d, e)


def near_statistic(asked: Asked) -> Callable[[Database, Database], bool]:
    """A statistic differs by at most Δ."""
    m, most = asked.model, asked.model.rational("at-most")
    f = {m.database(d): rational(x) for d, x in m.field("statistic")}
    return lambda d, e: d in f and e in f and abs(f[d] - f[e]) <= most


def induced(asked: Asked) -> Callable[[Database, Database], bool]:
    """Both are listed, and no third listed one is between them."""
    m = asked.model
    inside = {m.database(d) for d in m.field("databases")}

    def between(x: Database, d: Database, e: Database) -> bool:
        if not m.many:
            return all(v in (a, b) for v, a, b in zip(x, d, e, strict=True))
        one, other, third = Counter(d), Counter(e), Counter(x)
        return (one & other) <= third <= (one | other)

    return lambda d, e: {d, e} <= inside and not any(between(x, d, e) for x in inside - {d, e})


def listed_pairs(asked: Asked) -> Iterator[Comparison]:
    """The pairs that the file lists, in both orders."""
    m = asked.model
    ends = [[m.satisfying(x) if isinstance(x, str) else {m.database(x)} for x in two] for two in m.field("pairs")]
    for d, e in (pair_ for first, second in ends for pair_ in product(sorted(first), sorted(second))):
        if d != e and (m.many or m.function or set(asked.protected).issuperset(differing(d, e))):
            yield from both(point(d), point(e))


# --- θ given what is known and a value --------------------------------------------------------------------------------


def cells(theta: Theta, record: int | None) -> dict[tuple[Label | None, Label], list[Row]]:
    """The worlds by what is known and the protected value."""
    out: dict[tuple[Label | None, Label], list[Row]] = defaultdict(list)
    for row in theta.rows:
        value = row.secret if record is None else row.database[record]
        if value is not None:
            out[row.known, value].append(row)
    return out


def of_theta(theta: Theta, known: Label | None, record: int | None, **more: object) -> Name:
    """The name of a law of θ given what is known."""
    return named(distribution=theta.name, knowledge=known, record=record, **more)


def _mass(rows: Iterable[Row]) -> Fraction:
    return sum((row.probability for row in rows), Fraction(0))


def given(average: bool, asked: Asked) -> Iterator[Comparison]:
    """M(D) given θ, B̂, D(i) = a against the same given b; on average over B̂ given a, or for each B̂.

    A B̂ that excludes b is not compared (in an average it adds 0); in the reading infinite-loss its whole weight counts.
    """
    for theta in asked.model.thetas():
        for i in asked.secrets:
            by = cells(theta, i)
            sides = {at: mixture(conditioned(rows)) for at, rows in by.items()}
            names = {(k, v): of_theta(theta, k, i, value=v) for k, v in by}
            total: dict[Label, Fraction] = defaultdict(Fraction)
            for (_, value), rows in by.items():
                total[value] += _mass(rows)
            afford(len(by) * len(total), "the comparisons of a distribution")
            for a, b in permutations(total, 2):
                if not asked.in_order(a, b, i):
                    continue
                terms = [
                    Term(
                        _mass(rows) / total[a],
                        sides[k, a],
                        sides.get((k, b), NOTHING),
                        (names[k, a], of_theta(theta, k, i, value=b)),
                    )
                    for (k, value), rows in by.items()
                    if value == a and ((k, b) in by or asked.reading == "infinite-loss")
                ]
                if average and terms:
                    yield Comparison(tuple(terms))
                elif not average:
                    yield from (pair(t.p, t.q, ONE, t.names) for t in terms)


def changed(rows: Iterable[Row], record: int, value: Label) -> dict[Database, Fraction]:
    """The law of D with a record set to a value."""
    out: dict[Database, Fraction] = defaultdict(Fraction)
    for d, w in conditioned(rows).items():
        out[(*d[:record], value, *d[record + 1 :])] += w
    return out


def counterfactual(asked: Asked) -> Iterator[Comparison]:
    """M(D) against M(D with i set to b), both given θ, B̂, D(i) = a; both directions."""
    for theta in asked.model.thetas():
        for i in asked.records:
            by = cells(theta, i)
            for (k, a), rows in by.items():
                for b in asked.model.there:
                    if a not in (asked.model.absent, b) and ((k, b) in by or asked.reading == "all-values"):
                        sides = mixture(conditioned(rows)), mixture(changed(rows, i, b))
                        names = of_theta(theta, k, i, value=a), of_theta(theta, k, i, value=a, set_to=b)
                        one_order = asked.reading == "one-order"
                        yield from [pair(*sides, ONE, names)] if one_order else both(*sides, ONE, names)


def beliefs_of_changed(asked: Asked) -> Iterator[Comparison]:
    """The belief about D(i) after M(D) = t against that after M(D with i set to b) = t, where both are possible."""
    m = asked.model
    there = None if m.absent is None else True
    for theta in m.thetas():
        for i in asked.records:
            by = cells(theta, i)
            for k in dict.fromkeys(k for k, _ in by):
                own = {v: by[k, v] for v in m.there if (k, v) in by}
                first = {v: m.law(conditioned(rows)) for v, rows in own.items()}
                for b in own if asked.reading == "possible-values" else m.there:
                    second = {v: m.law(changed(rows, i, b)) for v, rows in own.items()}
                    for t in {t: None for law in first.values() for t in law.counts}:
                        p, q = (belief({v: _mass(own[v]) * law[v].of(t) for v in own}) for law in (first, second))
                        if p is not None and q is not None:
                            about = {"about": "record", "present": there, "output": t}
                            names = of_theta(theta, k, i, **about), of_theta(theta, k, i, **about, set_to=b)
                            yield from (
                                [pair(p, q, ONE, names)] if asked.reading == "one-order" else both(p, q, ONE, names)
                            )


def belief(weights: Mapping[Any, Fraction]) -> Law | None:
    """Weights that are made a law; None where all are 0."""
    return law_of(normalized(weights)) if any(weights.values()) else None


def normalized(weights: Mapping[Any, Fraction]) -> dict[Any, Fraction]:
    """Weights over their sum, without zeros."""
    total = sum(weights.values())
    return {v: w / total for v, w in weights.items() if w}


def dependency(asked: Asked) -> Iterator[Comparison]:
    """DMKB20, Definitions 17 and 18: P is the law of (O₁, O₂) given a, and R = P·e^(-Dep)."""
    one, two = two_mechanisms(asked.model)
    orders = [(one, two, "M2 on M1")] + ([(two, one, "M1 on M2")] if asked.reading == "both-ways" else [])
    for theta in asked.model.thetas():
        for i in asked.secrets:
            by = cells(theta, i)
            for first, second, which in orders:
                laws = {at: joint(first, second, conditioned(rows)) for at, rows in by.items()}
                for (k, a), (x, b) in permutations(by, 2):
                    if k == x and asked.in_order(a, b, i):
                        names = of_theta(theta, k, i, value=a), of_theta(theta, k, i, value=b, dependency=which)
                        sides = dependence(laws[k, a], laws[x, b], asked.reading, which)
                        yield pair(sides[0], sides[1], ONE, names)


def two_mechanisms(model: Model) -> list[Mechanism]:
    """M₁ and M₂."""
    m = model.mechanism
    if m.name != "all" or len(m.parts) != 2 or m.steps or m.rate != 1:
        raise Unsupported("this is about a list of two mechanisms, without steps and sample")
    return list(m.parts.values())


Joint = dict[tuple[Label, Label], Fraction]


def joint(one: Mechanism, two: Mechanism, weights: Mapping[Database, Fraction]) -> Joint:
    """The law of two outputs that are independent given the database."""
    out: Joint = defaultdict(Fraction)
    for d, w in weights.items():
        first, second = one.law(d).chances(), two.law(d).chances()
        afford(len(first) * len(second), "the pairs of outputs")
        for (o, x), (t, y) in product(first.items(), second.items()):
            out[o, t] += w * x * y
    return out


def dependence(p: Joint, q: Joint, reading: str, which: str) -> list[Measure]:
    """Dep = L(O₂ | B̂, O₁) - L(O₂ | B̂): the first loss is ln (P/P₁)/(Q/Q₁), the second ln P₂/Q₂, with the marginals."""
    (p1, p2), (q1, q2) = ([_marginal(table, at) for at in (0, 1)] for table in (p, q))
    measured, against = dict(p), {}
    for (one, two), x in p.items():
        second_infinite = two not in q2
        if one in q1:
            y = q.get((one, two), Fraction(0))
            if y and not second_infinite:
                against[one, two] = p1[one] * y / q1[one] * p2[two] / q2[two]
            elif second_infinite and reading == "equal-infinities":
                against[one, two] = x
        elif reading == "no-loss" and not second_infinite:
            against[one, two] = x * p2[two] / q2[two]
        elif reading == "no-loss":
            del measured[one, two]  # a dependency of -∞
        elif reading != "infinite-loss":
            against[one, two] = x  # not compared: it adds 0, as a dependency of 0 does
    sides = []
    for table in (measured, against):
        total = math.lcm(*(w.denominator for w in table.values())) if table else 1
        turned = ((o if which == "M2 on M1" else o[::-1], w) for o, w in table.items())
        sides.append(Measure({listed(o): int(w * total) for o, w in turned}, total))
    return sides


def _marginal(table: Mapping[tuple[Label, Label], Fraction], at: int) -> dict[Label, Fraction]:
    out: dict[Label, Fraction] = defaultdict(Fraction)
    for o, w in table.items():
        out[o[at]] += w
    return out


def by_known(theta: Theta) -> dict[Label | None, list[Row]]:
    """The worlds by what is known."""
    out: dict[Label | None, list[Row]] = defaultdict(list)
    for row in theta.rows:
        out[row.known].append(row)
    return out


def predicates(asked: Asked) -> Iterator[Comparison]:
    """M(D) given φ₁ against M(D) given φ₂, of the pairs of predicates that are both possible."""
    m = asked.model
    secrets = [[m.satisfying(predicate) for predicate in two] for two in m.field("secrets")]
    for theta in m.thetas():
        for k, rows in by_known(theta).items():
            for n, two in enumerate(secrets):
                one, other = ([row for row in rows if row.database in predicate] for predicate in two)
                if one and other:
                    names = of_theta(theta, k, None, secret=[n, 0]), of_theta(theta, k, None, secret=[n, 1])
                    yield from both(mixture(conditioned(one)), mixture(conditioned(other)), ONE, names)


def adversaries(asked: Asked) -> Iterator[Comparison]:
    """θ given D(i) = a and the records of K, against b, for each adversary (i, K): those of the file, or all."""
    m, protected = asked.model, asked.records
    everyone = range(m.size)
    who = asked.policy.get("adversaries")
    if who is None:
        afford(len(protected) << min(m.size, 64), "the adversaries")
        who = [
            (i, k) for i in protected for r in range(m.size) for k in combinations([j for j in everyone if j != i], r)
        ]
    for theta, prior in m.priors().items():
        for i, known in who:
            if i not in protected:
                continue
            at = sorted(m.home.indices(known, 0))
            rows = [Row(d, listed(d[j] for j in at), None, p) for d, p in prior.items()]
            by = cells(Theta(theta, rows), i)
            sides = {
                (x, a): (
                    mixture(conditioned(cell)),
                    named(distribution=theta, given=[[j, cell[0].database[j]] for j in at] or None, record=i, value=a),
                )
                for (x, a), cell in by.items()
            }
            for (x, a), (y, b) in permutations(by, 2):
                if x == y:
                    (p, first), (q, second) = sides[x, a], sides[y, b]
                    yield pair(p, q, ONE, (first, second))


def theta_pairs(scaled: bool, asked: Asked) -> Iterator[Comparison]:
    """M(θ₁) against M(θ₂), in both orders, for the pairs that the file lists, or all."""
    far = {frozenset((a, b)): multiple(x) for a, b, x in asked.model.field("theta-distances")} if scaled else {}
    priors = asked.model.priors()
    for a, b in asked.policy.get("theta-pairs", combinations(priors, 2)):
        if a != b:
            names = named(distribution=a), named(distribution=b)
            scale = far.get(frozenset((a, b))) if scaled else ONE
            yield from both(mixture(priors[a]), mixture(priors[b]), scale, names)


def _beliefs(
    asked: Asked, of: Callable[[Database], Any], record: int | None = None, **about: object
) -> Iterator[tuple[Term, Term]]:
    """The belief in something of D after each possible output against that before, and before against after."""
    m = asked.model
    for theta in m.thetas():
        for k, rows in by_known(theta).items():
            prior: dict[Any, Fraction] = defaultdict(Fraction)
            joint: dict[Label, dict[Any, Fraction]] = defaultdict(lambda: defaultdict(Fraction))
            for d, w in conditioned(rows).items():
                prior[of(d)] += w
                for o, p in m.mechanism.law(d).chances().items():
                    joint[o][of(d)] += w * p
            before, name = law_of(prior), of_theta(theta, k, record, **about)
            for o, weights in joint.items():
                after, own = law_of(normalized(weights)), of_theta(theta, k, record, **about, output=o)
                yield Term(ONE, after, before, (own, name)), Term(ONE, before, after, (name, own))


def beliefs_in_records(asked: Asked) -> Iterator[Comparison]:
    """About D(i)."""
    asked.model.thetas()
    for i in asked.records:
        for terms in _beliefs(asked, lambda d, i=i: d[i], record=i, about="record"):  # type: ignore[misc]
            yield from (Comparison((term,)) for term in terms)


def beliefs_in_databases(asked: Asked) -> Iterator[Comparison]:
    """About D."""
    return (Comparison((term,)) for terms in _beliefs(asked, listed, about="database") for term in terms)


def membership(up: str, down: str, asked: Asked) -> Iterator[Comparison]:
    """About t ∈ D (`in`), t ∉ D (`out`): the belief in `up` must not rise too much, that in `down` not fall."""
    for t in asked.model.there:
        about: Callable[[Database], str] = lambda d, t=t: "in" if t in d else "out"  # type: ignore[misc]  # noqa: E731
        for terms in _beliefs(asked, about, about="element", element=t):
            for term, events in zip(terms, (up, down), strict=True):
                yield from (Comparison((term,), ONE, event) for event in events.split())


# --- chance, samples, views, simulators' inputs -----------------------------------------------------------------------


def _prior(asked: Asked, absent_is_drawn: bool) -> dict[Label, Fraction]:
    pi: dict[Label, Fraction] = asked.model.home.values_law(asked.model.field("prior")).chances()
    asked.one_size()
    if not absent_is_drawn and asked.model.absent in pi:
        raise Unsupported("[policy] prior gives `absent` a probability, and here a record that is there is drawn again")
    return pi


def _drawn(pi: Mapping[Label, Fraction], size: int, distinct: bool = False) -> list[tuple[Database, Fraction]]:
    """Databases of records from π; `distinct`: without replacement, one record after the other."""
    afford(len(pi) ** min(size, 64) * size, "the databases that π draws")
    out: list[tuple[Database, Fraction]] = [((), ONE)]
    for _ in range(size):
        out = [
            ((*d, v), w * p / (1 - sum((pi[x] for x in d), Fraction(0)) if distinct else 1))
            for d, w in out for v, p in pi.items() if not distinct or v not in d
        ]  # fmt: skip
    if not out:
        raise Unsupported("without replacement there are fewer values than records")
    return out


def redrawn(asked: Asked) -> Iterator[Comparison]:
    """D₁ from π, and D₂ with one record drawn again; each direction by itself."""
    pi, records = _prior(asked, absent_is_drawn=False), asked.records
    afford(len(pi) ** (min(asked.model.size, 64) + 1) * len(records), "the pairs that π draws")
    terms = [
        Term(w * p / len(records), point(d), point((*d[:i], b, *d[i + 1 :])))
        for d, w in _drawn(pi, asked.model.size) for i in records for b, p in pi.items()
    ]  # fmt: skip
    return _averages(terms)


def drawn_twice(asked: Asked) -> Iterator[Comparison]:
    """D₁ and D₂ from π; records that are not protected are drawn once, for both."""
    pi, distinct = _prior(asked, absent_is_drawn=True), asked.reading == "without-replacement"
    m = asked.model
    afford(len(pi) ** min(m.size, 64), "the databases that π draws")
    free = set(range(m.size)) if m.function else set(asked.protected)
    if distinct and len(free) < m.size:
        raise BeyondLimits("drawing without replacement, where some records are protected")
    databases = _drawn(pi, m.size, distinct)
    others: Callable[[Database], Database] = lambda d: tuple(v for i, v in enumerate(d) if i not in free)  # noqa: E731
    shared: dict[Database, Fraction] = defaultdict(Fraction)
    for d, w in databases:
        shared[others(d)] += w
    afford(len(databases) ** 2, "the pairs that π draws")
    terms = [
        Term(w * v / shared[others(d)], point(d), point(e))
        for (d, w), (e, v) in product(databases, repeat=2) if others(d) == others(e)
    ]  # fmt: skip
    return _averages(terms)


def _averages(terms: list[Term]) -> Iterator[Comparison]:
    yield Comparison(tuple(terms))
    yield Comparison(tuple(Term(t.share, t.q, t.p) for t in terms))


def redrawn_values(asked: Asked) -> Iterator[Comparison]:
    """Every D, and D with record i drawn again from π, for each i that is there; each direction by itself."""
    pi = _prior(asked, absent_is_drawn=False)
    for d in asked.model.databases():
        for i in asked.records:
            if d[i] != asked.model.absent:
                yield from _averages([Term(w, point(d), point((*d[:i], b, *d[i + 1 :]))) for b, w in pi.items()])


def sampled(asked: Asked) -> Iterator[Comparison]:
    """M on samples at the rate β of two neighbours; what is not kept is absent."""
    m, rate = asked.model, asked.model.rational("rate")
    if m.home.least if m.many else m.absent is None:
        raise Unsupported("a sample may be empty: sizes have to begin at 0, or a value has to be `absent`")

    def sample(database: Database) -> Mixture:
        weights: dict[Database, Fraction] = defaultdict(Fraction)
        if m.many:
            for w, kept in samples(database, rate):
                weights[kept] += w
            return mixture(weights)
        chances = [[(v, ONE)] if v == m.absent else [(v, rate), (str(m.absent), 1 - rate)] for v in database]
        for choice in product(*chances):
            weights[tuple(v for v, _ in choice)] += math.prod((w for _, w in choice), start=ONE)
        return mixture({d: w for d, w in weights.items() if w})

    sides = {d: sample(d) for d in m.databases()}
    return (pair(sides[x.first], sides[x.second]) for x in moves(asked))


def given_leak(model: Model, database: Database) -> dict[Label, Law]:
    """The law of the output given each leak: read off the output, or by the joint law that the file gives."""
    leak, law = model.field("leak"), model.mechanism.law(database)
    if isinstance(leak, Mapping):
        table = {label(o): label(x) for o, x in leak.items()}
        both_of = {(o, found(table, o)): p for o, p in law.chances().items()}
    else:
        rows = {model.database(row["database"]): row["outputs"] for row in leak}
        chances = model.home.law({_quoted(o): p for o, p in rows[database].items()}).chances()
        both_of = {tuple(entries(o)): p for o, p in chances.items()}  # type: ignore[misc]
        if _marginal(both_of, 0) != law.chances():
            raise Wrong(
                "[policy] leak: over all leaks the outputs have other probabilities than the mechanism gives them"
            )
    parts: dict[Label, dict[Label, Fraction]] = defaultdict(dict)
    for (o, x), p in both_of.items():
        parts[x][o] = p
    return {x: belief(part) for x, part in parts.items()}  # type: ignore[misc]


def leaks(asked: Asked) -> Iterator[Comparison]:
    """M(D₁) given what leaked against M(D₂) given the same, for neighbours and each leak that both can have."""
    asked.model.field("leak")
    laws = {d: given_leak(asked.model, d) for d in asked.model.databases()}
    for move in moves(asked):
        first, second = laws[move.first], laws[move.second]
        for x in first:
            if x in second:
                names = [named(databases=point(d), leak=x) for d in (move.first, move.second)]
                yield pair(first[x], second[x], ONE, (names[0], names[1]))


def _quoted(text: str) -> str:
    """`[same, heads]`, a list of an output and a leak without quotation marks, as a list."""
    if label(text) != text or not text.startswith("["):
        return text
    inner = text.strip().removeprefix("[").removesuffix("]")
    return listed(part.strip() for part in inner.split(","))


def images(asked: Asked) -> Iterator[Comparison]:
    """What a function makes of the outputs of two neighbours."""
    table = {label(o): label(x) for o, x in asked.model.field("image").items()}
    laws = {d: law.image(lambda o: found(table, o)) for d, law in asked.model.plain(asked.model.databases()).items()}
    names = {d: named(databases=point(d), image=True) for d in laws}
    return (pair(laws[x.first], laws[x.second], ONE, (names[x.first], names[x.second])) for x in moves(asked))


def clients(together: bool, asked: Asked) -> Iterator[Comparison]:
    """What another client, or all others together, see where a record of one client differs."""
    m = asked.model
    blocks = [set(m.home.indices(b, 0)) for b in m.field("blocks")]
    views = [{label(o): label(x) for o, x in view.items()} for view in m.field("views")]
    laws = m.plain(m.databases())
    seen: dict[tuple[Database, tuple[int, ...]], tuple[Law, Name]] = {}

    def view(d: Database, who: tuple[int, ...]) -> tuple[Law, Name]:
        if (d, who) not in seen:
            law = laws[d].image(lambda o: listed(found(views[j], o) for j in who))
            seen[d, who] = law, named(databases=point(d), group=who)
        return seen[d, who]

    for x in moves(asked):
        for i in (i for i, block in enumerate(blocks) if block.issuperset(differing(x.first, x.second))):
            others = tuple(j for j in range(len(blocks)) if j != i)
            for who in ([others] if others else []) if together else [(j,) for j in others]:
                (p, first), (q, second) = view(x.first, who), view(x.second, who)
                yield pair(p, q, ONE, (first, second))


def one_tuple_more(asked: Asked) -> Iterator[Comparison]:
    """Multisets of which one has a tuple more."""
    if not asked.model.many:
        raise Unsupported("this is about databases of several sizes")
    return (pair(point(x.first), point(x.second)) for x in moves(asked, "add-remove"))


def choosers(asked: Asked) -> Iterator[Comparison]:
    """How the recoding is chosen on D and on D with a tuple more, for all databases that the choice meets."""
    m = asked.model
    if not m.many or m.mechanism.name not in ("k-anonymization", "apply") or m.mechanism.steps:
        raise Unsupported("this is about the choice of a recoding, of databases of several sizes")
    choose = m.mechanism.parts.get("choose") or Mechanism({"kind": "constant", "output": "the only recoding"}, m.home)
    for size in range(0 if m.mechanism.rate != 1 else m.home.least, m.size):
        for d in combinations_with_replacement(m.values, size):
            for t in m.values:
                two = d, m.home.ordered((*d, t))
                first, second = (named(databases=point(e), about="recoding") for e in two)
                yield from both(choose.law(two[0]), choose.law(two[1]), ONE, (first, second))


def without(asked: Asked) -> Iterator[Comparison]:
    """M(D) and M(D without i), all D that hold i together: priors are on these."""
    m = asked.model
    asked.one_size()
    if m.absent is None:
        raise Unsupported("[policy] absent is missing")
    for i in asked.records:
        terms = [
            Term(
                ONE, point(d), point((*d[:i], m.absent, *d[i + 1 :])),
                (point(d), named(databases=point(d), record=i, set_to=m.absent)),
            )
            for d in m.databases() if d[i] != m.absent
        ]  # fmt: skip
        if terms:
            yield Comparison(tuple(terms))


neighbours, removals = moved(None), moved("add-remove")


def changes(asked: Asked) -> Iterator[Comparison]:
    """Databases of which one record is changed, or the neighbours that [policy] names."""
    return moved(None if "neighbours" in asked.policy else "change", in_values_order)(asked)


active, passive = partial(given, False), partial(given, True)
