"""Certificates that commands write, and `pkdp verify` of them; what these print is in tests/transcripts/replay.txt."""

from __future__ import annotations

import json
from pathlib import Path

import pytest
from asking import ask

from verifier.model.library import models_folder

MODEL = models_folder() / "DMKB20" / "example-4-as-printed.toml"


def test_check_writes_a_certificate(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    path = tmp_path / "one.json"
    asked = ["check", str(MODEL), "--definition", "cdp", "--epsilon", "ln(2)", "--certificate", str(path)]
    assert ask(capsys, *asked)[0] == 1
    assert ask(capsys, "replay", str(path))[0] == 0
    first = path.read_text(encoding="utf-8")
    assert json.loads(first)["model"] == "models/DMKB20/example-4-as-printed.toml"
    ask(capsys, *asked)
    assert path.read_text(encoding="utf-8") == first


def test_a_model_of_ones_own_is_named_from_the_certificate(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    (tmp_path / "mine.toml").write_bytes(MODEL.read_bytes())
    path = tmp_path / "inner" / "one.json"
    path.parent.mkdir()
    ask(capsys, "check", str(tmp_path / "mine.toml"), "--definition", "np", "--certificate", str(path))
    assert json.loads(path.read_text(encoding="utf-8"))["model"] == "mine.toml"
    status, out, _ = ask(capsys, "replay", str(path))  # the model stands outside the certificate's folder
    assert status == 1
    assert "the model file mine.toml is not there: replay a folder that it stands in" in out
    assert ask(capsys, "replay", str(tmp_path))[0] == 0
    (tmp_path / "mine.toml").write_text(MODEL.read_text(encoding="utf-8") + "\n", encoding="utf-8")
    status, out, _ = ask(capsys, "replay", str(tmp_path))
    assert status == 1
    assert "the model file mine.toml has the hash" in out
