"""The proofs of exchange rates: planted defects are found, and renamed rows have the rates that each has by itself."""

from __future__ import annotations

import json
from dataclasses import replace
from fractions import Fraction
from itertools import product
from pathlib import Path
from random import Random
from typing import Any

import pytest
from filing import mutants, rejection, replayed, shorter, written
from rates import PAIR, TWINS, agreeing, halve_prices

import verifier as pk
from verifier.checker import Rejected
from verifier.checker.exchange.multipliers import DatabaseLaw, LinearRow, _attains_rate, replay_exchange
from verifier.definitions import find
from verifier.wings.exchange import rows as rows_module
from verifier.wings.exchange import symmetry
from verifier.wings.exchange.certificates import RATES, certificate_of
from verifier.wings.exchange.program import Cone, Rate
from verifier.wings.exchange.rate import Exchange, exchange
from verifier.wings.exchange.rows import linear_rows
from verifier.wings.exchange.symmetry import Renamings

# --- planted defects --------------------------------------------------------------------------------------------------


def certificate(source: str = "cdp", target: str = "np") -> dict[str, Any]:
    answer = exchange(agreeing("3/4"), source, target, epsilon="ln(2)")
    return json.loads(json.dumps(certificate_of(answer)))  # type: ignore[no-any-return]


def is_accepted(entry: dict[str, Any]) -> bool:
    try:
        replay_exchange(entry)
    except Rejected:
        return False
    return True


def test_the_certificate_is_accepted() -> None:
    assert is_accepted(certificate())


def test_wrong_certificates_are_rejected() -> None:
    def with_times(entry: dict[str, Any], text: str) -> None:
        rate = next(rate for rate in entry["rates"] if rate["multipliers"])
        rate["multipliers"][0][1] = text

    defects: list[Any] = [
        lambda entry: with_times(entry, "0"),
        lambda entry: with_times(entry, "-1"),
        lambda entry: with_times(entry, "1/9999"),
        lambda entry: entry["rates"].pop(),
        lambda entry: entry.update(tight_epsilon="ln(2)"),
        lambda entry: entry.update(tight_epsilon="ln(3)"),
        lambda entry: entry.update(tight_epsilon="inf"),
        lambda entry: entry.update(tight_epsilon="0"),
        lambda entry: entry.update(epsilon="ln(3/2)"),
        lambda entry: entry.update(epsilon="inf"),
        lambda entry: entry.update(to="ibcdp"),
        lambda entry: entry.update({"from": "klpr"}),
        lambda entry: entry["assumed"].append({"p": [[["0", "0"], "1"]], "q": [[["1", "1"], "1"]], "scale": "1"}),
        lambda entry: entry["extreme"].pop(0),
        lambda entry: entry["extreme"].__setitem__(0, [entry["extreme"][0][0], "2"]),
        lambda entry: entry["rates"][0]["row"].update(scale="2"),
        lambda entry: entry.update(schema="pkdp worst 1"),
        lambda entry: entry.pop("worlds"),
    ]
    for number, defect in enumerate(defects):
        entry = certificate()
        defect(entry)
        assert not is_accepted(entry), f"defect {number}"


def test_a_vacuous_certificate_proves_nothing_else() -> None:
    known = pk.build(size=2, values=[0, 1], distribution=PAIR, knowledge={"records": [0]}, mechanism={"kind": "sum"})
    entry = certificate_of(exchange(known, "dp", "np", epsilon="ln(2)"))
    replay_exchange(entry)
    with pytest.raises(Rejected):
        replay_exchange({**entry, "tight_epsilon": "ln(2)"})
    with pytest.raises(Rejected, match="finite ε"):
        replay_exchange({**entry, "epsilon": "inf"})


def test_a_simplex_that_errs_is_found(monkeypatch: pytest.MonkeyPatch) -> None:
    halve_prices(monkeypatch)
    with pytest.raises(ArithmeticError, match="do not prove"):
        exchange(agreeing("3/4"), "cdp", "np", epsilon="ln(2)")


@pytest.mark.parametrize(("p", "q", "shown"), [("a", "b", True), ("b", "a", False), ("a", "a", False)])
def test_a_row_that_allows_no_difference_needs_infinity_where_there_is_one(p: str, q: str, *, shown: bool) -> None:
    """Its P is to be no more likely than its Q; where both are as likely, ε = 0 is enough for it."""
    row = LinearRow({(p,): Fraction(1)}, {(q,): Fraction(1)}, scale=Fraction(0))
    column: DatabaseLaw = {("a",): Fraction(1), ("b",): Fraction(1, 2)}
    if shown:
        _attains_rate({row.key: row}, column, "inf")
        return
    with pytest.raises(Rejected, match="does not need the claimed"):
        _attains_rate({row.key: row}, column, "inf")


def test_an_answer_is_no_truth_value() -> None:
    answer: Exchange = exchange(TWINS, "dp", "np", epsilon="ln(2)")
    with pytest.raises(TypeError):
        bool(answer)


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
    quick = exchange(model, source, target, epsilon="ln(3)")
    monkeypatch.setattr(symmetry, "MOST_RENAMINGS", 0)
    plain = exchange(model, source, target, epsilon="ln(3)")
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

FILE = """
title = "twins"
size = 2
values = [0, 1]
[[distribution]]
table = [ { database = [0, 0], probability = "1/2" }, { database = [1, 1], probability = "1/2" } ]
[mechanism]
kind = "sum"
"""


@pytest.mark.parametrize(("source", "target"), [("dp", "np"), ("cdp", "anpr")])
def test_every_number_and_label_of_a_file_counts(source: str, target: str, tmp_path: Path) -> None:
    """Any change of one text or number, and anything left out, is rejected, and never as a file that is damaged."""
    model = written(tmp_path, FILE)
    certificate = json.loads(RATES.file(exchange(model, source, target, epsilon="ln(2)"), tmp_path))
    assert replayed(certificate, tmp_path).uncompared == ""
    changed = [other for _, _, other in mutants(certificate)] + [other for _, other in shorter(certificate)]
    changed = changed[::3]
    assert len(changed) > 100
    for other in changed:
        reason = rejection(other, tmp_path)
        assert reason is not None, other
        assert "malformed" not in reason
        assert "damaged" not in reason


def test_without_a_finite_rate_only_the_mechanism_counts(tmp_path: Path) -> None:
    """Other mechanisms may show as well that no ε is enough; all else counts."""
    model = written(tmp_path, FILE)
    certificate = json.loads(RATES.file(exchange(model, "np", "cdp", epsilon="ln(2)"), tmp_path))
    accepted = {place[0] for place, _, other in mutants(certificate) if rejection(other, tmp_path) is None}
    assert accepted == {"extreme"}
