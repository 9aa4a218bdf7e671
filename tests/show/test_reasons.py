"""Why a definition holds or fails, in words, beside the sentence with all numbers."""

from __future__ import annotations

import pytest

import verifier as pk
from verifier.model.library import models_folder
from verifier.show.words import verdict_sheet


def model(**keys: object) -> pk.Model:
    law = {"iid": {"no": "2/3", "yes": "1/3"}}
    lie = {"rows": [{"input": 0, "outputs": {"no": "9/10", "yes": "1/10"}}], "otherwise": {"no": "1/10", "yes": "9/10"}}
    parts = {"size": 2, "values": ["no", "yes"], "distribution": law}
    return pk.build(**parts | {"mechanism": {"kind": "count", "value": "yes", "then": [lie]}} | keys)


def rows(answer: pk.Verdict) -> dict[str, str]:
    return {str(row[0]): str(row[1]) for row in verdict_sheet(answer).rows}


def test_what_holds_says_that_no_comparison_exceeds_it_and_what_the_closest_teaches() -> None:
    found = rows(pk.check(model(knowledge={"records": [0]}), "np"))
    start = f"No comparison exceeds δ = 0 at ε = {found['smallest ε'].split()[0]}. Closest to failing: if the attacker"
    assert found["why"].startswith(start)
    assert "P - e^ε·Q = 0" in found["tightest"]
    assert found["tightest"] not in found["why"]


def test_evidence_that_the_reason_has_in_full_is_not_repeated() -> None:
    noisy = pk.read(models_folder() / "atlas" / "exponential-noisy-max.toml")
    for epsilon, name in (("1", "tightest"), ("1/2", "witness")):
        answer = pk.check(noisy, "zcodp", epsilon=epsilon)
        assert answer.to_json()[name] is not None
        found = rows(answer)
        assert name not in found
        assert "The smallest ρ for all orders α > 1 of the first from the second is" in found["why"]


def test_an_average_without_excess_stands_once() -> None:
    found = rows(pk.check(model(knowledge={"records": [0]}), "ppkdp"))
    assert "on average over what the attacker knows: δ(ε) = 0 at ε = " in found["why"]
    assert "tightest" not in found


@pytest.mark.parametrize(("lies", "words"), [(False, "for instance, told ["), (True, "in every context it answers ")])
def test_a_simulator_is_shown_by_what_it_answers_once(lies: bool, words: str) -> None:  # noqa: FBT001
    mechanism = {"kind": "constant", "output": "ok"} if lies else {"kind": "randomized-response", "keep": "1/2"}
    answer = pk.check(model(mechanism=mechanism), "ddp", delta="1/100")
    found = rows(answer)
    assert answer.verdict == "holds"
    assert words in found["why"]
    assert len(found["why"]) < 300
