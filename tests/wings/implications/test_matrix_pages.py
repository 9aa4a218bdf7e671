"""What is said of the matrix: sentences, the command, the page, the diagram, and DP22's printed relations."""

from __future__ import annotations

import csv
import io
import json
import re
from itertools import product
from pathlib import Path

import networkx as nx
import pytest
from documents import site_modules
from examined import at_least_one
from html_reader import read_html

import verifier as pk
from verifier.cli.main import run
from verifier.show.sections import Folded, Terms
from verifier.wings.implications.facts import LEVELS, SAME, SOME
from verifier.wings.implications.matrix.matrix import (
    ALWAYS,
    CLOSURE,
    COMPLETE,
    DEPENDS,
    DEPENDS_FINITE,
    FINITE,
    ONE,
    OPEN,
    PROVED,
    SEPARATED,
    WITH_DELTA,
    cover,
    matrix,
    pair_cell,
)
from verifier.wings.implications.matrix.plot import Box, diagram, name_of, placed, reduced
from verifier.wings.implications.matrix.sheets import count_sheet, sentence
from verifier.wings.implications.parts import decided
from verifier.wings.report.matrix_page import matrix_document
from verifier.wings.report.site import write_matrix


def said(capsys: pytest.CaptureFixture[str], *arguments: str, status: int = 0) -> str:
    with pytest.raises(SystemExit) as stop:
        run(["relations", *arguments])
    assert stop.value.code == status
    shown = capsys.readouterr()
    return " ".join((shown.err if status else shown.out).split())


def test_the_whole_matrix(capsys: pytest.CaptureFixture[str]) -> None:
    with pytest.raises(SystemExit):
        run(["relations", "--matrix", "--format", "csv"])
    rows = list(csv.reader(io.StringIO(capsys.readouterr().out)))
    assert len(rows) == 1 + 3 * len(decided()) * (len(decided()) - 1)
    found = json.loads(said(capsys, "--matrix", "--json"))
    assert len(found["cells"]) == len(rows) - 1
    assert found["counts"] == {level: matrix().counts(level) for level in LEVELS}
    assert "94 definitions" in said(capsys, "--matrix")


@pytest.mark.parametrize("level", LEVELS)
def test_a_pair_alone_is_the_cell_of_the_matrix(level: str) -> None:
    for pair, cell in at_least_one(list(matrix().cells[level].items())[::97]):
        assert pair_cell(*pair, level) == cell


@pytest.mark.sweep(3)
@pytest.mark.parametrize("level", LEVELS)
def test_every_cell_has_a_sentence(level: str) -> None:
    starts = {
        PROVED: "Yes, with ",
        CLOSURE: "Yes, with ",
        ONE: "Yes: one definition here, under two names",
        WITH_DELTA: "",
        FINITE: "Yes, of each mechanism alone, with ",
        ALWAYS: "The second is finite for every mechanism",
        SEPARATED: "No: ",
        COMPLETE: "No proof is known",
        DEPENDS: "It depends: ",
        DEPENDS_FINITE: "It depends: ",
        OPEN: "Open: ",
    }
    for cell in at_least_one(list(matrix().cells[level].values())[::41]):
        assert sentence(cell).startswith(starts[cell.state])
        assert sentence(cell).endswith(".")
        assert ("With δ above 0 there is a bound, (" in sentence(cell)) is (cell.with_delta is not None)


@pytest.mark.parametrize("level", [SOME, SAME])
def test_the_diagram_is_the_reduced_order(level: str) -> None:
    known = matrix()
    arrows = reduced(known, level)
    assert sorted(key for keys in arrows for key in keys) == sorted(decided())
    assert nx.is_directed_acyclic_graph(arrows)
    proved = {pair for pair, cell in known.cells[level].items() if cell.chain is not None}
    bottom = {keys for keys in arrows if all((key, keys[0]) in proved for key in decided() if key not in keys)}
    for keys in arrows:
        below = {key for other in nx.descendants(arrows, keys) for key in other} | set(keys[1:])
        below |= {key for other in bottom for key in other if other != keys}
        assert below == {target for source, target in proved if source == keys[0]}


