"""The p-table that leaks least: known values, the properties by their definition, and no forged proof is accepted."""

from __future__ import annotations

import tomllib
from collections.abc import Iterator
from copy import deepcopy
from fractions import Fraction
from itertools import pairwise, product
from pathlib import Path
from typing import Any

import pytest
from examined import at_least_one

import verifier as pk
from verifier.checker.answers import checked
from verifier.checker.reading import read_json
from verifier.cli.main import run
from verifier.definitions.answer import ALL_DIGITS
from verifier.numbers.guess import has_highs

DESIGNS = tomllib.loads((Path(__file__).parent / "designs.toml").read_text(encoding="utf-8"))["design"]
ASKED = [
    ({name: value for name, value in one.items() if name != "delta"}, epsilon, delta)
    for one in DESIGNS
    for epsilon, delta in one["delta"].items()
]


ALSO_ALONE = ({"max_noise": 5, "variance": "3", "never_1_to": 2}, "ln(2)")


def leaked(table: dict[int, dict[int, Fraction]], t: Fraction) -> Fraction:
    """The δ of a table by its definition, with two more rows of the last one's noise."""
    last = max(table)
    rows = {**table, **{i: {j + i - last: p for j, p in table[last].items()} for i in (last + 1, last + 2)}}
    return max(
        sum((max(Fraction(0), p - t * rows[b].get(j, Fraction(0))) for j, p in rows[a].items()), Fraction(0))
        for pair in pairwise(sorted(rows))
        for a, b in (pair, pair[::-1])
    )


@pytest.mark.parametrize(("asked", "epsilon", "delta"), ASKED, ids=str)
def test_known_values(asked: dict[str, Any], epsilon: str, delta: str) -> None:
    if asked["max_noise"] > 3 and (asked, epsilon) != ALSO_ALONE and not has_highs():
        pytest.skip("highspy of the extra `linear` is not installed, and the simplex method takes long")
    designed = pk.design_table(**asked, epsilon=epsilon)
    assert designed.least_delta == Fraction(delta)
    noise, variance, never = asked["max_noise"], Fraction(asked["variance"]), asked.get("never_1_to", 0)
    for i, row in at_least_one(designed.table.items()):
        assert sum(row.values()) == 1
        assert sum(j * p for j, p in row.items()) == i
        spread = sum((j - i) ** 2 * p for j, p in row.items())
        assert spread == variance if asked.get("exact_variance") and i else spread <= variance
        assert all(p > 0 and abs(i - j) <= noise and (j == 0 or j > never) for j, p in row.items())
    t = pk.epsilon(epsilon).rational_exp
    assert t is not None
    assert leaked(designed.table, t) == designed.least_delta >= designed.constraints.bound


def test_the_dual_by_hand_is_one() -> None:
    """What 1 shows against 0 is at least x(3 - x)/2 = 1 + (x - 1)/2 - (x - 1)²/2 on average, which is 1/2."""
    answer = pk.design_table(max_noise=1, variance=1, epsilon="ln(2)").to_json(ALL_DIGITS)
    answer["dual"] = {
        "pairs": [{"of": 1, "against": 0, "weight": "1", "events": [{"j": 1, "share": "1"}]}],
        "rows": [{"i": 1, "sum": "1", "mean": "1/2", "variance": "1/2"}],
    }
    assert checked(answer, None).why == "the dual proves nothing about 0 published as 1"
    answer["dual"]["rows"].append({"i": 0, "sum": "0", "mean": "-2", "variance": "0"})  # 0 stays 0: unbiased, not below
    assert checked(answer, None).word == "confirmed"


def numbers_in(value: Any) -> Iterator[tuple[Any, Any]]:
    """Every place of a number in JSON: its container and its key."""
    for key, one in list(value.items() if isinstance(value, dict) else enumerate(value)):
        if isinstance(one, dict | list):
            yield from numbers_in(one)
        elif not isinstance(one, bool) and key not in {"schema", "kind"}:
            yield value, key


