"""Proposition 3 and what section 2.3 says of attackers with more knowledge, for NP, CDP and DDP."""

from __future__ import annotations

from fractions import Fraction
from itertools import product

import z3

from verifier.wings.papers.ledger.laws import HALF, ONE, Law, dot, total
from verifier.wings.papers.ledger.plain import Database, Plain, smallest, surely, uniform
from verifier.wings.papers.ledger.steps import Steps, at_most, equal, identity, less, positive, unsatisfiable


def first_display() -> Steps:
    """P[M = O given a] = Σ over B̂ of P[φ₁ = B̂ given a]·P[M = O given a, φ₁ = B̂]: three B̂, any joint law."""
    weights, likely = positive("w1:4"), positive("m1:4")
    mass = sum(weights)
    joint = [w * m for w, m in zip(weights, likely, strict=True)]
    decomposed = sum((w / mass) * (j / w) for w, j in zip(weights, joint, strict=True))
    return (identity(sum(joint) / mass, decomposed, "the law of total probability given f(φ₀) = a"),)


def independent_weights() -> Steps:
    """φ₁ independent of φ₀ has the same law given f(φ₀) = a and given f(φ₀) = b: sums over φ₀ in f⁻¹(a) cancel."""
    p1, p2, p3, w = positive("p1 p2 p3 w")
    return (identity((p1 * w + p2 * w) / (p1 + p2), p3 * w / p3, "P[φ₁ = B̂ given a] = P[φ₁ = B̂ given b]"),)


def chain_of_inequalities() -> Steps:
    """The last display: the bound of each B̂ is summed with the same weights; its second ≤ is an equality."""
    w, p, q, E = z3.Reals("w1 w2"), z3.Reals("p1 p2"), z3.Reals("q1 q2"), z3.Real("E")
    weight, m = positive("u1:3"), positive("m1:3")
    mass = sum(weight)
    return (
        unsatisfiable(
            [*(x >= 0 for x in w), *(a <= E * b for a, b in zip(p, q, strict=True)), dot(w, p) > E * dot(w, q)],
            "P ≤ E·Q for each B̂ gives Σ w·P ≤ E·Σ w·Q",
        ),
        identity(
            dot(weight, m) / mass,
            dot([x / mass for x in weight], m),
            "Σ P[φ₁ = B̂ given b]·P[M = O given b, φ₁ = B̂] = P[M = O given b]",
        ),
    )


def general_sets() -> Steps:
    """I₁ ⊇ I₂: given B₂ = g the rest C of φ_{I₁} has the same law for all a and g, so each g is the case I₂ = ∅."""
    p, s, g, c, total = positive("p_a p_b P_g P_c C")
    return (
        identity(p * g * c / (p * g * total), c / total, "P[C = c given a, g] = P[C = c]"),
        identity(p * g * c / (p * g * total), s * g * c / (s * g * total), "which is the same for b"),
    )


def one_for_all_records() -> Steps:
    """Definition 9 gives the same θ₁ for all i; the proof needs only some θ₁ for each i."""
    distribution = z3.DeclareSort("Distribution")
    stronger = z3.Function("stronger", distribution, z3.IntSort(), z3.BoolSort())
    chosen, candidate = z3.Consts("one other", distribution)
    i, j = z3.Ints("i j")
    hypothesis = z3.ForAll([i], stronger(chosen, i))
    return (
        unsatisfiable(
            [hypothesis, z3.Not(z3.Exists([candidate], stronger(candidate, j)))], "one θ₁ for all i is one for each i"
        ),
    )


def ddp_monotone() -> Steps:
    """DDP against B₁ gives DDP against every B₂ = h(B₁), by the same Sim and without any condition.

    Given B₂ and D(i) = a both sides are mixtures over B₁ of the laws that DDP against B₁ compares, with one weight
    P[B₁ given B₂, a] on both sides; every B₁ of positive weight leaves a possible, so all of them are compared.
    """
    return _mixed("M(D) and Sim(D₋ᵢ) given B₁ and a")


def cdp_monotone() -> Steps:
    """CDP for all b of T against B₁ gives the same against B₂ = h(B₁), without any condition.

    As printed it does where each B₁ that leaves a possible leaves every b possible that B₂ leaves possible.
    """
    return _mixed("M(D) and M(D with i set to b) given B₁ and a")


