"""The numbers of the papers' figures: what is exact, asked of the program, and sums over more records than it takes.

A value is a pair of bounds, `inf`, or None where a formula says nothing. What is exact is asked of `pk.check`; the sums
are balls that hold the exact ones, of whose weights the tiny ones are left out and bounded.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable
from fractions import Fraction
from functools import cache
from itertools import accumulate, pairwise
from math import ceil, comb
from typing import Any, Literal, NamedTuple

from flint import arb, arb_poly, ctx

import pkdp as pk
from verifier.engine import Engine
from verifier.numbers import arb_of, ball_ends, decimal_of
from verifier.numbers.order import Enclosure
from verifier.wings.papers.bounds.sampling import upper_tail

Value = tuple[Fraction, Fraction] | Literal["inf"] | None

Chances = tuple[tuple[Fraction, int], ...]
"""Probabilities of independent records, each with the number of records that have it; the target is the first one."""
BITS, DIGITS, FEW = 512, 6, 200
ctx.prec = BITS

# --- values ----------------------------------------------------------------------------------------------------------


def text(value: Value, digits: int = DIGITS) -> str:
    """The value, correctly rounded.

    Raises:
        ArithmeticError: where its bounds round differently.

    """
    if value is None or value == "inf":
        return value or "–"
    low, high = (decimal_of(end, digits) for end in value)
    if low != high:
        raise ArithmeticError(f"{low} or {high}")
    return low


def smaller(first: Value, second: Value) -> bool:
    """Whether the first value is proved to be less than the second."""
    if first is None or second is None or first == "inf":
        return False
    return second == "inf" or first[1] < second[0]


def largest(values: Iterable[Value]) -> Value:
    """The largest of several values, none of them None; `inf` is above every number."""
    every = list(values)
    ends = [value for value in every if isinstance(value, tuple)]
    return (max(low for low, _ in ends), max(high for _, high in ends)) if len(ends) == len(every) else "inf"


def ends_of(value: Any) -> Value:
    """The bounds of a number of the program: exact, enclosed, or a real number of a bound."""
    if value is None or value == "inf" or getattr(value, "is_infinite", False):
        return None if value is None else "inf"
    if isinstance(value, Enclosure):
        return value.low.value, value.high.value
    low, high = value.bracket(BITS)
    return low, high


def e_to(level: Fraction) -> tuple[Fraction, Fraction]:
    """Bounds of e^ε for an ε in nats."""
    return pk.epsilon(level).exp_bracket(BITS)


# --- what is exact ---------------------------------------------------------------------------------------------------


@cache
def engine(chances: Chances, targets: int, above: int | None) -> Engine:
    """The count of independent records, of which the first `targets` are sensitive; a count up to `above` is hidden."""
    laws = [{"times": 1, "size": n, "iid": {0: str(1 - p), 1: str(p)}} for p, n in chances if n]
    kind: dict[str, object] = {"kind": "count", "value": 1}
    if above is not None:
        kind = {"kind": "threshold-count", "value": 1, "above": above}
    records, size = list(range(targets)), sum(n for _, n in chances)
    model = pk.build(
        size=size, values=[0, 1], distribution={"groups": laws}, mechanism=kind, sensitive={"records": records}
    )
    return Engine(model, force="ball")


def exact(chances: Chances, *, targets: int = 1, above: int | None = None, **asked: Any) -> Value:
    """The smallest δ at an `epsilon`, or the smallest ε (nats) at a `delta`, of a count (apkdp)."""
    used = engine(chances, targets, above)
    answer = pk.check(used.model, pk.apkdp, engine=used, replay=False, digits=2 * DIGITS, **asked)
    return ends_of(answer.tight_delta if "epsilon" in asked else answer.tight_epsilon)


def vertices(n: int, share: Fraction, **asked: Any) -> Value:
    """The largest δ, or ε, where each p_i is λ or 1 - λ, which is the worst; for many records where all are λ."""
    ups = range((n - 1) // 2 + 1) if n <= FEW else [0]
    return largest(exact(((share, n - up), (1 - share, up)), **asked) for up in ups)


# --- sums over many records ------------------------------------------------------------------------------------------


class Law(NamedTuple):
    """The law of a count: the probabilities of start, start + 1, … that are not tiny; `lost` bounds all others."""

    start: int
    weights: tuple[Any, ...]
    lost: Any

    def at_least(self) -> list[Any]:
        """P[≥ start], P[≥ start + 1], …, and what lies above all that is kept."""
        return list(accumulate(reversed(self.weights), initial=arb(0).union(self.lost)))[::-1]

    def mirrored(self) -> Law:
        """The law of the negative count."""
        return Law(1 - self.start - len(self.weights), self.weights[::-1], self.lost)


TINY = arb_of(Fraction(1, 1 << (BITS - 128)))


def kept(start: int, weights: list[Any]) -> Law:
    """The law with these probabilities, without the tiny ones at both ends."""
    large = [k for k, weight in enumerate(weights) if not weight < TINY]
    weights = weights[large[0] : large[-1] + 1]
    return Law(start + large[0], tuple(weights), arb(0).max((1 - sum(weights)).upper()))


def binomial(p: Fraction, n: int) -> Law:
    """The binomial law with n trials, from its middle outwards."""
    middle, odds = int(p * n), p / (1 - p)
    up = [arb(comb(n, middle)) * arb_of(p) ** middle * arb_of(1 - p) ** (n - middle)]
    down, k = up[:], middle
    while k < n and not up[-1] < TINY:
        up.append(up[-1] * arb_of(odds * Fraction(n - k, k + 1)))
        k += 1
    k = middle
    while k and not down[-1] < TINY:
        down.append(down[-1] * arb_of(Fraction(k, n - k + 1) / odds))
        k -= 1
    return kept(k, [*down[:0:-1], *up])


@cache
def law(chances: Chances) -> Law:
    """The law of the number of ones of independent records."""
    laws = [binomial(p, n) for p, n in chances]
    while len(laws) > 1:
        pairs = zip(laws[::2], laws[1::2], strict=False)
        products = [
            kept(a.start + b.start, (arb_poly(list(a.weights)) * arb_poly(list(b.weights))).coeffs()) for a, b in pairs
        ]
        laws = [*products, *laws[len(laws) // 2 * 2 :]]
    return laws[0]


def half_lines(others: Law, level: Fraction) -> Value:
    """The larger divergence at ε = `level` of r[o] and r[o - 1], r a log-concave law: events {o ≤ t} and {o ≥ t}."""
    factor, best = arb_of(level).exp(), arb(0)
    for tails in (others.at_least(), others.mirrored().at_least()):
        for now, after in pairwise(tails):
            best = best.max(now - factor * after)
    return ball_ends(best.union(best + others.lost))


def with_noise(n: int, share: Fraction, p: Fraction, level: Fraction) -> Value:
    """The δ of a count plus noise (1 - p)/(1 + p)·p^|k|; from ε = ln(1/p) on the noise alone makes it 0."""
    return (Fraction(0), Fraction(0)) if e_to(level)[0] >= 1 / p else half_lines(noisy(n, share, p), level)


@cache
def noisy(n: int, share: Fraction, p: Fraction) -> Law:
    """The law of the other records' count plus geometric noise with parameter p."""
    others, fall, reach = law(((share, n - 1),)), arb_of(p), 1000
    weights = [*[arb(0)] * reach, *others.weights, *[arb(0)] * reach]
    up = list(accumulate(weights, lambda total, weight: total * fall + weight))
    down = list(accumulate(weights[::-1], lambda total, weight: total * fall + weight))[::-1]
    scale = arb_of((1 - p) / (1 + p))
    return kept(others.start - reach, [scale * (a + b - w) for a, b, w in zip(up, down, weights, strict=True)])


