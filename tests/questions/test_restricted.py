"""Every answer about a model with `[sensitive]` says what it is restricted to, in every form; no other does."""

from __future__ import annotations

import json
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

import verifier as pk
from verifier.cli.main import run
from verifier.model.library import models_folder
from verifier.model.model import RecordSecrets
from verifier.show.facts import model_facts
from verifier.show.notebook import loss_html, verdict_html
from verifier.wings.explore.answers import answer_of
from verifier.wings.explore.open_documents import OpenDocuments

pytestmark = pytest.mark.quick


PUBLISHED = models_folder() / "restricted" / "copy-published.toml"
AGREEMENT = models_folder() / "DMKB20" / "example-6-second-normalization.toml"
EVERY = models_folder() / "DMKB20" / "example-4-repaired.toml"
WORDS = "restricted to record 0"


def votes(size: int, **keys: Any) -> pk.Model:
    given: dict[str, Any] = {"distribution": {"iid": {0: "1/2", 1: "1/2"}}, "mechanism": {"kind": "sum"}}
    return pk.build(size=size, values=[0, 1], **given, **keys)


@pytest.mark.parametrize(
    ("records", "shown", "words"),
    [
        ([3], [3], "restricted to record 3"),
        ([1, 3], [1, 3], "restricted to records 1, 3"),
        ([1, 2, 3], [1, 2, 3], "restricted to records 1 to 3"),
        ([3, 1, 2], [3, 1, 2], "restricted to records 3, 1, 2"),
        (range(15), {"from": 0, "to": 14}, "restricted to records 0 to 14"),
        (list(range(0, 28, 2)), list(range(0, 28, 2)), "14 records"),
    ],
)
def test_the_records_that_are_protected(records: Any, shown: object, words: str) -> None:
    model = votes(30)
    answer = pk.check(replace(model, secrets=RecordSecrets(records, model.values)), "np")
    assert answer.to_json()["restricted_to"] == answer.restricted_to == shown
    assert words in str(answer)
    assert words in repr(answer)
    assert answer.restricted_verdict.startswith("fails, restricted to ")


def test_where_every_record_is_protected_nothing_is_said() -> None:
    for model in (votes(2), votes(2, sensitive={"records": [1, 0]}), votes(1, sensitive={"records": [0]})):
        answer = pk.check(model, "np")
        assert "restricted_to" not in answer.to_json()
        assert (answer.restricted_to, answer.restricted_verdict) == (None, "fails")
        assert "restricted" not in str(answer) + repr(answer)


def test_a_function_is_rows() -> None:
    for model in (
        pk.read(AGREEMENT),
        pk.build(
            size=1,
            values=[0, 1],
            distribution={"table": [{"database": [v], "sensitive": v, "probability": "1/2"} for v in (0, 1)]},
            mechanism={"kind": "sum"},
        ),
    ):
        answer = pk.check(model, "np")
        assert answer.to_json()["restricted_to"] == "rows"
        assert ", restricted to the sensitive function" in str(answer)
        assert pk.check(model, "dp").to_json()["restricted_to"] == "rows", "of what does not apply too"


def test_the_notebook_and_the_report_say_it() -> None:
    model = pk.read(PUBLISHED)
    assert f"fails, {WORDS}" in verdict_html(pk.check(model, "np"))
    assert dict(model_facts(model))["protected"] == f"D(0); verdicts about it are {WORDS}"
    assert "restricted" not in dict(model_facts(pk.read(EVERY)))["protected"]
    assert WORDS in loss_html(pk.loss(model))


def test_the_explorer_says_it() -> None:
    document = {"size": 2, "values": [0, 1], "sensitive": {"records": [1]}, "mechanism": {"kind": "sum"},
                "distribution": [{"iid": {"0": "1/2", "1": "1/2"}}]}  # fmt: skip
    found = answer_of(OpenDocuments().open(document), {"definition": "np", "epsilon": "0", "delta": "0"})
    assert found["restriction"] == "restricted to record 1"
    assert found["words"].endswith(" This answer is restricted to record 1.")
    assert ["verdict", "fails, restricted to record 1"] in found["lines"]
    document.pop("sensitive")
    found = answer_of(OpenDocuments().open(document), {"definition": "np", "epsilon": "0", "delta": "0"})
    assert found["restriction"] == ""


THREE = """size = 3
values = [0, 1]
distribution = [ { iid = { 0 = "1/3", 1 = "2/3" } } ]
mechanism = { kind = "linear", weights = [2, 1, 1] }
"""


def test_one_record_of_several_is_asked_about(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    """`--record 1` answers as the file does with `[sensitive] records = [1]`; others than the protected are refused."""
    every, one = tmp_path / "all.toml", tmp_path / "one.toml"
    every.write_text(THREE, encoding="utf-8")
    one.write_text(f"{THREE}sensitive = {{ records = [1] }}\n", encoding="utf-8")
    shown = []
    for asked in ([str(every), "--record", "1"], [str(one)]):
        with pytest.raises(SystemExit):
            run(["check", *asked, "--definition", "np", "--epsilon", "0", "--json"])
        answer = json.loads(capsys.readouterr().out)
        shown.append([answer[key] for key in ("verdict", "tight_delta", "witness", "restricted_to", "replayed")])
    assert shown[0] == shown[1]
    assert shown[0][0] == "fails"
    with pytest.raises(SystemExit) as stop:
        run(["check", str(one), "--record", "0"])
    assert stop.value.code == 2
    assert "record 0 is not protected. Expected record 1" in capsys.readouterr().err
