"""A random number of which no more is known than what comparisons said: `random()`, and numpy's `geometric(p)`.

It has too many results to run a function once for each. `u < 1/10` is a draw of two results, and so is each further
comparison: it splits the range that is left, and each side has its probability in it. The integer part of `n·u + b` is
a draw of as many results as it has. Nothing else of the number is known: what would need its digits is refused.

`random()` is a real number of [0, 1), and not one of 2^53 floats: it is equal to no number, and `<` is `<=`.
"""

from __future__ import annotations

from collections.abc import Callable
from fractions import Fraction
from functools import wraps
from math import ceil, floor
from numbers import Rational, Real
from typing import Any, NoReturn, TypeAlias

from verifier.errors import InputError, LimitError, PkdpError
from verifier.numbers import shorten
from verifier.programs.draws import MOST
from verifier.programs.exact import exact_number, whole

Line: TypeAlias = tuple[Fraction, Fraction]
"""A slope and a constant."""


class Unknown:
    """A number x with P[x ≥ c] = `tail(c)`, of which `low` ≤ x < `high` is known on this path (None: it has no end)."""

    def __init__(
        self, path: Any, name: str, tail: Callable[[Fraction], Fraction], low: int, high: int | None, *, integer: bool
    ) -> None:
        self.path, self.name, self.tail, self.integer = path, name, tail, integer
        self.low = Fraction(low)
        self.high = None if high is None else Fraction(high)

    def refuse_other_path(self) -> None:
        """Refuse a number that the function kept from run to run.

        Raises:
            InputError: where the path of its draw is not run now.

        """
        if not self.path.is_running():
            raise InputError(f"{self.name} of one run is used in another, or after it", wanted="a draw of this run")

    def mass(self, low: Fraction, high: Fraction | None) -> Fraction:
        """P[low ≤ x < high]."""
        return self.tail(low) - (self.tail(high) if high is not None else 0)

    def below(self, c: Fraction) -> bool:
        """Whether x < c: the range is split there.

        Raises:
            LimitError: for an integer and a c far away.

        """
        c = Fraction(ceil(c)) if self.integer else c
        if c <= self.low or (self.high is not None and c >= self.high):
            return c > self.low
        if self.integer and c > MOST:
            raise LimitError(f"{self.name} is compared with {shorten(c)}", wanted=f"at most {MOST:,}")
        less = bool(self.path.result("flip", self.mass(self.low, c) / self.mass(self.low, self.high)))
        self.low, self.high = (self.low, c) if less else (c, self.high)
        return less

    def part(self, ends: dict[int, Line]) -> int:
        """One of some integers, each with the range of x that gives it."""
        every = self.mass(self.low, self.high)
        table = {k: self.mass(*pair) / every for k, pair in ends.items()}
        k = int(self.path.result("choice", table))
        self.low, self.high = ends[k]
        return k


def _on_path(method: Callable[..., Any]) -> Callable[..., Any]:
    """A method whose refusal is that of the path, also where the function catches it."""

    @wraps(method)
    def called(self: HiddenNumber, *others: Any) -> Any:
        self.base.refuse_other_path()
        try:
            return method(self, *others)
        except PkdpError as error:
            raise self.base.path.refusal(error) from None

    return called


