"""Theorem 3.11: a recoding that an ε₁-DP algorithm chooses. Its refutation from the definitions alone, and two repairs.

Everything is computed here from the sample on: each part of D with its probability, the choice, the published table.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from fractions import Fraction
from itertools import combinations, combinations_with_replacement, compress, product
from math import ceil, comb

import sympy
import z3

from verifier.wings.papers.ledger.laws import (
    HALF,
    ONE,
    QUARTER,
    ZERO,
    Law,
    either_excess,
    mixture,
    pushforward,
    tail,
    votes,
)
from verifier.wings.papers.ledger.steps import Steps, equal, for_all, identity, less, positive, unsatisfiable

Tuples = tuple[str, ...]
Choose = Callable[[Tuples], dict[str, Fraction]]
Maps = dict[str, dict[str, str]]


def largest_tail(k: int, rate: Fraction, gamma: Fraction) -> Fraction:
    """The largest T(⌈j/γ⌉ - 1, j) for k ≤ j < k + 25; those after it are smaller (Markov) for the values used here."""
    return max(tail(j, ceil(j / gamma) - 1, rate) for j in range(k, k + 25))


def published(database: Tuples, choose: Choose, maps: Maps, k: int, rate: Fraction) -> Law:
    """The law of the table: sample, choose a recoding on the sample, recode, leave out what appears too rarely."""

    def table(sampled: tuple[int, ...]) -> Law:
        sample = tuple(compress(database, sampled))
        tables = {name: [maps[name][value] for value in sample] for name in maps}
        return pushforward(
            choose(sample), lambda name: tuple(sorted(row for row in tables[name] if tables[name].count(row) >= k))
        )

    return mixture(votes([rate] * len(database)), table)


def neighbours(values: str, most: int) -> Iterator[tuple[Tuples, Tuples]]:
    """All pairs of a database and the database with one tuple more, up to `most` tuples."""
    for size in range(most):
        for database in combinations_with_replacement(values, size):
            yield from ((database, tuple(sorted((*database, value)))) for value in values)


def preferring(sample: Tuples) -> dict[str, Fraction]:
    """The law of a choice between two recodings: "first" has weight 2 where 1 was sampled, "second" where 2 was."""
    weights = {name: 2 if partner in sample else 1 for name, partner in (("first", "1"), ("second", "2"))}
    return {name: Fraction(weight, sum(weights.values())) for name, weight in weights.items()}


MERGING = {"first": {"t": "t1", "1": "t1", "2": "2"}, "second": {"t": "t2", "1": "1", "2": "t2"}}


def _factor(choose: Choose, values: str, most: int) -> Fraction:
    """The largest ratio of the choice's probabilities on neighbouring samples: e^ε₁."""
    return max(
        max(p[name] / q[name], q[name] / p[name])
        for smaller, larger in neighbours(values, most)
        for p, q in [(choose(smaller), choose(larger))]
        for name in p
    )


def counterexample() -> Steps:
    """With k = 2, β = 1/2, ε₁ = ln(3/2), ε = ln 3: claimed d(2, 1/2, ln 2) = 1/4, exact 7/24."""
    pairs = list(neighbours("12t", 3))
    laws = {database: published(database, preferring, MERGING, 2, HALF) for pair in pairs for database in pair}
    deltas = [either_excess(laws[a], laws[b], 3) for a, b in pairs]
    claimed = largest_tail(2, HALF, Fraction(3, 4))
    with_t = laws["1", "2", "t"]
    without = laws["1", "2"]
    return (
        equal(
            _factor(preferring, "12t", 3), Fraction(3, 2), "the choice: the largest ratio on neighbours, up to 3 tuples"
        ),
        equal(claimed, QUARTER, "d(2, 1/2, ln 2)"),
        equal(sum(p for o, p in with_t.items() if o), Fraction(7, 24), "a table with tuples, of {t, 1, 2}"),
        equal(sum(p for o, p in without.items() if o), ZERO, "a table with tuples, of {1, 2}"),
        equal(max(deltas), Fraction(7, 24), "the smallest δ at e^ε = 3 over all neighbours of up to 3 tuples"),
        less(claimed, max(deltas), "claimed and exact"),
    )


