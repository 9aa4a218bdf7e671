"""The privacy loss, probabilistic, Rényi and concentrated privacy (DP22, sections 2.4 to 3.3), in fractions."""

from __future__ import annotations

from fractions import Fraction
from itertools import product

import sympy
import z3

from verifier.wings.papers.ledger.laws import (
    HALF,
    ONE,
    QUARTER,
    ZERO,
    Law,
    excess,
    exp_bracket,
    laws_on,
    loss_tail,
    mass,
    subsets,
    total,
)
from verifier.wings.papers.ledger.steps import (
    Steps,
    equal,
    every_case,
    for_all,
    identity,
    less,
    positive_part,
    unsatisfiable,
)

TRUTHFUL: Law = {0: Fraction(3, 4), 1: QUARTER}
CHANGED: Law = {0: QUARTER, 1: Fraction(3, 4)}
RATIOS = (ONE, Fraction(3, 2), Fraction(2), Fraction(3))
OUTPUTS = (0, 1, 2)
IN_QUARTERS = laws_on(OUTPUTS, 4)
"""All laws on three outputs whose probabilities are multiples of 1/4."""
ABSOLUTE = [(p, q) for p, q in product(IN_QUARTERS, repeat=2) if all(q[o] or not p[o] for o in OUTPUTS)]
"""The pairs of them of which the second law has each output of the first."""


def power_mean(law: Law, other: Law, power: int) -> Fraction:
    """The mean E[e^(power·L)] = Σ p·(p/q)^power over the outputs of the first law; the second must have them too."""
    return total(p * (p / other[o]) ** power for o, p in law.items() if p)


def theorem_on_losses() -> Steps:
    """The three equivalences of section 3.1: sets of outputs on one side, the privacy loss on the other."""
    cases = list(product(IN_QUARTERS, IN_QUARTERS, RATIOS))

    def approximate(p: Law, q: Law, e: Fraction) -> bool:
        by_events = max(mass(p, event) - e * mass(q, event) for event in subsets(OUTPUTS))
        return by_events == total(x * max(ZERO, 1 - e * q[o] / x) for o, x in p.items() if x)

    def probabilistic(p: Law, q: Law, e: Fraction) -> bool:
        def fits(left_out: tuple[int, ...]) -> bool:
            kept = [o for o in OUTPUTS if o not in left_out]
            return all(mass(p, event) <= e * mass(q, event) for event in subsets(kept))

        return min(mass(p, left_out) for left_out in subsets(OUTPUTS) if fits(left_out)) == loss_tail(p, q, e)

    def pure(p: Law, q: Law, e: Fraction) -> bool:
        return (loss_tail(p, q, e) == 0) == all(mass(p, event) <= e * mass(q, event) for event in subsets(OUTPUTS))

    x, y, z, w, e = z3.Reals("p q r s E")
    hypotheses = [x >= 0, y >= 0, z >= 0, w >= 0, e >= 1]
    above, other = x - e * y, z - e * w
    return (
        unsatisfiable([*hypotheses, above <= 0, other <= 0, x + z > e * (y + w)],
                      "every two outputs that are within e^ε: so is the event of both"),
        unsatisfiable([*hypotheses, above + other > positive_part(above) + positive_part(other)],
                      "every event: what it has above e^ε is at most the sum of what its outputs have"),
        unsatisfiable([*hypotheses, x > 0, x * positive_part(1 - e * y / x) != positive_part(above)],
                      "every output: p·max(0, 1 - e^ε·q/p) is what p has above e^ε·q"),
        for_all(cases, pure, "ε-DP by every event, and P[L > ε] = 0"),
        for_all(cases, approximate, "the smallest δ by every event, and E[max(0, 1 - e^(ε - L))]"),
        for_all(cases, probabilistic, "the smallest mass of a set S₁ as Definition 9 asks, and P[L > ε]"),
    )  # fmt: skip


def probabilistic_gives_approximate() -> Steps:
    """For one pair of laws the smallest δ at ε is at most the tail P[L > ε], and the tail may be larger."""
    cases = list(product(IN_QUARTERS, IN_QUARTERS, RATIOS))
    x, y, e = z3.Reals("p q E")
    return (
        unsatisfiable([x >= 0, y >= 0, e >= 1, positive_part(x - e * y) > z3.If(x > e * y, x, 0)],
                      "every output: what it adds to the smallest δ is at most what it adds to the tail"),
        for_all(
            cases, lambda p, q, e: excess(p, q, e) <= loss_tail(p, q, e), "the smallest δ, and P[L > ε], for any pair"
        ),
        equal(excess(TRUTHFUL, CHANGED, Fraction(2)), QUARTER, "the smallest δ at ε = ln 2 where the loss is ±ln 3"),
        equal(loss_tail(TRUTHFUL, CHANGED, 2), Fraction(3, 4), "P[L > ln 2] there"),
    )  # fmt: skip


