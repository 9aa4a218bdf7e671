"""`pkdp check`, `loss`, `acceptable` and `report` on model files with [parameters]: formats, exit status, refusals."""

from __future__ import annotations

import json
import re
from pathlib import Path
from typing import Any

import pytest
from asking import ask
from policy_families import WARD

from verifier.definitions import DEFINITIONS
from verifier.definitions.atlas import atlas
from verifier.definitions.registry import ALIASES
from verifier.model.library import models_folder
from verifier.model.parameters import Family
from verifier.model.read import read_any
from verifier.wings.families.decide import decide_family
from verifier.wings.families.domain import inner_value

ASKED = ("--epsilon", "ln(2)", "--delta", "1/10")

COIN = """
title = "coin"
size = 2
values = [0, 1]
[parameters]
p = { from = "0", to = "1/2" }
[[distribution]]
iid = { 0 = "1 - p", 1 = "p" }
[knowledge]
records = [0]
[mechanism]
kind = "parity"
value = 1
then = [ { kind = "randomized-response", keep = "1/2" } ]
"""


@pytest.fixture
def coin(tmp_path: Path) -> str:
    path = tmp_path / "coin.toml"
    path.write_text(COIN, encoding="utf-8")
    return str(path)


def answer(capsys: pytest.CaptureFixture[str], *arguments: str) -> tuple[int, Any]:
    status, out, err = ask(capsys, *arguments, "--json")
    assert not err
    return status, json.loads(out)


# --- check ---


def test_the_passport(capsys: pytest.CaptureFixture[str], coin: str) -> None:
    status, found = answer(capsys, "check", coin, *ASKED)
    assert status == 0, "a passport that was computed"
    assert list(found) == ["schema", "version", "model", "sha256", "definitions"]
    names = [one["definition"] for one in found["definitions"]]
    assert names == [key for key, one in DEFINITIONS.items() if not one.changes_size]
    assert {one["verdict"] for one in found["definitions"]} >= {"fails", "unsupported"}


@pytest.mark.parametrize(
    ("named", "said"), [("", "At p = 1/3: Given no knowledge, "), ('name = "a poll"', 'At p = 1/3: In "a poll", given')]
)
def test_a_witness_names_a_distribution_as_the_file_does(
    capsys: pytest.CaptureFixture[str], tmp_path: Path, named: str, said: str
) -> None:
    text = 'size = 1\nvalues = [0, 1]\n[parameters]\np = { from = "0", to = "1/2" }\n[[distribution]]\n'
    text += f'{named}\niid = {{ 0 = "1/2", 1 = "1/2" }}\n[mechanism]\nkind = "sum"\n'
    text += 'then = [ { kind = "randomized-response", keep = "p" } ]\n'
    path = tmp_path / "poll.toml"
    path.write_text(text, encoding="utf-8")
    _, out, _ = ask(capsys, "check", str(path), "--definition", "np", "--epsilon", "1/10")
    (witness,) = [line for line in out.splitlines() if line.startswith("At p = ")]
    assert witness.startswith(said), witness


# --- --set ---


NOISY = """
size = 2
values = [0, 1]
[parameters]
c = { from = "1/2", below = "1" }
[[distribution]]
network = [
  { record = 0, table = { 0 = "1/2", 1 = "1/2" } },
  { record = 1, given = [0], rows = [
    { when = [0], table = { 0 = "c", 1 = "1 - c" } }, { when = [1], table = { 0 = "1 - c", 1 = "c" } } ] },
]
[mechanism]
kind = "sum"
then = [ { kind = "geometric-noise", p = "1/2" } ]
"""
TWO = NOISY.replace('p = "1/2" }', 'p = "q" }').replace("[[dist", 'q = { above = "0", below = "1" }\n[[dist')


@pytest.mark.parametrize(
    "command",
    [("check",), ("check", "--definition", "np"), ("check", "--atlas"), ("loss",), ("acceptable",), ("report",)],
)
def test_one_parameter_may_be_free(
    capsys: pytest.CaptureFixture[str], tmp_path: Path, command: tuple[str, ...]
) -> None:
    path, pages = tmp_path / "noisy.toml", tmp_path / "pages"
    path.write_text(TWO, encoding="utf-8")
    rest = (*command[1:], *(("--output", str(pages)) if command == ("report",) else ()))
    status, out, err = ask(capsys, command[0], str(path), *rest)
    assert (status, out, pages.exists()) == (2, "", False)
    expected = "2 parameters are free: c, q. Expected one free parameter. Hint: fix all but one: --set q=1/7."
    assert err == f"pkdp: {path}: {expected}\n"
    assert ask(capsys, command[0], str(path), *rest, "--set", "q=1/7")[0] in {0, 1}
    assert ask(capsys, command[0], str(path), *rest, "--set", "c=4/7")[0] in {0, 1}


