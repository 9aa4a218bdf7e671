"""Section 3.1.3 of D20: the loss, active and passive, and the two axioms; one output and one B̂ at a time.

p and q are the probabilities of one output given D(i) = t and t', E = e^ε, v the weight of one B̂ given D(i) = t. Sums
over countably many outputs and values follow, since all summands are at least 0.
"""

from __future__ import annotations

from itertools import permutations

import sympy
import z3

from verifier.wings.papers.ledger.steps import Steps, each, equal, identity, positive, positive_part, unsatisfiable


def hockey_stick() -> Steps:
    """The mean of max(0, 1 - e^(ε - loss)) is the largest P(X) - E·Q(X)."""
    p, q, e, t = z3.Reals("p q E t")
    base = [p >= 0, q >= 0, e >= 1]
    return (
        unsatisfiable(
            [*base, p > 0, q > 0, p * positive_part(1 - e * q / p) != positive_part(p - e * q)], "p·m = max(0, p - E·q)"
        ),
        unsatisfiable([*base, p > 0, q == 0, p * 1 != positive_part(p - e * q)], "the loss ∞, where q = 0 < p: p·1"),
        unsatisfiable(
            [*base, z3.Or(t == 0, t == 1), t * (p - e * q) > positive_part(p - e * q)], "an event has at most the sum"
        ),
        unsatisfiable(
            [*base, z3.If(p > e * q, p - e * q, z3.RealVal(0)) != positive_part(p - e * q)], "and one has the sum"
        ),
    )


def compatible() -> Steps:
    """Independent knowledge: every possible B̂ is compatible with every possible value of the record."""
    a, b, both = z3.Reals("a b both")
    return (unsatisfiable([a > 0, b > 0, both == a * b, both <= 0], "P[D(i) = t, B̂] = P[D(i) = t]·P[B̂] > 0"),)


def causal() -> Steps:
    """Where the other records are independent of D(i) given B̂, setting D(i) to t' is the same as conditioning on it."""
    a, b, r, s = positive("a b r s")
    left = a * r / (a * r + a * s)
    right = b * r / (b * r + b * s)
    return (identity(left, right, "P[other records | D(i) = t, B̂] = P[other records | D(i) = t', B̂]"),)


def full() -> Steps:
    """B = D without i and D(i) = t: one database is left, of positive probability p."""
    p, r = positive("p r")
    return (identity(p * r / p, r, "P[M(D) = o | D(i) = t, B̂] = p·P[M(d) = o]/p"),)


def conditioned() -> Steps:
    """θ given B̂, and then given D(i) = t, is θ given both: the knowledge may be written into the distribution."""
    p = positive("p:4")
    known = p[0] + p[1] + p[2]
    one, event, all_of_it = positive("x s w")
    return (
        identity((one / all_of_it) / (event / all_of_it), one / event, "P[d | t] under θ given B̂, d one of any number"),
        identity((p[0] / known) / (p[0] / known + p[1] / known), p[0] / (p[0] + p[1]), "P[d | t] under θ given B̂"),
        identity((p[0] + p[1] + p[2]) / known, sympy.Integer(1), "θ given B̂ sums to 1"),
    )


def average() -> Steps:
    """Theorem 1: PPK = Σ P[B̂ | D(i) = t]·APK, for 3 databases, 2 values of B, 2 outputs, and any function m."""
    j = [positive(f"j{d}_:2") for d in range(3)]
    r = [positive(f"r{d}_:2") for d in range(3)]
    m = [positive(f"m{o}_:2") for o in range(2)]
    weight = [sum(j[d][b] for d in range(3)) for b in range(2)]
    passive = sum(j[d][b] * r[d][o] * m[o][b] for d in range(3) for b in range(2) for o in range(2))
    active = [sum(j[d][b] / weight[b] * r[d][o] * m[o][b] for d in range(3) for o in range(2)) for b in range(2)]
    return (identity(passive, sum(weight[b] * active[b] for b in range(2)), "PPK = Σ_b P[b | t]·APK_b"),)


