"""The gate for numbers: parsing, canonical ε, the order of A and B·e^ε, decimals, cut exact forms."""

from __future__ import annotations

import decimal
from fractions import Fraction
from math import gcd, isqrt

import naive
import pytest
from hypothesis import example, given
from hypothesis import strategies as st
from naive import Exp

import verifier as pk
from verifier.checker.number_text import epsilon_of as checker_epsilon
from verifier.checker.numbers import Power, ln
from verifier.numbers import (
    INFINITY,
    ZERO,
    DecimalLiteral,
    Delta,
    Epsilon,
    Loss,
    Order,
    compare,
    decimal_of,
    epsilon,
    exact_text,
    log_epsilon,
    probability,
    rational,
    shorten,
)
from verifier.numbers.powers import primitive_root

pytestmark = pytest.mark.quick


PRECISE = decimal.Context(prec=120, Emax=10**6, Emin=-(10**6))
fractions = st.fractions(max_denominator=10**6)
small = st.fractions(min_value=Fraction(1, 30), max_value=30, max_denominator=30)


# --- parsing ----------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("given", "wanted"),
    [
        ("1/3", Fraction(1, 3)),
        (" 2/6 ", Fraction(1, 3)),
        ("-1/3", Fraction(-1, 3)),
        ("+7", Fraction(7)),
        ("0.1", Fraction(1, 10)),
        ("0.10", Fraction(1, 10)),
        ("1e-3", Fraction(1, 1000)),
        ("2.5E+2", Fraction(250)),
        ("007", Fraction(7)),
        ("-0", Fraction(0)),
        (3, Fraction(3)),
        (Fraction(6, 4), Fraction(3, 2)),
        (DecimalLiteral("0.1"), Fraction(1, 10)),
        (DecimalLiteral("1_0.2_5"), Fraction(41, 4)),
        (DecimalLiteral("1e2"), Fraction(100)),
    ],
)
def test_a_rational_is_read_exactly(given: object, wanted: Fraction) -> None:
    assert rational(given) == wanted


@given(st.decimals(allow_nan=False, allow_infinity=False, places=7))
def test_a_decimal_is_read_exactly(value: decimal.Decimal) -> None:
    assert rational(f"{value:f}") == Fraction(value)


@pytest.mark.parametrize(
    "given", ["", " ", "1/0", "1/-3", "0x10", "1 /3", "1.", ".5", "1,5", "1/2/3", "nan", "inf", "½", "１", "1e", "--1"]
)
def test_what_is_no_number_is_refused(given: str) -> None:
    with pytest.raises(pk.InputError):
        rational(given)


@pytest.mark.parametrize("given", [True, None, [], b"1", 1j])
def test_other_types_are_refused(given: object) -> None:
    with pytest.raises(pk.InputError):
        rational(given)


@pytest.mark.parametrize("read", [rational, probability, epsilon])
@pytest.mark.parametrize("given", [0.1, 0.0, 1.0, float("nan"), float("inf")])
def test_floats_are_refused_with_a_tip(read: object, given: float) -> None:
    with pytest.raises(TypeError, match="Hint: write"):
        read(given)  # type: ignore[operator]


def test_long_numbers_are_refused_before_they_are_made() -> None:
    for text in ("1" * 5000, "1e999999", "1e-999999", "1e9999999"):
        with pytest.raises(pk.PkdpError):
            rational(text)


@pytest.mark.parametrize("given", ["-1/2", "3/2", "1.0000001", -1, 2])
def test_a_probability_is_in_the_unit_interval(given: object) -> None:
    with pytest.raises(pk.InputError):
        probability(given)
    assert probability("0") == 0
    assert probability(1) == 1


# --- ε ----------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("given", "wanted"),
    [
        ("2*ln(3)/5", "2/5*ln(3)"),
        ("2/5*ln(3)", "2/5*ln(3)"),
        ("ln(3)*2/5", "2/5*ln(3)"),
        (" ln( 3 ) / 5 * 2 ", "2/5*ln(3)"),
        ("ln(1)", "0"),
        ("5*ln(1)", "0"),
        ("0*ln(7)", "0"),
        ("0", "0"),
        (0, "0"),
        ("-0", "0"),
        ("2*ln(3)", "ln(9)"),
        ("1/2*ln(9/4)", "ln(3/2)"),
        ("ln(9/4)/2", "ln(3/2)"),
        ("1/2*ln(9/2)", "1/2*ln(9/2)"),
        ("3/2*ln(4)", "ln(8)"),
        ("1/4*ln(4)", "1/2*ln(2)"),
        ("1/6*ln(64/729)*-1", None),
        ("-ln(1/2)", "ln(2)"),
        ("-1/2*ln(4/9)", "ln(3/2)"),
        ("ln(2.5)", "ln(5/2)"),
        ("ln(10/4)", "ln(5/2)"),
        ("0.1", "1/10"),
        ("2/20", "1/10"),
        ("1e-1", "1/10"),
        (Fraction(1, 10), "1/10"),
        (3, "3"),
        ("inf", "inf"),
        ("∞", "inf"),
        ("0.5*ln(2)", "1/2*ln(2)"),
    ],
)
def test_epsilon_is_canonical(given: object, wanted: str | None) -> None:
    if wanted is None:
        with pytest.raises(pk.InputError):
            epsilon(given)
        return
    found = epsilon(given)
    assert str(found) == wanted
    assert epsilon(wanted) == found == epsilon(found)


