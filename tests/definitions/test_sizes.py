"""Databases of several sizes: `dps`, `safe` and the properties against the naive twin, and the laws of LQS12."""

from __future__ import annotations

from fractions import Fraction
from typing import Any

import naive
import naive_sizes
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from naive import Compared
from strategies_sizes import Sized, sized, tables
from test_definitions import EPSILONS, same_value

import verifier as pk
from verifier.definitions import Verdict
from verifier.model.multisets import Multisets
from verifier.numbers import Epsilon
from verifier.wings.papers.bounds.sampling import bad_outcome

DELTAS = [Fraction(0), Fraction(1, 20), Fraction(1, 3), Fraction(1, 2), Fraction(1)]


def agrees(found: Verdict, compared: list[Compared], epsilon: str | None, delta: Fraction) -> None:
    """All that does not depend on the condition β > δ."""
    e = EPSILONS[epsilon]
    answer = naive.answer([compared], e, delta)
    assert (found.comparisons, found.multiplicity, found.empty) == (
        answer.comparisons,
        answer.multiplicity,
        answer.empty,
    )
    assert isinstance(found.tight_epsilon, Epsilon)
    assert found.tight_epsilon.text(10**9) == naive.epsilon_text(answer.factor)
    if e is not None and compared:
        same_value(found, answer, e)
    if answer.verdict == "fails":
        assert found.verdict == "fails"
        witness, worst = found.witness, answer.worst
        assert witness is not None
        assert worst is not None
        assert tuple(tuple(v.text for v in d) for d in witness.databases or ()) == worst.databases
        p, q = worst.pairs[0].masses([o.text for o in witness.event or ()])
        assert (p, q) == (witness.probability_a, witness.probability_b)
        at = e or naive.Exp("inf")
        assert at.sign(p - delta, q) > 0
    else:
        assert found.witness is None


@pytest.mark.sweep(2)
@given(sized(), st.sampled_from(list(EPSILONS)), st.sampled_from(DELTAS))
@settings(max_examples=400)
def test_dps_against_the_naive_twin(case: Sized, epsilon: str | None, delta: Fraction) -> None:
    model = pk.build(**case.keys)
    compared = naive_sizes.neighbours(case.mechanism, case.values, *case.sizes)
    rate = Fraction(1) if case.rate is None else case.rate
    for reading in ("default", "any-delta"):
        found = pk.check(model, "dps", epsilon=epsilon, delta=delta, reading=reading)
        agrees(found, compared, epsilon, delta)
        wanted = naive.answer([compared], EPSILONS[epsilon], delta).verdict
        if rate <= delta:
            assert wanted != "fails", "sampling alone gives δ = β"
        if reading == "default" and rate <= delta and wanted != "vacuous":
            wanted = "fails"
            assert "is not above δ" in (found.reason or "")
        assert found.verdict == wanted
        assert found.replayed is True
        assert f"multisets of {case.sizes[0]}" in found.note


@given(sized(what="k-anonymization"), st.sampled_from(list(EPSILONS)), st.sampled_from(DELTAS))
@settings(max_examples=100)
def test_safe_against_the_naive_twin(case: Sized, epsilon: str | None, delta: Fraction) -> None:
    assert case.chooser is not None
    found = pk.check(pk.build(**case.keys), "safe", epsilon=epsilon, delta=delta)
    compared = naive_sizes.neighbours(case.chooser, case.values, *case.met)
    agrees(found, compared, epsilon, delta)
    assert found.verdict == naive.answer([compared], EPSILONS[epsilon], delta).verdict
    assert found.replayed is True


@given(sized(), st.integers(1, 4) | st.none())
@settings(max_examples=200)
def test_properties_against_the_naive_twin(case: Sized, k: int | None) -> None:
    model = pk.build(**case.keys)
    databases = [naive_sizes.in_order(d, case.values) for d in naive_sizes.lists(case.values, *case.sizes)]
    crowd, safety = pk.k_anonymity(model, k), pk.strongly_safe(model)
    if case.chooser is None:
        assert safety.verdict == "unsupported"
        assert crowd.verdict == "unsupported"
        return
    met = list(naive_sizes.lists(case.values, *case.met))
    laws = [case.chooser(naive_sizes.in_order(d, case.values)) for d in met]
    alone = len(met) == 1
    assert safety.verdict == ("vacuous" if alone else "holds" if all(law == laws[0] for law in laws) else "fails")
    if not case.tables:
        return
    asked = k or case.keys["mechanism"]["k"]
    smallest = naive_sizes.smallest_crowd(case.mechanism, databases)
    assert (crowd.k, crowd.largest) == (asked, smallest)
    assert crowd.verdict == ("vacuous" if smallest is None else "holds" if smallest >= asked else "fails")
    if k is None:
        assert crowd.verdict != "fails", "a k-anonymization is k-anonymous"


