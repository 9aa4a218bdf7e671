"""Certificate files: honest ones are accepted, every small change and every attack is rejected with its reason."""

from __future__ import annotations

import ast
import json
import os
import re
from pathlib import Path

import pytest
from attack.files import FOLDER, NAMES, RAW, honest, honest_text
from filing import Place, mutants, rejection, shorter

from verifier.checker.files import MAX_BYTES, MAX_MODEL_BYTES, Unreadable, replay_data, replay_file
from verifier.checker.numbers import Rejected
from verifier.checker.shapes import LONGEST, Table, check

SOURCES = sorted(Path(__file__).resolve().parents[2].glob("verifier/checker/*.py"))


@pytest.mark.parametrize("name", NAMES)
def test_the_honest_file_is_accepted(name: str) -> None:
    found = replay_data(honest_text(name).encode(), [FOLDER])
    assert (found.uncompared, found.counted) == ("", "")
    assert found.kind == {"acceptable": "acceptability", "not acceptable": "acceptability", "worst": "worst",
                          "none": "search", "separated": "search"}.get(name, "verdict")  # fmt: skip


@pytest.mark.parametrize(("name", "data", "reason"), RAW, ids=[name for name, _, _ in RAW])
def test_what_is_no_certificate_is_refused_before_any_work(name: str, data: bytes, reason: str) -> None:
    with pytest.raises(Rejected, match=re.escape(reason)):
        replay_data(data, [])
    assert name


def test_the_longest_text_and_the_longest_key() -> None:
    """As many characters as there may be are read, and not one more, in a list of texts too."""
    longest = "k" * LONGEST
    for shape, of in ((str, str), ([str], lambda text: [text]), (Table(str), lambda text: {text: ""})):
        check(of(longest), shape)
        with pytest.raises(Rejected, match=f"has {LONGEST + 1:,} characters, more than {LONGEST:,}"):
            check(of(longest + "k"), shape)


def test_there_is_no_such_file(tmp_path: Path) -> None:
    with pytest.raises(Unreadable, match="cannot be read"):
        replay_file(tmp_path / "nothing.json")
    with pytest.raises(Unreadable, match="cannot be read"):
        replay_file(tmp_path)


# --- the files themselves -----------------------------------------------------------------------------------


def test_pipes_devices_and_folders_are_refused_without_being_opened(tmp_path: Path) -> None:
    os.mkfifo(tmp_path / "pipe.json")
    (tmp_path / "link.json").symlink_to(tmp_path / "pipe.json")
    (tmp_path / "folder.json").mkdir()
    for place in (*(tmp_path / f"{name}.json" for name in ("pipe", "link", "folder")), Path("/dev/zero")):
        with pytest.raises(Unreadable, match="is no regular file"):
            replay_file(place)


def test_a_large_file_is_refused_before_it_is_read(tmp_path: Path) -> None:
    much = "more than 16,777,216 bytes"
    for size, reason in ((MAX_BYTES, "this is no JSON"), (MAX_BYTES + 1, much), (1 << 33, much)):
        with (tmp_path / "large.json").open("wb") as stream:
            stream.truncate(size)
        with pytest.raises(Rejected, match=reason):
            replay_file(tmp_path / "large.json")


def test_a_file_of_the_largest_size_is_read_to_its_end(tmp_path: Path) -> None:
    """Blanks before an honest certificate change nothing; one more is too much."""
    text = honest_text("holds").encode()
    (tmp_path / "table.toml").write_bytes((FOLDER / "table.toml").read_bytes())
    (tmp_path / "large.json").write_bytes(text.rjust(MAX_BYTES))
    assert replay_file(tmp_path / "large.json").uncompared == ""
    (tmp_path / "large.json").write_bytes(text.rjust(MAX_BYTES + 1))
    with pytest.raises(Rejected, match="more than 16,777,216 bytes"):
        replay_file(tmp_path / "large.json")


def certificate_of(name: object) -> bytes:
    return json.dumps({**honest("fails"), "model": name}).encode()


@pytest.mark.parametrize(
    "name",
    ["../table.toml", "a/../table.toml", "./table.toml", "a//table.toml", "/table.toml", "table.toml/", "..", ".", "",
     "C:table.toml", "a\\table.toml", "\0", "a" * 1001],
)  # fmt: skip
def test_a_model_path_that_climbs_is_refused(tmp_path: Path, name: str) -> None:
    (tmp_path / "a").mkdir()
    (tmp_path / "table.toml").write_bytes((FOLDER / "table.toml").read_bytes())
    with pytest.raises(Rejected, match=r"wanted a path without \.\. from"):
        replay_data(certificate_of(name), [tmp_path / "a", tmp_path])


def test_a_link_out_of_the_folder_is_refused(tmp_path: Path) -> None:
    text, inner = (FOLDER / "table.toml").read_bytes(), tmp_path / "inner"
    inner.mkdir()
    (tmp_path / "table.toml").write_bytes(text)
    (inner / "out.toml").symlink_to(tmp_path / "table.toml")
    (inner / "up").symlink_to(tmp_path)
    for name in ("out.toml", "up/table.toml"):
        with pytest.raises(Rejected, match="a link that leaves its folder"):
            replay_data(certificate_of(name), [inner])
    (inner / "own.toml").write_bytes(text)
    (inner / "within.toml").symlink_to(inner / "own.toml")
    assert replay_data(certificate_of("within.toml"), [inner]).model == "within.toml"
    (tmp_path / "other").symlink_to(inner)
    assert replay_data(certificate_of("own.toml"), [tmp_path / "other"]).model == "own.toml"


def test_the_model_with_the_right_hash_is_found(tmp_path: Path) -> None:
    """Another file of the same name, in a folder that comes first, is not it."""
    for place, text in (("a", b"size = 1"), ("b", (FOLDER / "table.toml").read_bytes())):
        (tmp_path / place).mkdir()
        (tmp_path / place / "table.toml").write_bytes(text)
    assert replay_data(certificate_of("table.toml"), [tmp_path / "a", tmp_path / "b"]).uncompared == ""
    with pytest.raises(Rejected, match="has the hash"):
        replay_data(certificate_of("table.toml"), [tmp_path / "a"])


def test_a_model_that_is_a_pipe_or_large_is_refused(tmp_path: Path) -> None:
    os.mkfifo(tmp_path / "table.toml")
    with pytest.raises(Unreadable, match="is no regular file"):
        replay_data(certificate_of("table.toml"), [tmp_path])
    with (tmp_path / "large.toml").open("wb") as stream:
        stream.truncate(MAX_MODEL_BYTES + 1)
    with pytest.raises(Rejected, match="more than 4,194,304 bytes"):
        replay_data(certificate_of("large.toml"), [tmp_path])


# --- every number, every label, every entry -----------------------------------------------------------------

TRUE: dict[str, set[Place]] = {
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


@pytest.mark.sweep(3)
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
            inside = module in {"verifier", "verifier.checker"}
            names |= {f"{module}.{alias.name}" for alias in node.names} if inside else {module}
        elif isinstance(node, ast.Call) and isinstance(node.func, ast.Name):
            assert node.func.id not in {"__import__", "eval", "exec", "compile"}
    parts = {f"verifier.checker.{source.stem}" for source in SOURCES}
    standard = {
        *("__future__", "collections", "contextlib", "dataclasses", "fractions", "functools", "hashlib", "itertools"),
        *("json", "math", "operator", "pathlib", "os", "re", "stat", "sys", "tomllib", "typing", "flint"),
    }
    assert {name for name in names - parts if name.split(".")[0] not in standard} == set()
    assert len(text.splitlines()) <= 900
