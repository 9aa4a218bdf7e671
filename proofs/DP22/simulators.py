"""Simulators, leaks and bounded attackers (DP22, sections 8 and 9), in fractions."""

from __future__ import annotations

from collections.abc import Sequence
from fractions import Fraction
from itertools import product

import z3

from verifier.wings.papers.ledger.laws import HALF, ONE, QUARTER, Law, total
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


def presence_by_lists() -> Steps:
    """A second code for `presence_is_simulated`: databases are lists of up to three names, each index removed."""
    databases = [names for n in range(4) for names in product("ab", repeat=n)]
    cases = [(d, i) for d in databases for i in range(len(d))]
    return (
        for_all(
            cases,
            lambda d, i: len(d[:i] + d[i + 1 :]) + 1 == len(d),
            "the simulated size, and the size, for every database and index",
        ),
        equal(len([d for d in databases if not d]), 1, "databases without any index, about which nothing is asked"),
    )


def two_of_one_centre() -> Steps:
    """Two laws within E of one simulated law are within E² of each other."""
    p, q, s, e = z3.Reals("p q s E")
    return (
        unsatisfiable(
            [e >= 1, p <= e * s, s <= e * q, p > e * e * q],
            "every output of two databases with the same others: p ≤ E·s ≤ E²·q",
        ),
    )


def others_are_simulated() -> Steps:
    """A simulator that is told all other records can answer as M does with a default value for the record."""
    laws = {value: {"u": Fraction(value + 1, 4), "v": Fraction(3 - value, 4)} for value in (0, 1, 2)}
    bound = smallest([(laws[a], laws[b]) for a, b in product(laws, repeat=2)])
    centre = smallest([(laws[a], laws[0]) for a in laws])
    return (
        equal(bound, Fraction(3), "e^ε of DP, over every change of the record"),
        equal(centre, Fraction(3), "e^ε of the simulator that sets the record to the first value, for every database"),
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