@pytest.mark.parametrize(
    "given",
    [
        "", "log(2)", "log2(3)", "ln 2", "ln(2", "ln2)", "ln()", "ln(0)", "ln(-2)", "ln(1/2)", "-1", "-1/10",
        "-ln(2)", "1/0", "ln(2)/0", "ln(2)*ln(3)", "ln(2)+1", "1+1", "2ln(3)", "1/ln(2)", "exp(1)", "e", "two",
        "ln(2)*", "*2", "ln(ln(2))", "1 2", "ln(1 2)", "inf*2", "-inf", "nan", None, True, [2],
    ],
)  # fmt: skip
def test_what_is_no_epsilon_is_refused(given: object) -> None:
    with pytest.raises(pk.InputError):
        epsilon(given)


def test_log_is_refused_with_a_tip() -> None:
    with pytest.raises(pk.InputError, match="ln"):
        epsilon("log(2)")


def test_a_power_that_is_too_large_is_refused() -> None:
    for huge in ("10000000*ln(2)", "1e4000/3*ln(2)", "2000000"):
        with pytest.raises(pk.LimitError, match='"inf"'):
            epsilon(huge).exp_bracket(96)


LONG = Fraction(100001, 100000)
"""The power 100000 of this has 1,660,971 bits; it is a little below e."""


@given(st.integers(-3, 3), st.integers(1, 10**30), st.sampled_from((0, 10**9, 10**40)))
def test_a_long_power_is_compared_without_being_written_out(step: int, bottom: int, near: int) -> None:
    """The plain power is the twin; the checker has its own bounds."""
    power, text = LONG**100000, "100000*ln(100001/100000)"
    at, twin = epsilon(text), Power(checker_epsilon(text))
    assert (at.exp, twin.value) == (None, None)
    value = Fraction(int(power * near) + step, near) if near else Fraction(step + 4, bottom)
    expected = (value > power) - (value < power)
    assert compare(value, Fraction(1), at).value == compare(value * bottom, Fraction(bottom), at).value == expected
    assert twin.sign(value.numerator, value.denominator) == expected


def test_a_long_power_is_equal_to_itself_alone() -> None:
    power = LONG**100000
    at, written = epsilon("100000*ln(100001/100000)"), log_epsilon(power)
    assert at == written
    assert hash(at) == hash(written)
    assert compare(power, Fraction(1), at) is Order.EQUAL
    assert compare(power + Fraction(1, 10**9), Fraction(1), at) is Order.GREATER
    assert at == epsilon("50000*ln(10000200001/10000000000)") != epsilon("100001*ln(100001/100000)")


@pytest.mark.parametrize("zeros", [4, 40, 2000, 4000])
def test_a_power_may_be_too_long_for_any_memory(zeros: int) -> None:
    """10^z·ln(1 + 10^-z) is a little below 1. Its power could not be written down."""
    text = f"1e{zeros}*ln(1.{'0' * (zeros - 1)}1)"
    at = epsilon(text)
    assert epsilon("99/100") < at < epsilon(1)
    assert compare(Fraction(2), Fraction(1), at) is Order.LESS
    assert compare(Fraction(2719, 1000), Fraction(1), at) is Order.GREATER
    bounds = at.exp_bracket(96)
    assert bounds[0] < Fraction(271828183, 10**8)
    assert bounds[1] - bounds[0] < Fraction(1, 10**20)
    if zeros < 4000:  # the checker reads no longer logarithms
        assert Power(ln(1 + Fraction(1, 10**zeros), 10**zeros)).sign(2, 1) == -1


