"""`pkdp relations --separate`: no blank cell, and every model that is shown separates."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

import verifier as pk
from verifier.cli.main import run
from verifier.wings.implications.separate import APPROXIMATE, LADDER, PURE, DefinitionPair, separate
from verifier.wings.implications.table import relations

SOME = ("dp", "np", "ppkdp", "cdp", "ibcdp")


pytestmark = [pytest.mark.xdist_group("separate"), pytest.mark.sweep(0)]  # its table is made once


@pytest.fixture(scope="module")
def pairs() -> tuple[DefinitionPair, ...]:
    return separate(SOME)


def test_there_is_no_blank_cell(pairs: tuple[DefinitionPair, ...]) -> None:
    assert len(pairs) == 2 * len(SOME) * (len(SOME) - 1)
    known = relations()
    for pair in pairs:
        assert pair.status in {"implied", "separated"}
        cell = (known.pure if pair.level == PURE else known.approximate)[pair.source, pair.target]
        assert (pair.status == "implied") == bool(cell.arrows)
        assert pair.evidence


def test_what_is_found_separates(pairs: tuple[DefinitionPair, ...]) -> None:
    found = [pair for pair in pairs if pair.text]
    assert len(found) > len(pairs) // 2
    for pair in found:
        model = pk.loads(pair.text or "")
        first, second = (pk.check(model, name) for name in (pair.source, pair.target))
        if pair.level == PURE:
            assert (first.verdict, str(first.tight_epsilon)) == ("holds", "0")
            assert (second.verdict, str(second.tight_epsilon)) == ("fails", "inf")
        else:
            assert pair.level == APPROXIMATE
            curves = [one.profile for one in (first, second)]
            assert any(
                curves[1].delta(e) > curves[0].delta(e) for e in ("0", "ln(3/2)", "ln(2)", "ln(3)", "1/10", "inf")
            )


def test_a_pair_without_a_model_is_open(monkeypatch: pytest.MonkeyPatch) -> None:
    from dataclasses import replace

    from verifier.wings.implications import separate as module

    known = relations()
    empty = {key: replace(cell, fact=None) for key, cell in known.pure.items()}
    monkeypatch.setattr(module, "relations", lambda: replace(known, pure=empty, approximate=empty))
    found = separate(["np", "cdp"], ladder=LADDER[:1])
    assert {pair.status for pair in found} == {"open"}
    assert all(pair.evidence.endswith(f" {pair.looked} in 1 scope") for pair in found)
    assert all(pair.looked > 0 and "no model among" in pair.evidence for pair in found)


def test_the_command(capsys: pytest.CaptureFixture[str], tmp_path: Path) -> None:
    with pytest.raises(SystemExit) as stop:
        run(["relations", "--separate", "np", "cdp", "--json", "--output", str(tmp_path / "models")])
    found = json.loads(capsys.readouterr().out)
    assert stop.value.code == 0
    assert {one["status"] for one in found} == {"separated"}
    assert (tmp_path / "models" / "np-not-cdp-epsilon.toml").exists()
    with pytest.raises(SystemExit):
        run(["relations", "--separate", "np", "cdp", "--format", "markdown"])
    assert "2 separated" in capsys.readouterr().out
    with pytest.raises(SystemExit) as stop:
        run(["relations", "--separate", "zero"])
    assert stop.value.code == 2
    assert "is not compared" in capsys.readouterr().err
