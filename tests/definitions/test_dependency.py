"""Bounded dependency (DMKB20, Definitions 17 and 18): the checker derives it again; what a composition costs."""

from __future__ import annotations

from fractions import Fraction
from typing import Any

import pytest
from examined import at_least_one
from filing import file_of
from hypothesis import given, settings
from hypothesis import strategies as st
from rechecked import refused
from strategies import Case, cases, mechanisms

import verifier as pk
from verifier.checker.numbers import label
from verifier.checker.of_worlds import dependence
from verifier.definitions import ON_REQUEST

pytestmark = pytest.mark.quick


READINGS = list(ON_REQUEST["dependency"].readings)
ZERO, ONE = Fraction(0), Fraction(1)


@st.composite
def doubles(draw: st.DrawFn) -> Case:
    """A random model whose mechanism is two."""
    case = draw(cases(max_size=2))
    of = [draw(mechanisms(case.keys["values"], case.keys["size"])) for _ in "12"]
    case.keys["mechanism"] = {"kind": "all", "of": of}
    return case


@pytest.mark.sweep(4)
@pytest.mark.parametrize("reading", READINGS)
@given(
    doubles(), st.sampled_from(["0", "ln(2)", "1/10", "2*ln(3)/5", "inf"]), st.sampled_from(["0", "1/100", "1/3", "1"])
)
@settings(max_examples=16)
def test_the_checker_derives_the_answer(reading: str, case: Case, epsilon: str, delta: str) -> None:
    found = pk.check(pk.build(**case.keys), "dependency", epsilon=epsilon, delta=delta, reading=reading, replay=False)
    unordered = reading == "one-order" and case.unordered
    assert (found.verdict == "unsupported") >= unordered
    assert unordered or refused(found, file_of(case.keys)) is None, case.keys


@given(doubles(), st.sampled_from(READINGS), st.integers(0, 80))
@settings(max_examples=24)
def test_composition_costs_the_dependency_once(case: Case, reading: str, seed: int) -> None:
    """(μ + ε₁ + ε₂, δ₁ + δ₂ + ν), sharper than the corollary as printed with 2μ."""
    if reading == "one-order":
        return
    factors = [Fraction(1), Fraction(3, 2), Fraction(2), Fraction(5)]
    chosen = [factors[seed // 4**k % 4] for k in range(3)]
    total = ZERO
    for factor, key in zip(chosen, ("dependency", 0, 1), strict=True):
        keys = case.keys if key == "dependency" else {**case.keys, "mechanism": case.keys["mechanism"]["of"][key]}
        name = "dependency" if key == "dependency" else "apkdp"
        asked = {"reading": reading} if key == "dependency" else {}
        curve = pk.check(pk.build(**keys), name, epsilon="0", replay=False, **asked)  # type: ignore[arg-type]
        total += curve.profile.delta(f"ln({factor})" if factor > 1 else "0").a
    product = chosen[0] * chosen[1] * chosen[2]
    whole = pk.check(pk.build(**case.keys), "apkdp", epsilon="0", replay=False)
    assert whole.profile.delta(f"ln({product})" if product > 1 else "0").a <= total


# --- the re-check -----------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("q", "weights"),
    [
        # Q gives neither output: ∞ - ∞, unless the first loss, or the second, is left out
        ({"[c,d]": 1}, {"default": 1, "infinite-loss": 0, "no-loss": 1, "equal-infinities": 1}),
        # Q gives the second alone, with 1/4: -∞, or the second loss ln(4)
        ({"[c,b]": "1/4", "[c,d]": "3/4"}, {"default": 1, "infinite-loss": 0, "no-loss": 4, "equal-infinities": 1}),
        # Q gives the first alone: ∞
        ({"[a,d]": "1/4", "[c,d]": "3/4"}, {"default": 0, "infinite-loss": 0, "no-loss": 0, "equal-infinities": 1}),
    ],
)
def test_infinite_losses_by_hand(q: dict[str, Any], weights: dict[str, int]) -> None:
    """P gives the pair (a, b) for certain; the weights are P·e^(-Dep)."""
    law = {(o[1], o[3]): Fraction(p) for o, p in q.items()}
    for reading, weight in at_least_one(weights.items()):
        one, against = dependence({("a", "b"): ONE}, law, reading, "M2 on M1")
        pair = label(["a", "b"])
        assert (against.of(pair) if one.of(pair) else weight) == weight
