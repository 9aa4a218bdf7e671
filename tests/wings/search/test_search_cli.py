"""`pkdp search` and `verifier.wings.search` as the contract describes them."""

from __future__ import annotations

import json
import re
import shlex
import sys
from pathlib import Path
from time import sleep
from types import ModuleType
from typing import Any

import pytest

import verifier as pk
from verifier.cli import waiting
from verifier.cli.main import run
from verifier.questions.expect import compare
from verifier.wings.search.candidate import Candidate
from verifier.wings.search.command import watched
from verifier.wings.search.find import Progress
from verifier.wings.search.orbits import Count

SCOPE = "at most 2 records, 2 values, 2 outputs, 1 knowledge value; θ in multiples of 1/4, the mechanism of 1/2"
PASSIVE = [
    "--satisfies", "ppkdp(epsilon=0, delta=1/2)", "--violates", "apkdp(epsilon=0, delta=1/2)",
    "--records", "2", "--values", "2", "--outputs", "2", "--knowledge", "2",
]  # fmt: skip
ACCEPTABLE = [
    "--satisfies", "acceptable", "--satisfies", "apkdp(epsilon=ln(2), delta=1/10)",
    "--violates", "ppkdp(epsilon=ln(2), delta=1/10)",
]  # fmt: skip
NEXT_STEP = re.compile("pkdp: (this says nothing about larger models|to see why)")
BOTH_WAYS = ["--claim", "independent => np iff cdp", "--exhaust"]


def ask(capsys: pytest.CaptureFixture[str], *arguments: str) -> tuple[int, str]:
    with pytest.raises(SystemExit) as stop:
        run(["search", "--jobs", "1", *arguments])
    said = capsys.readouterr()
    remarks = [line for line in said.err.splitlines(keepends=True) if not line.startswith("pkdp: the model is in ")]
    assert not remarks or ("--json" not in arguments and len(remarks) == 1 and NEXT_STEP.match(remarks[0]))
    assert ("the model is in" in said.err) == ("--output" in arguments)
    return int(stop.value.code or 0), said.out


def answer(capsys: pytest.CaptureFixture[str], *arguments: str) -> tuple[int, Any]:
    status, out = ask(capsys, *arguments, "--json")
    assert out.count("\n") == 1
    return status, json.loads(out)


def test_a_model_that_tells_two_definitions_apart(capsys: pytest.CaptureFixture[str], tmp_path: Path) -> None:
    file = tmp_path / "found.toml"
    status, found = answer(capsys, *PASSIVE, "--output", str(file))
    assert status == 0
    assert list(found)[:7] == ["schema", "version", "verdict", "model", "scope", "models_checked", "orbits_checked"]
    assert {"verdict", "model", "scope", "models_checked", "seconds"} <= set(found)
    assert found["verdict"] == "separated"
    assert found["seconds"] < 5
    assert found["model"] == file.read_text(encoding="utf-8")
    assert (found["models_checked"], found["orbits_checked"]) == (18812, 1657)
    model = pk.read(file)
    assert all(one.agrees for one in compare(model))
    assert pk.check(model, "ppkdp", epsilon=0, delta="1/2").verdict == "holds"
    assert pk.check(model, "apkdp", epsilon=0, delta="1/2").verdict == "fails"
    with pytest.raises(SystemExit) as stop:
        run(["check", str(file), "--expect"])
    assert stop.value.code == 0
    assert "FAIL" not in capsys.readouterr().out
    assert status == answer(capsys, *PASSIVE)[0]


def test_no_model_is_stated_as_what_it_is(capsys: pytest.CaptureFixture[str]) -> None:
    status, out = ask(capsys, *ACCEPTABLE)
    assert status == 1
    assert re.sub(r"[0-9.]+ s", "… s", out) == f"no model among 2,840 ({SCOPE}), 447 up to renaming (… s)\n"
    status, found = answer(capsys, *ACCEPTABLE)
    assert status == 1
    assert (found["verdict"], found["model"], found["models_checked"]) == ("none in scope", None, 2840)
    assert found["scope"] == SCOPE
    assert found["complete"] is True


@pytest.mark.parametrize(
    ("arguments", "hint"),
    [
        (
            ACCEPTABLE,
            "larger models: look further with --knowledge 2 (here the attacker knows nothing), --records 3",
        ),
        ((*ACCEPTABLE, "--knowledge", "2", "--records", "1"), "look further with --knowledge 3, --records 2 or --valu"),
        (("--satisfies", "np(0)", "--violates", "cdp(0)"), "to see why, add --output mine.toml, then pkdp check mine"),
    ],
)
def test_the_next_step_is_said_on_standard_error(
    arguments: tuple[str, ...], hint: str, capsys: pytest.CaptureFixture[str]
) -> None:
    for silent in ((), ("--quiet",), ("--json",)):
        with pytest.raises(SystemExit):
            run(["search", *arguments, *silent])
        assert (hint in capsys.readouterr().err) == (not silent)


