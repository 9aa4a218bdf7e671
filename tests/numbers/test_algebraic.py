"""Real algebraic numbers: against squares, against each other, and as ε."""

from __future__ import annotations

from fractions import Fraction
from itertools import pairwise
from math import isqrt
from pickle import dumps, loads

import pytest
from examined import at_least_one
from hypothesis import assume, given
from hypothesis import strategies as st

from verifier.numbers import (
    Algebraic,
    Delta,
    Epsilon,
    FieldElement,
    Order,
    compare,
    epsilon,
    polynomial_of,
    roots_between,
    value_at,
)
from verifier.numbers.algebraic import range_of
from verifier.numbers.epsilon import root_epsilon
from verifier.numbers.rational import coefficients

pytestmark = pytest.mark.quick


POLYNOMIALS = st.lists(st.integers(-9, 9), min_size=2, max_size=6).filter(any)
FRACTIONS = st.fractions(-20, 20, max_denominator=50)


@given(POLYNOMIALS)
def test_roots_are_roots_and_all_of_them(polynomial: list[int]) -> None:
    low, high = Fraction(-40), Fraction(40)
    found = roots_between(polynomial, low, high)
    for one in found:
        if isinstance(one, Fraction):
            assert value_at(polynomial, one) == 0
        else:
            below, above = one.bracket(80)
            assert above - below <= Fraction(1, 1 << 79)
            assert value_at(one.polynomial, below) * value_at(one.polynomial, above) < 0
            assert one.sign(polynomial) == 0
    values = [one if isinstance(one, Fraction) else one.bracket(200)[0] for one in found]
    assert values == sorted(values)
    for x, y in pairwise([low, *values, high]):  # between two roots the sign does not change
        third = (y - x) / 3
        if third:
            assert value_at(polynomial, x + third) * value_at(polynomial, y - third) >= 0


@given(st.integers(2, 500).filter(lambda n: isqrt(n) ** 2 != n), FRACTIONS, FRACTIONS, FRACTIONS)
def test_elements_are_compared_as_squares_say(n: int, a: Fraction, b: Fraction, q: Fraction) -> None:
    (root,) = roots_between((-n, 0, 1), Fraction(0), Fraction(n))
    assert isinstance(root, Algebraic)
    E = FieldElement.generator(root)
    assert (root < q) == (q > 0 and n < q * q)
    one = a + b * E
    exact = a * a - n * b * b  # the sign of a + b√n is that of a², n·b²
    sign = (1 if a > 0 else -1) if a * b >= 0 and (a or b) else 0
    if a * b >= 0:
        sign = 0 if not (a or b) else 1 if a + b > 0 else -1
    else:
        sign = (1 if exact > 0 else -1) * (1 if a > 0 else -1)
    assert one.sign == sign
    assert one * one == a * a + n * b * b + 2 * a * b * E


def algebraic_roots(polynomial: list[int], low: Fraction, high: Fraction) -> list[Algebraic]:
    """The irrational roots between two numbers."""
    return [root for root in roots_between(polynomial, low, high) if isinstance(root, Algebraic)]


@given(POLYNOMIALS)
def test_texts_are_read_back(polynomial: list[int]) -> None:
    roots = algebraic_roots(polynomial, Fraction(1), Fraction(40))
    assume(roots)
    for one in at_least_one(roots):
        text = f"ln({one})"
        again = epsilon(text)
        assert epsilon(again.text()) == again
        assert (again.root or one) == one
        low, high = again.exp_bracket(100)
        assert low < one.bracket(120)[1]
        assert one.bracket(120)[0] < high


@pytest.mark.parametrize(
    ("text", "canonical", "decimal"),
    [
        ("ln(root of x^2 - x - 1 in [0, 9])", "ln(root of x^2 - x - 1 in [8/5, 17/10])", "0.48121182506"),
        ("ln(root of x^3 - 2*x^2 + 1 in [3/2, 2])", "ln(root of x^2 - x - 1 in [8/5, 17/10])", "0.48121182506"),
        ("ln(root of x^4 - 4 in [1, 2])", "1/2*ln(2)", "0.34657359028"),
        ("ln(root of 2*x - 3 in [1, 2])", "ln(3/2)", "0.405465108108"),
    ],
)
def test_canonical_texts(text: str, canonical: str, decimal: str) -> None:
    assert (str(epsilon(text)), epsilon(text).decimal()) == (canonical, decimal)


def test_order_and_delta_at_a_root() -> None:
    golden, other = epsilon("ln(root of x^2 - x - 1 in [1, 2])"), epsilon("ln(root of x^2 - 3*x + 1 in [2, 3])")
    assert epsilon("ln(8/5)") < golden < epsilon("ln(13/8)") < epsilon("1/2") < other
    assert golden == epsilon("ln(root of x^2 - x - 1 in [1, 2])")
    assert hash(golden) == hash(epsilon("ln(root of 2*x^2 - 2*x - 2 in [1, 2])"))
    assert compare(Fraction(8), Fraction(5), golden) is Order.LESS
    assert Delta.of(Fraction(1), Fraction(1, 2), golden) < Fraction(1, 5)
    # φ² = φ + 1: equal numbers at two different roots
    first, second = Delta.of(Fraction(2), Fraction(1), golden), Delta.of(Fraction(3), Fraction(1), other)
    assert first.order(second) is Order.EQUAL
    assert first == second
    assert hash(first) == hash(second)


