"""A row for an input that never comes is refused; one for an input that can come, on any database, is not."""

from __future__ import annotations

from itertools import product
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from strategies import ODD, mechanisms
from twin_laws import Twin, joined

import verifier as pk
from verifier.errors import InputError
from verifier.model.mechanism import range_of
from verifier.tables import label

LARGE = 1_000_000
LISTED = 100
"""So many records that their outputs are listed, in a moment."""
FEW_OUTPUTS = 512
"""Fewer outputs than are listed otherwise: how many there are is not what is tested."""


def with_row(mechanism: dict[str, Any], given: object, size: int = 5, values: list[Any] | None = None) -> pk.Model:
    """The mechanism, followed by a step that names one input."""
    values = values or [0, 1]
    law = {values[0]: "1/2", values[1]: "1/2"}
    then = [*mechanism.get("then", []), {"rows": [{"input": given, "output": "A"}], "otherwise": "B"}]
    return pk.build(size=size, values=values, distribution={"iid": law}, mechanism={**mechanism, "then": then})


COUNT: dict[str, Any] = {"kind": "count", "value": 1}
NOISY = {**COUNT, "then": [{"kind": "geometric-noise", "p": "1/2"}]}
TABLE = {"table": [{"database": [0] * 5, "outputs": {"a": 1, "b": 0}}], "otherwise": "c"}
NEVER: list[tuple[dict[str, Any], Any, str]] = [  # of small mechanisms of all kinds the checker says it, below
    (COUNT, "01", "is `1` meant?"),
    (COUNT, "+1", "is `1` meant?"),
    (COUNT, "1.0", "is `1` meant?"),
    (COUNT, -1, ""),
    ({"kind": "threshold-count", "value": 1, "above": 2, "otherwise": "few"}, "Few", "is `few` meant?"),
    ({"kind": "constant", "output": "yes"}, "Yes", "is `yes` meant?"),
    ({"kind": "mode"}, "1 ", "is `1` meant?"),
    ({"kind": "mean"}, "2/5 ", "is `2/5` meant?"),
    ({"kind": "identity"}, '["01",0,0,0,0]', ""),
    (NOISY, "01", "is `1` meant?"),
    (NOISY, "one", ""),
    ({**COUNT, "then": [{"rows": [{"input": 0, "output": "none"}], "otherwise": "some"}]}, "Some", "is `some` meant?"),
    ({**COUNT, "then": [{"rows": [{"input": k, "output": "all"} for k in range(6)], "otherwise": "x"}]}, "x", ""),
    ({**COUNT, "sample": "1/2"}, 6, ""),
]
CAN_COME: list[tuple[dict[str, Any], Any]] = [
    (COUNT, "5"),
    ({"kind": "identity"}, '[1, "1", 1, "0", 0]'),
    ({"kind": "identity"}, [1, "1", 1, "0", 0]),
    (TABLE, "b"),
    (NOISY, 100),
    (NOISY, -100),
    (NOISY, "> 5"),
    ({"kind": "choice", "of": [{"weight": 1, "mechanism": COUNT}, {"weight": 0, "mechanism": TABLE}]}, "c"),
    ({"kind": "histogram", "sample": 1}, "[1, 1]"),
    ({"kind": "constant", "output": 0, "then": [{"kind": "randomized-response", "keep": 1}]}, 1),
    ({"kind": "randomized-response", "keep": 1, "records": [0]}, "[1]"),
]


@pytest.mark.parametrize(("mechanism", "given", "tip"), NEVER)
def test_an_input_that_never_comes_is_refused(mechanism: dict[str, Any], given: object, tip: str) -> None:
    with pytest.raises(InputError, match="never puts out") as refusal:
        with_row(mechanism, given)
    assert str(refusal.value.where).endswith("row 1, input")
    assert refusal.value.wanted.startswith("an output of it: ")
    assert not tip or refusal.value.tip == tip


def test_an_empty_input_is_seen_in_the_message() -> None:
    with pytest.raises(InputError, match='never puts out the input ""') as refusal:
        with_row(COUNT, "")
    assert '""' in str(refusal.value)


@pytest.mark.parametrize(("mechanism", "given"), CAN_COME)
def test_an_input_that_can_come_is_taken(mechanism: dict[str, Any], given: object) -> None:
    assert with_row(mechanism, given).size == 5


