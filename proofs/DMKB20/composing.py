"""Dependency and composition (DMKB20, section 5.1; the ends of section 4.1)."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from fractions import Fraction
from itertools import combinations, product
from typing import Any

import z3

from verifier.wings.papers.ledger.laws import (
    BITS,
    HALF,
    ONE,
    QUARTER,
    ZERO,
    Law,
    bit,
    bits,
    excess,
    independent,
    mixture,
    pushforward,
    total,
    votes,
)
from verifier.wings.papers.ledger.steps import (
    Steps,
    at_most,
    equal,
    every_case,
    less,
    positive_part,
    unsatisfiable,
)

Days = tuple[int, ...]


def _totals(own: Days, count: int, table: Mapping[Days, Fraction], published: Sequence[int]) -> Law:
    """The law of the counts of the `published` days, for a target with `own` days and independent others."""
    return pushforward(
        independent(*[table] * count),
        lambda other_people: tuple(own[j] + sum(days[j] for days in other_people) for j in published),
    )


def _alone(law: Law, index: int) -> Law:
    """The law of the output with this index, from the joint law of all outputs."""
    return pushforward(law, lambda outputs: outputs[index])


def _dependency(p: Law, q: Law, outputs: tuple[int, int]) -> Fraction:
    """The number e^Dep of two outputs, for D(i) = a with the law p against D(i) = b with the law q."""
    output_1, output_2 = outputs
    first, second = ((_alone(p, index), _alone(q, index)) for index in BITS)
    return (
        (p[outputs] / first[0][output_1])
        / (q[outputs] / first[1][output_1])
        / (second[0][output_2] / second[1][output_2])
    )


def _noisy(target: int) -> Law:
    """M₁ repeats D(1) with probability 3/4; M₂ answers 1 with probability (2 + the count)/6; D(0) is the target."""
    return mixture(
        bit(HALF),
        lambda vote: independent(bit(QUARTER + HALF * vote), bit(Fraction(2 + target + vote, 6))),
    )


def identity_fails_with_two() -> Steps:
    """A noisy vote and a noisy count of two fair votes, outputs (1, 1), from the definition alone.

    M₁ repeats D(1) with probability 3/4; M₂ answers 1 with probability (2 + the count)/6.
    """
    p, q = _noisy(0), _noisy(1)
    ratio, dependency = p[1, 1] / q[1, 1], _dependency(p, q, (1, 1))
    first, second = (_alone(p, index)[1] / _alone(q, index)[1] for index in BITS)
    return (
        equal(ratio, Fraction(11, 15), "e^L"),
        equal((first, second), (ONE, Fraction(5, 7)), "e^(L₁) and e^(L₂)"),
        equal(dependency, Fraction(77, 75), "e^Dep"),
        equal(dependency * first * second, ratio, "with Dep once"),
        less(ratio, dependency**2 * first * second, "with Dep twice it is another number"),
    )


def _f(x: Any) -> Any:
    return positive_part(1 - x)


def subadditive() -> Steps:
    """f(x) = max(0, 1 - e^x) is subadditive: case by case as in the text, and at once, with X = e^x and Y = e^y."""
    x, y, z = z3.Reals("X Y Z")
    hypotheses = [x > 0, y > 0, z > 0]
    return (
        unsatisfiable(
            [*hypotheses, x > 1, z3.Or(_f(x) != 0, 1 - x * y > 1 - y)], "x > 0: f(x) = 0 and 1 - e^(x+y) ≤ 1 - e^y"
        ),
        unsatisfiable(
            [*hypotheses, x <= 1, y <= 1, (1 - x * y <= 2 - x - y) != ((x - 1) * (y - 1) >= 0)],
            "x, y ≤ 0: the inequality is (e^x - 1)(e^y - 1) ≥ 0",
        ),
        unsatisfiable([*hypotheses, _f(x * y) > _f(x) + _f(y)], "f(x + y) ≤ f(x) + f(y)"),
        unsatisfiable([*hypotheses, _f(x * y * z) > _f(x) + _f(y) + _f(z)], "f(a + b + c) ≤ f(a) + f(b) + f(c)"),
    )


def bound_is_attained() -> Steps:
    """A constant and a randomized response: Dep = 0, ε₁ = 0, and both together have exactly ε₂."""
    p, q = (independent({"c": ONE}, bit(chance)) for chance in (QUARTER, Fraction(3, 4)))
    return (
        equal(max(p[o] / q[o] for o in p), Fraction(3), "the largest e^L of both together is e^(ε₂)"),
        equal(excess(p, q, Fraction(3)), ZERO, "δ at μ + ε₁ + ε₂ = ln(3)"),
        less(ZERO, excess(p, q, Fraction(29, 10)), "and at a smaller ε"),
    )


def dependency_is_attained() -> Steps:
    """A fair bit r, and r ⊕ the vote told right with 3/4: ε₁ = ε₂ = 0, e^μ = 3, ν = 0, and both together need ln(3)."""
    p, q = ({(r, r ^ v ^ x): Fraction(3 - 2 * x, 8) for r, x in bits(2)} for v in BITS)
    return (
        every_case(BITS, lambda index: _alone(p, index) == _alone(q, index), "each output alone has loss 0"),
        equal(max(p[o] / q[o] for o in p), Fraction(3), "the largest e^Dep, and the largest e^L of both"),
        less(ZERO, excess(p, q, Fraction(29, 10)), "δ at a smaller ε than μ + ε₁ + ε₂ = ln(3)"),
    )


def negative_mu() -> Steps:
    """With μ < 0 the corollary with 2μ fails: a constant, and a vote told right with 9/10; Dep = 0, μ = -ln(2)."""
    p, q = bit(Fraction(1, 10)), bit(Fraction(9, 10))
    mu, largest_ratio = HALF, Fraction(9)
    both = excess(p, q, mu * mu * largest_ratio)
    return (
        equal(1 - mu, HALF, "ν = max(0, 1 - e^μ), as Dep = 0"),
        equal(max(p[o] / q[o] for o in p), largest_ratio, "e^(ε₁ + ε₂), with δ₁ = δ₂ = 0"),
        equal(both, Fraction(27, 40), "δ of both at 2μ + ε₁ + ε₂ = ln(9/4)"),
        less(1 - mu, both, "above δ₁ + δ₂ + ν"),
        at_most(excess(p, q, mu * largest_ratio), HALF, "δ at μ + ε₁ + ε₂, which is enough"),
    )


def proposition_9_second_code() -> Steps:
    """Two fair bits, the target D(1); M₁ = D(0), M₂ = D(0) ⊕ D(1): independent parts, and every Dep is infinite."""
    world = votes([HALF, HALF])
    joint = pushforward(world, lambda d: (d[0], d[0] ^ d[1]))
    laws = {v: {(x, x ^ y): 2 * p for (x, y), p in world.items() if y == v} for v in BITS}
    return (
        every_case(
            bits(2),
            lambda outputs: joint.get(outputs) == QUARTER,
            "the two outputs are independent",
        ),
        every_case(laws[0], lambda o: o not in laws[1], "what both put out given D(1) = 0 never occurs given 1"),
        equal(total(laws[0].values()), ONE, "so that the first loss of Definition 17 is ∞ with probability"),
        every_case(BITS, lambda o: sum(p for x, p in laws[0].items() if x[1] == o) == HALF, "M₂ alone has loss 0"),
    )


FAIR: dict[Days, Fraction] = {
    (0, 0, 0): QUARTER,
    (0, 1, 1): QUARTER,
    (1, 0, 1): QUARTER,
    (1, 1, 0): QUARTER,
}


def three_days() -> Steps:
    """Days that are independent in pairs are not enough for three counts: the third day is the first ⊕ the second.

    Four people; each count is (ln(3), 1/8)-private, each pair of counts is independent, and together they are not
    (3·ln(3), 3/8)-private.
    """

    def worst(published: Sequence[int], factor: Fraction) -> Fraction:
        laws = [_totals(own, 3, FAIR, published) for own in FAIR]
        return max(excess(p, q, factor) for p, q in product(laws, repeat=2))

    def independent(pair: tuple[int, int]) -> bool:
        for own in FAIR:
            joint = _totals(own, 3, FAIR, pair)
            law_1, law_2 = (_totals(own, 3, FAIR, (j,)) for j in pair)
            if any(joint.get((*x, *y), ZERO) != law_1[x] * law_2[y] for x, y in product(law_1, law_2)):
                return False
        return True

    together = worst((0, 1, 2), Fraction(27))
    return (
        every_case(combinations(range(3), 2), independent, "two of the counts are independent given D(i)"),
        every_case(
            range(3), lambda j: worst((j,), Fraction(3)) == Fraction(1, 8), "δ of each count at ε = ln(3) is 1/8"
        ),
        equal(together, Fraction(27, 64), "δ of all three at ε = 3·ln(3)"),
        less(3 * Fraction(1, 8), together, "above the sum of the three δ"),
    )


def example_9_second_code() -> Steps:
    """Three people, two days; c = ln(3/2), and Dep reaches ln(5/2) > ln(9/4) = 2c."""
    table: dict[Days, Fraction] = {
        (0, 0): Fraction(1, 6),
        (0, 1): Fraction(1, 3),
        (1, 0): Fraction(1, 3),
        (1, 1): Fraction(1, 6),
    }

    ratios = [p / _alone(table, 0)[day] / HALF for (day, _), p in table.items()]
    p, q = (_totals(own, 2, table, (0, 1)) for own in ((0, 0), (1, 1)))
    dependency = _dependency(p, q, (1, 1))
    return (
        equal(max(*ratios, 1 / min(ratios)), Fraction(3, 2), "e^c"),
        equal(dependency, Fraction(5, 2), "e^Dep at the outputs (1, 1), 00 against 11"),
        less(Fraction(3, 2) ** 2, dependency, "e^(2c) is below it"),
    )


def disjoint_blocks() -> Steps:
    """Counts of new, independent users: given D(i) = a only the count with user i changes, so δ is that count's own."""
    w, p, q, e = z3.Reals("w p q E")
    return (
        unsatisfiable(
            [
                w >= 0,
                p >= 0,
                q >= 0,
                e > 0,
                positive_part(w * p - e * w * q) != w * positive_part(p - e * q),
            ],
            "P(o, others) = P(o)·w: each adds w times what the one count adds, and Σ w = 1",
        ),
    )


