"""`pkdp check FAMILY --atlas`: each definition of DP22 has its answer, or the reason why it has none."""

from __future__ import annotations

import json
from pathlib import Path

import pytest
from policy_families import WARD

from verifier.cli.main import run
from verifier.definitions.atlas import ALIASES, atlas
from verifier.model.parameters import Family
from verifier.model.read_family import read_any
from verifier.wings.families.decide import decide_family


def ask(capsys: pytest.CaptureFixture[str], *arguments: str) -> tuple[int, str]:
    with pytest.raises(SystemExit) as stop:
        run(arguments)
    return int(stop.value.code or 0), capsys.readouterr().out


@pytest.fixture
def ward(tmp_path: Path) -> str:
    path = tmp_path / "ward.toml"
    path.write_text(WARD, encoding="utf-8")
    return str(path)


def test_the_atlas_of_a_family(capsys: pytest.CaptureFixture[str], ward: str) -> None:
    """Each of DP22's definitions has its answer, the one that it has alone."""
    status, out = ask(capsys, "check", ward, "--atlas", "--epsilon", "ln(2)", "--delta", "1/10", "--json")
    answers = json.loads(out)["atlas"]
    assert status == 0
    assert [answer["key"] for answer in answers] == list(atlas)
    members = read_any(ward)
    assert isinstance(members, Family)
    for answer in answers:
        definition = atlas[answer["key"]]
        assert answer["definition"] == ALIASES.get(answer["key"], (answer["key"], ""))[0]
        assert answer["dimensions"] == atlas.dimensions(answer["key"])
        assert (answer["verdict"] == "unsupported") == bool(answer["reason"])
        if answer["key"] in {"osdp", "taidp", "adp", "npr", "klpr"}:
            alone = decide_family(members, definition, epsilon="ln(2)", delta="1/10" if definition.has_delta else 0)
            expected = alone.to_json()
            assert {name: answer[name] for name in expected} == expected
