"""A count goes with its noun and its verb, in every page and in what commands print."""

from __future__ import annotations

import pytest
from agreement import disagreements
from documents import site_modules

from verifier.cli.main import run
from verifier.model.library import models_folder

ROOT = models_folder().parent
with site_modules() as site:
    OF_SITE = site("generated").OF_SITE
PAGES = sorted(
    path.relative_to(ROOT).as_posix()
    for folder in ("docs", "proofs", "models")
    for path in (ROOT / folder).rglob("*.md")
    if not {"_build", "site"} & set(path.parts)
)
ONE_RECORD = "models/DKM19/lemma-1-one-order.toml"
COMMANDS = (
    ["claims", "D20"],
    ["claims", "DKM19"],
    ["claims", "LQS12"],
    ["claims", "D20", "--all"],
    ["claims", "DMKB20", "Theorem 5"],
    ["claims", "DMKB20", "Theorem 6", "--all"],
    ["check", ONE_RECORD],
    ["check", ONE_RECORD, "--atlas"],
    ["check", ONE_RECORD, "--definition", "dp", "--epsilon", "0"],
    ["loss", ONE_RECORD],
    ["examples", "DKM19"],
    ["claims", "--bound", "theorem-3", "--n", "1", "--lambda", "1/4", "--epsilon", "1"],
    ["search", "--satisfies", "np", "--violates", "cdp", "--records", "1"],
)
"""Commands of which some count is 1."""


def found_in(text: str) -> list[str]:
    """The disagreements of a text, each with the words around it."""
    return [
        f"{words!r} in {line[max(0, line.find(words) - 40) : line.find(words) + 60]!r}"
        for line in text.splitlines()
        for words in disagreements(line)
    ]


@pytest.mark.parametrize("page", PAGES)
def test_counts_of_a_page(page: str) -> None:
    assert found_in((ROOT / page).read_text(encoding="utf-8")) == []


@pytest.mark.parametrize("page", ["docs/words.md", "proofs/ledger.md"])
def test_counts_of_a_page_of_the_site_alone(page: str) -> None:
    assert found_in(OF_SITE[page]()) == []


@pytest.mark.parametrize("command", COMMANDS, ids=" ".join)
def test_counts_that_are_printed(
    command: list[str], monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.chdir(ROOT)
    with pytest.raises(SystemExit) as stop:
        run(command)
    said = capsys.readouterr()
    assert stop.value.code in {None, 0, 1, 3}, said.err
    assert said.out.strip()
    assert found_in(" ".join(said.out.split())) == []


@pytest.mark.parametrize(
    ("text", "wrong"),
    [
        ("It has 6 numbered statements: 1 hold, 4 hold once corrected", ["1 hold"]),
        ("for δ = 0: 1 holds, 3 fail", []),
        ("2 holds", ["2 holds"]),
        ("1 records of 2 values", ["1 records"]),
        ("(1 more output) and 3 record", ["3 record"]),
        ("n - 1 trials; Theorem 5 fails, and Proposition 1 holds", []),
        ("1 linear programs, 0 multiplier", ["1 linear programs", "0 multiplier"]),
    ],
)
def test_what_the_search_sees(text: str, wrong: list[str]) -> None:
    assert list(disagreements(text)) == wrong
