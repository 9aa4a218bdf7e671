"""Exchange rates: never beaten by a mechanism, attained, and proved by their multipliers, also to the checker."""

from __future__ import annotations

from dataclasses import replace
from fractions import Fraction
from random import Random
from typing import Any

import pytest
from hypothesis import assume, given, settings
from hypothesis import strategies as st
from rates import PAIR, TWINS, agreeing
from strategies import Case, cases
from strategies_policy import PolicyModel

import verifier as pk
from verifier.definitions import find
from verifier.definitions.atlas import atlas
from verifier.errors import InputError, LimitError, UnsupportedError
from verifier.numbers import INFINITY, ZERO, log_epsilon
from verifier.wings.exchange import program as exchange_program
from verifier.wings.exchange.rate import COMPUTED, exchange
from verifier.wings.exchange.rows import linear_rows

LINEAR = ("dp", "np", "apkdp", "ppkdp", "cdp")
KINDS = ("lists", "gaps", "multisets")
MANY = 1 << 14
names, factors = st.sampled_from(LINEAR), st.sampled_from((Fraction(2), Fraction(3, 2), Fraction(5)))


def of_records(definition: str, case: Case) -> bool:
    return case.plain.secrets is not None or definition not in {"dp", "cdp"}


# --- proved and attained ----------------------------------------------------------------------------------------------


@pytest.mark.sweep(3)
@given(case=cases(max_size=3), source=names, target=names)
@settings(max_examples=30)
def test_no_mechanism_does_worse(case: Case, source: str, target: str) -> None:
    """The rate at the smallest ε of the model's own mechanism is at least what this mechanism needs."""
    assume(of_records(source, case) and of_records(target, case) and (source != "dp" or case.plain.size < 3))
    model = pk.build(**case.keys)
    needed = pk.check(model, source).tight_epsilon
    assume(needed is not None and needed != ZERO and not needed.is_infinite)
    answer = exchange(model, source, target, epsilon=needed)
    most = pk.check(model, target).tight_epsilon
    assert answer.tight_epsilon is not None
    assert most is not None
    assert not answer.tight_epsilon < most


# --- known rates ------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("c", ["1/2", "3/5", "2/3", "3/4", "9/10", "99/100"])
@pytest.mark.parametrize("x", [Fraction(2), Fraction(3), Fraction(3, 2)])
def test_two_bits_that_agree(c: str, x: Fraction) -> None:
    """With k = c/(1 - c) ≥ 1: NP gives CDP at x·k, DP gives NP at x·(1 + x·k)/(x + k), CDP gives DP at (xk-1)/(k-x)."""
    model, k, epsilon = agreeing(c), Fraction(c) / (1 - Fraction(c)), log_epsilon(x)
    assert exchange(model, "np", "cdp", epsilon=epsilon).tight_epsilon == log_epsilon(x * k)
    assert exchange(model, "dp", "np", epsilon=epsilon).tight_epsilon == log_epsilon(x * (1 + x * k) / (x + k))
    back = exchange(model, "cdp", "dp", epsilon=epsilon).tight_epsilon
    assert back == (log_epsilon((x * k - 1) / (k - x)) if k > x else INFINITY)


def test_group_privacy_and_free_lunch() -> None:
    model = pk.build(size=3, values=[0, 1], mechanism={"kind": "sum"}, policy={"group": 2, "distance": "hamming"})
    assert exchange(model, "dp", "flpr", epsilon="ln(2)").tight_epsilon == log_epsilon(Fraction(8))
    assert exchange(model, "dp", "grdp", epsilon="ln(2)").tight_epsilon == log_epsilon(Fraction(4))
    assert exchange(model, "dp", "ddpr", epsilon="ln(2)").tight_epsilon == log_epsilon(Fraction(2))
    assert exchange(model, "flpr", "ddpr", epsilon="ln(2)").tight_epsilon == log_epsilon(Fraction(2))


