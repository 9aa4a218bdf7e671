"""What is believed, before and after an output (DP22, sections 6 and 7, Propositions 5 and 8), in fractions."""

from __future__ import annotations

from collections.abc import Callable
from fractions import Fraction
from itertools import product

import sympy
import z3

from verifier.wings.papers.ledger.laws import BITS, HALF, ONE, QUARTER, ZERO, Law, bits, mixed
from verifier.wings.papers.ledger.plain import Plain, smallest, surely, uniform
from verifier.wings.papers.ledger.steps import (
    Steps,
    equal,
    every_case,
    for_all,
    identity,
    less,
    positive_part,
    unsatisfiable,
)


def posterior_bound() -> Steps:
    """Odds that grow by at most E are, as probabilities, at most E·p/(1 + (E - 1)·p)."""
    p, e = sympy.symbols("p E", positive=True)
    odds = e * p / (1 - p)
    x, q, ratio = z3.Reals("x q E")
    return (
        identity(
            odds / (1 + odds), e * p / (1 + (e - 1) * p), "the probability with the odds E·p/(1 - p), for every p and E"
        ),
        unsatisfiable(
            [
                ratio >= 1,
                x > 0,
                x < 1,
                q > 0,
                q < 1,
                x * (1 - q) <= ratio * q * (1 - x),
                x * (1 + (ratio - 1) * q) > ratio * q,
            ],
            "every posterior x with odds of at most E times those of q is at most E·q/(1 + (E - 1)·q)",
        ),
    )


def odds_and_laws() -> Steps:
    """By Bayes the odds of D₁ against D₂ are multiplied by P[M(D₁) = O]/P[M(D₂) = O], whatever the prior."""
    a, b, m, n, e = z3.Reals("a b m n E")
    hypotheses = [a > 0, b > 0, m >= 0, n > 0]
    return (
        unsatisfiable(
            [*hypotheses, (a * m * b <= e * a * b * n) != (m <= e * n)],
            "any prior a, b: a·m/(b·n) ≤ E·a/b, and m ≤ E·n",
        ),
    )


def impossible_value() -> Steps:
    """A bit that is always 0, told: noiseless privacy compares nothing, causal privacy as printed also t′ = 1."""
    model = Plain(((ONE, (0,), ""),), surely(lambda d: d[0]))
    return (
        equal(list(model.np()), [], "the pairs of noiseless privacy"),
        equal(smallest(model.cdp(every=True)), None, "e^ε of causal privacy with t′ any value"),
        equal(smallest(model.cdp()), ONE, "with t′ possible"),
    )


def dp_by_two_points() -> Steps:
    """With θ on two databases that differ in one record, noiseless privacy compares the two laws of DP.

    With θ on all databases it can be weaker: the parity of two fair bits has ε = 0, and no ε in DP.
    """
    model = Plain(uniform(bits(2)), surely(lambda d: d[0] ^ d[1]))
    laws = {0: {"u": HALF, "v": HALF}, 1: {"u": QUARTER, "v": Fraction(3, 4)}}
    pair = Plain(((HALF, (0,), ""), (HALF, (1,), "")), lambda d: laws[d[0]])
    return (
        equal(smallest(model.np()), ONE, "e^ε of noiseless privacy, of the parity of two fair bits"),
        equal(smallest([({d[0] ^ d[1]: ONE}, {1 - (d[0] ^ d[1]): ONE}) for d in bits(2)]), None, "of DP"),
        equal(next(pair.np()), (laws[0], laws[1]), "what noiseless privacy compares where θ has two databases"),
    )


def posterior_and_prior() -> Steps:
    """P[a | o]/P[a] = P[o | a]/P[o], and P[o] is a mean of the P[o | b]: from ε to ε, and back from ε to 2ε."""
    x, y, m, e, c = z3.Reals("x y m E c")
    mean = z3.And(c >= 0, c <= 1, m == c * x + (1 - c) * y)
    return (
        unsatisfiable(
            [e >= 1, x >= 0, y >= 0, x <= e * y, y <= e * x, mean, z3.Or(x > e * m, m > e * x)],
            "every mean of values within E of each other is within E of both",
        ),
        unsatisfiable(
            [e >= 1, x >= 0, y >= 0, x <= e * m, m <= e * y, x > e * e * y],
            "every two values within E of one mean are within E² of each other",
        ),
    )


