"""Active and passive: the average over what is known, its weights, and what follows from it.

Databases d given D(i) = a have p_d, ζ gives b with z_db, M gives o with r_do, and m_ob is any function of output and
knowledge. Steps for one term hold for any number of terms; sums of terms that are at least 0 may be taken in any order.
"""

from __future__ import annotations

import sympy
import z3

from verifier.wings.papers.ledger.steps import Steps, equal, identity, positive, positive_part, unsatisfiable

DATABASES, KNOWN, OUTPUTS = range(3), range(2), range(2)


def average() -> Steps:
    """Lemma 4: PPK = Σ_b P[ζ(D) = b | D(i) = a]·APK_b, for every m; the event D(i) = a may be any protected event."""
    p = positive("p:3")
    z = [positive(f"z{d}_:2") for d in DATABASES]
    r = [positive(f"r{d}_:2") for d in DATABASES]
    m = [positive(f"m{o}_:2") for o in OUTPUTS]
    weight = [sum(p[d] * z[d][b] for d in DATABASES) for b in KNOWN]
    passive = sum(p[d] * z[d][b] * r[d][o] * m[o][b] for d in DATABASES for b in KNOWN for o in OUTPUTS)
    active = [sum(p[d] * z[d][b] / weight[b] * r[d][o] * m[o][b] for d in DATABASES for o in OUTPUTS) for b in KNOWN]
    total = positive("w")
    return (
        identity(total * (p[0] * z[0][0] / total), p[0] * z[0][0], "Bayes: P[b | a]·P[d | a, b] = P[d | a]·P[b | d]"),
        identity(
            passive,
            sum(weight[b] * active[b] for b in KNOWN),
            "PPK = Σ_b P[b | a]·APK_b, for 3 databases, 2 values and 2 outputs with free probabilities",
        ),
    )


def at_most_delta() -> Steps:
    """Lemma 5: an average of numbers that are at most δ is at most δ; one value of the knowledge at a time."""
    s, w, v, x, d = z3.Reals("S W v x delta")
    return (
        *average(),
        unsatisfiable(
            [d >= 0, w >= 0, v >= 0, s <= w * d, x <= d, s + v * x > (w + v) * d],
            "S ≤ W·δ and APK_b ≤ δ give S + v·APK_b ≤ (W + v)·δ",
        ),
        unsatisfiable([d >= 0, w >= 0, w <= 1, w * d > d], "weights of at most 1 in all give at most δ"),
    )


def pure() -> Steps:
    """Lemma 6: an average of numbers that are at least 0 is 0 only if each with positive weight is."""
    s, v, x = z3.Reals("S v x")
    p, q, e = z3.Reals("p q E")
    return (
        *average(),
        unsatisfiable([s >= 0, v > 0, x >= 0, s + v * x == 0, x != 0], "S + v·APK_b = 0 with v > 0 gives APK_b = 0"),
        unsatisfiable([p > 0, e >= 1, q >= 0, positive_part(p - e * q) == 0, p > e * q], "then p ≤ E·q"),
        unsatisfiable([p == 0, q >= 0, e >= 1, p > e * q], "an output with p = 0 satisfies p ≤ E·q as well"),
    )


def choice() -> Steps:
    """To choose the knowledge, also at random, is never better than its best value, and that can be chosen."""
    s, w, v, x, best = z3.Reals("S W v x best")
    return (
        unsatisfiable(
            [w >= 0, v >= 0, s <= w * best, x <= best, s + v * x > (w + v) * best],
            "a mixture is at most the best value",
        ),
        unsatisfiable([w == 0, v == 1, x == best, w * s + v * x != best], "the choice with probability 1 attains it"),
    )


