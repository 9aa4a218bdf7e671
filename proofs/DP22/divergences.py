"""Divergences and trade-offs (DP22, Definitions 13, 26, 33, section 7.1, Proposition 1), in fractions."""

from __future__ import annotations

from collections.abc import Callable
from fractions import Fraction
from itertools import product

import z3

from verifier.wings.papers.ledger.laws import HALF, ONE, QUARTER, ZERO, Law, laws_on, mass, pushforward, subsets, total
from verifier.wings.papers.ledger.steps import Steps, equal, every_case, for_all, less, unsatisfiable

TRUTHFUL: Law = {"u": Fraction(3, 4), "v": QUARTER}
CHANGED: Law = {"u": QUARTER, "v": Fraction(3, 4)}
Convex = Callable[[Fraction], Fraction]


def under_first(law: Law, other: Law, f: Convex) -> Fraction:
    """The sum Σ p·f(p/q) as Definition 13 prints it, over the outputs of the first law, which the second must have."""
    return total(p * f(p / other[o]) for o, p in law.items() if p)


def under_second(law: Law, other: Law, f: Convex) -> Fraction:
    """The f-divergence Σ q·f(p/q), over the outputs of the second law."""
    return total(q * f(law.get(o, ZERO) / q) for o, q in other.items() if q)


def short(t: Fraction) -> Fraction:
    """The convex function max(0, 1 - t), which is 0 at 1."""
    return max(ZERO, 1 - t)


KINDS: tuple[Convex, ...] = (short, lambda t: (t - 1) ** 2, lambda t: abs(t - 1), lambda t: (t - 1) ** 4)
LAWS = laws_on("uvw", 5)


def _merged(law: Law) -> Law:
    return pushforward(law, lambda o: "w" if o == "w" else "m")


SPLIT: Law = {"u": ZERO, "v": HALF, "w": HALF}
SPLIT_OTHER: Law = {"u": QUARTER, "v": HALF, "w": QUARTER}


def printed_grows_when_merged() -> Steps:
    """The sum that Definition 13 prints grows from 1/8 to 1/6 where u and v are merged; the f-divergence does not.

    P = (0, 1/2, 1/2) and Q = (1/4, 1/2, 1/4) on u, v, w, and f(t) = max(0, 1 - t).
    """

    def both(p: Law, q: Law, way: Callable[[Law, Law, Convex], Fraction]) -> Fraction:
        forward = way(p, q, short)
        backward = way({o: x for o, x in q.items() if p[o]}, {o: x for o, x in p.items() if x}, short)
        return max(forward, backward)

    before = both(SPLIT, SPLIT_OTHER, under_first)
    after = both(_merged(SPLIT), _merged(SPLIT_OTHER), under_first)
    return (
        equal(before, Fraction(1, 8), "the larger of both orders as printed; where p/q is infinite f is 0"),
        equal(after, Fraction(1, 6), "the same after the merging"),
        less(before, after, "post-processing makes it grow"),
        equal(under_second(SPLIT, SPLIT_OTHER, short), QUARTER, "Σ q·f(p/q), the total variation"),
        equal(under_second(_merged(SPLIT), _merged(SPLIT_OTHER), short), QUARTER, "the same after the merging"),
    )


def order_two() -> Steps:
    """With k = 2 the sum under the second law is Σ p²/q - 1; under the first law, as printed, it is another one."""

    def square(t: Fraction) -> Fraction:
        return (t - 1) ** 2

    order = total(p * p / CHANGED[o] for o, p in TRUTHFUL.items())
    return (
        equal(order, Fraction(7, 3), "e^D of order 2"),
        equal(under_second(TRUTHFUL, CHANGED, square), Fraction(4, 3), "E[(P/Q - 1)²] under the second law, ε²"),
        equal(1 + under_second(TRUTHFUL, CHANGED, square), order, "1 + ε²"),
        equal(under_first(TRUTHFUL, CHANGED, square), Fraction(28, 9), "E[(P/Q - 1)²] under the first law, as printed"),
    )


