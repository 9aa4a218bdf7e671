"""Losses, and what APKDP and PPKDP bound (DMKB20, sections 3.1 to 3.4).

E stands for e^ε. P and Q are the laws of the output given D(i) = a and D(i) = b (and B̂); the excess of P over Q is
Σ max(0, P(o) - E·Q(o)), which is E_{o ~ P}[max(0, 1 - e^(ε - loss))].
"""

from __future__ import annotations

from fractions import Fraction
from itertools import product

import z3

from verifier.wings.papers.ledger.laws import BITS, HALF, ONE, QUARTER, ZERO, excess, loss_tail, total
from verifier.wings.papers.ledger.plain import Plain, surely
from verifier.wings.papers.ledger.steps import (
    Steps,
    equal,
    identity,
    less,
    positive,
    positive_part,
    unsatisfiable,
)


def lemma_1() -> Steps:
    """E[max(0, 1 - e^(ε - L))] = max over events S of P(S) - E·Q(S), so that both forms of (ε, δ) are one.

    All three facts are about one output o; sums of them over a countable set of outputs keep ≤ and =.
    """
    p, q, e, ratio = z3.Reals("p q E w")
    hypotheses = [p >= 0, q >= 0, e > 0]
    return (
        unsatisfiable(
            [*hypotheses, p > 0, ratio * p == e * q, p * positive_part(1 - ratio) != positive_part(p - e * q)],
            "P(o) > 0: P(o)·max(0, 1 - E·Q(o)/P(o)) = max(0, P(o) - E·Q(o))",
        ),
        unsatisfiable([*hypotheses, p == 0, positive_part(p - e * q) != 0], "P(o) = 0: o adds nothing on either side"),
        unsatisfiable(
            [*hypotheses, p - e * q > positive_part(p - e * q)], "o in S adds P(o) - E·Q(o) ≤ max(0, P(o) - E·Q(o))"
        ),
        unsatisfiable([*hypotheses, positive_part(p - e * q) < 0], "o outside S adds 0 ≤ max(0, P(o) - E·Q(o))"),
        unsatisfiable(
            [*hypotheses, z3.If(p > e * q, p - e * q, 0) != positive_part(p - e * q)],
            "for S = {o: P(o) > E·Q(o)} both are equalities, so that the maximum is attained",
        ),
    )


def one_order_is_not_enough() -> Steps:
    """Lemma 1 needs both orders of a pair of databases: in one order alone the excess can be 0."""
    sure, coin = {"u": ONE}, {"u": HALF, "v": HALF}
    return (
        equal(excess(sure, coin, Fraction(2)), ZERO, "P = (1, 0) over Q = (1/2, 1/2) at E = 2"),
        equal(excess(coin, sure, Fraction(2)), HALF, "Q over P at E = 2"),
    )


def full_knowledge() -> Steps:
    """Given D(i) = a and B = D₋ᵢ = r one database is left: the loss compares the laws of M on it (Definition 11)."""
    steps = []
    other_records = range(3)
    theta = {(v, r): positive(f"t{v}{r}") for v in BITS for r in other_records}
    channel = {(v, r): positive(f"m{v}{r}") for v in BITS for r in other_records}
    for v, r in theta:
        databases = [d for d in theta if d == (v, r)]
        chance = sum(theta[d] * channel[d] for d in databases) / sum(theta[d] for d in databases)
        steps.append(identity(chance, channel[v, r], f"P[M(D) = O | D(i) = {v}, D₋ᵢ = r{r}] = P[M({v}, r{r}) = O]"))
    return tuple(steps)


def _averages() -> Steps:
    """A mean of numbers ≤ δ is ≤ δ; a mean of numbers ≥ 0 that is 0 has only zeros with positive weight."""
    v, w, x, y, d = z3.Reals("v w x y d")
    weights = [v > 0, w > 0, v + w <= 1]
    return (
        unsatisfiable(
            [*weights, x >= 0, x <= d, y >= 0, y <= d, v * x + w * y > d],
            "two B̂ with excess at most δ, weights that sum to at most 1: the mean is at most δ",
        ),
        unsatisfiable(
            [*weights, x >= 0, y >= 0, v * x + w * y <= 0, z3.Or(x != 0, y != 0)],
            "a mean of numbers ≥ 0 that is at most 0: each with positive weight is 0",
        ),
    )


