"""Numbers of the checker: their one spelling, their order, and bounds that contain what Arb encloses more narrowly."""

from __future__ import annotations

import tomllib
from collections.abc import Iterator
from fractions import Fraction
from itertools import combinations
from pathlib import Path
from typing import Any

import pytest
from examined import at_least_one
from flint import arb, ctx
from hypothesis import given
from hypothesis import strategies as st
from refuse.registry import whole

from verifier.checker import Beyond, Rejected
from verifier.checker import numbers as logarithms
from verifier.checker.measures import Scalar, logarithm, power
from verifier.checker.numbers import (
    MAX_BITS,
    Exponential,
    Written,
    _is_power,
    decimal,
    delta,
    ends,
    epsilon,
    floor_root,
    number,
    polynomial_of,
    rational,
    signed,
)
from verifier.checker.roots import chain, roots_in
from verifier.checker.simulators.simulator import Root, above
from verifier.checker.survey import bounds as enclosed
from verifier.numbers import arb_of, ball_ends, compare
from verifier.numbers import epsilon as read_epsilon

ONE = Fraction(1)
BITS = st.sampled_from([8, 24, 61, 128])
MANY = 700


@pytest.fixture(autouse=True)
def precise() -> Iterator[None]:
    with ctx.workprec(MANY):
        yield


# --- spellings --------------------------------------------------------------------------------------------------------

SPELLINGS = tomllib.loads((Path(__file__).parent / "spellings.toml").read_text(encoding="utf-8"))


def texts(of: str) -> list[tuple[str, str]]:
    """What reads a number, and each text that it reads, or refuses."""
    return [(read, text) for read, listed in SPELLINGS.items() for text in listed[of]]


@pytest.mark.parametrize(("read", "text"), texts("read"), ids=lambda part: part[:40])
def test_what_is_written_well_is_read(read: str, text: str) -> None:
    assert getattr(logarithms, read)(whole(text)) is not None


@pytest.mark.parametrize(("read", "text"), texts("refused"), ids=lambda part: part[:40])
def test_every_other_spelling_is_refused(read: str, text: str) -> None:
    with pytest.raises(Rejected):
        getattr(logarithms, read)(whole(text))


def test_what_is_read() -> None:
    assert (number("3/64"), signed("-3/64"), number(Fraction(2, 4))) == (
        Fraction(3, 64),
        Fraction(-3, 64),
        Fraction(1, 2),
    )
    assert number("12345" * 2000) == int("12345" * 400) * sum(10 ** (2000 * k) for k in range(5))
    assert delta("3/8 - 1/5*exp(1/10)") == (Fraction(3, 8), Fraction(1, 5), "1/10")
    assert (decimal("5.7e-561"), decimal("0.00001"), decimal("12.5")) == (
        Fraction(57, 10**562), Fraction(1, 10**5), Fraction(25, 2),
    )  # fmt: skip
    assert ends("[1.5e-7, 1.50000000001e-7]") == (Fraction(15, 10**8), Fraction(150000000001, 10**18))
    assert epsilon("ln(root of x^3 - 3*x - 1 in [1, 2])").polynomial == (-1, -3, 0, 1)
    assert epsilon("2/5*ln(3)")[:2] == (Fraction(2, 5), Fraction(3))
    assert [rational(epsilon(one)) for one in ("0", "inf", "ln(3)", "1", "1/2*ln(3)")] == [
        True,
        True,
        True,
        False,
        False,
    ]
    assert rational(epsilon("ln(root of x^2 - x - 1 in [1, 2])")) is False


def test_as_many_bits_as_an_epsilon_may_have_and_one_more(monkeypatch: pytest.MonkeyPatch) -> None:
    """A long ε is refused, and a large one, whose e^ε is long; with 20 bits, 2^18 has 19, and 1 = 1/1 has two."""
    monkeypatch.setattr(logarithms, "MAX_BITS", 20)
    for longest in ("1/262144", "10", f"ln({2**19 - 1})", "1/2*ln(3)"):
        epsilon(longest)
    for longer in ("3/262144", "1/524288", "11", f"ln({2**19})", "15/2*ln(3)"):
        with pytest.raises(Beyond, match="e\\^ε is too large at ε = "):
            epsilon(longer)


def test_powers() -> None:
    powers = {x**k for x in range(2, 40) for k in range(2, 12)}
    assert all(_is_power(Fraction(n)) == (n in powers) for n in range(2, 1500))
    assert all(_is_power(Fraction(b, a) ** k) for a in range(1, 6) for b in range(a + 1, 9) for k in (2, 3, 5, 7))
    assert not any(_is_power(Fraction(*one)) for one in ((9, 2), (4, 3), (27, 4), (8, 9), (3, 2)) if one[0] > one[1])
    assert _is_power(Fraction(123456789**5, 10**5))
    assert not _is_power(Fraction(123456789**5 + 1))


