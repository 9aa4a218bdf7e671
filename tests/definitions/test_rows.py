"""Names of laws: what an engine answers by its own means is what the plain expansion says; and the data files."""

from __future__ import annotations

import tomllib
from fractions import Fraction
from itertools import product
from typing import Any

import pytest
from examined import at_least_one
from hypothesis import assume, given, settings
from hypothesis import strategies as st
from strategies import Case, cases

import verifier as pk
from verifier.definitions import DEFINITIONS, ON_REQUEST
from verifier.definitions.builders.resolve import (
    EngineCase,
    Given,
    Name,
    Point,
    Replaced,
    Worlds,
    conditional,
    counterfactual,
    listed_cases,
    posterior,
    weights,
)
from verifier.definitions.registry import ENTRIES, OVERVIEW, entry_of, read_definition
from verifier.engine import Engine
from verifier.engine.pushforward import Pushforward
from verifier.errors import InputError, UnsupportedError
from verifier.machine.extras import has_numpy
from verifier.model import Model
from verifier.model.keys import Location
from verifier.tables import Label

pytestmark = pytest.mark.quick


BUILDERS = [
    (conditional, "default"),
    (conditional, "infinite-loss"),
    (counterfactual, "default"),
    (counterfactual, "all-values"),
    (posterior, "default"),
]


def normalized(weighted: dict[Any, Any]) -> dict[Any, Fraction]:
    exact = {
        outcome: weight if isinstance(weight, Fraction) else Fraction(int(weight))
        for outcome, weight in weighted.items()
    }
    total = sum(exact.values())
    return {outcome: weight / total for outcome, weight in exact.items() if weight}


def listed(laws: EngineCase) -> list[tuple[Any, Label, Label, Fraction]]:
    """The possible worlds: D, B̂, S, and their weights."""
    return [
        (world.database, known, laws.secret.of(world), world.weight * Fraction(weight, law.denominator))
        for world in laws.theta.worlds()
        for law in [laws.theta.known(world)]
        for known, weight in law.items()
        if world.weight and weight
    ]


def expanded(model: Model, laws: EngineCase, name: Name) -> dict[str, Fraction] | None:
    """The law of outputs of a name, from the worlds and the mechanism alone."""
    assert not isinstance(name, Point)
    known = laws.joint.cases[name.known].label
    plain = Given(known, name.value)
    moved = Replaced(known, name.value, model.values.index(name.by)) if isinstance(name, Replaced) else plain
    total: dict[str, Fraction] = {}
    for database, weight in weights(moved, listed(laws), laws.secret.record or 0).items():
        law = model.mechanism.law(database)
        for output, share in law.items():
            total[output.text] = total.get(output.text, Fraction(0)) + weight * Fraction(share, law.denominator)
    return normalized(total) if total else None


@pytest.mark.parametrize("way", ["rows", "columns", "sum"] if has_numpy() else ["rows", "sum"])
@settings(max_examples=24)
@given(cases(secrets=False), st.sampled_from(BUILDERS))
def test_an_engine_answers_a_name_as_the_plain_expansion_does(way: str, case: Case, asked: tuple[Any, str]) -> None:
    comparing, reading = asked
    model = pk.build(**case.keys)
    engine = Engine(model, force=way)
    try:
        every = list(listed_cases(engine))
    except UnsupportedError:
        every = []
    assume(every)
    for laws in at_least_one(every):
        groups = list(comparing.builder(laws, reading))
        law = laws.resolved(groups)
        names = {name for group in groups for row in group.rows for name in (*row.p, *row.q)}
        assume(names)
        for name in at_least_one(names):
            answer = law(name)
            told = answer.weights if isinstance(answer, Pushforward) else answer
            shown = None if told is None else normalized({output.text: weight for output, weight in told.items()})
            assert shown == expanded(model, laws, name)


