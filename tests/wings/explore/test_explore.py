"""The explorer's server over real HTTP: every route, and every example."""

from __future__ import annotations

import copy
from collections.abc import Iterator
from fractions import Fraction
from typing import Any

import pytest
from exploring import Answer, Page, served, small

import verifier as pk
from verifier.model.library import models_folder
from verifier.model.parameters import Family
from verifier.model.read_family import read_any
from verifier.wings.explore.desk import MOST_WORLDS
from verifier.wings.explore.document import document_of
from verifier.wings.explore.routes import examples
from verifier.wings.explore.server import Server

SAMPLED = (
    "DMKB20/example-7-five-voters", "DMKB20/example-4-as-printed", "DMKB20/example-6-partner-known",
    "DMKB20/proposition-4-cdp-not-np", "DMKB20/remark-nothing-to-protect", "DKM19/definition-2-records",
    "LQS12/algorithm-1", "LQS12/section-2.2-both", "composition/adaptive", "bounds/theorem-4-known-record",
)  # fmt: skip
LARGE = ("DMKB20/example-8-thousand-voters", "bounds/theorem-3-forty-records")


@pytest.fixture(scope="module")
def page() -> Iterator[Page]:
    with served() as found:
        yield found


# --- the lists and the files ---------------------------------------------------------------------------------


def test_the_page_and_its_headers(page: Page) -> None:
    status, headers, body = page.ask("GET", "/")
    assert status == 200
    assert b"<" in body
    assert headers["Content-Type"].startswith("text/html")
    assert "default-src 'none'" in headers["Content-Security-Policy"]
    assert headers["Cache-Control"] == "no-store"
    status, _, body = page.ask("HEAD", "/")
    assert (status, body) == (200, b"")


def test_every_example_is_listed_and_is_what_its_file_says(page: Page) -> None:
    listed = page.get("/api/examples")
    assert len(listed) > 130
    for one in listed:
        found = page.get(f"/api/example?id={one['id']}")
        assert found["document"] == document_of(found["text"])
        assert one["title"] == found["document"]["title"]
    assert page.get("/api/example?id=../secret")["problems"][0]["path"] == ["id"]


def test_every_definition_has_a_formula(page: Page) -> None:
    found = page.get("/api/definitions")
    assert [one["key"] for one in found["definitions"]] == list(pk.DEFINITIONS)
    assert all("<math" in one["mathml"] and one["readings"][0] == "default" for one in found["definitions"])


def test_the_file_of_the_command_line_is_the_start(page: Page) -> None:
    assert page.get("/api/start") == {"document": None}
    server = Server(0, "size = 1\nvalues = [0]\n", "mine.toml")
    try:
        found = server.start()
        assert found["document"] == {"size": 1, "values": [0]}
        assert (found["name"], found["problems"][0]["path"]) == ("mine.toml", ["mechanism"])
    finally:
        server.server_close()


def test_a_file_is_read_and_written(page: Page) -> None:
    document = page.document("composition/adaptive")
    text = page.post("write", document=document)["text"]
    kept = {key: value for key, value in document.items() if key != "expect"}
    assert page.post("read", text=text)["document"] == kept
    wrong = page.post("read", text="size = [")
    assert wrong["problems"][0]["path"] is None
    half = page.post("read", text="size = 2\nvalues = [0, 1]\nprobability = 0.1\n")
    assert half["document"]["probability"] == "0.1"
    assert half["problems"]


# --- the answers ---------------------------------------------------------------------------------------------


def expected(answer: pk.Verdict) -> tuple[Any, ...]:
    tight = None if answer.verdict == "vacuous" else answer.tight_epsilon
    end = None if tight is None else answer.delta_or_none(pk.epsilon(0))
    smallest, at_zero = (None if one is None else one.text(60) for one in (tight, end))
    return answer.definition, answer.verdict, answer.reason, smallest, at_zero, answer.comparisons, answer.empty


def rows_of(found: Answer) -> list[tuple[Any, ...]]:
    keys = ("key", "verdict", "reason", "smallest_epsilon", "delta_at_zero", "comparisons", "empty")
    return [tuple(row[key] for key in keys) for row in found["rows"]]


