"""What a search claims, by hand: statements about a model, and the scopes that are gone through."""

from __future__ import annotations

import tomllib
from collections import Counter
from fractions import Fraction
from pathlib import Path
from typing import Any

import pytest

from verifier.checker import Rejected
from verifier.checker.laws import DEFINITIONS, Compared, Pair, Tables
from verifier.checker.model.labels import MOST, Uncovered
from verifier.checker.model.mechanisms import side_by_side as outputs_side_by_side
from verifier.checker.search.scope import replay_search
from verifier.checker.search.statement import ReplayedStatement, Undecided, level, lines, parsed, places, ratios

Json = dict[str, Any]
ABOUT: list[Json] = tomllib.loads((Path(__file__).parent / "statements.toml").read_text(encoding="utf-8"))["about"]


def model(about: Json) -> Json:
    """A model as a certificate lists it."""
    databases = list(about["mechanism"])
    records = list(range(len(databases[0])))
    worlds = [[[*world.split()[0]], world.split()[1], None, p] for world, p in about["worlds"].items()]
    return {
        "size": len(records), "values": ["0", "1"], "secrets": about.get("secrets", records), "domain": ["0", "1"],
        "worlds": {"θ": worlds}, "mechanism": [[[*d], law] for d, law in about["mechanism"].items()],
    }  # fmt: skip


def asked(how: str) -> list[tuple[Json, str]]:
    """The models, each with the statements that are decided so."""
    return [(about, statement) for about in ABOUT for statement in about.get(how, ())]


def decided(about: Json, statement: str) -> bool:
    found = ReplayedStatement(parsed(statement)).decided(model(about), {})
    assert all(lenient == strict for lenient, strict in found)
    return all(lenient for lenient, _ in found)


@pytest.mark.parametrize(
    ("about", "statement"), asked("true") + asked("false"), ids=lambda one: one if isinstance(one, str) else ""
)
def test_statements_by_hand(about: Json, statement: str) -> None:
    assert decided(about, statement) == (statement in about.get("true", ()))


@pytest.mark.parametrize(
    ("about", "statement"), asked("undecided"), ids=lambda one: one if isinstance(one, str) else ""
)
def test_what_goes_further_is_undecided(about: Json, statement: str) -> None:
    with pytest.raises(Undecided):
        decided(about, statement)


@pytest.mark.parametrize(("about", "statement"), asked("wrong"), ids=lambda one: one if isinstance(one, str) else "")
def test_what_is_no_statement_is_refused(about: Json, statement: str) -> None:
    with pytest.raises(Rejected):
        decided(about, statement)


# --- where an answer may change ---------------------------------------------------------------------------------------

P = {"a": Fraction(8, 16), "b": Fraction(4, 16), "c": Fraction(3, 16), "d": Fraction(1, 16)}
Q = {"a": Fraction(1, 16), "b": Fraction(1, 16), "c": Fraction(6, 16), "e": Fraction(8, 16)}
ONE = Compared("θ", 0, "0", "1", None, [Pair(Fraction(1), "x", P, Q, "")])
SAME = Compared("θ", 1, "0", "1", None, [Pair(Fraction(1), "x", P, P, "")])
"""P/Q is 8, 4, 1/2, infinite and 0."""
AVERAGE = Compared("θ", 0, "0", "1", None, [Pair(Fraction(1, 3), "x", P, Q, ""), Pair(Fraction(1, 2), "y", Q, P, "")])


def test_ratios_and_lines_of_all_events() -> None:
    assert ratios(ONE) == [1, 4, 8]
    assert ratios(SAME) == [1]
    assert ratios(AVERAGE) == [1, 2, 4, 8]
    every = {(Fraction(13, 16), Fraction(2, 16)), (Fraction(9, 16), Fraction(1, 16)), (Fraction(1, 16), Fraction(0))}
    assert set(lines([ONE])) == every
    assert [level(lines([ONE]), Fraction(E)) for E in (1, 4, 6, 8, 9)] == [
        Fraction(x, 16) for x in (11, 5, 3, 1, 1)
    ]  # fmt: skip


def test_places_where_lines_meet() -> None:
    """1 - E/8 meets 1/2 at 4 and 3/4 at 2; what meets below 1, or never, does not count."""
    falling, one, other = (Fraction(1), Fraction(1, 8)), (Fraction(1, 2), Fraction(0)), (Fraction(3, 4), Fraction(0))
    assert places([falling, one, other, (Fraction(2), Fraction(9))]) == [1, 2, 4, Fraction(3, 2), 3, 5]
    assert places([one, other]) == [1, 2]
    assert places([falling]) == [1, 2]


