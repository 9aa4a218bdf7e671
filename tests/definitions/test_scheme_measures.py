"""Divergences of two laws by hand: values, ties, infinities, averages, and the names that they have."""

import re
from dataclasses import replace
from fractions import Fraction
from typing import Any

import pytest
from examined import at_least_one
from two_laws import APART, COIN, GIVEN, NEAR, NOWHERE, SAME, pair, setting

import verifier as pk
from verifier.checker.answers import checked
from verifier.checker.definitions import NOT_LISTED
from verifier.checker.models import Model
from verifier.definitions.comparison import HOCKEY_STICK, Comparison, Term
from verifier.definitions.measures.conditions import Trimmed, gaussian, half_planes
from verifier.definitions.measures.divergence import (
    Divergence,
    divergence_named,
    measure_in,
    policy_names,
    rooted_power,
)
from verifier.definitions.scheme import MEASURES, Scheme, least_of, measure_title
from verifier.errors import InputError, UnsupportedError
from verifier.model.library import models_folder
from verifier.model.policy import FIELDS
from verifier.numbers import INFINITY, ZERO, Order, epsilon
from verifier.numbers.reals import Enclosed, Real, log_sum, order
from verifier.show.axis_words import meaning_of

HALF = Fraction(1, 2)

VALUES = {
    "ratio": ("ln(3)", "ln(3/2)", "0", "ln(2)", "inf"),
    "kl": ("1/2*ln(3)", "1/4*ln(27/16)", "0", "ln(2)", "inf"),
    "spread": ("ln(9)", "ln(3)", "0", "inf", "inf"),
    "total-variation": ("1/2", "1/4", "0", "1/2", "1/2"),
    "chi-squared": ("4/3", "1/4", "0", "1", "inf"),
    "abs-1": ("1", "1/2", "0", "1", "1"),
    "abs-2": ("4/3", "1/4", "0", "1", "inf"),
    "abs-3": ("20/9", "1/8", "0", "1", "inf"),
    "renyi-2": ("ln(7/3)", "ln(5/4)", "0", "ln(2)", "inf"),
    "renyi-3": ("1/2*ln(61/9)", "1/2*ln(7/4)", "0", "ln(2)", "inf"),
    "semantic": ("1/2", "", "0", "1", "1"),
}
"""Of `COIN`, `NEAR`, `SAME`, `GIVEN` and `APART`; "" for a number that is only enclosed."""
WITH_PARAMETERS: dict[str, tuple[dict[str, Any], tuple[str, ...]]] = {
    "renyi": ({"order": 2}, VALUES["renyi-2"]),
    "divergence": ({"divergence": "abs-3"}, VALUES["abs-3"]),
    "root-abs": ({"order": 3}, ("", "1/2", "0", "1", "inf")),
    "restricted": (
        {"divergence": "total-variation", "tests": [{"o0": "1/2"}]},
        ("1/4", "1/8", "0", "1/4", "0"),
    ),
    "gaussian": ({}, ("", "", "0", "inf", "inf")),
    "concentrated": ({}, ("", "", "0", "ln(2)", "inf")),
    "concentrated-approximately": ({}, ("", "", "0", "ln(2)", "inf")),
    "concentrated-to-omega": ({"omega": 3}, ("", "", "0", "ln(2)", "inf")),
    "concentrated-truncated": ({"omega": 3}, ("", "", "0", "ln(2)", "inf")),
    "concentrated-below-xi": ({"xi": 1}, ("inf", "", "0", "ln(2)", "inf")),
    "sub-gaussian": ({"mu": 1}, ("", "", "0", "0", "inf")),
    "hockey-stick": ({}, VALUES["ratio"]),
    "tail": ({}, VALUES["ratio"]),
    "trimmed": ({"error": "1/4"}, ("ln(3)", "ln(3/2)", "0", "ln(2)", "inf")),
}
"""Measures that read `[policy]`, or have a δ: the parameters, and the smallest ε at δ = 0 of the same laws."""
F = [["0", "1"], ["1/2", "1/4"], ["1", "0"]]
OF_CONDITIONS: dict[str, tuple[dict[str, Any], tuple[bool, ...]]] = {
    "tradeoff": ({"tradeoff": F}, (False, False, True, False, False)),
    "privacy-predicate": ({"tradeoff": F}, (False, False, True, False, False)),
    "predicate": ({"predicate": [["1", "-2", "0"]]}, (False, True, True, True, False)),
}
"""Conditions: the parameters, and of which of the same laws they hold."""
LAWS = (COIN, NEAR, SAME, GIVEN, APART)


def test_each_measure_has_values_by_hand() -> None:
    """Whoever declares one more adds its line."""
    assert {*VALUES, *WITH_PARAMETERS, *OF_CONDITIONS} >= {*MEASURES, *policy_names()}


