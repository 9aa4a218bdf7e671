"""DMKB20, Figures 5 and 6: a count with known records, and with noise after it.

The smallest ε of a count plus Laplace noise, by enclosures of its δ as Arb balls.

The other records' count k has the law r; the noise has the density s/2·e^(-s|x|). For t = k + u, 0 ≤ u ≤ 1,
P[count + noise ≤ t] = C - L·e^(-su)/2 + R·e^(su)/2, with C = P[count ≤ k], L = Σ_{j ≤ k} r[j]·e^(-s(k - j)) and
R = Σ_{j > k} r[j]·e^(-s(j - k)). The density is log-concave, so the best events are half-lines, and at e^ε = E the
excess is c - A·e^(-su)/2 + B·e^(su)/2 with c = C - E·C', A = L - E·L', B = R - E·R', where the primes stand for k - 1.
Where its derivative is 0 it is c - √(-A·B).
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from fractions import Fraction
from functools import cache, partial
from itertools import accumulate
from typing import Any

from verifier.engine.poisson_binomial import TermWindow
from verifier.engine.tails import Ball, between, positive
from verifier.numbers import Order, arb_of
from verifier.wings.papers.bounds.counting import closed_form
from verifier.wings.papers.bounds.levels import (
    SPARE,
    TAILS,
    Law,
    binomial_law,
    delta_at,
    epsilon_at,
    tail_at,
)
from verifier.wings.papers.bounds.real import Real, ball, logarithm
from verifier.wings.papers.figures.counting import LOWEST, PRINTED, SHARE, bounds
from verifier.wings.papers.figures.figure import Axis, Figure, Panel, Series, Value, numbers, steps


@dataclass(frozen=True)
class Sided:
    """The sums C, L and R of the module's head for k = start - 1, …, stop, and a bound of the mass that is left out.

    They are for one order of the target's two values.
    """

    mass: tuple[Any, ...]
    left: tuple[Any, ...]
    right: tuple[Any, ...]
    lost: Any

    @classmethod
    def of(cls, law: TermWindow, fall: Ball, *, mirrored: bool) -> Sided:
        """C, L and R of a law of counts, with e^-s = `fall`; `mirrored` for the other order of the target's values."""
        zero = arb_of(Fraction(0))
        weights = [zero, *(reversed(law.terms) if mirrored else law.terms), zero]
        left = tuple(accumulate(weights, lambda sum_so_far, weight: sum_so_far * fall + weight))
        right = tuple(
            accumulate(reversed([*weights[1:], zero]), lambda sum_so_far, weight: sum_so_far * fall + weight)
        )[::-1]
        return cls(tuple(accumulate(weights)), left, tuple(fall * weight for weight in right), law.outside)

    def excess(self, exp: Any) -> Any:
        """An enclosure of the largest P[S] - e^ε·Q[S] over half-lines S, where `exp` is e^ε and 1 ≤ e^ε < e^s.

        Raises:
            ArithmeticError: where the working precision does not settle a sign.

        """

        def sides(k: int) -> tuple[Any, Any]:
            return self.left[k] - exp * self.left[k - 1], self.right[k] - exp * self.right[k - 1]

        low, high = 1, len(self.mass) - 1  # at `low` the density's ratio is above e^ε, at `high` below
        while high - low > 1:
            middle = (low + high) // 2
            a, b = sides(middle)
            if a + b > 0:
                low = middle
            elif a + b < 0:
                high = middle
            else:
                raise ArithmeticError("the sign of an excess is not settled")
        a, b = sides(low)
        c = self.mass[low] - exp * self.mass[low - 1]
        if not (a > 0 and b < 0):
            raise ArithmeticError("the sign of an excess is not settled")
        best = c - (-a * b).sqrt()
        return (best - 2 * exp * self.lost).union(best + 2 * self.lost)


def delta_with_noise(law: Law, p: Fraction, level: Fraction) -> Real:
    """The exact δ at ε = `level` nats of a count plus two-sided geometric noise (1 - p)/(1 + p)·p^|k| (Definition 19).

    As with Laplace noise, with e^-s = p: P[count + noise ≤ k] = C - L·p/(1 + p) + R/(1 + p). The excess rises below the
    window, and falls above it.

    >>> delta_with_noise(binomial_law(0, Fraction(1, 2)), Fraction(1, 2), Fraction(0)).decimal(6)
    '0.333333'
    """

    def formula() -> Ball:
        exp, fall = arb_of(level).exp(), arb_of(p)
        best, lost = arb_of(Fraction(0)), arb_of(Fraction(0))
        for mirrored in (False, True):
            sides = Sided.of(law(), fall, mirrored=mirrored)
            below = [
                c - (left * fall - right) / (1 + fall)
                for c, left, right in zip(sides.mass, sides.left, sides.right, strict=True)
            ]
            lost = sides.lost
            for k in range(1, len(below)):
                best = best.max(below[k] - exp * below[k - 1])
        return between(positive(best - exp * lost), best + lost)

    return ball(formula)


