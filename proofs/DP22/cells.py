"""The columns of axioms in DP22's Table 3: cells that fail, or that rest on a reading, in fractions."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from fractions import Fraction
from itertools import combinations, product

import z3

from verifier.wings.papers.ledger.laws import (
    BITS,
    HALF,
    ONE,
    QUARTER,
    ZERO,
    Law,
    excess,
    independent,
    laws_on,
    loss_tail,
    mixed,
    pushforward,
    subsets,
    total,
)
from verifier.wings.papers.ledger.steps import Steps, equal, for_all, less, unsatisfiable

THIRD = Fraction(1, 3)


def events_of_the_coins() -> Steps:
    """ACoDP at ρ = 0 with events of the coins: of two merged outputs at least as much is kept as of both apart."""
    p, q, r, s, e = z3.Reals("p q r s E")

    def kept(x: z3.ArithRef, y: z3.ArithRef) -> z3.ArithRef:
        return z3.If(x <= e * y, x, e * y)

    hypotheses = [p >= 0, q >= 0, r >= 0, s >= 0, e >= 1]
    return (
        unsatisfiable(
            [*hypotheses, kept(p, q) + kept(r, s) > kept(p + r, q + s)],
            "every merging of two outputs keeps at least as much within e^ξ",
        ),
    )


def events_of_the_coins_by_listing() -> Steps:
    """A second code: pairs of laws in quarters on three outputs, each merging, each e^ξ of a list."""

    def enough(p: Law, q: Law, ratio: Fraction) -> bool:
        return all(total(min(a[o], ratio * b[o]) for o in a) >= 1 - QUARTER for a, b in ((p, q), (q, p)))

    def cases() -> Iterator[tuple[Law, Law, Fraction, tuple[str, str]]]:
        ratios = (ONE, Fraction(3, 2), Fraction(2), Fraction(3))
        return product(laws_on("uvw", 4), laws_on("uvw", 4), ratios, list(combinations("uvw", 2)))

    def stays(p: Law, q: Law, ratio: Fraction, merged: tuple[str, str]) -> bool:
        both = [pushforward(law, lambda o: "m" if o in merged else o) for law in (p, q)]
        return not enough(p, q, ratio) or enough(both[0], both[1], ratio)

    return (for_all(cases(), stays, "what is enough with δ = 1/4 stays enough when two outputs are merged"),)


def tests_with_channels() -> Steps:
    """CBDP with an H that holds h∘f with each h and each function f of the output: no f makes the bound grow."""
    grid = (-HALF, ZERO, HALF)
    tests = [dict(zip("uvw", values, strict=True)) for values in product(grid, repeat=3)]
    maps = [dict(zip("uvw", outputs, strict=True)) for outputs in product("uvw", repeat=3)]

    def bound(p: Law, q: Law) -> Fraction:
        return max(total((p.get(o, ZERO) - q.get(o, ZERO)) * h[o] for o in "uvw") for h in tests)

    def moved(law: Law, names: dict[str, str]) -> Law:
        return pushforward(law, names.__getitem__)

    laws = laws_on("uvw", 2)
    return (
        for_all(
            product(tests, maps),
            lambda h, names: {o: h[names[o]] for o in "uvw"} in tests,
            "each h∘f, f one of all functions of three outputs, is in H",
        ),
        for_all(
            product(laws, laws, maps),
            lambda p, q, names: bound(moved(p, names), moved(q, names)) <= bound(p, q),
            "for total variation no function of the output makes the bound grow",
        ),
    )


def blurred_tails() -> Steps:
    """BayDP[TF20], a fair bit drawn again: told with probability 2/3, then half of the answers v become u.

    The smallest δ at ε = 0 grows from 1/3 to 5/12, so that a function of the output with coins makes it grow.
    """
    answers: dict[int, Law] = {0: {"u": 2 * THIRD, "v": THIRD}, 1: {"u": THIRD, "v": 2 * THIRD}}
    blurred: dict[int, Law] = {k: {"u": law["u"] + law["v"] / 2, "v": law["v"] / 2} for k, law in answers.items()}

    def needed(laws: dict[int, Law]) -> Fraction:
        """The smallest δ at ε = 0: the largest P[L > 0] over the record, averaged over the one drawn again."""
        forward = [total(loss_tail(laws[d], laws[e], 1) for e in BITS) / 2 for d in BITS]
        return max(*forward, *(total(loss_tail(laws[e], laws[d], 1) for e in BITS) / 2 for d in BITS))

    before, after = needed(answers), needed(blurred)
    return (
        equal(blurred[0], {"u": Fraction(5, 6), "v": Fraction(1, 6)}, "the answers to 0, blurred"),
        equal((before, after), (THIRD, Fraction(5, 12)), "the smallest δ at ε = 0 before and after"),
        less(before, after, "so a function of the output, with coins, makes it grow"),
    )


def blurred_tails_merged() -> Steps:
    """A second mechanism: of losses ln 3/5, ln 3/2 and ∞ the last two outputs are merged; at ε = ln 2 δ doubles."""
    p, q = {"u": HALF, "v": QUARTER, "w": QUARTER}, {"u": Fraction(5, 6), "v": Fraction(1, 6), "w": ZERO}
    merged = [{"u": law["u"], "m": law["v"] + law["w"]} for law in (p, q)]

    def average(a: Law, b: Law) -> Fraction:
        """The average over a record that is the same or the other one, with 1/2 each."""
        return (loss_tail(a, b, 2) + ZERO) / 2

    return (
        equal(max(average(p, q), average(q, p)), Fraction(1, 8), "the smallest δ at ε = ln 2, the record drawn again"),
        equal(max(average(*merged), average(*merged[::-1])), QUARTER, "once v and w are merged"),
    )


def everything_else_known() -> Steps:
    """Adversaries who know all other records: the ratio of both answers is the product of the two ratios."""
    p, q, r, s, e, f = z3.Reals("p q r s E F")
    return (
        unsatisfiable(
            [p >= 0, q >= 0, r >= 0, s >= 0, e >= 1, f >= 1, p <= e * q, r <= f * s, p * r > e * f * q * s],
            "every two databases: e^ε₁ and e^ε₂ give e^(ε₁ + ε₂), where coins are independent",
        ),
    )


def any_predicate() -> Steps:
    """Abstract DP: the predicate "P[S] is 0 or 1 for each S" holds of two constants, and not of their mixture."""

    def holds(law: Law) -> bool:
        return all(p in (ZERO, ONE) for p in law.values())

    left, right = {"u": ONE, "v": ZERO}, {"u": ZERO, "v": ONE}
    return (
        equal((holds(left), holds(right)), (True, True), "the predicate, of two constant answers"),
        equal(holds(mixed(left, right, HALF)), False, "of one of them by a coin, which is also one of them blurred"),
    )


def linear_predicates() -> Steps:
    """Predicates a·P[S] + b·Q[S] ≤ c for all S: what holds of every S holds of every test, and of mixtures."""
    a, b, c, w, p, q, r, s = z3.Reals("a b c w p q r s")
    chance = [w >= 0, w <= 1, a * p + b * q <= c, a * r + b * s <= c]
    return (
        unsatisfiable(
            [*chance, a * (w * p + (1 - w) * r) + b * (w * q + (1 - w) * s) > c],
            "every choice by chance of two mechanisms, event by event",
        ),
        unsatisfiable(
            [*chance, a * (p + w * (r - p)) + b * (q + w * (s - q)) > c],
            "every test that takes an output with a weight w is a mean of two sets, without and with it",
        ),
    )


def linear_by_listing() -> Steps:
    """A second code: P ≤ 2·Q + 1/4 for all sets, pairs of laws in quarters on two outputs, blurred and mixed."""
    listed = laws_on("uv", 4)

    def holds(p: Law, q: Law) -> bool:
        sets: Sequence[tuple[str, ...]] = ((), ("u",), ("v",), ("u", "v"))
        return all(total(p[o] for o in event) <= 2 * total(q[o] for o in event) + QUARTER for event in sets)

    def blurred(p: Law, w: Fraction) -> Law:
        return {"u": w * p["u"], "v": p["v"] + (1 - w) * p["u"]}

    held = [(p, q) for p, q in product(listed, repeat=2) if holds(p, q)]
    shares = [Fraction(k, 4) for k in range(5)]
    return (
        for_all(
            product(held, shares), lambda pair, w: holds(blurred(pair[0], w), blurred(pair[1], w)), "each blurring"
        ),
        for_all(
            product(held, held, shares),
            lambda x, y, w: holds(mixed(x[0], y[0], w), mixed(x[1], y[1], w)),
            "each choice by chance",
        ),
    )


def one_aggregate() -> Steps:
    """With one aggregate the same choice of both simulators imitates the choice of both mechanisms."""
    p, q, s, t, w, e = z3.Reals("p q s t w E")
    return (
        unsatisfiable(
            [w >= 0, w <= 1, e >= 1, p <= e * s, q <= e * t, w * p + (1 - w) * q > e * (w * s + (1 - w) * t)],
            "every choice by chance of two mechanisms, and of their simulators",
        ),
    )


def typical_products() -> Steps:
    """Typical stability: Sim is a law for each θ; the product of two serves both, and what is left out adds up."""
    p, q, s, t, e, f, g, h = z3.Reals("p q s t E F g h")
    kept, first, second, neither = z3.Reals("kept first second neither")
    masses = [kept >= 0, first >= 0, second >= 0, neither >= 0, kept + first + second + neither == 1]
    return (
        unsatisfiable(
            [p >= 0, q >= 0, s >= 0, t >= 0, e >= 1, f >= 1, p <= e * s, q <= f * t, p * q > e * f * s * t],
            "every database that is kept for both: p·q ≤ e^(ε₁ + ε₂)·s·t",
        ),
        unsatisfiable(
            [*masses, first + neither <= g, second + neither <= h, kept < 1 - g - h],
            "every γ₁ and γ₂: what is kept for both has at least 1 - γ₁ - γ₂",
        ),
    )


def typical_by_listing() -> Steps:
    """A second code: laws in thirds on two outputs, all four with δ; the product has at most the sums of ε and of δ."""
    listed = laws_on("uv", 3)
    ratios = (ONE, Fraction(3, 2), Fraction(2))

    def adds(p: Law, s: Law, q: Law, t: Law, e: Fraction, f: Fraction) -> bool:
        both, simulated = independent(p, q), independent(s, t)
        return all(
            excess(a, b, e * f) <= excess(*first, e) + excess(*second, f)
            for a, b, first, second in (
                (both, simulated, (p, s), (q, t)),
                (simulated, both, (s, p), (t, q)),
            )
        )

    cases = product(listed, listed, listed, listed, ratios, ratios)
    return (
        for_all(cases, adds, "the smallest δ of both at ε₁ + ε₂ is at most δ₁ + δ₂, in both orders"),
        for_all(
            product(subsets(range(6)), repeat=2),
            lambda out, other: len(out) > 3 or len(other) > 2 or len({*out, *other}) < 6,
            "of six databases γ₁ = 1/2 and γ₂ = 1/3 leave some",
        ),
    )
