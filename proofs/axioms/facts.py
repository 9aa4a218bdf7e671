"""The finite identities and inequalities behind the facts about measures, aggregations and builders."""

from __future__ import annotations

from fractions import Fraction
from itertools import product

import z3

from verifier.wings.papers.ledger.laws import HALF, ONE, ZERO, Law, total
from verifier.wings.papers.ledger.steps import Steps, equal, for_all, less, unsatisfiable

THIRD = Fraction(1, 3)


def products_of_ratios() -> Steps:
    """Merging and mixing outputs keep a bound on ratios, pairing multiplies them; merging keeps a range of ratios."""
    p, q, r, s, x, y, w, low = z3.Reals("p q r s x y w low")
    near = [p >= 0, q >= 0, r >= 0, s >= 0, x >= 0, y >= 0]
    return (
        unsatisfiable([*near, p <= x * q, r <= x * s, p + r > x * (q + s)], "any two outputs merged: ratios stay ≤ x"),
        unsatisfiable(
            [*near, w >= 0, w <= 1, p <= x * q, r <= x * s, w * p + (1 - w) * r > x * (w * q + (1 - w) * s)],
            "any mixture: ratios stay ≤ x",
        ),
        unsatisfiable([*near, p <= x * q, r <= y * s, p * r > x * y * q * s], "any pair: ratios multiply"),
        unsatisfiable(
            [*near, low >= 0, low * q <= p, p <= x * q, low * s <= r, r <= x * s,
             z3.Or(p + r < low * (q + s), p + r > x * (q + s))],
            "any two outputs merged: the range of ratios does not grow",
        ),
    )  # fmt: skip


def hockey_sticks_of_pairs() -> Steps:
    """For one pair of outputs: P·P′ - x·y·Q·Q′ ≤ (P - m)·P′ + P·max(0, P′ - y·Q′) with m = min(P, x·Q)."""
    p, q, r, s, x, y, m, excess = z3.Reals("p q r s x y m excess")
    signs = [p >= 0, q >= 0, r >= 0, s >= 0, x >= 0, y >= 0]
    least = [m <= p, m <= x * q, z3.Or(m == p, m == x * q)]
    positive = [excess >= 0, excess >= r - y * s]
    return (
        unsatisfiable(
            [*signs, *least, *positive, p * r - x * y * q * s > (p - m) * r + p * excess],
            "any outputs: the excess of the pair is at most that of the first times P′, and P times that of the second",
        ),
    )


def tails_of_pairs() -> Steps:
    """A product of losses that exceeds the product of bounds has a factor that exceeds its bound."""
    p, q, r, s, x, y = z3.Reals("p q r s x y")
    return (
        unsatisfiable(
            [p > 0, q >= 0, r > 0, s >= 0, x >= 1, y >= 1, p <= x * q, r <= y * s, p * r > x * y * q * s],
            "any outputs: P·P′ > x·y·Q·Q′ needs P > x·Q or P′ > y·Q′",
        ),
    )


def chi_squared_of_pairs() -> Steps:
    """1 + χ² of all pairs of two laws on two outputs, in quarters, is the product; total variations add at most."""
    laws = [{"u": Fraction(k, 4), "v": 1 - Fraction(k, 4)} for k in range(1, 4)]

    def square(p: Law, q: Law) -> Fraction:
        return total(p[o] * p[o] / q[o] for o in p)

    def variation(p: Law, q: Law) -> Fraction:
        return total(abs(p[o] - q[o]) for o in p) / 2

    def pair(p: Law, q: Law) -> Law:
        return {(o, u): p[o] * q[u] for o in p for u in q}

    cases = list(product(laws, repeat=4))
    return (
        for_all(cases, lambda p, q, r, s: square(pair(p, r), pair(q, s)) == square(p, q) * square(r, s),
                "Σ P²/Q multiplies, for every four laws"),
        for_all(cases, lambda p, q, r, s: variation(pair(p, r), pair(q, s)) <= variation(p, q) + variation(r, s),
                "total variations add at most, for every four laws"),
    )  # fmt: skip


def tails_grow() -> Steps:
    """The tail P[loss > 0] grows from 2/3 to 5/6 by a blurring, which is also a mixture in halves with a constant.

    It is 2/3 in both orders before; after it is 5/6 and 1/3, so that the larger of both orders grows.
    """

    def exceeding(p: tuple[Fraction, Fraction], q: tuple[Fraction, Fraction]) -> Fraction:
        return total(a for a, b in zip(p, q, strict=True) if a > b)

    p, q = (2 * THIRD, THIRD), (THIRD, 2 * THIRD)
    blurred = [(first + second / 2, second / 2) for first, second in (p, q)]
    mixed = [((first + 1) / 2, second / 2) for first, second in (p, q)]
    return (
        equal([exceeding(p, q), exceeding(q, p)], [2 * THIRD, 2 * THIRD], "before, in both orders"),
        equal(blurred, mixed, "blurred, and mixed with a constant, they are the same laws"),
        equal(
            [exceeding(*blurred), exceeding(*blurred[::-1])],
            [Fraction(5, 6), THIRD],
            "after, in both orders: the larger one, and the first by itself, grow",
        ),
    )


