"""Smallest ε that are exact or enclosed: sums, roots, quotients and comparisons, by hand."""

from collections.abc import Callable
from fractions import Fraction
from itertools import permutations

import pytest
from examined import at_least_one

from verifier.definitions.measures.losses import Losses, kullback_leibler_of, renyi_of
from verifier.errors import UndecidedError
from verifier.numbers import INFINITY, Enclosure, Order, epsilon, ln_bracket, log_epsilon
from verifier.numbers.reals import (
    Enclosed,
    Real,
    difference,
    divided,
    enclosure,
    exact_form,
    extreme,
    is_at_most,
    larger,
    less_powers,
    log_sum,
    may_be_largest,
    order,
    root,
    times,
)

HALF, ONE, TWO, THREE = Fraction(1, 2), Fraction(1), Fraction(2), Fraction(3)
E_BOUNDS = Fraction(271828182845904, 10**14), Fraction(271828182845905, 10**14)
"""Around e."""


def to_the_bit(bits: int) -> Fraction:
    """How far from a number bounds of so many bits are."""
    return Fraction(1, 1 << bits)


def near(value: Fraction, asked: list[int] | None = None, *, away: Callable[[int], Fraction] = to_the_bit) -> Enclosed:
    """A number that is enclosed to the bits that are asked for, or to what these give; which bits these were."""

    def bracket(bits: int) -> tuple[Fraction, Fraction]:
        if asked is not None:
            asked.append(bits)
        return value - away(bits), value + away(bits)

    return Enclosed(bracket)


# --- sums of logarithms -----------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("terms", "expected"),
    [
        ([], "0"),
        ([(ONE, ONE)], "0"),
        ([(Fraction(0), TWO)], "0"),
        ([(ONE, TWO)], "ln(2)"),
        ([(HALF, TWO), (HALF, Fraction(8))], "ln(4)"),
        ([(Fraction(1, 3), TWO), (HALF, THREE)], "1/6*ln(108)"),
        ([(Fraction(2, 3), THREE), (Fraction(1, 3), HALF)], "1/3*ln(9/2)"),
        ([(HALF, TWO), (HALF, HALF)], "0"),
    ],
)
def test_sums_of_logarithms(terms: list[tuple[Fraction, Fraction]], expected: str) -> None:
    assert log_sum(terms) == epsilon(expected)


def test_a_sum_is_written_out_up_to_a_length() -> None:
    """2 and 1/2 have two bits each, and 7 has three: 2^n counts n times these."""
    for s, most in ((TWO, 1 << 13), (HALF, 1 << 13), (Fraction(7), (1 << 14) // 3)):
        sign = 1 if s > 1 else -1
        assert log_sum([(Fraction(sign * most), s)]) == log_epsilon(max(s, 1 / s), Fraction(most))
        long = log_sum([(Fraction(sign * (most + 1)), s)])
        assert isinstance(long, Enclosed)
        low, high = long.bracket(64)
        ends = [(most + 1) * end for end in ln_bracket(max(s, 1 / s), 128)]
        assert low <= ends[0] < ends[1] <= high
        assert high - low < Fraction(1, 1 << 40)
    one, other, more = (Fraction(1, (1 << 12) + k) for k in (0, -1, 1))  # 8,191·2 bits, and 8,193·2
    assert log_sum([(one, TWO), (other, TWO)]) == log_epsilon(TWO, one + other)
    assert isinstance(log_sum([(one, TWO), (more, TWO)]), Enclosed)
    assert log_sum([(one, TWO), (Fraction(1 << 14), ONE)]) == log_epsilon(TWO, one)  # ln 1 is not written out


def test_a_long_sum_that_is_near_zero_is_not_below_it() -> None:
    long = log_sum([(Fraction(10**5), 1 + Fraction(1, 10**9)), (Fraction(10**5), 1 / (1 + Fraction(1, 10**9)))])
    assert isinstance(long, Enclosed)
    assert long.bracket(16)[0] == 0
    assert long.bracket(16)[1] > 0


def test_sums_with_equal_terms_are_equal() -> None:
    terms = [(Fraction(1, 10**6 + 3), THREE), (Fraction(1, 10**6 + 33), Fraction(5)), (Fraction(7**9), TWO)]
    first = log_sum(terms)
    assert all(order(first, log_sum(list(listed))) is Order.EQUAL for listed in permutations(terms))
    assert order(first, log_sum([*terms[:2], (Fraction(7**9 + 1), TWO)])) is Order.LESS
    assert order(near(ONE), near(ONE)) is Order.UNDECIDED


# --- roots ------------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("value", "degree", "expected"),
    [("0", 2, "0"), ("1", 5, "1"), ("4/9", 2, "2/3"), ("8/27", 3, "2/3"), ("1/1024", 10, "1/2")],
)
def test_rational_roots(value: str, degree: int, expected: str) -> None:
    assert root(Fraction(value), degree) == epsilon(expected)


@pytest.mark.parametrize(("value", "degree"), [("2", 2), ("1/2", 2), ("8/25", 3), ("4", 3), ("3/4", 2), ("4/3", 2)])
def test_other_roots_are_enclosed(value: str, degree: int) -> None:
    exact = Fraction(value)
    found = root(exact, degree)
    assert isinstance(found, Enclosed)
    for bits in (16, 64, 512):
        low, high = found.bracket(bits)
        assert low**degree < exact < high**degree
        assert high - low < Fraction(1, 1 << (bits - 4))


# --- quotients and multiples ------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("value", "scale", "expected"),
    [
        ("ln(3)", "1", "ln(3)"), ("ln(3)", "2", "1/2*ln(3)"), ("ln(3)", "1/2", "ln(9)"), ("1/3", "2", "1/6"),
        ("1/3", "1/6", "2"), ("0", "0", "0"), ("0", "5", "0"), ("1/3", "0", "inf"), ("ln(3)", "0", "inf"),
        ("inf", "2", "inf"), ("inf", "0", "inf"), ("2/3*ln(5)", "4/3", "1/2*ln(5)"),
    ],
)  # fmt: skip
def test_the_smallest_epsilon_of_a_multiple(value: str, scale: str, expected: str) -> None:
    """The least ε with value ≤ scale·ε."""
    assert divided(epsilon(value), Fraction(scale)) == epsilon(expected)
    if Fraction(scale) and expected != "inf":
        assert times(epsilon(expected), Fraction(scale)) == epsilon(value)


