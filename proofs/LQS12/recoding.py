"""k-anonymity, clustering, Apply, and Proposition 1 (sections 3.1 and 3.2)."""

from __future__ import annotations

from collections.abc import Iterator
from fractions import Fraction
from itertools import combinations_with_replacement, pairwise, product

import z3

from verifier.wings.papers.ledger.laws import HALF, ONE, QUARTER, binomial_law, either_excess, pushforward, tail
from verifier.wings.papers.ledger.steps import Steps, at_most, equal, every_case, for_all, less, unsatisfiable

Table = tuple[str, ...]
Map = dict[str, str]
VALUES = "abc"


def apply(g: Map, database: Table, k: int) -> Table:
    """Recode every tuple; leave out what appears less than k times. The result is a multiset, in order."""
    recoded = [g[value] for value in database]
    return tuple(sorted(value for value in recoded if recoded.count(value) >= k))


def maps(targets: str = "xyz") -> Iterator[Map]:
    """All recodings: all maps of the values to the targets."""
    yield from (dict(zip(VALUES, chosen, strict=True)) for chosen in product(targets, repeat=len(VALUES)))


def _kept(count: z3.ArithRef, k: z3.ArithRef) -> z3.ArithRef:
    """The number of tuples that Apply publishes of `count` equal ones: all from k on, else 0."""
    return z3.If(count >= k, count, z3.IntVal(0))


def databases(most: int) -> Iterator[Table]:
    """All multisets of up to `most` tuples."""
    for size in range(most + 1):
        yield from combinations_with_replacement(VALUES, size)


def smallest_crowd(table: Table) -> int:
    """The number of times that the rarest tuple of a table appears; for the empty table, more than any k."""
    return min((table.count(row) for row in table), default=10**9)


# --- section 3.1 ------------------------------------------------------------------------------------------


def copies() -> Steps:
    """Each tuple k times: k-anonymous, and the database can be read off; so δ = 1 at every ε."""
    cases = product(range(1, 6), databases(4))
    all_databases = list(databases(4))
    k, count, other_count = z3.Ints("k c d")
    return (
        unsatisfiable(
            [k >= 1, count >= 1, k * count < k], "a tuple that is c ≥ 1 times in the data is k·c ≥ k times out"
        ),
        unsatisfiable(
            [k >= 1, k * count == k * other_count, count != other_count],
            "k·c = k·d gives c = d: the data can be read off",
        ),
        for_all(cases, lambda k, database: smallest_crowd(tuple(sorted(database * k))) >= k, "k-anonymous"),
        equal(
            len({tuple(sorted(database * 3)) for database in all_databases}),
            len(all_databases),
            "tables for k = 3, as many as databases",
        ),
    )


def rich_individual() -> Steps:
    """A cluster of 20 whose range ends at 35 million, where all but one person have at most 10 million."""
    incomes, rich, in_it = z3.Reals(" ".join(f"x{i}" for i in range(20))), z3.Real("rich"), z3.Bool("in")
    base = [*(income <= 10 for income in incomes), rich > 10]
    end = z3.Or(*(income == 35 for income in incomes), z3.And(in_it, rich == 35))
    return (
        unsatisfiable([*base, end, z3.Not(in_it)], "the rich individual is in the cluster"),
        unsatisfiable([*base, end, rich != 35], "and has 35 million"),
        less(Fraction(1, len(incomes)), ONE, "1/20 and the probability of being right"),
    )


def clusters_are_crowds() -> Steps:
    """One generalized tuple for each tuple of a cluster of at least k: the table is k-anonymous.

    A generalized tuple appears in its cluster, c times, and maybe in others; and all clusters of up to 6 tuples.
    """
    k_, c, elsewhere = z3.Ints("k c others")

    def clusterings(items: Table, k: int) -> Iterator[list[Table]]:
        if not items:
            yield []
            return
        first, later_items = items[0], items[1:]
        for chosen in product((True, False), repeat=len(later_items)):
            cluster = (first, *(item for item, included in zip(later_items, chosen, strict=True) if included))
            if len(cluster) >= k:
                remaining = tuple(item for item, included in zip(later_items, chosen, strict=True) if not included)
                yield from ([cluster, *more] for more in clusterings(remaining, k))

    cases = [(k, cut) for n in range(7) for k in (1, 2, 3) for cut in clusterings(tuple("aabbcc"[:n]), k)]

    def anonymous(k: int, cut: list[Table]) -> bool:
        table = tuple(f"{min(cluster)}-{max(cluster)}" for cluster in cut for _ in cluster)
        return smallest_crowd(table) >= k

    return (
        unsatisfiable(
            [c >= k_, elsewhere >= 0, c + elsewhere < k_], "c ≥ k in one cluster gives at least k in the table"
        ),
        for_all(cases, anonymous, "every tuple of the table appears at least k times"),
    )


