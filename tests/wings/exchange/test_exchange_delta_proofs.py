"""The proofs of exchange rates with δ: planted defects are found, in the finder, in certificates and in files."""

from __future__ import annotations

import json
from collections.abc import Callable
from dataclasses import replace
from fractions import Fraction
from pathlib import Path
from typing import Any

import pytest
from filing import mutants, rejection, replayed, shorter, written
from rates import PAIR, TWINS, agreeing
from test_exchange_proofs import FILE

import verifier as pk
from verifier.checker import Rejected
from verifier.checker.exchange.multipliers import replay_exchange_delta
from verifier.wings.exchange.certificates import CURVES_OF_DELTA, delta_certificate
from verifier.wings.exchange.delta import decide as module
from verifier.wings.exchange.delta.decide import exchange_delta
from verifier.wings.exchange.delta.program import Crossings, Piece
from verifier.wings.exchange.program import Gain, Polytope

Entry = dict[str, Any]


def certificate(source: str = "cdp", target: str = "np", delta: str = "1/20", epsilon: str = "ln(2)") -> Entry:
    answer = exchange_delta(agreeing("3/4"), source, target, epsilon=epsilon, delta=delta)
    return json.loads(json.dumps(delta_certificate(answer)))  # type: ignore[no-any-return]


def reason(entry: Entry) -> str:
    """Why it is rejected; nothing where it is accepted."""
    try:
        replay_exchange_delta(entry)
    except Rejected as why:
        return str(why)
    return ""


@pytest.mark.parametrize(("source", "target"), [("cdp", "np"), ("np", "cdp"), ("dp", "np"), ("dp", "dp"), ("np", "np")])
@pytest.mark.parametrize("delta", ["0", "1/20", "1/2"])
@pytest.mark.parametrize("epsilon", ["0", "ln(2)"])
def test_the_certificate_is_accepted(source: str, target: str, delta: str, epsilon: str) -> None:
    assert reason(certificate(source, target, delta, epsilon)) == ""


# --- planted defects --------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(("source", "target"), [("np", "np"), ("dp", "np"), ("np", "dp")])
def test_a_certificate_at_0_is_none_at_infinity(source: str, target: str) -> None:
    """At ε = 0 nothing may be told; at ε = inf much may, so that the multipliers prove nothing."""
    entry = certificate(source, target, "0", "0")
    assert reason(entry) == ""
    assert "finite ε" in reason({**entry, "epsilon": "inf"})


def multiplied(entry: Entry) -> Any:
    """The multipliers of a row that has some."""
    return next(listed for piece in entry["pieces"] for listed in piece["multipliers"] if listed)


def without_a_piece(entry: Entry) -> None:
    """Leave out the second line, and let the first lead on."""
    entry["pieces"].pop(1)


def lower(entry: Entry) -> None:
    """Claim less everywhere, by one and the same amount."""
    for piece in entry["pieces"]:
        piece["above"] = str(Fraction(piece["above"]) - Fraction(1, 1000))


def higher(entry: Entry) -> None:
    """Claim more everywhere, which no mechanism needs."""
    for piece in entry["pieces"]:
        piece["above"] = str(Fraction(piece["above"]) + Fraction(1, 1000))


def forgotten(entry: Entry) -> None:
    """Leave out a row of B everywhere."""
    entry["rows"].pop()
    for piece in entry["pieces"]:
        piece["multipliers"].pop()


def another_row(entry: Entry) -> None:
    """A row that is none of the definition's is assumed."""
    entry["assumed"][0] = {"p": [[["0", "0"], "1"]], "q": [[["1", "1"], "1"]], "scale": "1"}


def shifted(entry: Entry) -> None:
    """The last line begins later, so that nothing is proved where it meets the one before."""
    entry["pieces"][-1]["start"] = str(Fraction(entry["pieces"][-1]["start"]) + 1)


def set_at(*place: Any, value: Any) -> Callable[[Entry], None]:
    def change(entry: Entry) -> None:
        target: Any = entry
        for key in place[:-1]:
            target = target[key]
        target[place[-1]] = value

    return change