def loss_and_its_exponential() -> Steps:
    """At e^ε = 2 the loss ln 3 is above ε and below e^ε, so that P[L > e^ε] is no δ of anything."""
    low, _ = exp_bracket(Fraction(2))
    return (
        equal(loss_tail(TRUTHFUL, CHANGED, 2), Fraction(3, 4), "P[L > ε] at e^ε = 2"),
        less(Fraction(3), low, "e^L, and e to the power e^ε = 2: the loss ln 3 is below e^ε"),
        equal(loss_tail(TRUTHFUL, CHANGED, 3), ZERO, "P[L > ln 3], and so P[L > e^ε], at e^ε = 2"),
    )


def impossible_for_both() -> Steps:
    """Each output has one value: ln of the ratio, ∞ or -∞; where both probabilities are 0 it is -∞ in both orders."""

    def losses(p: int, q: int) -> list[str]:
        conditions = {"ln of the ratio": p and q, "∞": p and not q, "-∞": not p}
        return [value for value, holds in conditions.items() if holds]

    return (
        for_all(
            product((0, 1), repeat=2), lambda p, q: len(losses(p, q)) == 1, "one value, either p, q being 0 or not"
        ),
        equal(losses(0, 0), ["-∞"], "the loss where both are 0, in both orders, which is not minus itself"),
    )


def renyi_of_the_same_order() -> Steps:
    """(α, ε) is as strong as itself; and a bound of order 2 gives none of order 3."""

    def law(n: int) -> tuple[Law, Law]:
        return {0: 1 - Fraction(1, n), 1: Fraction(1, n)}, {0: 1 - Fraction(1, n * n), 1: Fraction(1, n * n)}

    return (
        equal(power_mean(TRUTHFUL, CHANGED, 1), Fraction(7, 3), "e^ε of order 2, and so of order 2 by itself"),
        every_case([2, 10, 100, 1000], lambda n: power_mean(*law(n), 1) <= 2, "E[e^L] ≤ 2, the bound of order 2"),
        every_case(
            [2, 10, 100, 1000], lambda n: power_mean(*law(n), 2) >= n, "E[e^(2L)] ≥ n: no bound of order 3 for all n"
        ),
    )


def renyi_grows_with_its_order() -> Steps:
    """(E[e^(sL)])^(1/s) does not fall as s grows: by z3 for orders 2 and 3, and for all laws in quarters to order 5."""
    powers = [(s, t) for s in range(1, 5) for t in range(s, 5)]
    x, y, w = z3.Reals("x y w")
    return (
        unsatisfiable(
            [w >= 0, w <= 1, (w * x + (1 - w) * y) * (w * x + (1 - w) * y) > w * x * x + (1 - w) * y * y],
            "every mean: its square is at most the mean of the squares",
        ),
        for_all(
            [(p, q, s, t) for p, q in ABSOLUTE for s, t in powers],
            lambda p, q, s, t: power_mean(p, q, s) ** t <= power_mean(p, q, t) ** s,
            "of every two orders the higher one has the larger divergence",
        ),
    )


def means_of_order() -> Steps:
    """Orders 2, 3, 4 bound E[e^L], E[e^(2L)], E[e^(3L)] by e^ε, e^(2ε), e^(3ε): three means of e^L."""
    m, y, e = z3.Reals("m y E")
    powers = {"arithmetic": (y, e), "quadratic": (y * y, e * e), "cubic": (y * y * y, e * e * e)}
    return tuple(
        unsatisfiable(
            [e >= 1, y >= 0, m == power, (m <= bound) != (y <= e)],
            f"every law: the condition of its order says that the {name} mean y of e^L is at most e^ε",
        )
        for name, (power, bound) in powers.items()
    )


