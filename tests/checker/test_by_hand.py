"""Labels, e^ε, and which databases are compared: by hand, where a reader could think otherwise."""

from __future__ import annotations

from fractions import Fraction
from typing import Any

import pytest
from examined import at_least_one
from filing import file_of

from verifier.checker.comparisons import Asked
from verifier.checker.definitions import DEFINITIONS
from verifier.checker.judge import Decision
from verifier.checker.models import Model
from verifier.checker.number_text import epsilon_of
from verifier.checker.numbers import Power, Wrong, entries, is_list, label
from verifier.numbers import compare
from verifier.numbers import epsilon as read_epsilon

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
    assert {label(one) for one in spellings} == {written} == {label(written)}


def test_the_entries_of_a_list_are_read_from_its_one_spelling() -> None:
    assert entries('[1,"a",[true]]') == ["1", "a", "[true]"]
    assert not any(map(is_list, ("1", "a", "[1, 1]", '["1"]', "[1.0]", "[1")))


@pytest.mark.parametrize("wrong", [0.5, None, {"a": 1}])
def test_what_is_no_label_is_refused(wrong: object) -> None:
    with pytest.raises(Wrong):
        label(wrong)


# --- e^ε --------------------------------------------------------------------------------------------------------------

ROOTS = ("ln(root of x^2 - x - 1 in [1, 2])", "ln(root of x^3 - 2*x - 5 in [2, 3])", "ln(root of 3*x^2 - 4 in [1, 2])")


@pytest.mark.parametrize("text", ["0", "ln(2)", "1/2*ln(2)", "1/10", "3", "2/5*ln(3)", *ROOTS])
def test_the_order_of_multiples_of_a_power_is_the_programs(text: str) -> None:
    power, exact = Power(epsilon_of(text)), read_epsilon(text)
    for top in at_least_one(range(-8, 9)):
        for bottom in at_least_one(range(-8, 9)):
            wanted = compare(Fraction(top), Fraction(bottom, 3), exact).value
            assert power.sign(Fraction(top), Fraction(bottom, 3)) == wanted


def test_signs_at_infinity() -> None:
    assert [Power(epsilon_of("inf")).sign(x, 0) for x in (-1, 0, 1)] == [-1, 0, 1]


@pytest.mark.parametrize(("text", "power", "degree"), [("3/2*ln(2)", 8, 2), ("1/2*ln(7)", 7, 2), ("2/3*ln(5)", 25, 3)])
def test_signs_very_near_an_algebraic_number(text: str, power: int, degree: int) -> None:
    """E = power^(1/degree) lies between two rationals that are 2^-100 apart."""
    bottom = 1 << 100
    low = root_below(power * bottom**degree, degree)
    assert [Power(epsilon_of(text)).sign(Fraction(a, bottom), 1) for a in (low, low + 1)] == [-1, 1]


def root_below(n: int, degree: int) -> int:
    """The largest integer whose power is at most n."""
    low, high = 0, 1 << (n.bit_length() // degree + 1)
    while high - low > 1:
        middle = (low + high) // 2
        low, high = (middle, high) if middle**degree <= n else (low, middle)
    return low


# --- which databases are compared -------------------------------------------------------------------------------------


def compared(key: str, size: Any, values: str, **policy: Any) -> set[str]:
    """The pairs of databases of a definition, on a mechanism that says nothing."""
    fields = {name.replace("_", "-"): value for name, value in policy.items()}
    mechanism = {"kind": "constant", "output": "y"}
    text = file_of({"size": size, "values": list(values), "mechanism": mechanism, "policy": fields})
    found = Decision(Asked(Model(text)), DEFINITIONS[key], None, Fraction(0)).comparisons
    sides = [[side for side in c.terms[0][1:3] if isinstance(side, tuple)] for c in found]
    return {"-".join("".join(database) for ((database, _),) in two) for two in sides}


def test_an_edge_of_the_policy_graph_may_name_the_absent_record() -> None:
    """Blowfish: (D₁(i), D₂(i)) ∈ G is all that Definition 20 asks for."""
    assert compared("bfpr", 1, "abo", absent="o", graph=[["a", "o"]]) == {"a-o", "o-a"}


def test_a_record_that_is_not_there_is_no_element_in_common() -> None:
    """DlPr[ZLW]: [o, a] and [o, b] share nothing where o says that a record is absent."""
    common: dict[str, Any] = {"databases": [["o", "a"], ["o", "b"]], "distance": "hamming", "at_most": "1"}
    assert compared("dlpr-zlw", 2, "abo", **common) == {"oa-ob", "ob-oa"}
    assert compared("dlpr-zlw", 2, "abo", absent="o", **common) == set()


def test_one_sided_relations_have_one_order() -> None:
    assert compared("osdp", 1, "abo", absent="o", sensitive=["a"]) == {"a-b"}


@pytest.mark.parametrize("kind", ["change", "add-remove", "any"])
def test_groups_of_one_record_are_neighbours(kind: str) -> None:
    """(1, ε)-group privacy is ε-DP, whatever neighbours are (DP22, Table 3)."""
    for size, more in ((2, {"absent": "o"}), ([0, 2], {})):
        one, other = (compared(key, size, "ab" + "o" * len(more), neighbours=kind, group=1, **more)
                      for key in ("grdp", "dp-any"))  # fmt: skip
        assert one == other


def test_dependence_is_not_transitive() -> None:
    """Record 1 depends on 0 and 2 on 1: where 0 changes, 2 may not."""
    changes = compared("depdp", 3, "ab", dependence=[[0, 1], [1, 2]], group=3)
    assert {"aaa-bba", "aaa-abb"} <= changes
    assert not {"aaa-bab", "aaa-bbb"} & changes


def test_induced_neighbours_have_nothing_between_them() -> None:
    key, ends = "induced-neighbours-dp", [["a", "a"], ["b", "b"]]
    assert compared(key, 2, "ab", databases=[ends[0], ["a", "b"], ends[1]]) == {"aa-ab", "ab-aa", "ab-bb", "bb-ab"}
    assert compared(key, 2, "ab", databases=ends) == {"aa-bb", "bb-aa"}