def clusters_of_others() -> Steps:
    """The range shows the rich individual where k - 1 others are sampled too: δ = β·P[X ≥ k - 1], which tends to β.

    k - 1 groups of n others each: all groups are met with at least 1 - (k - 1)(1 - β)^n, and (1 - β)^n ≤ 1/(1 + nβ).
    """
    x, n, b, d, k = z3.Reals("x n b d k")
    half, tenth = HALF, Fraction(1, 10)
    met = tail(19, 1000, tenth)
    return (
        unsatisfiable(
            [b > 0, b <= 1, x >= 0, n >= 0, x * (1 + n * b) <= 1, x * (1 - b) * (1 + (n + 1) * b) > 1],
            "(1 - β)^n ≤ 1/(1 + nβ), by induction",
        ),
        unsatisfiable(
            [d >= 0, d < b, b <= 1, k >= 1, n * (b - d) >= k, x >= 0, x * (1 + n * b) <= 1, b * (1 - (k - 1) * x) <= d],
            "with n ≥ k/(β - δ) others in each group, β(1 - (k - 1)(1 - β)^n) > δ",
        ),
        equal(met * tenth > Fraction("0.0999"), True, "k = 20, β = 1/10, 1000 others: more than 0.0999"),
        less(half * (1 - half**3), half, "k = 2, β = 1/2, three others: 7/16, and β"),
    )


def one_range_for_all() -> Steps:
    """Clusters whose range is always the whole domain: only the number of tuples is shown, and δ is small.

    k = 2, β = 1/2, e^ε = 2: the smallest δ for up to 12 tuples, both orders, is 1/4.
    """
    laws = [pushforward(binomial_law(n, HALF), lambda j: j if j >= 2 else 0) for n in range(13)]
    deltas = [either_excess(law, larger_law, 2) for law, larger_law in pairwise(laws)]
    return (equal(max(deltas), QUARTER, "the smallest δ"), less(max(deltas), HALF, "that and β"))


# --- section 3.2 ------------------------------------------------------------------------------------------


def clusters_that_part_equals() -> Steps:
    """Clusters {a, b, b} and {b, b, c} of {a, b, b, b, b, c}: no function of a tuple's values gives that table."""
    wanted = ("a-b",) * 3 + ("b-c",) * 3
    targets = ["a-b", "b-c", "other"]
    recodings = [dict(zip(VALUES, chosen, strict=True)) for chosen in product(targets, repeat=3)]
    places = [dict(enumerate(chosen)) for chosen in product(targets, repeat=6)]
    return (
        every_case(recodings, lambda g: apply(g, ("a", *"bbbb", "c"), 2) != wanted, "no map of a, b, c gives it"),
        equal(
            sum(tuple(sorted(g.values())) == wanted for g in places),
            20,
            "maps of the six tuples, told apart, that give it",
        ),
    )


def more_tuples_than_the_input() -> Steps:
    """Apply never has more tuples than its input: so "each tuple k times" is not an Apply."""
    cases = product(maps("xy"), databases(4), (1, 2, 3))
    return (
        for_all(cases, lambda g, database, k: len(apply(g, database, k)) <= len(database), "|Apply(g, D, k)| ≤ |D|"),
        less(len(("a",)), len(("a",) * 2), "one tuple, and two copies of it"),
    )


def tuples_told_apart() -> Steps:
    """One output tuple for each input tuple, or none: a table of positions, with what is left out in a class below k.

    All tables that are 2-anonymous and have one of x, y or nothing for each of up to 4 places; what is left out gets a
    name of its own.
    """
    cases = [chosen for n in range(5) for chosen in product(("x", "y", None), repeat=n)]
    fitting = [table for table in cases if smallest_crowd(tuple(o for o in table if o)) >= 2]

    def recovered(chosen: tuple[str | None, ...]) -> bool:
        g = {str(position): out or f"alone {position}" for position, out in enumerate(chosen)}
        return apply(g, tuple(g), 2) == tuple(sorted(value for value in chosen if value))

    return (every_case(fitting, recovered, "k = 2, up to four places, two generalized values: Apply gives the table"),)


def union_of_sets() -> Steps:
    """As printed, S is joined with g(t) as sets are: each s appears once, and for k ≥ 2 nothing is ever published."""
    cases = product(maps("xy"), databases(4), (2, 3))

    def nothing(g: Map, database: Table, k: int) -> bool:
        joined: set[str] = set()
        for value in database:
            joined = joined | {g[value]}
        published = [value for value in joined if [*joined].count(value) >= k]
        return published == []

    return (
        for_all(cases, nothing, "the table is empty"),
        equal(
            apply(dict.fromkeys(VALUES, "x"), ("a", "b"), 2), ("x", "x"), "as multisets, {a, b} gives two equal tuples"
        ),
    )


