"""ACoDP with events of the coins (DP22, Proposition 2): it is convex, and the proposition's own example shows it."""

from __future__ import annotations

from fractions import Fraction
from itertools import product

import z3

from verifier.wings.papers.ledger.laws import ONE, QUARTER, ZERO, laws_on, mixed, total
from verifier.wings.papers.ledger.steps import Steps, equal, for_all, unsatisfiable

TENTH = Fraction(1, 10)
Pair = tuple[dict[int, Fraction], dict[int, Fraction]]


def _kept(laws: Pair, ratio: Fraction) -> Fraction:
    """The most that events of the coins keep under both laws, so that what is kept is within the ratio."""
    return min(total(min(p[o], ratio * q[o]) for o in p) for p, q in (laws, laws[::-1]))


def _chosen(first: Pair, second: Pair, weight: Fraction) -> Pair:
    return mixed(first[0], second[0], weight), mixed(first[1], second[1], weight)


def mixtures_keep_events() -> Steps:
    """ρ = 0: with events of mass 1 - δ of each mechanism, what is kept of a choice is the choice of what is kept."""
    a, b, c, d, e, w, k = z3.Reals("a b c d E w keep")
    chance = [e >= 1, w >= 0, w <= 1]
    return (
        unsatisfiable(
            [*chance, a <= e * b, c <= e * d, w * a + (1 - w) * c > e * (w * b + (1 - w) * d)],
            "every choice of laws that are within e^ξ is within e^ξ",
        ),
        unsatisfiable([*chance, w * k + (1 - w) * k != k], "the choice of events of mass 1 - δ has mass 1 - δ"),
    )


def the_example_with_coins() -> Steps:
    """The example of the proposition: the choice that is not (ε, δ)-ProDP keeps 1 - δ at the same ε."""
    first: Pair = ({0: ONE, 1: ZERO}, {0: 1 - TENTH, 1: TENTH})
    second: Pair = ({0: ZERO, 1: ONE}, {0: ZERO, 1: ONE})
    ratio = 1 / (1 - TENTH)
    weights = [Fraction(k, 20) for k in range(21)]
    return (
        equal((_kept(first, ratio), _kept(second, ratio)), (Fraction(9, 10), ONE), "kept by both at e^ξ = 10/9"),
        for_all(
            [(weight,) for weight in weights],
            lambda weight: _kept(_chosen(first, second, weight), ratio) >= 1 - TENTH,
            "every choice keeps 1 - δ = 9/10",
        ),
    )


def mixtures_by_listing() -> Steps:
    """A second code: all pairs of laws in quarters on two outputs, mixed; what both keep, their mixture keeps."""
    pairs = list(product(laws_on((0, 1), 4), repeat=2))

    def convex(first: Pair, second: Pair, weight: Fraction, ratio: Fraction) -> bool:
        least = min(_kept(first, ratio), _kept(second, ratio))
        return _kept(_chosen(first, second, weight), ratio) >= least

    cases = product(pairs, pairs, (QUARTER, Fraction(1, 2)), (ONE, Fraction(3, 2), Fraction(3)))
    return (for_all(cases, convex, "a mixture keeps at least what the worse of both keeps"),)
