"""What is found is shrunk and checked in two ways; a finder that lies, or code that errs, is caught."""

from __future__ import annotations

import json
import tomllib
from dataclasses import replace
from fractions import Fraction
from itertools import product
from typing import Any

import pytest
from examined import at_least_one
from hypothesis import assume, given, settings
from hypothesis import strategies as st
from strategies_search import asked, candidates, statements

import verifier as pk
from verifier.checker.numbers import Rejected
from verifier.questions.expect import compare
from verifier.questions.language import statement
from verifier.questions.statement import Holds, Statement
from verifier.wings.search import file, separating_model
from verifier.wings.search.atom_verdicts import Facts
from verifier.wings.search.candidate import Candidate
from verifier.wings.search.orbits import database_renamings
from verifier.wings.search.question import SearchQuestion
from verifier.wings.search.separating_model import rechecked as verdict
from verifier.wings.search.separating_model import renamed, rounded, separation, steps, tidy
from verifier.wings.search.statement_truth import decide


def question(satisfied: str, violated: str | None) -> SearchQuestion:
    return SearchQuestion((statement(satisfied),), None if violated is None else statement(violated))


@settings(max_examples=20, deadline=None)
@given(candidates(records=2, values=2, outputs=3), asked(transforms=False), asked(transforms=False))
def test_a_separation_is_a_file_that_gives_its_answers(one: Candidate, first: Holds, second: Holds) -> None:
    wanted = SearchQuestion((first,), second)
    assume(wanted.answered(one.model()) is not None)
    made = separation(wanted, one, first=False)
    assert made.candidate.size <= tidy(one).size
    again = pk.loads(made.text)
    assert all(outcome.agrees for outcome in compare(again))
    assert wanted.answered(again) is not None
    assert {str(entry["definition"]) for entry in tomllib.loads(made.text)["expect"]} == {
        first.definition,
        second.definition,
    }
    constants = [atom for atom, _ in made.verdicts]
    answers = [Facts(again).verdict(atom) for atom in constants]
    assert answers == [verdict for _, verdict in made.verdicts]
    assert answers[-1] == "fails" or len(constants) == 1
    small = made.candidate.model()
    laws = [again.mechanism.law(d) == small.mechanism.law(d) for d in small.mechanism.all_databases()]
    assert all(laws)


@settings(max_examples=60, deadline=None)
@given(candidates(), statements(variables=False, transforms=False, depth=2))
def test_names_change_no_answer(one: Candidate, claim: Statement) -> None:
    other = renamed(one)
    assert other.size <= one.size
    assert renamed(other) == other
    for p, q in product(database_renamings(one.records, one.values, first_only=one.first_only), [0, 1]):
        law = tuple(one.law[d * one.knowledge + (b + q) % one.knowledge] for d in p for b in range(one.knowledge))
        rows = tuple(tuple(one.mechanism[d][(o + q) % one.outputs] for o in range(one.outputs)) for d in p)
        assert renamed(replace(one, law=law, mechanism=rows)) == other
    first, second = decide(claim, one.model()), decide(claim, other.model())
    assert (first.value, first.vacuous) == (second.value, second.vacuous)


@settings(max_examples=25, deadline=None)
@given(candidates(records=3))
def test_every_step_is_a_model(one: Candidate) -> None:
    for other in at_least_one({tidy(step) for step in steps(tidy(one))}):
        assert len(other.law) == other.values**other.records * other.knowledge
        assert (sum(other.law), min(other.law) >= 0) == (other.law_total, True)
        assert len(other.mechanism) == other.values**other.records
        assert all(sum(row) == other.row_total and len(row) == other.outputs for row in other.mechanism)
        assert other.model().size == other.records


@given(st.lists(st.integers(0, 9), min_size=1, max_size=5).filter(any), st.integers(1, 12))
def test_rounding_keeps_the_sum(weights: list[int], total: int) -> None:
    found_ = rounded(tuple(weights), total)
    assert sum(found_) == total
    for w, v in zip(found_, weights, strict=True):
        assert abs(Fraction(w, total) - Fraction(v, sum(weights))) < Fraction(1, total)


