"""The worst mechanism for definitions of DP22: none on a grid is worse, and the replay derives the rows again."""

from __future__ import annotations

import json
import tomllib
from fractions import Fraction
from functools import cache
from itertools import product
from pathlib import Path
from typing import Any

import pytest
from policies import TWO

import verifier as pk
from verifier.checker import Rejected
from verifier.checker.exchange.multipliers import LINEAR, replay_worst
from verifier.checker.files import replay_file
from verifier.definitions.scheme.decide import Scheme
from verifier.model.compose import with_mechanism
from verifier.model.library import models_folder
from verifier.numbers import Delta, log_epsilon
from verifier.wings.search.certificates import worst_file
from verifier.wings.search.linear_bounds import definition_of
from verifier.wings.search.worst.files import certificate_of

FILE = """
size = 2
values = [0, 1]
[[distribution]]
name = "up"
iid = { 0 = "1/2", 1 = "1/2" }
[[distribution]]
name = "down"
table = [
  { database = [0, 0], probability = "1/4" },
  { database = [0, 1], probability = "1/4" },
  { database = [1, 1], probability = "1/2" },
]
[mechanism]
kind = "constant"
output = "u"
"""
"""Two records of two values under two distributions."""
OF_OUTPUTS = {"image", "leak", "tests", "tailored", "levels"}
POLICY: dict[str, Any] = {name: value for name, value in TWO.items() if name not in OF_OUTPUTS} | {
    "theta-distances": [["up", "down", "2"]]
}
MODEL = pk.build(**tomllib.loads(FILE), policy=POLICY)
GRID = 3


@cache
def on_the_grid() -> list[pk.Model]:
    """Every mechanism with two outputs whose probabilities are multiples of 1/GRID."""
    databases = list(product((0, 1), repeat=2))
    listed = []
    for weights in product(range(GRID + 1), repeat=len(databases)):
        table = [
            {"database": list(database), "outputs": {"u": str(Fraction(w, GRID)), "v": str(Fraction(GRID - w, GRID))}}
            for database, w in zip(databases, weights, strict=True)
        ]
        listed.append(with_mechanism(MODEL, {"table": table}))
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
    for policy in ({"sensitive": [0]}, {"sensitive": [0, 1]}, {}):
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


def test_the_policy_is_written_as_it_was_read() -> None:
    found = pk.worst(MODEL, assuming="iddp(epsilon=ln(2))", maximise="dp delta at ln(2)")
    assert found.found is not None
    assert found.found.policy == MODEL.policy
