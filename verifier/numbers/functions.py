"""Rational functions of a parameter: the weights of laws whose probabilities are expressions such as `1 - p`.

The denominator of a function is always 2, and its numerator twice the function. A law with such weights then never has
the denominator 1, by which other code tells that nothing is random.
"""

from __future__ import annotations

from dataclasses import dataclass
from fractions import Fraction
from functools import cached_property
from typing import Any

from verifier.numbers.algebraic import Algebraic, roots_between
from verifier.numbers.expression import Expression
from verifier.numbers.rational import Symbolic, coefficients, exact_text, fmpq_of, fraction_of, polynomial_of

HASHED_AT = Fraction(1009)
"""Functions that differ rarely agree here; the texts of their polynomials take longer to make."""


@dataclass(frozen=True, eq=False, repr=False)
class Function(Symbolic):
    """The rational function top/bottom of the parameter `name`, two polynomials over ℚ without a common factor.

    The leading coefficient of the bottom is 1, so that equal functions have equal tops and equal bottoms.

    >>> p = Function.parameter("p")
    >>> quotient = (p * p - 1) / (p - 1)
    >>> print(quotient, quotient == p + 1, quotient.at(Fraction(1, 2)), 1 - p * 2 / 3)
    1 + p True 3/2 1 - 2/3*p
    """

    name: str
    top: Any
    bottom: Any

    @classmethod
    def parameter(cls, name: str) -> Function:
        """The parameter itself as a function."""
        unknown = polynomial_of((0, 1))
        return cls(name, unknown, unknown**0)

    @classmethod
    def read(cls, expression: Expression, name: str) -> Function:
        """The function that an expression in this parameter stands for.

        Raises:
            ZeroDivisionError: where the expression divides by the function 0.

        """
        parameter = cls.parameter(name)
        function: Function = expression.within({name: parameter}, parameter.constantly)
        return function

    @classmethod
    def reduced(cls, name: str, top: Any, bottom: Any) -> Function:
        """The function top/bottom, from two polynomials that may have a common factor.

        Raises:
            ZeroDivisionError: where the bottom is 0.

        """
        if bottom.is_one():
            return cls(name, top, bottom)
        if bottom.is_zero():
            raise ZeroDivisionError("division by the function 0")
        shared = top.gcd(bottom)
        if not shared.is_one():
            top, bottom = top // shared, bottom // shared
        lead = bottom.leading_coefficient()
        return cls(name, top / lead, bottom / lead)

    def constantly(self, value: Fraction | int) -> Function:
        """The constant function with a value, in the same parameter."""
        unit = self.bottom**0
        return Function(self.name, unit * fmpq_of(value), unit)

    def _like(self, other: object) -> Function | None:
        if isinstance(other, Function):
            return other
        return self.constantly(other) if isinstance(other, int | Fraction) else None

    def __add__(self, other: object) -> Function:
        if isinstance(other, int | Fraction):  # what has no factor in common with the bottom has none afterwards
            return Function(self.name, self.top + self.bottom * fmpq_of(other), self.bottom) if other else self
        right = self._like(other)
        if right is None:
            return NotImplemented
        if self.bottom == right.bottom:
            return self._reduced(self.top + right.top, self.bottom)
        return self._reduced(self.top * right.bottom + right.top * self.bottom, self.bottom * right.bottom)

    def __neg__(self) -> Function:
        return Function(self.name, -self.top, self.bottom)

    def __sub__(self, other: object) -> Function:
        right = self._like(other)
        return NotImplemented if right is None else self + -right

    def __rsub__(self, other: object) -> Function:
        return -self + other

    def __mul__(self, other: object) -> Function:
        if isinstance(other, int | Fraction):
            if other == 1:
                return self  # which keeps its hash
            return Function(self.name, self.top * fmpq_of(other), self.bottom) if other else self.constantly(0)
        right = self._like(other)
        if right is None:
            return NotImplemented
        return self._reduced(self.top * right.top, self.bottom * right.bottom)

    __radd__, __rmul__ = __add__, __mul__

    def __truediv__(self, other: object) -> Function:
        right = self._like(other)
        if right is None:
            return NotImplemented
        return self._reduced(self.top * right.bottom, self.bottom * right.top)

    def __rtruediv__(self, other: object) -> Function:
        left = self._like(other)
        return NotImplemented if left is None else left / self

    def __pow__(self, power: int) -> Function:
        if power < 0:
            return 1 / self**-power
        return Function(self.name, self.top**power, self.bottom**power)

    def _reduced(self, top: Any, bottom: Any) -> Function:
        return Function.reduced(self.name, top, bottom)

    def __bool__(self) -> bool:
        return not self.top.is_zero()

    def __eq__(self, other: object) -> bool:
        if self is other:
            return True
        if isinstance(other, int | Fraction):
            return bool(self.bottom.is_one() and self.top == fmpq_of(other))
        right = self._like(other)
        return right is not None and bool(self.top == right.top and self.bottom == right.bottom)

    @cached_property
    def _hash(self) -> int:
        at = fmpq_of(HASHED_AT)
        return hash((fraction_of(self.top(at)), fraction_of(self.bottom(at))))

    def __hash__(self) -> int:
        return self._hash

    @property
    def numerator(self) -> Function:
        """Twice the function, which is the weight over the denominator 2."""
        return self * 2

    @property
    def denominator(self) -> int:
        """The number 2: a denominator of 1 would say that nothing is random."""
        return 2

    @property
    def divisor(self) -> Function:
        """The bottom, which is 0 at the poles."""
        return Function(self.name, self.bottom, self.bottom**0)

    @property
    def constant(self) -> Fraction | None:
        """The value of a constant function; None for any other."""
        if not (self.top.is_constant() and self.bottom.is_constant()):
            return None
        return fraction_of(self.top.leading_coefficient()) if self else Fraction(0)

    def at(self, value: Fraction) -> Fraction:
        """The value of the function at a value of the parameter.

        Raises:
            ZeroDivisionError: at a pole.

        """
        at = fmpq_of(value)
        return fraction_of(self.top(at)) / fraction_of(self.bottom(at))

    def __str__(self) -> str:
        top, bottom = (terms_text(polynomial, self.name) for polynomial in (self.top, self.bottom))
        return top if bottom == "1" else f"({top})/({bottom})"

    __repr__ = __str__


