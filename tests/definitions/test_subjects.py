"""Each definition says of itself what it compares: its words and conventions are those of its own builder."""

from __future__ import annotations

from collections.abc import Iterator
from fractions import Fraction
from itertools import product

import pytest

import verifier as pk
from verifier.definitions import COMPARISONS, DEFINITIONS, ON_REQUEST, Definition, conventions_of, find
from verifier.definitions.builders import resolve
from verifier.definitions.builders.resolve import BuilderCase, Given, NamedRow, Point, RowGroup
from verifier.definitions.compared_kinds import NOTHING_COMPARED, About, Comparisons, compared_by
from verifier.definitions.registry import CENTRES, OF_THEIR_OWN, read_definition
from verifier.engine import Engine
from verifier.model.keys import Location
from verifier.show.axis_words import choices_of

OF_TEXTS = {key: definition for key, definition in {**DEFINITIONS, **ON_REQUEST}.items() if not definition.own}
WITHOUT_WORDS = {"dps", "safe", "dependency"}
"""Definitions for which DP22's axes have no words."""
ENTRY = """
key = "swap-dp"
title = "differential privacy where two records are exchanged"
source = "a test"
builder = "exchanged values"
formula = "M(D₁) ≈(ε,δ) M(D₂) where D₂ is D₁ with the values of two records exchanged"
"""
THREE = list(product((0, 1), repeat=3))


def chance(database: tuple[int, ...]) -> Fraction:
    """P[M(D) = x], which no two databases have in common."""
    return Fraction(1 + 4 * database[0] + 2 * database[1] + database[2], 9)


ROWS = [{"database": list(d), "outputs": {"x": str(chance(d)), "y": str(1 - chance(d))}} for d in THREE]
ORDERED = {"size": 3, "values": [0, 1], "mechanism": {"table": ROWS}}


def exchanged(case: BuilderCase, _reading: str) -> Iterator[RowGroup]:
    """M(D) against M(D with the values of the protected record and of another one exchanged)."""
    size, i = case.positions
    for first in product(range(len(case.values)), repeat=size):
        for j in range(size):
            if first[i] != first[j]:
                second = tuple(first[j] if k == i else first[i] if k == j else v for k, v in enumerate(first))
                row = NamedRow((Point(first),), (Point(second),))
                yield RowGroup(case.values[first[i]], case.values[first[j]], (row,))


ABOUT = About("exchanged values", "two databases that differ by an exchange", "nothing is compared: all are alike")
EXCHANGING = resolve.Comparing("neighbours", ABOUT, exchanged, resolve.outputs, "all")


@pytest.fixture
def swap_dp(monkeypatch: pytest.MonkeyPatch) -> Definition:
    """A definition by a builder that names pairs of databases, as one of the texts."""
    monkeypatch.setitem(COMPARISONS, "exchanged values", EXCHANGING)
    definition = read_definition(ENTRY, Location("swap-dp.toml"), own=False)
    monkeypatch.setitem(ON_REQUEST, "swap-dp", definition)
    return definition


MADE = (OF_THEIR_OWN, {name: CENTRES[name] for name in ("simulator", "simulated-beliefs")})
BUILDERS: tuple[Comparisons, ...] = (*COMPARISONS.values(), *(made() for kind in MADE for made in kind.values()))


def test_no_two_comparisons_have_one_subject_or_the_same_words() -> None:
    every = [row.about for row in BUILDERS]
    words = [each.words for each in every if each.words]
    assert len({each.subject for each in every}) == len(every)
    assert len(set(words)) == len(words)


@pytest.mark.parametrize("key", OF_TEXTS)
def test_a_definition_has_the_words_of_its_own_builder(key: str) -> None:
    definition = OF_TEXTS[key]
    named = [row for row in BUILDERS if row == definition.compare]
    assert len(named) == 1
    if isinstance(named[0], resolve.Comparing):
        assert definition.compare is named[0]
    choices = choices_of(definition)
    assert (choices is None) == (key in WITHOUT_WORDS)
    if choices is not None:
        assert choices.builder == f"It compares {named[0].about.words}."