ROOT_TWO = epsilon("1/2*ln(2)")
SILVER = epsilon("ln(root of x^2 - 2*x - 1 in [2, 3])")


@given(
    st.sampled_from([epsilon("ln(root of x^3 - x - 1 in [1, 2])"), SILVER, ROOT_TWO, epsilon("1/3*ln(5)")]),
    st.fractions(1, 5, max_denominator=6),
    st.fractions(0, 9, max_denominator=6),
    st.fractions(-3, 3, max_denominator=4),
)
def test_equal_deltas_at_different_roots(at: Epsilon, factor: Fraction, summand: Fraction, a: Fraction) -> None:
    """a - E/factor, written with E and with E′ = factor·E + summand."""
    ends = sorted(factor * end + summand for end in at.exp_bracket(40))
    if at.root is None:
        polynomial = polynomial_of([-at.argument, *[0] * (at.coefficient.denominator - 1), 1])
    else:
        polynomial = polynomial_of(at.root.polynomial)
    image = polynomial(polynomial_of([-summand / factor, 1 / factor]))
    (root,) = roots_between([int(c) for c in (image * image.denom()).coeffs()], *ends)
    first = Delta.of(a, 1 / factor, at)
    second = Delta.of(a + summand / factor**2, 1 / factor**2, root_epsilon(root))
    assert first == second
    assert hash(first) == hash(second)
    assert first.order(second) is Order.EQUAL
    more = Delta.of(second.a + Fraction(1, 10**50), second.b, second.epsilon)
    assert first != more
    assert first < more


def test_different_numbers_at_roots_are_told_apart() -> None:
    """Of one polynomial, of one degree, of two degrees, and beside a transcendental number."""
    half, one = Fraction(1, 2), Fraction(1)
    conjugate = epsilon("ln(root of x^2 - 6*x + 7 in [4, 5])")  # 3 + √2, beside 3 - √2
    for other in (conjugate, ROOT_TWO, epsilon("1/3*ln(2)"), epsilon("1/2")):
        assert Delta.of(one, half, SILVER) != Delta.of(one, half, other)
        assert Delta.of(one, half, SILVER).order(Delta.of(one, half, other)) is not Order.UNDECIDED
    assert Delta.of(Fraction(5), one, conjugate) == Delta.of(Fraction(3), one, SILVER)  # 2 - √2


def sturm(polynomial: tuple[int, ...], low: Fraction, high: Fraction) -> int:
    """How many roots a polynomial without multiple roots has in (low, high], by the sign changes of Sturm's chain."""
    first = polynomial_of(polynomial)
    chain = [first, first.derivative()]
    while chain[-1].degree() >= 0:
        chain.append(-(chain[-2] % chain[-1]))

    def changes(x: Fraction) -> int:
        signs = [value > 0 for part in chain[:-1] if (value := value_at(coefficients(part), x)) != 0]
        return sum(1 for one, other in pairwise(signs) if one is not other)

    return changes(low) - changes(high)


@given(POLYNOMIALS, st.integers(0, 3))
def test_intervals_are_the_shortest_with_one_root(polynomial: list[int], zeros: int) -> None:
    """Sturm's chain counts one root in the interval, and more in the one that is ten times as wide."""
    close = [c * 10 ** (zeros * k) for k, c in enumerate(polynomial)]
    low, high = Fraction(-40), Fraction(40)
    counted: dict[tuple[int, ...], int] = {}
    roots = algebraic_roots(close, low, high)
    assume(roots)
    for root in at_least_one(roots):
        counted[root.polynomial] = counted.get(root.polynomial, 0) + 1
        width = root.high - root.low
        assert sturm(root.polynomial, root.low, root.high) == 1
        wider = root.low / (10 * width) // 1 * 10 * width
        assert width == Fraction(1, 10) or sturm(root.polynomial, wider, wider + 10 * width) > 1
    for irreducible, count in counted.items():
        assert sturm(irreducible, low, high) == count


@given(POLYNOMIALS, st.lists(FRACTIONS, max_size=5))
def test_the_sign_by_balls_is_that_by_bounds(polynomial: list[int], factors: list[Fraction]) -> None:
    roots = algebraic_roots(polynomial, Fraction(1), Fraction(40))
    assume(roots)
    for number in at_least_one(roots):
        sign = number.sign(factors)
        low, high = range_of(factors, *number.bracket(512))
        assert (low > 0, high < 0) == (sign > 0, sign < 0)
        element = FieldElement.of(number, polynomial_of(factors))
        assert (element > 0, element < 0, element >= 0, element <= 0) == (sign > 0, sign < 0, sign >= 0, sign <= 0)
        assert loads(dumps(element)) == element  # noqa: S301 - its own
        assert bool(element) == (sign != 0)
