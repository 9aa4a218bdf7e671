"""Exchange rates as functions: the twin is the rate at one ε and one model, at many rational values, with `==`."""

from __future__ import annotations

from fractions import Fraction
from random import Random

import pytest
from rates import PAIR, TWINS, agreeing, scaled

import verifier as pk
from verifier.cli.reading import read_source
from verifier.errors import InputError, LimitError
from verifier.model.parameters import Family
from verifier.numbers import INFINITY, log_epsilon
from verifier.wings.exchange.curve import program as curve_program
from verifier.wings.exchange.curve.answer import Curve
from verifier.wings.exchange.curve.decide import exchange_curve, rate_at
from verifier.wings.exchange.rate import exchange
from verifier.wings.families.points import bracket

PAIRS = [("np", "cdp"), ("cdp", "dp"), ("dp", "np"), ("np", "dp"), ("cdp", "np"), ("anpr", "np"), ("np", "infpr"), ("flpr", "dp"), ("dp", "flpr")]  # fmt: skip  # noqa: E501
COIN: Family = read_source("majority-and-coin")  # type: ignore[assignment]
AGREE: Family = read_source("two-bits-that-agree")  # type: ignore[assignment]


def near_ends(curve: Curve) -> list[Fraction]:
    """Rational values on both sides of each end of a piece, and at the rational ends."""
    values = []
    for cell in curve.pieces:
        for end in (cell.where.low, cell.where.high):
            if end is not None:
                low, high = bracket(end, 40)
                values += [low - Fraction(1, 10**9), low, high, high + Fraction(1, 10**9)]
    return [value for value in dict.fromkeys(values) if any(cell.where.has(value) for cell in curve.cells)]


def text(pieces: Curve) -> list[tuple[str, str]]:
    return [(cell.where.text(pieces.name), cell.text(pieces.name)) for cell in pieces.pieces]


# --- over ε -----------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("seed", range(5))
def test_over_epsilon_of_random_laws(seed: int) -> None:
    random = Random(seed)  # noqa: S311
    weights = [random.randint(0, 4) for _ in range(4)] or [1]
    weights[seed % 4] += 1
    table = [
        {"database": [a, b], "probability": str(Fraction(weights[2 * a + b], sum(weights)))}
        for a in (0, 1)
        for b in (0, 1)
    ]
    model = pk.build(size=2, values=[0, 1], distribution={"table": table}, mechanism={"kind": "sum"})
    for source, target in random.sample(PAIRS, 4):
        curve = exchange_curve(model, source, target)
        assert curve.replayed
        for x in [*(1 + Fraction(random.randint(1, 60), random.randint(1, 20)) for _ in range(4)), *near_ends(curve)]:
            assert rate_at(curve, x) == exchange(model, source, target, epsilon=log_epsilon(x)).tight_epsilon


def test_closed_forms() -> None:
    """With k = c/(1 - c) = 3: x·k, x·(1 + x·k)/(x + k), and (x·k - 1)/(k - x) where x < k."""
    assert text(exchange_curve(agreeing("3/4"), "np", "cdp")) == [("1 < x", "ln(3*x)")]
    assert text(exchange_curve(agreeing("3/4"), "dp", "np")) == [("1 < x", "ln(x*(1 + 3*x)/(3 + x))")]
    back = [("1 < x < 3", "ln((-1 + 3*x)/(3 - x))"), ("3 <= x", "inf")]
    assert text(exchange_curve(agreeing("3/4"), "cdp", "dp")) == back
    assert text(exchange_curve(TWINS, "np", "dp")) == [("1 < x", "inf")]
    assert text(exchange_curve(TWINS, "dp", "dp")) == [("1 < x", "ln(x)")]


def test_a_range() -> None:
    curve = exchange_curve(agreeing("3/4"), "cdp", "dp", range_of_epsilon=("ln(2)", "ln(4)"))
    assert text(curve) == [("2 <= x < 3", "ln((-1 + 3*x)/(3 - x))"), ("3 <= x <= 4", "inf")]
    assert curve.replayed
    with pytest.raises(InputError, match="a value in the range"):
        rate_at(curve, Fraction(5))


@pytest.mark.parametrize("ends", [("ln(4)", "ln(2)"), ("0", "ln(2)"), ("1/2", "ln(2)"), ("ln(2)", "inf")])
def test_a_range_that_is_none(ends: tuple[str, str]) -> None:
    with pytest.raises(InputError):
        exchange_curve(TWINS, "np", "cdp", range_of_epsilon=ends)


def test_scaled_rows() -> None:
    """Rows at ε/2 and 2ε: the variable is e^(ε/2) of A; of B each row's rate is ln(y)/c."""
    model = scaled("1/2", "2")
    curve = exchange_curve(model, "iddp", "dp")
    assert (curve.variable, curve.replayed) == ("t = e^(ε/2)", True)
    for t in (Fraction(3, 2), Fraction(2), Fraction(9, 4)):
        assert rate_at(curve, t) == exchange(model, "iddp", "dp", epsilon=log_epsilon(t**2)).tight_epsilon
    back = exchange_curve(model, "dp", "iddp")
    for x in (Fraction(3, 2), Fraction(2), Fraction(9, 4), Fraction(50)):
        assert rate_at(back, x) == exchange(model, "dp", "iddp", epsilon=log_epsilon(x)).tight_epsilon