def test_a_large_model_shrinks_to_the_smallest() -> None:
    """NP without CDP, hidden in three records, three values and odd weights."""
    law = tuple(6 + (k % 5) if k in {0, 13, 26} else 0 for k in range(27))
    rows = tuple((7, 0, 0) if k in {0, 13, 26} else (1, 2, 4) if k % 2 else (0, 7, 0) for k in range(27))
    large = Candidate(3, 3, 3, 1, sum(law), 7, law, rows)
    wanted = question("np(0)", "cdp")
    made = separation(wanted, large, first=False).candidate
    smallest = pk.search(satisfies="np(0)", violates="cdp").separation
    assert smallest
    assert made == smallest.candidate


LIES = [
    ("np(0)", "cdp", Candidate(1, 2, 2, 1, 2, 1, (1, 1), ((1, 0), (0, 1)))),
    ("np(0)", "cdp", Candidate(1, 2, 2, 1, 1, 1, (1, 0), ((1, 0), (0, 1)))),  # np is vacuous
    ("apkdp(e, d)", "ppkdp(e, d)", Candidate(1, 2, 2, 1, 2, 4, (1, 1), ((3, 1), (1, 3)))),
]


@pytest.mark.parametrize(("first", "second", "one"), LIES)
def test_a_finder_that_lies_is_caught(first: str, second: str, one: Candidate) -> None:
    with pytest.raises(Rejected, match="does not answer"):
        separation(question(first, second), one, first=True)


COIN = Candidate(1, 2, 2, 1, 2, 4, (1, 1), ((3, 1), (1, 3)))


def test_another_model_than_was_found_is_caught(monkeypatch: pytest.MonkeyPatch) -> None:
    """The checkers, with their replay, are asked about another model: the last check has the integers."""
    wanted, keys = question("np(ln(2))", "np(0)"), Candidate.keys
    monkeypatch.setattr(separating_model, "shrunk", lambda one, _: one)
    with pytest.raises(Rejected, match="does not answer"):
        separation(wanted, COIN, first=True)

    def nearer(self: Candidate) -> Any:
        return json.loads(json.dumps(keys(self)).replace("3/4", "2/3").replace("1/4", "1/3"))

    monkeypatch.setattr(Candidate, "keys", nearer)
    with pytest.raises(Rejected, match="holds here, fails by the checker"):
        separation(wanted, COIN, first=True)


@pytest.mark.parametrize("satisfied", ["np(ln(3))", "twice(np(ln(9)))", "every-value-possible and np(ln(3))"])
def test_an_error_of_the_checkers_is_caught(satisfied: str, monkeypatch: pytest.MonkeyPatch) -> None:
    wanted = question(satisfied, "np(0)")
    assert separation(wanted, COIN, first=True).once == ()
    monkeypatch.setattr(separating_model, "rechecked", lambda *asked: {"holds": "fails"}.get(verdict(*asked) or ""))
    with pytest.raises(Rejected, match="holds here, fails by the checker"):
        separation(wanted, COIN, first=True)


def test_an_error_of_the_file_is_caught(monkeypatch: pytest.MonkeyPatch) -> None:
    wanted, write = question("np(ln(3))", "np(0)"), file.file_text
    monkeypatch.setattr(
        separating_model, "file_text", lambda *given: write(*given).replace("2/3", "3/4").replace("1/3", "1/4")
    )
    with pytest.raises(Rejected):
        separation(wanted, COIN, first=True)


def test_what_is_checked_once_is_said() -> None:
    told = pk.search(
        satisfies=["acceptable", 'cdp(0, reading="all-values")', "ddp(0)"], violates="cdp(0) and dp(0)", values=2
    )
    assert told.separation
    assert [str(one) for one in told.separation.once] == ["ddp(0)"]
    assert told.text
    assert 'reading = "all-values"' in told.text
    assert "acceptable = true" in told.text


def test_properties_that_no_file_asks_are_in_the_notes() -> None:
    told = pk.search(satisfies="deterministic and not independent", violates="post(np)")
    assert told.text
    notes = tomllib.loads(told.text)["notes"]
    assert "deterministic: holds. independent: fails. post(np): fails." in notes
