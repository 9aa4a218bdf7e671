"""Rational functions of several parameters with rational coefficients, in lowest terms."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from fractions import Fraction
from functools import cached_property, lru_cache
from typing import Any

from verifier.numbers import exact_text, fmpq_of, polynomial_of
from verifier.numbers.expression import Expression
from verifier.wings.families.ratio import Ratio, coefficients

Names = tuple[str, ...]


@lru_cache(maxsize=256)
def ring(names: Names) -> Any:
    """The polynomials in some parameters, in the lexicographic order of terms."""
    from flint import Ordering, fmpq_mpoly_ctx

    return fmpq_mpoly_ctx.get(tuple(f"x{k}" for k in range(len(names))), Ordering.lex)


def constant(names: Names, value: Fraction | int) -> Any:
    """A constant polynomial."""
    return ring(names).constant(fmpq_of(Fraction(value)))


def polynomial(names: Names, terms: Mapping[tuple[int, ...], Fraction]) -> Any:
    """A polynomial with these coefficients."""
    return ring(names).from_dict({powers: fmpq_of(c) for powers, c in terms.items() if c})


def fraction_of(value: Any) -> Fraction:
    """A rational of python-flint as a fraction."""
    return Fraction(int(value.p), int(value.q))


def terms_of(given: Any) -> dict[tuple[int, ...], Fraction]:
    """The coefficients of a polynomial, by the exponents of the parameters."""
    return {tuple(map(int, powers)): fraction_of(c) for powers, c in given.to_dict().items()}


def single(given: Any) -> Any:
    """A polynomial in the only parameter as one of python-flint's polynomials in one variable."""
    terms = terms_of(given)
    top = max((powers[0] for powers in terms), default=0)
    return polynomial_of([terms.get((k,), Fraction(0)) for k in range(top + 1)])


def value_of(given: Any, values: Sequence[Fraction]) -> Fraction:
    """A polynomial at a point."""
    return fraction_of(given(*map(fmpq_of, values))) if values else fraction_of(given.leading_coefficient())


