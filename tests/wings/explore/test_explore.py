"""The explorer's server over real HTTP: every route, every example, and answers that are those of the program.

What single answers and problems say is in tests/transcripts/explorer.txt.
"""

from __future__ import annotations

import copy
from collections.abc import Iterator
from fractions import Fraction
from typing import Any

import pytest
from asking import ask
from examined import at_least_one
from exploring import Answer, Page, served, small

import verifier as pk
from verifier.definitions import find
from verifier.definitions.atlas import DIMENSIONS, atlas
from verifier.engine import Engine
from verifier.model.document import document_of
from verifier.model.library import models_folder
from verifier.model.parameters import Family
from verifier.model.read import read_any
from verifier.questions.atlas import atlas_of
from verifier.recheck import not_shown, replayed
from verifier.wings.explore import open_documents
from verifier.wings.explore.routes import Session, examples
from verifier.wings.explore.server import Server
from verifier.wings.explore.texts import LATER

SAMPLED = (
    "DMKB20/example-7-five-voters", "DMKB20/example-4-as-printed", "DMKB20/example-6-partner-known",
    "DMKB20/proposition-4-cdp-not-np", "DMKB20/remark-nothing-to-protect", "DKM19/definition-2-records",
    "LQS12/algorithm-1", "LQS12/section-2.2-both", "composition/adaptive", "bounds/theorem-4-known-record",
)  # fmt: skip
BITS = "exchange/family/two-bits-that-agree"
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


@pytest.mark.sweep(3)
@pytest.mark.parametrize("name", [*SAMPLED, *LARGE])
def test_the_passport_is_that_of_the_program(page: Page, name: str) -> None:
    model = pk.read(models_folder() / f"{name}.toml")
    found = page.post("passport", document=page.document(name))
    assert rows_of(found) == [expected(answer) for answer in pk.overview(model, replay=False)]
    assert found["facts"]
    assert found["pending"] == []
    assert "tabular" in found["latex"]
    if name in SAMPLED[:4]:
        decided = [row for row in found["rows"] if row["verdict"] != "unsupported"]
        assert all(row["recheck"] for row in decided)
        document = page.document(name)
        assert all(page.post("recheck", document=document, definition=row["key"])["replayed"] for row in decided)


def test_no_verdict_waits_for_the_checker(monkeypatch: pytest.MonkeyPatch) -> None:
    """Verdict, numbers and witness are there before the checker is asked, and are the same after it has answered."""
    asked: list[str] = []

    def recorded(answer: pk.Verdict, engine: Engine) -> pk.Verdict:
        asked.append(answer.definition)
        return replayed(answer, engine)

    monkeypatch.setattr(open_documents, "replayed", recorded)
    session, question = Session(), {"document": small(), "definition": "cdp", "epsilon": "ln(2)", "delta": "1/10"}
    found = session.post("answer", question)
    rows = session.post("passport", question)["rows"]
    assert (asked, found["verdict"], found["decided"], found["recheck"]) == ([], "fails", True, True)
    assert found["witness"]
    assert all(row["verdict"] and row["recheck"] for row in rows)
    assert dict(found["lines"])["re-checked"] == LATER
    word = session.post("recheck", question)
    assert (asked, word["replayed"], dict(word["lines"])["re-checked"]) == (["cdp"], True, word["why"])
    after = session.post("answer", question)
    changed = {"lines", "latex", "markdown", "milliseconds"}
    assert {key: one for key, one in after.items() if key not in changed} == {
        key: one for key, one in found.items() if key not in changed
    }
    session.post("recheck", question)
    assert asked == ["cdp"]


def test_an_answer_that_the_checker_rejects_is_told(monkeypatch: pytest.MonkeyPatch) -> None:
    def rejected(answer: pk.Verdict, _engine: Engine) -> pk.Verdict:
        raise not_shown(f"{answer.definition}: δ is another one")

    monkeypatch.setattr(open_documents, "replayed", rejected)
    session, question = Session(), {"document": small(), "definition": "np"}
    assert session.post("answer", question)["verdict"] == "fails"
    word = session.post("recheck", question)
    assert (word["replayed"], word["why"]) == (False, "np: δ is another one")
    assert "problems" not in word


