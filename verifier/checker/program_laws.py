"""The law of a program's output on a database, as labels; a noisy number that is returned ends in two tails.

An output that is c + G or c - 1 - G (see `noise`) has infinitely many values. Beyond a window that has every integer
of all outputs on all databases, each law is a multiple of one power: if its ratio is the same in all, no ratio of two
laws changes there, and a tail is one output, as after a step of noise. If it is not, or if what is returned is a sum of
several units, since the number was compared before, the law is `BeyondLimits`.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Callable, Iterable, Iterator, Mapping
from fractions import Fraction
from itertools import product
from typing import Any

from .noise import Noisy
from .numbers import BeyondLimits, Label, Law, NotRead, afford, afford_product, integers_in, label, law_of
from .programs import Program, Reader

Place = tuple[tuple[int, ...], int]
"""Where a noisy number stands in the lists of an output, and in which direction it goes."""


class ProgramLaws:
    """The laws of a program: of its arguments, which are the values of a database."""

    def __init__(self, program: Program, every: Callable[[], Iterable[Any]], apart: Iterable[int] = ()) -> None:
        self.program, self.every, self.apart = program, every, list(apart)
        self.found: dict[Any, dict[Any, Fraction]] = {}
        self.ratios: dict[Place, Fraction] = {}
        self.ends: tuple[int, int] | None = None

    def outputs(self, given: Any) -> dict[Any, Fraction]:
        """What is returned, by its key."""
        if given not in self.found:
            self.found[given] = self.program.law(given)
        return self.found[given]

    def law(self, given: Any) -> Law:
        """The law of the labels."""
        law: dict[Label, Fraction] = defaultdict(Fraction)
        for key, p in self.outputs(given).items():
            for share, value in self.spread(Reader().read(key)):
                law[labelled(value)] += p * share
        return law_of(law)

    def window(self) -> tuple[int, int]:
        """The smallest and the largest integer of all outputs on all databases, and of what is kept apart."""
        if self.ends is None:
            integers = [*self.apart]
            for given in self.every():
                for key in self.outputs(given):
                    value = Reader().read(key)
                    integers += [begin(noisy) for _, noisy in noisy_in(value)]
                    integers += integers_in(label(without_noise(value)))
            self.ends = min(integers), max(integers)
        return self.ends

    def spread(self, value: Any) -> Iterator[tuple[Fraction, Any]]:
        """An output, or its values with all integers of the window and the tails, each with its probability."""
        noisy = list(noisy_in(value))
        if not noisy:
            yield Fraction(1), value
            return
        if len({unit for _, one in noisy for unit in one.parts}) != len(noisy):
            raise NotRead("one noise is returned twice")
        low, high = self.window()
        laws = [self._cut(place, one, low, high) for place, one in noisy]
        afford_product(map(len, laws), "the outputs of a program")
        for chosen in product(*laws):
            at = {place: text for (place, _), (text, _) in zip(noisy, chosen, strict=True)}
            share = Fraction(1)
            for _, p in chosen:
                share *= p
            yield share, replaced(value, at)

    def _cut(self, place: tuple[int, ...], noisy: Noisy, low: int, high: int) -> list[tuple[Any, Fraction]]:
        """The values of one noisy number: those in the window, and the tail in which it goes on."""
        ((unit, way), *more) = noisy.parts.items()
        if more or abs(way) != 1:
            raise NotRead("a noisy number is returned that was compared, or is no number plus a noise")
        if self.ratios.setdefault((place, int(way)), unit.ratio) != unit.ratio:
            raise NotRead("noisy numbers of several ratios are returned at one place")
        first = integer_of(noisy.shift)
        steps = high - first + 1 if way > 0 else first - low + 1
        if not low <= begin(noisy) <= high:
            raise BeyondLimits(f"a noisy number begins at {first}, outside of {low} to {high}")
        afford(steps, "the window of noise")
        at = [(first + int(way) * k, (1 - unit.ratio) * unit.ratio**k) for k in range(steps)]
        return [*at, (f"> {high}" if way > 0 else f"< {low}", unit.ratio**steps)]


def begin(noisy: Noisy) -> int:
    """Where the law of c + G or c - 1 - G begins to be a power: at c, on both sides."""
    return integer_of(noisy.shift) + any(n < 0 for n in noisy.parts.values())


def noisy_in(value: Any, place: tuple[int, ...] = ()) -> Iterator[tuple[tuple[int, ...], Noisy]]:
    """The noisy numbers in an output, with their places."""
    if isinstance(value, Noisy):
        yield place, value
    elif isinstance(value, list | tuple):
        for n, one in enumerate(value):
            yield from noisy_in(one, (*place, n))


def replaced(value: Any, at: Mapping[tuple[int, ...], Any], place: tuple[int, ...] = ()) -> Any:
    """An output with something else at some places."""
    if place in at:
        return at[place]
    if isinstance(value, list | tuple):
        return [replaced(one, at, (*place, n)) for n, one in enumerate(value)]
    return value


def without_noise(value: Any) -> Any:
    """An output with a text in place of each noisy number."""
    return replaced(value, {place: "" for place, _ in noisy_in(value)})


def integer_of(number: Any) -> int:
    """An integer, however it is written."""
    if Fraction(number).denominator > 1:
        raise NotRead("a noisy number that is returned is no integer")
    return int(number)


def labelled(value: Any) -> Label:
    """The label of what is returned."""
    if not isinstance(value, bool | int | str | Fraction | list | tuple):
        raise NotRead(f"it returns {type(value).__name__}")
    return label(value)