# --- the atlas, report ---


def test_the_atlas_of_a_family(capsys: pytest.CaptureFixture[str], tmp_path: Path) -> None:
    """Each of DP22's definitions has its answer, the one that it has alone."""
    ward = tmp_path / "ward.toml"
    ward.write_text(WARD, encoding="utf-8")
    status, found = answer(capsys, "check", str(ward), "--atlas", *ASKED)
    answers = found["atlas"]
    assert status == 0
    assert [one["key"] for one in answers] == list(atlas)
    members = read_any(ward)
    assert isinstance(members, Family)
    for one in answers:
        definition = atlas[one["key"]]
        assert one["definition"] == ALIASES.get(one["key"], (one["key"], ""))[0]
        assert one["dimensions"] == atlas.dimensions(one["key"])
        assert (one["verdict"] == "unsupported") == bool(one["reason"])
        if one["key"] in {"osdp", "taidp", "adp", "npr", "klpr"}:
            alone = decide_family(members, definition, epsilon="ln(2)", delta="1/10" if definition.has_delta else 0)
            expected = alone.to_json()
            assert {name: one[name] for name in expected} == expected


def test_report(capsys: pytest.CaptureFixture[str], coin: str, tmp_path: Path) -> None:
    other = tmp_path / "other" / "coin.toml"
    other.parent.mkdir()
    other.write_text(COIN.replace('title = "coin"', 'title = "another coin"'), encoding="utf-8")
    folder = tmp_path / "pages"
    status, out, _ = ask(capsys, "report", coin, str(other), "--output", str(folder))
    assert status == 0
    pages = [Path(line.removeprefix("wrote ")) for line in out.splitlines()]
    assert [page.name for page in pages] == ["coin.html", "coin-2.html"], "the second does not replace the first"
    texts = [page.read_text("utf-8") for page in pages]
    assert ["<h1>coin</h1>" in texts[0], "<h1>another coin</h1>" in texts[1]] == [True, True]
    for text in texts:
        assert "<svg" in text
        assert not re.search(r"(src|href)=\"(https?:|/)", text), "self-contained"


def test_noise_with_the_other_parameter_fixed(capsys: pytest.CaptureFixture[str], tmp_path: Path) -> None:
    path = tmp_path / "noisy.toml"
    path.write_text(TWO, encoding="utf-8")
    status, found = answer(capsys, "check", str(path), "--definition", "np", *ASKED, "--set", "q=1/2")
    assert (status, found["where"]["holds"], found["fixed"]) == (1, ["1/2 <= c <= 13/20"], {"q": "1/2"})
    sets = ("--set", "q=1/2", "--set", f"c={found['witness']['c']}")
    status, there = answer(capsys, "check", str(path), "--definition", "np", *ASKED, *sets)
    assert (status, there["tight_delta"]) == (1, found["witness"]["answer"]["tight_delta"])


# --- programs with a parameter ---

ABOVE_ONE = """
size = 1
values = [0, 1]
[parameters]
x = { above = "1" }
[mechanism]
program = '''
def m(db, rng):
    return DRAWN
'''
"""
COUNT = """
size = 1
values = [0, 1]
[parameters]
z = { above = "0", below = "1" }
[mechanism]
program = '''
def m(db, rng):
    return db[0] + rng.geometric_noise(z**2)
'''
"""


