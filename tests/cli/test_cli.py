"""The command line as the contract describes it: JSON, exit status, formats."""

import csv
import json
import re
from pathlib import Path
from typing import Any

import pytest
from asking import ask

from verifier.checker import Rejected
from verifier.checker import judge as replay
from verifier.definitions import DEFINITIONS, find
from verifier.definitions.registry import is_known
from verifier.errors import InputError

COIN = """
title = "coin"
size = 2
values = [0, 1]
[[distribution]]
name = "fair"
iid = { 0 = "1/2", 1 = "1/2" }
[knowledge]
records = [0]
[mechanism]
kind = "parity"
value = 1
then = [ { kind = "randomized-response", keep = "1/2" } ]
"""
KEYS = [
    "schema", "version", "model", "sha256", "definition", "reading", "method", "epsilon", "delta", "verdict", "reason",
    "tight_delta", "tight_delta_decimal", "tight_epsilon", "tight_epsilon_decimal", "comparisons", "empty", "witness",
]  # fmt: skip
WITNESS = [
    "kind", "distribution", "record", "a", "b", "knowledge", "event", "probability_a", "probability_b", "terms",
]  # fmt: skip


@pytest.fixture
def coin(tmp_path: Path) -> str:
    path = tmp_path / "coin.toml"
    path.write_text(COIN, encoding="utf-8")
    return str(path)


def answer(capsys: pytest.CaptureFixture[str], *arguments: str) -> tuple[int, Any]:
    status, out, err = ask(capsys, *arguments, "--json")
    assert not err
    return status, json.loads(out)


def test_a_failing_question(capsys: pytest.CaptureFixture[str], coin: str) -> None:
    status, found = answer(capsys, "check", coin, "--definition", "apkdp", "--epsilon", "ln(2)", "--delta", "0.1")
    assert status == 1
    assert set(KEYS) <= set(found)
    assert set(WITNESS) <= set(found["witness"])
    # each parity has 3/4 against 1/4: P - 2·Q = 1/4
    assert (found["verdict"], found["tight_delta"], found["tight_epsilon"]) == (
        "fails",
        "1/4",
        "ln(13/5)",
    )
    assert (found["epsilon"], found["delta"], found["method"], found["schema"]) == ("ln(2)", "1/10", "table", 1)
    assert (found["comparisons"], found["empty"], found["replayed"]) == (4, 1, True)
    witness = found["witness"]
    assert (witness["kind"], witness["record"], witness["a"], witness["b"]) == ("conditional", 1, 0, 1)
    assert (witness["knowledge"], witness["event"]) == ([0], [0])
    assert (witness["probability_a"], witness["probability_b"]) == ("3/4", "1/4")


def test_a_question_that_holds(capsys: pytest.CaptureFixture[str], coin: str) -> None:
    status, found = answer(capsys, "check", coin, "--definition", "np")
    assert status == 0
    assert (found["verdict"], found["epsilon"], found["tight_delta"]) == ("holds", None, None)
    assert found["tight_epsilon"] == "ln(3)"
    assert found["tight_epsilon_decimal"] == "1.09861228867"
    assert found["witness"] is None
    assert found["tightest"]["event"] == [0]


def test_vacuous_is_its_own_verdict(capsys: pytest.CaptureFixture[str], tmp_path: Path) -> None:
    path = tmp_path / "known.toml"
    path.write_text(COIN.replace("records = [0]", "records = [0, 1]"), encoding="utf-8")
    for definition in ("np", "ppkdp", "cdp"):
        status, found = answer(capsys, "check", str(path), "--definition", definition, "--epsilon", "1")
        assert (status, found["verdict"]) == (0, "vacuous")
        assert (found["tight_delta"], found["tight_epsilon"], found["witness"]) == ("0", "0", None)
        assert (found["comparisons"], found["empty"]) == (0, 2)


@pytest.mark.parametrize(("alias", "key"), [("npr", "np"), ("causdp", "cdp"), ("NP", "np"), ("ppk-dp", "ppkdp")])
def test_aliases(capsys: pytest.CaptureFixture[str], coin: str, alias: str, key: str) -> None:
    assert answer(capsys, "check", coin, "--definition", alias)[1]["definition"] == key