class HiddenNumber:  # noqa: PLW1641 - its hash is refused
    """The number `times`·x + `plus`, for a number x that is not known; it can be compared, and put into integers."""

    __slots__ = ("base", "plus", "times")
    __array_priority__ = 1

    def __init__(self, base: Unknown, times: Fraction = Fraction(1), plus: Fraction = Fraction(0)) -> None:
        self.base, self.times, self.plus = base, times, plus

    # --- comparisons: each is a draw of two results

    def _minus(self, other: object) -> Line | None:
        if isinstance(other, HiddenNumber):
            if other.base is not self.base:
                self._refused("is compared, or added, with another one")
            return self.times - other.times, self.plus - other.plus
        number = self._number(other)
        return None if number is None else (self.times, self.plus - number)

    def _number(self, raw: object) -> Fraction | None:
        """A number with which this one is compared, exactly; None for what is none.

        Raises:
            InexactError: for a float that is no short decimal.
            InputError: for an array: each of its numbers would need a comparison, which is a draw.

        """
        if hasattr(raw, "__array__") and getattr(raw, "ndim", None):
            self._refused("meets a whole array; compare it with one number at a time")
        number = exact_number(raw) if isinstance(raw, Real) else raw
        return Fraction(int(number.numerator), int(number.denominator)) if isinstance(number, Rational) else None

    def _negative(self, line: Line) -> bool:
        times, plus = line
        if not times:
            return plus < 0
        at = -plus / times
        if times > 0:
            return self.base.below(at)
        return not self.base.below(Fraction(floor(at) + 1) if self.base.integer else at)

    @_on_path
    def __lt__(self, other: object) -> Any:
        line = self._minus(other)
        return NotImplemented if line is None else self._negative(line)

    @_on_path
    def __gt__(self, other: object) -> Any:
        line = self._minus(other)
        return NotImplemented if line is None else self._negative((-line[0], -line[1]))

    def __ge__(self, other: object) -> bool:
        return not self < other

    def __le__(self, other: object) -> bool:
        return not self > other

    @_on_path
    def __eq__(self, other: object) -> Any:
        line = self._minus(other)
        if line is None:
            return NotImplemented
        if not self.base.integer and line[0]:
            return False
        return not self._negative(line) and not self._negative((-line[0], -line[1]))

    # --- multiples and sums with numbers

    @_on_path
    def __add__(self, other: object) -> Any:
        if isinstance(other, HiddenNumber):
            line = self._minus(-other)
        else:
            number = self._number(other)
            line = None if number is None else (self.times, self.plus + number)
        return NotImplemented if line is None else HiddenNumber(self.base, *line)

    @_on_path
    def __mul__(self, other: object) -> Any:
        if isinstance(other, HiddenNumber):
            self._refused("is multiplied with another one")
        number = self._number(other)
        return NotImplemented if number is None else HiddenNumber(self.base, self.times * number, self.plus * number)

    @_on_path
    def __truediv__(self, other: object) -> Any:
        number = self._number(other)
        return NotImplemented if number is None else self * (1 / number)

    def __neg__(self) -> Any:
        return self * -1

    def __sub__(self, other: Any) -> Any:
        return self + -other

    def __rsub__(self, other: Any) -> Any:
        return -self + other

    __radd__, __rmul__ = __add__, __mul__

    def __abs__(self) -> Any:
        return -self if self < 0 else self

    # --- integers

    @_on_path
    def __floor__(self) -> int:
        if self.base.integer or not self.times:
            return floor(self.settled())
        at_ends = [self.times * end + self.plus for end in (self.base.low, self.base.high or Fraction(0))]
        first, end = floor(min(at_ends)), ceil(max(at_ends))
        if end - first > MOST:
            raise LimitError(f"the integer has {end - first:,} results", wanted=f"at most {MOST:,}")
        ranges = {}
        for k in range(first, end):
            left, right = sorted(((k - self.plus) / self.times, (k + 1 - self.plus) / self.times))
            ranges[k] = max(left, self.base.low), min(right, self.base.high or right)
        return self.base.part(ranges)

    def __int__(self) -> int:
        return int(floor(self) if self >= 0 else -floor(-self))

    __trunc__ = __int__

    def __ceil__(self) -> int:
        return int(-floor(-self))

    def settled(self) -> int | Fraction:
        """The number where it is one of finitely many integers, or known: a draw of these.

        Raises:
            InputError: for every other one, as an output is.

        """
        base = self.base
        base.refuse_other_path()
        if not self.times:
            return whole(self.plus)
        if not base.integer or base.high is None:
            self._refused("is an output")
        ends = {k: (Fraction(k), Fraction(k + 1)) for k in range(int(base.low), int(base.high))}
        return whole(self.times * base.part(ends) + self.plus)

    def _refused(self, used: str) -> NoReturn:
        base = self.base
        kind = "has infinitely many results" if base.integer else "draws real numbers"
        raise InputError(
            f"{base.name} {kind}, and the number {used}",
            wanted="comparisons with numbers, and integers: "
            + ("min(geometric(p), 9)" if base.integer else "random() < p, int(n * random())"),
            tip="" if base.integer else "rng.flip(p) and rng.randint(a, b) are its twins with ends",
        )

    @_on_path
    def _no_digits(self, *_: object) -> NoReturn:
        self._refused("is used by its digits")

    __float__ = __complex__ = __index__ = __bool__ = __hash__ = _no_digits
    __str__ = __repr__ = __format__ = __reduce__ = _no_digits
    __round__ = __mod__ = __rmod__ = __floordiv__ = __rfloordiv__ = __divmod__ = __rdivmod__ = _no_digits
    __pow__ = __rpow__ = __rtruediv__ = _no_digits

    def __copy__(self) -> HiddenNumber:
        return self

    def __deepcopy__(self, _: object) -> HiddenNumber:
        return self
