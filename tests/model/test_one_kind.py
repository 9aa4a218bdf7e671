"""A kind of mechanism, or a step, is a declaration and the checker's function: one more is found in every list."""

from __future__ import annotations

from typing import Any

import pytest
from copies import copied, said

KIND = """\
    Kind(
        "distinct",
        "how many values there are",
        "how many different values the records have",
        lambda place: kinds.mechanism(
            "number of different values",
            place.setting,
            kinds.summed(
                (0,) * len(place.domain.values),
                kinds.added_counts,
                lambda _, v: kinds.unit(v, len(place.domain.values)),
                lambda counts: sum(map(bool, counts)),
                ("+",) * len(place.domain.values),
            ),
        ),
        any_size=True,
        asked="",
    ),
"""
STEP = """\
        Kind(
            "half",
            "half of a number",
            "an integer, divided by 2 and rounded down",
            lambda _place, _before, _named: Step(
                "half", lambda output: Law.point(label(int(output.text) // 2)), lambda output: int(output.text), NOISY
            ),
        ),
"""
ADDED = (
    ("model/read_mechanism.py", '    Kind(\n        "histogram",', KIND),
    ("model/steps.py", '        Kind(\n            "geometric-noise",', STEP),
    (
        "checker/mechanisms.py",
        '    "identity": Kind(',
        '    "distinct": Kind(_deterministic(lambda m, d: len(set(d)))),\n',
    ),
    (
        "checker/steps.py",
        '    "rows": (_renamed,',
        '    "half": (lambda step, output: Law({str(int(output) // 2): 1}, 1), frozenset()),\n',
    ),
)
LOOKS = """
import json
import verifier as pk
from verifier.cli.new import file_of, finished
from verifier.checker.answers import checked
from verifier.checker.models import Model
from verifier.model.read_mechanism import KINDS
from model_schema import schema_text
from verifier.model.steps import STEPS
from format_tables import TABLES
from verifier.wings.explore.mechanism_forms import first_keys, kinds_json
import strategies
text = file_of(finished(["0, 1", "3", "", "", "distinct"]))
text = text.replace('kind = "distinct"', 'kind = "distinct"\\nthen = [ { kind = "half" } ]')
model = pk.loads(text)
answer = pk.check(model, "np", replay=False)
sampled = pk.build(size=(0, 2), values=[0, 1], mechanism={"kind": "distinct", "sample": "1/2"})
try:
    pk.build(size=2, values=[0, 1], mechanism={"kind": "mode", "sample": "1/2"})
except pk.InputError as error:
    refusal = str(error)
document = {"document": {"values": [0, 1], "size": 2}}
print(json.dumps({
    "outputs": [o.text for o in model.mechanism.listed_outputs],
    "checker": checked(answer.to_json(), Model(text)).word,
    "FORMAT.md": ["`distinct`" in TABLES["kinds"](), "`half`" in TABLES["steps"]()],
    "sampled": len(sampled.mechanism.law((0,)).outcomes),
    "may be sampled": refusal.count("distinct"),
    "schema": ['"distinct"' in schema_text(), '"half"' in schema_text()],
    "explorer": ["distinct" in kinds_json(KINDS), "half" in kinds_json(STEPS)],
    "explorer begins": [first_keys({**document, "kind": kind}) for kind in ("distinct",)],
    "random models": "distinct" in strategies.NAMED,
}, default=str))
"""


@pytest.fixture(scope="module")
def found(tmp_path_factory: pytest.TempPathFactory) -> dict[str, Any]:
    """What a copy of the package says that has the kind and the step."""
    return said(copied(tmp_path_factory.mktemp("copy"), *ADDED), LOOKS)


@pytest.mark.parametrize(
    ("where", "what"),
    [
        ("outputs", ["0", "1"]),
        ("checker", "confirmed"),
        ("FORMAT.md", [True, True]),
        ("sampled", 2),
        ("may be sampled", 1),
        ("schema", [True, True]),
        ("explorer", [True, True]),
        ("explorer begins", [{"keys": {}}]),
        ("random models", True),
    ],
)
def test_a_kind_and_a_step_are_found_by_their_declaration(found: dict[str, Any], where: str, what: object) -> None:
    """`pkdp new` writes the file that is decided here, and the checker decides it again."""
    assert found[where] == what
