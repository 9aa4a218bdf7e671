"""The kinds of mechanisms: what is said of each, in tips and in the description of model files, is true of it."""

from __future__ import annotations

import json
import re
from collections.abc import Iterator
from dataclasses import replace
from fractions import Fraction
from itertools import product
from pathlib import Path
from typing import Any

import pytest
import strategies
from examined import at_least_one
from twin_laws import Twin, joined

import verifier as pk
from verifier.checker import mechanisms, steps
from verifier.errors import LimitError
from verifier.model.read_mechanism import ANY_SIZE, KINDS
from verifier.model.steps import STEPS

CASES = (Path(__file__).parent / "kinds.jsonl").read_text(encoding="utf-8").splitlines()
"""Mechanisms with their laws on some databases, by hand; a database by the places of its values in T."""
FORMAT = (Path(__file__).resolve().parents[2] / "models" / "FORMAT.md").read_text(encoding="utf-8")
CLASSES = {"1": "a", "2": "b"}
COUNT = {"kind": "count", "value": 1}
OF_OTHERS: dict[str, dict[str, Any]] = {
    "k-anonymization": {"k": 1, "generalizations": {"0": CLASSES, "1": CLASSES, "2": CLASSES}, "choose": COUNT},
    "adaptive": {"first": COUNT, "next": {}, "otherwise": {"kind": "mean"}},
    "choice": {"of": [{"weight": 1, "mechanism": {"kind": "mean"}}]},
    "all": {"of": [COUNT, {"kind": "mean"}]},
}
"""Compositions of which a part is not defined on any number of records; of all other kinds the example is taken."""


def test_each_kind_and_step_has_a_law_by_hand() -> None:
    """Whoever declares one more adds its line."""
    given = [json.loads(case)["mechanism"] for case in CASES]
    assert {mechanism.get("kind") for mechanism in given} >= set(KINDS)
    assert {step.get("kind") for mechanism in given for step in mechanism.get("then", [])} >= set(STEPS)


def test_the_checker_has_each_kind_and_step_with_its_keys() -> None:
    for name, kind in at_least_one(KINDS.items()):
        ways = {way.name for key in kind.keys for way in key.ways} - {"then"}  # which every mechanism may have
        assert mechanisms.KINDS[name].keys == ways, name
    for name, step in at_least_one(STEPS.items()):
        assert steps.STEPS[name][1] == {way.name for key in step.keys for way in key.ways}, name


def test_each_kind_has_a_row_in_the_description_of_model_files() -> None:
    table = FORMAT.split("## Mechanisms")[1].split("| kind | keys | output |")[1].split("\n\n")[0]
    cells = [line.split("|")[1] for line in table.splitlines() if line.startswith("| ")]
    assert {kind for cell in cells for kind in re.findall(r"`([^`]+)`", cell)} == set(KINDS)


def test_random_models_have_mechanisms_of_each_kind() -> None:
    """But for k-anonymizations, of which those of several sizes are random (tests/definitions/test_sizes.py)."""
    named = {*strategies.NAMED, *strategies.OF_NUMBERS, *strategies.OF_POSITIVE, *strategies.COMPOSED}
    assert named | {"all", *strategies.RANDOM, "k-anonymization"} == {*KINDS}


def laws(
    spec: dict[str, Any], values: list[Any], row: tuple[int, ...], people: dict[str, Any]
) -> Iterator[dict[str, str]]:
    """The law of M(D) by the program, and by the checker; its tails may be cut elsewhere."""
    theta = {"iid": {str(v): f"1/{len(values)}" for v in values}}
    keys = {"size": len(row), "values": values, "distribution": theta, "mechanism": spec, "people": people}
    made = pk.build(**keys).mechanism.law(row)
    of_program = {o.text: str(Fraction(w, made.denominator)) for o, w in made.items() if w}
    yield of_program
    twin = Twin(spec, values, len(row), people=people).law(tuple(values[k] for k in row))
    yield {o: str(p) for o, p in joined(twin, of_program).items()}


@pytest.mark.parametrize("case", CASES, ids=range(len(CASES)))
def test_laws_by_hand(case: str) -> None:
    given = json.loads(case)
    for database, wanted in at_least_one(given["laws"].items()):
        row = tuple(map(int, database))
        for law in at_least_one(laws(given["mechanism"], given["values"], row, given.get("people", {}))):
            assert law == wanted, database


