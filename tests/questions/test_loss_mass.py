"""Mass functions of privacy losses, as `dp_accounting` has them: exact masses, ratios e^(i·h), and what is missing."""

from __future__ import annotations

from dataclasses import dataclass, field
from fractions import Fraction
from math import exp, log
from typing import Any

import pytest

import verifier as pk
from verifier.errors import PkdpError
from verifier.numbers import Enclosure, Order

H = 0.25
RECORDED = {-3: 0.1, -1: 0.15, 0: 0.2, 2: 0.3, 5: 0.24999999999999}
"""Masses as doubles, that are 10^-14 and what rounding adds away from 1."""


@dataclass
class Sparse:
    """The attributes of a `SparsePLDPmf`."""

    _loss_probs: dict[int, float]
    _infinity_mass: float = 0.0
    _discretization: float = H
    _pessimistic_estimate: bool = True


@dataclass
class Dense:
    """The attributes of a `DensePLDPmf`."""

    _probs: Any
    _lower_loss: int
    _infinity_mass: float = 0.0
    _discretization: float = H
    _pessimistic_estimate: bool = field(default=False)


class Whole:
    """The attributes of a `PrivacyLossDistribution`."""

    _pmf_remove = _pmf_add = None


def near(epsilon: float, masses: dict[int, float], infinity: float) -> float:
    """δ in doubles."""
    return infinity + sum(m * (1 - exp(epsilon - i * H)) for i, m in masses.items() if i * H > epsilon)


def test_it_is_read_as_what_it_is() -> None:
    """Masses are the doubles themselves, and what they lack of 1 is said and not added."""
    mass = pk.loss_mass(Sparse(RECORDED))
    assert mass.masses[-3] == Fraction(0.1) != Fraction(1, 10)
    assert mass.missing == 1 - sum(map(Fraction, RECORDED.values()))
    assert 0 < mass.missing < Fraction(1, 10**13)
    dense = pk.loss_mass(Dense([RECORDED.get(i, 0.0) for i in range(-3, 6)], -3))
    assert (dense.masses, dense.pessimistic, mass.pessimistic) == (mass.masses, False, True)
    assert pk.loss_mass(Sparse(RECORDED, 0.5)).missing < 0, "more than 1 is said as well"


@pytest.mark.parametrize("epsilon", ["0", "1/8", "1/4", "1/2", "7/10", "ln(2)", "5/4", "2"])
@pytest.mark.parametrize("infinity", [0.0, 0.001])
def test_delta_is_enclosed(epsilon: str, infinity: float) -> None:
    mass = pk.loss_mass(Sparse(RECORDED, infinity))
    at = float(pk.epsilon(epsilon))
    found = mass.delta_at(epsilon)
    assert abs(float(Fraction(found.low.decimal(20, up=False))) - near(at, RECORDED, infinity)) < 1e-14
    assert found.sharp(30) or found.is_zero or at >= 1.25


@pytest.mark.parametrize("delta", ["1/5", "1/10", "1/100", "1/1000000"])
def test_epsilon_is_that_of_the_curve(delta: str) -> None:
    """δ at the two ends of the enclosure lies on both sides of what was asked for."""
    mass = pk.loss_mass(Sparse(RECORDED))
    smallest = mass.epsilon_at(delta)
    assert isinstance(smallest, Enclosure)
    low, high = (Fraction(end.decimal(40, up=up)) for end, up in ((smallest.low, False), (smallest.high, True)))
    assert mass.delta_at(low - Fraction(1, 10**30)).order(Fraction(delta)) is Order.GREATER
    assert mass.delta_at(high + Fraction(1, 10**30)).order(Fraction(delta)) is Order.LESS


def test_the_ends_of_the_curve() -> None:
    mass = pk.loss_mass(Sparse(RECORDED, 0.001))
    assert mass.epsilon_at(1) == pk.epsilon(0)
    assert mass.epsilon_at("1/2000") == pk.epsilon("inf")
    assert mass.delta_at("inf").sharp(30)
    assert isinstance(mass.epsilon_at(Fraction(0.001)), Enclosure), "at the mass of the infinite loss: the largest loss"


@pytest.mark.parametrize("times", [1, 2, 3])
def test_runs_are_the_plain_convolution(times: int) -> None:
    single, plain = pk.loss_mass(Sparse(RECORDED, 0.001)), {0: Fraction(1)}
    for _ in range(times):
        plain = {
            k: sum((plain.get(k - i, Fraction(0)) * m for i, m in single.masses.items()), Fraction(0))
            for k in range(-3 * times, 5 * times + 1)
        }
    runs = single.runs(times)
    assert runs.masses == {k: m for k, m in plain.items() if m}
    assert runs.missing == 1 - (1 - single.missing) ** times


def test_twenty_runs_of_randomized_response() -> None:
    """Its loss is ln(3), whose double is read as such: ε agrees with the exact one to the digits of a double."""
    response = pk.loss_mass(Sparse({1: 0.75, -1: 0.25}, _discretization=log(3)))
    exact = pk.pair({"a": "3/4", "b": "1/4"}, {"a": "1/4", "b": "3/4"})
    smallest = response.runs(20).epsilon_at("1e-6")
    assert isinstance(smallest, Enclosure)
    twenty = float(exact.runs(20).epsilon_at("1e-6"))
    assert abs(float(Fraction(smallest.low.decimal(20, up=False))) - twenty) < 1e-12


@pytest.mark.parametrize(
    ("wrong", "message"),
    [
        (Sparse({0: float("nan")}), "is not a finite number"),
        (Sparse({0: -0.5}), "the mass of the loss 0 is negative"),
        (Sparse({0: 1.0}, _discretization=0.0), "is not positive"),
        (Whole(), "has no masses of losses.*two directions"),
        (3, "has no masses of losses"),
    ],
)
def test_what_is_no_mass_function_is_refused(wrong: object, message: str) -> None:
    with pytest.raises(PkdpError, match=message):
        pk.loss_mass(wrong)
    with pytest.raises(PkdpError, match=r"pk\.loss_mass"):
        pk.pair(Sparse(RECORDED))
    with pytest.raises(pk.LimitError, match="losses"):
        pk.loss_mass(Sparse({-(10**6): 0.5, 10**6: 0.5})).runs(2)
