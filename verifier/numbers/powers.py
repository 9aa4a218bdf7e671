"""Perfect powers among the rationals."""

from __future__ import annotations

from fractions import Fraction
from math import gcd

_SMALL_PRIMES = tuple(n for n in range(2, 100) if all(n % k for k in range(2, n)))


def primitive_root(value: Fraction) -> tuple[Fraction, int]:
    """The y and the largest j with value = y^j, for a rational value > 1.

    >>> primitive_root(Fraction(64, 729) ** -1), primitive_root(Fraction(9, 2))
    ((Fraction(3, 2), 6), (Fraction(9, 2), 1))
    """
    top, over = _integer_power(value.numerator)
    bottom, under = _integer_power(value.denominator)
    total = over if bottom == 1 else gcd(over, under)
    return Fraction(top ** (over // total), bottom ** (under // total)), total


def _integer_power(value: int) -> tuple[int, int]:
    """The y and the largest j with value = y^j, for an integer ≥ 1; (1, 1) for 1."""
    from flint import fmpz

    base, total, j = fmpz(value), 1, 2
    shared, remaining = 0, base
    for prime in _SMALL_PRIMES:
        times = 0
        while remaining > 1 and remaining % prime == 0:
            remaining, times = remaining // prime, times + 1
        shared = gcd(shared, times)
    if remaining == 1 and shared:
        return int(base.root(shared)), shared
    more = base > 1 and base.is_perfect_power()
    while more:
        # j divides every valuation; where no small prime divides, the root is large, so that j is small
        while shared % j if shared else not fmpz(j).is_prime():
            j += 1
        root = base.root(j)
        if root**j == base:
            base, total = root, total * j
            shared //= j
            more = base.is_perfect_power()
        else:
            j += 1
    return int(base), total
