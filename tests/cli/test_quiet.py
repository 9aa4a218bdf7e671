"""`pkdp check --quiet`: the verdicts alone, and the same exit status."""

from __future__ import annotations

import json
from pathlib import Path

import pytest
from asking import ask

from verifier.checker import Rejected
from verifier.checker import judge as replay
from verifier.definitions import DEFINITIONS
from verifier.model.library import models_folder

MODEL = str(models_folder() / "DMKB20" / "example-4-as-printed.toml")
FINITE = {"holds": "holds for some finite ε", "fails": "fails at every finite ε"}
"""The words for a verdict of a question without an ε."""
OTHER = str(models_folder() / "DMKB20" / "example-4-repaired.toml")


@pytest.mark.parametrize("definition", ["np", "cdp", "ddp", "ppkdp"])
def test_one_definition_is_one_word(definition: str, capsys: pytest.CaptureFixture[str]) -> None:
    for more, words in (((), FINITE), (("--epsilon", "1"), {})):
        asked = "check", MODEL, "--definition", definition, *more
        status, out, err = ask(capsys, *asked, "--json")
        verdict = json.loads(out)["verdict"]
        expected = f"{words.get(verdict, verdict)}\n"
        assert ask(capsys, *asked, "-q") == (status, expected, err)
        assert ask(capsys, *asked, "-q", "--no-replay")[:2] == (status, expected)


def test_the_passport_is_a_line_for_each_definition(capsys: pytest.CaptureFixture[str]) -> None:
    _, out, _ = ask(capsys, "check", MODEL, "--json")
    answers = json.loads(out)["definitions"]
    expected = [f"{one['definition']}: {FINITE.get(one['verdict'], one['verdict'])}" for one in answers]
    assert ask(capsys, "check", MODEL, "--quiet") == (0, "\n".join(expected) + "\n", "")
    assert {line.partition(": ")[0] for line in expected} <= DEFINITIONS.keys()


def test_of_several_models_each_is_named(capsys: pytest.CaptureFixture[str]) -> None:
    status, out, err = ask(capsys, "check", "missing.toml", MODEL, OTHER, "--definition", "np", "-q")
    assert (status, out.splitlines()) == (2, [f"{MODEL}: fails at every finite ε", f"{OTHER}: holds for some finite ε"])
    assert err.startswith("pkdp: missing.toml: ")


def test_families_answer_alike(capsys: pytest.CaptureFixture[str]) -> None:
    asked = ("check", "thresholded-referendum", "--definition", "np", "--epsilon", "1")
    status, out, _ = ask(capsys, *asked, "--json")
    assert ask(capsys, *asked, "-q") == (status, json.loads(out)["verdict"] + "\n", "")
    assert ask(capsys, *asked, "--definition", "dp", "-q")[1].splitlines()[0].startswith("np: ")


@pytest.mark.parametrize("form", ["--json", "--format=csv", "--format=markdown"])
def test_what_programs_read_stays(form: str, capsys: pytest.CaptureFixture[str]) -> None:
    asked = ("check", MODEL, "--definition", "np", form)
    assert ask(capsys, *asked) == ask(capsys, *asked, "--quiet")


def test_kept_promises_are_not_said(capsys: pytest.CaptureFixture[str], tmp_path: Path) -> None:
    assert ask(capsys, "check", MODEL, "--expect", "-q") == (0, "", "")
    broken = tmp_path / "broken.toml"
    text = Path(MODEL).read_text(encoding="utf-8")
    broken.write_text(
        text.split("[[expect]]")[0] + '[[expect]]\ndefinition = "np"\nverdict = "holds"\n', encoding="utf-8"
    )
    status, out, _ = ask(capsys, "check", str(broken), "--expect", "-q")
    assert (status, out[:4], out.count("\n")) == (1, "FAIL", 1)


def test_a_verdict_that_the_replay_rejects_is_not_said(
    capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    def reject(_evidence: object) -> None:
        raise Rejected("planted")

    monkeypatch.setattr(replay, "replay", reject)
    status, out, err = ask(capsys, "check", MODEL, "--definition", "np", "-q")
    assert (status, out) == (3, "")
    assert "planted" in err