def belief_in_databases() -> Steps:
    """Information privacy with ε and a prior on all databases gives DP with 2ε; one on a single database gives none."""
    two = Fraction(2)
    laws = [{"u": Fraction(2, 3), "v": Fraction(1, 3)}, {"u": Fraction(1, 3), "v": Fraction(2, 3)}]
    mean = mixed(laws[0], laws[1], Fraction(1, 2))
    alone = {"0": ONE}
    return (
        *posterior_and_prior(),
        equal(
            max(max(law[o] / mean[o], mean[o] / law[o]) for law in laws for o in "uv"),
            Fraction(3, 2),
            "e^ε of belief, for two laws",
        ),
        equal(max(laws[0][o] / laws[1][o] for o in "uv"), two, "of DP, at most its square"),
        equal(smallest([(alone, alone)]), ONE, "e^ε of belief where one database alone is possible"),
        equal(smallest([({"0": ONE}, {"1": ONE})]), None, "of DP, for a bit that is told, e^ε"),
    )


def always_there() -> Steps:
    """M says with noise whether the record is there: the ratio r with and without it is one number, and DP needs ln 3.

    r is P[M(D) = o]/P[M(D without the record) = o], the same for all databases D that hold the record.
    """
    absent, there = {"u": QUARTER, "v": Fraction(3, 4)}, {"u": Fraction(3, 4), "v": QUARTER}

    def law(database: frozenset[str]) -> Law:
        return there if "me" in database else absent

    databases = [frozenset(names) for names in (["me"], ["me", "a"], ["me", "a", "b"])]
    ratios = {o: [law(d)[o] / law(d - {"me"})[o] for d in databases] for o in "uv"}
    return (
        equal(
            [max(r) / min(r) for r in ratios.values()],
            [ONE, ONE],
            "max r/min r over three databases with the record, for both outputs",
        ),
        equal(smallest([(absent, there)]), Fraction(3), "e^ε of adding or removing the record"),
    )


def always_there_by_beliefs() -> Steps:
    """A second code: prior 1/3 and 2/3 on the databases a and b, both posteriors, and the largest difference."""
    prior = {"a": Fraction(1, 3), "b": Fraction(2, 3)}

    def law(n: int) -> dict[str, tuple[int, int]]:
        return {"none": (1, n), "a": (n, 1), "b": (n, 1)}  # weights of u and v

    def posterior(n: int, output: int, *, without: bool) -> list[Fraction]:
        weights = [p * law(n)["none" if without else value][output] for value, p in prior.items()]
        return [w / sum(weights) for w in weights]

    def difference(n: int) -> Fraction:
        both = [zip(posterior(n, o, without=False), posterior(n, o, without=True), strict=True) for o in (0, 1)]
        return max(abs(x - y) for pairs in both for x, y in pairs)

    def ratio(n: int) -> Fraction:
        return max(Fraction(law(n)["a"][o], law(n)["none"][o]) for o in (0, 1))

    belief, weight = sympy.symbols("belief weight", positive=True)
    posterior_belief = belief * weight / (belief * weight + (1 - belief) * weight)
    return (
        equal(difference(3), ZERO, "the largest difference of both posteriors"),
        equal(ratio(3), Fraction(3), "the largest ratio with the record and without"),
        every_case([2, 100, 10**6], lambda n: difference(n) == 0 and ratio(n) == n, "no difference, and the ratio n"),
        identity(posterior_belief, belief, "the posterior of a, whatever the ratio"),
    )


def default_value() -> Steps:
    """Where a database may hold the default value, r = 1 there; all r are within c² of each other, so that r ≤ c²."""
    r, c, e = z3.Reals("r c e")
    prior, root = sympy.symbols("p s", positive=True)
    gain = prior * root**2 / (prior * root**2 + 1 - prior) - prior
    return (
        identity(
            gain.subs(prior, 1 / (root + 1)),
            (root - 1) / (root + 1),
            "ratios of quotient s² move a belief of 1/(s + 1), for any s, by (s - 1)/(s + 1)",
        ),
        unsatisfiable(
            [e >= 0, e < 1, c >= 1, c - 1 <= e * (c + 1), c > (1 + e) / (1 - e)],
            "any ε below 1: where that is at most ε, c = s is at most (1 + ε)/(1 - ε)",
        ),
        unsatisfiable(
            [c >= 1, r > 0, r <= c * c * 1, c * c * r >= 1, z3.Or(r > c * c, r * c * c < 1)],
            "every r within c² of the r = 1 of a default value: DP with e^ε at most c²",
        ),
    )