def test_rows_that_allow_no_difference() -> None:
    policy = {"distance": [[[0], [1], "0"], [[0], [2], "1"], [[1], [2], "1"]]}
    model = pk.build(size=1, values=[0, 1, 2], mechanism={"kind": "sum"}, policy=policy)
    for source, target in (("ddpr", "dp"), ("dp", "ddpr"), ("ddpr", "ddpr")):
        curve = exchange_curve(model, source, target)
        assert curve.replayed
        for x in (Fraction(5, 4), Fraction(3)):
            assert rate_at(curve, x) == exchange(model, source, target, epsilon=log_epsilon(x)).tight_epsilon


# --- over a parameter -------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(("source", "target"), PAIRS)
def test_over_a_parameter(source: str, target: str) -> None:
    curve = exchange_curve(AGREE, source, target, epsilon="ln(2)")
    assert curve.replayed
    for value in [*(Fraction(k, 13) for k in range(1, 13)), *near_ends(curve)]:
        if 0 < value < 1:
            model = AGREE.at({"agree": value})
            assert rate_at(curve, value) == exchange(model, source, target, epsilon="ln(2)").tight_epsilon


def test_the_ends_of_a_range_where_worlds_become_impossible() -> None:
    curve = exchange_curve(COIN, "cdp", "np", epsilon="ln(2)")
    assert [rate_at(curve, Fraction(k)) for k in (0, 1)] == [INFINITY, INFINITY]
    assert curve.pieces[0].where.text("coin") == "coin = 0"


def test_an_irrational_point_where_worlds_become_impossible_is_undecided() -> None:
    file = """
title = "a law that vanishes at a root"
size = 2
values = [0, 1]
[parameters]
p = { from = "0", to = "1" }
[[distribution]]
table = [
  { database = [0, 0], probability = "(2*p^2 - 1)^2/2" },
  { database = [1, 1], probability = "1 - (2*p^2 - 1)^2/2" },
]
"""
    family = read_family(file)
    curve = exchange_curve(family, "np", "anpr", epsilon="ln(2)")
    assert (curve.exit_status, curve.replayed) == (3, True)
    assert [cell.text("p") for cell in curve.pieces if cell.where.point is not None] == ["undecided"]


def read_family(file: str) -> Family:
    from verifier.model.read_family import loads_any

    family = loads_any(file + '[mechanism]\nkind = "sum"\n')
    assert isinstance(family, Family)
    return family


# --- words, nothing compared, limits ----------------------------------------------------------------------------------


def test_unsupported_says_why() -> None:
    curve = exchange_curve(TWINS, "ibcdp", "np")
    assert (curve.verdict, curve.exit_status, curve.cells) == ("unsupported", 3, ())
    assert "posteriors with posteriors" in str(curve)
    assert "not rational" in str(exchange_curve(AGREE, "np", "cdp", epsilon="1/2").reason)


def test_sides_without_rows() -> None:
    known = pk.build(size=2, values=[0, 1], distribution=PAIR, knowledge={"records": [0]}, mechanism={"kind": "sum"})
    to_nothing = exchange_curve(known, "dp", "np")
    assert (text(to_nothing), to_nothing.pieces[0].verdict, to_nothing.replayed) == ([("1 < x", "0")], "vacuous", True)
    from_nothing = exchange_curve(known, "np", "dp")
    assert (text(from_nothing), from_nothing.replayed) == ([("1 < x", "inf")], True)


def test_the_wrong_question() -> None:
    with pytest.raises(InputError, match="no ε"):
        exchange_curve(TWINS, "np", "cdp", epsilon="ln(2)")
    with pytest.raises(InputError, match="one ε"):
        exchange_curve(AGREE, "np", "cdp")


def test_limits_are_refused_before_the_work(monkeypatch: pytest.MonkeyPatch) -> None:
    def never(*_: object) -> None:
        raise AssertionError

    monkeypatch.setattr(curve_program, "Simplex", never)
    six = pk.build(size=6, values=[0, 1], distribution={"iid": {0: "1/2", 1: "1/2"}}, mechanism={"kind": "sum"})
    with pytest.raises(LimitError, match="with a parameter has 64 databases"):
        exchange_curve(six, "dp", "np")
    with pytest.raises(LimitError, match="powers of degree 13"):
        exchange_curve(scaled("1", "13"), "iddp", "dp")


def test_too_many_pieces_are_refused(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(curve_program, "MAX_PIECES", 1)
    with pytest.raises(LimitError, match="more than 1 pieces"):
        exchange_curve(agreeing("3/4"), "cdp", "dp")
