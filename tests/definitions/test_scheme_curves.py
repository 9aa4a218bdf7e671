"""Trade-off curves, predicates, trimmed laws, restricted divergences and Gaussian curves of two laws, by hand."""

from fractions import Fraction

import pytest
from two_laws import APART, COIN, GIVEN, SAME, pair, setting

from verifier.definitions.pairs import MeasurePair
from verifier.definitions.scheme.conditions import (
    Trimmed,
    Vertices,
    predicate,
    privacy_predicate,
    restricted,
    tradeoff,
    trimmed,
    value_at,
)
from verifier.definitions.scheme.gaussian import gaussian
from verifier.definitions.scheme.reals import Enclosed, Real
from verifier.errors import LimitError, UnsupportedError
from verifier.numbers import INFINITY, ZERO, epsilon
from verifier.simulators.smallest import crossed

HALF = Fraction(1, 2)


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


@pytest.mark.parametrize(
    ("rows", "expected"),
    [
        ([("1", "-1", "1/2")], True),
        ([("1", "-1", "49/100")], False),
        ([("1", "1", "2")], True),
        ([("1", "1", "199/100")], False),
        ([("-1", "0", "0")], True),
        ([("-1", "0", "-1/100")], False),
        ([("1", "-1", "1/2"), ("-1", "1", "1/2")], True),
        ([("1", "-1", "1/2"), ("1", "1", "1")], False),
        ([("1", "1", "1"), ("1", "-1", "1/2")], False),
        ([], True),
    ],
)
def test_predicates_on_all_sets_of_outputs(rows: list[tuple[str, str, str]], *, expected: bool) -> None:
    """The largest P[S] - Q[S] of the coin is 1/2, and the largest P[S] + Q[S] is 2."""
    assert predicate(setting(predicate=[list(row) for row in rows])).holds(COIN) == expected


# --- trimmed laws -----------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("error", "kept"),
    [
        ("0", [(0, 1, 2, 3)]),
        ("1/9", [(0, 1, 2, 3)]),
        ("1/8", [(1, 2, 3)]),
        ("3/8", [(1, 2, 3), (0, 2, 3)]),
        ("1/2", [(0, 1, 2), (2, 3)]),
        ("1", [(2,)]),
    ],
)
def test_the_largest_sets_that_may_be_left_out(error: str, kept: list[tuple[int, ...]]) -> None:
    """Under P the outputs have 1/8, 3/8, 0 and 1/2."""
    four = pair([1, 3, 0, 4], [2, 2, 4, 0], 8)
    found = trimmed(setting(error=error)).trimmings(four)
    expected = [
        MeasurePair(
            None, tuple(four.outputs[k] for k in rest), tuple(four.p[k] for k in rest),
            tuple((four.q or ())[k] for k in rest), total=8,
        )
        for rest in kept
    ]  # fmt: skip
    assert len(found) == len(expected)
    assert all(each in found for each in expected)


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


def test_restricted_divergences_by_hand() -> None:
    """An output that h leaves out has h = 0; an h whose value is negative or -∞ is of no use."""
    assert number(COIN, "total-variation", {"o0": "1/2", "o1": "-1/2"}) == epsilon("1/2")
    assert number(COIN, "total-variation", {"o0": "1/2"}) == epsilon("1/4")
    assert number(COIN, "total-variation", {"o0": "1/4"}, {"o0": "1/2"}) == epsilon("1/4")
    assert number(COIN, "total-variation", {"o0": "1/2"}, {"o0": "1/4"}) == epsilon("1/4")
    assert number(COIN, "total-variation", {"o0": "7"}) == ZERO
    assert number(COIN, "total-variation", {"o0": "7"}, {"o0": "1/4"}) == epsilon("1/8")
    assert number(COIN, "total-variation", {"o1": "1/2"}) == ZERO
    assert number(COIN, "total-variation") == ZERO
    assert number(pair([1, 1], [2, 0], 2), "total-variation", {"o1": "7"}) == epsilon("7/2")
    assert number(COIN, "chi-squared", {"o0": "4", "o1": "-4/3"}) == epsilon("4/3")
    assert number(COIN, "abs-1", {"o0": "1", "o1": "-1"}) == epsilon("1")
    with pytest.raises(UnsupportedError, match="abs-3"):
        number(COIN, "abs-3", {})


def test_restricted_kullback_leibler_by_hand() -> None:
    """h = (1, 0) has 3/4 - (1/4 + 3/(4·e)) for a coin; h = 1 has 0."""
    found = number(COIN, "kl", {"o0": "1"})
    assert isinstance(found, Enclosed)
    low, high = found.bracket(64)
    e = Fraction(271828182845904, 10**14), Fraction(271828182845905, 10**14)
    assert HALF - Fraction(3, 4) / e[0] < low < high < HALF - Fraction(3, 4) / e[1]
    assert number(COIN, "kl", {"o0": "1", "o1": "1"}) == ZERO
    assert number(pair([1, 1], [2, 0], 2), "kl", {"o0": "1", "o1": "5"}) == epsilon("2")
    assert number(COIN, "kl", {"o0": "9"}) == ZERO


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


# --- Gaussian curves, and the closest laws given events ---------------------------------------------------------------


def test_gaussian_limits() -> None:
    assert gaussian(SAME) == ZERO
    assert gaussian(GIVEN) == INFINITY
    assert gaussian(APART) == INFINITY
    assert gaussian(pair([1, 1], [0, 2], 2)) == INFINITY


@pytest.mark.parametrize(
    ("rows", "budget", "expected"),
    [
        ([(3, 1), (1, 3)], "0", "3"),
        ([(3, 1), (1, 3)], "1", "2"),
        ([(3, 1), (1, 3)], "2", "1"),
        ([(3, 1), (1, 3)], "8/3", "1/3"),
        ([(3, 1), (1, 3)], "3", "1/4"),
        ([(1, 3), (3, 1)], "1", "2"),
        ([(2, 0), (2, 4)], "1", None),
        ([(2, 0), (2, 4)], "199/100", None),
        ([(2, 0), (2, 4)], "2", "1/2"),
        ([(2, 0), (2, 4)], "3", "1/4"),
        ([(4, 2), (2, 1), (1, 4)], "1", "5/3"),
    ],
)
def test_caps(rows: list[tuple[int, int]], budget: str, expected: str | None) -> None:
    """The least x with Σ max(0, P - x·Q) ≤ the budget."""
    assert crossed([(Fraction(p), Fraction(q)) for p, q in rows], Fraction(budget)) == (
        None if expected is None else Fraction(expected)
    )
