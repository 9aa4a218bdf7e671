"""Random sampling before an algorithm: Definition 3, Theorem 1, and fresh samples (sections 2.3, 2.4, 2.7).

X and Z are the probabilities of an event on D without t and on D, after sampling; Y is that on D, given that t was
sampled. E stands for e^ε.
"""

from __future__ import annotations

from collections.abc import Iterator
from fractions import Fraction
from typing import Any

import sympy
import z3

from verifier.wings.papers.ledger.laws import HALF, ONE, QUARTER, ZERO, subsets
from verifier.wings.papers.ledger.steps import Steps, equal, for_all, identity, less, positive, unsatisfiable

Positions = tuple[int, ...]


def split_of_the_sample() -> Steps:
    """Z = (1 - β)·X + β·Y: the probability of each sample has a factor for t, which is β or 1 - β."""
    b, n, m = positive("beta n m")
    without = b**m * (1 - b) ** (n - 1 - m)
    steps = [
        identity(b**m * (1 - b) ** (n - m), (1 - b) * without, "a sample of m of n tuples, t not among them"),
        identity(b ** (m + 1) * (1 - b) ** (n - m - 1), b * without, "the same m tuples and t"),
    ]
    for size in range(1, 5):
        symbol_of = {part: sympy.Symbol("a" + "".join(map(str, part))) for part in subsets(range(size))}

        def event(count: int, extra: Positions, names: dict[Positions, Any] = symbol_of) -> Any:
            """The event's probability on a sample of the first `count` tuples, with `extra` added to the sample."""
            return sum(
                b ** len(sample) * (1 - b) ** (count - len(sample)) * names[(*sample, *extra)]
                for sample in subsets(range(count))
            )

        x, y, z = event(size - 1, ()), event(size - 1, (size - 1,)), event(size, ())
        difference = sympy.expand(z - (1 - b) * x - b * y)
        steps.append(identity(difference, sympy.Integer(0), f"Z - (1 - β)X - βY for every algorithm on {size} tuples"))
    return tuple(steps)


def two_samples_in_a_row() -> Steps:
    """A sample at rate β₁ of a sample at rate β = β₂/β₁ is a sample at rate β₂: tuple by tuple."""
    b, first, second = positive("beta beta_1 beta_2")
    return (
        identity(second / first * first, second, "a tuple stays both times with probability β·β₁ = β₂"),
        identity((1 - b) + b * (1 - first), 1 - b * first, "else it is gone"),
        *(
            identity(
                sum(
                    sympy.binomial(n - m, more) * b ** (m + more) * (1 - b) ** (n - m - more)
                    * first**m * (1 - first) ** more
                    for more in range(n - m + 1)
                ),
                (b * first) ** m * (1 - b * first) ** (n - m),
                f"a given {m} of {n} tuples are the second sample",
            )
            for n in range(4)
            for m in range(n + 1)
        ),
    )  # fmt: skip


def sampling_alone() -> Steps:
    """|Z - X| ≤ β for every algorithm, so that (0, β)-DP always holds after sampling; the constant is attained."""
    x, y, b = z3.Reals("x y b")
    inside = [x >= 0, x <= 1, y >= 0, y <= 1, b >= 0, b <= 1]
    z = (1 - b) * x + b * y
    rate = sympy.Symbol("beta")
    return (
        unsatisfiable([*inside, z - x > b], "Z ≤ X + β"),
        unsatisfiable([*inside, x - z > b], "X ≤ Z + β"),
        identity(
            (1 - rate) * 0 + rate * 1 - 0, rate, "the algorithm that shows t, on {t} and the empty set: Z - X = β"
        ),
    )


def amplification_is_exact() -> Steps:
    """On {t} and the empty set: an algorithm with P[yes] = x without t and y = E·x + d with it attains Theorem 1."""
    b, e, d, x = positive("beta E delta x")
    z = (1 - b) * x + b * (e * x + d)
    return (identity(z, (1 + b * (e - 1)) * x + b * d, "every β, E, d and x: Z = e^ε₂·X + δ₂ where Y = e^ε₁·X + δ₁"),)


def no_privacy_at_rate_zero() -> Steps:
    """β₂ = 0 < β₁: δ₂ = 0, and Definition 3 wants β₂ > δ₂."""
    first, delta = HALF, QUARTER
    second = ZERO
    return (
        equal(second / first * delta, second, "δ₂ = β₂δ₁/β₁ at β₂ = 0, β₁ = 1/2, δ₁ = 1/4 is β₂ itself"),
        equal(second > second / first * delta, False, "β₂ > δ₂"),
    )


