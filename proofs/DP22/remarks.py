"""Remarks of DP22's sections 5 to 9 and 12 about its definitions, each derived in fractions or by z3."""

from __future__ import annotations

from fractions import Fraction
from itertools import product

import z3

from verifier.wings.papers.ledger.laws import BITS, HALF, ONE, Law, pushforward, without
from verifier.wings.papers.ledger.plain import Plain, smallest
from verifier.wings.papers.ledger.steps import Steps, at_most, equal, every_case, for_all, less, unsatisfiable

LISTS = [names for size in range(4) for names in product("ab", repeat=size)]
"""Databases of up to three records, as lists."""


def one_of_both_orders() -> Steps:
    """What PerDP compares, D without a record and D, is compared by DP, which compares both orders."""

    def within(database: tuple[str, ...], larger: tuple[str, ...]) -> bool:
        return any(without(larger, i) == database for i in range(len(larger)))

    compared = {(without(d, i), d) for d in LISTS for i in range(len(d))}
    both = {(d, e) for d, e in product(LISTS, repeat=2) if within(d, e) or within(e, d)}
    return (
        every_case(sorted(compared), lambda pair: pair in both, "pairs of PerDP that DP compares"),
        at_most(2 * len(compared), len(both), "twice their number, and the number of pairs in both orders"),
    )


def levels_of_two_datasets() -> Steps:
    """IDDP with any function of the two datasets: the smallest level of the records whose removal gives D′."""
    shares = (ONE, Fraction(3, 2), Fraction(2))

    def same(ratio: Fraction, levels: tuple[Fraction, ...], database: tuple[str, ...]) -> bool:
        """Whether the levels of each record ask of each D′ what their smallest one asks."""
        removed = [without(database, i) for i in range(len(database))]
        return all(
            all(ratio <= e for d, e in zip(removed, levels, strict=False) if d == smaller)
            == (ratio <= min(e for d, e in zip(removed, levels, strict=False) if d == smaller))
            for smaller in removed
        )

    cases = product((ONE, Fraction(5, 4), Fraction(7, 4)), product(shares, repeat=3), LISTS)
    return (for_all(cases, same, "ratios, levels of three records and databases of up to three"),)


def copies_of_one_record() -> Steps:
    """Where n records are copies of one fair bit, noiseless privacy needs e^ε = (3^n + 1)/2, and DP less than 3.

    M answers v with probability 1/(3^k + 1), k being the number of records that are 1, and else u.
    """

    def law(ones: int) -> Law:
        return {"u": Fraction(3**ones, 3**ones + 1), "v": Fraction(1, 3**ones + 1)}

    def ratio(n: int) -> Fraction | None:
        copies = tuple((HALF, (value,) * n, "") for value in BITS)
        return smallest(Plain(copies, lambda d: law(sum(d))).np())

    def by_steps(n: int) -> Fraction | None:
        return smallest([(law(k), law(k + 1)) for k in range(n)])

    return (
        equal([ratio(n) for n in (1, 2, 3)], [Fraction(2), Fraction(5), Fraction(14)], "e^ε of noiseless privacy"),
        equal(by_steps(3), Fraction(14, 5), "e^ε of DP, for three records"),
        every_case(
            range(1, 12), lambda n: ratio(n) == Fraction(3**n + 1, 2), "e^ε of noiseless privacy is (3^n + 1)/2"
        ),
        every_case(range(1, 12), lambda n: (by_steps(n) or 3) < 3, "e^ε of DP stays below 3, for each n"),
    )


def no_mean_without_a_term() -> Steps:
    """Without a δ a mean over B̂ is 0 exactly where each term is: the active and the passive attacker are one."""
    x, y, w = z3.Reals("x y w")
    return (
        unsatisfiable(
            [w > 0, w < 1, x >= 0, y >= 0, (w * x + (1 - w) * y == 0) != z3.And(x == 0, y == 0)],
            "every mean of terms of at least 0, with positive weights, is 0 exactly where all of them are",
        ),
    )


