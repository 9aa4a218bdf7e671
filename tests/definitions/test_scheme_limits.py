"""What the definitions of DP22 refuse: the largest models that are decided, missing entries, and wrong recipes."""

from dataclasses import dataclass, replace
from itertools import islice, repeat
from typing import Any

import pytest

from verifier import build, check
from verifier.definitions import find
from verifier.definitions.recipe import CENTRES
from verifier.definitions.scheme import events
from verifier.definitions.scheme.centres import Centre, InferredCentre
from verifier.definitions.scheme.decide import Scheme
from verifier.definitions.scheme.random_pairs import RedrawnRecord, Sampled
from verifier.definitions.scheme.recipe import read_scheme
from verifier.definitions.scheme.relations import Relation
from verifier.definitions.scheme.rows import Setting
from verifier.engine import Engine
from verifier.errors import InputError, LimitError
from verifier.model import Model
from verifier.model.distribution import Table
from verifier.model.keys import Keys, Location
from verifier.numbers import ZERO


def setting(model: Model) -> Setting:
    return Setting("key", model, Engine(model))


def reason(model: Model, key: str, **asked: Any) -> str:
    answer = check(model, key, **asked)
    assert answer.verdict == "unsupported"
    return answer.reason or ""


# --- limits -----------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("size", "values", "number"), [(10, 2, 1024), (2, 32, 1024), ((0, 1023), 1, 1024), ((1, 2), 3, 9)]
)
def test_a_thousand_databases_are_listed(size: Any, values: int, number: int) -> None:
    model = build(size=size, values=list(range(values)), mechanism={"kind": "sum"})
    listed = setting(model).databases()
    assert len(listed) == setting(model).number_of_databases == number
    assert len(set(listed)) == number


@pytest.mark.parametrize(("size", "values", "number"), [(11, 2, "2,048"), (2, 33, "1,089"), ((0, 1024), 1, "1,025")])
def test_more_than_a_thousand_databases_are_refused(size: Any, values: int, number: str) -> None:
    model = build(size=size, values=list(range(values)), mechanism={"kind": "sum"})
    with pytest.raises(LimitError, match=number) as refused:
        setting(model).databases()
    assert "at most 1,024 databases" in str(refused.value)


def uniform(size: int, **policy: Any) -> Model:
    return build(
        size=size, values=[0, 1], distribution={"name": "even", "iid": {0: "1/2", 1: "1/2"}}, mechanism={"kind": "sum"},
        policy=policy,
    )  # fmt: skip


@dataclass(frozen=True)
class Counted(Table):
    """Two worlds that say that they are more."""

    number: int = 0

    def count(self) -> int:
        return self.number


def counted(number: int) -> Setting:
    made = uniform(1)
    shape = Counted(tuple(made.thetas[0].worlds()), 2, number)
    return setting(replace(made, thetas=(replace(made.thetas[0], shape=shape),)))


def test_sixteen_thousand_worlds_are_listed() -> None:
    (known,) = events.backgrounds(counted(1 << 14))
    assert len(known.worlds) == 2


def test_more_than_sixteen_thousand_worlds_are_refused() -> None:
    with pytest.raises(LimitError, match="16,385") as refused:
        next(events.backgrounds(counted((1 << 14) + 1)))
    assert "at most 16,384" in str(refused.value)


def test_four_thousand_adversaries_are_listed() -> None:
    listed = events._all_adversaries(10, range(8))
    assert len(listed) == len(set(listed)) == 1 << 12
    assert events._all_adversaries(3, [0, 2]) == [
        (0, ()), (0, (1,)), (0, (2,)), (0, (1, 2)), (2, ()), (2, (0,)), (2, (1,)), (2, (0, 1)),
    ]  # fmt: skip
    assert events._all_adversaries(1, [0]) == [(0, ())]


def test_more_than_four_thousand_adversaries_are_refused() -> None:
    with pytest.raises(LimitError, match="4,096"):
        events._all_adversaries(10, range(9))


def typical_model(databases: int, gamma: str) -> Model:
    values = list(range(databases))
    table = [{"database": [v], "outputs": {"x": "1/2", "y": "1/2"}} for v in values]
    even = {"name": "even", "iid": dict.fromkeys(values, f"1/{databases}")}
    return build(size=1, values=values, distribution=even, mechanism={"table": table}, policy={"gamma": gamma})


def test_the_sets_of_twelve_databases_are_left_out_in_turn() -> None:
    """Where nothing may be left out, there may be more of them."""
    assert check(typical_model(12, "1/100"), "typst").tight_epsilon == ZERO
    assert check(typical_model(13, "0"), "typst").tight_epsilon == ZERO


