"""Steps of sections 1 to 3.5 for any law: any number of worlds, values, outputs and parameters (DMKB20).

Where a sum is re-ordered all its terms are at least 0, so that it may have countably many of them.
"""

from __future__ import annotations

import z3

from verifier.wings.papers.ledger.steps import Steps, identity, positive, positive_part, unsatisfiable


def conditioned() -> Steps:
    """Conditioning on an event of probability W > 0 gives a law; a property of all pairs is one of both orders."""
    w, other_weight, mass = z3.Reals("w rest W")
    hypotheses = [w >= 0, other_weight >= 0, w + other_weight == mass, mass > 0]
    value = z3.DeclareSort("Value")
    possible = z3.Function("possible", value, z3.BoolSort())
    close = z3.Function("close", value, value, z3.BoolSort())
    a, b, x, y = z3.Consts("a b x y", value)
    compared = z3.ForAll([a, b], z3.Implies(z3.And(possible(a), possible(b)), close(a, b)))
    return (
        unsatisfiable(
            [*hypotheses, z3.Or(w / mass < 0, w / mass > 1)], "W > 0: each world has a probability in [0, 1]"
        ),
        unsatisfiable([*hypotheses, w / mass + other_weight / mass != 1], "and they sum to 1: the law is defined"),
        unsatisfiable([compared, possible(x), possible(y), z3.Not(close(y, x))], "with (a, b) also (b, a) is asked"),
    )


def renamed() -> Steps:
    """Knowledge under other names, by an injective g: g(B) = g(B̂) is the event B = B̂, so the laws are the same."""
    known, name = z3.DeclareSort("Known"), z3.DeclareSort("Name")
    g = z3.Function("g", known, name)
    x, y, b, hat = z3.Consts("x y b hat", known)
    injective = z3.ForAll([x, y], z3.Implies(g(x) == g(y), x == y))
    return (unsatisfiable([injective, (g(b) == g(hat)) != (b == hat)], "g(B) = g(B̂) iff B = B̂"),)


def reducible() -> Steps:
    """Theorem 2 for any set of outputs and any φ: output by output the excess and the loss are carried over.

    φ is a bijection, so that the sums over o and over φ(o) have the same terms.
    """
    output = z3.DeclareSort("Output")
    real = z3.RealSort()
    p1, q1, p2, q2 = (z3.Function(name, output, real) for name in ("P1", "Q1", "P2", "Q2"))
    phi = z3.Function("phi", output, output)
    o, e = z3.Const("o", output), z3.Real("E")
    carried = [p1(o) == p2(phi(o)), q1(o) == q2(phi(o)), e > 0]
    return (
        unsatisfiable(
            [*carried, positive_part(p1(o) - e * q1(o)) != positive_part(p2(phi(o)) - e * q2(phi(o)))],
            "excess at o and φ(o)",
        ),
        unsatisfiable([*carried, q1(o) != 0, p1(o) / q1(o) != p2(phi(o)) / q2(phi(o))], "finite losses at o and φ(o)"),
        unsatisfiable([*carried, (q1(o) == 0) != (q2(phi(o)) == 0)], "infinite ones too"),
    )


def sorting() -> Steps:
    """Definition 8, when a normalization exists: both halves, for any number of worlds and parameters.

    Only if: given B̂, that is φ_I, a world is a value of (φ₀, the rest), with a probability that does not name B̂, and
    S = f(φ₀). If: number the common multiset by j; φ₀ = j and φ₁ = B are independent and together the world.
    """
    first, known, chance_rest = positive("P_0 P_I P_rest")
    b, q = positive("P_B q_j")
    return (
        identity(
            first * known * chance_rest / known,
            first * chance_rest,
            "P[ω | B̂] = P[φ₀]·P[rest], the same list for every B̂",
        ),
        identity(b * q + (1 - b) * q, q, "P[φ₀ = j] = Σ P[B̂]·q_j = q_j"),
        identity(b * q, b * (b * q + (1 - b) * q), "P[φ₀ = j, B̂] = P[B̂]·P[φ₀ = j]: independent"),
    )


def more_parameters() -> Steps:
    """Where φ ↦ (D, φ_{I₂}) is injective so is φ ↦ (D, φ_{I₁}) for I₁ ⊇ I₂, which tells φ_{I₂}."""
    parameters, database, more, fewer = (z3.DeclareSort(name) for name in ("Phi", "Database", "More", "Fewer"))
    d = z3.Function("d", parameters, database)
    b1, b2 = z3.Function("b1", parameters, more), z3.Function("b2", parameters, fewer)
    h = z3.Function("h", more, fewer)
    x, y = z3.Consts("x y", parameters)
    determined = [b2(x) == h(b1(x)), b2(y) == h(b1(y))]
    injective = z3.Implies(z3.And(d(x) == d(y), b2(x) == b2(y)), x == y)
    return (
        unsatisfiable(
            [*determined, injective, d(x) == d(y), b1(x) == b1(y), x != y],
            "a normalization that is injective with fewer known parameters is so with more",
        ),
    )


def side_and_noises() -> Steps:
    """Example 1 with φ₀ = (μ, noise at i), the noise f at j known, any real noises: the map to (D, B) is injective.

    g is the noise at any further record, known or not. φ₀ tells D(i), and the noises are independent of it.
    """
    m, e, f, g = z3.Reals("m e f g")
    n, u, v, w = z3.Reals("n u v w")
    equations = [m + e == n + u, m + f == n + v, m + g == n + w, f == v]
    return (
        unsatisfiable([*equations, z3.Or(m != n, e != u, g != w)], "equal D and equal B: equal μ and equal noises"),
        unsatisfiable([m == n, e == u, m + e != n + u], "(μ, noise at i) tells D(i)"),
        unsatisfiable([m == n, e != u, m + e == n + u], "μ alone does not: another noise is another D(i)"),
        unsatisfiable([m == 1, n == -1, e == u, m + e == n + u], "nor the noise alone: the other μ is another D(i)"),
    )


def mutual_step() -> Steps:
    """A record that is independent of all others is so of fewer: sum over one of them. So independence is mutual.

    P(d₀, d₁, …) = P₀(d₀)·R(d₁, …), and R has the same property, with one record less.
    """
    own, sum_0, sum_1 = positive("P_1 S_0 S_1")
    return (
        identity(own * sum_0 + own * sum_1, own * (sum_0 + sum_1), "Σ over d₀ of P₁(d₁)·S(d₀, rest) = P₁(d₁)·S(rest)"),
    )


def copies() -> Steps:
    """Examples 2, 4 and 5 for any values and any number of pairs or triples."""
    value = z3.DeclareSort("Value")
    output, a, b = z3.Consts("shown a b", value)
    count, k, x, half_sum = z3.Ints("count k x rest")
    return (
        unsatisfiable([output == a, output == b, a != b], "the identity shows a or b at i: no common output, so no ε"),
        unsatisfiable([(x + x + 2 * half_sum) % 2 == 1], "a pair adds 2x: the sum stays even, pair by pair"),
        unsatisfiable([count == 3 * k, k >= 0, z3.Or(count == 1, count == 2)], "among triples no value appears once"),
    )


def one_pair_of_many() -> Steps:
    """Example 6, pairs drawn apart: a pair's law is its marginal, as the law of any other pair sums to 1."""
    p, q, r, s = positive("p q r s")
    marginal = p * q + p * r + p * s + p * (1 - q - r - s)
    return (identity(marginal, p, "Σ over the other pair of P(pair)·P(other pair) = P(pair): independent parameters"),)
