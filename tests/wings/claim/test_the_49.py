"""The claims of issues, courses and papers in `claims.json`: each as its program, and as the table of a model file."""

import json
import tomllib
from fractions import Fraction
from pathlib import Path
from typing import Any

import pytest

import verifier as pk
from verifier.wings.claim.answer import ClaimAnswer

CLAIMS = json.loads(Path(__file__).with_name("claims.json").read_text(encoding="utf-8"))
OF_NEIGHBOURS = [one for one in CLAIMS if "relation" in one]
TWO = {"poisson-by-size", "response-or-erasure"}
"""Claims about two mechanisms, which `compare` decides."""


def asked(one: dict[str, Any], mechanism: Any, **words: Any) -> ClaimAnswer:
    claimed = {name: one["claim"][name] for name in ("epsilon", "delta") if name in one["claim"]}
    return pk.claim(mechanism, **{"raises": False, "name": one["id"], **claimed, **words})


def test_every_claim_is_asked() -> None:
    others = {"crowds", "three-outputs", "response-in-numbers", "response-concentrated", "geometric-trade-off"}
    named = {one["id"] for one in OF_NEIGHBOURS} | TWO | others | {"event-reports", "small-counts-hidden"}
    assert named == {one["id"] for one in CLAIMS}
    assert len(CLAIMS) == 49


@pytest.mark.parametrize("one", OF_NEIGHBOURS, ids=lambda one: one["id"])
def test_a_program(one: dict[str, Any]) -> None:
    words: dict[str, Any] = {name: one[name] for name in ("values", "size", "databases", "pairs") if name in one}
    if "pairs" not in one:
        words["relation"] = one["relation"]
    answer = asked(one, one["program"], **words)
    agrees(one, answer)
    if answer.verdict == "violated":
        assert answer.witness is not None
        assert answer.witness.databases is not None
        assert sorted(map(len, answer.witness.databases)) == sorted(map(len, one["expected"]["witness"]["databases"]))
    advantage = asked(one, one["program"], definition="advantage", epsilon=None, delta=None, **words)
    assert advantage.value == Fraction(one["expected"]["advantage"])
    tpr = asked(one, one["program"], definition="tpr", fpr="1/100", epsilon=None, delta=None, **words)
    assert tpr.value == Fraction(one["expected"]["tpr_at_fpr_1_100"])


@pytest.mark.parametrize("one", OF_NEIGHBOURS, ids=lambda one: one["id"])
def test_a_table_of_a_model_file(one: dict[str, Any]) -> None:
    """Outputs without an end are one, so that outputs of the witness may be others, and the numbers are the same."""
    model = pk.loads(one["table"])
    words: dict[str, dict[str, Any]] = {
        "dp": {},
        "adp": {"relation": "add-or-remove-one"},
        "bfpr": {"graph": tomllib.loads(one["table"]).get("policy", {}).get("graph")},
    }
    agrees(one, asked(one, model, **words[one["asked_as_table_by"]]))


def agrees(one: dict[str, Any], answer: ClaimAnswer) -> None:
    expected = one["expected"]
    assert answer.verdict == one["verdict"]
    assert answer.tight_epsilon == expected["smallest_epsilon"]
    assert answer.tight_delta == expected["smallest_delta"]
    assert answer.advantage == Fraction(expected["advantage"])
    assert answer.replayed
    assert answer.epsilon_at(0) == expected.get("smallest_epsilon_at_delta_0", expected["smallest_epsilon"])
    assert answer.delta_at("inf") == expected["delta_at_every_epsilon"]
    if answer.verdict == "violated":
        assert answer.witness is not None
        assert answer.witness.probabilities == tuple(map(Fraction, expected["witness"]["probabilities"]))
        assert str(answer).startswith(f"claim violated: {one['id']}: dp at ε = ")


def claim_of(key: str) -> dict[str, Any]:
    return next(one for one in CLAIMS if one["id"] == key)


