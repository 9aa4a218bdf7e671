"""Θ-reducible mechanisms (DMKB20, section 3.5): Theorem 2, Proposition 6 and the remarks around them."""

from __future__ import annotations

from fractions import Fraction

from sympy import Rational, Symbol, oo, summation

from verifier.wings.papers.ledger.laws import (
    BITS,
    HALF,
    ONE,
    QUARTER,
    ZERO,
    count_law,
    dot,
)
from verifier.wings.papers.ledger.steps import (
    Steps,
    equal,
    every_case,
    identity,
    less,
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


def geometric_with_zero() -> Steps:
    """A known 0 makes the geometric mean 0, and the harmonic one has no value: positivity is needed for them."""
    products = {known: sorted({known * value for value in BITS}) for known in BITS}
    return (
        equal(products[0], [0], "values 0 and 1, n = 2, B = 0: the squares of the outputs"),
        equal(products[1], [0, 1], "B = 1: two outputs, so that no bijection fits"),
    )
