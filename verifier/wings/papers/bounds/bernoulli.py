"""The exact δ of a count of independent yes-or-no records, with or without a threshold.

Record i is 1 with probability p_i. The other records' sum has the law r, so that M(D) | D(i) = 0 has the law r[o]
and M(D) | D(i) = 1 the law r[o - 1]. Their hockey-stick divergence is the δ of APKDP (DMKB20, Definition 12); its
average over the known records is the δ of PPKDP (Definition 13). Laws are integers over one denominator.

`worst_count` takes the supremum over all p_i in an interval: `proofs/bounds.md` shows why the ends are enough.
"""

from __future__ import annotations

from bisect import bisect_left
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from fractions import Fraction
from itertools import accumulate
from math import comb, lcm
from typing import Any

from verifier.errors import LimitError
from verifier.profile import Profile, profile_of

MAX_WORK = 1 << 37
"""Largest work of one question: the number of laws, times the bits of one, times the number of evaluations."""
MAX_OUTPUTS = 1 << 15
"""Largest number of outputs for which privacy profiles are computed."""


@dataclass(frozen=True)
class BernoulliSum:
    """The law of a sum of independent Bernoulli variables, as integer weights over a denominator.

    >>> two = BernoulliSum.of([Fraction(1, 2), Fraction(1, 3)])
    >>> [str(Fraction(int(w), two.denominator)) for w in two.weights]
    ['1/3', '1/2', '1/6']
    """

    weights: tuple[Any, ...]
    denominator: int

    @classmethod
    def of(cls, chances: Sequence[Fraction]) -> BernoulliSum:
        """The law of the sum, from the coefficients of the product of (1 - p) + p·x over all p."""
        from flint import fmpz_poly

        law, denominator = fmpz_poly([1]), 1
        for p in set(chances):
            times = chances.count(p)
            law *= fmpz_poly(_factor(p)) ** times
            denominator *= p.denominator**times
        return cls(_coefficients(law, len(chances)), denominator)


def binomial(n: int, p: Fraction) -> BernoulliSum:
    """The binomial law with n trials and success probability p."""
    return BernoulliSum.of([p] * n)


def point(s: int, n: int, p: Fraction) -> Fraction:
    """f(s, n, p), the probability that a binomial variable has the value s; 0 where it cannot (DMKB20, Theorem 4).

    >>> point(1, 3, Fraction(1, 2)), point(-1, 3, Fraction(1, 2))
    (Fraction(3, 8), Fraction(0, 1))
    """
    return comb(n, s) * p**s * (1 - p) ** (n - s) if 0 <= s <= n else Fraction(0)


def _factor(p: Fraction) -> list[int]:
    return [p.denominator - p.numerator, p.numerator]


def _coefficients(law: Any, n: int) -> tuple[Any, ...]:
    coefficients = law.coeffs()
    return (*coefficients, *([0] * (n + 1 - len(coefficients))))


def divergences(law: BernoulliSum, factor: Fraction, thresholds: Iterable[int]) -> list[tuple[Any, Any]]:
    """The hockey-stick divergence at e^ε = factor ≥ 1 of r[o] from r[o - 1], and the reverse, for each threshold.

    r is the law. Counts up to a threshold are one output; -1 is no threshold. The values are numerators: their
    denominator is the law's times the factor's. r is log-concave (Newton), so that r[o]/r[o - 1] falls, and the outputs
    with an excess are those below one place in one order, and from one place on in the other.
    """
    a, b, weights = factor.numerator, factor.denominator, law.weights
    sums = list(accumulate(weights, initial=0))
    first = next(k for k, weight in enumerate(weights) if weight)
    last = next(k for k in reversed(range(len(weights))) if weights[k])
    outputs = range(first + 1, last + 1)
    stop = first + 1 + bisect_left(outputs, True, key=lambda o: bool(b * weights[o] <= a * weights[o - 1]))
    begin = first + 1 + bisect_left(outputs, True, key=lambda o: bool(b * weights[o - 1] > a * weights[o]))

    def below(k: int) -> Any:
        """P[sum < k], over the denominator."""
        return sums[max(0, min(k, len(weights)))]

    excesses = []
    for threshold in thresholds:
        start = max(threshold + 1, 0)
        excess_zero = max(0, b * below(start) - a * below(start - 1))
        if stop > start:
            excess_zero += b * (below(stop) - below(start)) - a * (below(stop - 1) - below(start - 1))
        since = max(start, begin)
        excess_one = b * (sums[-1] - below(since - 1)) - a * (sums[-1] - below(since))
        excesses.append((excess_zero, excess_one))
    return excesses


