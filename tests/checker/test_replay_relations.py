"""Relations and measures of the checker, by hand from DP22, where a reader could think otherwise."""

from __future__ import annotations

import re
from fractions import Fraction
from functools import partial
from itertools import permutations
from types import SimpleNamespace
from typing import Any

import pytest
from examined import at_least_one

import verifier as pk
from verifier.checker import Beyond, Rejected
from verifier.checker import measures as scalars
from verifier.checker.judge import OfCurve, case_of
from verifier.checker.laws import Row, Tables
from verifier.checker.measures import Curve, events_of, power
from verifier.checker.model.policy import Reader
from verifier.checker.numbers import Written, epsilon
from verifier.checker.simulators.simulator import ContextRow
from verifier.checker.survey import divergences, relations
from verifier.checker.survey.draws import _law_of_a_list, _law_of_a_multiset
from verifier.checker.survey.events import _pairs_of_thetas as pairs_of_distributions
from verifier.checker.survey.events import adversaries
from verifier.checker.survey.relations import pairs_of

HALF = Fraction(1, 2)


def setting(size: Any, values: str, worlds: dict[str, Any] | None = None, secrets: Any = None, **policy: Any) -> Tables:
    """A setting of which the mechanism says nothing."""
    lists = isinstance(size, int)
    bare = {
        "size": size,
        "values": list(values),
        "secrets": (list(range(size)) if secrets is None else secrets) if lists else [],
        "worlds": worlds or {},
        "mechanism": [],
        "policy": {field.replace("_", "-"): value for field, value in policy.items()},
    }
    databases = Tables(bare).databases
    return Tables({**bare, "mechanism": [[list(d), {"y": "1"}] for d in databases]})


def compared(tables: Tables, relation: relations.Relation) -> set[str]:
    return {f"{''.join(d)}-{''.join(e)}" for d, e, _ in pairs_of(tables, relation)}


def test_a_record_that_is_not_there_is_no_element_in_common() -> None:
    """DlPr[ZLW]: [o, a] and [o, b] share nothing where o says that a record is absent."""
    common: dict[str, Any] = {"databases": [["o", "a"], ["o", "b"]], "distance": "hamming", "at_most": "1"}
    assert compared(setting(2, "abo", **common), relations.distributional) == {"oa-ob", "ob-oa"}
    assert compared(setting(2, "abo", absent="o", **common), relations.distributional) == set()


def test_an_edge_of_the_policy_graph_may_name_the_absent_record() -> None:
    """Blowfish: (D₁(i), D₂(i)) ∈ G is all that Definition 20 asks for."""
    tables = setting(1, "abo", absent="o", graph=[["a", "o"]])
    assert compared(tables, relations.blowfish) == {"a-o", "o-a"}


FEW: dict[str, Any] = {
    "graph": [["a", "b"], ["b", "o"]], "sensitive": ["a"], "attributes": {"a": ["x"], "b": ["y"], "o": ["x"]},
    "scale": [[["a", "b"], "2"]], "levels": ["1", "2"],
}  # fmt: skip
SIZES: list[tuple[Any, dict[str, Any]]] = [(2, {}), (2, {"absent": "o"}), ([0, 3], {}), ([1, 2], {}), ([2, 2], {})]


@pytest.mark.parametrize(("size", "absent"), SIZES)
@pytest.mark.parametrize("name", [relation.__name__ for relation in relations.OF_ONE_RECORD] + ["one_apart"])
def test_databases_one_record_away_are_all_that_are_compared(name: str, size: Any, absent: Any) -> None:
    """Where only these are looked at, the same pairs are found as among all pairs of databases."""
    if name == "per_instance" and not isinstance(size, int):
        return  # records of multisets have no numbers
    relation = getattr(relations, name)
    relation = partial(relation, field="attributes") if name == "one_apart" else relation
    fixed: dict[str, Any] = {"fixed": ["a", "b"], **({"record": 1} if isinstance(size, int) else {})}
    lists = FEW if isinstance(size, int) else {key: FEW[key] for key in FEW if key != "levels"}
    tables = setting(size, "abo", **lists, **absent, **fixed, tailored=[["a", ["a", "b"], "3"]])
    try:
        every = {(d, e, c) for d, e in permutations(tables.databases, 2) if (c := relation(tables, d, e)) is not None}
    except Rejected as error:
        with pytest.raises(Rejected, match=re.escape(str(error))):
            list(pairs_of(tables, relation))
    else:
        found = list(pairs_of(tables, relation))
        assert len(found) == len(set(found))
        assert set(found) == every