@pytest.mark.parametrize("key", ["crowds", "three-outputs", "response-in-numbers"])
def test_what_an_attacker_gains(key: str) -> None:
    one = claim_of(key)
    (table,), prior, expected = one["tables"], one["prior"], one["expected"]
    names = {"posterior": "posterior", "bayes_success": "best-guess", "tpr": "tpr"}
    ((word, most),) = [(names[name], value) for name, value in one["claim"].items() if name in names]
    answer = pk.claim(table, word, at_most=most, prior=prior, fpr=one["claim"].get("fpr"), raises=False)
    assert answer.verdict == one["verdict"]
    assert answer.replayed
    numbers = {"posterior": "posterior", "best-guess": "bayes_success", "tpr": "tpr_at_fpr"}
    assert answer.value == Fraction(expected[numbers[word]])
    if "smallest_epsilon" in expected:
        assert pk.claim(table).tight_epsilon == expected["smallest_epsilon"]
        assert pk.claim(table, "posterior", prior=prior).value == Fraction(expected["posterior"])
    else:
        assert pk.claim(table, "advantage", prior=prior).value == Fraction(expected["advantage"])
        uniform = {"0": "1/2", "1": "1/2"}
        guess = pk.claim(table, "best-guess", prior=uniform).value
        assert guess == Fraction(expected["bayes_success_uniform"])


def test_zero_concentrated() -> None:
    one = claim_of("response-concentrated")
    (table,) = one["tables"]
    answer = pk.claim(table, "zcdp", rho=one["claim"]["rho"])
    assert (answer.verdict, answer.tight_epsilon) == (one["verdict"], one["expected"]["rho"])
    assert answer.value == one["expected"]["rho"]
    assert pk.claim(table, "rdp", order=2, epsilon=one["expected"]["renyi_2"]).verdict == "holds, tight"


def test_a_trade_off() -> None:
    one = claim_of("geometric-trade-off")
    (table,) = one["tables"]
    answer = pk.claim(table, "fdp", tradeoff=one["claim"]["tradeoff"])
    assert answer.verdict == one["verdict"]
    assert [[str(alpha), str(beta)] for alpha, beta in answer.tradeoff] == one["expected"]["vertices"]


def test_event_reports(tmp_path: Path) -> None:
    one = claim_of("event-reports")
    file = tmp_path / "reports.toml"
    file.write_text(one["toml"], encoding="utf-8")
    answer = asked(one, file)
    assert answer.verdict == one["verdict"]
    assert answer.tight_epsilon == one["expected"]["smallest_epsilon"]


def test_small_counts_hidden() -> None:
    one = claim_of("small-counts-hidden")
    words = {"values": one["values"], "size": one["size"], "distribution": {"iid": one["claim"]["iid"]}}
    answer = asked(one, one["program"], definition="np", **words)
    assert answer.verdict == one["verdict"]
    assert answer.tight_delta == one["expected"]["smallest_delta"]
    assert answer.epsilon_at(0) == one["expected"]["smallest_epsilon_at_delta_0"]


def test_what_is_said_to_be_another_mechanism_is_the_same() -> None:
    one = claim_of("poisson-by-size")
    models = [pk.build(size=one["size"], values=one["values"], mechanism={"program": text}) for text in one["programs"]]
    found = pk.compare(*models)
    assert found.same_law is one["expected"]["same_law"]
    assert pk.claim_same(*models).same_law


def test_what_is_said_to_be_better_always_is_incomparable() -> None:
    one = claim_of("response-or-erasure")
    response, erasure = (
        pk.pair(*table.values(), title=title).model
        for table, title in zip(one["tables"], ("response", "erasure"), strict=True)
    )
    found = pk.compare(response, erasure).definitions["dp"]
    assert found.order == one["expected"]["order"]
    assert [crossing.text() for crossing in found.crossings] == one["expected"]["crossings"]
    with pytest.raises(pk.ClaimViolated, match="erasure is at least as private as response by dp"):
        pk.claim_order(erasure, response, "dp")
