"""Chance over databases and outputs (DP22, Definitions 23 and 25, Propositions 2 and 4), in fractions."""

from __future__ import annotations

from collections.abc import Callable
from fractions import Fraction
from itertools import product

import z3

from verifier.wings.papers.ledger.laws import (
    BITS,
    HALF,
    ONE,
    ZERO,
    Law,
    bits,
    loss_tail,
    mass,
    mixed,
    neighbours,
    replaced,
    subsets,
)
from verifier.wings.papers.ledger.plain import smallest
from verifier.wings.papers.ledger.steps import Steps, equal, for_all, less, unsatisfiable

TENTH = Fraction(1, 10)
FIRST: tuple[Law, Law] = ({0: ONE, 1: ZERO}, {0: 1 - TENTH, 1: TENTH})
SECOND: tuple[Law, Law] = ({0: ZERO, 1: ONE}, {0: ZERO, 1: ONE})


def chosen(share: Fraction) -> tuple[Law, Law]:
    """The pair of laws of the choice: the mechanism `FIRST` with probability `share`, else `SECOND`."""
    return mixed(FIRST[0], SECOND[0], share), mixed(FIRST[1], SECOND[1], share)


def tails(laws: tuple[Law, Law], ratio: Fraction) -> Fraction:
    """The larger tail P[L > ln(ratio)] of the loss L between two laws, over both orders."""
    return max(loss_tail(a, b, ratio) for a, b in (laws, laws[::-1]))


def proposition_2_restored() -> Steps:
    """With e^ε = 1/(1 - δ) = 10/9 both mechanisms fit, and the choice does not."""
    ratio = 1 / (1 - TENTH)
    needed = tails(chosen(1 - 2 * TENTH), ratio)
    return (
        equal(
            (tails(FIRST, ratio), tails(SECOND, ratio)),
            (TENTH, ZERO),
            "the smallest δ of both mechanisms at e^ε = 10/9",
        ),
        equal(needed, Fraction(7, 25), "of their choice"),
        less(TENTH, needed, "δ, and what the choice needs"),
    )


def proposition_2_by_events() -> Steps:
    """A second code, as Definition 9 says it: the smallest mass of a set S₁ over all sets of outputs, both orders."""

    def needed(laws: tuple[Law, Law], ratio: Fraction) -> Fraction:
        def fits(a: Law, b: Law, left_out: tuple[int, ...]) -> bool:
            return all(mass(a, s) <= ratio * mass(b, s) for s in subsets([o for o in BITS if o not in left_out]))

        return max(min(mass(a, out) for out in subsets(BITS) if fits(a, b, out)) for a, b in (laws, laws[::-1]))

    return (
        equal(
            [needed(x, Fraction(10, 9)) for x in (FIRST, SECOND, chosen(Fraction(4, 5)))],
            [TENTH, ZERO, Fraction(7, 25)],
            "at e^ε = 10/9",
        ),
        equal(needed(chosen(Fraction(4, 5)), Fraction(2)), ZERO, "of the choice at e^ε = 2 < e^(10/9)"),
    )


def proposition_2_for_small_delta() -> Steps:
    """The ratio of the choice at output 1 is 3/2 - δ: above 1/(1 - δ) for δ up to 1/5, where P[1] = 3·δ - 2·δ² > δ.

    The printed e^ε = e^(1/(1 - δ)) is above e, and so above both.
    """
    d = z3.Real("d")
    hypotheses = [d > 0, d <= z3.Q(1, 5)]
    return (
        unsatisfiable(
            [*hypotheses, (3 - 2 * d) * (1 - d) <= 2], "every δ up to 1/5: the ratio 3/2 - δ is above 1/(1 - δ)"
        ),
        unsatisfiable(
            [*hypotheses, 3 * d - 2 * d * d <= d], "every δ up to 1/5: the output 1 has probability 3·δ - 2·δ² > δ"
        ),
        unsatisfiable(
            [d > 0, d < z3.Q(1, 2), z3.Or(3 - 2 * d >= 4, (1 - d) * 2 < 1)],
            "every δ below 1/2: the ratios 3/2 - δ and 1/(1 - δ) are at most 2, and so below e ≤ e^(1/(1 - δ))",
        ),
    )


Rule = Callable[[tuple[int, ...]], Law]


def zeros(database: tuple[int, ...]) -> Law:
    """The law of M₀: 0 where all records are 0, else ⊥."""
    return {"⊥": ONE} if any(database) else {"0": ONE}


def ones(database: tuple[int, ...]) -> Law:
    """The law of M₁: 1 where all records are 1, else ⊥."""
    return {"1": ONE} if all(database) else {"⊥": ONE}


def either(database: tuple[int, ...]) -> Law:
    """The law of M₀ or M₁, chosen by a coin."""
    return mixed(zeros(database), ones(database), HALF)