@pytest.mark.sweep(2)
@pytest.mark.parametrize("size", [LISTED, LARGE])
@pytest.mark.parametrize(("kind", "right", "wrong"), [
    (COUNT, 17, "017"),
    (COUNT, "5", "+5"),
    ({"kind": "sum"}, 0, -1),
    ({"kind": "threshold-count", "value": 1, "above": 9}, "⊥", 9),
    ({"kind": "parity", "value": 1}, 0, "00"),
    ({"kind": "maximum"}, 1, 2),
    ({"kind": "part", "of": {"kind": "all", "of": [COUNT, {"kind": "parity", "value": 1}]}}, "[3, 1]", "[3, 2]"),
])  # fmt: skip
def test_of_very_many_records_nothing_is_listed(
    size: int, kind: dict[str, Any], right: object, wrong: object, monkeypatch: pytest.MonkeyPatch
) -> None:
    if kind != COUNT:  # which keeps the real limit
        monkeypatch.setattr("verifier.model.mechanism.CHECKED_OUTPUTS", FEW_OUTPUTS)
    assert with_row(kind, right, size).size == size
    with pytest.raises(InputError, match="never puts out"):
        with_row(kind, wrong, size)


def test_a_sum_of_two_values_skips_numbers(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("verifier.model.mechanism.CHECKED_OUTPUTS", FEW_OUTPUTS)
    assert with_row({"kind": "sum"}, 2 * LARGE, LARGE, [2, 5]).size == LARGE
    for wrong in (2 * LARGE + 1, 2 * LARGE - 3, 5 * LARGE + 3):
        with pytest.raises(InputError, match="3 apart"):
            with_row({"kind": "sum"}, wrong, LARGE, [2, 5])


def test_databases_of_all_sizes_count() -> None:
    rows = [{"input": 0, "output": "none"}]
    keys: dict[str, Any] = {"size": (1, 3), "values": ["t"]}
    with pytest.raises(InputError, match="never puts out"):
        pk.build(**keys, mechanism={"kind": "count", "value": "t", "then": [{"rows": rows, "otherwise": "some"}]})
    sampled = {"kind": "count", "value": "t", "sample": "1/2", "then": [{"rows": rows, "otherwise": "some"}]}
    assert pk.build(**keys, mechanism=sampled).sizes == (1, 3)


def test_a_python_function_may_say_anything() -> None:
    mechanism = pk.post_process(lambda votes: [sum(votes)], {"rows": [{"input": "x", "output": 1}], "otherwise": 0})
    keys = {"size": 2, "values": [0, 1], "distribution": {"iid": {0: "1/2", 1: "1/2"}}}
    assert pk.build(**keys, mechanism=mechanism).size == 2
    named = pk.post_process(lambda votes: [sum(votes)], {"rows": [{"input": "[ 2 ]", "output": 1}], "otherwise": 0})
    assert pk.check(pk.build(**keys, mechanism=named), "np", epsilon=0).verdict == "fails"


@pytest.mark.parametrize("key", ["01", "7", "[1]"])
def test_an_adaptive_mechanism_names_outputs_of_its_first(key: str) -> None:
    with pytest.raises(InputError, match="`first` never puts out"):
        pk.build(size=2, values=[0, 1], distribution={"iid": {0: 1}},
                 mechanism={"kind": "adaptive", "first": COUNT, "next": {key: COUNT}, "otherwise": COUNT})  # fmt: skip


def test_a_normalization_names_values_of_its_parameters() -> None:
    keys: dict[str, Any] = {
        "size": 1, "values": [0, 1], "distribution": {"iid": {0: "1/2", 1: "1/2"}}, "mechanism": {"kind": "sum"},
    }  # fmt: skip
    rows = [{"when": [one], "database": [k]} for k, one in enumerate(["h", "T"])]
    given = {"record": 0, "parameters": [{"name": "coin", "table": {"h": "1/2", "t": "1/2"}}], "table": rows}
    with pytest.raises(InputError, match="is `t` meant"):
        pk.build(**keys, normalization=[given])
    rows[1]["when"] = ["t"]
    assert pk.build(**keys, normalization=[given]).normalizations


@settings(max_examples=90)
@given(st.sampled_from([[0, 1], *ODD[:2]]).flatmap(lambda values: st.tuples(st.just(values), mechanisms(values, 2))))
def test_the_range_is_what_the_twin_puts_out(drawn: tuple[list[Any], dict[str, Any]]) -> None:
    """Where outputs can be listed the range is exact; what each kind states holds them too."""
    values, spec = drawn
    mechanism = pk.build(size=2, values=values, mechanism=spec).mechanism
    naive = Twin(spec, values, 2)
    names = [o.text for o in range_of(mechanism).listed]
    outputs = {label(o) for db in product(values, repeat=2) for o in joined(naive.law(db), names)}
    assert set(range_of(mechanism).listed) == outputs
    assert mechanism.codomain is not None
    assert all(map(mechanism.codomain.holds, outputs)), spec
