"""`pkdp check --quiet`: the verdicts alone, and the same exit status."""

from __future__ import annotations

import pytest
from asking import ask

from verifier.checker import Rejected
from verifier.checker import judge as replay
from verifier.model.library import models_folder

MODEL = str(models_folder() / "DMKB20" / "example-4-as-printed.toml")


@pytest.mark.parametrize("form", ["--json", "--format=csv", "--format=markdown"])
def test_what_programs_read_stays(form: str, capsys: pytest.CaptureFixture[str]) -> None:
    asked = ("check", MODEL, "--definition", "np", form)
    assert ask(capsys, *asked) == ask(capsys, *asked, "--quiet")


def test_a_verdict_that_the_replay_rejects_is_not_said(
    capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    def reject(_evidence: object) -> None:
        raise Rejected("planted")

    monkeypatch.setattr(replay, "replay", reject)
    status, out, err = ask(capsys, "check", MODEL, "--definition", "np", "-q")
    assert (status, out) == (3, "")
    assert "planted" in err
