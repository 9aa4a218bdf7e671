"""DMKB20, Theorem 5 repaired: a histogram of rare and frequent values whose small counts are hidden.

The proof is in `proofs/partial-knowledge.md`, under “Theorem 5 repaired”.
"""

from __future__ import annotations

from collections.abc import Iterator
from fractions import Fraction
from itertools import accumulate
from math import comb

from verifier.errors import LimitError
from verifier.wings.papers.bounds.claim import ClaimCondition, ClaimedBound, Parameters
from verifier.wings.papers.bounds.real import Real, logarithm
from verifier.wings.papers.bounds.sampling import upper_tail

MAX_RECORDS = 200
"""Most records n for which every e^ε at which the promised δ changes is listed; there are fewer than n² of them."""


def repaired_theorem_5(parameters: Parameters, *, above: bool) -> ClaimedBound:
    """The smallest ε (in nats) with max(2x, d + e^ε·x) ≤ δ, as a limit from above, and this δ.

    x = P[Bin(n - 1, λ) ≥ k - 1], or ≥ k with `above`, where counts above k are shown; d = P[X + 1 ≥ e^ε·Y] with
    (X, Y, rest) multinomial with n - 1 trials and shares (λ, λ, 1 - 2λ). Where no δ is given it is the smallest that
    the theorem promises at any ε.

    >>> two = {"n": 2, "k": 2, "lambda": Fraction(2, 5), "delta": Fraction(4, 5)}
    >>> repaired_theorem_5(two, above=True).exp.text(), repaired_theorem_5(two, above=True).delta.text()
    ('1', '4/5')

    Raises:
        LimitError: for more than `MAX_RECORDS` records.

    """
    n, share = parameters["n"], parameters["lambda"]
    if n > MAX_RECORDS:
        raise LimitError(f"given {n:,} records", where="n=", wanted=f"at most {MAX_RECORDS} for Theorem 5 repaired")
    values: tuple[Fraction, ...] = parameters.get("p") or (share,)
    conditions: list[ClaimCondition] = [
        ("λ ≤ 1/2", 2 * share <= 1),
        ("⊥ at least λ", 1 - sum(values) >= share),
    ]
    if False in (met for _, met in conditions):
        return ClaimedBound(tuple(conditions))
    rare = upper_tail(n - 1, share, parameters["k"] - (0 if above else 1))
    promised = [(factor, max(2 * rare, frequent + factor * rare)) for factor, frequent in levels(n, share)]
    least = min(delta for _, delta in promised)
    delta = parameters.get("delta", least)
    conditions.append(("δ at least the smallest that is promised", delta >= least))
    if delta < least:
        return ClaimedBound(tuple(conditions), least=Real.of(least))
    factor = next(factor for factor, enough in promised if enough <= delta)
    return ClaimedBound(tuple(conditions), logarithm(factor), Real.of(factor), Real.of(delta), Real.of(least))


def levels(n: int, share: Fraction) -> Iterator[tuple[Fraction, Fraction]]:
    """The levels e^ε ≥ 1 at which d = P[X + 1 ≥ e^ε·Y] falls, in rising order, each with the d just above it.

    1 is always among them. (X, Y, rest) is multinomial with n - 1 trials and shares (λ, λ, 1 - 2λ), λ = `share`.

    >>> list(levels(2, Fraction(2, 5)))
    [(Fraction(1, 1), Fraction(3, 5))]
    """
    trials, inside = n - 1, share.numerator
    outside = share.denominator - 2 * inside
    weights: dict[Fraction, int] = {Fraction(1): 0}
    for y in range(1, n):
        for x in range(n - y):
            ratio = Fraction(x + 1, y)
            if ratio >= 1:
                ways = comb(trials, y) * comb(trials - y, x)
                weight = ways * inside ** (x + y) * outside ** (trials - x - y)
                weights[ratio] = weights.get(ratio, 0) + weight
    factors = sorted(weights, reverse=True)
    never = (share.denominator - inside) ** trials  # Y = 0, so that no ratio is finite
    above = accumulate((weights[factor] for factor in factors[:-1]), initial=never)
    falls = [
        (factor, Fraction(sum_above, share.denominator**trials))
        for factor, sum_above in zip(factors, above, strict=True)
    ]
    return reversed(falls)