def told_apart(size: int, rule: Rule, *, drawn: bool) -> Fraction:
    """The probability that M has different laws on `size` fair bits and once one record is drawn again, or flipped."""
    count = 0
    for database in bits(size):
        for index in range(size):
            for value in BITS if drawn else (1 - database[index],):
                count += rule(database) != rule(replaced(database, index, value))
    return Fraction(count, 2**size * size * (2 if drawn else 1))


def proposition_4_with_ten_records() -> Steps:
    """Where the record is drawn again, as Definition 23 says, the choice satisfies what the proof says it does not."""
    share = Fraction(1, 2**9)
    return (
        equal(told_apart(10, zeros, drawn=True), Fraction(1, 2**10), "M₀ tells a pair apart, the record drawn again"),
        equal(told_apart(10, ones, drawn=True), Fraction(1, 2**10), "M₁"),
        equal(told_apart(10, either, drawn=True), share, "their choice: 2^-9, which γ = 2^-9 leaves out"),
        equal(told_apart(10, zeros, drawn=False), share, "M₀, the record flipped: 2^-9, as the proof says"),
        equal(told_apart(10, either, drawn=False), Fraction(1, 2**8), "their choice, the record flipped: 2^-8"),
    )


def proposition_4_by_counting() -> Steps:
    """A second code, without listing databases, of which M₀ tells a pair apart where just one of both is all zeros."""
    lists = Fraction(2) ** 10
    from_it, to_it = 1 / lists, 10 / lists * Fraction(1, 10)
    return (
        equal((from_it + to_it) / 2, Fraction(1, 2**10), "drawn again, the record changes with probability 1/2"),
        equal(from_it + to_it, Fraction(1, 2**9), "flipped, it always does"),
        equal(
            2 * (from_it + to_it) / 2,
            Fraction(1, 2**9),
            "all zeros and all ones are never neighbours: both add up, drawn again",
        ),
        equal(2 * (from_it + to_it), Fraction(1, 2**8), "and flipped"),
    )


def without_replacement() -> Steps:
    """Two records, drawn from a and b without replacement, differ, so that nothing about equal ones is compared."""
    drawn = [d for d in product("ab", repeat=2) if d[0] != d[1]]
    laws = [{"yes" if d[0] == d[1] else "no": ONE} for d in drawn]
    every = [{"yes" if d[0] == d[1] else "no": ONE} for d in product("ab", repeat=2)]
    return (
        equal(
            smallest([(p, q) for p in laws for q in laws]),
            ONE,
            "e^ε of whether both are equal, over all pairs that can be drawn",
        ),
        equal(smallest([(p, q) for p in every for q in every]), None, "over all pairs of databases"),
    )


def with_replacement() -> Steps:
    """With a π that gives every value some weight, every pair of databases of a size has a positive probability."""
    weights = {"a": Fraction(1, 3), "b": Fraction(2, 3)}
    pairs = list(product(product("ab", repeat=2), repeat=2))
    return (
        for_all(
            pairs,
            lambda d, e: weights[d[0]] * weights[d[1]] * weights[e[0]] * weights[e[1]] > 0,
            "every pair of databases of two records may be drawn, so that γ = 0 leaves none out",
        ),
    )


def nothing_left_out() -> Steps:
    """With γ = 0 and a π that gives every value some weight, all pairs that differ in one record may be drawn."""
    pairs = {(d, replaced(d, i, value)) for d in bits(3) for i in range(3) for value in BITS if value != d[i]}
    same = pairs == {*neighbours(bits(3))}
    return (equal(same, True, "all pairs that may be drawn, and those that differ in one record"),)


def sampled_or_noiseless() -> Steps:
    """Two databases, without a person and with her: a θ that has both gives NPr the two laws of M, any other nothing.

    A sample at rate 1/2 of the second database mixes the two laws. Without her the first mechanism throws a coin; the
    second tells whether she is there.
    """
    coin: tuple[Law, Law] = ({0: HALF, 1: HALF}, {0: ONE})
    presence: tuple[Law, Law] = ({0: ONE}, {1: ONE})

    def sampled(laws: tuple[Law, Law]) -> tuple[Law, Law]:
        return laws[0], mixed(*laws, HALF)

    share, p, joint = z3.Reals("share p joint")
    return (
        unsatisfiable(
            [share > 0, share <= 1, joint == share * p, joint / share != p],
            "given a database to which θ gives any share above 0, an output has the chance that M gives it there",
        ),
        equal(smallest([sampled(coin)]), Fraction(2), "e^ε of the first under sampling"),
        equal(smallest([coin]), None, "of the first where both databases are compared"),
        equal(smallest([sampled(presence)]), None, "of the second under sampling"),
        equal(smallest([]), ONE, "of the second where nothing is compared"),
    )
