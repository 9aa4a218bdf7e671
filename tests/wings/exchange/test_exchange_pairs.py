"""The rates of all pairs at once: the same as of each pair alone, and each row looked at once."""

from __future__ import annotations

from itertools import permutations
from random import Random

import pytest
from strategies_policy import PolicyModel

from verifier.model import build, loads
from verifier.wings.exchange.program import Cone, Rate
from verifier.wings.exchange.rate import exchange, pair_rates, rows_by_definition
from verifier.wings.exchange.rows import LinearRow
from verifier.wings.implications.parts import decided, passport_key

TWO = build(size=2, values=[0, 1], distribution={"iid": {0: "1/2", 1: "1/2"}}, mechanism={"kind": "sum"})


@pytest.mark.sweep(3)
@pytest.mark.parametrize("seed", range(6))
@pytest.mark.parametrize("kind", ["lists", "gaps", "multisets"])
def test_the_same_as_of_each_pair_alone(kind: str, seed: int) -> None:
    model = loads(PolicyModel(Random(f"pairs {kind} {seed}"), kind).text)  # noqa: S311
    rows = rows_by_definition(model, dict.fromkeys(map(passport_key, decided())))
    assert len(rows) > 8
    rates = {(source, target): rate for source, target, rate in pair_rates(rows, "ln(4)", rows)}
    assert list(rates) == list(permutations(rows, 2))
    for source, target in Random(seed).sample(sorted(rates), 8):  # noqa: S311
        answer = exchange(model, source, target, epsilon="ln(4)")
        assert answer.tight_epsilon == rates[source, target]


def test_each_pair_of_laws_is_looked_at_once(monkeypatch: pytest.MonkeyPatch) -> None:
    """dp, adp and prodp have the same rows at δ = 0: one cone serves them. Its eight rows are two up to renaming."""
    looked = []
    plain = Cone.rate

    def counted(cone: Cone, row: LinearRow) -> Rate:
        looked.append(row.key)
        return plain(cone, row)

    monkeypatch.setattr(Cone, "rate", counted)
    rows = rows_by_definition(TWO, ["dp", "adp", "prodp"])
    rates = list(pair_rates(rows, "ln(2)", rows))
    assert {str(rate) for *_, rate in rates} == {"ln(2)"}
    assert len(rows["dp"]) == 8
    assert len(looked) == len(set(looked)) == 2


def test_what_is_not_linear_is_left_out_and_what_is_not_rational_has_no_rate() -> None:
    model = build(
        size=1,
        values=["a", "b", "c"],
        mechanism={"table": [{"database": [v], "output": "y"} for v in "abc"]},
        policy={"scale": [[["a", "b"], "1/2"]], "order": 2},
    )
    rows = rows_by_definition(model, ["dp", "iddp", "renyidp"])
    assert list(rows) == ["dp", "iddp"]
    rates = {(source, target): rate for source, target, rate in pair_rates(rows, "ln(2)", rows)}
    assert rates["iddp", "dp"] is None
    assert str(rates["dp", "iddp"]) == "ln(4)"


def test_a_program_that_is_too_large_has_no_rate(monkeypatch: pytest.MonkeyPatch) -> None:
    rows = rows_by_definition(TWO, ["dp", "np"])
    monkeypatch.setattr(Cone, "most_cells", 3)
    assert [rate for *_, rate in pair_rates(rows, "ln(2)", rows)] == [None, None]
