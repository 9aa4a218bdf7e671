"""Theorem 5 and what stands around it (DMKB20, section 4.3): histograms that hide small counts.

A value's count is shown from k on (Definition 16) or above k (as in Definition 15); the count of "-" is never shown.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from fractions import Fraction
from itertools import product

import z3

from verifier.wings.papers.ledger.laws import (
    ONE,
    QUARTER,
    ZERO,
    Law,
    binomial_chance,
    either_excess,
    excess,
    independent,
    pushforward,
    tail,
)
from verifier.wings.papers.ledger.steps import (
    Steps,
    at_most,
    equal,
    every_case,
    for_all,
    less,
    positive_part,
    unsatisfiable,
)

Output = tuple[int | None, ...]


def law(n: int, target: str, table: Mapping[str, Fraction], least: int, values: Iterable[str], known: str = "") -> Law:
    """The law of the histogram by enumeration; counts from `least` on are shown, None stands for a hidden one.

    The database has the target, the known records and independent others with the law `table`.
    """

    def histogram(other_records: tuple[str, ...]) -> Output:
        database = (target, *known, *other_records)
        return tuple(c if c >= least else None for c in map(database.count, values))

    return pushforward(independent(*[table] * (n - 1 - len(known))), histogram)


def from_k_second_code() -> Steps:
    """Counts from k on: n = 2, k = 1, λ = 1/20; two values of probability 1/40 each. 9/10 is claimed, δ ≥ 39/40."""
    share, n, k = Fraction(1, 20), 2, 1
    table = {"t": Fraction(1, 40), "u": Fraction(1, 40), "-": Fraction(19, 20)}
    r = share * (n - 1) / ((1 - share) * k)
    least = 2 * binomial_chance(k, n - 1, share) / (1 - r)
    t, u = (law(n, value, table, k, "tu") for value in "tu")
    return (
        less(r, ONE, "r"),
        less(least, Fraction(9, 10), "δ₀"),
        at_most((1 - 2 * share) ** (n - 1), Fraction(9, 10), "P[Y = 0], so that a finite ε_c has P[X/Y ≥ ε_c] ≤ 9/10"),
        equal(excess(t, u, Fraction(10**9)), Fraction(39, 40), "t against u, E = 10^9: outputs that u cannot give"),
    )


def above_k_second_code() -> Steps:
    """Counts above k: n = 3, k = 1, λ = 1/20, t of probability 0.949. 81/100 is claimed for a large ε, δ > 9/10."""
    share, n, k = Fraction(1, 20), 3, 1
    table = {"t": Fraction(949, 1000), "u": Fraction(1, 1000), "-": Fraction(1, 20)}
    r = share * (n - 1) / ((1 - share) * k)
    least = 2 * binomial_chance(k, n - 1, share) / (1 - r)
    t, u = (law(n, value, table, k + 1, "tu") for value in "tu")
    exact = excess(t, u, Fraction(10**9))
    return (
        less(r, ONE, "r"),
        less(least, Fraction(81, 100), "δ₀"),
        at_most((1 - 2 * share) ** (n - 1), Fraction(81, 100), "P[Y = 0]"),
        equal((1 - share) ** (n - 1), Fraction(361, 400), "P[Y = 0] with the share λ of the repaired Theorem 3"),
        less(exact, (1 - share) ** (n - 1), "the exact δ is below that"),
        equal(exact, Fraction(900601, 1000000), "t against u, E = 10^9"),
    )


def rare_value() -> Steps:
    """A rare t and ⊥ with the same others: the outputs differ only where k - 1 others have t. So ε = 0, δ = P[≥ k - 1].

    Exact on a grid as well: the total variation is at most the tail with P[t] = λ.
    """
    cases = [
        (n, k, share, t, u)
        for n, k, share in product(range(1, 5), range(1, 4), (Fraction(1, 5), Fraction(2, 5)))
        for t, u in product((share / 3, share), (Fraction(1, 10), share))
    ]

    def coupled(n: int, k: int, *_: Fraction) -> bool:
        for other_records in product("tu-", repeat=n - 1):
            outputs = [tuple(c if c >= k else None for c in ([v, *other_records].count(x) for x in "tu")) for v in "t-"]
            if outputs[0] != outputs[1] and other_records.count("t") < k - 1:
                return False
        return True

    def covered(n: int, k: int, share: Fraction, t: Fraction, u: Fraction) -> bool:
        table = {"t": t, "u": u, "-": 1 - t - u}
        law_of_t, law_of_none = (law(n, value, table, k, "tu") for value in "t-")
        return excess(law_of_t, law_of_none, ONE) <= tail(k - 1, n - 1, share)

    return (
        for_all(cases, coupled, "fewer than k - 1 others with t: the same output for t and for ⊥"),
        for_all(cases, covered, "total variation ≤ P[Bin(n - 1, λ) ≥ k - 1]"),
    )


def chained() -> Steps:
    """From t over ⊥ to t': P_t(S) ≤ E₁P(S) + δ₁ and P(S) ≤ E₂P_t'(S) + δ₂ give E₁E₂ and δ₁ + E₁δ₂."""
    p, r, q, e1, e2, d1, d2, x = z3.Reals("p r q E1 E2 d1 d2 x")
    hypotheses = [p >= 0, q >= 0, r >= 0, e1 >= 1, e2 >= 1, d1 >= 0, d2 >= 0]
    return (
        unsatisfiable([*hypotheses, p <= e1 * r + d1, r <= e2 * q + d2, p > e1 * e2 * q + d1 + e1 * d2], "both steps"),
        unsatisfiable([*hypotheses, p <= r + x, r <= q + x, x >= 0, p > q + 2 * x], "rare and rare: ε = 0, 2x"),
        unsatisfiable(
            [*hypotheses, p <= r + x, r <= e2 * q + d2, x >= 0, p > e2 * q + d2 + x], "rare to frequent: E, δ + x"
        ),
        unsatisfiable(
            [*hypotheses, p <= e2 * r + d2, r <= q + x, x >= 0, p > e2 * q + d2 + e2 * x],
            "frequent to rare: E, δ + E·x",
        ),
    )


def chained_with_twice_delta() -> Steps:
    """(ε, δ) twice does not give (2ε, 2δ): E = 2, P = (1/8, 7/8), R = (5/8, 3/8), Q = (1, 0)."""
    p, r, q = {0: Fraction(1, 8), 1: Fraction(7, 8)}, {0: Fraction(5, 8), 1: Fraction(3, 8)}, {0: ONE}
    e = Fraction(2)
    steps = [excess(*pair, e) for pair in ((p, r), (r, p), (r, q), (q, r))]
    return (
        equal(max(steps), Fraction(3, 8), "the largest δ of P and R, and of R and Q, at ε = ln(2)"),
        equal(excess(p, q, e * e), Fraction(7, 8), "δ of P and Q at 2ε"),
        less(2 * max(steps), excess(p, q, e * e), "above twice the step"),
    )


def other_counts() -> Steps:
    """The counts of other values are shown as well, and tell of the count of t: n = 2, k = 1, (1/4, 5/8, 1/8)."""
    table = {"t": QUARTER, "u": Fraction(5, 8), "-": Fraction(1, 8)}
    delta = either_excess(law(2, "t", table, 1, "tu"), law(2, "-", table, 1, "tu"), 1)
    alone = excess(law(2, "t", table, 1, "t"), law(2, "-", table, 1, "t"), ONE)
    laws = [law(2, value, table, 1, "u") for value in "t-"]
    return (
        equal(excess(laws[0], laws[1], ONE), ZERO, "the count of u alone does not tell t from ⊥"),
        equal(alone, Fraction(3, 4), "δ of the count of t alone, t against ⊥, ε = 0"),
        equal(delta, Fraction(7, 8), "δ of the whole histogram"),
        less(alone, delta, "so that the count of t alone is not enough"),
    )


def difference_reveals() -> Steps:
    """Without ⊥ the hidden count is n minus the others: n = 6, k = 3, P[a] = 1/100; a against b, E = 10."""
    table = {"a": Fraction(1, 100), "b": Fraction(99, 200), "c": Fraction(99, 200)}
    absent = {"a": Fraction(1, 100), "b": Fraction(33, 100), "c": Fraction(33, 100), "-": Fraction(33, 100)}
    e = Fraction(10)
    delta = excess(law(6, "a", table, 3, "abc"), law(6, "b", table, 3, "abc"), e)
    alone = excess(law(6, "a", table, 3, "a"), law(6, "b", table, 3, "a"), e)
    silent = excess(law(6, "a", absent, 3, "abc"), law(6, "b", absent, 3, "abc"), e)
    return (
        less(Fraction(32, 100), delta, "δ of the histogram"),
        less(alone, Fraction(1, 1000), "δ of the count of a alone, which is nearly always hidden"),
        less(silent, Fraction(1, 1000), "δ of the histogram with ⊥, whose count is never shown"),
    )


def generalization_by_the_data() -> Steps:
    """A generalization that depends on the data can tell a record: classes named by D(0), n = 2, k = 2."""

    def table(*database: str) -> tuple[str, ...]:
        name = "any" if database[0] == "t" else "all"  # two names of the one class of all values
        return (name,) * len(database)

    cases = list(product("tu", repeat=2))
    return (
        for_all(
            cases, lambda a, b: all(table(a, b).count(row) >= 2 for row in table(a, b)), "each table is 2-anonymous"
        ),
        for_all(cases, lambda a, b: (table(a, b)[0] == "any") == (a == "t"), "and the name of its class is D(0)"),
    )


def known_ones_are_the_worst() -> Steps:
    """To treat a record as known can only raise δ: without it the laws are mixtures, with weights free of D(i)."""
    w, x, y = z3.Reals("w x y")

    return (
        unsatisfiable(
            [w >= 0, w <= 1, positive_part(w * x + (1 - w) * y) > w * positive_part(x) + (1 - w) * positive_part(y)],
            "the excess of a mixture is at most the mean of the excesses, hence at most the largest",
        ),
    )


def shown_counts() -> Steps:
    """Definition 16: a count is shown if it is at least k, else ⊥; records outside T play no part (n ≤ 3, k ≤ 3)."""

    def shown(database: tuple[str, ...], k: int) -> Output:
        return tuple(c if c >= k else None for c in map(database.count, "tu"))

    def fine(n: int, k: int) -> bool:
        counts: dict[int | None, set[int]] = {}
        for database in product("tux", repeat=n):
            if shown(database, k) != shown(tuple(v for v in database if v != "x"), k):
                return False
            for value, output in zip("tu", shown(database, k), strict=True):
                counts.setdefault(output, set()).add(database.count(value))
        hidden = counts.pop(None)
        return hidden == set(range(min(k, n + 1))) and all(behind == {o} for o, behind in counts.items())

    return (
        for_all(
            product(range(1, 4), range(1, 4)),
            fine,
            "each n and k: ⊥ stands for the counts below k, another for one count; records outside T add nothing",
        ),
    )


def bracket() -> Steps:
    """The bracket says “less than k” where “at least k” is shown: no count has both."""
    return (every_case(range(9), lambda c: not (c >= 2 and c < 2), "k = 2: at least k and less than k"),)


def same_value_twice() -> Steps:
    """M given t against M given t is no comparison: the excess is 0 at every ε, whatever t is compared with."""
    table = {"t": QUARTER, "u": Fraction(5, 8), "-": Fraction(1, 8)}
    t, u = (law(2, value, table, 1, "tu") for value in "tu")
    return (
        equal(excess(t, t, ONE), ZERO, "t against t"),
        less(ZERO, excess(t, u, ONE), "t against u, which Theorem 5 is about"),
    )


def fewer_records() -> Steps:
    """Of n records m are known: n - m are left, the target among them, and not what m is."""
    return (for_all([(5, 1), (5, 2), (9, 3)], lambda n, m: n - m != m, "n - m is not m; the bound was in n"),)