def chosen_before_sampling() -> Steps:
    """Where g is chosen on D itself, the printed numbers hold for (g, table): E₁ from the choice, E/E₁ from it."""
    p, q, r, s, e_1, e, b = z3.Reals("p q r s E1 E b")
    base = [p > 0, q > 0, r >= 0, s >= 0, e_1 >= 1, e >= 1, p <= e_1 * q, q <= e_1 * p, b > 0, b < 1]
    chances, bad, other_chance, top, worst = z3.Reals("c bad1 c2 bad2 worst")
    u, v, most, least = z3.Reals("u v most least")
    return (
        unsatisfiable([*base, r <= most * s, p * r > e_1 * most * q * s], "p·r ≤ E₁·(largest r_g)·q·s for each g"),
        unsatisfiable([*base, r >= least * s, e_1 * p * r < least * q * s], "p·r ≥ (smallest r_g)·q·s/E₁ for each g"),
        unsatisfiable([q <= most * p, v <= most * u, q + v > most * (p + u)], "such bounds add up over g, either way"),
        unsatisfiable([*base, r * e_1 <= e * s, p * r > e * q * s], "r_g ≤ e^(ε - ε₁): the ratio is at most e^ε"),
        unsatisfiable(
            [*base, r >= (1 - b) * s, e * (1 - b) >= e_1, q * s > e * p * r],
            "r_g ≥ 1 - β ≥ e^(ε₁ - ε): the other ratio is at most e^ε",
        ),
        unsatisfiable(
            [
                chances >= 0,
                other_chance >= 0,
                chances + other_chance == 1,
                bad <= worst,
                top <= worst,
                chances * bad + other_chance * top > worst,
            ],
            "Σ P[g]·P[bad | g] is at most the largest P[bad | g]",
        ),
    )


def exponential_choice() -> Steps:
    """The exponential mechanism: weights that one tuple changes by at most the factor F give an ε-DP choice, e^ε = F².

    P[g] = w/W, W the sum of all weights. With w = e^(ε·quality/2Δ), where a tuple moves a quality by ≤ Δ, F² = e^ε.
    """
    w, x, total_w, total_x, more, less_, factor = z3.Reals("w x W X v y F")
    epsilon, quality, change, total = positive("epsilon q Delta W")
    weight = sympy.exp(epsilon * quality / (2 * change)) / total
    moved = sympy.exp(epsilon * (quality + change) / (2 * change)) / total
    return (
        unsatisfiable(
            [total_w <= factor * total_x, more <= factor * less_, total_w + more > factor * (total_x + less_)],
            "W ≤ F·X, one recoding after the other",
        ),
        unsatisfiable(
            [
                factor >= 1, w >= 0, x > 0, total_w > 0, total_x > 0, w <= factor * x, total_x <= factor * total_w,
                w * total_x > factor * factor * x * total_w,
            ],
            "w ≤ F·x and X ≤ F·W give w/W ≤ F²·x/X",
        ),
        identity(moved / weight, sympy.exp(epsilon / 2), "the weight of a quality that is Δ higher: F = e^(ε/2)"),
    )  # fmt: skip


def every_recoding_has_its_own_ratio() -> Steps:
    """A.3 takes r(g) out of the sum over g. D = {t, u}, k = 2, β = 1/2: g merges t and u, or does not; a fair choice.

    For the empty table r is 3/4 where they are merged, and 1 where not: the ratio 7/8 is above e^0·3/4.
    """
    maps = {"merge": {"t": "tu", "u": "tu"}, "part": {"t": "t", "u": "u"}}

    def fair(_: Tuples) -> dict[str, Fraction]:
        return {"merge": HALF, "part": HALF}

    def empty(database: Tuples, name: str | None) -> Fraction:
        def chosen(_: Tuples) -> dict[str, Fraction]:
            return {str(name): ONE}

        return published(database, chosen if name else fair, maps, 2, HALF)[()]

    merged, part = (empty(("t", "u"), name) / empty(("u",), name) for name in maps)
    return (
        equal(merged, Fraction(3, 4), "r where t and u are merged"),
        equal(part, ONE, "r where they are not"),
        less(merged, empty(("t", "u"), None) / empty(("u",), None), "the first r and the ratio of the whole algorithm"),
        less(
            empty(("t", "u"), None) / empty(("u",), None), part, "that ratio, and the second r: no lower bound either"
        ),
    )


