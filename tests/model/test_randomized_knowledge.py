"""The family Z: a definition quantifies over all pairs (θ, ζ), and randomized knowledge is drawn from the original."""

from __future__ import annotations

from typing import Any

import pytest

import verifier as pk
from verifier.engine import Engine
from verifier.questions.losses import loss

VOTE: dict[str, Any] = {
    "size": 3,
    "values": [0, 1],
    "distribution": [{"name": "low", "iid": {0: "9/10", 1: "1/10"}}, {"name": "even", "iid": {0: "1/2", 1: "1/2"}}],
    "mechanism": {"kind": "count", "value": 1},
    "sensitive": {"records": [2]},
}
FAMILY: list[dict[str, Any]] = [
    {"name": "none", "records": []},
    {"name": "first", "records": [0]},
    {"name": "count", "kind": "part", "records": [0, 1], "of": {"kind": "count", "value": 1}},
]


@pytest.mark.parametrize("definition", ["dp", "np", "apkdp", "ppkdp", "cdp"])
def test_one_function_answers_as_before(definition: str) -> None:
    """A family of one has the answers and the names of `[knowledge]`."""
    one = pk.build(**VOTE, knowledge={"records": [0]})
    family = pk.build(**VOTE, knowledge=[{"name": "first", "records": [0]}])
    answers = [pk.check(model, definition, epsilon="ln(2)", delta="1/9") for model in (one, family)]
    assert answers[0].to_json() == answers[1].to_json()
    for force in ("table", "sum"):
        engines = [Engine(model, force=force) for model in (one, family)]
        asked = [pk.check(e.model, definition, epsilon="ln(2)", engine=e, replay=False) for e in engines]
        assert asked[0].to_json() == asked[1].to_json()


def test_answers_name_the_pair() -> None:
    model = pk.build(**VOTE, knowledge=FAMILY)
    assert [theta.name for theta in model.thetas][:4] == ["low / none", "low / first", "low / count", "even / none"]
    assert [zeta.name for zeta in model.zetas] == ["none", "first", "count"]
    assert "2 distributions" in repr(model)
    found = pk.check(model, "apkdp", epsilon="ln(2)").witness
    assert found is not None
    assert (found.distribution, found.knowledge and found.knowledge.text) == ("low / count", "0")
    assert {one.distribution for one in pk.acceptable(model)} == {theta.name for theta in model.thetas}
    assert [one.distribution for one in loss(model).knowledge][:2] == ["low / none", "low / first"]
    passport = pk.overview(model)
    assert all(one.replayed for one in passport)


def test_expectations_and_normalizations_name_the_pair() -> None:
    text = """
size = 1
values = [0, 1]
[[distribution]]
name = "θ"
iid = { 0 = "1/2", 1 = "1/2" }
[[knowledge]]
name = "a"
records = []
[[knowledge]]
name = "b"
records = [0]
[mechanism]
kind = "identity"
[[normalization]]
distribution = "θ / a"
record = 0
parameters = [ { name = "D", table = { 0 = "1/2", 1 = "1/2" } } ]
table = [ { when = [0], database = [0] }, { when = [1], database = [1] } ]
[[expect]]
definition = "np"
distribution = "θ / b"
verdict = "vacuous"
[[expect]]
definition = "np"
distribution = "θ / a"
verdict = "fails"
[[expect]]
definition = "acceptable"
distribution = "θ / a"
acceptable = true
"""
    from verifier.questions.expect import compare

    assert all(one.agrees for one in compare(pk.loads(text)))
    with pytest.raises(pk.InputError, match=r"the distribution .* is unknown"):
        pk.loads(text.replace('distribution = "θ / a"\nrecord', 'distribution = "θ"\nrecord'))


# --- randomized knowledge: DKM19, Definition 7 ------------------------------------------------------------------