def averages() -> Steps:
    """From each sample T to all of them: weights that sum to 1 keep y ≤ E·x + δ; two at a time, and so any number."""
    a, x, y, u, v, e, d = z3.Reals("a x y u v E d")
    hypotheses = [a >= 0, a <= 1, e >= 1, d >= 0, y <= e * x + d, v <= e * u + d]
    return (
        unsatisfiable(
            [*hypotheses, a * y + (1 - a) * v > e * (a * x + (1 - a) * u) + d], "Y ≤ E·X + δ for weights a and 1 - a"
        ),
    )


def replaced_tuple_repaired() -> Steps:
    """With replaced tuples ε stays and δ shrinks: Z = (1 - β)x + βy, Z′ = (1 - β)x + βy′, y ≤ E·y′ + δ."""
    x, y, y_replaced, b, e, d = z3.Reals("x y other b E d")
    hypotheses = [x >= 0, y >= 0, y_replaced >= 0, b > 0, b <= 1, e >= 1, d >= 0, y <= e * y_replaced + d]
    wrong = (1 - b) * x + b * y > e * ((1 - b) * x + b * y_replaced) + b * d
    return (unsatisfiable([*hypotheses, wrong], "Z ≤ e^ε₁·Z′ + β·δ₁"),)


def appendix_formulas() -> Steps:
    """The formulas of A.1 after the split, with β = β₂/β₁ and E = e^ε₁."""
    b, e = positive("beta E")
    rate, larger, spent, x, y, d = z3.Reals("b E F X Y d")
    base = [rate > 0, rate <= 1, larger >= 1, x >= 0, y >= 0, d >= 0]
    return (
        identity(
            (1 + b * (e - 1)) * (1 - b * (1 - 1 / e)) - 1,
            (e + 1 / e - 2) * (b - b**2),
            "(1 + β(E - 1))(1 - β(1 - 1/E)) - 1 = (E + 1/E - 2)(β - β²)",
        ),
        identity(e + 1 / e - 2, (e - 1) ** 2 / e, "E + 1/E - 2 = (E - 1)²/E ≥ 0"),
        identity(1 - b + b * e, 1 + b * (e - 1), "1 - β + βe^ε₁ = e^ε₂"),
        unsatisfiable(
            [
                *base,
                x <= larger * y + d,
                ((1 - rate) * x + rate * y) * larger < (1 - rate) * x * larger + rate * (x - d),
            ],
            "Z ≥ (1 - β)X + βe^-ε₁(X - δ₁)",
        ),
        unsatisfiable(
            [*base, spent == 1 + rate * (larger - 1), rate * spent * d > rate * d * larger],
            "βe^-ε₁e^ε₂δ₁ ≤ βδ₁",
        ),
    )


def constant_with_a_wrong_base() -> Steps:
    """A.1 prints e·β^-ε₁ for β·e^-ε₁ in two denominators: the bound on X is then false.

    β = 1/2, e^ε₁ = 2, δ₁ = 1/2, Y = 0, X = δ₁, Z = X/2. e·β^-ε₁ ≥ e > 2, since β^-ε₁ ≥ 1.
    """
    b, e, d = HALF, Fraction(2), HALF
    x, y = d, ZERO
    z = (1 - b) * x + b * y
    shared = z / (1 - b + b / e)
    printed = shared + b / e / (1 - b + 2) * d
    meant = shared + b / e / (1 - b + b / e) * d
    return (
        equal(x <= e * y + d, True, "X ≤ e^ε₁Y + δ₁"),
        equal(z, QUARTER, "Z"),
        less(2, 1 + 1 + HALF, "2 and three terms of e"),
        less(printed, x, "the printed bound on X, which is smaller still with e·β^-ε₁ in place of 2, and X"),
        equal(meant, x, "with β·e^-ε₁ the bound is X itself"),
    )


def constant_with_the_right_base() -> Steps:
    """X ≤ Z/(1 - β + β/E) + (β/E)/(1 - β + β/E)·δ₁, with the denominators cleared."""
    x, y, b, e, d = z3.Reals("x y b E d")
    z = (1 - b) * x + b * y
    hypotheses = [x >= 0, y >= 0, b > 0, b <= 1, e >= 1, d >= 0, x <= e * y + d]
    return (unsatisfiable([*hypotheses, x * (e - e * b + b) > e * z + b * d], "X·(1 - β + β/E) ≤ Z + (β/E)·δ₁"),)


def second_sum_without_t() -> Steps:
    """A.1 prints A(T without t) in the sum over samples with t. Then Z = X; {t}, shown when sampled, β = 1/2."""
    chance_of = {(): ZERO, ("t",): ONE}
    x = chance_of[()]
    z = HALF * chance_of[()] + HALF * chance_of["t",]
    b, without = z3.Reals("b X")
    return (
        unsatisfiable([(1 - b) * without + b * without != without], "both sums alike: (1 - β)X + βX is X, for every β"),
        equal(HALF * chance_of[()] + HALF * chance_of[()], x, "the printed right side is X"),
        less(x, z, "X and Z"),
    )


