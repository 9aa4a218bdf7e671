"""An answer that the independent checker rejects stands alone: the others are shown, and Python can catch it."""

from __future__ import annotations

import json
from typing import Any

import pytest
from asking import ask

import verifier as pk
from verifier import recheck
from verifier.checker.answers import Word
from verifier.checker.models import Model
from verifier.checker.numbers import Rejected

COIN = """
size = 1
values = [0, 1]
[[distribution]]
iid = { 0 = "1/2", 1 = "1/2" }
[mechanism]
kind = "randomized-response"
keep = "1/2"
"""


@pytest.fixture(params=["np"])
def wrong(request: pytest.FixtureRequest, monkeypatch: pytest.MonkeyPatch) -> str:
    """A checker that rejects whatever is said of one definition."""
    honest, key = recheck.checked, request.param

    def checked(answer: dict[str, Any], model: Model) -> Word:
        return Word("rejected", "it does not follow") if answer["definition"] == key else honest(answer, model)

    monkeypatch.setattr(recheck, "checked", checked)
    return str(key)


def test_python_catches_it(wrong: str) -> None:
    model = pk.loads(COIN)
    with pytest.raises(pk.PkdpError, match=f"{wrong}: it does not follow") as caught:
        pk.check(model, wrong, epsilon="0")
    assert isinstance(caught.value, pk.RejectedError)
    assert isinstance(caught.value, Rejected)
    assert caught.value.exit_status == 3


def test_the_other_answers_of_a_passport_stay(wrong: str) -> None:
    passport = pk.overview(pk.loads(COIN))
    by_key = {answer.definition: answer for answer in passport}
    assert by_key[wrong].verdict == "undecided"
    assert by_key[wrong].reason == f"REJECTED by the independent checker: {wrong}: it does not follow"
    assert (by_key[wrong].tight_epsilon, by_key[wrong].replayed) == (None, False)
    assert by_key["dp"].replayed is True
    assert by_key["dp"].verdict == "holds"


@pytest.mark.parametrize("wrong", ["dp-any"], indirect=True)
def test_the_other_answers_of_the_atlas_stay(wrong: str, tmp_path: Any, capsys: pytest.CaptureFixture[str]) -> None:
    path = tmp_path / "coin.toml"
    path.write_text(COIN, encoding="utf-8")
    status, out, _ = ask(capsys, "check", str(path), "--atlas", "--json")
    entries = {entry["key"]: entry for entry in json.loads(out)["atlas"]}
    assert status == 3
    assert (entries[wrong]["verdict"], entries[wrong]["replayed"]) == ("undecided", False)
    assert "it does not follow" in entries[wrong]["reason"]
    assert entries["adp"]["replayed"] is True
    status, out, _ = ask(capsys, "check", str(path), "--atlas")
    assert status == 3
    assert f"{wrong}: REJECTED by the independent checker" in " ".join(out.split())


def test_the_command_names_it_below_the_overview(wrong: str, tmp_path: Any, capsys: pytest.CaptureFixture[str]) -> None:
    path = tmp_path / "coin.toml"
    path.write_text(COIN, encoding="utf-8")
    status, out, err = ask(capsys, "check", str(path))
    assert status == 3
    assert f"do not rely on what is printed above about {wrong}." in " ".join(out.split())
    assert "it does not follow" in err
    status, out, _ = ask(capsys, "check", str(path), "--json")
    verdicts = {entry["definition"]: entry["verdict"] for entry in json.loads(out)["definitions"]}
    assert (status, verdicts[wrong], verdicts["dp"]) == (3, "undecided", "holds")