def test_the_losses_begin_with_a_record_of_which_something_is_compared(page: Page) -> None:
    """Not with record 0, where the attacker knows it, and not with a value that is impossible."""
    three = {"a": "0", "b": "1/2", "c": "1/2"}
    document = {"size": 3, "values": list(three), "distribution": [{"iid": three}], "knowledge": {"records": [0]},
                "mechanism": {"kind": "count", "value": "b"}}  # fmt: skip
    for asked, record in (({}, 1), ({"record": 2}, 2), ({"record": 1, "values": ["b", "c"]}, 1)):
        found = page.post("loss", document=document, **asked)
        assert (found["record"], found["a"], found["b"]) == (record, "b", "c")
        assert all(one["rows"] and not one["excludes"] for one in found["knowledge"])
    every = page.post("loss", document={**document, "knowledge": {"records": [0, 1, 2]}})
    assert (every["record"], [one["rows"] for one in every["knowledge"]]) == (0, [[]] * len(every["knowledge"]))


def test_a_number_in_a_column_keeps_its_exponent(page: Page) -> None:
    """2.35…e-13 without its end is a number that is 10^13 times as large."""
    keep = "1/4253700000001"
    law = {"0": {"u": "1"}, "1": {"u": "4253700000000/4253700000001", "v": keep}}
    rows = [{"database": [int(one)], "outputs": part} for one, part in law.items()]
    document = {
        "size": 1,
        "values": [0, 1],
        "distribution": [{"iid": {"0": "1/2", "1": "1/2"}}],
        "mechanism": {"table": rows},
    }
    found = page.post("passport", document=document, epsilon="0")
    (row,) = [one for one in found["rows"] if one["key"] == "np"]
    assert (row["delta_at_epsilon"], row["delta_at_epsilon_brief"]) == (keep, "2.35089e-13")
    losses = page.post("loss", document=document)["knowledge"][0]["rows"]
    assert [one["probability_b_brief"] for one in losses] == ["1", "2.35089e-13"]
    bends = page.post("answer", document=document, definition="np")["profile"]["breakpoints"]
    assert {one["delta_brief"] for one in bends} == {"2.35089e-13"}


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


@pytest.mark.sweep(4)
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


FAMILIES = [one["id"] for one in examples() if "for every" in one["size_note"]]


def test_the_families_are_listed() -> None:
    listed = [path for path in models_folder().rglob("*.toml") if "\n[parameters]" in path.read_text(encoding="utf-8")]
    assert len(FAMILIES) == len(listed) >= 6


@pytest.mark.sweep(3)
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
            assert (answer["verdict"], answer["tight_epsilon"]) == (mine.verdict, str(mine.tight_epsilon))
    assert "[parameters]" in page.post("write", document=document)["text"]
    assert page.post("read", text=page.post("write", document=document)["text"]).keys() == {"document", "milliseconds"}


# --- the definitions of DP22 ----------------------------------------------------------------------------------


def test_the_dimensions_are_listed(page: Page) -> None:
    found = page.get("/api/dimensions")
    assert {one["letter"]: one["name"] for one in found} == {k: v for k, v in DIMENSIONS.items() if k}
    assert sum(one["definitions"] for one in found) == sum(len(atlas.dimensions(key)) for key in atlas)


@pytest.mark.sweep(3)
@pytest.mark.parametrize("letters", ["QV", "V", "N"])
def test_the_definitions_of_a_dimension_are_answered_as_by_the_program(page: Page, letters: str) -> None:
    model = pk.read(models_folder() / "atlas" / "tour.toml")
    listed = atlas_of(model, epsilon="ln(2)", delta="1/8", replay=False)
    entries = [entry.verdict for entry in listed if set(letters) <= set(entry.dimensions)]
    asked = {"document": page.document("atlas/tour"), "dimension": letters, "epsilon": "ln(2)", "delta": "1/8"}
    found = page.post("passport", budget=400, **asked)
    while found["pending"]:
        found = page.post("passport", budget=400, **asked)
    for row, answer in at_least_one(zip(found["rows"], entries, strict=True)):
        assert (row["key"], row["verdict"], row["reason"]) == (answer.definition, answer.verdict, answer.reason)
        assert (row["smallest_epsilon"] is None) == (answer.tight_epsilon is None or answer.verdict == "vacuous")


