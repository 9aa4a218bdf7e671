"""Axioms from parts: facts with proofs, refutations that the deciders confirm, Table 3, the page, the command."""

import importlib
import inspect
import re
import tomllib
from collections.abc import Callable
from dataclasses import replace
from fractions import Fraction
from itertools import combinations_with_replacement, product
from typing import Any

import pytest
from documents import ROOT, blocks, commands_of
from examined import at_least_one

import verifier as pk
from verifier.cli.main import run
from verifier.definitions.atlas import atlas
from verifier.errors import InputError
from verifier.model import read
from verifier.model.compose import compose, with_mechanism
from verifier.model.library import models_folder
from verifier.model.policy import Aggregate
from verifier.show.sheet import Sheet
from verifier.tables import label
from verifier.wings.implications.axioms import refutations as axioms_refutations
from verifier.wings.implications.axioms import sheets as axioms_sheets
from verifier.wings.implications.axioms.axioms import (
    CLASHES,
    OPEN,
    OTHER,
    PRINTED,
    PROVED,
    REFUTED,
    clashes,
    counts,
    derive,
    every_cell,
    rows,
    verdicts,
)
from verifier.wings.implications.axioms.facts import AXES, AXIOMS, FOLDER, Fact, Part, _fact, facts, table
from verifier.wings.implications.axioms.refutations import combination, model_of, refutations, shown
from verifier.wings.implications.axioms.sheets import card_items
from verifier.wings.implications.parts import decided, keys, named, parts_of, undecided_because

PAGE = (ROOT / "docs" / "axioms.md").read_text(encoding="utf-8")
SHEETS: dict[str, Callable[[], Sheet]] = {
    "summary": axioms_sheets.summary,
    "clashes": axioms_sheets.clash_sheet,
    "others": axioms_sheets.other_sheet,
    "answers": axioms_sheets.answer_sheet,
    "overview": lambda: axioms_sheets.overview(keys()),
}


def test_every_definition_has_facts_for_its_parts() -> None:
    used = {part for key in decided() for part in parts_of(key)}
    known = {part for part, _ in facts()}
    assert used == known, "no fact is missing, and none is about a part that no definition has"
    assert set(atlas) < set(keys())
    assert {key for key in keys() if undecided_because(key)} == {"ocdp", "rldp"}
    assert set(keys()) - set(decided()) == {"ocdp", "rldp", "indcdp", "simcdp", "czkpr"}


@pytest.mark.parametrize("axis", AXES)
def test_every_part_has_a_proof(axis: str) -> None:
    page = (ROOT / "proofs" / "axioms" / f"{AXES[axis]}.md").read_text(encoding="utf-8")
    headings = re.findall(r"^## (.*)$", page, re.MULTILINE)
    assert headings == list(table(AXES[axis]))
    for heading, text in re.findall(r"^## (.*)\n\n((?:.+\n)+)", page, re.MULTILINE):
        assert len(text) > 20, heading


def test_a_part_that_fails_has_a_refutation_and_no_other_has() -> None:
    named_by_facts = {name for fact in facts().values() for name in fact.refuted}
    assert named_by_facts == set(refutations())
    with pytest.raises(InputError, match="refutations for a no"):
        _fact(Part("measure", "x"), "convexity", {axiom: {"holds": "no", "because": ""} for axiom in AXIOMS}, {})


def test_the_derivations_of_the_proofs_run() -> None:
    """Those that a page names exist, and each returns its steps."""
    pages = "".join(path.read_text(encoding="utf-8") for path in (ROOT / "proofs" / "axioms").glob("*.md"))
    quoted = {name.rpartition(".")[2] for name in re.findall(r"`((?:second\.)?[a-z_]+)`", pages) if "_" in name}
    derived: dict[str, Any] = {}
    for module in ("facts", "second"):
        loaded = importlib.import_module(f"proofs.axioms.{module}")
        functions = inspect.getmembers(loaded, inspect.isfunction)
        derived |= {
            name: function for name, function in functions if "Steps" in str(function.__annotations__.get("return"))
        }
    derived = {name: function for name, function in derived.items() if function.__module__.startswith("proofs.axioms")}
    assert quoted <= set(derived)
    assert {clash.second for clash in clashes().values()} <= set(derived)
    assert {fact.derived for fact in facts().values() if fact.derived} <= set(derived)
    for function in derived.values():
        assert all(isinstance(step, str) for step in function())