@pytest.mark.parametrize(
    ("value", "scale", "expected"),
    [("inf", "0", "0"), ("ln(3)", "0", "0"), ("inf", "1/2", "inf"), ("inf", "1", "inf"), ("0", "3", "0")],
)
def test_multiples(value: str, scale: str, expected: str) -> None:
    assert times(epsilon(value), Fraction(scale)) == epsilon(expected)


def test_quotients_of_enclosed_numbers() -> None:
    value = root(TWO, 2)
    third = divided(value, THREE)
    assert isinstance(third, Enclosed)
    assert third.bracket(64)[0] ** 2 * 9 < 2 < third.bracket(64)[1] ** 2 * 9
    assert third is divided(value, THREE)
    assert divided(value, ONE) is value
    assert divided(value, Fraction(0)) == INFINITY
    assert exact_form(third) is third


def test_exact_forms_of_quotients() -> None:
    value = Enclosed(near(ONE).bracket, exact=lambda: epsilon("ln(3)"))
    assert exact_form(value) == epsilon("ln(3)")
    assert exact_form(divided(value, TWO)) == epsilon("1/2*ln(3)")
    assert exact_form(epsilon(5)) == epsilon(5)
    none = Enclosed(near(ONE).bracket, exact=lambda: None)
    assert exact_form(none) is none
    terms = ((ONE, TWO), (Fraction(4), THREE))
    assert Enclosed(near(ONE).bracket, terms).divided(TWO).terms == ((HALF, TWO), (TWO, THREE))


# --- comparisons ------------------------------------------------------------------------------------------------------


def test_an_enclosed_number_is_finite() -> None:
    assert order(near(ONE), INFINITY) is Order.LESS
    assert order(INFINITY, near(ONE)) is Order.GREATER


@pytest.mark.parametrize(("x", "y"), [(ONE, TWO), (ONE, 1 + Fraction(1, 1 << 300)), (ONE, 1 + Fraction(1, 1 << 4090))])
def test_enclosed_numbers_are_compared_with_as_many_bits_as_it_takes(x: Fraction, y: Fraction) -> None:
    sides: list[tuple[Real, Real]] = [(near(x), near(y)), (epsilon(x), near(y)), (near(x), epsilon(y))]
    for first, second in at_least_one(sides):
        assert order(first, second) is Order.LESS
        assert order(second, first) is Order.GREATER
        assert is_at_most(first, second)
        assert not is_at_most(second, first)


def test_the_bits_that_are_tried() -> None:
    """4, 8, ..., 4,096; fewer where more of them do not help: each time after 64 the bounds must be half as wide."""
    asked: list[int] = []
    assert order(near(ONE, asked), near(ONE)) is Order.UNDECIDED
    assert asked == [1 << k for k in range(2, 13)]
    asked.clear()
    assert order(near(ONE, asked, away=lambda _: Fraction(1, 256)), near(ONE)) is Order.UNDECIDED
    assert asked == [4, 8, 16, 32, 64]
    asked.clear()
    assert order(near(ONE, asked, away=lambda bits: Fraction(1, bits)), near(ONE)) is Order.UNDECIDED
    assert asked == [1 << k for k in range(2, 13)]
    asked.clear()
    assert order(near(ONE, asked), near(THREE)) is Order.LESS
    assert asked == [4]
    with pytest.raises(UndecidedError, match="4,096 bits"):
        is_at_most(near(ONE), near(ONE))
    assert order(near(ONE), near(1 + Fraction(1, 1 << 4100))) is Order.UNDECIDED


