"""Model files as documents and back, and the path of every refusal."""

from __future__ import annotations

import json
import socket
from collections.abc import Mapping
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from refuse.registry import ENTRIES, Bad

import verifier as pk
from verifier.cli.main import run
from verifier.errors import Where
from verifier.model.document import document_of, tables_from
from verifier.model.keys import Location
from verifier.model.library import models_folder
from verifier.model.read import build_tables, tables_of
from verifier.model.write import toml_text
from verifier.wings.explore.problems import path_in, problem

FILES = sorted(models_folder().rglob("*.toml"))


def typed(given: Any) -> Any:
    """With the types: 0 is not False here."""
    if isinstance(given, Mapping):
        return {key: typed(one) for key, one in given.items()}
    if isinstance(given, list):
        return [typed(one) for one in given]
    return "text" if isinstance(given, str) else type(given), given


@pytest.mark.sweep(3)
@pytest.mark.parametrize("path", FILES, ids=lambda path: path.stem)
def test_every_model_file_is_written_as_it_was_read(path: Path) -> None:
    """The reader looks at these tables alone, so that equal tables are one model."""
    text = path.read_text(encoding="utf-8")
    tables = tables_of(text)
    again = tables_of(toml_text(tables))
    assert typed(again) == typed(tables)
    assert list(again.get("distribution", [])) == list(tables.get("distribution", []))
    document = json.loads(json.dumps(document_of(text)))
    assert typed(tables_of(toml_text(tables_from(document)))) == typed(tables)


KEYS = st.text(max_size=6)
PLAIN = st.one_of(st.booleans(), st.integers(-(2**53), 2**53), st.text(max_size=12))
TREES = st.recursive(
    PLAIN, lambda part: st.lists(part, max_size=4) | st.dictionaries(KEYS, part, max_size=4), max_leaves=12
)


@settings(max_examples=24)
@given(st.dictionaries(KEYS, TREES, min_size=1, max_size=4))
def test_any_tables_are_written_as_they_are(tables: dict[str, Any]) -> None:
    assert typed(tables_of(toml_text(tables))) == typed(tables)


CHECKED = [
    one
    for one in ENTRIES
    if one.arguments[0] == "check" and isinstance(one.model, str) and one.status == 2 and "«" not in one.model
]


def _wrong(entry: Bad) -> tuple[dict[str, Any], dict[str, Any]] | None:
    """The tables of a file that is TOML but no model, and the problem; None where it is neither."""
    try:
        tables = tables_of(str(entry.model))
    except pk.PkdpError:
        return None
    if "parameters" in tables or "conditions" in tables:
        return None
    try:
        build_tables(tables, Location(""), path="", sha256="", text="")
    except pk.PkdpError as error:
        return tables, {**problem(error, tables), "raw": error.path}
    return None


def test_every_refusal_of_a_file_has_the_path_of_its_place() -> None:
    """Each word of the place that names a key is in the path, and the path leads somewhere."""
    seen = 0
    for entry in CHECKED:
        found = _wrong(entry)
        if found is None:
            continue
        tables, told = found
        assert told["raw"] is not None, entry.name
        seen += 1
        if not told["where"]:
            continue
        assert told["path"], (entry.name, told)
        here: Any = tables
        for key in told["path"][:-1]:
            here = here[key]
        words = told["where"].replace("[", "").replace("]", "").split(", ")
        first = words[0].split(" ")[0]
        assert str(told["path"][0]) == first, (entry.name, told)
        for word in words[1:]:
            if word in {"probability", "database", "outputs", "then", "keep", "p", "above", "k", "records", "weights"}:
                assert any(str(key) == word for key in told["raw"]), (entry.name, told)
    assert seen > 100


def test_a_path_is_as_the_document_has_it() -> None:
    document = {"distribution": {"rows": [{"a": 1}]}, "mechanism": {"kind": "sum"}}
    assert path_in(document, ("distribution", 0, "table", 0, "a")) == ["distribution", "rows", 0, "a"]
    assert path_in(document, ("mechanism", "value")) == ["mechanism", "value"]
    assert path_in(document, ("mechanism", "then", 0, "kind")) == ["mechanism", "then"]
    assert path_in(document, ()) is None
    assert Where("x", ("a", 1)) == "x"


# --- the command ---------------------------------------------------------------------------------------------


def test_a_port_that_is_taken_is_refused(capsys: pytest.CaptureFixture[str]) -> None:
    with socket.socket() as taken:
        taken.bind(("127.0.0.1", 0))
        taken.listen()
        port = taken.getsockname()[1]
        with pytest.raises(SystemExit) as stop:
            run(["explore", "--no-open", "--port", str(port)])
    said = capsys.readouterr()
    assert (stop.value.code, said.out) == (2, "")
    assert f"--port: the port {port} is in use. Expected a free port. Hint:" in said.err


def test_a_file_that_is_none_is_refused(capsys: pytest.CaptureFixture[str], tmp_path: Path) -> None:
    (tmp_path / "bad.toml").write_text("size = [")
    for name in ("bad.toml", "absent.toml"):
        with pytest.raises(SystemExit) as stop:
            run(["explore", "--no-open", str(tmp_path / name)])
        assert (stop.value.code, capsys.readouterr().err.count("\n")) == (2, 1)
