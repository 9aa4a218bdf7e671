"""What a privacy notion keeps: post-processing, a random choice, likely losses, posteriors (sections 2.1, 2.5 and 4).

p and q are the probabilities of one output on two neighbouring data sets, f is how likely an event is after it.
"""

from __future__ import annotations

from fractions import Fraction
from itertools import product

import z3

from verifier.wings.papers.ledger.laws import HALF, ONE, QUARTER, ZERO, Law, loss_tail, mass, mixed, subsets
from verifier.wings.papers.ledger.steps import Steps, equal, for_all, less, unsatisfiable


def largest_event(law: Law, other_law: Law, factor: int) -> Fraction:
    """The smallest δ at e^ε = E: the largest P(O) - E·Q(O) over all events O."""
    return max(mass(law, event) - factor * mass(other_law, event) for event in subsets([*{**law, **other_law}]))


def post_processing() -> Steps:
    """Theorem 2: f·(p - E·q) ≤ max(0, p - E·q) for each output.

    The sum of the right sides is P(O) - E·Q(O) ≤ δ for O = S₁.
    """
    p, q, f, e, part = z3.Reals("p q f E r")
    base = [p >= 0, q >= 0, f >= 0, f <= 1, e >= 1]
    return (
        unsatisfiable([*base, p > e * q, f * p - e * f * q > p - e * q], "on S₁, where p > E·q: f·(p - E·q) ≤ p - E·q"),
        unsatisfiable([*base, p <= e * q, f * p - e * f * q > 0], "on S₂, where p ≤ E·q: f·(p - E·q) ≤ 0"),
        unsatisfiable([*base, p > e * q, p * (1 - f) < e * q * (1 - f)], "on S₁: p(1 - f) ≥ E·q(1 - f)"),
        unsatisfiable([part > 0, f >= 0, f <= 1, f * part > part], "and so no event has more after a further step"),
    )


def strict_where_nothing_is_left() -> Steps:
    """Printed: p(1 - f) > E·q(1 - f) on S₁, and the same for the sums. Where f = 1 both sides are 0."""
    p, q, e, f = Fraction(3, 4), QUARTER, Fraction(2), ONE
    return (
        less(e * q, p, "the output is in S₁: E·q and p"),
        equal(
            p * (1 - f) > e * q * (1 - f),
            False,
            "p(1 - f) > E·q(1 - f), where the further step always puts out the event",
        ),
    )


def single_outputs_are_enough() -> Steps:
    """Definition 1: p ≤ E·q for each output gives P(O) ≤ E·Q(O) for each event; (ε, 0)-DP is the same."""
    p, q, r, s, e, d = z3.Reals("p q r s E d")
    return (
        unsatisfiable([e >= 1, p <= e * q, r <= e * s, p + r > e * (q + s)], "p ≤ E·q and r ≤ E·s add up"),
        unsatisfiable([d == 0, (p <= e * q) != (p <= e * q + d)], "P(O) ≤ E·Q(O) is P(O) ≤ E·Q(O) + δ at δ = 0"),
        unsatisfiable([d >= 0, p <= e * q, p > e * q + d], "and gives P(O) ≤ E·Q(O) + δ for every δ ≥ 0"),
    )


def random_choice() -> Steps:
    """Theorem 2.4: P = c·P₁ + (1 - c)·P₂, each with P_i(O) ≤ E·Q_i(O) + δ."""
    p_1, p_2, q_1, q_2, c, e, d = z3.Reals("P1 P2 Q1 Q2 c E d")
    hypotheses = [c >= 0, c <= 1, p_1 <= e * q_1 + d, p_2 <= e * q_2 + d]
    wrong = c * p_1 + (1 - c) * p_2 > e * (c * q_1 + (1 - c) * q_2) + d
    return (unsatisfiable([*hypotheses, wrong], "c·P₁ + (1 - c)·P₂ ≤ E·(c·Q₁ + (1 - c)·Q₂) + δ"),)


def choice_is_no_better() -> Steps:
    """The constants of Theorem 2.4 are attained: two equal algorithms, or c = 1."""
    law, other_law = {"a": Fraction(3, 4), "b": QUARTER}, {"a": QUARTER, "b": Fraction(3, 4)}
    return (
        equal(
            largest_event(mixed(law, law, HALF), mixed(other_law, other_law, HALF), 2),
            largest_event(law, other_law, 2),
            "δ of a choice of two equal algorithms, and of each",
        ),
    )


def single_outputs_are_no_events() -> Steps:
    """With O ∈ Range as printed: single outputs may fit in both orders, and an event of two not; δ = 1/4 at ε = 0."""
    law, other_law = dict.fromkeys("abcd", QUARTER), dict.fromkeys("ab", HALF)
    single = max(abs(law[o] - other_law.get(o, ZERO)) for o in law)
    laws = "P = (1/4, 1/4, 1/4, 1/4), Q = (1/2, 1/2, 0, 0)"
    return (
        equal(single, QUARTER, f"{laws}: the largest |P(o) - Q(o)| of a single output"),
        equal(largest_event(law, other_law, 1), HALF, "the largest P(O) - Q(O), of two outputs"),
        equal(largest_event(other_law, law, 1), HALF, "the largest Q(O) - P(O), of two outputs"),
    )