def at_most_delta() -> Steps:
    """The second part of Theorem 1: an average of numbers that are at most δ."""
    s, w, v, x, d = z3.Reals("S W v x delta")
    return (
        *average(),
        unsatisfiable([d >= 0, w >= 0, v >= 0, s <= w * d, x <= d, s + v * x > (w + v) * d], "one B̂ more: S + v·APK"),
    )


def pure() -> Steps:
    """The last part of Theorem 1: an average of numbers that are at least 0 is 0 only if each with weight is."""
    s, v, x = z3.Reals("S v x")
    return (
        *average(),
        unsatisfiable([s >= 0, v > 0, x >= 0, s + v * x == 0, x != 0], "S + v·APK = 0 with v > 0 gives APK = 0"),
    )


def odds() -> Steps:
    """Bayes: the odds of t against t' after the output are those before it, x/y, times p/q = e^loss."""
    x, y, p, q = positive("x y p q")
    whole = x * p + y * q
    return (identity((x * p / whole) / (y * q / whole), (x / y) * (p / q), "P[t | o, B̂]/P[t' | o, B̂] = x/y·p/q"),)


def strict() -> Steps:
    """For 0 < δ < 1: a B̂ of probability δ that shows all has PPK = δ and APK = 1, at every ε."""
    d, e = z3.Reals("delta E")
    shown, hidden = positive_part(1 - e * 0) + positive_part(0 - e * 1), positive_part(1 - e * 1)
    w = positive("w")
    return (
        unsatisfiable([e >= 1, d > 0, d < 1, d * shown + (1 - d) * hidden != d], "PPK = δ·1 + (1 - δ)·0"),
        unsatisfiable([e >= 1, shown != 1], "APK = max(0, 1 - E·0) + max(0, 0 - E·1) = 1, for every ε"),
        equal(sympy.limit(1 / w, w, 0, "+"), sympy.oo, "APK/PPK = 1/w is unbounded"),
    )


def pair() -> Steps:
    """PPK is the δ of the pair (M(D), B), where B is independent of D(i)."""
    v, p, q, e = z3.Reals("v p q E")
    base = [v >= 0, p >= 0, q >= 0, e >= 1]
    return (
        unsatisfiable(
            [*base, v * positive_part(p - e * q) != positive_part(v * p - e * v * q)],
            "v·max(0, p - E·q) = max(0, v·p - E·v·q)",
        ),
    )


def with_probability() -> Steps:
    """(ε, δ)-indistinguishable with probability 1 - δ gives PPK ≤ 2δ - δ²; PPKDP at δ² gives it back."""
    d, w, x = z3.Reals("delta w x")
    return (
        unsatisfiable([d >= 0, d <= 1, w >= 0, w <= d, w + (1 - w) * d > 2 * d - d * d], "w·1 + (1 - w)·δ ≤ 2δ - δ²"),
        unsatisfiable([d > 0, d <= 1, w > 0, x > d, w * x <= d * d, w >= d], "Markov: an average of δ² leaves w < δ"),
    )


def tails() -> Steps:
    """δ is at most the probability of a loss above ε; that of a loss above ε + γ is at most δ/(1 - e^-γ)."""
    p, q, e, g = z3.Reals("p q E G")
    base = [p > 0, q >= 0, e >= 1]
    return (
        unsatisfiable([*base, positive_part(p - e * q) > z3.If(p > e * q, p, z3.RealVal(0))], "a summand is at most p"),
        unsatisfiable(
            [*base, g > 1, p > e * g * q, positive_part(p - e * q) < p * (1 - 1 / g)], "or at least p·(1 - 1/G)"
        ),
    )


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
    v, w, same = positive("v w same")
    return (
        unsatisfiable(
            [p == x, q == y, positive_part(p - e * q) != positive_part(x - e * y)],
            "O and φ(O) have one summand, and one loss",
        ),
        each(
            permutations(range(3)),
            lambda order: sum(terms[k] for k in order) == sum(terms),
            "to sum over φ(O) is to sum over O, for all bijections of three outputs",
        ),
        identity((v * same + w * same) / (v + w), same, "the average of equal APK is APK"),
    )
