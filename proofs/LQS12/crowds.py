"""The numbers of section 3.3: d(k, β, ε), Table 2, and the sentences about Figures 2 to 6.

d is the largest T(n, j) = P[X ≥ j] over the n ≥ ⌈k/γ - 1⌉, X binomial with n trials, j the smallest whole number above
γn. For each j ≥ k the largest n with γn < j, ⌈j/γ⌉ - 1, has the largest T: so d is a maximum over j, and over finitely
many, since T(n, j) ≤ (1 - β + βs)^n/s^j for every s ≥ 1 (Markov), and n < j/γ.
"""

from __future__ import annotations

from fractions import Fraction
from functools import cache
from itertools import pairwise
from math import ceil

import z3

from verifier.wings.papers.ledger.laws import (
    HALF,
    ONE,
    QUARTER,
    ZERO,
    exp_bracket,
    tail,
)
from verifier.wings.papers.ledger.steps import Steps, Underived, equal, every_case, for_all, less, unsatisfiable

STEP = 16
"""The denominator of the rational number above 1/γ."""


@cache
def crowd(k: int, rate: Fraction, low: Fraction, high: Fraction) -> tuple[Fraction, int, int]:
    """The number d(k, β, ε) for low ≤ e^ε ≤ high, with the j and n where it is first attained."""
    ends = 1 - (1 - rate) / low, 1 - (1 - rate) / high
    s = (ends[0] * (1 - rate) / (rate * (1 - ends[0]))).limit_denominator(40)
    shrinks = (1 - rate + rate * s) ** ceil(STEP / ends[0]) / s**STEP
    if s <= 1 or shrinks >= 1:
        raise Underived(f"no bound on the tails for k = {k}, β = {rate}")
    best, where, j = ZERO, (0, 0), k
    while not best or shrinks**j > best**STEP:
        sizes = {ceil(j / gamma) - 1 for gamma in ends}
        if len(sizes) > 1:
            raise Underived(f"⌈{j}/γ⌉ is not decided")
        n = sizes.pop()
        probability = tail(j, n, rate)
        if probability > best:
            best, where = probability, (j, n)
        j += 1
    return best, *where


def d(k: int, rate: str, epsilon: str) -> Fraction:
    """The δ that Theorem 3.9 claims at k, β and ε in nats; β and ε are texts of decimals."""
    return crowd(k, Fraction(rate), *exp_bracket(Fraction(epsilon)))[0]


def of_factor(k: int, rate: Fraction, factor: Fraction | int) -> tuple[Fraction, int, int]:
    """The number d(k, β, ε) for a rational e^ε, with the j and n where it is first attained."""
    return crowd(k, rate, Fraction(factor), Fraction(factor))


# --- Table 2 ----------------------------------------------------------------------------------------------

EPSILONS = ("0.25", "0.5", "0.75", "1.0", "1.5", "2.0")
TABLE = {
    "0.05": ("6.83e-10", "2.50e-14", "3.19e-17", "1.76e-19", "3.97e-22", "2.00e-24"),
    "0.1": ("4.19e-06", "1.61e-09", "3.44e-12", "4.07e-14", "3.22e-16", "1.89e-18"),
    "0.2": ("2.16e-03", "8.02e-06", "1.89e-07", "6.03e-09", "4.79e-11", "1.59e-12"),
}


def _row(rate: str) -> Steps:
    """Each cell is d rounded to three digits: not more than half a unit of the third away, and not a tie."""
    steps = []
    for epsilon, printed in zip(EPSILONS, TABLE[rate], strict=True):
        half = Fraction("1e" + printed.partition("e")[2]) / 200
        away = abs(d(20, rate, epsilon) - Fraction(printed))
        met = exp_bracket(Fraction(epsilon))[0] * (1 - Fraction(rate)) >= 1
        steps.append(equal(met, True, f"β = {rate}, ε = {epsilon}: ε ≥ -ln(1 - β)"))
        steps.append(equal(crowd(20, Fraction(rate), *exp_bracket(Fraction(epsilon)))[1], 20, "attained at j = k"))
        steps.append(equal(away < half, True, f"β = {rate}, ε = {epsilon}: d rounds to {printed}"))
    return tuple(steps)


def table_2_row_1() -> Steps:
    """The row β = 0.05 of Table 2, k = 20: each cell is d(20, β, ε), rounded to three digits."""
    return _row("0.05")