# --- scopes -----------------------------------------------------------------------------------------------------------

RESPONSE = ABOUT[-1]
SMALLEST = {"records": 1, "values": 2, "outputs": 1, "knowledge": 1, "weights": 1, "mechanism_weights": 1}
RENAMED = ["records", "values", "outputs", "knowledge"]
TOLD = model(RESPONSE)
TWO_OUTPUTS = [(w, x, y) for w in range(3) for x in range(5) for y in range(5) if x + y not in {0, 8}]
"""θ gives w/2 to the value 0; the mechanism gives its first output with x/4 on 0 and y/4 on 1: both are possible."""


@pytest.mark.parametrize(
    ("name", "most", "models", "orbits"),
    [
        ("records", 4, 2 + 4 + 8 + 16, 1 + 2 + 2 + 3),
        ("values", 5, 2 + 3 + 4 + 5, 4),
        ("outputs", 6, 2 + 2 * 2, 1 + 1),
        ("knowledge", 6, 2, 1),
        ("weights", 1000, 1001, 501),
        ("mechanism_weights", 1000, 2, 1),
    ],
)
def test_the_largest_scopes(name: str, most: int, models: int, orbits: int) -> None:
    """By hand: a point of Tⁿ up to renaming, or two weights of a sum; one output, or two that tell the points apart."""
    certificate = {
        "scope": {**SMALLEST, name: most, "first_only": False},
        "satisfies": [],
        "violates": "np(e) => np(2*e)",
        "renamed": RENAMED,
        "models": models,
        "orbits": orbits,
        "verdict": "none in scope",
        "found": None,
        "vacuous": False,
    }
    assert replay_search(certificate) == ""
    forgeries: list[dict[str, Any]] = [{"models": models + 1}, {"orbits": orbits + 1}, {"renamed": []}]
    for wrong in (*forgeries, {"verdict": "separated"}):
        with pytest.raises(Rejected):
            replay_search({**certificate, **wrong})
    larger = {**certificate, "scope": {**SMALLEST, name: most + 1, "first_only": False}}
    with pytest.raises(Rejected, match=rf"the scope has {name} = {most + 1}\. Expected at most {most}"):
        replay_search(larger)


@pytest.mark.parametrize("only_vacuously", [True, False])
def test_a_model_that_satisfies_something_only_where_nothing_is_compared(*, only_vacuously: bool) -> None:
    """At a small ε dp fails; at a larger one it holds, and np compares nothing where D(0) is certain."""
    left, orbits = set(TWO_OUTPUTS), 0
    while left:
        w, x, y = next(iter(left))
        left -= {(w, x, y), (2 - w, y, x), (w, 4 - x, 4 - y), (2 - w, 4 - y, 4 - x)}
        orbits += 1
    worlds = {"0 k": "1"} if only_vacuously else RESPONSE["worlds"]
    found = {**model({**RESPONSE, "worlds": worlds}), "at": {}, "only_vacuously": only_vacuously}
    certificate = {
        "scope": {**SMALLEST, "outputs": 2, "weights": 2, "mechanism_weights": 4, "first_only": False},
        "satisfies": ["dp(e) => np(e)"],
        "violates": None,
        "renamed": RENAMED,
        "models": 3 + len(TWO_OUTPUTS),
        "orbits": 2 + orbits,
        "verdict": "separated",
        "found": found,
        "vacuous": True,
    }
    assert replay_search(certificate) == ""
    with pytest.raises(Rejected):
        replay_search({**certificate, "found": {**found, "only_vacuously": not only_vacuously}})


def test_the_tables_of_an_honest_certificate_are_read() -> None:
    assert list(Tables(TOLD).families(DEFINITIONS["np"], "default"))


def test_possible_values_are_those_that_each_knowledge_value_leaves() -> None:
    """k says that the record is 0, l nothing: after b = 1 only l is compared, after b = 0 both, in both directions."""
    told = model({**RESPONSE, "worlds": {"0 k": "1/2", "0 l": "1/4", "1 l": "1/4"}})
    ((*compared,),) = Tables(told).families(DEFINITIONS["ibcdp"], "possible-values")
    found = Counter((comparison.b, *comparison.pairs[0].knowledge) for comparison in compared)
    assert found == {(b, known, t): 2 for b, known in (("0", "k"), ("0", "l"), ("1", "l")) for t in ("x", "y")}


def test_as_many_outputs_side_by_side_as_there_may_be() -> None:
    long: list[Any] = [(k, 1) for k in range(MOST)]
    assert len(outputs_side_by_side([lambda: long])) == MOST
    with pytest.raises(Uncovered, match="too many"):
        outputs_side_by_side([lambda: [*long, (-1, 1)]])
