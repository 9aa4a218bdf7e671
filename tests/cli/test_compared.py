"""`pkdp check` has the tables of its answers compared with the model file by the checker's own reader."""

from __future__ import annotations

import json
from collections.abc import Sequence
from pathlib import Path

import pytest
from asking import ask

import verifier as pk
from verifier.checker.model.labels import Uncovered
from verifier.checker.model.mechanisms import Kinds
from verifier.evidence import rejected
from verifier.model import read_mechanism

LARGEST = """
size = 2
values = [0, 1, 2]
[[distribution]]
iid = { 0 = "1/2", 1 = "1/4", 2 = "1/4" }
[mechanism]
kind = "maximum"
"""
ONE = ("--definition", "np", "--epsilon", "0")
FAMILY = Path(__file__).parents[2] / "models" / "DMKB20" / "family" / "example-6-partner-known.toml"


@pytest.fixture
def largest(tmp_path: Path) -> str:
    path = tmp_path / "largest.toml"
    path.write_text(LARGEST, encoding="utf-8")
    return str(path)


def last_words(capsys: pytest.CaptureFixture[str], *arguments: str) -> str:
    """The words of the checker, on one line whatever the width of the terminal is."""
    out = ask(capsys, *arguments)[1]
    return " ".join(out[out.rindex("Re-checked") :].split())


@pytest.fixture
def _wrong_reader(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(read_mechanism.KINDS, "maximum", read_mechanism.KINDS["minimum"])


@pytest.mark.usefixtures("_wrong_reader")
@pytest.mark.parametrize("more", [(), ONE])
def test_a_wrong_reader_of_a_kind_is_noticed(
    capsys: pytest.CaptureFixture[str], largest: str, more: Sequence[str]
) -> None:
    status, out, err = ask(capsys, "check", largest, *more)
    assert status == 3
    assert (
        " ".join(out.split())
        .rpartition("REJECTED by the independent checker: do not rely on ")[2]
        .startswith("what is")
    )
    assert "other tables than its model file: the mechanism on" in err


@pytest.mark.usefixtures("_wrong_reader")
@pytest.mark.parametrize("form", ["--json", "--format=csv", "--format=markdown", "--quiet"])
def test_programs_get_no_answer_of_a_wrong_reader(capsys: pytest.CaptureFixture[str], largest: str, form: str) -> None:
    status, out, err = ask(capsys, "check", largest, *ONE, form)
    assert (status, out) == (3, "")
    assert "other tables than its model file" in err


def test_a_wrong_reader_of_a_sum_is_noticed(
    capsys: pytest.CaptureFixture[str], tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    path = tmp_path / "sum.toml"
    path.write_text(LARGEST.replace('"maximum"', '"sum"').replace("size = 2", "size = 40"), encoding="utf-8")
    question = ("check", str(path), "--definition", "np", "--epsilon", "1")
    assert last_words(capsys, *question) == "Re-checked: yes, by the independent checker."
    monkeypatch.setitem(read_mechanism.KINDS, "sum", read_mechanism.KINDS["mean"])
    status, _, err = ask(capsys, *question)
    assert status == 3
    assert "other tables than its model file" in err


def test_a_kind_that_the_replay_does_not_read_is_said(
    capsys: pytest.CaptureFixture[str], largest: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    def unread(*_arguments: object) -> None:
        raise Uncovered("the kind maximum")

    monkeypatch.setattr(Kinds, "_kind", unread)
    words = "; tables not compared with the file: the kind maximum."
    assert last_words(capsys, "check", largest, *ONE) == f"Re-checked: yes, by the independent checker{words}"
    assert last_words(capsys, "check", largest).endswith(words)
    assert "tables not compared with the file" in ask(capsys, "check", largest, *ONE, "--format=markdown")[1]
    assert json.loads(ask(capsys, "check", largest, *ONE, "--json")[1])["replayed"] is True


def test_large_tables_and_families_are_not_compared_and_the_answer_says_so(
    capsys: pytest.CaptureFixture[str], largest: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(rejected, "MAX_ROWS", 17)
    assert "not compared with the file: they have 18 rows, more than 17; pkdp verify" in last_words(
        capsys, "check", largest, *ONE
    )
    one = ("--set", "p_c=1/3", "--definition", "np")
    assert "not compared with the file: the file has parameters." in last_words(capsys, "check", str(FAMILY), *one)


def test_the_overview_counts_the_tail_forms_that_have_no_row(capsys: pytest.CaptureFixture[str], largest: str) -> None:
    words = "Re-checked by the independent checker: 11 of 11, with the 4 tail forms."
    assert last_words(capsys, "check", largest) == words
    markdown = ask(capsys, "check", largest, "--format=markdown")[1]
    assert words in markdown
    two = last_words(capsys, "check", largest, "--definition", "np,cdp")
    assert two == "Re-checked by the independent checker: 2 of 2."


def test_python_does_not_read_the_file_again(largest: str) -> None:
    answer = pk.check(pk.read(largest), "np", epsilon="0")
    assert (answer.replayed, answer.uncompared) == (True, "")