@settings(max_examples=30)
@given(cases(max_size=2))
def test_the_plain_case_is_that_of_the_engine(case: Case) -> None:
    """What is possible, with which mass, and the laws on databases: from a list of worlds, and from the table."""
    for laws in at_least_one(listed_cases(Engine(pk.build(**case.keys), force="rows"))):
        worlds = listed(laws)
        knowledge = {laws.joint.cases[key].label: key for key in laws.knowledge}
        plain = Worlds(laws.values, laws.domain, tuple(knowledge), laws.positions, laws.absent, worlds)
        total = sum(weight for *_, weight in worlds)
        masses = {known: sum(weight for _, b, _, weight in worlds if b == known) for known in knowledge}
        assert sum(masses.values()) == total == laws.theta.denominator
        both: list[tuple[Label | None, Any]] = [*knowledge.items(), (None, None)]
        for known, key in both:
            share = Fraction(total if known is None else masses[known], total)
            assert not plain.possible("nobody", *laws.domain[:1])
            engine_total = sum(int(laws.mass(Given(key, a))) for a in laws.domain if laws.possible(key, a))
            for a, b in product(laws.domain, repeat=2):
                assert plain.possible(known, a) == laws.possible(key, a)
                assert plain.possible(known, a, b) == laws.possible(key, a, b)
                event = Given(known, a)
                mass = int(laws.mass(Given(key, a))) if laws.possible(key, a) else 0
                assert plain.mass(event) == Fraction(mass, engine_total) * share * total
                assert plain.law(event) == weights(event, worlds, laws.positions[1])
                assert sum(plain.law(event).values()) == plain.mass(event)
            if laws.secret.record is not None:
                changed = Replaced(known, laws.domain[0], len(laws.values) - 1)
                assert plain.law(changed) == weights(changed, worlds, laws.secret.record)


def test_every_file_is_a_definition_and_every_definition_of_the_texts_a_file() -> None:
    texts = {file.stem: file.read_text(encoding="utf-8") for file in ENTRIES.glob("*.toml")}
    built_in = {key for key, one in {**DEFINITIONS, **ON_REQUEST}.items() if not one.own}
    assert {tomllib.loads(text)["key"] for text in texts.values()} == set(texts) == built_in
    overview = [entry_of(key)["overview"] for key in OVERVIEW]
    assert overview == list(range(1, len(overview) + 1))
    assert all(one.plainly and one.group for one in (*DEFINITIONS.values(), *ON_REQUEST.values()))


@pytest.mark.parametrize(
    ("old", "new", "message"),
    [
        ('builder = "conditional"', 'builder = "conditionals"', "the closest: conditional"),
        ('builder = "conditional"', 'builder = ["conditional"]', "the closest: conditional"),
        ('builder = "conditional"', 'centre = "nothing"', '"nothing" is unknown'),
        ('aggregation = "average"', 'aggregation = "mean"', "Expected one of worst, average"),
        ('builder = "conditional"', 'builder = "neighbours"', "Expected worst"),
        ("title = ", "tittle = ", "title"),
        ('key = "ppkdp"', 'key = "ppkdp"\ncolour = "red"', "colour"),
    ],
)
def test_a_file_that_says_something_else_is_refused(old: str, new: str, message: str) -> None:
    text = (ENTRIES / "ppkdp.toml").read_text(encoding="utf-8")
    assert old in text
    with pytest.raises(InputError, match=message):
        read_definition(text.replace(old, new, 1), Location("ppkdp.toml"), own=False)


@pytest.mark.parametrize("comparisons", ["simulator", "two-mechanisms", "one-tuple-apart"])
def test_a_recipe_of_ones_own_lists_given_laws(comparisons: str) -> None:
    text = f'key = "mine"\ntitle = "mine"\ncomparisons = "{comparisons}"\n'
    with pytest.raises(InputError, match="Expected one of conditional"):
        read_definition(text, Location("mine.toml"), own=True)