def _mixed(definition: str) -> Steps:
    w, p, q, E, d = z3.Reals("w1 w2"), z3.Reals("p1 p2"), z3.Reals("q1 q2"), z3.Real("E"), z3.Real("d")
    left, right = dot(w, p), dot(w, q)
    hypotheses = [*(x >= 0 for x in w), sum(w) == 1]
    within = [bound for a, b in zip(p, q, strict=True) for bound in (a <= E * b + d, b <= E * a + d)]
    return (
        unsatisfiable(
            [*hypotheses, *within, left > E * right + d], f"{definition}: P(X) ≤ E·Q(X) + δ survives the mixture"
        ),
        unsatisfiable([*hypotheses, *within, right > E * left + d], "and so does Q(X) ≤ E·P(X) + δ"),
    )


def cdp_excluded_values() -> Steps:
    """CDP as printed: an attacker who knows all of D is compared with nothing, one who knows nothing is not private."""
    bit = surely(lambda d: d[0])
    blind = Plain(uniform([(0,), (1,)]), bit)
    knowing = Plain(uniform([(0,), (1,)], lambda d: d[0]), bit)
    return (
        equal(smallest(blind.cdp()), None, "one fair bit shown, nothing known: CDP for no ε"),
        equal(sum(1 for p, q in knowing.cdp() if p != q), 0, "the bit known: CDP compares no two laws that differ"),
        equal(smallest(knowing.cdp(every=True)), None, "for all b of T: CDP for no ε"),
    )


RARE = {-1: Fraction(1, 20), 0: Fraction(3, 20), 1: Fraction(8, 10)}


def hidden_mean(*, side_known: bool) -> Plain:
    """The models example-1-side.toml and example-1-side-known.toml of DMKB20: three readings around a hidden side."""
    worlds = []
    for side, d in product((1, -1), product((-1, 0, 1), repeat=3)):
        p = HALF * RARE[side * d[0]] * RARE[side * d[1]] * RARE[side * d[2]]
        worlds.append((p, d, side if side_known else ""))

    def rule(database: Database) -> Law:
        sign = (sum(database) > 0) - (sum(database) < 0)
        return {side: Fraction(8 if side == sign else 1, 10) for side in (-1, 0, 1)}

    return Plain(tuple(worlds), rule, (-1, 0, 1))


def less_knowledge_is_stronger() -> Steps:
    """Example 1 made finite: NP needs e^ε = 3197/544 without knowing μ and 536/221 with it; CDP 8797/4072, 536/221."""
    blind, informed = hidden_mean(side_known=False), hidden_mean(side_known=True)
    without, with_it = smallest(blind.np()), smallest(informed.np())
    return (
        equal((len(blind.worlds), len(informed.worlds)), (54, 54), "worlds of both models"),
        equal(without, Fraction(3197, 544), "NP without μ: the smallest e^ε"),
        equal(with_it, Fraction(536, 221), "NP with μ"),
        less(with_it, without, "the attacker who knows less is the stronger one for NP"),
        equal(smallest(blind.cdp()), Fraction(8797, 4072), "CDP without μ"),
        at_most(Fraction(8797, 4072), smallest(informed.cdp()), "and not for CDP: knowing μ needs at least as much"),
    )


def beliefs() -> Steps:
    """Posterior over prior (a-posteriori noiseless privacy, membership privacy) is worse without μ as well."""

    def worst(model: Plain) -> Fraction:
        largest_ratio = ONE
        for known in model.knowledge():
            joint = model.joint(known, 0)
            mass = total(joint.values())
            for a, t in joint:
                prior = total(p for (v, _), p in joint.items() if v == a) / mass
                posterior = joint[a, t] / total(p for (_, o), p in joint.items() if o == t)
                largest_ratio = max(largest_ratio, posterior / prior, prior / posterior)
        return largest_ratio

    blind, informed = worst(hidden_mean(side_known=False)), worst(hidden_mean(side_known=True))
    return (
        less(informed, blind, "the largest change of belief about D(i): with μ below without μ"),
        less(ONE, informed, "and there is one"),
    )