def table_2_row_2() -> Steps:
    """The row β = 0.1 of Table 2, k = 20: each cell is d(20, β, ε), rounded to three digits."""
    return _row("0.1")


def table_2_row_3() -> Steps:
    """The row β = 0.2 of Table 2, k = 20: each cell is d(20, β, ε), rounded to three digits."""
    return _row("0.2")


def table_2_is_no_smallest_delta() -> Steps:
    """At ε = 1 the smallest δ of (ε, δ)-DP is less than a 20th, 14th and 20th of the cells, for all n.

    For n equal tuples against n - 1 it is Σ f(j; n) - e·f(j; n - 1) over the bad j, at most T(n, j), j the smallest.
    """
    steps = []
    for rate, times in (("0.05", 20), ("0.1", 14), ("0.2", 20)):
        b, (low, high) = Fraction(rate), exp_bracket(ONE)
        wanted = d(20, rate, "1") / times
        gammas = 1 - (1 - b) / low, 1 - (1 - b) / high
        n, j, largest = 20, 20, ZERO
        while tail(j, ceil(j / gammas[0]) - 1, b) >= wanted or j < 40:
            while n < ceil(j / gammas[1]):
                largest = max(largest, tail(j, n, b) - low * tail(j, n - 1, b))
                n += 1
            j += 1
        steps.append(equal(largest < wanted, True, f"β = {rate}: {times} times the smallest δ is below d, for n < {n}"))
        steps.append(equal(crowd(j, b, low, high)[0] < wanted, True, "and T(n, j) alone is below it from there on"))
    return tuple(steps)


def table_2_falls() -> Steps:
    """In the table δ falls in each row, and from each row to the one above, in the exact numbers too."""
    exact = {rate: [d(20, rate, epsilon) for epsilon in EPSILONS] for rate in TABLE}
    rows = [(row[c], row[c + 1]) for row in exact.values() for c in range(5)]
    columns = [(exact[more][c], exact[fewer][c]) for more, fewer in (("0.1", "0.05"), ("0.2", "0.1")) for c in range(6)]
    largest_first = [exact["0.2"][0], Fraction("0.2")]
    return (
        for_all(rows, lambda delta, next_delta: next_delta < delta, "δ falls as ε grows"),
        for_all(columns, lambda more, fewer: fewer < more, "δ falls as β falls"),
        less(largest_first[0], largest_first[1], "the largest δ of the table and its β"),
    )


# --- monotony ---------------------------------------------------------------------------------------------


def falls_in_epsilon() -> Steps:
    """Larger ε, larger γ: for each j the largest n with γn < j does not grow, and T(n, j) grows with n."""
    b, low, high, j, n = z3.Reals("b E F j n")
    base = [b > 0, b < 1, low >= 1, high >= low, n >= 0, j > 0]
    larger, smaller = high - 1 + b, low - 1 + b
    return (
        unsatisfiable([*base, larger * low < smaller * high], "γ = (e^ε - 1 + β)/e^ε grows with ε"),
        unsatisfiable(
            [*base, larger * n < j * high, smaller * n >= j * low], "γ(ε′)·n < j for the larger ε′ gives γ(ε)·n < j"
        ),
    )


def not_strictly_in_epsilon() -> Steps:
    """d(2, 1/2, ln 2) = d(2, 1/2, ln 3) = 1/4: it falls in steps, and never below T(k, k) = β^k."""
    floors = [(k, Fraction(1, m), Fraction(e)) for k in range(1, 7) for m in (2, 5, 10) for e in (3, 20, 1000)]
    return (
        equal(of_factor(2, HALF, 2)[0], QUARTER, "d(2, 1/2, ln 2)"),
        equal(of_factor(2, HALF, 3)[0], QUARTER, "d(2, 1/2, ln 3)"),
        for_all(
            floors, lambda k, rate, e: of_factor(k, rate, e)[0] >= rate**k, "d(k, β, ε) ≥ β^k, since ⌈k/γ⌉ - 1 ≥ k"
        ),
        equal(of_factor(20, Fraction(1, 10), 1000)[0], Fraction(1, 10**20), "d(20, 1/10, ln 1000)"),
    )