def multisets_are_no_positions() -> Steps:
    """Tuples must be told apart: of {t, t} the sample {t} comes with the removed t and without it."""
    b = positive("beta")
    one_of_two, alone = 2 * b * (1 - b), b
    return (
        identity(one_of_two - (1 - b) * alone - b * (1 - b), sympy.Integer(0), "both ways together: 2β(1 - β)"),
        less((1 - HALF) * HALF, 2 * QUARTER, "at β = 1/2, one way alone and the probability"),
    )


def equivalent_form() -> Steps:
    """(e^ε₂ - 1)/(e^ε₁ - 1) = β₂/β₁, where ε₁ > 0."""
    rate_1, rate_2, e = positive("beta_1 beta_2 E")
    return (identity((1 + rate_2 / rate_1 * (e - 1) - 1) / (e - 1), rate_2 / rate_1, "(e^ε₂ - 1)/(e^ε₁ - 1)"),)


def fifty_samples() -> Steps:
    """50 samples at rate 1/5: the sum of ε, and the probability that a given tuple is in at least one."""
    missed = Fraction(4, 5) ** 50
    return (
        equal(50 * Fraction("0.02"), 1, "50·0.02"),
        less(missed, Fraction(3, 200_000), "a given tuple is in none of the 50 samples: (4/5)^50"),
        less(Fraction(1, 100_000), missed, "and more than one in 100,000"),
    )


def all_of_seven_hundred() -> Steps:
    """All of n tuples in at least one sample, with at least 1 - n·(4/5)^50: for 700 tuples at least 0.99."""
    q = Fraction(4, 5) ** 50
    a, b = z3.Reals("a b")
    return (
        unsatisfiable([a >= 0, b >= 0, a <= 1, b <= 1, (1 - a) * (1 - b) < 1 - a - b], "(1 - a)(1 - b) ≥ 1 - a - b"),
        less(700 * q, Fraction(1, 100), "700·(4/5)^50"),
        equal(1 - Fraction(1, 100), Fraction("0.99"), "so all of 700 are in a sample with at least"),
    )


def all_of_a_million() -> Steps:
    """All of n = 1,000,000 tuples in at least one of the 50 samples: (1 - q)^n ≤ 1/(1 + nq), q = (4/5)^50.

    (1 + x)^n ≥ 1 + nx for x ≥ 0, and (1 - q)(1 + q) ≤ 1.
    """
    q, n = Fraction(4, 5) ** 50, 1_000_000
    x, size = z3.Reals("x n")
    return (
        unsatisfiable(
            [x >= 0, size >= 0, (1 + size * x) * (1 + x) < 1 + (size + 1) * x], "(1 + x)^n ≥ 1 + nx, by induction"
        ),
        unsatisfiable([x >= 0, (1 - x) * (1 + x) > 1], "1 - q ≤ 1/(1 + q)"),
        less(1 / (1 + n * q), Fraction(7, 100), "the probability is at most 1/(1 + nq)"),
    )


def _fifty() -> Iterator[tuple[int, Fraction]]:
    """The pairs (k, sum of the ε of k samples) for k = 1, …, 50 at ε = 0.02 each."""
    spent = ZERO
    for count in range(1, 51):
        spent += Fraction("0.02")
        yield count, spent


def fresh_samples_add_up() -> Steps:
    """Two outputs, independent given the data: (ε₁ + ε₂, δ₁ + δ₂).

    Given the first output o, the second falls into the event with probability at most min(1, E₂·q(o) + δ₂) ≤ m + δ₂,
    m = min(1, E₂·q(o)). Of P₁(o) the part above E₁·Q₁(o), r, sums to at most δ₁.
    """
    p, q_1, r, m, q, e_1, e_2, d, s = z3.Reals("p Q r m q E1 E2 d s")
    base = [p >= 0, q_1 >= 0, r >= 0, q >= 0, e_1 >= 1, e_2 >= 1, m >= 0, m <= 1, d >= 0]
    return (
        unsatisfiable(
            [*base, p <= e_1 * q_1 + r, m <= e_2 * q, p * m > e_1 * e_2 * q_1 * q + r],
            "P₁(o)·m ≤ E₁E₂·Q₁(o)·q(o) + r",
        ),
        unsatisfiable(
            [q >= 0, e_2 >= 1, d >= 0, s <= 1, s <= e_2 * q + d, s > 1 + d],
            "what is at most 1 and at most E₂q + δ₂ is at most m + δ₂, where m = 1",
        ),
        for_all(
            _fifty(),
            lambda count, spent: count * Fraction("0.02") == spent,
            "ε₁ + ε₂, again and again, is k·0.02 after k samples",
        ),
    )
