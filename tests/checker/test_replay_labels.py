"""Labels and steps of a model file, as the replay's own reader reads them: equal where their texts are."""

from __future__ import annotations

import json
from collections.abc import Mapping
from fractions import Fraction
from itertools import permutations
from typing import Any

import pytest

from verifier.checker import Rejected
from verifier.checker.model.file import File
from verifier.checker.model.labels import Uncovered, entries, outcome, text
from verifier.checker.model.mechanisms import Kinds
from verifier.checker.properties.anonymity import replay_anonymity
from verifier.checker.properties.dependency import outputs_of_two
from verifier.model.write import inline

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


# --- whole files, their sections in every order -------------------------------------------------------------------

SECTIONS: dict[str, Any] = {
    "size": 2,
    "values": ["yes", "no"],
    "distribution": [{"iid": {"yes": "1/2", "no": "1/2"}}],
    "mechanism": {
        "kind": "apply",
        "k": 2,
        "generalization": {"yes": 1, "no": 2},
        "then": [{"rows": [{"input": "[1,1]", "output": "A"}], "otherwise": "B"}],
    },
    "knowledge": {
        "table": [{"database": list(d), "outputs": {"1": "1/2", "2": "1/2"}}
                  for d in (("yes", "yes"), ("yes", "no"), ("no", "yes"), ("no", "no"))],
    },
}  # fmt: skip
FIRES = {("yes", "yes"): "A", ("yes", "no"): "B", ("no", "yes"): "B", ("no", "no"): "B"}


def reads(sections: Mapping[str, Any]) -> dict[tuple[str, ...], dict[str, Fraction]]:
    """The mechanism of a file: the law on every database, by texts."""
    file = File("".join(f"{key} = {inline(one)}\n" for key, one in sections.items()).encode(), None)
    file.tables()
    made = file.kinds.read(file.table["mechanism"], file.size)
    return {(a, b): {text(o): p for o, p in made.law(file.database([a, b]))} for a in file.texts for b in file.texts}


@pytest.mark.parametrize("order", list(permutations(["distribution", "mechanism", "knowledge"])))
@pytest.mark.parametrize("written", ["[1,1]", "[1, 1]", '["1","1"]', '["1", 1]'])
def test_a_row_fires_whatever_was_spelled_first(order: tuple[str, ...], written: str) -> None:
    sections = json.loads(json.dumps(SECTIONS))
    sections["mechanism"]["then"][0]["rows"][0]["input"] = written
    found = reads({key: sections[key] for key in ("size", "values", *order)})
    assert found == {database: {output: Fraction(1)} for database, output in FIRES.items()}


def test_a_row_that_names_no_output_is_refused() -> None:
    for wrong in ("01", "+1", "1.0", "[1.0,1]"):
        sections = json.loads(json.dumps(SECTIONS))
        sections["mechanism"]["then"][0]["rows"][0]["input"] = wrong
        with pytest.raises(Rejected, match="wanted an output of the mechanism before it"):
            reads(sections)


THIRDS = {"yes": "1/3", "no": "2/3"}
TWINS = [{"database": ["yes", "yes"], "probability": "1/4"}, {"database": ["no", "no"], "probability": "3/4"}]


def components(shape: Mapping[str, Any], size: int) -> list[Any]:
    """The weight and the groups of each component of a shape, with databases by texts."""
    file = File(f"size = {size}\nvalues = ['yes', 'no']\nmechanism = {{kind = 'identity'}}\n".encode(), None)
    return [
        (component.weight, [(records, {tuple(file.texts[v] for v in d): p for d, p in law.items()})
                            for records, law in component.groups])
        for component in file.components(shape, size)
    ]  # fmt: skip


def test_groups_stand_side_by_side_as_often_as_is_said() -> None:
    """Two pairs of records that are alike, then a pair of two separate ones, then one record."""
    pair = {("yes", "yes"): Fraction(1, 4), ("no", "no"): Fraction(3, 4)}
    alone = {("yes",): Fraction(1, 3), ("no",): Fraction(2, 3)}
    groups = [{"size": 2, "times": 2, "table": TWINS}, {"size": 2, "iid": THIRDS}, {"iid": THIRDS}]
    wanted = [((0, 1), pair), ((2, 3), pair), ((4,), alone), ((5,), alone), ((6,), alone)]
    assert components({"groups": groups}, 7) == [(1, wanted)]


def test_a_hidden_choice_inside_of_a_group_is_summed_out() -> None:
    """1/2 of a certain pair, 1/2 of two separate records: the group has one law, and no component of its own."""
    mixed = {"mixture": [{"weight": "1/2", "table": TWINS}, {"weight": "1/2", "iid": {"yes": "1/2", "no": "1/2"}}]}
    eighths = {("yes", "yes"): 2, ("no", "no"): 4, ("yes", "no"): 1, ("no", "yes"): 1}
    law = {database: Fraction(weight, 8) for database, weight in eighths.items()}
    for times in (1, 2):
        wanted = [((2 * k, 2 * k + 1), law) for k in range(times)]
        assert components({"groups": [{"size": 2, "times": times, **mixed}]}, 2 * times) == [(1, wanted)]


def kinds(values: list[Any]) -> Kinds:
    return Kinds([outcome(v) for v in values])


def law(spec: Mapping[str, Any], values: list[Any], *database: int) -> dict[str, Fraction]:
    return {text(o): p for o, p in kinds(values).read(spec, len(database)).law(tuple(database))}


def test_keys_that_are_lists_are_read_as_labels() -> None:
    """Generalizations, what follows an output, and tables of probabilities, by any spelling of a list."""
    half = Fraction(1, 2)
    values = ["[1, 2]", "b"]
    assert law({"kind": "identity"}, values, 0, 1) == {'[[1,2],"b"]': Fraction(1)}
    assert law({"kind": "count", "value": [1, 2]}, values, 0, 1, 0) == {"2": Fraction(1)}
    grouped = {"kind": "apply", "k": 1, "generalization": {'["1","2"]': "[ 7 ]", "b": [7]}}
    assert law(grouped, values, 0, 1) == {"[[7],[7]]": Fraction(1)}
    adaptive = {
        "kind": "adaptive",
        "first": {"kind": "identity"},
        "next": {'[[1, "2"], "b"]': {"kind": "constant", "output": "yes"}},
        "otherwise": {"kind": "constant", "output": "no"},
    }
    assert law(adaptive, values, 0, 1) == {'[[[1,2],"b"],"yes"]': Fraction(1)}
    assert law(adaptive, values, 1, 1) == {'[["b","b"],"no"]': Fraction(1)}
    table = {"rows": [{"database": [[1, 2]], "outputs": {"[0, 0]": "1/2", "x": "1/2"}}], "otherwise": "x"}
    assert law(table, values, 0) == {"[0,0]": half, "x": half}
    chosen = {
        "kind": "k-anonymization", "k": 1, "shows-mapping": True,
        "generalizations": {"[1, 1]": {"[1,2]": "c", "b": "c"}}, "choose": {"kind": "constant", "output": [1, 1]},
    }  # fmt: skip
    assert law(chosen, values, 0) == {'[[1,1],["c"]]': Fraction(1)}


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
    with pytest.raises(Rejected, match="largest: the answer says 2, the replay finds 1"):
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
