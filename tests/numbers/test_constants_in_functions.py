"""A constant that is added to a function, or multiplied with it, is the constant function; Descartes' rule; large ε."""

from __future__ import annotations

from fractions import Fraction

from hypothesis import given
from hypothesis import strategies as st

from verifier.numbers import Function, log_epsilon, polynomial_of
from verifier.numbers.epsilon import MAX_POWER_BITS, ln_bracket
from verifier.numbers.functions import _may_vanish

NUMBERS = st.fractions(-5, 5, max_denominator=7)
POLYNOMIALS = st.lists(NUMBERS, min_size=1, max_size=4)


@given(POLYNOMIALS, POLYNOMIALS.filter(any), NUMBERS | st.integers(-3, 3))
def test_a_constant_is_its_function(top: list[Fraction], bottom: list[Fraction], constant: Fraction | int) -> None:
    f = Function.reduced("p", polynomial_of(top), polynomial_of(bottom))
    c = f.constantly(constant)
    for fast, plain in ((f + constant, f + c), (constant + f, c + f), (f * constant, f * c), (f - constant, f - c)):
        assert (fast.name, fast.top, fast.bottom) == (plain.name, plain.top, plain.bottom)
        assert hash(fast) == hash(plain)
    assert (f == constant) == (f.top == c.top and f.bottom == c.bottom)


@given(POLYNOMIALS, NUMBERS, NUMBERS)
def test_no_root_is_excluded(coefficients: list[Fraction], low: Fraction, width: Fraction) -> None:
    """(1 + t)^d·p((low + high·t)/(1 + t)), multiplied out with fractions, has the same signs."""
    polynomial, high = polynomial_of(coefficients), low + abs(width)
    degree = polynomial.degree()
    if degree < 1 or low == high:
        return
    moved = polynomial_of([Fraction(0)])
    for k, c in enumerate(coefficients[: degree + 1]):
        moved += polynomial_of([c]) * polynomial_of([low, high]) ** k * polynomial_of([1, 1]) ** (degree - k)
    signs = {int(x > 0) - int(x < 0) for x in moved.coeffs()} - {0}
    assert _may_vanish(polynomial, low, high) == (len(signs) > 1)


@given(st.fractions(Fraction(1001, 1000), 10**6), st.integers(1, 4 * MAX_POWER_BITS))
def test_an_epsilon_is_large_as_its_bounds_say(argument: Fraction, coefficient: int) -> None:
    tight = log_epsilon(argument, Fraction(coefficient, 3))
    low, _ = ln_bracket(argument, 200)
    assert tight._huge == (low * Fraction(coefficient, 3) > MAX_POWER_BITS)
