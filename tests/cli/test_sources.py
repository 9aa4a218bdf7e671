"""Where models come from: files, names of bundled models, standard input, Python code; alike for every command."""

from __future__ import annotations

import io
import json
import os
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest
from asking import ask

import verifier as pk
from verifier.cli.main import run
from verifier.errors import printable
from verifier.model.bundled import bundled, bundled_names, short_name
from verifier.model.library import models_folder

NAME = "example-4-as-printed"
FILE = models_folder() / "DMKB20" / f"{NAME}.toml"
COIN = """
title = "coin"
size = 2
values = [0, 1]
[[distribution]]
iid = { 0 = "1/2", 1 = "1/2" }
[mechanism]
kind = "sum"
"""
OWN = """
import sys
import verifier as pk

print("at the top")

def total(database):
    print("asked")
    return sum(database)

model = pk.build(title="coin", size=2, values=[0, 1], distribution={"iid": {0: "1/2", 1: "1/2"}}, mechanism=total)
"""
COMMANDS = (
    ("check", "{}", "--definition", "np,cdp"),
    ("check", "{}", "--expect"),
    ("loss", "{}", "--record", "0"),
    ("acceptable", "{}"),
    ("property", "{}"),
    ("property", "reducible", "{}"),
    ("property", "anonymity", "{}"),
    ("property", "stronger", "{}", str(FILE)),
    ("relations", "--axioms", "convexity", "{}", "--with", str(FILE), "--definition", "np"),
    ("worst", "{}", "--maximise", "np delta at ln(2)"),
    ("best", "{}", "--loss", "zero-one", "--of", "sum"),
    ("convert", "np", "cdp", "{}", "--epsilon", "ln(2)"),
    ("compose", "{}", "--times", "2", "--definition", "np"),
)
"""Every command that takes a model and prints JSON."""


def give(monkeypatch: pytest.MonkeyPatch, content: bytes) -> None:
    """Let standard input hold this."""
    monkeypatch.setattr(sys, "stdin", io.TextIOWrapper(io.BytesIO(content), encoding="utf-8"))


def without_names(text: str) -> Any:
    """An answer without the names of the model's place and the hashes of its text."""
    return _without_names(json.loads(text))


def _without_names(value: Any) -> Any:
    if isinstance(value, list):
        return [_without_names(one) for one in value]
    if isinstance(value, dict):
        return {key: _without_names(one) for key, one in value.items() if key not in {"model", "sha256"}}
    return value


