"""Simulators, leaks and bounded attackers (DP22, sections 8 and 9), in fractions."""

from __future__ import annotations

from collections.abc import Sequence
from fractions import Fraction
from itertools import product

import z3

from verifier.wings.papers.ledger.laws import (
    HALF,
    ONE,
    QUARTER,
    Law,
    bits,
    differing,
    neighbours,
    replaced,
    total,
    without,
)
from verifier.wings.papers.ledger.plain import smallest
from verifier.wings.papers.ledger.steps import Steps, equal, every_case, for_all, unsatisfiable


def presence_is_simulated() -> Steps:
    """M tells the size, which a simulator that sees D without one record knows, and so has ε = 0; DP has no ε.

    Nothing is asked of the empty database.
    """

    def mechanism(people: int) -> Law:
        return {people: ONE}

    def simulator(others: int) -> Law:
        return {others + 1: ONE}

    sizes = range(1, 5)
    return (
        every_case(sizes, lambda n: mechanism(n) == simulator(n - 1), "M(D), and Sim of D without any record"),
        equal(smallest([(mechanism(n), simulator(n - 1)) for n in sizes]), ONE, "e^ε of the simulator"),
        equal(smallest([(mechanism(0), mechanism(1))]), None, "of adding or removing a record, e^ε"),
    )


def the_rest_is_a_neighbour() -> Steps:
    """D without i is D with a record removed, a neighbour of D: the simulator that runs M on it is within ε."""
    databases = [names for n in range(4) for names in product("ab", repeat=n)]
    cases = [(d, i) for d in databases for i in range(len(d))]
    return (
        for_all(
            cases,
            lambda d, i: (*without(d, i)[:i], d[i], *without(d, i)[i:]) == d,
            "D, and D without i with that record added",
        ),
    )


def told_the_place() -> Steps:
    """One size: told i and the others, Sim puts a fixed record at i; where the order does not matter, at the end."""
    cases = list(product(product("abc", repeat=3), range(3)))
    return (
        for_all(
            cases,
            lambda d, i: len(differing((*without(d, i)[:i], "a", *without(d, i)[i:]), d)) <= 1,
            "the fixed record at place i: the result differs from D in record i at most",
        ),
        for_all(
            cases,
            lambda d, i: sorted((*without(d, i), "a")) == sorted(replaced(d, i, "a")),
            "the fixed record at the end: the records of D with i replaced, in another order",
        ),
    )


def kept_bits(database: tuple[int, ...]) -> Law:
    """The law of M on three bits: each is published as it is with probability 2/3."""
    return {o: Fraction(2 ** (3 - len(differing(database, o))), 27) for o in bits(3)}


def not_told_the_place() -> Steps:
    """Told two of three bits as a multiset, Sim has to serve every database with one bit more, in any order."""
    seen = {
        pair: [d for d in bits(3) if any(tuple(sorted(without(d, i))) == pair for i in range(3))]
        for pair in ((0, 0), (0, 1), (1, 1))
    }
    largest = {pair: total(max(kept_bits(d)[o] for d in fit) for o in bits(3)) for pair, fit in seen.items()}
    least = {pair: total(min(kept_bits(d)[o] for d in fit) for o in bits(3)) for pair, fit in seen.items()}
    ratios = {pair: max(kept_bits(d)[o] / kept_bits(c)[o] for d in fit for c in fit for o in bits(3))
              for pair, fit in seen.items()}  # fmt: skip
    s, e = z3.Reals("s E")
    return (
        equal(smallest([(kept_bits(d), kept_bits(c)) for d, c in neighbours(bits(3))]), Fraction(2), "bounded DP, e^ε"),
        equal(
            [kept_bits(d)[1, 0, 1] for d in ((1, 0, 1), (0, 1, 0))],
            [Fraction(8, 27), Fraction(1, 27)],
            "P[(1, 0, 1)] on (1, 0, 1) and on (0, 1, 0), of which either may be seen as 0 and 1",
        ),
        equal({(1, 0, 1), (0, 1, 0)} <= set(seen[0, 1]), True, "both are databases that fit 0 and 1"),
        unsatisfiable(
            [e >= 1, s >= 0, 27 * e * s >= 8, 27 * s <= e, e * e < 8],
            "no s with E² below 8: one simulated probability within E of both",
        ),
        every_case(
            seen,
            lambda pair: largest[pair] ** 2 <= 8 and 8 * least[pair] ** 2 >= 1 and ratios[pair] <= 8,
            "with E² = 8 there is a law between the largest ones over E and the least ones times E: √8 is enough",
        ),
    )


