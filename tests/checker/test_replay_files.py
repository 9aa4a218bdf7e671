"""Certificate files: honest ones are accepted, every small change and every attack is rejected with its reason."""

from __future__ import annotations

import ast
import json
import os
import random
import re
import shutil
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest
from attack.files import FOLDER, NAMES, RAW, TABLE, honest, honest_text
from filing import Place, certified, leaves, mutants, put, rejection, replayed, shorter, written
from forging import near, respelled

from verifier.checker import Rejected
from verifier.checker.engines.own import refuse_name
from verifier.checker.files import MAX_BYTES, MAX_MODEL_BYTES, Unreadable, replay_data, replay_file
from verifier.checker.shapes import LONGEST, Table, check
from verifier.definitions.registry import ALIASES, DEFINITIONS, OF_DP22, ON_REQUEST
from verifier.model.library import models_folder
from verifier.questions.expect import restricted

SOURCES = sorted(Path(__file__).resolve().parents[2].glob("verifier/checker/**/*.py"))


@pytest.mark.parametrize("name", NAMES)
def test_the_honest_file_is_accepted(name: str) -> None:
    found = replay_data(honest_text(name).encode(), [FOLDER])
    assert (found.uncompared, found.counted) == ("", "")
    assert found.kind == {"acceptable": "acceptability", "not acceptable": "acceptability",
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
    honest_text("fails")  # it writes the models
    (tmp_path / "table.toml").write_bytes((FOLDER / "table.toml").read_bytes())
    with pytest.raises(Rejected, match=r"Expected a path without \.\. from"):
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


@pytest.mark.sweep(8)
@pytest.mark.parametrize("name", NAMES)
def test_every_number_and_label_counts(name: str) -> None:
    accepted = set()
    for place, value, mutant in mutants(honest(name)):
        reason = rejection(mutant, FOLDER)
        assert "malformed" not in (reason or ""), (place, value)
        accepted |= {place} if reason is None else set()
    assert accepted == TRUE.get(name, set())


@pytest.mark.sweep(4)
@pytest.mark.parametrize("name", NAMES)
def test_nothing_can_be_left_out(name: str) -> None:
    accepted = set()
    for place, other in shorter(honest(name)):
        reason = rejection(other, FOLDER)
        assert "malformed" not in (reason or ""), place
        accepted |= {place} if reason is None else set()
    # a model that separates fewer statements separates still
    assert accepted <= {("satisfies", 0)}


# --- other spellings, and values nearby -------------------------------------------------------------------------------


def numbers(name: str) -> Iterator[tuple[Place, str]]:
    """Every text of an honest certificate that looks like a number, with its place; labels too, which are texts."""
    for place, value in leaves(honest(name)):
        if isinstance(value, str) and re.fullmatch(r"-?[0-9]+(/[0-9]+)?|(.*\*)?ln\([0-9/]*\)", value):
            yield place, value


@pytest.mark.parametrize("name", NAMES)
def test_a_number_in_another_spelling_is_refused(name: str) -> None:
    """Numbers of each kind of certificate, in spellings with the same value; drawn by a seed where there are many."""
    one = honest(name)
    every = [(place, value, other) for place, value in numbers(name) for other in respelled(value)]
    drawn = random.Random(name).sample(every, min(len(every), 25))  # noqa: S311
    for place, value, other in drawn:
        reason = rejection(put(one, place, other), FOLDER)
        assert reason is not None, (place, value, other)
        assert "malformed" not in reason
    assert len(every) > 10 or name == "none"  # its numbers are counts


@pytest.mark.parametrize("name", NAMES)
def test_a_nearby_wrong_value_is_refused(name: str) -> None:
    """A number a little larger or smaller, a label that stands elsewhere, an entry moved: each is found out."""
    draw, one = random.Random(f"near {name}"), honest(name)  # noqa: S311
    every = [(place, value) for place, value in leaves(one) if place not in TRUE.get(name, set())]
    pool = sorted({str(value) for _, value in every if isinstance(value, str)})
    for place, value in draw.sample(every, min(len(every), 15)):
        if place[:1] in {("renamed",), ("satisfies",)} or place[-2:-1] == ("parameters",) or place[-1] == "name":
            continue
        other = near(value, pool, draw)
        if other != value and not equivalent(name, place):
            assert rejection(put(one, place, other), FOLDER) is not None, (place, value, other)


def equivalent(name: str, place: Place) -> bool:
    """What may be another value: one comparison of several that are the worst; a larger ε than is enough."""
    if (name, place) == ("simulator holds", ("question", "epsilon")):
        return True
    return place[-1] in {"distribution", "record", "a", "b", "knowledge"} and name in {"average", "sums", "posterior"}


def test_a_certificate_that_comes_with_the_package_is_canonical() -> None:
    folder = models_folder().parent
    found = sorted(
        (folder / "proofs" / "certificates" / "DMKB20").rglob("*.json"), key=lambda path: path.stat().st_size
    )
    assert [replay_file(path, [folder]).model for path in found[:12]].count(None) == 0


def test_terms_stand_in_any_order() -> None:
    certificate = honest("average")
    certificate["answer"]["witness"]["terms"].reverse()
    assert rejection(certificate, FOLDER) is None


@pytest.mark.parametrize("size", [10**12, 10_000_001, [0, 10**12], 10_000_000])
def test_very_many_records_are_refused_at_once(size: int | list[int]) -> None:
    """Nothing is compared, and so a short file names so many; a loop over them would not end."""
    text = """{"format": 1, "kind": "verdict", "model": null, "sha256": null, "part": null, "engine": "schemes",
    "question": {"definition": "adp", "reading": "default", "epsilon": "0", "delta": "0"},
    "answer": {"verdict": "vacuous", "tight_delta": "0", "tight_epsilon": "0", "comparisons": 0, "multiplicity": 0,
               "empty": 0, "witness": null, "tightest": null},
    "values": ["0"], "secrets": [0], "worlds": {}, "mechanism": [], "policy": {}}"""
    certificate = json.loads(text) | {"size": size}
    reason = "there are too many databases" if size == 10_000_000 else "size: a database has at most 10,000,000 records"
    assert rejection(certificate, FOLDER) == reason


PLAIN = [one for one in (*DEFINITIONS.values(), *ON_REQUEST.values()) if not one.own]
NAMES_OF_THE_PAPERS = {name for one in PLAIN for name in (one.key, *one.aliases)} | OF_DP22.keys() | ALIASES.keys()


@pytest.mark.parametrize("name", sorted(NAMES_OF_THE_PAPERS))
def test_laws_that_are_given_never_have_the_name_of_a_definition_of_the_papers(name: str) -> None:
    with pytest.raises(Rejected, match="never from laws that are given"):
        refuse_name(name)


TITLES = {
    "no epsilon": "np holds at some finite ε, δ = 1/20",
    "acceptable": "1 of 2 acceptable",
}


@pytest.mark.parametrize("name", TITLES)
def test_the_title_says_all_that_is_claimed(name: str) -> None:
    assert replayed(honest(name), FOLDER).title == TITLES[name]


def test_the_title_says_for_which_part_of_the_model(tmp_path: Path) -> None:
    second = '[[distribution]]\niid = { 0 = "1/2", 1 = "1/2" }\n[knowledge]'
    text = TABLE.replace('"θ"', '"x) holds"').replace("[knowledge]", second)
    one = written(tmp_path, text.replace("records = [0]", "records = [0, 1]"))
    part = restricted(one, {"distribution": "x) holds", "record": 0})
    certificate = certified(part, tmp_path, "np", epsilon="ln(2)")
    assert replayed(certificate, tmp_path).title == (
        "np fails at ε = ln(2), δ = 0, for record 0 and the distribution 'x) holds'"
    )


# --- the checker itself -----------------------------------------------------------------------------------------


@pytest.mark.parametrize("path", SOURCES, ids=lambda path: path.name)
def test_the_checker_imports_the_standard_library_its_parts_and_balls(path: Path) -> None:
    text = path.read_text(encoding="utf-8")
    names = set[str]()
    root = Path(__file__).resolve().parents[2]
    parts = {".".join(source.relative_to(root).with_suffix("").parts) for source in SOURCES}
    parts |= {part.removesuffix(".__init__") for part in parts}
    for node in ast.walk(ast.parse(text)):
        if isinstance(node, ast.Import):
            names |= {alias.name for alias in node.names}
        elif isinstance(node, ast.ImportFrom):
            assert node.level == 0
            module = node.module or ""
            named = {f"{module}.{alias.name}" for alias in node.names}
            names |= named if module == "verifier" or named <= parts else {module}
        elif isinstance(node, ast.Call) and isinstance(node.func, ast.Name):
            assert node.func.id not in {"__import__", "eval", "exec", "compile"}
    standard = {
        *("__future__", "collections", "contextlib", "dataclasses", "fractions", "functools", "hashlib", "itertools"),
        *("json", "math", "operator", "pathlib", "os", "re", "stat", "sys", "tomllib", "typing", "flint"),
    }
    assert {name for name in names - parts if name.split(".")[0] not in standard} == set()
    assert len(text.splitlines()) <= 900


def test_the_checker_runs_alone(tmp_path: Path) -> None:
    """With its own folder and the standard library: nothing else of the program is there, and no package."""
    shutil.copytree(Path(__file__).resolve().parents[2] / "verifier" / "checker", tmp_path / "verifier" / "checker")
    (tmp_path / "verifier" / "__init__.py").touch()
    (tmp_path / "honest.json").write_text(honest_text("fails"), encoding="utf-8")
    (tmp_path / "table.toml").write_bytes((FOLDER / "table.toml").read_bytes())
    forged = honest("fails")
    forged["answer"]["verdict"] = "holds"
    (tmp_path / "forged.json").write_text(json.dumps(forged), encoding="utf-8")

    def checked(*names: str) -> tuple[int, list[str]]:
        done = subprocess.run(
            [sys.executable, "-S", "-m", "verifier.checker", *names],
            cwd=tmp_path, capture_output=True, text=True, check=False, env={"PYTHONIOENCODING": "utf-8"},
        )  # fmt: skip
        return done.returncode, [*done.stdout.splitlines(), *done.stderr.splitlines()]

    status, (line,) = checked("honest.json")
    assert (status, line.split(": ")[0]) == (0, "accepted honest.json")
    status, lines = checked("honest.json", "forged.json")
    assert (status, lines[1].split(": ")[:2]) == (1, ["rejected forged.json", "verdict"])
    assert checked("nothing.json", "forged.json")[0] == 2
    status, (line,) = checked()
    assert (status, line.split(";")[0]) == (2, "no certificate is named")
