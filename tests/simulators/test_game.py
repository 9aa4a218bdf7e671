"""What a simulator answers, and the best tests against it, by integers and by the fractions themselves."""

from __future__ import annotations

from fractions import Fraction
from random import Random
from types import SimpleNamespace
from typing import Any

import pytest

from verifier.errors import LimitError, UnsupportedError
from verifier.numbers import Algebraic, FieldElement, polynomial_of, roots_between
from verifier.simulators import Component, Game, rows_of
from verifier.simulators.smallest import Smallest, proved


class Plain(Game):
    """The game by fractions."""

    _integers = None


def random_law(random: Random, length: int) -> tuple[Fraction, ...]:
    weights = [random.choice([0, 1, 1, 2, 7]) for _ in range(length)]
    weights[random.randrange(length)] += 1
    return tuple(Fraction(weight, sum(weights)) for weight in weights)


def random_component(random: Random) -> Component:
    rows, outputs, classes = random.randint(1, 4), random.randint(1, 4), random.randint(1, 3)
    laws = tuple(random_law(random, outputs) for _ in range(rows))
    beliefs = tuple(random_law(random, classes) for _ in range(rows))
    return Component((), rows, ((),) * classes, ((),) * outputs, laws, beliefs)


@pytest.mark.parametrize("pure", [False, True])
def test_integers_and_fractions_find_the_same_tests(*, pure: bool) -> None:
    random, (square,) = Random(2), roots_between((-2, 0, 1), Fraction(1), Fraction(2))  # noqa: S311 - not a secret
    assert isinstance(square, Algebraic)
    root = FieldElement.generator(square)
    compared = 0
    for _ in range(60):
        component = random_component(random)
        fast, plain = Game(component, pure), Plain(component, pure)
        simulator = [Fraction(random.randint(0, 5), random.randint(1, 9)) for _ in fast.pairs]
        irrational = [root * s for s in simulator]
        assert fast.answers(simulator) == plain.answers(simulator)
        for E in (Fraction(1), Fraction(random.randint(9, 30), 7)):
            assert fast.worst(simulator, E) == plain.worst(simulator, E)
            compared += len(fast.worst(simulator, E))
        assert fast.worst(irrational, root) == plain.worst(irrational, root)
        assert fast.answers(irrational) == plain.answers(irrational)
    assert compared > 300


def test_as_many_worlds_are_visited_as_the_limit_says() -> None:
    """2^17 worlds of one record are looked at, and what is protected; one more is refused before."""

    def model(worlds: int) -> Any:
        return SimpleNamespace(thetas=[SimpleNamespace(count=lambda: worlds)], secrets=[None], protects_records=False)

    with pytest.raises(UnsupportedError, match="protects a function"):
        next(rows_of(model(1 << 17), "default"))
    with pytest.raises(LimitError, match="131,073"):
        next(rows_of(model((1 << 17) + 1), "default"))


def test_no_simulator_is_proved_where_the_determinant_is_zero() -> None:
    """The tight part of a play has no solution there; with any other determinant it is the same one."""
    laws = ((Fraction(2, 3), Fraction(1, 3)), (Fraction(1, 3), Fraction(2, 3)))
    game = Game(Component((), 1, ((),), ((),) * 2, laws, ((Fraction(1),),) * 2), pure=False)
    E, delta = Fraction(5, 4), Fraction(1, 12)
    play = game.play(E)
    weights = dict(play.mixture)
    values = [*(play.simulator[k] for k in play.pairs), *(weights.get(test, 0) for test in play.tests), play.value]

    def at_determinant(*coefficients: Fraction | int) -> Smallest | None:
        below = polynomial_of(coefficients)
        return proved(game, play, [(polynomial_of((value,)) * below, below) for value in values], E, delta)

    smallest = at_determinant(7)
    assert smallest is not None
    assert (smallest.E, smallest.simulator) == (E, (Fraction(1, 2), Fraction(1, 2)))
    assert at_determinant(1) == at_determinant(Fraction(-1, 4), 1) == smallest
    assert at_determinant(-E, 1) is None
