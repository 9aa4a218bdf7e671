"""Certificate files: honest ones are accepted, every small change and every attack is rejected with its reason."""

from __future__ import annotations

import ast
import re
from pathlib import Path

import pytest
from attack.files import ATTACKS, FOLDER, NAMES, RAW, Attack, honest, honest_text
from filing import mutants, rejection, replayed, shorter

from verifier.replay_files import Unreadable, replay_data, replay_file
from verifier.replay_numbers import Rejected

SOURCES = sorted(Path(__file__).resolve().parent.parent.glob("verifier/replay*.py"))


@pytest.mark.parametrize("name", NAMES)
def test_the_honest_file_is_accepted(name: str) -> None:
    found = replay_data(honest_text(name).encode(), [FOLDER])
    assert (found.uncompared, found.counted) == ("", "")
    assert found.kind == {"acceptable": "acceptability", "not acceptable": "acceptability", "worst": "worst",
                          "none": "search", "separated": "search"}.get(name, "verdict")  # fmt: skip


@pytest.mark.parametrize("attack", ATTACKS, ids=lambda attack: attack.name)
def test_an_attack_is_rejected_with_its_reason(attack: Attack) -> None:
    one = honest(attack.base)
    attack.change(one)
    with pytest.raises(Rejected) as caught:
        replayed(one, FOLDER)
    assert re.search(attack.reason, str(caught.value)), caught.value
    assert "malformed" not in str(caught.value)


def test_attacks_have_distinct_names() -> None:
    assert len({attack.name for attack in ATTACKS}) == len(ATTACKS) >= 80


@pytest.mark.parametrize(("name", "data", "reason"), RAW, ids=[name for name, _, _ in RAW])
def test_what_is_no_certificate_is_refused_before_any_work(name: str, data: bytes, reason: str) -> None:
    with pytest.raises(Rejected, match=re.escape(reason)):
        replay_data(data, [])
    assert name


def test_there_is_no_such_file(tmp_path: Path) -> None:
    with pytest.raises(Unreadable, match="cannot be read"):
        replay_file(tmp_path / "nothing.json")
    with pytest.raises(Unreadable, match="cannot be read"):
        replay_file(tmp_path)


# --- every number, every label, every entry -----------------------------------------------------------------

TRUE = {
    "holds": {("question", "delta")},
    "sizes": {("question", "delta")},
    "safe": {("question", "delta")},
    "posterior": {("answer", "witness", "b")},
    "simulator": {("evidence", "shown", "value")},
    "sums": {("answer", "comparisons")},
    "acceptable": {("answers", 0, "parameters", 0, "name")},
    "none": {("vacuous",)},
    "separated": {("vacuous",), ("found", "at", "e")},
}
"""What may be changed into another true statement: a larger δ is enough too; another b of IBCDP has the same laws;
tests that get 1/4 get 1/80; sums are lumped by the engine as it likes; a parameter may have any name; the claim holds
too if vacuous models count; the model that was found separates at other ε too."""


@pytest.mark.parametrize("name", NAMES)
def test_every_number_and_label_counts(name: str) -> None:
    accepted = set()
    for place, value, mutant in mutants(honest(name)):
        reason = rejection(mutant, FOLDER)
        assert "malformed" not in (reason or ""), (place, value)
        accepted |= {place} if reason is None else set()
    assert accepted == TRUE.get(name, set())


@pytest.mark.parametrize("name", NAMES)
def test_nothing_can_be_left_out(name: str) -> None:
    accepted = set()
    for place, other in shorter(honest(name)):
        reason = rejection(other, FOLDER)
        assert "malformed" not in (reason or ""), place
        accepted |= {place} if reason is None else set()
    # a model that separates fewer statements separates still
    assert accepted <= {("satisfies", 0)}


# --- the checker itself -----------------------------------------------------------------------------------------


@pytest.mark.parametrize("path", SOURCES, ids=lambda path: path.name)
def test_the_checker_imports_the_standard_library_its_parts_and_balls(path: Path) -> None:
    text = path.read_text(encoding="utf-8")
    names = set[str]()
    for node in ast.walk(ast.parse(text)):
        if isinstance(node, ast.Import):
            names |= {alias.name for alias in node.names}
        elif isinstance(node, ast.ImportFrom):
            assert node.level == 0
            module = node.module or ""
            names |= {f"verifier.{alias.name}" for alias in node.names} if module == "verifier" else {module}
        elif isinstance(node, ast.Call) and isinstance(node.func, ast.Name):
            assert node.func.id not in {"__import__", "eval", "exec", "compile"}
    parts = {f"verifier.{source.stem}" for source in SOURCES}
    standard = {
        *("__future__", "collections", "dataclasses", "fractions", "functools", "hashlib", "itertools", "json"),
        *("math", "operator", "pathlib", "re", "tomllib", "typing", "flint"),
    }
    assert {name for name in names - parts if name.split(".")[0] not in standard} == set()
    assert len(text.splitlines()) < 400
