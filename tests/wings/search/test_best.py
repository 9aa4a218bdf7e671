"""The best mechanism: known optima, a separate program for the counts, and proofs that only the truth passes."""

from __future__ import annotations

import json
from copy import deepcopy
from fractions import Fraction
from math import comb
from pathlib import Path
from typing import Any

import pytest
from examined import at_least_one

import verifier as pk
from verifier.checker.files import words_on
from verifier.checker.numbers import Wrong
from verifier.checker.reading import Models
from verifier.cli.main import run
from verifier.numbers.guess import has_highs
from verifier.numbers.linear import LinearProgram
from verifier.wings.search.worst.best import LOSSES, Best
from verifier.wings.search.worst.proof import best_document

ZERO, ONE, THIRD = Fraction(0), Fraction(1), Fraction(1, 3)


def binomial(n: int, p: Fraction) -> list[Fraction]:
    return [comb(n, c) * p**c * (1 - p) ** (n - c) for c in range(n + 1)]


def coins(n: int, p: Fraction) -> pk.Model:
    return pk.build(
        size=n, values=[0, 1], distribution={"iid": {"0": str(1 - p), "1": str(p)}}, mechanism={"kind": "sum"}
    )


# --- counts under DP: geometric noise with the best remapping is optimal, for every prior and monotone loss -----------


def remapped(n: int, e: Fraction, prior: list[Fraction], loss: str) -> Fraction:
    """The loss of truncated geometric noise, with each output remapped to what is best for the prior."""
    a = 1 / e
    total = ZERO
    for o in range(n + 1):
        share = (1 - a) / (1 + a) if 0 < o < n else 1 / (1 + a)
        column = [prior[d] * share * a ** abs(d - o) for d in range(n + 1)]
        total += min(
            sum((w * LOSSES[loss](Fraction(d), Fraction(to)) for d, w in enumerate(column)), ZERO)
            for to in range(n + 1)
        )
    return total


@pytest.mark.parametrize("loss", list(LOSSES))
@pytest.mark.parametrize("n", [2, 5, pytest.param(20, marks=pytest.mark.skipif(not has_highs(), reason="no highspy"))])
def test_geometric_noise_with_the_best_remapping_is_optimal(n: int, loss: str) -> None:
    """A count of n is one record here, of which neighbours differ by one."""
    prior = binomial(n, THIRD)
    model = pk.build(
        size=1,
        values=list(range(n + 1)),
        distribution={"iid": {str(c): str(p) for c, p in enumerate(prior)}},
        mechanism={"kind": "sum"},
        policy={"neighbours": "every-entry-by-one"},
    )
    found = pk.best(model, loss=loss, of="sum", assuming="dp(ln(2))")
    assert found.optimum == remapped(n, Fraction(2), prior, loss)


def test_a_count_of_people_is_a_count() -> None:
    """The program on databases, with exchanges of records, has the optimum of the one on counts."""
    for n in (2, 3, 4):
        assert pk.best(coins(n, THIRD), loss="absolute", value=1, assuming="dp(ln(2))").optimum == remapped(
            n, Fraction(2), binomial(n, THIRD), "absolute"
        )


# --- NP, APKDP and δ: the program over counts, written again ----------------------------------------------------------


def over_counts(n: int, p: Fraction, e: Fraction, delta: Fraction, *, worst: bool = False) -> Fraction:
    """The least absolute loss under NP with independent records: rows for counts alone."""
    laws = [
        {c + a: comb(n - 1, c) * p**c * (1 - p) ** (n - 1 - c) for c in range(n)} for a in (0, 1)
    ]  # of the count, if one record is a
    outputs, prior = range(n + 1), binomial(n, p)
    variables: list[Any] = [(c, o) for c in outputs for o in outputs]
    rows: dict[Any, Any] = {("law", c): ({(c, o): ONE for o in outputs}, ONE, True) for c in outputs}
    for a in (0, 1):
        slacks = [("slack", a, o) for o in outputs]
        variables += slacks
        for o in outputs:
            line: dict[Any, Fraction] = {(c, o): laws[a].get(c, ZERO) - e * laws[1 - a].get(c, ZERO) for c in outputs}
            rows["pair", a, o] = {**line, ("slack", a, o): -ONE}, ZERO
        rows["delta", a] = dict.fromkeys(slacks, ONE), delta
    cost: dict[Any, Fraction] = {(c, o): -prior[c] * abs(c - o) for c in outputs for o in outputs}
    if worst:
        variables.append("loss")
        for c in outputs:
            lost: dict[Any, Fraction] = {(c, o): Fraction(abs(c - o)) for o in outputs}
            rows["loss", c] = {**lost, "loss": -ONE}, ZERO
        cost = {"loss": -ONE}
    return -LinearProgram(variables, rows).maximise(cost).value


