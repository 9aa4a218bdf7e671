"""The formula of a function of one parameter: factored, as text and for LaTeX."""

from __future__ import annotations

from fractions import Fraction
from math import gcd
from typing import Any

from verifier.numbers import Function, polynomial_of
from verifier.numbers.functions import terms_text
from verifier.numbers.powers import primitive_root


def formula(function: Function, name: str, at: Fraction = Fraction(1, 2)) -> str:
    """The factored text of a function of one parameter; each factor has the sign that makes it positive at `at`.

    >>> p = Function.parameter("p")
    >>> formula((1 - p) * p / (p + p), "p"), formula(p / 3 - p * p / 3, "p")
    ('(1 - p)/2', 'p*(1 - p)/3')
    """
    if not function:
        return "0"
    scale, above = _factors(function.top, name, at)
    bottom_scale, below = _factors(function.bottom, name, at)
    scale /= bottom_scale
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


def perfect_power(function: Function, at: Fraction = Fraction(1, 2)) -> tuple[Function, int]:
    """The pair (r, k) with r^k = f and the largest k, for a function f that is not 1 and is positive at `at`, as r is.

    >>> p = Function.parameter("p")
    >>> perfect_power(4 * (1 - p) ** 2 / (p * p)), perfect_power(2 * p * p), perfect_power(p**4 / 9)
    (((2 - 2*p)/(p), 2), (2*p^2, 1), (1/3*p^2, 2))
    """
    (above, tops), (below, bottoms) = (_signed(polynomial, at) for polynomial in (function.top, function.bottom))
    scale = above / below
    constant, exponent = primitive_root(max(scale, 1 / scale)) if scale != 1 else (Fraction(1), 0)
    constant = 1 / constant if scale < 1 else constant
    k = gcd(exponent, *(times for _, times in (*tops, *bottoms)))
    root = function.constantly(constant ** (exponent // k))
    for factors, inverse in ((tops, False), (bottoms, True)):
        for factor, times in factors:
            power = Function.reduced(function.name, polynomial_of(factor), function.bottom**0) ** (times // k)
            root = root / power if inverse else root * power
    return root, k


def latex_formula(function: Function, name: str, at: Fraction) -> str:
    r"""The factored formula of a function of one parameter for LaTeX: `\frac{p \left(1 - p\right)}{2}`."""
    from sympy import Symbol, latex

    text: str = latex(_sympy(function, Symbol(name), at))
    return text


def _sympy(function: Function, symbol: Any, at: Fraction) -> Any:
    """The function as a factored expression of sympy."""
    from sympy import Integer, Rational

    expression = Integer(1)
    for polynomial, power in ((function.top, 1), (function.bottom, -1)):
        if polynomial.degree() < 0:
            return Integer(0)
        constant, factors = _signed(polynomial, at)
        expression *= Rational(constant.numerator, constant.denominator) ** power
        for factor, times in factors:
            expression *= sum(c * symbol**k for k, c in enumerate(factor)) ** (power * times)
    return expression


def _signed(polynomial: Any, at: Fraction) -> tuple[Fraction, list[tuple[tuple[int, ...], int]]]:
    """A constant and primitive irreducible factors with their powers; each is positive at a value, if not 0 there."""
    integral = polynomial.numer()
    unit, factors = integral.factor()
    constant = Fraction(int(unit), int(polynomial.denom()))
    signed_factors = []
    for factor, times in factors:
        listed = tuple(int(c) for c in factor.coeffs())
        value = sum((c * at**k for k, c in enumerate(listed)), Fraction(0))
        if value < 0:
            listed = tuple(-c for c in listed)
            constant *= (-1) ** int(times)
        signed_factors.append((listed, int(times)))
    return constant, sorted(signed_factors, key=lambda signed_factor: (len(signed_factor[0]), signed_factor[0]))


def _factors(polynomial: Any, name: str, at: Fraction) -> tuple[Fraction, list[str]]:
    constant, factors = _signed(polynomial, at)
    texts = []
    for factor, times in factors:
        text = terms_text(polynomial_of(factor), name)
        single = sum(1 for c in factor if c) == 1
        text = text if single else f"({text})"
        texts.append(text if times == 1 else f"{text}^{times}")
    return constant, texts
