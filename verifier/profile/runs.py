"""Independent runs of pairs of laws, by the likelihood ratios of their outputs alone.

Outputs of one ratio P/Q are one class. Ratios are products of powers of a coprime base, which gcds find: nothing is
factored. So a run is a polynomial, whose exponents are the powers of the base and whose coefficients are the P-masses;
k runs are its k-th power, different runs a product, and equal ratios merge by themselves. A list of outputs of which
one has Q = 0 cannot come from Q: all such lists are one class, and so are those with P = 0.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Sequence
from functools import cmp_to_key
from math import comb, gcd, prod
from typing import Any, NamedTuple, TypeAlias

from verifier.errors import LimitError
from verifier.numbers import compare_products
from verifier.profile.profile import Profile, cumulated

MOST_CLASSES = 1 << 18
"""Largest number of classes of all runs together."""
MOST_BITS = 1 << 31
"""Most bits of all their masses together."""
Masses: TypeAlias = tuple[int, int]
"""(P, Q) of a class, over the denominator of its run."""


class Classes(NamedTuple):
    """A pair of laws by the ratios of its outputs: the (P, Q) of each class, over one denominator for both laws.

    Classes have distinct ratios, and both masses are positive, but for `only_p` and `only_q`: the masses of the outputs
    that one law alone can produce.
    """

    denominator: int
    both: frozenset[Masses]
    only_p: int
    only_q: int

    @property
    def rows(self) -> list[Masses]:
        """The (P, Q) of every class, by falling P/Q."""
        falling = sorted(self.both, key=cmp_to_key(_flatter))
        return [(p, q) for p, q in ((self.only_p, 0), *falling, (0, self.only_q)) if p or q]

    @property
    def swapped(self) -> Classes:
        """Q in the place of P."""
        return Classes(self.denominator, frozenset((q, p) for p, q in self.both), self.only_q, self.only_p)

    @property
    def profile(self) -> Profile:
        """The privacy profile of P against Q."""
        gains = [(p, q) for p, q in self.both if p > q]
        return cumulated([*gains, *([(self.only_p, 0)] if self.only_p else [])], self.denominator)


def _flatter(first: Masses, second: Masses) -> int:
    return compare_products(second[0], first[1], first[0], second[1])


def classes_of(rows: Iterable[Masses], denominator: int) -> Classes:
    """The classes of a pair of laws, from the (P, Q) of its outputs over one denominator.

    >>> sorted(classes_of([(3, 1), (1, 3)], 4).both)
    [(1, 3), (3, 1)]
    """
    sums: Counter[Masses] = Counter()
    for p, q in rows:
        shared = gcd(p, q)
        if shared:
            sums[p // shared, q // shared] += shared
    only_p, only_q = sums.pop((1, 0), 0), sums.pop((0, 1), 0)
    both = {(p * times, q * times) for (p, q), times in sums.items()}
    shared = gcd(denominator, only_p, only_q, *(mass for row in both for mass in row))
    reduced = frozenset((p // shared, q // shared) for p, q in both)
    return Classes(denominator // shared, reduced, only_p // shared, only_q // shared)


def runs_of(runs: Sequence[tuple[Classes, int]]) -> Classes:
    """The classes of independent runs together: each pair of laws with how often it is run.

    Two runs of randomized response with 3/4 have the ratios 9, 1 and 1/9:

    >>> sorted(runs_of([(classes_of([(3, 1), (1, 3)], 4), 2)]).both)
    [(1, 9), (6, 6), (9, 1)]

    Raises:
        LimitError: where all runs together have too many classes, or their masses too many bits; before the work.

    """
    denominator = prod(one.denominator**times for one, times in runs)
    parts = [(one, times) for one, times in runs if times]
    if not all(one.both for one, _ in parts):
        return Classes(denominator, frozenset(), denominator, denominator)
    base = coprime_base(number // gcd(*row) for one, _ in parts for row in one.both for number in row)
    powers = [{row: _powers(row, base) for row in one.both} for one, _ in parts]
    _refuse_many(parts, powers, denominator)
    if not base:  # P and Q are equal, but for what one of them alone can produce
        shared = prod((one.denominator - one.only_p) ** times for one, times in parts)
        alone = denominator - shared
        return classes_of([(shared, shared), (alone, 0), (0, alone)], denominator)
    context = _context(len(base))
    product = context.constant(1)
    least = [0] * len(base)
    for (_, times), exponents in zip(parts, powers, strict=True):
        lowest = [min(column) for column in zip(*exponents.values(), strict=True)]
        terms = {tuple(e - m for e, m in zip(es, lowest, strict=True)): p for (p, _), es in exponents.items()}
        product *= context.from_dict(terms) ** times
        least = [total + times * low for total, low in zip(least, lowest, strict=True)]
    powers_of = _Powers(base)
    both = frozenset(powers_of.masses(int(p), exponents, least) for exponents, p in product.to_dict().items())
    return Classes(
        denominator,
        both,
        denominator - sum(p for p, _ in both),
        denominator - sum(q for _, q in both),
    )


class _Powers:
    """The powers of the base, each computed once."""

    def __init__(self, base: Sequence[int]) -> None:
        self.base = base
        self.known: dict[tuple[int, int], int] = {}

    def masses(self, p: int, exponents: Sequence[int], least: Sequence[int]) -> Masses:
        """P and Q of a class, from its P and the powers of its ratio P/Q; both are integers over the denominator."""
        above = below = 1
        for k, (exponent, low) in enumerate(zip(exponents, least, strict=True)):
            power = int(exponent) + low
            if power > 0:
                above *= self.power(k, power)
            else:
                below *= self.power(k, -power)
        return p, p * below // above

    def power(self, k: int, exponent: int) -> int:
        """A power of the k-th number of the base."""
        if (k, exponent) not in self.known:
            self.known[k, exponent] = self.base[k] ** exponent
        return self.known[k, exponent]


def _refuse_many(
    parts: Sequence[tuple[Classes, int]], powers: Sequence[dict[Masses, tuple[int, ...]]], denominator: int
) -> None:
    """Refuse runs with too many classes: at most the multisets of outputs, and the vectors of powers that may come."""
    multisets = prod(comb(times + len(one.both) - 1, times) for one, times in parts)
    spans = [
        sum(
            times * (max(column) - min(column))
            for (_, times), exponents in zip(parts, powers, strict=True)
            for column in [[es[k] for es in exponents.values()]]
        )
        for k in range(len(next(iter(powers[0].values()))))
    ]
    most = min(multisets, prod(span + 1 for span in spans))
    if most > MOST_CLASSES or most * denominator.bit_length() > MOST_BITS:
        raise LimitError(
            f"the runs have up to {most:,} likelihood ratios, with masses of {denominator.bit_length():,} bits",
            wanted=f"at most {MOST_CLASSES:,} ratios, and {MOST_BITS:,} bits in all",
            tip="use fewer runs, or a mechanism with fewer outputs",
        )


def coprime_base(numbers: Iterable[int]) -> list[int]:
    """Pairwise coprime integers above 1 of whose powers all the numbers are products; by gcds alone.

    >>> coprime_base([12, 18, 35])
    [2, 3, 35]
    """
    base: list[int] = []
    todo = sorted({number for number in numbers if number > 1}, reverse=True)
    while todo:
        number = todo.pop()
        for known in base:
            shared = gcd(number, known)
            if shared > 1:
                base.remove(known)
                todo += [part for part in (shared, number // shared, known // shared) if part > 1]
                break
        else:
            base.append(number)
    return sorted(base)


def _powers(row: Masses, base: Sequence[int]) -> tuple[int, ...]:
    """The exponents of P/Q over the base."""
    p, q = row[0] // gcd(*row), row[1] // gcd(*row)
    return tuple(_valuation(p, number) - _valuation(q, number) for number in base)


def _valuation(number: int, divisor: int) -> int:
    """How often a divisor above 1 divides a positive number."""
    times = 0
    while number % divisor == 0:
        number //= divisor
        times += 1
    return times


def _context(variables: int) -> Any:
    from flint import Ordering, fmpz_mpoly_ctx

    return fmpz_mpoly_ctx.get([f"x{k}" for k in range(variables)], Ordering.lex)