@pytest.mark.parametrize(
    "roots", [(1, 2, 3), (2, 3, 5, 7), (-4, 1, 2, 9, 11), (3, 3, 5), (2, 2, 2, 6, 8), (4,)], ids=str
)
@pytest.mark.parametrize("factor", [1, -3])
def test_roots_between_two_numbers_are_counted_once_each(roots: tuple[int, ...], factor: int) -> None:
    """Of Π (x - root), between halves: those of x² + 1 are not real, and no matter."""
    polynomial = [factor, 0, factor]
    for root in roots:
        polynomial = [lower - root * c for c, lower in zip([*polynomial, 0], [0, *polynomial], strict=True)]
    ends = [Fraction(k, 2) for k in range(-9, 27, 4)]
    for low, high in at_least_one(combinations(ends, 2)):
        assert roots_in(chain(tuple(polynomial)), low, high) == len({root for root in roots if low < root < high})


# --- the order of E = e^ε ---------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("epsilon", "power", "degree"),
    [("3/2*ln(2)", 8, 2), ("2/3*ln(5)", 25, 3), ("1/2*ln(7)", 7, 2), ("5/3*ln(2)", 32, 3)],
)
def test_signs_very_near_an_algebraic_number(epsilon: str, power: int, degree: int) -> None:
    """E = power^(1/degree); rationals nearer to it than 2^-2048 are compared by integer powers."""
    e = Exponential(epsilon)
    assert polynomial_of(epsilon) == [-power, *[0] * (degree - 1), 1]
    for bits in (10, 3000):
        bottom = 1 << bits
        top = floor_root(power * bottom**degree, degree)
        for a, sign in ((top, -1), (top + 1, 1)):
            assert e.sign(a, bottom) == e.sign(Fraction(a, bottom), 1) == sign
            assert e.sign(-a, -bottom) == -sign
    low, high = e.bounds(100)
    assert low**degree <= power <= high**degree
    assert high - low <= Fraction(1, 1 << 100)


def test_signs_at_a_root_of_a_polynomial() -> None:
    """The golden ratio, between two convergents."""
    e = Exponential("ln(root of x^2 - x - 1 in [8/5, 17/10])")
    a, b = 1, 1
    for k in range(300):
        assert e.sign(a, b) == (1 if k % 2 else -1)
        a, b = a + b, a
    assert e.sign(0, 1) == e.sign(-1, 0) == -1
    assert e.sign(1, 0) == e.sign(0, -1) == e.sign(1, -1) == 1
    assert e.sign(0, 0) == 0


@pytest.mark.parametrize("text", ["0", "ln(2)", "1/2*ln(2)", "1/10", "3", "2/5*ln(3)"])
def test_the_checkers_order_is_the_packages(text: str) -> None:
    e, exact = Exponential(text), read_epsilon(text)
    for top in range(-8, 9):
        for bottom in range(-8, 9):
            assert (
                e.sign(Fraction(top), Fraction(bottom, 3)) == compare(Fraction(top), Fraction(bottom, 3), exact).value
            )
    if exact.exp is None:
        for bits in (10, 200):
            low, high = exact.exp_bracket(bits)
            assert (e.sign(low.numerator, low.denominator), e.sign(high, 1)) == (-1, 1)


def test_signs_at_infinity() -> None:
    assert [Exponential("inf").sign(x, 0) for x in (-1, 0, 1)] == [-1, 0, 1]


@pytest.mark.parametrize("epsilon", ["1/2*ln(2)", "2/3*ln(5)", "ln(root of x^2 - x - 1 in [8/5, 17/10])"])
@pytest.mark.parametrize("precision", [32, 64])
def test_an_irrational_root_lies_strictly_between_its_bounds(epsilon: str, precision: int) -> None:
    """Also where a polynomial is exactly 0 at an end of the bounds that are looked at: its sign is not known yet."""
    low, high = Root(epsilon).bounds(precision)
    assert [Root(epsilon).sign([-end, Fraction(1)]) for end in (low, high)] == [1, -1]
    assert [Root(epsilon).sign([end, Fraction(-1)]) for end in (low, high)] == [-1, 1]


def test_the_larger_of_two_epsilons() -> None:
    """Rational, algebraic and transcendental powers, in their order; two lie 10^-20 from ln(2)/2."""
    texts = ["0", "1/10", "3465735902799726547/10000000000000000000", "1/2*ln(2)",
             "866433975699931637/2500000000000000000", "ln(3/2)", "ln(root of x^2 - x - 1 in [1, 2])", "1/2", "ln(2)",
             "1", "2/3*ln(5)"]  # fmt: skip
    for k, left in at_least_one(enumerate(texts)):
        assert [above(left, right) for right in texts] == [k > other for other in range(len(texts))]


