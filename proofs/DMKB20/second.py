"""Refutations of sections 3.5 to 4.2 (DMKB20), added up a second time from the definitions alone."""

from __future__ import annotations

from collections.abc import Callable, Hashable, Sequence
from fractions import Fraction
from itertools import combinations_with_replacement
from math import comb

from verifier.wings.papers.ledger.laws import BITS, HALF, ONE, QUARTER, ZERO, binomial_chance, exp_bracket, total, votes
from verifier.wings.papers.ledger.plain import Database, Plain, Rule, surely
from verifier.wings.papers.ledger.steps import Steps, equal, every_case, for_all, less


def voters(chances: Sequence[Fraction], known: Callable[[Database], Hashable], rule: Rule, record: int = 0) -> Plain:
    """The model of independent votes with these chances, B = known(D), a rule, and the one record that is protected."""
    worlds = tuple((p, ballot, known(ballot)) for ballot, p in votes(chances).items())
    return Plain(worlds, rule, BITS, (record,))


def theorem_3_two_records() -> Steps:
    """For n = 2, λ = 1/4, ε = 2 Theorem 3 claims 1/2, and the exact δ at p = 1/3 is 2/3.

    X and Y are single bits with success 1/2, and X/Y ≥ 2 exactly where Y = 0.
    """
    pairs = votes([HALF, HALF])
    claimed = {
        counted: total(p for (x, y), p in pairs.items() if y == 0 and (x > 0 or counted)) for counted in (True, False)
    }
    delta = voters([Fraction(1, 3)] * 2, lambda _: None, surely(sum)).active(Fraction(8))
    return (
        equal(claimed[True], HALF, "claimed, with 0/0 counted"),
        equal(claimed[False], QUARTER, "claimed, with 0/0 not counted"),
        equal(delta, Fraction(2, 3), "exact δ for p = 1/3 at E = 8 > e², and so at ε = 2"),
        less(claimed[True], delta, "the claim does not cover it"),
    )


def theorem_4_more_than_the_threshold() -> Steps:
    """For n = 3, p = 1/4, |B| = 1, T = 0 and b_max = 2, Theorem 4 claims ε = δ = 0, and the exact δ is 4/5.

    r_b < 1 and r' < 1, and both terms are 0; the exact δ is for p_i = 1/5.
    """
    n, p, known, threshold, top = 3, QUARTER, 1, 0, 2
    r_b = p * known / ((1 - p) * top)
    r = p * (n - known - 1) / ((1 - p) * (threshold - top))
    rule = surely(lambda d: sum(d) if sum(d) > threshold else "hidden")
    delta = voters([Fraction(1, 5)] * n, lambda d: d[0], rule).passive(1, ONE)
    return (
        less(r_b, ONE, "r_b"),
        less(r, ONE, "r'"),
        equal(
            (binomial_chance(top, known, p), binomial_chance(threshold - top, n - known - 1, p)),
            (0, 0),
            "f(b_max, |B|) and f(T - b_max, …) are 0",
        ),
        equal(delta, Fraction(4, 5), "exact δ of PPKDP at ε = 0, where ε = δ = 0 is claimed"),
    )


def proposition_7_fair_coins() -> Steps:
    """p_i = 1/2, ε = 1: μ₃ as printed is 0, so that δ = δ₂ = 1.25·exp(-n/8). Refuted at n = 555, not at n = 554."""
    low, high = exp_bracket(ONE)

    def exact(n: int, e: Fraction) -> Fraction:
        ways = [comb(n - 1, k) for k in range(n)]
        above = total(max(ZERO, ways[o] - e * (ways[o - 1] if o else 0)) for o in range(n))
        return above / Fraction(2) ** (n - 1)

    def refuted(n: int) -> bool:  # 1.25·exp(-n/8) < δ, by 8th powers, with e from below and the exact δ from below
        return (exact(n, high) * Fraction(4, 5)) ** 8 * low**n > 1

    def covered(n: int) -> bool:
        return (exact(n, low) * Fraction(4, 5)) ** 8 * high**n < 1

    return (
        equal(HALF * HALF * abs(1 - 2 * HALF), ZERO, "p(1 - p)|1 - 2p| at p = 1/2"),
        every_case([555, 900], refuted, "exact δ > 1.25·exp(-n/8)"),
        every_case([2, 10, 100, 300, 554], covered, "while it is below for smaller n"),
    )


