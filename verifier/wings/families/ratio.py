"""Rational functions of one parameter with rational coefficients, in lowest terms."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from fractions import Fraction
from functools import cached_property
from typing import Any

from verifier.numbers import exact_text, fmpq_of, polynomial_of
from verifier.numbers.expression import Expression


def _fraction(value: Any) -> Fraction:
    return Fraction(int(value.p), int(value.q))


def coefficients(polynomial: Any) -> tuple[Fraction, ...]:
    """The coefficients of a polynomial of python-flint, the constant term first."""
    return tuple(_fraction(c) for c in polynomial.coeffs())


def integers(polynomial: Any) -> tuple[int, ...]:
    """A positive multiple of a polynomial with integer coefficients, the constant term first."""
    return tuple(int(c) for c in polynomial.numer().coeffs())


@dataclass(frozen=True, eq=False)
class Ratio:
    """top/bottom, without a common factor; the bottom is monic, so that equal functions are equal objects.

    >>> p = Ratio.parameter()
    >>> one = (Ratio.of(1) - p) * p / (p + p)
    >>> one.text("p"), one == (Ratio.of(1) - p) / Ratio.of(2), one.at(Fraction(1, 3))
    ('(1 - p)/2', True, Fraction(1, 3))
    """

    top: Any
    bottom: Any

    @classmethod
    def of(cls, value: Fraction | int) -> Ratio:
        """A constant."""
        return cls(polynomial_of((Fraction(value),)), polynomial_of((1,)))

    @classmethod
    def parameter(cls) -> Ratio:
        """The parameter itself."""
        return cls(polynomial_of((0, 1)), polynomial_of((1,)))

    @classmethod
    def reduced(cls, top: Any, bottom: Any) -> Ratio:
        """A quotient of polynomials in lowest terms.

        Raises:
            ZeroDivisionError: where the bottom is 0.

        """
        if bottom.degree() < 0:
            raise ZeroDivisionError("division by the function 0")
        shared = top.gcd(bottom)
        top, bottom = top // shared, bottom // shared
        lead = bottom[bottom.degree()]
        return cls(top / lead, bottom / lead)

    @classmethod
    def read(cls, given: Expression, name: str) -> Ratio:
        """An expression in one parameter."""
        found: Ratio = given.within({name: cls.parameter()}, cls.of)
        return found

    def __add__(self, other: Ratio) -> Ratio:
        return Ratio.reduced(self.top * other.bottom + other.top * self.bottom, self.bottom * other.bottom)

    def __sub__(self, other: Ratio) -> Ratio:
        return Ratio.reduced(self.top * other.bottom - other.top * self.bottom, self.bottom * other.bottom)

    def __mul__(self, other: Ratio) -> Ratio:
        return Ratio.reduced(self.top * other.top, self.bottom * other.bottom)

    def __truediv__(self, other: Ratio) -> Ratio:
        return Ratio.reduced(self.top * other.bottom, self.bottom * other.top)

    def __neg__(self) -> Ratio:
        return Ratio(-self.top, self.bottom)

    def __bool__(self) -> bool:
        return bool(self.top.degree() >= 0)

    @cached_property
    def _key(self) -> tuple[tuple[Fraction, ...], tuple[Fraction, ...]]:
        return coefficients(self.top), coefficients(self.bottom)

    def __eq__(self, other: object) -> bool:
        return isinstance(other, Ratio) and self._key == other._key

    def __hash__(self) -> int:
        return hash(self._key)

    def at(self, value: Fraction) -> Fraction:
        """Its value at a rational number.

        Raises:
            ZeroDivisionError: at a pole.

        """
        there = fmpq_of(value)
        return _fraction(self.top(there)) / _fraction(self.bottom(there))

    @property
    def constant(self) -> Fraction | None:
        """Its value, where it does not depend on the parameter."""
        if self.top.degree() > 0 or self.bottom.degree() > 0:
            return None
        return _fraction(self.top[0]) if self else Fraction(0)

    def text(self, name: str, at: Fraction = Fraction(1, 2)) -> str:
        """Factored, with the sign of each factor so that it is positive at a value: `p*(1 - p)/2`."""
        if not self:
            return "0"
        scale, above = _factors(self.top, name, at)
        other, below = _factors(self.bottom, name, at)
        scale /= other
        above = ([str(abs(scale.numerator))] if abs(scale.numerator) != 1 or not above else []) + above
        below = ([str(scale.denominator)] if scale.denominator != 1 else []) + below
        sign = "-" if scale < 0 else ""
        if not below:
            alone = above[0] if len(above) == 1 and not sign and above[0].endswith(")") else ""
            return alone[1:-1] or sign + _product(above)
        under = _product(below)
        if len(below) > 1:
            under = f"({under})"
        return f"{sign}{_product(above)}/{under}"

    def latex(self, name: str, at: Fraction = Fraction(1, 2)) -> str:
        r"""The same for LaTeX: `\frac{p \left(1 - p\right)}{2}`."""
        from sympy import Symbol, latex

        found: str = latex(self.sympy(Symbol(name), at))
        return found

    def sympy(self, symbol: Any, at: Fraction = Fraction(1, 2)) -> Any:
        """As an expression of sympy."""
        from sympy import Integer, Rational

        found = Integer(1)
        for polynomial, power in ((self.top, 1), (self.bottom, -1)):
            if polynomial.degree() < 0:
                return Integer(0)
            constant, factors = _signed(polynomial, at)
            found *= Rational(constant.numerator, constant.denominator) ** power
            for factor, times in factors:
                found *= sum(c * symbol**k for k, c in enumerate(factor)) ** (power * times)
        return found


def _signed(polynomial: Any, at: Fraction) -> tuple[Fraction, list[tuple[tuple[int, ...], int]]]:
    """A constant and primitive irreducible factors with their powers; each is positive at a value, if not 0 there."""
    whole = polynomial.numer()
    unit, factors = whole.factor()
    constant = Fraction(int(unit), int(polynomial.denom()))
    found = []
    for factor, times in factors:
        listed = tuple(int(c) for c in factor.coeffs())
        value = sum((c * at**k for k, c in enumerate(listed)), Fraction(0))
        if value < 0:
            listed = tuple(-c for c in listed)
            constant *= (-1) ** int(times)
        found.append((listed, int(times)))
    return constant, sorted(found, key=lambda one: (len(one[0]), one[0]))


def _factors(polynomial: Any, name: str, at: Fraction) -> tuple[Fraction, list[str]]:
    constant, factors = _signed(polynomial, at)
    texts = []
    for factor, times in factors:
        text = _sum(factor, name)
        single = sum(1 for c in factor if c) == 1
        text = text if single else f"({text})"
        texts.append(text if times == 1 else f"{text}^{times}")
    return constant, texts


def _sum(factor: Sequence[int], name: str) -> str:
    """`1 - 2*p + p^2`, the constant term first."""
    found = ""
    for k, c in enumerate(factor):
        if not c:
            continue
        power = "" if k == 0 else name if k == 1 else f"{name}^{k}"
        size = exact_text(Fraction(abs(c))) if not power else power if abs(c) == 1 else f"{abs(c)}*{power}"
        found += (f" {'-' if c < 0 else '+'} {size}") if found else ("-" if c < 0 else "") + size
    return found


def _product(parts: Sequence[str]) -> str:
    """A single sum needs no parentheses."""
    return "*".join(parts)


def reconstructed(points: Sequence[Fraction], values: Sequence[Fraction], degree: int) -> Ratio:
    """The only quotient of polynomials of at most this degree with these values at 2·degree + 1 points or more.

    Two such quotients with the same values have a/b - c/d = 0 at all points: ad - bc has degree at most 2·degree and
    more roots, so it is 0. Small degrees are tried first; what agrees at all points is the one.

    >>> points = [Fraction(k, 9) for k in range(1, 8)]
    >>> reconstructed(points, [x * x / (1 + x) for x in points], 3).text("p")
    'p^2/(1 + p)'

    Raises:
        ArithmeticError: where there is none.

    """
    if len(points) < 2 * degree + 1:
        raise ArithmeticError(f"{len(points)} points do not determine a quotient of degree {degree}")
    found = guessed(points, values)
    if found is None:
        raise ArithmeticError(f"no quotient of degree {degree} has these values")
    if max(found.top.degree(), found.bottom.degree()) > degree:
        raise ArithmeticError(f"the quotient has a degree above {degree}")
    return found


def guessed(points: Sequence[Fraction], values: Sequence[Fraction]) -> Ratio | None:
    """A quotient of small degrees that has these values, or None; alone it is no proof that no other one has them."""
    if len(set(values)) == 1:
        return Ratio.of(values[0])
    used = 3
    while True:
        used = min(used, len(points))
        found = _cauchy(points[:used], values[:used])
        if found is not None and all(_agrees(found, x, y) for x, y in zip(points, values, strict=True)):
            return found
        if used == len(points):
            return None
        used = 2 * used


def _agrees(found: Ratio, x: Fraction, y: Fraction) -> bool:
    try:
        return found.at(x) == y
    except ZeroDivisionError:
        return False


def _cauchy(points: Sequence[Fraction], values: Sequence[Fraction]) -> Ratio | None:
    """A quotient of small degrees through the points, by Euclid's algorithm stopped half-way."""
    modulus, through = polynomial_of((1,)), polynomial_of((0,))
    for x, y in zip(points, values, strict=True):  # Newton's interpolation
        there = fmpq_of(x)
        step = (fmpq_of(y) - through(there)) / modulus(there)
        through, modulus = through + modulus * step, modulus * polynomial_of((-x, 1))
    half = len(points) // 2
    r0, r1, t0, t1 = modulus, through, polynomial_of((0,)), polynomial_of((1,))
    while r1.degree() > half:
        quotient = r0 // r1
        r0, r1, t0, t1 = r1, r0 - quotient * r1, t1, t0 - quotient * t1
    return Ratio.reduced(r1, t1) if t1.degree() >= 0 else None
