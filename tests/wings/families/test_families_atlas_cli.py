"""`pkdp check FAMILY --atlas`: each definition of DP22 has its answer, or the reason why it has none."""

from __future__ import annotations

import csv
import json
from io import StringIO
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


def test_the_tables_of_the_atlas(capsys: pytest.CaptureFixture[str], ward: str) -> None:
    status, out = ask(capsys, "check", ward, "--atlas", "--epsilon", "ln(2)")
    assert status == 0
    assert "N: neighbourhood definition" in out
    assert "The ends exactly" in out
    assert "The verdicts are at ε = ln(2) where a definition has an ε" in out
    assert "klpr, avgklpr: has the measure kl, which is not decided for families." in out
    assert "osdp" in out
    _, in_full = ask(capsys, "check", ward, "--atlas", "--all")
    assert "for some finite ε" in in_full
    assert len(in_full.splitlines()) > len(out.splitlines())


def test_what_exceeds_the_limits_is_unsupported(capsys: pytest.CaptureFixture[str], tmp_path: Path) -> None:
    """Pairs of 2,048 databases are too many to list, of which two are possible; that is the answer."""
    path = tmp_path / "many.toml"
    zeros, ones = [0] * 11, [1] * 11
    path.write_text(
        'title = "many"\nsize = 11\nvalues = [0, 1]\n[parameters]\np = { from = "1/4", to = "3/4" }\n'
        f'[[distribution]]\ntable = [ {{ database = {zeros}, probability = "1 - p" }}, '
        f'{{ database = {ones}, probability = "p" }} ]\n[mechanism]\nkind = "parity"\nvalue = 1\n',
        encoding="utf-8",
    )
    _, out = ask(capsys, "check", str(path), "--atlas", "--json")
    answers = {answer["key"]: answer for answer in json.loads(out)["atlas"]}
    assert answers["dp-any"]["verdict"] == "unsupported"
    assert "2,048 databases" in answers["dp-any"]["reason"]


def test_one_table_for_csv(capsys: pytest.CaptureFixture[str], ward: str) -> None:
    """One row a definition, also where it is unsupported."""
    status, out = ask(capsys, "check", ward, "--atlas", "--epsilon", "ln(2)", "--format", "csv")
    header, *rows = csv.reader(StringIO(out))
    assert status == 0
    assert header[:2] == ["definition", "holds for"]
    assert [row[0].split(" ")[0] for row in rows if row[1:]][: len(atlas)] == list(atlas)
