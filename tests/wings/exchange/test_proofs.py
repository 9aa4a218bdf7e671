"""The proofs of exchange rates: defects of the finder are found, and rows may be renamed.

Forged ones, and that every number of a file counts: tests/checker/test_multipliers.py.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from fractions import Fraction
from itertools import product
from random import Random
from typing import Any

import pytest
from rates import TWINS, agreeing

import verifier as pk
from verifier.definitions import find
from verifier.numbers.linear import LinearProgram
from verifier.wings.exchange import rows as rows_module
from verifier.wings.exchange import symmetry
from verifier.wings.exchange.certificates import CURVES_OF_DELTA
from verifier.wings.exchange.delta import decide as of_delta
from verifier.wings.exchange.delta.decide import convert_delta
from verifier.wings.exchange.delta.program import Crossings
from verifier.wings.exchange.program import Cone, Polytope, Rate
from verifier.wings.exchange.rate import convert
from verifier.wings.exchange.rows import linear_rows
from verifier.wings.exchange.symmetry import Renamings

LN_2: dict[str, Any] = {"epsilon": "ln(2)"}
# --- a finder that errs -----------------------------------------------------------------------------------------------


def half_of_each_price(program: LinearProgram, objective: Any, honest: Any) -> Any:
    value, point, prices = honest(program, objective)
    return value, point, {row: price / 2 for row, price in prices.items()}


def a_piece_less(crossings: Crossings, honest: Any) -> Any:
    return honest(crossings)[0], honest(crossings)[-1]


def larger(polytope: Polytope, rows: Any, factors: Any, delta: Any, databases: Any, honest: Any) -> None:
    honest(polytope, rows, factors, delta + Fraction(1, 9), databases)


@pytest.mark.parametrize(
    ("planted", "place", "delta", "confirmed", "why"),
    [
        (half_of_each_price, (LinearProgram, "maximise"), None, True, "do not prove"),
        (a_piece_less, (Crossings, "pieces"), "1/20", True, None),
        (a_piece_less, (Crossings, "pieces"), "1/20", False, None),
        (larger, (Polytope, "__init__"), "1/20", True, "is not cdp"),
    ],
)
def test_a_finder_that_errs_is_found(
    planted: Callable[..., Any], place: tuple[Any, str], delta: str | None, why: str | None, *, confirmed: bool,
    monkeypatch: pytest.MonkeyPatch,
) -> None:  # fmt: skip
    """By the program itself; and what that lets pass, the checker finds."""
    honest = getattr(*place)
    monkeypatch.setattr(*place, lambda *given: planted(*given, honest))
    if not confirmed:
        monkeypatch.setattr(of_delta, "_confirmed", lambda answer: answer)
    ask, question = (convert, LN_2) if delta is None else (convert_delta, {**LN_2, "delta": delta})
    with pytest.raises((pk.RejectedError, ArithmeticError), match=why):
        ask(agreeing("3/4"), "cdp", "np", **question)


# --- renamings --------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("seed", range(6))
def test_renamings_change_no_rate(seed: int, monkeypatch: pytest.MonkeyPatch) -> None:
    """Rows that differ by exchanged records or values take their rate from one: as if each were solved by itself."""
    random = Random(seed)  # noqa: S311
    weights = [random.randint(1, 3) for _ in range(3)]
    law = {str(v): str(Fraction(w, sum(weights))) for v, w in enumerate(weights)}
    equal = {str(v): "1/3" for v in range(3)}
    distribution = {"iid": random.choice((law, equal))} if seed % 2 else {"independent": [law, equal]}
    keys = {"size": 2, "values": [0, 1, 2], "distribution": distribution, "mechanism": {"kind": "sum"}}
    model = pk.build(**keys)
    source, target = random.choice(("dp", "np", "anpr", "cdp")), random.choice(("dp", "infpr", "np", "mpr"))
    quick = convert(model, source, target, epsilon="ln(3)")
    monkeypatch.setattr(symmetry, "MOST_RENAMINGS", 0)
    plain = convert(model, source, target, epsilon="ln(3)")
    assert quick.to_json() == plain.to_json()


def test_renamings_are_found() -> None:
    """Of uniform records, all exchanges of records and values; one row in twelve is solved."""
    model = pk.build(size=2, values=[0, 1, 2], mechanism={"kind": "sum"})
    rows = linear_rows(model, find("dp"), 1 << 14)
    databases = list(product(range(3), repeat=2))
    cone = Cone(rows, [Fraction(2)] * len(rows), databases)
    renamings, solved = Renamings(cone), []
    assert len(renamings.renamings) == 12

    def rate(row: rows_module.LinearRow) -> Rate:
        solved.append(row)
        return cone.rate(row)

    rates = list(renamings.proofs(rows, rate))
    assert (len(rows), len(solved)) == (36, 3)
    assert [rate.row for rate in rates] == list(rows)
    assert all(rate == replace(cone.rate(rate.row), multipliers=rate.multipliers, column=rate.column) for rate in rates)
    skewed = Cone(rows[:5], [Fraction(2)] * 5, databases)
    assert len(Renamings(skewed).renamings) < 12


# --- certificate files ------------------------------------------------------------------------------------------------


def test_no_certificate_where_nothing_is_computed() -> None:
    with pytest.raises(pk.UnsupportedError, match="no certificate"):
        CURVES_OF_DELTA.file(convert_delta(TWINS, "np", "ppkdp", epsilon="ln(2)", delta="1/10"))
