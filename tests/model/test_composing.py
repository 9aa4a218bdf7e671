"""Composed mechanisms: the parts against the whole, and the errors of what a file says."""

from __future__ import annotations

import re
from fractions import Fraction
from itertools import product
from typing import Any

import hypothesis.strategies as st
import pytest
from hypothesis import given
from strategies import VALUES, composed, mechanisms
from twin_laws import Twin, joined, text

import verifier as pk
from verifier.engine import Engine

pytestmark = pytest.mark.quick


IID: dict[str, Any] = {"size": 3, "values": [0, 1], "distribution": {"iid": {0: "2/3", 1: "1/3"}}}
COUNT = {"kind": "count", "value": 1}


def laws(keys: dict[str, Any], values: list[Any] = [0, 1], size: int = 3) -> list[dict[str, Fraction]]:  # noqa: B006
    """The law on every database, by texts."""
    first = {"iid": {values[0]: 1}}
    mechanism = pk.build(size=size, values=values, distribution=first, mechanism=keys).mechanism
    found = []
    for database in product(range(len(values)), repeat=size):
        law = mechanism.law(database)
        found.append({o.text: law.probability(o) for o in law.outcomes})
    return found


@given(st.data(), st.sampled_from(VALUES))
def test_composed_mechanisms_database_by_database(data: st.DataObject, values: list[Any]) -> None:
    size = data.draw(st.sampled_from([1, 2] if len(values) > 2 else [2, 3]))
    spec = data.draw(composed(values, size, mechanisms))
    naive = Twin(spec, values, size)
    found = laws(spec, values, size)
    assert found == [joined(naive.law(d), law) for d, law in zip(product(values, repeat=size), found, strict=True)]


@pytest.mark.parametrize(
    ("one", "other"),
    [
        ({"kind": "part", "of": COUNT}, COUNT),
        ({"kind": "part", "records": [2, 0], "of": {"kind": "identity"}}, {"kind": "records", "records": [2, 0]}),
        (
            {"kind": "part", "records": [0, 1], "of": {**COUNT, "sample": "1/3"}},
            {"kind": "part", "records": [0, 1], "of": COUNT, "sample": "1/3"},
        ),
        ({"kind": "choice", "of": [{"weight": 1, "mechanism": COUNT}]}, COUNT),
        (
            {"kind": "choice", "of": [{"weight": "1/4", "mechanism": COUNT}, {"weight": "3/4", "mechanism": COUNT}]},
            COUNT,
        ),
        (
            {"kind": "adaptive", "first": COUNT, "otherwise": {"kind": "parity", "value": 1}},
            {"kind": "all", "of": [COUNT, {"kind": "parity", "value": 1}]},
        ),
        (
            pk.post_process(pk.compose(COUNT, COUNT), {"rows": [{"input": "[1,1]", "output": "1"}], "otherwise": 0}),
            {**COUNT, "then": [{"rows": [{"input": 1, "output": 1}], "otherwise": 0}]},
        ),
        (pk.on_records([1], lambda d: d[0]), {"kind": "linear", "weights": [0, 1, 0]}),
        (pk.post_process(sum, {"rows": [], "otherwise": "x"}), {"kind": "constant", "output": "x"}),
    ],
    ids=lambda one: re.sub(r" at 0x[0-9a-f]+", "", str(one)),  # addresses differ from run to run
)  # fmt: skip
def test_one_mechanism_said_twice(one: dict[str, Any], other: dict[str, Any]) -> None:
    assert laws(one) == laws(other)


def test_the_parts_of_a_random_choice_are_not_asked_where_their_weight_is_zero() -> None:
    never = {"table": [{"database": [0, 0, 0], "output": "a"}]}
    spec = {"kind": "choice", "of": [{"weight": 0, "mechanism": never}, {"weight": 1, "mechanism": COUNT}]}
    assert laws(spec) == laws(COUNT)


def test_a_table_that_is_only_asked_for_some_outputs_needs_only_these_rows() -> None:
    """The second table has rows for an even count alone."""
    even = [{"database": list(d), "output": "e"} for d in product([0, 1], repeat=3) if sum(d) % 2 == 0]
    spec = {"kind": "adaptive", "first": {"kind": "parity", "value": 1}, "next": {0: {"table": even}, 1: COUNT}}
    assert [set(law) for law in laws(spec)][:2] == [{'[0,"e"]'}, {"[1,1]"}]
    with pytest.raises(pk.InputError, match=r"the possible database .* has no row"):
        pk.build(**IID, mechanism={**spec, "next": {0: COUNT, 1: {"table": even}}})


