"""Families of parameters, and what they say of the privacy loss (DP22, section 3.4), in fractions."""

from __future__ import annotations

from fractions import Fraction

import z3

from verifier.wings.papers.ledger.laws import HALF, QUARTER, ZERO, Law, loss_tail
from verifier.wings.papers.ledger.steps import Steps, equal, every_case, positive_part, unsatisfiable


def tails_give_the_loss() -> Steps:
    """P[L > ε] for all ε ≥ 0, in both orders, gives the law of the loss; so does δ as a function of ε."""
    p, q, r, e, f = z3.Reals("p q r E F")
    return (
        unsatisfiable(
            [q > 0, r > 1, p == r * q, p / r != q],
            "every output of ratio r above 1: its probability under one law is r times that under the other",
        ),
        unsatisfiable(
            [q > 0, p == r * q, e >= 1, e < f, f <= r, (p - e * q) - (p - f * q) != (f - e) * q],
            "every output of ratio r, for E up to r: δ falls with the slope q",
        ),
        unsatisfiable(
            [q > 0, p == r * q, e >= r, positive_part(p - e * q) != 0],
            "every output of ratio r, for E from r on: it adds nothing, so that the slope changes by q at r",
        ),
    )


def powers_give_finite_losses() -> Steps:
    """The means of X, X², X³ of a law on three values of X = e^L, which are different, give their probabilities."""
    x, y, z, a, b, c = z3.Reals("x y z a b c")
    return (
        unsatisfiable(
            [x > y, y > z, z > 0, a + b + c == 0, a * x + b * y + c * z == 0, a * x * x + b * y * y + c * z * z == 0,
             z3.Or(a != 0, b != 0, c != 0)],
            "every difference of two laws with one total and the same means of X and X²",
        ),
    )  # fmt: skip


def infinite_losses_hide_the_rest() -> Steps:
    """The laws (a, 1 - a, 0) and (a, 0, 1 - a): every order is ∞, and the loss is ∞ with probability 1 - a."""
    p, b, q, x = z3.Reals("p bound q X")

    def laws(a: Fraction) -> tuple[Law, Law]:
        return {0: a, 1: 1 - a, 2: ZERO}, {0: a, 1: ZERO, 2: 1 - a}

    shares = [HALF, QUARTER]
    return (
        every_case(
            [pair[::step] for pair in map(laws, shares) for step in (1, -1)],
            lambda pair: any(x and not pair[1][o] for o, x in pair[0].items()),
            "an output of the first law that the second never has, for a = 1/2 and 1/4, in both orders: ∞",
        ),
        unsatisfiable(
            [p > 0, b > 0, q > 0, q * b < p * p, x * q == p, p * x <= b],
            "every order from 2 on: as q falls to 0 the term p·(p/q) is above every bound, and so are higher powers",
        ),
        equal([loss_tail(*laws(a), 10**9) for a in shares], [HALF, Fraction(3, 4)], "P[L > ln 10⁹] for a = 1/2, 1/4"),
    )


def infinite_losses_by_counting() -> Steps:
    """A second code, in quarters: the weights of the outputs that one law has and the other never has."""
    first = {"half": ((2, 2, 0), (2, 0, 2)), "quarter": ((1, 3, 0), (1, 0, 3))}

    def alone(pair: tuple[tuple[int, ...], tuple[int, ...]]) -> int:
        return sum(x for x, y in zip(*pair, strict=True) if x and not y)

    return (
        equal([alone(pair) for pair in first.values()], [2, 3], "quarters of the first law that are ∞, for both"),
        equal([alone(pair[::-1]) for pair in first.values()], [2, 3], "and of the second law"),
    )