def real_roots(
    polynomial: Any, low: Fraction | None = None, high: Fraction | None = None
) -> list[Fraction | Algebraic]:
    """The different real roots of a polynomial in one unknown in [low, high], in order; a constant has none here.

    Cauchy's bound 1 + max |cₖ|/|cₙ| on the size of all roots stands for an end that is left out.

    >>> [str(root) for root in real_roots(polynomial_of((0, -1, 0, 4)))]
    ['-1/2', '0', '1/2']
    """
    if polynomial.degree() < 1:
        return []
    if low is not None and high is not None and not _may_vanish(polynomial, low, high):
        return [end for end in dict.fromkeys((low, high)) if not polynomial(fmpq_of(end))]
    listed = [int(c) for c in polynomial.numer().coeffs()]
    far = 1 + max(Fraction(abs(c), abs(listed[-1])) for c in listed[:-1])
    return roots_between(listed, -far if low is None else low, far if high is None else high)


def _may_vanish(polynomial: Any, low: Fraction, high: Fraction) -> bool:
    """Whether a root between low and high is not excluded by Descartes' rule of signs.

    With x = (low + high·t)/(1 + t) the roots between are those with t > 0 of (1 + t)^d·p(x), and there is none if no
    two coefficients of that polynomial have different signs.
    """
    if low == high:
        return False
    inside = polynomial(polynomial_of((low, high - low))).numer()
    reversed_coefficients = list(inside.coeffs())[::-1]
    moved = type(inside)(reversed_coefficients)(type(inside)([1, 1])).coeffs()
    return any(c > 0 for c in moved) and any(c < 0 for c in moved)


def terms_text(polynomial: Any, name: str) -> str:
    """The text of a polynomial in a parameter, such as `1 - 2*p^2`: terms of small degree first.

    >>> p = Function.parameter("p")
    >>> terms_text((1 - 2 * p * p).top, "p")
    '1 - 2*p^2'
    """
    text = ""
    for power, c in enumerate(coefficients(polynomial)):
        if not c:
            continue
        unknown = name if power == 1 else f"{name}^{power}" if power else ""
        size = exact_text(abs(c)) if abs(c) != 1 or not unknown else ""
        term = "*".join(filter(None, (size, unknown)))
        text += (f" {'-' if c < 0 else '+'} {term}") if text else ("-" if c < 0 else "") + term
    return text or "0"