@dataclass(frozen=True, eq=False)
class Quotient:
    """top/bottom without a common factor; the leading coefficient of the bottom is 1, so that equals are equal objects.

    >>> p, q = (Quotient.parameter(("p", "q"), k) for k in (0, 1))
    >>> one = (p * p - q * q) / (p - q)
    >>> one.text(), one == p + q, one.at((Fraction(1, 2), Fraction(1, 3)))
    ('p + q', True, Fraction(5, 6))
    """

    names: Names
    top: Any
    bottom: Any

    @classmethod
    def of(cls, names: Names, value: Fraction | int) -> Quotient:
        """A constant."""
        return cls(names, constant(names, value), constant(names, 1))

    @classmethod
    def parameter(cls, names: Names, which: int) -> Quotient:
        """One of the parameters."""
        return cls(names, ring(names).gen(which), constant(names, 1))

    @classmethod
    def reduced(cls, names: Names, top: Any, bottom: Any) -> Quotient:
        """A quotient of polynomials in lowest terms.

        Raises:
            ZeroDivisionError: where the bottom is 0.

        """
        if bottom.is_zero():
            raise ZeroDivisionError("division by the function 0")
        shared = top.gcd(bottom)
        top, bottom = divmod(top, shared)[0], divmod(bottom, shared)[0]
        lead = bottom.leading_coefficient()
        return cls(names, top / lead, bottom / lead)

    @classmethod
    def read(cls, given: Expression, names: Names) -> Quotient:
        """An expression in these parameters."""
        values = {name: cls.parameter(names, k) for k, name in enumerate(names)}
        found: Quotient = given.within(values, lambda value: cls.of(names, value))
        return found

    @classmethod
    def of_ratio(cls, names: Names, which: int, given: Ratio) -> Quotient:
        """A function of one of the parameters."""

        def lifted(one: Any) -> Any:
            zeros = [0] * len(names)
            return polynomial(
                names, {(*zeros[:which], k, *zeros[which + 1 :]): c for k, c in enumerate(coefficients(one))}
            )

        return cls.reduced(names, lifted(given.top), lifted(given.bottom))

    def __add__(self, other: Quotient) -> Quotient:
        return self._made(self.top * other.bottom + other.top * self.bottom, self.bottom * other.bottom)

    def __sub__(self, other: Quotient) -> Quotient:
        return self._made(self.top * other.bottom - other.top * self.bottom, self.bottom * other.bottom)

    def __mul__(self, other: Quotient) -> Quotient:
        return self._made(self.top * other.top, self.bottom * other.bottom)

    def __truediv__(self, other: Quotient) -> Quotient:
        return self._made(self.top * other.bottom, self.bottom * other.top)

    def __neg__(self) -> Quotient:
        return Quotient(self.names, -self.top, self.bottom)

    def __bool__(self) -> bool:
        return not self.top.is_zero()

    def _made(self, top: Any, bottom: Any) -> Quotient:
        return Quotient.reduced(self.names, top, bottom)

    @cached_property
    def _key(self) -> tuple[object, object]:
        return tuple(sorted(terms_of(self.top).items())), tuple(sorted(terms_of(self.bottom).items()))

    def __eq__(self, other: object) -> bool:
        return isinstance(other, Quotient) and self.names == other.names and self._key == other._key

    def __hash__(self) -> int:
        return hash(self._key)

    @property
    def constant(self) -> Fraction | None:
        """Its value, where it is the same everywhere."""
        if not (self.top.is_constant() and self.bottom.is_constant()):
            return None
        return fraction_of(self.top.leading_coefficient()) if self else Fraction(0)

    @property
    def degrees(self) -> tuple[int, ...]:
        """For each parameter the larger degree of top and bottom."""
        tops = (0,) * len(self.names) if not self else self.top.degrees()
        return tuple(max(int(a), int(b)) for a, b in zip(tops, self.bottom.degrees(), strict=True))

    def at(self, values: Sequence[Fraction]) -> Fraction:
        """Its value at a point.

        Raises:
            ZeroDivisionError: at a pole.

        """
        return value_of(self.top, values) / value_of(self.bottom, values)

    def text(self) -> str:
        """`(p*q)/(1 - p)`, not factored."""
        top, bottom = (polynomial_text(one, self.names) for one in (self.top, self.bottom))
        return top if bottom == "1" else f"({top})/({bottom})"


def factors_of(given: Any) -> tuple[Fraction, list[tuple[Any, int]]]:
    """A constant and irreducible factors with their powers; the leading term of each has a positive coefficient."""
    unit, factors = given.factor()
    found, scale = [], fraction_of(unit)
    for factor, times in factors:
        sign = -1 if factor.leading_coefficient() < 0 else 1
        scale *= sign ** int(times)
        found.append((factor * sign, int(times)))
    return scale, sorted(found, key=lambda one: sorted(terms_of(one[0]).items()))


def polynomial_text(given: Any, names: Names) -> str:
    """`1 - 2*p*q`, terms of small degree first.

    >>> polynomial_text(polynomial(("p", "q"), {(0, 0): Fraction(1), (1, 1): Fraction(-2)}), ("p", "q"))
    '1 - 2*p*q'
    """
    found = ""
    for powers, c in sorted(terms_of(given).items(), key=lambda one: (sum(one[0]), [-k for k in one[0]])):
        parts = [name if k == 1 else f"{name}^{k}" for name, k in zip(names, powers, strict=True) if k]
        size = [] if parts and abs(c) == 1 else [exact_text(abs(c))]
        term = "*".join([*size, *parts])
        found += (f" {'-' if c < 0 else '+'} {term}") if found else ("-" if c < 0 else "") + term
    return found or "0"