def _average(law: BernoulliSum, factor: Fraction, threshold: int, known_ones: BernoulliSum) -> Any:
    """The larger δ of the two orders of values, averaged over the known count, times all three denominators."""
    pairs = divergences(law, factor, (max(threshold - k, -1) for k in range(len(known_ones.weights))))
    return max(sum(w * pair[side] for w, pair in zip(known_ones.weights, pairs, strict=True)) for side in (0, 1))


def check_work(laws: int, n: int, known: int, bits: int) -> None:
    """Refuse a question of more than `MAX_WORK` steps, about a minute, before any work.

    The work is laws·n·bits·(n + 1 + known): so many laws of n records, whose weights have about n·bits bits.

    Raises:
        LimitError: where it would be more.

    """
    work = laws * n * bits * (n + 1 + known)
    if work > MAX_WORK:
        raise LimitError(
            f"{n:,} records ({known:,} of them known) have {laws:,} laws of {n * bits:,} bits a weight",
            where="n=",
            wanted=f"at most {MAX_WORK:,} steps; it is about {work:,}",
            tip="fewer records, or probabilities with shorter denominators",
        )


def size_of(chances: Sequence[Fraction]) -> int:
    """The number of bits of the longest denominator."""
    return max((p.denominator.bit_length() for p in chances), default=1)


def count_delta(chances: Sequence[Fraction], factor: Fraction, *, threshold: int = -1, known: int = 0) -> Fraction:
    """The smallest δ of PPKDP at e^ε = factor, for a count that is shown above a threshold; -1 shows each count.

    Record i is 1 with probability `chances[i]`, the first `known` records are known, and each other one is the target
    once. Without a threshold, or where nothing is known, it is also the δ of APKDP (DMKB20, Theorem 2, Proposition 6).

    >>> count_delta([Fraction(1, 2)] * 3, Fraction(2)), count_delta([Fraction(1, 2)] * 3, Fraction(2), threshold=1)
    (Fraction(1, 4), Fraction(1, 4))
    """
    check_work(len(set(chances)), len(chances), known, size_of(chances))
    known_ones, best = BernoulliSum.of(chances[:known]), Fraction(0)
    for law in _laws_of_others(chances[known:]):
        value = int(_average(law, factor, threshold, known_ones))
        best = max(best, Fraction(value, law.denominator * factor.denominator * known_ones.denominator))
    return best


def _laws_of_others(unknown: Sequence[Fraction]) -> Iterator[BernoulliSum]:
    """The law of the sum of the unknown records but one, the target, for each different target."""
    for target in set(unknown):
        remaining = list(unknown)
        remaining.remove(target)
        yield BernoulliSum.of(remaining)


def count_profile(chances: Sequence[Fraction], *, threshold: int = -1, known: int = 0) -> list[Profile]:
    """The privacy profiles δ(ε) whose maximum is `count_delta`, one for each different target and order of its values.

    The list is empty where the profiles would have more than `MAX_OUTPUTS` outputs.
    """
    if len(set(chances)) * (1 + known) * len(chances) > MAX_OUTPUTS:
        return []
    known_ones, profiles = BernoulliSum.of(chances[:known]), []
    for others in _laws_of_others(chances[known:]):
        law = list(map(int, others.weights))
        weights_zero: list[int] = []
        weights_one: list[int] = []
        for k, weight in enumerate(map(int, known_ones.weights)):
            hidden = max(threshold - k, -1) + 1
            for law_of_value, outputs in (([*law, 0], weights_zero), ([0, *law], weights_one)):
                outputs += [weight * w for w in (sum(law_of_value[:hidden]), *law_of_value[hidden:])]
        profiles += [profile_of(weights_zero, weights_one), profile_of(weights_one, weights_zero)]
    return profiles