@pytest.mark.parametrize(
    ("defect", "why"),
    [
        (lambda entry: multiplied(entry)[0].__setitem__(2, "0"), "do not prove"),
        (lambda entry: multiplied(entry)[0].__setitem__(2, "-1"), ""),
        (lambda entry: multiplied(entry)[0].__setitem__(2, "1/9999"), "do not prove"),
        (lambda entry: multiplied(entry)[0].__setitem__(1, "2"), "of an event, or of its complement"),
        (lambda entry: multiplied(entry)[0].__setitem__(0, 99), "a row is named that is none"),
        (lambda entry: multiplied(entry)[0].__setitem__(0, -1), "a row is named that is none"),
        (lambda entry: multiplied(entry).clear(), "do not prove"),
        (lambda entry: entry["pieces"].pop(), "do not lead"),
        (lambda entry: entry["pieces"].pop(0), "do not lead"),
        (without_a_piece, "do not meet"),
        (lower, "do not prove"),
        (higher, "does not need its line"),
        (forgotten, "the rows are not the definition's"),
        (another_row, "a row is assumed that the definition does not have"),
        (shifted, "do not meet"),
        (lambda entry: entry["pieces"].reverse(), "do not lead"),
        (lambda entry: entry["pieces"].insert(1, entry["pieces"][0]), "out of order"),
        (lambda entry: entry["pieces"][0]["multipliers"].pop(), "has no bound"),
        (set_at("pieces", 0, "row", value=99), "a row is named that is none"),
        (set_at("pieces", 0, "column", 0, 1, value="2"), "above 1"),
        (set_at("pieces", 0, "column", 0, 0, value=["0", "7"]), "no database"),
        (set_at("pieces", 0, "column", value=[]), "does not need its line"),
        (set_at("epsilon", value="ln(3/2)"), ""),
        (set_at("epsilon", value="1/2"), "rational"),
        (set_at("epsilon", value="inf"), "finite ε"),
        (set_at("delta", value="1/30"), ""),
        (set_at("delta", value="1/10"), ""),
        (set_at("delta", value="3/2"), "above 1"),
        (set_at("from", value="ppkdp"), "no list of hockey-stick"),
        (set_at("from", value="dp-any"), "no list of hockey-stick"),
        (set_at("from", value="tail-dp"), "no list of hockey-stick"),
        (set_at("from", value="advpr"), "no list of hockey-stick"),
        (set_at("from", value="nothing"), "no list of hockey-stick"),
        (set_at("to", value="ibcdp"), "no list of hockey-stick"),
        (set_at("to", value="cdp"), "the rows are not the definition's"),
        (set_at("schema", value="pkdp exchange 1"), "no certificate of an exchange rate with δ"),
        (lambda entry: entry.pop("worlds"), "damaged"),
        (lambda entry: entry.pop("delta"), "damaged"),
    ],
)
def test_wrong_certificates_are_rejected(defect: Callable[[Entry], object], why: str) -> None:
    entry = certificate()
    assert reason(entry) == ""
    assert len(entry["pieces"]) > 2
    defect(entry)
    assert reason(entry)
    assert why in reason(entry)


COIN = pk.build(size=1, values=[0, 1], distribution={"iid": {0: "1/2", 1: "1/2"}}, mechanism={"kind": "sum"})
"""NP of it at (ln(2), 1/10): δ′ = 7/10 - 3/10·x up to x = 2, then 1/10."""


def forged(lines: list[tuple[str, str, str, list[str]]]) -> Entry:
    """A certificate of other lines, each with a column, and with honest multipliers wherever a line begins."""
    answer = exchange_delta(COIN, "np", "np", epsilon="ln(2)", delta="1/10")
    polytope = Polytope(answer.assumed, [Fraction(2)] * 2, Fraction(1, 10), [(0,), (1,)])
    row, other = answer.compared
    pieces = []
    for start, above, below, column in lines:
        y = Fraction(start)
        best = Gain(
            row, (), {(v,): Fraction(chance) for v, chance in enumerate(column)}, Fraction(above) - Fraction(below) * y
        )
        assert (best.above, best.below) == (Fraction(above), Fraction(below))
        pieces.append(Piece(y, None, best, (polytope.largest(row, y), polytope.largest(other, y))))
    entry: Entry = json.loads(json.dumps(delta_certificate(replace(answer, pieces=tuple(pieces)))))
    return entry


HONEST = [("1", "7/10", "3/10", ["7/10", "3/10"]), ("2", "1/10", "0", ["1/10", "0"])]


def test_a_mechanism_that_is_not_assumed_is_rejected() -> None:
    """All proofs are right, but a mechanism breaks the bound of an event, or of its complement."""
    assert reason(forged(HONEST)) == ""
    of_an_event = forged([("1", "1/2", "0", ["1/2", "0"])])
    of_its_complement = forged([("1", "1", "1/2", ["1", "1/2"]), ("3/2", "7/10", "3/10", ["7/10", "3/10"]), HONEST[1]])
    for entry in (of_an_event, of_its_complement):
        assert reason(entry) == "a mechanism does not satisfy what is assumed"


def test_lines_that_are_right_but_not_enough_are_rejected() -> None:
    """Each line is attained, and proved where it begins; but the constant is reached too early."""
    early = forged([("1", "7/10", "3/10", ["7/10", "3/10"]), ("2", "1/10", "0", ["1/10", "0"])])
    early["pieces"][1]["start"] = "3/2"
    assert reason(early) == "two lines do not meet"
    steep = forged([("1", "1/10", "0", ["1/10", "0"])])
    assert reason(steep) == "the multipliers do not prove their bound"