def theorem_1_strict() -> Steps:
    """For every δ in (0, 1): a mechanism with PPK ≤ δ at every ε, and APK = 1 at every ε.

    B = D(1) with P[D(1) = 1] = δ; M publishes D(0) if D(1) = 1, and else a constant.
    """
    d, e = z3.Reals("d E")
    hypotheses = [d > 0, d < 1, e >= 1]
    open_, hidden = positive_part(1 - e * 0), positive_part(1 - e * 1)
    return (
        unsatisfiable([*hypotheses, open_ != 1], "given B̂ = 1 the outputs for a and b are disjoint: APK = 1"),
        unsatisfiable([*hypotheses, hidden != 0], "given B̂ = 0 the output is constant: APK = 0"),
        unsatisfiable([*hypotheses, d * open_ + (1 - d) * hidden != d], "PPK = δ·1 + (1 - δ)·0 = δ"),
        unsatisfiable([*hypotheses, open_ <= d], "APK = 1 > δ, for every ε"),
    )


def with_the_knowledge_published() -> Steps:
    """Where B is independent of D(i), PPKDP of M is (ε, δ)-indistinguishability of (M(D), B), nothing being known.

    With P[B̂ | a] = P[B̂ | b] = w, each (B̂, O) adds the same to both.
    """
    w, p, q, e = z3.Reals("w p q E")
    return (
        unsatisfiable(
            [w >= 0, p >= 0, q >= 0, e > 0, w * positive_part(p - e * q) != positive_part(w * p - e * (w * q))],
            "P[B̂]·max(0, P(o | B̂) - E·Q(o | B̂)) = max(0, P(o, B̂) - E·Q(o, B̂))",
        ),
    )


def without_independence() -> Steps:
    """Where B depends on D(i) the two differ: B alone tells something, for which PPKDP does not blame M."""
    known = {0: {0: Fraction(3, 4), 1: QUARTER}, 1: {0: QUARTER, 1: Fraction(3, 4)}}
    constant = {"u": ONE}
    ppk = total(known[0][b] * excess(constant, constant, ONE) for b in BITS)
    pair = excess(known[0], known[1], ONE)
    return (
        equal(ppk, ZERO, "a constant M, B equal to the bit D(i) with probability 3/4: PPK at ε = 0"),
        equal(pair, HALF, "the excess of the law of (M(D), B) at ε = 0"),
        less(ppk, pair, "so that they are not one"),
    )


def tails() -> Steps:
    """(ε, δ) does not bound the probability of a loss above ε by δ; the converse holds, output by output."""
    sure, coin = {"u": ONE}, {"u": HALF, "v": HALF}
    p, q, e = z3.Reals("p q E")
    return (
        equal(excess(sure, coin, ONE), HALF, "P = (1, 0), Q = (1/2, 1/2): the excess at ε = 0"),
        equal(excess(coin, sure, ONE), HALF, "and in the other order"),
        equal(loss_tail(sure, coin, 1), ONE, "but the loss is above 0 with probability"),
        unsatisfiable(
            [p >= 0, q >= 0, e > 0, positive_part(p - e * q) > z3.If(p > e * q, p, 0)],
            "max(0, P(o) - E·Q(o)) ≤ P(o) where the loss is above ε, else 0: a tail of at most δ is enough",
        ),
    )


def compatible() -> Steps:
    """If B = g(φ_I) and D(i) = f(φ₀) with independent parameters, every possible B̂ goes with every possible value."""
    x, y, joint = z3.Reals("x y joint")
    return (
        unsatisfiable(
            [x > 0, y > 0, joint == x * y, joint <= 0],
            "P[B̂] > 0 and P[D(i) = a] > 0 and independence: P[B̂, D(i) = a] > 0",
        ),
        unsatisfiable([x > 0, y > 0, joint == x * y, joint / y != x], "and then P[B̂ | D(i) = a] = P[B̂]"),
    )


