"""Why a definition holds or fails, in words, beside the sentence with all numbers."""

from __future__ import annotations

import json
import re
from typing import Any

import pytest
from examined import at_least_one

import verifier as pk
from verifier.definitions.answer import json_of
from verifier.model.library import models_folder
from verifier.numbers import with_decimal
from verifier.show.answers import verdict_sheet
from verifier.show.witnesses import why

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
    for key in at_least_one(ASKED):
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


@pytest.mark.parametrize("epsilon", ["0", "ln(11/10)", "ln(2)"])
def test_what_no_simulator_undercuts_is_the_smallest_delta(epsilon: str) -> None:
    """The weights of the tests sum to 1, so that a simulator needs the δ that the sentence says."""
    for name in ("tour", "tour-missing"):
        answer = pk.check(pk.read(models_folder() / "atlas" / f"{name}.toml"), "ddp", epsilon=epsilon)
        assert answer.verdict == "fails"
        assert f"it needs a δ of {with_decimal(answer.tight_delta, most=24)} or more" in why(answer)


LONG: dict[str, Any] = {
    "size": 14,
    "values": ["no", "yes"],
    "distribution": {"iid": {"no": "9/10", "yes": "1/10"}},
    "knowledge": {"records": list(range(1, 14))},
    "sensitive": {"records": [0]},
    "mechanism": {"kind": "threshold-count", "value": "yes", "above": 1},
}
QUICK = ("dp", "np", "apkdp", "ppkdp", "cdp", "ibcdp", "ddp", "tail-dp", "tail-apkdp", "tail-cdp", "bodp")


@pytest.mark.parametrize("key", QUICK)
def test_a_long_database_is_told_by_its_runs_and_is_whole_in_json(key: str) -> None:
    answer = pk.check(pk.build(**LONG), key, epsilon="ln(2)", replay=False)
    for said in (why(answer), str(verdict_sheet(answer).rows), repr(answer.witness)):
        assert not re.search("(no, ?){3}no", said)
    assert " × no" in str(verdict_sheet(answer).rows)
    assert re.search('("no", ?){10}"no"|(no,){10}no', json.dumps(json_of(answer)))