def test_posteriors() -> None:
    """One fair bit: at NP x the posterior of a value is at most 2x/(1 + x) times the prior, by Bayes."""
    coin = pk.build(size=1, values=[0, 1], distribution={"iid": {0: "1/2", 1: "1/2"}}, mechanism={"kind": "sum"})
    for x in (Fraction(2), Fraction(7, 3)):
        rate = exchange(coin, "np", "pmpr", epsilon=log_epsilon(x)).tight_epsilon
        assert rate == log_epsilon(max(2 * x / (1 + x), (1 + x) / 2))


def test_a_row_may_be_scaled() -> None:
    """Twice and half of ε: e^(c·ε) must be rational of what is assumed, not of what is asked."""
    policy = {"scale": [[[0, 1], "1/2"], [[1, 2], "2"]]}
    model = pk.build(size=1, values=[0, 1, 2], mechanism={"kind": "sum"}, policy=policy)
    assert exchange(model, "iddp", "dp", epsilon="ln(4)").tight_epsilon == log_epsilon(Fraction(8))
    assert str(exchange(model, "dp", "iddp", epsilon="ln(2)").tight_epsilon) == "ln(4)"
    refused = exchange(model, "iddp", "dp", epsilon="ln(2)")
    assert refused.verdict == "unsupported"
    assert "e^(1/2·ε)" in str(refused.reason)


def test_equal_laws_are_asked_in_both_orders() -> None:
    """A distance of 0 allows no difference at all: it is a row whose reverse follows."""
    policy = {"distance": [[[0], [1], "0"], [[0], [2], "1"], [[1], [2], "1"]]}
    model = pk.build(size=1, values=[0, 1, 2], mechanism={"kind": "sum"}, policy=policy)
    assert exchange(model, "ddpr", "dp", epsilon="ln(2)").tight_epsilon == log_epsilon(Fraction(2))
    answer = exchange(model, "dp", "ddpr", epsilon="ln(2)")
    assert answer.tight_epsilon == INFINITY
    assert answer.replayed


# --- every definition of the atlas ------------------------------------------------------------------------------------


def supported(model: pk.Model) -> list[str]:
    listed = []
    for key in [*atlas, "tail-dp", "tail-cdp", "tail-ppkdp"]:
        try:
            linear_rows(model, find(key), MANY)
        except UnsupportedError:
            continue
        listed.append(key)
    return listed


@pytest.mark.sweep(3)
@pytest.mark.parametrize("seed", range(9))
def test_pairs_of_the_atlas(seed: int) -> None:
    """The replay's rows are those of the finder, the multipliers add up, and the model's mechanism does no worse."""
    random = Random(seed)  # noqa: S311
    model = pk.loads(PolicyModel(random, KINDS[seed % 3]).text)
    listed = supported(model)
    assert len(listed) >= 20
    for _ in range(6):
        source, target = random.choice(listed), random.choice(listed)
        needed = pk.check(model, source).tight_epsilon
        rational = needed is not None and needed.exp is not None and needed.exp > 1  # type: ignore[union-attr]
        answer = exchange(model, source, target, epsilon=needed if rational else "ln(4)")
        if answer.verdict == "unsupported":
            assert "not rational" in str(answer.reason)
            continue
        assert answer.replayed
        if rational and answer.verdict == COMPUTED:
            assert not answer.tight_epsilon < pk.check(model, target).tight_epsilon  # type: ignore[operator]


def test_all_linear_definitions_are_taken() -> None:
    taken = set().union(*(supported(pk.loads(PolicyModel(Random(seed), KINDS[seed % 3]).text)) for seed in range(30)))  # noqa: S311
    refused = {
        "absdp", "azcodp", "bcodp", "bldp", "cbdp", "cwpr", "czkpr", "ddnpr", "distdp", "divdp", "dlpr-rot", "eddnpr",
        "edivdp", "fdp", "gaussdp", "gcdp-kl", "ibcdp", "ibcwpr", "ibddp", "avgklpr", "indcdp", "kdivdp", "klpr",
        "mcodp", "ocdp", "randp", "rbpr", "reldp", "renyidp", "rldp", "sempr", "sfdp", "simcdp", "subdp", "tcodp-bdrs",
        "tcodp-col", "typst", "wfdp", "zcodp", "zkpr",
    }  # fmt: skip
    assert set(atlas) - taken == refused