def test_every_definition_of_dp22_is_answered_on_the_page(page: Page) -> None:
    """No definition ends in a problem of the server, and what is missing is named with a field or a reason."""
    document = page.document("atlas/near-copies")
    for key in at_least_one(atlas):
        found = page.post("answer", document=document, definition=key, epsilon="ln(2)")
        assert "problems" not in found, key
        assert found["verdict"] != "unsupported" or found["reason"], key


# --- exchange rates -------------------------------------------------------------------------------------------


def tables(text: str) -> list[str]:
    return [line for line in text.splitlines() if line.startswith("|")]


@pytest.mark.parametrize(
    ("asked", "options"),
    [
        ({"epsilon": "ln(2)", "over": "agree"}, ["--epsilon", "ln(2)", "--over", "agree"]),
        ({"over": "ε", "set": {"agree": "3/4"}}, ["--curve", "all", "--set", "agree=3/4"]),
    ],
)
def test_the_tables_of_rates_are_those_of_the_command(
    page: Page, asked: dict[str, Any], options: list[str], capsys: pytest.CaptureFixture[str]
) -> None:
    found = page.post("exchange", document=page.document(BITS), **{"from": "np", "to": "cdp"}, **asked)
    printed = ask(capsys, "convert", "np", "cdp", BITS, *options, "--format", "markdown")[1]
    assert found["replayed"]
    assert tables(found["markdown"]) == tables(printed)


def test_a_drawing_stands_where_the_exact_pieces_are(page: Page) -> None:
    """At ε = ln(2) of the closed form, and with the infinite piece from ln(3) on."""
    found = page.post(
        "exchange", document=page.document(BITS), **{"from": "cdp", "to": "dp", "over": "ε"}, set={"agree": "3/4"}
    )
    assert "ln((-1 + 3*x)/(3 - x)) for 1 &lt; x &lt; 3; inf for 3 &lt;= x" in found["drawing"]
    assert found["drawing"].count("l-4,8h8Z") == 2
    infinite = page.post("exchange", document=page.document(BITS), **{"from": "ddp", "to": "cdp", "over": "ε"})
    assert infinite["drawing"] is None


def test_every_definition_can_be_chosen(page: Page) -> None:
    found = page.get("/api/names")
    assert len({one["key"] for one in found}) == len(found) > 90
    assert all(find(one["key"]).title == one["title"] for one in found)


@pytest.mark.parametrize("definition", ["np", "apkdp", "tail-ppkdp", "cdp", "pbdp", "dp"])
@pytest.mark.parametrize("asked", [{}, {"epsilon": "ln(2)"}, {"epsilon": "ln(2)", "delta": "1/10"}])
def test_the_page_has_the_numbers_of_python(page: Page, definition: str, asked: dict[str, Any]) -> None:
    """Also of a vacuous answer, whose numbers are 0 in both, and are shown by neither."""
    mechanism = {"kind": "parity", "value": 1}
    document = {"size": 1, "values": [1], "distribution": [{"iid": {"1": "1"}}], "mechanism": mechanism}
    for values in ([1], [0, 1]):
        document["values"] = values
        mine = pk.check(pk.build(**document), definition, **asked)
        found = page.post("answer", document=document, definition=definition, **asked)
        shared = ("verdict", "reason", "tight_delta", "tight_epsilon", "tight_delta_decimal", "tight_epsilon_decimal")
        assert {key: found[key] for key in shared} == {key: mine.to_json()[key] for key in shared}
        if mine.verdict == "vacuous":
            assert "smallest" not in f"{mine!s} {mine!r} {found['lines']}"