def tangents_are_guarantees() -> Steps:
    """1 - Q ≥ a - b·P for each line below f: with b ≥ 1 it is (ln b, 1 - a)-DP, below 1 the same in the other order."""
    p, q, a, b = z3.Reals("P Q a b")
    hypotheses = [p >= 0, p <= 1, q >= 0, q <= 1, a <= 1]
    line = 1 - q >= a - b * p
    return (
        unsatisfiable(
            [*hypotheses, b >= 1, line != (q <= b * p + (1 - a))], "every line with b ≥ 1: Q ≤ e^ε·P + (1 - a)"
        ),
        unsatisfiable(
            [*hypotheses, b > 0, b < 1, a <= b, line != (b * (1 - p) <= (1 - q) + (b - a))],
            "every line with 0 < b < 1: the complement has P′ ≤ Q′/b + δ, with δ = 1 - a/b",
        ),
        unsatisfiable([*hypotheses, b > 0, a <= b, 1 - a < 0], "every such δ is at least 0, since f is at most 1 - x"),
        unsatisfiable([*hypotheses, a <= 0, 1 - q < a], "every line with b = 0 is below f(1) ≤ 0, and asks nothing"),
    )


def lines_give_the_function() -> Steps:
    """A function of two lines: what both guarantees allow is what lies above both, and so above their maximum."""
    x, y = z3.Reals("x y")
    first, second = 1 - 3 * x, (1 - x) / 3
    largest = z3.If(first > second, first, second)
    return (
        unsatisfiable(
            [x >= 0, x <= 1, z3.And(y >= first, y >= second) != (y >= largest)],
            "every pair of errors: above 1 - 3·x and (1 - x)/3 exactly where it is above f, for ε = ln 3 and δ = 0",
        ),
    )


def lower_bound_of_the_posterior() -> Steps:
    """Posterior odds of at least e^-ε times the prior odds: x ≥ p/(p + e^ε·(1 - p))."""
    x, p, e = z3.Reals("x p E")
    hypotheses = [e >= 1, p > 0, p < 1, x >= 0, x < 1]
    odds = e * x * (1 - p) >= p * (1 - x)
    return (
        unsatisfiable(
            [*hypotheses, odds != (x * (p + e * (1 - p)) >= p)], "every prior p: the lower bound of the posterior"
        ),
        unsatisfiable(
            [*hypotheses, _upper_bound(1 - x, 1 - p, e) != (x * (p + e * (1 - p)) >= p)],
            "every prior p: it is the upper bound of the complement",
        ),
    )


def _upper_bound(x: z3.ArithRef, p: z3.ArithRef, e: z3.ArithRef) -> z3.BoolRef:
    """The upper bound of a posterior x of prior p: x ≤ E·p/(1 + (E - 1)·p)."""
    return x * (1 + (e - 1) * p) <= e * p


def bounded_from_above_alone() -> Steps:
    """Positive membership privacy bounds a belief from above alone: with e^ε = 3/2 it may fall from 1/2 to 0.

    A person is there or not, each with 1/2. v is sure with the person, else u or v by a coin.
    """
    there, absent = {"v": ONE}, {"u": HALF, "v": HALF}
    output_mass = {o: (there.get(o, 0 * ONE) + absent[o]) / 2 for o in absent}
    belief = {o: there.get(o, 0 * ONE) / 2 / output_mass[o] for o in output_mass}
    return (
        equal(belief, {"u": 0 * ONE, "v": Fraction(2, 3)}, "P[the person is there | output]"),
        equal(
            max(max(x / HALF, HALF / (1 - x)) for x in belief.values()),
            Fraction(3, 2),
            "e^ε of positive membership privacy, about the person",
        ),
        every_case(
            [10**k for k in range(9)], lambda e: belief["u"] < HALF / e, "no e^ε of a list bounds it from below"
        ),
    )


