"""Neighbours, levels of privacy, and parts of a database (DP22, sections 2.3, 4 and 5), in fractions."""

from __future__ import annotations

from collections.abc import Hashable
from fractions import Fraction
from itertools import combinations, pairwise, product

import z3

from verifier.wings.papers.ledger.laws import (
    BITS,
    HALF,
    ONE,
    QUARTER,
    Law,
    bits,
    differing,
    independent,
    neighbours,
    without,
)
from verifier.wings.papers.ledger.plain import smallest
from verifier.wings.papers.ledger.steps import Steps, equal, every_case, for_all, unsatisfiable

Database = tuple[Hashable, ...]


def ratio(*pairs: tuple[Law, Law]) -> Fraction | None:
    """The smallest e^ε of pairs of laws in both orders; None where no finite one is enough."""
    return smallest(pairs)


def presence() -> Steps:
    """Where M tells who is there, not what they say, a changed record needs ε = 0, and an added one has no ε."""
    lists = [names for size in range(3) for names in product("ab", repeat=size)]

    def law(database: Database) -> Law:
        return {"somebody" if database else "nobody": ONE}

    changed = [(d, e) for d, e in product(lists, repeat=2) if len(d) == len(e) and len(differing(d, e)) == 1]
    removed = [(d, without(d, i)) for d in lists for i in range(len(d))]
    return (
        equal(ratio(*((law(d), law(e)) for d, e in changed)), ONE, "e^ε of a change"),
        equal(ratio(*((law(d), law(e)) for d, e in removed)), None, "of an addition or a removal, e^ε"),
    )


def removed_and_added() -> Steps:
    """A changed record is a removed one and an added one: the product of both factors is attained."""
    absent: Law = {"u": Fraction(2, 7), "v": Fraction(2, 7), "w": Fraction(3, 7)}
    before: Law = {"u": Fraction(4, 7), "v": Fraction(1, 7), "w": Fraction(2, 7)}
    after: Law = {"u": Fraction(1, 7), "v": Fraction(4, 7), "w": Fraction(2, 7)}
    return (
        equal(ratio((absent, before), (absent, after)), Fraction(2), "e^ε of adding or removing a record"),
        equal(ratio((before, after)), Fraction(4), "of changing it"),
    )


def one_sided_with_all_values() -> Steps:
    """With every value sensitive, the pairs of Definition 15 are all ordered pairs that differ in one record."""
    one_sided = set(neighbours(bits(3)))
    return (every_case(sorted(one_sided), lambda pair: pair[::-1] in one_sided, "every pair occurs in both orders"),)


def dependence_of_size_one() -> Steps:
    """With c = 1, or with R empty, dependent neighbours are the pairs that differ in one record."""

    def dependent(depends: frozenset[tuple[int, int]], most: int) -> set[tuple[Database, Database]]:
        return {
            (d, e)
            for d, e in product(bits(3), repeat=2)
            if 1 <= len(differing(d, e)) <= most
            and any(all(j == i or (i, j) in depends for j in differing(d, e)) for i in differing(d, e))
        }

    everything = frozenset((i, j) for i, j in product(range(3), repeat=2) if i != j)
    bounded = set(neighbours(bits(3)))
    return (
        equal(dependent(everything, 1) == bounded, True, "c = 1: all pairs, and those that differ in one record"),
        equal(dependent(frozenset(), 3) == bounded, True, "R empty: all pairs, and those that differ in one record"),
        equal(
            len(dependent(everything, 2)),
            48,
            "c = 2 and every dependence: pairs of three bits that differ in one or two",
        ),
    )


def distance_of_databases() -> Steps:
    """Two lists at Hamming distance d are joined by d changes, so that ε-DP gives e^(ε·d), and d = 1 gives ε-DP."""
    a, b, c, e, f = z3.Reals("a b c E F")

    def has_path(d: Database, other: Database) -> bool:
        path = [tuple(other[i] if i < k else d[i] for i in range(len(d))) for k in range(len(d) + 1)]
        steps = [differing(x, y) for x, y in pairwise(path)]
        return (
            path[-1] == other and sum(map(len, steps)) == len(differing(d, other)) and all(len(s) <= 1 for s in steps)
        )

    return (
        for_all(
            product(bits(4), repeat=2), has_path, "every two lists are joined by as many single changes as they differ"
        ),
        unsatisfiable(
            [e >= 1, f >= 1, a <= e * b, b <= f * c, c >= 0, a > e * f * c],
            "every output: the factors along a path multiply",
        ),
    )


