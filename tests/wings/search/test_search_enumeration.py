"""Every orbit once, in order: against Burnside's lemma, and against all models with all their renamings."""

from __future__ import annotations

from random import Random

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from model_ways import enumerate_models
from small_models import every_model, renamed
from strategies_search import candidates, statements

from verifier.questions.statement import Statement
from verifier.wings.search.candidate import Candidate
from verifier.wings.search.orbits import FULL, NONE, Symmetry, count
from verifier.wings.search.question import SearchQuestion
from verifier.wings.search.scope import Scope
from verifier.wings.search.statement_truth import decide

SCOPES = [
    Scope(1, 2, 2, 2, weights=4, mechanism_weights=2),
    Scope(1, 3, 3, 2, weights=2, mechanism_weights=2),
    Scope(2, 2, 2, 2, weights=2, mechanism_weights=1),
    Scope(2, 2, 2, 1, weights=3, mechanism_weights=2, first_only=True),
    Scope(2, 2, 3, 1, weights=2, mechanism_weights=1),
]
LARGER = [
    *SCOPES,
    Scope(2, 3, 2, 1, weights=3, mechanism_weights=1),
    Scope(3, 2, 2, 2, weights=2, mechanism_weights=1),
    Scope(3, 2, 2, 1, weights=2, mechanism_weights=1, first_only=True),
    Scope(2, 2, 2, 3, weights=3, mechanism_weights=2),
    Scope(1, 2, 4, 2, weights=3, mechanism_weights=4),
]
SYMMETRIES = [FULL, NONE, Symmetry(values=False), Symmetry(outputs=False), Symmetry(records=False, knowledge=False)]


@pytest.mark.parametrize("symmetry", SYMMETRIES)
@pytest.mark.parametrize("scope", LARGER)
def test_the_orbits_are_as_many_as_burnside_counts(scope: Scope, symmetry: Symmetry) -> None:
    every = list(enumerate_models(scope, symmetry))
    counted = count(scope, symmetry)
    assert (sum(size for _, size in every), len(every)) == (counted.models, counted.orbits)
    assert counted.models == scope.models
    if symmetry == NONE:
        assert counted.orbits == counted.models


@pytest.mark.parametrize("symmetry", [FULL, Symmetry(values=False)])
@pytest.mark.parametrize("scope", SCOPES)
def test_each_orbit_comes_once_as_its_smallest_model_and_none_is_missed(scope: Scope, symmetry: Symmetry) -> None:
    left = every_model(scope)
    assert len(left) == count(scope).models
    before: tuple[object, ...] = ()
    for one, size in enumerate_models(scope, symmetry):
        orbit = renamed(one, symmetry)
        assert size == len(orbit)
        assert one == min(orbit, key=lambda other: other.size)
        assert orbit <= left
        assert before < one.size
        left -= orbit
        before = one.size
    assert not left


@settings(max_examples=60, deadline=None)
@given(candidates(records=3, most=4), statements(depth=3), st.randoms(use_true_random=False))
def test_renamings_change_no_answer(one: Candidate, said: Statement, draw: Random) -> None:
    if 0 in [sum(one.law[k :: one.knowledge]) for k in range(one.knowledge)]:
        return
    symmetry = SearchQuestion((said,), None, Scope()).symmetry
    assert symmetry.values == ("one-order" not in str(said))
    answer = decide(said, one.model())
    for other in draw.sample(sorted(renamed(one, symmetry)), k=1):
        again = decide(said, other.model())
        assert (again.value, again.vacuous) == (answer.value, answer.vacuous)
