"""The checker's numbers are ordered as real numbers are, whatever each is made of; equal ones are found to be equal."""

from __future__ import annotations

from fractions import Fraction
from itertools import pairwise, product

import pytest
from examined import at_least_one

import verifier as pk
from verifier.checker.number_text import epsilon_of, fits
from verifier.checker.numbers import INFINITY, BeyondLimits, Enclosed, Log, Number, Power, Rooted, Wrong, ln, sign
from verifier.checker.polynomials import LogOfRoot
from verifier.model.library import models_folder

GOLDEN = "ln(root of x^2 - x - 1 in [1, 2])"


def a_root(x: Fraction) -> Rooted:
    """√x."""
    return Rooted("root 2", x, lambda e: sign(x - e**2))


RISING: list[Number] = [
    epsilon_of("0"),
    epsilon_of("1/10"),
    a_root(Fraction(1, 5)),
    epsilon_of("ln(809/500)"),
    epsilon_of(GOLDEN),
    epsilon_of("ln(1619/1000)"),
    Enclosed(lambda bits: (Fraction(1, 2), Fraction(1, 2) + Fraction(1, 1 << bits))),
    epsilon_of("ln(2)"),
    epsilon_of("ln(root of x^5 - 50 in [2, 3])"),
    ln(2) + Log(Fraction(1, 10)),
    epsilon_of("ln(root of x^2 - 6*x + 7 in [4, 5])"),
    INFINITY,
]


def test_numbers_of_all_kinds_have_one_order() -> None:
    for (m, x), (n, y) in at_least_one(product(enumerate(RISING), repeat=2)):
        if m != n:
            assert ((x < y), (x > y), x == y) == (m < n, m > n, False), (str(x), str(y))


@pytest.mark.parametrize("c", ["1/3", "2", "17/5"])
def test_multiples_keep_the_order(c: str) -> None:
    scaled = [x.times(Fraction(c)) for x in RISING[1:]]
    assert all(x < y for x, y in pairwise(scaled))
    assert scaled[-1] is INFINITY
    for x, y in zip(RISING[1:-1], scaled, strict=False):
        (low, high), (least, most) = (z.bounds(64) for z in (x, y))
        assert least <= high * Fraction(c)
        assert low * Fraction(c) <= most


@pytest.mark.parametrize(
    ("text", "other"),
    [
        (GOLDEN, "ln(root of 2*x^2 - 2*x - 2 in [3/2, 17/10])"),
        (GOLDEN, "ln(root of x^3 - 10*x^2 + 8*x + 9 in [1, 2])"),
        (GOLDEN, "ln(root of x^4 - 2*x^3 - x^2 + 2*x + 1 in [1, 2])"),
        ("ln(root of x^2 - 2 in [1, 2])", "1/2*ln(2)"),
        ("ln(root of 27*x^3 - 125 in [1, 2])", "ln(5/3)"),
        ("ln(root of x^2 - 3*x + 2 in [3/2, 3])", "ln(2)"),
        ("ln(root of x - 1 in [1/2, 3])", "0"),
    ],
)
def test_one_number_in_two_forms(text: str, other: str) -> None:
    """(x - 9)·f and f² have the root of f; a root that is a power of a rational is the multiple of its logarithm."""
    x, y = epsilon_of(text), epsilon_of(other)
    assert x == y
    assert y == x
    assert not x < y
    assert fits(text, None, y)
    assert Power(x).sign(3, 2) == Power(y).sign(3, 2)


def test_a_multiple_of_a_root_is_compared_with_other_multiples() -> None:
    """E² = E + 1 of the golden ratio is a root of another polynomial; the checker does not find that they are equal."""
    twice = epsilon_of(GOLDEN).times(2)
    assert twice.times(Fraction(1, 2)) == epsilon_of(GOLDEN)
    assert epsilon_of("ln(root of x^2 - 2 in [1, 2])").times(4) == ln(4)
    assert epsilon_of("ln(13/5)") < twice < epsilon_of("ln(21/8)")
    with pytest.raises(BeyondLimits):
        twice.compared(epsilon_of("ln(root of x^2 - 3*x + 1 in [2, 3])"))


@pytest.mark.parametrize(
    "text",
    [
        "ln(root of x^2 - 6*x + 7 in [1, 5])",
        "ln(root of x^2 - 6*x + 7 in [2, 3])",
        "ln(root of x^2 - 6*x + 7 in [8/5, 3/2])",
        "ln(root of x^2 + 1 in [1, 2])",
        "ln(root of x^2 - 2 in [-2, -1])",
        "ln(root of x^2 - 2 in [0, 2])",
        "ln(root of 2*x^2 - 1 in [1/2, 1])",
        "ln(root of x^2 - 2 in [1, 2]) ",
        "ln(root of x^2 - y in [1, 2])",
        "ln(root of x^2 - 0.5 in [1, 2])",
        "ln(root of 3 in [1, 2])",
        "ln(root of 0 in [1, 2])",
        "ln(root of x^2 - 4 in [2, 3])",
        "ln(root of x^999 - 2 in [1, 2])",
    ],
)
def test_what_names_no_root_above_one_is_refused(text: str) -> None:
    """Two roots, none, none that is real, one below 0 or 1, at the open end; no polynomial; a high degree."""
    with pytest.raises(Wrong):
        epsilon_of(text)


def test_a_power_of_a_root_lies_between_its_neighbours() -> None:
    """1/φ = φ - 1: of consecutive Fibonacci numbers F_n/F_(n-1) every second ratio is below φ."""
    a, b, power = 1, 1, Power(epsilon_of(GOLDEN))
    for n in range(300):
        a, b = a + b, a
        assert power.sign(a, b) == (1 if n % 2 == 0 else -1), n
    assert isinstance(power.epsilon, LogOfRoot)
    assert power.value is None


def test_an_irrational_divergence_of_a_scaled_comparison_is_decided_again() -> None:
    """Semantic privacy has no formula for its ε: Definition edivdp asks for a third of it on pairs at distance 3."""
    text = (models_folder() / "atlas/tour.toml").read_text(encoding="utf-8")
    text = text.replace('divergence = "chi-squared"', 'divergence = "semantic"')
    assert pk.check(pk.loads(text), "edivdp").replayed is True
