"""Labels of a model file, as the checker's own reader reads them: equal where their texts are.

That lists are read alike by both readers, in whole files, is in test_two_readers.
"""

from __future__ import annotations

from collections.abc import Mapping
from fractions import Fraction
from typing import Any

import pytest

from verifier.checker import Rejected
from verifier.checker.model.labels import Uncovered, entries, outcome, text
from verifier.checker.model.mechanisms import Kinds
from verifier.checker.properties.anonymity import replay_anonymity
from verifier.checker.properties.dependency import outputs_of_two

pytestmark = pytest.mark.quick


SPELLINGS: list[tuple[str, list[Any]]] = [
    ("1", [1, "1"]),
    ("true", [True, "true"]),
    ("01", ["01"]),
    ("+1", ["+1"]),
    ("1.0", ["1.0"]),
    ("-0", ["-0"]),
    ("", [""]),
    ("a", ["a"]),
    ("[1,1]", [[1, 1], ["1", 1], ["1", "1"], "[1,1]", "[1, 1]", ' [ "1",1 ] ', '["1","1"]']),
    ("[-7,0]", [[-7, 0], ["-7", "0"], "[-7,-0]"]),
    ('["01"]', [["01"], '[ "01" ]']),
    ('["-0"]', [["-0"]]),
    ("[true,false]", [[True, "false"], '["true", false]']),
    ("[[1],[]]", [[[1], []], ["[1]", "[]"], [["1"], "[ ]"], '["[ 1 ]", []]']),
    ('["a","⊥"]', [["a", "⊥"], '["a", "\\u22a5"]']),
    ('["1/2"]', [["1/2"]]),
    ("[1,", ["[1,"]),
    ("[1.0]", ["[1.0]"]),
    ("[1e1]", ["[1e1]"]),
    ("[null]", ["[null]"]),
    ("[NaN]", ["[NaN]"]),
    ('[{"a":1}]', ['[{"a":1}]']),
    ('{"a":1}', ['{"a":1}']),
]


@pytest.mark.parametrize(("written", "spellings"), SPELLINGS, ids=[written for written, _ in SPELLINGS])
def test_a_label_has_one_text(written: str, spellings: list[Any]) -> None:
    assert {text(outcome(one)) for one in spellings} == {written}
    assert text(outcome(written)) == written


def test_different_labels_have_different_texts() -> None:
    assert len({written for written, _ in SPELLINGS}) == len(SPELLINGS)


def test_the_entries_of_a_list_are_read_from_its_one_spelling() -> None:
    assert entries('[1,"a",[true]]') == ["1", "a", "[true]"]
    assert entries("[]") == []
    for other in ("1", "a", "[1, 1]", '["1"]', "[1.0]", "[1"):
        assert entries(other) is None


@pytest.mark.parametrize("deep", ["[" * 102 + "]" * 102, "[" * 10**5 + "]" * 10**5])
def test_a_deep_label_is_refused(deep: str) -> None:
    with pytest.raises(Rejected, match=r"lists inside|nested too deeply"):
        outcome(deep)


@pytest.mark.parametrize("wrong", [0.5, None, {"a": 1}])
def test_what_is_no_label_is_refused(wrong: object) -> None:
    with pytest.raises(Rejected, match="where a label stands"):
        outcome(wrong)


# --- labels as keys ---------------------------------------------------------------------------------------------------


def kinds(values: list[Any]) -> Kinds:
    return Kinds([outcome(v) for v in values])


def law(spec: Mapping[str, Any], values: list[Any], *database: int) -> dict[str, Fraction]:
    return {text(o): p for o, p in kinds(values).read(spec, len(database)).law(tuple(database))}


@pytest.mark.parametrize(
    ("spec", "reason"),
    [
        ({"rows": [{"database": [1], "output": "x"}, {"database": ["1"], "output": "y"}]},
        "two rows on one database"),
        (
            {"kind": "identity", "then": [{"rows": [{"input": "[1]", "output": "x"}, {"input": ["1"],
            "output": "y"}]}]},
            "two rows for one input",
        ),
        *(
            ({"kind": "count", "value": 1, "then": [{"rows": [{"input": wrong, "output": "x"}], "otherwise": "y"}]},
             "Expected an output of the mechanism before it")
            for wrong in ("01", "+1", "1.0", "[1.0,1]")
        ),
        ({"rows": [{"database": [1], "outputs": {"[1]": "1/2", "[ 1]": "1/2"}}]}, "two keys that are one label"),
        ({"kind": "apply", "k": 1, "generalization": {"[1]": 1, "[ 1]": 2}}, "two keys that are one label"),
    ],
)  # fmt: skip
def test_one_label_stands_in_one_place(spec: Mapping[str, Any], reason: str) -> None:
    with pytest.raises(Rejected, match=reason):
        law(spec, [1], 0)


def test_the_two_outputs_of_a_pair_are_compared_by_text() -> None:
    """`dependency` takes lists of two apart; `1` and the list `[1]` are different, other spellings are refused."""
    assert outputs_of_two({("a",): {'[1,"x"]': Fraction(1)}, ("b",): {'[[1],"x"]': Fraction(1)}}) == {
        '[1,"x"]': ("1", "x"), '[[1],"x"]': ("[1]", "x"),
    }  # fmt: skip
    for wrong in ('["1","x"]', "x", "[1,2,3]"):
        with pytest.raises(Rejected, match="is no list of two"):
            outputs_of_two({("a",): {wrong: Fraction(1)}})


def test_a_number_and_a_truth_value_are_different_tuples() -> None:
    """Python counts true as 1; published tables do not."""
    certificate: dict[str, Any] = {
        "property": "k-anonymity", "values": ["a"], "sizes": [1, 1], "ordered": True, "rate": "1", "named": False,
        "mechanism": [[["a"], {"[1,true]": "1"}]],
        "answer": {"verdict": "fails", "k": 2, "largest": 1,
                   "witness": {"database": ["a"], "output": "[1,true]", "tuple": "true", "times": 1}},
    }  # fmt: skip
    replay_anonymity(certificate)
    certificate["answer"] = {"verdict": "holds", "k": 2, "largest": 2, "witness": None}
    with pytest.raises(Rejected, match="largest: the answer says 2, the checker finds 1"):
        replay_anonymity(certificate)


# --- what is not read -------------------------------------------------------------------------------------------------


def test_noise_on_the_outputs_of_too_many_databases_is_not_read() -> None:
    """2^18 databases are more than 131,072, and their outputs would be looked at one by one; a count has 18."""
    noisy = {"then": [{"kind": "geometric-noise", "p": "1/2"}]}
    values = kinds([0, 1])
    with pytest.raises(Uncovered, match="the outputs of very many databases"):
        values.read({"rows": [{"database": [1] * 18, "output": 1}], "otherwise": 0, **noisy}, 18).law((1,) * 18)
    assert len(values.read({"kind": "count", "value": 1, **noisy}, 18).law((1,) * 18)) == 18 + 3


@pytest.mark.parametrize(
    "law", [{"x": "3/2", "y": "-1/2"}, {"x": "1/2"}, {"x": "1", "y": "1/2"}, {"x": "-1", "y": "2"}]
)
def test_a_table_of_probabilities_that_is_no_law_is_refused(law: dict[str, str]) -> None:
    """Also one that sums to 1, with a negative entry."""
    with pytest.raises(Rejected, match=r"a table of probabilities that is no law|where a probability stands"):
        kinds([0]).law_of(law)