def not_told_by_counting() -> Steps:
    """A second code: agreements of an output with the databases that fit two seen bits; databases are numbers to 7."""

    def fitting(ones: int) -> set[int]:
        """The numbers of three bits of which one can be struck out to leave two with so many ones."""
        return {d for d in range(8) if d.bit_count() in {ones, ones + 1}}

    def spread(ones: int) -> int:
        apart = [[(d ^ o).bit_count() for d in fitting(ones)] for o in range(8)]
        return max(max(counts) - min(counts) for counts in apart)

    return (
        equal([spread(ones) for ones in range(3)], [2, 3, 2], "agreements lost at most, for 0, 1 or 2 ones seen"),
        equal(2 ** max(map(spread, range(3))), 8, "the largest ratio that one law has to serve, which is E² at least"),
    )


def untold() -> Steps:
    """Where one record is a, the other b, and M tells the first, a simulator has to know which record it sees."""
    databases = [("a", "b"), ("b", "a")]
    values_shown = [((d[1 - i],), d[0]) for d in databases for i in (0, 1)]
    positions_shown = [((i, d[1 - i]), d[0]) for d in databases for i in (0, 1)]

    def outputs(hints: Sequence[tuple[tuple[object, ...], str]]) -> dict[tuple[object, ...], set[str]]:
        table: dict[tuple[object, ...], set[str]] = {}
        for key, output in hints:
            table.setdefault(key, set()).add(output)
        return table

    return (
        equal(
            sorted(map(len, outputs(positions_shown).values())),
            [1, 1, 1, 1],
            "outputs that fit what is seen, told which record it is",
        ),
        equal(sorted(map(len, outputs(values_shown).values())), [2, 2], "told its value alone"),
        equal(
            smallest([({"a": ONE}, {"b": ONE})]),
            None,
            "e^ε between both outputs: no law is within a finite factor of both",
        ),
    )


def untold_by_laws() -> Steps:
    """A second code: Sim, seeing b, answers a with a probability s, of which (a, b) asks s = 1 and (b, a) s = 0."""
    s, e = z3.Reals("s E")
    return (
        unsatisfiable(
            [e >= 1, s >= 0, s <= 1, 1 - s <= e * 0, s <= e * 0],
            "no s: what is impossible for M(D) must be so for Sim, for both databases",
        ),
    )


def leaked() -> Steps:
    """A constant leak changes nothing; an independent leak that both databases can have leaves M as it is."""
    m, n, a, b, e, d = z3.Reals("m n a b E d")
    hypotheses = [m >= 0, n >= 0, a > 0, b > 0, e >= 1, d >= 0]
    leaks: list[Law] = [{0: ONE}, {1: ONE}]
    common = [o for o in leaks[0] if o in leaks[1]]
    return (
        unsatisfiable(
            [*hypotheses, (m * a / a <= e * (n * b / b) + d) != (m <= e * n + d)],
            "every leak independent of M, and so a constant one: the same inequality",
        ),
        equal(common, [], "leaks that both databases can have, where the leak is the database: nothing is compared"),
        equal(smallest([(leaks[0], leaks[1])]), None, "e^ε of the identity, which is in it for every ε"),
    )


def typical() -> Steps:
    """Told θ alone, Sim is one law for each θ: without γ and δ all databases of θ are within E of it."""
    laws: list[Law] = [{"u": Fraction(3, 4), "v": QUARTER}, {"u": QUARTER, "v": Fraction(3, 4)}]
    middle: Law = {"u": HALF, "v": HALF}
    chances = (Fraction(9, 10), Fraction(1, 10))
    p, q, s, e = z3.Reals("p q s E")
    hypotheses = [e >= 1, p <= e * s, s <= e * q]
    return (
        equal(smallest([(law, middle) for law in laws]), Fraction(2), "e^ε of two laws against a fair coin"),
        unsatisfiable([*hypotheses, p > e * e * q], "every two databases that are kept are within E² of each other"),
        equal(total(p for p, law in zip(chances, laws, strict=True) if law != laws[0]), Fraction(1, 10),
              "γ that leaves out the second of two databases with probabilities 9/10 and 1/10"),
    )  # fmt: skip


def complement_of_a_distinguisher() -> Steps:
    """The printed one-sided inequality bounds the difference in both directions: with Ω there is 1 - Ω, as fast."""
    p, q, n = z3.Reals("p q n")
    hypotheses = [p - q <= n, (1 - p) - (1 - q) <= n]
    return (unsatisfiable([*hypotheses, z3.Or(p - q > n, q - p > n)], "every Ω with its complement: |P - Q| ≤ neg(κ)"),)