@pytest.mark.parametrize(
    "key", [key for key in keys() if any(derive(key, axiom).verdict == REFUTED for axiom in AXIOMS)]
)
def test_every_refuted_axiom_is_violated_by_its_model(key: str) -> None:
    """Each answer is derived again by the checker, as far as it has the definition."""
    refuted = [verdict for axiom in AXIOMS if (verdict := derive(key, axiom)).verdict == REFUTED]
    for verdict in at_least_one(refuted):
        assert verdict.shown or verdict.derived
        for each in verdict.shown:
            assert each.refutation.axiom == verdict.axiom
            assert shown(each.refutation, key, replay=True) == each


def test_a_simulator_that_is_told_two_aggregates_imitates_a_pair() -> None:
    """Agg × Agg: ε of the pair is at most the sum; with Agg itself there is none, where records may be missing."""
    for name, bound in (("size-both", "0"), ("aggregates-mixed", "ln(2)")):
        first, second = map(model_of, refutations()[name].files)
        pair = with_mechanism(first, compose(first.mechanism, second.mechanism))
        others = list(combinations_with_replacement(range(len(first.values)), first.size - 1))
        told = [
            [next(iter(one.law_of_others(rest, first.values, first.size))) for rest in others]
            for one in first.policy.agg or ()
        ]
        both = tuple(
            Aggregate(
                table=tuple(
                    (d, ((label([x.shown, y.shown]), Fraction(1)),)) for d, x, y in zip(others, a, b, strict=True)
                )
            )
            for a, b in product(told, repeat=2)
        )
        answer = pk.check(replace(pair, policy=replace(pair.policy, agg=both)), "zkpr")
        assert str(answer.tight_epsilon) == bound
    assert pk.check(combination("size-both"), "zkpr").tight_epsilon.is_infinite  # type: ignore[union-attr]


@pytest.mark.parametrize("name", refutations())
def test_a_combination_that_is_a_file_has_its_answers(name: str) -> None:
    """The file says what the combination is; here it is computed from its mechanisms."""
    refutation = refutations()[name]
    assert any(shown(refutation, key) for key in keys())
    path = models_folder() / "axioms" / f"{name}.toml"
    if not path.is_file():
        assert any(other.files == refutation.files and other.name != name for other in refutations().values())
        return
    for promised in tomllib.loads(path.read_text(encoding="utf-8"))["expect"]:
        asked = {name: promised[name] for name in ("epsilon", "delta") if name in promised}
        answers = [pk.check(model, promised["definition"], **asked) for model in (combination(name), read(path))]
        assert answers[0].tight_epsilon == answers[1].tight_epsilon
        assert answers[0].tight_delta == answers[1].tight_delta
        assert answers[0].verdict == answers[1].verdict


def test_the_files_of_the_folder_are_those_of_the_refutations() -> None:
    used = {name for each in refutations().values() for name in (*each.files, f"axioms/{each.name}")}
    there = {f"axioms/{path.stem}" for path in (models_folder() / "axioms").glob("*.toml")}
    assert there <= used
    assert {name for each in refutations().values() for name in each.files} <= there


def test_a_model_that_refutes_nothing_is_found() -> None:
    """What is proved has no refutation among the models, whatever they are about."""
    for key in at_least_one(keys()):
        for verdict in at_least_one(verdicts(key)):
            if verdict.verdict == PROVED and not verdict.where:
                violated = [each for each in refutations().values() if each.axiom == verdict.axiom and shown(each, key)]
                violated = [each for each in violated if each.shows == "no-bound"]
                assert violated == [], (key, verdict.axiom)


