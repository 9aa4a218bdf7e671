"""Θ-reducible mechanisms (DMKB20, section 3.5): Theorem 2, Proposition 6 and the remarks around them."""

from __future__ import annotations

from fractions import Fraction
from itertools import permutations

import z3
from sympy import Rational, Symbol, expand, oo, sqrt, summation, symbols

from verifier.wings.papers.ledger.laws import (
    BITS,
    HALF,
    ONE,
    QUARTER,
    ZERO,
    count_law,
    dot,
    excess,
    pushforward,
    total,
)
from verifier.wings.papers.ledger.steps import (
    Steps,
    equal,
    every_case,
    identity,
    less,
    positive,
    unsatisfiable,
)


def theorem_2() -> Steps:
    """APK is the same for B₁ and B₂ where a bijection carries the laws over; so its mean over B̂ is that number.

    Three outputs and each of their six bijections; the excess is a sum over outputs, which a bijection re-orders.
    """
    p2, m2 = symbols("p0:3", nonnegative=True), symbols("m0:3", nonnegative=True)
    x, v, w = positive("x v w")
    steps = []
    for phi in permutations(range(3)):
        p1 = [p2[phi[o]] for o in range(3)]
        m1 = [m2[phi[o]] for o in range(3)]
        left = sum(p * m for p, m in zip(p1, m1, strict=True))
        right = sum(p * m for p, m in zip(p2, m2, strict=True))
        steps.append(identity(left, right, f"φ = {phi}: Σ P₁(o)·m(o, B₁) = Σ P₂(o)·m(o, B₂)"))
    steps.append(identity((v * x + w * x) / (v + w), x, "the mean over B̂ of one number is this number: PPK = APK"))
    return tuple(steps)


def losses_follow_the_bijection() -> Steps:
    """L(O, B₁) = L(φ(O), B₂), infinite losses included: numerator and denominator are carried over."""
    p, q = positive("p0:3"), positive("q0:3")
    return tuple(
        identity([p[i] for i in phi][o] / [q[i] for i in phi][o], p[phi[o]] / q[phi[o]], f"φ = {phi}, output {o}")
        for phi in permutations(range(3))
        for o in range(3)
    )


def printed_m_lacks_epsilon() -> Steps:
    """m(O, B) = max(0, 1 - e^(-L)) is m at ε = 0: for P = 2/3, Q = 1/3 and E = 2 it is 1/2 and not 0."""
    p, q, e = Fraction(2, 3), Fraction(1, 3), 2
    right, printed = max(ZERO, 1 - e * q / p), max(ZERO, 1 - q / p)
    return (
        equal(right, ZERO, "max(0, 1 - e^(ε - L))"),
        equal(printed, HALF, "max(0, 1 - e^(-L))"),
        less(right, printed, "the printed m is another one"),
    )


def mean_of_which() -> Steps:
    """PPK is the mean of APK over B̂, and not the reverse: 1/4 beside 0 and 1, where B̂ decides with probability 1/4."""
    weights, apk = (Fraction(3, 4), QUARTER), (ZERO, ONE)
    ppk = dot(weights, apk)
    return (
        equal(ppk, QUARTER, "PPK as the mean of APK"),
        every_case(apk, lambda value: value != ppk, "no APK is a mean of the one number PPK"),
    )


def shifts() -> Steps:
    """The bijections of Proposition 6, at n = 3: φ maps the output of M for known x to its output for known y.

    One record is known, x or y; u and v are the others, whose law given D(i) = a does not depend on it.
    """
    u, v, x, y, a, b, c = positive("u v x y a b c")
    n = 3
    linear = {k: a * u + b * v + c * k for k in (x, y)}
    geometric = {k: (u * v * k) ** Rational(1, n) for k in (x, y)}
    harmonic = {k: n / (1 / u + 1 / v + 1 / k) for k in (x, y)}
    square = {k: sqrt((u**2 + v**2 + k**2) / n) for k in (x, y)}
    return (
        identity(linear[y], linear[x] + c * (y - x), "linear, and with weights 1 or 1/n count and mean"),
        identity(geometric[y] ** n, geometric[x] ** n * y / x, "geometric mean, as n-th powers of positive numbers"),
        identity(harmonic[y], n / (n / harmonic[x] + (1 / y - 1 / x)), "harmonic mean"),
        identity(square[y] ** 2, (n * square[x] ** 2 + (y**2 - x**2)) / n, "quadratic mean, the whole root over n"),
    )


def increasing() -> Steps:
    """Each φ is strictly increasing where M is positive, hence injective."""
    s, t, k, n = z3.Reals("s t k n")
    hypotheses = [s > 0, t > s, n > 0]
    return (
        unsatisfiable([*hypotheses, s + k >= t + k], "linear"),
        unsatisfiable(
            [*hypotheses, k > 0, s * k >= t * k], "geometric, n-th powers: k is the ratio of the known products"
        ),
        unsatisfiable(
            [*hypotheses, n / s + k > 0, n / t + k > 0, n / (n / s + k) >= n / (n / t + k)],
            "harmonic, where the new sum of reciprocals is positive",
        ),
        unsatisfiable(
            [*hypotheses, s * s + k >= t * t + k], "quadratic, squares: k is the change of the known squares over n"
        ),
    )