@pytest.mark.parametrize("level", [SOME, SAME])
def test_no_two_boxes_meet(level: str) -> None:
    boxes = placed(reduced(matrix(), level))

    def apart(one: Box, other: Box) -> bool:
        wide = abs(one.x - other.x) >= (one.width + other.width) // 2
        return wide or abs(one.y - other.y) >= (one.height + other.height) // 2

    assert all(apart(one, other) for k, one in enumerate(boxes) for other in boxes[:k])
    assert diagram(matrix(), level, "x") == diagram(matrix(), level, "x")


def test_the_page(tmp_path: Path) -> None:
    written = write_matrix(tmp_path / "page")
    text = written[0].read_text(encoding="utf-8")
    reader = read_html(text)
    assert reader.badly_nested == []
    assert len(reader.ids) == len(set(reader.ids))
    assert all(link.partition("#")[2] in reader.ids for link in reader.links if link.startswith("#"))
    assert {path.name for path in written} == {"matrix.html", "matrix.js", "report.css", "icon.svg"}
    packed = json.loads(text.partition('id="cells">')[2].partition("</script>")[0])
    assert [len(level["cells"]) for level in packed["levels"]] == [len(decided()) ** 2] * 3
    assert "http" not in re.sub(r'xmlns="[^"]*"', "", text)
    assert len(text) < 1_000_000, "it opens slowly"
    known = {name_of(key): key for key in decided()}
    order = [known[name] for name in packed["keys"]]
    for level in packed["levels"]:
        states = [packed["states"][packed["cells"][k][0]]["name"] if k else None for k in level["cells"]]
        cells = matrix().cells[level["name"]]
        assert states == [cells[a, b].state if a != b else None for a, b in product(order, order)]


def test_the_document_and_its_text() -> None:
    assert [section.heading for section in matrix_document(drawn=False).sections][1:] == [
        "DP22's printed relations beside ours",
        "The models that separate",
    ]
    grid = matrix_document().sections[0]
    folds = [block for block in grid.blocks if isinstance(block, Folded)]
    names = {key: name_of(key) for key in decided()}
    assert [fold.summary for fold in folds] == sorted(names.values())
    assert {"np", "cdp", "dp"} <= set(names.values()), "as pkdp names them, not as DP22"
    terms = {fold.summary: block.entries for fold in folds for block in fold.blocks if isinstance(block, Terms)}
    implies = {key: str(dict(entries)["implies"]).split(", ") for key, entries in terms.items()}
    for (source, target), cell in at_least_one(matrix().cells[SAME].items()):
        proved = cell.state in {PROVED, CLOSURE, ONE}
        assert (names[target] in implies[names[source]]) == proved, (source, target)
    with site_modules() as site:
        text = site("generated").relations_page()
    assert all(f"models/{model.name}.toml" in text for model in cover().models)
    assert str(count_sheet(matrix()).rows[0][2]) in text


@pytest.mark.parametrize(
    ("first", "second", "verdict"),
    [
        ("renyidp", "zcodp", SEPARATED),
        ("flpr", "npr", CLOSURE),
        ("np", "cdp", DEPENDS),
        ("dp", "cdp", PROVED),
        ("causdp", "osdp", SEPARATED),
    ],
)
def test_the_answer_in_python_is_that_of_the_command(
    first: str, second: str, verdict: str, capsys: pytest.CaptureFixture[str]
) -> None:
    answer = pk.relations(first, second)
    assert answer.verdict == verdict
    assert answer.to_json() == json.loads(said(capsys, first, second, "--json"))
    back = pk.relations(second, first)
    assert back.cells() == answer.cells(other_way=True)
    flat = " ".join(said(capsys, first, second, "--format", "csv").split())
    assert all(text.split(": ")[0] in flat for text in str(answer).splitlines())
    with pytest.raises(TypeError, match="not true or false"):
        bool(answer)


def test_definitions_may_be_given_as_objects() -> None:
    assert pk.relations(pk.np, pk.atlas["osdp"]) == pk.relations("np", "osdp")
    with pytest.raises(pk.InputError, match="two different definitions"):
        pk.relations("osdp", "osdp")
    with pytest.raises(pk.InputError):
        pk.relations("osdp", 3)