@pytest.mark.parametrize("kind", KINDS)
@pytest.mark.parametrize(("values", "size"), [([0, 1], 2), ([True, False], 1), ([1, 2, 3], 4)])
def test_the_example_of_a_kind_is_a_mechanism(kind: str, values: list[Any], size: int) -> None:
    keys = {"kind": kind, **KINDS[kind].example(values, size)}
    if KINDS[kind].needs and not all(type(value) is int and value > 0 for value in values):
        pytest.skip("the kind needs positive numbers")
    assert pk.build(size=size, values=values, mechanism=keys).mechanism.law((0,) * size) is not None


@pytest.mark.parametrize("step", STEPS)
def test_the_example_of_a_step_is_a_step(step: str) -> None:
    before = {"kind": "count", "value": 1} if step == "geometric-noise" else {"kind": "identity"}
    keys = {"kind": step, **STEPS[step].example([0, 1], 2)}
    assert pk.build(size=2, values=[0, 1], mechanism={**before, "then": [keys]}).mechanism.law((0, 1)) is not None


@pytest.mark.parametrize("kind", KINDS)
def test_a_kind_can_be_sampled_where_the_list_says_it(kind: str) -> None:
    """And is then one of databases of several sizes."""
    keys = {"kind": kind, **(OF_OTHERS.get(kind) or KINDS[kind].example([1, 2], 2))}
    model = pk.build(size=2, values=[1, 2], distribution={"iid": {1: "1/2", 2: "1/2"}}, mechanism=keys)
    statistic = model.mechanism.statistic
    assert (statistic is not None and statistic.any_size and statistic.uniform) == (kind in ANY_SIZE)
    keys["sample"] = "1/2"
    if kind in ANY_SIZE:
        assert pk.build(size=(0, 2), values=[1, 2], mechanism=keys).mechanism.law(()) is not None
    elif kind != "part":  # a part of listed records may be sampled where all databases have one size
        with pytest.raises(pk.InputError):
            pk.build(size=2, values=[1, 2], mechanism=keys)


def test_the_description_of_model_files_says_which_kinds_can_be_sampled() -> None:
    table = FORMAT.split("## Mechanisms")[1].split("| any size |")[1].split("\n\n")[0]
    named = re.findall(r"^\| `([^`]+)` .* yes \|$", table, re.MULTILINE)
    assert tuple(named) == ANY_SIZE


@pytest.mark.parametrize("size", [2, (0, 2)])
@pytest.mark.parametrize("values", [[0, 1], ["a", "b", "c"]])
@pytest.mark.parametrize("sample", [{}, {"sample": "1/3"}])
def test_a_noisy_histogram_is_all_of_its_noisy_counts(size: Any, values: list[Any], sample: dict[str, str]) -> None:
    """Without a sample; one sample of the histogram is not a sample for each count."""
    noise = {"then": [{"kind": "geometric-noise", "epsilon": "ln(5/2)"}]}
    counts = [{"kind": "count", "value": value} for value in values]
    together: dict[str, Any] = {"kind": "all", "of": [{**count, **noise} for count in counts]}
    if sample:
        together = {"kind": "all", "of": counts, **sample, **noise}
    one, other = (
        pk.build(size=size, values=values, mechanism=mechanism).mechanism
        for mechanism in ({"kind": "histogram", **sample, **noise}, together)
    )
    assert one.tails == other.tails
    every = {tuple(sorted(database)) for database in product(range(len(values)), repeat=2)} | {(), (0,)}
    for database in every if isinstance(size, tuple) else product(range(len(values)), repeat=2):
        assert one.law(database) == other.law(database)


@pytest.mark.parametrize("values", [["no", "yes"], ["yes", "no"]])
def test_the_results_of_a_count_are_those_of_one_record_after_another(values: list[str]) -> None:
    """In the same order, and refused from the same number of records on."""
    for size in (1, 2, 7, 723, 724):
        statistic = pk.build(size=size, values=values, mechanism={"kind": "count", "value": "yes"}).mechanism.statistic
        assert statistic is not None
        assert statistic.uniform
        results: list[Any] = []
        for way in (statistic, replace(statistic, uniform=False)):
            try:
                results.append(way.reachable(size, 2, 8192))
            except LimitError as error:
                results.append(str(error))
        assert results[0] == results[1]
        assert isinstance(results[0], str) == (size == 724)