def quadratic_as_extracted() -> Steps:
    """With the fraction over n inside the sum alone, φ maps the output 1 to √(7/2) where √(5/2) is the output."""
    n, known, new, unknown = 2, 1, 2, 1
    before, after = Fraction(known**2 + unknown**2, n), Fraction(new**2 + unknown**2, n)
    extracted = n * before + Fraction(new**2 - known**2, n)
    repaired = (n * before + (new**2 - known**2)) / n
    return (
        equal(after, Fraction(5, 2), "the square of the quadratic mean of 1 and 2"),
        equal(extracted, Fraction(7, 2), "the square of φ as extracted"),
        equal(repaired, after, "with the whole root over n"),
        less(after, extracted, "so that the extracted φ is wrong"),
    )


def outside_the_outputs() -> Steps:
    """φ(O) = O - M(B₁) + M(B₂) leaves {0, …, n}; it is a bijection of possible outputs, and can be completed."""

    def completed(n: int) -> bool:
        law_0, law_1 = (count_law([Fraction(1, 3)] * (n - 1), known) for known in BITS)
        phi = [*range(1, n + 1), 0]
        return sorted(phi) == list(range(n + 1)) and all(law_0.get(o, 0) == law_1.get(phi[o], 0) for o in range(n + 1))

    return (
        every_case(
            range(1, 7), lambda n: n - 0 + 1 not in range(n + 1), "from B₁ = 0 to B₂ = 1 the output n goes to n + 1"
        ),
        every_case(
            range(1, 7), completed, "sent to 0 instead, n completes φ to a bijection of {0, …, n} with equal laws"
        ),
    )


def infinitely_many_outputs() -> Steps:
    """The sum of three records with values in ℕ, one known: no bijection of ℕ carries B₁ = 0 over to B₂ = 1.

    P[D(2) = k] = 2^-(k+1). Given the target's value 0, M = s has probability 2^-(s+1) > 0 for every s under B₁ = 0,
    and M = 0 has probability 0 under B₂ = 1. But some s would have to be mapped to 0.
    """
    s = Symbol("s", integer=True, nonnegative=True)
    chance = Rational(1, 2) ** (s + 1)
    return (
        identity(summation(chance, (s, 0, oo)), 1, "the law of D(2) on ℕ"),
        equal(chance.is_positive, True, "P[M = s | D(1) = 0, B₁ = 0] = 2^-(s+1) is positive for every s in ℕ"),
        every_case(range(1), lambda output: output - 1 < 0, "M = 0 under B₂ = 1 needs D(2) = -1: probability 0"),
    )


def one_knowledge_fewer_records() -> Steps:
    """A count with k known records is the count of the other n - k, moved by the known ones (GK17, Observation 1)."""
    t = symbols("t")
    p = positive("p0:4")
    steps = []
    for k, b in ((1, 0), (1, 1), (2, 1), (3, 2)):
        known = t**b
        generating = 1
        for chance in p[: 4 - k]:
            generating = expand(generating * (1 - chance + chance * t))
        law = expand(known * generating)
        shifted = [law.coeff(t, b + o) - expand(generating).coeff(t, o) for o in range(5 - k)]
        steps.append(identity(sum(abs(x) for x in shifted), 0, f"n = 5, k = {k}, b = {b}: P[M = b + o] = P[M' = o]"))
    return tuple(steps)


def thresholds_differ() -> Steps:
    """A thresholded count is another matter: five voters, two of them known, or three voters and none known.

    T = 2, P[yes] = 1/10, ε = ln(2); δ against an active attacker, a passive one, and without the two known voters.
    """
    p, e, threshold = Fraction(1, 10), 2, 2

    known = count_law([p, p])
    laws = [
        pushforward(count_law([p, p], ones), lambda count: count if count > threshold else "hidden")
        for ones in range(4)
    ]
    each_order = [[excess(laws[b], laws[b + 1], e), excess(laws[b + 1], laws[b], e)] for b in range(3)]
    active, alone = max(map(max, each_order)), max(each_order[0])
    passive = max(total(w * each_order[b][side] for b, w in known.items()) for side in BITS)
    return (
        equal(active, Fraction(81, 100), "active, two of five known"),
        equal(passive, Fraction(449, 10000), "passive, two of five known"),
        equal(alone, Fraction(1, 100), "three voters, none known"),
        less(alone, passive, "so that two known voters are not two voters fewer"),
    )


def geometric_with_zero() -> Steps:
    """A known 0 makes the geometric mean 0, and the harmonic one has no value: positivity is needed for them."""
    products = {known: sorted({known * value for value in BITS}) for known in BITS}
    return (
        equal(products[0], [0], "values 0 and 1, n = 2, B = 0: the squares of the outputs"),
        equal(products[1], [0, 1], "B = 1: two outputs, so that no bijection fits"),
    )
