"""The law of a sum of independent parts, as integer weights of integer keys; many knowledge values share one.

An element of a commutative monoid whose addition is that of numbers, coordinate by coordinate, is packed into one
integer key (`engine.algebra.Addition`), so that the law of a sum is a product of polynomials in one variable.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property, reduce
from math import gcd
from typing import Any, TypeAlias

from verifier.errors import LimitError
from verifier.tables.weights import gathered

Integer: TypeAlias = Any
"""An int or a python-flint fmpz: both are exact integers."""
Factor: TypeAlias = Mapping[int, Integer]
"""The law of one part of a sum: positive weights by key."""
MAX_DEGREE = 1 << 22
"""Most terms of one product."""
SPARSE = 16
"""A product is dense where its degree is at most this many times the number of terms that its factors have."""


@dataclass(frozen=True, eq=False)
class SumLaw:
    """The law of a sum up to a factor: the integer weight `weights[k]` of each key `keys[k]`, keys in increasing order.

    A weight may be 0 where the keys are a range. Two laws are equal only if they are one object, so that values that
    were computed from a law are found again by its identity.

    >>> coin = {0: 1, 1: 2}
    >>> law = sum_law([coin, coin])
    >>> list(law.keys), [int(w) for w in law.weights], int(law.total)
    ([0, 1, 2], [1, 4, 4], 9)
    """

    keys: Sequence[int]
    weights: Sequence[Integer]

    @cached_property
    def total(self) -> Integer:
        """The sum of all weights."""
        return sum(self.weights)

    def items(self) -> Iterable[tuple[int, Integer]]:
        """The keys of positive weight, each with its weight."""
        return ((key, weight) for key, weight in zip(self.keys, self.weights, strict=True) if weight)

    def shifted(self, by: int) -> SumLaw:
        """The law of the sum plus a constant."""
        keys = self.keys
        moved = range(keys.start + by, keys.stop + by, keys.step) if isinstance(keys, range) else [k + by for k in keys]
        return SumLaw(moved, self.weights)

    def plus(self, part: Factor) -> SumLaw:
        """The law of the sum plus an independent part."""
        if len(part) == 1:
            ((by, weight),) = part.items()
            moved = self.shifted(by)
            return moved if weight == 1 else SumLaw(moved.keys, [w * weight for w in moved.weights])
        return sum_law([dict(self.items()), part])


def mixed(weighted_laws: Sequence[tuple[int, SumLaw]]) -> SumLaw:
    """The mixture Σ factor·law of several laws, with integer factors."""
    if len(weighted_laws) == 1 and weighted_laws[0][0] == 1:
        return weighted_laws[0][1]
    return _spaced(
        gathered((key, factor * weight) for factor, law in weighted_laws if factor for key, weight in law.items())
    )


def _spaced(weights: Mapping[int, Integer]) -> SumLaw:
    keys = sorted(weights)
    step = reduce(gcd, (k - keys[0] for k in keys), 0) or 1
    if (keys[-1] - keys[0]) // step < 2 * len(keys):
        stretch = range(keys[0], keys[-1] + 1, step)
        return SumLaw(stretch, [weights.get(key, 0) for key in stretch])
    return SumLaw(keys, [weights[key] for key in keys])


def sum_law(factors: Iterable[Factor]) -> SumLaw:
    """The law of the sum of independent parts, by a tree of products.

    Where the keys lie on a line with few gaps the polynomials are dense (in x^g, g the common step), else sparse.

    Raises:
        LimitError: where the sum has, or may have, more than 2^22 different values.

    """
    from flint import fmpz, fmpz_mpoly_ctx, fmpz_poly

    factors_left = [part for part in factors if part]
    low = sum(min(part) for part in factors_left)
    step = reduce(gcd, (key - min(part) for part in factors_left for key in part), 0) or 1
    degree = sum((max(part) - min(part)) // step for part in factors_left)
    if not factors_left:
        return SumLaw(range(1), [fmpz(1)])
    if degree <= SPARSE * sum(len(part) for part in factors_left):
        _check(degree)
        times = Counter(tuple(_dense(part, step)) for part in factors_left)
        dense = _tree([fmpz_poly(list(factor)) ** number for factor, number in times.items()])
        return SumLaw(range(low, low + degree * step + 1, step), dense.coeffs())
    context = fmpz_mpoly_ctx.get(["x"], "lex")
    level = []
    for part in factors_left:
        least = min(part)
        level.append(context.from_dict({((key - least) // step,): weight for key, weight in part.items()}))
    sparse = _tree(level).to_dict()
    return _spaced({low + int(power) * step: weight for (power,), weight in sparse.items()})


def _dense(part: Factor, step: int) -> list[Integer]:
    low = min(part)
    coefficients: list[Integer] = [0] * ((max(part) - low) // step + 1)
    for key, weight in part.items():
        coefficients[(key - low) // step] = weight
    return coefficients


def _tree(level: list[Any]) -> Any:
    while len(level) > 1:
        level = [level[k] * level[k + 1] if k + 1 < len(level) else level[k] for k in range(0, len(level), 2)]
        if max(len(polynomial) for polynomial in level) > MAX_DEGREE:
            _check(MAX_DEGREE + 1)
    return level[0]


def _check(degree: int) -> None:
    if degree > MAX_DEGREE:
        raise LimitError(
            f"a sum has more than {MAX_DEGREE:,} different values", tip="use fewer records, or values on a coarser grid"
        )


def divided(law: SumLaw, part: Factor) -> SumLaw:
    """The law of the sum without one of its independent parts, by exact division; the inverse of `plus`.

    >>> law = sum_law([{0: 1, 1: 2}, {0: 3, 1: 1}])
    >>> divided(law, {0: 3, 1: 1}).weights == sum_law([{0: 1, 1: 2}]).weights
    True

    Raises:
        ValueError: where the part is found to be no factor of the law.

    """
    from flint import fmpz_poly

    if len(part) == 1:
        ((by, weight),) = part.items()
        moved = law.shifted(-by)
        parts = [divmod(w, weight) for w in moved.weights]
        if any(remainder for _, remainder in parts):
            raise ValueError("the part is no factor of the law")
        return SumLaw(moved.keys, [quotient for quotient, _ in parts])
    keys, low = law.keys, min(part)
    step = keys.step if isinstance(keys, range) else 0
    if not step or any((key - low) % step for key in part):
        return _long_division(law, part)
    quotient, remainder = divmod(fmpz_poly(list(law.weights)), fmpz_poly(_dense(part, step)))
    if len(remainder):
        raise ValueError("the part is no factor of the law")
    start = keys[0] - low
    return SumLaw(range(start, start + (len(quotient) - 1) * step + 1, step), quotient.coeffs())


def _long_division(law: SumLaw, part: Factor) -> SumLaw:
    """From the lowest key on: law[k] = Σ quotient[k - j]·part[j]."""
    low = min(part)
    left, quotient = dict(law.items()), {}
    for key in sorted(left):
        weight = left.pop(key)
        if weight == 0:
            continue
        more, remainder = divmod(weight, part[low])
        if remainder:
            raise ValueError("the part is no factor of the law")
        quotient[key - low] = more
        for j, factor in part.items():
            if j != low:
                left[key - low + j] = left.get(key - low + j, 0) - more * factor
    return _spaced(quotient)