@pytest.mark.parametrize("definition", ["adp", "dp-any", "rbpr"])
def test_neighbours_among_many_databases_are_checked_again(definition: str) -> None:
    """256 databases have 65,536 pairs, of which 2,048 differ in one record."""
    law = {"iid": {0: HALF, 1: HALF}}
    model = pk.build(values=[0, 1], size=8, distribution=law, mechanism={"kind": "sum"})
    assert pk.check(model, definition, epsilon="ln(2)").replayed


def test_listed_adversaries_attack_protected_records() -> None:
    """An answer that is restricted to record 1 compares no values of record 0."""
    worlds = {"θ": [[[x, y], None, None, "1/4"] for x in "ab" for y in "ab"]}
    tables = setting(2, "ab", worlds, [1], adversaries=[[0, [1]], [1, []]])
    assert {row.record for row in adversaries(tables)} == {1}
    tables = setting(2, "ab", worlds, adversaries=[[0, [1]], [1, []]])
    assert {row.record for row in adversaries(tables)} == {0, 1}


def test_groups_of_one_record_are_neighbours() -> None:
    """(1, ε)-group privacy is ε-DP, whatever neighbours are (DP22, Table 3)."""
    for kind in ("change", "add-remove", "any"):
        for tables in (
            setting(2, "abo", absent="o", neighbours=kind, group=1),
            setting([0, 2], "ab", neighbours=kind, group=1),
        ):
            assert compared(tables, relations.group) == compared(tables, relations.neighbours)


def test_one_sided_relations_have_one_order() -> None:
    tables = setting(1, "abo", absent="o", sensitive=["a"], levels=["2"])
    assert compared(tables, relations.one_sided) == {"a-b"}
    assert compared(tables, relations.asymmetric) == {"a-o"}
    assert compared(tables, relations.personal) == {"o-a", "o-b"}


def test_dependence_is_not_transitive() -> None:
    """Record 1 depends on 0 and 2 on 1: where 0 changes, 2 may not."""
    tables = setting(3, "ab", dependence=[[0, 1], [1, 2]], group=3)
    changes = compared(tables, relations.dependent)
    assert {"aaa-bba", "aaa-abb"} <= changes
    assert not {"aaa-bab", "aaa-bbb"} & changes


def test_induced_neighbours_have_nothing_between_them() -> None:
    every = setting(2, "ab", databases=[["a", "a"], ["a", "b"], ["b", "b"]])
    assert compared(every, relations.induced) == {"aa-ab", "ab-aa", "ab-bb", "bb-ab"}
    ends = setting(2, "ab", databases=[["a", "a"], ["b", "b"]])
    assert compared(ends, relations.induced) == {"aa-bb", "bb-aa"}


# --- measures ---------------------------------------------------------------------------------------------------------


def test_semantic_distance_of_posteriors() -> None:
    """R = 4 gives 1/3; ∞ beside a finite ratio gives 1; ratios that are all ∞, or all 0, leave no posterior."""
    law = {name: Fraction(x) for name, x in (("d", HALF), ("e", Fraction(1, 4)))}
    one = dict.fromkeys("de", Fraction(1))
    assert divergences.semantic({"d": Fraction(1), "e": Fraction(1, 4)}, one).sign(Written(Fraction(1, 3))) == 0
    for with_record, without, distance in (
        ([1, 1], [0, 1], 1), ([1, 1], [0, 0], 0), ([0, 0], [1, 1], 0), ([0, 1], [1, 1], 1), ([0, 1], [1, 0], 1),
        ([0, 1], [0, 1], 0),
    ):  # fmt: skip
        p, q = (dict(zip("de", map(Fraction, row), strict=True)) for row in (with_record, without))
        assert divergences.semantic(p, q).sign(Written(Fraction(distance))) == 0, (with_record, without)
    assert divergences.semantic(law, law).sign(Written(Fraction(0))) == 0


def test_conjugates_are_of_functions_on_the_positive_numbers() -> None:
    """f*(y) = sup over t ≥ 0 of t·y - f(t)."""
    assert divergences.conjugate("chi-squared", Fraction(-3)) == -1
    assert divergences.conjugate("chi-squared", Fraction(2)) == 3
    assert divergences.conjugate("total-variation", Fraction(1)) is None
    assert divergences.conjugate("total-variation", Fraction(-1)) == -HALF