def proposition_7_at_epsilon_zero() -> Steps:
    """With the absolute third moment Proposition 7 claims no less than δ at ε = 0, in models that are enumerated.

    The error without δ₂ is least at ε = 0, where it is 2.24·μ₃/(√n·μ₂³); squares are compared: no root is taken.
    """
    steps = (Fraction(1, 20), QUARTER, HALF, Fraction(3, 4), Fraction(99, 100))
    ballots = [chances for n in (1, 2, 3, 4) for chances in combinations_with_replacement(steps, n)]
    targets = [(chances, record) for chances in ballots for record in range(len(chances))]

    def exact(chances: Sequence[Fraction], record: int) -> Fraction:
        return voters(chances, lambda _: None, surely(sum), record).active(ONE)

    def squared_error(chances: Sequence[Fraction], power: int) -> Fraction:
        n = len(chances)
        second = total(p * (1 - p) ** 2 + (1 - p) * p**2 for p in chances) / n
        third = total(p * (1 - p) ** 3 + (1 - p) * p**3 for p in chances) / n
        return (Fraction(224, 100) * third) ** 2 / (n * second**power)

    def of_others(chances: Sequence[Fraction], record: int) -> Fraction:
        return total(p * (1 - p) for j, p in enumerate(chances) if j != record)

    return (
        for_all(targets, lambda d, i: exact(d, i) ** 2 <= squared_error(d, 6), "δ at ε = 0 is covered, with μ₂³"),
        for_all(targets, lambda d, i: exact(d, i) ** 2 <= squared_error(d, 3), "and covered, with μ₂^(3/2)"),
        for_all(targets, lambda d, i: 2 * of_others(d, i) * exact(d, i) ** 2 <= 1, "its square is at most 1/(2v)"),
    )


def not_fixed_records() -> Steps:
    """B names one of two others and tells its vote: the laws of the count have 1/2 or 3/4, and no bijection fits."""
    ballots = votes([HALF, QUARTER, HALF])
    worlds = tuple((p / 2, d, (who, d[who])) for who in BITS for d, p in ballots.items())
    model = Plain(worlds, surely(sum), BITS, (2,))
    laws = [sorted(model.given_value(known, 2, 0).values()) for known in ((0, 0), (1, 0))]
    return (
        equal(laws[0], [QUARTER, Fraction(3, 4)], "D(0) is known: what is left is D(1)"),
        equal(laws[1], [HALF, HALF], "D(1) is known: what is left is D(0)"),
    )


def example_7() -> Steps:
    """1,000 voters, p = 10^-7, 100 known, shown above 100: active, the least δ is P[899 others say no], or nearly.

    The active attacker's voters say yes: ⊥ is the count 100, and 101 tells a yes. So M is the count of the others.
    """
    p, other_votes = Fraction(1, 10**7), 899
    none = (1 - p) ** other_votes

    def relabelled(n: int, known: int) -> bool:
        outputs = {s: s + known if s + known > known else "hidden" for s in range(n - known + 1)}
        return len(set(outputs.values())) == len(outputs)

    return (
        for_all(
            [(n, k) for n in range(2, 9) for k in range(1, n)],
            relabelled,
            "T = |B| known ones: M is one to one",
        ),
        every_case([none], lambda x: 1 - x < Fraction(9, 10**5), "everybody else says no but for 9·10^-5"),
        every_case([(1 - p) ** 100], lambda x: 1 - x < Fraction(1, 10**5), "the known ones all say no but for 10^-5"),
        every_case([p**100], lambda x: x == Fraction(1, 10**700), "they all say yes with probability 10^-700"),
        every_case(
            [comb(900, 100) * p**100],
            lambda x: x < Fraction(1, 10**500),
            "with one yes among the known, 100 others have to say yes before a count is shown: less than 10^-500",
        ),
    )