def test_a_claim_that_holds_in_the_whole_scope(capsys: pytest.CaptureFixture[str]) -> None:
    status, out = ask(capsys, *BOTH_WAYS)
    assert status == 0
    first, second = out.splitlines()
    assert first == f"scope: {SCOPE}; 2,840 models, 447 up to renaming"
    assert second.startswith("no model among 2,840")
    assert answer(capsys, *BOTH_WAYS)[0] == 0


def test_a_claim_that_is_broken(capsys: pytest.CaptureFixture[str]) -> None:
    status, found = answer(capsys, "--claim", "np(e) => cdp(2*e)", "--exhaust")
    assert status == 1
    assert found["values"] == {"e": "0"}
    assert [one["verdict"] for one in found["verdicts"]] == ["holds", "fails"]
    assert found["checked_once"] == []
    assert found["models_checked"] == found["models_in_scope"] == 2840


def test_only_vacuous_separations_are_shown_when_asked_for(capsys: pytest.CaptureFixture[str]) -> None:
    """NP implies DP for one record, unless B tells it."""
    question = ["--claim", "np(e) => dp(e)", "--records", "1", "--knowledge", "2", "--weights", "2"]
    assert answer(capsys, *question)[1]["verdict"] == "none in scope"
    status, found = answer(capsys, *question, "--vacuous")
    assert (status, found["verdict"], found["vacuous"]) == (1, "separated", True)
    assert "(only vacuously)" in found["model"]
    assert found["verdicts"][0] == {"statement": "np(0)", "verdict": "vacuous"}


SEARCHES = (
    ("--satisfies", "np(0)", "--violates", "cdp(0)"),
    ("--satisfies", "np(ln(2), 1/10)", "--violates", "cdp(ln(2), 1/10)"),
    ("--satisfies", "ppkdp(0, 1/2)", "--violates", "apkdp(0, 1/2)", "--knowledge", "2"),
    ("--satisfies", "cdp(ln(3))", "--violates", "dp(ln(2))", "--mechanism-weights", "4"),
    ("--satisfies", "acceptable", "--violates", "np(1)"),
    ("--claim", "np(e) => cdp(e)"),
)


