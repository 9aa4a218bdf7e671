"""A generator that samples: the function that was verified runs with it as it is, with the draws that were meant.

Every draw is made of integers of Python's `random.Random`: an integer below a denominator is compared with a numerator,
and no float is involved. It is for tests and demonstrations: `random.Random` keeps no secret.
"""

from __future__ import annotations

import sys
from collections.abc import Callable, Mapping, Sequence
from fractions import Fraction
from functools import wraps
from math import lcm
from random import Random
from typing import Any, TypeVar

from verifier.errors import InputError
from verifier.numbers import shorten
from verifier.programs.draws import DRAWS, SEEN_BY, no_draw, observers, refuse_unused
from verifier.programs.runner import exact_argument

Result = TypeVar("Result")


def _seen(draw: Callable[..., Result]) -> Callable[..., Result]:
    """A draw that may name who sees its result, which changes nothing of it."""

    @wraps(draw)
    def drawn(self: Sampler, *args: Any, **kwargs: Any) -> Result:
        if SEEN_BY in kwargs:
            observers(kwargs.pop(SEEN_BY))
        return draw(self, *args, **kwargs)

    return drawn


class Sampler:
    """A generator with the methods of `rng` that draws at random, the same for the same seed.

    >>> rng = Sampler(7)
    >>> [rng.flip("1/3") for _ in range(6)], rng.permutation("abc")
    ([False, True, False, False, True, True], ['c', 'a', 'b'])
    """

    def __init__(self, seed: int | None = None) -> None:
        """Begin with a seed; without one, with numbers of the operating system.

        Raises:
            InputError: for a seed that is not an integer.

        """
        if seed is not None and not isinstance(seed, int):
            raise InputError(f"{shorten(seed)} is not an integer", where="seed", wanted="an integer, or None")
        self._random = Random(seed)  # noqa: S311 - what it draws is no secret

    def __getattr__(self, name: str) -> Any:
        if name.startswith("_"):
            raise AttributeError(name)
        raise no_draw(name)

    def _drawn(self, name: str, *arguments: object) -> Any:
        """A result of a draw by its law: the first whose summed weight is more than a random integer."""
        law = DRAWS[name].law(*map(exact_argument, arguments))
        denominator = lcm(*(p.denominator for _, p in law))
        left = self._random.randrange(denominator)
        results = iter(law)
        while left >= 0:
            value, p = next(results)
            left -= p.numerator * (denominator // p.denominator)
        return value

    @_seen
    def flip(self, p: object) -> bool:
        """True with probability p, else False."""
        return bool(self._drawn("flip", p))

    @_seen
    def choice(self, table: Mapping[Any, object]) -> Any:
        """One of the values of {value: p, …}, each with its probability."""
        return self._drawn("choice", table)

    @_seen
    def uniform(self, values: Sequence[Any]) -> Any:
        """One of a list, all alike."""
        DRAWS["uniform"].read(values)
        return self._random.choice(values)

    @_seen
    def randint(self, a: int, b: int) -> int:
        """An integer from a to b, both ends included."""
        DRAWS["randint"].read(a, b)
        return self._random.randint(int(a), int(b))

    @_seen
    def binomial(self, n: int, p: object) -> int:
        """How many of n independent flips are True."""
        chance = exact_argument(p)
        DRAWS["binomial"].read(n, chance)
        return sum(self.flip(chance) for _ in range(int(n)))

    @_seen
    def permutation(self, values: Sequence[Any]) -> list[Any]:
        """A new list: the values in a random order."""
        refuse_unused("permutation", sys._getframe(2))  # noqa: SLF001 - the user's code
        return self.sample(values, len(values))

    @_seen
    def sample(self, values: Sequence[Any], k: int) -> list[Any]:
        """A new list: k of the values in a random order, each at most once."""
        DRAWS["sample"].read(values, k)
        return self._random.sample(list(values), int(k))

    @_seen
    def geometric_noise(self, r: object, low: int | None = None, high: int | None = None) -> int:
        """Two-sided noise, P[k] = (1 − r)/(1 + r)·r^|k|: the difference of two counts of flips, clamped to the ends."""
        ratio = exact_argument(r)
        DRAWS["geometric_noise"].read(ratio, *([0, 0] if low is None or high is None else [low, high]))
        noise = self._flips(ratio) - self._flips(ratio)
        return noise if low is None or high is None else max(int(low), min(int(high), noise))

    def _flips(self, chance: Fraction) -> int:
        """How many flips are True before the first False."""
        number = 0
        while self.flip(chance):
            number += 1
        return number

    @_seen
    def exponential_mechanism(self, scores: Any, base: object) -> Any:
        """The index of a score, or its key in a table, with probability ∝ base^score."""
        return self._drawn("exponential_mechanism", scores, base)

    shuffle, geometric, exponential, choose = permutation, geometric_noise, exponential_mechanism, choice


def sampler(seed: int | None = None) -> Sampler:
    """A generator that samples, to run a program that was verified; the same seed gives the same draws.

    >>> def response(db, rng):
    ...     return db[0] if rng.flip("3/4") else "no answer"
    >>> rng = sampler(1)
    >>> [response(["yes"], rng) for _ in range(3)]
    ['yes', 'yes', 'yes']
    """
    return Sampler(seed)