@pytest.mark.parametrize("name", [*SAMPLED, *LARGE])
def test_the_passport_is_that_of_the_program(page: Page, name: str) -> None:
    model = pk.read(models_folder() / f"{name}.toml")
    found = page.post("passport", document=page.document(name))
    assert rows_of(found) == [expected(answer) for answer in pk.passport(model, replay=False)]
    assert found["facts"]
    assert found["pending"] == []
    assert "tabular" in found["latex"]
    if name in SAMPLED[:4]:
        assert all(row["replayed"] for row in found["rows"] if row["verdict"] != "unsupported")


def test_a_budget_ends_where_the_whole_passport_does(page: Page) -> None:
    document = {**page.document("DMKB20/example-1-side"), "title": "with a budget"}
    found = page.post("passport", document=document, epsilon="ln(2)", delta="1/10", budget=0)
    assert len(found["pending"]) >= len(found["rows"]) - 1
    asked = 1
    while found["pending"]:
        found = page.post("passport", document=document, epsilon="ln(2)", delta="1/10", budget=0)
        asked += 1
        assert asked < 60
    again = page.post("passport", document={**document, "title": "at once"}, epsilon="ln(2)", delta="1/10")
    assert rows_of(found) == rows_of(again)
    assert [row["delta_at_epsilon"] for row in found["rows"]] == [row["delta_at_epsilon"] for row in again["rows"]]


def test_an_answer_names_the_rows_that_it_rests_on(page: Page) -> None:
    found = page.post("answer", document=small(), definition="apkdp", epsilon="ln(2)", delta="1/4")
    assert found["verdict"] == "fails"
    assert found["words"].startswith("If the attacker knows B = x, and sees ")
    assert found["replayed"] is True
    marks = found["highlight"]
    assert (marks["distribution"], marks["knowledge"], marks["record"]) == (0, "x", 0)
    rows = small()["distribution"][0]["table"]
    for side, value in (("rows_a", marks["a"]), ("rows_b", marks["b"])):
        wanted = [k for k, row in enumerate(rows) if row["database"][0] == value and row["knowledge"] == "x" and k != 2]
        assert marks[side] == [["distribution", 0, "table", k] for k in wanted]
    outputs = set(marks["outputs"])
    told = [{"u"}, {"u", "v"}, {"v"}, {"v"}]
    assert marks["event_rows"] == [["mechanism", "table", k] for k, one in enumerate(told) if one & outputs]
    assert found["conventions"]
    assert found["witness"]["at_epsilon"] == "ln(2)"


def test_the_changed_databases_of_a_counterfactual_are_marked_in_the_mechanism(page: Page) -> None:
    document = small()
    found = page.post("answer", document=document, definition="cdp")
    marks, rows = found["highlight"], document["mechanism"]["table"]
    assert found["witness"]["kind"] == "counterfactual"
    sides = [
        [rows[path[-1]]["database"] for path in marks[side] if path[0] == "mechanism"] for side in ("rows_a", "rows_b")
    ]
    as_it_is, changed = sides[::-1] if found["witness"]["direction"].startswith("counter") else sides
    record, b = marks["record"], marks["b"]
    assert as_it_is
    assert all(one[record] == marks["a"] for one in as_it_is)
    assert sorted(changed) == sorted([*one[:record], b, *one[record + 1 :]] for one in as_it_is)


@pytest.mark.parametrize("definition", ["dp", "ppkdp", "cdp", "ibcdp", "ddp", "tail-cdp", "dependency"])
def test_every_kind_of_evidence_has_its_rows(page: Page, definition: str) -> None:
    document = small()
    if definition == "dependency":
        part = copy.deepcopy(document["mechanism"])
        document["mechanism"] = {"kind": "all", "of": [part, {"kind": "sum"}]}
    found = page.post("answer", document=document, definition=definition)
    assert "problems" not in found
    assert found["verdict"] in {"fails", "holds"}
    marks = found["highlight"]
    assert definition == "dependency" or marks["rows_a"] or marks["rows_b"]
    for path in (*marks["rows_a"], *marks["rows_b"], *marks["event_rows"]):
        here: Any = document
        for key in path:
            here = here[key]
        assert "database" in here