def order_two_in_general() -> Steps:
    """Q·(P/Q - 1)² = P²/Q - 2·P + Q, which adds up to Σ P²/Q - 1."""
    p, q, t = z3.Reals("p q t")
    return (
        unsatisfiable(
            [q > 0, t * q == p, q * (t - 1) ** 2 != p * t - 2 * p + q], "every output: Q·(P/Q - 1)² = P²/Q - 2·P + Q"
        ),
    )


def powers_from_one() -> Steps:
    """|t - 1| ≤ E - 1 for 1/E ≤ t ≤ E; |t - 1|^(1/2) is not convex: between 1 and 5 it is above its chord."""
    t, e = z3.Reals("t E")
    small = z3.And(t <= e, t * e >= 1)
    return (
        unsatisfiable(
            [e >= 1, small, z3.Or(t - 1 > e - 1, 1 - t > e - 1)], "any t from e^-ε to e^ε: |t - 1| ≤ e^ε - 1"
        ),
        less((ZERO + 2) / 2, Fraction(7, 5), "the chord of √|t - 1| from 1 to 5 at t = 3, and 7/5"),
        less(Fraction(7, 5) ** 2, Fraction(2), "(7/5)², and |3 - 1|: the function is above its chord"),
    )


def concave_powers_by_points() -> Steps:
    """A second code, without roots: f(t) = |t - 1|^(1/2) is above its chord from 1 to 5.

    f(1) = 0, f(5) = 2 and f(3)² = 2 > 1, so that f((1 + 5)/2) > (f(1) + f(5))/2.
    """
    return (
        equal(Fraction(2) ** 2, abs(Fraction(5) - 1), "the square of the value 2 at t = 5"),
        less(
            ((Fraction(2) + 0) / 2) ** 2, abs(Fraction(3) - 1), "the square of the mean, and that of the value at t = 3"
        ),
    )


def privacy_predicate_of_approximate() -> Steps:
    """M(x) = min(1, x·E + δ, 1 - (1 - x - δ)/E): y ≤ M(x) for every event is (ε, δ) in both orders."""
    x, y, e, d = z3.Reals("x y E d")
    hypotheses = [e >= 1, d >= 0, x >= 0, x <= 1, y >= 0, y <= 1]
    predicate = z3.And(y <= 1, y <= x * e + d, (1 - y) * e >= 1 - x - d)
    both = z3.And(y <= e * x + d, 1 - x <= e * (1 - y) + d)
    return (
        unsatisfiable(
            [*hypotheses, predicate != both], "every event: y ≤ M(x), and y ≤ e^ε·x + δ with 1 - x ≤ e^ε·(1 - y) + δ"
        ),
        unsatisfiable([e >= 1, d >= 0, d <= 1, z3.Or(d < 0, e - (1 - d) < 0)], "M(0) is never below 0"),
    )


FIRST = ({"u": QUARTER, "v": Fraction(3, 4)}, {"u": Fraction(3, 4), "v": QUARTER})
SECOND = ({"u": Fraction(1, 100), "v": Fraction(99, 100)}, {"u": Fraction(1, 10), "v": Fraction(9, 10)})
HULL = (
    {"u": Fraction(1, 100), "v": Fraction(6, 25), "w": Fraction(3, 4)},
    {"u": Fraction(1, 10), "v": Fraction(13, 20), "w": QUARTER},
)


