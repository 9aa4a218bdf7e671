"""`pkdp replay`, and the options that write certificates."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest
from asking import ask
from attack.files import FOLDER, honest_text

from verifier.cli.main import run
from verifier.model.library import models_folder

MODEL = models_folder() / "DMKB20" / "example-4-as-printed.toml"
LARGE = models_folder() / "referendum" / "ten-million.toml"


NAMES = ("fails", "acceptable", "not acceptable", "worst", "none", "separated")
"""Some of each kind; that each honest file is accepted is tested beside the forged ones."""


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    """Honest certificates of every kind, in two folders, and a file of the ledger beside them."""
    inner = tmp_path / "certificates" / "DMKB20"
    inner.mkdir(parents=True)
    for name in NAMES:
        (inner / f"{name}.json").write_text(honest_text(name), encoding="utf-8")
    for model in FOLDER.glob("*.toml"):
        (inner / model.name).write_bytes(model.read_bytes())
    (tmp_path / "certificates" / "evidence.json").write_text('{"format": 1, "paper": "DMKB20"}')
    return tmp_path / "certificates"


def test_a_folder_of_certificates(folder: Path, capsys: pytest.CaptureFixture[str]) -> None:
    status, out, err = ask(capsys, "replay", str(folder))
    assert (status, err) == (0, "")
    assert out.startswith(f"{len(NAMES)} certificates: {len(NAMES)} accepted (2 acceptability, 2 search, ")
    assert out.splitlines()[1] == "left alone, since it is no certificate: evidence.json of the ledger, 1 times"


def test_one_is_rejected(folder: Path, capsys: pytest.CaptureFixture[str]) -> None:
    path = folder / "DMKB20" / "fails.json"
    path.write_text(path.read_text().replace('"fails"', '"holds"'))
    status, out, err = ask(capsys, "replay", str(folder))
    assert (status, err) == (1, "")
    first, second, *_ = out.splitlines()
    assert first == f"rejected {path}: verdict: the answer says 'holds', the replay finds 'fails'"
    assert "1 rejected" in second
    status, out, _ = ask(capsys, "replay", "--json", str(folder))
    every: list[dict[str, Any]] = json.loads(out)
    assert (status, len(every)) == (1, len(NAMES))
    assert [one["file"] for one in every if not one["accepted"]] == [path.as_posix()]
    assert {one["tables"] for one in every if one["accepted"]} == {"compared with the model file", None}


def test_what_is_not_compared_and_not_decided_is_said(folder: Path, capsys: pytest.CaptureFixture[str]) -> None:
    path = folder / "DMKB20" / "fails.json"
    one = json.loads(path.read_text())
    path.write_text(json.dumps({**one, "model": None, "sha256": None}))
    many = folder / "DMKB20" / "none.json"
    one = json.loads(many.read_text())
    many.write_text(json.dumps({**one, "violates": "post(np(e))"}))
    status, out, _ = ask(capsys, "replay", str(path), str(many))
    assert status == 0
    assert out.splitlines()[1:] == [
        "tables not compared with the file, in 1: the certificate names no model file",
        "counted, not re-decided: it asks about post(…), in 1",
    ]


@pytest.mark.parametrize(
    ("content", "status", "reason"),
    [
        (b"", 2, "this is no JSON"),
        (b"\xff", 2, "byte 0 is not UTF-8"),
        (b"{}", 1, "format: given None, wanted 1"),
        (b'{"format": 2}', 1, "format: given 2, wanted 1"),
    ],
)
def test_what_is_no_certificate(
    tmp_path: Path, content: bytes, status: int, reason: str, capsys: pytest.CaptureFixture[str]
) -> None:
    path = tmp_path / "one.json"
    path.write_bytes(content)
    found, out, err = ask(capsys, "replay", str(path))
    assert (found, err) == (status, "")
    assert out.startswith(f"rejected {path}: {reason}")


def test_there_is_no_such_path(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    status, out, err = ask(capsys, "replay", str(tmp_path / "nothing.json"))
    assert (status, out) == (2, "")
    assert "there is no such file or folder; wanted a certificate. Tip: pkdp check MODEL" in err
    status, out, err = ask(capsys, "replay", str(tmp_path))
    assert (status, out) == (2, "")
    assert "the folder has no certificates; wanted *.json in it" in err


def test_check_writes_a_certificate(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    path = tmp_path / "one.json"
    asked = ["check", str(MODEL), "--definition", "cdp", "--epsilon", "ln(2)", "--certificate", str(path)]
    assert ask(capsys, *asked)[0] == 1
    assert ask(capsys, "replay", str(path))[0] == 0
    first = path.read_text(encoding="utf-8")
    assert json.loads(first)["model"] == "models/DMKB20/example-4-as-printed.toml"
    ask(capsys, *asked)
    assert path.read_text(encoding="utf-8") == first


def test_acceptable_search_and_worst_write_certificates(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    for number, asked in enumerate(
        (
            ["acceptable", str(MODEL)],
            ["search", "--claim", "independent => np(e) iff cdp(e)", "--weights", "2", "--jobs", "1"],
            ["worst", str(MODEL), "--assuming", "np(ln(2))", "--maximise", "cdp delta at ln(2)"],
        )
    ):
        ask(capsys, *asked, "--certificate", str(tmp_path / f"{number}.json"))
    status, out, _ = ask(capsys, "replay", str(tmp_path))
    assert status == 0
    assert out.startswith("3 certificates: 3 accepted (1 acceptability, 1 search, 1 worst), 0 rejected")


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


@pytest.mark.parametrize(
    ("arguments", "reason"),
    [
        ([str(MODEL), "--certificate", "x.json"], "given --certificate; wanted one model and one --definition"),
        ([str(MODEL), "--definition", "np,cdp", "--certificate", "x.json"], "wanted one model and one --definition"),
        ([str(MODEL), str(MODEL), "--definition", "np", "--certificate", "x.json"], "wanted one model"),
        ([str(LARGE), "--definition", "dp", "--certificate", "x.json"], "no certificate: the answer is unsupported"),
    ],
)
def test_where_there_is_no_certificate(
    arguments: list[str], reason: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    given = [str(tmp_path / one) if one == "x.json" else one for one in arguments]
    status, out, err = ask(capsys, "check", *given)
    assert (status, out) == (2, "")
    assert reason in err
    assert not (tmp_path / "x.json").exists()


def test_a_folder_cannot_be_written(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    asked = ["check", str(MODEL), "--definition", "np", "--certificate", str(tmp_path)]
    status, out, err = ask(capsys, *asked)
    assert (status, out) == (2, "")
    assert "--certificate: given a folder" in err


def test_a_path_that_is_none_silences_no_other(folder: Path, capsys: pytest.CaptureFixture[str]) -> None:
    with pytest.raises(SystemExit) as stop:
        run(["replay", str(folder), "nowhere.json", "--json"])
    said = capsys.readouterr()
    assert stop.value.code == 2
    assert all(one["accepted"] for one in json.loads(said.out))
    assert json.loads(said.err)["place"] == "nowhere.json"
