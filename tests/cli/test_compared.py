"""`pkdp check` has its answers decided again from the model file, by the checker's own reader."""

from __future__ import annotations

import json
from collections.abc import Sequence
from pathlib import Path
from typing import Any

import pytest
from asking import ask

import verifier as pk
from verifier import recheck
from verifier.checker.answers import Word
from verifier.cli.check import IN_FULL
from verifier.model import read_mechanism
from verifier.recheck import MADE_IN_PYTHON
from verifier.show.answers import replayed_words

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
    return " ".join(out[out.rindex("Re-checked") :].split()).removesuffix(IN_FULL)


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
    assert "the independent checker REJECTS the answer that is printed above" in err


@pytest.mark.usefixtures("_wrong_reader")
@pytest.mark.parametrize("form", ["--json", "--format=csv", "--format=markdown", "--quiet"])
def test_programs_get_no_answer_of_a_wrong_reader(capsys: pytest.CaptureFixture[str], largest: str, form: str) -> None:
    status, out, err = ask(capsys, "check", largest, *ONE, form)
    assert (status, out) == (3, "")
    assert "and the answer says" in err


def test_a_wrong_reader_of_a_sum_is_noticed(
    capsys: pytest.CaptureFixture[str], tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    path = tmp_path / "sum.toml"
    path.write_text(LARGEST.replace('"maximum"', '"sum"').replace("size = 2", "size = 40"), encoding="utf-8")
    question = ("check", str(path), "--definition", "np", "--epsilon", "1")
    assert last_words(capsys, *question).startswith("Re-checked: yes, by the independent checker")
    monkeypatch.setitem(read_mechanism.KINDS, "sum", read_mechanism.KINDS["mean"])
    status, _, err = ask(capsys, *question)
    assert status == 3
    assert "and the witness says" in err


def test_what_the_checker_leaves_is_said_in_words(
    capsys: pytest.CaptureFixture[str], largest: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    genuine = recheck.checked

    def leave(answer: dict[str, Any], model: Any) -> Word:
        leaves = {"np": "np: a curve", "dp": "a long sum"}
        why = leaves.get(answer["definition"])
        return Word("not checked", why, beyond=why == leaves["dp"]) if why else genuine(answer, model)

    monkeypatch.setattr(recheck, "checked", leave)
    assert last_words(capsys, "check", largest, *ONE) == "Re-checked: no: the checker does not derive np: a curve."
    large = last_words(capsys, "check", largest, "--definition", "dp")
    assert large == "Re-checked: no: it is too large for the checker."
    words = "9 of 11; the others are too large for it, or enclosures; it does not derive np."
    assert last_words(capsys, "check", largest) == f"Re-checked by the independent checker: {words}"
    assert json.loads(ask(capsys, "check", largest, *ONE, "--json")[1])["replayed"] is None


@pytest.mark.parametrize(
    ("word", "said"),
    [
        (Word("not checked", "beyond limits: np"), "no: the checker does not derive beyond limits: np."),
        (Word("not checked", "np", beyond=True), "no: it is too large for the checker."),
        (Word("confirmed", "np (not checked: its number)"), "yes, by the independent checker."),
        (Word("confirmed", "np", left=("a", "b")), "yes, by the independent checker; not checked: a, b."),
    ],
)
def test_no_sentence_of_the_checker_is_read(
    capsys: pytest.CaptureFixture[str], largest: str, monkeypatch: pytest.MonkeyPatch, word: Word, said: str
) -> None:
    """Whether limits are meant, and what is left, stand in fields of its word."""
    monkeypatch.setattr(recheck, "checked", lambda *_: word)
    assert last_words(capsys, "check", largest, *ONE) == f"Re-checked: {said}"


def test_a_family_with_values_is_decided_again_from_its_file(capsys: pytest.CaptureFixture[str]) -> None:
    said = last_words(capsys, "check", str(FAMILY), "--set", "p_c=1/3", "--definition", "np")
    assert said == "Re-checked: yes, by the independent checker."


def test_of_a_function_the_table_is_decided_again_and_the_answer_says_so() -> None:
    keys: dict[str, Any] = {"size": 2, "values": [True, False], "distribution": {"iid": {True: "1/3", False: "2/3"}}}
    for knowledge in ({"records": [0]}, lambda votes: votes[0]):
        model = pk.build(**keys, knowledge=knowledge, mechanism=sum)
        answer = pk.check(model, "np", epsilon="ln(2)")
        assert answer.replayed is True
        assert replayed_words(answer) == f"yes, by the independent checker; {MADE_IN_PYTHON}"
    written = pk.check(pk.build(**keys, mechanism={"kind": "count", "value": True}), "np")
    assert (written.replayed, written.unchecked) == (True, "")


def test_why_a_model_is_not_re_checked_is_a_clause(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("verifier.recheck.MAX_ROWS", 1)
    answer = pk.check(pk.build(size=1, values=[0, 1], mechanism=lambda db: db[0]), "dp")
    words = "the model was made in Python, and has too many databases to be written"
    assert replayed_words(answer) == f"no: {words}"


def test_the_overview_counts_the_tail_forms_that_have_no_row(capsys: pytest.CaptureFixture[str], largest: str) -> None:
    words = "Re-checked by the independent checker: 11 of 11, with the 4 tail forms."
    assert last_words(capsys, "check", largest) == words
    markdown = ask(capsys, "check", largest, "--format=markdown")[1]
    assert words in markdown
    two = last_words(capsys, "check", largest, "--definition", "np,cdp")
    assert two == "Re-checked by the independent checker: 2 of 2."


def test_python_has_its_answers_decided_again_too(largest: str) -> None:
    answer = pk.check(pk.read(largest), "np", epsilon="0")
    assert (answer.replayed, answer.unchecked) == (True, "")
