"""Certificates that commands write, and `pkdp verify` of them; what these print is in tests/transcripts/replay.txt."""

from __future__ import annotations

import json
import os
from pathlib import Path

import pytest
from asking import ask
from attack.files import honest
from filing import leaves, put

from verifier.checker.__main__ import main
from verifier.model.library import models_folder

ATTACK = Path(__file__).parents[1] / "attack"
MODEL = models_folder() / "DMKB20" / "example-4-as-printed.toml"


def test_check_writes_a_certificate(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    path = tmp_path / "one.json"
    asked = ["check", str(MODEL), "--definition", "cdp", "--epsilon", "ln(2)", "--certificate", str(path)]
    assert ask(capsys, *asked)[0] == 1
    assert ask(capsys, "verify", str(path))[0] == 0
    first = path.read_text(encoding="utf-8")
    assert json.loads(first)["model"] == "models/DMKB20/example-4-as-printed.toml"
    ask(capsys, *asked)
    assert path.read_text(encoding="utf-8") == first


def test_a_certificate_in_another_folder_verifies_from_everywhere(
    tmp_path: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    """The model stands in no folder of the certificate; both are found from the nearest folder that holds both."""
    (tmp_path / "models").mkdir()
    (tmp_path / "models" / "mine.toml").write_bytes(MODEL.read_bytes())
    path = tmp_path / "other" / "inner" / "one.json"
    path.parent.mkdir(parents=True)
    monkeypatch.chdir(tmp_path / "models")
    ask(capsys, "check", "mine.toml", "--definition", "np", "--certificate", "../other/inner/one.json")
    assert json.loads(path.read_text(encoding="utf-8"))["model"] == "models/mine.toml"
    for folder in (tmp_path / "models", tmp_path, path.parent, Path("/")):
        monkeypatch.chdir(folder)
        status, out, _ = ask(capsys, "verify", str(path))
        assert (status, out.splitlines()[0]) == (0, f"accepted {path}: np fails at some finite ε, δ = 0"), out
        assert main([str(path)]) == 0
    capsys.readouterr()
    (tmp_path / "models" / "mine.toml").write_text(MODEL.read_text(encoding="utf-8") + "\n", encoding="utf-8")
    for options in ((), ("--json",)):
        status, out, said = ask(capsys, "verify", str(path), *options)
        assert (status, out) == (2, "")
        assert "the model file models/mine.toml is not there" in said
        assert "replay a folder that the model file stands in" in said
    assert main([str(path)]) == 2
    assert capsys.readouterr().out == f"unreadable {path}: the model file models/mine.toml is not there\n"
    status, out, _ = ask(capsys, "verify", str(tmp_path))
    assert status == 1
    assert "the model file models/mine.toml has the hash" in out


def test_names_that_are_not_utf_8(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    model, path = (tmp_path / os.fsdecode(b"a\xff" + ending) for ending in (b".toml", b".json"))
    model.write_bytes(MODEL.read_bytes())
    asked = ("check", str(model), "--definition", "np")
    for options in ((), ("--json",), ("--format", "csv")):
        assert ask(capsys, *asked, *options, "--certificate", str(path))[0] == 1
        certificate = json.loads(path.read_text(encoding="utf-8"))
        assert os.fsencode(certificate["model"]) == b"a\xff.toml"
    status, out, _ = ask(capsys, "verify", str(path))
    assert (status, out.count("\n"), "a\\udcff.json: np fails" in out) == (0, 2, True)
    assert main([str(path)]) == 0
    assert "a\\udcff.json: np fails" in capsys.readouterr().out
    status, out, said = ask(capsys, "check", str(path), "--definition", "np")
    assert (status, out, said.count("\n"), "a\\udcff.json" in said) == (2, "", 1, True)


HIDING = "\n\r\x1b[2K\x00\u202e\u2028accepted y.json: dp holds"


@pytest.mark.parametrize("name", ["holds", "average", "sums", "none"])
def test_one_certificate_has_one_line(name: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    """Whatever a text of it holds, and whatever its file is called."""
    one = honest(name)
    every = [place for place, value in leaves(one) if isinstance(value, str)]
    for number, place in enumerate(every[:: max(1, len(every) // 25)]):
        path = tmp_path / f"{number}{HIDING[:6]}.json"
        path.write_text(json.dumps(put(one, place, HIDING)), encoding="utf-8")
        main([str(path)])
        line = capsys.readouterr().out.removesuffix("\n")
        assert line.isprintable(), (place, line)
    status, out, said = ask(capsys, "verify", str(tmp_path))
    *lines, summary = out.splitlines()
    assert status == (2 if said else 1)
    assert all(line.isprintable() and "is not there" in line for line in said.splitlines())
    assert all(line.isprintable() and line.startswith("rejected ") for line in lines)
    assert summary.startswith(f"{len(lines)} certificate")


def test_laws_of_ones_own_are_announced_whatever_name_they_took(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    """With a model file that is named and without one, in a folder too."""
    one = json.loads((ATTACK / "laws.json").read_text(encoding="utf-8"))
    one["question"]["definition"] = "dp2"
    header = {"format": 1, "kind": "verdict", "model": None, "sha256": None, "part": None}
    path = tmp_path / "one.json"
    path.write_text(json.dumps({**header, **one}), encoding="utf-8")
    for asked in (path, tmp_path):
        status, out, _ = ask(capsys, "verify", str(asked))
        assert status == 0
        said = f"accepted {path}: a definition of one's own, by laws that the certificate gives: dp2 "
        assert out.startswith(said), out
        assert "tables not compared with the file, in 1: the laws of a definition of one's own" in out


@pytest.mark.parametrize(
    "content", ["", "[]", "1", '{"a": 1}', '{"a": 1.5}', '{"a": 1, "a": 2}', "[" * 40 + "]" * 40, '{"kind": "verdict"}']
)
def test_a_file_that_is_no_certificate_is_the_wrong_file(
    content: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    for path, text in ((tmp_path / "other.json", content), (tmp_path / "mine.toml", MODEL.read_text(encoding="utf-8"))):
        path.write_text(text, encoding="utf-8")
        for options in ((), ("--json",)):
            status, out, said = ask(capsys, "verify", str(path), *options)
            assert (status, out, said.count("\n")) == (2, "", 1)
            assert "certificate" in said
    (tmp_path / "one.json").write_text(json.dumps(honest("none")), encoding="utf-8")
    status, out, said = ask(capsys, "verify", str(tmp_path))
    assert (status, said.count("\n")) == (2, 1)
    assert out.startswith("1 certificate: 1 accepted")
    (tmp_path / "one.json").write_text(json.dumps({**honest("none"), "format": 2}), encoding="utf-8")
    assert ask(capsys, "verify", str(tmp_path / "one.json"))[0] == 1
