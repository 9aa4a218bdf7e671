"""The smallest ε of a count plus Laplace noise, by enclosures of its δ as Arb balls.

The other records' count k has the law r; the noise has the density s/2·e^(-s|x|). For t = k + u, 0 ≤ u ≤ 1,
P[count + noise ≤ t] = C - L·e^(-su)/2 + R·e^(su)/2, with C = P[count ≤ k], L = Σ_{j ≤ k} r[j]·e^(-s(k - j)) and
R = Σ_{j > k} r[j]·e^(-s(j - k)). The density is log-concave, so the best events are half-lines, and at e^ε = E the
excess is c - A·e^(-su)/2 + B·e^(su)/2 with c = C - E·C', A = L - E·L', B = R - E·R', where the primes stand for k - 1.
Where its derivative is 0 it is c - √(-A·B).
"""

from __future__ import annotations

from dataclasses import dataclass
from fractions import Fraction
from itertools import accumulate
from typing import Any

from verifier.numbers import arb_of
from verifier.wings.papers.bounds.large import SPARE, Large
from verifier.wings.papers.bounds.levels import Law
from verifier.wings.papers.bounds.real import Real


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
    def of(cls, law: Large, rate: Any, *, mirrored: bool) -> Sided:
        """C, L and R of a law of counts, with s = `rate`; `mirrored` for the other order of the target's values."""
        zero, fall = arb_of(Fraction(0)), (-rate).exp()
        weights = [zero, *(law.weights[::-1] if mirrored else law.weights), zero]
        left = tuple(accumulate(weights, lambda sum_so_far, weight: sum_so_far * fall + weight))
        right = tuple(
            accumulate(reversed([*weights[1:], zero]), lambda sum_so_far, weight: sum_so_far * fall + weight)
        )[::-1]
        return cls(tuple(accumulate(weights)), left, tuple(fall * weight for weight in right), law.lost)

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


def least_with_noise(law: Law, scale: Fraction, delta: Fraction) -> Real:
    """The smallest ε ≥ 0, in nats, at δ > 0 of a count plus Laplace noise of scale `scale`; it is below 1/scale.

    `law` is the law of the other records' count.

    >>> from verifier.wings.papers.bounds.levels import binomial_law
    >>> least_with_noise(binomial_law(0, Fraction(1, 2)), Fraction(2), Fraction(1, 10)).decimal(6)
    '0.289279'
    """
    from flint import ctx

    def bracket(precision: int) -> tuple[Fraction, Fraction]:
        bits = 2 * precision + SPARE
        with ctx.workprec(bits + SPARE):
            rate = arb_of(1 / scale)
            sides = [Sided.of(law(bits), rate, mirrored=mirrored) for mirrored in (False, True)]

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
