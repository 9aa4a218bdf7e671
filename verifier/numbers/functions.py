"""Rational functions of parameters: the weights of laws whose probabilities are expressions such as `1 - p`.

The denominator of a function is always 2, and its numerator twice the function. A law with such weights then never has
the denominator 1, by which other code tells that nothing is random.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from fractions import Fraction
from functools import cached_property, lru_cache
from math import lcm
from typing import Any

from verifier.numbers.algebraic import Algebraic, roots_between
from verifier.numbers.expression import Expression
from verifier.numbers.flints import coefficients, fmpq_of, fraction_of, polynomial_of
from verifier.numbers.rational import Symbolic, exact_text

Names = tuple[str, ...]


@lru_cache(maxsize=256)
def generators(number: int, *, sparse: bool) -> tuple[Any, ...]:
    """The unknowns of the ring of polynomials over ℚ in so many unknowns.

    Polynomials in one unknown are stored by their coefficients, those in several, or with `sparse`, by their terms.
    """
    if number == 1 and not sparse:
        return (polynomial_of((0, 1)),)
    from flint import Ordering, fmpq_mpoly_ctx

    context = fmpq_mpoly_ctx.get(tuple(f"x{k}" for k in range(number)), Ordering.lex)
    return tuple(context.gen(k) for k in range(number))


@dataclass(frozen=True, eq=False, repr=False)
class Function(Symbolic):
    """The rational function top/bottom of the parameters `names`, two polynomials over ℚ without a common factor.

    The leading coefficient of the bottom is 1, so that equal functions have equal tops and equal bottoms.

    >>> p, q = Function.parameters(("p", "q"))
    >>> quotient = (p * p - q * q) / (p - q)
    >>> print(quotient, quotient == p + q, quotient.at(Fraction(1, 2), Fraction(1, 3)), 1 - p * 2 / 3)
    p + q True 5/6 1 - 2/3*p
    """

    names: Names
    top: Any
    bottom: Any

    @classmethod
    def parameters(cls, names: Names, *, sparse: bool = False) -> tuple[Function, ...]:
        """Each parameter as a function; with `sparse` a single one is stored by terms too, as several always are."""
        unknowns = generators(len(names), sparse=sparse)
        return tuple(cls(names, unknown, unknown**0) for unknown in unknowns)

    @classmethod
    def read(cls, expression: Expression, names: Names, *, sparse: bool = False) -> Function:
        """The function that an expression in these parameters stands for.

        Raises:
            ZeroDivisionError: where the expression divides by the function 0.

        """
        values = dict(zip(names, cls.parameters(names, sparse=sparse), strict=True))
        first = values[names[0]]
        function: Function = expression.within(values, first.constantly)
        return function

    @classmethod
    def reduced(cls, names: Names, top: Any, bottom: Any) -> Function:
        """The function top/bottom, from two polynomials that may have a common factor.

        Raises:
            ZeroDivisionError: where the bottom is 0.

        """
        if bottom.is_one():
            return cls(names, top, bottom)
        if bottom.is_zero():
            raise ZeroDivisionError("division by the function 0")
        shared = top.gcd(bottom)
        if not shared.is_one():
            top, bottom = top // shared, bottom // shared
        lead = bottom.leading_coefficient()
        return cls(names, top / lead, bottom / lead)

    def constantly(self, value: Fraction | int) -> Function:
        """The constant function with a value, in the same parameters."""
        unit = self.bottom**0
        return Function(self.names, unit * fmpq_of(Fraction(value)), unit)

    def _like(self, other: object) -> Function | None:
        if isinstance(other, Function):
            return other
        return self.constantly(other) if isinstance(other, int | Fraction) else None

    def __add__(self, other: object) -> Function:
        right = self._like(other)
        if right is None:
            return NotImplemented
        if self.bottom == right.bottom:
            return self._reduced(self.top + right.top, self.bottom)
        return self._reduced(self.top * right.bottom + right.top * self.bottom, self.bottom * right.bottom)

    def __neg__(self) -> Function:
        return Function(self.names, -self.top, self.bottom)

    def __sub__(self, other: object) -> Function:
        right = self._like(other)
        return NotImplemented if right is None else self + -right

    def __rsub__(self, other: object) -> Function:
        return -self + other

    def __mul__(self, other: object) -> Function:
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
        return Function(self.names, self.top**power, self.bottom**power)

    def _reduced(self, top: Any, bottom: Any) -> Function:
        return Function.reduced(self.names, top, bottom)

    def __bool__(self) -> bool:
        return not self.top.is_zero()

    def __eq__(self, other: object) -> bool:
        right = self._like(other)
        return right is not None and bool(self.top == right.top and self.bottom == right.bottom)

    @cached_property
    def _hash(self) -> int:
        return hash((str(self.top), str(self.bottom)))

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
        return Function(self.names, self.bottom, self.bottom**0)

    @property
    def degrees(self) -> tuple[int, ...]:
        """For each parameter the larger of its degrees in top and bottom; only for polynomials stored by terms."""
        tops = self.top.degrees() if self else (0,) * len(self.names)
        return tuple(max(int(a), int(b)) for a, b in zip(tops, self.bottom.degrees(), strict=True))

    @property
    def constant(self) -> Fraction | None:
        """The value of a constant function; None for any other."""
        if not (self.top.is_constant() and self.bottom.is_constant()):
            return None
        return fraction_of(self.top.leading_coefficient()) if self else Fraction(0)

    def at(self, *values: Fraction) -> Fraction:
        """The value of the function at values of the parameters.

        Raises:
            ZeroDivisionError: at a pole.

        """
        return value_of(self.top, values) / value_of(self.bottom, values)

    def __str__(self) -> str:
        top, bottom = (terms_text(polynomial, self.names) for polynomial in (self.top, self.bottom))
        return top if bottom == "1" else f"({top})/({bottom})"

    __repr__ = __str__


def quotient(top: Any, bottom: Any) -> Any:
    """top/bottom of integers or functions: a fraction where both are integers.

    >>> (p,) = Function.parameters(("p",))
    >>> print(quotient(2, 6), quotient(2, p), quotient(p, 6))
    1/3 (2)/(p) 1/6*p
    """
    return top / bottom if isinstance(top, Function) or isinstance(bottom, Function) else Fraction(top, bottom)


def inverses(numbers: Mapping[Any, Any]) -> dict[Any, Any]:
    """c/x for each number x of a table: c is the least common multiple where every x is an integer, else 1.

    >>> inverses({"a": 4, "b": 6})
    {'a': 3, 'b': 2}
    """
    try:
        shared = lcm(*numbers.values())
    except TypeError:
        return {key: quotient(1, x) for key, x in numbers.items()}
    return {key: shared // x for key, x in numbers.items()}


def value_of(function: Any, values: Sequence[Fraction]) -> Fraction:
    """The value of a polynomial where its unknowns have these values."""
    return fraction_of(function(*map(fmpq_of, values)))


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
    listed = [int(c) for c in polynomial.numer().coeffs()]
    far = 1 + max(Fraction(abs(c), abs(listed[-1])) for c in listed[:-1])
    return roots_between(listed, -far if low is None else low, far if high is None else high)


def terms_of(polynomial: Any) -> dict[tuple[int, ...], Fraction]:
    """The coefficients of a polynomial by the exponents of the parameters."""
    if hasattr(polynomial, "to_dict"):
        return {tuple(map(int, powers)): fraction_of(c) for powers, c in polynomial.to_dict().items()}
    return {(k,): c for k, c in enumerate(coefficients(polynomial)) if c}


def single(polynomial: Any) -> Any:
    """A polynomial in one parameter, stored by its coefficients where it was stored by its terms."""
    terms: Mapping[tuple[int, ...], Fraction] = terms_of(polynomial)
    top = max((powers[0] for powers in terms), default=0)
    return polynomial_of([terms.get((k,), Fraction(0)) for k in range(top + 1)])


def factors_of(polynomial: Any) -> tuple[Fraction, list[tuple[Any, int]]]:
    """The factorization of a polynomial: a constant, and the irreducible factors with their powers.

    The leading coefficient of each factor is positive.
    """
    unit, factors = polynomial.factor()
    irreducible, scale = [], fraction_of(unit)
    for factor, times in factors:
        sign = -1 if factor.leading_coefficient() < 0 else 1
        scale *= sign ** int(times)
        irreducible.append((factor * sign, int(times)))
    return scale, sorted(irreducible, key=lambda factor: sorted(terms_of(factor[0]).items()))


def terms_text(polynomial: Any, names: Names) -> str:
    """The text of a polynomial, such as `1 - 2*p*q`: terms of small degree first.

    >>> p, q = Function.parameters(("p", "q"))
    >>> terms_text((1 - 2 * p * q).top, ("p", "q"))
    '1 - 2*p*q'
    """
    text = ""
    for powers, c in sorted(terms_of(polynomial).items(), key=lambda term: (sum(term[0]), [-k for k in term[0]])):
        powers_of_names = [name if k == 1 else f"{name}^{k}" for name, k in zip(names, powers, strict=True) if k]
        size = [] if powers_of_names and abs(c) == 1 else [exact_text(abs(c))]
        term = "*".join([*size, *powers_of_names])
        text += (f" {'-' if c < 0 else '+'} {term}") if text else ("-" if c < 0 else "") + term
    return text or "0"