@given(small, st.fractions(min_value=0, max_value=4, max_denominator=6))
def test_the_canonical_form_is_the_same_number(x: Fraction, r: Fraction) -> None:
    if x < 1:
        x = 1 / x
    found = log_epsilon(x, r)
    if found == ZERO:
        assert x == 1 or r == 0
        return
    m, k = found.coefficient.as_integer_ratio()
    assert found.argument ** (m * r.denominator) == x ** (r.numerator * k)
    assert found.exp is None or found.exp**r.denominator == x**r.numerator
    if found.exp is None:
        assert k > 1
        assert primitive_root(found.argument)[1] == 1


def is_power(value: int, degree: int) -> bool:
    low, high = 0, value + 1
    while high - low > 1:
        middle = (low + high) // 2
        low, high = (middle, high) if middle**degree <= value else (low, middle)
    return bool(low**degree == value)


@given(st.fractions(min_value=Fraction(10, 9), max_value=9, max_denominator=9), st.integers(1, 12))
@example(Fraction(2), 30)
@example(Fraction(9, 8), 12)
def test_the_primitive_root(base: Fraction, power: int) -> None:
    root, j = primitive_root(base**power)
    assert root**j == base**power
    assert j % power == 0
    for degree in range(2, 8):
        assert not (is_power(root.numerator, degree) and is_power(root.denominator, degree))


# --- order ------------------------------------------------------------------------------------------------


@given(fractions, fractions, small, st.fractions(min_value=0, max_value=3, max_denominator=5))
@example(Fraction(3), Fraction(2), Fraction(9, 4), Fraction(1, 2))
@example(Fraction(-3), Fraction(-2), Fraction(9, 4), Fraction(1, 2))
@example(Fraction(0), Fraction(0), Fraction(2), Fraction(1, 3))
def test_compare_is_decided_by_integer_powers(a: Fraction, b: Fraction, x: Fraction, r: Fraction) -> None:
    x = max(x, 1 / x)
    assert compare(a, b, log_epsilon(x, r)).value == Exp("log", r, x).sign(a, b)


@given(fractions, fractions, st.fractions(min_value=0, max_value=5, max_denominator=50))
def test_compare_at_rational_epsilon_is_decided_by_the_series(a: Fraction, b: Fraction, r: Fraction) -> None:
    assert compare(a, b, epsilon(r)).value == Exp("rational", r).sign(a, b)


@pytest.mark.parametrize("digits", [5, 40, 300])
def test_compare_separates_the_closest_rationals(digits: int) -> None:
    """√2 and e between neighbours of 10^-digits."""
    scale = 10**digits
    floor = isqrt(2 * scale * scale)
    assert compare(Fraction(floor, scale), Fraction(1), epsilon("1/2*ln(2)")) is Order.LESS
    assert compare(Fraction(floor + 1, scale), Fraction(1), epsilon("1/2*ln(2)")) is Order.GREATER
    term = total = Fraction(1)
    for k in range(1, digits + 20):
        term /= k
        total += term
    low = total.numerator * scale // total.denominator
    assert compare(Fraction(low, scale), Fraction(1), epsilon("1")) is Order.LESS
    assert compare(Fraction(low + 1, scale), Fraction(1), epsilon("1")) is Order.GREATER
    assert compare(Fraction(-low, scale), Fraction(-1), epsilon("1")) is Order.GREATER


@given(fractions, fractions)
def test_compare_at_infinity_is_the_limit(a: Fraction, b: Fraction) -> None:
    assert compare(a, b, INFINITY).value == Exp("inf").sign(a, b)
    assert compare(a, Fraction(0), INFINITY).value == naive.signum(a)


def test_delta_is_folded_only_where_the_exponential_is_rational() -> None:
    third = Fraction(1, 3)
    assert str(Delta.of(Fraction(1), third, epsilon("ln(2)"))) == "1/3"
    assert str(Delta.of(Fraction(1), third, ZERO)) == "2/3"
    assert str(Delta.of(Fraction(1), third, epsilon("1/2*ln(2)"))) == "1 - 1/3*exp(1/2*ln(2))"
    assert str(Delta.of(Fraction(1), Fraction(1), epsilon("1/2"))) == "1 - exp(1/2)"
    assert Delta.of(Fraction(1), third, epsilon("1/10")).rational is None
    assert Delta.of(Fraction(1), Fraction(0), epsilon("1/10")).rational == 1


# --- decimals ---------------------------------------------------------------------------------------------


