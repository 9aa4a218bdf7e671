"""The δ at an ε and the smallest ε at a δ for counts of thousands of records: printed, repaired, and exact.

A law is a window of the engine's: balls around its larger weights, and bounds of the mass outside. Each number is a
`Real` whose brackets come from such balls: both ends are proved, and no ball is replaced by its midpoint. All laws here
are log-concave, so that the best events are half-lines (see `verifier.wings.papers.bounds.bernoulli`).
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterator, Sequence
from fractions import Fraction
from functools import cache
from itertools import accumulate, pairwise
from math import ceil
from typing import Literal, NamedTuple, TypeAlias

from verifier.engine.poisson_binomial import SMALL, SumOfBinomials, TermWindow
from verifier.engine.tails import Ball, Binomial, between, positive
from verifier.numbers import CoarseError, arb_of, epsilon
from verifier.wings.papers.bounds.real import PRECISIONS, Real, ball

Infinite = Literal["inf"]
Law: TypeAlias = Callable[[], TermWindow]
"""A function to the window of a law at the precision p in force, which leaves out a mass of about 2^-p, or less."""
ZERO, ONE = Fraction(0), Fraction(1)
SPARE = 64
"""Bits beyond those of a bracket, where a bound is compared with δ, or beyond those of a window, in its products."""


def enclosed(formula: Callable[[], Ball]) -> Real:
    """The real number that a formula gives as a ball, at twice the bits of a bracket, since tails are small numbers."""

    def fine() -> Ball:
        from flint import ctx

        with ctx.workprec(2 * ctx.prec):
            return formula()

    return ball(fine)


class Tail(NamedTuple):
    """A bound of δ as a function of e^ε: it falls as e^ε grows, and is constant from e^ε = `last` on.

    `at` takes e^ε, and gives a ball of the bound at the precision in force.
    """

    at: Callable[[Fraction], Ball]
    last: int


def binomial_law(n: int, p: Fraction) -> Law:
    """The law of the count of n independent records that are 1 with probability p each, 0 < p < 1.

    >>> from flint import ctx
    >>> with ctx.workprec(128):
    ...     window = binomial_law(10**6, Fraction(1, 10))()
    ...     window.low > 90_000, window.high < 110_000, window.outside < arb_of(Fraction(1, 10**30))
    (True, True, True)
    """
    return SumOfBinomials((Binomial(n, p),)).around_mean


def sum_law(chances: Sequence[Fraction]) -> Law:
    """The law of a sum of independent Bernoulli variables, one at least, each with 0 < p < 1."""
    groups = Counter(chances)
    at_precision = cache(lambda bits: _multiplied(groups, bits))

    def law() -> TermWindow:
        from flint import ctx

        return at_precision(ctx.prec)

    return law


def _multiplied(groups: Counter[Fraction], bits: int) -> TermWindow:
    """The terms above 2^-bits, multiplied two by two without tails of mass 2^-(bits + SPARE)."""
    from flint import arb_poly

    least, tiny = (arb_of(Fraction(1, 1 << places)) for places in (bits, bits + SPARE))
    parts, lost = [], 4 * len(groups) * tiny
    for p, number in groups.items():
        if number > SMALL:
            window = binomial_law(number, p)()
            lost += window.outside
            parts.append((window.low, arb_poly(list(window.terms))))
        else:
            parts.append((0, arb_poly([arb_of(1 - p), arb_of(p)]) ** number))
    while len(parts) > 1:
        odd = parts[len(parts) // 2 * 2 :]
        pairs = zip(parts[::2], parts[1::2], strict=False)
        parts = [_cut(low + start, (left * right).coeffs(), tiny) for (low, left), (start, right) in pairs] + odd
    low, product = parts[0]
    terms = [term + between(arb_of(ZERO), lost) for term in product.coeffs()]
    kept = [k for k, term in enumerate(terms) if term > least]
    return TermWindow(low + kept[0], terms[kept[0] : kept[-1] + 1], groups.total())


def _cut(low: int, weights: Sequence[Ball], tiny: Ball) -> tuple[int, Ball]:
    """A law without its two tails of mass below `tiny`, as its first number and a polynomial."""
    from flint import arb_poly

    first, last = (
        next(k for k, mass in enumerate(accumulate(side)) if not mass < tiny) for side in (weights, reversed(weights))
    )
    return low + first, arb_poly(weights[first : len(weights) - last])


def _half_lines(law: TermWindow, since: int = 0) -> Iterator[tuple[Ball, Ball]]:
    """The pairs (P[S], Q[S]) of half-lines S, P being the law of o and Q that of o + 1, and of the reverse order.

    Of the mass in the window alone, from its place `since` on: the pairs P[≤ k], P[≤ k - 1], and P[≥ k], P[≥ k + 1].
    """
    below = list(accumulate(law.terms, initial=arb_of(ZERO)))
    for smaller, larger in pairwise(below[since:]):
        yield larger, smaller
    yield from pairwise(_above(law)[since:])


def _above(law: TermWindow) -> list[Ball]:
    """P[≥ low], …, P[≥ high], P[> high], of the mass in the window alone."""
    return list(accumulate(reversed(law.terms), initial=arb_of(ZERO)))[::-1]


def delta_at(law: Law, level: Fraction, threshold: int | None = None) -> Real:
    """The exact δ at ε = `level` nats of a count whose value over the other records has this law.

    Counts up to `threshold`, if there is one, are one output. r being the law, it is the larger hockey-stick divergence
    of r[o] and r[o - 1]. The events are the half-lines {o ≤ t}, with t ≥ threshold, and {o ≥ t}, with t > threshold.

    >>> delta_at(binomial_law(2, Fraction(1, 2)), Fraction(0)).decimal()
    '0.5'
    """

    def formula() -> Ball:
        window, factor = law(), arb_of(level).exp()
        since = 0 if threshold is None else max(0, min(threshold - window.low, len(window.terms)))
        best = arb_of(ZERO)
        for p, q in _half_lines(window, since):
            best = best.max(p - factor * q)
        return between(positive(best - factor * window.outside), best + window.outside)

    return enclosed(formula)


def epsilon_at(law: Law, delta: Fraction) -> Real | Infinite:
    """The exact smallest ε, in nats, at which `delta_at` is at most `delta`; `inf` where no finite ε is enough.

    Each event S gives P[S] - e^ε·Q[S] ≤ δ, so the smallest e^ε is the largest of (P[S] - δ)/Q[S].

    >>> law = binomial_law(2, Fraction(1, 2))
    >>> epsilon_at(law, Fraction(3, 8)).decimal(), epsilon_at(law, Fraction(1, 5))
    ('0.405465108108', 'inf')

    Raises:
        ArithmeticError: where no precision settles whether an event needs an infinite e^ε.

    """
    only = enclosed(lambda: _only(law()))
    if Real.of(delta).at_least(only) is False:
        return "inf"
    return enclosed(lambda: _least_factor(law(), arb_of(delta)).log())


def _only(law: TermWindow) -> Ball:
    """The largest probability of an event that one side alone has: no record is counted, or all are."""
    least = law.terms[0] if law.low == 0 else between(arb_of(ZERO), law.before)
    most = law.terms[-1] if law.high == law.size else between(arb_of(ZERO), law.after)
    return least.max(most)


def _least_factor(law: TermWindow, delta: Ball) -> Ball:
    """The smallest e^ε ≥ 1 at which the divergence of `delta_at` is at most δ, where a finite one is enough."""
    best, lost = arb_of(ONE), law.outside
    for p, q in _half_lines(law):
        if not p + lost <= delta:
            if not q > 0:
                raise CoarseError
            best = best.max(between((p - delta) / (q + lost), (p + lost - delta) / q))
    return best


def _ratio_reached(law: TermWindow, level: Fraction) -> Ball:
    """P[X/Y ≥ level] for independent X, Y of this law; x/0 and 0/0 count as ∞."""
    above, total = _above(law), arb_of(ZERO)
    for y, weight in enumerate(law.terms, law.low):
        total += weight * above[max(0, min(ceil(level * y) - law.low, len(law.terms)))]
    return between(total, total + 2 * law.outside)


def _blanket(rounds: TermWindow, factor: Fraction, *, tail: bool) -> Ball:
    """`bernoulli.blanket`: E[max(0, 1 - e^ε·Y/(X + 1))], or with `tail` P[X + 1 ≥ e^ε·Y].

    The number m of random records has the law `rounds`, binomial with n - 1 trials and success 2λ; given m, Y is one of
    m fair coins.
    """
    m, half, total = rounds.low, Fraction(1, 2), arb_of(ZERO)
    top = ((m + 1) * factor.denominator) // (factor.numerator + factor.denominator)
    exp, coins = arb_of(factor), Binomial(m, half)
    # (m - y + 1)/y ≥ e^ε iff y ≤ (m + 1)/(e^ε + 1); `point` = P[Y = top], `at_most_top` = P[Y ≤ top]
    point, at_most_top = coins.term(top), coins.below(top)
    for weight in rounds.terms:
        while (m - top) * factor.denominator >= factor.numerator * (top + 1):
            point = point * (m - top) / (top + 1)
            at_most_top, top = at_most_top + point, top + 1
            # Σ P[Y = y]·y/(m - y + 1) over y ≤ top is P[Y ≤ top - 1]
        total += weight * (at_most_top if tail else at_most_top - exp * (at_most_top - point))
        at_most_top = at_most_top - point / 2
        point = point * (m + 1) / (2 * (m + 1 - top))
        m += 1
    return between(total, total + rounds.outside)


def printed_tail(n: int, share: Fraction) -> Tail:
    """The bound P[X/Y ≥ level], X and Y independent, binomial, n - 1 trials, success 2λ (DMKB20, Theorem 3).

    Where Y ≥ 1, X/Y is below n.
    """
    law = binomial_law(n - 1, 2 * share)
    return Tail(lambda level: _ratio_reached(law(), level), n)


def repaired_tail(n: int, share: Fraction) -> Tail:
    """The bound P[(X + 1)/Y ≥ level], (X, Y, rest) multinomial with n - 1 trials and shares (λ, λ, 1 - 2λ).

    Where Y ≥ 1, (X + 1)/Y is below n.
    """
    law = binomial_law(n - 1, 2 * share)
    return Tail(lambda level: _blanket(law(), level, tail=True), n)


def blanket_tail(n: int, share: Fraction) -> Tail:
    """The bound E[max(0, 1 - level·Y/(X + 1))], (X, Y, rest) as in `repaired_tail`, which is at least as large."""
    law = binomial_law(n - 1, 2 * share)
    return Tail(lambda level: _blanket(law(), level, tail=False), n)


TAILS = (printed_tail, repaired_tail, blanket_tail)
"""The bounds of Theorem 3: as printed (at e^ε), repaired, and the sharper one that is repaired too."""


def tail_at(tail: Tail, level: Fraction) -> Real:
    """The bound of δ at e^ε, ε = `level` nats.

    >>> tail_at(printed_tail(2, Fraction(1, 4)), Fraction(0)).decimal()
    '0.75'
    """

    def formula() -> Ball:
        from flint import ctx

        low, high = epsilon(level).exp_bracket(ctx.prec)
        return tail.at(low) if low == high else between(tail.at(low), tail.at(high))

    return enclosed(formula)


def literal_at(tail: Tail, level: Fraction) -> Real:
    """The bound of δ at ε = `level` nats with ε itself in place of e^ε, as Theorem 3 is printed."""
    return enclosed(lambda: tail.at(level))


def least_level(tail: Tail, delta: Fraction) -> Real | Infinite:
    """The smallest ε ≥ 0, in nats, from which on the bound is at most δ; `inf` where no finite ε is enough.

    It is found by bisection: at the lower end the bound is proved to be above δ, at the upper end to be at most δ.

    >>> least_level(repaired_tail(3, Fraction(1, 4)), Fraction(3, 5)).decimal(4)
    '0.6931'
    >>> least_level(printed_tail(2, Fraction(1, 4)), Fraction(1, 3))
    'inf'
    """
    from flint import ctx

    def above(level: Fraction, precision: int) -> bool:
        with ctx.workprec(precision + SPARE):
            value = tail.at(level)
            if value > arb_of(delta):
                return True
            if value <= arb_of(delta):
                return False
        raise ArithmeticError("a bound meets δ to the last digit")

    if above(Fraction(tail.last), PRECISIONS[0]):
        return "inf"
    if not above(Fraction(1), PRECISIONS[0]):
        return Real.of(0)
    ends = {0: (Fraction(1), Fraction(tail.last))}

    @cache
    def bracket(precision: int) -> tuple[Fraction, Fraction]:
        wanted = precision // 4 + 2
        low, high = ends[max(step for step in ends if step <= wanted)]
        while (high - low) * (1 << wanted) > low - 1 + Fraction(1, 1 << wanted):
            middle = _middle(low, high)
            low, high = (middle, high) if above(middle, precision) else (low, middle)
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
