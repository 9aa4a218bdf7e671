"""`pkdp.exact`: what stands in for `random`, `numpy.random` and `secrets` while the exact law of a function is found.

A library that draws from these modules runs as it is: put the stand-in where it looks for the module
(`monkeypatch.setattr(library, "random", pkdp.exact.random)`), or give it as the generator. Each name means what it
means in its module; what draws real numbers is refused, with the name of its twin on the integers.
"""

from __future__ import annotations

import random as python_random
import secrets as python_secrets
from collections.abc import Callable, Mapping, Sequence
from fractions import Fraction
from functools import wraps
from inspect import signature
from itertools import accumulate, pairwise
from math import prod
from numbers import Integral
from types import ModuleType
from typing import Any

import numpy as np

from verifier.errors import InputError, LimitError, PkdpError
from verifier.numbers import probability, shorten
from verifier.programs.draws import COUNTS, DRAWS, MOST, READINGS, Draw, no_draw
from verifier.programs.exact import exact_number
from verifier.programs.hidden import HiddenNumber, Unknown
from verifier.programs.runner import Generator, running


def _drawn(method: Callable[..., Any]) -> Callable[..., Any]:
    """A name of a module: the method gets the path that runs. A refusal names the module and the line of the call."""
    takes = signature(method)

    @wraps(method)
    def called(self: _StandIn, *args: Any, **kwargs: Any) -> Any:
        name = method.__name__
        path, place = running(), f"{self.home}.{name}"
        if path is None:
            raise InputError(
                "an exact stand-in draws only while pkdp finds the law of a function",
                where=place,
                wanted="a mechanism that calls it, pkdp.build(…, mechanism=f)",
                tip="elsewhere leave the module as it is",
            )
        path.stood_in = True
        try:
            try:
                takes.bind(self, path, *args, **kwargs)
            except TypeError as error:
                raise InputError(f"the arguments do not fit: {error}", tip=READINGS.get(name, "")) from None
            return method(self, path, *args, **kwargs)
        except PkdpError as error:
            raise path.refusal(error.but(where=place)) from None

    return called


def _uniform(path: Generator) -> HiddenNumber:
    """A real number of [0, 1)."""
    return HiddenNumber(Unknown(path, "random()", lambda c: 1 - c, 0, 1, integer=False))


def _between(path: Generator, low: object, high: object) -> Any:
    if isinstance(low, Sequence):
        raise InputError(f"{shorten(low)} is not a number", wanted="two numbers", tip=READINGS["uniform"])
    return low + (exact_number(high) - exact_number(low)) * _uniform(path)


def _one_of(path: Generator, values: Any) -> Any:
    if isinstance(values, Mapping):
        raise InputError("a table is not a list", wanted="a list of values", tip=READINGS["choice"])
    return values[path.result("randint", 0, _at_least_one(len(values)) - 1)]


def _at_least_one(number: int) -> int:
    if number < 1:
        raise InputError("there is nothing to draw from", wanted="at least one value")
    return number


def _bits(path: Generator, k: int) -> Any:
    """An integer of k bits; more than 64 are too many in any case."""
    return path.result("randint", 0, (1 << min(k, 64)) - 1)


def _weighted(weights: Any) -> dict[int, Fraction]:
    """Weights as probabilities of their positions."""
    exactly = [Fraction(exact_number(weight)) for weight in weights]
    total = sum(exactly)
    if total <= 0:
        raise InputError("the weights sum to nothing", wanted="weights with a sum above 0")
    return {k: weight / total for k, weight in enumerate(exactly)}


class _StandIn:
    """A module whose draws are exact."""

    home: str
    module: ModuleType

    def __getattr__(self, name: str) -> Any:
        if name.startswith("_"):
            raise AttributeError(name)
        getattr(self.module, name)  # an AttributeError for what the module does not have either

        def refused(_: _StandIn, __: Generator, *args: object, **kwargs: object) -> Any:  # noqa: ARG001
            raise no_draw(name)

        refused.__name__ = name
        return _drawn(refused).__get__(self)

    def seed(self, seed: object = None) -> Any:
        """Refuse a seed: with it nothing is random."""
        if seed is not None and not isinstance(seed, _StandIn):
            raise InputError("with a seed nothing is random", where=self.home, wanted="no seed")
        return self

    @_drawn
    def choice(self, path: Generator, seq: Any) -> Any:
        """One of a list."""
        return _one_of(path, seq)