def wanted_decimal(value: decimal.Decimal, digits: int = 12) -> str:
    """The layout of the contract, from Python's decimal module."""
    if not value:
        return "0"
    rounded = decimal.Context(prec=digits, rounding=decimal.ROUND_HALF_EVEN, Emax=10**6, Emin=-(10**6)).plus(value)
    sign, figures, exponent = rounded.as_tuple()
    assert isinstance(exponent, int)
    text = "".join(map(str, figures))
    leading = exponent + len(text) - 1
    text = text.rstrip("0")
    minus = "-" if sign else ""
    if -5 <= leading < 15:
        plain = f"{rounded:f}"
        return plain.rstrip("0").rstrip(".") if "." in plain else plain
    return f"{minus}{text[0]}.{text[1:]}e{leading}" if len(text) > 1 else f"{minus}{text}e{leading}"


def exactly(value: Fraction) -> decimal.Decimal:
    return PRECISE.divide(decimal.Decimal(value.numerator), decimal.Decimal(value.denominator))


@given(st.fractions(max_denominator=10**9), st.integers(-30, 30), st.sampled_from([12, 1, 3, 25]))
@example(Fraction(1, 3), -5, 12)
@example(Fraction(999999999999, 1), 0, 12)
@example(Fraction(9999999999995, 1), 2, 12)
@example(Fraction(99999999999949, 1), 2, 12)
@example(Fraction(1), 15, 12)
@example(Fraction(1), 14, 12)
@example(Fraction(1), -5, 12)
@example(Fraction(99999999, 10), -12, 12)
@example(Fraction(5), -1, 1)
@example(Fraction(25), 0, 1)
@example(Fraction(35), 0, 1)
@example(Fraction(-25), 0, 1)
def test_a_decimal_is_correctly_rounded(value: Fraction, shift: int, digits: int) -> None:
    scaled = value * Fraction(10) ** shift
    assert decimal_of(scaled, digits) == wanted_decimal(exactly(scaled), digits)


def test_the_layout_of_decimals() -> None:
    assert decimal_of(Fraction("5.74602894422e-561")) == "5.74602894422e-561"
    assert decimal_of(Fraction("1e-5")) == "0.00001"
    assert decimal_of(Fraction("9.9e-6")) == "9.9e-6"
    assert decimal_of(Fraction("123456789012345")) == "123456789012000"
    assert decimal_of(Fraction("1e16")) == "1e16"
    assert decimal_of(Fraction(-3, 64)) == "-0.046875"
    assert decimal_of(Fraction(1, 3)) == "0.333333333333"
    assert decimal_of(Fraction(2, 3), 3) == "0.667"


@given(small, st.fractions(min_value=Fraction(1, 6), max_value=4, max_denominator=6), st.sampled_from([12, 30]))
def test_the_decimal_of_an_epsilon(x: Fraction, r: Fraction, digits: int) -> None:
    x = max(x, 1 / x)
    wanted = PRECISE.multiply(PRECISE.ln(exactly(x)), exactly(r))
    assert log_epsilon(x, r).decimal(digits) == wanted_decimal(wanted, digits)
    assert epsilon(r).decimal(digits) == wanted_decimal(exactly(r), digits)
    assert Loss(x).decimal(digits) == wanted_decimal(PRECISE.ln(exactly(x)), digits)


@given(fractions, fractions.filter(bool), st.fractions(min_value=Fraction(1, 50), max_value=3, max_denominator=50))
def test_the_decimal_of_an_irrational_delta(a: Fraction, b: Fraction, r: Fraction) -> None:
    wanted = PRECISE.subtract(exactly(a), PRECISE.multiply(exactly(b), PRECISE.exp(exactly(r))))
    assert Delta.of(a, b, epsilon(r)).decimal() == wanted_decimal(wanted)


# --- exact forms that are cut -----------------------------------------------------------------------------


@given(st.integers(-(10**40), 10**40), st.integers(1, 10**40), st.integers(8, 60))
def test_a_cut_form_says_so(top: int, bottom: int, most: int) -> None:
    value = Fraction(top, bottom)
    digits = len(str(abs(value.numerator))) + (len(str(value.denominator)) if value.denominator > 1 else 0)
    text = exact_text(value, most)
    if digits <= most:
        assert Fraction(text) == value
    else:
        assert text.endswith(f"({digits} digits)")
        assert "…" in text
        assert str(value).startswith(text.split("…", maxsplit=1)[0])


def test_huge_numbers_have_texts() -> None:
    huge = Fraction(10**5000 + 1, 3**9000)
    text = exact_text(huge)
    assert text.endswith(f"({5001 + 4295:,} digits)")
    assert len(text) < 260
    assert len(exact_text(huge, 10**6)) == 5001 + 4295 + 1
    assert "…" in Epsilon("log", Fraction(1), huge).text(20)
    assert "digits" in shorten(10**100)
    assert gcd(*huge.as_integer_ratio()) == 1
