"""The two ways to count below one search, columns of numpy and one model after the other: the same answers."""

from __future__ import annotations

import json
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest

import verifier as pk
from verifier.errors import LimitError
from verifier.wings.search import finer, question, shards

ROOT = Path(__file__).resolve().parents[3]
PATHS = f"{ROOT}:{ROOT / 'tests' / 'helpers'}"
TINY = {"weights": 2, "mechanism_weights": 1}
ASKED: tuple[dict[str, Any], ...] = (
    {"satisfies": "np(e)", "violates": "cdp(e)"},
    {"claim": "independent => np(e) iff cdp(e)", **TINY},
    {"claim": "np(e) => twice(np(2*e))", "records": 1, "exhaust": True},
    {"claim": "dp(e) => cdp(e)", "records": 1, "knowledge": 2, "outputs": 3, "mechanism_weights": 1},
    {"satisfies": "ppkdp(0, 1/2)", "violates": "apkdp(0, 1/2)", "records": 1, "knowledge": 2, "weights": 2},
    {"satisfies": "np(0)", "violates": "cdp(0)", "first_only": True, "exhaust": True, **TINY},
    {"satisfies": "acceptable", "violates": "np(0)", "exhaust": True, **TINY},
    {"satisfies": "np(0)", "violates": "acceptable", "records": 1, "knowledge": 2, "vacuous": True},
    {"satisfies": "np(0)", "violates": "bodp(0)", "values": 3, **TINY},
    {"satisfies": "osdp(0)", "violates": "dp(0)", "policy": "sensitive = [0]", "records": 1, "exhaust": True},
    {"satisfies": "np(0)", "violates": "cdp", "find": "finer", "weights": 1, "mechanism_weights": 1},
)  # fmt: skip
"""Questions with a model and without; records, values and outputs that may be renamed and that may not."""


def without_numpy(monkeypatch: pytest.MonkeyPatch) -> None:
    for module in (finer, question, shards):
        monkeypatch.setattr(module, "has_numpy", lambda: False)


@pytest.mark.parametrize("asked", ASKED, ids=str)
def test_both_ways_look_at_the_same_models_and_find_the_same(
    asked: dict[str, Any], monkeypatch: pytest.MonkeyPatch
) -> None:
    usual = pk.search(**asked)
    without_numpy(monkeypatch)
    plain = pk.search(**asked)
    assert (plain.hit, str(plain), plain.text, plain.fields()) == (usual.hit, str(usual), usual.text, usual.fields())


def test_the_questions_have_both_answers() -> None:
    verdicts = [pk.search(**asked).verdict for asked in ASKED[:3]]
    assert {*verdicts} == {"separated", "none in scope"}


def test_a_scope_that_would_take_hours_without_numpy_is_refused_at_once(monkeypatch: pytest.MonkeyPatch) -> None:
    large: dict[str, Any] = {"satisfies": "np(0)", "violates": "cdp", "values": 3}
    without_numpy(monkeypatch)
    with pytest.raises(LimitError, match=r"411,995 models up to renaming, and numpy is not there"):
        pk.search(**large)


IN_A_PAGE = """
import json, sys
from slim import REFUSED, Refusing
sys.meta_path.insert(0, Refusing())
for name in REFUSED & sys.modules.keys():
    del sys.modules[name]
import verifier as pk
result = pk.search(satisfies="np(e)", violates="cdp(e)")
from verifier.wings.explore import finder
finder.BUDGET = 10**12
found = finder.found_of({"statement": "np(e) => cdp(e)", "truth": "false", "among": "small", "sizes": {}})
print(json.dumps([result.fields(), str(result), str(result) in result._repr_html_(), found["looked"]]))
"""


def test_a_search_runs_with_what_the_page_has() -> None:
    done = subprocess.run(
        [sys.executable, "-c", IN_A_PAGE], capture_output=True, text=True, check=False, env={"PYTHONPATH": PATHS}
    )
    assert done.returncode == 0, done.stderr[-2000:]
    usual = pk.search(satisfies="np(e)", violates="cdp(e)")
    assert json.loads(done.stdout) == json.loads(json.dumps([usual.fields(), str(usual), True, usual.hit.orbits]))