def overlapping() -> Steps:
    """The laws (2/3, 1/3) and (1/3, 2/3) on two databases are not the laws of one θ given two sets of databases.

    Given two sets, θ has one ratio on the databases that both hold. A secret beside the database can give both laws.
    """
    first, second = (Fraction(2, 3), Fraction(1, 3)), (Fraction(1, 3), Fraction(2, 3))
    ratios = [a / b for a, b in zip(first, second, strict=True)]
    a, b, s, t = z3.Reals("a b s t")
    joint = {("x", 0): Fraction(2, 6), ("x", 1): Fraction(1, 6), ("y", 0): Fraction(1, 6), ("y", 1): Fraction(2, 6)}
    conditional_laws = [
        tuple(joint[side, d] / sum(p for (k, _), p in joint.items() if k == side) for d in BITS) for side in "xy"
    ]
    return (
        equal(ratios, [Fraction(2), HALF], "the ratios of both laws, on two databases that both can have"),
        unsatisfiable(
            [a > 0, b > 0, s > 0, t > 0, (a / s) * (b / t) != (b / s) * (a / t)],
            "θ given two sets: the ratio is the same on every database of both",
        ),
        equal(conditional_laws, [first, second], "a secret beside the database: the laws given either of its values"),
    )


def counts() -> Steps:
    """The printed pair: the count of n fair bits, and the count without one record. The first has no ε without a δ."""
    model = Plain(uniform(bits(3)), surely(sum))
    both = Plain(uniform(bits(3)), surely(lambda d: (sum(d), sum(d[1:]))))
    return (
        equal(smallest(model.np()), None, "noiseless privacy of a count of 3, e^ε"),
        equal(model.active(Fraction(3)), QUARTER, "its smallest δ at e^ε = 3"),
        equal(both.active(Fraction(10**6)), ONE, "the smallest δ of both counts at e^ε = 10^6"),
    )


def active_and_passive() -> Steps:
    """A mean over B̂ is at most the largest term; here half of it."""
    third = Fraction(1, 3)
    worlds = ((third, (0,), "x"), (third, (1,), "x"), (third, (0,), "y"))
    model = Plain(worlds, lambda d: {"u": ONE} if d[0] else {"u": HALF, "v": HALF})
    x, y, c, d = z3.Reals("x y c d")
    return (
        unsatisfiable(
            [c >= 0, c <= 1, x <= d, y <= d, c * x + (1 - c) * y > d],
            "every mean over B̂ of terms that are at most δ is at most δ",
        ),
        less(
            model.passive(0, Fraction(2)),
            model.active(Fraction(2)),
            "δ of a passive and of an active attacker at e^ε = 2",
        ),
    )


def odd_conditions() -> Steps:
    """The loss of Definition 29 has a value in each case.

    It is 0 where a or b is excluded, else -∞ or ∞ where one law is 0, else the logarithm of the ratio.
    """

    def loss(possible: int, p: int, q: int) -> str:
        if not possible:
            return "0"
        return "-∞" if not p else "∞" if not q else "ln"

    conditions: dict[str, Callable[[int, int, int], bool]] = {
        "0": lambda possible, _p, _q: not possible,
        "-∞": lambda possible, p, _: bool(possible and not p),
        "∞": lambda possible, p, q: bool(possible and p and not q),
        "ln": lambda possible, p, q: bool(possible and p and q),
    }
    e = z3.Real("E")
    return (
        every_case(
            product(BITS, repeat=3),
            lambda case: [name for name, holds in conditions.items() if holds(*case)] == [loss(*case)],
            "every case has one value: one condition holds, and no other",
        ),
        unsatisfiable(
            [e >= 1, positive_part(1 - e) != 0], "an excluded value, of loss 0, adds max(0, 1 - e^ε) = 0 to δ"
        ),
    )


def overlapping_by_sets() -> Steps:
    """A second code: no θ = (k/12, 1 - k/12) on two databases has (2/3, 1/3) and (1/3, 2/3) given two sets of them."""
    wanted = ((Fraction(2, 3), Fraction(1, 3)), (Fraction(1, 3), Fraction(2, 3)))
    sets = [(0,), (1,), (0, 1)]

    def law_given(theta: tuple[Fraction, Fraction], kept: tuple[int, ...]) -> tuple[Fraction, ...]:
        weight = sum((theta[d] for d in kept), ZERO)
        return tuple(theta[d] / weight if d in kept else ZERO for d in BITS)

    cases = [(Fraction(k, 12), first, second) for k in range(1, 12) for first in sets for second in sets]
    return (
        for_all(
            cases,
            lambda p, first, second: (law_given((p, 1 - p), first), law_given((p, 1 - p), second)) != wanted,
            "any θ in twelfths and any two sets of databases give other laws",
        ),
    )
