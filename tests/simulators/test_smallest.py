"""The smallest E of a game by two searches, and what each step of them says by itself."""

from __future__ import annotations

from fractions import Fraction
from random import Random

import pytest
from test_game import random_law

import verifier as pk
from verifier.engine import Engine
from verifier.errors import LimitError
from verifier.numbers import Enclosure, epsilon
from verifier.simulators import Component, Game, SimulatorProblem, Smallest, smallest
from verifier.simulators.centre import _same_groups, limit_of, play_at, smallest_at
from verifier.simulators.game import Test as EventTest
from verifier.simulators.independent import independent
from verifier.simulators.posteriors import _within
from verifier.simulators.simulator_problem import _above
from verifier.simulators.smallest import _some_simulator, needed
from verifier.tables import label

F = Fraction
FLIP = ((F(2, 3), F(1, 3)), (F(1, 3), F(2, 3)))
EVENT, NOTHING = EventTest(0, (0,), forward=True), EventTest(0, (), forward=True)


def one_class(*laws: tuple[Fraction, ...]) -> Component:
    """Rows of one context."""
    return Component((), len(laws), ((),), ((),) * len(laws[0]), laws, ((F(1),),) * len(laws))


def both(component: Component, delta: Fraction) -> list[Smallest]:
    """By the search of one context, and by that for any."""
    ends = smallest_at(component, delta, lambda E: play_at(component, E), limit_of(component))
    return [ends, smallest(Game(component, pure=False), delta)]


def test_both_searches_say_the_same_at_the_limit_and_above_it() -> None:
    random, searched = Random(7), 0  # noqa: S311 - not a secret
    for _ in range(20):
        component = one_class(*(random_law(random, 4) for _ in range(3)))
        game, limit = Game(component, pure=False), limit_of(component).value
        for delta in {limit, limit + F(1, 50)} - {F(0)}:
            first, second = both(component, delta)
            assert first.E == second.E
            searched += first.E is not None and first.E != 1
            start = _some_simulator(game, delta)
            if start is not None:
                assert sum(start) == 1
                assert needed(game, start, delta) is not None
    assert searched > 5
    third = (F(1, 5), F(1, 5), F(3, 5))
    for found in both(one_class((F(1), F(0), F(0)), (F(0), F(1), F(0)), third), F(1, 2)):
        assert found.E is None, "the third output is never answered"


@pytest.mark.parametrize(("pure", "most"), [(True, 100), (False, 64)])
def test_how_many_probabilities_are_chosen_at_once(*, pure: bool, most: int) -> None:
    Game(one_class((F(1, most),) * most), pure).admit()
    with pytest.raises(LimitError, match=f"at most {most}"):
        Game(one_class((F(1, most + 1),) * (most + 1)), pure).admit()


def test_groups_are_valid_until_a_ratio_is_passed() -> None:
    """The ratio 9/4 is reached at E = 3/2: on the way up it is not passed there, on the way down it is; 2 is passed."""
    reached, passed = one_class((F(9, 13), F(4, 13)), (F(4, 13), F(9, 13))), one_class((F(2, 3), F(1, 3)), FLIP[1])
    low, high = F(5, 4), F(3, 2)
    assert _same_groups(reached, low, high)
    assert not _same_groups(reached, high, low)
    assert not _same_groups(passed, low, high)
    assert _same_groups(reached, low, F(7, 5))


def test_the_larger_of_an_enclosure_and_a_number_is_that_of_the_larger_upper_end() -> None:
    exact, near, far = epsilon("1/2"), Enclosure.between(F(1, 4), F(3, 8)), Enclosure.between(F(1, 4), F(3, 4))
    assert [_above(exact, near), _above(near, exact), _above(far, exact), _above(far, near)] == [
        True,
        False,
        True,
        True,
    ]
    assert not _above(near, far)
    assert not _above(near, near)


def test_a_value_that_a_posterior_excludes_has_probability_zero() -> None:
    a, b = label("a"), label("b")
    assert not _within({a: F(1)}, {b: F(1)}, epsilon("ln(2)"), F(1, 2))
    assert not _within({a: F(1, 2), b: F(1, 2)}, {b: F(1)}, epsilon("ln(2)"), F(1, 4))
    assert _within({a: F(1, 2), b: F(1, 2)}, {b: F(1)}, epsilon("ln(2)"), F(1, 2))


def test_a_record_with_one_possible_value_is_told_as_it_is() -> None:
    sure = {"independent": [{0: 1}, {0: "1/2", 1: "1/2"}, {1: 1}]}
    model = pk.build(size=3, values=[0, 1], distribution=sure, mechanism={"kind": "sum"})
    quick = SimulatorProblem(
        model, "default", make_components=lambda: independent(Engine(model, force="sum"), "default")
    )
    plain = SimulatorProblem(model, "default")
    told = {context for part in quick.shapes for one in part.members for each in one.classes for context in each}
    assert told <= {c for part in plain.shapes for one in part.members for each in one.classes for c in each}
    assert quick.worst(F(0))[1] == plain.worst(F(0))[1]
