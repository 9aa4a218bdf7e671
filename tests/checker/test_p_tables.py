"""Designs of p-tables: what a document proves is re-derived from the conditions; each forgery is refused."""

from __future__ import annotations

import json
from collections.abc import Callable
from copy import deepcopy
from pathlib import Path
from typing import Any

import pytest

from verifier.checker.answers import checked
from verifier.checker.files import answers_of, words_on
from verifier.checker.numbers import Wrong
from verifier.checker.reading import Models

pytestmark = pytest.mark.quick


# Section 4 of the rules: noise of at most 1, variance at most 1; three lines of the row of count 1 prove 1/2.
TABLE = [(0, 0, "1"), (1, 0, "1/2"), (1, 2, "1/2"), (2, 1, "1/4"), (2, 2, "1/2"), (2, 3, "1/4")]
ONE: dict[str, Any] = {
    "kind": "p-table", "max_noise": 1, "variance": "1", "exact_variance": False, "never_1_to": 0, "epsilon": "ln(2)",
    "least_delta": "1/2", "bound": "1/2", "table": [{"i": i, "j": j, "p": p} for i, j, p in TABLE],
    "dual": {
        "pairs": [{"of": 1, "against": 0, "weight": "1", "events": [{"j": 1, "share": "1"}]}],
        "rows": [
            {"i": 1, "sum": "1", "mean": "1/2", "variance": "1/2"}, {"i": 0, "sum": "0", "mean": "-2", "variance": "0"},
        ],
    },
}  # fmt: skip


def test_the_design_of_the_page_is_proved() -> None:
    word = checked(ONE, None)
    assert (word.word, word.why) == (
        "confirmed",
        "the table leaks 1/2, and no table leaks less",
    )


def test_a_file_of_a_design_names_no_model(tmp_path: Path) -> None:
    (tmp_path / "design.json").write_text(json.dumps(ONE), encoding="utf-8")
    (word,) = words_on(answers_of(tmp_path / "design.json"), Models([], {}), tmp_path)
    assert word.word == "confirmed"


def put(*path: Any, to: Any) -> Callable[[dict[str, Any]], None]:
    def act(document: dict[str, Any]) -> None:
        place: Any = document
        for name in path[:-1]:
            place = place[name]
        place[path[-1]] = to

    return act


PAIR, ROW = ("dual", "pairs", 0), ("dual", "rows", 0)
FORGED = [
    (put("least_delta", to="1/3"), "least_delta is 1/2"),
    (put("bound", to="1/3"), "bound is 1/2"),
    (put("bound_decimal", to="0.4"), "bound_decimal is not 1/2"),
    (put("variance", to="2"), "the dual proves that δ is at least 0"),
    (put("variance", to="1/2"), "has the variance 1"),
    (put("max_noise", to=0), "published as what it may not be"),
    (put("max_noise", to=2), "the table ends before"),
    (put("never_1_to", to=1), "the table ends before"),
    (put("exact_variance", to=True), "the noise of the count 2 has the variance 1/2"),
    (lambda d: d["table"].__delitem__(slice(3, 6)), "the table ends before"),
    (lambda d: d["table"].__delitem__(0), "lacks the count 0"),
    (put(*PAIR, "weight", to="2"), "sum to more than 1"),
    (put(*PAIR, "weight", to="-1"), "not from 0"),
    (put(*PAIR, "against", to=3), "the dual compares 1 and 3"),
    (put(*PAIR, "events", 0, "share", to="2"), "not from 0 to the weight"),
    (put(*PAIR, "events", 0, "share", to="-1"), "not from 0 to the weight"),
    (put(*PAIR, "events", 0, "j", to=0), "proves nothing about"),
    (put(*PAIR, "events", 0, "j", to=2), "never becomes"),
    (lambda d: d["dual"]["pairs"].append(d["dual"]["pairs"][0]), "twice"),
    (put(*ROW, "sum", to="2"), "proves nothing about 1"),
    (put(*ROW, "i", to=2), "proves nothing about 2"),
    (put(*ROW, "i", to=9), "a row that the table has not"),
    (put(*ROW, "sum", to="1/2"), "the dual proves that δ is at least 0"),
    (put(*ROW, "variance", to="-1/2"), "a price below 0"),
    (lambda d: d["dual"]["pairs"].clear(), "proves nothing about"),
]


@pytest.mark.parametrize(("change", "reason"), FORGED)
def test_a_forged_design_is_refused(change: Callable[[dict[str, Any]], None], reason: str) -> None:
    document = deepcopy(ONE)
    change(document)
    word = checked(document, None)
    assert word.word == "rejected"
    assert any(part in word.why for part in reason.split("|")), word.why


def test_a_table_that_is_none_is_refused() -> None:
    document = deepcopy(ONE)
    put("table", 1, "p", to="1/3")(document)
    with pytest.raises(Wrong, match="a law has the sum 5/6"):
        checked(document, None)
