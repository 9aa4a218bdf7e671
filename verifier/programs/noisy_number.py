"""Numbers that are not known yet: a noise, plus or minus, and a known rational.

Known numbers are added to it as to any number. A comparison splits the path: it is an inequality of the noise, or of
the difference of two noises, and each way that is possible is followed with its weight. A number that is known to lie
between two ends, such as `min(max(x, 0), 10)`, can be everything that a number can: it then splits into its values.
What cannot be decided by differences is refused with the lines on which the noises were drawn.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, field, replace
from fractions import Fraction
from functools import lru_cache
from itertools import chain, islice
from math import ceil, floor
from typing import Any, TypeAlias

from verifier.errors import InputError, LimitError
from verifier.programs.noise import Inequality, Noise, Weight, Written
from verifier.programs.paths import A_PATH, MOST_WIDE, current
from verifier.programs.piecewise import KEPT, Element

CLAMP = "clamp one: min(max(x, -10), 10) is known to lie between -10 and 10"
Number: TypeAlias = "int | Fraction"


@dataclass(frozen=True, slots=True)
class NoiseKey:
    """sign·x + shift, for the noise x; `drawn` says on which line of the program it was drawn."""

    noise: Noise
    shift: Number = 0
    sign: int = 1
    drawn: str = field(default="", compare=False)

    def at(self, value: int | None) -> object:
        """The number for a value of the noise, or the key itself for None."""
        return self if value is None else whole(self.sign * value + self.shift)


def whole(value: Any) -> Any:
    """A number, as an integer where it is whole; any other value as it is.

    >>> whole(Fraction(4, 2)), whole(Fraction(1, 3)), whole("a")
    (2, Fraction(1, 3), 'a')
    """
    return value.numerator if isinstance(value, Fraction) and value.denominator == 1 else value


class NoisyNumber:
    """The number of a key, on the path that is followed now."""

    __slots__ = ("key",)

    def __init__(self, key: NoiseKey) -> None:
        self.key = key

    def __repr__(self) -> str:
        return f"the noisy number of {self.key.drawn}" if self.key.drawn else "a noisy number"

    # --- sums ------------------------------------------------------------------------------------------------------

    def __add__(self, other: Any) -> Any:
        if isinstance(other, NoisyNumber):
            if other.key.noise == self.key.noise and other.key.sign == -self.key.sign:
                return self.key.shift + other.key.shift
            return self._by_values(other, lambda x, y: x + y, "the sum of two noises")
        if not isinstance(other, int | Fraction):
            return NotImplemented
        return NoisyNumber(replace(self.key, shift=whole(self.key.shift + other)))

    __radd__ = __add__

    def __neg__(self) -> NoisyNumber:
        return NoisyNumber(replace(self.key, shift=-self.key.shift, sign=-self.key.sign))

    def __pos__(self) -> NoisyNumber:
        return self

    def __sub__(self, other: Any) -> Any:
        if isinstance(other, NoisyNumber) and other.key.sign == self.key.sign and other.key.noise != self.key.noise:
            return self._by_values(
                other, lambda x, y: x - y, "the difference of two noises", "compare them: x >= y + 1"
            )
        return self + -other if isinstance(other, NoisyNumber | int | Fraction) else NotImplemented

    def __rsub__(self, other: Any) -> Any:
        return -self + other

    def __abs__(self) -> Any:
        return self if self >= 0 else -self

    def __mul__(self, other: Any) -> Any:
        if other == 1 and not isinstance(other, NoisyNumber):
            return self
        if other == 0 and not isinstance(other, NoisyNumber):
            return 0
        if other == -1 and not isinstance(other, NoisyNumber):
            return -self
        return self._by_values(other, lambda x, y: x * y, "a multiple of a noise")

    __rmul__ = __mul__

    def __truediv__(self, other: Any) -> Any:
        return self._by_values(other, lambda x, y: Fraction(x) / y, "a part of a noise")

    # --- modulo ----------------------------------------------------------------------------------------------------

    def __mod__(self, modulus: Any) -> Any:
        return self._divided(modulus)[1]

    def __floordiv__(self, divisor: Any) -> Any:
        return self._divided(divisor)[0]

    def _divided(self, divisor: Any) -> tuple[Any, Any]:
        """The quotient, which is noisy, and the remainder, which is known: the sum over one class is a series."""
        path, (noise, shift, sign) = current(), (self.key.noise, self.key.shift, self.key.sign)
        if not isinstance(divisor, int) or divisor <= 0:
            value = self.known(f"the remainder of a noise by {divisor}", "divide by a positive integer")
            return value // divisor, value % divisor
        if divisor > MOST_WIDE:
            raise LimitError(f"the remainder has {divisor:,} values", wanted=f"at most {MOST_WIDE:,}")
        if self._has_ends():
            value = self.known("the remainder of a noise")
            return value // divisor, value % divisor
        start, new = path.choice(divisor), path.new_noise()
        if not start:
            path.pay(A_PATH * divisor)
        after = self._weight().every(noise, new, divisor, start)
        if after is None:
            raise self._refused("the remainder of a noise that was compared with another one is not known")
        path.weight = after
        known = sign * start + shift  # the number is sign·divisor·new + known
        quotient = NoiseKey(new, known // divisor, sign, self.key.drawn)
        return NoisyNumber(quotient), known % divisor

    # --- comparisons -----------------------------------------------------------------------------------------------

    def _least(self, other: Any, *, strictly: bool) -> Any:
        """Whether the number is at least, or `strictly` more than, another one."""
        mine = self.key
        x: Noise | None
        y: Noise | None
        if isinstance(other, NoisyNumber):
            yours = other.key
            if mine.noise == yours.noise and mine.sign == yours.sign:
                return mine.shift > yours.shift if strictly else mine.shift >= yours.shift
            if mine.noise == yours.noise or mine.sign != yours.sign:
                words = "a comparison with the sum of two noises"
                return self._by_values(other, lambda x, y: x > y if strictly else x >= y, words)
            x, y = (mine.noise, yours.noise) if mine.sign > 0 else (yours.noise, mine.noise)
            bound = Fraction(yours.shift - mine.shift)
        elif isinstance(other, int | Fraction):
            x, y = (mine.noise, None) if mine.sign > 0 else (None, mine.noise)
            bound = Fraction(other - mine.shift)
        else:
            return NotImplemented
        c = floor(bound) + 1 if strictly else ceil(bound)
        return self._follow((x, y, c), (y, x, 1 - c), other)

    def _follow(self, met: Inequality, missed: Inequality, other: Any) -> bool:
        """Follow the ways on which an inequality is met, or its opposite."""
        weight = self._weight(other)
        current().pay(weight.size)
        possible = [(answer, after) for answer, after in _ways(weight.written, met, missed) if after]
        return possible[current().split([after for _, after in possible])][0]

    def __ge__(self, other: Any) -> Any:
        return self._least(other, strictly=False)

    def __gt__(self, other: Any) -> Any:
        return self._least(other, strictly=True)

    def __lt__(self, other: Any) -> Any:
        answer = self._least(other, strictly=False)
        return answer if answer is NotImplemented else not answer

    def __le__(self, other: Any) -> Any:
        answer = self._least(other, strictly=True)
        return answer if answer is NotImplemented else not answer

    def __eq__(self, other: object) -> bool:
        if not isinstance(other, NoisyNumber | int | Fraction):
            return False
        return bool(self >= other) and not self > other

    def __ne__(self, other: object) -> bool:
        return not self == other

    def __bool__(self) -> bool:
        return self != 0

    def __hash__(self) -> int:
        raise self._refused("a noisy number cannot be a key of a dict, or in a set")

    # --- values ----------------------------------------------------------------------------------------------------

    def known(self, words: str, tip: str = CLAMP) -> Any:
        """The value of a number between two ends, for each of its values; `words` say what it is needed for.

        Raises:
            InputError: where there is no end.

        """
        path, weight, noise = current(), self._weight(), self.key.noise
        spans = weight.spans(noise)
        if spans is None:
            raise self._refused(f"{words} is not known", tip)
        number = sum(map(len, spans))
        if number > MOST_WIDE:
            raise LimitError(f"a noisy number has {number:,} values", wanted=f"at most {MOST_WIDE:,}")
        x = next(islice(chain(*spans), path.choice(number), None))
        path.weight = weight.where([(noise, None, x), (None, noise, -x)])
        return whole(self.key.sign * x + self.key.shift)

    def _by_values(self, other: Any, action: Callable[[Any, Any], Any], words: str, tip: str = CLAMP) -> Any:
        """What an action makes of the number and another one, of which one has values between two ends."""
        if not isinstance(other, NoisyNumber | int | Fraction):
            return NotImplemented
        if self._has_ends():
            return action(self.known(words), other)
        if isinstance(other, NoisyNumber) and other._has_ends():  # noqa: SLF001 - the same class
            return action(self, other.known(words))
        lines = [number.key.drawn for number in (self, other) if isinstance(number, NoisyNumber) and number.key.drawn]
        drawn = f" (drawn on {' and '.join(dict.fromkeys(lines))})" if lines else ""
        raise InputError(f"{words} is not known{drawn}", wanted="differences of noises", tip=tip)

    def _has_ends(self) -> bool:
        return self._weight().spans(self.key.noise) is not None

    def __index__(self) -> int:
        value = self.known("a place in a list, or a number of rounds,")
        if not isinstance(value, int):
            raise InputError(f"{value} is not an integer", wanted="an integer")
        return value

    def __int__(self) -> int:
        return int(self.known("the integer of a noise"))

    def __round__(self, digits: int | None = None) -> Any:
        return self if isinstance(self.key.shift, int) else round(self.known("the rounded noise"), digits)

    def _weight(self, other: object = None) -> Weight:
        """The weight of the path, in which each noise is still there.

        Raises:
            InputError: for a noise whose remainder or quotient was taken: it is another noise now.

        """
        weight = current().noisy_weight()
        for number in (self, other):
            if isinstance(number, NoisyNumber) and number.key.noise not in weight.noises:
                raise number._refused("a noise is used again after % or //", "draw another noise, or clamp it first")  # noqa: SLF001
        return weight

    def _refused(self, problem: str, tip: str = CLAMP) -> InputError:
        drawn = f" (drawn on {self.key.drawn})" if self.key.drawn else ""
        return InputError(f"{problem}{drawn}", tip=tip)


# --- states ----------------------------------------------------------------------------------------------------------


def noise_keys(key: Any) -> list[NoiseKey]:
    """The noisy numbers in a key, from left to right."""
    found: list[NoiseKey] = []
    _gather(key if isinstance(key, tuple) else (key,), found)
    return found


def _gather(parts: tuple[Any, ...], found: list[NoiseKey]) -> None:
    for part in parts:
        if isinstance(part, tuple):
            _gather(part, found)
        elif isinstance(part, NoiseKey):
            found.append(part)


def with_keys(key: Any, change: Callable[[NoiseKey], object]) -> Any:
    """A key with its noisy numbers changed."""
    if isinstance(key, NoiseKey):
        return change(key)
    return tuple(with_keys(part, change) for part in key) if isinstance(key, tuple) else key


def settled(key: Any, weight: Weight) -> tuple[Any, Weight | Element]:
    """A state and its weight, where noises that nothing has any more are summed.

    The others are named in the order in which they are met, and the first number of each is the noise itself, plus a
    fraction: so states that differ in their history alone are one. A noise of which one value is left is that number.
    """
    numbers = tuple(noise_keys(key))
    changed, left = _settled(numbers, weight.written)
    if changed == numbers:
        return key, left
    following = iter(changed)

    def moved(number: NoiseKey) -> object:
        new = next(following)
        return replace(new, drawn=number.drawn) if isinstance(new, NoiseKey) else new

    return with_keys(key, moved), left


@lru_cache(KEPT)
def _ways(written: Written, met: Inequality, missed: Inequality) -> tuple[tuple[bool, Weight], tuple[bool, Weight]]:
    """What a comparison may answer, and the weight where it does; it comes again on databases that begin alike."""
    weight = Weight.of_written(written)
    return (True, weight.where([met])), (False, weight.where([missed]))


@lru_cache(KEPT)
def _settled(numbers: tuple[NoiseKey, ...], written: Written) -> tuple[tuple[object, ...], Weight | Element]:
    """What becomes of the noisy numbers of a state, from left to right, and of its weight."""
    weight = Weight.of_written(written)
    found: dict[Noise, NoiseKey] = {}
    values = {number.noise: weight.value(number.noise) for number in numbers}
    for number in numbers:
        if values[number.noise] is not None:
            continue
        found.setdefault(number.noise, number)
        if number.noise not in weight.noises:
            raise NoisyNumber(number)._refused(  # noqa: SLF001 - the same module
                "a noise is used again after % or //", "draw another noise, or clamp it first"
            )
    weight = weight.summed(found)
    signs: dict[Noise, int] = {}
    for noise, first in found.items():
        mirrored = weight.mirrored(noise) if first.sign < 0 else None
        signs[noise] = 1 if mirrored is None else -1
        weight = weight if mirrored is None else mirrored
    names: dict[Noise, tuple[Noise, int]] = {}
    for name, (noise, first) in enumerate(found.items()):
        names[noise] = name, floor(first.shift) if first.sign * signs[noise] > 0 else 0

    def moved(number: NoiseKey) -> object:
        if number.noise not in names:
            return number.at(values[number.noise])
        name, shift = names[number.noise]
        sign = number.sign * signs[number.noise]
        return NoiseKey(name, number.shift - sign * shift, sign)

    return tuple(map(moved, numbers)), weight.renamed(names) if found else weight.number


def as_before(
    key: Any, weight: Weight | Element, before: list[Noise], new: Callable[[], Noise]
) -> tuple[Any, Weight | Element]:
    """The value of a key (noises, value) and its weight, where these noises have the names that they had before."""
    if not isinstance(weight, Weight):
        return key[2], weight
    names: dict[Noise, tuple[Noise, int]] = {}
    for name, number in zip(before, key[1][1:], strict=True):
        names[number.noise] = name, int(number.shift)  # its sign is +: a settled noise is first met among these
    for noise in sorted(weight.noises - names.keys()):
        names[noise] = new(), 0

    def moved(number: NoiseKey) -> NoiseKey:
        name, shift = names[number.noise]
        return replace(number, noise=name, shift=number.shift - number.sign * shift)

    return with_keys(key[2], moved), weight.renamed(names)