def grows_while_the_rate_falls() -> Steps:
    """Where β falls, γ falls, and larger crowds count as bad: d jumps up. k = 2, ε = ln 2; and k = 20, ε = 1."""
    third, less_than_it = Fraction(1, 3), Fraction(8, 25)
    return (
        less(less_than_it, third, "the two rates"),
        less(of_factor(2, third, 2)[0], of_factor(2, less_than_it, 2)[0], "d(2, 1/3, ln 2) and d(2, 8/25, ln 2)"),
        less(of_factor(2, less_than_it, 2)[0], less_than_it, "both are below β"),
        equal(2 * d(20, "0.157", "1") < d(20, "0.156", "1"), True, "2·d(20, 0.157, 1) < d(20, 0.156, 1)"),
    )


def falls_in_k() -> Steps:
    """d(k + 1) ≤ d(k): the maximum is over the j ≥ k, and so over fewer; checked at the plotted points as well."""
    cases = [(rate, epsilon, k) for rate in ("0.05", "0.2") for epsilon in ("0.5", "1", "2") for k in range(1, 20)]
    first, later, largest = z3.Reals("x r m")
    maximum = largest == z3.If(first > later, first, later)
    return (
        unsatisfiable([maximum, later > largest], "the largest over j ≥ k + 1 is at most the largest over j ≥ k"),
        for_all(cases, lambda rate, e, k: d(k + 1, rate, e) <= d(k, rate, e), "d(k + 1) ≤ d(k)"),
    )


def not_at_the_smallest_crowd() -> Steps:
    """At k = 2, β = 2/5, e^ε = 2: γ = 7/10, n_m = 2 with T = 4/25, and n = 4 with T(4, 3) = 112/625."""
    rate, gamma = Fraction(2, 5), Fraction(7, 10)
    attained = of_factor(2, rate, 2)
    return (
        equal(1 - (1 - rate) / 2, gamma, "γ"),
        equal(ceil(2 / gamma - 1), 2, "n_m"),
        equal(tail(2, 2, rate), Fraction(4, 25), "T at n_m"),
        less(tail(2, 2, rate), tail(3, 4, rate), "T at n_m, and at n = 4 = ⌈3/γ - 1⌉"),
        equal(attained, (Fraction(112, 625), 3, 4), "d with its j and n"),
    )


# --- sentences about the figures --------------------------------------------------------------------------


def figure_2_ten_more() -> Steps:
    """At β = 0.2 and ε = 2, k + 10 in the place of k multiplies δ by 1.7·10⁻⁶ to 1.6·10⁻⁵."""
    at = {k: d(k, "0.2", "2") for k in (10, 20, 30, 40, 50)}
    steps = [(at[k], at[k + 10]) for k in (10, 20, 30, 40)]
    low, high = Fraction("1e-6"), Fraction("2e-5")
    return (
        for_all(
            steps, lambda early, late: low < late / early < high, "10⁻⁶ < d(k + 10)/d(k) < 2·10⁻⁵, k = 10, 20, 30, 40"
        ),
        *(
            equal(round(late / early, places), Fraction(ratio), f"the ratio to two digits, {ratio}")
            for (early, late), ratio, places in zip(
                steps, ("1.7e-6", "1.9e-6", "2.0e-6", "1.6e-5"), (7, 7, 7, 6), strict=True
            )
        ),
    )


def figure_2_difference() -> Steps:
    """δ cannot go down by 10⁻⁵ from k = 10 on, since it is smaller there."""
    return (
        less(d(10, "0.2", "2"), Fraction("1e-6"), "d(10, 0.2, 2)"),
        equal(d(10, "0.2", "2") - Fraction("1e-5") < 0, True, "10⁻⁵ less would be below 0"),
    )


def figure_2_close_to_exponential() -> Steps:
    """For each ε of the grid, ln(1/δ) per unit of k, between the plotted k, varies by a factor of less than 2."""

    def slopes(epsilon: str) -> list[tuple[Fraction, int]]:
        at = [(k, d(k, "0.2", epsilon)) for k in (5, 10, 20, 30, 50)]
        return [(delta / smaller, more - k) for (k, delta), (more, smaller) in pairwise(at)]

    all_slopes = [slopes(epsilon) for epsilon in ("0.25", "0.5", "1", "1.5", "2")]
    cases = [(slope, other_slope) for listed in all_slopes for slope in listed for other_slope in listed]
    return (
        for_all(
            cases,
            lambda slope, other_slope: slope[0] ** other_slope[1] < other_slope[0] ** (2 * slope[1]),
            "one slope is less than twice another",
        ),
    )


RATES = ("0.05", "0.1", "0.2", "0.3", "0.4")