def all_pairs() -> Steps:
    """Free lunch privacy of two answers: the factors of both records multiply; every relation compares fewer pairs."""
    bit: list[Law] = [{0: Fraction(3, 4), 1: QUARTER}, {0: QUARTER, 1: Fraction(3, 4)}]
    laws = {d: independent(bit[d[0]], bit[d[1]]) for d in bits(2)}
    every = [(laws[d], laws[e]) for d, e in combinations(bits(2), 2)]
    single = [(laws[d], laws[e]) for d, e in combinations(bits(2), 2) if len(differing(d, e)) == 1]
    at_hand = [(laws[0, 0], laws[e]) for e in bits(2) if len(differing((0, 0), e)) == 1]
    return (
        equal(ratio(*every), Fraction(9), "e^ε over all pairs of databases"),
        equal(ratio(*single), Fraction(3), "over those that differ in one record"),
        equal(ratio(*at_hand), Fraction(3), "over those of them with one fixed database"),
        every_case(single, lambda pair: pair in every, "every pair of neighbours is among all pairs"),
    )


def blowfish() -> Steps:
    """One of two bits is 1, and that is known: no two such databases differ in one record."""
    known = [(0, 1), (1, 0)]
    compared = neighbours(known)
    apart = set(differing(known[0], known[1]))
    between = [d for d in known if set(differing(known[0], d)) < apart and set(differing(d, known[1])) < apart]
    graph = {(0, 1), (1, 0)}
    complete = {
        n: {(d, e) for d, e in neighbours(bits(n)) if (d[differing(d, e)[0]], e[differing(d, e)[0]]) in graph}
        for n in (1, 2, 3)
    }
    return (
        equal(len(compared), 0, "pairs of Definition 20, for any policy graph"),
        equal(len(between), 0, "databases of I_Q between both, so that both are induced neighbours"),
        equal(ratio(({(0, 1): ONE}, {(1, 0): ONE})), None, "e^ε of the identity on the induced neighbours"),
        for_all(
            [(n, d, e) for n in (1, 2, 3) for d, e in product(bits(n), repeat=2)],
            lambda n, d, e: ((d, e) in complete[n]) == (len(differing(d, e)) == 1),
            "with the complete graph and all lists of a size: every pair that differs in one record, and no other",
        ),
    )


def personalized_in_one_order() -> Steps:
    """M of nobody is u; M of somebody is u or v, 1/2 each: Ψ = ln 2 in the printed order, no ε in the other."""
    nobody, somebody = {"u": ONE}, {"u": HALF, "v": HALF}
    largest = max(p / somebody[o] for o, p in nobody.items())
    return (
        equal(largest, Fraction(2), "the largest ratio of M(D without i) to M(D), e^Ψ"),
        equal(nobody.get("v", 0), 0, "the probability of v without the record, which has 1/2 with it: no ε"),
    )


def levels_of_equal_values() -> Steps:
    """Levels of values and levels of records differ: in D = (a, b, a) records 0 and 2 share Ψ(a, D), not Ψ(0) and Ψ(2).

    Without record 0 it is (b, a), without record 2 (a, b).
    """
    whole: Law = {"u": QUARTER, "v": Fraction(3, 4)}
    near, far = {"u": HALF, "v": HALF}, {"u": ONE}
    database = ("a", "b", "a")

    def factor(law: Law) -> Fraction:
        return max(p / whole[o] for o, p in law.items())

    return (
        equal(database[0] == database[2], True, "both records have one value"),
        equal(
            (without(database, 0), without(database, 2)), (("b", "a"), ("a", "b")), "the database without either"
        ),
        equal((factor(near), factor(far)), (Fraction(2), Fraction(4)), "the factors of two laws in the printed order"),
        equal(
            [(factor(x) <= 2, factor(y) <= 4) for x, y in ((near, far), (far, near))],
            [(True, True), (False, True)],
            "levels ln 2 for record 0 and ln 4 for record 2 admit the laws in one way, and not exchanged",
        ),
        every_case([Fraction(2), Fraction(4)],
             lambda level: all(factor(x) <= level for x in (near, far)) == all(factor(x) <= level for x in (far, near)),
             "any one level for both records admits both ways, or neither"),
    )  # fmt: skip


def moved_person() -> Steps:
    """Two towns, each asked with privacy ln 3 whether somebody lives there; one person, moved from one to the other."""
    truthful: list[Law] = [{"no": Fraction(3, 4), "yes": QUARTER}, {"no": QUARTER, "yes": Fraction(3, 4)}]
    laws = {
        where: independent(truthful[where == "left"], truthful[where == "right"]) for where in ("", "left", "right")
    }
    return (
        equal(ratio((truthful[0], truthful[1])), Fraction(3), "e^ε of each town"),
        equal(ratio((laws["left"], laws["right"])), Fraction(9), "of both where the person moves"),
        equal(
            ratio((laws[""], laws["left"]), (laws[""], laws["right"])), Fraction(3), "where the person comes or goes"
        ),
    )