def printed_product_fails() -> Steps:
    """A.3 writes P[A(sample) = S] as Σ_g P[g chosen on D]·P[g(sample) = S]; {t, 1, 2} of the counterexample."""
    table = ("t1", "t1")
    database = ("1", "2", "t")

    def on_database(_: Tuples) -> dict[str, Fraction]:
        return preferring(database)

    return (
        equal(published(database, on_database, MERGING, 2, HALF)[table], Fraction(1, 8), "the printed sum"),
        equal(published(database, preferring, MERGING, 2, HALF)[table], Fraction(7, 48), "the algorithm"),
    )


def repaired_gamma(rate: Fraction, factor: Fraction, chosen: Fraction) -> Fraction:
    """The repaired γ′ = (E - 1 + β)/(E - 1 + β + (1 - β)·E₁²)."""
    return (factor - 1 + rate) / (factor - 1 + rate + (1 - rate) * chosen**2)


def repaired_rate(rate: Fraction, chosen: Fraction) -> Fraction:
    """The repaired β′ = βE₁/(1 - β + βE₁), whose odds are E₁ times the odds of β."""
    return rate * chosen / (1 - rate + rate * chosen)


def repair_on_the_sample() -> Steps:
    """The steps for a choice on the sample: `proofs/sampling.md`. W and V are sums of w over samples of j tuples."""
    n, j, b, e, e_1, w, v = z3.Reals("n j b E E1 W V")
    base = [n > j, j > 0, b > 0, b < 1, e_1 >= 1, w > 0, v >= 0, e >= 1]
    e_1_squared, hidden, below, wide, wider = z3.Reals("F R U x y")
    top, large = positive("E F")
    rate = positive("beta")
    plain = (top - 1 + rate) / (top - 1 + rate + (1 - rate) * 1**2)
    steps = [
        unsatisfiable(
            [
                *base, e_1_squared == e_1 * e_1, (n - j) * v <= e_1_squared * j * w,
                (e - 1 + b) * n >= j * (e - 1 + b + (1 - b) * e_1_squared), (1 - b) * (w + v) > e * w,
            ],
            "j ≤ γ′n and (n - j)·V ≤ E₁²·j·W give (1 - β)(W + V)/W ≤ E",
        ),
        unsatisfiable(
            [
                *base, hidden >= 0, below <= e_1 * hidden, 1 - b + b * e_1 <= e,
                (1 - b) * hidden + b * below > e * hidden,
            ],
            "hidden: (1 - β)R + β·U ≤ E·R, where U ≤ E₁·R and 1 - β + βE₁ ≤ E",
        ),
        unsatisfiable(
            [*base, hidden >= 0, below >= 0, e * (1 - b) >= 1, hidden > e * ((1 - b) * hidden + b * below)],
            "the other order: R ≤ E·((1 - β)R + βU), where E ≥ 1/(1 - β)",
        ),
        unsatisfiable(
            [*base, wide > 0, wider > 0, wider <= e_1 * wide, b * wider > b * e_1 * wide],
            "from j to j + 1 the weights grow by at most E₁ times those of a binomial with rate β",
        ),
        identity(plain, (top - 1 + rate) / top, "with E₁ = 1, γ′ = γ"),
        identity(rate * large / (1 - rate + rate * large) / (1 - rate * large / (1 - rate + rate * large)),
                 rate / (1 - rate) * large, "the odds of β′ are E₁ times those of β"),
    ]  # fmt: skip
    for size in range(1, 6):
        for part in range(1, size):
            count = sum(1 for _ in combinations(range(size - 1), part - 1)) * (size - part)
            steps.append(
                equal(count, comb(size - 1, part) * part, f"n = {size}, j = {part}: pairs of a part and a part of it")
            )
    return tuple(steps)


def repair_in_the_counterexample() -> Steps:
    """With k = 2, β = 1/2, E₁ = 3/2, E = 3: β′ = 3/5, γ′ = 20/29, δ = 297/625, which is above 7/24 and below β."""
    rate, gamma = repaired_rate(HALF, Fraction(3, 2)), repaired_gamma(HALF, Fraction(3), Fraction(3, 2))
    delta = largest_tail(2, rate, gamma)
    return (
        equal(rate, Fraction(3, 5), "β′"),
        equal(gamma, Fraction(20, 29), "γ′"),
        equal(delta, Fraction(297, 625), "δ"),
        less(Fraction(7, 24), delta, "the exact δ and the repaired bound"),
        less(delta, HALF, "which is below β"),
    )