@given(st.integers(1, 1 << 400), st.integers(-3, 3), st.integers(0, 400), st.sampled_from(["1/10", "1/2*ln(2)", "3"]))
def test_signs_of_long_integers_are_those_of_fractions(b: int, off: int, bits: int, text: str) -> None:
    """The leading bits of a and b are looked at first: the same as for Fractions, of which all are; also next to E."""
    e = Exponential(text)
    (low, _), scale = e.scaled(1 << 9)
    for a in (b * low // scale + off, (b * low // scale + off) << bits, (b * low // scale) + (off << bits)):
        for x, y in ((a, b), (a, b << bits), (-a, -b), (-a, -(b << bits)), (a << 900, (b << 900) + off)):
            assert e.sign(x, y) == e.sign(Fraction(x), Fraction(y))


# --- bounds ----------------------------------------------------------------------------------------------------------


def numbers(most: int) -> st.SearchStrategy[Fraction]:
    """Rationals of either sign, many of them very near 0 or a whole number."""
    near = st.builds(lambda k, s, p: k + Fraction(s, 1 << p), st.integers(-most, most), st.integers(-3, 3), BITS)
    return st.one_of(near, st.fractions(-most, most, max_denominator=10**6))


def encloses(bounds: tuple[Fraction, Fraction], ball: Any) -> None:
    low, high = ball_ends(ball)
    assert bounds[0] <= high
    assert bounds[1] >= low


@given(numbers(40), BITS)
def test_exponentials(value: Fraction, bits: int) -> None:
    low, high = logarithms.exp(value, bits)
    encloses((low, high), arb_of(value).exp())
    assert low <= high <= low + max(low, ONE) / (1 << max(0, bits - 10))
    assert high >= 1 + value
    assert low <= 1 / (1 - value) if value < 1 else low >= 2


@pytest.mark.parametrize("bits", [8, 24, 128])
@pytest.mark.parametrize("sign", [1, -1])
def test_exponentials_of_numbers_nearer_to_0_than_the_bounds_are_narrow(bits: int, sign: int) -> None:
    for places in at_least_one(range(bits, bits + 40)):
        value = Fraction(sign, 1 << places)
        low, high = logarithms.exp(value, bits)
        assert low <= 1 / (1 - value)
        assert high >= 1 + value


@given(numbers(40).filter(bool).map(abs), BITS)
def test_logarithms(value: Fraction, bits: int) -> None:
    low, high = logarithms.ln(value, bits)
    encloses((low, high), arb_of(value).log())
    assert low <= high <= low + (1 + abs(low)) / (1 << max(0, bits - 10))


@given(numbers(40).filter(bool).map(abs), st.integers(1, 7), BITS)
def test_roots(value: Fraction, degree: int, bits: int) -> None:
    low, high = logarithms.root(value, degree, bits)
    assert low**degree <= value <= high**degree
    assert high - low <= Fraction(1, 1 << max(0, bits - 4))


@given(st.one_of(st.integers(0, 1 << 200), st.builds(lambda k, d: k**d, st.integers(0, 999), st.integers(1, 9))), BITS)
def test_whole_roots(value: int, degree: int) -> None:
    root = logarithms.floor_root(value, degree)
    assert root**degree <= value < (root + 1) ** degree


@given(numbers(6), BITS)
def test_the_normal_law(x: Fraction, bits: int) -> None:
    low, high = enclosed.normal(x, bits)
    encloses((low, high), (1 + (arb_of(x) / arb(2).sqrt()).erf()) / 2)
    assert 0 <= low <= high <= 1
    assert high - low <= Fraction(1, 1 << (bits - 1))


@given(st.fractions(0, 1, max_denominator=10**4).filter(lambda p: 0 < p < 1), st.sampled_from([16, 40]))
def test_quantiles_of_the_normal_law(chance: Fraction, bits: int) -> None:
    """By the law at both ends, which rises."""
    low, high = enclosed.quantile(chance, bits)
    below, above = ((1 + (arb_of(end) / arb(2).sqrt()).erf()) / 2 for end in (low, high))
    assert ball_ends(below)[0] <= chance <= ball_ends(above)[1]
    assert high - low <= Fraction(1, 1 << (bits - 2))


# --- measures of which only bounds are known --------------------------------------------------------------------------


def chances(*weights: int) -> dict[str, Fraction]:
    return {o: Fraction(w, sum(weights)) for o, w in zip("xyz", weights, strict=False) if w}


LAWS = st.lists(st.integers(1, 6), min_size=3, max_size=3).map(lambda weights: chances(*weights))
TESTS = st.dictionaries(st.sampled_from("xyz"), st.fractions(-2, 2, max_denominator=4))


@given(LAWS, LAWS, st.lists(TESTS, min_size=1, max_size=3), BITS)
def test_the_largest_of_several_tests_bounds_a_capacity(
    p: dict[str, Fraction], q: dict[str, Fraction], tests: list[dict[str, Fraction]], bits: int
) -> None:
    """E_P[h] - E_Q[e^(h - 1)], a function that is missing somewhere being 0 there."""
    values = [
        sum(
            (arb_of(x) * arb_of(h.get(o, Fraction(0))) - arb_of(q[o]) * arb_of(h.get(o, Fraction(0)) - 1).exp())
            for o, x in p.items()
        )
        for h in tests
    ]
    low, high = enclosed._Capacity(p, q, tests).bounds(bits)
    most = [max(ball_ends(value)[k] for value in values) for k in (0, 1)]
    assert low <= most[1]
    assert high >= most[0]
    assert high - low <= Fraction(1, 1 << max(0, bits - 10))


@pytest.mark.parametrize("order", [Fraction(3, 2), Fraction(4, 3), Fraction(2)])
def test_the_divergence_of_a_single_output(order: Fraction) -> None:
    """P is certain: all divergences are the logarithm of 1/Q there."""
    divergence = enclosed.renyi_of(order, chances(1), chances(1, 2))
    assert divergence.sign(Written(ONE, Fraction(3))) == 0
    assert enclosed.renyi_of(order, chances(1, 1), chances(1)).infinite


# --- comparisons ------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    "number",
    [Scalar(logarithms=((ONE, Fraction(2)), (ONE, Fraction(3)))), Scalar(logarithms=((ONE, Fraction(6)),))],
    ids=["a sum", "one logarithm"],
)
def test_sums_of_logarithms_are_compared_by_powers_after_two_bounds(number: Scalar) -> None:
    """The logarithm of 6 against (1 ± 1/2^n) times itself: bounds of 64 and 256 bits tell n = 100, no power n = 500."""
    six = Fraction(6)
    assert number.sign(Written(ONE, six)) == 0
    for bits in (10, 100):
        near = Fraction(1, 1 << bits)
        assert [number.sign(Written(ONE + s * near, six)) for s in (-1, 1)] == [1, -1]
    with pytest.raises(Beyond, match="too long"):
        number.sign(Written(ONE + Fraction(1, 1 << 500), six))


