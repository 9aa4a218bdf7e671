"""The matrix of all pairs: its states, its evidence decided again, and a contradiction that stops it."""

from __future__ import annotations

from itertools import permutations

import pytest

from verifier.errors import InputError
from verifier.model import read
from verifier.model.library import models_folder
from verifier.wings.implications.facts import DELTA, LEVELS, SAME, SOME, always_finite
from verifier.wings.implications.matrix.build import contradictions
from verifier.wings.implications.matrix.matrix import (
    ALWAYS,
    CLOSURE,
    COMPLETE,
    DEPENDS,
    DEPENDS_FINITE,
    FINITE,
    ONE,
    OPEN,
    PROVED,
    SEPARATED,
    STATES,
    Cover,
    CoverModel,
    cover,
    matrix,
    matrix_of,
    need_pair,
    separated,
    separates,
    values_of,
)
from verifier.wings.implications.parts import decided

KEPT = {model.name: model for model in cover().models}


@pytest.mark.sweep(6)
@pytest.mark.parametrize("name", sorted(KEPT))
def test_what_is_kept_is_decided_again(name: str) -> None:
    """The smallest ε at δ = 0 with the replay, those at other δ without; no model contradicts what is proved."""
    model = read(models_folder() / f"{name}.toml")
    for delta, kept in KEPT[name].values.items():
        assert values_of(model, delta, replay=delta == "0") == kept
    assert not list(map(str, contradictions(model, KEPT[name].values)))


def test_every_cell_has_a_state_and_its_evidence() -> None:
    known = matrix()
    for level in LEVELS:
        cells = known.cells[level]
        assert list(cells) == list(permutations(decided(), 2))
        assert sum(known.counts(level).values()) == len(cells)
        for cell in cells.values():
            assert cell.state in STATES
            assert (cell.chain is not None) is (cell.state in {PROVED, CLOSURE, ONE, FINITE, ALWAYS})
            assert bool(cell.conditional) is (cell.state in {DEPENDS, DEPENDS_FINITE})
            assert cell.separation is None or cell.state in {SEPARATED, DEPENDS, DEPENDS_FINITE}
            assert bool(cell.shapes) is (cell.state == COMPLETE)
            if cell.chain is not None:
                assert (not cell.chain.facts) is (cell.state == ONE)
                assert (cell.chain.map == "some") is (cell.state in {FINITE, ALWAYS})
                assert (cell.target in always_finite()) is (cell.state == ALWAYS) or cell.chain.map != "some"
                assert len(cell.chain.facts) > 1 or cell.state != CLOSURE
            if cell.conditional:
                bounded = any(chain.map != "some" for chain in cell.conditional)
                assert bounded is (cell.state == DEPENDS)


def test_what_says_nothing_is_counted_apart() -> None:
    """A finite ε′ without a bound answers the first question alone; one definition under two keys answers all three."""
    counts = {level: matrix().counts(level) for level in LEVELS}
    assert all(counts[SOME][state] for state in (FINITE, ALWAYS, DEPENDS_FINITE))
    for level in (SAME, DELTA):
        assert not any(counts[level][state] for state in (FINITE, ALWAYS, DEPENDS_FINITE))
    assert {counts[level][ONE] for level in LEVELS} == {28}
    assert always_finite() == {"sempr", "advpr", "cbdp"}
    for key in always_finite():
        assert all(cell.chain is not None for (_, target), cell in matrix().cells[SOME].items() if target == key)


def test_the_questions_are_nested() -> None:
    """What is proved with the same ε is proved for some; what is refuted for some ε is refuted with the same."""
    cells = matrix().cells
    for pair in cells[SOME]:
        for weak, strong in ((SOME, SAME), (SAME, DELTA)):
            if cells[strong][pair].chain is not None:
                assert cells[weak][pair].chain is not None
            if cells[weak][pair].separation is not None:
                assert cells[strong][pair].separation is not None


@pytest.mark.parametrize("level", LEVELS)
def test_what_a_model_refutes_at_once(level: str) -> None:
    """All pairs of a model at once, and pair by pair."""
    for model in list(KEPT.values())[::9]:
        plainly = {pair for pair in permutations(decided(), 2) if separates(model.values, pair, level) is not None}
        assert separated(model.values, level) == plainly


def planted(first: str, second: str, source: str = "flpr", target: str = "npr") -> Cover:
    return Cover(1, (CoverModel("planted", {"0": {source: first, target: second}}),))


def test_a_contradiction_stops_the_matrix() -> None:
    with pytest.raises(ArithmeticError, match=r"flpr implies npr .* and planted refutes it"):
        matrix_of(planted("0", "inf"))
    for first in ("ln(2)", "vacuous"):
        with pytest.raises(ArithmeticError, match="flpr implies npr"):
            matrix_of(planted(first, "ln(3)"))
    with pytest.raises(ArithmeticError, match="the two have the same parts"):
        matrix_of(planted("ln(2)", "ln(3)", "ddpr", "smdp"))


@pytest.mark.parametrize(
    ("first", "second"), [("ln(3)", "ln(2)"), ("ln(2)", "ln(2)"), ("inf", "inf"), ("inf", "vacuous"), ("inf", "0")]
)
def test_what_is_no_contradiction(first: str, second: str) -> None:
    known = matrix_of(planted(first, second))
    assert known.cells[SOME]["flpr", "npr"].separation is None
    assert known.cells[SAME]["flpr", "npr"].separation is None


def test_nothing_is_inferred_where_nothing_was_found() -> None:
    """Without any model no pair is separated, and none that is not proved is anything but open or conditional."""
    known = matrix_of(Cover(0, ()))
    for level in LEVELS:
        counted = known.counts(level)
        assert counted[SEPARATED] == counted[COMPLETE] == 0
        assert counted[OPEN] > counted[PROVED] + counted[CLOSURE]
        assert counted[DEPENDS] > counted[ONE]


@pytest.mark.parametrize("pair", [("npr", "npr"), ("npr", "indcdp"), ("npr", "nothing")])
def test_other_pairs_are_refused(pair: tuple[str, str]) -> None:
    with pytest.raises(InputError):
        need_pair(*pair)