def always_k_anonymous() -> Steps:
    """Apply's table is k-anonymous, and behind each tuple of it are at least k tuples with the same g.

    A value that c tuples of the database have is published c times, or not at all.
    """
    count, least = z3.Ints("c k")
    cases = product(maps("xy"), databases(5), (1, 2, 3))

    def crowd(g: Map, database: Table, k: int) -> bool:
        table = apply(g, database, k)
        behind = all(sum(g[t] == s for t in database) >= k for s in table)
        return smallest_crowd(table) >= k and behind and all(s in {g[t] for t in database} for s in table)

    return (
        unsatisfiable(
            [count >= 0, least >= 1, _kept(count, least) > 0, z3.Or(_kept(count, least) < least, count < least)],
            "what is published at all is published at least k times, and at least k tuples have it",
        ),
        for_all(cases, crowd, "each published tuple has a crowd of k in the database"),
    )


def domain_of_the_map() -> Steps:
    """g: D → T as printed has D for its domain: on databases with different tuples it is never the same function."""
    pairs = [(a, b) for a in databases(3) for b in databases(3) if set(a) != set(b)]
    return (for_all(pairs, lambda a, b: dict.fromkeys(a, "x") != dict.fromkeys(b, "x"), "the maps differ"),)


def constant_is_0_safe() -> Steps:
    """ε₁ = 0: p ≤ q and q ≤ p, so neighbours have one law; any two databases are joined by steps of one tuple."""
    p, q = z3.Reals("p q")

    def joined(pair: tuple[Table, Table]) -> bool:
        current, target, steps = list(pair[0]), list(pair[1]), 0
        while sorted(current) != sorted(target):
            if surplus := [value for value in current if current.count(value) > target.count(value)]:
                current.remove(surplus[0])
            else:
                current.append(next(value for value in target if current.count(value) < target.count(value)))
            steps += 1
        return steps == sum(abs(pair[0].count(value) - pair[1].count(value)) for value in VALUES)

    all_databases = list(databases(4))
    return (
        unsatisfiable([p <= q, q <= p, p != q], "p = q"),
        every_case(
            product(all_databases, all_databases), joined, "joined by as many steps of one tuple as they differ by"
        ),
    )


def one_tuple_more() -> Steps:
    """Proposition 1: n > k equal tuples against n - 1: n and n - 1 copies of g(t) are published, for every g and k.

    Each table has probability 1, and the other database never has it, which (ε, δ)-DP for δ < 1 does not allow.
    """
    cases = [(g, t, k, n) for g in maps() for t in VALUES for k in range(1, 5) for n in range(k + 1, k + 4)]
    d, e = z3.Reals("d E")
    size, least = z3.Ints("n k")
    all_published = z3.And(_kept(size, least) == size, _kept(size - 1, least) == size - 1)

    def differ(g: Map, t: str, k: int, n: int) -> bool:
        return apply(g, (t,) * n, k) == (g[t],) * n and apply(g, (t,) * (n - 1), k) == (g[t],) * (n - 1)

    exactly = product(maps(), VALUES, range(1, 5))
    return (
        unsatisfiable(
            [least >= 1, size > least, z3.Not(all_published)], "all n, and all n - 1, are published, for n > k ≥ 1"
        ),
        unsatisfiable(
            [least >= 1, size == least, z3.Or(_kept(size, least) != size, _kept(size - 1, least) != 0)],
            "for n = k all n, and none",
        ),
        for_all(cases, differ, "n and n - 1 tuples are published, from the definition of Apply"),
        unsatisfiable([d < 1, e >= 1, e * 0 + d >= 1], "1 ≤ E·0 + δ is false for δ < 1"),
        for_all(
            exactly,
            lambda g, t, k: len(apply(g, (t,) * k, k)) == k and apply(g, (t,) * (k - 1), k) == (),
            "n = k is enough: k tuples, and none",
        ),
    )


def sets_without_a_crowd() -> Steps:
    """If a database has no tuple twice, and g tells all tuples apart, nothing is published for k ≥ 2: (0, 0)-DP."""
    identity = {value: value for value in VALUES}
    sets = [database for database in databases(3) if len(set(database)) == len(database)]
    return (
        for_all(
            [(database, k) for database in sets for k in (2, 3)],
            lambda database, k: apply(identity, database, k) == (),
            "nothing is published",
        ),
    )


def crowds_of_sets() -> Steps:
    """Repaired for sets: where k tuples of the domain have one g, k and k - 1 of them are told apart."""
    cases = [
        (g, chosen)
        for g in maps("xy")
        for size in (1, 2, 3)
        for chosen in combinations_with_replacement(VALUES, size)
        if len(set(chosen)) == size and len({g[value] for value in chosen}) == 1
    ]

    def differ(g: Map, chosen: Table) -> bool:
        k = len(chosen)
        return len(apply(g, chosen, k)) == k and apply(g, chosen[1:], k) == ()

    return (for_all(cases, differ, "k tuples are published, and none"),)


def small_databases() -> Steps:
    """Databases of fewer than k tuples: nothing is published, whatever g."""
    cases = product(maps("xy"), databases(3))
    return (
        for_all(cases, lambda g, database: apply(g, database, 4) == (), "k = 4, up to 3 tuples: the empty table"),
        at_most(max(map(len, databases(3))), 4 - 1, "3 tuples, and k - 1"),
    )
