"""Exact arithmetic with a real algebraic number E: polynomials in E, modulo its minimal polynomial."""

from __future__ import annotations

from dataclasses import dataclass
from fractions import Fraction
from functools import total_ordering
from typing import Any

from verifier.numbers.algebraic import Algebraic
from verifier.numbers.flints import coefficients, polynomial_of
from verifier.numbers.rational import exact_text


@total_ordering
@dataclass(frozen=True, eq=False)
class Element:
    """Σ coefficients[k]·E^k, reduced, so that equal numbers have equal coefficients.

    >>> from verifier.numbers.algebraic import roots_between
    >>> golden = Element.generator(roots_between((-1, -1, 1), Fraction(1), Fraction(2))[0])
    >>> print(golden * golden, golden * golden - golden == 1, golden > Fraction(8, 5))
    1 + E True True
    """

    root: Algebraic
    coefficients: tuple[Fraction, ...]

    @classmethod
    def generator(cls, root: Algebraic) -> Element:
        """E itself."""
        return cls(root, (Fraction(0), Fraction(1)))

    @classmethod
    def of(cls, root: Algebraic, polynomial: Any) -> Element:
        """A polynomial at E."""
        rest = polynomial % polynomial_of(root.polynomial)
        return cls(root, coefficients(rest))

    def _polynomial(self, other: object) -> Any:
        if isinstance(other, Element):
            return polynomial_of(other.coefficients)
        return polynomial_of((other,)) if isinstance(other, int | Fraction) else None

    def __add__(self, other: object) -> Element:
        return self.of(self.root, self._polynomial(self) + self._polynomial(other))

    def __neg__(self) -> Element:
        return Element(self.root, tuple(-c for c in self.coefficients))

    def __sub__(self, other: object) -> Element:
        return self.of(self.root, self._polynomial(self) - self._polynomial(other))

    def __rsub__(self, other: object) -> Element:
        return -(self - other)

    def __mul__(self, other: object) -> Element:
        return self.of(self.root, self._polynomial(self) * self._polynomial(other))

    __radd__, __rmul__ = __add__, __mul__

    def __bool__(self) -> bool:
        return any(self.coefficients)

    def __eq__(self, other: object) -> bool:
        return not (self - other)

    def __hash__(self) -> int:
        return hash((self.root, self.coefficients))

    def __lt__(self, other: object) -> bool:
        return (self - other).sign < 0

    @property
    def sign(self) -> int:
        """-1, 0 or 1."""
        return self.root.sign(self.coefficients) if any(self.coefficients) else 0

    def __str__(self) -> str:
        return self.text()

    def text(self, max_digits: int = 200) -> str:
        """`1/2 - 1/3*E + E^2`."""
        found = ""
        for k, c in enumerate(self.coefficients):
            if c:
                power = "E" if k == 1 else f"E^{k}"
                size = exact_text(abs(c), max_digits)
                term = size if k == 0 else power if abs(c) == 1 else f"{size}*{power}"
                found += f" {'-' if c < 0 else '+'} {term}" if found else f"{'-' if c < 0 else ''}{term}"
        return found or "0"


def element_text(value: Fraction | Element, max_digits: int = 200) -> str:
    """A number that may be irrational: a rational, or a polynomial in E."""
    return value.text(max_digits) if isinstance(value, Element) else exact_text(value, max_digits)
