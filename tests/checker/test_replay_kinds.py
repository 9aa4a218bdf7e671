"""Every kind of mechanism, as the replay's own reader evaluates it, against outputs worked out by hand."""

from __future__ import annotations

from collections.abc import Mapping
from fractions import Fraction
from typing import Any

import pytest

from verifier.checker.kinds import Kinds
from verifier.checker.labels import Uncovered, outcome, text
from verifier.checker.rejected import Rejected

HALF, THIRD, QUARTER = Fraction(1, 2), Fraction(1, 3), Fraction(1, 4)

CERTAIN: list[tuple[dict[str, Any], list[Any], dict[str, str]]] = [
    ({"kind": "mode"}, [0, 1, 2], {"000": "0", "011": "1", "211": "1", "012": "0", "221": "2", "202": "2",
    "121": "1"}),
    ({"kind": "maximum"}, [1, 0, 2], {"00": "1", "01": "0", "02": "2", "10": "0", "11": "0", "21": "2"}),
    ({"kind": "minimum"}, [1, 0, 2], {"00": "1", "01": "1", "12": "0", "21": "0", "22": "2"}),
    ({"kind": "count", "values": [1, 2]}, [0, 1, 2], {"000": "0", "012": "2", "122": "3"}),
    ({"kind": "parity", "value": 1}, [0, 1], {"000": "0", "010": "1", "011": "0", "111": "1"}),
    ({"kind": "threshold-count", "value": 1, "above": 1}, [0, 1], {"000": "⊥", "010": "⊥", "011": "2", "111": "3"}),
    ({"kind": "threshold-count", "value": 1, "above": 1, "otherwise": 7}, [0, 1], {"00": "7", "11": "2"}),
    ({"kind": "histogram"}, [0, 1], {"000": "[3,0]", "011": "[1,2]"}),
    ({"kind": "histogram", "values": [2, 0]}, [0, 1, 2], {"012": "[1,1]", "022": "[2,1]", "111": "[0,0]"}),
    ({"kind": "k-anonymous-histogram", "k": 2}, [0, 1], {"001": '[2,"⊥"]', "011": '["⊥",2]', "000": '[3,"⊥"]'}),
    ({"kind": "k-anonymous-histogram", "k": 2, "keep": ">"}, [0, 1], {"001": '["⊥","⊥"]', "000": '[3,"⊥"]'}),
    ({"kind": "sum"}, ["1/2", -1, 3], {"00": "1", "01": "-1/2", "02": "7/2", "12": "2", "11": "-2"}),
    ({"kind": "mean"}, [0, 1, 5], {"01": "1/2", "12": "3", "02": "5/2", "112": "7/3"}),
    ({"kind": "linear", "weights": [2, "-1/3"]}, [1, 3], {"00": "5/3", "01": "1", "10": "17/3", "11": "5"}),
    ({"kind": "geometric-mean"}, [1, 2, 8], {"12": "4", "01": "sqrt(2)", "012": "root(16, 3)", "111": "2"}),
    ({"kind": "harmonic-mean"}, [1, 3], {"01": "3/2", "11": "3", "001": "9/7"}),
    ({"kind": "quadratic-mean"}, [1, 7, 0], {"01": "5", "00": "1", "02": "sqrt(1/2)", "001": "sqrt(17)"}),
    ({"kind": "identity"}, ["a", 1], {"01": '["a",1]', "10": '[1,"a"]'}),
    ({"kind": "records", "records": [1]}, ["a", 1], {"01": "[1]", "10": '["a"]'}),
    ({"kind": "records", "records": {"from": 0, "to": 1}}, [0, 1], {"011": "[0,1]"}),
    ({"kind": "apply", "k": 2, "generalization": {"a": "z", "b": 10, "c": 9}}, ["a", "b", "c"],
     {"000": '["z","z","z"]', "001": '["z","z"]', "012": "[]", "1122": "[9,9,10,10]", "0011": '[10,10,"z","z"]'}),
    ({"kind": "part", "records": [2, 0], "of": {"kind": "identity"}}, [0, 1], {"011": "[1,0]", "100": "[0,1]"}),
    ({"kind": "all", "of": [{"kind": "count", "value": 1}, {"kind": "parity", "value": 0}]}, [0, 1],
    {"011": "[2,1]"}),
    ({"kind": "adaptive", "first": {"kind": "count", "value": 1}, "next": {"1": {"kind": "identity"}},
      "otherwise": {"kind": "constant", "output": "no"}}, [0, 1], {"01": "[1,[0,1]]", "11": '[2,"no"]'}),
    ({"kind": "k-anonymization", "k": 2, "generalizations": {"x": {"0": "l", "1": "l"}, "y": {"0": 0, "1": 1}},
      "choose": {"kind": "threshold-count", "value": 1, "above": 1, "otherwise": "x", "then": [
          {"rows": [{"input": "x", "output": "x"}], "otherwise": "y"}]}},
     [0, 1], {"00": '["l","l"]', "01": '["l","l"]', "11": "[1,1]", "110": "[1,1]", "000": '["l","l","l"]'}),
    ({"kind": "count", "value": 1, "then": [{"rows": [{"input": 1, "output": "one"}], "otherwise": "other"}]},
     [0, 1], {"01": "one", "11": "other"}),
]  # fmt: skip


