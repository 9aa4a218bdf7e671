"""Inference-based definitions with a simulator, as far as they are decided."""

from __future__ import annotations

from fractions import Fraction
from typing import Any

import pytest
from hypothesis import assume, given, settings
from strategies import Case, cases
from test_simulators import FLIP, model, small

import verifier as pk
from verifier.definitions.simulated import SimulatorWitness
from verifier.errors import InputError
from verifier.numbers import Enclosure, Epsilon, epsilon, log_epsilon
from verifier.simulators.posteriors import exists, judge


def test_one_context() -> None:
    """The simulator knows nothing, so that the posterior after its answer is the prior."""
    one = model(mechanism=FLIP)
    assert exists(one, Fraction(3, 2))
    assert not exists(one, Fraction(149, 100))
    fair = judge(one, lambda _i, _others: {"x": "1/2", "y": "1/2"}, epsilon("ln(3/2)"), Fraction(0))
    assert (fair.holds, fair.exceptions) == (True, Fraction(0))
    assert fair.beliefs[0].under_m == {one.values[0]: Fraction(2, 3), one.values[1]: Fraction(1, 3)}
    silent = judge(one, lambda _i, _others: "x", epsilon("ln(3/2)"), Fraction(1, 4))
    assert (silent.holds, silent.exceptions) == (False, Fraction(1, 2))
    assert judge(one, lambda _i, _others: "x", epsilon("ln(3/2)"), Fraction(1, 2)).holds


def test_duplicates_are_inferred_from_the_others() -> None:
    table = [{"database": [v, v], "probability": "1/2"} for v in (0, 1)]
    one = model(size=2, distribution={"table": table}, mechanism={"kind": "identity"})
    assert exists(one, Fraction(1))
    assert judge(one, lambda _i, others: [others[0], others[0]], epsilon(0), Fraction(0)).holds


def test_what_the_mechanism_excludes() -> None:
    never = pk.check(model(mechanism={"kind": "identity"}), "ibddp")
    assert (never.verdict, never.tight_epsilon) == ("undecided", None)
    assert pk.check(model(mechanism={"kind": "identity"}), "ibddp", epsilon=9).verdict == "fails"
    assert not exists(model(mechanism={"kind": "identity"}), Fraction(10**9))
    with pytest.raises(InputError, match="negative"):
        exists(model(mechanism=FLIP), Fraction(1, 2))


@given(cases(max_size=2))
@settings(max_examples=15, deadline=None)
def test_ddp_implies_its_inference_form_at_twice_the_epsilon(case: Case) -> None:
    """BGKS13, Theorem 1, as DMKB20 uses it: also by DDP's own simulator."""
    assume(case.plain.secrets is not None)
    one = pk.build(**case.keys)
    found = pk.check(one, "ddp", replay=False)
    tight = found.tight_epsilon
    assert isinstance(tight, Epsilon)
    assume(not tight.is_infinite)
    high = tight.exp_bracket(30)[1]
    assert exists(one, high * high)
    assert exists(one, 2 * high * high)
    if tight.exp is None or not isinstance(found.tightest, SimulatorWitness):
        return
    laws: dict[Any, Any] = {
        (told.context.record, tuple(v.shown for v in told.others)): {o.text: str(p) for o, p in told.law}
        for told in found.tightest.told or ()
    }
    decided = judge(one, lambda i, others: laws[i, others], log_epsilon(tight.exp**2), Fraction(0))
    assert decided.holds
    assert all(sum(belief.under_m.values()) == 1 for belief in decided.beliefs)


@given(cases(max_size=2))
@settings(max_examples=20, deadline=None)
def test_the_smallest_epsilon_lies_between_its_ends(case: Case) -> None:
    small(case, "default")
    one = pk.build(**case.keys)
    found = pk.check(one, "ibddp")
    if found.verdict != "holds":
        assert found.verdict == "undecided"
        assert not exists(one, Fraction(1 << 64))
        return
    tight = found.tight_epsilon
    assert isinstance(tight, Enclosure)
    low, high = Epsilon("rational", tight.low.value), Epsilon("rational", tight.high.value)
    assert exists(one, high.exp_bracket(200)[1])
    assert tight.low.value == 0 or not exists(one, low.exp_bracket(200)[0])
    for at, verdict in ((high.coefficient * 2 + 1, "holds"), (low.coefficient / 2, "fails")):
        if at:
            asked = pk.check(one, "ibddp", epsilon=at)
            assert asked.verdict == verdict
            assert asked.replayed is None


def test_the_inference_form_is_decided_without_delta() -> None:
    one = model(mechanism=FLIP)
    assert pk.check(one, "ibddp", epsilon="ln(2)", delta="1/10").verdict == "unsupported"
    assert "not decided" in (pk.check(one, "ibddp", epsilon="ln(2)", delta="1/10").reason or "")
    assert "ibddp" not in [answer.definition for answer in pk.passport(one)]


@pytest.mark.parametrize("keep", [Fraction(2, 3), Fraction(3, 4), Fraction(5, 7)])
def test_the_smallest_epsilon_of_a_simulator_that_knows_nothing(keep: Fraction) -> None:
    """Its answer says nothing: the posteriors `keep` and 1 - keep are compared with the prior 1/2."""
    rows = [{"database": [v], "outputs": {"x": str(x), "y": str(1 - x)}} for v, x in enumerate((keep, 1 - keep))]
    one = model(mechanism={"rows": rows})
    factor = 1 / (2 * (1 - keep))
    assert exists(one, factor)
    assert not exists(one, factor - Fraction(1, 10**9))
    tight = pk.check(one, "ibddp").tight_epsilon
    assert isinstance(tight, Enclosure)
    low, high = log_epsilon(factor).bracket(200)
    assert tight.low.value <= low
    assert high <= tight.high.value
    assert tight.high.value - tight.low.value < Fraction(1, 10**6)