def parts_by_their_records() -> Steps:
    """Where one neighbour changes one part alone, the factor of the other part is 1."""
    p, q, r, e, f = z3.Reals("p q r E F")
    hypotheses = [p >= 0, q >= 0, r >= 0, e >= 1, f >= 1]
    return (
        unsatisfiable(
            [*hypotheses, p <= e * q, p * r > e * q * r], "every pair that changes the first part alone: p·r ≤ E·q·r"
        ),
        unsatisfiable([*hypotheses, e * q > z3.If(e >= f, e, f) * q], "E is never above the larger of both"),
    )


def split_by_number() -> Steps:
    """Where all people go to the left if their number is even, else to the right, one more person moves all."""

    def split(people: int) -> tuple[int, int]:
        return (people, 0) if people % 2 == 0 else (0, people)

    return (
        equal([split(n) for n in (2, 3)], [(2, 0), (0, 3)], "the sizes of both parts before and after one is added"),
    )


def two_answers() -> Steps:
    """Two independent answers about one bit have the product of their factors."""
    truthful: list[Law] = [{0: Fraction(3, 4), 1: QUARTER}, {0: QUARTER, 1: Fraction(3, 4)}]
    twice = [independent(law, law) for law in truthful]
    return (equal(ratio((twice[0], twice[1])), Fraction(9), "e^ε of two answers with e^ε = 3 each"),)


def shared_coins() -> Steps:
    """M₁ tells the bit xor a fair coin, M₂ the coin: each is 0-private, and with one shared coin they tell the bit."""
    coin = {0: HALF, 1: HALF}
    first = [{bit ^ c: p for c, p in coin.items()} for bit in BITS]
    both = [{(bit ^ c, c): p for c, p in coin.items()} for bit in BITS]
    return (
        equal(ratio((first[0], first[1])), ONE, "e^ε of the first; the second is a coin"),
        equal(ratio((both[0], both[1])), None, "of both, with the coin shared"),
    )


def shared_coins_by_counting() -> Steps:
    """A second code, listing bit and coin: one answer fits two bits equally often, and both together fit one bit."""
    worlds = list(product(BITS, repeat=2))  # bit and coin
    alone = [[sum(bit ^ coin == answer for bit, coin in worlds if bit == b) for answer in BITS] for b in BITS]
    together = [{bit for bit, coin in worlds if (bit ^ coin, coin) == answers} for answers in worlds]
    return (
        equal(alone, [[1, 1], [1, 1]], "how often each answer of the first appears, for both bits"),
        every_case(together, lambda fitting: len(fitting) == 1, "every two answers fit one bit alone"),
    )


def levels_by_listing() -> Steps:
    """A second code for `levels_of_equal_values`: no one level admits the pairs of laws that two levels admit.

    All laws in quarters for (b, a) and for (a, b) are tried, against (1/4, 3/4) for (a, b, a).
    """
    factors = {k: max(Fraction(k, 4) / QUARTER, Fraction(4 - k, 4) / Fraction(3, 4)) for k in range(5)}
    cases = list(product(factors, repeat=2))
    personal = {(x, y) for x, y in cases if factors[x] <= 2 and factors[y] <= 4}
    levels = sorted(set(factors.values()))
    return (
        equal(len(personal), 15, "pairs of laws that the levels ln 2 and ln 4 admit"),
        every_case(
            levels,
            lambda level: {(x, y) for x, y in cases if max(factors[x], factors[y]) <= level} != personal,
            "any one level admits other pairs than the levels ln 2 and ln 4",
        ),
    )


def one_size_alone() -> Steps:
    """Blowfish privacy with I_n for n = 1 alone: M tells what two records are, and nothing of one record."""

    def law(database: Database) -> Law:
        return {database if len(database) == 2 else "one": ONE}

    return (
        equal(ratio(*((law(d), law(e)) for d, e in neighbours(bits(1)))), ONE, "e^ε over the datasets of size 1"),
        equal(ratio(*((law(d), law(e)) for d, e in neighbours(bits(2)))), None, "over those of size 2, e^ε"),
    )


def one_size_by_counting() -> Steps:
    """A second code: answers that are possible on databases of one and of two bits, told as numbers."""
    answers = {1: [{-1} for _ in range(2)], 2: [{d} for d in range(4)]}
    return (
        every_case(product(answers[1], repeat=2), lambda pair: pair[0] == pair[1], "one bit: the same answer"),
        every_case(
            [(answers[2][d], answers[2][d ^ 1 << i]) for d in range(4) for i in (0, 1)],
            lambda pair: not pair[0] & pair[1],
            "two bits of which one changes: no answer in common, so that no ε is enough",
        ),
    )
