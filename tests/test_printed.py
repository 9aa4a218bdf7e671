"""What `print` shows of answers with many rows: aligned plain text of at most 100 characters a line."""

from __future__ import annotations

import re
from fractions import Fraction
from typing import Any

import verifier as pk
from verifier.definitions.answer import CELL, columns, cut_to, left_out, number
from verifier.model.library import models_folder

EXAMPLE = pk.read(models_folder() / "DMKB20" / "example-7-five-voters.toml")


def model(**keys: Any) -> pk.Model:
    law = {"iid": {0: "3/4", 1: "1/4"}}
    given = {"title": "sum", "size": 2, "values": [0, 1], "distribution": law, "mechanism": {"kind": "sum"}}
    return pk.build(**given | keys)


def test_a_passport_is_an_aligned_table() -> None:
    lines = str(pk.passport(model())).splitlines()
    assert lines[:2] == ["sum", "Asked for some finite ε, with δ = 0."]
    assert re.split(r"\s{2,}", lines[2]) == ["definition", "verdict", "smallest ε", "δ at ε = 0", "δ at ε = inf"]
    (row,) = (line for line in lines if line.startswith("np "))
    assert [cell.strip() for cell in row.split("  ") if cell] == ["np", "fails", "inf", "3/4 (0.75)", "3/4 (0.75)"]
    starts = {line.index("inf") for line in lines[3:] if line.split()[1] == "fails" and line.split()[2] == "inf"}
    assert len(starts) == 1


def test_a_passport_at_an_epsilon_has_its_delta_and_reasons_once() -> None:
    rows = [{"database": [a, b], "value": a} for a in (0, 1) for b in (0, 1)]
    text = str(pk.passport(model(sensitive={"rows": rows}), epsilon="1/10", delta="1/3"))
    assert "Asked at ε = 1/10, with δ = 1/3." in text
    assert "smallest δ\n" in text
    assert "\ncdp: cdp replaces the value of a record" in text
    assert "restricted to the sensitive function" in text.splitlines()[0]


def test_what_is_vacuous_or_has_no_smallest_epsilon_has_dashes() -> None:
    """Two numbers at both ends where no ε was asked, and one at the asked ε."""
    rows = [{"database": [a, b], "value": a} for a in (0, 1) for b in (0, 1)]
    vacuous, none = model(knowledge={"records": [0, 1]}), model(sensitive={"rows": rows})
    for given, name, verdict in ((vacuous, "np", "vacuous"), (none, "cdp", "unsupported")):
        for epsilon, dashes in ((None, 3), ("1/10", 2)):
            (row,) = (
                line for line in str(pk.passport(given, epsilon=epsilon)).splitlines() if line.startswith(f"{name} ")
            )
            assert row.split() == [name, verdict, *["–"] * dashes]


def test_no_line_is_longer_than_100_characters() -> None:
    long = model(
        title="x" * 300,
        values=["a" * 150, "b"],
        distribution={"iid": {"a" * 150: "1/3", "b": "2/3"}},
        mechanism={"kind": "identity"},
    )
    for given in (long, EXAMPLE, model(title="<script>")):
        answers = (
            pk.passport(given),
            pk.passport(given, epsilon="1/10"),
            pk.loss(given, record=given.size // 2),
            pk.acceptable(given),
        )
        for printed in answers:
            assert max(map(len, str(printed).splitlines())) <= 100, str(printed)
    assert cut_to("a\u202eb", 20) == "a\\u202eb"


def test_a_loss_table_has_every_knowledge_value_and_says_what_it_leaves_out() -> None:
    text = str(pk.loss(EXAMPLE, record=2))
    assert text.splitlines()[1] == "Privacy loss of D(2) = 0 against D(2) = 1"
    assert text.count("of probability") == 4
    many = model(size=6, knowledge={"records": [0, 1, 2, 3]}, mechanism={"kind": "identity"})
    table = pk.loss(many, record=5)
    assert len(table.knowledge) == 16
    assert str(table).splitlines()[-1] == "… and 4 more knowledge values"
    known = model(knowledge={"records": [0]})
    assert "it excludes D(0) = 1: nothing is compared" in str(pk.loss(known, record=0))


def test_acceptability_says_why() -> None:
    answers = pk.acceptable(model(knowledge={"records": [0]}))
    assert str(answers).splitlines() == [
        '"#1", D(0): not acceptable',
        "  B = [0] makes D(0) = 0 certain, B = [1] makes it 1: the knowledge determines the sensitive value",
        '"#1", D(1): acceptable',
        "  φ₀ ~ {0: 3/4, 1: 1/4}, φ₁ = B",
    ]
    assert str(answers[1]) == "\n".join(str(answers).splitlines()[2:])
    assert "more answers" in str(pk.acceptable(model(size=30)))


def test_long_cells_give_way_and_numbers_stay_numbers() -> None:
    text = columns(["a", "b"], [["x" * 150, "1/3"]])
    assert [len(line) <= 100 for line in text.splitlines()] == [True, True]
    assert max(map(len, text.splitlines())) == 100
    assert text.endswith("…  1/3")
    assert number(pk.epsilon("ln(3)")) == "ln(3) (1.09861)"
    assert number(pk.epsilon(f"ln({10**40})")) == "≈ 92.1034"
    assert number(None) == "–"


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