# --- theorems of LQS12 ------------------------------------------------------------------------------------


@st.composite
def symmetric(draw: st.DrawFn) -> tuple[list[Any], int, dict[str, Any]]:
    values: list[Any] = draw(st.sampled_from([["t"], ["t", "u"]]))
    last = draw(st.integers(1, 3))
    return values, last, draw(tables(values, (0, last), ["x", "y", "z"]))[0]


@given(symmetric(), st.sampled_from([(1, "1/2"), ("1/2", "1/3"), ("3/4", "1/10"), (1, "9/10")]))
@settings(max_examples=60)
def test_theorem_1_amplification(case: tuple[list[Any], int, dict[str, Any]], rates: tuple[object, str]) -> None:
    """At every δ₁, the tightest ε₁ at rate β₁ gives (ln(1 + β₂/β₁·(e^ε₁ - 1)), β₂/β₁·δ₁) at rate β₂."""
    values, last, table = case
    first, second = (pk.build(size=(0, last), values=values, mechanism={**table, "sample": rate}) for rate in rates)
    share = Fraction(rates[1]) / Fraction(str(rates[0]))
    for delta in (Fraction(0), Fraction(1, 20), Fraction(1, 4)):
        before = pk.check(first, "dps", delta=delta, reading="any-delta").tight_epsilon
        assert isinstance(before, Epsilon)
        if before.is_infinite:
            continue
        assert before.exp is not None
        after = pk.check(second, "dps", epsilon=f"ln({1 + share * (before.exp - 1)})", delta=share * delta)
        assert after.verdict == "holds"


@given(
    st.integers(1, 4),
    st.sampled_from(["1/2", "1/5", "2/3"]),
    st.sampled_from([Fraction(1), Fraction(3, 2), Fraction(3)]),
    st.dictionaries(st.sampled_from(["t", "u"]), st.sampled_from(["a", "b"]), min_size=2),
)
@settings(max_examples=40)
def test_theorem_3_9_covers(k: int, rate: str, more: Fraction, g: dict[str, str]) -> None:
    beta = Fraction(rate)
    model = pk.build(
        size=(0, 6), values=["t", "u"], mechanism={"kind": "apply", "k": k, "generalization": g, "sample": rate}
    )
    factor = more / (1 - beta)
    claimed = bad_outcome(k, beta, factor)
    assert pk.check(model, "dps", epsilon=f"ln({factor})", delta=claimed, reading="any-delta").verdict == "holds"


@pytest.mark.parametrize("last", [1, 2, 3, 4])
def test_proposition_1_needs_a_crowd(last: int) -> None:
    """Without sampling δ is 1 as soon as a crowd of k can be there, and 0 before."""
    model = pk.build(size=(0, last), values=["t"], mechanism={"kind": "apply", "k": 3, "generalization": {"t": "t"}})
    found = pk.check(model, "dps", epsilon=5, delta="99/100")
    assert found.verdict == ("fails" if last >= 3 else "holds")
    assert str(found.tight_delta) == ("1" if last >= 3 else "0")


@given(sized(what="table"))
@settings(max_examples=60)
def test_theorem_2_steps_do_not_harm(case: Sized) -> None:
    """Post-processing: what follows the mechanism only merges its outputs."""
    before = pk.build(**case.keys)
    merged = before.mechanism.outputs()[-1].text
    step = {"rows": [{"input": merged, "output": "seen"}], "otherwise": "not seen"}
    after = pk.build(**{**case.keys, "mechanism": {**case.keys["mechanism"], "then": [step]}})
    for epsilon in ("0", "ln(2)"):
        found = pk.check(before, "dps", epsilon=epsilon).tight_delta
        assert pk.check(after, "dps", epsilon=epsilon, delta=found.a, reading="any-delta").verdict != "fails"  # type: ignore[union-attr]


def test_nothing_to_compare_comes_before_the_rate() -> None:
    model = pk.build(size=(1, 1), values=["a", "b"], mechanism={"kind": "count", "value": "a", "sample": "1/2"})
    for delta in (0, "1/2"):
        assert pk.check(model, "dps", epsilon="ln(2)", delta=delta).verdict == "vacuous"


def test_a_multiset_has_only_values_of_its_domain() -> None:
    few, more = Multisets(2, 1, 3), Multisets(3, 0, 4)
    assert {database for database in more if database in few} == set(few)
    assert not any(other in few for other in ((0, 2), (-1, 0), (1, 0), (), (0, 0, 0, 0), ("0",), (0.5,), [0], 0))
