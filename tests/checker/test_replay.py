"""The independent re-check: accepts what `check` produces, rejects what was forged, and shares no code."""

from __future__ import annotations

import pytest
from hypothesis import given, settings
from strategies import Case, cases

import verifier as pk
from verifier.checker import answers as replay
from verifier.engine import Engine

EPSILONS = ["0", "ln(2)", "1/10", "2*ln(3)/5", "1/2*ln(2)", "inf", None]


@pytest.mark.sweep(2)
@given(cases())
@settings(max_examples=20)
def test_every_answer_is_replayed(case: Case) -> None:
    model = pk.build(**case.keys)
    engine = Engine(model)
    for definition in pk.DEFINITIONS.values():
        for number, reading in enumerate(definition.readings):
            for k, epsilon in enumerate(EPSILONS[number % 2 :: 2]):
                delta = ["0", "1/7", "1/2"][k % 3]
                found = pk.check(model, definition, epsilon=epsilon, delta=delta, reading=reading, engine=engine)
                assert found.verdict == "unsupported" or found.replayed is True


# --- the checker itself -----------------------------------------------------------------------------------


@pytest.mark.parametrize("text", ["0", "ln(2)", "1/2*ln(2)", "1/10", "3", "2/5*ln(3)"])
def test_the_checkers_order_is_the_packages(text: str) -> None:
    from fractions import Fraction

    from verifier.numbers import compare, epsilon

    e = replay.Exponential(text)
    for top in range(-8, 9):
        for bottom in range(-8, 9):
            assert (
                e.sign(Fraction(top), Fraction(bottom, 3))
                == compare(Fraction(top), Fraction(bottom, 3), epsilon(text)).value
            )