def test_no_other_number_is_confirmed() -> None:
    """Each number of the answer, table and dual, one at a time, a little larger or smaller."""
    honest = pk.design_table(max_noise=2, variance="3/2", never_1_to=1, epsilon="ln(2)").to_json(ALL_DIGITS)
    assert checked(honest, None).word == "confirmed"
    forged = deepcopy(honest)
    looser = set()
    for (inside, key), change in product(at_least_one(list(numbers_in(forged))), (1, -1)):
        kept = inside[key]
        if isinstance(kept, int):
            inside[key] = kept + change
        elif key == "epsilon":
            inside[key] = "ln(3)"
        else:
            inside[key] = str(Fraction(kept) + Fraction(change, 7))
        try:
            if checked(forged, None).word == "confirmed":
                looser.add((key, change))
        except pk.PkdpError as error:  # pragma: no cover
            raise AssertionError from error
        except Exception as error:  # noqa: BLE001  (`Wrong`: what is no count, no weight)
            assert type(error).__name__ == "Wrong"  # noqa: PT017
        inside[key] = kept
    assert looser <= {("max_noise", 1), ("weight", -1), ("mean", 1), ("mean", -1)}


def test_the_file_of_the_command_is_a_rule(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    """What --format csv prints is the table, and `cell keys FILE` reads it; --json is what the checker reads."""
    asked = ["rule", "--design", "--max-noise", "1", "--variance", "1", "--epsilon", "0"]
    designed = pk.design_table(max_noise=1, variance=1, epsilon=0)
    file = tmp_path / "table.csv"
    with pytest.raises(SystemExit, match="0"):
        run([*asked, "--format", "csv"])
    file.write_text(capsys.readouterr().out, encoding="utf-8")
    assert file.read_text(encoding="utf-8") == designed.csv
    answer = pk.rule(f"cell keys {file}", people=2, known=1, probability="1/2", epsilon=0)
    exact = [leaked_by(designed.table, i) for i in range(2)]
    assert answer.one_table.active.tight_delta == max(exact)
    with pytest.raises(SystemExit, match="0"):
        run([*asked, "--json"])
    printed = read_json(capsys.readouterr().out)
    assert checked(printed, None).word == "confirmed"
    assert printed["least_delta"] == "1/2"


def leaked_by(table: dict[int, dict[int, Fraction]], i: int) -> Fraction:
    """How far apart the rows of i and i + 1 are at ε = 0."""
    outputs = {*table[i], *table[i + 1]}
    zero = Fraction(0)
    return sum((max(zero, table[i].get(j, zero) - table[i + 1].get(j, zero)) for j in outputs), zero)


def test_a_weight_is_the_most_that_a_test_may_be() -> None:
    answer = pk.design_table(max_noise=1, variance=1, epsilon="ln(2)").to_json(ALL_DIGITS)
    answer["dual"] = {
        "pairs": [{"of": 1, "against": 0, "weight": "1", "events": [{"j": 1, "share": "3"}]}],
        "rows": [
            {"i": 1, "sum": "2", "mean": "1/2", "variance": "3/2"},
            {"i": 0, "sum": "0", "mean": "-6", "variance": "0"},
        ],
    }
    assert checked(answer, None).why == "the share of 1 is not from 0 to the weight of 1 and 0"


def test_the_answer_as_text_is_read_by_the_checker() -> None:
    import json

    text = json.dumps(pk.design_table(max_noise=1, variance=1, epsilon="ln(2)").to_json())
    assert checked(read_json(text), None).why == "the table leaks 1/2, and no table leaks less"


@pytest.mark.parametrize(
    ("asked", "problem"),
    [
        ({"max_noise": 0, "variance": 1}, "max_noise"),
        ({"max_noise": 1, "variance": 1, "never_1_to": 2}, "never reaches"),
        ({"max_noise": 3, "variance": 1, "never_1_to": 2}, "a count of 1 is published as 0 or as more than 2"),
        ({"max_noise": 3, "variance": 4, "exact_variance": True}, "has no variance of 4"),
        ({"max_noise": 3, "variance": -1}, "too small"),
        ({"max_noise": 3, "variance": 0.5}, "float"),
        ({"max_noise": 3, "variance": 1, "epsilon": "1/2"}, "not rational"),
        ({"max_noise": 300, "variance": 1}, "large program"),
    ],
    ids=str,
)
def test_what_no_table_has_is_refused(asked: dict[str, Any], problem: str) -> None:
    with pytest.raises(pk.PkdpError, match=problem):
        pk.design_table(**{"epsilon": "ln(2)", **asked})