def test_a_wrong_fact_is_seen(monkeypatch: pytest.MonkeyPatch) -> None:
    """Where a part is said to fail that does not, no model shows it: the definition is open, not refuted."""
    wrong = dict(facts())
    part = Part("measure", "kl")
    wrong[part, "convexity"] = Fact(part, "convexity", "no", "so", refuted=("tail-mixed", "spread-mixed"))
    monkeypatch.setattr("verifier.wings.implications.axioms.facts.facts", lambda: wrong)
    assert derive.__wrapped__("klpr", "convexity").verdict == OPEN
    wrong[part, "convexity"] = Fact(part, "convexity", "yes", "so")
    assert derive.__wrapped__("avgklpr", "convexity").reason == "aggregation average needs a measure that is convex"


# --- Table 3 ----------------------------------------------------------------------------------------------------------


def test_table_3_has_its_rows() -> None:
    assert [row.at for row in rows().values()] == list(range(1, 89))
    assert set(rows()) == set(atlas) - {"dp-any", "attdp", "bitdp", "ibcdp", "distdp"}
    assert all(set(row.cells.values()) <= set(PRINTED) for row in rows().values())
    letters = {key: "".join(sorted(atlas.dimensions(key))) for key in rows()}
    assert {key: "".join(sorted(row.dimensions)) for key, row in rows().items()} == letters


def test_each_cell_is_in_one_state() -> None:
    cells = every_cell()
    assert len(cells) == 3 * 88 == sum(counts(cells).values())
    differing = {(each.row.key, each.verdict.axiom): each.state for each in cells if each.state in {CLASHES, OTHER}}
    assert differing == {pair: OTHER if clash.reading else CLASHES for pair, clash in clashes().items()}
    numbers = {"agrees": 199, "clashes": 4, "another reading here": 8, "answered": 38, "still ?": 1, "not decided": 14}
    assert counts(cells) == numbers


# --- the command and the page -----------------------------------------------------------------------------------------


@pytest.mark.parametrize("name", SHEETS)
def test_the_tables_of_the_page_are_those_of_the_program(name: str) -> None:
    expected = SHEETS[name]().markdown().partition("\n\n")[2].partition("\n\n")[0]
    found = PAGE.partition(f"<!-- table: {name} -->\n\n")[2].partition("\n\n")[0]
    assert found.strip() == expected.strip()


def test_the_output_of_the_page_is_that_of_the_program(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setenv("COLUMNS", "100")
    ((arguments, output, status),) = [one for block in blocks("docs/axioms.md", "") for one in commands_of(block)]
    with pytest.raises(SystemExit) as ended:
        run(arguments)
    assert ended.value.code == status
    assert capsys.readouterr().out.startswith("\n".join(output).partition("…")[0].rstrip("\n"))


def test_names() -> None:
    assert [named(name) for name in ("dp", "npr", "CausDP", "safe")] == ["bodp", "npr", "causdp", "safe"]


def test_no_verdict_is_written_for_a_definition() -> None:
    """The data name parts, models and printed cells; a key stands only where Table 3 and its clashes do."""
    for path in sorted(FOLDER.glob("*.toml")):
        if path.stem not in {"table-3", "clashes"}:
            assert not set(tomllib.loads(path.read_text(encoding="utf-8"))) & set(keys()), path
    assert model_of("axioms/shares-a") is axioms_refutations.model_of("axioms/shares-a")


def test_the_card_of_a_definition_without_a_delta_speaks_of_none() -> None:
    for key, definition in atlas.items():
        words = dict(card_items(key)).get("composition", "")
        assert definition.has_delta or "δ" not in words, key
    assert "so does a δ" in dict(card_items("adp"))["composition"]