@pytest.mark.sweep(3)
@pytest.mark.parametrize("command", COMMANDS, ids=" ".join)
def test_a_command_answers_alike_wherever_its_model_comes_from(
    command: tuple[str, ...], capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    """A path, two names of a bundled model, standard input, and Python code, of which only the place differs."""
    monkeypatch.chdir(tmp_path)
    Path("own.py").write_text(f"import verifier as pk\nprint('at the top')\nmodel = pk.read({str(FILE)!r})\n")
    give(monkeypatch, FILE.read_bytes())
    asked = [ask(capsys, *(one.format(place) for one in command), "--json")
             for place in (str(FILE), NAME, f"DMKB20/{NAME}", "-", "own.py")]  # fmt: skip
    assert asked[0] == asked[1] == asked[2]
    assert [err for _, _, err in asked[:4]] == [""] * 4
    assert asked[4][2] == "pkdp: running the Python code of own.py\nat the top\n"
    told = [(status, without_names(out)) for status, out, _ in asked]
    assert told[0][1]
    assert told == [told[0]] * len(told)


# --- names ------------------------------------------------------------------------------------------------------------


def test_a_file_of_that_path_wins(
    capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    monkeypatch.chdir(tmp_path)
    (tmp_path / NAME).write_text(COIN)
    found = json.loads(ask(capsys, "check", NAME, "--definition", "np", "--json")[1])
    assert found["model"] == NAME
    (tmp_path / NAME).unlink()
    found = json.loads(ask(capsys, "check", NAME, "--definition", "np", "--json")[1])
    assert Path(found["model"]) == FILE


def test_every_bundled_model_has_a_short_name_of_its_own() -> None:
    names = [short_name(full) for full in bundled()]
    assert len(set(names)) == len(names) == len(list(models_folder().rglob("*.toml")))
    assert all(bundled_names(name) == [full] for name, full in zip(names, bundled(), strict=True))


def test_a_certificate_names_the_bundled_model(
    capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    monkeypatch.chdir(tmp_path)
    assert ask(capsys, "check", NAME, "--definition", "np", "--certificate", "np.json")[0] == 1
    assert json.loads(Path("np.json").read_text(encoding="utf-8"))["model"] == f"models/DMKB20/{NAME}.toml"


# --- standard input ---------------------------------------------------------------------------------------------------


def test_standard_input_is_named_in_words(capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch) -> None:
    give(monkeypatch, COIN.encode())
    assert json.loads(ask(capsys, "check", "-", "--definition", "np", "--json")[1])["model"] == "standard input"
    for content, message in (
        (COIN.replace("1/2", "1/3").encode(), "standard input: [[distribution]]"),
        (b"\xff", "standard input: byte 0 is not UTF-8"),
        (b"", "standard input: the file is empty"),
        (b"#" * ((4 << 20) + 1), "standard input: it has more than 4,194,304 bytes"),
    ):
        give(monkeypatch, content)
        status, out, err = ask(capsys, "check", "-")
        assert (status, out) == (2, "")
        assert err.startswith(f"pkdp: {message}")
    monkeypatch.setattr(sys, "stdin", None)
    assert ask(capsys, "check", "-")[::2] == (
        2,
        "pkdp: standard input: it is closed. Expected the text of a model file.\n",
    )


def test_a_certificate_of_standard_input_names_no_file(
    capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    monkeypatch.chdir(tmp_path)
    for arguments in (["check", "-", "--definition", "np"], ["acceptable", "-"]):
        give(monkeypatch, COIN.encode())
        ask(capsys, *arguments, "--certificate", "made.json")
        text = Path("made.json").read_text(encoding="utf-8")
        assert "model_text" in text
        assert ask(capsys, "verify", "made.json")[0] == 0


# --- Python -----------------------------------------------------------------------------------------------------------


@pytest.fixture
def own(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A folder with Python code that makes a model and prints."""
    monkeypatch.chdir(tmp_path)
    (tmp_path / "own.py").write_text(OWN)
    return tmp_path


def test_what_other_processes_print_is_no_answer_either(own: Path) -> None:
    """Nor what the code writes where standard output was."""
    loud = "import os, subprocess\nsubprocess.run(['echo', 'other'])\nos.write(1, b'raw\\n')\n"
    (own / "own.py").write_text(loud + OWN.replace('print("asked")', "os.write(1, b'raw\\n')"))
    done = subprocess.run(
        [sys.executable, "-m", "verifier", "check", "own.py", "--definition", "np", "--json"],
        capture_output=True, text=True, check=False, env={**os.environ, "PYTHONPATH": os.pathsep.join(sys.path)},
    )  # fmt: skip
    assert done.returncode == 1
    assert json.loads(done.stdout)["verdict"] == "fails"
    assert done.stderr.count("raw\n") > 2
    assert "other\n" in done.stderr


@pytest.mark.usefixtures("own")
def test_python_leaves_nothing_behind(capsys: pytest.CaptureFixture[str]) -> None:
    before = list(sys.path), set(sys.modules)
    assert ask(capsys, "check", "own.py", "--definition", "np", "--quiet")[1:] == (
        "fails at every finite ε\n",
        "at the top\n" + "asked\n" * 32,
    )
    assert list(sys.path) == before[0]
    assert not [name for name in set(sys.modules) - before[1] if name.startswith("own_model")]
    assert [path.name for path in Path().iterdir()] == ["own.py"], "no compiled file"
    pk.check(pk.build(size=1, values=[0, 1], distribution={"iid": {0: "1/2", 1: "1/2"}}, mechanism=_loud), "np")
    assert "here" in capsys.readouterr().out, "outside of the command a function prints where it wants"


def _loud(database: tuple[int, ...]) -> int:
    print("here")
    return database[0]


@pytest.mark.parametrize(
    ("code", "argument", "title"),
    [
        ("vote = pk.build(title='a', **KEYS)", "own.py", "a"),
        ("vote = again = pk.build(title='a', **KEYS)", "own.py", "a"),
        ("model = pk.build(title='a', **KEYS)\nother = pk.build(title='b', **KEYS)", "own.py", "a"),
        ("model = pk.build(title='a', **KEYS)\nother = pk.build(title='b', **KEYS)", "own.py:other", "b"),
        ("import beside\nmodel = pk.build(title=beside.title, **KEYS)", "own.py", "from beside"),
    ],
)
def test_which_model_is_meant(
    code: str, argument: str, title: str, own: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    keys = 'KEYS = dict(size=1, values=[0, 1], distribution={"iid": {0: "1/2", 1: "1/2"}}, mechanism={"kind": "sum"})'
    (own / "beside.py").write_text("title = 'from beside'\n")
    (own / "own.py").write_text(f"import verifier as pk\n{keys}\n{code}\n")
    try:
        _, out, _ = ask(capsys, "check", argument, "--definition", "np", "--format", "markdown")
    finally:
        sys.modules.pop("beside", None)
    assert f"**{title}**" in out


def test_code_is_run_only_where_the_command_names_it(own: Path, capsys: pytest.CaptureFixture[str]) -> None:
    """Not in a folder, not behind the name of a certificate or a model file, not by the explorer."""
    (own / "own.py").write_text("open('ran', 'w').close()")
    (own / "certificate.json").write_text(
        json.dumps({"format": 1, "kind": "verdict", "model": "own.py", "sha256": "0"})
    )
    (own / "linked.toml").symlink_to("own.py")
    for arguments in (
        ("check", "."), ("check", "linked.toml"), ("verify", "certificate.json"), ("verify", "."),
        ("verify", "own.py"), ("report", "."), ("explore", "own.py", "--no-open"), ("claims", "own.py"),
        ("relations", "--axioms", "convexity", NAME, "--with", "own.py", "--definition", "np"),
        ("examples", "--copy", "own.py"),
    ):  # fmt: skip
        assert ask(capsys, *arguments)[0] in {1, 2, 3}, arguments
        assert not (own / "ran").exists(), arguments
    with pytest.raises(pk.InputError):
        pk.read("own.py")
    assert not (own / "ran").exists()
    assert ask(capsys, "check", "own.py")[0] == 2
    assert (own / "ran").exists()


@pytest.mark.sweep(0)
def test_a_report_of_python_code_and_of_standard_input(
    own: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    pytest.importorskip("matplotlib")
    give(monkeypatch, COIN.encode())
    status, _, err = ask(capsys, "report", "own.py", "-", NAME, "--output", "pages")
    assert status == 0, err
    pages = [path.read_text(encoding="utf-8") for path in sorted((own / "pages" / "models").glob("*.html"))]
    assert len(pages) == 3
    assert sum("The model file, without its notes" in page for page in pages) == 2, "Python code has no text to show"


@pytest.mark.parametrize("asked", [("worst", "{}", "--maximise", "np delta at ln(2)"), COMMANDS[-2]])
def test_a_model_without_a_mechanism_is_enough_where_the_answer_is_about_all(
    capsys: pytest.CaptureFixture[str], tmp_path: Path, asked: tuple[str, ...]
) -> None:
    path = tmp_path / "coin.toml"
    data, answers = COIN.partition("[mechanism]")[0], []
    for text in (COIN, data):
        path.write_text(text, encoding="utf-8")
        status, out, err = ask(capsys, *(part.format(path) for part in asked), "--json")
        assert (status, err) == (0, "")
        answers.append(without_names(out))
    assert answers[0] == answers[1]


def test_worst_refuses_a_family_without_a_mechanism(capsys: pytest.CaptureFixture[str], tmp_path: Path) -> None:
    path = tmp_path / "coin.toml"
    family = COIN.partition("[mechanism]")[0] + '[parameters]\np = { above = "0", below = "1" }\n'
    path.write_text(family, encoding="utf-8")
    status, _, err = ask(capsys, "worst", str(path), "--maximise", "np delta at ln(2)")
    assert status == 3
    assert "so that it is a family of models" in err


@pytest.mark.parametrize("name", ["n\udce9", "a\tb", "a\nb", "\x1b[31m"])
@pytest.mark.parametrize("sets", [[], ["--set", "p=1/2"]], ids=["model", "family"])
def test_a_title_that_is_a_file_name_is_escaped(
    name: str, sets: list[str], capsys: pytest.CaptureFixture[str], tmp_path: Path
) -> None:
    untitled = COIN.replace('title = "coin"\n', "")
    if sets:
        untitled = untitled.replace('0 = "1/2", 1 = "1/2"', '0 = "p", 1 = "1 - p"')
        untitled += '[parameters]\np = { from = "0", to = "1" }\n'
    path = tmp_path / f"{name}.toml"
    path.write_text(untitled, encoding="utf-8")
    with pytest.raises(SystemExit) as stop:
        run(["check", str(path), "--definition", "np", "--epsilon", "ln(2)", *sets])
    said = capsys.readouterr()
    assert (stop.value.code, said.err) == (1, "")
    assert printable(name) in said.out


@pytest.mark.parametrize("shape", ["iid", "independent", "network"])
def test_a_law_of_a_record_may_be_uniform(shape: str, capsys: pytest.CaptureFixture[str], tmp_path: Path) -> None:
    """It means the table with all values alike, in the program and where the checker reads the file."""
    half, one = '{ 0 = "1/2", 1 = "1/2" }', '{ 1 = "1" }'
    given = f"rows = [ {{ when = [0], table = LAW }}, {{ when = [1], table = {one} }} ]"
    network = f"[ {{ record = 0, table = LAW }}, {{ record = 1, given = [0], {given} }} ]"
    law = {"iid": "LAW", "independent": f"[LAW, {one}]", "network": network}[shape]
    answers = []
    for place, spelled in enumerate(('"uniform"', half)):
        head = f"size = 2\nvalues = [0, 1]\n[[distribution]]\n{shape} = {law.replace('LAW', spelled)}\n"
        path = tmp_path / f"{place}.toml"
        path.write_text(f'{head}[mechanism]\nkind = "sum"\n', encoding="utf-8")
        certificate = path.with_suffix(".json")
        asked = ("check", str(path), "--definition", "np", "--epsilon", "ln(2)", "--certificate", str(certificate))
        _, out, _ = ask(capsys, *asked, "--json")
        answers.append({**json.loads(out), "model": None, "sha256": None})
        assert ask(capsys, "verify", str(certificate))[0] == 0
    assert answers[0] == answers[1]
