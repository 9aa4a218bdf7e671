"""The worst mechanism for definitions of DP22: none on a grid is worse, and the replay derives the rows again."""

from __future__ import annotations

import json
from fractions import Fraction
from itertools import product
from pathlib import Path
from typing import Any

import pytest

import verifier as pk
from verifier.checker import Rejected
from verifier.checker.exchange.multipliers import LINEAR, replay_worst
from verifier.checker.files import replay_file
from verifier.definitions.scheme.decide import Scheme
from verifier.model.library import models_folder
from verifier.numbers import Delta, log_epsilon
from verifier.wings.search.certificates import worst_file
from verifier.wings.search.linear_bounds import definition_of
from verifier.wings.search.worst.files import certificate_of

POLICY: dict[str, Any] = {
    "sensitive": ["a"],
    "graph": [["a", "b"]],
    "attributes": {"a": ["x", "1"], "b": ["x", "2"]},
    "bits": {"a": "0", "b": "1"},
    "databases": [["a", "a"], ["a", "b"], ["b", "b"]],
    "fixed": ["a", "b"],
    "record": 0,
    "pairs": [[["a", "a"], ["b", "b"]]],
    "secrets": [[[["a", "a"], ["a", "b"]], [["b", "a"], ["b", "b"]]]],
    "dependence": [[0, 1]],
    "group": 2,
    "scale": [[["a", "b"], "2"]],
    "blocks": [[0, 1]],
    "distance": "hamming",
    "at-most": "1",
    "statistic": [[["a", "a"], "0"], [["a", "b"], "1"], [["b", "a"], "1"], [["b", "b"], "2"]],
    "adversaries": [[0, [1]], [1, []]],
    "theta-distances": [["up", "down", "2"]],
}
GRID = 3


def model(**more: Any) -> pk.Model:
    """Two records of two values under two distributions."""
    up = {"name": "up", "iid": {"a": "1/2", "b": "1/2"}}
    rows = [(["a", "a"], "1/4"), (["a", "b"], "1/4"), (["b", "b"], "1/2")]
    down = {"name": "down", "table": [{"database": database, "probability": p} for database, p in rows]}
    keys = {"size": 2, "values": ["a", "b"], "distribution": [up, down], "policy": POLICY}
    return pk.build(**{**keys, "mechanism": {"kind": "constant", "output": "o"}, **more})


MODEL = model()


def on_the_grid() -> list[pk.Model]:
    """Every mechanism with two outputs whose probabilities are multiples of 1/GRID."""
    databases = list(product("ab", repeat=2))
    listed = []
    for weights in product(range(GRID + 1), repeat=len(databases)):
        table = [
            {"database": list(database), "outputs": {"u": str(Fraction(w, GRID)), "v": str(Fraction(GRID - w, GRID))}}
            for database, w in zip(databases, weights, strict=True)
        ]
        listed.append(model(mechanism={"table": table}))
    return listed


def decided(key: str) -> bool:
    """Whether a definition is linear, and decided on the model."""
    scheme = pk.atlas[key].compare
    return isinstance(scheme, Scheme) and pk.check(MODEL, pk.atlas[key], replay=False).verdict != "unsupported"


def test_the_replay_has_the_definitions_that_are_linear() -> None:
    linear = set()
    for key in pk.atlas.entries:
        try:
            linear.add(definition_of(key).key)
        except pk.UnsupportedError:
            continue
    assert linear == LINEAR


@pytest.mark.sweep(3)
@pytest.mark.parametrize("key", sorted(key for key in LINEAR if decided(key)))
def test_what_is_assumed_is_derived_again_and_no_mechanism_on_the_grid_is_worse(key: str) -> None:
    found = pk.worst(MODEL, assuming=f"{key}(epsilon=ln(2))", maximise="np delta at 0")
    assert found.found is not None
    assert pk.check(found.found, pk.atlas[key], epsilon="ln(2)").verdict in {"holds", "vacuous"}
    assert pk.check(found.found, "np", epsilon="0").tight_delta == found.optimum
    replay_worst(json.loads(json.dumps(certificate_of(found))))
    for candidate in on_the_grid()[::3]:
        if pk.check(candidate, pk.atlas[key], epsilon="ln(2)", replay=False).verdict == "holds":
            delta = pk.check(candidate, "np", epsilon="0", replay=False).tight_delta
            assert isinstance(delta, Delta)
            assert delta <= found.optimum


@pytest.mark.parametrize(("key", "epsilon"), [("adp", "ln(2)"), ("dnpr", "0"), ("pbdp", "0"), ("psdp", "ln(2)")])
def test_what_has_a_delta_is_maximised(key: str, epsilon: str) -> None:
    found = pk.worst(MODEL, assuming="dp(epsilon=ln(3))", maximise=f"{key} delta at {epsilon}")
    assert found.found is not None
    assert pk.check(found.found, pk.atlas[key], epsilon=epsilon).tight_delta == found.optimum
    for candidate in on_the_grid()[::5]:
        if pk.check(candidate, "dp", epsilon="ln(3)", replay=False).verdict == "holds":
            delta = pk.check(candidate, pk.atlas[key], epsilon=epsilon, replay=False).tight_delta
            assert isinstance(delta, Delta)
            assert delta <= found.optimum