def concentrated_below_one() -> Steps:
    """Order 1/2 in the formula of Definition 11: E[e^(-L/2)] ≤ e^(-ε/2) wants the divergence to be at least ε."""
    constant = Fraction(1)
    root = Fraction(4)  # the square root of 16
    affinity = 2 * root / 17  # Σ √(p·q) for p = 16/17, q = 1/17
    return (
        less(HALF, constant, "e^(-ε/2) at ε = ln 4, and E[e^(-L/2)] = 1 of a constant mechanism"),
        equal(affinity, Fraction(8, 17), "Σ √(p·q) where the losses are ±ln 16"),
        equal(1 / affinity**2, Fraction(289, 64), "e^D of order 1/2"),
        less(Fraction(4), 1 / affinity**2, "e^(ρ/2) for ρ = ln 16, and e^D of order 1/2"),
        equal(
            max(p / ONE_TO_SIXTEEN[o] for o, p in SIXTEEN.items()),
            Fraction(16),
            "the largest ratio, so that every order has D ≤ ln 16, and ρ·α is at least that where α ≥ 1",
        ),
    )


SIXTEEN: Law = {0: Fraction(16, 17), 1: Fraction(1, 17)}
ONE_TO_SIXTEEN: Law = {0: Fraction(1, 17), 1: Fraction(16, 17)}


def pure_is_concentrated_without_rho() -> Steps:
    """The largest ratio is at most E where all E[e^(sL)] ≤ E^s; and some s fails where it is larger."""

    def same(p: Law, q: Law, e: Fraction) -> bool:
        largest = max(p[o] / q[o] for o in OUTPUTS if p[o])
        return (largest <= e) == all(power_mean(p, q, s) <= e**s for s in (1, 2, 4, 8, 16))

    x, y, w, k, p, bound = z3.Reals("x y w k p bound")
    return (
        unsatisfiable(
            [w >= 0, w <= 1, x <= bound, y <= bound, w * x + (1 - w) * y > bound],
            "every mean of powers of ratios is at most the largest one",
        ),
        unsatisfiable(
            [x >= 0, k >= 0, y >= 1 + k * x, y * (1 + x) < 1 + (k + 1) * x],
            "every power of 1 + x, x ≥ 0: from k to k + 1, (1 + x)^k ≥ 1 + k·x",
        ),
        unsatisfiable(
            [p > 0, x > 0, k * p * x >= 1, y >= 1 + k * x, p * y <= 1],
            "every output of probability p and ratio E·(1 + x): p·(1 + x)^k > 1 from k = 1/(p·x) on",
        ),
        for_all(
            [(p, q, e) for p, q in ABSOLUTE for e in RATIOS],
            same,
            "the largest ratio is at most e^ε, and E[e^(sL)] ≤ e^(sε) for s = 1, 2, 4, 8, 16",
        ),
    )


def without_its_delta() -> Steps:
    """Losses ±ln 1000 are ε-DP with ε = ln 1000 = √(ρ·log(1/δ)) for ρ = 1 and some δ > 0; ξ = 0.

    The conclusion as printed asks D ≤ 5 - 1/4 + α/4 for all orders α; at α = 2 that is 21/4 < 6·ln 3.
    """
    x = Fraction(1000)
    order_2 = (x**2 - x + 1) / x
    _, high = exp_bracket(ONE)
    claimed = 5 - QUARTER + HALF
    return (
        equal(claimed, Fraction(21, 4), "ξ - ρ/4 + 5·ρ^(1/4) + ρ/4·α at ξ = 0, ρ = 1, α = 2"),
        less(high, Fraction(3), "e"),
        less(Fraction(3) ** 6, order_2, "e^6 < 3^6, and e^D of order 2"),
    )


def truncated_as_printed() -> Steps:
    """As printed, with log 1, truncated concentrated privacy gives too small an ε: ε̂ = 1 + 2·√(log 1) = 1.

    ρ = 1, ω = 3, δ = 1/20. Losses ±ln 3 are (1, ω)-truncated, and their smallest δ at ε = 1 is above 1/20.
    """
    low, high = exp_bracket(ONE)
    order_2 = power_mean(TRUTHFUL, CHANGED, 1)
    fourth, _ = exp_bracket(Fraction(2))
    return (
        equal(order_2, Fraction(7, 3), "e^D of order 2"),
        less(order_2, low, "and e: orders up to 2 have D ≤ 1 ≤ ρ·α"),
        less(Fraction(3), fourth, "e to the largest loss, and e²: orders from 2 on have D ≤ ρ·α"),
        less(Fraction(20), fourth**2, "1/δ, and e^((ω - 1)²·ρ) = e^4: the first case applies"),
        less(Fraction(1, 20), Fraction(3, 4) - high / 4, "1/20, and the smallest δ at ε = 1, 3/4 - e/4"),
    )


