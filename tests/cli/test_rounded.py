"""A decimal for ε that is a rounded logarithm is taken as it stands, and a note says so where something fails."""

from __future__ import annotations

import pytest

from verifier.cli.targets import note_on, rounded_logarithm
from verifier.numbers import epsilon


@pytest.mark.parametrize(
    ("text", "logarithm"),
    [
        ("0.69", "ln(2)"), ("0.70", "ln(2)"), (" 0.6931 ", "ln(2)"), ("0.6932", "ln(2)"), (".69", "ln(2)"),
        ("1.10", "ln(3)"), ("2.30258", "ln(10)"),
        ("0.68", None), ("0.71", None), ("0.7", None), ("0.6930", None), ("69/100", None), ("1", None), ("ln(2)", None),
        ("x", None), (None, None), (f"0.69{'0' * 40}", None),
    ],
)  # fmt: skip
def test_which_decimals_are_near_a_logarithm(text: str | None, logarithm: str | None) -> None:
    assert (str(rounded_logarithm(text)) if rounded_logarithm(text) else None) == logarithm


def test_the_smallest_epsilon_of_the_answer_comes_first() -> None:
    assert str(rounded_logarithm("0.69", [epsilon("ln(200/101)")])) == "ln(200/101)"
    assert note_on("1.0586", [epsilon("ln(49/17)"), None, epsilon("inf")]) == (
        'ε = 1.0586 is 5293/5000 and not ln(49/17), which is written --epsilon "ln(49/17)"'
    )
    assert rounded_logarithm("0.50", [epsilon("1/2")]) is None
