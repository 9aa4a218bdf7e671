"""Section 3.1.3 of D20: the two axioms and Theorem 2; what it shares with DKM19 is derived there.

p and q are the probabilities of one output given D(i) = t and t', E = e^ε. Sums over countably many outputs and values
follow, since all summands are at least 0.
"""

from __future__ import annotations

from itertools import permutations

import sympy
import z3

from verifier.wings.papers.ledger.steps import Steps, every_case, identity, positive, positive_part, unsatisfiable


def post_processing() -> Steps:
    """Merging two outputs, or splitting one by coins, does not increase Σ max(0, p - E·q)."""
    p, q, x, y, e, r = z3.Reals("p q x y E r")
    base = [p >= 0, q >= 0, x >= 0, y >= 0, e >= 1, r >= 0, r <= 1]
    return (
        unsatisfiable(
            [*base, positive_part(p + x - e * (q + y)) > positive_part(p - e * q) + positive_part(x - e * y)],
            "two outputs become one",
        ),
        unsatisfiable(
            [
                *base,
                positive_part(r * p - e * r * q) + positive_part((1 - r) * p - e * (1 - r) * q)
                != positive_part(p - e * q),
            ],
            "one becomes two",
        ),
    )


def convexity() -> Steps:
    """M₁ with probability r, else M₂: a summand is at most the mixture of both, given each B̂."""
    p, q, x, y, e, r = z3.Reals("p q x y E r")
    base = [p >= 0, q >= 0, x >= 0, y >= 0, e >= 1, r >= 0, r <= 1]
    mixed = positive_part(r * p + (1 - r) * x - e * (r * q + (1 - r) * y))
    first, second, d = z3.Reals("first second delta")
    return (
        unsatisfiable(
            [*base, mixed > r * positive_part(p - e * q) + (1 - r) * positive_part(x - e * y)], "max(0, ·) is convex"
        ),
        unsatisfiable(
            [r >= 0, r <= 1, first <= d, second <= d, r * first + (1 - r) * second > d],
            "a mixture of averages ≤ δ is ≤ δ",
        ),
    )


def divergence() -> Steps:
    """f(x) = max(0, 1 - E·x): D_f(P‖Q) = Σ q·f(p/q) is Σ max(0, q - E·p), the other order of the two laws."""
    p, q, e = z3.Reals("p q E")
    base = [p >= 0, q > 0, e >= 1]
    return (
        unsatisfiable(
            [*base, q * positive_part(1 - e * p / q) != positive_part(q - e * p)], "q·f(p/q) = max(0, q - E·p)"
        ),
        unsatisfiable(
            [*base, p > 0, p * positive_part(1 - e * q / p) != positive_part(p - e * q)], "p·f(q/p) = max(0, p - E·q)"
        ),
        unsatisfiable(
            [p >= 0, e >= 1, p == 1, positive_part(1 - e * p) != 0], "f(1) = 0, and f is a maximum of two lines"
        ),
    )


def reindexed() -> Steps:
    """Theorem 2: a bijection of outputs that keeps probabilities keeps Σ max(0, p - E·q)."""
    p, q, x, y, e = z3.Reals("p q x y E")
    terms = sympy.symbols("m:3")
    v, w, apk = positive("v w same")
    return (
        unsatisfiable(
            [p == x, q == y, positive_part(p - e * q) != positive_part(x - e * y)],
            "O and φ(O) have one summand, and one loss",
        ),
        every_case(
            permutations(range(3)),
            lambda order: sum(terms[k] for k in order) == sum(terms),
            "to sum over φ(O) is to sum over O, for all bijections of three outputs",
        ),
        identity((v * apk + w * apk) / (v + w), apk, "the average of equal APK is APK"),
    )