@pytest.mark.parametrize("delta", [ZERO, Fraction(1, 10)])
@pytest.mark.parametrize("n", [2, 3, 4])
def test_noiseless_privacy_of_independent_records(n: int, delta: Fraction) -> None:
    model = coins(n, THIRD)
    for worst in (False, True):
        found = pk.best(model, loss="absolute", value=1, assuming=f"np(ln(2), {delta})", worst=worst)
        assert found.optimum == over_counts(n, THIRD, Fraction(2), delta, worst=worst)


def test_eight_people() -> None:
    """Least losses of a count of eight, with independent records of probability 1/3, at ε = ln(2)."""
    model = coins(8, THIRD)
    for assumed, optimum in at_least_one(
        [("np(ln(2))", Fraction(16684, 72171)), ("np(ln(2), 1/10)", Fraction(4025, 72171))]
    ):
        assert pk.best(model, loss="absolute", value=1, assuming=assumed).optimum == optimum


def test_more_is_never_worse() -> None:
    """The price of privacy falls as ε grows; without a definition nothing is lost; an average asks no more."""
    model = coins(3, THIRD)
    curve = pk.best_curve(model, epsilons=[0, "ln(2)", "ln(3)"], loss="absolute", value=1, assuming="dp(0)")
    losses = [one.optimum for one in curve]
    assert losses == sorted(losses, reverse=True)
    assert len({*losses}) == 3
    assert pk.best(model, loss="zero-one", value=1).optimum == 0
    passive, active = (
        pk.best(model, loss="absolute", value=1, assuming=f"{key}(ln(2), 1/10)").optimum for key in ("ppkdp", "apkdp")
    )
    assert passive <= active


def test_a_table_of_losses() -> None:
    named = pk.best(coins(2, THIRD), loss="squared", value=1, assuming="dp(ln(2))")
    table = {s: {o: (s - o) ** 2 for o in range(3)} for s in range(3)}
    found = pk.best(coins(2, THIRD), loss=table, value=1, assuming="dp(ln(2))")
    assert (found.optimum, found.mechanism) == (named.optimum, named.mechanism)


# --- proofs -----------------------------------------------------------------------------------------------------------


def word(document: dict[str, Any]) -> str:
    try:
        return next(iter(words_on([document], Models([], {}), Path()))).word
    except Wrong:
        return "wrong"


@pytest.fixture(params=[False, True], ids=["expected", "worst"])
def found(request: pytest.FixtureRequest) -> Best:
    return pk.best(coins(2, THIRD), loss="absolute", value=1, assuming="np(ln(2), 1/10)", worst=request.param)


def test_a_forged_proof_is_refused(found: Best) -> None:
    honest = json.loads(json.dumps(best_document(found)))
    assert word(honest) == "confirmed"
    weights = honest["proof"]["weights"]
    forgeries: list[tuple[tuple[Any, ...], Any]] = [
        (("optimum",), "1/1000"),
        (("optimum",), "1"),
        (("loss",), "squared"),
        (("of",), {"kind": "count", "value": 0}),
        (("worst",), not found.worst),
        (("outputs",), ["0", "1"]),
        (("assuming", 0, "epsilon"), "ln(3)"),
        (("assuming", 0, "delta"), "1/5"),
        (("mechanism", "rows", 0, "outputs"), {"2": "1"}),
        (("proof", "weights", 0, 1), "1"),
        (("proof", "weights"), [[d, w] for (d, _), (_, w) in zip(weights, weights[1:] + weights[:1], strict=True)]),
        (("proof", "weights"), weights[1:]),
        (("proof", "multipliers"), []),
        (("proof", "multipliers", 0, 3), "100"),
        (("proof", "assumed", 0, "scale"), "0"),
    ]
    for place, value in at_least_one(forgeries):
        forged = deepcopy(honest)
        inside = forged
        for key in place[:-1]:
            inside = inside[key]
        assert inside[place[-1]] != value
        inside[place[-1]] = value
        assert word(forged) != "confirmed", place