def probability_of_dependency() -> Steps:
    """ν is no bound of P[Dep > μ]: for the noisy vote and the noisy count, at μ = 0."""
    p, q = _noisy(0), _noisy(1)
    mean = total(x * max(ZERO, 1 - 1 / _dependency(p, q, outputs)) for outputs, x in p.items())
    chance = total(x for outputs, x in p.items() if _dependency(p, q, outputs) > 1)
    return (
        at_most(mean, Fraction(1, 70), "the mean of max(0, 1 - e^(-Dep)), 0 against 1"),
        less(Fraction(1, 3), chance, "P[Dep > 0]"),
    )


def not_tight_for_two() -> Steps:
    """Two independent releases with δ = 1/2 each at ε = 0 together need 3/4, not 1."""
    p, q = {0: HALF, 1: HALF}, {0: ONE}
    twice = [{(x, y): law[x] * law[y] for x, y in product(law, repeat=2)} for law in (p, q)]
    return (
        equal(excess(p, q, ONE), HALF, "δ of one"),
        equal(excess(twice[0], twice[1], ONE), Fraction(3, 4), "δ of two"),
    )


def two_people() -> Steps:
    """Example 9 for two records: one other record has the days (x, y) given a, and (x', y') given b.

    e^Dep = [P(y | x)/P(y)]/[P(y' | x')/P(y')], where both quotients are between e^-c and e^c.
    """
    u, v, e = z3.Reals("u v E")
    hypotheses = [e >= 1, u * e >= 1, u <= e, v * e >= 1, v <= e]
    return (
        unsatisfiable([*hypotheses, u > e * e * v], "e^Dep ≤ e^(2c)"),
        unsatisfiable([*hypotheses, u * e * e < v], "e^Dep ≥ e^(-2c)"),
    )