def likely_losses_are_bounded() -> Steps:
    """If p ≤ E·q outside outputs of probability at most δ, then P(O) ≤ E·Q(O) + δ. The converse is false.

    ε = ln 2, δ = 1/4: P(a) = 3/4, Q(a) = 1/4 has 3/4 - 2/4 = 1/4, but the loss is above ε with probability 3/4.
    """
    good, bad, good_other, bad_other, e, d = z3.Reals("Pg Pb Qg Qb E d")
    hypotheses = [good <= e * good_other, bad_other >= 0, bad <= d, e >= 1]
    law, other_law = {"a": Fraction(3, 4), "b": QUARTER}, {"a": QUARTER, "b": Fraction(3, 4)}
    beyond = loss_tail(law, other_law, 2)
    return (
        unsatisfiable(
            [*hypotheses, good + bad > e * (good_other + bad_other) + d], "P(O) = P(O, good) + P(O, bad) ≤ E·Q(O) + δ"
        ),
        equal(largest_event(law, other_law, 2), QUARTER, "(ln 2, 1/4) as Definition 2 asks, by all events"),
        equal(law["a"] / other_law["a"], Fraction(3), "e to the loss at a"),
        less(QUARTER, beyond, "δ and the probability of a loss above ln 2"),
    )


def error_part() -> Steps:
    """(ε, δ)-DP in one order: P is a part that is at most E·Q, and a rest of probability δ; no smaller rest will do.

    For each output min(p, E·q) and max(0, p - E·q); the sum of the second is the largest P(O) - E·Q(O).
    """
    p, q, e, part, remainder, t = z3.Reals("p q E kept rest t")
    base = [p >= 0, q >= 0, e >= 1]
    most, over = z3.If(p > e * q, e * q, p), z3.If(p > e * q, p - e * q, z3.RealVal(0))
    return (
        unsatisfiable([*base, z3.Or(most + over != p, most > e * q, most < 0, over < 0)], "p = min(p, E·q) + the rest"),
        unsatisfiable(
            [*base, part + remainder == p, part <= e * q, remainder >= 0, remainder < over],
            "no smaller rest leaves at most E·q",
        ),
        unsatisfiable([*base, z3.Or(t == 0, t == 1), t * (p - e * q) > over], "P(O) - E·Q(O) is at most the rest"),
        unsatisfiable(
            [*base, t == z3.If(p > e * q, z3.RealVal(1), 0), t * (p - e * q) != over], "and the event p > E·q has it"
        ),
    )


def error_probability() -> Steps:
    """Definition 2 does not bound P[loss > ε] by δ, but P[loss > ε′] by δ/(1 - e^(ε - ε′)) for ε′ > ε.

    For the outputs B with p > E′·q: δ ≥ P(B) - E·Q(B) ≥ P(B)·(1 - E/E′).
    """
    p, q, e, larger, d = z3.Reals("P Q E F d")
    law, other_law = {"a": Fraction(3, 4), "b": QUARTER}, {"a": QUARTER, "b": Fraction(3, 4)}
    beyond = loss_tail(law, other_law, 2)
    return (
        equal(
            max(largest_event(law, other_law, 2), largest_event(other_law, law, 2)),
            QUARTER,
            "both orders are (ln 2, 1/4)",
        ),
        less(QUARTER, beyond, "δ and the probability of a loss above ln 2"),
        unsatisfiable(
            [p >= 0, q >= 0, e >= 1, larger > e, p > larger * q, p - e * q <= d, p * (larger - e) > d * larger],
            "P(B)·(1 - E/E′) ≤ δ",
        ),
    )


def posterior_odds() -> Steps:
    """ε-DP, everything else known: the odds of "t is in" change by at most e^ε; and by any finite factor without it."""
    a, p, q, e = z3.Reals("a p q E")
    base = [a > 0, a < 1, p > 0, q > 0, e >= 1, p <= e * q, q <= e * p]
    return (
        unsatisfiable([*base, (a * p) * (1 - a) > e * a * ((1 - a) * q)], "posterior odds ≤ E · prior odds"),
        unsatisfiable([*base, (a * p) * (1 - a) * e < a * ((1 - a) * q)], "posterior odds ≥ prior odds / E"),
    )


def full_identifiers_are_stronger() -> Steps:
    """Equal in all attributes is equal in some: a tuple's crowd only grows when attributes are left out.

    One tuple of the table at a time, for any attributes; and in full for all tables of up to 4 tuples with two
    attributes of two values, and all choices of attributes.
    """
    kept_equal, others_equal = z3.Bools("kept others")
    crowd, larger = z3.Ints("c d")
    one_more = z3.If(z3.And(kept_equal, others_equal), 1, 0), z3.If(kept_equal, 1, 0)
    tuples = list(product("ab", "xy"))
    cases = [
        (table, attributes)
        for n in range(5)
        for table in product(tuples, repeat=n)
        for attributes in ((), (0,), (1,), (0, 1))
    ]

    def grows(table: tuple[tuple[str, str], ...], attributes: tuple[int, ...]) -> bool:
        projected = [tuple(row[a] for a in attributes) for row in table]
        return all(table.count(row) <= projected.count(part) for row, part in zip(table, projected, strict=True))

    return (
        unsatisfiable(
            [crowd <= larger, crowd + one_more[0] > larger + one_more[1]],
            "one tuple more: who is equal in the kept attributes and in the others is equal in the kept ones",
        ),
        for_all(cases, grows, "no crowd is smaller after a projection"),
    )


def chosen_attributes_are_weaker() -> Steps:
    """Two tuples that agree in one attribute: 2-anonymous for it, and not for both."""
    table = [("a", "x"), ("a", "y")]
    firsts = [row[0] for row in table]
    return (
        equal(min(firsts.count(attribute) for attribute in firsts), 2, "the smallest crowd for the first attribute"),
        equal(min(table.count(row) for row in table), 1, "the smallest crowd for both"),
    )
