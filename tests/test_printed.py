"""The cells of what `print` shows: numbers stay numbers, and what is left out is counted."""

from __future__ import annotations

from fractions import Fraction

import verifier as pk
from verifier.definitions.answer import CELL, columns, cut_to, left_out, number


def test_long_cells_give_way_and_numbers_stay_numbers() -> None:
    text = columns(["a", "b"], [["x" * 150, "1/3"]])
    assert [len(line) <= 100 for line in text.splitlines()] == [True, True]
    assert max(map(len, text.splitlines())) == 100
    assert text.endswith("…  1/3")
    assert number(pk.epsilon("ln(3)")) == "ln(3) (1.09861)"
    assert number(pk.epsilon(f"ln({10**40})")) == "≈ 92.1034"
    assert number(None) == "–"
    assert cut_to("a\u202eb", 20) == "a\\u202eb"


def test_a_cell_has_the_decimal_of_a_short_number_where_both_fit() -> None:
    """22 characters in all; what is longer than 14 is shown by its decimal alone."""
    assert number(Fraction(12345, 67891)) == "12345/67891 (0.181836)"
    assert number(Fraction(12347, 678911)) == "12347/678911"
    assert number(Fraction(1234567, 6789101)) == "≈ 0.181845"
    numbers = [Fraction(10**i + 1, 10**j + 3) for i in range(12) for j in range(12)]
    assert all(len(number(each)) <= CELL for each in numbers)


def test_one_row_that_is_left_out_is_said_too() -> None:
    assert [left_out(number_of, "row") for number_of in (-1, 0, 1, 2, 1234)] == [
        [],
        [],
        ["… and 1 more row"],
        ["… and 2 more rows"],
        ["… and 1,234 more rows"],
    ]


def test_where_nothing_is_compared_there_is_no_number() -> None:
    """The record is known, so that no two values are compared: dashes, though every ε is enough."""
    known = pk.build(
        size=1, values=[0, 1], distribution={"iid": {0: "1/2", 1: "1/2"}}, mechanism={"kind": "identity"},
        knowledge={"records": [0]},
    )  # fmt: skip
    assert pk.check(known, "np").numbers() == ["–"] * 3
    assert pk.check(known, "np", epsilon=0).numbers() == ["–"] * 2
