"""The δ at an ε and the smallest ε at a δ for counts of thousands of records: printed, repaired, and exact.

Each number is a `Real` whose brackets come from Arb balls (`verifier.wings.papers.bounds.large`): both ends are proved.
"""

from __future__ import annotations

from collections.abc import Callable
from fractions import Fraction
from functools import cache
from typing import Any, Literal, NamedTuple

from verifier.numbers import arb_of, ball_ends, epsilon
from verifier.wings.papers.bounds.large import (
    SPARE,
    Large,
    large_binomial,
    large_blanket,
    least_factor,
    ratio_reached,
    stick,
    with_noise,
)
from verifier.wings.papers.bounds.real import Real

Infinite = Literal["inf"]
Law = Callable[[int], Large]
"""A function from a number of bits to the law without weights below 2^-bits, called at a precision above these bits."""


class Tail(NamedTuple):
    """A bound of δ as a function of e^ε: it falls as e^ε grows, and is constant from e^ε = `last` on.

    `at` takes e^ε and a number of bits, and gives an Arb enclosure of the bound.
    """

    at: Callable[[Fraction, int], Any]
    last: int


def _bits(precision: int) -> int:
    return 2 * precision + SPARE


def enclosed(formula: Callable[[int], Any]) -> Real:
    """The real number that `formula(bits)` encloses as an Arb ball, the more narrowly the more bits."""
    from flint import ctx

    @cache
    def bracket(precision: int) -> tuple[Fraction, Fraction]:
        bits = _bits(precision)
        with ctx.workprec(bits + SPARE):
            return ball_ends(formula(bits))

    return Real.between(bracket)


def binomial_law(n: int, p: Fraction) -> Law:
    """The law of the count of n independent records that are 1 with probability p each."""
    return cache(lambda bits: large_binomial(n, p, bits))


def noised(law: Law, p: Fraction) -> Law:
    """The law of the count plus two-sided geometric noise with parameter p."""
    return cache(lambda bits: with_noise(law(bits), p, bits))


def delta_at(law: Law, level: Fraction, threshold: int | None = None) -> Real:
    """The exact δ at ε = `level` nats of a count whose value over the other records has this law.

    Counts up to `threshold`, if there is one, are one output.

    >>> delta_at(binomial_law(2, Fraction(1, 2)), Fraction(0)).decimal()
    '0.5'
    """
    return enclosed(lambda bits: stick(law(bits), arb_of(level).exp(), threshold))


def epsilon_at(law: Law, delta: Fraction) -> Real | Infinite:
    """The exact smallest ε, in nats, at which `delta_at` is at most `delta`; `inf` where no finite ε is enough.

    >>> epsilon_at(binomial_law(2, Fraction(1, 2)), Fraction(1, 4)).decimal()
    '0.69314718056'
    """
    from flint import ctx

    bits = _bits(96)
    with ctx.workprec(bits + SPARE):
        if least_factor(law(bits), delta) is None:
            return "inf"
    return enclosed(lambda bits: least_factor(law(bits), delta).log())


def printed_tail(n: int, share: Fraction) -> Tail:
    """The bound P[X/Y ≥ level], X and Y independent, binomial, n - 1 trials, success 2λ (DMKB20, Theorem 3).

    Where Y ≥ 1, X/Y is below n.
    """
    law = binomial_law(n - 1, 2 * share)
    return Tail(lambda level, bits: ratio_reached(law(bits), level), n)


def repaired_tail(n: int, share: Fraction) -> Tail:
    """The bound P[(X + 1)/Y ≥ level], (X, Y, rest) multinomial with n - 1 trials and shares (λ, λ, 1 - 2λ).

    Where Y ≥ 1, (X + 1)/Y is below n.
    """
    return Tail(lambda level, bits: large_blanket(n, share, level, bits, tail=True), n)


def blanket_tail(n: int, share: Fraction) -> Tail:
    """The bound E[max(0, 1 - level·Y/(X + 1))], (X, Y, rest) as in `repaired_tail`, which is at least as large."""
    return Tail(lambda level, bits: large_blanket(n, share, level, bits), n)


TAILS = (printed_tail, repaired_tail, blanket_tail)
"""The bounds of Theorem 3: as printed (at e^ε), repaired, and the sharper one that is repaired too."""


def tail_at(tail: Tail, level: Fraction) -> Real:
    """The bound of δ at e^ε, ε = `level` nats.

    >>> tail_at(printed_tail(2, Fraction(1, 4)), Fraction(0)).decimal()
    '0.75'
    """

    def formula(bits: int) -> Any:
        low, high = epsilon(level).exp_bracket(bits)
        return tail.at(low, bits) if low == high else tail.at(low, bits).union(tail.at(high, bits))

    return enclosed(formula)


def literal_at(tail: Tail, level: Fraction) -> Real:
    """The bound of δ at ε = `level` nats with ε itself in place of e^ε, as Theorem 3 is printed."""
    return enclosed(lambda bits: tail.at(level, bits))


def least_level(tail: Tail, delta: Fraction) -> Real | Infinite:
    """The smallest ε ≥ 0, in nats, from which on the bound is at most δ; `inf` where no finite ε is enough.

    It is found by bisection: at the lower end the bound is proved to be above δ, at the upper end to be at most δ.

    >>> least_level(repaired_tail(3, Fraction(1, 4)), Fraction(3, 5)).decimal(4)
    '0.6931'
    >>> least_level(printed_tail(2, Fraction(1, 4)), Fraction(1, 3))
    'inf'
    """
    from flint import ctx

    def above(level: Fraction, bits: int) -> bool:
        with ctx.workprec(bits + SPARE):
            value = tail.at(level, bits)
            if value > arb_of(delta):
                return True
            if value <= arb_of(delta):
                return False
        raise ArithmeticError("a bound meets δ to the last digit")

    bits = _bits(96)
    if above(Fraction(tail.last), bits):
        return "inf"
    if not above(Fraction(1), bits):
        return Real.of(0)
    ends = {0: (Fraction(1), Fraction(tail.last))}

    @cache
    def bracket(precision: int) -> tuple[Fraction, Fraction]:
        wanted = precision // 4 + 2
        low, high = ends[max(step for step in ends if step <= wanted)]
        while (high - low) * (1 << wanted) > low - 1 + Fraction(1, 1 << wanted):
            middle = _middle(low, high)
            low, high = (middle, high) if above(middle, _bits(precision)) else (low, middle)
        ends[wanted] = low, high
        return low, high

    return Real.between(bracket).log()


def _middle(low: Fraction, high: Fraction) -> Fraction:
    """A number between two others: where they are far apart, near the geometric mean of their distances from 1."""
    reach = max(low - 1, Fraction(1, 1 << 20))
    if high - 1 <= 4 * reach:
        return (low + high) / 2
    ratio = (high - 1) / reach
    return 1 + reach * (1 << (ratio.numerator.bit_length() - ratio.denominator.bit_length()) // 2)