def test_a_missing_row_in_a_large_part_makes_the_answer_unsupported() -> None:
    table = {"table": [{"database": [0], "output": "a"}]}
    model = pk.build(
        **{**IID, "size": 16}, mechanism={"kind": "part", "records": [3], "of": table}, sensitive={"records": [0]}
    )
    assert model.mechanism.domain is None
    assert pk.check(model, "np").verdict == "unsupported"


def test_nested_adaptive_steps_make_a_chain() -> None:
    inner = pk.adaptive({"kind": "records", "records": [1]}, {"[0]": COUNT}, {"kind": "constant", "output": "end"})
    chain = pk.adaptive({"kind": "parity", "value": 1}, {0: inner}, {"kind": "constant", "output": "odd"})
    found = laws(chain)
    assert [set(law) for law in found[:4]] == [{"[0,[[0],0]]"}, {'[1,"odd"]'}, {'[1,"odd"]'}, {'[0,[[1],"end"]]'}]


def test_a_mechanism_of_another_model() -> None:
    mechanism = pk.build(**IID, mechanism=COUNT).mechanism
    assert (
        pk.build(**IID, mechanism=pk.compose(mechanism, mechanism)).mechanism.law((0, 1, 1)).outcomes[0].text == "[2,2]"
    )
    with pytest.raises(
        pk.InputError, match=r"count of 1 is a mechanism of 3 records in \{0, 1\}\. Expected one of 2 records"
    ):
        pk.build(**{**IID, "size": 2}, mechanism=mechanism)
    with pytest.raises(pk.InputError, match=r"model\.mechanism"):
        pk.with_mechanism(pk.build(**IID, mechanism=COUNT), pk.build(**IID, mechanism=COUNT))


@pytest.mark.parametrize("definition", ["dp", "np", "ppkdp", "cdp"])
def test_many_voters_who_are_asked_adaptively(definition: str) -> None:
    """Without a table: 60 records, and the same mechanism said otherwise."""
    town = {"size": 60, "values": [0, 1], "distribution": {"iid": {0: "3/4", 1: "1/4"}}, "sensitive": {"records": [59]},
            "knowledge": [{"records": [0]}, {"records": {"from": 0, "to": 4}}]}  # fmt: skip
    parity = {"kind": "parity", "value": 1}
    half = {"kind": "part", "records": {"from": 30, "to": 59}, "of": COUNT}
    one = pk.build(**town, mechanism=pk.adaptive(parity, {0: half}, {"kind": "constant", "output": "-"}))
    rows = [{"input": f"[1,{k}]", "output": '[1,"-"]'} for k in range(31)]
    rows += [{"input": f"[0,{k}]", "output": f"[0,{k}]"} for k in range(31)]
    other = pk.build(**town, mechanism=pk.post_process(pk.compose(parity, half), {"rows": rows}))
    for model in (one, other):
        assert Engine(model).method == "sum"
    answers = [pk.check(model, definition, epsilon="ln(2)", replay=False) for model in (one, other)]
    assert answers[0].tight_delta == answers[1].tight_delta
    assert answers[0].tight_epsilon == answers[1].tight_epsilon


def test_text_of_naive_lists() -> None:
    assert text((0, ("a", 1))) == '[0,["a",1]]'


def test_composed_mechanisms_on_databases_of_several_sizes() -> None:
    """Multisets of 0 to 2 tuples: what needs no numbers of records is defined there, `records` is refused."""
    base: dict[str, Any] = {"size": [0, 2], "values": ["a", "b"]}
    count, parity = {"kind": "count", "value": "a"}, {"kind": "parity", "value": "b"}
    chosen = pk.build(**base, mechanism=pk.choose(("1/3", count), ("2/3", parity), shown=True)).mechanism
    assert [o.text for o in chosen.law((0, 1)).outcomes] == ['["#1",1]', '["#2",1]']
    asked = pk.build(**base, mechanism=pk.adaptive(parity, {0: count}, {"kind": "constant", "output": "-"})).mechanism
    assert [asked.law(d).outcomes[0].text for d in ((), (0, 0), (0, 1))] == ["[0,0]", "[0,2]", '[1,"-"]']
    model = pk.build(**base, mechanism=count)
    both = pk.with_mechanism(
        model, pk.post_process(pk.compose(model.mechanism, parity), {"rows": [], "otherwise": "x"})
    )
    assert [o.text for o in both.mechanism.law((0, 1)).outcomes] == ["x"]
    assert "0 to 2 records" in repr(both)
    with pytest.raises(pk.InputError, match="the tuples of a multiset have no numbers"):
        pk.build(**base, mechanism=pk.on_records([0], count))
    with pytest.raises(pk.InputError, match="count of a is a mechanism of 2 records"):
        pk.build(size=2, values=["a", "b"], distribution={"iid": {"a": 1}}, mechanism=model.mechanism)