def test_several_multiples_are_rejected(monkeypatch: pytest.MonkeyPatch) -> None:
    """A curve in one y says nothing where rows allow ε′ and 2·ε′."""
    policy = {"distance": [[[0], [1], "1"], [[1], [2], "2"], [[0], [2], "1"]]}
    model = pk.build(size=1, values=[0, 1, 2], mechanism={"kind": "sum"}, policy=policy)
    monkeypatch.setattr(module, "_scale", lambda *_: Fraction(1))
    monkeypatch.setattr(module, "_confirmed", lambda answer: answer)
    with pytest.raises(Rejected, match="several multiples"):
        exchange_delta(model, "dp", "psdp", epsilon="ln(2)", delta="1/10")


def test_a_vacuous_certificate_proves_nothing_else() -> None:
    known = pk.build(size=2, values=[0, 1], distribution=PAIR, knowledge={"records": [0]}, mechanism={"kind": "sum"})
    entry = delta_certificate(exchange_delta(known, "dp", "np", epsilon="ln(2)", delta="1/10"))
    assert reason(entry) == ""
    full = certificate("np", "dp")
    assert reason({**entry, "pieces": full["pieces"]})


# --- a finder that errs -----------------------------------------------------------------------------------------------


def test_a_curve_that_leaves_out_a_piece_is_found(monkeypatch: pytest.MonkeyPatch) -> None:
    honest = Crossings.pieces
    monkeypatch.setattr(Crossings, "pieces", lambda self: (*honest(self)[:1], honest(self)[-1]))
    with pytest.raises((Rejected, ArithmeticError)):
        exchange_delta(agreeing("3/4"), "cdp", "np", epsilon="ln(2)", delta="1/20")


def test_a_polytope_that_is_too_large_is_found(monkeypatch: pytest.MonkeyPatch) -> None:
    """Without the bounds of the complements a mechanism comes out that is not (ε, δ)-A."""
    honest = Polytope.__init__

    def careless(self: Any, rows: Any, factors: Any, delta: Any, databases: Any) -> None:
        honest(self, rows, factors, delta + Fraction(1, 9), databases)

    monkeypatch.setattr(Polytope, "__init__", careless)
    with pytest.raises(ArithmeticError, match="is not cdp"):
        exchange_delta(agreeing("3/4"), "cdp", "np", epsilon="ln(2)", delta="1/20")


def test_the_replay_is_asked(monkeypatch: pytest.MonkeyPatch) -> None:
    """What `check` lets pass, the replay finds."""
    honest = Crossings.pieces
    monkeypatch.setattr(module, "_confirmed", lambda answer: answer)
    monkeypatch.setattr(Crossings, "pieces", lambda self: (*honest(self)[:1], honest(self)[-1]))
    with pytest.raises(Rejected):
        exchange_delta(agreeing("3/4"), "cdp", "np", epsilon="ln(2)", delta="1/20")


# --- certificate files ------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(("source", "target"), [("dp", "np"), ("np", "np")])
def test_every_number_and_label_of_a_file_counts(source: str, target: str, tmp_path: Path) -> None:
    """Any change of one text or number, and anything left out, is rejected; but other proofs may be as good."""
    model = written(tmp_path, FILE)
    answer = exchange_delta(model, source, target, epsilon="ln(2)", delta="1/10")
    entry = json.loads(CURVES_OF_DELTA.file(answer, tmp_path))
    assert replayed(entry, tmp_path).uncompared == ""
    changed = [(place, other) for place, _, other in mutants(entry)] + list(shorter(entry))
    changed = changed[::3]
    assert len(changed) > 70
    accepted = []
    for place, other in changed:
        why = rejection(other, tmp_path)
        if why is None:
            accepted.append(place)
        else:
            assert "malformed" not in why
            assert "damaged" not in why
    assert {place[2] for place in accepted if place[0] == "pieces"} <= {"column", "multipliers"}
    assert {place[0] for place in accepted} <= {"pieces"}


def test_a_file_of_another_model_is_rejected(tmp_path: Path) -> None:
    """The worlds are compared with those of the model file."""
    model = written(tmp_path, FILE)
    entry = json.loads(
        CURVES_OF_DELTA.file(exchange_delta(model, "cdp", "np", epsilon="ln(2)", delta="1/10"), tmp_path)
    )
    other = exchange_delta(agreeing("3/4"), "cdp", "np", epsilon="ln(2)", delta="1/10")
    swapped = {**entry, **json.loads(json.dumps(delta_certificate(other)))}
    assert "other tables than its model file" in str(rejection(swapped, tmp_path))


def test_no_certificate_where_nothing_is_computed() -> None:
    with pytest.raises(pk.UnsupportedError, match="no certificate"):
        CURVES_OF_DELTA.file(exchange_delta(TWINS, "np", "ppkdp", epsilon="ln(2)", delta="1/10"))
