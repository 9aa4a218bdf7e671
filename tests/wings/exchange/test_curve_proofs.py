"""The certificates of exchange rates as functions: planted defects are found, by a replay with code of its own."""

from __future__ import annotations

import json
from copy import deepcopy
from fractions import Fraction
from pathlib import Path
from typing import Any

import pytest
from filing import mutants, rejection, replayed, shorter, written
from rates import agreeing

from verifier.checker import Rejected
from verifier.checker.exchange.curve import _Curve, replay_exchange_curve
from verifier.checker.exchange.multipliers import DatabaseLaw, LinearRow
from verifier.cli.reading import read_source
from verifier.wings.exchange.certificates import CURVES, curve_certificate
from verifier.wings.exchange.curve.decide import exchange_curve

FILE = """
title = "two bits"
size = 2
values = [0, 1]
[[distribution]]
table = [
  { database = [0, 0], probability = "3/8" },
  { database = [0, 1], probability = "1/8" },
  { database = [1, 0], probability = "1/8" },
  { database = [1, 1], probability = "3/8" },
]
[mechanism]
kind = "sum"
"""


def plain(answer: Any) -> dict[str, Any]:
    return json.loads(json.dumps(curve_certificate(answer)))  # type: ignore[no-any-return]


ONE = plain(exchange_curve(agreeing("3/4"), "cdp", "dp"))
OVER = plain(exchange_curve(read_source("two-bits-that-agree"), "cdp", "dp", epsilon="ln(2)"))
COIN = plain(exchange_curve(read_source("majority-and-coin"), "dp", "np", epsilon="ln(2)"))


def is_accepted(entry: dict[str, Any]) -> bool:
    try:
        replay_exchange_curve(entry)
    except Rejected:
        return False
    return True


@pytest.mark.parametrize("certificate", [ONE, OVER, COIN])
def test_the_certificates_are_accepted(certificate: dict[str, Any]) -> None:
    assert is_accepted(deepcopy(certificate))


def finite(entry: dict[str, Any]) -> dict[str, Any]:
    return next(cell for cell in entry["cells"] if cell["factor"] is not None and cell["attained"] is not None)


def infinite(entry: dict[str, Any]) -> dict[str, Any]:
    return next(cell for cell in entry["cells"] if cell["factor"] is None)


def first_piece(entry: dict[str, Any]) -> dict[str, Any]:
    return next(piece for row in entry["rows"] for piece in row["pieces"] if piece["multipliers"])


DEFECTS: list[Any] = [
    lambda entry: finite(entry).update(factor=[["2"], ["1"]]),
    lambda entry: finite(entry).update(factor=None),
    lambda entry: finite(entry)["factor"][0].__setitem__(0, "-5"),
    lambda entry: finite(entry)["attained"][1].pop(),
    lambda entry: finite(entry)["attained"][1][0].__setitem__(1, [["-1"], ["1"]]),
    lambda entry: finite(entry).update(attained=None),
    lambda entry: finite(entry).update(scale="2"),
    lambda entry: finite(entry).update(verdict="vacuous"),
    lambda entry: finite(entry).update(verdict="vacuous", factor=[["1"], ["1"]], attained=None),
    lambda entry: finite(entry).update(verdict="undecided"),
    lambda entry: infinite(entry).update(factor=[["9"], ["1"]]),
    lambda entry: infinite(entry).update(verdict="undecided", attained=None),
    lambda entry: infinite(entry)["attained"][1].pop(),
    lambda entry: first_piece(entry)["multipliers"].pop(0),
    lambda entry: first_piece(entry)["multipliers"][0].__setitem__(1, [["-1"], ["1"]]),
    lambda entry: first_piece(entry)["multipliers"][0].__setitem__(1, [[], ["1"]]),
    lambda entry: first_piece(entry)["multipliers"][0].__setitem__(0, 999),
    lambda entry: first_piece(entry).update(factor=[["1"], ["1"]]),
    lambda entry: entry["rows"].pop(),
    lambda entry: entry["rows"][0]["pieces"].clear(),
    lambda entry: entry["cells"].pop(),
    lambda entry: entry["cells"].pop(0),
    lambda entry: entry["cells"].reverse(),
    lambda entry: entry["spans"].clear(),
    lambda entry: entry["spans"].append(["7", "8", True, True]),
    lambda entry: entry["assumed"].append({"p": [], "q": [], "scale": "1"}),
    lambda entry: entry.update({"from": "np"}),
    lambda entry: entry.update(to="flpr"),
    lambda entry: entry.update(to="ibcdp"),
    lambda entry: entry.update(root=2),
    lambda entry: entry.update(schema="pkdp exchange 1"),
    lambda entry: entry.pop("worlds"),
]


@pytest.mark.parametrize("certificate", [ONE, OVER])
def test_forged_certificates_are_refused(certificate: dict[str, Any]) -> None:
    for number, defect in enumerate(DEFECTS):
        entry = deepcopy(certificate)
        defect(entry)
        assert not is_accepted(entry), f"defect {number}"


def test_a_curve_over_a_parameter_has_a_finite_epsilon() -> None:
    with pytest.raises(Rejected, match="finite ε"):
        replay_exchange_curve({**deepcopy(OVER), "epsilon": "inf"})


