"""`pkdp check MODEL --atlas`, and `pk.atlas`."""

import json
import tomllib
from collections import Counter
from pathlib import Path

import pytest

import verifier as pk
from verifier.cli.main import run
from verifier.definitions.atlas import ALIASES, DIMENSIONS
from verifier.model.library import models_folder
from verifier.questions.atlas import atlas_of
from verifier.show.answers import verdict_sheet
from verifier.show.atlas import atlas_sheets

MODEL = """
size = 1
values = [0, 1]
[mechanism]
kind = "randomized-response"
keep = "1/2"
[policy]
order = 2
sensitive = [0]
"""


@pytest.fixture
def file(tmp_path: Path) -> str:
    path = tmp_path / "coin.toml"
    path.write_text(MODEL, encoding="utf-8")
    return str(path)


def status(*arguments: str) -> object:
    with pytest.raises(SystemExit) as ended:
        run(list(arguments))
    return ended.value.code


def output(capsys: pytest.CaptureFixture[str], *arguments: str) -> str:
    assert status(*arguments) == 0
    return capsys.readouterr().out


def test_every_definition_stands_under_its_dimensions(file: str, capsys: pytest.CaptureFixture[str]) -> None:
    answer = json.loads(output(capsys, "check", file, "--atlas", "--json"))
    listed = {entry["key"]: entry for entry in answer["atlas"]}
    assert list(listed) == list(pk.atlas)
    assert listed["renyidp"]["tight_epsilon"] == "ln(7/3)"
    assert listed["renyidp"]["dimensions"] == "Q"
    assert listed["bodp"]["definition"] == "dp"
    assert listed["osdp"]["verdict"] == "holds"
    assert listed["npr"]["verdict"] == "unsupported"
    assert "[[distribution]]" in listed["npr"]["reason"]
    assert all(entry["reason"] for entry in listed.values() if entry["verdict"] == "unsupported")


def test_the_smallest_delta_is_that_at_the_epsilon_asked_or_at_0() -> None:
    """Each as the definition alone is asked; none of a definition without a δ."""
    model = pk.read(models_folder() / "atlas" / "near-copies.toml")
    for epsilon in (None, "1/10"):
        for entry in atlas_of(model, epsilon=epsilon, replay=False):
            definition = pk.atlas[entry.key]
            if entry.verdict.verdict in {"holds", "fails"} and definition.has_epsilon and definition.has_delta:
                asked = pk.check(model, definition, epsilon=epsilon or 0, replay=False)
                assert (entry.delta, entry.key) == (asked.tight_delta, entry.key)
            else:
                assert entry.delta is None or entry.verdict.verdict == "vacuous", entry.key


def test_what_some_epsilon_always_satisfies_is_said() -> None:
    model = pk.loads(MODEL + '[[distribution]]\nname = "fair"\niid = { 0 = "1/2", 1 = "1/2" }\n')
    notes = " ".join(str(note) for sheet in atlas_sheets(model, atlas_of(model)) for note in sheet.notes)
    assert "advpr: some finite ε is enough for every mechanism" in notes
    assert "zcodp: ε stands for ρ." in notes
    assert "pkdp examples --copy tour" in notes


@pytest.mark.parametrize("key", ["fdp", "consdp", "sempr", "wfdp", "pfpr"])
def test_an_answer_that_misses_a_field_has_lines_to_copy(key: str) -> None:
    """They are TOML; first values for this very model let it be asked, where it has some."""
    text = MODEL + '[[distribution]]\nname = "fair"\niid = { 0 = "1/2", 1 = "1/2" }\n'
    rows = verdict_sheet(pk.check(pk.loads(text), key)).rows
    start = [name for name, _ in rows].index("to copy")
    end = next(k for k in range(start + 1, len(rows)) if rows[k][0])
    *lines, last = [str(words) for _, words in rows[start:end]]
    given = tomllib.loads("\n".join(lines))["policy"]
    assert last.endswith(".")
    if "first values" in last:
        policy = "\n".join(line for line in lines if line != "[policy]")
        asked = pk.check(pk.loads(text.replace("[policy]\n", f"[policy]\n{policy}\n")), key, replay=False)
        assert asked.verdict in {"holds", "fails", "vacuous"}, asked.reason
    assert given


def test_a_definition_without_a_delta_is_asked_at_0() -> None:
    entries = {entry.key: entry for entry in atlas_of(pk.loads(MODEL), epsilon="ln(3)", delta="1/10")}
    assert entries["adp"].verdict.delta == pk.check(pk.loads(MODEL), "adp", delta="1/10").delta
    assert entries["dp-any"].verdict.delta == 0
    assert entries["dp-any"].verdict.verdict == "holds"


def test_a_definition_without_an_epsilon_is_asked_without_it() -> None:
    text = MODEL + 'tradeoff = [["0", "3/4"], ["1/4", "1/4"], ["3/4", "0"], ["1", "0"]]\n'
    entries = {entry.key: entry.verdict for entry in atlas_of(pk.loads(text), epsilon="ln(3)")}
    assert (entries["fdp"].verdict, entries["fdp"].epsilon, entries["fdp"].tight_epsilon) == ("holds", None, None)


def test_the_atlas_is_a_mapping() -> None:
    assert pk.atlas["renyidp"].title == "Rényi differential privacy"
    assert pk.atlas["npr"] is pk.np
    assert "renyidp" in pk.atlas
    assert "nonsense" not in pk.atlas
    with pytest.raises(pk.InputError, match="nonsense"):
        pk.atlas["nonsense"]
    assert len(pk.atlas) == len(set(pk.atlas)) > 85
    assert set("".join(pk.atlas.dimensions(key) for key in pk.atlas)) == set(DIMENSIONS) - {""}
    assert set(ALIASES) <= set(pk.atlas)


def test_readings_are_said() -> None:
    assert set(pk.atlas["dlpr-rot"].readings) == {"default", "without-replacement"}


IN_TABLE_3 = {
    "Q": 14, "N": 20, "V": 6, "B": 2, "F": 3, "R": 1, "C": 2, "NV": 3, "QV": 3, "QNV": 4, "QB": 3, "NB": 2, "QNB": 4,
    "NVB": 1, "QNVB": 1, "QF": 4, "BF": 4, "QBF": 1, "NBF": 1, "QR": 2, "NBR": 1, "QNBFR": 2, "QVR": 1, "RC": 1,
    "NVC": 2,
}  # fmt: skip
"""How many definitions DP22's Table 3 lists under each combination of dimensions, counted on the page."""
OF_THE_TEXT = {"dp-any": "", "attdp": "N", "bitdp": "N", "ibcdp": "BF", "distdp": "BR"}
"""Definitions that DP22 has in its text alone."""


def test_the_dimensions_are_those_of_table_3() -> None:
    assert {key: pk.atlas.dimensions(key) for key in OF_THE_TEXT} == OF_THE_TEXT
    assert Counter(pk.atlas.dimensions(key) for key in pk.atlas if key not in OF_THE_TEXT) == IN_TABLE_3
    assert sum(IN_TABLE_3.values()) == 88