def test_the_second_law_weighs_a_divergence() -> None:
    """Σ Q·f(P/Q), and the slope of f at ∞ where Q = 0 < P."""
    p, q = {"y": Fraction(1)}, {"y": HALF, "n": HALF}
    assert divergences.absolute_power(2)(p, q).plain == 1
    assert divergences.absolute_power(2)(q, p).infinite
    assert divergences.absolute_power(1)(q, p).plain == 1
    assert scalars.total_variation(q, p).plain == HALF


def test_the_relaxed_curve_leaves_outputs_out_first() -> None:
    """With δ_p = 1/4 the output of probability 1/4 counts no more."""
    row = Row({"y": Fraction(3, 4), "n": Fraction(1, 4)}, {"y": Fraction(1)}, "")
    question = {"delta": "0", "epsilon": None}
    assert OfCurve(question, Curve()).least(case_of([row], mean=False), "0").a == Fraction(1, 4)
    assert OfCurve(question, Curve(left_out=Fraction(1, 4))).least(case_of([row], mean=False), "0").a == 0


# --- powers, samples and limits ---------------------------------------------------------------------------------------


def test_powers_are_compared_exactly() -> None:
    root = power("1/2*ln(2)")
    assert root.sign(Fraction(3), Fraction(2)) == 1
    assert root.sign(Fraction(2), Fraction(2)) == -1
    assert power("ln(2)", HALF).same(root)
    assert power("ln(4)", HALF).sign(Fraction(2), Fraction(1)) == 0
    assert power("1").sign(Fraction(271828, 100000), Fraction(1)) == -1
    assert scalars.logarithm(Fraction(4)).over(Fraction(2)).sign(epsilon("ln(2)")) == 0


def test_too_many_outputs_or_databases_say_nothing_about_the_answer() -> None:
    with pytest.raises(Beyond):
        list(events_of([str(k) for k in range(13)]))
    with pytest.raises(Beyond):
        setting(13, "ab")


@pytest.mark.parametrize("rate", [Fraction(0), Fraction(1, 3), Fraction(1)])
def test_samples_have_a_law(rate: Fraction) -> None:
    """Of a multiset, and of a list in which who is left out is absent; the mechanism says y of all."""
    multisets, lists = setting([0, 3], "ab"), setting(2, "abo", absent="o")
    for database in at_least_one(multisets.databases):
        assert _law_of_a_multiset(multisets, database, rate) == {"y": 1}
    for database in lists.databases:
        assert _law_of_a_list(lists, database, rate) == {"y": 1}


def test_a_sample_of_a_list_keeps_each_record_by_itself() -> None:
    told = setting(2, "abo", absent="o")
    told.law = lambda database: {"".join(database): Fraction(1)}  # type: ignore[method-assign]
    third = Fraction(1, 3)
    assert _law_of_a_list(told, ("a", "b"), third) == {
        "ab": third * third, "ao": third * (1 - third), "ob": (1 - third) * third, "oo": (1 - third) ** 2,
    }  # fmt: skip
    assert _law_of_a_list(told, ("a", "o"), third) == {"ao": third, "oo": 1 - third}


def test_chances_of_one_context_are_added_up() -> None:
    row = ContextRow({}, {})
    for weight in (HALF, Fraction(1, 3)):
        row.add({"x": HALF, "y": HALF, "z": Fraction(0)}, {("c",): HALF, ("d",): Fraction(0)}, weight)
    assert row == ContextRow({"x": Fraction(5, 12), "y": Fraction(5, 12)}, {("c",): Fraction(5, 12)})


@pytest.mark.parametrize("pair", [("θ", "nobody"), ("nobody", "θ"), ("nobody", "someone")])
def test_distances_are_between_distributions(pair: tuple[str, str]) -> None:
    """The file has no other names; a certificate about one θ of it may have those of the others."""
    with pytest.raises(Rejected):
        Reader(["a"], 1, None, ["θ"]).read({"theta-distances": [[*pair, "1"]]})
    asked: Any = SimpleNamespace(thetas={}, distributions={"θ": []}, policy={}, need=lambda _: {pair: Fraction(1)})
    assert list(pairs_of_distributions(asked)) == []