def law(spec: Mapping[str, Any], values: list[Any], database: str) -> dict[str, Fraction]:
    """The output law on a database of places, directly; and by the sum over its records, where there is one."""
    made, row = Kinds([outcome(v) for v in values]).read(spec, len(database)), tuple(map(int, database))
    found = {text(o): p for o, p in made.law(row)}
    if made.sum is not None:
        assert {text(o): p for o, p in made.sum.law(row)} == found
    return found


@pytest.mark.parametrize(
    ("spec", "values", "outputs"), CERTAIN, ids=[f"{k} {s['kind']}" for k, (s, *_) in enumerate(CERTAIN)]
)
def test_kinds(spec: dict[str, Any], values: list[Any], outputs: dict[str, str]) -> None:
    assert {database: law(spec, values, database) for database in outputs} == {
        database: {output: Fraction(1)} for database, output in outputs.items()
    }


COUNT = {"kind": "count", "value": 1}
RANDOM: list[tuple[dict[str, Any], str, dict[str, Fraction]]] = [
    ({**COUNT, "sample": "1/3"}, "011", {"0": Fraction(4, 9), "1": Fraction(4, 9), "2": Fraction(1, 9)}),
    ({"kind": "randomized-response", "keep": "1/2", "records": [0]}, "01", {"[0]": Fraction(3, 4), "[1]": QUARTER}),
    ({**COUNT, "then": [{"kind": "randomized-response", "keep": "1/3"}]}, "1", {"1": Fraction(2, 3), "0": THIRD}),
    ({"kind": "identity", "then": [{"kind": "randomized-response", "keep": 0}]}, "01",
     dict.fromkeys(("[0,0]", "[0,1]", "[1,0]", "[1,1]"), QUARTER)),
    ({"kind": "choice", "of": [{"weight": "1/4", "mechanism": COUNT},
                               {"name": "p", "weight": "3/4", "mechanism": {"kind": "parity", "value": 1}}]},
     "11", {"2": QUARTER, "0": Fraction(3, 4)}),
    ({"kind": "choice", "shown": True, "of": [{"weight": "1/4", "mechanism": COUNT},
                                              {"name": "p", "weight": "3/4", "mechanism": COUNT}]},
     "11", {'["#1",2]': QUARTER, '["p",2]': Fraction(3, 4)}),
    ({**COUNT, "then": [{"kind": "geometric-noise", "p": "1/2"}]}, "01",
     {"< 0": Fraction(1, 6), "0": Fraction(1, 6), "1": THIRD, "2": Fraction(1, 6), "> 2": Fraction(1, 6)}),
    ({**COUNT, "then": [{"kind": "geometric-noise", "p": "1/2"},
                        {"rows": [{"input": 2, "output": "a"}, {"input": "> 2", "output": "a"}], "otherwise": "b"}]},
     "0", {"a": Fraction(1, 3) * HALF, "b": Fraction(5, 6)}),
    ({"kind": "threshold-count", "value": 1, "above": 1, "then": [{"kind": "geometric-noise", "p": "1/2"}]},
     "01", {"⊥": Fraction(1)}),
    ({"rows": [{"database": [0, 1], "outputs": {"x": "1/3", "y": "2/3"}}], "otherwise": {"x": 1}}, "01",
     {"x": THIRD, "y": Fraction(2, 3)}),
]  # fmt: skip


def test_noise_on_the_outputs_of_too_many_databases_is_not_read() -> None:
    """2^18 databases are more than 131,072, and their outputs would be looked at one by one; a count has 18."""
    noisy = {"then": [{"kind": "geometric-noise", "p": "1/2"}]}
    values = Kinds([outcome(0), outcome(1)])
    with pytest.raises(Uncovered, match="the outputs of very many databases"):
        values.read({"rows": [{"database": [1] * 18, "output": 1}], "otherwise": 0, **noisy}, 18).law((1,) * 18)
    assert len(values.read({**COUNT, **noisy}, 18).law((1,) * 18)) == 18 + 3


@pytest.mark.parametrize(
    "law", [{"x": "3/2", "y": "-1/2"}, {"x": "1/2"}, {"x": "1", "y": "1/2"}, {"x": "-1", "y": "2"}]
)
def test_a_table_of_probabilities_that_is_no_law_is_refused(law: dict[str, str]) -> None:
    """Also one that sums to 1, with a negative entry."""
    with pytest.raises(Rejected, match=r"a table of probabilities that is no law|where a probability stands"):
        Kinds([outcome(0)]).law_of(law)


@pytest.mark.parametrize(("spec", "database", "expected"), RANDOM, ids=range(len(RANDOM)))
def test_random_kinds(spec: dict[str, Any], database: str, expected: dict[str, Fraction]) -> None:
    assert law(spec, [0, 1], database) == expected
    assert sum(expected.values()) == 1