def approximated() -> Steps:
    """Any mixture of the laws θ | B̂ whose weights do not depend on D(i) is as private as the worst of them.

    The excess is convex in (P, Q) together: with two parts, and so with any number.
    """
    w, p, q, r, s, e = z3.Reals("w p q r s E")
    mixed = w * p + (1 - w) * r - e * (w * q + (1 - w) * s)
    return (
        unsatisfiable(
            [
                w >= 0,
                w <= 1,
                e > 0,
                positive_part(mixed) > w * positive_part(p - e * q) + (1 - w) * positive_part(r - e * s),
            ],
            "max(0, mixed) ≤ the mean of max(0, ·): the excess of a mixture is at most the mean of the excesses",
        ),
    )


def approximated_with_dependence() -> Steps:
    """Where B depends on D(i), a mixture of θ | B̂ can tell what no θ | B̂ does: M = D(1) = B, a noisy copy of D(0)."""
    laws = {v: {b: Fraction(3, 4) if v == b else QUARTER for b in BITS} for v in BITS}
    worlds = tuple((HALF * laws[v][b], (v, b), b) for v, b in product(BITS, BITS))
    model = Plain(worlds, surely(lambda d: d[1]), BITS, (0,))
    return (
        equal(model.active(ONE), ZERO, "given B̂, M = B̂ whatever D(0) is: δ at ε = 0"),
        equal(excess(laws[0], laws[1], ONE), HALF, "without B̂, the excess of M = B at ε = 0"),
    )


def two_deltas() -> Steps:
    """Excess at most δ but for knowledge of probability δ: the mean is at most 2δ - δ², attained, and above δ."""
    u, x, d = z3.Reals("u x d")
    hypotheses = [d > 0, d < 1, u >= 0, u <= d, x >= 0, x <= d]
    return (
        unsatisfiable([*hypotheses, u * 1 + (1 - u) * x > 2 * d - d * d], "the mean is at most 2δ - δ²"),
        unsatisfiable(
            [d > 0, d < 1, z3.Or(d * 1 + (1 - d) * d != 2 * d - d * d, 2 * d - d * d <= d)],
            "u = x = δ attains it, and 2δ - δ² > δ",
        ),
    )


def at_delta_one() -> Steps:
    """No excess is above 1, so that every mechanism has both definitions at δ = 1."""
    p, q, e = z3.Reals("p q E")
    return (
        unsatisfiable(
            [p >= 0, q >= 0, e > 0, positive_part(p - e * q) > p], "max(0, P(o) - E·Q(o)) ≤ P(o), whose sum is 1"
        ),
        *_averages(),
    )


def ddp_to_ibddp() -> Steps:
    """At δ = 0: P(O | v)/S(O | v) in [1/E, E] for each v gives the same for the means, and E² for posteriors."""
    w, p, q, r, s, e = z3.Reals("w p q r s E")
    hypotheses = [w > 0, w < 1, e >= 1, p > 0, q > 0, r > 0, s > 0, p <= e * r, r <= e * p, q <= e * s, s <= e * q]
    mean, simulated = w * p + (1 - w) * q, w * r + (1 - w) * s
    u, v = z3.Reals("u v")
    return (
        unsatisfiable([*hypotheses, mean > e * simulated], "P(O) ≤ E·S(O), two values of D(i)"),
        unsatisfiable([*hypotheses, simulated > e * mean], "S(O) ≤ E·P(O)"),
        unsatisfiable(
            [e >= 1, u > 0, v > 0, u <= e, v <= e, u * v > e * e],
            "Bayes: P[v | O]/P[v | Sim = O] = [P(O | v)/S(O | v)]·[S(O)/P(O)] ≤ E²",
        ),
    )