@pytest.mark.parametrize(
    ("given", "shown"),
    [
        ("2*ln(3)/5", "2/5*ln(3)"),
        ("ln(1)", "0"),
        ("ln(2.5)", "ln(5/2)"),
        ("0.1", "1/10"),
        ("inf", "inf"),
        ("2*ln(3)", "ln(9)"),
    ],
)
def test_epsilon_is_echoed_in_canonical_form(
    capsys: pytest.CaptureFixture[str], coin: str, given: str, shown: str
) -> None:
    assert answer(capsys, "check", coin, "--definition", "np", "--epsilon", given)[1]["epsilon"] == shown


def test_the_passport_exits_0_and_several_models_give_a_line_each(
    capsys: pytest.CaptureFixture[str], coin: str
) -> None:
    status, out, _ = ask(capsys, "check", coin, coin, "--json")
    lines = [json.loads(line) for line in out.splitlines()]
    assert status == 0
    assert len(lines) == 2
    assert [one["definition"] for one in lines[0]["definitions"]] == [
        key for key, one in DEFINITIONS.items() if not one.changes_size
    ]


@pytest.mark.parametrize("kind", ["--json", "--format=csv", "--format=table"])
def test_one_bad_file_of_several_silences_no_other(capsys: pytest.CaptureFixture[str], coin: str, kind: str) -> None:
    status, out, err = ask(capsys, "check", "missing.toml", coin, kind)
    assert status == 2
    assert "apkdp" in out
    assert "missing.toml" in err
    if kind == "--json":
        (line,) = err.splitlines()
        assert json.loads(line) == {
            "error": "the file cannot be read (No such file or directory)", "place": "missing.toml",
            "wanted": "a model file", "tip": "pkdp new MODEL.toml makes one, pkdp examples lists the bundled ones",
        }  # fmt: skip


def test_the_only_file_that_is_bad_leaves_standard_output_empty(capsys: pytest.CaptureFixture[str]) -> None:
    status, out, err = ask(capsys, "check", "missing.toml", "--json")
    assert (status, out) == (2, "")
    assert json.loads(err)["place"] == "missing.toml"
    assert ask(capsys, "check", "missing.toml", "nowhere.toml", "--json")[:2] == (2, "")


def test_csv_of_several_models_is_one_table(capsys: pytest.CaptureFixture[str], coin: str, tmp_path: Path) -> None:
    other = tmp_path / "other.toml"
    other.write_text(Path(coin).read_text(encoding="utf-8"), encoding="utf-8")
    for more in ([], ["--definition", "np"], ["--definition", "np,cdp"]):
        _, out, _ = ask(capsys, "check", coin, str(other), "--format", "csv", *more)
        head, *rows = csv.reader(out.splitlines())
        assert head[0] == "model"
        assert {row[0] for row in rows} == {coin, str(other)}
        assert {len(row) for row in rows} == {len(head)}
        assert head not in rows
    assert ask(capsys, "check", coin, "--format", "csv")[1].startswith("definition,verdict")


def test_csv_of_losses_names_what_is_known(capsys: pytest.CaptureFixture[str], coin: str) -> None:
    _, out, _ = ask(capsys, "loss", coin, "--record", "1", "--format", "csv")
    head, *rows = csv.reader(out.splitlines())
    assert head[:3] == ["distribution", "knowledge", "probability"]
    assert [row[1:4] for row in rows] == [[known, "1/2", output] for known in ("[0]", "[1]") for output in "01"]


def test_a_promise_is_needed(capsys: pytest.CaptureFixture[str], coin: str, tmp_path: Path) -> None:
    status, out, err = ask(capsys, "check", coin, "--expect", "--json")
    assert (status, out) == (2, "")
    assert "[[expect]]" in err
    promising = tmp_path / "promising.toml"
    promising.write_text(COIN + '[[expect]]\ndefinition = "np"\nverdict = "holds"\n', encoding="utf-8")
    status, out, _ = ask(capsys, "check", coin, str(promising), "--expect")
    assert status == 0
    assert [line[:4] for line in out.splitlines()] == ["none", "ok  "]


@pytest.mark.parametrize(
    ("text", "options"),
    [
        ("np(ln(2), 1/10)", ["--definition", "np", "--epsilon", "ln(2)", "--delta", "1/10"]),
        ("np delta at ln(2) <= 1/10", ["--definition", "np", "--epsilon", "ln(2)", "--delta", "1/10"]),
        ("np delta at ln(2)", ["--definition", "np", "--epsilon", "ln(2)"]),
        ("np epsilon at 1/10", ["--definition", "np", "--delta", "1/10"]),
        ("cdp", ["--definition", "cdp"]),
    ],
)
def test_a_question_is_one_language(
    capsys: pytest.CaptureFixture[str], coin: str, text: str, options: list[str]
) -> None:
    assert answer(capsys, "check", coin, "--definition", text) == answer(capsys, "check", coin, *options)


