"""Comparisons of M on two databases: one record differs, or is gone, or the file says which databases are near."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterator
from fractions import Fraction
from itertools import combinations_with_replacement, permutations, product

from .comparisons import CHANGE_OR_VECTORS, ONE, RELATED, Asked, Comparison, Term, both, multiple, named, pair, point
from .mechanisms import Database, Mechanism
from .neighbours import OF_VECTORS, Move, differing, moves, replacing
from .numbers import Label, Unsupported, Wrong, afford, label, number, rational


def moved(
    which: str | None,
    test: Callable[[Asked], Callable[[Move], bool]] = lambda asked: lambda move: True,
    scale: Callable[[Asked], Callable[[Move], Fraction | None]] = lambda asked: lambda move: ONE,
) -> Callable[[Asked], Iterator[Comparison]]:
    """M(D₁) against M(D₂) for the moves that pass a test, with a multiple of ε."""

    def listing(asked: Asked) -> Iterator[Comparison]:
        passes, multiple_of = test(asked), scale(asked)
        return (pair(point(x.first), point(x.second), multiple_of(x)) for x in moves(asked, which) if passes(x))

    RELATED[listing] = which
    return listing


def in_values_order(asked: Asked) -> Callable[[Move], bool]:
    """Whether the reading compares a before b, of one record that is there before and after."""
    if asked.reading == "one-order" and asked.policy.get("neighbours") in OF_VECTORS.keys() - {"one-entry"}:
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
                ONE, point(d), point(replacing(d, i, m.absent)),
                (point(d), named(databases=point(d), record=i, set_to=m.absent)),
            )
            for d in m.databases() if d[i] != m.absent
        ]  # fmt: skip
        if terms:
            yield Comparison(tuple(terms))


neighbours = moved(None)


removals = moved("add-remove")


def changes(asked: Asked) -> Iterator[Comparison]:
    """Databases of which one record is changed, or vectors of answers where [policy] names their neighbours."""
    named_ = asked.policy.get("neighbours")
    return moved(named_ if named_ in OF_VECTORS else "change", in_values_order)(asked)


RELATED |= {changes: CHANGE_OR_VECTORS, one_tuple_more: "add-remove", choosers: "add-remove"}
