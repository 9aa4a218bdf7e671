"""Table 1 and the numbers around it (sections 1 and 2.4): Theorem 1 from β₁ = 1, in decimals."""

from __future__ import annotations

from fractions import Fraction

import z3

from verifier.wings.papers.ledger.laws import ONE, exp_bracket
from verifier.wings.papers.ledger.steps import Steps, equal, identity, less, positive, unsatisfiable


def _rounds(value: Fraction | int, printed: str) -> tuple[str, str]:
    """Check that ln(value) is between the two ends of the numbers that round to `printed`."""
    unit = Fraction(1, 10 ** len(printed.partition(".")[2]))
    low, high = Fraction(printed) - unit / 2, Fraction(printed) + unit / 2
    return (
        less(exp_bracket(low)[1], value, f"e^({low}), from above, and e^ε"),
        less(value, exp_bracket(high)[0], f"e^ε and e^({high}), from below"),
    )


def example_of_the_introduction() -> Steps:
    """From ln 2 ≈ 0.69, on a sample at rate 0.1, to ln 1.1 ≈ 0.095."""
    return (
        equal(1 + Fraction("0.1") * (2 - 1), Fraction("1.1"), "1 + 0.1·(2 - 1)"),
        *_rounds(2, "0.69"),
        *_rounds(Fraction("1.1"), "0.095"),
    )


def _left(rate: str, factor: str, printed: str, delta: str) -> Steps:
    b, e = Fraction(rate), Fraction(factor)
    return (
        equal(1 + b * (11 - 1), e, f"e^ε at β = {rate}"),
        *_rounds(e, printed),
        equal(b * Fraction(1, 10**5), Fraction(delta), f"δ at β = {rate}"),
    )


def left_1() -> Steps:
    """Row β = 1: e^ε = 11, ε ≈ 2.40, δ = 10⁻⁵."""
    return _left("1", "11", "2.40", "0.00001")


def left_2() -> Steps:
    """Row β = 0.1: e^ε = 2, ε ≈ 0.69, δ = 10⁻⁶."""
    return _left("0.1", "2", "0.69", "0.000001")


def left_3() -> Steps:
    """Row β = 0.01: e^ε = 1.1, ε ≈ 0.095, δ = 10⁻⁷."""
    return _left("0.01", "1.1", "0.095", "0.0000001")


def _right(rate: str, printed: str) -> Steps:
    """Compare ln(1 + β(e - 1)) with a printed decimal, with e in a bracket of rationals."""
    low, high = (1 + Fraction(rate) * (bound - 1) for bound in exp_bracket(ONE))
    return _rounds(low, printed)[0], _rounds(high, printed)[1]


def right_1() -> Steps:
    """Row β = 1: ε = 1."""
    e = positive("E")
    return (identity(1 + 1 * (e - 1), e, "e^ε at β = 1 is e"),)


def right_2() -> Steps:
    """Row β = 0.1: ε = 0.159, which is 0.15856… rounded."""
    return _right("0.1", "0.159")


def right_3() -> Steps:
    """Row β = 0.01: ε = 0.017, which is 0.01703… rounded."""
    return _right("0.01", "0.017")


def twice_the_rate() -> Steps:
    """1-DP at rate β is (2β)-DP: 1 + β(e - 1) < e^2β, since e^x > 1 + x for x > 0; and 0.159 < 0.2."""
    b, e = z3.Reals("b e")
    return (
        less(exp_bracket(ONE)[1], 3, "e"),
        unsatisfiable([b > 0, b <= 1, e < 3, 1 + b * (e - 1) >= 1 + 2 * b], "1 + β(e - 1) < 1 + 2β < e^2β"),
        less(Fraction("0.159"), 2 * Fraction("0.1"), "0.159 and 2β at β = 0.1"),
    )
