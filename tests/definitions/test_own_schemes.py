"""Recipes of one's own from the parts of DP22's scheme: builders, views, measures, aggregations."""

from __future__ import annotations

import tomllib
from collections.abc import Iterator
from fractions import Fraction
from pathlib import Path
from typing import Any

import pytest

import verifier as pk
from verifier.cli.main import run
from verifier.definitions import DEFINITIONS, Definition, load
from verifier.definitions.atlas import atlas
from verifier.definitions.registry import FOLDER
from verifier.definitions.scheme import BUILDERS
from verifier.model.library import models_folder
from verifier.model.write import toml_text
from verifier.show.cards import card_rows

TOUR = pk.read(models_folder() / "atlas" / "tour.toml")
DOCS = models_folder().parent / "docs"
OWN = {"key", "title", "builder", "steps", "within", "restrict", "scale", "scaled", "about", "cells", "together"}
OWN |= {"view", "measure", "aggregation"}


@pytest.fixture(autouse=True)
def forgotten() -> Iterator[None]:
    """Forget the definitions that a test registers."""
    before = dict(DEFINITIONS)
    yield
    DEFINITIONS.clear()
    DEFINITIONS.update(before)


def recipe(folder: Path, **keys: Any) -> Definition:
    """A recipe, read from a file."""
    file = folder / "mine.toml"
    file.write_text(toml_text({"key": "mine", "title": "mine", **keys}), encoding="utf-8")
    return load(file)[0]


@pytest.mark.sweep(3)
@pytest.mark.parametrize("key", [key for key in atlas.entries if "builder" in (FOLDER / f"{key}.toml").read_text()])
def test_the_parts_of_a_definition_of_dp22_are_a_recipe_of_the_same(key: str, tmp_path: Path) -> None:
    entry = tomllib.loads((FOLDER / f"{key}.toml").read_text(encoding="utf-8"))
    mine = recipe(tmp_path, **{**{name: value for name, value in entry.items() if name in OWN}, "key": "mine"})
    assert mine.own
    first, second = (pk.check(TOUR, definition, replay=False) for definition in (mine, atlas[key]))
    assert (first.verdict, first.reason, str(first.tight_epsilon)) == (
        second.verdict,
        (second.reason or "").replace(key, "mine") or None,
        str(second.tight_epsilon),
    )


def test_the_recipe_of_the_page(capsys: pytest.CaptureFixture[str]) -> None:
    file = DOCS / "own-definitions" / "two_records_renyi.toml"
    assert file.read_text(encoding="utf-8") in (DOCS / "own-definitions.md").read_text(encoding="utf-8")
    model = str(models_folder() / "atlas" / "tour.toml")
    with pytest.raises(SystemExit) as stop:
        run(["check", model, "--with", str(file), "--definition", "two-records-renyi", "--all"])
    assert stop.value.code == 0
    text = " ".join(capsys.readouterr().out.split())
    assert "no: the checker has no copy of a recipe with a comparison of the atlas" in text
    assert "two databases that differ in at most 2 records" in text
    assert "the Rényi divergence of order 2" in text
    answer = pk.check(TOUR, "two-records-renyi")
    assert answer.replayed is not True
    assert str(answer.tight_epsilon) == str(pk.check(TOUR, "two-records-renyi", replay=False).tight_epsilon)
    assert answer.tight_epsilon is not None
    assert answer.tight_epsilon > pk.check(TOUR, "renyidp").tight_epsilon  # type: ignore[operator]


def test_it_stands_in_passports_and_has_a_card(tmp_path: Path) -> None:
    mine = recipe(tmp_path, builder="relation", steps="change", measure="ratio")
    answers = {answer.definition: answer for answer in pk.overview(TOUR)}
    assert str(answers["mine"].tight_epsilon) == str(answers["dp"].tight_epsilon)
    rows = dict(card_rows(mine))
    assert rows["compares"] == "It compares two databases that differ in the value of one record."
    assert rows["formula"] == "builder relation, steps change, measure ratio"


def test_each_record_that_differs_keeps_all_attributes_but_one(tmp_path: Path) -> None:
    """Only a and b differ in one attribute, so that the number of c stays: it is 0, or 1; [c, c] has no neighbour."""
    mine = recipe(tmp_path, builder="relation", steps="change", within="2", restrict=["attributes"], measure="ratio")
    attributes = {"a": ["u", "v"], "b": ["u", "w"], "c": ["s", "t"]}
    counted = {"kind": "count", "value": "c"}
    model = pk.build(size=2, values=[*attributes], mechanism=counted, policy={"attributes": attributes})
    answer = pk.check(model, mine, replay=False)
    assert (str(answer.tight_epsilon), answer.comparisons) == ("0", 2)


def test_a_search_takes_it(tmp_path: Path) -> None:
    recipe(tmp_path, builder="relation", measure="kl")
    asked: dict[str, Any] = {"satisfies": "mine(epsilon=ln(2))", "violates": "dp(epsilon=ln(2))"}
    found = pk.search(**asked, records=1, weights=1, mechanism_weights=4)
    assert found.verdict == "separated"


