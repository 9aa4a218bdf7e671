"""Laws of counts of thousands of records, and their divergences, as Arb balls that enclose the exact values.

A law keeps its larger weights, as balls, and an upper bound of all the mass that it leaves out. Everything that is
computed from it is an enclosure of the exact value, and no ball is replaced by its midpoint. All laws here
are log-concave, so that the best events are half-lines (see `verifier.wings.papers.bounds.bernoulli`).
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from fractions import Fraction
from functools import reduce
from itertools import accumulate
from math import ceil, comb
from typing import Any

from verifier.numbers import arb_of

SPARE = 64
"""Bits of precision beyond the precision of the smallest weight that is kept."""


@dataclass(frozen=True)
class Large:
    """A law on whole numbers: Arb weights of start, start + 1, …, and `lost`, a bound of the mass elsewhere.

    `least` and `most` are the ends of the law's whole support; None where the support has no end.
    """

    start: int
    weights: tuple[Any, ...]
    lost: Any
    least: int | None
    most: int | None

    @property
    def stop(self) -> int:
        """The number after the last one whose weight is kept."""
        return self.start + len(self.weights)

    def below(self) -> list[Any]:
        """P[≤ start - 1], P[≤ start], …, without the mass that is left out."""
        return list(accumulate(self.weights, initial=arb_of(Fraction(0))))

    def above(self) -> list[Any]:
        """P[≥ start], …, P[≥ stop], without the mass that is left out."""
        return list(accumulate(reversed(self.weights), initial=arb_of(Fraction(0))))[::-1]


def tiny(bits: int) -> Any:
    """The Arb ball of 2^-bits."""
    return arb_of(Fraction(1, 1 << bits))


def large_binomial(n: int, p: Fraction, bits: int) -> Large:
    """The binomial law with n trials, from its middle outwards until a weight is below 2^-bits.

    >>> from flint import ctx
    >>> with ctx.workprec(192):
    ...     law = large_binomial(10**6, Fraction(1, 10), 128)
    ...     law.start > 90_000, law.stop < 110_000, law.lost < arb_of(Fraction(1, 10**30))
    (True, True, True)
    """
    if p in {0, 1}:
        at = n if p else 0
        return Large(at, (arb_of(Fraction(1)),), arb_of(Fraction(0)), at, at)
    middle, odds, least = int(p * n), p / (1 - p), tiny(bits)
    top = arb_of(Fraction(comb(n, middle))) * arb_of(p) ** middle * arb_of(1 - p) ** (n - middle)
    up, down, lost = [top], [top], arb_of(Fraction(0))
    k = middle
    while k < n and not up[-1] < least:
        up.append(up[-1] * arb_of(odds * Fraction(n - k, k + 1)))
        k += 1
    if k < n:  # the weights fall at least geometrically from here on
        lost += up[-1] / (1 - arb_of(odds * Fraction(n - k, k + 1)))
    k = middle
    while k and not down[-1] < least:
        down.append(down[-1] * arb_of(Fraction(k, n - k + 1) / odds))
        k -= 1
    if k:
        lost += down[-1] / (1 - arb_of(Fraction(k, n - k + 1) / odds))
    return Large(middle - len(down) + 1, (*down[:0:-1], *up), lost.upper(), 0, n)


def convolved(first_law: Large, second_law: Large, bits: int) -> Large:
    """The law of the sum of two independent numbers, without its two tails of mass below 2^-bits each."""
    from flint import arb_poly

    weights = (arb_poly(list(first_law.weights)) * arb_poly(list(second_law.weights))).coeffs()
    lost, least = first_law.lost + second_law.lost, tiny(bits)
    first, last, left, right = 0, len(weights), arb_of(Fraction(0)), arb_of(Fraction(0))
    while last - first > 1 and left + weights[first] < least:
        left += weights[first]
        first += 1
    while last - first > 1 and right + weights[last - 1] < least:
        right += weights[last - 1]
        last -= 1
    ends = [
        None if a is None or b is None else a + b
        for a, b in ((first_law.least, second_law.least), (first_law.most, second_law.most))
    ]
    return Large(
        first_law.start + second_law.start + first,
        tuple(weights[first:last]),
        (lost + left + right).upper(),
        ends[0],
        ends[1],
    )


def large_sum(chances: Sequence[Fraction], bits: int) -> Large:
    """The law of a sum of independent Bernoulli variables; those with the same probability are added as one binomial.

    >>> from flint import ctx
    >>> with ctx.workprec(192):
    ...     law = large_sum([Fraction(1, 2), Fraction(1, 3)], 128)
    ...     [weight.contains(1) for weight in (2 * law.weights[1], 3 * law.weights[0])], law.lost.is_zero()
    ([True, True], True)
    """
    counts: dict[Fraction, int] = {}
    for p in chances:
        counts[p] = counts.get(p, 0) + 1
    laws = [large_binomial(n, p, bits) for p, n in counts.items()] or [large_binomial(0, Fraction(1, 2), bits)]
    while len(laws) > 1:
        odd = laws[len(laws) // 2 * 2 :]
        laws = [
            convolved(first_law, second_law, bits) for first_law, second_law in zip(laws[::2], laws[1::2], strict=False)
        ] + odd
    return laws[0]


def with_noise(law: Large, p: Fraction, bits: int) -> Large:
    """The law of a number plus independent two-sided geometric noise (1 - p)/(1 + p)·p^|k| (DMKB20, Definition 19).

    >>> from flint import ctx
    >>> with ctx.workprec(192):
    ...     law = with_noise(large_binomial(0, Fraction(1, 2), 128), Fraction(1, 2), 128)
    ...     (3 * law.weights[-law.start]).contains(1)
    True
    """
    reach, power = 0, Fraction(1)
    while power > Fraction(1, 1 << bits):
        reach, power = reach + 64, power * p**64
    zeros = [arb_of(Fraction(0))] * reach
    inner = [*zeros, *law.weights, *zeros]
    factor, scale = arb_of(p), arb_of((1 - p) / (1 + p))
    rising = list(accumulate(inner, lambda sum_so_far, weight: sum_so_far * factor + weight))
    falling = list(accumulate(reversed(inner), lambda sum_so_far, weight: sum_so_far * factor + weight))[::-1]
    weights = [scale * (a + b - w) for a, b, w in zip(rising, falling, inner, strict=True)]
    outside = arb_of(p / (1 + p)) * (rising[-1] + falling[0])
    return Large(law.start - reach, tuple(weights), (law.lost + outside).upper(), None, None)


def stick(law: Large, factor: Any, threshold: int | None = None) -> Any:
    """An enclosure of the larger hockey-stick divergence at e^ε = factor ≥ 1 of r[o] and r[o - 1], r being the law.

    Counts up to a threshold are one output. The events are the half-lines {o ≤ t}, with t ≥ threshold, and {o ≥ t},
    with t > threshold.

    >>> from flint import ctx
    >>> with ctx.workprec(192):
    ...     law = large_binomial(2, Fraction(1, 2), 128)
    ...     (4 * stick(law, arb_of(Fraction(2)))).contains(1)
    True
    """
    zero = arb_of(Fraction(0))
    below, above = law.below(), law.above()
    since = 0 if threshold is None else max(0, min(threshold - law.start, len(law.weights)))
    small = (below[k + 1] - factor * below[k] for k in range(since, len(law.weights)))
    large = (above[k] - factor * above[k + 1] for k in range(since, len(law.weights)))
    best = reduce(lambda x, y: x.max(y), (*small, *large), zero)
    low = (best - factor * law.lost).lower()
    return zero.max(low).union(best + law.lost)


def least_factor(law: Large, delta: Fraction) -> Any:
    """An enclosure of the smallest e^ε ≥ 1 at which the divergence `stick` is at most δ; None where no e^ε is enough.

    Each event S gives P[S] - e^ε·Q[S] ≤ δ, so the smallest e^ε is the largest of (P[S] - δ)/Q[S].

    >>> from flint import ctx
    >>> with ctx.workprec(192):
    ...     law = large_binomial(2, Fraction(1, 2), 128)
    ...     least_factor(law, Fraction(1, 4)).contains(2), least_factor(law, Fraction(1, 5)) is None
    (True, True)

    Raises:
        ArithmeticError: where the precision does not settle whether an event needs an infinite e^ε.

    """
    best, delta_ball = arb_of(Fraction(1)), arb_of(delta)
    below, above = law.below(), law.above()
    count = len(law.weights)
    if (law.least == law.start and below[1] > delta_ball) or (
        law.most == law.stop - 1 and above[count - 1] > delta_ball
    ):
        return None
    sides = ((below[k + 1], below[k]) for k in range(count)), ((above[k], above[k + 1]) for k in range(count))
    for pairs in sides:
        for p, q in pairs:
            if p + law.lost <= delta_ball:
                continue
            if not q > 0:
                raise ArithmeticError(f"an event that one side alone has meets {delta} to the last digit")
            best = best.max(((p - delta_ball) / (q + law.lost)).union((p + law.lost - delta_ball) / q))
    return best


def ratio_reached(law: Large, level: Fraction, *, plus: int = 0) -> Any:
    """An enclosure of P[(X + plus)/Y ≥ level] for independent X, Y of this law on 0, 1, …; x/0 and 0/0 count as ∞."""
    above = law.above()
    total = arb_of(Fraction(0))
    for y, weight in enumerate(law.weights, law.start):
        least = ceil(level * y) - plus - law.start
        total += weight * above[max(0, min(least, len(law.weights)))]
    return total.union(total + 2 * law.lost)


def large_blanket(n: int, share: Fraction, factor: Fraction, bits: int, *, tail: bool = False) -> Any:
    """An enclosure of `bernoulli.blanket`: of E[max(0, 1 - e^ε·Y/(X + 1))], or with `tail` of P[X + 1 ≥ e^ε·Y].

    The number m of random records is binomial with n - 1 trials and success 2λ; given m, Y is one of m fair coins.
    """
    rounds = large_binomial(n - 1, 2 * share, bits)
    top = ((rounds.start + 1) * factor.denominator) // (factor.numerator + factor.denominator)
    half, total = arb_of(Fraction(1, 2)), arb_of(Fraction(0))
    exp = arb_of(factor)
    # (m - y + 1)/y ≥ e^ε iff y ≤ (m + 1)/(e^ε + 1); `point` = P[Y = top], `at_most_top` = P[Y ≤ top]
    m, point, at_most_top = rounds.start, *_coins(rounds.start, top, bits)
    for weight in rounds.weights:
        while (m - top) * factor.denominator >= factor.numerator * (top + 1):
            point = point * (m - top) / (top + 1)
            at_most_top, top = at_most_top + point, top + 1
            # Σ P[Y = y]·y/(m - y + 1) over y ≤ top is P[Y ≤ top - 1]
        total += weight * (at_most_top if tail else at_most_top - exp * (at_most_top - point))
        at_most_top = at_most_top - point * half
        point = point * half * (m + 1) / (m + 1 - top)
        m += 1
    return total.union(total + rounds.lost)


def _coins(m: int, top: int, bits: int) -> tuple[Any, Any]:
    """P[Y = top] and P[Y ≤ top] for m fair coins, top ≤ (m + 1)/2."""
    point = arb_of(Fraction(comb(m, top), 1 << m))
    at_most_top, term, least = arb_of(Fraction(0)), point, tiny(2 * bits)
    y = top
    while True:
        at_most_top += term
        if not y:
            return point, at_most_top
        term = term * y / (m - y + 1)
        y -= 1
        if y * 2 < m and term < least * point:
            remainder = term / (1 - arb_of(Fraction(y, m - y + 1)))
            return point, at_most_top + arb_of(Fraction(0)).union(remainder)
