"""The independent re-check of a worst mechanism: honest certificates are accepted, forged ones rejected."""

from __future__ import annotations

from copy import deepcopy
from dataclasses import replace
from fractions import Fraction
from inspect import unwrap
from pathlib import Path
from typing import Any

import pytest
from attack.forgeries import honest
from examined import at_least_one
from forging import Certificate

import verifier as pk
from verifier.checker import Rejected
from verifier.checker.exchange.multipliers import replay_worst
from verifier.model.library import models_folder
from verifier.wings.search.linear_bounds import WeightedPair, factor_of, forms_of
from verifier.wings.search.worst import decide as asked_worst
from verifier.wings.search.worst import files as worst_files
from verifier.wings.search.worst.decide import worst


def less(one: Certificate) -> None:
    one["optimum"] = str(Fraction(one["optimum"]) * Fraction(99, 100))


def test_a_multiplier_in_two_pieces_costs_as_much_as_one() -> None:
    """δ is paid for the sum of equal multipliers, not for the largest of them."""
    one = honest("worst", "neighbours")
    for bound in one["bounds"]:
        for multiplier in list(bound["multipliers"]):
            multiplier[4] = str(Fraction(multiplier[4]) / 2)
            bound["multipliers"].append(deepcopy(multiplier))
    replay_worst(one)
    less(one)
    with pytest.raises(Rejected):
        replay_worst(one)


def test_an_answer_that_is_not_confirmed_is_not_shown(monkeypatch: pytest.MonkeyPatch) -> None:
    model = pk.read(models_folder() / "restricted" / "not-both.toml")
    original = worst_files.certificate_of

    def wrong(answer: Any) -> dict[str, Any]:
        found = original(answer)
        less(found)
        return found

    monkeypatch.setattr(worst_files, "certificate_of", wrong)
    with pytest.raises(Rejected):
        worst(model, assuming="np(ln(2))", maximise="cdp delta at ln(2)")


def test_the_checker_shares_no_code() -> None:
    text = Path(unwrap(replay_worst).__code__.co_filename).read_text(encoding="utf-8")
    imported = [line for line in text.splitlines() if line.startswith(("import ", "from ")) and "verifier" in line]
    assert imported
    assert all(line.startswith(("from verifier.checker ", "from verifier.checker.")) for line in imported)


def test_planted_errors_are_caught(monkeypatch: pytest.MonkeyPatch) -> None:
    """A comparison that is forgotten, laws that are exchanged, another e^ε, a share that is lost: nothing is shown."""
    model = pk.read(models_folder() / "DMKB20" / "example-6-partner-known.toml")
    line = WeightedPair.line

    def exchanged(self: WeightedPair, E: Fraction) -> Any:
        return line(replace(self, p=self.q, q=self.p), E)

    planted: list[tuple[Any, str, Any]] = [
        (asked_worst, "forms_of", lambda *given: forms_of(*given)[1:]),
        (asked_worst, "forms_of", lambda *given: tuple(replace(one, parts=one.parts[:1]) for one in forms_of(*given))),
        (asked_worst, "factor_of", lambda *given: factor_of(*given) + Fraction(1, 2)),
        (WeightedPair, "line", exchanged),
    ]
    for where, name, wrong in at_least_one(planted):
        with monkeypatch.context() as patch:
            patch.setattr(where, name, wrong)
            with pytest.raises((Rejected, ArithmeticError)):
                worst(model, assuming="ppkdp(ln(2), 1/10)", maximise="np delta at ln(3/2)")