TWO_LAWS = """
size = 1
values = ["a", "b"]
[mechanism]
table = [
  { database = ["a"], outputs = { x = "9/10", y = "1/10" } },
  { database = ["b"], outputs = { x = "1" } },
]
[policy]
prior = { a = "1/2", b = "1/2" }
gamma = "1/4"
"""


def test_the_parts_of_an_average_at_a_delta(tmp_path: Path) -> None:
    """Given x, which has a probability of at least 1 - δ under both laws, they are equal: every part is 0."""
    mine = recipe(tmp_path, builder="redrawn-record", measure="concentrated-approximately", aggregation="average")
    found = pk.check(pk.loads(TWO_LAWS), mine, delta="1/10")
    assert (found.verdict, str(found.tight_epsilon)) == ("holds", "0")
    assert found.tightest is not None
    assert [str(part.divergence) for part in found.tightest.parts or ()] == ["0", "0"]


def test_the_events_of_a_curve_of_which_a_share_is_left_out(tmp_path: Path) -> None:
    """Of four pairs two are of one law. Of the others, where y is 1/10 against 0, one alone could be left out."""
    mine = recipe(tmp_path, builder="random-pair", measure="hockey-stick", aggregation="all-but")
    found = pk.check(pk.loads(TWO_LAWS), mine, epsilon="ln(2)")
    assert (found.verdict, str(found.tight_delta)) == ("fails", "1/10")
    pieces = found.witness.pieces if found.witness else None
    assert [(piece.weight, piece.left_out) for piece in pieces or ()] == [(Fraction(1, 4), None)] * 2


def test_pairs_that_are_allowed_different_multiples_have_no_profile(tmp_path: Path) -> None:
    """Each value is told, but for c, which says a and b with 1/2 each; a and b are 2 apart.

    a against c is 1 - e^ε/2, c against a 1/2, and a against b 1 at every ε, of which twice as much is allowed there.
    """
    mine = recipe(tmp_path, builder="relation", steps="any", scale="distance", measure="hockey-stick")
    laws: list[dict[str, str]] = [{"a": "1"}, {"b": "1"}, {"a": "1/2", "b": "1/2"}]
    rows = [{"database": [value], "outputs": law} for value, law in zip("abc", laws, strict=True)]
    apart = [[["a"], ["b"], "2"], [["a"], ["c"], "1"], [["b"], ["c"], "1"]]
    model = pk.build(size=1, values=["a", "b", "c"], mechanism={"rows": rows}, policy={"distance": apart})
    found = pk.check(model, mine, epsilon="ln(2)")
    assert (str(found.tight_delta), found.has_profile) == ("1", False)
    with pytest.raises(pk.UnsupportedError, match=r"whole profile of mine is not known.*answer\.delta_at"):
        _ = found.profile


@pytest.mark.parametrize(
    ("keys", "words"),
    [
        ({"builder": "nothing", "measure": "ratio"}, "the closest: relation, "),
        ({"builder": "relation"}, "`measure` is missing"),
        ({"builder": "relation", "measure": "nothing"}, '"nothing" is not a measure'),
        (
            {"builder": "relation", "measure": "renyi-0"},
            r'"renyi-0" is not a measure\. .*abs-3\. Hint: .* read `order`',
        ),
        ({"builder": "relation", "measure": "renyi-257"}, '"renyi-257" is not a measure'),
        ({"builder": "relation", "measure": "root-abs-2"}, r'"root-abs-2" is not a measure\. .*root-abs read `order`'),
        ({"builder": "relation", "measure": "abs-0"}, '"abs-0" is not a measure'),
        ({"builder": "relation", "measure": "ratio", "within": "order"}, '"order" is not a number of steps'),
        ({"builder": "relation", "measure": "ratio", "within": "0"}, '"0" is not a number of steps'),
        ({"builder": "relation", "measure": "ratio", "aggregation": "average"}, "average does not go with the builder"),
        (
            {"builder": "redrawn-record", "measure": "kl", "aggregation": "all-but"},
            "all-but does not go with the builder",
        ),
        ({"builder": "beliefs", "about": "record", "measure": "kl"}, "kl does not go with the builder beliefs"),
        ({"builder": "relation", "measure": "semantic"}, "semantic does not go with the builder relation"),
        ({"builder": "relation", "measure": "ratio", "comparisons": "conditional"}, "`comparisons` is unknown"),
        ({"builder": "relation", "measure": "ratio", "dimensions": "N"}, "`dimensions` is unknown"),
        ({"builder": "relation", "measure": "ratio", "restrict": ["x"]}, "Expected one of sensitive"),
    ],
)
def test_what_is_no_recipe_is_refused(keys: dict[str, Any], words: str, tmp_path: Path) -> None:
    with pytest.raises(pk.InputError, match=words):
        recipe(tmp_path, **keys)


def test_every_builder_is_in_some_entry() -> None:
    named = {tomllib.loads(file.read_text(encoding="utf-8")).get("builder") for file in FOLDER.glob("*.toml")}
    assert set(BUILDERS) <= named