def strict() -> Steps:
    """For any 0 < w < 1: a value of weight w shows all, others nothing: PPK = w and APK = 1, at every ε."""
    w, e = z3.Reals("w E")

    def excess(*pairs: tuple[int, int]) -> z3.ArithRef:
        """Σ max(0, p - E·q) over the outputs."""
        return z3.Sum([positive_part(p - e * q) for p, q in pairs])

    excess_shown, excess_hidden = excess((1, 0), (0, 1)), excess((1, 1))
    passive = w * excess_shown + (1 - w) * excess_hidden
    symbol = positive("w")
    return (
        unsatisfiable([e >= 1, w > 0, w < 1, passive != w], "PPK = w·1 + (1 - w)·0 = w"),
        unsatisfiable(
            [e >= 1, excess_shown != 1], "APK = max(0, 1 - E·0) + max(0, 0 - E·1) = 1 where everything is shown"
        ),
        unsatisfiable(
            [e >= 1, w > 0, w < 1, passive >= 1], "so at δ = w PPK-DP holds with ε = 0 and APK-DP with no finite ε"
        ),
        equal(sympy.limit(1 / symbol, symbol, 0, "+"), sympy.oo, "APK/PPK = 1/w as w falls to 0"),
    )


def only_between() -> Steps:
    """At δ = 0 and at δ = 1 the two are equivalent, so that the implication is strict for 0 < δ < 1 alone."""
    p, q, e = z3.Reals("p q E")
    return (
        *pure()[2:],
        unsatisfiable(
            [p >= 0, q >= 0, e >= 1, positive_part(p - e * q) > p],
            "every output adds at most its probability: δ = 1 holds for both",
        ),
    )


def same_zeros() -> Steps:
    """The printed sum is P[b | a]·APK_b: where P[b | a] > 0 it is 0 exactly where APK_b is."""
    v, x = z3.Reals("v x")
    return (unsatisfiable([v > 0, x >= 0, (v * x == 0) != (x == 0)], "v·APK_b = 0 exactly where APK_b = 0, for v > 0"),)


def zero_weight() -> Steps:
    """An output with probability 0 under both: m = 0 with the loss -∞ (DKM19), 1 with the loss ∞ (DMKB20)."""
    limit = sympy.Symbol("L", real=True)
    m = 1 - sympy.exp(1 - limit)
    return (
        equal(
            sympy.limit(m, limit, -sympy.oo), -sympy.oo, "1 - e^(ε - loss) as the loss falls (ε = 1): below 0, m = 0"
        ),
        equal(sympy.limit(m, limit, sympy.oo), sympy.Integer(1), "as the loss grows: m = 1, although δ = 0"),
    )


def pair() -> Steps:
    """PPK is the δ of the pair (M(D), B): v·max(0, p - E·q) = max(0, v·p - E·v·q), where v = P[b | a] = P[b | a']."""
    v, p, q, e = z3.Reals("v p q E")
    scaled = z3.If(v * p > e * v * q, v * p - e * v * q, z3.RealVal(0))
    return (
        unsatisfiable(
            [v >= 0, p >= 0, q >= 0, e >= 1, v * positive_part(p - e * q) != scaled],
            "a weight may be taken into max(0, p - E·q), also the weight 0",
        ),
    )


def with_probability() -> Steps:
    """(ε, δ)-indistinguishable with probability 1 - δ gives δ_PPK ≤ 2δ - δ²; PPK-DP at δ² gives it back."""
    d, w, x = z3.Reals("delta w x")
    return (
        unsatisfiable(
            [d >= 0, d <= 1, w >= 0, w <= d, w * 1 + (1 - w) * d > 2 * d - d * d],
            "bad values of weight w ≤ δ add at most w, all others at most (1 - w)·δ",
        ),
        unsatisfiable(
            [d > 0, d <= 1, w > 0, x > d, w * x <= d * d, w >= d],
            "an average of at most δ² leaves values above δ a weight below δ (Markov)",
        ),
        unsatisfiable([d >= 0, d <= 1, d + (1 - d) * d != 2 * d - d * d], "2δ - δ² is attained: weight δ shows all"),
    )
