"""The question of the benchmark without a table, and its scoring: exactly, and in floating point.

n voters, independent; the first `known` votes are known; the count of yes votes is told where it is above a threshold.
Asked for: the tight δ of APKDP (the worst class) and of PPKDP (the average) at ε = 1/10, for the last voter.

A class is a number k of yes votes among the known. With R yes votes among the other known to nobody, and
j = output - k, the output is told where j > t = above - k; it has the probability R[j] if the last vote is no and
R[j-1] if it is yes. So δ is a sum over the j > t, and the untold rest: one pass over R serves all classes.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from decimal import Context, Decimal
from fractions import Fraction
from functools import cached_property
from math import exp, factorial
from typing import Any, TypeAlias

Number: TypeAlias = int | Fraction
Line: TypeAlias = tuple[Fraction, Fraction]
"""(A, B) of δ = A - B·e^ε. As e^ε is irrational, equal δ have equal A and B."""
Answer: TypeAlias = tuple[Line, Line]
Weights: TypeAlias = Sequence[tuple[int, int]]
"""The integer weights of no and yes of some voters."""
Pair: TypeAlias = tuple[Number, Number]
EPSILON = Fraction(1, 10)
ONE = 1 << 256
_SUM = sum((EPSILON**i / factorial(i) for i in range(60)), Fraction(0))
LOW = int(_SUM * ONE)
HIGH = LOW + 2
"""e^ε is between LOW and HIGH over ONE: its series up to 10⁻¹³⁰."""


@dataclass(frozen=True)
class Case:
    """One size: `rising` has pᵢ = (i + 1)/(10 n), `identical` has p = 10⁻⁷ for all."""

    n: int
    known: int
    above: int
    kind: str

    @cached_property
    def weights(self) -> list[tuple[int, int]]:
        """The integer weights of no and yes of each voter."""
        if self.kind == "identical":
            return [(10**7 - 1, 1)] * self.n
        return [(10 * self.n - i - 1, i + 1) for i in range(self.n)]

    @property
    def known_count(self) -> list[tuple[int, int]]:
        """The voters that are known."""
        return self.weights[: self.known]

    @property
    def others(self) -> list[tuple[int, int]]:
        """The voters that are neither known nor attacked."""
        return self.weights[self.known : self.n - 1]


def probabilities(weights: Weights) -> list[float]:
    """The probabilities of yes in floating point."""
    return [one / (zero + one) for zero, one in weights]


def tree(factors: list[Any], product: Callable[[Any, Any], Any]) -> Any:
    """The product of one factor or more, two neighbours at a time."""
    while len(factors) > 1:
        odd = factors[-1:] if len(factors) % 2 else []
        factors = [product(a, b) for a, b in zip(factors[::2], factors[1::2], strict=False)] + odd
    return factors[0]


def positive(a: Number, b: Number) -> bool:
    """Whether a > b·e^ε; a and b are exact and of any sign.

    Raises:
        ArithmeticError: where they agree on some 250 bits.

    """
    ends = b * LOW, b * HIGH
    if a * ONE > max(ends):
        return True
    if a * ONE <= min(ends):
        return False
    raise ArithmeticError("closer than the bracket of e^ε")


def classes(rest: Sequence[Number], known: int, above: int) -> list[tuple[Pair, Pair]]:
    """(A, B) of each class 0 … known, yes against no and no against yes, over the total of `rest`."""
    size = len(rest)  # R[j] for j = 0 … size - 1; R[j - 1] up to j = size
    levels = {max(-1, min(above - k, size)) for k in range(known + 1)}
    told: dict[int, tuple[Pair, Pair]] = {}
    yes, no = (0, 0), (0, 0)
    sums: list[list[Number]] = [[*yes], [*no]]
    for j in range(size, -2, -1):
        if j in levels:  # the sums are over all above j
            told[j] = (sums[0][0], sums[0][1]), (sums[1][0], sums[1][1])
        here, before = rest[j] if 0 <= j < size else 0, rest[j - 1] if j > 0 else 0
        for law, p, q in ((sums[0], before, here), (sums[1], here, before)):
            if positive(p, q):
                law[0] += p
                law[1] += q
    untold: dict[int, Pair] = {}
    below: Number = 0
    for j in range(-1, size + 1):
        upto = below + rest[j] if 0 <= j < size else below
        if j in levels:
            untold[j] = (upto, below) if positive(upto, below) else (0, 0)
        below = upto
    found = []
    for k in range(known + 1):
        t = max(-1, min(above - k, size))
        first, (a, b) = told[t]
        found.append((first, (a + untold[t][0], b + untold[t][1])))
    return found


def worse(one: Pair, other: Pair) -> Pair:
    """The larger δ."""
    return other if positive(other[0] - one[0], other[1] - one[1]) else one


def score(known: Sequence[Number], rest: Sequence[Number], above: int) -> Answer:
    """APKDP and PPKDP from the weights of the counts of the known and of the other voters."""
    each = classes(rest, len(known) - 1, above)
    total, whole = sum(rest), sum(known)
    worst: Pair = (0, 0)
    for pairs in each:
        for pair in pairs:
            worst = worse(worst, pair)
    yes, no = (
        (
            sum(w * pairs[order][0] for w, pairs in zip(known, each, strict=True)),
            sum(w * pairs[order][1] for w, pairs in zip(known, each, strict=True)),
        )
        for order in (0, 1)
    )
    average = worse(yes, no)
    return line(worst, total), line(average, total * whole)


def line(pair: Pair, total: Number) -> Line:
    """A and B as fractions."""
    return Fraction(pair[0]) / total, Fraction(pair[1]) / total


def decimal_text(delta: Line, digits: int = 12) -> str:
    """A - B·e^ε to some digits; good for 50 of them, as A and B·e^ε agree on fewer than 200 bits."""
    value = delta[0] * ONE - delta[1] * LOW
    context = Context(prec=digits, Emin=-(10**9), Emax=10**9)
    shown = context.divide(Decimal(value.numerator), Decimal(value.denominator * ONE))
    return f"{shown:.{digits - 1}e}" if shown else "0"


def wrong(found: float, exact: str) -> bool:
    """Whether a float is no number, 0 where the exact δ is positive, or off in its 6th digit."""
    true = Decimal(exact)
    return found != found or abs(Decimal(found) - true) > abs(true) / 10**6  # noqa: PLR0124


def score_floats(known: Any, rest: Any, above: int) -> tuple[float, float, list[float]]:
    """APKDP, PPKDP, and the δ of each class, in numpy's floating point."""
    import numpy as np

    e, size = exp(0.1), len(rest)
    before, here = np.concatenate([[0.0], rest]), np.concatenate([rest, [0.0]])
    summed = [
        np.concatenate([np.cumsum(np.maximum(p - e * q, 0)[::-1])[::-1], [0.0]])
        for p, q in ((before, here), (here, before))
    ]
    below = np.concatenate([[0.0], np.cumsum(rest)])
    t = np.clip(above - np.arange(len(known)), -1, size)
    upto, less = below[np.clip(t + 1, 0, size)], below[np.clip(t, 0, size)]
    yes, no = summed[0][t + 1], summed[1][t + 1] + np.maximum(upto - e * less, 0)
    each = np.maximum(yes, no)
    return float(each.max()), float(max(known @ yes, known @ no)), [float(x) for x in each]