def test_one_sided_privacy_lets_one_value_through() -> None:
    """OSDP at ε leaves 1 - e^(-ε) to what is never seen of a protected record."""
    for factor in (Fraction(2), Fraction(3), Fraction(7, 4)):
        found = pk.worst(MODEL, assuming=f"osdp(epsilon={log_epsilon(factor)})", maximise="dp delta at ln(100)")
        assert found.optimum == 1 - 1 / factor


def test_a_mechanism_alone_is_enough() -> None:
    alone = pk.build(
        size=1, values=["a", "b"], mechanism={"kind": "constant", "output": "o"}, policy={"sensitive": ["a"]}
    )
    found = pk.worst(alone, assuming="osdp(epsilon=ln(2))", maximise="adp delta at ln(2)")
    assert found.optimum == Fraction(1, 2)
    assert found.claim.endswith("does worse.")
    assert found.found is not None
    assert "[policy]" in found.found.text
    assert "[[distribution]]" not in found.found.text


def test_a_certificate_is_of_its_policy() -> None:
    found = pk.worst(MODEL, assuming="osdp(epsilon=ln(2))", maximise="dp delta at ln(2)")
    content = json.loads(json.dumps(certificate_of(found)))
    assert worst_file(found)
    replay_worst(content)
    for policy in ({"sensitive": ["b"]}, {"sensitive": ["a", "b"]}, {}):
        with pytest.raises(Rejected):
            replay_worst({**content, "policy": policy})
    with pytest.raises(Rejected, match="linear"):
        replay_worst({**content, "assumed": [{**content["assumed"][0], "definition": "klpr"}]})
    with pytest.raises(Rejected, match="has no δ"):
        replay_worst({**content, "assumed": [{**content["assumed"][0], "delta": "1/100"}]})
    with pytest.raises(Rejected):
        replay_worst({**content, "optimum": str(Fraction(content["optimum"]) / 2)})


@pytest.mark.parametrize(
    ("assuming", "maximise"),
    [
        ("osdp(epsilon=ln(2))", "dp delta at ln(2)"),
        ("iddp(epsilon=ln(2)) and dp-any(epsilon=ln(3))", "np delta at 0"),
        ("pfpr(epsilon=ln(2))", "dnpr delta at 0"),
    ],
)
def test_the_file_of_a_certificate_is_replayed_against_its_model(assuming: str, maximise: str, tmp_path: Path) -> None:
    path = tmp_path / "tour.toml"
    path.write_text((models_folder() / "atlas" / "tour.toml").read_text(encoding="utf-8"), encoding="utf-8")
    found = pk.worst(pk.read(path), assuming=assuming, maximise=maximise)
    text = worst_file(found, tmp_path)
    (tmp_path / "worst.json").write_text(text, encoding="utf-8")
    assert replay_file(tmp_path / "worst.json").uncompared == ""
    content = json.loads(text)
    del content["policy"]["neighbours"]
    (tmp_path / "worst.json").write_text(json.dumps(content), encoding="utf-8")
    with pytest.raises(Rejected, match="the policy"):
        replay_file(tmp_path / "worst.json")


@pytest.mark.parametrize(
    ("assuming", "maximise", "words"),
    [
        ("klpr(epsilon=ln(2))", "dp delta at 0", "klpr of DP22 is no linear bound"),
        ("prodp(epsilon=ln(2))", "dp delta at 0", "prodp of DP22 is no linear bound"),
        ("bldp(epsilon=ln(2))", "dp delta at 0", "bldp of DP22 is no linear bound"),
        ("randp(epsilon=ln(2))", "dp delta at 0", "randp of DP22 is no linear bound"),
        ("infpr(epsilon=ln(2))", "dp delta at 0", "infpr of DP22 is no linear bound"),
        ("osdp(epsilon=ln(2), delta=1/10)", "dp delta at 0", "osdp has no δ"),
        ("dp(epsilon=ln(2))", "osdp delta at 0", "osdp has no δ that could be large"),
        ("perdp(epsilon=ln(2))", "dp delta at 0", "adds and removes records"),
        ("osdp(epsilon=1/2)", "dp delta at 0", "not rational"),
    ],
)
def test_what_is_not_linear_is_refused(assuming: str, maximise: str, words: str) -> None:
    with pytest.raises(pk.UnsupportedError, match=words):
        pk.worst(MODEL, assuming=assuming, maximise=maximise)


def test_a_multiple_of_epsilon_is_an_integer() -> None:
    halves = model(policy={"scale": [[["a", "b"], "1/2"]]})
    with pytest.raises(pk.UnsupportedError, match="allows 1/2·ε"):
        pk.worst(halves, assuming="iddp(epsilon=ln(2))", maximise="dp delta at 0")


def test_the_policy_is_written_as_it_was_read() -> None:
    found = pk.worst(MODEL, assuming="iddp(epsilon=ln(2))", maximise="dp delta at ln(2)")
    assert found.found is not None
    assert found.found.policy == MODEL.policy
