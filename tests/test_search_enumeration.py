"""Every orbit once, in order: against Burnside's lemma, and against all models with all their renamings."""

from __future__ import annotations

from fractions import Fraction
from itertools import permutations, product
from math import gcd

import pytest

from verifier.errors import InputError, LimitError
from verifier.search.candidate import Candidate
from verifier.search.enumeration import admit, enumerate_models
from verifier.search.orbits import FULL, NONE, Symmetry, count
from verifier.search.scope import Scope

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


def weights(total: int, parts: int) -> list[tuple[int, ...]]:
    """All weights with this sum."""
    return [one for one in product(range(total + 1), repeat=parts) if sum(one) == total]


def every_model(scope: Scope) -> set[Candidate]:
    """All models of a scope, without symmetry, from its words alone."""
    found = set()
    sizes = (range(1, scope.records + 1), range(2, scope.values + 1), range(1, scope.outputs + 1))
    for n, t, o, c in product(*sizes, range(1, scope.knowledge + 1)):
        laws = [law for law in weights(scope.weights, t**n * c) if all(any(law[k::c]) for k in range(c))]
        for rows in product(weights(scope.mechanism_weights, o), repeat=t**n):
            if all(any(row[k] for row in rows) for k in range(o)):
                e = gcd(scope.mechanism_weights, *(w for row in rows for w in row))
                table = tuple(tuple(w // e for w in row) for row in rows)
                for law in laws:
                    d = gcd(scope.weights, *law)
                    found.add(
                        Candidate(
                            n, t, o, c, scope.weights // d, scope.mechanism_weights // e,
                            tuple(w // d for w in law), table, scope.first_only,
                        )
                    )  # fmt: skip
    return found


def renamed(one: Candidate, symmetry: Symmetry = FULL) -> set[Candidate]:
    """All its renamings, written with databases as tuples."""
    databases = list(product(range(one.values), repeat=one.records))

    def of(size: int, yes: bool) -> list[tuple[int, ...]]:  # noqa: FBT001
        return list(permutations(range(size))) if yes else [tuple(range(size))]

    found = set()
    for records in of(one.records, symmetry.records):
        if one.first_only and records[0] != 0:
            continue
        for names in of(one.values, symmetry.values):
            moved = [tuple(names[d[i]] for i in records) for d in databases]
            source = [databases.index(d) for d in moved]
            for outputs, known in product(
                of(one.outputs, symmetry.outputs), of(one.knowledge, symmetry.knowledge)
            ):  # fmt: skip
                law = tuple(one.law[d * one.knowledge + k] for d in source for k in known)
                table = tuple(tuple(one.mechanism[d][o] for o in outputs) for d in source)
                found.add(
                    Candidate(
                        one.records, one.values, one.outputs, one.knowledge, one.law_total, one.row_total,
                        law, table, one.first_only,
                    )
                )  # fmt: skip
    return found


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


def test_large_scopes_are_counted_at_once_and_refused_before_any_work() -> None:
    large = Scope(4, 5, 3, 3, weights=12)
    assert count(large).models > count(large).orbits > 10**100
    with pytest.raises(LimitError, match="distributions"):
        admit(large)
    with pytest.raises(LimitError, match="mechanisms"):
        admit(Scope(4, 3, 2, 1, weights=1, mechanism_weights=1))
    with pytest.raises(InputError):
        Scope(0)
