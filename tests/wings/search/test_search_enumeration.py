"""Every orbit once, in order: against Burnside's lemma, and against all models with all their renamings."""

from __future__ import annotations

from fractions import Fraction
from random import Random

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from small_models import every_model, renamed
from strategies_search import candidates, statements

from verifier.errors import InputError, LimitError
from verifier.questions.statement import Statement
from verifier.wings.search.candidate import Candidate
from verifier.wings.search.enumeration import admit, enumerate_models
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


DATABASES = [(0, 0), (0, 1), (1, 0), (1, 1)]


def test_models_of_candidates_are_what_their_weights_say() -> None:
    one = Candidate(2, 2, 2, 2, 4, 2, (1, 0, 0, 1, 0, 2, 0, 0), ((2, 0), (1, 1), (0, 2), (0, 2)), first_only=True)
    model = one.model()
    worlds = {(w.database, str(w.knowledge)): Fraction(w.weight, 4) for w in model.thetas[0].worlds()}
    assert worlds == {((0, 0), "x"): Fraction(1, 4), ((0, 1), "y"): Fraction(1, 4), ((1, 0), "y"): Fraction(1, 2)}
    assert [secret.record for secret in model.secrets] == [0]
    assert (
        model.mechanism.law((0, 1)).outcomes
        == model.mechanism.law((0, 0)).outcomes + model.mechanism.law((1, 1)).outcomes
    )


@settings(max_examples=60, deadline=None)
@given(candidates(4), statements(), st.randoms(use_true_random=False))
def test_renamings_change_no_answer(models: list[Candidate], said: Statement, draw: Random) -> None:
    one = models[0]
    if 0 in [sum(one.law[k :: one.knowledge]) for k in range(one.knowledge)]:
        return
    symmetry = SearchQuestion((said,), None, Scope()).symmetry
    assert symmetry.values == ("one-order" not in str(said))
    answer = decide(said, one.model())
    for other in draw.sample(sorted(renamed(one, symmetry)), k=1):
        again = decide(said, other.model())
        assert (again.value, again.vacuous) == (answer.value, answer.vacuous)


def test_large_scopes_are_counted_at_once_and_refused_before_any_work() -> None:
    large = Scope(4, 5, 3, 3, weights=12)
    assert count(large).models > count(large).orbits > 10**100
    with pytest.raises(LimitError, match="distributions"):
        admit(large)
    with pytest.raises(LimitError, match="mechanisms"):
        admit(Scope(4, 3, 2, 1, weights=1, mechanism_weights=1))
    with pytest.raises(InputError):
        Scope(0)