def figure_3_rates() -> Steps:
    """At k = 20, from each plotted β to the next smaller one δ falls, at ε = 3/4 and 1 by a factor of more than 20."""
    near = [(e, RATES[c], RATES[c + 1]) for e in ("0.75", "1") for c in range(4)]
    cases = [(e, RATES[c], RATES[c + 1]) for e in ("0.55", "0.75", "1", "1.5", "2") for c in range(4)]
    return (
        for_all(cases, lambda e, less_, more: d(20, less_, e) < d(20, more, e), "δ falls with β"),
        for_all(near, lambda e, less_, more: 20 * d(20, less_, e) < d(20, more, e), "by a factor of more than 20"),
    )


PAIRS = ((15, "0.05"), (22, "0.1"), (35, "0.2"), (60, "0.4"))


def figure_4_far_apart() -> Steps:
    """The four pairs (k, β) at one ε: from 15, 0.05 to 60, 0.4 δ grows by more than 600 at ε = 1, and 10,000 at 3/4."""

    def spread(epsilon: str) -> Fraction:
        deltas = [d(k, rate, epsilon) for k, rate in PAIRS]
        return max(deltas) / min(deltas)

    return (
        less(600, d(60, "0.4", "1") / d(15, "0.05", "1"), "at ε = 1, the last pair over the first"),
        less(10_000, spread("0.75"), "at ε = 3/4, the largest over the smallest"),
        less(100, spread("2"), "at ε = 2, the largest over the smallest"),
        every_case(
            ("0.6", "0.75", "1", "1.5", "2"),
            lambda epsilon: spread(epsilon) < 40_000,
            "never more than 40,000 on the grid",
        ),
    )


SMALL = "0.025"


def figure_5_one() -> Steps:
    """At k = 1, β = 0.025: d ≥ β always; d = β at e^ε = 39/20 and at ε = 1, 3/2, 2; more below, as at ε = 1/2."""
    rate = Fraction(SMALL)
    return (
        equal(of_factor(1, rate, Fraction(39, 20))[0], rate, "d(1, 0.025, ln(39/20))"),
        every_case(("1", "1.5", "2"), lambda epsilon: d(1, SMALL, epsilon) == rate, "d(1, 0.025, ε) = β"),
        less(rate, d(1, SMALL, "0.5"), "β and d(1, 0.025, 1/2)"),
        less(rate, of_factor(1, rate, Fraction(38, 20))[0], "β and d(1, 0.025, ln(38/20))"),
    )


def figure_5_two_and_more() -> Steps:
    """At ε = 2: 0.025^k for k = 2, 3, 4, 5, all below 0.001."""
    deltas = [d(k, SMALL, "2") for k in (2, 3, 4, 5)]
    return (
        equal(deltas[0], Fraction(1, 1600), "d(2, 0.025, 2)"),
        every_case(range(4), lambda c: deltas[c] == Fraction(SMALL) ** (c + 2), "d(k, 0.025, 2) = 0.025^k"),
        less(deltas[0], Fraction("0.001"), "the largest of them"),
    )


MILLIONTH = Fraction("1e-6")


def figure_6_rates() -> Steps:
    """The ε for k = 20 and δ ≤ 10⁻⁶: below 1/4 at β = 0.05, from 1/4 to 1/2 at 0.1, from 1/2 to 3/4 at 0.2."""
    return (
        equal(d(20, "0.05", "0.25") < MILLIONTH, True, "d(20, 0.05, 1/4) < 10⁻⁶"),
        equal(d(20, "0.1", "0.25") > MILLIONTH > d(20, "0.1", "0.5"), True, "d(20, 0.1, 1/4) > 10⁻⁶ > d(20, 0.1, 1/2)"),
        equal(d(20, "0.2", "0.5") > MILLIONTH > d(20, "0.2", "0.75"), True, "d(20, 0.2, 1/2) > 10⁻⁶ > d(20, 0.2, 3/4)"),
    )


def figure_6_too_few() -> Steps:
    """Below k = 5, 6 and 9 no ε has δ ≤ 10⁻⁶ at β = 0.05, 0.1 and 0.2, since d ≥ β^k."""
    least = (("0.05", 5), ("0.1", 6), ("0.2", 9))
    return (
        for_all(least, lambda rate, k: Fraction(rate) ** (k - 1) >= MILLIONTH, "β^(k - 1) ≥ 10⁻⁶"),
        for_all(least, lambda rate, k: Fraction(rate) ** k <= MILLIONTH, "β^k ≤ 10⁻⁶"),
    )
