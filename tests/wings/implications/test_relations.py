"""The relations between definitions: the arrows on random models, the claims on their models, and the table."""

from __future__ import annotations

from dataclasses import replace
from itertools import product
from typing import Any

import pytest
from examined import at_least_one
from hypothesis import given, settings
from hypothesis import strategies as st
from strategies import cases

import verifier as pk
from verifier.definitions import DEFINITIONS
from verifier.engine import Engine
from verifier.errors import InputError
from verifier.model.library import models_folder
from verifier.numbers import Delta, Epsilon
from verifier.wings.implications import table as relation_table
from verifier.wings.implications.conditions import CONDITIONS
from verifier.wings.implications.facts import ARROWS, CLAIMS, Implication, terms_of
from verifier.wings.implications.table import relations

pytestmark = pytest.mark.quick


AT = ("0", "ln(2)", "1/3", "inf")
PROOFS = (models_folder().parent / "proofs" / "relations.md").read_text()


def keeps(model: pk.Model, arrow: Implication) -> None:
    """The target's tightest values are at most those of the source, its ε times the factor."""
    if "none-missing" in arrow.when and model.policy.absent is not None:
        return
    engine = Engine(model)
    ask: dict[str, Any] = {"engine": engine, "replay": False}
    pure = [pk.check(model, name, **ask) for name in (arrow.source, arrow.target)]
    if "unsupported" in {one.verdict for one in pure}:
        return
    first, second = (one.tight_epsilon for one in pure)
    ((factor, symbols),) = terms_of(arrow.map)
    if "n" in symbols:
        if model.restriction:
            return
        factor *= model.size
    assert isinstance(first, Epsilon)
    assert isinstance(second, Epsilon)
    if not first.is_infinite:
        assert not second.is_infinite, arrow
        if factor == 1:
            assert not first < second, arrow
        else:
            assert second.exp is not None
            assert first.exp is not None
            assert second.exp <= first.exp**factor, arrow
    if arrow.delta:
        for at in AT[:2] if arrow.target == "ddp" else AT:
            source, target = (
                pk.check(model, name, epsilon=at, **ask).tight_delta for name in (arrow.source, arrow.target)
            )
            assert isinstance(source, Delta)
            assert isinstance(target, Delta)
            assert target <= source, (arrow, at)


@st.composite
def full(draw: st.DrawFn) -> dict[str, Any]:
    """Models where everything is possible: independent or not, all others known or nothing."""
    size, values = draw(st.sampled_from([(1, 2), (1, 3), (2, 2)]))
    numbers = st.integers(1, 4)

    def law(keys: Any) -> dict[Any, str]:
        weights = {key: draw(numbers) for key in keys}
        return {key: f"{w}/{sum(weights.values())}" for key, w in weights.items()}

    rows = list(product(range(values), repeat=size))
    outputs = {row: law("xyz"[: draw(st.integers(2, 3))]) for row in rows}
    if draw(st.booleans()):
        outputs = {row: law("xy") for row in rows}
    distribution: Any = {"independent": [law(range(values)) for _ in range(size)]}
    if draw(st.booleans()):
        distribution = {"table": [{"database": r, "probability": p} for r, p in law(rows).items()]}
    known = draw(st.sampled_from([[], [1]])) if size == 2 else []
    keys: dict[str, Any] = {
        "size": size,
        "values": range(values),
        "distribution": distribution,
        "sensitive": {"records": [0]},
    }
    mechanism = {"table": [{"database": row, "outputs": outputs[row]} for row in rows]}
    return {**keys, "mechanism": mechanism, **({"knowledge": {"records": known}} if known else {})}


@pytest.mark.parametrize("arrow", [one for one in ARROWS if not one.condition], ids=lambda one: one.text)
@given(case=cases(max_size=2))
@settings(max_examples=25)
def test_an_arrow_holds(arrow: Implication, case: Any) -> None:
    keeps(pk.build(**case.keys), arrow)


@pytest.mark.parametrize("arrow", [one for one in ARROWS if one.condition], ids=lambda one: one.text)
@given(keys=full(), case=cases(max_size=2))
@settings(max_examples=25)
def test_an_arrow_holds_under_its_condition(arrow: Implication, keys: dict[str, Any], case: Any) -> None:
    for model in (pk.build(**{**keys, "values": list(keys["values"])}), pk.build(**case.keys)):
        if model.protects_records and CONDITIONS[arrow.condition].holds(model):
            keeps(model, arrow)