def truncated_restored() -> Steps:
    """P[L > ε] ≤ E[e^(sL)]·e^(-sε) ≤ e^(s·ρ·(1 + s) - s·ε); the exponent is log δ at the printed ε with log(1/δ)."""
    rho, log, omega = sympy.symbols("rho ell omega", positive=True)
    step = sympy.sqrt(log / rho)
    first = rho + 2 * sympy.sqrt(rho * log)
    second = rho * omega + log / (omega - 1)
    cut = omega - 1
    return (
        identity(step * rho * (1 + step) - step * first, -log, "s = √(log(1/δ)/ρ), the exponent for every ρ and δ"),
        identity(cut * rho * (1 + cut) - cut * second, -log, "s = ω - 1, the exponent for every ρ, ω and δ"),
        identity((step**2 - log / rho), sympy.Integer(0), "s ≤ ω - 1 where log(1/δ) ≤ (ω - 1)²·ρ, as s² = log(1/δ)/ρ"),
    )


def root_of_a_negative_number() -> Steps:
    """ρ = 1/100, δ = 1/2: π·ρ < 4/100, so min(1, √(π·ρ)) < δ, and the logarithm under the root is negative."""
    return (less(4 * Fraction(1, 100), HALF**2, "π·ρ < 4·ρ, and δ²: √(π·ρ)/δ is below 1"),)


def root_by_archimedes() -> Steps:
    """A second code: π < 22/7, so that √(π·ρ) < 18/100 at ρ = 1/100, and the quotient by δ = 1/2 is below 1."""
    square = Fraction(22, 7) / 100
    return (
        less(square, Fraction(18, 100) ** 2, "22/7·ρ, and (18/100)²"),
        less(Fraction(18, 100) / HALF, ONE, "18/100 through δ, so that its logarithm is negative"),
    )


def kullback_leibler() -> Steps:
    """The mean of losses ±ln 3 with chances 3/4 and 1/4 is ln(3)/2; an output of the first law alone makes it ∞."""
    exponents = {Fraction(3): ONE, Fraction(1, 3): -ONE}
    mean = total(p * exponents[p / CHANGED[o]] for o, p in TRUTHFUL.items())
    return (
        equal(mean, HALF, "the mean of the loss, as a multiple of ln 3"),
        equal(
            [o for o, p in {"u": HALF, "v": HALF}.items() if p and o != "u"],
            ["v"],
            "outputs of the first law that the second, u alone, never has",
        ),
    )


def relative_strength() -> Steps:
    """Being stronger (Definitions 5 and 6) is reflexive and transitive, for all families of sets of two mechanisms.

    A definition is a family, and each of its parameters the set of the mechanisms that satisfy it.
    """
    sets = [frozenset(part) for part in subsets((0, 1))]
    families = [family for family in subsets(sets) if family]

    def stronger(first: tuple[frozenset[int], ...], second: tuple[frozenset[int], ...]) -> bool:
        return all(any(a <= b for b in second) for a in first) and all(any(a <= b for a in first) for b in second)

    table = {(a, b): stronger(a, b) for a, b in product(families, repeat=2)}
    extreme = [family for family in families if sets[0] in family and sets[-1] in family]
    return (
        every_case(families, lambda a: table[a, a], "every definition is stronger than itself"),
        for_all(
            product(families, repeat=3),
            lambda a, b, c: table[a, c] or not (table[a, b] and table[b, c]),
            "of every three definitions: transitive",
        ),
        for_all(
            product(extreme, repeat=2),
            lambda a, b: table[a, b],
            "every two definitions with a parameter that nothing satisfies and one that everything does are equivalent",
        ),
    )


def orders_below_one_by_roots() -> Steps:
    """A second code, with roots: Σ p^(1/2)·q^(1/2) for p = 16/17 and q = 1/17, and e^(-ρ/4) = 16^(-1/4)."""
    p, q = sympy.Rational(16, 17), sympy.Rational(1, 17)
    affinity = sympy.sqrt(p * q) + sympy.sqrt(q * p)
    bound = sympy.Integer(16) ** sympy.Rational(-1, 4)
    return (
        equal(affinity, sympy.Rational(8, 17), "E[e^(-L/2)]"),
        equal(bound, sympy.Rational(1, 2), "e^(-(ρ/2)/2) for ρ = ln 16"),
        less(affinity, bound, "E[e^(-L/2)] and that bound: the divergence of order 1/2 is above ρ/2"),
        equal(
            sympy.Integer(4) ** sympy.Rational(-1, 2),
            sympy.Rational(1, 2),
            "e^(-ε/2) at ε = ln 4, below E[e^0] = 1 of a constant",
        ),
    )