def test_questions_at_different_parameters_stand_in_different_tables(
    capsys: pytest.CaptureFixture[str], coin: str
) -> None:
    _, out, _ = ask(capsys, "check", coin, "--definition", "np(ln(2), 1/10), cdp(0)", "--format", "csv")
    assert [line for line in out.splitlines() if line.startswith("definition")] == [
        "definition,verdict,smallest ε at δ = 1/10,decimal of ε,smallest δ at ε = ln(2),decimal of δ",
        "definition,verdict,smallest ε at δ = 0,decimal of ε,smallest δ at ε = 0,decimal of δ",
    ]


@pytest.mark.parametrize(
    ("given", "said"),
    [
        (["--definition", "np(ln(2))", "--epsilon", "1"], "--epsilon"),
        (["--definition", "np(0, 1/2)", "--delta", "1"], "--delta"),
        (["--definition", "np(e)"], "variables are for pkdp search"),
        (["--definition", "np and cdp"], "one question"),
        (["--definition", "pure-dp"], "is dp at δ = 0 meant?"),
    ],
)
def test_what_is_no_question(capsys: pytest.CaptureFixture[str], coin: str, given: list[str], said: str) -> None:
    status, out, err = ask(capsys, "check", coin, *given)
    assert (status, out) == (2, "")
    assert said in err


def test_suggested_definitions_are_listed() -> None:
    for name in ("prodd", "pdpp", "nprr", "causdpp", "ppkpd"):
        with pytest.raises(InputError) as error:
            find(name)
        suggested = re.search(r"is ([a-z-]+)(?:, also called [a-z-]+,)? meant", error.value.tip)
        assert suggested
        assert is_known(suggested[1])


def test_loss(capsys: pytest.CaptureFixture[str], coin: str) -> None:
    status, found = answer(capsys, "loss", coin, "--record", "1", "--values", "0", "1")
    assert status == 0
    assert [one["probability"] for one in found["knowledge"]] == ["1/2", "1/2"]
    first = found["knowledge"][0]["outputs"][0]
    assert first == {
        "output": 0, "probability_a": "3/4", "probability_b": "1/4", "loss": "ln(3)", "loss_decimal": "1.09861228867",
    }  # fmt: skip


def test_acceptable(capsys: pytest.CaptureFixture[str], coin: str) -> None:
    status, found = answer(capsys, "acceptable", coin)
    assert status == 1
    assert [(one["distribution"], one["record"], one["acceptable"]) for one in found] == [
        ("fair", 0, False),
        ("fair", 1, True),
    ]
    assert "reason" in found[0]
    assert found[1]["normalization"]["knowledge"] == ["φ1"]


@pytest.mark.parametrize("kind", ["table", "markdown", "latex", "csv"])
@pytest.mark.parametrize("command", [["check"], ["loss", "--record", "1"], ["acceptable"]])
def test_every_format(capsys: pytest.CaptureFixture[str], coin: str, kind: str, command: list[str]) -> None:
    _, out, err = ask(capsys, command[0], coin, *command[1:], "--format", kind)
    assert not err
    mark = {"table": "│", "markdown": "|---|", "latex": r"\begin{tabular}", "csv": ","}[kind]
    assert mark in out
    assert "0x" not in out


def test_digits(capsys: pytest.CaptureFixture[str], coin: str) -> None:
    _, found = answer(capsys, "check", coin, "--definition", "np", "--digits", "30")
    assert found["tight_epsilon_decimal"] == "1.09861228866810969139524523692"


def test_max_digits_cut_and_say_so(capsys: pytest.CaptureFixture[str], coin: str, tmp_path: Path) -> None:
    path = tmp_path / "long.toml"
    path.write_text(Path(coin).read_text(encoding="utf-8").replace('keep = "1/2"', f'keep = "1/{3**60}"'))
    _, found = answer(capsys, "check", str(path), "--definition", "np", "--max-digits", "10")
    assert re.fullmatch(r"ln\([0-9]+…/[0-9]+… \([0-9]+ digits\)\)", found["tight_epsilon"])