@pytest.mark.parametrize(
    ("drawn", "epsilon", "holds"),
    [
        ("rng.flip(1/x if db[0] else 1/2)", "ln(2)", "4/3 <= x <= 4"),
        ("rng.flip(1/(x + 1) if db[0] else 1/2)", "ln(2)", "1 < x <= 3"),
        ("rng.exponential_mechanism([db[0], 1 - db[0]], x)", "2*ln(x)", "1 < x"),
        ("rng.choice({0: 1/(2*x), 1: 1 - 1/(2*x)})", "0", "1 < x"),
    ],
)
def test_a_parameter_of_a_program_is_no_probability_itself(
    capsys: pytest.CaptureFixture[str], tmp_path: Path, drawn: str, epsilon: str, holds: str
) -> None:
    """A number above 1, of which the program makes a probability; a probability above 1 is refused with its place."""
    path = tmp_path / "above.toml"
    path.write_text(ABOVE_ONE.replace("DRAWN", drawn), encoding="utf-8")
    status, out, _ = ask(capsys, "check", str(path), "--definition", "dp", "--epsilon", epsilon)
    assert (status, f"│ {holds} │" in " ".join(out.split())) == (0 if holds == "1 < x" else 1, True)
    path.write_text(ABOVE_ONE.replace("DRAWN", "rng.flip(x)"), encoding="utf-8")
    status, out, said = ask(capsys, "check", str(path), "--definition", "dp")
    place = f"{path}: [mechanism], program, line 2, column 12"
    assert (status, out) == (2, "")
    assert said == f"pkdp: {place}: x is not a probability at x = 2. Expected at most 1 for 1 < x.\n"


@pytest.mark.parametrize(
    ("typed", "read"),
    [
        (("--epsilon", "2*ln(1/z)"), ("ln(4)", "0", "holds")),
        (("--epsilon", "1/2*ln(1/z)"), ("1/2*ln(2)", "0", "fails")),
        (("--epsilon", "ln(2)"), ("ln(2)", "0", "fails")),
        (("--epsilon", "z", "--delta", "1 - z"), ("1/2", "1/2", "holds")),
        (("--epsilon", "inf", "--delta", "(1 - z)/2"), ("inf", "1/4", "holds")),
    ],
)
def test_an_epsilon_names_what_is_set(
    capsys: pytest.CaptureFixture[str], tmp_path: Path, typed: tuple[str, ...], read: tuple[str, ...]
) -> None:
    """And the checker decides the answer again with the same value."""
    path, answers = tmp_path / "count.toml", tmp_path / "answers.json"
    path.write_text(COUNT, encoding="utf-8")
    _, found = answer(capsys, "check", str(path), "--definition", "dp", *typed, "--set", "z=1/2")
    assert (found["epsilon"], found["delta"], found["verdict"], found["replayed"]) == (*read, True)
    answers.write_text(json.dumps(found), encoding="utf-8")
    assert ask(capsys, "verify", str(answers), "--set", "z=1/2")[0] == 0
    runs = ask(capsys, "compose", str(path), "--times", "2", "--epsilon", "4*ln(1/z)", "--set", "z=1/2")
    assert "ln(16)" in runs[1]


def test_an_epsilon_that_divides_by_zero_names_its_place(capsys: pytest.CaptureFixture[str], coin: str) -> None:
    said = ask(capsys, "check", coin, "--definition", "np", "--epsilon", "ln(1/(p - 1/3))", "--set", "p=1/3")
    assert said == (2, "", "pkdp: --epsilon: the expression 1/(p - 1/3) divides by 0 at p = 1/3.\n")


# --- neighbours ---


@pytest.mark.parametrize("name", ["randomized-response", "geometric-noise", "two-patients"])
def test_an_answer_about_a_family_names_the_neighbours_of_the_answer_about_a_model(
    capsys: pytest.CaptureFixture[str], name: str
) -> None:
    family = read_any(models_folder() / "family" / f"{name}.toml")
    assert isinstance(family, Family)
    named = set()
    for definition in DEFINITIONS.values():
        symbolic = decide_family(family, definition)
        if not symbolic.reason:
            there = symbolic.at(definition, inner_value(family))
            assert symbolic.relation == there.relation, definition.key
            named.add(getattr(there.relation, "name", None))
            assert symbolic.fields()["relation"] == there.fields()["relation"]
    assert named >= {None, "change"}
    status, out, err = ask(capsys, "check", str(family.location.file), "--definition", "dp")
    assert (status in {0, 1}, err) == (True, "")
    assert "when one record is replaced (replace one: bounded, REPLACE_ONE, change-one)" in " ".join(
        out.split("┏")[0].split()
    )
    assert "dp, δ = 0, when one record is replaced: " in str(decide_family(family, "dp"))