@pytest.mark.parametrize("scale", [ONE, Fraction(2), Fraction(1, 3)])
def test_a_number_is_compared_with_a_multiple_of_epsilon(scale: Fraction) -> None:
    number = logarithm(Fraction(5)).over(scale)
    signs = [number.sign(Written(ONE / scale, Fraction(x))) for x in (4, 5, 6)]
    assert signs == [1, 0, -1]
    assert [number.sign(Written(r / scale)) for r in (Fraction(8, 5), Fraction(5, 3))] == [1, -1]


@pytest.mark.parametrize("k", [2, MAX_BITS // 4, MAX_BITS // 4 + 1])
def test_a_root_near_1_is_compared(k: int) -> None:
    """1 against the root of degree k of 2, whose powers may be too long to be compared."""
    assert power(f"1/{k}*ln(2)").sign(ONE, ONE) == -1


class Between(enclosed.Enclosed):
    """A number between two others, of which no more bits are known."""

    def __init__(self, low: int, high: int) -> None:
        self.ends = Fraction(low), Fraction(high)

    def bounds(self, bits: int) -> tuple[Fraction, Fraction]:  # noqa: ARG002 - however many
        return self.ends


def test_a_number_that_may_be_at_its_bound_is_not_told_from_it() -> None:
    number = Between(1, 2)
    assert [number.sign(Written(Fraction(x))) for x in (0, 3)] == [1, -1]
    for end in (1, 2):
        with pytest.raises(Beyond, match="too near"):
            number.sign(Written(Fraction(end)))


@pytest.mark.parametrize("scale", [Fraction(1, 2), ONE, Fraction(3)])
def test_multiples_of_an_infinite_epsilon_are_infinite(scale: Fraction) -> None:
    assert power("inf", scale).infinite
    assert power("inf", scale).sign(ONE, Fraction(1, 2)) == -1
    assert not power("inf", Fraction(0)).infinite
    assert power("inf", Fraction(0)).value == 1


def test_powers_of_long_numbers_are_not_compared() -> None:
    """Neither of a long number against a short one nor conversely: a third of the limit is too long for cubes."""
    third, long = Exponential("1/3*ln(2)"), 1 << MAX_BITS // 3
    assert third._short(1, 1)
    assert third._short(long >> 9, long >> 9)
    assert [third._short(long, 1), third._short(1, long), third._short(long, long)] == [False, False, False]