def fits(found: Real, value: str) -> bool:
    """Whether a number is that of the tables above; one that is only enclosed lies where that one does."""
    if not value or not isinstance(found, Enclosed):
        return isinstance(found, Enclosed) if not value else found == epsilon(value)
    (low, high), (least, most) = found.bracket(128), epsilon(value).bracket(128)
    return low <= most and least <= high and high - low < Fraction(1, 1 << 100)


@pytest.mark.parametrize("name", VALUES)
def test_scalars_by_hand(name: str) -> None:
    measure = divergence_named(name)
    for each, value in at_least_one(zip(LAWS, VALUES[name], strict=True)):
        assert fits(measure.of(each), value), each
    assert measure.of(NOWHERE) == epsilon(VALUES[name][0])
    assert measure.key == name


@pytest.mark.parametrize("name", WITH_PARAMETERS)
def test_measures_with_parameters_by_hand(name: str) -> None:
    policy, expected = WITH_PARAMETERS[name]
    measure = MEASURES[name].made(setting(**policy))
    for each, value in at_least_one(zip(LAWS, expected, strict=True)):
        one = Comparison(None, None, None, None, (Term(1, each),), measure=HOCKEY_STICK)
        if isinstance(measure, Divergence):
            found = measure.number(one)
        else:
            one = least_of(one, measure) if isinstance(measure, Trimmed) else replace(one, measure=measure)
            found = one.epsilon(Fraction(0))
        assert fits(found, value), each


@pytest.mark.parametrize("name", OF_CONDITIONS)
def test_conditions_by_hand(name: str) -> None:
    policy, expected = OF_CONDITIONS[name]
    condition = MEASURES[name].made(setting(**policy))
    assert tuple(condition.holds(each) for each in LAWS) == expected


def test_the_half_planes_of_a_trade_off_curve_by_hand() -> None:
    """F falls by 3/2 up to (1/2, 1/4), and by 1/2 from there: its lines are 1 - 3/2·α and 1/2 - 1/2·α.

    1 - Q ≥ 1 - 3/2·P says -3/2·P + Q ≤ 0, and 1 - Q ≥ 1/2 - 1/2·P says -1/2·P + Q ≤ 1/2.
    """
    vertices = [(Fraction(x), Fraction(y)) for x, y in F]
    assert half_planes(vertices) == ((Fraction(-3, 2), Fraction(1), Fraction(0)), (-HALF, Fraction(1), HALF))


def test_a_corner_beyond_another_does_not_change_the_gaussian_mu() -> None:
    """Both curves have (1/10, 2/5), beyond which (1/10, 1/2) and (1/8, 1/2) lie: μ is -Φ⁻¹(1/10) - Φ⁻¹(2/5) of all."""
    numbers = [
        gaussian(pair(p, q, 40))
        for p, q in (([4, 36], [24, 16]), ([4, 16, 20], [24, 12, 4]), ([4, 16, 20], [24, 11, 5]))
    ]  # fmt: skip
    assert [order(each, numbers[0]) for each in numbers] == [Order.EQUAL] * 3


def test_each_measure_has_words_and_reads_fields_that_there_are() -> None:
    words = [declared.said for declared in MEASURES.values()]
    assert len(set(words)) == len(words)
    assert all(words)
    assert {field for one in MEASURES.values() for field in (*one.fields, *one.optional)} <= FIELDS.keys()
    assert all(name in meaning_of("divergence") for name in policy_names())


TOUR = (models_folder() / "atlas" / "tour.toml").read_text(encoding="utf-8")


@pytest.mark.parametrize("name", policy_names())
def test_the_checker_has_each_name_of_a_divergence(name: str) -> None:
    text = re.sub(r'(?m)^divergence = ".*"$', f'divergence = "{name}"', TOUR)
    assert name in text
    answer = pk.check(pk.loads(text), "divdp", replay=False)
    assert checked(answer.to_json(), Model(text)).word == "confirmed"


OF_ENTRIES = {one.compare.measure: key for key, one in pk.atlas.items() if isinstance(one.compare, Scheme)}
"""A definition of each measure that entries name."""


@pytest.mark.parametrize("measure", OF_ENTRIES)
def test_the_checker_has_each_measure_of_entries(measure: str) -> None:
    """Or says why it decides none of the definitions that are measured so."""
    key = OF_ENTRIES[measure]
    found = checked(pk.check(pk.loads(TOUR), key, replay=False).to_json(), Model(TOUR))
    assert found.word == ("not checked" if key in NOT_LISTED else "confirmed"), found.why


