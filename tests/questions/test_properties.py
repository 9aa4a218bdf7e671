"""The commands for properties: answers, JSON, exit statuses, formats."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

import verifier as pk
from verifier.cli.main import run
from verifier.model.library import models_folder

MODELS = models_folder() / "DMKB20" / "reducible"
MEAN = str(MODELS / "proposition-6-quadratic-mean.toml")
KNOWN = str(MODELS / "proposition-6-known-target.toml")
COUNT = """
size = 2
values = [0, 1]
[[distribution]]
iid = "uniform"
[knowledge]
records = [0]
[sensitive]
records = [1]
[mechanism]
kind = "count"
value = 1
"""


def asked(capsys: pytest.CaptureFixture[str], *arguments: str) -> tuple[int, str]:
    with pytest.raises(SystemExit) as stop:
        run(arguments)
    said = capsys.readouterr()
    assert not said.err
    return int(stop.value.code or 0), said.out


def test_formulas(capsys: pytest.CaptureFixture[str], tmp_path: Path) -> None:
    count = tmp_path / "count.toml"
    count.write_text(COUNT)
    assert asked(capsys, "property", "reducible", str(count), "--bijection", "O - M1 + M2")[0] == 0
    status, out = asked(capsys, "property", "reducible", str(count), "--bijection", "O + 1/2", "--json")
    assert status == 1
    assert json.loads(out)["evidence"]["image"] == "1/2"


def test_every_property_of_a_model(capsys: pytest.CaptureFixture[str]) -> None:
    status, out = asked(capsys, "property", MEAN, "--json")
    assert status == 0
    assert [one["property"] for one in json.loads(out)] == list(pk.PROPERTIES)
    assert asked(capsys, "property", KNOWN)[0] == 0
    assert asked(capsys, "property", KNOWN, "--name", "reducible")[0] == 1


@pytest.mark.parametrize(
    ("name", "status", "verdicts"),
    [
        ("algorithm-1", 1, {"k-anonymity": "holds", "strongly-safe": "fails"}),
        ("definition-3.6-copies", 0, {"k-anonymity": "holds", "strongly-safe": "unsupported"}),
        ("one-coin", 3, {"k-anonymity": "unsupported", "strongly-safe": "unsupported"}),
    ],
)
def test_anonymity_is_two_properties_in_one_form(
    name: str, status: int, verdicts: dict[str, str], capsys: pytest.CaptureFixture[str]
) -> None:
    """Together, and each alone: the same object, and the same row of one table."""
    found, out = asked(capsys, "property", "anonymity", name, "--json")
    answers = json.loads(out)
    assert (found, {one["property"]: one["verdict"] for one in answers}) == (status, verdicts)
    table = asked(capsys, "property", "anonymity", name, "--format", "csv")[1].splitlines()
    listed = json.loads(asked(capsys, "property", name, "--json")[1])
    for row, answer in zip(table[1:], answers, strict=True):
        key = answer["property"]
        assert answer in listed
        assert json.loads(asked(capsys, "property", key, name, "--json")[1]) == answer
        assert asked(capsys, "property", key, name, "--format", "csv")[1].splitlines() == [table[0], row]
        assert (answer["witness"] is None) == (answer["verdict"] != "fails")
        assert (answer["evidence"] or {}) == {
            field: answer[field] for field in ("k", "largest", "witness") if answer[field] is not None
        }


def test_all_names_of_the_command_are_those_of_python() -> None:
    from verifier.cli.options import PROPERTIES_BY_NAME

    assert PROPERTIES_BY_NAME[""] == tuple(pk.PROPERTIES)
    assert {key for keys in PROPERTIES_BY_NAME.values() for key in keys} == {*pk.PROPERTIES, "stronger"}


def test_a_family_needs_a_stronger_one_for_each() -> None:
    def family(*chances: str, known: list[int]) -> pk.Model:
        return pk.build(
            size=2,
            values=[0, 1],
            distribution=[{"iid": {0: p, 1: q}} for p, q in (one.split() for one in chances)],
            knowledge={"records": known},
            sensitive={"records": [1]},
            mechanism={"kind": "sum"},
        )

    more = family("1/3 2/3", "1/2 1/2", known=[0])
    assert pk.stronger(more, family("1/2 1/2", known=[])).verdict == "holds"
    assert pk.stronger(more, family("1/2 1/2", "1/4 3/4", known=[])).verdict == "fails"


@pytest.mark.parametrize(
    ("keys", "message"),
    [
        ({"size": 3}, "the same `size` and `values`"),
        ({"sensitive": {"records": [0]}}, "it protects other values"),
    ],
)
def test_models_that_cannot_be_compared(keys: dict[str, Any], message: str) -> None:
    one: dict[str, Any] = {
        "size": 2,
        "values": [0, 1],
        "distribution": {"iid": {0: "1/2", 1: "1/2"}},
        "mechanism": {"kind": "sum"},
    }
    with pytest.raises(pk.InputError, match=message):
        pk.stronger(pk.build(**one), pk.build(**{**one, **keys}))


def test_databases_of_several_sizes_have_no_distribution() -> None:
    """Neither property says `holds` or `vacuous` where there is nothing that it speaks of."""
    sized = pk.read(models_folder() / "LQS12" / "theorem-3.11.toml")
    for found in (pk.reducible(sized), pk.stronger(sized, sized)):
        assert found.verdict == "unsupported"
        assert "about distributions" in (found.reason or "")


def test_one_bijection_needs_two_knowledge_values_of_one_distribution() -> None:
    always = [{"name": str(v), "independent": [{v: 1}, {0: "1/2", 1: "1/2"}]} for v in (0, 1)]
    model = pk.build(
        size=2,
        values=[0, 1],
        distribution=always,
        knowledge={"records": [0]},
        sensitive={"records": [1]},
        mechanism={"kind": "sum"},
    )
    assert pk.reducible(model).verdict == "vacuous"
    assert pk.reducible(model, reading="one-bijection").verdict == "vacuous"


@pytest.mark.sweep(0)
def test_a_limit_of_one_definition_leaves_the_others(capsys: pytest.CaptureFixture[str]) -> None:
    model = str(models_folder() / "referendum" / "three-candidates.toml")
    with pytest.raises(SystemExit) as stop:
        run(["check", model, "--definition", "ibcdp,tail-dp", "--epsilon", "1/10", "--json"])
    found = json.loads(capsys.readouterr().out)["definitions"]
    assert stop.value.code == 3
    assert found[0]["verdict"] == "unsupported"
    assert found[1]["verdict"] in {"holds", "fails"}
