"""`pkdp examples`: what comes with the program, listed, searched, copied."""

from __future__ import annotations

import json
import tomllib
from pathlib import Path
from typing import Any

import pytest

import verifier as pk
from verifier.cli.main import run
from verifier.model.bundled import bundled, bundled_file
from verifier.model.library import models_folder


def ask(capsys: pytest.CaptureFixture[str], *arguments: str) -> tuple[int, str, str]:
    with pytest.raises(SystemExit) as stop:
        run(("examples", *arguments))
    said = capsys.readouterr()
    return int(stop.value.code or 0), said.out, said.err


def listed(capsys: pytest.CaptureFixture[str], *arguments: str) -> list[dict[str, Any]]:
    status, out, err = ask(capsys, *arguments, "--json")
    assert (status, err) == (0, "")
    found: list[dict[str, Any]] = json.loads(out)
    return found


def test_every_model_file_is_listed_with_what_it_says(capsys: pytest.CaptureFixture[str]) -> None:
    examples = listed(capsys)
    assert [one["file"] for one in examples] == [str(path) for path in bundled().values()]
    for one in examples:
        tables = tomllib.loads(Path(one["file"]).read_text(encoding="utf-8"))
        assert bundled_file(one["name"]) == Path(one["file"])
        assert (one["title"], one["size"], one["values"]) == (tables["title"], tables["size"], len(tables["values"]))
        assert (one["source"], one["parameters"]) == (tables.get("source"), list(tables.get("parameters", ())))
        assert (models_folder() / one["folder"] / Path(one["file"]).name).is_file()


def test_the_list_is_grouped_by_folder_and_breaks_no_name(
    capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("COLUMNS", "60")
    out = ask(capsys, "--all")[1]
    heads = [
        line for line in out.splitlines() if line and not line.startswith(" ") and line.endswith(("model", "models"))
    ]
    assert [head.partition(":")[0] for head in heads] == sorted({full.rpartition("/")[0] for full in bundled()})
    starts = [line.split()[0] for line in out.splitlines() if line.startswith("  ") and line[2] != " "]
    assert starts == [one["name"] for one in listed(capsys)]


@pytest.mark.parametrize("folder", [None, "new/folder"])
def test_a_copy_is_a_file_to_edit(
    folder: str | None, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    monkeypatch.chdir(tmp_path)
    more = () if folder is None else ("--to", folder)
    status, out, _ = ask(capsys, "--copy", "DMKB20/example-7-five-voters", *more)
    copy = tmp_path / (folder or "") / "example-7-five-voters.toml"
    assert status == 0
    assert out.splitlines()[-1] == f"Decide it: pkdp check {copy.relative_to(tmp_path)}"
    assert copy.read_bytes() == bundled()["DMKB20/example-7-five-voters"].read_bytes()
    assert pk.read(copy).size == 5
    copy.write_text("mine")
    status, out, err = ask(capsys, "--copy", "example-7-five-voters", *more)
    assert (status, out) == (2, "")
    assert "is there already" in err
    assert copy.read_text() == "mine"
    copy.unlink()
    copy.symlink_to("nowhere")
    assert ask(capsys, "--copy", "example-7-five-voters", *more)[0] == 2, "nor is a link replaced"
