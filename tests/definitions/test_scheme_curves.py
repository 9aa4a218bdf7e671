"""Trade-off curves, predicates, trimmed laws, restricted divergences and Gaussian curves of two laws, by hand."""

from fractions import Fraction

import pytest
from two_laws import SAME, pair, setting

from verifier.definitions.pairs import MeasurePair
from verifier.definitions.scheme.conditions import (
    Trimmed,
    Vertices,
    privacy_predicate,
    restricted,
    tradeoff,
    value_at,
)
from verifier.errors import LimitError, UnsupportedError
from verifier.numbers.reals import Enclosed, Real


def vertices(*corners: tuple[str, str]) -> list[tuple[Fraction, Fraction]]:
    return [(Fraction(x), Fraction(y)) for x, y in corners]


CORNER = vertices(("0", "1"), ("1/4", "1/4"), ("1", "0"))
LINE = vertices(("0", "1"), ("1", "0"))


@pytest.mark.parametrize(
    ("x", "y"), [("0", "1"), ("1/8", "5/8"), ("1/4", "1/4"), ("5/8", "1/8"), ("1", "0"), ("3/4", "1/12")]
)
def test_a_piecewise_linear_function(x: str, y: str) -> None:
    assert value_at(CORNER, Fraction(x)) == Fraction(y)


@pytest.mark.parametrize("x", ["-1", "2"])
def test_nothing_is_asked_outside(x: str) -> None:
    with pytest.raises(ArithmeticError, match="outside"):
        value_at(CORNER, Fraction(x))


def text(curve: Vertices) -> list[list[str]]:
    return [[str(x), str(y)] for x, y in curve]


@pytest.mark.parametrize(
    ("curve", "is_tradeoff", "is_predicate"),
    [
        (LINE, True, True),
        (vertices(("0", "1"), ("1/2", "1/2"), ("1", "0")), True, True),
        (vertices(("0", "1/2"), ("1/2", "0"), ("1", "0")), True, True),
        (vertices(("0", "0"), ("1", "0")), True, True),
        (vertices(("0", "1/2"), ("1/2", "3/8"), ("1", "0")), False, False),
        (vertices(("0", "1"), ("1/2", "1/4"), ("1", "1/8")), False, False),
        (vertices(("0", "1"), ("1/4", "3/4"), ("1/2", "0"), ("3/4", "0"), ("1", "0")), False, False),
    ],
)
def test_what_is_a_trade_off_and_what_a_privacy_predicate(
    curve: Vertices, *, is_tradeoff: bool, is_predicate: bool
) -> None:
    for condition, accepted in ((tradeoff, is_tradeoff), (privacy_predicate, is_predicate)):
        if accepted:
            assert condition(setting(tradeoff=text(curve))).holds(SAME)
        else:
            with pytest.raises(UnsupportedError, match="convex"):
                condition(setting(tradeoff=text(curve)))


# --- trimmed laws -----------------------------------------------------------------------------------------------------


def test_the_sets_of_twelve_outputs_are_listed() -> None:
    measure = Trimmed("", "", "", Fraction(1, 24))
    assert len(measure.trimmings(pair([1] * 12, [1] * 12, 12))) == 1
    assert len(measure.trimmings(pair([1] * 12 + [0], [1] * 13, 13))) == 1
    with pytest.raises(LimitError, match="13 outputs") as refused:
        measure.trimmings(pair([1] * 13, [1] * 13, 13))
    assert "at most 12" in str(refused.value)


# --- restricted divergences -------------------------------------------------------------------------------------------


def number(first: MeasurePair, name: str, *tests: dict[str, str]) -> Real:
    return restricted(setting(divergence=name, tests=list(tests))).of(first)


def test_the_larger_of_two_that_are_not_told_apart_counts() -> None:
    """Where Q cannot produce an output, h is only in E_P[h]: two values that differ by 2^-5001."""
    first = pair([1, 1], [2, 0], 2)
    tests = [{"o0": "2", "o1": "5"}, {"o0": "2", "o1": str(5 + Fraction(1, 1 << 5000))}]
    alone = number(first, "kl", tests[1])
    assert isinstance(alone, Enclosed)
    for listed in (tests, tests[::-1]):
        both = number(first, "kl", *listed, {"o0": "9"})
        assert isinstance(both, Enclosed)
        assert both.bracket(6000)[0] == alone.bracket(6000)[0]
        assert both.bracket(6000)[1] == alone.bracket(6000)[1]