def tilted(preferred: str, rejected: str, base: Fraction, most: int) -> Choose:
    """A choice with odds base^c, c the number of `preferred` less that of `rejected`, cut at ±most."""

    def choose(sample: Tuples) -> dict[str, Fraction]:
        odds = base ** max(-most, min(most, sample.count(preferred) - sample.count(rejected)))
        return {"first": odds / (1 + odds), "second": 1 / (1 + odds)}

    return choose


ALIKE = {"t": "all", "1": "all", "2": "all"}
APART = {"t": "t", "1": "1", "2": "2"}
RECODINGS = (MERGING, {"first": ALIKE, "second": APART}, {"first": MERGING["first"], "second": ALIKE})


def repair_in_numbers() -> Steps:
    """The repaired bound against exact δ: three pairs of recodings, choices tilted by the sample, up to 4 tuples."""
    cases = []
    for maps in RECODINGS:
        for preferred, rejected in (("1", "2"), ("1", "t")):
            choose = tilted(preferred, rejected, Fraction(2), 2)
            cases += [(maps, choose, k, rate) for k, rate in ((1, HALF), (2, HALF), (2, Fraction(1, 5)))]

    def covered(maps: Maps, choose: Choose, k: int, rate: Fraction) -> bool:
        chosen = _factor(choose, "12t", 4)
        factor = max(1 / (1 - rate), 1 - rate + rate * chosen**3) + HALF
        bound = largest_tail(k, repaired_rate(rate, chosen), repaired_gamma(rate, factor, chosen))
        laws = {
            database: published(database, choose, maps, k, rate) for pair in neighbours("12t", 4) for database in pair
        }
        return all(either_excess(laws[a], laws[c], factor) <= bound for a, c in neighbours("12t", 4))

    return (for_all(cases, covered, "the exact δ is at most the repaired bound"),)


SHARING = {"first": {"t": "c", "u": "c", "w": "d"}, "second": {"t": "d", "u": "c", "w": "c"}}


def one_table_of_two_recodings() -> Steps:
    """Two recodings, by a coin, make one table of {t, u, w}: t and u are merged, or u and w; k = 2, β = 1/2, ε = ln 2.

    Without t the first one never makes it, so that its ratio is infinite; the table has the ratio 2 = 1/(1 - β).
    """

    def coin(_: Tuples) -> dict[str, Fraction]:
        return dict.fromkeys(SHARING, HALF)

    def alone(database: Tuples, name: str) -> Law:
        return published(database, lambda _: {name: ONE}, SHARING, 2, HALF)

    with_t, without = (published(d, coin, SHARING, 2, HALF) for d in (("t", "u", "w"), ("u", "w")))
    table = ("c", "c")
    chances = [tuple(alone(d, name).get(table, ZERO) for d in (("t", "u", "w"), ("u", "w"))) for name in SHARING]
    ratios = [with_t[o] / without[o] for o in with_t]
    return (
        equal(chances, [(QUARTER, ZERO), (QUARTER, QUARTER)], "the table with t and without, under each recoding"),
        equal(HALF * chances[0][0], Fraction(1, 8), "the probability that r(g) is outside its bounds"),
        equal((with_t[table], without[table]), (QUARTER, Fraction(1, 8)), "the table with t and without"),
        equal(
            (min(ratios), max(ratios)), (Fraction(6, 7), Fraction(2)), "the least and the largest ratio of any table"
        ),
    )


def one_table_by_counting() -> Steps:
    """A second code: sixteen equally likely cases, a coin and who is kept; which cases give the table (c, c)."""
    cases = [(coin, kept) for coin in SHARING for kept in product((False, True), repeat=3)]

    def merged(coin: str, kept: tuple[bool, ...], present: tuple[bool, ...]) -> bool:
        pair = kept[:2] if coin == "first" else kept[1:]
        there = present[:2] if coin == "first" else present[1:]
        return all(pair) and all(there)

    with_t, without = (True, True, True), (False, True, True)
    counts = [sum(merged(coin, kept, present) for coin, kept in cases) for present in (with_t, without)]
    first = sum(merged("first", kept, with_t) for coin, kept in cases if coin == "first")
    return (
        equal(counts, [4, 2], "cases of sixteen with the table, with t and without"),
        equal(first, 2, "cases of sixteen in which the first recoding makes it, which never happens without t"),
        equal([16 - count for count in counts], [12, 14], "cases with the empty table"),
    )
