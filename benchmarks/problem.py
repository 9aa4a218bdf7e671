"""The question of the benchmark, and its scoring in exact integers, in fractions and in floating point.

n binary records, independent; records 0, 1 and 2 are known; the mechanism is the count of ones where it is
above n // 4, else no answer. Asked for: the tight δ of APKDP and PPKDP at e^ε = 2 for each target record.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from fractions import Fraction

import numpy as np
import numpy.typing as npt

Answer = tuple[Fraction, Fraction]
KNOWN = 3
BASE = 2
"""e^ε."""


def primes(above: int, count: int) -> list[int]:
    """The first `count` primes above a number."""
    found: list[int] = []
    number = above
    while len(found) < count:
        number += 1
        if all(number % p for p in range(2, int(number**0.5) + 1)):
            found.append(number)
    return found


@dataclass(frozen=True)
class Problem:
    """One size, one choice of denominators (`common` or `coprime`), one or all targets."""

    n: int
    denominators: str
    every_target: bool

    @property
    def factors(self) -> list[tuple[int, int]]:
        """The integer weights of the values 0 and 1 of each record; p = (i + 1) / denominator."""
        shared = 2 * self.n + 3
        totals = [shared] * self.n if self.denominators == "common" else primes(2 * self.n, self.n)
        return [(total - i - 1, i + 1) for i, total in enumerate(totals)]

    @property
    def above(self) -> int:
        """The count must be above this number to be told."""
        return self.n // 4

    @property
    def targets(self) -> list[int]:
        """The records that are attacked; the known ones have no alternative."""
        return list(range(KNOWN, self.n)) if self.every_target else [self.n - 1]

    @property
    def groups(self) -> int:
        """How many codes (knowledge, target's value, count) there are."""
        return (2 << KNOWN) * (self.n + 1)

    def steps(self, target: int) -> list[int]:
        """What the value 1 of each record adds to a row's code."""
        width = self.n + 1
        steps = [1] * self.n
        for i in range(KNOWN):
            steps[i] += (2 * width) << (KNOWN - 1 - i)
        steps[target] += width
        return steps


def cells(sums: Sequence[int], n: int, above: int) -> Iterator[tuple[list[int], list[int]]]:
    """The two laws of each knowledge value, counts up to `above` merged into no answer."""
    width = n + 1
    for start in range(0, len(sums), 2 * width):
        p, q = list(sums[start : start + width]), list(sums[start + width : start + 2 * width])
        yield [sum(p[: above + 1]), *p[above + 1 :]], [sum(q[: above + 1]), *q[above + 1 :]]


def score(pairs: Iterator[tuple[list[int], list[int]]]) -> Answer:
    """The worst and the average δ at e^ε = 2, in integers until the end."""
    worst, over = 0, 1
    gains: list[list[tuple[int, int]]] = [[], []]
    masses = [0, 0]
    for p, q in pairs:
        totals = sum(p), sum(q)
        for order, (x, y) in enumerate(((p, q), (q, p))):
            x_total, y_total = totals[order], totals[1 - order]
            loss = BASE * x_total
            gain = sum(d for u, v in zip(x, y, strict=True) if (d := u * y_total - v * loss) > 0)
            if gain * over > worst * x_total * y_total:
                worst, over = gain, x_total * y_total
            gains[order].append((gain, y_total))
            masses[order] += x_total
    averages = []
    for terms, mass in zip(gains, masses, strict=True):
        top, bottom = 0, 1
        for gain, y_total in terms:
            top, bottom = top * y_total + gain * bottom, bottom * y_total
        averages.append(Fraction(top, bottom * mass))
    return Fraction(worst, over), max(averages)


def score_fractions(table: Mapping[tuple[int, int], Mapping[int, Fraction]]) -> Answer:
    """The same in fractions: `table[knowledge, value][count or -1]`."""
    worst = none = Fraction(0)
    averages: list[Fraction] = []
    for a, b in ((0, 1), (1, 0)):
        mass = sum((sum(table[k, a].values()) for k in range(2**KNOWN)), Fraction(0))
        average = none
        for k in range(2**KNOWN):
            p, q = table[k, a], table[k, b]
            p_total, q_total = sum(p.values(), none), sum(q.values(), none)
            delta = none
            for outcome, weight in p.items():
                gain = weight / p_total - BASE * q.get(outcome, Fraction(0)) / q_total
                delta += max(none, gain)
            worst = max(worst, delta)
            average += p_total / mass * delta
        averages.append(average)
    return worst, max(averages)


def score_floats(sums: npt.NDArray[np.float64], n: int, above: int) -> tuple[float, float]:
    """The same in floating point."""
    table = sums.reshape(2**KNOWN, 2, n + 1)
    laws = np.concatenate([table[:, :, : above + 1].sum(axis=2, keepdims=True), table[:, :, above + 1 :]], 2)
    masses = laws.sum(axis=2)
    laws /= masses[:, :, None]
    deltas = np.maximum(laws - BASE * laws[:, ::-1], 0).sum(axis=2)
    averages = (masses * deltas).sum(axis=0) / masses.sum(axis=0)
    return float(deltas.max()), float(averages.max())


def best(answers: Sequence[tuple[Fraction, Fraction]]) -> Answer:
    """The worst target."""
    return max(a for a, _ in answers), max(b for _, b in answers)