def test_bounds_that_meet_do_not_decide() -> None:
    half = Fraction(1, 1 << 4)
    touching = Enclosed(lambda bits: (ONE + (half if bits == 4 else 2 * half), 1 + 3 * half))
    assert order(near(ONE), touching) is Order.LESS
    asked: list[int] = []
    assert order(near(ONE, asked), Enclosed(lambda _: (ONE + half, 1 + 3 * half))) is Order.LESS
    assert asked == [4, 8]
    assert order(Enclosed(lambda _: (ONE + half, 1 + 3 * half)), near(ONE)) is Order.GREATER
    above, below = Enclosed(lambda _: (ONE, TWO)), Enclosed(lambda _: (HALF, ONE))  # both may be 1
    assert order(above, below) is order(below, above) is Order.UNDECIDED


def test_exact_forms_are_looked_at_where_64_bits_do_not_tell() -> None:
    calls: list[int] = []
    asked: list[int] = []

    def exact() -> Real:
        calls.append(len(asked))
        return epsilon(1)

    value = Enclosed(near(ONE, asked).bracket, exact=exact)
    assert order(value, epsilon(1)) is Order.EQUAL
    assert order(epsilon(1), value) is Order.EQUAL
    assert calls == [4, 8]
    assert order(value, epsilon(2)) is Order.LESS
    assert calls == [4, 8]
    assert is_at_most(value, epsilon(1))


def test_the_larger_of_two_that_are_not_told_apart() -> None:
    small, large = near(ONE), near(1 + Fraction(1, 1 << 5000))
    for both in (larger(small, large), larger(large, small)):
        low, high = both.bracket(6000)
        assert low == large.bracket(6000)[0]
        assert high == large.bracket(6000)[1]


def test_the_first_that_no_other_is_better_than() -> None:
    """Of equal numbers the first; numbers that are not told apart have no largest."""

    def compare(first: tuple[str, int], second: tuple[str, int]) -> Order:
        return order(epsilon(first[1]), epsilon(second[1]))

    values = [("a", 2), ("b", 1), ("c", 3), ("d", 1), ("e", 3)]
    assert extreme(values, compare, Order.LESS) == ("b", 1)
    assert extreme(values, compare, Order.GREATER) == ("c", 3)
    assert extreme([("a", 1), ("b", 1)], compare, Order.GREATER) == ("a", 1)
    assert extreme(values[:1], compare, Order.LESS) == ("a", 2)
    with pytest.raises(UndecidedError, match="separated"):
        extreme([near(ONE), near(ONE)], order, Order.GREATER)


def test_which_may_be_the_largest_by_hand() -> None:
    """Four bits, then eight: of the number with the highest lower end first, and of what may be as large as that."""
    asked: list[str] = []

    def number(name: str, *ends: tuple[int, int], is_below: Callable[[Fraction], bool] | None = None) -> Enclosed:
        """A number between whole ends, those of four bits and those of eight."""

        def bracket(bits: int) -> tuple[Fraction, Fraction]:
            asked.extend([name] * (bits == 8))
            low, high = ends[0 if bits == 4 else 1]
            return Fraction(low), Fraction(high)

        return Enclosed(bracket, is_below=is_below)

    largest = number("largest", (10, 15), (12, 13))
    wide = number("wide", (2, 16), (5, 6))
    values = [
        number("less than 12 by four bits", (9, 11), (9, 10)),
        wide,
        number("as large as 12", (8, 12), (11, 12)),
        largest,
        number("below 12", (9, 14), (9, 14), is_below=lambda bound: bound == 12),
        number("not seen to be below 12", (9, 14), (9, 14), is_below=lambda _: False),
    ]
    assert may_be_largest(values) == [2, 3, 5]
    assert asked == ["largest", "wide", "as large as 12", "largest", "not seen to be below 12"]
    assert may_be_largest([largest, wide]) == [0]


# --- R - Σ c·e^s and other differences --------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("rational", "powers", "expected"),
    [
        ("1/3", (), "1/3"),
        ("0", (), "0"),
        ("-1/10", (), None),
        ("2", ((ONE, ONE),), None),
        ("1", ((-ONE, THREE),), None),
    ],
)
def test_rational_differences(
    rational: str, powers: tuple[tuple[Fraction, Fraction], ...], expected: str | None
) -> None:
    assert less_powers(Fraction(rational), powers) == (None if expected is None else epsilon(expected))