def predicates_do_not_reach_renyi() -> Steps:
    """Every concave M that admits two mechanisms admits a third, whose Rényi divergence of order 2 is larger."""

    def points(pair: tuple[Law, Law], *, back: bool) -> list[tuple[Fraction, Fraction]]:
        p, q = pair[::-1] if back else pair
        return [(mass(p, event), mass(q, event)) for event in subsets(sorted(p))]

    def order(pair: tuple[Law, Law]) -> Fraction:
        return max(total(p * p / b[o] for o, p in a.items()) for a, b in (pair, pair[::-1]))

    def below(x: Fraction, y: Fraction, *, back: bool) -> bool:
        known = points(FIRST, back=back) + points(SECOND, back=back)
        for (a, b), (c, d) in product(known, repeat=2):
            if a <= x <= c and (b + (d - b) * (x - a) / (c - a) if c > a else max(b, d)) >= y:
                return True
        return False

    return (
        equal(order(FIRST), Fraction(7, 3), "e^D of order 2 of the first, the larger of both orders"),
        equal(order(SECOND), Fraction(20, 11), "of the second"),
        equal(order(HULL), Fraction(91, 32), "of the third"),
        less(order(FIRST), order(HULL), "of the first, and of the third"),
        for_all(
            [(back, *point) for back in (False, True) for point in points(HULL, back=back)],
            lambda back, x, y: below(x, y, back=back),
            "every event of the third is on or below a chord between events of the other mechanisms, in both orders",
        ),
    )


def sum_of_errors() -> Steps:
    """P = u surely, Q = u or v: the errors add up to at least 1/2 = 2/(1 + 3), and v has an infinite ratio."""
    p, q = {"u": ONE}, {"u": HALF, "v": HALF}
    sums = [mass(a, event) + 1 - mass(b, event) for event in subsets("uv") for a, b in ((p, q), (q, p))]
    return (
        equal(min(sums), HALF, "the smallest sum of both errors, over all S and both orders"),
        equal(Fraction(2, 1 + 3), HALF, "2/(1 + e^ε) at e^ε = 3"),
        equal((p.get("v", ZERO), q["v"]), (ZERO, HALF), "the probabilities of v: no e^ε is enough"),
    )


def sum_of_errors_in_general() -> Steps:
    """Both inequalities of ε-DP add up to the bound on the sum; the bound is 1 minus the total variation."""
    a, b, e = z3.Reals("FA MD E")
    hypotheses = [e >= 1, a >= 0, b >= 0, a <= 1, b <= 1]
    return (
        unsatisfiable(
            [*hypotheses, a + e * b >= 1, e * a + b >= 1, (1 + e) * (a + b) < 2],
            "for every S: ε-DP gives FA + MD ≥ 2/(1 + e^ε)",
        ),
        unsatisfiable(
            [*hypotheses, ((1 - a) - b <= (e - 1) / (e + 1)) != ((1 + e) * (a + b) >= 2)],
            "for every S: FA + MD ≥ 2/(1 + e^ε) is (0, δ)-DP with δ = (e^ε - 1)/(e^ε + 1)",
        ),
    )


def errors_of_pure() -> Steps:
    """ε-DP and its two inequalities on the errors are equivalent, for each S."""
    x, y, e = z3.Reals("P Q E")
    hypotheses = [e >= 1, x >= 0, x <= 1, y >= 0, y <= 1]
    dp = z3.And(1 - x <= e * (1 - y), y <= e * x)
    errors = z3.And(x + e * (1 - y) >= 1, e * x + (1 - y) >= 1)
    return (
        unsatisfiable(
            [*hypotheses, dp != errors], "every S: Q ≤ e^ε·P and 1 - P ≤ e^ε·(1 - Q), where FA = P and MD = 1 - Q"
        ),
    )


def errors_fill_no_region() -> Steps:
    """A constant mechanism is (ε, δ)-private, and its errors add up to 1; the region has (1, 1) too."""
    e, d = Fraction(3), ZERO
    constant = {"u": ONE}
    reached = [(mass(constant, event), 1 - mass(constant, event)) for event in subsets("u")]
    region = [(a, b) for a, b in product((ZERO, HALF, ONE), repeat=2) if 1 - a <= e * b + d]
    return (
        every_case(reached, lambda point: 1 - point[0] <= e * point[1] + d, "every pair of errors is in the region"),
        equal(max(set(region) - set(reached)), (ONE, ONE), "a point of the region that no S reaches"),
    )