def test_the_profile_is_exact_at_every_point(page: Page) -> None:
    document = page.document("DMKB20/example-7-five-voters")
    model = pk.read(models_folder() / "DMKB20" / "example-7-five-voters.toml")
    answer = pk.check(model, "ppkdp", replay=False)
    found = page.post("profile", document=document, definition="ppkdp", delta="1/100")
    assert len(found["points"]) > 40
    for one in found["points"]:
        assert one["delta"] == answer.delta_at(pk.epsilon(one["epsilon"])).text()
        asked = pk.check(model, "ppkdp", epsilon=one["epsilon"], delta="1/100", replay=False)
        assert one["verdict"] == asked.verdict
    drawn = found["profile"]
    segments = answer.profile.segments
    assert [(one["from"], one["constant"]) for one in drawn["segments"]] == [(e.text(), str(a)) for e, a, _ in segments]
    assert [one["slope"] for one in drawn["segments"]] == [str(-b) for _, _, b in segments]
    assert drawn["breakpoints"][0]["delta"] == drawn["delta_at_zero"] == answer.delta_at(pk.epsilon(0)).text()
    named = page.post("profile", document=document, definition="ppkdp", epsilons=["1/10", "inf"])
    assert [one["delta"] for one in named["points"]] == ["523/10000 - 37/10000*exp(1/10)", "1/100"]


def test_the_tail_of_a_large_sum_is_answered_without_its_curve(page: Page) -> None:
    found = page.post("answer", document=page.document("DKM19/example-1"), definition="tail-apkdp", epsilon="ln(2)")
    assert found["tight_delta"]
    assert (found["profile"], "single points" in found["profile_reason"]) == (None, True)


def test_the_losses_are_those_of_the_program(page: Page) -> None:
    found = page.post("loss", document=page.document("DMKB20/example-7-five-voters"), record=2, values=[1, 0])
    table = pk.loss(pk.read(models_folder() / "DMKB20" / "example-7-five-voters.toml"), record=2, values=(1, 0))
    for mine, one in zip(found["knowledge"], table.knowledge, strict=True):
        assert mine["probability"] == str(one.probability)
        assert [row["loss"] for row in mine["rows"]] == [row.loss.text() for row in one.rows]
        assert mine["tight_epsilon"] == "inf"
    assert found["left_out"] == 0
    wrong = page.post("loss", document=small(), record=7)
    assert wrong["problems"][0]["path"] == ["record"]
    long = page.post("loss", document=page.document("DMKB20/example-7-thousand-voters"))
    assert long["problems"][0]["kind"] == "limit"


def test_acceptability_is_decided(page: Page) -> None:
    found = page.post("acceptable", document=page.document("DMKB20/example-7-five-voters"))
    assert [one["acceptable"] for one in found["answers"]] == [True]
    assert found["sheets"][0]["rows"][0][2] == "yes"


@pytest.mark.parametrize("name", [SAMPLED[0], SAMPLED[2], "composition/adaptive", "LQS12/table-1-unsampled"])
@pytest.mark.parametrize("to", ["table", "mechanism-table", "knowledge-table"])
def test_an_explicit_table_has_the_same_answers(page: Page, name: str, to: str) -> None:
    document = page.document(name)
    found = page.post("expand", document=document, to=to)
    if "problems" in found:
        assert found["problems"][0]["kind"] == "unsupported"
        return
    assert found["document"] != document
    answers = [rows_of(page.post("passport", document=one)) for one in (document, found["document"])]
    assert [row[:5] for row in answers[0]] == [row[:5] for row in answers[1]]


def test_long_tables_are_refused_with_their_size(page: Page) -> None:
    document = page.document("DMKB20/example-7-twelve-voters")
    for to in ("table", "mechanism-table"):
        (found,) = page.post("expand", document=document, to=to)["problems"]
        assert (found["kind"], "4,096" in found["message"]) == ("limit", True)


def test_a_large_model_is_refused_before_the_work(page: Page) -> None:
    document = {**page.document("DMKB20/example-1-side"), "size": 40}
    document.pop("sensitive", None)
    document |= {
        "distribution": [{"iid": {"0": "1/2", "1": "1/2"}}],
        "values": [0, 1],
        "mechanism": {"kind": "identity"},
    }
    document.pop("knowledge", None)
    (found,) = page.post("passport", document=document)["problems"]
    assert (found["kind"], found["path"]) == ("limit", ["size"])
    assert "1,099,511,627,776 worlds" in found["message"]
    assert f"{MOST_WORLDS:,}" in found["wanted"]