def least_with_noise(law: Law, scale: Fraction, delta: Fraction) -> Real:
    """The smallest ε ≥ 0, in nats, at δ > 0 of a count plus Laplace noise of scale `scale`; it is below 1/scale.

    `law` is the law of the other records' count.

    >>> from verifier.wings.papers.bounds.levels import binomial_law
    >>> least_with_noise(binomial_law(0, Fraction(1, 2)), Fraction(2), Fraction(1, 10)).decimal(6)
    '0.289279'
    """
    from flint import ctx

    def bracket(precision: int) -> tuple[Fraction, Fraction]:
        with ctx.workprec(precision + SPARE):
            fall = (-arb_of(1 / scale)).exp()
            sides = [Sided.of(law(), fall, mirrored=mirrored) for mirrored in (False, True)]

            def above(level: Fraction) -> bool:
                exp = arb_of(level).exp()
                excesses = [side.excess(exp) for side in sides]
                if any(excess > arb_of(delta) for excess in excesses):
                    return True
                if all(excess <= arb_of(delta) for excess in excesses):
                    return False
                raise ArithmeticError("an excess meets δ to the last digit")

            low, high = Fraction(0), 1 / scale
            if not above(low):
                return low, low
            for _ in range(precision // 3 + 4):
                middle = (low + high) / 2
                low, high = (middle, high) if above(middle) else (low, middle)
            return low, high

    return Real.between(bracket)


RECORDS, SMALL, SCALE = 100_000, Fraction(1, 10**10), Fraction(2)
WITHOUT, WITH = "closed form, no noise", "closed form, or 1/2 from the noise"
EXACT, EXACT_WITH = "exact, no noise", "exact, with the noise"


def closed_epsilon(unknown: int, share: Fraction, delta: Fraction) -> Value:
    """The smallest ε (nats) of the closed form of Theorem 3 for `unknown` records; None where it is above 1."""
    claimed = closed_form({"n": unknown, "lambda": share, "delta": delta}, "printed")
    return None if claimed.met is False else claimed.epsilon


def with_cap(unknown: int) -> Value:
    """The smaller (nats) of the closed form's ε and of ε = 1/`SCALE`, which the Laplace noise gives by itself."""
    cap, closed = Real.of(1 / SCALE), closed_epsilon(unknown, SHARE, SMALL)
    return closed if isinstance(closed, Real) and closed.order(cap) is Order.LESS else cap


@cache
def unknown_law(unknown: int) -> Law:
    """The law of the count of the unknown records without the target, with all p_i = λ."""
    return binomial_law(unknown - 1, SHARE)


def _known(value: Callable[[int], Value]) -> Callable[[Fraction], Value]:
    return lambda known: value(RECORDS - int(known))


FIGURE_5 = Figure(
    "DMKB20",
    "5",
    "Known records: ε at δ = 10⁻¹⁰, with and without Laplace noise",
    "The ε of the closed form of Theorem 3 against the number of records that the attacker knows; with the noise, ε "
    "never exceeds 1/2.",
    "n = 100,000, λ = 1/20, δ = 10⁻¹⁰, Laplace noise of scale 2",
    Axis("known records |B|"),
    Axis("smallest ε (nats)", "log"),
    (
        Panel(
            "",
            (
                *steps("0", "90000", "5000"),
                *numbers("92000 94000 95000 96000 97000 98000 98500 99000 99300 99500 99700 99900"),
            ),
            numbers("0 50000 74000 75000 90000 95000 99000 99900"),
            (
                Series(WITHOUT, "printed", _known(lambda unknown: closed_epsilon(unknown, SHARE, SMALL))),
                Series(WITH, "printed", _known(with_cap), 3),
                Series(EXACT, "exact", _known(lambda unknown: epsilon_at(unknown_law(unknown), SMALL))),
                Series(
                    EXACT_WITH, "exact", _known(lambda unknown: least_with_noise(unknown_law(unknown), SCALE, SMALL)), 3
                ),
            ),
            ((WITHOUT, EXACT), (WITH, EXACT_WITH)),
        ),
    ),
    (
        "Exact: all unknown p_i at λ, as a limit; known records only shift the count.",
        "The closed form has a value for ε ≤ 1.",
        "With the noise the claim is the smaller of the two guarantees; the exact ε is that of both together.",
    ),
)


COMBINED = (
    "Exact: all p_i at λ, as a limit. The paper does not say how it combined its bound with the noise; here the law of "
    "the count is convolved with that of the noise, exactly."
)
ALONE = "From ε = ln(1/p) on the noise alone gives δ = 0: ln(4/3) = 0.2877 for p = 3/4, ln(2) = 0.6931 for p = 1/2."
MOST = 10_000
NOISES = numbers("1/2 3/4")


def noisy(p: Fraction) -> Series:
    """The series of the exact δ of a count with geometric noise of parameter p; it is 0 from ε = ln(1/p) on."""
    law, limit = binomial_law(MOST - 1, SHARE), logarithm(1 / p)

    def delta_at_level(level: Fraction) -> Value:
        return Real.of(0) if Real.of(level).at_least(limit) else delta_with_noise(law, p, level)

    return Series(f"exact, with noise p = {p}", "exact", delta_at_level, 2 if p == NOISES[0] else 6)


def _plain() -> tuple[Any, ...]:
    law = binomial_law(MOST - 1, SHARE)
    return (
        *bounds([partial(tail_at, make(MOST, SHARE)) for make in TAILS]),
        Series(LOWEST, "exact", partial(delta_at, law), 5),
    )


FIGURE_6 = Figure(
    "DMKB20",
    "6",
    "A count with geometric noise: Theorem 3 and the exact δ",
    "The (ε, δ) graph of the numerical form of Theorem 3, and what geometric noise (Definition 19) adds to it.",
    "n = 10,000, λ = 1/20, noise p = 1/2 and p = 3/4",
    Axis("ε (nats)"),
    Axis("δ", "log", Fraction(1, 10**20)),
    (
        Panel(
            "",
            (*steps("0.02", "0.28", "0.02"), *numbers("0.285 0.2875 0.3 0.32 0.34 0.36")),
            numbers("0.02 0.1 0.2 0.28 0.3 0.36"),
            (*_plain(), *(noisy(p) for p in NOISES)),
            ((PRINTED, LOWEST),),
        ),
    ),
    (COMBINED, ALONE),
)
