"""`pkdp verify` of answers files and of documents of proofs."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest
from asking import ask

from verifier.checker.answers import Word
from verifier.checker.numbers import Wrong
from verifier.cli import verify as cli_verify

MODEL = """
size = 2
values = [0, 1]
[[distribution]]
table = [ { database = [0, 0], probability = "1/2" }, { database = [1, 1], probability = "1/2" } ]
[mechanism]
kind = "count"
value = 1
"""
NP = ("--definition", "np", "--epsilon", "ln(2)", "--json")


@pytest.fixture
def model(tmp_path: Path) -> Path:
    path = tmp_path / "mine.toml"
    path.write_text(MODEL, encoding="utf-8")
    return path


def answers(model: Path, capsys: pytest.CaptureFixture[str], *asked: str) -> Path:
    """What `check` prints, in a file beside the model."""
    path = model.parent / "answers.json"
    path.write_text(ask(capsys, "check", str(model), *asked)[1], encoding="utf-8")
    return path


def test_what_check_prints_is_verified(model: Path, capsys: pytest.CaptureFixture[str]) -> None:
    """An object, a list, or lines; one that decides nothing is said to be so."""
    one = answers(model, capsys, *NP)
    said = f"accepted {one}: np fails, smallest ε inf"
    text = one.read_text(encoding="utf-8").strip()
    for written in (text, f"[{text}, {text}]", f"{text}\n{text}\n"):
        one.write_text(written, encoding="utf-8")
        status, out, err = ask(capsys, "verify", str(one))
        assert (status, set(out.splitlines()[:-1]), err) == (0, {said}, "")
    one.write_text(json.dumps([json.loads(text), {**json.loads(text), "verdict": "undecided"}]), encoding="utf-8")
    status, out, _ = ask(capsys, "verify", str(one))
    assert (status, out.splitlines()[:2]) == (3, [said, f"not checked {one}: the answer decides nothing"])
    assert ", 0 rejected, 1 not checked; " in out
    listed = json.loads(ask(capsys, "verify", str(one), "--json")[1])
    assert [(entry["not_checked"], entry["kind"]) for entry in listed] == [(False, "answer"), (True, None)]
    every = answers(model, capsys, "--json")
    assert ask(capsys, "verify", str(every))[0] == 0


def test_a_false_answer_is_rejected(model: Path, capsys: pytest.CaptureFixture[str]) -> None:
    one = answers(model, capsys, *NP)
    claim = json.loads(one.read_text(encoding="utf-8"))
    one.write_text(json.dumps({**claim, "tight_epsilon": "ln(2)"}), encoding="utf-8")
    status, out, _ = ask(capsys, "verify", str(one))
    assert (status, out.startswith(f"rejected {one}: tight_epsilon")) == (1, True), out


@pytest.mark.parametrize(
    ("word", "line"),
    [
        (Word("not checked", "beyond limits: a sum"), "not checked {}: beyond limits: a sum"),
        (Word("not checked", "a sum", beyond=True), "beyond limits {}: a sum"),
        (Word("confirmed", "np", left=("a number",)), "accepted {}: np (not checked: a number)"),
    ],
)
def test_no_sentence_of_the_checker_is_read(
    model: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch, word: Word, line: str
) -> None:
    """Whether limits are meant, and what is left, stand in fields of its word."""
    one = answers(model, capsys, *NP)
    monkeypatch.setattr(cli_verify, "words_on", lambda *_: [word])
    assert ask(capsys, "verify", str(one))[1].splitlines()[0] == line.format(one)


@pytest.mark.parametrize(
    ("why", "said"),
    [
        (Wrong("it is Expected that a Hint: ends"), "it is Expected that a Hint: ends. Expected what pkdp check"),
        (Wrong("it is short", "a longer one", "pkdp"), "it is short. Expected a longer one. Hint: pkdp.\n"),
    ],
)
def test_no_sentence_about_a_file_is_read(
    model: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch, why: Wrong, said: str
) -> None:
    """What is expected, and what to type, stand in fields of what the checker raises."""
    one = answers(model, capsys, *NP)

    def refuse(_: Path) -> list[dict[str, Any]]:
        raise why

    monkeypatch.setattr(cli_verify, "answers_of", refuse)
    status, out, err = ask(capsys, "verify", str(one))
    assert (status, out, said in err) == (2, "", True), err


def test_another_model_is_refused_and_one_may_be_named(model: Path, capsys: pytest.CaptureFixture[str]) -> None:
    one = answers(model, capsys, *NP)
    claim = json.loads(one.read_text(encoding="utf-8"))
    one.write_text(json.dumps({**claim, "model": "gone.toml"}), encoding="utf-8")
    status, out, err = ask(capsys, "verify", str(one))
    assert (status, out) == (2, "")
    assert "the model 'gone.toml' is not there. Expected " in err
    assert err.endswith("Hint: name its file with --model FILE.\n")
    assert ask(capsys, "verify", str(one), "--model", str(model))[0] == 0
    model.write_text(MODEL + "\n", encoding="utf-8")
    status, out, err = ask(capsys, "verify", str(one), "--model", str(model))
    assert (status, out, "is not the file that was asked about" in err) == (2, "", True)


def test_a_proof_is_found_in_a_folder_around(
    model: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    """The model stands in no folder of the proof: it is named from the nearest folder that holds both."""
    path = model.parent / "other" / "inner" / "rate.json"
    path.parent.mkdir(parents=True)
    (model.parent / "models").mkdir()
    moved = model.rename(model.parent / "models" / "mine.toml")
    asked = ["convert", "dp", "np", str(moved), "--epsilon", "ln(2)", "--certificate", str(path)]
    assert ask(capsys, *asked)[0] == 0
    first = path.read_text(encoding="utf-8")
    assert json.loads(first)["model"] == "models/mine.toml"
    for folder in (path.parent, Path("/")):
        monkeypatch.chdir(folder)
        status, out, _ = ask(capsys, "verify", str(path))
        claim = "every mechanism that is dp at ln(2) is np at ln(4), and at nothing smaller"
        assert (status, out.splitlines()[0]) == (0, f"accepted {path}: {claim}")
    assert ask(capsys, *asked)[0] == 0, "a certificate replaces one"
    assert path.read_text(encoding="utf-8") == first
    path.write_text(first.replace('"tight_epsilon": "ln(4)"', '"tight_epsilon": "ln(3)"'), encoding="utf-8")
    status, out, _ = ask(capsys, "verify", str(path))
    assert (status, out.startswith(f"rejected {path}: ")) == (1, True)


def test_a_certificate_of_the_old_format_is_refused(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    path = tmp_path / "old.json"
    for kind in ("verdict", "search", "worst", "exchange", "exchange-delta", "exchange-curve"):
        path.write_text(json.dumps({"format": 1, "kind": kind}), encoding="utf-8")
        status, out, err = ask(capsys, "verify", str(path))
        said = f"pkdp: {path}: this is a certificate of the old format, no longer read. Expected "
        assert (status, out, err.startswith(said)) == (2, "", True), err
        assert "pkdp check MODEL --json" in err


def test_a_certificate_is_an_answer_that_names_its_model(model: Path, capsys: pytest.CaptureFixture[str]) -> None:
    path = model.parent / "out" / "one.json"
    path.parent.mkdir()
    ask(capsys, "check", str(model), *NP[:-1], "--certificate", str(path))
    written = json.loads(path.read_text(encoding="utf-8"))
    assert (written["model"], written["verdict"], "format" in written) == ("mine.toml", "fails", False)
    assert ask(capsys, "verify", str(path))[0] == 0
    assert ask(capsys, "verify", str(path), "--model", str(model))[0] == 0
    path.write_text(json.dumps({**written, "verdict": "holds"}), encoding="utf-8")
    assert ask(capsys, "verify", str(path))[0] == 1
    ask(capsys, "acceptable", str(model), "--certificate", str(path))
    assert ask(capsys, "verify", str(path))[0] == 0
    claims = json.loads(path.read_text(encoding="utf-8"))
    path.write_text(json.dumps([{**claim, "acceptable": not claim["acceptable"]} for claim in claims]))
    assert ask(capsys, "verify", str(path))[0] == 1


def test_the_answers_of_a_family_need_the_values(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    family = tmp_path / "family.toml"
    family.write_text(
        MODEL.replace('"1/2" } ]', '"1 - p" } ]').replace('"1/2"', '"p"')
        + '[parameters]\np = { above = "0", below = "1" }\n',
        encoding="utf-8",
    )
    one = answers(family, capsys, "--set", "p=1/3", *NP)
    status, out, _ = ask(capsys, "verify", str(one))
    assert (status, "--set" in out) == (3, True)
    assert ask(capsys, "verify", str(one), "--set", "p=1/3")[0] == 0
    for wrong in ("p", "=1", "p=x"):
        assert ask(capsys, "verify", str(one), "--set", wrong)[0] == 2
