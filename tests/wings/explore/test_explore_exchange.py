"""What one definition is worth in another, on the page: the answers of `pkdp exchange`, its refusals, its limits."""

from __future__ import annotations

import json
from collections.abc import Iterator
from typing import Any

import pytest
from exploring import Page, served

from verifier.cli.main import run
from verifier.definitions import find

BITS, COIN = "exchange/family/two-bits-that-agree", "exchange/family/majority-and-coin"


@pytest.fixture(scope="module")
def page() -> Iterator[Page]:
    with served() as found:
        yield found


def printed(capsys: pytest.CaptureFixture[str], *arguments: str) -> str:
    with pytest.raises(SystemExit):
        run(["exchange", *arguments, "--format", "markdown"])
    return capsys.readouterr().out.strip()


CASES: list[tuple[dict[str, Any], list[str]]] = [
    (
        {"name": BITS, "from": "np", "to": "cdp", "epsilon": "ln(2)", "set": {"agree": "3/4"}},
        ["np", "cdp", BITS, "--epsilon", "ln(2)", "--set", "agree=3/4"],
    ),
    (
        {"name": BITS, "from": "np", "to": "cdp", "epsilon": "ln(2)", "over": "agree"},
        ["np", "cdp", BITS, "--epsilon", "ln(2)", "--over", "agree"],
    ),
    (
        {"name": BITS, "from": "cdp", "to": "dp", "over": "ε", "set": {"agree": "3/4"}},
        ["cdp", "dp", BITS, "--curve", "all", "--set", "agree=3/4"],
    ),
    (
        {"name": COIN, "from": "cdp", "to": "np", "epsilon": "ln(2)", "over": "coin"},
        ["cdp", "np", COIN, "--epsilon", "ln(2)", "--over", "coin"],
    ),
    (
        {"name": COIN, "from": "np", "to": "cdp", "epsilon": "ln(3)", "over": "coin"},
        ["np", "cdp", COIN, "--epsilon", "ln(3)", "--over", "coin"],
    ),
]


def tables(text: str) -> list[str]:
    return [line for line in text.splitlines() if line.startswith("|")]


@pytest.mark.parametrize(("asked", "arguments"), CASES)
def test_the_tables_are_those_of_the_command(
    page: Page, asked: dict[str, Any], arguments: list[str], capsys: pytest.CaptureFixture[str]
) -> None:
    name, *_ = asked.values()
    found = page.post("exchange", document=page.document(name), **{k: v for k, v in asked.items() if k != "name"})
    assert (found["verdict"], found["replayed"]) == ("computed", True)
    assert tables(found["markdown"]) == tables(printed(capsys, *arguments))


def test_a_drawing_stands_where_the_exact_pieces_are(page: Page) -> None:
    """At ε = ln(2) of the closed form, and with the infinite piece from ln(3) on."""
    found = page.post(
        "exchange", document=page.document(BITS), **{"from": "cdp", "to": "dp", "over": "ε"}, set={"agree": "3/4"}
    )
    drawing = found["drawing"]
    (piece,), ((start, end),) = drawing["finite"], drawing["infinite"]
    assert abs(start - 1.0986) < 0.01 < end
    x, y = min(piece, key=lambda place: abs(place[0] - 0.6931))
    near = 2.718281828**x
    assert abs(2.718281828**y - (3 * near - 1) / (3 - near)) < 1e-6
    assert drawing["label"] == "ln((-1 + 3*x)/(3 - x)) for 1 < x < 3; inf for 3 <= x"
    assert (
        page.post(
            "exchange", document=page.document(COIN), **{"from": "np", "to": "cdp", "over": "coin", "epsilon": "ln(2)"}
        )["drawing"]
        is None
    )


@pytest.mark.parametrize(
    ("asked", "arguments"),
    [
        (
            {"from": "ibcdp", "to": "np", "epsilon": "ln(2)"},
            ["ibcdp", "np", BITS, "--epsilon", "ln(2)", "--set", "agree=1/3"],
        ),
        ({"from": "np", "to": "cdp", "epsilon": "1/2"}, ["np", "cdp", BITS, "--epsilon", "1/2", "--set", "agree=1/3"]),
        ({"from": "ddp", "to": "cdp", "over": "ε"}, ["ddp", "cdp", BITS, "--curve", "all", "--set", "agree=1/3"]),
    ],
)
def test_what_is_unsupported_is_said_in_the_words_of_the_command(
    page: Page, asked: dict[str, Any], arguments: list[str], capsys: pytest.CaptureFixture[str]
) -> None:
    found = page.post("exchange", document=page.document(BITS), **asked)
    assert found["verdict"] == "unsupported"
    assert found["sentence"].removesuffix(".") in printed(capsys, *arguments)


@pytest.mark.parametrize(
    ("asked", "message"),
    [
        ({"epsilon": "0"}, "given ε = 0"),
        ({}, "given no ε"),
        ({"epsilon": "ln(2)", "over": "p"}, "given p"),
        ({"epsilon": "ln(2)", "to": "npp"}, "npp"),
        ({"epsilon": "two"}, "two"),
    ],
)
def test_a_wrong_question_is_refused(page: Page, asked: dict[str, Any], message: str) -> None:
    found = page.post("exchange", document=page.document(BITS), **asked)
    assert message in json.dumps(found["problems"][0], ensure_ascii=False)


def test_a_large_model_is_refused_before_any_work(page: Page) -> None:
    found = page.post("exchange", document=page.document("DMKB20/example-7-twelve-voters"), epsilon="ln(2)")
    (problem,) = found["problems"]
    assert (problem["kind"], problem["message"]) == ("limit", "the model has 4,096 worlds")
    assert found["milliseconds"] < 1000


def test_every_definition_can_be_chosen(page: Page) -> None:
    found = page.get("/api/names")
    assert len({one["key"] for one in found}) == len(found) > 90
    assert all(find(one["key"]).title == one["title"] for one in found)