def test_help_names_the_other_meanings(capsys: pytest.CaptureFixture[str]) -> None:
    _, out, _ = ask(capsys, "--help")
    assert "concentrated" in out
    status, out, _ = ask(capsys, "--version")
    assert status == 0
    assert re.fullmatch(r"pkdp \d+\.\d+\.\d+\n", out)


def test_conventions_and_definitions(capsys: pytest.CaptureFixture[str]) -> None:
    _, found = answer(capsys, "conventions")
    assert {"possible-values", "impossible-knowledge", "orders", "vacuous"} <= {one["key"] for one in found}
    assert all(one["source"] for one in found)
    _, listed = answer(capsys, "definitions")
    assert [one["key"] for one in listed][:5] == ["dp", "np", "apkdp", "ppkdp", "cdp"]


def test_the_whole_profile(capsys: pytest.CaptureFixture[str], coin: str) -> None:
    _, found = answer(capsys, "check", coin, "--definition", "ppkdp", "--profile")
    assert found["profile"] == [
        {"from_epsilon": "0", "constant": "3/4", "slope": "-1/4"},
        {"from_epsilon": "ln(3)", "constant": "0", "slope": "0"},
    ]


def _reject(_certificate: object) -> None:
    raise Rejected("planted")


def test_an_answer_that_the_replay_rejects_is_not_shown_to_programs(
    capsys: pytest.CaptureFixture[str], coin: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(replay, "replay", _reject)
    for form in ("--json", "--format=csv", "--format=markdown"):
        status, out, err = ask(capsys, "check", coin, form)
        assert (status, out) == (3, "")
        assert "planted" in err


def test_a_rejection_after_the_verdict_is_loud(
    capsys: pytest.CaptureFixture[str], coin: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(replay, "replay", _reject)
    for more in ([], ["--definition", "np"]):
        status, out, err = ask(capsys, "check", coin, *more)
        assert status == 3
        assert "REJECTED" in out.splitlines()[-1]
        assert "REJECTS the answer that is printed above" in err


def test_the_verdict_is_printed_before_the_replay_is_asked(
    capsys: pytest.CaptureFixture[str], coin: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    before: list[str] = []
    genuine = replay.replay

    def listen(evidence: dict[str, Any]) -> None:
        before.append(capsys.readouterr().out)
        genuine(evidence)

    monkeypatch.setattr(replay, "replay", listen)
    status, out, _ = ask(capsys, "check", coin, "--definition", "np", "--epsilon", "0")
    assert status == 1
    assert "fails" in before[0]
    assert out == "Re-checked: yes, by the independent replay.\n"
    before.clear()
    assert json.loads(ask(capsys, "check", coin, "--definition", "np", "--json")[1])["replayed"] is True
    assert before == [""]


@pytest.mark.parametrize("more", [[], ["--definition", "np"], ["--format", "markdown"]])
def test_the_replay_is_left_out_on_request(
    capsys: pytest.CaptureFixture[str], coin: str, monkeypatch: pytest.MonkeyPatch, more: list[str]
) -> None:
    monkeypatch.setattr(replay, "replay", _reject)
    status, out, err = ask(capsys, "check", coin, "--no-replay", *more)
    assert (status, err) == (0, "")
    assert "left out (--no-replay)" in out
    _, found = answer(capsys, "check", coin, "--no-replay", "--definition", "np")
    assert (found["replayed"], found["replay"]) == (None, "left out")


def test_the_engine_for_sums_on_request(capsys: pytest.CaptureFixture[str], tmp_path: Path) -> None:
    path = tmp_path / "vote.toml"
    text = COIN.replace('then = [ { kind = "randomized-response", keep = "1/2" } ]', "").replace("parity", "count")
    path.write_text(text.replace("size = 2", "size = 400"), encoding="utf-8")
    question = ["--definition", "apkdp", "--epsilon", "inf"]
    status, _, err = ask(capsys, "check", str(path), *question, "--engine", "table")
    assert (status, "about 10^120 worlds" in err) == (3, True)
    status, found = answer(capsys, "check", str(path), *question)
    assert (status, found["method"], found["replayed"]) == (1, "sum", True)
    path.write_text(path.read_text(encoding="utf-8") + "[sensitive]\nrecords = [399]\n", encoding="utf-8")
    status, found = answer(capsys, "check", str(path), *question, "--engine", "sum")
    assert (status, found["method"], found["replayed"]) == (1, "sum", True)
    assert (found["comparisons"], found["multiplicity"]) == (4, 4)  # each way for each of two known votes
    assert ask(capsys, "check", str(path), "--engine", "guess")[0] == 2