def test_the_conditions_are_met_and_not_met() -> None:
    coins = {"size": 2, "values": [0, 1], "distribution": {"iid": {0: "1/2", 1: "1/2"}}, "mechanism": {"kind": "sum"}}
    noisy = {"kind": "records", "records": [0], "then": [{"kind": "randomized-response", "keep": "1/2"}]}
    copies = {"table": [{"database": [v, v], "probability": "1/2"} for v in (0, 1)]}
    told = {"records": [1]}
    one: dict[str, Any] = {"sensitive": {"records": [0]}}
    said: dict[str, list[tuple[dict[str, Any], bool]]] = {
        "independent": [({}, True), ({"distribution": copies}, False), ({"knowledge": told}, True)],
        "values": [
            ({}, True),
            ({"values": [0, 1, 2]}, False),
            ({"knowledge": told}, False),
            ({"knowledge": told, **one}, True),
        ],
        "informed": [
            ({"knowledge": told, **one}, True),
            ({}, False),
            ({"values": [0, 1, 2], "knowledge": told, **one}, False),
        ],
        "outputs": [({}, False), ({"mechanism": noisy}, True), ({"distribution": copies}, False)],
    }
    for key, asked in at_least_one(said.items()):
        for change, holds in at_least_one(asked):
            assert CONDITIONS[key].holds(pk.build(**{**coins, **change})) is holds, (key, change)


@pytest.mark.parametrize("claim", CLAIMS, ids=lambda one: f"{one.where}: {one.source} to {one.target}")
def test_a_claim_is_proved_by_arrows_or_refuted_by_its_model(claim: Any) -> None:
    arrows = [one for one in ARROWS if (one.source, one.target) == (claim.source, claim.target)]
    if not claim.refuted:
        assert arrows
        return
    model = pk.read(models_folder() / claim.model)
    first, second = (pk.check(model, name) for name in (claim.source, claim.target))
    if claim.target.startswith("tail-"):
        first, second = (pk.check(model, name, epsilon="ln(2)", delta="1/4") for name in (claim.source, claim.target))
    assert (first.verdict, second.verdict) == ("holds", "fails")
    assert first.replayed
    assert second.replayed
    for arrow in (one for one in arrows if one.condition):
        assert not CONDITIONS[arrow.condition].holds(model), "the repaired statement excludes the counterexample"


def test_every_proof_is_written() -> None:
    for arrow in at_least_one(ARROWS):
        page, heading = arrow.proof.split(", ")
        assert (page, f"## {heading}\n" in PROOFS) == ("proofs/relations.md", True), arrow.proof


def test_the_table_has_no_blank_cell() -> None:
    found = relations()
    for table in (found.pure, found.approximate):
        assert len(table) == len(found.definitions) * (len(found.definitions) - 1)
        assert {cell.status for cell in table.values()} <= {"implied", "not implied"}
    assert found.pure["dp", "ibcdp"].factor == 2
    assert found.pure["tail-dp", "ibcdp"].factor == 2
    assert [found.pure[name, "np"].factor for name in ("dp", "tail-dp")] == ["n", "n"]
    assert found.pure["dp", "tail-ppkdp"].factor == "n"
    assert found.pure["cdp", "np"].status == found.approximate["dp", "np"].status == "not implied"
    assert set(found.definitions) <= set(DEFINITIONS)


def test_an_arrow_that_a_model_refutes_is_noticed(monkeypatch: pytest.MonkeyPatch) -> None:
    relations.cache_clear()
    monkeypatch.setattr(relation_table, "ARROWS", (*ARROWS, replace(ARROWS[0], source="np", target="cdp")))
    try:
        with pytest.raises(ArithmeticError, match=r"np implies cdp by proof, and .* refutes it"):
            relations()
    finally:
        relations.cache_clear()


# --- models that separate protect every record -----------------------------------------------------------------------


def test_no_model_that_separates_restricts_the_records() -> None:
    found = relations()
    used = {cell.fact.path for table in (found.pure, found.approximate) for cell in table.values() if cell.fact}
    named = {claim.model for claim in CLAIMS if claim.model}
    for path in at_least_one(sorted(used | named)):
        assert not pk.read(models_folder() / path).restriction, path


def test_a_restricted_model_is_refused_as_evidence() -> None:
    path = models_folder() / "restricted" / "copy-published.toml"
    with pytest.raises(
        InputError, match=r"this model is restricted to record 0\. Expected a model without \[sensitive\]"
    ):
        relation_table.fact(path, ("dp", "np"))