def day_before() -> Steps:
    """As printed, each day is compared with the law of the day before: then 2c is too small for two records.

    Days 00, 01, 10, 11 with 1/11, 3/11, 4/11, 3/11.
    """
    table: dict[Days, Fraction] = {
        days: Fraction(k, 11) for days, k in (((0, 0), 1), ((0, 1), 3), ((1, 0), 4), ((1, 1), 3))
    }
    before = {v: total(p for k, p in table.items() if k[0] == v) for v in BITS}
    ratios = [table[x, y] / before[x] / before[y] for x, y in bits(2)]
    best = ZERO
    for own, replacement in product(table, repeat=2):
        p, q = _totals(own, 1, table, (0, 1)), _totals(replacement, 1, table, (0, 1))
        for o in p.keys() & q.keys():
            first, second = ([total(w for k, w in law.items() if k[j] == o[j]) for law in (p, q)] for j in BITS)
            best = max(best, p[o] * first[1] * second[1] / (q[o] * first[0] * second[0]))
    factor = max(*ratios, *(1 / ratio for ratio in ratios))
    return (
        equal(total(table.values()), ONE, "days 00, 01, 10, 11 with 1/11, 3/11, 4/11, 3/11: their sum"),
        equal(factor, Fraction(11, 7), "e^c"),
        equal(best, Fraction(5, 2), "the largest e^Dep"),
        less(factor**2, best, "e^(2c) is below it"),
    )
