"""Functions of one parameter in words: factored, as text and for LaTeX."""

from __future__ import annotations

from fractions import Fraction
from typing import Any

from verifier.numbers import Function, polynomial_of
from verifier.numbers.functions import terms_text


def formula(given: Function, name: str, at: Fraction = Fraction(1, 2)) -> str:
    """A function of one parameter, factored; each factor has the sign with which it is positive at a value.

    >>> (p,) = Function.parameters(("p",))
    >>> formula((1 - p) * p / (p + p), "p"), formula(p / 3 - p * p / 3, "p")
    ('(1 - p)/2', 'p*(1 - p)/3')
    """
    if not given:
        return "0"
    scale, above = _factors(given.top, name, at)
    other, below = _factors(given.bottom, name, at)
    scale /= other
    above = ([str(abs(scale.numerator))] if abs(scale.numerator) != 1 or not above else []) + above
    below = ([str(scale.denominator)] if scale.denominator != 1 else []) + below
    sign = "-" if scale < 0 else ""
    if not below:
        alone = above[0] if len(above) == 1 and not sign and above[0].endswith(")") else ""
        return alone[1:-1] or sign + "*".join(above)
    under = "*".join(below)
    if len(below) > 1:
        under = f"({under})"
    return f"{sign}{'*'.join(above)}/{under}"


def latex_formula(given: Function, name: str, at: Fraction = Fraction(1, 2)) -> str:
    r"""The same for LaTeX: `\frac{p \left(1 - p\right)}{2}`."""
    from sympy import Symbol, latex

    found: str = latex(_sympy(given, Symbol(name), at))
    return found


def _sympy(given: Function, symbol: Any, at: Fraction) -> Any:
    """As an expression of sympy."""
    from sympy import Integer, Rational

    found = Integer(1)
    for polynomial, power in ((given.top, 1), (given.bottom, -1)):
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
        text = terms_text(polynomial_of(factor), (name,))
        single = sum(1 for c in factor if c) == 1
        text = text if single else f"({text})"
        texts.append(text if times == 1 else f"{text}^{times}")
    return constant, texts
