"""Curves as Python users compare them, and exact numbers as other libraries take them."""

from __future__ import annotations

from fractions import Fraction
from itertools import pairwise
from numbers import Rational

import mpmath
import pytest
import sympy
from hypothesis import given
from hypothesis import strategies as st

import verifier as pk
from verifier.numbers import Delta, log_epsilon
from verifier.profile import Profile

LAWS = st.lists(st.integers(0, 5), min_size=3, max_size=3).filter(any)
CURVES = st.tuples(LAWS, LAWS).map(lambda pair: pk.profile_of(*pair))


def at(curve: Profile, e: Fraction) -> Fraction:
    """δ where e^ε is a rational, added up from the segments."""
    start = max(k for k, (begun, _, _) in enumerate(curve.segments) if begun <= log_epsilon(e))
    _, a, b = curve.segments[start]
    return a - b * e


def signs(one: Profile, other: Profile, points: list[Fraction]) -> list[int]:
    """Which curve is above at each point."""
    gaps = [at(one, e) - at(other, e) for e in points]
    return [(gap > 0) - (gap < 0) for gap in gaps]


@given(CURVES, CURVES)
def test_curves_are_compared_at_every_epsilon(one: Profile, other: Profile) -> None:
    fine = [1 + Fraction(k, 60) for k in range(301)]
    above = signs(one, other, [*fine, *one.breakpoints, *other.breakpoints])
    assert (one <= other) == (1 not in above)
    assert (one >= other) == (-1 not in above)


@given(CURVES, CURVES)
def test_between_crossings_one_curve_is_above(one: Profile, other: Profile) -> None:
    ends = [Fraction(1), *(epsilon.argument for epsilon in one.crossings(other))]
    assert ends == sorted(set(ends))
    places = [*ends, max([ends[-1], *one.breakpoints, *other.breakpoints]) + 1]
    for low, high in pairwise(places):
        inside = signs(one, other, [low + (high - low) * Fraction(k, 40) for k in range(1, 40)])
        assert len(set(inside)) == 1
    assert one.crossings(other) == other.crossings(one)


RESPONSE = pk.build(
    size=1,
    values=[0, 1],
    distribution={"iid": {0: "1/2", 1: "1/2"}},
    mechanism={"kind": "randomized-response", "truth": "3/4"},
)


def test_two_ways_to_protect_a_bit_cross_once() -> None:
    """Telling with 1/6, else nothing, against randomized response of ln 2: neither is always better."""
    response = pk.profile_of(["2/3", "1/3"], ["1/3", "2/3"])
    erasure = pk.profile_of(["1/6", 0, "5/6"], [0, "1/6", "5/6"])
    assert [str(epsilon) for epsilon in response.crossings(erasure)] == ["ln(3/2)"]
    assert not response <= erasure
    assert not erasure <= response


def test_a_rational_delta_is_a_number_of_python() -> None:
    delta = pk.check(RESPONSE, "apkdp", epsilon="ln(2)").tight_delta
    assert issubclass(type(delta), Rational)
    assert isinstance(delta, Delta)
    assert (Fraction(delta), float(delta)) == (Fraction(1, 4), 0.25)  # type: ignore[call-overload]
    assert delta == Fraction(1, 4)
    assert delta.sympy() == sympy.Rational(1, 4)


def test_an_irrational_delta_is_none_and_goes_to_other_libraries() -> None:
    delta = pk.check(RESPONSE, "apkdp", epsilon="1/2").tight_delta
    assert not issubclass(type(delta), Rational)
    assert isinstance(delta, Delta)
    with pytest.raises(TypeError):
        Fraction(delta)  # type: ignore[call-overload]
    exact = sympy.Rational(3, 4) - sympy.exp(sympy.Rational(1, 2)) / 4
    assert sympy.simplify(delta.sympy() - exact) == 0
    with mpmath.mp.workdps(50):
        assert abs(delta.mpmath(50) - (mpmath.mpf(3) / 4 - mpmath.exp(mpmath.mpf(1) / 2) / 4)) < mpmath.mpf(10) ** -49


@pytest.mark.parametrize(
    ("text", "exact"),
    [("ln(3)", sympy.log(3)), ("1/2*ln(2)", sympy.log(2) / 2), ("7/20", sympy.Rational(7, 20)), ("inf", sympy.oo)],
)
def test_an_epsilon_goes_to_sympy(text: str, exact: object) -> None:
    assert pk.epsilon(text).sympy() == exact


def test_an_answer_says_both_numbers_at_any_place() -> None:
    answer = pk.check(RESPONSE, "apkdp")
    assert str(answer.epsilon_at("1/4")) == "ln(2)"
    assert str(answer.delta_at("ln(2)")) == str(answer.profile("ln(2)")) == "1/4"


def test_answers_are_rows() -> None:
    overview = pk.overview(RESPONSE, epsilon="ln(2)")
    assert [row["definition"] for row in overview.rows()] == overview.keys()
    assert overview["dp"].rows() == [row for row in overview.rows() if row["definition"] == "dp"]
    assert overview["dp"].rows()[0]["tight_delta"] == "1/4"
    with pytest.raises(pk.InputError, match="no definition"):
        overview["dpp"]
    atlas = pk.check_all(RESPONSE, dimension="F")
    assert [row["definition"] for row in atlas.rows()] == list(atlas)


def test_implications_are_a_graph() -> None:
    graph = pk.implication_graph()
    assert graph.edges["dp", "np"] == {"bound": "n*e", "when": ()}
    assert graph.edges["np", "cdp"]["when"] == ("independent",)
    assert not graph.has_edge("np", "dp")
    assert {"np", "zcodp", "renyidp"} <= set(graph)


def test_only_public_names_are_listed() -> None:
    assert {name for name in dir(pk) if not name.startswith("__")} == set(pk.__all__)