@pytest.mark.parametrize(
    ("rational", "powers", "expected"),
    [
        ("3", ((ONE, ONE),), lambda e: (3 - e[1], 3 - e[0])),
        ("2", ((-ONE, ONE),), lambda e: (2 - 1 / e[0], 2 - 1 / e[1])),
        ("4", ((ONE, ONE), (-ONE, HALF)), lambda e: (4 - e[1] - 1 / e[0] / 2, 4 - e[0] - 1 / e[1] / 2)),
    ],
)
def test_differences_with_powers(
    rational: str,
    powers: tuple[tuple[Fraction, Fraction], ...],
    expected: Callable[[tuple[Fraction, Fraction]], tuple[Fraction, Fraction]],
) -> None:
    found = less_powers(Fraction(rational), powers)
    assert isinstance(found, Enclosed)
    low, high = found.bracket(128)
    ends = expected(E_BOUNDS)
    assert ends[0] < low < high < ends[1]
    assert high - low < Fraction(1, 1 << 128)
    assert found is less_powers(Fraction(rational), powers)


def test_a_difference_with_a_rational() -> None:
    assert difference(epsilon("5/2"), TWO) == epsilon("1/2")
    value = near(THREE)
    assert difference(value, Fraction(0)) is value
    less = difference(value, TWO)
    assert less.bracket(64) == (1 - Fraction(1, 1 << 64), 1 + Fraction(1, 1 << 64))
    assert difference(value, THREE).bracket(64) == (Fraction(0), Fraction(1, 1 << 64))
    logarithm = difference(epsilon("ln(3)"), ONE).bracket(128)
    ends = [end - 1 for end in ln_bracket(THREE, 256)]
    assert logarithm[0] <= ends[0] < ends[1] <= logarithm[1]


# --- answers ----------------------------------------------------------------------------------------------------------


def test_an_enclosed_answer_has_dyadic_ends_around_the_number() -> None:
    asked: list[int] = []

    def bracket(bits: int) -> tuple[Fraction, Fraction]:
        asked.append(bits)
        return Fraction(1, 3), Fraction(2, 3)

    found = enclosure(Enclosed(bracket), 5)
    assert isinstance(found, Enclosure)
    unit = 1 << 256
    assert (found.low.value, found.high.value) == (Fraction(unit // 3, unit), Fraction(2 * unit // 3 + 1, unit))
    assert (found.digits, asked) == (5, [256])
    dyadic = enclosure(Enclosed(lambda _: (HALF, Fraction(3, 4))))
    assert isinstance(dyadic, Enclosure)
    assert (dyadic.low.value, dyadic.high.value) == (HALF, Fraction(3, 4))
    assert enclosure(epsilon("ln(2)")) == epsilon("ln(2)")
    assert enclosure(Enclosed(bracket, exact=lambda: epsilon("ln(2)"))) == epsilon("ln(2)")


# --- Rényi divergences of rational orders -----------------------------------------------------------------------------


def test_divergences_of_rational_order() -> None:
    """A constant loss ln 2 is the divergence of every order; others are exact up to order 1 + 1/256, or 1 + 256/n.

    Two losses that lie as close to ln 2 as is wished have a divergence as close to it.
    """
    constant = Losses(((TWO, ONE),))
    far = (Fraction(1, 257), Fraction(257, 256), Fraction(257))
    for power in (Fraction(1, 256), Fraction(256, 255), Fraction(7), *far):
        assert renyi_of(constant, 1 + power) == epsilon("ln(2)")
    near = Fraction(1, 1 << 300)
    close = Losses(((TWO - near, HALF), (TWO + near, HALF)))
    for power in far:
        found = renyi_of(close, 1 + power)
        assert isinstance(found, Enclosed)
        low, high = found.bracket(128)
        ends = ln_bracket(TWO, 256)
        assert low <= ends[0] < ends[1] <= high
        assert high - low < Fraction(1, 1 << 128)


def test_a_divergence_with_rational_roots_is_exact() -> None:
    """1/5·(1/4)^(1/2) + 4/5·4^(1/2) = 17/10, and 1/9·(1/8)^(2/3) + 8/9·8^(2/3) = 43/12, whose power 3/2 has no root."""
    quarter = Losses(((Fraction(1, 4), Fraction(1, 5)), (Fraction(4), Fraction(4, 5))))
    assert renyi_of(quarter, Fraction(3, 2)) == log_epsilon(Fraction(17, 10), TWO)
    eighth = Losses(((Fraction(1, 8), Fraction(1, 9)), (Fraction(8), Fraction(8, 9))))
    total = Fraction(1, 9) / 4 + Fraction(8, 9) * 4
    assert renyi_of(eighth, Fraction(5, 3)) == log_epsilon(total, Fraction(3, 2))
    assert isinstance(renyi_of(quarter, Fraction(4, 3)), Enclosed)
    assert kullback_leibler_of(quarter) == epsilon("ln(4)*3/5")