def ranges_grow() -> Steps:
    """The range of ratios grows from 3 to 4 where {1/2, 3/2} and {2, 2/3} are mixed on a shared output."""
    below = {"v": (Fraction(1, 4), HALF), "w": (Fraction(3, 4), HALF)}
    above = {"u": (HALF, Fraction(1, 4)), "w": (HALF, Fraction(3, 4))}

    def ratios(of: dict[str, tuple[Fraction, Fraction]]) -> list[Fraction]:
        return sorted(p / q for p, q in of.values())

    nothing = (ZERO, ZERO)
    mixed = {
        o: tuple((x + y) / 2 for x, y in zip(below.get(o, nothing), above.get(o, nothing), strict=True)) for o in "uvw"
    }
    mixed_ratios = ratios({o: (pair[0], pair[1]) for o, pair in mixed.items()})
    return (
        equal([ratios(each)[-1] / ratios(each)[0] for each in (below, above)], [Fraction(3)] * 2, "the two ranges"),
        equal(mixed_ratios, [HALF, ONE, Fraction(2)], "the ratios of the mixture, a range of 4"),
    )


def beliefs_within_twice() -> Steps:
    """With g within 1/x and x, g′ within 1/y and y, and a mean within the products, the quotient is within (xy)²."""
    g, h, mean, x, y = z3.Reals("g h mean x y")
    inside = [x >= 1, y >= 1, g * x >= 1, g <= x, h * y >= 1, h <= y, mean * x * y >= 1, mean <= x * y, g > 0, h > 0]
    return (
        unsatisfiable([*inside, g * h > mean * x * x * y * y], "any beliefs: g·g′ ≤ (xy)²·E[g·g′]"),
        unsatisfiable([*inside, mean > g * h * x * x * y * y], "any beliefs: E[g·g′] ≤ (xy)²·g·g′"),
    )


def beliefs_do_not_add() -> Steps:
    """The largest belief after two outputs can be more than the product of the largest after each.

    There are three groups of databases of equal mass, and one database of small mass where both ratios are 2.
    """
    small = Fraction(1, 1000)
    mass = (1 - small) / 3
    two = Fraction(2)
    rows = [(mass, two, HALF), (mass, HALF, two), (mass, HALF, HALF), (small, two, two)]
    means = [total(row[0] * row[k] for row in rows) for k in (1, 2)]
    joint = total(row[0] * row[1] * row[2] for row in rows)
    ratios = [max(row[k] / mean for row in rows) for k, mean in ((1, means[0]), (2, means[1]))]
    both = two * two / joint
    return (
        less(max(ratios), Fraction(201, 100), "the largest P[o | D]/P[o] of each, against"),
        less(Fraction(5), both, "the largest one of both, which is more than 5,"),
        less(ratios[0] * ratios[1], both, "is more than the product of the two"),
    )


def equal_answers() -> Steps:
    """The event that two answers of truth k are equal: R = ((k² + (1 - k)²)/(2k(1 - k)))², ε = (2k - 1)²."""
    from sympy import symbols

    from verifier.wings.papers.ledger.steps import identity

    k = symbols("k", positive=True)
    same, other = k**2 + (1 - k) ** 2, 2 * k * (1 - k)
    return (
        identity((same / other - 1) / (same / other + 1), (2 * k - 1) ** 2, "(√R - 1)/(√R + 1) for √R = same/other"),
        less(Fraction(99, 100), (2 * Fraction(999, 1000) - 1) ** 2, "with k = 999/1000 the pair has more than 99/100"),
    )


def blurred_events() -> Steps:
    """(a + t)(d + t)/((b + t)(c + t)) for a, b, c, d = 1, 2, 2, 4: 1 at t = 0, 9/8 at t = 2, and less elsewhere."""
    t = z3.Real("t")

    def at(value: int) -> Fraction:
        return Fraction((1 + value) * (4 + value), (2 + value) ** 2)

    return (
        equal([at(0), at(2), at(4)], [ONE, Fraction(9, 8), Fraction(10, 9)], "at t = 0, 2 and 4"),
        unsatisfiable([t >= 0, 8 * (1 + t) * (4 + t) > 9 * (2 + t) * (2 + t)], "every t ≥ 0: at most 9/8"),
    )
