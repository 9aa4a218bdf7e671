"""Functions of the page's scripts that need no browser, run by node; and what the page's first file says."""

from __future__ import annotations

import copy
import json
import re
import subprocess
from itertools import product
from pathlib import Path
from shutil import which
from typing import Any

import pytest
from exploring import small

from verifier.wings import explore
from verifier.wings.explore.routes import Session, example

STATIC = Path(explore.__file__).parent / "static"
RUN = Path(__file__).parents[2] / "helpers" / "page_script.mjs"
SCRIPTS = "".join(path.read_text(encoding="utf-8") for path in STATIC.glob("*.js"))


def run(file: str, *calls: list[Any]) -> list[dict[str, Any]]:
    """What functions of one script give."""
    if which("node") is None:
        pytest.skip("node is not installed: it runs the page's scripts (Debian: apt install nodejs)")
    done = subprocess.run(
        ["node", str(RUN), str(STATIC), file], input=json.dumps(calls), capture_output=True, text=True, check=False
    )
    assert done.returncode == 0, done.stderr[-2000:]
    return list(json.loads(done.stdout))


def renamed(document: Any, names: dict[str, Any]) -> tuple[int, Any]:
    """The number of places, and the document with other names for its values, as the page makes it."""
    (found,) = run("rename.js", ["renamed", document, {"map": list(names.items())}])
    after = found["given"][0]
    return found["gives"], {**after, "values": [names.get(str(one), one) for one in document["values"]]}


def test_a_list_of_values_is_a_renaming_where_each_keeps_its_place() -> None:
    cases: dict[tuple[str, str], Any] = {
        ("no yes", "nein ja"): [["no", "nein"], ["yes", "ja"]],
        ("no yes", "no ja"): [["yes", "ja"]],
        ("no yes", "yes no"): None,
        ("no yes", "nein no"): None,
        ("no yes", "no yes maybe"): None,
        ("no yes maybe", "no yes"): None,
        ("no yes", "no yes"): None,
        ("no yes", "ja ja"): None,
    }
    found = run("rename.js", *(["renaming", before.split(), after.split()] for before, after in cases))
    assert [one["gives"] for one in found] == list(cases.values())
    (numbers,) = run("rename.js", ["renaming", [0, 1], ["none", 1]])
    assert numbers["gives"] == [["0", "none"]]


SHAPES: dict[str, Any] = {
    "iid": {"iid": {"no": "1/3", "yes": "2/3"}},
    "independent": {"independent": [{"no": "1/3", "yes": "2/3"}, {"no": "1/4", "yes": "3/4"}]},
    "table": {"table": [{"database": list(d), "probability": p} for d, p in zip(
        product(("no", "yes"), repeat=2), ("1/3", "1/6", "1/12", "5/12"), strict=True)]},
    "network": {"network": [{"record": 0, "table": {"no": "1/3", "yes": "2/3"}}, {"record": 1, "given": [0], "rows": [
        {"when": ["no"], "table": {"no": "1/4", "yes": "3/4"}}, {"when": ["yes"], "table": {"no": "1/2", "yes": "1/2"}},
    ]}]},
    "mixture": {"mixture": [{"weight": "1/3", "iid": {"no": "1/3", "yes": "2/3"}},
        {"weight": "2/3", "iid": {"yes": "1"}}]},
    "chain": {"chain": {"start": {"no": "1/3", "yes": "2/3"}, "step": {"no": "uniform", "yes": {"yes": "1"}}}},
    "counts": {"counts": {"value": "yes", "table": {"0": "1/2", "1": "1/3", "2": "1/6"}}},
}  # fmt: skip
MECHANISMS: dict[str, Any] = {
    "count": {"kind": "count", "value": "yes"},
    "histogram": {"kind": "histogram", "values": ["yes"]},
    "parts": {"kind": "all", "of": [{"kind": "parity", "value": "no"}, {"kind": "part", "records": [1], "of": {
        "kind": "count", "value": "yes"}}]},
    "table": {"table": [{"database": list(d), "outputs": {"yes": "1/3", "no": "2/3"} if d[0] == "no" else {"yes": "1"}}
              for d in product(("no", "yes"), repeat=2)]},
}  # fmt: skip


@pytest.mark.parametrize("mechanism", MECHANISMS)
@pytest.mark.parametrize("shape", SHAPES)
def test_a_renamed_model_has_the_same_answers(shape: str, mechanism: str) -> None:
    """Only the names of values change; outputs keep theirs, also where they look like a value."""
    document = {"size": 2, "values": ["no", "yes"], "distribution": [SHAPES[shape]], "mechanism": MECHANISMS[mechanism],
                "knowledge": {"records": [0], "kind": "records"}}  # fmt: skip
    places, other = renamed(copy.deepcopy(document), {"no": "nein", "yes": "ja"})
    assert places >= 2
    session = Session()
    numbers = [
        [
            [row[key] for key in ("key", "verdict", "smallest_epsilon", "delta_at_epsilon", "comparisons")]
            for row in session.post("passport", {"document": one, "epsilon": "ln(3/2)"})["rows"]
        ]
        for one in (document, other)
    ]
    assert numbers[0] == numbers[1]
    if mechanism == "table":
        assert {output for row in other["mechanism"]["table"] for output in row["outputs"]} == {"yes", "no"}


def test_a_column_of_the_worlds_is_no_value_of_a_record() -> None:
    document = small()
    places, other = renamed(copy.deepcopy(document), {"0": "zero"})
    assert places == 8  # of four worlds, and of four databases of the mechanism
    assert [row["knowledge"] for row in other["distribution"][0]["table"]] == ["x", "x", "y", "x"]
    assert "problems" not in Session().post("passport", {"document": other})


def test_a_renamed_example_is_a_model() -> None:
    session = Session()
    for name in ("DMKB20/example-7-five-voters", "DMKB20/example-4-repaired", "LQS12/algorithm-1"):
        document = example(name)["document"]
        names = {str(one): f"{one}!" for one in document["values"]}
        _, other = renamed(copy.deepcopy(document), names)
        found = [session.post("passport", {"document": one})["rows"] for one in (document, other)]
        assert [row["verdict"] for row in found[0]] == [row["verdict"] for row in found[1]]


# --- what the page says -------------------------------------------------------------------------------------------


def test_the_page_says_what_to_do_where_its_scripts_do_not_run() -> None:
    """Opened as a file, or with scripts turned off: the words are in the file itself."""
    text = (STATIC / "index.html").read_text(encoding="utf-8")
    words = text.partition('<div id="unstarted">')[2].partition("</div>")[0]
    assert "pkdp explore" in words
    assert "http.server" in words
    assert '$("unstarted").remove()' in (STATIC / "main.js").read_text(encoding="utf-8")


def test_each_step_of_the_page_has_its_number_once() -> None:
    numbers = re.findall(r"[\"`](\d) · ", SCRIPTS)
    assert sorted(numbers) == ["1", "2", "3"]


def test_a_new_model_is_a_model() -> None:
    if which("node") is None:
        pytest.skip("node is not installed: it runs the page's scripts (Debian: apt install nodejs)")
    script = (STATIC / "first.js").read_text(encoding="utf-8").replace("export const", "const")
    done = subprocess.run(
        ["node", "-e", f"{script}\nconsole.log(JSON.stringify(BLANK));"], capture_output=True, text=True, check=True
    )
    rows = Session().post("passport", {"document": json.loads(done.stdout)})["rows"]
    assert {row["verdict"] for row in rows} <= {"holds", "fails"}