@pytest.mark.parametrize("asked", SEARCHES, ids=" ".join)
def test_the_next_step_shows_what_fails_and_why(
    asked: tuple[str, ...], tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.chdir(tmp_path)
    with pytest.raises(SystemExit):
        run(["search", *asked, "--output", "mine.toml"])
    (step,) = re.findall(r"then (pkdp .*)$", capsys.readouterr().err, re.MULTILINE)
    with pytest.raises(SystemExit) as stop:
        run(shlex.split(step)[1:])
    assert stop.value.code == 1
    assert re.search(r"verdict +fails\b", capsys.readouterr().out)


@pytest.mark.parametrize("asked", SEARCHES, ids=" ".join)
def test_latex_is_an_example_without_a_log(asked: tuple[str, ...], capsys: pytest.CaptureFixture[str]) -> None:
    _, out = ask(capsys, *asked, "--format", "latex")
    assert not re.search("second|looked at|renaming", out)
    assert re.search(r"^Let \$n = \d\$ and \$T = ", out, re.MULTILINE)
    assert re.search(r"^Then .*\bfails at \$\\varepsilon = .*\.$", out, re.MULTILINE)
    assert not re.search(r"\d/\d", out.partition("\n")[2]), "numbers are in math mode"
    assert out.count("$") % 2 == 0
    assert out.count("{") == out.count("}")


def test_a_model_outside_the_grid_says_so() -> None:
    """Shrinking can make weights that are not multiples of the scope's step; the notes then say it."""
    thirds = pk.search(satisfies="np(ln(2))", violates="apkdp(0, 1/5)", scope=pk.Scope())
    assert thirds.model is not None
    assert '"1/3"' in str(thirds.text)
    assert "is not in the scope: θ in multiples of 1/3." in thirds.model.notes
    halves = pk.search(satisfies="np(0)", violates="cdp(0)", scope=pk.Scope())
    assert halves.model is not None
    assert "is not in the scope" not in halves.model.notes
    scope = pk.Scope(weights=4, mechanism_weights=2)
    for law_total in range(1, 9):
        for row_total in range(1, 5):
            model = Candidate(1, 2, 1, 1, law_total, row_total, (1, law_total - 1), ((row_total,),) * 2)
            inside = 4 % law_total == 0 and 2 % row_total == 0
            assert (scope.beyond(model) == "") is inside
            assert (f"1/{law_total}" in scope.beyond(model)) >= (4 % law_total > 0)


@pytest.mark.parametrize("kind", ["markdown", "csv"])
def test_formats(capsys: pytest.CaptureFixture[str], kind: str) -> None:
    status, out = ask(capsys, "--claim", "np(e) => cdp(e)", "--format", kind)
    assert status == 1
    assert "2,840 (447 up to renaming)" in out
    assert "separated" in out


def test_what_is_not_decided_is_no_answer(capsys: pytest.CaptureFixture[str]) -> None:
    """DPS is about databases of several sizes."""
    small = ["--records", "1", "--outputs", "1", "--weights", "2", "--mechanism-weights", "1"]
    status, found = answer(capsys, "--claim", "np => dps", *small)
    assert status == 3
    assert (found["verdict"], found["undecided"]) == ("none in scope", 1)  # the other one has nothing to compare
    assert "not decided" in ask(capsys, "--claim", "np => dps", *small)[1]


def test_a_search_goes_on_from_its_checkpoint(capsys: pytest.CaptureFixture[str], tmp_path: Path) -> None:
    file = tmp_path / "search.json"
    first = answer(capsys, *BOTH_WAYS, "--checkpoint", str(file))[1]
    again = answer(capsys, *BOTH_WAYS, "--checkpoint", str(file))[1]
    assert {**first, "seconds": 0} == {**again, "seconds": 0}


def test_the_room_is_the_function() -> None:
    told = pk.search(satisfies=pk.statement("np(e)"), violates="cdp(e)", scope=pk.Scope())
    assert told.verdict == "separated"
    assert isinstance(sys.modules["verifier.wings.search"], ModuleType)
    assert told.model
    assert told.model.text == told.text
    with pytest.raises(TypeError, match="verdict"):
        bool(told)
    with pytest.raises(pk.InputError, match="one of records, values"):
        pk.search(claim="np", record=2)
    with pytest.raises(pk.InputError, match="given a scope and records"):
        pk.search(claim="np", scope=pk.Scope(), records=2)


def test_statements_alone_are_looked_for_too() -> None:
    told = pk.search(satisfies=["not acceptable", "np(e)", "deterministic"], knowledge=2, outputs=1)
    assert told.separation
    assert str(told).startswith("found: not acceptable, np(e), deterministic; ")
    assert [str(one) for one in told.separation.once] == ["np(e)"]
    assert told.exit_status == 0


def test_premises_of_a_claim_are_what_holds() -> None:
    told = pk.search(claim="acceptable and np => deterministic => dp or ibcdp", satisfies="symmetric", records=1)
    assert [str(one) for one in told.question.satisfied] == ["symmetric", "acceptable", "np", "deterministic"]
    assert str(told.question).endswith(" but not (dp or ibcdp)")


def test_the_same_answer_every_time() -> None:
    asked: dict[str, Any] = {"satisfies": "ppkdp(e, d)", "violates": "apkdp(e, d)", "knowledge": 2}
    assert pk.search(**asked).text == pk.search(**asked).text


def test_a_search_counts(monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]) -> None:
    monkeypatch.setattr(waiting, "PATIENCE", 0)
    with watched() as tell:
        tell(Progress(40, 20, Count(40, 20), 10**9, 0, Candidate(1, 2, 1, 1, 1, 1, (1, 0), ((1,), (1,)))))
        sleep(1)
    said = capsys.readouterr()
    assert "20 of 20 models up to renaming (100 %, 20 a second, best so far: (1, 2, 1, 1, 1))" in said.err
    assert not said.out


def test_finer_grids_are_looked_through_where_the_own_has_nothing(capsys: pytest.CaptureFixture[str]) -> None:
    """CDP does not imply NP at one ε; in multiples of 1/2 no mechanism shows it."""
    question = ["--satisfies", "cdp(ln(2))", "--violates", "np(ln(2))"]
    assert answer(capsys, *question)[1]["verdict"] == "none in scope"
    for find in ("finer", "z3", "both"):
        status, found = answer(capsys, *question, "--find", find)
        assert (status, found["verdict"]) == (0, "separated")
        assert found["synthesis"] == "found with θ in multiples of 1/4, the mechanism of 1/4, on finer grid 2"
        assert found["model"].startswith('title  = "cdp(ln(2)) but not np(ln(2))"\nsize')  # no word on smaller ones
    said = ask(capsys, "--claim", "np(0) => dp(0)", "--records", "1", "--find", "finer")[1]
    assert "; none found on 110 finer grids" in said