class RandomStandIn(_StandIn):
    """The module `random`, and a `random.Random` of it."""

    home, module = "random", python_random

    @_drawn
    def random(self, path: Generator) -> Any:
        """A real number of [0, 1), which can be compared."""
        return _uniform(path)

    @_drawn
    def uniform(self, path: Generator, a: object, b: object) -> Any:
        """A real number from a to b, which can be compared."""
        return _between(path, a, b)

    @_drawn
    def randint(self, path: Generator, a: int, b: int) -> Any:
        """An integer from a to b, both included."""
        return path.result("randint", a, b)

    @_drawn
    def randrange(self, path: Generator, start: int, stop: int | None = None, step: int = 1) -> Any:
        """One of a range."""
        first, end = (0, start) if stop is None else (start, stop)
        return first + step * path.result("randint", 0, _at_least_one(-((first - end) // step)) - 1)

    @_drawn
    def getrandbits(self, path: Generator, k: int) -> Any:
        """An integer of k bits."""
        return _bits(path, k)

    @_drawn
    def choices(
        self, path: Generator, population: Any, weights: Any = None, *, cum_weights: Any = None, k: int = 1
    ) -> Any:
        """So many of a list, each drawn from the whole of it."""
        if cum_weights is not None:
            weights = [b - a for a, b in pairwise((0, *map(exact_number, cum_weights)))]
        if weights is None:
            return list(_many(path, k, DRAWS["randint"], 0, _at_least_one(len(population)) - 1, of=population))
        return list(_many(path, k, DRAWS["choice"], _weighted(weights), of=population))

    @_drawn
    def sample(self, path: Generator, population: Any, k: int, *, counts: Any = None) -> Any:
        """A new list: k of a list, each at most once."""
        if counts is not None:
            _number_of(sum(counts))
            ends = [0, *accumulate(counts)]
            population = [value for value, (a, b) in zip(population, pairwise(ends), strict=True) for _ in range(a, b)]
        return path.result("sample", population, k)

    @_drawn
    def shuffle(self, path: Generator, x: Any) -> None:
        """Put a list in a random order."""
        x[:] = path.result("permutation", x)

    @_drawn
    def binomialvariate(self, path: Generator, n: int = 1, p: object = "1/2") -> Any:
        """How many of n trials succeed."""
        return path.result("binomial", n, p)

    Random = SystemRandom = _StandIn.seed


class SecretsStandIn(_StandIn):
    """The module `secrets`."""

    home, module = "secrets", python_secrets

    @_drawn
    def randbelow(self, path: Generator, exclusive_upper_bound: int) -> Any:
        """An integer from 0, below the bound."""
        return path.result("randint", 0, _at_least_one(exclusive_upper_bound) - 1)

    @_drawn
    def randbits(self, path: Generator, k: int) -> Any:
        """An integer of k bits."""
        return _bits(path, k)

    compare_digest = staticmethod(python_secrets.compare_digest)

    def SystemRandom(self) -> RandomStandIn:  # noqa: N802 - the module's name
        """The stand-in for `random`."""
        return exact.random


def _many(path: Generator, size: Any, draw: Draw, *args: Any, of: Any = None) -> Any:
    """A result of a draw, or an array of so many; `of` is the list whose positions are drawn.

    Raises:
        LimitError: where they have more than `MOST` outcomes together.

    """
    args = tuple(map(exact_number, args))
    if size is None:
        result = path.result(draw, *args)
        return result if of is None else of[result]
    number, width = _number_of(size), draw.width(*args)
    if width > 1 and (number >= MOST.bit_length() or width**number > MOST):
        problem = f"{number:,} draws of {width:,} results have more than {MOST:,} outcomes together"
        raise LimitError(problem, wanted=f"at most {MOST:,}", tip="draw in a loop, and keep a count of the results")
    results = [path.result(draw, *args) for _ in range(number)]
    if of is not None and not isinstance(of, np.ndarray):
        return [of[result] for result in results]
    return _shaped(results if of is None else of[results], size)


def _number_of(size: Any) -> int:
    number: Any = prod(size) if isinstance(size, tuple) else size
    if not isinstance(number, int | np.integer) or not 0 <= number <= MOST:
        raise InputError(
            f"the size {shorten(size)} is out of range", wanted=f"integers with a product of at most {MOST:,}"
        )
    return int(number)


def _repeated(make: Callable[[], HiddenNumber], size: Any) -> Any:
    return make() if size is None else _shaped([make() for _ in range(_number_of(size))], size)


def _shaped(results: Any, size: Any) -> Any:
    hidden = isinstance(results, list) and any(isinstance(one, HiddenNumber) for one in results)
    made = np.empty(len(results), dtype=object) if hidden else np.asarray(results)
    if hidden:
        made[:] = results
    return made.reshape((*(size if isinstance(size, tuple) else (size,)), *made.shape[1:]))


class NumpyRandomStandIn(_StandIn):
    """The module `numpy.random`, and a generator of its `default_rng()`."""

    home, module = "numpy.random", np.random

    def random(self, size: Any = None) -> Any:
        """Real numbers of [0, 1), which can be compared."""
        return self.uniform(size=size)

    random_sample = ranf = sample = random

    def rand(self, *shape: int) -> Any:
        """Real numbers of [0, 1), which can be compared."""
        return self.uniform(size=shape or None)

    @_drawn
    def uniform(self, path: Generator, low: object = 0, high: object = 1, size: Any = None) -> Any:
        """Real numbers from low to high, which can be compared."""
        return _repeated(lambda: _between(path, low, high), size)

    @_drawn
    def randint(self, path: Generator, low: int, high: int | None = None, size: Any = None, dtype: object = int) -> Any:  # noqa: ARG002
        """Integers from low, below high."""
        return _integers(path, low, high, size)

    @_drawn
    def integers(
        self,
        path: Generator,
        low: int,
        high: int | None = None,
        size: Any = None,
        dtype: object = int,  # noqa: ARG002
        endpoint: bool = False,  # noqa: FBT001, FBT002 - numpy's
    ) -> Any:
        """Integers from low, below high; with `endpoint` high too."""
        return _integers(path, low, high, size, more=int(endpoint))

    @_drawn
    def choice(self, path: Generator, a: Any, size: Any = None, replace: bool = True, p: Any = None) -> Any:  # noqa: FBT001, FBT002
        """One of a list, or so many, with probabilities p."""
        if isinstance(a, Mapping):
            _one_of(path, a)
        values = np.arange(_number_of(a)) if isinstance(a, Integral) else np.asarray(a)
        if values.ndim != 1 or (p is not None and (len(p) != len(values) or not replace)):
            raise InputError(
                "the list, or its probabilities, do not fit",
                wanted="a plain list; p of the same length, and then replace=True",
                tip=READINGS["choice"],
            )
        last = _at_least_one(len(values)) - 1
        if p is not None:
            chances = {k: exact_number(chance) for k, chance in enumerate(p)}
            return _many(path, size, DRAWS["choice"], chances, of=values)
        if replace or size is None:
            return _many(path, size, DRAWS["randint"], 0, last, of=values)
        return _shaped(values[path.result("sample", list(range(last + 1)), _number_of(size))], size)

    @_drawn
    def permutation(self, path: Generator, x: Any) -> Any:
        """A new array in a random order."""
        values = np.arange(_number_of(x)) if isinstance(x, Integral) else np.asarray(x)
        return (
            values[path.result("permutation", list(range(len(values))))] if values.ndim > 1 else _ordered(path, values)
        )

    @_drawn
    def shuffle(self, path: Generator, x: Any) -> None:
        """Put a list in a random order."""
        x[:] = self.permutation(x) if isinstance(x, np.ndarray) else path.result("permutation", x)

    @_drawn
    def binomial(self, path: Generator, n: int, p: object, size: Any = None) -> Any:
        """How many of n trials succeed."""
        return _many(path, size, DRAWS["binomial"], n, p)

    @_drawn
    def hypergeometric(self, path: Generator, ngood: int, nbad: int, nsample: int, size: Any = None) -> Any:
        """How many good ones are in a sample."""
        return _many(path, size, COUNTS["hypergeometric"], ngood, nbad, nsample)

    @_drawn
    def multinomial(self, path: Generator, n: int, pvals: Any, size: Any = None) -> Any:
        """How often each of some results comes in n trials."""
        counts = _many(path, size, COUNTS["multinomial"], n, list(map(exact_number, pvals)))
        return np.array(counts) if size is None else counts

    @_drawn
    def geometric(self, path: Generator, p: Any, size: Any = None) -> Any:
        """The number of trials up to the first success, from 1, which can be compared."""
        fails = 1 - probability(exact_number(p), self.home)
        if fails == 1:
            raise InputError("no trial ever succeeds", wanted="p > 0")

        def made() -> HiddenNumber:
            return HiddenNumber(Unknown(path, "geometric(p)", lambda c: fails ** int(c - 1), 1, None, integer=True))

        return _repeated(made, size)

    default_rng = _StandIn.seed

    @property
    def Generator(self) -> type[NumpyRandomStandIn]:  # noqa: N802 - the module's name
        """What `isinstance` is asked."""
        return NumpyRandomStandIn

    RandomState = Generator


def _integers(path: Generator, low: Any, high: Any, size: Any, more: int = 0) -> Any:
    first, end = (0, low) if high is None else (low, high)
    if exact_number(first) >= exact_number(end) + more:
        raise InputError(f"no integer is from {shorten(first)} and below {shorten(end)}", wanted="low < high")
    return _many(path, size, DRAWS["randint"], first, end - 1 + more)


def _ordered(path: Generator, values: Any) -> Any:
    """A plain array in a random order; orders of equal values are one."""
    return np.array(path.result("permutation", values.tolist()), dtype=values.dtype)


class NumpyStandIn:
    """The module `numpy`, whose `random` is the stand-in."""

    def __getattr__(self, name: str) -> Any:
        return exact.numpy_random if name == "random" else getattr(np, name)


class StandIns:
    """The stand-ins: `random`, `numpy_random`, `secrets`, and `numpy`, which is numpy with `numpy_random`."""

    random = RandomStandIn()
    numpy_random = NumpyRandomStandIn()
    secrets = SecretsStandIn()
    numpy = NumpyStandIn()


exact = StandIns
