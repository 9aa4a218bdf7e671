"""Example 7 for every probability p of yes up to 1/900: 1000 voters, 100 known, the count shown above 100.

P(m, j) is the probability that j of m votes are yes; it falls in j for m ≤ 999 - 100 = 899.
"""

from __future__ import annotations

from math import comb

import sympy
import z3

from verifier.wings.papers.ledger.laws import BITS
from verifier.wings.papers.ledger.steps import Steps, equal, every_case, identity, unsatisfiable


def falling() -> Steps:
    """P(899, j) ≤ P(899, j-1) for every j ≥ 1, where p ≤ 1/900."""
    j, p = z3.Reals("j p")
    return (
        unsatisfiable(
            [p > 0, 900 * p <= 1, j >= 1, j <= 899, (900 - j) * p > j * (1 - p)],
            "p ≤ 1/900: P(899, j)/P(899, j-1) = (900 - j)·p/(j·(1 - p)) ≤ 1",
        ),
    )


def active() -> Steps:
    """All 100 known votes are yes: ⊥ tells that nobody else said yes; the smallest δ is P(899, 0) at every ε."""
    outputs = [100 + j if 100 + j > 100 else "⊥" for j in range(901)]
    return (
        *falling(),
        equal(len(set(outputs)), 901, "the output tells the count of the others, 0 to 900"),
        equal(
            outputs[0], "⊥", "the target says no and nobody else yes: ⊥, impossible if she says yes, so δ ≥ P(899, 0)"
        ),
        _telescopes(0),
    )


def passive() -> Steps:
    """On average δ ≤ Σ P(100, s)·P(899, 100 - s) = P(999, 100), with equality at ε = 0."""
    mixed = sum(comb(100, s) * comb(899, 100 - s) for s in range(101))
    return (
        *falling(),
        _one_more(),
        *(_telescopes(first) for first in (1, 50, 100)),
        every_case(
            range(101),
            lambda s: (s + (100 - s), (100 - s) + (899 - (100 - s))) == (100, 899),
            "P(100, s)·P(899, 100 - s) has p to the power 100 and 1 - p to the power 899",
        ),
        equal(mixed, comb(999, 100), "Σ C(100, s)·C(899, 100 - s) = C(999, 100)"),
    )


def _telescopes(first: int) -> str:
    """Σ P(899, j-1) - P(899, j) over the shown counts j from `first` + 1 to 900 is P(899, first): P(899, 900) = 0."""
    terms = [*sympy.symbols("P0:900"), sympy.Integer(0)]
    total = sympy.Add(*(terms[j - 1] - terms[j] for j in range(first + 1, 901)))
    return identity(total, terms[first], f"Σ of P(899, j-1) - P(899, j) from j = {first + 1} is P(899, {first})")


def _one_more() -> str:
    """The sum telescopes for every first count f, by induction from the top: one more term adds P_f - P_(f+1)."""
    term, next_term, last_term = sympy.symbols("P_f P_g P_900")
    return identity(
        (next_term - last_term) + (term - next_term), term - last_term, "one shown count more, for every first one"
    )


def never_pure() -> Steps:
    """100 known yes votes, nobody else: the target's no gives ⊥, her yes 101; both have positive probability."""
    p = z3.Real("p")
    outputs = [100 + vote if 100 + vote > 100 else "⊥" for vote in BITS]
    return (
        equal(outputs, ["⊥", 101], "the output for the two votes"),
        unsatisfiable([p > 0, p < 1, z3.Or(p * p <= 0, p * (1 - p) <= 0)], "products of p and 1 - p are positive"),
    )