@pytest.mark.parametrize(
    ("key", "reason"),
    [
        ("ibcdp", "posteriors with posteriors"),
        ("ddp", "no list of pairs of laws"),
        ("klpr", "the measure kl"),
        ("randp", "leaves out a share"),
        ("bldp", "outputs of one mechanism"),
        ("simcdp", "polynomial-time"),
        ("pfpr", "needs `secrets`"),
        ("ubodp", "adds and removes records"),
    ],
)
def test_unsupported_says_why(key: str, reason: str) -> None:
    for source, target in ((key, "np"), ("np", key)):
        answer = exchange(TWINS, source, target, epsilon="ln(2)")
        assert (answer.verdict, answer.tight_epsilon, answer.exit_status) == ("unsupported", None, 3)
        assert reason in str(answer.reason)


def test_a_definition_of_ones_own_is_unsupported() -> None:
    own = replace(find("np"), key="mine", aliases=(), own=True)
    assert "your own" in str(exchange(TWINS, own, "np", epsilon="ln(2)").reason)


# --- nothing compared, limits -----------------------------------------------------------------------------------------


def test_sides_without_rows() -> None:
    known = pk.build(size=2, values=[0, 1], distribution=PAIR, knowledge={"records": [0]}, mechanism={"kind": "sum"})
    to_nothing = exchange(known, "dp", "np", epsilon="ln(2)")
    assert (to_nothing.verdict, to_nothing.tight_epsilon, to_nothing.exit_status) == ("vacuous", ZERO, 0)
    from_nothing = exchange(known, "np", "dp", epsilon="ln(2)")
    assert (from_nothing.verdict, from_nothing.tight_epsilon) == (COMPUTED, INFINITY)
    assert "every mechanism" in str(from_nothing.reason)
    assert exchange(known, "np", "cdp", epsilon="ln(2)").verdict == "vacuous"


@pytest.mark.parametrize("epsilon", ["0", "inf", "ln(1)"])
def test_an_epsilon_that_is_none(epsilon: str) -> None:
    with pytest.raises(InputError, match="a finite ε above 0"):
        exchange(TWINS, "np", "cdp", epsilon=epsilon)


def test_an_irrational_factor_is_unsupported() -> None:
    assert "not rational" in str(exchange(TWINS, "np", "cdp", epsilon="1/2").reason)


def test_limits_are_refused_before_the_work(monkeypatch: pytest.MonkeyPatch) -> None:
    def never(*_: Any) -> None:
        raise AssertionError

    monkeypatch.setattr(exchange_program, "Simplex", never)
    eight = pk.build(size=9, values=[0, 1], distribution={"iid": {0: "1/2", 1: "1/2"}}, mechanism={"kind": "sum"})
    for source in ("dp", "flpr"):
        with pytest.raises(LimitError, match="databases"):
            exchange(eight, source, "np", epsilon="ln(2)")
    with pytest.raises(LimitError, match="worlds"):
        exchange(eight, "np", "cdp", epsilon="ln(2)", max_rows=100)


def test_a_sparse_distribution_may_have_many_records() -> None:
    """Only the databases that rows name are variables; the replay, which lists all, leaves such a model out."""
    table = [{"database": [v] * 12, "probability": "1/2"} for v in (0, 1)]
    model = pk.build(size=12, values=[0, 1], distribution={"table": table}, mechanism={"kind": "sum"})
    answer = exchange(model, "np", "anpr", epsilon="ln(2)")
    assert answer.tight_epsilon == log_epsilon(Fraction(3, 2))
    assert not answer.replayed