def test_a_piece_may_not_be_stretched() -> None:
    """A proof that is right on (1, 3) is none on (1, 4); a cell that is wrong beyond its end is refused."""
    entry = deepcopy(ONE)
    for holder in [*(piece for row in entry["rows"] for piece in row["pieces"]), *entry["cells"]]:
        low, high, *closed = holder["where"]
        holder["where"] = ["4" if low == "3" else low, "4" if high == "3" else high, *closed]
    assert not is_accepted(entry)
    shorter_entry = deepcopy(ONE)
    for holder in [*(piece for row in shorter_entry["rows"] for piece in row["pieces"]), *shorter_entry["cells"]]:
        low, high, *closed = holder["where"]
        holder["where"] = ["2" if low == "3" else low, "2" if high == "3" else high, *closed]
    assert not is_accepted(shorter_entry)


def test_the_only_bound_of_a_row_that_allows_no_difference_is_1() -> None:
    curve = _Curve(deepcopy(ONE))
    law: DatabaseLaw = {("a",): Fraction(1)}
    piece = {"where": ["2", "5/2", True, True], "factor": [["1"], ["1"]], "multipliers": []}
    proved = curve._piece(LinearRow(law, law, Fraction(0)), piece, [])
    assert (proved.where.low, proved.where.high) == (Fraction(2), Fraction(5, 2))
    assert proved.factor == 1
    larger = {**piece, "factor": [["2"], ["1"]]}
    assert curve._piece(LinearRow(law, law, Fraction(1)), larger, []).factor == 2
    with pytest.raises(Rejected, match="allows no difference"):
        curve._piece(LinearRow(law, law, Fraction(0)), larger, [])


def test_powers_of_the_parameter_are_whole_and_few() -> None:
    curve = _Curve(deepcopy(ONE))
    assert [curve._factor(Fraction(k)).at(Fraction(2)) for k in (0, 1, 3, 64)] == [1, 2, 8, 2**64]
    for power in (Fraction(1, 2), Fraction(5, 3), Fraction(65)):
        with pytest.raises(Rejected, match="that is a power"):
            curve._factor(power)


def test_where_nothing_is_compared_the_rate_is_0() -> None:
    curve = _Curve(deepcopy(ONE))
    where = curve._stretch(curve.certificate["cells"][0]["where"])
    cell = {"verdict": "vacuous", "scale": "1", "model": None, "attained": None}
    for compared, factor, accepted in ((False, "1", True), (False, "2", False), (True, "1", False), (True, "2", False)):
        curve.target = {0: LinearRow({}, {})} if compared else {}
        if accepted:
            curve._cell(where, {**cell, "factor": [[factor], ["1"]]}, {}, [])
            continue
        with pytest.raises(Rejected, match="something is compared"):
            curve._cell(where, {**cell, "factor": [[factor], ["1"]]}, {}, [])


def test_a_closed_form_is_not_proved_at_samples() -> None:
    """y + (x - 2)(x - 5/2) agrees with the rate at 2 and at 5/2, and is refused."""
    entry = deepcopy(ONE)
    cell = finite(entry)
    assert cell["factor"] == [["1", "-3"], ["-3", "1"]]
    cell["factor"] = [["-14", "39/2", "-15/2", "1"], ["-3", "1"]]  # (1 - 3x) + (x - 2)(x - 5/2)(x - 3)
    assert not is_accepted(entry)


def test_the_models_at_the_ends_are_those_of_the_family() -> None:
    def model(entry: dict[str, Any]) -> dict[str, Any]:
        return next(cell["model"] for cell in entry["cells"] if cell["model"] is not None)

    defects: list[Any] = [
        lambda entry: model(entry).update(tight_epsilon="ln(2)"),
        lambda entry: model(entry).update(epsilon="ln(3)"),
        lambda entry: model(entry)["worlds"]["majority"].pop(),
        lambda entry: model(entry)["worlds"]["majority"][0].__setitem__(3, "1/8"),
        lambda entry: entry["worlds"]["majority"][1].__setitem__(3, [["1/4"], ["1"]]),
        lambda entry: entry["worlds"]["majority"].pop(),
        lambda entry: entry["cells"][0].update(model=None),
    ]
    for number, defect in enumerate(defects):
        entry = deepcopy(COIN)
        defect(entry)
        assert not is_accepted(entry), f"defect {number}"


def test_a_world_may_not_vanish_inside_a_cell() -> None:
    """The rows of a family are those of each model only where all worlds are possible."""
    entry = deepcopy(OVER)
    for row in entry["worlds"]["pair"]:
        row[3] = [["1/4"], ["1"]]
    assert not is_accepted(entry)


def test_numbers_and_labels_of_a_file_count(tmp_path: Path) -> None:
    """A change that is accepted is another proof of the same curve: a multiplier, or a piece of a row, of others."""
    model = written(tmp_path, FILE)
    certificate = json.loads(CURVES.file(exchange_curve(model, "cdp", "dp"), tmp_path))
    assert replayed(certificate, tmp_path).uncompared == ""
    assert "21" not in replayed(certificate, tmp_path).title
    changed = [(place, other) for place, _, other in mutants(certificate)][::41]
    assert len(changed) > 25
    for place, other in [*changed, *list(shorter(certificate))[::12]]:
        reason = rejection(other, tmp_path)
        assert reason is not None or place[0] == "rows", place
        assert "damaged" not in (reason or "")
