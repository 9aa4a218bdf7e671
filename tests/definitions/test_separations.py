"""Small models that tell definitions of DP22 apart: the stored answers are the computed ones."""

from functools import cache

import pytest
from examined import at_least_one

import verifier as pk
from verifier.definitions.centres.centre import Centre
from verifier.definitions.measures.divergence import Divergence
from verifier.definitions.registry import ALIASES
from verifier.definitions.scheme import Scheme
from verifier.definitions.separations import Separation, told_apart
from verifier.engine import Engine
from verifier.model.bundled import bundled
from verifier.questions.check import check

EVERY = [row for apart in told_apart().values() for row in apart.separations]
MODELS = sorted({row.model for row in EVERY})


@cache
def engine(name: str) -> Engine:
    return Engine(pk.read(bundled()[name]))


def answer(name: str, key: str, row: Separation) -> str | None:
    """The answer of one definition to the question of a row, None where it is not decided."""
    definition = pk.atlas[key]
    has_epsilon = not isinstance(definition.compare, Scheme) or definition.compare.has_epsilon
    has_delta = definition.has_delta and not isinstance(definition.measure, Divergence)
    try:
        verdict = check(
            engine(name).model,
            definition,
            epsilon=row.epsilon if has_epsilon else None,
            delta=row.delta if has_delta else 0,
            engine=engine(name),
            replay=False,
        )
    except pk.PkdpError:
        return None
    if verdict.verdict not in {"holds", "fails"}:
        return None
    if not has_epsilon:
        return verdict.verdict
    return str(verdict.tight_epsilon if row.epsilon is None else verdict.tight_delta)


@pytest.mark.parametrize("row", EVERY, ids=lambda row: f"{row.definition}-{row.neighbour}")
def test_the_two_answers_are_the_computed_ones_and_differ(row: Separation) -> None:
    first, second = (answer(row.model, key, row) for key in (row.definition, row.neighbour))
    assert (first, second) == row.answers
    assert first != second


def test_every_decided_definition_is_told_apart_from_a_neighbour() -> None:
    decided = {key for key in pk.atlas if not pk.atlas[key].undecided}
    assert told_apart().keys() == decided
    assert all(bool(apart.separations) != bool(apart.same_as) for apart in told_apart().values())
    assert {row.neighbour for row in EVERY} <= decided


def scheme_of(key: str) -> tuple[object, ...]:
    scheme = pk.atlas[key].compare
    if isinstance(scheme, Centre):
        return (scheme.centre,)
    assert isinstance(scheme, Scheme)
    return scheme.builder, scheme.view, scheme.measure, scheme.aggregation


def test_definitions_that_are_the_same_have_the_same_choices() -> None:
    same = {key: apart.same_as for key, apart in told_apart().items() if apart.same_as}
    assert len(same) == 12
    assert {key: pk.atlas[key].equal_to for key in pk.atlas if pk.atlas[key].equal_to}.items() <= same.items()
    for key, other in same.items():
        assert key not in ALIASES
        assert scheme_of(key) == scheme_of(other), key
        assert told_apart()[other].separations


def size(name: str) -> tuple[int, int]:
    model = engine(name).model
    return model.size if model.sizes is None else model.sizes[1], len(model.values)


@pytest.mark.parametrize("row", EVERY, ids=lambda row: f"{row.definition}-{row.neighbour}")
def test_no_smaller_model_of_these_tells_them_apart(row: Separation) -> None:
    for name in at_least_one(MODELS):
        if size(name) < size(row.model):
            answers = {answer(name, key, row) for key in (row.definition, row.neighbour)}
            assert len(answers) == 1 or None in answers, name