def leaks_and_axioms() -> Steps:
    """Given what leaks, outputs are changed and paired as ever: merging adds up, independent coins multiply."""
    p, q, r, s, e, f, g, h = z3.Reals("p q r s E F g h")
    hypotheses = [p >= 0, q >= 0, r >= 0, s >= 0, e >= 1, f >= 1]
    return (
        unsatisfiable([*hypotheses, p <= e * q + g, r <= e * s + h, p + r > e * (q + s) + g + h],
                      "every event, given any leak: excesses add up, so that a function of the output adds none"),
        unsatisfiable([*hypotheses, p <= e * q, r <= f * s, p * r > e * f * q * s],
                      "every two outputs, given both leaks: ratios multiply where the coins are independent"),
    )  # fmt: skip


def images_lose() -> Steps:
    """SubDP: the image of the output under a given f needs no more than the output; under a constant f nothing."""
    p, q, r, s, e = z3.Reals("p q r s E")

    def excess(x: z3.ArithRef, y: z3.ArithRef) -> z3.ArithRef:
        return z3.If(x > e * y, x - e * y, 0)

    bit_laws: list[Law] = [{"a": ONE}, {"b": ONE}]
    images = [pushforward(law, lambda _: "m") for law in bit_laws]
    return (
        unsatisfiable(
            [p >= 0, q >= 0, r >= 0, s >= 0, e >= 1, excess(p + r, q + s) > excess(p, q) + excess(r, s)],
            "every f that merges outputs: the smallest δ does not grow",
        ),
        equal(smallest([(bit_laws[0], bit_laws[1])]), None, "e^ε of a bit that is told"),
        equal(smallest([(images[0], images[1])]), ONE, "e^ε of its image under a constant f"),
    )


def a_mechanism_is_like_itself() -> Steps:
    """ε-DP implies SimCDP: M in the place of M′ makes the difference 0 for every distinguisher."""
    p, q, r, e, n = z3.Reals("p q r E neg")
    return (
        unsatisfiable([n >= 0, r == p, p - r > n], "every distinguisher: P[Ω(M(D)) = 1] - P[Ω(M(D)) = 1] = 0"),
        unsatisfiable(
            [e >= 1, n >= 0, p <= e * q, p > e * q + n], "every distinguisher: ε-DP is IndCDP without its neg"
        ),
    )


def another_mechanism() -> Steps:
    """Proposition 7's display: M₁ always tells u, M₂ always v; the bound has P[M₂(D₂) = u] for P[M₁(D₂) = u]."""
    first, second = {"u": ONE}, {"v": ONE}
    factors = (ONE, Fraction(2), Fraction(10**6))
    return (
        equal(first["u"] * second["v"], ONE, "P[M₁(D₁) = u]·P[M₂(D₁) = v]"),
        every_case(factors, lambda e: e * second.get("u", 0 * ONE) * e * second["v"] == 0, "the printed bound is 0"),
        every_case(factors, lambda e: e * first["u"] * e * second["v"] >= 1, "the bound with M₁, at least 1"),
    )


def another_mechanism_in_general() -> Steps:
    """A second code: p ≤ E·q and r ≤ F·s, and another number in the place of q; p·r may be above the product."""
    p, q, r, s, e, f, other = z3.Reals("p q r s E F other")
    hypotheses = [p == 1, r == 1, q == 1, s == 1, e >= 1, f >= 1, other == 0]
    return (
        unsatisfiable(
            [*hypotheses, p * r <= e * other * f * s], "no e^d₁ and e^d₂: the printed bound is never reached"
        ),
        unsatisfiable([*hypotheses, p * r > e * q * f * s], "every e^d₁ and e^d₂: with q the bound holds"),
    )


def number_of_combinations() -> Steps:
    """Seven dimensions, each as it is in DP, weaker or stronger, have 3⁷ = 2187 combinations."""
    combinations = len(list(product(("as it is", "weaker", "stronger"), repeat=7)))
    return (
        equal(combinations, 2187, "combinations of seven dimensions"),
        less(225, combinations, "the number of existing definitions that the text gives, and that of combinations"),
    )
