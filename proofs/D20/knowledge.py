"""Section 3.1.3 of D20: the two axioms and Theorem 2; what it shares with DKM19 is derived there.

p and q are the probabilities of one output given D(i) = t and t', E = e^ε. Sums over countably many outputs and values
follow, since all summands are at least 0.
"""

from __future__ import annotations

from itertools import permutations

import sympy
import z3

from verifier.wings.papers.ledger.steps import Steps, every_case, identity, positive, positive_part, unsatisfiable


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
