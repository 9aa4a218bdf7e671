"""Exact arithmetic with a real algebraic number E: polynomials in E, modulo its minimal polynomial."""

from __future__ import annotations

from dataclasses import dataclass
from fractions import Fraction
from functools import cached_property
from typing import Any

from verifier.numbers.algebraic import Algebraic
from verifier.numbers.rational import MAX_DIGITS, coefficients, exact_text, polynomial_of


@dataclass(frozen=True, eq=False)
class FieldElement:
    """The number Σ coefficients[k]·E^k of the field ℚ(E), where E is the real algebraic number `root`.

    The polynomial, of python-flint, is reduced modulo E's minimal polynomial, so that equal numbers have equal ones.

    >>> from verifier.numbers.algebraic import roots_between
    >>> golden = FieldElement.generator(roots_between((-1, -1, 1), Fraction(1), Fraction(2))[0])
    >>> print(golden * golden, golden * golden - golden == 1, golden > Fraction(8, 5))
    1 + E True True
    """

    root: Algebraic
    polynomial: Any

    @classmethod
    def generator(cls, root: Algebraic) -> FieldElement:
        """The number E as an element of its field."""
        return cls(root, polynomial_of((0, 1)))

    @classmethod
    def of(cls, root: Algebraic, polynomial: Any) -> FieldElement:
        """The value of a polynomial of python-flint at E, a root."""
        return cls(root, root.remainder(polynomial))

    @cached_property
    def coefficients(self) -> tuple[Fraction, ...]:
        """The coefficients of 1, E, E² and so on."""
        return coefficients(self.polynomial)

    def __reduce__(self) -> tuple[Any, ...]:
        return _restored, (self.root, self.coefficients)

    def _polynomial(self, other: object) -> Any:
        if isinstance(other, FieldElement):
            return other.polynomial
        return polynomial_of((other,)) if isinstance(other, int | Fraction) else None

    def __add__(self, other: object) -> FieldElement:
        return FieldElement(self.root, self.polynomial + self._polynomial(other))

    def __neg__(self) -> FieldElement:
        return FieldElement(self.root, -self.polynomial)

    def __sub__(self, other: object) -> FieldElement:
        return FieldElement(self.root, self.polynomial - self._polynomial(other))

    def __rsub__(self, other: object) -> FieldElement:
        return -(self - other)

    def __mul__(self, other: object) -> FieldElement:
        return self.of(self.root, self.polynomial * self._polynomial(other))

    __radd__, __rmul__ = __add__, __mul__

    def __bool__(self) -> bool:
        return bool(self.polynomial.degree() >= 0)

    def __eq__(self, other: object) -> bool:
        return not (self - other)

    def __hash__(self) -> int:
        return hash((self.root, self.coefficients))

    def __lt__(self, other: object) -> bool:
        return (self - other).sign < 0

    def __le__(self, other: object) -> bool:
        return (self - other).sign <= 0

    def __gt__(self, other: object) -> bool:
        return (self - other).sign > 0

    def __ge__(self, other: object) -> bool:
        return (self - other).sign >= 0

    @property
    def sign(self) -> int:
        """The sign of the number: -1, 0 or 1."""
        return self.root.sign_of(self.polynomial) if self else 0

    def __str__(self) -> str:
        return self.text()

    def text(self, max_digits: int = MAX_DIGITS) -> str:
        """The text of the number, such as `1/2 - 1/3*E + E^2`; longer coefficients than `max_digits` are cut."""
        text = ""
        for k, c in enumerate(self.coefficients):
            if c:
                power = "E" if k == 1 else f"E^{k}"
                size = exact_text(abs(c), max_digits)
                term = size if k == 0 else power if abs(c) == 1 else f"{size}*{power}"
                text += f" {'-' if c < 0 else '+'} {term}" if text else f"{'-' if c < 0 else ''}{term}"
        return text or "0"


def element_text(value: Fraction | FieldElement) -> str:
    """The exact text of a number: `p/q` for a rational, a polynomial in E for an element of a field."""
    return value.text() if isinstance(value, FieldElement) else exact_text(value)


def _restored(root: Algebraic, coefficients: tuple[Fraction, ...]) -> FieldElement:
    """The element that was pickled; polynomials of python-flint are not."""
    return FieldElement(root, polynomial_of(coefficients))