def test_the_sets_of_thirteen_databases_are_too_many() -> None:
    with pytest.raises(LimitError, match="13 databases") as refused:
        check(typical_model(13, "1/100"), "typst")
    assert "at most 12" in str(refused.value)


def outputs_model(outputs: int) -> Model:
    """Two databases with one law, of so many outputs; "b" says that the record is missing."""
    law = {f"o{k}": f"1/{outputs}" for k in range(outputs)}
    table = [{"database": [v], "outputs": law} for v in ("a", "b")]
    return build(size=1, values=["a", "b"], mechanism={"table": table}, policy={"absent": "b"})


def test_the_events_of_twelve_outputs_are_listed() -> None:
    answer = check(outputs_model(12), "sempr")
    assert (answer.verdict, answer.tight_epsilon) == ("holds", ZERO)


def test_the_events_of_thirteen_outputs_are_too_many() -> None:
    with pytest.raises(LimitError, match="13 outputs") as refused:
        check(outputs_model(13), "sempr")
    assert "at most 12" in str(refused.value)


def test_a_hundred_thousand_pairs_of_laws_are_compared(monkeypatch: pytest.MonkeyPatch) -> None:
    model = uniform(1)
    scheme = Scheme(Relation(), "outputs", "ratio")

    def rows(number: int) -> int:
        monkeypatch.setattr(Scheme, "_of_group", lambda *_: islice(repeat(None), number))
        (listed,) = scheme.sets(find("indcdp"), Engine(model), "default")
        return len(listed.comparisons)

    assert rows(1 << 17) == 1 << 17
    with pytest.raises(LimitError, match="too many pairs of laws") as refused:
        rows((1 << 17) + 1)
    assert "131,072" in str(refused.value)


# --- what is missing --------------------------------------------------------------------------------------------------


def several_sizes(least: int, **policy: Any) -> Model:
    databases = [["a"] * n for n in range(least, 3)]
    table = [{"database": d, "output": str(len(d))} for d in databases]
    return build(size=(least, 2), values=["a"], mechanism={"table": table}, policy=policy)


@pytest.mark.parametrize("least", [1, 2])
def test_a_sampled_database_may_be_empty(least: int) -> None:
    assert "size = [0, n]" in reason(several_sizes(least, rate="1/2"), "samdp")


@pytest.mark.parametrize("key", ["randp", "dlpr-rot", "wbdp", "baydp-tf", "avgklpr"])
def test_random_records_need_one_size(key: str) -> None:
    assert "several sizes" in reason(several_sizes(0, prior={"a": "1"}, gamma="0"), key)


def test_values_that_are_drawn_without_replacement_are_as_many_as_records() -> None:
    model = uniform(2, prior={0: "1"}, gamma="0")
    assert "fewer than 2 values" in reason(model, "dlpr-rot", reading="without-replacement")
    model = uniform(2, prior={0: "1/2", 1: "1/2"}, gamma="0")
    assert check(model, "dlpr-rot", reading="without-replacement").comparisons == 8
    assert check(uniform(2, prior={0: "1"}, gamma="0"), "dlpr-rot").comparisons == 2


@pytest.mark.parametrize("key", ["zkpr", "sempr"])
def test_a_record_is_removed_from_lists_alone(key: str) -> None:
    table = [{"database": d, "output": "x"} for d in ([], ["a"], ["b"])]
    policy = {"absent": "b", "agg": ["identity"]}
    model = build(size=(0, 1), values=["a", "b"], mechanism={"table": table}, policy=policy)
    assert "multisets do not have" in reason(model, key)


def test_adversaries_attack_records_of_lists_alone() -> None:
    table = [{"database": [v], "output": "x"} for v in ("a", "b")]
    sizes = build(size=(0, 1), values=["a", "b"], mechanism={"table": [*table, {"database": [], "output": "x"}]})
    assert setting(sizes).protected() is None
    model = build(size=1, values=["a", "b"], mechanism={"table": table})
    assert setting(model).protected() == frozenset({0})


def test_relations_need_protected_records() -> None:
    table = [{"database": [v], "output": "x"} for v in ("a", "b")]
    secrets = {"rows": [{"database": [v], "value": v} for v in ("a", "b")]}
    fair = {"iid": {"a": "1/2", "b": "1/2"}}
    model = build(size=1, values=["a", "b"], mechanism={"table": table}, sensitive=secrets, distribution=fair)
    assert "protects a function of the database" in reason(model, "dp-any")


@pytest.mark.parametrize(("key", "field"), [("bldp", "leak"), ("subdp", "image")])
def test_an_output_without_an_entry_is_named(key: str, field: str) -> None:
    table = [{"database": [v], "outputs": {"x": "1/2", "y": "1/2"}} for v in ("a", "b")]
    model = build(size=1, values=["a", "b"], mechanism={"table": table}, policy={field: {"x": "l"}})
    assert f"{field} has no entry for the output y" in reason(model, key)