FAMILIES = [one["id"] for one in examples() if "for every" in one["size_note"]]


def test_the_families_are_listed() -> None:
    listed = [path for path in models_folder().rglob("*.toml") if "\n[parameters]" in path.read_text(encoding="utf-8")]
    assert len(FAMILIES) == len(listed) >= 6


@pytest.mark.parametrize("name", FAMILIES)
def test_a_family_is_shown_at_exact_values(page: Page, name: str) -> None:
    """Every step of a slider is a member, and the answers are those of the program at these values."""
    document = page.document(name)
    found = page.post("passport", document=document, budget=0)
    values = {one["name"]: one["value"] for one in found["parameters"]}
    assert list(values) == list(document["parameters"])
    assert all(one["ok"] for one in found["sums"])
    family = read_any(models_folder() / f"{name}.toml")
    assert isinstance(family, Family)
    for one in found["parameters"]:
        assert one["value"] in one["steps"]
        assert len(one["steps"]) >= 20
        for step in one["steps"][:: len(one["steps"]) - 1]:
            chosen = {**values, one["name"]: step}
            answer = page.post("answer", document=document, set=chosen, definition="ppkdp", delta="1/100")
            member = family.at({key: Fraction(value) for key, value in chosen.items()})
            mine = pk.check(member, "ppkdp", delta="1/100", replay=False)
            tight = None if mine.verdict == "vacuous" else str(mine.tight_epsilon)
            assert (answer["verdict"], answer["tight_epsilon"]) == (mine.verdict, tight)
    assert "[parameters]" in page.post("write", document=document)["text"]
    assert page.post("read", text=page.post("write", document=document)["text"]).keys() == {"document", "milliseconds"}


def test_a_value_outside_its_range_is_refused_at_its_slider(page: Page) -> None:
    document = page.document("family/randomized-response")
    answer = page.post("answer", document=document, set={"x": "3"}, definition="dp")
    assert (answer["tight_epsilon"], answer["replayed"]) == ("ln(3)", True)
    for given, wanted in (("1/2", "x > 1"), ("one", "")):
        (problem,) = page.post("answer", document=document, set={"x": given}, definition="dp")["problems"]
        assert problem["path"] == ["set", "x"]
        assert wanted in problem["wanted"]
    (problem,) = page.post("answer", document=document, set=["x"])["problems"]
    assert problem["path"] == ["set"]
    (problem,) = page.post("answer", document=document, set={"y": "3"})["problems"]
    assert "y is unknown" in problem["message"]
    expanded = page.post("expand", document=document, set={"x": "3"}, to="mechanism-table")["document"]
    assert "parameters" not in expanded
    assert page.post("answer", document=expanded, definition="dp")["tight_epsilon"] == "ln(3)"


def test_the_steps_of_a_slider_meet_all_conditions(page: Page) -> None:
    document = {
        "size": 1, "values": ["a", "b", "c"], "conditions": ["p + q <= 1/2"],
        "parameters": {"p": {"above": "0", "to": "1"}, "q": {"from": "0", "below": "1 - p"}},
        "distribution": [{"iid": {"a": "p", "b": "q", "c": "1 - p - q"}}], "mechanism": {"kind": "identity"},
    }  # fmt: skip
    p, q = page.post("passport", document=document, set={"q": "1/4"})["parameters"]
    assert (p["range"], q["range"], q["value"]) == ("0 < p <= 1", "0 <= q < 1 - p", "1/4")
    assert [Fraction(one) for one in p["steps"]] == sorted(
        {Fraction(k, 20) for k in range(1, 6)} | {Fraction(p["value"])}
    )
    (problem,) = page.post("passport", document=document, set={"p": "1/4", "q": "7/8"})["problems"]
    assert (problem["path"], problem["wanted"]) == (["set", "q"], "q < 1 - p")
    nowhere = {**document, "conditions": ["p > 2"]}
    assert page.post("passport", document=nowhere)["problems"][0]["path"][0] == "set"