def sets_are_enough_tests() -> Steps:
    """A convex f below the points of all sets is below every chord between them: random tests add nothing."""
    f, g, m, y, z, c = z3.Reals("f g m y z c")
    hypotheses = [c >= 0, c <= 1, f <= y, g <= z, m <= c * f + (1 - c) * g]
    return (
        unsatisfiable(
            [*hypotheses, m > c * y + (1 - c) * z], "every chord: f at a mean ≤ the mean of f ≤ the mean of the points"
        ),
    )


def tradeoff_of_approximate() -> Steps:
    """f(x) = max(0, 1 - δ - E·x, (1 - δ - x)/E): 1 - y ≥ f(x) for every event is (ε, δ) in both orders."""
    x, y, e, d = z3.Reals("x y E d")
    hypotheses = [e >= 1, d >= 0, d <= 1, x >= 0, x <= 1, y >= 0, y <= 1]
    above = z3.And(1 - y >= 0, 1 - y >= 1 - d - e * x, e * (1 - y) >= 1 - d - x)
    both = z3.And(y <= e * x + d, 1 - x <= e * (1 - y) + d)
    return (unsatisfiable([*hypotheses, above != both], "every event: 1 - y ≥ f(x), and (ε, δ) in both orders"),)


def range_of_the_loss() -> Steps:
    """Two values of the loss differ by at most 2ε where each is at most ε; some ratio is ≥ 1 and some ≤ 1."""
    s, t, e = z3.Reals("s t E")
    p, q = z3.Reals("p q")
    return (
        unsatisfiable(
            [e >= 1, s <= e, t * e >= 1, s > e * e * t], "every two ratios in [1/E, E] differ by a factor of at most E²"
        ),
        unsatisfiable(
            [p > 0, q > 0, p <= 1, q <= 1, p > q, 1 - p > 1 - q],
            "never are all ratios above 1, since both laws add up to 1",
        ),
        unsatisfiable(
            [e >= 1, s >= 1, t > 0, t <= 1, s <= e * t, z3.Or(s > e, t * e < 1)],
            "every range of at most ε around 1 is in [1/E, E]",
        ),
    )


def no_error_is_certain() -> Steps:
    """FA = MD = 1 is P[S] = 1 and Q[S] = 0, which (ε, δ)-privacy with δ < 1 excludes."""
    x, y, e, d = z3.Reals("P Q E d")
    return (
        unsatisfiable(
            [e >= 1, d >= 0, d < 1, x <= e * y + d, x == 1, 1 - y == 1],
            "no S of an (ε, δ)-private mechanism has both errors 1, for any δ < 1",
        ),
    )


def every_function_tested() -> Steps:
    """For χ² no test h gives more than the divergence, and h = 2·(p/q - 1) gives it.

    f(t) = (t - 1)² and f*(y) = y + y²/4.
    """
    t, y = z3.Reals("t y")
    return (
        unsatisfiable([t * y - (y + y * y / 4) > (t - 1) * (t - 1)], "every t and y: t·y - f*(y) ≤ f(t)"),
        unsatisfiable(
            [y == 2 * (t - 1), t * y - (y + y * y / 4) != (t - 1) * (t - 1)], "every t: equality at y = 2·(t - 1)"
        ),
    )


def rarely_answered() -> Steps:
    """Where M answers with probability 1/4, else ⊥, the largest ratio stays, and an f-divergence falls to a quarter."""
    rarely = [{**{o: p / 4 for o, p in law.items()}, "⊥": Fraction(3, 4)} for law in (TRUTHFUL, CHANGED)]
    q, f, s = z3.Reals("q f s")
    return (
        equal(max(rarely[0][o] / rarely[1][o] for o in rarely[0]), Fraction(3), "the largest ratio, as without ⊥"),
        every_case(
            KINDS,
            lambda g: under_second(rarely[0], rarely[1], g) == under_second(TRUTHFUL, CHANGED, g) / 4,
            "the divergence with ⊥, and a quarter of that without",
        ),
        unsatisfiable(
            [s > 0, s <= 1, q > 0, (s * q) * f + (1 - s) * 0 != s * (q * f)],
            "every share s of answers: f at (s·p)/(s·q) = p/q has the weight s·q, and ⊥ adds f(1) = 0",
        ),
    )