def test_the_command_writes_a_model_and_its_proof(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    model, losses = tmp_path / "coins.toml", tmp_path / "losses.csv"
    model.write_text('size = 2\nvalues = [0, 1]\n[[distribution]]\niid = { 0 = "2/3", 1 = "1/3" }\n', encoding="utf-8")
    losses.write_text("value,output,loss\n0,0,0\n0,1,1\n1,0,5\n1,1,0\n2,0,5\n2,1,0\n", encoding="utf-8")
    written = [str(tmp_path / "best.toml"), str(tmp_path / "proof.json")]
    price, bars = tmp_path / "price.svg", tmp_path / "bars.svg"
    asked = ["best", str(model), "--assuming", "dp(ln(2))", "--loss", str(losses), "--value", "1"]
    for words, status in (
        ([*asked, "--output", written[0], "--certificate", written[1], "--json"], 0),
        (["check", written[0], "--expect"], 0),
        (["verify", written[1]], 0),
        ([*asked, "--over", "0,ln(2)", "--plot", str(price)], 0),
        ([*asked, "--plot", str(bars)], 0),
        ([*asked, "--plot", "bars.pdf"], 2),
    ):
        with pytest.raises(SystemExit, match=str(status)):
            run(words)
    said = capsys.readouterr()
    assert '"loss": "4/9"' in said.out
    assert "the least loss is 4/9 (0.444444444444)" in price.read_text(encoding="utf-8")
    assert "P[1 | count = 2]: 1" in bars.read_text(encoding="utf-8")
    assert "--plot: bars.pdf does not end in .svg. Expected a file that ends in .svg." in said.err


def test_databases_of_several_sizes_are_refused() -> None:
    """They were said to be compared by nothing, and `pkdp worst` called dp vacuous."""
    model = pk.loads('size = [0, 2]\nvalues = [0, 1]\n[mechanism]\nkind = "sum"')
    assert pk.check(model, "dp", epsilon=0).verdict == "fails"
    with pytest.raises(pk.UnsupportedError, match="databases of one size"):
        pk.worst(model, maximise="dp delta at 0")
    with pytest.raises(pk.UnsupportedError, match="databases of one size"):
        pk.best(model, loss="absolute", value=1, assuming="dp(ln(2))", worst=True)


def test_worst_writes_the_neighbours_of_its_model() -> None:
    """The model file of a worst mechanism has the `[policy]` that says who is a neighbour."""
    model = pk.build(
        size=1,
        values=[0, 1, 2],
        distribution={"iid": {"0": "1/4", "1": "1/2", "2": "1/4"}},
        mechanism={"kind": "sum"},
        policy={"neighbours": "every-entry-by-one"},
    )
    answer = pk.worst(model, assuming="dp(ln(2))", maximise="dp delta at 0")
    assert answer.optimum == THIRD
    assert answer.found is not None
    assert 'neighbours = "every-entry-by-one"' in answer.found.text


@pytest.mark.parametrize(
    ("asked", "problem"),
    [
        ({"loss": "absolut", "value": 1}, "is not a loss"),
        ({"loss": 3, "value": 1}, "is not a loss"),
        ({"loss": "absolute"}, "a count needs the value"),
        ({"loss": "absolute", "of": "sum", "value": 1}, "a sum has no value"),
        ({"loss": "absolute", "of": "mean"}, "is not a statistic"),
        ({"loss": "absolute", "value": 7}, "not a value of the model"),
        ({"loss": {0: {0: 0}}, "value": 1}, "no row for 1"),
        ({"loss": {0: {0: -1}}, "value": 1}, "below 0"),
        ({"loss": {0: {0: 0}, 1: {1: 0}}, "value": 1}, "different outputs"),
        ({"loss": {0: {0: 0.5}}, "value": 1}, "float"),
        ({"loss": "absolute", "value": 1, "assuming": "dp(1/2)"}, "not rational"),
        ({"loss": "absolute", "value": 1, "assuming": "ibcdp(ln(2))"}, "not a linear bound"),
    ],
    ids=str,
)
def test_what_has_no_best_mechanism_is_refused(asked: dict[str, Any], problem: str) -> None:
    with pytest.raises(pk.PkdpError, match=problem):
        pk.best(coins(2, THIRD), **asked)


def test_two_distributions_have_no_expected_loss() -> None:
    model = pk.build(
        size=1,
        values=[0, 1],
        distribution=[{"name": "a", "iid": {"0": "1/2", "1": "1/2"}}, {"name": "b", "iid": {"1": "1"}}],
        mechanism={"kind": "sum"},
    )
    with pytest.raises(pk.PkdpError, match="2 distributions"):
        pk.best(model, loss="absolute", value=1)
    nobody = pk.loads('size = 2\nvalues = [0, 1]\n[mechanism]\nkind = "sum"')
    with pytest.raises(pk.PkdpError, match="no distribution says which are possible"):
        pk.best(nobody, loss="absolute", value=1, worst=True)
    assert pk.best(model, loss="absolute", value=1, worst=True, assuming="dp(0)").optimum == Fraction(1, 2)
