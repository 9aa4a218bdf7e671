"""Which numbers may be the largest, and suprema that lie below a number: against all bounds, and all rows compared."""

from fractions import Fraction
from importlib import import_module
from itertools import product

import pytest
from test_concentrated import MODELS, having, laws, seen

from verifier.definitions.builders.views import pair_of
from verifier.definitions.measures.concentrated import CentredMoment, RenyiLine, smallest_rho, smallest_tau
from verifier.definitions.measures.losses import Losses, losses_of
from verifier.definitions.measures.supremum import Objective, Supremum
from verifier.model import Model
from verifier.numbers import INFINITY, ZERO, epsilon
from verifier.numbers.reals import FEW_BITS, may_be_largest, root
from verifier.questions.check import check


def losses_in(model: Model) -> list[Losses]:
    listed = [losses_of(pair_of(seen(p), seen(q))) for p, q in laws(model)]
    return [each for each in listed if each is not None]


@pytest.mark.sweep(3)
@pytest.mark.parametrize("model", MODELS)
def test_a_supremum_is_below_a_number_only_where_its_bounds_say_so(model: Model) -> None:
    decided = 0
    for each in losses_in(model):
        functions: list[tuple[Objective, ...]] = [
            (RenyiLine(each, Fraction(0)),),
            (CentredMoment(each), CentredMoment(each.mirrored)),
        ]
        for objectives, end in product(functions, (None, Fraction(1, 3), Fraction(2))):
            low, high = Supremum(objectives, end).bracket(32)
            assert not Supremum(objectives, end).is_below(low)
            assert not Supremum(objectives, end).is_below(low / 2)
            decided += Supremum(objectives, end).is_below(high + Fraction(1, 8))
            kept = Supremum(objectives, end)
            assert [kept.is_below(bound) for bound in (high + 1, high + 2, low)] == [True, True, False]
    assert decided > 0


@pytest.mark.parametrize("key", ["zcodp", "mcodp", "bcodp", "azcodp", "gaussdp", "kdivdp", "klpr"])
def test_the_worst_row_is_that_of_all_rows_compared(key: str, monkeypatch: pytest.MonkeyPatch) -> None:
    models = [having(model, omega=Fraction(3), mu=Fraction(9), order=Fraction(3)) for model in MODELS]
    answers = []
    for chosen in (may_be_largest, lambda values: range(len(values))):
        monkeypatch.setattr(import_module("verifier.definitions.decide"), "may_be_largest", chosen)
        smallest_rho.cache_clear()
        smallest_tau.cache_clear()
        answers.append([check(model, key, replay=False) for model in models])
    fast, plain = answers
    assert [answer.to_json() for answer in fast] == [answer.to_json() for answer in plain]
    assert [answer.tight_epsilon for answer in fast] == [answer.tight_epsilon for answer in plain]


def test_which_numbers_may_be_the_largest() -> None:
    roots = [root(Fraction(k), 2) for k in (2, 3, 3, 1)]
    assert may_be_largest(roots) == [1, 2]
    assert may_be_largest([*roots, INFINITY, ZERO, INFINITY]) == [4, 6]
    assert may_be_largest([ZERO, epsilon(2), epsilon(1)]) == [0, 1, 2]  # exact numbers are compared as they are
    assert may_be_largest([epsilon(2), roots[0]]) == [0]


def test_numbers_that_a_few_bits_tell_apart_are_not_kept() -> None:
    """The roots of 2, 2 + 1/32, …, in two orders: those that reach the largest of all lower bounds, and no others."""
    roots = [root(2 + Fraction(k, 32), 2) for k in range(6)]
    for values in (roots, roots[::-1]):
        bounds = [value.bracket(FEW_BITS) for value in values]
        reaching = [k for k, (_, high) in enumerate(bounds) if high >= max(low for low, _ in bounds)]
        assert may_be_largest(values) == reaching
        assert 1 < len(reaching) < len(values)
        assert values.index(roots[-1]) in reaching
