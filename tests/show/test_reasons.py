"""Why a definition holds or fails, in words, beside the sentence with all numbers."""

from __future__ import annotations

import pytest

import verifier as pk
from verifier.model.library import models_folder
from verifier.numbers import with_decimal
from verifier.show.answers import verdict_sheet
from verifier.show.reasons import why


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


ASKED = (
    "cdp",
    "ibcdp",
    "ddp",
    "np",
    "apkdp",
    "ppkdp",
    "dp",
    "advpr",
    "mpr",
    "anpr",
    "infpr",
    "cordp",
    "renyidp",
    "wbdp",
)


@pytest.mark.parametrize("name", ["tour", "tour-missing", "near-copies"])
def test_a_reason_is_made_of_sentences_that_say_what_is_compared(name: str) -> None:
    """No law of a mechanism is run or not run; an attacker knows B, and never the record that is asked about."""
    asked = pk.read(models_folder() / "atlas" / f"{name}.toml")
    for key in ASKED:
        for epsilon in (None, "1/100"):
            answer = pk.check(asked, key, epsilon=epsilon, replay=False)
            said = why(answer)
            if answer.verdict not in {"holds", "fails"} or not said:
                continue
            assert said[0].isupper(), (key, said)
            assert said.endswith("."), (key, said)
            assert "knows D(" not in said, (key, said)
            assert " and D(" not in said.split("Where the attacker")[0].split("where the attacker")[0], (key, said)
            assert "was run" not in said
            assert "against prior" not in said
            assert "against posterior" not in said


def test_a_counterexample_names_both_sides() -> None:
    missing = pk.read(models_folder() / "atlas" / "tour-missing.toml")
    said = {key: why(pk.check(missing, key, epsilon="ln(11/10)")) for key in ("cdp", "ibcdp", "ddp", "advpr", "ppkdp")}
    assert said["cdp"].startswith(
        "Databases with D(0) = ill are compared with the same databases after D(0) is set to well. If the attacker"
    )
    assert "She sees that with probability 9/16 (0.5625) if D(0) is left at ill, and 7/128" in said["cdp"]
    assert "7/43 (0.162790697674) if it came from the database as it is" in said["ibcdp"]
    assert said["ddp"].startswith("The mechanism M is compared with a simulator, which is told every record but D(0).")
    assert "That some record is ill has the probability P = 43/53 (0.811320754717) afterwards" in said["advpr"]
    assert "the odds that D(0) = ill rather than that D(0) = well become 72/7" in said["ppkdp"]


@pytest.mark.parametrize("epsilon", ["0", "ln(11/10)", "ln(2)"])
def test_what_no_simulator_undercuts_is_the_smallest_delta(epsilon: str) -> None:
    """The weights of the tests sum to 1, so that a simulator needs the δ that the sentence says."""
    for name in ("tour", "tour-missing"):
        answer = pk.check(pk.read(models_folder() / "atlas" / f"{name}.toml"), "ddp", epsilon=epsilon)
        assert answer.verdict == "fails"
        assert f"it needs a δ of {with_decimal(answer.tight_delta, most=24)} or more" in why(answer)


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


@pytest.mark.parametrize(("epsilon", "at"), [("1/2", "even at the larger ε = ln(5/3)"), ("ln(5/3)", "at ε = ln(5/3)")])
def test_tests_at_a_larger_epsilon_than_the_asked_one_say_so(epsilon: str, at: str) -> None:
    answer = pk.check(pk.read(models_folder() / "DMKB20" / "remark-or-independent.toml"), "ddp", epsilon=epsilon)
    assert why(answer).endswith(f"it needs a δ of 13/96 (0.135416666667) or more {at}.")
    rows = {label: text for label, text, *_ in verdict_sheet(answer).rows}
    assert rows["witness"].startswith(f"No simulator passes these tests {at}: ")