def falling(bound: Callable[[Fraction], Any], level: Fraction) -> Value:
    """A bound that falls as e^ε grows, at an ε in nats."""
    low, high = e_to(level)
    return ball_ends(bound(high))[0], ball_ends(bound(low))[1]


def printed_tail(n: int, share: Fraction, factor: Fraction) -> Any:
    """P[X/Y ≥ factor], X and Y independent, binomial, n - 1 trials, success 2λ; x/0 counts (DMKB20, Theorem 3)."""
    count = law(((2 * share, n - 1),))
    tails = count.at_least()
    places = (ceil(factor * y) - count.start for y in range(count.start, count.start + len(count.weights)))
    total = sum((w * tails[max(0, min(k, len(tails) - 1))] for w, k in zip(count.weights, places, strict=True)), arb(0))
    return total.union(total + count.lost)


def repaired_tail(n: int, share: Fraction, factor: Fraction, *, sharper: bool = False) -> Any:
    """P[X + 1 ≥ e^ε·Y], or E[max(0, 1 - e^ε·Y/(X + 1))]; (X, Y, rest) has shares (λ, λ, 1 - 2λ), n - 1 trials.

    Y is one of m = X + Y fair coins, and (m - y + 1)/y ≥ e^ε for y up to `top`; `point` is P[Y = top] given m, `below`
    P[Y ≤ top], and Σ P[Y = y]·y/(m - y + 1) over these y is P[Y ≤ top - 1].
    """
    coins = law(((2 * share, n - 1),))
    top = int((coins.start + 1) / (factor + 1))
    ways = list(accumulate(range(top), lambda c, y: c * (coins.start - y) // (y + 1), initial=1))
    point, below = (arb_of(Fraction(c, 1 << coins.start)) for c in (ways[-1], sum(ways)))
    exp, total = arb_of(factor), arb(0)
    for m, weight in enumerate(coins.weights, coins.start):
        while m - top >= factor * (top + 1):
            point = point * (m - top) / (top + 1)
            below, top = below + point, top + 1
        total += weight * (below - exp * (below - point) if sharper else below)
        below, point = below - point / 2, point * (m + 1) / (2 * (m + 1 - top))
    return total.union(total + coins.lost)


def least(bound: Callable[[Fraction], Any], most: Fraction, delta: Fraction) -> Value:
    """The smallest ε ≥ 0 (nats) from which on a bound of δ, constant from e^ε = `most` on, is at most δ.

    Raises:
        ArithmeticError: where the bound meets δ to the last digit.

    """

    def above(factor: Fraction) -> bool:
        value = bound(factor)
        if not (value > arb_of(delta) or value <= arb_of(delta)):
            raise ArithmeticError("a bound meets δ to the last digit")
        return bool(value > arb_of(delta))

    low, high = Fraction(1), most
    if above(high):
        return "inf"
    if not above(low):
        return Fraction(0), Fraction(0)
    while (high - low) * (1 << 40) > low - 1 + Fraction(1, 1 << 20):
        middle = low + min((high - low) / 2, max(2 * (low - 1), Fraction(1, 1 << 10)))
        low, high = (middle, high) if above(middle) else (low, middle)
    return ball_ends(arb_of(low).log())[0], ball_ends(arb_of(high).log())[1]


def with_laplace(n: int, share: Fraction, scale: Fraction, delta: Fraction) -> Value:
    """The smallest ε (nats) at δ of a count plus Laplace noise of scale `scale`, whose density is s/2·e^(-s|x|).

    With r the law of the other records, P[count + noise ≤ k + u] = C - L·e^(-su)/2 + R·e^(su)/2 for 0 ≤ u ≤ 1, where
    C = P[count ≤ k], L = Σ_{j ≤ k} r[j]·e^(-s(k - j)), R = Σ_{j > k} r[j]·e^(-s(j - k)). The density is log-concave:
    the best events are half-lines. At e^ε = E the excess is c - A·e^(-su)/2 + B·e^(su)/2, c = C - E·C', A = L - E·L',
    B = R - E·R', the primes for k - 1; where its derivative is 0 it is c - √(-A·B).
    """
    others = law(((share, n - 1),))
    fall = (-arb_of(1 / scale)).exp()

    def sums(weights: list[Any]) -> tuple[list[Any], list[Any], list[Any]]:
        def decayed(row: list[Any]) -> list[Any]:
            return list(accumulate(row, lambda total, weight: total * fall + weight))

        right = decayed([arb(0), *weights[:0:-1]])[::-1]
        return list(accumulate(weights)), decayed(weights), [fall * weight for weight in right]

    padded = [arb(0), *others.weights, arb(0)]
    sides = [sums(padded), sums(padded[::-1])]

    def excess(mass: list[Any], left: list[Any], right: list[Any], factor: Any) -> Any:
        def slopes(k: int) -> tuple[Any, Any]:
            return left[k] - factor * left[k - 1], right[k] - factor * right[k - 1]

        low, high = 1, len(mass) - 1  # at `low` the ratio of the densities is above e^ε, at `high` below
        while high - low > 1:
            middle = (low + high) // 2
            a, b = slopes(middle)
            if not (a + b > 0 or a + b < 0):
                raise ArithmeticError("the sign of an excess is not settled")
            low, high = (middle, high) if a + b > 0 else (low, middle)
        a, b = slopes(low)
        best = mass[low] - factor * mass[low - 1] - (-a * b).sqrt()
        return (best - 2 * factor * others.lost).union(best + 2 * others.lost)

    def largest_excess(factor: Fraction) -> Any:
        first, second = (excess(*side, arb_of(factor)) for side in sides)
        return first.max(second)

    return least(largest_excess, e_to(1 / scale)[0], delta)


def group_levels(rate: Fraction, delta: Fraction, most: int) -> list[tuple[Value, Value]]:
    """The smallest ε ≥ -ln(1 - β) at δ for k = 1, …, `most`, groups of equal tuples being sampled at rate β = `rate`.

    First by LQS12, Theorem 3.9, then exactly. With T(n, j) = P[X ≥ j], X binomial with n trials: P[X > γn] ≤ δ means
    γ ≥ j/n where T(n, j) > δ, and e^ε = (1 - β)/(1 - γ); exactly, e^ε ≥ (T(n, j) - δ)/T(n - 1, j). Both are asked of
    all n and all j ≥ k; by Hoeffding no n from `stop` on asks for more than e^ε = 1/(1 - β), where γ = β(2 - β).
    """
    least_gamma, beta, wanted = rate * (2 - rate), arb_of(rate), arb_of(delta)
    stop = int((-wanted.log() / arb_of(2 * (least_gamma - rate) ** 2)).ceil().unique_fmpz()) + 1
    gammas, factors = [least_gamma] * stop, [arb_of(1 / (1 - rate))] * stop  # for each j
    weights, lost, before = [arb(1)], arb(0), [arb(1)]
    for n in range(1, stop):
        weights = [a * (1 - beta) + b * beta for a, b in zip([*weights, arb(0)], [arb(0), *weights], strict=True)]
        while len(weights) > n // 2 + 2 and weights[-1] < wanted * arb(2) ** -96:
            lost += weights.pop()
        tails = list(accumulate(reversed(weights), initial=arb(0).union(lost)))[::-1]
        for j, tail in enumerate(tails):
            if not (tail > wanted if tail > wanted or tail <= wanted else upper_tail(n, rate, j) > delta):
                break
            gammas[j] = max(gammas[j], Fraction(j, n))
            if j < n:
                factors[j] = factors[j].max((tail - wanted) / before[j])
        before = tails
    levels: list[tuple[Value, Value]] = []
    gamma, factor = gammas[-1], factors[-1]
    for j in range(stop - 1, 0, -1):
        gamma, factor = max(gamma, gammas[j]), factor.max(factors[j])
        printed, exactly = arb_of((1 - rate) / (1 - gamma)).log() if gamma < 1 else None, factor.log()
        levels.append(("inf", "inf") if printed is None else (ball_ends(printed), ball_ends(exactly)))
    return levels[: -most - 1 : -1]