def worst_count(
    n: int, low: Fraction, high: Fraction, factor: Fraction, *, threshold: int = -1, known: int = 0
) -> tuple[Fraction, str]:
    """The supremum of `count_delta` over all p_i strictly between `low` and `high`, and where it is approached.

    δ is a maximum over events of functions that are affine in each p_j, so it is convex in each p_j, and greatest where
    every p_j is at an end; by symmetry only the number of unknown p_j at the upper end matters. The more known records
    are 1, the lower is the threshold for the others and the less it hides: the known p_j are at the upper end.

    >>> worst_count(2, Fraction(1, 4), Fraction(3, 4), Fraction(2))
    (Fraction(3, 4), '1 of 1 others at 1/4')
    """
    from flint import fmpz_poly

    check_work(n, n, known, size_of([low, high]))
    unknown_others = n - 1 - known
    scale = lcm(low.denominator, high.denominator)
    least, most = (fmpz_poly([c * scale // p.denominator for c in _factor(p)]) for p in (low, high))
    known_ones = BernoulliSum(_coefficients(most**known, known), 1)
    best, best_up, law = -1, 0, least**unknown_others
    mirrored = not known and threshold < 0 and low + high == 1  # the two orders of values change places
    for up in range(unknown_others // 2 + 1 if mirrored else unknown_others + 1):
        if up:
            law = law * most // least
        value = _average(BernoulliSum(_coefficients(law, unknown_others), 1), factor, threshold, known_ones)
        if value > best:
            best, best_up = value, up
    where = (
        f"{unknown_others - best_up} of {unknown_others} others at {low}"
        if best_up < unknown_others
        else f"all others at {high}"
    )
    if known:
        where += f", all known at {high}"
    return Fraction(int(best), scale ** (n - 1) * factor.denominator), where


def blanket(n: int, share: Fraction, factor: Fraction, *, tail: bool = False) -> Fraction:
    """E[max(0, 1 - e^ε·Y/(X + 1))] with (X, Y, rest) multinomial with n - 1 trials and shares (λ, λ, 1 - 2λ).

    λ is `share`, and e^ε is `factor`. It is the δ where each other record is, with probability 2λ, one fair bit, and
    else known (the privacy blanket).
    With `tail` it is P[X + 1 ≥ e^ε·Y], which is at least as large.

    >>> blanket(2, Fraction(1, 4), Fraction(2)), blanket(3, Fraction(1, 4), Fraction(2), tail=True)
    (Fraction(3, 4), Fraction(11, 16))
    """
    check_work(1, n, 0, share.denominator.bit_length())
    a, b, total = factor.numerator, factor.denominator, 0
    inside, outside, trials = 2 * share.numerator, share.denominator - 2 * share.numerator, n - 1
    top, lower_sum = 0, 1  # lower_sum = Σ C(m, y) over y = 0, …, top, the y with (m - y + 1)/y ≥ e^ε
    for m in range(trials + 1):
        if m:
            lower_sum = 2 * lower_sum - comb(m - 1, top)
        while (m - top) * b >= a * (top + 1):
            top += 1
            lower_sum += comb(m, top)
        gain = b * lower_sum - (0 if tail else a * (lower_sum - comb(m, top)))
        total += comb(trials, m) * inside**m * outside ** (trials - m) * gain * 2 ** (trials - m)
    return Fraction(total, b * (share.denominator * 2) ** trials)


def ratio_tail(n: int, success: Fraction, level: Fraction, *, plus: int = 0, zero_over_zero: bool = True) -> Fraction:
    """P[(X + plus)/Y ≥ level] for independent binomial X, Y with n - 1 trials and probability `success`.

    x/0 counts as ∞ for x > 0, and 0/0 does too unless `zero_over_zero` is False.

    >>> at = 2, Fraction(1, 4), Fraction(2)
    >>> ratio_tail(*at), ratio_tail(*at, zero_over_zero=False)
    (Fraction(3, 4), Fraction(3, 16))
    """
    check_work(1, n, 0, success.denominator.bit_length())
    law = binomial(n - 1, success)
    sums, total = list(accumulate(law.weights, initial=0)), 0
    for y, weight in enumerate(law.weights):
        least = max(0, -(-level.numerator * y // level.denominator) - plus)
        if y == 0 and not zero_over_zero and not plus:
            least = 1
        total += weight * (sums[-1] - sums[min(least, n)])
    return Fraction(int(total), law.denominator**2)