def test_a_view_without_an_entry_is_named() -> None:
    table = [{"database": [v], "outputs": {"x": "1/2", "y": "1/2"}} for v in ("a", "b")]
    fields = {"blocks": [[0], []], "views": [{"x": "1", "y": "1"}, {"x": "1"}], "tradeoff": [["0", "1"], ["1", "0"]]}
    model = build(size=1, values=["a", "b"], mechanism={"table": table}, policy=fields)
    assert "views has no entry for the output y" in reason(model, "wfdp")
    sizes = build(size=(0, 1), values=["a"], mechanism={"table": [
        {"database": d, "output": "x"} for d in ([], ["a"])
    ]}, policy={"blocks": [], "views": [], "tradeoff": [["0", "1"], ["1", "0"]]})  # fmt: skip
    assert "multisets have none" in reason(sizes, "wfdp")


# --- recipes ----------------------------------------------------------------------------------------------------------

HERE = Location("recipe.toml")


def read(**entry: Any) -> tuple[Any, bool]:
    return read_scheme(Keys({key.replace("_", "-"): value for key, value in entry.items()}, HERE))


def test_recipes() -> None:
    assert read(builder="relation", measure="ratio") == (Scheme(Relation(), "outputs", "ratio", "worst"), False)
    relation = {"builder": "relation", "steps": "add remove", "within": "group", "restrict": ["sensitive"]}
    assert read(**relation, scale="levels", view="leaked", measure="hockey-stick") == (
        Scheme(Relation("add remove", "group", ("sensitive",), "levels"), "leaked", "hockey-stick", "worst"), True,
    )  # fmt: skip
    with pytest.raises(InputError, match="given all-but with the builder relation"):
        read(**relation, measure="ratio", aggregation="all-but")
    random_pair = read(builder="random-pair", measure="hockey-stick", aggregation="all-but")
    assert random_pair[0].aggregation == "all-but"
    assert random_pair[1]
    assert read(builder="sampled", steps="any", measure="tail") == (
        Scheme(Sampled(Relation("any")), "outputs", "tail"), True,
    )  # fmt: skip
    assert read(builder="redrawn-record", measure="kl") == (Scheme(RedrawnRecord(), "outputs", "kl"), False)
    assert read(builder="relation", measure="trimmed")[1]
    assert read(builder="relation", measure="concentrated-approximately")[1]
    assert CENTRES["typical"]() == Centre("typical")
    assert CENTRES["inferred-coupled-worlds"]() == InferredCentre()


@pytest.mark.parametrize(
    ("builder", "more", "field", "expected"),
    [
        ("distributions", {}, "scaled", False),
        ("distributions", {"scaled": True}, "scaled", True),
        ("clients", {}, "together", False),
        ("clients", {"together": True}, "together", True),
        ("random-pair", {}, "by_direction", False),
        ("random-pair-by-direction", {}, "by_direction", True),
        ("beliefs", {"about": "record"}, "about", "record"),
        ("membership", {"cells": ["in-upper"]}, "cells", ("in-upper",)),
    ],
)
def test_builders_with_keys_of_their_own(builder: str, more: dict[str, Any], field: str, expected: object) -> None:
    scheme, has_delta = read(builder=builder, measure="ratio", **more)
    assert getattr(scheme.builder, field) == expected
    assert not has_delta


@pytest.mark.parametrize(
    "entry",
    [
        {"builder": "nothing", "measure": "ratio"},
        {"builder": 7, "measure": "ratio"},
        {"builder": ["relation"], "measure": "ratio"},
        {"builder": "relation", "view": "nothing", "measure": "ratio"},
        {"builder": "relation", "aggregation": "nothing", "measure": "ratio"},
        {"builder": "relation", "steps": "nothing", "measure": "ratio"},
        {"builder": "relation", "steps": "add nothing", "measure": "ratio"},
        {"builder": "relation", "restrict": ["sensitive", "nothing"], "measure": "ratio"},
        {"builder": "relation", "scale": "nothing", "measure": "ratio"},
        {"builder": "beliefs", "about": "nothing", "measure": "ratio"},
    ],
)
def test_a_name_that_is_none_is_refused(entry: dict[str, Any]) -> None:
    with pytest.raises(InputError, match=r"given") as refused:
        read(**entry)
    assert "recipe.toml" in str(refused.value)


@pytest.mark.parametrize(
    "entry", [{"measure": "ratio"}, {"builder": "relation"}, {"builder": "beliefs", "measure": "kl"}]
)
def test_a_key_that_is_needed_is_named(entry: dict[str, Any]) -> None:
    with pytest.raises(InputError, match="is missing"):
        read(**entry)