def test_the_convention_of_neighbours_is_about_neighbours_alone(swap_dp: Definition) -> None:
    listed = {key for key in OF_TEXTS if "neighbours" in {convention.key for convention in conventions_of(key)}}
    assert listed == {"dp", "tail-dp"}
    assert conventions_of(swap_dp.key) == []
    assert compared_by(swap_dp) == ("exchanged values",)
    assert list(swap_dp.readings) == ["default"]


def test_a_new_definition_says_what_its_own_builder_compares(swap_dp: Definition) -> None:
    choices = choices_of(swap_dp)
    assert choices is not None
    assert choices.builder == "It compares two databases that differ by an exchange."
    assert not choices.needs_theta
    one_person = pk.build(**{**ORDERED, "size": 1, "mechanism": {"kind": "count", "value": 1}})
    answer = pk.check(one_person, "swap-dp", replay=False)
    assert (answer.verdict, answer.reason) == ("vacuous", "nothing is compared: all are alike")
    many = pk.build(size=(0, 2), values=[0, 1], mechanism={"kind": "count", "value": 1})
    assert str(pk.check(many, "swap-dp").reason).startswith("this compares databases of one size (a test), but")


def test_a_builder_may_name_pairs_of_databases(swap_dp: Definition) -> None:
    """The smallest δ of an order of three bits is that of the naive sum, and the witness shows both databases."""
    model = pk.build(**ORDERED)
    answer = pk.check(model, swap_dp.key, epsilon=0, replay=False)
    worst = max(abs(chance(d) - chance(exchange(d, i, j))) for i, j in ((0, 1), (0, 2), (1, 2)) for d in THREE)
    assert answer.verdict == "fails"
    assert answer.tight_delta == worst == Fraction(1, 3)
    assert answer.witness is not None
    assert answer.witness.databases is not None
    first, second = ([value.text for value in database] for database in answer.witness.databases)
    assert sorted(first) == sorted(second)
    assert first != second
    counted = pk.build(**{**ORDERED, "mechanism": {"kind": "count", "value": 1}})
    assert pk.check(counted, swap_dp.key, epsilon=0, replay=False).verdict == "holds"


def exchange(database: tuple[int, ...], i: int, j: int) -> tuple[int, ...]:
    """The database with the values of two records exchanged."""
    values = list(database)
    values[i], values[j] = values[j], values[i]
    return tuple(values)


def test_databases_are_counted_before_there_are_too_many() -> None:
    engine = Engine(pk.build(**ORDERED), max_rows=3)
    with pytest.raises(pk.LimitError, match="at least 4 pairs of databases"):
        list(EXCHANGING(engine, "default"))
    pairs = 3 * 2**3  # each of 3 records with each of the 2 others, in 8 databases, of which half have two values there
    every = Engine(engine.model, max_rows=pairs)
    assert sum(one.multiplicity for each in EXCHANGING(every, "default") for one in each.comparisons) == pairs


def test_a_law_of_some_theta_is_no_database() -> None:
    def given(case: BuilderCase, _reading: str) -> Iterator[RowGroup]:
        yield RowGroup(0, 1, (NamedRow((Given(None, case.values[0]),), (Given(None, case.values[1]),)),))

    wrong = resolve.Comparing("neighbours", ABOUT, given, resolve.outputs, "all")
    with pytest.raises(TypeError, match="a builder names databases alone"):
        list(wrong(Engine(pk.build(**ORDERED)), "default"))


@pytest.mark.parametrize("key", ["ddp", "ibddp", "cwpr"])
def test_what_a_procedure_decides_is_not_said_to_be_undecided(key: str) -> None:
    with pytest.raises(pk.UnsupportedError, match=f"{key} lists no pairs of laws; a procedure of its own decides it"):
        find(key).sets(Engine(pk.build(**ORDERED)), "default")


def test_a_definition_without_comparisons_is_not_decided() -> None:
    answer = pk.check(pk.build(**ORDERED), Definition("mine", "t", "s", "f", "neighbours"), replay=False)
    assert str(answer.reason).startswith("mine is not decided by this version")


def test_a_definition_made_in_python_compares_what_its_kind_is_named_after() -> None:
    made = [Definition("mine", "t", "s", "f", kind) for kind in ("neighbours", "conditional", "else")]
    assert [definition.about.subject for definition in made] == ["neighbours", "conditional", "else"]
    assert made[2].about.nothing == made[1].about.nothing == NOTHING_COMPARED
    assert [definition.needs_theta for definition in made] == [False, True, True]