def test_distances_of_posteriors() -> None:
    """(√R - 1)/(√R + 1): for R = 9 it is 1/2, for R = 3 the number x with ((1 + x)/(1 - x))² = 3; never above 1."""
    semantic = divergence_named("semantic").of
    assert [semantic(each) for each in (COIN, SAME, GIVEN, APART)] == [epsilon(v) for v in ("1/2", "0", "1", "1")]
    found = semantic(NEAR)
    assert isinstance(found, Enclosed)
    low, high = found.bracket(128)
    assert ((1 + low) / (1 - low)) ** 2 < 3 < ((1 + high) / (1 - high)) ** 2
    assert high - low < Fraction(1, 1 << 120)


def test_roots_of_powers() -> None:
    assert rooted_power(2).of(NEAR) == epsilon("1/2")
    assert rooted_power(3).of(NEAR) == epsilon("1/2")
    assert rooted_power(3).of(GIVEN) == epsilon(1)
    assert rooted_power(2).of(APART) == INFINITY
    found = rooted_power(2).of(COIN)
    assert isinstance(found, Enclosed)
    low, high = found.bracket(64)
    assert low**2 < Fraction(4, 3) < high**2


# --- averages ---------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("shares", "expected"),
    [
        ([("1/3", "1/2"), ("2/3", "1/4")], "1/3"),
        ([("1/2", "0"), ("1/2", "ln(4)")], "ln(2)"),
        ([("1/4", "ln(3)"), ("3/4", "1/2*ln(5)")], "1/8*ln(1125)"),
        ([("0", "inf"), ("1", "1/2")], "1/2"),
        ([("0", "1/3"), ("1", "ln(2)")], "ln(2)"),
        ([("1/9", "inf"), ("8/9", "1/2")], "inf"),
        ([], "0"),
    ],
)
def test_averages(shares: list[tuple[str, str]], expected: str) -> None:
    listed: list[tuple[Fraction, Real]] = [(Fraction(share), epsilon(value)) for share, value in shares]
    assert divergence_named("kl").average(listed) == epsilon(expected)


def test_averages_of_long_sums_of_logarithms() -> None:
    long = log_sum([(Fraction(1, 10**6 + 3), Fraction(3)), (Fraction(1, 10**6 + 33), Fraction(5))])
    found = divergence_named("kl").average([(HALF, long), (Fraction(1, 4), epsilon("ln(7)")), (Fraction(1, 4), ZERO)])
    assert isinstance(found, Enclosed)
    assert set(found.terms) == {
        (Fraction(1, 2 * (10**6 + 3)), Fraction(3)),
        (Fraction(1, 2 * (10**6 + 33)), Fraction(5)),
        (Fraction(1, 4), Fraction(7)),
    }


@pytest.mark.parametrize("other", [epsilon("1/3"), Enclosed(lambda _: (Fraction(1), Fraction(2)))])
def test_averages_of_different_kinds_are_not_decided(other: Real) -> None:
    with pytest.raises(UnsupportedError, match="average"):
        divergence_named("kl").average([(HALF, epsilon("ln(2)")), (HALF, other)])


# --- names ------------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    "name", ["abs-0", "abs-257", "abs-x", "abs", "renyi-1", "renyi-257", "root-abs-2", "ratio-2", ""]
)
def test_other_names_are_no_divergences(name: str) -> None:
    with pytest.raises(UnsupportedError, match="is not decided"):
        divergence_named(name)


def test_titles() -> None:
    assert measure_title("root-abs-3") == "root of order 3 of E[|P/Q - 1|^3]"
    assert measure_title("abs-3") == "divergence E[|P/Q - 1|^3]"
    assert measure_title("ratio") == "largest privacy loss"
    assert measure_title("gaussian") == "smallest Gaussian μ"
    assert measure_title("renyi-2") == divergence_named("renyi-2").title
    assert measure_title("hockey-stick") == "hockey-stick"
    for name in ("root-abs-x", "abs-x", "nothing-2"):
        with pytest.raises(InputError, match="one of hockey-stick"):
            measure_title(name)


def test_measures_read_their_parameter() -> None:
    assert measure_in("divergence", setting(divergence="abs-3")).key == "abs-3"
    assert measure_in("kl", setting()).key == "kl"
    assert measure_in("hockey-stick", setting()).key == "hockey-stick"
    assert measure_in("renyi", setting(order=256)).key == "renyi-256"
    assert measure_in("renyi", setting(order="5/2")).key == "renyi"
    assert measure_in("root-abs", setting(order=256)).key == "root-abs-256"


@pytest.mark.parametrize(
    ("name", "order_of_policy", "wanted"),
    [
        ("renyi", "257", "one up to 256 is"),
        ("renyi", "513/2", "one up to 256 is"),
        ("root-abs", "257", "an integer from 2 to 256 is"),
        ("root-abs", "5/2", "an integer from 2 to 256 is"),
    ],
)
def test_orders_that_are_not_decided(name: str, order_of_policy: str, wanted: str) -> None:
    with pytest.raises(UnsupportedError, match=wanted):
        measure_in(name, setting(order=order_of_policy))
