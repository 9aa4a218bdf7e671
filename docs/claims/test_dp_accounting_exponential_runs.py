"""dp_accounting at google/differential-privacy b5b0286 (in no release): k runs of ExponentialMechanismDpEvent.

`rdp_privacy_accountant.py` adds min(ξ + α*ε²/8, ε) once, whatever `count` is. Each other event has the factor
`count`. `RdpAccountant().compose(ExponentialMechanismDpEvent(ln(9)), k)` returns ε = 2.203 at δ = 10^-6 for k =
1, 2, 10 and 100. The factor `count` repairs it.
"""

import pytest

import pkdp

RUN = {"even": {"a": "1/2", "b": "1/2"}, "uneven": {"a": "9/10", "b": "1/10"}}
"""The exponential mechanism on two candidates, whose losses lie in an interval of length ln(9)."""


def test_one_run():
    """One run is ln(9)-DP, and 2.203 is above ln(9)."""
    pkdp.claim(RUN, "dp", epsilon="2.203", delta="1/1000000")


@pytest.mark.xfail(raises=pkdp.ClaimViolated, strict=True, reason="the factor count is missing")
def test_ten_runs():
    """Ten runs at the same number."""
    pkdp.claim(RUN, "dp", epsilon="2.203", delta="1/1000000", runs=10)


def test_ten_runs_repaired():
    """With the factor the number is at least 10 times the divergence, and at most 10*ln(9), which holds."""
    pkdp.claim(RUN, "dp", epsilon="10*ln(9)", delta="1/1000000", runs=10)
