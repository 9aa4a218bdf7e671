"""The privacy loss: what δ(ε) is, and what the cases with probability 0 contribute.

Everything is shown for one output at a time, with its two probabilities p and q and E = e^ε: sums over countably many
outputs follow, since all summands are at least 0.
"""

from __future__ import annotations

from collections.abc import Callable

import z3

from verifier.wings.papers.ledger.steps import Steps, equal, every_case, positive_part, unsatisfiable


def hockey_stick() -> Steps:
    """E[max(0, 1 - e^(ε - loss))] = Σ max(0, p - E·q) = the largest P(X) - E·Q(X); so a bound on one is one on all."""
    p, q, e, t, d = z3.Reals("p q E t d")
    base = [p >= 0, q >= 0, e >= 1]
    excess = positive_part(p - e * q)
    return (
        unsatisfiable(
            [*base, p > 0, q > 0, p * positive_part(1 - e * q / p) != excess],
            "finite loss ln(p/q): p·max(0, 1 - E·q/p) = max(0, p - E·q)",
        ),
        unsatisfiable([*base, p > 0, q == 0, p * 1 != excess], "loss ∞, where q = 0 < p: p·1 = max(0, p - E·q)"),
        unsatisfiable(
            [*base, p == 0, d >= 0, d <= 1, p * d != excess],
            "weight p = 0: p·m = max(0, p - E·q) = 0",
        ),
        unsatisfiable(
            [*base, z3.Or(t == 0, t == 1), t * (p - e * q) > excess],
            "an output, in X (t = 1) or not (t = 0), adds at most max(0, p - E·q) to P(X) - E·Q(X)",
        ),
        unsatisfiable(
            [*base, z3.If(p > e * q, p - e * q, z3.RealVal(0)) != excess],
            "the event of all outputs with p > E·q attains the sum",
        ),
    )


def pure() -> Steps:
    """δ(ε) = 0 exactly where every output with p > 0 has a loss of at most ε."""
    p, q, e = z3.Reals("p q E")
    base = [p >= 0, q >= 0, e >= 1]
    excess = positive_part(p - e * q)
    return (
        unsatisfiable([*base, p > 0, q > 0, p <= e * q, excess != 0], "a loss of at most ε (p ≤ E·q) adds 0"),
        unsatisfiable([*base, p > 0, q > 0, p > e * q, excess <= 0], "a finite loss above ε adds more than 0"),
        unsatisfiable([*base, p > 0, q == 0, excess <= 0], "an infinite loss adds more than 0"),
        unsatisfiable([*base, p == 0, excess != 0], "an output with p = 0 adds 0"),
    )


def definition_1() -> Steps:
    """(ε, δ)-indistinguishability: two sums; it is monotone, and trivial at δ = 1."""
    p, q, e, f = z3.Reals("p q E F")
    base = [p >= 0, q >= 0, p <= 1, q <= 1, e >= 1]
    return (
        *hockey_stick()[3:],
        unsatisfiable(
            [*base, f >= e, positive_part(p - f * q) > positive_part(p - e * q)], "a larger ε needs no larger δ"
        ),
        unsatisfiable(
            [*base, positive_part(p - e * q) > p], "an output adds at most its probability: δ = 1 is always enough"
        ),
    )


def _loss(positive: tuple[bool, bool], both_zero: str) -> str:
    """The value of the loss by whether p and q are positive; `both_zero` where neither is."""
    p, q = positive
    if p and q:
        return "ln(p/q)"
    if p:
        return "∞"
    return "-∞" if q else both_zero


def definition_4() -> Steps:
    """The three cases of Definition 4 are all cases; where both probabilities are 0 the third applies."""
    cases = [(p, q) for p in (True, False) for q in (True, False)]
    conditions: dict[str, Callable[[bool, bool], bool]] = {
        "ln(p/q)": lambda p, q: p and q,
        "∞": lambda p, q: p and not q,
        "-∞": lambda p, _: not p,
    }
    swapped = {"ln(p/q)": "ln(p/q)", "∞": "-∞", "-∞": "∞"}
    return (
        every_case(
            cases,
            lambda case: [name for name, holds in conditions.items() if holds(*case)] == [_loss(case, "-∞")],
            "one of the three cases applies to (p > 0, q > 0), and no other",
        ),
        every_case(
            [case for case in cases if any(case)],
            lambda case: _loss((case[1], case[0]), "-∞") == swapped[_loss(case, "-∞")],
            "exchanging both databases changes the sign, where not both are 0",
        ),
        equal(_loss((False, False), "-∞"), "-∞", "where both are 0 the third case applies, in both orders"),
    )


def both_zero() -> Steps:
    """Where p = q = 0 the loss is -∞ (DKM19) or x/0 = ∞ (DMKB20): the weight is 0, so no δ changes."""
    p, q, e, m = z3.Reals("p q E m")
    return (
        every_case(
            [(True, True), (True, False), (False, True)],
            lambda case: _loss(case, "-∞") == _loss(case, "∞"),
            "the two conventions differ only where both probabilities are 0",
        ),
        unsatisfiable(
            [p == 0, q == 0, e >= 1, m >= 0, m <= 1, p * m != 0],
            "there the summand is p·m = 0 for every m between 0 and 1",
        ),
    )


def largest_pair() -> Steps:
    """Lemma 1: the smallest δ is the largest δ(ε) of all ordered pairs."""
    first, second, d = z3.Reals("first second d")
    return (
        *hockey_stick(),
        unsatisfiable(
            [
                d >= 0,
                z3.And(first <= d, second <= d) != (z3.If(first > second, first, second) <= d),
            ],
            "δ bounds every pair exactly where it bounds the largest",
        ),
    )


def tails() -> Steps:
    """δ(ε) ≤ P[loss > ε], and P[loss > ε + γ] ≤ δ(ε)/(1 - e^-γ): what δ says of the probability of a large loss."""
    p, q, e, g = z3.Reals("p q E G")
    base = [p > 0, q >= 0, e >= 1]
    return (
        unsatisfiable(
            [*base, positive_part(p - e * q) > z3.If(p > e * q, p, z3.RealVal(0))],
            "an output adds at most its probability to δ(ε), and only where its loss is above ε",
        ),
        unsatisfiable(
            [*base, g > 1, p > e * g * q, positive_part(p - e * q) < p * (1 - 1 / g)],
            "an output with a loss above ε + γ, G = e^γ, adds at least p·(1 - 1/G)",
        ),
    )
