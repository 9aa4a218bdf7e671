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
from examined import at_least_one

import verifier as pk
from verifier.cli import waiting
from verifier.cli.main import run
from verifier.definitions.atlas import atlas
from verifier.questions.expect import compare
from verifier.questions.having import PROPERTIES
from verifier.questions.statement import Holds
from verifier.wings.search.batch.statement import is_batched
from verifier.wings.search.candidate import Candidate
from verifier.wings.search.command import watched
from verifier.wings.search.enumerate_scope import Progress
from verifier.wings.search.orbits import Count

PASSIVE = [
    "--satisfies", "ppkdp(epsilon=0, delta=1/2)", "--violates", "apkdp(epsilon=0, delta=1/2)",
    "--records", "2", "--values", "2", "--outputs", "2", "--knowledge", "2",
]  # fmt: skip
NEXT_STEP = re.compile("pkdp: (this says nothing about larger models|to see why)")


def ask(capsys: pytest.CaptureFixture[str], *arguments: str) -> tuple[int, str]:
    with pytest.raises(SystemExit) as stop:
        run(["search", "--jobs", "1", *arguments])
    said = capsys.readouterr()
    remarks = [
        line
        for line in said.err.splitlines(keepends=True)
        if not line.startswith(("pkdp: the model is in ", "pkdp: the picture is in "))
    ]
    assert not remarks or ("--json" not in arguments and len(remarks) == 1 and NEXT_STEP.match(remarks[0]))
    assert ("the model is in" in said.err) == ("--output" in arguments)
    return int(stop.value.code or 0), said.out


def answer(capsys: pytest.CaptureFixture[str], *arguments: str) -> tuple[int, Any]:
    status, out = ask(capsys, *arguments, "--json")
    assert out.count("\n") == 1
    return status, json.loads(out)


def test_a_model_that_tells_two_definitions_apart(capsys: pytest.CaptureFixture[str], tmp_path: Path) -> None:
    file = tmp_path / "found.toml"
    drawn = tmp_path / "found.svg"
    status, found = answer(capsys, *PASSIVE, "--output", str(file), "--picture", str(drawn))
    assert status == 0
    assert drawn.read_text(encoding="utf-8") == pk.worlds(pk.read(file)).printed
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
    kept = ["--checkpoint", str(tmp_path / "search.json")]
    first, again = (answer(capsys, *PASSIVE, *kept)[1] for _ in range(2))
    assert {**first, "seconds": 0} == {**again, "seconds": 0} == {**found, "seconds": 0}


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
    with pytest.raises(pk.InputError, match="a scope and records are given together"):
        pk.search(claim="np", scope=pk.Scope(), records=2)


def test_statements_alone_are_looked_for_too() -> None:
    told = pk.search(satisfies=["not acceptable", "np(e)", "deterministic"], knowledge=2, outputs=1)
    assert told.separation
    assert str(told).startswith("found: not acceptable, np(e), deterministic; ")
    assert [str(one) for one in told.separation.once] == ["np(e)"]
    assert told.exit_status == 0


def test_a_search_counts(monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]) -> None:
    monkeypatch.setattr(waiting, "PATIENCE", 0)
    with watched() as tell:
        tell(Progress(40, 20, Count(40, 20), 10**9, 0, Candidate(1, 2, 1, 1, 1, 1, (1, 0), ((1,), (1,)))))
        sleep(1)
    said = capsys.readouterr()
    assert "20 of 20 models up to renaming (100 %, 20 a second, best so far: (1, 2, 1, 1, 1))" in said.err
    assert not said.out


# --- what docs/search.md lists ---------------------------------------------------------------------------------------


PAGE = "docs/search.md"


def test_every_property_is_listed() -> None:
    text = (Path(__file__).resolve().parents[3] / PAGE).read_text(encoding="utf-8")
    for feature in at_least_one(PROPERTIES.values()):
        assert f"| `{feature.key}` | {feature.text} | {feature.source} |" in text


def test_the_keys_that_blocks_decide_are_listed() -> None:
    text = (Path(__file__).resolve().parents[3] / PAGE).read_text(encoding="utf-8")
    listed = text.partition("<!-- in blocks -->")[2].partition("<!-- /in blocks -->")[0]
    in_blocks = sorted(key for key in atlas if is_batched(Holds(atlas[key].key, None)))
    assert re.sub(r"\s+", " ", listed).strip() == ", ".join(f"`{key}`" for key in in_blocks)
    assert len(in_blocks) >= 60
